//! Bounds: the rows on one dimension as the lower and upper expression of a loop, or as the one value that it has.
//!
//! `3 c1 >= c0` becomes the lower bound `floord(c0 + 2, 3)`, several become their maximum. With the stride `c1 = c0` modulo 4 each is moved
//! up to the first integer of that residue, `l + mod(c0 - l, 4)`. A row `c1 = N - c0` makes the dimension *degenerate*: no loop,
//! a value. If the value is a quotient, as for `2 c1 = N`, then that it is an integer is a condition on the outside.
//!
//! Implements: 003 3.1, 3.2

use super::affine::{Row, Values};
use super::place::Place;
use super::region::{Relation, sides};
use super::stride::Stride;
use crate::ast::tree::expr::Expr;
use crate::presburger::Int;
use crate::presburger::int::Number;

/// What the rows of a region say about its last dimension, and what they say about the others.
pub(in crate::ast) struct Bounds {
    /// `a c + f = 0` with positive `a`, as `(a, -f)`.
    pub value: Option<(Int, Row)>,
    /// `a c >= f` with positive `a`, as `(a, f)`.
    lowers: Vec<(Int, Row)>,
    /// `a c <= f` with positive `a`, as `(a, f)`.
    uppers: Vec<(Int, Row)>,
    /// Those without the last dimension.
    pub outer: Vec<Relation>,
}

impl Bounds {
    /// From rows over `n` outer variables and the dimension itself.
    pub fn of(relations: &[Relation], n: usize) -> Bounds {
        let defining = |r: &&Relation| r.equality && !r.row.coefficients[n].is_zero();
        let simplest = relations.iter().filter(defining).min_by_key(|r| r.row.coefficients[n].abs());
        let value = simplest
            .map(|r| if r.row.coefficients[n].is_negative() { r.row.scaled(&Int::from(-1)) } else { r.row.clone() });
        let mut bounds = Bounds { value: None, lowers: vec![], uppers: vec![], outer: vec![] };
        for relation in relations.iter().filter(|&r| simplest != Some(r)) {
            let relation = match &value {
                Some(value) => substituted(relation, value, n),
                None => relation.clone(),
            };
            if relation.row.coefficients[n].is_zero() {
                bounds.outer.push(relation);
                continue;
            }
            for side in sides(&relation) {
                let factor = side.coefficients[n].clone();
                if factor.is_positive() {
                    bounds.lowers.push((factor, without(&side, n).scaled(&Int::from(-1))));
                } else {
                    bounds.uppers.push((Number::neg(&factor), without(&side, n)));
                }
            }
        }
        bounds.value = value.map(|row| (row.coefficients[n].clone(), without(&row, n).scaled(&Int::from(-1))));
        bounds
    }

    /// The least value of the stride that is not below any lower bound, if there is a bound.
    pub fn lower(&self, place: &Place, stride: &Stride) -> Option<Expr> {
        if self.lowers.is_empty() {
            return None;
        }
        let mut starts: Vec<Expr> = self.lowers.iter().map(|(a, f)| first(a, f, place, stride)).collect();
        starts.sort_by_key(|start| start.constant().is_none());
        Some(Expr::max(starts))
    }

    /// The greatest value that is not above any upper bound, if there is a bound.
    pub fn upper(&self, values: &Values) -> Option<Expr> {
        if self.uppers.is_empty() {
            return None;
        }
        let mut ends: Vec<Expr> = self.uppers.iter().map(|(a, f)| values.floor_div(f, &[], a)).collect();
        ends.sort_by_key(|end| end.constant().is_none());
        Some(Expr::min(ends))
    }

    /// The lower bounds as relations over `n` outer variables and the dimension.
    pub fn lower_relations(&self, n: usize) -> Vec<Relation> {
        self.lowers.iter().map(|(a, f)| bound(f.scaled(&Int::from(-1)), a.clone(), n)).collect()
    }

    /// The upper bounds as relations over `n` outer variables and the dimension.
    pub fn upper_relations(&self, n: usize) -> Vec<Relation> {
        self.uppers.iter().map(|(a, f)| bound(f.clone(), Number::neg(a), n)).collect()
    }

    /// What the loop (or the value) and the relations between outer variables make sure of, over `n` outer variables and the dimension.
    pub fn relations(&self, n: usize) -> Vec<Relation> {
        let value = self.value.iter().map(|(a, f)| Relation { equality: true, ..bound(f.clone(), Number::neg(a), n) });
        let outer = self.outer.iter().map(|r| {
            let mut row = r.row.clone();
            row.coefficients.resize(n + 1, Int::zero());
            Relation { equality: r.equality, row }
        });
        let sides = self.lower_relations(n).into_iter().chain(self.upper_relations(n));
        value.chain(outer).chain(sides).collect()
    }

    /// The lower bounds `a c >= f`.
    pub fn lower_rows(&self) -> &[(Int, Row)] {
        &self.lowers
    }

    /// The upper bounds `a c <= f`.
    pub fn upper_rows(&self) -> &[(Int, Row)] {
        &self.uppers
    }
}

/// `row + factor c >= 0` for the dimension `c` behind `n` others.
fn bound(mut row: Row, factor: Int, n: usize) -> Relation {
    row.coefficients.resize(n, Int::zero());
    row.coefficients.push(factor);
    Relation { equality: false, row }
}

fn first(a: &Int, f: &Row, place: &Place, stride: &Stride) -> Expr {
    let values = &place.values;
    let mut rounded = f.clone();
    rounded.constant = rounded.constant.add(&a.sub(&Int::one()));
    let bound = values.floor_div(&rounded, &[], a);
    if stride.is_unit() {
        return bound;
    }
    if !a.is_one() {
        let distance = Expr::sub(values.expr(&stride.offset, &[]), bound.clone());
        return Expr::add(bound, Expr::modulo(distance, &stride.modulus));
    }
    let distance = place.residues().reduced(&stride.offset.plus(&Int::from(-1), f), &stride.modulus);
    if distance.is_constant() {
        let mut start = f.clone();
        start.constant = Number::add(&start.constant, &distance.constant);
        return values.expr(&start, &[]);
    }
    Expr::add(bound, values.modulo(&distance, &[], &stride.modulus))
}

/// `relation` with the last dimension replaced by the value that `value = 0` (positive factor) gives it.
fn substituted(relation: &Relation, value: &Row, n: usize) -> Relation {
    let factor = relation.row.coefficients[n].clone();
    if factor.is_zero() {
        return relation.clone();
    }
    let row = relation.row.scaled(&value.coefficients[n]).plus(&Number::neg(&factor), value);
    let content = row.content();
    let exact = relation.equality && !content.is_zero() && !row.constant.is_divisible_by(&content);
    if content.is_zero() || exact {
        return Relation { equality: relation.equality, row };
    }
    Relation { equality: relation.equality, row: row.map(|c| Number::div_floor(c, &content)) }
}

fn without(row: &Row, n: usize) -> Row {
    Row { constant: row.constant.clone(), coefficients: row.coefficients[..n].to_vec() }
}
