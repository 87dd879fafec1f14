//! Exact dataflow: for each element that an instance reads, the instance that wrote it last.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   S: t = f(A[i]);
//!   T: B[i] = g(t);
//! }
//! ```
//!
//! `T[i]` reads `t`, which all `S[i']` with `i' <= i` have written before. The instances of `S` that precede `T[i]` do so at one
//! of two *levels*: in the same iteration (`i' = i`, the sequence decides) or in an earlier one (`i' < i`, the band decides).
//! All sources of a deeper level are later than all sources of an outer one, so the levels are tried from the deepest one
//! outward, each only for the keys that have no source yet. Here the first one has `T[i] -> S[i]` for each `i`, and nothing
//! is left to do: the dependences on earlier iterations are never computed.
//!
//! Within a level each source's last instance is found by a partial lexicographic maximum (Feautrier 1991) and then the
//! sources are compared with each other: one that another one follows, both before the sink, is hidden. Sources that are
//! not ordered are all kept. A *must* source hides what precedes it; a *may* source only is hidden. Kills are must sources
//! whose rows are dropped in the end.
//!
//! The value read is identified by a *key*: the sink's instance, or the instance together with the element where an access
//! touches more than one (Verdoolaege's tutorial, chapter 6).
//!
//! Implements: 002 6.2, 6.3, 6.4, 6.5

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::order::{Leaf, Level, Order};
use crate::presburger::{DimKind, Id, Int, Map, Set, Unbounded, UnionMap};

/// Instances of one statement and the elements that they touch.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The statement.
    pub statement: Id,
    /// From its instances to elements of one array.
    pub relation: Map,
}

/// Where the values that one sink reads come from.
#[derive(Clone, Debug)]
pub struct Sources {
    /// For each must source that matters, its number and `{ sink -> source }`: no source of either kind may come between.
    pub must: Vec<(usize, Map)>,
    /// For each may source that matters, its number and `{ sink -> source }`.
    pub may: Vec<(usize, Map)>,
    /// `{ sink -> element }` for which there is no must source.
    pub unwritten: Map,
}

/// What one sink asks: identifies the values read.
struct Key {
    /// From keys to elements.
    element: Map,
    /// From keys to the sink's instances, where a key is more than an instance.
    instance: Option<Map>,
}

/// A source at one level.
struct Candidate<'a> {
    strength: Strength,
    source: usize,
    leaf: &'a Leaf,
    depth: usize,
    relation: Map,
}

/// Sources as the query needs them: elements to instances, for each leaf that instances end in.
pub struct Writers<'a> {
    order: &'a Order,
    writers: Vec<Writer<'a>>,
}

/// What a source does to the elements that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    /// It hides what precedes it.
    Must,
    /// It only is hidden.
    May,
}

struct Writer<'a> {
    strength: Strength,
    source: usize,
    leaf: &'a Leaf,
    /// From elements to the instances in the leaf that touch them.
    touching: Map,
}

impl<'a> Writers<'a> {
    /// The sources of a query under `order`, both kinds numbered from 0.
    pub fn of(order: &'a Order, must: &'a [Reference], may: &'a [Reference]) -> Self {
        let numbered = |strength: Strength, references: &'a [Reference]| {
            let per_leaf = move |(source, reference): (usize, &'a Reference)| {
                order.leaves(&reference.statement).map(move |leaf| Writer {
                    strength,
                    source,
                    leaf,
                    touching: reference.relation.intersect_domain(&leaf.domain).reverse(),
                })
            };
            references.iter().enumerate().flat_map(per_leaf)
        };
        Self { order, writers: numbered(Strength::Must, must).chain(numbered(Strength::May, may)).collect() }
    }

    /// The last must sources, and the may sources not before those, of the elements that `sink` reads.
    ///
    /// `{ sink -> source }` holds in `must` iff the source is the last must source of an element before the sink (one of several
    /// if these are not ordered), in `may` iff no must source of the element comes after the source and before the sink.
    ///
    /// # Errors
    /// The sink stands behind sources of which none is the last one.
    pub fn sources(&self, sink: &Reference) -> Result<Sources, Unbounded> {
        let mut found = Found { must: BTreeMap::new(), may: BTreeMap::new(), unwritten: Vec::new() };
        for leaf in self.order.leaves(&sink.statement) {
            let key = Key::of(&sink.relation.intersect_domain(&leaf.domain));
            let mut rest = key.element.domain();
            for level in self.levels(leaf, &key) {
                if rest.plain_is_empty() {
                    break;
                }
                rest = settle(&level, &rest, &key, &mut found)?;
            }
            found.unwritten.push(key.to_instances(&key.element.intersect_domain(&rest)));
        }
        let nothing = || Map::empty(sink.relation.space());
        Ok(Sources {
            must: found.must.into_iter().map(|(i, map)| (i, map.coalesce())).collect(),
            may: found.may.into_iter().map(|(i, map)| (i, map.coalesce())).collect(),
            unwritten: found.unwritten.into_iter().reduce(|a, b| a.union(&b)).unwrap_or_else(nothing),
        })
    }

    /// The candidates of all levels, the deepest level first; those of one level that may hide one another together.
    fn levels(&self, sink: &Leaf, key: &Key) -> Vec<Vec<Candidate<'a>>> {
        let mut levels: Levels<'a> = BTreeMap::new();
        let mut mixed: Vec<usize> = Vec::new();
        for writer in self
            .writers
            .iter()
            .filter(|w| key.element.space().tuple(DimKind::Out) == w.touching.space().tuple(DimKind::In))
        {
            let related = key.element.apply_range(&writer.touching);
            for Level { depth, rank, relation } in sink.levels(writer.leaf, &related, key.instance.as_ref()) {
                if rank.is_none() && !mixed.contains(&depth) {
                    mixed.push(depth);
                }
                let candidate =
                    Candidate { strength: writer.strength, source: writer.source, leaf: writer.leaf, depth, relation };
                levels.entry((Reverse(depth), Reverse(rank))).or_default().push(candidate);
            }
        }
        merge_unranked(levels, &mixed)
    }
}

