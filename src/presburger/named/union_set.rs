//! Sets in several spaces.
//!
//! `{ S[i] : 0 <= i < n; T[i, j] : 0 <= j < i }` has two spaces; each operation is that of [`Set`] on the spaces that fit, and nothing
//! where none does. A union of sets is a union of relations without domain ([`super::union_map`]), and shares its code.

use super::map::Map;
use super::set::Set;
use super::space::{DimKind, Id, Space};
use super::union_aff::{MultiUnionPwAff, UnionPwMultiAff};
use super::union_map::UnionMap;
use crate::presburger::number::int::Int;
use crate::presburger::solve::lexmin::Unbounded;

/// A union of sets in different spaces with the same parameters.
#[derive(Clone)]
pub struct UnionSet(pub(crate) UnionMap);

impl UnionSet {
    /// isl: `union_set_empty`.
    pub fn empty(params: &[Id]) -> UnionSet {
        UnionSet(UnionMap::empty(params))
    }

    /// isl: `union_set_is_empty`.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is written as empty. isl: `union_set_plain_is_empty`.
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// isl: `union_set_get_space`.
    pub fn params_space(&self) -> Space {
        self.0.params_space()
    }

    /// isl: `union_set_n_set`.
    pub fn n_spaces(&self) -> usize {
        self.0.n_spaces()
    }

    /// The same spaces, all elements. isl: `union_set_universe`.
    pub fn universe(&self) -> UnionSet {
        UnionSet(self.0.universe())
    }

    /// The part in one space. isl: `union_set_extract_set`.
    pub fn extract_set(&self, space: &Space) -> Set {
        Set(self.0.extract_map(space))
    }

    /// Adds elements of one space. isl: `union_set_add_set`.
    pub fn add_set(&mut self, set: &Set) {
        self.0.add_map(&set.0);
    }

    /// isl: `union_set_from_set`.
    pub fn from_set(set: &Set) -> UnionSet {
        UnionSet(UnionMap::from_map(&set.0))
    }

