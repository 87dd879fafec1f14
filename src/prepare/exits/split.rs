//! One loop becomes three: what its exits need, the iterations before the one that leaves, and that one.
//!
//! ```text
//! before -> slice -> found -> ahead -> counted loop -> behind -> last -> where the program's ways out lead
//!                      \____________________________________/
//! ```
//!
//! The counted loop is the program's own, without ways out but for its end. Slice and last iteration are copies; in the latter the way back leads nowhere, as the slice
//! has seen that it is not taken. If little is done, the first iterations run before ([`super::begin`]). If something is asked before the loop, the way back is left as it is, and that copy runs from the beginning where the answer is no.

use super::begin::{Beginning, begin};
use super::copies::{Copies, is_single, lay_out};
use super::exit::Exit;
use crate::llvm::instruction::Wrapping;
use crate::llvm::{Analyses, Block, Builder, Instruction, IntPredicate, Opcode, Type, Value};
use crate::prepare::apart::behind::Watch;
use crate::prepare::searches::Way;

/// Loops that go on fewer times than that take no longer as they are.
const SHORT: i128 = 80;

/// Iterations are counted up to how many there are.
const COUNTED: Wrapping = Wrapping { nuw: true, nsw: true, exact: false };

struct Split<'ir> {
    exit: Exit<'ir>,
    /// Whether all of it may have to run as it is.
    is_near: Option<Value<'ir>>,
    watches: Vec<Watch<'ir>>,
    builder: Builder<'ir>,
    word: Type<'ir>,
    /// Behind the slice, and before and behind the counted loop.
    found: Block<'ir>,
    ahead: Block<'ir>,
    behind: Block<'ir>,
}

/// What is asked before a loop.
pub(super) struct Asked<'ir> {
    /// Whether it has so few iterations that it is to run as it is.
    is_short: Option<Value<'ir>>,
    /// Whether its exit cannot be found first.
    is_near: Option<Value<'ir>>,
    /// What is asked as the slice runs.
    watches: Vec<Watch<'ir>>,
}

impl<'ir> Asked<'ir> {
    /// Asks.
    pub(super) fn before(exit: &Exit<'ir>, analyses: &Analyses<'_, 'ir>) -> Asked<'ir> {
        let before = end(exit.preheader);
        let counted = exit.begun.as_ref().filter(|conditions| conditions.is_counted());
        let left = counted.map(|conditions| conditions.steps_left(analyses));
        let is_apart = (!exit.apart.is_empty()).then(|| exit.apart.asked(analyses, before));
        let watches = exit.behind.watches(analyses, before);
        let short = exit.spans.iter().filter_map(|span| span.is_short(analyses, before));
        let short: Vec<Value<'ir>> = short.collect();
        let builder = Builder::new(exit.header.function().context());
        builder.before(before);
        let is_short = left.map(|left| builder.icmp(IntPredicate::Ult, left, Value::integer(left.ty(), SHORT)));
        let all = is_apart.into_iter().chain(watches.iter().map(|watch| watch.has_room));
        let can_be_asked = all.reduce(|all, part| builder.binary(Opcode::And, all, part));
        let near = can_be_asked.map(|can| builder.not(can)).into_iter().chain(short);
        Asked { is_short, is_near: near.reduce(|any, part| builder.binary(Opcode::Or, any, part)), watches }
    }
}

/// Splits a loop where it is not asked before it whether it is to run as it is; the counted one is marked with the number.
pub(super) fn split<'ir>(mut exit: Exit<'ir>, asked: Asked<'ir>, number: usize) {
    let function = exit.header.function();
    let builder = Builder::new(function.context());
    if exit.begun.is_some() {
        let Exit { preheader, header, latch, .. } = exit;
        let (blocks, steps, is_short) = (&exit.blocks, &exit.steps, asked.is_short);
        let of = Beginning { preheader, header, latch, blocks, steps, is_short };
        exit.preheader = begin(&builder, &of);
        sink(asked.is_near, preheader, exit.preheader);
    }
    let word = Type::integer(function.context(), 64);
    let [found, ahead, behind] = ["found", "ahead", "behind"].map(|name| function.new_block(name));
    let split = Split { exit, is_near: asked.is_near, watches: asked.watches, builder, word, found, ahead, behind };
    let (first, count) = split.find();
    let last = split.last();
    split.builder.at_end(found);
    let is_none = split.builder.icmp(IntPredicate::Eq, count, Value::integer(word, 0));
    split.builder.branch(is_none, last, ahead);
    split.builder.at_end(ahead);
    split.builder.jump(split.exit.header);
    split.builder.at_end(behind);
    split.builder.jump(last);
    split.count(count);
    split.enter(first, last);
    split.exit.behind.say(end(ahead));
    split.exit.latch.mark_counted(number, &split.exit.lines);
    split.exit.left.iter().for_each(|latch| latch.mark_left());
}

