//! Sets: finite unions of conjunctions over one tuple.
//!
//! `[n] -> { S[i] : 0 <= i < n }` is a relation with a range tuple and no domain tuple, and shares all of [`Map`]'s code; a
//! *parameter set* `[n] -> { : n > 0 }` has no tuple at all. The dimensions of a set are those of [`DimKind::Out`]. What a set has of
//! its own is below; the rest is forwarded, and defined where [`Map`] defines it.

use super::basic_map::{BasicMap, BasicSet, Constraint};
use super::map::{Map, law};
use super::space::{DimKind, Id, Space, Tuple, Tuples};
use crate::presburger::algebra::count;
use crate::presburger::algebra::pieces::exact;
use crate::presburger::conjunction::{Conjunction, unit_row};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::solve::lexmin;
use crate::presburger::solve::lexmin::Unbounded;
use crate::presburger::solve::unknowns::Sense;

/// A finite union of conjunctions: a set of integer tuples in one space.
#[derive(Clone)]
pub struct Set(pub(crate) Map);

macro_rules! forwarded {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> Set;)*) => {
        impl Set {
            $($(#[$doc])* pub fn $name(&self, $($argument: $kind),*) -> Set {
                Set(self.0.$name($($argument),*))
            })*
        }
    };
}

macro_rules! forwarded_pairs {
    ($($(#[$doc:meta])* $name:ident -> $result:ty, $wrap:expr;)*) => {
        impl Set {
            $($(#[$doc])* pub fn $name(&self, other: &Set) -> $result {
                $wrap(self.0.$name(&other.0))
            })*
        }
    };
}

macro_rules! forwarded_plain {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $result:ty, $wrap:expr;)*) => {
        impl Set {
            $($(#[$doc])* pub fn $name(&self, $($argument: $kind),*) -> $result {
                $wrap(self.0.$name($($argument),*))
            })*
        }
    };
}

fn same<T>(value: T) -> T {
    value
}

fn optimal(found: Result<Map, Unbounded>) -> Result<Set, Unbounded> {
    found.map(Set)
}

fn basic(map: BasicMap) -> BasicSet {
    BasicSet(map.0)
}

forwarded_pairs! {
    /// Elements in either; one space. isl: `set_union`.
    union -> Set, Set;
    /// As [`Set::union`], of sets known to have no common element. isl: `set_union_disjoint`.
    union_disjoint -> Set, Set;
    /// Elements in both; one space. isl: `set_intersect`.
    intersect -> Set, Set;
    /// Elements in this one and not in the other; one space. isl: `set_subtract`.
    subtract -> Set, Set;
    /// Equal to this one within the other, its context, and simpler. isl: `set_gist`.
    gist -> Set, Set;
    /// Each element is in the other; one space. isl: `set_is_subset`.
    is_subset -> bool, same;
    /// A subset that lacks some element. isl: `set_is_strict_subset`.
    is_strict_subset -> bool, same;
    /// Equal elements; one space. isl: `set_is_equal`.
    is_equal -> bool, same;
    /// No common element; one space. isl: `set_is_disjoint`.
    is_disjoint -> bool, same;
    /// The same constraints, piece by piece. isl: `set_plain_is_equal`.
    plain_is_equal -> bool, same;
}

