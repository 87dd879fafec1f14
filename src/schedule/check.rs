//! Is a schedule tree legal? Proved from the tree and the dependences alone.
//!
//! Walk the tree from the root with the pairs `source -> sink` that are not ordered yet. A band member `f` must have `f(source) <= f(sink)` on
//! all of them; only the pairs with equality go on. A sequence must not have the source in a later child than the sink; only pairs
//! within one child go on. At a leaf no pair may be left. For a member that claims to be *coincident*, the same is done with the
//! dependences that a parallel loop has to respect: at that member, with all loops outside of it fixed, both ends must agree.
//! In a *pipeline* of members `a` and `b` a thread has run all that comes before it by both: so no dependence may go backward along either, not even
//! where the other member orders it.
//!
//! Nothing here knows rows, generators or how the schedule was found: only relations, from the tree's own functions.
//!
//! Implements: 002 5.6.3

use crate::presburger::{Map, Set, Space, UnionMap, UnionSet};
use crate::scop::marks::PIPELINE;
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
    /// A loop of a band that is said to be permutable runs a dependence backward, which one outside of it in the band orders.
    Permutable,
    /// The tree has a node that is not supported here, or misses an instance.
    Shape,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            Fault::Order => "does not run the source of a dependence before its sink",
            Fault::Parallel => "runs a dependent pair in different iterations of a parallel loop",
            Fault::Permutable => "says of a band that it is permutable, a loop of which runs a dependence backward",
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
    let pairs = Pairs::between(&tree.domain(), order);
    let loose = Pairs::between(&tree.domain(), &coincide.subtract(order));
    walk(tree.root(), Members::Parallel, &tree.domain(), pairs.0, loose.0)
}

/// Pairs of instances, one relation for each two statements.
#[derive(Clone)]
pub struct Pairs(Vec<Map>);

impl Pairs {
    /// Those of a relation with both ends in `domain`.
    pub fn between(domain: &UnionSet, relation: &UnionMap) -> Pairs {
        let inside = relation.intersect_domain(domain).intersect_range(domain);
        Pairs(inside.maps().filter(|m| !m.is_empty()).cloned().collect())
    }

    /// Those that a band leaves to what is below it.
    ///
    /// # Errors
    /// One that the band puts in the wrong order, or that a coincident member separates.
    pub fn below_band(&self, band: &Band) -> Result<Pairs, Violation> {
        through(band, Members::Parallel, self.0.clone(), Vec::new()).map(|(left, _)| Pairs(left))
    }

    /// That threads can run a band of two members as a pipeline.
    ///
    /// # Errors
    /// One that a member puts in the wrong order, whatever the other one does.
    pub fn flow(&self, band: &Band) -> Result<(), Violation> {
        flows(band, &self.0, &[])
    }

    /// Those with both ends in a filter.
    pub fn below_filter(&self, filter: &UnionSet) -> Pairs {
        Pairs(among(&self.0, filter))
    }
}

/// Whether the tree orders all pairs, if the iterations of its coincident members are taken in their order.
pub fn check_order(tree: &Tree, order: &UnionMap) -> Result<(), Violation> {
    walk(tree.root(), Members::InOrder, &tree.domain(), Pairs::between(&tree.domain(), order).0, Vec::new())
}

/// Whether the members of each band that says that it is permutable order all pairs that come to it, each by itself: in whatever order they stand, and in tiles.
pub fn check_permutable(tree: &Tree, order: &UnionMap) -> Result<(), Violation> {
    each_member_orders(tree.root(), Pairs::between(&tree.domain(), order).0)
}

fn each_member_orders(node: &Node, ordered: Vec<Map>) -> Result<(), Violation> {
    match node {
        Node::Filter { filter, child } => each_member_orders(child, among(&ordered, filter)),
        Node::Band { band, child } => {
            let mut below = Vec::new();
            for map in ordered {
                let mut together = map.clone();
                for member in 0..band.n_member() {
                    let pairs = Dated::of(band, member, &map)?.backward();
                    if band.permutable && !pairs.is_empty() {
                        return Err(Violation { fault: Fault::Permutable, pairs });
                    }
                    together = Dated::of(band, member, &together)?.equal();
                }
                below.push(together);
            }
            below.retain(|map| !map.is_empty());
            each_member_orders(child, below)
        }
        _ => node.children().into_iter().try_for_each(|child| each_member_orders(child, ordered.clone())),
    }
}

