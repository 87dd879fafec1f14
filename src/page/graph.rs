//! The dependence graph of a nest: statements as boxes in layers, what they hand on as arrows.
//!
//! Layers and places are found by Sugiyama's method (Sugiyama, Tagawa and Toda 1981) in the crate `rust-sugiyama`; what depends on itself has a loop at its side.

use crate::report::Nest;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use rust_sugiyama::configure::Config;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Statements of a graph: more would be no picture.
const MOST_STATEMENTS: usize = 40;

const HEIGHT: f64 = 46.0;
/// Pixels of a letter, about.
const LETTER: f64 = 7.2;
const MARGIN: f64 = 56.0;

/// What one statement hands on to another one: kinds, and the arrays of each.
type Edges = BTreeMap<(usize, usize), BTreeMap<String, BTreeSet<String>>>;

/// A drawing of the graph, and what it says in words; none if there is nothing to draw.
pub fn drawn(nest: &Nest) -> Option<(String, Vec<String>)> {
    let statements = &nest.model.as_ref()?.statements;
    if statements.is_empty() || statements.len() > MOST_STATEMENTS {
        return None;
    }
    let at = |name: &str| statements.iter().position(|statement| statement.name == name);
    let mut edges = Edges::new();
    for dependence in &nest.dependences {
        let (Some(from), Some(to)) = (at(&dependence.from), at(&dependence.to)) else { continue };
        let kinds = edges.entry((from, to)).or_default();
        kinds.entry(dependence.kind.clone()).or_default().insert(dependence.array.clone());
    }
    let texts: Vec<(String, String)> =
        statements.iter().map(|statement| (statement.name.clone(), shortened(&statement.outline))).collect();
    let width = |text: &(String, String)| LETTER * text.1.chars().count().max(text.0.len() + 4) as f64 + 20.0;
    let places = placed(&texts.iter().map(width).collect::<Vec<_>>(), &edges);
    let mut words = Vec::new();
    for ((from, to), kinds) in &edges {
        let kinds: Vec<String> = kinds.iter().map(|(kind, arrays)| said(kind, arrays)).collect();
        words.push(format!("{} → {}: {}", texts[*from].0, texts[*to].0, kinds.join("; ")));
    }
    Some((Drawing { texts: &texts, places: &places, width: &width }.svg(&edges), words))
}

/// The middle of each box.
fn placed(widths: &[f64], edges: &Edges) -> Vec<(f64, f64)> {
    let mut graph: StableDiGraph<usize, ()> = StableDiGraph::new();
    let nodes: Vec<NodeIndex> = (0..widths.len()).map(|at| graph.add_node(at)).collect();
    // Circles have no layers: their last edge is drawn upwards.
    for (from, to) in edges.keys().filter(|(from, to)| from < to) {
        graph.add_edge(nodes[*from], nodes[*to], ());
    }
    let config = Config { vertex_spacing: 44.0, ..Config::default() };
    let size = |_: NodeIndex, at: &usize| (widths[*at], HEIGHT);
    let mut places = vec![(0.0, 0.0); widths.len()];
    let mut right = 0.0;
    for (layout, _, _) in rust_sugiyama::from_graph(&graph, &size, &config) {
        let left = layout.iter().map(|(node, (x, _))| x - widths[graph[*node]] / 2.0).fold(f64::INFINITY, f64::min);
        let end = layout.iter().map(|(node, (x, _))| x + widths[graph[*node]] / 2.0).fold(f64::NEG_INFINITY, f64::max);
        let top = layout.iter().map(|(_, (_, y))| *y).fold(f64::INFINITY, f64::min);
        for (node, (x, y)) in &layout {
            places[graph[*node]] = (x - left + right, y - top);
        }
        right += end - left + MARGIN;
    }
    places
}

struct Drawing<'a> {
    texts: &'a [(String, String)],
    places: &'a [(f64, f64)],
    width: &'a dyn Fn(&(String, String)) -> f64,
}

