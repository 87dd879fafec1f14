//! Frames: what a function for a parallel loop gets from the one that calls it.
//!
//! `for parallel (i) A[i] = x * i;` in a function of its own needs `A` and `x`: they are stored one behind the other,
//! and the function loads them where it begins.

use crate::llvm::{Builder, Promise, Type, Value};

/// Captured values are aligned to so many bytes.
pub const CAPTURE_ALIGNMENT: u64 = 16;

/// Values of the outer function, each with its place in a frame.
#[derive(Clone, Default)]
pub struct Captured<'ir> {
    values: Vec<(Value<'ir>, u64)>,
    bytes: u64,
}

impl<'ir> Captured<'ir> {
    /// Its place is the next free one.
    pub fn add(&mut self, value: Value<'ir>, builder: &Builder<'ir>) -> u64 {
        let place = self.bytes;
        let size = builder.block().function().layout().alloc_size(value.ty());
        self.values.push((value, place));
        self.bytes += size.next_multiple_of(CAPTURE_ALIGNMENT);
        place
    }

    /// Memory for all of them.
    pub fn ty(&self, builder: &Builder<'ir>) -> Type<'ir> {
        Type::array(Type::integer(builder.context(), 128), self.bytes / CAPTURE_ALIGNMENT)
    }

    /// Writes them into their frame.
    pub fn store(&self, builder: &Builder<'ir>, frame: Value<'ir>) {
        for (value, place) in &self.values {
            builder.store(*value, frame_cell(builder, frame, *place), Some(CAPTURE_ALIGNMENT as u32));
        }
    }
}

/// The address of a place in a frame.
pub fn frame_cell<'ir>(builder: &Builder<'ir>, frame: Value<'ir>, place: u64) -> Value<'ir> {
    let byte = Type::integer(builder.context(), 8);
    builder.gep(byte, frame, &[builder.integer(64, i128::from(place))], Promise::Inbounds)
}

/// The value at a place in a frame.
pub fn captured<'ir>(builder: &Builder<'ir>, frame: Value<'ir>, place: u64, ty: Type<'ir>) -> Value<'ir> {
    builder.load(ty, frame_cell(builder, frame, place), Some(CAPTURE_ALIGNMENT as u32)).value()
}