/// Whether no pipeline separates a pair of updates of which parallel loops may run the ends at the same time, as threads have copies there: in a pipeline they have
/// none. (Pairs that loops around it put in order count as well: no such schedule is made.)
pub fn check_pipelines(tree: &Tree, updates: &UnionMap) -> Result<(), Violation> {
    without_copies(tree.root(), &Pairs::between(&tree.domain(), updates).0)
}

fn without_copies(node: &Node, updates: &[Map]) -> Result<(), Violation> {
    match node {
        Node::Filter { filter, child } => without_copies(child, &among(updates, filter)),
        Node::Mark { id, child } if id.as_str() == PIPELINE => match &**child {
            Node::Band { band, .. } => flows(band, &[], updates),
            _ => no_pipeline(updates, &[]),
        },
        _ => node.children().into_iter().try_for_each(|child| without_copies(child, updates)),
    }
}

/// `ordered` must be put in order by the node, which runs instances in `reach` only; `loose` must not be separated by its coincident members, if these
/// are parallel.
fn walk(node: &Node, members: Members, reach: &UnionSet, ordered: Vec<Map>, loose: Vec<Map>) -> Result<(), Violation> {
    match node {
        Node::Leaf => match ordered.into_iter().find(|pairs| !pairs.is_empty()) {
            Some(pairs) => Err(Violation { fault: Fault::Order, pairs }),
            None => Ok(()),
        },
        Node::Mark { id, child } if id.as_str() == PIPELINE => {
            match &**child {
                Node::Band { band, .. } => flows(band, &ordered, &loose)?,
                _ => no_pipeline(&ordered, &loose)?,
            }
            walk(child, members, reach, ordered, loose)
        }
        Node::Domain { child, .. } | Node::Context { child, .. } | Node::Mark { child, .. } => {
            walk(child, members, reach, ordered, loose)
        }
        Node::Filter { filter, child } => {
            walk(child, members, &reach.intersect(filter), among(&ordered, filter), among(&loose, filter))
        }
        Node::Band { band, child } => {
            let (ordered, loose) = through(band, members, ordered, loose)?;
            walk(child, members, reach, ordered, loose)
        }
        Node::Sequence(children) => below(children, |before, after| before > after, members, reach, &ordered, &loose),
        Node::Set(children) => below(children, |before, after| before != after, members, reach, &ordered, &loose),
        Node::Extension { extension, .. } => {
            let pairs = extension.maps().next().cloned();
            let pairs = pairs.unwrap_or_else(|| Map::empty(&Space::alloc_map(&[], 0, 0)));
            Err(Violation { fault: Fault::Shape, pairs })
        }
    }
}

/// That a band has two members along each of which all pairs of `ordered` go forward, and the second one of which separates none of `loose`.
fn flows(band: &Band, ordered: &[Map], loose: &[Map]) -> Result<(), Violation> {
    if band.n_member() != 2 || band.coincident.contains(&true) {
        return no_pipeline(ordered, loose);
    }
    for map in ordered {
        for member in 0..2 {
            let pairs = Dated::of(band, member, map)?.backward();
            if !pairs.is_empty() {
                return Err(Violation { fault: Fault::Parallel, pairs });
            }
        }
    }
    for map in loose {
        let dated = Dated::of(band, 1, map)?;
        if let Some(pairs) = [dated.backward(), dated.forward()].into_iter().find(|pairs| !pairs.is_empty()) {
            return Err(Violation { fault: Fault::Parallel, pairs });
        }
    }
    Ok(())
}

