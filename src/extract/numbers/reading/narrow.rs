//! What a number is if it wraps around.
//!
//! ```c
//! for (int t = 0; t < n; t++) h[(t + 1) % 2] = x[t];
//! ```
//!
//! LLVM knows the subscript as a counter of one bit, `zext {1,+,1}<i1>`: the polynomial is `t + 1`, of which one bit is left. A number of
//! `w` bits is always its polynomial modulo `2^w`, a quasi-affine expression; where `w` is small, that is what it becomes
//! unless it is known to fit, `(t + 1) mod 2`. Counters and sizes of 32 bits and more are assumed not to wrap instead, as in
//! programs that mean something they do not, and without remainders dependences are simpler. What does not change in a number of more than a
//! few bits, as the `(short)n` that a loop counts down from, is a parameter instead of a remainder: loops with remainders of a parameter for
//! a bound run to the greatest one.

use super::Reading;
use super::extremes::{BELOW_HALF, LEAST_LIMIT, Room};
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::parameters::integer;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::Reason;
use crate::presburger::{PwAff, Set};

/// Numbers of so many bits are followed when they wrap around.
const MOST_BITS_TO_WRAP: u32 = 16;

/// Of so many bits, remainders of parameters are followed: a loop unrolled so many times ends at `n - n % 2^bits`, where another one goes on.
const MOST_BITS_OF_A_STEP: u32 = 6;

type Fallible<T> = Result<T, Reason>;

impl Reading<'_, '_, '_, '_> {
    /// The polynomial as an affine expression equal to the number, read with its sign: proved, or assumed, or of what is left when it wraps.
    pub(super) fn exact_aff(&self, number: &Number, what: &str) -> Fallible<PwAff> {
        let exact = self.exact(number.clone(), what)?;
        self.aff(&exact.polynomial)
    }

    /// The number read with its sign, made exact.
    pub(super) fn exact(&self, number: Number, what: &str) -> Fallible<Number> {
        if self.affine.is_exact(&number) {
            return Ok(Number { exact: true, ..number });
        }
        let range = Interval::signed(number.width);
        if is_narrow(number.width) {
            return self.wrapped(&number, range);
        }
        match self.aff(&number.polynomial) {
            Ok(value) => self.require(&self.points_within(&value, range), &format!("{what} does not wrap around")),
            Err(reason) => self.require_small(&number).ok_or(reason)?,
        }
        Ok(Number { exact: true, ..number })
    }

    /// Takes for granted that the factors of each product are so small that the sum of all products fits the number; not if it would not fit with
    /// sizes of programs.
    fn require_small(&self, number: &Number) -> Option<()> {
        // Nothing is asked of counters and sizes of half as many bits.
        let largest_counter = 1i128 << (number.width / 2);
        let greatest = |atom: &Atom| {
            let Interval { low, high } = self.affine.interval(&Polynomial::atom(*atom));
            Some(low?.abs().max(high?.abs())).filter(|most| *most <= largest_counter)
        };
        let mut open: Vec<(i128, Vec<Atom>)> = Vec::new();
        let mut sum = 0i128;
        for (atoms, factor) in number.polynomial.terms() {
            let (of_strides, atoms) = self.affine.without_strides(atoms);
            let known =
                atoms.iter().filter_map(greatest).try_fold(factor.abs(), |product, next| product.checked_mul(next));
            let most = known.and_then(|known| known.checked_mul(of_strides))?;
            let others: Vec<Atom> = atoms.into_iter().filter(|atom| greatest(atom).is_none()).collect();
            match others.is_empty() {
                true => sum = sum.checked_add(most)?,
                false => open.push((most, others)),
            }
        }
        let room = (1i128 << (number.width - 1)) - 1 - sum;
        if room < 0 {
            return None;
        }
        let room = Room::of(room, open.iter().map(|(most, others)| (others.len(), (*most).max(1))));
        for (_, others) in &open {
            let largest = nth_root(room.share(others.len()), others.len());
            if largest < LEAST_LIMIT {
                return None;
            }
            for atom in others {
                let value = self.affine.atom_aff(*atom, self.scope).ok()?;
                let fits = self.points_within(&value, Interval::new(-largest, largest));
                self.require(&fits, &format!("products of strides and counters fit {} bits", number.width));
            }
        }
        Some(())
    }

    /// Two numbers that are multiplied, as sizes where neither is a constant.
    pub(super) fn sizes(&self, a: Number, b: Number) -> (Number, Number) {
        match a.polynomial.as_constant().or(b.polynomial.as_constant()) {
            Some(_) => (a, b),
            None => (self.size(a), self.size(b)),
        }
    }

    /// A size, which another number multiplies: of `max(n, 0)`, as compilers know the length of a row, it is `n`, if that is not negative; of a sum, one number.
    pub(super) fn size(&self, number: Number) -> Number {
        let number = self.without_extreme(number);
        self.affine.as_one(&number).unwrap_or(number)
    }

    fn without_extreme(&self, number: Number) -> Number {
        let size = || {
            let (atom, value) = self.affine.only_unchanging(&number.polynomial)?;
            let [a, b] = value.pieces() else { return None };
            let (points, aff) = match (a.1.is_zero(), b.1.is_zero()) {
                (true, false) => b,
                (false, true) => a,
                _ => return None,
            };
            Some((points.clone(), number.polynomial.with(atom, &self.affine.polynomial_of(aff)?)?))
        };
        let Some((points, polynomial)) = size() else { return number };
        self.require(&points, "sizes are not negative");
        Number { polynomial, ..number }
    }

