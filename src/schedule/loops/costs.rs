//! What loops take, by what for: of the product of two matrices in tiles the work, and few lines from memory.

use super::moving::volume;
use crate::machine::Machine;
use crate::schedule::model::extent::Extents;
use crate::schedule::model::problem::{Problem, Work};
use crate::scop::VECTOR_TIME;

/// Of so many operations of a statement that needs its last result, with one more, one waits for another: in `s += a[i] * b[i]` the addition, in
/// `p = c / (a * p + b)` a multiplication with its addition and the division.
const CHAINED: i128 = 2;

/// What loops take, by what for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time of operations and of starting loops, in the machine's unit.
    pub work: i128,
    /// Lines that come from behind the second-level cache.
    pub far_lines: i128,
    /// Lines that come into the first-level cache.
    pub near_lines: i128,
    /// Pages whose places have to be looked up.
    pub pages: i128,
}

impl Costs {
    /// All of it, in the machine's unit.
    pub fn time(&self, machine: &Machine) -> i128 {
        let lines = [
            (self.far_lines, machine.far_line_time()),
            (self.near_lines, machine.near_line_time()),
            (self.pages, machine.page_time()),
        ];
        lines.into_iter().fold(self.work, |sum, (count, each)| sum.saturating_add(count.saturating_mul(each)))
    }
}

/// Of so many operations, those that wait for one another.
pub(super) fn chained(operations: u32) -> i128 {
    i128::from(operations + 1) / CHAINED
}

/// What LLVM says that a vector of instances takes, for each of them.
pub(super) fn vector_time(work: &Work) -> i128 {
    work.vector_time.map_or(0, |time| Machine::OPERATION * i128::from(time) / i128::from(VECTOR_TIME))
}

/// Instances of all statements of these extents: of a statement in parts each part counts as much as the whole.
pub(crate) fn instances(extents: &[Extents]) -> i128 {
    extents.iter().map(|extents| i128::from(volume(&extents.values))).sum::<i128>().max(1)
}

/// Operations of all these instances.
pub(crate) fn operations(problem: &Problem, extents: &[Extents]) -> i128 {
    let each = problem.statements.iter().map(|statement| i128::from(statement.work.operations.max(1)));
    let volumes = extents.iter().map(|extents| i128::from(volume(&extents.values)));
    each.zip(volumes).map(|(one, count)| one.saturating_mul(count)).fold(0, i128::saturating_add)
}
