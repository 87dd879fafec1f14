//! Whether the bytes from a base to an address are a number, or only congruent to one.
//!
//! ```c
//! void f(size_t n, size_t s, double *a) { for (size_t i = 0; i < n; i++) a[i * s << 24] += 1; }
//! ```
//!
//! The offset `2^27 s i` is what the address is computed by modulo 2^64. With `s = 2^40` all of these are one element, while the model
//! knows as many as there are `i`. So an offset must be a number of 64 bits: because it is small; because the program says so of each
//! step of the computation, by flags without which the access would be undefined; or because a test before the loops finds it
//! to be (`Binding::wrapping`). Then the sum with the base does not wrap either: an address that is accessed is close to its base, as both
//! are within [`ADDRESSES`](super::parameters::ADDRESSES), and a number that is congruent to their distance but not equal is at least 2^63.

use super::affine::Affine;
use super::interval::Interval;
use super::number::Number;
use super::polynomial::Polynomial;
use crate::llvm::instruction::Address;

/// Addresses are computed modulo this.
pub(in crate::extract) const WHOLE: i128 = 1 << 64;

/// Steps of an address computation within plus or minus this are added to an address in an object without a promise: even hundreds of them lead to
/// no other object by way of a wrap.
const SMALL_STEP: i128 = 1 << 54;

/// The sum of the steps of an address computation.
pub(in crate::extract) struct Offset {
    number: Number,
    /// All steps but small ones stay inside of one object.
    is_inside: bool,
    /// No step takes an address around.
    is_promised: bool,
}

impl Offset {
    pub fn new() -> Self {
        let number = Number { polynomial: Polynomial::default(), exact: true, width: 64 };
        Offset { number, is_inside: true, is_promised: true }
    }

    /// With the bytes of one more step; `None` if a factor is too large.
    pub fn step(self, affine: &Affine<'_, '_, '_>, address: &Address<'_>, bytes: &Number) -> Option<Self> {
        let is_small = affine.interval(&bytes.polynomial).is_within(Interval::new(-SMALL_STEP, SMALL_STEP));
        let promised = address.inbounds || address.nusw;
        let exact = self.number.exact && (is_small || promised && bytes.exact);
        let polynomial = self.number.polynomial.add(&bytes.polynomial)?;
        Some(Offset {
            number: Number { polynomial, exact, width: 64 },
            is_inside: self.is_inside && (is_small || address.inbounds),
            is_promised: self.is_promised && promised && bytes.exact,
        })
    }

    /// With the bytes that are left when LLVM says what a pointer is computed from.
    pub fn rest(self, bytes: &Number) -> Option<Self> {
        let polynomial = self.number.polynomial.add(&bytes.polynomial)?;
        let number = Number { polynomial, exact: self.number.exact && bytes.exact, width: 64 };
        Some(Offset { number, is_promised: false, ..self })
    }

    /// The sum.
    pub fn known(self, affine: &Affine<'_, '_, '_>) -> Number {
        let exact = self.number.exact && (self.is_inside || self.is_promised);
        let number = Number { exact, ..self.number };
        Number { exact: affine.is_exact(&number), ..number }
    }
}
