//! Everything that is decided before the first instruction changes: nothing here writes code.

pub mod boxes;
pub mod decide;
pub mod decisions;
pub mod extremes;
pub mod guard;
pub mod innermost;
pub mod inspection;
pub mod library;
pub mod own;
pub mod privatization;
pub mod reduction;
pub mod rows;
pub mod storage;
pub mod times;
pub mod validation;
pub mod window;

pub use decisions::{Decisions, Plan, Settings, Verification};
