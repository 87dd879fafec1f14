//! The program's own loops, with the inner ones in vectors of iterations of an outer one.
//!
//! ```text
//! for i { s = c[m];  for k: s = s * x[i] + c[m - k];  y[i] = s; }
//! ```
//!
//! computes one product after the other, each of which waits for the last one. With `k` outside of `i` all of a row are computed at once, but for each `k` the
//! row comes from memory and goes back there. In strips of `i`,
//!
//! ```text
//! for i/32 { for i (vector): s[i] = c[m];  for k { for i (vector): s[i] = s[i] * x[i] + c[m - k] }  for i (vector): y[i] = s[i]; }
//! ```
//!
//! what a strip works on is in vector registers from the first `k` to the last, and each `s[i]` still comes about in the order of `k`: LLVM writes a loop out that has as
//! many iterations as a few vectors have lanes. This is how Nuzman and Zaks put outer loops into vectors ("Outer-loop Vectorization - Revisited for Short SIMD
//! Architectures", PACT 2008). Behind the last whole strip the loops are as the program has them, so that few iterations take what they took.
//!
//! It is done where something is carried so, data does not decide which instances write (of a vector of which one element does, all take their time), no iteration of the outer loop depends on another one, every element that is touched stands still along it or is next to the last one, and how far the
//! inner loops run is the same in all of its iterations. Whether it pays says [`super::time`].

use super::bands;
use super::block::Side;
use super::costs::{chained, vector_time};
use super::moving::{Step, step};
use super::nest::{First, Loops, Member, OWN_VECTORS, Unit, around, strip_mark};
use super::original::{Outer, has_no_loops, with_outer_ones};
use super::tile::Account;
use super::time::{Boxes, Walk};
use crate::machine::Machine;
use crate::presburger::{ConstraintKind, Id};
use crate::schedule::model::extent::{self, Sizes};
use crate::schedule::model::problem::{Edge, Hyperplane, Problem, Row};
use crate::schedule::model::reference::Reference;
use crate::schedule::model::vector::is_consecutive;
use crate::schedule::transformation::{Arranged, Shape, Transformation};
use crate::scop::tree::LoopKind;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Vectors of all that is carried from one iteration of inner loops to the next: as many as can be computed while the first one of them waits for its last result, in
/// half of the registers.
const MOST_CARRIED: i64 = 8;

/// Of so many operations, each of which waits for the last one, tests before the loops take less than a tenth: whoever has that many in loops that are long enough
/// for strips need not have more.
pub(crate) const WORTH_A_TEST: i128 = 256;

/// The program's loops with strips wherever they can be; none if they can be nowhere.
pub(crate) fn loops(problem: &Problem, own: &Loops) -> Option<(Loops, Account)> {
    let nodes: Vec<usize> = (0..problem.statements.len()).collect();
    let mut builder = Builder { problem, account: Account::default() };
    let strips = &mut |loop_: &Hyperplane, outer: &Outer<'_>| builder.in_strips(loop_, outer);
    let loops = with_outer_ones(own, &[Unit::Scalar], (&nodes, &problem.edges), strips)?;
    Some((loops, builder.account))
}

struct Builder<'p> {
    problem: &'p Problem,
    account: Account,
}

