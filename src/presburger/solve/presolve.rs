//! What can be decided about integer points without a tableau.
//!
//! Does `{ [n, i, j] : n >= 10, 0 <= i <= n, i + j <= 7, 3 j >= 2 n - 40 }` have an integer point? `n` can be as large as it likes if only lower bounds
//! held it; here it has upper ones too. But `j` has one upper bound with coefficient 1, so that `j = 7 - i` is as good as any other value, which
//! leaves `21 - 3 i >= 2 n - 40`; then `i = 0` is best, then `n = 10`: nothing is left, there is a point, and going back through the
//! steps finds `(10, 0, 7)`. In general an equality with a unit coefficient (Euclid's algorithm on its unknowns makes one) is solved;
//! an unknown with bounds on one side only goes with them; one with unit coefficients in all its lower or all its upper bounds is
//! projected out exactly (Fourier and Motzkin), as long as that does not add rows. Most questions of a compiler end here.

use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::{spend, spend_rows};
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, combine, dot};

/// How an unknown that is gone gets its value from those that stay.
#[derive(Clone, Debug)]
enum Step {
    /// `row . (1, x)` of row `row` of the kept ones.
    Value { column: usize, row: usize },
    /// Unknown `column` was replaced by itself plus a multiple (in the kept row) of unknown `other`.
    Turn { column: usize, other: usize, row: usize },
    /// The least (or greatest) integer that the kept rows `first..end` allow.
    Bound { column: usize, first: usize, end: usize, side: Side },
}

/// Which of the integers that bounds allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Least,
    Greatest,
}

/// Constraints reduced to fewer unknowns, with the way back.
#[derive(Clone, Debug)]
pub(crate) struct Reduction<T> {
    steps: Vec<Step>,
    kept: Matrix<T>,
    n: usize,
    /// The unknowns of `rest`.
    columns: Vec<usize>,
    /// What is left to decide: inequalities only.
    pub rest: Conjunction<T>,
}

impl<T: Number> Reduction<T> {
    /// The reduction of a conjunction over its variables and locals; `None` if it has no integer point.
    pub fn of(conj: &Conjunction<T>) -> Option<Self> {
        Self::begin(conj, Self::run)
    }

    /// Only the equalities are solved: the points of `rest` are those of the conjunction, one to one.
    pub fn of_equalities(conj: &Conjunction<T>) -> Option<Self> {
        Self::begin(conj, Self::solve_equalities)
    }

    fn begin(conj: &Conjunction<T>, run: impl Fn(&mut Self, &mut [bool]) -> bool) -> Option<Self> {
        if conj.known_empty {
            return None;
        }
        let n = conj.width() - 1;
        spend_rows(2 * (conj.ineq.len() + conj.eq.len()), n);
        let mut ineq = conj.ineq.clone();
        for l in (0..conj.n_local()).filter(|&l| !conj.divs.row(l)[0].is_zero()) {
            conj.div_bounds(l).iter().for_each(|row| ineq.push(row));
        }
        let rest = Conjunction { eq: conj.eq.clone(), ineq, simplified: false, ..Conjunction::universe(n) };
        let mut reduction = Reduction { steps: Vec::new(), kept: Matrix::new(1 + n), n, columns: Vec::new(), rest };
        let mut alive = vec![true; n];
        if !run(&mut reduction, &mut alive) {
            return None;
        }
        reduction.columns = (0..n).filter(|&v| alive[v]).collect();
        let select: Vec<Option<usize>> =
            [0].into_iter().chain(reduction.columns.iter().map(|v| 1 + v)).map(Some).collect();
        let ineq = reduction.rest.ineq.select_columns(&select);
        reduction.rest =
            Conjunction { ineq, simplified: true, irredundant: false, ..Conjunction::universe(select.len() - 1) };
        Some(reduction)
    }

    /// No unknown is left: there is an integer point.
    pub fn is_decided(&self) -> bool {
        self.columns.is_empty()
    }

    /// All unknowns, given the values of those that stayed.
    pub fn complete(&self, values: &[T]) -> Vec<T> {
        let mut point = vec![T::zero(); 1 + self.n];
        point[0] = T::one();
        self.columns.iter().zip(values).for_each(|(v, x)| point[1 + v] = x.clone());
        for step in self.steps.iter().rev() {
            match *step {
                Step::Value { column, row } => point[column] = dot(self.kept.row(row), &point),
                Step::Turn { column, other, row } => {
                    let moved = self.kept.row(row)[other].mul(&point[other]);
                    point[column] = point[column].add(&moved);
                }
                Step::Bound { column, first, end, side } => {
                    point[column] = self.bound(&point, column, first..end, side)
                }
            }
        }
        point.remove(0);
        point
    }

