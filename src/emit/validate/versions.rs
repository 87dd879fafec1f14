//! Both versions of a region run, one after the other, and what they leave is compared bit by bit.
//!
//!     entry:     test  --- fails -------------------------------------------------------->  original
//!     new:       what may be written -> heap;   new loops;   heap <-> what may be written;   jump original
//!     original:  the original loops, on the memory that the new ones began with                       jump join
//!     join:      br (nothing kept), behind, compare
//!     compare:   heap and memory, slots and live values, `errno`: br (alike), behind, wrong
//!     wrong:     says which loops these are;   _exit(88)
//!
//! So the program goes on with what its own loops compute. What is written is known from the model alone ([`crate::emit::plan::validation`]): if
//! the model is wrong, the original loops leave something else there than the new ones do. Elements are visited in the same order each
//! time, so that the heap is one row of bytes; the exchange hands the original memory back and keeps the new one at once. (Where arrays
//! meet that should not, an element is visited twice: the first visit has what the new loops left.) Where there is no memory to keep the
//! bytes in, nothing is validated. Two NaNs are alike, whatever their bits.

use super::elements::{Cells, Element, Elements, word};
use super::report::Report;
use super::visited::Visited;
use crate::emit::guards::inspection::go_on_if;
use crate::emit::plan::Plan;
use crate::emit::plan::library::allocator;
use crate::emit::plan::validation::Validation;
use crate::emit::write::writer::Writer;
use crate::emit::{Join, give_back};
use crate::llvm::{Block, FloatPredicate, IntPredicate, Opcode, Type, Value, errno};
use crate::scop::ArrayId;

/// Bytes of `errno`, an `int`.
const ERRNO_BYTES: u32 = 4;

/// Where a function keeps what is compared.
pub(in crate::emit) struct Kept<'v, 'ir> {
    validation: &'v Validation,
    /// The address of the bytes on the heap; null where nothing is to be compared.
    bytes: Value<'ir>,
    elements: Elements<'v, 'ir>,
    /// Arrays of which data decides what is touched.
    visited: Vec<Visited<'ir>>,
    /// What `errno` was before the new loops and behind them, where it matters.
    errno: Option<[Value<'ir>; 2]>,
}

impl<'ir> Plan<'_, 'ir> {
    /// Where everything will be kept, if the region is validated: nothing so far. The writer is at the region's entry; at variables that are
    /// `dead` behind the region nobody looks.
    pub(in crate::emit) fn prepare_to_keep<'v>(
        &'v self,
        writer: &Writer<'_, 'ir>,
        dead: &[Value<'ir>],
    ) -> Option<Kept<'v, 'ir>> {
        let validation = self.validation.as_ref()?;
        let context = writer.builder.context();
        let bytes = writer.reserve(Type::pointer(context), "kept");
        writer.builder.store(Value::zero(Type::pointer(context)), bytes, None);
        let number = Type::integer(context, 32);
        let has_errno = self.binding.errno.is_set || !self.parallel.is_empty();
        let errno = (has_errno && errno::is_known(writer.main.module()))
            .then(|| ["errno.before", "errno.new"].map(|name| writer.reserve(number, name)));
        let base = |array: ArrayId| self.binding.arrays[array].base;
        let is_alive = |array: ArrayId| !base(array).is_some_and(|base| dead.contains(&base.underlying_object()));
        let visited = validation.visited.iter().filter(|(array, _)| is_alive(*array));
        let visited = visited.map(|(array, slice)| Visited::of(writer, *array, *slice)).collect();
        Some(Kept { validation, bytes, elements: Elements::of(writer, &validation.written, dead), visited, errno })
    }
}

