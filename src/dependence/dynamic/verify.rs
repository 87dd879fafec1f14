//! The laws of the two graphs, checked on the trees themselves.
//!
//! A tree is read back as a relation: its conditions restrict, its divisions are floors, its unions and `@` variables add. Then
//!
//! 1. each source tree is the function that it was grown from;
//! 2. the S-graph is *complete*: each source is an instance in the domain of its node;
//! 3. the U-graph is the S-graph (with its filters) *read backwards*: the same arrows between the same ports.
//!
//! The trees of `P{i}.best` and `B1{j}`, `(i = 0 -> r_in{} : B1{i - 1})` and `(j < n - 1 -> P.best{j + 1} : ⊥)`, give `P[i] -> B1[i - 1]`
//! and `B1[j] -> P[j + 1]`, which is the reverse.

use std::collections::BTreeMap;
use std::fmt;

use super::graph::{Graph, Node};
use super::quast::{function, selection, tuples};
use super::tree::{Condition, Linear, Tree};
use crate::presburger::budget::spend;
use crate::presburger::{Aff, DimKind, Id, Int, Map, Set};

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which one, and where.
    pub message: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Arrows: from reader, port and writer to `{ reader's context -> writer's context }`.
pub type Arrows = BTreeMap<(Id, Id, Id), Map>;

/// Where in a tree one is: the points that come there, and the variables as expressions on them.
#[derive(Clone)]
struct Reached {
    points: Set,
    variables: Vec<(Id, Aff)>,
}

impl Reached {
    fn new(params: &[Id], context: &[Id], region: &Set) -> Reached {
        let space = tuples(params, context.len());
        let param = |p: usize| (params[p].clone(), Aff::var_on_domain(&space, DimKind::Param, p));
        let own = |d: usize| (context[d].clone(), Aff::var_on_domain(&space, DimKind::Out, d));
        let variables = (0..params.len()).map(param).chain((0..context.len()).map(own)).collect();
        Reached { points: region.clone(), variables }
    }

    fn form(&self, linear: &Linear) -> Aff {
        let start = Aff::constant_on_domain(self.points.space(), &linear.constant);
        linear.terms.iter().fold(start, |sum, (name, coefficient)| {
            let known = self.variables.iter().rev().find(|(known, _)| known == name);
            let (_, value) = known.expect("law: a tree binds its variables");
            sum.add(&value.scale(coefficient))
        })
    }

    fn within(&self, set: &Set) -> Reached {
        Reached { points: self.points.intersect(set), variables: self.variables.clone() }
    }

    fn bound(&self, name: &Id, value: Aff) -> Reached {
        let mut wider = self.clone();
        wider.variables.push((name.clone(), value));
        wider
    }

    /// With one more dimension, a variable from the largest of `lowers` to the smallest of `uppers`.
    fn each(&self, name: &Id, lowers: &[Linear], uppers: &[Linear]) -> Reached {
        let n = self.points.dim(DimKind::Out);
        let space = tuples(self.points.space().params(), n + 1);
        let projection = selection(&space, 0..n);
        let own = Aff::var_on_domain(&space, DimKind::Out, n);
        let above = lowers.iter().map(|bound| own.ge_set(&self.form(bound).pullback(&projection)));
        let below = uppers.iter().map(|bound| own.le_set(&self.form(bound).pullback(&projection)));
        let lifted = self.variables.iter().map(|(name, value)| (name.clone(), value.pullback(&projection)));
        let variables = lifted.chain([(name.clone(), own.clone())]).collect();
        let points = above.chain(below).fold(self.points.preimage(&projection), |all, half| all.intersect(&half));
        Reached { points, variables }
    }
}

/// Calls `visit` with each term of a tree and the relation from the tree's context to the term's arguments. Both branches of a
/// truth value count.
fn relations(tree: &Tree, n: usize, place: &Reached, visit: &mut impl FnMut(&Id, Option<&Id>, Map)) {
    spend(1);
    match tree {
        Tree::Nothing => {}
        Tree::Term { node, port, args } => {
            let args = args.iter().map(|arg| place.form(arg)).collect();
            let relation = function(place.points.space(), args).as_map().intersect_domain(&place.points);
            let looped = place.points.dim(DimKind::Out) - n;
            visit(node, port.as_ref(), relation.project_out(DimKind::In, n, looped));
        }
        Tree::Branch { condition, yes, no } => {
            let (on_yes, on_no) = match condition {
                Condition::Zero(e) => halves(place, &place.form(e).zero_set()),
                Condition::Positive(e) => halves(place, &place.form(e).add_constant(&Int::from(-1)).nonneg_set()),
                Condition::Truth { .. } => (place.clone(), place.clone()),
            };
            relations(yes, n, &on_yes, visit);
            relations(no, n, &on_no, visit);
        }
        Tree::Divide { dividend, divisor, quotient, remainder, rest } => {
            let dividend = place.form(dividend);
            let q = dividend.scale_down(divisor).floor();
            let r = dividend.sub(&q.scale(divisor));
            relations(rest, n, &place.bound(quotient, q).bound(remainder, r), visit);
        }
        Tree::Union(trees) => trees.iter().for_each(|tree| relations(tree, n, place, visit)),
        Tree::Each { variable, lowers, uppers, rest } => {
            relations(rest, n, &place.each(variable, lowers, uppers), visit);
        }
    }
}

