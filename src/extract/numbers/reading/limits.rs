//! How often a loop goes back whose counter could step over its limit.
//!
//! ```c
//! for (size_t i = 0; i < n; i += 3) a[i] = 0;
//! ```
//!
//! Where `n` is one of the two greatest numbers of 64 bits, `i` may go on from below it to behind zero. So LLVM does not say how often the loop runs. Where `n` is taken for less than
//! half of that, as is tested before the loops, no counter wraps around on its way, and there are `ceil((n - i) / 3)` iterations.

use super::Reading;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::parameters::integer;
use crate::extract::refusal::Reason;
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, IntPredicate, LoopId, ScevId, ScevKind};
use crate::presburger::PwAff;

type Fallible<T> = Result<T, Reason>;

/// Counters that step further than this are not looked at: none of 32 bits wraps around from below half of its range.
const MOST_STEP: i128 = 1 << 20;

/// A loop that goes back as long as a counter that goes up is below a limit.
pub(super) struct Limited {
    /// What is compared at the end of the first iteration.
    first: ScevId,
    step: i128,
    limit: ScevId,
    /// 1 if it goes back for the limit as well.
    takes_limit: i128,
    below: IntPredicate,
    width: u32,
}

impl Limited {
    pub fn of(analyses: &Analyses<'_, '_>, id: LoopId) -> Option<Limited> {
        let this = analyses.loop_(id);
        let Some(Branch::If { condition, then, otherwise }) = this.latch?.terminator()?.branch() else { return None };
        let (predicate, left, right) = condition.as_instruction()?.icmp()?;
        let predicate = match (then == this.header, otherwise == this.header) {
            (true, false) => predicate,
            (false, true) => predicate.negated(),
            _ => return None,
        };
        let goes_up =
            matches!(predicate, IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Slt | IntPredicate::Sle);
        let (counter, limit) = if goes_up { (left, right) } else { (right, left) };
        let below = if goes_up { predicate } else { predicate.swapped() };
        let takes_limit = match below {
            IntPredicate::Ult | IntPredicate::Slt => 0,
            IntPredicate::Ule | IntPredicate::Sle => 1,
            _ => return None,
        };
        let (counter, limit) = (analyses.scev(counter)?, analyses.scev(limit)?);
        let (node, step) = (analyses.node(counter), analyses.constant_step(counter, id)?);
        let is_counted = node.kind == ScevKind::AddRec && !node.is_pointer && (1..=MOST_STEP).contains(&step);
        let fits = is_counted && matches!(node.width, 32 | 64) && analyses.is_invariant(limit, id);
        fits.then(|| Limited { first: node.operands[0], step, limit, takes_limit, below, width: node.width })
    }

    /// More iterations than this there are not.
    pub fn most(&self) -> i128 {
        (1i128 << self.width) / self.step
    }
}

impl Reading<'_, '_, '_, '_> {
    /// Times a loop goes back that LLVM does not count, if its counter does not step over its limit, which is taken for granted.
    pub(super) fn up_to_limit(&self, id: LoopId) -> Fallible<PwAff> {
        let unknown = |_| Reason::UnknownTripCount;
        let limited = Limited::of(self.affine.analyses, id).ok_or(Reason::UnknownTripCount)?;
        let number = |scev: ScevId| {
            let number = self.of_scev(scev, 0)?;
            let what = "a counter or its limit";
            let number =
                if limited.below.is_signed() { self.exact(number, what)? } else { self.unsigned(number, what)? };
            self.aff(&number.polynomial)
        };
        let (first, limit) = (number(limited.first).map_err(unknown)?, number(limited.limit).map_err(unknown)?);
        let highest = (1i128 << (limited.width - 1)) - 1 - limited.step;
        let lowest = if limited.below.is_signed() { None } else { Some(0) };
        let is_not_below = self.points_within(&limit, Interval { low: lowest, high: None });
        let is_low = self.points_within(&limit, Interval { low: None, high: Some(highest) });
        self.require(&is_low, "counters do not wrap around before they come to the number that ends their loop");
        let far = limit.sub(&first).add(&self.constant(limited.step - 1 + limited.takes_limit));
        Ok(far.scale_down(&integer(limited.step)).floor().max(&self.constant(0)).intersect_domain(&is_not_below))
    }
}
