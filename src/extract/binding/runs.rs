//! Innermost loops that are looked at in runs of many rows, while it is measured what is touched: what there is to say of one, for whoever writes
//! that. Of `for (k = ptr[i]; k < ptr[i + 1]; k++) s += val[k] * x[col[k]];` it is the counter `k` with both bounds, the step `col[k]`, of `val` that the counter is
//! what is noted, and of `x` the number that is loaded. Which loops these are: see [`crate::extract::places::runs`].

use crate::llvm::instruction::Wrapping;
use crate::llvm::{Block, Instruction, Signedness, Type, Value};

/// How the number of an access says which bytes are touched.
#[derive(Clone, Copy, PartialEq)]
pub struct AddressForm<'ir> {
    /// From here on; from address zero on if there is none.
    pub base: Option<Value<'ir>>,
    pub constant: i128,
    /// Bytes between one number and the next.
    pub factor: i128,
    pub ty: Type<'ir>,
    pub signedness: Signedness,
}

/// An innermost loop that counts up by one from `first`.
pub struct Run<'ir> {
    /// The block before the loop, which leads only there.
    pub before: Block<'ir>,
    pub behind: Block<'ir>,
    pub blocks: Vec<Block<'ir>>,
    pub counter: Instruction<'ir>,
    pub first: Value<'ir>,
    pub bound: Value<'ir>,
    pub until: Until,
    /// Which of the counter's sums do not wrap: one kind at least.
    pub promises: Wrapping,
    /// What the numbers are computed by that are noted, in order.
    pub steps: Vec<Instruction<'ir>>,
    pub accesses: Vec<RunAccess<'ir>>,
    /// Values of the region from before the loop that all this depends on: a run goes on as long as they are the same.
    pub kept: Vec<Value<'ir>>,
}

/// When a loop ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// Before the counter is the bound.
    Equal,
    /// After one iteration, or before the counter is not less than the bound.
    NotLess(Signedness),
}

/// What is noted of an access in a loop.
pub struct RunAccess<'ir> {
    pub access: Instruction<'ir>,
    pub form: AddressForm<'ir>,
    pub number: Value<'ir>,
    /// The number is the counter, the least and largest of which are its first and its last.
    pub is_counter: bool,
    /// Whether the program makes it in each iteration.
    pub is_certain: bool,
}

impl<'ir> Run<'ir> {
    /// What the loop takes from the region before it.
    pub fn taken(&self) -> impl Iterator<Item = Value<'ir>> {
        [self.first, self.bound].into_iter().chain(self.kept.iter().copied())
    }
}
