//! Loops that are left where data says so: the exit is found first.
//!
//! ```c
//! for (i = 0; i < n; i++) { if (a[i] < 0) return -1;  b[i] = f(a[i]); }  return 0;
//! ```
//!
//! A loop of its own finds in which iteration the program's loop is left ([`slice`]): it runs what the conditions of the exits need, in order, and reads exactly what the program
//! reads for them. It may, as the loop writes nothing that they read, and does nothing but read, write and compute. What then runs is counted ([`split`]):
//!
//! ```c
//! for (k = 0, i = 0; i < n; i++, k++) if (a[i] < 0) break;                              the slice
//! for (m = 0, i = 0; m < k; m++, i++) b[i] = f(a[i]);                                   an ordinary loop
//! if (i < n) { if (a[i] < 0) return -1;  b[i] = f(a[i]); }  return 0;                   the last iteration, as far as it gets
//! ```
//!
//! If it is not known that what is written is not read for the exits, that is asked before the loop ([`super::apart`]), and the copy of its last iteration is one of the whole loop.
//!
//! The last iteration is a copy of the program's, so that each way out is the one that the program takes, with the values that it takes along. To find the exit
//! first takes time; so that is done where the rest of the loop does much more, and the pipeline takes it back where the counted loop is neither rewritten nor left to LLVM's
//! vectors.
//!
//! Implements: 001 while, control-flow

pub(super) mod begin;
pub(super) mod copies;
mod exit;
mod legal;
mod slice;
mod spans;
mod split;

use super::apart::Apart;
use super::apart::behind::Behind;
use super::searches::{self, Conditions, Way, way_out};
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, FloatPredicate, Function, Instruction, Loop, LoopId, Opcode, Session, Value};
use exit::Exit;
use slice::Slice;
use spans::Span;
use split::Asked;
use std::collections::{HashMap, HashSet};

/// Instructions of a loop of which there may be two more copies.
const MOST_INSTRUCTIONS: usize = 600;

/// Instructions of a loop whose first iterations run as they are, in one more copy.
const MOST_BEGUN: usize = 60;

/// Iterations that an inner loop is taken to have.
const ITERATIONS: u64 = 16;

/// What a call of a function takes that is no operation of the processor, and a division, of which LLVM assumes less.
const CALL: u64 = 20;
const DIVISION: u64 = 10;

const DIVISIONS: [Opcode; 6] = [Opcode::FDiv, Opcode::FRem, Opcode::SDiv, Opcode::UDiv, Opcode::SRem, Opcode::URem];

/// What it takes to read from memory again what exits need, for each operation of such a read: neither vectors nor threads make that faster.
const AGAIN: u64 = 2;

/// What it takes at least to go one way or another, where nothing else keeps the processor busy: an iteration of a loop with two ways is no faster than that.
const WAY: u64 = 6;

/// So many iterations are written out of a loop that finds an exit, if one has no more instructions than that: a jump back in each would take longer than
/// all else, twice as long where the processor reads the loop in two pieces.
const WRITTEN_OUT: u32 = 4;
const MOST_WRITTEN_OUT: usize = 24;

/// Vectors are not so many times as fast, however many elements they hold: what is computed comes from memory.
const MOST_LANES: u64 = 8;

/// Percent that have to be gained.
const LEAST_GAIN: u64 = 10;

/// So many times as fast a loop is taken to be whose exit was found first: in vectors, and on cores at most, as these share the memory.
const IN_VECTORS: u64 = 2;
const MOST_CORES: u64 = 8;

/// What makes loops faster whose exits are found first.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// How many times as fast such a loop is taken to be.
    pub gain: u64,
    /// Whether searches may read more than the program does.
    pub reads_ahead: bool,
}

impl Means {
    /// If so many cores share the loops, and searches may read ahead.
    pub fn on(cores: i64) -> Means {
        Means { gain: u64::try_from(cores).unwrap_or(1).clamp(IN_VECTORS, MOST_CORES), reads_ahead: true }
    }
}

