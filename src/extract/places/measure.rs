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
//! that are not written and that are known, or were tested before, not to overlap one that is, if not one of another type: no number that
//! was written as a `double` is read as an `int`. Then the loops, as long as they have not
//! touched anything else than the slice noted, do what the slice did; and so to the end. If an address depends on data at an address
//! that depends on data, the second one is measured first. A loop that changes nothing about the addresses is run once, and innermost loops as
//! that over `k` are looked at in runs of many rows ([`super::runs`]). A histogram `h[key[i]]++` is measured as well: threads need copies of the
//! elements that are touched.

use super::runs::{end_of, runs};
use crate::extract::binding::Measurement;
use crate::extract::binding::runs::Run;
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::affine::Affine;
use crate::extract::ssa::{decider, has_one_result, inputs, is_division};
use crate::extract::statements::drafts::Drafts;
use crate::llvm::{Block, Instruction, Opcode, Value};
use crate::scop::ArrayId;
use std::collections::{BTreeMap, HashSet};

/// A longer slice is a program of its own.
const MOST_INSTRUCTIONS: usize = 400;

/// What has to be measured, in this order, so that all pairs can be tested of which arrays are part whose bounds are unknown; `None` if
/// that is not possible.
pub(in crate::extract) fn measurements<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    pairs: &[(ArrayId, ArrayId)],
    alike: &[(ArrayId, ArrayId)],
    unknown: &BTreeMap<ArrayId, Vec<Instruction<'ir>>>,
) -> Option<Vec<Measurement<'ir>>> {
    let mut left = unknown.clone();
    let mut found = Vec::new();
    while !left.is_empty() {
        let may_change = |array: ArrayId| {
            let untested = |(a, b): &(ArrayId, ArrayId)| left.contains_key(a) || left.contains_key(b);
            let is_part = |(a, b): &(ArrayId, ArrayId)| *a == array || *b == array;
            match drafts.arrays[array].is_written {
                true => Change::Certain,
                false if alike.iter().any(|pair| is_part(pair) && untested(pair)) => Change::Tested,
                false => Change::Never,
            }
        };
        let is_ready = |(_, accesses): &(ArrayId, Vec<Instruction<'ir>>)| {
            let short = shortened(affine, drafts, accesses, Looking::InRuns);
            short.is_some_and(|short| is_harmless(affine, &short, &may_change))
        };
        let arrays: Vec<_> = left.iter().map(|(array, accesses)| (*array, accesses.clone())).filter(is_ready).collect();
        if arrays.is_empty() {
            return None;
        }
        let before = left.clone();
        arrays.iter().for_each(|(array, _)| {
            left.remove(array);
        });
        let is_news = |(a, b): &&(ArrayId, ArrayId)| {
            let open = |left: &BTreeMap<ArrayId, _>| left.contains_key(a) || left.contains_key(b);
            open(&before) && !open(&left)
        };
        let disjoint = pairs.iter().filter(is_news).copied().collect();
        let all: Vec<Instruction<'ir>> = arrays.iter().flat_map(|(_, accesses)| accesses).copied().collect();
        let short = shortened(affine, drafts, &all, Looking::InRuns)?;
        found.push(measurement(drafts, short, arrays, disjoint));
    }
    Some(found)
}

/// What measures such accesses to one array, once all pairs of arrays are known not to overlap; `None` if that is not possible.
pub(in crate::extract) fn measurement_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    (array, accesses): (ArrayId, Vec<Instruction<'ir>>),
    looking: Looking,
) -> Option<Measurement<'ir>> {
    if accesses.iter().any(|access| access.memory().is_none()) {
        return None;
    }
    let short = shortened(affine, drafts, &accesses, looking)?;
    let is_constant = short.slice.loads.iter().all(|(_, array)| !drafts.arrays[*array].is_written);
    is_constant.then(|| measurement(drafts, short, vec![(array, accesses)], Vec::new()))
}

/// What a slice is for.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::extract) enum Looking {
    /// To find the least and the largest.
    InRuns,
    /// To visit each access, in the order of the program.
    OneByOne,
}

fn measurement<'ir>(
    drafts: &Drafts<'_, '_, 'ir>,
    Shortened { slice, mut jumps, runs }: Shortened<'ir>,
    arrays: Vec<(ArrayId, Vec<Instruction<'ir>>)>,
    disjoint: Vec<(ArrayId, ArrayId)>,
) -> Measurement<'ir> {
    let skipped = drafts.domains.opaque.iter().filter(|part| jumps.contains(&(part.start, part.exit)));
    let skipped = skipped.flat_map(|part| &part.blocks);
    let left_out = skipped.chain(runs.iter().flat_map(|run| &run.blocks)).copied().collect();
    jumps.extend(runs.iter().map(|run| (run.before, run.behind)));
    Measurement { arrays, slice: slice.instructions, jumps, left_out, runs, disjoint }
}

