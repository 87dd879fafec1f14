//! Partial schedules: tuples of piecewise expressions over several spaces.
//!
//! `[{ S[i] -> [(i)]; T[i, k] -> [(k)] }, { S[i] -> [(0)]; T[i, k] -> [(i)] }]` has two members and one domain; an operation is that of each member.

use super::{MultiUnionPwAff, UnionPwAff, UnionPwMultiAff};
use crate::presburger::named::multi::function_space;
use crate::presburger::named::multi_pw::MultiPwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space, Tuple};
use crate::presburger::named::union_map::UnionMap;
use crate::presburger::named::union_set::UnionSet;
use crate::presburger::number::int::Int;

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
