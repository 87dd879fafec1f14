//! One conjunction with names: basic relations and sets, and their constraints as data.
//!
//! `{ [i, j] : exists (e = floor(i / 2) : i = 2 e and 0 <= j <= e) }` has one local with a definition (a *div*), one equality with
//! coefficients `(1, 0, -2)` over `[i, j, e]` and two inequalities. Whoever needs rows (Farkas multipliers, loop bounds, code
//! generation) reads [`BasicSet::constraints`] and [`BasicSet::locals`] and writes with [`BasicSet::from_constraints`].
//! All algebra is that of [`Map`] and [`Set`], of which these are the ones with at most one piece (none: empty).

use super::map::Map;
use super::set::Set;
use super::space::{DimKind, Space};
use crate::presburger::algebra::pieces::{Pieces, Precision, exact};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::solve::project;
use std::rc::Rc;

/// A relation that is one conjunction of constraints (with existentials).
#[derive(Clone)]
pub struct BasicMap(pub(crate) Map);

/// A set that is one conjunction of constraints (with existentials).
#[derive(Clone)]
pub struct BasicSet(pub(crate) Map);

/// What a constraint says of its affine form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstraintKind {
    /// It is 0.
    Equality,
    /// It is at least 0.
    Inequality,
}

/// `constant + coefficients . (params, in, out, locals)` is 0, or at least 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constraint {
    /// Which of the two.
    pub kind: ConstraintKind,
    /// The constant term.
    pub constant: Int,
    /// Over parameters, domain, range and locals, in this order.
    pub coefficients: Vec<Int>,
}

/// A local with a definition: `floor((constant + coefficients . (params, in, out, locals)) / denominator)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Div {
    /// Positive.
    pub denominator: Int,
    /// The constant term of the numerator.
    pub constant: Int,
    /// Over parameters, domain, range and locals, in this order; only locals before this one occur.
    pub coefficients: Vec<Int>,
}

fn constraints_of<T: Number>(pieces: &[Conjunction<T>]) -> Vec<Constraint> {
    let Some(conj) = pieces.first() else { return Vec::new() };
    let read = |kind: ConstraintKind, row: &[T]| Constraint {
        kind,
        constant: row[0].to_int(),
        coefficients: row[1..].iter().map(Number::to_int).collect(),
    };
    let equalities = conj.eq.rows().map(|row| read(ConstraintKind::Equality, row));
    equalities.chain(conj.ineq.rows().map(|row| read(ConstraintKind::Inequality, row))).collect()
}

fn locals_of<T: Number>(pieces: &[Conjunction<T>]) -> Vec<Option<Div>> {
    let Some(conj) = pieces.first() else { return Vec::new() };
    let read = |div: &[T]| {
        (!div[0].is_zero()).then(|| Div {
            denominator: div[0].to_int(),
            constant: div[1].to_int(),
            coefficients: div[2..].iter().map(Number::to_int).collect(),
        })
    };
    conj.divs.rows().map(read).collect()
}

fn never(space: &Space) -> Constraint {
    Constraint { kind: ConstraintKind::Equality, constant: Int::one(), coefficients: vec![Int::zero(); space.n_dim()] }
}

impl Map {
    /// The points that satisfy all constraints; rows may be shorter than the number of columns (the rest is 0).
    pub(crate) fn from_rows(space: &Space, divs: &[Option<Div>], constraints: &[Constraint]) -> Map {
        let mut conj = Conjunction::<Int>::universe(space.n_dim());
        for div in divs {
            let mut row = match div {
                None => Vec::new(),
                Some(div) => {
                    assert!(div.denominator.is_positive(), "the denominator of a div is positive");
                    [&div.denominator, &div.constant].into_iter().chain(&div.coefficients).cloned().collect()
                }
            };
            row.resize(row.len().max(1 + conj.width()), Int::zero());
            assert!(row[1 + conj.width()..].iter().all(Number::is_zero), "a div refers to locals before it");
            conj.add_div(&row[..1 + conj.width()]);
        }
        conj.forget_divs_on_unknown_locals();
        for constraint in constraints {
            let mut row: Vec<Int> =
                [&constraint.constant].into_iter().chain(&constraint.coefficients).cloned().collect();
            assert!(row.len() <= conj.width(), "a coefficient for each dimension and local at most");
            row.resize(conj.width(), Int::zero());
            match constraint.kind {
                ConstraintKind::Equality => conj.add_eq(&row),
                ConstraintKind::Inequality => conj.add_ineq(&row),
            }
        }
        Map::from_conjunctions(space, vec![conj])
    }

