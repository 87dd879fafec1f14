//! An opaque part of the original code as one instance of a statement: its blocks are copied as they are.
//!
//!         ...                                    what the part uses from outside is computed for this instance
//!         br (x > t), then, join        ->       br (x' > t'), then', out
//!     then:  store x, B[i];  br join             then':  store x', B[i]';  br out
//!     join:  p = phi ...                         out:    p' = phi ...;  the scalar that stands for p = p'
//!
//! Control inside stays what it is, so nothing runs that did not run, and in the same order.

use super::statement::Instance;
use super::writer::Writer;
use crate::extract::binding::{OpaqueAccess, Output};
use crate::extract::opaque::{Opaque, decider};
use crate::llvm::instruction::{Branch, Wrapping};
use crate::llvm::{Block, Instruction, Value, ValueKind};
use std::collections::HashMap;

impl<'ir> Writer<'_, 'ir> {
    pub(super) fn opaque(
        &mut self,
        part: &Opaque<'ir>,
        accesses: &[OpaqueAccess<'ir>],
        outputs: &[Output<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) {
        let inside: Vec<Instruction<'ir>> = part.blocks.iter().flat_map(|block| block.instructions()).collect();
        let leaving = part.exit.phis().into_iter().flat_map(|phi| phi.incoming());
        let leaving: Vec<Value<'ir>> =
            leaving.filter(|(_, from)| part.leads_on(*from)).map(|(value, _)| value).collect();
        let start = part.start.terminator().expect("law: a complete block has a terminator");
        let used = std::iter::once(start).chain(inside.iter().copied()).flat_map(used_values).chain(leaving);
        for value in used.collect::<Vec<_>>() {
            let home = value.as_instruction().and_then(|i| i.block());
            if !home.is_some_and(|home| part.blocks.contains(&home)) {
                self.copied(value, instance);
            }
        }
        let copies: HashMap<Block<'ir>, Block<'ir>> =
            part.blocks.iter().map(|block| (*block, self.new_block("part"))).collect();
        let out = self.new_block("part.end");
        let before = self.builder.block();
        let target = |to: Block<'ir>| copies.get(&to).copied().unwrap_or(out);
        let mut phis: Vec<(Instruction<'ir>, Instruction<'ir>)> = Vec::new();
        for block in std::iter::once(part.start).chain(part.blocks.iter().copied()) {
            if block != part.start {
                self.builder.at_end(copies[&block]);
                for instruction in block.instructions() {
                    self.part_instruction(instruction, accesses, &mut phis, instance);
                }
            }
            let end = block.terminator().expect("law: a complete block has a terminator");
            match end.branch() {
                Some(Branch::Always(to)) => {
                    self.builder.jump(target(to));
                }
                Some(Branch::If { condition, then, otherwise }) => {
                    self.builder.branch(instance.copies[&condition], target(then), target(otherwise));
                }
                None => {
                    let copy =
                        self.builder.copy(end, |operand| instance.copies.get(&operand).copied().unwrap_or(operand));
                    end.successors().into_iter().enumerate().for_each(|(at, to)| copy.set_successor(at, target(to)));
                }
            };
        }
        let from_copy = |from: Block<'ir>| copies.get(&from).copied().unwrap_or(before);
        for (original, copy) in phis {
            for (value, from) in original.incoming() {
                copy.add_incoming(instance.copies[&value], from_copy(from));
            }
        }
        self.builder.at_end(out);
        let mut results = Vec::new();
        for output in outputs {
            let phi = output.value.as_instruction().filter(|i| i.is_phi() && i.block() == Some(part.exit));
            results.push(match phi {
                Some(phi) => {
                    let merged = self.builder.phi(phi.ty(), "handed.on");
                    for (value, from) in phi.incoming().into_iter().filter(|(_, from)| part.leads_on(*from)) {
                        merged.add_incoming(instance.copies[&value], from_copy(from));
                    }
                    merged.value()
                }
                None => instance.copies[&output.value],
            });
        }
        for (output, value) in outputs.iter().zip(results) {
            let (cell, alignment, is_shared) = self.scalar(output.array, value.ty(), &output.subscripts, instance);
            let store = self.builder.store(value, cell, alignment);
            self.mark(store, output.array, is_shared);
        }
    }

    /// A copy of one instruction of a part; phis get their edges when all blocks are there.
    fn part_instruction(
        &mut self,
        instruction: Instruction<'ir>,
        accesses: &[OpaqueAccess<'ir>],
        phis: &mut Vec<(Instruction<'ir>, Instruction<'ir>)>,
        instance: &mut Instance<'_, 'ir>,
    ) {
        if instruction.is_terminator() || instruction.is_marker() {
            return;
        }
        if instruction.is_phi() {
            let copy = self.builder.phi(instruction.ty(), "part");
            phis.push((instruction, copy));
            instance.copies.insert(instruction.value(), copy.value());
            return;
        }
        let copy = self.builder.copy(instruction, |operand| instance.copies.get(&operand).copied().unwrap_or(operand));
        if instance.is_update {
            copy.set_wrapping(Wrapping::default());
        }
        if let Some(access) = accesses.iter().find(|access| access.instruction == instruction) {
            self.mark(copy, access.array, false);
        }
        instance.copies.insert(instruction.value(), copy.value());
    }
}

fn used_values(instruction: Instruction<'_>) -> Vec<Value<'_>> {
    match instruction.is_terminator() {
        true => decider(instruction).into_iter().collect(),
        false if instruction.is_marker() => Vec::new(),
        false => {
            let values = instruction.operands().into_iter();
            values.filter(|value| !matches!(value.kind(), ValueKind::Block | ValueKind::Other)).collect()
        }
    }
}
