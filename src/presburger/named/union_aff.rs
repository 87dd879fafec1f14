//! Piecewise expressions over several domain spaces.
//!
//! The partial schedule of a band gives each statement its own expressions: `[{ S[i] -> [(i)]; T[i, k] -> [(k)] }]` is a
//! [`MultiUnionPwAff`] with one member, a [`UnionPwAff`], which is a [`PwAff`] on the instances of `S` and one on those of `T`. A
//! [`UnionPwMultiAff`] has whole tuples instead, and may also map into different spaces. With no member, a
//! [`MultiUnionPwAff`] remembers its domain explicitly. (Verdoolaege, "Presburger Formulas and Polyhedral Compilation", definitions 4.17 to 4.28.)

use super::multi::{PwMultiAff, function_space};
use super::multi_pw::MultiPwAff;
use super::pw_aff::PwAff;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuple, Tuples};
use super::union_map::UnionMap;
use super::union_set::UnionSet;
use crate::presburger::number::int::Int;
use std::collections::BTreeMap;

/// Piecewise expressions over different domain spaces.
#[derive(Clone)]
pub struct UnionPwAff {
    pub(crate) params: Space,
    pub(crate) affs: BTreeMap<Tuples, PwAff>,
}

/// Piecewise tuples over different domain spaces and into different range spaces, on disjoint domains.
#[derive(Clone)]
pub struct UnionPwMultiAff {
    pub(crate) params: Space,
    pub(crate) functions: BTreeMap<Tuples, PwMultiAff>,
}

/// A tuple of expressions, each over several domain spaces: the partial schedule of a band.
#[derive(Clone)]
pub struct MultiUnionPwAff {
    pub(crate) params: Space,
    pub(crate) range: Tuple,
    pub(crate) affs: Vec<UnionPwAff>,
    pub(crate) explicit_domain: Option<UnionSet>,
}

impl UnionPwAff {
    /// Defined nowhere. isl: `union_pw_aff_empty`.
    pub fn empty(params: &[Id]) -> UnionPwAff {
        UnionPwAff { params: Space::params_only(params), affs: BTreeMap::new() }
    }

    /// isl: `union_pw_aff_from_pw_aff`.
    pub fn from_pw_aff(aff: &PwAff) -> UnionPwAff {
        let mut result = UnionPwAff::empty(aff.domain_space().params());
        result.add_pw_aff(aff);
        result
    }

    /// `value` on the set. isl: `union_pw_aff_val_on_domain`.
    pub fn constant_on_domain(domain: &UnionSet, value: &Int) -> UnionPwAff {
        let mut result = UnionPwAff::empty(domain.params_space().params());
        domain.sets().for_each(|set| result.add_pw_aff(&PwAff::constant_on_set(&set, value)));
        result
    }

    /// Adds an expression on one space, where nothing was defined. isl: `union_pw_aff_add_pw_aff`.
    pub fn add_pw_aff(&mut self, aff: &PwAff) {
        let all = self.params.align_params(aff.domain_space());
        if !all.has_equal_params(&self.params) {
            self.params = all.params_space();
            self.affs.values_mut().for_each(|known| *known = known.align_params(&all));
        }
        if aff.n_pieces() == 0 {
            return;
        }
        let aff = aff.align_params(&self.params);
        let key = aff.domain_space().tuples().clone();
        let joined = match self.affs.get(&key) {
            Some(known) => PwAff::from_pieces(known.domain_space(), [known.pieces(), aff.pieces()].concat()),
            None => aff,
        };
        self.affs.insert(key, joined);
    }