forwarded! {
    /// All elements of the space that are not in it. isl: `set_complement`.
    complement() -> Set;
    /// Keeps the elements for the parameters in a parameter set. isl: `set_intersect_params`.
    intersect_params(params: &Set) -> Set;
    /// [`Set::gist`] for parameters in a parameter set. isl: `set_gist_params`.
    gist_params(context: &Set) -> Set;
    /// Forgets dimensions: elements with some values there. isl: `set_project_out`.
    project_out(kind: DimKind, first: usize, n: usize) -> Set;
    /// Forgets a parameter, if it is there. isl: `set_project_out_param_id`.
    project_out_param(name: &str) -> Set;
    /// Tuples that differ from an element in the given dimensions at most. isl: `set_eliminate`.
    eliminate(kind: DimKind, first: usize, n: usize) -> Set;
    /// New dimensions, of any value, before a position. isl: `set_insert_dims`.
    insert_dims(kind: DimKind, position: usize, n: usize) -> Set;
    /// New dimensions, of any value, at the end. isl: `set_add_dims`.
    add_dims(kind: DimKind, n: usize) -> Set;
    /// Moves dimensions to another kind, or another place. isl: `set_move_dims`.
    move_dims(to: DimKind, to_position: usize, from: DimKind, from_position: usize, n: usize) -> Set;
    /// Elements where a dimension has a value. isl: `set_fix_val`.
    fix(kind: DimKind, position: usize, value: &Int) -> Set;
    /// Elements where two dimensions are equal. isl: `set_equate`.
    equate(kind: DimKind, position: usize, other: DimKind, other_position: usize) -> Set;
    /// Elements where one dimension is less than another. isl: `set_order_lt`.
    order_lt(kind: DimKind, position: usize, other: DimKind, other_position: usize) -> Set;
    /// Elements where one dimension is at most another. isl: `set_order_le`.
    order_le(kind: DimKind, position: usize, other: DimKind, other_position: usize) -> Set;
    /// Elements where a dimension is at least `value`. isl: `set_lower_bound_val`.
    lower_bound(kind: DimKind, position: usize, value: &Int) -> Set;
    /// Elements where a dimension is at most `value`. isl: `set_upper_bound_val`.
    upper_bound(kind: DimKind, position: usize, value: &Int) -> Set;
    /// Elements that satisfy a constraint over parameters and dimensions (no locals). isl: `set_add_constraint`.
    add_constraint(constraint: &Constraint) -> Set;
    /// A superset: without the constraints that mention one of the dimensions. isl: `set_drop_constraints_involving_dims`.
    drop_constraints_involving(kind: DimKind, first: usize, n: usize) -> Set;
    /// A superset: without the constraints that mention none of the dimensions. isl: `set_drop_constraints_not_involving_dims`.
    drop_constraints_not_involving(kind: DimKind, first: usize, n: usize) -> Set;
    /// The same elements in an anonymous flat tuple. isl: `set_flatten`.
    flatten() -> Set;
    /// The same elements with another name for the tuple. isl: `set_set_tuple_name`.
    set_tuple_name(kind: DimKind, name: Option<&str>) -> Set;
    /// The same elements in another tuple with as many dimensions. isl: `set_reset_space`.
    reset_space(space: &Space) -> Set;
    /// The parameters of `model`, in its order, before the others. isl: `set_align_params`.
    align_params(model: &Space) -> Set;
    /// The same elements with another parameter at a position. isl: `set_set_dim_name`.
    rename_param(position: usize, name: &str) -> Set;
    /// Equal, with pieces merged where their union is one conjunction. isl: `set_coalesce`.
    coalesce() -> Set;
    /// Equal, and all locals are divs. isl: `set_compute_divs`.
    compute_divs() -> Set;
    /// Equal, without constraints that others imply, nor empty pieces. isl: `set_remove_redundancies`.
    remove_redundancies() -> Set;
    /// Equal, with all implied equalities of each piece explicit. isl: `set_detect_equalities`.
    detect_equalities() -> Set;
    /// Equal, with disjoint pieces. isl: `set_make_disjoint`.
    make_disjoint() -> Set;
    /// The pieces without locals, with the constraints that hold over the rationals: a superset. isl: `set_remove_divs`.
    remove_divs() -> Set;
    /// The pieces with divs as their only locals, and the constraints that hold over the rationals: a superset.
    remove_unknown_divs() -> Set;
}

forwarded_plain! {
    /// The lexicographically smallest element, for each value of the parameters that has any. isl: `set_lexmin`.
    lexmin() -> Result<Set, Unbounded>, optimal;
    /// The lexicographically greatest element, for each value of the parameters that has any. isl: `set_lexmax`.
    lexmax() -> Result<Set, Unbounded>, optimal;
    /// The parameters for which there is an element. isl: `set_params`.
    params() -> Set, same;
    /// No element for any parameters. isl: `set_is_empty`.
    is_empty() -> bool, same;
    /// Known to have no element. isl: `set_plain_is_empty`.
    plain_is_empty() -> bool, same;
    /// Some piece has no constraint. isl: `set_plain_is_universe`.
    plain_is_universe() -> bool, same;
    /// Whether some piece has a constraint that mentions one of the dimensions. isl: `set_involves_dims`.
    involves(kind: DimKind, first: usize, n: usize) -> bool, same;
    /// Whether the element given by the values of parameters and dimensions is in it.
    contains(point: &[Int]) -> bool, same;
    /// An element: the values of parameters and dimensions; `None` if it is empty.
    sample() -> Option<Vec<Int>>, same;
    /// A set of one of its elements (and one value of the parameters), or the empty one. isl: `set_sample`.
    sample_basic() -> BasicSet, basic;
    /// The smallest conjunction made of constraints of the pieces, shifted. isl: `set_simple_hull`.
    simple_hull() -> BasicSet, basic;
    /// The smallest conjunction made of constraints of the pieces as they are. isl: `set_unshifted_simple_hull`.
    unshifted_simple_hull() -> BasicSet, basic;
    /// The solutions of all equalities that hold for each element. isl: `set_affine_hull`.
    affine_hull() -> BasicSet, basic;
    /// The smallest conjunction without locals that holds it over the rationals. isl: `set_convex_hull`.
    convex_hull() -> BasicSet, basic;
    /// [`Set::convex_hull`]. isl: `set_polyhedral_hull`.
    polyhedral_hull() -> BasicSet, basic;
    /// The one value that a dimension has in all elements, for all parameters. isl: `set_plain_get_val_if_fixed`, but exact.
    fixed_value(kind: DimKind, position: usize) -> Option<Int>, same;
    /// The smallest value of a dimension over all elements and parameters; `None` if there are none.
    dim_min_val(kind: DimKind, position: usize) -> Result<Option<Int>, Unbounded>, same;
    /// The greatest value of a dimension over all elements and parameters; `None` if there are none.
    dim_max_val(kind: DimKind, position: usize) -> Result<Option<Int>, Unbounded>, same;
    /// Number of its elements, over all values of the parameters; `None` if it is infinite.
    count() -> Option<Int>, same;
    /// `(s, a)` such that a dimension has values of `a + s Z` only: the greatest such `s` found, 0 for one value. isl: `set_get_stride`.
    stride(kind: DimKind, position: usize) -> (Int, Int), same;
    /// Number of its pieces. isl: `set_n_basic_set`.
    n_pieces() -> usize, same;
}