    /// The affine form over all unknowns that has the values of `row` over those of `rest`, where only equalities were solved.
    pub fn in_terms_of_all(&self, row: &[T]) -> Vec<T> {
        let mut result = vec![T::zero(); 1 + self.n];
        result[0] = row[0].clone();
        self.columns.iter().zip(&row[1..]).for_each(|(v, x)| result[1 + v] = x.clone());
        for step in self.steps.iter().rev() {
            if let Step::Turn { column, other, row } = *step {
                let moved = self.kept.row(row)[other].mul(&result[column]);
                result[other] = result[other].sub(&moved);
            }
        }
        result
    }

    fn bound(&self, point: &[T], column: usize, rows: std::ops::Range<usize>, side: Side) -> T {
        let at = |r: usize| {
            let row = self.kept.row(r);
            let rest = dot(row, point).sub(&row[column].mul(&point[column]));
            match side {
                Side::Least => rest.neg().div_ceil(&row[column]),
                Side::Greatest => rest.div_floor(&row[column].neg()),
            }
        };
        let all = rows.filter(|&r| self.kept.row(r)[column].is_positive() == (side == Side::Least)).map(at);
        let best = match side {
            Side::Least => all.max(),
            Side::Greatest => all.min(),
        };
        best.unwrap_or_else(T::zero)
    }

    /// Reduces until nothing is gained; false if there is no integer point.
    fn run(&mut self, alive: &mut [bool]) -> bool {
        loop {
            if !self.solve_equalities(alive) {
                return false;
            }
            let found = self.rest.tighten_inequalities();
            if self.rest.known_empty {
                return false;
            }
            if !found && !self.project_one(alive) {
                return true;
            }
        }
    }

    fn solve_equalities(&mut self, alive: &mut [bool]) -> bool {
        while !self.rest.eq.is_empty() {
            if !self.rest.reduce_equalities() {
                return false;
            }
            let is_unit = |row: &[T]| row[1..].iter().any(|x| x.abs().is_one());
            let r = (0..self.rest.eq.len()).find(|&r| is_unit(self.rest.eq.row(r))).unwrap_or(0);
            let Some(column) = self.unit_column(r) else {
                self.rest.eq.swap_remove(r);
                continue;
            };
            self.solve_for(r, column);
            alive[column - 1] = false;
        }
        true
    }

    /// A column with coefficient 1 or -1 in equality `r`, coprime and with at least one unknown, after changes of unknowns if need be; `None` if the
    /// equality has no unknowns.
    fn unit_column(&mut self, r: usize) -> Option<usize> {
        loop {
            let row = self.rest.eq.row(r);
            let smallest = (1..row.len()).filter(|&c| !row[c].is_zero()).min_by_key(|&c| row[c].abs())?;
            if row[smallest].abs().is_one() {
                let units = (1..row.len()).filter(|&c| row[c].abs().is_one());
                spend_rows(self.rest.ineq.len(), 0);
                return units.min_by_key(|&c| self.rest.ineq.rows().filter(|row| !row[c].is_zero()).count());
            }
            for c in 1..row.len() {
                let row = self.rest.eq.row(r);
                if c != smallest && !row[c].is_zero() {
                    let factor = row[c].div_floor(&row[smallest]).neg();
                    self.turn(smallest, c, &factor);
                }
            }
        }
    }

    /// Replaces unknown `column` by itself plus `factor` times unknown `other`.
    fn turn(&mut self, column: usize, other: usize, factor: &T) {
        spend(1 + (self.rest.eq.len() + self.rest.ineq.len()) as u64 / 4);
        for matrix in [&mut self.rest.eq, &mut self.rest.ineq] {
            for r in 0..matrix.len() {
                let row = matrix.row_mut(r);
                if !row[column].is_zero() {
                    let x = row[column].clone();
                    row[other].add_mul(&x, factor);
                }
            }
        }
        self.kept.push_zero()[other] = factor.clone();
        self.steps.push(Step::Turn { column, other, row: self.kept.len() - 1 });
    }

