//! Relations made of spaces: all pairs, none, equal ones, and the lexicographic orders.
//!
//! `{ [i, j] -> [k, l] : i < k or (i = k and j < l) }` is [`Map::lex_lt`] of the space `[i, j]`, with one piece for each dimension that may decide.
//!
//! Implements: 002 2.3.3

use super::Map;
use crate::presburger::algebra::pieces::Pieces;
use crate::presburger::named::basic_map::BasicMap;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space};
use crate::presburger::number::int::{Int, Number};
use std::rc::Rc;

impl Map {
    /// All pairs. isl: `map_universe`.
    pub fn universe(space: &Space) -> Map {
        let all = crate::presburger::conjunction::Conjunction::<i64>::universe(space.n_dim());
        Map::new(space, Rc::new(Pieces::Machine(vec![all])))
    }

    /// No pair. isl: `map_empty`.
    pub fn empty(space: &Space) -> Map {
        Map::new(space, Pieces::none())
    }

    /// `{ x -> x }`; the tuples of `space` have equally many dimensions. isl: `map_identity`.
    pub fn identity(space: &Space) -> Map {
        let n = space.dim(DimKind::In);
        assert_eq!(n, space.dim(DimKind::Out), "an identity relates tuples of one size");
        let equal = |d| Map::difference_row(space, d, 1, 0);
        Map::universe(space).restrict(&(0..n).map(equal).collect::<Vec<_>>(), &[])
    }

    /// The row of `sign * (out[d] - in[d]) + constant`.
    fn difference_row(space: &Space, d: usize, sign: i64, constant: i64) -> Vec<Int> {
        let mut row = vec![Int::zero(); 1 + space.n_dim()];
        row[0] = Int::from(constant);
        row[1 + space.offset(DimKind::In) + d] = Int::from(-sign);
        row[1 + space.offset(DimKind::Out) + d] = Int::from(sign);
        row
    }

    /// The pairs of one conjunction. isl: `map_from_basic_map`.
    pub fn from_basic(basic: &BasicMap) -> Map {
        basic.0.clone()
    }

    /// `{ x -> y : x in A and y in B }`. isl: `map_from_domain_and_range`.
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Map {
        let space = Space::from_domain_and_range(domain.space(), range.space());
        Map::universe(&space).intersect_domain(domain).intersect_range(range)
    }

    /// Pairs that agree before dimension `at` and compare there: `in < out` for sign 1, `in > out` for -1.
    fn lex_piece(space: &Space, at: usize, sign: i64) -> Map {
        let equal: Vec<_> = (0..at).map(|d| Map::difference_row(space, d, 1, 0)).collect();
        Map::universe(space).restrict(&equal, &[Map::difference_row(space, at, sign, -1)])
    }

    /// Pairs that compare in one of the first `n` dimensions, as [`Map::lex_piece`] does.
    fn lex(set_space: &Space, n: usize, sign: i64) -> Map {
        let space = set_space.map_from_set();
        let ordered = (0..n).map(|at| Map::lex_piece(&space, at, sign));
        ordered.fold(Map::empty(&space), |all, piece| all.union_disjoint(&piece))
    }

    /// Pairs that compare so, or are equal.
    fn lex_or_equal(set_space: &Space, sign: i64) -> Map {
        let strict = Map::lex(set_space, set_space.dim(DimKind::Out), sign);
        strict.union_disjoint(&Map::identity(&set_space.map_from_set()))
    }

    /// `{ x -> y : x << y }` over a set's space. isl: `map_lex_lt`.
    pub fn lex_lt(set_space: &Space) -> Map {
        Map::lex(set_space, set_space.dim(DimKind::Out), 1)
    }

    /// `{ x -> y : x <<= y }` over a set's space. isl: `map_lex_le`.
    pub fn lex_le(set_space: &Space) -> Map {
        Map::lex_or_equal(set_space, 1)
    }

    /// `{ x -> y : x >> y }` over a set's space. isl: `map_lex_gt`.
    pub fn lex_gt(set_space: &Space) -> Map {
        Map::lex(set_space, set_space.dim(DimKind::Out), -1)
    }

    /// `{ x -> y : x >>= y }` over a set's space. isl: `map_lex_ge`.
    pub fn lex_ge(set_space: &Space) -> Map {
        Map::lex_or_equal(set_space, -1)
    }

    /// `{ x -> y : (x_0 .. x_(n-1)) << (y_0 .. y_(n-1)) }`. isl: `map_lex_lt_first`.
    pub fn lex_lt_first(set_space: &Space, n: usize) -> Map {
        Map::lex(set_space, n, 1)
    }

    /// `{ x -> y : x_d = y_d for d < position, x_position < y_position }`. isl: `map_lex_lt_first`, `map_order_lt`.
    pub fn lex_lt_at(set_space: &Space, position: usize) -> Map {
        Map::lex_piece(&set_space.map_from_set(), position, 1)
    }
}
