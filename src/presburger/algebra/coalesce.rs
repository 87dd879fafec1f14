//! Fusion of disjuncts into one where their union is a conjunction.
//!
//! `{ [i] : 0 <= i <= 4 }` and `{ [i] : 5 <= i <= 9 }`: the constraints of each that hold for the other, `i >= 0` and `i <= 9`, make a conjunction `M` that
//! contains both. What `M` has beyond them breaks some other constraint of each: here it would have `i >= 5` and `i <= 4` at once, so
//! there is nothing, and `M` is the union. In the terms of Verdoolaege's "Integer Set Coalescing" (IMPACT 2015) this is, in one test, the case of
//! included disjuncts (all constraints of one are *valid*), of cut facets, of adjacent inequalities, and of an equality next to an
//! inequality; divs are aligned first. Where `M` is too large and the disjuncts lie in neighbouring hyperplanes, their constraints are
//! *wrapped*: turned about the one hyperplane until they touch the points in the other.
//!
//! Implements: 001 efficient; 002 3.7

use crate::presburger::conjunction::Conjunction;
use crate::presburger::conjunction::align::{Unknown, align, as_inequalities, placed};
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::{Int, Number, unless_overflow};
use crate::presburger::number::matrix::negate;
use crate::presburger::number::matrix::{Matrix, content, dot};
use crate::presburger::solve::probe::Probe;
use crate::presburger::solve::sample::is_empty;
use std::cell::OnceCell;

/// Conjunctions with the same union, never more of them.
pub(crate) fn coalesce<T: Number>(union: Vec<Conjunction<T>>) -> Vec<Conjunction<T>> {
    let mut done: Vec<Disjunct<T>> = Vec::new();
    let mut open: Vec<Conjunction<T>> = union;
    open.reverse();
    while let Some(conj) = open.pop() {
        spend(1 + done.len() as u64);
        if is_empty(&conj) || done.iter().any(|other| other.conj == conj) {
            continue;
        }
        let mut new = Disjunct::of(conj);
        let fused = (0..done.len()).find_map(|i| {
            let found = unless_overflow(|| fuse(&done[i], &new));
            let found = found.unwrap_or_else(|| {
                // Tableaus may have been left half-way.
                done[i].forget_tableau();
                new.forget_tableau();
                fuse_in_wider(&done[i].conj, &new.conj)
            });
            found.map(|fused| (i, fused))
        });
        match fused {
            Some((i, fused)) if fused == done[i].conj => {}
            Some((i, fused)) => {
                done.remove(i);
                open.push(fused);
            }
            None => done.push(new),
        }
    }
    done.into_iter().map(|disjunct| disjunct.conj).collect()
}

/// [`fuse`] in numbers that do not overflow.
fn fuse_in_wider<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> Option<Conjunction<T>> {
    fn fuse_in<T: Number, U: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> Option<Conjunction<U>> {
        fuse(&Disjunct::of(a.convert::<U>()), &Disjunct::of(b.convert::<U>()))
    }
    match unless_overflow(|| fuse_in::<T, i128>(a, b)) {
        Some(fused) => fused.map(|fused| fused.convert()),
        None => fuse_in::<T, Int>(a, b).map(|fused| fused.convert()),
    }
}

/// A conjunction, its constraints as inequalities, and its tableau, once that is asked for.
struct Disjunct<T> {
    conj: Conjunction<T>,
    rows: Matrix<T>,
    probe: OnceCell<Option<Probe<T>>>,
}

impl<T: Number> Disjunct<T> {
    fn of(conj: Conjunction<T>) -> Self {
        Disjunct { rows: as_inequalities(&conj), conj, probe: OnceCell::new() }
    }

    /// `None` if there is no point.
    fn probe(&self) -> Option<&Probe<T>> {
        self.probe.get_or_init(|| Probe::new(&self.conj)).as_ref()
    }

    fn forget_tableau(&mut self) {
        self.probe = OnceCell::new();
    }

    /// The conjunction without its constraints.
    fn frame(&self) -> Conjunction<T> {
        let none = || Matrix::new(self.conj.width());
        let mut frame = Conjunction { eq: none(), ineq: none(), ..self.conj.clone() };
        frame.touched();
        frame
    }
}

