//! Affine expressions by the rules of C, as texts of isl's notation, piece by piece.
//!
//! `i / 2` of an `int` is `floor(i / 2)` where `i >= 0`, and `-floor(-i / 2)` elsewhere; of an `unsigned` it is the former. Where an unsigned result may leave its range, it is
//! taken modulo; whether it may is asked of the iterations around. Signed results do not leave theirs, as C has it.

use super::builder::Builder;
use super::operators::integer;
use super::types::{INT, Type, type_specifiers};
use crate::presburger::Set;
use lang_c::ast::{BinaryOperator, Constant, Expression, IntegerBase, IntegerSize, UnaryOperator};
use lang_c::span::Node;

/// Values under conditions that exclude each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Where (everywhere, if nothing is said), and what.
    pub pieces: Vec<(Option<String>, String)>,
}

/// A value with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    pub value: Affine,
    pub bits: u32,
    pub signed: bool,
}

impl Number {
    /// A signed number and a constant more, which is within its type as the program is right.
    pub fn moved(&self, by: i64) -> Option<Number> {
        let more = |a: &str| {
            let inner = a.strip_prefix('(').and_then(|a| a.strip_suffix(')')).and_then(|a| a.rsplit_once(" + "));
            let before = inner.and_then(|(base, n)| Some((base, n.parse::<i64>().ok()?.checked_add(by)?)));
            before.map_or_else(|| format!("({a} + {by})"), |(base, n)| format!("({base} + {n})"))
        };
        let value = match self.value.number() {
            Some(number) => Affine::of(number.checked_add(by)?.to_string()),
            None => self.value.each(more),
        };
        (self.signed && self.bits >= 32).then_some(Number { value, ..*self })
    }
}

/// More pieces than this are not affine enough.
const MOST_PIECES: usize = 16;

impl Affine {
    /// One value.
    pub fn of(text: impl Into<String>) -> Affine {
        Affine { pieces: vec![(None, text.into())] }
    }

    /// The only value, if it is a number.
    pub fn number(&self) -> Option<i64> {
        match &self.pieces[..] {
            [(None, text)] => text.trim_matches(|c| c == '(' || c == ')').parse().ok(),
            _ => None,
        }
    }

    fn each(&self, f: impl Fn(&str) -> String) -> Affine {
        Affine { pieces: self.pieces.iter().map(|(when, value)| (when.clone(), f(value))).collect() }
    }

    fn with(&self, other: &Affine, f: impl Fn(&str, &str) -> String) -> Option<Affine> {
        let pairs = self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| (a, b)));
        let pieces: Vec<_> = pairs.map(|((p, a), (q, b))| (both(p, q), f(a, b))).collect();
        (pieces.len() <= MOST_PIECES).then_some(Affine { pieces })
    }

    /// Only where a condition holds.
    fn under(&self, condition: &str) -> impl Iterator<Item = (Option<String>, String)> {
        let condition = Some(condition.to_string());
        self.pieces.iter().map(move |(when, value)| (both(&condition, when), value.clone()))
    }

    /// Where what `f` says of a value holds.
    pub fn holds(&self, f: impl Fn(&str) -> String) -> String {
        let piece = |(when, value): &(Option<String>, String)| match when {
            None => f(value),
            Some(when) => format!("({when} and {})", f(value)),
        };
        format!("({})", self.pieces.iter().map(piece).collect::<Vec<_>>().join(" or "))
    }
}

fn both(p: &Option<String>, q: &Option<String>) -> Option<String> {
    match (p, q) {
        (Some(p), Some(q)) => Some(format!("{p} and {q}")),
        (p, q) => p.clone().or_else(|| q.clone()),
    }
}

