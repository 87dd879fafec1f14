//! Drawings of graphs: in the language of Graphviz, and as SVG.
//!
//! ```text
//! S --flow--> T                digraph "sum" { n0 [label="S", shape=box]; .. n0 -> n1 [label="flow"]; }
//! ```
//!
//! Whoever has a graph says which nodes and arrows it has and what they look like; both forms come from the same [`Drawing`]. Pictures are laid out in
//! layers by the library `layout-rs`: nothing else is needed to look at them than a browser. Arrows from a node to itself are ours: they go out of its right side and back, one below
//! the other, with their labels beside them, and the library keeps that much room free.

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::format::RenderBackend;
use layout::core::geometry::{Point, Position, get_size_for_str, pad_shape_scalar};
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use petgraph::graph::DiGraph;
use petgraph::visit::DfsPostOrder;
use std::fmt::Write;

/// Height of letters, and space around a text in its box, in pixels.
const LETTERS: usize = 14;
const MARGIN: f64 = 12.0;

/// How far an arrow from a node to itself goes out, how high it is at least, and the space around it.
const LOOP: f64 = 32.0;
const LOOP_HEIGHT: f64 = 24.0;
const LOOP_SPACE: f64 = 8.0;

/// Width of letters as they are on the average of a line, or more.
const LETTER_WIDTH: f64 = 8.0;

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
        let element = |(at, node): (usize, &Node)| {
            let label = in_lines(&node.label);
            let size = pad_shape_scalar(get_size_for_str(&label, LETTERS), MARGIN);
            let loops = self.loops(NodeId(at));
            let height: f64 = loops.iter().map(|each| each.height).sum();
            let size = Point::new(size.x.max(MARGIN), size.y.max(MARGIN).max(height + LOOP_SPACE));
            let (shape, colour) = match node.shape {
                Shape::Box => (ShapeKind::new_box(&label), "black"),
                Shape::Ellipse => (ShapeKind::new_circle(&label), "black"),
                Shape::Trapezium => (ShapeKind::new_box(&label), "blue"),
                Shape::Funnel => (ShapeKind::new_box(&label), "orange"),
            };
            let mut element = Element::create(shape, look(colour), Orientation::TopToBottom, size);
            let halo = element.pos.size(WITH_HALO).sub(size);
            let beside = loops.iter().map(Loop::width).fold(0.0, f64::max);
            element.pos =
                Position::new(Point::zero(), size, Point::zero(), Point::new(halo.x.max(2.0 * beside), halo.y));
            element
        };
        let handles: Vec<_> = self.nodes.iter().enumerate().map(|node| graph.add_node(element(node))).collect();
        graph.dag.set_validate(VALIDATED);
        for (Line { from, to, label, style }, way) in
            self.downwards().into_iter().filter(|(line, _)| line.from != line.to)
        {
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
        let mut beside = String::new();
        for (at, handle) in handles.iter().enumerate() {
            let position = graph.pos(*handle);
            let loops = self.loops(NodeId(at));
            let mut y = position.middle().y - loops.iter().map(|each| each.height).sum::<f64>() / 2.0;
            for each in loops {
                each.draw(&mut picture, (&position, self.nodes[at].shape, y));
                beside.push_str(&each.text(position.right(WITHOUT_HALO), y));
                y += each.height;
            }
        }
        let labels = self.arrows.iter().map(|arrow| get_size_for_str(&in_lines(&arrow.label), LETTERS).x);
        let picture = picture.finalize();
        let inside = picture.strip_suffix("</svg>").map(|inside| format!("{inside}{beside}</svg>"));
        Ok(widened(&inside.unwrap_or(picture), labels.fold(0.0, f64::max)) + "\n")
    }

    /// The arrows from a node to itself.
    fn loops(&self, node: NodeId) -> Vec<Loop> {
        let own = self.arrows.iter().filter(|arrow| arrow.from == node && arrow.to == node);
        let new = |arrow: &Line| {
            let label = in_lines(&arrow.label);
            let height = LOOP_HEIGHT.max((label.lines().count() * LETTERS) as f64) + LOOP_SPACE;
            Loop { label, style: arrow.style, height }
        };
        own.map(new).collect()
    }
}

/// An arrow from a node to itself.
struct Loop {
    label: String,
    style: Style,
    /// With the space around it.
    height: f64,
}

impl Loop {
    /// How much room there must be beside the node.
    fn width(&self) -> f64 {
        let letters = self.label.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        LOOP + 2.0 * LOOP_SPACE + LETTER_WIDTH * letters as f64
    }

