//! Piecewise quasi-affine expressions: one expression on each of several disjoint sets, undefined elsewhere.
//!
//! `|i|` is `{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }`. Arithmetic works cell by cell: `f + g` is defined where both are, with
//! one piece for each pair of pieces that meet; `union_add` is defined where either is. A comparison is a set again:
//! `f <= g` holds on the cells' points where it holds. (Definitions 4.10 to 4.36 of Verdoolaege's tutorial; isl: `isl_pw_aff`.)
//!
//! Implements: 002 4.2, 4.3.1

use super::aff::Aff;
use super::map::Map;
use super::multi::{MultiAff, PwMultiAff};
use super::multi_pw::MultiPwAff;
use super::set::Set;
use super::space::{DimKind, Space};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::solve::lexmin::Unbounded;

/// A quasi-affine expression on each of several disjoint sets of one space; undefined elsewhere.
#[derive(Clone)]
pub struct PwAff {
    space: Space,
    pieces: Vec<(Set, Aff)>,
}

/// Both functions on the parts of the domains where both are defined.
fn meeting<'a>(f: &'a PwAff, g: &'a PwAff) -> impl Iterator<Item = (Set, &'a Aff, &'a Aff)> + 'a {
    let many = f.pieces.len() * g.pieces.len() > 1;
    f.pieces.iter().flat_map(move |(s, a)| {
        g.pieces.iter().filter_map(move |(t, b)| {
            let both = s.intersect(t);
            let none = both.plain_is_empty() || (many && both.is_empty());
            (!none).then_some((both, a, b))
        })
    })
}

impl PwAff {
    /// The pieces that are not plainly empty.
    pub(crate) fn from_pieces(space: &Space, pieces: impl IntoIterator<Item = (Set, Aff)>) -> PwAff {
        let pieces: Vec<(Set, Aff)> = pieces.into_iter().filter(|(set, _)| !set.plain_is_empty()).collect();
        let model = pieces
            .iter()
            .fold(space.clone(), |model, (set, aff)| model.align_params(set.space()).align_params(aff.domain_space()));
        let aligned = |(set, aff): (Set, Aff)| (Set(set.0.with_params_of(&model)), aff.with_params_of(&model));
        PwAff { space: model.clone(), pieces: pieces.into_iter().map(aligned).collect() }
    }

    /// The expression everywhere. isl: `pw_aff_from_aff`.
    pub fn from_aff(aff: &Aff) -> PwAff {
        PwAff::alloc(&Set::universe(aff.domain_space()), aff)
    }

    /// The expression on a set. isl: `pw_aff_alloc`.
    pub fn alloc(set: &Set, aff: &Aff) -> PwAff {
        PwAff::from_pieces(aff.domain_space(), [(set.clone(), aff.clone())])
    }

    /// Nowhere defined. isl: `pw_aff_empty`.
    pub fn empty(domain: &Space) -> PwAff {
        PwAff { space: domain.clone(), pieces: Vec::new() }
    }

    /// A constant. isl: `pw_aff_val_on_domain`.
    pub fn constant_on_domain(domain: &Space, value: &Int) -> PwAff {
        PwAff::from_aff(&Aff::constant_on_domain(domain, value))
    }

    /// A constant on a set. isl: `pw_aff_val_on_domain`.
    pub fn constant_on_set(set: &Set, value: &Int) -> PwAff {
        PwAff::alloc(set, &Aff::constant_on_domain(set.space(), value))
    }

    /// A parameter (`Param`) or dimension (`Out`) of the domain. isl: `pw_aff_var_on_domain`.
    pub fn var_on_domain(domain: &Space, kind: DimKind, position: usize) -> PwAff {
        PwAff::from_aff(&Aff::var_on_domain(domain, kind, position))
    }

    /// 1 on the set and 0 elsewhere. isl: `set_indicator_function`.
    pub fn indicator(set: &Set) -> PwAff {
        let on = PwAff::constant_on_set(set, &Int::one());
        let off = PwAff::constant_on_set(&set.complement(), &Int::zero());
        on.disjoint_union(off)
    }

    fn disjoint_union(mut self, other: PwAff) -> PwAff {
        self.pieces.extend(other.pieces);
        PwAff::from_pieces(&self.space.align_params(&other.space), self.pieces)
    }