impl Builder<'_> {
    /// The loop in strips, if there can be some of it.
    fn in_strips(&mut self, loop_: &Hyperplane, outer: &Outer<'_>) -> Option<Loops> {
        let Outer { band, child, nodes, edges } = *outer;
        let d = self.iterator(loop_, nodes, edges).filter(|d| self.carried(nodes, *d, 1) > 0)?;
        Some(self.strips(loop_, d, band, child, nodes))
    }

    /// The iterator that a loop counts for all statements, if there can be strips of it.
    fn iterator(&self, loop_: &Hyperplane, nodes: &[usize], edges: &[Rc<Edge>]) -> Option<usize> {
        let first = &loop_.get(nodes.first()?)?.iterators;
        let d = first.iter().position(|x| *x != 0)?;
        let bounds: Option<BTreeSet<_>> = nodes.iter().map(|s| self.bounds(*s, d)).collect();
        let is_counted = |s: &usize| {
            let row = &loop_[s].iterators;
            row.get(d) == Some(&1) && row.iter().filter(|x| **x != 0).count() == 1
        };
        let fits = bounds.is_some_and(|all| all.len() == 1)
            && nodes.iter().all(|s| is_counted(s) && self.is_smooth(*s, d))
            && bands::are_apart(loop_, nodes, edges);
        fits.then_some(d)
    }

    /// Whether vectors of instances along an iterator are nothing but operations on vectors of neighbours.
    fn is_smooth(&self, s: usize, d: usize) -> bool {
        let statement = &self.problem.statements[s];
        let work = &statement.work;
        let along = self.step(s, d);
        let is_next = |r: &Reference| {
            let is_near = self.problem.scalars.contains(&r.array) || r.strides.last() == Some(&Some(r.size as i64));
            let moves = |movement: &[i64]| movement.iter().any(|x| *x != 0);
            !r.is_anywhere && r.movement(&along).is_some_and(|m| is_consecutive(&m) && (is_near || !moves(&m)))
        };
        work.is_straight() && self.problem.lanes(s) > 1 && statement.references.iter().all(is_next)
    }

    /// One step of a statement's iterator, all others standing still.
    fn step(&self, s: usize, d: usize) -> Vec<i64> {
        (0..self.problem.statements[s].n).map(|at| i64::from(at == d)).collect()
    }

    /// What bounds an iterator of a statement; none if that differs between iterations of inner loops.
    fn bounds(&self, s: usize, d: usize) -> Option<BTreeSet<Row>> {
        let bounds = self.problem.statements[s].bounds.as_ref()?;
        let along = bounds.iter().filter(|(_, row)| row.iterators[d] != 0);
        along
            .map(|(kind, row)| {
                let (outer, inner) = row.iterators.split_at(d + 1);
                let is_same = *kind == ConstraintKind::Inequality && inner.iter().all(|x| *x == 0);
                is_same.then(|| Row { iterators: outer.to_vec(), ..row.clone() })
            })
            .collect()
    }

    /// The loop in strips of several vectors, what is left of it in strips of one, and what is left then as it is.
    fn strips(&mut self, loop_: &Hyperplane, d: usize, own: &Loops, child: &Loops, nodes: &[usize]) -> Loops {
        let lanes = nodes.iter().map(|s| self.problem.lanes(*s)).max().unwrap_or(1);
        let carried = self.carried(nodes, d, lanes).max(1);
        let size = self.even(nodes, d, (lanes, lanes * (MOST_CARRIED / carried).max(1)));
        let name = nodes.iter().max_by_key(|s| self.problem.statements[**s].free.len());
        let name = name.map_or_else(String::new, |s| self.problem.text(*s, &loop_[s]));
        self.account.bands.push(Transformation::Loops(Arranged {
            statements: bands::names_of(self.problem, nodes.iter()),
            loops: vec![name.clone()],
            vector: Some(name),
            ..Arranged::of(Shape::Strips(size))
        }));
        self.account.has_parallel = true;
        self.account.has_tiles = true;
        self.account.vectors.extend(nodes.iter().map(|s| (*s, 0)));
        let along = |s: &usize| (*s, self.step(*s, d));
        let of_size = |size: i64, rest: Loops| {
            let sides = vec![Side::straight(loop_.clone(), size, nodes.iter().map(along).collect())];
            let (whole, rest) = (Box::new(Vectors { loop_, lanes }.in_all(child)), Box::new(rest));
            let split = Loops::Split { sides, whole, rest, first: First::Whole };
            around(vec![Member { terms: vec![(loop_.clone(), size)], coincident: true }], split)
        };
        let of_one = of_size(lanes.min(size), own.clone());
        if size <= lanes { of_one } else { of_size(size, of_one) }
    }

    /// The size of strips of whole vectors, of at most so many iterations. Where it is known how many there are, few of them are one strip: what fills no vector waits beside those
    /// that are full. More of them are strips of about one size, so that what is left behind the last one is little.
    fn even(&self, nodes: &[usize], d: usize, (lanes, most): (i64, i64)) -> i64 {
        let extents = extent::at(self.problem, Sizes::USUAL);
        let known = |s: &usize| extents[*s].is_constant[d].then_some(extents[*s].values[d]);
        match nodes.iter().map(known).max().flatten() {
            Some(all) if all <= 1 => most,
            Some(all) if all <= most => all,
            Some(all) => (all / ((all + most - 1) / most) / lanes * lanes).max(lanes),
            None => most,
        }
    }

    /// How many vectors are carried from one iteration of inner loops to the next for so many iterations of the loop that counts `d`.
    fn carried(&self, nodes: &[usize], d: usize, iterations: i64) -> i64 {
        let is_carried = |r: &&Reference, n: usize| {
            r.writes
                && matches!(step(r, d), Step::Next)
                && (d + 1..n).next_back().is_some_and(|at| matches!(step(r, at), Step::Still))
        };
        let of_statement = |s: &usize| {
            let statement = &self.problem.statements[*s];
            statement.references.iter().filter(move |r| is_carried(r, statement.n)).map(|r| (&r.array, r.size as i64))
        };
        let arrays: BTreeSet<(&Id, i64)> = nodes.iter().flat_map(of_statement).collect();
        arrays.iter().map(|(_, size)| (iterations / self.problem.machine.lanes(*size)).max(1)).sum()
    }
}

