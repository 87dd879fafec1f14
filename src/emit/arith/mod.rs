//! Numbers of the new code: widths that do not wrap, formulas as instructions.
pub mod bounds;
pub mod formula;
pub mod linear;
pub mod ranges;
pub mod work;
