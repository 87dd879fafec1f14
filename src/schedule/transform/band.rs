//! Transformations within a band: the order, the direction and the values of its members.
//!
//! For `[t, i]` and the instances `S[t, i]`: interchange gives `[i, t]`, reversing the second `[t, -i]`, skewing it by the first `[t, i + t]`, shifting
//! it by `n` for one of the statements `[t, i + n]` there. A member that is coincident after coincident ones only separates no dependent pair
//! at all, wherever it stands: such claims survive a permutation. The others are dropped when a member that they rest on changes.

use super::{Inapplicable, Loop, Loops, Outcome, band_at, no, of_members, under};
use crate::presburger::{Int, UnionPwAff};
use crate::scop::tree::{Band, LoopKind, Node, Tree};

/// Why loops are no band.
const BETWEEN: &str =
    "the loops are not directly nested: something else is between them, which `distribute` may take away";

/// The tree with just these loops in a band, and where that is. Nothing but bands may be between them.
pub fn gathered(tree: &Tree, loops: &Loops) -> Result<(Tree, Vec<usize>), Inapplicable> {
    let Loops { first, last } = loops;
    if !last.path.starts_with(&first.path) || (first.path == last.path && last.member < first.member) {
        return no("the second loop is not inside of the first");
    }
    let mut wanted = last.member + 1;
    for depth in first.path.len()..last.path.len() {
        match tree.node(&last.path[..depth]) {
            Some(Node::Band { band, .. }) => wanted += band.n_member(),
            _ => return no(BETWEEN),
        }
    }
    wanted -= first.member;
    let mut path = first.path.clone();
    let mut tree = tree.clone();
    if first.member > 0 {
        tree = cut(&tree, &path, first.member)?;
        path.push(0);
    }
    while band_at(&tree, &path)?.0.n_member() < wanted {
        tree = joined(&tree, &path)?;
    }
    if band_at(&tree, &path)?.0.n_member() > wanted {
        tree = cut(&tree, &path, wanted)?;
    }
    Ok((tree, path))
}

/// The first `n` members above the others.
fn cut(tree: &Tree, path: &[usize], n: usize) -> Outcome {
    let (band, child) = band_at(tree, path)?;
    if band.isolate.is_some() {
        return no("the band isolates iterations of all its loops: isolate comes last");
    }
    let outer = members(band, &(0..n).collect::<Vec<_>>());
    let inner = members(band, &(n..band.n_member()).collect::<Vec<_>>());
    Ok(tree.with_node(path, under(outer, under(inner, child.clone()))))
}

/// The band at `path` and the one below it as one.
fn joined(tree: &Tree, path: &[usize]) -> Outcome {
    let (outer, child) = band_at(tree, path)?;
    let Node::Band { band: inner, child } = child else {
        return no(BETWEEN);
    };
    if outer.isolate.is_some() || inner.isolate.is_some() {
        return no("a band isolates iterations of its loops: isolate comes last");
    }
    let both = |a: &[bool], b: &[bool]| a.iter().chain(b).copied().collect();
    let band = Band {
        coincident: both(&outer.coincident, &inner.coincident),
        options: outer.options.iter().chain(&inner.options).copied().collect(),
        ..Band::new(outer.partial.flat_range_product(&inner.partial))
    };
    Ok(tree.with_node(path, under(band, (**child).clone())))
}

/// A band of some of the members, in this order, with what is claimed of each.
pub(super) fn members(band: &Band, order: &[usize]) -> Band {
    let affs: Vec<UnionPwAff> = order.iter().map(|&at| band.partial.aff(at).clone()).collect();
    Band {
        permutable: band.permutable,
        coincident: order.iter().map(|&at| band.coincident[at]).collect(),
        options: order.iter().map(|&at| band.options[at]).collect(),
        ..of_members(&affs)
    }
}

/// The members that no dependent pair has different values of: those coincident after coincident ones only.
pub(super) fn free(band: &Band) -> Vec<bool> {
    let leading = band.coincident.iter().take_while(|&&coincident| coincident).count();
    (0..band.n_member()).map(|member| member < leading).collect()
}

