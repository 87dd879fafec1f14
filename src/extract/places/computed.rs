//! How a number that data gives is computed before the loops.
//!
//! What `ptr[i + 1]` holds is known before the loops if they do not write `ptr`: it is read again, for each `i` for which they read it.

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::unknown::Computed;
use crate::extract::ssa::{has_one_result, operands};
use crate::extract::statements::drafts::{Drafts, Statement};
use crate::extract::statements::root::Root;
use crate::llvm::instruction::Branch;
use crate::llvm::{Opcode, Value};

/// Operands that a number is computed from before the loops.
const MOST_OPERANDS: usize = 40;

/// Under which conditions a value is computed once in an instance of the statement; `None` if it may be more often or in other ways.
pub(super) fn reached<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    statement: &Statement<'ir>,
    value: Value<'ir>,
) -> Option<Vec<(Value<'ir>, bool)>> {
    let Some(home) = value.as_instruction().and_then(|i| i.block()).filter(|_| !affine.is_invariant(value)) else {
        return Some(Vec::new());
    };
    let loops = &drafts.domains.of_block(home).loops;
    if !drafts.domains.of_block(home).guards.is_empty() || !statement.guards.is_empty() {
        return None;
    }
    let is_around = loops.len() <= statement.scope.loops.len() && *loops == statement.scope.loops[..loops.len()];
    let Some(part) = drafts.domains.opaque_of(home) else {
        let is_before = home == statement.block || affine.analyses.dominates(home, statement.block);
        return (is_around && is_before).then(Vec::new);
    };
    let is_own = matches!(&statement.root, Root::Opaque { part: own, .. } if own.start == part.start);
    if !is_own || affine.analyses.loop_of(home) != affine.analyses.loop_of(part.start) {
        return None;
    }
    let mut conditions = Vec::new();
    let mut here = home;
    while here != part.start {
        let [before] = here.predecessors()[..] else { return None };
        match before.terminator()?.branch()? {
            Branch::If { condition, then, otherwise } if then != otherwise => {
                conditions.push((condition, then == here))
            }
            Branch::If { .. } => return None,
            Branch::Always(_) => {}
        }
        here = before;
    }
    conditions.reverse();
    Some(conditions)
}

/// How a value is computed in an instance of the statement from memory that the region does not write, if it is.
pub(super) fn read_before<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    statement: &Statement<'ir>,
    value: Value<'ir>,
) -> Option<Computed<'ir>> {
    let mut computed = Computed::default();
    let mut pending = vec![value];
    let mut seen: Vec<Value<'ir>> = Vec::new();
    while let Some(value) = pending.pop() {
        if affine.is_invariant(value) || seen.contains(&value) {
            continue;
        }
        seen.push(value);
        if seen.len() > MOST_OPERANDS {
            return None;
        }
        for condition in reached(affine, drafts, statement, value)? {
            pending.push(condition.0);
            if !computed.conditions.contains(&condition) {
                computed.conditions.push(condition);
            }
        }
        let instruction = value.as_instruction()?;
        let home = drafts.domains.of_block(instruction.block()?);
        let is_number = value.ty().integer_width().is_some_and(|width| (2..=64).contains(&width));
        let number = || affine.at(home).number(value).ok()?.proved(affine).ok();
        if is_number && let Some(number) = number() {
            computed.leaves.insert(value, Leaf::Affine(number.polynomial));
            continue;
        }
        if let Some(access) = instruction.memory().filter(|_| instruction.opcode() == Opcode::Load) {
            let base = drafts.base(access.pointer, instruction.block()?)?;
            let array = drafts.array_at(base, access.ty)?;
            if drafts.arrays[array].is_written {
                return None;
            }
            computed.leaves.insert(value, Leaf::Indirect { array });
            pending.push(access.pointer);
            continue;
        }
        if instruction.is_phi() || !has_one_result(instruction) {
            return None;
        }
        pending.extend(operands(instruction));
    }
    Some(computed)
}
