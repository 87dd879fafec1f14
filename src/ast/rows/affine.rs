//! Affine rows as expressions.
//!
//! The row `32 c0 + 31 - c1` reads `32 * c0 - c1 + 31`; as the constraint `>= 0` it reads `32 * c0 + 31 >= c1`; the bound that it puts
//! on `c0` is `c0 >= ceil((c1 - 31) / 32)`, written `floord(c1, 32)`. Where a row holds `n - d floor(n / d)`, it is
//! written `mod(n, d)`: the guard `c0 - 2 floor(c0 / 2) = 0` reads `mod(c0, 2) == 0`.

use crate::ast::tree::expr::{Comparison, Expr};
use crate::presburger::Int;
use crate::presburger::int::Number;

/// A constant and integer multiples of variables: the parameters first, then the schedule's dimensions from the outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ast) struct Row {
    pub constant: Int,
    pub coefficients: Vec<Int>,
}

/// `floor(numerator / denominator)`; the numerator is over the variables and the divs before this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ast) struct Div {
    pub numerator: Row,
    pub denominator: Int,
}

impl Row {
    pub fn zero(n: usize) -> Row {
        Row { constant: Int::zero(), coefficients: vec![Int::zero(); n] }
    }

    /// `self + factor * other`, as wide as the wider.
    pub fn plus(&self, factor: &Int, other: &Row) -> Row {
        let mut sum = self.clone();
        sum.constant.add_mul(factor, &other.constant);
        if sum.coefficients.len() < other.coefficients.len() {
            sum.coefficients.resize(other.coefficients.len(), Int::zero());
        }
        sum.coefficients.iter_mut().zip(&other.coefficients).for_each(|(a, b)| a.add_mul(factor, b));
        sum
    }

    pub fn scaled(&self, factor: &Int) -> Row {
        Row {
            constant: self.constant.mul(factor),
            coefficients: self.coefficients.iter().map(|c| c.mul(factor)).collect(),
        }
    }

    pub fn map(&self, f: impl Fn(&Int) -> Int) -> Row {
        Row { constant: f(&self.constant), coefficients: self.coefficients.iter().map(&f).collect() }
    }

    /// The greatest common divisor of the coefficients (0 if there is none but zeros).
    pub fn content(&self) -> Int {
        self.coefficients.iter().fold(Int::zero(), |gcd, c| Number::gcd(&gcd, c))
    }

    pub fn is_constant(&self) -> bool {
        self.coefficients.iter().all(Number::is_zero)
    }

    fn n_terms(&self) -> usize {
        self.coefficients.iter().filter(|c| !c.is_zero()).count()
    }
}

/// The expressions of the variables of a [`Row`].
#[derive(Clone, Debug)]
pub(in crate::ast) struct Values {
    pub n_params: usize,
    /// One per variable.
    pub exprs: Vec<Expr>,
}

/// A sum in the making: multiples of expressions and a constant.
struct Sum {
    terms: Vec<(Int, Expr)>,
    constant: Int,
}

impl Values {
    /// The row's value. Its variables beyond those of `self` are the divs, in order.
    pub fn expr(&self, row: &Row, divs: &[Div]) -> Expr {
        self.sum(row, divs).expr()
    }

    /// `floor(row / divisor)` for a positive divisor.
    pub fn floor_div(&self, row: &Row, divs: &[Div], divisor: &Int) -> Expr {
        let (mut whole, mut rest) = (Row::zero(row.coefficients.len()), row.clone());
        for (quotient, part) in whole.coefficients.iter_mut().zip(&mut rest.coefficients) {
            if part.is_divisible_by(divisor) {
                *quotient = part.div_exact(divisor);
                *part = Int::zero();
            }
        }
        if rest.is_constant() {
            whole.constant = Number::div_floor(&rest.constant, divisor);
            return self.expr(&whole, divs);
        }
        let common = Number::gcd(&rest.content(), divisor);
        let rest = Row {
            constant: Number::div_floor(&rest.constant, &common),
            coefficients: rest.coefficients.iter().map(|c| c.div_exact(&common)).collect(),
        };
        let divisor = divisor.div_exact(&common);
        let towards_zero = Number::div_floor(&rest.constant.abs(), &divisor);
        whole.constant = if rest.constant.is_negative() { Number::neg(&towards_zero) } else { towards_zero };
        let rest = Row { constant: rest.constant.sub(&whole.constant.mul(&divisor)), ..rest };
        let divided = Expr::floor_div(self.expr(&rest, divs), &divisor);
        let mut sum = self.sum(&whole, divs);
        let at = sum.terms.iter().take_while(|(factor, _)| factor.is_positive()).count();
        sum.terms.insert(at, (Int::one(), divided));
        sum.expr()
    }

