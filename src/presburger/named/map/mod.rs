//! Relations: finite unions of conjunctions in one space, and their algebra.
//!
//! `{ S[i] -> A[i + 1] : 0 <= i < n; S[i] -> A[0] }` is one space, `[n] -> { S[i] -> A[a] }`, and two pieces. Columns are
//! `[1 | parameters | domain | range | locals]`, and nearly every operation is a placement of the operands' columns in a common
//! conjunction: composing `R : x -> y` with `Q : y -> z` puts both over `x, z, y` and makes `y` existential. The
//! single workhorse for that is [`Map::join`]. What needs search (difference, optima, normal forms) belongs to
//! the nameless algorithms beside this file; here they only get their names. A set is a relation without domain tuple ([`super::set`]).
//!
//! Operands of one operation get their parameters aligned by name. Their tuples must fit as each definition says; that is a
//! law and asserted, and whoever takes operands from outside asks [`Space`]'s `check_*` first.
//!
//! Implements: 002 2.3.4

mod dims;
mod function;
mod hull;
mod make;
mod order;
mod product;
mod values;

use super::basic_map::{BasicMap, Constraint, ConstraintKind};
use super::set::Set;
use super::space::{DimKind, Space, SpaceError, Tuples};
use crate::presburger::algebra::pieces::{self, Pieces, Precision, exact};
use crate::presburger::algebra::{coalesce, gist, subtract};
use crate::presburger::number::budget::within;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::solve::{project, sample};
use std::rc::Rc;

/// A finite union of conjunctions: a relation between integer tuples of two spaces.
#[derive(Clone)]
pub struct Map {
    pub(crate) space: Space,
    pub(crate) pieces: Rc<Pieces>,
}

/// Work units for [`Map::looked_into`]: about a millisecond.
const STEPS_OF_A_LOOK: u64 = 100_000;

/// Spaces fit: a law of the caller.
pub(crate) fn law(check: Result<(), SpaceError>) {
    if let Err(error) = check {
        panic!("law: {error}");
    }
}

impl Map {
    pub(crate) fn new(space: &Space, pieces: Rc<Pieces>) -> Map {
        Map { space: space.clone(), pieces }
    }

    /// The same, where each piece knows a point of it or is dropped because it has none, as far as that is easy: what people write down they
    /// ask about.
    pub(crate) fn looked_into(self) -> Map {
        let looked =
            within(STEPS_OF_A_LOOK, || exact!(a = &self.pieces => a.iter().filter(|c| sample::is_empty(c)).count()));
        match looked {
            Ok(empty) if empty > 0 => Map::new(&self.space, exact!(a = &self.pieces => Precision::store(a.to_vec()))),
            _ => self,
        }
    }

    /// Its space. isl: `map_get_space`.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Number of dimensions of a kind. isl: `map_dim`.
    pub fn dim(&self, kind: DimKind) -> usize {
        self.space.dim(kind)
    }

    /// Its pieces, each as a relation of one conjunction. isl: `map_foreach_basic_map`.
    pub fn pieces(&self) -> Vec<BasicMap> {
        self.basics()
    }

    /// Number of pieces. isl: `map_n_basic_map`.
    pub fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Adds rows over `[1 | parameters | domain | range]`.
    pub(crate) fn restrict(&self, eq: &[Vec<Int>], ineq: &[Vec<Int>]) -> Map {
        Map::new(&self.space, exact!(a = &self.pieces => Precision::store(pieces::restrict(a, eq, ineq))))
    }

    /// The relation in `space` whose variable `v` is this one's variable `sources[v]` or free; variables not mentioned are forgotten.
    pub(crate) fn rearrange(&self, space: &Space, sources: &[Option<usize>]) -> Map {
        debug_assert_eq!(space.n_dim(), sources.len());
        if sources.iter().enumerate().all(|(v, s)| *s == Some(v)) && sources.len() == self.space.n_dim() {
            return Map::new(space, self.pieces.clone());
        }
        Map::new(space, exact!(a = &self.pieces => Precision::store(pieces::rearrange(a, sources))))
    }

