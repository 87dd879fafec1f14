//! Updates in a row: the operator by which one value comes from another.
//!
//! From `%s` to `%u = add (add %s, %a), %b` it is the sum, whoever `%a` and `%b` are; from `%s` to `select %c, (add %s, %a), %s` as well. What computes
//! anything else with `%s` on the way breaks the chain.
//!
//! Implements: 001 reductions

use crate::extract::control::subregion::Opaque;
use crate::extract::ssa::operands;
use crate::llvm::{FloatPredicate, Instruction, IntPredicate, Opcode, Value};
use crate::scop::ReductionOperator;
use ReductionOperator::{Add, And, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};

/// More updates in a row than this are not looked through.
pub(in crate::extract) const LONGEST_CHAIN: usize = 32;

/// One application of an operator.
struct Update<'ir> {
    operator: ReductionOperator,
    /// Operands that may be the old value.
    sides: Vec<Value<'ir>>,
    /// The comparison that decides, in a minimum or maximum by select.
    comparison: Option<Instruction<'ir>>,
}

/// The operator by which `result`, behind a part or in it, is `old` updated any number of times, with nobody looking at it on the way.
///
/// Every value that depends on `old` is a *partial* one: an update of one partial value, or a choice among partial values by a phi or by a
/// select whose condition is none. The part hands on no partial value but the result. The block that the part's control begins in may
/// update as well: `s += a; if (c) s -= b;`.
pub(in crate::extract) fn accumulated<'ir>(
    part: &Opaque<'ir>,
    old: Value<'ir>,
    result: Value<'ir>,
) -> Option<ReductionOperator> {
    let mut partial = vec![old];
    let mut operator: Option<ReductionOperator> = None;
    let mut next = 0;
    while next < partial.len() {
        let value = partial[next];
        next += 1;
        if partial.len() > LONGEST_CHAIN {
            return None;
        }
        for user in value.users() {
            let home = user.block()?;
            let is_inside = part.blocks.contains(&home) || home == part.start && !user.is_phi();
            if value == result && !is_inside {
                continue;
            }
            if !is_inside && !(home == part.exit && user.value() == result) {
                return None;
            }
            if user.is_phi()
                || user.select().is_some_and(|(condition, ..)| condition != value) && update(user).is_none()
            {
                if !partial.contains(&user.value()) {
                    partial.push(user.value());
                }
                continue;
            }
            let is_comparison = |update: &Update<'ir>| update.comparison == Some(user);
            if user.users().first().and_then(|of| update(*of)).is_some_and(|of| is_comparison(&of)) {
                continue;
            }
            let update = update(user)?;
            if !update.sides.contains(&value) || operator.is_some_and(|known| known != update.operator) {
                return None;
            }
            operator = Some(update.operator);
            if !partial.contains(&user.value()) {
                partial.push(user.value());
            }
        }
    }
    let is_partial = |value: &Value<'ir>| partial.contains(value);
    let is_sound = |value: &Value<'ir>| {
        let Some(instruction) = value.as_instruction().filter(|_| *value != old) else { return *value == old };
        if instruction.is_phi() {
            let own = |from| instruction.block() != Some(part.exit) || part.leads_on(from);
            return instruction
                .incoming()
                .into_iter()
                .filter(|(_, from)| own(*from))
                .all(|(value, _)| is_partial(&value));
        }
        match (update(instruction), instruction.select()) {
            (Some(update), _) => {
                let operands = operands(instruction);
                let used = operands.iter().filter(|o| is_partial(o)).count();
                let sides = update.sides.iter().filter(|side| is_partial(side)).count();
                used == 1 && sides == 1
            }
            (None, Some((_, then, otherwise))) => is_partial(&then) && is_partial(&otherwise),
            _ => false,
        }
    };
    (is_partial(&result) && partial.iter().all(is_sound)).then_some(operator).flatten()
}

/// The operator by which `value` updates an old value, and that value; only `wanted`, if one is. Users that `is_foreign` says so of may look
/// at the old value, no others.
pub(in crate::extract) fn old_value<'ir>(
    value: Value<'ir>,
    wanted: Option<ReductionOperator>,
    is_old: &dyn Fn(Value<'ir>) -> bool,
    is_inside: &dyn Fn(Value<'ir>) -> bool,
    is_foreign: &dyn Fn(&Instruction<'ir>) -> bool,
    depth: usize,
) -> Option<(ReductionOperator, Value<'ir>)> {
    let instruction = value.as_instruction().filter(|_| depth > 0 && is_inside(value))?;
    if let Some((kept, update)) = chosen_update(instruction, is_foreign) {
        let same = wanted.is_none_or(|wanted| wanted == update.operator);
        return match is_old(kept) {
            _ if !same => None,
            true => Some((update.operator, kept)),
            false => old_value(kept, Some(update.operator), is_old, is_inside, is_foreign, depth - 1),
        };
    }
    let update = update(instruction).filter(|update| wanted.is_none_or(|wanted| wanted == update.operator))?;
    let is_private = |side: Value<'ir>| {
        let other = |user: &Instruction<'ir>| {
            *user != instruction && Some(*user) != update.comparison && !user.is_phi() && !is_foreign(user)
        };
        !side.users().iter().any(other)
    };
    if let Some(read) = update.sides.iter().find(|side| is_old(**side)) {
        // In `s * s` the old value is no longer only what is added to.
        let is_once = instruction.operands().into_iter().filter(|operand| is_old(*operand)).count() == 1;
        return (is_once && is_private(*read)).then_some((update.operator, *read));
    }
    let inner = |side: &Value<'ir>| {
        let is_alone = side.users().len() <= 1 + usize::from(update.comparison.is_some()) && is_private(*side);
        is_alone.then(|| old_value(*side, Some(update.operator), is_old, is_inside, is_foreign, depth - 1)).flatten()
    };
    update.sides.iter().find_map(inner)
}

