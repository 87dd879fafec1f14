//! The tree of generated loops.
//!
//! The loops that scan `{ S[i] : 0 <= i < N }` in order are
//!
//! ```text
//! for (c0 = 0; c0 <= N - 1; c0 += 1) {
//!   S(c0);
//! }
//! ```
//!
//! one [`For`] over one [`Node::User`]. Bounds are inclusive and evaluated once, before the loop; an iterator is visible in the
//! body only. Every [`For`] has its own iterator name, also two loops in sequence, so names never clash. Running a tree
//! is defined by [`super::replay`].
//!
//! Implements: 003 6.3

use super::expr::Expr;
use crate::presburger::{Id, Int};
use std::collections::BTreeSet;

/// Loops, conditions and statements for given parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ast {
    /// The parameters that expressions may name.
    pub params: Vec<Id>,
    /// What runs.
    pub root: Node,
}

/// A piece of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Runs its body for each value of an iterator.
    For(Box<For>),
    /// Runs its body for each value of an iterator, until a test in it says otherwise.
    Steps(Box<Steps>),
    /// Runs one statement instance that says whether the loop of steps around it goes on.
    Test {
        /// The statement.
        statement: Id,
        /// The values of its iterators.
        arguments: Vec<Expr>,
        /// What it says if the loop goes on.
        goes_on: bool,
        /// Runs if it does not, before the loop is left.
        otherwise: Box<Node>,
    },
    /// Runs one of two.
    If {
        /// Not 0 selects `then`.
        condition: Expr,
        /// Runs if the condition holds.
        then: Box<Node>,
        /// Runs if it does not.
        otherwise: Option<Box<Node>>,
    },
    /// Runs its parts in order.
    Block(Vec<Node>),
    /// Runs its parts in any order.
    Sections {
        /// The parts, none of them empty.
        parts: Vec<Node>,
        /// To be run in parallel: nothing around them is, nor anything inside.
        parallel: bool,
    },
    /// Runs one statement instance.
    User {
        /// The statement.
        statement: Id,
        /// The values of its iterators.
        arguments: Vec<Expr>,
    },
    /// Runs its body; the mark is for whoever reads the tree.
    Mark {
        /// What the schedule's mark node says.
        id: Id,
        /// What runs.
        body: Box<Node>,
    },
}

/// `for (iterator = lower; iterator <= upper; iterator += step) body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct For {
    /// The loop's own variable.
    pub iterator: Id,
    /// First value.
    pub lower: Expr,
    /// Inclusive bound of the values.
    pub upper: Expr,
    /// Distance of values; positive.
    pub step: Int,
    /// Runs exactly once, with `lower`; then `upper` equals `lower`.
    pub degenerate: bool,
    /// The schedule says that no dependence is carried here.
    pub coincident: bool,
    /// The schedule does not order the iterations, not even against each other: they have one date, and are data-parallel.
    pub open: bool,
    /// To be run in parallel: coincident, not degenerate, and the outermost such loop of its nest.
    pub parallel: bool,
    /// To be run as a pipeline: threads share the one loop that is its body ([`For::shared_inside`]), in one piece each. All take the iterations of this loop in
    /// order, and each begins with one only when the thread that has the piece before is done with it.
    pub pipelined: bool,
    /// To be run as a vector loop if the target can.
    pub vector: bool,
    /// Names of the arrays whose reductions are relaxed here.
    pub reductions: Vec<Id>,
    /// The mark right above the band whose first member this loop scans.
    pub mark: Option<Id>,
    /// Position of its band member in the whole schedule: how many members are outside of it.
    pub depth: usize,
    /// What runs for each value.
    pub body: Node,
}

/// `for (iterator = lower; iterator <= upper; iterator += step) body`, which tests directly in the body may end; without a bound nothing else does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The loop's own variable.
    pub iterator: Id,
    /// First value.
    pub lower: Expr,
    /// Inclusive bound of the values, if there is one.
    pub upper: Option<Expr>,
    /// Distance of values; positive.
    pub step: Int,
    /// The mark right above the band whose first member this loop scans.
    pub mark: Option<Id>,
    /// Position of its band member in the whole schedule: how many members are outside of it.
    pub depth: usize,
    /// What runs for each value.
    pub body: Node,
}

impl For {
    /// The loop that is all of the body, if the same iterations of it run in each iteration of this one.
    pub fn shared_inside(&self) -> Option<&For> {
        let mut body = &self.body;
        while let Node::Mark { body: below, .. } = body {
            body = below;
        }
        let Node::For(inner) = body else { return None };
        let mut is_same = !inner.degenerate;
        [&inner.lower, &inner.upper]
            .into_iter()
            .for_each(|bound| bound.names(&mut |name| is_same &= *name != self.iterator));
        is_same.then_some(&**inner)
    }
}

impl Node {
    /// A sequence without needless nesting.
    pub fn block(parts: Vec<Node>) -> Node {
        let mut flat = vec![];
        for part in parts {
            match part {
                Node::Block(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Node::Block(flat) }
    }

    /// Whether nothing runs.
    pub fn is_empty(&self) -> bool {
        matches!(self, Node::Block(parts) if parts.is_empty())
    }

    /// The nodes directly below.
    pub fn children(&self) -> Vec<&Node> {
        match self {
            Node::For(each) => vec![&each.body],
            Node::Steps(each) => vec![&each.body],
            Node::Test { otherwise, .. } => vec![otherwise],
            Node::If { then, otherwise, .. } => std::iter::once(&**then).chain(otherwise.as_deref()).collect(),
            Node::Block(parts) | Node::Sections { parts, .. } => parts.iter().collect(),
            Node::User { .. } => vec![],
            Node::Mark { body, .. } => vec![body],
        }
    }

    /// The names of the statements that it runs.
    pub fn statements(&self) -> BTreeSet<Id> {
        match self {
            Node::User { statement, .. } => BTreeSet::from([statement.clone()]),
            _ => self.children().into_iter().flat_map(Node::statements).collect(),
        }
    }

    /// How many statements are written in it.
    pub fn n_users(&self) -> usize {
        match self {
            Node::User { .. } => 1,
            Node::Test { otherwise, .. } => 1 + otherwise.n_users(),
            _ => self.children().into_iter().map(Node::n_users).sum(),
        }
    }
}
