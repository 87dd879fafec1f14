//! Constraints that say nothing, and inequalities that are equalities.
//!
//! In `{ [i, j] : 0 <= i <= j, j <= 5, i + j <= 10 }` the last constraint follows from the others over the rationals and goes. In
//! `{ [i, j] : i <= j, 2 j <= 2 i + 1 }` no point has `j > i`, so `i = j`: an inequality whose greatest value is below 1 is an equality,
//! because its values are integers. Both ask the simplex, which knows the bounds of divs but not that unknowns are
//! integers: what it says is right, and it does not say everything.

use super::simplex::Simplex;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::Number;
use std::cmp::Reverse;

/// Drops each inequality that the other constraints imply over the rationals. Constraints with locals, then those with many variables, go first.
pub(crate) fn remove_redundancies<T: Number>(conj: &mut Conjunction<T>) {
    conj.simplify();
    if conj.irredundant || conj.known_empty {
        return;
    }
    let mut simplex = Simplex::of(conj);
    if simplex.is_empty() {
        conj.mark_empty();
        return;
    }
    let first_local = 1 + conj.n_var;
    let n_used = |row: &[T]| row.iter().filter(|x| !x.is_zero()).count();
    let mut order: Vec<usize> = (0..conj.ineq.len()).collect();
    order.sort_by_key(|&r| Reverse((n_used(&conj.ineq.row(r)[first_local..]), n_used(&conj.ineq.row(r)[1..]), r)));
    let mut is_redundant = vec![false; conj.ineq.len()];
    for r in order {
        is_redundant[r] = simplex.drop_if_redundant(conj.width() - 1 + r);
    }
    let mut at = 0;
    conj.ineq.retain(|_| {
        at += 1;
        !is_redundant[at - 1]
    });
    if is_redundant.contains(&true) {
        conj.simplified = false;
        conj.simplify();
    }
    conj.irredundant = true;
}

/// Turns inequalities that are 0 at all integer points into equalities, where the rational relaxation shows it.
pub(crate) fn detect_equalities<T: Number>(conj: &mut Conjunction<T>) {
    loop {
        conj.simplify();
        if conj.known_empty || conj.ineq.len() < 2 && conj.n_local() == 0 {
            return;
        }
        let mut simplex = Simplex::of(conj);
        if simplex.is_empty() {
            conj.mark_empty();
            return;
        }
        let is_zero: Vec<bool> = (0..conj.ineq.len())
            .map(|r| {
                let row = conj.ineq.row(r);
                let handle = conj.width() - 1 + r;
                simplex.can_be_below_one(handle) && simplex.maximum(row).floor().is_some_and(|m| m.is_zero())
            })
            .collect();
        if !is_zero.contains(&true) {
            return;
        }
        let found: Vec<Vec<T>> =
            (0..is_zero.len()).filter(|&r| is_zero[r]).map(|r| conj.ineq.row(r).to_vec()).collect();
        let mut at = 0;
        conj.ineq.retain(|_| {
            at += 1;
            !is_zero[at - 1]
        });
        found.iter().for_each(|row| conj.add_eq(row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_implied_goes_and_the_squeezed_is_equal() {
        let mut conj = Conjunction::<i64>::universe(2);
        for row in [[0, 1, 0], [0, -1, 1], [5, 0, -1], [10, -1, -1]] {
            conj.add_ineq(&row);
        }
        remove_redundancies(&mut conj);
        assert_eq!(conj.ineq.len(), 3);
        let mut tight = Conjunction::<i64>::universe(3);
        tight.add_ineq(&[0, -1, 1, 0]);
        tight.add_ineq(&[0, 0, -1, 1]);
        tight.add_ineq(&[0, 1, 0, -1]);
        detect_equalities(&mut tight);
        assert_eq!((tight.eq.len(), tight.ineq.len()), (2, 0));
    }

    #[test]
    fn points_stay() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=2)?;
            let conj = brute::conjunction(u, n, 2, 5)?;
            let changed = unless_overflow(|| {
                let (mut a, mut b) = (conj.clone(), conj.clone());
                remove_redundancies(&mut a);
                detect_equalities(&mut b);
                (a, b)
            });
            let Some((a, b)) = changed else { return Ok(()) };
            for x in brute::points(n, brute::BOX) {
                let expected = brute::contains(&conj, &x);
                assert_eq!(brute::contains(&a, &x), expected, "{x:?} in {conj:?}: {a:?}");
                assert_eq!(brute::contains(&b, &x), expected, "{x:?} in {conj:?}: {b:?}");
            }
            Ok(())
        });
    }
}
