//! What statements compute, as far as models can say it.
//!
//! `a[i] = a[i - 1] + 2 * i` is `S_0_r0 + 2 * i` where `S_0_r0` is the read of `a[i - 1]`. That is said of values that are what they are in C: signed integers, which do not leave their range, and `double`. A `float`
//! is copied and compared only, an unsigned number copied, as what is computed with them is rounded or wraps around.

use crate::c_program::builder::Builder;
use crate::c_program::operators::{assigns, integer, steps};
use crate::c_program::order::Scheduled;
use crate::c_program::types::Type;
use crate::c_program::values::Term;
use crate::presburger::{DimKind, Map};
use crate::scop::expression::Operator;
use crate::scop::{Access, AccessKind, Expression as Value};
use lang_c::ast::{BinaryOperator, Constant, Expression, FloatFormat, IntegerSize, UnaryOperator};

/// What is done with a value may depend on what it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A signed integer.
    Signed,
    /// A number of 64 bits with a point.
    Double,
    /// One of 32, which is copied and compared.
    Single,
    /// A number of so many bits that is copied.
    Unsigned(u32),
}

impl Builder<'_> {
    /// What a statement with these accesses writes that is an initializer, where `self` is what is known before it.
    pub fn begins_with(&self, accesses: &[Access], term: &Term) -> Option<Value> {
        Some(self.value(term, accesses)?.0)
    }

    /// What it writes that says whether these conditions hold.
    pub fn whether(&self, accesses: &[Access], conditions: &[&Term]) -> Option<Value> {
        let values = conditions.iter().map(|condition| Some(self.value(condition, accesses)?.0));
        values.collect::<Option<Vec<_>>>()?.into_iter().reduce(|a, b| Value::Apply(Operator::And, vec![a, b]))
    }

    /// What the statement that was just found computes, if it writes one element in any case.
    pub fn computing(&mut self, found: &Option<Scheduled>, value: &dyn Fn(&[Access]) -> Option<Value>) {
        let (Some(_), Some(statement)) = (found, self.statements.last_mut()) else { return };
        let mut writes = statement.accesses.iter().filter(|a| a.kind.writes());
        let is_one = matches!((writes.next(), writes.next()), (Some(write), None)
            if write.kind == AccessKind::MustWrite && write.relation.is_single_valued());
        if is_one {
            statement.compute = value(&statement.accesses);
        }
    }

    /// What it writes that is an assignment.
    pub fn computes(&self, accesses: &[Access], term: &Term) -> Option<Value> {
        match &term.node {
            Expression::UnaryOperator(operation) => {
                let by = steps(&operation.node.operator.node)?;
                let (old, kind) = self.value(&operation.node.operand, accesses)?;
                (kind == Kind::Signed).then(|| Value::Apply(Operator::Add, vec![old, Value::Integer(by)]))
            }
            Expression::BinaryOperator(operation) => {
                let with = assigns(&operation.node.operator.node)?;
                let right = self.value(&operation.node.rhs, accesses)?;
                let Some(with) = with else { return self.stored(right, &operation.node.lhs) };
                let left = self.value(&operation.node.lhs, accesses)?;
                self.stored(combined(&with, left, right)?, &operation.node.lhs)
            }
            _ => None,
        }
    }

    /// A value as it is in the place that it is written to.
    fn stored(&self, (value, kind): (Value, Kind), place: &Term) -> Option<Value> {
        let to = kind_of(&self.kind_of(&self.path(place).ok()??))?;
        match (kind, to) {
            (Kind::Signed | Kind::Double, Kind::Signed | Kind::Double) => Some(value),
            (from, to) => (from == to).then_some(value),
        }
    }

    fn value(&self, term: &Term, accesses: &[Access]) -> Option<(Value, Kind)> {
        match &term.node {
            Expression::Constant(constant) => literal(&constant.node),
            Expression::Conditional(choice) => {
                let condition = self.value(&choice.node.condition, accesses)?.0;
                let (yes, yes_kind) = self.value(&choice.node.then_expression, accesses)?;
                let (no, no_kind) = self.value(&choice.node.else_expression, accesses)?;
                (yes_kind == no_kind).then(|| (Value::Apply(Operator::Select, vec![condition, yes, no]), yes_kind))
            }
            Expression::UnaryOperator(operation) if operation.node.operator.node != UnaryOperator::Indirection => {
                let (value, kind) = self.value(&operation.node.operand, accesses)?;
                match operation.node.operator.node {
                    UnaryOperator::Plus if matches!(kind, Kind::Signed | Kind::Double) => Some((value, kind)),
                    UnaryOperator::Minus if matches!(kind, Kind::Signed | Kind::Double) => {
                        Some((Value::Apply(Operator::Negate, vec![value]), kind))
                    }
                    UnaryOperator::Negate => Some((Value::Apply(Operator::Not, vec![value]), Kind::Signed)),
                    _ => None,
                }
            }
            Expression::BinaryOperator(operation) if operation.node.operator.node != BinaryOperator::Index => {
                let left = self.value(&operation.node.lhs, accesses)?;
                combined(&operation.node.operator.node, left, self.value(&operation.node.rhs, accesses)?)
            }
            Expression::Identifier(_) | Expression::BinaryOperator(_) | Expression::Member(_) => {
                self.read(term, accesses)
            }
            _ => None,
        }
    }

    /// The read of a place, or what is known to be there.
    fn read(&self, term: &Term, accesses: &[Access]) -> Option<(Value, Kind)> {
        if let Some(number) = self.number(&term.node).filter(|number| number.signed)
            && let [(None, text)] = &number.value.pieces[..]
            && let Ok(value) = Value::parse(text)
            && value.mentions().1.is_empty()
        {
            return Some((value, Kind::Signed));
        }
        let path = self.path(term).ok()??;
        let kind = kind_of(&self.kind_of(&path))?;
        let [elements] = &self.elements(&path, term.span.start).ok()?[..] else { return None };
        let (n, all) = (self.around.dims.len(), elements.relation.dim(DimKind::In));
        let relation: Map = elements.relation.project_out(DimKind::In, n, all - n);
        let is_it = |access: &&Access| {
            let own = access.relation.set_tuple_name(DimKind::In, None);
            access.kind == AccessKind::Read
                && access.condition.is_none()
                && access.array.as_str() == elements.array
                && own.is_single_valued()
                && own.is_equal(&relation.intersect_domain(&own.domain()))
        };
        accesses.iter().find(is_it).map(|access| (Value::Name(access.id.clone()), kind))
    }
}

