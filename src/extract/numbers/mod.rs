//! From values of LLVM to integers of mathematics: polynomials, and what must hold for a value to be its polynomial.
pub mod affine;
pub mod cases;
pub mod narrow;
pub mod offset;
pub mod pointers;
pub mod polynomial;
pub mod unknown;
