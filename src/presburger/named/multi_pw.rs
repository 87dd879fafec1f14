//! Tuples of piecewise expressions, each member with its own domain.
//!
//! `{ S[i] -> A[(i) : i >= 0, (n - i)] }` says more than a piecewise tuple can: its first member is defined for `i >= 0`, the second
//! everywhere. As a function it is defined where all members are. (Definition 4.22 of Verdoolaege's tutorial; isl: `isl_multi_pw_aff`.)

use super::aff::Aff;
use super::map::Map;
use super::multi::{MultiAff, PwMultiAff, function_space, range_tuple};
use super::pw_aff::PwAff;
use super::set::Set;
use super::space::{DimKind, Space, Tuple};

/// A tuple of piecewise expressions, each with its own domain.
#[derive(Clone)]
pub struct MultiPwAff {
    space: Space,
    affs: Vec<PwAff>,
}

impl MultiPwAff {
    /// One expression for each dimension of the range of `space`. isl: `multi_pw_aff_from_pw_aff_list`.
    pub fn new(space: &Space, affs: Vec<PwAff>) -> MultiPwAff {
        assert_eq!(space.dim(DimKind::Out), affs.len(), "law: one expression per dimension of the range of {space}");
        let model = affs.iter().fold(space.clone(), |all, aff| all.align_params(aff.domain_space()));
        let affs = affs.iter().map(|aff| aff.with_params_of(&model)).collect();
        MultiPwAff { space: model, affs }
    }

    /// The members of a piecewise tuple. isl: `multi_pw_aff_from_pw_multi_aff`.
    pub fn from_pw_multi_aff(function: &PwMultiAff) -> MultiPwAff {
        let space = function.space();
        MultiPwAff::new(space, (0..space.dim(DimKind::Out)).map(|at| function.pw_aff(at)).collect())
    }

    /// From domain to range; the range alone for functions of parameters. isl: `multi_pw_aff_get_space`.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The space of its arguments. isl: `multi_pw_aff_get_domain_space`.
    pub fn domain_space(&self) -> Space {
        self.space.domain()
    }

    /// Its members. isl: `multi_pw_aff_get_list`.
    pub fn affs(&self) -> &[PwAff] {
        &self.affs
    }

    /// A member. isl: `multi_pw_aff_get_at`.
    pub fn aff(&self, position: usize) -> &PwAff {
        &self.affs[position]
    }

    /// Number of its members. isl: `multi_pw_aff_size`.
    pub fn n(&self) -> usize {
        self.affs.len()
    }

    /// Where all members are defined; everywhere if there is none. isl: `multi_pw_aff_domain`.
    pub fn domain(&self) -> Set {
        let all = Set::universe(&self.domain_space());
        self.affs.iter().fold(all, |domain, aff| domain.intersect(&aff.domain()))
    }

    /// Member by member; one space. isl: `multi_pw_aff_add`.
    pub fn add(&self, other: &MultiPwAff) -> MultiPwAff {
        self.zipped(other, PwAff::add)
    }

    /// Member by member; one space. isl: `multi_pw_aff_sub`.
    pub fn sub(&self, other: &MultiPwAff) -> MultiPwAff {
        self.zipped(other, PwAff::sub)
    }

    /// Member by member. isl: `multi_pw_aff_neg`.
    pub fn neg(&self) -> MultiPwAff {
        self.each(PwAff::neg)
    }

    fn zipped(&self, other: &MultiPwAff, f: impl Fn(&PwAff, &PwAff) -> PwAff) -> MultiPwAff {
        assert_eq!(self.n(), other.n(), "law: tuples of one size");
        let space = self.space.align_params(&other.space);
        MultiPwAff::new(&space, self.affs.iter().zip(&other.affs).map(|(a, b)| f(a, b)).collect())
    }

    fn each(&self, f: impl Fn(&PwAff) -> PwAff) -> MultiPwAff {
        MultiPwAff::new(&self.space, self.affs.iter().map(f).collect())
    }

    /// `x -> [f(x) -> g(x)]`; one domain space. isl: `multi_pw_aff_range_product`.
    pub fn range_product(&self, other: &MultiPwAff) -> MultiPwAff {
        self.joined(other, &Tuple::nested(None, &range_tuple(&self.space), &range_tuple(&other.space)))
    }

