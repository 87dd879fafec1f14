//! Innermost loops whose iterations run loops of their own until data says so, side by side in the lanes of vectors.
//!
//!     for (i) { z = 0; k = 0; while (norm(z) < 4) { z = z * z + c[i]; k++; } out[i] = k; }
//!
//! becomes
//!
//!     for (b = 0; b + 7 < n; b += 8) {
//!       c8 = c[b ... b + 7];  z8 = 0;  k8 = 0;  active = all;
//!       do { active &= norm(z8) < 4;  z8 = z8 * z8 + c8;  k8 += active; } while (any of active);
//!       out[b ... b + 7] = k8;
//!     }
//!     for (i = b; i < n; i++) ...
//!
//! Other statements of an iteration are run before or behind, one iteration after the other. As no iteration depends on another one, neither does it matter that those before the inner
//! loop run before that of an earlier iteration, provided that nothing is handed on past it: memory for that is the same for all iterations, where each has a copy of its own by agreement.
//! See [`crate::extract::control::divergent`].

use crate::ast::{For, Node};
use crate::emit::plan::reduction::contains_loop;
use crate::extract::binding::{Binding, BoundStatement};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::statements::root::{Output, Root};
use crate::presburger::Id;
use crate::scop::ArrayId;
use std::collections::BTreeSet;

/// More statements beside that with the inner loop, as many times as there are lanes, are more code than they are worth.
const MOST_OTHERS: usize = 4;

/// The body of such a loop.
pub struct SideBySide<'a> {
    pub before: Vec<&'a Node>,
    /// The statement with the inner loop.
    pub statement: &'a Node,
    pub behind: Vec<&'a Node>,
}

/// What runs side by side, if that can be.
pub fn side_by_side<'a, 'ir>(each: &'a For, binding: &Binding<'ir>) -> Option<SideBySide<'a>> {
    if !each.coincident || contains_loop(&each.body) {
        return None;
    }
    let bound = |statement: &Id| binding.statements.iter().find(|bound| bound.id == *statement);
    let runs =
        |node: &&Node| matches!(node, Node::User { statement, .. } if bound(statement).is_some_and(is_divergent));
    let parts = parts(&each.body);
    let at = parts.iter().position(|part| runs(part))?;
    let (before, behind) = (parts[..at].to_vec(), parts[at + 1..].to_vec());
    let others = |parts: &[&'a Node]| {
        let statements = parts.iter().flat_map(|part| part.statements());
        statements.map(|statement| bound(&statement)).collect::<Option<Vec<&BoundStatement<'ir>>>>()
    };
    let (earlier, later) = (others(&before)?, others(&behind)?);
    let is_plain = |bound: &&BoundStatement<'ir>| bound.root.divergent().is_none();
    let written: BTreeSet<ArrayId> = earlier.iter().flat_map(|bound| written(bound)).collect();
    let touched: BTreeSet<ArrayId> = later.iter().flat_map(|bound| touched(bound)).collect();
    let is_fine = each.body.n_users() <= MOST_OTHERS + 1
        && earlier.iter().chain(&later).all(is_plain)
        && written.is_disjoint(&touched);
    is_fine.then_some(SideBySide { before, statement: parts[at], behind })
}

/// Whether the statement is nothing but a divergent loop, which goes on from nothing that another instance has computed.
fn is_divergent(bound: &BoundStatement<'_>) -> bool {
    let Root::Opaque { accesses, outputs, .. } = &bound.root else { return false };
    let goes_on = |output: &Output<'_>| bound.leaves.values().any(|leaf| output.is_read_by(leaf));
    bound.root.divergent().is_some()
        && accesses.is_empty()
        && bound.guards.is_empty()
        && bound.picks.is_empty()
        && !outputs.iter().any(goes_on)
}

/// What an iteration runs, in order.
fn parts(body: &Node) -> Vec<&Node> {
    match body {
        Node::Block(parts) => parts.iter().flat_map(|part| self::parts(part)).collect(),
        Node::Mark { body, .. } => parts(body),
        other => vec![other],
    }
}

fn written(bound: &BoundStatement<'_>) -> Vec<ArrayId> {
    match &bound.root {
        Root::Store { array, .. } | Root::Write { array, .. } | Root::Scatter { array, .. } => vec![*array],
        Root::Pick { outputs, .. } | Root::Together { outputs } => outputs.iter().map(|output| output.array).collect(),
        Root::Opaque { accesses, outputs, .. } => {
            let stores = accesses.iter().filter(|access| access.is_store()).map(|access| access.array);
            stores.chain(outputs.iter().map(|output| output.array)).collect()
        }
    }
}

/// The arrays that a statement reads or writes.
fn touched(bound: &BoundStatement<'_>) -> Vec<ArrayId> {
    let read = |leaf: &Leaf| match leaf {
        Leaf::Load { array, .. } | Leaf::Indirect { array } | Leaf::Scalar { array, .. } => Some(*array),
        Leaf::Affine(_) => None,
    };
    let inside = match &bound.root {
        Root::Opaque { accesses, .. } => accesses.iter().map(|access| access.array).collect(),
        _ => Vec::new(),
    };
    bound.leaves.values().filter_map(read).chain(inside).chain(written(bound)).collect()
}
