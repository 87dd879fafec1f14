//! How many points, as numbers and as quasi-polynomials of the parameters; sums and bounds of these.
//!
//! Implements: 002 3.9
mod bernstein;
mod bound;
pub mod fold;
pub(crate) mod polynomial;
pub mod pw_qpolynomial;
pub mod summation;
pub mod union_qpolynomial;
