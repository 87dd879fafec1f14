//! How far a core looks ahead, where iterations wait for one another.
//!
//! In `for i { s = 0;  for j < n:  s += a[i][j];  x[i] = s; }` each addition waits for the one before, for cycles; but the next row's sum waits for nothing, and a core that
//! is asked to wait begins with it, as far as it sees the program: of rows of 64 it adds two at a time, of rows of 1,000 hardly more than one. Where LLVM has written
//! all iterations of a row out nobody guesses where it ends, elements are read by what adds them, and five rows run at a time.

use super::Walk;
use crate::schedule::loops::costs::chained;
use crate::schedule::loops::moving::{elements, volume};
use crate::schedule::model::problem::{Edge, Statement};
use crate::schedule::model::reference::Reference;
use std::rc::Rc;

/// So many iterations behind the running ones a core begins. (Measured on sums, maxima and products of rows of 8 to 1,000 elements.)
const LOOKED_AHEAD: i64 = 64;

/// The same without branches between them.
const LOOKED_AHEAD_WITHOUT_BRANCHES: i64 = 256;

/// LLVM writes out all iterations of loops that are so many instructions then.
const MOST_INSTRUCTIONS_WRITTEN_OUT: i64 = 300;

/// Instructions that read an element, with its address.
const INSTRUCTIONS_OF_A_READ: i64 = 2;

/// What iterations that LLVM has written out take of the time that they would in a loop.
const WITHOUT_LOOP: [i128; 2] = [2, 3];

impl Walk<'_> {
    /// How many operations of an iteration wait for one another and for the last iteration. To replace the best so far takes no longer than an addition: beside
    /// one that waits for another, nobody waits for it.
    pub(super) fn chain(&self, carried: &[Rc<Edge>]) -> i128 {
        let (questions, others): (Vec<&Rc<Edge>>, Vec<_>) = carried.iter().partition(|edge| edge.role.is_question);
        let longest = |edges: &[&Rc<Edge>]| {
            let waits = edges
                .iter()
                .map(|edge| &self.problem.statements[edge.sink].work)
                .filter(|sink| sink.is_float && sink.packed == 0);
            waits.map(|sink| chained(sink.operations)).max()
        };
        longest(&others).or_else(|| longest(&questions)).unwrap_or(0)
    }

    /// How long iterations wait for one another that would take `latency`, if a core runs those that begin anew behind them meanwhile.
    pub(super) fn beside_others(&self, nodes: &[usize], latency: i128, longest: i64) -> i128 {
        self.until_anew(nodes, longest).map_or(latency, |length| shared(latency, length, LOOKED_AHEAD))
    }

    /// All iterations that wait for one another, if LLVM writes them out.
    pub(super) fn written_out(&self, nodes: &[usize], longest: i64) -> Option<WrittenOut> {
        let length = self.until_anew(nodes, longest)?;
        let is_short = |s: &usize| {
            let Statement { work, references, .. } = &self.problem.statements[*s];
            let is_kept = |read: &Reference| references.iter().any(|r| r.writes && r.array == read.array);
            let reads = references.iter().filter(|r| !r.writes && !is_kept(r)).count() as i64;
            let instructions = INSTRUCTIONS_OF_A_READ * reads + i64::from(work.operations);
            length.saturating_mul(instructions) <= MOST_INSTRUCTIONS_WRITTEN_OUT
        };
        nodes.iter().all(is_short).then_some(WrittenOut { length })
    }

    /// How many iterations hand something on to the next ones until it begins anew with another element: of all loops around, and of this one, of `longest`, at least, in
    /// which each element may hand on to the next; none if it never does.
    fn until_anew(&self, nodes: &[usize], longest: i64) -> Option<i64> {
        let length = |s: &usize| {
            let total = &self.extents[*s].values;
            let written = self.problem.statements[*s].references.iter().filter(|reference| reference.writes);
            let most = written.map(|reference| elements(reference, total)).max().filter(|count| *count > 1)?;
            Some((volume(total) / most).max(longest))
        };
        nodes.iter().map(length).try_fold(longest, |longest, length| Some(longest.max(length?)))
    }
}

/// Iterations that LLVM has written out.
pub(super) struct WrittenOut {
    length: i64,
}

impl WrittenOut {
    /// What they take that would take `time` in a loop, and wait so long for one another.
    pub fn time(self, time: i128, latency: i128) -> i128 {
        let [part, of] = WITHOUT_LOOP;
        (time * part / of).max(shared(latency, self.length, LOOKED_AHEAD_WITHOUT_BRANCHES))
    }
}

/// What is left of a time in which so many iterations run as well behind `length` of them.
fn shared(time: i128, length: i64, ahead: i64) -> i128 {
    time.saturating_mul(length.into()) / i128::from(length.saturating_add(ahead))
}
