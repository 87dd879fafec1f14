//! The program language of the exact model: loops, `if`, and assignments to elements of arrays, as a fragment of Fortran.
//!
//! ```text
//! program max
//!   r = 0
//!   do i = 1, n
//!     if (r < x(i)) then
//!       r = x(i)
//!     endif
//!   enddo
//! end
//! ```
//!
//! `exit` and `cycle` leave loops, also those that they name (`outer: do i = 1, n`), and loops may end at a numbered statement (`do 10 i = 1, n`). `sqrt`, `exp`, `log`, `sin`, `cos`,
//! `abs`, `min`, `max`, `mod`, `real` and `int` are functions, unless they are declared to be something else.
//!
//! Bounds of loops and subscripts are affine in the variables of the loops around and in structure parameters, with `min`, `max`, `abs`, division by numbers and `mod` (the last two round
//! down). Conditions may be anything: what is not affine is a condition on data. [`parse`] makes a model of it, whose statements are called `S1`, `S2`, ... (or by
//! their labels, `Swap: t = a(j)`), those that compute conditions `P1`, ..., and those
//! that say or ask whether loops go on `W1`, ...
//!
//! Implements: 004 2, 6

mod affine;
mod loops;
mod model;
mod names;
mod reader;
mod syntax;
mod terms;
mod ways;
mod words;

use crate::presburger::ParseError;
use crate::scop::{self, Scop};

/// What files with such programs end in.
const ENDINGS: [&str; 3] = ["f", "f90", "for"];

/// Whether a file of this name holds a program of this language.
pub fn is_program(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, end)| ENDINGS.contains(&end.to_ascii_lowercase().as_str()))
}

/// The model of a program, which stands in a file of this name.
///
/// # Errors
/// What is no program of the language, at its place in the text.
pub fn parse(text: &str, file: &str) -> Result<Scop, ParseError> {
    let program = syntax::parse(text)?;
    let scop = model::model(&program, file, text)?;
    let first = |message: String| ParseError { message, line: 1, column: 1, text: String::new() };
    scop::verify(&scop).map_err(|violation| first(violation.message))?;
    Ok(scop)
}

#[cfg(test)]
mod tests;
