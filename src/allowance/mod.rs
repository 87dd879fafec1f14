//! What the work on a loop nest may cost: one allowance for all attempts at it, and at the loops inside.
//!
//! Nests have an allowance of their own by their size, so that a file takes time in proportion to what is in it. Most
//! need less, some much more. So there is a [`Purse`] for all nests of a module that may run for long: a nest may take three quarters of what
//! is in it, and gives back what it does not need of its own. One nest that is hard has all that it could use; hundreds
//! of them do not have it hundreds of times; and behind a few of them there is still something for a nest that needs
//! little. Nests of functions that seldom run, before functions that run often, take a quarter instead, and have a quarter of their own.
//!
//! Where sets explode, as with `A[i % 40][i / 20 % 40]`, an attempt ends early. What it may take is a part of what is left, and with the rest
//! an order that is cheaper to find is tried, then nests one by one, then the loops inside. So a nest that nothing comes of costs no more
//! than its allowance, however many ways there are to try it. Work is counted in the units of [`crate::presburger::budget`], some 20
//! nanoseconds each, never in time. What is told in remarks about loops in order is not part of it, so that remarks do not change code.

pub mod heat;

use crate::presburger::budget::spent;
use crate::presburger::{TooHard, within};
use std::cell::Cell;

/// Units that are in the purse at first: three quarters are what the hardest of the kernels at hand needs, recursive
/// filters on threads; half a second, on slow machines a little more.
const PURSE: u64 = 20_000_000;

/// Units that are in the purse at most. In long files what easy nests save adds up to this for hard ones: all sweeps of
/// a solver with 49 statements, seen together, take 15 million, and as many are kept for the next.
const SAVED: u64 = 3 * PURSE;

/// Units of its own that a nest has for each instruction in its loops: a fifth of a millisecond, no more than LLVM
/// itself takes.
const PER_INSTRUCTION: u64 = 8_000;

/// Instructions of a nest that are over before it could save as much time as its analysis beyond the usual would take, unless it runs ten thousand times: some
/// 30 microseconds. It has what it has of its own, and nothing from the purse.
pub const SHORT_RUN: u64 = 100_000;

/// Of an allowance, the part that remains for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Nothing,
    /// For an attempt after which a cheaper one at the same loops can be made.
    Eighth,
    /// For an attempt after which a cheaper one can be made that takes some so many units: these, but an eighth at least and a half at most.
    Units(u64),
    /// For an attempt after which parts of the loops are tried.
    Quarter,
    /// For a nest of a function that seldom runs, before others that run often.
    Most,
    /// For an attempt at several nests at once, after which each is tried, and these have so many instructions: what they have of their own, but a
    /// quarter at least, and three quarters at most. When the purse is empty, each nest still has that.
    Own(usize),
}

impl Keep {
    fn of(self, left: u64) -> u64 {
        match self {
            Keep::Nothing => 0,
            Keep::Eighth => left / 8,
            Keep::Units(units) => units.clamp(left / 8, left / 2),
            Keep::Quarter => left / 4,
            Keep::Most => left / 4 * 3,
            Keep::Own(instructions) => own(instructions).clamp(left / 4, left / 4 * 3),
        }
    }
}

/// Units of their own for nests with so many instructions.
fn own(instructions: usize) -> u64 {
    PER_INSTRUCTION.saturating_mul(instructions as u64)
}

/// Work units for all nests of a module, beyond what they have of their own.
#[derive(Debug)]
pub struct Purse {
    left: Cell<u64>,
    /// What each nest leaves in it.
    keep: Cell<Keep>,
    /// Units for each nest, whatever its size, if somebody says so.
    wanted: Option<u64>,
}

impl Purse {
    /// For a module; `wanted` units for each nest if somebody says so.
    pub fn new(wanted: Option<u64>) -> Purse {
        Purse { left: Cell::new(PURSE), keep: Cell::new(Keep::Quarter), wanted }
    }

    /// From now on each nest leaves so much to those that come later.
    pub fn keeps(&self, keep: Keep) {
        self.keep.set(keep);
    }

    /// `work` on a nest of so many instructions that does not take long ([`SHORT_RUN`]).
    pub fn lend_own<R>(&self, instructions: usize, work: impl FnOnce(&Allowance) -> R) -> R {
        let allowance = Allowance::of(self.wanted.unwrap_or_else(|| own(instructions)));
        let result = work(&allowance);
        if self.wanted.is_none() {
            self.left.set(self.left.get().saturating_add(allowance.left()).min(SAVED));
        }
        result
    }

    /// `work` on a nest of so many instructions.
    pub fn lend<R>(&self, instructions: usize, work: impl FnOnce(&Allowance) -> R) -> R {
        if let Some(wanted) = self.wanted {
            return work(&Allowance::of(wanted));
        }
        let keep = self.keep.get();
        let all = own(instructions);
        let own = if keep == Keep::Most { all - keep.of(all) } else { all };
        let left = self.left.get();
        let kept = keep.of(left);
        let allowance = Allowance::of(own.saturating_add(left - kept));
        let result = work(&allowance);
        self.left.set(kept.saturating_add(allowance.left()).min(SAVED));
        result
    }
}

/// Work units that are left.
#[derive(Debug)]
pub struct Allowance {
    left: Cell<u64>,
}

