//! Memory that each part of a parallel loop has of its own.
//!
//!     void f.part(frame, first, behind)   double v[40]; for (c0 = first; c0 < behind; c0++) { ...; v[k] = ...; }
//!
//! It stands for the memory that the program has for all iterations: addresses that were computed from that are computed from it where the part begins.
//! Where somebody may look at `v` behind the loops, one part has the program's memory: that which runs the last iteration that writes it,
//!
//!     v' = first <= last && last < behind ? v : own

use super::private::{Copies, MOST_OWN_BYTES};
use crate::ast::Expr;
use crate::emit::plan::own::{OWN_ALIGNMENT, Room, own_alignment, own_room};
use crate::emit::plan::privatization::Extent;
use crate::emit::plan::storage::Storage;
use crate::emit::write::writer::{Replaced, Writer};
use crate::llvm::{Builder, IntPredicate, Opcode, Signedness, Type, Value};
use crate::scop::ArrayId;

impl<'ir> Writer<'_, 'ir> {
    /// Has the part being written use memory of its own instead of what `array` has outside.
    pub fn take_own(&mut self, array: ArrayId) {
        let base = self.plan.binding.arrays[array].base.expect("law: memory of its own stands for other memory");
        let part = self.part.as_mut().expect("law: memory is taken in a part");
        if part.own.contains(&base) {
            return;
        }
        let Room::Variable(ty) = own_room(self.plan.binding, array) else {
            unreachable!("law: what is on the stack of a thread is a variable")
        };
        let copy = part.entry.alloca(ty, "own");
        copy.set_alignment(own_alignment(self.plan.binding, array) as u32);
        self.use_copy(array, copy.value(), &Extent::Whole);
    }

    /// Has memory at `copy`, of such an extent, stand for what `array` has outside, unless the part runs the iteration whose values are left behind the loops.
    pub(super) fn use_copy(&mut self, array: ArrayId, copy: Value<'ir>, extent: &Extent) {
        let base = self.plan.binding.arrays[array].base.expect("law: memory of its own stands for other memory");
        let used = match self.plan.storage[array].as_ref().and_then(Storage::last) {
            Some(last) => {
                let original = self.import(base);
                let is_last = self.runs(last);
                self.part_entry().select(is_last, original, copy)
            }
            None => copy,
        };
        let part = self.part.as_mut().expect("law: memory is taken in a part");
        match extent {
            Extent::Whole => part.use_own(base, used),
            // The base may be outside of the copy.
            Extent::Touched(..) => part.private.push(Replaced { array, only: None, by: used }),
        }
    }

    /// Whether an iteration is one of those that the part being written runs, asked where it begins.
    fn runs(&mut self, iteration: &Expr) -> Value<'ir> {
        let here = self.builder.block();
        self.builder.at_end(self.part_entry().block());
        let iteration = self.value(iteration).value;
        self.builder.at_end(here);
        let part = self.part.as_ref().expect("law: iterations are those of a part");
        let (arguments, entry) = (part.function.arguments(), &part.entry);
        let is_begun = entry.icmp(IntPredicate::Sle, arguments[1], iteration);
        let is_before = entry.icmp(IntPredicate::Slt, iteration, arguments[2]);
        entry.binary(Opcode::And, is_begun, is_before)
    }

    /// The copies of an array of which iterations have their own.
    pub(super) fn own_copies(&mut self, array: ArrayId, extent: &Extent) -> Copies<'ir> {
        let base = self.plan.binding.arrays[array].base.expect("law: what iterations have of their own is in memory");
        let zero = self.builder.integer(64, 0);
        match extent {
            Extent::Whole => {
                let (bytes, is_touched) = self.own_bytes(array);
                Copies { first: zero, last: zero, is_touched, stride: zero, base, bytes, skew: Some(zero) }
            }
            Extent::Touched(touched, stride) => {
                let (first, last) = &touched.bounds[0];
                let (first, last) = (self.value(first).value, self.value(last).value);
                let is_touched = self.truth(&touched.is_touched);
                self.touched_copies(array, (first, last, is_touched), *stride)
            }
        }
    }

    /// The copies of the elements from the first to the last one. They are as far behind multiples of [`OWN_ALIGNMENT`] as the elements.
    fn touched_copies(
        &self,
        array: ArrayId,
        (first, last, is_touched): (Value<'ir>, Value<'ir>, Value<'ir>),
        stride: i128,
    ) -> Copies<'ir> {
        let (builder, bound) = (&self.builder, &self.plan.binding.arrays[array]);
        let base = bound.base.expect("law: what iterations have of their own is in memory");
        let word = |value: i128| builder.integer(64, value);
        let distance = builder.sub(last, first);
        let most = i128::from(MOST_OWN_BYTES) / stride;
        let is_few = builder.icmp(IntPredicate::Ult, distance, word(most));
        let stride = word(stride);
        let begin = builder.add(builder.address(base), builder.mul(first, stride));
        let skew = builder.binary(Opcode::And, begin, word(i128::from(OWN_ALIGNMENT) - 1));
        let bytes =
            builder.add(builder.mul(distance, stride), word(i128::from(bound.element_bytes + 2 * OWN_ALIGNMENT)));
        let bytes = builder.binary(Opcode::And, bytes, word(-i128::from(OWN_ALIGNMENT)));
        let is_touched = builder.binary(Opcode::And, is_touched, is_few);
        Copies { first, last, is_touched, stride, base, bytes, skew: Some(skew) }
    }

    /// The bytes from one copy to the next of an array that iterations have of their own, and whether there can be so many.
    fn own_bytes(&self, array: ArrayId) -> (Value<'ir>, Value<'ir>) {
        let builder = &self.builder;
        let word = |value: u64| builder.integer(64, i128::from(value));
        let (count, bytes) = match own_room(self.plan.binding, array) {
            Room::Variable(ty) => {
                let bytes = self.main.layout().alloc_size(ty).next_multiple_of(OWN_ALIGNMENT);
                return (word(bytes), builder.integer(1, 1));
            }
            Room::Reserved { count, bytes } => (count, bytes),
        };
        let count = builder.resize(count, Type::integer(builder.context(), 64), Signedness::Unsigned);
        let are_few = builder.icmp(IntPredicate::Ule, count, word(MOST_OWN_BYTES / bytes.max(1)));
        let bytes = builder.add(builder.mul(count, word(bytes)), word(OWN_ALIGNMENT - 1));
        (builder.binary(Opcode::And, bytes, builder.integer(64, -i128::from(OWN_ALIGNMENT))), are_few)
    }

    fn part_entry(&self) -> &Builder<'ir> {
        &self.part.as_ref().expect("law: memory is taken in a part").entry
    }
}
