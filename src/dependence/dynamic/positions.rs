//! Effects and states of each part of a program, as text.
//!
//! ```text
//! do i                                            do i
//!   r{} = (n > 0 -> B1{n} : ⊥)                      r{} = S1{}
//!   P1                                              P1
//!                                                     r{} = (i = 1 -> S1{} : B1{i - 1})
//! ```
//!
//! are effects on the left and states on the right: they say that after the loop `r` is what the last blender left, that before it `r` is what `S1` wrote, and before each test what the iteration before
//! left. Trees are over the variables of the loops around a part and the indices `q0`, ... of an element; they answer for those iterations only that there are.
//!
//! Implements: 004 3.1, 4.1

use std::fmt::Write;

use super::effect::{Effects, Position, positions};
use super::graph::Graph;
use super::grow::Scope;
use super::program::{Block, Program, Shape, fresh};
use super::quast::tuples;
use super::quast_tree;
use super::refusal::Refusal;
use crate::presburger::{DimKind, Id, Set};
use crate::scop::{ArrayId, Scop};

/// What is told of each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Effects,
    States,
}

/// The effects or the states of all parts of the program whose model `scop` is.
///
/// # Errors
/// Why there is no exact model.
pub fn text(scop: &Scop, told: Told) -> Result<String, Refusal> {
    let program = Program::of(scop)?;
    let (positions, graph) = positions(scop, &program)?;
    let mut text = String::new();
    let is_empty = |block: &Block| matches!(&block.shape, Shape::Sequence(parts) if parts.is_empty());
    for position in positions.iter().filter(|position| !is_empty(position.block)) {
        let indent = "  ".repeat(position.depth);
        let _ = writeln!(text, "{indent}{}", title(scop, position.block));
        let trees: &Effects = match told {
            Told::Effects => &position.effects,
            Told::States => &position.states,
        };
        for (array, tree) in trees {
            let _ = writeln!(text, "{indent}  {}", line(scop, &graph, position, *array, tree));
        }
    }
    Ok(text)
}

fn line(scop: &Scop, graph: &Graph, position: &Position<'_>, array: ArrayId, tree: &super::quast::Quast) -> String {
    let (times, declared) = (&position.block.loops, &scop.arrays[array]);
    let mut context = times.clone();
    for d in 0..declared.shape.len() {
        let name = fresh(&format!("q{d}"), |name| !context.contains(name) && !scop.params.contains(name));
        context.push(name);
    }
    let index: Vec<&str> = context[times.len()..].iter().map(Id::as_str).collect();
    let region = iterations(scop, position.block).insert_dims(DimKind::Out, times.len(), index.len());
    let region = region.reset_space(tree.space()).intersect_params(&scop.trusted_context());
    let tree = quast_tree(&Scope::new(&scop.params, &context), graph, &region, tree);
    format!("{}{{{}}} = {tree}", declared.name, index.join(", "))
}

/// The values of the variables around a part for which something in it runs.
fn iterations(scop: &Scop, block: &Block) -> Set {
    let space = tuples(&scop.params, block.loops.len());
    if block.loops.is_empty() {
        return Set::universe(&space);
    }
    let n = block.loops.len();
    let of = |inner: &Block| {
        let all = iterations(scop, inner);
        all.project_out(DimKind::Out, n, all.dim(DimKind::Out) - n).reset_space(&space)
    };
    match &block.shape {
        Shape::Run { times, .. } => times.range().reset_space(&space),
        Shape::Sequence(parts) => {
            parts.iter().map(of).fold(Set::empty(&space), |all, each| all.union(&each)).coalesce()
        }
        Shape::Loop(body) => of(body),
        Shape::If { yes, no, .. } => of(yes).union(&of(no)).coalesce(),
    }
}

/// What a part is.
fn title(scop: &Scop, block: &Block) -> String {
    match &block.shape {
        Shape::Run { statement, .. } => scop.statements[*statement].name.to_string(),
        Shape::Sequence(_) => "sequence".to_string(),
        Shape::Loop(body) => format!("do {}", body.loops.last().map_or("", Id::as_str)),
        Shape::If { condition, .. } => format!("if {}", scop.statements[condition.statement].name),
    }
}
