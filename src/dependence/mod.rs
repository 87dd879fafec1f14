//! Which instance must run before which: the dependences of a model under its original schedule.
//!
//! ```c
//! for (int i = 1; i < n; i++)
//!   S: A[i] = A[i - 1] + A[i + 1];
//! ```
//!
//! - *flow*: `S[i] -> S[i + 1]`, as `A[i]` is written by `S[i]` and read by `S[i + 1]`. It is value-based: only the last
//!   write before a read counts, so that it says from where each value comes;
//! - *anti*: `S[i] -> S[i + 1]`, as `A[i + 1]` is read by `S[i]` and overwritten by `S[i + 1]`;
//! - *output*: none here; memory-based like anti: any two writes of one element.
//!
//! Dependences within a reduction (`s += A[i]`, with an operator that may be reordered) are kept apart from all of these: any
//! order of the instances gives the same result, as long as nobody looks at it in between. Who uses the result of a reduction
//! then depends on all its instances, not on the last one only: [`Kind::ReductionUse`].
//!
//! Where instances apply uninterpreted functions ([`crate::scop::applied`]), a dependence is what some functions allow: see [`applied`].
//!
//! A schedule is legal iff it runs the first instance of each pair of [`Dependences::validity`] before the second one; to keep
//! reductions in order as well, of [`Dependences::strict_validity`]. Each dependence is kept for the pair of accesses that it
//! comes from, so that a message can name both.
//!
//! Implements: 002 5.4, 6.1

mod applied;
pub mod carried;
pub mod dataflow;
mod dead;
mod drawing;
pub mod dynamic;
pub mod layout;
mod live;
pub mod order;
mod print;
#[cfg(test)]
mod random;
mod reduction;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use crate::presburger::{Id, Map, Unbounded, UnionMap};
use crate::scop::{AccessKind, Scop, Statement, StatementId};
use dataflow::{Reference, Sources, Writers};
pub use dead::without_dead_instances;
pub use live::LiveOut;
pub use order::{NotAnOrder, Order};

/// The dependences of a model.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// One entry for each kind and pair of accesses.
    pub pairs: Vec<Dependence>,
    /// `{ source -> sink }`: from the write of a value to its reads.
    pub flow: UnionMap,
    /// `{ source -> sink }`: from a read to all later writes of the element.
    pub anti: UnionMap,
    /// `{ source -> sink }`: from a write to all later writes of the element.
    pub output: UnionMap,
    /// `{ source -> sink }`: between instances of one reduction; in neither of the others.
    pub reduction: UnionMap,
    /// Those of them by operators that do not commute: runs of instances may be worked on apart, but stay in their order.
    pub in_order: UnionMap,
    /// `{ source -> sink }`: from all instances of a reduction to those that use its result.
    pub reduction_use: UnionMap,
    /// `{ sink -> element }`: reads whose value may come from before the model.
    pub live_in: UnionMap,
    /// Which writes may be read after the model.
    pub live_out: LiveOut,
    /// Whether the flow relation is the flow of values itself, and not more.
    pub exact: bool,
    /// [`Dependences::memory_and_values`], once somebody has asked.
    pub between_reductions: OnceCell<UnionMap>,
}

/// What a dependence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Read after write.
    Flow,
    /// Write after read.
    Anti,
    /// Write after write.
    Output,
    /// Two instances of one reduction.
    Reduction,
    /// The result of a reduction is used.
    ReductionUse,
}

/// An access of a model: its statement's place in the model, its place in the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccessRef {
    /// Index into `Scop::statements`.
    pub statement: StatementId,
    /// Index into `Statement::accesses`.
    pub access: usize,
}

/// The dependences of one kind that two accesses cause.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// What it is.
    pub kind: Kind,
    /// The access that comes first.
    pub source: AccessRef,
    /// The access that comes second.
    pub sink: AccessRef,
    /// From instances of the source's statement to instances of the sink's.
    pub relation: Map,
}

impl Dependences {
    /// The dependences of `scop` under its original schedule.
    ///
    /// # Panics
    /// If the schedule is not an order of the statements, which [`crate::scop::verify`] excludes, or a loop does not end, which no loop of LLVM's does
    /// whose iterations are counted.
    pub fn of(scop: &Scop) -> Self {
        Self::of_any(scop).expect("law: of the instances before another one, one is the last")
    }

