//! Numbers that never wrap, rows and matrices of them, and what work on them costs.
pub mod budget;
pub mod int;
pub(crate) mod matrix;
pub mod ratio;