/// A slice without what finds nothing new.
struct Shortened<'ir> {
    slice: Slice<'ir>,
    /// Around parts, and out of loops after their first iteration.
    jumps: Vec<(Block<'ir>, Block<'ir>)>,
    runs: Vec<Run<'ir>>,
}

fn shortened<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    accesses: &[Instruction<'ir>],
    looking: Looking,
) -> Option<Shortened<'ir>> {
    let mut jumps = superfluous_parts(affine, drafts, accesses);
    jumps.extend(idle_loops(affine, &|once| {
        let all: Vec<_> = jumps.iter().chain(once).copied().collect();
        slice_of(affine, drafts, accesses, (&all, &[]))
    }));
    let runs = match looking {
        Looking::InRuns => found_in_runs(affine, drafts, accesses, &jumps),
        Looking::OneByOne => Vec::new(),
    };
    let mut slice = slice_of(affine, drafts, accesses, (&jumps, &runs))?;
    for step in runs.iter().flat_map(|run| &run.steps) {
        slice.instructions.insert(*step);
        if step.opcode() == Opcode::Load {
            slice.loads.push((*step, array_of(drafts, *step)?));
        }
    }
    Some(Shortened { slice, jumps, runs })
}

/// The loops that are looked at in runs: nothing of them but what is noted there is needed.
fn found_in_runs<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    accesses: &[Instruction<'ir>],
    jumps: &[(Block<'ir>, Block<'ir>)],
) -> Vec<Run<'ir>> {
    let is_written = |access| array_of(drafts, access).is_none_or(|array| drafts.arrays[array].is_written);
    let mut found = runs(affine, accesses, &is_written);
    found.retain(|run| {
        let runs_once = jumps.iter().any(|(from, _)| run.blocks.contains(from));
        let is_known = |step: &Instruction<'ir>| step.opcode() != Opcode::Load || array_of(drafts, *step).is_some();
        !runs_once && !is_jumped_over(drafts, jumps, run.before) && run.steps.iter().all(is_known)
    });
    loop {
        let Some(slice) = slice_of(affine, drafts, accesses, (jumps, &found)) else { return Vec::new() };
        let before = found.len();
        found.retain(|run| !slice.needs(&run.blocks, run.behind));
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a block is in a part that is jumped over.
fn is_jumped_over<'ir>(drafts: &Drafts<'_, '_, 'ir>, jumps: &[(Block<'ir>, Block<'ir>)], block: Block<'ir>) -> bool {
    let parts = &mut drafts.domains.opaque.iter();
    parts.any(|part| part.blocks.contains(&block) && jumps.contains(&(part.start, part.exit)))
}

fn array_of<'ir>(drafts: &Drafts<'_, '_, 'ir>, access: Instruction<'ir>) -> Option<ArrayId> {
    let memory = access.memory()?;
    drafts.array_at(drafts.base(memory.pointer, access.block()?)?, memory.ty)
}

/// Beginning and end of the parts of which nothing is needed: each access inside goes to an address that is accessed before, as in
/// `if (v[i] > best[key[i]]) best[key[i]] = v[i]`.
fn superfluous_parts<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    accesses: &[Instruction<'ir>],
) -> Vec<(Block<'ir>, Block<'ir>)> {
    let is_in = |part: &Opaque<'ir>, i: &Instruction<'ir>| i.block().is_some_and(|home| part.blocks.contains(&home));
    let address = |i: &Instruction<'ir>| i.memory().map(|access| access.pointer);
    let is_before = |part: &Opaque<'ir>, i: &Instruction<'ir>| {
        i.block().is_some_and(|home| home == part.start || affine.analyses.dominates(home, part.start))
    };
    let touches_nothing_new = |part: &&Opaque<'ir>| {
        let mut inside = accesses.iter().filter(|access| is_in(part, access));
        inside.all(|own| accesses.iter().any(|other| is_before(part, other) && address(other) == address(own)))
    };
    let mut parts: Vec<&Opaque<'ir>> = drafts.domains.opaque.iter().filter(touches_nothing_new).collect();
    loop {
        let jumps: Vec<_> = parts.iter().map(|part| (part.start, part.exit)).collect();
        let before = parts.len();
        let Some(slice) = slice_of(affine, drafts, accesses, (&jumps, &[])) else { return Vec::new() };
        parts.retain(|part| !slice.needs(&part.blocks, part.exit));
        if parts.len() == before {
            return jumps;
        }
    }
}

/// Whether the loops may write what they read from an array.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Never,
    /// If it overlaps another array, which is still to be tested.
    Tested,
    Certain,
}

struct Slice<'ir> {
    instructions: HashSet<Instruction<'ir>>,
    /// The loads among them, with their arrays.
    loads: Vec<(Instruction<'ir>, ArrayId)>,
}

