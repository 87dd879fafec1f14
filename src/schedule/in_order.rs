//! The program's own order, with the loops that may run in parallel.
//!
//! ```c
//! for (int i = 0; i < n; i++) {                  // parallel
//!   double s = 0;
//!   for (int k = 0; k < m; k++)
//!     if (col[k * n + i] >= 0)                   // decided by data
//!       s += val[k * n + i] * x[col[k * n + i]];
//!   y[i] = s;
//! }
//! ```
//!
//! Hyperplanes may tear such loops apart, for vectors that control within them does not allow anyway, until nothing is gained. What is
//! always there is the order as it was written: the outermost loops that carry no dependence run in parallel, and each of their iterations
//! is what it was. Reductions that threads have copies for do not stand in the way, as in
//!
//! ```c
//! for (int i = 0; i < n; i++) {                  // parallel, each share with its own `hits`
//!   unsigned s = i;
//!   for (int k = 0; k < m; k++) {
//!     s = s * 1664525 + 1013904223;              // in order
//!     if (s >> 16 < limit)
//!       hits++;
//!   }
//! }
//! ```

use super::check::Pairs;
use super::flowing::Flowing;
use super::model::problem::Problem;
use super::outward::outward;
use super::short::short_loops_written_out;
use super::transformation::Transformation;
use super::{Schedule, unordered};
use crate::dependence::Dependences;
use crate::presburger::Id;
use crate::scop::tree::{Band, Node};
use crate::scop::{Scop, Tree};
use std::cell::OnceCell;

impl Schedule {
    /// The order of the program, in which of the outermost loops, and inside of those that run in order of the next ones, all are parallel
    /// that carry no dependence but of reductions on the arrays `privatised`. Those that can be in front of the ones in order are moved there; two that are in
    /// order are a pipeline where that can be.
    pub fn in_order(scop: &Scop, dependences: &Dependences, privatised: &[Id]) -> Schedule {
        let own = Schedule { privatised: privatised.to_vec(), ..Schedule::original(scop) };
        let (mut moved, mut flowing) = (Vec::new(), Vec::new());
        let problem = OnceCell::new();
        let found = own.with_marked(scop, dependences, &mut |node, pairs| {
            if let Some((name, node)) = outward(node, pairs) {
                moved.push(name);
                return Some(node);
            }
            // Threads have no copies in a pipeline.
            let problem =
                if privatised.is_empty() { problem.get_or_init(|| Problem::of(&unordered(scop))) } else { &None };
            let (done, node) = Flowing { problem: problem.as_ref()?, domain: &scop.domain() }.pipeline(node, pairs)?;
            flowing.push(done);
            Some(node)
        });
        let found = found.with_short_loops_written_out();
        let is_all = !flowing.is_empty() && moved.is_empty() && !found.tree.root().has_coincident();
        let own = if moved.is_empty() { Transformation::InOrder } else { Transformation::Outward(moved) };
        let description = Some(own).filter(|_| !is_all).into_iter().chain(flowing).collect();
        Schedule { gains: found.is_parallel, description, ..found }
    }

    /// The same order, in which of the outermost loops, and inside of those that run in order of the next ones, all are parallel that carry no dependence
    /// but of reductions on arrays of which threads have copies.
    pub(super) fn with_parallel_loops(self, scop: &Scop, dependences: &Dependences) -> Schedule {
        self.with_marked(scop, dependences, &mut |_, _| None)
    }

    fn with_short_loops_written_out(self) -> Schedule {
        let root = short_loops_written_out(self.tree.root(), &self.tree.domain());
        Schedule { tree: Tree::from_root(root), ..self }
    }

    fn with_marked(self, scop: &Scop, dependences: &Dependences, instead: Instead<'_>) -> Schedule {
        let order = dependences.strict_validity_but(scop, &self.privatised);
        let pairs = Pairs::between(&self.tree.domain(), &order);
        let root = marked(self.tree.root(), &pairs, instead);
        Schedule { is_parallel: root.has_parallel(), tree: Tree::from_root(root), ..self }
    }
}

/// What to have in place of a loop that carries dependences, of those that nothing around it has put in order; nothing if it stays.
type Instead<'a> = &'a mut dyn FnMut(&Node, &Pairs) -> Option<Node>;

/// A node of the program's order with such loops marked; `pairs` are those that nothing around it has put in order.
fn marked(node: &Node, pairs: &Pairs, instead: Instead<'_>) -> Node {
    match node {
        Node::Band { band, child } => {
            let as_members = |coincident: bool| Band { coincident: vec![coincident; band.n_member()], ..band.clone() };
            if pairs.below_band(&as_members(true)).is_ok() {
                return Node::Band { band: as_members(true), child: child.clone() };
            }
            if let Some(other) = instead(node, pairs) {
                return other;
            }
            match pairs.below_band(&as_members(false)) {
                Ok(left) => Node::Band { band: band.clone(), child: Box::new(marked(child, &left, instead)) },
                Err(_) => node.clone(),
            }
        }
        Node::Filter { filter, child } => {
            let child = Box::new(marked(child, &pairs.below_filter(filter), instead));
            Node::Filter { filter: filter.clone(), child }
        }
        _ => node.with_children(node.children().into_iter().map(|child| marked(child, pairs, instead)).collect()),
    }
}