fn end<'ir>(block: Block<'ir>) -> Instruction<'ir> {
    block.terminator().expect("law: a complete block has a terminator")
}

fn start<'ir>(block: Block<'ir>) -> Instruction<'ir> {
    block.first_instruction().expect("law: a complete block has a terminator")
}

/// Has a value that nothing uses yet computed at the end of another block, with what it alone is computed from.
fn sink<'ir>(value: Option<Value<'ir>>, from: Block<'ir>, to: Block<'ir>) {
    let (mut moved, mut next): (Vec<Instruction<'ir>>, _) = (Vec::new(), end(to));
    for here in from.instructions().into_iter().rev() {
        let is_alone = || here.users().iter().all(|user| moved.contains(user));
        let may_move =
            || !here.is_phi() && !here.is_terminator() && !here.has_side_effects() && !here.may_read_memory();
        if Some(here.value()) == value || !moved.is_empty() && may_move() && !here.users().is_empty() && is_alone() {
            here.move_before(next);
            next = here;
            moved.push(here);
        }
    }
}

impl<'ir> Split<'ir> {
    fn is_inside(&self, block: Block<'ir>) -> bool {
        self.exit.blocks.contains(&block)
    }

    /// Writes the slice. Its first block, and how many iterations run before the one that leaves.
    fn find(&self) -> (Block<'ir>, Value<'ir>) {
        let Split { exit, builder, .. } = self;
        let slice = &exit.slice;
        let mut copies = Copies::of(builder, &slice.blocks, "first", |i| slice.instructions.contains(&i));
        let mut left = self.watch(&mut copies);
        let (header, latch) = (copies.blocks[&exit.header], copies.end(exit.latch));
        for block in &slice.blocks {
            let own = copies.end(*block);
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
        exit.spans.iter().for_each(|span| span.leap(builder, |block| copies.end(block), |value| copies.value(value)));
        builder.before(start(header));
        let steps = builder.phi(self.word, "steps");
        builder.before(end(latch));
        let next = builder.binary_with(Opcode::Add, steps.value(), builder.integer(64, 1), COUNTED);
        steps.add_incoming(builder.integer(64, 0), exit.preheader);
        steps.add_incoming(next, latch);
        // The clean-up may have one way out ask for all, which makes another block the latch.
        let may_be_latch = |block: &Block<'ir>| exit.is_innermost || *block == latch;
        for block in slice.blocks.iter().map(|block| copies.end(*block)).filter(may_be_latch) {
            if !exit.is_kept {
                block.mark_search();
            }
            if exit.begun.is_some() {
                block.mark_begun();
            }
        }
        builder.at_end(self.found);
        let count = builder.phi(self.word, "count");
        left.into_iter().for_each(|from| count.add_incoming(steps.value(), from));
        copies.mark_aside();
        (header, count.value())
    }

    /// Has the slice stop where what the program writes is not apart from what it reads. The blocks in which it does.
    fn watch(&self, copies: &mut Copies<'ir>) -> Vec<Block<'ir>> {
        let Split { exit, builder, watches, .. } = self;
        let mut left = Vec::new();
        for block in &exit.slice.blocks {
            let here: Vec<&Watch<'ir>> = watches.iter().filter(|watch| watch.address.block() == Some(*block)).collect();
            if here.is_empty() {
                continue;
            }
            let own = copies.blocks[block];
            builder.at_end(own);
            let asked = here.iter().map(|watch| {
                let gone: Vec<(Value<'ir>, i128)> = exit
                    .spans
                    .iter()
                    .filter_map(|span| span.gone(builder, watch.address, |value| copies.value(value)))
                    .collect();
                watch.is_apart(builder, |value| copies.value(value), &gone)
            });
            let all =
                asked.reduce(|all, part| builder.binary(Opcode::And, all, part)).expect("law: something is asked");
            let next = own.function().new_block("apart");
            builder.branch(all, next, self.found);
            copies.ends.insert(*block, next);
            left.push(own);
        }
        left
    }

    /// Writes the iteration that leaves, which is all of the loop where that runs as it is. Its first block.
    fn last(&self) -> Block<'ir> {
        let Split { exit, is_near, builder, .. } = self;
        let copies = Copies::of(builder, &exit.blocks, "last", |i| !is_single(i));
        let (header, latch) = (copies.blocks[&exit.header], copies.blocks[&exit.latch]);
        let back = if is_near.is_some() { header } else { self.never() };
        copies.lead(builder, |next| (next == exit.header).then_some(back));
        let inner = exit.blocks.iter().filter(|block| **block != exit.header);
        inner.flat_map(|block| block.phis()).for_each(|phi| copies.connect(phi));
        for phi in exit.header.phis() {
            let copy = copies.phi(phi);
            let from = |block| phi.incoming_from(block).expect("law: a phi has a value from each way in");
            copy.add_incoming(from(exit.preheader), self.found);
            copy.add_incoming(from(exit.latch), self.behind);
            if back == header {
                copy.add_incoming(from(exit.preheader), exit.preheader);
                copy.add_incoming(copies.value(from(exit.latch)), latch);
            }
        }
        if back == header {
            lay_out(latch, &exit.blocks);
        }
        copies.mark_aside();
        header
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

    /// Has the slice run where the loop began, or else the copy of the loop.
    fn enter(&self, first: Block<'ir>, last: Block<'ir>) {
        let Split { exit, is_near, builder, .. } = self;
        let old = end(exit.preheader);
        let Some(is_near) = is_near else { return old.redirect(exit.header, first) };
        builder.before(old);
        builder.branch(*is_near, last, first).set_location(old.location());
        old.remove();
    }

    /// Has the answer to what a way out asks, which each iteration comes to, be known in the loop, whose iterations do not take that way.
    fn know(&self, way: &Way<'ir>) {
        let known = Value::integer(way.condition.ty(), (!way.if_holds).into());
        for user in
            way.condition.users().into_iter().filter(|user| user.block().is_some_and(|block| self.is_inside(block)))
        {
            let operands = user.operands().into_iter().enumerate().filter(|(_, operand)| *operand == way.condition);
            operands.for_each(|(at, _)| user.set_operand(at, known));
        }
    }

    /// Has the loop run so many iterations and nothing else.
    fn count(&self, count: Value<'ir>) {
        let Split { exit, builder, .. } = self;
        for phi in exit.header.phis() {
            let first = phi.incoming_from(exit.preheader).expect("law: a phi has a value from each way in");
            phi.add_incoming(first, self.ahead);
        }
        exit.header.forget_predecessor(exit.preheader);
        exit.always.iter().for_each(|way| self.know(way));
        let out = self.ways_out();
        out.iter().for_each(|(from, to)| to.forget_predecessor(*from));
        let mut leaving: Vec<Block<'ir>> =
            out.into_iter().map(|(from, _)| from).filter(|from| *from != exit.latch).collect();
        leaving.dedup();
        for from in leaving {
            let old = end(from);
            let inside: Vec<Block<'ir>> = old.successors().into_iter().filter(|next| self.is_inside(*next)).collect();
            inside[1..].iter().for_each(|again| again.forget_predecessor(from));
            builder.before(old);
            let next = builder.jump(inside[0]);
            next.set_location(old.location());
            next.set_metadata("llvm.loop", old.metadata("llvm.loop"));
            old.remove();
        }
        builder.before(start(exit.header));
        let step = builder.phi(self.word, "step");
        let old = end(exit.latch);
        builder.before(old);
        let next = builder.binary_with(Opcode::Add, step.value(), builder.integer(64, 1), COUNTED);
        step.add_incoming(builder.integer(64, 0), self.ahead);
        step.add_incoming(next, exit.latch);
        let goes_on = builder.icmp(IntPredicate::Ne, next, count);
        let branch = builder.branch(goes_on, exit.header, self.behind);
        branch.set_location(old.location());
        branch.set_metadata("llvm.loop", old.metadata("llvm.loop"));
        old.remove();
    }
}