    /// The parts, one for each domain space, in the order of spaces. isl: `union_pw_aff_foreach_pw_aff`.
    pub fn pw_affs(&self) -> impl Iterator<Item = &PwAff> + '_ {
        self.affs.values()
    }

    /// The part on one space. isl: `union_pw_aff_extract_pw_aff`.
    pub fn extract_pw_aff(&self, domain: &Space) -> PwAff {
        match self.affs.get(domain.tuples()) {
            Some(aff) => aff.align_params(domain),
            None => PwAff::empty(domain),
        }
    }

    /// isl: `union_pw_aff_get_space` and the like.
    pub fn params_space(&self) -> Space {
        self.params.clone()
    }

    /// Where it is defined. isl: `union_pw_aff_domain`.
    pub fn domain(&self) -> UnionSet {
        self.sets(PwAff::domain)
    }

    fn sets(&self, f: impl Fn(&PwAff) -> Set) -> UnionSet {
        self.affs.values().fold(UnionSet::empty(self.params.params()), |mut all, aff| {
            all.add_set(&f(aff));
            all
        })
    }

    fn each(&self, f: impl Fn(&PwAff) -> PwAff) -> UnionPwAff {
        self.affs.values().fold(UnionPwAff::empty(self.params.params()), |mut all, aff| {
            all.add_pw_aff(&f(aff));
            all
        })
    }

    /// `f` on the parts of both, without those in spaces of one only.
    fn on_both(&self, other: &UnionPwAff, f: impl Fn(&PwAff, &PwAff) -> PwAff) -> UnionPwAff {
        let mut result = UnionPwAff::empty(self.params.align_params(&other.params).params());
        for (key, aff) in &self.affs {
            if let Some(partner) = other.affs.get(key) {
                result.add_pw_aff(&f(aff, partner));
            }
        }
        result
    }

    /// Sum where both are defined. isl: `union_pw_aff_add`.
    pub fn add(&self, other: &UnionPwAff) -> UnionPwAff {
        self.on_both(other, PwAff::add)
    }

    /// isl: `union_pw_aff_sub`.
    pub fn sub(&self, other: &UnionPwAff) -> UnionPwAff {
        self.on_both(other, PwAff::sub)
    }

    /// The sum where both are defined, else the one that is. isl: `union_pw_aff_union_add`.
    pub fn union_add(&self, other: &UnionPwAff) -> UnionPwAff {
        let mut result = self.on_both(other, PwAff::union_add);
        for (own, partner) in [(self, other), (other, self)] {
            let alone = own.affs.iter().filter(|(key, _)| !partner.affs.contains_key(*key));
            alone.for_each(|(_, aff)| result.add_pw_aff(aff));
        }
        result
    }

    /// Space by space. isl: `union_pw_aff_neg`.
    pub fn neg(&self) -> UnionPwAff {
        self.each(PwAff::neg)
    }

    /// Space by space. isl: `union_pw_aff_floor`.
    pub fn floor(&self) -> UnionPwAff {
        self.each(PwAff::floor)
    }

    /// Space by space. isl: `union_pw_aff_coalesce`.
    pub fn coalesce(&self) -> UnionPwAff {
        self.each(PwAff::coalesce)
    }

    /// isl: `union_pw_aff_scale_val`.
    pub fn scale(&self, factor: &Int) -> UnionPwAff {
        self.each(|aff| aff.scale(factor))
    }

    /// isl: `union_pw_aff_scale_down_val`.
    pub fn scale_down(&self, divisor: &Int) -> UnionPwAff {
        self.each(|aff| aff.scale_down(divisor))
    }

    /// isl: `union_pw_aff_mod_val`.
    pub fn mod_val(&self, modulus: &Int) -> UnionPwAff {
        self.each(|aff| aff.mod_val(modulus))
    }

    /// isl: `union_pw_aff_intersect_domain`.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionPwAff {
        self.each(|aff| match part(domain, aff.domain_space()) {
            Some(set) => aff.intersect_domain(&set),
            None => PwAff::empty(aff.domain_space()),
        })
    }

    /// isl: `union_pw_aff_subtract_domain`.
    pub fn subtract_domain(&self, domain: &UnionSet) -> UnionPwAff {
        self.each(|aff| part(domain, aff.domain_space()).map_or_else(|| aff.clone(), |set| aff.subtract_domain(&set)))
    }

    /// Equal on the context. isl: `union_pw_aff_gist`.
    pub fn gist(&self, context: &UnionSet) -> UnionPwAff {
        self.each(|aff| match part(context, aff.domain_space()) {
            Some(set) => aff.gist(&set),
            None => PwAff::empty(aff.domain_space()),
        })
    }

    /// `x -> self(inner(x))`. isl: `union_pw_aff_pullback_union_pw_multi_aff`.
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> UnionPwAff {
        let mut result = UnionPwAff::empty(self.params.align_params(&inner.params).params());
        for function in inner.functions.values() {
            let range = function.space().tuple(DimKind::Out).expect("law: a function has a range").clone();
            if let Some(aff) = self.affs.get(&Tuples::Set(range)) {
                result.add_pw_aff(&aff.pullback_pw(function));
            }
        }
        result
    }

    /// `{ x : self(x) = 0 }`. isl: `union_pw_aff_zero_union_set`.
    pub fn zero_set(&self) -> UnionSet {
        self.sets(PwAff::zero_set)
    }

    /// Same domain, same values. isl: `*_plain_is_equal`, which only compares texts.
    pub fn is_equal(&self, other: &UnionPwAff) -> bool {
        let nothing = |all: &UnionPwAff, key: &Tuples| all.affs.get(key).is_none_or(|aff| aff.domain().is_empty());
        let mine = self.affs.iter().all(|(key, aff)| match other.affs.get(key) {
            Some(partner) => aff.is_equal(partner),
            None => aff.domain().is_empty(),
        });
        mine && other.affs.keys().all(|key| self.affs.contains_key(key) || nothing(other, key))
    }

    /// isl: `union_pw_aff_align_params`.
    pub fn align_params(&self, space: &Space) -> UnionPwAff {
        let all = self.params.align_params(space);
        let affs = self.affs.iter().map(|(key, aff)| (key.clone(), aff.align_params(&all))).collect();
        UnionPwAff { params: all.params_space(), affs }
    }
}

