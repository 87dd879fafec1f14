//! The vertices of a set, as functions of the parameters.
//!
//! `[n] -> { [i, j] : 0 <= i <= j <= n }` is the triangle with the vertices `[0, 0]`, `[0, n]` and `[n, n]`, for `n >= 0`. A vertex in `d`
//! dimensions is where `d` of the constraints are equalities that have one solution, `x = (A p + b) / m`, and is there for the
//! parameters for which the solution satisfies all other constraints (Loechner and Wilde, "Parameterized polyhedra and their vertices", 1997).
//! A vertex may be rational: that of `{ [i] : 0 <= 2 i <= n }` is `n / 2`. Solutions that are there for some parameters only on the border of
//! other ones, such as those that coincide at `n = 0`, are left out.

use super::aff::Aff;
use super::map::Map;
use super::multi::{MultiAff, PwMultiAff, function_space};
use super::set::Set;
use super::space::DimKind;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::{Matrix, eliminate, reduce};
use crate::presburger::solve::project::eliminate_rational;
use crate::presburger::solve::redundancy;

impl Set {
    /// The vertices of its polyhedral hull over the rationals, each with the parameters for which it is one.
    /// isl: `basic_set_compute_vertices`.
    pub fn vertices(&self) -> Vec<PwMultiAff> {
        let hull = self.polyhedral_hull().to_set();
        let Some(conj) = hull.0.pieces.wide().first().cloned() else { return Vec::new() };
        let (n_param, n) = (self.dim(DimKind::Param), self.dim(DimKind::Out));
        let params = self.space().params_space();
        let tuple = self.space().tuple(DimKind::Out).cloned();
        let range = tuple.map(|tuple| function_space(&params, &tuple));
        let (Some(range), false) = (range, conj.known_empty) else { return Vec::new() };
        let vertices = solutions(&conj, n_param, n).into_iter().map(|(domain, rows)| {
            let value = |(row, by): (Vec<Int>, Int)| Aff::from_rows(&params, Matrix::new(2 + n_param), row, by);
            let domain = Set(Map::from_conjunctions(&params, vec![domain]));
            PwMultiAff::alloc(&domain, &MultiAff::new(&range, rows.into_iter().map(value).collect()))
        });
        vertices.collect()
    }
}

/// Each coordinate as a row over the parameters and a positive number to divide it by.
pub(crate) type Point = Vec<(Vec<Int>, Int)>;

/// The vertices of a conjunction without locals over `[parameters | coordinates]`.
pub(crate) fn solutions(conj: &Conjunction<Int>, n_param: usize, n: usize) -> Vec<(Conjunction<Int>, Point)> {
    let mut found: Vec<(Conjunction<Int>, Point)> = Vec::new();
    let mut whole = eliminate_rational(conj, n_param, n).rearrange(&(0..n_param).map(Some).collect::<Vec<_>>());
    redundancy::detect_equalities(&mut whole);
    let mut equalities: Vec<Vec<Int>> = Vec::new();
    conj.eq.rows().for_each(|row| {
        add_independent(&mut equalities, row, n_param);
    });
    choose(conj, n_param, n, 0, &equalities, &mut |rows| {
        let point = solved(rows, n_param, n);
        if found.iter().any(|(_, known)| *known == point) {
            return;
        }
        let mut domain = Conjunction::universe(n_param);
        conj.eq.rows().for_each(|row| domain.add_eq(&at(row, &point, n_param)));
        conj.ineq.rows().for_each(|row| domain.add_ineq(&at(row, &point, n_param)));
        redundancy::detect_equalities(&mut domain);
        if !domain.known_empty && domain.eq.len() == whole.eq.len() {
            domain.simplify();
            found.push((domain, point));
        }
    });
    found
}