    /// `row - modulus * floor(row / modulus)` for a positive modulus.
    pub fn modulo(&self, row: &Row, divs: &[Div], modulus: &Int) -> Expr {
        let almost = modulus.sub(&Int::one());
        let reduce = |c: &Int| {
            let rest = c.rem_floor(modulus);
            if rest == almost && *modulus > Int::from(2) { Int::from(-1) } else { rest }
        };
        let mut reduced = row.map(reduce);
        reduced.constant = row.constant.rem_floor(modulus);
        Expr::modulo(self.expr(&reduced, divs), modulus)
    }

    /// `row >= 0`, or `row = 0`, with nothing negative on either side.
    pub fn condition(&self, row: &Row, divs: &[Div], comparison: Comparison) -> Expr {
        let sum = self.sum(row, divs);
        let (mut left, mut right) = (Sum::zero(), Sum::zero());
        for (factor, expr) in sum.terms {
            if factor.is_negative() {
                right.terms.push((Number::neg(&factor), expr));
            } else {
                left.terms.push((factor, expr));
            }
        }
        let is_zero_alone = left.terms.is_empty() && right.terms.len() == 1 && sum.constant.is_zero();
        if sum.constant.is_negative() || is_zero_alone || right.terms.is_empty() {
            right.constant = Number::neg(&sum.constant);
        } else {
            left.constant = sum.constant;
        }
        let flip = left.terms.is_empty();
        let sign = match (comparison, flip) {
            (Comparison::Ge, true) => Comparison::Le,
            (sign, _) => sign,
        };
        if flip {
            Expr::compare(sign, right.expr(), left.expr())
        } else {
            Expr::compare(sign, left.expr(), right.expr())
        }
    }

    fn sum(&self, row: &Row, divs: &[Div]) -> Sum {
        let n = self.exprs.len();
        let mut row = row.clone();
        row.coefficients.resize(n + divs.len(), Int::zero());
        let mut quotients = vec![];
        for (position, div) in divs.iter().enumerate().rev() {
            let factor = std::mem::take(&mut row.coefficients[n + position]);
            if factor.is_zero() {
                continue;
            }
            let before = &divs[..position];
            if factor.is_divisible_by(&div.denominator) {
                let multiple = factor.div_exact(&div.denominator);
                let with_remainder = row.plus(&multiple, &div.numerator);
                if with_remainder.n_terms() < row.n_terms() {
                    quotients.push((Number::neg(&multiple), self.modulo(&div.numerator, before, &div.denominator)));
                    row = with_remainder;
                    continue;
                }
            }
            quotients.push((factor, self.floor_div(&div.numerator, before, &div.denominator)));
        }
        quotients.reverse();
        let variables = |range: std::ops::Range<usize>| {
            range.map(|v| (row.coefficients[v].clone(), self.exprs[v].clone())).filter(|(factor, _)| !factor.is_zero())
        };
        let mut sum = Sum { terms: vec![], constant: row.constant.clone() };
        let all: Vec<(Int, Expr)> =
            variables(self.n_params..n).chain(quotients).chain(variables(0..self.n_params)).collect();
        all.into_iter().for_each(|(factor, expr)| sum.add(factor, expr));
        sum.terms.retain(|(factor, _)| !factor.is_zero());
        sum.terms.sort_by_key(|(factor, _)| factor.is_negative());
        sum
    }
}

impl Sum {
    fn zero() -> Sum {
        Sum { terms: vec![], constant: Int::zero() }
    }

