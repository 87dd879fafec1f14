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
    let mut cases: Vec<Case> = Vec::new();
    for statement in &drafts.statements {
        let work = work(statement);
        let params = statement.scope.domain.params().coalesce();
        let explicit = params.compute_divs();
        match cases.iter_mut().find(|case| case.explicit.is_equal(&explicit)) {
            Some(case) => case.work = work.max(case.work),
            None => cases.push(Case { work, params, explicit }),
        }
    }
    cases.sort_by_key(|case| std::cmp::Reverse(case.work));
    let context = affine.context();
    for case in &cases {
        let possible = case.params.intersect(&context);
        let is_rival =
            |other: &&Case| other.work.saturating_mul(MUCH) >= case.work && other.params.is_disjoint(&possible);
        let rivals = cases.iter().filter(is_rival);
        let all = rivals.fold(case.params.clone(), |all, rival| all.union(&rival.params));
        assumptions.assume_executes(affine, &all.coalesce());
    }
}

/// Parameter values for which statements run.
struct Case {
    /// The most that one of them is.
    work: u64,
    params: Set,
    /// The same, with each local a function of the parameters: what comparing one with many others would find out each time.
    explicit: Set,
}
