//! Numbers that data gives, in polynomials, and what may be assumed of them.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   for (int j = 0; j < len[i]; j++)
//!     A[i][j] = 0;                                 // double A[][64]
//! ```
//!
//! The offset `512 i + 8 j` is a polynomial as soon as `j` has a name, `u0`, although nobody knows how far `j` goes: a polynomial *names* what
//! it cannot open. Around it are facts: `0 <= u0 < u1`, where `u1` is what `len[i]` holds. If `u1 <= 64` for all `i`, rows do not meet.
//! That is a [`Condition`] on data, which a test before the loops can find out, since `len` is not written in them: nothing is
//! read that the loops would not read.

use super::interval::Interval;
use super::leaf::Leaf;
use crate::extract::numbers::polynomial::UnknownId;
use crate::llvm::{LoopId, Signedness, Value};
use crate::presburger::Set;
use std::collections::HashMap;

/// A number that data gives.
#[derive(Clone, Debug)]
pub struct Unknown<'ir> {
    pub value: Value<'ir>,
    /// The value is read as a number without a sign.
    pub signedness: Signedness,
    pub interval: Interval,
    /// How it is computed, where that is possible before the loops.
    pub computed: Option<Computed<'ir>>,
}

/// What it takes to compute a number before the loops.
#[derive(Clone, Debug, Default)]
pub struct Computed<'ir> {
    /// Where the computation ends.
    pub leaves: HashMap<Value<'ir>, Leaf>,
    /// The loops compute it if these are so.
    pub conditions: Vec<(Value<'ir>, bool)>,
}

/// What has to hold for numbers that data gives, in all iterations of some loops.
#[derive(Clone, Debug)]
pub struct Condition {
    pub loops: Vec<LoopId>,
    /// The numbers, all of them known before the loops.
    pub unknowns: Vec<UnknownId>,
    /// The iterations.
    pub domain: Set,
    /// Iterations and numbers with which it does not hold.
    pub bad: Set,
    pub why: String,
}
