//! Fusion of disjuncts into one where their union is a conjunction.
//!
//! `{ [i] : 0 <= i <= 4 }` and `{ [i] : 5 <= i <= 9 }`: the constraints of each that hold for the other, `i >= 0` and `i <= 9`, make a conjunction `M` that
//! contains both. What `M` has beyond them breaks some other constraint of each: here it would have `i >= 5` and `i <= 4` at once, so
//! there is nothing, and `M` is the union. In the terms of Verdoolaege's "Integer Set Coalescing" (IMPACT 2015) this is, in one test, the case of
//! included disjuncts (all constraints of one are *valid*), of cut facets, of adjacent inequalities, and of an equality next to an
//! inequality; divs are aligned first. Where `M` is too large and the disjuncts lie in neighbouring hyperplanes, their constraints are
//! *wrapped*: turned about the one hyperplane until they touch the points in the other.

use super::align::{Unknown, align, as_inequalities, placed};
use super::budget::spend;
use super::conjunction::Conjunction;
use super::context::negate;
use super::int::Number;
use super::matrix::Matrix;
use super::sample::Probe;

/// Conjunctions with the same union, never more of them.
pub(crate) fn coalesce<T: Number>(union: Vec<Conjunction<T>>) -> Vec<Conjunction<T>> {
    let mut done: Vec<Conjunction<T>> = Vec::new();
    let mut open: Vec<Conjunction<T>> = union;
    open.reverse();
    while let Some(conj) = open.pop() {
        spend(1 + done.len() as u64);
        if conj.known_empty || done.contains(&conj) {
            continue;
        }
        let fused = done.iter().enumerate().find_map(|(i, other)| fuse(other, &conj).map(|fused| (i, fused)));
        match fused {
            Some((i, fused)) => {
                done.remove(i);
                open.push(fused);
            }
            None => done.push(conj),
        }
    }
    done
}

/// The union of the two as one conjunction, if it is found to be one.
fn fuse<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> Option<Conjunction<T>> {
    let mut frame = Conjunction { eq: Matrix::new(a.width()), ineq: Matrix::new(a.width()), ..a.clone() };
    frame.touched();
    let place = align(&mut frame, b, Unknown::InOrder);
    let width = frame.width();
    let mine: Vec<usize> = (0..a.width()).collect();
    let put =
        |rows: &Matrix<T>, place: &[usize]| Matrix::from_rows(width, rows.rows().map(|row| placed(row, place, width)));
    let in_frame = |conj: &Conjunction<T>, place: &[usize]| Conjunction {
        eq: put(&conj.eq, place),
        ineq: put(&conj.ineq, place),
        ..frame.clone()
    };
    let (in_a, in_b) = (in_frame(a, &mine), in_frame(b, &place));
    let (rows_a, rows_b) = (as_inequalities(&in_a), as_inequalities(&in_b));
    let dense = width == 1 + a.n_var;
    if dense && plainly_apart(&in_a.ineq, &in_b.ineq) {
        return None;
    }
    let Some(probe_b) = Probe::new(&in_b) else { return Some(a.clone()) };
    let (valid_a, cut_a) = split(&rows_a, &rows_b, &probe_b, dense.then_some(2 * in_a.eq.len()))?;
    if cut_a.is_empty() {
        return Some(a.clone());
    }
    let Some(probe_a) = Probe::new(&in_a) else { return Some(b.clone()) };
    let (valid_b, cut_b) = split(&rows_b, &rows_a, &probe_a, dense.then_some(2 * in_b.eq.len()))?;
    if cut_b.is_empty() {
        return Some(b.clone());
    }
    let mut hull = Conjunction { ineq: valid_a, ..frame.clone() };
    valid_b.rows().for_each(|row| add_new(&mut hull, row));
    hull.touched();
    let probe = Probe::new(&hull).expect("law: the hull contains both");
    let fits = cut_a.rows().all(|x| {
        probe.spend();
        let mut beyond = probe.clone();
        let mut outside = x.to_vec();
        negate(&mut outside);
        !beyond.add(&outside) || cut_b.rows().all(|y| beyond.implies(y))
    });
    let hull =
        if fits { Some(hull) } else { between_slices((&in_a, &rows_a, &probe_a), (&in_b, &rows_b, &probe_b), frame) };
    hull.map(Conjunction::simplified)
}

fn add_new<T: Number>(conj: &mut Conjunction<T>, row: &[T]) {
    if !conj.ineq.rows().any(|known| known == row) {
        conj.add_ineq(row);
    }
}

/// A conjunction, its constraints as inequalities, and its probe.
type Side<'a, T> = (&'a Conjunction<T>, &'a Matrix<T>, &'a Probe<T>);

/// The union of two disjuncts that lie in neighbouring hyperplanes, `u = 0` and `u = 1`: every constraint of one is wrapped about its hyperplane until it
/// touches the other. Between the hyperplanes there is no integer point, so the result is the union if in each of them it is no larger.
fn between_slices<T: Number>(a: Side<'_, T>, b: Side<'_, T>, frame: Conjunction<T>) -> Option<Conjunction<T>> {
    let minus = |row: &[T]| row.iter().map(Number::neg).collect::<Vec<T>>();
    let height = a.0.eq.rows().find_map(|x| {
        [x.to_vec(), minus(x)].into_iter().find(|u| {
            b.0.eq
                .rows()
                .any(|y| [y.to_vec(), minus(y)].iter().any(|y| y[1..] == u[1..] && y[0] == u[0].sub(&T::one())))
        })
    })?;
    let mut depth = minus(&height);
    depth[0] = depth[0].add(&T::one());
    let mut hull = frame;
    hull.add_ineq(&height);
    hull.add_ineq(&depth);
    let mut lost: [Vec<&[T]>; 2] = [Vec::new(), Vec::new()];
    for (side, (from, onto, away)) in [(a, b, &height), (b, a, &depth)].into_iter().enumerate() {
        for row in from.1.rows() {
            match onto.2.least(row) {
                Some(least) => {
                    let mut wrapped = row.to_vec();
                    wrapped.iter_mut().zip(away).for_each(|(x, y)| *x = x.sub(&y.mul(&least)));
                    add_new(&mut hull, &wrapped);
                }
                None => lost[side].push(row),
            }
        }
    }
    let holds = |(away, lost): (&Vec<T>, &Vec<&[T]>)| {
        let mut slice = hull.clone();
        slice.add_eq(away);
        lost.is_empty() || Probe::new(&slice).is_none_or(|slice| lost.iter().all(|row| slice.implies(row)))
    };
    [&height, &depth].into_iter().zip(&lost).all(holds).then_some(hull)
}

