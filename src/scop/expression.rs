//! What an instance computes from the values it reads.
//!
//! The statement `S: s = s + A[i] * 2` with the reads `old` (of `s`) and `x` (of `A[i]`) has `compute: "old + x * 2"`. A name is
//! the id of a read of the statement, one of its iterators, or a parameter. Operators and their precedence are those of C;
//! comparisons and logic give 1 or 0; `min`, `max`, `abs`, `sqrt`, `exp`, `log`, `sin`, `cos`, `real` and `int` are built in, any other call is of a symbol
//! of the model.
//!
//! ```text
//! choice     = or ["?" choice ":" choice]        sum     = product (("+" | "-") product)*
//! or         = and ("||" and)*                   product = unary (("*" | "/" | "%") unary)*
//! and        = comparison ("&&" comparison)*     unary   = ("-" | "!") unary | atom
//! comparison = sum [("<" | ...) sum]             atom    = number | name ["(" choice, .. ")"] | "(" choice ")"
//! ```
//!
//! The text form goes both ways: what is printed has the parentheses it needs and no others.

use std::fmt;

use crate::presburger::{Id, ParseError};

/// Deepest nesting that is read: far beyond any statement, far below any stack.
const DEEPEST: usize = 200;

/// An expression over the values that an instance reads.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// An integer constant.
    Integer(i64),
    /// A floating-point constant.
    Float(f64),
    /// A read of the statement, an iterator or a parameter.
    Name(Id),
    /// A built-in operator with its operands.
    Apply(Operator, Vec<Expression>),
    /// A symbol of the model with its arguments.
    Call(Id, Vec<Expression>),
}