/// The loops whose exits can be found first, always in the same order: of loops inside one another, the outermost.
fn exits<'ir>(analyses: &Analyses<'_, 'ir>, means: Means) -> Vec<Exit<'ir>> {
    let mut found: Vec<(LoopId, Exit<'ir>)> = Vec::new();
    for this in analyses.loops() {
        if !found.iter().any(|(outer, _)| analyses.is_within(this.id, *outer)) {
            found.extend(exit_of(analyses, this, means).map(|exit| (this.id, exit)));
        }
    }
    found.into_iter().map(|(_, exit)| exit).collect()
}

/// How many loops have exits that can be found first.
pub fn count_exits(analyses: &Analyses<'_, '_>, means: Means) -> usize {
    exits(analyses, means).len()
}

/// Has those exits found first that have these numbers, which is always possible. The loops that run up to them are marked with their places among these. Handles into
/// the function must be taken afterwards.
pub fn find_exits<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    wanted: &[usize],
    means: Means,
) -> Vec<usize> {
    let analyses = session.analyses(function);
    let all = exits(&analyses, means).into_iter().enumerate().filter(|(at, _)| wanted.contains(at));
    let asked = all.zip(0..).map(|((_, exit), number)| (exit.header, (Asked::before(&exit, &analyses), number)));
    let mut asked: HashMap<Block<'ir>, (Asked<'ir>, usize)> = asked.collect();
    // What is asked before one loop may be computed from where another one ends, and have that one count.
    session.invalidate(function);
    session.run_function_passes(function, super::NATURAL).expect("law: the clean-up is a pipeline");
    for exit in exits(&session.analyses(function), means) {
        if let Some((asked, number)) = asked.remove(&exit.header) {
            split::split(exit, asked, number);
        }
    }
    session.invalidate(function);
    session.run_function_passes(function, super::AFTER_READS).expect("law: the clean-up is a pipeline");
    super::read_before_loops(session, function);
    write_out_searches(session, function, means);
    wanted.to_vec()
}

/// Has an iteration of loops that find exits ask several times, as they do little else than jump, where they do not ask many elements at once.
fn write_out_searches<'ir>(session: &mut Session<'ir>, function: Function<'ir>, means: Means) {
    let analyses = session.analyses(function);
    let is_search = |this: &&Loop<'ir>| {
        let size: usize = this.blocks.iter().map(|block| block.instructions().len()).sum();
        let is_search = size <= MOST_WRITTEN_OUT && this.simplified && this.latch.is_some_and(Block::is_search);
        is_search && !(means.reads_ahead && searches::conditions_of(&analyses, this).is_some())
    };
    let headers: Vec<Block<'ir>> = analyses.loops().iter().filter(is_search).map(|this| this.header).collect();
    headers.into_iter().for_each(|header| session.write_out(function, header, WRITTEN_OUT));
}

