//! Elements of which data decides whether the region touches them.
//!
//!     for (i) h[key[i]]++;                             what runs before the new loops, without an effect, twice:
//!
//!     for (i) note the least and the largest address of h[key[i]]; count            4 and 9, of 3
//!     for (i) mark the place of h[key[i]]                                           1 0 0 1 0 1
//!
//! Behind the marks there is room for the values of all elements from the least to the largest; only those that are marked are read, kept,
//! exchanged and compared. The slice of the original loops runs as it does for tests of overlap (see [`crate::emit::guards::measure`]). Where
//! few elements are touched, far from each other, it takes longer to look for marks than to run the loops: these are not validated.

use super::elements::Cells;
use crate::emit::plan::Plan;
use crate::emit::write::loops::counted;
use crate::emit::write::writer::Writer;
use crate::extract::binding::{Measurement, VisitId};
use crate::llvm::{Block, Instruction, IntPredicate, Opcode, Promise, Type, Value};
use crate::scop::ArrayId;
use std::collections::HashMap;

/// So many elements may lie between the first and the last that is touched, for each time that one is, and some more.
const MOST_APART: i128 = 16;
const FEW: i128 = 4096;

/// With more than so many elements between them there is no point in looking.
const MOST_ELEMENTS: i128 = 1 << 27;

/// An array, and where the function keeps what it finds out about its elements, as integers of 64 bits.
pub struct Visited<'ir> {
    cells: Cells<'ir>,
    bytes: i128,
    slice: VisitId,
    /// The least and the largest address.
    least: Value<'ir>,
    largest: Value<'ir>,
    /// How often an element is touched; then the number of elements, and where their marks begin on the heap.
    count: Value<'ir>,
    start: Value<'ir>,
    /// Not 0 if elements overlap in part.
    askew: Value<'ir>,
}

/// An element that is touched.
pub struct Touched<'ir> {
    pub cell: Value<'ir>,
    pub kept: Value<'ir>,
}

impl<'ir> Visited<'ir> {
    /// The array, visited by this slice.
    pub fn of(writer: &Writer<'_, 'ir>, array: ArrayId, slice: VisitId) -> Self {
        let bytes = i128::from(writer.plan.binding.arrays[array].element_bytes);
        let word = Type::integer(writer.builder.context(), 64);
        let [least, largest, count, start, askew] =
            ["least", "largest", "count", "start", "askew"].map(|name| writer.reserve(word, name));
        Visited { cells: Cells::of(writer, array), bytes, slice, least, largest, count, start, askew }
    }

