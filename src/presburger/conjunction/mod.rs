//! One conjunction of affine constraints over integer columns, in one precision and without names.
//!
//! Columns are `[constant | variables | locals]`: `{ [i, j] : i = 2e + j, i >= 3 }` has the equality row
//! `(0 | 1 -1 | -2)` meaning `row . (1, i, j, e) = 0` and the inequality row `(-3 | 1 0 | 0)` meaning `>= 0`. Which
//! variables are parameters, inputs or outputs is the business of [`super::named::space`]; here they are alike. A local variable is
//! existentially quantified; where its definition is known it is a *div*, `e = floor((n . (1, x, locals before)) / d)`, stored as
//! the row `(d | n)`, and `d = 0` says that it is a plain existential. A div refers only to divs before it, never to unknown locals,
//! and its two bounding inequalities need not be present: the definition is a constraint.
//!
//! Normal form (established by [`Conjunction::simplify`]): equalities in echelon form with unit content and integer-tested constants,
//! each inequality divided by the gcd of its coefficients with the constant rounded down, no two parallel inequalities of the
//! same side, opposite inequalities that meet turned into an equality, no unused local, no two equal divs, rows sorted.
//!
//! Implements: 002 3.3; 003 2.1

pub(crate) mod align;
pub(crate) mod divs;
mod known;
mod locals;
mod simplify;

use super::number::int::{Int, Number};
use super::number::matrix::Matrix;
use known::Known;

/// A conjunction over `n_var` variables and `n_local()` locals. See the file's header for the columns.
#[derive(Clone, Debug)]
pub(crate) struct Conjunction<T> {
    pub n_var: usize,
    /// `row . (1, x, locals) = 0`; width `1 + n_var + n_local`.
    pub eq: Matrix<T>,
    /// `row . (1, x, locals) >= 0`; same width.
    pub ineq: Matrix<T>,
    /// One row `(d | n)` per local, of width `2 + n_var + n_local`; `d = 0`: no known definition.
    pub divs: Matrix<T>,
    /// Proved to have no integer point. (Not proved otherwise.)
    pub known_empty: bool,
    /// In the normal form of the file's header.
    pub simplified: bool,
    /// No inequality is implied by the others (over the rationals), and no two inequalities hide an equality.
    pub irredundant: bool,
    /// Whether there are points, as far as anyone has asked: see [`self::known`].
    pub(super) known: Known<T>,
}

/// Equal constraints and locals, row by row, whatever is known about them.
impl<T: Number> PartialEq for Conjunction<T> {
    fn eq(&self, other: &Self) -> bool {
        let same_rows = || self.eq == other.eq && self.ineq == other.ineq && self.divs == other.divs;
        self.n_var == other.n_var && self.known_empty == other.known_empty && same_rows()
    }
}

impl<T: Number> Eq for Conjunction<T> {}

impl<T: Number> Conjunction<T> {
    /// All integer points.
    pub fn universe(n_var: usize) -> Self {
        Conjunction {
            n_var,
            eq: Matrix::new(1 + n_var),
            ineq: Matrix::new(1 + n_var),
            divs: Matrix::new(2 + n_var),
            known_empty: false,
            simplified: true,
            irredundant: true,
            known: Known::nothing(),
        }
    }

    /// No point.
    pub fn empty(n_var: usize) -> Self {
        let mut result = Self::universe(n_var);
        result.mark_empty();
        result
    }

    /// Makes this the canonical empty conjunction.
    pub fn mark_empty(&mut self) {
        let n_var = self.n_var;
        *self = Conjunction {
            eq: Matrix::from_rows(1 + n_var, [unit_row(1 + n_var, 0)]),
            known_empty: true,
            ..Self::universe(n_var)
        };
    }

    pub fn n_local(&self) -> usize {
        self.divs.len()
    }

    /// Width of a constraint row.
    pub fn width(&self) -> usize {
        1 + self.n_var + self.n_local()
    }

    pub fn is_universe(&self) -> bool {
        !self.known_empty && self.eq.is_empty() && self.ineq.is_empty()
    }

    /// Forgets what a change of the constraints may have broken. To be called by whoever adds rows by hand.
    pub fn touched(&mut self) {
        self.simplified = false;
        self.irredundant = false;
        self.forget();
    }

    /// Adds `row . (1, x, locals) >= 0`.
    pub fn add_ineq(&mut self, row: &[T]) {
        if !self.known_empty {
            let known = self.known_if(row, |value| !value.is_negative());
            self.ineq.push(row);
            self.touched();
            self.known = known;
        }
    }