/// A built-in operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// `c ? a : b`
    Select,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a == b`
    Equal,
    /// `a != b`
    Unequal,
    /// `a <= b`
    AtMost,
    /// `a < b`
    Less,
    /// `a >= b`
    AtLeast,
    /// `a > b`
    Greater,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
    /// `-a`
    Negate,
    /// `!a`
    Not,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `abs(a)`
    Abs,
    /// `sqrt(a)`, as a floating-point number, like the next four
    Sqrt,
    /// `exp(a)`
    Exp,
    /// `log(a)`, to the base e
    Log,
    /// `sin(a)`
    Sin,
    /// `cos(a)`
    Cos,
    /// `real(a)`: the same as a floating-point number
    Real,
    /// `int(a)`: the whole part, towards zero
    Whole,
}

/// Operators between two operands: their text and how tightly they bind. A longer text stands before its beginning.
const INFIX: [(&str, Operator, u8); 13] = [
    ("||", Operator::Or, 1),
    ("&&", Operator::And, 2),
    ("==", Operator::Equal, 3),
    ("!=", Operator::Unequal, 3),
    ("<=", Operator::AtMost, 3),
    (">=", Operator::AtLeast, 3),
    ("<", Operator::Less, 3),
    (">", Operator::Greater, 3),
    ("+", Operator::Add, 4),
    ("-", Operator::Subtract, 4),
    ("*", Operator::Multiply, 5),
    ("/", Operator::Divide, 5),
    ("%", Operator::Remainder, 5),
];

/// How tightly a choice, a comparison, a unary operator and an atom bind.
const CHOICE: u8 = 0;
const COMPARISON: u8 = 3;
const UNARY: u8 = 6;
const ATOM: u8 = 7;

/// Operators written as calls: their text and number of operands.
const CALLS: [(&str, Operator, usize); 10] = [
    ("min", Operator::Min, 2),
    ("max", Operator::Max, 2),
    ("abs", Operator::Abs, 1),
    ("sqrt", Operator::Sqrt, 1),
    ("exp", Operator::Exp, 1),
    ("log", Operator::Log, 1),
    ("sin", Operator::Sin, 1),
    ("cos", Operator::Cos, 1),
    ("real", Operator::Real, 1),
    ("int", Operator::Whole, 1),
];

impl Operator {
    /// The operator that is written as a call of this name, and its number of operands.
    pub fn called(name: &str) -> Option<(Operator, usize)> {
        CALLS.iter().find(|(text, ..)| *text == name).map(|(_, operator, n)| (*operator, *n))
    }
}

impl Expression {
    /// The same over other names.
    pub fn with_names(&self, renamed: &dyn Fn(&Id) -> Id) -> Expression {
        let all = |parts: &[Expression]| parts.iter().map(|part| part.with_names(renamed)).collect();
        match self {
            Self::Integer(_) | Self::Float(_) => self.clone(),
            Self::Name(name) => Self::Name(renamed(name)),
            Self::Apply(operator, parts) => Self::Apply(*operator, all(parts)),
            Self::Call(name, parts) => Self::Call(name.clone(), all(parts)),
        }
    }

    /// The expression that `text` writes.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let expression = reader.binding(CHOICE)?;
        reader.skip_blank();
        if reader.at < text.len() { Err(reader.error("expected an operator or the end")) } else { Ok(expression) }
    }

    /// The names that it mentions, and its calls with the number of their arguments, from left to right.
    pub fn mentions(&self) -> (Vec<&Id>, Vec<(&Id, usize)>) {
        let (mut names, mut calls) = (Vec::new(), Vec::new());
        self.collect(&mut names, &mut calls);
        (names, calls)
    }

    fn collect<'a>(&'a self, names: &mut Vec<&'a Id>, calls: &mut Vec<(&'a Id, usize)>) {
        match self {
            Self::Integer(_) | Self::Float(_) => {}
            Self::Name(name) => names.push(name),
            Self::Apply(_, operands) => operands.iter().for_each(|each| each.collect(names, calls)),
            Self::Call(name, arguments) => {
                calls.push((name, arguments.len()));
                arguments.iter().for_each(|each| each.collect(names, calls));
            }
        }
    }

    /// Whether it only hands on a value: a name or a constant.
    pub fn is_copy(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Float(_) | Self::Name(_))
    }

    fn tightness(&self) -> u8 {
        match self {
            Self::Apply(Operator::Select, _) => CHOICE,
            Self::Apply(Operator::Negate | Operator::Not, _) => UNARY,
            Self::Apply(operator, _) => {
                INFIX.iter().find(|(_, o, _)| o == operator).map_or(ATOM, |(_, _, tight)| *tight)
            }
            Self::Integer(value) if *value < 0 => UNARY,
            Self::Float(value) if value.is_sign_negative() => UNARY,
            _ => ATOM,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Byte offset of what comes next.
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn error(&self, message: &str) -> ParseError {
        let before = &self.text[..self.at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        ParseError {
            message: message.to_string(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            text: self.text[start..].lines().next().unwrap_or_default().to_string(),
        }
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip_blank();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), ParseError> {
        if self.take(word) { Ok(()) } else { Err(self.error(&format!("expected `{word}`"))) }
    }

    /// An expression whose operators all bind at least so tightly.
    fn binding(&mut self, tight: u8) -> Result<Expression, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the expression is nested too deeply"));
        }
        let mut left = self.unary()?;
        while let Some((operator, binds)) = self.infix(tight) {
            let right = self.binding(binds + 1)?;
            left = Expression::Apply(operator, vec![left, right]);
            if binds == COMPARISON && self.infix(COMPARISON).is_some_and(|(_, next)| next == COMPARISON) {
                return Err(self.error("comparisons do not chain"));
            }
        }
        if tight == CHOICE && self.take("?") {
            let yes = self.binding(CHOICE)?;
            self.expect(":")?;
            left = Expression::Apply(Operator::Select, vec![left, yes, self.binding(CHOICE)?]);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn infix(&mut self, tight: u8) -> Option<(Operator, u8)> {
        self.skip_blank();
        let (word, operator, binds) = INFIX.iter().find(|(word, _, _)| self.rest().starts_with(word))?;
        (*binds >= tight).then(|| {
            self.at += word.len();
            (*operator, *binds)
        })
    }

    fn unary(&mut self) -> Result<Expression, ParseError> {
        for (word, operator) in [("-", Operator::Negate), ("!", Operator::Not)] {
            if self.take(word) {
                let operand = self.binding(UNARY)?;
                return Ok(match (operator, operand) {
                    (Operator::Negate, Expression::Integer(value)) if value != i64::MIN => Expression::Integer(-value),
                    (Operator::Negate, Expression::Float(value)) => Expression::Float(-value),
                    (operator, operand) => Expression::Apply(operator, vec![operand]),
                });
            }
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Expression, ParseError> {
        if self.take("(") {
            let inner = self.binding(CHOICE)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let rest = self.rest();
        match rest.chars().next() {
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.word(|c| c.is_alphanumeric() || "_.'".contains(c));
                if self.take("(") { self.call(name) } else { Ok(Expression::Name(Id::new(name))) }
            }
            _ => Err(self.error("expected a number, a name or `(`")),
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self) -> Result<Expression, ParseError> {
        let start = self.at;
        self.word(|c| c.is_ascii_digit());
        if self.rest().starts_with('.') {
            self.at += 1;
            self.word(|c| c.is_ascii_digit());
        }
        if self.rest().starts_with(['e', 'E']) {
            self.at += 1;
            self.at += usize::from(self.rest().starts_with(['+', '-']));
            self.word(|c| c.is_ascii_digit());
        }
        let text = &self.text[start..self.at];
        let value = text.parse().map(Expression::Integer).ok();
        let value = value.or_else(|| text.parse().ok().filter(|v: &f64| v.is_finite()).map(Expression::Float));
        self.at = if value.is_some() { self.at } else { start };
        value.ok_or_else(|| self.error("expected a number"))
    }

    fn call(&mut self, name: &str) -> Result<Expression, ParseError> {
        let mut arguments = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.binding(CHOICE)?);
        }
        match Operator::called(name) {
            Some((operator, n)) if arguments.len() == n => Ok(Expression::Apply(operator, arguments)),
            Some((_, n)) => Err(self.error(&format!("`{name}` takes {n} operands"))),
            None => Ok(Expression::Call(Id::new(name), arguments)),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Name(name) => write!(f, "{name}"),
            Self::Call(name, arguments) => write_call(f, name.as_str(), arguments),
            Self::Apply(Operator::Select, parts) => {
                write_within(f, &parts[0], CHOICE + 1)?;
                write!(f, " ? {} : {}", parts[1], parts[2])
            }
            Self::Apply(operator @ (Operator::Negate | Operator::Not), parts) => {
                f.write_str(if *operator == Operator::Not { "!" } else { "-" })?;
                write_within(f, &parts[0], UNARY)
            }
            Self::Apply(operator, parts) => {
                if let Some((word, _, _)) = CALLS.iter().find(|(_, o, _)| o == operator) {
                    return write_call(f, word, parts);
                }
                let tight = self.tightness();
                let word = INFIX.iter().find(|(_, o, _)| o == operator).map_or("", |(word, _, _)| word);
                write_within(f, &parts[0], if tight == COMPARISON { tight + 1 } else { tight })?;
                write!(f, " {word} ")?;
                write_within(f, &parts[1], tight + 1)
            }
        }
    }
}

/// Writes an operand that binds less tightly than its place in parentheses.
fn write_within(f: &mut fmt::Formatter<'_>, operand: &Expression, place: u8) -> fmt::Result {
    if operand.tightness() < place { write!(f, "({operand})") } else { write!(f, "{operand}") }
}

fn write_call(f: &mut fmt::Formatter<'_>, name: &str, arguments: &[Expression]) -> fmt::Result {
    let texts: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    write!(f, "{name}({})", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both_ways(text: &str) {
        let expression = Expression::parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(expression.to_string(), text);
    }

    #[test]
    fn what_is_printed_reads_the_same() {
        for text in [
            "a + b - c * d",
            "a - (b - c)",
            "(a < b) == (c < d)",
            "x < y ? max(x, y) : -x",
            "(a ? b : c) ? d : e",
            "!(a && b) || f(x, 2.5, -3)",
            "--x % 7 / (y % 3)",
            "-3 + 1e-9",
            "abs(S_0 - S_1) >= 0.1",
            "sqrt(exp(x) + log(y)) * real(int(sin(a) / cos(b)))",
        ] {
            both_ways(text);
        }
    }

    #[test]
    fn wrong_texts_are_shown() {
        let fails = |text: &str| {
            let e = Expression::parse(text).expect_err("an error");
            format!("{} ({})", e.message, e.column)
        };
        assert_eq!(fails("a + "), "expected a number, a name or `(` (5)");
        assert_eq!(fails("(a"), "expected `)` (3)");
        assert_eq!(fails("a < b < c"), "comparisons do not chain (8)");
        assert_eq!(fails("max(a)"), "`max` takes 2 operands (7)");
        assert_eq!(fails("a b"), "expected an operator or the end (3)");
        assert_eq!(fails("1e999"), "expected a number (1)");
        assert_eq!(fails(&"(".repeat(1000)), "the expression is nested too deeply (201)");
    }
}
