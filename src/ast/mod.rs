//! Loops from schedules: the loop generator, and the tree of loops, conditions and statements that it makes.
//!
//! The schedule tree says in which order the statement instances run; [`Ast::of`] scans them into loops by the algorithm of Quilleré,
//! Rajopadhye and Wilde ("Generation of Efficient Nested Loops from Polyhedra", IJPP 28(5), 2000). In reading order: [`expr`] and [`node`]
//! are what comes out, [`text`] and [`print`] write it, [`replay`] runs it; `walk` goes through the schedule tree, `scan` makes the loops of
//! a band and `leaf` writes the statements, with `statement` (projection), `order`, `separate` and `count` (which loops, in which order), `bounds`, `stride`, `shift`,
//! `guard` and `unroll`, on rows of integers that `region` and `affine` take from and turn into sets and expressions.
//!
//! Implements: 003 4

mod build;
mod pieces;
mod rows;
pub mod tree;

#[cfg(test)]
mod tests;

use crate::presburger::{DimKind, Id, Int, Map, Set, Space, UnionMap};
use crate::scop;
use crate::scop::marks::PIPELINE;
use crate::scop::tree::Tree;
use build::scan;
use rows::{guard, place, statement};
use std::rc::Rc;

pub use build::troubles::{Unbounded, Unseparated};
pub use tree::expr::{Comparison, Expr};
pub use tree::node::{Ast, For, Node, Steps};
pub use tree::print;

/// Where regions that overlap are separated into loops without guards, unless a band says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separation {
    /// Where the guards would be more code than the copies are.
    #[default]
    Counted,
    /// Where the guards would be more code, or would be evaluated so often that they take as much time as the copies are more code.
    Volume,
    /// In loops that are the innermost of some statement: there a guard would be evaluated per instance, and keep the loop from being
    /// vectorised.
    Innermost,
    /// In every loop: least control overhead, most code.
    Everywhere,
    /// In none: least code.
    Nowhere,
}

/// How loops are generated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Guards or copies.
    pub separation: Separation,
    /// Split loops so that no loop directly inside is run in vain (the second separation of Quilleré, Rajopadhye and Wilde): more code,
    /// fewer empty loops.
    pub second_separation: bool,
    /// Cut loops so that bounds of the loops inside are no minima and maxima (Chamski): more code, less to compute before each loop.
    pub split_bounds: bool,
    /// Mark the outermost coincident loop of each nest as parallel, and pipelines as such.
    pub parallel: bool,
}

impl Ast {
    /// Loops that run the instances of `tree` in its order, for parameters in `context` (elsewhere they may do anything).
    pub fn of(tree: &Tree, context: &Set, options: &Options) -> Result<Ast, Unbounded> {
        Ast::explained(tree, context, options).map(|(ast, _)| ast)
    }

    /// The same, with where separation was asked for in vain.
    pub fn explained(tree: &Tree, context: &Set, options: &Options) -> Result<(Ast, Vec<Unseparated>), Unbounded> {
        Ast::in_steps(tree, context, options, &[])
    }

    /// The same, where these loops end when data says so.
    pub fn in_steps(
        tree: &Tree,
        context: &Set,
        options: &Options,
        steps: &[scop::Steps],
    ) -> Result<(Ast, Vec<Unseparated>), Unbounded> {
        let params = tree.domain().params_space().align_params(context.space()).params().to_vec();
        let params = named_below(tree.root(), params);
        generated(params, context, (options, steps), |scanner, place| scanner.node(tree.root(), &[], place, None))
    }

