//! Values of the exact model in C: integers of 64 bits, and floating-point numbers.
//!
//! `a + b` of integers is `(int64_t)((uint64_t)(a) + (uint64_t)(b))`, which wraps; where an operand is a floating-point number, both are. What an element keeps of a value is
//! what [`super::value`] says.

use crate::scop::ElementType;
use crate::scop::expression::Operator;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Whole,
    Real,
}

impl Type {
    /// That of an element.
    pub fn of(element: ElementType) -> Type {
        if matches!(element, ElementType::Float(_)) { Type::Real } else { Type::Whole }
    }

    /// Its name in C.
    pub fn word(self) -> &'static str {
        match self {
            Type::Whole => "int64_t",
            Type::Real => "double",
        }
    }

    /// Its place among the values that a table keeps.
    pub fn field(self) -> &'static str {
        match self {
            Type::Whole => "whole",
            Type::Real => "real",
        }
    }
}

/// A value as an element keeps it.
pub fn keep(element: ElementType, value: &str, kind: Type) -> String {
    let as_whole = || if kind == Type::Real { format!("whole({value})") } else { value.to_string() };
    match element {
        ElementType::Float(32) => format!("(float)({value})"),
        ElementType::Float(_) => value.to_string(),
        ElementType::Int(1) => format!("({value}) != 0"),
        ElementType::Int(bits) if bits < 64 => {
            let unused = 64 - bits;
            format!("(int64_t)((uint64_t)({}) << {unused}) >> {unused}", as_whole())
        }
        _ => as_whole(),
    }
}

/// An operator between values.
pub fn applied(operator: Operator, parts: &[(String, Type)]) -> Result<(String, Type), String> {
    let (first, kind) = &parts[0];
    let Some((second, other)) = parts.get(1) else {
        let real = || if *kind == Type::Real { first.clone() } else { format!("(double)({first})") };
        let function = |name: &str| (format!("{name}({})", real()), Type::Real);
        return Ok(match (operator, kind) {
            (Operator::Sqrt, _) => function("sqrt"),
            (Operator::Exp, _) => function("exp"),
            (Operator::Log, _) => function("log"),
            (Operator::Sin, _) => function("sin"),
            (Operator::Cos, _) => function("cos"),
            (Operator::Real, _) => (format!("({})", real()), Type::Real),
            (Operator::Whole, Type::Real) => (format!("whole({first})"), Type::Whole),
            (Operator::Whole, Type::Whole) => (first.clone(), Type::Whole),
            (Operator::Not, _) => (format!("!({first})"), Type::Whole),
            (Operator::Abs, Type::Whole) => (format!("magnitude({first})"), Type::Whole),
            (Operator::Abs, Type::Real) => (format!("fabs({first})"), Type::Real),
            (_, Type::Whole) => (format!("(int64_t)(0 - (uint64_t)({first}))"), Type::Whole),
            (_, Type::Real) => (format!("-({first})"), Type::Real),
        });
    };
    if let (Operator::Select, Some((third, last))) = (operator, parts.get(2)) {
        return match other == last {
            true => Ok((format!("(({first}) ? ({second}) : ({third}))"), *other)),
            false => Err("the values of a choice are of two types".to_string()),
        };
    }
    let whole = [*kind, *other] == [Type::Whole; 2];
    let sign = match operator {
        Operator::And => "&&",
        Operator::Or => "||",
        Operator::Equal => "==",
        Operator::Unequal => "!=",
        Operator::AtMost => "<=",
        Operator::Less => "<",
        Operator::AtLeast => ">=",
        Operator::Greater => ">",
        _ => "",
    };
    if matches!(operator, Operator::And | Operator::Or) {
        return Ok((format!("(({first}) {sign} ({second}))"), Type::Whole));
    }
    let real =
        |text: &String, kind: &Type| if *kind == Type::Real { text.clone() } else { format!("(double)({text})") };
    let (a, b) = if whole { (first.clone(), second.clone()) } else { (real(first, kind), real(second, other)) };
    if !sign.is_empty() {
        return Ok((format!("(({a}) {sign} ({b}))"), Type::Whole));
    }
    let wraps = |sign: &str| format!("(int64_t)((uint64_t)({a}) {sign} (uint64_t)({b}))");
    let text = match (operator, whole) {
        (Operator::Add, true) => wraps("+"),
        (Operator::Subtract, true) => wraps("-"),
        (Operator::Multiply, true) => wraps("*"),
        (Operator::Divide, true) => format!("divide({a}, {b})"),
        (Operator::Remainder, true) => format!("rest({a}, {b})"),
        (Operator::Min, true) => format!("smaller({a}, {b})"),
        (Operator::Max, true) => format!("larger({a}, {b})"),
        (Operator::Add, false) => format!("(({a}) + ({b}))"),
        (Operator::Subtract, false) => format!("(({a}) - ({b}))"),
        (Operator::Multiply, false) => format!("(({a}) * ({b}))"),
        (Operator::Divide, false) => format!("(({a}) / ({b}))"),
        (Operator::Remainder, false) => format!("fmod({a}, {b})"),
        (Operator::Min, false) => format!("fmin({a}, {b})"),
        _ => format!("fmax({a}, {b})"),
    };
    Ok((text, if whole { Type::Whole } else { Type::Real }))
}
