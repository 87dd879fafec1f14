//! Which ways the lanes of a loop go that reads where data says.
//!
//! In order, a processor guesses where each iteration goes. Where lanes go the same ways as often as the one before, it guesses right, and is faster than all lanes together; where each goes
//! ways of its own, it waits at every other branch. So it is counted how many lanes went the way of the one before:
//!
//!     ways = 2 * ways + (the lane goes the first way)     at each branch of the loop, and at each choice of one of two values

use super::lanes::Lanes;
use crate::llvm::{Builder, Instruction, IntPredicate, Opcode, Signedness, Type, Value};

impl<'ir> Lanes<'_, 'ir> {
    /// Notes which lanes choose the first of two values: processors may be made to guess that, as they guess ways.
    pub(super) fn note_choice(&mut self, builder: &Builder<'ir>, instruction: Instruction<'ir>, mask: Value<'ir>) {
        if let (Some((condition, ..)), Some(_)) = (instruction.select(), &self.round) {
            let holds = self.vector(builder, condition);
            let [yes, _] = self.divided(builder, mask, holds);
            self.note_way(builder, yes);
        }
    }

    /// Notes which lanes take the one way of a branch of the loop.
    pub(super) fn note_way(&mut self, builder: &Builder<'ir>, yes: Value<'ir>) {
        let Some(ways) = self.round.as_ref().map(|round| round.ways).filter(|_| self.divergent.reads.in_loop) else {
            return;
        };
        let digit = builder.cast(Opcode::ZExt, self.bits(builder, yes), ways.ty());
        let ways = builder.add(builder.add(ways, ways), digit);
        self.round.iter_mut().for_each(|round| round.ways = ways);
    }

    /// How many lanes have run as often as the one before, and gone the same ways.
    pub(super) fn alike(&self, builder: &Builder<'ir>, [ways, busy]: [Value<'ir>; 2]) -> Value<'ir> {
        let lanes = self.count;
        let before: Vec<u32> = (0..lanes).map(|lane| (lane + lanes - 1) % lanes).collect();
        let is_same = |all: Value<'ir>| builder.icmp(IntPredicate::Eq, all, builder.picked(all, &before));
        let bits = builder.lanes_as_bits(builder.binary(Opcode::And, is_same(ways), is_same(busy)), lanes);
        let word = Type::integer(builder.context(), 64);
        let bits = builder.resize(bits, word, Signedness::Unsigned);
        builder.intrinsic("llvm.ctpop", &[word], &[bits]).value()
    }
}
