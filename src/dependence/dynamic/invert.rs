//! The U-graph: for each node, which ports of which instances its value goes to.
//!
//! The source `(i = 0 -> r_in{} : B1{i - 1})` of `P{i}.best` for `0 <= i < n`, read backwards, says that `r_in{}` sends to
//! `P.best{0}` if `n > 0`, and `B1{j}` to `P.best{j + 1}` if `j < n - 1`. In general the reader's variables are not functions of the
//! writer's: each of those that the others do not determine becomes a variable `@v` between bounds, as in a loop, and the conditions
//! below it decide which of its values count. So `s{j}`, read by all `T{i, j}` with `i < j`, sends to `(@i (0 j - 1) T.x{i, j})`.
//! (Klimov, section 5.)

use super::graph::Graph;
use super::grow::{Scope, grow};
use super::quast::{coordinates, tuples};
use super::tree::Tree;
use crate::presburger::budget::spend;
use crate::presburger::{Aff, DimKind, Id, Map, PwAff, Set};
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

fn path(scop: &Scop, graph: &Graph, used: &Use, piece: &Map) -> Tree {
    let (writer, reader) = (&graph.nodes[used.writer], &graph.nodes[used.reader]);
    let (n, k) = (writer.context.len(), reader.context.len());
    let pairs = piece.wrap().flatten().reset_space(&tuples(&scop.params, n + k));
    let (kept, whole) = coordinates(&pairs, n);
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
    path.below(&scope, &writer.domain.intersect_params(&scop.trusted_context()), 0)
}

impl Path<'_> {
    /// The tree for the loops from number `depth` on, over the writer's variables and those of the loops before.
    fn below(&self, scope: &Scope, region: &Set, depth: usize) -> Tree {
        spend(1);
        let Some(variable) = self.loops.get(depth) else {
            return grow(scope, region, &[(self.domain.clone(), 0)], &mut |scope, _, _| self.term(scope));
        };
        let bounds = self.bounds(depth);
        let cells: Vec<(Set, usize)> = bounds.iter().enumerate().map(|(at, (set, ..))| (set.clone(), at)).collect();
        grow(scope, region, &cells, &mut |scope, region, at| {
            let (_, lower, upper) = &bounds[at];
            let (lower_form, upper_form) = (scope.linear(lower), scope.linear(upper));
            let n = region.dim(DimKind::Out);
            let inner = tuples(region.space().params(), n + 1);
            let projection = super::quast::selection(&inner, 0..n);
            let own = Aff::var_on_domain(&inner, DimKind::Out, n);
            let between = own.ge_set(&lower.pullback(&projection)).intersect(&own.le_set(&upper.pullback(&projection)));
            let inside = region.preimage(&projection).intersect(&between);
            Tree::Each {
                variable: variable.clone(),
                lower: lower_form,
                upper: upper_form,
                rest: Box::new(self.below(&scope.with(variable.clone()), &inside, depth + 1)),
            }
        })
    }

    /// The smallest and the largest value of a loop's variable, as expressions on disjoint sets.
    fn bounds(&self, depth: usize) -> Vec<(Set, Aff, Aff)> {
        let last = self.domain.dim(DimKind::Out) - self.loops.len() + depth;
        let seen = self.domain.project_out(DimKind::Out, last + 1, self.loops.len() - depth - 1);
        let values = Map::from_range(&seen).move_dims(DimKind::In, 0, DimKind::Out, 0, last);
        let space = tuples(seen.space().params(), last);
        let [lower, upper] = [values.dim_min(0), values.dim_max(0)].map(|bound| bound.reset_domain_space(&space));
        let meet = |(set, low): &(Set, Aff), upper: &PwAff| {
            let cells = upper.pieces().iter().map(|(other, high)| (set.intersect(other), low.clone(), high.clone()));
            cells.filter(|(set, ..)| !set.is_empty()).collect::<Vec<_>>()
        };
        lower.pieces().iter().flat_map(|piece| meet(piece, &upper)).collect()
    }

    fn term(&self, scope: &mut Scope) -> Tree {
        let reader = &self.graph.nodes[self.used.reader];
        let args = self.args.iter().map(|aff| scope.linear(aff)).collect();
        Tree::Term { node: reader.name.clone(), port: Some(reader.ports[self.used.port].name.clone()), args }
    }
}
