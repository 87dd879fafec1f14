//! Numbers: one algorithm, several precisions.
//!
//! Every algorithm of this room is generic over [`Number`] and is run first on `i64`. An operation that leaves
//! the 64-bit range does not wrap and does not fail: it unwinds privately (payload [`Overflow`]) to the entry of the
//! public operation, which runs the same algorithm once more on [`Int`], whose values grow without bound. So
//! `{ [i] : 3000000000 i = 9000000000000000000 j }` is answered exactly, and everyday sets never pay for it.
//! The idea is that of whole-operation transprecision (Pitchanathan et al., "FPL: Fast Presburger Arithmetic through
//! Transprecision", OOPSLA 2021).

use super::budget::spend;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The private unwinding payload of a machine integer that left its range.
pub(crate) struct Overflow;

#[cold]
#[inline(never)]
fn overflow() -> ! {
    resume_unwind(Box::new(Overflow))
}

/// `f()`, or `None` if a machine integer overflowed on the way. Other unwinding passes through.
pub(crate) fn unless_overflow<R>(f: impl FnOnce() -> R) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => Some(result),
        Err(payload) if payload.is::<Overflow>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// An integer that is exact or unwinds with [`Overflow`].
pub(crate) trait Number: Clone + Eq + Ord + std::hash::Hash + fmt::Debug + fmt::Display + 'static {
    fn from_i64(value: i64) -> Self;
    fn from_int(value: &Int) -> Self;
    fn to_int(&self) -> Int;
    fn to_i64(&self) -> Option<i64>;
    /// A word for hashing: that of `-x` is minus that of `x`.
    fn word(&self) -> i64;
    fn zero() -> Self {
        Self::from_i64(0)
    }
    fn one() -> Self {
        Self::from_i64(1)
    }
    fn is_zero(&self) -> bool;
    fn is_one(&self) -> bool;
    /// -1, 0 or 1.
    fn sign(&self) -> i32;
    fn is_negative(&self) -> bool {
        self.sign() < 0
    }
    fn is_positive(&self) -> bool {
        self.sign() > 0
    }
    fn neg(&self) -> Self;
    fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    /// `self += a * b`
    fn add_mul(&mut self, a: &Self, b: &Self);
    /// `self * a + other * b`, the step of row combination.
    fn combine(&self, a: &Self, other: &Self, b: &Self) -> Self {
        let mut result = self.mul(a);
        result.add_mul(other, b);
        result
    }
    /// `row = row * a + other * b`, cell by cell.
    fn combine_rows(row: &mut [Self], a: &Self, other: &[Self], b: &Self) {
        if a.is_one() {
            row.iter_mut().zip(other).filter(|(_, y)| !y.is_zero()).for_each(|(x, y)| x.add_mul(y, b));
        } else {
            row.iter_mut().zip(other).for_each(|(x, y)| *x = x.combine(a, y, b));
        }
    }
    /// Quotient rounded towards minus infinity; the divisor is not 0.
    fn div_floor(&self, divisor: &Self) -> Self;
    /// Quotient rounded towards plus infinity; the divisor is not 0.
    fn div_ceil(&self, divisor: &Self) -> Self {
        self.neg().div_floor(divisor).neg()
    }
    /// Quotient where the divisor is known to divide.
    fn div_exact(&self, divisor: &Self) -> Self;
    /// `self - divisor * div_floor(self, divisor)`: in `0..divisor` for a positive divisor.
    fn rem_floor(&self, divisor: &Self) -> Self;
    fn is_divisible_by(&self, divisor: &Self) -> bool {
        self.rem_floor(divisor).is_zero()
    }
    /// The non-negative greatest common divisor; `gcd(0, 0) = 0`.
    fn gcd(&self, other: &Self) -> Self;
    fn lcm(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        self.div_exact(&self.gcd(other)).mul(other).abs()
    }
}

