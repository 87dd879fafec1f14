//! Operators of reductions on cells: what a copy begins with, how it is combined with what was there.
//!
//! For `s += x[i]` a share begins with -0.0, which leaves every number what it is, and what it comes to is added to
//! `s`.

use crate::emit::plan::extremes::Numbers;
use crate::llvm::{Builder, FloatPredicate, Function, IntPredicate, Opcode, Promise, Type, TypeKind, Value};
use crate::scop::ReductionOperator;

/// The cells of one share.
pub fn share_cell<'ir>(builder: &Builder<'ir>, cells: Value<'ir>, share: Value<'ir>, bytes: u64) -> Value<'ir> {
    let offset = builder.mul(share, builder.integer(64, i128::from(bytes)));
    builder.gep(Type::integer(builder.context(), 8), cells, &[offset], Promise::Inbounds)
}

/// The value that changes nothing; `None` for operators that the value at hand does no harm to.
pub fn identity<'ir>(operator: ReductionOperator, element: Type<'ir>) -> Option<Value<'ir>> {
    use ReductionOperator::{Add, And, ArgMax, ArgMin, Last, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};
    match (operator, element.is_float()) {
        (Add, true) => Some(Value::float(element, -0.0)),
        (Mul, true) => Some(Value::float(element, 1.0)),
        (Mul, false) => Some(Value::integer(element, 1)),
        (Add | Xor, _) => Some(Value::integer(element, 0)),
        (And | Or | Min | Max | UnsignedMin | UnsignedMax | ArgMin | ArgMax | Last, _) => None,
    }
}

/// The value that changes nothing, where such `numbers` occur.
pub fn neutral<'ir>(operator: ReductionOperator, element: Type<'ir>, numbers: Numbers) -> Value<'ir> {
    use ReductionOperator::{Add, And, ArgMax, ArgMin, Last, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};
    let is_float = element.is_float();
    let top = || 1i128.checked_shl(element.integer_width().unwrap_or(1) - 1).unwrap_or(i128::MIN);
    match operator {
        Min | Max if is_float => numbers.neutral(element, operator),
        Min => Value::integer(element, top().wrapping_sub(1)),
        Max => Value::integer(element, top().wrapping_neg()),
        And | UnsignedMin => Value::integer(element, -1),
        Or | UnsignedMax => Value::integer(element, 0),
        Add | Mul | Xor => identity(operator, element).expect("law: sums and products have a neutral element"),
        ArgMin | ArgMax | Last => unreachable!("law: values that are replaced together begin with the pair at hand"),
    }
}

/// Whether the bits of two values differ.
pub fn differ<'ir>(
    builder: &Builder<'ir>,
    function: Function<'ir>,
    value: Value<'ir>,
    other: Value<'ir>,
) -> Value<'ir> {
    if value.ty().integer_width().is_some() || value.ty().kind() == TypeKind::Pointer {
        return builder.icmp(IntPredicate::Ne, value, other);
    }
    let bits = Type::integer(builder.context(), function.layout().store_size(value.ty()) as u32 * 8);
    let number = |value| builder.cast(Opcode::BitCast, value, bits);
    builder.icmp(IntPredicate::Ne, number(value), number(other))
}

/// Writes `if (the bits of two values differ) body`.
pub fn unless_same<'ir>(
    builder: &Builder<'ir>,
    function: Function<'ir>,
    (value, other): (Value<'ir>, Value<'ir>),
    body: &mut dyn FnMut(),
) {
    let differs = differ(builder, function, value, other);
    let (changed, after) = (function.new_block("changed"), function.new_block("changed.end"));
    builder.branch(differs, changed, after);
    builder.at_end(changed);
    body();
    builder.jump(after);
    builder.at_end(after);
}

/// The smaller or the larger number; of a number and what is none, the number. For types that processors have no instruction for LLVM makes a
/// call of `fminl` out of its own, which a program that calls no mathematics is not linked with.
fn extreme<'ir>(builder: &Builder<'ir>, operator: ReductionOperator, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
    let (ty, is_largest) = (a.ty(), operator == ReductionOperator::Max);
    if matches!(ty.kind(), TypeKind::Half | TypeKind::BFloat | TypeKind::Float | TypeKind::Double) {
        let name = if is_largest { "llvm.maxnum" } else { "llvm.minnum" };
        return builder.intrinsic(name, &[ty], &[a, b]).value();
    }
    let predicate = if is_largest { FloatPredicate::Ogt } else { FloatPredicate::Olt };
    let is_first = builder.fcmp(predicate, a, b);
    let is_no_number = builder.fcmp(FloatPredicate::Uno, b, b);
    builder.select(builder.binary(Opcode::Or, is_first, is_no_number), a, b)
}

/// Both values together.
pub fn applied<'ir>(builder: &Builder<'ir>, operator: ReductionOperator, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
    use ReductionOperator::{Add, And, ArgMax, ArgMin, Last, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};
    let is_float = a.ty().is_float();
    let pick = |name: &str| builder.intrinsic(name, &[a.ty()], &[a, b]).value();
    match operator {
        Add if is_float => builder.binary(Opcode::FAdd, a, b),
        Mul if is_float => builder.binary(Opcode::FMul, a, b),
        Add => builder.add(a, b),
        Mul => builder.mul(a, b),
        And => builder.binary(Opcode::And, a, b),
        Or => builder.binary(Opcode::Or, a, b),
        Xor => builder.binary(Opcode::Xor, a, b),
        Min | Max if is_float => extreme(builder, operator, a, b),
        Min => pick("llvm.smin"),
        Max => pick("llvm.smax"),
        UnsignedMin => pick("llvm.umin"),
        UnsignedMax => pick("llvm.umax"),
        ArgMin | ArgMax | Last => unreachable!("law: values that are replaced together are combined together"),
    }
}
