//! What the arranger asks of bands before it arranges them.
//!
//! Of `for t: for i: A[t+1][i] = f(A[t][i-1..i+1])` with hyperplanes `t` and `i + t`: it is skewed, all dependences go forward along both members, so
//! tiles on a diagonal can run at once, and nothing is inside of it that has to be ordered.

use super::block;
use super::nest::{Loops, OWN_VECTORS, Unit, point};
use crate::schedule::model::extent::{self, Sizes};
use crate::schedule::model::problem::{Demand, Done, Edge, Hyperplane, Problem, Row};
use crate::schedule::model::vector::{self, is_consecutive};
use crate::schedule::search::band::Band;
use crate::schedule::search::fuse::within;
use crate::schedule::search::plan::{BandPlan, Plan};
use crate::schedule::transformation::InVectors;
use crate::scop::tree::LoopKind;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The loops of a plan as it stands: its bands, neither tiled nor arranged.
pub(crate) fn as_found(nodes: &[usize], plan: Plan) -> Loops {
    match plan {
        Plan::Leaf => Loops::Leaf,
        Plan::Original => Loops::Original(nodes.to_vec()),
        Plan::Sequence(parts) => {
            let below = |(nodes, plan): (Vec<usize>, Plan)| {
                let loops = as_found(&nodes, plan);
                (nodes, loops)
            };
            Loops::Sequence(parts.into_iter().map(below).collect())
        }
        Plan::Band(BandPlan { nodes, band, permutable, child, .. }) => {
            let members = members(&band).map(|(h, c)| point(h, c)).collect();
            let child = Box::new(as_found(&nodes, *child));
            Loops::Band { members, permutable, unit: Unit::Scalar, kind: LoopKind::Default, child }
        }
    }
}

/// The members of a band, each with whether its iterations are independent.
pub(super) fn members(band: &Band) -> impl Iterator<Item = (&Hyperplane, bool)> {
    band.members.iter().zip(band.coincident.iter().copied())
}

/// Whether nothing below has loops of its own.
pub(super) fn is_leafy(plan: &Plan) -> bool {
    match plan {
        Plan::Leaf => true,
        Plan::Original | Plan::Band(_) => false,
        Plan::Sequence(parts) => parts.iter().all(|(_, part)| is_leafy(part)),
    }
}

/// Whether some member runs across the arrays: it combines iterators of a statement as no subscript of it does.
pub(super) fn is_skewed(problem: &Problem, band: &Band) -> bool {
    let crosses = |s: usize, row: &[i64]| {
        let mut subscripts = problem.statements[s].references.iter().filter_map(|r| r.subscripts.as_ref()).flatten();
        row.iter().filter(|x| **x != 0).count() > 1 && !subscripts.any(|subscript| subscript == row)
    };
    band.members.iter().any(|h| h.iter().any(|(s, row)| crosses(*s, &row.iterators)))
}

/// Whether a datum is used again along a member other than the innermost, with at least two more members between the uses; or a jump
/// through memory along the innermost member is a step to the next element along another one.
pub(super) fn has_distant_reuse(problem: &Problem, plan: &BandPlan, innermost: usize) -> bool {
    let n = plan.band.members.len();
    let movement = |s: usize, m: usize| block::movements(problem, plan, s, m);
    let still = |r: &Option<Vec<i64>>| r.as_ref().is_some_and(|r| r.iter().all(|x| *x == 0));
    let next = |r: &Option<Vec<i64>>| r.as_ref().is_some_and(|r| is_consecutive(r));
    plan.nodes.iter().any(|s| {
        let along_vector = movement(*s, innermost);
        (0..n).filter(|m| *m != innermost).filter_map(|m| movement(*s, m)).any(|along| {
            let used_again = n > 2 && along.iter().any(still);
            let jumps = along_vector
                .as_ref()
                .is_some_and(|v| v.iter().zip(&along).any(|(v, a)| !next(v) && next(a) && !still(a)));
            used_again || jumps
        })
    })
}

/// Side of a tile without a vector loop, and the longest of one that is cut: enough for reuse in the first-level cache, and many of them on a diagonal.
pub(super) const SCALAR_SIDE: i64 = 32;

/// The longest piece of a row that a tile without a vector loop has, and into how many pieces a row goes at least: threads meet behind each diagonal, on which there are few
/// tiles where one member is short, and what each of them does must be much against that. (Measured on comparisons of texts with two rows, where 32 was up to four
/// times slower than the program.)
const LONGEST_PIECE: i64 = 256;
const PIECES_OF_ROW: i64 = 4;

/// Side of a tile of a band of two members with neither a vector loop nor other loops inside, along the second one.
pub(super) fn piece_of_row(problem: &Problem, plan: &BandPlan) -> i64 {
    let extents = extent::at(problem, Sizes::USUAL);
    let length = |s: &usize| {
        let row = &plan.band.members.last()?.get(s)?.iterators;
        (0..row.len()).rev().find(|d| row[*d] != 0).map(|d| extents[*s].values[d])
    };
    let longest = plan.nodes.iter().filter_map(length).max().unwrap_or(1);
    (longest / PIECES_OF_ROW).clamp(SCALAR_SIDE, LONGEST_PIECE)
}

