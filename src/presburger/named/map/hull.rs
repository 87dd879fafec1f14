//! Relations: hulls, redundancy and implicit equalities, by search for integer points.
//!
//! Whether `i >= 0` is redundant in `{ [i] : i >= 0 and 2 i >= 1 }` is whether `i <= -1` has a point with the other constraints. The
//! simple hull of a union keeps each constraint of each piece, weakened until it holds in all pieces.

use super::Map;
use crate::presburger::algebra::hull::Shift;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::named::basic_map::BasicMap;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::solve_last_first;

use crate::presburger::algebra::pieces::{Pieces, Precision, exact};
use crate::presburger::algebra::{convex_hull, hull};
use crate::presburger::solve::{project, redundancy, sample};
use std::rc::Rc;

impl Map {
    /// Equal, without constraints that the others of a piece imply, nor empty pieces. isl: `map_remove_redundancies`.
    pub fn remove_redundancies(&self) -> Map {
        let pieces = exact!(a = &self.pieces => Precision::store(a.iter().map(without_redundancies).collect()));
        Map::new(&self.space, pieces)
    }

    /// Equal, with all implied equalities of each piece explicit. isl: `map_detect_equalities`.
    pub fn detect_equalities(&self) -> Map {
        let pieces = exact!(a = &self.pieces => Precision::store(a.iter().map(hull::with_all_equalities).collect()));
        Map::new(&self.space, pieces)
    }

    /// The pieces without locals, with the constraints that hold over the rationals: a superset. isl: `map_remove_divs`.
    pub fn remove_divs(&self) -> Map {
        let pieces = exact!(a = &self.pieces => Precision::store(a.iter().map(project::without_locals).collect()));
        Map::new(&self.space, pieces)
    }

    /// The pieces with divs as their only locals, and the constraints that hold over the rationals: a superset.
    /// isl: `map_remove_unknown_divs`.
    pub fn remove_unknown_divs(&self) -> Map {
        if !self.has_unknown_locals() {
            return self.clone();
        }
        let pieces = exact!(a = &self.pieces => Precision::store(a.iter().map(without_unknown_locals).collect()));
        Map::new(&self.space, pieces)
    }

    /// The smallest conjunction made of constraints of the pieces, shifted, and of the equalities of the whole. isl: `map_simple_hull`.
    pub fn simple_hull(&self) -> BasicMap {
        self.exact_hull(Shift::Tight)
    }

    /// The smallest conjunction made of constraints of the pieces as they are, and of the equalities of the whole.
    /// isl: `map_unshifted_simple_hull`.
    pub fn unshifted_simple_hull(&self) -> BasicMap {
        self.exact_hull(Shift::Never)
    }

    /// Pieces without a point, and thin ones that lie in a hyperplane, would hold the constraints of the others wide open: `3 n = 8` has no bounds.
    fn exact_hull(&self, shift: Shift) -> BasicMap {
        if self.n_pieces() <= 1 {
            return BasicMap(self.clone());
        }
        let exact = self.detect_equalities();
        let hull = exact.hull(|all| exact!(a = all => Precision::store(vec![hull::simple_hull(a, shift)])));
        let is_thin = |conj: &Conjunction<Int>| !conj.eq.is_empty();
        if exact.n_pieces() > 1 && exact.pieces.wide().iter().all(is_thin) {
            return hull.intersect(&exact.affine_hull());
        }
        hull
    }

    /// [`Map::simple_hull`] of the pieces as they are written: larger, and found without a search.
    pub(crate) fn plain_hull(&self) -> BasicMap {
        self.hull(|all| exact!(a = all => Precision::store(vec![hull::simple_hull(a, Shift::Weaker)])))
    }

    /// The smallest conjunction that holds it over the rationals, with the values of the pieces' divs as further coordinates: of
    /// `{ [i] : i mod 2 = 0 and 0 <= i <= 9 }` it is that set, with `i <= 8`. isl: `map_convex_hull`.
    pub fn convex_hull(&self) -> BasicMap {
        let pieces = self.detect_equalities();
        if pieces.n_pieces() <= 1 {
            return BasicMap(pieces);
        }
        pieces.remove_unknown_divs().hull(|all| exact!(a = all => Precision::store(vec![convex_hull::convex_hull(a)])))
    }

