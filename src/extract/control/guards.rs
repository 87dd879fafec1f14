//! Conditions on data around loops.
//!
//! ```c
//! for (k = 0; k < n; k++)
//!   for (j = 0; j < n; j++)
//!     if (B[k][j] != 0)
//!       for (i = 0; i < n; i++)
//!         C[i][j] += A[i][k] * B[k][j];
//! ```
//!
//! As one opaque part, the inner loop would be a single statement, and nothing could change about it. But it does not depend on the condition how the
//! loop is to run, only whether it does. So the condition becomes a *guard* of each statement inside: an instance `S[k, j, i]` exists for all `i`,
//! asks the guard itself, reading `B[k][j]` as one of its accesses, and does nothing if the answer is no. What it writes it may write. Then loops may
//! change places, be tiled and run in parallel as others do. A guard whose operands might have been written when a statement asks (`if (C[0][j] !=
//! 0)`) is a value like any other then: it is computed where the program computed it, and kept.
//!
//! Guards are asked in the order in which the program asks them, a further one only if those before were answered as they should be: where `if (p[i])
//! if (q[i])` does not read `q[i]`, neither does a statement inside. In the new code a guard that all instances in an innermost loop have in common
//! is asked once before that loop (`emit/plan/guarded.rs`).
//!
//! Where ways on from several conditions in a row meet, as behind `if (p[i] || q[i])`, what is known is that not all were answered so that the
//! program went on asking, `!p[i]` and `!q[i]`.
//!
//! A part that cannot be read in this way, as ways meet in it under several conditions or its loops are none of the model, stays opaque.
//!
//! Implements: 001 conditions

use crate::extract::refusal::Refusal;
use crate::extract::region::detect::Region;
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Value};
use crate::presburger::Set;
use std::collections::HashSet;

/// A condition that data decides, around loops.
#[derive(Clone, Debug)]
pub struct Guard<'ir> {
    /// It is asked at the end of this block.
    pub start: Block<'ir>,
    pub condition: Value<'ir>,
    /// Why it is no affine one.
    pub why: Refusal<'ir>,
}

/// A condition on data of a statement: what is left of a [`Guard`] behind it.
#[derive(Clone, Debug)]
pub struct BoundGuard<'ir> {
    /// Conditions with answers, asked one after the other as long as they are answered so.
    pub answers: Vec<(Value<'ir>, bool)>,
    /// Whether all must have been answered so for an instance to do anything, or not all.
    pub wanted: bool,
    /// The iterations in which the program asks the first one, if the guards before hold, over so many of the loops around the statement.
    pub asked: Set,
}

impl<'ir> Guard<'ir> {
    /// The condition at the end of a block, which is no affine one; unless two statements that ask it might be answered in two ways.
    pub fn at(region: &Region<'ir>, start: Block<'ir>, why: &Refusal<'ir>) -> Option<Guard<'ir>> {
        match start.terminator()?.branch()? {
            Branch::If { condition, then, otherwise } if then != otherwise && has_one_answer(region, condition) => {
                Some(Guard { start, condition, why: why.clone() })
            }
            _ => None,
        }
    }
}

/// Whether all that is computed for a condition in a region, from what is read or handed on, has one result.
fn has_one_answer<'ir>(region: &Region<'ir>, condition: Value<'ir>) -> bool {
    let (mut pending, mut seen) = (vec![condition], HashSet::new());
    while let Some(value) = pending.pop() {
        let inside = value.as_instruction().filter(|instruction| region.contains_instruction(*instruction));
        let Some(instruction) = inside.filter(|instruction| seen.insert(*instruction)) else { continue };
        if !instruction.is_exact() {
            return false;
        }
        if !instruction.is_phi() && instruction.memory().is_none() {
            pending.extend(instruction.operands());
        }
    }
    true
}
