//! The normal form of a conjunction: cheap, exact over the integers, and without a tableau.
//!
//! `{ [i] : exists e : 2i = 4e, 2i >= 5, i >= 1, i <= 7, 3i <= 20 }` becomes `{ [i] : i = 2 floor(i / 2), i >= 4, i <= 6 }`: the
//! equality is divided by its content, its local turns out to be `floor(i / 2)`, `2i >= 5` is tightened to `i >= 3` over the integers, to
//! `i >= 4` over the even ones, and hides `i >= 1`. The steps are those of isl's
//! `isl_basic_map_simplify` (Verdoolaege, "isl: An Integer Set Library for the Polyhedral Model", ICMS 2010): Gauss on the
//! equalities from the last column to the first, so that locals are expressed by variables and late variables by early ones;
//! integer tests and tightening; parallel inequalities merged; and, in [`super::divs`], locals understood, normalised, or dropped.
//! The steps repeat until nothing changes.

use super::Conjunction;
use super::known::Known;
use crate::presburger::number::budget::{spend, spend_rows};
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, combine, content, divide, eliminate, reduce};

/// More rounds than any simplification needs that gains anything; the result is right after each round.
const ROUNDS: usize = 40;

impl<T: Number> Conjunction<T> {
    /// Brings this into the normal form described in [`crate::presburger::conjunction`]. The integer points stay the same.
    pub fn simplify(&mut self) {
        if self.simplified || self.known_empty {
            self.simplified = true;
            return;
        }
        if self.is_proved_empty() {
            self.mark_empty();
            return;
        }
        let known = std::mem::replace(&mut self.known, Known::nothing());
        for _ in 0..ROUNDS {
            if !self.simplify_once() {
                break;
            }
        }
        self.simplified = true;
        if !self.known_empty {
            self.sort_rows();
            self.inherit(known);
        }
    }

    /// `self`, simplified.
    pub fn simplified(mut self) -> Self {
        self.simplify();
        self
    }

    /// The point `x` with the values of all divs, if every local is a div.
    pub fn complete_point(&self, x: &[T]) -> Option<Vec<T>> {
        let mut values = Vec::with_capacity(self.width());
        values.push(T::one());
        values.extend_from_slice(x);
        for div in self.divs.rows() {
            if div[0].is_zero() {
                return None;
            }
            let value = crate::presburger::number::matrix::dot(&div[1..1 + values.len()], &values).div_floor(&div[0]);
            values.push(value);
        }
        values.remove(0);
        Some(values)
    }

    /// One round of all steps; whether another one may gain more.
    fn simplify_once(&mut self) -> bool {
        spend_rows(self.eq.len() + self.ineq.len() + self.n_local(), self.width());
        let mut changed = false;
        if self.n_local() > 0 {
            changed |= self.reduce_equalities() && self.resolve_unknown_locals();
            changed |= !self.known_empty && self.normalise_divs();
        }
        changed |= !self.known_empty && self.gauss();
        if !self.known_empty && self.n_local() > 0 {
            changed |= self.tighten_by_strides();
        }
        changed |= !self.known_empty && self.tighten_inequalities();
        if !self.known_empty && self.n_local() > 0 {
            changed |= self.use_div_bounds();
            changed |= !self.known_empty && self.resolve_bounded_locals();
            changed |= !self.known_empty && self.recognise_divs_in_variables();
            if !self.known_empty {
                changed |= self.write_divs_out();
                self.drop_unused_locals();
            }
        }
        changed && !self.known_empty
    }

    /// Divides each equality by its content; false (and empty) if one has no integer solution.
    pub(crate) fn reduce_equalities(&mut self) -> bool {
        for r in 0..self.eq.len() {
            let row = self.eq.row_mut(r);
            let g = content(&row[1..]);
            if if g.is_zero() { !row[0].is_zero() } else { !row[0].is_divisible_by(&g) } {
                self.mark_empty();
                return false;
            }
            divide(row, &g);
        }
        true
    }

