//! A point, if the first guess is one.
//!
//! Most sets that a compiler asks about have points, and most of these are easy to see: for `{ [n, i, j] : 0 <= i < n, i < j < n }`
//! take `n` large, because it is in upper bounds of others only, then the least `i`, then the least `j`. [`guess`] fixes the variables one after another
//! within the bounds that those before give them, and looks whether all constraints hold. That costs a few products per row; no answer means
//! nothing.

use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::dot;

/// How far a variable that wants to be large goes beyond its least value: large enough for loops that skip their borders, and far
/// from overflow in products.
const LARGE: i64 = 1_000;

/// Integer values of the variables and the locals, all of which must be divs, that satisfy all constraints.
pub(crate) fn guess<T: Number>(conj: &Conjunction<T>) -> Option<Vec<T>> {
    if conj.known_empty || conj.divs.rows().any(|div| div[0].is_zero()) {
        return None;
    }
    spend_rows(2 * (conj.eq.len() + conj.ineq.len()), conj.width());
    let mut point = Vec::with_capacity(conj.width());
    point.push(T::one());
    for column in 1..=conj.n_var {
        let value = value_of(conj, column, &point)?;
        point.push(value);
    }
    for div in conj.divs.rows() {
        let value = dot(&div[1..=point.len()], &point).div_floor(&div[0]);
        point.push(value);
    }
    let holds = conj.eq.rows().all(|row| dot(row, &point).is_zero())
        && conj.ineq.rows().all(|row| !dot(row, &point).is_negative());
    point.remove(0);
    holds.then_some(point)
}

/// A value of the variable in `column`, given those before: within the bounds that mention no variable after it, and at the end of them that
/// most of the other constraints want. `None` if there is none.
fn value_of<T: Number>(conj: &Conjunction<T>, column: usize, point: &[T]) -> Option<T> {
    let is_last = |row: &[T]| row[column + 1..].iter().all(Number::is_zero);
    if let Some(row) = conj.eq.rows().find(|row| !row[column].is_zero() && is_last(row)) {
        let rest = dot(&row[..column], point);
        return rest.is_divisible_by(&row[column]).then(|| rest.div_exact(&row[column]).neg());
    }
    let (mut low, mut high): (Option<T>, Option<T>) = (None, None);
    let mut wants = 0;
    for row in conj.ineq.rows().filter(|row| !row[column].is_zero()) {
        if !is_last(row) {
            wants += row[column].sign();
            continue;
        }
        let rest = dot(&row[..column], point);
        if row[column].is_positive() {
            let bound = rest.neg().div_ceil(&row[column]);
            low = Some(low.map_or(bound.clone(), |low| low.max(bound)));
        } else {
            let bound = rest.div_floor(&row[column].neg());
            high = Some(high.map_or(bound.clone(), |high| high.min(bound)));
        }
    }
    let large = T::from_i64(LARGE);
    Some(match (low, high) {
        (Some(low), Some(high)) if low > high => return None,
        (Some(low), high) if wants > 0 => {
            let far = low.add(&large);
            high.map_or(far.clone(), |high| high.min(far))
        }
        (None, high) if wants > 0 => high.map_or(large.clone(), |high| high.min(large)),
        (Some(low), _) => low,
        (None, Some(high)) if wants < 0 => high.min(large.neg()),
        (None, Some(high)) => high.min(T::zero()),
        (None, None) => {
            if wants < 0 {
                large.neg()
            } else {
                T::zero()
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn loops_within_loops_are_guessed() {
        let mut conj = Conjunction::<i64>::universe(3);
        for row in [[0, 0, 1, 0], [-1, 1, -1, 0], [-1, 0, -1, 1], [-1, 1, 0, -1]] {
            conj.add_ineq(&row);
        }
        assert_eq!(guess(&conj), Some(vec![1000, 0, 1]));
    }

    #[test]
    fn what_is_guessed_is_inside() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=3)?;
            let conj = brute::conjunction(u, n, 2, 4)?;
            if let Some(Some(point)) = unless_overflow(|| guess(&conj)) {
                assert!(brute::contains(&conj, &point[..n]), "{point:?} in {conj:?}");
            }
            Ok(())
        });
    }
}