macro_rules! machine_number {
    ($type:ty, $unsigned:ty) => {
        impl Number for $type {
            #[inline]
            fn from_i64(value: i64) -> Self {
                value as $type
            }
            fn from_int(value: &Int) -> Self {
                match value {
                    Int::Small(small) => *small as $type,
                    Int::Large(large) => <$type>::try_from(&**large).unwrap_or_else(|_| overflow()),
                }
            }
            fn to_int(&self) -> Int {
                match i64::try_from(*self) {
                    Ok(small) => Int::Small(small),
                    Err(_) => Int::Large(Box::new(BigInt::from(*self))),
                }
            }
            #[inline]
            fn to_i64(&self) -> Option<i64> {
                i64::try_from(*self).ok()
            }
            #[inline]
            fn word(&self) -> i64 {
                *self as i64
            }
            #[inline]
            fn is_zero(&self) -> bool {
                *self == 0
            }
            #[inline]
            fn is_one(&self) -> bool {
                *self == 1
            }
            #[inline]
            fn sign(&self) -> i32 {
                self.signum() as i32
            }
            #[inline]
            fn neg(&self) -> Self {
                self.checked_neg().unwrap_or_else(|| overflow())
            }
            #[inline]
            fn add(&self, other: &Self) -> Self {
                self.checked_add(*other).unwrap_or_else(|| overflow())
            }
            #[inline]
            fn sub(&self, other: &Self) -> Self {
                self.checked_sub(*other).unwrap_or_else(|| overflow())
            }
            #[inline]
            fn mul(&self, other: &Self) -> Self {
                self.checked_mul(*other).unwrap_or_else(|| overflow())
            }
            #[inline]
            fn add_mul(&mut self, a: &Self, b: &Self) {
                *self = a.checked_mul(*b).and_then(|p| self.checked_add(p)).unwrap_or_else(|| overflow());
            }
            #[inline]
            fn div_floor(&self, divisor: &Self) -> Self {
                let quotient = self.checked_div(*divisor).unwrap_or_else(|| overflow());
                if (self % divisor != 0) && ((*self < 0) != (*divisor < 0)) { quotient - 1 } else { quotient }
            }
            #[inline]
            fn div_exact(&self, divisor: &Self) -> Self {
                self.checked_div(*divisor).unwrap_or_else(|| overflow())
            }
            #[inline]
            fn rem_floor(&self, divisor: &Self) -> Self {
                let remainder = self.checked_rem(*divisor).unwrap_or(0);
                if remainder != 0 && ((remainder < 0) != (*divisor < 0)) { remainder + divisor } else { remainder }
            }
            /// One test for overflow at the end, so that the loop has no branches.
            fn combine_rows(row: &mut [Self], a: &Self, other: &[Self], b: &Self) {
                let mut wrapped = false;
                for (x, y) in row.iter_mut().zip(other) {
                    let (p, p_wrapped) = x.overflowing_mul(*a);
                    let (q, q_wrapped) = y.overflowing_mul(*b);
                    let (sum, sum_wrapped) = p.overflowing_add(q);
                    *x = sum;
                    wrapped |= p_wrapped | q_wrapped | sum_wrapped;
                }
                if wrapped {
                    overflow();
                }
            }
            /// By Euclid's division while a number is longer than a word.
            fn gcd(&self, other: &Self) -> Self {
                let (mut a, mut b) = (self.unsigned_abs(), other.unsigned_abs());
                if a == 1 || b == 1 {
                    return 1;
                }
                while (a | b) >> 32 >> 32 != 0 && b != 0 {
                    (a, b) = (b, a % b);
                }
                let divisor = if b == 0 { a } else { <$unsigned>::from(gcd_of_words(a as u64, b as u64)) };
                <$type>::try_from(divisor).unwrap_or_else(|_| overflow())
            }
        }
    };
}

