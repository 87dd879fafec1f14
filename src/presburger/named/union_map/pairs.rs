//! Relations in several spaces, as pairs: their domains and ranges, composition, products and orders.
//!
//! `{ S[i] -> A[i]; T[i, j] -> B[j] }` composed with `{ A[x] -> [x] }` keeps the part of `S`.

use super::{UnionMap, is_wrapped};
use crate::presburger::named::map::Map;
use crate::presburger::named::multi::MultiAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space};
use crate::presburger::named::union_aff::{MultiUnionPwAff, UnionPwMultiAff};
use crate::presburger::named::union_set::UnionSet;

impl UnionMap {
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
            let function =
                crate::presburger::named::multi::PwMultiAff::alloc(&map.wrap(), &MultiAff::domain_map(map.space()));
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
}
