//! Loopwright: a polyhedral loop optimizer that loads into stock LLVM with one flag.

/// Sets are rows of a few numbers, by the million.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub mod c_program;
pub mod calc;
pub mod dependence;
pub mod drawing;
pub mod fortran;
pub mod ids;
pub mod presburger;
pub mod schedule;
pub mod scop;

pub mod ast;

pub mod bisect;
pub mod counters;
pub mod guide;
pub mod machine;
pub mod options;
pub mod page;
pub mod report;
pub mod reproducer;
pub mod selection;

#[cfg(feature = "llvm")]
pub mod allowance;
#[cfg(feature = "llvm")]
pub mod annotations;
#[cfg(feature = "llvm")]
pub mod candidate;
#[cfg(feature = "llvm")]
pub mod emit;
#[cfg(feature = "llvm")]
pub mod extract;
#[cfg(feature = "host")]
#[allow(unsafe_code)]
pub mod host;
#[cfg(feature = "llvm")]
#[allow(unsafe_code)]
pub mod llvm;
#[cfg(feature = "llvm")]
pub mod pipeline;
#[cfg(feature = "llvm")]
pub mod plugin;
#[cfg(feature = "llvm")]
pub mod prepare;
#[cfg(feature = "llvm")]
pub mod printers;
#[cfg(feature = "llvm")]
pub mod record;
#[cfg(feature = "llvm")]
pub mod remarks;
#[cfg(feature = "llvm")]
pub mod stages;

#[cfg(test)]
mod property;
#[cfg(test)]
mod tidy;
#[cfg(feature = "llvm")]
mod versions;
