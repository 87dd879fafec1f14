//! Copies of control flow: the one place where blocks are copied as they are connected.
//!
//!         br (x > t), then, join        ->       br (x' > t'), then', out
//!     then:  ...  br join                        then':  ...  br out
//!     join:  p = phi [x, then], ...              out:    ...
//!
//! Whoever copies says what becomes of each instruction. Edges that leave the copied blocks lead to `out`; phis get
//! their edges when all blocks are there.

use crate::llvm::{Block, Builder, Function, Instruction, Value};
use std::collections::HashMap;

/// Blocks that are being copied.
pub struct CfgCopy<'ir> {
    copies: HashMap<Block<'ir>, Block<'ir>>,
    /// Where edges lead that leave the blocks.
    pub out: Block<'ir>,
    /// Where edges come from that enter them.
    before: Block<'ir>,
    /// Originals and copies, whose edges are still to come.
    phis: Vec<(Instruction<'ir>, Instruction<'ir>)>,
}

impl<'ir> CfgCopy<'ir> {
    /// New blocks for these, with a name for each and one for what is behind them, entered from where the builder is.
    pub fn of(
        builder: &Builder<'ir>,
        function: Function<'ir>,
        blocks: impl Iterator<Item = Block<'ir>>,
        [name, behind]: [&str; 2],
    ) -> Self {
        let copies = blocks.map(|block| (block, function.new_block(name))).collect();
        CfgCopy { copies, out: function.new_block(behind), before: builder.block(), phis: Vec::new() }
    }

    /// The copy of one of the blocks.
    pub fn block(&self, original: Block<'ir>) -> Block<'ir> {
        self.copies[&original]
    }

    /// Where an edge to this block leads in the copy.
    pub fn target(&self, to: Block<'ir>) -> Block<'ir> {
        self.copies.get(&to).copied().unwrap_or(self.out)
    }

    /// Where an edge from this block comes from in the copy.
    pub fn source(&self, from: Block<'ir>) -> Block<'ir> {
        self.copies.get(&from).copied().unwrap_or(self.before)
    }

    /// A phi for another one, without edges so far.
    pub fn phi(&mut self, builder: &Builder<'ir>, original: Instruction<'ir>, name: &str) -> Value<'ir> {
        let copy = builder.phi(original.ty(), name);
        self.phis.push((original, copy));
        copy.value()
    }

    /// A copy of the end of a block, with the operands that `value` gives.
    pub fn end(&self, builder: &Builder<'ir>, end: Instruction<'ir>, value: impl Fn(Value<'ir>) -> Value<'ir>) {
        let copy = builder.copy(end, value);
        end.successors().into_iter().enumerate().for_each(|(at, to)| copy.set_successor(at, self.target(to)));
    }

    /// Gives the phis their edges.
    pub fn connect(&mut self, value: impl Fn(Value<'ir>) -> Value<'ir>) {
        for (original, copy) in std::mem::take(&mut self.phis) {
            for (incoming, from) in original.incoming() {
                copy.add_incoming(value(incoming), self.source(from));
            }
        }
    }
}
