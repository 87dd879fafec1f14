//! Which components share their loops.
//!
//! `for i: S: a[i] = ...;  for i: T: b[i] = a[i]` had better be one loop, for then `a` comes from memory once; as long as nothing better is lost: a
//! parallel loop, a loop for the vector unit, a deep band to tile. Components of the dependence graph start apart, each with the band it would
//! have alone; two of them are joined when some datum goes from one to the other, the band they would have together is as deep as each of the two (a
//! statement of a shallower nest would have to be guarded, or peeled off, in every tile), and their loops together take less time than apart
//! ([`Group::time`]), of which there are three parts:
//!
//! - operations: a statement in a vector loop takes as much less time as a vector holds elements, more for each reference that jumps;
//! - memory: what statements touch, in lines ([`crate::schedule::model::footprint`]); what both touch counts once if the datum that they share is used within a
//!   bounded distance on each member, without a shift by a parameter (such loops would run one after the other all the same);
//! - parallelism: the time of a band with coincident loops is divided among cores, that of a pipelined one among fewer.
//!
//! The first join that pays is made, and so on until there is none. This is isl's clustering (Verdoolaege and Janssens 2017) with a model of cost.
//! Extents of loops are not known here and taken to be all the same ([`EXTENT`]): short loops around long ones are judged as long ones.

use super::band::{self, Band};
use crate::machine::Machine;
use crate::presburger::Id;
use crate::schedule::model::footprint::Footprint;
use crate::schedule::model::graph::{components, is_acyclic};
use crate::schedule::model::problem::{Demand, Done, Edge, Problem};
use crate::schedule::model::vector::{Penalty, best_member};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is assumed of the extent of a loop.
const EXTENT: i64 = 1024;
/// What each reference that jumps adds to the time of a statement in a vector loop.
const JUMP_TIME: i128 = Machine::OPERATION / 4;

/// A group larger than this is not joined with others: its integer programs would cost more than the joined loops gain.
pub(crate) const LARGEST_GROUP: usize = 12;
/// Joins that are tried, for each component.
const TRIALS_PER_COMPONENT: usize = 4;

/// How far fusion goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// Each component has its own loops.
    Never,
    /// Where the model says that it pays.
    #[default]
    Model,
    /// Wherever bands of the same depth touch the same data.
    Always,
}

/// Pairs of groups, by their statements, that are not to be joined.
type Refused = BTreeSet<(Vec<usize>, Vec<usize>)>;

/// Statements that share a band.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The statements.
    pub nodes: Vec<usize>,
    /// Their band; without members if none was found.
    pub band: Band,
    penalties: BTreeMap<usize, Penalty>,
    footprint: Footprint,
}

/// The groups of the statements under `edges`, in an order that follows the dependences.
pub(crate) fn groups(
    problem: &Problem,
    nodes: &[usize],
    edges: &[Rc<Edge>],
    done: &Done,
    fusion: Fusion,
) -> Vec<Group> {
    let ordered = edges.iter().filter(|e| e.role.asks(Demand::Order));
    let arrows: BTreeSet<(usize, usize)> = ordered.map(|e| (e.source, e.sink)).collect();
    let parts = components(nodes, arrows.iter().copied().chain(problem.bonds()));
    let mut groups: Vec<Group> = parts.iter().map(|part| Group::of(problem, part.clone(), edges, done)).collect();
    let mut trials = if fusion == Fusion::Never { 0 } else { TRIALS_PER_COMPONENT * groups.len() };
    let mut join_all = |next: &dyn Fn(&[Group], &Refused) -> Option<(usize, usize)>,
                        join: &dyn Fn(&Group, &Group) -> Option<Group>| {
        let mut refused = Refused::new();
        while trials > 0
            && let Some((a, b)) = next(&groups, &refused)
        {
            trials -= 1;
            match join(&groups[a], &groups[b]) {
                Some(joined) => {
                    groups[a] = joined;
                    groups.remove(b);
                }
                None => {
                    refused.insert((groups[a].nodes.clone(), groups[b].nodes.clone()));
                }
            }
        }
    };
    join_all(&|groups, refused| kept_in_steps(problem, groups, edges, &arrows, refused), &|a, b| {
        in_one_step(problem, [a, b], edges, done)
    });
    join_all(&|groups, refused| next_pair(problem, groups, edges, &arrows, refused), &|a, b| {
        join(problem, a, b, edges, done, fusion)
    });
    let sets = groups.iter().map(|g| g.nodes.clone()).collect();
    let order = crate::schedule::model::graph::order(sets, &arrows);
    groups.sort_by_key(|g| order.iter().position(|nodes| *nodes == g.nodes));
    groups
}

