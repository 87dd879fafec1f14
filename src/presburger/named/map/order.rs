//! Relations and sets: optima, bounds, strides, preimages, powers: what gives or takes expressions.
//!
//! `lexmin` of `[n] -> { S[i] -> [j] : j >= 0 and 2 j >= i }` is a function of `i`, given as relation or as expressions
//! (`lexmin_pw_multi_aff`): `max(0, floor((i + 1) / 2))` in two pieces. Where the values decrease for ever there is no smallest one:
//! that is an error ([`Unbounded`]), not an empty result.
//!
//! Implements: 002 3.5

use super::{Map, law};
use crate::presburger::algebra::closure::{Shape, all_powers, closure};
use crate::presburger::algebra::lex_union::lexopt_union;
use crate::presburger::algebra::pieces::{Pieces, Precision, exact};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::named::aff::Aff;
use crate::presburger::named::multi::{MultiAff, PwMultiAff, range_tuple};
use crate::presburger::named::pw_aff::PwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Id, Space, Tuple};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::solve::lexmin::Unbounded;
use crate::presburger::solve::lexmin::{Optimum, Piece, lexopt, lexopt_pieces};
use crate::presburger::solve::unknowns::Sense;
use std::rc::Rc;

/// The pieces in big integers.
fn wide<T: Number>(pieces: &[Piece<T>]) -> Vec<Piece<Int>> {
    let convert = |piece: &Piece<T>| Piece {
        domain: piece.domain.convert(),
        divs: piece.divs.convert(),
        values: piece.values.convert(),
    };
    pieces.iter().map(convert).collect()
}

/// The optimum of the last `n_out` variables, and where there is none if `domain` is given.
fn optimum<T: Precision>(
    pieces: &[Conjunction<T>],
    domain: Option<&[Conjunction<T>]>,
    n_in: usize,
    n_out: usize,
    sense: Sense,
) -> Result<Optimum<T>, Unbounded> {
    let none = || Optimum { pieces: Vec::new(), empty: Vec::new(), unbounded: Vec::new() };
    let found = match (domain, pieces) {
        (None, []) => none(),
        (Some(domain), []) => Optimum { empty: domain.to_vec(), ..none() },
        (None, [one]) => lexopt_pieces(one, &Conjunction::universe(n_in), n_out, sense),
        (Some([domain]), [one]) => lexopt(one, domain, n_out, sense),
        (Some(domain), _) => lexopt_union(pieces, domain, n_out, sense),
        (None, _) => lexopt_union(pieces, &[Conjunction::universe(n_in)], n_out, sense),
    };
    found.bounded(sense)
}

/// The pairs of inputs and outputs.
fn graphs<T: Precision>(pieces: &[Piece<T>]) -> Rc<Pieces> {
    T::store(pieces.iter().map(Piece::graph).collect())
}

impl Map {
    /// The space of the functions that this relation's optima are: for a set, of the parameters.
    fn optimum_space(&self) -> Space {
        assert!(!self.space.is_params(), "law: an optimum needs a tuple, which {} lacks", self.space);
        self.space.clone()
    }

    fn functions(&self, pieces: Vec<Piece<Int>>) -> PwMultiAff {
        let space = self.optimum_space();
        let domain = space.domain();
        let read = |piece: Piece<Int>| {
            let affs =
                piece.values.rows().map(|row| Aff::from_rows(&domain, piece.divs.clone(), row.to_vec(), Int::one()));
            let function = MultiAff::into_tuple(&domain, &range_tuple(&space), affs.collect());
            (Set(Map::from_conjunctions(&domain, vec![piece.domain])), function)
        };
        PwMultiAff::from_pieces(&space, pieces.into_iter().map(read))
    }

    fn optimize(&self, sense: Sense) -> Result<Vec<Piece<Int>>, Unbounded> {
        let (n_in, n_out) = (self.space.offset(DimKind::Out), self.dim(DimKind::Out));
        exact!(a = &self.pieces => optimum(a, None, n_in, n_out, sense).map(|found| wide(&found.pieces)))
    }

