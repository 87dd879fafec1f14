//! From SSA form to the model: the way in.
//!
//! [`candidates`](region::detect::candidates) finds the regions, [`extract`] turns one into a [`Scop`](crate::scop::Scop), which is plain data, and
//! a [`Binding`], which remembers the values and instructions behind its names; or it says no with a [`Refusal`]. The steps:
//! `domain` follows the control flow and finds for which iterations each block runs; `drafts` splits the code into statements, each a
//! store (or a scalar that leaves its instance) with the operands that feed it; `shape` recovers the dimensions of arrays from
//! address polynomials; `affine` reads integers, `narrow` what is left of those that wrap, `pointers` how far pointers are apart;
//! `unknown`, `ranges` and `rows` say what is known of numbers that data gives, and `measure`
//! what can be found out about them. (Grosser et al., "Polly", 2012; Trifunović et al., "GRAPHITE two years after", 2010.)

pub mod binding;
pub mod control;
mod memory;
pub mod model;
pub mod numbers;
pub mod places;
pub mod reductions;
pub mod refusal;
pub mod region;
pub mod ssa;
pub mod statements;

pub use binding::Binding;
pub use model::{Beforehand, extract};
pub use refusal::{Reason, Refusal};
pub use region::detect::{Candidate, Region, candidates};
