//! Drawings of graphs: in the language of Graphviz, and as SVG.
//!
//! ```text
//! S --flow--> T                digraph "sum" { n0 [label="S", shape=box]; .. n0 -> n1 [label="flow"]; }
//! ```
//!
//! Whoever has a graph says which nodes and arrows it has and what they look like; both forms come from the same [`Drawing`]. Pictures are laid out in
//! layers by the library `layout-rs`: nothing else is needed to look at them than a browser.

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::{Point, get_size_for_str, pad_shape_scalar};
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use petgraph::graph::DiGraph;
use petgraph::visit::DfsPostOrder;
use std::fmt::Write;

/// Height of letters, and space around a text in its box, in pixels.
const LETTERS: usize = 14;
const MARGIN: f64 = 12.0;

/// Most letters in a line of a picture: longer lines are broken at spaces, as a box is as wide as its longest line.
const WIDEST: usize = 60;

/// A graph as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    title: String,
    groups: Vec<String>,
    nodes: Vec<Node>,
    arrows: Vec<Line>,
}

/// A node, by its place in the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(usize);

#[derive(Clone, Debug)]
struct Node {
    label: String,
    shape: Shape,
    group: Option<usize>,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Box,
    Ellipse,
    /// Wider below: several come together.
    Trapezium,
    /// Wider above: one goes to several.
    Funnel,
}

#[derive(Clone, Debug)]
struct Line {
    from: NodeId,
    to: NodeId,
    label: String,
    style: Style,
}

/// How an arrow is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub pen: Pen,
    /// A colour by the name that both Graphviz and SVG know.
    pub colour: &'static str,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pen {
    Solid,
    Dashed,
    Dotted,
}

impl Style {
    /// A black line.
    pub const PLAIN: Style = Style { pen: Pen::Solid, colour: "black" };
}

impl Drawing {
    /// An empty drawing.
    pub fn titled(title: &str) -> Drawing {
        Drawing { title: title.to_string(), ..Drawing::default() }
    }

    /// What is added from now on belongs together, under this title.
    pub fn group(&mut self, title: &str) {
        self.groups.push(title.to_string());
    }

    /// One more node; lines of its label are separated by `\n`.
    pub fn node(&mut self, label: &str, shape: Shape) -> NodeId {
        let group = self.groups.len().checked_sub(1);
        self.nodes.push(Node { label: label.to_string(), shape, group });
        NodeId(self.nodes.len() - 1)
    }

    /// One more arrow.
    pub fn arrow(&mut self, from: NodeId, to: NodeId, label: &str, style: Style) {
        self.arrows.push(Line { from, to, label: label.to_string(), style });
    }

    /// In the language of Graphviz.
    pub fn dot(&self) -> String {
        let mut text = format!("digraph {} {{\n  node [fontname=\"monospace\"];\n", quoted(&self.title));
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.group.is_none()) {
            let _ = writeln!(text, "  {}", declared(at, node));
        }
        for (group, title) in self.groups.iter().enumerate() {
            let _ = writeln!(text, "  subgraph cluster_{group} {{\n    label={};", quoted(title));
            for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.group == Some(group)) {
                let _ = writeln!(text, "    {}", declared(at, node));
            }
            text.push_str("  }\n");
        }
        for Line { from, to, label, style } in &self.arrows {
            let pen = match style.pen {
                Pen::Solid => "solid",
                Pen::Dashed => "dashed",
                Pen::Dotted => "dotted",
            };
            let look = format!("style={pen}, color={}", style.colour);
            let _ = writeln!(text, "  n{} -> n{} [label={}, {look}];", from.0, to.0, quoted(label));
        }
        text + "}\n"
    }

    /// As a picture.
    ///
    /// # Errors
    /// It would take minutes: why.
    pub fn svg(&self) -> Result<String, String> {
        let crossed = self.layers_crossed();
        if crossed > MOST_CROSSED {
            let n = self.arrows.len();
            return Err(format!(
                "{n} arrows across {crossed} layers are too many for a picture; --format dot is for Graphviz"
            ));
        }
        let mut graph = VisualGraph::new(Orientation::TopToBottom);
        let look = |colour: &str| StyleAttr::new(Color::fast(colour), 1, Some(Color::fast("white")), 0, LETTERS);
        let element = |node: &Node| {
            let label = in_lines(&node.label);
            let size = pad_shape_scalar(get_size_for_str(&label, LETTERS), MARGIN);
            let size = Point::new(size.x.max(MARGIN), size.y.max(MARGIN));
            let (shape, colour) = match node.shape {
                Shape::Box => (ShapeKind::new_box(&label), "black"),
                Shape::Ellipse => (ShapeKind::new_circle(&label), "black"),
                Shape::Trapezium => (ShapeKind::new_box(&label), "blue"),
                Shape::Funnel => (ShapeKind::new_box(&label), "orange"),
            };
            Element::create(shape, look(colour), Orientation::TopToBottom, size)
        };
        let handles: Vec<_> = self.nodes.iter().map(|node| graph.add_node(element(node))).collect();
        graph.dag.set_validate(VALIDATED);
        for (Line { from, to, label, style }, way) in self.downwards() {
            let pen = match style.pen {
                Pen::Solid => LineStyleKind::Normal,
                Pen::Dashed => LineStyleKind::Dashed,
                Pen::Dotted => LineStyleKind::Dotted,
            };
            let (label, look) = (in_lines(label), look(style.colour));
            let arrow = Arrow::new(LineEndKind::None, LineEndKind::Arrow, pen, &label, &look, &None, &None);
            match way {
                Way::Down => graph.add_edge(arrow, handles[from.0], handles[to.0]),
                Way::Up => graph.add_edge(arrow.reverse(), handles[to.0], handles[from.0]),
            }
        }
        let mut picture = SVGWriter::new();
        if !handles.is_empty() {
            let is_large = handles.len() + self.arrows.len() > MOST_IMPROVED;
            graph.do_it(DEBUG_LINES, is_large, ARROWS_AS_FOUND, &mut picture);
        }
        let labels = self.arrows.iter().map(|arrow| get_size_for_str(&in_lines(&arrow.label), LETTERS).x);
        Ok(widened(&picture.finalize(), labels.fold(0.0, f64::max)) + "\n")
    }
}

