//! Memory that each iteration of a loop reserves and gives back, reserved once.
//!
//! ```c
//! for (i = 0; i < n; i++) { double *v = malloc(m * sizeof *v); for (k...) v[k] = A[i][k]; B[i] = v[0] + v[m - 1]; free(v); }
//! ```
//!
//! What an iteration finds there is not defined, and nobody else knows where the memory is: the iterations may use the same, as they mostly do anyway. So
//! `malloc` goes before the loop and `free` behind it. That lets the loop be read as one over arrays; whether each iteration has one of its own is a matter of
//! dependences, as for memory that the program reserves before the loop. The same holds for rows of a length known at run time, `double v[m]`, which are on the
//! stack up to the end of the iteration.
//!
//! Only what is reserved in the first iteration in any case leaves a loop, and in a size that is the same in all of them: then no more is reserved at any
//! time than the program does, and a call that fails sets `errno` in either.

use super::hoist::is_watched;
use crate::llvm::{Analyses, Block, Builder, Instruction, Loop, Opcode, Type, Value};

/// Memory that is used at more places is not looked at.
const MOST_USES: usize = 1_000;

/// So many instructions at most compute how much is reserved.
const MOST_STEPS: usize = 8;

/// Moves what reserves memory, from inner loops to outer ones. Whether anything moved.
pub(super) fn reserve_once(analyses: &Analyses<'_, '_>) -> bool {
    analyses.loops().iter().rev().filter(|l| reserve_before(analyses, l)).count() > 0
}

fn reserve_before<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let Some(end) = l.preheader.and_then(|before| before.terminator()).filter(|_| l.simplified) else { return false };
    if is_watched(analyses.function()) {
        return false;
    }
    let instructions: Vec<Instruction<'ir>> = l.instructions().collect();
    let runs_through = |i: &Instruction<'ir>| i.will_return() && !i.may_throw();
    let reserving = |i: &&Instruction<'ir>| is_call_of(analyses, **i, "malloc") || i.opcode() == Opcode::Alloca;
    let found: Vec<Instruction<'ir>> = instructions.iter().filter(reserving).copied().collect();
    let library = |i: &Instruction<'ir>| is_call_of(analyses, *i, "malloc") || is_call_of(analyses, *i, "free");
    if found.is_empty() || !instructions.iter().all(|i| runs_through(i) || library(i) || is_of_stack(*i)) {
        return false;
    }
    let (rows, calls): (Vec<_>, Vec<_>) = found.into_iter().partition(|i| i.opcode() == Opcode::Alloca);
    let moved = calls.into_iter().filter(|call| reserve_call(analyses, l, *call, end)).count();
    reserve_rows(analyses, l, &rows, end) || moved > 0
}

/// One call of `malloc`, with what gives the memory back.
fn reserve_call<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    call: Instruction<'ir>,
    end: Instruction<'ir>,
) -> bool {
    let used = uses_inside(analyses, l, call).filter(|_| is_reached(analyses, l, call));
    let Some(used) = used.filter(|used| !used.is_empty()) else { return false };
    let freed: Vec<Instruction<'ir>> = used.into_iter().filter(|user| is_call_of(analyses, *user, "free")).collect();
    let Some(free) = freed.first().and_then(|first| first.call()?.callee()) else { return false };
    let Some(steps) = steps_before(l, &call.operands()) else { return false };
    let builder = Builder::new(call.context());
    for exit in &l.exits {
        let Some(first) = exit.first_after_phis() else { return false };
        builder.before(first);
        builder.call(free, &[call.value()]).set_location(freed[0].location());
    }
    steps.into_iter().chain([call]).for_each(|each| each.move_before(end));
    freed.into_iter().for_each(Instruction::remove);
    true
}