    /// Out of the right side of a node and back, below this height.
    fn draw(&self, picture: &mut SVGWriter, (node, shape, y): (&Position, Shape, f64)) {
        let (middle, size) = (node.middle(), node.size(WITHOUT_HALO));
        let side = |y: f64| match shape {
            Shape::Ellipse => {
                let part = ((y - middle.y) / (size.y / 2.0)).clamp(-1.0, 1.0);
                Point::new(middle.x + size.x / 2.0 * (1.0 - part * part).sqrt(), y)
            }
            _ => Point::new(middle.x + size.x / 2.0, y),
        };
        let (out, back) = (side(y + LOOP_SPACE / 2.0), side(y + self.height - LOOP_SPACE / 2.0));
        // A curve comes three quarters of the way to points that both pull it.
        let pull = middle.x + size.x / 2.0 + LOOP * 4.0 / 3.0;
        let path = [(out, Point::new(pull, out.y)), (Point::new(pull, back.y), back)];
        let look = StyleAttr::new(Color::fast(self.style.colour), 1, None, 0, LETTERS);
        picture.draw_arrow(&path, self.style.pen != Pen::Solid, AT_THE_END, &look, None, "");
    }

    /// The label beside it.
    fn text(&self, right: f64, y: f64) -> String {
        let x = right + LOOP + LOOP_SPACE;
        let lines = self.label.lines().count() as f64;
        let first = y + self.height / 2.0 - (lines - 1.0) / 2.0 * LETTERS as f64;
        let line = |(at, line): (usize, &str)| {
            let y = first + (at * LETTERS) as f64;
            format!("<tspan x=\"{x}\" y=\"{y}\">{}</tspan>", escaped(line))
        };
        let lines: String = self.label.lines().enumerate().map(line).collect();
        format!("<text dominant-baseline=\"middle\" class=\"a{LETTERS}\">{lines}</text>\n")
    }
}

/// A text as it stands between marks of SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Sizes of nodes with the room around them, or without, for the library; and where an arrow has its head.
const WITH_HALO: bool = true;
const WITHOUT_HALO: bool = false;
const AT_THE_END: (bool, bool) = (false, true);

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

    /// The numbers of a text, in their order.
    fn numbers(text: &str) -> Vec<f64> {
        text.split(|c: char| !(c.is_ascii_digit() || c == '.')).filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn arrows_to_where_they_come_from_go_around_beside_their_node() {
        let mut drawing = Drawing::titled("loops");
        let node = drawing.node("S", Shape::Box);
        let other = drawing.node("T", Shape::Box);
        let labels = ["flow over a\nS[i] -> S[1 + i]", "anti over b", "output over <c>"];
        for (label, pen) in labels.into_iter().zip([Pen::Solid, Pen::Dashed, Pen::Dotted]) {
            drawing.arrow(node, node, label, Style { pen, colour: "black" });
        }
        drawing.arrow(other, other, "", Style::PLAIN);
        let picture = drawing.svg().expect("a picture");
        let rects: Vec<Vec<f64>> = picture.split("<rect").skip(1).map(|rest| numbers(&rest[..120])).collect();
        let paths: Vec<Vec<f64>> =
            picture.split(" d=\"").skip(1).map(|rest| numbers(&rest[..rest.find('"').unwrap_or(0)])).collect();
        assert_eq!([rects.len(), paths.len()], [2, 4], "{picture}");
        let mut last = 0.0;
        for path in &paths[..3] {
            let [from_x, from_y, pull, .., to_x, to_y] = path[..] else { panic!("{path:?}") };
            let [x, y, width, height, ..] = rects[0][..] else { panic!("{rects:?}") };
            assert!(from_x == x + width && to_x == from_x && pull > from_x, "{path:?} {rects:?}");
            assert!(last < from_y && from_y < to_y && y < from_y && to_y < y + height, "{path:?} {rects:?}");
            last = to_y;
        }
        // The labels stand beside the loops, and the other node beside these.
        let beside = picture.split("<tspan x=\"").skip(1).map(|rest| numbers(&rest[..rest.find('"').unwrap_or(0)])[0]);
        let right = rects[0][0] + rects[0][2];
        assert_eq!(beside.filter(|x| *x == right + LOOP + LOOP_SPACE).count(), 4, "{picture}");
        assert!(rects[1][0] > right + LOOP + LOOP_SPACE + 16.0 * 6.0 || rects[1][0] < rects[0][0], "{rects:?}");
        assert!(
            picture.contains("output over &lt;c&gt;") && picture.matches("stroke-dasharray").count() == 2,
            "{picture}"
        );
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
