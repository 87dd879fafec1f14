//! Memory of which each iteration may have its own, as the values that go through it say.
//!
//!     double v[40];
//!     for (i) { for (k) v[k] = A[i][k]; for (k) B[i][k] = v[k] + v[39 - k]; }
//!
//! Each read of `v` gets what the same iteration of `i` wrote, and nobody looks at `v` behind the loops: if each iteration has a `v` of its own
//! ([`Scop::with_own`]), everything is as it was, and the iterations do not have to wait for each other. That the program declares it, or reserves it, before the
//! loops is for want of a better place.
//!
//! Where somebody may look at it (a variable of the file, say), it has to hold what the last iteration left there, and does, if that iteration writes all
//! that any of them writes: so the array stays live, and whoever places it has that iteration work on the memory of the program.
//!
//! What is certain counts: a write that may not happen does not hide what was there before it. So a read whose iteration has not written the
//! element for certain keeps the array as it is, and so does a write that the last iteration may not repeat.

use crate::dependence::{AccessRef, Dependence, Dependences, Kind};
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::statements::local::Life;
use crate::extract::statements::root::Root;
use crate::extract::{Binding, Locals};
use crate::llvm::{LoopId, Value};
use crate::presburger::{DimKind, Int, Map, PwAff, Set, Space};
use crate::scop::{AccessKind, ArrayId, ArrayKind, Scop, StatementId};

/// The model with such arrays, and its dependences.
pub fn with_own<'ir>(
    scop: Scop,
    binding: Binding<'ir>,
    found: Dependences,
    locals: Locals,
) -> (Scop, Binding<'ir>, Dependences) {
    let (mut separated, mut binding) = (scop, binding);
    let mut changed = false;
    for there in in_one_memory(&binding, locals) {
        let Some(n) = together_own(&separated, &binding, &found, &there) else { continue };
        let is_kept = is_kept(&binding, &there);
        for at in there {
            let name = separated.arrays[at].name.clone();
            separated = separated.with_own(&name, n);
            separated.arrays[at].live_out = is_kept;
            let bound = &mut binding.arrays[at];
            bound.strides.splice(0..0, std::iter::repeat_n(Polynomial::default(), n));
            let zero = PwAff::constant_on_domain(&Space::params_only(&separated.params), &Int::from(0));
            bound.extent.iter_mut().for_each(|extent| {
                extent.splice(0..0, std::iter::repeat_n((zero.clone(), zero.clone()), n));
            });
        }
        changed = true;
    }
    let dependences = if changed { Dependences::of(&separated) } else { found };
    (separated, binding, dependences)
}

/// Whether there are more such arrays if those count whose values are left behind the loops.
pub fn has_kept(scop: &Scop, binding: &Binding<'_>, found: &Dependences) -> bool {
    let mut all = in_one_memory(binding, Locals::Kept).into_iter().filter(|there| is_kept(binding, there));
    all.any(|there| together_own(scop, binding, found, &there).is_some())
}

