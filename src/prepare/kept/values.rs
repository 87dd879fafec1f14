//! Values that are read when something is taken, read once behind the loop.
//!
//! ```c
//! for (i = 0; i < n; i++) if (d[i] < least) { least = d[i]; name = names[i]; }
//! ```
//!
//! reads `names[i]` only where `d[i]` is the least so far. Threads that begin in the middle take elements that the program does not, and must not read of
//! `names` what the program does not read. But of all that is read the last one alone is kept:
//!
//! ```c
//! at = -1;
//! for (i = 0; i < n; i++) if (d[i] < least) { least = d[i]; at = i; }
//! if (at != -1) name = names[at];
//! ```
//!
//! That is so in loops that write nothing: what is read behind the loop is what was read inside. It is done where no loop is around, as reading by a number that the loops
//! find would be in the way of what is known about their memory.
//!
//! Implements: 001 reductions

use crate::llvm::instruction::{Branch, Wrapping};
use crate::llvm::{Analyses, Block, Builder, Instruction, IntPredicate, Loop, Opcode, Type, Value};
use std::collections::HashMap;

/// Values that are computed from more instructions than this stay inside.
const MOST_STEPS: usize = 16;

/// A value that is kept, and replaced by what one side of a test reads.
struct Kept<'ir> {
    /// In the header, and where the sides of the test meet.
    phi: Instruction<'ir>,
    join: Instruction<'ir>,
    /// The side that reads, and what it hands on.
    side: Block<'ir>,
    value: Value<'ir>,
    /// What that is computed from, each after its operands.
    steps: Vec<Instruction<'ir>>,
    /// Behind the loop.
    behind: Instruction<'ir>,
}

/// A counter of a loop: its first value and its step.
struct Counter<'ir> {
    phi: Instruction<'ir>,
    first: Value<'ir>,
    step: i128,
}

/// A loop that runs to its end, with these edges.
struct Edges<'ir> {
    preheader: Block<'ir>,
    latch: Block<'ir>,
    exit: Block<'ir>,
}

/// Has such values read behind their loops. Whether there were any.
pub(in crate::prepare) fn read_behind(analyses: &Analyses<'_, '_>) -> bool {
    let all: Vec<_> = analyses.outermost_loops().filter_map(|this| Some((this, edges(this)?))).collect();
    let mut any = false;
    for (this, edges) in all {
        // What leads here may have been cut behind the loop before.
        let entering = this.header.predecessors().into_iter().find(|from| *from != edges.latch);
        let edges = Edges { preheader: entering.unwrap_or(edges.preheader), ..edges };
        let counters = counters(this, &edges);
        let kept: Vec<Kept<'_>> =
            this.header.phis().into_iter().filter_map(|phi| kept(this, &edges, &counters, phi)).collect();
        if !kept.is_empty() {
            read(this, &edges, &counters, &kept);
            any = true;
        }
    }
    any
}

/// Of a loop without others inside that writes nothing and is left at its end alone, to where nothing else leads.
fn edges<'ir>(this: &Loop<'ir>) -> Option<Edges<'ir>> {
    let (preheader, latch, exit) = (this.preheader?, this.latch?, this.exit_of_latch()?);
    let is_plain = this.simplified && this.has_single_exit() && this.children.is_empty();
    let only_reads = |i: &Instruction<'ir>| i.is_marker() || !i.may_write_memory() && !i.may_throw() && i.will_return();
    let is_quiet = || this.instructions().all(|i| only_reads(&i));
    (is_plain && exit.predecessors() == [latch] && is_quiet()).then_some(Edges { preheader, latch, exit })
}

fn counters<'ir>(this: &Loop<'ir>, edges: &Edges<'ir>) -> Vec<Counter<'ir>> {
    let counter = |phi: Instruction<'ir>| {
        let (first, next) = (phi.incoming_from(edges.preheader)?, phi.incoming_from(edges.latch)?.as_instruction()?);
        let is_counted = next.opcode() == Opcode::Add && next.operand(0) == phi.value();
        let step = next.operands().last().filter(|_| is_counted)?.as_integer()?;
        phi.ty().integer_width().filter(|width| *width <= 64).map(|_| Counter { phi, first, step })
    };
    this.header.phis().into_iter().filter_map(counter).collect()
}

fn kept<'ir>(
    this: &Loop<'ir>,
    edges: &Edges<'ir>,
    counters: &[Counter<'ir>],
    phi: Instruction<'ir>,
) -> Option<Kept<'ir>> {
    let [join] = phi.users()[..] else { return None };
    let home = join.block().filter(|home| join.is_phi() && *home != this.header && this.blocks.contains(home))?;
    let mut new = join.incoming().into_iter().filter(|(value, _)| *value != phi.value());
    let ((value, side), None) = (new.next()?, new.next()) else { return None };
    let mut others = join.users().into_iter().filter(|user| *user != phi);
    let (behind, None) = (others.next()?, others.next()) else { return None };
    let goes_on = phi.incoming_from(edges.latch) == Some(join.value());
    let is_last = behind.is_phi() && behind.block() == Some(edges.exit);
    let is_side = matches!(side.terminator()?.branch()?, Branch::Always(to) if to == home);
    if !goes_on || !is_last || !is_side || !this.blocks.contains(&side) {
        return None;
    }
    let mut steps = Vec::new();
    collect(this, counters, value, &mut steps)?;
    let is_read_here = steps.iter().any(|step| step.memory().is_some() && step.block() == Some(side));
    is_read_here.then_some(Kept { phi, join, side, value, steps, behind })
}

