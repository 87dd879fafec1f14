//! Where loops are, and for which iterations each block of theirs runs.
pub mod detect;
pub mod domain;
pub mod opaque;
pub mod outside;
pub mod threads;
