//! What is read under a condition and overwritten there, kept from being read again.
//!
//! ```c
//! for (i = 0; i < n; i++) if (a[i] < key) { z = a[i]; a[i] = b[i]; b[i] = z; } else a[i] = key;
//! ```
//!
//! In vectors `b` is read where the condition holds, written there, and `a` gets what was read, or `key`. LLVM (22's instcombine) makes of that choice another read of `b`, where the choice is: behind the
//! write. The program as it stands may escape that by the shape of its branches, which is another one in loops that are written here. So what may be overwritten is frozen where it is read: behind
//! that the pass does not look, and it takes no time. A promise of the read value, that it is not undefined, would take the freeze away again, and is given up.
//!
//! Weakness: LLVM might come to vectors from loops that are not innermost, or without branches; it does not today.

use crate::llvm::analysis::Overlap;
use crate::llvm::{Analyses, Builder, Function, Instruction, Loop, Opcode, Session};

/// Freezes what the loops of a function read under a condition and may overwrite before the branches meet. Handles into it must be taken afterwards.
pub fn freeze_overwritten<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    let all = overwritten(&session.analyses(function));
    all.iter().for_each(|load| freeze(*load));
    if !all.is_empty() {
        session.invalidate(function);
    }
}

fn overwritten<'ir>(analyses: &Analyses<'_, 'ir>) -> Vec<Instruction<'ir>> {
    analyses.loops().iter().filter(|this| this.children.is_empty()).flat_map(|this| of_loop(analyses, this)).collect()
}

fn of_loop<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Vec<Instruction<'ir>> {
    let is_always_run = |i: &Instruction<'ir>| {
        let home = i.block().expect("law: an instruction of a loop is in a block");
        this.latch.is_none_or(|latch| analyses.dominates(home, latch))
    };
    let (writes, reads): (Vec<Instruction<'ir>>, Vec<Instruction<'ir>>) = this
        .instructions()
        .filter(|i| i.memory().is_some() && !is_always_run(i))
        .partition(|i| i.opcode() == Opcode::Store);
    let is_plain = |i: &&Instruction<'ir>| i.opcode() == Opcode::Load && i.memory().is_some_and(|access| access.simple);
    let is_overwritten = |read: &&Instruction<'ir>| {
        let follows = |write: &Instruction<'ir>| {
            analyses.is_available(read.value(), *write) && analyses.overlap_of_bytes(**read, *write) != Overlap::Never
        };
        writes.iter().any(follows)
    };
    reads.iter().filter(is_plain).filter(is_overwritten).copied().collect()
}

fn freeze(read: Instruction<'_>) {
    let next = read.next().expect("law: a block ends with what reads nothing");
    let builder = Builder::new(next.context());
    let users = read.users();
    builder.before(next);
    read.set_metadata("noundef", None);
    let frozen = builder.freeze(read.value());
    for user in users {
        for (at, operand) in user.operands().into_iter().enumerate() {
            if operand == read.value() {
                user.set_operand(at, frozen);
            }
        }
    }
}
