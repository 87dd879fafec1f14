//! Expressions of generated loops: bounds, conditions, and the iterators of a statement as functions of the loops around it.
//!
//! `max(0, floord(N - 31, 32))` is the lower bound of a tile loop. Everything is exact integer arithmetic: [`Expr::FloorDiv`] rounds
//! towards minus infinity, [`Expr::Mod`] is never negative, [`Expr::ExactDiv`] is a promise that nothing remains. Truth is 0 or 1.
//! The constructors ([`Expr::add`], [`Expr::min`], ...) fold constants and drop neutral operands, so that expressions
//! come out as a person would write them; the variants themselves may be built by hand.
//!
//! The text form is that of C, with `floord(e, 32)` and `mod(e, 32)` for the divisions and `min`/`max` of any number of operands;
//! [`super::text`] reads it back to an equal expression.

use crate::presburger::int::Number;
use crate::presburger::{Id, Int};

/// How two integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<=`
    Le,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
}

/// An integer expression over loop iterators and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A constant.
    Int(Int),
    /// A loop iterator or a parameter.
    Name(Id),
    /// Sum.
    Add(Box<Expr>, Box<Expr>),
    /// Difference.
    Sub(Box<Expr>, Box<Expr>),
    /// Opposite.
    Neg(Box<Expr>),
    /// Product.
    Mul(Box<Expr>, Box<Expr>),
    /// Quotient by a positive integer, rounded towards minus infinity.
    FloorDiv(Box<Expr>, Int),
    /// Remainder of [`Expr::FloorDiv`]: `0 <= mod(e, d) < d`.
    Mod(Box<Expr>, Int),
    /// Quotient by a positive integer that is known to divide.
    ExactDiv(Box<Expr>, Int),
    /// Least of one or more.
    Min(Vec<Expr>),
    /// Greatest of one or more.
    Max(Vec<Expr>),
    /// 1 if the comparison holds, else 0.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// 1 if all (two or more) are not 0, else 0; evaluated from the left and only as far as needed.
    And(Vec<Expr>),
    /// 1 if any (of two or more) is not 0, else 0; evaluated from the left and only as far as needed.
    Or(Vec<Expr>),
    /// 1 if it is 0, else 0.
    Not(Box<Expr>),
    /// The second if the first is not 0, else the third.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl From<i64> for Expr {
    fn from(value: i64) -> Self {
        Expr::Int(Int::from(value))
    }
}

impl Comparison {
    /// Whether it holds of `a` and `b`.
    pub fn holds(self, a: &Int, b: &Int) -> bool {
        match self {
            Comparison::Eq => a == b,
            Comparison::Ne => a != b,
            Comparison::Le => a <= b,
            Comparison::Lt => a < b,
            Comparison::Ge => a >= b,
            Comparison::Gt => a > b,
        }
    }

    /// The comparison that holds exactly when this one does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Le => Comparison::Gt,
            Comparison::Lt => Comparison::Ge,
            Comparison::Ge => Comparison::Lt,
            Comparison::Gt => Comparison::Le,
        }
    }

    /// Its sign in C.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Le => "<=",
            Comparison::Lt => "<",
            Comparison::Ge => ">=",
            Comparison::Gt => ">",
        }
    }
}