    /// Reduced echelon form of the equalities, and their pivots eliminated from inequalities and divs. Whether locals or divs changed.
    fn gauss(&mut self) -> bool {
        if self.eq.is_empty() {
            return false;
        }
        let Some(mut pivots) = self.echelon() else { return false };
        self.prefer_unit_variables(&mut pivots);
        // Elimination may have left an equality such as 4 j = 7.
        if self.eq.len() > 1 && !self.reduce_equalities() {
            return false;
        }
        let mut changed = false;
        let mut vanished = vec![];
        for (r, &column) in pivots.iter().enumerate() {
            if column > self.n_var && self.eq.row(r)[column].is_one() {
                vanished.push(r);
                let local = column - 1 - self.n_var;
                if !self.divs.row(local)[0].is_zero() {
                    self.div_bounds(local).iter().for_each(|row| self.ineq.push(row));
                }
            }
            changed |= self.use_pivot(r, column);
        }
        if vanished.is_empty() {
            return changed;
        }
        let mut dead = vec![false; self.n_local()];
        vanished.iter().for_each(|&r| dead[pivots[r] - 1 - self.n_var] = true);
        vanished.iter().rev().for_each(|&r| self.eq.remove(r));
        self.remove_locals(&dead);
        true
    }

    /// Reduced echelon form: each pivot in the last possible column, positive, and alone in it. Returns the pivots; `None` (and empty) if
    /// an equality has no integer solution.
    fn echelon(&mut self) -> Option<Vec<usize>> {
        let mut pivots = Vec::with_capacity(self.eq.len());
        for column in (1..self.width()).rev() {
            let done = pivots.len();
            if done == self.eq.len() {
                break;
            }
            let candidates = (done..self.eq.len()).filter(|&r| !self.eq.row(r)[column].is_zero());
            let Some(r) = candidates.min_by_key(|&r| self.eq.row(r)[column].abs()) else { continue };
            self.eq.swap_rows(r, done);
            if !self.isolate(done, column) {
                return None;
            }
            pivots.push(column);
        }
        if (pivots.len()..self.eq.len()).any(|r| !self.eq.row(r)[0].is_zero()) {
            self.mark_empty();
            return None;
        }
        self.eq.truncate(pivots.len());
        Some(pivots)
    }

    /// Solves equalities between variables, where possible, for a variable with coefficient 1, which keeps all else integer.
    fn prefer_unit_variables(&mut self, pivots: &mut [usize]) {
        for (r, pivot) in pivots.iter_mut().enumerate() {
            let row = self.eq.row(r);
            if *pivot > self.n_var || row[*pivot].is_one() {
                continue;
            }
            if let Some(unit) = (1..=self.n_var).rev().find(|&c| row[c].abs().is_one()) {
                let solvable = self.isolate(r, unit);
                assert!(solvable, "law: the row has a unit coefficient");
                *pivot = unit;
            }
        }
    }

    /// Makes the pivot positive, the row coprime, and eliminates the pivot from the other equalities; false (and empty) if the row has
    /// no integer solution.
    fn isolate(&mut self, r: usize, column: usize) -> bool {
        let row = self.eq.row_mut(r);
        let g = content(&row[1..]);
        if !row[0].is_divisible_by(&g) {
            self.mark_empty();
            return false;
        }
        divide(row, &g);
        if row[column].is_negative() {
            row.iter_mut().for_each(|x| *x = x.neg());
        }
        for other in 0..self.eq.len() {
            if other != r && !self.eq.row(other)[column].is_zero() {
                let (row, pivot) = self.eq.two_rows(other, r);
                eliminate(row, pivot, column);
                reduce(row);
            }
        }
        true
    }

    /// Eliminates the pivot `column` of equality `r` from inequalities and divs; whether a div changed.
    fn use_pivot(&mut self, r: usize, column: usize) -> bool {
        spend(1 + (self.ineq.len() + self.n_local()) as u64 / 4);
        for other in 0..self.ineq.len() {
            let row = self.ineq.row_mut(other);
            if !row[column].is_zero() {
                eliminate(row, self.eq.row(r), column);
                reduce_inequality(row);
            }
        }
        let mut changed = false;
        for l in 0..self.n_local() {
            if !self.divs.row(l)[0].is_zero() && !self.divs.row(l)[1 + column].is_zero() {
                eliminate_in_div(self.divs.row_mut(l), self.eq.row(r), column);
                changed = true;
            }
        }
        changed
    }

