//! The loop that runs an iteration as it is, then vectors as far as pages reach:
//!
//! ```text
//! first ones -> again -> the loop -> stopped -> pages -> vectors -> none of them -> go on -> again
//!                           \           \          \         \_ one leaves ________/
//!                            ways out    end        \__ not a block's __________/
//! ```
//!
//! `again` holds with which values the loop begins, how many iterations are certain to lead to the next (`left`), and after how many it stops (`c`). `stopped` has seen
//! iteration `i - 1` to its end, so all that it read is there. `pages` computes how many elements behind that one are in the pages of all of them; `vectors` ask a block of these. Where one
//! of them leaves, the loop goes on just there.

use super::conditions::{Change, Conditions, HandedOn, Way, arguments};
use super::reads::Read;
use crate::llvm::build::Promise;
use crate::llvm::{Block, Builder, Instruction, IntPredicate, Opcode, Signedness, Type, Value};
use crate::prepare::exits::begin::{Beginning, FIRST, begin};
use crate::prepare::exits::copies::lay_out;
use std::collections::HashMap;

/// Bytes of the smallest pages by which memory is given to programs.
const PAGE: i128 = 4096;

/// So many iterations are over before vectors have begun.
const SHORT: i128 = 48;

struct Writer<'c, 'ir> {
    of: &'c Conditions<'ir>,
    builder: Builder<'ir>,
    word: Type<'ir>,
    again: Block<'ir>,
    stopped: Block<'ir>,
    pages: Block<'ir>,
    vectors: Block<'ir>,
    go_on: Block<'ir>,
}

/// What is known where the loop begins.
struct Start<'ir> {
    /// Of each value that is handed on.
    values: Vec<Instruction<'ir>>,
    left: Instruction<'ir>,
    /// After how many iterations the loop is to stop, and does.
    wanted: Instruction<'ir>,
    count: Value<'ir>,
}

/// What is known where the loop has stopped: values are those of the last iteration.
struct Stopped<'ir> {
    /// What is handed on to the next one.
    next: Vec<Value<'ir>>,
    /// How many iterations are certain to lead to the next.
    left: Value<'ir>,
    /// Of each pointer that is read by, whatever it points into.
    pointers: HashMap<Value<'ir>, Value<'ir>>,
}

/// How many elements can be read, and how many blocks of these are asked, the last of which may be beyond the last iteration.
struct Reach<'ir> {
    elements: Value<'ir>,
    blocks: Value<'ir>,
}

/// Has a loop ask many elements at once; `left` iterations are certain to lead to the next as far as that is counted.
pub(super) fn ask_many<'ir>(mut of: Conditions<'ir>, mut left: Value<'ir>) {
    let function = of.header.function();
    let names = ["again", "stopped", "pages", "vectors", "go.on"];
    let [again, stopped, pages, vectors, go_on] = names.map(|name| function.new_block(name));
    let builder = Builder::new(function.context());
    let word = Type::integer(function.context(), 64);
    if !of.latch.has_begun() {
        builder.before(end(of.preheader));
        let is_short = || builder.icmp(IntPredicate::Ult, left, Value::integer(word, SHORT));
        let is_short = of.is_counted().then(is_short);
        let Conditions { preheader, header, latch, .. } = of;
        let step = |each: &HandedOn<'ir>| match each.change {
            Change::Step(step) if each.phi.ty().is_pointer() => Some((each.phi, step)),
            _ => None,
        };
        let (blocks, steps) = (&of.blocks, &of.handed_on.iter().filter_map(step).collect());
        of.preheader = begin(&builder, &Beginning { preheader, header, latch, blocks, steps, is_short });
        builder.before(end(of.preheader));
        left = builder.sub(left, Value::integer(word, FIRST));
    }
    let writer = Writer { of: &of, builder, word, again, stopped, pages, vectors, go_on };
    let start = writer.start(left);
    let from = writer.stop(&start);
    let stopped = writer.stopped(from, &start);
    let reach = writer.reach(&stopped);
    let next = writer.vectors(&stopped, &reach);
    writer.go_on(&start, &stopped, next);
}

