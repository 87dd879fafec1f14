//! The test that rows do not overlap.
//!
//! ```c
//! void add(int n, int m, double **a, double **b) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] += b[i][j]; }
//! ```
//!
//! Where the rows begin only the tables say, in any order. So the bytes that the loops touch of each row, from `a[i]` to `a[i] + 8 m`, are noted on the
//! heap, sorted by where they begin, and looked at in this order: what begins before the end of something earlier must not do so if one of both is
//! written. An array that has no rows is one; so is `errno`, where no element may be. Only pointers are read that the loops read.
//!
//! Most tables are filled in order, each at a time. So it is tried first with all rows of a table taken together, as one from the first byte to the last,
//! if those that are written stand in the order of the table: then there is little to note and to sort.
//!
//! Where the rows are too short for that to be a small part of the time of the loops, the original ones run.
//!
//! The test is asked in a function of its own, with one code for tables and for rows, and what sorts is one function of the module: LLVM would have more to do
//! with the test than with the loops.

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
use crate::llvm::{Block, Builder, Function, IntPredicate, Opcode, Promise, Type, Value, errno};
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
        if !self.pays_alone() {
            let several = are_several(writer);
            go_on_if(writer, several, original);
        }
        let kept = writer.keep_errno(None);
        let apart = writer.asked_apart("rows", &mut |writer, no| self.ask_rows(writer, ends, no));
        writer.restore_errno(kept);
        go_on_if(writer, apart, original);
    }

    /// The same, of which the end is reached where no rows overlap, else `no`.
    fn ask_rows(&self, writer: &mut Writer<'_, 'ir>, ends: &BTreeMap<ArrayId, Ends<'ir>>, no: Block<'ir>) {
        let (with_rows, flat): (Vec<ArrayId>, Vec<ArrayId>) =
            self.guard.rows.iter().partition(|at| self.binding.arrays[**at].rows.is_some());
        let flat: Vec<(ArrayId, Ends<'ir>)> = flat.into_iter().map(|at| (at, ends[&at])).collect();
        let work = self.work_for_rows(writer, &with_rows);
        let [tables, rows] = [Grain::Tables, Grain::Rows].map(|grain| self.count(writer, (&with_rows, &flat), grain));
        let is_for_all = |writer: &Writer<'_, 'ir>, each: i128| {
            let needed = writer.builder.mul(rows, writer.builder.integer(64, each));
            writer.builder.icmp(IntPredicate::Sge, work, needed)
        };
        let is_few = |writer: &Writer<'_, 'ir>, count: Value<'ir>| {
            writer.builder.icmp(IntPredicate::Sle, count, writer.builder.integer(64, MOST_ROWS))
        };
        let sort = Sort { function: sorted_and_apart(writer), work, no };
        let [attempt, apart, overlap, among] = ["attempt", "apart", "overlap", "among"].map(|n| writer.new_block(n));
        go_on_if(writer, is_for_all(writer, WORK_TO_LOOK), no);
        go_on_if(writer, is_few(writer, tables), no);
        let first = writer.builder.block();
        writer.builder.jump(attempt);
        writer.builder.at_end(attempt);
        let each_row = writer.builder.phi(Type::integer(writer.builder.context(), 1), "each_row");
        let count = writer.builder.phi(tables.ty(), "count");
        let found = self.are_apart(writer, (&with_rows, &flat), (count.value(), each_row.value()), &sort);
        writer.builder.branch(found, apart, overlap);
        writer.builder.at_end(overlap);
        writer.builder.branch(each_row.value(), no, among);
        writer.builder.at_end(among);
        go_on_if(writer, is_few(writer, rows), no);
        go_on_if(writer, is_for_all(writer, WORK_TO_NOTE), no);
        for (phi, [before, after]) in
            [(each_row, [0, 1].map(|bit| writer.builder.integer(1, bit))), (count, [tables, rows])]
        {
            phi.add_incoming(before, first);
            phi.add_incoming(after, writer.builder.block());
        }
        writer.builder.jump(attempt);
        writer.builder.at_end(apart);
    }

    /// How much is noted at most.
    fn count(
        &self,
        writer: &mut Writer<'_, 'ir>,
        (with_rows, flat): (&[ArrayId], &[(ArrayId, Ends<'ir>)]),
        grain: Grain,
    ) -> Value<'ir> {
        let mut count = writer.builder.integer(64, flat.len() as i128 + 1);
        for at in with_rows {
            let number = self.number_of_rows(writer, *at, grain);
            count = writer.builder.add(count, number);
        }
        count
    }

    /// Whether what is noted, no more than so much, is apart: each row, or each table.
    fn are_apart(
        &self,
        writer: &mut Writer<'_, 'ir>,
        (with_rows, flat): (&[ArrayId], &[(ArrayId, Ends<'ir>)]),
        (count, each_row): (Value<'ir>, Value<'ir>),
        sort: &Sort<'ir>,
    ) -> Value<'ir> {
        let word = Type::integer(writer.builder.context(), 64);
        let (malloc, free) = allocator(writer.main).expect("law: a plan that tests rows has an allocator");
        let twice = writer.builder.mul(count, writer.builder.integer(64, 2));
        let bytes = writer.builder.mul(twice, writer.builder.integer(64, 8 * WORDS));
        let call = writer.builder.call(malloc, &[bytes]);
        call.set_location(writer.location);
        let memory = call.value();
        let null = Value::zero(Type::pointer(writer.builder.context()));
        go_on_if(writer, writer.builder.icmp(IntPredicate::Ne, memory, null), sort.no);
        let notes = Notes::begin(writer, memory, each_row);
        for at in with_rows {
            let bound = self.guard.boxes[*at].as_ref().expect("law: tested rows have bounds");
            let is_touched = writer.truth(&bound.is_touched);
            only_if(writer, is_touched, &mut |writer| self.note_rows(writer, *at, &[], &notes));
        }
        for (at, Ends { first, behind, is_touched }) in flat {
            let [first, behind] = [first, behind].map(|end| writer.builder.cast(Opcode::Trunc, *end, word));
            only_if(writer, *is_touched, &mut |writer| {
                notes.note(&writer.builder, [first, behind], Touch::of(&self.binding.arrays[*at]));
            });
        }
        if self.asks_for_errno() {
            notes.note(&writer.builder, place_of_errno(&writer.builder), Touch::Written);
        }
        let n_noted = writer.builder.load(word, notes.n_noted, None).value();
        let call = writer.builder.call(sort.function, &[memory, n_noted, sort.work]);
        call.set_location(writer.location);
        writer.builder.call(free, &[memory]).set_location(writer.location);
        let in_order = writer.builder.load(Type::integer(writer.builder.context(), 1), notes.in_order, None).value();
        writer.builder.binary(Opcode::And, call.value(), in_order)
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

    /// Whether no row may be where `errno` is.
    fn asks_for_errno(&self) -> bool {
        self.guard.not_errno.iter().any(|at| self.binding.arrays[*at].rows.is_some())
    }

    /// Rows between the first and the last one that is touched, of each pointer on the way to them, if any is; or the tables of these.
    fn number_of_rows(&self, writer: &mut Writer<'_, 'ir>, at: ArrayId, grain: Grain) -> Value<'ir> {
        let bound = self.guard.boxes[at].as_ref().expect("law: tested rows have bounds");
        let n_pointers = self.binding.arrays[at].depth() - usize::from(self.grain_of(at, grain) == Grain::Tables);
        let mut number = writer.builder.integer(64, 1);
        for (first, last) in bound.bounds.iter().take(n_pointers) {
            let (first, last) = (writer.value(first), writer.value(last));
            let builder = &writer.builder;
            let of_pointer = builder.add(builder.sub(last.value, first.value), builder.integer(64, 1));
            number = product(builder, number, of_pointer);
        }
        let is_touched = writer.truth(&bound.is_touched);
        writer.builder.select(is_touched, number, writer.builder.integer(64, 0))
    }

    /// Tables, which stand between the rows of other tables, are noted as they are: there are few of them.
    fn grain_of(&self, at: ArrayId, grain: Grain) -> Grain {
        let array = &self.binding.arrays[at];
        let mut others = self.guard.rows.iter().map(|other| &self.binding.arrays[*other]);
        let holds_tables = others.any(|other| other.base == array.base && other.depth() > array.depth());
        if holds_tables { Grain::Rows } else { grain }
    }

    /// Notes the rows to which these pointers lead, by their numbers: in a loop for each further one. Only where its elements are touched a row's pointers are
    /// read.
    fn note_rows(&self, writer: &mut Writer<'_, 'ir>, at: ArrayId, numbers: &[Value<'ir>], notes: &Notes<'ir>) {
        let (array, n_found) = (&self.binding.arrays[at], numbers.len());
        let grain = self.grain_of(at, Grain::Tables);
        if n_found == array.depth() {
            let runs = writer.truth(&self.guard.looked_at[&at].runs);
            return only_if(writer, runs, &mut |writer| {
                let ends = self.ends_of_row(writer, at, numbers);
                notes.look(writer, ends, (grain, Touch::of(array)));
            });
        }
        let is_of_table = grain == Grain::Tables && n_found + 1 == array.depth();
        if is_of_table {
            notes.begin_table(&writer.builder);
        }
        let bound = self.guard.boxes[at].as_ref().expect("law: tested rows have bounds");
        let (first, last) = (writer.value(&bound.bounds[n_found].0), writer.value(&bound.bounds[n_found].1));
        let names = Names { body: "look", after: "looked", counter: "row" };
        let each = Loop::enter(&writer.builder, writer.function(), names, first.value, last.value);
        let range = Range::new(first.range.low, last.range.high.max(first.range.low));
        let name = formula::dimension_name(n_found);
        let shadowed = writer.names.insert(name.clone(), Known { value: each.counter(), range });
        self.note_rows(writer, at, &[numbers, &[each.counter()]].concat(), notes);
        assert!(shadowed.is_none(), "law: nothing else is called like a dimension here");
        writer.names.remove(&name);
        let next = writer.builder.add(each.counter(), writer.builder.integer(64, 1));
        let again = writer.builder.icmp(IntPredicate::Sle, next, last.value);
        each.leave(&writer.builder, next, again);
        if is_of_table {
            notes.end_table(writer, Touch::of(array));
        }
    }

    /// The first byte that is touched of a row and the one behind the last.
    fn ends_of_row(&self, writer: &mut Writer<'_, 'ir>, at: ArrayId, numbers: &[Value<'ir>]) -> [Value<'ir>; 2] {
        let array = &self.binding.arrays[at];
        let row = row_of(writer, at, numbers);
        let begin = writer.builder.freeze(writer.builder.address(row));
        let bytes = writer.builder.integer(64, i128::from(array.element_bytes));
        let mut ends = [begin, writer.builder.add(begin, bytes)];
        for (stride, (low, high)) in array.strides.iter().skip(numbers.len()).zip(&self.guard.looked_at[&at].bounds) {
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
    let first = builder.address(errno::place(builder));
    [first, builder.add(first, builder.integer(64, ERRNO_BYTES))]
}

/// The pointer to a row, read from its table, of which the pointer is read from another one if it takes several.
pub(in crate::emit) fn row_of<'ir>(writer: &Writer<'_, 'ir>, at: ArrayId, numbers: &[Value<'ir>]) -> Value<'ir> {
    let (array, builder) = (&writer.plan.binding.arrays[at], &writer.builder);
    let table = array.base.expect("law: rows have a table");
    let pointer = Type::pointer(builder.context());
    numbers.iter().fold(table, |table, number| {
        let place = builder.gep(pointer, table, &[*number], Promise::Nothing);
        builder.load(pointer, place, Some(1)).value()
    })
}

/// The product of two numbers of rows; where one is so large that there are more than are sorted, at least so many.
fn product<'ir>(builder: &Builder<'ir>, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
    let word = Type::integer(builder.context(), 64);
    let most = builder.integer(64, MOST_ROWS + 1);
    let [a, b] = [a, b].map(|number| builder.intrinsic("llvm.smin", &[word], &[number, most]).value());
    builder.mul(a, b)
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

/// What is noted of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    /// Of each table from where to where its rows are, which may have something else between them; and whether rows that are written stand in its order.
    Tables,
    /// Each row.
    Rows,
}

/// How it is found out whether what was noted is apart.
struct Sort<'ir> {
    function: Function<'ir>,
    work: Value<'ir>,
    /// Where the program goes on if there is no memory for it.
    no: Block<'ir>,
}

/// Rows on the heap.
struct Notes<'ir> {
    /// Whether each row is noted, or each table.
    each_row: Value<'ir>,
    memory: Value<'ir>,
    /// Variables: how many there are; from where to where the rows of a table are so far; and whether none of the rows that are written begins before the end
    /// of one before it in its table.
    n_noted: Value<'ir>,
    hull: [Value<'ir>; 2],
    in_order: Value<'ir>,
}

impl<'ir> Notes<'ir> {
    fn begin(writer: &Writer<'_, 'ir>, memory: Value<'ir>, each_row: Value<'ir>) -> Self {
        let [bit, word] = [1, 64].map(|bits| Type::integer(writer.builder.context(), bits));
        let [n_noted, lowest, highest] = ["noted", "lowest", "highest"].map(|name| writer.reserve_apart(word, name));
        let in_order = writer.reserve_apart(bit, "in_order");
        writer.builder.store(writer.builder.integer(64, 0), n_noted, None);
        writer.builder.store(writer.builder.integer(1, 1), in_order, None);
        Notes { each_row, memory, n_noted, hull: [lowest, highest], in_order }
    }

    fn note(&self, builder: &Builder<'ir>, [first, behind]: [Value<'ir>; 2], touch: Touch) {
        let word = Type::integer(builder.context(), 64);
        let at = builder.load(word, self.n_noted, None).value();
        let row = [first, behind, builder.integer(64, (touch == Touch::Written).into())];
        store_row(builder, self.memory, at, row);
        builder.store(builder.add(at, builder.integer(64, 1)), self.n_noted, None);
    }

    fn begin_table(&self, builder: &Builder<'ir>) {
        builder.store(builder.integer(64, -1), self.hull[0], None);
        builder.store(builder.integer(64, 0), self.hull[1], None);
    }

    /// Notes a row or adds it to its table.
    fn look(&self, writer: &mut Writer<'_, 'ir>, row: [Value<'ir>; 2], (grain, touch): (Grain, Touch)) {
        if grain == Grain::Rows {
            return self.note(&writer.builder, row, touch);
        }
        let [alone, together, looked] = ["alone", "together", "noted"].map(|name| writer.new_block(name));
        writer.builder.branch(self.each_row, alone, together);
        writer.builder.at_end(alone);
        self.note(&writer.builder, row, touch);
        writer.builder.jump(looked);
        writer.builder.at_end(together);
        self.add_to_table(&writer.builder, row, touch);
        writer.builder.jump(looked);
        writer.builder.at_end(looked);
    }

    fn add_to_table(&self, builder: &Builder<'ir>, row: [Value<'ir>; 2], touch: Touch) {
        let [bit, word] = [1, 64].map(|bits| Type::integer(builder.context(), bits));
        if touch == Touch::Written {
            let before = builder.load(word, self.hull[1], None).value();
            let is_behind = builder.icmp(IntPredicate::Uge, row[0], before);
            let so_far = builder.load(bit, self.in_order, None).value();
            builder.store(builder.binary(Opcode::And, so_far, is_behind), self.in_order, None);
        }
        for ((slot, end), intrinsic) in self.hull.iter().zip(row).zip(["llvm.umin", "llvm.umax"]) {
            let known = builder.load(word, *slot, None).value();
            builder.store(builder.intrinsic(intrinsic, &[word], &[known, end]).value(), *slot, None);
        }
    }

    fn end_table(&self, writer: &mut Writer<'_, 'ir>, touch: Touch) {
        let word = Type::integer(writer.builder.context(), 64);
        let hull = self.hull.map(|slot| writer.builder.load(word, slot, None).value());
        let has_rows = writer.builder.icmp(IntPredicate::Ult, hull[0], hull[1]);
        only_if(writer, has_rows, &mut |writer| self.note(&writer.builder, hull, touch));
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