    /// `x -> (f(x), g(x))` in a flat tuple; one domain space. isl: `multi_pw_aff_flat_range_product`.
    pub fn flat_range_product(&self, other: &MultiPwAff) -> MultiPwAff {
        self.joined(other, &Tuple::anonymous(self.n() + other.n()))
    }

    fn joined(&self, other: &MultiPwAff, range: &Tuple) -> MultiPwAff {
        let domain = self.domain_space().align_params(&other.space);
        MultiPwAff::new(&function_space(&domain, range), [self.affs.as_slice(), &other.affs].concat())
    }

    /// `{ [x -> u] -> [f(x) -> g(u)] }`. isl: `multi_pw_aff_product`.
    pub fn product(&self, other: &MultiPwAff) -> MultiPwAff {
        MultiPwAff::from_pw_multi_aff(&self.to_pw_multi_aff().product(&other.to_pw_multi_aff()))
    }

    /// `f` after `inner`, where that is defined. isl: `multi_pw_aff_pullback_pw_multi_aff`.
    pub fn pullback_pw(&self, inner: &PwMultiAff) -> MultiPwAff {
        let space = Space::from_domain_and_range(&inner.space().domain(), &self.space().range());
        MultiPwAff::new(&space, self.affs().iter().map(|aff| aff.pullback_pw(inner)).collect())
    }

    /// `f` after `inner`, where all members of `inner` are defined. isl: `multi_pw_aff_pullback_multi_pw_aff`.
    pub fn pullback_multi_pw(&self, inner: &MultiPwAff) -> MultiPwAff {
        self.pullback_pw(&inner.to_pw_multi_aff())
    }

    /// `x -> f(g(x))`; the range of `g` is the domain of `f`. isl: `multi_pw_aff_pullback_multi_aff`.
    pub fn pullback(&self, inner: &MultiAff) -> MultiPwAff {
        let space = function_space(&inner.domain_space().align_params(&self.space), &range_tuple(&self.space));
        MultiPwAff::new(&space, self.affs.iter().map(|aff| aff.pullback(inner)).collect())
    }

    /// Each member defined on `set` only. isl: `multi_pw_aff_intersect_domain`.
    pub fn intersect_domain(&self, set: &Set) -> MultiPwAff {
        self.each(|aff| aff.intersect_domain(set))
    }

    /// `{ x -> f(x) }` where all members are defined. isl: `map_from_multi_pw_aff`.
    pub fn as_map(&self) -> Map {
        self.to_pw_multi_aff().as_map()
    }

    /// One tuple for each combination of pieces. isl: `pw_multi_aff_from_multi_pw_aff`.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        let mut pieces: Vec<(Set, Vec<Aff>)> = vec![(Set::universe(&self.domain_space()), Vec::new())];
        for aff in &self.affs {
            let mut next = Vec::new();
            for (set, affs) in &pieces {
                for (cell, value) in aff.pieces() {
                    let both = set.intersect(cell);
                    if !both.is_empty() {
                        next.push((both, [affs.as_slice(), std::slice::from_ref(value)].concat()));
                    }
                }
            }
            pieces = next;
        }
        let tuple = |(set, affs): (Set, Vec<Aff>)| (set, MultiAff::new(&self.space, affs));
        PwMultiAff::from_pieces(&self.space, pieces.into_iter().map(tuple))
    }

    /// Equal to it on `context`, and simpler. isl: `multi_pw_aff_gist`.
    pub fn gist(&self, context: &Set) -> MultiPwAff {
        self.each(|aff| aff.gist(context))
    }

    /// Equal, member by member coalesced. isl: `multi_pw_aff_coalesce`.
    pub fn coalesce(&self) -> MultiPwAff {
        self.each(PwAff::coalesce)
    }

    /// The parameters of `model`, in its order, before the others. isl: `multi_pw_aff_align_params`.
    pub fn align_params(&self, model: &Space) -> MultiPwAff {
        let model = model.params_space().align_params(&self.space);
        MultiPwAff::new(&self.space.with_params(model.params()), self.affs.clone())
    }
}