/// The part of a union in a space, if there is one.
fn part(union: &UnionSet, space: &Space) -> Option<Set> {
    union.contains_space(space).then(|| union.extract_set(space))
}

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

impl MultiUnionPwAff {
    /// `range`: a set space with one dimension for each expression. isl: `multi_union_pw_aff_from_union_pw_aff_list`.
    pub fn new(range: &Space, affs: Vec<UnionPwAff>) -> MultiUnionPwAff {
        let tuple = range.tuple(DimKind::Out).cloned().unwrap_or_else(|| Tuple::anonymous(0));
        MultiUnionPwAff::of(&tuple, affs, None).align_params(&range.params_space())
    }

    fn of(range: &Tuple, affs: Vec<UnionPwAff>, explicit_domain: Option<UnionSet>) -> MultiUnionPwAff {
        assert_eq!(range.n_dim(), affs.len(), "law: one expression for each dimension of the range");
        let params = affs.iter().fold(Space::params_only(&[]), |all, aff| all.align_params(&aff.params));
        let params = explicit_domain.iter().fold(params, |all, domain| all.align_params(&domain.params_space()));
        let affs = affs.iter().map(|aff| aff.align_params(&params)).collect();
        MultiUnionPwAff { params, range: range.clone(), affs, explicit_domain }
    }

    /// All members 0, defined nowhere yet. isl: `multi_union_pw_aff_zero`.
    pub fn zero(range: &Space) -> MultiUnionPwAff {
        MultiUnionPwAff::new(range, vec![UnionPwAff::empty(range.params()); range.dim(DimKind::Out)])
    }

    /// No member, on this domain. isl: `multi_union_pw_aff_from_domain`.
    pub fn zero_dimensional(domain: &UnionSet) -> MultiUnionPwAff {
        MultiUnionPwAff::of(&Tuple::anonymous(0), Vec::new(), Some(domain.clone()))
    }

    /// `None` unless the relation is single-valued and into one range space. isl: `multi_union_pw_aff_from_union_map`.
    pub fn from_union_map(map: &UnionMap) -> Option<MultiUnionPwAff> {
        MultiUnionPwAff::from_union_pw_multi_aff(&UnionPwMultiAff::from_union_map(map)?)
    }

    /// One member. isl: `multi_union_pw_aff_from_union_pw_aff`.
    pub fn from_union_pw_aff(aff: &UnionPwAff) -> MultiUnionPwAff {
        MultiUnionPwAff::of(&Tuple::anonymous(1), vec![aff.clone()], None)
    }

    /// `None` unless all parts map into one space. isl: `multi_union_pw_aff_from_union_pw_multi_aff`.
    pub fn from_union_pw_multi_aff(function: &UnionPwMultiAff) -> Option<MultiUnionPwAff> {
        let mut ranges = function.pw_multi_affs().map(|f| f.space().tuple(DimKind::Out).cloned());
        let range = ranges.next()??;
        if !ranges.all(|other| other.as_ref() == Some(&range)) {
            return None;
        }
        if range.n_dim() == 0 {
            return Some(MultiUnionPwAff::of(&range, Vec::new(), Some(function.domain())));
        }
        let affs = (0..range.n_dim()).map(|at| function.union_pw_aff(at)).collect();
        Some(MultiUnionPwAff::of(&range, affs, None))
    }

    /// The set space of the values. isl: `multi_union_pw_aff_get_space`.
    pub fn range_space(&self) -> Space {
        Space::set(self.params.params(), &self.range)
    }

    /// isl: `union_pw_aff_get_space` and the like.
    pub fn params_space(&self) -> Space {
        self.params.clone()
    }

    /// Number of members. isl: `multi_union_pw_aff_size`.
    pub fn n(&self) -> usize {
        self.affs.len()
    }

    /// isl: `multi_union_pw_aff_get_list`.
    pub fn affs(&self) -> &[UnionPwAff] {
        &self.affs
    }