    /// Adds a multiple, of a sum or product term by term, so that substituted iterators combine.
    fn add(&mut self, factor: Int, expr: Expr) {
        match expr {
            Expr::Int(value) => self.constant.add_mul(&factor, &value),
            Expr::Add(a, b) => {
                self.add(factor.clone(), *a);
                self.add(factor, *b);
            }
            Expr::Sub(a, b) => {
                self.add(factor.clone(), *a);
                self.add(Number::neg(&factor), *b);
            }
            Expr::Neg(a) => self.add(Number::neg(&factor), *a),
            Expr::Mul(a, b) if a.constant().is_some() => {
                let factor = a.constant().map_or(Int::zero(), |value| factor.mul(value));
                self.add(factor, *b);
            }
            other => match self.terms.iter_mut().find(|(_, known)| *known == other) {
                Some((known, _)) => *known = Number::add(known, &factor),
                None => self.terms.push((factor, other)),
            },
        }
    }

    fn expr(self) -> Expr {
        let mut sum: Option<Expr> = None;
        if !self.terms.first().is_some_and(|(factor, _)| factor.is_positive()) && self.constant.is_positive() {
            sum = Some(Expr::Int(self.constant.clone()));
        }
        let constant_is_first = sum.is_some();
        for (factor, expr) in self.terms {
            sum = Some(match sum {
                None => Expr::scale(&factor, expr),
                Some(sum) if factor.is_negative() => Expr::sub(sum, Expr::scale(&Number::neg(&factor), expr)),
                Some(sum) => Expr::add(sum, Expr::scale(&factor, expr)),
            });
        }
        match sum {
            None => Expr::Int(self.constant),
            Some(sum) if constant_is_first => sum,
            Some(sum) => Expr::add(sum, Expr::Int(self.constant)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::Id;

    fn values() -> Values {
        Values { n_params: 1, exprs: ["N", "c0", "c1"].iter().map(|name| Expr::Name(Id::new(name))).collect() }
    }

    fn row(constant: i64, coefficients: &[i64]) -> Row {
        Row { constant: Int::from(constant), coefficients: coefficients.iter().map(|&c| Int::from(c)).collect() }
    }

    #[test]
    fn rows_read_well() {
        let values = values();
        let check = |row: &Row, expected: &str| assert_eq!(values.expr(row, &[]).to_string(), expected);
        check(&row(31, &[0, 32, -1]), "32 * c0 - c1 + 31");
        check(&row(-1, &[1, 0, 0]), "N - 1");
        check(&row(5, &[0, -1, 0]), "5 - c0");
        check(&row(0, &[0, -1, -2]), "-c0 - 2 * c1");
        check(&row(-4, &[0, 0, 0]), "-4");
    }

    #[test]
    fn conditions_have_no_negative_side() {
        let values = values();
        let check = |row: &Row, comparison, expected: &str| {
            assert_eq!(values.condition(row, &[], comparison).to_string(), expected)
        };
        check(&row(-1, &[1, -1, 0]), Comparison::Ge, "N >= c0 + 1");
        check(&row(-3, &[0, 1, 0]), Comparison::Ge, "c0 >= 3");
        check(&row(3, &[0, -1, 0]), Comparison::Ge, "c0 <= 3");
        check(&row(3, &[0, 1, 0]), Comparison::Ge, "c0 >= -3");
        check(&row(0, &[0, 1, -1]), Comparison::Eq, "c0 == c1");
    }

    #[test]
    fn quotients_keep_what_divides_outside() {
        let values = values();
        let divided = |row: &Row, d: i64| values.floor_div(row, &[], &Int::from(d)).to_string();
        assert_eq!(divided(&row(35, &[1, 32, 0]), 32), "c0 + floord(N + 3, 32) + 1");
        assert_eq!(divided(&row(5, &[0, 4, 0]), 4), "c0 + 1");
        assert_eq!(divided(&row(1, &[2, 0, 0]), 4), "floord(N, 2)");
    }

    #[test]
    fn a_remainder_is_recognised() {
        let values = values();
        let divs = [Div { numerator: row(1, &[0, 1, 0]), denominator: Int::from(4) }];
        assert_eq!(values.expr(&row(0, &[0, 1, 0, -4]), &divs).to_string(), "mod(c0 + 1, 4) - 1");
        let whole = row(1, &[0, 1, 0, -4]);
        assert_eq!(values.condition(&whole, &divs, Comparison::Eq).to_string(), "mod(c0 + 1, 4) == 0");
        assert_eq!(values.expr(&row(0, &[0, 0, 0, 1]), &divs).to_string(), "floord(c0 + 1, 4)");
    }
}
