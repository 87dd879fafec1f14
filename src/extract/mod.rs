//! From SSA form to the model: the way in.
//!
//! [`candidates`](region::detect::candidates) finds the regions, [`extract`] turns one into a [`Scop`](crate::scop::Scop), which is plain data, and
//! a [`Binding`], which remembers the values and instructions behind its names; or it says no with a [`Refusal`]. Each room names those
//! above it only:
//!
//! - `region`: which parts of a function are loops and nothing else, and what differs between threads;
//! - `numbers`: integers as polynomials; each that is read comes with its *obligations*, what must hold for the polynomial to be the value, and
//!   `numbers::assumptions` is what was accepted of them: nothing else is assumed;
//! - `control`: for which iterations each block runs, and the parts of which only data says it;
//! - `reductions`: values that are updated again and again, or replaced as a whole, by SSA form alone;
//! - `statements`: stores and values that leave their instance, each with the operands that feed it;
//! - `memory`: dimensions, members and types of arrays, from the addresses of all accesses;
//! - `binding`: what ties a model to the program, as data for emission;
//! - `places`: which elements data decides about, what is known of them, and what can be found out before the loops;
//! - `model`: the last step.
//!
//! `ssa` says what instructions compute, and from what; `cures`, what a user could do about a refusal. (Grosser et al., "Polly", 2012; Trifunović et al., "GRAPHITE two years after", 2010.)
//!
//! Implements: 000 2.3.5

pub mod binding;
pub mod control;
mod cures;
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
pub use control::domain::Guards;
pub use memory::kept_within_rows;
pub use model::{Extents, Locals, ModelOptions, extract};
pub use numbers::assumptions::OfData;
pub use refusal::{Callee, Reason, Refusal, Setting};
pub use region::detect::{Candidate, Region, candidates};
pub use statements::errno::Threads;
