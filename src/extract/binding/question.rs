//! What tells whether an instance replaces the best so far.
//!
//!     for (i) if (x[i] > m) { m = x[i]; at = i; }
//!
//! For an iteration the answer is `x[i] > m`. As long as it is no, the pair stays what it is: so if it is no for each of many
//! iterations with the pair that the first of them begins with, none of them does anything, whatever NaNs, zeros and equal keys are
//! among them. That can be asked of many at once, where to replace pairs goes one after the other. The same holds of several values that take each other's
//! places: with the best few so far, an iteration is asked whether any of them would be another one behind it.

use crate::extract::numbers::leaf::Leaf;
use crate::extract::reductions::arg_reduction::{BoundPick, Member, Pick, Rule};
use crate::extract::reductions::ranking::{alone, can_be_tried, is_ranking};
use crate::extract::ssa::inputs;
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Instruction, Value};
use std::collections::{HashMap, HashSet};

/// What is asked.
#[derive(Clone, Debug)]
pub enum Question<'ir> {
    /// Whether the selects that the results are take anything but the values at hand.
    Selects,
    /// Whether a condition is answered so: else the part goes to its end with the values at hand.
    Branch { condition: Value<'ir>, replaces: bool },
    /// Whether one of the values that the statement hands on is replaced, each by itself. The first one tells of all.
    Changes { picks: Vec<Pick<'ir>> },
}

/// More values than this are not searched for the values at hand.
const MOST_VALUES: usize = 200;

/// The question of a statement with these picks, if it writes nothing else.
pub fn question<'ir>(
    root: &Root<'ir>,
    picks: &[BoundPick<'ir>],
    leaves: &HashMap<Value<'ir>, Leaf>,
) -> Option<Question<'ir>> {
    of_picks(root, picks, leaves).or_else(|| of_ranking(root, leaves))
}

/// Whether values that take each other's places change, if that is all that a statement does.
fn of_ranking<'ir>(root: &Root<'ir>, leaves: &HashMap<Value<'ir>, Leaf>) -> Option<Question<'ir>> {
    let (outputs, part) = match root {
        Root::Together { outputs } => (outputs, None),
        Root::Opaque { part, accesses, outputs } => {
            let goes_back = |(at, block): (usize, &Block<'ir>)| {
                block.successors().iter().any(|next| part.blocks[..=at].contains(next))
            };
            let has_loop = part.blocks.iter().enumerate().any(goes_back);
            let is_quiet = !has_loop && !part.is_straight() && !accesses.iter().any(OpaqueAccess::is_store);
            (outputs, Some(Some(part).filter(|_| is_quiet)?))
        }
        _ => return None,
    };
    let member = |output: &Output<'ir>| {
        let mut olds = leaves.iter().filter(|(_, leaf)| output.is_read_by(leaf)).map(|(value, _)| *value);
        match (olds.next(), olds.next()) {
            (Some(old), None) => Some(Member { old, result: output.value }),
            _ => None,
        }
    };
    let members = outputs.iter().map(member).collect::<Option<Vec<_>>>()?;
    let is_in_order = leaves.values().all(|leaf| !matches!(leaf, Leaf::Indirect { .. }));
    let is_fine = is_in_order && is_ranking(&members, part) && can_be_tried(&members, part);
    alone(&members, part).filter(|_| is_fine).map(|picks| Question::Changes { picks })
}

/// The question of a statement with these picks. (The last value that a condition lets through has no key: each instance
/// may replace it.)
fn of_picks<'ir>(
    root: &Root<'ir>,
    picks: &[BoundPick<'ir>],
    leaves: &HashMap<Value<'ir>, Leaf>,
) -> Option<Question<'ir>> {
    let has_key = |bound: &BoundPick<'ir>| bound.pick.rule != Rule::Last;
    // Keys that data gives the places of are loaded one by one.
    let is_kept = |value: &Value<'ir>| picks.iter().filter_map(|b| b.pick.lookup).any(|l| l.kept.value() == *value);
    let is_in_order = |(value, leaf): (&Value<'ir>, &Leaf)| !matches!(leaf, Leaf::Indirect { .. }) || is_kept(value);
    if picks.is_empty() || !picks.iter().all(has_key) || !leaves.iter().all(is_in_order) {
        return None;
    }
    match root {
        Root::Write { .. } | Root::Pick { .. } => Some(Question::Selects),
        Root::Opaque { part, accesses, outputs } if accesses.iter().all(|access| !access.is_store()) => {
            let Branch::If { condition, then, otherwise } = part.start.terminator()?.branch()? else { return None };
            let replaces = match (then == part.exit, otherwise == part.exit) {
                (false, true) => true,
                (true, false) => false,
                _ => return None,
            };
            let stays = |output: &Output<'ir>| {
                let old = old(picks, output.value)?;
                let phi = output.value.as_instruction().filter(|phi| phi.is_phi() && phi.block() == Some(part.exit))?;
                (phi.incoming_from(part.start) == Some(old)).then_some(())
            };
            outputs.iter().try_for_each(|output| stays(output).ok_or(())).ok()?;
            names_any(condition, picks).then_some(Question::Branch { condition, replaces })
        }
        _ => None,
    }
}

/// The value at hand that one takes the place of.
fn old<'ir>(picks: &[BoundPick<'ir>], result: Value<'ir>) -> Option<Value<'ir>> {
    let mut members = picks.iter().flat_map(|bound| &bound.pick.members);
    members.find(|member| member.result == result).map(|member| member.old)
}

/// Whether a value is computed from one at hand.
fn names_any<'ir>(value: Value<'ir>, picks: &[BoundPick<'ir>]) -> bool {
    let is_old = |value: Value<'ir>| picks.iter().flat_map(|bound| &bound.pick.members).any(|m| m.old == value);
    let mut pending = vec![value];
    let mut seen: HashSet<Instruction<'ir>> = HashSet::new();
    while let Some(value) = pending.pop() {
        if is_old(value) {
            return true;
        }
        let Some(instruction) = value.as_instruction().filter(|instruction| seen.insert(*instruction)) else {
            continue;
        };
        if seen.len() > MOST_VALUES {
            return false;
        }
        pending.extend(inputs(instruction));
    }
    false
}
