//! From values of LLVM to integers of mathematics: polynomials, and what must hold for a value to be its polynomial.
pub mod affine;
pub mod assumptions;
pub mod cases;
mod condition;
pub mod interval;
mod narrow;
pub mod number;
pub mod obligations;
pub mod offset;
mod operation;
pub mod parameters;
mod pointers;
pub mod polynomial;
pub mod reading;
mod recurrence;
pub mod scope;
pub mod unknown;