    /// The union of conjunctions that need not be simplified, in the narrowest precision.
    pub(crate) fn from_conjunctions(space: &Space, conjunctions: Vec<Conjunction<Int>>) -> Map {
        let raw = Int::keep(conjunctions);
        let pieces = exact!(a = &raw => Precision::store(a.to_vec()));
        Map::new(space, pieces)
    }

    /// The union of the pieces' constraints, taken one piece at a time.
    pub(crate) fn basics(&self) -> Vec<BasicMap> {
        if self.n_pieces() == 1 {
            return vec![BasicMap(self.clone())];
        }
        let one = |pieces: Pieces| BasicMap(Map::new(&self.space, Rc::new(pieces)));
        match &*self.pieces {
            Pieces::Machine(all) => all.iter().map(|c| one(Pieces::Machine(vec![c.clone()]))).collect(),
            Pieces::Wide(all) => all.iter().map(|c| one(Pieces::Wide(vec![c.clone()]))).collect(),
        }
    }
}

macro_rules! basic_common {
    ($basic:ident, $whole:ident, $to_whole:ident, $wrap:expr) => {
        impl $basic {
            /// The elements that satisfy all `constraints`, for some values of the locals without definition. Coefficient rows may be shorter
            /// than the number of columns (the rest is 0). isl: `basic_*_from_constraint_matrices`.
            pub fn from_constraints(space: &Space, divs: &[Option<Div>], constraints: &[Constraint]) -> $basic {
                $basic(Map::from_rows(space, divs, constraints))
            }

            /// All elements of the space. isl: `basic_*_universe`.
            pub fn universe(space: &Space) -> $basic {
                $basic(Map::universe(space))
            }

            /// No element. isl: `basic_*_empty`.
            pub fn empty(space: &Space) -> $basic {
                $basic(Map::empty(space))
            }

            /// Its space. isl: `basic_*_get_space`.
            pub fn space(&self) -> &Space {
                &self.0.space
            }

            /// Number of dimensions of a kind. isl: `basic_*_dim`.
            pub fn dim(&self, kind: DimKind) -> usize {
                self.0.space.dim(kind)
            }

            /// Its constraints, simplified; one that never holds if it is known to be empty. isl: `basic_*_get_constraint_list`.
            pub fn constraints(&self) -> Vec<Constraint> {
                if self.plain_is_empty() {
                    return vec![never(&self.0.space)];
                }
                exact!(a = &self.0.pieces => constraints_of(a))
            }

            /// Its locals: the definition of each that has one. isl: `basic_*_get_local_space`.
            pub fn locals(&self) -> Vec<Option<Div>> {
                exact!(a = &self.0.pieces => locals_of(a))
            }

            /// Number of locals. isl: `basic_*_dim` of divs.
            pub fn n_local(&self) -> usize {
                exact!(a = &self.0.pieces => a.first().map_or(0, Conjunction::n_local))
            }

            /// Whether some local has no definition. isl: `local_space_div_is_marked_unknown`.
            pub fn has_unknown_locals(&self) -> bool {
                exact!(a = &self.0.pieces => a.iter().any(project::has_unknown_locals))
            }

            /// No element for any parameters. isl: `basic_*_is_empty`.
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }

            /// Known to have no element. isl: `basic_*_plain_is_empty`.
            pub fn plain_is_empty(&self) -> bool {
                self.0.plain_is_empty()
            }

            /// All elements of the space, by its constraints. isl: `basic_*_plain_is_universe`.
            pub fn is_universe(&self) -> bool {
                self.0.plain_is_universe()
            }

            /// An element: the values of parameters, domain and range. isl: `basic_*_sample`.
            pub fn sample(&self) -> Option<Vec<Int>> {
                self.0.sample()
            }

            /// The elements in both, which are in one space. isl: `basic_*_intersect`.
            pub fn intersect(&self, other: &$basic) -> $basic {
                $basic(self.0.intersect(&other.0))
            }

            /// Equal to this one within `context`, of the same space, and simpler. isl: `basic_*_gist`.
            pub fn gist(&self, context: &$basic) -> $basic {
                $basic(self.0.gist(&context.0))
            }

            /// The smallest set of equalities' solutions that contains it. isl: `basic_*_affine_hull`.
            pub fn affine_hull(&self) -> $basic {
                $basic(self.0.affine_hull().0)
            }

            /// Equal, without constraints that the others imply. isl: `basic_*_remove_redundancies`.
            pub fn remove_redundancies(&self) -> $basic {
                $basic(self.0.remove_redundancies())
            }

            /// Equal, with all implied equalities explicit. isl: `basic_*_detect_equalities`.
            pub fn detect_equalities(&self) -> $basic {
                $basic(self.0.detect_equalities())
            }

            /// A superset without locals, whose constraints are those that hold over the rationals. isl: `basic_*_remove_divs`.
            pub fn remove_divs(&self) -> $basic {
                $basic(self.0.remove_divs())
            }

            /// Each element is in `other`. isl: `basic_*_is_subset`.
            pub fn is_subset(&self, other: &$basic) -> bool {
                self.0.is_subset(&other.0)
            }

            /// Equal elements. isl: `basic_*_is_equal`.
            pub fn is_equal(&self, other: &$basic) -> bool {
                self.0.is_equal(&other.0)
            }

            /// As a union of one piece. isl: `*_from_basic_*`.
            pub fn $to_whole(&self) -> $whole {
                $wrap(self.0.clone())
            }
        }
    };
}