    /// The relation in `space` of the points whose coordinates, placed by `mine` and `theirs`, are in both operands for some
    /// values of the variables beyond those of `space`. Parameters come first and are aligned.
    pub(crate) fn join(&self, mine: &[Option<usize>], other: &Map, theirs: &[Option<usize>], space: &Space) -> Map {
        let n = space.n_dim();
        let visible: Vec<Option<usize>> = (0..n).map(Some).collect();
        let pieces = exact!(a = &self.pieces, b = &other.pieces => {
            let (x, y) = (pieces::rearrange(a, mine), pieces::rearrange(b, theirs));
            match (&x[..], &y[..]) {
                // What has no divs is simplified once, after the middle is gone.
                ([x], [y]) if mine.len() > n && x.n_local() + y.n_local() == 0 => {
                    Precision::store(vec![x.conjoin(y).rearrange(&visible)])
                }
                _ if mine.len() > n => Precision::store(pieces::rearrange(&pieces::intersect(&x, &y), &visible)),
                _ => Precision::store(pieces::intersect(&x, &y)),
            }
        });
        Map::new(space, pieces)
    }

    /// The same relation over a list of parameters that contains its own.
    pub(crate) fn with_params_of(&self, model: &Space) -> Map {
        if self.space.has_equal_params(model) {
            return self.clone();
        }
        let space = self.space.with_params(model.params());
        let own = self.dim(DimKind::Param);
        let sources: Vec<Option<usize>> = model
            .params()
            .iter()
            .map(|p| self.space.find_param(p))
            .chain((own..self.space.n_dim()).map(Some))
            .collect();
        self.rearrange(&space, &sources)
    }

    /// Both over the parameters of both: those of the first, then the others of the second.
    pub(crate) fn aligned(&self, other: &Map) -> (Map, Map) {
        if self.space.has_equal_params(&other.space) {
            return (self.clone(), other.clone());
        }
        let model = self.space.align_params(&other.space);
        (self.with_params_of(&model), other.with_params_of(&model))
    }

    /// Both over the same parameters and in the same space.
    pub(crate) fn matched(&self, other: &Map) -> (Map, Map) {
        law(self.space.check_equal(&other.space));
        self.aligned(other)
    }

    /// The parameters of `model`, in its order, before the others. isl: `map_align_params`.
    pub fn align_params(&self, model: &Space) -> Map {
        self.with_params_of(&model.params_space().align_params(&self.space))
    }

    /// Pairs in either; one space. isl: `map_union`.
    pub fn union(&self, other: &Map) -> Map {
        let (a, b) = self.matched(other);
        if b.plain_is_empty() || Rc::ptr_eq(&a.pieces, &b.pieces) {
            return a;
        }
        if a.plain_is_empty() {
            return Map::new(&a.space, b.pieces);
        }
        Map::new(&a.space, exact!(a = &a.pieces, b = &b.pieces => Precision::store(pieces::unite(a, b))))
    }

    /// As [`Map::union`], of relations known to have no common pair. isl: `map_union_disjoint`.
    pub fn union_disjoint(&self, other: &Map) -> Map {
        self.union(other)
    }

    /// Pairs in both; one space. isl: `map_intersect`.
    pub fn intersect(&self, other: &Map) -> Map {
        let (a, b) = self.matched(other);
        if a.plain_is_empty() || b.plain_is_universe() || Rc::ptr_eq(&a.pieces, &b.pieces) {
            return a;
        }
        if b.plain_is_empty() || a.plain_is_universe() {
            return Map::new(&a.space, b.pieces);
        }
        Map::new(&a.space, exact!(a = &a.pieces, b = &b.pieces => Precision::store(pieces::intersect(a, b))))
    }

    /// Pairs in this one and not in `other`; one space. isl: `map_subtract`.
    pub fn subtract(&self, other: &Map) -> Map {
        let (a, b) = self.matched(other);
        if a.plain_is_empty() || b.plain_is_empty() {
            return a;
        }
        if Rc::ptr_eq(&a.pieces, &b.pieces) {
            return Map::empty(&a.space);
        }
        Map::new(&a.space, exact!(a = &a.pieces, b = &b.pieces => Precision::store(subtract::subtract(a, b))))
    }

    /// All pairs of the space that are not in it. isl: `map_complement`.
    pub fn complement(&self) -> Map {
        Map::universe(&self.space).subtract(self)
    }

    /// Keeps the pairs for the parameters in `params`, a parameter set. isl: `map_intersect_params`.
    pub fn intersect_params(&self, params: &Set) -> Map {
        assert!(params.space().is_params(), "law: parameters are restricted by a parameter set");
        self.intersect(&params.0.over_params_of(&self.space))
    }

