//! What loops compute again and again although it stays the same, computed before them.
//!
//!     for (i = 0; i < m->rows; i++) m->row[i] = 0.0;          m->rows and m->row are read once
//!
//! Integers and pointers that a loop reads from memory that it does not write, and what it computes from them to decide where to go, as in `i < end - start`: a
//! later loop that asks the same would else depend on the last iteration of this one; where a pointer has got to when the loop ends; and what a call gives
//! that is the same in all iterations, but not on every thread. Where a test in front of the loop guards it, all that is harmless goes in front of the
//! test, so that nothing stands between both.

use super::addresses::is_address;
use crate::llvm::instruction::{Branch, Call, MemoryAccess};
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Function, Instruction, Loop, Opcode, Type, Value};
use petgraph::algo::is_cyclic_directed;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, HashSet};

/// Attributes of functions whose reads are watched: one that the program does not do would be reported.
const WATCHED: [&str; 3] = ["sanitize_address", "sanitize_hwaddress", "sanitize_thread"];

/// Which reads leave a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// Those that the loop comes to in any case.
    Reached,
    /// Also those that are harmless where the program does not come to them.
    Harmless,
}

/// Moves reads of integers and pointers out of loops that do not write what is read. Whether any moved.
pub(super) fn read_once(analyses: &Analyses<'_, '_>) -> bool {
    // One that moves although it need not be reached is no longer known by its type to differ from what is written, so it goes out of all loops at
    // once, and where loops have only one end not before all others have moved: then more is known to be reached.
    let can_be_left = |l: &&Loop<'_>| l.exiting.len() > 1;
    let loops = || analyses.loops().iter();
    let early = loops().filter(can_be_left).filter(|l| read_before(analyses, l, Moves::Harmless)).count();
    let reached = loops().rev().filter(|l| read_before(analyses, l, Moves::Reached)).count();
    early + reached > 0 || loops().filter(|l| read_before(analyses, l, Moves::Harmless)).count() > 0
}

/// One loop. With nothing in it that ends the program, the first iteration reaches what dominates all ways out, the latch among them, unless a loop
/// inside goes on for ever.
fn read_before<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, moves: Moves) -> bool {
    let (Some(preheader), Some(latch)) = (l.preheader, l.latch) else { return false };
    let Some(end) = preheader.terminator() else { return false };
    let instructions: Vec<_> = l.instructions().collect();
    let runs_through = instructions.iter().all(|i| i.will_return() && !i.may_throw() || analyses.effects(*i).is_some());
    if l.exit_of_latch().is_none() || !runs_through {
        return false;
    }
    let mut inside: HashSet<Value<'_>> = instructions.iter().map(|instruction| instruction.value()).collect();
    let writers: Vec<_> = instructions.iter().copied().filter(|i| i.may_write_memory()).collect();
    let decisions = decides(l);
    let none_goes_on = inner_loops_end(analyses, l);
    let mut moved = false;
    for instruction in instructions {
        let is_reached = instruction.block().is_some_and(|block| {
            dominates_ends(analyses, l, block) && (none_goes_on || comes_first(analyses, l, block))
        });
        let is_invariant = instruction.operands().iter().all(|operand| !inside.contains(operand));
        let is_movable = match instruction.opcode() {
            Opcode::GetElementPtr => true,
            Opcode::Load => is_read(instruction) && !writers.iter().any(|w| analyses.writes(*w, instruction)),
            Opcode::Call => {
                let decides = decisions.contains(&instruction) && instruction.is_speculatable();
                decides || instruction.call().is_some_and(|call| is_of_thread(analyses, call))
            }
            // Where the loop comes to it in any case, it divides by zero before the loop or not at all.
            Opcode::UDiv | Opcode::URem if is_reached => decisions.contains(&instruction),
            _ => decisions.contains(&instruction) && instruction.is_speculatable(),
        };
        let is_safe = || match instruction.memory() {
            Some(read) => is_readable(analyses, read, end),
            None => instruction.is_speculatable(),
        };
        let is_versioned = || none_goes_on && is_read_on_all_ways(l, latch, instruction);
        if is_invariant && is_movable && (is_reached || is_versioned() || moves == Moves::Harmless && is_safe()) {
            if !is_reached {
                instruction.drop_immediate_promises();
            }
            instruction.move_before(end);
            inside.remove(&instruction.value());
            moved |= instruction.opcode() != Opcode::GetElementPtr;
        }
    }
    moved
}

