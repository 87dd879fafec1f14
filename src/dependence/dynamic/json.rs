//! The graphs as JSON and as drawings.
//!
//! A tree is an object of one of five forms: `null` (nothing), `{ "node": "B1", "args": ["i - 1"] }`, `{ "if": "i = 0", "then": ..,
//! "else": .. }`, `{ "divide": "i", "by": "2", "quotient": "d1", "remainder": "r1", "in": .. }`, `{ "each": "j", "from": "0", "to":
//! "n - 1", "in": .. }`; a list is the union of its trees.
//!
//! In the drawings boxes are statements, ellipses inputs and outputs, trapezia blenders and, upside down, filters. Arrows of the S-graph
//! run from a port to its sources, like requests, those of the U-graph like the values; an arrow says under which conditions it is
//! taken and what context it leads to. True branches are green and dotted, false ones red and dashed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Dataflow;
use super::graph::{Graph, Kind, Node};
use super::print::{domain, element};
use super::tree::{Condition, Tree, extreme, list};
use crate::drawing::{Drawing, NodeId, Pen, Shape, Style};

impl Dataflow<'_> {
    /// Both graphs.
    pub fn json(&self) -> Value {
        let sources = self.graph.nodes.iter().zip(&self.sources).map(|(node, trees)| {
            let ports: Vec<Value> = node
                .ports
                .iter()
                .zip(trees)
                .map(|(port, tree)| json!({ "port": port.name.as_str(), "source": tree_json(tree), "text": tree.to_string() }))
                .collect();
            self.node_json(&self.graph, node, json!(ports), Value::Null)
        });
        let destinations = self.filtered.nodes.iter().zip(&self.destinations).map(|(node, tree)| {
            let ports: Vec<Value> = node.ports.iter().map(|port| json!({ "port": port.name.as_str() })).collect();
            let to = json!({ "tree": tree_json(tree), "text": tree.to_string() });
            self.node_json(&self.filtered, node, json!(ports), to)
        });
        json!({ "name": self.scop.name, "s_graph": sources.collect::<Vec<_>>(), "u_graph": destinations.collect::<Vec<_>>() })
    }

    fn node_json(&self, graph: &Graph, node: &Node, ports: Value, destination: Value) -> Value {
        let context: Vec<&str> = node.context.iter().map(|variable| variable.as_str()).collect();
        let guards: Vec<Value> = node
            .exists_under()
            .iter()
            .map(|guard| json!({ "predicate": graph.nodes[guard.term.node].name.as_str(), "holds": guard.holds }))
            .collect();
        json!({ "node": node.name.as_str(), "kind": kind(node.kind), "context": context, "domain": domain(node),
            "under": guards, "type": element(self.scop, graph, node).to_string(),
            "compute": self.computation(graph, node), "ports": ports, "destination": destination })
    }

    /// Both graphs as one drawing.
    pub fn drawing(&self) -> Drawing {
        let mut drawing = Drawing::titled(&self.scop.name);
        let mut nodes = |title: &str, graph: &Graph| -> BTreeMap<String, NodeId> {
            drawing.group(title);
            let node = |node: &Node| {
                let label = format!("{}{{{}}}\n{}", node.name, context(node), self.computation(graph, node));
                (node.name.to_string(), drawing.node(&label, shape(node.kind)))
            };
            graph.nodes.iter().map(node).collect()
        };
        let (s, u) = (nodes("S-graph", &self.graph), nodes("U-graph", &self.filtered));
        for (node, trees) in self.graph.nodes.iter().zip(&self.sources) {
            for (port, tree) in node.ports.iter().zip(trees) {
                arrows(tree, &mut Vec::new(), Style::PLAIN, &mut |target, _, args, when, style| {
                    let label = label(port.name.as_str(), when, args);
                    drawing.arrow(s[node.name.as_str()], s[target], &label, style);
                });
            }
        }
        for (node, tree) in self.filtered.nodes.iter().zip(&self.destinations) {
            arrows(tree, &mut Vec::new(), Style::PLAIN, &mut |target, port, args, when, style| {
                drawing.arrow(u[node.name.as_str()], u[target], &label(port, when, args), style);
            });
        }
        drawing
    }
}

