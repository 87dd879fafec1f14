//! Making a function readable: LLVM's own clean-up, on functions with loops only.
//!
//! At the place where the pass runs nothing has been inlined yet, loops test at the top and variables have just left
//! memory. These steps bring out the counted loops:
//!
//! 1. Small functions that have no loops, or only read, as searches do, are inlined into functions with loops (C++ iterators, `static
//!    inline` helpers).
//! 2. A fixed list of LLVM's passes rotates loops and simplifies what is in them, without hoisting or promoting any
//!    floating-point value: memory stays as the source has it, which is what dependences are computed from.
//! 3. Integers and pointers that a loop reads again and again from memory it does not write are read once before it:
//!
//!        for (i = 0; i < m->rows; i++) m->row[i] = 0.0;          m->rows and m->row are read once
//!
//!    and so is what the end of the loop computes from them, as in `i < end - start`. Where a test in front of the loop guards it, all that
//!    is harmless goes in front of the test, so that nothing stands between both. Where a pointer has got to when a loop ends is
//!    computed before it. What a call gives that is the same in all iterations, but not on every thread, is asked for once, too ([`threads`]).
//!
//! 4. A switch with a case for every value that can be has no other way out:
//!
//!        switch (i % 4) { case 0: ... case 3: ... }                      the last case stands for all the rest
//!
//! 5. Calls that fill or copy memory inside of a loop become loops or moves of elements ([`fills`]).
//!
//! Widening of counters (`indvars`) is tried only where a loop still has no trip count: it makes some countable and
//! hides others (a comparison of counters becomes one of extended truncations).

use std::collections::HashSet;

use super::analysis::{Analyses, Loop};
use super::ffi::*;
use super::fills;
use super::instruction::{Branch, Call, Instruction, MemoryAccess};
use super::ir::{Block, Function};
use super::opcode::Opcode;
use super::scev::CountKind;
use super::session::Session;
use super::stack::Stack;
use super::threads;
use super::value::Value;

/// `no-verify-fixpoint`: one round is enough, and LLVM must not abort because a second would do more.
const CLEAN_UP: &str = "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop(loop-rotate),\
                        instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa";
const AFTER_READS: &str = "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa";
const NATURAL: &str = "loop-simplify,lcssa";
const COUNTING: &str = "loop(indvars),instcombine<no-verify-fixpoint>,loop-simplify,lcssa";

/// Instructions of a function that is worth inlining before it is known what it becomes; LLVM's inliner takes about
/// 50 at `-O3`, and chains of wrappers shrink to nothing.
const SMALL: usize = 60;

/// Rounds of inlining: the depth of a chain of wrappers.
const ROUNDS: usize = 8;

/// Instructions by which inlining may let one function grow.
const GROWTH: usize = 2_000;

/// Attributes of functions whose reads are watched: one that the program does not do would be reported.
const WATCHED: [&str; 3] = ["sanitize_address", "sanitize_hwaddress", "sanitize_thread"];

/// Times that reads are moved: a bound read once makes an inner guard superfluous, and frees what it guarded.
const READING_ROUNDS: usize = 4;

impl<'ir> Session<'ir> {
    /// Inlines what is small, has no loop or only reads, is called here, and was not rewritten before. Whether the function was changed.
    pub fn inline_small_calls(&mut self, function: Function<'ir>) -> bool {
        let mut grown = 0;
        let mut stack = Stack::of(function);
        for _ in 0..ROUNDS {
            let before = grown;
            let calls = function.instructions().into_iter().filter(|instruction| instruction.call().is_some());
            for (call, callee) in calls.filter_map(|call| Some((call, small_callee(call)?))).collect::<Vec<_>>() {
                let size = callee.instructions().len();
                let may_grow = grown + size <= GROWTH && stack.has_room_for(callee);
                let may = may_grow && !self.is_rewritten(callee) && self.can_inline(call);
                if may && call!(loopwright_inline(call.raw())) {
                    grown += size;
                    stack.take_over(callee);
                }
            }
            if grown == before {
                break;
            }
        }
        if grown > 0 {
            self.invalidate(function);
        }
        grown > 0
    }

