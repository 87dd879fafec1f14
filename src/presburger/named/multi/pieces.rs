//! Piecewise tuples of expressions: functions.
//!
//! `{ S[i] -> A[(i)] : i >= 0; S[i] -> A[(0)] : i < 0 }` has a tuple on each of two disjoint sets.
//!
//! Implements: 002 4.4

use super::{MultiAff, PwMultiAff, function_space, named, range_tuple};
use crate::presburger::named::aff::Aff;
use crate::presburger::named::map::Map;
use crate::presburger::named::pw_aff::PwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space, Tuple, Tuples};
use crate::presburger::number::int::Int;

impl PwMultiAff {
    pub(crate) fn from_pieces(space: &Space, pieces: impl IntoIterator<Item = (Set, MultiAff)>) -> PwMultiAff {
        let pieces: Vec<(Set, MultiAff)> = pieces.into_iter().filter(|(set, _)| !set.plain_is_empty()).collect();
        let model = pieces.iter().fold(space.clone(), |model, (set, function)| {
            model.align_params(set.space()).align_params(&function.space)
        });
        let aligned =
            |(set, function): (Set, MultiAff)| (Set(set.0.with_params_of(&model)), function.with_params_of(&model));
        PwMultiAff { space: model.clone(), pieces: pieces.into_iter().map(aligned).collect() }
    }

    /// The relation as a function; `None` if it is not single-valued. isl: `pw_multi_aff_from_map`.
    pub fn from_map(map: &Map) -> Option<PwMultiAff> {
        map.is_single_valued().then(|| map.only_values())
    }

    /// The function everywhere. isl: `pw_multi_aff_from_multi_aff`.
    pub fn from_multi_aff(function: &MultiAff) -> PwMultiAff {
        PwMultiAff::alloc(&Set::universe(&function.domain_space()), function)
    }

    /// A tuple of one, without name. isl: `pw_multi_aff_from_pw_aff`.
    pub fn from_pw_aff(function: &PwAff) -> PwMultiAff {
        let space = function_space(function.domain_space(), &Tuple::anonymous(1));
        let pieces = function.pieces().iter().map(|(set, aff)| (set.clone(), MultiAff::from_aff(aff)));
        PwMultiAff::from_pieces(&space, pieces)
    }

    /// The function on a set. isl: `pw_multi_aff_alloc`.
    pub fn alloc(domain: &Set, function: &MultiAff) -> PwMultiAff {
        PwMultiAff::from_pieces(&function.space, [(domain.clone(), function.clone())])
    }

    /// Nowhere defined. isl: `pw_multi_aff_empty`.
    pub fn empty(space: &Space) -> PwMultiAff {
        PwMultiAff { space: space.clone(), pieces: Vec::new() }
    }

    /// From domain to range; the range alone for a function of parameters. isl: `multi_aff_get_space`, `pw_multi_aff_get_space`.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The space of its arguments. isl: `multi_aff_get_domain_space`, `pw_multi_aff_get_domain_space`.
    pub fn domain_space(&self) -> Space {
        self.space.domain()
    }

    /// Its disjoint pieces. isl: `pw_multi_aff_foreach_piece`.
    pub fn pieces(&self) -> &[(Set, MultiAff)] {
        &self.pieces
    }

    /// Where it is defined. isl: `pw_multi_aff_domain`.
    pub fn domain(&self) -> Set {
        self.pieces.iter().fold(Set::empty(&self.domain_space()), |all, (set, _)| all.union_disjoint(set))
    }

    /// `{ x -> f(x) }` where that is integer; from the zero-dimensional tuple for a function of parameters.
    /// isl: `pw_multi_aff_as_map`.
    pub fn as_map(&self) -> Map {
        let domain = Aff::proper_domain(&self.domain_space());
        let space = domain.with_tuples(Tuples::Map(range_tuple(&domain), range_tuple(&self.space)));
        self.pieces.iter().fold(Map::empty(&space), |all, (set, function)| {
            let set = if set.is_params() { set.from_params() } else { set.clone() };
            all.union_disjoint(&function.as_map().intersect_domain(&set))
        })
    }

    /// `{ f() }`, for a function of parameters alone. isl: `set_from_pw_multi_aff`.
    pub fn as_set(&self) -> Set {
        self.pieces.iter().fold(Set::empty(&self.space), |all, (set, function)| {
            all.union_disjoint(&function.as_set().intersect_params(set))
        })
    }

    /// A member. isl: `pw_multi_aff_get_at`.
    pub fn pw_aff(&self, position: usize) -> PwAff {
        let pieces = self.pieces.iter().map(|(set, function)| (set.clone(), function.affs[position].clone()));
        PwAff::from_pieces(&self.domain_space(), pieces)
    }

