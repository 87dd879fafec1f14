//! What time loops take, about: the program's own and those that are found, by one model, so that a transformation is made only if it pays.
//!
//! ```text
//! for y  for x { s = 0;  for a < 3  for b < 3:  s += in[y + a][x + b] * f[a][b];  out[y][x] = s; }
//! ```
//!
//! takes, for each `(y, x)`, nine loads and nine multiplications in vectors over `x`, since the loops over `a` and `b` are short enough to be written
//! out. With `x` innermost and `a`, `b` around it each product loads and stores `s` as well: three times as much.
//!
//! - *Work*: a statement in an innermost loop takes one unit for each operation and for each element that moves along the loop, loaded or
//!   stored; what stands still is in a register. Where the loop carries no dependence, a vector does as many as it has lanes; a jump through
//!   memory takes its time for each element all the same. Where it carries one, an iteration takes at least the latency of an addition, which
//!   copies of independent iterations share. Short loops of known length at the bottom are written out, by us or by LLVM.
//!   What is left of a loop behind its last whole vector, and of blocks that a slope cuts, runs one by one.
//! - *Starts*: a loop takes some time to start and to end, which is much for few iterations; one that runs once still has its bounds computed.
//! - *Lines*: of each loop whose body's data fit into a cache, every line is fetched once; of others, as often as they iterate. What fits as a whole
//!   may have been there before.
//!
//! Extents that are not constants are assumed ([`crate::schedule::model::extent`]). The model ranks; it does not predict seconds.

mod ahead;
mod iteration;

use super::costs::Costs;
use super::moving::{changes_row, elements, extents, volume};
use super::nest::{ASKED_AGAIN, Loops, Member, Unit};
use super::original::point_rows;
use crate::machine::Machine;
use crate::presburger::Id;
use crate::schedule::model::extent::Extents;
use crate::schedule::model::footprint::lines;
use crate::schedule::model::problem::{Demand, Edge, Problem};
use crate::schedule::model::reference::Reference;
use crate::schedule::search::fuse::within;
use crate::scop::tree::LoopKind;
use iteration::Pace;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Loops of at most so many iterations, with so many operations in all of them, are written out by LLVM: of which it makes vectors if the loop around is longer.
const MOST_WRITTEN_OUT: i64 = 8;
const MOST_IN_LONG: i64 = 32;
const MOST_UNITS_WRITTEN_OUT: i64 = 300;

/// In so many loops, about, a tile comes that a slope of the iteration space cuts: what is before it, along it, and behind. (Measured on small
/// Cholesky decompositions.)
const PIECES: i128 = 3;

/// Operations in the time that an instance waits, on average, where control has taken another way than the processor guessed. In rows as the program has them it guesses by
/// what came before; in pieces of rows, and among other iterations written out, it has little to guess by. (Measured on comparisons of texts in tiles.)
const GUESSED_WRONG: i128 = 64;

/// Of loops of fewer iterations it is not worth asking whether there is anything to do in them: in most of their few parts there is, and the processor runs several such
/// loops at once if each has a best of its own.
const LEAST_ASKED: i64 = 4 * ASKED_AGAIN;

/// Bytes of a page, and pages whose places the processor finds at once.
const PAGE: i64 = 4096;
const PAGES: i64 = 64;

/// For each statement, how far each of its iterators runs inside of the loops that were entered.
pub(super) type Boxes = BTreeMap<usize, Vec<i64>>;

/// What all of these loops take where the statements have these extents.
pub(crate) fn costs(problem: &Problem, loops: &Loops, extents: &[Extents]) -> Costs {
    costs_of(problem, loops, extents, (0..problem.statements.len()).collect())
}

/// What the statements in no parallel loop take, of loops that take `all`: no number of cores makes it shorter.
pub(crate) fn in_order(problem: &Problem, loops: &Loops, extents: &[Extents], all: Costs) -> Costs {
    let count = problem.statements.len();
    let nodes = loops.in_no_parallel_loop((0..count).collect());
    match nodes.len() {
        0 => Costs::default(),
        in_order if in_order == count => all,
        _ => costs_of(problem, loops, extents, nodes),
    }
}

