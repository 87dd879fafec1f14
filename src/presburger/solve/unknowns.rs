//! The unknowns of a parametric integer program, freed of equalities.
//!
//! In `3 y + 2 e = n, y >= e` with parameter `n` and unknowns `y, e`, the equality is solved over the integers before any
//! tableau is built: unimodular column operations (Euclid on the coefficients 3 and 2) leave `y = 2 t + n`, `e = -3 t - n` with one free unknown
//! `t`; an equality `2 y = n` fixes `y = floor(n / 2)`, a div of the parameters, and requires `n = 2 floor(n / 2)` of them. Then more
//! column operations bring the outputs into echelon form with positive leading entries, so that the lexicographic order of the outputs is that of the
//! free unknowns. The unknowns that no output mentions are existentials, whose order is free: they are chosen such that each has a
//! lower bound in terms of those before it, or no bound at all, so that a smallest solution exists whenever one exists.

use super::context::Context;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::Matrix;
use crate::presburger::number::matrix::tighten;

/// Which optimum is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Minimum,
    Maximum,
}

/// Constraints and outputs as rows `[unknowns | 1 | p]`. See the file's header.
pub(crate) struct Unknowns<T> {
    n_unknown: usize,
    eq: Matrix<T>,
    pub ineq: Matrix<T>,
    /// Each output as an affine form.
    pub out: Matrix<T>,
    /// The columns still in use, in the order of the optimum; the first `n_leading` of them lead an output.
    pub order: Vec<usize>,
    pub n_leading: usize,
}

impl<T: Number> Unknowns<T> {
    /// The last `n_out` variables of `conj` and its locals are unknowns, except for divs of the other variables, which join the context.
    /// For the maximum, the outputs are negated.
    pub fn new(conj: &Conjunction<T>, n_out: usize, sense: Sense, context: &mut Context<T>) -> Self {
        let n_in = conj.n_var - n_out;
        let mut place: Vec<Result<usize, usize>> = (0..=n_in).map(Err).chain((0..n_out).map(Ok)).collect();
        let mut n_unknown = n_out;
        let mut bounded = Vec::new();
        for (l, div) in conj.divs.rows().enumerate() {
            let known = !div[0].is_zero();
            if known && div[1..].iter().enumerate().all(|(c, x)| x.is_zero() || (c < place.len() && place[c].is_err()))
            {
                let mut numerator = vec![T::zero(); context.width()];
                for (x, p) in div[1..].iter().zip(&place) {
                    if let Err(p) = p {
                        numerator[*p] = numerator[*p].add(x);
                    }
                }
                place.push(Err(context.div(&div[0], &numerator)));
            } else {
                if known {
                    bounded.push(l);
                }
                place.push(Ok(n_unknown));
                n_unknown += 1;
            }
        }
        let width = n_unknown + context.width();
        spend_rows(conj.eq.len() + conj.ineq.len() + 2 * bounded.len(), width);
        let place: Vec<usize> = place.into_iter().map(|p| p.unwrap_or_else(|p| n_unknown + p)).collect();
        let flip = sense == Sense::Maximum;
        let placed = |rows: &mut Matrix<T>, row: &[T]| {
            let target = rows.push_zero();
            for (x, &p) in row.iter().zip(&place) {
                let x = if flip && p < n_out { x.neg() } else { x.clone() };
                target[p] = target[p].add(&x);
            }
        };
        let (mut eq, mut ineq) = (Matrix::new(width), Matrix::with_capacity(conj.ineq.len() + n_unknown, width));
        conj.eq.rows().for_each(|row| placed(&mut eq, row));
        conj.ineq.rows().for_each(|row| placed(&mut ineq, row));
        bounded.iter().flat_map(|&l| conj.div_bounds(l)).for_each(|row| placed(&mut ineq, &row));
        let mut out = Matrix::with_capacity(n_out, width);
        (0..n_out).for_each(|i| out.push_zero()[i] = T::one());
        Unknowns { n_unknown, eq, ineq, out, order: (0..n_unknown).collect(), n_leading: 0 }
    }

    fn widen(&mut self, width: usize) {
        let old = self.out.width();
        if width > old {
            let columns: Vec<Option<usize>> = (0..width).map(|c| (c < old).then_some(c)).collect();
            for matrix in [&mut self.eq, &mut self.ineq, &mut self.out] {
                *matrix = matrix.select_columns(&columns);
            }
        }
    }

