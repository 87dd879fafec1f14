//! Loops that are looked at in runs, while what is touched is measured: see [`crate::extract::places::runs`].
//!
//! Instead of the loop over `k` of each row, whose values go from `first` to below `end`:
//!
//!     before:  br (is open and first == its end and the kept values are its own), longer, another
//!     longer:  its end = end
//!     another: if (is open) look at it;   is open = true, its first = first, its end = end, the kept values are its own
//!
//! and once more `if (is open) look at it` behind all loops. To look at one is
//!
//!     for (k = first; k != end; k++) { c = col[k]; least = smin(least, c); largest = smax(largest, c); }
//!
//! for what is computed from `k`, while of `k` itself the least is `first` and the largest `end - 1`.

use super::noted::{Noted, note, slots};
use crate::emit::write::loops::{Loop, Names};
use crate::emit::write::writer::Writer;
use crate::extract::binding::runs::{AddressForm, Run, RunAccess, Until};
use crate::llvm::{Block, IntPredicate, Opcode, Signedness, Type, Value};
use std::collections::HashMap;

/// A run while the slice runs, in slots.
pub(super) struct Open<'m, 'ir> {
    run: &'m Run<'ir>,
    is_open: Value<'ir>,
    first: Value<'ir>,
    end: Value<'ir>,
    /// Kept values, with where those of the run are.
    kept: Vec<(Value<'ir>, Value<'ir>)>,
    /// Which of the notes each access goes to.
    notes: Vec<usize>,
}

/// What is noted when a run has been looked at: what is noted of each access, or the address, if it counts from what another run might have
/// otherwise.
pub(super) fn lasting<'ir>(run: &Run<'ir>, each: &RunAccess<'ir>) -> AddressForm<'ir> {
    match each.form.base {
        Some(base) if run.kept.contains(&base) => {
            let ty = Type::integer(base.ty().context(), 128);
            AddressForm { base: None, constant: 0, factor: 1, ty, signedness: Signedness::Signed }
        }
        _ => each.form,
    }
}

impl<'m, 'ir> Open<'m, 'ir> {
    /// None is open so far.
    pub fn new(writer: &Writer<'_, 'ir>, run: &'m Run<'ir>, notes: Vec<usize>) -> Self {
        let bit = Type::integer(writer.builder.context(), 1);
        let is_open = writer.reserve(bit, "is.open");
        writer.builder.store(Value::integer(bit, 0), is_open, None);
        let counter = run.counter.ty();
        let kept = run.kept.iter().map(|value| (*value, writer.reserve(value.ty(), "run.kept"))).collect();
        let [first, end] = ["run.first", "run.end"].map(|name| writer.reserve(counter, name));
        Open { run, is_open, first, end, kept, notes }
    }

    /// Before a loop: it makes the run longer or begins another one.
    pub fn extend(&self, writer: &Writer<'_, 'ir>, notes: &[Noted<'ir>], values: &HashMap<Value<'ir>, Value<'ir>>) {
        let builder = &writer.builder;
        let copy = |value: Value<'ir>| values.get(&value).copied().unwrap_or(value);
        let first = copy(self.run.first);
        let end = self.end_from(writer, first, copy(self.run.bound));
        let same = |slot: Value<'ir>, value: Value<'ir>| {
            builder.icmp(IntPredicate::Eq, builder.load(value.ty(), slot, None).value(), value)
        };
        // What is computed from them alone in iterations that do more than others may be poison in the rest.
        let values_kept: Vec<Value<'ir>> = self.kept.iter().map(|(value, _)| builder.freeze(copy(*value))).collect();
        let [asked, longer, look, begin, on] =
            ["goes.on", "longer", "look", "begin", "on"].map(|name| writer.new_block(name));
        builder.branch(self.is_open(writer), asked, begin);
        builder.at_end(asked);
        let kept = values_kept.iter().zip(&self.kept).map(|(value, (_, slot))| same(*slot, *value));
        let goes_on = kept.fold(same(self.end, first), |all, each| builder.binary(Opcode::And, all, each));
        builder.branch(goes_on, longer, look);
        builder.at_end(longer);
        builder.store(end, self.end, None);
        builder.jump(on);
        self.look(writer, notes, look, begin);
        builder.at_end(begin);
        builder.store(Value::integer(Type::integer(builder.context(), 1), 1), self.is_open, None);
        builder.store(first, self.first, None);
        builder.store(end, self.end, None);
        values_kept.iter().zip(&self.kept).for_each(|(value, (_, slot))| {
            builder.store(*value, *slot, None);
        });
        builder.jump(on);
        builder.at_end(on);
    }

    /// Behind all loops: looks at the last one.
    pub fn end(&self, writer: &Writer<'_, 'ir>, notes: &[Noted<'ir>]) {
        let [look, after] = ["look", "looked"].map(|name| writer.new_block(name));
        writer.builder.branch(self.is_open(writer), look, after);
        self.look(writer, notes, look, after);
        writer.builder.at_end(after);
    }

    fn is_open(&self, writer: &Writer<'_, 'ir>) -> Value<'ir> {
        writer.builder.load(Type::integer(writer.builder.context(), 1), self.is_open, None).value()
    }

    /// Where the counter ends that starts here.
    fn end_from(&self, writer: &Writer<'_, 'ir>, first: Value<'ir>, bound: Value<'ir>) -> Value<'ir> {
        let builder = &writer.builder;
        let greatest = |name: &str| {
            let second = builder.binary_with(Opcode::Add, first, Value::integer(first.ty(), 1), self.run.promises);
            builder.intrinsic(name, &[first.ty()], &[second, bound]).value()
        };
        match self.run.until {
            Until::Equal => bound,
            Until::NotLess(Signedness::Signed) => greatest("llvm.smax"),
            Until::NotLess(_) => greatest("llvm.umax"),
        }
    }

