//! A parallel loop inside of loops that run in order, moved out of them.
//!
//! ```c
//! for (int i = n - 2; i >= 0; i--)               // in order
//!   for (int j = 0; j < n; j++)                  // parallel
//!     for (int k = 0; k < n; k++)
//!       x[i][j][k] -= c[i][j][k] * x[i + 1][j][k];
//! ```
//!
//! forks and waits for its threads `n` times. As `for j: for i: for k` it does so once, and a thread reads what it wrote itself: all pairs of dependent
//! instances agree on `j`. The innermost loops stay where they are, for what they find in cache lines and for LLVM's vectors; all else is in the
//! program's order. This is what programs parallelized by hand have as one region around several loops that share iterations alike (Barakhshan and
//! Eigenmann, "A Comparison between Automatically versus Manually Parallelized NAS Benchmarks", 2022).

use super::check::Pairs;
use crate::presburger::{DimKind, MultiUnionPwAff, UnionPwAff};
use crate::scop::tree::{Band, Node};

/// The node with the outermost of its inner loops in front that all instances have and in which no pair is dependent, parallel, and what that loop
/// counts; none if there is no such loop, or if it is an innermost one.
pub(super) fn outward(node: &Node, pairs: &Pairs) -> Option<(String, Node)> {
    (1..loops(node)?.checked_sub(1)?).find_map(|depth| {
        let (function, rest) = without(node, depth)?;
        let name = counted(&function)?;
        let partial = MultiUnionPwAff::from_union_pw_aff(&function);
        let band = Band { coincident: vec![true], ..Band::new(partial) };
        pairs.below_band(&band).ok()?;
        Some((name, Node::Band { band, child: Box::new(rest) }))
    })
}

/// The iterator that a function of loops is, by its name in the first statement; none if it is more than that.
fn counted(function: &UnionPwAff) -> Option<String> {
    let first = function.pw_affs().next()?;
    let (space, aff) = (first.domain_space(), first.as_aff()?);
    let at = (0..space.dim(DimKind::Out)).find(|at| aff.coefficient(DimKind::Out, *at).as_i64() != Some(0))?;
    Some(space.shown_name(at))
}

/// How many loops there are around every instance; none if there is more than loops of one member and sequences.
fn loops(node: &Node) -> Option<usize> {
    match node {
        Node::Leaf => Some(0),
        Node::Band { band, child } if band.n_member() == 1 && band.isolate.is_none() => Some(1 + loops(child)?),
        Node::Filter { child, .. } => loops(child),
        Node::Sequence(children) => children.iter().map(loops).try_fold(usize::MAX, |least, own| Some(least.min(own?))),
        _ => None,
    }
}

/// The loops at a depth as one function of all instances, and the node without them; none if a statement is in several of them.
fn without(node: &Node, depth: usize) -> Option<(UnionPwAff, Node)> {
    match node {
        Node::Band { band, child } if depth == 0 => Some((band.partial.aff(0).clone(), (**child).clone())),
        Node::Band { child, .. } | Node::Filter { child, .. } => {
            let depth = depth - usize::from(matches!(node, Node::Band { .. }));
            let (function, rest) = without(child, depth)?;
            Some((function, node.with_children(vec![rest])))
        }
        Node::Sequence(children) => {
            let parts: Vec<(UnionPwAff, Node)> =
                children.iter().map(|each| without(each, depth)).collect::<Option<_>>()?;
            let (functions, rest): (Vec<UnionPwAff>, Vec<Node>) = parts.into_iter().unzip();
            Some((joined(functions)?, node.with_children(rest)))
        }
        _ => None,
    }
}

/// One function of several; none if one has a statement of another.
fn joined(functions: Vec<UnionPwAff>) -> Option<UnionPwAff> {
    functions.into_iter().map(Some).reduce(|all, one| {
        let (mut all, one) = (all?, one?);
        let is_known = |space| all.pw_affs().any(|known| known.domain_space().has_equal_tuples(space));
        if one.pw_affs().any(|part| is_known(part.domain_space())) {
            return None;
        }
        one.pw_affs().for_each(|part| all.add_pw_aff(part));
        Some(all)
    })?
}