impl<'ir> Slice<'ir> {
    /// Whether it has something of these blocks, or what comes from them.
    fn needs(&self, blocks: &[Block<'ir>], behind: Block<'ir>) -> bool {
        let is_in = |i: &Instruction<'ir>| i.block().is_some_and(|home| blocks.contains(&home));
        behind.phis().iter().any(|phi| self.instructions.contains(phi)) || self.instructions.iter().any(is_in)
    }
}

/// Whether the slice ends, reads and divides by nothing that the loops would not, and finds what they do if the tests that are left succeed:
/// where it goes, what it reads and what it divides does not depend on what may change.
fn is_harmless<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    Shortened { slice, jumps, runs }: &Shortened<'ir>,
    change: &dyn Fn(ArrayId) -> Change,
) -> bool {
    let of = |wanted: Change| slice.loads.iter().filter(move |(_, array)| change(*array) == wanted);
    if of(Change::Certain).next().is_some() {
        return false;
    }
    let changing: Vec<Instruction<'ir>> = of(Change::Tested).map(|(load, _)| *load).collect();
    if changing.is_empty() {
        return true;
    }
    let addresses = slice.loads.iter().filter_map(|(load, _)| load.memory()).map(|access| access.pointer);
    let deciding = affine.region.blocks.iter().filter(|block| !jumps.iter().any(|(from, _)| from == *block));
    let deciders = deciding.filter_map(|block| decider(block.terminator()?));
    let divided = slice.instructions.iter().filter(|i| is_division(**i)).flat_map(|division| division.operands());
    let mut pending: Vec<Value<'ir>> = addresses.chain(deciders).chain(divided).collect();
    pending.extend(runs.iter().flat_map(Run::taken));
    let mut seen: HashSet<Instruction<'ir>> = HashSet::new();
    while let Some(value) = pending.pop() {
        let Some(instruction) = value.as_instruction().filter(|i| slice.instructions.contains(i)) else { continue };
        if changing.contains(&instruction) {
            return false;
        }
        if seen.insert(instruction) {
            pending.extend(inputs(instruction));
        }
    }
    true
}

/// What the addresses of the accesses and the region's control are computed from, if control goes on as the `jumps` say and loops are looked at
/// in `runs`; `None` if that cannot be run without an effect.
fn slice_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    accesses: &[Instruction<'ir>],
    (jumps, runs): (&[(Block<'ir>, Block<'ir>)], &[Run<'ir>]),
) -> Option<Slice<'ir>> {
    let region = affine.region;
    if region.has_early_exits() {
        return None;
    }
    let is_skipped =
        |block: Block<'ir>| is_jumped_over(drafts, jumps, block) || runs.iter().any(|run| run.blocks.contains(&block));
    let blocks = || region.blocks.iter().filter(|block| !is_skipped(**block));
    let mut pending: Vec<Value<'ir>> = runs.iter().flat_map(Run::taken).collect();
    for block in blocks() {
        let terminator = block.terminator()?;
        if terminator.branch().is_none() && terminator.opcode() != Opcode::Switch {
            return None;
        }
        pending.extend(decider(terminator).filter(|_| !jumps.iter().any(|(from, _)| from == block)));
    }
    for access in accesses.iter().filter(|access| access.block().is_some_and(|home| !is_skipped(home))) {
        pending.push(access.memory()?.pointer);
    }
    let mut slice = Slice { instructions: HashSet::new(), loads: Vec::new() };
    while let Some(value) = pending.pop() {
        let Some(instruction) = value.as_instruction().filter(|i| region.contains_instruction(*i)) else { continue };
        if !slice.instructions.insert(instruction) {
            continue;
        }
        if slice.instructions.len() > MOST_INSTRUCTIONS {
            return None;
        }
        match instruction.memory() {
            Some(_) if instruction.opcode() == Opcode::Load => {
                slice.loads.push((instruction, array_of(drafts, instruction)?));
            }
            None if instruction.is_phi() || has_one_result(instruction) => {}
            _ => return None,
        }
        pending.extend(inputs(instruction));
    }
    Some(slice)
}

/// The ends of the loops, tested there, of which nothing in the slice depends on which iteration it is; outer before inner.
fn idle_loops<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    slice: &dyn Fn(&[(Block<'ir>, Block<'ir>)]) -> Option<Slice<'ir>>,
) -> Vec<(Block<'ir>, Block<'ir>)> {
    let analyses = affine.analyses;
    let (mut once, mut headers): (Vec<(Block<'ir>, Block<'ir>)>, Vec<Block<'ir>>) = (Vec::new(), Vec::new());
    for id in affine.region.loops(analyses) {
        let Some(end) = end_of(affine, id) else { continue };
        once.push(end);
        headers.push(analyses.loop_(id).header);
        let counts = |slice: Slice<'ir>| {
            headers.iter().any(|header| header.phis().iter().any(|phi| slice.instructions.contains(phi)))
        };
        if slice(&once).is_none_or(counts) {
            once.pop();
            headers.pop();
        }
    }
    once
}