    /// How its values are moved.
    pub fn cells(&self) -> &Cells<'ir> {
        &self.cells
    }

    /// How many bytes are needed behind those before, and whether it pays to look for the elements.
    pub fn measure(
        &self,
        writer: &mut Writer<'_, 'ir>,
        original: Block<'ir>,
        before: Value<'ir>,
    ) -> (Value<'ir>, Value<'ir>) {
        let number = |writer: &Writer<'_, 'ir>, value: i128| writer.builder.integer(64, value);
        let starts = [(self.least, -1), (self.largest, 0), (self.count, 0)];
        starts.into_iter().for_each(|(slot, value)| set(writer, slot, number(writer, value)));
        self.visit(writer, original, &|writer, address| {
            let word = address.ty();
            for (slot, pick) in [(self.least, "llvm.umin"), (self.largest, "llvm.umax")] {
                let known = get(writer, slot);
                set(writer, slot, writer.builder.intrinsic(pick, &[word], &[known, address]).value());
            }
            set(writer, self.count, writer.builder.add(get(writer, self.count), number(writer, 1)));
        });
        let builder = &writer.builder;
        let touches = get(writer, self.count);
        let distance = builder.sub(get(writer, self.largest), get(writer, self.least));
        let between =
            builder.add(builder.binary(Opcode::UDiv, distance, number(writer, self.bytes)), number(writer, 1));
        let is_touched = builder.icmp(IntPredicate::Ne, touches, number(writer, 0));
        let n = builder.select(is_touched, between, number(writer, 0));
        let is_small = builder.icmp(IntPredicate::Ule, n, number(writer, MOST_ELEMENTS));
        let room = builder.add(builder.mul(touches, number(writer, MOST_APART)), number(writer, FEW));
        let pays = builder.binary(Opcode::And, is_small, builder.icmp(IntPredicate::Ule, n, room));
        set(writer, self.count, n);
        set(writer, self.start, before);
        set(writer, self.askew, number(writer, 0));
        (builder.add(before, builder.mul(n, number(writer, 1 + self.bytes))), pays)
    }

    /// Marks the elements, of which `memory` is the place on the heap. Gives back whether they are what they are taken for.
    pub fn mark(&self, writer: &mut Writer<'_, 'ir>, original: Block<'ir>, memory: Value<'ir>) -> Value<'ir> {
        let byte = Type::integer(writer.builder.context(), 8);
        let marks = writer.builder.gep(byte, memory, &[get(writer, self.start)], Promise::Inbounds);
        let n = get(writer, self.count);
        let (zero, fixed) = (writer.builder.integer(8, 0), writer.builder.integer(1, 0));
        writer.builder.intrinsic("llvm.memset", &[marks.ty(), n.ty()], &[marks, zero, n, fixed]);
        self.visit(writer, original, &|writer, address| {
            let builder = &writer.builder;
            let distance = builder.sub(address, get(writer, self.least));
            let bytes = builder.integer(64, self.bytes);
            let [at, rest] = [Opcode::UDiv, Opcode::URem].map(|opcode| builder.binary(opcode, distance, bytes));
            set(writer, self.askew, builder.binary(Opcode::Or, get(writer, self.askew), rest));
            builder.store(builder.integer(8, 1), builder.gep(byte, marks, &[at], Promise::Inbounds), None);
        });
        writer.builder.icmp(IntPredicate::Eq, get(writer, self.askew), writer.builder.integer(64, 0))
    }

    /// Writes `visit` for the elements that are marked.
    pub fn each(&self, writer: &Writer<'_, 'ir>, memory: Value<'ir>, visit: &dyn Fn(&Writer<'_, 'ir>, &Touched<'ir>)) {
        let builder = &writer.builder;
        let byte = Type::integer(builder.context(), 8);
        let marks = builder.gep(byte, memory, &[get(writer, self.start)], Promise::Inbounds);
        let (n, least) = (get(writer, self.count), get(writer, self.least));
        let values = builder.gep(byte, marks, &[n], Promise::Inbounds);
        let base = writer.plan.binding.arrays[self.cells.array].base.expect("law: what is compared is in memory");
        let (first, last) = (builder.integer(64, 0), builder.sub(n, builder.integer(64, 1)));
        counted(builder, writer.function(), first, last, &mut |at| {
            let mark = builder.load(byte, builder.gep(byte, marks, &[at], Promise::Inbounds), None).value();
            let (touched, after) = (writer.new_block("touched"), writer.new_block("next"));
            builder.branch(builder.icmp(IntPredicate::Ne, mark, builder.integer(8, 0)), touched, after);
            builder.at_end(touched);
            let offset = builder.mul(at, builder.integer(64, self.bytes));
            let cell = builder.cast(Opcode::IntToPtr, builder.add(least, offset), base.ty());
            visit(writer, &Touched { cell, kept: builder.gep(byte, values, &[offset], Promise::Inbounds) });
            builder.jump(after);
            builder.at_end(after);
        });
    }

    /// Runs the slice, with what `note` writes for the address of each access.
    fn visit(&self, writer: &mut Writer<'_, 'ir>, original: Block<'ir>, note: &dyn Fn(&Writer<'_, 'ir>, Value<'ir>)) {
        let plan: &Plan<'_, 'ir> = writer.plan;
        let slice: &Measurement<'ir> = &plan.binding.visitable[self.slice];
        let is_noted = |access| slice.arrays.iter().any(|(_, accesses)| accesses.contains(&access));
        let copies = |access: Instruction<'ir>, values: &HashMap<Value<'ir>, Value<'ir>>| {
            let pointer = access.memory().expect("law: only loads and stores are visited").pointer;
            values.get(&pointer).copied().unwrap_or(pointer)
        };
        plan.visit_slice(writer, slice, original, &mut |writer, access, values| {
            if is_noted(access) {
                note(writer, writer.builder.address(copies(access, values)));
            }
        });
    }
}

fn get<'ir>(writer: &Writer<'_, 'ir>, slot: Value<'ir>) -> Value<'ir> {
    writer.builder.load(Type::integer(writer.builder.context(), 64), slot, None).value()
}

fn set<'ir>(writer: &Writer<'_, 'ir>, slot: Value<'ir>, value: Value<'ir>) {
    writer.builder.store(value, slot, None);
}
