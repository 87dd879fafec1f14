//! Whether a statement updates one element by an operator that may be reordered.
//!
//! The statement of `s[j] += A[i][j] + b` is the store of `(load s[j]) + (A[i][j] + b)`: its value is an `add` one side of which is the
//! element that the statement writes, and nobody else looks at what was read. Reordering must give the same bits: integer `+ * & | ^`
//! and minima and maxima do in any order; floating-point `+` and `*` only where the program allows it (`reassoc`), minima and maxima
//! where it promises that neither NaN nor the sign of zero matters (`nnan nsz`). Several updates in a row, `(s + a) + b`, are one. A
//! minimum may be an intrinsic or a comparison with a select; `c ? s + a : s` is an update that happens or not. What is none of these may
//! still be a value that is replaced as a whole (see [`crate::extract::reductions::arg_reduction`]). Promises that a sum does not wrap hold in the program's own order
//! only: who emits an update in another order has to forget them.

use super::picks;
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::reductions::arg_reduction::BoundPick;
use crate::extract::reductions::chain::{LONGEST_CHAIN, accumulated, old_value};
use crate::extract::ssa::operands;
use crate::extract::statements::drafts::Statement;
use crate::extract::statements::root::{Output, Root};
use crate::llvm::{Instruction, Value};
use crate::scop::{ArrayId, ReductionOperator};
use std::collections::HashSet;

/// An update of one element that the program allows in any order.
#[derive(Clone, Copy, Debug)]
pub struct Reduction<'ir> {
    pub operator: ReductionOperator,
    /// The old value.
    pub read: Value<'ir>,
    pub array: ArrayId,
}

/// The updates that a statement consists of: one, or for an opaque part one for each accumulator that goes through it. A value that decides whether
/// the statement does anything is looked at by that.
pub fn reductions<'ir>(statement: &Statement<'ir>) -> Vec<Reduction<'ir>> {
    let mut all = unguarded(statement);
    if !statement.guards.is_empty() {
        let asked: HashSet<Value<'ir>> = statement
            .guards
            .iter()
            .flat_map(|guard| &guard.answers)
            .flat_map(|(asked, _)| values(statement, *asked))
            .collect();
        let is_plain = |r: &Reduction<'ir>| r.operator.is_commutative() && !asked.contains(&r.read);
        all.retain(is_plain);
    }
    all
}

/// The values of the operand tree of another one, down to its leaves.
fn values<'ir>(statement: &Statement<'ir>, value: Value<'ir>) -> HashSet<Value<'ir>> {
    let tree = tree(statement, value);
    let inner = tree.iter().flat_map(|instruction| operands(*instruction));
    let mut found: HashSet<Value<'ir>> = tree.iter().map(|instruction| instruction.value()).chain(inner).collect();
    found.insert(value);
    found
}

/// The same as if it had no guards.
fn unguarded<'ir>(statement: &Statement<'ir>) -> Vec<Reduction<'ir>> {
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
    picks::bound(statement).into_iter().flat_map(each).collect()
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
        pending.extend(operands(instruction));
    }
    found
}

/// The update of the accumulator that an opaque part reads and hands on.
fn through<'ir>(statement: &Statement<'ir>, part: &Opaque<'ir>, output: &Output<'ir>) -> Option<Reduction<'ir>> {
    let mut old = statement.leaves.iter().filter(|(_, leaf)| output.is_read_by(leaf)).map(|(value, _)| *value);
    let (Some(read), None) = (old.next(), old.next()) else { return None };
    let operator = accumulated(part, read, output.value)?;
    Some(Reduction { operator, read, array: output.array })
}
