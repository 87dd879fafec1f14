//! What is noted of an address that data decides: one number, narrow as it is, where the address depends on one; else the address itself.
//!
//! Of `x[col[k]]`, which is `x + 8 * sext(col[k])`, the 32 bits of `col[k]` are noted: LLVM makes vectors of the least and the largest of
//! them, and where the bytes are is computed once at the end.

use crate::extract::binding::runs::AddressForm;
use crate::llvm::instruction::Address;
use crate::llvm::{Layout, Opcode, Signedness, Type, Value};

/// What is noted of an address, and the value it is noted of. Steps to it are looked through as long as they are inside of what runs again
/// and again.
pub fn noted_of<'ir>(
    pointer: Value<'ir>,
    layout: Layout<'ir>,
    is_inside: &dyn Fn(Value<'ir>) -> bool,
) -> (AddressForm<'ir>, Value<'ir>) {
    let ty = Type::integer(pointer.ty().context(), 64);
    let address = AddressForm { base: None, constant: 0, factor: 1, ty, signedness: Signedness::Unsigned };
    number_of(pointer, layout, is_inside).unwrap_or((address, pointer))
}

/// The one number that an address depends on, if all steps to it stay where no sum wraps.
fn number_of<'ir>(
    pointer: Value<'ir>,
    layout: Layout<'ir>,
    is_inside: &dyn Fn(Value<'ir>) -> bool,
) -> Option<(AddressForm<'ir>, Value<'ir>)> {
    let (mut here, mut constant, mut number) = (pointer, 0i128, None);
    while is_inside(here) {
        let address = Address::of_value(here).filter(|address| address.inbounds || address.nusw)?;
        let (bytes, terms) = address.offset(layout)?;
        constant = constant.checked_add(bytes)?;
        for term in terms {
            if number.replace(term).is_some() {
                return None;
            }
        }
        here = address.base;
    }
    let (index, factor) = number?;
    let extended = index.as_instruction().filter(|_| is_inside(index));
    let (number, signedness) = match extended.map(|i| (i, i.opcode())) {
        Some((i, Opcode::SExt)) => (i.operand(0), Signedness::Signed),
        Some((i, Opcode::ZExt)) => (i.operand(0), Signedness::Unsigned),
        _ => (index, Signedness::Signed),
    };
    let width = number.ty().integer_width().filter(|width| (8..=64).contains(width))?;
    let is_small = constant.unsigned_abs() < 1 << 64 && factor < 1 << 32;
    let ty = Type::integer(number.ty().context(), width);
    is_small.then_some((AddressForm { base: Some(here), constant, factor, ty, signedness }, number))
}
