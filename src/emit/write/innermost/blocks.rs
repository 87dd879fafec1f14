//! Loops over blocks of iterations, and over what is left behind the last whole block.
//!
//!     before:   br (lower <= last - 127), blocks, rest
//!     blocks:   b = phi [lower, before], [b + 128, next]     known = phi [initially, before], [known', next]
//!               i = b ... b + 127
//!     next:     br (b + 128 <= last - 127), blocks, rest
//!     rest:     first = phi [lower, before], [b + 128, next]
//!
//! where `last` is that of all iterations.

use crate::ast::For;
use crate::emit::arith::bounds::{Known, Range};
use crate::emit::plan::innermost::{InBlocks, single};
use crate::emit::write::loops::{Loop, Names};
use crate::emit::write::writer::Writer;
use crate::extract::binding::BoundStatement;
use crate::extract::region::pragmas::Unrolling;
use crate::llvm::{Block, Instruction, IntPredicate, LoopHint, Metadata, Value};

/// Blocks of iterations, or single ones, the body of the loop over which is being written.
pub(super) struct Blocks<'ir> {
    written: Loop<'ir>,
    before: Block<'ir>,
    /// The iterations of a block.
    pub first: Known<'ir>,
    pub last: Known<'ir>,
    /// The last value of the iterator with which a whole block begins.
    last_block: Value<'ir>,
    /// What is known of the blocks before.
    pub known: Instruction<'ir>,
    initially: [Value<'ir>; 2],
}

impl<'p, 'ir> Writer<'p, 'ir> {
    /// A loop block by block, if it is planned so.
    pub(in crate::emit::write) fn for_in_blocks(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
        match self.plan.in_blocks.get(&each.iterator) {
            Some(InBlocks::Asked) => self.replacing_for(each, lower, upper),
            Some(InBlocks::Packed) => self.packing_for(each, lower, upper),
            Some(InBlocks::SideBySide) => self.side_by_side_for(each, lower, upper),
            None => self.for_(each, lower, upper, &mut Writer::node),
        }
    }

    /// The last value of the iterator with which a whole block of so many iterations between two bounds begins, if there can be such a block.
    pub(super) fn last_block(
        &self,
        each: &For,
        size: i64,
        (lower, upper): (Known<'ir>, Known<'ir>),
    ) -> Option<Known<'ir>> {
        let inside = inside_of(each, size);
        let range = upper.range.minus(Range::new(inside, inside)).and_then(Range::in_word)?;
        let value = || self.arithmetic().sub(upper, self.arithmetic().constant(inside)).value;
        (range.high >= lower.range.low).then(|| Known { value: value(), range })
    }

    /// A loop over blocks of so many iterations between two bounds, if there can be such a block; `initially` is known before the first one.
    pub(super) fn enter_blocks(
        &mut self,
        each: &For,
        size: i64,
        (lower, upper): (Known<'ir>, Known<'ir>),
        initially: Value<'ir>,
    ) -> Option<Blocks<'ir>> {
        let Known { value: last_block, range } = self.last_block(each, size, (lower, upper))?;
        let before = self.builder.block();
        let names = Names { body: "block", after: "rest", counter: "block.first" };
        let written = Loop::enter(&self.builder, self.function(), names, lower.value, last_block);
        let known = self.builder.phi(initially.ty(), "known");
        known.add_incoming(initially, before);
        let range = Range::new(lower.range.low, range.high.max(lower.range.low));
        let first = Known { value: written.counter(), range };
        let last = self.arithmetic().add(first, self.arithmetic().constant(inside_of(each, size)));
        Some(Blocks { written, before, first, last, last_block, known, initially: [lower.value, initially] })
    }

    /// Goes on with the next block, with what is known then; gives back, behind the last one, the first iteration that is in none, and what is known there.
    pub(super) fn leave_blocks(
        &mut self,
        each: &For,
        blocks: Blocks<'ir>,
        known: Value<'ir>,
        unrolling: Unrolling,
    ) -> (Known<'ir>, Value<'ir>) {
        let Blocks { last, last_block, before, .. } = blocks;
        let beyond = self.arithmetic().add(last, self.arithmetic().constant(step_of(each)));
        let goes_on = self.builder.icmp(IntPredicate::Sle, beyond.value, last_block);
        let latch = self.builder.block();
        blocks.known.add_incoming(known, latch);
        let branch = blocks.written.leave(&self.builder, beyond.value, goes_on);
        if unrolling == Unrolling::Forbidden {
            let hints = Metadata::loop_hints(self.builder.context(), &[LoopHint::DisableUnrolling]);
            branch.set_metadata("llvm.loop", Some(hints));
        }
        let [rest, known] = [(beyond.value, "rest"), (known, "known")].map(|(value, name)| {
            let merged = self.builder.phi(value.ty(), name);
            merged.add_incoming(value, latch);
            merged
        });
        let [first, initially] = blocks.initially;
        rest.add_incoming(first, before);
        known.add_incoming(initially, before);
        let range = Range::new(blocks.first.range.low, beyond.range.high.max(blocks.first.range.low));
        (Known { value: rest.value(), range }, known.value())
    }

    /// The statement that a loop runs, with its iterators in an iteration, which is written from now on.
    pub(super) fn run_in(&mut self, each: &For, iteration: Known<'ir>) -> (&'p BoundStatement<'ir>, Vec<Known<'ir>>) {
        self.names.insert(each.iterator.clone(), iteration);
        let (statement, arguments) = single(each).expect("law: a planned loop has one statement");
        let iterators = self.arguments(arguments);
        let plan = self.plan;
        (&plan.binding.statements[plan.statement(statement)], iterators)
    }
}

/// How far the first iteration of a block is from its last one.
fn inside_of(each: &For, size: i64) -> i128 {
    i128::from(size - 1) * step_of(each)
}

pub(super) fn step_of(each: &For) -> i128 {
    i128::from(each.step.as_i64().expect("law: a planned step has 64 bits"))
}
