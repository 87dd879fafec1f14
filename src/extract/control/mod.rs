//! For which iterations blocks run, and the parts of which only data says it.
pub mod divergent;
pub mod domain;
mod early;
pub mod guards;
pub mod subregion;
