//! Bands without a parallel loop, as pipelines.
//!
//! ```text
//! for i  for j  a[i][j] = f(a[i - 1][j], a[i][j - 1])      for j/32  [threads share i]  for i  for j  a[i][j] = ...
//! ```
//!
//! Each thread has a piece of the rows, in which it stays; what it waits for is that the thread before has come through the same 32 columns. A wavefront of
//! tiles starts and ends the threads once for each diagonal, and a tile is another thread's each time. The price is that the last thread begins when the
//! others have been through the first columns one after the other: so there must be many such steps, each with enough to do that it is not long waited for.
//!
//! Weakness: how long steps are depends on what is assumed of the loops, not on how long they are; and no member is skewed for a pipeline: bands that need
//! that stay wavefronts.

use super::bands::{is_oblique, is_pipelined, is_skewed};
use super::nest::{Loops, Member, Unit, around, in_order};
use crate::schedule::model::extent::{self, Sizes};
use crate::schedule::model::problem::{Problem, Row};
use crate::schedule::search::plan::BandPlan;
use crate::scop::marks::PIPELINE;
use crate::scop::tree::LoopKind;

/// Operations of one iteration of the shared loop in one step: what comes before and behind the loops inside is little against them.
const STEP: i64 = 1024;

/// The longest step. Where an iteration does so little that steps would be longer, its rows are read for the most part: a step of some of them, in each row, comes
/// to another page each time, and is slower than the row as a whole. (Measured on the comparison of two texts, up to five times.)
const LONGEST: i64 = 32;

/// Of fewer steps the last thread waits for too much of the time. (Two threads are idle for a step each.)
const FEWEST: i64 = 6;

/// Fewer iterations are not worth a thread's waiting for another one.
const FEWEST_SHARED: i64 = 8;

/// How many iterations of the second member are a step, if the band can be a pipeline and is worth it.
pub(super) fn step(problem: &Problem, plan: &BandPlan) -> Option<i64> {
    let (first, second) = (plan.band.members.first()?, plan.band.members.get(1)?);
    let is_bound = plan.permutable && !plan.band.coincident[..2].contains(&true) && is_pipelined(plan);
    if !is_bound || is_skewed(problem, &plan.band) || is_oblique(problem, &plan.nodes) {
        return None;
    }
    let along = |s: &usize| Some([alone(&first[s])?, alone(&second[s])?]);
    let moved = plan.nodes.iter().map(|s| Some((*s, along(s)?))).collect::<Option<Vec<_>>>()?;
    worthwhile(problem, &moved, 0)
}

/// How many iterations of a second loop are a step, if threads that share the first one are worth it. Of each statement it is told which iterators the two are;
/// the first so many are those of loops around them.
pub(in crate::schedule) fn worthwhile(
    problem: &Problem,
    moved: &[(usize, [Option<usize>; 2])],
    outside: usize,
) -> Option<i64> {
    let extents = extent::at(problem, Sizes::USUAL);
    let operations = |(s, along): &(usize, [Option<usize>; 2])| {
        let inside = (outside..problem.statements[*s].n).filter(|d| !along.contains(&Some(*d)));
        let own = i64::from(problem.statements[*s].work.operations.max(1));
        inside.map(|d| extents[*s].values[d]).fold(own, i64::saturating_mul)
    };
    let longest =
        |at: usize| moved.iter().filter_map(|(s, along)| Some(extents[*s].values[along[at]?])).max().unwrap_or(1);
    let all = moved.iter().map(operations).fold(0, i64::saturating_add);
    let wanted = (STEP / all.max(1)).max(1);
    let step = wanted.min(longest(1) / FEWEST);
    (wanted <= LONGEST && step > 0 && longest(0) >= FEWEST_SHARED).then_some(step)
}

/// Steps of the second member, with the first one shared in each, around the others.
pub(super) fn loops(plan: &BandPlan, step: i64, below: Loops) -> Loops {
    let members = &plan.band.members;
    let steps = Member { terms: vec![(members[1].clone(), step)], coincident: false };
    let points = members[1..].iter().map(in_order).collect();
    let child = Box::new(around(points, below));
    let shared = vec![steps, in_order(&members[0])];
    let band = Loops::Band { members: shared, permutable: true, unit: Unit::Scalar, kind: LoopKind::Atomic, child };
    Loops::Mark(PIPELINE.into(), Box::new(band))
}

/// The one iterator that a row counts, in one direction or the other; none inside if it is a constant.
fn alone(row: &Row) -> Option<Option<usize>> {
    let mut moved = (0..row.iterators.len()).filter(|d| row.iterators[*d] != 0);
    let (along, more) = (moved.next(), moved.next());
    let is_plain = along.is_none_or(|d| row.iterators[d].abs() == 1);
    (is_plain && more.is_none()).then_some(along)
}
