//! Blocks that are one statement.
//!
//! Generated code and solvers with unrolled small matrices store whole pages of elements in one block:
//!
//! ```c
//! for (i = 1; i < n; i++) { d[i][0][0] = ...;  d[i][0][1] = ...;  ...  c[i][4][4] = ...; }
//! ```
//!
//! A statement for each store is more than any schedule could use: they run together before and after. So the block is cut in three: phis and
//! what is before the first store, the middle, and the end of the loop. The middle is marked as whole; the model takes it for a part that
//! stays as it is. What the plugin leaves alone is joined again.

use crate::llvm::{Analyses, Block, Builder, Function, Instruction, Value};

/// Stores beyond this many in one block are one statement: with what they need, they would be more than the model takes.
const MOST_APART: usize = 40;

/// Cuts such blocks of loops out. Whether there were any.
pub fn cut_out(analyses: &Analyses<'_, '_>) -> bool {
    let blocks = analyses.function().blocks();
    let is_large = |block: &Block<'_>| block.instructions().iter().filter(|i| is_store(i)).count() > MOST_APART;
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

/// Cuts before the first store and behind the last one, but for those to a variable at either end: the model knows more of these if they are apart.
fn cut(block: Block<'_>) {
    let all = block.instructions();
    let is_of_array = |i: &Instruction<'_>| is_store(i) && i.memory().is_some_and(|access| varies(access.pointer));
    let first = all.iter().position(is_of_array).or_else(|| all.iter().position(is_store));
    let last = all.iter().rposition(is_of_array).or_else(|| all.iter().rposition(is_store));
    let (first, last) = first.zip(last).expect("law: a large block has stores");
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
