//! Quasi-polynomials in isl notation, read.
//!
//! `[n] -> { A[i] -> (1/2 * i + floor((n + i)/3)^2) : i > 0; n : n > 5 }` has a number in the place of the last tuple: sums and products of variables,
//! of numbers such as `1/2` and of floors (and remainders) of affine expressions. Disjuncts that overlap add up. The inverse of
//! [`super::print_polynomial`].

use super::lexer::ParseError;
use super::meaning::{Layout, Meaning};
use super::syntax::{Disjunct, Node, Text, Tree, Whole, read_numbers};
use crate::presburger::counting::polynomial::{Linear, Polynomial, fraction};
use crate::presburger::counting::pw_qpolynomial::PwQPolynomial;
use crate::presburger::counting::union_qpolynomial::UnionPwQPolynomial;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{Id, Space};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::ratio::Ratio;

type Known<T> = Result<T, ParseError>;

impl UnionPwQPolynomial {
    /// The functions that `text` writes in isl notation.
    pub fn parse(text: &str) -> Known<UnionPwQPolynomial> {
        let Text { params, whole } = read_numbers(text)?;
        let Whole::Union(braces) = whole else { return Err(ParseError::at(text, 0, "expected `{`".to_string())) };
        let meaning = Meaning { text, params: params.iter().map(Id::from).collect() };
        let zero = UnionPwQPolynomial::zero(&Space::params_only(&meaning.params));
        braces.disjuncts.iter().try_fold(zero, |all, disjunct| Ok(all.plus(&meaning.polynomial(disjunct)?)))
    }
}

impl std::str::FromStr for UnionPwQPolynomial {
    type Err = ParseError;

    fn from_str(text: &str) -> Known<Self> {
        UnionPwQPolynomial::parse(text)
    }
}

impl Meaning<'_> {
    fn polynomial(&self, disjunct: &Disjunct) -> Known<PwQPolynomial> {
        let Some(value) = &disjunct.value else { return self.fail(disjunct.at, "expected a number for each element") };
        let mut layout = Layout::default();
        let tuples = disjunct.tuples.iter().map(|tree| self.tuple(tree, &mut layout)).collect::<Known<Vec<_>>>()?;
        let set = self.flat(&layout, disjunct.condition.as_ref())?;
        let set = Set(set.0.reset_space(&self.space(tuples)));
        let params = self.params.iter().map(|param| Some(param.to_string()));
        let names: Vec<Option<String>> = params.chain(layout.names).collect();
        Ok(PwQPolynomial::polynomial_on(&set, self.number(value, &names)?))
    }

    /// The polynomial over columns that have these names.
    fn number(&self, tree: &Tree, names: &[Option<String>]) -> Known<Polynomial> {
        let one = |tree: &Tree| self.number(tree, names);
        let floor = |value: &Polynomial, by: &Int, at: usize| match fraction(value) {
            Some((form, denominator)) => Ok(Polynomial::from_linear(&form.floor(&denominator.mul(by)))),
            None => self.fail(at, "only affine expressions are rounded"),
        };
        let minus = |value: Polynomial| value.scale(&Ratio::integer(Int::from(-1)));
        Ok(match &tree.node {
            Node::Number(number) => Polynomial::constant(Ratio::integer(number.clone())),
            Node::Name(name) => match names.iter().rposition(|n| n.as_ref() == Some(name)) {
                Some(column) => Polynomial::from_linear(&Linear::var(column)),
                None => return self.fail(tree.at, format!("unknown name `{name}`")),
            },
            Node::Negative(inner) => minus(one(inner)?),
            Node::Binary("+", left, right) => one(left)?.add(&one(right)?),
            Node::Binary("-", left, right) => one(left)?.sub(&one(right)?),
            Node::Binary("*", left, right) => one(left)?.mul(&one(right)?),
            Node::Binary("/", left, right) => match constant(&one(right)?) {
                Some(divisor) if !divisor.is_zero() => one(left)?.scale(&Ratio::one().div(&divisor)),
                _ => return self.fail(right.at, "a divisor is a number other than 0"),
            },
            Node::Binary(_, left, right) => match constant(&one(right)?).and_then(|value| value.as_integer()) {
                Some(modulus) if modulus.is_positive() => {
                    let value = one(left)?;
                    let quotient = floor(&value, &modulus, left.at)?;
                    value.sub(&quotient.scale(&Ratio::integer(modulus)))
                }
                _ => return self.fail(right.at, "a modulus is a positive number"),
            },
            Node::Floor(inner) => floor(&one(inner)?, &Int::one(), inner.at)?,
            Node::Ceil(inner) => minus(floor(&minus(one(inner)?), &Int::one(), inner.at)?),
            Node::Power(base, exponent) => one(base)?.pow(*exponent),
            _ => return self.fail(tree.at, "expected a polynomial"),
        })
    }
}

fn constant(value: &Polynomial) -> Option<Ratio> {
    let is_constant = value.terms.keys().all(Vec::is_empty);
    is_constant.then(|| value.terms.values().next().cloned().unwrap_or_else(Ratio::zero))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let read = UnionPwQPolynomial::parse(text);
        expected.assert_eq(&read.map_or_else(|e| e.to_string(), |function| function.to_string()));
    }

    #[test]
    fn what_is_printed_is_read() {
        for text in [
            "[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }",
            "[n] -> { A[i] -> floor((n + i)/3)^2 : i > 0 }",
            "{ 3 }",
            "{ A[i] -> 1; B[i, j] -> i * j : i <= j }",
        ] {
            let read = UnionPwQPolynomial::parse(text).expect("functions");
            let again = UnionPwQPolynomial::parse(&read.to_string()).expect("what is printed");
            assert_eq!(read.is_equal(&again), Some(true), "{text} is read as {read}");
        }
    }

    #[test]
    fn values_are_polynomials() {
        check("{ [i] -> i^2 + 1 : 0 <= i <= 5 }", expect![["{ [i] -> (1 + i^2) : 0 <= i <= 5 }"]]);
        check("[n] -> { (n + 1) * (n - 1)/2 }", expect![["[n] -> { (-1/2 + 1/2 * n^2) }"]]);
        check("{ [i] -> 2i mod 3 }", expect!["{ [i] -> (2 * i - 3 * floor((2 * i)/3)) }"]);
        check(
            "{ [i] -> floor(i^2/2) }",
            expect![[r#"
                only affine expressions are rounded (line 1, column 16)
                  { [i] -> floor(i^2/2) }
                                 ^"#]],
        );
    }
}
