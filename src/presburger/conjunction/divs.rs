//! What a conjunction knows about its locals, brought to one form.
//!
//! Two conjunctions that mean the same should say it with the same divs. `floor((2i + 5) / 4)` is `floor((i + 2) / 2)`, and that
//! is `floor(i / 2) + 1`; only `floor(i / 2)` is kept and the shift goes into the rows that use it. In general a div
//! `floor(n / d)` has its content cancelled, coefficients of `n` in `(-d/2, d/2]`, constant in `[0, d)`, first coefficient
//! positive (`floor(-i / 3) = -floor((i + 2) / 3)`), and no div of coefficient one inside (`floor(floor(i / 2) / 3) = floor(i / 6)`).
//! Divs are sorted, equal ones are one, plain existentials come last.
//!
//! A plain existential is understood where possible: one in an equality `i = 4e` is `floor(i / 4)`; one between bounds
//! `0 <= i - 4e <= 3` as well; one with bounds on one side only says nothing; one with unit bounds is projected out.

use super::Conjunction;
use super::simplify::reduce_inequality;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, content, divide};
use std::cmp::Ordering;

impl<T: Number> Conjunction<T> {
    pub(super) fn column_of(&self, local: usize) -> usize {
        1 + self.n_var + local
    }

    pub(super) fn is_unknown(&self, local: usize) -> bool {
        self.divs.row(local)[0].is_zero()
    }

    /// Removes the columns and definitions of the locals for which `dead` holds; nothing refers to them any more.
    pub(crate) fn remove_locals(&mut self, dead: &[bool]) {
        let head = 1 + self.n_var;
        let alive = (0..self.n_local()).filter(|&l| !dead[l]);
        let columns: Vec<Option<usize>> = (0..head).chain(alive.map(|l| head + l)).map(Some).collect();
        let mut l = 0;
        self.divs.retain(|_| {
            l += 1;
            !dead[l - 1]
        });
        self.eq = self.eq.select_columns(&columns);
        self.ineq = self.ineq.select_columns(&columns);
        self.divs = self.divs.select_columns_behind(&columns);
    }

    /// Puts local `order[l]` at place `l`.
    fn permute_locals(&mut self, order: &[usize]) {
        let head = 1 + self.n_var;
        let columns: Vec<Option<usize>> = (0..head).chain(order.iter().map(|l| head + l)).map(Some).collect();
        let mut divs = Matrix::with_capacity(order.len(), 1 + self.width());
        order.iter().for_each(|&l| divs.push(self.divs.row(l)));
        self.divs = divs.select_columns_behind(&columns);
        self.eq = self.eq.select_columns(&columns);
        self.ineq = self.ineq.select_columns(&columns);
    }

    /// Adds `factor * source` to the column `target` of all rows and divs.
    pub(super) fn add_column(&mut self, target: usize, source: usize, factor: &T) {
        spend_rows(self.eq.len() + self.ineq.len() + self.n_local(), 0);
        for matrix in [&mut self.eq, &mut self.ineq] {
            for r in 0..matrix.len() {
                let row = matrix.row_mut(r);
                if !row[source].is_zero() {
                    let value = row[source].clone();
                    row[target].add_mul(&value, factor);
                }
            }
        }
        for l in 0..self.n_local() {
            let row = self.divs.row_mut(l);
            if !row[0].is_zero() && !row[1 + source].is_zero() {
                let value = row[1 + source].clone();
                row[1 + target].add_mul(&value, factor);
            }
        }
    }

    /// Negates a column of all rows and divs.
    fn negate_column(&mut self, column: usize) {
        for matrix in [&mut self.eq, &mut self.ineq] {
            for r in 0..matrix.len() {
                let cell = &mut matrix.row_mut(r)[column];
                *cell = cell.neg();
            }
        }
        for l in 0..self.n_local() {
            let cell = &mut self.divs.row_mut(l)[1 + column];
            *cell = cell.neg();
        }
    }

    fn clear_column(&mut self, column: usize) {
        spend_rows(self.eq.len() + self.ineq.len() + self.n_local(), 0);
        (0..self.eq.len()).for_each(|r| self.eq.row_mut(r)[column] = T::zero());
        (0..self.ineq.len()).for_each(|r| self.ineq.row_mut(r)[column] = T::zero());
        (0..self.n_local()).for_each(|l| self.divs.row_mut(l)[1 + column] = T::zero());
    }

