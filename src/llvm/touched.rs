//! What calls touch, as data: see [`effects`](super::effects).
//!
//!     subtract(a[i], x[i], x[i + 1])      reads a[i] + 0, a[i] + 8, ...; writes x[i + 1] + 0, ...

use super::types::Type;
use super::value::Value;

/// An element that a call may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched<'ir> {
    /// The address that the call is given.
    pub pointer: Value<'ir>,
    /// Bytes from there.
    pub offset: i128,
    pub ty: Type<'ir>,
    pub does: Does,
}

/// What a function does to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    MayRead,
    MayWrite,
    Writes,
}

/// The same as seen by the function: of its arguments, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct OfArguments<'ir> {
    pub touched: Vec<(usize, i128, Type<'ir>, Does)>,
    pub operations: u32,
}

/// What a call does.
#[derive(Clone, Debug)]
pub struct Effects<'ir> {
    pub touched: Vec<Touched<'ir>>,
    /// Instructions that it runs.
    pub operations: u32,
}
