//! From bands to loops: tiles, the vector loop, blocks of iterations in registers, and the schedule tree that they are.

/// The mark of a loop that runs in order with several values of an outer one written out in it: `y[i] += A[i][j] * x[j]` for eight values of `i`
/// reads eight rows of `A`, each a stream that the processor sees coming only if each has a load of its own.
pub const STREAMS: &str = "streams";

pub(crate) mod block;
pub(crate) mod contraction;
pub(crate) mod nest;
pub(crate) mod original;
pub mod render;
pub(crate) mod tile;
pub(crate) mod time;
