//! What one iteration of an innermost loop takes.
//!
//! In `for i { b[i] = 2 * a[i]; }` with vectors of eight elements it is an eighth of an operation, a load and a store. With `a[3 * i]` three vectors are loaded and sorted into one; with
//! `b[3 * i]` each element is stored by itself, unless other statements of the loop store those between. With `a[99 * i]` each is loaded by itself and put into its place.

use super::{Boxes, Walk};
use crate::machine::Machine;
use crate::presburger::Id;
use crate::schedule::loops::costs::vector_time;
use crate::schedule::loops::moving::{Interleaved, Step, elements, interleaved, step, volume};
use crate::schedule::model::reference::Reference;
use std::collections::BTreeMap;

/// Operations in the time of an element of a vector that is not beside its neighbour: loaded by itself and put into its place.
const JUMP: i128 = 3;

/// Operations in the time of an element of vectors that are beside one another, and are sorted into others: all first ones, all second ones.
const SORTED: i128 = 2;

/// LLVM sorts elements of one vector out of at most so many (the limit of its vectorizer on interleaved groups).
const MOST_SORTED: i64 = 8;

/// How the iterations of an innermost loop follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    OneByOne,
    /// In vectors, if that can be.
    Free,
    /// In vectors, as long as they have nothing to do.
    Asked,
}

/// What all statements of an innermost loop write in one iteration, by array and stride: the elements, from the first to the last of each reference.
#[derive(Default)]
pub(super) struct Written<'p>(BTreeMap<(&'p Id, i64), i64>);

impl Written<'_> {
    /// Whether elements a few apart are loaded or stored as whole vectors and sorted: what is between those that are loaded is loaded with them, but nothing may be stored
    /// there that no statement of the loop stores.
    fn fills(&self, reference: &Reference, Interleaved { stride, .. }: Interleaved) -> bool {
        let written = || self.0.get(&(&reference.array, stride)).is_some_and(|written| *written >= stride);
        if reference.writes { written() } else { 0 < stride && stride <= MOST_SORTED }
    }
}

impl<'p> Walk<'p> {
    /// What statements write in an iteration of an innermost loop, each along an iterator.
    pub(super) fn written(&self, along: &[(usize, Option<usize>)], inside: &Boxes) -> Written<'p> {
        let mut written = Written::default();
        for (s, d) in along.iter().filter_map(|(s, d)| Some((*s, (*d)?))) {
            for reference in self.problem.statements[s].references.iter().filter(|r| r.writes) {
                if let Some(Interleaved { stride, width }) = interleaved(reference, &inside[&s], d) {
                    *written.0.entry((&reference.array, stride)).or_default() += width;
                }
            }
        }
        written
    }

    /// The iterator that moves along a member.
    pub(super) fn moved(&self, s: usize, row: &[i64], inside: &[i64], trip: i64) -> Option<usize> {
        let total = &self.extents[s].values;
        (0..row.len()).rev().find(|d| trip > 1 && row[*d] != 0 && inside[*d] < total[*d])
    }

    /// What one iteration of an innermost loop takes for a statement with a box of iterations written out in it.
    pub(super) fn iteration(
        &self,
        s: usize,
        along: Option<usize>,
        (inside, written): (&[i64], &Written<'_>),
        trip: i64,
        pace: Pace,
    ) -> i128 {
        let statement = &self.problem.statements[s];
        let copies = volume(inside);
        let operations = i128::from(statement.work.operations) * i128::from(copies);
        let lanes = self.problem.lanes(s);
        let (mut smooth, mut sorted, mut jumps) = (0i128, 0i128, 0i128);
        // Elements that are sorted only as others are between them.
        let mut spread = 0i128;
        for reference in &statement.references {
            if self.box_of(s, reference, inside).is_none() {
                continue;
            }
            let elements = i128::from(elements(reference, inside).min(copies));
            match along.map(|d| step(reference, d)) {
                Some(Step::Next) => smooth += elements,
                Some(Step::Jump) => match along.and_then(|d| interleaved(reference, inside, d)) {
                    Some(Interleaved { stride, width }) if stride <= width => sorted += elements,
                    // Where nothing is replaced, what the best so far was is looked up in the same place.
                    _ if pace == Pace::Asked && reference.subscripts.is_none() => {}
                    _ if statement.reads_alone(reference) => {}
                    Some(apart) if written.fills(reference, apart) => spread += elements,
                    _ => jumps += elements,
                },
                Some(Step::Still) => {}
                None => smooth += elements,
            }
        }
        let along_copies = |d: usize| {
            let smooth = |r: &Reference| !matches!(step(r, d), Step::Jump);
            inside[d] >= 2
                && statement.references.iter().all(smooth)
                && statement.references.iter().any(|r| r.writes && matches!(step(r, d), Step::Next))
        };
        let written_out = (0..inside.len()).filter(|d| along_copies(*d)).map(|d| inside[d].min(lanes)).max();
        let unit = Machine::OPERATION;
        let one_by_one = unit * (operations + smooth + sorted + spread + jumps);
        let computed = (unit * operations / i128::from(lanes)).max(vector_time(&statement.work) * i128::from(copies));
        let packed = unit * i128::from(statement.work.packed) * i128::from(copies);
        let moved = unit * (smooth + SORTED * (sorted + spread)) / i128::from(lanes) + unit * jumps * JUMP;
        let vectors = computed + packed + moved;
        let are_free = pace != Pace::OneByOne && along.is_some() && trip >= lanes;
        let few_jump = |jumps: i128, others: i128| are_free && 3 * jumps <= others + jumps;
        match written_out {
            _ if few_jump(jumps + spread, smooth + SORTED * sorted) => vectors,
            _ if few_jump(jumps, smooth + SORTED * (sorted + spread)) && vectors < one_by_one => vectors,
            Some(lanes) => one_by_one / i128::from(lanes),
            None => one_by_one,
        }
    }
}