    /// The same for a model that may come from anywhere.
    ///
    /// # Errors
    /// A read stands behind a loop that does not end, so that no write before it is the last one.
    ///
    /// # Panics
    /// If the schedule is not an order of the statements, which [`crate::scop::verify`] excludes.
    pub fn of_any(scop: &Scop) -> Result<Self, Unbounded> {
        let order = Order::of(&scop.schedule).expect("law: the original schedule is an order");
        Self::under(scop, &order)
    }

    /// The dependences of `scop` when it runs in `order`.
    fn under(scop: &Scop, order: &Order) -> Result<Self, Unbounded> {
        let accesses = Accesses::of(scop);
        let mut pairs = Vec::new();
        let (mut live_in, is_uncertain) = flow(scop, &accesses, order, &mut pairs)?;
        memory(&accesses, order, &mut pairs);
        leave_out_excluded(scop, &mut pairs);
        applied::refine(scop, &accesses, order, &mut pairs, &mut live_in);
        let reductions = reduction::recognised(scop, &accesses, order);
        reduction::separate(&reductions, &mut pairs);
        pairs.sort_by_key(|d| (d.kind, d.source, d.sink));
        let union = |kind| union_of(&scop.params, pairs.iter().filter(|d| d.kind == kind).map(|d| &d.relation));
        let is_open = |e: &Entry| {
            let statement = &scop.statements[e.at.statement];
            e.kind == AccessKind::MayWrite
                && (statement.applied.is_some() || statement.accesses[e.at.access].kind == e.kind)
        };
        let exact = !is_uncertain && !accesses.all.iter().any(is_open);
        Ok(Self {
            flow: union(Kind::Flow),
            anti: union(Kind::Anti),
            output: union(Kind::Output),
            reduction: union(Kind::Reduction),
            in_order: union_of(&scop.params, pairs.iter().filter(|d| stays_in_order(scop, d)).map(|d| &d.relation)),
            reduction_use: union(Kind::ReductionUse),
            live_in: union_of(&scop.params, live_in.iter()),
            live_out: LiveOut::of(scop, &accesses, order),
            pairs,
            exact,
            between_reductions: OnceCell::new(),
        })
    }

    /// What every legal schedule keeps, if reductions may be reordered.
    pub fn validity(&self) -> UnionMap {
        self.with_reductions(&self.in_order)
    }

    /// All that is between instances of different reductions, or of none. Each check of each schedule asks for it.
    pub fn memory_and_values(&self) -> &UnionMap {
        self.between_reductions.get_or_init(|| {
            [&self.anti, &self.output, &self.reduction_use]
                .into_iter()
                .fold(self.flow.clone(), |all, each| all.union(each))
                .coalesce()
        })
    }

    /// That and some dependences within reductions.
    pub fn with_reductions(&self, within: &UnionMap) -> UnionMap {
        match within.plain_is_empty() {
            true => self.memory_and_values().clone(),
            false => self.memory_and_values().union(within).coalesce(),
        }
    }

    /// What a schedule keeps that leaves the order within reductions as it is.
    pub fn strict_validity(&self) -> UnionMap {
        self.validity().union(&self.reduction).coalesce()
    }

    /// What a schedule keeps that leaves the order within reductions as it is, except within those on `arrays`.
    pub fn strict_validity_but(&self, scop: &Scop, arrays: &[Id]) -> UnionMap {
        self.with_reductions(&self.reduction_but(scop, arrays))
    }

    /// The dependences within reductions, except those on `arrays`.
    pub fn reduction_but(&self, scop: &Scop, arrays: &[Id]) -> UnionMap {
        let kept = self.of_kind(Kind::Reduction).filter(|d| !arrays.contains(array_of(scop, d.source)));
        union_of(&scop.params, kept.map(|d| &d.relation))
    }

    /// The arrays that statements among `statements` update as parts of reductions, each once, in order.
    pub fn reduced_arrays(&self, scop: &Scop, statements: &BTreeSet<StatementId>) -> Vec<Id> {
        let updates = self.of_kind(Kind::Reduction).filter(|d| statements.contains(&d.source.statement));
        let mut arrays: Vec<Id> = Vec::new();
        for array in updates.map(|d| array_of(scop, d.source)) {
            if !arrays.contains(array) {
                arrays.push(array.clone());
            }
        }
        arrays
    }