impl<'ir> Kept<'_, 'ir> {
    /// Keeps what may be written, right before the new loops. Without memory for it, the original loops run, and `buffers` are given back.
    pub(in crate::emit) fn keep(&self, writer: &mut Writer<'_, 'ir>, buffers: &[Value<'ir>], original: Block<'ir>) {
        let give_up = writer.new_block("keep.nothing");
        let mut size = self.elements.size(writer);
        for visited in &self.visited {
            let (with, pays) = visited.measure(writer, original, size);
            size = with;
            go_on_if(writer, pays, give_up);
        }
        let (malloc, free) = allocator(writer.main).expect("law: what is validated has an allocator");
        let errno = writer.keep_errno(None);
        let call = writer.builder.call(malloc, &[size]);
        call.set_location(writer.location);
        writer.restore_errno(errno);
        let memory = call.value();
        let null = Value::zero(Type::pointer(writer.builder.context()));
        go_on_if(writer, writer.builder.icmp(IntPredicate::Ne, memory, null), give_up);
        let askew = writer.new_block("keep.askew");
        for visited in &self.visited {
            let is_so = visited.mark(writer, original, memory);
            go_on_if(writer, is_so, askew);
        }
        let here = writer.builder.block();
        writer.builder.at_end(askew);
        writer.builder.call(free, &[memory]).set_location(writer.location);
        writer.builder.jump(give_up);
        writer.builder.at_end(give_up);
        give_back(writer, buffers);
        writer.builder.jump(original);
        writer.builder.at_end(here);
        writer.builder.store(memory, self.bytes, None);
        self.elements.each(writer, memory, &mut |writer, element| {
            let old = element.cells.load(writer, element.cell);
            element.cells.store(writer, old, element.kept);
        });
        for visited in &self.visited {
            visited.each(writer, memory, &|writer, touched| {
                let old = visited.cells().load(writer, touched.cell);
                visited.cells().store(writer, old, touched.kept);
            });
        }
        if let Some([before, _]) = self.errno {
            let value = load_errno(writer);
            writer.builder.store(value, before, None);
        }
    }

    /// Hands the original loops the memory that the new ones found, and keeps what these left in its place.
    pub(in crate::emit) fn exchange(&self, writer: &mut Writer<'_, 'ir>) {
        let new_errno = self.errno.map(|_| load_errno(writer));
        let memory = writer.builder.load(Type::pointer(writer.builder.context()), self.bytes, None).value();
        self.elements.each(writer, memory, &mut |writer, element| {
            let Element { cells, cell, kept, is_certain } = *element;
            if is_certain {
                let (old, new) = (cells.load(writer, kept), cells.load(writer, cell));
                cells.store(writer, new, kept);
                cells.store(writer, old, cell);
            } else {
                exchange_changed(writer, &cells, cell, kept);
            }
        });
        for visited in &self.visited {
            visited.each(writer, memory, &|writer, touched| {
                exchange_changed(writer, visited.cells(), touched.cell, touched.kept);
            });
        }
        if let (Some([before, behind]), Some(value)) = (self.errno, new_errno) {
            writer.builder.store(value, behind, None);
            let old = writer.builder.load(value.ty(), before, None).value();
            writer.builder.store(old, errno::place(&writer.builder), Some(ERRNO_BYTES));
        }
    }

    /// Compares where both versions have run; the code behind goes on in a block of its own.
    pub(in crate::emit) fn compare(&self, writer: &mut Writer<'_, 'ir>, join: &Join<'ir>) {
        let end = join.block.terminator().expect("law: a complete block has a terminator");
        let behind = Block::cut_before(end, "behind");
        let pointer = Type::pointer(writer.builder.context());
        writer.builder.at_end(join.block);
        let memory = writer.builder.load(pointer, self.bytes, None).value();
        let compare = writer.new_block("compare");
        let is_kept = writer.builder.icmp(IntPredicate::Ne, memory, Value::zero(pointer));
        writer.builder.branch(is_kept, compare, behind);
        writer.builder.at_end(compare);
        let mut report = Report::begin(writer);
        let differing = self.differing_arrays(writer, memory);
        for (array, differs) in differing {
            report.unless_alike(writer, &writer.plan.binding.arrays[array].source_name, differs);
        }
        for at in &self.validation.values {
            let live = &writer.plan.binding.live_out[*at];
            let (ty, name) = (live.value.ty(), writer.plan.binding.arrays[live.array].source_name.clone());
            let slot = writer.slot(live.array, ty);
            let new = writer.builder.load(ty, slot, None);
            let [new, old] = [new, join.phis[*at]].map(|value| writer.builder.freeze(value.value()));
            let difference = difference(writer, new, old, Some(ty).filter(|ty| ty.is_float()));
            let differs = writer.builder.icmp(IntPredicate::Ne, difference, Value::zero(difference.ty()));
            report.unless_alike(writer, &name, differs);
        }
        if let Some(differs) = self.errno_differs(writer) {
            report.unless_alike(writer, "errno", differs);
        }
        let (_, free) = allocator(writer.main).expect("law: what is validated has an allocator");
        writer.builder.call(free, &[memory]).set_location(writer.location);
        writer.builder.jump(behind);
        report.end(writer, &self.validation.what);
    }

    /// Whether what both versions leave in an array differs, for each.
    fn differing_arrays(&self, writer: &mut Writer<'_, 'ir>, memory: Value<'ir>) -> Vec<(ArrayId, Value<'ir>)> {
        let scanned = self.elements.arrays();
        let arrays: Vec<ArrayId> = scanned.into_iter().chain(self.visited.iter().map(|v| v.cells().array)).collect();
        let slot = |array: &ArrayId| {
            let word = word(writer, *array);
            let slot = writer.reserve(word, "difference");
            writer.builder.store(Value::zero(word), slot, None);
            slot
        };
        let slots: Vec<Value<'ir>> = arrays.iter().map(slot).collect();
        let compare = |writer: &Writer<'_, 'ir>, cells: &Cells<'ir>, places: [Value<'ir>; 2]| {
            let [new, old] = places.map(|place| cells.load(writer, place));
            let more = difference(writer, new, old, cells.float);
            let at = arrays.iter().position(|array| *array == cells.array).expect("law: it is written");
            let known = writer.builder.load(more.ty(), slots[at], None).value();
            writer.builder.store(writer.builder.binary(Opcode::Or, known, more), slots[at], None);
        };
        self.elements.each(writer, memory, &mut |writer, element| {
            compare(writer, &element.cells, [element.kept, element.cell]);
        });
        for visited in &self.visited {
            visited.each(writer, memory, &|writer, touched| {
                compare(writer, visited.cells(), [touched.kept, touched.cell]);
            });
        }
        let differs = |(array, slot): (&ArrayId, &Value<'ir>)| {
            let word = word(writer, *array);
            let difference = writer.builder.load(word, *slot, None).value();
            (*array, writer.builder.icmp(IntPredicate::Ne, difference, Value::zero(word)))
        };
        arrays.iter().zip(&slots).map(differs).collect()
    }

    /// Whether only one version set `errno`. To what is left to the calls, of which any may be the last; and if it was set before, nobody can
    /// tell. Where the program does not look at what its calls do to it, the original loops may set it and the new ones restore it all the same; but
    /// these must not change it where those do not.
    fn errno_differs(&self, writer: &Writer<'_, 'ir>) -> Option<Value<'ir>> {
        let [before, new] = self.errno?;
        let builder = &writer.builder;
        let original = load_errno(writer);
        let [before, new] = [before, new].map(|slot| builder.load(original.ty(), slot, None).value());
        if !writer.plan.binding.errno.is_set {
            let [is_kept, is_changed] = [(IntPredicate::Eq, original), (IntPredicate::Ne, new)]
                .map(|(predicate, value)| builder.icmp(predicate, value, before));
            return Some(builder.binary(Opcode::And, is_kept, is_changed));
        }
        let zero = builder.integer(32, 0);
        let [was_set, sets, set] = [before, new, original].map(|value| builder.icmp(IntPredicate::Ne, value, zero));
        Some(builder.binary(Opcode::And, builder.not(was_set), builder.binary(Opcode::Xor, sets, set)))
    }
}

