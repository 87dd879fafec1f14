//! What innermost loops are written with, beside their iterations.

pub mod guarded;
pub mod kept;
pub mod replacing;