    /// The dependences of one kind, for each pair of accesses.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Dependence> {
        self.pairs.iter().filter(move |d| d.kind == kind)
    }
}

/// Whether two instances of a reduction may not change places.
fn stays_in_order(scop: &Scop, dependence: &Dependence) -> bool {
    let AccessRef { statement, access } = dependence.sink;
    let operator = scop.statements[statement].accesses[access].reduction;
    dependence.kind == Kind::Reduction && operator.is_some_and(|operator| !operator.is_commutative())
}

fn array_of(scop: &Scop, at: AccessRef) -> &Id {
    &scop.statements[at.statement].accesses[at.access].array
}

fn union_of<'a>(params: &[Id], relations: impl Iterator<Item = &'a Map>) -> UnionMap {
    relations.fold(UnionMap::empty(params), |all, each| all.union(&UnionMap::from_map(each))).coalesce()
}

/// An access with what the queries need of it.
#[derive(Clone, Debug)]
struct Entry {
    at: AccessRef,
    kind: AccessKind,
    reference: Reference,
}

/// All accesses of a model in order.
#[derive(Clone, Debug)]
struct Accesses {
    all: Vec<Entry>,
}

impl Accesses {
    fn of(scop: &Scop) -> Self {
        let mut all = Vec::new();
        for (s, statement) in scop.statements.entries() {
            for (a, access) in statement.accesses.iter().enumerate() {
                let Some(kind) = statement.effect(access) else { continue };
                let reference = Reference { statement: statement.name.clone(), relation: access.relation.clone() };
                all.push(Entry { at: AccessRef { statement: s, access: a }, kind, reference });
            }
        }
        Self { all }
    }

    fn of_kind(&self, wanted: impl Fn(AccessKind) -> bool) -> Vec<&Entry> {
        self.all.iter().filter(|e| wanted(e.kind)).collect()
    }

    /// For each access, the place of the first one in its statement that touches the same elements.
    fn first_of_same(&self) -> Vec<usize> {
        let is_same = |a: &Entry, b: &Entry| {
            let (one, other) = (&a.reference.relation, &b.reference.relation);
            a.at.statement == b.at.statement && dataflow::same_element_space(one, other) && one.plain_is_equal(other)
        };
        let first = |entry: &Entry| self.all.iter().position(|other| is_same(other, entry));
        self.all.iter().map(|entry| first(entry).expect("law: an access touches what it touches")).collect()
    }
}

/// Adds the flow dependences; what is read without a certain write before it, and whether some of them may be none.
fn flow(
    scop: &Scop,
    accesses: &Accesses,
    order: &Order,
    pairs: &mut Vec<Dependence>,
) -> Result<(Vec<Map>, bool), Unbounded> {
    let must = accesses.of_kind(|k| matches!(k, AccessKind::MustWrite | AccessKind::Kill));
    let may = accesses.of_kind(|k| k == AccessKind::MayWrite);
    let together = Together::of(scop);
    let usual = Sides::of(must.clone(), may.clone());
    let writers = usual.writers(order);
    let (mut live_in, mut is_uncertain) = (Vec::new(), false);
    for sink in accesses.of_kind(|k| k == AccessKind::Read) {
        let (certain, possible): (Vec<&Entry>, Vec<&Entry>) =
            may.iter().partition(|source| together.is_certain(scop, order, sink, source));
        let own = (!certain.is_empty()).then(|| Sides::of([must.clone(), certain].concat(), possible));
        let sides = own.as_ref().unwrap_or(&usual);
        let found = match &own {
            Some(own) => own.writers(order).sources(&sink.reference)?,
            None => writers.sources(&sink.reference)?,
        };
        let Sources { must: certain, may: possible, unwritten } = found;
        is_uncertain |= !possible.is_empty();
        let certain = certain.into_iter().map(|(i, map)| (sides.must[i], map));
        let possible = possible.into_iter().map(|(i, map)| (sides.may[i], map));
        for (source, map) in certain.chain(possible).filter(|(source, _)| source.kind != AccessKind::Kill) {
            pairs.push(Dependence { kind: Kind::Flow, source: source.at, sink: sink.at, relation: map.reverse() });
        }
        if !unwritten.is_empty() {
            live_in.push(unwritten);
        }
    }
    Ok((live_in, is_uncertain))
}

