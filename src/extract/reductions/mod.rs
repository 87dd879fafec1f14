//! Updates whose order does not matter.
pub mod reduction;
pub mod update;
