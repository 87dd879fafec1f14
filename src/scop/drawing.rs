//! Schedule trees as drawings: a node for each node, arrows to its children in their order.

use super::tree::{Band, LoopKind, Node, Tree};
use crate::drawing::{Drawing, NodeId, Pen, Shape, Style};

impl Tree {
    /// The tree, under this title.
    pub fn drawing(&self, title: &str) -> Drawing {
        let mut drawing = Drawing::titled(title);
        add(&mut drawing, self.root());
        drawing
    }
}

fn add(drawing: &mut Drawing, node: &Node) -> NodeId {
    let own = drawing.node(&label(node), shape(node));
    let children = node.children();
    // The order of the children of a sequence counts, that of a set does not.
    let is_ordered = matches!(node, Node::Sequence(_));
    for (at, child) in children.into_iter().enumerate().filter(|(_, child)| !matches!(child, Node::Leaf)) {
        let number = if is_ordered { (at + 1).to_string() } else { String::new() };
        let pen = if matches!(node, Node::Set(_)) { Pen::Dashed } else { Pen::Solid };
        let below = add(drawing, child);
        drawing.arrow(own, below, &number, Style { pen, ..Style::PLAIN });
    }
    own
}

fn shape(node: &Node) -> Shape {
    match node {
        Node::Sequence(_) | Node::Set(_) => Shape::Funnel,
        Node::Mark { .. } | Node::Context { .. } => Shape::Ellipse,
        _ => Shape::Box,
    }
}

fn label(node: &Node) -> String {
    match node {
        Node::Domain { domain, .. } => format!("domain\n{domain}"),
        Node::Context { context, .. } => format!("context\n{context}"),
        Node::Filter { filter, .. } => format!("filter\n{filter}"),
        Node::Mark { id, .. } => format!("mark\n{id}"),
        Node::Extension { extension, .. } => format!("extension\n{extension}"),
        Node::Band { band, .. } => format!("band{}\n{}", flags(band), band.partial),
        Node::Sequence(_) => "sequence".to_string(),
        Node::Set(_) => "set".to_string(),
        Node::Leaf => "leaf".to_string(),
    }
}

/// What is said of a band and of its members, as in `, permutable, 0 parallel, 1 unroll`.
fn flags(band: &Band) -> String {
    let mut flags = String::from(if band.permutable { ", permutable" } else { "" });
    for (member, is_parallel) in band.coincident.iter().enumerate() {
        if *is_parallel {
            flags += &format!(", {member} parallel");
        }
    }
    for (member, kind) in band.options.iter().enumerate() {
        flags += &match kind {
            LoopKind::Default => String::new(),
            LoopKind::Separate => format!(", {member} separate"),
            LoopKind::Atomic => format!(", {member} atomic"),
            LoopKind::Unroll => format!(", {member} unroll"),
        };
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn children_of_a_sequence_are_numbered() {
        let text = "domain: \"{ S[i] : 0 <= i < 9; T[] }\"\nchild:\n  sequence:\n  - filter: \"{ S[i] }\"\n    child:\n      \
                    schedule: \"[{ S[i] -> [(i)] }]\"\n      coincident: [ 1 ]\n  - filter: \"{ T[] }\"\n";
        expect![[r#"
            digraph "tree" {
              node [fontname="monospace"];
              n0 [label="domain\n{ S[i] : 0 <= i <= 8; T[] }", shape=box];
              n1 [label="sequence", shape=invtrapezium, color=orange];
              n2 [label="filter\n{ S[i] }", shape=box];
              n3 [label="band, 0 parallel\n[{ S[i] -> [(i)] }]", shape=box];
              n4 [label="filter\n{ T[] }", shape=box];
              n2 -> n3 [label="", style=solid, color=black];
              n1 -> n2 [label="1", style=solid, color=black];
              n1 -> n4 [label="2", style=solid, color=black];
              n0 -> n1 [label="", style=solid, color=black];
            }
        "#]]
        .assert_eq(&Tree::parse(text).expect("a tree").drawing("tree").dot());
    }
}