/// One division first, which often leaves nothing: cells of a row share a factor, and one cell is a multiple of what divides those before. Then Stein's
/// binary algorithm.
fn gcd_of_words(a: u64, b: u64) -> u64 {
    let (large, small) = if a < b { (b, a) } else { (a, b) };
    if small == 0 || large % small == 0 {
        return if small == 0 { large } else { small };
    }
    let (mut a, mut b) = (small, large % small);
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << twos
}

machine_number!(i64, u64);
machine_number!(i128, u128);

/// An integer of any size: a machine word while it fits, else big. The two forms never overlap.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits 64 bits.
    Small(i64),
    /// Does not fit 64 bits.
    Large(Box<BigInt>),
}

impl Int {
    fn big(&self) -> Cow<'_, BigInt> {
        match self {
            Int::Small(small) => Cow::Owned(BigInt::from(*small)),
            Int::Large(large) => Cow::Borrowed(large),
        }
    }

    /// The result of an operation that left the word, or began outside it: such operations are charged by their size.
    fn from_big(value: BigInt) -> Int {
        let words = value.bits() / 64;
        spend(BIG + words + words * words / 8);
        match value.to_i64() {
            Some(small) => Int::Small(small),
            None => Int::Large(Box::new(value)),
        }
    }

    /// The value as a machine integer where it fits one.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Int::Small(small) => Some(*small),
            Int::Large(_) => None,
        }
    }
}

/// Work units of one operation on numbers beyond the word: an allocation or two.
const BIG: u64 = 8;

fn sign_of(large: &BigInt) -> i32 {
    if large.is_negative() { -1 } else { 1 }
}

macro_rules! int_operation {
    ($name:ident, $checked:ident, $operator:tt) => {
        #[inline]
        fn $name(&self, other: &Self) -> Self {
            if let (Int::Small(a), Int::Small(b)) = (self, other) {
                if let Some(result) = a.$checked(*b) {
                    return Int::Small(result);
                }
            }
            Int::from_big(&*self.big() $operator &*other.big())
        }
    };
}

impl Number for Int {
    fn from_i64(value: i64) -> Self {
        Int::Small(value)
    }
    fn from_int(value: &Int) -> Self {
        value.clone()
    }
    fn to_int(&self) -> Int {
        self.clone()
    }
    fn to_i64(&self) -> Option<i64> {
        self.as_i64()
    }
    fn word(&self) -> i64 {
        match self {
            Int::Small(small) => *small,
            Int::Large(large) => {
                let low = large.iter_u64_digits().next().unwrap_or(0) as i64;
                if large.is_negative() { low.wrapping_neg() } else { low }
            }
        }
    }
    fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }
    fn is_one(&self) -> bool {
        matches!(self, Int::Small(1))
    }
    fn sign(&self) -> i32 {
        match self {
            Int::Small(small) => small.signum() as i32,
            Int::Large(large) => sign_of(large),
        }
    }
    fn neg(&self) -> Self {
        match self {
            Int::Small(small) if *small != i64::MIN => Int::Small(-small),
            _ => Int::from_big(-&*self.big()),
        }
    }
    int_operation!(add, checked_add, +);
    int_operation!(sub, checked_sub, -);
    int_operation!(mul, checked_mul, *);
    fn add_mul(&mut self, a: &Self, b: &Self) {
        *self = self.add(&a.mul(b));
    }
    fn div_floor(&self, divisor: &Self) -> Self {
        if let (Int::Small(a), Int::Small(b)) = (self, divisor)
            && *b != -1
        {
            return Int::Small(Number::div_floor(a, b));
        }
        Int::from_big(Integer::div_floor(&*self.big(), &*divisor.big()))
    }
    fn div_exact(&self, divisor: &Self) -> Self {
        Number::div_floor(self, divisor)
    }
    fn rem_floor(&self, divisor: &Self) -> Self {
        if let (Int::Small(a), Int::Small(b)) = (self, divisor) {
            return Int::Small(a.rem_floor(b));
        }
        Int::from_big(self.big().mod_floor(&divisor.big()))
    }
    fn gcd(&self, other: &Self) -> Self {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && *a != i64::MIN
            && *b != i64::MIN
        {
            return Int::Small(Number::gcd(a, b));
        }
        Int::from_big(big_gcd(&self.big(), &other.big()))
    }
}

