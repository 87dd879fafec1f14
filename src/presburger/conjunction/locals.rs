//! Locals without a definition, understood where possible.
//!
//! One in an equality `i = 4e` is `floor(i / 4)`; one between bounds `0 <= i - 4e <= 3` as well; one with bounds on one side only says nothing; one with
//! unit bounds is projected out.

use super::Conjunction;
use super::divs::without_dead;
use super::simplify::reduce_inequality;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Number;

impl<T: Number> Conjunction<T> {
    /// Makes every plain existential that occurs in an equality a div, by unimodular changes of the existentials that leave
    /// one per equality. Whether one did.
    pub(crate) fn resolve_unknown_locals(&mut self) -> bool {
        let mut changed = false;
        for r in 0..self.eq.len() {
            let unknown: Vec<usize> = (0..self.n_local())
                .filter(|&l| self.is_unknown(l) && !self.eq.row(r)[self.column_of(l)].is_zero())
                .collect();
            if unknown.is_empty() {
                continue;
            }
            changed = true;
            let local = self.concentrate(r, &unknown);
            self.define_by_equality(r, local);
        }
        changed
    }

    /// Changes the basis of the existentials `unknown` such that only one of them occurs in equality `r`, with their gcd.
    fn concentrate(&mut self, r: usize, unknown: &[usize]) -> usize {
        loop {
            spend(1);
            let coefficient = |l: usize| self.eq.row(r)[self.column_of(l)].clone();
            let left: Vec<usize> = unknown.iter().copied().filter(|&l| !coefficient(l).is_zero()).collect();
            let smallest = left
                .iter()
                .copied()
                .min_by_key(|&l| coefficient(l).abs())
                .expect("law: an existential occurs in the row");
            if left.len() == 1 {
                return smallest;
            }
            let divisor = coefficient(smallest);
            let quotients: Vec<(usize, T)> = left
                .iter()
                .filter(|&&l| l != smallest)
                .map(|&l| (l, coefficient(l).div_floor(&divisor).neg()))
                .collect();
            for (l, factor) in quotients {
                self.add_column(self.column_of(l), self.column_of(smallest), &factor);
            }
        }
    }

    /// Equality `r` says `a e = n` for the existential `local`, and mentions no other: makes `e` the div `floor(n / a)`.
    fn define_by_equality(&mut self, r: usize, local: usize) {
        let column = self.column_of(local);
        let row = self.eq.row_mut(r);
        if row[column].is_positive() {
            row.iter_mut().for_each(|x| *x = x.neg());
        }
        let mut div = Vec::with_capacity(1 + row.len());
        div.push(row[column].neg());
        div.extend_from_slice(row);
        div[1 + column] = T::zero();
        self.define(local, &div);
    }

    /// Understands plain existentials from their bounds: as divs, as projected out, as meaningless. Whether one was.
    pub(crate) fn resolve_bounded_locals(&mut self) -> bool {
        let mut changed = false;
        let mut dead = vec![false; self.n_local()];
        for l in (0..self.n_local()).rev() {
            let column = self.column_of(l);
            if !self.is_unknown(l) || self.eq.rows().any(|row| !row[column].is_zero()) {
                continue;
            }
            if let Some(div) = self.div_between_bounds(l) {
                if dead.contains(&true) {
                    self.remove_locals(&dead);
                }
                self.define(l - dead[..l].iter().filter(|&&d| d).count(), &without_dead(&div, &dead, 2 + self.n_var));
                return true;
            }
            if self.project_if_cheap(column) {
                dead[l] = true;
                changed = true;
            }
        }
        if changed {
            self.remove_locals(&dead);
        }
        changed
    }

    /// The definition of existential `l` by two inequalities `0 <= n - d e <= c < d` without other existentials.
    fn div_between_bounds(&self, l: usize) -> Option<Vec<T>> {
        let column = self.column_of(l);
        let pure =
            |row: &[T]| (0..self.n_local()).all(|k| k == l || !self.is_unknown(k) || row[self.column_of(k)].is_zero());
        for below in self.ineq.rows().filter(|row| row[column].is_negative() && pure(row)) {
            let d = below[column].neg();
            let meets = |above: &[T]| {
                above[column] == d
                    && above[0].add(&below[0]) < d
                    && above[1..].iter().zip(&below[1..]).all(|(x, y)| *x == y.neg())
            };
            if self.ineq.rows().any(meets) {
                let mut div = Vec::with_capacity(1 + below.len());
                div.push(d.clone());
                div.extend_from_slice(below);
                div[1 + column] = T::zero();
                return Some(div);
            }
        }
        None
    }

    /// Projects out the existential of `column` where that is exact and does not add inequalities.
    fn project_if_cheap(&mut self, column: usize) -> bool {
        let lower: Vec<usize> = (0..self.ineq.len()).filter(|&r| self.ineq.row(r)[column].is_positive()).collect();
        let upper: Vec<usize> = (0..self.ineq.len()).filter(|&r| self.ineq.row(r)[column].is_negative()).collect();
        let unit = |rows: &[usize]| rows.iter().all(|&r| self.ineq.row(r)[column].abs().is_one());
        let small = lower.len() * upper.len() <= lower.len() + upper.len();
        if !(lower.is_empty() || upper.is_empty() || small && (unit(&lower) || unit(&upper))) {
            return false;
        }
        let mut shadows = vec![];
        for &a in &lower {
            for &b in &upper {
                let mut row = self.ineq.row(a).to_vec();
                let (x, y) = (row[column].clone(), self.ineq.row(b)[column].neg());
                crate::presburger::number::matrix::combine(&mut row, &y, self.ineq.row(b), &x);
                reduce_inequality(&mut row);
                shadows.push(row);
            }
        }
        self.ineq.retain(|row| row[column].is_zero());
        shadows.iter().for_each(|row| self.ineq.push(row));
        true
    }
}
