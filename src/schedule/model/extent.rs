//! How many values iterators take: constants of the program, or what is usual.
//!
//! In `for t: for i < n: for j < n: B[i][j] = A[i][j - 1] + ...; for a < 3: s += w[a]` the loop over `a` runs three times. Nothing is known of `n`; but
//! arrays whose loops are worth a transformation are larger than the caches, and the more dimensions they have the shorter each is. `i` and `j`
//! move a matrix, and so are assumed to take [`ASSUMED`]`[2]` values, as is every other iterator that `n` bounds. `t` moves nothing: a number of steps.

use super::problem::{Problem, Row, Statement};
use crate::presburger::ConstraintKind;

/// What is assumed of an iterator that moves arrays of no, one, two, and more dimensions. One element of eight bytes for each, these are arrays of 2, 32 and
/// 128 MB.
const ASSUMED: [i64; 4] = [1024, 1 << 18, 2048, 256];

/// How many values the constraints let an iterator take, if those that name nothing else bound it on both sides.
fn constant(bounds: &[(ConstraintKind, Row)], i: usize) -> Option<i64> {
    let alone = |row: &Row| {
        row.params.iter().all(|c| *c == 0) && row.iterators.iter().enumerate().all(|(k, c)| *c == 0 || k == i)
    };
    let limit = |sign: i64| {
        let of_sign = |(kind, row): &&(ConstraintKind, Row)| {
            *kind == ConstraintKind::Inequality && alone(row) && row.iterators[i].signum() == sign
        };
        bounds.iter().filter(of_sign).map(|(_, row)| row.constant.div_euclid(row.iterators[i].abs())).min()
    };
    let (below, above) = (limit(1)?, limit(-1)?);
    below.checked_add(above)?.checked_add(1).map(|extent| extent.max(1))
}

/// How many values each iterator of a statement takes, or is assumed to take.
pub(crate) struct Extents {
    /// 1 for iterators that others determine.
    pub values: Vec<i64>,
    /// Which are constants of the program.
    pub is_constant: Vec<bool>,
}

/// The extents of all statements' iterators.
pub(crate) fn of(problem: &Problem) -> Vec<Extents> {
    let mut dimensions = vec![0; problem.params.len()];
    for statement in &problem.statements {
        for i in 0..statement.n {
            let moved = moved(statement, i);
            bounding(statement, i).into_iter().for_each(|p| dimensions[p] = moved.max(dimensions[p]));
        }
    }
    let of_statement = |statement: &Statement| {
        let known: Vec<Option<i64>> =
            (0..statement.n).map(|i| statement.bounds.as_ref().and_then(|bounds| constant(bounds, i))).collect();
        let assumed = |i: usize| {
            let others = bounding(statement, i).into_iter().map(|p| dimensions[p]);
            ASSUMED[others.fold(moved(statement, i), usize::max).min(ASSUMED.len() - 1)]
        };
        let value = |i: usize| if statement.free.contains(&i) { known[i].unwrap_or_else(|| assumed(i)) } else { 1 };
        Extents {
            values: (0..statement.n).map(value).collect(),
            is_constant: known.iter().map(Option::is_some).collect(),
        }
    };
    problem.statements.iter().map(of_statement).collect()
}

/// The most dimensions of an array that an iterator moves.
fn moved(statement: &Statement, i: usize) -> usize {
    let of_reference =
        |subscripts: &Vec<Vec<i64>>| subscripts.iter().any(|row| row[i] != 0).then_some(subscripts.len());
    statement.references.iter().filter_map(|r| of_reference(r.subscripts.as_ref()?)).max().unwrap_or(0)
}

/// The parameters that bound an iterator.
fn bounding(statement: &Statement, i: usize) -> Vec<usize> {
    let rows = statement.bounds.iter().flatten().map(|(_, row)| row).filter(|row| row.iterators[i] != 0);
    rows.flat_map(|row| row.params.iter().enumerate().filter(|(_, c)| **c != 0).map(|(p, _)| p)).collect()
}
