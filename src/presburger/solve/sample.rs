//! An integer point of a conjunction, or the proof that there is none.
//!
//! For `{ [i, j] : 1 <= 2 i - 3 j <= 2, j >= 100 }`: what can be decided without a tableau is ([`super::presolve`]); the simplex often refutes the
//! rest or stands at an integer point. Where it does neither and every unknown is bounded, a few Gomory cuts decide ([`super::ilp`]), else
//! a search in a reduced basis ([`super::lattice`]). Here the set is not bounded: `(3, 2)` is a direction of its recession cone `{ 2 i - 3 j = 0, j >= 0 }`. The constraints that are 0 on the whole cone bound the quotient of
//! the lattice by it (`1 <= u <= 2` for `u = 2 i - 3 j`), and whatever integer `u` satisfies them, far enough along the cone
//! there is an integer point above it, since the cone holds boxes of any size there. isl samples in the same way
//! (`isl_basic_set_sample_with_cone`). So the search always ends, and its answer is exact.
//!
//! A [`Probe`] asks many questions about one conjunction: its tableau is solved once, and each question adds rows to a copy.
//!
//! Implements: 002 3.8

use super::guess;
use super::ilp::{self, Found};
use super::lattice;
use super::presolve::Reduction;
use super::simplex::{Bound, Simplex, relax};
use crate::presburger::conjunction::{Conjunction, unit_row};
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::{Int, Number, unless_overflow};
use crate::presburger::number::matrix::{Matrix, dot};

/// Cuts after which the shape of the body is to blame, and another basis of the lattice is better than more of them.
const MANY_CUTS: usize = 20;

/// Whether the conjunction has no integer point. What is found out is kept with it; numbers that grow beyond `T` on the way do no harm.
pub(crate) fn is_empty<T: Number>(conj: &Conjunction<T>) -> bool {
    if let Some(known) = conj.established() {
        return known.is_none();
    }
    match unless_overflow(|| guess::guess(conj).or_else(|| sample(conj))) {
        Some(found) => {
            let is_empty = found.is_none();
            conj.learn(found);
            is_empty
        }
        None => {
            let found = point_in_wider(conj);
            let fits = found.iter().flatten().map(|x| x.to_i64().map(T::from_i64)).collect::<Option<Vec<T>>>();
            match (&found, fits) {
                (None, _) => conj.learn(None),
                (Some(_), Some(point)) => conj.learn(Some(point)),
                (Some(_), None) => {}
            }
            found.is_none()
        }
    }
}

/// [`sample`] in numbers that do not overflow.
fn point_in_wider<T: Number>(conj: &Conjunction<T>) -> Option<Vec<Int>> {
    fn point_in<T: Number, U: Number>(conj: &Conjunction<T>) -> Option<Vec<Int>> {
        sample(&conj.convert::<U>()).map(|point| point.iter().map(Number::to_int).collect())
    }
    unless_overflow(|| point_in::<T, i128>(conj)).unwrap_or_else(|| point_in::<T, Int>(conj))
}

/// As [`sample`], with a first guess and from what is known: quick, but not a point that anyone would like to see.
pub(crate) fn any_point<T: Number>(conj: &Conjunction<T>) -> Option<Vec<T>> {
    if is_empty(conj) {
        return None;
    }
    match conj.witness() {
        Some(point) => Some(point.to_vec()),
        None => point_in_wider(conj).map(|point| point.iter().map(T::from_int).collect()),
    }
}

/// Integer values of the variables and the locals that satisfy all constraints, if there are any.
pub(crate) fn sample<T: Number>(conj: &Conjunction<T>) -> Option<Vec<T>> {
    if conj.is_proved_empty() {
        return None;
    }
    let reduction = Reduction::of(conj)?;
    let rest = if reduction.is_decided() { Vec::new() } else { integer_point(&reduction.rest.ineq)? };
    Some(reduction.complete(&rest))
}

fn holds<T: Number>(rows: &Matrix<T>, point: &[T]) -> bool {
    spend_rows(rows.len(), 0);
    rows.rows().all(|row| !dot(&row[1..], point).add(&row[0]).is_negative())
}

/// An integer `z` with `row . (1, z) >= 0` for all rows.
pub(crate) fn integer_point<T: Number>(rows: &Matrix<T>) -> Option<Vec<T>> {
    let origin = vec![T::zero(); rows.width() - 1];
    if holds(rows, &origin) {
        return Some(origin);
    }
    match search(rows, &mut relax(rows)?, usize::MAX) {
        Found::Point(point) => Some(point),
        Found::Nothing => None,
        Found::Undecided => panic!("law: without a limit the search decides"),
    }
}

/// As [`integer_point`], with the tableau solved and at most as many cuts.
pub(crate) fn search<T: Number>(rows: &Matrix<T>, simplex: &mut Simplex<T>, most_cuts: usize) -> Found<T> {
    if let Some(rounded) = roundings(&simplex.point()).into_iter().find(|point| holds(rows, point)) {
        return Found::Point(rounded);
    }
    match bounds(simplex, rows.width() - 1) {
        Range::None => Found::Nothing,
        Range::Bounded(low, high) => point_in_box(rows, &low, &high, most_cuts),
        Range::Unbounded => point_along_cone(rows, most_cuts),
    }
}

