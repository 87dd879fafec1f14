//! Reductions, recognised on the model and kept apart.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   S: s[i] = 0;
//!   for (int k = 0; k < n; k++)
//!     T: s[i] += A[i][k];
//!   U: B[i] = s[i];
//! }
//! ```
//!
//! The two accesses of `T` to `s` are marked as halves of a reduction by `+`. Two instances of `T` belong to one reduction if they
//! update the same element and nothing else touches it between them: here all `T[i, k]` of one `i`. The dependences among them
//! go to a relation of their own. What `U` uses is the result of all of them, not the value that the last one happened to
//! store, so `T[i, k] -> U[i]` holds for all `k`. That `S` comes before all of them is an output dependence already.
//!
//! An update may also happen or not (a may-write half): which ones do changes nothing. Where operators do not commute (the place of an extreme, the
//! last value of all), instances keep their order, and only runs of them may be worked on apart.
//!
//! Several statements may contribute to one reduction, if they have the same operator. A statement that also touches the
//! element by another access (`s[i] += s[0]`) is taken out where the two meet. After Doerfert and others, *Polly's Polyhedral
//! Scheduling in the Presence of Reductions* (2015).
//!
//! Implements: 001 reductions

use std::collections::BTreeMap;

use super::applied::possible;
use super::dataflow::{preceding, same_element};
use super::{AccessRef, Accesses, Dependence, Entry, Kind};
use crate::dependence::Order;
use crate::presburger::{Id, Map};
use crate::scop::{Access, AccessKind, ReductionOperator, Scop};

/// Instances of one reduction, from an earlier to a later one.
pub(super) struct Chain {
    /// The halves of the update that comes first: its read and its write.
    source: [AccessRef; 2],
    /// The halves of the update that comes second.
    sink: [AccessRef; 2],
    /// Pairs of instances that update one element with nothing else touching it between.
    relation: Map,
}

/// A statement that updates an element.
struct Update<'a> {
    /// None where a value is replaced in any case.
    read: Option<&'a Entry>,
    write: &'a Entry,
}

impl Update<'_> {
    /// The read and the write; twice the write where there is no read.
    fn halves(&self) -> [AccessRef; 2] {
        [self.read.unwrap_or(self.write).at, self.write.at]
    }
}

/// The reductions among the accesses that are marked as halves of one.
pub(super) fn recognised(scop: &Scop, accesses: &Accesses, order: &Order) -> Vec<Chain> {
    let mut groups: BTreeMap<(Id, ReductionOperator), Vec<Update<'_>>> = BTreeMap::new();
    for (s, statement) in scop.statements.entries() {
        let entry = |a: usize| accesses.all.iter().find(|e| e.at == AccessRef { statement: s, access: a });
        let marked =
            statement.accesses.iter().enumerate().filter_map(|(a, access)| Some((a, access, access.reduction?)));
        let marked: Vec<_> = marked.collect();
        for (w, write, operator) in marked.iter().filter(|(_, access, _)| access.kind.writes()) {
            let same = |a: &crate::scop::Access| a.array == write.array && touch_the_same(a, write);
            let mut reads = marked.iter().filter(|(_, a, o)| a.kind == AccessKind::Read && o == operator && same(a));
            let read = match (reads.next(), reads.next()) {
                (Some((r, ..)), None) => entry(*r),
                (None, _) if *operator == ReductionOperator::Last => None,
                _ => continue,
            };
            if let Some(write_entry) = entry(*w) {
                let group = groups.entry((write.array.clone(), *operator)).or_default();
                group.push(Update { read, write: write_entry });
            }
        }
    }
    let mut found = Vec::new();
    for ((array, _), updates) in &groups {
        let touches = |e: &&Entry| scop.statements[e.at.statement].accesses[e.at.access].array == *array;
        let is_half = |e: &&Entry| updates.iter().any(|u| u.halves().contains(&e.at));
        let others: Vec<&Entry> = accesses.all.iter().filter(touches).filter(|e| !is_half(e)).collect();
        add_chains(scop, order, updates, &others, &mut found);
    }
    found
}