    /// isl: `multi_union_pw_aff_get_at`.
    pub fn aff(&self, position: usize) -> &UnionPwAff {
        &self.affs[position]
    }

    /// isl: `multi_union_pw_aff_set_at`.
    pub fn set_aff(&self, position: usize, aff: &UnionPwAff) -> MultiUnionPwAff {
        let mut affs = self.affs.clone();
        affs[position] = aff.clone();
        MultiUnionPwAff::of(&self.range, affs, self.explicit_domain.clone())
    }

    /// Without the members `first..first + n`. isl: `multi_union_pw_aff_drop_dims`.
    pub fn drop_members(&self, first: usize, n: usize) -> MultiUnionPwAff {
        let mut affs = self.affs.clone();
        affs.drain(first..first + n);
        let explicit = if affs.is_empty() { Some(self.domain()) } else { None };
        MultiUnionPwAff::of(&Tuple::anonymous(affs.len()), affs, explicit)
    }

    /// Where all members are defined. isl: `multi_union_pw_aff_domain`.
    pub fn domain(&self) -> UnionSet {
        let mut domains = self.affs.iter().map(UnionPwAff::domain).chain(self.explicit_domain.clone());
        let Some(first) = domains.next() else { return UnionSet::empty(self.params.params()) };
        domains.fold(first, |all, domain| all.intersect(&domain))
    }

    /// `{ x -> f(x) }`. isl: `union_map_from_multi_union_pw_aff`.
    pub fn as_union_map(&self) -> UnionMap {
        let mut result = UnionMap::empty(self.params.params());
        let Some(first) = self.affs.first() else {
            let point = UnionSet::from_set(&Set::universe(&self.range_space()));
            return UnionMap::from_domain_and_range(&self.domain(), &point);
        };
        for aff in first.pw_affs() {
            let domain = aff.domain_space();
            if self.affs.iter().all(|member| member.affs.contains_key(domain.tuples())) {
                result.add_map(&self.extract_multi_pw_aff(domain).as_map());
            }
        }
        match &self.explicit_domain {
            Some(domain) => result.intersect_domain(domain),
            None => result,
        }
    }

    /// The members on one space. isl: `multi_union_pw_aff_extract_multi_pw_aff`.
    pub fn extract_multi_pw_aff(&self, domain: &Space) -> MultiPwAff {
        let affs = self.affs.iter().map(|aff| aff.extract_pw_aff(domain)).collect();
        MultiPwAff::new(&function_space(domain, &self.range), affs)
    }

