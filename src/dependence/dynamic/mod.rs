//! The exact model of weakly dynamic programs: loops with affine bounds, and conditions on data.
//!
//! ```text
//! do i = 0, n - 1 { if (r < x[i]) r = x[i] }
//! ```
//!
//! No dependence analysis can say which write of `r` the comparison of iteration `i` reads: that depends on the data. But a program
//! can: if iteration `i - 1` did not write, what iteration `i - 1` itself read. [`Dataflow::of`] finds that program, exactly, as a
//! graph of nodes. The *S-graph* says for each port of a node from where its value comes; where two branches of a condition meet a
//! *blender* picks one. The *U-graph*, its inverse, says where each value goes to; where a value enters a branch a *filter* lets it
//! pass or not. Both are programs: [`recurrence`] executes the first by need, [`tokens`] the second by data, both give what the
//! sequential program gives, and the length of their longest chain is the time that unlimited processors need.
//!
//! ```text
//! Scop --program--> loops and ifs --effect--> effects --state--> S-graph --filter--> --invert--> U-graph
//! ```
//!
//! A. Klimov, *Yet another way of building exact polyhedral model for weakly dynamic affine programs*, IMPACT 2015. Weaker here: a
//! `while` loop must be written as a loop with a bound and a condition. Different: a state is asked for one element at a time and
//! never built for all; blenders are named by times and elements instead of by the variables of their sources, so that nothing has to be
//! solved for; and a predicate is computed once where the model says, however many statements run under it.

pub mod c_source;
mod c_values;
pub mod effect;
pub mod equations;
#[cfg(test)]
mod examples;
pub mod filter;
pub mod graph;
pub mod grow;
pub mod input;
pub mod invert;
pub mod json;
pub mod positions;
pub mod print;
pub mod program;
pub mod quast;
#[cfg(test)]
mod random;
pub mod recurrence;
pub mod refusal;
pub mod run;
pub mod sequential;
pub mod state;
pub mod tokens;
pub mod tree;
pub mod unfold;
pub mod value;
pub mod verify;

use crate::presburger::{Id, Set};
use crate::scop::Scop;
use effect::Effects;
use graph::{Graph, Node, Source};
use grow::{Scope, grow};
use program::Program;
use quast::{Quast, Term};
pub use refusal::Refusal;
use tree::{Condition, Tree};

/// The exact dataflow of a model.
pub struct Dataflow<'a> {
    /// The model.
    pub scop: &'a Scop,
    /// What the whole program writes, for each array that it writes.
    pub effects: Effects,
    /// The S-graph.
    pub graph: Graph,
    /// The sources of its nodes' ports.
    pub sources: Vec<Vec<Tree>>,
    /// The graph with filters.
    pub filtered: Graph,
    /// The destinations of its nodes: the U-graph.
    pub destinations: Vec<Tree>,
}

impl<'a> Dataflow<'a> {
    /// The exact dataflow of `scop`.
    pub fn of(scop: &'a Scop) -> Result<Self, Refusal> {
        let program = Program::of(scop)?;
        let (effects, graph) = effect::build(scop, &program)?;
        let sources = source_trees(scop, &graph);
        let filtered = filter::filtered(&graph, &scop.params);
        let destinations = invert::destinations(scop, &filtered);
        Ok(Self { scop, effects, graph, sources, filtered, destinations })
    }

    /// Whether both graphs keep their laws; see [`verify`].
    pub fn verify(&self) -> Result<(), verify::Broken> {
        let (params, context) = (&self.scop.params, &self.scop.trusted_context());
        verify::sources_are_right(params, &self.graph, &self.sources, context)?;
        let sources = source_trees(self.scop, &self.filtered);
        verify::sources_are_right(params, &self.filtered, &sources, context)?;
        verify::are_inverse(params, &self.filtered, &sources, &self.destinations, context)
    }

    /// The outputs for an input, by need.
    pub fn by_need(&self, input: &input::Input) -> Result<recurrence::Run, value::Stuck> {
        recurrence::run(self.scop, &self.graph, &self.sources, input)
    }

    /// The outputs for an input, by data.
    pub fn by_data(&self, input: &input::Input) -> Result<recurrence::Run, value::Stuck> {
        let sources = source_trees(self.scop, &self.filtered);
        tokens::run((self.scop, &self.filtered), &sources, &self.destinations, input)
    }
}

/// The sources of all ports of all nodes.
pub fn source_trees(scop: &Scop, graph: &Graph) -> Vec<Vec<Tree>> {
    let trees = |node: &Node| node.ports.iter().map(|port| source_tree(scop, graph, node, &port.source)).collect();
    graph.nodes.iter().map(trees).collect()
}

fn source_tree(scop: &Scop, graph: &Graph, node: &Node, source: &Source) -> Tree {
    let scope = Scope::new(&scop.params, &node.context);
    let region = node.domain.intersect_params(&scop.trusted_context());
    match source {
        Source::Value(one) => quast_tree(&scope, graph, &region, one),
        Source::Blend { predicate, yes, no } => {
            let (mut inner, known) = (scope.clone(), scope.n_divisions());
            let args = predicate.args.iter().map(|aff| inner.linear(aff)).collect();
            let condition = Condition::Truth { node: graph.nodes[predicate.node].name.clone(), args };
            let branch = |one: &Quast| Box::new(quast_tree(&inner, graph, &region, one));
            inner.divided(known, Tree::Branch { condition, yes: branch(yes), no: branch(no) })
        }
    }
}

/// The S-tree of a function over `region`.
pub fn quast_tree(scope: &Scope, graph: &Graph, region: &Set, quast: &Quast) -> Tree {
    let cells: Vec<(Set, usize)> = quast.cells().iter().enumerate().map(|(at, (set, _))| (set.clone(), at)).collect();
    grow(scope, region, &cells, &mut |scope, _, at| term_tree(scope, graph, &quast.cells()[at].1, None))
}

fn term_tree(scope: &mut Scope, graph: &Graph, term: &Term, port: Option<&Id>) -> Tree {
    let args = term.args.iter().map(|aff| scope.linear(aff)).collect();
    Tree::Term { node: graph.nodes[term.node].name.clone(), port: port.cloned(), args }
}