/// The arrays of which iterations may have their own, as far as their memory goes: those that are in one are together.
fn in_one_memory(binding: &Binding<'_>, locals: Locals) -> Vec<Vec<ArrayId>> {
    let may_be_own = |life: Life| match life {
        Life::Forgotten => locals != Locals::Shared,
        Life::Kept | Life::Given => locals == Locals::Kept,
        Life::Unknown => false,
    };
    let mut bases: Vec<Value<'_>> = Vec::new();
    for base in binding.arrays.iter().filter(|array| may_be_own(array.life)).filter_map(|array| array.base) {
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    let there = |base: Value<'_>| binding.arrays.ids().filter(|at| binding.arrays[*at].base == Some(base)).collect();
    bases.into_iter().map(there).collect()
}

fn is_kept(binding: &Binding<'_>, there: &[ArrayId]) -> bool {
    binding.arrays[there[0]].life != Life::Forgotten
}

/// Of how many loops, from the outermost on, each iteration may have arrays in one memory for itself; `None` if that is of no use.
fn together_own(scop: &Scop, binding: &Binding<'_>, found: &Dependences, there: &[ArrayId]) -> Option<usize> {
    let counts = there.iter().map(|at| own_loops(scop, binding, found, *at));
    let n = counts.min().filter(|n| *n > 0)?;
    // Of several arrays in one memory, the last iterations would have to be the same one.
    let is_left = || matches!(there, [at] if is_left_by_last(scop, binding, *at, n));
    (!is_kept(binding, there) || is_left()).then_some(n)
}

/// Of how many loops, from the outermost on, each iteration may have the array for itself, if that lets them run in another order.
fn own_loops(scop: &Scop, binding: &Binding<'_>, found: &Dependences, at: ArrayId) -> usize {
    let (array, bound) = (&scop.arrays[at], &binding.arrays[at]);
    let is_entangled = binding.entangled.iter().any(|(a, b)| [*a, *b].contains(&at));
    let is_plain = array.kind == ArrayKind::Memory && array.own == 0 && bound.life != Life::Unknown;
    if !is_plain || is_entangled {
        return 0;
    }
    let touching: Vec<AccessRef> = accesses(scop, at).collect();
    let is_applied = |r: &AccessRef| scop.statements[r.statement].accesses[r.access].applied.is_some();
    if touching.iter().any(is_applied) {
        return 0;
    }
    let loops = |r: &AccessRef| binding.statements[r.statement].loops.as_slice();
    let Some(first) = touching.first() else { return 0 };
    let common = |n: usize, loops: &[LoopId], other: &[LoopId]| {
        (0..n.min(other.len())).take_while(|d| loops[*d] == other[*d]).count()
    };
    let most = touching.iter().fold(loops(first).len(), |n, r| common(n, loops(first), loops(r)));
    let of_array = || found.pairs.iter().filter(|d| touching.contains(&d.source) && touching.contains(&d.sink));
    let values = || of_array().filter(|d| matches!(d.kind, Kind::Flow | Kind::Reduction | Kind::ReductionUse));
    let stay = |n: usize| values().all(|d| stays_within(&d.relation, n));
    let n = (0..=most).rev().find(|n| stay(*n)).unwrap_or(0);
    let trusted = scop.trusted_context();
    let is_read = |r: &&AccessRef| scop.statements[r.statement].accesses[r.access].kind == AccessKind::Read;
    let is_written_before = |r: &AccessRef| is_known(scop, &trusted, values(), *r);
    let is_in_the_way = n > 0 && of_array().any(|d| !stays_within(&d.relation, n));
    if is_in_the_way && touching.iter().filter(is_read).all(is_written_before) { n } else { 0 }
}

/// Whether what the last one of the iterations of the outermost `n` loops writes for certain is all that any of them writes, so that it is what is there
/// behind them. It has to go there by itself: a part that stays as it is may know the address.
fn is_left_by_last(scop: &Scop, binding: &Binding<'_>, at: ArrayId, n: usize) -> bool {
    let trusted = scop.trusted_context();
    let is_opaque = |r: AccessRef| matches!(binding.statements[r.statement].root, Root::Opaque { .. });
    if accesses(scop, at).any(is_opaque) {
        return false;
    }
    let (mut iterations, mut certain): (Option<Set>, Vec<Map>) = (None, Vec::new());
    let mut elements: Option<Set> = None;
    for r in accesses(scop, at) {
        let statement = &scop.statements[r.statement];
        let access = &statement.accesses[r.access];
        let Some(kind) = statement.effect(access).filter(|kind| kind.writes()) else { continue };
        let touched = statement.touched(access, &trusted);
        let depth = touched.dim(DimKind::In);
        let by_iteration = touched.project_out(DimKind::In, n, depth - n).set_tuple_name(DimKind::In, None);
        let join = |all: Option<Set>, more: Set| Some(all.map_or(more.clone(), |all| all.union(&more)));
        iterations = join(iterations, by_iteration.domain());
        elements = join(elements, by_iteration.range());
        if kind == AccessKind::MustWrite {
            certain.push(by_iteration);
        }
    }
    let Some((iterations, elements)) = iterations.zip(elements) else { return false };
    let Ok(last) = iterations.coalesce().lexmax() else { return false };
    let left = certain.iter().map(|written| written.intersect_domain(&last).range());
    left.reduce(|a, b| a.union(&b)).is_some_and(|left| elements.is_subset(&left))
}

fn accesses(scop: &Scop, array: ArrayId) -> impl Iterator<Item = AccessRef> + '_ {
    let name = &scop.arrays[array].name;
    let of = move |at: StatementId| {
        let numbered = scop.statements[at].accesses.iter().enumerate();
        numbered
            .filter(move |(_, access)| access.array == *name)
            .map(move |(access, _)| AccessRef { statement: at, access })
    };
    scop.statements.ids().flat_map(of)
}

/// Whether a dependence lies within one iteration of the outermost `n` loops.
fn stays_within(relation: &Map, n: usize) -> bool {
    let same = (0..n).fold(relation.clone(), |map, d| map.equate(DimKind::In, d, DimKind::Out, d));
    relation.is_subset(&same)
}

/// Whether the elements that are read have been written for certain.
fn is_known<'d>(scop: &Scop, trusted: &Set, values: impl Iterator<Item = &'d Dependence>, read: AccessRef) -> bool {
    let is_certain = |d: &&Dependence| {
        let source = &scop.statements[d.source.statement];
        d.sink == read && source.effect(&source.accesses[d.source.access]) == Some(AccessKind::MustWrite)
    };
    let statement = &scop.statements[read.statement];
    let touched = statement.touched(&statement.accesses[read.access], trusted);
    let written = |d: &Dependence| {
        let source = &scop.statements[d.source.statement];
        let elements = source.touched(&source.accesses[d.source.access], trusted);
        d.relation.reverse().apply_range(&elements)
    };
    if touched.is_empty() {
        return true;
    }
    if touched.is_single_valued() {
        let known = values.filter(is_certain).map(|d| d.relation.range());
        return known.reduce(|a, b| a.union(&b)).is_some_and(|all| touched.domain().is_subset(&all));
    }
    let known = values.filter(is_certain).map(written);
    known.reduce(|a, b| a.union(&b)).is_some_and(|all| touched.is_subset(&all))
}
