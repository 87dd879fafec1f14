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
//! Where the rows are too short for that to be a small part of the time of the loops, the original ones run.

use crate::emit::arith::bounds::{Known, Range};
use crate::emit::arith::formula;
use crate::emit::arith::work::{MOST_LOOPS_ESTIMATED, Numbers};
use crate::emit::guards::guard::ERRNO_BYTES;
use crate::emit::guards::inspection::go_on_if;
use crate::emit::guards::measure::are_several;
use crate::emit::guards::sorting::{WORDS, sorted_and_apart, store_row};
use crate::emit::plan::Plan;
use crate::emit::plan::guard::Worth;
use crate::emit::plan::library::allocator;
use crate::emit::write::ends::Ends;
use crate::emit::write::loops::{Loop, Names};
use crate::emit::write::writer::Writer;
use crate::extract::binding::BoundArray;
use crate::llvm::{Block, Builder, IntPredicate, Opcode, Promise, Type, Value, errno};
use crate::scop::ArrayId;
use std::collections::BTreeMap;

/// More rows than this are not sorted before loops: two hundred megabytes are noted of them.
const MOST_ROWS: i128 = 1 << 22;

/// Operations on numbers of eight bytes, in vectors, in the time that it takes to look at a row whose pointer is in the cache, ten times.
const WORK_TO_LOOK: i128 = 128;

/// The same, to note a row, in memory that is new.
const WORK_TO_NOTE: i128 = 1024;

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