impl Set {
    /// All elements. isl: `set_universe`.
    pub fn universe(space: &Space) -> Set {
        Set(Map::universe(space))
    }

    /// No element. isl: `set_empty`.
    pub fn empty(space: &Space) -> Set {
        Set(Map::empty(space))
    }

    /// The elements of one conjunction. isl: `set_from_basic_set`.
    pub fn from_basic(basic: &BasicSet) -> Set {
        Set(basic.0.clone())
    }

    /// Its space. isl: `set_get_space`.
    pub fn space(&self) -> &Space {
        &self.0.space
    }

    /// Number of dimensions of a kind; those of its tuple are of kind `Out`. isl: `set_dim`.
    pub fn dim(&self, kind: DimKind) -> usize {
        self.0.space.dim(kind)
    }

    /// Its pieces, each as a set of one conjunction. isl: `set_foreach_basic_set`.
    pub fn pieces(&self) -> Vec<BasicSet> {
        self.0.basics().into_iter().map(basic).collect()
    }

    /// `{ y : exists x in S : x -> y in R }`. isl: `set_apply`.
    pub fn apply(&self, map: &Map) -> Set {
        Set(self.0.apply_range(map))
    }

    /// `{ x -> y : [x -> y] in S }`; the set wraps pairs. isl: `set_unwrap`.
    pub fn unwrap(&self) -> Map {
        law(self.space().check_wrapping());
        let space = Space::unwrap(self.space()).unwrap_or_else(|| panic!("law: the tuple wraps a pair"));
        Map::new(&space, self.0.pieces.clone())
    }

    /// `{ x -> x : x in S }`. isl: `set_identity`.
    pub fn identity(&self) -> Map {
        Map::identity(&self.space().map_from_set()).intersect_domain(self)
    }

    /// `{ [x -> y] : x in A and y in B }`. isl: `set_product`.
    pub fn product(&self, other: &Set) -> Set {
        Map::from_domain_and_range(self, other).wrap()
    }

    /// [`Set::product`] with an anonymous flat tuple. isl: `set_flat_product`.
    pub fn flat_product(&self, other: &Set) -> Set {
        self.product(other).flatten()
    }

    fn ordered(&self, other: &Set, order: Map) -> Map {
        law(self.space().check_equal(other.space()));
        order.intersect_domain(self).intersect_range(other)
    }

    /// `{ x -> y : x in A, y in B, x << y }`; one space. isl: `set_lex_lt_set`.
    pub fn lex_lt_set(&self, other: &Set) -> Map {
        self.ordered(other, Map::lex_lt(self.space()))
    }

    /// `{ x -> y : x in A, y in B, x <<= y }`; one space. isl: `set_lex_le_set`.
    pub fn lex_le_set(&self, other: &Set) -> Map {
        self.ordered(other, Map::lex_le(self.space()))
    }

    /// `{ x -> y : x in A, y in B, x >> y }`; one space. isl: `set_lex_gt_set`.
    pub fn lex_gt_set(&self, other: &Set) -> Map {
        self.ordered(other, Map::lex_gt(self.space()))
    }

    /// `{ x -> y : x in A, y in B, x >>= y }`; one space. isl: `set_lex_ge_set`.
    pub fn lex_ge_set(&self, other: &Set) -> Map {
        self.ordered(other, Map::lex_ge(self.space()))
    }

