//! Enumeration of small conjunctions: the truth for tests of the nameless layer.
//!
//! Tests: 002 3.3, 3.8; 003 2.1, 2.2, 2.3

use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::{Matrix, dot};
use arbtest::arbitrary::{Result, Unstructured};

/// Inputs are tried in `-BOX..=BOX`.
pub(crate) const BOX: i64 = 6;
/// Variables that tests bound on purpose, and plain existentials, lie in `-INNER..=INNER`.
const INNER: i64 = 8;

pub(crate) fn ints(x: &[i64]) -> Vec<Int> {
    x.iter().map(|&v| Int::from(v)).collect()
}

/// All points of `n` coordinates in `-limit..=limit`, in lexicographic order.
pub(crate) fn points(n: usize, limit: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all.into_iter().flat_map(|p| (-limit..=limit).map(move |v| [p.as_slice(), &[v]].concat())).collect();
    }
    all
}

/// Whether some values of the locals, in the box for plain existentials, satisfy all constraints at `x`. The plain existentials of
/// a simplified conjunction are not those it was made with, hence in no box: the search for points, which has its own tests, decides.
pub(crate) fn contains(conj: &Conjunction<i64>, x: &[i64]) -> bool {
    if conj.known_empty {
        return false;
    }
    if conj.simplified && conj.divs.rows().any(|div| div[0] == 0) {
        return contains_wide(conj, x);
    }
    let point: Vec<i64> = [1].into_iter().chain(x.iter().copied()).collect();
    extend(conj, point)
}

fn contains_wide(conj: &Conjunction<i64>, x: &[i64]) -> bool {
    let mut at = conj.clone();
    for (v, &value) in x.iter().enumerate() {
        let mut row = vec![0; conj.width()];
        (row[0], row[1 + v]) = (-value, 1);
        at.add_eq(&row);
    }
    !crate::presburger::solve::sample::is_empty(&at)
}

fn extend(conj: &Conjunction<i64>, point: Vec<i64>) -> bool {
    let decided = |row: &[i64]| row[point.len()..].iter().all(|c| *c == 0);
    let fails = conj.eq.rows().any(|row| decided(row) && dot(row, &point) != 0)
        || conj.ineq.rows().any(|row| decided(row) && dot(row, &point) < 0);
    if fails {
        return false;
    }
    if point.len() == conj.width() {
        return true;
    }
    let div = conj.divs.row(point.len() - 1 - conj.n_var);
    let with = |value: i64| extend(conj, [point.as_slice(), &[value]].concat());
    if div[0] != 0 { with(dot(&div[1..], &point).div_floor(&div[0])) } else { (-INNER..=INNER).any(with) }
}

/// The optimum of the last `n_out` variables, which the constraints bound to the inner box.
pub(crate) fn optimum(conj: &Conjunction<i64>, x: &[i64], n_out: usize, maximize: bool) -> Option<Vec<i64>> {
    let mut candidates = points(n_out, INNER);
    if maximize {
        candidates.reverse();
    }
    candidates.into_iter().find(|y| contains(conj, &[x, y].concat()))
}

/// The values of affine forms `[1 | x | divs]` at `x`.
pub(crate) fn values(divs: &Matrix<i64>, rows: &Matrix<i64>, x: &[i64]) -> Vec<i64> {
    let mut point: Vec<i64> = [1].into_iter().chain(x.iter().copied()).collect();
    for div in divs.rows() {
        point.push(dot(&div[1..], &point).div_floor(&div[0]));
    }
    rows.rows().map(|row| dot(row, &point)).collect()
}

/// An arbitrary small conjunction, with at most `max_local` locals, some of them divs, and at most `max_rows` constraints.
pub(crate) fn conjunction(
    u: &mut Unstructured<'_>,
    n_var: usize,
    max_local: usize,
    max_rows: usize,
) -> Result<Conjunction<i64>> {
    let mut conj = Conjunction::universe(n_var);
    for _ in 0..u.int_in_range(0..=max_local)? {
        if u.ratio(1, 2)? {
            let width = conj.width();
            let mut div = vec![0; width + 1];
            div[0] = u.int_in_range(2..=4)?;
            div[1] = u.int_in_range(-3..=3)?;
            for c in 2..=width {
                let known = c < 2 + n_var || conj.divs.row(c - 2 - n_var)[0] != 0;
                div[c] = if known { u.int_in_range(-2..=2)? } else { 0 };
            }
            conj.add_div(&div);
        } else {
            let column = conj.add_local();
            bound(&mut conj, column);
        }
    }
    for _ in 0..u.int_in_range(0..=max_rows)? {
        let mut row: Vec<i64> = Vec::with_capacity(conj.width());
        row.push(u.int_in_range(-8..=8)?);
        for _ in 1..conj.width() {
            row.push(if u.ratio(1, 3)? { 0 } else { u.int_in_range(-4..=4)? });
        }
        if u.ratio(1, 4)? { conj.add_eq(&row) } else { conj.add_ineq(&row) }
    }
    Ok(conj)
}

fn bound(conj: &mut Conjunction<i64>, column: usize) {
    let mut row = vec![0; conj.width()];
    row[0] = INNER;
    row[column] = 1;
    conj.add_ineq(&row);
    row[column] = -1;
    conj.add_ineq(&row);
}

/// Bounds the variables from `first` on to the inner box.
pub(crate) fn bound_all(conj: &mut Conjunction<i64>, first: usize) {
    (first..conj.n_var).for_each(|v| bound(conj, 1 + v));
}

/// With all variables in the box of the inputs.
pub(crate) fn bounded(conj: &Conjunction<i64>) -> Conjunction<i64> {
    let mut conj = conj.clone();
    for v in 0..conj.n_var {
        let mut row = vec![0; conj.width()];
        row[0] = BOX;
        row[1 + v] = 1;
        conj.add_ineq(&row);
        row[1 + v] = -1;
        conj.add_ineq(&row);
    }
    conj
}