/// The union of the two as one conjunction, if it is found to be one.
fn fuse<T: Number>(a: &Disjunct<T>, b: &Disjunct<T>) -> Option<Conjunction<T>> {
    if a.conj.divs == b.conj.divs {
        return fuse_in_frame(a, b);
    }
    let mut frame = a.frame();
    let place = align(&mut frame, &b.conj, Unknown::InOrder);
    let width = frame.width();
    let mine: Vec<usize> = (0..a.conj.width()).collect();
    let put =
        |rows: &Matrix<T>, place: &[usize]| Matrix::from_rows(width, rows.rows().map(|row| placed(row, place, width)));
    let in_frame = |conj: &Conjunction<T>, place: &[usize]| {
        let placed = Conjunction { eq: put(&conj.eq, place), ineq: put(&conj.ineq, place), ..frame.clone() };
        if let Some(point) = conj.witness().and_then(|point| placed.complete_point(&point[..conj.n_var])) {
            placed.learn(Some(point));
        }
        Disjunct::of(placed)
    };
    fuse_in_frame(&in_frame(&a.conj, &mine), &in_frame(&b.conj, &place))
}

/// As [`fuse`], where both have the same locals. A result that is one of the two is given as it stands there.
fn fuse_in_frame<T: Number>(a: &Disjunct<T>, b: &Disjunct<T>) -> Option<Conjunction<T>> {
    let dense = a.conj.n_local() == 0;
    if dense && (plainly_apart(&a.conj.ineq, &b.conj.ineq) || has_gap(&a.conj, &b.conj)) {
        return None;
    }
    if let Some(fused) = in_line(&a.conj, &b.conj).filter(|_| dense) {
        return Some(fused);
    }
    let Some(probe_b) = b.probe() else { return Some(a.conj.clone().simplified()) };
    let (valid_a, cut_a) = split(&a.rows, b, probe_b, dense.then_some(2 * a.conj.eq.len()))?;
    if cut_a.is_empty() {
        return Some(a.conj.clone().simplified());
    }
    let Some(probe_a) = a.probe() else { return Some(b.conj.clone().simplified()) };
    let (valid_b, cut_b) = split(&b.rows, a, probe_a, dense.then_some(2 * b.conj.eq.len()))?;
    if cut_b.is_empty() {
        return Some(b.conj.clone().simplified());
    }
    let mut hull = Conjunction { ineq: valid_a, ..a.frame() };
    valid_b.rows().for_each(|row| add_new(&mut hull, row));
    hull.touched();
    if let Some(point) = a.conj.witness() {
        hull.learn(Some(point.to_vec()));
    }
    let probe = Probe::new(&hull).expect("law: the hull contains both");
    let fits = cut_a.rows().all(|x| {
        probe.spend();
        let mut beyond = probe.clone();
        let mut outside = x.to_vec();
        negate(&mut outside);
        !beyond.add(&outside) || cut_b.rows().all(|y| beyond.implies(y))
    });
    let hull = if fits {
        Some(hull)
    } else {
        between_slices((&a.conj, &a.rows, probe_a), (&b.conj, &b.rows, probe_b), a.frame())
    };
    hull.map(Conjunction::simplified)
}

/// The union of two that differ in one thing alone, from where to where a sum is: `g = 4` and `g = 5`, or `2 <= g <= 4` and `g = 5`. Nothing has to be asked for
/// that, and elements with constant subscripts, of which a statement may touch hundreds, are mostly such. There are no locals, and neither is empty.
fn in_line<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> Option<Conjunction<T>> {
    if a.eq.len() > b.eq.len() {
        return in_line(b, a);
    }
    let [y] = only_in(&b.eq, &a.eq)?;
    let opposite = |row: &[T]| row[1..].iter().zip(&y[1..]).all(|(p, q)| *p == q.neg());
    let mut fused = a.clone();
    let (low, high) = if a.eq.len() == b.eq.len() {
        let [x] = only_in(&a.eq, &b.eq)?;
        if x[1..] != y[1..] || a.ineq.len() != b.ineq.len() {
            return None;
        }
        let [] = only_in(&a.ineq, &b.ineq)?;
        fused.eq.retain(|row| row != x);
        (x[0].clone(), x[0].neg())
    } else {
        let ([], []) = (only_in(&a.eq, &b.eq)?, only_in(&b.ineq, &a.ineq)?);
        let ends: [&[T]; 2] = only_in(&a.ineq, &b.ineq)?;
        let low = ends.into_iter().find(|row| row[1..] == y[1..])?;
        let high = ends.into_iter().find(|row| opposite(row))?;
        fused.ineq.retain(|row| row != low && row != high);
        (low[0].clone(), high[0].clone())
    };
    let (after, before) = (y[0].neg() == high.add(&T::one()), y[0] == low.add(&T::one()));
    if !after && !before {
        return None;
    }
    let (low, high) = if after { (low, y[0].neg()) } else { (y[0].clone(), high) };
    let mut row = y.to_vec();
    row[0] = low;
    fused.add_ineq(&row);
    negate(&mut row);
    row[0] = high;
    fused.add_ineq(&row);
    fused.touched();
    if let Some(point) = a.witness() {
        fused.learn(Some(point.to_vec()));
    }
    Some(fused.simplified())
}

