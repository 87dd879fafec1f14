//! Whether a statement updates one element by an operator that may be reordered.
//!
//! The statement of `s[j] += A[i][j] + b` is the store of `(load s[j]) + (A[i][j] + b)`: its value is an `add` one side of which is the
//! element that the statement writes, and nobody else looks at what was read. Reordering must give the same bits: integer `+ * & | ^`
//! and minima and maxima do in any order; floating-point `+` and `*` only where the program allows it (`reassoc`), minima and maxima
//! where it promises that neither NaN nor the sign of zero matters (`nnan nsz`). Several updates in a row, `(s + a) + b`, are one. A
//! minimum may be an intrinsic or a comparison with a select; `c ? s + a : s` is an update that happens or not. What is none of these may
//! still be a value that is replaced as a whole (see [`crate::extract::statements::pick`]). Promises that a sum does not wrap hold in the program's own order
//! only: who emits an update in another order has to forget them.

use super::update;
use crate::extract::binding::{Leaf, Output, Root};
use crate::extract::region::opaque::Opaque;
use crate::extract::statements::pick::{self, BoundPick};
use crate::extract::statements::roots::Statement;
use crate::llvm::{Instruction, Opcode, Value};
use crate::scop::ReductionOperator;
use ReductionOperator::{Add, And, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};
use std::collections::HashSet;

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

/// An update of one element that the program allows in any order.
#[derive(Clone, Copy, Debug)]
pub struct Reduction<'ir> {
    pub operator: ReductionOperator,
    /// The old value.
    pub read: Value<'ir>,
    pub array: usize,
}

/// The updates that a statement consists of: one, or for an opaque part one for each accumulator that goes through it.
pub fn reductions<'ir>(statement: &Statement<'ir>) -> Vec<Reduction<'ir>> {
    match &statement.root {
        Root::Opaque { part, outputs, .. } => {
            let mut all: Vec<_> = outputs.iter().filter_map(|o| through(statement, part, o)).collect();
            all.extend(
                picked(statement)
                    .into_iter()
                    .filter(|pick| all.iter().all(|r| r.array != pick.array))
                    .collect::<Vec<_>>(),
            );
            all
        }
        Root::Pick { .. } => picked(statement),
        _ => reduction(statement).map_or_else(|| picked(statement), |reduction| vec![reduction]),
    }
}

/// The updates of values that are replaced together.
fn picked<'ir>(statement: &Statement<'ir>) -> Vec<Reduction<'ir>> {
    let each = |bound: BoundPick<'ir>| {
        let operator = bound.pick.rule.operator();
        let members = bound.pick.members.into_iter().zip(bound.arrays);
        members.map(move |(member, array)| Reduction { operator, read: member.old, array })
    };
    pick::bound(statement).into_iter().flat_map(each).collect()
}

fn reduction<'ir>(statement: &Statement<'ir>) -> Option<Reduction<'ir>> {
    let (value, array) = match &statement.root {
        Root::Store { store, array, .. } | Root::Scatter { store, array } => (store.memory()?.stored?, *array),
        Root::Write { value, array, .. } => (*value, *array),
        Root::Opaque { .. } | Root::Pick { .. } | Root::Together { .. } => return None,
    };
    let is_old = |operand: Value<'ir>| match (statement.leaves.get(&operand), &statement.root) {
        (Some(Leaf::Load { array, offset }), Root::Store { array: to, offset: at, .. }) => array == to && offset == at,
        (Some(Leaf::Scalar { array, subscripts }), Root::Write { array: to, subscripts: at, .. }) => {
            array == to && subscripts == at
        }
        (Some(Leaf::Indirect { array }), Root::Scatter { array: to, store }) => {
            let from = operand.as_instruction().and_then(|load| load.memory()).map(|access| access.pointer);
            array == to && from == store.memory().map(|access| access.pointer)
        }
        _ => false,
    };
    let is_inside = |value: Value<'ir>| !statement.leaves.contains_key(&value);
    let is_only_use = statement.leaves.keys().filter(|leaf| is_old(**leaf)).count() == 1;
    let is_scalar = matches!(statement.root, Root::Write { .. });
    let own = if is_scalar { tree(statement, value) } else { HashSet::new() };
    let is_foreign = |user: &Instruction<'ir>| is_scalar && !own.contains(user);
    let (operator, read) = old_value(value, None, &is_old, &is_inside, &is_foreign, LONGEST_CHAIN)?;
    is_only_use.then_some(Reduction { operator, read, array })
}

/// The instructions of the operand tree of a value, those of addresses among them. (Who else reads a scalar of the model does so in a statement of its own.)
fn tree<'ir>(statement: &Statement<'ir>, value: Value<'ir>) -> HashSet<Instruction<'ir>> {
    let mut pending = vec![value];
    let mut found = HashSet::new();
    while let Some(value) = pending.pop() {
        let is_inside = matches!(statement.leaves.get(&value), None | Some(Leaf::Indirect { .. }));
        let inside = value.as_instruction().filter(|i| is_inside && !i.is_phi());
        let Some(instruction) = inside.filter(|i| found.insert(*i)) else { continue };
        pending.extend(crate::extract::statements::roots::operands(instruction));
    }
    found
}

/// The update of the accumulator that an opaque part reads and hands on.
fn through<'ir>(statement: &Statement<'ir>, part: &Opaque<'ir>, output: &Output<'ir>) -> Option<Reduction<'ir>> {
    let is_old = |leaf: &Leaf| matches!(leaf, Leaf::Scalar { array, subscripts } if *array == output.array && *subscripts == output.subscripts);
    let mut old = statement.leaves.iter().filter(|(_, leaf)| is_old(leaf)).map(|(value, _)| *value);
    let (Some(read), None) = (old.next(), old.next()) else { return None };
    let operator = accumulated(part, read, output.value)?;
    Some(Reduction { operator, read, array: output.array })
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
                let operands = crate::extract::statements::roots::operands(instruction);
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
            // These pass over a NaN wherever it comes.
            "llvm.maxnum" if flags.no_signed_zeros => (Max, both()),
            "llvm.minnum" if flags.no_signed_zeros => (Min, both()),
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
    let operator = update::least_or_most(comparison, true, then, otherwise, is_plain)?;
    Some(Update { operator, sides: vec![then, otherwise], comparison: Some(comparison) })
}
