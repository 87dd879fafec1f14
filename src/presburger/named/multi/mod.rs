//! Tuples of quasi-affine expressions.
//!
//! A *multi* expression `{ S[i] -> A[(i), (floor(i / 2))] }` is a tuple of expressions over one domain; a *piecewise multi* one has a tuple on
//! each of several disjoint sets: it is a function, and every single-valued relation is one, so results of `lexmin` are given in this
//! form. Over parameters alone the domain is absent: `[n] -> { A[(n), (0)] }`. (Chapter 4 of Verdoolaege's tutorial; isl: `isl_multi_aff`,
//! `isl_pw_multi_aff`.)
//!
//! Implements: 002 4.3.3, 4.3.4

mod pieces;

use super::aff::Aff;
use super::map::Map;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuple, Tuples};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::{Int, Number};

/// A tuple of quasi-affine expressions over one domain.
#[derive(Clone)]
pub struct MultiAff {
    space: Space,
    affs: Vec<Aff>,
}

/// A tuple of quasi-affine expressions on each of several disjoint sets; undefined elsewhere.
#[derive(Clone)]
pub struct PwMultiAff {
    space: Space,
    pieces: Vec<(Set, MultiAff)>,
}

/// The space of functions from `domain`, a set's or the parameters' space, to `range`.
pub(crate) fn function_space(domain: &Space, range: &Tuple) -> Space {
    match domain.tuples() {
        Tuples::Set(tuple) => domain.with_tuples(Tuples::Map(tuple.clone(), range.clone())),
        Tuples::Params => domain.with_tuples(Tuples::Set(range.clone())),
        Tuples::Map(..) => panic!("law: functions are over a set's space, not {domain}"),
    }
}

pub(crate) fn range_tuple(space: &Space) -> Tuple {
    space.tuple(DimKind::Out).cloned().unwrap_or_else(|| panic!("law: {space} has a range"))
}

impl MultiAff {
    /// One expression per dimension of the range of `space`, over its domain. isl: `multi_aff_from_aff_list`.
    pub fn new(space: &Space, affs: Vec<Aff>) -> MultiAff {
        assert_eq!(space.dim(DimKind::Out), affs.len(), "law: one expression per dimension of the range of {space}");
        let model = affs.iter().fold(space.clone(), |model, aff| model.align_params(aff.domain_space()));
        let domain = model.domain();
        for aff in &affs {
            assert!(aff.domain_space().has_equal_tuples(&domain), "law: {} is {domain}", aff.domain_space());
        }
        let affs = affs.iter().map(|aff| aff.with_params_of(&model)).collect();
        MultiAff { space: model, affs }
    }

    /// A tuple over an expression domain, into `range`.
    pub(crate) fn into_tuple(domain: &Space, range: &Tuple, affs: Vec<Aff>) -> MultiAff {
        MultiAff::new(&function_space(domain, range), affs)
    }

    /// `x -> x`, for a relation space of equally large tuples. isl: `multi_aff_identity`.
    pub fn identity(space: &Space) -> MultiAff {
        let domain = space.domain();
        let n = space.dim(DimKind::Out);
        MultiAff::new(space, (0..n).map(|d| Aff::var_on_domain(&domain, DimKind::Out, d)).collect())
    }

    /// `x -> 0`. isl: `multi_aff_zero`.
    pub fn zero(space: &Space) -> MultiAff {
        let domain = space.domain();
        MultiAff::new(space, vec![Aff::zero_on_domain(&domain); space.dim(DimKind::Out)])
    }

    /// A tuple of one, without name. isl: `multi_aff_from_aff`.
    pub fn from_aff(aff: &Aff) -> MultiAff {
        MultiAff::into_tuple(aff.domain_space(), &Tuple::anonymous(1), vec![aff.clone()])
    }

    fn projection(space: &Space, target: &Space, first: usize) -> MultiAff {
        let wrapped = space.wrap();
        let dims = first..first + target.dim(DimKind::Out);
        let affs = dims.map(|d| Aff::var_on_domain(&wrapped, DimKind::Out, d)).collect();
        MultiAff::into_tuple(&wrapped, &range_tuple(target), affs)
    }

    /// `[x -> y] -> x`, for the relation space of `x -> y`. isl: `multi_aff_domain_map`.
    pub fn domain_map(space: &Space) -> MultiAff {
        MultiAff::projection(space, &space.domain(), 0)
    }

