//! Pointers to where the next element goes that is kept, as numbers of elements.
//!
//! ```c
//! for (i = 0; i < n; i++) if (x[i] > t) *to++ = x[i];
//! ```
//!
//! Only some iterations move `to` on, so that scalar evolution knows nothing of it; but how often they did is a number:
//!
//! ```c
//! for (i = 0, k = 0; i < n; i++) if (x[i] > t) to[k++] = x[i];
//! ```
//!
//! That is what a loop packs. All steps of the pointer stay inside of one object, as the program says, so that they are fewer than numbers of 64
//! bits can count, and the new addresses stay there as well. It is done where something is stored by the pointer that the processor can put together.
//!
//! Implements: 001 reductions

use super::choices::{Chosen, Edges, Row, edges, step};
use crate::llvm::instruction::Wrapping;
use crate::llvm::{Analyses, Builder, Instruction, Loop, Opcode, Type, Value};

/// Makes such pointers numbers of elements. Whether there were any.
pub(in crate::prepare) fn count_steps(analyses: &Analyses<'_, '_>) -> bool {
    let layout = analyses.function().layout();
    let mut any = false;
    for this in analyses.loops() {
        let Some(edges) = edges(this).filter(|_| layout.pointer_width() == 64) else { continue };
        let pointers = this.header.phis().into_iter().filter(|phi| phi.ty().is_pointer());
        let moved: Vec<Moved<'_>> = pointers.filter_map(|phi| Moved::of(analyses, this, edges, phi)).collect();
        moved.iter().for_each(|moved| moved.count(this, edges));
        any |= !moved.is_empty();
    }
    any
}

/// A pointer that some iterations move on by one element.
struct Moved<'ir> {
    chosen: Chosen<'ir>,
    /// Where it goes to the next one.
    steps: Vec<Instruction<'ir>>,
    /// Bytes of an element.
    stride: i128,
}

impl<'ir> Moved<'ir> {
    fn of(
        analyses: &Analyses<'_, 'ir>,
        this: &Loop<'ir>,
        edges: Edges<'ir>,
        phi: Instruction<'ir>,
    ) -> Option<Moved<'ir>> {
        let layout = analyses.function().layout();
        let step = |value: Value<'ir>| {
            step(phi, value, layout).filter(|_| value.as_instruction().is_some_and(|i| this.holds(i)))
        };
        let chosen = Chosen::of(this, edges, phi, |value| step(value).is_some())?;
        let stride = step(*chosen.others.first()?)?;
        let steps: Vec<Instruction<'ir>> = chosen.others.iter().filter_map(|other| other.as_instruction()).collect();
        let is_by_one = chosen.others.iter().all(|other| step(*other) == Some(stride));
        let is_packed = |store: Instruction<'ir>| {
            let access = store.memory().filter(|access| access.stored.is_some());
            let is_element = |ty: Type<'ir>| i128::from(layout.alloc_size(ty)) == stride;
            let by = |pointer: Value<'ir>| pointer == phi.value() || steps.iter().any(|step| step.value() == pointer);
            access.is_some_and(|access| {
                by(access.pointer) && is_element(access.ty) && analyses.compressed_lanes(access.ty).is_some()
            })
        };
        let is_stored = this.instructions().any(is_packed);
        (is_by_one && is_stored).then_some(Moved { chosen, steps, stride })
    }

    fn count(&self, this: &Loop<'ir>, edges: Edges<'ir>) {
        let builder = Builder::new(this.header.function().context());
        let (byte, word) = (Type::integer(builder.context(), 8), Type::integer(builder.context(), 64));
        let element = Type::array(byte, self.stride.unsigned_abs() as u64);
        let row = Row { builder: &builder, element, base: self.chosen.base };
        let small = Wrapping { nuw: true, nsw: true, exact: false };
        let next = |own: Value<'ir>| {
            let next = |step: &Instruction<'ir>| {
                builder.before(*step);
                builder.set_location(step.location());
                (step.value(), builder.binary_with(Opcode::Add, own, Value::integer(word, 1), small))
            };
            self.steps.iter().map(next).collect::<Vec<_>>()
        };
        let mut numbers = Vec::new();
        self.chosen.count(this, edges, &row, |own| {
            numbers = next(own);
            numbers.clone()
        });
        for (step, (_, number)) in self.steps.iter().zip(numbers) {
            step.replace_with(row.place(number, *step));
        }
    }
}