    /// Brings a function with loops into the shape the model is read from. Handles into it must be taken afterwards.
    pub fn make_readable(&mut self, function: Function<'ir>) {
        self.run_function_passes(function, CLEAN_UP).expect("law: the clean-up is a pipeline");
        self.complete_switches(function);
        self.take_fills_apart(function);
        self.ask_for_addresses(function);
        for _ in 0..READING_ROUNDS {
            if !read_once(&self.analyses(function)) {
                break;
            }
            self.invalidate(function);
            self.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
            self.complete_switches(function);
        }
        self.ask_for_addresses(function);
        let analyses = self.analyses(function);
        let is_countable = |l: &Loop<'ir>| analyses.backedges(l.id, CountKind::Exact).is_some();
        if !analyses.loops().iter().all(is_countable) {
            self.run_function_passes(function, COUNTING).expect("law: the clean-up is a pipeline");
        }
        let analyses = self.analyses(function);
        if analyses.loops().iter().filter(|l| ends_are_known(&analyses, l)).count() > 0 {
            self.invalidate(function);
        }
        let analyses = self.analyses(function);
        if analyses.loops().iter().filter(|l| lift_above_guard(&analyses, l)).count() > 0 {
            self.invalidate(function);
        }
    }

    /// A default that is never reached would be a way out of the loops around.
    fn complete_switches(&mut self, function: Function<'ir>) {
        let completed = function.blocks().into_iter().filter(|block| complete_switch(*block)).count();
        if completed > 0 {
            function.remove_unreachable_blocks();
            self.invalidate(function);
            self.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
        }
    }

    fn take_fills_apart(&mut self, function: Function<'ir>) {
        if fills::take_apart(&self.analyses(function)) {
            self.invalidate(function);
            self.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
        }
    }

    fn ask_for_addresses(&mut self, function: Function<'ir>) {
        if threads::ask_before_loops(&self.analyses(function)) {
            self.invalidate(function);
        }
    }

    /// Whether LLVM's own inliner may, and would not rather keep the call because it is hardly ever made.
    fn can_inline(&self, call: Instruction<'ir>) -> bool {
        let is_cold = call.call().is_some_and(|call| call.has_attribute("cold"));
        !is_cold && call!(loopwright_can_inline(self.function_managers(), call.raw()))
    }
}

fn small_callee<'ir>(call: Instruction<'ir>) -> Option<Function<'ir>> {
    let callee = call.call()?.callee().filter(|callee| callee.has_body())?;
    let only_reads = || callee.instructions().into_iter().all(|i| !i.may_write_memory() && !i.may_throw());
    let is_small = callee.instructions().len() <= SMALL && (!callee.has_cycle() || only_reads());
    (is_small && Some(callee) != call.function()).then_some(callee)
}

/// Has a switch lead to its last case where it led to what is never reached. Whether it did.
fn complete_switch(block: Block<'_>) -> bool {
    let Some(switch) = block.terminator().filter(|end| end.opcode() == Opcode::Switch) else { return false };
    let [default, .., last] = switch.successors()[..] else { return false };
    let is_end = |i: Instruction<'_>| i.opcode() == Opcode::Unreachable;
    if !default.first_instruction().is_some_and(is_end) || last == default {
        return false;
    }
    for phi in last.phis() {
        let value = phi.incoming_from(block).expect("law: a phi has a value from each way in");
        phi.add_incoming(value, block);
    }
    default.forget_predecessor(block);
    switch.set_successor(0, last);
    true
}

/// Moves reads of integers and pointers out of loops that do not write what is read. Whether any moved.
fn read_once(analyses: &Analyses<'_, '_>) -> bool {
    analyses.loops().iter().rev().filter(|l| read_before(analyses, l)).count() > 0
}