    /// Defines an existential that no div refers to.
    pub(super) fn define(&mut self, local: usize, div: &[T]) {
        self.divs.row_mut(local).clone_from_slice(div);
        let known = |l: usize| l != local && !self.is_unknown(l);
        let order: Vec<usize> = (0..self.n_local())
            .filter(|&l| known(l))
            .chain([local])
            .chain((0..self.n_local()).filter(|&l| l != local && self.is_unknown(l)))
            .collect();
        if order.iter().enumerate().any(|(k, &l)| k != l) {
            self.permute_locals(&order);
        }
    }

    /// Normalises, deduplicates and sorts the divs. Whether a row or div changed.
    pub(crate) fn normalise_divs(&mut self) -> bool {
        let mut changed = false;
        for l in 0..self.n_local() {
            if !self.is_unknown(l) {
                changed |= self.normalise_div(l);
                changed |= self.align_with_equality(l);
                if self.known_empty {
                    return false;
                }
            }
        }
        changed |= self.merge_equal_divs();
        self.sort_divs() || changed
    }

    fn normalise_div(&mut self, local: usize) -> bool {
        spend_rows(1, self.width());
        let mut changed = self.flatten_div(local);
        changed |= self.cancel_div(local);
        changed |= self.shift_div(local);
        let sign = self.divs.row(local)[2..].iter().map(Number::sign).find(|&s| s != 0);
        if sign == Some(-1) {
            let div = self.divs.row_mut(local);
            div[1..].iter_mut().for_each(|x| *x = x.neg());
            div[1] = div[1].add(&div[0]).sub(&T::one());
            let column = self.column_of(local);
            self.negate_column(column);
            self.shift_div(local);
            changed = true;
        }
        changed
    }

    /// `floor((floor(n / d) + m) / c)` is `floor((n + d m) / (c d))`.
    fn flatten_div(&mut self, local: usize) -> bool {
        let inner = (0..local).rev().find(|&k| self.divs.row(local)[1 + self.column_of(k)].is_one());
        let Some(inner) = inner else { return false };
        let column = self.column_of(inner);
        let (div, other) = self.divs.two_rows(local, inner);
        div[1 + column] = T::zero();
        div.iter_mut().for_each(|x| *x = x.mul(&other[0]));
        div[1..].iter_mut().zip(&other[1..]).for_each(|(x, y)| *x = x.add(y));
        true
    }

    /// Makes the denominator positive and coprime to the coefficients.
    fn cancel_div(&mut self, local: usize) -> bool {
        let div = self.divs.row_mut(local);
        let mut changed = false;
        if div[0].is_negative() {
            div.iter_mut().for_each(|x| *x = x.neg());
            changed = true;
        }
        let g = content(&div[2..]).gcd(&div[0]);
        if !g.is_one() {
            div[0] = div[0].div_exact(&g);
            div[1] = div[1].div_floor(&g);
            divide(&mut div[2..], &g);
            changed = true;
        }
        changed
    }

    /// Moves the integer part of `n / d` out of the div into the rows that use it.
    fn shift_div(&mut self, local: usize) -> bool {
        let column = self.column_of(local);
        let mut changed = false;
        for k in 0..column {
            let div = self.divs.row_mut(local);
            if k > 0 && div[1 + k].is_zero() {
                continue;
            }
            let mut quotient = div[1 + k].div_floor(&div[0]);
            let mut rest = div[1 + k].rem_floor(&div[0]);
            if k > 0 && rest > div[0].sub(&rest) {
                rest = rest.sub(&div[0]);
                quotient = quotient.add(&T::one());
            }
            if !quotient.is_zero() {
                div[1 + k] = rest;
                self.add_column(k, column, &quotient);
                changed = true;
            }
        }
        changed
    }

    /// With an equality `d e = r`, `e = floor((r + c) / d)` is `floor(r / d)` for `0 <= c < d`, and impossible for other `c`.
    fn align_with_equality(&mut self, local: usize) -> bool {
        let column = self.column_of(local);
        for r in 0..self.eq.len() {
            let (row, div) = (self.eq.row(r), self.divs.row(local));
            if row[column].abs() != div[0] {
                continue;
            }
            let negate = row[column].is_positive();
            let same = |(x, y): (&T, &T)| if negate { x.neg() == *y } else { x == y };
            if (1..row.len()).any(|k| k != column && !same((&row[k], &div[1 + k]))) {
                continue;
            }
            let constant = if negate { row[0].neg() } else { row[0].clone() };
            let offset = div[1].sub(&constant);
            if offset.is_negative() || offset >= div[0] {
                self.mark_empty();
                return false;
            }
            if offset.is_zero() {
                return false;
            }
            self.divs.row_mut(local)[1] = constant;
            self.shift_div(local);
            return true;
        }
        false
    }

