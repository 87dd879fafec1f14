//! Rational numbers: the coefficients of polynomials.
//!
//! `1 + 2 + ... + n` is `1/2 n + 1/2 n^2`: integer sums have rational coefficients. A [`Ratio`] is in lowest terms with a positive
//! denominator, so equal numbers are equal values.

use super::int::{Int, Number};
use std::cmp::Ordering;
use std::fmt;

/// A rational number in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: Int,
    denominator: Int,
}

impl Ratio {
    /// `numerator / denominator`; the denominator is not 0.
    pub fn new(numerator: Int, denominator: Int) -> Ratio {
        assert!(!denominator.is_zero(), "law: a denominator is not 0");
        let common = numerator.gcd(&denominator);
        let common = if denominator.is_negative() { common.neg() } else { common };
        Ratio { numerator: numerator.div_exact(&common), denominator: denominator.div_exact(&common) }
    }

    /// An integer.
    pub fn integer(value: Int) -> Ratio {
        Ratio { numerator: value, denominator: Int::one() }
    }

    /// 0.
    pub fn zero() -> Ratio {
        Ratio::integer(Int::zero())
    }

    /// 1.
    pub fn one() -> Ratio {
        Ratio::integer(Int::one())
    }

    /// In lowest terms.
    pub fn numerator(&self) -> &Int {
        &self.numerator
    }

    /// In lowest terms, positive.
    pub fn denominator(&self) -> &Int {
        &self.denominator
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Its value if it is an integer.
    pub fn as_integer(&self) -> Option<Int> {
        self.denominator.is_one().then(|| self.numerator.clone())
    }

    /// The sum.
    pub fn add(&self, other: &Ratio) -> Ratio {
        let numerator = self.numerator.mul(&other.denominator).add(&other.numerator.mul(&self.denominator));
        Ratio::new(numerator, self.denominator.mul(&other.denominator))
    }

    /// The product.
    pub fn mul(&self, other: &Ratio) -> Ratio {
        Ratio::new(self.numerator.mul(&other.numerator), self.denominator.mul(&other.denominator))
    }

    /// The negative.
    pub fn neg(&self) -> Ratio {
        Ratio { numerator: self.numerator.neg(), denominator: self.denominator.clone() }
    }

    /// The quotient; the divisor is not 0.
    pub fn div(&self, divisor: &Ratio) -> Ratio {
        Ratio::new(self.numerator.mul(&divisor.denominator), self.denominator.mul(&divisor.numerator))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        self.numerator.mul(&other.denominator).cmp(&other.numerator.mul(&self.denominator))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator.is_one() {
            true => write!(f, "{}", self.numerator),
            false => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_in_lowest_terms() {
        let ratio = |n, d| Ratio::new(Int::from(n), Int::from(d));
        assert_eq!(ratio(6, -4), ratio(-3, 2));
        assert_eq!(ratio(1, 2).add(&ratio(1, 3)).to_string(), "5/6");
        assert_eq!(ratio(1, 2).mul(&ratio(4, 3)).div(&ratio(-2, 3)), Ratio::integer(Int::from(-1)));
        assert!(ratio(-1, 2) < ratio(-1, 3) && ratio(2, 6) == ratio(1, 3));
    }
}
