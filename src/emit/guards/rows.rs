//! The test that rows do not overlap.
//!
//! ```c
//! void add(int n, int m, double **a, double **b) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] += b[i][j]; }
//! ```
//!
//! Where the rows begin only the tables say, in any order. So the bytes that the loops touch of each row, from `a[i]` to `a[i] + 8 m`, are noted on the
//! heap, sorted by where they begin, and looked at in this order: what begins before the end of something earlier must not do so if one of both is
//! written. An array that has no rows is one; so is `errno`, where no element may be. Only pointers are read that the loops read. Where no row is written, it is tried first whether what is written
//! lies before or behind all rows.
//!
//! Rows that stand in order are a run; runs are merged, two by two, until there is one (natural merge sort: Knuth, "The Art of Computer Programming" 3,
//! 5.2.4). Tables whose rows were reserved one after the other are few runs. Where there are so many that sorting would take as long as the loops, or
//! so little to do that even looking would, the original loops run.

use crate::emit::arith::bounds::{Known, Range};
use crate::emit::arith::formula;
use crate::emit::arith::work::{MOST_LOOPS_ESTIMATED, Numbers};
use crate::emit::guards::guard::ERRNO_BYTES;
use crate::emit::guards::inspection::go_on_if;
use crate::emit::guards::measure::are_several;
use crate::emit::plan::Plan;
use crate::emit::plan::guard::Worth;
use crate::emit::plan::library::allocator;
use crate::emit::write::ends::Ends;
use crate::emit::write::loops::{Loop, Names, counted};
use crate::emit::write::writer::Writer;
use crate::extract::binding::BoundArray;
use crate::llvm::{Block, Builder, Function, IntPredicate, Opcode, Promise, Type, Value, errno};
use crate::scop::ArrayId;
use std::collections::BTreeMap;

/// More rows than this are not sorted before loops: two hundred megabytes are noted of them.
const MOST_ROWS: i128 = 1 << 22;

/// Operations on numbers of eight bytes, in vectors, in the time that it takes to look at a row whose pointer is in the cache, ten times.
const WORK_TO_LOOK: i128 = 128;

/// The same, to note a row, in memory that is new.
const WORK_TO_NOTE: i128 = 1024;

/// The same, each time that all rows are merged.
const WORK_TO_MERGE: i128 = 512;

/// Words that are noted of a row: where it begins, where it ends, and whether it is written.
const WORDS: i128 = 3;

