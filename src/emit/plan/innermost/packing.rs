//! Innermost loops that pack, and are run block by block.
//!
//!     for (i) if (x[i] > t) out[k++] = x[i];
//!
//! becomes
//!
//!     for (b = 0; b + 63 < n; b += 64) {
//!       for (i = b; i < b + 64; i++) { taken[i - b] = x[i] > t; value[i - b] = x[i]; }    // in vectors
//!       eight by eight: out[k ...] = those of value that taken names;  k += how many
//!     }
//!     for (i = b; i < n; i++) if (x[i] > t) out[k++] = x[i];
//!
//! Nothing that is stored is read by the statement, and a block's places follow one another from that of its first iteration: all iterations of the loop share
//! the counter and what else the place is made of. So each element is written as in the program, and none that the program does not write.

use crate::ast::{Expr, For};
use crate::extract::binding::BoundStatement;

/// Whether instances of the loop follow one another in the statement's innermost loop of the program, which all share one counter.
pub fn packs(each: &For, bound: &BoundStatement<'_>, arguments: &[Expr]) -> bool {
    let moves = |argument: &Expr| argument.mentions(&each.iterator);
    let is_own = arguments.split_last().is_some_and(|(last, outer)| moves(last) && !outer.iter().any(moves));
    !bound.packings.is_empty() && is_own
}
