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

/// A function of so few instructions that calls another one is nothing but a name of it: `std::max_element`, which calls `std::__max_element`.
const MOST_OF_NAME: usize = 24;

/// So many names are looked through.
const MOST_NAMES: usize = 4;

impl<'ir> Session<'ir> {
    /// The calls of a function in others that LLVM would inline, as the function is now, and those of what would then be another name of it.
    pub fn inlined_calls(&self, function: Function<'ir>) -> Vec<Instruction<'ir>> {
        let (mut calls, mut seen, mut names) = (Vec::new(), vec![function], vec![function]);
        for _ in 0..=MOST_NAMES {
            let own = names.drain(..).flat_map(|name| self.inlined_calls_of(name));
            // None of a circle: it has no end.
            let is_new = |call: &Instruction<'ir>| call.function().is_some_and(|caller| !seen.contains(&caller));
            let own: Vec<Instruction<'ir>> = own.filter(is_new).collect();
            let mut callers: Vec<Function<'ir>> = own.iter().filter_map(|call| call.function()).collect();
            callers.dedup();
            seen.extend(&callers);
            names.extend(callers.into_iter().filter(|caller| is_name(*caller)));
            calls.extend(own);
        }
        calls
    }

    fn inlined_calls_of(&self, function: Function<'ir>) -> Vec<Instruction<'ir>> {
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

/// Whether a function does little but call.
fn is_name(function: Function<'_>) -> bool {
    let own = function.blocks().into_iter().flat_map(|block| block.instructions());
    function.blocks().len() == 1 && own.filter(|i| !i.is_marker()).count() <= MOST_OF_NAME
}