    /// The parts, one for each space, in the order of spaces. isl: `union_set_foreach_set`.
    pub fn sets(&self) -> impl Iterator<Item = Set> + '_ {
        self.0.maps.values().map(|map| Set(map.clone()))
    }

    /// Space by space. isl: `union_set_union`.
    pub fn union(&self, other: &UnionSet) -> UnionSet {
        UnionSet(self.0.union(&other.0))
    }

    /// Space by space. isl: `union_set_intersect`.
    pub fn intersect(&self, other: &UnionSet) -> UnionSet {
        UnionSet(self.0.intersect(&other.0))
    }

    /// Space by space. isl: `union_set_subtract`.
    pub fn subtract(&self, other: &UnionSet) -> UnionSet {
        UnionSet(self.0.subtract(&other.0))
    }

    /// Space by space. isl: `union_set_gist`.
    pub fn gist(&self, other: &UnionSet) -> UnionSet {
        UnionSet(self.0.gist(&other.0))
    }

    /// isl: `union_set_intersect_params`.
    pub fn intersect_params(&self, params: &Set) -> UnionSet {
        UnionSet(self.0.intersect_params(params))
    }

    /// isl: `union_set_gist_params`.
    pub fn gist_params(&self, context: &Set) -> UnionSet {
        UnionSet(self.0.gist_params(context))
    }

    /// The parameter values for which there is an element. isl: `union_set_params`.
    pub fn params(&self) -> Set {
        self.0.params()
    }

    /// Forgets parameters. isl: `union_set_project_out_param_id`.
    pub fn project_out_params(&self, names: &[Id]) -> UnionSet {
        UnionSet(self.0.project_out_params(names))
    }

    /// isl: `union_set_align_params`.
    pub fn align_params(&self, space: &Space) -> UnionSet {
        UnionSet(self.0.align_params(space))
    }

    /// isl: `union_set_is_subset`.
    pub fn is_subset(&self, other: &UnionSet) -> bool {
        self.0.is_subset(&other.0)
    }

    /// isl: `union_set_is_strict_subset`.
    pub fn is_strict_subset(&self, other: &UnionSet) -> bool {
        self.0.is_strict_subset(&other.0)
    }

    /// isl: `union_set_is_equal`.
    pub fn is_equal(&self, other: &UnionSet) -> bool {
        self.0.is_equal(&other.0)
    }

    /// isl: `union_set_is_disjoint`.
    pub fn is_disjoint(&self, other: &UnionSet) -> bool {
        self.0.is_disjoint(&other.0)
    }

    /// Space by space. isl: `union_set_coalesce`.
    pub fn coalesce(&self) -> UnionSet {
        UnionSet(self.0.coalesce())
    }

    /// Space by space. isl: `union_set_compute_divs`.
    pub fn compute_divs(&self) -> UnionSet {
        UnionSet(self.0.compute_divs())
    }

    /// Space by space. isl: `union_set_detect_equalities`.
    pub fn detect_equalities(&self) -> UnionSet {
        UnionSet(self.0.detect_equalities())
    }

    /// Space by space. isl: `union_set_remove_redundancies`.
    pub fn remove_redundancies(&self) -> UnionSet {
        UnionSet(self.0.remove_redundancies())
    }

    /// Space by space. isl: `union_set_make_disjoint`.
    pub fn make_disjoint(&self) -> UnionSet {
        UnionSet(self.0.make_disjoint())
    }

    /// Space by space. isl: `union_set_simple_hull`.
    pub fn simple_hull(&self) -> UnionSet {
        UnionSet(self.0.simple_hull())
    }

    /// Space by space. isl: `union_set_affine_hull`.
    pub fn affine_hull(&self) -> UnionSet {
        UnionSet(self.0.affine_hull())
    }

    /// Space by space. isl: `union_set_polyhedral_hull`.
    pub fn polyhedral_hull(&self) -> UnionSet {
        UnionSet(self.0.polyhedral_hull())
    }

    /// Space by space. isl: `union_set_lexmin`.
    pub fn lexmin(&self) -> Result<UnionSet, Unbounded> {
        self.0.lexmin().map(UnionSet)
    }

    /// Space by space. isl: `union_set_lexmax`.
    pub fn lexmax(&self) -> Result<UnionSet, Unbounded> {
        self.0.lexmax().map(UnionSet)
    }

    /// An element and its space, for some parameter values. isl: `union_set_sample_point`.
    pub fn sample(&self) -> Option<(Space, Vec<Int>)> {
        self.0.sample()
    }

    /// isl: `union_set_contains`.
    pub fn contains_space(&self, space: &Space) -> bool {
        self.0.contains_space(space)
    }

    /// `{ y : exists x in S : x -> y in R }`. isl: `union_set_apply`.
    pub fn apply(&self, map: &UnionMap) -> UnionSet {
        map.intersect_domain(self).range()
    }

    /// `{ x -> y : [x -> y] in S }`; other elements are dropped. isl: `union_set_unwrap`.
    pub fn unwrap(&self) -> UnionMap {
        let wrapped =
            self.0.maps.values().filter(|map| map.space().tuple(DimKind::Out).is_some_and(|t| t.is_wrapping()));
        wrapped.fold(UnionMap::empty(self.params_space().params()), |mut all, map| {
            all.add_map(&Set::unwrap(&Set(map.clone())));
            all
        })
    }

    /// `{ x -> x : x in S }`. isl: `union_set_identity`.
    pub fn identity(&self) -> UnionMap {
        UnionMap::identity(self)
    }

    /// `{ [x -> y] : x in A, y in B }`. isl: `union_set_product`.
    pub fn product(&self, other: &UnionSet) -> UnionSet {
        UnionMap::from_domain_and_range(self, other).wrap()
    }

    /// `{ x -> y : x in A, y in B, x << y }`, within each space. isl: `union_set_lex_lt_union_set`.
    pub fn lex_lt_union_set(&self, other: &UnionSet) -> UnionMap {
        self.lex(other, Map::lex_lt)
    }

    /// `x <<= y`. isl: `union_set_lex_le_union_set`.
    pub fn lex_le_union_set(&self, other: &UnionSet) -> UnionMap {
        self.lex(other, Map::lex_le)
    }

    /// `x >> y`. isl: `union_set_lex_gt_union_set`.
    pub fn lex_gt_union_set(&self, other: &UnionSet) -> UnionMap {
        self.lex(other, Map::lex_gt)
    }

    /// `x >>= y`. isl: `union_set_lex_ge_union_set`.
    pub fn lex_ge_union_set(&self, other: &UnionSet) -> UnionMap {
        self.lex(other, Map::lex_ge)
    }

    fn lex(&self, other: &UnionSet, order: impl Fn(&Space) -> Map) -> UnionMap {
        self.0.maps.iter().fold(UnionMap::empty(self.params_space().params()), |mut all, (key, set)| {
            if let Some(partner) = other.0.maps.get(key) {
                let pairs =
                    order(set.space()).intersect_domain(&Set(set.clone())).intersect_range(&Set(partner.clone()));
                all.add_map(&pairs);
            }
            all
        })
    }

    /// Whether it is conditions on the parameters alone. isl: `union_set_is_params`.
    pub fn is_params(&self) -> bool {
        !self.0.maps.is_empty() && self.0.maps.values().all(|map| map.space().is_params())
    }

    /// `{ x : f(x) in S }`. isl: `union_set_preimage_union_pw_multi_aff`.
    pub fn preimage_union_pw_multi_aff(&self, function: &UnionPwMultiAff) -> UnionSet {
        function.as_union_map().intersect_range(self).domain()
    }

    /// `{ x : f(x) in S }`. isl: `union_set_preimage_multi_union_pw_aff`.
    pub fn preimage_multi_union(&self, function: &MultiUnionPwAff) -> UnionSet {
        function.as_union_map().intersect_range(self).domain()
    }
}
