//! The notation of sets and relations, read and written.
//!
//! Implements: 002 3.1, 3.4
mod lexer;
mod meaning;
pub mod parse;
mod parse_polynomial;
pub(crate) mod print;
mod print_fold;
pub(crate) mod print_polynomial;
mod print_types;
mod syntax;
