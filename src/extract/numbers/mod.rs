//! From values of LLVM to integers of mathematics: polynomials, and what must hold for a value to be its polynomial.
pub mod affine;
pub mod assumptions;
pub mod index;
pub mod interval;
pub mod leaf;
pub mod number;
pub mod obligations;
pub mod offset;
pub mod parameters;
pub mod pieces;
pub mod pitches;
pub mod polynomial;
mod products;
pub mod reading;
pub mod scope;
pub mod unknown;
