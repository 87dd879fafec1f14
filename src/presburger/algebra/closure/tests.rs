//! Tests: transitive closure of a relation, exact or marked as too large.

use super::*;
use crate::presburger::number::int::unless_overflow;
use crate::presburger::tests::brute;
use crate::property::property;

const LINE: Shape = Shape { n_param: 0, n: 1 };

/// The closure of the pairs by enumeration in a box that no path leaves.
fn paths(relation: &[Conjunction<i64>], n: usize, limit: i64) -> Vec<(Vec<i64>, Vec<i64>)> {
    let all = brute::points(n, limit);
    let step = |x: &Vec<i64>, y: &Vec<i64>| relation.iter().any(|c| brute::contains(c, &[x.as_slice(), y].concat()));
    let mut reaches: Vec<Vec<bool>> = all.iter().map(|x| all.iter().map(|y| step(x, y)).collect()).collect();
    for k in 0..all.len() {
        for i in (0..all.len()).filter(|&i| reaches[i][k]).collect::<Vec<_>>() {
            (0..all.len()).for_each(|j| reaches[i][j] |= reaches[k][j]);
        }
    }
    let pair = |(i, j): (usize, usize)| reaches[i][j].then(|| (all[i].clone(), all[j].clone()));
    (0..all.len()).flat_map(|i| (0..all.len()).map(move |j| (i, j))).filter_map(pair).collect()
}

fn check(relation: &[Conjunction<i64>], n: usize, limit: i64, expect_exact: bool) {
    let shape = Shape { n_param: 0, n };
    let (closed, exact) = closure(relation, shape);
    assert!(exact || !expect_exact, "{closed:?}");
    let expected = paths(relation, n, limit);
    for x in brute::points(n, limit) {
        for y in brute::points(n, limit) {
            let is_path = expected.contains(&(x.clone(), y.clone()));
            let is_closed = closed.iter().any(|c| brute::contains(c, &[x.as_slice(), &y].concat()));
            assert!(!is_path || is_closed, "{x:?} reaches {y:?} in {relation:?}: {closed:?}");
            assert!(!exact || is_path || !is_closed, "{x:?} does not reach {y:?} in {relation:?}: {closed:?}");
        }
    }
}

fn step(by: i64, low: i64, high: i64) -> Conjunction<i64> {
    let mut conj = Conjunction::universe(2);
    conj.add_eq(&[by, 1, -1]);
    conj.add_ineq(&[-low, 1, 0]);
    conj.add_ineq(&[high, -1, 0]);
    conj
}

#[test]
fn a_translation_closes_to_its_multiples() {
    check(&[step(2, -5, 3)], 1, 6, true);
    check(&[step(2, -5, 3), step(3, -5, 2)], 1, 6, false);
    check(&[step(-1, -3, 4), step(2, -6, 1)], 1, 6, false);
}

/// `for i in 0..=2, for j in 0..=1`: to the next `j`, and from the last one to the next `i`.
#[test]
fn nested_loops_close_around_the_inner_one() {
    let mut inner = Conjunction::<i64>::universe(4);
    inner.add_eq(&[0, 1, 0, -1, 0]);
    inner.add_eq(&[1, 0, 1, 0, -1]);
    inner.add_ineq(&[0, 0, 1, 0, 0]);
    inner.add_ineq(&[0, 0, -1, 0, 0]);
    let mut outer = Conjunction::<i64>::universe(4);
    outer.add_eq(&[1, 1, 0, -1, 0]);
    outer.add_eq(&[-1, 0, 1, 0, 0]);
    outer.add_eq(&[0, 0, 0, 0, 1]);
    for conj in [&mut inner, &mut outer] {
        conj.add_ineq(&[0, 1, 0, 0, 0]);
        conj.add_ineq(&[2, 0, 0, -1, 0]);
    }
    check(&[inner, outer], 2, 2, true);
}

#[test]
fn parameters_bound_the_steps() {
    let mut conj = Conjunction::<i64>::universe(3);
    conj.add_eq(&[1, 0, 1, -1]);
    conj.add_ineq(&[0, 0, 1, 0]);
    conj.add_ineq(&[-1, 1, -1, 0]);
    let (closed, exact) = closure(&[conj], Shape { n_param: 1, n: 1 });
    assert!(exact && closed.len() == 1);
    for p in brute::points(3, 4) {
        let expected = 0 <= p[1] && p[1] < p[2] && p[2] <= p[0];
        assert_eq!(brute::contains(&closed[0], &p), expected, "{p:?} {closed:?}");
    }
}

#[test]
fn closures_contain_all_paths_and_exact_ones_nothing_else() {
    property(300, |u| {
        let mut relation = Vec::new();
        for _ in 0..u.int_in_range(1..=2)? {
            relation.push(brute::bounded(&brute::conjunction(u, 2, 1, 2)?));
        }
        if unless_overflow(|| closure(&relation, LINE)).is_some() {
            check(&relation, 1, brute::BOX, false);
        }
        Ok(())
    });
}