/// Writes that hide others, and those that do not.
struct Sides<'a> {
    must: Vec<&'a Entry>,
    may: Vec<&'a Entry>,
    references: [Vec<Reference>; 2],
}

impl<'a> Sides<'a> {
    fn of(must: Vec<&'a Entry>, may: Vec<&'a Entry>) -> Self {
        let references = [&must, &may].map(|entries| entries.iter().map(|e| e.reference.clone()).collect());
        Self { must, may, references }
    }

    fn writers<'s>(&'s self, order: &'s Order) -> Writers<'s> {
        Writers::of(order, &self.references[0], &self.references[1])
    }
}

/// Which instances run whenever others do: a write under a condition is certain for a read under the same one, and in a later step of a loop that data ends.
struct Together {
    pairs: Option<UnionMap>,
}

impl Together {
    fn of(scop: &Scop) -> Self {
        let is_conditional = scop.statements.iter().any(Statement::is_conditional);
        Self { pairs: is_conditional.then(|| scop.together()) }
    }

    /// Whether `source`, which writes under conditions, does so in all instances before each of `sink` that touch the same.
    fn is_certain(&self, scop: &Scop, order: &Order, sink: &Entry, source: &Entry) -> bool {
        let Some(pairs) = &self.pairs else { return false };
        let statement = &scop.statements[source.at.statement];
        if statement.accesses[source.at.access].kind != AccessKind::MustWrite || !statement.is_conditional() {
            return false;
        }
        dataflow::preceding(order, &sink.reference, &source.reference)
            .is_some_and(|before| UnionMap::from_map(&before).is_subset(pairs))
    }
}

/// Adds the memory-based dependences on writes: anti and output. In `A[i] += x` the read and the write touch the same:
/// what holds between one of them and a later write is found once for both.
fn memory(accesses: &Accesses, order: &Order, pairs: &mut Vec<Dependence>) {
    let same = accesses.first_of_same();
    let mut known: HashMap<(usize, usize), Option<Map>> = HashMap::new();
    for (kind, is_source) in [(Kind::Anti, is_read as fn(AccessKind) -> bool), (Kind::Output, AccessKind::writes)] {
        for (later, sink) in accesses.all.iter().enumerate().filter(|(_, e)| e.kind.writes()) {
            for (earlier, source) in accesses.all.iter().enumerate().filter(|(_, e)| is_source(e.kind)) {
                let preceding = || dataflow::preceding(order, &sink.reference, &source.reference).map(|r| r.reverse());
                let relation = known.entry((same[later], same[earlier])).or_insert_with(preceding);
                let relation = relation.clone();
                pairs.extend(relation.map(|relation| Dependence { kind, source: source.at, sink: sink.at, relation }));
            }
        }
    }
}

/// Without what depends on each other only for parameters that the model is not run for: a loop over `h[0][i]` that writes `h[1][i]` reads what it
/// wrote only where rows are longer than they are. What statements that never run depend on stays: it keeps them with the others.
fn leave_out_excluded(scop: &Scop, pairs: &mut Vec<Dependence>) {
    let context = scop.trusted_context();
    if context.plain_is_universe() {
        return;
    }
    let runs = |id: StatementId| !scop.statements[id].domain.intersect_params(&context).is_empty();
    let running: BTreeSet<StatementId> = scop.statements.ids().filter(|id| runs(*id)).collect();
    let is_possible = |piece: &Map| !piece.intersect_params(&context).is_empty();
    pairs.retain_mut(|dependence| {
        if ![dependence.source, dependence.sink].iter().all(|end| running.contains(&end.statement)) {
            return true;
        }
        let pieces: Vec<Map> = dependence.relation.pieces().iter().map(Map::from_basic).collect();
        let n = pieces.len();
        let possible: Vec<Map> = pieces.into_iter().filter(is_possible).collect();
        if possible.len() < n {
            let nothing = Map::empty(dependence.relation.space());
            dependence.relation = possible.iter().fold(nothing, |all, piece| all.union(piece));
        }
        !possible.is_empty()
    });
}

fn is_read(kind: AccessKind) -> bool {
    kind == AccessKind::Read
}
