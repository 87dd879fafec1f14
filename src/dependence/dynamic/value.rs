//! Values, and what a computation makes of them.
//!
//! An integer of `w` bits wraps like one; a floating-point number is rounded to its type where it is stored; truth values are the
//! integers 0 and 1. Mixed operands meet as floating-point numbers. Integer division is towards zero, as in C, and by zero it has
//! no value.

use std::fmt;

use crate::presburger::{DimKind, Id};
use crate::scop::expression::{Expression, Operator};
use crate::scop::{ElementType, Scop, StatementId};

/// A value of an array's element.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// An integer, or a truth value.
    Int(i64),
    /// A floating-point number.
    Float(f64),
}

/// Why a program has no result on some input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck(pub String);

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stuck {}

/// A stuck computation, with its reason.
pub fn stuck<T>(reason: impl Into<String>) -> Result<T, Stuck> {
    Err(Stuck(reason.into()))
}

impl PartialEq for Value {
    /// The same bits.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl Value {
    /// Whether it counts as true: it is not 0.
    pub fn is_true(self) -> bool {
        match self {
            Self::Int(value) => value != 0,
            Self::Float(value) => value != 0.0,
        }
    }

    /// What an element of this type holds after it has been stored there.
    pub fn stored(self, element: ElementType) -> Value {
        match (element, self) {
            (ElementType::Float(32), value) => Self::Float(f64::from(value.real() as f32)),
            (ElementType::Float(_), value) => Self::Float(value.real()),
            (ElementType::Int(1), value) => Self::Int(i64::from(value.is_true())),
            (ElementType::Int(bits), value) if bits < 64 => {
                let unused = 64 - bits;
                Self::Int((value.whole() << unused) >> unused)
            }
            (_, value) => Self::Int(value.whole()),
        }
    }

    fn real(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Towards zero; what does not fit becomes the nearest that does.
    fn whole(self) -> i64 {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value as i64,
        }
    }
}

/// The value of an expression, given those of its names.
pub fn evaluate(expression: &Expression, name: &mut impl FnMut(&Id) -> Result<Value, Stuck>) -> Result<Value, Stuck> {
    crate::presburger::budget::spend(5);
    match expression {
        Expression::Integer(value) => Ok(Value::Int(*value)),
        Expression::Float(value) => Ok(Value::Float(*value)),
        Expression::Name(id) => name(id),
        Expression::Call(symbol, _) => stuck(format!("the symbol {symbol} has no meaning that could be executed")),
        Expression::Apply(Operator::Select, parts) => {
            let choice = if evaluate(&parts[0], name)?.is_true() { &parts[1] } else { &parts[2] };
            evaluate(choice, name)
        }
        Expression::Apply(operator @ (Operator::And | Operator::Or), parts) => {
            let first = evaluate(&parts[0], name)?.is_true();
            let decided = first == (*operator == Operator::Or);
            let value = if decided { first } else { evaluate(&parts[1], name)?.is_true() };
            Ok(Value::Int(i64::from(value)))
        }
        Expression::Apply(operator, parts) => {
            let first = evaluate(&parts[0], name)?;
            match parts.get(1) {
                None => Ok(unary(*operator, first)),
                Some(second) => binary(*operator, first, evaluate(second, name)?),
            }
        }
    }
}

fn unary(operator: Operator, value: Value) -> Value {
    match (operator, value) {
        (Operator::Not, value) => Value::Int(i64::from(!value.is_true())),
        (Operator::Abs, Value::Int(value)) => Value::Int(value.wrapping_abs()),
        (Operator::Abs, Value::Float(value)) => Value::Float(value.abs()),
        (Operator::Sqrt, value) => Value::Float(value.real().sqrt()),
        (Operator::Exp, value) => Value::Float(value.real().exp()),
        (Operator::Log, value) => Value::Float(value.real().ln()),
        (Operator::Sin, value) => Value::Float(value.real().sin()),
        (Operator::Cos, value) => Value::Float(value.real().cos()),
        (Operator::Real, value) => Value::Float(value.real()),
        (Operator::Whole, value) => Value::Int(value.whole()),
        (_, Value::Int(value)) => Value::Int(value.wrapping_neg()),
        (_, Value::Float(value)) => Value::Float(-value),
    }
}

