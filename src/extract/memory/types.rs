//! Elements of different types in one array.
//!
//! ```c
//! struct bin { int count; float sum; } h[];
//! for (int i = 0; i < n; i++) { h[key[i]].count++;  h[key[i]].sum += x[i]; }
//! ```
//!
//! The array of the model has elements of one size, and of no type: that belongs to each access. Both updates are additions, but of an
//! integer the one and of a floating-point number the other, which have other neutral elements and may not be taken for each other. So
//! updates of one operator are reductions of different types only where they go to different elements, as here; where they may meet, as
//! in a union, they stay in their order.

use crate::extract::statements::drafts::{Drafts, Storage, memory_accesses, statement_name};
use crate::llvm::Type;
use crate::presburger::Set;
use crate::scop::{ArrayId, Scop, StatementId, Table};
use std::collections::BTreeMap;

/// The types as which elements of an array are accessed; a scalar has one.
pub(in crate::extract) fn types_of<'ir>(drafts: &Drafts<'_, '_, 'ir>, array: ArrayId) -> Vec<Type<'ir>> {
    let draft = &drafts.arrays[array];
    let mut types = vec![draft.element];
    if matches!(draft.storage, Storage::Memory { .. } | Storage::Rows { .. }) {
        for access in memory_accesses(drafts, array) {
            if !types.contains(&access.ty) {
                types.push(access.ty);
            }
        }
    }
    types
}

/// Has the updates of elements of different types, which may be the same elements, stay in their order.
pub(in crate::extract) fn keep_types_apart(
    scop: &mut Scop,
    drafts: &Drafts<'_, '_, '_>,
    names: &Table<ArrayId, String>,
) {
    for (array, name) in names.entries().filter(|(array, _)| types_of(drafts, *array).len() > 1) {
        if updates_may_meet(scop, drafts, array, name) {
            let accesses = scop.statements.iter_mut().flat_map(|statement| &mut statement.accesses);
            accesses.filter(|access| access.array.as_str() == name).for_each(|access| access.reduction = None);
        }
    }
}

fn updates_may_meet(scop: &Scop, drafts: &Drafts<'_, '_, '_>, array: ArrayId, name: &str) -> bool {
    let mut types: BTreeMap<StatementId, Vec<Type<'_>>> = BTreeMap::new();
    for access in memory_accesses(drafts, array) {
        let own = types.entry(access.statement).or_default();
        if !own.contains(&access.ty) {
            own.push(access.ty);
        }
    }
    let trusted = scop.trusted_context();
    let touched = |at: StatementId| -> Option<Set> {
        let statement = scop.statements.iter().find(|statement| statement.name == statement_name(at))?;
        let updates = statement.accesses.iter().filter(|a| a.array.as_str() == name && a.reduction.is_some());
        updates.map(|access| access.relation.range().intersect_params(&trusted)).reduce(|a, b| a.union(&b))
    };
    let updated: Vec<(&Vec<Type<'_>>, Set)> =
        types.iter().filter_map(|(at, types)| Some((types, touched(*at)?))).collect();
    updated.iter().enumerate().any(|(at, (types, elements))| {
        let meets = |(others, other): &(&Vec<Type<'_>>, Set)| types != others && !elements.is_disjoint(other);
        types.len() > 1 || updated[at + 1..].iter().any(meets)
    })
}
