//! How innermost loops are written that are more than their iterations.

mod blocks;
mod divergent;
mod guarded;
mod kept;
mod lanes;
mod packing;
mod reading;
mod replacing;
mod round;
mod ways;