/// The edges with both ends among the nodes.
pub(crate) fn within(nodes: &[usize], edges: &[Rc<Edge>]) -> Vec<Rc<Edge>> {
    edges.iter().filter(|e| nodes.contains(&e.source) && nodes.contains(&e.sink)).cloned().collect()
}

/// The first pair of groups that a datum connects and that no path through a third group keeps apart.
fn next_pair(
    problem: &Problem,
    groups: &[Group],
    edges: &[Rc<Edge>],
    arrows: &BTreeSet<(usize, usize)>,
    refused: &Refused,
) -> Option<(usize, usize)> {
    for a in 0..groups.len() {
        for b in a + 1..groups.len() {
            let (x, y) = (&groups[a], &groups[b]);
            let too_large = x.nodes.len() + y.nodes.len() > LARGEST_GROUP;
            let no_band = x.band.members.is_empty() || y.band.members.is_empty();
            if too_large
                || no_band
                || !connected(problem, x, y, edges)
                || refused.contains(&(x.nodes.clone(), y.nodes.clone()))
            {
                continue;
            }
            if stays_acyclic(groups, (a, b), arrows) {
                return Some((a, b));
            }
        }
    }
    None
}

/// Whether no path through a third group keeps two groups apart.
fn stays_acyclic(groups: &[Group], (a, b): (usize, usize), arrows: &BTreeSet<(usize, usize)>) -> bool {
    let mut joined: Vec<Vec<usize>> = groups.iter().map(|group| group.nodes.clone()).collect();
    let moved = joined.remove(b);
    joined[a].extend(moved);
    is_acyclic(&joined, arrows)
}

/// The first pair of groups between which scalars go, and of which one runs in steps, its outermost loop in order: apart, all values of the scalars, of all steps,
/// would have to be kept.
fn kept_in_steps(
    problem: &Problem,
    groups: &[Group],
    edges: &[Rc<Edge>],
    arrows: &BTreeSet<(usize, usize)>,
    refused: &Refused,
) -> Option<(usize, usize)> {
    let mut pairs = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)));
    pairs.find(|(a, b)| {
        let (x, y) = (&groups[*a], &groups[*b]);
        let is_too_large = x.nodes.len() + y.nodes.len() > LARGEST_GROUP;
        let may_join = !is_too_large && (x.runs_in_steps() || y.runs_in_steps());
        if !may_join || !edges.iter().any(|e| crosses(e, x, y) && is_by_scalar(problem, e)) {
            return false;
        }
        !refused.contains(&(x.nodes.clone(), y.nodes.clone())) && stays_acyclic(groups, (*a, *b), arrows)
    })
}

/// Both groups with one loop over the steps, if no loop to tile is lost and they are near each other in it.
fn in_one_step(problem: &Problem, [a, b]: [&Group; 2], edges: &[Rc<Edge>], done: &Done) -> Option<Group> {
    let mut nodes = [a.nodes.clone(), b.nodes.clone()].concat();
    nodes.sort_unstable();
    let joined = Group::of(problem, nodes, edges, done);
    let depth = [a, b].into_iter().filter(|group| group.runs_in_steps()).map(|group| group.band.members.len()).max();
    let is_near = || edges.iter().filter(|e| crosses(e, a, b)).all(|e| joined.keeps_near(e));
    (Some(joined.band.members.len()) >= depth && is_near()).then_some(joined)
}

/// Whether a value goes along the edge in a register of the program.
fn is_by_scalar(problem: &Problem, edge: &Edge) -> bool {
    let [source, sink] = [edge.source, edge.sink].map(|s| &problem.statements[s].references);
    let written = source.iter().filter(|r| r.writes && problem.scalars.contains(&r.array));
    let is_read = |array: &Id| sink.iter().any(|r| !r.writes && r.array == *array);
    edge.role.asks(Demand::Nearness) && written.map(|r| &r.array).any(is_read)
}

