//! Filters: where a value enters a branch of a condition, it passes only if the condition holds.
//!
//! In `if (r < x[i]) r = x[i]` the instance `S{i}` needs `x_in{i}`, but exists only where `P{i}` is true, while the input exists
//! anyway. Seen from the input, whether to send depends on data, which a tree of destinations cannot say. So between both comes a
//! filter `F1{i}` with two ports, the value and `P{i}`, that hands on the value if that is true. A source that lies in the same
//! branches as its reader needs none, and a source in more branches than its reader does not exist (Klimov, propositions 3 and 4). A
//! branch of a blender counts as lying under the blender's predicate.
//!
//! The truth value may itself come from outside of branches that the filter is in; then it is filtered as any other value.
//! Nodes without ports get one, from the node `Start`, so that somebody wakes them up.
//!
//! Implements: 004 5.2

use super::graph::{Graph, Guard, Kind, Node, Port, Source};
use super::program::fresh;
use super::quast::{Quast, Term, function, selection, tuples};
use crate::presburger::budget::spend;
use crate::presburger::{DimKind, Id, Set};

/// The graph with filters where its arrows enter branches, and all nodes with ports.
pub fn filtered(graph: &Graph, params: &[Id]) -> Graph {
    let mut with = graph.clone();
    add_start(&mut with, params);
    let mut at = 0;
    // Filters are added at the end, and looked at in their turn.
    while at < with.nodes.len() {
        for port in 0..with.nodes[at].ports.len() {
            let guards = with.nodes[at].exists_under().to_vec();
            let source = match with.nodes[at].ports[port].source.clone() {
                Source::Value(one) => Source::Value(guarded(&mut with, at, &one, &guards)),
                Source::Blend { predicate, yes, no } => {
                    let under = |last: Guard| guards.iter().cloned().chain([last]).collect::<Vec<_>>();
                    let holds = Guard { term: predicate.clone(), holds: true };
                    let fails = Guard { holds: false, ..holds.clone() };
                    let yes = guarded(&mut with, at, &yes, &under(holds));
                    let no = guarded(&mut with, at, &no, &under(fails));
                    Source::Blend { predicate, yes, no }
                }
            };
            with.nodes[at].ports[port].source = source;
        }
        at += 1;
    }
    with
}

fn fresh_name(graph: &Graph, wish: &str) -> Id {
    fresh(wish, |name| !graph.nodes.iter().any(|node| node.name == *name))
}

fn add_start(graph: &mut Graph, params: &[Id]) {
    let start = graph.nodes.len();
    let mut used = false;
    for node in graph.nodes.iter_mut().filter(|n| n.ports.is_empty() && matches!(n.kind, Kind::Compute(_))) {
        let wake =
            Quast::from_cells(node.domain.space(), [(node.domain.clone(), Term { node: start, args: Vec::new() })]);
        node.ports.push(Port { name: Id::new("start"), source: Source::Value(wake) });
        used = true;
    }
    if used {
        let name = fresh_name(graph, "Start");
        let domain = Set::universe(&tuples(params, 0));
        graph.nodes.push(Node {
            name,
            kind: Kind::Start,
            context: Vec::new(),
            domain,
            guards: Vec::new(),
            ports: Vec::new(),
        });
    }
}

/// The source for a reader that exists only under `guards`, with new filters where it needs them.
fn guarded(graph: &mut Graph, reader: usize, source: &Quast, guards: &[Guard]) -> Quast {
    let mut groups: Vec<(Vec<usize>, Vec<(Set, Term)>)> = Vec::new();
    for (set, term) in source.cells() {
        spend(1);
        let missing = missing(graph, set, term, guards);
        match groups.iter_mut().find(|(known, _)| *known == missing) {
            Some((_, cells)) => cells.push((set.clone(), term.clone())),
            None => groups.push((missing, vec![(set.clone(), term.clone())])),
        }
    }
    let mut cells = Vec::new();
    for (missing, group) in groups {
        let mut part = Quast::from_cells(source.space(), group);
        for (passed, at) in missing.iter().enumerate() {
            let later = &missing[passed..];
            let around = guards.iter().enumerate().filter(|(g, _)| !later.contains(g)).map(|(_, guard)| guard.clone());
            part = add_filter(graph, reader, part, &guards[*at], around.collect());
        }
        cells.extend(part.cells().iter().cloned());
    }
    Quast::from_cells(source.space(), cells)
}

/// Which of the guards the source does not have.
fn missing(graph: &Graph, set: &Set, term: &Term, guards: &[Guard]) -> Vec<usize> {
    let inner = function(set.space(), term.args.clone());
    let has = |guard: &Guard| graph.nodes[term.node].guards.iter().any(|own| is_same(own, &inner, guard, set));
    let own = graph.nodes[term.node].guards.len();
    let missing: Vec<usize> = guards.iter().enumerate().filter(|(_, guard)| !has(guard)).map(|(at, _)| at).collect();
    let name = &graph.nodes[term.node].name;
    assert_eq!(
        missing.len() + own,
        guards.len(),
        "law: a source, here {name}, lies in no branch that its reader is not in"
    );
    missing
}

/// Whether, on `set`, a guard of the source, which is `inner`, is this guard of the reader.
fn is_same(own: &Guard, inner: &crate::presburger::MultiAff, guard: &Guard, set: &Set) -> bool {
    if own.term.node != guard.term.node || own.holds != guard.holds {
        return false;
    }
    let pulled = own.term.pullback(inner);
    pulled.args.iter().zip(&guard.term.args).all(|(a, b)| set.is_subset(&a.eq_set(b)))
}

/// A filter of `values` by `guard`, among instances that exist under `around`: the source that it is.
fn add_filter(graph: &mut Graph, reader: usize, values: Quast, guard: &Guard, mut around: Vec<Guard>) -> Quast {
    let domain = values.domain();
    let space = domain.space().clone();
    let number = graph.nodes.iter().filter(|node| matches!(node.kind, Kind::Filter(_))).count() + 1;
    let truth = Quast::from_cells(&space, [(domain.clone(), guard.term.clone())]);
    let place = graph.nodes.len();
    around.push(guard.clone());
    graph.nodes.push(Node {
        name: fresh_name(graph, &format!("F{number}")),
        kind: Kind::Filter(guard.holds),
        context: graph.nodes[reader].context.clone(),
        domain: domain.clone(),
        guards: around,
        ports: vec![
            Port { name: Id::new("value"), source: Source::Value(values) },
            Port { name: Id::new("if"), source: Source::Value(truth) },
        ],
    });
    let args = selection(&space, 0..space.dim(DimKind::Out)).affs().to_vec();
    Quast::from_cells(&space, [(domain, Term { node: place, args })])
}

impl Node {
    /// The conditions under which there is an instance: for a filter, those of what it hands on without its own.
    pub fn exists_under(&self) -> &[Guard] {
        let own = usize::from(matches!(self.kind, Kind::Filter(_)));
        &self.guards[..self.guards.len() - own]
    }
}