/// Nothing that the mark of a pipeline can be above, if there is anything to keep in order.
fn no_pipeline(ordered: &[Map], loose: &[Map]) -> Result<(), Violation> {
    match ordered.first().or(loose.first()) {
        Some(pairs) => Err(Violation { fault: Fault::Shape, pairs: pairs.clone() }),
        None => Ok(()),
    }
}

fn among(pairs: &[Map], filter: &UnionSet) -> Vec<Map> {
    let within = |map: &Map| {
        let ends = Ends::of(map, &[filter]);
        let (sources, sinks) = (ends.sources.first()?, ends.sinks.first()?);
        Some(map.intersect_domain(&sources.1).intersect_range(&sinks.1))
    };
    pairs.iter().filter_map(within).filter(|map| !map.is_empty()).collect()
}

/// The children of a node, each with the pairs within it, if no pair of `ordered` has its source in the first and its sink in the second of two
/// children that are `wrong`, by their places.
fn below(
    children: &[Node],
    wrong: impl Fn(usize, usize) -> bool,
    members: Members,
    reach: &UnionSet,
    ordered: &[Map],
    loose: &[Map],
) -> Result<(), Violation> {
    let filters: Option<Vec<&UnionSet>> = children.iter().map(filter_of).collect();
    let Some(filters) = filters else {
        return match ordered.first().or(loose.first()) {
            Some(pairs) => Err(Violation { fault: Fault::Shape, pairs: pairs.clone() }),
            None => children.iter().try_for_each(|child| walk(child, members, reach, Vec::new(), Vec::new())),
        };
    };
    let ends = |pairs: &[Map]| -> Vec<Ends> { pairs.iter().map(|map| Ends::of(map, &filters)).collect() };
    let (ends_of_ordered, ends_of_loose) = (ends(ordered), ends(loose));
    let covered = if ordered.is_empty() { Vec::new() } else { covered(reach, &filters) };
    for (pairs, ends) in ordered.iter().zip(&ends_of_ordered) {
        ends.cover(pairs, &covered)?;
        ends.none_between(pairs, &wrong)?;
    }
    for (at, child) in children.iter().enumerate() {
        let within = |pairs: &[Map], ends: &[Ends]| -> Vec<Map> {
            pairs.iter().zip(ends).filter(|(_, ends)| ends.may_be_within(at)).map(|(map, _)| map.clone()).collect()
        };
        walk(child, members, reach, within(ordered, &ends_of_ordered), within(loose, &ends_of_loose))?;
    }
    Ok(())
}

fn filter_of(child: &Node) -> Option<&UnionSet> {
    match child {
        Node::Filter { filter, .. } => Some(filter),
        _ => None,
    }
}

/// The spaces of which some filter has all that reaches them.
fn covered(reach: &UnionSet, filters: &[&UnionSet]) -> Vec<Space> {
    let is_covered = |set: &Set| {
        let mut holding = filters.iter().filter(|filter| filter.contains_space(set.space()));
        holding.any(|filter| set.is_subset(&filter.extract_set(set.space())))
    };
    reach.sets().filter(is_covered).map(|set| set.space().clone()).collect()
}

/// In which children of a node the ends of some pairs may be, by the children's places, with the child's instances of that statement. Most children of
/// a long sequence are about other statements.
struct Ends {
    sources: Vec<(usize, Set)>,
    sinks: Vec<(usize, Set)>,
}

impl Ends {
    fn of(pairs: &Map, filters: &[&UnionSet]) -> Ends {
        let inside = |space: Space| -> Vec<(usize, Set)> {
            let holds = filters.iter().enumerate().filter(|(_, filter)| filter.contains_space(&space));
            let sets = holds.map(|(at, filter)| (at, filter.extract_set(&space)));
            sets.filter(|(_, set)| !set.plain_is_empty()).collect()
        };
        Ends { sources: inside(pairs.space().domain()), sinks: inside(pairs.space().range()) }
    }

