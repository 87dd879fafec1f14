//! The slice of the original loops that notes which elements are touched, before the new loops: see [`crate::extract::places::measure`].
//!
//!     enter:     br (more than one thread), measure, original loops
//!     measure:   the blocks of the loops with what the slice needs;   at y[col[k]]:  least = smin(least, col[k]) ...
//!     measured:  br (what is touched of 'x' ends before 'y' begins, or the other way round), new loops, original loops
//!
//! Where one number says which element of an invariant address is touched, that number is noted, narrow as it is, so that LLVM makes vectors of
//! it; else the whole address. Ends of arrays are compared as in [`crate::emit::write::ends`].

use super::guard::{PAIRS_AT_ONCE, are_apart};
use super::inspection::go_on_if;
use super::noted::{Noted, note, slots};
use super::runs::{Open, lasting};
use crate::emit::plan::Plan;
use crate::emit::write::cfg_copy::CfgCopy;
use crate::emit::write::ends::Ends;
use crate::emit::write::writer::Writer;
use crate::extract::binding::Measurement;
use crate::extract::binding::runs::AddressForm;
use crate::extract::places::noted::noted_of;
use crate::llvm::openmp::Entry;
use crate::llvm::{Block, Instruction, IntPredicate, Opcode, Signedness, Type, Value};
use crate::scop::ArrayId;
use std::collections::{BTreeMap, HashMap};

/// Whether the loops may run on several threads.
pub(in crate::emit) fn are_several<'ir>(writer: &mut Writer<'_, 'ir>) -> Value<'ir> {
    let threads = ask_how_many(writer).value();
    writer.builder.icmp(IntPredicate::Sgt, threads, writer.builder.integer(32, 1))
}

impl<'ir> Plan<'_, 'ir> {
    /// Writes the measurements and the tests that need them, from where the writer is; they lead to `original` where one fails. `known` are
    /// the ends of the arrays that need no measurement.
    pub(in crate::emit) fn measure(
        &self,
        writer: &mut Writer<'_, 'ir>,
        original: Block<'ir>,
        known: BTreeMap<ArrayId, Ends<'ir>>,
    ) {
        let several = are_several(writer);
        go_on_if(writer, several, original);
        writer.measured = known;
        for measurement in &self.binding.measurements {
            self.find_ends(writer, measurement, original);
            for pairs in measurement.disjoint.chunks(PAIRS_AT_ONCE) {
                go_on_if(writer, are_apart(&writer.builder, pairs, &writer.measured), original);
            }
        }
        let is_copied = |m: &&Measurement<'ir>| m.arrays.iter().any(|(array, _)| self.guard.copied.contains(array));
        for measurement in self.binding.measurable.iter().filter(is_copied) {
            let array = |(array, _): &(ArrayId, Vec<Instruction<'ir>>)| *array;
            let is_measured =
                |at: ArrayId| self.binding.measurements.iter().any(|m| m.arrays.iter().any(|a| a.0 == at));
            if !measurement.arrays.iter().map(array).all(is_measured) {
                self.find_ends(writer, measurement, original);
            }
        }
    }

    /// Measures, and keeps the ends in the writer.
    fn find_ends(&self, writer: &mut Writer<'_, 'ir>, measurement: &Measurement<'ir>, original: Block<'ir>) {
        let notes = self.run_slice(writer, measurement, original);
        for (array, _) in &measurement.arrays {
            let own = notes.iter().filter(|noted| noted.array == *array);
            let noted = own.map(|noted| ends_of(self, writer, noted));
            let all = writer.measured.get(array).copied().into_iter().chain(noted).reduce(|a, b| hull(writer, a, b));
            writer.measured.insert(*array, all.expect("law: what is measured is accessed"));
        }
    }

    fn run_slice(
        &self,
        writer: &mut Writer<'_, 'ir>,
        measurement: &Measurement<'ir>,
        original: Block<'ir>,
    ) -> Vec<Noted<'ir>> {
        let region = &self.binding.region;
        let layout = region.entry.function().layout();
        let is_inside = |value: Value<'ir>| value.as_instruction().is_some_and(|i| region.contains_instruction(i));
        let mut notes: Vec<Noted<'ir>> = Vec::new();
        let mut noted_at: HashMap<Instruction<'ir>, (usize, Value<'ir>)> = HashMap::new();
        for (array, accesses) in &measurement.arrays {
            for access in accesses.iter().filter(|access| !is_in_run(measurement, access)) {
                let pointer = access.memory().expect("law: only loads and stores are measured").pointer;
                let (place, number) = noted_of(pointer, layout, &is_inside);
                noted_at.insert(*access, (self.note_for(writer, &mut notes, *array, place), number));
            }
        }
        let array_of =
            |access| measurement.arrays.iter().find(|(_, all)| all.contains(&access)).map(|(array, _)| *array);
        let mut opened = Vec::new();
        for run in &measurement.runs {
            let at = run.accesses.iter().map(|each| {
                let array = array_of(each.access).expect("law: runs have accesses that are measured");
                self.note_for(writer, &mut notes, array, lasting(run, each))
            });
            opened.push((run.before.terminator(), Open::new(writer, run, at.collect())));
        }
        self.visit_slice(writer, measurement, original, &mut |writer, instruction, values| {
            if let Some((at, number)) = noted_at.get(&instruction) {
                let number = values.get(number).copied().unwrap_or(*number);
                note(writer, &notes[*at].place, notes[*at].slots, number);
            }
            for (_, open) in opened.iter().filter(|(end, _)| *end == Some(instruction)) {
                open.extend(writer, &notes, values);
            }
        });
        opened.iter().for_each(|(_, open)| open.end(writer, &notes));
        self.settings.provoke("measure");
        notes
    }

    /// The number of the note for such addresses in an array, which may be a new one.
    fn note_for(
        &self,
        writer: &Writer<'_, 'ir>,
        notes: &mut Vec<Noted<'ir>>,
        array: ArrayId,
        place: AddressForm<'ir>,
    ) -> usize {
        let known = notes.iter().position(|noted| noted.array == array && noted.place == place);
        known.unwrap_or_else(|| {
            notes.push(Noted { array, place, slots: slots(writer, &place) });
            notes.len() - 1
        })
    }

    /// Writes the slice, with what `visit` writes behind each instruction of the original loops, or before that if it ends a block, given the
    /// values of the slice for those of the original.
    pub(in crate::emit) fn visit_slice<'w>(
        &self,
        writer: &mut Writer<'w, 'ir>,
        measurement: &Measurement<'ir>,
        original: Block<'ir>,
        visit: &mut dyn FnMut(&Writer<'w, 'ir>, Instruction<'ir>, &HashMap<Value<'ir>, Value<'ir>>),
    ) {
        let region = &self.binding.region;
        let blocks = || region.blocks.iter().filter(|block| !measurement.left_out.contains(block));
        let names = ["measure", "measured"];
        let mut control = CfgCopy::of(&writer.builder, writer.function(), blocks().copied(), names);
        let mut values: HashMap<Value<'ir>, Value<'ir>> = HashMap::new();
        for block in std::iter::once(&original).chain(blocks()) {
            if *block != original {
                writer.builder.at_end(control.block(*block));
            }
            for instruction in block.instructions().into_iter().filter(|i| !i.is_terminator()) {
                if measurement.slice.contains(&instruction) && instruction.is_phi() {
                    let copy = control.phi(&writer.builder, instruction, "slice");
                    values.insert(instruction.value(), copy);
                } else if measurement.slice.contains(&instruction) {
                    let copy =
                        writer.builder.copy(instruction, |operand| values.get(&operand).copied().unwrap_or(operand));
                    values.insert(instruction.value(), copy.value());
                }
                visit(writer, instruction, &values);
            }
            let end = block.terminator().expect("law: a complete block has a terminator");
            visit(writer, end, &values);
            if let Some((_, behind)) = measurement.jumps.iter().find(|(from, _)| from == block) {
                writer.builder.jump(control.target(*behind));
                continue;
            }
            control.end(&writer.builder, end, |operand| values.get(&operand).copied().unwrap_or(operand));
        }
        control.connect(|value| values.get(&value).copied().unwrap_or(value));
        writer.builder.at_end(control.out);
    }
}