/// Whether each iteration that ends, or leaves the loop, has come to a block.
fn dominates_ends<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, block: Block<'ir>) -> bool {
    l.exiting.iter().chain(&l.latch).all(|end| analyses.dominates(block, *end))
}

/// Whether the first iteration of a loop in which nothing ends the program comes to an instruction.
pub(super) fn is_reached<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, instruction: Instruction<'ir>) -> bool {
    let Some(block) = instruction.block() else { return false };
    dominates_ends(analyses, l, block) && (comes_first(analyses, l, block) || inner_loops_end(analyses, l))
}

/// Whether a read may happen at `end` although the program might not come to it.
pub(super) fn is_harmless<'ir>(analyses: &Analyses<'_, 'ir>, read: Instruction<'ir>, end: Instruction<'ir>) -> bool {
    read.memory().is_some_and(|memory| is_readable(analyses, memory, end))
}

/// Whether each iteration comes to this read or to another one of the same: loops that a front end has made in two versions, for strides that it knows
/// and for others, read what both need in each of them.
fn is_read_on_all_ways<'ir>(l: &Loop<'ir>, latch: Block<'ir>, read: Instruction<'ir>) -> bool {
    let Some(memory) = read.memory().filter(|_| read.opcode() == Opcode::Load) else { return false };
    let is_same = |i: &Instruction<'ir>| {
        let other = i.memory().filter(|_| i.opcode() == Opcode::Load);
        other.is_some_and(|other| other.pointer == memory.pointer && other.ty == memory.ty && other.simple)
    };
    let reads = |block: &Block<'ir>| block.instructions().iter().any(is_same);
    let mut pending = vec![l.header];
    let mut seen: HashSet<Block<'ir>> = HashSet::new();
    while let Some(block) = pending.pop() {
        if !l.blocks.contains(&block) || reads(&block) || !seen.insert(block) {
            continue;
        }
        if block == latch || l.exiting.contains(&block) {
            return false;
        }
        pending.extend(block.successors());
    }
    true
}

/// Whether a read that is left in a loop would leave it if it were known that the loop comes to it.
pub(super) fn is_held_up<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, read: Instruction<'ir>) -> bool {
    let is_inside = |value: Value<'ir>| value.as_instruction().is_some_and(|i| l.holds(i));
    let mut writers = l.instructions().filter(|i| i.may_write_memory());
    read.opcode() == Opcode::Load
        && is_read(read)
        && !read.operands().into_iter().any(is_inside)
        && !writers.any(|writer| analyses.writes(writer, read))
}

/// Integer arithmetic that decides whether the loop goes on, and which of its blocks run.
fn decides<'ir>(l: &Loop<'ir>) -> HashSet<Instruction<'ir>> {
    let terminators = l.blocks.iter().filter_map(|block| block.terminator());
    let mut pending: Vec<Value<'ir>> = terminators.flat_map(|end| end.operands()).collect();
    let mut found = HashSet::new();
    while let Some(value) = pending.pop() {
        let instruction = value.as_instruction().filter(|i| l.holds(*i));
        let is_arithmetic = |i: &Instruction<'ir>| {
            let is_call = i.call().is_some() && !is_extremum(i);
            i.ty().is_integer() && !i.is_phi() && i.memory().is_none() && !is_call && !i.is_terminator()
        };
        let Some(instruction) = instruction.filter(is_arithmetic) else { continue };
        if found.insert(instruction) {
            pending.extend(instruction.operands());
        }
    }
    found
}

/// Whether it is the smaller or the larger one of two numbers.
fn is_extremum(instruction: &Instruction<'_>) -> bool {
    const EXTREMA: [&str; 4] = ["llvm.umin", "llvm.umax", "llvm.smin", "llvm.smax"];
    instruction.call().and_then(|call| call.intrinsic()).is_some_and(|name| EXTREMA.contains(&name.as_str()))
}

/// What a loop leaves behind that is computed before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// `std::transform` returns where it has got to.
    Pointers,
    /// The steps that are left over where several have become one count on, too.
    AlsoNumbers,
}

