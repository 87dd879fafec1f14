//! Conditions that stay the same in a loop and without which it does nothing, asked before it.
//!
//! ```c
//! for (i = 0; i < a->rows; i++) for (j = 0; j < b->columns; j++) c->row[i][j] = 0;
//! ```
//!
//! `c->row` is read if the inner loop runs, which nobody knows, and may not be read otherwise: `c` may be null where `b` has no columns. But then the outer loop
//! does nothing at all. So whether `b` has columns is asked before it, and inside the answer is known: `c->row` is read in the first iteration, and can be read
//! before the loop. That is done for the sake of such reads, and of numbers that loops hand on:
//!
//! ```c
//! for (k = 0, i = 0; i < n; i++) for (j = 0; j < m; j++) to[k++] = a[i][j];
//! ```
//!
//! Where `j < m` holds at first, the inner loop leaves `k + m` for the next `i`, otherwise `k`; once that is asked before all loops, scalar evolution knows that it
//! is `i * m + j`.

use super::hoist::{inner_loops_end, is_held_up};
use crate::llvm::instruction::Branch;
use crate::llvm::scev::{CountKind, ScevKind};
use crate::llvm::{Analyses, Block, Builder, Instruction, Loop, LoopId, Value};
use std::collections::HashSet;

/// So many phis a number that stays the same may pass on its way through an iteration: one for each loop inside, and one for each question.
const LONGEST_WAY: usize = 16;

/// A condition of a block in a loop, and whether it must hold for the loop to do anything.
struct Guard<'ir> {
    condition: Value<'ir>,
    wanted: bool,
    /// All that ask it.
    asked_by: Vec<Instruction<'ir>>,
    /// The phis behind the loop, and what they are if it does not run.
    left: Vec<(Instruction<'ir>, Value<'ir>)>,
}

/// Asks for one such condition before a loop of each nest. Whether there were any.
pub(super) fn ask_before_loops(analyses: &Analyses<'_, '_>) -> bool {
    let mut asked: HashSet<LoopId> = HashSet::new();
    for l in analyses.loops() {
        let nest = std::iter::successors(Some(l), |l| l.parent.map(|id| analyses.loop_(id))).last().map(|l| l.id);
        if let (Some(nest), Some(guard)) = (nest.filter(|id| !asked.contains(id)), guard_of(analyses, l)) {
            ask(l, &guard);
            asked.insert(nest);
        }
    }
    !asked.is_empty()
}

/// What is asked in each iteration of a loop that ends, has the same answer in all of them, is all that decides whether any does
/// anything, and stands in the way of a read.
fn guard_of<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> Option<Guard<'ir>> {
    let [exit] = l.exits.as_slice() else { return None };
    let ends = l.has_single_exit() && analyses.backedges(l.id, CountKind::Exact).is_some();
    let runs_through = || l.instructions().all(|i| i.will_return() && !i.may_throw());
    if !l.simplified || l.preheader.is_none() || !ends || !runs_through() {
        return None;
    }
    let own = l.blocks.iter().filter(|block| analyses.loop_of(**block) == Some(l.id));
    let questions: Vec<Question<'ir>> = own.filter_map(|block| Question::of(l, *block)).collect();
    questions.iter().find_map(|first| {
        let same: Vec<&Question<'ir>> =
            questions.iter().filter(|other| is_one(first.condition, other.condition)).collect();
        let leads = |wanted: bool| same.iter().map(|q| if wanted { q.then } else { q.otherwise }).collect::<Vec<_>>();
        let wanted = [true, false].into_iter().find(|wanted| does_nothing_elsewhere(analyses, l, &leads(*wanted)))?;
        let left = exit.phis().into_iter().map(|phi| Some((phi, before(analyses, l, phi, &leads(wanted))?)));
        let asked_by = same.iter().map(|question| question.asked_by).collect();
        Some(Guard { condition: first.condition, wanted, asked_by, left: left.collect::<Option<_>>()? })
    })
}

/// A branch to two blocks of a loop, by a condition that is the same in all iterations.
struct Question<'ir> {
    condition: Value<'ir>,
    then: Block<'ir>,
    otherwise: Block<'ir>,
    asked_by: Instruction<'ir>,
}

impl<'ir> Question<'ir> {
    fn of(l: &Loop<'ir>, block: Block<'ir>) -> Option<Self> {
        let asked_by = block.terminator()?;
        let Some(Branch::If { condition, then, otherwise }) = asked_by.branch() else { return None };
        let is_inside = |block: &Block<'ir>| l.blocks.contains(block);
        let stays = then != otherwise && is_inside(&then) && is_inside(&otherwise) && is_the_same(l, condition);
        stays.then_some(Question { condition, then, otherwise, asked_by })
    }
}

/// Whether two conditions are one: two versions of a loop ask whether there are any iterations, each for itself.
fn is_one<'ir>(a: Value<'ir>, b: Value<'ir>) -> bool {
    let comparison = |value: Value<'ir>| value.as_instruction().and_then(|i| i.icmp());
    a == b || comparison(a).is_some_and(|asked| comparison(b) == Some(asked))
}