/// The rows that are not in the other matrix, if these are so many.
fn only_in<'m, T: Number, const N: usize>(rows: &'m Matrix<T>, other: &Matrix<T>) -> Option<[&'m [T]; N]> {
    if rows.len() > other.len() + N {
        return None;
    }
    let mut new = rows.rows().filter(|row| !other.rows().any(|known| known == *row));
    let mut found = [&[][..]; N];
    for place in &mut found {
        *place = new.next()?;
    }
    new.next().is_none().then_some(found)
}

/// Whether an integer point between a point of one and a point of the other, which are known, is in neither. There are no locals.
fn has_gap<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> bool {
    let (Some(p), Some(q)) = (a.witness(), b.witness()) else { return false };
    let way: Vec<T> = p.iter().zip(q).map(|(x, y)| y.sub(x)).collect();
    let steps = content(&way);
    let two = T::from_i64(2);
    if steps < two {
        return false;
    }
    let half = steps.div_floor(&two);
    let between: Vec<T> = p.iter().zip(&way).map(|(x, w)| x.add(&w.div_exact(&steps).mul(&half))).collect();
    !a.is_point(&between) && !b.is_point(&between)
}

fn add_new<T: Number>(conj: &mut Conjunction<T>, row: &[T]) {
    if !conj.ineq.rows().any(|known| known == row) {
        conj.add_ineq(row);
    }
}

/// A conjunction, its constraints as inequalities, and its probe.
type Side<'a, T> = (&'a Conjunction<T>, &'a Matrix<T>, &'a Probe<T>);