    fn zip(&self, other: &PwMultiAff, space: &Space, f: impl Fn(&MultiAff, &MultiAff) -> MultiAff) -> PwMultiAff {
        let many = self.pieces.len() * other.pieces.len() > 1;
        let mut pieces = Vec::new();
        for (s, a) in &self.pieces {
            for (t, b) in &other.pieces {
                let both = s.intersect(t);
                if !both.plain_is_empty() && !(many && both.is_empty()) {
                    pieces.push((both, f(a, b)));
                }
            }
        }
        PwMultiAff::from_pieces(space, pieces)
    }

    fn to_range(&self, other: &PwMultiAff, range: &Tuple) -> Space {
        function_space(&self.domain_space().align_params(&other.space), range)
    }

    /// `x -> [f(x) -> g(x)]`, where both are defined; one domain space. isl: `pw_multi_aff_range_product`.
    pub fn range_product(&self, other: &PwMultiAff) -> PwMultiAff {
        let range = Tuple::nested(None, &range_tuple(&self.space), &range_tuple(&other.space));
        self.zip(other, &self.to_range(other, &range), MultiAff::range_product)
    }

    /// `x -> (f(x), g(x))` in a flat tuple, where both are defined. isl: `pw_multi_aff_flat_range_product`.
    pub fn flat_range_product(&self, other: &PwMultiAff) -> PwMultiAff {
        let range = Tuple::anonymous(self.space.dim(DimKind::Out) + other.space.dim(DimKind::Out));
        self.zip(other, &self.to_range(other, &range), MultiAff::flat_range_product)
    }

    /// `[x -> y] -> [f(x) -> g(y)]`, where both are defined. isl: `pw_multi_aff_product`.
    pub fn product(&self, other: &PwMultiAff) -> PwMultiAff {
        let pair = Space::from_domain_and_range(&self.domain_space(), &other.domain_space());
        let first = self.pullback(&MultiAff::domain_map(&pair));
        first.range_product(&other.pullback(&MultiAff::range_map(&pair)))
    }

    /// Member by member, where both are defined; one space. isl: `pw_multi_aff_add`.
    pub fn add(&self, other: &PwMultiAff) -> PwMultiAff {
        self.zip(other, &self.space.align_params(&other.space), MultiAff::add)
    }

    /// Member by member, where both are defined; one space. isl: `pw_multi_aff_sub`.
    pub fn sub(&self, other: &PwMultiAff) -> PwMultiAff {
        self.zip(other, &self.space.align_params(&other.space), MultiAff::sub)
    }

    /// Member by member. isl: `pw_multi_aff_neg`.
    pub fn neg(&self) -> PwMultiAff {
        PwMultiAff::from_pieces(&self.space, self.pieces.iter().map(|(set, f)| (set.clone(), f.neg())))
    }

    fn with_rest(&self, other: &PwMultiAff, mut combined: PwMultiAff) -> PwMultiAff {
        combined.pieces.extend(self.subtract_domain(&other.domain()).pieces);
        combined.pieces.extend(other.subtract_domain(&self.domain()).pieces);
        PwMultiAff::from_pieces(&self.space.align_params(&other.space), combined.pieces)
    }

    /// The sum of both, or the one that is defined. isl: `pw_multi_aff_union_add`.
    pub fn union_add(&self, other: &PwMultiAff) -> PwMultiAff {
        self.with_rest(other, self.add(other))
    }

    /// On the common domain, the first where `prefer` holds of the two, else the second.
    fn choose(&self, other: &PwMultiAff, prefer: impl Fn(&MultiAff, &MultiAff) -> Set) -> PwMultiAff {
        let space = self.space.align_params(&other.space);
        let mut pieces = Vec::new();
        for (s, a) in &self.pieces {
            for (t, b) in &other.pieces {
                let both = s.intersect(t);
                let first = prefer(a, b);
                pieces.push((both.intersect(&first), a.clone()));
                pieces.push((both.subtract(&first), b.clone()));
            }
        }
        pieces.retain(|(set, _)| !set.is_empty());
        PwMultiAff::from_pieces(&space, pieces)
    }

    /// The lexicographically smaller of both, or the one that is defined. isl: `pw_multi_aff_union_lexmin`.
    pub fn union_lexmin(&self, other: &PwMultiAff) -> PwMultiAff {
        self.with_rest(other, self.choose(other, MultiAff::lex_le_set))
    }

    /// The lexicographically greater of both, or the one that is defined. isl: `pw_multi_aff_union_lexmax`.
    pub fn union_lexmax(&self, other: &PwMultiAff) -> PwMultiAff {
        self.with_rest(other, self.choose(other, |a, b| b.lex_le_set(a)))
    }

    /// `x -> f(g(x))`; the range of `g` is the domain of `f`. isl: `pw_multi_aff_pullback_multi_aff`.
    pub fn pullback(&self, inner: &MultiAff) -> PwMultiAff {
        self.pullback_pw(&inner.to_pw_multi_aff())
    }

