//! What is tested before the loops: conditions on parameters, on data, on what the loops would touch.
pub mod guard;
pub mod inspection;
pub mod measure;
mod noted;
pub mod rows;
mod runs;
mod sampling;
mod sorting;
