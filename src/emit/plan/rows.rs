//! Which bytes of which rows are looked at before the loops, if 64 bits are enough to say so.
//!
//! For `for (i = 0; i < n; i++) for (j = 0; j <= i; j++) a[i][j] = 0` these are, of each row `0 <= r < n`, the elements from 0 to `r`.

use super::boxes::Box;
use crate::ast::Expr;
use crate::emit::arith::bounds::{Range, range_of};
use crate::emit::arith::formula;
use crate::emit::arith::ranges::{Ranges, unwritable};
use crate::extract::binding::{Binding, BoundArray, BoundRows};
use crate::extract::refusal::Reason;
use crate::presburger::{PwAff, Set};
use crate::scop::{ArrayId, Table};
use std::collections::BTreeMap;

/// What is looked at of an array of rows; expressions in the numbers of the pointers that lead to the row, which are called like the first dimensions.
#[derive(Clone)]
pub struct Row {
    /// Which rows are.
    pub runs: Expr,
    /// First and last subscript in each dimension within the row.
    pub bounds: Vec<(Expr, Expr)>,
}

/// For each array of rows that is tested: its rows.
pub fn plan(
    binding: &Binding<'_>,
    boxes: &Table<ArrayId, Option<Box>>,
    trusted: &Set,
    ranges: &Ranges,
) -> Result<BTreeMap<ArrayId, Row>, Reason> {
    let with_rows = binding.rows.iter().filter_map(|at| Some((*at, binding.arrays[*at].rows.as_ref()?)));
    with_rows
        .map(|(at, rows)| {
            let bound = boxes[at].as_ref().expect("law: tested rows have bounds");
            Ok((at, row(&binding.arrays[at], rows, bound, trusted, ranges)?))
        })
        .collect()
}

fn row(array: &BoundArray<'_>, rows: &BoundRows, bound: &Box, trusted: &Set, ranges: &Ranges) -> Result<Row, Reason> {
    let what = || unwritable(&format!("the bounds of '{}'", array.source_name));
    let range = |expr: &Expr| range_of(expr, &|name| ranges.get(name).copied()).ok_or_else(what);
    let mut named = ranges.clone();
    for (at, (first, last)) in bound.bounds.iter().take(rows.depth).enumerate() {
        let (low, high) = (range(first)?.low, range(last)?.high);
        named.insert(formula::dimension_name(at), Range::new(low, high.max(low)));
    }
    let checked = |expr: Option<Expr>| {
        let expr = expr.ok_or_else(what)?;
        range_of(&expr, &|name| named.get(name).copied()).map(|_| expr).ok_or_else(what)
    };
    let touched = rows.ends.iter().flat_map(|(low, high)| [low.domain(), high.domain()]);
    let touched = touched.reduce(|a, b| a.intersect(&b)).ok_or_else(what)?;
    let runs = checked(formula::condition(&touched.gist_params(trusted).coalesce()))?;
    let end = |end: &PwAff| checked(formula::value(&end.gist_params(trusted).coalesce()));
    let bounds = rows.ends.iter().map(|(low, high)| Ok((end(low)?, end(high)?))).collect::<Result<_, Reason>>()?;
    Ok(Row { runs, bounds })
}