    fn zipped(&self, other: &MultiUnionPwAff, f: impl Fn(&UnionPwAff, &UnionPwAff) -> UnionPwAff) -> MultiUnionPwAff {
        assert_eq!(self.n(), other.n(), "law: tuples of one size");
        let affs = self.affs.iter().zip(&other.affs).map(|(a, b)| f(a, b)).collect();
        let explicit = match (&self.explicit_domain, &other.explicit_domain) {
            (Some(a), Some(b)) => Some(a.intersect(b)),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        MultiUnionPwAff::of(&self.range, affs, explicit)
    }

    fn each(&self, f: impl Fn(&UnionPwAff) -> UnionPwAff) -> MultiUnionPwAff {
        MultiUnionPwAff::of(&self.range, self.affs.iter().map(f).collect(), self.explicit_domain.clone())
    }

    fn each_with(&self, values: &[Int], f: impl Fn(&UnionPwAff, &Int) -> UnionPwAff) -> MultiUnionPwAff {
        assert_eq!(self.n(), values.len(), "law: one number for each member");
        let affs = self.affs.iter().zip(values).map(|(aff, value)| f(aff, value)).collect();
        MultiUnionPwAff::of(&self.range, affs, self.explicit_domain.clone())
    }

    /// isl: `multi_union_pw_aff_add`.
    pub fn add(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.zipped(other, UnionPwAff::add)
    }

    /// isl: `multi_union_pw_aff_sub`.
    pub fn sub(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.zipped(other, UnionPwAff::sub)
    }

    /// isl: `multi_union_pw_aff_neg`.
    pub fn neg(&self) -> MultiUnionPwAff {
        self.each(UnionPwAff::neg)
    }

    /// Member by member. isl: `multi_union_pw_aff_scale_multi_val`.
    pub fn scale(&self, factors: &[Int]) -> MultiUnionPwAff {
        self.each_with(factors, UnionPwAff::scale)
    }

    /// Member by member. isl: `multi_union_pw_aff_scale_down_multi_val`.
    pub fn scale_down(&self, divisors: &[Int]) -> MultiUnionPwAff {
        self.each_with(divisors, UnionPwAff::scale_down)
    }

    /// isl: `multi_union_pw_aff_floor`.
    pub fn floor(&self) -> MultiUnionPwAff {
        self.each(UnionPwAff::floor)
    }

    /// Member by member. isl: `multi_union_pw_aff_mod_multi_val`.
    pub fn mod_val(&self, moduli: &[Int]) -> MultiUnionPwAff {
        self.each_with(moduli, UnionPwAff::mod_val)
    }

    /// isl: `multi_union_pw_aff_union_add`.
    pub fn union_add(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        let mut result = self.zipped(other, UnionPwAff::union_add);
        if let (Some(a), Some(b)) = (&self.explicit_domain, &other.explicit_domain) {
            result.explicit_domain = Some(a.union(b));
        }
        result
    }

    /// isl: `multi_union_pw_aff_range_product`.
    pub fn range_product(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.joined(other, &Tuple::nested(None, &self.range, &other.range))
    }

    /// isl: `multi_union_pw_aff_flat_range_product`.
    pub fn flat_range_product(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        self.joined(other, &Tuple::anonymous(self.n() + other.n()))
    }

    fn joined(&self, other: &MultiUnionPwAff, range: &Tuple) -> MultiUnionPwAff {
        let explicit = match (&self.explicit_domain, &other.explicit_domain) {
            (Some(a), Some(b)) => Some(a.intersect(b)),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        MultiUnionPwAff::of(range, [self.affs.as_slice(), &other.affs].concat(), explicit)
    }

    fn with_domain(
        &self,
        f: impl Fn(&UnionSet) -> UnionSet,
        each: impl Fn(&UnionPwAff) -> UnionPwAff,
    ) -> MultiUnionPwAff {
        let explicit = self.explicit_domain.as_ref().map(f);
        MultiUnionPwAff::of(&self.range, self.affs.iter().map(each).collect(), explicit)
    }

    /// isl: `multi_union_pw_aff_intersect_domain`.
    pub fn intersect_domain(&self, domain: &UnionSet) -> MultiUnionPwAff {
        self.with_domain(|mine| mine.intersect(domain), |aff| aff.intersect_domain(domain))
    }

    /// isl: `multi_union_pw_aff_subtract_domain`.
    pub fn subtract_domain(&self, domain: &UnionSet) -> MultiUnionPwAff {
        self.with_domain(|mine| mine.subtract(domain), |aff| aff.subtract_domain(domain))
    }

    /// isl: `multi_union_pw_aff_gist`.
    pub fn gist(&self, context: &UnionSet) -> MultiUnionPwAff {
        self.with_domain(|mine| mine.gist(context), |aff| aff.gist(context))
    }

    /// isl: `multi_union_pw_aff_coalesce`.
    pub fn coalesce(&self) -> MultiUnionPwAff {
        self.with_domain(UnionSet::coalesce, UnionPwAff::coalesce)
    }

    /// `x -> self(inner(x))`. isl: `multi_union_pw_aff_pullback_union_pw_multi_aff`.
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> MultiUnionPwAff {
        self.with_domain(|mine| mine.preimage_union_pw_multi_aff(inner), |aff| aff.pullback(inner))
    }

    /// `{ x : all members are 0 }`. isl: `multi_union_pw_aff_zero_union_set`.
    pub fn zero_union_set(&self) -> UnionSet {
        self.affs.iter().fold(self.domain(), |all, aff| all.intersect(&aff.zero_set()))
    }

    /// isl: `multi_union_pw_aff_align_params`.
    pub fn align_params(&self, space: &Space) -> MultiUnionPwAff {
        let params = self.params.align_params(space).params_space();
        MultiUnionPwAff {
            affs: self.affs.iter().map(|aff| aff.align_params(&params)).collect(),
            explicit_domain: self.explicit_domain.as_ref().map(|domain| domain.align_params(&params)),
            range: self.range.clone(),
            params,
        }
    }

    /// The same with another tuple of the same size as range. isl: `multi_union_pw_aff_set_tuple_id` and the like.
    pub fn reset_range(&self, range: &Tuple) -> MultiUnionPwAff {
        MultiUnionPwAff::of(range, self.affs.clone(), self.explicit_domain.clone())
    }

    /// Same domain, same values. isl: `*_plain_is_equal`, which only compares texts.
    pub fn is_equal(&self, other: &MultiUnionPwAff) -> bool {
        self.n() == other.n()
            && self.affs.iter().zip(&other.affs).all(|(a, b)| a.is_equal(b))
            && (self.n() > 0 || self.domain().is_equal(&other.domain()))
    }
}
