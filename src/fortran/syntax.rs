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

use super::reader::Reader;
use super::terms::Term;
use super::words::{Place, Word, error_at, words};
use crate::presburger::ParseError;
use crate::scop::ElementType;

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
    Assign {
        label: Option<String>,
        target: Term,
        value: Term,
        place: Place,
    },
    If {
        label: Option<String>,
        condition: Term,
        yes: Vec<Part>,
        no: Vec<Part>,
        place: Place,
    },
    Do {
        variable: String,
        first: Term,
        last: Term,
        step: i64,
        body: Vec<Part>,
        place: Place,
    },
    /// Leaves the so many innermost loops around, and then the next one, or its iteration.
    Leave {
        inner: usize,
        what: Left,
        place: Place,
    },
}

impl Part {
    /// Where it begins.
    pub fn place(&self) -> Place {
        match self {
            Part::Assign { place, .. }
            | Part::If { place, .. }
            | Part::Do { place, .. }
            | Part::Leave { place, .. } => *place,
        }
    }

    /// Whether some statement in it is an `exit` or a `cycle` for which this holds, given how many loops in it are around it and how many more it leaves.
    fn has_leave(&self, loops: usize, wanted: &dyn Fn(usize, usize, Left) -> bool) -> bool {
        let any = |parts: &[Part], loops| parts.iter().any(|part| part.has_leave(loops, wanted));
        match self {
            Part::Assign { .. } => false,
            Part::If { yes, no, .. } => any(yes, loops) || any(no, loops),
            Part::Do { body, .. } => any(body, loops + 1),
            Part::Leave { inner, what, .. } => wanted(loops, *inner, *what),
        }
    }

    /// Whether what comes behind it in its loop may not run because of it.
    pub fn leaves(&self) -> bool {
        self.has_leave(0, &|loops, inner, _| inner >= loops)
    }

    /// Whether it leaves the loop of whose body it is a part.
    pub fn leaves_loop(&self) -> bool {
        self.has_leave(0, &|loops, inner, what| inner > loops || (inner == loops && what == Left::Loop))
    }

    /// Whether it leaves an iteration of the loop of whose body it is a part, and not the loop.
    pub fn leaves_iteration(&self) -> bool {
        self.has_leave(0, &|loops, inner, what| inner == loops && what == Left::Iteration)
    }
}

/// What is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// A loop, by `exit`.
    Loop,
    /// An iteration, by `cycle`.
    Iteration,
}

/// Words that begin a declaration.
const TYPES: [(&str, ElementType); 4] = [
    ("integer", ElementType::Int(64)),
    ("real", ElementType::Float(64)),
    ("double", ElementType::Float(64)),
    ("logical", ElementType::Int(1)),
];

/// Why loops that only data ends are refused.
pub const NO_WHILE: &str = "`while` is not part of the language: write a loop with a bound, and an `exit`";

/// Reads a program.
///
/// # Errors
/// Where the text is none.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut reader = Reader::new(text, words(text)?);
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

impl Reader<'_> {
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
                self.declared.insert(name.clone());
                program.declared.push((name, declared));
                if !self.take_sign(",") {
                    break;
                }
            }
            self.end()?;
        }
    }

    pub fn parts(&mut self) -> Result<Vec<Part>, ParseError> {
        let mut parts = Vec::new();
        self.ends();
        loop {
            self.take_number();
            let ends = ["enddo", "endif", "else", "elseif", "end", "endprogram", "endsubroutine"];
            if ends.iter().any(|end| self.is_keyword(end)) || *self.peek() == Word::Sign("") {
                return Ok(parts);
            }
            let (number, place) = (self.number, self.place());
            if self.is_alone("continue") {
                self.next();
                self.end()?;
            } else {
                parts.push(self.nested(Self::part)?);
            }
            if self.ends_loop(number, place)? {
                return Ok(parts);
            }
            self.ends();
        }
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
            return self.a_loop(label, place);
        }
        if begins("if") {
            self.next();
            return self.conditional(label, place);
        }
        if begins("while") || begins("dowhile") {
            return Err(self.error(NO_WHILE));
        }
        if begins("goto") {
            let message = "`goto` is not part of the language: `exit` leaves a loop and `cycle` an iteration, of the loop that they name";
            return Err(self.error(message));
        }
        for (keyword, what) in [("exit", Left::Loop), ("cycle", Left::Iteration)] {
            if self.is_alone(keyword) {
                return self.leave(keyword, what);
            }
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
}