impl<'ir> Plan<'_, 'ir> {
    /// Writes the test, from where the writer is; it leads to `original` where it fails. `ends` are those of the arrays without rows.
    pub(in crate::emit) fn test_rows(
        &self,
        writer: &mut Writer<'_, 'ir>,
        ends: &BTreeMap<ArrayId, Ends<'ir>>,
        original: Block<'ir>,
    ) {
        let word = Type::integer(writer.builder.context(), 64);
        let (with_rows, flat): (Vec<ArrayId>, Vec<ArrayId>) =
            self.guard.rows.iter().partition(|at| self.binding.arrays[**at].rows.is_some());
        let mut count = writer.builder.integer(64, flat.len() as i128 + 1);
        for at in &with_rows {
            let number = self.number_of_rows(writer, *at);
            count = writer.builder.add(count, number);
        }
        if !self.pays_alone() {
            let several = are_several(writer);
            go_on_if(writer, several, original);
        }
        let work = self.work_for_rows(writer, &with_rows);
        let is_for_all = |writer: &Writer<'_, 'ir>, each: i128| {
            let needed = writer.builder.mul(count, writer.builder.integer(64, each));
            writer.builder.icmp(IntPredicate::Sge, work, needed)
        };
        let apart = writer.new_block("apart");
        if !with_rows.iter().any(|at| self.binding.arrays[*at].is_written) {
            go_on_if(writer, is_for_all(writer, WORK_TO_LOOK), original);
            let elsewhere = self.is_written_elsewhere(writer, &with_rows, &flat, ends);
            let sort = writer.new_block("among");
            writer.builder.branch(elsewhere, apart, sort);
            writer.builder.at_end(sort);
        }
        let is_few = writer.builder.icmp(IntPredicate::Sle, count, writer.builder.integer(64, MOST_ROWS));
        go_on_if(writer, is_few, original);
        go_on_if(writer, is_for_all(writer, WORK_TO_NOTE), original);
        let (malloc, free) = allocator(writer.main).expect("law: a plan that tests rows has an allocator");
        let twice = writer.builder.mul(count, writer.builder.integer(64, 2));
        let bytes = writer.builder.mul(twice, writer.builder.integer(64, 8 * WORDS));
        let call = writer.builder.call(malloc, &[bytes]);
        call.set_location(writer.location);
        let memory = call.value();
        let null = Value::zero(Type::pointer(writer.builder.context()));
        go_on_if(writer, writer.builder.icmp(IntPredicate::Ne, memory, null), original);
        let notes = Notes { memory, n_noted: writer.reserve(word, "noted") };
        writer.builder.store(writer.builder.integer(64, 0), notes.n_noted, None);
        for at in with_rows {
            let touch = Touch::of(&self.binding.arrays[at]);
            self.each_row(writer, at, &mut |builder, ends| notes.note(builder, ends, touch));
        }
        for at in flat {
            let Ends { first, behind, is_touched } = ends[&at];
            let [first, behind] = [first, behind].map(|end| writer.builder.cast(Opcode::Trunc, end, word));
            only_if(writer, is_touched, &mut |writer| {
                notes.note(&writer.builder, [first, behind], Touch::of(&self.binding.arrays[at]));
            });
        }
        if self.asks_for_errno() {
            notes.note(&writer.builder, place_of_errno(&writer.builder), Touch::Written);
        }
        let n_noted = writer.builder.load(word, notes.n_noted, None).value();
        let function = sorted_and_apart(writer);
        let call = writer.builder.call(function, &[memory, n_noted, work]);
        call.set_location(writer.location);
        writer.builder.call(free, &[memory]).set_location(writer.location);
        writer.builder.branch(call.value(), apart, original);
        writer.builder.at_end(apart);
    }

    /// Whether the new loops may be faster on one thread, too, so that it is worth while to look at rows there.
    fn pays_alone(&self) -> bool {
        match &self.guard.worth {
            Worth::Always => true,
            Worth::From(needs) => needs.alone.is_some(),
        }
    }

    /// About how many operations the loops have to do, on numbers of eight bytes; as many as one likes, where that is not to matter.
    fn work_for_rows(&self, writer: &mut Writer<'_, 'ir>, with_rows: &[ArrayId]) -> Value<'ir> {
        if self.settings.minimal_work == 0 {
            return writer.builder.integer(64, i128::from(i64::MAX));
        }
        let names = writer.names.clone();
        let work = writer.work(&self.ast.root, &mut { MOST_LOOPS_ESTIMATED }).value;
        writer.names = names;
        let bytes = with_rows.iter().map(|at| i128::from(self.binding.arrays[*at].element_bytes)).min().unwrap_or(8);
        let builder = &writer.builder;
        builder.binary(Opcode::UDiv, builder.mul(work, builder.integer(64, bytes.min(8))), builder.integer(64, 8))
    }

    /// Where no row is written: whether all that is lies before or behind all rows.
    fn is_written_elsewhere(
        &self,
        writer: &mut Writer<'_, 'ir>,
        with_rows: &[ArrayId],
        flat: &[ArrayId],
        ends: &BTreeMap<ArrayId, Ends<'ir>>,
    ) -> Value<'ir> {
        let word = Type::integer(writer.builder.context(), 64);
        let hull = ["lowest", "highest"].map(|name| writer.reserve(word, name));
        writer.builder.store(writer.builder.integer(64, -1), hull[0], None);
        writer.builder.store(writer.builder.integer(64, 0), hull[1], None);
        for at in with_rows {
            self.each_row(writer, *at, &mut |builder, row| {
                for ((slot, end), intrinsic) in hull.iter().zip(row).zip(["llvm.umin", "llvm.umax"]) {
                    let known = builder.load(word, *slot, None).value();
                    builder.store(builder.intrinsic(intrinsic, &[word], &[known, end]).value(), *slot, None);
                }
            });
        }
        let builder = &writer.builder;
        let [lowest, highest] = hull.map(|slot| builder.load(word, slot, None).value());
        let is_beside = |first: Value<'ir>, behind: Value<'ir>| {
            let before = builder.icmp(IntPredicate::Ule, behind, lowest);
            builder.binary(Opcode::Or, before, builder.icmp(IntPredicate::Uge, first, highest))
        };
        let mut all = builder.integer(1, 1);
        for at in flat.iter().filter(|at| self.binding.arrays[**at].is_written) {
            let Ends { first, behind, is_touched } = ends[at];
            let [first, behind] = [first, behind].map(|end| builder.cast(Opcode::Trunc, end, word));
            let beside = builder.binary(Opcode::Or, builder.not(is_touched), is_beside(first, behind));
            all = builder.binary(Opcode::And, all, beside);
        }
        if self.asks_for_errno() {
            let [first, behind] = place_of_errno(builder);
            all = builder.binary(Opcode::And, all, is_beside(first, behind));
        }
        all
    }

    /// Whether no row may be where `errno` is.
    fn asks_for_errno(&self) -> bool {
        self.guard.not_errno.iter().any(|at| self.binding.arrays[*at].rows.is_some())
    }

    /// Rows between the first and the last one that is touched, if any is.
    fn number_of_rows(&self, writer: &mut Writer<'_, 'ir>, at: ArrayId) -> Value<'ir> {
        let bound = self.guard.boxes[at].as_ref().expect("law: tested rows have bounds");
        let (first, last) = (writer.value(&bound.bounds[0].0), writer.value(&bound.bounds[0].1));
        let is_touched = writer.truth(&bound.is_touched);
        let builder = &writer.builder;
        let number = builder.add(builder.sub(last.value, first.value), builder.integer(64, 1));
        builder.select(is_touched, number, builder.integer(64, 0))
    }

    /// What is done with the ends of the bytes that the loops may touch of each row.
    fn each_row(
        &self,
        writer: &mut Writer<'_, 'ir>,
        at: ArrayId,
        visit: &mut dyn FnMut(&Builder<'ir>, [Value<'ir>; 2]),
    ) {
        let bound = self.guard.boxes[at].as_ref().expect("law: tested rows have bounds");
        let (first, last) = (writer.value(&bound.bounds[0].0), writer.value(&bound.bounds[0].1));
        let is_touched = writer.truth(&bound.is_touched);
        only_if(writer, is_touched, &mut |writer| {
            let names = Names { body: "look", after: "looked", counter: "row" };
            let each = Loop::enter(&writer.builder, writer.function(), names, first.value, last.value);
            let range = Range::new(first.range.low, last.range.high.max(first.range.low));
            let number = Known { value: each.counter(), range };
            let shadowed = writer.names.insert(formula::dimension_name(0), number);
            let runs = writer.truth(&self.guard.looked_at[&at].runs);
            only_if(writer, runs, &mut |writer| {
                let ends = self.ends_of_row(writer, at, number.value);
                visit(&writer.builder, ends);
            });
            assert!(shadowed.is_none(), "law: nothing else is called like a dimension here");
            writer.names.remove(&formula::dimension_name(0));
            let next = writer.builder.add(each.counter(), writer.builder.integer(64, 1));
            let again = writer.builder.icmp(IntPredicate::Sle, next, last.value);
            each.leave(&writer.builder, next, again);
        });
    }

    /// The first byte that is touched of a row and the one behind the last.
    fn ends_of_row(&self, writer: &mut Writer<'_, 'ir>, at: ArrayId, number: Value<'ir>) -> [Value<'ir>; 2] {
        let array = &self.binding.arrays[at];
        let row = row_of(writer, at, number);
        let word = Type::integer(writer.builder.context(), 64);
        let begin = writer.builder.cast(Opcode::PtrToInt, writer.builder.freeze(row), word);
        let bytes = writer.builder.integer(64, i128::from(array.element_bytes));
        let mut ends = [begin, writer.builder.add(begin, bytes)];
        for (stride, (low, high)) in array.strides.iter().skip(1).zip(&self.guard.looked_at[&at].bounds) {
            let stride = stride.as_constant().expect("law: a row has constant strides");
            for (end, subscript) in ends.iter_mut().zip([low, high]) {
                let subscript = writer.value(subscript).value;
                *end = writer.builder.add(*end, writer.builder.mul(subscript, writer.builder.integer(64, stride)));
            }
        }
        ends
    }
}