/// What some of the statements take in these loops, without the others.
fn costs_of(problem: &Problem, loops: &Loops, extents: &[Extents], nodes: Vec<usize>) -> Costs {
    let boxes: Boxes = nodes.iter().map(|s| (*s, extents[*s].values.clone())).collect();
    let is_tiled = loops.are_tiled();
    let mut walk = Walk { problem, machine: problem.machine, extents, stored: BTreeMap::new(), is_tiled };
    for scalar in &problem.scalars {
        let touches = |s: &usize| problem.statements[*s].references.iter().any(|r| r.array == *scalar);
        let users: Vec<usize> = nodes.iter().copied().filter(touches).collect();
        let together = walk.together(loops, &users, boxes.clone());
        walk.stored.insert(scalar.clone(), together);
    }
    let work = walk.work(loops, &nodes, &boxes, &problem.edges);
    let lines = |capacity: i64, line: i64| {
        let level = Level { capacity: i128::from(capacity), line };
        let fits = walk.footprint(&nodes, &boxes, line).0 <= level.capacity;
        if fits { 0 } else { walk.lines(loops, &nodes, &boxes, level) }
    };
    let Machine { level1, level2, line, .. } = problem.machine;
    let (far_lines, near_lines) = (lines(level2, line), lines(level1, line));
    Costs { work, far_lines, near_lines, pages: lines(PAGES * PAGE, PAGE) }
}

/// A cache, or what knows where pages are.
#[derive(Clone, Copy)]
struct Level {
    /// In bytes.
    capacity: i128,
    /// Bytes of a line of it.
    line: i64,
}

pub(super) struct Walk<'p> {
    pub problem: &'p Problem,
    machine: Machine,
    pub extents: &'p [Extents],
    /// For each scalar of the program the boxes of the innermost loop around all that touches it: it needs as many elements as there are in them.
    stored: BTreeMap<Id, Boxes>,
    /// Whether there are tiles or blocks.
    is_tiled: bool,
}

