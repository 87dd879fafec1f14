//! Reads the text form of generated loops that [`super::text`] writes.
//!
//! `for (c0 = 0; c0 <= n; c0 += 1) depth(0) parallel { S(c0); }` is a loop with two properties around a statement. What follows does not depend on what
//! was read before but for one word, so nothing is read twice.

use super::expr::{Comparison, Expr};
use super::node::{For, Node, Steps};
use super::notation::is_plain;
use crate::presburger::{Id, Int, ParseError};

/// Deepest nesting of nodes and of expressions that is read: beyond any generated loops, far below any stack.
const DEEPEST: usize = 200;

/// A text that is read, and how far it was.
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    pub fn of(text: &'t str) -> Reader<'t> {
        Reader { text, at: 0, depth: 0 }
    }

    fn error<R>(&self, message: impl Into<String>) -> Result<R, ParseError> {
        let before = &self.text[..self.at];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Err(ParseError {
            message: message.into(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            text: self.text[start..].lines().next().unwrap_or_default().to_string(),
        })
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    pub fn end(&mut self) -> Result<(), ParseError> {
        self.blank();
        if self.at == self.text.len() { Ok(()) } else { self.error("expected the end of the text") }
    }

    fn looking_at(&mut self, sign: &str) -> bool {
        self.blank();
        self.text[self.at..].starts_with(sign)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.looking_at(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    pub fn sign(&mut self, sign: &str) -> Result<(), ParseError> {
        if self.accept(sign) { Ok(()) } else { self.error(format!("expected `{sign}`")) }
    }

    fn plain(&mut self) -> &'t str {
        self.blank();
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        &rest[..length]
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.plain() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    fn name(&mut self) -> Result<Id, ParseError> {
        let plain = self.plain();
        if is_plain(plain) {
            self.at += plain.len();
            return Ok(Id::new(plain));
        }
        if !self.accept("\"") {
            return self.error("expected a name");
        }
        let mut name = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(Id::new(&name));
                }
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                c => name.push(c),
            }
        }
        self.error("the name has no closing quote")
    }

    pub fn names_until(&mut self, close: &str) -> Result<Vec<Id>, ParseError> {
        let mut names = vec![];
        while !self.accept(close) {
            if !names.is_empty() {
                self.sign(",")?;
            }
            names.push(self.name()?);
        }
        Ok(names)
    }

    fn integer(&mut self) -> Result<Int, ParseError> {
        self.blank();
        let rest = &self.text[self.at..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let Ok(value) = rest[..digits].parse() else { return self.error("expected an integer") };
        self.at += digits;
        Ok(value)
    }

    fn positive(&mut self) -> Result<Int, ParseError> {
        self.blank();
        let start = self.at;
        let value = self.integer()?;
        if value >= Int::from(1) {
            return Ok(value);
        }
        self.at = start;
        self.error("expected a positive integer")
    }

    fn deeper<R>(&mut self, read: impl FnOnce(&mut Self) -> Result<R, ParseError>) -> Result<R, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("nested too deeply");
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Nodes up to the closing brace, which is read.
    pub fn body(&mut self) -> Result<Node, ParseError> {
        let mut parts = self.nodes()?;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Node::Block(parts) })
    }

    fn nodes(&mut self) -> Result<Vec<Node>, ParseError> {
        let mut parts = vec![];
        while !self.accept("}") {
            parts.push(self.deeper(Self::node)?);
        }
        Ok(parts)
    }

    fn node(&mut self) -> Result<Node, ParseError> {
        if self.accept("{") {
            return Ok(Node::Block(self.nodes()?));
        }
        if self.accept_word("for") {
            return self.for_loop();
        }
        if self.accept_word("steps") {
            return self.steps();
        }
        for (word, goes_on) in [("while", true), ("until", false)] {
            if self.accept_word(word) {
                let (statement, arguments) = self.instance()?;
                let mut otherwise = Box::new(Node::Block(vec![]));
                if self.accept_word("else") {
                    self.sign("{")?;
                    otherwise = Box::new(self.body()?);
                }
                self.sign(";")?;
                return Ok(Node::Test { statement, arguments, goes_on, otherwise });
            }
        }
        if self.accept_word("let") {
            let iterator = self.name()?;
            self.sign("=")?;
            let value = self.expr()?;
            let one = self.loop_body(iterator, value.clone(), value, Int::from(1))?;
            return Ok(Node::For(Box::new(For { degenerate: true, ..one })));
        }
        if self.accept_word("if") {
            self.sign("(")?;
            let condition = self.expr()?;
            self.sign(")")?;
            self.sign("{")?;
            let then = Box::new(self.body()?);
            let mut otherwise = None;
            if self.accept_word("else") {
                self.sign("{")?;
                otherwise = Some(Box::new(self.body()?));
            }
            return Ok(Node::If { condition, then, otherwise });
        }
        if self.accept_word("sections") {
            let parallel = self.accept_word("parallel");
            self.sign("{")?;
            return Ok(Node::Sections { parts: self.nodes()?, parallel });
        }
        if self.accept_word("mark") {
            let id = self.name()?;
            self.sign("{")?;
            return Ok(Node::Mark { id, body: Box::new(self.body()?) });
        }
        let (statement, arguments) = self.instance()?;
        self.sign(";")?;
        Ok(Node::User { statement, arguments })
    }

    fn instance(&mut self) -> Result<(Id, Vec<Expr>), ParseError> {
        let statement = self.name()?;
        self.sign("(")?;
        Ok((statement, self.operands()?))
    }

    fn steps(&mut self) -> Result<Node, ParseError> {
        self.sign("(")?;
        let iterator = self.name()?;
        self.sign("=")?;
        let lower = self.expr()?;
        self.sign(";")?;
        let mut upper = None;
        if !self.accept(";") {
            self.same_name(&iterator)?;
            self.sign("<=")?;
            upper = Some(self.expr()?);
            self.sign(";")?;
        }
        self.same_name(&iterator)?;
        self.sign("+=")?;
        let step = self.positive()?;
        self.sign(")")?;
        let For { depth, mark, body, .. } =
            self.loop_body(iterator.clone(), lower.clone(), Expr::from(0), step.clone())?;
        Ok(Node::Steps(Box::new(Steps { iterator, lower, upper, step, mark, depth, body })))
    }

    fn for_loop(&mut self) -> Result<Node, ParseError> {
        self.sign("(")?;
        let iterator = self.name()?;
        self.sign("=")?;
        let lower = self.expr()?;
        self.sign(";")?;
        self.same_name(&iterator)?;
        self.sign("<=")?;
        let upper = self.expr()?;
        self.sign(";")?;
        self.same_name(&iterator)?;
        self.sign("+=")?;
        let step = self.positive()?;
        self.sign(")")?;
        Ok(Node::For(Box::new(self.loop_body(iterator, lower, upper, step)?)))
    }

    fn same_name(&mut self, iterator: &Id) -> Result<(), ParseError> {
        self.blank();
        let start = self.at;
        if self.name()? == *iterator {
            return Ok(());
        }
        self.at = start;
        self.error(format!("expected the loop's iterator `{iterator}`"))
    }

    fn loop_body(&mut self, iterator: Id, lower: Expr, upper: Expr, step: Int) -> Result<For, ParseError> {
        let (mut depth, mut mark, mut reductions) = (0, None, vec![]);
        let (mut coincident, mut open, mut vector) = (false, false, false);
        let (mut parallel, mut pipelined) = (false, false);
        while !self.accept("{") {
            if self.accept_word("depth") {
                self.sign("(")?;
                let value = self.integer()?;
                let Some(value) = value.as_i64().and_then(|d| usize::try_from(d).ok()) else {
                    return self.error("the depth is too large");
                };
                depth = value;
                self.sign(")")?;
            } else if self.accept_word("coincident") {
                coincident = true;
            } else if self.accept_word("open") {
                open = true;
            } else if self.accept_word("parallel") {
                parallel = true;
            } else if self.accept_word("pipelined") {
                pipelined = true;
            } else if self.accept_word("vector") {
                vector = true;
            } else if self.accept_word("reduction") {
                self.sign("(")?;
                reductions = self.names_until(")")?;
            } else if self.accept_word("mark") {
                self.sign("(")?;
                mark = Some(self.name()?);
                self.sign(")")?;
            } else {
                return self.error("expected `{` or a property of the loop");
            }
        }
        let body = self.body()?;
        Ok(For {
            iterator,
            lower,
            upper,
            step,
            degenerate: false,
            coincident,
            open,
            parallel,
            pipelined,
            vector,
            reductions,
            mark,
            depth,
            body,
        })
    }

    fn operands(&mut self) -> Result<Vec<Expr>, ParseError> {
        let mut operands = vec![];
        while !self.accept(")") {
            if !operands.is_empty() {
                self.sign(",")?;
            }
            operands.push(self.expr()?);
        }
        Ok(operands)
    }

    pub fn expr(&mut self) -> Result<Expr, ParseError> {
        self.deeper(|reader| {
            let condition = reader.disjunction()?;
            if !reader.accept("?") {
                return Ok(condition);
            }
            let yes = reader.disjunction()?;
            reader.sign(":")?;
            let no = reader.expr()?;
            Ok(Expr::Select(Box::new(condition), Box::new(yes), Box::new(no)))
        })
    }

    fn disjunction(&mut self) -> Result<Expr, ParseError> {
        let mut operands = vec![self.conjunction()?];
        while self.accept("||") {
            operands.push(self.conjunction()?);
        }
        Ok(if operands.len() == 1 { operands.remove(0) } else { Expr::Or(operands) })
    }

    fn conjunction(&mut self) -> Result<Expr, ParseError> {
        let mut operands = vec![self.comparison()?];
        while self.accept("&&") {
            operands.push(self.comparison()?);
        }
        Ok(if operands.len() == 1 { operands.remove(0) } else { Expr::And(operands) })
    }

    fn comparison(&mut self) -> Result<Expr, ParseError> {
        let left = self.sum()?;
        let signs = [Comparison::Le, Comparison::Ge, Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Gt];
        for comparison in signs {
            if self.accept(comparison.sign()) {
                return Ok(Expr::Compare(comparison, Box::new(left), Box::new(self.sum()?)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expr, ParseError> {
        let mut sum = self.product()?;
        loop {
            if self.looking_at("+=") {
                return Ok(sum);
            } else if self.accept("+") {
                sum = Expr::Add(Box::new(sum), Box::new(self.product()?));
            } else if self.accept("-") {
                sum = Expr::Sub(Box::new(sum), Box::new(self.product()?));
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Expr, ParseError> {
        let mut product = self.unary()?;
        loop {
            if self.accept("*") {
                product = Expr::Mul(Box::new(product), Box::new(self.unary()?));
            } else if self.accept("/") {
                product = Expr::ExactDiv(Box::new(product), self.positive()?);
            } else {
                return Ok(product);
            }
        }
    }

    fn unary(&mut self) -> Result<Expr, ParseError> {
        self.deeper(|reader| {
            if reader.accept("-") {
                if reader.text[reader.at..].starts_with(|c: char| c.is_ascii_digit()) {
                    return Ok(Expr::neg(Expr::Int(reader.integer()?)));
                }
                return Ok(Expr::Neg(Box::new(reader.unary()?)));
            }
            if !reader.looking_at("!=") && reader.accept("!") {
                return Ok(Expr::Not(Box::new(reader.unary()?)));
            }
            reader.atom()
        })
    }

    fn atom(&mut self) -> Result<Expr, ParseError> {
        if self.accept("(") {
            let inner = self.expr()?;
            self.sign(")")?;
            return Ok(inner);
        }
        if self.plain().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Expr::Int(self.integer()?));
        }
        for word in ["floord", "mod"] {
            if self.accept_word(word) {
                self.sign("(")?;
                let dividend = Box::new(self.expr()?);
                self.sign(",")?;
                let divisor = self.positive()?;
                self.sign(")")?;
                return Ok(if word == "mod" {
                    Expr::Mod(dividend, divisor)
                } else {
                    Expr::FloorDiv(dividend, divisor)
                });
            }
        }
        for word in ["min", "max"] {
            if self.accept_word(word) {
                self.sign("(")?;
                let operands = self.operands()?;
                if operands.is_empty() {
                    return self.error("expected an operand");
                }
                return Ok(if word == "min" { Expr::Min(operands) } else { Expr::Max(operands) });
            }
        }
        Ok(Expr::Name(self.name()?))
    }
}