/// The first byte of the thread's `errno` and the one behind it.
fn place_of_errno<'ir>(builder: &Builder<'ir>) -> [Value<'ir>; 2] {
    let first = builder.cast(Opcode::PtrToInt, errno::place(builder), Type::integer(builder.context(), 64));
    [first, builder.add(first, builder.integer(64, ERRNO_BYTES))]
}

/// The pointer to a row, read from its table.
pub(in crate::emit) fn row_of<'ir>(writer: &Writer<'_, 'ir>, at: ArrayId, number: Value<'ir>) -> Value<'ir> {
    let (array, builder) = (&writer.plan.binding.arrays[at], &writer.builder);
    let table = array.base.expect("law: rows have a table");
    let pointer = Type::pointer(builder.context());
    let place = builder.gep(pointer, table, &[number], Promise::Nothing);
    builder.load(pointer, place, Some(1)).value()
}

/// What the loops do to a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read,
    Written,
}

impl Touch {
    fn of(array: &BoundArray<'_>) -> Self {
        if array.is_written { Touch::Written } else { Touch::Read }
    }
}

/// Rows on the heap.
struct Notes<'ir> {
    memory: Value<'ir>,
    /// A variable: how many there are.
    n_noted: Value<'ir>,
}

impl<'ir> Notes<'ir> {
    fn note(&self, builder: &Builder<'ir>, [first, behind]: [Value<'ir>; 2], touch: Touch) {
        let word = Type::integer(builder.context(), 64);
        let at = builder.load(word, self.n_noted, None).value();
        let row = [first, behind, builder.integer(64, (touch == Touch::Written).into())];
        store_row(builder, self.memory, at, row);
        builder.store(builder.add(at, builder.integer(64, 1)), self.n_noted, None);
    }
}

