//! Transformations of sequences: which statements share loops.
//!
//! ```text
//! sequence:                                    schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
//! - filter: "{ S[i] }"            fuse ->      child:
//!   child: a band over i        <- distribute    sequence:
//! - filter: "{ T[i] }"                           - filter: "{ S[i] }"
//!   child: a band over i                         - filter: "{ T[i] }"
//! ```
//!
//! What is not in a loop at all can be sunk into one: given the value of the loop's first (or last, or any) iteration, it is fused with it.

use super::select::is_below;
use super::{Inapplicable, Loop, Loops, Outcome, band, band_at, filtered, no, under};
use crate::presburger::{MultiUnionPwAff, UnionMap, UnionSet};
use crate::scop::tree::{Band, Node, Tree};

/// Where two statements part: a sequence, and the numbers of the children that run them.
pub struct Parting {
    /// The sequence.
    pub path: Vec<usize>,
    /// The child with the first statement.
    pub first: usize,
    /// The child with the other one.
    pub second: usize,
}

/// The sequence in which one child runs the one statement and another child the other.
pub fn parting(tree: &Tree, one: &str, other: &str) -> Result<Parting, Inapplicable> {
    for name in [one, other] {
        if !is_below(tree.root(), name) {
            return no(format!("there is no statement `{name}`"));
        }
    }
    let mut path = Vec::new();
    while let Some(node) = tree.node(&path) {
        let below = node.children();
        let next = match node {
            Node::Sequence(_) | Node::Set(_) => {
                let having = |name: &str| (0..below.len()).filter(|&at| is_below(below[at], name)).collect::<Vec<_>>();
                match (&having(one)[..], &having(other)[..]) {
                    ([a], [b]) if a == b => *a,
                    ([a], [b]) => return Ok(Parting { path, first: *a, second: *b }),
                    _ => return no(format!("`{one}` or `{other}` runs in several places")),
                }
            }
            _ if below.is_empty() => break,
            _ => 0,
        };
        path.push(next);
    }
    no(format!("`{one}` and `{other}` do not part in a sequence"))
}

/// One band of the `n` outermost loops (as many as all have, if not given) over all children from one to the other.
pub fn fuse(tree: &Tree, parting: &Parting, n: Option<usize>) -> Outcome {
    let (from, to) = (parting.first.min(parting.second), parting.first.max(parting.second));
    let Some(Node::Sequence(children)) = tree.node(&parting.path) else { return no("only a sequence can be fused") };
    let shared = children[from..=to].iter().map(|child| band_members(child.children()[0])).min().unwrap_or(0);
    let n = n.unwrap_or(shared);
    if n == 0 || n > shared {
        return no(match shared {
            0 => "one of them has no loop outside of all else: sink it first".to_string(),
            _ => format!("they have {shared} loops each that can be shared"),
        });
    }
    let mut tree = tree.clone();
    for at in from..=to {
        let path: Vec<usize> = parting.path.iter().copied().chain([at, 0]).collect();
        let Some(last) = member_below(&tree, &path, n - 1) else { return no("there is no loop") };
        tree = band::gathered(&tree, &Loops { first: Loop { path, member: 0 }, last })?.0;
    }
    let Some(Node::Sequence(children)) = tree.node(&parting.path) else { return no("only a sequence can be fused") };
    let mut whole: Option<(UnionSet, MultiUnionPwAff)> = None;
    let mut inside = Vec::new();
    for child in &children[from..=to] {
        let Node::Filter { filter, child } = child else { return no("the children of a sequence are filters") };
        let Node::Band { band, child } = &**child else { return no("there is no loop") };
        let own = band.partial.intersect_domain(filter);
        whole = Some(match whole {
            None => (filter.clone(), own),
            Some((all, partial)) => (all.union(filter), partial.union_add(&own)),
        });
        inside.push(filtered(filter.clone(), (**child).clone()));
    }
    let Some((filter, partial)) = whole else { return no("there is nothing to fuse") };
    let fused = under(Band::new(partial), Node::Sequence(inside));
    if inside_all(children, from, to) {
        return Ok(tree.with_node(&parting.path, fused));
    }
    let mut rest = children.clone();
    rest.splice(from..=to, [filtered(filter, fused)]);
    Ok(tree.with_node(&parting.path, Node::Sequence(rest)))
}

fn inside_all(children: &[Node], from: usize, to: usize) -> bool {
    from == 0 && to + 1 == children.len()
}

/// How many loops are directly nested from this node on.
fn band_members(node: &Node) -> usize {
    match node {
        Node::Band { band, child } => band.n_member() + band_members(child),
        _ => 0,
    }
}