/// Whether an arrow goes from layer to layer, or against that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Down,
    Up,
}

impl Drawing {
    /// How many layers all arrows go across, if each node is in the layer behind the last one of those above it.
    fn layers_crossed(&self) -> usize {
        let mut layer = vec![0; self.nodes.len()];
        let arrows = self.downwards();
        let ends = |(arrow, way): &(&Line, Way)| match way {
            Way::Down => (arrow.from.0, arrow.to.0),
            Way::Up => (arrow.to.0, arrow.from.0),
        };
        for (from, to) in arrows.iter().map(ends).filter(|(from, to)| from != to) {
            layer[to] = layer[to].max(layer[from] + 1);
        }
        arrows.iter().map(ends).map(|(from, to)| layer[to] - layer[from]).sum()
    }

    /// The arrows in the order of the nodes above. The library asks for each whether it closes a circle, along all paths that are there: in this order there are none yet below.
    fn downwards(&self) -> Vec<(&Line, Way)> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<_> = self.nodes.iter().map(|_| graph.add_node(())).collect();
        for Line { from, to, .. } in &self.arrows {
            graph.add_edge(nodes[from.0], nodes[to.0], ());
        }
        let mut place = vec![0; nodes.len()];
        let (mut walk, mut left) = (DfsPostOrder::empty(&graph), nodes.len());
        for start in nodes.iter().rev() {
            walk.move_to(*start);
            while let Some(node) = walk.next(&graph) {
                left -= 1;
                place[node.index()] = left;
            }
        }
        let way = |arrow: &Line| if place[arrow.from.0] <= place[arrow.to.0] { Way::Down } else { Way::Up };
        let mut arrows: Vec<(&Line, Way)> = self.arrows.iter().map(|arrow| (arrow, way(arrow))).collect();
        arrows.sort_by_key(|(arrow, _)| place[arrow.from.0].min(place[arrow.to.0]));
        arrows
    }
}

/// What the library is asked to do without: lines around boxes, checks of itself along all paths; and to leave out, its way of drawing arrows.
const DEBUG_LINES: bool = false;
const VALIDATED: bool = false;
const ARROWS_AS_FOUND: bool = false;

/// Layers that all arrows of a picture may go across: a layout takes seconds then, and twice as many take minutes.
const MOST_CROSSED: usize = 1500;

/// Nodes and arrows of graphs whose layout the library may improve: it tries each neighbour's place for each node again and again, which takes minutes for some hundred.
const MOST_IMPROVED: usize = 150;

/// A picture with more room on its right: the library makes it as wide as its nodes, and labels of arrows may stick out.
fn widened(picture: &str, by: f64) -> String {
    let width = picture.split("width=\"").nth(1).and_then(|rest| rest.split('"').next());
    let Some((text, width)) = width.and_then(|text| Some((text, text.parse::<f64>().ok()?))) else {
        return picture.to_string();
    };
    let wider = (width + by).to_string();
    let picture = picture.replacen(&format!("width=\"{text}\""), &format!("width=\"{wider}\""), 1);
    picture.replacen(&format!("viewBox=\"0 0 {text} "), &format!("viewBox=\"0 0 {wider} "), 1)
}