    /// The number read without a sign, made exact.
    pub(super) fn unsigned(&self, number: Number, what: &str) -> Fallible<Number> {
        let is_nonnegative = |number: &Number| self.affine.interval(&number.polynomial).is_nonnegative();
        if is_narrow(number.width) && !(self.affine.is_exact(&number) && is_nonnegative(&number)) {
            return self.wrapped(&number, Interval::new(0, (1 << number.width) - 1));
        }
        let has_products = || self.aff(&number.polynomial).is_err();
        if !(self.affine.is_exact(&number) && is_nonnegative(&number))
            && has_products()
            && self.attempt(|| self.require_between(&number).ok_or(())).is_ok()
        {
            return Ok(Number { exact: true, ..number });
        }
        let number = self.exact(number, what)?;
        if !is_nonnegative(&number) {
            let value = match self.aff(&number.polynomial) {
                Ok(value) => value,
                Err(reason) => return self.require_signs(&number).ok_or(reason).map(|()| number),
            };
            let is_distance = self.affine.is_distance(&number.polynomial);
            let why = if is_distance { "ranges do not end before they begin" } else { BELOW_HALF };
            self.require(&value.ge_set(&self.constant(0)), why);
        }
        Ok(number)
    }

    /// Takes for granted that no factor of a product is negative, nor any number that is added to products; not if something is taken away.
    fn require_signs(&self, number: &Number) -> Option<()> {
        for (atoms, factor) in number.polynomial.terms() {
            if factor < 0 {
                return None;
            }
            for atom in atoms {
                if !self.affine.interval(&Polynomial::atom(*atom)).is_nonnegative() {
                    let value = self.affine.atom_aff(*atom, self.scope).ok()?;
                    self.require(&value.ge_set(&self.constant(0)), BELOW_HALF);
                }
            }
        }
        Some(())
    }

    /// The lowest bits of the number, which are the same whether it wraps or not.
    pub(super) fn lowest_bits(&self, number: &Number, bits: u32, width: u32) -> Fallible<Number> {
        let part = Number { width: bits, exact: false, ..number.clone() };
        let range = Interval::new(0, (1 << bits) - 1);
        let is_whole = self.affine.is_exact(number) && self.affine.interval(&number.polynomial).is_within(range);
        let value = if is_whole { number.clone() } else { self.wrapped(&part, range)? };
        Ok(Number { width, ..value })
    }

    /// What the number is modulo 2^width, within a range of that size: its polynomial if that is there, else the remainder. Of many bits, what does not
    /// change in it becomes a parameter.
    pub(super) fn wrapped(&self, number: &Number, range: Interval) -> Fallible<Number> {
        let Number { width, .. } = *number;
        let read = |polynomial: Polynomial| Number { polynomial, exact: true, width };
        if self.is_always_within(&number.polynomial, range)? {
            return Ok(read(number.polynomial.clone()));
        }
        let mut polynomial = number.polynomial.clone();
        if width > MOST_BITS_OF_A_STEP {
            for range_of_parameter in [Interval::signed(width), range] {
                polynomial = self.affine.with_remainder(&number.polynomial, width, range_of_parameter)?;
                if self.is_always_within(&polynomial, range)? {
                    return Ok(read(polynomial));
                }
            }
            if polynomial.split_constant().1.is_zero() {
                let fits = self.points_within(&self.aff(&polynomial)?, range);
                self.require(&fits, &format!("a number of {width} bits does not wrap around"));
                return Ok(read(polynomial));
            }
        }
        let low = self.constant(range.low.unwrap_or(0));
        let rest = self.aff(&polynomial)?.sub(&low).mod_val(&integer(1 << width)).add(&low);
        Ok(self.quasi(rest, range, width))
    }

    /// Whether the value is in the range at all points of the scope.
    fn is_always_within(&self, polynomial: &Polynomial, range: Interval) -> Fallible<bool> {
        let outside = self.scope.domain.subtract(&self.points_within(&self.aff(polynomial)?, range));
        Ok(outside.intersect_params(&self.affine.context()).is_empty())
    }

    /// The points of the scope's space where the value is in the range.
    pub(super) fn points_within(&self, value: &PwAff, range: Interval) -> Set {
        let low = range.low.map(|low| value.ge_set(&self.constant(low)));
        let high = range.high.map(|high| value.le_set(&self.constant(high)));
        let all = Set::universe(&self.scope.space());
        low.into_iter().chain(high).fold(all, |points, side| points.intersect(&side))
    }
}

/// The greatest number of which so many factors give no more than the number.
fn nth_root(number: i128, n: usize) -> i128 {
    let is_within =
        |root: i128| (0..n).try_fold(1i128, |product, _| product.checked_mul(root)).is_some_and(|p| p <= number);
    let (mut low, mut high) = (0, number.max(0) + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_within(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Whether numbers of this width are followed when they wrap around, and what does not change in them is a parameter.
pub(super) fn is_more_than_a_step(width: u32) -> bool {
    is_narrow(width) && width > MOST_BITS_OF_A_STEP
}

/// Whether numbers of this width are followed when they wrap around.
pub(super) fn is_narrow(width: u32) -> bool {
    width <= MOST_BITS_TO_WRAP
}
