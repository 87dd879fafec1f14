//! The tableau of the lexicographic dual simplex method with a symbolic lower bound.
//!
//! To find the lexicographically smallest integers `(z0, z1)` with `z0 >= n`, `z0 + z1 >= 3`, write `z = z' - M` for an `M` larger
//! than anything, so that `z' >= 0`. Each unknown and each constraint is an affine form over `M`, the parameters `p` and the columns,
//! which are as many quantities as there are unknowns, all `>= 0` and at first the `z'` themselves. The point at which the columns are 0
//! is lexicographically smallest as long as every column, read down the unknowns in their order, is lexicographically positive. A pivot
//! on a violated row keeps that if it takes the lexicographically smallest of the ratios, and moves the point up; when no row is
//! violated, the point is the rational optimum. An unknown that is fractional there gives a cut (Gomory; Feautrier, "Parametric integer
//! programming", 1988, where the remainder is itself parametric and becomes a new parameter, an integer division).

use super::context::{Context, Sign};
use super::tableau::{Place, exchange, lexicographic};
use crate::presburger::number::budget::{spend, spend_rows};
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, reduce};
use std::cmp::Ordering;

/// See the file's header. A row is `[denominator | M | columns | 1 | p]`.
#[derive(Clone, Debug)]
pub(crate) struct LexTableau<T> {
    n_column: usize,
    rows: Matrix<T>,
    signs: Vec<Option<Sign>>,
    unknowns: Vec<Place>,
    row_owner: Vec<Option<usize>>,
    column_owner: Vec<Option<usize>>,
}

/// The value of an unknown at the current point.
pub(crate) enum Value<'a, T> {
    /// Still at its symbolic lower bound: there is no smallest value.
    Unbounded,
    /// `row . (1, p) / denominator`.
    Affine { denominator: &'a T, row: &'a [T] },
}

impl<T: Number> LexTableau<T> {
    /// The tableau of `row . (z, 1, p) >= 0` for each row of `constraints`, with `n_unknown` unknowns `z`.
    pub fn new(n_unknown: usize, constraints: &Matrix<T>) -> Self {
        let mut rows = Matrix::with_capacity(constraints.len() + n_unknown, 2 + constraints.width());
        for constraint in constraints.rows() {
            let row = rows.push_zero();
            row[0] = T::one();
            row[2..].clone_from_slice(constraint);
            row[1] = constraint[..n_unknown].iter().fold(T::zero(), |sum, x| sum.sub(x));
        }
        LexTableau {
            n_column: n_unknown,
            signs: vec![None; rows.len()],
            unknowns: (0..n_unknown).map(Place::Column).collect(),
            row_owner: vec![None; rows.len()],
            column_owner: (0..n_unknown).map(Some).collect(),
            rows,
        }
    }

    /// The sample value of row `r` as a row over `(1, p)`, up to its positive denominator; meaningless where `M` occurs.
    pub fn parametric_part(&self, r: usize) -> &[T] {
        &self.rows.row(r)[2 + self.n_column..]
    }

    /// The sign of row `r` where it needs no knowledge of the parameters.
    fn plain_sign(&self, r: usize) -> Option<Sign> {
        let row = self.rows.row(r);
        let of = |x: &T| if x.is_negative() { Sign::Negative } else { Sign::NonNegative };
        if !row[1].is_zero() {
            return Some(of(&row[1]));
        }
        let parametric = self.parametric_part(r);
        parametric[1..].iter().all(Number::is_zero).then(|| of(&parametric[0]))
    }

    /// A row that is negative at the current point (a cut: that is not positive) for all parameter values that the context allows.
    pub fn negative_row(&mut self, sign_of: &mut dyn FnMut(&[T]) -> Sign) -> Option<usize> {
        spend(1 + self.rows.len() as u64 / 4);
        for r in 0..self.rows.len() {
            if self.signs[r].is_none() {
                self.signs[r] = self.plain_sign(r);
            }
            if self.signs[r] == Some(Sign::Negative) {
                return Some(r);
            }
        }
        for r in 0..self.rows.len() {
            if self.signs[r].is_none() {
                self.signs[r] = Some(sign_of(self.parametric_part(r)));
            }
            if self.signs[r] == Some(Sign::Negative) {
                return Some(r);
            }
        }
        None
    }

