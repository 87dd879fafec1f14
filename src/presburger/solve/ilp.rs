//! Integer programming: the lexicographically smallest non-negative integer point.
//!
//! For `x + 2 y >= 5, 2 x - 3 y = 0` over `x, y >= 0` the answer is `(3, 2)`: the rational optimum `(15/7, 10/7)` is cut off and the next one is an
//! integer. The method is Gomory's: a dual simplex that keeps every column lexicographically positive (so that the current point is
//! always a lexicographic lower bound), and for the first unknown that is fractional at the optimum a cut that no integer breaks. An equality is
//! pivoted into a column once and the column is dropped. Nothing is symbolic here, which is the difference to [`super::lex_tableau`].

use super::tableau::{Place, exchange, lexicographic};
use crate::presburger::number::budget::{spend, spend_rows};
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, content, reduce};
use std::cmp::Ordering;

/// What a search for an integer point came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<T> {
    Point(Vec<T>),
    Nothing,
    /// The effort that was allowed did not decide.
    Undecided,
}

/// The lexicographically smallest non-negative integer point at which the rows `[constant, c1, .., cn]` of `eq` are 0 and those of `ineq`
/// are not negative, found with at most `most_cuts` cuts. Without a limit it ends if there is such a point or the rational relaxation is
/// bounded.
pub(crate) fn smallest_point<T: Number>(eq: &Matrix<T>, ineq: &Matrix<T>, most_cuts: usize) -> Found<T> {
    let Some(mut tableau) = Tableau::<T>::new(eq, ineq) else { return Found::Nothing };
    if !(0..eq.len()).all(|r| tableau.settle_equality(r)) {
        return Found::Nothing;
    }
    let mut cuts = 0;
    loop {
        if let Some(r) = tableau.most_negative_row() {
            if !tableau.raise(r) {
                return Found::Nothing;
            }
        } else if let Some(r) = tableau.fractional_row() {
            if cuts == most_cuts {
                return Found::Undecided;
            }
            cuts += 1;
            tableau.cut(r);
        } else {
            return Found::Point(tableau.point());
        }
    }
}

/// Rows `[denominator | constant | columns]`: each is an affine form over the columns, which are unknowns or slacks, all `>= 0` and 0 at
/// the current point.
struct Tableau<T> {
    rows: Matrix<T>,
    n_column: usize,
    unknowns: Vec<Place>,
    row_owner: Vec<Option<usize>>,
    column_owner: Vec<Option<usize>>,
}

impl<T: Number> Tableau<T> {
    /// The equalities, then the inequalities; `None` if one of them has no integer point by itself.
    fn new(eq: &Matrix<T>, ineq: &Matrix<T>) -> Option<Self> {
        let n = eq.width() - 1;
        spend_rows(eq.len() + ineq.len(), n);
        let mut rows = Matrix::with_capacity(eq.len() + ineq.len() + n, n + 2);
        for (r, constraint) in eq.rows().chain(ineq.rows()).enumerate() {
            let is_equality = r < eq.len();
            let row = rows.push_zero();
            row[0] = T::one();
            row[1..].clone_from_slice(constraint);
            let g = content(&row[2..]);
            if g.is_zero() || g.is_one() {
                continue;
            }
            if is_equality && !row[1].is_divisible_by(&g) {
                return None;
            }
            row[1] = row[1].div_floor(&g);
            row[2..].iter_mut().for_each(|x| *x = x.div_exact(&g));
        }
        Some(Tableau {
            n_column: n,
            unknowns: (0..n).map(Place::Column).collect(),
            row_owner: vec![None; rows.len()],
            column_owner: (0..n).map(Some).collect(),
            rows,
        })
    }

    /// Makes row `r` zero for good; `false` if it cannot be.
    fn settle_equality(&mut self, r: usize) -> bool {
        let has_positive = |row: &[T]| row[2..].iter().any(Number::is_positive);
        let row = self.rows.row_mut(r);
        if row[1].is_positive() || (row[1].is_zero() && !has_positive(row)) {
            row[1..].iter_mut().for_each(|x| *x = x.neg());
        }
        if !has_positive(row) {
            return row[1].is_zero();
        }
        let column = self.entering_column(r).expect("law: the row has a positive entry");
        self.pivot(r, column);
        self.drop_column(column);
        true
    }