    /// Adds `row . (1, x, locals) = 0`.
    pub fn add_eq(&mut self, row: &[T]) {
        if !self.known_empty {
            let known = self.known_if(row, T::is_zero);
            self.eq.push(row);
            self.touched();
            self.known = known;
        }
    }

    /// Adds a local without definition; returns its column.
    pub fn add_local(&mut self) -> usize {
        let row = vec![T::zero(); 1 + self.width()];
        self.add_div(&row)
    }

    /// Adds a local defined by `div = (d | n)` of width `1 + self.width()`; returns its column.
    pub fn add_div(&mut self, div: &[T]) -> usize {
        let column = self.width();
        let keep: Vec<Option<usize>> = (0..column).map(Some).chain([None]).collect();
        let keep_div: Vec<Option<usize>> = (0..=column).map(Some).chain([None]).collect();
        self.eq = self.eq.select_columns(&keep);
        self.ineq = self.ineq.select_columns(&keep);
        self.divs = self.divs.select_columns(&keep_div);
        let mut row = div.to_vec();
        row.push(T::zero());
        self.known = self.known_with_div(div);
        self.divs.push(&row);
        self.simplified = false;
        column
    }

    /// The conjunction over `n_var` variables in which variable `v` is this one's variable `sources[v]`, or a free new one where that is
    /// `None`. Each variable of this one appears at most once; those that do not appear become locals (are projected out).
    pub fn rearrange(&self, sources: &[Option<usize>]) -> Self {
        let mut dropped = Vec::new();
        if sources.iter().flatten().count() < self.n_var {
            let mut used = vec![false; self.n_var];
            sources.iter().flatten().for_each(|&s| used[s] = true);
            dropped.extend((0..self.n_var).filter(|&v| !used[v]));
        }
        let mut columns: Vec<Option<usize>> = Vec::with_capacity(1 + sources.len() + dropped.len() + self.n_local());
        columns.push(Some(0));
        columns.extend(sources.iter().map(|s| s.map(|v| 1 + v)));
        columns.extend(dropped.iter().map(|&v| Some(1 + v)));
        columns.extend((0..self.n_local()).map(|l| Some(1 + self.n_var + l)));
        let mut divs = Matrix::with_capacity(dropped.len() + self.n_local(), 1 + columns.len());
        dropped.iter().for_each(|_| {
            divs.push_zero();
        });
        if self.n_local() > 0 {
            divs.append(&self.divs.select_columns_behind(&columns));
        }
        let places = || sources.iter().flatten();
        // New free variables between the old ones leave the normal form as it is.
        let keeps_order = dropped.is_empty() && places().zip(places().skip(1)).all(|(a, b)| a < b);
        let mut result = Conjunction {
            n_var: sources.len(),
            eq: self.eq.select_columns(&columns),
            ineq: self.ineq.select_columns(&columns),
            divs,
            known_empty: self.known_empty,
            simplified: keeps_order && self.simplified,
            irredundant: dropped.is_empty() && self.irredundant,
            known: self.known_in(&columns),
        };
        if self.known_empty {
            result.mark_empty();
        } else if !dropped.is_empty() {
            result.forget_divs_on_unknown_locals();
        }
        result
    }

    /// Turns each div that refers to a local without definition into its two bounds on a plain existential.
    pub fn forget_divs_on_unknown_locals(&mut self) {
        for l in 0..self.n_local() {
            let div = self.divs.row(l);
            let refers_to_unknown = !div[0].is_zero()
                && (0..self.n_local()).any(|k| self.divs.row(k)[0].is_zero() && !div[2 + self.n_var + k].is_zero());
            if refers_to_unknown {
                let bounds = self.div_bounds(l);
                bounds.iter().for_each(|row| self.add_ineq(row));
                self.divs.row_mut(l).iter_mut().for_each(|x| *x = T::zero());
            }
        }
    }

    /// For `e = floor(n / d)`: the rows of `n - d e >= 0` and `d e + d - 1 - n >= 0`.
    pub fn div_bounds(&self, local: usize) -> [Vec<T>; 2] {
        let div = self.divs.row(local);
        let column = 1 + self.n_var + local;
        let mut lower = div[1..].to_vec();
        lower[column] = lower[column].sub(&div[0]);
        let mut upper: Vec<T> = lower.iter().map(Number::neg).collect();
        upper[0] = upper[0].add(&div[0]).sub(&T::one());
        [lower, upper]
    }

