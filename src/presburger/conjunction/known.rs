//! What has been established about the points of a conjunction, so that nobody establishes it twice.
//!
//! Whoever finds the point `(3, 1)` in `{ [i, j] : 0 < j < i }`, or that there is none, tells the conjunction ([`Conjunction::learn`]); the next
//! question is answered from there ([`Conjunction::established`]). Every change says what it leaves true: `i <= 5` is satisfied by `(3, 1)`, so
//! that stays a point; `i <= 2` is not, and nothing is known any more. What has no point keeps none under more constraints. A new
//! variable is 0 at the point, a forgotten one keeps its value as an existential, the union of two conjunctions' constraints has the point of the
//! one that the other contains. Answers are exact and do not depend on who asked before, because only questions whose answer is yes or no are answered from here:
//! [`crate::presburger::solve::sample::sample`], whose point is shown to people, does not look.

use super::Conjunction;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::dot;
use std::cell::OnceCell;

/// An integer point `(x, locals)`, the fact that there is none, or nothing yet.
#[derive(Clone, Debug)]
pub(crate) struct Known<T>(OnceCell<Option<Vec<T>>>);

impl<T: Number> Known<T> {
    pub fn nothing() -> Self {
        Known(OnceCell::new())
    }

    fn that(found: Option<Vec<T>>) -> Self {
        Known(OnceCell::from(found))
    }

    pub fn is_settled(&self) -> bool {
        self.0.get().is_some()
    }

    /// It is known that there is no point.
    pub fn is_none(&self) -> bool {
        matches!(self.0.get(), Some(None))
    }

    /// The point, seen through the change of columns; only the fact that there is none stays as it is.
    fn map(&self, change: impl FnOnce(&[T]) -> Option<Vec<T>>) -> Self {
        match self.0.get() {
            None => Self::nothing(),
            Some(None) => Self::that(None),
            Some(Some(point)) => change(point).map_or_else(Self::nothing, |point| Self::that(Some(point))),
        }
    }
}

impl<T: Number> Conjunction<T> {
    /// What is known: a point `(x, locals)`, or that there is none.
    pub fn established(&self) -> Option<Option<&[T]>> {
        if self.known_empty {
            return Some(None);
        }
        self.known.0.get().map(Option::as_deref)
    }

    /// A point `(x, locals)`, if one is known.
    pub fn witness(&self) -> Option<&[T]> {
        self.established().flatten()
    }

    /// Whether it is known to have no point.
    pub fn is_proved_empty(&self) -> bool {
        self.established() == Some(None)
    }

    /// Takes note of a point, or of there being none.
    pub fn learn(&self, found: Option<Vec<T>>) {
        debug_assert!(found.as_ref().is_none_or(|point| self.is_point(point)), "law: what is learned is true");
        let _ = self.known.0.set(found);
    }

    /// Forgets the point, which a change of the constraints may have excluded.
    pub fn forget(&mut self) {
        self.known = Known::nothing();
    }

    /// Before a constraint on the value of `row` is added: what stays known with it.
    pub(crate) fn known_if(&self, row: &[T], holds: impl Fn(&T) -> bool) -> Known<T> {
        self.known.map(|point| holds(&row[0].add(&dot(&row[1..], point))).then(|| point.to_vec()))
    }

    /// What is known with a new last local: its value is that of its definition, or free.
    pub(crate) fn known_with_div(&self, div: &[T]) -> Known<T> {
        self.known.map(|point| {
            let value =
                if div[0].is_zero() { T::zero() } else { div[1].add(&dot(&div[2..], point)).div_floor(&div[0]) };
            Some(point.iter().cloned().chain([value]).collect())
        })
    }

    /// What is known where column `c` is column `columns[c]` of this one, or free; no constraint is lost.
    pub(crate) fn known_in(&self, columns: &[Option<usize>]) -> Known<T> {
        let value = |point: &[T], c: &Option<usize>| c.map_or_else(T::zero, |c| point[c - 1].clone());
        self.known.map(|point| Some(columns[1..].iter().map(|c| value(point, c)).collect()))
    }

    /// As [`Conjunction::known_in`], where constraints may have been lost.
    pub(crate) fn known_in_part(&self, columns: &[Option<usize>]) -> Known<T> {
        if self.is_proved_empty() { Known::nothing() } else { self.known_in(columns) }
    }

