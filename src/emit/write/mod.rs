//! Blocks and instructions of the new loops.

mod behind;
pub mod cfg_copy;
pub mod ends;
pub mod frame;
mod innermost;
pub mod keeping;
pub mod lives;
pub mod loops;
pub mod opaque;
pub mod operators;
pub mod pick;
pub mod statement;
mod window;
pub mod writer;
pub(in crate::emit) mod written;
