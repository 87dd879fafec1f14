//! The calculator at a terminal: a line editor with history around [`Calculator`].
//!
//! ```text
//! > A := [n] -> { [i] : 0 <= i < n };
//! > card
//! .. A;
//! [n] -> { n : n > 0 }
//! ```
//!
//! A line that ends in the middle of a statement goes on on the next one; an empty line gives it up. An error is shown and the session
//! goes on. Ctrl-C drops the line, ctrl-D ends the session; the lines are kept in a file in the home directory.

use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::{Calculator, Printed, syntax};

/// Name of the file of past lines, in the home directory.
const HISTORY: &str = ".loopwright_history";

/// Reads statements from the terminal until the end, and shows what they print.
pub fn interact(calculator: &mut Calculator, show: &mut dyn FnMut(&Printed)) -> Result<(), String> {
    let mut editor = DefaultEditor::new().map_err(|e| e.to_string())?;
    let history = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(HISTORY));
    if let Some(file) = &history {
        // There is none before the first session.
        let _ = editor.load_history(file);
    }
    let mut text = String::new();
    loop {
        match editor.readline(if text.is_empty() { "> " } else { ".. " }) {
            Ok(line) => {
                let given_up = line.trim().is_empty();
                text += &line;
                text.push('\n');
                if !given_up && is_unfinished(&text) {
                    continue;
                }
                // A line that cannot be kept is no reason to end the session.
                let _ = editor.add_history_entry(text.trim());
                if let Err(error) = calculator.run(&text, show) {
                    eprintln!("{error}");
                }
                text.clear();
            }
            Err(ReadlineError::Interrupted) => text.clear(),
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error.to_string()),
        }
    }
    if let Some(file) = &history {
        // A home directory that cannot be written to keeps no history.
        let _ = editor.save_history(file);
    }
    Ok(())
}

/// Whether more text may make it a program: what is wrong with it is that it ends.
fn is_unfinished(text: &str) -> bool {
    let end = text.trim_end().chars().count();
    syntax::parse(text.trim_end()).is_err_and(|failure| failure.at >= end || opens(text, failure.at))
}

/// Whether the error is at a brace or quote that is not closed.
fn opens(text: &str, at: usize) -> bool {
    let rest: String = text.chars().skip(at).collect();
    rest.starts_with('{') && rest.matches('{').count() > rest.matches('}').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_goes_on_until_it_is_whole() {
        let unfinished = ["A := ", "A := { [i] :", "print (1,", "lexmin", "last A before B"];
        let finished = ["A", "A := 1;", "A +;", "", "{ [i] : i >= }", "print \"a"];
        assert!(unfinished.iter().all(|text| is_unfinished(text)));
        assert!(finished.iter().all(|text| !is_unfinished(text)));
    }
}
