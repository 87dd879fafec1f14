//! From blocks to statements: what each computes from what, and which values take whose place.
pub mod accumulator;
pub mod decision;
pub mod errno;
pub mod local;
pub mod moves;
pub mod pick;
pub mod roots;