/// The point itself if it is integer, else the nearest integers and those below and above.
fn roundings<T: Number>(rational: &[(T, T)]) -> Vec<Vec<T>> {
    let below: Vec<T> = rational.iter().map(|(n, d)| n.div_floor(d)).collect();
    if rational.iter().all(|(_, d)| d.is_one()) {
        return vec![below];
    }
    let two = T::from_i64(2);
    let nearest = rational.iter().map(|(n, d)| n.mul(&two).add(d).div_floor(&d.mul(&two))).collect();
    let above = rational.iter().map(|(n, d)| n.div_ceil(d)).collect();
    vec![nearest, below, above]
}

enum Range<T> {
    None,
    Unbounded,
    Bounded(Vec<T>, Vec<T>),
}

/// The smallest and greatest integers that the relaxation allows each unknown.
fn bounds<T: Number>(simplex: &mut Simplex<T>, k: usize) -> Range<T> {
    let (mut low, mut high) = (Vec::with_capacity(k), Vec::with_capacity(k));
    for v in 0..k {
        let row = unit_row(1 + k, 1 + v);
        let (Some(least), Some(greatest)) = (simplex.minimum(&row).ceil(), simplex.maximum(&row).floor()) else {
            return Range::Unbounded;
        };
        if least > greatest {
            return Range::None;
        }
        low.push(least);
        high.push(greatest);
    }
    Range::Bounded(low, high)
}

/// The integer point of the rows in the box that is lexicographically smallest.
fn point_in_box<T: Number>(rows: &Matrix<T>, low: &[T], high: &[T], most_cuts: usize) -> Found<T> {
    let k = low.len();
    spend_rows(rows.len() + k, k);
    let mut shifted = rows.clone();
    for r in 0..shifted.len() {
        let row = shifted.row_mut(r);
        row[0] = row[0].add(&dot(&row[1..], low));
    }
    for v in 0..k {
        let row = shifted.push_zero();
        row[0] = high[v].sub(&low[v]);
        row[1 + v] = T::one().neg();
    }
    match ilp::smallest_point(&Matrix::new(1 + k), &shifted, most_cuts.min(MANY_CUTS)) {
        Found::Point(point) => Found::Point(point.iter().zip(low).map(|(x, l)| x.add(l)).collect()),
        Found::Undecided if most_cuts > MANY_CUTS => lattice::point(rows),
        other => other,
    }
}

/// As [`search`], by the argument of the file's header.
fn point_along_cone<T: Number>(rows: &Matrix<T>, most_cuts: usize) -> Found<T> {
    let k = rows.width() - 1;
    let mut cone = Simplex::new(k);
    let directions: Vec<Vec<T>> =
        rows.rows().map(|row| [T::zero()].into_iter().chain(row[1..].iter().cloned()).collect()).collect();
    directions.iter().for_each(|row| {
        cone.add_ineq(row);
    });
    let across: Vec<bool> = directions.iter().map(|row| cone.maximum(row) != Bound::Unbounded).collect();
    let mut basis = Matrix::from_rows(k, (0..k).map(|v| unit_row(k, v)));
    let mut turned = rows.clone();
    let rank = echelon(&mut turned, &across, &mut basis);
    let select = |is_wanted: &dyn Fn(bool) -> bool| {
        let rows = turned.rows().zip(&across).filter(|(_, is_across)| is_wanted(**is_across));
        Matrix::from_rows(1 + k, rows.map(|(row, _)| row.to_vec()))
    };
    let quotient: Vec<Option<usize>> = (0..=rank).map(Some).collect();
    let across_rows = select(&|is_across| is_across).select_columns(&quotient);
    let mut point = match relax(&across_rows).map(|mut simplex| search(&across_rows, &mut simplex, most_cuts)) {
        Some(Found::Point(point)) => point,
        Some(other) => return other,
        None => return Found::Nothing,
    };
    let along: Vec<Option<usize>> = [0].into_iter().chain(1 + rank..1 + k).map(Some).collect();
    let fixed = select(&|is_across| !is_across);
    let mut far = fixed.select_columns(&along);
    for (r, row) in fixed.rows().enumerate() {
        let constant = row[0].add(&dot(&row[1..=rank], &point));
        let row = far.row_mut(r);
        let slack = row[1..].iter().filter(|x| x.is_positive()).fold(T::zero(), |sum, x| sum.add(x));
        row[0] = constant.sub(&slack);
    }
    let mut simplex = Simplex::new(k - rank);
    far.rows().for_each(|row| {
        simplex.add_ineq(row);
    });
    assert!(!simplex.is_empty(), "law: a cone with interior holds a box");
    point.extend(simplex.point().iter().map(|(n, d)| n.div_floor(d)));
    Found::Point(basis.rows().map(|row| dot(row, &point)).collect())
}

