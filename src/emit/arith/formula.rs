//! Sets of parameters as conditions, and piecewise affine functions as expressions.
//!
//! `[n] -> { : exists (e = floor(n / 2) : n = 2 e and n >= 4) }` reads `n - 2 * floord(n, 2) == 0 && n - 4 >= 0`; the function
//! `[n] -> { [(n)] : n >= 0; [(-n)] : n < 0 }` reads `n >= 0 ? n : -n`. Outside its domain such an expression has some value. Quotients
//! are written as floors even where nothing remains, so that they are numbers everywhere.

use crate::ast::{Comparison, Expr};
use crate::presburger::{Aff, BasicSet, ConstraintKind, DimKind, Div, Id, Int, PwAff, Set, Space};

/// The name of the dimension at a position in formulas over iterators; no parameter is called so.
pub fn dimension_name(position: usize) -> Id {
    Id::new(&format!("%{position}"))
}

/// Whether a point is in the set; `None` if existentials remain that no floor defines.
pub fn condition(set: &Set) -> Option<Expr> {
    let pieces = set.compute_divs().pieces();
    let pieces: Option<Vec<Expr>> = pieces.iter().map(conjunction).collect();
    Some(Expr::or(pieces?))
}

/// The function's value where it is defined.
pub fn value(function: &PwAff) -> Option<Expr> {
    let (last, others) = function.pieces().split_last()?;
    let otherwise = affine(&last.1)?;
    others.iter().rev().try_fold(otherwise, |otherwise, (set, aff)| {
        Some(Expr::Select(Box::new(condition(set)?), Box::new(affine(aff)?), Box::new(otherwise)))
    })
}

fn conjunction(basic: &BasicSet) -> Option<Expr> {
    let columns = columns(basic.space(), &basic.locals().into_iter().collect::<Option<Vec<Div>>>()?);
    let conditions = basic.constraints().into_iter().map(|constraint| {
        let left = linear(&constraint.constant, &constraint.coefficients, &columns);
        let comparison = match constraint.kind {
            ConstraintKind::Equality => Comparison::Eq,
            ConstraintKind::Inequality => Comparison::Ge,
        };
        Expr::compare(comparison, left, Expr::from(0))
    });
    Some(Expr::and(conditions.collect()))
}

fn affine(aff: &Aff) -> Option<Expr> {
    let space = aff.domain_space();
    let columns = columns(space, &aff.divs());
    let n_params = space.dim(DimKind::Param);
    let n_out = space.dim(DimKind::Out);
    let params = (0..n_params).map(|at| aff.coefficient(DimKind::Param, at));
    let dims = (0..n_out).map(|at| aff.coefficient(DimKind::Out, at));
    let divs = (0..aff.n_div()).map(|at| aff.div_coefficient(at));
    let coefficients: Vec<Int> = params.chain(dims).chain(divs).collect();
    Some(Expr::floor_div(linear(&aff.constant_value(), &coefficients, &columns), &aff.denominator()))
}

/// What each column stands for: parameters, dimensions, locals.
fn columns(space: &Space, divs: &[Div]) -> Vec<Expr> {
    let names = space.params().iter().cloned().map(Expr::Name);
    let dims = (0..space.dim(DimKind::Out)).map(|at| Expr::Name(dimension_name(at)));
    let mut columns: Vec<Expr> = names.chain(dims).collect();
    for div in divs {
        let numerator = linear(&div.constant, &div.coefficients, &columns);
        columns.push(Expr::floor_div(numerator, &div.denominator));
    }
    columns
}

fn linear(constant: &Int, coefficients: &[Int], columns: &[Expr]) -> Expr {
    let zero = Int::from(0);
    let terms = coefficients.iter().zip(columns).filter(|(factor, _)| **factor != zero);
    let (negative, positive): (Vec<_>, Vec<_>) = terms.partition(|(factor, _)| **factor < zero);
    let term = |(factor, column): &(&Int, &Expr)| Expr::scale(factor, (*column).clone());
    let sum = positive.iter().chain(&negative).map(term).reduce(Expr::add).unwrap_or(Expr::from(0));
    Expr::add(sum, Expr::Int(constant.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(set: &str, n: i64) -> bool {
        let set = Set::parse(set).expect("a set");
        let expr = condition(&set).expect("floors only");
        let value = expr.eval(&|name| (name.as_str() == "n").then(|| Int::from(n)));
        value.expect("n is the only parameter") != Int::from(0)
    }

    #[test]
    fn conditions_hold_where_sets_have_points() {
        let even = "[n] -> { : exists e : n = 2 e and n >= 4; : n = -3 }";
        for n in -6..9 {
            assert_eq!(holds(even, n), n == -3 || n >= 4 && n % 2 == 0, "{n}");
        }
    }

    #[test]
    fn values_are_those_of_the_pieces() {
        let f = PwAff::parse("[n] -> { [i] -> [(floor((n + 2i)/3))] : n >= i; [i] -> [(-n)] : n < i }")
            .expect("a function");
        let expr = value(&f).expect("floors only");
        for (n, i) in [(5, 1), (-4, -8), (2, 3), (-7, 0)] {
            let names = |name: &Id| Some(Int::from(if name.as_str() == "n" { n } else { i }));
            let expected = if n >= i { (n + 2 * i).div_euclid(3) } else { -n };
            assert_eq!(expr.eval(&names), Some(Int::from(expected)));
        }
    }
}