fn end<'ir>(block: Block<'ir>) -> Instruction<'ir> {
    block.terminator().expect("law: a complete block has a terminator")
}

impl<'ir> Writer<'_, 'ir> {
    fn number(&self, value: i128) -> Value<'ir> {
        Value::integer(self.word, value)
    }

    /// Where the loop begins, at first and again.
    fn start(&self, left: Value<'ir>) -> Start<'ir> {
        let Writer { of, builder, word, again, .. } = self;
        builder.at_end(*again);
        let values = of.handed_on.iter().map(|each| {
            let value = builder.phi(each.phi.ty(), &each.phi.name());
            let first = each.phi.incoming_from(of.preheader).expect("law: a phi has a value from each way in");
            value.add_incoming(first, of.preheader);
            each.phi.add_incoming(value.value(), *again);
            value
        });
        let values = values.collect();
        let left_now = builder.phi(*word, "left");
        left_now.add_incoming(left, of.preheader);
        let wanted = builder.phi(*word, "wanted");
        wanted.add_incoming(self.number(1), of.preheader);
        let count = match of.end {
            Some(_) => {
                let ends = builder.icmp(IntPredicate::Ult, left_now.value(), wanted.value());
                let all = builder.add(left_now.value(), self.number(1));
                builder.select(ends, all, wanted.value())
            }
            None => wanted.value(),
        };
        builder.jump(of.header);
        of.header.forget_predecessor(of.preheader);
        end(of.preheader).redirect(of.header, *again);
        Start { values, left: left_now, wanted, count }
    }

    /// Has the loop stop after so many iterations. The block from which it does.
    fn stop(&self, start: &Start<'ir>) -> Block<'ir> {
        let Writer { of, builder, word, again, stopped, .. } = self;
        let old = end(of.latch);
        let from = if of.end.is_some() { of.latch } else { self.turn() };
        let first = of.header.first_instruction().expect("law: a complete block has a terminator");
        builder.before(first);
        let to_go = builder.phi(*word, "to.go");
        if from == of.latch {
            builder.before(old)
        } else {
            builder.at_end(from)
        }
        let rest = builder.sub(to_go.value(), self.number(1));
        to_go.add_incoming(start.count, *again);
        to_go.add_incoming(rest, from);
        let is_over = builder.icmp(IntPredicate::Eq, rest, self.number(0));
        let branch = builder.branch(is_over, *stopped, of.header);
        branch.set_location(old.location());
        branch.set_metadata("llvm.loop", old.metadata("llvm.loop"));
        match of.end {
            Some(after) => {
                self.lead_from_stopped(after);
                old.remove();
            }
            None => old.set_metadata("llvm.loop", None),
        }
        lay_out(from, &of.blocks);
        from
    }

    /// A block on the way back, which has no end yet.
    fn turn(&self) -> Block<'ir> {
        let of = self.of;
        let turn = of.header.function().new_block("turn");
        for phi in of.header.phis() {
            let next = phi.incoming_from(of.latch).expect("law: a phi has a value from each way in");
            phi.add_incoming(next, turn);
        }
        of.header.forget_predecessor(of.latch);
        end(of.latch).redirect(of.header, turn);
        turn
    }

    /// Has the way to what is behind the loop's end lead from where it stops, where it led from the latch.
    fn lead_from_stopped(&self, after: Block<'ir>) {
        let Writer { of, builder, stopped, .. } = self;
        builder.at_end(*stopped);
        for phi in after.phis() {
            let value = phi.incoming_from(of.latch).expect("law: a phi has a value from each way in");
            let last = self.last(value, of.latch);
            phi.add_incoming(last, *stopped);
        }
        after.forget_predecessor(of.latch);
    }

    /// A value of the last iteration, where the loop has stopped.
    fn last(&self, value: Value<'ir>, from: Block<'ir>) -> Value<'ir> {
        let phi = self.builder.phi(value.ty(), "last");
        phi.add_incoming(value, from);
        phi.value()
    }

    /// What is known where the loop has stopped, which it did coming from a block.
    fn stopped(&self, from: Block<'ir>, start: &Start<'ir>) -> Stopped<'ir> {
        let Writer { of, builder, stopped, pages, .. } = self;
        builder.at_end(*stopped);
        let next = of.handed_on.iter().map(|each| {
            let next = each.phi.incoming_from(from).expect("law: a phi has a value from each way in");
            self.last(next, from)
        });
        let next = next.collect();
        let mut last: Vec<(Value<'ir>, Value<'ir>)> = Vec::new();
        for Read { pointer, .. } in of.all_reads() {
            if !last.iter().any(|(known, _)| *known == pointer) {
                last.push((pointer, self.last(pointer, from)));
            }
        }
        match of.end {
            Some(after) => {
                let is_end = builder.icmp(IntPredicate::Ult, start.left.value(), start.wanted.value());
                builder.branch(is_end, after, *pages);
            }
            None => {
                builder.jump(*pages);
            }
        }
        builder.at_end(*pages);
        let left = builder.sub(start.left.value(), start.wanted.value());
        let pointers = last.into_iter().map(|(pointer, last)| (pointer, builder.of_unknown_object(last))).collect();
        Stopped { next, left, pointers }
    }

    /// How many elements there are behind the last ones in the pages of all of them.
    fn reach(&self, stopped: &Stopped<'ir>) -> Reach<'ir> {
        let Writer { of, builder, pages, vectors, go_on, .. } = self;
        let mut elements: Option<Value<'ir>> = None;
        let mut known: Vec<(Value<'ir>, i128, i128)> = Vec::new();
        for Read { last, size, step, .. } in of.all_reads() {
            if known.contains(&(last, size, step)) {
                continue;
            }
            known.push((last, size, step));
            let address = builder.address(stopped.pointers[&last]);
            let outermost = if step < 0 { address } else { builder.add(address, self.number(size - 1)) };
            let inside = builder.binary(Opcode::And, outermost, self.number(PAGE - 1));
            let bytes = if step < 0 { inside } else { builder.sub(self.number(PAGE - 1), inside) };
            let here = builder.binary(Opcode::UDiv, bytes, self.number(step.abs()));
            elements = Some(elements.map_or(here, |elements| builder.least(elements, here)));
        }
        let elements = elements.expect("law: a search reads");
        let lanes = self.number(of.lanes.into());
        let wanted = builder.add(builder.binary(Opcode::UDiv, stopped.left, lanes), self.number(1));
        let begun = builder.add(elements, self.number(i128::from(of.lanes) - 1));
        let blocks = builder.least(builder.binary(Opcode::UDiv, begun, lanes), wanted);
        let is_none = builder.icmp(IntPredicate::Ult, elements, lanes);
        builder.branch(is_none, *go_on, *vectors);
        debug_assert_eq!(builder.block(), *pages);
        Reach { elements, blocks }
    }

    /// Asks block by block. The numbers of iterations that can be left out, and of those that run then as they are, behind each block that leads on.
    fn vectors(&self, stopped: &Stopped<'ir>, reach: &Reach<'ir>) -> Vec<(Block<'ir>, [Value<'ir>; 2])> {
        let Writer { of, builder, word, pages, vectors, go_on, .. } = self;
        let lanes = self.number(of.lanes.into());
        let [found, none] = ["found", "none"].map(|name| of.header.function().new_block(name));
        builder.at_end(*vectors);
        let number = builder.phi(*word, "block");
        number.add_incoming(self.number(0), *pages);
        // The last block ends where the pages do, and may begin with elements that were asked before: these do not leave.
        let last = builder.sub(reach.elements, lanes);
        let base = builder.least(builder.mul(number.value(), lanes), last);
        let answers = builder.freeze(self.leaving(stopped, base));
        let answers = builder.lanes_as_bits(answers, of.lanes);
        let is_some = builder.icmp(IntPredicate::Ne, answers, Value::zero(answers.ty()));
        builder.branch(is_some, found, none);
        builder.at_end(found);
        let lane = builder.intrinsic("llvm.cttz", &[answers.ty()], &[answers, builder.integer(1, 1)]).value();
        let before = builder.add(base, builder.resize(lane, *word, Signedness::Unsigned));
        let before = builder.least(before, stopped.left);
        builder.jump(*go_on);
        builder.at_end(none);
        let next = builder.add(number.value(), self.number(1));
        number.add_incoming(next, none);
        let is_over = builder.icmp(IntPredicate::Eq, next, reach.blocks);
        let all = builder.least(builder.mul(reach.blocks, lanes), reach.elements);
        let all = builder.least(all, stopped.left);
        builder.branch(is_over, *go_on, *vectors);
        lay_out(none, &[*vectors, none]);
        builder.before(end(*pages));
        let few = builder.add(reach.elements, self.number(1));
        let (nothing, one) = (self.number(0), self.number(1));
        vec![(*pages, [nothing, few]), (found, [before, one]), (none, [all, one])]
    }

    /// Which lanes of the block that begins so many iterations behind the next one leave.
    fn leaving(&self, stopped: &Stopped<'ir>, base: Value<'ir>) -> Value<'ir> {
        let Writer { of, builder, .. } = self;
        let lanes = of.lanes;
        let mut wide: HashMap<Value<'ir>, Value<'ir>> = HashMap::new();
        for here in &of.asked {
            let value = match of.reads.get(here) {
                Some(read) => self.block_of(read, stopped, base),
                None if here.is_phi() => self.handed_on(*here, stopped, base),
                None => {
                    let known = |value: Value<'ir>| wide.get(&value).copied();
                    let operand = |value| known(value).unwrap_or_else(|| builder.splat(value, lanes));
                    let operands: Vec<Value<'ir>> = arguments(*here).into_iter().map(operand).collect();
                    builder.widened(*here, &operands, lanes)
                }
            };
            wide.insert(here.value(), value);
        }
        let taken = |way: &Way<'ir>| {
            let asked = wide.get(&way.condition).copied();
            let asked = asked.unwrap_or_else(|| builder.splat(way.condition, lanes));
            let is_case = |case: &Value<'ir>| builder.icmp(IntPredicate::Eq, asked, builder.splat(*case, lanes));
            let cases = way.cases.iter().map(is_case);
            let holds = cases.reduce(|a, b| builder.binary(Opcode::Or, a, b)).unwrap_or(asked);
            let holds = builder.freeze(holds);
            if way.if_holds { holds } else { builder.not(holds) }
        };
        // Whether an iteration comes to a block, of those that not each does.
        let mut reached: HashMap<Block<'ir>, Value<'ir>> = HashMap::new();
        let both = |a: Option<Value<'ir>>, b: Option<Value<'ir>>| match (a, b) {
            (Some(a), Some(b)) => Some(builder.binary(Opcode::And, a, b)),
            (a, b) => a.or(b),
        };
        for each in &of.sometimes {
            let of_way = |(from, way): &(Block<'ir>, Option<Way<'ir>>)| {
                both(reached.get(from).copied(), way.as_ref().map(taken))
            };
            let ways: Option<Vec<Value<'ir>>> = each.ways.iter().map(of_way).collect();
            if let Some(comes) = ways.and_then(|ways| ways.into_iter().reduce(|a, b| builder.binary(Opcode::Or, a, b)))
            {
                reached.insert(each.block, comes);
            }
        }
        let all = of.ways_out.iter().filter_map(|way| both(reached.get(&way.from).copied(), Some(taken(way))));
        all.reduce(|a, b| builder.binary(Opcode::Or, a, b)).expect("law: a search is left where data says so")
    }

    /// The elements that are read in the iterations of a block, which begins so many behind the next one: they are picked out of what lies behind the last that was read, or, if
    /// steps go backward, before it.
    fn block_of(&self, read: &Read<'ir>, stopped: &Stopped<'ir>, base: Value<'ir>) -> Value<'ir> {
        let Writer { of, builder, .. } = self;
        let (lanes, apart) = (i128::from(of.lanes), read.apart());
        let is_backward = read.step < 0;
        let first = if is_backward { builder.add(base, self.number(lanes)) } else { base };
        let bytes = builder.mul(first, self.number(read.step));
        let bytes = if is_backward { bytes } else { builder.add(bytes, self.number(read.size)) };
        let ty = Type::vector(read.element, of.lanes * apart as u32);
        let block = builder.load(ty, self.behind(read.last, stopped, bytes), Some(1)).value();
        let place = |lane: i128| match is_backward {
            true => (lanes - 1 - lane) * apart,
            false => lane * apart + apart - 1 - read.before_last,
        };
        let places: Vec<u32> = (0..lanes).map(|lane| place(lane) as u32).collect();
        if apart == 1 && !is_backward { block } else { builder.picked(block, &places) }
    }

    /// So many bytes behind where a pointer was in the last iteration.
    fn behind(&self, pointer: Value<'ir>, stopped: &Stopped<'ir>, bytes: Value<'ir>) -> Value<'ir> {
        let byte = Type::integer(self.builder.context(), 8);
        self.builder.gep(byte, stopped.pointers[&pointer], &[bytes], Promise::Nothing)
    }

    /// What is handed on to the iterations of a block.
    fn handed_on(&self, phi: Instruction<'ir>, stopped: &Stopped<'ir>, base: Value<'ir>) -> Value<'ir> {
        let Writer { of, builder, .. } = self;
        let at = of.handed_on.iter().position(|each| each.phi == phi).expect("law: what is asked for is handed on");
        match of.handed_on[at].change {
            Change::Step(0) => builder.splat(stopped.next[at], of.lanes),
            Change::Step(step) => {
                let first = self.after(at, stopped, base);
                builder.add(builder.splat(first, of.lanes), builder.ramp(phi.ty(), step, of.lanes))
            }
            Change::Read(read) => self.block_of(&read, stopped, builder.sub(base, self.number(1))),
        }
    }

    /// What is handed on to an iteration so many behind the next one.
    fn after(&self, at: usize, stopped: &Stopped<'ir>, iterations: Value<'ir>) -> Value<'ir> {
        let Writer { of, builder, .. } = self;
        let next = stopped.next[at];
        let step = match of.handed_on[at].change {
            Change::Step(0) => return next,
            Change::Step(step) => step,
            Change::Read(read) => {
                let bytes = builder.mul(iterations, self.number(read.step));
                return builder.load(read.element, self.behind(read.pointer, stopped, bytes), Some(1)).value();
            }
        };
        if next.ty().is_pointer() {
            let bytes = builder.mul(iterations, self.number(step));
            return builder.gep(Type::integer(builder.context(), 8), next, &[bytes], Promise::Nothing);
        }
        let iterations = builder.resize(iterations, next.ty(), Signedness::Unsigned);
        builder.add(next, builder.mul(iterations, Value::integer(next.ty(), step)))
    }

    /// Begins the loop again behind what was left out.
    fn go_on(&self, start: &Start<'ir>, stopped: &Stopped<'ir>, ways: Vec<(Block<'ir>, [Value<'ir>; 2])>) {
        let Writer { builder, word, again, go_on, .. } = self;
        builder.at_end(*go_on);
        let [left_out, wanted] = [0, 1].map(|at| {
            let merged = builder.phi(*word, ["left.out", "wanted.next"][at]);
            ways.iter().for_each(|(from, values)| merged.add_incoming(values[at], *from));
            merged.value()
        });
        for (at, value) in start.values.iter().enumerate() {
            value.add_incoming(self.after(at, stopped, left_out), *go_on);
        }
        start.left.add_incoming(builder.sub(stopped.left, left_out), *go_on);
        start.wanted.add_incoming(wanted, *go_on);
        builder.jump(*again);
    }
}
