//! Small functions, inlined into functions with loops.
//!
//!     for (int &x : v) x = twice(x);          what `begin`, `end`, `++` and `twice` do is seen
//!
//! At the place where the pass runs LLVM has inlined nothing yet. Those that have no loops, or only read, as searches do, become part of the loops that call
//! them, as long as the stack has room for their variables ([`super::stack`]); so do loops that the program asks to inline and nobody else can call, as
//! those of Rust's `fold` and `for_each` around what a closure does.

use super::OFF;
use super::stack::Stack;
use crate::llvm::{Function, Instruction, Session};

/// Instructions of a function that is worth inlining before it is known what it becomes; LLVM's inliner takes about
/// 50 at `-O3`, and chains of wrappers shrink to nothing.
const SMALL: usize = 60;

/// Rounds of inlining: the depth of a chain of wrappers.
const ROUNDS: usize = 8;

/// Instructions by which inlining may let one function grow.
const GROWTH: usize = 2_000;

/// Inlines what is small, has no loop or only reads, is called here, and was not rewritten before. Whether the function was changed.
pub fn inline_small_calls<'ir>(session: &mut Session<'ir>, function: Function<'ir>) -> bool {
    let mut grown = 0;
    let mut stack = Stack::of(function);
    for _ in 0..ROUNDS {
        let before = grown;
        let calls = function.instructions().into_iter().filter(|instruction| instruction.call().is_some());
        for (call, callee) in calls.filter_map(|call| Some((call, small_callee(call)?))).collect::<Vec<_>>() {
            let size = callee.instructions().len();
            let may_grow = grown + size <= GROWTH && stack.has_room_for(callee);
            let is_kept = session.is_rewritten(callee) || callee.has_attribute(OFF);
            let may = may_grow && !is_kept && session.can_inline(call);
            if may && call.inline() {
                grown += size;
                stack.take_over(callee);
            }
        }
        if grown == before {
            break;
        }
    }
    if grown > 0 {
        session.invalidate(function);
    }
    grown > 0
}

fn small_callee<'ir>(call: Instruction<'ir>) -> Option<Function<'ir>> {
    let callee = call.call()?.callee().filter(|callee| callee.has_body())?;
    let only_reads = || callee.instructions().into_iter().all(|i| !i.may_write_memory() && !i.may_throw());
    let is_for_here = || callee.is_internal() && callee.has_attribute("inlinehint");
    let is_small = callee.instructions().len() <= SMALL && (!callee.has_cycle() || is_for_here() || only_reads());
    (is_small && Some(callee) != call.function()).then_some(callee)
}