    /// At most one element for each value of the parameters. isl: `set_is_singleton`.
    pub fn is_singleton(&self) -> bool {
        Map::from_range(self).is_single_valued()
    }

    /// Finitely many elements for each value of the parameters. isl: `set_is_bounded`.
    pub fn is_bounded(&self) -> bool {
        (0..self.dim(DimKind::Out)).all(|d| self.is_bounded_along(d))
    }

    /// For each value of the parameters, dimension `d` has a smallest and a greatest value or there is no element.
    fn is_bounded_along(&self, d: usize) -> bool {
        let p = self.dim(DimKind::Param);
        let sources: Vec<Option<usize>> = (0..p).chain([p + d]).map(Some).collect();
        exact!(a = &self.0.pieces => a.iter().all(|conj| {
            let line = conj.rearrange(&sources);
            let domain = crate::presburger::conjunction::Conjunction::universe(p);
            [Sense::Minimum, Sense::Maximum].into_iter().all(|s| lexmin::lexopt(&line, &domain, 1, s).unbounded.is_empty())
        }))
    }

    /// Whether it has no tuple: conditions on parameters alone. isl: `set_is_params`.
    pub fn is_params(&self) -> bool {
        self.space().is_params()
    }

    /// The anonymous zero-dimensional tuple for the parameters of a parameter set. isl: `set_from_params`.
    pub fn from_params(&self) -> Set {
        let space = self.space().with_tuples(Tuples::Set(Tuple::anonymous(0)));
        Set(Map::new(&space, self.0.pieces.clone()))
    }

    /// `{ [x -> y] -> x : [x -> y] in S }`; the set wraps pairs. isl: `set_wrapped_domain_map`.
    pub fn wrapped_domain_map(&self) -> Map {
        Set::unwrap(self).domain_map()
    }

    /// All tuples of the space, the parameters as they are. isl: `set_universe` of its space.
    pub fn universe_of_space(&self) -> Set {
        Set::universe(self.space())
    }

    /// The parameters that its constraints mention. isl: `set_involves_dims`.
    pub fn used_params(&self) -> Vec<Id> {
        let all = self.space().params();
        (0..all.len()).filter(|&p| self.involves(DimKind::Param, p, 1)).map(|p| all[p].clone()).collect()
    }

    /// The set of these elements, each the values of parameters and dimensions, which are all different. isl: `set_from_point`, one by one.
    pub fn from_points(space: &Space, points: &[Vec<Int>]) -> Set {
        let n = space.n_dim();
        let one = |point: &Vec<Int>| {
            let mut fixed = Conjunction::universe(n);
            for (v, value) in point.iter().enumerate() {
                let mut row = unit_row(1 + n, 1 + v);
                row[0] = value.neg();
                fixed.add_eq(&row);
            }
            fixed.simplified()
        };
        Set(Map::from_conjunctions(space, points.iter().map(one).collect()))
    }

    /// Its part in which the parameters and then the dimensions have these values. isl: `set_fix_val` for each.
    pub(crate) fn fix_point(&self, point: &[Int]) -> Set {
        let p = self.dim(DimKind::Param);
        point.iter().enumerate().fold(self.clone(), |fixed, (v, value)| match v.checked_sub(p) {
            Some(d) => fixed.fix(DimKind::Out, d, value),
            None => fixed.fix(DimKind::Param, v, value),
        })
    }

    /// All elements in lexicographic order, parameters first; `None` if there are more than `limit` or infinitely many.
    /// isl: `set_foreach_point`.
    pub fn points(&self, limit: usize) -> Option<Vec<Vec<Int>>> {
        exact!(a = &self.0.pieces => count::points(a, limit).map(|all| {
            all.iter().map(|point| point.iter().map(Number::to_int).collect()).collect()
        }))
    }
}

impl Map {
    /// `{ x -> [] : x in S }`. isl: `map_from_domain`.
    pub fn from_domain(domain: &Set) -> Map {
        let Tuples::Set(tuple) = domain.space().tuples() else { panic!("law: {} is a set's space", domain.space()) };
        let tuples = Tuples::Map(tuple.clone(), Tuple::anonymous(0));
        Map::new(&domain.space().with_tuples(tuples), domain.0.pieces.clone())
    }

    /// `{ [] -> x : x in S }`. isl: `map_from_range`.
    pub fn from_range(range: &Set) -> Map {
        let Tuples::Set(tuple) = range.space().tuples() else { panic!("law: {} is a set's space", range.space()) };
        let tuples = Tuples::Map(Tuple::anonymous(0), tuple.clone());
        Map::new(&range.space().with_tuples(tuples), range.0.pieces.clone())
    }
}
