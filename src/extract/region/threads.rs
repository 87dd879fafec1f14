//! Whether what a region computes is the same whichever thread computes it.
//!
//!     for (i = 0; i < n; i++) owner[i] = pthread_self();
//!
//! A model says where values come from, not who computes them. So a region may be shared among threads only if nothing in it asks who
//! runs it. What is asked before the loops is a value like any other, also the address of a thread-local variable.

use super::detect::Region;
use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::{Analyses, Block, Function, Instruction};

/// Functions that reserve memory, which the runtime of parallel loops calls: loops inside of one that the program has defined would start threads that
/// wait for it.
const ALLOCATORS: [&str; 7] = ["malloc", "free", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memalign"];

/// `Err` with the first instruction that other threads would give another result for, or if this module is where memory comes from.
pub fn check<'ir>(analyses: &Analyses<'_, 'ir>, region: &Region<'ir>) -> Result<(), Refusal<'ir>> {
    let module = region.entry.function().module();
    let is_defined = |name: &&&str| module.function(name).is_some_and(Function::has_body);
    if let Some(name) = ALLOCATORS.iter().find(is_defined) {
        let what = format!("memory that '{name}' of this file reserves");
        return Err(Refusal::anywhere(Reason::DependsOnThread { what, cure: "define it in a file of its own" }));
    }
    for instruction in region.blocks.iter().copied().flat_map(Block::instructions) {
        if let Some((what, cure)) = asks_who_runs_it(analyses, instruction) {
            return Err(Refusal::at(instruction.place(), Reason::DependsOnThread { what, cure }));
        }
    }
    Ok(())
}

/// What other threads would give another result for, and what could be done about it.
fn asks_who_runs_it<'ir>(
    analyses: &Analyses<'_, 'ir>,
    instruction: Instruction<'ir>,
) -> Option<(String, &'static str)> {
    if let Some(access) = instruction.memory() {
        let told = ("memory in an address space of its own".to_string(), "use memory that all threads have");
        return (!access.is_common()).then_some(told);
    }
    let call = instruction.call().filter(|_| !instruction.is_marker())?;
    if analyses.is_same_on_every_thread(call) {
        return None;
    }
    let Some(callee) = call.callee() else {
        let what = "what a function pointer or inline assembly gives".to_string();
        return Some((what, "call a function by its name that is defined in this file, or call it before the loops"));
    };
    let name = callee.shown_name();
    Some(match () {
        () if analyses.needs_more_stack(call) => (
            format!("whether '{name}' has the stack that it needs"),
            "let it have smaller local arrays, or call it before the loops",
        ),
        () if callee.has_body() => (format!("what '{name}' gives"), "call it before the loops"),
        () => (format!("what '{name}' gives"), "define the function in this file, or call it before the loops"),
    })
}
