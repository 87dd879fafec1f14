//! What statements touch, as rows of numbers: how each subscript moves with each iterator.
//!
//! `A[2i][j + 1]` in `for i  for j` moves by (2, 0) in its first subscript and by (0, 1) in the second one.

use crate::presburger::int::Number;
use crate::presburger::{BasicMap, ConstraintKind, DimKind, Id, Map, Space};
use std::collections::BTreeSet;

/// An access of a statement to an array.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// The statement's index.
    pub statement: usize,
    /// Instances to elements.
    pub relation: Map,
    pub writes: bool,
    /// Bytes per element.
    pub size: u64,
    /// How many elements each dimension of the array has, where that is a constant.
    pub extents: Vec<Option<i64>>,
}

/// A reference: how each subscript moves with each iterator.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The array.
    pub array: Id,
    /// Whether it writes.
    pub writes: bool,
    /// Bytes per element.
    pub size: u64,
    /// For each subscript, its coefficients over the iterators; none where it is not affine.
    pub subscripts: Option<Vec<Vec<i64>>>,
    /// Iterators along which it moves differently in pieces of the relation: the coefficients are the largest there.
    pub jumps: BTreeSet<usize>,
    /// For each subscript, the bytes between elements whose other subscripts are the same, where they are a constant.
    pub strides: Vec<Option<i64>>,
}

impl Reference {
    /// What a statement touches, over the parameters of `params`.
    pub(super) fn of(touch: &Touch, params: &Space) -> Reference {
        let relation = touch.relation.align_params(params);
        let space = relation.space();
        let array = space.tuple_name(DimKind::Out).cloned().unwrap_or_else(|| Id::new(""));
        let (pieces, mut jumps) = (relation.pieces(), BTreeSet::new());
        let all = 0..space.dim(DimKind::Out);
        let subscripts = match pieces.as_slice() {
            [] => None,
            [only] => all.map(|k| subscript(only, k)).collect(),
            several => {
                let hull = relation.affine_hull();
                all.map(|k| joint_subscript(several, &hull, k, &mut jumps)).collect()
            }
        };
        let strides = super::linear::strides(touch.size, &touch.extents);
        Reference { array, writes: touch.writes, size: touch.size, subscripts, jumps, strides }
    }

    /// With rows that are shorter than a line put side by side: `p[i][k]` of points with three coordinates is `p[3i + k]`, as it lies in memory.
    pub(super) fn without_short_rows(mut self, extents: &[Option<i64>], line: i64) -> Reference {
        let Some(mut subscripts) = self.subscripts.take() else { return self };
        let mut row = extents.last().copied().flatten();
        let is_short = |row: i64| row.checked_mul(self.size as i64).is_some_and(|bytes| bytes <= line);
        while let Some(short) = row.filter(|row| subscripts.len() > 1 && is_short(*row)) {
            let inner = subscripts.pop().expect("law: there are several");
            let outer = subscripts.last_mut().expect("law: there are several");
            outer
                .iter_mut()
                .zip(inner)
                .for_each(|(outer, inner)| *outer = outer.saturating_mul(short).saturating_add(inner));
            self.strides.remove(subscripts.len() - 1);
            row = extents.get(subscripts.len() - 1).copied().flatten().and_then(|rows| rows.checked_mul(short));
        }
        self.subscripts = Some(subscripts);
        self
    }

    /// The time that it takes, in loads: a store takes as long as two.
    pub fn weight(&self) -> u32 {
        if self.writes { 2 } else { 1 }
    }

    /// Whether both touch elements of one array that are as far from each other everywhere.
    pub fn moves_like(&self, other: &Reference) -> bool {
        let is_whole = self.jumps.is_empty() && other.jumps.is_empty();
        is_whole && self.array == other.array && self.subscripts == other.subscripts
    }

    /// How far each subscript moves along `direction` over the iterators.
    pub fn movement(&self, direction: &[i64]) -> Option<Vec<i64>> {
        if self.jumps.iter().any(|d| direction[*d] != 0) {
            return None;
        }
        let subscripts = self.subscripts.as_ref()?;
        let along = |row: &Vec<i64>| row.iter().zip(direction).map(|(a, b)| a.checked_mul(*b)).sum::<Option<i64>>();
        subscripts.iter().map(along).collect()
    }
}

/// The coefficients over the iterators of the `k`-th subscript of several pieces with this hull, the largest of those that are not the same in all of them.
fn joint_subscript(pieces: &[BasicMap], hull: &BasicMap, k: usize, jumps: &mut BTreeSet<usize>) -> Option<Vec<i64>> {
    if hull.to_map().involves(DimKind::Out, k, 1) {
        return subscript(hull, k);
    }
    let each: Vec<Vec<i64>> = pieces.iter().map(|piece| subscript(piece, k)).collect::<Option<_>>()?;
    (0..hull.dim(DimKind::In))
        .map(|d| {
            let coefficients = each.iter().map(|row| row[d]);
            if !coefficients.clone().all(|c| c == each[0][d]) {
                jumps.insert(d);
            }
            coefficients.max_by_key(|c| c.abs())
        })
        .collect()
}

/// The coefficients over the iterators of the `k`-th subscript, from an equality or (where it is only bounded) an inequality; from those
/// that name no other subscript, if there are some.
fn subscript(piece: &BasicMap, k: usize) -> Option<Vec<i64>> {
    let (n_param, n_in, n_out) = (piece.dim(DimKind::Param), piece.dim(DimKind::In), piece.dim(DimKind::Out));
    let constraints = piece.constraints();
    let of_kind = |kind: ConstraintKind| constraints.iter().filter(move |c| c.kind == kind);
    for constraint in of_kind(ConstraintKind::Equality).chain(of_kind(ConstraintKind::Inequality)) {
        let rest = &constraint.coefficients[n_param + n_in..];
        let alone = rest.iter().enumerate().all(|(i, c)| (i == k) != c.is_zero());
        let Some(own) = rest[k].as_i64().filter(|c| alone && c.abs() == 1) else { continue };
        let over_iterators = &constraint.coefficients[n_param..n_param + n_in];
        if constraint.kind == ConstraintKind::Inequality && over_iterators.iter().all(Number::is_zero) {
            continue;
        }
        return over_iterators.iter().map(|c| c.as_i64()?.checked_mul(-own)).collect();
    }
    assert!(k < n_out, "law: a subscript of the reference");
    if !piece.to_map().involves(DimKind::Out, k, 1) {
        return Some(vec![0; n_in]);
    }
    if n_out == 1 {
        return None;
    }
    let alone = piece.to_map().project_out(DimKind::Out, k + 1, n_out - k - 1).project_out(DimKind::Out, 0, k);
    alone.remove_divs().pieces().first().and_then(|piece| subscript(piece, 0))
}