fn only_if<'p, 'ir>(writer: &mut Writer<'p, 'ir>, holds: Value<'ir>, inside: &mut dyn FnMut(&mut Writer<'p, 'ir>)) {
    let (here, next) = (writer.new_block("touched"), writer.new_block("next"));
    writer.builder.branch(holds, here, next);
    writer.builder.at_end(here);
    inside(writer);
    writer.builder.jump(next);
    writer.builder.at_end(next);
}

fn word_of<'ir>(builder: &Builder<'ir>, memory: Value<'ir>, row: Value<'ir>, at: usize) -> Value<'ir> {
    let place = builder.mul(row, builder.integer(64, WORDS));
    let place = builder.add(place, builder.integer(64, at as i128));
    builder.gep(Type::integer(builder.context(), 64), memory, &[place], Promise::Nothing)
}

fn load_row<'ir>(builder: &Builder<'ir>, memory: Value<'ir>, row: Value<'ir>) -> [Value<'ir>; WORDS as usize] {
    let word = Type::integer(builder.context(), 64);
    std::array::from_fn(|at| builder.load(word, word_of(builder, memory, row, at), None).value())
}

fn store_row<'ir>(builder: &Builder<'ir>, memory: Value<'ir>, row: Value<'ir>, words: [Value<'ir>; WORDS as usize]) {
    for (at, value) in words.into_iter().enumerate() {
        builder.store(value, word_of(builder, memory, row, at), None);
    }
}

