//! Expressions and conditions that are affine in variables of loops and in parameters, as text of sets.
//!
//! `min(n, 2 * j) / 3` is `floor(min(n, (2 * j)) / 3)`.

use super::model::{Around, Builder};
use super::terms::Term;
use super::words::{Place, error_at};
use crate::presburger::ParseError;
use crate::scop::expression::Operator;

impl Builder<'_> {
    /// Whether it is a variable of a loop around, or a parameter.
    pub fn is_known(&self, name: &str, around: &Around) -> bool {
        around.loops.iter().any(|known| known == name) || self.names.params.iter().any(|known| known == name)
    }

    /// The text of an affine expression.
    pub fn affine(&self, term: &Term, around: &Around) -> Result<String, ParseError> {
        let place = match term {
            Term::Name { place, .. } | Term::Apply { place, .. } => *place,
            _ => Place { line: 1, column: 1 },
        };
        let wrong = |what: &str| {
            Err(error_at(self.text, place, format!("{what} is not affine in variables of loops and parameters")))
        };
        match term {
            Term::Integer(value) => Ok(value.to_string()),
            Term::Real(_) => wrong("a number with a fraction"),
            Term::Name { name, arguments, .. } if arguments.is_empty() && self.is_known(name, around) => {
                Ok(name.clone())
            }
            Term::Name { name, .. } => wrong(&format!("`{name}`")),
            Term::Apply { operator, operands, .. } => {
                let texts =
                    operands.iter().map(|operand| self.affine(operand, around)).collect::<Result<Vec<_>, _>>()?;
                let is_number = |at: usize| matches!(operands.get(at), Some(Term::Integer(value)) if *value > 0);
                match (operator, &texts[..]) {
                    (Operator::Min, [a, b]) => Ok(format!("min({a}, {b})")),
                    (Operator::Max, [a, b]) => Ok(format!("max({a}, {b})")),
                    (Operator::Abs, [a]) => Ok(format!("max({a}, -{a})")),
                    (Operator::Negate, [a]) => Ok(format!("(-{a})")),
                    (Operator::Add, [a, b]) => Ok(format!("({a} + {b})")),
                    (Operator::Subtract, [a, b]) => Ok(format!("({a} - {b})")),
                    (Operator::Multiply, [a, b]) if is_number(0) || is_number(1) => Ok(format!("({a} * {b})")),
                    (Operator::Divide, [a, b]) if is_number(1) => Ok(format!("floor({a} / {b})")),
                    (Operator::Remainder, [a, b]) if is_number(1) => Ok(format!("({a} mod {b})")),
                    _ => wrong("this"),
                }
            }
        }
    }

    /// The text of a condition if it is affine.
    pub fn affine_condition(&self, term: &Term, around: &Around) -> Option<String> {
        let Term::Apply { operator, operands, .. } = term else { return None };
        let both = |join: &str| {
            let parts = operands.iter().map(|operand| self.affine_condition(operand, around));
            Some(format!("({})", parts.collect::<Option<Vec<_>>>()?.join(join)))
        };
        let sign = match operator {
            Operator::And => return both(" and "),
            Operator::Or => return both(" or "),
            Operator::Not => return Some(format!("not ({})", self.affine_condition(&operands[0], around)?)),
            Operator::Equal => "=",
            Operator::Unequal => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            _ => return None,
        };
        let sides = operands.iter().map(|operand| self.affine(operand, around).ok()).collect::<Option<Vec<_>>>()?;
        Some(sides.join(&format!(" {sign} ")))
    }
}
