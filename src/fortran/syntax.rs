//! The text of a program as a tree: words, then statements and expressions.
//!
//! ```text
//! if (r < x(i)) then          If { condition: r < x(i), yes: [r = x(i)], no: [] }
//!   S: r = x(i)
//! endif
//! ```
//!
//! Keywords are read in any case and may be written together or apart (`enddo`, `end do`). A line ends a statement, `&` at its end goes on; `!` starts
//! a comment, a line `!$assume n > 0` says what is known of parameters.

use super::words::{Place, Word, error_at, words};
use crate::presburger::ParseError;
use crate::scop::ElementType;
use crate::scop::expression::Operator;

/// Deepest nesting of statements and of expressions: far beyond any program, far below any stack.
const DEEPEST: usize = 100;

/// Most operators of one strength in a row, `x + y + z`, which become a tree that is as deep.
const LONGEST: usize = 2000;

/// A program.
#[derive(Debug, Default)]
pub struct Program {
    pub name: Option<String>,
    pub declared: Vec<(String, Declared)>,
    /// What is known of parameters, as text.
    pub assumed: Vec<String>,
    pub body: Vec<Part>,
}

/// What a declaration says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    Variable(ElementType),
    /// A function of which nothing is known.
    External,
}

/// A statement.
#[derive(Debug)]
pub enum Part {
    Assign { label: Option<String>, target: Term, value: Term, place: Place },
    If { label: Option<String>, condition: Term, yes: Vec<Part>, no: Vec<Part>, place: Place },
    Do { variable: String, first: Term, last: Term, step: i64, body: Vec<Part> },
}

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

/// Functions of the language, with their numbers of operands.
const INTRINSICS: [(&str, Operator, usize); 4] =
    [("mod", Operator::Remainder, 2), ("min", Operator::Min, 2), ("max", Operator::Max, 2), ("abs", Operator::Abs, 1)];

/// Words that begin a declaration.
const TYPES: [(&str, ElementType); 4] = [
    ("integer", ElementType::Int(64)),
    ("real", ElementType::Float(64)),
    ("double", ElementType::Float(64)),
    ("logical", ElementType::Int(1)),
];

/// Reads a program.
///
/// # Errors
/// Where the text is none.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut reader = Reader { text, words: words(text)?, at: 0, depth: 0 };
    let assumed =
        text.lines().filter_map(|line| line.trim().strip_prefix("!$assume")).map(|rest| rest.trim().to_string());
    let mut program = Program { assumed: assumed.collect(), ..Program::default() };
    reader.header(&mut program)?;
    reader.declarations(&mut program)?;
    program.body = reader.parts()?;
    reader.footer(&program)?;
    match reader.peek() {
        Word::Sign("") => Ok(program),
        _ => Err(reader.error("expected a statement: an assignment, `do`, `if` or a declaration before them")),
    }
}

