//! Pipelines: loops that threads share piece by piece, each behind the one before.
//!
//! `for (s = from; s <= to; s += 1) for shared (c = lower; c <= upper; c += step) body` is
//!
//!     void f.part(frame, first, behind, s)  for (c = first; c < behind; c += step) body
//!     void f.threads(thread, number, frame) get my piece from the runtime; for each s { if (*number > 0) wait until done[*number - 1] > s;
//!                                           if (first <= last) f.part(frame, first, last + 1, s); done[*number] = s + 1; }
//!     void f.loop(...)                      if (the work is worth a fork) { done[..] = 0; __kmpc_fork_call(f.threads, frame); } else for each s: f.part(...)
//!
//! where `s` in `done` counts from 0. The runtime gives pieces in the order of the threads' numbers (OpenMP 5.2, 11.5.3, `static` without a size), so that the
//! thread with the piece before is the one with the number before. It has run everything of the step, and of the steps before, in all pieces before: it has
//! waited for the thread before it. A thread whose piece is empty hands on what it hears. Nobody waits for a thread behind, so that somebody can always go on.
//!
//! A number is stored with release when a step is done and loaded with acquire. Who waits long lets others run, as there may be more threads than cores.

use super::openmp::{Handing, Threads, call_part};
use crate::ast::For;
use crate::emit::arith::bounds::{Known, Range};
use crate::emit::arith::work::MOST_ITERATIONS;
use crate::emit::plan::library;
use crate::emit::write::frame::{Captured, captured};
use crate::emit::write::loops::counted;
use crate::emit::write::writer::Writer;
use crate::llvm::openmp::{Entry, ident};
use crate::llvm::{Builder, Function, IntPredicate, Opcode, Promise, Type, Value};

/// More threads than this wait for each other longer than they run.
const MOST_THREADS: u64 = 64;

/// Bytes of a number of steps.
const WORD: u32 = 8;

/// Bytes from one thread's number of steps to the next: a line of most caches, so that no thread takes it away from another by counting.
const DISTANCE: u64 = 64;

/// A thread looks so many times whether it may go on before it lets others run: about ten microseconds, some times what a step takes.
const LOOKS: i128 = 256;

/// Operations of a step, in all pieces, for which it is worth waiting: about two microseconds, where a thread sees a quarter of one later what another one
/// has stored.
const LEAST_IN_A_STEP: i128 = 8192;

/// The beginning of the names of processors that know how to wait a moment.
const WITH_PAUSE: &str = "x86_64";

/// The steps of a pipeline, numbered from 0 to `last`.
struct Steps<'ir> {
    from: Value<'ir>,
    last: Value<'ir>,
    distance: i64,
}

/// Where values of the function that forks are in the frame.
struct Places {
    lower: u64,
    last: u64,
    from: u64,
    last_step: u64,
    done: u64,
}