/// All rows on the stack that an iteration reserves at the same time, with what gives back their place.
fn reserve_rows<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    rows: &[Instruction<'ir>],
    end: Instruction<'ir>,
) -> bool {
    let instructions = l.instructions();
    let of_stack: Vec<Instruction<'ir>> = instructions.filter(|i| is_of_stack(*i)).collect();
    let (saved, restored): (Vec<_>, Vec<_>) = of_stack.iter().copied().partition(|i| is_saved(*i));
    let [saved] = saved[..] else { return false };
    let is_its_end = |i: &Instruction<'ir>| i.operand(0) == saved.value();
    let is_pair = restored.iter().all(is_its_end) && saved.users().len() == restored.len() && !restored.is_empty();
    let is_reserved = |row: &Instruction<'ir>| {
        is_reached(analyses, l, *row) && comes_before(analyses, saved, *row) && uses_inside(analyses, l, *row).is_some()
    };
    if rows.is_empty() || !is_pair || !rows.iter().all(is_reserved) {
        return false;
    }
    let lengths: Vec<Value<'ir>> = rows.iter().flat_map(|row| row.operands()).collect();
    let Some(steps) = steps_before(l, &lengths) else { return false };
    let builder = Builder::new(saved.context());
    let firsts: Option<Vec<Instruction<'ir>>> = l.exits.iter().map(|exit| exit.first_after_phis()).collect();
    let Some(firsts) = firsts else { return false };
    saved.move_before(end);
    steps.into_iter().chain(rows.iter().copied()).for_each(|each| each.move_before(end));
    for first in firsts {
        builder.before(first);
        builder.intrinsic("llvm.stackrestore", &[Type::pointer(saved.context())], &[saved.value()]);
    }
    restored.into_iter().for_each(Instruction::remove);
    true
}

fn is_saved(instruction: Instruction<'_>) -> bool {
    instruction.call().and_then(|call| call.intrinsic()).as_deref() == Some("llvm.stacksave")
}

fn is_of_stack(instruction: Instruction<'_>) -> bool {
    let name = instruction.call().and_then(|call| call.intrinsic());
    matches!(name.as_deref(), Some("llvm.stacksave" | "llvm.stackrestore"))
}

fn is_call_of<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>, name: &str) -> bool {
    instruction.call().is_some_and(|call| !call.has_bundles())
        && analyses.library_function(instruction).is_some_and(|found| found == name)
}

/// Whether the first iteration comes to it before it leaves the loop or goes on.
fn is_reached<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, instruction: Instruction<'ir>) -> bool {
    let Some(block) = instruction.block() else { return false };
    l.exiting.iter().chain(&l.latch).all(|after| analyses.dominates(block, *after))
}

fn comes_before<'ir>(analyses: &Analyses<'_, 'ir>, first: Instruction<'ir>, second: Instruction<'ir>) -> bool {
    let (Some(a), Some(b)) = (first.block(), second.block()) else { return false };
    let place = |block: Block<'ir>, i: Instruction<'ir>| block.instructions().iter().position(|each| *each == i);
    if a == b { place(a, first) < place(b, second) } else { analyses.dominates(a, b) }
}

/// What uses the memory, all in one iteration of the loop and known to keep its address for itself; `None` if there is something else.
fn uses_inside<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    reserved: Instruction<'ir>,
) -> Option<Vec<Instruction<'ir>>> {
    const MOVES: [&str; 3] = ["llvm.memcpy", "llvm.memmove", "llvm.memset"];
    let mut found = Vec::new();
    let mut pending = vec![reserved.value()];
    while let Some(pointer) = pending.pop() {
        let null = Value::zero(pointer.ty());
        for user in pointer.users() {
            found.push(user);
            if found.len() > MOST_USES || !l.holds(user) {
                return None;
            }
            let name = || user.call().and_then(|call| call.intrinsic()).unwrap_or_default();
            let is_kept = match user.memory() {
                Some(access) => access.stored != Some(pointer) && access.simple,
                None if user.address().is_some_and(|address| address.base == pointer) => {
                    pending.push(user.value());
                    true
                }
                None => {
                    user.icmp().is_some_and(|(_, a, b)| [a, b].contains(&null))
                        || pointer == reserved.value() && is_call_of(analyses, user, "free")
                        || user.is_marker()
                        || MOVES.contains(&name().as_str())
                }
            };
            is_kept.then_some(())?;
        }
    }
    Some(found)
}

/// What computes these values inside of the loop and can do so before it, in order.
fn steps_before<'ir>(l: &Loop<'ir>, values: &[Value<'ir>]) -> Option<Vec<Instruction<'ir>>> {
    let mut steps: Vec<Instruction<'ir>> = Vec::new();
    let mut pending = values.to_vec();
    while let Some(value) = pending.pop() {
        let inside = value.as_instruction().filter(|i| l.holds(*i));
        let Some(step) = inside else { continue };
        let is_number = step.memory().is_none() && !step.is_phi() && step.call().is_none() && step.is_speculatable();
        if !is_number || steps.len() >= MOST_STEPS {
            return None;
        }
        steps.retain(|other| *other != step);
        steps.push(step);
        pending.extend(step.operands());
    }
    steps.reverse();
    Some(steps)
}