/// How many threads a fork would have. The first question starts the runtime, which opens files: a cancellation point, where this thread would
/// end in the middle of that, and something that sets `errno`.
fn ask_how_many<'ir>(writer: &Writer<'_, 'ir>) -> Instruction<'ir> {
    let kept = writer.keep_errno(None);
    let state = writer.hold_cancellation(&|ty, name| writer.reserve(ty, name));
    let threads = Entry::MaximalThreads.call(&writer.builder, &[]);
    threads.set_location(writer.location);
    writer.release_cancellation(state);
    writer.restore_errno(kept);
    threads
}

/// Whether what is touched there is found with a run.
fn is_in_run<'ir>(measurement: &Measurement<'ir>, access: &Instruction<'ir>) -> bool {
    measurement.runs.iter().any(|run| run.accesses.iter().any(|each| each.access == *access))
}

/// From the numbers noted to the bytes touched.
fn ends_of<'ir>(plan: &Plan<'_, 'ir>, writer: &Writer<'_, 'ir>, noted: &Noted<'ir>) -> Ends<'ir> {
    let builder = &writer.builder;
    let AddressForm { base, ty, signedness, .. } = noted.place;
    let [least, largest] = noted.slots.map(|slot| builder.load(ty, slot, None).value());
    let predicate = if signedness == Signedness::Signed { IntPredicate::Sle } else { IntPredicate::Ule };
    let is_touched = builder.icmp(predicate, least, largest);
    let bytes =
        Value::integer(Type::integer(builder.context(), 128), plan.binding.arrays[noted.array].element_bytes.into());
    let [first, last] = [least, largest].map(|number| noted.place.byte(builder, base, number));
    Ends { first, behind: builder.add(last, bytes), is_touched }
}

/// What either of both touches.
fn hull<'ir>(writer: &Writer<'_, 'ir>, a: Ends<'ir>, b: Ends<'ir>) -> Ends<'ir> {
    let builder = &writer.builder;
    let wide = Type::integer(builder.context(), 128);
    let pick = |name: &str, one: Value<'ir>, other: Value<'ir>| {
        let both = builder.intrinsic(name, &[wide], &[one, other]).value();
        builder.select(a.is_touched, builder.select(b.is_touched, both, one), other)
    };
    Ends {
        first: pick("llvm.smin", a.first, b.first),
        behind: pick("llvm.smax", a.behind, b.behind),
        is_touched: builder.binary(Opcode::Or, a.is_touched, b.is_touched),
    }
}