/// Computes before a loop what it leaves behind, where that takes no loop; before an outermost one numbers in any case, as counters of which a later
/// loop says that they are its sizes. Whether there was any.
pub(super) fn ends_are_known<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, ends: Ends) -> bool {
    let (Some(preheader), [exit]) = (l.preheader, l.exits.as_slice()) else { return false };
    if !l.has_single_exit() || analyses.backedges(l.id, CountKind::Exact).is_none() {
        return false;
    }
    let Some(before) = preheader.terminator() else { return false };
    let mut changed = false;
    let has_numbers = ends == Ends::AlsoNumbers || l.parent.is_none();
    let is_wanted = |ty: Type<'ir>| ty.is_pointer() || has_numbers && ty.is_integer();
    for phi in exit.phis().into_iter().filter(|phi| is_wanted(phi.ty())) {
        let [(left, _)] = phi.incoming()[..] else { continue };
        let is_inside = |value: Value<'ir>| value.as_instruction().is_some_and(|i| l.holds(i));
        let Some(end) = analyses.scev_at(left, l.parent).filter(|_| is_inside(left)) else { continue };
        if !analyses.is_invariant(end, l.id) || !analyses.can_expand(end, before) {
            continue;
        }
        phi.replace_with(analyses.expand(end, before));
        changed = true;
    }
    changed
}

/// Moves what is harmless from before a loop to before the test that guards it, if nothing else stands between both.
pub(super) fn lift_above_guard<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let Some(preheader) = l.preheader else { return false };
    let [guard] = preheader.predecessors()[..] else { return false };
    let Some(end) = guard.terminator().filter(|end| matches!(end.branch(), Some(Branch::If { .. }))) else {
        return false;
    };
    let instructions: Vec<_> = preheader.instructions().into_iter().filter(|i| !i.is_terminator()).collect();
    let is_harmless = |i: &Instruction<'ir>| match i.memory() {
        Some(read) => i.opcode() == Opcode::Load && is_read(*i) && is_readable(analyses, read, end),
        None => !i.is_phi() && (i.call().is_none() || is_address(*i)) && i.is_speculatable(),
    };
    if instructions.is_empty() || !instructions.iter().all(is_harmless) {
        return false;
    }
    for instruction in instructions {
        instruction.drop_immediate_promises();
        instruction.move_before(end);
    }
    true
}

/// Whether what a call gives is a matter of the thread and of its arguments: it is the same in all iterations, and may not be asked for on
/// other threads.
fn is_of_thread<'ir>(analyses: &Analyses<'_, 'ir>, call: Call<'ir>) -> bool {
    call.is_pure() && !call.instruction().is_marker() && !analyses.is_same_on_every_thread(call)
}

pub(super) fn is_read(load: Instruction<'_>) -> bool {
    let is_address_part = load.ty().is_integer() || load.ty().is_pointer();
    is_address_part && load.memory().is_some_and(|memory| memory.simple)
}

/// Whether something watches what the function does to memory.
pub(super) fn is_watched(function: Function<'_>) -> bool {
    WATCHED.iter().any(|attribute| function.has_attribute(attribute))
}

/// Whether a read may happen at `end` although the program might not do it.
fn is_readable<'ir>(analyses: &Analyses<'_, 'ir>, read: MemoryAccess<'ir>, end: Instruction<'ir>) -> bool {
    let Some(function) = end.function() else { return false };
    if is_watched(function) {
        return false;
    }
    let bytes = function.layout().store_size(read.ty);
    analyses.is_dereferenceable(read.pointer, bytes, end)
}

/// Whether nothing in a loop goes on for ever: all loops inside are counted, and there are no other circles than loops.
pub(super) fn inner_loops_end<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let mut inner = analyses.loops().iter().filter(|inner| inner.id != l.id && analyses.is_within(inner.id, l.id));
    inner.all(|inner| analyses.backedges(inner.id, CountKind::Exact).is_some()) && is_reducible(analyses, l)
}

/// Whether each circle in a loop is entered at one place only, so that it is a loop as well.
fn is_reducible<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let mut forwards: DiGraph<(), ()> = DiGraph::new();
    let nodes: HashMap<Block<'ir>, NodeIndex> = l.blocks.iter().map(|block| (*block, forwards.add_node(()))).collect();
    for block in &l.blocks {
        for next in block.successors().into_iter().filter(|next| !analyses.dominates(*next, *block)) {
            if let Some(to) = nodes.get(&next) {
                forwards.add_edge(nodes[block], *to, ());
            }
        }
    }
    !is_cyclic_directed(&forwards)
}

fn comes_first<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, block: Block<'ir>) -> bool {
    l.children.iter().all(|child| analyses.dominates(block, analyses.loop_(*child).header)) && is_reducible(analyses, l)
}
