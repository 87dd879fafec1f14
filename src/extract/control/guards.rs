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
//! A condition that stays the same in the innermost loop around it, `for (j) if (c[i] > 0) A[j][i] = ...;`, is one around that loop as well: LLVM asks it
//! there, and so do the new loops. It is counted as asked once in each iteration of the loops that change it.
//!
//! A part that cannot be read in this way, as ways meet in it under several conditions or its loops are none of the model, stays opaque.
//!
//! Implements: 001 conditions

use crate::extract::refusal::Refusal;
use crate::extract::region::detect::Region;
use crate::extract::ssa::operands;
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Instruction, Loop, LoopId, Opcode, Value};
use crate::presburger::Set;
use std::collections::HashSet;

/// A condition that data decides, around loops.
#[derive(Clone, Debug)]
pub struct Guard<'ir> {
    /// It is asked at the end of this block.
    pub start: Block<'ir>,
    pub condition: Value<'ir>,
    /// So many of the loops around it, from the outermost on, have it change, but for the first one, which is always counted.
    pub depth: usize,
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
    /// The iterations in which the program asks the first one, if the guards before hold, over so many of the loops around the statement as have it
    /// change.
    pub asked: Set,
}

impl<'ir> Guard<'ir> {
    /// The condition at the end of a block, which is no affine one; unless two statements that ask it might be answered in two ways.
    pub fn at(
        (analyses, region): (&Analyses<'_, 'ir>, &Region<'ir>),
        start: Block<'ir>,
        loops: &[LoopId],
        why: &Refusal<'ir>,
    ) -> Option<Guard<'ir>> {
        match start.terminator()?.branch()? {
            Branch::If { condition, then, otherwise } if then != otherwise && has_one_answer(region, condition) => {
                let stays = |id: &&LoopId| stays_in(analyses, analyses.loop_(**id), condition);
                let inner = loops.iter().skip(1).rev().take_while(stays).count();
                Some(Guard { start, condition, depth: loops.len() - inner, why: why.clone() })
            }
            _ => None,
        }
    }
}

/// Whether a condition is the same in all iterations of a loop, as far as LLVM sees: it asks such a one before it.
fn stays_in<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, condition: Value<'ir>) -> bool {
    let is_inside = |i: &Instruction<'ir>| this.holds(*i);
    let all = || this.instructions();
    let writers: Vec<Instruction<'ir>> = all().filter(|i| i.may_write_memory()).collect();
    let (mut pending, mut seen) = (vec![condition], HashSet::new());
    while let Some(value) = pending.pop() {
        let Some(here) = value.as_instruction().filter(is_inside) else { continue };
        if !seen.insert(here) {
            continue;
        }
        let stays = match here.opcode() {
            Opcode::Load => !writers.iter().any(|writer| analyses.writes(*writer, here)),
            _ => !here.is_phi() && here.is_speculatable(),
        };
        if !stays {
            return false;
        }
        pending.extend(operands(here));
    }
    true
}

/// Whether all that is computed for a value in a region, from what is read or handed on, has one result.
pub(in crate::extract) fn has_one_answer<'ir>(region: &Region<'ir>, condition: Value<'ir>) -> bool {
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