/// The union of two disjuncts that lie in neighbouring hyperplanes, `u = 0` and `u = 1`: every constraint of one is wrapped about its hyperplane until it
/// touches the other. Between the hyperplanes there is no integer point, so the result is the union if in each of them it is no larger. A constraint that
/// would be too [`steep`] is not wrapped.
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
    let most = steepest(a.1).max(steepest(b.1)).max(T::from_i64(STEEP));
    let mut lost: [Vec<&[T]>; 2] = [Vec::new(), Vec::new()];
    for (side, (from, onto, away)) in [(a, b, &height), (b, a, &depth)].into_iter().enumerate() {
        for row in from.1.rows() {
            let turned = |least: T| -> Vec<T> { row.iter().zip(away).map(|(x, y)| x.sub(&y.mul(&least))).collect() };
            match onto.2.least(row).map(turned).filter(|wrapped| steep(wrapped) <= most) {
                Some(wrapped) => add_new(&mut hull, &wrapped),
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

/// Constraints are wrapped up to this coefficient, or the largest that was there. `x = p` and `x = q + 1` for any two numbers of 32 bits make a
/// conjunction, too, but one whose coefficients have 33 bits, and its every use costs more than the two. isl: `coalesce_bounded_wrapping`.
const STEEP: i64 = 1 << 10;

/// The largest coefficient of a variable.
fn steep<T: Number>(row: &[T]) -> T {
    row[1..].iter().map(Number::abs).max().unwrap_or_else(T::zero)
}

fn steepest<T: Number>(rows: &Matrix<T>) -> T {
    rows.rows().map(steep).max().unwrap_or_else(T::zero)
}

/// Whether two opposite rows leave room for points of neither side between them.
fn plainly_apart<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> bool {
    spend(1 + (a.len() * b.len()) as u64 / 2);
    let gap = T::one().neg();
    a.rows().any(|x| b.rows().any(|y| x[0].add(&y[0]) < gap && x[1..].iter().zip(&y[1..]).all(|(p, q)| *p == q.neg())))
}

/// The rows that hold for all of `other`, and those that do not. With `dense_from`, `None` if there is a row from that index on from which `other` is
/// apart: between the two there is room for points of neither. (In the hyperplanes of equalities there need be no point.) A known point of `other`
/// answers one of the two questions about each row, so that at most one goes to the tableau.
fn split<T: Number>(
    rows: &Matrix<T>,
    other: &Disjunct<T>,
    probe: &Probe<T>,
    dense_from: Option<usize>,
) -> Option<(Matrix<T>, Matrix<T>)> {
    let known = &other.rows;
    let point = other.conj.witness().filter(|point| point.len() + 1 == rows.width());
    let (mut valid, mut cut) = (Matrix::new(rows.width()), Matrix::new(rows.width()));
    for (r, row) in rows.rows().enumerate() {
        spend(1 + known.len() as u64 / 2);
        let plainly = known.rows().any(|k| k[0] <= row[0] && k[1..] == row[1..]);
        let there = point.map(|point| row[0].add(&dot(&row[1..], point)));
        let is_possible = there.as_ref().is_none_or(|value| !value.is_negative());
        if plainly || is_possible && probe.relaxation_implies(row) == Some(true) {
            valid.push(row);
            continue;
        }
        let is_far = there.is_none_or(|value| value < T::one().neg());
        if is_far && dense_from.is_some_and(|first| r >= first) {
            let mut far = row.to_vec();
            negate(&mut far);
            far[0] = far[0].sub(&T::one());
            if probe.relaxation_implies(&far) == Some(true) {
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
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
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
    fn what_differs_in_one_range_is_fused_as_it_stands() {
        let at = |x: i64| of(2, &[&[-x, 1, 0]], &[&[0, 0, 1], &[3, 0, -1]]);
        let from = |low: i64, high: i64| of(2, &[], &[&[0, 0, 1], &[3, 0, -1], &[-low, 1, 0], &[high, -1, 0]]);
        for (a, b, union) in [
            (at(1), at(2), Some(from(1, 2))),
            (at(2), at(1), Some(from(1, 2))),
            (at(3), from(1, 2), Some(from(1, 3))),
            (from(1, 2), at(0), Some(from(0, 2))),
            (at(1), at(3), None),
            (from(1, 2), at(4), None),
            (from(1, 2), of(2, &[&[-3, 1, 0]], &[&[0, 0, 1], &[2, 0, -1]]), None),
            (at(1), of(2, &[&[-2, 1, 0]], &[&[0, 0, 1]]), None),
            (at(1), of(2, &[&[-2, 0, 1]], &[&[0, 1, 0], &[3, -1, 0]]), None),
        ] {
            let [a, b] = [a, b].map(Conjunction::simplified);
            assert_eq!(in_line(&a, &b), union.map(Conjunction::simplified), "{a:?} {b:?}");
        }
    }

    #[test]
    fn slices_in_neighbouring_hyperplanes_are_wrapped() {
        let slice = |shift: i64, low: i64, high: i64| of(2, &[&[-shift, -1, 1]], &[&[-low, 1, 0], &[high, -1, 0]]);
        check(vec![slice(0, 0, 4), slice(1, 0, 3)], 1);
        check(vec![slice(0, 0, 4), slice(1, -3, 2)], 1);
        check(vec![slice(0, 0, 4), slice(2, 0, 3)], 2);
    }

    #[test]
    fn slices_of_which_only_coefficients_of_many_digits_would_make_one_are_left() {
        let far = 1 << 31;
        let slice = |at: i64| {
            of(3, &[&[-at, 0, 0, 1]], &[&[far, 1, 0, 0], &[far, -1, 0, 0], &[far, 0, 1, 0], &[far, 0, -1, 0]])
        };
        let equal = |mut conj: Conjunction<i64>, row: &[i64]| {
            conj.add_eq(row);
            conj
        };
        let two = vec![equal(slice(0), &[0, 1, -1, 0]), equal(slice(1), &[5, 1, 1, 0])];
        assert_eq!(coalesce(two.clone()), two);
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