/// `c ? x op y : x`, with nobody else using `x` or the update: `x` and the update.
fn chosen_update<'ir>(
    instruction: Instruction<'ir>,
    is_foreign: &dyn Fn(&Instruction<'ir>) -> bool,
) -> Option<(Value<'ir>, Update<'ir>)> {
    let (condition, then, otherwise) = instruction.select().filter(|_| update(instruction).is_none())?;
    let of = |kept: Value<'ir>, updated: Value<'ir>| {
        let inner = updated.as_instruction().filter(|inner| inner.users() == [instruction])?;
        let update = update(inner).filter(|update| update.comparison.is_none() && update.sides.contains(&kept))?;
        let used = inner.operands().into_iter().filter(|operand| *operand == kept).count();
        let is_own =
            |user: &Instruction<'ir>| *user == inner || *user == instruction || user.is_phi() || is_foreign(user);
        (used == 1 && condition != kept && kept.users().iter().all(is_own)).then_some((kept, update))
    };
    of(then, otherwise).or_else(|| of(otherwise, then))
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
        // What negates multiplies by -1.
        Opcode::FNeg if may_reorder => (Mul, left()),
        Opcode::Sub if instruction.operand(0).as_integer() == Some(0) => (Mul, vec![instruction.operand(1)]),
        Opcode::Add => (Add, both()),
        Opcode::Sub => (Add, left()),
        Opcode::Mul => (Mul, both()),
        Opcode::And => (And, both()),
        Opcode::Or => (Or, both()),
        Opcode::Xor => (Xor, both()),
        Opcode::Select => return logical(instruction).or_else(|| by_select(instruction, is_plain)),
        Opcode::Call => match instruction.call()?.intrinsic()?.as_str() {
            "llvm.smax" => (Max, both()),
            "llvm.smin" => (Min, both()),
            "llvm.umax" => (UnsignedMax, both()),
            "llvm.umin" => (UnsignedMin, both()),
            // These pass over a NaN wherever it comes, and of zeros give either one, as LLVM's own vectors of them do.
            "llvm.maxnum" => (Max, both()),
            "llvm.minnum" => (Min, both()),
            "llvm.maximum" | "llvm.maximumnum" if is_plain => (Max, both()),
            "llvm.minimum" | "llvm.minimumnum" if is_plain => (Min, both()),
            "llvm.fmuladd" if may_reorder => (Add, vec![instruction.operand(2)]),
            _ => return None,
        },
        _ => return None,
    };
    Some(Update { operator, sides, comparison: None })
}

/// `a || b` and `a && b`, the second of which is computed in any case.
fn logical(instruction: Instruction<'_>) -> Option<Update<'_>> {
    let (condition, then, otherwise) = instruction.select().filter(|_| instruction.ty().integer_width() == Some(1))?;
    let (operator, other) = match (then.as_integer(), otherwise.as_integer()) {
        (Some(1 | -1), _) => (Or, otherwise),
        (_, Some(0)) => (And, then),
        _ => return None,
    };
    Some(Update { operator, sides: vec![condition, other], comparison: None })
}

/// `a < b ? a : b` and its kin.
fn by_select(instruction: Instruction<'_>, is_plain: bool) -> Option<Update<'_>> {
    let (condition, then, otherwise) = instruction.select()?;
    let comparison = condition.as_instruction().filter(|c| c.users() == [instruction])?;
    let operator = least_or_most(comparison, then, otherwise, is_plain)?;
    Some(Update { operator, sides: vec![then, otherwise], comparison: Some(comparison) })
}

/// The operator that gives `new` if the comparison holds and else `old`; of floats only where they are plain: neither a NaN nor the sign of zero
/// matters.
pub(in crate::extract) fn least_or_most<'ir>(
    comparison: Instruction<'ir>,
    new: Value<'ir>,
    old: Value<'ir>,
    is_plain: bool,
) -> Option<ReductionOperator> {
    let is_forward = |a: Value<'ir>, b: Value<'ir>| match (a == new && b == old, a == old && b == new) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    if let Some((predicate, a, b)) = comparison.icmp() {
        use IntPredicate::{Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        return Some(match if is_forward(a, b)? { predicate } else { predicate.swapped() } {
            Slt | Sle => Min,
            Sgt | Sge => Max,
            Ult | Ule => UnsignedMin,
            Ugt | Uge => UnsignedMax,
            _ => return None,
        });
    }
    use FloatPredicate::{Oge, Ogt, Ole, Olt, Uge, Ugt, Ule, Ult};
    let (predicate, a, b) = comparison.fcmp().filter(|_| is_plain)?;
    let is_less = match predicate {
        Olt | Ole | Ult | Ule => true,
        Ogt | Oge | Ugt | Uge => false,
        _ => return None,
    };
    Some(if is_less == is_forward(a, b)? { Min } else { Max })
}