    /// Notes what is touched in the run, from one block on; goes on in another.
    fn look(&self, writer: &Writer<'_, 'ir>, notes: &[Noted<'ir>], from: Block<'ir>, on: Block<'ir>) {
        let builder = &writer.builder;
        builder.at_end(from);
        let counter = self.run.counter;
        let load = |slot| builder.load(counter.ty(), slot, None).value();
        let (first, end) = (load(self.first), load(self.end));
        let mut values: HashMap<Value<'ir>, Value<'ir>> = HashMap::new();
        for (value, slot) in &self.kept {
            values.insert(*value, builder.load(value.ty(), *slot, None).value());
        }
        let is_computed = |each: &RunAccess<'ir>| !each.is_counter;
        let places: Vec<Option<[Value<'ir>; 2]>> =
            self.run.accesses.iter().map(|each| is_computed(each).then(|| slots(writer, &each.form))).collect();
        if self.run.accesses.iter().any(is_computed) {
            self.each(writer, (first, end), &mut |at| {
                let mut values = values.clone();
                values.insert(counter.value(), at);
                for step in &self.run.steps {
                    let copy = builder.copy(*step, |value| values.get(&value).copied().unwrap_or(value));
                    values.insert(step.value(), copy.value());
                }
                for (each, slots) in self.run.accesses.iter().zip(&places) {
                    let Some(slots) = slots else { continue };
                    let number = values.get(&each.number).copied().unwrap_or(each.number);
                    let number = if each.is_certain { number } else { builder.freeze(number) };
                    note(writer, &each.form, *slots, number);
                }
            });
        }
        let last = builder.sub(end, Value::integer(counter.ty(), 1));
        for ((each, slots), at) in self.run.accesses.iter().zip(places).zip(&self.notes) {
            let ends =
                slots.map_or([first, last], |slots| slots.map(|slot| builder.load(each.form.ty, slot, None).value()));
            for number in ends {
                let base = each.form.base.filter(|base| self.run.kept.contains(base));
                let number = base.map_or(number, |base| {
                    each.form.byte(builder, Some(values.get(&base).copied().unwrap_or(base)), number)
                });
                note(writer, &notes[*at].place, notes[*at].slots, number);
            }
        }
        builder.jump(on);
    }

    /// Writes `for (at = first; at != end; at++) body(at)`, which runs once at least.
    fn each(&self, writer: &Writer<'_, 'ir>, (first, end): (Value<'ir>, Value<'ir>), body: &mut dyn FnMut(Value<'ir>)) {
        let builder = &writer.builder;
        let names = Names { body: "each", after: "each.end", counter: "at" };
        let each = Loop::begin(builder, writer.function(), names, first);
        body(each.counter());
        let one = Value::integer(first.ty(), 1);
        let next = builder.binary_with(Opcode::Add, each.counter(), one, self.run.promises);
        let again = builder.icmp(IntPredicate::Ne, next, end);
        each.leave(builder, next, again);
    }
}
