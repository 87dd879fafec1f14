//! Short loops that an outer one cuts, written out in the program's own order.
//!
//! ```c
//! for (int y = 0; y < h; y++)                      // parallel
//!   for (int x = 0; x < w; x++) {
//!     int least = 255;
//!     for (int dy = -1; dy <= 1; dy++)
//!       for (int dx = -1; dx <= 1; dx++)
//!         if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
//!           least = min(least, in[y + dy][x + dx]);
//!     out[y][x] = least;
//!   }
//! ```
//!
//! The loop generator makes `dy` run from `max(-1, -y)` to `min(1, h - 1 - y)`, a number of iterations that no compiler knows: a fifth of the speed
//! of the program, of which LLVM writes nine tests and nine loads. So these loops are written out, each iteration under its condition. Loops of a
//! constant number of iterations stay: LLVM writes them out itself.

use crate::presburger::{DimKind, Int, PwAff, Set, UnionSet};
use crate::scop::tree::{Band, LoopKind, Node};

/// Longer loops stay loops, as LLVM leaves them ones.
const MOST_ITERATIONS: i64 = 8;

/// Of so many iterations of all such loops in one another and after one another there is that much code.
const MOST_WRITTEN_OUT: i64 = 32;

/// Loops of a few iterations at most, with all in them.
struct Short {
    written_out: Node,
    iterations: i64,
    /// Whether some loop runs fewer iterations, by what is around it.
    is_cut: bool,
}

/// The tree below a domain node, with the short loops at the bottom of its parallel loops written out.
pub(super) fn short_loops_written_out(node: &Node, domain: &UnionSet) -> Node {
    match node {
        Node::Band { band, child } if band.coincident.contains(&true) => {
            Node::Band { band: band.clone(), child: Box::new(below(child, domain)) }
        }
        _ => mapped(node, domain, &short_loops_written_out),
    }
}

fn below(node: &Node, domain: &UnionSet) -> Node {
    match short(node, domain) {
        Some(short) if short.is_cut => short.written_out,
        Some(_) => node.clone(),
        None => mapped(node, domain, &below),
    }
}

fn mapped(node: &Node, domain: &UnionSet, of: &dyn Fn(&Node, &UnionSet) -> Node) -> Node {
    let own = filtered(node, domain);
    node.with_children(node.children().into_iter().map(|child| of(child, &own)).collect())
}

fn filtered(node: &Node, domain: &UnionSet) -> UnionSet {
    match node {
        Node::Filter { filter, .. } => domain.intersect(filter),
        _ => domain.clone(),
    }
}

/// The node with all loops in it written out, if they are short.
fn short(node: &Node, domain: &UnionSet) -> Option<Short> {
    let own = filtered(node, domain);
    let children = node.children().into_iter().map(|child| short(child, &own));
    let children: Vec<Short> = children.collect::<Option<_>>()?;
    let inside = children.iter().map(|child| child.iterations).sum::<i64>().max(1);
    let cut_inside = children.iter().any(|child| child.is_cut);
    let below: Vec<Node> = children.into_iter().map(|child| child.written_out).collect();
    let (written_out, iterations, is_cut) = match node {
        Node::Band { band, .. } => {
            let (count, is_cut) = extent(band, &own)?;
            let band = Band { options: vec![LoopKind::Unroll], ..band.clone() };
            let [child] = <[Node; 1]>::try_from(below).ok()?;
            (Node::Band { band, child: Box::new(child) }, inside * count, is_cut || cut_inside)
        }
        Node::Leaf => (Node::Leaf, 1, false),
        Node::Filter { .. } | Node::Sequence(_) => (node.with_children(below), inside, cut_inside),
        _ => return None,
    };
    (iterations <= MOST_WRITTEN_OUT).then_some(Short { written_out, iterations, is_cut })
}

/// How many iterations a loop over one counter runs at most, and whether it runs fewer in some iteration of what is around it; none if it is no such
/// loop or a long one.
fn extent(band: &Band, domain: &UnionSet) -> Option<(i64, bool)> {
    if band.n_member() != 1 || band.isolate.is_some() || band.options != [LoopKind::Default] {
        return None;
    }
    let (mut all, mut is_cut) = (None::<(i64, i64)>, false);
    for function in band.partial.aff(0).pw_affs() {
        let is_of_it = |set: &Set| set.space().has_equal_tuples(function.domain_space());
        let Some(instances) = domain.sets().find(is_of_it) else { continue };
        let values = function.intersect_domain(&instances);
        let [least, largest] = [values.min_val(), values.max_val()].map(|end| end.ok()??.as_i64());
        let (least, largest) = (least?, largest?);
        all = Some(all.map_or((least, largest), |(low, high)| (low.min(least), high.max(largest))));
        is_cut |= is_cut_by_others(&instances, function, (least, largest))?;
    }
    let (least, largest) = all?;
    let count = largest.checked_sub(least)?.checked_add(1)?;
    (count <= MOST_ITERATIONS).then_some((count, is_cut))
}

/// Whether not all values between the ends are there in each iteration of what is around; none if the function is more than a counter.
fn is_cut_by_others(instances: &Set, function: &PwAff, (least, largest): (i64, i64)) -> Option<bool> {
    let aff = function.as_aff()?;
    let dims = function.domain_space().dim(DimKind::Out);
    let mut moving = (0..dims).filter(|at| aff.coefficient(DimKind::Out, *at).as_i64() != Some(0));
    let at = moving.next().filter(|at| aff.coefficient(DimKind::Out, *at).as_i64() == Some(1))?;
    if moving.next().is_some() {
        return None;
    }
    let params = function.domain_space().dim(DimKind::Param);
    let values = aff.constant_value().as_i64().filter(|_| !aff.involves(DimKind::Param, 0, params))?;
    let (low, high) = (Int::from(least - values), Int::from(largest - values));
    let around = instances.drop_constraints_involving(DimKind::Out, at, dims - at);
    let here = instances.drop_constraints_involving(DimKind::Out, at + 1, dims - at - 1);
    let whole = around.lower_bound(DimKind::Out, at, &low).upper_bound(DimKind::Out, at, &high);
    Some(!whole.is_subset(&here))
}
