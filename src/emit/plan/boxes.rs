//! Boxes around the elements that are touched.
//!
//! For `A[i][2 * j]` with `i` below `n` and `j` below `m`: `[0 .. n - 1] x [0 .. 2 m - 2]`, if `n` and `m` are
//! positive; over the parameters, in 64 bits.

use crate::ast::Expr;
use crate::emit::arith::bounds::{Range, range_of};
use crate::emit::arith::formula;
use crate::emit::arith::ranges::unwritable;
use crate::extract::refusal::Reason;
use crate::presburger::{Id, PwAff, Set};

/// The elements of an array that are touched, or some more.
#[derive(Clone)]
pub struct Box {
    /// Whether any is.
    pub is_touched: Expr,
    /// First and last subscript of each dimension.
    pub bounds: Vec<(Expr, Expr)>,
}

/// The elements between first and last subscripts as functions of the parameters; functions that are defined nowhere
/// mean that no element is ever touched.
pub fn box_around(
    extent: &[(PwAff, PwAff)],
    name: &str,
    trusted: &Set,
    names: &dyn Fn(&Id) -> Option<Range>,
) -> Result<Box, Reason> {
    let what = || unwritable(&format!("the bounds of '{name}'"));
    let domains = extent.iter().flat_map(|(low, high)| [low.domain(), high.domain()]);
    let touched: Option<Set> = domains.reduce(|a, b| a.intersect(&b));
    if touched.as_ref().is_some_and(|set| set.intersect(trusted).is_empty()) {
        let nothing = || (Expr::from(0), Expr::from(0));
        return Ok(Box { is_touched: Expr::from(0), bounds: extent.iter().map(|_| nothing()).collect() });
    }
    let bound = |function: &PwAff| {
        let expr = formula::value(&function.gist_params(trusted).coalesce()).ok_or_else(what)?;
        range_of(&expr, names).map(|_| expr).ok_or_else(what)
    };
    let bounds = extent.iter().map(|(low, high)| Ok((bound(low)?, bound(high)?))).collect::<Result<_, Reason>>()?;
    let is_touched = match touched {
        Some(set) => formula::condition(&set.gist(trusted).coalesce()).ok_or_else(what)?,
        None => Expr::from(1),
    };
    range_of(&is_touched, names).ok_or_else(what)?;
    Ok(Box { is_touched, bounds })
}
