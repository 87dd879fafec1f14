//! What the tableaus of this room share: a row is `[denominator | constant | one cell per column | ..]`, an affine form over the columns.
//!
//! The step of every simplex method exchanges the unknown of a row with that of a column. Of `u = 4 - a - b, v = 1 + 2 a` (rows
//! `[1 | 4 | -1 -1]` and `[1 | 1 | 2 0]`), the exchange of `u` with `a` gives `a = 4 - u - b, v = 9 - 2 u - 2 b`: the row is solved for the column and
//! put into the others. Denominators stay positive and each row is divided by the divisor of its cells, so that numbers stay small.
//! [`super::simplex`] (bounds), [`super::ilp`] and [`super::lex_tableau`] (lexicographic minima) differ in which row and column they choose.

use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, combine, reduce};
use std::cmp::Ordering;

/// Where the value of an unknown is found: its row, or (at the current point 0) its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Row(usize),
    Column(usize),
}

/// Solves row `r` for the cell `c`, which is not 0, and puts it into the other rows; cells from `end` on are not in use. `changed` hears of each other row that
/// had the column, and with which factor.
pub(super) fn exchange<T: Number>(
    rows: &mut Matrix<T>,
    r: usize,
    c: usize,
    end: usize,
    mut changed: impl FnMut(usize, &T),
) {
    let row = rows.row_mut(r);
    let denominator = std::mem::replace(&mut row[0], T::zero());
    row[0] = std::mem::replace(&mut row[c], denominator.neg());
    if row[0].is_negative() {
        row[0] = row[0].neg();
    } else {
        row[1..end].iter_mut().filter(|x| !x.is_zero()).for_each(|x| *x = x.neg());
    }
    reduce(&mut row[..end]);
    let new_denominator = row[0].clone();
    for i in 0..rows.len() {
        if i == r || rows.row(i)[c].is_zero() {
            continue;
        }
        let (row, by) = rows.two_rows(i, r);
        let factor = std::mem::replace(&mut row[c], T::zero());
        let g = factor.gcd(&new_denominator);
        let (a, m) = (new_denominator.div_exact(&g), factor.div_exact(&g));
        row[0] = row[0].mul(&a);
        combine(&mut row[1..end], &a, &by[1..end], &m);
        if !row[0].is_one() {
            reduce(&mut row[..end]);
        }
        changed(i, &factor);
    }
}

/// The lexicographic order of the cells `a` and `b` down the unknowns, each divided by its cell in row `r`.
pub(super) fn lexicographic<T: Number>(rows: &Matrix<T>, unknowns: &[Place], r: usize, a: usize, b: usize) -> Ordering {
    let by = rows.row(r);
    for place in unknowns {
        spend(1);
        let order = match *place {
            Place::Column(c) if 2 + c == a => Ordering::Greater,
            Place::Column(c) if 2 + c == b => Ordering::Less,
            Place::Column(_) => Ordering::Equal,
            Place::Row(u) => {
                let row = rows.row(u);
                let (x, y) = (&row[a], &row[b]);
                if x.is_zero() && y.is_zero() { Ordering::Equal } else { x.mul(&by[b]).cmp(&y.mul(&by[a])) }
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exchange_of_the_header() {
        let mut rows = Matrix::from_rows(4, vec![vec![1i64, 4, -1, -1], vec![1, 1, 2, 0]]);
        let mut heard = Vec::new();
        exchange(&mut rows, 0, 2, 4, |row, factor| heard.push((row, *factor)));
        assert_eq!((rows.row(0), rows.row(1)), (&[1, 4, -1, -1][..], &[1, 9, -2, -2][..]));
        assert_eq!(heard, [(1, 2)]);
    }
}
