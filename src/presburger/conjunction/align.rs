//! One set of columns for two conjunctions over the same variables.
//!
//! To compare `{ [i] : i = 2 floor(i / 2) }` with `{ [i] : i >= 2 floor(i / 2) + 1 }`, both must speak of the same `floor(i / 2)`: [`align`] gives the
//! first conjunction the locals that only the second has, and says at which column each column of the second now stands.

use super::Conjunction;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::Matrix;

/// What happens to a local without definition, of which there may be one on either side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// It is another one than those of the other side.
    Apart,
    /// The first of the one side is identified with the first of the other, and so on.
    InOrder,
}

/// Adds the locals of `other` that `base` does not have. `place[c]` is the column in `base` of column `c` of `other`.
pub(crate) fn align<T: Number>(base: &mut Conjunction<T>, other: &Conjunction<T>, unknown: Unknown) -> Vec<usize> {
    let mut place: Vec<usize> = (0..=base.n_var).collect();
    let first = 1 + base.n_var;
    let mut free: Vec<usize> = match unknown {
        Unknown::Apart => Vec::new(),
        Unknown::InOrder => {
            (0..base.n_local()).rev().filter(|&l| base.divs.row(l)[0].is_zero()).map(|l| first + l).collect()
        }
    };
    for div in other.divs.rows() {
        if div[0].is_zero() {
            let column = free.pop().unwrap_or_else(|| base.add_local());
            place.push(column);
            continue;
        }
        let mut row = vec![div[0].clone()];
        row.extend(placed(&div[1..], &place, base.width()));
        let known = base.divs.rows().position(|d| d == row);
        place.push(known.map_or_else(|| base.add_div(&row), |l| first + l));
    }
    place
}

/// The row of the given width whose cell `c` stands at column `place[c]`. Cells past the end of `place` are zero.
pub(crate) fn placed<T: Number>(row: &[T], place: &[usize], width: usize) -> Vec<T> {
    spend_rows(1, width);
    let mut result = vec![T::zero(); width];
    for (x, &p) in row.iter().zip(place).filter(|(x, _)| !x.is_zero()) {
        result[p] = result[p].add(x);
    }
    result
}

/// Equalities as two inequalities each, then the inequalities.
pub(crate) fn as_inequalities<T: Number>(conj: &Conjunction<T>) -> Matrix<T> {
    let mut rows = Matrix::with_capacity(conj.ineq.len() + 2 * conj.eq.len(), conj.width());
    spend_rows(conj.ineq.len() + 2 * conj.eq.len(), conj.width());
    for row in conj.eq.rows() {
        rows.push(row);
        rows.push_zero().iter_mut().zip(row).for_each(|(x, y)| *x = y.neg());
    }
    rows.append(&conj.ineq);
    rows
}
