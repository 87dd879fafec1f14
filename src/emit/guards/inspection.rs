//! The test of data before the new loops.
//!
//! For the condition `len[i] <= 64` in all iterations `0 <= i < n` (see [`crate::extract::numbers::unknown`]) it reads
//!
//!     inspect:  i = phi [0, ...], [i + 1, next]        u = load len[i]        br (u > 64), original loops, next
//!     next:     br (i + 1 <= n - 1), inspect, new loops
//!
//! where `u` is computed as the loops compute it, in iterations in which they do. Ranges that have to follow one another are compared
//! with the end of all earlier ones, which a slot on the stack remembers. Numbers of 64 bits must besides be small enough for the
//! arithmetic of the test.

use crate::emit::arith::bounds::{Known, Range};
use crate::emit::arith::formula;
use crate::emit::plan::Plan;
use crate::emit::plan::inspection::{LARGEST, Test};
use crate::emit::write::loops::{Loop, Names};
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::Writer;
use crate::extract::binding::Inspection;
use crate::llvm::{Block, IntPredicate, Type, Value};

impl<'ir> Plan<'_, 'ir> {
    /// Writes the tests, from where the writer is; they lead to `original` where one fails.
    pub(in crate::emit) fn inspect(&self, writer: &mut Writer<'_, 'ir>, original: Block<'ir>) {
        for (test, inspection) in self.guard.inspections.iter().zip(&self.binding.inspections) {
            let word = Type::integer(writer.builder.context(), 64);
            let reached = match inspection.ordered.is_empty() {
                true => None,
                false => {
                    let slot = writer.reserve(word, "reached");
                    writer.builder.store(Value::integer(word, i128::from(i64::MIN)), slot, None);
                    Some(slot)
                }
            };
            let mut iterators = Vec::new();
            inspect_loops(writer, (test, inspection), reached, original, &mut iterators);
        }
    }
}

/// The loops that are left, then what is inside of all.
fn inspect_loops<'ir>(
    writer: &mut Writer<'_, 'ir>,
    what: (&Test, &Inspection<'ir>),
    reached: Option<Value<'ir>>,
    original: Block<'ir>,
    iterators: &mut Vec<Known<'ir>>,
) {
    let Some((lower, upper)) = what.0.bounds.get(iterators.len()) else {
        return inspect_one(writer, what, reached, original, iterators);
    };
    let (lower, upper) = (writer.value(lower), writer.value(upper));
    let names = Names { body: "inspect", after: "inspected", counter: "inspected" };
    let each = Loop::enter(&writer.builder, writer.function(), names, lower.value, upper.value);
    let range = Range::new(lower.range.low, upper.range.high.max(lower.range.low));
    iterators.push(Known { value: each.counter(), range });
    inspect_loops(writer, what, reached, original, iterators);
    iterators.pop();
    let builder = &writer.builder;
    let next = builder.add(each.counter(), builder.integer(64, 1));
    let again = builder.icmp(IntPredicate::Slt, each.counter(), upper.value);
    each.leave(builder, next, again);
}

fn inspect_one<'ir>(
    writer: &mut Writer<'_, 'ir>,
    (test, inspection): (&Test, &Inspection<'ir>),
    reached: Option<Value<'ir>>,
    original: Block<'ir>,
    iterators: &[Known<'ir>],
) {
    let word = Type::integer(writer.builder.context(), 64);
    let dimensions = |at: usize| formula::dimension_name(at);
    let outer = writer.names.clone();
    let named = iterators.iter().enumerate().map(|(at, known)| (dimensions(at), *known));
    writer.names.extend(named.collect::<Vec<_>>());
    let next = writer.new_block("next");
    if !test.runs.is_constant(1) {
        let runs = writer.truth(&test.runs);
        let here = writer.new_block("runs");
        writer.builder.branch(runs, here, next);
        writer.builder.at_end(here);
    }
    let mut instance = Instance::of(&inspection.loops, &inspection.computed.leaves, iterators);
    for (condition, wanted) in &inspection.computed.conditions {
        let holds = writer.copied(*condition, &mut instance);
        let here = writer.new_block("computed");
        let (yes, no) = if *wanted { (here, next) } else { (next, here) };
        writer.builder.branch(holds, yes, no);
        writer.builder.at_end(here);
    }
    for (at, each) in inspection.values.iter().enumerate() {
        let copy = writer.copied(each.value, &mut instance);
        let number = writer.builder.resize(writer.builder.freeze(copy), word, each.signedness);
        let (low, high) = (each.interval.low.unwrap_or(-LARGEST - 1), each.interval.high.unwrap_or(LARGEST + 1));
        let range = Range::new(low.max(-LARGEST), high.min(LARGEST).max(low.max(-LARGEST)));
        if low < -LARGEST || high > LARGEST {
            let above = writer.builder.icmp(IntPredicate::Sge, number, Value::integer(word, range.low));
            let below = writer.builder.icmp(IntPredicate::Sle, number, Value::integer(word, range.high));
            go_on_if(writer, writer.builder.binary(crate::llvm::Opcode::And, above, below), original);
        }
        writer.names.insert(dimensions(iterators.len() + at), Known { value: number, range });
    }
    if !test.bad.is_constant(0) {
        let bad = writer.truth(&test.bad);
        go_on_if(writer, writer.builder.not(bad), original);
    }
    if let Some(slot) = reached {
        let ends: Vec<_> = test.ordered.iter().map(|(low, high)| (writer.value(low), writer.value(high))).collect();
        let earlier = writer.builder.load(word, slot, None).value();
        let mut last = earlier;
        for (low, high) in ends {
            let (low, high) = (low.value, high.value);
            let is_empty = writer.builder.icmp(IntPredicate::Sgt, low, high);
            let is_behind = writer.builder.icmp(IntPredicate::Sgt, low, earlier);
            go_on_if(writer, writer.builder.binary(crate::llvm::Opcode::Or, is_empty, is_behind), original);
            let end = writer.builder.select(is_empty, last, high);
            last = writer.builder.intrinsic("llvm.smax", &[word], &[last, end]).value();
        }
        writer.builder.store(last, slot, None);
    }
    writer.builder.jump(next);
    writer.builder.at_end(next);
    writer.names = outer;
}

/// Goes on where the condition holds, to `original` elsewhere.
pub(in crate::emit) fn go_on_if<'ir>(writer: &Writer<'_, 'ir>, holds: Value<'ir>, original: Block<'ir>) {
    let here = writer.new_block("holds");
    writer.builder.branch(holds, here, original);
    writer.builder.at_end(here);
}
