//! Loops over the few neighbours of a point, written out.
//!
//! ```c
//! for (y ...) for (x ...) {
//!   float s = 0;
//!   for (int dy = 0; dy < 3; dy++) for (int dx = 0; dx < 3; dx++) s += w[dy][dx] * u[y + dy][x + dx];
//!   o[y][x] = s;
//! }
//! ```
//!
//! The inner loops run in order, as the sum does, and are too short for anything to be made of them: what is worth something is `x` in vectors, `y` on all
//! cores. Written out, they are an expression of the point, as stencils are mostly written. LLVM does the same with such loops later. A loop is *short* if it runs a small constant number of times and hands on
//! nothing but sums and the like: it writes no memory, and the loop around it, which is none of them, begins each time anew. Where that loop is short as well, as in products of small
//! matrices, or goes on with what it had, as a sum over channels, loops are left to the scheduler.

use crate::llvm::instruction::Branch;
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Function, Instruction, Loop, LoopId, ScevKind, Session, Value};
use std::collections::HashSet;

/// Iterations of a short loop, and of all short loops in each other.
const MOST_ITERATIONS: usize = 8;
const MOST_IN_ALL: usize = 32;
/// Instructions that may be written.
const MOST_INSTRUCTIONS: usize = 320;

/// What the source says of a loop that is to be kept then.
const SAID: [&str; 11] = [
    "llvm.loop.disable_nonforced",
    "llvm.loop.vectorize.enable",
    "llvm.loop.vectorize.width",
    "llvm.loop.interleave.count",
    "llvm.loop.unroll.disable",
    "llvm.loop.unroll.full",
    "llvm.loop.unroll.count",
    "llvm.loop.unroll_and_jam.disable",
    "llvm.loop.unroll_and_jam.count",
    "llvm.loop.unroll_and_jam.enable",
    "llvm.loop.distribute.enable",
];

/// Writes short loops out, from the inside. Whether there were any.
pub(super) fn write_out<'ir>(session: &mut Session<'ir>, function: Function<'ir>) -> bool {
    let mut is_changed = false;
    while let Some((header, count)) = next(&session.analyses(function))
        && session.unroll(function, header, count)
    {
        is_changed = true;
    }
    is_changed
}

/// A short loop without others inside.
fn next<'ir>(analyses: &Analyses<'_, 'ir>) -> Option<(Block<'ir>, usize)> {
    let mut innermost = analyses.loops().iter().filter(|this| this.children.is_empty());
    innermost.find_map(|this| {
        let count = iterations(analyses, this).filter(|count| *count > 1)?;
        is_written_out(analyses, this).then_some((this.header, count))
    })
}

/// Whether the loop and all short ones around it are written out.
fn is_written_out<'ir>(analyses: &Analyses<'_, 'ir>, innermost: &Loop<'ir>) -> bool {
    let around = |id: Option<LoopId>| id.map(|id| analyses.loop_(id));
    let chain: Vec<&Loop<'ir>> = std::iter::successors(Some(innermost), |this| around(this.parent))
        .take_while(|this| iterations(analyses, this).is_some() && writes_nothing(this) && only_updates(this))
        .collect();
    let Some(outermost) = chain.last() else { return false };
    let Some(parent) = around(outermost.parent) else { return false };
    let in_all: usize = chain.iter().filter_map(|this| iterations(analyses, this)).product();
    let instructions: usize = outermost.blocks.iter().map(|block| block.instructions().len()).sum();
    let is_small = in_all <= MOST_IN_ALL && instructions.saturating_mul(in_all) <= MOST_INSTRUCTIONS;
    is_small
        && iterations(analyses, parent).is_none()
        && begins_anew(outermost, parent)
        && !asks_for_borders(analyses, outermost)
}

