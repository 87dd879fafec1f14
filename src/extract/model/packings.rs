//! Which statements do nothing but pack: see [`crate::extract::reductions::packing`].
//!
//! `for (i) if (x[i] > t) { out[k] = x[i]; from[k++] = i; }` packs two arrays by one counter. All conditions and values of many iterations are computed before
//! the first of their stores: so nothing that is stored may be read by a later iteration, nor behind the store by its own. In `for (i) if (x[i] > t) x[k++] = x[i];` nothing is, as `k` is never
//! ahead of `i`.

use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::Atom;
use crate::extract::reductions::packing::{BoundPacking, Packing, counted};
use crate::extract::ssa::cost;
use crate::extract::statements::drafts::Statement;
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::llvm::instruction::Address;
use crate::llvm::{Analyses, Instruction, LoopId, Value};
use crate::presburger::{Id, UnionMap, UnionSet};
use crate::scop::{self, ArrayId};

/// More stores than this are more code than they are worth.
const MOST_PACKED: usize = 4;

/// In vectors, all iterations compute what few of them may store: more additions than these for each store, or a division, take longer than the wrong guesses
/// of the program's own loop.
const MOST_COMPUTED: u32 = 11;

/// A function with this attribute has no stack of its own: memory for blocks would be on the heap, aligned as it happens to be.
const COROUTINE: &str = "presplitcoroutine";

/// What a statement packs, if it does nothing else and the processor moves elements of vectors together; pairs of arrays that may overlap are `entangled`, and
/// some arrays `read_later` than the statement writes them, by itself.
pub(super) fn packings<'ir>(
    analyses: &Analyses<'_, 'ir>,
    statement: &Statement<'ir>,
    entangled: &[(ArrayId, ArrayId)],
    read_later: &dyn Fn(ArrayId) -> bool,
) -> Vec<BoundPacking<'ir>> {
    let Root::Opaque { part, accesses, outputs } = &statement.root else { return Vec::new() };
    let Some(innermost) = statement.scope.loops.last().copied() else { return Vec::new() };
    let (stores, reads): (Vec<&OpaqueAccess<'ir>>, Vec<_>) = accesses.iter().partition(|access| access.is_store());
    let costs = part.blocks.iter().flat_map(|block| block.instructions()).filter(|i| !i.is_marker()).map(cost);
    let is_cheap = costs.clone().all(|cost| cost <= MOST_COMPUTED)
        && costs.fold(0, u32::saturating_add) <= MOST_COMPUTED.saturating_mul(stores.len() as u32);
    let is_plain = !statement.sets_errno && !analyses.function().has_attribute(COROUTINE);
    let is_simple = statement.guards.is_empty() && is_plain && !part.has_loop(analyses) && is_cheap;
    let loads = statement.leaves.keys().filter_map(|value| value.as_instruction());
    let mut loads = loads.chain(reads.iter().map(|access| access.instruction)).filter(|i| i.memory().is_some());
    let is_simple = is_simple && loads.all(|load| is_near(analyses, load, innermost));
    let packing = |output: &Output<'ir>| {
        let is_old = |(value, leaf): (&_, &Leaf)| is_counter(leaf, output, innermost).then_some(*value);
        let mut olds = statement.leaves.iter().filter_map(is_old);
        let (Some(old), None) = (olds.next(), olds.next()) else { return None };
        counted(part, old).filter(|packing| packing.counter.result == output.value)
    };
    let Some(found) = outputs.iter().map(packing).collect::<Option<Vec<_>>>().filter(|_| is_simple) else {
        return Vec::new();
    };
    let is_packed =
        |access: &&OpaqueAccess<'ir>| found.iter().any(|packing| packing.stores.contains(&access.instruction));
    let in_memory = |leaf: &Leaf| match leaf {
        Leaf::Load { array, .. } | Leaf::Indirect { array } => Some(*array),
        _ => None,
    };
    let read = statement.leaves.values().filter_map(in_memory).chain(reads.iter().map(|access| access.array));
    let read: Vec<ArrayId> = read.collect();
    let may_overlap = |a: ArrayId, b: ArrayId| entangled.contains(&(a, b)) || entangled.contains(&(b, a));
    let is_apart = |(at, store): (usize, &&OpaqueAccess<'ir>)| {
        let others = stores[..at].iter().map(|other| other.array);
        let is_again = others.clone().any(|other| other == store.array);
        let is_seen = behind(store.instruction).any(|here| {
            let read = reads.iter().find(|read| read.instruction == here);
            let is_store = stores.iter().any(|store| store.instruction == here);
            here.memory().is_some() && !is_store && read.is_none_or(|read| read.array == store.array)
        });
        let may_be_another = read.iter().copied().chain(others).any(|other| may_overlap(store.array, other));
        !is_again && !is_seen && !may_be_another && !(read.contains(&store.array) && read_later(store.array))
    };
    let is_common = |store: Instruction<'ir>| store.memory().is_some_and(|access| access.is_common());
    let is_possible =
        |store: &&OpaqueAccess<'ir>| is_common(store.instruction) && is_fixed(analyses, store.instruction, innermost);
    let is_all = (1..=MOST_PACKED).contains(&stores.len())
        && stores.iter().all(|store| is_packed(store) && is_possible(store))
        && stores.iter().enumerate().all(is_apart);
    let bound = |packing: Packing<'ir>| {
        let types = packing.stores.iter().filter_map(|store| store.memory()).map(|access| access.ty);
        let lanes = types.map(|ty| analyses.compressed_lanes(ty)).collect::<Option<Vec<_>>>()?;
        Some(BoundPacking { lanes: lanes.into_iter().min()?, packing })
    };
    let found = is_all.then(|| found.into_iter().map(bound).collect::<Option<Vec<_>>>()).flatten();
    found.unwrap_or_default()
}

