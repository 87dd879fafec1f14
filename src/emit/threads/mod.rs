//! Loops that several threads share: outlined bodies, whether they have enough to do, pipelines, private copies, reductions, what threads do to `errno`, no cancellation inside, signals.
pub mod apart;
mod cancellation;
pub mod errno;
mod fork;
pub mod openmp;
mod own;
mod pipeline;
pub mod private;
mod signals;
mod worth;