impl<'ir> Writer<'_, 'ir> {
    /// Steps, in which threads share the loop inside if the plan says so.
    pub fn pipelined_for(&mut self, each: &For) {
        match each.shared_inside().filter(|shared| self.plan.parallel.contains(&shared.iterator)) {
            Some(shared) => self.apart(&mut |writer| writer.flow_or_run(each, shared)),
            None => {
                let (lower, upper) = (self.value(&each.lower), self.value(&each.upper));
                self.sequential_for(each, lower, upper);
            }
        }
    }

    fn flow_or_run(&mut self, each: &For, shared: &For) {
        let [from, to, lower, upper] = [&each.lower, &each.upper, &shared.lower, &shared.upper].map(|e| self.value(e));
        let arithmetic = self.arithmetic();
        let count = |from, to, step| arithmetic.floor_div(arithmetic.sub(to, from), step);
        let (last_step, last) = (count(from, to, &each.step), count(lower, upper, &shared.step));
        let distance = each.step.as_i64().expect("law: a planned step has 64 bits");
        let steps = Steps { from: from.value, last: last_step.value, distance };
        let is_worth = self.is_worth_flowing(each, (from, to), [last_step.value, last.value]);
        let words = DISTANCE / u64::from(WORD) * MOST_THREADS;
        let done = self.reserve_apart(Type::array(Type::integer(self.builder.context(), 64), words), "done");
        let mut captured = Captured::default();
        let values = [lower.value, last.value, from.value, last_step.value, done];
        let [lower_at, last_at, from_at, step_at, done_at] = values.map(|value| captured.add(value, &self.builder));
        let places = Places { lower: lower_at, last: last_at, from: from_at, last_step: step_at, done: done_at };
        let handed = self.reserve_errno(&mut captured);
        let handing = Handing::Step(each, Range::new(from.range.low, to.range.high.max(from.range.low)));
        let (part, captured) = self.part_function(shared, handing, (lower, upper), captured);
        let builder = Builder::new(self.builder.context());
        let threads = self.threads(shared, [places.lower, places.last], handed, &builder);
        flow(&threads, part, &places, steps.distance);
        let threads = threads.thread.function;
        let frame = self.reserve_apart(captured.ty(&self.builder), "frame");
        captured.store(&self.builder, frame);
        self.either(is_worth, handed, &|writer| writer.fork_few(threads, frame, (done, last.value)), &|writer| {
            writer.run_steps(part, frame, &steps, (lower, upper));
        });
    }

    /// More than one step of more than one iteration, as much work as the options ask for, and enough in each step.
    fn is_worth_flowing(
        &mut self,
        each: &For,
        (from, to): (Known<'ir>, Known<'ir>),
        lasts: [Value<'ir>; 2],
    ) -> Value<'ir> {
        let work = self.work_of(each, from, to);
        let minimal = self.plan.settings.minimal_work;
        let is_much = self.is_at_least(work, i128::from(minimal));
        let builder = &self.builder;
        let mut tests = lasts.map(|last| builder.icmp(IntPredicate::Sgt, last, builder.integer(64, 0))).to_vec();
        if minimal > 0 {
            let word = Type::integer(builder.context(), 64);
            let most = builder.integer(64, MOST_ITERATIONS);
            let steps = builder.intrinsic("llvm.smin", &[word], &[lasts[0], most]).value();
            let least = builder.mul(steps, builder.integer(64, LEAST_IN_A_STEP));
            tests.push(builder.icmp(IntPredicate::Sge, work.value, least));
        }
        tests.into_iter().fold(is_much, |all, test| builder.binary(Opcode::And, all, test))
    }

    /// Starts as many threads as there would be, but not more than have a number in `done` or a piece: `last` is the number of the last iteration.
    fn fork_few(&self, threads: Function<'ir>, frame: Value<'ir>, (done, last): (Value<'ir>, Value<'ir>)) {
        let (builder, module) = (&self.builder, self.main.module());
        let [number, word] = [32, 64].map(|width| Type::integer(builder.context(), width));
        let all = Entry::MaximalThreads.call(builder, &[]).value();
        let nothing = builder.integer(64, 0);
        let others = builder.integer(64, i128::from(MOST_THREADS - 1));
        let others = builder.intrinsic("llvm.smin", &[word], &[last, others]).value();
        let most = builder.cast(Opcode::Trunc, builder.add(others, builder.integer(64, 1)), number);
        let few = builder.intrinsic("llvm.smin", &[number], &[all, most]).value();
        let last_thread = builder.sub(builder.cast(Opcode::SExt, few, word), builder.integer(64, 1));
        counted(builder, self.main, nothing, last_thread, &mut |at| {
            builder.store(nothing, done_by(builder, done, at), Some(WORD));
        });
        let thread = Entry::GlobalThread.call(builder, &[ident(module)]).value();
        Entry::PushThreads.call(builder, &[ident(module), thread, few]);
        self.fork(threads, frame);
    }

    /// All steps on one thread.
    fn run_steps(
        &self,
        part: Function<'ir>,
        frame: Value<'ir>,
        steps: &Steps<'ir>,
        (lower, upper): (Known<'ir>, Known<'ir>),
    ) {
        let builder = &self.builder;
        counted(builder, self.main, builder.integer(64, 0), steps.last, &mut |at| {
            let step = builder.add(steps.from, builder.mul(at, builder.integer(64, steps.distance.into())));
            call_part(builder, part, frame, [lower.value, upper.value], &[step]).set_location(self.location);
        });
    }
}

