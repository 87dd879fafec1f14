//! From bands to loops: tiles, the vector loop, blocks of iterations in registers, and the schedule tree that they are.
mod apart;
pub(crate) mod backward;
pub(crate) mod bands;
pub(crate) mod block;
pub(crate) mod contraction;
pub(crate) mod costs;
mod moving;
pub(crate) mod neighbours;
pub(crate) mod nest;
pub(crate) mod original;
pub(crate) mod pipeline;
pub mod render;
pub(crate) mod strips;
pub(crate) mod tile;
pub(crate) mod time;
