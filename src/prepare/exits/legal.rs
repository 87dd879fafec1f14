//! Whether what exits need may run before the rest of their loop.
//!
//! It does the same there if nothing that the loop writes is read for it afterwards: what is written is elsewhere, or
//!
//! ```c
//! for (i = 0; i < n; i++) { if (a[i] < 0) break;  a[i] = f(a[i]); }
//! ```
//!
//! it is behind what is read, as accesses that go by the same steps show, or it is asked before the loop whether it is elsewhere ([`crate::prepare::apart`]), or as the slice comes to where it is ([`crate::prepare::apart::behind`]). Everything else that an iteration does comes to its end, and nobody sees that it has not been done yet.

use super::slice::Slice;
use crate::llvm::analysis::Overlap;
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Instruction, Loop, LoopId, Opcode, ScevId};
use crate::prepare::apart::Apart;
use crate::prepare::apart::behind::Behind;
use crate::prepare::apart::steps::{Steps, steps};

/// Iterations that are looked at one by one.
const MOST_STEPS: i128 = 64;

/// What has to hold before a slice of a loop so that it can run before it, and as it goes; nothing if it cannot.
pub(super) fn may_run_first<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    slice: &Slice<'ir>,
    instructions: &[Instruction<'ir>],
) -> Option<(Apart, Behind<'ir>)> {
    let is_first = |i: &Instruction<'ir>| slice.instructions.contains(i);
    let can_wait = |i: &Instruction<'ir>| comes_to_its_end(analyses, *i) && !is_used_behind(this, *i);
    if !instructions.iter().all(can_wait) || !instructions.iter().filter(|i| is_first(i)).all(|i| only_reads(*i)) {
        return None;
    }
    if !inner_loops_end(analyses, this, slice) || may_be_reordered(analyses, this) {
        return None;
    }
    let before = this.preheader?.terminator()?;
    let place = (this, before);
    let (mut apart, mut behind) = (Apart::default(), Behind::default());
    for read in instructions.iter().filter(|i| is_first(i) && i.memory().is_some()) {
        for writer in instructions.iter().filter(|i| i.may_write_memory() && !i.is_marker()) {
            let pair = [*writer, *read];
            if is_written_before(analyses, this, *writer, *read)
                && !apart.ask(analyses, place, pair)
                && !(behind.ask(analyses, place, pair) && is_last(slice, *writer))
            {
                return None;
            }
        }
    }
    Some((apart, behind))
}

/// Whether the slice reads nothing in a block behind an instruction, as it would before it is asked at the end of the block what that one writes.
fn is_last<'ir>(slice: &Slice<'ir>, writer: Instruction<'ir>) -> bool {
    let all = writer.block().map_or_else(Vec::new, |block| block.instructions());
    let later = all.into_iter().skip_while(|i| *i != writer);
    !later.into_iter().any(|i| slice.instructions.contains(&i) && i.memory().is_some())
}

/// Whether an instruction does nothing but compute, read and write, and what comes behind it runs for certain.
fn comes_to_its_end<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>) -> bool {
    match (instruction.opcode(), instruction.memory(), instruction.call()) {
        (_, Some(access), _) => access.simple,
        (_, _, Some(call)) => {
            let is_plain = instruction.opcode() == Opcode::Call;
            is_plain
                && (instruction.is_marker()
                    || call.is_pure()
                    || call.sets_errno()
                    || analyses.effects(instruction).is_some())
        }
        (Opcode::Branch | Opcode::Switch, ..) => true,
        (Opcode::Alloca, ..) => false,
        _ => !instruction.is_terminator() && !instruction.has_side_effects() && !instruction.may_read_memory(),
    }
}

/// Whether an instruction of the slice gives the same each time that it is run on the same values. The last iteration must be left where the slice says; it goes
/// by what the counted loop hands on.
fn only_reads(instruction: Instruction<'_>) -> bool {
    instruction.is_exact()
        && match (instruction.opcode(), instruction.memory(), instruction.call()) {
            (Opcode::Load, Some(access), _) => access.simple && access.is_common(),
            (_, None, Some(call)) => !instruction.is_marker() && call.is_pure(),
            (Opcode::Freeze | Opcode::Store, ..) => false,
            _ => true,
        }
}

/// Whether a value is used behind the loop elsewhere than where ways out lead to.
fn is_used_behind<'ir>(this: &Loop<'ir>, instruction: Instruction<'ir>) -> bool {
    let is_known = |user: Instruction<'ir>| {
        let Some(home) = user.block() else { return false };
        let is_way_out = || this.exits.contains(&home) && user.is_phi();
        this.blocks.contains(&home) || is_way_out()
    };
    !instruction.users().into_iter().all(is_known)
}

