//! Small functions, inlined into functions with loops.
//!
//!     for (int &x : v) x = twice(x);          what `begin`, `end`, `++` and `twice` do is seen
//!
//! At the place where the pass runs LLVM has inlined nothing yet. Those that have no loops, or only read, as searches do, become part of the loops that call
//! them, as long as the stack has room for their variables ([`super::stack`]); so do, inside of loops, the loops of Rust's `fold` and
//! `for_each` around what a closure does.

use super::OFF;
use super::stack::Stack;
use crate::llvm::{Function, Instruction, Language, Session};

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
        let small: Vec<_> = calls.filter_map(|call| Some((call, small_callee(call)?))).collect();
        for (call, callee) in without_loops_of_their_own(session, function, small) {
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

/// Those whose loops would be inside of one around the call, or that have none that could be left where they are.
fn without_loops_of_their_own<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    calls: Vec<(Instruction<'ir>, Function<'ir>)>,
) -> Vec<(Instruction<'ir>, Function<'ir>)> {
    if calls.iter().all(|(_, callee)| is_for_any_place(*callee)) {
        return calls;
    }
    session.invalidate(function);
    let analyses = session.analyses(function);
    let is_inside = |call: Instruction<'ir>| call.block().is_some_and(|block| analyses.loop_of(block).is_some());
    calls.into_iter().filter(|(call, callee)| is_for_any_place(*callee) || is_inside(*call)).collect()
}

/// Whether it has no loop, or only reads.
fn is_for_any_place(callee: Function<'_>) -> bool {
    !callee.has_cycle() || callee.instructions().into_iter().all(|i| !i.may_write_memory() && !i.may_throw())
}

/// Whether it may be a loop of Rust's library around a closure. (In C, what is `static inline` is as often a part of the program with nests of its own.)
fn is_of_iterators(callee: Function<'_>) -> bool {
    callee.language() == Language::Rust && callee.is_internal() && callee.has_attribute("inlinehint")
}

fn small_callee<'ir>(call: Instruction<'ir>) -> Option<Function<'ir>> {
    let callee = call.call()?.callee().filter(|callee| callee.has_body())?;
    let is_wanted = is_for_any_place(callee) || is_of_iterators(callee);
    let is_small = is_wanted && callee.instructions().len() <= SMALL;
    (is_small && Some(callee) != call.function()).then_some(callee)
}