/// Candidates by step and rank, the deepest and the latest first.
type Levels<'a> = BTreeMap<(Reverse<usize>, Reverse<Option<Int>>), Vec<Candidate<'a>>>;

/// `{ sink -> source }` for all pairs that touch a common element, the source before the sink; `None` if there are none.
pub fn preceding(order: &Order, sink: &Reference, source: &Reference) -> Option<Map> {
    if !same_element_space(&sink.relation, &source.relation) {
        return None;
    }
    let mut all: Option<Map> = None;
    for leaf in order.leaves(&sink.statement) {
        let reads = sink.relation.intersect_domain(&leaf.domain);
        for other in order.leaves(&source.statement) {
            let related = reads.apply_range(&source.relation.intersect_domain(&other.domain).reverse());
            for level in leaf.levels(other, &related, None) {
                all = Some(all.map_or_else(|| level.relation.clone(), |a| a.union(&level.relation)));
            }
        }
    }
    all.map(|a| a.coalesce()).filter(|a| !a.is_empty())
}

/// `{ write -> element }` for the pairs of `write` whose element `ender` touches later.
pub fn overwritten(order: &Order, write: &Reference, ender: &Reference) -> Option<Map> {
    if !same_element_space(&write.relation, &ender.relation) {
        return None;
    }
    let mut all: Option<Map> = None;
    for leaf in order.leaves(&ender.statement) {
        let ends = ender.relation.intersect_domain(&leaf.domain);
        let (element, instance) = (ends.range_map(), ends.domain_map());
        for other in order.leaves(&write.statement) {
            let related = element.apply_range(&write.relation.intersect_domain(&other.domain).reverse());
            for level in leaf.levels(other, &related, Some(&instance)) {
                let ended = level.relation.reverse().apply_range(&element);
                all = Some(all.map_or_else(|| ended.clone(), |a| a.union(&ended)));
            }
        }
    }
    all.map(|a| a.coalesce()).filter(|a| !a.is_empty())
}

/// The instances in which two references of one statement touch a common element.
pub fn same_element(a: &Reference, b: &Reference) -> Set {
    a.relation.intersect(&b.relation).domain()
}

struct Found {
    must: BTreeMap<usize, Map>,
    may: BTreeMap<usize, Map>,
    unwritten: Vec<Map>,
}

impl Key {
    fn of(reads: &Map) -> Self {
        if reads.is_single_valued() {
            return Self { element: reads.clone(), instance: None };
        }
        Self { element: reads.range_map(), instance: Some(reads.domain_map()) }
    }

    /// A relation from keys as one from instances.
    fn to_instances(&self, relation: &Map) -> Map {
        self.instance.as_ref().map_or_else(|| relation.clone(), |instance| relation.apply_domain(instance))
    }
}

/// Ranks tell sources apart only at depths where all have one: elsewhere the candidates of a depth stay together.
fn merge_unranked<'a>(levels: Levels<'a>, mixed: &[usize]) -> Vec<Vec<Candidate<'a>>> {
    let mut merged: Vec<Vec<Candidate<'a>>> = Vec::new();
    for ((Reverse(depth), _), candidates) in levels {
        match merged.last_mut() {
            Some(last) if mixed.contains(&depth) && last.iter().any(|c| c.depth == depth) => last.extend(candidates),
            _ => merged.push(candidates),
        }
    }
    merged
}

/// Whether both are about elements of one array.
pub fn same_element_space(a: &Map, b: &Map) -> bool {
    a.space().tuple(DimKind::Out) == b.space().tuple(DimKind::Out)
}