    /// Both over the same variables: the points in both. Locals of `other` come after those of `self`; not simplified.
    pub fn conjoin(&self, other: &Self) -> Self {
        assert_eq!(self.n_var, other.n_var, "conjunctions over the same variables");
        if self.known_empty {
            return self.clone();
        }
        if other.known_empty {
            return other.clone();
        }
        let (mine, theirs) = (self.n_local(), other.n_local());
        let join = |a: &Matrix<T>, b: &Matrix<T>, head: usize| {
            let width = head + mine + theirs;
            let mut joined = Matrix::with_capacity(a.len() + b.len(), width);
            joined.append_spread(a, head + mine, theirs);
            joined.append_spread(b, head, mine);
            joined
        };
        let head = 1 + self.n_var;
        Conjunction {
            n_var: self.n_var,
            eq: join(&self.eq, &other.eq, head),
            ineq: join(&self.ineq, &other.ineq, head),
            divs: join(&self.divs, &other.divs, head + 1),
            known_empty: false,
            simplified: false,
            irredundant: false,
            known: self.known_in_both(other),
        }
    }

    /// Turns the variables `first..first + n` into locals.
    pub fn project_to_locals(&self, first: usize, n: usize) -> Self {
        let sources: Vec<Option<usize>> = (0..first).chain(first + n..self.n_var).map(Some).collect();
        self.rearrange(&sources)
    }

    /// Inserts `n` free variables before variable `first`.
    pub fn insert_variables(&self, first: usize, n: usize) -> Self {
        let sources: Vec<Option<usize>> =
            (0..first).map(Some).chain(std::iter::repeat_n(None, n)).chain((first..self.n_var).map(Some)).collect();
        self.rearrange(&sources)
    }

    /// The same constraints in another precision.
    pub fn convert<U: Number>(&self) -> Conjunction<U> {
        Conjunction {
            n_var: self.n_var,
            eq: self.eq.convert(),
            ineq: self.ineq.convert(),
            divs: self.divs.convert(),
            known_empty: self.known_empty,
            simplified: self.simplified,
            irredundant: self.irredundant,
            known: self.known_as(),
        }
    }

    /// Whether a point over the variables satisfies all constraints that mention no plain existential, with divs evaluated. `None`
    /// if an existential without definition occurs in a constraint.
    pub fn contains(&self, point: &[Int]) -> Option<bool> {
        assert_eq!(point.len(), self.n_var, "one value per variable");
        if self.known_empty {
            return Some(false);
        }
        let mut values: Vec<Int> = [Int::one()].into_iter().chain(point.iter().cloned()).collect();
        for (l, div) in self.divs.rows().enumerate() {
            if div[0].is_zero() {
                let column = 1 + self.n_var + l;
                if self.eq.rows().chain(self.ineq.rows()).any(|row| !row[column].is_zero()) {
                    return None;
                }
                values.push(Int::zero());
                continue;
            }
            let numerator = evaluate(&div[1..], &values);
            values.push(Number::div_floor(&numerator, &div[0].to_int()));
        }
        let holds = self.eq.rows().all(|row| evaluate(row, &values).is_zero())
            && self.ineq.rows().all(|row| !evaluate(row, &values).is_negative());
        Some(holds)
    }
}

fn evaluate<T: Number>(row: &[T], values: &[Int]) -> Int {
    let mut sum = Int::zero();
    row.iter().zip(values).filter(|(c, _)| !c.is_zero()).for_each(|(c, v)| sum.add_mul(&c.to_int(), v));
    sum
}

/// A row of zeros with a one at `column`.
pub(crate) fn unit_row<T: Number>(width: usize, column: usize) -> Vec<T> {
    let mut row = vec![T::zero(); width];
    row[column] = T::one();
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projected_variable_becomes_a_local() {
        let mut even = Conjunction::<i64>::universe(2);
        even.add_eq(&[0, 1, -2]);
        let projected = even.project_to_locals(1, 1);
        assert_eq!((projected.n_var, projected.n_local()), (1, 1));
        assert_eq!(projected.eq.row(0), [0, 1, -2]);
    }

    #[test]
    fn divs_are_evaluated_when_a_point_is_tested() {
        let mut even = Conjunction::<i64>::universe(1);
        let half = even.add_div(&[2, 0, 1]);
        assert_eq!(half, 2);
        even.add_eq(&[0, 1, -2]);
        assert_eq!(even.contains(&[Int::from(4)]), Some(true));
        assert_eq!(even.contains(&[Int::from(-3)]), Some(false));
    }
}