/// How well each statement did in the program's own innermost loop. Beside one that branches others put what it hands on into its place: these may depend on one another in
/// a circle.
pub(crate) fn original_vectors(problem: &Problem, edges: &[Rc<Edge>]) -> BTreeMap<usize, vector::Penalty> {
    let all = || problem.statements.iter().enumerate();
    let branching: BTreeSet<usize> =
        all().filter(|(_, statement)| statement.work.branches).map(|(s, _)| problem.neighbours[s]).collect();
    let mut loops: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (s, statement) in all() {
        let first = if branching.contains(&problem.neighbours[s]) { problem.neighbours[s] } else { s };
        loops.entry((first, statement.free.len())).or_default().push(s);
    }
    let mut found = BTreeMap::new();
    for ((_, depth), nodes) in loops {
        let Some(last) = depth.checked_sub(1) else { continue };
        let row = |s: usize, at: usize| {
            let statement = &problem.statements[s];
            Row::iterator(problem.params.len(), statement.n, statement.free[at])
        };
        let member = |at: usize| nodes.iter().map(|s| (*s, row(*s, at))).collect();
        let members: Vec<Hyperplane> = (0..depth).map(member).collect();
        let own: Vec<Rc<Edge>> = crate::schedule::search::fuse::within(&nodes, edges);
        let innermost = vector::vector_loop(problem, &nodes, &own, &members, last, &Done::new());
        found.extend(innermost.penalties.into_iter().filter(|(s, _)| !innermost.asked.contains(s)));
    }
    found
}

/// Whether the domain of some statement is not a box.
pub(super) fn is_oblique(problem: &Problem, nodes: &[usize]) -> bool {
    let of_one = |row: &Row| row.iterators.iter().filter(|c| **c != 0).count() <= 1;
    let is_box =
        |s: &usize| problem.statements[*s].bounds.as_ref().is_some_and(|all| all.iter().all(|(_, row)| of_one(row)));
    !nodes.iter().all(is_box)
}

/// Whether all that a parallel loop has to respect goes forward along each member, so that tiles on a diagonal are independent: a
/// reduction that may be reordered goes both ways.
pub(super) fn is_pipelined(plan: &BandPlan) -> bool {
    plan.edges
        .iter()
        .filter(|e| e.role.asks(Demand::Coincidence))
        .all(|e| plan.band.members.iter().all(|m| e.is_respected(m)))
}

/// Whether no iteration of a loop over these statements depends on another one.
pub(super) fn are_apart(loop_: &Hyperplane, nodes: &[usize], edges: &[Rc<Edge>]) -> bool {
    let is_apart = |edge: &Rc<Edge>| {
        let asks = edge.role.asks(Demand::Order) || edge.role.asks(Demand::Coincidence) || edge.role.is_question;
        !asks || edge.is_coincident(loop_)
    };
    within(nodes, edges).iter().all(is_apart)
}

/// The names of statements.
pub(super) fn names_of<'s>(problem: &Problem, statements: impl Iterator<Item = &'s usize>) -> Vec<String> {
    statements.map(|s| problem.statements[*s].name.to_string()).collect()
}

/// Whether some of these statements run loops of their own: then the loop around them is not an innermost one, and LLVM puts none but such into vectors. Loops that run
/// side by side are put into vectors all the same.
pub(super) fn have_loops(problem: &Problem, nodes: &[usize]) -> bool {
    nodes.iter().map(|s| &problem.statements[*s].work).any(|work| work.has_loop && !work.side_by_side)
}

/// How the statements of a vector loop run in it that are asked whether they do anything, pack, or run loops of their own.
pub(super) fn in_vectors(problem: &Problem, nodes: &[usize], found: &vector::VectorLoop) -> Vec<(String, InVectors)> {
    let manner = |s: &usize| match (problem.statements[*s].work, found.asked.contains(s)) {
        (work, _) if work.side_by_side => Some(InVectors::SideBySide),
        (_, false) => None,
        (work, true) if work.packed == 0 => Some(InVectors::Asked),
        (_, true) => Some(InVectors::Packed),
    };
    let own = |s: &usize| Some((problem.statements[*s].name.to_string(), manner(s)?));
    nodes.iter().filter_map(own).collect()
}

/// LLVM writes out no loops of more iterations that have anything to do.
const MOST_WRITTEN_OUT: i64 = 32;

/// A loop over a hyperplane for the vector unit, with the mark [`OWN_VECTORS`] if each statement has as many iterations in it as fill more than half of a vector,
/// and not many more.
pub(super) fn marked_if_short(problem: &Problem, nodes: &[usize], hyperplane: &Hyperplane, found: Loops) -> Loops {
    let extents = extent::at(problem, Sizes::USUAL);
    let is_short = |s: &usize| {
        let row = &hyperplane[s].iterators;
        let mut moved = (0..row.len()).filter(|d| row[*d] != 0);
        let (Some(along), None) = (moved.next(), moved.next()) else { return false };
        let iterations = extents[*s].values[along];
        // A number of iterations may be as large as numbers are; no more is made of it before it is a small one.
        let is_small = extents[*s].is_constant[along] && iterations <= MOST_WRITTEN_OUT;
        is_small && problem.lanes(*s) < 2 * iterations
    };
    if nodes.iter().all(is_short) { Loops::Mark(OWN_VECTORS.into(), Box::new(found)) } else { found }
}
