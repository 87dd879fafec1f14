//! Expressions of generated loops, written: for people and [`super::text`], or for a C compiler.
//!
//! `min(a, b, c)` is a call of two operands inside another for C. An expression gets parentheses where it stands inside a tighter one: `(a + b) * 2`.

use super::expr::Expr;
use crate::presburger::Id;
use crate::presburger::int::Number;
use std::fmt;

/// How tightly an expression holds together when written; a looser one inside a tighter one needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tightness {
    Select,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Unary,
    Atom,
}

pub(super) fn tightness(expr: &Expr) -> Tightness {
    match expr {
        Expr::Select(..) => Tightness::Select,
        Expr::Or(_) => Tightness::Or,
        Expr::And(_) => Tightness::And,
        Expr::Compare(..) => Tightness::Compare,
        Expr::Add(..) | Expr::Sub(..) => Tightness::Sum,
        Expr::Mul(..) | Expr::ExactDiv(..) => Tightness::Product,
        Expr::Int(value) if value.is_negative() => Tightness::Unary,
        Expr::Neg(_) | Expr::Not(_) => Tightness::Unary,
        Expr::Int(_) | Expr::Name(_) | Expr::FloorDiv(..) | Expr::Mod(..) | Expr::Min(_) | Expr::Max(_) => {
            Tightness::Atom
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(f, self, &|f, name| write_name(f, name), Notation::Own)
    }
}

/// How expressions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// As they are read back.
    Own,
    /// For a C compiler: minima and maxima as nested calls of two operands, all parentheses that it would warn about the lack of.
    C,
}

/// Writes `expr`, names by `name`.
pub(super) fn write_expr<W: fmt::Write>(
    f: &mut W,
    expr: &Expr,
    name: &dyn Fn(&mut W, &Id) -> fmt::Result,
    notation: Notation,
) -> fmt::Result {
    let at_least = |f: &mut W, operand: &Expr, least: Tightness| {
        if tightness(operand) >= least {
            return write_expr(f, operand, name, notation);
        }
        f.write_char('(')?;
        write_expr(f, operand, name, notation)?;
        f.write_char(')')
    };
    let infix = |f: &mut W, a: &Expr, left: Tightness, sign: &str, b: &Expr, right: Tightness| {
        at_least(f, a, left)?;
        write!(f, " {sign} ")?;
        at_least(f, b, right)
    };
    let joined = |f: &mut W, operands: &[Expr], sign: &str, least: Tightness| {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                write!(f, " {sign} ")?;
            }
            at_least(f, operand, least)?;
        }
        Ok(())
    };
    match expr {
        Expr::Int(value) => write!(f, "{value}"),
        Expr::Name(id) => name(f, id),
        Expr::Add(a, b) => infix(f, a, Tightness::Sum, "+", b, Tightness::Product),
        Expr::Sub(a, b) => infix(f, a, Tightness::Sum, "-", b, Tightness::Product),
        Expr::Neg(a) => {
            f.write_char('-')?;
            match &**a {
                Expr::Int(_) | Expr::Neg(_) => at_least_parenthesized(f, a, name, notation),
                _ => at_least(f, a, Tightness::Unary),
            }
        }
        Expr::Mul(a, b) => infix(f, a, Tightness::Product, "*", b, Tightness::Unary),
        Expr::ExactDiv(a, d) => {
            at_least(f, a, Tightness::Product)?;
            write!(f, " / {d}")
        }
        Expr::FloorDiv(a, d) | Expr::Mod(a, d) => {
            f.write_str(if matches!(expr, Expr::Mod(..)) { "mod(" } else { "floord(" })?;
            write_expr(f, a, name, notation)?;
            write!(f, ", {d})")
        }
        Expr::Min(operands) => write_call(f, "min", operands, name, notation),
        Expr::Max(operands) => write_call(f, "max", operands, name, notation),
        Expr::Compare(comparison, a, b) => infix(f, a, Tightness::Sum, comparison.sign(), b, Tightness::Sum),
        Expr::And(operands) => joined(f, operands, "&&", Tightness::Compare),
        Expr::Or(operands) if notation == Notation::C => joined(f, operands, "||", Tightness::Compare),
        Expr::Or(operands) => joined(f, operands, "||", Tightness::And),
        Expr::Not(a) => {
            f.write_char('!')?;
            at_least(f, a, Tightness::Unary)
        }
        Expr::Select(condition, a, b) => {
            at_least(f, condition, Tightness::Or)?;
            f.write_str(" ? ")?;
            at_least(f, a, Tightness::Or)?;
            f.write_str(" : ")?;
            at_least(f, b, Tightness::Select)
        }
    }
}

fn at_least_parenthesized<W: fmt::Write>(
    f: &mut W,
    expr: &Expr,
    name: &dyn Fn(&mut W, &Id) -> fmt::Result,
    notation: Notation,
) -> fmt::Result {
    f.write_char('(')?;
    write_expr(f, expr, name, notation)?;
    f.write_char(')')
}

fn write_call<W: fmt::Write>(
    f: &mut W,
    function: &str,
    operands: &[Expr],
    name: &dyn Fn(&mut W, &Id) -> fmt::Result,
    notation: Notation,
) -> fmt::Result {
    if notation == Notation::C && operands.len() == 1 {
        return at_least_parenthesized(f, &operands[0], name, notation);
    }
    write!(f, "{function}(")?;
    for (position, operand) in operands.iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        if notation == Notation::C && position == 1 && operands.len() > 2 {
            write_call(f, function, &operands[1..], name, notation)?;
            break;
        }
        write_expr(f, operand, name, notation)?;
    }
    f.write_char(')')
}

/// What a name must be quoted to be.
pub(super) const WORDS: [&str; 18] = [
    "for",
    "if",
    "else",
    "let",
    "mark",
    "sections",
    "depth",
    "coincident",
    "open",
    "parallel",
    "pipelined",
    "vector",
    "reduction",
    "floord",
    "mod",
    "min",
    "max",
    "int",
];

/// Whether a name can be written without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit()) && !WORDS.contains(&name)
}

/// Writes a name as it is read back.
pub(super) fn write_name(f: &mut impl fmt::Write, name: &Id) -> fmt::Result {
    let text = name.as_str();
    if is_plain(text) {
        return f.write_str(text);
    }
    f.write_char('"')?;
    for c in text.chars() {
        if c == '"' || c == '\\' {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}
