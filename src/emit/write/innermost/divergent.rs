//! A loop whose iterations run loops of their own side by side:
//!
//!     turns:     b = phi [lower, before], [b', next]     in.order, later = phi ...
//!                br (a whole block is left, and none is to run in order), side.by.side, in.order
//!     side.by.side:  what is before, and what the inner loop begins with, of b, ..., b + 7
//!     lanes:     the inner loops, one in each lane (see [`super::lanes`])
//!                what they end with is handed on, and what is behind runs, of b, ..., b + 7
//!     in.order:  loop: i = b ... as many as are to run in order, or all that is left
//!     next:      b' = phi ...     br (b' <= upper), turns, after
//!
//! Where one of the inner loops runs much longer than the others, most lanes are idle. So it is counted how many were busy, and where too few were, the iterations of some blocks run in order before
//! it is tried again, each time twice as many.
//!
//! See [`crate::emit::plan::innermost::divergent`].

use super::blocks::step_of;
use super::lanes::{Lanes, Spent, numbers, used};
use crate::ast::{Expr, For};
use crate::emit::arith::bounds::{Known, Range};
use crate::emit::plan::innermost::divergent::{Stretch, side_by_side};
use crate::emit::write::loops::{Loop, Names};
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::{Memory, Writer};
use crate::emit::write::written::Written;
use crate::extract::binding::BoundStatement;
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::llvm::{Instruction, IntPredicate, Opcode, Type, Value};
use crate::presburger::Id;
use std::collections::HashSet;

/// To begin and to end a block takes as long as so many rounds.
const START: i64 = 8;

/// So many blocks run in order where too few lanes were busy, at first and at most.
const FEWEST_IN_ORDER: i64 = 4;
const MOST_IN_ORDER: i64 = 64;

/// What reads where data says does so in order where more than this part of the lanes go the way of the one before: processors guess where it goes on.
const MOST_ALIKE: [i64; 2] = [3, 4];

/// What is known before iterations run.
#[derive(Clone, Copy)]
struct Pace<'ir> {
    /// How many of them run in order.
    in_order: Value<'ir>,
    /// How many do if too few lanes are busy.
    later: Value<'ir>,
}

/// An inner loop that is about to run in lanes.
struct Begun<'a, 'p, 'ir> {
    bound: &'p BoundStatement<'ir>,
    part: &'p Opaque<'ir>,
    accesses: &'p [OpaqueAccess<'ir>],
    outputs: &'p [Output<'ir>],
    arguments: &'a [Expr],
    /// What it uses from outside.
    used: Vec<Value<'ir>>,
    /// What vectors are made of, with the values of the lanes.
    ends: Vec<(Value<'ir>, Vec<Value<'ir>>)>,
    iterators: Vec<Vec<Known<'ir>>>,
}

/// One that has run.
struct Ended<'p, 'ir> {
    bound: &'p BoundStatement<'ir>,
    outputs: &'p [Output<'ir>],
    iterators: Vec<Vec<Known<'ir>>>,
    /// For each output a vector.
    results: Vec<Value<'ir>>,
}

