//! Relations: products, nested tuples and differences.
//!
//! With `R = { S[i] -> A[a] }` and `Q = { T[j] -> B[b] }`, the product is `{ [S[i] -> T[j]] -> [A[a] -> B[b]] }`: two tuples
//! become one that wraps them, and nothing happens to the numbers but their order. The factors undo that by projection;
//! `zip`, `curry`, `wrap` only nest differently. (Operations 2.72 to 2.106 of Verdoolaege's tutorial.)
//!
//! Implements: 002 2.4.2, 2.4.3, 2.4.4

use super::{Map, law};
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space, Tuple, Tuples};
use crate::presburger::number::int::{Int, Number};
use std::ops::Range;

/// How the coordinates of two operands make up those of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Both operands have the same tuple there, and the same values.
    Shared,
    /// A pair of both tuples.
    Paired,
    /// Both tuples' dimensions in one flat tuple.
    Flat,
}

fn pair(side: Side, a: &Tuple, b: &Tuple) -> Tuple {
    match side {
        Side::Shared => a.clone(),
        Side::Paired => Tuple::nested(None, a, b),
        Side::Flat => {
            let name = if a.n_dim() == 0 && b.n_dim() == 0 { a.name().cloned() } else { None };
            Tuple::with_dim_names(name, [a.dim_names(), b.dim_names()].concat())
        }
    }
}

impl Map {
    /// The product whose domain and range tuples are made as told.
    fn combine(&self, other: &Map, domain: Side, range: Side) -> Map {
        let (a, b) = self.aligned(other);
        let (Tuples::Map(x, y), Tuples::Map(u, v)) = (a.space.tuples(), b.space.tuples()) else {
            panic!("law: a product is made of two relations, not {} and {}", a.space, b.space);
        };
        assert!(domain != Side::Shared || x == u, "law: domains of {} and {} are equal", a.space, b.space);
        assert!(range != Side::Shared || y == v, "law: ranges of {} and {} are equal", a.space, b.space);
        let space = a.space.with_tuples(Tuples::Map(pair(domain, x, u), pair(range, y, v)));
        let p = a.dim(DimKind::Param);
        let mut mine: Vec<Option<usize>> = (0..p).map(Some).collect();
        let mut theirs = mine.clone();
        place(&mut mine, &mut theirs, domain, p..p + x.n_dim(), p..p + u.n_dim());
        let (my_range, their_range) = (p + x.n_dim(), p + u.n_dim());
        place(&mut mine, &mut theirs, range, my_range..my_range + y.n_dim(), their_range..their_range + v.n_dim());
        a.join(&mine, &b, &theirs, &space)
    }

    /// `{ [x -> u] -> [y -> v] : x -> y in R and u -> v in Q }`. isl: `map_product`.
    pub fn product(&self, other: &Map) -> Map {
        self.combine(other, Side::Paired, Side::Paired)
    }

    /// `{ [x -> u] -> y : x -> y in R and u -> y in Q }`; one range space. isl: `map_domain_product`.
    pub fn domain_product(&self, other: &Map) -> Map {
        self.combine(other, Side::Paired, Side::Shared)
    }

    /// `{ x -> [y -> v] : x -> y in R and x -> v in Q }`; one domain space. isl: `map_range_product`.
    pub fn range_product(&self, other: &Map) -> Map {
        self.combine(other, Side::Shared, Side::Paired)
    }

    /// [`Map::product`] with flat anonymous tuples. isl: `map_flat_product`.
    pub fn flat_product(&self, other: &Map) -> Map {
        self.combine(other, Side::Flat, Side::Flat)
    }

    /// [`Map::domain_product`] with a flat anonymous domain. isl: `map_flat_domain_product`.
    pub fn flat_domain_product(&self, other: &Map) -> Map {
        self.combine(other, Side::Flat, Side::Shared)
    }

    /// [`Map::range_product`] with a flat anonymous range. isl: `map_flat_range_product`.
    pub fn flat_range_product(&self, other: &Map) -> Map {
        self.combine(other, Side::Shared, Side::Flat)
    }

