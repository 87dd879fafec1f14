//! The text of a program without comments, and where its regions are marked.
//!
//! `A[i] = 0; /* first */` becomes as many characters without the words in the comment, so that places stay what they are.

use super::Wrong;
use crate::presburger::ParseError;
use std::ops::Range;

/// A program that can be parsed.
pub struct Source {
    /// The text without comments and directives: spaces are in their places.
    pub plain: String,
    /// What stands between `#pragma scop` and `#pragma endscop`.
    pub marked: Vec<Range<usize>>,
}

impl Source {
    /// The source of a text.
    ///
    /// # Errors
    /// At a directive that only a preprocessor understands, or a mark without its other half.
    pub fn of(text: &str) -> Result<Source, Wrong> {
        let mut plain = without_comments(text);
        let (mut marked, mut open, mut start) = (Vec::new(), None, 0);
        for line in text.split_inclusive('\n') {
            let range = start..start + line.len();
            start = range.end;
            let own = String::from_utf8_lossy(&plain[range.clone()]).to_string();
            let Some(directive) = own.trim().strip_prefix('#') else { continue };
            let words: Vec<&str> = directive.split_whitespace().collect();
            match (&words[..], open) {
                (["pragma", "scop"], None) => open = Some(range.end),
                (["pragma", "endscop"], Some(first)) => {
                    marked.push(first..range.start);
                    open = None;
                }
                (["pragma", "scop" | "endscop"], _) => {
                    return Err(Wrong::at(range.start, "this mark is without its other half"));
                }
                (["pragma", ..], _) => {}
                ([first, ..], _) if first.chars().all(|c| c.is_ascii_digit()) => {}
                _ => return Err(Wrong::at(range.start, "a preprocessor has to run before: cc -E")),
            }
            plain[range].iter_mut().filter(|c| **c != b'\n').for_each(|c| *c = b' ');
        }
        match open {
            Some(at) => Err(Wrong::at(at, "this region is never closed")),
            None => Ok(Source { plain: String::from_utf8_lossy(&plain).to_string(), marked }),
        }
    }
}

/// The bytes of a text with spaces where it has comments (and where it is not ASCII, outside of what matters here).
fn without_comments(text: &str) -> Vec<u8> {
    let mut plain: Vec<u8> = text.bytes().map(|c| if c.is_ascii() { c } else { b'?' }).collect();
    let mut at = 0;
    while at < plain.len() {
        let end = match &plain[at..] {
            [b'/', b'/', rest @ ..] => at + 2 + rest.iter().position(|c| *c == b'\n').unwrap_or(rest.len()),
            [b'/', b'*', rest @ ..] => {
                at + 2 + rest.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |length| length + 2)
            }
            [quote @ (b'"' | b'\''), ..] => {
                let quote = *quote;
                at += 1;
                while at < plain.len() && plain[at] != quote && plain[at] != b'\n' {
                    at += if plain[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        plain[at..end].iter_mut().filter(|c| **c != b'\n').for_each(|c| *c = b' ');
        at = end;
    }
    plain
}

/// The line and the column of a place, from 1.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|c| **c == b'\n').count() + 1;
    (line, before.iter().rev().take_while(|c| **c != b'\n').count() + 1)
}

/// A message about a place in a text.
pub fn error_at(text: &str, at: usize, message: String) -> ParseError {
    let (line, column) = line_and_column(text, at);
    ParseError { message, line, column, text: text.lines().nth(line - 1).unwrap_or_default().to_string() }
}
