//! How many points, as numbers and as quasi-polynomials of the parameters; sums and bounds of these.
mod bernstein;
mod bound;
pub mod fold;
pub(crate) mod polynomial;
pub mod pw_qpolynomial;
pub mod summation;
pub mod union_qpolynomial;