    /// Solves the equalities; returns what they require of the parameters, as rows over `p` that must be 0.
    pub fn solve_equalities(&mut self, context: &mut Context<T>) -> Vec<Vec<T>> {
        let mut required = Vec::new();
        while !self.eq.is_empty() {
            let r = self.easiest_equality();
            let fixed = (0..self.n_unknown).filter(|&c| !self.eq.row(r)[c].is_zero()).count();
            if fixed == 0 {
                required.push(self.eq.row(r)[self.n_unknown..].to_vec());
                self.eq.swap_remove(r);
                continue;
            }
            let c = self.isolate(r);
            let row = self.eq.row(r).to_vec();
            self.eq.swap_remove(r);
            if row[c].is_one() || row[c].neg().is_one() {
                self.substitute(c, &row);
            } else {
                let (row, requirement) = self.solve_with_div(c, row, context);
                required.push(requirement);
                self.substitute(c, &row);
            }
        }
        required.iter_mut().for_each(|row| row.resize(context.width(), T::zero()));
        required
    }

    /// An equality in which some unknown has coefficient 1 or -1 if there is one, else one with few unknowns.
    fn easiest_equality(&self) -> usize {
        let cost = |row: &[T]| {
            let used = row[..self.n_unknown].iter().filter(|x| !x.is_zero()).count();
            (used != 0 && !row[..self.n_unknown].iter().any(|x| x.abs().is_one()), used)
        };
        (0..self.eq.len()).min_by_key(|&r| cost(self.eq.row(r))).expect("law: there is an equality")
    }

    /// Column operations until some unknown has coefficient 1 or -1 in equality `r`, or only one unknown is left in it: its column.
    fn isolate(&mut self, r: usize) -> usize {
        loop {
            let row = self.eq.row(r);
            let smallest = (0..self.n_unknown)
                .rev()
                .filter(|&c| !row[c].is_zero())
                .min_by_key(|&c| row[c].abs())
                .expect("law: the equality has an unknown");
            let done = row[smallest].abs().is_one() || (0..self.n_unknown).all(|c| c == smallest || row[c].is_zero());
            if done {
                return smallest;
            }
            for c in 0..self.n_unknown {
                let row = self.eq.row(r);
                if c != smallest && !row[c].is_zero() {
                    let q = row[c].div_floor(&row[smallest]);
                    self.subtract_column(c, smallest, &q);
                }
            }
        }
    }

    /// Column `a` minus `q` times column `b`: the unknown of `b` stands for itself plus `-q` times that of `a`.
    fn subtract_column(&mut self, a: usize, b: usize, q: &T) {
        spend_rows(self.eq.len() + self.ineq.len() + self.out.len(), 0);
        let factor = q.neg();
        for matrix in [&mut self.eq, &mut self.ineq, &mut self.out] {
            for r in 0..matrix.len() {
                let row = matrix.row_mut(r);
                if !row[b].is_zero() {
                    let x = row[b].clone();
                    row[a].add_mul(&x, &factor);
                }
            }
        }
    }

    fn negate_column(&mut self, c: usize) {
        spend_rows(self.eq.len() + self.ineq.len() + self.out.len(), 0);
        for matrix in [&mut self.eq, &mut self.ineq, &mut self.out] {
            for r in 0..matrix.len() {
                let row = matrix.row_mut(r);
                row[c] = row[c].neg();
            }
        }
    }

    /// Replaces the unknown of column `c`, whose coefficient in the equality `by` is 1 or -1.
    fn substitute(&mut self, c: usize, by: &[T]) {
        spend_rows(self.eq.len() + self.ineq.len() + self.out.len(), 0);
        for matrix in [&mut self.eq, &mut self.ineq, &mut self.out] {
            for r in 0..matrix.len() {
                let row = matrix.row_mut(r);
                if row[c].is_zero() {
                    continue;
                }
                let factor = row[c].mul(&by[c]).neg();
                crate::presburger::number::matrix::combine(row, &T::one(), by, &factor);
            }
        }
        self.order.retain(|&o| o != c);
    }

