//! Transitive closure of relations in several spaces.
//!
//! `{ A[i] -> B[i]; B[i] -> A[i + 1] }` is a graph with the nodes `A` and `B` whose edges are relations. Kleene's algorithm takes one node after the
//! other as a place to pass through: with `C` the closure of the loops at the node, each path `x -> node`, `C` any number of times,
//! `node -> y` becomes an edge `x -> y`. Passing through `A` gives `{ B[i] -> B[i + 1] }`, the closure of which makes `{ A[i] -> A[j] : j > i }` on the way through
//! `B`. Only closures within one space are ever guessed, so the result is exact if these are.

use super::map::Map;
use super::space::{Space, SpaceError, Tuples};
use super::union_map::UnionMap;

impl UnionMap {
    /// The closure, and whether it is exact; else it is too large. isl: `union_map_transitive_closure`.
    pub fn transitive_closure(&self) -> (UnionMap, bool) {
        let mut exact = true;
        let mut edges = self.clone();
        for node in self.nodes() {
            let loops = Space::from_domain_and_range(&node, &node);
            let part = |keep: &dyn Fn(&Space) -> bool, edges: &UnionMap| {
                let kept = edges.maps().filter(|map| keep(map.space()));
                kept.fold(UnionMap::empty(edges.params_space().params()), |mut all, map| {
                    all.add_map(map);
                    all
                })
            };
            let starts = |space: &Space| space.domain().has_equal_tuples(&node);
            let ends = |space: &Space| space.range().has_equal_tuples(&node);
            let around = edges.extract_map(&loops.with_params(edges.params_space().params()));
            let closed = if around.plain_is_empty() {
                Map::empty(&loops)
            } else {
                let (closed, is_exact) = around.transitive_closure();
                exact &= is_exact;
                closed
            };
            let closed = UnionMap::from_map(&closed);
            let into = part(&|space| ends(space) && !starts(space), &edges);
            let out_of = part(&|space| starts(space) && !ends(space), &edges);
            let into = into.union(&into.apply_range(&closed));
            let through = into.apply_range(&out_of);
            let onwards = closed.apply_range(&out_of);
            edges = edges.union(&closed).union(&into).union(&onwards).union(&through).coalesce();
        }
        (edges, exact)
    }

    /// `{ [k] -> [x -> y] : x -> y in R^k, k >= 1 }` for relations that each stay within one space; an error for others. The flag says whether it is
    /// exact; else it contains the powers. isl: `union_map_power`.
    pub fn power(&self) -> Result<(UnionMap, bool), SpaceError> {
        let start = (UnionMap::empty(self.params_space().params()), true);
        self.maps().try_fold(start, |(mut all, exact), map| {
            map.space().check_endomorphic()?;
            let (powers, is_exact) = map.power();
            all.add_map(&powers);
            Ok((all, exact && is_exact))
        })
    }

    /// The spaces of domains and ranges, each once.
    fn nodes(&self) -> Vec<Space> {
        let mut nodes: Vec<Space> = Vec::new();
        for map in self.maps() {
            for space in [map.space().domain(), map.space().range()] {
                let is_tuple = matches!(space.tuples(), Tuples::Set(_));
                if is_tuple && !nodes.iter().any(|known| known.has_equal_tuples(&space)) {
                    nodes.push(space);
                }
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::property;

    #[test]
    fn loops_through_several_spaces_are_closed_exactly() {
        let check = |relation: &str, expected: &str| {
            let (closure, exact) = UnionMap::parse(relation).expect("a relation").transitive_closure();
            assert!(exact && closure.is_equal(&UnionMap::parse(expected).expect("a relation")), "{closure}");
        };
        check(
            "{ A[i] -> B[i]; B[i] -> A[i + 1] }",
            "{ A[i] -> A[j] : j > i; A[i] -> B[j] : j >= i; B[i] -> A[j] : j > i; B[i] -> B[j] : j > i }",
        );
        check("{ A[] -> B[]; B[] -> C[] }", "{ A[] -> B[]; B[] -> C[]; A[] -> C[] }");
        check(
            "{ A[i] -> B[i, 0]; B[i, j] -> B[i, j + 1] }",
            "{ A[i] -> B[i, j] : j >= 0; B[i, j] -> B[i, k] : k > j }",
        );
    }

    /// On finitely many elements the closure is the union of the powers.
    #[test]
    fn closures_hold_all_powers_and_exact_ones_no_more() {
        property(60, |u| {
            let mut edges = Vec::new();
            for _ in 0..u.int_in_range(1..=4)? {
                let (a, b) = (*u.choose(&["A", "B", "C"])?, *u.choose(&["A", "B", "C"])?);
                let (low, high, by) = (u.int_in_range(0..=2)?, u.int_in_range(2..=5)?, u.int_in_range(-2..=2)?);
                edges.push(format!("{a}[i] -> {b}[i + {by}] : {low} <= i <= {high} and 0 <= i + {by} <= 5"));
            }
            let relation = UnionMap::parse(&format!("{{ {} }}", edges.join("; "))).expect("a relation");
            let (closure, exact) = relation.transitive_closure();
            let mut powers = relation.clone();
            loop {
                let more = powers.union(&powers.apply_range(&relation)).coalesce();
                if more.is_subset(&powers) {
                    break;
                }
                powers = more;
            }
            assert!(powers.is_subset(&closure), "{relation}: {closure} lacks some of {powers}");
            assert!(!exact || closure.is_subset(&powers), "{relation}: {closure} is more than {powers}");
            Ok(())
        });
    }
}