impl Expr {
    /// The constant, if it is one.
    pub fn constant(&self) -> Option<&Int> {
        match self {
            Expr::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is the constant `value`.
    pub fn is_constant(&self, value: i64) -> bool {
        self.constant() == Some(&Int::from(value))
    }

    /// `a + b`.
    pub fn add(a: Expr, b: Expr) -> Expr {
        match (a, b) {
            (Expr::Int(a), Expr::Int(b)) => Expr::Int(Number::add(&a, &b)),
            (a, b) if b.is_constant(0) => a,
            (a, b) if a.is_constant(0) => b,
            (a, Expr::Neg(b)) => Expr::Sub(Box::new(a), b),
            (Expr::Neg(a), b) => Expr::Sub(Box::new(b), a),
            (a, Expr::Int(b)) if b.is_negative() => Expr::Sub(Box::new(a), Box::new(Expr::Int(Number::neg(&b)))),
            (a, b) => Expr::Add(Box::new(a), Box::new(b)),
        }
    }

    /// `a - b`.
    pub fn sub(a: Expr, b: Expr) -> Expr {
        match (a, b) {
            (Expr::Int(a), Expr::Int(b)) => Expr::Int(Number::sub(&a, &b)),
            (a, b) if b.is_constant(0) => a,
            (a, b) if a.is_constant(0) => Expr::neg(b),
            (a, Expr::Neg(b)) => Expr::Add(Box::new(a), b),
            (a, Expr::Int(b)) if b.is_negative() => Expr::Add(Box::new(a), Box::new(Expr::Int(Number::neg(&b)))),
            (a, b) => Expr::Sub(Box::new(a), Box::new(b)),
        }
    }

    /// `-a`.
    pub fn neg(a: Expr) -> Expr {
        match a {
            Expr::Int(a) => Expr::Int(Number::neg(&a)),
            Expr::Neg(a) => *a,
            Expr::Sub(a, b) => Expr::Sub(b, a),
            a => Expr::Neg(Box::new(a)),
        }
    }

    /// `factor * a`.
    pub fn scale(factor: &Int, a: Expr) -> Expr {
        match a {
            Expr::Int(a) => Expr::Int(Number::mul(&a, factor)),
            _ if factor.is_zero() => Expr::from(0),
            a if factor.is_one() => a,
            a if factor.is_negative() => Expr::neg(Expr::scale(&Number::neg(factor), a)),
            a => Expr::Mul(Box::new(Expr::Int(factor.clone())), Box::new(a)),
        }
    }

    /// `floor(a / divisor)` for a positive divisor.
    pub fn floor_div(a: Expr, divisor: &Int) -> Expr {
        match a {
            Expr::Int(a) => Expr::Int(Number::div_floor(&a, divisor)),
            a if divisor.is_one() => a,
            a => Expr::FloorDiv(Box::new(a), divisor.clone()),
        }
    }

    /// `a - divisor * floor(a / divisor)` for a positive divisor.
    pub fn modulo(a: Expr, divisor: &Int) -> Expr {
        match a {
            Expr::Int(a) => Expr::Int(a.rem_floor(divisor)),
            _ if divisor.is_one() => Expr::from(0),
            a => Expr::Mod(Box::new(a), divisor.clone()),
        }
    }

    /// `a / divisor` for a positive divisor that is known to divide.
    pub fn exact_div(a: Expr, divisor: &Int) -> Expr {
        match a {
            Expr::Int(a) => Expr::Int(a.div_exact(divisor)),
            a if divisor.is_one() => a,
            a => Expr::ExactDiv(Box::new(a), divisor.clone()),
        }
    }

    /// The least of one or more; constants are folded, equal operands and nested minima merged.
    pub fn min(operands: Vec<Expr>) -> Expr {
        extremum(operands, Extreme::Least)
    }

    /// The greatest of one or more; constants are folded, equal operands and nested maxima merged.
    pub fn max(operands: Vec<Expr>) -> Expr {
        extremum(operands, Extreme::Greatest)
    }

    /// `a <sign> b`.
    pub fn compare(comparison: Comparison, a: Expr, b: Expr) -> Expr {
        match (&a, &b) {
            (Expr::Int(x), Expr::Int(y)) => Expr::from(i64::from(comparison.holds(x, y))),
            _ => Expr::Compare(comparison, Box::new(a), Box::new(b)),
        }
    }

    /// Whether all hold: 1 for none, the operand itself for one.
    pub fn and(operands: Vec<Expr>) -> Expr {
        let mut kept = vec![];
        for operand in operands {
            match operand {
                Expr::And(inner) => kept.extend(inner),
                Expr::Int(ref value) if value.is_zero() => return operand,
                Expr::Int(_) => {}
                other if kept.contains(&other) => {}
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Expr::from(1),
            1 => kept.remove(0),
            _ => Expr::And(kept),
        }
    }

    /// Whether any holds: 0 for none, the operand itself for one.
    pub fn or(operands: Vec<Expr>) -> Expr {
        let mut kept = vec![];
        for operand in operands {
            match operand {
                Expr::Or(inner) => kept.extend(inner),
                Expr::Int(ref value) if value.is_zero() => {}
                Expr::Int(_) => return Expr::from(1),
                other if kept.contains(&other) => {}
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Expr::from(0),
            1 => kept.remove(0),
            _ => Expr::Or(kept),
        }
    }

    /// Whether `a` does not hold.
    #[allow(clippy::should_implement_trait)]
    pub fn not(a: Expr) -> Expr {
        match a {
            Expr::Int(value) => Expr::from(i64::from(value.is_zero())),
            Expr::Compare(comparison, x, y) => Expr::Compare(comparison.negated(), x, y),
            Expr::Not(inner) => *inner,
            a => Expr::Not(Box::new(a)),
        }
    }

    /// The value where `value` knows each name, or `None`. `And`, `Or` and `Select` ask only for what they need.
    pub fn eval(&self, value: &impl Fn(&Id) -> Option<Int>) -> Option<Int> {
        let truth = |holds: bool| Some(Int::from(i64::from(holds)));
        match self {
            Expr::Int(constant) => Some(constant.clone()),
            Expr::Name(name) => value(name),
            Expr::Add(a, b) => Some(Number::add(&a.eval(value)?, &b.eval(value)?)),
            Expr::Sub(a, b) => Some(Number::sub(&a.eval(value)?, &b.eval(value)?)),
            Expr::Neg(a) => Some(Number::neg(&a.eval(value)?)),
            Expr::Mul(a, b) => Some(Number::mul(&a.eval(value)?, &b.eval(value)?)),
            Expr::FloorDiv(a, d) => Some(Number::div_floor(&a.eval(value)?, d)),
            Expr::Mod(a, d) => Some(a.eval(value)?.rem_floor(d)),
            Expr::ExactDiv(a, d) => {
                let dividend = a.eval(value)?;
                assert!(dividend.is_divisible_by(d), "{dividend} is divisible by {d} in {self}");
                Some(dividend.div_exact(d))
            }
            Expr::Min(operands) => evaluate_all(operands, value)?.into_iter().min(),
            Expr::Max(operands) => evaluate_all(operands, value)?.into_iter().max(),
            Expr::Compare(comparison, a, b) => truth(comparison.holds(&a.eval(value)?, &b.eval(value)?)),
            Expr::And(operands) => {
                for operand in operands {
                    if operand.eval(value)?.is_zero() {
                        return Some(Int::zero());
                    }
                }
                Some(Int::one())
            }
            Expr::Or(operands) => {
                for operand in operands {
                    if !operand.eval(value)?.is_zero() {
                        return Some(Int::one());
                    }
                }
                Some(Int::zero())
            }
            Expr::Not(a) => truth(a.eval(value)?.is_zero()),
            Expr::Select(condition, a, b) => {
                if condition.eval(value)?.is_zero() {
                    b.eval(value)
                } else {
                    a.eval(value)
                }
            }
        }
    }

    /// Whether a name is in it.
    pub fn mentions(&self, name: &Id) -> bool {
        let mut is_mentioned = false;
        self.names(&mut |own| is_mentioned |= own == name);
        is_mentioned
    }

    /// Calls `visit` on every name in it, from the left.
    pub fn names(&self, visit: &mut impl FnMut(&Id)) {
        match self {
            Expr::Int(_) => {}
            Expr::Name(name) => visit(name),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Compare(_, a, b) => {
                a.names(visit);
                b.names(visit);
            }
            Expr::Neg(a) | Expr::FloorDiv(a, _) | Expr::Mod(a, _) | Expr::ExactDiv(a, _) | Expr::Not(a) => {
                a.names(visit)
            }
            Expr::Min(operands) | Expr::Max(operands) | Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().for_each(|operand| operand.names(visit));
            }
            Expr::Select(condition, a, b) => {
                condition.names(visit);
                a.names(visit);
                b.names(visit);
            }
        }
    }
}

fn evaluate_all(operands: &[Expr], value: &impl Fn(&Id) -> Option<Int>) -> Option<Vec<Int>> {
    operands.iter().map(|operand| operand.eval(value)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Least,
    Greatest,
}

fn extremum(operands: Vec<Expr>, which: Extreme) -> Expr {
    let mut constant: Option<Int> = None;
    let mut kept: Vec<Expr> = vec![];
    let mut waiting: Vec<Expr> = operands.into_iter().rev().collect();
    while let Some(operand) = waiting.pop() {
        match operand {
            Expr::Int(value) => {
                constant = Some(match constant {
                    Some(other) if which == Extreme::Least => other.min(value),
                    Some(other) => other.max(value),
                    None => value,
                });
            }
            Expr::Min(inner) if which == Extreme::Least => waiting.extend(inner.into_iter().rev()),
            Expr::Max(inner) if which == Extreme::Greatest => waiting.extend(inner.into_iter().rev()),
            other if kept.contains(&other) => {}
            other => kept.push(other),
        }
    }
    kept.splice(0..0, constant.map(Expr::Int));
    match kept.len() {
        1 => kept.remove(0),
        _ if which == Extreme::Least => Expr::Min(kept),
        _ => Expr::Max(kept),
    }
}