    /// The space of the tuples that it is defined on. isl: `pw_aff_get_domain_space`.
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// Its disjoint pieces. isl: `pw_aff_foreach_piece`.
    pub fn pieces(&self) -> &[(Set, Aff)] {
        &self.pieces
    }

    /// Number of its pieces. isl: `pw_aff_n_piece`.
    pub fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Where it is defined. isl: `pw_aff_domain`.
    pub fn domain(&self) -> Set {
        self.pieces.iter().fold(Set::empty(&self.space), |all, (set, _)| all.union_disjoint(set))
    }

    /// The parameters for which it is defined somewhere. isl: `pw_aff_params`.
    pub fn params(&self) -> Set {
        self.domain().params()
    }

    fn map_affs(&self, f: impl Fn(&Aff) -> Aff) -> PwAff {
        PwAff::from_pieces(&self.space, self.pieces.iter().map(|(set, aff)| (set.clone(), f(aff))))
    }

    fn map_sets(&self, f: impl Fn(&Set) -> Set) -> PwAff {
        PwAff::from_pieces(&self.space, self.pieces.iter().map(|(set, aff)| (f(set), aff.clone())))
    }

    fn zip(&self, other: &PwAff, f: impl Fn(&Aff, &Aff) -> Aff) -> PwAff {
        let space = self.space.align_params(&other.space);
        PwAff::from_pieces(&space, meeting(self, other).map(|(set, a, b)| (set, f(a, b))))
    }

    /// `f + g`, where both are defined; one domain space. isl: `pw_aff_add`.
    pub fn add(&self, other: &PwAff) -> PwAff {
        self.zip(other, Aff::add)
    }

    /// `f - g`, where both are defined. isl: `pw_aff_sub`.
    pub fn sub(&self, other: &PwAff) -> PwAff {
        self.zip(other, Aff::sub)
    }

    /// `-f`. isl: `pw_aff_neg`.
    pub fn neg(&self) -> PwAff {
        self.map_affs(Aff::neg)
    }

    /// `f * g`, if on each piece one of them is constant. isl: `pw_aff_mul`.
    pub fn mul(&self, other: &PwAff) -> Option<PwAff> {
        let space = self.space.align_params(&other.space);
        let pieces: Option<Vec<_>> = meeting(self, other).map(|(set, a, b)| Some((set, a.mul(b)?))).collect();
        pieces.map(|pieces| PwAff::from_pieces(&space, pieces))
    }

    /// `factor * f`. isl: `pw_aff_scale_val`.
    pub fn scale(&self, factor: &Int) -> PwAff {
        self.map_affs(|aff| aff.scale(factor))
    }

    /// `f / divisor`, which is not 0. isl: `pw_aff_scale_down_val`.
    pub fn scale_down(&self, divisor: &Int) -> PwAff {
        self.map_affs(|aff| aff.scale_down(divisor))
    }

    /// The greatest integer at most `f`. isl: `pw_aff_floor`.
    pub fn floor(&self) -> PwAff {
        self.map_affs(Aff::floor)
    }

    /// The smallest integer at least `f`. isl: `pw_aff_ceil`.
    pub fn ceil(&self) -> PwAff {
        self.map_affs(Aff::ceil)
    }

    /// `f - modulus * floor(f / modulus)`, for a positive modulus. isl: `pw_aff_mod_val`.
    pub fn mod_val(&self, modulus: &Int) -> PwAff {
        self.map_affs(|aff| aff.mod_val(modulus))
    }

    /// `f / divisor` rounded towards zero. isl: `pw_aff_tdiv_q`.
    pub fn tdiv_q(&self, divisor: &Int) -> PwAff {
        let quotient = self.scale_down(divisor);
        let zero = PwAff::constant_on_domain(&self.space, &Int::zero());
        PwAff::select(&quotient.ge_set(&zero), &quotient.floor(), &quotient.ceil())
    }

    /// `f - divisor * tdiv_q(f, divisor)`: the remainder with the sign of `f`. isl: `pw_aff_tdiv_r`.
    pub fn tdiv_r(&self, divisor: &Int) -> PwAff {
        self.sub(&self.tdiv_q(divisor).scale(divisor))
    }

