//! A number of so many bits, as a polynomial.
//!
//! `%m = mul i64 %n, %i` is congruent to the polynomial `n * i` modulo `2^64`, whatever the values; with `nsw` it is that product.

use super::polynomial::Polynomial;

/// An integer value.
#[derive(Clone, Debug)]
pub struct Number {
    pub polynomial: Polynomial,
    /// The polynomial's value is the value, read as a signed number, and not only congruent to it.
    pub exact: bool,
    /// In bits.
    pub width: u32,
}

impl Number {
    /// One that is the value of its polynomial.
    pub fn exactly(polynomial: Polynomial, width: u32) -> Self {
        Number { polynomial, exact: true, width }
    }

    /// One that is its polynomial modulo `2^width`.
    pub fn modulo(polynomial: Polynomial, width: u32) -> Self {
        Number { polynomial, exact: false, width }
    }

    pub fn constant(value: i128, width: u32) -> Self {
        Number::exactly(Polynomial::constant(value), width)
    }
}