    /// `[x -> y] -> y`, for the relation space of `x -> y`. isl: `multi_aff_range_map`.
    pub fn range_map(space: &Space) -> MultiAff {
        MultiAff::projection(space, &space.range(), space.dim(DimKind::In))
    }

    /// From domain to range; the range alone for a function of parameters. isl: `multi_aff_get_space`, `pw_multi_aff_get_space`.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The space of its arguments. isl: `multi_aff_get_domain_space`, `pw_multi_aff_get_domain_space`.
    pub fn domain_space(&self) -> Space {
        self.space.domain()
    }

    /// Number of its members. isl: `multi_aff_size`.
    pub fn n(&self) -> usize {
        self.affs.len()
    }

    /// Its members. isl: `multi_aff_get_list`.
    pub fn affs(&self) -> &[Aff] {
        &self.affs
    }

    /// A member. isl: `multi_aff_get_at`.
    pub fn aff(&self, position: usize) -> &Aff {
        &self.affs[position]
    }

    /// With another member at a position. isl: `multi_aff_set_at`.
    pub fn set_aff(&self, position: usize, aff: &Aff) -> MultiAff {
        let mut affs = self.affs.clone();
        affs[position] = aff.clone();
        MultiAff::new(&self.space, affs)
    }

    fn zip(&self, other: &MultiAff, f: impl Fn(&Aff, &Aff) -> Aff) -> MultiAff {
        let space = self.space.align_params(&other.space);
        MultiAff::new(&space, self.affs.iter().zip(&other.affs).map(|(a, b)| f(a, b)).collect())
    }

    /// Member by member; one space. isl: `multi_aff_add`.
    pub fn add(&self, other: &MultiAff) -> MultiAff {
        self.zip(other, Aff::add)
    }

    /// Member by member; one space. isl: `multi_aff_sub`.
    pub fn sub(&self, other: &MultiAff) -> MultiAff {
        self.zip(other, Aff::sub)
    }

    /// Member by member. isl: `multi_aff_neg`.
    pub fn neg(&self) -> MultiAff {
        MultiAff { space: self.space.clone(), affs: self.affs.iter().map(Aff::neg).collect() }
    }

    fn joined(&self, other: &MultiAff, range: &Tuple) -> MultiAff {
        let space = self.space.align_params(&other.space);
        MultiAff::into_tuple(&space.domain(), range, [self.affs.as_slice(), &other.affs].concat())
    }

    /// `x -> [f(x) -> g(x)]`; one domain space. isl: `multi_aff_range_product`.
    pub fn range_product(&self, other: &MultiAff) -> MultiAff {
        self.joined(other, &Tuple::nested(None, &range_tuple(&self.space), &range_tuple(&other.space)))
    }

    /// `x -> (f(x), g(x))` in a flat tuple; one domain space. isl: `multi_aff_flat_range_product`.
    pub fn flat_range_product(&self, other: &MultiAff) -> MultiAff {
        self.joined(other, &Tuple::anonymous(self.n() + other.n()))
    }

    /// `[x -> y] -> [f(x) -> g(y)]`. isl: `multi_aff_product`.
    pub fn product(&self, other: &MultiAff) -> MultiAff {
        let pair = Space::from_domain_and_range(&self.domain_space(), &other.domain_space());
        let first = self.pullback(&MultiAff::domain_map(&pair));
        first.range_product(&other.pullback(&MultiAff::range_map(&pair)))
    }

    /// `x -> f(g(x))`; the range of `g` is the domain of `f`. isl: `multi_aff_pullback_multi_aff`.
    pub fn pullback(&self, inner: &MultiAff) -> MultiAff {
        let domain = inner.domain_space().align_params(&self.space);
        let affs = self.affs.iter().map(|aff| aff.pullback(inner)).collect();
        MultiAff::into_tuple(&domain, &range_tuple(&self.space), affs)
    }

    /// Equal to it on `context`, and simpler. isl: `multi_aff_gist`.
    pub fn gist(&self, context: &Set) -> MultiAff {
        MultiAff::new(&self.space, self.affs.iter().map(|aff| aff.gist(context)).collect())
    }

    /// `{ x -> f(x) }` where that is integer; from the zero-dimensional tuple for a function of parameters. isl: `map_from_multi_aff`.
    pub fn as_map(&self) -> Map {
        let domain = Aff::proper_domain(&self.domain_space());
        let space = domain.with_tuples(Tuples::Map(range_tuple(&domain), range_tuple(&self.space)));
        Map::from_conjunctions(&space, vec![self.graph()])
    }

