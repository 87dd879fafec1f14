//! The text form of generated loops, both ways.
//!
//! A parallel tile loop over a point loop is written
//!
//! ```text
//! [N] -> {
//!   for (c0 = 0; c0 <= floord(N - 1, 32); c0 += 1) depth(0) coincident parallel {
//!     for (c1 = 32 * c0; c1 <= min(N - 1, 32 * c0 + 31); c1 += 1) depth(1) {
//!       S(c1);
//!     }
//!   }
//! }
//! ```
//!
//! Loops that run once are `let c0 = N - 1 depth(0) { ... }`, marks `mark tile { ... }`; a name that is no C identifier, or that is a
//! word of this language, stands in double quotes. [`parse`] returns what was printed, for every tree. Nesting deeper than
//! [`DEEPEST`] is an error and not a stack overflow.

use super::expr::{Comparison, Expr, is_plain, write_name};
use super::node::{Ast, For, Node};
use crate::presburger::{Id, Int, ParseError};
use std::fmt;

/// Deepest nesting of nodes and of expressions that is read: beyond any generated loops, far below any stack.
const DEEPEST: usize = 200;

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        write_names(f, &self.params)?;
        f.write_str("] -> {\n")?;
        write_body(f, &self.root, 1)?;
        f.write_str("}\n")
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_body(f, self, 0)
    }
}

impl std::str::FromStr for Ast {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Ast, ParseError> {
        parse(text)
    }
}

/// Reads a tree in the form that `Display` writes.
pub fn parse(text: &str) -> Result<Ast, ParseError> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    reader.sign("[")?;
    let params = reader.names_until("]")?;
    reader.sign("->")?;
    reader.sign("{")?;
    let root = reader.body()?;
    reader.end()?;
    Ok(Ast { params, root })
}

/// Reads an expression in the form that `Display` writes.
pub fn parse_expr(text: &str) -> Result<Expr, ParseError> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let expr = reader.expr()?;
    reader.end()?;
    Ok(expr)
}

impl std::str::FromStr for Expr {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Expr, ParseError> {
        parse_expr(text)
    }
}

fn write_names(f: &mut fmt::Formatter<'_>, names: &[Id]) -> fmt::Result {
    for (position, name) in names.iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        write_name(f, name)?;
    }
    Ok(())
}

fn write_body(f: &mut fmt::Formatter<'_>, node: &Node, indent: usize) -> fmt::Result {
    match node {
        Node::Block(parts) if parts.len() != 1 => parts.iter().try_for_each(|part| write_node(f, part, indent)),
        _ => write_node(f, node, indent),
    }
}

fn write_braced(f: &mut fmt::Formatter<'_>, node: &Node, indent: usize) -> fmt::Result {
    f.write_str("{\n")?;
    write_body(f, node, indent + 1)?;
    write!(f, "{:width$}}}", "", width = 2 * indent)
}

fn write_node(f: &mut fmt::Formatter<'_>, node: &Node, indent: usize) -> fmt::Result {
    write!(f, "{:width$}", "", width = 2 * indent)?;
    match node {
        Node::For(each) => write_for(f, each, indent)?,
        Node::If { condition, then, otherwise } => {
            write!(f, "if ({condition}) ")?;
            write_braced(f, then, indent)?;
            if let Some(otherwise) = otherwise {
                f.write_str(" else ")?;
                write_braced(f, otherwise, indent)?;
            }
        }
        Node::Block(parts) => {
            f.write_str("{\n")?;
            parts.iter().try_for_each(|part| write_node(f, part, indent + 1))?;
            write!(f, "{:width$}}}", "", width = 2 * indent)?;
        }
        Node::User { statement, arguments } => {
            write_name(f, statement)?;
            f.write_str("(")?;
            for (position, argument) in arguments.iter().enumerate() {
                write!(f, "{}{argument}", if position > 0 { ", " } else { "" })?;
            }
            f.write_str(");")?;
        }
        Node::Mark { id, body } => {
            f.write_str("mark ")?;
            write_name(f, id)?;
            f.write_str(" ")?;
            write_braced(f, body, indent)?;
        }
    }
    f.write_str("\n")
}

