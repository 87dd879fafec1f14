//! How iterations wait for one another.
//!
//! In `for i { s = 0;  for j < n:  s += a[i][j];  x[i] = s; }` each addition waits for the one before, for cycles.

use super::Walk;
use crate::schedule::loops::costs::chained;
use crate::schedule::model::problem::Edge;
use std::rc::Rc;

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
}