    /// Removes a column whose quantity is always 0; the last column takes its place.
    fn drop_column(&mut self, column: usize) {
        spend(1 + self.rows.len() as u64 / 4);
        let last = self.n_column - 1;
        for r in 0..self.rows.len() {
            let row = self.rows.row_mut(r);
            row.swap(2 + column, 2 + last);
            row[2 + last] = T::zero();
        }
        self.column_owner.swap_remove(column);
        if let Some(&Some(moved)) = self.column_owner.get(column) {
            self.unknowns[moved] = Place::Column(column);
        }
        self.n_column = last;
    }

    fn most_negative_row(&self) -> Option<usize> {
        spend(1 + self.rows.len() as u64 / 4);
        let mut worst: Option<usize> = None;
        for (r, row) in self.rows.rows().enumerate() {
            let is_worse = |w: usize| row[1].mul(&self.rows.row(w)[0]) < self.rows.row(w)[1].mul(&row[0]);
            if row[1].is_negative() && worst.is_none_or(is_worse) {
                worst = Some(r);
            }
        }
        worst
    }

    /// Raises the negative row `r` to 0; `false` if no point satisfies it.
    fn raise(&mut self, r: usize) -> bool {
        match self.entering_column(r) {
            Some(column) => {
                self.pivot(r, column);
                true
            }
            None => false,
        }
    }

    /// The column with a positive entry in row `r` that is lexicographically smallest when divided by that entry.
    fn entering_column(&self, r: usize) -> Option<usize> {
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
        best
    }

    fn pivot(&mut self, r: usize, column: usize) {
        spend_rows(self.rows.len(), 0);
        exchange(&mut self.rows, r, 2 + column, 2 + self.n_column, |_, _| ());
        std::mem::swap(&mut self.row_owner[r], &mut self.column_owner[column]);
        if let Some(u) = self.row_owner[r] {
            self.unknowns[u] = Place::Row(r);
        }
        if let Some(u) = self.column_owner[column] {
            self.unknowns[u] = Place::Column(column);
        }
    }

    /// The row of the first unknown that is not an integer.
    fn fractional_row(&self) -> Option<usize> {
        spend(1 + self.unknowns.len() as u64 / 2);
        self.unknowns.iter().find_map(|place| match *place {
            Place::Row(r) if !self.rows.row(r)[1].is_divisible_by(&self.rows.row(r)[0]) => Some(r),
            _ => None,
        })
    }

    /// Adds the cut that the form of row `source` is an integer.
    fn cut(&mut self, source: usize) {
        spend_rows(1, self.n_column);
        let row: Vec<T> = self.rows.row(source).to_vec();
        let d = &row[0];
        let cut = self.rows.push_zero();
        cut[0] = d.clone();
        cut[1] = row[1].neg().rem_floor(d).neg();
        for c in 2..2 + self.n_column {
            cut[c] = row[c].rem_floor(d);
        }
        reduce(cut);
        self.row_owner.push(None);
    }

    fn point(&self) -> Vec<T> {
        let value = |place: &Place| match *place {
            Place::Column(_) => T::zero(),
            Place::Row(r) => self.rows.row(r)[1].div_exact(&self.rows.row(r)[0]),
        };
        self.unknowns.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::{Int, unless_overflow};

    /// Constraints over `n` non-negative integer unknowns. A row is `[constant, c1, .., cn]`.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    struct Program {
        pub n: usize,
        /// Rows that are 0.
        pub eq: Vec<Vec<i64>>,
        /// Rows that are not negative.
        pub ineq: Vec<Vec<i64>>,
    }

    /// The lexicographically smallest point of the program, if there is one and its coordinates fit a machine word.
    fn lexmin(program: &Program) -> Option<Vec<i64>> {
        let point: Vec<Int> = match unless_overflow(|| solve::<i64>(program)) {
            Some(point) => point?.iter().map(Number::to_int).collect(),
            None => match unless_overflow(|| solve::<i128>(program)) {
                Some(point) => point?.iter().map(Number::to_int).collect(),
                None => solve::<Int>(program)?,
            },
        };
        point.iter().map(Int::as_i64).collect()
    }