/// Whether two opposite rows leave room for points of neither side between them.
fn plainly_apart<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> bool {
    spend(1 + (a.len() * b.len()) as u64 / 2);
    let gap = T::one().neg();
    a.rows().any(|x| b.rows().any(|y| x[0].add(&y[0]) < gap && x[1..].iter().zip(&y[1..]).all(|(p, q)| *p == q.neg())))
}

/// The rows that hold for all of `other`, and those that do not. With `dense_from`, `None` if there is a row from that index on from which `other` is
/// apart: between the two there is room for points of neither. (In the hyperplanes of equalities there need be no point.)
fn split<T: Number>(
    rows: &Matrix<T>,
    known: &Matrix<T>,
    other: &Probe<T>,
    dense_from: Option<usize>,
) -> Option<(Matrix<T>, Matrix<T>)> {
    let (mut valid, mut cut) = (Matrix::new(rows.width()), Matrix::new(rows.width()));
    for (r, row) in rows.rows().enumerate() {
        spend(1 + known.len() as u64 / 2);
        let plainly = known.rows().any(|k| k[0] <= row[0] && k[1..] == row[1..]);
        if plainly || other.implies(row) {
            valid.push(row);
            continue;
        }
        if dense_from.is_some_and(|first| r >= first) {
            let mut near = row.to_vec();
            near[0] = near[0].add(&T::one());
            if other.excludes(&[&near]) {
                return None;
            }
        }
        cut.push(row);
    }
    Some((valid, cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::brute;
    use crate::presburger::int::unless_overflow;
    use crate::property::property;

    fn of(n: usize, eq: &[&[i64]], ineq: &[&[i64]]) -> Conjunction<i64> {
        let mut conj = Conjunction::universe(n);
        eq.iter().for_each(|row| conj.add_eq(row));
        ineq.iter().for_each(|row| conj.add_ineq(row));
        conj
    }

    fn check(union: Vec<Conjunction<i64>>, pieces: usize) {
        let result = coalesce(union.clone());
        assert_eq!(result.len(), pieces, "{result:?}");
        same_points(&union, &result);
    }

    fn same_points(union: &[Conjunction<i64>], result: &[Conjunction<i64>]) {
        for x in brute::points(union[0].n_var, brute::BOX) {
            let in_any = |u: &[Conjunction<i64>]| u.iter().any(|c| brute::contains(c, &x));
            assert_eq!(in_any(union), in_any(result), "{x:?} in {union:?}: {result:?}");
        }
    }

    #[test]
    fn neighbours_fuse_and_strangers_do_not() {
        let interval = |low: i64, high: i64| of(1, &[], &[&[-low, 1], &[high, -1]]);
        check(vec![interval(0, 2), interval(3, 5)], 1);
        check(vec![interval(0, 2), interval(1, 5)], 1);
        check(vec![interval(0, 5), interval(1, 3)], 1);
        check(vec![interval(0, 2), interval(4, 5)], 2);
        check(vec![interval(0, 1), interval(4, 5), interval(2, 3)], 1);
    }

    #[test]
    fn a_point_next_to_an_interval_extends_it() {
        check(vec![of(1, &[], &[&[0, 1], &[4, -1]]), of(1, &[&[-5, 1]], &[])], 1);
        let triangle = of(2, &[], &[&[0, 0, 1], &[0, 1, -1], &[3, -1, 0]]);
        check(vec![triangle, of(2, &[&[-4, 1, 0]], &[&[0, 0, 1], &[4, 0, -1]])], 1);
    }

    #[test]
    fn slices_in_neighbouring_hyperplanes_are_wrapped() {
        let slice = |shift: i64, low: i64, high: i64| of(2, &[&[-shift, -1, 1]], &[&[-low, 1, 0], &[high, -1, 0]]);
        check(vec![slice(0, 0, 4), slice(1, 0, 3)], 1);
        check(vec![slice(0, 0, 4), slice(1, -3, 2)], 1);
        check(vec![slice(0, 0, 4), slice(2, 0, 3)], 2);
    }

    #[test]
    fn even_and_odd_make_all() {
        let parity = |r: i64| {
            let mut conj = Conjunction::<i64>::universe(1);
            conj.add_div(&[2, 0, 1]);
            conj.add_eq(&[-r, 1, -2]);
            conj
        };
        check(vec![parity(0), parity(1)], 1);
    }

    #[test]
    fn fusion_keeps_the_points() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=2)?;
            let count = u.int_in_range(2..=3)?;
            let mut union = Vec::new();
            for _ in 0..count {
                union.push(brute::conjunction(u, n, 1, 3)?);
            }
            let Some(result) = unless_overflow(|| coalesce(union.clone())) else { return Ok(()) };
            assert!(result.len() <= union.len());
            same_points(&union, &result);
            Ok(())
        });
    }
}
