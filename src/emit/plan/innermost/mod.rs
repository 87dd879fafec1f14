//! What innermost loops are written with, beside their iterations.

pub mod divergent;
pub mod guarded;
pub mod kept;
pub mod packing;
pub mod replacing;

use crate::ast::{Ast, Expr, For, Node};
use crate::extract::binding::Binding;
use crate::presburger::Id;
use std::collections::BTreeMap;

/// How a loop runs block by block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InBlocks {
    /// Asked whether it replaces the best so far: see [`replacing`].
    Asked,
    /// Computed before it is stored together: see [`packing`].
    Packed,
    /// With the inner loops of several iterations side by side: see [`divergent`].
    SideBySide,
}

/// The innermost loops that run so, by their iterators.
pub fn in_blocks(ast: &Ast, binding: &Binding<'_>) -> BTreeMap<Id, InBlocks> {
    let mut found = BTreeMap::new();
    collect(&ast.root, binding, &mut found);
    found
}

fn collect(node: &Node, binding: &Binding<'_>, found: &mut BTreeMap<Id, InBlocks>) {
    if let Node::For(each) = node
        && !each.degenerate
    {
        let how = of_one_statement(each, binding)
            .or_else(|| divergent::side_by_side(each, binding).map(|_| InBlocks::SideBySide));
        found.extend(how.map(|how| (each.iterator.clone(), how)));
    }
    node.children().into_iter().for_each(|child| collect(child, binding, found));
}

/// How a loop of one statement runs.
fn of_one_statement(each: &For, binding: &Binding<'_>) -> Option<InBlocks> {
    let (statement, arguments) = single(each)?;
    let bound = binding.statements.iter().find(|bound| bound.id == *statement)?;
    let asked = replacing::asked(bound).map(|_| InBlocks::Asked);
    asked.or_else(|| packing::packs(each, bound, arguments).then_some(InBlocks::Packed))
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
