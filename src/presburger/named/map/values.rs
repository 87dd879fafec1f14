//! Relations whose constraints give each value, as functions.
//!
//! `{ [i] -> [o, p] : 4 o <= i <= 4 o + 3 and p = i + o }`: between two bounds there is one integer at most, so `o` is the greatest one below the upper bound,
//! `floor(i / 4)`; an equality gives `p` from what is known by then, `i + floor(i / 4)`. A search for the smallest value finds the same, but splits the domain by
//! bounds and writes what is rounded up as that.
//!
//! Implements: 002 2.3.5

use super::Map;
use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::{BasicMap, Constraint, ConstraintKind};
use crate::presburger::named::multi::{MultiAff, PwMultiAff, range_tuple};
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space};
use crate::presburger::number::int::{Int, Number};

impl Map {
    /// A single-valued relation as a function, if the constraints of each of its pieces give the values.
    pub(super) fn given_values(&self) -> Option<PwMultiAff> {
        if !self.space.is_map() {
            return None;
        }
        let mut before = Set::empty(&self.space.domain());
        let mut pieces = Vec::new();
        for basic in self.basics() {
            let function = Values::of(&basic).function()?;
            let domain = basic.domain().to_set();
            let new = if domain.is_disjoint(&before) { domain } else { domain.subtract(&before) };
            before = before.union_disjoint(&new);
            pieces.push((new, function));
        }
        Some(PwMultiAff::from_pieces(&self.space, pieces).coalesce())
    }
}

/// What the constraints of one conjunction give its columns (variables, then locals) as functions of the domain.
struct Values {
    space: Space,
    domain: Space,
    constraints: Vec<Constraint>,
    known: Vec<Option<Aff>>,
}

impl Values {
    fn of(basic: &BasicMap) -> Self {
        let space = basic.space().clone();
        let domain = space.domain();
        let given = |kind| {
            let domain = &domain;
            (0..domain.dim(kind)).map(move |k| Some(Aff::var_on_domain(domain, kind, k)))
        };
        let mut known: Vec<Option<Aff>> = given(DimKind::Param).chain(given(DimKind::Out)).collect();
        known.resize(space.n_dim() + basic.n_local(), None);
        let mut values = Self { domain, constraints: basic.constraints(), known, space };
        let locals = basic.locals();
        let mut n_known = 0;
        while values.n_known() > n_known {
            n_known = values.n_known();
            for (local, div) in locals.iter().enumerate() {
                let value = div.as_ref().and_then(|div| values.sum(&div.constant, &div.coefficients, None));
                let value = value.zip(div.as_ref()).map(|(sum, div)| sum.scale_down(&div.denominator).floor());
                let column = values.space.n_dim() + local;
                values.known[column] = values.known[column].take().or(value);
            }
            for column in values.outputs() {
                let value = values.known[column].take().or_else(|| values.by_constraints(column));
                values.known[column] = value;
            }
        }
        values
    }

    fn n_known(&self) -> usize {
        self.known.iter().flatten().count()
    }

    fn outputs(&self) -> std::ops::Range<usize> {
        self.space.offset(DimKind::Out)..self.space.n_dim()
    }

    fn function(mut self) -> Option<MultiAff> {
        let affs = self.outputs().map(|column| self.known[column].take()).collect::<Option<Vec<_>>>()?;
        Some(MultiAff::into_tuple(&self.domain, &range_tuple(&self.space), affs))
    }

    /// `constant + coefficients . columns` without the column `except`, if all others in it are known.
    fn sum(&self, constant: &Int, coefficients: &[Int], except: Option<usize>) -> Option<Aff> {
        let mut terms = coefficients.iter().enumerate().filter(|&(column, x)| !x.is_zero() && Some(column) != except);
        terms.try_fold(Aff::constant_on_domain(&self.domain, constant), |sum, (column, x)| {
            Some(sum.add(&self.known[column].as_ref()?.scale(x)))
        })
    }

    /// The only value of a column that the constraints leave: of an equality `m o = e`, or of bounds `e - c <= m o <= e` with `c < m`.
    fn by_constraints(&self, column: usize) -> Option<Aff> {
        self.constraints.iter().find_map(|constraint| {
            let factor = &constraint.coefficients[column];
            let gives = match constraint.kind {
                ConstraintKind::Equality => !factor.is_zero(),
                ConstraintKind::Inequality => factor.is_negative() && self.has_narrow_partner(constraint, column),
            };
            if !gives {
                return None;
            }
            let rest = self.sum(&constraint.constant, &constraint.coefficients, Some(column))?;
            let upper = if factor.is_negative() { rest } else { rest.neg() };
            Some(upper.scale_down(&factor.abs()).floor())
        })
    }

    /// Whether another bound is the same form from the other side, less than the column's factor away.
    fn has_narrow_partner(&self, upper: &Constraint, column: usize) -> bool {
        let opposite = |lower: &Constraint| {
            lower.kind == ConstraintKind::Inequality
                && lower.coefficients.iter().zip(&upper.coefficients).all(|(x, y)| *x == y.neg())
        };
        let width = |lower: &Constraint| lower.constant.add(&upper.constant);
        self.constraints.iter().any(|lower| opposite(lower) && width(lower) < upper.coefficients[column].abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::property;

    #[test]
    fn the_example_of_the_header() {
        let map = Map::parse("{ [i] -> [o, p] : 4 o <= i <= 4 o + 3 and p = i + o }").expect("a relation");
        let function = map.given_values().expect("a function");
        let text = function.pieces()[0].1.affs().iter().map(Aff::to_string).collect::<Vec<_>>().join("; ");
        assert_eq!(text, "{ [i] -> [(floor((i)/4))] }; { [i] -> [(i + floor((i)/4))] }");
    }

    #[test]
    fn a_value_between_bounds_that_leave_two_is_not_given() {
        let map = Map::parse("{ [i] -> [o] : 4 o <= i <= 4 o + 4 }").expect("a relation");
        assert!(map.given_values().is_none());
    }

    /// Relations of quotients and equalities, also where pieces overlap with equal values: the same pairs, on disjoint pieces.
    #[test]
    fn functions_have_the_pairs_of_their_relations() {
        property(300, |u| {
            let (m, a, b): (i64, i64, i64) = (u.int_in_range(1..=5)?, u.int_in_range(-4..=4)?, u.int_in_range(-4..=4)?);
            let narrow = u.int_in_range(0..=m - 1)?;
            let (low, high) = (u.int_in_range(-3..=3)?, u.int_in_range(-3..=3)?);
            let piece = |bound: String| {
                format!("[i] -> [o, p] : {m} o <= {a} i + {b} <= {m} o + {narrow} and 2 p = i + o and {bound}")
            };
            let text = format!("{{ {}; {} }}", piece(format!("i >= {low}")), piece(format!("i <= {high}")));
            let map = Map::parse(&text).expect("a relation");
            let function = map.given_values().unwrap_or_else(|| panic!("{text} gives its values"));
            assert!(function.as_map().is_equal(&map), "{text} became {function}");
            for (k, (set, _)) in function.pieces().iter().enumerate() {
                assert!(function.pieces()[..k].iter().all(|(other, _)| other.is_disjoint(set)), "{function} overlaps");
            }
            Ok(())
        });
    }
}
