//! Loops that several threads share: outlined bodies, private copies, reductions, what threads do to `errno`.
pub mod apart;
pub mod errno;
pub mod openmp;
pub mod private;
pub mod reduction;