/// A function of the memory for two times so many rows, the first half of it noted, and what there is to do: sorts them, and tells whether no two of which
/// one is written overlap; or that they do, if it would take too long to find out.
fn sorted_and_apart<'ir>(writer: &mut Writer<'_, 'ir>) -> Function<'ir> {
    let context = writer.builder.context();
    let (word, bit, pointer) = (Type::integer(context, 64), Type::integer(context, 1), Type::pointer(context));
    let ty = Type::function(bit, &[pointer, word, word]);
    let function = writer.new_function(&format!("{}.rows", writer.main.name()), ty);
    let builder = Builder::new(context);
    let [entry, enough, sweep, few] = ["entry", "enough", "sweep", "few"].map(|name| function.new_block(name));
    builder.at_end(entry);
    let [memory, count, work] = function.arguments()[..] else { unreachable!("law: the type has three arguments") };
    let sorting = Sorting::begin(&builder, function, memory, count);
    let found = builder.alloca(bit, "apart").value();
    let reached: [Value<'ir>; 2] = ["reached", "written"].map(|name| builder.alloca(word, name).value());
    let (runs, apart) = sorting.count_runs();
    let next = function.new_block("next");
    builder.branch(apart, next, few);
    builder.at_end(next);
    let leading = builder.intrinsic("llvm.ctlz", &[word], &[runs, builder.integer(1, 0)]).value();
    let merges = builder.sub(builder.integer(64, 64), leading);
    let needed = builder.mul(builder.mul(count, merges), builder.integer(64, WORK_TO_MERGE));
    builder.branch(builder.icmp(IntPredicate::Sge, work, needed), enough, few);
    builder.at_end(few);
    builder.return_(Some(builder.integer(1, 0)));
    builder.at_end(enough);
    sorting.merge_all(runs, sweep);
    builder.at_end(sweep);
    builder.store(builder.integer(1, 1), found, None);
    for slot in reached {
        builder.store(builder.integer(64, 0), slot, None);
    }
    let sorted = builder.load(pointer, sorting.from, None).value();
    let last = builder.sub(count, builder.integer(64, 1));
    counted(&builder, function, builder.integer(64, 0), last, &mut |at| {
        let [first, behind, written] = load_row(&builder, sorted, at);
        let is_written = builder.icmp(IntPredicate::Ne, written, builder.integer(64, 0));
        let [of_all, of_written] = reached.map(|slot| builder.load(word, slot, None).value());
        let end = builder.select(is_written, of_all, of_written);
        let is_apart = builder.icmp(IntPredicate::Uge, first, end);
        let is_row = builder.icmp(IntPredicate::Ule, first, behind);
        let so_far = builder.load(bit, found, None).value();
        let both = builder.binary(Opcode::And, is_apart, is_row);
        builder.store(builder.binary(Opcode::And, so_far, both), found, None);
        let larger = |a, b| builder.intrinsic("llvm.umax", &[word], &[a, b]).value();
        builder.store(larger(of_all, behind), reached[0], None);
        builder.store(builder.select(is_written, larger(of_written, behind), of_written), reached[1], None);
    });
    builder.return_(Some(builder.load(bit, found, None).value()));
    function
}

/// Rows that are merged from one half of their memory into the other one.
struct Sorting<'b, 'ir> {
    builder: &'b Builder<'ir>,
    function: Function<'ir>,
    count: Value<'ir>,
    /// Variables: the halves.
    from: Value<'ir>,
    to: Value<'ir>,
    /// How many runs there are; where the first of two begins and both end; which rows are merged next.
    runs: Value<'ir>,
    begin: Value<'ir>,
    middle: Value<'ir>,
    end: Value<'ir>,
    next: [Value<'ir>; 2],
}

impl<'b, 'ir> Sorting<'b, 'ir> {
    fn begin(builder: &'b Builder<'ir>, function: Function<'ir>, memory: Value<'ir>, count: Value<'ir>) -> Self {
        let word = Type::integer(builder.context(), 64);
        let variable = |name: &str| builder.alloca(word, name).value();
        let half = |name: &str| builder.alloca(Type::pointer(builder.context()), name).value();
        let this = Sorting {
            builder,
            function,
            count,
            from: half("from"),
            to: half("to"),
            runs: variable("runs"),
            begin: variable("begin"),
            middle: variable("middle"),
            end: variable("end"),
            next: ["left", "right"].map(variable),
        };
        builder.store(memory, this.from, None);
        builder.store(word_of(builder, memory, count, 0), this.to, None);
        this
    }

    fn number(&self, value: i128) -> Value<'ir> {
        self.builder.integer(64, value)
    }

    fn load(&self, variable: Value<'ir>) -> Value<'ir> {
        self.builder.load(Type::integer(self.builder.context(), 64), variable, None).value()
    }

    fn half(&self, variable: Value<'ir>) -> Value<'ir> {
        self.builder.load(Type::pointer(self.builder.context()), variable, None).value()
    }

    /// Whether a row, one but the first, begins before the one before it.
    fn falls(&self, memory: Value<'ir>, at: Value<'ir>) -> Value<'ir> {
        let before = load_row(self.builder, memory, self.builder.sub(at, self.number(1)))[0];
        self.builder.icmp(IntPredicate::Ugt, before, load_row(self.builder, memory, at)[0])
    }

    /// How many runs there are, at least one; and whether no neighbours of which one is written overlap.
    fn count_runs(&self) -> (Value<'ir>, Value<'ir>) {
        let builder = self.builder;
        let bit = Type::integer(builder.context(), 1);
        let apart = builder.alloca(bit, "neighbours").value();
        builder.store(builder.integer(1, 1), apart, None);
        builder.store(self.number(1), self.runs, None);
        let (memory, last) = (self.half(self.from), builder.sub(self.count, self.number(1)));
        counted(builder, self.function, self.number(1), last, &mut |at| {
            let [first, behind, written] = load_row(builder, memory, builder.sub(at, self.number(1)));
            let [next, end, also] = load_row(builder, memory, at);
            let falls = builder.select(builder.icmp(IntPredicate::Ugt, first, next), self.number(1), self.number(0));
            builder.store(builder.add(self.load(self.runs), falls), self.runs, None);
            let none = builder.icmp(IntPredicate::Eq, builder.binary(Opcode::Or, written, also), self.number(0));
            let before = builder.icmp(IntPredicate::Ule, behind, next);
            let after = builder.icmp(IntPredicate::Ule, end, first);
            let either = builder.binary(Opcode::Or, before, after);
            let so_far = builder.load(bit, apart, None).value();
            builder.store(builder.binary(Opcode::And, so_far, builder.binary(Opcode::Or, none, either)), apart, None);
        });
        (self.load(self.runs), builder.load(bit, apart, None).value())
    }

    /// Merges runs, of which there are so many, until there is one; goes on at `sorted`.
    fn merge_all(&self, runs: Value<'ir>, sorted: Block<'ir>) {
        let builder = self.builder;
        let [pass, merge, exchange] = ["pass", "merge", "exchange"].map(|name| self.function.new_block(name));
        let again =
            |runs: Value<'ir>| builder.branch(builder.icmp(IntPredicate::Sgt, runs, self.number(1)), pass, sorted);
        again(runs);

        builder.at_end(pass);
        builder.store(self.number(0), self.begin, None);
        builder.store(self.number(0), self.runs, None);
        builder.jump(merge);

        builder.at_end(merge);
        self.find_end(self.load(self.begin), self.middle);
        self.find_end(self.load(self.middle), self.end);
        self.merge_two();
        builder.store(builder.add(self.load(self.runs), self.number(1)), self.runs, None);
        let end = self.load(self.end);
        builder.store(end, self.begin, None);
        builder.branch(builder.icmp(IntPredicate::Slt, end, self.count), merge, exchange);

        builder.at_end(exchange);
        let (from, to) = (self.half(self.from), self.half(self.to));
        builder.store(to, self.from, None);
        builder.store(from, self.to, None);
        again(self.load(self.runs));
    }

    /// Finds where the run that begins at a row ends, which is there if there are no more rows.
    fn find_end(&self, begin: Value<'ir>, end: Value<'ir>) {
        let builder = self.builder;
        let [look, on, found] = ["look", "on", "found"].map(|name| self.function.new_block(name));
        let word = Type::integer(builder.context(), 64);
        let second = builder.add(begin, self.number(1));
        builder.store(builder.intrinsic("llvm.smin", &[word], &[second, self.count]).value(), end, None);
        builder.jump(look);
        builder.at_end(look);
        let at = self.load(end);
        let compare = self.function.new_block("compare");
        builder.branch(builder.icmp(IntPredicate::Slt, at, self.count), compare, found);
        builder.at_end(compare);
        builder.branch(self.falls(self.half(self.from), at), found, on);
        builder.at_end(on);
        builder.store(builder.add(at, self.number(1)), end, None);
        builder.jump(look);
        builder.at_end(found);
    }

    /// Merges the two runs that have been found.
    fn merge_two(&self) {
        let builder = self.builder;
        let [begin, middle, end] = [self.begin, self.middle, self.end].map(|variable| self.load(variable));
        let (from, to) = (self.half(self.from), self.half(self.to));
        builder.store(begin, self.next[0], None);
        builder.store(middle, self.next[1], None);
        counted(builder, self.function, begin, builder.sub(end, self.number(1)), &mut |at| {
            let [left, right] = self.next.map(|variable| self.load(variable));
            let has_left = builder.icmp(IntPredicate::Slt, left, middle);
            let is_right_over = builder.icmp(IntPredicate::Sge, right, end);
            let inside = builder.select(is_right_over, left, right);
            let [own, other] = [left, inside].map(|row| load_row(builder, from, row)[0]);
            let is_first = builder.icmp(IntPredicate::Ule, own, other);
            let either = builder.binary(Opcode::Or, is_right_over, is_first);
            let takes_left = builder.binary(Opcode::And, has_left, either);
            store_row(builder, to, at, load_row(builder, from, builder.select(takes_left, left, right)));
            let step = builder.select(takes_left, self.number(1), self.number(0));
            builder.store(builder.add(left, step), self.next[0], None);
            builder.store(builder.add(right, builder.sub(self.number(1), step)), self.next[1], None);
        });
    }
}
