//! Copies of blocks of a loop, which lead where who makes them says.

use crate::llvm::{Block, Builder, Instruction, Value};
use std::collections::HashMap;

/// Metadata of accesses that is about one place in the program.
const SCOPES: [&str; 3] = ["alias.scope", "noalias", "llvm.access.group"];

/// Copies of blocks and of the values in them.
#[derive(Default)]
pub struct Copies<'ir> {
    pub blocks: HashMap<Block<'ir>, Block<'ir>>,
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
        let mut copies = Copies::default();
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
            if let Some(own) = self.blocks.get(&from) {
                self.phi(phi).add_incoming(self.value(value), *own);
            }
        }
    }
}