    fn optimal_pairs(&self, sense: Sense) -> Result<Map, Unbounded> {
        let (n_in, n_out) = (self.space.offset(DimKind::Out), self.dim(DimKind::Out));
        let pairs = exact!(a = &self.pieces => {
            optimum(a, None, n_in, n_out, sense).map(|found| graphs(&found.pieces))
        });
        Ok(Map::new(&self.space, pairs?))
    }

    /// `{ x -> y in R : no y' << y has x -> y' in R }`. isl: `map_lexmin`.
    pub fn lexmin(&self) -> Result<Map, Unbounded> {
        self.optimal_pairs(Sense::Minimum)
    }

    /// `{ x -> y in R : no y' >> y has x -> y' in R }`. isl: `map_lexmax`.
    pub fn lexmax(&self) -> Result<Map, Unbounded> {
        self.optimal_pairs(Sense::Maximum)
    }

    /// [`Map::lexmin`] as a function. isl: `map_lexmin_pw_multi_aff`.
    pub fn lexmin_pw_multi_aff(&self) -> Result<PwMultiAff, Unbounded> {
        self.functions_of(Sense::Minimum)
    }

    /// A single-valued relation as a function.
    pub(crate) fn only_values(&self) -> PwMultiAff {
        self.given_values().unwrap_or_else(|| self.lexmin_pw_multi_aff().expect("law: an only value is the smallest"))
    }

    /// [`Map::lexmax`] as a function. isl: `map_lexmax_pw_multi_aff`.
    pub fn lexmax_pw_multi_aff(&self) -> Result<PwMultiAff, Unbounded> {
        self.functions_of(Sense::Maximum)
    }

    fn partial(&self, domain: &Set, sense: Sense) -> Result<(Map, Set), Unbounded> {
        law(self.space.check_domain(domain.space()));
        let (a, b) = self.aligned(&domain.0);
        let (n_in, n_out) = (a.space.offset(DimKind::Out), a.dim(DimKind::Out));
        let found = exact!(x = &a.pieces, y = &b.pieces => {
            let found = optimum(x, Some(y), n_in, n_out, sense);
            found.map(|found| (graphs(&found.pieces), Precision::store(found.empty)))
        });
        let (pairs, empty) = found?;
        Ok((Map::new(&a.space, pairs), Set(Map::new(&b.space, empty))))
    }

    /// [`Map::partial_lexmax`] with the maximum as a function. isl: `map_partial_lexmax_pw_multi_aff`.
    pub fn partial_lexmax_pw_multi_aff(&self, domain: &Set) -> Result<(PwMultiAff, Set), Unbounded> {
        law(self.space.check_domain(domain.space()));
        let (a, b) = self.aligned(&domain.0);
        let (n_in, n_out) = (a.space.offset(DimKind::Out), a.dim(DimKind::Out));
        let found = exact!(x = &a.pieces, y = &b.pieces => {
            let found = optimum(x, Some(y), n_in, n_out, Sense::Maximum);
            found.map(|found| (wide(&found.pieces), Precision::store(found.empty)))
        });
        let (pieces, empty) = found?;
        Ok((a.functions(pieces), Set(Map::new(&b.space, empty))))
    }

    /// [`Map::lexmin`] for domain elements in `domain`, and those of them that have no image. isl: `map_partial_lexmin`.
    pub fn partial_lexmin(&self, domain: &Set) -> Result<(Map, Set), Unbounded> {
        self.partial(domain, Sense::Minimum)
    }

    /// [`Map::lexmax`] for domain elements in `domain`, and those of them that have no image. isl: `map_partial_lexmax`.
    pub fn partial_lexmax(&self, domain: &Set) -> Result<(Map, Set), Unbounded> {
        self.partial(domain, Sense::Maximum)
    }

