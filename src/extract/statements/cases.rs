//! Which parameters a region is about.
//!
//!     for (i = 0; i < n; i++) { found[i] = -1; for (j = 0; j < m; j++) if (a[i + j] == key[i]) { found[i] = j; break; } }
//!
//! With `m <= 0` there is next to nothing to do, and the original loops are as good as any; without that case bounds and tests are simpler.
//! So it is assumed that statements run, those with most work first, as far as these cases allow one another.

use super::drafts::{Drafts, Statement};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::presburger::{DimKind, Map, Set};

/// How often a loop is taken to run where statements in more loops are compared with others.
const ITERATIONS: u64 = 16;

/// A statement with so many times the work of another one is what the region is about.
const MUCH: u64 = 8;

/// How much work a statement is taken to be.
fn work(statement: &Statement<'_>) -> u64 {
    let around = u32::try_from(statement.scope.loops.len()).unwrap_or(u32::MAX);
    u64::from(statement.operations + 1).saturating_mul(ITERATIONS.saturating_pow(around))
}

/// Whether what is assumed leaves the region what it is about: one of the statements with most work runs more than once for some parameters in
/// `trusted`, or as often as it ever does. Otherwise new loops would never run, or for nothing.
pub(in crate::extract) fn leaves_work(affine: &Affine<'_, '_, '_>, drafts: &Drafts<'_, '_, '_>, trusted: &Set) -> bool {
    let most = drafts.statements.iter().map(work).max().unwrap_or(0);
    let mut heavy = drafts.statements.iter().filter(|statement| work(statement).saturating_mul(MUCH) >= most);
    heavy.any(|statement| {
        let runs = statement.scope.domain.intersect_params(trusted);
        let could_repeat = || repeats(&statement.scope.domain.intersect_params(&affine.context()));
        !runs.is_empty() && (repeats(&runs) || !could_repeat())
    })
}

/// Whether there are two points for some values of the parameters.
fn repeats(domain: &Set) -> bool {
    let n = domain.dim(DimKind::Out);
    (0..n).any(|at| {
        let line = domain.project_out(DimKind::Out, at + 1, n - at - 1).project_out(DimKind::Out, 0, at);
        !Map::from_domain_and_range(&line, &line).order_lt(DimKind::In, 0, DimKind::Out, 0).is_empty()
    })
}

/// Assumes that each statement runs, or another one with about as much work that runs only where it does not; those with most work first.
pub(in crate::extract) fn assume_executes<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    assumptions: &mut Assumptions,
    drafts: &Drafts<'_, '_, 'ir>,
) {
    let mut cases: Vec<(u64, Set)> = Vec::new();
    for statement in &drafts.statements {
        let work = work(statement);
        let params = statement.scope.domain.params().coalesce();
        match cases.iter_mut().find(|(_, known)| known.is_equal(&params)) {
            Some((most, _)) => *most = work.max(*most),
            None => cases.push((work, params)),
        }
    }
    cases.sort_by_key(|(work, _)| std::cmp::Reverse(*work));
    let context = affine.context();
    for (work, params) in &cases {
        let possible = params.intersect(&context);
        let is_rival = |(other, own): &&(u64, Set)| other.saturating_mul(MUCH) >= *work && own.is_disjoint(&possible);
        let rivals = cases.iter().filter(is_rival);
        assumptions.assume_executes(affine, &rivals.fold(params.clone(), |all, (_, own)| all.union(own)).coalesce());
    }
}