    /// What is known of the points in both, with the locals of `other` after those of `self`.
    pub(crate) fn known_in_both(&self, other: &Self) -> Known<T> {
        if self.is_proved_empty() || other.is_proved_empty() {
            return Known::that(None);
        }
        let shared = |from: &Self, to: &Self| {
            let point = from.witness()?;
            let inside = to.complete_point(&point[..from.n_var])?;
            to.is_point(&inside).then(|| (point[from.n_var..].to_vec(), inside))
        };
        let joined = |x: &[T], first: &[T], second: &[T]| Known::that(Some([x, first, second].concat()));
        if let Some((locals, point)) = shared(self, other) {
            return joined(&point[..self.n_var], &locals, &point[self.n_var..]);
        }
        match shared(other, self) {
            Some((locals, point)) => joined(&point[..self.n_var], &point[self.n_var..], &locals),
            None => Known::nothing(),
        }
    }

    /// The same knowledge in another precision; a point that does not fit machine words is forgotten.
    pub(crate) fn known_as<U: Number>(&self) -> Known<U> {
        match self.known.0.get() {
            None => Known::nothing(),
            Some(None) => Known::that(None),
            Some(Some(point)) => {
                let words: Option<Vec<U>> = point.iter().map(|x| x.to_i64().map(U::from_i64)).collect();
                words.map_or_else(Known::nothing, |words| Known::that(Some(words)))
            }
        }
    }

    /// Takes over what is known of a conjunction with the same integer points in the variables, of which only the locals may differ.
    pub(crate) fn inherit(&mut self, known: Known<T>) {
        self.known = known.map(|point| self.complete_point(&point[..self.n_var]));
    }

    /// Whether `(x, locals)` satisfies the rows and the definitions.
    pub(crate) fn is_point(&self, point: &[T]) -> bool {
        let value = |row: &[T]| row[0].add(&dot(&row[1..], point));
        let defined =
            |(l, div): (usize, &[T])| div[0].is_zero() || value(&div[1..]).div_floor(&div[0]) == point[self.n_var + l];
        !self.known_empty
            && self.eq.rows().all(|row| value(row).is_zero())
            && self.ineq.rows().all(|row| !value(row).is_negative())
            && self.divs.rows().enumerate().all(defined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::solve::sample::{any_point, is_empty};
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_example_of_the_header() {
        let mut conj = Conjunction::<i64>::universe(2);
        conj.add_ineq(&[-1, 0, 1]);
        conj.add_ineq(&[-1, 1, -1]);
        conj.learn(Some(vec![3, 1]));
        conj.add_ineq(&[5, -1, 0]);
        assert_eq!(conj.witness(), Some(&[3, 1][..]));
        assert_eq!(conj.rearrange(&[Some(1), None]).witness(), Some(&[1, 0, 3][..]));
        conj.add_ineq(&[2, -1, 0]);
        assert_eq!(conj.established(), None);
    }

    /// Whoever was asked before, and whatever happened since: what is known is what a fresh search finds.
    #[test]
    fn what_is_known_is_true() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=3)?;
            let mut conj = brute::conjunction(u, n, 2, 3)?;
            let other = brute::conjunction(u, n, 2, 2)?;
            let row: Vec<i64> = (0..conj.width()).map(|_| u.int_in_range(-4..=4)).collect::<Result<_, _>>()?;
            let (change, asked) = (u.int_in_range(0..=5)?, u.int_in_range(0..=3)?);
            let verdict = unless_overflow(|| {
                (asked & 1 != 0).then(|| any_point(&conj));
                (asked & 2 != 0).then(|| any_point(&other));
                let changed = match change {
                    0 => {
                        conj.add_ineq(&row);
                        conj
                    }
                    1 => {
                        conj.add_eq(&row);
                        conj
                    }
                    2 => conj.simplified(),
                    3 => conj.conjoin(&other).simplified(),
                    4 => conj.project_to_locals(0, 1).simplified().insert_variables(0, 2),
                    _ => {
                        conj.add_local();
                        conj.rearrange(&(0..n).rev().map(Some).collect::<Vec<_>>())
                    }
                };
                if let Some(point) = changed.witness() {
                    assert!(changed.is_point(point), "{point:?} in {changed:?}");
                }
                let mut fresh = changed.clone();
                fresh.forget();
                assert_eq!(is_empty(&changed), is_empty(&fresh), "{changed:?}");
                assert_eq!(is_empty(&changed), is_empty(&changed.clone().simplified()), "{changed:?}");
            });
            let _ = verdict;
            Ok(())
        });
    }
}