    /// Lets remainders tighten: where `i` is even, `i >= 3` is `i >= 4`. Whether one did.
    fn tighten_by_strides(&mut self) -> bool {
        let mut changed = false;
        for r in 0..self.eq.len() {
            let Some((local, modulus)) = self.stride(r) else { continue };
            let Some(unit) = unit_of_stride(self.eq.row(r), &modulus, local) else { continue };
            spend_rows(self.ineq.len(), self.width());
            for q in 0..self.ineq.len() {
                let row = self.ineq.row_mut(q);
                if row[local].is_zero() {
                    reduce_inequality(row);
                    if let Some(residue) = residue(row, self.eq.row(r), &modulus, local, unit) {
                        row[0] = row[0].sub(&residue);
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// For an equality `d e = r` with a local `e` and `d > 1`: the column of `e`, and `d`.
    fn stride(&self, r: usize) -> Option<(usize, T)> {
        let row = self.eq.row(r);
        let last = (1..row.len()).rev().find(|&c| !row[c].is_zero())?;
        let modulus = row[last].abs();
        (last > self.n_var && !modulus.is_one()).then_some((last, modulus))
    }

    /// Inequalities and equalities in the order in which they are shown, equalities with a positive first coefficient.
    fn sort_rows(&mut self) {
        for r in 0..self.eq.len() {
            if leading_sign(self.eq.row(r)) < 0 {
                self.eq.row_mut(r).iter_mut().for_each(|x| *x = x.neg());
            }
        }
        for matrix in [&mut self.eq, &mut self.ineq] {
            let before = |a: &[T], b: &[T]| b[1..].cmp(&a[1..]).then_with(|| a[0].cmp(&b[0]));
            if (1..matrix.len()).all(|r| before(matrix.row(r - 1), matrix.row(r)).is_le()) {
                continue;
            }
            let mut order: Vec<usize> = (0..matrix.len()).collect();
            order.sort_by(|&a, &b| before(matrix.row(a), matrix.row(b)));
            let mut sorted = Matrix::with_capacity(matrix.len(), matrix.width());
            order.iter().for_each(|&r| sorted.push(matrix.row(r)));
            *matrix = sorted;
        }
    }

    /// Divides inequalities by the gcd of their coefficients, rounds their constants down, removes trivial and parallel ones, turns
    /// opposite ones that meet into equalities, and sorts the rest. Whether an equality was found.
    pub(crate) fn tighten_inequalities(&mut self) -> bool {
        spend_rows(2 * self.ineq.len(), self.width());
        let mut keys: Vec<(u64, usize)> = Vec::with_capacity(self.ineq.len());
        let mut gone: Vec<bool> = Vec::new();
        for r in 0..self.ineq.len() {
            let row = self.ineq.row_mut(r);
            reduce_inequality(row);
            match direction(row) {
                Some(key) => keys.push((key, r)),
                None if row[0].is_negative() => {
                    self.mark_empty();
                    return false;
                }
                None => {
                    gone.resize(self.ineq.len(), false);
                    gone[r] = true;
                }
            }
        }
        keys.sort_unstable();
        let mut found = false;
        for at in 1..keys.len() {
            let (key, r) = keys[at];
            for &(_, other) in keys[..at].iter().rev().take_while(|(known, _)| *known == key) {
                if gone.get(r) == Some(&true) {
                    break;
                }
                if gone.get(other) == Some(&true) {
                    continue;
                }
                let (x, y) = (self.ineq.row(r), self.ineq.row(other));
                if x[1..] == y[1..] {
                    gone.resize(self.ineq.len(), false);
                    gone[if x[0] < y[0] { other } else { r }] = true;
                } else if x[1..].iter().zip(&y[1..]).all(|(a, b)| *a == b.neg()) {
                    match x[0].add(&y[0]).sign() {
                        -1 => {
                            self.mark_empty();
                            return false;
                        }
                        0 => {
                            gone.resize(self.ineq.len(), false);
                            (gone[r], gone[other], found) = (true, true, true);
                            self.eq.push(x);
                        }
                        _ => {}
                    }
                }
            }
        }
        if !gone.is_empty() {
            let mut r = 0;
            self.ineq.retain(|_| {
                r += 1;
                !gone[r - 1]
            });
        }
        found
    }
}

/// A hash of the direction of a row, the same for the opposite one; `None` for a constant.
fn direction<T: Number>(row: &[T]) -> Option<u64> {
    let first = (1..row.len()).find(|&c| !row[c].is_zero())?;
    let flip = row[first].is_negative();
    let mut hash = 0u64;
    for (c, x) in row.iter().enumerate().skip(first).filter(|(_, x)| !x.is_zero()) {
        let word = if flip { x.word().wrapping_neg() } else { x.word() };
        hash = (hash.rotate_left(9) ^ (word as u64).wrapping_add((c as u64) << 32)).wrapping_mul(SPREAD);
    }
    Some(hash)
}

/// An odd number without pattern (2^64 divided by the golden ratio), after which near values are far apart.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Divides by the gcd of the coefficients and rounds the constant down: the same integer points.
pub(crate) fn reduce_inequality<T: Number>(row: &mut [T]) {
    let g = content(&row[1..]);
    if !g.is_zero() && !g.is_one() {
        row[0] = row[0].div_floor(&g);
        divide(&mut row[1..], &g);
    }
}

/// In `floor(n / d)` given as `(d | n)`, replaces the variable of `column` by what `equality` says it is.
pub(crate) fn eliminate_in_div<T: Number>(div: &mut [T], equality: &[T], column: usize) {
    let g = div[1 + column].gcd(&equality[column]);
    let mut a = equality[column].div_exact(&g);
    let mut b = div[1 + column].div_exact(&g).neg();
    if a.is_negative() {
        a = a.neg();
        b = b.neg();
    }
    combine(&mut div[1..], &a, equality, &b);
    div[0] = div[0].mul(&a);
}

/// What a stride has in a column, modulo its modulus.
#[derive(Clone, Copy)]
enum Unit {
    One(usize),
    MinusOne(usize),
}

/// A column before `local` in which the stride has a unit modulo `modulus`.
fn unit_of_stride<T: Number>(stride: &[T], modulus: &T, local: usize) -> Option<Unit> {
    let is_one = |x: &T| !x.is_zero() && x.rem_floor(modulus).is_one();
    let one = (1..local).find(|&c| is_one(&stride[c])).map(Unit::One);
    one.or_else(|| (1..local).find(|&c| is_one(&stride[c].neg())).map(Unit::MinusOne))
}

/// What the row leaves modulo `modulus` at all points where `modulus` divides the rest of `stride` without the column `local`; `None` if
/// that varies or is 0. `unit` is one of the stride.
fn residue<T: Number>(row: &[T], stride: &[T], modulus: &T, local: usize, unit: Unit) -> Option<T> {
    let factor = match unit {
        Unit::One(column) => row[column].rem_floor(modulus),
        Unit::MinusOne(column) => row[column].neg().rem_floor(modulus),
    };
    let left = |c: usize| {
        if stride[c].is_zero() || factor.is_zero() {
            row[c].rem_floor(modulus)
        } else {
            row[c].sub(&factor.mul(&stride[c])).rem_floor(modulus)
        }
    };
    let constant = (1..row.len()).all(|c| c == local || (row[c].is_zero() && stride[c].is_zero()) || left(c).is_zero());
    constant.then(|| left(0)).filter(|residue| !residue.is_zero())
}

/// The sign of the first non-zero coefficient, 0 for a constant.
fn leading_sign<T: Number>(row: &[T]) -> i32 {
    row[1..].iter().map(Number::sign).find(|&s| s != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests;
