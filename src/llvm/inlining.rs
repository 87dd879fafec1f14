//! Which calls of a function LLVM's inliner would inline, had its loops not been rewritten.
//!
//! ```c
//! static void copy(int n, double (*a)[8], double (*b)[8]) { for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) a[i][j] = b[i][j]; }
//! ```
//!
//! The new loops stand beside the original ones, with a test before both. So the function is larger, although what runs is not; where LLVM no longer inlined it,
//! its caller would be slower than without us, and the more so where the test says that the original loops are to run. The parts that threads run are functions of
//! their own, which are called from wherever the function goes. Therefore what would have been inlined is.
//!
//! Weakness: the question is asked before LLVM has simplified the caller. Constants that it would still find could make more calls worth inlining; of these it
//! decides itself, as ever.

use super::ffi::*;
use super::session::Session;
use super::{Function, Instruction};

/// A function that is called from more places in a module may be larger than it was in each of them.
const MOST_CALLS: usize = 8;

impl<'ir> Session<'ir> {
    /// The calls of a function in others that LLVM would inline, as the function is now.
    pub fn inlined_calls(&self, function: Function<'ir>) -> Vec<Instruction<'ir>> {
        let is_call = |user: &Instruction<'ir>| {
            user.call().and_then(|call| call.callee()) == Some(function) && user.function() != Some(function)
        };
        let mut calls: Vec<Instruction<'ir>> = function.value().users().into_iter().filter(is_call).collect();
        if calls.len() > MOST_CALLS {
            return Vec::new();
        }
        calls.retain(|call| call!(loopwright_would_inline(self.function_managers(), call.raw())));
        calls
    }

    /// Has LLVM inline a call, whatever becomes of the function.
    pub fn inline_always(&mut self, call: Instruction<'ir>) {
        call!(loopwright_always_inline(call.raw()));
    }
}
