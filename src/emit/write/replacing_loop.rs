//! A loop that is asked block by block whether it replaces the best so far:
//!
//!     blocks:   b = phi [first, before], [b + 128, next]     hot = phi [false, before], [hot', next]
//!               br hot, runs, asks
//!     asks:     any = phi [false, blocks], [any | x[i] > m, asks]     i = b ... b + 127
//!               br (freeze any), parts, next
//!     parts:    the same of b ... b + 127 in parts of 32, the iterations of which run where one replaces     jump next
//!     runs:     loop: i = b ... b + 127     jump next
//!     next:     hot' = phi [false, asks], [all parts replaced, parts], [m is another one, runs]
//!               br (b + 128 <= last - 127), blocks, rest
//!     rest:     what is left in parts of 32     loop: i = b ... last
//!
//! While the best so far grows all the time, blocks are hot: they run without a question.
//!
//! See [`crate::emit::plan::innermost::replacing`].

use super::loops::{Loop, Names};
use super::operators::differ;
use super::statement::Instance;
use super::writer::Writer;
use crate::ast::For;
use crate::emit::arith::bounds::{Known, Range};
use crate::emit::plan::innermost::replacing::asked;
use crate::emit::plan::innermost::{InBlocks, single};
use crate::extract::binding::BoundStatement;
use crate::extract::binding::question::Question;
use crate::extract::reductions::arg_reduction::Pick;
use crate::extract::region::pragmas::Unrolling;
use crate::llvm::{Block, Instruction, IntPredicate, LoopHint, Metadata, Opcode, Type, Value};
use crate::schedule::loops::nest::ASKED_AGAIN;

/// How many iterations are asked at once, and how many again where one replaces.
#[derive(Clone, Copy)]
struct Sizes {
    block: i64,
    part: i64,
}

/// Blocks are so large that to start and to end vectors is little beside them, and so small that those in which something is replaced are few. (Measured on the largest of 32,000
/// floats and doubles.)
const USUAL: Sizes = Sizes { block: 128, part: ASKED_AGAIN };

/// Where new loops are to run however little there is to do (`min-work=0`, as in tests), so that short loops have blocks.
const SHORT: Sizes = Sizes { block: 8, part: 4 };

/// So many iterations of a part are written out, each of which waits for the last one: LLVM would write out all of them.
const AT_ONCE: u32 = 4;

const _: () = assert!(USUAL.block % USUAL.part == 0 && SHORT.block % SHORT.part == 0, "a block is whole parts");

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
    known: Instruction<'ir>,
    initially: [Value<'ir>; 2],
}

impl<'p, 'ir> Writer<'p, 'ir> {
    /// A loop block by block, if it is planned so.
    pub(super) fn for_in_blocks(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
        match self.plan.in_blocks.get(&each.iterator) {
            Some(InBlocks::Asked) => self.replacing_for(each, lower, upper),
            Some(InBlocks::Packed) => self.packing_for(each, lower, upper),
            None => self.for_(each, lower, upper, &mut Writer::node),
        }
    }

    fn replacing_for(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
        let cold = self.builder.integer(1, 0);
        let rest = match self.enter_blocks(each, self.sizes().block, (lower, upper), cold) {
            Some(blocks) => {
                let is_hot = self.block(each, &blocks);
                self.leave_blocks(each, blocks, is_hot, Unrolling::Forbidden).0
            }
            None => lower,
        };
        let (rest, _) = self.in_parts(each, rest, upper);
        self.for_(each, rest, upper, &mut Writer::node);
    }

    fn sizes(&self) -> Sizes {
        if self.plan.settings.minimal_work == 0 { SHORT } else { USUAL }
    }

