//! Iterations in which all numbers of all statements are plain, in loops of their own.
//!
//! ```text
//! domain   { S[i, j] : 0 <= i, j < n }                 for (c0 = 0; c0 <= n - 1; c0 += 1) {
//! regular  { S[i, j] : j < n - 1 }                       for (c1 = 0; c1 <= n - 2; c1 += 1)
//! band     [ S[i, j] -> i ]                                S(c0, c1);
//! band     [ S[i, j] -> j ]                              if (n >= 1)
//!          isolate[[i] -> [j]] : j < n - 1                 S(c0, n - 1);
//!                                                      }
//! ```
//!
//! This is index set splitting (Griebl, Feautrier and Lengauer 2000) by what statements compute, not by what they depend on. The order stays the same. The innermost loop of many
//! iterations is split: shorter ones inside of it, as over the neighbours of a point, stay whole.

use crate::presburger::{Aff, DimKind, Id, Map, MultiUnionPwAff, PwAff, Set, UnionSet};
use crate::scop::prefix::Prefix;
use crate::scop::tree::{Band, LoopKind, Node};
use crate::scop::{Scop, Statement, Tree, is_thick};
use std::collections::BTreeMap;

/// The tree with regular instances of the model's statements apart from others; `None` if nothing is split.
pub fn apart(tree: &Tree, scop: &Scop) -> Option<Tree> {
    let of = |statement: &Statement| Some((statement.name.clone(), statement.regular.clone()?));
    let regular: BTreeMap<Id, Set> = scop.statements.iter().filter_map(of).collect();
    if regular.is_empty()
        || scop.statements.iter().filter(|s| s.regular.is_some()).any(|s| are_neighbours_skewed(tree.root(), s))
    {
        return None;
    }
    match below(tree, &mut Vec::new(), &regular) {
        (split, Place::Split) => Some(split),
        _ => None,
    }
}

/// Whether a loop goes over neighbours of a point and something else at once: then borders are all over, and to find out where takes longer than all else.
fn are_neighbours_skewed(node: &Node, statement: &Statement) -> bool {
    let is_own = |function: &&PwAff| function.domain_space().tuple_name(DimKind::Out) == Some(&statement.name);
    let is_skewed = |aff: Aff| {
        let counted: Vec<usize> =
            (0..statement.domain.dim(DimKind::Out)).filter(|at| aff.involves(DimKind::Out, *at, 1)).collect();
        counted.len() > 1 && counted.iter().any(|at| !is_thick(&statement.domain, *at))
    };
    let of_band = |band: &Band| {
        let own = band.partial.affs().iter().flat_map(|member| member.pw_affs()).filter(is_own);
        own.filter_map(|function| function.as_aff()).any(is_skewed)
    };
    matches!(node, Node::Band { band, .. } if of_band(band))
        || node.children().into_iter().any(|child| are_neighbours_skewed(child, statement))
}

/// What became of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    /// Somebody else has isolated iterations of loops there.
    Taken,
    Split,
}

/// With what is below a place split.
fn below(tree: &Tree, path: &mut Vec<usize>, regular: &BTreeMap<Id, Set>) -> (Tree, Place) {
    let (mut tree, mut place) = (tree.clone(), Place::Whole);
    let n = tree.node(path).map_or(0, |node| node.children().len());
    for child in 0..n {
        path.push(child);
        let (inner, below) = below(&tree, path, regular);
        path.pop();
        tree = inner;
        place = if below == Place::Whole || place == Place::Split { place } else { below };
    }
    let Some(Node::Band { band, child }) = tree.node(path).filter(|_| place == Place::Whole) else {
        return (tree, place);
    };
    if band.isolate.is_some() {
        return (tree, Place::Taken);
    }
    let Some(isolate) = isolated(&tree, path, band, regular) else { return (tree, Place::Whole) };
    let split = Node::Band { band: Band { isolate: Some(isolate), ..band.clone() }, child: child.clone() };
    (tree.with_node(path, split), Place::Split)
}

/// The iterations of a band with regular instances only, if there are others and the band has a loop of many iterations.
fn isolated(tree: &Tree, path: &[usize], band: &Band, regular: &BTreeMap<Id, Set>) -> Option<Set> {
    if band.options.contains(&LoopKind::Unroll) {
        return None;
    }
    let prefix = tree.prefix(path)?;
    let (outer, n) = (prefix.members().n(), band.n_member());
    let dates = |instances: &UnionSet| dates(&prefix, &band.partial, instances);
    let union = |all: Option<Set>, more: Set| Some(all.map_or(more.clone(), |all| all.union(&more)));
    let (mut all, mut bad, mut longest): (Option<Set>, Option<Set>, Option<usize>) = (None, None, None);
    for set in prefix.domain().sets() {
        let Some(there) = dates(&UnionSet::from_set(&set)) else { continue };
        let name = set.space().tuple_name(DimKind::Out)?;
        if let Some(regular) = regular.get(name) {
            longest = longest.max((0..n).rev().find(|at| is_thick(&there, outer + at)));
            bad = dates(&UnionSet::from_set(&set.subtract(regular))).into_iter().fold(bad, union);
        }
        all = union(all, there);
    }
    let (all, bad, last) = (all?, bad?, outer + longest? + 1);
    let inner = outer + n - last;
    let bad = bad.project_out(DimKind::Out, last, inner).add_dims(DimKind::Out, inner);
    let good = all.subtract(&bad).coalesce();
    (!good.is_empty()).then(|| named(&good, outer))
}

