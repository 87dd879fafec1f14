//! One loop becomes three: what its exits need, the iterations before the one that leaves, and that one.
//!
//! ```text
//! before -> slice -> found -> ahead -> counted loop -> behind -> last -> where the program's ways out lead
//!                      \____________________________________/
//! ```
//!
//! The counted loop is the program's own, without ways out but for its end. Slice and last iteration are copies; in the latter the way back leads nowhere, as the slice
//! has seen that it is not taken. If something is asked before the loop, the way back is left as it is, and that copy runs from the beginning where the answer is no.

use super::copies::Copies;
use super::exit::Exit;
use crate::llvm::instruction::{Branch, Wrapping};
use crate::llvm::{Block, Builder, Instruction, IntPredicate, Opcode, Type, Value};

/// Opens a scope, of which there is one only.
const SCOPE: &str = "llvm.experimental.noalias.scope.decl";

/// Iterations are counted up to how many there are.
const COUNTED: Wrapping = Wrapping { nuw: true, nsw: true, exact: false };

struct Split<'e, 'ir> {
    exit: &'e Exit<'ir>,
    /// Whether the exit can be found first, if that is asked before the loop.
    asked: Option<Value<'ir>>,
    builder: Builder<'ir>,
    word: Type<'ir>,
    /// Behind the slice, and before and behind the counted loop.
    found: Block<'ir>,
    ahead: Block<'ir>,
    behind: Block<'ir>,
}

/// Splits a loop; the counted one is marked with the number.
pub(super) fn split<'ir>(exit: &Exit<'ir>, asked: Option<Value<'ir>>, number: usize) {
    let function = exit.header.function();
    let builder = Builder::new(function.context());
    let word = Type::integer(function.context(), 64);
    let [found, ahead, behind] = ["found", "ahead", "behind"].map(|name| function.new_block(name));
    let split = Split { exit, asked, builder, word, found, ahead, behind };
    let (first, count) = split.find();
    let last = split.last();
    split.builder.at_end(found);
    let is_none = split.builder.icmp(IntPredicate::Eq, count, Value::integer(word, 0));
    split.builder.branch(is_none, last, ahead);
    split.builder.at_end(ahead);
    split.builder.jump(exit.header);
    split.builder.at_end(behind);
    split.builder.jump(last);
    split.count(count);
    split.enter(first, last);
    exit.latch.mark_counted(number, &exit.lines);
    exit.left.iter().for_each(|latch| latch.mark_left());
}

fn end<'ir>(block: Block<'ir>) -> Instruction<'ir> {
    block.terminator().expect("law: a complete block has a terminator")
}

fn start<'ir>(block: Block<'ir>) -> Instruction<'ir> {
    block.first_instruction().expect("law: a complete block has a terminator")
}