    /// The relation between a part of the domain tuple and a part of the range tuple; parts are offsets in all variables.
    fn factor(&self, domain: (&Tuple, usize), range: (&Tuple, usize)) -> Map {
        let space = self.space.with_tuples(Tuples::Map(domain.0.clone(), range.0.clone()));
        let part = |(tuple, at): (&Tuple, usize)| at..at + tuple.n_dim();
        let sources: Vec<Option<usize>> =
            (0..self.dim(DimKind::Param)).chain(part(domain)).chain(part(range)).map(Some).collect();
        self.rearrange(&space, &sources)
    }

    /// The tuple of a kind, whole (`None`) or one half of the pair it wraps, and where its dimensions begin.
    fn half(&self, kind: DimKind, second: Option<bool>) -> (&Tuple, usize) {
        let at = self.space.offset(kind);
        let tuple = self.space.tuple(kind).unwrap_or_else(|| panic!("law: {} is a relation's space", self.space));
        let Some(second) = second else { return (tuple, at) };
        let (a, b) = tuple.pair().unwrap_or_else(|| panic!("law: the {kind:?} tuple of {} wraps a pair", self.space));
        if second { (b, at + a.n_dim()) } else { (a, at) }
    }

    /// `{ x -> y : exists u, v : [x -> u] -> [y -> v] in R }`. isl: `map_factor_domain`.
    pub fn factor_domain(&self) -> Map {
        self.factor(self.half(DimKind::In, Some(false)), self.half(DimKind::Out, Some(false)))
    }

    /// `{ u -> v : exists x, y : [x -> u] -> [y -> v] in R }`. isl: `map_factor_range`.
    pub fn factor_range(&self) -> Map {
        self.factor(self.half(DimKind::In, Some(true)), self.half(DimKind::Out, Some(true)))
    }

    /// `{ x -> y : exists u : [x -> u] -> y in R }`. isl: `map_domain_factor_domain`.
    pub fn domain_factor_domain(&self) -> Map {
        self.factor(self.half(DimKind::In, Some(false)), self.half(DimKind::Out, None))
    }

    /// `{ u -> y : exists x : [x -> u] -> y in R }`. isl: `map_domain_factor_range`.
    pub fn domain_factor_range(&self) -> Map {
        self.factor(self.half(DimKind::In, Some(true)), self.half(DimKind::Out, None))
    }

    /// `{ x -> y : exists v : x -> [y -> v] in R }`. isl: `map_range_factor_domain`.
    pub fn range_factor_domain(&self) -> Map {
        self.factor(self.half(DimKind::In, None), self.half(DimKind::Out, Some(false)))
    }

    /// `{ x -> v : exists y : x -> [y -> v] in R }`. isl: `map_range_factor_range`.
    pub fn range_factor_range(&self) -> Map {
        self.factor(self.half(DimKind::In, None), self.half(DimKind::Out, Some(true)))
    }

    /// `{ [x -> y] : x -> y in R }`. isl: `map_wrap`.
    pub fn wrap(&self) -> Set {
        Set(Map::new(&self.space.wrap(), self.pieces.clone()))
    }

    /// `{ [x -> y] -> [u -> v] : [x -> u] -> [y -> v] in R }`; domain and range wrap pairs. isl: `map_zip`.
    pub fn zip(&self) -> Map {
        law(self.space.check_zip());
        let ((x, px), (u, pu)) = (self.half(DimKind::In, Some(false)), self.half(DimKind::In, Some(true)));
        let ((y, py), (v, pv)) = (self.half(DimKind::Out, Some(false)), self.half(DimKind::Out, Some(true)));
        let tuples = Tuples::Map(Tuple::nested(None, x, y), Tuple::nested(None, u, v));
        let parts = [(x, px), (y, py), (u, pu), (v, pv)];
        let sources: Vec<Option<usize>> = (0..self.dim(DimKind::Param))
            .chain(parts.into_iter().flat_map(|(t, at)| at..at + t.n_dim()))
            .map(Some)
            .collect();
        self.rearrange(&self.space.with_tuples(tuples), &sources)
    }