/// Whether vectors of what an instruction reads are made without picking up each element: elements lie one behind the other, or it is one alone.
fn is_near<'ir>(analyses: &Analyses<'_, 'ir>, load: Instruction<'ir>, innermost: LoopId) -> bool {
    let Some(access) = load.memory() else { return false };
    let size = i128::from(analyses.function().layout().alloc_size(access.ty));
    let Some(place) = analyses.scev(access.pointer) else { return false };
    let fixed = || analyses.is_invariant(place, innermost).then_some(0);
    let step = analyses.constant_step(place, innermost).or_else(fixed);
    step.is_some_and(|step| step == 0 || step.abs() == size)
}

/// The instructions behind another one in its block.
fn behind<'ir>(earlier: Instruction<'ir>) -> impl Iterator<Item = Instruction<'ir>> {
    std::iter::successors(earlier.next(), |here| here.next())
}

/// Whether an iteration of a statement may read what an earlier one has written to an array.
pub(super) fn reads_later(statement: &scop::Statement, array: &Id) -> bool {
    let domain = UnionSet::from_set(&statement.domain);
    let later = domain.lex_lt_union_set(&domain);
    let own = statement.accesses.iter().filter(|access| access.array == *array);
    let (writes, reads): (Vec<_>, Vec<_>) = own.partition(|access| access.kind.writes());
    let meet = |write: &scop::Access, read: &scop::Access| {
        let pairs = write.relation.apply_range(&read.relation.reverse());
        !UnionMap::from_map(&pairs).intersect(&later).is_empty()
    };
    writes.iter().any(|write| reads.iter().any(|read| meet(write, read)))
}

/// Whether a leaf is what an output was before, and all iterations of the innermost loop have that in common.
fn is_counter(leaf: &Leaf, output: &Output<'_>, innermost: LoopId) -> bool {
    let is_outside = |atom| atom != Atom::Iterator(innermost);
    output.is_read_by(leaf) && output.subscripts.iter().flat_map(|subscript| subscript.atoms()).all(is_outside)
}

/// Whether only the counter moves the place of a store in a loop.
fn is_fixed<'ir>(analyses: &Analyses<'_, 'ir>, store: Instruction<'ir>, innermost: LoopId) -> bool {
    let moves = |value: Value<'ir>| analyses.scev(value).is_none_or(|scev| !analyses.is_invariant(scev, innermost));
    let Some(mut here) = store.memory().map(|access| access.pointer) else { return false };
    let mut moving = 0;
    while let Some(address) = Address::of_value(here).filter(|_| moves(here)) {
        moving += address.indices.iter().filter(|index| moves(**index)).count();
        here = address.base;
    }
    moving == 1 && !moves(here)
}