struct Reader<'t> {
    text: &'t str,
    words: Vec<(Word, Place)>,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &Word {
        &self.words[self.at].0
    }

    fn place(&self) -> Place {
        self.words[self.at].1
    }

    fn next(&mut self) -> Word {
        let word = self.peek().clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        error_at(self.text, self.place(), message)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Word::Sign(here) if *here == sign)
    }

    /// Whether the keyword comes next, written in one word or in two.
    fn is_keyword(&self, keyword: &str) -> bool {
        self.length_of(keyword).is_some()
    }

    fn length_of(&self, keyword: &str) -> Option<usize> {
        let name = |at: usize| match self.words.get(at) {
            Some((Word::Name(name), _)) => name.to_ascii_lowercase(),
            _ => String::new(),
        };
        let first = name(self.at);
        let is_whole = first == keyword;
        let is_split = !first.is_empty() && keyword.strip_prefix(first.as_str()) == Some(name(self.at + 1).as_str());
        if is_whole { Some(1) } else { is_split.then_some(2) }
    }

    fn take_keyword(&mut self, keyword: &str) -> bool {
        let length = self.length_of(keyword);
        self.at += length.unwrap_or(0);
        length.is_some()
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let is_there = self.is_sign(sign);
        if is_there {
            self.next();
        }
        is_there
    }

    fn expect_sign(&mut self, sign: &str) -> Result<(), ParseError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.error(format!("expected `{sign}`"))) }
    }

    fn expect_keyword(&mut self, keyword: &str) -> Result<(), ParseError> {
        if self.take_keyword(keyword) { Ok(()) } else { Err(self.error(format!("expected `{keyword}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, ParseError> {
        match self.peek().clone() {
            Word::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.error(format!("expected {what}"))),
        }
    }

    fn end(&mut self) -> Result<(), ParseError> {
        match self.peek() {
            Word::End => {
                self.ends();
                Ok(())
            }
            Word::Sign("") => Ok(()),
            _ => Err(self.error("expected the end of the line")),
        }
    }

    fn ends(&mut self) {
        while *self.peek() == Word::End {
            self.next();
        }
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    fn header(&mut self, program: &mut Program) -> Result<(), ParseError> {
        self.ends();
        if !self.take_keyword("program") && !self.take_keyword("subroutine") {
            return Ok(());
        }
        program.name = Some(self.name("the name of the program")?);
        if self.take_sign("(") {
            while !self.take_sign(")") {
                self.name("an argument")?;
                self.take_sign(",");
            }
        }
        self.end()
    }

    fn footer(&mut self, program: &Program) -> Result<(), ParseError> {
        let is_end = ["endprogram", "endsubroutine", "end"].iter().any(|end| self.take_keyword(end));
        if is_end {
            if let (Word::Name(_), true) = (self.peek(), program.name.is_some()) {
                self.next();
            }
            self.end()?;
        }
        Ok(())
    }

    /// `integer n`, `real x(n), r`, `external f`; shapes are read and left to the accesses.
    fn declarations(&mut self, program: &mut Program) -> Result<(), ParseError> {
        loop {
            let of_type = TYPES.iter().find(|(word, _)| self.is_keyword(word)).copied();
            let is_assigned = matches!(self.words.get(self.at + 1), Some((Word::Sign("=" | "("), _)));
            let declared = match of_type {
                Some((_, element)) if !is_assigned => Declared::Variable(element),
                None if self.is_keyword("external") => Declared::External,
                _ => return Ok(()),
            };
            self.next();
            self.take_keyword("precision");
            self.take_sign("::");
            loop {
                let name = self.name("a name")?;
                if self.take_sign("(") {
                    while !self.take_sign(")") {
                        self.expression(0)?;
                        let _ = self.take_sign(",") || self.take_sign(":");
                    }
                }
                program.declared.push((name, declared));
                if !self.take_sign(",") {
                    break;
                }
            }
            self.end()?;
        }
    }

    fn parts(&mut self) -> Result<Vec<Part>, ParseError> {
        let mut parts = Vec::new();
        self.ends();
        while !["enddo", "endif", "else", "elseif", "end", "endprogram", "endsubroutine"]
            .iter()
            .any(|end| self.is_keyword(end))
            && *self.peek() != Word::Sign("")
        {
            let part = self.nested(Self::part)?;
            parts.push(part);
            self.ends();
        }
        Ok(parts)
    }

    fn part(&mut self) -> Result<Part, ParseError> {
        let mut label = None;
        if matches!(self.words.get(self.at + 1), Some((Word::Sign(":"), _))) {
            label = Some(self.name("a label")?);
            self.next();
        }
        let place = self.place();
        let begins = |keyword: &str| {
            let is_assigned = matches!(self.words.get(self.at + 1), Some((Word::Sign("="), _)));
            self.is_keyword(keyword) && !is_assigned
        };
        if begins("do") {
            self.next();
            return self.a_loop();
        }
        if begins("if") {
            self.next();
            return self.conditional(label, place);
        }
        if begins("while") || begins("dowhile") {
            return Err(self.error("`while` is not part of the language: write a loop with a bound, and an `if`"));
        }
        self.assignment(label, place)
    }

    fn assignment(&mut self, label: Option<String>, place: Place) -> Result<Part, ParseError> {
        let target = self.atom()?;
        if !matches!(target, Term::Name { .. }) {
            return Err(error_at(self.text, place, "expected a variable or an element of an array"));
        }
        self.expect_sign("=")?;
        let value = self.expression(0)?;
        self.end()?;
        Ok(Part::Assign { label, target, value, place })
    }

    fn a_loop(&mut self) -> Result<Part, ParseError> {
        if self.is_keyword("while") {
            return Err(self.error("`while` is not part of the language: write a loop with a bound, and an `if`"));
        }
        let variable = self.name("the variable of the loop")?;
        self.expect_sign("=")?;
        let first = self.expression(0)?;
        self.expect_sign(",")?;
        let last = self.expression(0)?;
        let step = if self.take_sign(",") { self.step()? } else { 1 };
        self.end()?;
        let body = self.parts()?;
        self.expect_keyword("enddo")?;
        self.end()?;
        Ok(Part::Do { variable, first, last, step, body })
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

    /// What follows `if`, also behind `else`.
    fn conditional(&mut self, label: Option<String>, place: Place) -> Result<Part, ParseError> {
        self.expect_sign("(")?;
        let condition = self.expression(0)?;
        self.expect_sign(")")?;
        if !self.take_keyword("then") {
            let only = self.nested(Self::part)?;
            return Ok(Part::If { label, condition, yes: vec![only], no: Vec::new(), place });
        }
        self.end()?;
        let yes = self.parts()?;
        if self.is_keyword("elseif") {
            let place = self.place();
            self.take_keyword("elseif");
            let no = vec![self.nested(|reader| reader.conditional(None, place))?];
            return Ok(Part::If { label, condition, yes, no, place });
        }
        let mut no = Vec::new();
        if self.take_keyword("else") {
            self.end()?;
            no = self.parts()?;
        }
        self.expect_keyword("endif")?;
        self.end()?;
        Ok(Part::If { label, condition, yes, no, place })
    }

    /// An expression whose operators bind more tightly than `least`.
    fn expression(&mut self, least: u8) -> Result<Term, ParseError> {
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

    fn atom(&mut self) -> Result<Term, ParseError> {
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
                let lower = name.to_ascii_lowercase();
                let intrinsic = INTRINSICS.iter().find(|(word, _, n)| *word == lower && *n == arguments.len());
                Ok(match intrinsic {
                    Some((_, operator, _)) => Term::Apply { operator: *operator, operands: arguments, place },
                    None => Term::Name { name, arguments, place },
                })
            }
            _ => Err(error_at(self.text, place, "expected a number, a variable or an element of an array")),
        }
    }
}
