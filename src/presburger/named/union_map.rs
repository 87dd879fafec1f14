//! Relations in several spaces.
//!
//! `{ S[i] -> A[i]; T[i, j] -> B[j] }` has two spaces; each operation is that of [`Map`] on the spaces that fit, and nothing where none
//! does: composing it with `{ A[x] -> [x] }` keeps the part of `S`. Relations are kept in the order of their spaces, all with the same parameters.
//! (Verdoolaege, "Presburger Formulas and Polyhedral Compilation", section 3.5, the space-local principle.)

use super::map::Map;
use super::multi::MultiAff;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuples};
use super::union_aff::{MultiUnionPwAff, UnionPwMultiAff};
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

    /// `{ x -> x : x in the set }`. isl: `union_set_identity`.
    pub fn identity(set: &UnionSet) -> UnionMap {
        set.sets().fold(UnionMap::empty(set.params_space().params()), |mut all, set| {
            all.add_map(&set.identity());
            all
        })
    }

    /// `{ x -> y : x in A, y in B }`. isl: `union_map_from_domain_and_range`.
    pub fn from_domain_and_range(domain: &UnionSet, range: &UnionSet) -> UnionMap {
        let mut result = UnionMap::empty(domain.params_space().align_params(&range.params_space()).params());
        for from in domain.sets() {
            for to in range.sets() {
                result.add_map(&Map::from_domain_and_range(&from, &to));
            }
        }
        result
    }

    /// `{ x -> [] : x in the set }`. isl: `union_map_from_domain`.
    pub fn from_domain(domain: &UnionSet) -> UnionMap {
        UnionMap::from_domain_and_range(domain, &UnionSet::from_set(&Set::universe(&Space::alloc_set(&[], None, 0))))
    }

    /// `{ [] -> x : x in the set }`. isl: `union_map_from_range`.
    pub fn from_range(range: &UnionSet) -> UnionMap {
        UnionMap::from_domain(range).reverse()
    }

    /// `{ x -> f(x) }`. isl: `union_map_from_union_pw_multi_aff`.
    pub fn from_union_pw_multi_aff(function: &UnionPwMultiAff) -> UnionMap {
        function.as_union_map()
    }

    /// `{ x -> f(x) }`. isl: `union_map_from_multi_union_pw_aff`.
    pub fn from_multi_union_pw_aff(function: &MultiUnionPwAff) -> UnionMap {
        function.as_union_map()
    }

    /// `{ x -> y in R : x in A }`. isl: `union_map_intersect_domain`.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionMap {
        self.restrict(domain, |space| space.domain(), |map, set| set.map(|set| map.intersect_domain(set)))
    }

    /// `{ x -> y in R : y in B }`. isl: `union_map_intersect_range`.
    pub fn intersect_range(&self, range: &UnionSet) -> UnionMap {
        self.restrict(range, |space| space.range(), |map, set| set.map(|set| map.intersect_range(set)))
    }

    /// `{ x -> y in R : x not in A }`. isl: `union_map_subtract_domain`.
    pub fn subtract_domain(&self, domain: &UnionSet) -> UnionMap {
        self.restrict(
            domain,
            |space| space.domain(),
            |map, set| Some(set.map_or_else(|| map.clone(), |set| map.subtract_domain(set))),
        )
    }

    /// `{ x -> y in R : y not in B }`. isl: `union_map_subtract_range`.
    pub fn subtract_range(&self, range: &UnionSet) -> UnionMap {
        self.restrict(
            range,
            |space| space.range(),
            |map, set| Some(set.map_or_else(|| map.clone(), |set| map.subtract_range(set))),
        )
    }

    /// isl: `union_map_gist_domain`.
    pub fn gist_domain(&self, context: &UnionSet) -> UnionMap {
        self.restrict(
            context,
            |space| space.domain(),
            |map, set| Some(set.map_or_else(|| Map::empty(map.space()), |set| map.gist_domain(set))),
        )
    }

    /// isl: `union_map_gist_range`.
    pub fn gist_range(&self, context: &UnionSet) -> UnionMap {
        self.restrict(
            context,
            |space| space.range(),
            |map, set| Some(set.map_or_else(|| Map::empty(map.space()), |set| map.gist_range(set))),
        )
    }

    /// `{ x -> z : exists y : x -> y in R and y -> z in Q }`. isl: `union_map_apply_range`.
    pub fn apply_range(&self, next: &UnionMap) -> UnionMap {
        self.pairs(next, |a, b| a.tuple(DimKind::Out) == b.tuple(DimKind::In), Map::apply_range)
    }

    /// `{ z -> y : exists x : x -> y in R and x -> z in Q }`. isl: `union_map_apply_domain`.
    pub fn apply_domain(&self, next: &UnionMap) -> UnionMap {
        self.pairs(next, |a, b| a.tuple(DimKind::In) == b.tuple(DimKind::In), Map::apply_domain)
    }

    /// Space by space. isl: `union_map_reverse`.
    pub fn reverse(&self) -> UnionMap {
        self.each(Map::reverse)
    }

    /// isl: `union_map_domain`.
    pub fn domain(&self) -> UnionSet {
        self.sets_of(Map::domain)
    }

    /// isl: `union_map_range`.
    pub fn range(&self) -> UnionSet {
        self.sets_of(Map::range)
    }

    /// `{ [x -> y] : x -> y in R }`. isl: `union_map_wrap`.
    pub fn wrap(&self) -> UnionSet {
        self.sets_of(Map::wrap)
    }

    /// `{ [x -> u] -> [y -> v] : [x -> y] -> [u -> v] in R }`; other pairs are dropped. isl: `union_map_zip`.
    pub fn zip(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::In) && is_wrapped(space, DimKind::Out), Map::zip)
    }

    /// `{ x -> [y -> z] : [x -> y] -> z in R }`; other pairs are dropped. isl: `union_map_curry`.
    pub fn curry(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::In), Map::curry)
    }

    /// `{ [x -> y] -> z : x -> [y -> z] in R }`; other pairs are dropped. isl: `union_map_uncurry`.
    pub fn uncurry(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::Out), Map::uncurry)
    }

    /// `{ [x -> u] -> [y -> v] }`. isl: `union_map_product`.
    pub fn product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |_, _| true, Map::product)
    }

    /// `{ [x -> u] -> y : x -> y in R, u -> y in Q }`. isl: `union_map_domain_product`.
    pub fn domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.tuple(DimKind::Out) == b.tuple(DimKind::Out), Map::domain_product)
    }

    /// `{ x -> [y -> v] : x -> y in R, x -> v in Q }`. isl: `union_map_range_product`.
    pub fn range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.tuple(DimKind::In) == b.tuple(DimKind::In), Map::range_product)
    }

    /// `{ x -> (y, v) }`, flat. isl: `union_map_flat_range_product`.
    pub fn flat_range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.tuple(DimKind::In) == b.tuple(DimKind::In), Map::flat_range_product)
    }

    /// `{ (x, u) -> y }`, flat. isl: `union_map_flat_domain_product`.
    pub fn flat_domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.tuple(DimKind::Out) == b.tuple(DimKind::Out), Map::flat_domain_product)
    }

    /// isl: `union_map_factor_domain`.
    pub fn factor_domain(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::In) && is_wrapped(space, DimKind::Out), Map::factor_domain)
    }

    /// isl: `union_map_factor_range`.
    pub fn factor_range(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::In) && is_wrapped(space, DimKind::Out), Map::factor_range)
    }

    /// `{ x -> z : [x -> y] -> z in R }`. isl: `union_map_domain_factor_domain`.
    pub fn domain_factor_domain(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::In), Map::domain_factor_domain)
    }

    /// `{ y -> z : [x -> y] -> z in R }`. isl: `union_map_domain_factor_range`.
    pub fn domain_factor_range(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::In), Map::domain_factor_range)
    }

    /// `{ x -> y : x -> [y -> z] in R }`. isl: `union_map_range_factor_domain`.
    pub fn range_factor_domain(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::Out), Map::range_factor_domain)
    }

    /// `{ x -> z : x -> [y -> z] in R }`. isl: `union_map_range_factor_range`.
    pub fn range_factor_range(&self) -> UnionMap {
        self.each_where(|space| is_wrapped(space, DimKind::Out), Map::range_factor_range)
    }

    /// `{ y - x : x -> y in R }` for pairs within one space. isl: `union_map_deltas`.
    pub fn deltas(&self) -> UnionSet {
        self.within_one_space().sets_of(Map::deltas)
    }

    /// `{ [x -> y] -> y - x }` for pairs within one space. isl: `union_map_deltas_map`.
    pub fn deltas_map(&self) -> UnionMap {
        self.within_one_space().each(Map::deltas_map)
    }

    fn within_one_space(&self) -> UnionMap {
        self.each_where(|space| space.tuple(DimKind::In) == space.tuple(DimKind::Out), Map::clone)
    }

    /// `{ [x -> y] -> x : x -> y in R }`. isl: `union_map_domain_map`.
    pub fn domain_map(&self) -> UnionMap {
        self.each(Map::domain_map)
    }

    /// `{ [x -> y] -> y : x -> y in R }`. isl: `union_map_range_map`.
    pub fn range_map(&self) -> UnionMap {
        self.each(Map::range_map)
    }

    /// The same projection as a function. isl: `union_map_domain_map_union_pw_multi_aff`.
    pub fn domain_map_union_pw_multi_aff(&self) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(self.params.params());
        for map in self.maps.values() {
            let function = super::multi::PwMultiAff::alloc(&map.wrap(), &MultiAff::domain_map(map.space()));
            result.add_pw_multi_aff(&function);
        }
        result
    }

    /// Pairs of domain elements whose images in one space compare: `{ a -> b : R(a) << Q(b) }`. isl: `union_map_lex_lt_union_map`.
    pub fn lex_lt_union_map(&self, other: &UnionMap) -> UnionMap {
        self.lex(other, Map::lex_lt)
    }

    /// `{ a -> b : R(a) <<= Q(b) }`. isl: `union_map_lex_le_union_map`.
    pub fn lex_le_union_map(&self, other: &UnionMap) -> UnionMap {
        self.lex(other, Map::lex_le)
    }

    /// `{ a -> b : R(a) >> Q(b) }`. isl: `union_map_lex_gt_union_map`.
    pub fn lex_gt_union_map(&self, other: &UnionMap) -> UnionMap {
        self.lex(other, Map::lex_gt)
    }

    /// `{ a -> b : R(a) >>= Q(b) }`. isl: `union_map_lex_ge_union_map`.
    pub fn lex_ge_union_map(&self, other: &UnionMap) -> UnionMap {
        self.lex(other, Map::lex_ge)
    }

    fn lex(&self, other: &UnionMap, order: impl Fn(&Space) -> Map) -> UnionMap {
        self.pairs(
            other,
            |a, b| a.tuple(DimKind::Out) == b.tuple(DimKind::Out),
            |a, b| a.apply_range(&order(&a.space().range())).apply_range(&b.reverse()),
        )
    }

    /// isl: `union_map_is_single_valued`.
    pub fn is_single_valued(&self) -> bool {
        let maps: Vec<&Map> = self.maps.values().collect();
        let one_image = maps.iter().enumerate().all(|(at, a)| {
            maps[at + 1..].iter().all(|b| {
                a.space().tuple(DimKind::In) != b.space().tuple(DimKind::In) || a.domain().is_disjoint(&b.domain())
            })
        });
        one_image && maps.iter().all(|map| map.is_single_valued())
    }

    /// isl: `union_map_is_injective`.
    pub fn is_injective(&self) -> bool {
        self.reverse().is_single_valued()
    }

    /// isl: `union_map_is_bijective`.
    pub fn is_bijective(&self) -> bool {
        self.is_single_valued() && self.is_injective()
    }

    /// The `n`-fold composition, of the inverse for negative `n`; `n` is not 0. isl: `union_map_fixed_power_val`.
    pub fn fixed_power(&self, n: i64) -> UnionMap {
        assert!(n != 0, "law: the 0th power of a relation is not a relation of this kind");
        let base = if n < 0 { self.reverse() } else { self.clone() };
        (1..n.unsigned_abs()).fold(base.clone(), |power, _| power.apply_range(&base).coalesce())
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
