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

use super::Schedule;
use super::check::Pairs;
use super::transformation::Transformation;
use crate::dependence::Dependences;
use crate::presburger::Id;
use crate::scop::tree::{Band, Node};
use crate::scop::{Scop, Tree};

impl Schedule {
    /// The order of the program, in which of the outermost loops, and inside of those that run in order of the next ones, all are parallel
    /// that carry no dependence but of reductions on the arrays `privatised`.
    pub fn in_order(scop: &Scop, dependences: &Dependences, privatised: &[Id]) -> Schedule {
        let own = Schedule { privatised: privatised.to_vec(), ..Schedule::original(scop) };
        let found = own.with_parallel_loops(scop, dependences);
        Schedule { gains: found.is_parallel, description: vec![Transformation::InOrder], ..found }
    }

    /// The same order, in which of the outermost loops, and inside of those that run in order of the next ones, all are parallel that carry no dependence
    /// but of reductions on arrays of which threads have copies.
    pub(super) fn with_parallel_loops(self, scop: &Scop, dependences: &Dependences) -> Schedule {
        let order = dependences.strict_validity_but(scop, &self.privatised);
        let pairs = Pairs::between(&self.tree.domain(), &order);
        let root = marked(self.tree.root(), &pairs);
        Schedule { is_parallel: has_parallel(&root), tree: Tree::from_root(root), ..self }
    }
}

/// A node of the program's order with such loops marked; `pairs` are those that nothing around it has put in order.
fn marked(node: &Node, pairs: &Pairs) -> Node {
    match node {
        Node::Band { band, child } => {
            let as_members = |coincident: bool| Band { coincident: vec![coincident; band.n_member()], ..band.clone() };
            if pairs.below_band(&as_members(true)).is_ok() {
                return Node::Band { band: as_members(true), child: child.clone() };
            }
            match pairs.below_band(&as_members(false)) {
                Ok(left) => Node::Band { band: band.clone(), child: Box::new(marked(child, &left)) },
                Err(_) => node.clone(),
            }
        }
        Node::Filter { filter, child } => {
            let child = Box::new(marked(child, &pairs.below_filter(filter)));
            Node::Filter { filter: filter.clone(), child }
        }
        _ => node.with_children(node.children().into_iter().map(|child| marked(child, pairs)).collect()),
    }
}

fn has_parallel(node: &Node) -> bool {
    matches!(node, Node::Band { band, .. } if band.coincident.contains(&true))
        || node.children().into_iter().any(has_parallel)
}
