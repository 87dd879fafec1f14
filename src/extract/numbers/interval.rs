//! Bounds of numbers, each end known or not.
//!
//! `i` in `for (i = 0; i < 10; i++)` is in `[0, 9]`, so `3 * i - 4` is in `[-4, 23]`, which fits eight bits: bounds are what most proofs that nothing
//! wraps around are made of. Operations are those on all pairs of values, so that terms that are related may get bounds that are too wide, never
//! too narrow.

use crate::llvm::scev::Range;

/// What only types bound, beyond this, is as good as not bounded: no test against it would tell anything.
const SENSIBLE: i128 = 1 << 30;

/// Inclusive bounds of a value; `None` for a side without bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Interval {
    pub const ALL: Interval = Interval { low: None, high: None };

    pub fn new(low: i128, high: i128) -> Self {
        Interval { low: Some(low), high: Some(high) }
    }

    /// The values of a signed number of `width` bits.
    pub fn signed(width: u32) -> Self {
        let half = 1i128 << (width.clamp(1, 126) - 1);
        Interval::new(-half, half - 1)
    }

    /// The bounds that are more than those of a type.
    pub fn sensible(self) -> Self {
        Interval { low: self.low.filter(|low| *low > -SENSIBLE), high: self.high.filter(|high| *high < SENSIBLE) }
    }

    pub fn is_within(self, other: Interval) -> bool {
        let above = other.low.is_none_or(|low| self.low.is_some_and(|mine| mine >= low));
        let below = other.high.is_none_or(|high| self.high.is_some_and(|mine| mine <= high));
        above && below
    }

    pub fn intersect(self, other: Interval) -> Interval {
        let pick = |a: Option<i128>, b: Option<i128>, f: fn(i128, i128) -> i128| match (a, b) {
            (Some(a), Some(b)) => Some(f(a, b)),
            (a, b) => a.or(b),
        };
        Interval { low: pick(self.low, other.low, i128::max), high: pick(self.high, other.high, i128::min) }
    }

    pub fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Interval { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    pub fn multiply(self, other: Interval) -> Interval {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) else {
            let is_one = |i: Interval| i == Interval::new(1, 1);
            if is_one(self) {
                return other;
            }
            if is_one(other) {
                return self;
            }
            let nonnegative = |i: Interval| i.low.is_some_and(|low| low >= 0);
            let low = (nonnegative(self) && nonnegative(other)).then_some(0);
            return Interval { low, high: None };
        };
        let products = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
        let [Some(first), Some(second), Some(third), Some(fourth)] = products else { return Interval::ALL };
        let (low, high) = (first.min(second), first.max(second));
        Interval::new(low.min(third).min(fourth), high.max(third).max(fourth))
    }

    pub fn scale(self, factor: i128) -> Interval {
        let times = |x: Option<i128>| x.and_then(|x| x.checked_mul(factor));
        if factor >= 0 {
            Interval { low: times(self.low), high: times(self.high) }
        } else {
            Interval { low: times(self.high), high: times(self.low) }
        }
    }

    /// The values between the smallest and the largest of both.
    pub fn hull(self, other: Interval) -> Interval {
        let low = self.low.zip(other.low).map(|(x, y)| x.min(y));
        let high = self.high.zip(other.high).map(|(x, y)| x.max(y));
        Interval { low, high }
    }

    /// Bounds of the values divided by a positive number, whether rounded down or towards zero.
    pub fn quotient(self, divisor: i128) -> Interval {
        Interval {
            low: self.low.map(|x| x.div_euclid(divisor)),
            high: self.high.map(|x| x.div_euclid(divisor).max(x / divisor)),
        }
    }

    pub fn is_nonnegative(self) -> bool {
        self.low.is_some_and(|low| low >= 0)
    }
}

impl From<Range> for Interval {
    fn from(range: Range) -> Self {
        Interval::new(range.low, range.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_without_a_bound_has_none() {
        let below = Interval { low: None, high: Some(7) };
        assert_eq!(below.add(Interval::new(1, 2)), Interval { low: None, high: Some(9) });
        assert_eq!(Interval::new(0, i128::MAX).add(Interval::new(0, 1)), Interval { low: Some(0), high: None });
    }

    #[test]
    fn a_product_has_the_bounds_of_its_corners() {
        assert_eq!(Interval::new(-2, 3).multiply(Interval::new(-5, 7)), Interval::new(-15, 21));
        let sizes = Interval { low: Some(0), high: None };
        assert_eq!(sizes.multiply(sizes), sizes);
        assert_eq!(sizes.multiply(Interval::new(-1, 1)), Interval::ALL);
    }

    #[test]
    fn quotients_are_bounded_for_both_ways_of_rounding() {
        for divisor in 1..5 {
            for (low, high) in [(-7, -3), (-4, 5), (2, 9), (3, 3)] {
                let rounded = |x: i128| [x / divisor, x.div_euclid(divisor)];
                let (least, most) = (rounded(low).into_iter().min(), rounded(high).into_iter().max());
                let bounds = Interval { low: least, high: most };
                assert_eq!(Interval::new(low, high).quotient(divisor), bounds, "{low} to {high} by {divisor}");
                assert!((low..=high).flat_map(rounded).all(|x| Interval::new(x, x).is_within(bounds)));
            }
        }
    }

    #[test]
    fn signed_numbers_of_a_byte() {
        assert_eq!(Interval::signed(8), Interval::new(-128, 127));
        assert!(Interval::new(0, 127).is_within(Interval::signed(8)));
        assert!(!Interval::ALL.is_within(Interval::signed(64)));
    }
}
