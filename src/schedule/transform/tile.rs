//! Tiles: blocks of iterations, in which order they run, and which of them are whole.
//!
//! `[i, j]` tiled by 32 and 8 becomes the band of tiles `[floor(i / 32), floor(j / 8)]` over the band of points `[i, j]`. As a *wavefront* the tiles
//! run by the sum of their coordinates: where both are nonnegative on each dependence, those of one sum are independent. *Diamond* tiles of
//! `[t, i]` have the sides `t + i` and `t - i`: no dependence of a stencil (`|di| <= dt`) leaves a tile against their directions, and all tiles along
//! the first front can start at once (Bandishti, Pananilath and Bondhugula, "Tiling stencil computations to maximize parallelism", SC 2012).
//!
//! In a *pipeline* threads share `i`, in steps of `j`: a band of `[floor(j / 8), i]`, with the mark that says so, over the points `[j]`.
//!
//! A tile is *full* if no point of it is missing. [`isolate`] finds the full ones exactly, from the functions of the band alone: those with a
//! point that the statement could have but has not are not full.

use super::{Loop, Loops, Outcome, band, band_at, no, of_members, under};
use crate::presburger::{DimKind, Id, Int, Set, UnionPwAff, UnionSet};
use crate::schedule::borders::{dates, named};
use crate::scop::marks::PIPELINE;
use crate::scop::tree::{Band, LoopKind, Node, Tree};

/// Tiles of these sizes: one for each loop, or one for all.
pub fn tile(tree: &Tree, loops: &Loops, sizes: &[i64]) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    let (points, child) = band_at(&tree, &path)?;
    let sizes = spread(sizes, points.n_member())?;
    let tiles = Band {
        permutable: points.permutable,
        coincident: band::free(points),
        ..Band::new(points.partial.scale_down(&sizes).floor())
    };
    Ok(tree.with_node(&path, under(tiles, under(points.clone(), child.clone()))))
}

fn spread(sizes: &[i64], n: usize) -> Result<Vec<Int>, super::Inapplicable> {
    if sizes.iter().any(|&size| size < 1) {
        return no("a size is at least 1");
    }
    match sizes {
        [one] => Ok(vec![Int::from(*one); n]),
        _ if sizes.len() == n => Ok(sizes.iter().map(|&size| Int::from(size)).collect()),
        _ => no(format!("{n} loops need {n} sizes, or one for all")),
    }
}

/// The loop as one over strips of this size and one within them.
pub fn strip_mine(tree: &Tree, each: &Loop, size: i64) -> Outcome {
    tile(tree, &Loops::one(each), &[size])
}

/// The outermost of the loops runs by the sum of all; the others are then claimed to be parallel.
pub fn wavefront(tree: &Tree, loops: &Loops) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    let (tiles, child) = band_at(&tree, &path)?;
    let n = tiles.n_member();
    if n < 2 {
        return no("a wavefront needs two loops");
    }
    let sum = tiles.partial.affs().iter().cloned().reduce(|a, b| a.add(&b)).expect("law: two members");
    let fronts = Band {
        partial: tiles.partial.set_aff(0, &sum),
        permutable: false,
        coincident: (0..n).map(|member| member > 0).collect(),
        ..tiles.clone()
    };
    Ok(tree.with_node(&path, under(fronts, child.clone())))
}

/// The first of the loops is shared among threads, in steps of so many iterations of the second one.
pub fn pipeline(tree: &Tree, loops: &Loops, step: i64) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    let (points, child) = band_at(&tree, &path)?;
    let step = spread(&[step], 1)?.swap_remove(0);
    let [shared, stepped, ..] = points.partial.affs() else { return no("a pipeline needs two loops") };
    let rest = under(of_members(&points.partial.affs()[1..]), child.clone());
    let child = Box::new(under(in_steps(shared, stepped, &step), rest));
    Ok(tree.with_node(&path, Node::Mark { id: Id::new(PIPELINE), child }))
}

/// The band of a pipeline: steps of one function, in each of which another one is shared.
pub(in crate::schedule) fn in_steps(shared: &UnionPwAff, stepped: &UnionPwAff, step: &Int) -> Band {
    let steps = stepped.scale_down(step).floor();
    Band { permutable: true, options: vec![LoopKind::Atomic; 2], ..of_members(&[steps, shared.clone()]) }
}

/// Diamond tiles of a loop over time and loops over space, the first of which gets the concurrent start; `reach` is how far
/// a dependence goes in space per step of time.
pub fn diamond(tree: &Tree, loops: &Loops, sizes: &[i64], reach: i64) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    let (points, child) = band_at(&tree, &path)?;
    let n = points.n_member();
    let sizes = spread(sizes, n)?;
    if n < 2 || reach < 1 {
        return no("diamonds need a loop over time and one over space, and a reach of at least 1");
    }
    let time = points.partial.aff(0).scale(&Int::from(reach));
    let strip = |side: UnionPwAff, at: usize| side.scale_down(&sizes[at]).floor();
    let (up, down) = (strip(time.add(points.partial.aff(1)), 0), strip(time.sub(points.partial.aff(1)), 1));
    let mut members = vec![up.add(&down), up];
    members.extend((2..n).map(|at| strip(time.add(points.partial.aff(at)), at)));
    let tiles = Band { coincident: (0..n).map(|member| member == 1).collect(), ..of_members(&members) };
    let points = Band { coincident: vec![false; n], permutable: false, ..points.clone() };
    Ok(tree.with_node(&path, under(tiles, under(points, child.clone()))))
}

/// Generates the full tiles apart from the others: the loops are those over the tiles, the band right below has the points.
pub fn isolate(tree: &Tree, loops: &Loops) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    let (tiles, child) = band_at(&tree, &path)?;
    let Node::Band { band: points, .. } = child else {
        return no("the points must be in a band right below the tiles");
    };
    let Some(prefix) = tree.prefix(&path) else { return no("there is no such place") };
    let outer = prefix.members().n();
    let own = tiles.partial.flat_range_product(&points.partial);
    let dates = |domain: &UnionSet| dates(&prefix, &own, domain);
    let n = outer + tiles.n_member();
    let (mut there, mut partial): (Option<Set>, Option<Set>) = (None, None);
    for set in prefix.domain().sets() {
        let own = UnionSet::from_set(&set);
        let (Some(present), Some(possible)) = (dates(&own), dates(&own.universe())) else { continue };
        let coordinates = |set: &Set| set.project_out(DimKind::Out, n, set.dim(DimKind::Out) - n);
        let (some, lacking) = (coordinates(&present), coordinates(&possible.subtract(&present)));
        there = Some(there.map_or(some.clone(), |all| all.union(&some)));
        partial = Some(partial.map_or(lacking.clone(), |all| all.union(&lacking)));
    }
    let (Some(there), Some(partial)) = (there, partial) else { return no("there are no tiles") };
    let full = there.subtract(&partial).coalesce();
    if full.is_empty() {
        return no("no tile is full");
    }
    let band = Band { isolate: Some(named(&full, outer)), ..tiles.clone() };
    Ok(tree.with_node(&path, under(band, child.clone())))
}
