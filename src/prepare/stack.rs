//! How much stack a function may take over from the functions that are inlined into it.
//!
//!     static double helper(int i) { double t[4000]; ... }
//!     void walk(node *n) { for (i = 0; i < n->children; i++) walk(n->child[i]); y += helper(n->i); }
//!
//! A callee's variables are on the stack while it runs, and those of an inlined one as long as its caller runs: in `walk`, once for each
//! level of the recursion. So nothing that needs stack is inlined into functions that may be running already, and little into
//! others: the stack of a thread may be small.

use crate::llvm::{Function, Instruction};
use std::collections::HashSet;

/// Bytes that one function takes over at most, which is what LLVM's inliner lets a recursive function take over.
const MOST_BYTES: u64 = 1024;

/// The stack of a function that others are inlined into.
pub(super) struct Stack<'ir> {
    function: Function<'ir>,
    taken: u64,
    /// Whether the function may be running already, once that was asked.
    is_recursive: Option<bool>,
}

impl<'ir> Stack<'ir> {
    pub fn of(function: Function<'ir>) -> Self {
        Stack { function, taken: 0, is_recursive: None }
    }

    pub fn has_room_for(&mut self, callee: Function<'ir>) -> bool {
        match callee.stack_bytes() {
            Some(0) => true,
            Some(bytes) if self.taken.saturating_add(bytes) <= MOST_BYTES => {
                let function = self.function;
                !*self.is_recursive.get_or_insert_with(|| may_be_running(function))
            }
            _ => false,
        }
    }

    pub fn take_over(&mut self, callee: Function<'ir>) {
        self.taken = self.taken.saturating_add(callee.stack_bytes().unwrap_or(0));
    }
}

/// Whether a function leads to a call of itself: by the calls in this module, or, where something else than a call names it, by one of a
/// function that is not known.
fn may_be_running(function: Function<'_>) -> bool {
    let is_named = function.has_address_taken();
    let mut seen = HashSet::new();
    let mut pending = vec![function];
    while let Some(here) = pending.pop() {
        for call in here.instructions().into_iter().filter_map(Instruction::call) {
            match call.callee() {
                Some(callee) if callee == function => return true,
                Some(callee) if callee.has_body() => pending.extend(seen.insert(callee).then_some(callee)),
                _ if call.intrinsic().is_some() => {}
                _ if is_named => return true,
                _ => {}
            }
        }
    }
    false
}
