//! How many values iterators take: constants of the program, or what is usual.
//!
//! In `for t: for i < n: for j <= i: B[i][j] = A[i][j - 1] + ...; for a < 3: s += w[a]` the loop over `a` runs three times. Nothing is known of `n`; but
//! arrays whose loops are worth a transformation are larger than the caches, and the more dimensions they have the shorter each is. `i`
//! moves a matrix, and so `n` is assumed to be [`ASSUMED`]`[2]`, wherever it bounds an iterator; `j` takes half as many values, as many as in the middle of
//! the loop over `i`. `t` moves nothing: a number of steps. What moves a subscript of `double B[40][40]` takes no more values than it has rows.

use super::problem::{Problem, Row, Statement};
use crate::presburger::ConstraintKind;
use std::collections::BTreeSet;

/// What is assumed of a parameter that bounds iterators that move arrays of no, one, two, and more dimensions. One element of eight bytes for each, these are arrays of 2, 32 and
/// 128 MB.
const ASSUMED: [i64; 4] = [1024, 1 << 18, 2048, 256];

/// No loop that ends takes more values: what takes more, as one to the end of what a number can be, counts as so many, so that sums and products that tell what
/// loops take stay numbers.
const MOST: i64 = 1 << 40;

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

/// The most that is assumed of parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    most: i64,
    /// A parameter, by its place, of which less is assumed.
    short: Option<(usize, i64)>,
}

impl Sizes {
    /// What is usual.
    pub const USUAL: Sizes = Sizes::up_to(i64::MAX);

    /// At most this of each.
    pub const fn up_to(most: i64) -> Sizes {
        Sizes { most, short: None }
    }

    /// What is usual, but at most this of one.
    pub fn with_short(parameter: usize, most: i64) -> Sizes {
        Sizes { short: Some((parameter, most)), ..Sizes::USUAL }
    }

    fn of(&self, parameter: usize) -> i64 {
        match self.short {
            Some((short, most)) if short == parameter => most,
            _ => self.most,
        }
    }
}

/// Whether the loops that a parameter bounds run longer the larger it is, and so long: it is alone in upper bounds, and in no lower one; or there is a loop that it bounds by
/// itself, whatever else does: of a window of `2 r + 1` elements, which is cut off where the picture ends, no part is longer.
pub(crate) fn is_length(problem: &Problem, parameter: usize) -> bool {
    let rows = problem.statements.iter().flat_map(|statement| statement.bounds.iter().flatten());
    // Whether a statement runs at all says nothing of how long its loops are.
    let bounds_loops = |row: &&Row| row.params[parameter] != 0 && row.iterators.iter().any(|c| *c != 0);
    let bounds: Vec<&Row> = rows.map(|(_, row)| row).filter(bounds_loops).collect();
    let is_upper = |row: &Row| {
        let last = row.iterators.iter().rev().find(|c| **c != 0);
        row.params[parameter] > 0 && last.is_some_and(|c| *c < 0) && row.params.iter().filter(|c| **c != 0).count() == 1
    };
    let is_by_itself = |row: &Row| is_upper(row) && row.iterators.iter().filter(|c| **c != 0).count() == 1;
    bounds.iter().any(|row| is_by_itself(row)) || !bounds.is_empty() && bounds.iter().all(|row| is_upper(row))
}

/// How many values each iterator of a statement takes, or is assumed to take.
pub(crate) struct Extents {
    /// 1 for iterators that others determine.
    pub values: Vec<i64>,
    /// Which are constants of the program.
    pub is_constant: Vec<bool>,
}

/// The extents of all statements' iterators, where parameters are assumed to be of these sizes.
pub(crate) fn at(problem: &Problem, sizes: Sizes) -> Vec<Extents> {
    let mut dimensions = vec![0; problem.params.len()];
    for statement in &problem.statements {
        for i in 0..statement.n {
            let moved = moved(statement, i);
            bounding(statement, i).into_iter().for_each(|p| dimensions[p] = moved.max(dimensions[p]));
        }
    }
    let room = |p: usize| {
        let of_statement =
            |s: &Statement| (0..s.n).filter(|i| is_bound_alone(s, *i, p)).map(|i| s.room[i]).min().unwrap_or(i64::MAX);
        problem.statements.iter().map(of_statement).min().unwrap_or(i64::MAX)
    };
    let assumed = |(p, moved): (usize, &usize)| ASSUMED[(*moved).min(ASSUMED.len() - 1)].min(room(p));
    let assumed: Vec<i64> = dimensions.iter().enumerate().map(assumed).collect();
    problem.statements.iter().map(|statement| of(statement, &dimensions, &assumed, sizes)).collect()
}