    fn bound(&self, position: usize, sense: Sense) -> Result<PwAff, Unbounded> {
        let (first, n) = (self.space.offset(DimKind::Out), self.dim(DimKind::Out));
        assert!(position < n, "law: dimension {position} is in {}", self.space);
        let sources: Vec<Option<usize>> = (0..first).chain([first + position]).map(Some).collect();
        let space = self.space.with_tuple(DimKind::Out, &Tuple::anonymous(1));
        Ok(self.rearrange(&space, &sources).functions_of(sense)?.pw_aff(0))
    }

    fn functions_of(&self, sense: Sense) -> Result<PwMultiAff, Unbounded> {
        Ok(self.functions(self.optimize(sense)?))
    }

    /// The smallest value of a range dimension as a function of the domain (of the parameters, for a set), where there is any.
    /// isl: `map_dim_min`, `set_dim_min`.
    pub fn dim_min(&self, position: usize) -> Result<PwAff, Unbounded> {
        self.bound(position, Sense::Minimum)
    }

    /// The greatest value of a range dimension as a function of the domain (of the parameters, for a set), where there is any.
    /// isl: `map_dim_max`, `set_dim_max`.
    pub fn dim_max(&self, position: usize) -> Result<PwAff, Unbounded> {
        self.bound(position, Sense::Maximum)
    }

    /// `{ x -> [f(x)] }`. isl: `map_from_aff`.
    pub fn from_aff(aff: &Aff) -> Map {
        aff.as_map()
    }

    /// `{ x -> f(x) }`. isl: `map_from_multi_aff`.
    pub fn from_multi_aff(function: &MultiAff) -> Map {
        function.as_map()
    }

    /// `{ x -> [f(x)] }`. isl: `map_from_pw_aff`.
    pub fn from_pw_aff(function: &PwAff) -> Map {
        function.as_map()
    }

    /// `{ x -> f(x) }`. isl: `map_from_pw_multi_aff`.
    pub fn from_pw_multi_aff(function: &PwMultiAff) -> Map {
        function.as_map()
    }

    /// `{ x -> u : exists y in R(x), v in Q(u) : y << v }`: domain elements whose images compare; one range space.
    /// isl: `map_lex_lt_map`.
    pub fn lex_lt_map(&self, other: &Map) -> Map {
        self.apply_range(&Map::lex_lt(&self.space.range())).apply_range(&other.reverse())
    }

    /// As [`Map::lex_lt_map`] for `y <<= v`. isl: `map_lex_le_map`.
    pub fn lex_le_map(&self, other: &Map) -> Map {
        self.apply_range(&Map::lex_le(&self.space.range())).apply_range(&other.reverse())
    }

    /// `R + R . R + R . R . R + ...` and whether that is exact; if not, it contains the closure. Domain and range are one space.
    /// isl: `map_transitive_closure`.
    pub fn transitive_closure(&self) -> (Map, bool) {
        law(self.space.check_endomorphic());
        let shape = Shape { n_param: self.dim(DimKind::Param), n: self.dim(DimKind::In) };
        let (pieces, exact) = exact!(a = &self.pieces => {
            let (pieces, exact) = closure(a, shape);
            (Precision::store(pieces), exact)
        });
        (Map::new(&self.space, pieces), exact)
    }

    /// `{ [k] -> [x -> y] : x -> y in R^k, k >= 1 }` and whether that is exact; if not, it contains the powers. Domain and range are one
    /// space. isl: `map_power`.
    pub fn power(&self) -> (Map, bool) {
        law(self.space.check_endomorphic());
        let shape = Shape { n_param: self.dim(DimKind::Param), n: self.dim(DimKind::In) };
        let length = shape.n_param + 2 * shape.n;
        let k_first: Vec<Option<usize>> =
            (0..shape.n_param).chain([length]).chain(shape.n_param..length).map(Some).collect();
        let (pieces, exact) = exact!(a = &self.pieces => {
            let (powers, exact) = all_powers(a, shape);
            (Precision::store(powers.iter().map(|power| power.rearrange(&k_first)).collect()), exact)
        });
        let exponent = Space::set(self.space.params(), &Tuple::with_dim_names(None, vec![Some(Id::new("k"))]));
        (Map::new(&Space::from_domain_and_range(&exponent, self.wrap().space()), pieces), exact)
    }