/// The loops in another order: `order[0]` is the one that becomes the outermost.
pub fn permute(tree: &Tree, loops: &Loops, order: &[usize]) -> Outcome {
    let (tree, path) = gathered(tree, loops)?;
    let (band, child) = band_at(&tree, &path)?;
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..band.n_member()) {
        return no(format!(
            "the order of {} loops is their numbers 0 to {}",
            order.len(),
            order.len().saturating_sub(1)
        ));
    }
    let free = free(band);
    let permuted = Band { coincident: order.iter().map(|&at| free[at]).collect(), ..members(band, order) };
    Ok(tree.with_node(&path, under(permuted, child.clone())))
}

/// The two loops exchanged; those between them stay where they are.
pub fn interchange(tree: &Tree, first: &Loop, last: &Loop) -> Outcome {
    let loops = Loops { first: first.clone(), last: last.clone() };
    let (gathered, path) = gathered(tree, &loops)?;
    let mut order: Vec<usize> = (0..band_at(&gathered, &path)?.0.n_member()).collect();
    let n = order.len();
    order.swap(0, n - 1);
    permute(tree, &loops, &order)
}

/// The loop from its end to its start.
pub fn reverse(tree: &Tree, each: &Loop) -> Outcome {
    let (tree, path) = gathered(tree, &Loops::one(each))?;
    let (band, child) = band_at(&tree, &path)?;
    let reversed = Band { partial: band.partial.neg(), permutable: false, ..band.clone() };
    Ok(tree.with_node(&path, under(reversed, child.clone())))
}

/// `factor` times the value of `by` added to that of `each`; either loop may be the outer one.
pub fn skew(tree: &Tree, each: &Loop, by: &Loop, factor: i64) -> Outcome {
    if each == by {
        return no("a loop is skewed by another one");
    }
    let is_inner = (&by.path, by.member) < (&each.path, each.member);
    let (first, last) = if is_inner { (by, each) } else { (each, by) };
    let (tree, path) = gathered(tree, &Loops { first: first.clone(), last: last.clone() })?;
    let (band, child) = band_at(&tree, &path)?;
    let n = band.n_member();
    let (skewed, by) = if is_inner { (n - 1, 0) } else { (0, n - 1) };
    let value = band.partial.aff(skewed).add(&band.partial.aff(by).scale(&Int::from(factor)));
    let free = free(band);
    let mut coincident: Vec<bool> = if is_inner { band.coincident.clone() } else { free.clone() };
    coincident[skewed] = if is_inner { band.coincident[skewed] } else { free[skewed] && free[by] };
    let skewed = Band { partial: band.partial.set_aff(skewed, &value), permutable: false, coincident, ..band.clone() };
    Ok(tree.with_node(&path, under(skewed, child.clone())))
}

/// `amount`, a function of some of the instances in the loop, added to the loop's value for these.
pub fn shift(tree: &Tree, each: &Loop, amount: &UnionPwAff) -> Outcome {
    let (tree, path) = gathered(tree, &Loops::one(each))?;
    let (band, child) = band_at(&tree, &path)?;
    let moving = amount.domain();
    let aff = band.partial.aff(0);
    let moved = aff.intersect_domain(&moving).add(amount);
    let shifted = of_members(&[aff.subtract_domain(&moving).union_add(&moved)]);
    Ok(tree.with_node(&path, under(Band { options: band.options.clone(), ..shifted }, child.clone())))
}

/// Claims that the loops carry no dependence, each with the loops outside of it fixed.
pub fn parallel(tree: &Tree, loops: &Loops) -> Outcome {
    in_place(tree, loops, |band, member| band.coincident[member] = true)
}

/// How the loops are to be generated.
pub fn kind(tree: &Tree, loops: &Loops, kind: LoopKind) -> Outcome {
    in_place(tree, loops, |band, member| band.options[member] = kind)
}

/// Changes what is said of each loop, with the bands as they are.
fn in_place(tree: &Tree, loops: &Loops, change: impl Fn(&mut Band, usize)) -> Outcome {
    let Loops { first, last } = loops;
    let mut tree = tree.clone();
    for depth in first.path.len()..=last.path.len() {
        let path = &last.path[..depth];
        let Some(Node::Band { band, child }) = tree.node(path) else { continue };
        let (mut band, child) = (band.clone(), child.clone());
        let from = if depth == first.path.len() { first.member } else { 0 };
        let to = if depth == last.path.len() { last.member + 1 } else { band.n_member() };
        (from..to).for_each(|member| change(&mut band, member));
        tree = tree.with_node(path, Node::Band { band, child });
    }
    Ok(tree)
}
