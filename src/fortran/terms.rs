//! Expressions of a program.
//!
//! ```text
//! max(a, 2 * b, c) < 3        Apply { <, [Apply { max, [Apply { max, [a, 2 * b] }, c] }, 3] }
//! ```
//!
//! A name with arguments is a function of the language if it is called like one and not declared; else an element of an array, or a call of an `external` function.

use super::reader::Reader;
use super::words::{Place, Word, error_at};
use crate::presburger::ParseError;
use crate::scop::expression::Operator;

/// An expression.
#[derive(Clone, Debug)]
pub enum Term {
    Integer(i64),
    Real(f64),
    /// A variable, an element of an array, or a call.
    Name {
        name: String,
        arguments: Vec<Term>,
        place: Place,
    },
    Apply {
        operator: Operator,
        operands: Vec<Term>,
        place: Place,
    },
}

/// Operators between two operands, how tightly they bind, and what they are.
const INFIX: [(&str, u8, Operator); 12] = [
    (".or.", 1, Operator::Or),
    (".and.", 2, Operator::And),
    ("==", 4, Operator::Equal),
    ("/=", 4, Operator::Unequal),
    ("<=", 4, Operator::AtMost),
    (">=", 4, Operator::AtLeast),
    ("<", 4, Operator::Less),
    (">", 4, Operator::Greater),
    ("+", 5, Operator::Add),
    ("-", 5, Operator::Subtract),
    ("*", 6, Operator::Multiply),
    ("/", 6, Operator::Divide),
];

/// How tightly `.not.` and a sign in front bind.
const NOT: u8 = 3;
const SIGNED: u8 = 5;

/// Functions of Fortran that the language does not have: without a declaration they are not taken for arrays.
const UNKNOWN: [&str; 16] = [
    "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "log10", "floor", "ceiling", "nint", "aint",
    "anint", "sign", "modulo",
];

/// Most operators of one strength in a row, `x + y + z`, which become a tree that is as deep.
const LONGEST: usize = 2000;

impl Reader<'_> {
    /// An expression whose operators bind more tightly than `least`.
    pub fn expression(&mut self, least: u8) -> Result<Term, ParseError> {
        self.nested(|reader| {
            let mut left = reader.prefixed()?;
            for _ in 0..LONGEST {
                let place = reader.place();
                let infix = INFIX.iter().find(|(sign, binds, _)| *binds > least && reader.is_sign(sign));
                let Some((_, binds, operator)) = infix else { return Ok(left) };
                reader.next();
                let right = reader.expression(*binds)?;
                left = Term::Apply { operator: *operator, operands: vec![left, right], place };
            }
            Err(reader.error(format!("more than {LONGEST} operators in a row")))
        })
    }

    fn prefixed(&mut self) -> Result<Term, ParseError> {
        let place = self.place();
        let prefix = [("-", SIGNED, Operator::Negate), (".not.", NOT, Operator::Not)];
        match prefix.into_iter().find(|(sign, ..)| self.is_sign(sign)) {
            Some((_, binds, operator)) => {
                self.next();
                Ok(Term::Apply { operator, operands: vec![self.expression(binds)?], place })
            }
            None => {
                self.take_sign("+");
                self.atom()
            }
        }
    }

    pub fn atom(&mut self) -> Result<Term, ParseError> {
        let place = self.place();
        match self.next() {
            Word::Integer(value) => Ok(Term::Integer(value)),
            Word::Real(value) => Ok(Term::Real(value)),
            Word::Sign("(") => {
                let inside = self.expression(0)?;
                self.expect_sign(")")?;
                Ok(inside)
            }
            Word::Name(name) => {
                let mut arguments = Vec::new();
                if self.take_sign("(") {
                    arguments.push(self.expression(0)?);
                    while self.take_sign(",") {
                        arguments.push(self.expression(0)?);
                    }
                    self.expect_sign(")")?;
                }
                if arguments.is_empty() || self.declared.contains(&name) {
                    return Ok(Term::Name { name, arguments, place });
                }
                self.called(name, arguments, place)
            }
            _ => Err(error_at(self.text, place, "expected a number, a variable or an element of an array")),
        }
    }

    /// A name with arguments that is not declared.
    fn called(&self, name: String, arguments: Vec<Term>, place: Place) -> Result<Term, ParseError> {
        let lower = name.to_ascii_lowercase();
        let cure = "where it is an array or a function of the program, declare it";
        if UNKNOWN.contains(&lower.as_str()) {
            let message = format!("the function `{lower}` is not part of the language; {cure}");
            return Err(error_at(self.text, place, message));
        }
        let Some((operator, n)) = intrinsic(&lower) else {
            return Ok(Term::Name { name, arguments, place });
        };
        let takes_more = matches!(operator, Operator::Min | Operator::Max);
        if arguments.len() < n || (arguments.len() > n && !takes_more) {
            let more = if takes_more { " or more" } else { "" };
            let operands = if n == 1 { "operand" } else { "operands" };
            let message = format!("the function `{lower}` takes {n}{more} {operands}; {cure}");
            return Err(error_at(self.text, place, message));
        }
        let mut rest = arguments.into_iter();
        let first = Term::Apply { operator, operands: rest.by_ref().take(n).collect(), place };
        Ok(rest.fold(first, |all, next| Term::Apply { operator, operands: vec![all, next], place }))
    }
}

/// A function of the language and its number of operands; of `min` and `max` that is the least. But for two names they are called as in models.
fn intrinsic(name: &str) -> Option<(Operator, usize)> {
    match name {
        "mod" => Some((Operator::Remainder, 2)),
        "dble" => Operator::called("real"),
        _ => Operator::called(name),
    }
}
