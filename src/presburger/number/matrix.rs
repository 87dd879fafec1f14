//! Contiguous rows of numbers, the storage of constraints and tableaus.
//!
//! A row is a slice, all rows have one width, and a row operation touches only the two slices it names: eliminating column 1
//! of `(2, 4)` by `(1, 2)` is `combine` with the multipliers that make the column vanish, then division by the gcd.

use super::budget::{spend, spend_rows};
use super::int::Number;

/// A matrix stored row after row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Matrix<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T: Number> Matrix<T> {
    pub fn new(width: usize) -> Self {
        Matrix { width, height: 0, cells: Vec::new() }
    }

    pub fn with_capacity(rows: usize, width: usize) -> Self {
        Matrix { width, height: 0, cells: Vec::with_capacity(rows * width) }
    }

    pub fn from_rows(width: usize, rows: impl IntoIterator<Item = Vec<T>>) -> Self {
        let mut matrix = Matrix::new(width);
        rows.into_iter().for_each(|row| matrix.push(&row));
        matrix
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn len(&self) -> usize {
        self.height
    }

    pub fn is_empty(&self) -> bool {
        self.height == 0
    }

    #[inline]
    pub fn row(&self, r: usize) -> &[T] {
        &self.cells[r * self.width..(r + 1) * self.width]
    }

    #[inline]
    pub fn row_mut(&mut self, r: usize) -> &mut [T] {
        &mut self.cells[r * self.width..(r + 1) * self.width]
    }

    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator + Clone {
        (0..self.height).map(|r| self.row(r))
    }

    /// Two different rows, both mutable.
    pub fn two_rows(&mut self, a: usize, b: usize) -> (&mut [T], &mut [T]) {
        assert!(a != b, "a row is not two rows");
        let w = self.width;
        if a < b {
            let (head, tail) = self.cells.split_at_mut(b * w);
            (&mut head[a * w..(a + 1) * w], &mut tail[..w])
        } else {
            let (head, tail) = self.cells.split_at_mut(a * w);
            (&mut tail[..w], &mut head[b * w..(b + 1) * w])
        }
    }

    pub fn push(&mut self, row: &[T]) {
        assert_eq!(row.len(), self.width, "rows of one matrix have one width");
        self.cells.extend_from_slice(row);
        self.height += 1;
    }

    /// A new last row of zeros.
    pub fn push_zero(&mut self) -> &mut [T] {
        self.cells.resize((self.height + 1) * self.width, T::zero());
        self.height += 1;
        let last = self.height - 1;
        self.row_mut(last)
    }

    pub fn append(&mut self, other: &Matrix<T>) {
        assert_eq!(other.width, self.width, "rows of one matrix have one width");
        self.cells.extend_from_slice(&other.cells);
        self.height += other.height;
    }

    /// Removes row `r`; the last row takes its place.
    pub fn swap_remove(&mut self, r: usize) {
        let last = self.height - 1;
        self.swap_rows(r, last);
        self.truncate(last);
    }

    /// Removes row `r`, keeping the order of the others.
    pub fn remove(&mut self, r: usize) {
        self.cells.drain(r * self.width..(r + 1) * self.width);
        self.height -= 1;
    }

    pub fn truncate(&mut self, height: usize) {
        self.cells.truncate(height * self.width);
        self.height = self.height.min(height);
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }

    pub fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            let (x, y) = self.two_rows(a, b);
            x.swap_with_slice(y);
        }
    }

    /// Keeps the rows for which `keep` holds, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(&[T]) -> bool) {
        let mut kept = 0;
        for r in 0..self.height {
            if keep(self.row(r)) {
                self.swap_rows(kept, r);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// The matrix whose column `c` is column `columns[c]` of this one, or zero where that is `None`.
    pub fn select_columns(&self, columns: &[Option<usize>]) -> Matrix<T> {
        spend_rows(self.height, columns.len());
        let mut result = Matrix::with_capacity(self.height, columns.len());
        for row in self.rows() {
            result.cells.extend(columns.iter().map(|c| c.map_or_else(T::zero, |c| row[c].clone())));
        }
        result.height = self.height;
        result
    }

    /// As [`Matrix::select_columns`] for rows with one more number in front, which stays: divs, for the columns of constraints.
    pub fn select_columns_behind(&self, columns: &[Option<usize>]) -> Matrix<T> {
        spend_rows(self.height, columns.len());
        let mut result = Matrix::with_capacity(self.height, 1 + columns.len());
        for row in self.rows() {
            result.cells.push(row[0].clone());
            result.cells.extend(columns.iter().map(|c| c.map_or_else(T::zero, |c| row[1 + c].clone())));
        }
        result.height = self.height;
        result
    }

    /// Adds the rows of `other` with `gap` zeros before column `at`.
    pub fn append_spread(&mut self, other: &Matrix<T>, at: usize, gap: usize) {
        spend_rows(other.height, self.width);
        assert_eq!(other.width + gap, self.width, "rows of one matrix have one width");
        for row in other.rows() {
            self.cells.extend_from_slice(&row[..at]);
            self.cells.resize(self.cells.len() + gap, T::zero());
            self.cells.extend_from_slice(&row[at..]);
        }
        self.height += other.height;
    }

    /// `row[target] = row[target] * a + row[source] * b`, then divided by its content.
    pub fn combine_rows(&mut self, target: usize, a: &T, source: usize, b: &T) {
        let (x, y) = self.two_rows(target, source);
        combine(x, a, y, b);
    }

    /// The same numbers in another precision.
    pub fn convert<U: Number>(&self) -> Matrix<U> {
        let cells = self.cells.iter().map(|x| U::from_int(&x.to_int())).collect();
        Matrix { width: self.width, height: self.height, cells }
    }
}

/// `x = x * a + y * b`, cell by cell.
#[inline]
pub(crate) fn combine<T: Number>(x: &mut [T], a: &T, y: &[T], b: &T) {
    spend(1 + x.len() as u64 / 8);
    T::combine_rows(x, a, y, b);
}

/// Solves the rows for the columns, the last one first: each row that one was solved for comes to the front, and the column is zero in those after
/// it. The columns that were solved for, one for each of the first rows.
pub(crate) fn solve_last_first<T: Number>(rows: &mut Matrix<T>, columns: std::ops::Range<usize>) -> Vec<usize> {
    let mut solved = Vec::new();
    for column in columns.rev() {
        let done = solved.len();
        let Some(r) = (done..rows.len()).find(|&r| !rows.row(r)[column].is_zero()) else { continue };
        rows.swap_rows(done, r);
        for other in done + 1..rows.len() {
            let (row, by) = rows.two_rows(other, done);
            eliminate(row, by, column);
        }
        solved.push(column);
    }
    solved
}

/// Makes `x[column]` zero by a positive multiple of `x` and a multiple of `y`, whose entry there is not zero.
pub(crate) fn eliminate<T: Number>(x: &mut [T], y: &[T], column: usize) {
    if x[column].is_zero() {
        return;
    }
    let g = x[column].gcd(&y[column]);
    let mut a = y[column].div_exact(&g);
    let mut b = x[column].div_exact(&g).neg();
    if a.is_negative() {
        a = a.neg();
        b = b.neg();
    }
    combine(x, &a, y, &b);
}

/// The non-negative gcd of the cells, 0 for a zero row.
#[inline]
pub(crate) fn content<T: Number>(row: &[T]) -> T {
    let (mut g, mut taken) = (T::zero(), 0);
    for x in row {
        if !x.is_zero() {
            g = g.gcd(x);
            taken += 1;
            if g.is_one() {
                break;
            }
        }
    }
    spend(taken);
    g
}

/// Divides the row by the gcd of its cells.
pub(crate) fn reduce<T: Number>(row: &mut [T]) {
    let g = content(row);
    divide(row, &g);
}

/// Divides each cell by `divisor`, which divides them all; 0 and 1 leave the row alone.
pub(crate) fn divide<T: Number>(row: &mut [T], divisor: &T) {
    if !divisor.is_zero() && !divisor.is_one() {
        spend(1 + row.len() as u64 / 4);
        row.iter_mut().for_each(|x| *x = x.div_exact(divisor));
    }
}

pub(crate) fn dot<T: Number>(a: &[T], b: &[T]) -> T {
    let mut sum = T::zero();
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum.add_mul(x, y);
        }
    }
    sum
}

/// The integers where `row . p >= 0` does not hold: `-row . p - 1 >= 0`.
pub(crate) fn negate<T: Number>(row: &mut [T]) {
    row.iter_mut().for_each(|x| *x = x.neg());
    row[0] = row[0].sub(&T::one());
}

/// The inequality divided by the gcd of its coefficients, the constant rounded down.
pub(crate) fn tightened<T: Number>(row: &[T]) -> Vec<T> {
    let mut row = row.to_vec();
    tighten(&mut row, 0);
    row
}

/// As [`tightened`], in place, with the constant at column `constant`.
pub(crate) fn tighten<T: Number>(row: &mut [T], constant: usize) {
    let g = content(&row[..constant]).gcd(&content(&row[constant + 1..]));
    if g.is_zero() || g.is_one() {
        return;
    }
    for (c, x) in row.iter_mut().enumerate() {
        *x = if c == constant { x.div_floor(&g) } else { x.div_exact(&g) };
    }
}
