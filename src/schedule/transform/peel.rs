//! Loops cut in two: the first or last iterations, or those below a value, apart from the rest.
//!
//! Peeling the first iteration off `for (i = 0; i < n; i++) S(i)` gives `if (n >= 1) S(0); for (i = 1; i < n; i++) S(i)`: a sequence of two filters, the
//! loop below each. An instance is among the first `n` iterations if no instance with the same values of the outer loops is `n` or more before it,
//! so the loop's start need not be known as an expression.

use super::{Loop, Loops, Outcome, band, band_at, filtered, no, under};
use crate::presburger::{DimKind, Map, Set, UnionMap, UnionPwAff, UnionSet};
use crate::scop::tree::{Node, Tree};

/// Which end of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The first iterations.
    First,
    /// The last ones.
    Last,
}

/// The `n` iterations at one end of the loop apart.
pub fn peel(tree: &Tree, each: &Loop, end: End, n: i64) -> Outcome {
    if n < 1 {
        return no("at least one iteration is peeled");
    }
    let (tree, path) = band::gathered(tree, &Loops::one(each))?;
    let (band, _) = band_at(&tree, &path)?;
    let Some(prefix) = tree.prefix(&path) else { return no("there is no such place") };
    let values = prefix.union_map().flat_range_product(&band.partial.as_union_map());
    let dates = values.range();
    let Some(space) = dates.sets().next().map(|set| set.space().clone()) else { return no("nothing runs there") };
    let depth = space.dim(DimKind::Out) - 1;
    let earlier = distant(&Set::universe(&space), depth, n, end);
    let pairs = values.apply_range(&UnionMap::from_map(&earlier)).apply_range(&values.reverse());
    let beyond = pairs.domain();
    let (first, second) = match end {
        End::First => (prefix.domain().subtract(&beyond), beyond),
        End::Last => (beyond.clone(), prefix.domain().subtract(&beyond)),
    };
    in_two(&tree, &path, prefix.domain(), &first, &second)
}

/// From dates to those with the same outer values that are `n` or more before (or after) them.
fn distant(dates: &Set, depth: usize, n: i64, end: End) -> Map {
    let mut pairs = Map::from_domain_and_range(dates, dates);
    for outer in 0..depth {
        pairs = pairs.equate(DimKind::In, outer, DimKind::Out, outer);
    }
    let far = match end {
        End::First => format!("{{ [a] -> [b] : b <= a - {n} }}"),
        End::Last => format!("{{ [a] -> [b] : b >= a + {n} }}"),
    };
    let far: Map = far.parse().expect("law: a well-formed relation");
    let far = far.insert_dims(DimKind::In, 0, depth).insert_dims(DimKind::Out, 0, depth);
    pairs.intersect(&far.align_params(pairs.space()).reset_space(pairs.space()))
}

/// The instances whose value of the loop is below `bound` before the others.
pub fn split(tree: &Tree, each: &Loop, bound: &UnionPwAff) -> Outcome {
    let (tree, path) = band::gathered(tree, &Loops::one(each))?;
    let (band, _) = band_at(&tree, &path)?;
    let Some(prefix) = tree.prefix(&path) else { return no("there is no such place") };
    let distance = bound.sub(band.partial.aff(0));
    let positive = distance.pw_affs().map(|aff| aff.pos_set());
    let below = positive.fold(UnionSet::empty(&[]), |all, set| all.union(&UnionSet::from_set(&set)));
    let first = prefix.domain().intersect(&below);
    let second = prefix.domain().subtract(&below);
    in_two(&tree, &path, prefix.domain(), &first, &second)
}

fn in_two(tree: &Tree, path: &[usize], all: &UnionSet, first: &UnionSet, second: &UnionSet) -> Outcome {
    let (band, child) = band_at(tree, path)?;
    if band.isolate.is_some() {
        return no("the band isolates iterations: isolate comes last");
    }
    if first.is_empty() || second.is_empty() {
        return no("all iterations are on one side");
    }
    let part = |instances: &UnionSet| filtered(simplified(instances, all), under(band.clone(), child.clone()));
    Ok(tree.with_node(path, Node::Sequence(vec![part(first), part(second)])))
}

/// `instances` without what is so for `all` of them; a statement without instances is left out.
fn simplified(instances: &UnionSet, all: &UnionSet) -> UnionSet {
    let mut simple = UnionSet::empty(&[]);
    for set in instances.sets().filter(|set| !set.is_empty()) {
        simple.add_set(&set.coalesce().gist(&all.extract_set(set.space())).coalesce());
    }
    simple
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_at_a_distance() {
        let dates: Set = "{ [a, b] }".parse().expect("a set");
        let expected: Map = "{ [a, b] -> [a, c] : c <= b - 2 }".parse().expect("a relation");
        assert!(distant(&dates, 1, 2, End::First).is_equal(&expected));
    }
}