/// Finds the sources of one level for the keys of `rest`, and returns the keys that still have no must source.
fn settle(level: &[Candidate<'_>], rest: &Set, key: &Key, found: &mut Found) -> Result<Set, Unbounded> {
    let mut unsettled = rest.clone();
    let mut lasts: Vec<(&Candidate<'_>, Map)> = Vec::new();
    for candidate in level.iter().filter(|c| c.strength == Strength::Must) {
        let (last, none) = candidate.leaf.last(candidate.depth, &candidate.relation, rest)?;
        if !last.is_empty() {
            unsettled = if lasts.is_empty() { none } else { unsettled.intersect(&none) };
            lasts.push((candidate, last));
        }
    }
    for (i, (candidate, last)) in lasts.iter().enumerate() {
        let rivals = lasts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, rival)| rival);
        keep(candidate, last.clone(), rivals, key, &mut found.must);
    }
    for candidate in level.iter().filter(|c| c.strength == Strength::May) {
        keep_later(candidate, &candidate.relation.intersect_domain(rest), &lasts, key, &mut found.may);
    }
    Ok(unsettled)
}

/// Adds those sources of `own` that none of the `rivals` follows. For each key both give the last instance.
fn keep<'a, 'b: 'a>(
    candidate: &Candidate<'_>,
    own: Map,
    rivals: impl Iterator<Item = &'a (&'b Candidate<'b>, Map)>,
    key: &Key,
    found: &mut BTreeMap<usize, Map>,
) {
    let mut visible = own;
    for (rival, last) in rivals {
        let hidden = candidate.leaf.precedes(rival.leaf, candidate.depth, &visible, last);
        visible = visible.subtract_domain(&hidden);
    }
    add(found, candidate.source, &visible, key);
}

/// Adds those may sources that precede no last must source.
fn keep_later(
    candidate: &Candidate<'_>,
    own: &Map,
    lasts: &[(&Candidate<'_>, Map)],
    key: &Key,
    found: &mut BTreeMap<usize, Map>,
) {
    let mut visible = own.clone();
    for (rival, last) in lasts {
        let hidden = candidate.leaf.pairs_preceding(rival.leaf, candidate.depth, &visible, last);
        visible = visible.subtract(&hidden);
    }
    add(found, candidate.source, &visible, key);
}

fn add(found: &mut BTreeMap<usize, Map>, source: usize, visible: &Map, key: &Key) {
    if visible.is_empty() {
        return;
    }
    let dependence = key.to_instances(visible);
    match found.get_mut(&source) {
        Some(all) => *all = all.union(&dependence),
        None => {
            found.insert(source, dependence);
        }
    }
}

/// The four answers of approximate dataflow analysis, over several statements.
#[derive(Clone, Debug)]
pub struct Flow {
    /// `{ source -> sink }` of the last must sources.
    pub must_dependence: UnionMap,
    /// `{ source -> sink }` of all sources through which a value may come.
    pub may_dependence: UnionMap,
    /// `{ sink -> element }` whose value may come from outside.
    pub may_no_source: UnionMap,
    /// `{ sink -> element }` whose value certainly comes from outside.
    pub must_no_source: UnionMap,
}

impl Flow {
    /// Approximate dataflow analysis: `last must any may before sinks` under `order`, every map of a union one reference.
    ///
    /// # Errors
    /// A sink stands behind sources of which none is the last one.
    pub fn of(order: &Order, sinks: &UnionMap, must: &UnionMap, may: &UnionMap) -> Result<Self, Unbounded> {
        let (must, may) = (references(must), references(may));
        let empty = || UnionMap::empty(sinks.params_space().params());
        let mut flow =
            Self { must_dependence: empty(), may_dependence: empty(), may_no_source: empty(), must_no_source: empty() };
        let writers = Writers::of(order, &must, &may);
        for sink in references(sinks) {
            let found = writers.sources(&sink)?;
            let mut unfed = found.unwritten.clone();
            for (_, map) in &found.must {
                flow.must_dependence = flow.must_dependence.union(&UnionMap::from_map(&map.reverse()));
            }
            for (i, map) in &found.may {
                flow.may_dependence = flow.may_dependence.union(&UnionMap::from_map(&map.reverse()));
                unfed = unfed.subtract(&map.apply_range(&may[*i].relation).intersect(&sink.relation));
            }
            flow.may_no_source = flow.may_no_source.union(&UnionMap::from_map(&found.unwritten));
            flow.must_no_source = flow.must_no_source.union(&UnionMap::from_map(&unfed));
        }
        flow.must_dependence = flow.must_dependence.coalesce();
        flow.may_dependence = if flow.may_dependence.is_empty() {
            flow.must_dependence.clone()
        } else {
            flow.may_dependence.union(&flow.must_dependence).coalesce()
        };
        Ok(flow)
    }
}

/// The relations of a union whose domains have names.
fn references(relations: &UnionMap) -> Vec<Reference> {
    let named =
        |map: &Map| Some(Reference { statement: map.space().tuple_name(DimKind::In)?.clone(), relation: map.clone() });
    relations.maps().filter_map(named).collect()
}
