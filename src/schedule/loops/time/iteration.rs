//! What one iteration of an innermost loop takes.
//!
//! In `for i { b[i] = 2 * a[i]; }` with vectors of eight elements it is an eighth of an operation, a load and a store; with `a[3 * i]` each element is loaded by itself and
//! put into its place.

use super::Walk;
use crate::machine::Machine;
use crate::schedule::loops::costs::vector_time;
use crate::schedule::loops::moving::{Step, elements, leaves_no_gap, step, volume};
use crate::schedule::model::reference::Reference;

/// Operations in the time of an element of a vector that is not beside its neighbour: loaded by itself and put into its place.
const JUMP: i128 = 3;

/// Operations in the time of an element of vectors that are beside one another, and are sorted into others: all first ones, all second ones.
const SORTED: i128 = 2;

/// How the iterations of an innermost loop follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    OneByOne,
    /// In vectors, if that can be.
    Free,
    /// In vectors, as long as they have nothing to do.
    Asked,
}

impl Walk<'_> {
    /// The iterator that moves along a member.
    pub(super) fn moved(&self, s: usize, row: &[i64], inside: &[i64], trip: i64) -> Option<usize> {
        let total = &self.extents[s].values;
        (0..row.len()).rev().find(|d| trip > 1 && row[*d] != 0 && inside[*d] < total[*d])
    }

    /// What one iteration of an innermost loop takes for a statement with a box of iterations written out in it.
    pub(super) fn iteration(&self, s: usize, along: Option<usize>, inside: &[i64], trip: i64, pace: Pace) -> i128 {
        let statement = &self.problem.statements[s];
        let copies = volume(inside);
        let operations = i128::from(statement.work.operations) * i128::from(copies);
        let lanes = self.problem.lanes(s);
        let (mut smooth, mut jumps) = (0i128, 0i128);
        for reference in &statement.references {
            if self.box_of(s, reference, inside).is_none() {
                continue;
            }
            let elements = i128::from(elements(reference, inside).min(copies));
            match along.map(|d| step(reference, d)) {
                Some(Step::Next) => smooth += elements,
                Some(Step::Jump) if along.is_some_and(|d| leaves_no_gap(reference, inside, d)) => {
                    smooth += SORTED * elements;
                }
                // Where nothing is replaced, what the best so far was is looked up in the same place.
                Some(Step::Jump) if pace == Pace::Asked && reference.subscripts.is_none() => {}
                Some(Step::Jump) if statement.reads_alone(reference) => {}
                Some(Step::Jump) => jumps += elements,
                Some(Step::Still) => {}
                None => smooth += elements,
            }
        }
        let in_vectors = pace != Pace::OneByOne && along.is_some() && trip >= lanes && 3 * jumps <= smooth + jumps;
        let along_copies = |d: usize| {
            let smooth = |r: &Reference| !matches!(step(r, d), Step::Jump);
            inside[d] >= 2
                && statement.references.iter().all(smooth)
                && statement.references.iter().any(|r| r.writes && matches!(step(r, d), Step::Next))
        };
        let written_out = (0..inside.len()).filter(|d| along_copies(*d)).map(|d| inside[d].min(lanes)).max();
        let unit = Machine::OPERATION;
        match (in_vectors, written_out) {
            (true, _) => {
                let computed =
                    (unit * operations / i128::from(lanes)).max(vector_time(&statement.work) * i128::from(copies));
                let packed = unit * i128::from(statement.work.packed) * i128::from(copies);
                computed + packed + unit * smooth / i128::from(lanes) + unit * jumps * JUMP
            }
            (false, Some(lanes)) => unit * (operations + smooth + jumps) / i128::from(lanes),
            (false, None) => unit * (operations + smooth + jumps),
        }
    }
}
