//! How often a loop goes back whose counter could step over its limit.
//!
//! ```c
//! for (size_t i = 0; i < n; i += 3) a[i] = 0;
//! ```
//!
//! Where `n` is one of the two greatest numbers of 64 bits, `i` may go on from below it to behind zero. So LLVM does not say how often the loop runs. Where `n` is taken for less than
//! half of that, as is tested before the loops, no counter wraps around on its way, and there are `ceil((n - i) / 3)` iterations.
//!
//! ```c
//! for (int m = p * p; m <= n; m += p) composite[m] = 1;
//! ```
//!
//! Here the step is a number of the program. It is tested that it goes up; how often it fits is no affine number and so a parameter, divided out before the loops
//! ([`Source::Steps`]). `m` is `p p + p t` in iteration `t`: a row of the length `p` each, of which the first element is written.

use super::Reading;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::parameters::{Source, integer};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::Reason;
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, IntPredicate, LoopId, ScevId, ScevKind, Signedness};
use crate::presburger::PwAff;

type Fallible<T> = Result<T, Reason>;

/// Counters whose constant steps are longer are not looked at: none of 32 bits wraps around from below half of its range.
const MOST_STEP: i128 = 1 << 20;

/// A loop that goes back as long as a counter that goes up is below a limit, or one that goes down is above it.
pub(super) struct Limited {
    /// What is compared at the end of the first iteration.
    first: ScevId,
    step: Step,
    limit: ScevId,
    /// 1 if it goes back for the limit as well.
    takes_limit: i128,
    goes: Direction,
    /// The sign with which both are read.
    signedness: Signedness,
    width: u32,
}

/// What is added to a counter.
enum Step {
    Constant(i128),
    /// A number that does not change in the loop.
    Of(ScevId),
}

/// Where a counter goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
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
        let is_left = analyses.scev(left).is_some_and(|scev| is_counted(analyses, scev, id));
        let (counter, limit) = if is_left { (left, right) } else { (right, left) };
        let (goes, signedness, takes_limit) = way(if is_left { predicate } else { predicate.swapped() })?;
        let (counter, limit) = (analyses.scev(counter)?, analyses.scev(limit)?);
        let fits = is_counted(analyses, counter, id) && analyses.is_invariant(limit, id);
        let node = analyses.node(counter);
        let &[first, step] = node.operands.as_slice() else { return None };
        let step = match (analyses.node(step).constant, goes) {
            (None, _) => Step::Of(step),
            (Some(step), Direction::Up) => (1..=MOST_STEP).contains(&step).then_some(Step::Constant(step))?,
            (Some(step), Direction::Down) => (-MOST_STEP..=-1).contains(&step).then_some(Step::Constant(step))?,
        };
        fits.then(|| Limited { first, step, limit, takes_limit, goes, signedness, width: node.width })
    }

    /// More iterations than this there are not.
    pub fn most(&self) -> i128 {
        match self.step {
            Step::Constant(step) => (1i128 << self.width) / step.abs(),
            Step::Of(_) => 1 << self.width,
        }
    }
}

/// Where a counter goes of which such a comparison with a limit says that its loop goes back; the sign; and whether it goes back for the limit as well, as a number.
fn way(predicate: IntPredicate) -> Option<(Direction, Signedness, i128)> {
    Some(match predicate {
        IntPredicate::Ult => (Direction::Up, Signedness::Unsigned, 0),
        IntPredicate::Ule => (Direction::Up, Signedness::Unsigned, 1),
        IntPredicate::Slt => (Direction::Up, Signedness::Signed, 0),
        IntPredicate::Sle => (Direction::Up, Signedness::Signed, 1),
        IntPredicate::Ugt => (Direction::Down, Signedness::Unsigned, 0),
        IntPredicate::Uge => (Direction::Down, Signedness::Unsigned, 1),
        IntPredicate::Sgt => (Direction::Down, Signedness::Signed, 0),
        IntPredicate::Sge => (Direction::Down, Signedness::Signed, 1),
        _ => return None,
    })
}