/// One loop. With the latch as its only exit and nothing in it that ends the program, every iteration reaches what
/// dominates the latch, unless a loop inside goes on for ever.
fn read_before<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let (Some(preheader), Some(latch)) = (l.preheader, l.latch) else { return false };
    let Some(end) = preheader.terminator() else { return false };
    let instructions: Vec<_> = l.blocks.iter().flat_map(|block| block.instructions()).collect();
    let runs_through = instructions.iter().all(|i| i.will_return() && !i.may_throw());
    if !l.has_single_exit() || !runs_through {
        return false;
    }
    let mut inside: HashSet<Value<'_>> = instructions.iter().map(|instruction| instruction.value()).collect();
    let writers: Vec<_> = instructions.iter().copied().filter(|i| i.may_write_memory()).collect();
    let ends = decides_end(l);
    let mut moved = false;
    for instruction in instructions {
        let is_reached = instruction.block().is_some_and(|block| {
            analyses.dominates(block, latch) && (inner_loops_end(analyses, l) || comes_first(analyses, l, block))
        });
        let is_invariant = instruction.operands().iter().all(|operand| !inside.contains(operand));
        let is_movable = match instruction.opcode() {
            Opcode::GetElementPtr => true,
            Opcode::Load => is_read(instruction) && !writers.iter().any(|w| analyses.writes(*w, instruction)),
            Opcode::Call => instruction.call().is_some_and(|call| is_of_thread(analyses, call)),
            _ => ends.contains(&instruction) && instruction.is_speculatable(),
        };
        let is_safe = || match instruction.memory() {
            Some(read) => is_readable(analyses, read, end),
            None => instruction.is_speculatable(),
        };
        if is_invariant && is_movable && (is_reached || is_safe()) {
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

/// Integer arithmetic that decides whether the loop goes on.
fn decides_end<'ir>(l: &Loop<'ir>) -> HashSet<Instruction<'ir>> {
    let terminators = l.exiting.iter().filter_map(|block| block.terminator());
    let mut pending: Vec<Value<'ir>> = terminators.flat_map(|end| end.operands()).collect();
    let mut found = HashSet::new();
    while let Some(value) = pending.pop() {
        let instruction = value.as_instruction().filter(|i| i.block().is_some_and(|block| l.blocks.contains(&block)));
        let is_arithmetic = |i: &Instruction<'ir>| {
            i.ty().is_integer() && !i.is_phi() && i.memory().is_none() && i.call().is_none() && !i.is_terminator()
        };
        let Some(instruction) = instruction.filter(is_arithmetic) else { continue };
        if found.insert(instruction) {
            pending.extend(instruction.operands());
        }
    }
    found
}

/// Computes before a loop the pointers that it leaves behind, where that takes no loop: `std::transform` returns where it has got to. Whether
/// there were any.
fn ends_are_known<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let (Some(preheader), [exit]) = (l.preheader, l.exits.as_slice()) else { return false };
    if !l.has_single_exit() || analyses.backedges(l.id, CountKind::Exact).is_none() {
        return false;
    }
    let Some(before) = preheader.terminator() else { return false };
    let mut changed = false;
    for phi in exit.phis().into_iter().filter(|phi| phi.ty().is_pointer()) {
        let [(left, _)] = phi.incoming()[..] else { continue };
        let is_inside = |value: Value<'ir>| {
            value.as_instruction().and_then(|i| i.block()).is_some_and(|block| l.blocks.contains(&block))
        };
        let Some(end) = analyses.scev_at(left, l.parent).filter(|_| is_inside(left)) else { continue };
        if !analyses.is_invariant(end, l.id) || !analyses.can_expand(end, before) {
            continue;
        }
        phi.value().replace_all_uses_with(analyses.expand(end, before));
        phi.erase();
        changed = true;
    }
    changed
}

/// Moves what is harmless from before a loop to before the test that guards it, if nothing else stands between both.
fn lift_above_guard<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    let Some(preheader) = l.preheader else { return false };
    let [guard] = preheader.predecessors()[..] else { return false };
    let Some(end) = guard.terminator().filter(|end| matches!(end.branch(), Some(Branch::If { .. }))) else {
        return false;
    };
    let instructions: Vec<_> = preheader.instructions().into_iter().filter(|i| !i.is_terminator()).collect();
    let is_harmless = |i: &Instruction<'ir>| match i.memory() {
        Some(read) => i.opcode() == Opcode::Load && is_read(*i) && is_readable(analyses, read, end),
        None => !i.is_phi() && (i.call().is_none() || threads::is_address(*i)) && i.is_speculatable(),
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

fn is_read(load: Instruction<'_>) -> bool {
    let is_address_part = load.ty().is_integer() || load.ty().is_pointer();
    is_address_part && load.memory().is_some_and(|memory| memory.simple)
}

/// Whether a read may happen at `end` although the program might not do it.
fn is_readable<'ir>(analyses: &Analyses<'_, 'ir>, read: MemoryAccess<'ir>, end: Instruction<'ir>) -> bool {
    let Some(function) = end.function() else { return false };
    if WATCHED.iter().any(|attribute| function.has_attribute(attribute)) {
        return false;
    }
    let bytes = function.layout().store_size(read.ty);
    analyses.is_dereferenceable(read.pointer, bytes, end)
}

fn inner_loops_end(analyses: &Analyses<'_, '_>, l: &Loop<'_>) -> bool {
    let mut inner = analyses.loops().iter().filter(|inner| inner.id != l.id && analyses.is_within(inner.id, l.id));
    inner.all(|inner| analyses.backedges(inner.id, CountKind::Exact).is_some())
}

fn comes_first<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>, block: Block<'ir>) -> bool {
    l.children.iter().all(|child| analyses.dominates(block, analyses.loop_(*child).header))
}
