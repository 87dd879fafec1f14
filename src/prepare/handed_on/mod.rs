//! Pointers and sizes that a loop hands on from one iteration to the next by memory, kept in registers.
//!
//! ```c
//! for (t = 0; t < steps; t++) { for (i...) g->v[i] = f(g->u, i);  swap(g->u, g->v); }
//! ```
//!
//! What is in `g->u` is read before the loop and written behind it; inside it is a variable, whose values scalar evolution follows. That is so if every
//! iteration writes it, and nothing else in the loop reads or writes the place. (LLVM's `licm` would do so too, with the sums of numbers that dependences
//! are computed from as well.)
//!
//! Types tell places apart only so far: what was written as a pointer is not what is read as a number, but the memory may be used anew. So a write that is
//! known by its type alone to go elsewhere must come before the iteration's own write of the pointer, which is then the last one in both orders.

pub(super) mod apart;

use super::hoist::inner_loops_end;
use crate::llvm::analysis::Overlap;
use crate::llvm::instruction::MemoryAccess;
use crate::llvm::{Analyses, Block, Builder, Instruction, Loop, LoopId, Opcode, Value};
use std::collections::HashSet;

/// Keeps such values in variables of the function, for the pass that puts variables into registers. Whether there were any.
pub(super) fn keep_in_variables(analyses: &Analyses<'_, '_>) -> bool {
    let around_others = analyses.loops().iter().filter(|l| !l.children.is_empty());
    let places: Vec<Place<'_>> = around_others.flat_map(|l| places(analyses, l)).collect();
    let mut kept: HashSet<Instruction<'_>> = HashSet::new();
    for place in &places {
        // One of a loop further out has been kept already.
        if place.accesses.iter().all(|access| kept.insert(*access)) {
            keep(place);
        }
    }
    !kept.is_empty()
}

/// A place in memory that only these accesses of a loop touch, one of them a write in each iteration.
struct Place<'ir> {
    /// Reads and writes.
    accesses: Vec<Instruction<'ir>>,
    /// One of them whose address is known before the loop.
    home: MemoryAccess<'ir>,
    /// What the address is a multiple of, as all of them say: one need not run.
    alignment: u32,
    /// Where the loop is entered from, and the one block behind it.
    before: Block<'ir>,
    behind: Block<'ir>,
}

fn places<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Vec<Place<'ir>> {
    let (Some(before), Some(latch), [behind]) = (this.preheader, this.latch, this.exits.as_slice()) else {
        return Vec::new();
    };
    let instructions: Vec<Instruction<'ir>> = this.instructions().collect();
    let runs_through = instructions.iter().all(|i| i.will_return() && !i.may_throw());
    if !this.simplified || !this.has_single_exit() || !runs_through || !inner_loops_end(analyses, this) {
        return Vec::new();
    }
    let touching: Vec<Instruction<'ir>> =
        instructions.into_iter().filter(|i| (i.may_read_memory() || i.may_write_memory()) && !i.is_marker()).collect();
    if touching.iter().any(|i| i.memory().is_none_or(|memory| !memory.simple)) {
        return Vec::new();
    }
    let is_last_word = |i: &&Instruction<'ir>| {
        let block = i.block().expect("law: an instruction of a loop is in a block");
        let is_handed_on = i.memory().is_some_and(|m| m.ty.is_pointer() || m.ty.is_integer());
        i.opcode() == Opcode::Store
            && is_handed_on
            && analyses.loop_of(block) == Some(this.id)
            && analyses.dominates(block, latch)
    };
    let mut found: Vec<Place<'ir>> = Vec::new();
    for write in touching.iter().filter(is_last_word) {
        let MemoryAccess { ty, pointer, .. } = write.memory().expect("law: a store has a location");
        let stays = analyses.scev(pointer).is_some_and(|address| analyses.is_invariant(address, this.id));
        if !stays || found.iter().any(|place| place.accesses.contains(write)) {
            continue;
        }
        let is_of_place = |i: &Instruction<'ir>| {
            i.memory().is_some_and(|m| m.ty == ty) && analyses.overlap_of_bytes(*write, *i) == Overlap::Same
        };
        let is_inside = |pointer: Value<'ir>| pointer.as_instruction().is_some_and(|i| this.holds(i));
        let (accesses, others): (Vec<_>, Vec<_>) = touching.iter().copied().partition(is_of_place);
        let home = accesses.iter().filter_map(|i| i.memory()).find(|memory| !is_inside(memory.pointer));
        let behind_write = reached(analyses, this.id, *write);
        let is_elsewhere = |other: &Instruction<'ir>| {
            let is_read_or_before = other.opcode() == Opcode::Load || !behind_write.contains(other);
            analyses.overlap_of_bytes(*write, *other) == Overlap::Never
                || is_read_or_before && analyses.overlap_by_types(*write, *other) == Overlap::Never
        };
        let is_read = accesses.iter().any(|i| i.opcode() == Opcode::Load);
        let home = home.filter(|_| is_read && others.iter().all(is_elsewhere));
        let alignment = accesses.iter().filter_map(|i| i.memory()).map(|m| m.alignment).min().unwrap_or(1);
        found.extend(home.map(|home| Place { accesses, home, alignment, before, behind: *behind }));
    }
    found
}

/// What may come behind an instruction in the same iteration of a loop.
fn reached<'ir>(analyses: &Analyses<'_, 'ir>, id: LoopId, from: Instruction<'ir>) -> HashSet<Instruction<'ir>> {
    let this = analyses.loop_(id);
    let start = from.block().expect("law: an instruction of a loop is in a block");
    let own = start.instructions().into_iter().skip_while(|i| *i != from).skip(1);
    let mut found: HashSet<Instruction<'ir>> = own.collect();
    let (mut seen, mut pending) = (HashSet::from([this.header]), start.successors());
    while let Some(block) = pending.pop() {
        if this.blocks.contains(&block) && seen.insert(block) {
            found.extend(block.instructions());
            pending.extend(block.successors());
        }
    }
    found
}

fn keep<'ir>(place: &Place<'ir>) {
    let function = place.before.function();
    let builder = Builder::new(function.context());
    let start = function.blocks()[0].first_instruction().expect("law: a complete block has a terminator");
    builder.before(start);
    let variable: Value<'ir> = builder.alloca(place.home.ty, "kept").value();
    let MemoryAccess { ty, pointer: memory, .. } = place.home;
    builder.before(place.before.terminator().expect("law: a complete block has a terminator"));
    builder.store(builder.load(ty, memory, Some(place.alignment)).value(), variable, None);
    builder.before(place.behind.first_after_phis().expect("law: a complete block has a terminator"));
    builder.store(builder.load(ty, variable, None).value(), memory, Some(place.alignment));
    for access in &place.accesses {
        let at = if access.opcode() == Opcode::Load { 0 } else { 1 };
        access.set_operand(at, variable);
    }
}
