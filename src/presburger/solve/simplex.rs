//! The incremental simplex method over the rationals: emptiness, bounds, redundancy.
//!
//! For `x >= 0, y >= 0, x + y <= 4` the tableau keeps each unknown (the variables, then the constraints) either as a *column*, which is
//! 0 at the current point, or as a *row*, an affine form over the columns. A constraint is added as a row; if it is negative at the current point,
//! pivots raise it until it is not, or show that it cannot be. The minimum of `x - y` is found by pivots that lower it, here `-4`. A
//! constraint is redundant if its own minimum without it is not negative. Detlefs, Nelson and Saxe, "Simplify: a theorem prover for
//! program checking" (2005), section 8; Bland's rule makes it end. To go back to an earlier state, keep a copy of it: that costs as much as one
//! pivot.

use super::tableau::exchange;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, combine, reduce};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Row(usize),
    Column(usize),
    /// Always 0: the column is gone.
    Zero,
}

#[derive(Clone, Debug)]
struct Unknown {
    place: Place,
    is_non_negative: bool,
}

/// Which way a column or the value of a row moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// The extreme value of an affine form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bound<T> {
    /// There is no point.
    Empty,
    Unbounded,
    /// Numerator and positive denominator.
    Value(T, T),
}

impl<T: Number> Bound<T> {
    /// The smallest integer that is not below.
    pub fn ceil(&self) -> Option<T> {
        match self {
            Bound::Value(n, d) => Some(n.div_ceil(d)),
            _ => None,
        }
    }

    /// The greatest integer that is not above.
    pub fn floor(&self) -> Option<T> {
        match self {
            Bound::Value(n, d) => Some(n.div_floor(d)),
            _ => None,
        }
    }
}

/// Rows `[denominator | constant | columns]`. See the file's header.
#[derive(Clone, Debug)]
pub(crate) struct Simplex<T> {
    n_var: usize,
    n_column: usize,
    rows: Matrix<T>,
    unknowns: Vec<Unknown>,
    row_owner: Vec<usize>,
    column_owner: Vec<usize>,
    is_empty: bool,
}

/// A constraint that was added; see [`Simplex::add_ineq`].
pub(crate) type Handle = usize;

impl<T: Number> Simplex<T> {
    /// All rational points of `n_var` variables.
    pub fn new(n_var: usize) -> Self {
        Simplex {
            n_var,
            n_column: n_var,
            rows: Matrix::new(2 + n_var),
            unknowns: (0..n_var).map(|v| Unknown { place: Place::Column(v), is_non_negative: false }).collect(),
            row_owner: Vec::new(),
            column_owner: (0..n_var).collect(),
            is_empty: false,
        }
    }

    /// The rational points `(x, locals)` of a conjunction, with the bounds of its divs. Inequality `r` has handle `width - 1 + r`.
    pub fn of(conj: &Conjunction<T>) -> Self {
        let mut simplex = Simplex::new(conj.width() - 1);
        if conj.known_empty {
            simplex.is_empty = true;
            return simplex;
        }
        conj.ineq.rows().for_each(|row| {
            simplex.push_constraint(row);
        });
        conj.eq.rows().for_each(|row| simplex.add_eq(row));
        for c in 0..conj.ineq.len() {
            simplex.enforce(conj.width() - 1 + c);
        }
        for l in (0..conj.n_local()).filter(|l| !conj.divs.row(*l)[0].is_zero()) {
            conj.div_bounds(l).iter().for_each(|row| {
                simplex.add_ineq(row);
            });
        }
        simplex
    }

    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Adds `row . (1, x) >= 0`.
    pub fn add_ineq(&mut self, row: &[T]) -> Handle {
        let handle = self.push_constraint(row);
        self.enforce(handle);
        handle
    }

    /// Adds `row . (1, x) = 0`.
    pub fn add_eq(&mut self, row: &[T]) {
        let handle = self.push_constraint(row);
        self.settle(handle);
    }