/// By Euclid's division first: cells of a row that was combined share a large factor, and then the cell is a multiple
/// of the divisor found so far, which one division tells; the binary algorithm takes two steps for each of its bits to
/// see that.
fn big_gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (large, small) = if a.magnitude() < b.magnitude() { (b, a) } else { (a, b) };
    if small.is_zero() {
        return large.abs();
    }
    let rest = large % small;
    match (small.to_i64(), rest.to_i64()) {
        (_, Some(0)) => small.abs(),
        (Some(small), Some(rest)) if small != i64::MIN && rest != i64::MIN => Number::gcd(&small, &rest).into(),
        _ => Integer::gcd(small, &rest),
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Large(a), Int::Large(b)) => a.cmp(b),
            (Int::Small(_), Int::Large(b)) => 0.cmp(&sign_of(b)),
            (Int::Large(a), Int::Small(_)) => sign_of(a).cmp(&0),
        }
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Int::Small(value)
    }
}

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        Int::from_big(value)
    }
}

impl Default for Int {
    fn default() -> Self {
        Int::Small(0)
    }
}

impl std::str::FromStr for Int {
    type Err = num_bigint::ParseBigIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<BigInt>().map(Int::from_big)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Small(small) => write!(f, "{small}"),
            Int::Large(large) => write!(f, "{large}"),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_against_big(a: i64, b: i64) {
        let (x, y) = (Int::from(a), Int::from(b));
        assert_eq!(*x.mul(&y).big(), BigInt::from(a) * BigInt::from(b));
        assert_eq!(*x.add(&y).big(), BigInt::from(a) + BigInt::from(b));
        assert_eq!(*x.sub(&y).big(), BigInt::from(a) - BigInt::from(b));
        assert_eq!(*Number::gcd(&x, &y).big(), Integer::gcd(&BigInt::from(a), &BigInt::from(b)));
        if b != 0 {
            assert_eq!(*Number::div_floor(&x, &y).big(), Integer::div_floor(&BigInt::from(a), &BigInt::from(b)));
            assert_eq!(*x.rem_floor(&y).big(), BigInt::from(a).mod_floor(&BigInt::from(b)));
        }
    }

    #[test]
    fn arithmetic_is_exact_at_the_edges_of_the_word() {
        let edges = [i64::MIN, i64::MIN + 1, -7, -3, -1, 0, 1, 2, 3, 7, i64::MAX - 1, i64::MAX];
        for a in edges {
            for b in edges {
                check_against_big(a, b);
                let wide = |f: fn(&i64, &i64) -> i64| unless_overflow(|| f(&a, &b)).map(Int::from);
                let exact = Int::from(a).mul(&Int::from(b));
                assert_eq!(wide(Number::mul), exact.as_i64().map(Int::from));
            }
        }
    }

    #[test]
    fn divisors_beyond_the_word_are_those_of_the_binary_algorithm() {
        let factors = [1, 2, 12, 1_009, i64::MAX, i64::MIN].map(BigInt::from);
        let mut products = factors.to_vec();
        for factor in &factors {
            products = products.iter().flat_map(|product| [product.clone(), product * factor]).collect();
        }
        for a in &products {
            for b in &products {
                assert_eq!(big_gcd(a, b), Integer::gcd(a, b), "{a} and {b}");
            }
            assert_eq!(big_gcd(a, &BigInt::zero()), a.abs());
        }
    }

    #[test]
    fn large_values_come_back_to_words() {
        let large = Int::from(i64::MAX).mul(&Int::from(4));
        assert!(large.as_i64().is_none() && !large.is_zero());
        assert_eq!(large.div_exact(&Int::from(4)), Int::from(i64::MAX));
    }
}