fn exit_of<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, means: Means) -> Option<Exit<'ir>> {
    let (latch, preheader) = (this.latch?, this.preheader?);
    let instructions: Vec<Instruction<'ir>> = this.instructions().collect();
    if !this.simplified || instructions.len() > MOST_INSTRUCTIONS || !has_plain_control(analyses, this) {
        return None;
    }
    let is_search = means.reads_ahead && this.children.is_empty() && searches::conditions_of(analyses, this).is_some();
    if is_search {
        return None;
    }
    let Planned { slice, spans, begun, apart, behind } = planned(analyses, this, (&instructions, means), &[])?;
    let decided = || this.exiting.iter().filter(|block| is_decided_by_data(&slice, **block));
    let line = |block: &Block<'ir>| Some(block.terminator()?.place()?.line());
    let mut lines: Vec<u32> = decided().filter_map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    let left = this.exiting.iter().filter_map(|block| analyses.loop_(analyses.loop_of(*block)?).latch).collect();
    let is_inside = |value: Value<'ir>| value.as_instruction().is_some_and(|i| this.holds(i));
    let is_always_run =
        |block: &Block<'ir>| analyses.dominates(*block, latch) && analyses.loop_of(*block) == Some(this.id);
    let ways = this.exiting.iter().filter(|block| is_always_run(block)).filter_map(|block| way_out(this, *block));
    let always = ways.flat_map(Way::parts).filter(|way| way.cases.is_empty() && is_inside(way.condition)).collect();
    let mut blocks = this.blocks.clone();
    blocks.sort_by_key(|block| analyses.places().get(block));
    let step = |phi: Instruction<'ir>| Some((phi, analyses.constant_step(analyses.scev(phi.value())?, this.id)?));
    let steps = this.header.phis().into_iter().filter(|phi| phi.ty().is_pointer()).filter_map(step).collect();
    let is_kept = analyses.loop_attribute(this.id, "llvm.loop.unroll.disable").is_some();
    Some(Exit {
        header: this.header,
        latch,
        preheader,
        blocks,
        slice,
        spans,
        steps,
        apart,
        behind,
        left,
        always,
        lines,
        is_innermost: this.children.is_empty(),
        is_kept,
        begun,
    })
}

/// How the exit of a loop is found first.
struct Planned<'ir> {
    slice: Slice<'ir>,
    spans: Vec<Span<'ir>>,
    begun: Option<Conditions<'ir>>,
    apart: Apart,
    behind: Behind<'ir>,
}

/// How that is done, if it can be done and pays, with addresses in the slice that are to be watched.
fn planned<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    of: (&[Instruction<'ir>], Means),
    addresses: &[Instruction<'ir>],
) -> Option<Planned<'ir>> {
    let (instructions, means) = of;
    let slice = Slice::of(analyses, this, addresses)?;
    if !this.exiting.iter().any(|block| is_decided_by_data(&slice, *block)) {
        return None;
    }
    let spans = spans::spans(analyses, this, (&slice, addresses));
    let time = Time::of(analyses, this, (&slice, &spans), means);
    let begun = if time.is_worth_it(time.first) { None } else { Some(begun(analyses, this, &slice, (means, &time))?) };
    let (apart, behind) = legal::may_run_first(analyses, this, &slice, instructions)?;
    let watched = behind.addresses();
    match watched.iter().all(|address| addresses.contains(address)) {
        true if begun.is_some() && !watched.is_empty() => None,
        true => Some(Planned { slice, spans, begun, apart, behind }),
        false => planned(analyses, this, of, &watched),
    }
}

/// Whether ways out are those of branches, from which there is another way that leads on, and inner loops come to their ends.
fn has_plain_control<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    let is_out = |next: &Block<'ir>| !this.blocks.contains(next);
    let is_plain = |block: &Block<'ir>| {
        let Some(end) = block.terminator() else { return false };
        let next = end.successors();
        let leaves = next.iter().any(is_out);
        match end.opcode() {
            Opcode::Branch if Some(*block) == this.latch => {
                next.iter().all(|next| *next == this.header || is_out(next))
            }
            Opcode::Branch => !next.iter().all(is_out),
            Opcode::Switch if Some(*block) == this.latch => false,
            Opcode::Switch => !leaves || next.iter().filter(|next| !is_out(next)).collect::<HashSet<_>>().len() == 1,
            _ => false,
        }
    };
    let inner = || analyses.loops().iter().filter(|l| l.id != this.id && analyses.is_within(l.id, this.id));
    let comes_to_end = |l: &Loop<'ir>| {
        let ends = |block: &Block<'ir>| {
            block.successors().iter().any(|next| !l.blocks.contains(next) && this.blocks.contains(next))
        };
        l.latch.is_some() && l.blocks.iter().any(ends)
    };
    this.blocks.iter().all(is_plain) && inner().all(comes_to_end)
}

