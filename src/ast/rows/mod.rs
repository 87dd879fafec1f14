//! Rows of integers, between sets and expressions: regions, strides, bounds, guards, and the place where a loop is being made.
pub(crate) mod affine;
pub(crate) mod bounds;
pub(crate) mod guard;
pub(crate) mod invert;
pub(crate) mod place;
pub(crate) mod region;
pub(crate) mod statement;
pub(crate) mod stride;
