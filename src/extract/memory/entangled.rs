//! Arrays that may overlap and are not tested.
//!
//! ```c
//! struct item { long a; int b; } *tab[];
//! for (int i = 0; i < n; i++) { struct item *p = tab[i]; p->a = x[i]; y[i] = p->b; }
//! ```
//!
//! Behind one value of `p` the members never meet, so that they are arrays of their own (see [`super::members`]), each with elements of one
//! size. But `tab[i]` and `tab[j]` may be 8 bytes apart, and what is `b` of one item is a part of `a` in another one. No test
//! before the loops could find such arrays apart, as they do lie among one another. So whoever accesses the one accesses, as far as the
//! model knows, any element of the other as well.

use crate::extract::numbers::affine::Affine;
use crate::extract::statements::builder::StatementBuilder;
use crate::extract::statements::drafts::{Drafts, Position, Statement as Drafted, Storage};
use crate::llvm::Instruction;
use crate::presburger::{DimKind, Id, Map, Set, Space};
use crate::scop::{Access, AccessKind, Applied, ArrayId, Scop, Statement, Table};

/// A store, and where it stands.
type Stored<'ir> = (Instruction<'ir>, Position);

/// Pairs of arrays, one of which is written: members behind a pointer that data holds.
pub(in crate::extract) fn entangled_members<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
) -> Vec<(ArrayId, ArrayId)> {
    let held = |at: ArrayId| match drafts.arrays[at].storage {
        Storage::Memory { base, .. } => Some(base).filter(|base| !affine.is_invariant(*base)),
        Storage::Rows { .. } | Storage::Scalar { .. } => None,
    };
    let all: Vec<ArrayId> = drafts.arrays.ids().filter(|at| held(*at).is_some()).collect();
    let beside = |a: ArrayId| all.iter().copied().filter(move |b| a < *b && held(a) == held(*b)).map(move |b| (a, b));
    let is_written = |(a, b): &(ArrayId, ArrayId)| drafts.arrays[*a].is_written || drafts.arrays[*b].is_written;
    all.iter().flat_map(|a| beside(*a)).filter(is_written).collect()
}

/// Has updates behind a pointer that data holds stay in their order: the elements of two such pointers may overlap in part, and there is no one
/// place that a copy could stand for.
pub(in crate::extract) fn keep_updates_in_order<'ir>(
    scop: &mut Scop,
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    names: &Table<ArrayId, String>,
) {
    let is_held = |name: &Id| {
        let array = names.id_where(|own| own == name.as_str()).map(|at| &drafts.arrays[at].storage);
        matches!(array, Some(Storage::Memory { base, .. }) if !affine.is_invariant(*base))
    };
    let accesses = scop.statements.iter_mut().flat_map(|statement| &mut statement.accesses);
    accesses.filter(|access| is_held(&access.array)).for_each(|access| access.reduction = None);
}

impl StatementBuilder<'_, '_, '_, '_> {
    /// Of the members behind a pointer that data holds, all are written if one is.
    pub(in crate::extract) fn spread_writes(&mut self) {
        for (a, b) in entangled_members(self.affine, &self.made) {
            self.made.arrays[a].is_written = true;
            self.made.arrays[b].is_written = true;
        }
    }
}

impl<'ir> Drafts<'_, '_, 'ir> {
    /// Whether one of the stores may run between a load and the statement that loads the same again.
    pub(in crate::extract) fn is_between(
        &self,
        load: Instruction<'ir>,
        statement: &Drafted<'ir>,
        stores: &[Stored<'ir>],
    ) -> bool {
        let Some(home) = load.block() else { return true };
        let at = home.instructions().iter().position(|i| *i == load).unwrap_or(0);
        let (from, to) = (self.inside(home, at), statement.position);
        let is_in_one_turn = self.domains.of_block(home).loops == statement.scope.loops;
        stores.iter().any(|(_, place)| !is_in_one_turn || *place > from && *place < to)
    }
}

/// Has the model know of pairs of arrays that may overlap: what is done to the one that is written less is done to the other as well.
pub(in crate::extract) fn entangle(scop: &mut Scop, names: &Table<ArrayId, String>, pairs: &[(ArrayId, ArrayId)]) {
    let n_writes = |array: ArrayId| {
        let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
        accesses.filter(|access| access.kind.writes() && access.array.as_str() == names[array]).count()
    };
    let order = |(a, b): &(ArrayId, ArrayId)| if n_writes(*a) <= n_writes(*b) { (*a, *b) } else { (*b, *a) };
    let also: Vec<(ArrayId, ArrayId)> = pairs.iter().map(order).collect();
    let dimensions = scop.arrays.map(|(_, array)| array.shape.len());
    for statement in &mut scop.statements {
        for access in statement.accesses.clone() {
            for (_, to) in also.iter().filter(|(from, _)| names[*from] == access.array.as_str()) {
                let all = Space::alloc_set(&[], Some(&names[*to]), dimensions[*to]);
                let other = anywhere(statement, &access, &Set::universe(&all));
                statement.accesses.push(other);
            }
        }
    }
}

/// An access to any of the `elements` of an array, as `like` reads or writes another one.
fn anywhere(statement: &Statement, like: &Access, elements: &Set) -> Access {
    let relation = Map::from_domain_and_range(&statement.domain, elements);
    let applied = |every: &Applied| every.to_instances().intersect_domain(&every.domain).apply_range(&relation);
    Access {
        id: Id::new(&format!("{}_{}", statement.name, statement.accesses.len())),
        kind: if like.kind.writes() { AccessKind::MayWrite } else { like.kind },
        array: elements.space().tuple_name(DimKind::Out).expect("law: elements are of an array").clone(),
        applied: statement.applied.as_ref().map(applied),
        relation,
        reduction: None,
        condition: None,
        location: like.location.clone(),
    }
}
