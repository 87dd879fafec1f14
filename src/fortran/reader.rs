//! The way through the words of a program: what comes next, and whether it is what is expected.
//!
//! ```text
//! end do outer          is_keyword("enddo"): two words; then the name `outer`; then the end of the line
//! ```

use super::words::{Place, Word, error_at};
use crate::presburger::ParseError;
use std::collections::BTreeSet;

/// Deepest nesting of statements and of expressions: far beyond any program, far below any stack.
const DEEPEST: usize = 100;

/// A loop of which the end has not been read.
pub struct Open {
    pub name: Option<String>,
    /// The number of the statement that ends it: `do 10 i = 1, n`.
    pub end: Option<i64>,
    /// How deep its body is nested.
    pub depth: usize,
}

pub struct Reader<'t> {
    pub text: &'t str,
    pub words: Vec<(Word, Place)>,
    pub at: usize,
    pub depth: usize,
    /// The names that declarations are about.
    pub declared: BTreeSet<String>,
    /// The loops around, outermost first.
    pub loops: Vec<Open>,
    /// The number in front of the statement that was read last.
    pub number: Option<i64>,
    /// The number of the statement that has just ended loops, while the loops that it ends are being left.
    pub ended: Option<i64>,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str, words: Vec<(Word, Place)>) -> Reader<'t> {
        let (declared, loops) = (BTreeSet::new(), Vec::new());
        Reader { text, words, at: 0, depth: 0, declared, loops, number: None, ended: None }
    }

    pub fn peek(&self) -> &Word {
        &self.words[self.at].0
    }

    pub fn place(&self) -> Place {
        self.words[self.at].1
    }

    pub fn next(&mut self) -> Word {
        let word = self.peek().clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    pub fn error(&self, message: impl Into<String>) -> ParseError {
        error_at(self.text, self.place(), message)
    }

    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Word::Sign(here) if *here == sign)
    }

    /// Whether the keyword comes next, written in one word or in two.
    pub fn is_keyword(&self, keyword: &str) -> bool {
        self.length_of(keyword).is_some()
    }

    pub fn length_of(&self, keyword: &str) -> Option<usize> {
        let name = |at: usize| match self.words.get(at) {
            Some((Word::Name(name), _)) => name.to_ascii_lowercase(),
            _ => String::new(),
        };
        let first = name(self.at);
        let is_whole = first == keyword;
        let is_split = !first.is_empty() && keyword.strip_prefix(first.as_str()) == Some(name(self.at + 1).as_str());
        if is_whole { Some(1) } else { is_split.then_some(2) }
    }

    pub fn take_keyword(&mut self, keyword: &str) -> bool {
        let length = self.length_of(keyword);
        self.at += length.unwrap_or(0);
        length.is_some()
    }

    pub fn take_sign(&mut self, sign: &str) -> bool {
        let is_there = self.is_sign(sign);
        if is_there {
            self.next();
        }
        is_there
    }

    pub fn expect_sign(&mut self, sign: &str) -> Result<(), ParseError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.error(format!("expected `{sign}`"))) }
    }

    pub fn expect_keyword(&mut self, keyword: &str) -> Result<(), ParseError> {
        if self.take_keyword(keyword) { Ok(()) } else { Err(self.error(format!("expected `{keyword}`"))) }
    }

    pub fn name(&mut self, what: &str) -> Result<String, ParseError> {
        match self.peek().clone() {
            Word::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.error(format!("expected {what}"))),
        }
    }

    pub fn end(&mut self) -> Result<(), ParseError> {
        match self.peek() {
            Word::End => {
                self.ends();
                Ok(())
            }
            Word::Sign("") => Ok(()),
            _ => Err(self.error("expected the end of the line")),
        }
    }

    pub fn ends(&mut self) {
        while *self.peek() == Word::End {
            self.next();
        }
    }

    /// Runs `read` one level deeper.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }
}
