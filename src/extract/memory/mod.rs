//! Arrays: their dimensions, their members, the types of their elements, which of them may overlap, and which always do.
pub mod entangled;
pub mod members;
pub mod overlap;
pub mod shape;
pub mod together;
pub mod types;
