//! Candidates: every way in which a region might run, as data, and which of them is taken.
//!
//! A histogram, `for (i = 0; i < n; i++) h[key[i]]++;`, for two threads:
//!
//!     the program as it is                                1 statement in sequential loops
//!     measured; the scheduler's order; copies of h        0 statements in sequential loops     <- the cheapest
//!     measured; the scheduler's order                     not looked at: a better one is there
//!
//! A [`Strategy`](strategy::Strategy) says which model of the region, which order, and which arrays threads have copies
//! of. `strategy` lists them in the order of preference, each one when it is known what came of those before.
//! `evaluate` makes a [`Candidate`] of a strategy, or says why it is [`Rejected`](strategy::Rejected); `attempt` does
//! so for one model, within what is allowed. `choose` takes the cheapest, by [`Cost`](cost::Cost), and keeps the
//! [`Trace`](trace::Trace) of all. `model` holds what is found out about the region once, however many strategies need
//! it. Nothing here changes the program.

mod attempt;
mod choose;
mod cost;
mod evaluate;
mod given;
mod model;
mod own;
mod strategy;
mod trace;

pub use attempt::Asked;
pub use choose::{Choice, Plan, choose};
pub use evaluate::Candidate;
pub use model::threads_of;
pub use model::{Model, read};
pub use strategy::first_model;
pub use trace::{Trace, Verdict as TriedVerdict};
