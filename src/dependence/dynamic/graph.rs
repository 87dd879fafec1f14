//! The dataflow program as data: nodes with contexts, domains, ports and the sources of these.
//!
//! ```text
//! node B1{i}, 0 <= i < n, one port r = (P{i} -> S{i} : i = 0 -> r_in{} : B1{i - 1})
//! ```
//!
//! is a node of the S-graph: each of its instances `B1{i}` copies what it finds at its port, and the tree says which other instance
//! sends it. A graph is *complete* (each tree gives an instance in the domain of its node) and *well-founded* (no instance depends on
//! itself); [`verify`](super::verify) checks the first, running it shows the second.
//!
//! Implements: 004 3.2

use super::quast::{Quast, Term};
use crate::presburger::{Id, Set};
use crate::scop::{ArrayId, StatementId, TableId};

/// A dataflow program.
#[derive(Clone, Default)]
pub struct Graph {
    /// Its nodes; terms name them by their place.
    pub nodes: Vec<Node>,
}

/// Many instances that do the same, one for each point of a domain at which the guards hold.
#[derive(Clone)]
pub struct Node {
    /// What terms are called.
    pub name: Id,
    /// What an instance does.
    pub kind: Kind,
    /// The variables that tell its instances apart.
    pub context: Vec<Id>,
    /// Where there are instances: a set of tuples without a name, one dimension for each variable.
    pub domain: Set,
    /// The conditions on data under which the value of an instance exists: those around it, and for a filter at last its own.
    pub guards: Vec<Guard>,
    /// What an instance needs.
    pub ports: Vec<Port>,
}

/// What the instances of a node do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Deliver elements of an array from before the program.
    Input(ArrayId),
    /// Keep elements of an array for after the program.
    Output(ArrayId),
    /// Compute what a statement computes.
    Compute(StatementId),
    /// Copy the one of two values of an array's element that a condition selects.
    Blend(ArrayId),
    /// Pass on the value of the first port if the truth value at the second one is this.
    Filter(bool),
    /// Wake up those who need nothing.
    Start,
}

/// `term` is a true value (or a false one).
#[derive(Clone, Debug)]
pub struct Guard {
    /// Whose value.
    pub term: Term,
    /// What it is.
    pub holds: bool,
}

/// Where an instance receives a value.
#[derive(Clone)]
pub struct Port {
    /// What the computation calls it.
    pub name: Id,
    /// From where.
    pub source: Source,
}

/// From where a port receives its value.
#[derive(Clone)]
pub enum Source {
    /// An instance that depends on the context alone.
    Value(Quast),
    /// One of two, depending on a truth value.
    Blend { predicate: Term, yes: Quast, no: Quast },
}

impl Source {
    /// The functions in it.
    pub fn quasts(&self) -> impl Iterator<Item = &Quast> {
        match self {
            Self::Value(one) => [Some(one), None],
            Self::Blend { yes, no, .. } => [Some(yes), Some(no)],
        }
        .into_iter()
        .flatten()
    }
}

impl Graph {
    /// The number of the node that computes what a statement computes: these come first, in the model's order.
    pub fn node_of(statement: StatementId) -> usize {
        statement.position()
    }

    /// All cells of all sources.
    pub fn all_cells(&self) -> impl Iterator<Item = &(Set, Term)> {
        let sources = self.nodes.iter().flat_map(|node| &node.ports).flat_map(|port| port.source.quasts());
        sources.flat_map(Quast::cells)
    }

    /// Number of its blenders.
    pub fn blenders(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node.kind, Kind::Blend(_))).count()
    }

    /// Keeps those nodes only, which mention no others; the new place of each old node.
    pub fn retain(&mut self, keep: impl Fn(&Node) -> bool) -> Vec<usize> {
        let mut places = Vec::new();
        let mut kept = 0;
        for node in &self.nodes {
            places.push(kept);
            kept += usize::from(keep(node));
        }
        self.nodes.retain(keep);
        let mut moved = |term: &mut Term| term.node = places[term.node];
        for node in &mut self.nodes {
            node.guards.iter_mut().for_each(|guard| moved(&mut guard.term));
            for port in &mut node.ports {
                match &mut port.source {
                    Source::Value(one) => one.each_term(&mut moved),
                    Source::Blend { predicate, yes, no } => {
                        moved(predicate);
                        yes.each_term(&mut moved);
                        no.each_term(&mut moved);
                    }
                }
            }
        }
        places
    }
}