    /// Loops that run the instances in the domain of `dates` in the lexicographic order of their dates, the shorter ones padded with zeros.
    pub fn of_map(dates: &UnionMap, context: &Set, options: &Options) -> Result<Ast, Unbounded> {
        let params = dates.params_space().align_params(context.space()).params().to_vec();
        let n = dates.maps().map(|map| map.dim(DimKind::Out)).max().unwrap_or(0);
        let statement = |map: &Map| {
            let (flat, own) = (map.flatten_range().set_tuple_name(DimKind::Out, None), map.dim(DimKind::Out));
            let padded =
                (own..n).fold(flat.add_dims(DimKind::Out, n - own), |map, d| map.fix(DimKind::Out, d, &Int::from(0)));
            Rc::new(statement::Statement::new(padded, 0, &params))
        };
        let statements: Vec<_> = dates.maps().filter(|map| !map.is_empty()).map(statement).collect();
        let members =
            scan::Members { first: 0, n, band: None, below: None, mark: None, isolated: vec![], is_open: false };
        let made = generated(params.clone(), context, (options, &[]), |scanner, place| {
            scanner.members(&members, &statements, place, &|scanner, statements, place| scanner.leaf(statements, place))
        });
        made.map(|(ast, _)| ast)
    }
}

/// `params` and those that nodes of the tree name besides.
fn named_below(node: &scop::tree::Node, mut params: Vec<Id>) -> Vec<Id> {
    let own = match node {
        scop::tree::Node::Domain { domain, .. } => domain.params_space(),
        scop::tree::Node::Context { context, .. } => context.space().clone(),
        scop::tree::Node::Filter { filter, .. } => filter.params_space(),
        scop::tree::Node::Band { band, .. } => band.partial.params_space(),
        scop::tree::Node::Extension { extension, .. } => extension.params_space(),
        _ => Space::params_only(&[]),
    };
    for param in own.params() {
        if !params.contains(param) {
            params.push(param.clone());
        }
    }
    node.children().into_iter().fold(params, |params, child| named_below(child, params))
}

fn generated(
    params: Vec<Id>,
    context: &Set,
    (options, steps): (&Options, &[scop::Steps]),
    scan: impl FnOnce(&mut scan::Scanner<'_>, &place::Place) -> Vec<guard::Graft>,
) -> Result<(Ast, Vec<Unseparated>), Unbounded> {
    let Some(place) = scan::outermost(&params, context) else {
        return Ok((Ast { params, root: Node::Block(vec![]) }, vec![]));
    };
    let unseparated = Default::default();
    let mut scanner = scan::Scanner { params, options, steps, n_loops: 0, n_places: 0, unbounded: None, unseparated };
    let grafts = scan(&mut scanner, &place);
    if let Some(unbounded) = scanner.unbounded {
        return Err(unbounded);
    }
    let mut root = guard::whole(guard::in_sequence(grafts));
    if options.parallel {
        mark_parallel(&mut root);
    }
    Ok((Ast { params: scanner.params, root }, scanner.unseparated.into_inner()))
}

fn has_shared(node: &Node) -> bool {
    let is_one = matches!(node, Node::For(each) if (each.coincident && !each.degenerate) || is_pipeline(each));
    is_one || node.children().into_iter().any(has_shared)
}

/// Whether threads can run a loop as a pipeline: the schedule says that they may, and the loop inside is one.
fn is_pipeline(each: &For) -> bool {
    let is_marked = each.mark.as_ref().is_some_and(|mark| mark.as_str() == PIPELINE);
    is_marked && !each.degenerate && each.shared_inside().is_some()
}

/// Marks the outermost coincident loops and pipelines, and what may run in any order and has none inside.
fn mark_parallel(node: &mut Node) {
    match node {
        Node::For(each) if each.coincident && !each.degenerate => each.parallel = true,
        Node::For(each) if is_pipeline(each) => each.pipelined = true,
        Node::For(each) => mark_parallel(&mut each.body),
        Node::Steps(each) => mark_parallel(&mut each.body),
        Node::Test { otherwise, .. } => mark_parallel(otherwise),
        Node::If { then, otherwise, .. } => {
            mark_parallel(then);
            otherwise.iter_mut().for_each(|node| mark_parallel(node));
        }
        Node::Sections { parts, parallel } if !parts.iter().any(has_shared) => *parallel = true,
        Node::Block(parts) | Node::Sections { parts, .. } => parts.iter_mut().for_each(mark_parallel),
        Node::User { .. } => {}
        Node::Mark { body, .. } => mark_parallel(body),
    }
}
