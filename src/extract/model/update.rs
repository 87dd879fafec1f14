//! Elements in memory that an opaque part updates, if it does.
//!
//!     for (i) if (c[i]) count[key[i]] += w[i];            for (i) if (x[i] > most[i & 7]) most[i & 7] = x[i];
//!
//! Both loops have a branch that decides whether a store happens. On the left the part loads the element, updates it and stores it, in one
//! block with no other store to the array between; on the right the element is loaded before the branch, whose condition compares it with
//! what is stored then: a maximum. If all that the part does with an array are such updates by one operator, with nobody else looking at
//! what was loaded, then they may happen in any order, each of them or not.

use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::reductions::chain::{LONGEST_CHAIN, least_or_most, old_value};
use crate::extract::statements::drafts::Statement;
use crate::extract::statements::root::{OpaqueAccess, Root};
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Instruction, Value};
use crate::scop::{ArrayId, ReductionOperator};

/// What a part does with an array in memory, if that is nothing but updates.
#[derive(Clone, Copy, Debug)]
pub struct ArrayUpdate {
    pub array: ArrayId,
    pub operator: ReductionOperator,
}

/// The arrays that the part does nothing to but update them.
pub fn updates<'ir>(statement: &Statement<'ir>) -> Vec<ArrayUpdate> {
    let Root::Opaque { part, accesses, .. } = &statement.root else { return Vec::new() };
    let mut arrays: Vec<ArrayId> = accesses.iter().filter(|a| a.is_store()).map(|a| a.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let update = |array: ArrayId| Some(ArrayUpdate { array, operator: updated(statement, part, accesses, array)? });
    arrays.into_iter().filter_map(update).collect()
}

fn updated<'ir>(
    statement: &Statement<'ir>,
    part: &Opaque<'ir>,
    accesses: &[OpaqueAccess<'ir>],
    array: ArrayId,
) -> Option<ReductionOperator> {
    let own: Vec<&OpaqueAccess<'ir>> = accesses.iter().filter(|a| a.array == array).collect();
    let mut loads: Vec<Instruction<'ir>> = own.iter().filter(|a| !a.is_store()).map(|a| a.instruction).collect();
    loads.extend(statement.loads.iter().filter(|load| match statement.leaves.get(&load.value()) {
        Some(Leaf::Load { array: from, .. } | Leaf::Indirect { array: from }) => *from == array,
        _ => false,
    }));
    let stores: Vec<Instruction<'ir>> = own.iter().filter(|a| a.is_store()).map(|a| a.instruction).collect();
    let mut operator = None;
    let mut paired: Vec<Instruction<'ir>> = Vec::new();
    for store in &stores {
        let (found, load) =
            in_one_block(*store, &loads, &stores).or_else(|| by_branch(part, *store, &loads, &stores))?;
        if *operator.get_or_insert(found) != found || paired.contains(&load) {
            return None;
        }
        paired.push(load);
    }
    loads.iter().all(|load| paired.contains(load)).then_some(operator).flatten()
}

fn pointer<'ir>(access: Instruction<'ir>) -> Option<Value<'ir>> {
    access.memory().map(|access| access.pointer)
}

/// The block's instructions between two of its own.
fn between<'ir>(from: Instruction<'ir>, to: Instruction<'ir>) -> Option<Vec<Instruction<'ir>>> {
    let all = from.block().filter(|home| to.block() == Some(*home))?.instructions();
    let at = |wanted: Instruction<'ir>| all.iter().position(|i| *i == wanted);
    let (first, last) = (at(from)?, at(to)?);
    (first < last).then(|| all[first + 1..last].to_vec())
}

/// `load; update; store`
fn in_one_block<'ir>(
    store: Instruction<'ir>,
    loads: &[Instruction<'ir>],
    stores: &[Instruction<'ir>],
) -> Option<(ReductionOperator, Instruction<'ir>)> {
    let home = store.block()?;
    let value = store.memory()?.stored?;
    let is_old = |operand: Value<'ir>| {
        let load = operand.as_instruction().filter(|load| loads.contains(load));
        load.is_some_and(|load| {
            load.block() == Some(home)
                && pointer(load) == pointer(store)
                && between(load, store).is_some_and(|others| others.iter().all(|other| !stores.contains(other)))
        })
    };
    let is_inside = |value: Value<'ir>| value.as_instruction().is_some_and(|i| i.block() == Some(home) && !i.is_phi());
    let (operator, read) = old_value(value, None, &is_old, &is_inside, &|_| false, LONGEST_CHAIN)?;
    let is_unseen = value.users() == [store] && !read.users().iter().any(|user| user.is_phi());
    is_unseen.then_some((operator, read.as_instruction()?))
}

/// `load; if (value < loaded) store value`
fn by_branch<'ir>(
    part: &Opaque<'ir>,
    store: Instruction<'ir>,
    loads: &[Instruction<'ir>],
    stores: &[Instruction<'ir>],
) -> Option<(ReductionOperator, Instruction<'ir>)> {
    let then: Block<'ir> = store.block()?;
    let is_alone = then.instructions().iter().all(|i| *i == store || i.is_terminator() || i.is_marker());
    let [guard] = then.predecessors()[..] else { return None };
    let [join] = then.successors()[..] else { return None };
    let Branch::If { condition, then: if_true, otherwise } = guard.terminator()?.branch()? else { return None };
    let is_if_true = if_true == then;
    let other = if is_if_true { otherwise } else { if_true };
    let joins_nothing = join.phis().iter().all(|phi| phi.incoming_from(then) == phi.incoming_from(guard));
    if !is_alone || other != join || !joins_nothing || !part.leads_on(guard) {
        return None;
    }
    let value = store.memory()?.stored?;
    let comparison = condition.as_instruction().filter(|c| Some(c.users()) == guard.terminator().map(|t| vec![t]))?;
    let is_own = |load: &&Instruction<'ir>| pointer(**load) == pointer(store) && load.users() == [comparison];
    let load = *loads.iter().find(is_own)?;
    let is_unchanged = between(load, guard.terminator()?)?.iter().all(|other| !stores.contains(other));
    let flags = comparison.fast_math();
    let (holds, fails) = if is_if_true { (value, load.value()) } else { (load.value(), value) };
    let operator = least_or_most(comparison, holds, fails, flags.no_nans && flags.no_signed_zeros)?;
    is_unchanged.then_some((operator, load))
}
