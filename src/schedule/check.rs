//! Is a schedule tree legal? Proved from the tree and the dependences alone.
//!
//! Walk the tree from the root with the pairs `source -> sink` that are not ordered yet. A band member `f` must have `f(source) <= f(sink)` on
//! all of them; only the pairs with equality go on. A sequence must not have the source in a later child than the sink; only pairs
//! within one child go on. At a leaf no pair may be left. For a member that claims to be *coincident*, the same is done with the
//! dependences that a parallel loop has to respect: at that member, with all loops outside of it fixed, both ends must agree.
//!
//! Nothing here knows rows, generators or how the schedule was found: only relations, from the tree's own functions.

use crate::presburger::{DimKind, Map, Set, Space, UnionMap, UnionSet};
use crate::scop::tree::{Band, Node, Tree};
use std::fmt;

/// What a schedule does wrong.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Whether it runs a sink before (or together with) its source, or runs both in one parallel loop.
    pub fault: Fault,
    /// Pairs with which it does so.
    pub pairs: Map,
}

/// A way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A sink does not run after its source.
    Order,
    /// A loop that is said to be parallel carries a dependence.
    Parallel,
    /// The tree has a node that is not supported here, or misses an instance.
    Shape,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            Fault::Order => "does not run the source of a dependence before its sink",
            Fault::Parallel => "runs a dependent pair in different iterations of a parallel loop",
            Fault::Shape => "cannot be checked",
        };
        write!(f, "the schedule {what}: {}", self.pairs.sample_basic())
    }
}

impl std::error::Error for Violation {}

/// How the iterations of coincident members run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Members {
    Parallel,
    InOrder,
}

/// Whether the tree orders all pairs of `order`, and no coincident member separates a pair of `order` or of `coincide`.
pub fn check(tree: &Tree, order: &UnionMap, coincide: &UnionMap) -> Result<(), Violation> {
    let domain = tree.domain();
    let pairs = |relation: &UnionMap| -> Vec<Map> {
        let inside = relation.intersect_domain(&domain).intersect_range(&domain);
        inside.maps().filter(|m| !m.is_empty()).cloned().collect()
    };
    walk(tree.root(), Members::Parallel, pairs(order), pairs(&coincide.subtract(order)))
}

/// Whether the tree orders all pairs, if the iterations of its coincident members are taken in their order.
pub fn check_order(tree: &Tree, order: &UnionMap) -> Result<(), Violation> {
    let domain = tree.domain();
    let inside = order.intersect_domain(&domain).intersect_range(&domain);
    walk(tree.root(), Members::InOrder, inside.maps().filter(|m| !m.is_empty()).cloned().collect(), Vec::new())
}

/// `ordered` must be put in order by the node, `loose` must not be separated by its coincident members, if these are parallel.
fn walk(node: &Node, members: Members, ordered: Vec<Map>, loose: Vec<Map>) -> Result<(), Violation> {
    match node {
        Node::Leaf => match ordered.into_iter().find(|pairs| !pairs.is_empty()) {
            Some(pairs) => Err(Violation { fault: Fault::Order, pairs }),
            None => Ok(()),
        },
        Node::Domain { child, .. } | Node::Context { child, .. } | Node::Mark { child, .. } => {
            walk(child, members, ordered, loose)
        }
        Node::Filter { filter, child } => walk(child, members, among(&ordered, filter), among(&loose, filter)),
        Node::Band { band, child } => {
            let (ordered, loose) = through(band, members, ordered, loose)?;
            walk(child, members, ordered, loose)
        }
        Node::Sequence(children) => {
            let filters = filters_of(children, &ordered)?;
            for (later, after) in filters.iter().enumerate() {
                for before in &filters[later + 1..] {
                    none_between(&ordered, before, after)?;
                }
            }
            children.iter().try_for_each(|child| walk(child, members, ordered.clone(), loose.clone()))
        }
        Node::Set(children) => {
            let filters = filters_of(children, &ordered)?;
            for (one, first) in filters.iter().enumerate() {
                for (other, second) in filters.iter().enumerate().filter(|(other, _)| *other != one) {
                    assert_ne!(one, other, "law: two different children");
                    none_between(&ordered, first, second)?;
                }
            }
            children.iter().try_for_each(|child| walk(child, members, ordered.clone(), loose.clone()))
        }
        Node::Extension { extension, .. } => {
            let pairs = extension.maps().next().cloned();
            let pairs = pairs.unwrap_or_else(|| Map::empty(&Space::alloc_map(&[], 0, 0)));
            Err(Violation { fault: Fault::Shape, pairs })
        }
    }
}

fn among(pairs: &[Map], filter: &UnionSet) -> Vec<Map> {
    pairs.iter().filter_map(|map| between(map, filter, filter)).filter(|map| !map.is_empty()).collect()
}

/// The pairs with their source in `before` and their sink in `after`; `None` where these are about other statements, as most children of a long
/// sequence are.
fn between(map: &Map, before: &UnionSet, after: &UnionSet) -> Option<Map> {
    let (domain, range) = (extract(before, map, DimKind::In), extract(after, map, DimKind::Out));
    let is_possible = !domain.plain_is_empty() && !range.plain_is_empty();
    is_possible.then(|| map.intersect_domain(&domain).intersect_range(&range))
}

