//! Vectors of what an instruction computes: several values of it at once.
//!
//!     let x = builder.load(Type::vector(double, 8), place, Some(8)).value();       // x[i], ..., x[i + 7]
//!     let t = builder.splat(threshold, 8);
//!     let above = builder.widened(compare, &[x, t], 8);                            // what `x[i] > threshold` is for each of them
//!     let any = builder.lanes_as_bits(above, 8);                                   // a number, bit 0 for x[i]

use llvm_sys::core::*;

use super::build::Builder;
use super::ffi::*;
use super::instruction::Instruction;
use super::opcode::Opcode;
use super::types::Type;
use super::value::Value;

/// Calls of one type, its arguments and result.
const OF_ONE_TYPE: [&str; 15] = [
    "llvm.fabs",
    "llvm.copysign",
    "llvm.sqrt",
    "llvm.fma",
    "llvm.fmuladd",
    "llvm.floor",
    "llvm.ceil",
    "llvm.trunc",
    "llvm.rint",
    "llvm.minnum",
    "llvm.maxnum",
    "llvm.smin",
    "llvm.smax",
    "llvm.umin",
    "llvm.umax",
];

/// Operations on numbers that never fail.
const PLAIN: [Opcode; 15] = [
    Opcode::FNeg,
    Opcode::Add,
    Opcode::FAdd,
    Opcode::Sub,
    Opcode::FSub,
    Opcode::Mul,
    Opcode::FMul,
    Opcode::FDiv,
    Opcode::Shl,
    Opcode::LShr,
    Opcode::AShr,
    Opcode::And,
    Opcode::Or,
    Opcode::Xor,
    Opcode::Freeze,
];

const DIVISIONS: [Opcode; 4] = [Opcode::UDiv, Opcode::SDiv, Opcode::URem, Opcode::SRem];

/// No vector multiplies wider numbers into twice as many bits.
const MOST_BITS_DIVIDED: u32 = 32;
/// Nor does one shift wider ones.
const MOST_BITS_SHIFTED: u32 = 64;

const CASTS: [Opcode; 9] = [
    Opcode::Trunc,
    Opcode::ZExt,
    Opcode::SExt,
    Opcode::FpToUi,
    Opcode::FpToSi,
    Opcode::UiToFp,
    Opcode::SiToFp,
    Opcode::FpTrunc,
    Opcode::FpExt,
];

impl Instruction<'_> {
    /// Whether [`Builder::widened`] takes it: it computes, from values of one number or pointer each, and nothing fails.
    pub fn can_be_widened(self) -> bool {
        let opcode = self.opcode();
        match self.call() {
            Some(call) => call.intrinsic().is_some_and(|name| OF_ONE_TYPE.contains(&name.as_str())),
            None => {
                PLAIN.contains(&opcode)
                    || self.divides_by_constant()
                    || CASTS.contains(&opcode)
                    || [Opcode::ICmp, Opcode::FCmp, Opcode::Select].contains(&opcode)
            }
        }
    }
}

impl Instruction<'_> {
    /// Whether it divides by a number with which that never fails, in so few bits that vectors multiply instead, or by one for which they shift.
    fn divides_by_constant(self) -> bool {
        if !DIVISIONS.contains(&self.opcode()) {
            return false;
        }
        let width = self.ty().integer_width().unwrap_or(u32::MAX);
        self.operand(1).as_integer().is_some_and(|by| match by {
            0 | -1 => false,
            by if by > 0 && by.count_ones() == 1 => width <= MOST_BITS_SHIFTED,
            _ => width <= MOST_BITS_DIVIDED,
        })
    }
}

