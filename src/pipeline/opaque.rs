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
//!
//! In `for (...) { int k = key[i]; if (k > n) { puts("no"); return -1; } ... }` the call is outside of the loop, though it leads to a block inside: there it is asked which way was
//! taken (by what ends the life of `k`), and who comes from the call leaves.

use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Function, Instruction, IntPredicate, Loop, Opcode, Session, Value, ValueKind};

/// Memory that an iteration reserves and gives back is reserved once instead.
const RESERVES: [&str; 2] = ["malloc", "free"];

/// Whether each loop of a function has something inside that is refused whatever is around it.
pub fn is_opaque<'ir>(session: &Session<'ir>, function: Function<'ir>) -> bool {
    let analyses = session.analyses(function);
    let mut innermost = analyses.loops().iter().filter(|this| this.children.is_empty()).peekable();
    let is_inside = |this: &Loop<'ir>, each: Instruction<'ir>| each.block().is_none_or(|block| !leaves(this, block));
    let stops = |this: &Loop<'ir>| this.instructions().any(|each| is_refused(&analyses, each) && is_inside(this, each));
    innermost.peek().is_some() && innermost.all(stops)
}

/// Whether who comes to the end of a block of a loop is asked for a constant next, and leaves the loop for that.
fn leaves<'ir>(this: &Loop<'ir>, block: Block<'ir>) -> bool {
    let Some(Branch::Always(asks)) = block.terminator().and_then(|end| end.branch()) else { return false };
    let way = asks.terminator().and_then(|end| way_from(block, asks, end));
    way.is_some_and(|way| !this.blocks.contains(&way))
}

/// Where a block goes on for who comes to it from another one, if constants tell.
fn way_from<'ir>(from: Block<'ir>, here: Block<'ir>, end: Instruction<'ir>) -> Option<Block<'ir>> {
    let constant = |value: Value<'ir>| {
        let phi = value.as_instruction().filter(|phi| phi.is_phi() && phi.block() == Some(here));
        phi.map_or(value.as_integer(), |phi| phi.incoming_from(from)?.as_integer())
    };
    if let Some((asked, otherwise, cases)) = end.switch() {
        let asked = constant(asked)?;
        let is_case = |(value, _): &(Value<'ir>, Block<'ir>)| value.as_integer() == Some(asked);
        return Some(cases.into_iter().find(is_case).map_or(otherwise, |(_, way)| way));
    }
    let Branch::If { condition, then, otherwise } = end.branch()? else { return None };
    let (predicate, a, b) = condition.as_instruction()?.icmp()?;
    let are_same = constant(a)? == constant(b)?;
    match predicate {
        IntPredicate::Eq => Some(if are_same { then } else { otherwise }),
        IntPredicate::Ne => Some(if are_same { otherwise } else { then }),
        _ => None,
    }
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