impl Allowance {
    /// So many units.
    pub fn of(units: u64) -> Allowance {
        Allowance { left: Cell::new(units) }
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

    /// For one of several nests that are tried in turn, `size` of `all` instructions: what it has of its own and three quarters of what is left beyond what they
    /// all have of their own, as from a [`Purse`]; if not so much is left, its part.
    pub fn lend_part<R>(&self, size: usize, all: usize, work: impl FnOnce(&Allowance) -> R) -> R {
        let left = self.left.get();
        let units = match left.checked_sub(own(all)) {
            Some(beyond) => own(size) + (beyond - Keep::Quarter.of(beyond)),
            None => u64::try_from(u128::from(left) * size as u128 / all.max(1) as u128).unwrap_or(left),
        };
        self.lent(units.min(left), work)
    }

    fn lent<R>(&self, units: u64, work: impl FnOnce(&Allowance) -> R) -> R {
        let part = Allowance::of(units);
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
        let allowance = Allowance::of(80);
        assert_eq!(allowance.within(Keep::Eighth, || spend(71)), Err(TooHard));
        assert_eq!(allowance.left(), 10);
        assert_eq!(allowance.within(Keep::Nothing, || spend(4)), Ok(()));
        assert_eq!(allowance.left(), 6);
    }

    #[test]
    fn what_is_kept_for_a_cheaper_attempt_is_neither_next_to_nothing_nor_most() {
        let kept = |units| Allowance::of(80).lend(Keep::Units(units), |part| 80 - part.left());
        assert_eq!([0, 10, 25, 40, 400].map(kept), [10, 10, 25, 40, 40]);
    }

    #[test]
    fn what_is_lent_and_not_used_comes_back() {
        let allowance = Allowance::of(100);
        let first = allowance.lend_part(1, 4, |part| part.within(Keep::Nothing, || spend(5)));
        let second = allowance.lend_part(1, 3, |part| part.within(Keep::Nothing, || spend(50)));
        assert_eq!((first, second), (Ok(()), Err(TooHard)));
        assert_eq!(allowance.left(), 64);
        allowance.lend(Keep::Quarter, |part| assert_eq!(part.left(), 48));
    }

    #[test]
    fn one_of_several_nests_has_its_own_and_most_of_what_nobody_has() {
        let allowance = Allowance::of(own(10) + 80);
        assert_eq!(allowance.lend_part(4, 10, Allowance::left), own(4) + 60);
        allowance.lend_part(4, 10, |part| part.within(Keep::Nothing, || spend(own(4) + 60))).unwrap();
        assert_eq!(allowance.lend_part(6, 6, Allowance::left), own(6) + 15);
    }

    #[test]
    fn larger_loops_are_allowed_more_up_to_what_somebody_wants() {
        let allowed = |instructions, wanted| Purse::new(wanted).lend(instructions, Allowance::left);
        assert_eq!(allowed(100, None), allowed(10, None) + 90 * PER_INSTRUCTION);
        assert_eq!(allowed(100, Some(5)), 5);
    }

    #[test]
    fn what_does_not_take_long_has_its_own_and_gives_back_what_it_does_not_use() {
        let purse = Purse::new(None);
        purse.lend_own(10, |allowance| {
            assert_eq!(allowance.left(), own(10));
            assert_eq!(allowance.within(Keep::Nothing, || spend(own(8))), Ok(()));
        });
        assert_eq!(purse.lend(0, Allowance::left), (PURSE + own(2)) / 4 * 3);
        assert_eq!(Purse::new(Some(5)).lend_own(10, Allowance::left), 5);
    }

    #[test]
    fn what_seldom_runs_leaves_most_to_what_runs_often() {
        let purse = Purse::new(None);
        purse.keeps(Keep::Most);
        purse.lend(0, |allowance| {
            assert_eq!(allowance.left(), PURSE / 4);
            let all = allowance.left();
            assert_eq!(allowance.within(Keep::Nothing, || spend(all)), Ok(()));
        });
        assert_eq!(purse.lend(40, Allowance::left), own(10) + PURSE / 4 * 3 / 4);
        purse.keeps(Keep::Quarter);
        assert_eq!(purse.lend(0, Allowance::left), (PURSE / 4 * 3 + own(10)) / 4 * 3);
    }

    /// The first of many nests that use up what they have takes most, all together no more than is in the purse and
    /// what they have of their own, and each has at least the latter.
    #[test]
    fn many_nests_that_are_hard_do_not_take_many_times_as_much() {
        let purse = Purse::new(None);
        let taken = |_| {
            purse.lend(10, |allowance| {
                let all = allowance.left();
                assert_eq!(allowance.within(Keep::Nothing, || spend(all + 1)), Err(TooHard));
                all
            })
        };
        let taken: Vec<u64> = (0..300).map(taken).collect();
        assert_eq!(taken[0], PURSE / 4 * 3 + 10 * PER_INSTRUCTION);
        assert!(taken.iter().all(|units| *units >= 10 * PER_INSTRUCTION));
        assert!(taken.iter().sum::<u64>() <= PURSE + 300 * 10 * PER_INSTRUCTION);
    }

    #[test]
    fn nests_that_need_little_fill_the_purse_again_and_save_for_others_up_to_an_amount() {
        let purse = Purse::new(None);
        let first = purse.lend(0, |allowance| {
            let all = allowance.left();
            assert_eq!(allowance.within(Keep::Nothing, || spend(all)), Ok(()));
            all
        });
        assert!(purse.lend(0, Allowance::left) < first);
        let after = |nests: usize| {
            (0..nests).for_each(|_| purse.lend(100, |_| ()));
            purse.lend(0, Allowance::left)
        };
        let some = after(50);
        let most = after(200);
        assert!(first < some && some < most);
        assert_eq!(after(200), most);
    }
}
