//! How innermost loops are written that are more than their iterations.

mod blocks;
mod guarded;
mod kept;
mod packing;
mod replacing;
