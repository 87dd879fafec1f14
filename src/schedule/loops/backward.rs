//! Innermost loops of the program that LLVM leaves in single steps, as a dependence goes backward in their text.
//!
//! ```text
//! for i { S: a[i] *= c[i];  T: b[i] += a[i + 1] * d[i]; }
//! ```
//!
//! Each statement alone could run in vectors. Together they cannot as they stand: a vector of `S` comes before the vector of `T`, which reads what `S`
//! overwrites one iteration later. LLVM keeps the order of the text; we need not. Of such a dependence it is asked here that
//!
//! - its distance is bounded, and shorter than vectors are worth having (else LLVM tests overlap, or takes short vectors);
//! - it goes through memory: scalars from one iteration to the next are shuffled out of vectors;
//! - what is overwritten was not read further up already (LLVM reads once), and the overwriting is not undone further down (LLVM writes once).

use super::nest::{Loops, Member};
use super::original::{has_no_loops, point_rows};
use crate::schedule::model::problem::{Demand, Edge, Hyperplane, Problem};
use crate::schedule::search::fuse::within;
use std::collections::BTreeSet;
use std::rc::Rc;

/// From so many iterations on, LLVM takes vectors as short as that.
const SHORTEST_VECTOR: i64 = 4;

/// The statements in innermost loops that a dependence goes backward in.
pub(crate) fn in_text(problem: &Problem, loops: Option<&Loops>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    if let Some(loops) = loops {
        let all: Vec<usize> = (0..problem.statements.len()).collect();
        collect(problem, loops, &all, &problem.edges, &mut found);
    }
    found
}

fn collect(problem: &Problem, loops: &Loops, nodes: &[usize], edges: &[Rc<Edge>], found: &mut BTreeSet<usize>) {
    match loops {
        Loops::Leaf | Loops::Original(_) => {}
        Loops::Sequence(parts) => {
            parts.iter().for_each(|(own, part)| collect(problem, part, own, &within(own, edges), found));
        }
        Loops::Mark(_, below) | Loops::Split { whole: below, .. } => collect(problem, below, nodes, edges, found),
        Loops::Band { members, child, .. } => {
            let inside = |members: &[Member]| -> Vec<Rc<Edge>> {
                let rows = point_rows(members);
                edges
                    .iter()
                    .filter_map(|edge| if rows.is_empty() { Some(edge.clone()) } else { edge.restricted(&rows) })
                    .collect()
            };
            match members.split_last() {
                Some((last, outer)) if has_no_loops(child) => {
                    let edges = inside(outer);
                    if is_backward(problem, &last.terms[0].0, &edges) {
                        found.extend(nodes);
                    }
                }
                _ => collect(problem, child, nodes, &inside(members), found),
            }
        }
    }
}

/// Whether some dependence of a loop goes from a statement to one before it, in a later iteration.
fn is_backward(problem: &Problem, hyperplane: &Hyperplane, edges: &[Rc<Edge>]) -> bool {
    let counts = |edge: &&Rc<Edge>| {
        let is_short = edge.is_bounded(hyperplane) && !edge.is_at_least(hyperplane, SHORTEST_VECTOR);
        edge.role.asks(Demand::Order) && edge.sink < edge.source && is_short && !is_of_scalar(problem, edge)
    };
    edges.iter().filter(counts).any(|edge| {
        if edge.role.asks(Demand::Nearness) {
            return edge.is_carried(hyperplane);
        }
        let Some(distance) = edge.distance(hyperplane).filter(|distance| *distance > 0) else { return false };
        let sink = written_last(problem, edges, hyperplane, edge.sink);
        let is_read_before = |other: &Rc<Edge>| {
            other.sink == edge.sink && other.source <= sink && other.has_distance(hyperplane, distance)
        };
        sink < edge.source && !edges.iter().any(is_read_before)
    })
}

/// Whether what a dependence is about is a scalar.
fn is_of_scalar(problem: &Problem, edge: &Edge) -> bool {
    let writer = if edge.role.asks(Demand::Nearness) { edge.source } else { edge.sink };
    let written = problem.statements[writer].references.iter().filter(|reference| reference.writes);
    written.map(|reference| &reference.array).all(|array| problem.scalars.contains(array))
}

/// The last statement that writes what `s` writes in the same iteration.
fn written_last(problem: &Problem, edges: &[Rc<Edge>], hyperplane: &Hyperplane, s: usize) -> usize {
    let written = |s: usize| problem.statements[s].references.iter().filter(|reference| reference.writes);
    let writes_same = |other: usize| written(s).all(|one| written(other).any(|two| one.moves_like(two)));
    let again = |edge: &&Rc<Edge>| {
        edge.source == s && edge.sink > s && !edge.role.asks(Demand::Nearness) && edge.distance(hyperplane) == Some(0)
    };
    edges.iter().filter(again).map(|edge| edge.sink).filter(|sink| writes_same(*sink)).max().unwrap_or(s)
}
