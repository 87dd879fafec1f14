//! Where the regions of a file are: what stands between two marks, wherever, or the longest run of statements of a function that can be read.
//!
//! `#pragma scop` in the body of a loop makes a model of that body, in which what the loops around count is a parameter.

use super::builder::Builder;
use super::led::led;
use super::text::Source;
use super::unit::{Unit, name_of};
use super::{Control, Wrong};
use crate::scop::Scop;
use lang_c::ast::{BlockItem, Declaration, ForInitializer, FunctionDefinition, Statement};
use lang_c::span::{Node, Span};
use std::ops::Range;

/// The models of all regions.
pub fn regions(
    unit: &Unit<'_>,
    source: &Source,
    (file, text): (&str, &str),
    control: Control,
) -> Result<Vec<Scop>, Wrong> {
    let (mut found, mut why) = (Vec::new(), None);
    for function in &unit.functions {
        let Statement::Compound(items) = &function.statement.node else { continue };
        let span = function.statement.span;
        let own = |range: &&Range<usize>| span.start <= range.start && range.end <= span.end;
        for range in source.marked.iter().filter(own) {
            let mut outside = Vec::new();
            let items = between(items, (range, &source.plain), &mut outside)
                .ok_or_else(|| Wrong::at(range.start, "this region is not a run of statements"))?;
            let mut builder = made(unit, function, (items, &outside), (file, text, control))?;
            found.push(builder.region(&[], items, name_of(&function.declarator.node))?);
        }
        if source.marked.is_empty() {
            match longest(unit, function, items, (file, text, control)) {
                Ok(scop) => found.push(scop),
                Err(wrong) => why = why.or(wrong),
            }
        }
    }
    if found.is_empty() {
        let Wrong { at, message } = why.unwrap_or(Wrong::at(0, "no function has statements to read"));
        return Err(Wrong::at(at, format!("there is no region of static control in this program: {message}")));
    }
    Ok(found)
}

/// What is known before a region of a function becomes a model.
fn made<'u>(
    unit: &'u Unit<'u>,
    function: &'u FunctionDefinition,
    region: (&[Node<BlockItem>], &[&Declaration]),
    place: (&'u str, &'u str, Control),
) -> Result<Builder<'u>, Wrong> {
    let builder = Builder::new(unit, function, region, place)?;
    match led(&builder, function, region.0) {
        Some(wrong) => Err(wrong),
        None => Ok(builder),
    }
}

/// The items between two marks in a text, and the declarations around them.
fn between<'s>(
    items: &'s [Node<BlockItem>],
    (range, text): (&Range<usize>, &str),
    outside: &mut Vec<&'s Declaration>,
) -> Option<&'s [Node<BlockItem>]> {
    // What the parser says of the end of an `if` without `else` is where the next word begins.
    let end = |span: &Span| span.start + text[span.start..span.end].trim_end().len();
    let begins = |item: &Node<BlockItem>| range.start <= item.span.start && item.span.start < range.end;
    let (first, n) = (items.iter().position(begins), items.iter().filter(|item| begins(item)).count());
    for item in items.iter().take_while(|item| item.span.start < range.start) {
        match &item.node {
            BlockItem::Declaration(declaration) => outside.push(&declaration.node),
            BlockItem::Statement(statement) if end(&statement.span) > range.start => {
                return within(&statement.node, (range, text), outside);
            }
            _ => {}
        }
    }
    let own = first.map(|first| &items[first..first + n])?;
    own.iter().all(|item| end(&item.span) <= range.end).then_some(own)
}

fn within<'s>(
    statement: &'s Statement,
    (range, text): (&Range<usize>, &str),
    outside: &mut Vec<&'s Declaration>,
) -> Option<&'s [Node<BlockItem>]> {
    let holds = |inner: &Node<Statement>| inner.span.start <= range.start && range.end <= inner.span.end;
    match statement {
        Statement::Compound(items) => between(items, (range, text), outside),
        Statement::Labeled(labeled) => within(&labeled.node.statement.node, (range, text), outside),
        Statement::If(choice) => {
            let branches = [Some(&choice.node.then_statement), choice.node.else_statement.as_ref()];
            let branch = branches.into_iter().flatten().find(|branch| holds(branch))?;
            within(&branch.node, (range, text), outside)
        }
        Statement::While(each) => within(&each.node.statement.node, (range, text), outside),
        Statement::DoWhile(each) => within(&each.node.statement.node, (range, text), outside),
        Statement::For(each) => {
            if let ForInitializer::Declaration(declaration) = &each.node.initializer.node {
                outside.push(&declaration.node);
            }
            within(&each.node.statement.node, (range, text), outside)
        }
        _ => None,
    }
}

/// The longest run of statements of a function that can be read.
///
/// # Errors
/// None can; why not all of them, if there are any.
fn longest(
    unit: &Unit<'_>,
    function: &FunctionDefinition,
    items: &[Node<BlockItem>],
    place: (&str, &str, Control),
) -> Result<Scop, Option<Wrong>> {
    let mut why = None;
    let is_declaration = |item: &&Node<BlockItem>| matches!(item.node, BlockItem::Declaration(_));
    let mut best: Option<(usize, Scop)> = None;
    let n_declarations = items.iter().take_while(is_declaration).count();
    let mut start = n_declarations;
    while start < items.len() {
        let mut outside = Vec::new();
        for item in &items[..start] {
            if let BlockItem::Declaration(declaration) = &item.node {
                outside.push(&declaration.node);
            }
        }
        let mut model = |end: usize| {
            let own = &items[start..end];
            let made = made(unit, function, (own, &outside), place);
            let found = made.and_then(|mut builder| {
                let begun = if start == n_declarations { &outside[..] } else { &[] };
                builder.region(begun, own, name_of(&function.declarator.node))
            });
            found.map_err(|wrong| why.get_or_insert(wrong)).ok().filter(|scop| !scop.statements.is_empty())
        };
        let end = (start + 1..=items.len()).rev().find_map(|end| model(end).map(|scop| (end, scop)));
        match end {
            Some((end, scop)) => {
                if best.as_ref().is_none_or(|(length, _)| *length < end - start) {
                    best = Some((end - start, scop));
                }
                start = end;
            }
            None => start += 1,
        }
    }
    best.map(|(_, scop)| scop).ok_or(why)
}
