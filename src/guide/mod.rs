//! The book: how to use Loopwright, from one loop to a whole build.
//!
//! | page | is about |
//! |---|---|
//! | [`tutorial`] | one loop: what is said of it, what it becomes, how to see that it is right and that it pays |
//! | [`builds`] | make, CMake, Meson, cargo; Fortran and Rust; words in the source |
//! | [`options`] | every option, with an example and what it does there |
//! | [`refusals`] | every reason why a loop nest is left as it was, with a program and a cure |
//! | [`models`] | how to read what the printers show: domains, accesses, dependences, schedule trees, loops |
//! | [`polly`] | the flags of Polly, one by one, and what there is here instead |
//!
//! The pages on options and refusals are written by `tests.rs` from the table of options and the enumeration of reasons, so that none can be missing; the
//! commands in all pages are run by `scripts/check-guide`, and what they print is compared with what the page shows. `cargo doc --no-deps --open` shows the book.

#[doc = include_str!("tutorial.md")]
pub mod tutorial {}

#[doc = include_str!("builds.md")]
pub mod builds {}

#[doc = include_str!("options.md")]
pub mod options {}

#[doc = include_str!("refusals.md")]
pub mod refusals {}

#[doc = include_str!("models.md")]
pub mod models {}

#[doc = include_str!("polly.md")]
pub mod polly {}

#[cfg(all(test, feature = "llvm"))]
mod tests;
