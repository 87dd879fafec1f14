//! Piecewise expressions over several domain spaces.
//!
//! The partial schedule of a band gives each statement its own expressions: `[{ S[i] -> [(i)]; T[i, k] -> [(k)] }]` is a
//! [`MultiUnionPwAff`] with one member, a [`UnionPwAff`], which is a [`PwAff`] on the instances of `S` and one on those of `T`. A
//! [`UnionPwMultiAff`] has whole tuples instead, and may also map into different spaces. With no member, a
//! [`MultiUnionPwAff`] remembers its domain explicitly. (Verdoolaege, "Presburger Formulas and Polyhedral Compilation", definitions 4.17 to 4.28.)
//!
//! Implements: 002 4.3.2

mod multi_union;
mod pw_multi;

use super::multi::PwMultiAff;
use super::pw_aff::PwAff;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuple, Tuples};
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