    /// Turns a constraint that was added into an equality.
    pub fn settle(&mut self, handle: Handle) {
        if self.is_empty {
            return;
        }
        self.unknowns[handle].is_non_negative = false;
        let Place::Row(r) = self.unknowns[handle].place else {
            return self.drop_column_of(handle);
        };
        if self.rows.row(r)[1].is_positive() {
            self.negate_row(r);
        }
        if !self.raise(handle) {
            self.is_empty = true;
            return;
        }
        if let Place::Row(r) = self.unknowns[handle].place {
            let Some(c) = (0..self.n_column).find(|c| !self.rows.row(r)[2 + c].is_zero()) else { return };
            self.pivot(r, c);
        }
        self.unknowns[handle].is_non_negative = true;
        self.drop_column_of(handle);
    }

    /// The smallest value of `row . (1, x)`.
    pub fn minimum(&mut self, row: &[T]) -> Bound<T> {
        if self.is_empty {
            return Bound::Empty;
        }
        let handle = self.push_constraint(row);
        let bound = self.lower(handle);
        self.pop_constraint();
        bound
    }

    /// The greatest value of `row . (1, x)`.
    pub fn maximum(&mut self, row: &[T]) -> Bound<T> {
        let opposite: Vec<T> = row.iter().map(Number::neg).collect();
        match self.minimum(&opposite) {
            Bound::Value(n, d) => Bound::Value(n.neg(), d),
            other => other,
        }
    }

    /// Whether the others imply the inequality; if so, it is dropped.
    pub fn drop_if_redundant(&mut self, handle: Handle) -> bool {
        if self.is_empty {
            return false;
        }
        if self.unknowns[handle].place == Place::Zero || !self.unknowns[handle].is_non_negative {
            return true;
        }
        self.unknowns[handle].is_non_negative = false;
        if let Place::Column(c) = self.unknowns[handle].place {
            match self.blocking_row(c, Direction::Down, None) {
                Some(r) => self.pivot(r, c),
                None => {
                    self.unknowns[handle].is_non_negative = true;
                    return false;
                }
            }
        }
        let bound = self.lower_until_negative(handle);
        if !bound {
            return true;
        }
        self.enforce(handle);
        false
    }

    /// Whether the current point does not show that the constraint has values of 1 and more.
    pub fn can_be_below_one(&self, handle: Handle) -> bool {
        match self.unknowns[handle].place {
            Place::Row(r) => self.rows.row(r)[1] < self.rows.row(r)[0],
            _ => true,
        }
    }

    /// The current point: numerators and positive denominators of the variables. There must be one.
    pub fn point(&self) -> Vec<(T, T)> {
        assert!(!self.is_empty, "an empty set has no point");
        let value = |u: &Unknown| match u.place {
            Place::Row(r) => (self.rows.row(r)[1].clone(), self.rows.row(r)[0].clone()),
            _ => (T::zero(), T::one()),
        };
        self.unknowns[..self.n_var].iter().map(value).collect()
    }

