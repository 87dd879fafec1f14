//! Blocks and instructions of the new loops.

pub mod cfg_copy;
pub mod ends;
pub mod frame;
mod guarded_loop;
pub mod keeping;
pub mod kept_loop;
pub mod lives;
pub mod loops;
pub mod opaque;
pub mod operators;
mod packing_loop;
pub mod pick;
mod replacing_loop;
pub mod statement;
pub mod writer;
