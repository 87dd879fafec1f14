//! What the work on a loop nest may cost: one allowance for all attempts at it, and at the loops inside.
//!
//! Where sets explode, as with `A[i % 40][i / 20 % 40]`, an attempt ends early. What it may take is a part of what is left, and with the rest
//! an order that is cheaper to find is tried, then nests one by one, then the loops inside. So a nest that nothing comes of costs no more
//! than its allowance, however many ways there are to try it. Work is counted in the units of [`crate::presburger::budget`], some 20
//! nanoseconds each, never in time. What is told in remarks about loops in order is not part of it, so that remarks do not change code.

use crate::presburger::budget::spent;
use crate::presburger::{TooHard, within};
use std::cell::Cell;

/// Units for the smallest nest: half as much again as the most that any of the kernels at hand takes (11 million, for recursive filters along
/// rows and columns); less than half a second.
const BASE: u64 = 18_000_000;

/// Further units for each instruction in the loops: a quarter of a millisecond, as LLVM itself takes.
const PER_INSTRUCTION: u64 = 12_000;

/// Of an allowance, the part that remains for others. (A number over 8.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Nothing,
    /// For an attempt after which a cheaper one at the same loops can be made.
    Eighth,
    /// For an attempt after which parts of the loops are tried.
    Quarter,
}

impl Keep {
    fn of(self, left: u64) -> u64 {
        match self {
            Keep::Nothing => 0,
            Keep::Eighth => left / 8,
            Keep::Quarter => left / 4,
        }
    }
}

/// Work units that are left.
#[derive(Debug)]
pub struct Allowance {
    left: Cell<u64>,
}

impl Allowance {
    /// For loops of so many instructions; `wanted` units if somebody says so.
    pub fn of(instructions: usize, wanted: Option<u64>) -> Allowance {
        let by_size = PER_INSTRUCTION.saturating_mul(instructions as u64).saturating_add(BASE);
        Allowance { left: Cell::new(wanted.unwrap_or(by_size)) }
    }

    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// `work()`, if it ends within what is left but for what is to be kept.
    pub fn within<R>(&self, keep: Keep, work: impl FnOnce() -> R) -> Result<R, TooHard> {
        let left = self.left.get();
        let before = spent();
        let result = within(left - keep.of(left), work);
        self.left.set(left.saturating_sub(spent() - before));
        result
    }

    /// `work` with an allowance of its own, all that is left but what is to be kept; it gives back what it does not use.
    pub fn lend<R>(&self, keep: Keep, work: impl FnOnce(&Allowance) -> R) -> R {
        self.lent(self.left.get() - keep.of(self.left.get()), work)
    }

    /// The part of what is left that `size` is of `all`, as [`Allowance::lend`].
    pub fn lend_part<R>(&self, size: usize, all: usize, work: impl FnOnce(&Allowance) -> R) -> R {
        let part = u128::from(self.left.get()) * size as u128 / all.max(1) as u128;
        self.lent(u64::try_from(part).map_or(self.left.get(), |part| part.min(self.left.get())), work)
    }

    fn lent<R>(&self, units: u64, work: impl FnOnce(&Allowance) -> R) -> R {
        let part = Allowance { left: Cell::new(units) };
        let result = work(&part);
        self.left.set(self.left.get() - (units - part.left.get()));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::budget::spend;

    #[test]
    fn what_one_attempt_takes_the_next_one_lacks() {
        let allowance = Allowance::of(1_000, Some(80));
        assert_eq!(allowance.within(Keep::Eighth, || spend(71)), Err(TooHard));
        assert_eq!(allowance.left(), 10);
        assert_eq!(allowance.within(Keep::Nothing, || spend(4)), Ok(()));
        assert_eq!(allowance.left(), 6);
    }

    #[test]
    fn what_is_lent_and_not_used_comes_back() {
        let allowance = Allowance::of(0, Some(100));
        let first = allowance.lend_part(1, 4, |part| part.within(Keep::Nothing, || spend(5)));
        let second = allowance.lend_part(1, 3, |part| part.within(Keep::Nothing, || spend(50)));
        assert_eq!((first, second), (Ok(()), Err(TooHard)));
        assert_eq!(allowance.left(), 64);
        allowance.lend(Keep::Quarter, |part| assert_eq!(part.left(), 48));
    }

    #[test]
    fn larger_loops_are_allowed_more_up_to_what_somebody_wants() {
        assert!(Allowance::of(100, None).left() > Allowance::of(10, None).left());
        assert_eq!(Allowance::of(100, Some(5)).left(), 5);
    }
}
