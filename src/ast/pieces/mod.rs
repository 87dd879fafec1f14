//! Which loops one dimension becomes, and in which order: shadows of statements, apart or together, cut, shifted, unrolled.
pub(crate) mod count;
pub(crate) mod order;
pub(crate) mod piece;
pub(crate) mod separate;
pub(crate) mod shift;
pub(crate) mod unroll;