/// Whether two accesses of one statement touch the same element in each instance.
fn touch_the_same(a: &Access, b: &Access) -> bool {
    match (&a.applied, &b.applied) {
        (Some(a), Some(b)) => a.is_equal(b),
        (None, None) => a.relation.is_equal(&b.relation),
        _ => false,
    }
}

fn add_chains(scop: &Scop, order: &Order, updates: &[Update<'_>], others: &[&Entry], found: &mut Vec<Chain>) {
    for source in updates {
        for sink in updates {
            let Some(pairs) = preceding(order, &sink.write.reference, &source.write.reference) else { continue };
            let pairs =
                possible(scop, sink.write, source.write).map_or(pairs.clone(), |possible| pairs.intersect(&possible));
            let pairs = others.iter().fold(pairs.reverse(), |left, other| unblocked(order, source, sink, other, &left));
            if pairs.is_empty() {
                continue;
            }
            found.push(Chain { source: source.halves(), sink: sink.halves(), relation: pairs.coalesce() });
        }
    }
}

/// The pairs of `chain` with no touch by `other` of the element between the two instances, or in one of them.
fn unblocked(order: &Order, source: &Update<'_>, sink: &Update<'_>, other: &Entry, chain: &Map) -> Map {
    let mut left = chain.clone();
    if other.at.statement == source.write.at.statement {
        left = left.subtract_domain(&same_element(&source.write.reference, &other.reference));
    }
    if other.at.statement == sink.write.at.statement {
        left = left.subtract_range(&same_element(&sink.write.reference, &other.reference));
    }
    let after_source = preceding(order, &other.reference, &source.write.reference);
    let before_sink = preceding(order, &sink.write.reference, &other.reference);
    match (after_source, before_sink) {
        (Some(after), Some(before)) => left.subtract(&before.apply_range(&after).reverse()),
        _ => left,
    }
}

/// Moves the dependences within reductions out of the others, and makes the users of a result depend on the whole reduction.
pub(super) fn separate(chains: &[Chain], pairs: &mut Vec<Dependence>) {
    let mut kept = Vec::new();
    for dependence in pairs.drain(..) {
        let chain = chains.iter().find(|c| c.source.contains(&dependence.source) && c.sink.contains(&dependence.sink));
        let Some(chain) = chain else {
            kept.push(dependence);
            continue;
        };
        let inside = dependence.relation.intersect(&chain.relation).coalesce();
        let outside = dependence.relation.subtract(&chain.relation).coalesce();
        if !outside.is_empty() {
            kept.push(Dependence { relation: outside, ..dependence.clone() });
        }
        if !inside.is_empty() {
            kept.push(Dependence { kind: Kind::Reduction, relation: inside, ..dependence });
        }
    }
    *pairs = kept;
    merge_reduction_pairs(pairs);
    let uses: Vec<Dependence> =
        pairs.iter().filter(|d| d.kind == Kind::Flow).flat_map(|flow| uses(chains, flow)).collect();
    pairs.extend(uses);
}

/// One entry for each pair of accesses: flow, anti and output parts of one reduction may speak of the same pair.
fn merge_reduction_pairs(pairs: &mut Vec<Dependence>) {
    let mut merged: BTreeMap<(AccessRef, AccessRef), Map> = BTreeMap::new();
    for dependence in pairs.iter().filter(|d| d.kind == Kind::Reduction) {
        let key = (dependence.source, dependence.sink);
        let all = merged.get(&key).map_or(dependence.relation.clone(), |m| m.union(&dependence.relation));
        merged.insert(key, all);
    }
    pairs.retain(|d| d.kind != Kind::Reduction);
    pairs.extend(merged.into_iter().map(|((source, sink), relation)| Dependence {
        kind: Kind::Reduction,
        source,
        sink,
        relation: relation.coalesce(),
    }));
}

/// From the earlier instances of the reductions whose last instance `flow` begins at.
fn uses(chains: &[Chain], flow: &Dependence) -> Vec<Dependence> {
    let into = chains.iter().filter(|c| c.sink[1] == flow.source);
    let uses = into.filter_map(|chain| {
        let relation = chain.relation.apply_range(&flow.relation).coalesce();
        let (source, sink) = (chain.source[1], flow.sink);
        (!relation.is_empty()).then_some(Dependence { kind: Kind::ReductionUse, source, sink, relation })
    });
    uses.collect()
}
