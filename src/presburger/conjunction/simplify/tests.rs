//! Tests: the normal form of a conjunction: cheap, exact over the integers, and without a tableau.

use super::*;
use crate::presburger::number::int::{Int, unless_overflow};
use crate::presburger::tests::brute;
use crate::property::property;

fn of(n: usize, n_local: usize, eq: &[&[i64]], ineq: &[&[i64]]) -> Conjunction<i64> {
    let mut conj = Conjunction::universe(n);
    (0..n_local).for_each(|_| {
        conj.add_local();
    });
    eq.iter().for_each(|row| conj.add_eq(row));
    ineq.iter().for_each(|row| conj.add_ineq(row));
    conj.simplified()
}

#[test]
fn the_example_of_the_header() {
    let even = of(1, 1, &[&[0, 2, -4]], &[&[-5, 2, 0], &[-1, 1, 0], &[7, -1, 0], &[20, -3, 0]]);
    assert_eq!((even.eq.len(), even.ineq.len(), even.n_local()), (1, 2, 1));
    assert_eq!((even.eq.row(0), even.divs.row(0)), (&[0, 1, -2][..], &[2, 0, 1, 0][..]));
    assert_eq!((even.ineq.row(0), even.ineq.row(1)), (&[-4, 1, 0][..], &[6, -1, 0][..]));
}

#[test]
fn what_means_the_same_looks_the_same() {
    let by_equality = of(1, 1, &[&[0, 1, -3]], &[]);
    let negative = of(1, 1, &[&[0, 1, 3]], &[]);
    let shifted = of(1, 1, &[&[-6, 1, -3]], &[]);
    let by_two = of(1, 2, &[&[0, 1, -6, -9]], &[]);
    let mut by_div = Conjunction::<i64>::universe(1);
    by_div.add_div(&[3, 2, -1]);
    by_div.add_eq(&[0, 1, 3]);
    by_div.simplify();
    assert!([negative, shifted, by_two, by_div].iter().all(|other| *other == by_equality), "{by_equality:?}");
}

#[test]
fn nested_divs_are_one() {
    let mut nested = Conjunction::<i64>::universe(2);
    nested.add_div(&[2, 0, 1, 0]);
    nested.add_div(&[3, 4, 0, 0, 1]);
    nested.add_ineq(&[0, 0, 1, 0, -2]);
    nested.simplify();
    assert_eq!(nested.divs, Matrix::from_rows(5, [vec![6, 2, 1, 0, 0]]));
    assert_eq!(nested.ineq.row(0), [-2, 0, 1, -2]);
}

#[test]
fn divs_that_only_bound_are_written_out() {
    // floor((x + 1) / 3) >= y and floor((x + 1) / 3) <= 4: x + 1 >= 3 y and x + 1 <= 14.
    let mut conj = Conjunction::<i64>::universe(2);
    conj.add_div(&[3, 1, 1, 0]);
    conj.add_ineq(&[0, 0, -1, 1]);
    conj.add_ineq(&[4, 0, 0, -1]);
    let conj = conj.simplified();
    assert_eq!((conj.n_local(), conj.ineq.len()), (0, 2), "{conj:?}");
    let expected = [vec![1, 1, -3], vec![13, -1, 0]];
    assert!(conj.ineq.rows().all(|row| expected.iter().any(|e| e == row)), "{conj:?}");
}

#[test]
fn existentials_between_bounds_are_divs_and_others_vanish() {
    let between = of(1, 1, &[], &[&[0, 1, -4], &[3, -1, 4]]);
    assert!(between.is_universe(), "{between:?}");
    let stride = of(1, 1, &[], &[&[0, 1, -4], &[1, -1, 4]]);
    assert_eq!((stride.divs.row(0), stride.ineq.len()), (&[4, 0, 1, 0][..], 1), "{stride:?}");
    let one_sided = of(1, 1, &[], &[&[0, 1, -4]]);
    assert!(one_sided.is_universe());
}

#[test]
fn equalities_without_integers_are_empty() {
    assert!(of(2, 0, &[&[1, 2, 4]], &[]).known_empty);
    assert!(of(1, 2, &[&[1, 0, 2, 4]], &[]).known_empty);
    assert!(of(1, 1, &[&[0, 1, -2], &[1, 1, 0]], &[]).known_empty);
}

#[test]
fn what_is_simple_stays() {
    property(1_000, |u| {
        let conj = arbitrary(u)?;
        let Some(once) = unless_overflow(|| conj.clone().simplified()) else { return Ok(()) };
        let mut twice = once.clone();
        twice.touched();
        let Some(()) = unless_overflow(|| twice.simplify()) else { return Ok(()) };
        let rows = |c: &Conjunction<i64>| (c.known_empty, c.eq.clone(), c.ineq.clone(), c.divs.clone());
        assert_eq!(rows(&twice), rows(&once), "{conj:?}");
        Ok(())
    });
}

fn arbitrary(u: &mut arbtest::arbitrary::Unstructured<'_>) -> arbtest::arbitrary::Result<Conjunction<i64>> {
    let n = u.int_in_range(1..=2)?;
    brute::conjunction(u, n, 3, 5)
}

#[test]
fn the_points_stay() {
    property(1_000, |u| {
        let conj = arbitrary(u)?;
        let Some(simple) = unless_overflow(|| conj.clone().simplified()) else { return Ok(()) };
        for x in brute::points(conj.n_var, brute::BOX) {
            let wide = conj.convert::<Int>().simplified();
            assert_eq!(wide, simple.convert());
            let expected = brute::contains(&conj, &x);
            assert_eq!(brute::contains(&simple, &x), expected, "{x:?} in {conj:?} became {simple:?}");
        }
        Ok(())
    });
}
