//! Counters that go by other steps than LLVM counts.

pub(super) mod doubled;
pub(super) mod down;
pub(super) mod inner;
