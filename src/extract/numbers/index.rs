//! Bounds of numbers that data gives, by the instruction that computes them.
//!
//! Nobody knows `key[j]`, but `key[j] & 7` is in `[0, 7]`, and an unsigned byte, widened, in `[0, 255]`.

use super::interval::Interval;
use crate::llvm::{Opcode, Value};

/// Bounds of an index, from what computes it.
pub(in crate::extract) fn bounds_of_index(value: Value<'_>) -> Interval {
    let unknown = Interval::ALL;
    let Some(instruction) = value.as_instruction() else { return unknown };
    let constant = |at: usize| instruction.operand(at).as_integer();
    match instruction.opcode() {
        Opcode::SExt => match (bounds_of_index(instruction.operand(0)), instruction.operand(0).ty().integer_width()) {
            (Interval::ALL, Some(width)) if width < 32 => Interval::signed(width),
            (inner, _) => inner,
        },
        Opcode::ZExt => {
            let width = instruction.operand(0).ty().integer_width().filter(|width| *width < 64);
            let inner = bounds_of_index(instruction.operand(0));
            match inner.is_nonnegative() && inner.high.is_some() {
                true => inner,
                false => width.map_or(unknown, |width| Interval::new(0, (1 << width) - 1)),
            }
        }
        Opcode::And => match (constant(0), constant(1)) {
            (_, Some(mask)) | (Some(mask), _) if mask >= 0 => Interval::new(0, mask),
            _ => unknown,
        },
        Opcode::URem => match constant(1) {
            Some(divisor) if divisor > 0 => Interval::new(0, divisor - 1),
            _ => unknown,
        },
        Opcode::SRem => match constant(1) {
            Some(divisor) if divisor > 0 => Interval::new(1 - divisor, divisor - 1),
            _ => unknown,
        },
        Opcode::LShr => match (constant(1), value.ty().integer_width()) {
            (Some(bits), Some(width)) if bits > 0 && bits < i128::from(width) => {
                Interval::new(0, (1 << (i128::from(width) - bits)) - 1)
            }
            _ => unknown,
        },
        _ => unknown,
    }
}
