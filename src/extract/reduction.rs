//! Whether a statement updates one element by an operator that may be reordered.
//!
//! The statement of `s[j] += A[i][j] + b` is the store of `(load s[j]) + (A[i][j] + b)`: its value is an `add` one side of which is the
//! element that the statement writes, and nobody else looks at what was read. Reordering must give the same bits: integer `+ * & | ^`
//! and minima and maxima do in any order; floating-point `+` and `*` only where the program allows it (`reassoc`), minima and maxima
//! where it promises that neither NaN nor the sign of zero matters (`nnan nsz`). Several updates in a row, `(s + a) + b`, are one. A
//! minimum may be an intrinsic or a comparison with a select. Promises that a sum does not wrap hold in the program's own order
//! only: who emits an update in another order has to forget them.

use super::binding::{Leaf, Root};
use super::roots::Statement;
use crate::llvm::{FloatPredicate, Instruction, IntPredicate, Opcode, Value};
use crate::scop::ReductionOperator;
use ReductionOperator::{Add, And, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};

/// More updates in a row than this are not looked through.
const LONGEST_CHAIN: usize = 32;

/// One application of an operator.
struct Update<'ir> {
    operator: ReductionOperator,
    /// Operands that may be the old value.
    sides: Vec<Value<'ir>>,
    /// The comparison that decides, in a minimum or maximum by select.
    comparison: Option<Instruction<'ir>>,
}

/// The operator and the value read, if the statement is `x = x op ...` and the program allows its instances in any order.
pub fn reduction<'ir>(statement: &Statement<'ir>) -> Option<(ReductionOperator, Value<'ir>)> {
    let value = match &statement.root {
        Root::Store { store, .. } => store.memory()?.stored?,
        Root::Write { value, .. } => *value,
        Root::Scatter { .. } | Root::Opaque { .. } => return None,
    };
    let is_old = |operand: Value<'ir>| match (statement.leaves.get(&operand), &statement.root) {
        (Some(Leaf::Load { array, offset }), Root::Store { array: to, offset: at, .. }) => array == to && offset == at,
        (Some(Leaf::Scalar { array, subscripts }), Root::Write { array: to, subscripts: at, .. }) => {
            array == to && subscripts == at
        }
        _ => false,
    };
    let is_inside = |value: Value<'ir>| !statement.leaves.contains_key(&value);
    let is_only_use = statement.leaves.keys().filter(|leaf| is_old(**leaf)).count() == 1;
    let (operator, read) = old_value(value, None, &is_old, &is_inside, LONGEST_CHAIN)?;
    is_only_use.then_some((operator, read))
}

/// The operator by which `value` updates an old value, and that value; only `wanted`, if one is.
fn old_value<'ir>(
    value: Value<'ir>,
    wanted: Option<ReductionOperator>,
    is_old: &dyn Fn(Value<'ir>) -> bool,
    is_inside: &dyn Fn(Value<'ir>) -> bool,
    depth: usize,
) -> Option<(ReductionOperator, Value<'ir>)> {
    let instruction = value.as_instruction().filter(|_| depth > 0 && is_inside(value))?;
    let update = update(instruction).filter(|update| wanted.is_none_or(|wanted| wanted == update.operator))?;
    let is_private = |side: Value<'ir>| {
        let other =
            |user: &Instruction<'ir>| *user != instruction && Some(*user) != update.comparison && !user.is_phi();
        !side.users().iter().any(other)
    };
    if let Some(read) = update.sides.iter().find(|side| is_old(**side)) {
        return is_private(*read).then_some((update.operator, *read));
    }
    let inner = |side: &Value<'ir>| {
        let is_alone = side.users().len() <= 1 + usize::from(update.comparison.is_some()) && is_private(*side);
        is_alone.then(|| old_value(*side, Some(update.operator), is_old, is_inside, depth - 1)).flatten()
    };
    update.sides.iter().find_map(inner)
}

fn update(instruction: Instruction<'_>) -> Option<Update<'_>> {
    let flags = instruction.fast_math();
    let (may_reorder, is_plain) = (flags.reassoc, flags.no_nans && flags.no_signed_zeros);
    let both = || vec![instruction.operand(0), instruction.operand(1)];
    let left = || vec![instruction.operand(0)];
    let (operator, sides) = match instruction.opcode() {
        Opcode::FAdd if may_reorder => (Add, both()),
        Opcode::FSub if may_reorder => (Add, left()),
        Opcode::FMul if may_reorder => (Mul, both()),
        Opcode::Add => (Add, both()),
        Opcode::Sub => (Add, left()),
        Opcode::Mul => (Mul, both()),
        Opcode::And => (And, both()),
        Opcode::Or => (Or, both()),
        Opcode::Xor => (Xor, both()),
        Opcode::Select => return by_select(instruction, is_plain),
        Opcode::Call => match instruction.call()?.intrinsic()?.as_str() {
            "llvm.smax" => (Max, both()),
            "llvm.smin" => (Min, both()),
            "llvm.umax" => (UnsignedMax, both()),
            "llvm.umin" => (UnsignedMin, both()),
            "llvm.maxnum" | "llvm.maximum" | "llvm.maximumnum" if is_plain => (Max, both()),
            "llvm.minnum" | "llvm.minimum" | "llvm.minimumnum" if is_plain => (Min, both()),
            "llvm.fmuladd" if may_reorder => (Add, vec![instruction.operand(2)]),
            _ => return None,
        },
        _ => return None,
    };
    Some(Update { operator, sides, comparison: None })
}

/// `a < b ? a : b` and its kin.
fn by_select(instruction: Instruction<'_>, is_plain: bool) -> Option<Update<'_>> {
    let (condition, then, otherwise) = instruction.select()?;
    let comparison = condition.as_instruction().filter(|c| c.users() == [instruction])?;
    let (a, b, least_if_first, is_unsigned) = match (comparison.icmp(), comparison.fcmp()) {
        (Some((predicate, a, b)), _) => {
            use IntPredicate::*;
            let (is_less, is_unsigned) = match predicate {
                Slt | Sle => (true, false),
                Sgt | Sge => (false, false),
                Ult | Ule => (true, true),
                Ugt | Uge => (false, true),
                _ => return None,
            };
            (a, b, is_less, is_unsigned)
        }
        (_, Some((predicate, a, b))) if is_plain => {
            use FloatPredicate::*;
            match predicate {
                Olt | Ole | Ult | Ule => (a, b, true, false),
                Ogt | Oge | Ugt | Uge => (a, b, false, false),
                _ => return None,
            }
        }
        _ => return None,
    };
    let is_min = match (then == a && otherwise == b, then == b && otherwise == a) {
        (true, false) => least_if_first,
        (false, true) => !least_if_first,
        _ => return None,
    };
    let operator = match (is_min, is_unsigned) {
        (true, false) => Min,
        (false, false) => Max,
        (true, true) => UnsignedMin,
        (false, true) => UnsignedMax,
    };
    Some(Update { operator, sides: vec![a, b], comparison: Some(comparison) })
}
