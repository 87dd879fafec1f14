//! What a function costs where LLVM's inliner would put it, as it was before its loops were rewritten.
//!
//! ```c
//! static void copy(int n, double (*a)[8], double (*b)[8]) { for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) a[i][j] = b[i][j]; }
//! ```
//!
//! The new loops stand beside the original ones, with a test before both. So the function is larger, although what runs is not; where LLVM no longer inlined it,
//! its caller would be slower than without us, and the more so where the test says that the original loops are to run. The parts that threads run are functions of
//! their own, which are called from wherever the function goes. Therefore each call keeps the cost that it had, as LLVM's attribute `function-inline-cost`.

use super::ffi::*;
use super::session::Session;
use super::{Function, Instruction, zero_terminated};

/// A function that is called from more places in a module may be larger than it was in each of them.
const MOST_CALLS: usize = 8;

/// What LLVM's inliner takes a call to cost.
#[derive(Clone, Copy, Debug)]
pub struct InlineCost<'ir> {
    call: Instruction<'ir>,
    cost: i32,
}

impl<'ir> Session<'ir> {
    /// The cost of each call of a function in others, where LLVM might inline it: no attribute decides, and it is little enough for a call in a hot place.
    pub fn inline_costs(&self, function: Function<'ir>) -> Vec<InlineCost<'ir>> {
        let is_call = |user: &Instruction<'ir>| {
            user.call().and_then(|call| call.callee()) == Some(function) && user.function() != Some(function)
        };
        let calls: Vec<Instruction<'ir>> = function.value().users().into_iter().filter(is_call).collect();
        if calls.len() > MOST_CALLS {
            return Vec::new();
        }
        let cost_of = |call: Instruction<'ir>| {
            let mut cost = 0;
            let may = call!(loopwright_inline_cost(self.function_managers(), call.raw(), &raw mut cost));
            may.then_some(InlineCost { call, cost })
        };
        calls.into_iter().filter_map(cost_of).collect()
    }
}

impl InlineCost<'_> {
    /// Has the call that cost, whatever becomes of the function.
    pub fn keep(self) {
        let (name, cost) = (c"function-inline-cost", zero_terminated(&self.cost.to_string()));
        call!(loopwright_add_call_attribute(self.call.raw(), name.as_ptr(), cost.as_ptr()));
    }
}