    /// Appends `row . (1, x)` as an unrestricted unknown in a row.
    fn push_constraint(&mut self, row: &[T]) -> Handle {
        assert_eq!(row.len(), 1 + self.n_var, "a constraint over the variables");
        spend(1 + row.len() as u64 / 4);
        let end = 2 + self.n_column;
        let mut new = vec![T::zero(); self.rows.width()];
        new[0] = T::one();
        new[1] = row[0].clone();
        for (v, factor) in row[1..].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            match self.unknowns[v].place {
                Place::Zero => {}
                Place::Column(c) => {
                    let scaled = factor.mul(&new[0]);
                    new[2 + c] = new[2 + c].add(&scaled);
                }
                Place::Row(r) => {
                    let by = self.rows.row(r);
                    let common = new[0].lcm(&by[0]);
                    let (a, b) = (common.div_exact(&new[0]), common.div_exact(&by[0]).mul(factor));
                    combine(&mut new[1..end], &a, &by[1..end], &b);
                    new[0] = common;
                }
            }
        }
        reduce(&mut new);
        self.rows.push(&new);
        let handle = self.unknowns.len();
        self.row_owner.push(handle);
        self.unknowns.push(Unknown { place: Place::Row(self.rows.len() - 1), is_non_negative: false });
        handle
    }

    /// Removes the last unknown, which is in the last row.
    fn pop_constraint(&mut self) {
        let last = self.rows.len() - 1;
        assert_eq!(self.row_owner[last], self.unknowns.len() - 1, "law: an objective stays in its row");
        self.unknowns.pop();
        self.row_owner.pop();
        self.rows.truncate(last);
    }

    fn enforce(&mut self, handle: Handle) {
        if self.is_empty {
            return;
        }
        if self.raise(handle) {
            self.unknowns[handle].is_non_negative = true;
        } else {
            self.is_empty = true;
        }
    }

    fn negate_row(&mut self, r: usize) {
        self.rows.row_mut(r)[1..].iter_mut().for_each(|x| *x = x.neg());
    }

    /// Pivots until the unknown is not negative; `false` if it is negative everywhere.
    fn raise(&mut self, handle: Handle) -> bool {
        loop {
            let Place::Row(r) = self.unknowns[handle].place else { return true };
            if !self.rows.row(r)[1].is_negative() {
                return true;
            }
            let Some((c, direction)) = self.improving_column(r, Direction::Up) else { return false };
            let blocking = self.blocking_row(c, direction, Some(r)).expect("law: the row itself blocks at 0");
            self.pivot(blocking, c);
        }
    }

    /// Pivots until the unknown, in a row, is smallest.
    fn lower(&mut self, handle: Handle) -> Bound<T> {
        loop {
            let Place::Row(r) = self.unknowns[handle].place else { panic!("law: an objective stays in its row") };
            let Some((c, direction)) = self.improving_column(r, Direction::Down) else {
                let row = self.rows.row(r);
                return Bound::Value(row[1].clone(), row[0].clone());
            };
            match self.blocking_row(c, direction, None) {
                Some(blocking) => self.pivot(blocking, c),
                None => return Bound::Unbounded,
            }
        }
    }

    /// As [`Simplex::lower`], ended at the first negative value: whether there is one.
    fn lower_until_negative(&mut self, handle: Handle) -> bool {
        loop {
            let Place::Row(r) = self.unknowns[handle].place else { panic!("law: an objective stays in its row") };
            if self.rows.row(r)[1].is_negative() {
                return true;
            }
            let Some((c, direction)) = self.improving_column(r, Direction::Down) else { return false };
            match self.blocking_row(c, direction, None) {
                Some(blocking) => self.pivot(blocking, c),
                None => return true,
            }
        }
    }

    /// A column that can move, and which way, so that row `r` moves as wanted: that of the smallest unknown, by Bland's rule.
    fn improving_column(&self, r: usize, wanted: Direction) -> Option<(usize, Direction)> {
        spend(1 + self.n_column as u64 / 8);
        let row = self.rows.row(r);
        let mut best: Option<(usize, Direction)> = None;
        for c in 0..self.n_column {
            let entry = &row[2 + c];
            if entry.is_zero() {
                continue;
            }
            let direction =
                if entry.is_positive() == (wanted == Direction::Up) { Direction::Up } else { Direction::Down };
            let can_move = direction == Direction::Up || !self.unknowns[self.column_owner[c]].is_non_negative;
            if can_move && best.is_none_or(|(b, _)| self.column_owner[c] < self.column_owner[b]) {
                best = Some((c, direction));
            }
        }
        best
    }

    /// The row that first becomes 0 as the column moves: among the restricted ones, which fall, and `rising`, which is negative.
    fn blocking_row(&self, column: usize, direction: Direction, rising: Option<usize>) -> Option<usize> {
        spend(1 + self.rows.len() as u64 / 4);
        let mut best: Option<usize> = None;
        for (r, row) in self.rows.rows().enumerate() {
            let entry = &row[2 + column];
            let falls = if direction == Direction::Up { entry.is_negative() } else { entry.is_positive() };
            let blocks = rising == Some(r) || (falls && self.unknowns[self.row_owner[r]].is_non_negative);
            if !blocks {
                continue;
            }
            let Some(b) = best else {
                best = Some(r);
                continue;
            };
            let other = self.rows.row(b);
            let mine = row[1].abs().mul(&other[2 + column].abs());
            let theirs = other[1].abs().mul(&entry.abs());
            let is_first = self.row_owner[r] < self.row_owner[b];
            if mine < theirs || (mine == theirs && is_first) {
                best = Some(r);
            }
        }
        best
    }

    fn pivot(&mut self, r: usize, column: usize) {
        spend(1 + self.rows.len() as u64 / 4);
        exchange(&mut self.rows, r, 2 + column, 2 + self.n_column, |_, _| ());
        std::mem::swap(&mut self.row_owner[r], &mut self.column_owner[column]);
        self.unknowns[self.row_owner[r]].place = Place::Row(r);
        self.unknowns[self.column_owner[column]].place = Place::Column(column);
    }

    /// Removes the column of an unknown that is always 0; the last column takes its place.
    fn drop_column_of(&mut self, handle: Handle) {
        let Place::Column(column) = self.unknowns[handle].place else { return };
        spend(1 + self.rows.len() as u64 / 4);
        let last = self.n_column - 1;
        for r in 0..self.rows.len() {
            let row = self.rows.row_mut(r);
            row.swap(2 + column, 2 + last);
            row[2 + last] = T::zero();
        }
        self.unknowns[handle].place = Place::Zero;
        self.column_owner.swap_remove(column);
        if let Some(&moved) = self.column_owner.get(column) {
            self.unknowns[moved].place = Place::Column(column);
        }
        self.n_column = last;
    }
}