/// Whether what a block asks to leave the loop is computed from what is read there.
fn is_decided_by_data<'ir>(slice: &Slice<'ir>, block: Block<'ir>) -> bool {
    let mut pending: Vec<Instruction<'ir>> = block.terminator().into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(here) = pending.pop() {
        if here.memory().is_some() {
            return true;
        }
        let operands = here.operands().into_iter().filter_map(|operand| operand.as_instruction());
        pending.extend(operands.filter(|i| slice.instructions.contains(i) && seen.insert(*i)));
    }
    false
}

/// What the exit of a loop takes to be found by asking many elements at once, if the loop is faster then. Its first iterations are to run as they are.
fn begun<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    slice: &Slice<'ir>,
    (means, time): (Means, &Time),
) -> Option<Conditions<'ir>> {
    let size: usize = this.blocks.iter().map(|block| block.instructions().len()).sum();
    let is_light = means.reads_ahead && this.children.is_empty() && size <= MOST_BEGUN;
    let is_wanted = |i: Instruction<'ir>| slice.instructions.contains(&i);
    let all = || searches::conditions_of_part(analyses, this, &slice.blocks, is_wanted);
    let conditions = is_light.then(all).flatten()?;
    time.is_worth_it(conditions.time_of_many(time.asking)).then_some(conditions)
}

/// What one iteration takes, in operations.
struct Time {
    /// Of all that it does.
    whole: u64,
    /// Of what exits need, each condition of which is a way to go.
    first: u64,
    /// Of that without the ways.
    asking: u64,
    /// Of what runs behind it, with what both compute.
    rest: u64,
}

impl Time {
    /// If loops whose exit is known run so many times as fast, or in vectors.
    fn of<'ir>(
        analyses: &Analyses<'_, 'ir>,
        this: &Loop<'ir>,
        (slice, spans): (&Slice<'ir>, &[Span<'ir>]),
        means: Means,
    ) -> Time {
        let time = |i: &Instruction<'ir>| time(analyses, this, *i, &[]);
        let time_of_two = |i: &Instruction<'ir>| self::time(analyses, this, *i, spans);
        let is_of_slice = |i: &Instruction<'ir>| {
            let decides = |block: Block<'ir>| !slice.straight.contains_key(&block) && block.successors().len() > 1;
            slice.instructions.contains(i) || i.is_terminator() && i.block().is_some_and(decides)
        };
        let asked: HashSet<Value<'ir>> =
            this.exiting.iter().filter_map(|block| Some(way_out(this, *block)?.condition)).collect();
        // What is chosen by whether the loop goes on is known where it does.
        let is_chosen = |i: &Instruction<'ir>| i.select().is_some_and(|(condition, ..)| asked.contains(&condition));
        let all = this.instructions();
        let (first, rest): (Vec<_>, Vec<_>) = all.partition(is_of_slice);
        let rest: Vec<Instruction<'ir>> = rest.into_iter().filter(|i| !is_chosen(i)).collect();
        let (mut shared, mut pending) = (HashSet::new(), rest.clone());
        while let Some(here) = pending.pop() {
            let operands = here.operands().into_iter().filter_map(|operand| operand.as_instruction());
            pending.extend(operands.filter(|i| slice.instructions.contains(i) && shared.insert(*i)));
        }
        let sum = |all: &mut dyn Iterator<Item = &Instruction<'ir>>| all.map(time).fold(0, u64::saturating_add);
        let again = sum(&mut shared.iter().filter(|i| i.memory().is_some())).saturating_mul(AGAIN);
        let is_decision =
            |i: &&Instruction<'ir>| i.is_terminator() && i.block().is_some_and(|b| b.successors().len() > 1);
        let decisions = first.iter().filter(is_decision);
        let decisions: Vec<Instruction<'ir>> = decisions.copied().collect();
        let ways = |spans| {
            let of = |i: &Instruction<'ir>| repeated(analyses, this, *i, (ways(*i) * WAY, spans));
            decisions.iter().map(of).fold(0, u64::saturating_add)
        };
        let gain = means.gain.max(lanes(analyses, &rest)).max(1);
        let (asking, rest, shared) = (sum(&mut first.iter()), sum(&mut rest.iter()), sum(&mut shared.iter()));
        let whole = asking.saturating_add(rest).max(ways(&[]));
        let (asking, ways) = (first.iter().map(time_of_two).fold(0, u64::saturating_add), ways(spans));
        tracing::debug!("what exits need takes {asking}, at least {ways}, the rest {rest}, both {shared}, all {whole}");
        Time { whole, first: asking.max(ways), asking, rest: again.saturating_add(rest.saturating_add(shared) / gain) }
    }

    /// Whether the loop is faster if its exit is found in so much time.
    fn is_worth_it(&self, first: u64) -> bool {
        let after = first.saturating_add(self.rest);
        after.saturating_mul(100 + LEAST_GAIN) <= self.whole.saturating_mul(100)
    }
}

