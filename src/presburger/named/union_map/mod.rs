//! Relations in several spaces.
//!
//! `{ S[i] -> A[i]; T[i, j] -> B[j] }` has two spaces; each operation is that of [`Map`] on the spaces that fit, and nothing where none
//! does: composing it with `{ A[x] -> [x] }` keeps the part of `S`. Relations are kept in the order of their spaces, all with the same parameters.
//! (Verdoolaege, "Presburger Formulas and Polyhedral Compilation", section 3.5, the space-local principle.)
//!
//! Implements: 002 3.6

mod pairs;

use super::map::Map;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuples};
use super::union_set::UnionSet;
use crate::presburger::number::int::Int;
use crate::presburger::solve::lexmin::Unbounded;
use std::collections::BTreeMap;

/// A union of relations in different spaces with the same parameters.
#[derive(Clone)]
pub struct UnionMap {
    pub(crate) params: Space,
    pub(crate) maps: BTreeMap<Tuples, Map>,
}

impl UnionMap {
    /// isl: `union_map_empty`.
    pub fn empty(params: &[Id]) -> UnionMap {
        UnionMap { params: Space::params_only(params), maps: BTreeMap::new() }
    }

    /// isl: `union_map_is_empty`.
    pub fn is_empty(&self) -> bool {
        self.maps.values().all(Map::is_empty)
    }

    /// Whether it is written as empty. isl: `union_map_plain_is_empty`.
    pub fn plain_is_empty(&self) -> bool {
        self.maps.values().all(Map::plain_is_empty)
    }

    /// isl: `union_map_get_space`.
    pub fn params_space(&self) -> Space {
        self.params.clone()
    }

    /// isl: `union_map_n_map`.
    pub fn n_spaces(&self) -> usize {
        self.maps.len()
    }

    /// The same spaces, all elements. isl: `union_map_universe`.
    pub fn universe(&self) -> UnionMap {
        self.each(|map| Map::universe(map.space()))
    }

    /// The part in one space. isl: `union_map_extract_map`.
    pub fn extract_map(&self, space: &Space) -> Map {
        match self.maps.get(space.tuples()) {
            Some(map) => map.align_params(space),
            None => Map::empty(&space.align_params(&self.params)),
        }
    }

    /// Adds pairs of one space. isl: `union_map_add_map`.
    pub fn add_map(&mut self, map: &Map) {
        self.extend_params(map.space());
        let map = map.align_params(&self.params);
        if map.plain_is_empty() {
            return;
        }
        let key = map.space().tuples().clone();
        let joined = match self.maps.get(&key) {
            Some(known) => known.union(&map),
            None => map,
        };
        self.maps.insert(key, joined);
    }

    fn extend_params(&mut self, space: &Space) {
        let all = self.params.align_params(space);
        if !all.has_equal_params(&self.params) {
            self.params = all.params_space();
            self.maps.values_mut().for_each(|map| *map = map.align_params(&all));
        }
    }

    /// isl: `union_map_from_map`.
    pub fn from_map(map: &Map) -> UnionMap {
        let mut result = UnionMap::empty(map.space().params());
        result.add_map(map);
        result
    }