impl Drawing<'_> {
    fn svg(&self, edges: &Edges) -> String {
        let right = |at: usize| self.places[at].0 + (self.width)(&self.texts[at]) / 2.0;
        let width = (0..self.texts.len()).map(right).fold(0.0, f64::max) + 2.0 * MARGIN;
        let height = self.places.iter().map(|(_, y)| *y).fold(0.0, f64::max) + HEIGHT + MARGIN;
        let mut svg = format!(
            r#"<svg class="graph" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" aria-hidden="true">"#
        );
        edges.iter().for_each(|(ends, kinds)| self.edge(&mut svg, *ends, kinds));
        (0..self.texts.len()).for_each(|at| self.node(&mut svg, at));
        svg.push_str("</svg>");
        svg
    }

    fn middle(&self, at: usize) -> (f64, f64) {
        (self.places[at].0 + MARGIN / 2.0, self.places[at].1 + HEIGHT / 2.0 + MARGIN / 2.0)
    }

    fn node(&self, svg: &mut String, at: usize) {
        let ((x, y), width) = (self.middle(at), (self.width)(&self.texts[at]));
        let (name, text) = (super::escaped(&self.texts[at].0), super::escaped(&self.texts[at].1));
        let _ = write!(
            svg,
            r#"<g class="node" data-s="{name}"><rect x="{:.1}" y="{:.1}" width="{width:.1}" height="{HEIGHT}" rx="6"/><text class="name" x="{x:.1}" y="{:.1}" text-anchor="middle">{name}</text><text x="{x:.1}" y="{:.1}" text-anchor="middle">{text}</text></g>"#,
            x - width / 2.0,
            y - HEIGHT / 2.0,
            y - 4.0,
            y + 14.0,
        );
    }

    fn edge(&self, svg: &mut String, (from, to): (usize, usize), kinds: &BTreeMap<String, BTreeSet<String>>) {
        for (number, (kind, arrays)) in kinds.iter().enumerate() {
            let apart = number as f64 * 12.0;
            let ((x1, y1), (x2, y2)) = (self.middle(from), self.middle(to));
            let half = (self.width)(&self.texts[from]) / 2.0;
            let (path, (ex, ey), turn) = if from == to {
                let (x, r) = (x1 + half, 16.0 + apart / 2.0);
                let path = format!("M{x:.1} {:.1} c{:.1} -{r:.1} {:.1} {r:.1} 0 16", y1 - 8.0, 1.8 * r, 1.8 * r);
                (path, (x, y1 + 8.0), 180.0)
            } else if y1 < y2 {
                let (top, bottom) = (y1 + HEIGHT / 2.0, y2 - HEIGHT / 2.0);
                let bend = (bottom - top) / 2.0;
                let (x1, x2) = (x1 + apart, x2 + apart);
                let path = format!(
                    "M{x1:.1} {top:.1} C{x1:.1} {:.1} {x2:.1} {:.1} {x2:.1} {bottom:.1}",
                    top + bend,
                    bottom - bend
                );
                (path, (x2, bottom), 90.0)
            } else {
                // Upwards, or to a neighbour: around the left side.
                let left = |at: usize| self.middle(at).0 - (self.width)(&self.texts[at]) / 2.0;
                let (x1, x2) = (left(from), left(to));
                let out = x1.min(x2) - 24.0 - apart;
                (format!("M{x1:.1} {y1:.1} C{out:.1} {y1:.1} {out:.1} {y2:.1} {x2:.1} {y2:.1}"), (x2, y2), 0.0)
            };
            let names = [from, to].map(|at| super::escaped(&self.texts[at].0));
            let said = super::escaped(&said(kind, arrays));
            let class = kind.replace(' ', "-");
            let _ = write!(
                svg,
                r#"<g class="arrow {class}" data-s="{} {}"><title>{said}</title><path d="{path}"/><polygon points="0,0 -8,-4 -8,4" transform="translate({ex:.1} {ey:.1}) rotate({turn})"/></g>"#,
                names[0], names[1],
            );
        }
    }
}

fn said(kind: &str, arrays: &BTreeSet<String>) -> String {
    format!("{kind} of {}", arrays.iter().cloned().collect::<Vec<_>>().join(", "))
}

/// A text that fits a box.
fn shortened(text: &str) -> String {
    const MOST: usize = 44;
    if text.chars().count() <= MOST {
        return text.to_string();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}