/// Unimodular column operations on the coefficients of `rows` (and on `basis`) after which those marked use only the first columns, as many
/// as their rank, which is returned.
fn echelon<T: Number>(rows: &mut Matrix<T>, marked: &[bool], basis: &mut Matrix<T>) -> usize {
    let k = basis.width();
    let mut rank = 0;
    for r in (0..rows.len()).filter(|&r| marked[r]) {
        loop {
            let row = rows.row(r);
            let used: Vec<usize> = (rank..k).filter(|&c| !row[1 + c].is_zero()).collect();
            let Some(&smallest) = used.iter().min_by_key(|&&c| row[1 + c].abs()) else { break };
            let factors: Vec<(usize, T)> = used
                .iter()
                .filter(|&&c| c != smallest)
                .map(|&c| (c, row[1 + c].div_floor(&row[1 + smallest]).neg()))
                .collect();
            if factors.is_empty() {
                (0..rows.len()).for_each(|i| rows.row_mut(i).swap(1 + rank, 1 + smallest));
                (0..k).for_each(|i| basis.row_mut(i).swap(rank, smallest));
                rank += 1;
                break;
            }
            for (c, q) in &factors {
                add_column(rows, 1 + c, 1 + smallest, q);
                add_column(basis, *c, smallest, q);
            }
        }
    }
    rank
}

/// Column `to` plus `factor` times column `from`.
fn add_column<T: Number>(rows: &mut Matrix<T>, to: usize, from: usize, factor: &T) {
    spend_rows(rows.len(), 0);
    for r in 0..rows.len() {
        let row = rows.row_mut(r);
        let x = row[from].clone();
        row[to].add_mul(&x, factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::{Int, unless_overflow};
    use crate::presburger::tests::brute;
    use crate::property::property;

    fn of(n: usize, eq: &[&[i64]], ineq: &[&[i64]]) -> Conjunction<i64> {
        let mut conj = Conjunction::universe(n);
        eq.iter().for_each(|row| conj.add_eq(row));
        ineq.iter().for_each(|row| conj.add_ineq(row));
        conj
    }

    fn check(conj: &Conjunction<i64>) -> bool {
        let Some(values) = sample(conj) else { return false };
        assert_eq!(values.len(), conj.width() - 1);
        let point: Vec<i64> = [1].into_iter().chain(values.iter().copied()).collect();
        assert!(conj.eq.rows().all(|row| dot(row, &point) == 0), "{values:?} in {conj:?}");
        assert!(conj.ineq.rows().all(|row| dot(row, &point) >= 0), "{values:?} in {conj:?}");
        for (l, div) in conj.divs.rows().enumerate().filter(|(_, div)| div[0] != 0) {
            assert_eq!(point[1 + conj.n_var + l], dot(&div[1..], &point).div_floor(&div[0]), "{conj:?}");
        }
        true
    }

    #[test]
    fn a_thin_strip_without_integers_is_empty() {
        let strip = of(2, &[], &[&[-1, 3, -3], &[2, -3, 3]]);
        assert!(is_empty(&strip) && crate::presburger::solve::probe::Probe::new(&strip).is_none());
    }

    #[test]
    fn unbounded_sets_are_decided() {
        assert!(check(&of(2, &[], &[&[-1, 2, -3], &[2, -2, 3], &[-100, 0, 1]])));
        let triangle: &[&[i64]] = &[&[-1, 3, 0, 0], &[-1, 0, 3, 0], &[5, -3, -3, 0]];
        assert!(!check(&of(3, &[], triangle)));
        let skewed: &[&[i64]] = &[&[-1, 3, 0, -6], &[-1, 0, 3, 9], &[5, -3, -3, -3], &[0, 1, 2, 5]];
        assert!(!check(&of(3, &[], skewed)));
        assert!(!check(&of(3, &[&[0, 1, -2, 0], &[-1, 1, 0, -2]], &[&[0, 1, 0, 0]])));
    }

    #[test]
    fn numbers_past_the_machine_word_are_sampled() {
        let large = Int::from(i64::MAX);
        let mut conj = Conjunction::<Int>::universe(2);
        conj.add_eq(&[Int::from(-1), large.clone(), large.sub(&Int::one()).neg()]);
        conj.add_ineq(&[large.mul(&large).neg(), Int::one(), Int::zero()]);
        let point = sample(&conj).expect("a point");
        assert!(point[0] >= large.mul(&large));
    }

    #[test]
    fn a_point_is_found_exactly_if_there_is_one() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=3)?;
            let conj = brute::conjunction(u, n, 2, 5)?;
            let Some(found) = unless_overflow(|| check(&conj)) else { return Ok(()) };
            let inner = brute::bounded(&conj);
            let Some(inside) = unless_overflow(|| check(&inner)) else { return Ok(()) };
            let expected = brute::points(n, brute::BOX).iter().any(|x| brute::contains(&conj, x));
            assert_eq!(inside, expected, "{inner:?}");
            assert!(found || !expected, "{conj:?}");
            Ok(())
        });
    }
}
