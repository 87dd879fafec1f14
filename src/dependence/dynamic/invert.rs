//! The U-graph: for each node, which ports of which instances its value goes to.
//!
//! The source `(i = 0 -> r_in{} : B1{i - 1})` of `P{i}.best` for `0 <= i < n`, read backwards, says that `r_in{}` sends to
//! `P.best{0}` if `n > 0`, and `B1{j}` to `P.best{j + 1}` if `j < n - 1`. In general the reader's variables are not functions of the
//! writer's: each of those that the others do not determine becomes a variable `@v` between bounds, as in a loop, and the conditions
//! below it decide which of its values count. So `s{j}`, read by all `T{i, j}` with `i < j`, sends to `(@i (0 j - 1) T.x{i, j})`. Where
//! the smallest value is not one expression, the loop starts at the largest of several, `(@i (max(0, j - m) j - 1) ..)`.
//! (Klimov, section 5.)
//!
//! Implements: 004 5.1

use super::graph::Graph;
use super::grow::{Scope, grow};
use super::quast::{coordinates, selection, tuples};
use super::tree::Tree;
use crate::presburger::budget::spend;
use crate::presburger::int::Number;
use crate::presburger::{Aff, BasicSet, ConstraintKind, DimKind, Id, Int, Map, Set, Space};
use crate::scop::Scop;

/// Where the values of one node go at one port of another.
pub struct Use {
    /// The node that sends.
    pub writer: usize,
    /// The node that receives.
    pub reader: usize,
    /// The port that receives.
    pub port: usize,
    /// `{ writer's context -> reader's context }`
    pub relation: Map,
}

/// The source functions read backwards.
pub fn uses(graph: &Graph) -> Vec<Use> {
    let mut found: Vec<Use> = Vec::new();
    for (reader, node) in graph.nodes.iter().enumerate() {
        for (port, receiving) in node.ports.iter().enumerate() {
            for (set, term) in receiving.source.quasts().flat_map(|one| one.cells()) {
                let relation = term.relation(set).reverse();
                let known = found.iter_mut().rev().take_while(|u| u.reader == reader && u.port == port);
                match known.into_iter().find(|u| u.writer == term.node) {
                    Some(known) => known.relation = known.relation.union(&relation),
                    None => found.push(Use { writer: term.node, reader, port, relation }),
                }
            }
        }
    }
    found
}

/// The destinations of each node's value.
pub fn destinations(scop: &Scop, graph: &Graph) -> Vec<Tree> {
    let uses = uses(graph);
    let destination = |writer: usize| {
        let own = uses.iter().filter(|u| u.writer == writer);
        let mut trees: Vec<Tree> = own.flat_map(|u| paths(scop, graph, u)).collect();
        match trees.len() {
            0 => Tree::Nothing,
            1 => trees.remove(0),
            _ => Tree::Union(trees),
        }
    };
    (0..graph.nodes.len()).map(destination).collect()
}

/// One tree for each piece of a use.
fn paths(scop: &Scop, graph: &Graph, used: &Use) -> Vec<Tree> {
    let relation = used.relation.coalesce().make_disjoint();
    relation.pieces().iter().map(|piece| path(scop, graph, used, &Map::from_basic(piece))).collect()
}

/// What is the same on the way down a path.
struct Path<'a> {
    graph: &'a Graph,
    used: &'a Use,
    /// The writer's variables and those of the reader that are looped over.
    domain: Set,
    /// Names of the latter.
    loops: Vec<Id>,
    /// The reader's context as a function on `domain`.
    args: Vec<Aff>,
}

/// Between what the variable of a loop lies.
struct Bounds {
    /// Outside of this there are no values.
    exist: Set,
    /// The largest of these is the first one.
    lowers: Vec<Aff>,
    /// The smallest of these is the last one.
    uppers: Vec<Aff>,
}

fn path(scop: &Scop, graph: &Graph, used: &Use, piece: &Map) -> Tree {
    let (writer, reader) = (&graph.nodes[used.writer], &graph.nodes[used.reader]);
    let (n, k) = (writer.context.len(), reader.context.len());
    let pairs = piece.wrap().flatten().reset_space(&tuples(&scop.params, n + k));
    let (kept, whole) = coordinates(&pairs, n, determined);
    let scope = Scope::new(&scop.params, &writer.context);
    let mut taken: Vec<Id> = writer.context.iter().chain(&scop.params).cloned().collect();
    for d in &kept[n..] {
        let name = super::program::fresh(reader.context[d - n].as_str(), |name| !taken.contains(name));
        taken.push(name);
    }
    let path = Path {
        graph,
        used,
        domain: pairs.preimage(&whole),
        loops: taken[n + scop.params.len()..].to_vec(),
        args: whole.affs()[n..].to_vec(),
    };
    path.below(&scope, &region(&writer.domain).intersect_params(&scop.trusted_context()), 0)
}

/// What a tree may take for granted of the node's variables: questions about many pieces cost more than those they save.
fn region(domain: &Set) -> Set {
    match domain.pieces().len() {
        0 | 1 => domain.clone(),
        _ => hull(domain),
    }
}

