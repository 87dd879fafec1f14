//! Expressions kept small.
//!
//! Of `(2 i + 4 floor((2 i + 5) / 2)) / 2` the div becomes `i + 2`, which joins the form, and `(6 i + 8) / 2` becomes `3 i + 4`. Divs of two expressions
//! that are added are brought into one list first, each once.

use super::Body;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::{Matrix, content};

impl Body {
    /// Lowest terms, and no div that does not occur.
    pub(super) fn reduce(&mut self) {
        let g = content(&self.numerator).gcd(&self.denominator);
        if !g.is_one() && !g.is_zero() {
            self.numerator.iter_mut().for_each(|x| *x = x.div_exact(&g));
            self.denominator = self.denominator.div_exact(&g);
        }
        let n_div = self.divs.len();
        if n_div == 0 {
            return;
        }
        let first = self.numerator.len() - n_div;
        let mut used = vec![false; n_div];
        for l in (0..n_div).rev() {
            used[l] = !self.numerator[first + l].is_zero()
                || (l + 1..n_div).any(|k| used[k] && !self.divs.row(k)[1 + first + l].is_zero());
        }
        if used.iter().all(|u| *u) {
            return;
        }
        let kept: Vec<usize> = (0..n_div).filter(|&l| used[l]).collect();
        let columns: Vec<Option<usize>> = (0..=first).chain(kept.iter().map(|l| 1 + first + l)).map(Some).collect();
        let all = self.divs.select_columns(&columns);
        self.divs = Matrix::from_rows(all.width(), kept.iter().map(|&l| all.row(l).to_vec()));
        self.numerator = (0..first).chain(kept.iter().map(|l| first + l)).map(|c| self.numerator[c].clone()).collect();
    }
}

/// Variables and a growing list of divs.
pub(super) struct Columns {
    pub(super) n: usize,
    pub(super) divs: Matrix<Int>,
}

impl Columns {
    pub(super) fn width(&self) -> usize {
        1 + self.n + self.divs.len()
    }

    /// The column of the div `(d | n)`, added if it is new.
    fn find_or_add(&mut self, mut row: Vec<Int>) -> usize {
        row.resize(1 + self.width(), Int::zero());
        if let Some(l) = self.divs.rows().position(|div| div == row) {
            return 1 + self.n + l;
        }
        let columns: Vec<Option<usize>> = (0..=self.width()).map(Some).chain([None]).collect();
        self.divs = self.divs.select_columns(&columns);
        row.push(Int::zero());
        self.divs.push(&row);
        self.width() - 1
    }

    /// Adds the divs of another expression over the same variables: where each of its columns stands here.
    pub(super) fn place(&mut self, divs: &Matrix<Int>) -> Vec<usize> {
        let mut place: Vec<usize> = (0..=self.n).collect();
        for div in divs.rows() {
            let mut row = vec![div[0].clone()];
            row.extend(placed(&div[1..], &place, self.width()));
            place.push(self.find_or_add(row));
        }
        place
    }

    /// The column of `floor(rest / d)`, whose coefficients are all in `0..d`; `None` if that is 0.
    pub(super) fn floor_of(&mut self, rest: &[Int], d: &Int) -> Option<usize> {
        let g = content(&rest[1..]).gcd(d);
        if rest[1..].iter().all(Number::is_zero) {
            return None;
        }
        let mut row: Vec<Int> = [d].into_iter().chain(rest).map(|x| x.div_floor(&g)).collect();
        let only_div = (0..self.divs.len()).find(|&l| {
            let column = 2 + self.n + l;
            row[column].is_one() && row[2..].iter().enumerate().all(|(c, x)| c + 2 == column || x.is_zero())
        });
        if let Some(l) = only_div {
            let inner = self.divs.row(l).to_vec();
            let shift = row[1].mul(&inner[0]);
            let outer = row[0].mul(&inner[0]);
            row = inner;
            (row[0], row[1]) = (outer, row[1].add(&shift));
        }
        Some(self.find_or_add(row))
    }
}

pub(super) fn placed(row: &[Int], place: &[usize], width: usize) -> Vec<Int> {
    let mut result = vec![Int::zero(); width];
    for (x, &p) in row.iter().zip(place).filter(|(x, _)| !x.is_zero()) {
        result[p] = result[p].add(x);
    }
    result
}