    /// `{ x -> [u -> y] : [x -> u] -> y in R }`; the domain wraps pairs. isl: `map_curry`.
    pub fn curry(&self) -> Map {
        let ((x, _), (u, _)) = (self.half(DimKind::In, Some(false)), self.half(DimKind::In, Some(true)));
        let (y, _) = self.half(DimKind::Out, None);
        let tuples = Tuples::Map(x.clone(), Tuple::nested(None, u, y));
        Map::new(&self.space.with_tuples(tuples), self.pieces.clone())
    }

    /// `{ [x -> y] -> v : x -> [y -> v] in R }`; the range wraps pairs. isl: `map_uncurry`.
    pub fn uncurry(&self) -> Map {
        let (x, _) = self.half(DimKind::In, None);
        let ((y, _), (v, _)) = (self.half(DimKind::Out, Some(false)), self.half(DimKind::Out, Some(true)));
        let tuples = Tuples::Map(Tuple::nested(None, x, y), v.clone());
        Map::new(&self.space.with_tuples(tuples), self.pieces.clone())
    }

    /// `{ [x -> y] -> x : x -> y in R }`. isl: `map_domain_map`.
    pub fn domain_map(&self) -> Map {
        self.projection(self.space.domain(), self.space.offset(DimKind::In))
    }

    /// `{ [x -> y] -> y : x -> y in R }`. isl: `map_range_map`.
    pub fn range_map(&self) -> Map {
        self.projection(self.space.range(), self.space.offset(DimKind::Out))
    }

    fn projection(&self, target: Space, at: usize) -> Map {
        let wrapped = self.wrap();
        let n = target.dim(DimKind::Out);
        let space = Space::from_domain_and_range(wrapped.space(), &target);
        let all = Map::universe(&space).intersect_domain(&wrapped);
        let total = self.space.n_dim();
        let equal = |d: usize| {
            let mut row = vec![Int::zero(); 1 + space.n_dim()];
            row[1 + at + d] = Int::one();
            row[1 + total + d] = Int::from(-1);
            row
        };
        all.restrict(&(0..n).map(equal).collect::<Vec<_>>(), &[])
    }

    /// `{ y - x : x -> y in R }`; domain and range are one space. isl: `map_deltas`.
    pub fn deltas(&self) -> Set {
        let deltas = self.deltas_map();
        deltas.range()
    }

    /// `{ [x -> y] -> y - x : x -> y in R }`; domain and range are one space. isl: `map_deltas_map`.
    pub fn deltas_map(&self) -> Map {
        law(self.space.check_endomorphic());
        let wrapped = self.wrap();
        let space = Space::from_domain_and_range(wrapped.space(), &self.space.range());
        let (p, n) = (self.dim(DimKind::Param), self.dim(DimKind::In));
        let difference = |d: usize| {
            let mut row = vec![Int::zero(); 1 + space.n_dim()];
            row[1 + p + d] = Int::one();
            row[1 + p + n + d] = Int::from(-1);
            row[1 + p + 2 * n + d] = Int::one();
            row
        };
        let all = Map::universe(&space).intersect_domain(&wrapped);
        all.restrict(&(0..n).map(difference).collect::<Vec<_>>(), &[])
    }
}

/// Where the dimensions of one tuple of a product come from, in each operand.
fn place(
    mine: &mut Vec<Option<usize>>,
    theirs: &mut Vec<Option<usize>>,
    side: Side,
    my_columns: Range<usize>,
    their_columns: Range<usize>,
) {
    mine.extend(my_columns.clone().map(Some));
    if side != Side::Shared {
        theirs.extend(std::iter::repeat_n(None, my_columns.len()));
        mine.extend(std::iter::repeat_n(None, their_columns.len()));
    }
    theirs.extend(their_columns.map(Some));
}