    /// On each meeting of pieces, the first where `prefer` holds, else the second.
    fn choose(&self, other: &PwAff, prefer: impl Fn(&Aff, &Aff) -> Set) -> PwAff {
        let space = self.space.align_params(&other.space);
        let mut pieces = Vec::new();
        for (set, a, b) in meeting(self, other) {
            let first = prefer(a, b);
            pieces.push((set.intersect(&first), a.clone()));
            pieces.push((set.subtract(&first), b.clone()));
        }
        pieces.retain(|(set, _)| !set.is_empty());
        PwAff::from_pieces(&space, pieces).merged()
    }

    /// The smaller of both, where both are defined. isl: `pw_aff_min`.
    pub fn min(&self, other: &PwAff) -> PwAff {
        self.choose(other, Aff::le_set)
    }

    /// The greater of both, where both are defined. isl: `pw_aff_max`.
    pub fn max(&self, other: &PwAff) -> PwAff {
        self.choose(other, Aff::ge_set)
    }

    /// `max(f, -f)`. isl has none.
    pub fn abs(&self) -> PwAff {
        self.max(&self.neg())
    }

    /// `combined`, and each function where the other is not defined.
    fn with_rest(&self, other: &PwAff, combined: PwAff) -> PwAff {
        let mine = self.subtract_domain(&other.domain());
        let theirs = other.subtract_domain(&self.domain());
        combined.disjoint_union(mine).disjoint_union(theirs)
    }

    /// The smaller of both, or the one that is defined. isl: `pw_aff_union_min`.
    pub fn union_min(&self, other: &PwAff) -> PwAff {
        self.with_rest(other, self.min(other))
    }

    /// The greater of both, or the one that is defined. isl: `pw_aff_union_max`.
    pub fn union_max(&self, other: &PwAff) -> PwAff {
        self.with_rest(other, self.max(other))
    }

    /// The sum of both, or the one that is defined. isl: `pw_aff_union_add`.
    pub fn union_add(&self, other: &PwAff) -> PwAff {
        self.with_rest(other, self.add(other))
    }

    /// `on_true` where this one is not 0, `on_false` where it is. isl: `pw_aff_cond`.
    pub fn cond(&self, on_true: &PwAff, on_false: &PwAff) -> PwAff {
        let yes = on_true.intersect_domain(&self.non_zero_set());
        yes.disjoint_union(on_false.intersect_domain(&self.zero_set())).merged()
    }

    /// `on_true` on a set and `on_false` elsewhere. isl: `pw_aff_cond`.
    pub fn select(condition: &Set, on_true: &PwAff, on_false: &PwAff) -> PwAff {
        on_true.intersect_domain(condition).disjoint_union(on_false.subtract_domain(condition)).merged()
    }

    /// Defined on `set` only. isl: `pw_aff_intersect_domain`.
    pub fn intersect_domain(&self, set: &Set) -> PwAff {
        if set.is_params() && !self.space.is_params() {
            return self.intersect_params(set);
        }
        self.map_sets(|own| own.intersect(set))
    }

    /// Not defined on `set`. isl: `pw_aff_subtract_domain`.
    pub fn subtract_domain(&self, set: &Set) -> PwAff {
        self.map_sets(|own| own.subtract(set))
    }

    /// Defined for the parameters of a parameter set only. isl: `pw_aff_intersect_params`.
    pub fn intersect_params(&self, params: &Set) -> PwAff {
        self.map_sets(|own| own.intersect_params(params))
    }

    fn compare(&self, other: &PwAff, holds: impl Fn(&Aff, &Aff) -> Set) -> Set {
        let space = self.space.align_params(&other.space);
        meeting(self, other).fold(Set::empty(&space), |all, (set, a, b)| all.union(&set.intersect(&holds(a, b))))
    }

