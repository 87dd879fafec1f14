//! Which elements of an array are touched where only data says it: measured before the loops.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   double sum = 0;
//!   for (int k = ptr[i]; k < ptr[i + 1]; k++)
//!     sum += val[k] * x[col[k]];
//!   y[i] = sum;
//! }
//! ```
//!
//! Nobody promised that `y` does not overlap `x`, and no formula says how far `x[col[k]]` gets. But the loops can be asked: their *slice*,
//! which is what decides where control goes and what computes addresses (`i`, `k`, `ptr`, `col`, but not `sum`), runs once without any
//! effect and notes the smallest and the largest address. (An inspector, in the terms of Saltz, Mirchandaney, Crowley, "Run-time
//! parallelization and scheduling of loops", 1991.) This is sound where the slice reads nothing that the loops may write: arrays
//! that are not written and that are known, or were tested before, not to overlap one that is. Then the loops, as long as they have not
//! touched anything else than the slice noted, do what the slice did; and so to the end. If an address depends on data at an address
//! that depends on data, the second one is measured first. A loop that changes nothing about the addresses is run once.

use super::affine::Affine;
use super::model::memory_accesses;
use super::opaque::decider;
use super::roots::{Roots, is_copyable, operands};
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Instruction, LoopId, Opcode, Value};
use std::collections::{BTreeSet, HashSet};

/// A longer slice is a program of its own.
const MOST_INSTRUCTIONS: usize = 400;

/// What the slice of a region finds out.
pub struct Measurement<'ir> {
    /// Arrays, by number, with the loads and stores whose addresses are noted.
    pub arrays: Vec<(usize, Vec<Instruction<'ir>>)>,
    /// What computes these addresses, and what decides where control goes.
    pub slice: HashSet<Instruction<'ir>>,
    /// The latches of loops that are run once, with where control goes from there.
    pub once: Vec<(Block<'ir>, Block<'ir>)>,
    /// Pairs of arrays, by number, that must not overlap, of which now is known how far they reach.
    pub disjoint: Vec<(usize, usize)>,
}

/// What has to be measured, in this order, so that all `pairs` can be tested of which the arrays `unknown` are part; `None` if that is not
/// possible.
pub(super) fn measurements<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    roots: &Roots<'_, '_, 'ir>,
    pairs: &[(usize, usize)],
    unknown: &BTreeSet<usize>,
) -> Option<Vec<Measurement<'ir>>> {
    let mut left = unknown.clone();
    let mut found = Vec::new();
    while !left.is_empty() {
        let may_change = |array: usize| {
            let untested = |(a, b): &(usize, usize)| left.contains(a) || left.contains(b);
            let is_part = |(a, b): &(usize, usize)| *a == array || *b == array;
            roots.arrays[array].is_written || pairs.iter().any(|pair| is_part(pair) && untested(pair))
        };
        let accesses = |array: &usize| {
            let mut all: Vec<Instruction<'ir>> = Vec::new();
            for access in memory_accesses(roots, *array) {
                if !all.contains(&access.instruction) {
                    all.push(access.instruction);
                }
            }
            (*array, all)
        };
        let is_ready = |(_, accesses): &(usize, Vec<Instruction<'ir>>)| {
            let slice = slice_of(affine, roots, accesses.iter(), &[]);
            slice.is_some_and(|slice| slice.reads.iter().all(|array| !may_change(*array)))
        };
        let arrays: Vec<_> = left.iter().map(accesses).filter(is_ready).collect();
        if arrays.is_empty() {
            return None;
        }
        let before = left.clone();
        arrays.iter().for_each(|(array, _)| {
            left.remove(array);
        });
        let is_news = |(a, b): &&(usize, usize)| {
            let open = |set: &BTreeSet<usize>| set.contains(a) || set.contains(b);
            open(&before) && !open(&left)
        };
        let disjoint = pairs.iter().filter(is_news).copied().collect();
        let all = || arrays.iter().flat_map(|(_, accesses)| accesses);
        let once = idle_loops(affine, &|once| slice_of(affine, roots, all(), once));
        let slice = slice_of(affine, roots, all(), &once)?;
        let once = once.iter().filter_map(|id| end_of(affine, *id)).collect();
        found.push(Measurement { arrays, slice: slice.instructions, once, disjoint });
    }
    Some(found)
}

