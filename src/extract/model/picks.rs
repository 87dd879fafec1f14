//! Which accumulators of a statement are replaced together.
//!
//! `if (x[i] < m) { m = x[i]; at = i; }` is one statement that writes the scalar arrays `m` and `at`, and reads both before: the pair is an argument
//! reduction (see [`crate::extract::reductions::arg_reduction`]), if nothing else of the statement reads what it had before.

use crate::extract::binding::question::question;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::reductions::arg_reduction::{BoundPick, Lookup, Member, Pick, Rule};
use crate::extract::reductions::pick::{picks, picks_of_part};
use crate::extract::statements::drafts::Statement;
use crate::extract::statements::root::{Output, Root};
use crate::llvm::instruction::Address;
use crate::llvm::{Opcode, Signedness, Value};

/// The picks of the accumulators that a statement writes, and reads before it does; none under conditions that it has for its own.
pub(super) fn bound<'ir>(statement: &Statement<'ir>) -> Vec<BoundPick<'ir>> {
    if !statement.guards.is_empty() {
        return Vec::new();
    }
    let (outputs, found): (Vec<Output<'ir>>, Vec<Pick<'ir>>) = match &statement.root {
        Root::Pick { pick, outputs } => (outputs.clone(), vec![pick.clone()]),
        Root::Opaque { part, outputs, .. } => (outputs.clone(), picks_of_part(part)),
        Root::Write { value, array, subscripts } => {
            let output = Output { value: *value, array: *array, subscripts: subscripts.clone() };
            let mut old = statement.leaves.iter().filter(|(_, leaf)| output.is_read_by(leaf)).map(|(value, _)| *value);
            let (Some(old), None) = (old.next(), old.next()) else { return Vec::new() };
            (vec![output], picks(&[Member { old, result: *value }], None))
        }
        _ => return Vec::new(),
    };
    let array_of = |member: &Member<'ir>, rule: Rule| {
        let output = outputs.iter().find(|output| output.value == member.result)?;
        let reads = statement.leaves.values().filter(|leaf| output.is_read_by(leaf)).count();
        let is_old = statement.leaves.get(&member.old).is_some_and(|leaf| output.is_read_by(leaf));
        let is_only = if is_old { reads == 1 } else { reads == 0 && rule == Rule::Last };
        is_only.then_some(output.array)
    };
    let whole = |pick: Pick<'ir>| {
        if !pick.lookup.is_none_or(|lookup| is_in_table(statement, lookup)) {
            return None;
        }
        let arrays = pick.members.iter().map(|member| array_of(member, pick.rule)).collect::<Option<Vec<_>>>()?;
        Some(BoundPick { pick, arrays })
    };
    found.into_iter().filter_map(whole).collect()
}

/// Whether it can be asked in one condition if an instance replaces anything.
pub(super) fn seldom_replaces(statement: &Statement<'_>) -> bool {
    question(&statement.root, &bound(statement), &statement.leaves).is_some()
}

/// A counter of fewer bits than this may go round many times.
const NARROWEST_COUNTER: u32 = 32;

/// Whether a value, widened with or without its sign, is the number that it was computed from: nothing was cut off on the way.
fn is_whole(value: Value<'_>, signedness: Signedness) -> bool {
    let Some(instruction) = value.as_instruction() else { return true };
    let kept = instruction.wrapping();
    let is_kept = match signedness {
        Signedness::Signed => kept.nsw,
        Signedness::Unsigned => kept.nuw,
    };
    match instruction.opcode() {
        Opcode::Trunc => is_kept,
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
            is_kept && instruction.operands().into_iter().all(|operand| is_whole(operand, signedness))
        }
        _ => value.ty().integer_width().is_some_and(|width| width >= NARROWEST_COUNTER),
    }
}

/// Whether the key of the value that comes is what the table has for that value.
fn is_in_table<'ir>(statement: &Statement<'ir>, lookup: Lookup<'ir>) -> bool {
    let (key, value) = lookup.new;
    let (Some(place), Some(load)) = (lookup.table(), key.as_instruction()) else { return false };
    let is_zero_extended = place.widened == Some(Opcode::ZExt);
    let signedness = if is_zero_extended { Signedness::Unsigned } else { Signedness::Signed };
    if value.as_integer().is_none() && !is_whole(value, signedness) {
        return false;
    }
    let leaves = |value: Value<'ir>| statement.leaves.get(&value);
    let (Some(Leaf::Load { array, offset }), Some(Leaf::Indirect { array: table })) =
        (leaves(key), leaves(lookup.kept.value()))
    else {
        return false;
    };
    let number = match (leaves(value), value.as_integer()) {
        (Some(Leaf::Affine(number)), _) => number.clone(),
        (_, Some(constant)) => Polynomial::constant(constant),
        _ => return false,
    };
    let expected = number.scale(place.stride).and_then(|bytes| bytes.add(&Polynomial::constant(place.constant)));
    let mut begins = load.memory().map(|access| access.pointer);
    while let Some(address) = begins.and_then(Address::of_value) {
        begins = Some(address.base);
    }
    array == table && load.ty() == lookup.kept.ty() && begins == Some(place.base) && expected.as_ref() == Some(offset)
}