impl<'p, 'ir> Writer<'p, 'ir> {
    pub(super) fn side_by_side_for(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
        let plan = self.plan;
        let runs = side_by_side(each, plan.binding).expect("law: what is planned side by side can be");
        let lanes = i64::from(self.lanes_of(&runs));
        let Some(last_block) = self.last_block(each, lanes, (lower, upper)) else {
            return self.for_(each, lower, upper, &mut Writer::node);
        };
        let names = Names { body: "turn", after: "after", counter: "turn.first" };
        let before = self.builder.block();
        let written = Loop::enter(&self.builder, self.function(), names, lower.value, upper.value);
        let [in_order, later] = [(0, "in.order"), (FEWEST_IN_ORDER * lanes, "later")].map(|(value, name)| {
            let phi = self.builder.phi(Type::integer(self.builder.context(), 64), name);
            phi.add_incoming(self.word(value), before);
            phi
        });
        let pace = Pace { in_order: in_order.value(), later: later.value() };
        let range = Range::new(lower.range.low, upper.range.high.max(lower.range.low));
        let first = Known { value: written.counter(), range };
        let [ordered, together, next] = ["in.order", "side.by.side", "turn.end"].map(|name| self.new_block(name));
        let is_whole = self.builder.icmp(IntPredicate::Sle, first.value, last_block.value);
        let is_free = self.builder.icmp(IntPredicate::Eq, pace.in_order, self.word(0));
        self.builder.branch(self.builder.binary(Opcode::And, is_whole, is_free), together, ordered);
        self.builder.at_end(together);
        let spent = self.together(each, &runs, first);
        let step = self.word(lanes * step_of(each) as i64);
        let behind = self.builder.add(first.value, step);
        let mut ways = vec![(behind, self.judged(pace, &spent), self.builder.block())];
        self.builder.jump(next);
        self.builder.at_end(ordered);
        let last = self.last_in_order(each, pace, first, upper);
        self.for_(each, first, last, &mut Writer::node);
        let behind = self.builder.add(last.value, self.word(step_of(each) as i64));
        ways.push((behind, Pace { in_order: self.word(0), ..pace }, self.builder.block()));
        self.builder.jump(next);
        self.builder.at_end(next);
        let merged: [Value<'ir>; 3] = std::array::from_fn(|at| {
            let phi = self.builder.phi(Type::integer(self.builder.context(), 64), "turn");
            for (behind, pace, from) in &ways {
                phi.add_incoming([*behind, pace.in_order, pace.later][at], *from);
            }
            phi.value()
        });
        let again = self.builder.icmp(IntPredicate::Sle, merged[0], upper.value);
        let latch = self.builder.block();
        written.leave(&self.builder, merged[0], again);
        in_order.add_incoming(merged[1], latch);
        later.add_incoming(merged[2], latch);
    }

    /// The last iteration of those that run in order from one on: all where nothing else is known.
    fn last_in_order(&self, each: &For, pace: Pace<'ir>, first: Known<'ir>, upper: Known<'ir>) -> Known<'ir> {
        let builder = &self.builder;
        let step = self.word(step_of(each) as i64);
        let left = builder.sub(upper.value, first.value);
        let wanted = builder.mul(builder.sub(pace.in_order, self.word(1)), step);
        let are_all = builder.icmp(IntPredicate::Ult, left, wanted);
        let is_free = builder.icmp(IntPredicate::Eq, pace.in_order, self.word(0));
        let last = builder.select(are_all, upper.value, builder.add(first.value, wanted));
        Known { value: builder.select(is_free, upper.value, last), range: first.range }
    }

    /// What is known behind a block that ran side by side.
    fn judged(&self, pace: Pace<'ir>, spent: &Spent<'ir>) -> Pace<'ir> {
        let builder = &self.builder;
        let lanes = i64::from(spent.lanes);
        let rounds = builder.add(spent.rounds, self.word(START));
        let wanted = builder.mul(rounds, self.word(i64::from(spent.least_busy) * lanes));
        let is_busy = builder.icmp(IntPredicate::Uge, builder.mul(spent.busy, self.word(16)), wanted);
        let is_busy = spent.alike.map_or(is_busy, |alike| {
            let few = builder.icmp(IntPredicate::Ule, alike, self.word(lanes * MOST_ALIKE[0] / MOST_ALIKE[1]));
            builder.binary(Opcode::And, is_busy, few)
        });
        let twice = builder.least(builder.add(pace.later, pace.later), self.word(MOST_IN_ORDER * lanes));
        Pace {
            in_order: builder.select(is_busy, self.word(0), pace.later),
            later: builder.select(is_busy, self.word(FEWEST_IN_ORDER * lanes), twice),
        }
    }

    /// The iterations of a block from `first` on, and what the lanes have spent.
    fn together(&mut self, each: &For, stretches: &[Stretch<'_>], first: Known<'ir>) -> Spent<'ir> {
        let mut ended: Option<Ended<'p, 'ir>> = None;
        let mut spent: Option<Spent<'ir>> = None;
        let lanes = self.lanes_of(stretches);
        for Stretch { nodes, next } in stretches {
            let mut begun = next.map(|(statement, arguments)| self.begun(statement, arguments));
            for lane in 0..lanes {
                let arithmetic = self.arithmetic();
                let iteration = arithmetic.add(first, arithmetic.constant(i128::from(lane) * step_of(each)));
                self.names.insert(each.iterator.clone(), iteration);
                ended.iter().for_each(|ended| self.end(ended, lane));
                nodes.iter().for_each(|node| self.node(node));
                begun.iter_mut().for_each(|begun| self.begin(begun));
            }
            ended = begun.map(|begun| {
                let (ended, own) = self.run(each, begun, lanes);
                spent = Some(match spent.take() {
                    Some(spent) => spent.and(&self.builder, own),
                    None => own,
                });
                ended
            });
        }
        spent.expect("law: there is an inner loop")
    }

    /// The number of lanes that suits all inner loops.
    fn lanes_of(&self, stretches: &[Stretch<'_>]) -> u32 {
        let lanes = |(statement, _): (&Id, &[Expr])| {
            let divergent = self.plan.binding.statements[self.plan.statement(statement)].root.divergent();
            divergent.expect("law: it was found in a divergent loop").lanes
        };
        let all = stretches.iter().filter_map(|stretch| stretch.next).map(lanes);
        all.min().expect("law: there is an inner loop")
    }

    fn begun<'a>(&self, statement: &Id, arguments: &'a [Expr]) -> Begun<'a, 'p, 'ir> {
        let plan = self.plan;
        let bound = &plan.binding.statements[plan.statement(statement)];
        let Root::Opaque { part, accesses, outputs } = &bound.root else {
            unreachable!("law: a loop is in an opaque part")
        };
        let used = used(part, outputs);
        let ends: Vec<(Value<'ir>, Vec<Value<'ir>>)> =
            self.ends_of(bound, &used).into_iter().map(|end| (end, Vec::new())).collect();
        Begun { bound, part, accesses, outputs, arguments, used, ends, iterators: Vec::new() }
    }

    /// Computes what an inner loop begins with, in one more iteration.
    fn begin(&mut self, begun: &mut Begun<'_, 'p, 'ir>) {
        let bound = begun.bound;
        let own = self.arguments(begun.arguments);
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
        let of = Instance::of(&bound.loops, &bound.leaves, &own);
        let mut instance = Instance { loads: &bound.loads, ..of };
        for (end, values) in &mut begun.ends {
            values.push(self.copied(*end, &mut instance));
        }
        self.writing = outer;
        begun.iterators.push(own);
    }

    /// The inner loops of all lanes.
    fn run(&mut self, each: &For, begun: Begun<'_, 'p, 'ir>, count: u32) -> (Ended<'p, 'ir>, Spent<'ir>) {
        let Begun { bound, part, accesses, outputs, arguments, used, ends, iterators } = begun;
        let mut lanes = Lanes::of(part, outputs, count);
        for (end, values) in ends {
            let value = match values.iter().all(|value| *value == values[0]) {
                true => self.builder.splat(values[0], count),
                false if is_even(bound, end, arguments, &each.iterator) => self.ramp_from(values[0], values[1], count),
                false => self.builder.together(&values),
            };
            lanes.knows(end, value);
        }
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
        for access in accesses {
            if let Some(copy) = self.private_copy(access.array) {
                let base = self.plan.binding.arrays[access.array].base.expect("law: a pointer is into memory");
                lanes.leads_to_copy(access.instruction, copy, self.import(base));
            }
        }
        self.writing = outer;
        let spent = lanes.write(&self.builder, self.function(), &used);
        for (load, of) in lanes.loads() {
            let access = accesses.iter().find(|access| access.instruction == *of);
            self.mark(*load, access.expect("law: loads of a part are its accesses").array, Memory::OfSeveral);
        }
        let results = outputs.iter().map(|output| lanes.result(&self.builder, output.value)).collect();
        (Ended { bound, outputs, iterators, results }, spent)
    }

    /// Hands on what the inner loop of a lane has ended with.
    fn end(&mut self, ended: &Ended<'p, 'ir>, lane: u32) {
        let bound = ended.bound;
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
        let instance = Instance::of(&bound.loops, &bound.leaves, &ended.iterators[lane as usize]);
        for (output, all) in ended.outputs.iter().zip(&ended.results) {
            let value = self.builder.lane(*all, lane);
            self.hand_on(output, value, &instance);
        }
        self.writing = outer;
    }

    /// Where vectors begin: the values from which all others that the part uses are computed in lanes, in an order that is always the same.
    fn ends_of(&self, bound: &BoundStatement<'ir>, used: &[Value<'ir>]) -> Vec<Value<'ir>> {
        let (mut ends, mut seen, mut pending) = (Vec::new(), HashSet::new(), used.to_vec());
        pending.reverse();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.widens(bound, value) {
                Some(instruction) => pending.extend(numbers(instruction)),
                None => ends.push(value),
            }
        }
        ends
    }

    /// The instruction, if it is one that is copied for an instance, and can be computed in lanes.
    fn widens(&self, bound: &BoundStatement<'ir>, value: Value<'ir>) -> Option<Instruction<'ir>> {
        let instruction = value.as_instruction().filter(|_| !bound.leaves.contains_key(&value))?;
        let is_copied = self.plan.binding.region.contains_instruction(instruction);
        (is_copied && instruction.can_be_widened()).then_some(instruction)
    }

    /// A vector of numbers with the same distance from one to the next.
    fn ramp_from(&self, first: Value<'ir>, second: Value<'ir>, lanes: u32) -> Value<'ir> {
        let builder = &self.builder;
        let distance = builder.splat(builder.sub(second, first), lanes);
        builder.add(builder.splat(first, lanes), builder.mul(distance, builder.ramp(first.ty(), 1, lanes)))
    }

    fn word(&self, value: i64) -> Value<'ir> {
        self.builder.integer(64, value.into())
    }
}

/// Whether a value goes on by the same distance from one iteration of a loop to the next.
fn is_even(bound: &BoundStatement<'_>, value: Value<'_>, arguments: &[Expr], iterator: &Id) -> bool {
    let Some(Leaf::Affine(polynomial)) = bound.leaves.get(&value) else { return false };
    let is_plain = |argument: &Expr| !argument.mentions(iterator) || matches!(argument, Expr::Name(_));
    let is_known = |polynomial: &Polynomial| {
        polynomial.is_affine() && polynomial.atoms().all(|atom| matches!(atom, Atom::Parameter(_) | Atom::Iterator(_)))
    };
    value.ty().is_integer() && is_known(polynomial) && arguments.iter().all(is_plain)
}