/// A loop, to be the innermost one, and how many of its iterations are a vector.
#[derive(Clone, Copy)]
struct Vectors<'a> {
    loop_: &'a Hyperplane,
    lanes: i64,
}

impl Vectors<'_> {
    /// The loops inside of a loop, with that innermost.
    fn in_all(self, loops: &Loops) -> Loops {
        match loops {
            Loops::Sequence(parts) => {
                let groups = parts.chunk_by(|(_, a), (_, b)| has_no_loops(a) && has_no_loops(b));
                let group = |parts: &[(Vec<usize>, Loops)]| {
                    let nodes: Vec<usize> = parts.iter().flat_map(|(own, _)| own.iter().copied()).collect();
                    let loops = match parts {
                        [(_, part)] => self.in_all(part),
                        several => self.around(Loops::Sequence(several.to_vec())),
                    };
                    (nodes, loops)
                };
                let mut groups: Vec<(Vec<usize>, Loops)> = groups.map(group).collect();
                if groups.len() == 1 { groups.remove(0).1 } else { Loops::Sequence(groups) }
            }
            Loops::Band { members, permutable, kind, child, .. } => {
                let (members, child) = (members.clone(), Box::new(self.in_all(child)));
                Loops::Band { members, permutable: *permutable, unit: Unit::Scalar, kind: *kind, child }
            }
            Loops::Mark(text, below) => Loops::Mark(text.clone(), Box::new(self.in_all(below))),
            Loops::Leaf | Loops::Original(_) | Loops::Split { .. } => self.around(loops.clone()),
        }
    }

    fn around(self, child: Loops) -> Loops {
        let members = vec![Member { terms: vec![(self.loop_.clone(), 1)], coincident: true }];
        let (kind, child) = (LoopKind::Default, Box::new(child));
        let vectors = Loops::Band { members, permutable: true, unit: Unit::Strip, kind, child };
        Loops::Mark(OWN_VECTORS.into(), Box::new(Loops::Mark(strip_mark(self.lanes), Box::new(vectors))))
    }
}

impl Walk<'_> {
    /// What one strip takes, in an iteration of the loops around: what stands still along the innermost of these is in registers.
    pub(super) fn strip(&self, strip: &Member, nodes: &[usize], boxes: &Boxes) -> i128 {
        nodes.iter().map(|s| self.strip_of(*s, &strip.terms[0].0[s].iterators, &boxes[s])).sum()
    }

    fn strip_of(&self, s: usize, row: &[i64], inside: &[i64]) -> i128 {
        let (statement, total) = (&self.problem.statements[s], &self.extents[s].values);
        let Some(d) = row.iter().position(|x| *x != 0) else { return 0 };
        let lanes = self.problem.lanes(s);
        let vectors = i128::from((inside[d] + lanes - 1) / lanes);
        let around = (d + 1..inside.len()).rev().find(|at| inside[*at] < total[*at]);
        let moves = |at: usize, r| !matches!(step(r, at), Step::Still);
        let accessed = statement.references.iter().filter(|r| around.is_none_or(|at| moves(at, r)));
        let accesses: i128 = accessed.map(|r| if moves(d, r) { vectors } else { 1 }).sum();
        let work = &statement.work;
        let computed =
            (Machine::OPERATION * i128::from(work.operations) * vectors).max(vector_time(work) * i128::from(inside[d]));
        let waits = around.is_some_and(|at| statement.references.iter().any(|r| r.writes && !moves(at, r)));
        let latency =
            if waits && work.is_float { chained(work.operations) * self.problem.machine.latency() } else { 0 };
        (computed + Machine::OPERATION * accesses).max(latency)
    }
}