fn kind_of(kind: &Type) -> Option<Kind> {
    match kind {
        Type::Int { signed: true, .. } => Some(Kind::Signed),
        Type::Int { bits, .. } => Some(Kind::Unsigned(*bits)),
        Type::Float(64) => Some(Kind::Double),
        Type::Float(32) => Some(Kind::Single),
        _ => None,
    }
}

fn literal(constant: &Constant) -> Option<(Value, Kind)> {
    match constant {
        Constant::Integer(written) if !written.suffix.unsigned => {
            let value = integer(written)?;
            let is_int = value <= i64::from(i32::MAX) || written.suffix.size != IntegerSize::Int;
            is_int.then_some((Value::Integer(value), Kind::Signed))
        }
        Constant::Float(written) => match written.suffix.format {
            FloatFormat::Double => Some((Value::Float(written.number.parse().ok()?), Kind::Double)),
            _ => None,
        },
        _ => None,
    }
}

fn combined(operator: &BinaryOperator, (a, of_a): (Value, Kind), (b, of_b): (Value, Kind)) -> Option<(Value, Kind)> {
    let is_number = |kind: Kind| matches!(kind, Kind::Signed | Kind::Double);
    let can_be_compared = of_a == Kind::Single && of_b == Kind::Single || is_number(of_a) && is_number(of_b);
    let arithmetic = match (of_a, of_b) {
        (Kind::Signed, Kind::Signed) => Some(Kind::Signed),
        _ if is_number(of_a) && is_number(of_b) => Some(Kind::Double),
        _ => None,
    };
    let whole = arithmetic.filter(|kind| *kind == Kind::Signed);
    let compared = can_be_compared.then_some(Kind::Signed);
    let (operator, kind) = match operator {
        BinaryOperator::Plus => (Operator::Add, arithmetic?),
        BinaryOperator::Minus => (Operator::Subtract, arithmetic?),
        BinaryOperator::Multiply => (Operator::Multiply, arithmetic?),
        BinaryOperator::Divide => (Operator::Divide, arithmetic?),
        BinaryOperator::Modulo => (Operator::Remainder, whole?),
        BinaryOperator::Less => (Operator::Less, compared?),
        BinaryOperator::Greater => (Operator::Greater, compared?),
        BinaryOperator::LessOrEqual => (Operator::AtMost, compared?),
        BinaryOperator::GreaterOrEqual => (Operator::AtLeast, compared?),
        BinaryOperator::Equals => (Operator::Equal, compared?),
        BinaryOperator::NotEquals => (Operator::Unequal, compared?),
        BinaryOperator::LogicalAnd => (Operator::And, Kind::Signed),
        BinaryOperator::LogicalOr => (Operator::Or, Kind::Signed),
        _ => return None,
    };
    Some((Value::Apply(operator, vec![a, b]), kind))
}