fn extract(filter: &UnionSet, map: &Map, end: DimKind) -> Set {
    let space = if end == DimKind::In { map.space().domain() } else { map.space().range() };
    filter.extract_set(&space)
}

/// The filters of the children, which must cover both ends of all pairs.
fn filters_of<'a>(children: &'a [Node], pairs: &[Map]) -> Result<Vec<&'a UnionSet>, Violation> {
    let filter = |child: &'a Node| match child {
        Node::Filter { filter, .. } => Some(filter),
        _ => None,
    };
    let shape = |map: &Map| Violation { fault: Fault::Shape, pairs: map.clone() };
    let filters: Option<Vec<&UnionSet>> = children.iter().map(filter).collect();
    let Some(filters) = filters else {
        return match pairs.first() {
            Some(map) => Err(shape(map)),
            None => Ok(Vec::new()),
        };
    };
    for map in pairs {
        let covers = |end: DimKind, ends: Set| {
            let union = filters.iter().map(|f| extract(f, map, end)).reduce(|a, b| a.union(&b));
            union.is_some_and(|union| ends.is_subset(&union))
        };
        if !covers(DimKind::In, map.domain()) || !covers(DimKind::Out, map.range()) {
            return Err(shape(map));
        }
    }
    Ok(filters)
}

/// That no source is in `before` with its sink in `after`.
fn none_between(pairs: &[Map], before: &UnionSet, after: &UnionSet) -> Result<(), Violation> {
    for map in pairs {
        if let Some(wrong) = between(map, before, after).filter(|wrong| !wrong.is_empty()) {
            return Err(Violation { fault: Fault::Order, pairs: wrong });
        }
    }
    Ok(())
}

/// The pairs that no member of the band orders.
fn through(
    band: &Band,
    members: Members,
    mut ordered: Vec<Map>,
    mut loose: Vec<Map>,
) -> Result<(Vec<Map>, Vec<Map>), Violation> {
    for member in 0..band.n_member() {
        let coincident = members == Members::Parallel && band.coincident[member];
        let mut left = Vec::new();
        for map in ordered {
            let dated = Dated::of(band, member, &map)?;
            let backward = dated.backward();
            if !backward.is_empty() {
                return Err(Violation { fault: Fault::Order, pairs: backward });
            }
            if let Some(pairs) = coincident.then(|| dated.forward()).filter(|forward| !forward.is_empty()) {
                return Err(Violation { fault: Fault::Parallel, pairs });
            }
            left.push(dated.equal());
        }
        ordered = left.into_iter().filter(|map| !map.is_empty()).collect();
        let mut left = Vec::new();
        for map in loose {
            let dated = Dated::of(band, member, &map)?;
            let apart = || [dated.backward(), dated.forward()].into_iter().find(|pairs| !pairs.is_empty());
            if let Some(pairs) = coincident.then(apart).flatten() {
                return Err(Violation { fault: Fault::Parallel, pairs });
            }
            left.push(dated.equal());
        }
        loose = left.into_iter().filter(|map| !map.is_empty()).collect();
    }
    Ok((ordered, loose))
}

/// Pairs with the dates that a member of a band gives to both ends.
struct Dated<'a> {
    pairs: &'a Map,
    of_source: Map,
    of_sink: Map,
}

impl<'a> Dated<'a> {
    fn of(band: &Band, member: usize, pairs: &'a Map) -> Result<Dated<'a>, Violation> {
        let aff = band.partial.aff(member);
        let of_source = Map::from_pw_aff(&aff.extract_pw_aff(&pairs.space().domain()));
        let of_sink = Map::from_pw_aff(&aff.extract_pw_aff(&pairs.space().range()));
        let has_dates = |dates: &Set, ends: &dyn Fn() -> Set| dates.plain_is_universe() || ends().is_subset(dates);
        let sources_have = has_dates(&of_source.domain(), &|| pairs.domain());
        if !sources_have || !has_dates(&of_sink.domain(), &|| pairs.range()) {
            return Err(Violation { fault: Fault::Shape, pairs: pairs.clone() });
        }
        Ok(Dated { pairs, of_source, of_sink })
    }

    /// The pairs whose source is later than the sink.
    fn backward(&self) -> Map {
        self.related(&Map::lex_gt(&self.date()))
    }

    /// The pairs whose source is earlier than the sink.
    fn forward(&self) -> Map {
        self.related(&Map::lex_lt(&self.date()))
    }

    /// The pairs whose source is together with the sink.
    fn equal(&self) -> Map {
        self.related(&Map::identity(&self.date().map_from_set()))
    }

    fn date(&self) -> Space {
        self.of_sink.space().range()
    }

    fn related(&self, order: &Map) -> Map {
        self.pairs.intersect(&self.of_source.apply_range(order).apply_range(&self.of_sink.reverse()))
    }
}