/// The loop that is `n` loops further in than the band at `path` begins.
fn member_below(tree: &Tree, path: &[usize], mut n: usize) -> Option<Loop> {
    let mut path = path.to_vec();
    while let Some(Node::Band { band, .. }) = tree.node(&path) {
        if n < band.n_member() {
            return Some(Loop { path, member: n });
        }
        n -= band.n_member();
        path.push(0);
    }
    None
}

/// The loops around each child of the sequence right below them, instead of around all.
pub fn distribute(tree: &Tree, loops: &Loops) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    let (band, child) = band_at(&tree, &path)?;
    let Node::Sequence(children) = child else { return no("there is no sequence right inside of the loop") };
    if band.isolate.is_some() {
        return no("the band isolates iterations: isolate comes last");
    }
    let mut parts = Vec::new();
    for child in children {
        let Node::Filter { filter, child } = child else { return no("the children of a sequence are filters") };
        let own = Band { partial: band.partial.intersect_domain(filter), ..band.clone() };
        parts.push(filtered(filter.clone(), under(own, (**child).clone())));
    }
    Ok(tree.with_node(&path, Node::Sequence(parts)))
}

/// On which side of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    Before,
    After,
}

/// The child with the first statement right before (or after) that with the other one.
pub fn reorder(tree: &Tree, parting: &Parting, place: Neighbour) -> Outcome {
    let Some(Node::Sequence(children)) = tree.node(&parting.path) else { return no("only a sequence has an order") };
    let mut children = children.clone();
    let moving = children.remove(parting.first);
    let target = parting.second - usize::from(parting.first < parting.second);
    children.insert(target + usize::from(place == Neighbour::After), moving);
    Ok(tree.with_node(&parting.path, Node::Sequence(children)))
}

/// Which iterations a statement goes into.
pub enum Iteration {
    /// The first one with the loops outside of all fixed.
    First,
    /// The last one.
    Last,
    /// That of these values.
    At(MultiUnionPwAff),
}

/// What is next to the loops (of the second statement's child) goes into one of their iterations.
pub fn sink(tree: &Tree, parting: &Parting, loops: &Loops, iteration: &Iteration) -> Outcome {
    let (own, target) = (path_of(parting, parting.first), path_of(parting, parting.second));
    if parting.first.abs_diff(parting.second) != 1 {
        return no("other statements are between the two: move one first");
    }
    if !loops.first.path.starts_with(&target) || loops.first.path != path_below(&target) || loops.first.member != 0 {
        return no("the loops must be the outermost that the two do not share");
    }
    let (tree, path) = band::gathered(tree, loops)?;
    let (band, _) = band_at(&tree, &path)?;
    let n = band.n_member();
    let values = match iteration {
        Iteration::At(values) => values.clone(),
        Iteration::First | Iteration::Last => {
            let dates = |path: &[usize]| tree.prefix(path).map(|prefix| (prefix.domain().clone(), prefix.union_map()));
            let (Some((sinking, outer)), Some((inside, beside))) = (dates(&path_below(&own)), dates(&path)) else {
                return no("there is no such place");
            };
            let reached = beside.reverse().apply_range(&band.partial.as_union_map().intersect_domain(&inside));
            let reached = outer.apply_range(&reached);
            let chosen = if matches!(iteration, Iteration::First) { reached.lexmin() } else { reached.lexmax() };
            match chosen {
                Ok(chosen) => total(&chosen, &sinking)?,
                Err(unbounded) => return no(unbounded.to_string()),
            }
        }
    };
    if values.n() != n {
        return no(format!("{n} loops need {n} values"));
    }
    let place = path_below(&own);
    let Some(below) = tree.node(&place) else { return no("there is no such place") };
    let sunk = tree.with_node(&place, under(Band::new(values), below.clone()));
    fuse(&sunk, parting, Some(n))
}

fn path_of(parting: &Parting, child: usize) -> Vec<usize> {
    parting.path.iter().copied().chain([child]).collect()
}

fn path_below(path: &[usize]) -> Vec<usize> {
    path.iter().copied().chain([0]).collect()
}

/// The relation as functions, if each of the instances has a value.
fn total(values: &UnionMap, instances: &UnionSet) -> Result<MultiUnionPwAff, Inapplicable> {
    let without = instances.subtract(&values.domain());
    if let Some(set) = without.sets().find(|set| !set.is_empty()) {
        return no(format!("the loop has no iteration for {}", set.sample_basic()));
    }
    match MultiUnionPwAff::from_union_map(&values.coalesce()) {
        Some(values) => Ok(values.gist(instances)),
        None => no("the loop has no iteration"),
    }
}
