//! The calculator: the language of iscc over the engine.
//!
//! ```text
//! R := [n] -> { S[i] -> A[i + 1] : 0 <= i < n };
//! S := { S[i] : i >= 2 };
//! R(S);                        # application: [n] -> { A[o0] : 3 <= o0 <= n }
//! dom (R ->* { A[5] });        # those that touch A[5]
//! print lexmin (R^-1);
//! ```
//!
//! A statement that is an expression prints its value on a line. Sets and relations are those of the engine; the operators and
//! functions are listed in `functions` and `evaluate` with what they mean. Each error has a place: its text shows the line
//! with a caret below the word at fault. The language is that of Verdoolaege's iscc (its tutorial names the operations).

mod dataflow;
mod evaluate;
#[cfg(test)]
mod examples;
mod expressions;
mod functions;
#[cfg(test)]
mod inventory;
mod lexer;
mod operand;
mod operations;
#[cfg(test)]
mod robust;
mod schedule;
pub mod shell;
mod syntax;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::presburger::ParseError;
pub use operations::{answer, serve};
pub use value::{Value, Wrong};

/// An error at a character of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    at: usize,
    message: String,
}

impl Failure {
    fn at(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }
}

/// The failure with its place in the program.
fn placed(program: &str, failure: Failure) -> ParseError {
    let before: String = program.chars().take(failure.at).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    let text = program.split('\n').nth(line - 1).unwrap_or_default().to_string();
    ParseError { message: failure.message, line, column, text }
}

/// A running calculator: the variables that have been assigned, and where files are looked for.
#[derive(Clone, Debug, Default)]
pub struct Calculator {
    variables: BTreeMap<String, Value>,
    directory: PathBuf,
    sources: usize,
    /// How often the value of a printed expression is computed.
    repetitions: usize,
}

/// A value that a program prints, and how long it took to compute: the best time of all repetitions.
#[derive(Clone, Debug)]
pub struct Printed {
    pub value: Value,
    pub time: Duration,
}

/// Deepest nesting of `source` and `read`: far beyond use, and a file that reads itself ends in an error.
const DEEPEST_SOURCE: usize = 20;

impl Calculator {
    /// A calculator that looks for files in `directory`.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), ..Self::default() }
    }

    /// The same calculator, which computes each printed value `repetitions` times.
    pub fn repeating(self, repetitions: usize) -> Self {
        Self { repetitions, ..self }
    }

    /// Runs a program: `show` gets each printed value as soon as it is known.
    pub fn run(&mut self, program: &str, show: &mut dyn FnMut(&Printed)) -> Result<(), ParseError> {
        let statements = syntax::parse(program).map_err(|failure| placed(program, failure))?;
        for statement in &statements {
            let broken = |Wrong(message)| Failure::at(statement.at, message);
            let outcome = operations::unless_panic(|| Ok(self.execute(statement, show))).map_err(broken);
            outcome.and_then(|done| done).map_err(|failure| placed(program, failure))?;
        }
        Ok(())
    }
}
