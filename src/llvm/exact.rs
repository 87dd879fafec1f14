//! What has one result.
//!
//! `x * y + z` may be one operation or two, where flags allow that, and a sum may be added up in another order; so two copies of such a computation may differ, once
//! LLVM has made of each what it likes. Where control hangs on it they must not: a loop would be left in one copy and not in the other. Libraries of vector
//! functions compute other last bits of `exp` than the function for one number does.

use super::Instruction;
use super::instruction::{Call, FastMath};
use super::opcode::Opcode;
use super::value::Value;

/// Functions of numbers that are rounded in one way only.
const EXACT: [&str; 20] = [
    "llvm.fabs",
    "llvm.copysign",
    "llvm.sqrt",
    "llvm.fma",
    "llvm.fmuladd",
    "llvm.floor",
    "llvm.ceil",
    "llvm.trunc",
    "llvm.rint",
    "llvm.nearbyint",
    "llvm.round",
    "llvm.roundeven",
    "llvm.minnum",
    "llvm.maxnum",
    "llvm.minimum",
    "llvm.maximum",
    "llvm.minimumnum",
    "llvm.maximumnum",
    "llvm.fptosi.sat",
    "llvm.fptoui.sat",
];

impl Instruction<'_> {
    /// Whether two copies of it have the same result on the same values, whatever LLVM makes of each.
    pub fn is_exact(self) -> bool {
        let FastMath { reassoc, no_signed_zeros, reciprocal, contract, approximate, .. } = self.fast_math();
        let is_free = [reassoc, no_signed_zeros, reciprocal, contract, approximate].contains(&true);
        // These say or take on what numbers are, so flags allow nothing.
        let only_tells = [Opcode::FCmp, Opcode::FNeg, Opcode::Select, Opcode::Phi].contains(&self.opcode());
        match self.call() {
            Some(call) => self.has_one_result(call) && !is_free,
            None => only_tells || !is_free,
        }
    }

    fn has_one_result(self, call: Call<'_>) -> bool {
        let is_number = |value: Value<'_>| !value.ty().is_integer() && !value.ty().is_pointer();
        let computes = is_number(self.value()) || call.arguments().into_iter().any(is_number);
        !computes || call.intrinsic().is_some_and(|name| EXACT.contains(&name.as_str()))
    }
}
