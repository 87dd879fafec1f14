//! Parallel loops.
//!
//! The body of `for parallel (c0 = lower; c0 <= upper; c0 += step) body` moves into a function of its own, which runs a part of the
//! iterations and is called in two ways:
//!
//!     void f.part(frame, first, behind) for (c0 = first; c0 < behind; c0 += step) body         values of f come through the frame
//!     void f.threads(thread, _, frame)  get my iterations from the runtime; f.part(frame, their first, their last + 1)
//!     void f.loop(...)                  if (the work is worth a fork) __kmpc_fork_call(f.threads, frame); else f.part(frame, lower, upper + 1);
//!
//! and `f` calls `f.loop` with the values that it needs. So the frame is on the stack while the loop runs and no longer: `f` may call itself
//! many thousand times (see [`super::apart`]).
//!
//! The work is the number of instances, estimated at run time with the middle iteration standing for all. Iterations
//! of about equal length are dealt statically, one contiguous share per thread; where the bounds of inner loops depend on
//! the iterator they are dealt in shrinking shares (`guided`).

use super::errno::{Handed, Own, Thread};
use super::signals;
use crate::ast::{Expr, For, Node};
use crate::emit::arith::bounds::{Known, Range};
use crate::emit::plan::privatization::{Density, Private, Privatization};
use crate::emit::write::frame::{CAPTURE_ALIGNMENT, Captured, captured, frame_cell};
use crate::emit::write::loops::counted;
use crate::emit::write::operators;
use crate::emit::write::writer::Writer;
use crate::llvm::openmp::{Entry, SCHEDULE_GUIDED, SCHEDULE_STATIC, ident, outlined_type};
use crate::llvm::{Builder, Function, Instruction, IntPredicate, Promise, Type, Value};
use crate::presburger::Id;

