//! Which parameters a region is about.
//!
//!     for (i = 0; i < n; i++) { found[i] = -1; for (j = 0; j < m; j++) if (a[i + j] == key[i]) { found[i] = j; break; } }
//!
//! With `m <= 0` there is next to nothing to do, and the original loops are as good as any; without that case bounds and tests are simpler.
//! So it is assumed that statements run, those with most work first, as far as these cases allow one another.

use super::affine::Affine;
use super::roots::Roots;
use crate::presburger::Set;

/// How often a loop is taken to run where statements in more loops are compared with others.
const ITERATIONS: u64 = 16;

/// A statement with so many times the work of another one is what the region is about.
const MUCH: u64 = 8;

/// Assumes that each statement runs, or another one with about as much work that runs only where it does not; those with most work first.
pub(super) fn expect_points<'ir>(affine: &Affine<'_, '_, 'ir>, roots: &Roots<'_, '_, 'ir>) {
    let mut cases: Vec<(u64, Set)> = Vec::new();
    for statement in &roots.statements {
        let around = u32::try_from(statement.scope.loops.len()).unwrap_or(u32::MAX);
        let work = u64::from(statement.operations + 1).saturating_mul(ITERATIONS.saturating_pow(around));
        let params = statement.scope.domain.params().coalesce();
        match cases.iter_mut().find(|(_, known)| known.is_equal(&params)) {
            Some((most, _)) => *most = work.max(*most),
            None => cases.push((work, params)),
        }
    }
    cases.sort_by_key(|(work, _)| std::cmp::Reverse(*work));
    for (work, params) in &cases {
        let is_rival = |(other, own): &&(u64, Set)| {
            other.saturating_mul(MUCH) >= *work && own.intersect(params).intersect_params(&affine.context()).is_empty()
        };
        let rivals = cases.iter().filter(is_rival);
        affine.expect_points(&rivals.fold(params.clone(), |all, (_, own)| all.union(own)).coalesce());
    }
}
