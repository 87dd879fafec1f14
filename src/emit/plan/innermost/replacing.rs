//! Innermost loops that seldom replace the best so far, and are asked block by block whether they do.
//!
//!     for (i) if (x[i] > m) { m = x[i]; at = i; }
//!
//! becomes
//!
//!     for (b = 0; b + 127 < n; b += 128) {
//!       bool any = false;
//!       for (i = b; i < b + 128; i++) any |= x[i] > m;        // in vectors
//!       if (any) for (i = b; i < b + 128; i++) if (x[i] > m) { m = x[i]; at = i; }
//!     }
//!     for (i = b; i < n; i++) if (x[i] > m) { m = x[i]; at = i; }
//!
//! That no iteration of a block replaces anything follows from one question to each of them, asked with what the block begins with: until one replaces it, it is
//! what all of them see. So every bit is that of the program, in whatever order the answers come. Blocks in which one replaces are asked again in parts; behind one all parts
//! of which replaced, as where the largest so far grows all the time, the next one runs without a question.

use crate::ast::{Ast, Expr, For, Node};
use crate::extract::binding::question::{Question, question};
use crate::extract::binding::{Binding, BoundStatement};
use crate::presburger::Id;
use std::collections::BTreeSet;

/// The iterators of the loops that are asked.
pub fn plan(ast: &Ast, binding: &Binding<'_>) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    collect(&ast.root, binding, &mut found);
    found
}

fn collect(node: &Node, binding: &Binding<'_>, found: &mut BTreeSet<Id>) {
    if let Node::For(each) = node
        && !each.degenerate
        && let Some((statement, _)) = single(each)
        && binding.statements.iter().any(|bound| bound.id == *statement && asked(bound).is_some())
    {
        found.insert(each.iterator.clone());
    }
    node.children().into_iter().for_each(|child| collect(child, binding, found));
}

/// The one instance in an iteration of a loop that runs nothing else: the statement, and with what.
pub fn single(each: &For) -> Option<(&Id, &[Expr])> {
    let mut node = &each.body;
    loop {
        match node {
            Node::User { statement, arguments } => return Some((statement, arguments)),
            Node::Mark { .. } | Node::Block(_) => match node.children()[..] {
                [only] => node = only,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// What instances of a statement are asked.
pub fn asked<'ir>(bound: &BoundStatement<'ir>) -> Option<Question<'ir>> {
    question(&bound.root, &bound.picks, &bound.leaves).filter(|_| bound.guards.is_empty())
}
