//! Relations: hulls, redundancy and implicit equalities, by search for integer points.
//!
//! Whether `i >= 0` is redundant in `{ [i] : i >= 0 and 2 i >= 1 }` is whether `i <= -1` has a point with the other constraints. The
//! simple hull of a union keeps each constraint of each piece, weakened until it holds in all pieces.

use super::basic_map::BasicMap;
use super::conjunction::Conjunction;
use super::int::Number;
use super::map::Map;

use super::pieces::{Pieces, Precision, exact};
use super::{hull, project, redundancy, sample};
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

    /// The smallest conjunction made of constraints of the pieces, shifted. isl: `map_simple_hull`.
    pub fn simple_hull(&self) -> BasicMap {
        self.hull(|all| exact!(a = all => Precision::store(vec![hull::simple_hull(a, true)])))
    }

    /// The smallest conjunction made of constraints of the pieces as they are. isl: `map_unshifted_simple_hull`.
    pub fn unshifted_simple_hull(&self) -> BasicMap {
        self.hull(|all| exact!(a = all => Precision::store(vec![hull::simple_hull(a, false)])))
    }

    /// The smallest conjunction without locals that holds it over the rationals. isl: `map_convex_hull`.
    pub fn convex_hull(&self) -> BasicMap {
        self.remove_divs().hull(|all| exact!(a = all => Precision::store(vec![convex_hull(a)])))
    }

    /// [`Map::convex_hull`]. isl: `map_polyhedral_hull`.
    pub fn polyhedral_hull(&self) -> BasicMap {
        self.convex_hull()
    }

    /// The pairs that satisfy all equalities, and all conditions on remainders if it has one piece, that hold for each pair.
    /// isl: `map_affine_hull`.
    pub fn affine_hull(&self) -> BasicMap {
        if self.n_pieces() == 1 {
            let equalities = self.detect_equalities();
            return BasicMap(Map::new(
                &self.space,
                exact!(a = &equalities.pieces => Precision::store(a.iter().map(equalities_only).collect())),
            ));
        }
        BasicMap(Map::new(&self.space, exact!(a = &self.pieces => Precision::store(vec![hull::affine_hull(a)]))))
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

fn equalities_only<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let mut result = conj.clone();
    result.ineq.clear();
    result.touched();
    result.simplify();
    result
}

/// The closed convex hull of pieces without locals: `x` is a sum of points of the pieces' cones whose heights add up to 1.
fn convex_hull<T: Number>(pieces: &[Conjunction<T>]) -> Conjunction<T> {
    let mut rest = pieces.iter();
    let Some(first) = rest.next() else { return Conjunction::empty(0) };
    rest.fold(first.clone(), |hull, piece| hull_of_two(&hull, piece))
}

/// All rows are homogeneous over `[x, one, y, height]`, where `y` is the part of `x` in the cone of `a`: rounding constants to integers,
/// which elimination does, changes nothing.
fn hull_of_two<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> Conjunction<T> {
    let n = a.n_var;
    let mut lifted = Conjunction::<T>::universe(2 * n + 2);
    let width = lifted.width();
    let (one, height) = (1 + n, 2 + 2 * n);
    let mine = |row: &[T]| {
        let mut wide = vec![T::zero(); width];
        wide[height] = row[0].clone();
        wide[2 + n..2 + 2 * n].clone_from_slice(&row[1..=n]);
        wide
    };
    let theirs = |row: &[T]| {
        let mut wide = vec![T::zero(); width];
        wide[one] = row[0].clone();
        wide[height] = row[0].neg();
        for v in 0..n {
            wide[1 + v] = row[1 + v].clone();
            wide[2 + n + v] = row[1 + v].neg();
        }
        wide
    };
    a.eq.rows().for_each(|row| lifted.add_eq(&mine(row)));
    a.ineq.rows().for_each(|row| lifted.add_ineq(&mine(row)));
    b.eq.rows().for_each(|row| lifted.add_eq(&theirs(row)));
    b.ineq.rows().for_each(|row| lifted.add_ineq(&theirs(row)));
    let mut at_least_0 = vec![T::zero(); width];
    at_least_0[height] = T::one();
    lifted.add_ineq(&at_least_0);
    let mut at_most_1 = vec![T::zero(); width];
    (at_most_1[one], at_most_1[height]) = (T::one(), T::one().neg());
    lifted.add_ineq(&at_most_1);
    let shadow = project::eliminate_rational(&lifted, n + 1, n + 1);
    let mut hull = Conjunction::universe(n);
    let affine = |row: &[T]| {
        let mut narrow = row[..=n].to_vec();
        narrow[0] = row[one].clone();
        narrow
    };
    shadow.eq.rows().for_each(|row| hull.add_eq(&affine(row)));
    shadow.ineq.rows().for_each(|row| hull.add_ineq(&affine(row)));
    hull.simplify();
    without_redundancies(&hull)
}