    /// The conditions of a parameter set, in another space.
    fn over_params_of(&self, space: &Space) -> Map {
        let n = self.dim(DimKind::Param);
        let space = self.space.with_tuples(space.tuples().clone());
        let sources: Vec<Option<usize>> = (0..space.n_dim()).map(|v| (v < n).then_some(v)).collect();
        self.rearrange(&space, &sources)
    }

    /// `{ x -> y in R : x in S }`. isl: `map_intersect_domain`.
    pub fn intersect_domain(&self, domain: &Set) -> Map {
        if domain.space().is_params() && self.space.is_set() {
            return self.intersect_params(domain);
        }
        self.intersect(&self.over_domain(domain))
    }

    /// `{ x -> y in R : y in S }`. isl: `map_intersect_range`.
    pub fn intersect_range(&self, range: &Set) -> Map {
        self.intersect(&self.over_range(range))
    }

    /// `{ x -> y in R : x not in S }`. isl: `map_subtract_domain`.
    pub fn subtract_domain(&self, domain: &Set) -> Map {
        self.subtract(&self.over_domain(domain))
    }

    /// `{ x -> y in R : y not in S }`. isl: `map_subtract_range`.
    pub fn subtract_range(&self, range: &Set) -> Map {
        self.subtract(&self.over_range(range))
    }

    /// `{ x -> y : x in S }` in this space.
    pub(crate) fn over_domain(&self, set: &Set) -> Map {
        law(self.space.check_domain(set.space()));
        let n = set.space().n_dim();
        let space = set.space().with_tuples(self.space.tuples().clone());
        let sources: Vec<Option<usize>> = (0..space.n_dim()).map(|v| (v < n).then_some(v)).collect();
        set.0.rearrange(&space, &sources)
    }

    /// `{ x -> y : y in S }` in this space.
    fn over_range(&self, set: &Set) -> Map {
        law(self.space.check_range(set.space()));
        let space = set.space().with_tuples(self.space.tuples().clone());
        let (n_param, n_in) = (space.dim(DimKind::Param), space.dim(DimKind::In));
        let sources: Vec<Option<usize>> = (0..n_param)
            .map(Some)
            .chain(std::iter::repeat_n(None, n_in))
            .chain((n_param..set.space().n_dim()).map(Some))
            .collect();
        set.0.rearrange(&space, &sources)
    }

    /// Equal to this one within `context`, of the same space, and simpler. isl: `map_gist`.
    pub fn gist(&self, context: &Map) -> Map {
        let (a, b) = self.matched(context);
        if b.plain_is_universe() || a.plain_is_empty() || a.plain_is_universe() {
            return a;
        }
        let hull = b.plain_hull().0;
        if hull.plain_is_empty() {
            return Map::universe(&a.space);
        }
        Map::new(&a.space, exact!(a = &a.pieces, b = &hull.pieces => Precision::store(gist::gist_union(a, &b[0]))))
    }

    /// [`Map::gist`] for domain elements in `context`. isl: `map_gist_domain`.
    pub fn gist_domain(&self, context: &Set) -> Map {
        self.gist(&self.over_domain(context))
    }

    /// [`Map::gist`] for range elements in `context`. isl: `map_gist_range`.
    pub fn gist_range(&self, context: &Set) -> Map {
        self.gist(&self.over_range(context))
    }

    /// [`Map::gist`] for parameters in `context`. isl: `map_gist_params`.
    pub fn gist_params(&self, context: &Set) -> Map {
        assert!(context.space().is_params(), "law: the context is a parameter set");
        self.gist(&context.0.over_params_of(&self.space))
    }

    /// No pair for any parameters. isl: `map_is_empty`.
    pub fn is_empty(&self) -> bool {
        exact!(a = &self.pieces => a.iter().all(sample::is_empty))
    }

    /// Each pair is in `other`; one space. isl: `map_is_subset`.
    pub fn is_subset(&self, other: &Map) -> bool {
        let (a, b) = self.matched(other);
        if b.plain_is_universe() || Rc::ptr_eq(&a.pieces, &b.pieces) {
            return true;
        }
        exact!(a = &a.pieces, b = &b.pieces => subtract::is_subset(a, b))
    }

    /// A subset that lacks some pair. isl: `map_is_strict_subset`.
    pub fn is_strict_subset(&self, other: &Map) -> bool {
        self.is_subset(other) && !other.is_subset(self)
    }

    /// Equal pairs; one space. isl: `map_is_equal`.
    pub fn is_equal(&self, other: &Map) -> bool {
        self.plain_is_equal(other) || (self.is_subset(other) && other.is_subset(self))
    }