basic_common!(BasicMap, Map, to_map, |map| map);
basic_common!(BasicSet, Set, to_set, Set);

impl BasicMap {
    /// `{ y -> x : x -> y in R }`. isl: `basic_map_reverse`.
    pub fn reverse(&self) -> BasicMap {
        BasicMap(self.0.reverse())
    }

    /// `{ x : exists y : x -> y in R }`. isl: `basic_map_domain`.
    pub fn domain(&self) -> BasicSet {
        BasicSet(self.0.domain().0)
    }

    /// `{ y : exists x : x -> y in R }`. isl: `basic_map_range`.
    pub fn range(&self) -> BasicSet {
        BasicSet(self.0.range().0)
    }

    /// `{ [x -> y] : x -> y in R }`. isl: `basic_map_wrap`.
    pub fn wrap(&self) -> BasicSet {
        BasicSet(self.0.wrap().0)
    }

    /// `{ y - x : x -> y in R }`, where both are in one space. isl: `basic_map_deltas`.
    pub fn deltas(&self) -> BasicSet {
        BasicSet(self.0.deltas().0)
    }
}

impl BasicSet {
    /// `{ x -> y : [x -> y] in S }`, where the set wraps pairs. isl: `basic_set_unwrap`.
    pub fn unwrap(&self) -> BasicMap {
        BasicMap(Set::unwrap(&Set(self.0.clone())))
    }

    /// The parameters for which there is an element. isl: `basic_set_params`.
    pub fn params(&self) -> BasicSet {
        BasicSet(self.0.params().0)
    }

    /// Forgets dimensions, existentially. isl: `basic_set_project_out`.
    pub fn project_out(&self, kind: DimKind, first: usize, n: usize) -> BasicSet {
        BasicSet(self.0.project_out(kind, first, n))
    }

    /// Finitely many elements for each value of the parameters. isl: `basic_set_is_bounded`.
    pub fn is_bounded(&self) -> bool {
        Set(self.0.clone()).is_bounded()
    }
}