/// Exchanges what is at two places where it differs: what the loops do not change may be read by others at the same time.
fn exchange_changed<'ir>(writer: &Writer<'_, 'ir>, cells: &Cells<'ir>, cell: Value<'ir>, kept: Value<'ir>) {
    let (old, new) = (cells.load(writer, kept), cells.load(writer, cell));
    let is_changed = writer.builder.icmp(IntPredicate::Ne, bits(writer, old), bits(writer, new));
    let (put_back, after) = (writer.new_block("put.back"), writer.new_block("put"));
    writer.builder.branch(is_changed, put_back, after);
    writer.builder.at_end(put_back);
    cells.store(writer, new, kept);
    cells.store(writer, old, cell);
    writer.builder.jump(after);
    writer.builder.at_end(after);
}

fn load_errno<'ir>(writer: &Writer<'_, 'ir>) -> Value<'ir> {
    let number = Type::integer(writer.builder.context(), 32);
    writer.builder.load(number, errno::place(&writer.builder), Some(ERRNO_BYTES)).value()
}

/// The bits in which two values differ, none of them if both are NaN: which NaN an operation gives LLVM may decide anew each time.
fn difference<'ir>(writer: &Writer<'_, 'ir>, a: Value<'ir>, b: Value<'ir>, float: Option<Type<'ir>>) -> Value<'ir> {
    let builder = &writer.builder;
    let different = builder.binary(Opcode::Xor, bits(writer, a), bits(writer, b));
    let Some(float) = float else { return different };
    let is_nan = |value: Value<'ir>| {
        let number = if value.ty() == float { value } else { builder.cast(Opcode::BitCast, value, float) };
        builder.fcmp(FloatPredicate::Uno, number, number)
    };
    let are_nan = builder.binary(Opcode::And, is_nan(a), is_nan(b));
    builder.select(are_nan, Value::zero(different.ty()), different)
}

/// The bits of a value as an integer.
fn bits<'ir>(writer: &Writer<'_, 'ir>, value: Value<'ir>) -> Value<'ir> {
    let ty = value.ty();
    let bytes = writer.main.layout().store_size(ty) as u32;
    let word = || Type::integer(writer.builder.context(), 8 * bytes);
    match () {
        () if ty.is_integer() => value,
        () if ty.is_pointer() => writer.builder.cast(Opcode::PtrToInt, value, word()),
        () => writer.builder.cast(Opcode::BitCast, value, word()),
    }
}
