//! Unrolling: a dimension with a known number of values as that many loops of one value.
//!
//! In `{ [c0, c1] : c0 <= c1 <= c0 + 3 }` the lower bound `c0` is at most 3 below any value, so the dimension is sliced into `c1 = c0`,
//! `c1 = c0 + 1`, `c1 = c0 + 2` and `c1 = c0 + 3`. Each slice is degenerate, and its loop disappears. A dimension without such a bound, or with more
//! than [`MOST_SLICES`] values, stays a loop.

use super::piece::Piece;
use crate::ast::rows::affine::Row;
use crate::ast::rows::bounds::Bounds;
use crate::ast::rows::region::{Relation, constrained, lifted, rows, single};
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, DimKind, Id, Int};

/// More values than this are not unrolled: the code would leave the instruction cache.
const MOST_SLICES: i64 = 64;

/// Each piece as slices of one value, or as it was.
pub(in crate::ast) fn slices(pieces: Vec<Piece>, context: &BasicSet, params: &[Id]) -> Vec<Piece> {
    pieces.into_iter().flat_map(|piece| sliced(&piece, context, params).unwrap_or_else(|| vec![piece])).collect()
}

fn sliced(piece: &Piece, context: &BasicSet, params: &[Id]) -> Option<Vec<Piece>> {
    let last = params.len() + piece.region.dim(DimKind::Out) - 1;
    let rows = rows(&piece.region.gist(context), params);
    let bounds = Bounds::of(&rows.relations, last);
    if !rows.divs.is_empty() || bounds.value.is_some() {
        return None;
    }
    let distances = bounds.lower_rows().iter().map(|(a, f)| {
        let mut distance = f.scaled(&Int::from(-1));
        distance.coefficients.push(a.clone());
        (a.clone(), distance)
    });
    let counted =
        distances.filter_map(|(a, distance)| Some((greatest(&piece.region, &distance, params)?, a, distance)));
    let (_, count, a, distance) = counted
        .map(|(greatest, a, distance)| (Number::div_floor(&greatest, &a).as_i64(), a, distance))
        .filter_map(|(last, a, distance)| last.map(|last| ((), last + 1, a, distance)))
        .min_by_key(|(_, count, ..)| *count)?;
    if count > MOST_SLICES {
        return None;
    }
    let slice = |k: i64| {
        let mut least = distance.clone();
        least.constant = least.constant.sub(&a.mul(&Int::from(k)));
        let mut most = least.scaled(&Int::from(-1));
        most.constant = Number::add(&most.constant, &a.sub(&Int::one()));
        let relations = [least, most].map(|row| Relation { equality: false, row });
        let region = constrained(&piece.region, params, &relations);
        Piece { parts: vec![region.clone()], region, statements: piece.statements.clone() }
    };
    Some((0..count).map(slice).filter(|slice| !slice.region.is_empty()).collect())
}

/// The greatest value of `row` in `region`, if it has one.
fn greatest(region: &BasicSet, row: &Row, params: &[Id]) -> Option<Int> {
    let n = region.dim(DimKind::Out);
    let mut equal = row.clone();
    equal.coefficients.resize(params.len() + n, Int::zero());
    equal.coefficients.push(Int::from(-1));
    let with = constrained(&lifted(region, 1), params, &[Relation { equality: true, row: equal }]);
    single(&with.to_set()).to_set().dim_max_val(DimKind::Out, n).ok()?
}
