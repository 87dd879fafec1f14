//! The addresses of thread-local variables, asked for once.
//!
//!     for (i = 0; i < n; i++) counts[i] += own;          with `own` declared `thread_local`: where it is, is found before the loop
//!
//! On another thread the question has another answer, so it must not be asked inside of loops that may run there.

use crate::llvm::{Analyses, Block, Call, Instruction, Opcode};

/// Asks for the address of a thread-local variable.
const ADDRESS: &str = "llvm.threadlocal.address";

/// Asks for the addresses of thread-local variables once, before all loops, if loops ask for them. Whether it changed anything.
///
/// The thread is the same all over the function, unless it is a coroutine that is still to be split.
pub(super) fn ask_before_loops<'ir>(analyses: &Analyses<'_, 'ir>) -> bool {
    let function = analyses.function();
    if function.has_attribute("presplitcoroutine") {
        return false;
    }
    let mut pending: Vec<Instruction<'ir>> = function.instructions();
    pending.retain(|instruction| is_address(*instruction));
    let mut changed = false;
    while let Some(first) = pending.first().copied() {
        let (same, others): (Vec<_>, Vec<_>) =
            pending.into_iter().partition(|other| other.operand(0) == first.operand(0));
        pending = others;
        changed |= ask_once(analyses, &same);
    }
    changed
}

/// Whether it asks for the address of a thread-local variable.
pub(super) fn is_address(instruction: Instruction<'_>) -> bool {
    instruction.call().and_then(Call::intrinsic).is_some_and(|name| name == ADDRESS)
}

fn ask_once<'ir>(analyses: &Analyses<'_, 'ir>, calls: &[Instruction<'ir>]) -> bool {
    let homes: Vec<Block<'ir>> = calls.iter().filter_map(|call| call.block()).collect();
    let is_in_loop = |block: &Block<'ir>| analyses.loop_of(*block).is_some();
    let (true, Some(first)) = (homes.iter().any(is_in_loop), analyses.outermost_loops().next()) else { return false };
    let comes_first = |block: &Block<'ir>| {
        let mut places = homes.iter().copied().chain(analyses.outermost_loops().map(|l| l.header));
        !is_in_loop(block) && places.all(|place| analyses.dominates(*block, place)) && !begins_handler(*block)
    };
    let mut above = std::iter::successors(Some(first.header), |block| analyses.immediate_dominator(*block));
    let Some(place) = above.find(comes_first) else { return false };
    let call = calls[0];
    let start = place.first_after_phis().expect("law: a complete block has a terminator");
    if start != call {
        call.move_before(start);
    }
    call.set_location(None);
    for other in &calls[1..] {
        other.replace_with(call.value());
    }
    true
}

/// Whether a block begins with what must be the first in it.
fn begins_handler(block: Block<'_>) -> bool {
    let first = block.first_after_phis().map(Instruction::opcode);
    matches!(first, Some(Opcode::LandingPad | Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch))
}