fn write_for(f: &mut fmt::Formatter<'_>, each: &For, indent: usize) -> fmt::Result {
    let iterator = Expr::Name(each.iterator.clone());
    if each.degenerate {
        write!(f, "let {iterator} = {}", each.lower)?;
    } else {
        write!(f, "for ({iterator} = {}; {iterator} <= {}; {iterator} += {})", each.lower, each.upper, each.step)?;
    }
    write!(f, " depth({})", each.depth)?;
    for (word, holds) in [("coincident", each.coincident), ("parallel", each.parallel), ("vector", each.vector)] {
        if holds {
            write!(f, " {word}")?;
        }
    }
    if !each.reductions.is_empty() {
        f.write_str(" reduction(")?;
        write_names(f, &each.reductions)?;
        f.write_str(")")?;
    }
    if let Some(mark) = &each.mark {
        f.write_str(" mark(")?;
        write_name(f, mark)?;
        f.write_str(")")?;
    }
    f.write_str(" ")?;
    write_braced(f, &each.body, indent)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
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

    fn end(&mut self) -> Result<(), ParseError> {
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

    fn sign(&mut self, sign: &str) -> Result<(), ParseError> {
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

    fn names_until(&mut self, close: &str) -> Result<Vec<Id>, ParseError> {
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
    fn body(&mut self) -> Result<Node, ParseError> {
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
        if self.accept_word("mark") {
            let id = self.name()?;
            self.sign("{")?;
            return Ok(Node::Mark { id, body: Box::new(self.body()?) });
        }
        let statement = self.name()?;
        self.sign("(")?;
        let arguments = self.operands()?;
        self.sign(";")?;
        Ok(Node::User { statement, arguments })
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
        let (mut coincident, mut parallel, mut vector) = (false, false, false);
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
            } else if self.accept_word("parallel") {
                parallel = true;
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
            parallel,
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

    fn expr(&mut self) -> Result<Expr, ParseError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::property;
    use arbtest::arbitrary::{Result, Unstructured};

    fn arbitrary_expr(u: &mut Unstructured<'_>, depth: usize) -> Result<Expr> {
        let name = |u: &mut Unstructured<'_>| Ok(Expr::Name(Id::new(u.choose(&["N", "c0", "min", "a b\"", "x.1"])?)));
        if depth == 0 {
            return if u.arbitrary()? { name(u) } else { Ok(Expr::from(u.int_in_range(-9..=9)?)) };
        }
        let operand = |u: &mut Unstructured<'_>| arbitrary_expr(u, depth - 1).map(Box::new);
        let several = |u: &mut Unstructured<'_>| {
            (0..u.int_in_range(2..=3)?).map(|_| arbitrary_expr(u, depth - 1)).collect::<Result<Vec<Expr>>>()
        };
        let divisor = |u: &mut Unstructured<'_>| u.int_in_range(1..=40).map(Int::from);
        Ok(match u.int_in_range(0..=14)? {
            0 => Expr::Add(operand(u)?, operand(u)?),
            1 => Expr::Sub(operand(u)?, operand(u)?),
            2 => Expr::Neg(operand(u)?),
            3 => Expr::Mul(operand(u)?, operand(u)?),
            4 => Expr::FloorDiv(operand(u)?, divisor(u)?),
            5 => Expr::Mod(operand(u)?, divisor(u)?),
            6 => Expr::ExactDiv(operand(u)?, divisor(u)?),
            7 => Expr::Min(several(u)?),
            8 => Expr::Max(several(u)?),
            9 => Expr::Compare(*u.choose(&[Comparison::Eq, Comparison::Lt, Comparison::Ge])?, operand(u)?, operand(u)?),
            10 => Expr::And(several(u)?),
            11 => Expr::Or(several(u)?),
            12 => Expr::Not(operand(u)?),
            13 => Expr::Select(operand(u)?, operand(u)?, operand(u)?),
            _ => name(u)?,
        })
    }

    #[test]
    fn what_is_printed_is_read_back() {
        property(300, |u| {
            let expr = arbitrary_expr(u, 3)?;
            assert_eq!(parse_expr(&expr.to_string()).unwrap(), expr, "{expr}");
            Ok(())
        });
    }

    #[test]
    fn a_tree_is_read_back() {
        let text = "[N, \"2x\"] -> {
  for (c0 = 0; c0 <= floord(N - 1, 32); c0 += 1) depth(0) coincident parallel reduction(s, t) mark(tile) {
    let c1 = 32 * c0 depth(1) {
      if (c1 >= 3 && mod(c1, 2) == 0) {
        S(c1, -c0);
      } else {
        mark \"for\" {
          T();
          S(0, \"2x\");
        }
      }
    }
  }
  for (c2 = max(0, N - 3); c2 <= N; c2 += 2) depth(0) {
  }
}
";
        assert_eq!(parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn errors_have_a_place() {
        for (text, column) in
            [("[N] -> { S(1 +); }", 15), ("[N] -> { for (i = 0; j <= 3; i += 1) {} }", 22), ("[N] -> {", 9)]
        {
            let error = parse(text).unwrap_err();
            assert_eq!((error.line, error.column), (1, column), "{error}");
        }
        assert!(parse_expr(&"(".repeat(100_000)).is_err());
        assert!(parse_expr(&"-".repeat(100_000)).is_err());
    }
}