/// The extents of a statement's iterators, of which the parameters bound such that move arrays of so many dimensions, and are assumed to be these.
fn of(statement: &Statement, dimensions: &[usize], usual: &[i64], most: Sizes) -> Extents {
    let assumed = |moved: usize| ASSUMED[moved.min(ASSUMED.len() - 1)];
    let sizes: Vec<i64> = usual.iter().enumerate().map(|(p, usual)| (*usual).min(most.of(p))).collect();
    let bounds = statement.bounds.as_deref().unwrap_or_default();
    let is_constant: Vec<bool> = (0..statement.n).map(|i| constant(bounds, i).is_some()).collect();
    let mut values = Vec::new();
    let mut middles: Vec<i64> = Vec::new();
    for i in 0..statement.n {
        let others = bounding(statement, i);
        let shortest = others.iter().map(|p| most.of(*p)).fold(most.most, i64::min);
        let usual = assumed(others.iter().map(|p| dimensions[*p]).fold(moved(statement, i), usize::max));
        let known = others.iter().map(|p| sizes[*p]).fold(statement.room[i], i64::min);
        let usual = usual.min(shortest).min(known);
        let (low, high) = match halfway(bounds, &sizes, &middles) {
            Some((low, high)) if is_constant[i] || (low <= high && !is_about(values_between(low, high), usual)) => {
                (low, high.max(low))
            }
            Some((low, high)) if low <= high => (low, low.saturating_add(usual - 1)),
            _ => (0, usual - 1),
        };
        values.push(if statement.free.contains(&i) { values_between(low, high) } else { 1 });
        middles.push(low + high.saturating_sub(low) / 2);
    }
    Extents { values, is_constant }
}

/// How many values there are from one to another, as far as they are counted.
fn values_between(low: i64, high: i64) -> i64 {
    high.saturating_sub(low).saturating_add(1).min(MOST)
}

/// Whether a few iterations at the ends make the difference.
fn is_about(extent: i64, usual: i64) -> bool {
    extent.checked_mul(8).is_some_and(|extent| (7 * usual..=9 * usual).contains(&extent))
}

/// The first and the last value of the next iterator where those before have these values and parameters these sizes. None if the bounds on one side
/// name none of them, later iterators, or parameters that do not bound the other side: how far apart those are nobody knows.
fn halfway(bounds: &[(ConstraintKind, Row)], sizes: &[i64], middles: &[i64]) -> Option<(i64, i64)> {
    let i = middles.len();
    let side = |sign: i64| {
        let rows = bounds.iter().filter(|(kind, row)| {
            let is_later = row.iterators.iter().skip(i + 1).any(|c| *c != 0);
            *kind == ConstraintKind::Inequality && row.iterators[i].signum() == sign && !is_later
        });
        rows.map(|(_, row)| row).collect::<Vec<_>>()
    };
    let rest = |row: &Row| -> Option<i64> {
        let terms = row.params.iter().zip(sizes).chain(row.iterators.iter().zip(middles));
        terms.into_iter().try_fold(row.constant, |sum, (c, value)| sum.checked_add(c.checked_mul(*value)?))
    };
    let named = |rows: &[&Row]| -> BTreeSet<usize> {
        let of_row = |row: &&Row| row.params.iter().enumerate().filter(|(_, c)| **c != 0).map(|(p, _)| p).collect();
        rows.iter().flat_map(|row| -> Vec<usize> { of_row(row) }).collect()
    };
    let (below, above) = (side(1), side(-1));
    let is_measured = above.iter().all(|row| row.params.iter().filter(|c| **c != 0).count() <= 1);
    if !is_measured || !named(&below).is_subset(&named(&above)) {
        return None;
    }
    let ends = |rows: &[&Row]| {
        rows.iter().map(|row| Some(rest(row)?.div_euclid(row.iterators[i].abs()))).collect::<Option<Vec<i64>>>()
    };
    let low = ends(&below)?.into_iter().map(i64::saturating_neg).max()?;
    let high = ends(&above)?.into_iter().min()?;
    Some((low, high))
}

/// The most dimensions of an array that an iterator moves, with others: of `h[1][i]` it is one, whose rows are as long as arrays are.
fn moved(statement: &Statement, i: usize) -> usize {
    let of_reference = |subscripts: &Vec<Vec<i64>>| {
        let varying = subscripts.iter().filter(|row| row.iter().any(|c| *c != 0)).count();
        subscripts.iter().any(|row| row[i] != 0).then_some(varying)
    };
    statement.references.iter().filter_map(|r| of_reference(r.subscripts.as_ref()?)).max().unwrap_or(0)
}

/// Whether a parameter bounds an iterator without others: of `0 <= i + k < n` neither says how large `n` is if it has room for few values.
fn is_bound_alone(statement: &Statement, i: usize, p: usize) -> bool {
    let mut rows = statement.bounds.iter().flatten().map(|(_, row)| row);
    rows.any(|row| {
        row.params[p] != 0 && row.iterators.iter().enumerate().all(|(at, factor)| (at == i) == (*factor != 0))
    })
}

/// The parameters that bound an iterator.
fn bounding(statement: &Statement, i: usize) -> Vec<usize> {
    let rows = statement.bounds.iter().flatten().map(|(_, row)| row).filter(|row| row.iterators[i] != 0);
    rows.flat_map(|row| row.params.iter().enumerate().filter(|(_, c)| **c != 0).map(|(p, _)| p)).collect()
}