    /// The `n`-fold composition; of the inverse for negative `n`. Domain and range are one space; `n` is not 0. isl: `map_fixed_power_val`.
    pub fn fixed_power(&self, n: i64) -> Map {
        law(self.space.check_endomorphic());
        assert!(n != 0, "law: the 0th power is not a relation of this space");
        let mut square = if n < 0 { self.reverse() } else { self.clone() };
        let mut left = n.unsigned_abs();
        let mut result: Option<Map> = None;
        loop {
            if left % 2 == 1 {
                result = Some(match result {
                    None => square.clone(),
                    Some(power) => power.apply_range(&square).coalesce(),
                });
            }
            left /= 2;
            if left == 0 {
                return result.unwrap_or_else(|| self.clone());
            }
            square = square.apply_range(&square).coalesce();
        }
    }
}

impl Set {
    /// [`Set::lexmin`] as a function of the parameters. isl: `set_lexmin_pw_multi_aff`.
    pub fn lexmin_pw_multi_aff(&self) -> Result<PwMultiAff, Unbounded> {
        self.0.lexmin_pw_multi_aff()
    }

    /// [`Set::lexmax`] as a function of the parameters. isl: `set_lexmax_pw_multi_aff`.
    pub fn lexmax_pw_multi_aff(&self) -> Result<PwMultiAff, Unbounded> {
        self.0.lexmax_pw_multi_aff()
    }

    /// The smallest value of a dimension as a function of the parameters. isl: `set_dim_min`.
    pub fn dim_min(&self, position: usize) -> Result<PwAff, Unbounded> {
        self.0.dim_min(position)
    }

    /// The greatest value of a dimension as a function of the parameters. isl: `set_dim_max`.
    pub fn dim_max(&self, position: usize) -> Result<PwAff, Unbounded> {
        self.0.dim_max(position)
    }

    /// `{ x : f(x) in S }`; the range of `f` is this set's space. isl: `set_preimage_multi_aff`.
    pub fn preimage(&self, function: &MultiAff) -> Set {
        let domain = function.as_map().intersect_range(self).domain();
        if function.domain_space().is_params() { domain.params() } else { domain }
    }

    /// `{ x : f(x) in S }`. isl: `set_preimage_pw_multi_aff`.
    pub fn preimage_pw(&self, function: &PwMultiAff) -> Set {
        let domain = function.as_map().intersect_range(self).domain();
        if function.domain_space().is_params() { domain.params() } else { domain }
    }

    /// The smallest integer at least some value of `aff` on the set, for any parameters; `None` if it is empty.
    /// isl: `set_min_val`.
    pub fn min_val(&self, aff: &Aff) -> Result<Option<Int>, Unbounded> {
        PwAff::alloc(self, aff).min_val()
    }

    /// The greatest integer at most some value of `aff` on the set, for any parameters; `None` if it is empty.
    /// isl: `set_max_val`.
    pub fn max_val(&self, aff: &Aff) -> Result<Option<Int>, Unbounded> {
        PwAff::alloc(self, aff).max_val()
    }

    /// `{ x -> x + d : d in S }`. isl: `set_translation`.
    pub fn translation(&self) -> Map {
        let space = self.space().map_from_set();
        let n = self.dim(DimKind::Out);
        let (p, s) = (self.dim(DimKind::Param), self.space());
        let triple = Space::from_domain_and_range(&space.wrap(), s);
        let difference = |d: usize| {
            let mut row = vec![Int::zero(); 1 + triple.n_dim()];
            row[1 + p + d] = Int::one();
            row[1 + p + n + d] = Int::from(-1);
            row[1 + p + 2 * n + d] = Int::one();
            row
        };
        let all = Map::universe(&triple).restrict(&(0..n).map(difference).collect::<Vec<_>>(), &[]);
        Set::unwrap(&all.intersect_range(self).domain())
    }
}
