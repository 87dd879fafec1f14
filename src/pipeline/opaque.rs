//! Functions that nothing can be done about, seen before anything is done to them.
//!
//! ```c
//! while ((c = getc(file)) != EOF)
//!   for (i = 0; i < n; i++) if (a[i] == c) printf("%d\n", i);
//! ```
//!
//! A call of what is defined elsewhere, and may not come back, is refused wherever it is in a nest; and so are accesses that are volatile or atomic. Where each innermost
//! loop has one of these, each loop has, and to make the function readable, which is a third of all that the pass does in programs that are no kernels, would be time
//! lost. (This is asked of the program as it stands. It may be that a call was only there in what cannot be reached, which shows later.)

use crate::llvm::{Analyses, Function, Instruction, Loop, Opcode, Session, Value, ValueKind};

/// Memory that an iteration reserves and gives back is reserved once instead.
const RESERVES: [&str; 2] = ["malloc", "free"];

/// Whether each loop of a function has something inside that is refused whatever is around it.
pub fn is_opaque<'ir>(session: &Session<'ir>, function: Function<'ir>) -> bool {
    let analyses = session.analyses(function);
    let mut innermost = analyses.loops().iter().filter(|this| this.children.is_empty()).peekable();
    let stops = |this: &Loop<'ir>| this.instructions().any(|each| is_refused(&analyses, each));
    innermost.peek().is_some() && innermost.all(stops)
}

/// Whether a function that is called is an argument or read from memory.
fn is_given(target: Value<'_>) -> bool {
    target.kind() == ValueKind::Argument || target.as_instruction().is_some_and(|i| i.opcode() == Opcode::Load)
}

/// Whether no loop around an instruction is modelled, whatever is made of it and of what it calls before that.
fn is_refused<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>) -> bool {
    let Some(call) = instruction.call().filter(|call| call.intrinsic().is_none()) else {
        let is_atomic = matches!(instruction.opcode(), Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::Fence);
        return is_atomic || instruction.memory().is_some_and(|access| !access.simple);
    };
    let is_elsewhere = match call.callee() {
        Some(callee) => !callee.has_body(),
        // What is read or given may still turn out to be a certain function, but hardly ever does.
        None => is_given(call.target()),
    };
    let may_stay = instruction.may_throw() || !instruction.will_return();
    let is_reserving = || analyses.library_function(instruction).is_some_and(|name| RESERVES.contains(&&*name));
    is_elsewhere && may_stay && !is_reserving()
}