/// The solved tableau of the rows, unless they have no rational solution.
pub(crate) fn relax<T: Number>(rows: &Matrix<T>) -> Option<Simplex<T>> {
    let mut simplex = Simplex::new(rows.width() - 1);
    for row in rows.rows() {
        simplex.add_ineq(row);
        if simplex.is_empty() {
            return None;
        }
    }
    Some(simplex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    fn triangle() -> Simplex<i64> {
        let mut simplex = Simplex::new(2);
        simplex.add_ineq(&[0, 1, 0]);
        simplex.add_ineq(&[0, 0, 1]);
        simplex.add_ineq(&[4, -1, -1]);
        simplex
    }

    #[test]
    fn bounds_of_forms_on_a_triangle() {
        let mut simplex = triangle();
        assert_eq!(simplex.minimum(&[0, 1, -1]), Bound::Value(-4, 1));
        assert_eq!(simplex.maximum(&[1, 2, 1]), Bound::Value(9, 1));
        assert_eq!(simplex.minimum(&[4, -1, 0]), Bound::Value(0, 1));
        let mut cut = simplex.clone();
        cut.add_eq(&[-5, 2, 0]);
        assert_eq!((cut.maximum(&[0, 0, 1]), cut.minimum(&[0, 1, 0])), (Bound::Value(3, 2), Bound::Value(5, 2)));
        cut.add_ineq(&[-2, 0, 1]);
        assert!(cut.is_empty() && !simplex.is_empty());
        assert_eq!(Simplex::<i64>::new(1).maximum(&[0, 1]), Bound::Unbounded);
    }

    #[test]
    fn a_redundant_constraint_is_dropped_once() {
        let mut simplex = triangle();
        let (a, b) = (simplex.add_ineq(&[5, -1, 0]), simplex.add_ineq(&[5, -1, 0]));
        let c = simplex.add_ineq(&[2, -1, 0]);
        assert!(simplex.drop_if_redundant(a) && simplex.drop_if_redundant(b) && !simplex.drop_if_redundant(c));
        assert_eq!(simplex.maximum(&[0, 1, 0]), Bound::Value(2, 1));
    }

    #[test]
    fn bounds_hold_at_all_points() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=3)?;
            let conj = brute::bounded(&brute::conjunction(u, n, 0, 5)?);
            let mut row = vec![u.int_in_range(-5..=5)?];
            for _ in 0..n {
                row.push(u.int_in_range(-4..=4)?);
            }
            let Some((least, greatest, empty)) = unless_overflow(|| {
                let mut simplex = Simplex::of(&conj);
                (simplex.minimum(&row), simplex.maximum(&row), simplex.is_empty())
            }) else {
                return Ok(());
            };
            let value = |x: &[i64]| row[0] + row[1..].iter().zip(x).map(|(a, b)| a * b).sum::<i64>();
            let points: Vec<Vec<i64>> =
                brute::points(n, brute::BOX).into_iter().filter(|x| brute::contains(&conj, x)).collect();
            assert!(!empty || points.is_empty());
            assert!(empty || (least != Bound::Unbounded && greatest != Bound::Unbounded));
            for x in points {
                assert!(
                    least.ceil().is_some_and(|l| l <= value(&x)) && greatest.floor().is_some_and(|g| value(&x) <= g)
                );
            }
            Ok(())
        });
    }
}