/// Whether a condition has one value during the loop, and can be asked for before it.
fn is_the_same<'ir>(l: &Loop<'ir>, condition: Value<'ir>) -> bool {
    let is_inside = |value: Value<'ir>| value.as_instruction().is_some_and(|i| l.holds(i));
    let is_plain =
        |i: Instruction<'ir>| i.icmp().is_some() && i.is_speculatable() && !i.operands().into_iter().any(is_inside);
    !is_inside(condition) || condition.as_instruction().is_some_and(is_plain)
}

/// Whether only what is reached by way of some blocks has an effect, and a read there waits for it to be known that it is reached.
fn does_nothing_elsewhere<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, nexts: &[Block<'ir>]) -> bool {
    let is_behind = |block: &Block<'ir>| nexts.iter().any(|next| block == next || analyses.dominates(*next, *block));
    let (behind, elsewhere): (Vec<Block<'ir>>, Vec<Block<'ir>>) = l.blocks.iter().copied().partition(is_behind);
    nexts.iter().all(|next| next.predecessors().len() == 1)
        && inner_loops_end(analyses, l)
        && elsewhere.iter().flat_map(|block| block.instructions()).all(|i| !i.may_write_memory())
        && (behind.into_iter().flat_map(Block::instructions).any(|read| is_held_up(analyses, l, read))
            || l.header.phis().into_iter().any(|phi| is_moved_on(analyses, l, phi, nexts)))
}

/// Whether a number or a pointer that a loop hands on stays as it is but where some blocks are reached, and scalar evolution does not know it for that reason.
fn is_moved_on<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, phi: Instruction<'ir>, nexts: &[Block<'ir>]) -> bool {
    let is_place = phi.ty().is_integer() || phi.ty().is_pointer();
    let is_unknown = || {
        let known = analyses.scev(phi.value()).map(|scev| analyses.node(scev));
        known.is_some_and(|node| node.kind == ScevKind::Unknown)
    };
    let handed_on = l.latch.and_then(|latch| phi.incoming_from(latch));
    is_place && handed_on != Some(phi.value()) && is_unknown() && stays(analyses, l, phi, nexts)
}

/// Whether a variable of a loop has the same value in the next iteration if some blocks are not reached.
fn stays<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, phi: Instruction<'ir>, nexts: &[Block<'ir>]) -> bool {
    let handed_on = l.latch.and_then(|latch| phi.incoming_from(latch));
    handed_on.is_some_and(|value| elsewhere(analyses, l, value, nexts) == Some(phi))
}

/// The variable of a loop that a value is which gets to the end of an iteration that does not reach some blocks.
fn elsewhere<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    value: Value<'ir>,
    nexts: &[Block<'ir>],
) -> Option<Instruction<'ir>> {
    let is_behind = |block: Block<'ir>| nexts.iter().any(|next| analyses.dominates(*next, block));
    let (mut found, mut pending, mut seen) = (None, vec![value], Vec::new());
    while let Some(value) = pending.pop() {
        let phi = value.as_instruction().filter(|i| i.is_phi() && l.holds(*i))?;
        if phi.block() == Some(l.header) {
            if found.is_some_and(|found| found != phi) {
                return None;
            }
            found = Some(phi);
        } else if !seen.contains(&phi) {
            seen.push(phi);
            pending.extend(phi.incoming().into_iter().filter(|(_, from)| !is_behind(*from)).map(|(value, _)| value));
        }
        if seen.len() > LONGEST_WAY {
            return None;
        }
    }
    found
}

/// What a phi behind a loop is if the loop does not run, as some blocks would not be reached.
fn before<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    phi: Instruction<'ir>,
    nexts: &[Block<'ir>],
) -> Option<Value<'ir>> {
    let [(left, _)] = phi.incoming()[..] else { return None };
    if !left.as_instruction().is_some_and(|i| l.holds(i)) {
        return Some(left);
    }
    let variable = elsewhere(analyses, l, left, nexts).filter(|variable| stays(analyses, l, *variable, nexts))?;
    variable.incoming_from(l.preheader?)
}

fn ask<'ir>(l: &Loop<'ir>, guard: &Guard<'ir>) {
    let (Some(preheader), [exit]) = (l.preheader, l.exits.as_slice()) else { return };
    let end = preheader.terminator().expect("law: a complete block has a terminator");
    if let Some(condition) = guard.condition.as_instruction() {
        // It answers for other comparisons of the same numbers, which promise less of them.
        condition.drop_promises();
        if l.holds(condition) {
            condition.move_before(end);
        }
    }
    let builder = Builder::new(preheader.function().context());
    builder.before(end);
    let (then, otherwise) = if guard.wanted { (l.header, *exit) } else { (*exit, l.header) };
    // Where the loop did not come to the question, the answer might have been poison.
    builder.branch(builder.freeze(guard.condition), then, otherwise);
    guard.left.iter().for_each(|(phi, value)| phi.add_incoming(*value, preheader));
    end.remove();
    for asked_by in &guard.asked_by {
        asked_by.set_operand(0, builder.integer(1, guard.wanted.into()));
    }
}
