//! Functions from several spaces into several spaces.
//!
//! `{ S[i] -> A[(i), (0)]; T[i] -> B[(i)] }` has a part for each pair of spaces; an operation is that of the parts whose spaces fit.

use super::{UnionPwAff, UnionPwMultiAff, part};
use crate::presburger::named::multi::PwMultiAff;
use crate::presburger::named::space::{DimKind, Id, Space};
use crate::presburger::named::union_map::UnionMap;
use crate::presburger::named::union_set::UnionSet;
use std::collections::BTreeMap;

/// Whether functions of these spaces have the same domain.
fn has_equal_domains(a: &Space, b: &Space) -> bool {
    a.domain().has_equal_tuples(&b.domain())
}

impl UnionPwMultiAff {
    /// Defined nowhere. isl: `union_pw_multi_aff_empty`.
    pub fn empty(params: &[Id]) -> UnionPwMultiAff {
        UnionPwMultiAff { params: Space::params_only(params), functions: BTreeMap::new() }
    }

    /// `None` if the relation is not single-valued. isl: `union_pw_multi_aff_from_union_map`.
    pub fn from_union_map(map: &UnionMap) -> Option<UnionPwMultiAff> {
        if !map.is_single_valued() {
            return None;
        }
        let mut result = UnionPwMultiAff::empty(map.params_space().params());
        map.maps().for_each(|map| result.add_pw_multi_aff(&map.only_values()));
        Some(result)
    }

    /// isl: `union_pw_multi_aff_from_pw_multi_aff`.
    pub fn from_pw_multi_aff(function: &PwMultiAff) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(function.space().params());
        result.add_pw_multi_aff(function);
        result
    }

    /// Adds a function between two spaces, where nothing was defined. isl: `union_pw_multi_aff_add_pw_multi_aff`.
    pub fn add_pw_multi_aff(&mut self, function: &PwMultiAff) {
        let all = self.params.align_params(function.space());
        if !all.has_equal_params(&self.params) {
            self.params = all.params_space();
            self.functions.values_mut().for_each(|known| *known = known.align_params(&all));
        }
        if function.pieces().is_empty() {
            return;
        }
        let function = function.align_params(&self.params);
        let key = function.space().tuples().clone();
        let joined = match self.functions.get(&key) {
            Some(known) => PwMultiAff::from_pieces(known.space(), [known.pieces(), function.pieces()].concat()),
            None => function,
        };
        self.functions.insert(key, joined);
    }

    /// The parts, in the order of spaces. isl: `union_pw_multi_aff_foreach_pw_multi_aff`.
    pub fn pw_multi_affs(&self) -> impl Iterator<Item = &PwMultiAff> + '_ {
        self.functions.values()
    }

    /// isl: `union_pw_aff_get_space` and the like.
    pub fn params_space(&self) -> Space {
        self.params.clone()
    }

    /// Where it is defined. isl: `union_pw_multi_aff_domain`.
    pub fn domain(&self) -> UnionSet {
        self.functions.values().fold(UnionSet::empty(self.params.params()), |mut all, function| {
            all.add_set(&function.domain());
            all
        })
    }

    /// `{ x -> f(x) }`. isl: `union_map_from_union_pw_multi_aff`.
    pub fn as_union_map(&self) -> UnionMap {
        self.functions.values().fold(UnionMap::empty(self.params.params()), |mut all, function| {
            all.add_map(&function.as_map());
            all
        })
    }

    fn each(&self, f: impl Fn(&PwMultiAff) -> PwMultiAff) -> UnionPwMultiAff {
        self.functions.values().fold(UnionPwMultiAff::empty(self.params.params()), |mut all, function| {
            all.add_pw_multi_aff(&f(function));
            all
        })
    }

    /// `f` on each two functions in spaces that fit each other.
    fn pairs(
        &self,
        other: &UnionPwMultiAff,
        fits: impl Fn(&Space, &Space) -> bool,
        f: impl Fn(&PwMultiAff, &PwMultiAff) -> PwMultiAff,
    ) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(self.params.align_params(&other.params).params());
        for a in self.functions.values() {
            for b in other.functions.values() {
                if fits(a.space(), b.space()) {
                    result.add_pw_multi_aff(&f(a, b));
                }
            }
        }
        result
    }

    /// Sum where both are defined. isl: `union_pw_multi_aff_add`.
    pub fn add(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.pairs(other, Space::has_equal_tuples, PwMultiAff::add)
    }

    /// isl: `union_pw_multi_aff_sub`.
    pub fn sub(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.pairs(other, Space::has_equal_tuples, PwMultiAff::sub)
    }

    /// The sum where both are defined, else the one that is. isl: `union_pw_multi_aff_union_add`.
    pub fn union_add(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        let mut result = self.add(other);
        self.subtract_domain(&other.domain()).functions.values().for_each(|f| result.add_pw_multi_aff(f));
        other.subtract_domain(&self.domain()).functions.values().for_each(|f| result.add_pw_multi_aff(f));
        result
    }

    /// isl: `union_pw_multi_aff_flat_range_product`.
    pub fn flat_range_product(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.pairs(other, has_equal_domains, PwMultiAff::flat_range_product)
    }

    /// isl: `union_pw_multi_aff_range_product`.
    pub fn range_product(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.pairs(other, has_equal_domains, PwMultiAff::range_product)
    }

    /// `x -> self(inner(x))`. isl: `union_pw_multi_aff_pullback_union_pw_multi_aff`.
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(self.params.align_params(&inner.params).params());
        for function in inner.functions.values() {
            for outer in self.functions.values() {
                if outer.domain_space().tuple(DimKind::Out) == function.space().tuple(DimKind::Out) {
                    result.add_pw_multi_aff(&outer.pullback_pw(function));
                }
            }
        }
        result
    }

    /// isl: `union_pw_multi_aff_intersect_domain`.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionPwMultiAff {
        self.each(|function| match part(domain, &function.domain_space()) {
            Some(set) => function.intersect_domain(&set),
            None => PwMultiAff::empty(function.space()),
        })
    }

    /// isl: `union_pw_multi_aff_subtract_domain`.
    pub fn subtract_domain(&self, domain: &UnionSet) -> UnionPwMultiAff {
        self.each(|function| match part(domain, &function.domain_space()) {
            Some(set) => function.subtract_domain(&set),
            None => function.clone(),
        })
    }

    /// Equal on the context. isl: `union_pw_multi_aff_gist`.
    pub fn gist(&self, context: &UnionSet) -> UnionPwMultiAff {
        self.each(|function| match part(context, &function.domain_space()) {
            Some(set) => function.gist(&set),
            None => PwMultiAff::empty(function.space()),
        })
    }

    /// isl: `union_pw_multi_aff_coalesce`.
    pub fn coalesce(&self) -> UnionPwMultiAff {
        self.each(PwMultiAff::coalesce)
    }

    /// One member of all tuples that have it. isl: `union_pw_multi_aff_get_union_pw_aff`.
    pub fn union_pw_aff(&self, position: usize) -> UnionPwAff {
        let wide = self.functions.values().filter(|function| position < function.space().dim(DimKind::Out));
        wide.fold(UnionPwAff::empty(self.params.params()), |mut all, function| {
            all.add_pw_aff(&function.pw_aff(position));
            all
        })
    }

    /// Same domain, same values. isl: `*_plain_is_equal`, which only compares texts.
    pub fn is_equal(&self, other: &UnionPwMultiAff) -> bool {
        self.as_union_map().is_equal(&other.as_union_map())
    }
}