impl<'ir> Writer<'_, 'ir> {
    pub fn parallel_for(&mut self, each: &For) {
        self.apart(&mut |writer| writer.fork_or_run(each));
    }

    fn fork_or_run(&mut self, each: &For) {
        let (lower, upper) = (self.value(&each.lower), self.value(&each.upper));
        let arithmetic = self.arithmetic();
        let last = arithmetic.floor_div(arithmetic.sub(upper, lower), &each.step);
        let is_worth = self.is_worth_a_fork(each, lower, upper, last);
        let mut captured = Captured::default();
        let places = [lower.value, last.value].map(|value| captured.add(value, &self.builder));
        let handed = self.reserve_errno(&mut captured);
        let (part, captured) = self.part_function(each, Handing::Nothing, (lower, upper), captured);
        let threads = self.thread_function(each, part, places, handed);
        let frame = self.reserve_apart(captured.ty(&self.builder), "frame");
        captured.store(&self.builder, frame);
        self.either(is_worth, handed, &|writer| writer.fork(threads, frame), &|writer| {
            call_part(&writer.builder, part, frame, [lower.value, upper.value], &[]).set_location(writer.location);
        });
    }

    /// The function that runs a range of iterations, on cells for what it reduces into or in a step of a pipeline, and what it
    /// captures. It is called for all iterations and for a thread's share of them, and neither knows more of its loops
    /// than it does: LLVM would inline, vectorise and unroll each of the calls for itself.
    pub(in crate::emit) fn part_function(
        &mut self,
        each: &For,
        handing: Handing<'_>,
        (lower, upper): (Known<'ir>, Known<'ir>),
        captured: Captured<'ir>,
    ) -> (Function<'ir>, Captured<'ir>) {
        let context = self.builder.context();
        let (pointer, word) = (Type::pointer(context), Type::integer(context, 64));
        let last = match handing {
            Handing::Nothing => None,
            Handing::Cells(_) => Some(pointer),
            Handing::Step(..) => Some(word),
        };
        let parameters: Vec<Type<'ir>> = [pointer, word, word].into_iter().chain(last).collect();
        let ty = Type::function(Type::void(context), &parameters);
        let function = self.new_function(&format!("{}.part", self.main.name()), ty);
        function.add_attribute("noinline");
        let arguments = function.arguments();
        let (entry, start) = (function.new_block("entry"), function.new_block("start"));
        let entry_builder = Builder::new(context);
        entry_builder.at_end(entry);
        let here = self.builder.block();
        self.enter_part(function, entry_builder, arguments[0], captured);
        self.builder.at_end(start);
        self.plan.own_arrays(each).into_iter().for_each(|array| self.take_own(array));
        let slots = match handing {
            Handing::Cells(privates) => Some(self.take_cells(privates, arguments[3])),
            Handing::Step(steps, range) => {
                self.names.insert(steps.iterator.clone(), Known { value: arguments[3], range });
                None
            }
            Handing::Nothing => None,
        };
        let range = lower.range.hull(Range::new(lower.range.low, upper.range.high.max(lower.range.low)));
        let first = Known { value: arguments[1], range };
        // A share ends before all iterations do.
        let last = range.hull(upper.range);
        let behind = Known { value: arguments[2], range: Range::new(last.low + 1, last.high + 1) };
        let last = self.last_before(behind);
        self.sequential_for(each, first, last);
        self.give_back(&slots.unwrap_or_default());
        self.builder.return_(None);
        let part = self.leave_part();
        part.entry.jump(start);
        self.builder.at_end(here);
        (function, part.captured)
    }

    pub fn new_function(&mut self, name: &str, ty: Type<'ir>) -> Function<'ir> {
        let function = self.main.module().new_internal_function(name, ty);
        function.copy_attributes_from(self.main);
        function.add_attribute("nounwind");
        self.functions.push(function);
        function
    }

    /// The function each thread runs. First iterator and last number are at `places` of the frame.
    fn thread_function(
        &mut self,
        each: &For,
        part: Function<'ir>,
        places: [u64; 2],
        handed: Option<Handed<'ir>>,
    ) -> Function<'ir> {
        let builder = Builder::new(self.builder.context());
        let threads = self.threads(each, places, handed, &builder);
        let run = |first: Value<'ir>, last: Value<'ir>| {
            let step = builder.integer(64, threads.step.into());
            let iterator = |number| builder.add(threads.lower, builder.mul(number, step));
            threads.handing_errno(first, &|| {
                call_part(&builder, part, threads.frame, [iterator(first), iterator(last)], &[]);
            });
        };
        threads.deal(each, &run);
        builder.return_(None);
        threads.thread.function
    }

    /// The beginning of a function for threads, which deal out the numbers from 0 to the last one.
    pub(super) fn threads<'b>(
        &mut self,
        each: &For,
        places: [u64; 2],
        handed: Option<Handed<'ir>>,
        builder: &'b Builder<'ir>,
    ) -> Threads<'b, 'ir> {
        let context = builder.context();
        let function = self.new_function(&format!("{}.threads", self.main.name()), outlined_type(context));
        builder.at_end(function.new_block("entry"));
        let (word, number) = (Type::integer(context, 64), Type::integer(context, 32));
        let arguments = function.arguments();
        let (thread_cell, frame) = (arguments[0], arguments[2]);
        let [lower, last] = places.map(|place| captured(builder, frame, place, word));
        let number_of_thread = || builder.load(number, thread_cell, None).value();
        let threads = Threads {
            frame,
            step: each.step.as_i64().expect("law: a planned step has 64 bits"),
            thread: Thread { builder, function, ident: ident(self.main.module()), number: number_of_thread() },
            lower,
            last,
            errno: handed.map(|handed| Own::of(builder, frame, handed)),
            cells: [
                builder.alloca(number, "is.last"),
                builder.alloca(word, "first"),
                builder.alloca(word, "last"),
                builder.alloca(word, "stride"),
            ]
            .map(Instruction::value),
        };
        signals::block(builder, function, arguments[1]);
        threads
    }

    /// The function each thread runs for a loop that carries reductions.
    pub fn share_function(&mut self, each: &For, shares: &Shares<'_, 'ir>) -> Function<'ir> {
        let [lower, last, share, last_share, cells] = shares.places;
        let builder = Builder::new(self.builder.context());
        let threads = self.threads(each, [lower, last_share], shares.handed, &builder);
        let (function, frame) = (threads.thread.function, threads.frame);
        let [pointer, word] = [Type::pointer(builder.context()), Type::integer(builder.context(), 64)];
        let [last, share] = [last, share].map(|place| captured(&builder, frame, place, word));
        let cells = captured(&builder, frame, cells, pointer);
        let ends: Vec<Option<[Value<'ir>; 3]>> = shares
            .ends
            .iter()
            .map(|ends| {
                ends.map(|[a, b, c]| {
                    [(a, word), (b, word), (c, pointer)].map(|(at, ty)| captured(&builder, frame, at, ty))
                })
            })
            .collect();
        let run = |first_share: Value<'ir>, last_share: Value<'ir>| {
            counted(&builder, function, first_share, last_share, &mut |at| {
                let cell = operators::share_cell(&builder, cells, at, shares.bytes);
                for (number, private) in shares.privates.iter().enumerate() {
                    let (Some([first, last, base]), Privatization::Elements(reduced, own)) =
                        (ends[number], &private.way)
                    else {
                        continue;
                    };
                    let ty = self.plan.value_type(private.array, reduced.ty);
                    let place = frame_cell(&builder, cell, CAPTURE_ALIGNMENT * number as u64);
                    let copy = builder.load(pointer, place, Some(CAPTURE_ALIGNMENT as u32)).value();
                    let start = match own.density {
                        Density::Sparse(numbers) => Some(operators::neutral(reduced.operator, ty, numbers)),
                        Density::Dense => operators::identity(reduced.operator, ty),
                    };
                    counted(&builder, function, first, last, &mut |element| {
                        let offset = builder.mul(element, builder.integer(64, own.stride));
                        let byte = Type::integer(builder.context(), 8);
                        let at = |base| builder.gep(byte, base, &[offset], Promise::Nothing);
                        let here = || builder.load(ty, at(base), None).value();
                        builder.store(start.unwrap_or_else(here), at(copy), None);
                    });
                }
                let first = builder.mul(at, share);
                let end = builder.add(first, builder.sub(share, builder.integer(64, 1)));
                let end = builder.intrinsic("llvm.smin", &[word], &[end, last]).value();
                let iterator =
                    |number| builder.add(threads.lower, builder.mul(number, builder.integer(64, threads.step.into())));
                threads.handing_errno(at, &|| {
                    call_part(&builder, shares.part, frame, [iterator(first), iterator(end)], &[cell]);
                });
            });
        };
        threads.deal(each, &run);
        builder.return_(None);
        function
    }
}

