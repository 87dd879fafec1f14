//! The graphs as text, after figure 5 of the paper.
//!
//! ```text
//! (node (P i)
//!   (dom "[n] -> { P[i] : 0 <= i < n }")
//!   (ports (best f64 (i = 0 -> r_in{} : B1{i - 1}))
//!          (here f64 x_in{i}))
//!   (body (eval p i1 best < here)))
//! ```
//!
//! is a node of the S-graph: its ports have their sources. In the U-graph the sources are left out and the last word of `eval` is the
//! destination, `(& F1.if{i} F2.if{i})`. A domain is followed by the predicates under which its instances exist, `P^T{i}`.
//!
//! Implements: 004 7.1

use std::fmt::Write;

use super::Dataflow;
use super::graph::{Graph, Kind, Node};
use super::grow::Scope;
use super::tree::{Tree, list};
use crate::presburger::{Id, Space, Tuple};
use crate::scop::{ElementType, Scop};

impl Dataflow<'_> {
    /// The S-graph.
    pub fn s_graph(&self) -> String {
        let nodes = self.graph.nodes.iter().zip(&self.sources);
        nodes.map(|(node, sources)| self.node(&self.graph, node, Some(sources), None)).collect()
    }

    /// The U-graph.
    pub fn u_graph(&self) -> String {
        let nodes = self.filtered.nodes.iter().zip(&self.destinations);
        nodes.map(|(node, destination)| self.node(&self.filtered, node, None, Some(destination))).collect()
    }

    fn node(&self, graph: &Graph, node: &Node, sources: Option<&Vec<Tree>>, destination: Option<&Tree>) -> String {
        let header: String = node.context.iter().map(|variable| format!(" {variable}")).collect();
        let mut text = format!("(node ({}{header})\n  (dom {:?}", node.name, domain(node));
        for guard in node.exists_under() {
            let _ = write!(text, " {}", self.predicate(graph, node, guard));
        }
        text.push_str(")\n  (ports");
        if matches!(node.kind, Kind::Input(_)) {
            let _ = write!(text, " ({} {} IN)", self.value_name(node), element(self.scop, graph, node));
        }
        for (at, port) in node.ports.iter().enumerate() {
            text.push_str(if at == 0 { " " } else { "\n         " });
            let source = sources.map_or(String::new(), |trees| format!(" {}", trees[at]));
            let _ = write!(text, "({} {}{source})", port.name, port_element(self.scop, graph, node, at));
        }
        let target = match (node.kind, destination) {
            (Kind::Output(_), _) => " OUT".to_string(),
            (_, Some(tree)) => format!(" {tree}"),
            _ => String::new(),
        };
        let (name, computation) = (self.value_name(node), self.computation(graph, node));
        let _ = writeln!(text, ")\n  (body (eval {name} {} {computation}{target})))", element(self.scop, graph, node));
        text
    }

    fn predicate(&self, graph: &Graph, node: &Node, guard: &super::graph::Guard) -> String {
        let mut scope = Scope::new(&self.scop.params, &node.context);
        let args: Vec<_> = guard.term.args.iter().map(|aff| scope.linear(aff)).collect();
        let sense = if guard.holds { 'T' } else { 'F' };
        format!("{}^{sense}{{{}}}", graph.nodes[guard.term.node].name, list(&args))
    }

    /// What the value of a node is called: the array that it belongs to, if it belongs to one.
    pub fn value_name(&self, node: &Node) -> Id {
        let array = match node.kind {
            Kind::Input(array) | Kind::Output(array) | Kind::Blend(array) => Some(&self.scop.arrays[array].name),
            Kind::Compute(statement) => {
                self.scop.statements[statement].accesses.iter().find(|a| a.kind.writes()).map(|a| &a.array)
            }
            Kind::Filter(_) | Kind::Start => None,
        };
        array.cloned().unwrap_or_else(|| Id::new("value"))
    }

    /// What a node computes, in words of its ports.
    pub fn computation(&self, graph: &Graph, node: &Node) -> String {
        let ports: Vec<&str> = node.ports.iter().map(|port| port.name.as_str()).collect();
        match node.kind {
            Kind::Compute(statement) => match &self.scop.statements[statement].compute {
                Some(compute) => compute.to_string(),
                None => format!("{}({})", node.name, ports.join(", ")),
            },
            Kind::Input(_) => self.value_name(node).to_string(),
            Kind::Start => "1".to_string(),
            Kind::Filter(holds) => {
                let guard = node.guards.last().map(|guard| self.predicate(graph, node, guard)).unwrap_or_default();
                format!("value when {guard} is {holds}").replace("^T", "").replace("^F", "")
            }
            Kind::Output(_) | Kind::Blend(_) => ports.join(", "),
        }
    }
}

/// The domain of a node with its name and its variables.
pub fn domain(node: &Node) -> String {
    let names = node.context.iter().cloned().map(Some).collect();
    let tuple = Tuple::with_dim_names(Some(node.name.clone()), names);
    node.domain.reset_space(&Space::set(node.domain.space().params(), &tuple)).to_string()
}

/// The type of a node's value.
pub fn element(scop: &Scop, graph: &Graph, node: &Node) -> ElementType {
    match node.kind {
        Kind::Input(array) | Kind::Output(array) | Kind::Blend(array) => scop.arrays[array].element,
        Kind::Compute(statement) => {
            let write = scop.statements[statement].accesses.iter().find(|a| a.kind.writes());
            write.and_then(|a| scop.array(&a.array)).map_or(ElementType::Int(1), |array| array.element)
        }
        Kind::Filter(_) => port_element(scop, graph, node, 0),
        Kind::Start => ElementType::Int(1),
    }
}

/// The type of what comes to a port.
fn port_element(scop: &Scop, graph: &Graph, node: &Node, port: usize) -> ElementType {
    let first = node.ports[port].source.quasts().find_map(|one| one.cells().first());
    first.map_or(ElementType::Int(1), |(_, term)| element(scop, graph, &graph.nodes[term.node]))
}