impl<'ir> Builder<'ir> {
    /// The same value in each lane.
    pub fn splat(&self, value: Value<'ir>, lanes: u32) -> Value<'ir> {
        let ty = Type::vector(value.ty(), lanes);
        let first = Value::integer(Type::integer(self.context(), 32), 0);
        let nothing = Value::known(call!(LLVMGetPoison(ty.raw())));
        let one = call!(LLVMBuildInsertElement(self.raw(), nothing.raw(), value.raw(), first.raw(), c"".as_ptr()));
        let all = Value::zero(Type::vector(Type::integer(self.context(), 32), lanes));
        Value::known(call!(LLVMBuildShuffleVector(self.raw(), one, nothing.raw(), all.raw(), c"".as_ptr())))
    }

    /// A vector of these values, one in each lane.
    pub fn together(&self, values: &[Value<'ir>]) -> Value<'ir> {
        let first = values.first().expect("law: a vector has lanes");
        let ty = Type::vector(first.ty(), values.len() as u32);
        let number = Type::integer(self.context(), 32);
        let put = |all: Value<'ir>, (at, value): (usize, &Value<'ir>)| {
            let lane = Value::integer(number, at as i128);
            Value::known(call!(LLVMBuildInsertElement(self.raw(), all.raw(), value.raw(), lane.raw(), c"".as_ptr())))
        };
        values.iter().enumerate().fold(Value::known(call!(LLVMGetPoison(ty.raw()))), put)
    }

    /// What is in a lane of a vector.
    pub fn lane(&self, all: Value<'ir>, at: u32) -> Value<'ir> {
        let lane = Value::integer(Type::integer(self.context(), 32), i128::from(at));
        Value::known(call!(LLVMBuildExtractElement(self.raw(), all.raw(), lane.raw(), c"".as_ptr())))
    }

    /// The multiples of a step, of an integer type: 0, step, 2 * step, ... (modulo its width).
    pub fn ramp(&self, ty: Type<'ir>, step: i128, lanes: u32) -> Value<'ir> {
        let mut all: Vec<_> = (0..i128::from(lanes)).map(|at| Value::integer(ty, at * step).raw()).collect();
        Value::known(call!(LLVMConstVector(all.as_mut_ptr(), lanes)))
    }

    /// What an instruction computes in each lane, from vectors of its operands. It promises nothing but what its numbers may be taken for.
    pub fn widened(&self, original: Instruction<'ir>, operands: &[Value<'ir>], lanes: u32) -> Value<'ir> {
        assert!(original.can_be_widened(), "law: it was asked whether this can be widened: {original}");
        let wide = Type::vector(original.ty(), lanes);
        let opcode = original.opcode();
        let value = match (opcode, original.icmp(), original.fcmp()) {
            (_, Some((predicate, ..)), _) => self.icmp(predicate, operands[0], operands[1]),
            (_, _, Some((predicate, ..))) => self.fcmp(predicate, operands[0], operands[1]),
            (Opcode::Select, ..) => self.select(operands[0], operands[1], operands[2]),
            (Opcode::Freeze, ..) => self.freeze(operands[0]),
            (Opcode::FNeg, ..) => Value::known(call!(LLVMBuildFNeg(self.raw(), operands[0].raw(), c"".as_ptr()))),
            (Opcode::Call, ..) => {
                let name = original.call().and_then(|call| call.intrinsic());
                self.intrinsic(&name.expect("law: only intrinsics are widened"), &[wide], operands).value()
            }
            _ if CASTS.contains(&opcode) => self.cast(opcode, operands[0], wide),
            _ => self.binary(opcode, operands[0], operands[1]),
        };
        if let Some(own) = value.as_instruction()
            && call!(LLVMCanValueUseFastMathFlags(own.raw())) != 0
        {
            let flags = call!(LLVMGetFastMathFlags(original.raw()));
            call!(LLVMSetFastMathFlags(own.raw(), flags));
        }
        value
    }

    /// The least of two numbers without a sign.
    pub fn least(&self, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        self.intrinsic("llvm.umin", &[a.ty()], &[a, b]).value()
    }

    /// The lanes of a vector that these numbers name, one behind the other.
    pub fn picked(&self, value: Value<'ir>, lanes: &[u32]) -> Value<'ir> {
        let number = Type::integer(self.context(), 32);
        let mut numbers: Vec<_> = lanes.iter().map(|lane| Value::integer(number, i128::from(*lane)).raw()).collect();
        let numbers = call!(LLVMConstVector(numbers.as_mut_ptr(), numbers.len() as u32));
        let nothing = call!(LLVMGetPoison(value.ty().raw()));
        Value::known(call!(LLVMBuildShuffleVector(self.raw(), value.raw(), nothing, numbers, c"".as_ptr())))
    }

    /// A vector of truth values as a number, its first lane the lowest bit.
    pub fn lanes_as_bits(&self, value: Value<'ir>, lanes: u32) -> Value<'ir> {
        self.cast(Opcode::BitCast, value, Type::integer(self.context(), lanes))
    }

    /// The same pointer, of which LLVM no longer knows what it points into: what is read by it may lie beyond what the program may read, in the same page.
    pub fn of_unknown_object(&self, pointer: Value<'ir>) -> Value<'ir> {
        Value::known(call!(loopwright_of_unknown_object(self.raw(), pointer.raw())))
    }
}