    /// `{ f() }`, for a function of parameters alone. isl: `set_from_multi_aff`.
    pub fn as_set(&self) -> Set {
        assert!(self.space.is_set(), "law: {} is a function of parameters", self.space);
        Set(Map::from_conjunctions(&self.space, vec![self.graph()]))
    }

    /// Over `[params, dims, values]`, not simplified.
    fn graph(&self) -> Conjunction<Int> {
        let (n_in, n) = (self.domain_space().n_dim(), self.n());
        let mut graph = Conjunction::<Int>::universe(n_in + n);
        for (d, aff) in self.affs.iter().enumerate() {
            let mut one = Conjunction::<Int>::universe(n_in);
            for div in aff.div_rows().rows() {
                let width = one.width();
                one.add_div(&div[..=width]);
            }
            let mut one = one.insert_variables(n_in, n);
            let mut row = vec![Int::zero(); one.width()];
            row[..=n_in].clone_from_slice(&aff.numerator()[..=n_in]);
            row[1 + n_in + n..].clone_from_slice(&aff.numerator()[1 + n_in..]);
            row[1 + n_in + d] = aff.denominator().neg();
            one.add_eq(&row);
            graph = graph.conjoin(&one);
        }
        graph
    }

    /// `{ x : f(x) << g(x) }`; one space. isl: `multi_aff_lex_lt_set`.
    pub fn lex_lt_set(&self, other: &MultiAff) -> Set {
        self.compared(other).0
    }

    /// `{ x : f(x) <<= g(x) }`; one space. isl: `multi_aff_lex_le_set`.
    pub fn lex_le_set(&self, other: &MultiAff) -> Set {
        let (less, equal) = self.compared(other);
        less.union_disjoint(&equal)
    }

    /// Where the values of this one are smaller, and where they are equal.
    fn compared(&self, other: &MultiAff) -> (Set, Set) {
        let space = self.domain_space().align_params(&other.space);
        let mut equal = Set::universe(&space);
        let mut less = Set::empty(&space);
        for (a, b) in self.affs.iter().zip(&other.affs) {
            less = less.union_disjoint(&equal.intersect(&a.lt_set(b)));
            equal = equal.intersect(&a.eq_set(b));
        }
        (less, equal)
    }

    /// The parameters of `model`, in its order, before the others. isl: `multi_aff_align_params`.
    pub fn align_params(&self, model: &Space) -> MultiAff {
        self.with_params_of(&model.params_space().align_params(&self.space))
    }

    pub(crate) fn with_params_of(&self, model: &Space) -> MultiAff {
        if self.space.has_equal_params(model) {
            return self.clone();
        }
        let affs = self.affs.iter().map(|aff| aff.with_params_of(model)).collect();
        MultiAff { space: self.space.with_params(model.params()), affs }
    }

    /// The same function with another name for a tuple. isl: `multi_aff_set_tuple_id`.
    pub fn set_tuple_name(&self, kind: DimKind, name: Option<&str>) -> MultiAff {
        self.reset_space(&named(&self.space, kind, name))
    }

    /// The same formulas in a space with as many dimensions. isl: `multi_aff_reset_space`.
    pub fn reset_space(&self, space: &Space) -> MultiAff {
        let domain = space.domain();
        MultiAff { space: space.clone(), affs: self.affs.iter().map(|aff| aff.reset_domain_space(&domain)).collect() }
    }

    /// The same formulas. isl: `multi_aff_plain_is_equal`.
    pub fn plain_is_equal(&self, other: &MultiAff) -> bool {
        self.space.has_equal_tuples(&other.space) && self.affs.iter().zip(&other.affs).all(|(a, b)| a.plain_is_equal(b))
    }

    /// Its values at the given parameters and dimensions, as fractions in lowest terms. isl has none.
    pub fn eval(&self, point: &[Int]) -> Vec<(Int, Int)> {
        self.affs.iter().map(|aff| aff.eval(point)).collect()
    }

    /// The same function, as one piece. isl: `pw_multi_aff_from_multi_aff`.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        PwMultiAff::from_multi_aff(self)
    }
}

pub(crate) fn named(space: &Space, kind: DimKind, name: Option<&str>) -> Space {
    let tuple = space.tuple(kind).unwrap_or_else(|| panic!("law: {kind:?} names a tuple of {space}"));
    space.with_tuple(kind, &tuple.with_name(name.map(Id::new)))
}