    /// `{ x : f(x) = g(x) }`. isl: `pw_aff_eq_set`.
    pub fn eq_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::eq_set)
    }

    /// `{ x : f(x) != g(x) }`. isl: `pw_aff_ne_set`.
    pub fn ne_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::ne_set)
    }

    /// `{ x : f(x) <= g(x) }`. isl: `pw_aff_le_set`.
    pub fn le_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::le_set)
    }

    /// `{ x : f(x) < g(x) }`. isl: `pw_aff_lt_set`.
    pub fn lt_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::lt_set)
    }

    /// `{ x : f(x) >= g(x) }`. isl: `pw_aff_ge_set`.
    pub fn ge_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::ge_set)
    }

    /// `{ x : f(x) > g(x) }`. isl: `pw_aff_gt_set`.
    pub fn gt_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::gt_set)
    }

    fn where_piece(&self, holds: impl Fn(&Aff) -> Set) -> Set {
        self.pieces.iter().fold(Set::empty(&self.space), |all, (set, aff)| all.union(&set.intersect(&holds(aff))))
    }

    /// `{ x : f(x) = 0 }`. isl: `pw_aff_zero_set`.
    pub fn zero_set(&self) -> Set {
        self.where_piece(Aff::zero_set)
    }

    /// `{ x : f(x) != 0 }`. isl: `pw_aff_non_zero_set`.
    pub fn non_zero_set(&self) -> Set {
        self.where_piece(|aff| aff.ne_set(&Aff::zero_on_domain(aff.domain_space())))
    }

    /// `{ x : f(x) >= 0 }`. isl: `pw_aff_nonneg_set`.
    pub fn nonneg_set(&self) -> Set {
        self.where_piece(Aff::nonneg_set)
    }

    /// `{ x : f(x) > 0 }`. isl: `pw_aff_pos_set`.
    pub fn pos_set(&self) -> Set {
        self.where_piece(|aff| aff.gt_set(&Aff::zero_on_domain(aff.domain_space())))
    }

    /// Equal to it on `context`, and simpler. isl: `pw_aff_gist`.
    pub fn gist(&self, context: &Set) -> PwAff {
        if context.is_params() && !self.space.is_params() {
            return self.gist(&Set::universe(&self.space).intersect_params(context));
        }
        let pieces = self.pieces.iter().filter(|(set, _)| !set.is_disjoint(context));
        PwAff::from_pieces(&self.space, pieces.map(|(set, aff)| (set.gist(context), aff.gist(&set.intersect(context)))))
    }

    /// Equal to it for the parameters in `context`, and simpler. isl: `pw_aff_gist_params`.
    pub fn gist_params(&self, context: &Set) -> PwAff {
        self.gist(context)
    }

    /// Pieces of one formula made one.
    fn merged(&self) -> PwAff {
        let mut pieces: Vec<(Set, Aff)> = Vec::with_capacity(self.pieces.len());
        for (set, aff) in &self.pieces {
            match pieces.iter_mut().find(|(_, known)| known.plain_is_equal(aff)) {
                Some((all, _)) => *all = all.union_disjoint(set),
                None => pieces.push((set.clone(), aff.clone())),
            }
        }
        PwAff { space: self.space.clone(), pieces }
    }

    /// Equal, with pieces of one formula made one and their sets coalesced. isl: `pw_aff_coalesce`.
    pub fn coalesce(&self) -> PwAff {
        self.merged().map_sets(Set::coalesce)
    }

    /// `x -> f(g(x))`; the range of `g` is the domain of `f`. isl: `pw_aff_pullback_multi_aff`.
    pub fn pullback(&self, inner: &MultiAff) -> PwAff {
        self.pullback_pw(&inner.to_pw_multi_aff())
    }

    /// `x -> f(g(x))`, where defined. isl: `pw_aff_pullback_pw_multi_aff`.
    pub fn pullback_pw(&self, inner: &PwMultiAff) -> PwAff {
        let mut pieces = Vec::new();
        for (domain, function) in inner.pieces() {
            for (set, aff) in &self.pieces {
                let part =
                    if set.plain_is_universe() { domain.clone() } else { domain.intersect(&set.preimage(function)) };
                pieces.push((part, aff.pullback(function)));
            }
        }
        PwAff::from_pieces(&inner.domain_space().align_params(&self.space), pieces)
    }

    /// `f` after `inner`, where all members of `inner` are defined. isl: `pw_aff_pullback_multi_pw_aff`.
    pub fn pullback_multi_pw(&self, inner: &MultiPwAff) -> PwAff {
        self.pullback_pw(&inner.to_pw_multi_aff())
    }

    /// The parameters of `model`, in its order, before the others. isl: `pw_aff_align_params`.
    pub fn align_params(&self, model: &Space) -> PwAff {
        self.with_params_of(&model.params_space().align_params(&self.space))
    }

    pub(crate) fn with_params_of(&self, model: &Space) -> PwAff {
        if self.space.has_equal_params(model) {
            return self.clone();
        }
        let align = |(set, aff): &(Set, Aff)| (Set(set.0.with_params_of(model)), aff.with_params_of(model));
        PwAff { space: self.space.with_params(model.params()), pieces: self.pieces.iter().map(align).collect() }
    }

    /// The same formulas over a space with as many dimensions. isl: `pw_aff_reset_domain_space`.
    pub fn reset_domain_space(&self, space: &Space) -> PwAff {
        let reset = |(set, aff): &(Set, Aff)| (set.reset_space(space), aff.reset_domain_space(space));
        PwAff { space: space.clone(), pieces: self.pieces.iter().map(reset).collect() }
    }

    /// The one expression, if there is one piece without conditions. isl: `pw_aff_as_aff`.
    pub fn as_aff(&self) -> Option<Aff> {
        match &self.pieces[..] {
            [(set, aff)] if set.plain_is_universe() => Some(aff.clone()),
            _ => None,
        }
    }

    /// No variable occurs in any of its formulas. isl: `pw_aff_is_cst`.
    pub fn is_constant(&self) -> bool {
        self.pieces.iter().all(|(_, aff)| aff.is_constant())
    }

    /// Defined in the same places with the same values. isl: `pw_aff_is_equal`.
    pub fn is_equal(&self, other: &PwAff) -> bool {
        let domain = self.domain();
        domain.is_equal(&other.domain()) && domain.is_subset(&self.eq_set(other))
    }

    /// The same formulas on the same sets (equal functions may have different ones). isl: `pw_aff_plain_is_equal`.
    pub fn plain_is_equal(&self, other: &PwAff) -> bool {
        let mut pairs = self.pieces.iter().zip(&other.pieces);
        self.pieces.len() == other.pieces.len() && pairs.all(|((s, a), (t, b))| a.plain_is_equal(b) && s.is_equal(t))
    }

    /// Whether a condition or a formula mentions one of the parameters or dimensions. isl: `pw_aff_involves_dims`.
    pub fn involves(&self, kind: DimKind, first: usize, n: usize) -> bool {
        self.pieces.iter().any(|(set, aff)| set.involves(kind, first, n) || aff.involves(kind, first, n))
    }

    /// Its value at the given parameters and dimensions, as a fraction in lowest terms, where defined. isl: `pw_aff_eval`.
    pub fn eval(&self, point: &[Int]) -> Option<(Int, Int)> {
        self.pieces.iter().find(|(set, _)| set.contains(point)).map(|(_, aff)| aff.eval(point))
    }

    /// `{ x -> [f(x)] }` where that is an integer. isl: `pw_aff_as_map`.
    pub fn as_map(&self) -> Map {
        self.to_pw_multi_aff().as_map()
    }

    /// As a tuple of one. isl: `pw_multi_aff_from_pw_aff`.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        PwMultiAff::from_pw_aff(self)
    }

    /// The expression in the parameters alone, where it is defined for some tuple; no formula mentions a dimension.
    /// isl: `pw_aff_project_domain_on_params`.
    pub fn project_domain_on_params(&self) -> PwAff {
        let space = self.space.params_space();
        let images: Vec<Aff> = (0..self.space.n_dim())
            .map(|v| {
                if v < space.n_dim() {
                    Aff::var_on_domain(&space, DimKind::Param, v)
                } else {
                    Aff::zero_on_domain(&space)
                }
            })
            .collect();
        let narrow = |(set, aff): &(Set, Aff)| {
            assert!(!aff.involves(DimKind::Out, 0, self.space.dim(DimKind::Out)), "law: {self} is over parameters");
            (set.params(), aff.substitute(&space, &images))
        };
        PwAff::from_pieces(&space, self.pieces.iter().map(narrow))
    }

    /// The smallest integer value that it has for any parameters and tuple; `None` if it is defined nowhere. isl: `pw_aff_min_val`.
    pub fn min_val(&self) -> Result<Option<Int>, Unbounded> {
        self.ceil().as_map().dim_min_val(DimKind::Out, 0)
    }

    /// The greatest integer value that it has for any parameters and tuple; `None` if it is defined nowhere. isl: `pw_aff_max_val`.
    pub fn max_val(&self) -> Result<Option<Int>, Unbounded> {
        self.floor().as_map().dim_max_val(DimKind::Out, 0)
    }
}
