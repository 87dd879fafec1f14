//! Loops for the vector unit of statements that cannot run in one as they stand.
//!
//! ```text
//! for i { S: a[i] *= c[i];  T: b[i] += a[i + 1] * d[i]; }        one loop, T before S
//! for i { S: a[i] = b[i - 1] + b[i - 2];  T: b[i] = d[i]; }      for strips of i { for i: T;  for i: S }
//! ```
//!
//! What `T` has read is overwritten one iteration later: a vector of `T` may come before the same vector of `S`, as LLVM sees where the statements stand in that
//! order. What `T` has written and is read one iteration later must be in memory before vectors of `S` read it: that takes a loop for each. Between them what both
//! touch leaves the cache, unless they take turns, a strip of iterations each.

use super::block::Blocks;
use super::nest::{Loops, Member, Surroundings, point};
use crate::schedule::Options;
use crate::schedule::model::problem::{Demand, Edge};
use crate::schedule::model::vector::VectorLoop;
use crate::schedule::search::fuse::within;
use crate::schedule::search::plan::{BandPlan, Plan, left_by, order_within_iteration};
use std::rc::Rc;

/// Which statements share a loop, and what orders them in it.
pub(super) struct Apart {
    /// The loops, one after the other.
    pub loops: Vec<Vec<usize>>,
    /// What is left within one iteration.
    left: Vec<Rc<Edge>>,
    carried: Vec<Rc<Edge>>,
}

/// Whether loops may be shared that then carry something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Threads are to share each of them.
    Free,
    Ordered,
}

/// Whether loops may be shared in this place: threads share none that carries anything, and no blocks were tried in such.
pub(super) fn sharing(options: &Options, place: Surroundings, blocks: &Blocks) -> Sharing {
    let is_free = !blocks.jam.is_empty() || options.is_parallel() && place != Surroundings::ParallelLoop;
    if is_free { Sharing::Free } else { Sharing::Ordered }
}

/// Whether a nest of one loop becomes several, which take turns.
pub(super) fn take_turns(options: &Options, plan: &BandPlan, found: &VectorLoop, place: Surroundings) -> bool {
    plan.band.members.len() == 1
        && place == Surroundings::NoLoop
        && !options.is_parallel()
        && !found.is_fusible
        && found.asked.is_empty()
        && Apart::of(plan, found, Sharing::Ordered).loops.len() > 1
}

/// Whether a loop over these statements carries nothing. Who is asked whether there is anything to do runs in order where there is.
pub(super) fn is_coincident(plan: &BandPlan, v: usize, found: &VectorLoop, nodes: &[usize]) -> bool {
    let is_free = |s: &usize| found.penalties.contains_key(s) && !found.asked.contains(s);
    let is_shared = plan.band.coincident[v] && nodes.iter().all(|s| found.asked.contains(s));
    found.is_fusible || is_shared || (nodes.iter().all(is_free) && found.is_free(nodes))
}

/// The members whose values are written out.
pub(super) fn jammed(plan: &BandPlan, blocks: &Blocks) -> Vec<Member> {
    blocks.jam.iter().map(|(m, _)| point(&plan.band.members[*m], plan.band.coincident[*m])).collect()
}

pub(super) fn one_after_the_other(mut parts: Vec<(Vec<usize>, Loops)>) -> Loops {
    match parts.pop() {
        Some((_, only)) if parts.is_empty() => only,
        last => Loops::Sequence(parts.into_iter().chain(last).collect()),
    }
}

impl Apart {
    /// The vector loops of a band that has them one after the other.
    pub fn of(plan: &BandPlan, found: &VectorLoop, sharing: Sharing) -> Apart {
        let left = left_by(&plan.edges, &plan.band.members.iter().collect::<Vec<_>>());
        let carried = found.carried.clone();
        let mut apart = Apart { loops: found.components.clone(), left, carried };
        if sharing == Sharing::Ordered {
            apart.loops = apart.shared(found);
        }
        apart
    }

    /// The components, those in one that can share a loop of which vectors are made.
    fn shared(&self, found: &VectorLoop) -> Vec<Vec<usize>> {
        let in_vectors =
            |nodes: &[usize]| nodes.iter().all(|s| found.penalties.contains_key(s) && !found.asked.contains(s));
        let mut loops: Vec<Vec<usize>> = Vec::new();
        for component in &found.components {
            let can_share = |before: &&mut Vec<usize>| {
                let crosses = |edge: &&Rc<Edge>| before.contains(&edge.source) && component.contains(&edge.sink);
                let is_read_later = |edge: &Rc<Edge>| edge.role.asks(Demand::Nearness);
                in_vectors(before)
                    && in_vectors(component)
                    && self.left.iter().chain(&self.carried).any(|edge| crosses(&edge))
                    && !self.carried.iter().filter(crosses).any(is_read_later)
            };
            match loops.last_mut().filter(can_share) {
                Some(before) => before.extend(component),
                None => loops.push(component.clone()),
            }
        }
        loops
    }

    /// The order of the statements of one of the loops in an iteration.
    pub fn order(&self, nodes: &[usize], found: &VectorLoop) -> Plan {
        let mut edges = within(nodes, &self.left);
        if !found.components.iter().any(|component| nodes.iter().all(|s| component.contains(s))) {
            edges.extend(within(nodes, &self.carried).into_iter().filter(|edge| edge.source != edge.sink));
        }
        order_within_iteration(nodes, &edges)
    }
}
