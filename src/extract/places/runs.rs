//! Innermost loops that an inspector need not run as the program does: which elements they touch depends on their own counter and on nothing
//! else that changes.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   for (int k = ptr[i]; k < ptr[i + 1]; k++)
//!     y[i] += val[k] * x[col[k]];
//! ```
//!
//! Where `k` goes on from row to row as it does in a row, the rows are one *run* from the first `k` to the last: `val` is touched from end to end
//! of it, and `col[k]` is looked at in one long loop, of which LLVM makes vectors, be the rows as short as they like. Whether it goes on is
//! asked of each row by what is written for it, nothing is believed of `ptr`: where it does not, a run ends and another one begins.
//! The iterations looked at are those of the program, so that what is loaded is what it loads.
//!
//! An access that is not made in each iteration is taken for one that is, if the array is only read: what is said of it is then too much, which
//! leads to the original loops at worst. Of arrays that are written, threads make copies of what is touched, which must not be more.

use super::noted::noted_of;
use crate::extract::binding::runs::{Run, RunAccess, Until};
use crate::extract::numbers::affine::Affine;
use crate::extract::ssa::{has_one_result, is_division, operands};
use crate::llvm::instruction::{Branch, Wrapping};
use crate::llvm::{Block, Instruction, IntPredicate, LoopId, Opcode, Signedness, Value};
use std::collections::HashSet;

/// Runs that go on only where more values than these are what they were are hardly longer than one row.
const MOST_KEPT: usize = 6;

/// The innermost loops below others of the region that can be looked at in runs, with what is noted of the accesses in them.
pub(super) fn runs<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    accesses: &[Instruction<'ir>],
    is_written: &dyn Fn(Instruction<'ir>) -> bool,
) -> Vec<Run<'ir>> {
    let loops = affine.region.loops(affine.analyses);
    let is_below_another = |id: &LoopId| {
        let this = affine.analyses.loop_(*id);
        this.children.is_empty() && this.parent.is_some_and(|parent| loops.contains(&parent))
    };
    let innermost = loops.iter().copied().filter(is_below_another);
    innermost.filter_map(|id| run(affine, id, accesses, is_written)).collect()
}

fn run<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    id: LoopId,
    accesses: &[Instruction<'ir>],
    is_written: &dyn Fn(Instruction<'ir>) -> bool,
) -> Option<Run<'ir>> {
    let this = affine.analyses.loop_(id);
    let before = this.preheader.filter(|before| affine.region.blocks.contains(before))?;
    let (latch, behind) = end_of(affine, id)?;
    let is_inside = |value: Value<'ir>| {
        let home = value.as_instruction().and_then(|i| i.block());
        home.is_some_and(|home| this.blocks.contains(&home))
    };
    let (counter, until, bound, promises) = counted(this.header, latch)?;
    if is_inside(bound) {
        return None;
    }
    let is_certain = |i: Instruction<'ir>| i.block().is_some_and(|home| affine.analyses.dominates(home, latch));
    let layout = affine.region.entry.function().layout();
    let mut noted = Vec::new();
    for access in accesses.iter().copied().filter(|access| is_inside(access.value())) {
        let (form, number) = noted_of(access.memory()?.pointer, layout, &is_inside);
        let certain = is_certain(access);
        if !certain && (is_written(access) || form.base.is_none()) {
            return None;
        }
        let in_order = if form.signedness == Signedness::Signed { promises.nsw } else { promises.nuw };
        let is_counter = number == counter.value() && in_order;
        noted.push(RunAccess { access, form, number, is_counter, is_certain: certain });
    }
    let steps = steps(affine, &noted, counter, &is_inside, &is_certain)?;
    let used = steps.iter().flat_map(|step| operands(*step));
    let used = used.chain(noted.iter().flat_map(|each| [each.number].into_iter().chain(each.form.base)));
    let mut kept: Vec<Value<'ir>> = Vec::new();
    for value in used.filter(|value| !is_inside(*value)) {
        let is_of_region = value.as_instruction().is_some_and(|i| affine.region.contains_instruction(i));
        if is_of_region && !kept.contains(&value) {
            kept.push(value);
        }
    }
    let is_comparable = |value: &Value<'ir>| value.ty().is_pointer() || value.ty().integer_width().is_some();
    let first = counter.incoming_from(before)?;
    let blocks = this.blocks.clone();
    (kept.len() <= MOST_KEPT && kept.iter().all(is_comparable)).then_some(Run {
        before,
        behind,
        blocks,
        counter,
        first,
        bound,
        until,
        promises,
        steps,
        accesses: noted,
        kept,
    })
}