fn declared(at: usize, node: &Node) -> String {
    let shape = match node.shape {
        Shape::Box => "box",
        Shape::Ellipse => "ellipse",
        Shape::Trapezium => "trapezium, color=blue",
        Shape::Funnel => "invtrapezium, color=orange",
    };
    format!("n{at} [label={}, shape={shape}];", quoted(&node.label))
}

/// A text between quotes, as Graphviz wants it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

/// The label with long lines broken; never empty, as the library cannot measure nothing.
fn in_lines(label: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in label.lines() {
        let mut current = String::new();
        for word in line.split(' ') {
            if !current.is_empty() && current.chars().count() + word.chars().count() >= WIDEST {
                lines.push(std::mem::take(&mut current));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    let text = lines.join("\n");
    if text.trim().is_empty() { String::new() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn sum() -> Drawing {
        let mut drawing = Drawing::titled("a \"sum\"");
        let input = drawing.node("x", Shape::Ellipse);
        drawing.group("loops");
        let sum = drawing.node("S[i]\ns + x[i] < 3 & \\", Shape::Box);
        drawing.arrow(input, sum, "x[i]", Style::PLAIN);
        drawing.arrow(sum, sum, "i >= 1", Style { pen: Pen::Dotted, colour: "green" });
        drawing
    }

    #[test]
    fn graphs_for_graphviz() {
        expect![[r#"
            digraph "a \"sum\"" {
              node [fontname="monospace"];
              n0 [label="x", shape=ellipse];
              subgraph cluster_0 {
                label="loops";
                n1 [label="S[i]\ns + x[i] < 3 & \\", shape=box];
              }
              n0 -> n1 [label="x[i]", style=solid, color=black];
              n1 -> n1 [label="i >= 1", style=dotted, color=green];
            }
        "#]]
        .assert_eq(&sum().dot());
    }

    #[test]
    fn pictures_show_each_node_and_each_arrow_once() {
        let picture = sum().svg().expect("a picture");
        let count = |part: &str| picture.matches(part).count();
        assert!(picture.starts_with("<?xml") && picture.trim_end().ends_with("</svg>"), "{picture}");
        assert_eq!([count("s + x[i] &lt; 3 &amp;"), count("<ellipse"), count("<path")], [1, 1, 2], "{picture}");
        assert_eq!(Ok(picture), sum().svg());
        assert!(Drawing::titled("nothing").svg().is_ok_and(|picture| picture.contains("<svg")));
    }

    #[test]
    fn what_has_no_label_and_what_comes_back_can_be_drawn() {
        let mut drawing = Drawing::titled("circle");
        let nodes: Vec<NodeId> = (0..9).map(|_| drawing.node("", Shape::Funnel)).collect();
        for (at, from) in nodes.iter().enumerate() {
            drawing.arrow(*from, nodes[(at * 5 + 2) % 9], "", Style::PLAIN);
            drawing.arrow(*from, nodes[(at + 8) % 9], "back", Style::PLAIN);
        }
        assert_eq!(drawing.svg().expect("a picture").matches("<rect").count(), 9);
    }

    #[test]
    fn long_lines_are_broken() {
        let label = in_lines(&"word ".repeat(40));
        assert!(label.lines().count() == 4 && label.lines().all(|line| line.chars().count() <= WIDEST), "{label}");
    }

    /// A ladder has twice as many ways down with each rung: what asks along all ways never ends.
    #[test]
    fn graphs_with_many_ways_are_drawn_and_very_large_ones_refused() {
        let ladder = |rungs: usize| {
            let mut drawing = Drawing::titled("ladder");
            let mut last = drawing.node("0", Shape::Box);
            for number in 1..=rungs {
                let [a, b] = ["a", "b"].map(|side| drawing.node(&format!("{side}{number}"), Shape::Box));
                let next = drawing.node(&number.to_string(), Shape::Box);
                for (from, to) in [(last, a), (last, b), (a, next), (b, next)] {
                    drawing.arrow(to, from, "", Style::PLAIN);
                }
                last = next;
            }
            drawing
        };
        assert_eq!(ladder(40).svg().expect("a picture").matches("<rect").count(), 121);
        assert!(ladder(400).svg().is_err_and(|why| why.starts_with("1600 arrows across 1600 layers")));
    }
}
