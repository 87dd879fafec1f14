//! What a schedule is searched for: statements, dependences as edges with generators, and what loops over them would cost.
pub(crate) mod bodies;
mod distance;
pub(crate) mod extent;
pub(crate) mod footprint;
pub(crate) mod graph;
pub(crate) mod linear;
pub(crate) mod problem;
pub(crate) mod reference;
pub(crate) mod text;
pub(crate) mod vector;
