//! Simplification of a conjunction by what is known of its points.
//!
//! Where `0 <= i <= n` is known, `{ [i] : i >= -3, 2 i <= 9, n >= 0 }` says no more than `{ [i] : i <= 4 }`: a constraint goes if the context and the
//! other constraints imply it. The result is not the same set, but the same inside the context, and that is all it promises:
//! `gist(set, context) * context = set * context`.
//!
//! Implements: 002 3.7; 003 2.3

use super::subtract::is_disjoint;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::conjunction::align::{Unknown, align, placed};
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, eliminate};
use crate::presburger::solve::probe::Probe;
use crate::presburger::solve::sample::is_empty;

/// A simple conjunction whose points in `context` are those of `set`.
pub(crate) fn gist<T: Number>(set: &Conjunction<T>, context: &Conjunction<T>) -> Conjunction<T> {
    if context.known_empty {
        return Conjunction::universe(set.n_var);
    }
    if set.known_empty || set.is_universe() || context.is_universe() {
        return set.clone();
    }
    if is_disjoint(set, context) {
        let vacuous = is_empty(context);
        return if vacuous { Conjunction::universe(set.n_var) } else { Conjunction::empty(set.n_var) };
    }
    let mut base = context.clone();
    let place = align(&mut base, set, Unknown::Apart);
    let width = base.width();
    let put = |rows: &Matrix<T>| Matrix::from_rows(width, rows.rows().map(|row| placed(row, &place, width)));
    let (eq, ineq) = (put(&set.eq), put(&set.ineq));
    let keep_eq = not_combined(&eq, &base.eq);
    let plainly_known = |row: &[T]| base.ineq.rows().any(|known| known[1..] == row[1..] && known[0] <= row[0]);
    let keep_ineq: Vec<bool> = ineq.rows().map(|row| !plainly_known(row)).collect();
    let (keep_eq, keep_ineq) = not_implied(&base, (&eq, keep_eq), (&ineq, keep_ineq));
    let select = |rows: &Matrix<T>, keep: &[bool]| {
        let kept = rows.rows().zip(keep).filter(|(_, keep)| **keep).map(|(row, _)| row.to_vec());
        Matrix::from_rows(rows.width(), kept)
    };
    let mut result = set.clone();
    result.eq = select(&set.eq, &keep_eq);
    result.ineq = select(&set.ineq, &keep_ineq);
    result.touched();
    result.simplify();
    result
}

/// The [`gist`] of each disjunct that meets the context; the universe alone if that is one of them.
pub(crate) fn gist_union<T: Number>(set: &[Conjunction<T>], context: &Conjunction<T>) -> Vec<Conjunction<T>> {
    let mut result: Vec<Conjunction<T>> = Vec::with_capacity(set.len());
    for disjunct in set {
        let part = gist(disjunct, context);
        if part.is_universe() {
            return vec![part];
        }
        if !part.known_empty && !result.contains(&part) {
            result.push(part);
        }
    }
    result
}

/// Which of the equalities are no linear combination of `known` and those before.
fn not_combined<T: Number>(eq: &Matrix<T>, known: &Matrix<T>) -> Vec<bool> {
    let mut echelon: Vec<(usize, Vec<T>)> = Vec::new();
    let mut adds = |row: &[T]| {
        let mut rest = row.to_vec();
        echelon.iter().for_each(|(column, by)| eliminate(&mut rest, by, *column));
        match (1..rest.len()).rev().find(|&c| !rest[c].is_zero()) {
            Some(column) => {
                echelon.push((column, rest));
                true
            }
            None => false,
        }
    };
    known.rows().for_each(|row| {
        adds(row);
    });
    eq.rows().map(adds).collect()
}