/// How many of the widest elements that these instructions access a vector holds.
fn lanes<'ir>(analyses: &Analyses<'_, 'ir>, all: &[Instruction<'ir>]) -> u64 {
    let widths = all.iter().filter_map(|i| i.memory()?.ty.number_width());
    widths.max().map_or(1, |bits| u64::from(analyses.vector_bits() / bits.max(1)).min(MOST_LANES))
}

/// What an instruction of a loop takes in one of its iterations, if two of each of these inner loops run.
fn time<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    instruction: Instruction<'ir>,
    spans: &[Span<'ir>],
) -> u64 {
    let own = match instruction.call() {
        _ if instruction.is_marker() || instruction.is_phi() => 0,
        Some(call) if call.intrinsic().is_none() => CALL,
        Some(call) if call.intrinsic().is_some_and(|name| name == "llvm.sqrt") => DIVISION,
        _ if DIVISIONS.contains(&instruction.opcode()) => DIVISION,
        _ => u64::from(analyses.throughput(instruction, 1).unwrap_or(1)),
    };
    let memory = u64::from(instruction.memory().is_some());
    repeated(analyses, this, instruction, (own + memory, spans))
}

/// What that is if inner loops repeat it.
fn repeated<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    instruction: Instruction<'ir>,
    (once, spans): (u64, &[Span<'ir>]),
) -> u64 {
    let count = |id: LoopId| {
        if spans.iter().any(|span| span.id == id) {
            return 2;
        }
        let count = analyses.backedges(id, CountKind::Exact).and_then(|count| analyses.node(count).constant);
        count.and_then(|count| u64::try_from(count).ok()?.checked_add(1)).unwrap_or(ITERATIONS)
    };
    let around = instruction.block().and_then(|block| analyses.loop_of(block));
    let inner = around.into_iter().flat_map(|id| analyses.around(id)).take_while(|id| *id != this.id);
    inner.map(count).fold(once, u64::saturating_mul)
}

/// How many ways a branch decides on: one for each condition that it is about. Whether floating-point numbers are equal, and whether one of them is none,
/// are two.
fn ways(end: Instruction<'_>) -> u64 {
    let equal = [FloatPredicate::Oeq, FloatPredicate::One, FloatPredicate::Ueq, FloatPredicate::Une];
    let (mut pending, mut count) = (vec![end], 0);
    while let Some(here) = pending.pop() {
        let asked = here.operands().into_iter().filter_map(|operand| operand.as_instruction());
        let joins = [Opcode::And, Opcode::Or, Opcode::Select].contains(&here.opcode());
        match here.fcmp() {
            _ if here == end || joins => pending.extend(asked),
            Some((predicate, ..)) if equal.contains(&predicate) => count += 2,
            _ => count += 1,
        }
    }
    count.max(1)
}