/// How values come from the first branch of a condition on data.
pub const TAKEN: Style = Style { pen: Pen::Dotted, colour: "green" };
/// And from the second one.
pub const NOT_TAKEN: Style = Style { pen: Pen::Dashed, colour: "red" };

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Input(_) => "input",
        Kind::Output(_) => "output",
        Kind::Compute(_) => "statement",
        Kind::Blend(_) => "blender",
        Kind::Filter(_) => "filter",
        Kind::Start => "start",
    }
}

/// The outline of a kind of node.
pub fn shape(kind: Kind) -> Shape {
    match kind {
        Kind::Input(_) | Kind::Output(_) | Kind::Start => Shape::Ellipse,
        Kind::Compute(_) => Shape::Box,
        Kind::Blend(_) => Shape::Trapezium,
        Kind::Filter(_) => Shape::Funnel,
    }
}

fn context(node: &Node) -> String {
    node.context.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn label(port: &str, when: &[String], args: &str) -> String {
    let conditions = if when.is_empty() { String::new() } else { format!("{}\n", when.join(", ")) };
    format!("{conditions}{port} {{{args}}}")
}

/// Calls `visit` with the target, the port and the context of each term, what leads there, and how its arrow is drawn.
fn arrows(
    tree: &Tree,
    when: &mut Vec<String>,
    style: Style,
    visit: &mut impl FnMut(&str, &str, &str, &[String], Style),
) {
    match tree {
        Tree::Nothing => {}
        Tree::Term { node, port, args } => {
            visit(node.as_str(), port.as_ref().map_or("", |port| port.as_str()), &list(args), when, style);
        }
        Tree::Branch { condition, yes, no } => {
            let is_truth = matches!(condition, Condition::Truth { .. });
            let styles = if is_truth { [TAKEN, NOT_TAKEN] } else { [style; 2] };
            for (branch, words, style) in
                [(yes, condition.to_string(), styles[0]), (no, format!("not {condition}"), styles[1])]
            {
                when.push(words);
                arrows(branch, when, style, visit);
                when.pop();
            }
        }
        Tree::Divide { dividend, divisor, quotient, remainder, rest } => {
            when.push(format!("{dividend} =: {divisor} {quotient} + {remainder}"));
            arrows(rest, when, style, visit);
            when.pop();
        }
        Tree::Union(trees) => trees.iter().for_each(|tree| arrows(tree, when, style, visit)),
        Tree::Each { variable, lowers, uppers, rest } => {
            when.push(format!("{} <= {variable} <= {}", extreme("max", lowers), extreme("min", uppers)));
            arrows(rest, when, style, visit);
            when.pop();
        }
    }
}

/// A tree; see the head of this file.
pub fn tree_json(tree: &Tree) -> Value {
    match tree {
        Tree::Nothing => Value::Null,
        Tree::Term { node, port, args } => {
            let args: Vec<String> = args.iter().map(ToString::to_string).collect();
            match port {
                None => json!({ "node": node.as_str(), "args": args }),
                Some(port) => json!({ "node": node.as_str(), "port": port.as_str(), "args": args }),
            }
        }
        Tree::Branch { condition, yes, no } => {
            json!({ "if": condition.to_string(), "then": tree_json(yes), "else": tree_json(no) })
        }
        Tree::Divide { dividend, divisor, quotient, remainder, rest } => json!({ "divide": dividend.to_string(),
            "by": divisor.to_string(), "quotient": quotient.as_str(), "remainder": remainder.as_str(), "in": tree_json(rest) }),
        Tree::Union(trees) => Value::Array(trees.iter().map(tree_json).collect()),
        Tree::Each { variable, lowers, uppers, rest } => json!({ "each": variable.as_str(),
            "from": extreme("max", lowers), "to": extreme("min", uppers), "in": tree_json(rest) }),
    }
}