fn halves(place: &Reached, set: &Set) -> (Reached, Reached) {
    let no = Reached { points: place.points.subtract(set), variables: place.variables.clone() };
    (place.within(set), no)
}

fn add(arrows: &mut Arrows, key: (Id, Id, Id), relation: Map) {
    let space = relation.space().clone();
    let known = arrows.entry(key).or_insert_with(|| Map::empty(&space));
    *known = known.union(&relation);
}

/// The arrows that the source trees of a graph say.
pub fn arrows_of_sources(params: &[Id], graph: &Graph, trees: &[Vec<Tree>], context: &Set) -> Arrows {
    let mut arrows = Arrows::new();
    for (node, trees) in graph.nodes.iter().zip(trees) {
        for (port, tree) in node.ports.iter().zip(trees) {
            let place = Reached::new(params, &node.context, &node.domain.intersect_params(context));
            relations(tree, node.context.len(), &place, &mut |writer, _, relation| {
                add(&mut arrows, (node.name.clone(), port.name.clone(), writer.clone()), relation);
            });
        }
    }
    arrows
}

/// The arrows that the destination trees of a graph say, from reader to writer as well.
pub fn arrows_of_destinations(params: &[Id], graph: &Graph, trees: &[Tree], context: &Set) -> Arrows {
    let mut arrows = Arrows::new();
    for (node, tree) in graph.nodes.iter().zip(trees) {
        let place = Reached::new(params, &node.context, &node.domain.intersect_params(context));
        relations(tree, node.context.len(), &place, &mut |reader, port, relation| {
            let port = port.expect("law: destinations are ports").clone();
            add(&mut arrows, (reader.clone(), port, node.name.clone()), relation.reverse());
        });
    }
    arrows
}

/// The arrows that the functions of a graph say.
fn arrows_of_functions(graph: &Graph, context: &Set) -> Arrows {
    let mut arrows = Arrows::new();
    for node in &graph.nodes {
        for port in &node.ports {
            for (set, term) in port.source.quasts().flat_map(|one| one.cells()) {
                let key = (node.name.clone(), port.name.clone(), graph.nodes[term.node].name.clone());
                add(&mut arrows, key, term.relation(&set.intersect_params(context)));
            }
        }
    }
    arrows
}

/// Whether two graphs say the same.
fn agree(first: &Arrows, second: &Arrows, law: &str) -> Result<(), Broken> {
    for (key, relation) in first.iter().chain(second) {
        let none = Map::empty(relation.space());
        let of = |arrows: &Arrows| arrows.get(key).unwrap_or(&none).clone();
        let (a, b) = (of(first), of(second));
        if !a.is_equal(&b) {
            let (reader, port, writer) = key;
            let message = format!("{law}: from {reader}.{port} to {writer} once {a} and once {b}");
            return Err(Broken { message });
        }
    }
    Ok(())
}

/// Law 1 for the source trees of a graph, and law 2.
pub fn sources_are_right(params: &[Id], graph: &Graph, trees: &[Vec<Tree>], context: &Set) -> Result<(), Broken> {
    let arrows = arrows_of_sources(params, graph, trees, context);
    agree(&arrows, &arrows_of_functions(graph, context), "a tree is not its function")?;
    for node in &graph.nodes {
        sources_exist(graph, node)?;
    }
    Ok(())
}

fn sources_exist(graph: &Graph, node: &Node) -> Result<(), Broken> {
    for port in &node.ports {
        for (set, term) in port.source.quasts().flat_map(|one| one.cells()) {
            let source = &graph.nodes[term.node];
            if !term.relation(set).range().is_subset(&source.domain) {
                let message =
                    format!("{}.{} has a source outside of the domain of {}", node.name, port.name, source.name);
                return Err(Broken { message });
            }
        }
    }
    Ok(())
}

/// Law 3: the destinations are the sources read backwards.
pub fn are_inverse(
    params: &[Id],
    graph: &Graph,
    sources: &[Vec<Tree>],
    destinations: &[Tree],
    context: &Set,
) -> Result<(), Broken> {
    let by_source = arrows_of_sources(params, graph, sources, context);
    let by_destination = arrows_of_destinations(params, graph, destinations, context);
    agree(&by_source, &by_destination, "the graphs are not inverse")
}