/// Whether the inner loops that the slice does not run end, whatever they do.
fn inner_loops_end<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, slice: &Slice<'ir>) -> bool {
    let inner = analyses.loops().iter().filter(|l| l.id != this.id && analyses.is_within(l.id, this.id));
    inner.into_iter().all(|l| {
        let is_run = l.exiting.iter().all(|block| !slice.straight.contains_key(block) && slice.blocks.contains(block));
        is_run || analyses.backedges(l.id, CountKind::Exact).is_some() || analyses.must_end(l.id)
    })
}

/// Whether the source lets LLVM add up floating-point numbers in another order, in vectors: two copies of a loop would have different sums.
fn may_be_reordered<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    let has_sum = |l: &Loop<'ir>| l.header.phis().iter().any(|phi| phi.ty().is_float());
    let inside = |l: &&Loop<'ir>| analyses.is_within(l.id, this.id);
    let is_let = |l: &Loop<'ir>| {
        let said = |name: &str| analyses.loop_attribute(l.id, name);
        said("llvm.loop.vectorize.enable").is_some_and(|on| on != 0)
            || said("llvm.loop.vectorize.width").is_some_and(|width| width > 1)
    };
    analyses.loops().iter().filter(inside).any(|l| is_let(l) && has_sum(l))
}

/// Whether something that a loop writes may be read afterwards, in the same iteration or a later one.
fn is_written_before<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    writer: Instruction<'ir>,
    read: Instruction<'ir>,
) -> bool {
    if writer.memory().is_none() {
        return analyses.writes(writer, read);
    }
    analyses.overlap_by_types(writer, read) != Overlap::Never && !is_behind(analyses, this, writer, read)
}

/// Bytes that an access touches in an iteration of a loop: from and up to so many behind an address that goes by equal steps.
struct Touched {
    base: ScevId,
    start: ScevId,
    step: i128,
    low: i128,
    high: i128,
}

/// Whether a write goes by the same steps as a read, and never to where that comes afterwards.
fn is_behind<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    writer: Instruction<'ir>,
    read: Instruction<'ir>,
) -> bool {
    let touched = |access| touched(analyses, this, access);
    let (Some(written), Some(read_)) = (touched(writer), touched(read)) else { return false };
    let distance = analyses.difference(written.start, read_.start).and_then(|d| analyses.node(d).constant);
    let Some(distance) = distance.filter(|_| written.base == read_.base && written.step == read_.step) else {
        return false;
    };
    let (low, high) = (written.low + distance, written.high + distance);
    let is_apart = |iterations: i128| {
        let gone = read_.step * iterations;
        read_.high + gone <= low || high <= read_.low + gone
    };
    // Further on the read has passed what is written for good, or has yet to come there.
    let has_passed = |iterations: i128| {
        let gone = read_.step * iterations;
        if read_.step > 0 { high <= read_.low + gone } else { read_.high + gone <= low }
    };
    let first = if comes_before(analyses, this, read, writer) { 1 } else { 0 };
    for iterations in first..MOST_STEPS {
        if !is_apart(iterations) {
            return false;
        }
        if has_passed(iterations) || read_.step == 0 && iterations > 0 {
            return true;
        }
    }
    false
}

/// Whether in each iteration of a loop one access runs before the other one.
fn comes_before<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    one: Instruction<'ir>,
    other: Instruction<'ir>,
) -> bool {
    let (Some(home), Some(away)) = (one.block(), other.block()) else { return false };
    let is_common =
        |id: &LoopId| *id != this.id && analyses.is_within(*id, this.id) && analyses.loop_(*id).blocks.contains(&away);
    let has_common = analyses.loop_of(home).is_some_and(|id| analyses.around(id).any(|id| is_common(&id)));
    let is_first = || match home == away {
        true => home.instructions().iter().find(|i| [one, other].contains(i)) == Some(&one),
        false => analyses.dominates(home, away),
    };
    !has_common && is_first()
}

fn touched<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, access: Instruction<'ir>) -> Option<Touched> {
    let memory = access.memory()?;
    let (base, offset) = analyses.base_and_offset(analyses.scev(memory.pointer)?);
    let bytes = i128::from(this.header.function().layout().store_size(memory.ty));
    let (mut low, mut high, mut step) = (0, bytes, 0);
    let Steps { start, steps, .. } = steps(analyses, this, offset).filter(|steps| steps.narrow.is_empty())?;
    for (id, by) in steps {
        let by = analyses.node(by).constant?;
        if id == this.id {
            step += by;
        } else {
            let count =
                analyses.node(analyses.backedges(id, CountKind::Exact)?).constant.filter(|count| *count >= 0)?;
            let far = by.checked_mul(count)?;
            (low, high) = (low + far.min(0), high + far.max(0));
        }
    }
    let stays = analyses.is_invariant(base, this.id);
    let is_small = |number: i128| number.abs() < 1 << 60;
    (stays && [low, high, step].into_iter().all(is_small)).then_some(Touched { base, start, step, low, high })
}
