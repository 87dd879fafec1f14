//! The way through the schedule tree: bands become loops, leaves become statements.
pub(crate) mod inside;
pub(crate) mod leaf;
pub(crate) mod limits;
pub(crate) mod notes;
pub(crate) mod scan;
pub(crate) mod steps;
pub(crate) mod troubles;
pub(crate) mod walk;
