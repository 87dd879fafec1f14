//! Sums of names with constant factors, and which of them conditions and bounds of a tree keep at 0 or above.
//!
//! `i <= min(n - 1, floord(m, 4))` says `n - 1 - i >= 0` and `m - 4*i >= 0`.

use crate::ast::{Comparison, Expr, For};
use crate::presburger::Id;
use std::collections::BTreeMap;

/// `constant + sum of factor * name`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    pub constant: i64,
    /// No factor is 0.
    pub terms: BTreeMap<Id, i64>,
}

impl Linear {
    pub fn number(constant: i64) -> Linear {
        Linear { constant, terms: BTreeMap::new() }
    }

    pub fn name(name: &Id) -> Linear {
        Linear { constant: 0, terms: BTreeMap::from([(name.clone(), 1)]) }
    }

    /// The value of an expression, if it is such a sum and all factors are words.
    pub fn of(expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Int(value) => Some(Linear::number(value.as_i64()?)),
            Expr::Name(name) => Some(Linear::name(name)),
            Expr::Add(a, b) => Linear::of(a)?.plus(1, &Linear::of(b)?),
            Expr::Sub(a, b) => Linear::of(a)?.plus(-1, &Linear::of(b)?),
            Expr::Neg(a) => Linear::default().plus(-1, &Linear::of(a)?),
            Expr::Mul(a, b) => {
                let (a, b) = (Linear::of(a)?, Linear::of(b)?);
                match (a.known(), b.known()) {
                    (Some(factor), _) => Linear::default().plus(factor, &b),
                    (_, Some(factor)) => Linear::default().plus(factor, &a),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `self + factor * other`, if all factors are words.
    pub fn plus(&self, factor: i64, other: &Linear) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(factor.checked_mul(other.constant)?)?;
        for (name, own) in &other.terms {
            let term = sum.terms.entry(name.clone()).or_insert(0);
            *term = term.checked_add(factor.checked_mul(*own)?)?;
        }
        sum.terms.retain(|_, factor| *factor != 0);
        Some(sum)
    }

    /// The number that it always is, if there is one.
    pub fn known(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub fn names(&self, name: &Id) -> bool {
        self.terms.contains_key(name)
    }
}

/// What is not below 0 in the body of a loop, as far as its bounds are made of sums; its step is left out.
pub fn inside_of(each: &For) -> Vec<Linear> {
    let iterator = Expr::Name(each.iterator.clone());
    let mut known = Vec::new();
    at_most(&iterator, &each.upper, &mut known);
    at_least(&iterator, &each.lower, &mut known);
    if each.degenerate {
        at_most(&iterator, &each.lower, &mut known);
    }
    known
}

/// What is not below 0 where a condition holds, as far as it is made of sums.
pub fn where_holds(condition: &Expr) -> Vec<Linear> {
    let mut known = Vec::new();
    note(condition, &mut known);
    known
}

fn note(condition: &Expr, known: &mut Vec<Linear>) {
    let one = Expr::from(1);
    match condition {
        Expr::And(parts) => parts.iter().for_each(|part| note(part, known)),
        Expr::Compare(Comparison::Le, a, b) => ordered(a, b, known),
        Expr::Compare(Comparison::Ge, a, b) => ordered(b, a, known),
        Expr::Compare(Comparison::Lt, a, b) => ordered(&Expr::add((**a).clone(), one), b, known),
        Expr::Compare(Comparison::Gt, a, b) => ordered(&Expr::add((**b).clone(), one), a, known),
        Expr::Compare(Comparison::Eq, a, b) => {
            ordered(a, b, known);
            ordered(b, a, known);
        }
        _ => {}
    }
}

fn ordered(low: &Expr, high: &Expr, known: &mut Vec<Linear>) {
    at_most(low, high, known);
    if !matches!(high, Expr::Min(_) | Expr::FloorDiv(..)) {
        at_least(high, low, known);
    }
}

/// `value <= bound`.
fn at_most(value: &Expr, bound: &Expr, known: &mut Vec<Linear>) {
    match bound {
        Expr::Min(parts) => parts.iter().for_each(|part| at_most(value, part, known)),
        Expr::FloorDiv(of, divisor) => known.extend(difference(of, value, divisor.as_i64())),
        _ => known.extend(difference(bound, value, Some(1))),
    }
}

/// `value >= bound`; of a quotient `q = floor(e / d)` is used that `d * q >= e - d + 1`.
fn at_least(value: &Expr, bound: &Expr, known: &mut Vec<Linear>) {
    match bound {
        Expr::Max(parts) => parts.iter().for_each(|part| at_least(value, part, known)),
        Expr::FloorDiv(of, divisor) => {
            let least = |d: i64| {
                let scaled = Linear::number(d.checked_sub(1)?).plus(d, &Linear::of(value)?)?;
                scaled.plus(-1, &Linear::of(of)?)
            };
            known.extend(divisor.as_i64().and_then(least));
        }
        _ => known.extend(difference(value, bound, Some(1))),
    }
}

/// `a - factor * b`.
fn difference(a: &Expr, b: &Expr, factor: Option<i64>) -> Option<Linear> {
    Linear::of(a)?.plus(factor?.checked_neg()?, &Linear::of(b)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::tree::text::parse_expr;

    /// What holds where a condition does, checked at points: all of it there, some of it not where the condition does not.
    fn check(condition: &str) {
        let expr = parse_expr(condition).expect("text");
        let known = where_holds(&expr);
        for i in -9..=9 {
            for n in -9..=9 {
                let value = |name: &Id| Some((if name.as_str() == "i" { i } else { n }).into());
                let at = |term: (&Id, &i64)| term.1 * if term.0.as_str() == "i" { i } else { n };
                let sum = |each: &Linear| each.constant + each.terms.iter().map(at).sum::<i64>();
                let holds = expr.eval(&value).expect("all names are known") != 0.into();
                assert_eq!(holds, known.iter().all(|each| sum(each) >= 0), "{condition} at i = {i}, n = {n}");
            }
        }
    }

    #[test]
    fn conditions_are_sums_that_are_not_negative() {
        check("i <= min(n - 1, floord(n, 4))");
        check("i >= max(-n, floord(n + 3, 4)) && 2 * i < n + 5");
        check("i == 3 - n");
        check("i > n");
        check("max(i, n) <= 4");
    }

    #[test]
    fn what_is_no_sum_says_nothing() {
        let nothing = |text: &str| assert_eq!(where_holds(&parse_expr(text).expect("text")), []);
        nothing("mod(i, 2) == 0");
        nothing("i * n <= 4");
        nothing("i <= 3 || n <= 3");
        nothing("i <= 9223372036854775807 * n + 9223372036854775807 * n");
    }
}