struct Slice<'ir> {
    instructions: HashSet<Instruction<'ir>>,
    /// Arrays, by number.
    reads: BTreeSet<usize>,
}

/// What the addresses of the accesses and the region's control are computed from, if the loops `once` are run once; `None` if that cannot be
/// run without an effect.
fn slice_of<'a, 'ir: 'a>(
    affine: &Affine<'_, '_, 'ir>,
    roots: &Roots<'_, '_, 'ir>,
    accesses: impl Iterator<Item = &'a Instruction<'ir>>,
    once: &[LoopId],
) -> Option<Slice<'ir>> {
    let region = affine.region;
    let is_cut = |block: Block<'ir>| once.iter().any(|id| affine.analyses.loop_(*id).latch == Some(block));
    let mut pending: Vec<Value<'ir>> = Vec::new();
    for block in &region.blocks {
        let terminator = block.terminator()?;
        if terminator.branch().is_none() && terminator.opcode() != Opcode::Switch {
            return None;
        }
        pending.extend(decider(terminator).filter(|_| !is_cut(*block)));
    }
    for access in accesses {
        pending.push(access.memory()?.pointer);
    }
    let mut slice = Slice { instructions: HashSet::new(), reads: BTreeSet::new() };
    while let Some(value) = pending.pop() {
        let Some(instruction) = value.as_instruction().filter(|i| region.contains_instruction(*i)) else { continue };
        if !slice.instructions.insert(instruction) {
            continue;
        }
        if slice.instructions.len() > MOST_INSTRUCTIONS {
            return None;
        }
        if instruction.is_phi() {
            pending.extend(instruction.incoming().into_iter().map(|(value, _)| value));
            continue;
        }
        match instruction.memory() {
            Some(access) if instruction.opcode() == Opcode::Load => {
                let base = roots.base(access.pointer, instruction.block()?)?;
                slice.reads.insert(roots.array_at(base, access.ty)?);
            }
            None if is_copyable(instruction) => {}
            _ => return None,
        }
        pending.extend(operands(instruction));
    }
    Some(slice)
}

/// The loops, tested at their ends, of which nothing in the slice depends on which iteration it is; outer before inner.
fn idle_loops<'ir>(affine: &Affine<'_, '_, 'ir>, slice: &dyn Fn(&[LoopId]) -> Option<Slice<'ir>>) -> Vec<LoopId> {
    let analyses = affine.analyses;
    let mut once: Vec<LoopId> = Vec::new();
    for id in affine.region.loops(analyses).into_iter().filter(|id| end_of(affine, *id).is_some()) {
        once.push(id);
        let counts = |id: &LoopId, slice: &Slice<'ir>| {
            analyses.loop_(*id).header.phis().iter().any(|phi| slice.instructions.contains(phi))
        };
        let is_idle = slice(&once).is_some_and(|slice| once.iter().all(|id| !counts(id, &slice)));
        if !is_idle {
            once.pop();
        }
    }
    once
}

/// The latch of a loop that is left there and only there, and the block behind.
fn end_of<'ir>(affine: &Affine<'_, '_, 'ir>, id: LoopId) -> Option<(Block<'ir>, Block<'ir>)> {
    let this = affine.analyses.loop_(id);
    let latch = this.latch.filter(|latch| this.exiting == [*latch])?;
    match latch.terminator()?.branch()? {
        Branch::If { then, otherwise, .. } if then == this.header && otherwise != then => Some((latch, otherwise)),
        Branch::If { then, otherwise, .. } if otherwise == this.header && otherwise != then => Some((latch, then)),
        _ => None,
    }
}