    /// `x -> f(g(x))`, where defined. isl: `pw_multi_aff_pullback_pw_multi_aff`.
    pub fn pullback_pw(&self, inner: &PwMultiAff) -> PwMultiAff {
        let domain = inner.domain_space().align_params(&self.space);
        let mut pieces = Vec::new();
        for (part, function) in &inner.pieces {
            for (set, outer) in &self.pieces {
                let set = if set.plain_is_universe() { part.clone() } else { part.intersect(&set.preimage(function)) };
                pieces.push((set, outer.pullback(function)));
            }
        }
        PwMultiAff::from_pieces(&function_space(&domain, &range_tuple(&self.space)), pieces)
    }

    fn map_sets(&self, f: impl Fn(&Set) -> Set) -> PwMultiAff {
        PwMultiAff::from_pieces(&self.space, self.pieces.iter().map(|(set, function)| (f(set), function.clone())))
    }

    /// Defined on `set` only. isl: `pw_multi_aff_intersect_domain`.
    pub fn intersect_domain(&self, set: &Set) -> PwMultiAff {
        if set.is_params() && self.space.is_map() {
            return self.intersect_params(set);
        }
        self.map_sets(|own| own.intersect(set))
    }

    /// Not defined on `set`. isl: `pw_multi_aff_subtract_domain`.
    pub fn subtract_domain(&self, set: &Set) -> PwMultiAff {
        self.map_sets(|own| own.subtract(set))
    }

    /// Defined for the parameters of a parameter set only. isl: `pw_multi_aff_intersect_params`.
    pub fn intersect_params(&self, params: &Set) -> PwMultiAff {
        self.map_sets(|own| own.intersect_params(params))
    }

    /// Equal to it on `context`, and simpler. isl: `pw_multi_aff_gist`.
    pub fn gist(&self, context: &Set) -> PwMultiAff {
        if context.is_params() && self.space.is_map() {
            return self.gist(&Set::universe(&self.domain_space()).intersect_params(context));
        }
        let pieces = self.pieces.iter().filter(|(set, _)| !set.is_disjoint(context));
        PwMultiAff::from_pieces(
            &self.space,
            pieces.map(|(set, function)| (set.gist(context), function.gist(&set.intersect(context)))),
        )
    }

    /// Equal, with pieces of one formula made one and their sets coalesced. isl: `pw_multi_aff_coalesce`.
    pub fn coalesce(&self) -> PwMultiAff {
        let mut pieces: Vec<(Set, MultiAff)> = Vec::with_capacity(self.pieces.len());
        for (set, function) in &self.pieces {
            match pieces.iter_mut().find(|(_, known)| known.plain_is_equal(function)) {
                Some((all, _)) => *all = all.union_disjoint(set),
                None => pieces.push((set.clone(), function.clone())),
            }
        }
        let pieces = pieces.into_iter().map(|(set, function)| (set.coalesce(), function));
        PwMultiAff::from_pieces(&self.space, pieces)
    }

    /// The parameters of `model`, in its order, before the others. isl: `pw_multi_aff_align_params`.
    pub fn align_params(&self, model: &Space) -> PwMultiAff {
        self.with_params_of(&model.params_space().align_params(&self.space))
    }

    pub(crate) fn with_params_of(&self, model: &Space) -> PwMultiAff {
        if self.space.has_equal_params(model) {
            return self.clone();
        }
        let align = |(set, f): &(Set, MultiAff)| (Set(set.0.with_params_of(model)), f.with_params_of(model));
        PwMultiAff { space: self.space.with_params(model.params()), pieces: self.pieces.iter().map(align).collect() }
    }

    /// Defined in the same places with the same values. isl: `pw_multi_aff_is_equal`.
    pub fn is_equal(&self, other: &PwMultiAff) -> bool {
        self.space.has_equal_tuples(&other.space)
            && self.domain().is_equal(&other.domain())
            && (0..self.space.dim(DimKind::Out)).all(|d| self.pw_aff(d).is_equal(&other.pw_aff(d)))
    }

    /// The same function with another name for a tuple. isl: `pw_multi_aff_set_tuple_id`.
    pub fn set_tuple_name(&self, kind: DimKind, name: Option<&str>) -> PwMultiAff {
        self.reset_space(&named(&self.space, kind, name))
    }

    /// The same formulas in a space with as many dimensions. isl: `pw_multi_aff_reset_space`.
    pub fn reset_space(&self, space: &Space) -> PwMultiAff {
        let domain = space.domain();
        let reset = |(set, f): &(Set, MultiAff)| (set.reset_space(&domain), f.reset_space(space));
        PwMultiAff { space: space.clone(), pieces: self.pieces.iter().map(reset).collect() }
    }

    /// The one tuple, if there is one piece without conditions. isl: `pw_multi_aff_as_multi_aff`.
    pub fn as_multi_aff(&self) -> Option<MultiAff> {
        match &self.pieces[..] {
            [(set, function)] if set.plain_is_universe() => Some(function.clone()),
            _ => None,
        }
    }

    /// Its values at the given parameters and dimensions, as fractions in lowest terms, where defined. isl has none.
    pub fn eval(&self, point: &[Int]) -> Option<Vec<(Int, Int)>> {
        self.pieces.iter().find(|(set, _)| set.contains(point)).map(|(_, function)| function.eval(point))
    }
}
