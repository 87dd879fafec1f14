//! Memory that each part of a parallel loop has of its own.
//!
//!     void f.part(frame, first, behind)   double v[40]; for (c0 = first; c0 < behind; c0++) { ...; v[k] = ...; }
//!
//! It stands for the memory that the program has for all iterations: addresses that were computed from that are computed from it where the part begins.

use crate::emit::plan::own::{Room, own_alignment, own_room};
use crate::emit::write::writer::Writer;
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
        part.use_own(base, copy.value());
    }
}
