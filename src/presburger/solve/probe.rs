//! A conjunction that is asked again and again: its equalities solved, its tableau kept.
//!
//! Of `{ [i, j] : i = 2 j, 0 <= i <= 9 }` the equality leaves one free integer, `z = j`, with `0 <= 2 z <= 9`. Whether `i <= 8` follows is a question to the
//! tableau of `z`; each point that an answer shows, `z = 4`, refutes other rows without a tableau.

use super::context::Context;
use super::ilp::Found;
use super::sample::search;
use super::simplex::{Bound, Simplex, relax};
use super::unknowns::{Sense, Unknowns};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::conjunction::divs::locals_as_variables;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, dot, negate, tighten};
use std::cell::RefCell;
use std::rc::Rc;

/// Cuts after which a [`Probe`] does not decide: those that everyday cases need are few.
const FEW_CUTS: usize = 6;

/// Points that a [`Probe`] remembers: a few refute most of what can be refuted.
const MOST_POINTS: usize = 12;

/// The effort that was allowed did not decide.
pub(crate) struct Undecided;

/// The solved tableau of a conjunction, for questions about it and a few more constraints. It remembers the points that it meets, which answer most of
/// the questions whose answer is no.
#[derive(Clone, Debug)]
pub(crate) struct Probe<T> {
    free: Rc<Free<T>>,
    rows: Matrix<T>,
    simplex: RefCell<Simplex<T>>,
    points: RefCell<Vec<Vec<T>>>,
    /// Whether there is an integer point for sure.
    inhabited: bool,
}

impl<T: Number> Probe<T> {
    /// `None` if the conjunction has no rational point, or its equalities have no integer solution.
    pub fn new(conj: &Conjunction<T>) -> Option<Self> {
        let free = Free::new(conj)?;
        let simplex = RefCell::new(relax(&free.rows)?);
        let (rows, inhabited) = (free.rows.clone(), conj.witness().is_some());
        Some(Probe { rows, free: Rc::new(free), simplex, points: RefCell::default(), inhabited })
    }

    /// Charges a copy.
    pub fn spend(&self) {
        spend_rows(2 * self.rows.len(), self.rows.width());
    }

    /// The least value of the row over the rational points, rounded up; `None` if there is none.
    pub fn least(&self, row: &[T]) -> Option<T> {
        self.simplex.borrow_mut().minimum(&self.free.over_unknowns(row)).ceil()
    }

    /// Adds `row . (1, x, locals) >= 0`; `false` if no rational point is left.
    pub fn add(&mut self, row: &[T]) -> bool {
        let mut row = self.free.over_unknowns(row);
        tighten(&mut row, 0);
        let simplex = self.simplex.get_mut();
        simplex.add_ineq(&row);
        self.points.get_mut().retain(|z| !value_at(&row, z).is_negative());
        self.inhabited = !self.points.get_mut().is_empty();
        self.rows.push(&row);
        !simplex.is_empty()
    }

    /// Whether it is seen with little effort that all integer points satisfy the row.
    pub fn implies(&self, row: &[T]) -> bool {
        self.relaxation_implies(row).unwrap_or_else(|| {
            let mut outside = row.to_vec();
            negate(&mut outside);
            self.spend();
            let mut probe = self.clone();
            if !probe.add(&outside) {
                return true;
            }
            match search(&probe.rows, probe.simplex.get_mut(), FEW_CUTS) {
                Found::Nothing => true,
                Found::Undecided => false,
                Found::Point(z) => {
                    self.remember(z);
                    false
                }
            }
        })
    }

    /// Whether all integer points satisfy the row, as far as the tableau tells: always if all rational points do.
    pub fn relaxation_implies(&self, row: &[T]) -> Option<bool> {
        let over = self.free.over_unknowns(row);
        spend_rows(self.points.borrow().len(), 0);
        if self.points.borrow().iter().any(|z| value_at(&over, z).is_negative()) {
            return Some(false);
        }
        let mut simplex = self.simplex.borrow_mut();
        match simplex.minimum(&over) {
            Bound::Empty => Some(true),
            Bound::Unbounded => self.inhabited.then_some(false),
            Bound::Value(n, d) if !n.div_ceil(&d).is_negative() => Some(true),
            Bound::Value(..) => {
                let corner = simplex.point();
                let is_integer = corner.iter().all(|(_, d)| d.is_one());
                is_integer.then(|| {
                    self.remember(corner.into_iter().map(|(n, _)| n).collect());
                    false
                })
            }
        }
    }

    fn remember(&self, z: Vec<T>) {
        let mut points = self.points.borrow_mut();
        if points.len() < MOST_POINTS {
            points.push(z);
        }
    }

    /// An integer point that satisfies the row as well: `Err` if little effort does not tell.
    pub fn find(&self, row: &[T]) -> Result<Option<Vec<T>>, Undecided> {
        self.spend();
        let mut probe = self.clone();
        if !probe.add(row) {
            return Ok(None);
        }
        match search(&probe.rows, probe.simplex.get_mut(), FEW_CUTS) {
            Found::Point(z) => Ok(Some(self.free.point(&z))),
            Found::Nothing => Ok(None),
            Found::Undecided => Err(Undecided),
        }
    }
}

fn value_at<T: Number>(row: &[T], z: &[T]) -> T {
    row[0].add(&dot(&row[1..], z))
}

/// A conjunction freed of its equalities: its points are those `outputs . (z, 1)` for integer `z` that satisfy `rows . (1, z) >= 0`.
#[derive(Clone, Debug)]
pub(crate) struct Free<T> {
    pub rows: Matrix<T>,
    outputs: Matrix<T>,
}

impl<T: Number> Free<T> {
    /// `None` if the equalities have no solution, or a constraint without variables fails.
    pub fn new(conj: &Conjunction<T>) -> Option<Self> {
        if conj.known_empty {
            return None;
        }
        let flat = locals_as_variables(conj);
        let mut context = Context::new(&Conjunction::universe(0))?;
        let mut unknowns = Unknowns::new(&flat, flat.n_var, Sense::Minimum, &mut context);
        let required = unknowns.solve_equalities(&mut context);
        let (constraints, bounds) = unknowns.split_ineq(1);
        if required.iter().any(|row| !row[0].is_zero()) || bounds.iter().any(|row| row[0].is_negative()) {
            return None;
        }
        let k = unknowns.order.len();
        let columns: Vec<Option<usize>> = [Some(k)].into_iter().chain((0..k).map(Some)).collect();
        Some(Free { rows: constraints.select_columns(&columns), outputs: unknowns.outputs(1) })
    }

    /// The point `(x, locals)` of a solution.
    pub fn point(&self, z: &[T]) -> Vec<T> {
        self.outputs.rows().map(|row| dot(&row[..z.len()], z).add(&row[z.len()])).collect()
    }

    /// `row . (1, x, locals)` as a row over `(1, z)`.
    fn over_unknowns(&self, row: &[T]) -> Vec<T> {
        spend_rows(row.len(), 0);
        let k = self.rows.width() - 1;
        let mut result = vec![T::zero(); 1 + k];
        result[0] = row[0].clone();
        for (x, output) in row[1..].iter().zip(self.outputs.rows()).filter(|(x, _)| !x.is_zero()) {
            result[1..].iter_mut().zip(&output[..k]).for_each(|(sum, y)| sum.add_mul(x, y));
            result[0].add_mul(x, &output[k]);
        }
        result
    }
}