    /// Writes a block, and says whether the next one is hot.
    fn block(&mut self, each: &For, blocks: &Blocks<'ir>) -> Value<'ir> {
        let Blocks { first, last, known, .. } = *blocks;
        let [runs, asks, parts, next] = ["runs", "asks", "parts", "asked.end"].map(|name| self.new_block(name));
        self.builder.branch(known.value(), runs, asks);
        self.builder.at_end(asks);
        let any = self.any_replaces(each, first, last);
        self.builder.branch(self.builder.freeze(any), parts, next);
        let mut ways = vec![(self.builder.integer(1, 0), self.builder.block())];
        self.builder.at_end(parts);
        let (_, all) = self.in_parts(each, first, last);
        self.builder.jump(next);
        ways.push((all, self.builder.block()));
        self.builder.at_end(runs);
        let before = self.best(each, first);
        self.part(each, first, last);
        let after = self.best(each, first);
        let changed = self.builder.freeze(differ(&self.builder, self.main, after, before));
        self.builder.jump(next);
        ways.push((changed, self.builder.block()));
        self.builder.at_end(next);
        let is_hot = self.builder.phi(Type::integer(self.builder.context(), 1), "hot");
        ways.into_iter().for_each(|(value, from)| is_hot.add_incoming(value, from));
        is_hot.value()
    }

    /// The iterations between two bounds in parts that are asked, those left out with which no part is filled. Says with which they begin, and whether all parts
    /// replaced the best so far.
    fn in_parts(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) -> (Known<'ir>, Value<'ir>) {
        let yes = self.builder.integer(1, 1);
        let Some(parts) = self.enter_blocks(each, self.sizes().part, (lower, upper), yes) else { return (lower, yes) };
        let any = self.any_replaces(each, parts.first, parts.last);
        let any = self.builder.freeze(any);
        let (runs, next) = (self.new_block("replaces"), self.new_block("part.end"));
        self.builder.branch(any, runs, next);
        self.builder.at_end(runs);
        self.part(each, parts.first, parts.last);
        self.builder.jump(next);
        self.builder.at_end(next);
        let all = self.builder.binary(Opcode::And, parts.known.value(), any);
        self.leave_blocks(each, parts, all, Unrolling::Forbidden)
    }

    /// Iterations of a block or a part, one by one.
    fn part(&mut self, each: &For, first: Known<'ir>, last: Known<'ir>) {
        self.for_(each, first, last, &mut Writer::node);
        let counter = self.names[&each.iterator].value.as_instruction().expect("law: a loop counts by a phi");
        let (_, latch) = *counter.incoming().last().expect("law: a phi has a value from each way in");
        let end = latch.terminator().expect("law: a complete block has a terminator");
        end.hint_loop(LoopHint::UnrollCount(AT_ONCE));
    }

    /// A loop over blocks of so many iterations between two bounds, if there can be such a block; `initially` is known before the first one.
    pub(super) fn enter_blocks(
        &mut self,
        each: &For,
        size: i64,
        (lower, upper): (Known<'ir>, Known<'ir>),
        initially: Value<'ir>,
    ) -> Option<Blocks<'ir>> {
        let inside = i128::from(size - 1) * step_of(each);
        let range = upper.range.minus(Range::new(inside, inside)).and_then(Range::in_word)?;
        (range.high >= lower.range.low).then_some(())?;
        let last_block = self.arithmetic().sub(upper, self.arithmetic().constant(inside)).value;
        let before = self.builder.block();
        let names = Names { body: "block", after: "rest", counter: "block.first" };
        let written = Loop::enter(&self.builder, self.function(), names, lower.value, last_block);
        let known = self.builder.phi(initially.ty(), "known");
        known.add_incoming(initially, before);
        let range = Range::new(lower.range.low, range.high.max(lower.range.low));
        let first = Known { value: written.counter(), range };
        let last = self.arithmetic().add(first, self.arithmetic().constant(inside));
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

    /// A value that is replaced with the best so far.
    fn best(&mut self, each: &For, first: Known<'ir>) -> Value<'ir> {
        let (bound, iterators) = self.run_in(each, first);
        let mut instance = Instance::of(&bound.loops, &bound.leaves, &iterators);
        let witness = match asked(bound).expect("law: a planned statement can be asked") {
            Question::Changes { picks } => picks.first().map(Pick::witness),
            Question::Selects | Question::Branch { .. } => bound.picks.first().map(|bound| bound.pick.witness()),
        };
        self.copied(witness.expect("law: who is asked has a pick").old, &mut instance)
    }

    /// The statement that a loop runs, with its iterators in an iteration, which is written from now on.
    pub(super) fn run_in(&mut self, each: &For, iteration: Known<'ir>) -> (&'p BoundStatement<'ir>, Vec<Known<'ir>>) {
        self.names.insert(each.iterator.clone(), iteration);
        let (statement, arguments) = single(each).expect("law: a planned loop has one statement");
        let iterators = self.arguments(arguments);
        let plan = self.plan;
        (&plan.binding.statements[plan.statement(statement)], iterators)
    }

    /// Whether one of the iterations from `first` to `last`, of which there is at least one, would replace what all of them are asked with.
    fn any_replaces(&mut self, each: &For, first: Known<'ir>, last: Known<'ir>) -> Value<'ir> {
        let no = self.builder.integer(1, 0);
        let asked = self.enter_blocks(each, 1, (first, last), no).expect("law: there is an iteration to be asked");
        let replaces = self.answer(each, asked.first);
        let any = self.builder.binary(Opcode::Or, asked.known.value(), replaces);
        self.leave_blocks(each, asked, any, self.plan.binding.region.unrolling).1
    }

    /// The answer of the instance in an iteration.
    fn answer(&mut self, each: &For, iteration: Known<'ir>) -> Value<'ir> {
        let (bound, iterators) = self.run_in(each, iteration);
        let of = Instance::of(&bound.loops, &bound.leaves, &iterators);
        let mut instance = Instance { is_update: true, loads: &bound.loads, picks: &bound.picks, ..of };
        let outer = self.writing.replace(bound.id.clone());
        let group = self.group.take();
        let answer = match asked(bound).expect("law: a planned statement can be asked") {
            Question::Branch { condition, replaces } => {
                let condition = self.copied(condition, &mut instance);
                let yes = self.builder.integer(1, 1);
                if replaces { condition } else { self.builder.binary(Opcode::Xor, condition, yes) }
            }
            Question::Selects => {
                let picks: Vec<Pick<'ir>> = bound.picks.iter().map(|bound| bound.pick.clone()).collect();
                self.any_replaced(&bound.root, &picks, &mut instance)
            }
            Question::Changes { picks } => {
                instance.is_early = true;
                self.any_replaced(&bound.root, &picks, &mut instance)
            }
        };
        self.group = group;
        self.writing = outer;
        answer
    }
}

pub(super) fn step_of(each: &For) -> i128 {
    i128::from(each.step.as_i64().expect("law: a planned step has 64 bits"))
}