impl Builder<'_> {
    /// The value of an expression, if it is affine in iterators and parameters.
    pub fn number(&self, expression: &Expression) -> Option<Number> {
        match expression {
            Expression::Constant(constant) => literal(&constant.node),
            Expression::Identifier(name) => self.value_of(&name.node.name),
            Expression::UnaryOperator(operation) => {
                let operand = self.promoted(self.number(&operation.node.operand.node)?);
                match operation.node.operator.node {
                    UnaryOperator::Plus => Some(operand),
                    UnaryOperator::Minus => Some(self.computed(&operand, operand.value.each(|a| format!("(-{a})")))),
                    _ => None,
                }
            }
            Expression::BinaryOperator(operation) => {
                let left = self.number(&operation.node.lhs.node)?;
                let right = self.number(&operation.node.rhs.node)?;
                self.combined(&operation.node.operator.node, left, right)
            }
            Expression::Conditional(choice) => {
                let condition = self.condition(&choice.node.condition.node)?;
                let (yes, no) = self.usual(
                    self.number(&choice.node.then_expression.node)?,
                    self.number(&choice.node.else_expression.node)?,
                )?;
                let other = format!("not {condition}");
                let pieces = yes.value.under(&condition).chain(no.value.under(&other)).collect();
                Some(Number { value: Affine { pieces }, ..yes })
            }
            Expression::Cast(cast) => {
                let types = self.unit_types();
                let base = types.base(type_specifiers(&cast.node.type_name.node.specifiers), &|_| None);
                match (&cast.node.type_name.node.declarator, base) {
                    (None, Type::Int { bits, signed }) => {
                        self.converted(self.number(&cast.node.expression.node)?, (bits, signed))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn combined(&self, operator: &BinaryOperator, left: Number, right: Number) -> Option<Number> {
        if *operator == BinaryOperator::ShiftLeft {
            let by = right.value.number().filter(|by| (0..31).contains(by))?;
            let left = self.promoted(left);
            return Some(self.computed(&left, left.value.each(|a| format!("({a} * {})", 1i64 << by))));
        }
        let (left, right) = self.usual(left, right)?;
        let (a, b) = (&left.value, &right.value);
        let value = match operator {
            BinaryOperator::Plus => a.with(b, |a, b| format!("({a} + {b})"))?,
            BinaryOperator::Minus => a.with(b, |a, b| format!("({a} - {b})"))?,
            BinaryOperator::Multiply => match (a.number(), b.number()) {
                (Some(factor), _) => b.each(|b| format!("({factor} * {b})")),
                (_, Some(factor)) => a.each(|a| format!("({factor} * {a})")),
                _ => return None,
            },
            BinaryOperator::Divide => self.rounded(&left, |a, by| format!("floor(({a}) / {by})"), b.number()?)?,
            BinaryOperator::Modulo => self.rounded(&left, |a, by| format!("(({a}) mod {by})"), b.number()?)?,
            _ => return None,
        };
        Some(self.computed(&left, value))
    }

    /// Division and its remainder round towards zero: what `f` says of values from zero on, by a positive number.
    fn rounded(&self, number: &Number, f: impl Fn(&str, i64) -> String, by: i64) -> Option<Affine> {
        if by <= 0 {
            return None;
        }
        if self.stays(&number.value, "0", None) {
            return Some(number.value.each(|a| f(a, by)));
        }
        let mut pieces = Vec::new();
        for (when, a) in &number.value.pieces {
            pieces.push((both(when, &Some(format!("{a} >= 0"))), f(a, by)));
            pieces.push((both(when, &Some(format!("{a} < 0"))), format!("(-{})", f(&format!("-{a}"), by))));
        }
        (pieces.len() <= MOST_PIECES).then_some(Affine { pieces })
    }

    /// What was computed in the type of `like`.
    fn computed(&self, like: &Number, value: Affine) -> Number {
        let Number { bits, signed, .. } = *like;
        let value = if signed { value } else { self.wrapped(value, bits) };
        Number { value, bits, signed }
    }

    fn wrapped(&self, value: Affine, bits: u32) -> Affine {
        let (least, most) = range(&Type::Int { bits, signed: false });
        match self.is_in_length || self.stays(&value, &least, Some(&most)) {
            true => value,
            false => value.each(|a| format!("(({a}) mod {})", 1u128 << bits)),
        }
    }

    /// A number as one of so many bits, with a sign or not; none where that is up to the compiler.
    pub fn converted(&self, number: Number, (bits, signed): (u32, bool)) -> Option<Number> {
        if (number.bits, number.signed) == (bits, signed) {
            return Some(number);
        }
        let (least, most) = range(&Type::Int { bits, signed });
        if self.stays(&number.value, &least, Some(&most)) {
            return Some(Number { bits, signed, ..number });
        }
        let is_bool = bits == 1;
        if signed || is_bool { None } else { Some(Number { value: self.wrapped(number.value, bits), bits, signed }) }
    }

    fn promoted(&self, number: Number) -> Number {
        match INT {
            Type::Int { bits, signed } if number.bits < bits => Number { bits, signed, ..number },
            _ => number,
        }
    }

    /// Both in the type in which C combines them.
    fn usual(&self, a: Number, b: Number) -> Option<(Number, Number)> {
        let (a, b) = (self.promoted(a), self.promoted(b));
        let bits = a.bits.max(b.bits);
        let signed = [&a, &b].iter().all(|n| n.signed || n.bits < bits);
        Some((self.converted(a, (bits, signed))?, self.converted(b, (bits, signed))?))
    }

    /// Whether all values here are within these limits.
    fn stays(&self, value: &Affine, least: &str, most: Option<&str>) -> bool {
        let outside = value.holds(|a| match most {
            None => format!("{a} < {least}"),
            Some(most) => format!("({a} < {least} or {a} > {most})"),
        });
        let within = self.around.limits.iter().map(|limit| format!(" and {limit}")).collect::<String>();
        self.here(&format!("{outside}{within}")).is_some_and(|set| set.intersect_params(&self.known).is_empty())
    }

    /// The iterations around for which a condition holds.
    pub fn here(&self, condition: &str) -> Option<Set> {
        let text = format!("{} {{ [{}] : {condition} }}", self.list(), self.around.dims.join(", "));
        Set::parse(&text).ok().map(|set| set.intersect(&self.around.domain))
    }

    /// The text of a condition, if it is affine.
    pub fn condition(&self, expression: &Expression) -> Option<String> {
        if let Expression::UnaryOperator(operation) = expression
            && operation.node.operator.node == UnaryOperator::Negate
        {
            return Some(format!("(not {})", self.condition(&operation.node.operand.node)?));
        }
        let Expression::BinaryOperator(operation) = expression else { return self.truth(expression) };
        let (left, right) = (&operation.node.lhs.node, &operation.node.rhs.node);
        let joined = |word: &str| Some(format!("({} {word} {})", self.condition(left)?, self.condition(right)?));
        let sign = match operation.node.operator.node {
            BinaryOperator::LogicalAnd => return joined("and"),
            BinaryOperator::LogicalOr => return joined("or"),
            BinaryOperator::Less => "<",
            BinaryOperator::Greater => ">",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::Equals => "=",
            BinaryOperator::NotEquals => "!=",
            _ => return self.truth(expression),
        };
        let (a, b) = self.usual(self.number(left)?, self.number(right)?)?;
        let difference = a.value.with(&b.value, |a, b| format!("{a} {sign} {b}"))?;
        Some(difference.holds(str::to_string))
    }

    /// A number as a condition.
    fn truth(&self, expression: &Expression) -> Option<String> {
        Some(self.number(expression)?.value.holds(|a| format!("{a} != 0")))
    }
}

/// The least and the greatest value of a type.
pub fn range(kind: &Type) -> (String, String) {
    match kind.integer() {
        Some((bits, true)) => (format!("(-{})", 1u128 << (bits - 1)), ((1u128 << (bits - 1)) - 1).to_string()),
        Some((bits, _)) => ("0".to_string(), ((1u128 << bits) - 1).to_string()),
        None => ("0".to_string(), "0".to_string()),
    }
}

fn literal(constant: &Constant) -> Option<Number> {
    let Constant::Integer(written) = constant else { return None };
    let value = integer(written)?;
    let is_long = written.suffix.size != IntegerSize::Int || value > i64::from(u32::MAX);
    // What is not decimal may be unsigned although nothing says so.
    let is_decimal = written.base == IntegerBase::Decimal;
    let unsigned = written.suffix.unsigned || !is_long && !is_decimal && value > i64::from(i32::MAX);
    let fits = value <= i64::from(i32::MAX) || unsigned;
    let bits = if is_long || !fits { 64 } else { 32 };
    Some(Number { value: Affine::of(value.to_string()), bits, signed: !unsigned })
}

/// An expression as it is passed on.
pub type Term = Node<Expression>;