fn binary(operator: Operator, first: Value, second: Value) -> Result<Value, Stuck> {
    match (first, second) {
        (Value::Int(a), Value::Int(b)) => integer(operator, a, b),
        _ => Ok(real(operator, first.real(), second.real())),
    }
}

fn integer(operator: Operator, a: i64, b: i64) -> Result<Value, Stuck> {
    if b == 0 && matches!(operator, Operator::Divide | Operator::Remainder) {
        return stuck("division by zero");
    }
    Ok(Value::Int(match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Subtract => a.wrapping_sub(b),
        Operator::Multiply => a.wrapping_mul(b),
        Operator::Divide => a.wrapping_div(b),
        Operator::Remainder => a.wrapping_rem(b),
        Operator::Min => a.min(b),
        Operator::Max => a.max(b),
        comparison => i64::from(compared(comparison, &a, &b)),
    }))
}

fn real(operator: Operator, a: f64, b: f64) -> Value {
    Value::Float(match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        Operator::Remainder => a % b,
        Operator::Min => a.min(b),
        Operator::Max => a.max(b),
        comparison => return Value::Int(i64::from(compared(comparison, &a, &b))),
    })
}

fn compared<T: PartialOrd>(operator: Operator, a: &T, b: &T) -> bool {
    match operator {
        Operator::Equal => a == b,
        Operator::Unequal => a != b,
        Operator::AtMost => a <= b,
        Operator::Less => a < b,
        Operator::AtLeast => a >= b,
        _ => a > b,
    }
}

/// Whether an instance of a statement computes something, and does not only copy.
pub fn is_operation(scop: &Scop, statement: StatementId) -> bool {
    scop.statements[statement].compute.as_ref().is_some_and(|compute| !compute.is_copy())
}

