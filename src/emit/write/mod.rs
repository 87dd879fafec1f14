//! Blocks and instructions of the new loops.
pub mod lives;
pub mod opaque;
pub mod pick;
pub mod statement;
pub mod writer;
