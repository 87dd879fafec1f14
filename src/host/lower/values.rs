//! Numbers. Those of another kind are converted so that nothing is undefined: integers by truncation or sign, a float from the low byte of an
//! integer, an integer from the sign of a float. Floats stay between limits: `a + b` of halves is 0.5 where it would be more than 1024.

use super::{Built, Lowering, MIXED};
use crate::host::program::{Call, Kind, Operator, Value};
use crate::host::run::{CONSTANT, READING, store_of};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, BasicValueEnum, FastMathFlags, FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};

impl<'c> Lowering<'c, '_> {
    pub(super) fn value(&self, value: &Value, kind: Kind) -> Built<BasicValueEnum<'c>> {
        match value {
            Value::Constant(value) => Ok(self.constant(*value, kind)),
            Value::Load { array, at } => {
                let place = self.place(*array, at)?;
                let from = self.program.arrays[*array].kind;
                let value = self.builder.build_load(self.basic(from), place, "")?;
                self.converted(value, kind)
            }
            Value::Scalar(at) => {
                let from = self.source.scalars[*at];
                let value = self.builder.build_load(self.basic(from), self.scalars[*at], "")?;
                self.converted(value, kind)
            }
            Value::Counter(sum) => self.converted(self.sum(sum)?.into(), kind),
            Value::Binary(operator, a, b) => {
                let (a, b) = (self.value(a, kind)?, self.value(b, kind)?);
                self.binary(*operator, a, b)
            }
            Value::Choice(when, a, b) => {
                let when = self.condition(when)?;
                let (a, b) = (self.value(a, kind)?, self.value(b, kind)?);
                self.builder.build_select(when, a, b, "")
            }
            Value::Call(call, inner) => self.call(*call, inner, kind),
        }
    }

    fn call(&self, call: Call, inner: &Value, kind: Kind) -> Built<BasicValueEnum<'c>> {
        let name = match call {
            Call::SquareRoot => "sqrt",
            Call::Logarithm => "log",
            Call::Exponential => "exp",
            Call::Floor => "floor",
            Call::Mixed => MIXED,
            Call::Constant => CONSTANT,
            Call::Reading => READING,
        };
        if matches!(call, Call::Mixed | Call::Constant | Call::Reading) {
            let long = self.context.i64_type();
            let function = self.function(name, long.fn_type(&[long.into()], false))?;
            let argument = self.value(inner, Kind::I64)?;
            let result = self.called(function, &[argument.into()])?;
            return self.converted(result, kind);
        }
        let double = self.context.f64_type();
        let function = self.function(name, double.fn_type(&[double.into()], false))?;
        let argument = self.value(inner, Kind::F64)?;
        let result = self.called(function, &[argument.into()])?.into_float_value();
        self.converted(self.small(result)?.into(), kind)
    }

    /// `sum += (i8)value / 64`, in any order: every partial sum is exact.
    pub(super) fn exact_sum(&self, sum: usize, value: &Value) -> Built<()> {
        let byte = self.value(value, Kind::I8)?.into_int_value();
        let double = self.context.f64_type();
        let whole = self.builder.build_signed_int_to_float(byte, double, "")?;
        let part = self.builder.build_float_mul(whole, double.const_float(1.0 / 64.0), "")?;
        let old = self.builder.build_load(double, self.sums[sum], "")?.into_float_value();
        let new = self.builder.build_float_add(old, part, "")?;
        flagged(new, FastMathFlags::AllowReassoc | FastMathFlags::NoSignedZeros);
        store_of(&self.builder, self.sums[sum], new.into())
    }

    pub(super) fn converted(&self, value: BasicValueEnum<'c>, kind: Kind) -> Built<BasicValueEnum<'c>> {
        let to = self.basic(kind);
        match (value, to) {
            (BasicValueEnum::IntValue(value), BasicTypeEnum::IntType(to)) => {
                Ok(self.builder.build_int_cast_sign_flag(value, to, true, "")?.into())
            }
            (BasicValueEnum::IntValue(value), BasicTypeEnum::FloatType(to)) => {
                let byte = self.builder.build_int_cast_sign_flag(value, self.context.i8_type(), true, "")?;
                let whole = self.builder.build_signed_int_to_float(byte, to, "")?;
                Ok(self.builder.build_float_mul(whole, to.const_float(1.0 / 128.0), "")?.into())
            }
            (BasicValueEnum::FloatValue(value), BasicTypeEnum::IntType(to)) => {
                let zero = value.get_type().const_zero();
                let is_positive = self.builder.build_float_compare(FloatPredicate::OGT, value, zero, "")?;
                Ok(self.builder.build_int_cast_sign_flag(is_positive, to, false, "")?.into())
            }
            (BasicValueEnum::FloatValue(value), BasicTypeEnum::FloatType(to)) => {
                let value = if kind == Kind::F16 { self.small(value)? } else { value };
                Ok(self.builder.build_float_cast(value, to, "")?.into())
            }
            (value, _) => Ok(value),
        }
    }

    /// Integers that floats will be read from have the bits of floats from 0 to 2 only.
    pub(super) fn tame(&self, value: BasicValueEnum<'c>, array: usize) -> Built<BasicValueEnum<'c>> {
        let BasicValueEnum::IntValue(number) = value else { return Ok(value) };
        if number.get_type().get_bit_width() == 1 || !self.program.is_seen_as_float(array) {
            return Ok(value);
        }
        const MASK: u64 = 0x3F3F_3F3F_3F3F_3F3F;
        let mask = number.get_type().const_int_arbitrary_precision(&[MASK, MASK]);
        Ok(self.builder.build_and(number, mask, "")?.into())
    }

    fn binary(&self, operator: Operator, a: BasicValueEnum<'c>, b: BasicValueEnum<'c>) -> Built<BasicValueEnum<'c>> {
        match (a, b) {
            (BasicValueEnum::FloatValue(a), BasicValueEnum::FloatValue(b)) => self.binary_of_floats(operator, a, b),
            (a, b) => self.binary_of_integers(operator, a.into_int_value(), b.into_int_value()),
        }
    }

    fn binary_of_floats(&self, operator: Operator, a: FloatValue<'c>, b: FloatValue<'c>) -> Built<BasicValueEnum<'c>> {
        use Operator::*;
        let build = &self.builder;
        let ty = a.get_type();
        let is_common = [self.context.f32_type(), self.context.f64_type()].contains(&ty);
        let compared = |relation, flags| -> Built<BasicValueEnum<'c>> {
            let order = build.build_float_compare(relation, a, b, "")?;
            let chosen = build.build_select(order, a, b, "")?;
            if let Some(flags) = flags {
                order.as_instruction_value().map(|order| order.set_fast_math_flags(flags));
                chosen.as_instruction_value().map(|chosen| chosen.set_fast_math_flags(flags));
            }
            Ok(chosen)
        };
        Ok(match operator {
            Add => self.limited(build.build_float_add(a, b, "")?)?.into(),
            Subtract | Xor => self.limited(build.build_float_sub(a, b, "")?)?.into(),
            Multiply | And | Or => {
                let half = build.build_float_mul(a, ty.const_float(0.5), "")?;
                build.build_float_mul(half, self.small(b)?, "")?.into()
            }
            Divide => {
                build.build_float_div(a, build.build_float_add(self.small(b)?, ty.const_float(2.0), "")?, "")?.into()
            }
            Least => compared(FloatPredicate::OLT, None)?,
            Greatest => compared(FloatPredicate::OGT, None)?,
            LeastFlagged => compared(FloatPredicate::OLT, Some(FastMathFlags::NoNaNs))?,
            GreatestFlagged => compared(FloatPredicate::OGT, Some(FastMathFlags::NoNaNs))?,
            LeastCalled if is_common => self.extreme_called("llvm.minimum", a.into(), b.into())?,
            GreatestCalled if is_common => self.extreme_called("llvm.maximum", a.into(), b.into())?,
            LeastCalled => compared(FloatPredicate::ULE, None)?,
            GreatestCalled => compared(FloatPredicate::UGE, None)?,
        })
    }

    fn binary_of_integers(&self, operator: Operator, a: IntValue<'c>, b: IntValue<'c>) -> Built<BasicValueEnum<'c>> {
        use Operator::*;
        let build = &self.builder;
        let chosen = |relation| build.build_select(build.build_int_compare(relation, a, b, "")?, a, b, "");
        Ok(match operator {
            Add => build.build_int_add(a, b, "")?.into(),
            Subtract => build.build_int_sub(a, b, "")?.into(),
            Multiply => build.build_int_mul(a, b, "")?.into(),
            Divide => {
                let one = a.get_type().const_int(1, false);
                build.build_int_unsigned_div(a, build.build_or(b, one, "")?, "")?.into()
            }
            And => build.build_and(a, b, "")?.into(),
            Or => build.build_or(a, b, "")?.into(),
            Xor => build.build_xor(a, b, "")?.into(),
            Least => chosen(IntPredicate::SLT)?,
            Greatest => chosen(IntPredicate::SGT)?,
            LeastFlagged => chosen(IntPredicate::ULT)?,
            GreatestFlagged => chosen(IntPredicate::UGT)?,
            LeastCalled => self.extreme_called("llvm.smin", a.into(), b.into())?,
            GreatestCalled => self.extreme_called("llvm.umax", a.into(), b.into())?,
        })
    }

    /// By an intrinsic; LLVM has none that it can compile for halves and for 128 bits.
    fn extreme_called(&self, name: &str, a: BasicValueEnum<'c>, b: BasicValueEnum<'c>) -> Built<BasicValueEnum<'c>> {
        self.called(self.intrinsic(name, a.get_type()), &[a.into(), b.into()])
    }

    /// The float, or an eighth where it is not between -1 and 1: products do not grow.
    fn small(&self, value: FloatValue<'c>) -> Built<FloatValue<'c>> {
        self.within(value, 1.0, 0.125)
    }

    /// What a thousand sums in a half may become.
    fn limited(&self, value: FloatValue<'c>) -> Built<FloatValue<'c>> {
        let is_half = value.get_type() == self.context.f16_type();
        if is_half { self.within(value, 1024.0, 0.5) } else { Ok(value) }
    }

    fn within(&self, value: FloatValue<'c>, limit: f64, otherwise: f64) -> Built<FloatValue<'c>> {
        let ty = value.get_type();
        let below = self.builder.build_float_compare(FloatPredicate::OLT, value, ty.const_float(limit), "")?;
        let above = self.builder.build_float_compare(FloatPredicate::OGT, value, ty.const_float(-limit), "")?;
        let inside = self.builder.build_and(below, above, "")?;
        Ok(self.builder.build_select(inside, value, ty.const_float(otherwise), "")?.into_float_value())
    }
}

fn flagged(value: FloatValue<'_>, flags: FastMathFlags) {
    if let Some(instruction) = value.as_instruction_value() {
        let _ = instruction.set_fast_math_flags(flags);
    }
}