    /// Uses equality `r`, in which the column has coefficient 1 or -1.
    fn solve_for(&mut self, r: usize, column: usize) {
        let mut row = self.rest.eq.row(r).to_vec();
        self.rest.eq.swap_remove(r);
        if row[column].is_positive() {
            row.iter_mut().for_each(|x| *x = x.neg());
        }
        spend(1 + (self.rest.eq.len() + self.rest.ineq.len()) as u64 / 4);
        for matrix in [&mut self.rest.eq, &mut self.rest.ineq] {
            for r in 0..matrix.len() {
                let target = matrix.row_mut(r);
                if !target[column].is_zero() {
                    let factor = target[column].clone();
                    combine(target, &T::one(), &row, &factor);
                }
            }
        }
        row[column] = T::zero();
        self.kept.push(&row);
        self.steps.push(Step::Value { column, row: self.kept.len() - 1 });
    }

    /// Projects out the unknown for which that is exact and leaves fewest rows; false if there is none.
    fn project_one(&mut self, alive: &mut [bool]) -> bool {
        let mut best: Option<(isize, usize, bool)> = None;
        for column in (0..self.n).filter(|&v| alive[v]).map(|v| 1 + v) {
            spend(1 + self.rest.ineq.len() as u64 / 4);
            let (mut lower, mut upper, mut unit_lower, mut unit_upper) = (0, 0, true, true);
            for row in self.rest.ineq.rows() {
                let x = &row[column];
                match x.sign() {
                    0 => {}
                    1 => {
                        lower += 1;
                        unit_lower &= x.is_one();
                    }
                    _ => {
                        upper += 1;
                        unit_upper &= x.neg().is_one();
                    }
                }
            }
            let growth: isize = lower * upper - lower - upper;
            let exact = unit_lower || unit_upper || lower == 0 || upper == 0;
            if exact && growth <= 0 && best.is_none_or(|(g, _, _)| growth < g) {
                best = Some((growth, column, if lower == 0 || upper == 0 { upper == 0 } else { unit_lower }));
            }
        }
        let Some((_, column, is_least)) = best else { return false };
        self.project(column, if is_least { Side::Least } else { Side::Greatest });
        alive[column - 1] = false;
        true
    }

    fn project(&mut self, column: usize, side: Side) {
        spend_rows(self.rest.ineq.len(), self.n);
        let first = self.kept.len();
        for row in self.rest.ineq.rows().filter(|row| !row[column].is_zero()) {
            self.kept.push(row);
        }
        let end = self.kept.len();
        self.rest.ineq.retain(|row| row[column].is_zero());
        for a in (first..end).filter(|&r| self.kept.row(r)[column].is_positive()) {
            for b in (first..end).filter(|&r| self.kept.row(r)[column].is_negative()) {
                let target = self.rest.ineq.push_zero();
                let (x, y) = (self.kept.row(a), self.kept.row(b));
                target.clone_from_slice(x);
                combine(target, &y[column].neg(), y, &x[column]);
            }
        }
        self.steps.push(Step::Bound { column, first, end, side });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_example_of_the_header_needs_no_tableau() {
        let mut conj = Conjunction::<i64>::universe(3);
        for row in [[-10, 1, 0, 0], [0, 0, 1, 0], [0, 1, -1, 0], [7, 0, -1, -1], [40, -2, 0, 3]] {
            conj.add_ineq(&row);
        }
        let reduction = Reduction::of(&conj).expect("there is a point");
        assert!(reduction.is_decided());
        let point = reduction.complete(&[]);
        let full: Vec<i64> = [1].into_iter().chain(point).collect();
        assert!(conj.ineq.rows().all(|row| dot(row, &full) >= 0), "{full:?}");
    }

    #[test]
    fn what_is_decided_is_right_and_what_is_left_leads_back() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=3)?;
            let conj = brute::bounded(&brute::conjunction(u, n, 2, 4)?);
            let Some(reduction) = unless_overflow(|| Reduction::of(&conj)) else { return Ok(()) };
            let has_point = || brute::points(n, brute::BOX).iter().any(|x| brute::contains(&conj, x));
            let Some(reduction) = reduction else {
                assert!(!has_point(), "{conj:?}");
                return Ok(());
            };
            let k = reduction.rest.n_var;
            let Some(inner) = brute::points(k, 2).into_iter().find(|x| brute::contains(&reduction.rest, x)) else {
                assert!(k > 0);
                return Ok(());
            };
            let full: Vec<i64> = [1].into_iter().chain(reduction.complete(&inner)).collect();
            assert!(conj.eq.rows().all(|row| dot(row, &full) == 0), "{full:?} in {conj:?}");
            assert!(conj.ineq.rows().all(|row| dot(row, &full) >= 0), "{full:?} in {conj:?}");
            assert!(brute::contains(&conj, &full[1..=n]), "{full:?} in {conj:?}");
            Ok(())
        });
    }
}