    /// That each end of each pair is in some child; in the spaces `covered` everything is that reaches them.
    fn cover(&self, pairs: &Map, covered: &[Space]) -> Result<(), Violation> {
        let is_covered = |space: Space, ends: &dyn Fn() -> Set, parts: &[(usize, Set)]| {
            let all = || parts.iter().map(|(_, set)| set.clone()).reduce(|a, b| a.union(&b));
            covered.iter().any(|known| known.has_equal_tuples(&space))
                || all().is_some_and(|all| ends().is_subset(&all))
        };
        let (sources, sinks) = (pairs.space().domain(), pairs.space().range());
        let are_covered =
            is_covered(sources, &|| pairs.domain(), &self.sources) && is_covered(sinks, &|| pairs.range(), &self.sinks);
        match are_covered {
            true => Ok(()),
            false => Err(Violation { fault: Fault::Shape, pairs: pairs.clone() }),
        }
    }

    /// That no source is in a child with its sink in a child where this is `wrong`.
    fn none_between(&self, pairs: &Map, wrong: impl Fn(usize, usize) -> bool) -> Result<(), Violation> {
        for (before, sources) in &self.sources {
            for (_, sinks) in self.sinks.iter().filter(|(after, _)| wrong(*before, *after)) {
                let pairs = pairs.intersect_domain(sources).intersect_range(sinks);
                if !pairs.is_empty() {
                    return Err(Violation { fault: Fault::Order, pairs });
                }
            }
        }
        Ok(())
    }

