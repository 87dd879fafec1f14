//! Which member of a band can run in a vector unit, and how well.
//!
//! In `for i: for j: C[j][i] = A[j][i] + 1` the innermost loop `j` is parallel, but strides through memory; with `i` innermost all
//! accesses are consecutive. A member can be *innermost and vectorised* for a statement when, all other members being fixed, no cycle of
//! dependences runs through the statement along it: then the statements of the loop can be distributed over loops of their own,
//! each without carried dependence. It is *good* in proportion to the references that stay in place or go to the next element.

use super::graph::components;
use super::linear::direction;
use super::problem::{Demand, Edge, Hyperplane, Problem};
use super::reference::Reference;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A vector loop in which more than one in so many references jumps is slower than a scalar one that does not.
const MOST_JUMPS: Penalty = 3;

/// How badly a statement would do in a vector loop: references that jump, a write counting double. Zero is best.
pub(crate) type Penalty = u32;

/// The loop that scans one member, with all others outside of it.
#[derive(Clone, Debug)]
pub(crate) struct VectorLoop {
    /// Its statements, distributed: in this order, each component over a loop of its own.
    pub components: Vec<Vec<usize>>,
    /// For each statement that it can be vectorised for: how badly.
    pub penalties: BTreeMap<usize, Penalty>,
    /// Statements whose iterations depend on each other, but can be asked in vectors whether they have anything to do, or pack what vectors compute.
    pub asked: BTreeSet<usize>,
    /// Whether the statements could also stay together, in this order within one iteration.
    pub is_fusible: bool,
    /// The dependences that the loop carries.
    pub carried: Vec<Rc<Edge>>,
}

impl VectorLoop {
    /// Whether that is so, or many iterations are asked whether they have anything to do.
    pub fn is_free_or_asked(&self, nodes: &[usize]) -> bool {
        self.is_free(nodes) || nodes.iter().all(|s| self.asked.contains(s))
    }

    /// Whether no iteration of a loop over these statements depends on another one.
    pub fn is_free(&self, nodes: &[usize]) -> bool {
        !self.carried.iter().any(|edge| nodes.contains(&edge.source) && nodes.contains(&edge.sink))
    }
}

/// The loop over `members[innermost]` inside all other members; `fixed` are the rows of outer bands, by statement.
pub(crate) fn vector_loop(
    problem: &Problem,
    nodes: &[usize],
    edges: &[Rc<Edge>],
    members: &[Hyperplane],
    innermost: usize,
    fixed: &BTreeMap<usize, Vec<Vec<i64>>>,
) -> VectorLoop {
    let outer: Vec<&Hyperplane> = (0..members.len()).filter(|m| *m != innermost).map(|m| &members[m]).collect();
    let member = &members[innermost];
    let mut arrows = BTreeSet::new();
    let (mut carried, mut asked) = (Vec::new(), BTreeSet::new());
    for edge in edges {
        let left = if outer.is_empty() { Some(edge.clone()) } else { edge.restricted(&outer) };
        let Some(left) = left else { continue };
        arrows.insert((left.source, left.sink));
        if !left.is_coincident(member) {
            carried.push(left);
        }
    }
    let components = components(nodes, arrows.iter().copied());
    let mut penalties = BTreeMap::new();
    for component in &components {
        let moves =
            |s: usize| direction(&member[&s].iterators, &others(members, innermost, s, fixed), problem.statements[s].n);
        let is_inside = |edge: &&Rc<Edge>| component.contains(&edge.source) && component.contains(&edge.sink);
        let within = || carried.iter().filter(is_inside);
        let is_question = |edge: &Rc<Edge>| component.len() == 1 && edge.role.is_question;
        let reads_first = |edge: &Rc<Edge>| moves(edge.source).is_some_and(|along| reads_first(problem, edge, &along));
        if within().any(|edge| !is_question(edge) && !reads_first(edge)) {
            continue;
        }
        if within().any(is_question) {
            asked.extend(component);
        }
        for s in component {
            let others = others(members, innermost, *s, fixed);
            if let Some(penalty) = penalty(problem, *s, &member[s].iterators, &others) {
                penalties.insert(*s, penalty);
            }
        }
    }
    VectorLoop { components, penalties, asked, is_fusible: carried.is_empty(), carried }
}