impl<'ir> Split<'_, 'ir> {
    fn is_inside(&self, block: Block<'ir>) -> bool {
        self.exit.blocks.contains(&block)
    }

    /// Writes the slice. Its first block, and how many iterations run before the one that leaves.
    fn find(&self) -> (Block<'ir>, Value<'ir>) {
        let Split { exit, builder, .. } = self;
        let slice = &exit.slice;
        let mut copies = Copies::of(builder, &slice.blocks, "first", |i| slice.instructions.contains(&i));
        let (header, latch) = (copies.blocks[&exit.header], copies.blocks[&exit.latch]);
        let mut left: Vec<Block<'ir>> = Vec::new();
        for block in &slice.blocks {
            let own = copies.blocks[block];
            builder.at_end(own);
            if let Some(meet) = slice.straight.get(block) {
                builder.jump(copies.blocks[meet]);
                continue;
            }
            let copy = builder.copy(end(*block), |value| copies.value(value));
            for (at, next) in end(*block).successors().into_iter().enumerate() {
                let to = copies.blocks.get(&next).copied().unwrap_or(self.found);
                copy.set_successor(at, to);
                if to == self.found {
                    left.push(own);
                }
            }
        }
        copies.blocks.insert(exit.preheader, exit.preheader);
        for block in &slice.blocks {
            for phi in block.phis().into_iter().filter(|phi| slice.instructions.contains(phi)) {
                copies.connect(phi);
            }
        }
        builder.before(start(header));
        let steps = builder.phi(self.word, "steps");
        builder.before(end(latch));
        let next = builder.binary_with(Opcode::Add, steps.value(), builder.integer(64, 1), COUNTED);
        steps.add_incoming(builder.integer(64, 0), exit.preheader);
        steps.add_incoming(next, latch);
        if !exit.is_kept {
            latch.mark_search();
        }
        builder.at_end(self.found);
        let count = builder.phi(self.word, "count");
        left.into_iter().for_each(|from| count.add_incoming(steps.value(), from));
        self.aside(&copies);
        (header, count.value())
    }

    /// Writes the iteration that leaves. Its first block.
    fn last(&self) -> Block<'ir> {
        let Split { exit, builder, .. } = self;
        let opens = |i: Instruction<'ir>| i.call().and_then(|call| call.intrinsic()).is_some_and(|name| name == SCOPE);
        let copies = Copies::of(builder, &exit.blocks, "last", |i| !opens(i));
        let mut never: Option<Block<'ir>> = None;
        for block in &exit.blocks {
            builder.at_end(copies.blocks[block]);
            let copy = builder.copy(end(*block), |value| copies.value(value));
            for (at, next) in end(*block).successors().into_iter().enumerate() {
                let to = match next == exit.header && self.asked.is_none() {
                    true => *never.get_or_insert_with(|| self.never()),
                    false => copies.blocks.get(&next).copied().unwrap_or(next),
                };
                copy.set_successor(at, to);
            }
            for phi in block.phis() {
                if *block != exit.header {
                    copies.connect(phi);
                    continue;
                }
                let copy = copies.phi(phi);
                let from = |block| phi.incoming_from(block).expect("law: a phi has a value from each way in");
                copy.add_incoming(from(exit.preheader), self.found);
                copy.add_incoming(from(exit.latch), self.behind);
                if self.asked.is_some() {
                    copy.add_incoming(from(exit.preheader), exit.preheader);
                    copy.add_incoming(copies.value(from(exit.latch)), copies.blocks[&exit.latch]);
                }
            }
        }
        for (from, to) in self.ways_out() {
            for phi in to.phis() {
                let value = phi.incoming_from(from).expect("law: a phi has a value from each way in");
                phi.add_incoming(copies.value(value), copies.blocks[&from]);
            }
        }
        self.aside(&copies);
        copies.blocks[&exit.header]
    }

    /// A block that control does not come to.
    fn never(&self) -> Block<'ir> {
        let here = self.builder.block();
        let never = self.exit.header.function().new_block("never");
        self.builder.at_end(never);
        self.builder.unreachable();
        self.builder.at_end(here);
        never
    }

    /// Edges out of the loop, each as often as there is one.
    fn ways_out(&self) -> Vec<(Block<'ir>, Block<'ir>)> {
        let of = |block: &Block<'ir>| {
            let from = *block;
            from.successors().into_iter().filter(|next| !self.is_inside(*next)).map(move |next| (from, next))
        };
        self.exit.blocks.iter().flat_map(of).collect()
    }

    /// Has the slice, or else the copy of the loop, run where the loop began.
    fn enter(&self, first: Block<'ir>, last: Block<'ir>) {
        let Split { exit, builder, asked, .. } = self;
        let old = end(exit.preheader);
        let Some(asked) = asked else { return old.redirect(exit.header, first) };
        builder.before(old);
        builder.branch(*asked, first, last).set_location(old.location());
        old.remove();
    }

    /// Has the loop run so many iterations and nothing else.
    fn count(&self, count: Value<'ir>) {
        let Split { exit, builder, .. } = self;
        for phi in exit.header.phis() {
            let first = phi.incoming_from(exit.preheader).expect("law: a phi has a value from each way in");
            phi.add_incoming(first, self.ahead);
        }
        exit.header.forget_predecessor(exit.preheader);
        let out = self.ways_out();
        out.iter().for_each(|(from, to)| to.forget_predecessor(*from));
        for (from, _) in out.into_iter().filter(|(from, _)| *from != exit.latch) {
            if let Some(Branch::If { then, otherwise, .. }) = end(from).branch() {
                let old = end(from);
                builder.before(old);
                let next = builder.jump(if self.is_inside(then) { then } else { otherwise });
                next.set_location(old.location());
                next.set_metadata("llvm.loop", old.metadata("llvm.loop"));
                old.remove();
            }
        }
        builder.before(start(exit.header));
        let step = builder.phi(self.word, "step");
        let old = end(exit.latch);
        builder.before(old);
        let next = builder.binary_with(Opcode::Add, step.value(), builder.integer(64, 1), COUNTED);
        step.add_incoming(builder.integer(64, 0), self.ahead);
        step.add_incoming(next, exit.latch);
        let goes_on = builder.icmp(IntPredicate::Ult, next, count);
        let branch = builder.branch(goes_on, exit.header, self.behind);
        branch.set_location(old.location());
        branch.set_metadata("llvm.loop", old.metadata("llvm.loop"));
        old.remove();
    }

    /// Says of copies that nothing is to be made of loops in them.
    fn aside(&self, copies: &Copies<'ir>) {
        let own = copies.blocks.iter().filter(|(original, copy)| original != copy);
        own.for_each(|(_, copy)| copy.mark_aside());
    }
}
