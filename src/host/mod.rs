//! Where we own the module: whole programs built, compiled and run inside of this process.
//!
//! Inside a pass, LLVM owns the context and the module, and `llvm/` borrows both. Here nobody else does, so that inkwell, which frees what it
//! wraps, is the right library: [`lower`] builds functions with it, [`run`] compiles and calls them. Between the two worlds goes text: what inkwell
//! has built is printed, our stages read it ([`compare::transformed`]), and inkwell reads what they made of it.
//!
//! The users of this room are the differential fuzzer, `loopwright-fuzz`, and the tests of `emit/`: [`random`] invents a [`program`], or a test writes one
//! down, which is run as it is and as the plugin leaves it, with one and with several threads, on memory that ends where a page without access begins;
//! every byte must be the same. [`shrink`] makes what differs small. [`standalone`] makes programs for tools that watch whole processes.

pub mod compare;
mod extents;
mod features;
mod lower;
pub mod program;
pub mod random;
mod run;
pub mod shrink;
pub mod standalone;
pub mod tally;

#[cfg(test)]
mod tests;
