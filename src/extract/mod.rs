//! From SSA form to the model: the way in.
//!
//! [`candidates`](detect::candidates) finds the regions, [`extract`] turns one into a [`Scop`](crate::scop::Scop), which is plain data, and
//! a [`Binding`], which remembers the values and instructions behind its names; or it says no with a [`Refusal`]. The steps:
//! `domain` follows the control flow and finds for which iterations each block runs; `roots` splits the code into statements, each a
//! store (or a scalar that leaves its instance) with the operands that feed it; `shape` recovers the dimensions of arrays from
//! address polynomials; `affine` reads integers, `narrow` what is left of those that wrap, `pointers` how far pointers are apart;
//! `unknown`, `ranges` and `rows` say what is known of numbers that data gives, and `measure`
//! what can be found out about them. (Grosser et al., "Polly", 2012; Trifunović et al., "GRAPHITE two years after", 2010.)

mod accumulator;
pub mod affine;
pub mod binding;
mod cases;
mod decision;
pub mod detect;
pub mod domain;
mod entangled;
mod errno;
mod indirect;
mod local;
pub mod measure;
mod members;
pub mod model;
mod moves;
mod narrow;
mod offset;
pub mod opaque;
mod outside;
mod overlap;
pub mod pick;
mod pointers;
pub mod polynomial;
mod ranges;
mod reduction;
pub mod refusal;
pub mod roots;
mod rows;
pub mod shape;
mod threads;
mod types;
pub mod unknown;
mod update;

pub use binding::Binding;
pub use detect::{Candidate, Region, candidates};
pub use model::{Beforehand, extract};
pub use refusal::{Reason, Refusal};