/// What instance `point` of a statement stores, given the values of its reads; anything, if it stores nothing.
pub fn computed(
    scop: &Scop,
    statement: StatementId,
    point: &[i64],
    params: &[i64],
    read: &mut impl FnMut(&Id) -> Option<Value>,
) -> Result<Value, Stuck> {
    let statement = &scop.statements[statement];
    if !statement.accesses.iter().any(|access| access.kind.writes()) {
        return Ok(Value::Int(0));
    }
    let Some(expression) = &statement.compute else {
        return stuck(format!("{} does not say what it computes", statement.name));
    };
    let space = statement.domain.space();
    let iterator = |id: &Id| (0..point.len()).find(|d| space.dim_name(DimKind::Out, *d) == Some(id)).map(|d| point[d]);
    let param = |id: &Id| scop.params.iter().position(|name| name == id).map(|at| params[at]);
    let mut value_of = |id: &Id| {
        let value = read(id).or_else(|| iterator(id).or_else(|| param(id)).map(Value::Int));
        value.ok_or_else(|| Stuck(format!("{id} is not read by this instance")))
    };
    let value = evaluate(expression, &mut value_of);
    let value = value.map_err(|Stuck(reason)| Stuck(format!("{}{point:?}: {reason}", statement.name)))?;
    let written = statement.accesses.iter().find(|a| a.kind.writes()).and_then(|a| scop.array(&a.array));
    Ok(written.map_or(value, |array| value.stored(array.element)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an expression is worth where `a` is 7, `b` is -2, `x` is 2.5 and `y` is -0.5.
    fn worth(text: &str) -> String {
        let known = |id: &Id| match id.as_str() {
            "a" => Ok(Value::Int(7)),
            "b" => Ok(Value::Int(-2)),
            "x" => Ok(Value::Float(2.5)),
            "y" => Ok(Value::Float(-0.5)),
            other => stuck(format!("no {other}")),
        };
        let expression = Expression::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let value = evaluate(&expression, &mut { known });
        value.map_or_else(|Stuck(reason)| reason, |value| value.to_string())
    }

    #[test]
    fn expressions_are_worth_what_they_are_in_c() {
        for (text, expected) in [
            ("a + b", "5"),
            ("a - b", "9"),
            ("a * b", "-14"),
            ("a / b", "-3"),
            ("a % b", "1"),
            ("a / 0", "division by zero"),
            ("a % 0", "division by zero"),
            ("0 / a", "0"),
            ("min(a, b) + max(a, b) * 10", "68"),
            ("-a", "-7"),
            ("abs(b)", "2"),
            ("!a", "0"),
            ("!(a - 7)", "1"),
            ("!y", "0"),
            ("x + y", "2.0"),
            ("x - y", "3.0"),
            ("x * y", "-1.25"),
            ("x / y", "-5.0"),
            ("x % 1", "0.5"),
            ("a % x", "2.0"),
            ("min(x, y)", "-0.5"),
            ("max(x, y)", "2.5"),
            ("-x", "-2.5"),
            ("abs(y)", "0.5"),
            ("sqrt(x * 2.5)", "2.5"),
            ("sqrt(a + 2)", "3.0"),
            ("exp(0)", "1.0"),
            ("log(exp(0.0))", "0.0"),
            ("sin(0)", "0.0"),
            ("cos(0)", "1.0"),
            ("real(a) / 2", "3.5"),
            ("int(x) / 2", "1"),
            ("int(-x)", "-2"),
            ("x ? a : b", "7"),
            ("(x - x) ? a : b", "-2"),
            ("a && b", "1"),
            ("a && 0", "0"),
            ("0 && z", "0"),
            ("1 && z", "no z"),
            ("a || z", "1"),
            ("0 || b", "1"),
            ("0 || 0", "0"),
            ("f(a)", "the symbol f has no meaning that could be executed"),
        ] {
            assert_eq!(worth(text), expected, "{text}");
        }
    }

    #[test]
    fn comparisons_are_0_or_1() {
        for (less, equal, word) in
            [("1", "0", "<"), ("1", "1", "<="), ("0", "0", ">"), ("0", "1", ">="), ("0", "1", "=="), ("1", "0", "!=")]
        {
            for (small, large) in [("b", "a"), ("y", "x"), ("b", "x")] {
                assert_eq!(worth(&format!("{small} {word} {large}")), less, "{small} {word} {large}");
                assert_eq!(worth(&format!("{large} {word} {large}")), equal, "{large} {word} {large}");
            }
        }
    }

    #[test]
    fn what_is_stored_fits_its_element() {
        use ElementType::{Float, Int};
        let stored = |value: Value, element| value.stored(element).to_string();
        assert_eq!(stored(Value::Int(300), Int(8)), "44");
        assert_eq!(stored(Value::Int(200), Int(8)), "-56");
        assert_eq!(stored(Value::Int(-1), Int(16)), "-1");
        assert_eq!(stored(Value::Int(1 << 40), Int(64)), "1099511627776");
        assert_eq!(stored(Value::Float(-2.9), Int(32)), "-2");
        assert_eq!(stored(Value::Int(6), Int(1)), "1");
        assert_eq!(stored(Value::Float(0.0), Int(1)), "0");
        assert_eq!(stored(Value::Float(0.1), Float(32)), "0.10000000149011612");
        assert_eq!(stored(Value::Float(0.1), Float(64)), "0.1");
        assert_eq!(stored(Value::Int(3), Float(64)), "3.0");
    }

    #[test]
    fn values_are_equal_by_their_bits() {
        assert_eq!(Value::Float(f64::NAN), Value::Float(f64::NAN));
        assert_ne!(Value::Float(0.0), Value::Float(-0.0));
        assert_ne!(Value::Int(0), Value::Float(0.0));
        assert_ne!(Value::Int(0), Value::Int(1));
    }
}
