//! Where memory is, as numbers of the running program: what is touched of arrays, and what is reserved for scalars.
//!
//! Of `A[0 .. n]` the first byte is at `A`, and the one behind the last at `A + 8 n`; both as integers of 128 bits, in
//! which no sum of offsets overflows.

use crate::emit::arith::bounds::Known;
use crate::llvm::{Builder, IntPredicate, Opcode, Type, Value};

/// Where an expanded scalar lives: elements are `bytes` apart in the last dimension.
#[derive(Clone)]
pub struct Buffer<'ir> {
    pub memory: Value<'ir>,
    /// First subscript of each dimension.
    pub low: Vec<Known<'ir>>,
    /// Bytes between neighbours in each dimension.
    pub strides: Vec<Known<'ir>>,
}

/// The first byte that accesses to an array touch and the one behind the last, as integers of 128 bits; and whether any
/// is.
#[derive(Clone, Copy)]
pub struct Ends<'ir> {
    pub first: Value<'ir>,
    pub behind: Value<'ir>,
    pub is_touched: Value<'ir>,
}

/// Whether no byte of one is a byte of the other.
pub fn apart<'ir>(builder: &Builder<'ir>, a: &Ends<'ir>, b: &Ends<'ir>) -> Value<'ir> {
    let before = builder.icmp(IntPredicate::Sle, a.behind, b.first);
    let behind = builder.icmp(IntPredicate::Sle, b.behind, a.first);
    let always = builder.integer(1, 1);
    let untouched =
        [a, b].into_iter().filter(|ends| ends.is_touched != always).map(|ends| builder.not(ends.is_touched));
    std::iter::once(behind).chain(untouched).fold(before, |any, next| builder.binary(Opcode::Or, any, next))
}

/// A pointer as an integer of 128 bits.
pub fn address<'ir>(builder: &Builder<'ir>, pointer: Value<'ir>) -> Value<'ir> {
    let pointer = builder.freeze(builder.address(pointer));
    builder.cast(Opcode::ZExt, pointer, Type::integer(builder.context(), 128))
}