    /// Lets later divs with an earlier one's definition be that one; constant ones become constants.
    fn merge_equal_divs(&mut self) -> bool {
        let mut dead = vec![false; self.n_local()];
        for l in 0..self.n_local() {
            if self.is_unknown(l) {
                continue;
            }
            let column = self.column_of(l);
            if self.divs.row(l)[1..].iter().all(Number::is_zero) {
                self.clear_column(column);
                dead[l] = true;
            } else if let Some(k) = (0..l).find(|&k| !dead[k] && self.divs.row(k) == self.divs.row(l)) {
                let target = self.column_of(k);
                self.add_column(target, column, &T::one());
                self.clear_column(column);
                dead[l] = true;
            }
        }
        let merged = dead.contains(&true);
        if merged {
            self.remove_locals(&dead);
        }
        merged
    }

    /// Sorts the divs: the least one of those whose inner divs are placed comes next; plain existentials last. Whether the order changed.
    fn sort_divs(&mut self) -> bool {
        let n = self.n_local();
        let mut order: Vec<usize> = Vec::with_capacity(n);
        let mut left: Vec<usize> = (0..n).filter(|&l| !self.is_unknown(l)).collect();
        while !left.is_empty() {
            let ready =
                |&&l: &&usize| (0..n).all(|k| self.divs.row(l)[1 + self.column_of(k)].is_zero() || order.contains(&k));
            let next = left.iter().filter(ready).copied().min_by(|&a, &b| self.compare_divs(a, b, &order));
            let next = next.expect("law: a div refers to divs before it");
            left.retain(|&l| l != next);
            order.push(next);
        }
        order.extend((0..n).filter(|&l| self.is_unknown(l)));
        let changed = order.iter().enumerate().any(|(k, &l)| k != l);
        if changed {
            self.permute_locals(&order);
        }
        changed
    }

    fn compare_divs(&self, a: usize, b: usize, order: &[usize]) -> Ordering {
        let (x, y) = (self.divs.row(a), self.divs.row(b));
        let head = 2 + self.n_var;
        let inner = |row: &[T], l: usize| row[head + l].clone();
        order
            .iter()
            .rev()
            .map(|&l| inner(x, l).cmp(&inner(y, l)))
            .find(|o| o.is_ne())
            .unwrap_or_else(|| x[2..head].iter().rev().cmp(y[2..head].iter().rev()))
            .then_with(|| x[0].cmp(&y[0]))
            .then_with(|| x[1].cmp(&y[1]))
    }

    /// Drops inequalities that a div's definition implies and turns those that meet its opposite bound into equalities. Whether one did.
    pub(crate) fn use_div_bounds(&mut self) -> bool {
        let mut found = false;
        for l in 0..self.n_local() {
            if self.is_unknown(l) {
                continue;
            }
            let column = self.column_of(l);
            let mut r = 0;
            while r < self.ineq.len() {
                let (row, div) = (self.ineq.row(r), self.divs.row(l));
                let Some(below) = bounds_div(row, div, column) else {
                    r += 1;
                    continue;
                };
                let last = div[0].sub(&T::one());
                let slack = if below { row[0].sub(&div[1]) } else { row[0].add(&div[1]).sub(&last) };
                let reach = slack.add(&last);
                if !slack.is_negative() {
                    self.ineq.remove(r);
                } else if reach.is_negative() {
                    self.mark_empty();
                    return false;
                } else if reach.is_zero() {
                    let equality = row.to_vec();
                    self.eq.push(&equality);
                    self.ineq.remove(r);
                    found = true;
                } else {
                    r += 1;
                }
            }
        }
        found
    }

    /// Finds the divs that a variable is equal to, by its bounds: `32 c <= i <= 32 c + 31` makes `c` the div `floor(i / 32)`. Whether there was one.
    pub(crate) fn recognise_divs_in_variables(&mut self) -> bool {
        let found = (0..self.n_local()).find_map(|l| self.variable_of_div(l).map(|(v, shift)| (l, v, shift)));
        let Some((l, v, shift)) = found else { return false };
        let mut equality = vec![T::zero(); self.width()];
        equality[0] = shift.neg();
        equality[v] = T::one();
        equality[self.column_of(l)] = T::one().neg();
        self.eq.push(&equality);
        true
    }

