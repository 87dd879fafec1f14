//! Numbers of the new code: widths that do not wrap, formulas as instructions.
pub mod bounds;
mod executed;
pub mod formula;
pub mod linear;
pub mod pieces;
pub mod ranges;
pub mod work;