    /// No common pair; one space. isl: `map_is_disjoint`.
    pub fn is_disjoint(&self, other: &Map) -> bool {
        let (a, b) = self.matched(other);
        exact!(a = &a.pieces, b = &b.pieces => a.iter().all(|x| b.iter().all(|y| subtract::is_disjoint(x, y))))
    }

    /// Known to have no pair. isl: `map_plain_is_empty`.
    pub fn plain_is_empty(&self) -> bool {
        self.pieces.len() == 0
    }

    /// Some piece has no constraint. isl: `map_plain_is_universe`.
    pub fn plain_is_universe(&self) -> bool {
        exact!(a = &self.pieces => a.iter().any(crate::presburger::conjunction::Conjunction::is_universe))
    }

    /// The same constraints, piece by piece. isl: `map_plain_is_equal`.
    pub fn plain_is_equal(&self, other: &Map) -> bool {
        let (a, b) = self.matched(other);
        Rc::ptr_eq(&a.pieces, &b.pieces)
            || (a.n_pieces() == b.n_pieces()
                && exact!(a = &a.pieces, b = &b.pieces => {
                    a.iter().zip(b).all(|(x, y)| pieces::same_constraints(x, y))
                }))
    }

    /// Whether some piece has a constraint that mentions one of the dimensions. isl: `map_involves_dims`.
    pub fn involves(&self, kind: DimKind, first: usize, n: usize) -> bool {
        let columns = 1 + self.space.offset(kind) + first..1 + self.space.offset(kind) + first + n;
        exact!(a = &self.pieces => a.iter().any(|c| {
            let rows = c.eq.rows().chain(c.ineq.rows());
            rows.clone().any(|row| row[columns.clone()].iter().any(|x| !x.is_zero()))
                || c.divs.rows().any(|d| d[1 + columns.start..1 + columns.end].iter().any(|x| !x.is_zero()))
        }))
    }

    /// Whether the pair given by the values of parameters, domain and range is in it. isl: `set_contains_point`, `map_from_point`.
    pub fn contains(&self, point: &[Int]) -> bool {
        assert_eq!(point.len(), self.space.n_dim(), "one value per parameter and dimension");
        exact!(a = &self.pieces => a.iter().any(|conj| conj.contains(point).unwrap_or_else(|| {
            let equal = |(v, value): (usize, &Int)| {
                let mut row = vec![Int::zero(); 1 + point.len()];
                (row[0], row[1 + v]) = (value.neg(), Int::one());
                row
            };
            let fixed: Vec<Vec<Int>> = point.iter().enumerate().map(equal).collect();
            let mut at = pieces::restrict(std::slice::from_ref(conj), &fixed, &[]).remove(0);
            at.simplify();
            !sample::is_empty(&at)
        })))
    }

    /// A pair: the values of parameters, domain and range; `None` if it is empty. isl: `map_sample`.
    pub fn sample(&self) -> Option<Vec<Int>> {
        let n = self.space.n_dim();
        exact!(a = &self.pieces => a.iter().find_map(sample::sample).map(|point| {
            point[..n].iter().map(Number::to_int).collect()
        }))
    }

    /// A relation of one pair in it (and one value of the parameters), or the empty one. isl: `map_sample`.
    pub fn sample_basic(&self) -> BasicMap {
        let Some(point) = self.sample() else { return BasicMap(Map::empty(&self.space)) };
        let fix = |(v, value): (usize, &Int)| {
            let mut coefficients = vec![Int::zero(); point.len()];
            coefficients[v] = Int::one();
            Constraint { kind: ConstraintKind::Equality, constant: value.neg(), coefficients }
        };
        let rows: Vec<Constraint> = point.iter().enumerate().map(fix).collect();
        BasicMap::from_constraints(&self.space, &[], &rows)
    }

    /// Equal, with pieces merged where their union is one conjunction. isl: `map_coalesce`.
    pub fn coalesce(&self) -> Map {
        if self.n_pieces() < 2 {
            return self.clone();
        }
        Map::new(&self.space, exact!(a = &self.pieces => Precision::store(coalesce::coalesce(a.to_vec()))))
    }

    /// Equal, with disjoint pieces for each piece whose locals are all divs. isl: `map_compute_divs`.
    pub fn compute_divs(&self) -> Map {
        if !self.has_unknown_locals() {
            return self.clone();
        }
        Map::new(
            &self.space,
            exact!(a = &self.pieces => {
                Precision::store(a.iter().flat_map(project::compute_divs).collect())
            }),
        )
    }

