//! Innermost loops that seldom replace the best so far, and are asked block by block whether they do.
//!
//!     for (i) if (x[i] > m) { m = x[i]; at = i; }
//!
//! becomes
//!
//!     for (b = 0; b + 127 < n; b += 128) {
//!       bool any = false;
//!       for (i = b; i < b + 128; i++) any |= x[i] > m;        // in vectors
//!       if (any) for (i = b; i < b + 128; i++) if (x[i] > m) { m = x[i]; at = i; }
//!     }
//!     for (i = b; i < n; i++) if (x[i] > m) { m = x[i]; at = i; }
//!
//! That no iteration of a block replaces anything follows from one question to each of them, asked with what the block begins with: until one replaces it, it is
//! what all of them see. So every bit is that of the program, in whatever order the answers come. Blocks in which one replaces are asked again in parts; behind one all parts
//! of which replaced, as where the largest so far grows all the time, the next one runs without a question.

use crate::extract::binding::BoundStatement;
use crate::extract::binding::question::{Question, question};

/// What instances of a statement are asked.
pub fn asked<'ir>(bound: &BoundStatement<'ir>) -> Option<Question<'ir>> {
    question(&bound.root, &bound.picks, &bound.leaves).filter(|_| bound.guards.is_empty())
}
