//! The S-graph as a system of recurrence equations, as text.
//!
//! ```text
//! P1(i) = r(i) < x(i)  where  r(i) = if i = 1 then S1() else B1(i - 1)
//!                             x(i) = x_in(i)
//! B1(i) = if P1(i) then S2(i) else if i = 1 then S1() else B1(i - 1)
//! r_out() = if n = 0 then S1() else B1(n)
//! ```
//!
//! Each node is a function of its context, and so is each port whose source is not one value. The *source function* of one read is the
//! equation of its port, followed through blenders only: what they pass on was written by statements. For `max` it depends on as many conditions as the loop has
//! iterations, so it is no finite tree; the equations of the blenders are that tree folded to a graph.
//!
//! Implements: 004 7.2, 7.4

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Dataflow;
use super::graph::{Kind, Node};
use super::tree::{Condition, Tree, list};
use crate::presburger::Id;
use crate::scop::Expression;

impl Dataflow<'_> {
    /// All equations.
    pub fn equations(&self) -> String {
        let nodes = self.graph.nodes.iter().zip(&self.sources);
        nodes.map(|(node, sources)| self.equation(node, sources)).collect()
    }

    /// The source function of one port, `S.S_0`, or of all ports of a statement.
    ///
    /// # Errors
    /// There is no such port.
    pub fn source_function(&self, wanted: &str) -> Result<String, String> {
        let (statement, port) = wanted.split_once('.').map_or((wanted, None), |(s, port)| (s, Some(port)));
        let mut text = String::new();
        let mut pending: Vec<Id> = Vec::new();
        let statements = self.graph.nodes.iter().zip(&self.sources);
        for (node, trees) in statements.filter(|(node, _)| node.name.as_str() == statement) {
            for (own, tree) in node.ports.iter().zip(trees) {
                if port.is_none_or(|port| port == own.name.as_str()) {
                    let _ = writeln!(text, "{statement}.{}({}) = {}", own.name, variables(node), source(tree));
                    blenders(self, tree, &mut pending);
                }
            }
        }
        let mut told = BTreeSet::new();
        while let Some(name) = pending.pop() {
            if !told.insert(name.clone()) {
                continue;
            }
            let at = self.graph.nodes.iter().position(|node| node.name == name).expect("law: trees name nodes");
            let _ = writeln!(text, "{name}({}) = {}", variables(&self.graph.nodes[at]), source(&self.sources[at][0]));
            blenders(self, &self.sources[at][0], &mut pending);
        }
        match text.is_empty() {
            true => {
                Err(format!("there is no read {wanted}: reads are named as in the S-graph, like `{}`", self.example()))
            }
            false => Ok(text),
        }
    }

    /// The name of some read.
    fn example(&self) -> String {
        let mut reads = self.graph.nodes.iter().flat_map(|node| node.ports.iter().map(move |port| (node, port)));
        reads.next().map_or("S.S_0".to_string(), |(node, port)| format!("{}.{}", node.name, port.name))
    }

    fn equation(&self, node: &Node, sources: &[Tree]) -> String {
        let context = variables(node);
        let head = format!("{}({context}) = ", node.name);
        let inputs = |array| {
            let index: String = node.context.iter().map(|variable| format!("[{variable}]")).collect();
            format!("{head}{}{index}\n", self.scop.arrays[array].name)
        };
        match (node.kind, sources) {
            (Kind::Input(array), _) => inputs(array),
            (Kind::Compute(statement), _) => {
                let known: Vec<(&Id, &Tree)> = node.ports.iter().map(|port| &port.name).zip(sources).collect();
                let replaced = |name: &Id| match known.iter().find(|(port, _)| *port == name) {
                    Some((_, Tree::Term { node, args, .. })) => format!("{node}({})", list(args)),
                    Some((port, _)) => format!("{port}({context})"),
                    None => name.to_string(),
                };
                let value = match &self.scop.statements[statement].compute {
                    Some(value) => value.with_names(&|name| Id::new(&replaced(name))),
                    None => {
                        let all = known.iter().map(|(port, _)| Expression::Name(Id::new(&replaced(port)))).collect();
                        Expression::Call(Id::new(&format!("f_{}", node.name)), all)
                    }
                };
                let rest = known.iter().filter(|(_, tree)| !matches!(tree, Tree::Term { .. }));
                let rest: String =
                    rest.map(|(port, tree)| format!("  {port}({context}) = {}\n", called(tree))).collect();
                format!("{head}{value}\n{rest}")
            }
            (_, [only]) => format!("{head}{}\n", called(only)),
            _ => String::new(),
        }
    }
}

fn variables(node: &Node) -> String {
    node.context.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The blenders that a tree names.
fn blenders(dataflow: &Dataflow<'_>, tree: &Tree, found: &mut Vec<Id>) {
    match tree {
        Tree::Term { node, .. } => {
            let is_it = |known: &&Node| known.name == *node && matches!(known.kind, Kind::Blend(_));
            found.extend(dataflow.graph.nodes.iter().find(is_it).map(|known| known.name.clone()));
        }
        Tree::Branch { yes, no, .. } => {
            blenders(dataflow, no, found);
            blenders(dataflow, yes, found);
        }
        Tree::Divide { rest, .. } => blenders(dataflow, rest, found),
        _ => {}
    }
}

/// A source as a value: instances are calls.
fn called(tree: &Tree) -> String {
    shown(tree, ['(', ')'])
}

/// A source as a place: instances are terms, `S{i - 1}`, as which they are written in trees.
fn source(tree: &Tree) -> String {
    shown(tree, ['{', '}'])
}

fn shown(tree: &Tree, [open, close]: [char; 2]) -> String {
    match tree {
        Tree::Term { node, args, .. } => format!("{node}{open}{}{close}", list(args)),
        Tree::Branch { condition, yes, no } => {
            let condition = match condition {
                Condition::Truth { node, args } => format!("{node}({})", list(args)),
                affine => affine.to_string(),
            };
            format!("if {condition} then {} else {}", shown(yes, [open, close]), shown(no, [open, close]))
        }
        Tree::Divide { dividend, divisor, quotient, remainder, rest } => {
            let let_ =
                format!("let {quotient} = floor(({dividend}) / {divisor}), {remainder} = ({dividend}) mod {divisor}");
            format!("{let_} in {}", shown(rest, [open, close]))
        }
        Tree::Nothing | Tree::Union(_) | Tree::Each { .. } => "⊥".to_string(),
    }
}