/// Whether a loop asks where it is in the loops around, by numbers that it does not read: which neighbours there are is in the model.
fn asks_for_borders<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    let around: Vec<Block<'ir>> = analyses.around(this.id).skip(1).map(|id| analyses.loop_(id).header).collect();
    let is_counter = |phi: Instruction<'ir>| {
        analyses.scev(phi.value()).is_some_and(|scev| analyses.node(scev).kind == ScevKind::AddRec)
    };
    let of_borders = |condition: Value<'ir>| {
        let (mut pending, mut seen, mut is_of_point) = (vec![condition], HashSet::new(), false);
        while let Some(value) = pending.pop() {
            let Some(here) = value.as_instruction().filter(|here| seen.insert(*here)) else { continue };
            match here.is_phi() {
                true if !is_counter(here) => return false,
                true => is_of_point |= here.block().is_some_and(|home| around.contains(&home)),
                false if here.may_read_memory() => return false,
                false => pending.extend(here.operands()),
            }
        }
        is_of_point
    };
    let mut ends = this.blocks.iter().filter_map(|block| block.terminator()?.branch());
    ends.any(|end| matches!(end, Branch::If { condition, .. } if of_borders(condition)))
}

/// How often a loop runs that may be short.
fn iterations(analyses: &Analyses<'_, '_>, this: &Loop<'_>) -> Option<usize> {
    let is_plain = this.simplified && this.rotated && this.has_single_exit();
    let is_free = || SAID.iter().all(|name| analyses.loop_attribute(this.id, name).is_none());
    let count = analyses.backedges(this.id, CountKind::Exact).filter(|_| is_plain)?;
    let count = usize::try_from(analyses.node(count).constant?).ok()?.checked_add(1)?;
    (count <= MOST_ITERATIONS && is_free()).then_some(count)
}

fn writes_nothing(this: &Loop<'_>) -> bool {
    let mut all = this.blocks.iter().flat_map(|block| block.instructions());
    all.all(|instruction| instruction.is_marker() || !instruction.has_side_effects())
}

/// Whether each value that the loop hands on comes of the one before in all iterations, as sums do, and what is chosen from several does not.
fn only_updates<'ir>(this: &Loop<'ir>) -> bool {
    let updates = |phi: Instruction<'ir>| {
        let mut pending: Vec<Value<'ir>> = this.latch.and_then(|latch| phi.incoming_from(latch)).into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(value) = pending.pop() {
            if value == phi.value() || !seen.insert(value) {
                continue;
            }
            let joined = value.as_instruction().filter(|i| i.block().is_some_and(|block| this.blocks.contains(&block)));
            match joined {
                Some(choice) if choice.select().is_some() => pending.extend([choice.operand(1), choice.operand(2)]),
                Some(join) if join.is_phi() && join.block() != Some(this.header) => {
                    pending.extend(join.incoming().iter().map(|(value, _)| *value));
                }
                Some(new) if comes_of(new, phi, this) => {}
                _ => return false,
            }
        }
        true
    };
    this.header.phis().iter().all(|phi| updates(*phi))
}

/// Whether a value is computed from a phi of the loop's header in the same iteration.
fn comes_of<'ir>(value: Instruction<'ir>, phi: Instruction<'ir>, this: &Loop<'ir>) -> bool {
    let (mut pending, mut seen) = (vec![value], HashSet::new());
    while let Some(next) = pending.pop() {
        let inside = |operand: &Instruction<'ir>| operand.block().is_some_and(|block| this.blocks.contains(&block));
        for operand in next.operands().into_iter().filter_map(|operand| operand.as_instruction()).filter(inside) {
            if operand == phi {
                return true;
            }
            if seen.insert(operand) {
                pending.push(operand);
            }
        }
    }
    false
}

/// Whether nothing is handed on from one run of the loop to the next.
fn begins_anew<'ir>(this: &Loop<'ir>, parent: &Loop<'ir>) -> bool {
    let is_handed_on = |phi: Instruction<'ir>| {
        let first =
            this.preheader.and_then(|before| phi.incoming_from(before)).and_then(|first| first.as_instruction());
        first.is_some_and(|first| first.is_phi() && first.block() == Some(parent.header))
    };
    !this.header.phis().iter().any(|phi| is_handed_on(*phi))
}