/// Calls `visit` with the echelon form of each choice of inequalities, from number `from` on, that with `rows` fixes all coordinates.
fn choose(
    conj: &Conjunction<Int>,
    n_param: usize,
    n: usize,
    from: usize,
    rows: &[Vec<Int>],
    visit: &mut dyn FnMut(&[Vec<Int>]),
) {
    spend(1);
    if rows.len() == n {
        return visit(rows);
    }
    for r in from..conj.ineq.len() {
        let mut more = rows.to_vec();
        if add_independent(&mut more, conj.ineq.row(r), n_param) {
            choose(conj, n_param, n, r + 1, &more, visit);
        }
    }
}

/// Adds the row, unless its coefficients of coordinates are a combination of those of the others. Each row has a coordinate to itself.
fn add_independent(rows: &mut Vec<Vec<Int>>, row: &[Int], n_param: usize) -> bool {
    let mut row = row.to_vec();
    for known in rows.iter() {
        eliminate(&mut row, known, pivot(known, n_param));
    }
    reduce(&mut row);
    if row[1 + n_param..].iter().all(Number::is_zero) {
        return false;
    }
    let column = pivot(&row, n_param);
    rows.iter_mut().for_each(|known| eliminate(known, &row, column));
    rows.push(row);
    true
}

/// The column of the first coordinate in a row.
fn pivot(row: &[Int], n_param: usize) -> usize {
    let first = row[1 + n_param..].iter().position(|x| !x.is_zero());
    1 + n_param + first.expect("law: a row of the echelon has a coordinate")
}

/// The coordinates that the rows, one for each, fix.
fn solved(rows: &[Vec<Int>], n_param: usize, n: usize) -> Point {
    let mut point = vec![(vec![Int::zero(); 1 + n_param], Int::one()); n];
    for row in rows {
        let column = pivot(row, n_param);
        let by = row[column].clone();
        let sign = if by.is_negative() { Int::one() } else { Int::from(-1) };
        let mut value: Vec<Int> = row[..=n_param].iter().map(|x| x.mul(&sign)).chain([by.abs()]).collect();
        reduce(&mut value);
        let by = value.pop().expect("law: the divisor was put there");
        point[column - 1 - n_param] = (value, by);
    }
    point
}

/// A row of the conjunction at the point: over the parameters.
fn at(row: &[Int], point: &Point, n_param: usize) -> Vec<Int> {
    let by = point.iter().fold(Int::one(), |all, (_, by)| all.lcm(by));
    let mut value: Vec<Int> = row[..=n_param].iter().map(|x| x.mul(&by)).collect();
    for (coefficient, (x, own)) in row[1 + n_param..].iter().zip(point) {
        let factor = coefficient.mul(&by.div_exact(own));
        value.iter_mut().zip(x).for_each(|(sum, x)| sum.add_mul(x, &factor));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(set: &str, expected: Expect) {
        let vertices = Set::parse(set).expect("a set").vertices();
        expected.assert_eq(&vertices.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn a_triangle_has_three() {
        check(
            "[n] -> { A[i, j] : 0 <= i <= j <= n }",
            expect![[r#"
            [n] -> { A[(0), (n)] : n >= 0 }
            [n] -> { A[(n), (n)] : n >= 0 }
            [n] -> { A[(0), (0)] : n >= 0 }"#]],
        );
        check(
            "{ [i] : 0 <= 2i <= 5 or i = 7 }",
            expect![[r#"
            { [(0)] }
            { [(7)] }"#]],
        );
        check(
            "[n, m] -> { [i] : 0 <= i <= n and i <= m }",
            expect![[r#"
            [n, m] -> { [(n)] : n >= 0 and m >= n }
            [n, m] -> { [(m)] : 0 <= m <= n }
            [n, m] -> { [(0)] : n >= 0 and m >= 0 }"#]],
        );
        check("{ [i, j] : i >= 0 and j = 3 }", expect!["{ [(0), (3)] }"]);
        check("{ [i] : false }", expect![[""]]);
        check("{ [i, j] : i >= 0 }", expect![[""]]);
    }
}