/// The counter of a loop that goes up by one, and when the loop ends.
fn counted<'ir>(header: Block<'ir>, latch: Block<'ir>) -> Option<(Instruction<'ir>, Until, Value<'ir>, Wrapping)> {
    let Branch::If { condition, then, .. } = latch.terminator()?.branch()? else { return None };
    let (predicate, next, bound) = condition.as_instruction()?.icmp()?;
    let until = match (predicate, then == header) {
        (IntPredicate::Ne, true) | (IntPredicate::Eq, false) => Until::Equal,
        (IntPredicate::Slt, true) | (IntPredicate::Sge, false) => Until::NotLess(Signedness::Signed),
        (IntPredicate::Ult, true) | (IntPredicate::Uge, false) => Until::NotLess(Signedness::Unsigned),
        _ => return None,
    };
    let sum = next.as_instruction().filter(|sum| sum.opcode() == Opcode::Add)?;
    let counter = sum.operand(0).as_instruction().filter(|i| i.is_phi() && i.block() == Some(header))?;
    let promises = sum.wrapping();
    let keeps_order = match until {
        Until::Equal => promises.nsw || promises.nuw,
        Until::NotLess(Signedness::Signed) => promises.nsw,
        Until::NotLess(_) => promises.nuw,
    };
    let by_one = sum.operand(1).as_integer() == Some(1) && counter.incoming_from(latch) == Some(next);
    (by_one && keeps_order).then_some((counter, until, bound, promises))
}

/// What the numbers are computed by that are noted, if that is nothing but the counter, what is the same in all iterations, and what is loaded
/// in each.
fn steps<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    noted: &[RunAccess<'ir>],
    counter: Instruction<'ir>,
    is_inside: &dyn Fn(Value<'ir>) -> bool,
    is_certain: &dyn Fn(Instruction<'ir>) -> bool,
) -> Option<Vec<Instruction<'ir>>> {
    let mut wanted: HashSet<Instruction<'ir>> = HashSet::new();
    let numbers = noted.iter().filter(|each| !each.is_counter).map(|each| each.number);
    let mut pending: Vec<Value<'ir>> = numbers.collect();
    while let Some(value) = pending.pop() {
        let inside = value.as_instruction().filter(|i| is_inside(value) && *i != counter);
        let Some(step) = inside.filter(|step| !wanted.contains(step)) else { continue };
        let is_load = step.opcode() == Opcode::Load;
        let is_possible = if is_load { step.memory().is_some() } else { has_one_result(step) };
        if !is_possible || (is_load || is_division(step)) && !is_certain(step) {
            return None;
        }
        wanted.insert(step);
        pending.extend(operands(step));
    }
    let inside = affine.region.blocks.iter().flat_map(|block| block.instructions());
    Some(inside.filter(|i| wanted.contains(i)).collect())
}

/// The latch of a loop that is left there and only there, and the block behind.
pub(super) fn end_of<'ir>(affine: &Affine<'_, '_, 'ir>, id: LoopId) -> Option<(Block<'ir>, Block<'ir>)> {
    let this = affine.analyses.loop_(id);
    let latch = this.latch.filter(|latch| this.exiting == [*latch])?;
    match latch.terminator()?.branch()? {
        Branch::If { then, otherwise, .. } if then == this.header && otherwise != then => Some((latch, otherwise)),
        Branch::If { then, otherwise, .. } if otherwise == this.header && otherwise != then => Some((latch, then)),
        _ => None,
    }
}
