//! Questions about one conjunction: is there a point, which is the least, what remains without these variables.
//!
//! Quick answers first (`guess`, `presolve`), then rational tableaus (`simplex`) and cuts or another basis of the lattice (`sample`, `probe`, `ilp`,
//! `lattice`); optima as functions of parameters by a tableau that splits on signs (`lexmin`, `lex_tableau`, `context`, `unknowns`).
pub(crate) mod context;
pub(crate) mod guess;
pub(crate) mod ilp;
pub(crate) mod lattice;
mod lex_tableau;
pub(crate) mod lexmin;
pub(crate) mod presolve;
pub(crate) mod probe;
pub(crate) mod project;
pub(crate) mod redundancy;
pub(crate) mod sample;
pub(crate) mod simplex;
mod tableau;
pub(crate) mod unknowns;
