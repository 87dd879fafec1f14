//! Memory that each part of a parallel loop has of its own.
//!
//!     void f.part(frame, first, behind)   double v[40]; for (c0 = first; c0 < behind; c0++) { ...; v[k] = ...; }
//!
//! It stands for the memory that the program has for all iterations: addresses that were computed from that are computed from it where the part begins.
//! Where somebody may look at `v` behind the loops, one part has the program's memory: that which runs the last iteration that writes it,
//!
//!     v' = first <= last && last < behind ? v : own

use crate::ast::Expr;
use crate::emit::plan::own::{Room, own_alignment, own_room};
use crate::emit::plan::storage::Storage;
use crate::emit::write::writer::Writer;
use crate::llvm::{Builder, IntPredicate, Opcode, Value};
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
        self.use_copy(array, copy.value());
    }

    /// Has memory at `copy` stand for what `array` has outside, unless the part runs the iteration whose values are left behind the loops.
    pub fn use_copy(&mut self, array: ArrayId, copy: Value<'ir>) {
        let base = self.plan.binding.arrays[array].base.expect("law: memory of its own stands for other memory");
        let used = match self.plan.storage[array].as_ref().and_then(Storage::last) {
            Some(last) => {
                let original = self.import(base);
                let is_last = self.runs(last);
                self.part_entry().select(is_last, original, copy)
            }
            None => copy,
        };
        self.part.as_mut().expect("law: memory is taken in a part").use_own(base, used);
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

    fn part_entry(&self) -> &Builder<'ir> {
        &self.part.as_ref().expect("law: memory is taken in a part").entry
    }
}
