//! Roots and operand trees: from blocks to statements.
pub mod accumulator;
mod address;
pub mod builder;
pub mod cases;
pub mod drafts;
pub mod errno;
pub mod held;
pub mod local;
mod members;
mod phi;
pub mod phi_cycles;
pub mod root;
mod sites;
mod subregion;
mod tree;

pub use subregion::ITERATIONS;