    pub(crate) fn has_unknown_locals(&self) -> bool {
        exact!(a = &self.pieces => a.iter().any(project::has_unknown_locals))
    }

    /// Equal, with disjoint pieces. isl: `map_make_disjoint`.
    pub fn make_disjoint(&self) -> Map {
        if self.n_pieces() < 2 {
            return self.clone();
        }
        Map::new(&self.space, exact!(a = &self.pieces => Precision::store(subtract::make_disjoint(a))))
    }

    /// `{ y -> x : x -> y in R }`. isl: `map_reverse`.
    pub fn reverse(&self) -> Map {
        let (p, i) = (self.dim(DimKind::Param), self.dim(DimKind::In));
        let sources: Vec<Option<usize>> = (0..p).chain(p + i..self.space.n_dim()).chain(p..p + i).map(Some).collect();
        self.rearrange(&self.space.reverse(), &sources)
    }

    /// `{ x : exists y : x -> y in R }`. isl: `map_domain`.
    pub fn domain(&self) -> Set {
        let n = self.space.offset(DimKind::Out);
        Set(self.rearrange(&self.space.domain(), &(0..n).map(Some).collect::<Vec<_>>()))
    }

    /// `{ y : exists x : x -> y in R }`. isl: `map_range`.
    pub fn range(&self) -> Set {
        let (p, o) = (self.dim(DimKind::Param), self.space.offset(DimKind::Out));
        let sources: Vec<Option<usize>> = (0..p).chain(o..self.space.n_dim()).map(Some).collect();
        Set(self.rearrange(&self.space.range(), &sources))
    }

    /// The parameters for which there is a pair. isl: `map_params`.
    pub fn params(&self) -> Set {
        let p = self.dim(DimKind::Param);
        Set(self.rearrange(&self.space.params_space(), &(0..p).map(Some).collect::<Vec<_>>()))
    }

    /// `{ x -> z : exists y : x -> y in R and y -> z in Q }`. isl: `map_apply_range`.
    pub fn apply_range(&self, next: &Map) -> Map {
        let (a, b) = self.aligned(next);
        law(a.space.check_chain(&b.space));
        let tuples = match (a.space.tuples(), b.space.tuples()) {
            (Tuples::Map(x, _), Tuples::Map(_, z)) => Tuples::Map(x.clone(), z.clone()),
            (_, Tuples::Map(_, z)) => Tuples::Set(z.clone()),
            _ => panic!("law: a relation is applied, not {}", b.space),
        };
        let (p, x) = (a.dim(DimKind::Param), a.dim(DimKind::In));
        let (y, z) = (a.dim(DimKind::Out), b.dim(DimKind::Out));
        let free = |n| std::iter::repeat_n(None, n);
        let mine: Vec<_> = (0..p + x).map(Some).chain(free(z)).chain((p + x..p + x + y).map(Some)).collect();
        let theirs: Vec<_> =
            (0..p).map(Some).chain(free(x)).chain((p + y..p + y + z).map(Some)).chain((p..p + y).map(Some)).collect();
        a.join(&mine, &b, &theirs, &a.space.with_tuples(tuples))
    }

    /// `{ y -> z : exists x : x -> z in R and x -> y in Q }`. isl: `map_apply_domain`.
    pub fn apply_domain(&self, next: &Map) -> Map {
        let (a, b) = self.aligned(next);
        law(b.space.reverse().check_chain(&a.space));
        let tuples = match (b.space.tuples(), a.space.tuples()) {
            (Tuples::Map(_, y), Tuples::Map(_, z)) => Tuples::Map(y.clone(), z.clone()),
            _ => panic!("law: a relation is applied to the domain of a relation, not {} to {}", b.space, a.space),
        };
        let (p, x) = (a.dim(DimKind::Param), a.dim(DimKind::In));
        let (y, z) = (b.dim(DimKind::Out), a.dim(DimKind::Out));
        let free = |n| std::iter::repeat_n(None, n);
        let mine: Vec<_> =
            (0..p).map(Some).chain(free(y)).chain((p + x..p + x + z).map(Some)).chain((p..p + x).map(Some)).collect();
        let theirs: Vec<_> =
            (0..p).map(Some).chain((p + x..p + x + y).map(Some)).chain(free(z)).chain((p..p + x).map(Some)).collect();
        a.join(&mine, &b, &theirs, &a.space.with_tuples(tuples))
    }
}
