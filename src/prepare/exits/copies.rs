//! Copies of blocks of a loop, which lead where who makes them says.

use crate::llvm::{Block, Builder, Instruction, LoopHint, Metadata, Type, Value};
use std::collections::HashMap;

/// Bytes of code that the processor takes at once. A loop that fits in there takes up to twice as long where it lies in two of them.
const LINE: u32 = 64;

/// Instructions that fit in there.
const MOST_IN_LINE: usize = 24;

/// So much likelier the short loop is taken to be: it is the one to which a jump that reaches far makes a difference, so that its ways out are to be nearby.
const LIKELIER: i128 = 16;

/// Opens a scope, of which there is one only.
const SCOPE: &str = "llvm.experimental.noalias.scope.decl";

/// Metadata of accesses that is about one place in the program.
const SCOPES: [&str; 3] = ["alias.scope", "noalias", "llvm.access.group"];

/// Whether there may be only one of an instruction.
pub fn is_single(instruction: Instruction<'_>) -> bool {
    instruction.call().and_then(|call| call.intrinsic()).is_some_and(|name| name == SCOPE)
}

/// Has a loop with these blocks, which is one of its own from here on, lie in one line of code if it fits in there.
pub fn lay_out<'ir>(latch: Block<'ir>, blocks: &[Block<'ir>]) {
    if is_small(blocks) {
        let end = latch.terminator().expect("law: a complete block has a terminator");
        end.hint_loop(LoopHint::Align(LINE));
    }
}

/// Whether a loop with these blocks fits in one line of code.
pub fn is_small(blocks: &[Block<'_>]) -> bool {
    blocks.iter().map(|block| block.instructions().len()).sum::<usize>() <= MOST_IN_LINE
}

/// A copy of a loop with these blocks, which begins where the loop begins. Its first block.
pub fn copy_loop<'ir>(
    builder: &Builder<'ir>,
    (preheader, latch): (Block<'ir>, Block<'ir>),
    blocks: &[Block<'ir>],
) -> Block<'ir> {
    let mut copies = Copies::of(builder, blocks, "short", |i| !is_single(i));
    copies.lead(builder, |_| None);
    copies.blocks.insert(preheader, preheader);
    blocks.iter().flat_map(|block| block.phis()).for_each(|phi| copies.connect(phi));
    lay_out(copies.blocks[&latch], blocks);
    copies.mark_aside();
    copies.blocks[&blocks[0]]
}

/// Puts a branch to a copy that is to run where a loop has few iterations, and to what runs else, in place of the end of the block that leads to the loop.
pub fn branch_to_short<'ir>(
    builder: &Builder<'ir>,
    old: Instruction<'ir>,
    is_short: Value<'ir>,
    ways: [Block<'ir>; 2],
) {
    let context = builder.context();
    let weight = |weight| Metadata::value(Value::integer(Type::integer(context, 32), weight));
    let weights = [Metadata::text(context, "branch_weights"), weight(LIKELIER), weight(1)];
    builder.before(old);
    let branch = builder.branch(is_short, ways[0], ways[1]);
    branch.set_location(old.location());
    branch.set_metadata("prof", Some(Metadata::node(context, &weights)));
    old.remove();
}

/// Copies of blocks and of the values in them.
#[derive(Default)]
pub struct Copies<'ir> {
    /// What was copied, in order.
    originals: Vec<Block<'ir>>,
    pub blocks: HashMap<Block<'ir>, Block<'ir>>,
    /// Where copies end that go on in another block.
    pub ends: HashMap<Block<'ir>, Block<'ir>>,
    pub values: HashMap<Value<'ir>, Value<'ir>>,
}

impl<'ir> Copies<'ir> {
    /// New blocks with copies of those instructions that are wanted, but for their ends and the edges of phis.
    pub fn of(
        builder: &Builder<'ir>,
        blocks: &[Block<'ir>],
        name: &str,
        is_wanted: impl Fn(Instruction<'ir>) -> bool,
    ) -> Copies<'ir> {
        let mut copies = Copies { originals: blocks.to_vec(), ..Copies::default() };
        let wanted = |block: &Block<'ir>| {
            block.instructions().into_iter().filter(|i| !i.is_terminator() && is_wanted(*i)).collect::<Vec<_>>()
        };
        for block in blocks {
            let own = block.function().new_block(name);
            copies.blocks.insert(*block, own);
            builder.at_end(own);
            for phi in wanted(block).into_iter().filter(|i| i.is_phi()) {
                let copy = builder.phi(phi.ty(), &phi.name());
                copy.set_location(phi.location());
                copies.values.insert(phi.value(), copy.value());
            }
        }
        for block in blocks {
            builder.at_end(copies.blocks[block]);
            for original in wanted(block).into_iter().filter(|i| !i.is_phi()) {
                let copy = builder.copy(original, |value| copies.value(value));
                SCOPES.iter().for_each(|kind| copy.set_metadata(kind, None));
                copies.values.insert(original.value(), copy.value());
            }
        }
        copies
    }

    /// Gives the copies the ends of what they are copies of. These lead where `elsewhere` says, else to copies, else where the program's lead, which hears of it.
    pub fn lead(&self, builder: &Builder<'ir>, elsewhere: impl Fn(Block<'ir>) -> Option<Block<'ir>>) {
        for block in self.originals.iter().copied() {
            let own = self.blocks[&block];
            let old = block.terminator().expect("law: a complete block has a terminator");
            builder.at_end(own);
            let copy = builder.copy(old, |value| self.value(value));
            for (at, next) in old.successors().into_iter().enumerate() {
                let inside = elsewhere(next).or_else(|| self.blocks.get(&next).copied());
                copy.set_successor(at, inside.unwrap_or(next));
                if inside.is_none() {
                    for phi in next.phis() {
                        let value = phi.incoming_from(block).expect("law: a phi has a value from each way in");
                        phi.add_incoming(self.value(value), own);
                    }
                }
            }
        }
    }

    /// Says that nothing is to be made of loops in the copies.
    pub fn mark_aside(&self) {
        self.originals.iter().for_each(|block| self.end(*block).mark_aside());
    }

    /// The block in which the copy of a block ends.
    pub fn end(&self, block: Block<'ir>) -> Block<'ir> {
        self.ends.get(&block).copied().unwrap_or_else(|| self.blocks[&block])
    }

    /// What stands for a value where copies run.
    pub fn value(&self, value: Value<'ir>) -> Value<'ir> {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// The copy of a phi.
    pub fn phi(&self, phi: Instruction<'ir>) -> Instruction<'ir> {
        self.values[&phi.value()].as_instruction().expect("law: the copy of a phi is one")
    }

    /// Gives the copy of a phi its edges, as far as they come from copied blocks.
    pub fn connect(&self, phi: Instruction<'ir>) {
        for (value, from) in phi.incoming() {
            if self.blocks.contains_key(&from) {
                self.phi(phi).add_incoming(self.value(value), self.end(from));
            }
        }
    }
}
