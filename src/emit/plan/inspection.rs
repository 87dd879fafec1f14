//! What is to be tested of data before the new loops, if 64 bits are enough for it.
//!
//! For `len[i] <= 64` in all iterations `0 <= i < n` (see [`crate::extract::numbers::unknown`]): the bounds 0 and `n -
//! 1`, all iterations between them, and `len[i] >= 65` as what must not be.

use super::boxes::box_around;
use crate::ast::Expr;
use crate::emit::arith::bounds::{Range, range_of};
use crate::emit::arith::formula;
use crate::emit::arith::ranges::{Ranges, unwritable};
use crate::extract::binding::{Binding, Inspection};
use crate::extract::numbers::parameters::integer;
use crate::extract::refusal::Reason;
use crate::presburger::{DimKind, Id, PwAff, Set};

/// Numbers beyond this are no subscripts.
pub const LARGEST: i128 = 1 << 40;

/// What is written for one [`Inspection`].
#[derive(Clone)]
pub struct Test {
    /// First and last iteration of each loop.
    pub bounds: Vec<(Expr, Expr)>,
    /// Which iterations between these are inspected.
    pub runs: Expr,
    /// Whether the numbers are as they must not be.
    pub bad: Expr,
    /// Ranges that have to follow one another.
    pub ordered: Vec<(Expr, Expr)>,
}

/// The tests, if 64 bits are enough for them.
pub fn plan(binding: &Binding<'_>, trusted: &Set, ranges: &Ranges) -> Result<Vec<Test>, Reason> {
    binding.inspections.iter().map(|inspection| test(inspection, trusted, ranges)).collect()
}

fn test(inspection: &Inspection<'_>, trusted: &Set, ranges: &Ranges) -> Result<Test, Reason> {
    let what = || unwritable(&format!("the test whether {}", inspection.why));
    let names = |name: &Id| ranges.get(name).copied();
    let domain = inspection.domain.intersect_params(trusted).coalesce();
    let ends = |at: usize| Some((domain.dim_min(at).ok()?, domain.dim_max(at).ok()?));
    let ends: Option<Vec<(PwAff, PwAff)>> = (0..inspection.loops.len()).map(ends).collect();
    let ends = ends.ok_or_else(what)?;
    let bounds = box_around(&ends, &inspection.why, trusted, &names)?.bounds;
    let mut named = ranges.clone();
    for (at, (low, high)) in bounds.iter().enumerate() {
        let (low, high) = (range_of(low, &names).ok_or_else(what)?, range_of(high, &names).ok_or_else(what)?);
        named.insert(formula::dimension_name(at), Range::new(low.low, high.high.max(low.low)));
    }
    for (at, each) in inspection.values.iter().enumerate() {
        let low = each.interval.low.map_or(-LARGEST, |low| low.max(-LARGEST));
        let high = each.interval.high.map_or(LARGEST, |high| high.min(LARGEST));
        named.insert(formula::dimension_name(inspection.loops.len() + at), Range::new(low, high.max(low)));
    }
    let checked = |expr: Option<Expr>| {
        let expr = expr.ok_or_else(what)?;
        range_of(&expr, &|name| named.get(name).copied()).map(|_| expr).ok_or_else(what)
    };
    let runs = checked(formula::condition(&inspection.domain.gist_params(trusted).coalesce()))?;
    let bad = match &inspection.bad {
        Some(bad) => {
            let first = inspection.loops.len();
            let known = (0..inspection.values.len()).fold(Set::universe(bad.space()), |known, at| {
                let range = named[&formula::dimension_name(first + at)];
                let (low, high) = (integer(range.low), integer(range.high));
                known.lower_bound(DimKind::Out, first + at, &low).upper_bound(DimKind::Out, first + at, &high)
            });
            checked(formula::condition(&bad.intersect(&known).gist(&known).gist_params(trusted).coalesce()))?
        }
        None => Expr::from(0),
    };
    let end = |end: &PwAff| checked(formula::value(&end.gist_params(trusted)));
    let ordered = inspection.ordered.iter().map(|(low, high)| Ok((end(low)?, end(high)?)));
    Ok(Test { bounds, runs, bad, ordered: ordered.collect::<Result<_, Reason>>()? })
}