fn is_counted(analyses: &Analyses<'_, '_>, counter: ScevId, id: LoopId) -> bool {
    let node = analyses.node(counter);
    let is_of_loop = node.kind == ScevKind::AddRec && node.in_loop == Some(id) && node.operands.len() == 2;
    is_of_loop && !node.is_pointer && matches!(node.width, 32 | 64)
}

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// Times a loop goes back that LLVM does not count, if its counter does not step over its limit, which is taken for granted.
    pub(super) fn up_to_limit(&self, id: LoopId) -> Fallible<PwAff> {
        let unknown = |_| Reason::UnknownTripCount;
        let limited = Limited::of(self.affine.analyses, id).ok_or(Reason::UnknownTripCount)?;
        let (first, limit) = (self.end(&limited, limited.first), self.end(&limited, limited.limit));
        let (first, limit) = (first.map_err(unknown)?, limit.map_err(unknown)?);
        let step = match limited.step {
            Step::Constant(step) => Polynomial::constant(step),
            Step::Of(step) => {
                self.of_scev(step, 0).and_then(|step| self.exact(step, "a step")).map_err(unknown)?.polynomial
            }
        };
        let behind = limit.add(&step).ok_or(Reason::UnknownTripCount)?;
        let all = Interval::signed(limited.width);
        let range = Interval { low: if limited.signedness == Signedness::Signed { all.low } else { Some(0) }, ..all };
        let points = |of: &Polynomial, interval| Ok(self.points_within(&self.aff(of).map_err(unknown)?, interval));
        let is_limit = points(&limit, Interval { low: range.low, high: None })?;
        let is_near = points(&behind, range)?;
        self.require(&is_near, "counters do not wrap around before they come to the number that ends their loop");
        let (way, step) = match limited.goes {
            Direction::Up => (limit.subtract(&first), Some(step)),
            Direction::Down => (first.subtract(&limit), step.scale(-1)),
        };
        let way = way.and_then(|way| way.add(&Polynomial::constant(limited.takes_limit)));
        let (way, step) = way.zip(step).ok_or(Reason::UnknownTripCount)?;
        let count = match step.as_constant() {
            Some(step) => {
                let far = self.aff(&way)?.add(&self.constant(step - 1));
                far.scale_down(&integer(step)).floor().max(&self.constant(0))
            }
            None => self.steps(way, step)?,
        };
        Ok(count.intersect_domain(&is_limit))
    }

    /// How often a step fits into a way, of which something may remain, as a parameter: that it is positive is taken for granted.
    fn steps(&self, way: Polynomial, step: Polynomial) -> Fallible<PwAff> {
        let is_of_parameters =
            |polynomial: &Polynomial| polynomial.atoms().all(|atom| matches!(atom, Atom::Parameter(_)));
        if !is_of_parameters(&way) || !is_of_parameters(&step) {
            return Err(Reason::UnknownTripCount);
        }
        self.require(&self.aff(&step)?.ge_set(&self.constant(1)), "steps lead to the number that ends their loop");
        let most = self.affine.interval(&way).high.ok_or(Reason::UnknownTripCount)?;
        let count = self.affine.parameter(Source::Steps { way, step }, None, Interval::new(0, most.max(0)))?;
        self.aff(&Polynomial::atom(Atom::Parameter(count)))
    }

    /// The start of a counter or its limit, by the sign that the comparison reads.
    fn end(&self, limited: &Limited, scev: ScevId) -> Fallible<Polynomial> {
        let number = self.of_scev(scev, 0)?;
        let what = "a counter or its limit";
        let number = match limited.signedness {
            Signedness::Signed => self.exact(number, what)?,
            Signedness::Unsigned => self.unsigned(number, what)?,
        };
        Ok(number.polynomial)
    }
}