    /// For `g z + e(p) = 0` in the row: `z = floor(-e(p) / g)` as an equality with coefficient 1, and the form over `p` that must be 0 for this to
    /// be exact.
    fn solve_with_div(&mut self, c: usize, mut row: Vec<T>, context: &mut Context<T>) -> (Vec<T>, Vec<T>) {
        if row[c].is_negative() {
            row.iter_mut().for_each(|x| *x = x.neg());
        }
        let g = row[c].clone();
        let negated: Vec<T> = row[self.n_unknown..].iter().map(Number::neg).collect();
        let mut requirement: Vec<T> = negated.iter().map(|x| x.rem_floor(&g)).collect();
        let mut solved = vec![T::zero(); self.n_unknown];
        solved[c] = T::one();
        solved.extend(negated.iter().map(|x| x.div_floor(&g).neg()));
        if requirement[1..].iter().any(|x| !x.is_zero()) {
            let q = context.div(&g, &requirement);
            self.widen(self.n_unknown + context.width());
            solved.resize(self.out.width(), T::zero());
            requirement.resize(context.width(), T::zero());
            solved[self.n_unknown + q] = solved[self.n_unknown + q].sub(&T::one());
            requirement[q] = requirement[q].sub(&g);
        }
        (solved, requirement)
    }

    /// Orders the free unknowns as the file's header says. The equalities have been solved.
    pub fn order(&mut self) {
        let mut leading = Vec::new();
        for r in 0..self.out.len() {
            if let Some(c) = self.lead(Rows::Out, r, &self.order.clone()) {
                self.order.retain(|&f| f != c);
                leading.push(c);
            }
        }
        self.n_leading = leading.len();
        self.order_existentials(leading);
    }

    /// Appends the free unknowns that lead no output to those that do, such that each is bounded from below; those in no
    /// constraint are left out.
    fn order_existentials(&mut self, leading: Vec<usize>) {
        let mut free = std::mem::replace(&mut self.order, leading);
        let mut candidates: Vec<usize> = (0..self.ineq.len()).collect();
        while !free.is_empty() {
            candidates.retain(|&r| free.iter().any(|&c| !self.ineq.row(r)[c].is_zero()));
            let cost = |&r: &usize| {
                let row = self.ineq.row(r);
                let used = free.iter().filter(|&&c| !row[c].is_zero()).count();
                let unit = free.iter().any(|&c| row[c].abs().is_one());
                (used > 1, !unit, used)
            };
            let Some(r) = candidates.iter().copied().min_by_key(cost) else { break };
            if let Some(c) = self.lead(Rows::Ineq, r, &free) {
                free.retain(|&f| f != c);
                self.order.push(c);
            }
        }
    }

    /// Column operations on the columns `free` that leave one of them, positive, in row `r`: that one.
    fn lead(&mut self, rows: Rows, r: usize, free: &[usize]) -> Option<usize> {
        loop {
            let row = match rows {
                Rows::Out => self.out.row(r),
                Rows::Ineq => self.ineq.row(r),
            };
            let smallest = free.iter().copied().filter(|&c| !row[c].is_zero()).min_by_key(|&c| row[c].abs())?;
            let others: Vec<(usize, T)> = free
                .iter()
                .filter(|&&c| c != smallest && !row[c].is_zero())
                .map(|&c| (c, row[c].div_floor(&row[smallest])))
                .collect();
            if others.is_empty() {
                if row[smallest].is_negative() {
                    self.negate_column(smallest);
                }
                return Some(smallest);
            }
            others.iter().for_each(|(c, q)| self.subtract_column(*c, smallest, q));
        }
    }

    /// The inequalities over the ordered unknowns, as rows `[unknowns | 1 | p]`, tightened; those without unknowns apart, as rows over `p`.
    pub fn split_ineq(&self, width: usize) -> (Matrix<T>, Vec<Vec<T>>) {
        let k = self.order.len();
        let mut constraints = Matrix::with_capacity(self.ineq.len(), k + width);
        let mut required = Vec::new();
        for row in self.ineq.rows() {
            let mut parametric = row[self.n_unknown..].to_vec();
            parametric.resize(width, T::zero());
            if self.order.iter().all(|&c| row[c].is_zero()) {
                required.push(parametric);
                continue;
            }
            let mut selected: Vec<T> = self.order.iter().map(|&c| row[c].clone()).collect();
            selected.extend(parametric);
            tighten(&mut selected, k);
            if !constraints.rows().any(|known| known == selected) {
                constraints.push(&selected);
            }
        }
        (constraints, required)
    }

    /// The outputs over the ordered unknowns, as rows `[unknowns | 1 | p]`.
    pub fn outputs(&self, width: usize) -> Matrix<T> {
        let columns: Vec<Option<usize>> = self
            .order
            .iter()
            .map(|&c| Some(c))
            .chain((self.n_unknown..self.n_unknown + width).map(|c| (c < self.out.width()).then_some(c)))
            .collect();
        self.out.select_columns(&columns)
    }
}

#[derive(Clone, Copy)]
enum Rows {
    Out,
    Ineq,
}