/// What a value is computed from in the loop, if that are reads and computations from counters.
fn collect<'ir>(
    this: &Loop<'ir>,
    counters: &[Counter<'ir>],
    value: Value<'ir>,
    steps: &mut Vec<Instruction<'ir>>,
) -> Option<()> {
    let is_counter = counters.iter().any(|counter| counter.phi.value() == value);
    let inside = value.as_instruction().filter(|i| this.holds(*i));
    let Some(step) = inside.filter(|step| !is_counter && !steps.contains(step)) else { return Some(()) };
    let is_read = step.memory().is_some_and(|access| access.simple && access.stored.is_none());
    if step.is_phi() || !is_read && (step.call().is_some() || !step.is_speculatable()) || steps.len() >= MOST_STEPS {
        return None;
    }
    for operand in step.operands() {
        collect(this, counters, operand, steps)?;
    }
    steps.push(step);
    (steps.len() <= MOST_STEPS).then_some(())
}

fn read<'ir>(this: &Loop<'ir>, edges: &Edges<'ir>, counters: &[Counter<'ir>], all: &[Kept<'ir>]) {
    let builder = Builder::new(this.header.function().context());
    let word = Type::integer(builder.context(), 64);
    let number = |value: i128| Value::integer(word, value);
    let start = |block: Block<'ir>| block.first_instruction().expect("law: a complete block has a terminator");
    builder.before(start(this.header));
    let step = builder.phi(word, "step");
    builder.before(edges.latch.terminator().expect("law: a complete block has a terminator"));
    let small = Wrapping { nuw: true, nsw: true, exact: false };
    step.add_incoming(number(0), edges.preheader);
    step.add_incoming(builder.binary_with(Opcode::Add, step.value(), number(1), small), edges.latch);
    let mut places: HashMap<(Block<'ir>, Block<'ir>), Value<'ir>> = HashMap::new();
    for kept in all {
        let home = kept.join.block().expect("law: an instruction of a loop is in a block");
        let last = *places.entry((kept.side, home)).or_insert_with(|| {
            builder.before(start(this.header));
            let at = builder.phi(word, &kept.phi.name());
            at.be_named_after(kept.phi.value());
            builder.before(start(home));
            let join = builder.phi(word, &kept.join.name());
            for (_, from) in kept.join.incoming() {
                join.add_incoming(if from == kept.side { step.value() } else { at.value() }, from);
            }
            at.add_incoming(number(NOTHING), edges.preheader);
            at.add_incoming(join.value(), edges.latch);
            builder.before(start(edges.exit));
            let last = builder.phi(word, &kept.behind.name());
            last.add_incoming(join.value(), edges.latch);
            last.value()
        });
        let first = kept.phi.incoming_from(edges.preheader).expect("law: a header has a value from before the loop");
        let value = read_at(&builder, edges, counters, kept, last);
        kept.behind.replace_with(value);
        kept.phi.value().replace_all_uses_with(first);
        kept.join.replace_with(first);
        kept.phi.remove();
    }
}

/// The number of the iteration that took something last, before any did.
const NOTHING: i128 = -1;

/// The value as it is behind the loop of which iteration `last` was the last one to take one.
fn read_at<'ir>(
    builder: &Builder<'ir>,
    edges: &Edges<'ir>,
    counters: &[Counter<'ir>],
    kept: &Kept<'ir>,
    last: Value<'ir>,
) -> Value<'ir> {
    // Other values have been read behind the loop already.
    let function = edges.exit.function();
    let end = last.as_instruction().and_then(|phi| phi.block()).expect("law: a phi is in a block");
    let at = end.first_after_phis().expect("law: a block ends with what is no phi");
    let rest = Block::cut_before(at, "behind");
    let reading = function.new_block("taken");
    builder.at_end(end);
    let is_taken = builder.icmp(IntPredicate::Ne, last, Value::integer(last.ty(), NOTHING));
    builder.branch(is_taken, reading, rest);
    builder.at_end(reading);
    let mut known: HashMap<Value<'ir>, Value<'ir>> = HashMap::new();
    for counter in counters {
        let ty = counter.phi.ty();
        let steps = builder.resize(last, ty, crate::llvm::Signedness::Unsigned);
        let far = builder.mul(steps, Value::integer(ty, counter.step));
        known.insert(counter.phi.value(), builder.add(counter.first, far));
    }
    for step in &kept.steps {
        let copy = builder.copy(*step, |operand| known.get(&operand).copied().unwrap_or(operand));
        known.insert(step.value(), copy.value());
    }
    builder.jump(rest);
    builder.before(rest.first_instruction().expect("law: a complete block has a terminator"));
    let value = builder.phi(kept.phi.ty(), &kept.behind.name());
    let first = kept.phi.incoming_from(edges.preheader);
    value.add_incoming(known[&kept.value], reading);
    value.add_incoming(first.expect("law: a header has a value from before the loop"), end);
    value.value()
}
