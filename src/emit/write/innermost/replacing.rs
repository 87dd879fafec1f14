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

use super::blocks::Blocks;
use crate::ast::For;
use crate::emit::arith::bounds::Known;
use crate::emit::plan::innermost::replacing::asked;
use crate::emit::write::operators::differ;
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::Writer;
use crate::emit::write::written::Written;
use crate::extract::binding::question::Question;
use crate::extract::reductions::arg_reduction::Pick;
use crate::extract::region::pragmas::Unrolling;
use crate::llvm::{LoopHint, Opcode, Type, Value};
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

impl<'p, 'ir> Writer<'p, 'ir> {
    pub(super) fn replacing_for(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
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
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
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