/// Calls a part for the iterations from the first to the last one. It is told the one behind: to LLVM, a loop up to a number that it does not know is one whose counter may
/// wrap around behind that, while one that ends below a number is not.
pub(super) fn call_part<'ir>(
    builder: &Builder<'ir>,
    part: Function<'ir>,
    frame: Value<'ir>,
    [first, last]: [Value<'ir>; 2],
    rest: &[Value<'ir>],
) -> Instruction<'ir> {
    let behind = builder.add(last, builder.integer(64, 1));
    builder.call(part, &[&[frame, first, behind], rest].concat())
}

/// Whether the number of iterations of some loop below depends on the iterator.
fn is_uneven(node: &Node, iterator: &Id) -> bool {
    let mentions = |expr: &Expr| expr.mentions(iterator);
    match node {
        Node::For(each) if !each.degenerate => {
            let mut constant_difference = Expr::sub(each.upper.clone(), each.lower.clone());
            constant_difference = without_common_terms(constant_difference);
            mentions(&constant_difference) || is_uneven(&each.body, iterator)
        }
        Node::If { condition, .. } if mentions(condition) => true,
        _ => node.children().into_iter().any(|child| is_uneven(child, iterator)),
    }
}

/// A difference in which both sides are a common expression plus constants, without that expression: the loop inside a tile has
/// as many iterations in each tile.
fn without_common_terms(difference: Expr) -> Expr {
    let split = |expr: &Expr| match expr {
        Expr::Add(a, b) if b.constant().is_some() => ((**a).clone(), (**b).clone()),
        Expr::Sub(a, b) if b.constant().is_some() => ((**a).clone(), Expr::neg((**b).clone())),
        other => (other.clone(), Expr::from(0)),
    };
    match &difference {
        Expr::Sub(upper, lower) => {
            let ((u, du), (l, dl)) = (split(upper), split(lower));
            if u == l { Expr::sub(du, dl) } else { difference }
        }
        Expr::Add(..) => match split(&difference) {
            (Expr::Sub(upper, lower), rest) if split(&upper).0 == split(&lower).0 => rest,
            _ => difference,
        },
        _ => difference,
    }
}

/// What the threads of a loop that carries reductions need to know.
pub struct Shares<'s, 'ir> {
    /// Of the first iterator, the number of the last iteration, the iterations of a share, the last share and the cells.
    pub places: [u64; 5],
    /// For each array in memory, of its first and last element and of its base.
    pub ends: &'s [Option<[u64; 3]>],
    pub privates: &'s [Private],
    /// Of one share's cells.
    pub bytes: u64,
    pub part: Function<'ir>,
    pub handed: Option<Handed<'ir>>,
}

