//! Where control leaves a piece of code before its end.
//!
//! `while (1) { if (a[i]) break; ++i; }` breaks, but only itself: the loop around it is not left.

use lang_c::ast::{BlockItem, Label, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use std::collections::BTreeMap;

/// The ways in which control leaves a piece of code before its end.
#[derive(Default)]
struct Leaves {
    /// `break` and `continue` for the loop that the code is the body of.
    breaks: bool,
    /// `continue` alone.
    continues: bool,
    /// `return` and `goto`.
    returns: bool,
    /// Loops around, and these with `switch`.
    loops: usize,
    depth: usize,
}

impl<'ast> Visit<'ast> for Leaves {
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        match statement {
            Statement::Break => self.breaks |= self.depth == 0,
            Statement::Continue => {
                self.breaks |= self.loops == 0;
                self.continues |= self.loops == 0;
            }
            Statement::Return(_) | Statement::Goto(_) => self.returns = true,
            _ => {}
        }
        let is_loop = matches!(statement, Statement::For(_) | Statement::While(_) | Statement::DoWhile(_));
        let is_left = is_loop || matches!(statement, Statement::Switch(_));
        (self.loops, self.depth) = (self.loops + usize::from(is_loop), self.depth + usize::from(is_left));
        visit::visit_statement(self, statement, span);
        (self.loops, self.depth) = (self.loops - usize::from(is_loop), self.depth - usize::from(is_left));
    }
}

/// Whether the body of a loop is left before its end.
pub fn leaves(body: &Statement, span: &Span) -> bool {
    let mut found = Leaves::default();
    found.visit_statement(body, span);
    found.breaks || found.returns
}

/// Whether the body of a loop goes on to its next iteration before its end.
pub fn continues(body: &Statement, span: &Span) -> bool {
    let mut found = Leaves::default();
    found.visit_statement(body, span);
    found.continues
}

/// Whether a statement holds a `return` or a `goto`.
pub fn returns(statement: &Statement, span: &Span) -> bool {
    let mut found = Leaves::default();
    found.visit_statement(statement, span);
    found.returns
}

/// Whether a `return` or a `goto` may leave something out of a function's body.
pub fn returns_early(body: &Node<Statement>) -> bool {
    match &body.node {
        Statement::Return(_) => false,
        Statement::Labeled(labeled) => returns_early(&labeled.node.statement),
        Statement::If(choice) => {
            let branches = [Some(&choice.node.then_statement), choice.node.else_statement.as_ref()];
            branches.into_iter().flatten().any(|branch| returns_early(branch))
        }
        Statement::Compound(items) => {
            let Some((last, before)) = items.split_last() else { return false };
            let leaves = |item: &Node<BlockItem>| match &item.node {
                BlockItem::Statement(inner) => returns(&inner.node, &inner.span),
                _ => false,
            };
            before.iter().any(leaves) || matches!(&last.node, BlockItem::Statement(last) if returns_early(last))
        }
        other => returns(other, &body.span),
    }
}

/// Whether a statement holds a `return`.
pub fn returns_from_inside(statement: &Node<Statement>) -> bool {
    let mut found = Jumps::default();
    found.visit_statement(&statement.node, &statement.span);
    found.returns
}

/// Whether a statement holds a `goto`.
pub fn jumps(statement: &Node<Statement>) -> bool {
    let mut found = Jumps::default();
    found.visit_statement(&statement.node, &statement.span);
    found.any
}

#[derive(Default)]
struct Jumps {
    any: bool,
    returns: bool,
}

impl<'ast> Visit<'ast> for Jumps {
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        self.any |= matches!(statement, Statement::Goto(_));
        self.returns |= matches!(statement, Statement::Return(_));
        visit::visit_statement(self, statement, span);
    }
}

/// For each loop of a function, by where it begins: the labels of what comes right behind it.
pub fn labels_behind(body: &Node<Statement>) -> BTreeMap<usize, Vec<String>> {
    let mut found = Behind::default();
    found.visit_statement(&body.node, &body.span);
    found.labels
}

#[derive(Default)]
struct Behind {
    labels: BTreeMap<usize, Vec<String>>,
}

impl<'ast> Visit<'ast> for Behind {
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        if let Statement::Compound(items) = statement {
            for pair in items.windows(2) {
                if let (BlockItem::Statement(first), BlockItem::Statement(next)) = (&pair[0].node, &pair[1].node) {
                    self.labels.insert(labelled(first).1.span.start, labelled(next).0);
                }
            }
        }
        visit::visit_statement(self, statement, span);
    }
}

/// The labels of a statement, and what they are of.
pub fn labelled(statement: &Node<Statement>) -> (Vec<String>, &Node<Statement>) {
    let (mut labels, mut inner) = (Vec::new(), statement);
    while let Statement::Labeled(labeled) = &inner.node {
        if let Label::Identifier(name) = &labeled.node.label.node {
            labels.push(name.node.name.clone());
        }
        inner = &labeled.node.statement;
    }
    (labels, inner)
}