/// When instances run, by the members around a place and by these; `None` if there are none.
pub(super) fn dates(prefix: &Prefix, own: &MultiUnionPwAff, instances: &UnionSet) -> Option<Set> {
    let around = prefix.members();
    let own = own.as_union_map();
    let all = if around.n() == 0 { own } else { around.as_union_map().flat_range_product(&own) };
    all.intersect_domain(instances).range().sets().next()
}

/// `{ [a, b, c] }` as `{ isolate[[a] -> [b, c]] }`.
pub(super) fn named(set: &Set, outer: usize) -> Set {
    Map::from_range(set)
        .move_dims(DimKind::In, 0, DimKind::Out, 0, outer)
        .wrap()
        .set_tuple_name(DimKind::Out, Some("isolate"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop;
    use expect_test::{Expect, expect};

    /// A ring of `n` rows of `n` elements, and a short loop over the neighbours in a row; `schedule` is a tree.
    fn check(schedule: &str, expected: Expect) {
        let text = format!(
            "name: ring
params: [ n ]
context: '[n] -> {{ : }}'
assumed: '[n] -> {{ : }}'
arrays:
- {{ name: u, element: f64, size_bytes: 8, shape: [ '', '' ], live_out: true }}
statements:
- name: S
  domain: '[n] -> {{ S[i, j, k] : 0 <= i, j < n and 0 <= k < 3 }}'
  regular: '[n] -> {{ S[i, j, k] : 0 <= i, j < n and 0 <= k < 3 and 0 <= j + k - 1 < n }}'
  operations: 1
  accesses:
  - {{ id: S_0, write: '[n] -> {{ S[i, j, k] -> u[i, j] }}' }}
schedule:
{schedule}"
        );
        let scop = scop::parse(&text).expect("law: a test's model is well-formed");
        let split = apart(&scop.schedule, &scop).map_or_else(|| "nothing".into(), |tree| tree.to_string());
        let isolated = split
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("options") || line.starts_with("schedule") || *line == "nothing");
        expected.assert_eq(&isolated.collect::<Vec<_>>().join("\n"));
    }

    const DOMAIN: &str = "  domain: '[n] -> { S[i, j, k] : 0 <= i, j < n and 0 <= k < 3 }'\n  child:\n";

    #[test]
    fn the_innermost_long_loop_is_split() {
        let bands = "    schedule: '[{ S[i, j, k] -> [(i)] }]'\n    child:\n      schedule: '[{ S[i, j, k] -> [(j)] }]'\n      child:\n        schedule: '[{ S[i, j, k] -> [(k)] }]'\n";
        check(
            &format!("{DOMAIN}{bands}"),
            expect![[r#"
            schedule: "[{ S[i, j, k] -> [(i)] }]"
            schedule: "[{ S[i, j, k] -> [(j)] }]"
            options: "[n] -> { isolate[[i0] -> [i1]] : 0 < i1 <= n - 2 and 0 <= i0 < n }"
            schedule: "[{ S[i, j, k] -> [(k)] }]""#]],
        );
    }

    #[test]
    fn what_is_regular_depends_on_the_loops_around() {
        let bands = "    schedule: '[{ S[i, j, k] -> [(i)] }]'\n    child:\n      schedule: '[{ S[i, j, k] -> [(k)] }]'\n      child:\n        schedule: '[{ S[i, j, k] -> [(j)] }]'\n";
        check(
            &format!("{DOMAIN}{bands}"),
            expect![[r#"
            schedule: "[{ S[i, j, k] -> [(i)] }]"
            schedule: "[{ S[i, j, k] -> [(k)] }]"
            schedule: "[{ S[i, j, k] -> [(j)] }]"
            options: "[n] -> { isolate[[i0, i1] -> [i2]] : -i1 < i2 < n and 0 <= i2 <= n - i1 and 0 <= i0 < n and 0 <= i1 <= 2 }""#]],
        );
    }

    #[test]
    fn all_members_of_a_band_up_to_the_long_one_are_split() {
        let band = "    schedule: '[{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]'\n    permutable: 1\n";
        check(
            &format!("{DOMAIN}{band}"),
            expect![[r#"
            schedule: "[{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]"
            options: "[n] -> { isolate[[] -> [i0, i1, i2]] : 0 < i1 <= n - 2 and 0 <= i0 < n and 0 <= i2 <= 2 }""#]],
        );
    }

    #[test]
    fn what_is_written_out_stays_whole() {
        let band = "    schedule: '[{ S[i, j, k] -> [(j)] }]'\n    options: '{ unroll[0] }'\n";
        check(&format!("{DOMAIN}{band}"), expect!["nothing"]);
    }
}
