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
//! the reader's limit is an error and not a stack overflow.

use super::expr::Expr;
use super::node::{Ast, For, Node, Steps};
use super::notation::write_name;
use super::reader::Reader;
use crate::presburger::{Id, ParseError};
use std::fmt;

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
    let mut reader = Reader::of(text);
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
    let mut reader = Reader::of(text);
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
        Node::Steps(each) => write_steps(f, each, indent)?,
        Node::Test { statement, arguments, goes_on, otherwise } => {
            f.write_str(if *goes_on { "while " } else { "until " })?;
            write_instance(f, statement, arguments)?;
            if !otherwise.is_empty() {
                f.write_str(" else ")?;
                write_braced(f, otherwise, indent)?;
            }
            f.write_str(";")?;
        }
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
        Node::Sections { parts, parallel } => {
            f.write_str(if *parallel { "sections parallel {\n" } else { "sections {\n" })?;
            parts.iter().try_for_each(|part| write_node(f, part, indent + 1))?;
            write!(f, "{:width$}}}", "", width = 2 * indent)?;
        }
        Node::User { statement, arguments } => {
            write_instance(f, statement, arguments)?;
            f.write_str(";")?;
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

fn write_instance(f: &mut fmt::Formatter<'_>, statement: &Id, arguments: &[Expr]) -> fmt::Result {
    write_name(f, statement)?;
    f.write_str("(")?;
    for (position, argument) in arguments.iter().enumerate() {
        write!(f, "{}{argument}", if position > 0 { ", " } else { "" })?;
    }
    f.write_str(")")
}

/// What ends the head of a loop, and its body.
fn write_marked(f: &mut fmt::Formatter<'_>, mark: Option<&Id>, body: &Node, indent: usize) -> fmt::Result {
    if let Some(mark) = mark {
        f.write_str(" mark(")?;
        write_name(f, mark)?;
        f.write_str(")")?;
    }
    f.write_str(" ")?;
    write_braced(f, body, indent)
}

fn write_steps(f: &mut fmt::Formatter<'_>, each: &Steps, indent: usize) -> fmt::Result {
    let iterator = Expr::Name(each.iterator.clone());
    write!(f, "steps ({iterator} = {};", each.lower)?;
    each.upper.iter().try_for_each(|upper| write!(f, " {iterator} <= {upper}"))?;
    write!(f, "; {iterator} += {}) depth({})", each.step, each.depth)?;
    write_marked(f, each.mark.as_ref(), &each.body, indent)
}

fn write_for(f: &mut fmt::Formatter<'_>, each: &For, indent: usize) -> fmt::Result {
    let iterator = Expr::Name(each.iterator.clone());
    if each.degenerate {
        write!(f, "let {iterator} = {}", each.lower)?;
    } else {
        write!(f, "for ({iterator} = {}; {iterator} <= {}; {iterator} += {})", each.lower, each.upper, each.step)?;
    }
    write!(f, " depth({})", each.depth)?;
    let words = [
        ("coincident", each.coincident),
        ("open", each.open),
        ("parallel", each.parallel),
        ("pipelined", each.pipelined),
        ("vector", each.vector),
    ];
    for (word, holds) in words {
        if holds {
            write!(f, " {word}")?;
        }
    }
    if !each.reductions.is_empty() {
        f.write_str(" reduction(")?;
        write_names(f, &each.reductions)?;
        f.write_str(")")?;
    }
    write_marked(f, each.mark.as_ref(), &each.body, indent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::tree::expr::Comparison;
    use crate::presburger::Int;
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
  for (c2 = max(0, N - 3); c2 <= N; c2 += 2) depth(0) pipelined {
  }
  sections parallel {
    {
      T();
      T();
    }
    sections {
      S(0, 1);
      T();
    }
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