    /// The parts, one for each space, in the order of spaces. isl: `union_map_foreach_map`.
    pub fn maps(&self) -> impl Iterator<Item = &Map> + '_ {
        self.maps.values()
    }

    /// isl: `union_map_union`.
    pub fn union(&self, other: &UnionMap) -> UnionMap {
        let mut result = self.clone();
        result.extend_params(&other.params);
        other.maps.values().for_each(|map| result.add_map(map));
        result
    }

    /// isl: `union_map_intersect`.
    pub fn intersect(&self, other: &UnionMap) -> UnionMap {
        self.matching(other, Map::intersect)
    }

    /// isl: `union_map_subtract`.
    pub fn subtract(&self, other: &UnionMap) -> UnionMap {
        self.against(other, Map::subtract)
    }

    /// isl: `union_map_intersect_params`.
    pub fn intersect_params(&self, params: &Set) -> UnionMap {
        self.each(|map| map.intersect_params(params))
    }

    /// Equal to this on the context. isl: `union_map_gist`.
    pub fn gist(&self, context: &UnionMap) -> UnionMap {
        self.against(context, Map::gist)
    }

    /// isl: `union_map_gist_params`.
    pub fn gist_params(&self, context: &Set) -> UnionMap {
        self.each(|map| map.gist_params(context))
    }

    /// The parameter values for which there is a pair. isl: `union_map_params`.
    pub fn params(&self) -> Set {
        let none = Set::empty(&self.params);
        self.maps.values().fold(none, |all, map| all.union(&map.params()))
    }

    /// Forgets parameters: pairs for any value of them. isl: `union_map_project_out_param_id`.
    pub fn project_out_params(&self, names: &[Id]) -> UnionMap {
        let forget = |map: &Map| names.iter().fold(map.clone(), |map, name| map.project_out_param(name.as_str()));
        let left: Vec<Id> = self.params.params().iter().filter(|id| !names.contains(id)).cloned().collect();
        self.maps.values().fold(UnionMap::empty(&left), |mut all, map| {
            all.add_map(&forget(map));
            all
        })
    }

    /// isl: `union_map_project_out_all_params`.
    pub fn project_out_all_params(&self) -> UnionMap {
        self.project_out_params(self.params.params())
    }

    /// isl: `union_map_align_params`.
    pub fn align_params(&self, space: &Space) -> UnionMap {
        let mut result = self.clone();
        result.extend_params(space);
        result
    }

    /// isl: `union_map_is_subset`.
    pub fn is_subset(&self, other: &UnionMap) -> bool {
        self.maps.iter().all(|(key, map)| match other.maps.get(key) {
            Some(whole) => map.is_subset(whole),
            None => map.is_empty(),
        })
    }

    /// isl: `union_map_is_strict_subset`.
    pub fn is_strict_subset(&self, other: &UnionMap) -> bool {
        self.is_subset(other) && !other.is_subset(self)
    }

    /// isl: `union_map_is_equal`.
    pub fn is_equal(&self, other: &UnionMap) -> bool {
        self.is_subset(other) && other.is_subset(self)
    }

    /// isl: `union_map_is_disjoint`.
    pub fn is_disjoint(&self, other: &UnionMap) -> bool {
        self.maps.iter().all(|(key, map)| other.maps.get(key).is_none_or(|o| map.is_disjoint(o)))
    }

    /// Space by space. isl: `union_map_coalesce`.
    pub fn coalesce(&self) -> UnionMap {
        self.each(Map::coalesce)
    }

    /// Space by space. isl: `union_map_compute_divs`.
    pub fn compute_divs(&self) -> UnionMap {
        self.each(Map::compute_divs)
    }

    /// Space by space. isl: `union_map_detect_equalities`.
    pub fn detect_equalities(&self) -> UnionMap {
        self.each(Map::detect_equalities)
    }

    /// Space by space. isl: `union_map_remove_redundancies`.
    pub fn remove_redundancies(&self) -> UnionMap {
        self.each(Map::remove_redundancies)
    }

    /// Space by space. isl: `union_map_make_disjoint`.
    pub fn make_disjoint(&self) -> UnionMap {
        self.each(Map::make_disjoint)
    }

    /// Space by space, each one conjunction. isl: `union_map_simple_hull`.
    pub fn simple_hull(&self) -> UnionMap {
        self.each(|map| Map::from_basic(&map.simple_hull()))
    }

    /// Space by space, each one conjunction. isl: `union_map_affine_hull`.
    pub fn affine_hull(&self) -> UnionMap {
        self.each(|map| Map::from_basic(&map.affine_hull()))
    }

    /// Space by space, each one conjunction. isl: `union_map_polyhedral_hull`.
    pub fn polyhedral_hull(&self) -> UnionMap {
        self.each(|map| Map::from_basic(&map.polyhedral_hull()))
    }

    fn optima(&self, optimum: fn(&Map) -> Result<Map, Unbounded>) -> Result<UnionMap, Unbounded> {
        self.maps().try_fold(UnionMap::empty(self.params.params()), |mut all, map| {
            all.add_map(&optimum(map)?);
            Ok(all)
        })
    }

    /// Space by space. isl: `union_map_lexmin`.
    pub fn lexmin(&self) -> Result<UnionMap, Unbounded> {
        self.optima(Map::lexmin)
    }

    /// Space by space. isl: `union_map_lexmax`.
    pub fn lexmax(&self) -> Result<UnionMap, Unbounded> {
        self.optima(Map::lexmax)
    }

    /// A pair and its space, for some parameter values. isl: `union_map_sample`.
    pub fn sample(&self) -> Option<(Space, Vec<Int>)> {
        self.maps.values().find_map(|map| Some((map.space().clone(), map.sample()?)))
    }

    /// isl: `union_map_contains`.
    pub fn contains_space(&self, space: &Space) -> bool {
        self.maps.contains_key(space.tuples())
    }

    pub(crate) fn each(&self, f: impl Fn(&Map) -> Map) -> UnionMap {
        self.each_where(|_| true, f)
    }

    fn each_where(&self, fits: impl Fn(&Space) -> bool, f: impl Fn(&Map) -> Map) -> UnionMap {
        self.maps.values().filter(|map| fits(map.space())).fold(
            UnionMap::empty(self.params.params()),
            |mut all, map| {
                all.add_map(&f(map));
                all
            },
        )
    }

    pub(crate) fn sets_of(&self, f: impl Fn(&Map) -> Set) -> UnionSet {
        self.maps.values().fold(UnionSet::empty(self.params.params()), |mut all, map| {
            all.add_set(&f(map));
            all
        })
    }

    /// `f` on the parts in spaces of both.
    pub(crate) fn matching(&self, other: &UnionMap, f: impl Fn(&Map, &Map) -> Map) -> UnionMap {
        let params = self.params.align_params(&other.params);
        self.maps.iter().fold(UnionMap::empty(params.params()), |mut all, (key, map)| {
            if let Some(partner) = other.maps.get(key) {
                all.add_map(&f(map, partner));
            }
            all
        })
    }

    /// `f` on the parts in spaces of both, the others unchanged.
    pub(crate) fn against(&self, other: &UnionMap, f: impl Fn(&Map, &Map) -> Map) -> UnionMap {
        let params = self.params.align_params(&other.params);
        self.maps.iter().fold(UnionMap::empty(params.params()), |mut all, (key, map)| {
            all.add_map(&other.maps.get(key).map_or_else(|| map.clone(), |partner| f(map, partner)));
            all
        })
    }

    fn pairs(
        &self,
        other: &UnionMap,
        fits: impl Fn(&Space, &Space) -> bool,
        f: impl Fn(&Map, &Map) -> Map,
    ) -> UnionMap {
        let mut result = UnionMap::empty(self.params.align_params(&other.params).params());
        for a in self.maps.values() {
            for b in other.maps.values().filter(|b| fits(a.space(), b.space())) {
                result.add_map(&f(a, b));
            }
        }
        result
    }

    fn restrict(
        &self,
        sets: &UnionSet,
        part: impl Fn(&Space) -> Space,
        f: impl Fn(&Map, Option<&Set>) -> Option<Map>,
    ) -> UnionMap {
        let mut result = UnionMap::empty(self.params.align_params(&sets.params_space()).params());
        for map in self.maps.values() {
            let space = part(map.space());
            let set = sets.0.maps.get(space.tuples()).map(|set| Set(set.clone()));
            if let Some(restricted) = f(map, set.as_ref()) {
                result.add_map(&restricted);
            }
        }
        result
    }
}

fn is_wrapped(space: &Space, kind: DimKind) -> bool {
    space.tuple(kind).is_some_and(|tuple| tuple.is_wrapping())
}