/// Which of the rows still marked are not implied by `base` and the others. Rows with locals go first, then those with many variables.
fn not_implied<T: Number>(
    base: &Conjunction<T>,
    (eq, mut keep_eq): (&Matrix<T>, Vec<bool>),
    (ineq, mut keep_ineq): (&Matrix<T>, Vec<bool>),
) -> (Vec<bool>, Vec<bool>) {
    let Some(known) = Probe::new(base) else { return (vec![false; keep_eq.len()], vec![false; keep_ineq.len()]) };
    let implies_zero = |probe: &Probe<T>, row: &[T]| {
        probe.implies(row) && probe.implies(&row.iter().map(Number::neg).collect::<Vec<T>>())
    };
    for (row, keep) in ineq.rows().zip(&mut keep_ineq).filter(|(_, keep)| **keep) {
        *keep = !known.implies(row);
    }
    for (row, keep) in eq.rows().zip(&mut keep_eq).filter(|(_, keep)| **keep) {
        *keep = !implies_zero(&known, row);
    }
    let with_others = |keep_eq: &[bool], keep_ineq: &[bool]| {
        known.spend();
        let mut probe = known.clone();
        let kept_eq = eq.rows().zip(keep_eq).filter(|(_, keep)| **keep).map(|(row, _)| row);
        let possible = kept_eq
            .flat_map(|row| [row.to_vec(), row.iter().map(Number::neg).collect()])
            .chain(ineq.rows().zip(keep_ineq).filter(|(_, keep)| **keep).map(|(row, _)| row.to_vec()))
            .all(|row| probe.add(&row));
        possible.then_some(probe)
    };
    let n = 1 + base.n_var;
    let cost =
        |row: &[T]| (row[n..].iter().filter(|x| !x.is_zero()).count(), row.iter().filter(|x| !x.is_zero()).count());
    let mut order: Vec<usize> = (0..ineq.len()).filter(|&r| keep_ineq[r]).collect();
    let alone = order.len() + keep_eq.iter().filter(|keep| **keep).count() <= 1;
    if alone {
        return (keep_eq, keep_ineq);
    }
    order.sort_by_key(|&r| std::cmp::Reverse(cost(ineq.row(r))));
    for r in order {
        keep_ineq[r] = false;
        keep_ineq[r] = with_others(&keep_eq, &keep_ineq).is_some_and(|rest| !rest.implies(ineq.row(r)));
    }
    for r in 0..eq.len() {
        if keep_eq[r] {
            keep_eq[r] = false;
            keep_eq[r] = with_others(&keep_eq, &keep_ineq).is_some_and(|rest| !implies_zero(&rest, eq.row(r)));
        }
    }
    (keep_eq, keep_ineq)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_known_goes() {
        let mut set = Conjunction::<i64>::universe(2);
        set.add_ineq(&[3, 0, 1]);
        set.add_ineq(&[9, 0, -2]);
        set.add_ineq(&[0, 1, 0]);
        let mut context = Conjunction::<i64>::universe(2);
        context.add_ineq(&[0, 0, 1]);
        context.add_ineq(&[0, 1, -1]);
        let result = gist(&set, &context);
        assert_eq!((result.eq.len(), result.ineq.len()), (0, 1), "{result:?}");
    }

    #[test]
    fn inside_the_context_nothing_changes() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=2)?;
            let set = brute::conjunction(u, n, 2, 3)?;
            let context = brute::conjunction(u, n, 2, 3)?;
            let Some(result) = unless_overflow(|| gist(&set, &context)) else { return Ok(()) };
            assert!(
                result.known_empty
                    || set.n_local() > 0
                    || result.eq.len() + result.ineq.len() <= set.eq.len() + set.ineq.len()
            );
            for x in brute::points(n, brute::BOX) {
                if brute::contains(&context, &x) {
                    let expected = brute::contains(&set, &x);
                    assert_eq!(
                        brute::contains(&result, &x),
                        expected,
                        "{x:?} in {set:?} given {context:?}: {result:?}"
                    );
                }
            }
            Ok(())
        });
    }
}
