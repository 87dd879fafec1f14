//! The least and the largest number that is noted of accesses, while the loops are asked what they touch.
//!
//! Of `x[col[k]]` that is `col[k]`, in 32 bits; once it is known, the bytes from `x + 8 * least` to behind `x + 8 * largest` are touched.

use crate::emit::write::ends::address;
use crate::emit::write::writer::Writer;
use crate::extract::binding::runs::AddressForm;
use crate::llvm::{Builder, Signedness, Type, Value};
use crate::scop::ArrayId;

/// The least and the largest number that is noted for some accesses to an array.
pub(super) struct Noted<'ir> {
    pub array: ArrayId,
    pub place: AddressForm<'ir>,
    /// Where they are while the slice runs.
    pub slots: [Value<'ir>; 2],
}

/// The least and the largest number that the type has, and the other way round: nothing is noted yet.
pub(super) fn slots<'ir>(writer: &Writer<'_, 'ir>, place: &AddressForm<'ir>) -> [Value<'ir>; 2] {
    let width = place.ty.integer_width().expect("law: numbers are noted");
    let (least, largest) = match place.signedness {
        Signedness::Signed => (i128::MIN >> (128 - width), i128::MAX >> (128 - width)),
        Signedness::Unsigned => (0, (1i128 << width) - 1),
    };
    [(largest, "least"), (least, "largest")].map(|(start, name)| {
        let slot = writer.reserve(place.ty, name);
        writer.builder.store(Value::integer(place.ty, start), slot, None);
        slot
    })
}

pub(super) fn note<'ir>(
    writer: &Writer<'_, 'ir>,
    place: &AddressForm<'ir>,
    slots: [Value<'ir>; 2],
    number: Value<'ir>,
) {
    let builder = &writer.builder;
    let AddressForm { ty, signedness, .. } = *place;
    let number = if number.ty().is_pointer() { builder.address(number) } else { number };
    let pick = if signedness == Signedness::Signed { ["llvm.smin", "llvm.smax"] } else { ["llvm.umin", "llvm.umax"] };
    for (slot, pick) in slots.into_iter().zip(pick) {
        let known = builder.load(ty, slot, None).value();
        builder.store(builder.intrinsic(pick, &[ty], &[known, number]).value(), slot, None);
    }
}

impl<'ir> AddressForm<'ir> {
    /// The byte that a number stands for, counted from a base, in 128 bits.
    pub(super) fn byte(&self, builder: &Builder<'ir>, base: Option<Value<'ir>>, number: Value<'ir>) -> Value<'ir> {
        let wide = Type::integer(builder.context(), 128);
        let offset = builder.mul(builder.resize(number, wide, self.signedness), Value::integer(wide, self.factor));
        let offset = builder.add(offset, Value::integer(wide, self.constant));
        base.map_or(offset, |base| builder.add(address(builder, base), offset))
    }
}
