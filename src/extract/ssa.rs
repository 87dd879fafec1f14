//! What instructions compute, and from what.
//!
//! Everything is seen backwards here, from a value to its operands: `%c = fadd %a, %b` computes from `%a` and `%b`, a call from its arguments, a phi
//! from what comes in. What is said of one instruction holds wherever it stands; what a region makes of it is up to others.

use crate::llvm::instruction::Branch;
use crate::llvm::{Instruction, Loop, Opcode, Value};
use std::collections::HashSet;

/// Operands that it is looked at for what a loop ends by: more would not be understood by whoever reads it either.
const MOST_OPERANDS: usize = 100;

/// Values an instruction computes from (not the function a call names).
pub fn operands<'ir>(instruction: Instruction<'ir>) -> Vec<Value<'ir>> {
    instruction.call().map_or_else(|| instruction.operands(), |call| call.arguments())
}

/// Whether a copy of the instruction with the same operands gives the same value, wherever it stands.
pub(in crate::extract) fn is_copyable(instruction: Instruction<'_>) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        FNeg | Add | FAdd | Sub | FSub | Mul | FMul | UDiv | SDiv | FDiv | URem | SRem | FRem | Shl | LShr | AShr
        | And | Or | Xor | GetElementPtr | PtrToInt | PtrToAddr | Trunc | ZExt | SExt | FpToUi | FpToSi | UiToFp
        | SiToFp | FpTrunc | FpExt | BitCast | ICmp | FCmp | Select => true,
        Call => instruction.call().is_some_and(|call| call.is_pure()),
        _ => false,
    }
}

/// Whether a copy gives the same value whatever LLVM makes of it: what is found out before the loops has to hold in them, to the last bit.
pub(in crate::extract) fn has_one_result(instruction: Instruction<'_>) -> bool {
    is_copyable(instruction) && instruction.is_exact()
}

/// Whether it divides integers, which ends the program where the divisor is zero.
pub(in crate::extract) fn is_division(instruction: Instruction<'_>) -> bool {
    use Opcode::*;
    matches!(instruction.opcode(), UDiv | SDiv | URem | SRem)
}

/// Whether it computes a value from its operands, at most setting `errno` besides.
pub(in crate::extract) fn is_computation(instruction: Instruction<'_>) -> bool {
    is_copyable(instruction) || sets_errno(instruction)
}

/// Whether it is a call that may set `errno` and does nothing else but compute.
pub(in crate::extract) fn sets_errno(instruction: Instruction<'_>) -> bool {
    instruction.call().is_some_and(|call| call.sets_errno())
}

/// Rough time in additions.
pub(in crate::extract) fn cost(instruction: Instruction<'_>) -> u32 {
    use Opcode::*;
    match instruction.opcode() {
        FDiv | UDiv | SDiv | URem | SRem => 12,
        FRem => 30,
        Call => match instruction.call().and_then(|c| c.intrinsic()).as_deref() {
            Some("llvm.fmuladd" | "llvm.fma" | "llvm.fabs" | "llvm.smax" | "llvm.smin" | "llvm.umax" | "llvm.umin") => {
                1
            }
            Some(name) if name.starts_with("llvm.max") || name.starts_with("llvm.min") => 2,
            Some("llvm.sqrt") => 12,
            _ => 30,
        },
        _ => 1,
    }
}

/// What an instruction computes its value from.
pub(in crate::extract) fn inputs<'ir>(instruction: Instruction<'ir>) -> Vec<Value<'ir>> {
    match instruction.is_phi() {
        true => instruction.incoming().into_iter().map(|(value, _)| value).collect(),
        false => operands(instruction),
    }
}

/// The value that decides where a terminator leads.
pub fn decider(terminator: Instruction<'_>) -> Option<Value<'_>> {
    match terminator.branch() {
        Some(Branch::If { condition, .. }) => Some(condition),
        None if terminator.opcode() == Opcode::Switch => Some(terminator.operand(0)),
        _ => None,
    }
}

/// What a phi with one way in is another name of.
pub(in crate::extract) fn only_name(value: Value<'_>) -> Option<Value<'_>> {
    match value.as_instruction().filter(|i| i.is_phi())?.incoming()[..] {
        [(inner, _)] => Some(inner),
        _ => None,
    }
}

/// Whether the end of a loop asks for a value that each iteration multiplies or divides by a constant.
pub fn multiplies(this: &Loop<'_>) -> bool {
    let Some(latch) = this.latch else { return false };
    let Some((_, a, b)) =
        latch.terminator().and_then(decider).and_then(|asked| asked.as_instruction()).and_then(|asked| asked.icmp())
    else {
        return false;
    };
    let is_scaled = |phi: &Instruction<'_>| {
        let Some(next) = phi.incoming_from(latch).filter(|next| [a, b].contains(next) || [a, b].contains(&phi.value()))
        else {
            return false;
        };
        next.as_instruction().is_some_and(|next| match (next.opcode(), next.operands().as_slice()) {
            (Opcode::Add, [a, b]) => *a == phi.value() && a == b,
            (Opcode::Shl | Opcode::Mul | Opcode::UDiv | Opcode::SDiv | Opcode::LShr | Opcode::AShr, [a, b]) => {
                *a == phi.value() && b.as_integer().is_some()
            }
            _ => false,
        })
    };
    this.header.phis().iter().any(is_scaled)
}

/// Whether a loop ends by a value that is read, in each iteration, where the one before has said: it goes along links.
pub fn follows_links(this: &Loop<'_>) -> bool {
    let Some(latch) = this.latch else { return false };
    let ends = this.exiting.iter().filter_map(|block| block.terminator().and_then(decider));
    let asked = computed_from(this, ends.collect());
    let is_read_there = |phi: &Instruction<'_>| {
        let next = computed_from(this, phi.incoming_from(latch).into_iter().collect());
        let mut reads = next.iter().filter(|here| here.opcode() == Opcode::Load).filter_map(|load| load.memory());
        reads.any(|read| computed_from(this, vec![read.pointer]).contains(phi))
    };
    this.header.phis().iter().any(|phi| asked.contains(phi) && is_read_there(phi))
}

/// What values are computed from in one iteration of a loop, as far as that is looked at.
fn computed_from<'ir>(this: &Loop<'ir>, values: Vec<Value<'ir>>) -> HashSet<Instruction<'ir>> {
    let (mut found, mut pending) = (HashSet::new(), values);
    while let Some(value) = pending.pop() {
        let inside = value.as_instruction().filter(|here| this.holds(*here) && found.len() < MOST_OPERANDS);
        if let Some(here) = inside.filter(|here| found.insert(*here)) {
            let begins = here.is_phi() && here.block() == Some(this.header);
            pending.extend(here.operands().into_iter().filter(|_| !begins));
        }
    }
    found
}