/// What each thread does: its piece in all steps.
fn flow<'ir>(threads: &Threads<'_, 'ir>, part: Function<'ir>, places: &Places, distance: i64) {
    let builder = threads.thread.builder;
    let function = threads.thread.function;
    let context = builder.context();
    let [word, number] = [64, 32].map(|width| Type::integer(context, width));
    let from = captured(builder, threads.frame, places.from, word);
    let last_step = captured(builder, threads.frame, places.last_step, word);
    let done = captured(builder, threads.frame, places.done, Type::pointer(context));
    let own = builder.load(number, function.arguments()[1], None).value();
    let own = builder.cast(Opcode::ZExt, own, word);
    let one = builder.integer(64, 1);
    let (mine, before) = (done_by(builder, done, own), done_by(builder, done, builder.sub(own, one)));
    let is_behind = builder.icmp(IntPredicate::Sgt, own, builder.integer(64, 0));
    let iterator = |number| builder.add(threads.lower, builder.mul(number, builder.integer(64, threads.step.into())));
    let (first, last) = threads.begin_static();
    counted(builder, function, builder.integer(64, 0), last_step, &mut |at| {
        let [wait, go] = ["wait", "go"].map(|name| function.new_block(name));
        builder.branch(is_behind, wait, go);
        builder.at_end(wait);
        wait_for(builder, before, at);
        builder.jump(go);
        builder.at_end(go);
        let step = builder.add(from, builder.mul(at, builder.integer(64, distance.into())));
        threads.unless_empty((first, last), &|| {
            threads.handing_errno(first, &|| {
                call_part(builder, part, threads.frame, [iterator(first), iterator(last)], &[step]);
            });
        });
        builder.store_release(builder.add(at, one), mine, WORD);
    });
    threads.end_static();
    builder.return_(None);
}

/// Where a thread's number of steps that are done is.
fn done_by<'ir>(builder: &Builder<'ir>, done: Value<'ir>, thread: Value<'ir>) -> Value<'ir> {
    let offset = builder.mul(thread, builder.integer(64, DISTANCE.into()));
    builder.gep(Type::integer(builder.context(), 8), done, &[offset], Promise::Nothing)
}

/// Waits until more steps are done than this.
fn wait_for<'ir>(builder: &Builder<'ir>, done: Value<'ir>, step: Value<'ir>) {
    let function = builder.block().function();
    let word = Type::integer(builder.context(), 64);
    let [look, again, yielding, ready] = ["look", "again", "yield", "ready"].map(|name| function.new_block(name));
    let before = builder.block();
    builder.jump(look);
    builder.at_end(look);
    let looks = builder.phi(word, "looks");
    looks.add_incoming(builder.integer(64, 1), before);
    let is_done = builder.load_acquire(word, done, WORD).value();
    builder.branch(builder.icmp(IntPredicate::Sgt, is_done, step), ready, again);
    builder.at_end(again);
    if function.module().target_triple().starts_with(WITH_PAUSE) {
        builder.intrinsic("llvm.x86.sse2.pause", &[], &[]);
    }
    let next = builder.add(looks.value(), builder.integer(64, 1));
    let is_early = builder.icmp(IntPredicate::Slt, looks.value(), builder.integer(64, LOOKS));
    looks.add_incoming(next, again);
    builder.branch(is_early, look, yielding);
    builder.at_end(yielding);
    builder.call(library::yielding(function).expect("law: the name was found free"), &[]);
    looks.add_incoming(next, yielding);
    builder.jump(look);
    builder.at_end(ready);
}