impl Path<'_> {
    /// The tree for the loops from number `depth` on, over the writer's variables and those of the loops before.
    fn below(&self, scope: &Scope, region: &Set, depth: usize) -> Tree {
        spend(1);
        let Some(variable) = self.loops.get(depth) else {
            return grow(scope, region, &[(self.domain.clone(), 0)], &mut |scope, _, _| self.term(scope));
        };
        let bounds = self.bounds(depth);
        grow(scope, region, &[(bounds.exist, 0)], &mut |scope, region, _| {
            let n = region.dim(DimKind::Out);
            let inner = tuples(region.space().params(), n + 1);
            let projection = selection(&inner, 0..n);
            let own = Aff::var_on_domain(&inner, DimKind::Out, n);
            let above = bounds.lowers.iter().map(|bound| own.ge_set(&bound.pullback(&projection)));
            let below = bounds.uppers.iter().map(|bound| own.le_set(&bound.pullback(&projection)));
            let inside = above.chain(below).fold(region.preimage(&projection), |all, half| all.intersect(&half));
            Tree::Each {
                variable: variable.clone(),
                lowers: bounds.lowers.iter().map(|bound| scope.linear(bound)).collect(),
                uppers: bounds.uppers.iter().map(|bound| scope.linear(bound)).collect(),
                rest: Box::new(self.below(&scope.with(variable.clone()), &inside, depth + 1)),
            }
        })
    }

    /// Between what a loop's variable lies, over the rationals: that takes few bounds, and no cases. What is too many is asked further down.
    fn bounds(&self, depth: usize) -> Bounds {
        let last = self.domain.dim(DimKind::Out) - self.loops.len() + depth;
        let seen = self.domain.project_out(DimKind::Out, last + 1, self.loops.len() - depth - 1);
        let space = tuples(seen.space().params(), last);
        let hull = hull(&seen);
        let (lowers, uppers) = halves(&hull, &space, last);
        let bounds = |halves: Vec<Half>, rounded: fn(&Aff) -> Aff| {
            halves.into_iter().map(|half| rounded(&half.numerator.scale_down(&half.denominator))).collect()
        };
        Bounds {
            exist: hull.project_out(DimKind::Out, last, 1).remove_divs().reset_space(&space),
            lowers: bounds(lowers, Aff::ceil),
            uppers: bounds(uppers, Aff::floor),
        }
    }

    fn term(&self, scope: &mut Scope) -> Tree {
        let reader = &self.graph.nodes[self.used.reader];
        let args = self.args.iter().map(|aff| scope.linear(aff)).collect();
        Tree::Term { node: reader.name.clone(), port: Some(reader.ports[self.used.port].name.clone()), args }
    }
}

/// A conjunction without locals around a set, as one over the rationals.
fn hull(set: &Set) -> Set {
    Set::from_basic(&set.remove_divs().simple_hull().remove_redundancies())
}

/// `numerator / denominator`, a bound of a variable.
struct Half {
    numerator: Aff,
    denominator: Int,
}

/// The bounds, from below and from above, that the constraints of a conjunction without locals are for its last dimension, number
/// `last`, as functions on `space`.
fn halves(hull: &Set, space: &Space, last: usize) -> (Vec<Half>, Vec<Half>) {
    let (mut lowers, mut uppers) = (Vec::new(), Vec::new());
    let own = space.dim(DimKind::Param) + last;
    for constraint in hull.pieces().iter().flat_map(BasicSet::constraints) {
        let c = &constraint.coefficients[own];
        if c.is_zero() {
            continue;
        }
        // `c v + rest >= 0`
        let rest = Aff::from_parts(space, &[], &constraint.constant, &constraint.coefficients[..own], &Int::one());
        let numerator = if c.is_positive() { rest.neg() } else { rest };
        let is_equality = constraint.kind == ConstraintKind::Equality;
        if c.is_positive() || is_equality {
            lowers.push(Half { numerator: numerator.clone(), denominator: c.abs() });
        }
        if c.is_negative() || is_equality {
            uppers.push(Half { numerator, denominator: c.abs() });
        }
    }
    (lowers, uppers)
}

/// The one expression of the dimensions `kept` that dimension `d` has in all elements, if two of its bounds leave it no choice. (Others may
/// have a formula too, but one with many cases, or with questions that are harder than to try the few values that there are.)
fn determined(set: &Set, kept: &[usize], d: usize) -> Option<Aff> {
    let n = set.dim(DimKind::Out);
    let others = (0..n).rev().filter(|other| *other != d && !kept.contains(other));
    let seen = others.fold(set.clone(), |seen, other| seen.project_out(DimKind::Out, other, 1));
    let space = tuples(set.space().params(), kept.len());
    // Those kept come before `d`, as both grow.
    let (lowers, uppers) = halves(&hull(&seen), &space, kept.len());
    lowers.iter().find_map(|low| {
        let is_opposite = |high: &&Half| {
            let gap = high.numerator.sub(&low.numerator).as_integer();
            low.denominator == high.denominator && gap.is_some_and(|gap| !gap.is_negative() && gap < high.denominator)
        };
        let high = uppers.iter().find(is_opposite)?;
        Some(high.numerator.scale_down(&high.denominator).floor())
    })
}
