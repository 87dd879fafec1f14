//! Shifts: statements that take turns.
//!
//! `{ S[i] -> [2 i] }` and `{ T[i] -> [2 i + 1] }` have the stride 2 with offsets 0 and 1. One loop over both would test the parity of its
//! iterator every time. Seen one earlier, the values of `T` are those of `S`: one loop of stride 2 runs `S` at `c0` and then `T`
//! at `c0 + 1`. Shifts are less than the modulus, so what runs in one iteration is before all that runs in the next.

use crate::ast::rows::region::Relation;
use crate::ast::rows::statement::Statement;
use crate::ast::rows::stride::{Residues, Stride};
use crate::presburger::Int;
use crate::presburger::int::Number;
use std::rc::Rc;

/// How to move statements whose values have one modulus and different constant offsets (as `2 i` and `2 i + 1` have), so
/// that one loop of that stride runs them one after the other; and the stride. No shifts where that is not so.
pub(in crate::ast) fn shifts(
    statements: &[Rc<Statement>],
    depth: usize,
    n: usize,
    outer: &Residues<'_>,
) -> (Vec<Int>, Option<Stride>) {
    let none = (vec![Int::zero(); statements.len()], None);
    let strides: Vec<&Stride> = statements.iter().map(|statement| &statement.shadow(depth).stride).collect();
    let Some(first) = strides.iter().min_by_key(|stride| stride.offset.constant.clone()) else { return none };
    let modulus = strides.iter().fold(Int::zero(), |gcd, stride| Number::gcd(&gcd, &stride.modulus));
    if modulus.is_one() || modulus.is_zero() {
        return none;
    }
    let mut shifts = vec![];
    for stride in &strides {
        let distance = outer.reduced(&stride.offset.plus(&Int::from(-1), &first.offset), &modulus);
        if !distance.is_constant() {
            return none;
        }
        shifts.push(distance.constant);
    }
    if shifts.iter().all(Number::is_zero) {
        return none;
    }
    let mut offset = outer.reduced(&first.offset, &modulus);
    offset.coefficients.resize(n, Int::zero());
    (shifts, Some(Stride { modulus, offset }))
}

/// `relation` between earlier variables and `c`, as one between them and `c + shift`.
pub(in crate::ast) fn translated(relation: &Relation, shift: &Int) -> Relation {
    let mut moved = relation.clone();
    if let Some(factor) = relation.row.coefficients.last() {
        moved.row.constant = moved.row.constant.sub(&factor.mul(shift));
    }
    moved
}
