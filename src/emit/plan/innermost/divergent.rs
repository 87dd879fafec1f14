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
//! Other statements of an iteration are run before, between or behind the inner loops, those of one stretch together, one iteration after the other. As no iteration depends on another one, it does not
//! matter that what is before an inner loop runs before that of an earlier iteration, provided that nothing but what the next inner loop begins with is handed on past it: memory for that is the same for all
//! iterations, where each has a copy of its own by agreement. For the same reason no memory is written that an inner loop reads.
//! See [`crate::extract::control::divergent`].

use crate::ast::{Expr, For, Node};
use crate::emit::plan::reduction::contains_loop;
use crate::extract::binding::{Binding, BoundStatement};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::presburger::Id;
use crate::scop::ArrayId;
use std::collections::BTreeSet;

/// More statements beside that with the inner loop, as many times as there are lanes, are more code than they are worth.
const MOST_OTHERS: usize = 4;

/// What each iteration runs up to an inner loop, or behind the last one.
#[derive(Default)]
pub struct Stretch<'a> {
    pub nodes: Vec<&'a Node>,
    /// The statement with the inner loop.
    pub next: Option<(&'a Id, &'a [Expr])>,
}

/// What runs side by side, if that can be: stretches, the last of which alone has no inner loop behind it.
pub fn side_by_side<'a, 'ir>(each: &'a For, binding: &Binding<'ir>) -> Option<Vec<Stretch<'a>>> {
    if !each.coincident || contains_loop(&each.body) {
        return None;
    }
    let bound = |statement: &Id| binding.statements.iter().find(|bound| bound.id == *statement);
    let mut stretches = vec![Stretch::default()];
    for part in parts(&each.body) {
        let last = stretches.last_mut()?;
        match part {
            Node::User { statement, arguments } if is_divergent(bound(statement)?) => {
                last.next = Some((statement, arguments.as_slice()));
                stretches.push(Stretch::default());
            }
            other => last.nodes.push(other),
        }
    }
    let others = each.body.n_users() + 1 - stretches.len();
    if stretches.len() == 1 || others > MOST_OTHERS {
        return None;
    }
    let inner = stretches.iter().filter_map(|stretch| stretch.next).filter_map(|(statement, _)| bound(statement));
    let reads: BTreeSet<ArrayId> = inner.flat_map(accessed).collect();
    let (mut before, mut ended) = (BTreeSet::new(), Vec::new());
    for stretch in &stretches {
        let (mut writes, mut touches) = (BTreeSet::from_iter(std::mem::take(&mut ended)), BTreeSet::new());
        for statement in stretch.nodes.iter().flat_map(|node| node.statements()) {
            let bound = bound(&statement).filter(|bound| bound.root.divergent().is_none())?;
            writes.extend(written(bound));
            touches.extend(touched(bound));
        }
        if let Some((statement, _)) = stretch.next {
            touches.extend(read(bound(statement)?));
            ended = written(bound(statement)?);
        }
        if !before.is_disjoint(&touches) || !before.is_disjoint(&writes) || !writes.is_disjoint(&reads) {
            return None;
        }
        before.append(&mut writes);
    }
    Some(stretches)
}

/// Whether the statement is nothing but a divergent loop, which goes on from nothing that another instance has computed.
fn is_divergent(bound: &BoundStatement<'_>) -> bool {
    let Root::Opaque { accesses, outputs, .. } = &bound.root else { return false };
    let goes_on = |output: &Output<'_>| bound.leaves.values().any(|leaf| output.is_read_by(leaf));
    bound.root.divergent().is_some()
        && !accesses.iter().any(OpaqueAccess::is_store)
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
    [read(bound), accessed(bound), written(bound)].concat()
}

/// Those that the blocks of an opaque part access.
fn accessed(bound: &BoundStatement<'_>) -> Vec<ArrayId> {
    match &bound.root {
        Root::Opaque { accesses, .. } => accesses.iter().map(|access| access.array).collect(),
        _ => Vec::new(),
    }
}

/// Those at the ends of its tree.
fn read(bound: &BoundStatement<'_>) -> Vec<ArrayId> {
    let array = |leaf: &Leaf| match leaf {
        Leaf::Load { array, .. } | Leaf::Indirect { array } | Leaf::Scalar { array, .. } => Some(*array),
        Leaf::Affine(_) => None,
    };
    bound.leaves.values().filter_map(array).collect()
}