/// What a part of a parallel loop is called with besides its iterations.
#[derive(Clone, Copy)]
pub(in crate::emit) enum Handing<'h> {
    Nothing,
    /// Cells for what it reduces into.
    Cells(&'h [Private]),
    /// The iteration of this loop around it, which is in this range.
    Step(&'h For, Range),
}

/// What a thread's function is made of. Iterations are numbered from 0 to `last`.
pub(super) struct Threads<'b, 'ir> {
    pub thread: Thread<'b, 'ir>,
    pub frame: Value<'ir>,
    pub step: i64,
    pub lower: Value<'ir>,
    last: Value<'ir>,
    errno: Option<Own<'ir>>,
    /// Whether it is the last share, its first and last iteration, the distance to the next share.
    cells: [Value<'ir>; 4],
}

impl<'ir> Threads<'_, 'ir> {
    fn word(&self, value: i128) -> Value<'ir> {
        self.thread.builder.integer(64, value)
    }

    /// Runs a share, and hands on what it sets `errno` to, if that is asked for.
    pub(super) fn handing_errno(&self, share: Value<'ir>, run: &dyn Fn()) {
        match &self.errno {
            Some(own) => own.handing(self.thread, share, run),
            None => run(),
        }
    }

    /// Calls `run` for ranges of the loop's numbers.
    fn deal(&self, each: &For, run: &dyn Fn(Value<'ir>, Value<'ir>)) {
        if is_uneven(&each.body, &each.iterator) { self.guided(run) } else { self.static_(run) }
    }

    /// One contiguous share per thread.
    fn static_(&self, work: &dyn Fn(Value<'ir>, Value<'ir>)) {
        let (first, last) = self.begin_static();
        self.unless_empty((first, last), &|| work(first, last));
        self.end_static();
    }

    /// The share of this thread, from its first number to its last one. It may be empty.
    pub(super) fn begin_static(&self) -> (Value<'ir>, Value<'ir>) {
        let [is_last, first, last, stride] = self.cells;
        let builder = self.thread.builder;
        builder.store(builder.integer(32, 0), is_last, None);
        builder.store(self.word(0), first, None);
        builder.store(self.last, last, None);
        builder.store(self.word(1), stride, None);
        let schedule = builder.integer(32, SCHEDULE_STATIC.into());
        let (one, cells) = (self.word(1), [is_last, first, last, stride]);
        let arguments = [&[self.thread.ident, self.thread.number, schedule][..], &cells, &[one, one]].concat();
        Entry::StaticInit.call(builder, &arguments);
        let word = Type::integer(builder.context(), 64);
        let (first, last) = (builder.load(word, first, None).value(), builder.load(word, last, None).value());
        let last = builder.intrinsic("llvm.smin", &[word], &[last, self.last]).value();
        (first, last)
    }

    pub(super) fn unless_empty(&self, (first, last): (Value<'ir>, Value<'ir>), work: &dyn Fn()) {
        let builder = self.thread.builder;
        let (run, end) = (self.thread.function.new_block("run"), self.thread.function.new_block("end"));
        let has_any = builder.icmp(IntPredicate::Sle, first, last);
        builder.branch(has_any, run, end);
        builder.at_end(run);
        work();
        builder.jump(end);
        builder.at_end(end);
    }

    pub(super) fn end_static(&self) {
        Entry::StaticEnd.call(self.thread.builder, &[self.thread.ident, self.thread.number]);
    }

    /// Shares on demand, smaller towards the end.
    fn guided(&self, work: &dyn Fn(Value<'ir>, Value<'ir>)) {
        let [is_last, first, last, stride] = self.cells;
        let builder = self.thread.builder;
        // The runtime writes all of them; whoever watches memory that is read before it is written does not see that.
        builder.store(builder.integer(32, 0), is_last, None);
        [first, last, stride].into_iter().for_each(|cell| {
            builder.store(self.word(0), cell, None);
        });
        let schedule = builder.integer(32, SCHEDULE_GUIDED.into());
        let range = [self.word(0), self.last, self.word(1), self.word(1)];
        Entry::DispatchInit.call(builder, &[&[self.thread.ident, self.thread.number, schedule][..], &range].concat());
        let (ask, run, end) = (
            self.thread.function.new_block("ask"),
            self.thread.function.new_block("run"),
            self.thread.function.new_block("end"),
        );
        builder.jump(ask);
        builder.at_end(ask);
        let more =
            Entry::DispatchNext.call(builder, &[self.thread.ident, self.thread.number, is_last, first, last, stride]);
        let more = builder.icmp(IntPredicate::Ne, more.value(), builder.integer(32, 0));
        builder.branch(more, run, end);
        builder.at_end(run);
        let word = Type::integer(builder.context(), 64);
        let (first, last) = (builder.load(word, first, None).value(), builder.load(word, last, None).value());
        work(first, last);
        builder.jump(ask);
        builder.at_end(end);
    }
}
