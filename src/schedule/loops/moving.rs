//! How references move along loops, and how many elements they touch in boxes.
//!
//! In `for i: for j: s[i] += a[i][j] * b[j][i]` the next iteration of `j` stays on `s[i]`, goes to the next element of `a`, and jumps through `b`; a box of four
//! iterations of `i` and two of `j` touches four elements of `s`.

use crate::schedule::model::reference::Reference;

/// How a reference moves from one iteration to the next.
pub(super) enum Step {
    Still,
    Next,
    Jump,
}

pub(super) fn step(reference: &Reference, d: usize) -> Step {
    let Some(subscripts) = along(reference, d) else { return Step::Jump };
    match subscripts.split_last() {
        None => Step::Still,
        Some((last, outer)) => match (outer.iter().all(|row| row[d] == 0), last[d].abs()) {
            (true, 0) => Step::Still,
            (true, 1) => Step::Next,
            _ => Step::Jump,
        },
    }
}

/// The coefficients of the subscripts, if they are the same along all of an iterator.
fn along(reference: &Reference, d: usize) -> Option<&[Vec<i64>]> {
    reference.subscripts.as_deref().filter(|_| !reference.jumps.contains(&d))
}

/// Whether an iteration touches another row than the last one did: `a[i][k]` along `i`.
pub(super) fn changes_row(reference: &Reference, d: usize) -> bool {
    let outer = reference.subscripts.as_deref().and_then(<[_]>::split_last).map(|(_, outer)| outer);
    outer.is_some_and(|outer| outer.iter().any(|row| row[d] != 0))
}

/// Elements that are touched within one row, some in each iteration: `b[4 * i + k]` for three values of `k` are three of every four.
#[derive(Clone, Copy)]
pub(super) struct Interleaved {
    /// From where an iteration begins to where the next one does.
    pub stride: i64,
    /// From the first to the last element of an iteration.
    pub width: i64,
}

/// How a reference that jumps along an iterator does so, if it stays in one row.
pub(super) fn interleaved(reference: &Reference, inside: &[i64], d: usize) -> Option<Interleaved> {
    let (last, outer) = along(reference, d).and_then(<[_]>::split_last)?;
    let moves = |k: usize, row: &[i64]| row[k] != 0 && (k == d || inside[k] > 1);
    let is_in_row = outer.iter().all(|row| !(0..row.len()).any(|k| moves(k, row)));
    let others = |k: &usize| *k != d && last[*k] != 0;
    let width = (0..last.len())
        .filter(others)
        .fold(1, |sum: i64, k| sum.saturating_add(last[k].abs().saturating_mul(inside[k] - 1)));
    is_in_row.then_some(Interleaved { stride: last[d].abs(), width })
}

/// For each subscript, how many values it takes in a box: none known is as many as there are instances.
pub(super) fn extents(reference: &Reference, inside: &[i64]) -> Vec<i64> {
    let Some(subscripts) = &reference.subscripts else {
        return vec![volume(inside)];
    };
    let extent = |row: &Vec<i64>| {
        row.iter().zip(inside).fold(1, |sum: i64, (c, e)| sum.saturating_add(c.abs().saturating_mul(e - 1)))
    };
    subscripts.iter().map(extent).collect()
}

pub(super) fn volume(extents: &[i64]) -> i64 {
    extents.iter().fold(1, |volume, extent| volume.saturating_mul(*extent))
}

pub(super) fn elements(reference: &Reference, inside: &[i64]) -> i64 {
    volume(&extents(reference, inside))
}
