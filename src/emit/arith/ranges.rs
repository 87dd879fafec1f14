//! What values the names of new loops take, by which it is known that 64 bits are enough.
//!
//! In `for (c0 = 0; c0 <= n - 1; c0++)` with `n` up to 1000, `c0` is from 0 to 999, and so are the names of all loops
//! around a place.

use super::bounds::{Range, range_of};
use crate::ast::{Expr, For, Node};
use crate::extract::refusal::Reason;
use crate::presburger::Id;
use std::collections::BTreeMap;

/// Ranges by name; more are added while going down a tree.
pub type Ranges = BTreeMap<Id, Range>;

/// Why something is not written: its arithmetic does not fit.
pub fn unwritable(what: &str) -> Reason {
    Reason::MayWrap { what: format!("the arithmetic of {what}") }
}

/// The values of a loop bound.
///
/// # Errors
/// If 64 bits are not enough for it.
pub fn fits(expr: &Expr, ranges: &Ranges) -> Result<Range, Reason> {
    range_of(expr, &|name| ranges.get(name).copied()).ok_or_else(|| unwritable(&format!("the loop bound {expr}")))
}

/// The values an iterator takes, if any.
pub fn iterator_range(each: &For, lower: Range, upper: Range) -> Range {
    if each.degenerate { lower } else { Range::new(lower.low, upper.high.max(lower.low)) }
}

/// Whether 64 bits are enough for all bounds and conditions.
///
/// # Errors
/// Where they are not.
pub fn check_ranges(node: &Node, ranges: &mut Ranges) -> Result<(), Reason> {
    match node {
        Node::For(each) => {
            let (lower, upper) = (fits(&each.lower, ranges)?, fits(&each.upper, ranges)?);
            let step = each.step.as_i64().ok_or_else(|| unwritable("a step"))?;
            let next = upper.plus(Range::new(step.into(), step.into())).and_then(Range::in_word);
            let distance = upper.minus(lower).and_then(Range::in_word);
            next.and(distance).ok_or_else(|| unwritable(&format!("the loop bound {}", each.upper)))?;
            ranges.insert(each.iterator.clone(), iterator_range(each, lower, upper));
            check_ranges(&each.body, ranges)
        }
        Node::If { condition, then, otherwise } => {
            fits(condition, ranges)?;
            check_ranges(then, ranges)?;
            otherwise.as_ref().map_or(Ok(()), |node| check_ranges(node, ranges))
        }
        Node::Block(parts) | Node::Sections { parts, .. } => {
            parts.iter().try_for_each(|part| check_ranges(part, ranges))
        }
        Node::User { arguments, .. } => arguments.iter().try_for_each(|a| fits(a, ranges).map(|_| ())),
        Node::Mark { body, .. } => check_ranges(body, ranges),
        Node::Steps(_) | Node::Test { .. } => Err(unwritable("a loop that data ends")),
    }
}
