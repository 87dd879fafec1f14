//! What a search reads of each element, a step from one to the next.
//!
//! ```c
//! for (i = 0; i < n; i++) if (p[i].key == key && p[i].kind == 3) ...      struct { int kind, key; }
//! ```
//!
//! reads two numbers of four bytes by steps of eight. All that lies behind the last read number, up to the one that is read so many steps later, is in the pages between. So a vector of that reaches
//! over both: `key` is each second number in it, the last one of each pair, and `kind` is the one before.

use crate::llvm::types::TypeKind;
use crate::llvm::{Analyses, Instruction, Loop, ScevId, Type, Value};

/// Elements from one that is read to the next: more would read much more than they look at.
const MOST_APART: i128 = 4;

/// Bits of registers of which the processor picks elements out of two by one instruction, whatever their places; others take so many for that.
const PICKING_BITS: u32 = 512;
const PICKED: u32 = 2;

/// Elements that are read one step from one another.
#[derive(Clone, Copy, Debug)]
pub struct Read<'ir> {
    pub pointer: Value<'ir>,
    pub element: Type<'ir>,
    /// Bytes of an element, and from each to the next.
    pub size: i128,
    pub step: i128,
    /// The pointer of the last read in an iteration that can be read together with it, and how many elements it lies before that.
    pub last: Value<'ir>,
    pub before_last: i128,
}

impl<'ir> Read<'ir> {
    /// What a load reads in a loop.
    pub fn of(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, load: Instruction<'ir>) -> Option<Read<'ir>> {
        let access = load.memory().filter(|access| access.simple && access.is_common())?;
        let size = i128::from(analyses.function().layout().alloc_size(access.ty));
        let bits = width(analyses, access.ty).filter(|bits| i128::from(*bits) == 8 * size)?;
        let is_near = |step: &i128| *step != 0 && step % size == 0 && step.abs() <= MOST_APART * size;
        let step = step(analyses, this, access.pointer).filter(|step| bits >= 8 && is_near(step))?;
        let (pointer, element) = (access.pointer, access.ty);
        Some(Read { pointer, element, size, step, last: pointer, before_last: 0 })
    }

    /// Every how many elements one is read.
    pub fn apart(&self) -> i128 {
        self.step.abs() / self.size
    }

    /// The same, together with those of the reads that go by the same steps.
    pub fn with(self, analyses: &Analyses<'_, 'ir>, others: &[Read<'ir>]) -> Read<'ir> {
        let ahead = |other: &Read<'ir>| {
            let bytes = analyses.difference(analyses.scev(other.pointer)?, analyses.scev(self.pointer)?)?;
            let bytes = analyses.node(bytes).constant?;
            let is_same = (other.step, other.size, other.element) == (self.step, self.size, self.element);
            let is_near = (0..self.step).contains(&bytes) && bytes % self.size == 0;
            (is_same && is_near).then_some((bytes / self.size, other.pointer))
        };
        let last = others.iter().filter_map(ahead).max_by_key(|(elements, _)| *elements);
        last.map_or(self, |(before_last, last)| Read { last, before_last, ..self })
    }

    /// What it takes to read so many elements into vectors, in additions.
    pub fn time(&self, analyses: &Analyses<'_, 'ir>, lanes: u32) -> u32 {
        let registers = (self.size as u32 * 8 * lanes).div_ceil(analyses.vector_bits());
        let apart = self.apart() as u32;
        let once = if analyses.vector_bits() >= PICKING_BITS { 1 } else { PICKED };
        let picked = once * (apart - 1) * registers;
        let is_read_with_last = self.last != self.pointer;
        picked + if is_read_with_last { 0 } else { apart * registers }
    }
}

/// Bits of a number or pointer that can be in a vector; a truth value has one.
pub fn width<'ir>(analyses: &Analyses<'_, 'ir>, ty: Type<'ir>) -> Option<u32> {
    let pointer = || analyses.function().layout().pointer_width();
    let is_usual = |bits: &u32| [1, 8, 16, 32, 64].contains(bits);
    // Processors that do not compute with these have functions for that.
    let is_emulated = ty.kind() == TypeKind::BFloat;
    if ty.is_pointer() { Some(pointer()) } else { ty.number_width().filter(|_| !is_emulated) }.filter(is_usual)
}

/// By how much each iteration changes a number or pointer.
pub fn step<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, value: Value<'ir>) -> Option<i128> {
    step_of(analyses, this, analyses.scev(value)?)
}

/// The same of an expression.
pub fn step_of<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, scev: ScevId) -> Option<i128> {
    analyses.constant_step(scev, this.id).filter(|step| i64::try_from(*step).is_ok())
}
