//! Blocks that are one statement.
//!
//! Generated code and solvers with unrolled small matrices store whole pages of elements in one block:
//!
//! ```c
//! for (i = 1; i < n; i++) { d[i][0][0] = ...;  d[i][0][1] = ...;  ...  c[i][4][4] = ...; }
//! ```
//!
//! A statement for each store is more than any schedule could use: they run together before and after. And what a call of a function does
//! to many elements, as `subtract(a[i], x[i], x[i + 1])`, is no statement of the usual form. So the block is cut in three: phis and
//! what is before the first store, the middle, and the end of the loop. The middle is marked as whole; the model takes it for a part that
//! stays as it is. What the plugin leaves alone is joined again.

use crate::llvm::{Analyses, Block, Builder, Function, Instruction, Opcode, Value};

/// Stores beyond this many in one block are one statement: with what they need, they would be more than the model takes.
const MOST_APART: usize = 40;

/// Cuts such blocks of loops out. Whether there were any.
pub fn cut_out(analyses: &Analyses<'_, '_>) -> bool {
    let blocks = analyses.function().blocks();
    let is_large = |block: &Block<'_>| {
        let all = block.instructions();
        all.iter().any(does_something) || all.iter().filter(|i| is_store(i)).count() > MOST_APART
    };
    let inside = blocks.into_iter().filter(|block| analyses.loop_of(*block).is_some() && !block.is_whole());
    inside.filter(is_large).map(cut).count() > 0
}

/// Joins all blocks of a function that were cut.
pub fn join(function: Function<'_>) {
    let whole: Vec<Block<'_>> = function.blocks().into_iter().filter(|block| block.is_whole()).collect();
    for block in whole {
        for after in block.successors() {
            after.join_predecessor();
        }
        block.join_predecessor();
    }
}

fn is_store(instruction: &Instruction<'_>) -> bool {
    instruction.memory().is_some_and(|access| access.stored.is_some())
}

/// Whether a pointer is computed, not the address of a variable or an argument.
fn varies(pointer: Value<'_>) -> bool {
    pointer.as_instruction().is_some()
}

/// Whether it is a call that does more than compute, of a function that can be looked into. (Calls that are left by exceptions end a block.)
fn does_something(instruction: &Instruction<'_>) -> bool {
    let Some(call) = instruction.call().filter(|_| !instruction.is_marker()) else { return false };
    instruction.opcode() == Opcode::Call
        && !call.is_pure()
        && !call.sets_errno()
        && call.callee().is_some_and(|callee| callee.is_as_written())
}

/// Cuts before the first call or store and behind the last one, but for stores to a variable at either end: the model knows more of these if they are
/// apart. If there are few stores, only calls count.
fn cut(block: Block<'_>) {
    let all = block.instructions();
    let is_of_array =
        |i: &Instruction<'_>| i.memory().is_some_and(|access| access.stored.is_some() && varies(access.pointer));
    let has_many = all.iter().filter(|i| is_store(i)).count() > MOST_APART;
    let has_some = has_many && all.iter().any(is_of_array);
    let counts =
        |i: &Instruction<'_>| does_something(i) || if has_some { is_of_array(i) } else { has_many && is_store(i) };
    let ends = all.iter().position(counts).zip(all.iter().rposition(counts));
    let (first, last) = ends.expect("law: what is cut has calls or stores");
    let builder = Builder::new(block.function().context());
    let cut_before = |at: usize, name: &str| {
        let after = Block::cut_before(all[at], name);
        builder.at_end(block);
        builder.jump(after);
        after
    };
    cut_before(last + 1, "behind");
    cut_before(first, "whole").mark_whole();
}
