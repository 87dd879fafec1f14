//! A deterministic step budget for computations that may explode.
//!
//! Presburger arithmetic is worse than exponential in the worst case, and a compiler must come back. The inner loops of this
//! room [`spend`] work units, and the unit past the budget unwinds privately to the caller, who gets [`TooHard`]:
//! `within(100_000_000, || set.lexmin())`. Units count operations, never time, so the same input ends at the same place on every machine.
//!
//! A unit is about eight additions and multiplications of machine words, one greatest common divisor, or one row that is looked at: some ten
//! nanoseconds, so that the budget above is about a second. A row combination over 30 columns takes `1 + 30 / 8` units; numbers beyond the
//! word take more, by their length ([`super::int`]). Whoever writes a loop here charges what it does, in proportion; the
//! tests of `counted.rs` count the arithmetic behind each unit.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The computation did not end within its budget of work units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooHard;

impl std::fmt::Display for TooHard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the computation does not end within its step budget")
    }
}

impl std::error::Error for TooHard {}

struct Exhausted;

thread_local! {
    /// What the innermost computation may still spend.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What the computations around it keep back.
    static KEPT: Cell<u64> = const { Cell::new(0) };
}

/// `f()`, or [`TooHard`] once more than `steps` work units have been spent in it. Nested budgets are cut to what is left of the
/// outer one; an outer budget that ends unwinds past the inner call.
pub fn within<R>(steps: u64, f: impl FnOnce() -> R) -> Result<R, TooHard> {
    let (outer, kept) = (LEFT.get(), KEPT.get());
    let withheld = outer.saturating_sub(steps);
    LEFT.set(outer - withheld);
    KEPT.set(kept + withheld);
    let result = catch_unwind(AssertUnwindSafe(f));
    LEFT.set(LEFT.get() + withheld);
    KEPT.set(kept);
    match result {
        Ok(value) => Ok(value),
        Err(payload) if payload.is::<Exhausted>() && withheld > 0 => Err(TooHard),
        Err(payload) if payload.is::<Exhausted>() && kept == 0 => Err(TooHard),
        Err(payload) => resume_unwind(payload),
    }
}

/// Takes `units` off the budget of the innermost [`within`].
#[inline]
pub(crate) fn spend(units: u64) {
    let (left, over) = LEFT.get().overflowing_sub(units);
    if over {
        exhausted();
    }
    LEFT.set(left);
}

/// [`spend`] for work on `rows` rows of `width` numbers each.
#[inline]
pub(crate) fn spend_rows(rows: usize, width: usize) {
    spend(1 + (rows * (width + 8)) as u64 / 8);
}

#[cold]
#[inline(never)]
fn exhausted() -> ! {
    LEFT.set(0);
    resume_unwind(Box::new(Exhausted))
}

/// The work units spent on this thread so far: a deterministic stand-in for time.
pub fn spent() -> u64 {
    u64::MAX - LEFT.get() - KEPT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_over_budget_returns_too_hard_and_the_next_one_runs() {
        assert_eq!(within(10, || (0..11).for_each(|_| spend(1))), Err(TooHard));
        assert_eq!(within(11, || (0..11).for_each(|_| spend(1))), Ok(()));
    }

    #[test]
    fn an_inner_budget_ends_the_inner_computation_only() {
        let outer = within(100, || {
            let inner = within(5, || spend(6));
            spend(50);
            inner
        });
        assert_eq!(outer, Ok(Err(TooHard)));
    }

    #[test]
    fn an_outer_budget_ends_through_the_inner_one() {
        assert_eq!(within(5, || within(100, || spend(6))), Err(TooHard));
    }
}