    fn solve<T: Number>(program: &Program) -> Option<Vec<T>> {
        let matrix = |rows: &[Vec<i64>]| {
            Matrix::from_rows(1 + program.n, rows.iter().map(|row| row.iter().map(|x| T::from_i64(*x)).collect()))
        };
        match smallest_point(&matrix(&program.eq), &matrix(&program.ineq), usize::MAX) {
            Found::Point(point) => Some(point),
            _ => None,
        }
    }
    use crate::presburger::tests::brute;
    use crate::property::property;

    fn holds(program: &Program, x: &[i64]) -> bool {
        let value = |row: &Vec<i64>| row[0] + row[1..].iter().zip(x).map(|(c, v)| c * v).sum::<i64>();
        program.eq.iter().all(|row| value(row) == 0) && program.ineq.iter().all(|row| value(row) >= 0)
    }

    #[test]
    fn a_fractional_optimum_is_cut_off() {
        let program = Program { n: 2, eq: vec![vec![0, 2, -3]], ineq: vec![vec![-5, 1, 2]] };
        assert_eq!(lexmin(&program), Some(vec![3, 2]));
        let parity = Program { n: 2, eq: vec![vec![-1, 2, -4]], ineq: vec![] };
        assert_eq!(lexmin(&parity), None);
    }

    #[test]
    fn the_smallest_point_of_the_box_is_found() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=3)?;
            let mut program = Program { n, ..Program::default() };
            for v in 0..n {
                let mut row = vec![0; n + 1];
                (row[0], row[1 + v]) = (brute::BOX, -1);
                program.ineq.push(row);
            }
            for _ in 0..u.int_in_range(0..=4)? {
                let mut row = vec![u.int_in_range(-9..=9)?];
                for _ in 0..n {
                    row.push(u.int_in_range(-5..=5)?);
                }
                if u.ratio(1, 3)? { program.eq.push(row) } else { program.ineq.push(row) }
            }
            let expected =
                brute::points(n, brute::BOX).into_iter().find(|x| x.iter().all(|v| *v >= 0) && holds(&program, x));
            assert_eq!(lexmin(&program), expected, "{program:?}");
            assert_eq!(
                solve::<Int>(&program).map(|p| p.iter().map(|v| v.as_i64()).collect()),
                expected.map(|p| { p.into_iter().map(Some).collect::<Vec<_>>() })
            );
            Ok(())
        });
    }

    /// The program of a scheduler: `0 <= c . delta <= u N + w` on a box of four dimensions for some dependences, by Farkas multipliers.
    fn farkas(deltas: &[[i64; 4]]) -> Program {
        let dims = 4;
        let per_form = 1 + 2 * dims;
        let n = 2 + dims + 2 * deltas.len() * per_form;
        let mut program = Program { n, ..Program::default() };
        let mut first = 1 + 2 + dims;
        for delta in deltas {
            for bound in [false, true] {
                let (mut constant, mut size) = (vec![0; n + 1], vec![0; n + 1]);
                (constant[2], size[1]) = (bound as i64, bound as i64);
                let sign = if bound { -1 } else { 1 };
                (0..dims).for_each(|d| constant[3 + d] = sign * delta[d]);
                constant[first] = -1;
                for d in 0..dims {
                    let (lower, upper) = (first + 1 + 2 * d, first + 2 + 2 * d);
                    let mut form = vec![0; n + 1];
                    (form[lower], form[upper]) = (1, -1);
                    program.eq.push(form);
                    size[upper] = -1;
                }
                program.eq.extend([constant, size]);
                first += per_form;
            }
        }
        let mut some = vec![0; n + 1];
        some[0] = -1;
        some[3..3 + dims].fill(1);
        program.ineq.push(some);
        program
    }

    #[test]
    fn the_program_of_a_scheduler_takes_few_steps() {
        let program = farkas(&[[1, 0, 0, 0], [1, -1, 0, 0], [1, 1, -1, 0], [0, 1, 2, -1], [1, 0, 0, 3], [0, 1, 0, 0]]);
        let start = crate::presburger::number::budget::spent();
        let point = lexmin(&program).expect("a schedule");
        assert_eq!(point[..6], [0, 1, 1, 0, 0, 0]);
        assert!(holds(&program, &point));
        let steps = crate::presburger::number::budget::spent() - start;
        assert!(steps < 60_000, "{steps}");
    }
}