    fn may_be_within(&self, child: usize) -> bool {
        let is_there = |parts: &[(usize, Set)]| parts.iter().any(|(at, _)| *at == child);
        is_there(&self.sources) && is_there(&self.sinks)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> UnionMap {
        UnionMap::parse(text).expect("a relation")
    }

    fn tree(text: &str) -> Tree {
        Tree::parse(text).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn members_of_permutable_bands_order_each_by_itself() {
        let band = |members: &str, permutable: &str| {
            let text = format!(
                r#"{{ domain: "{{ S[i, j] : 0 <= i, j < 5 }}", child: {{ schedule: "[{members}]"{permutable} }} }}"#
            );
            tree(&text)
        };
        let (skewed, plain) =
            ("{ S[i, j] -> [(i)] }, { S[i, j] -> [(i + j)] }", "{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }");
        let pairs = map("{ S[i, j] -> S[i + 1, j - 1] : 0 <= i < 4 and 1 <= j < 5 }");
        let fault = |members, permutable| {
            check_permutable(&band(members, permutable), &pairs).err().map(|violation| violation.fault)
        };
        assert_eq!(fault(plain, ", permutable: 1"), Some(Fault::Permutable));
        assert_eq!(fault(plain, ""), None);
        assert_eq!(fault(skewed, ", permutable: 1"), None);
        // What a loop outside orders may go either way inside.
        let outside = r#"{ domain: "{ S[i, j] : 0 <= i, j < 5 }", child: { schedule: "[{ S[i, j] -> [(i)] }]", permutable: 1, child: { schedule: "[{ S[i, j] -> [(j)] }, { S[i, j] -> [(-j)] }]", permutable: 1 } } }"#;
        assert!(check_permutable(&tree(outside), &pairs).is_ok());
        let within = map("{ S[i, j] -> S[i, j + 1] : 0 <= i < 5 and 0 <= j < 4 }");
        assert!(check_permutable(&tree(outside), &within).is_err());
    }

    /// What is wrong with a schedule, if these pairs are to be in order and those to be together in parallel loops.
    fn fault(schedule: &str, order: &str, coincide: &str) -> Option<Fault> {
        check(&tree(schedule), &map(order), &map(coincide)).err().map(|violation| violation.fault)
    }

    const PARALLEL: &str =
        r#"{ domain: "{ S[i] : 0 <= i < 5 }", child: { schedule: "[{ S[i] -> [(i)] }]", coincident: [ 1 ] } }"#;
    const BACKWARD: &str = r#"{ domain: "{ S[i] : 0 <= i < 5 }", child: { schedule: "[{ S[i] -> [(-i)] }]" } }"#;
    const NEXT: &str = "{ S[i] -> S[i + 1] : 0 <= i < 4 }";
    const NOTHING: &str = "{ }";

    #[test]
    fn members_keep_the_order_and_parallel_ones_separate_nothing() {
        let forward = PARALLEL.replace(", coincident: [ 1 ]", "");
        assert_eq!(fault(&forward, NEXT, NOTHING), None);
        assert_eq!(fault(BACKWARD, NEXT, NOTHING), Some(Fault::Order));
        assert_eq!(fault(PARALLEL, NEXT, NOTHING), Some(Fault::Parallel));
        assert_eq!(fault(PARALLEL, NOTHING, NEXT), Some(Fault::Parallel));
        assert_eq!(fault(PARALLEL, NOTHING, "{ S[i] -> S[i - 1] : 0 < i < 5 }"), Some(Fault::Parallel));
        assert_eq!(fault(&forward, NOTHING, NEXT), None);
        assert_eq!(fault(PARALLEL, NOTHING, NOTHING), None);
        assert_eq!(
            fault(PARALLEL, "{ S[i] -> S[i] : 0 <= i < 5 }", NOTHING),
            Some(Fault::Order),
            "nothing is before itself"
        );
        assert_eq!(
            fault(PARALLEL, "{ S[i] -> S[i + 9] : 0 <= i }", NOTHING),
            None,
            "what is not in the domain does not run"
        );
    }

    #[test]
    fn the_order_alone_takes_parallel_loops_as_they_come() {
        assert!(check_order(&tree(PARALLEL), &map(NEXT)).is_ok());
        let wrong = check_order(&tree(BACKWARD), &map(NEXT)).expect_err("a wrong order");
        assert_eq!(wrong.fault, Fault::Order);
        assert!(
            wrong.to_string().starts_with("the schedule does not run the source of a dependence before its sink: ")
        );
    }

    /// What is together outside may be apart inside, and what is apart outside is of no concern inside.
    #[test]
    fn inner_members_are_asked_for_what_outer_ones_leave() {
        let two = r#"{ domain: "{ S[i, j] : 0 <= i, j < 5 }", child: { schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(-j)] }]", coincident: [ 0, 1 ] } }"#;
        assert_eq!(fault(two, "{ S[i, j] -> S[i + 1, k] }", NOTHING), None);
        assert_eq!(fault(two, "{ S[i, j] -> S[i, j + 1] }", NOTHING), Some(Fault::Order));
        assert_eq!(fault(two, "{ S[i, j] -> S[i, j - 1] }", NOTHING), Some(Fault::Parallel));
        assert_eq!(fault(two, NOTHING, "{ S[i, j] -> S[i + 1, k] }"), None);
        assert_eq!(fault(two, NOTHING, "{ S[i, j] -> S[i, j + 1] }"), Some(Fault::Parallel));
    }

    /// What one member puts in order may not go backward along the other one: another thread may have come further there.
    #[test]
    fn pairs_go_forward_along_both_members_of_a_pipeline() {
        let of = |members: &str, rest: &str| {
            format!(
                r#"{{ domain: "{{ S[i, j] : 0 <= i, j < 5 }}", child: {{ mark: "pipeline", child: {{ schedule: "[{members}]"{rest} }} }} }}"#
            )
        };
        let two = of("{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }", "");
        assert_eq!(fault(&two, "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }", NOTHING), None);
        assert_eq!(fault(&two, "{ S[i, j] -> S[i + 1, j + 2] }", NOTHING), None);
        assert_eq!(fault(&two, "{ S[i, j] -> S[i - 1, j + 1] }", NOTHING), Some(Fault::Parallel));
        assert_eq!(fault(&two, "{ S[i, j] -> S[i + 1, j - 1] }", NOTHING), Some(Fault::Parallel));
        assert_eq!(fault(&two.replace("pipeline", "other"), "{ S[i, j] -> S[i - 1, j + 1] }", NOTHING), None);
        assert_eq!(
            fault(&two, NOTHING, "{ S[i, j] -> S[i, j + 1]; S[i, j] -> S[i, j - 1] }"),
            None,
            "one thread has both"
        );
        assert_eq!(fault(&two, NOTHING, "{ S[i, j] -> S[i + 1, j] }"), Some(Fault::Parallel));
        let one = of("{ S[i, j] -> [(5 i + j)] }", "");
        assert_eq!(fault(&one, "{ S[i, j] -> S[i, j + 1] }", NOTHING), Some(Fault::Shape));
        let coincident = of("{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }", ", coincident: [ 0, 1 ]");
        assert_eq!(fault(&coincident, "{ S[i, j] -> S[i, j + 1] }", NOTHING), Some(Fault::Shape));
    }

    #[test]
    fn threads_have_no_copies_in_a_pipeline() {
        let two = "{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }";
        let of = |mark: &str| {
            tree(&format!(
                r#"{{ domain: "{{ S[i, j] : 0 <= i, j < 5 }}", child: {{ mark: "{mark}", child: {{ schedule: "[{two}]" }} }} }}"#
            ))
        };
        let sum = map("{ S[i, j] -> S[k, l] : k > i or (k = i and l > j) }");
        assert!(check_pipelines(&of("pipeline"), &sum).is_err());
        assert!(check_pipelines(&of("other"), &sum).is_ok());
        assert!(
            check_pipelines(&of("pipeline"), &map("{ S[i, j] -> S[i, l] : l > j }")).is_ok(),
            "one thread has both"
        );
    }

    const DOMAIN: &str = "{ S[i] : 0 <= i < 5; T[i] : 0 <= i < 5 }";

    #[test]
    fn children_run_in_order_in_sequences_and_in_any_order_in_sets() {
        let both = |word: &str, first: &str, second: &str| {
            format!(
                r#"{{ domain: "{DOMAIN}", child: {{ {word}: [ {{ filter: "{first}" }}, {{ filter: "{second}" }} ] }} }}"#
            )
        };
        let pairs = "{ S[i] -> T[i] }";
        assert_eq!(fault(&both("sequence", "{ S[i] }", "{ T[i] }"), pairs, NOTHING), None);
        assert_eq!(fault(&both("sequence", "{ T[i] }", "{ S[i] }"), pairs, NOTHING), Some(Fault::Order));
        assert_eq!(fault(&both("set", "{ S[i] }", "{ T[i] }"), pairs, NOTHING), Some(Fault::Order));
        assert_eq!(fault(&both("set", "{ S[i] }", "{ T[i] }"), NOTHING, NOTHING), None);
        assert_eq!(fault(&both("sequence", "{ S[i] }", "{ T[i] : i > 2 }"), pairs, NOTHING), Some(Fault::Shape));
        assert_eq!(fault(&both("sequence", "{ S[i] : i > 2 }", "{ T[i] }"), pairs, NOTHING), Some(Fault::Shape));
        assert_eq!(fault(&both("sequence", "{ S[i] : i > 2 }", "{ T[i] }"), "{ S[i] -> T[i] : i > 3 }", NOTHING), None);
    }

    #[test]
    fn each_end_has_a_date() {
        let dated = |s: &str, t: &str| {
            format!(r#"{{ domain: "{DOMAIN}", child: {{ schedule: "[{{ S[i] -> [(0)]{s}; T[i] -> [(1)]{t} }}]" }} }}"#)
        };
        assert_eq!(fault(&dated("", ""), "{ S[i] -> T[i] }", NOTHING), None);
        assert_eq!(fault(&dated(" : i > 2", ""), "{ S[i] -> T[i] }", NOTHING), Some(Fault::Shape));
        assert_eq!(fault(&dated("", " : i > 2"), "{ S[i] -> T[i] }", NOTHING), Some(Fault::Shape));
        assert_eq!(fault(&dated("", " : i > 2"), "{ S[i] -> T[i] : i > 3 }", NOTHING), None);
    }
}