impl Walk<'_> {
    /// The boxes inside of one iteration of a member, and how many iterations each statement makes of it.
    fn entered(&self, member: &Member, nodes: &[usize], boxes: &Boxes) -> (Boxes, BTreeMap<usize, i64>) {
        let mut inside = boxes.clone();
        let mut trips = BTreeMap::new();
        for s in nodes {
            let extents = inside.get_mut(s).expect("law: each statement has a box");
            let (hyperplane, size) = &member.terms[0];
            let row = &hyperplane[s].iterators;
            let moves = |d: &usize| row[*d] != 0 && extents[*d] * row[*d].abs() > *size;
            let trip = match (0..row.len()).rev().find(moves) {
                None => 1,
                Some(d) => {
                    let length = extents[d] * row[d].abs();
                    let trip = (length + size - 1) / size;
                    // The last tile is cut: what is in all of them is what there is.
                    let share = (length + trip - 1) / trip;
                    extents[d] = (share.min(*size) / row[d].abs()).max(1);
                    trip
                }
            };
            trips.insert(*s, trip);
        }
        (inside, trips)
    }

    /// The boxes inside of all loops that are around all of these statements.
    fn together(&self, loops: &Loops, users: &[usize], boxes: Boxes) -> Boxes {
        match loops {
            Loops::Leaf | Loops::Original(_) => boxes,
            Loops::Sequence(parts) => match parts.iter().find(|(own, _)| users.iter().all(|s| own.contains(s))) {
                Some((_, part)) => self.together(part, users, boxes),
                None => boxes,
            },
            Loops::Mark(_, below) | Loops::Split { whole: below, .. } => self.together(below, users, boxes),
            // What is written out one after the other hands scalars on as loops do.
            Loops::Band { members, child, .. } => {
                let entered = |boxes: Boxes, member: &Member| self.entered(member, users, &boxes).0;
                self.together(child, users, members.iter().fold(boxes, entered))
            }
        }
    }

    /// The box in which a statement's reference moves through memory, within `inside`; none if it is in a register.
    fn box_of(&self, s: usize, reference: &Reference, inside: &[i64]) -> Option<Vec<i64>> {
        let Some(stored) = self.stored.get(&reference.array) else { return Some(inside.to_vec()) };
        let stored = &stored[&s];
        let smaller = inside.iter().zip(stored).map(|(a, b)| *a.min(b)).collect();
        (elements(reference, stored) > 1).then_some(smaller)
    }

    /// Time of operations and of starts, for the instances in the boxes.
    fn work(&self, loops: &Loops, nodes: &[usize], boxes: &Boxes, edges: &[Rc<Edge>]) -> i128 {
        match loops {
            Loops::Leaf | Loops::Original(_) => nodes.iter().map(|s| self.scalar(*s, &boxes[s])).sum(),
            Loops::Sequence(parts) => {
                parts.iter().map(|(own, part)| self.work(part, &among(nodes, own), boxes, edges)).sum()
            }
            Loops::Mark(_, below) => self.work(below, nodes, boxes, edges),
            Loops::Split { sides, whole, rest, .. } => {
                let (mut num, mut den) = (1, 1);
                // Blocks that a slope of the iteration space cuts are not whole: one of each row.
                let cut = i64::from(nodes.iter().any(|s| self.is_sloped(*s)));
                for side in sides {
                    let extent = nodes.iter().map(|s| self.extent_along(*s, &side.member[s].iterators)).max();
                    let extent = extent.unwrap_or(1);
                    num *= i128::from((extent / side.size - cut).max(0) * side.size);
                    den *= i128::from(extent);
                }
                let whole = if num > 0 { self.work(whole, nodes, boxes, edges).saturating_mul(num) / den } else { 0 };
                let rest =
                    if num < den { self.work(rest, nodes, boxes, edges).saturating_mul(den - num) / den } else { 0 };
                whole.saturating_add(rest)
            }
            Loops::Band { kind: LoopKind::Unroll, child, .. } => self.work(child, nodes, boxes, edges),
            Loops::Band { members, unit, child, .. } => self.band(members, *unit, child, nodes, boxes, edges),
        }
    }

    fn band(
        &self,
        members: &[Member],
        unit: Unit,
        child: &Loops,
        nodes: &[usize],
        boxes: &Boxes,
        edges: &[Rc<Edge>],
    ) -> i128 {
        let Some((first, rest)) = members.split_first() else { return self.work(child, nodes, boxes, edges) };
        if unit == Unit::Strip {
            return self.strip(first, nodes, boxes);
        }
        let (inside, trips) = self.entered(first, nodes, boxes);
        let is_long = |s: &usize| trips[s] > MOST_IN_LONG || !self.is_known(*s, &first.terms[0].0[s].iterators);
        let most = if nodes.iter().all(is_long) { MOST_IN_LONG } else { MOST_WRITTEN_OUT };
        if self.is_written_out(rest, child, nodes, &inside, most) {
            return self.innermost(first, unit, nodes, (&inside, &trips), edges);
        }
        let left: Vec<Rc<Edge>> = match point_rows(std::slice::from_ref(first)).as_slice() {
            [] => within(nodes, edges),
            rows => within(nodes, edges).iter().filter_map(|edge| edge.restricted(rows)).collect(),
        };
        let body = |own: &[usize]| self.band(rest, unit, child, own, &inside, &left).saturating_add(Machine::OPERATION);
        in_iterations(nodes, &trips, body).saturating_add(self.start(&trips))
    }

    /// What it takes to enter a loop once, and to leave it: in tiles that a slope cuts, the loops of all pieces.
    fn start(&self, trips: &BTreeMap<usize, i64>) -> i128 {
        let iterates = trips.values().any(|trip| *trip > 1);
        let pieces = if self.is_tiled && trips.keys().any(|s| self.is_sloped(*s)) { PIECES } else { 1 };
        pieces * if iterates { self.machine.start_time() } else { self.machine.bounds_time() }
    }

    /// Whether some iterator is bounded by another, as in a triangle.
    fn is_sloped(&self, s: usize) -> bool {
        let rows = self.problem.statements[s].bounds.iter().flatten();
        rows.map(|(_, row)| row.iterators.iter().filter(|c| **c != 0).count()).any(|bounded| bounded > 1)
    }

    /// Whether nothing below is a loop: at most short ones of known length.
    fn is_written_out(&self, members: &[Member], child: &Loops, nodes: &[usize], boxes: &Boxes, most: i64) -> bool {
        let short = |member: &Member| {
            let (_, trips) = self.entered(member, nodes, boxes);
            let known = |s: &usize| trips[s] == 1 || self.is_known(*s, &member.terms[0].0[s].iterators);
            trips.values().all(|trip| *trip <= most) && nodes.iter().all(known)
        };
        let units = |s: &usize| volume(&boxes[s]).saturating_mul(self.units(*s));
        let short_enough = || nodes.iter().map(units).fold(0, i64::saturating_add) <= MOST_UNITS_WRITTEN_OUT;
        let no_loops_below = |boxes: &Boxes| match child {
            Loops::Leaf => true,
            Loops::Original(_) => nodes.iter().all(|s| boxes[s].iter().all(|extent| *extent == 1)),
            Loops::Mark(_, child) => self.is_written_out(&[], child, nodes, boxes, most),
            Loops::Sequence(parts) => {
                parts.iter().all(|(own, part)| self.is_written_out(&[], part, &among(nodes, own), boxes, most))
            }
            Loops::Split { .. } => false,
            Loops::Band { kind: LoopKind::Unroll, child, .. } => self.is_written_out(&[], child, nodes, boxes, most),
            Loops::Band { members, child, .. } => self.is_written_out(members, child, nodes, boxes, most),
        };
        match members {
            [] => no_loops_below(boxes),
            [first, rest @ ..] => {
                short(first) && short_enough() && {
                    let (inside, _) = self.entered(first, nodes, boxes);
                    self.is_written_out(rest, child, nodes, &inside, most)
                }
            }
        }
    }

    /// All iterations of an innermost loop, with the boxes of one iteration and the statements' numbers of iterations.
    fn innermost(
        &self,
        member: &Member,
        unit: Unit,
        nodes: &[usize],
        (inside, trips): (&Boxes, &BTreeMap<usize, i64>),
        edges: &[Rc<Edge>],
    ) -> i128 {
        let hyperplane = &member.terms[0].0;
        let longest = trips.values().copied().max().unwrap_or(1);
        let mut carried = match unit {
            Unit::Single => Vec::new(),
            _ => within(nodes, edges),
        };
        let is_ordered = |edge: &Edge| unit == Unit::Scalar && edge.role.asks(Demand::Order);
        carried.retain(|edge| (is_ordered(edge) || edge.role.is_question) && !edge.is_coincident(hyperplane));
        let around = nodes.iter().map(|s| self.around(*s, trips[s])).min().unwrap_or(1);
        let is_long = longest.saturating_mul(around) >= LEAST_ASKED && longest >= 2 * ASKED_AGAIN;
        // Columns are no vectors, and what is asked again in parts is in other pages than before.
        let is_column = |s: &usize| {
            let along = self.moved(*s, &hyperplane[s].iterators, &inside[s], trips[s]);
            along.is_some_and(|d| self.problem.statements[*s].references.iter().any(|r| changes_row(r, d)))
        };
        let is_asked = unit == Unit::Vector && !carried.is_empty() && is_long && !nodes.iter().any(is_column);
        let one_by_one = if is_asked { longest.min(replacing(longest) / around) } else { longest };
        let along = |s: &usize| (*s, self.moved(*s, &hyperplane[s].iterators, &inside[s], trips[s]));
        let along: Vec<(usize, Option<usize>)> = nodes.iter().map(along).collect();
        let written = self.written(&along, inside);
        let mut time = 0;
        for (s, along) in &along {
            let pace = match unit {
                _ if is_asked => Pace::Asked,
                Unit::Single => Pace::OneByOne,
                _ if carried.is_empty() => Pace::Free,
                _ => Pace::OneByOne,
            };
            let lanes = self.problem.lanes(*s);
            let rest = if trips[s] > lanes { trips[s] % lanes } else { 0 };
            for count in [trips[s] - rest, rest] {
                let one = self.iteration(*s, *along, (&inside[s], &written), count, pace);
                time = i128::saturating_add(time, i128::from(count).saturating_mul(one));
            }
            let (copies, is_piece) = (volume(&inside[s]), along.is_some_and(|d| trips[s] < self.extents[*s].values[d]));
            if (is_piece || copies > 1) && pace == Pace::OneByOne && self.problem.statements[*s].work.branches {
                let waits = i128::from(trips[s]) * i128::from(copies) * GUESSED_WRONG * Machine::OPERATION;
                time = time.saturating_add(waits);
            }
        }
        let latency = i128::from(one_by_one) * self.chain(&carried) * self.machine.latency();
        let is_block = nodes.iter().any(|s| volume(&inside[s]) > 1);
        if is_asked {
            return time.saturating_add(latency).saturating_add(self.start(trips));
        }
        if is_block || latency == 0 {
            return time.max(latency).saturating_add(self.start(trips));
        }
        match self.written_out(nodes, longest) {
            Some(all) => all.time(time, latency).saturating_add(self.machine.bounds_time()),
            None => time.max(self.beside_others(nodes, latency, longest)).saturating_add(self.start(trips)),
        }
    }

    /// How many loops of so many iterations run one after the other with the same best so far.
    fn around(&self, s: usize, trips: i64) -> i64 {
        let total = &self.extents[s].values;
        let written = self.problem.statements[s].references.iter().filter(|reference| reference.writes);
        let is_one = written.map(|reference| elements(reference, total)).all(|elements| elements == 1);
        if is_one { (volume(total) / trips.max(1)).max(1) } else { 1 }
    }

    /// Instances that are in no loop of the model's: one after the other.
    fn scalar(&self, s: usize, inside: &[i64]) -> i128 {
        i128::from(volume(inside)) * i128::from(self.units(s)) * Machine::OPERATION
    }

    /// Operations, loads and stores of an instance.
    fn units(&self, s: usize) -> i64 {
        let statement = &self.problem.statements[s];
        i64::from(statement.work.operations) + statement.references.len() as i64
    }

    /// How far a statement's iterators let a hyperplane run.
    fn extent_along(&self, s: usize, row: &[i64]) -> i64 {
        let extents = &self.extents[s].values;
        (0..row.len()).rev().find(|d| row[*d] != 0).map_or(1, |d| extents[d] * row[d].abs())
    }

    /// Whether the extent along a hyperplane is a constant.
    fn is_known(&self, s: usize, row: &[i64]) -> bool {
        (0..row.len()).filter(|d| row[*d] != 0).all(|d| self.extents[s].is_constant[d])
    }

    /// Lines that come into a cache of this capacity while all instances in the boxes run; one that is written counts double.
    fn lines(&self, loops: &Loops, nodes: &[usize], boxes: &Boxes, level: Level) -> i128 {
        let (bytes, lines) = self.footprint(nodes, boxes, level.line);
        if bytes <= level.capacity {
            return lines;
        }
        match loops {
            Loops::Leaf | Loops::Original(_) => lines,
            Loops::Sequence(parts) => {
                parts.iter().map(|(own, part)| self.lines(part, &among(nodes, own), boxes, level)).sum()
            }
            Loops::Mark(_, below) => self.lines(below, nodes, boxes, level),
            Loops::Split { whole, .. } => self.lines(whole, nodes, boxes, level),
            Loops::Band { kind: LoopKind::Unroll, child, .. } => self.lines(child, nodes, boxes, level),
            Loops::Band { members, child, .. } => self.lines_of_band(members, child, nodes, boxes, level),
        }
    }

    fn lines_of_band(&self, members: &[Member], child: &Loops, nodes: &[usize], boxes: &Boxes, level: Level) -> i128 {
        let Some((first, rest)) = members.split_first() else { return self.lines(child, nodes, boxes, level) };
        let (inside, trips) = self.entered(first, nodes, boxes);
        if self.footprint(nodes, &inside, level.line).0 <= level.capacity {
            return self.footprint(nodes, boxes, level.line).1;
        }
        in_iterations(nodes, &trips, |own| self.lines_of_band(rest, child, own, &inside, level))
    }

    /// Bytes, in whole lines, that the instances in the boxes touch; and the lines, those that are written counted twice.
    fn footprint(&self, nodes: &[usize], boxes: &Boxes, line: i64) -> (i128, i128) {
        let mut classes: BTreeMap<(&str, Vec<i64>), (i128, bool)> = BTreeMap::new();
        for s in nodes {
            for reference in &self.problem.statements[*s].references {
                let Some(inside) = self.box_of(*s, reference, &boxes[s]) else { continue };
                let extents = extents(reference, &inside);
                let lines = lines(reference, &extents, &inside, line);
                let class = classes.entry((reference.array.as_str(), extents)).or_insert((0, false));
                class.0 = class.0.max(lines);
                class.1 |= reference.writes;
            }
        }
        let bytes: i128 = classes.values().map(|(lines, _)| lines * i128::from(line)).sum();
        let moved = classes.values().map(|(lines, writes)| if *writes { 2 * lines } else { *lines }).sum();
        (bytes, moved)
    }
}

/// What all iterations of a loop take, some of whose statements may run in fewer of them: as often as the first of them ends, `body` of those that
/// are left.
fn in_iterations(nodes: &[usize], trips: &BTreeMap<usize, i64>, body: impl Fn(&[usize]) -> i128) -> i128 {
    let lengths: BTreeSet<i64> = nodes.iter().map(|s| trips[s]).collect();
    let mut sum = 0;
    let mut done = 0;
    for length in lengths {
        let left: Vec<usize> = nodes.iter().copied().filter(|s| trips[s] >= length).collect();
        sum = i128::saturating_add(sum, i128::from(length - done).saturating_mul(body(&left)));
        done = length;
    }
    sum
}

fn among(nodes: &[usize], own: &[usize]) -> Vec<usize> {
    own.iter().copied().filter(|s| nodes.contains(s)).collect()
}

/// How many of the iterations of a loop that is asked run one by one, about: in random order, one of `k` parts replaces the best of all before with a chance of one in `k`, so
/// that it is the logarithm of the number of parts.
fn replacing(iterations: i64) -> i64 {
    let doubled = i64::from((iterations / ASKED_AGAIN).max(1).ilog2());
    ASKED_AGAIN + ASKED_AGAIN * doubled * 7 / 10
}