    /// The smallest conjunction without divs that holds it over the rationals: of the same set `{ [i] : 0 <= i <= 8 }`.
    /// isl: `map_polyhedral_hull`.
    pub fn polyhedral_hull(&self) -> BasicMap {
        let pieces = self.detect_equalities();
        pieces.remove_divs().hull(|all| exact!(a = all => Precision::store(vec![convex_hull::polyhedral_hull(a)])))
    }

    /// The pairs that satisfy all equalities, and all conditions on remainders if it has one piece, that hold for each pair.
    /// isl: `map_affine_hull`.
    pub fn affine_hull(&self) -> BasicMap {
        let equalities = |a: &Pieces| exact!(a = a => Precision::store(a.iter().map(equalities_only).collect()));
        let exact = self.detect_equalities();
        let pieces = equalities(&exact.pieces);
        if exact.n_pieces() <= 1 {
            return BasicMap(Map::new(&self.space, pieces));
        }
        BasicMap(Map::new(&self.space, exact!(a = &pieces => Precision::store(vec![hull::affine_hull(a)]))))
    }

    fn hull(&self, hull: impl Fn(&Pieces) -> Rc<Pieces>) -> BasicMap {
        if self.n_pieces() <= 1 {
            return BasicMap(self.clone());
        }
        BasicMap(Map::new(&self.space, hull(&self.pieces)))
    }
}

fn without_redundancies<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let mut result = conj.clone();
    redundancy::remove_redundancies(&mut result);
    if sample::is_empty(&result) { Conjunction::empty(conj.n_var) } else { result }
}

fn without_unknown_locals<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let open = project::unknown_locals_as_variables(conj);
    let extra = open.n_var - conj.n_var;
    let shadow = project::eliminate_rational(&open, conj.n_var, extra);
    shadow.project_to_locals(conj.n_var, extra).simplified()
}

/// The equalities alone. A division that one of them fixes is only some integer then, so that what they say of remainders stays: of
/// `j = i - 2 floor(i/2)`, where `j` is 0 or 1, that `i - j` is even.
fn equalities_only<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let mut result = conj.clone();
    result.ineq.clear();
    let mut column = result.width();
    while column > 1 + result.n_var {
        column -= 1;
        if let Some(r) = (0..result.eq.len()).find(|&r| result.eq.row(r)[column].abs().is_one()) {
            let by = result.eq.row(r).to_vec();
            replace_in_divs(&mut result, column, &by);
            project::substitute_unit(&mut result, column);
            column = result.width();
        }
    }
    forget_fixed_divs(&mut result);
    result.ineq.clear();
    result.touched();
    project::eliminate_easy(&mut result);
    result.simplify();
    result
}

/// Writes the local in the column, which has coefficient 1 or -1 in the equality, by the others in the definitions of divs; those that would be
/// defined by themselves or by later ones lose their definition.
fn replace_in_divs<T: Number>(conj: &mut Conjunction<T>, column: usize, equality: &[T]) {
    let first = 1 + conj.n_var;
    for l in 0..conj.n_local() {
        let div = conj.divs.row_mut(l);
        let factor = div[1 + column].mul(&equality[column]).neg();
        if factor.is_zero() {
            continue;
        }
        div[1..].iter_mut().zip(equality).for_each(|(cell, by)| cell.add_mul(by, &factor));
        if div[1 + first + l..].iter().any(|cell| !cell.is_zero()) {
            div.iter_mut().for_each(|cell| *cell = T::zero());
        }
    }
    conj.forget_divs_on_unknown_locals();
}

/// Takes the definitions from the locals that the equalities can be solved for, the last one of each first.
fn forget_fixed_divs<T: Number>(conj: &mut Conjunction<T>) {
    for column in solve_last_first(&mut conj.eq.clone(), 1 + conj.n_var..conj.width()) {
        conj.divs.row_mut(column - 1 - conj.n_var).iter_mut().for_each(|cell| *cell = T::zero());
    }
    conj.forget_divs_on_unknown_locals();
}
