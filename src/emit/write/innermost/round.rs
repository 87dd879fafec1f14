//! What lanes know beside the values in them, while a part is written.

use crate::llvm::{Block, Instruction, Value};
use std::collections::HashMap;

/// What is known of the loads of a part.
#[derive(Default)]
pub(super) struct Reading<'ir> {
    /// For loads of arrays that have private copies, these, and what pointers are into else.
    pub copies: HashMap<Instruction<'ir>, [Value<'ir>; 2]>,
    /// The loads that were written, with those that they do.
    pub loads: Vec<(Instruction<'ir>, Instruction<'ir>)>,
}

/// A round of the loop.
pub(super) struct Round<'ir> {
    /// It is the first one.
    pub is_first: Value<'ir>,
    /// For each lane which ways it has taken: a digit for each branch.
    pub ways: Value<'ir>,
    /// What goes round the loop beside its own values: where it begins, and for the next round.
    pub carried: Vec<(Instruction<'ir>, Value<'ir>)>,
    /// The block before the loop, and the first one of it.
    pub before: Block<'ir>,
    pub begin: Block<'ir>,
}
