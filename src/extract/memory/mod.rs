//! Arrays: their dimensions, their members, the types of their elements, and which of them may overlap.
pub mod entangled;
pub mod shape;
pub mod types;
