//! How often conditions on data hold, found out before the new loops: see [`crate::emit::plan::innermost::guarded`].
//!
//! Of the iterations in which the program asks, a few hundred are looked at, in steps that get through all of each loop:
//!
//!     for (c0 = 0; c0 < n; c0 += step)  for (c1 = 0; c1 < n; c1 += step')  { needed += 50; if (B[c0][c1] != 0) held += 100; }
//!
//! All conditions are counted together: of the sides of `if (x[i] > 0) ...; else ...;` one always runs. Steps are odd, so that of what is different
//! for even and odd iterations both are seen.

use super::inspection::go_on_if;
use crate::ast::{For, Node};
use crate::emit::arith::bounds::Known;
use crate::emit::arith::ranges::iterator_range;
use crate::emit::plan::Plan;
use crate::emit::plan::innermost::guarded::{Sample, read_again};
use crate::emit::write::loops::{Loop, Names};
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::Writer;
use crate::llvm::{Block, IntPredicate, Opcode, Type, Value};

/// About so many iterations of a loop are looked at, by the number of loops.
const LOOKED_AT: [i64; 4] = [32, 32, 12, 6];

/// The same of loops that are deeper.
const LOOKED_AT_DEEP: i64 = 4;

/// Where hundredths of iterations are counted: those in which conditions must hold, of those in which they are asked, and those in which they do.
#[derive(Clone, Copy)]
struct Counts<'ir> {
    needed: Value<'ir>,
    held: Value<'ir>,
}

impl<'ir> Plan<'_, 'ir> {
    /// Writes what finds that out, from where the writer is; it leads to `original` where the conditions do not hold often enough.
    pub(in crate::emit) fn sample(&self, writer: &mut Writer<'_, 'ir>, original: Block<'ir>) {
        let word = Type::integer(writer.builder.context(), 64);
        let counts = Counts { needed: writer.reserve(word, "needed"), held: writer.reserve(word, "held") };
        [counts.needed, counts.held].into_iter().for_each(|slot| {
            writer.builder.store(writer.builder.integer(64, 0), slot, None);
        });
        for sample in &self.guarded.samples {
            let outer = writer.names.clone();
            look(writer, &sample.scan.root, (sample, counts));
            writer.names = outer;
        }
        let builder = &writer.builder;
        let count = |slot| builder.load(word, slot, None).value();
        let is_often = builder.icmp(IntPredicate::Sge, count(counts.held), count(counts.needed));
        go_on_if(writer, is_often, original);
    }
}

fn look<'ir>(writer: &mut Writer<'_, 'ir>, node: &Node, what: (&Sample, Counts<'ir>)) {
    match node {
        Node::For(each) if !each.degenerate => in_steps(writer, each, what),
        Node::User { arguments, .. } => {
            let iterators = writer.arguments(arguments);
            ask(writer, iterators, what);
        }
        _ => writer.walk(node, &mut |writer, inside| look(writer, inside, what)),
    }
}

/// Some iterations of a loop.
fn in_steps<'ir>(writer: &mut Writer<'_, 'ir>, each: &For, what: (&Sample, Counts<'ir>)) {
    let (lower, upper) = (writer.value(&each.lower), writer.value(&each.upper));
    let builder = &writer.builder;
    let number = |value: i64| builder.integer(64, value.into());
    let most = LOOKED_AT.get(what.0.depth).copied().unwrap_or(LOOKED_AT_DEEP);
    let own = each.step.as_i64().expect("law: a planned step has 64 bits");
    let length =
        builder.intrinsic("llvm.smax", &[lower.value.ty()], &[builder.sub(upper.value, lower.value), number(0)]);
    let times = builder.binary(Opcode::SDiv, length.value(), number(own.saturating_mul(most)));
    let step = builder.mul(builder.binary(Opcode::Or, times, number(1)), number(own));
    let names = Names { body: "look", after: "looked", counter: "looked" };
    let written = Loop::enter(builder, writer.function(), names, lower.value, upper.value);
    let range = iterator_range(each, lower.range, upper.range);
    writer.names.insert(each.iterator.clone(), Known { value: written.counter(), range });
    look(writer, &each.body, what);
    let builder = &writer.builder;
    let left = builder.sub(upper.value, written.counter());
    let again = builder.icmp(IntPredicate::Sle, step, left);
    let next = builder.add(written.counter(), step);
    written.leave(builder, next, again);
}

fn ask<'ir>(writer: &mut Writer<'_, 'ir>, mut iterators: Vec<Known<'ir>>, (sample, counts): (&Sample, Counts<'ir>)) {
    let plan = writer.plan;
    let bound = &plan.binding.statements[sample.statement];
    // Nothing that is asked counts loops that are deeper.
    iterators.resize_with(bound.loops.len(), || writer.arithmetic().constant(0));
    count(writer, counts.needed, sample.least);
    let leaves = read_again(plan.scop, plan.binding, bound);
    let of = Instance::of(&bound.loops, &leaves, &iterators);
    let mut instance = Instance { is_update: true, is_early: true, ..of };
    let end = writer.ask(&bound.guards, &mut instance);
    count(writer, counts.held, 100);
    if let Some(end) = end {
        writer.builder.jump(end);
        writer.builder.at_end(end);
    }
}

fn count<'ir>(writer: &Writer<'_, 'ir>, slot: Value<'ir>, hundredths: i64) {
    let builder = &writer.builder;
    let before = builder.load(Type::integer(builder.context(), 64), slot, None).value();
    builder.store(builder.add(before, builder.integer(64, hundredths.into())), slot, None);
}