/// Whether a datum goes from one to the other, or one overwrites what the other has read or written in the same loop of the program, or both write there, in all the same iterations, what is side by side: the members of a structure.
fn connected(problem: &Problem, a: &Group, b: &Group, edges: &[Rc<Edge>]) -> bool {
    let share_loop = |s: usize, t: usize| problem.neighbours[s] == problem.neighbours[t];
    let is_near = |e: &Edge| e.role.asks(Demand::Nearness) || share_loop(e.source, e.sink);
    let bounds = |s: usize| problem.statements[s].bounds.as_ref();
    let are_together = |s: usize, t: usize| bounds(s).is_some() && bounds(s) == bounds(t);
    let written = |s: usize| problem.statements[s].references.iter().filter(|reference| reference.writes);
    let beside = |s: usize, t: usize| written(s).any(|own| written(t).any(|other| own.moves_like(other)));
    edges.iter().any(|e| is_near(e) && crosses(e, a, b))
        || a.nodes.iter().any(|s| b.nodes.iter().any(|t| share_loop(*s, *t) && are_together(*s, *t) && beside(*s, *t)))
}

fn crosses(edge: &Edge, a: &Group, b: &Group) -> bool {
    let (from_a, to_a) = (a.nodes.contains(&edge.source), a.nodes.contains(&edge.sink));
    let (from_b, to_b) = (b.nodes.contains(&edge.source), b.nodes.contains(&edge.sink));
    (from_a && to_b) || (from_b && to_a)
}

fn join(problem: &Problem, a: &Group, b: &Group, edges: &[Rc<Edge>], done: &Done, fusion: Fusion) -> Option<Group> {
    let mut nodes = [a.nodes.clone(), b.nodes.clone()].concat();
    nodes.sort_unstable();
    let joined = Group::of(problem, nodes, edges, done);
    let depth = joined.band.members.len();
    if depth != a.band.members.len() || depth != b.band.members.len() {
        return None;
    }
    let crossing = |e: &&Rc<Edge>| crosses(e, a, b);
    let has_datum = edges.iter().filter(crossing).any(|e| e.role.asks(Demand::Nearness));
    let counts = |e: &&Rc<Edge>| crossing(e) && (e.role.asks(Demand::Nearness) || !has_datum);
    let near = edges.iter().filter(counts).all(|e| joined.keeps_near(e));
    let pays = near && joined.time(problem) < a.time(problem) + b.time(problem);
    (pays || fusion == Fusion::Always).then_some(joined)
}

impl Group {
    fn of(problem: &Problem, nodes: Vec<usize>, edges: &[Rc<Edge>], done: &Done) -> Group {
        let edges = within(&nodes, edges);
        let band = band::band(problem, &nodes, &edges, done);
        let vector = best_member(problem, &nodes, &edges, &band.members, done);
        let penalties = vector.map(|(_, found)| found.penalties).unwrap_or_default();
        let footprint = Footprint::of(problem, &nodes, &band.members, done);
        Group { nodes, band, penalties, footprint }
    }

    /// The time that its loops take, in sixteenths of an operation on one core.
    fn time(&self, problem: &Problem) -> i128 {
        let depth = self.band.members.len();
        let instances = |s: &usize| i128::from(EXTENT).pow(problem.statements[*s].free.len().min(depth) as u32);
        let operation = |s: &usize| match self.penalties.get(s) {
            Some(jumps) => Machine::OPERATION / i128::from(problem.lanes(*s)) + JUMP_TIME * i128::from(*jumps),
            None => Machine::OPERATION,
        };
        let operations: i128 = self.nodes.iter().map(|s| instances(s) * operation(s)).sum();
        let time = operations + self.footprint.time(&vec![EXTENT; depth]);
        match (self.coincident(), depth) {
            (0, 0 | 1) => time,
            (0, _) => time / i128::from(problem.machine.pipelined_cores()),
            _ => time / i128::from(problem.machine.cores),
        }
    }

    fn runs_in_steps(&self) -> bool {
        self.band.coincident.first() == Some(&false)
    }

    fn coincident(&self) -> usize {
        self.band.coincident.iter().take_while(|c| **c).count()
    }

    fn keeps_near(&self, edge: &Edge) -> bool {
        self.band.members.iter().all(|member| {
            let shifted = member[&edge.source].params != member[&edge.sink].params;
            !shifted && edge.is_bounded(member)
        })
    }
}
