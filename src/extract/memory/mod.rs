//! Arrays: their dimensions, their members, the types of their elements, which of them may overlap, and which always do.
pub mod entangled;
pub mod shape;
pub mod types;