/// Whether a dependence is one of a statement on itself that reads what it overwrites in a later iteration `along` this direction, that of one of its
/// iterators: a vector of it reads before it writes. (Across the arrays vectors would read what other vectors have just written in parts.)
fn reads_first(problem: &Problem, edge: &Edge, along: &[i64]) -> bool {
    let statement = &problem.statements[edge.source];
    let written: Vec<&Reference> = statement.references.iter().filter(|reference| reference.writes).collect();
    let goes_on = |written: &Reference| written.movement(along).is_some_and(|m| m.iter().any(|x| *x != 0));
    edge.source == edge.sink
        && !edge.role.asks(Demand::Nearness)
        && !statement.work.has_loop
        && along.iter().filter(|x| **x != 0).count() == 1
        && matches!(written.as_slice(), [only] if goes_on(only))
}

/// The statement's rows of all members but one, and of outer bands.
pub(crate) fn others(
    members: &[Hyperplane],
    m: usize,
    s: usize,
    fixed: &BTreeMap<usize, Vec<Vec<i64>>>,
) -> Vec<Vec<i64>> {
    let outer = fixed.get(&s).cloned().unwrap_or_default();
    let beside = (0..members.len()).filter(|o| *o != m).map(|o| members[o][&s].iterators.clone());
    outer.into_iter().chain(beside).collect()
}

/// How badly the statement does in the loop along which only `row` moves; none if it does not move or more than a third of it jumps.
pub(crate) fn penalty(problem: &Problem, s: usize, row: &[i64], others: &[Vec<i64>]) -> Option<Penalty> {
    let statement = &problem.statements[s];
    let along = direction(row, others, statement.n)?;
    let together: Vec<&Reference> = statement.references.iter().filter(|r| !statement.reads_alone(r)).collect();
    // What one statement hands on to others of its iteration is in registers, wherever it would lie.
    let is_scalar = |r: &Reference| problem.scalars.contains(&r.array);
    let jumps = |r: &Reference| !is_scalar(r) && !r.movement(&along).is_some_and(|m| is_consecutive(&m));
    let all: Penalty = together.iter().map(|r| r.weight()).sum();
    let penalty: Penalty = together.iter().filter(|r| jumps(r)).map(|r| r.weight()).sum();
    (MOST_JUMPS * penalty <= all).then_some(penalty)
}

/// Whether only the last subscript moves, by at most one element.
pub(crate) fn is_consecutive(movement: &[i64]) -> bool {
    match movement.split_last() {
        Some((last, rest)) => last.abs() <= 1 && rest.iter().all(|x| *x == 0),
        None => true,
    }
}

/// The best member to be innermost: the one with the most statements vectorised and the least penalty, the last of equals. None if none
/// vectorises all statements that move with it.
pub(crate) fn best_member(
    problem: &Problem,
    nodes: &[usize],
    edges: &[Rc<Edge>],
    members: &[Hyperplane],
    fixed: &BTreeMap<usize, Vec<Vec<i64>>>,
) -> Option<(usize, VectorLoop)> {
    let mut best: Option<(usize, VectorLoop)> = None;
    for m in 0..members.len() {
        let moves = |s: &usize| {
            let others = others(members, m, *s, fixed);
            direction(&members[m][s].iterators, &others, problem.statements[*s].n).is_some()
        };
        let moving: Vec<usize> = nodes.iter().copied().filter(moves).collect();
        let found = vector_loop(problem, nodes, edges, members, m, fixed);
        if moving.is_empty() || !moving.iter().all(|s| found.penalties.contains_key(s)) {
            continue;
        }
        if best.as_ref().is_none_or(|(_, b)| key(problem, &found) >= key(problem, b)) {
            best = Some((m, found));
        }
    }
    best
}

/// Larger is better: vectors that only ask whether there is anything to do come last; statements of the deepest nests count first.
fn key(problem: &Problem, found: &VectorLoop) -> (bool, usize, i64) {
    let depth = |s: &usize| problem.statements[*s].free.len();
    let deepest = found.penalties.keys().map(depth).max().unwrap_or(0);
    let counted: Vec<&usize> = found.penalties.keys().filter(|s| depth(s) == deepest).collect();
    let clean = counted.iter().filter(|s| found.penalties[**s] == 0).count();
    (found.asked.is_empty(), clean, -(counted.iter().map(|s| found.penalties[*s] as i64).sum::<i64>()))
}