    /// The rows whose sign depends on the parameters, after [`LexTableau::negative_row`] found none that is negative.
    pub fn mixed_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows.len()).filter(|&r| self.signs[r] == Some(Sign::Mixed))
    }

    /// Whether no pivot can raise row `r`.
    pub fn is_at_maximum(&self, r: usize) -> bool {
        !self.rows.row(r)[2..2 + self.n_column].iter().any(Number::is_positive)
    }

    pub fn set_sign(&mut self, r: usize, sign: Sign) {
        self.signs[r] = Some(sign);
    }

    /// A copy, charged by its size.
    pub fn copy(&self) -> Self {
        spend_rows(self.rows.len(), self.rows.width());
        self.clone()
    }

    /// Forgets the signs that a smaller context may decide.
    pub fn forget_mixed(&mut self) {
        self.signs.iter_mut().filter(|s| **s == Some(Sign::Mixed)).for_each(|s| *s = None);
    }

    /// Raises the negative row `r` to 0 by the pivot that keeps the columns lexicographically positive; `false` if there is none, which
    /// means that no point satisfies the row.
    pub fn raise(&mut self, r: usize) -> bool {
        let mut best: Option<usize> = None;
        for c in 0..self.n_column {
            if self.rows.row(r)[2 + c].is_positive() {
                best = match best {
                    Some(b) if lexicographic(&self.rows, &self.unknowns, r, 2 + b, 2 + c) != Ordering::Greater => {
                        Some(b)
                    }
                    _ => Some(c),
                };
            }
        }
        match best {
            Some(c) => {
                self.pivot(r, c);
                true
            }
            None => false,
        }
    }

    fn pivot(&mut self, r: usize, column: usize) {
        spend_rows(self.rows.len(), 0);
        let (signs, end) = (&mut self.signs, self.rows.width());
        exchange(&mut self.rows, r, 2 + column, end, |i, factor| {
            let stays = match signs[i] {
                Some(Sign::NonNegative) => factor.is_positive(),
                Some(Sign::Negative) => factor.is_negative(),
                _ => false,
            };
            if !stays {
                signs[i] = None;
            }
        });
        self.signs[r] = Some(Sign::NonNegative);
        std::mem::swap(&mut self.row_owner[r], &mut self.column_owner[column]);
        if let Some(u) = self.row_owner[r] {
            self.unknowns[u] = Place::Row(r);
        }
        if let Some(u) = self.column_owner[column] {
            self.unknowns[u] = Place::Column(column);
        }
    }

    /// The value of unknown `u` at the current point.
    pub fn value(&self, u: usize) -> Value<'_, T> {
        match self.unknowns[u] {
            Place::Column(_) => Value::Unbounded,
            Place::Row(r) => {
                let row = self.rows.row(r);
                if row[1] == row[0] {
                    Value::Affine { denominator: &row[0], row: self.parametric_part(r) }
                } else {
                    Value::Unbounded
                }
            }
        }
    }

    /// The first unknown that is not an integer for all integer values of the parameters (as far as its form tells).
    pub fn fractional_unknown(&self) -> Option<usize> {
        self.unknowns.iter().position(|place| match *place {
            Place::Column(_) => false,
            Place::Row(r) => {
                spend(1 + self.n_column as u64 / 8);
                let d = &self.rows.row(r)[0];
                !d.is_one() && self.parametric_part(r).iter().any(|x| !x.is_divisible_by(d))
            }
        })
    }

    /// Adds the cut that unknown `u`, fractional at the current point, is an integer. May add a div to the context. Where the unknown is
    /// the same at all points, there is nothing to cut: then the result, a row over `p`, must be non-negative.
    pub fn cut(&mut self, u: usize, context: &mut Context<T>) -> Option<Vec<T>> {
        let Place::Row(source) = self.unknowns[u] else { panic!("law: a column is an integer") };
        let first = 2 + self.n_column;
        let d = self.rows.row(source)[0].clone();
        let missing: Vec<T> = self.parametric_part(source).iter().map(|x| x.neg().rem_floor(&d)).collect();
        let div = missing[1..].iter().any(|x| !x.is_zero()).then(|| context.div(&d, &missing));
        self.widen(first + context.width());
        let mut row = vec![T::zero(); self.rows.width()];
        for c in 2..first {
            row[c] = self.rows.row(source)[c].rem_floor(&d);
        }
        missing.iter().enumerate().for_each(|(c, x)| row[first + c] = x.neg());
        if let Some(q) = div {
            row[first + q] = row[first + q].add(&d);
        }
        if row[2..first].iter().all(Number::is_zero) {
            let exact = self.rows.row_mut(source);
            (first..row.len()).for_each(|c| exact[c] = exact[c].sub(&row[c]));
            return Some(row.split_off(first));
        }
        row[0] = d;
        reduce(&mut row);
        self.rows.push(&row);
        self.signs.push(Some(Sign::Negative));
        self.row_owner.push(None);
        None
    }

    fn widen(&mut self, width: usize) {
        spend_rows(1, width);
        if width > self.rows.width() {
            let old = self.rows.width();
            let columns: Vec<Option<usize>> = (0..width).map(|c| (c < old).then_some(c)).collect();
            self.rows = self.rows.select_columns(&columns);
        }
    }
}
