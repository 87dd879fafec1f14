//! Loops of a program: where they begin and end, and what leaves them.
//!
//! ```text
//! outer: do i = 1, n            do 10 i = 1, n
//!   do j = 1, n                   do 10 j = 1, n
//!     if (a(j) < 0) cycle outer     a(j) = 0
//!   enddo                      10 continue
//! enddo outer
//! ```
//!
//! A statement with a number ends all innermost loops that were begun with it.

use super::reader::{Open, Reader};
use super::syntax::{Left, NO_WHILE, Part};
use super::words::{Place, Word, error_at};
use crate::presburger::ParseError;

impl Reader<'_> {
    /// What follows `do`.
    pub fn a_loop(&mut self, name: Option<String>, place: Place) -> Result<Part, ParseError> {
        let end = match self.peek() {
            Word::Integer(number) => Some(*number),
            _ => None,
        };
        if end.is_some() {
            self.next();
            self.take_sign(",");
        }
        if self.is_keyword("while") {
            return Err(self.error(NO_WHILE));
        }
        if *self.peek() == Word::End {
            return Err(self.error("a loop without a bound is not part of the language: give it one, and an `exit`"));
        }
        let variable = self.name("the variable of the loop")?;
        self.expect_sign("=")?;
        let first = self.expression(0)?;
        self.expect_sign(",")?;
        let last = self.expression(0)?;
        let step = if self.take_sign(",") { self.step()? } else { 1 };
        self.end()?;
        self.loops.push(Open { name: name.clone(), end, depth: self.depth });
        let body = self.parts()?;
        self.loops.pop();
        if end.is_none() || self.ended != end {
            self.end_of_loop(name.as_deref(), end)?;
        }
        if self.ended.is_some() && self.loops.last().is_none_or(|around| around.end != self.ended) {
            self.ended = None;
        }
        Ok(Part::Do { variable, first, last, step, body, place })
    }

    /// `enddo`, perhaps with the name or the number of the loop.
    fn end_of_loop(&mut self, name: Option<&str>, end: Option<i64>) -> Result<(), ParseError> {
        if let Some(end) = end
            && !(self.is_keyword("enddo") && self.number == Some(end))
        {
            return Err(self.error(format!("expected `{end} continue`, which ends the loop `do {end}`")));
        }
        self.expect_keyword("enddo")?;
        if let Word::Name(here) = self.peek() {
            if !name.is_some_and(|name| name.eq_ignore_ascii_case(here)) {
                return Err(self.error("the loop that ends here has another name, or none"));
            }
            self.next();
        }
        self.end()
    }

    fn step(&mut self) -> Result<i64, ParseError> {
        let is_down = self.take_sign("-");
        match self.peek().clone() {
            Word::Integer(step) if step > 0 => {
                self.next();
                Ok(if is_down { -step } else { step })
            }
            _ => Err(self.error("expected a step: an integer other than 0")),
        }
    }

    /// The number in front of a statement, if there is one.
    pub fn take_number(&mut self) {
        self.number = match self.peek() {
            Word::Integer(number) => Some(*number),
            _ => None,
        };
        if self.number.is_some() {
            self.next();
        }
    }

    /// Whether the statement that was read, with this number, ends the loop of whose body it is a part.
    pub fn ends_loop(&mut self, number: Option<i64>, place: Place) -> Result<bool, ParseError> {
        let Some(number) = self.ended.or(number) else { return Ok(false) };
        let ends = |open: &Open| open.end == Some(number);
        match self.loops.last() {
            Some(last) if ends(last) && last.depth == self.depth => {
                self.ended = Some(number);
                Ok(true)
            }
            Some(last) if ends(last) => {
                let message = format!("the loop `do {number}` ends here, and begins outside of the `if`");
                Err(error_at(self.text, place, message))
            }
            _ if self.loops.iter().any(ends) => {
                let message = format!("the loop `do {number}` ends here, before one inside of it");
                Err(error_at(self.text, place, message))
            }
            _ => Ok(false),
        }
    }

    /// Whether the keyword is a statement, or the beginning of one that goes on with a name.
    pub fn is_alone(&self, keyword: &str) -> bool {
        let is_used = matches!(self.words.get(self.at + 1), Some((Word::Sign("=" | "("), _)));
        self.is_keyword(keyword) && !is_used
    }

    /// `exit`, `cycle outer`
    pub fn leave(&mut self, keyword: &str, what: Left) -> Result<Part, ParseError> {
        let place = self.place();
        self.take_keyword(keyword);
        let inner = match self.peek().clone() {
            Word::Name(name) => {
                let is_it = |open: &Open| open.name.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(&name));
                let found = self.loops.iter().rev().position(is_it);
                found.ok_or_else(|| self.error(format!("no loop around is called `{name}`")))?
            }
            _ if self.loops.is_empty() => {
                return Err(error_at(self.text, place, format!("`{keyword}` stands in no loop")));
            }
            _ => 0,
        };
        if matches!(self.peek(), Word::Name(_)) {
            self.next();
        }
        self.end()?;
        Ok(Part::Leave { inner, what, place })
    }
}
