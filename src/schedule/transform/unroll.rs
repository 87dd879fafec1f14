//! Loops written out.
//!
//! Unrolling `for (i) S(i)` by 4 makes a loop over strips of four, and no loop within a strip: the option `unroll` of its member says so to the loop
//! generator. Jamming an outer loop by 4 writes the four iterations out at the innermost place instead, where they share what the
//! inner loops load: strips outside, the member inside of everything.

use super::{Loop, Loops, Outcome, band, band_at, no, of_members, tile, under};
use crate::presburger::{Int, UnionPwAff};
use crate::scop::tree::{Band, LoopKind, Node, Tree};

/// All iterations of the loop written out, or `factor` at a time.
pub fn unroll(tree: &Tree, each: &Loop, factor: Option<i64>) -> Outcome {
    let Some(factor) = factor else { return band::kind(tree, &Loops::one(each), LoopKind::Unroll) };
    let (tree, path) = band::gathered(tree, &Loops::one(each))?;
    let tiled = tile::strip_mine(&tree, &Loop { path: path.clone(), member: 0 }, factor)?;
    let inner = Loop { path: path.iter().copied().chain([0]).collect(), member: 0 };
    band::kind(&tiled, &Loops::one(&inner), LoopKind::Unroll)
}

/// `factor` iterations of the loop at a time, written out inside of all loops below it.
pub fn jam(tree: &Tree, each: &Loop, factor: i64) -> Outcome {
    if factor < 1 {
        return no("a size is at least 1");
    }
    let (tree, path) = band::gathered(tree, &Loops::one(each))?;
    let (band, child) = band_at(&tree, &path)?;
    if !has_loop(child) {
        return no("there is no loop inside: unroll it");
    }
    let member = band.partial.aff(0);
    let strips = Band {
        coincident: band.coincident.clone(),
        ..Band::new(band.partial.scale_down(&[Int::from(factor)]).floor())
    };
    Ok(tree.with_node(&path, under(strips, with_innermost(child, member))))
}

fn has_loop(node: &Node) -> bool {
    matches!(node, Node::Band { .. }) || node.children().into_iter().any(has_loop)
}

/// `member`, written out, below everything.
fn with_innermost(node: &Node, member: &UnionPwAff) -> Node {
    match node {
        Node::Leaf => {
            under(Band { options: vec![LoopKind::Unroll], ..of_members(std::slice::from_ref(member)) }, Node::Leaf)
        }
        Node::Filter { filter, .. } => {
            let own = member.intersect_domain(&filter.universe());
            node.with_children(node.children().into_iter().map(|child| with_innermost(child, &own)).collect())
        }
        _ => node.with_children(node.children().into_iter().map(|child| with_innermost(child, member)).collect()),
    }
}