    /// The column of a variable that is div `l` plus the second number.
    fn variable_of_div(&self, l: usize) -> Option<(usize, T)> {
        if self.is_unknown(l) {
            return None;
        }
        let div = self.divs.row(l);
        let d = &div[0];
        for below in self.ineq.rows() {
            let mut columns = (1..=self.n_var).filter(|&k| below[k] != div[1 + k]);
            let (Some(v), None) = (columns.next(), columns.next()) else { continue };
            let difference = below[0].sub(&div[1]);
            let same_locals = (self.n_var + 1..self.width()).all(|k| below[k] == div[1 + k]);
            if below[v] != d.neg() || !div[1 + v].is_zero() || !same_locals || !difference.is_divisible_by(d) {
                continue;
            }
            let meets = |above: &[T]| {
                above[v] == *d
                    && above[0].add(&below[0]) < *d
                    && above[1..].iter().zip(&below[1..]).all(|(x, y)| *x == y.neg())
            };
            if self.ineq.rows().any(meets) {
                return Some((v, difference.div_floor(d)));
            }
        }
        None
    }

    /// Writes inequalities by what a div rounds, where that is all the div is for: `floor(n / d) >= m` is `n >= d m`, and `floor(n / d) <= m` is
    /// `n <= d m + d - 1`. Whether there was one.
    pub(crate) fn write_divs_out(&mut self) -> bool {
        let mut found = false;
        for l in (0..self.n_local()).rev() {
            let column = self.column_of(l);
            let bounds_only = !self.is_unknown(l)
                && self.ineq.rows().all(|row| row[column].is_zero() || row[column].abs().is_one())
                && self.eq.rows().all(|row| row[column].is_zero())
                && self.divs.rows().all(|div| div[1 + column].is_zero());
            if !bounds_only {
                continue;
            }
            let div = self.divs.row(l).to_vec();
            let last = div[0].sub(&T::one());
            for r in 0..self.ineq.len() {
                let row = self.ineq.row_mut(r);
                let sign = std::mem::replace(&mut row[column], T::zero());
                if sign.is_zero() {
                    continue;
                }
                row.iter_mut().for_each(|x| *x = x.mul(&div[0]));
                row.iter_mut().zip(&div[1..]).for_each(|(x, n)| x.add_mul(n, &sign));
                if sign.is_negative() {
                    row[0] = row[0].add(&last);
                }
                reduce_inequality(row);
                found = true;
            }
        }
        found
    }

    /// Removes locals on which nothing depends.
    pub(crate) fn drop_unused_locals(&mut self) {
        let n = self.n_local();
        let mut dead = vec![false; n];
        for l in (0..n).rev() {
            let column = self.column_of(l);
            let used = |row: &[T]| !row[column].is_zero();
            dead[l] = !self.eq.rows().any(used)
                && !self.ineq.rows().any(used)
                && (0..n).all(|k| dead[k] || self.divs.row(k)[1 + column].is_zero());
        }
        if dead.contains(&true) {
            self.remove_locals(&dead);
        }
    }
}

/// Whether the row has the coefficients of `n - d e` (`Some(true)`) or of `d e - n` (`Some(false)`) for the div `e = floor(n / d)`.
fn bounds_div<T: Number>(row: &[T], div: &[T], column: usize) -> Option<bool> {
    if row[column].is_zero() || row[column].abs() != div[0] {
        return None;
    }
    let below = row[column].is_negative();
    let same = |k: usize| if below { row[k] == div[1 + k] } else { row[k] == div[1 + k].neg() };
    (1..row.len()).all(|k| k == column || same(k)).then_some(below)
}

/// The div row without the columns of dead locals, which start at `head`.
pub(super) fn without_dead<T: Number>(div: &[T], dead: &[bool], head: usize) -> Vec<T> {
    let alive = |&(k, _): &(usize, &T)| k < head || !dead[k - head];
    div.iter().enumerate().filter(alive).map(|(_, x)| x.clone()).collect()
}

/// The conjunction with a variable in place of each local; definitions become bounds.
pub(crate) fn locals_as_variables<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let mut ineq = conj.ineq.clone();
    for l in (0..conj.n_local()).filter(|l| !conj.divs.row(*l)[0].is_zero()) {
        conj.div_bounds(l).iter().for_each(|row| ineq.push(row));
    }
    let mut flat = Conjunction { eq: conj.eq.clone(), ineq, ..Conjunction::universe(conj.width() - 1) };
    flat.touched();
    flat
}
