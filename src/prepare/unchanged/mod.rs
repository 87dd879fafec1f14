//! What a loop reads again in each iteration although it stays the same, read once before it, where that is so.
//!
//! ```c
//! for (int i = 0; i < m->size; i++) { m->first[i] = m->low[i];  m->count[i] -= m->low[i]; }
//! ```
//!
//! What is written may be `m->size` itself, for all that types say: nobody knows how often the loop runs, and it does one iteration after the other. If the size and the
//! pointers are read before the loop, it is known which bytes it writes, as far as it goes by them. Whether these are apart from what was read is asked then ([`super::apart`]): where
//! they are, each iteration reads what was read before the loop, by induction, and one copy of it runs, which reads it no more; else another one, as the program
//! has it. What is read in an inner loop is read where that runs at all (`if (m->size > 0)`), which is asked before.
//!
//! That is done for loops whose number of iterations is known then and was not, and for those that read again the pointer to elements whose rows are as long as a
//! number says, `a[i * m + j]`: how far such elements reach from a pointer that may change is more than the model can say. The pipeline takes it back where
//! that copy is not rewritten.
//!
//! Implements: 001 while

use super::apart::Apart;
use super::hoist;
use crate::llvm::instruction::Branch;
use crate::llvm::scev::CountKind;
use crate::llvm::{
    Analyses, Block, Builder, Function, Instruction, Loop, LoopId, Opcode, ScevId, Session, Type, Value,
};
use std::collections::HashSet;

/// Loops of a function of which there are two copies.
const MOST_LOOPS: usize = 8;

/// Instructions of a loop that there may be twice.
const MOST_INSTRUCTIONS: usize = 400;

/// Conditions that are asked before what is read under them.
const MOST_KNOWN: usize = 3;

/// Times that reads move: what is read by a pointer that has been read, and so on.
const ROUNDS: usize = 10;

/// Instructions between two reads of the same.
const MOST_BETWEEN: usize = 64;

/// How many loops read something again that may be read once.
pub fn count_unchanged(analyses: &Analyses<'_, '_>) -> usize {
    headers(analyses).len()
}

/// Has those loops read it once that have these numbers, and marks them with their places among these. Which of them that was possible for. Handles into the function
/// must be taken afterwards.
pub fn read_unchanged<'ir>(session: &mut Session<'ir>, function: Function<'ir>, wanted: &[usize]) -> Vec<usize> {
    let all = headers(&session.analyses(function));
    let mut possible = Vec::new();
    for number in wanted {
        if ask_before(session, function, all[*number], possible.len()) {
            possible.push(*number);
        }
    }
    session.run_function_passes(function, super::AFTER_READS).expect("law: the clean-up is a pipeline");
    super::read_before_loops(session, function);
    possible
}

/// The headers of loops that may be asked for, always in the same order: of loops inside one another, the outermost.
fn headers<'ir>(analyses: &Analyses<'_, 'ir>) -> Vec<Block<'ir>> {
    let mut found: Vec<&Loop<'ir>> = Vec::new();
    for this in analyses.loops() {
        if !found.iter().any(|outer| analyses.is_within(this.id, outer.id)) && is_candidate(analyses, this) {
            found.push(this);
        }
    }
    found.into_iter().take(MOST_LOOPS).map(|this| this.header).collect()
}

fn inside<'a, 'ir>(
    analyses: &'a Analyses<'_, 'ir>,
    this: &'a Loop<'ir>,
) -> impl Iterator<Item = &'a Loop<'ir>> + use<'a, 'ir> {
    analyses.loops().iter().filter(|l| analyses.is_within(l.id, this.id))
}

fn is_counted(analyses: &Analyses<'_, '_>, id: LoopId) -> bool {
    analyses.backedges(id, CountKind::Exact).is_some()
}

/// Whether a loop ends, or finds its elements, by what it reads from an address that does not change, writes elements and does nothing else.
fn is_candidate<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    let has_shape =
        this.simplified && this.preheader.is_some() && this.has_single_exit() && this.exit_of_latch().is_some();
    let is_aside = this.blocks.iter().any(|block| block.is_aside());
    let is_store = |i: &Instruction<'ir>| i.opcode() == Opcode::Store && i.memory().is_some_and(|m| m.simple);
    let runs_through = |i: Instruction<'ir>| i.will_return() && !i.may_throw();
    // What is read behind an inner loop is read before all of them: the program comes to it only if that loop ends.
    let ends = |l: &Loop<'ir>| l.id == this.id || analyses.must_end(l.id);
    let writers = writers(this);
    let ends_by_read = |l: &Loop<'ir>| !is_counted(analyses, l.id) && ends_by_read(analyses, (this, &writers), l);
    let finds_rows_by_read = || !this.children.is_empty() && finds_rows_by_read(analyses, this);
    has_shape
        && !is_aside
        && inside(analyses, this).all(ends)
        && this.instructions().count() <= MOST_INSTRUCTIONS
        && !hoist::is_watched(this.header.function())
        && this.instructions().all(runs_through)
        && writers.iter().all(is_store)
        && (inside(analyses, this).any(ends_by_read) || finds_rows_by_read())
}

/// Whether a loop accesses elements, in steps that are no constants, behind a pointer that it reads from one place: where one of its writers may write, or where not each
/// iteration reads.
fn finds_rows_by_read<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    let is_read_inside = |base: ScevId| {
        let read = analyses.node(base).value.and_then(|value| value.as_instruction());
        let read = read.filter(|i| i.opcode() == Opcode::Load && hoist::is_read(*i) && this.holds(*i));
        let place = read.and_then(|i| analyses.scev(i.memory()?.pointer));
        place.is_some_and(|place| analyses.is_invariant(place, this.id))
    };
    let is_found = |access: Instruction<'ir>| {
        let place = access.memory().and_then(|memory| analyses.scev(memory.pointer));
        let parts = place.map(|place| analyses.base_and_offset(place));
        parts.is_some_and(|(base, offset)| is_read_inside(base) && has_rows(analyses, this, offset))
    };
    this.instructions().any(is_found)
}

/// Whether an offset moves by what is no constant in a loop or one inside.
fn has_rows<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, offset: ScevId) -> bool {
    let node = analyses.node(offset);
    let is_own = node.in_loop.is_some_and(|id| analyses.is_within(id, this.id));
    let is_row = || node.operands.get(1).is_some_and(|step| analyses.node(*step).constant.is_none());
    is_own && is_row() || node.operands.iter().any(|operand| has_rows(analyses, this, *operand))
}

/// Whether what decides the end of a loop is computed from a number or a pointer that is read there, where one of the writers in `this` loop may write.
fn ends_by_read<'ir>(
    analyses: &Analyses<'_, 'ir>,
    (this, writers): (&Loop<'ir>, &[Instruction<'ir>]),
    l: &Loop<'ir>,
) -> bool {
    let is_written = |read: Instruction<'ir>| writers.iter().any(|writer| analyses.writes(*writer, read));
    let mut pending: Vec<Instruction<'ir>> = l.exiting.iter().filter_map(|block| block.terminator()).collect();
    let mut seen = HashSet::new();
    while let Some(here) = pending.pop() {
        if here.opcode() == Opcode::Load && hoist::is_read(here) && is_written(here) {
            return true;
        }
        let operands = here.operands().into_iter().filter_map(|operand| operand.as_instruction());
        pending.extend(operands.filter(|i| !i.is_phi() && this.holds(*i) && seen.insert(*i)));
    }
    false
}

fn writers<'ir>(this: &Loop<'ir>) -> Vec<Instruction<'ir>> {
    this.instructions().filter(|i| i.may_write_memory() && !i.is_marker()).collect()
}

fn loop_at<'a, 'ir>(analyses: &'a Analyses<'_, 'ir>, header: Block<'ir>) -> Option<&'a Loop<'ir>> {
    analyses.loops().iter().find(|l| l.header == header)
}

/// Copies a loop, has one copy read once what may stay the same, and asks before both whether it does. Whether that was possible: if not, nobody comes to that copy.
fn ask_before<'ir>(session: &mut Session<'ir>, function: Function<'ir>, header: Block<'ir>, number: usize) -> bool {
    let Some(before) = loop_at(&session.analyses(function), header).and_then(|this| this.preheader) else {
        return false;
    };
    let [no, yes] = [0, 1].map(|answer| Value::integer(Type::integer(function.context(), 1), answer));
    if !session.copy_loop(function, header, yes) {
        return false;
    }
    let end = before.terminator().expect("law: a complete block has a terminator");
    let mut asking = Asking { end, known: Vec::new(), reads: Vec::new() };
    for _ in 0..ROUNDS {
        if !move_reads(&session.analyses(function), header, &mut asking) {
            break;
        }
        session.invalidate(function);
    }
    let Asking { end, known, reads } = asking;
    let asked = asked(&session.analyses(function), (header, end), &reads, &known);
    end.set_operand(0, asked.unwrap_or(no));
    session.invalidate(function);
    if asked.is_some() {
        mark(&session.analyses(function), header, end, number, &reads);
    }
    asked.is_some()
}

/// What happens before a loop and its copy.
struct Asking<'ir> {
    /// The branch to one of them; what moves goes before it.
    end: Instruction<'ir>,
    /// Conditions that hold, or not, where it is come to: elsewhere the copy runs.
    known: Vec<(Value<'ir>, bool)>,
    reads: Vec<Read<'ir>>,
}

impl<'ir> Asking<'ir> {
    /// Comes there only where one more condition is as it is wanted.
    fn ask_first(&mut self, (condition, wanted): (Value<'ir>, bool)) {
        let home = self.end.block().expect("law: a terminator is in a block");
        let [this, copy] = self.end.successors()[..] else { unreachable!("law: one of two loops runs") };
        let builder = Builder::new(self.end.context());
        let next = home.function().new_block("asks");
        builder.at_end(next);
        builder.branch(builder.integer(1, 1), this, copy);
        self.end.redirect(this, next);
        builder.before(self.end);
        let holds = if wanted { condition } else { builder.binary(Opcode::Xor, condition, builder.integer(1, 1)) };
        self.end.set_operand(0, holds);
        self.end = next.terminator().expect("law: a complete block has a terminator");
        self.known.push((condition, wanted));
    }
}

/// A read that has left loops, and an innermost one of them, by its header.
struct Read<'ir> {
    load: Instruction<'ir>,
    from: Block<'ir>,
}

/// Moves out of a loop, and out of those inside, what would stay the same if they wrote nothing. Whether anything moved.
fn move_reads<'ir>(analyses: &Analyses<'_, 'ir>, header: Block<'ir>, asking: &mut Asking<'ir>) -> bool {
    let Some(this) = loop_at(analyses, header) else { return false };
    let (mut moved, mut gone) = (false, HashSet::new());
    let inner_first: Vec<&Loop<'ir>> = inside(analyses, this).collect();
    for l in inner_first.into_iter().rev() {
        let is_outermost = l.id == this.id;
        let own = if is_outermost { Some(asking.end) } else { l.preheader.and_then(|before| before.terminator()) };
        let Some(to) = own else { continue };
        for instruction in l.instructions().collect::<Vec<_>>() {
            if gone.contains(&instruction) {
                continue;
            }
            let known = is_outermost.then_some(asking.known.as_slice());
            match stays_the_same(analyses, (l, known), to, instruction) {
                Some(Runs::If(condition)) if asking.known.len() < MOST_KNOWN => {
                    asking.ask_first(condition);
                    return true;
                }
                None | Some(Runs::If(_)) => {}
                Some(runs) => {
                    if runs == Runs::Perhaps {
                        instruction.drop_immediate_promises();
                    }
                    gone.extend(leave(analyses, l, to, instruction, &mut asking.reads));
                    moved = true;
                }
            }
        }
    }
    moved
}

/// Whether the program comes to what moves before a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs<'ir> {
    Always,
    Perhaps,
    /// Where a condition that is known before the loop is so, if not others are in the way.
    If((Value<'ir>, bool)),
}

/// Whether the program comes to an instruction of a loop that gives the same in each iteration, if the loop writes nothing that it reads, and that may run before the
/// loop, where conditions are `known`, or may become so; none for others.
fn stays_the_same<'ir>(
    analyses: &Analyses<'_, 'ir>,
    (l, known): (&Loop<'ir>, Option<&[(Value<'ir>, bool)]>),
    to: Instruction<'ir>,
    instruction: Instruction<'ir>,
) -> Option<Runs<'ir>> {
    let is_load = instruction.opcode() == Opcode::Load;
    let is_computed = || {
        let is_value = !instruction.is_phi() && !instruction.is_terminator() && instruction.call().is_none();
        is_value && instruction.memory().is_none() && instruction.is_speculatable()
    };
    let is_wanted = if is_load { hoist::is_read(instruction) } else { is_computed() };
    if !is_wanted || instruction.operands().iter().filter_map(|o| o.as_instruction()).any(|o| l.holds(o)) {
        return None;
    }
    match hoist::is_reached(analyses, l, instruction) {
        true => Some(Runs::Always),
        false if !is_load || hoist::is_harmless(analyses, instruction, to) => Some(Runs::Perhaps),
        false => {
            let (known, wanted) = (known?, way_to(analyses, l, instruction)?);
            let unknown = wanted.into_iter().find(|condition| !known.contains(condition));
            Some(unknown.map_or(Runs::Always, Runs::If))
        }
    }
}

/// The conditions by which each iteration of a loop comes to an instruction, in the order in which they are asked, if all of them are known before the loop.
fn way_to<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    instruction: Instruction<'ir>,
) -> Option<Vec<(Value<'ir>, bool)>> {
    let mut here = instruction.block()?;
    let mut found = Vec::new();
    while !hoist::is_reached(analyses, l, here.terminator()?) {
        let [before] = here.predecessors()[..] else { return None };
        match before.terminator()?.branch()? {
            Branch::If { condition, then, otherwise } if then != otherwise => {
                let is_inside = condition.as_instruction().is_some_and(|condition| l.holds(condition));
                found.push((condition, then == here));
                if is_inside || found.len() > MOST_KNOWN {
                    return None;
                }
            }
            Branch::If { .. } | Branch::Always(_) => {}
        }
        here = before;
    }
    found.reverse();
    Some(found)
}

/// Moves an instruction of a loop before it. It stands for other reads of the same, which are gone.
fn leave<'ir>(
    analyses: &Analyses<'_, 'ir>,
    l: &Loop<'ir>,
    to: Instruction<'ir>,
    instruction: Instruction<'ir>,
    reads: &mut Vec<Read<'ir>>,
) -> Vec<Instruction<'ir>> {
    let innermost = |i: Instruction<'ir>| {
        let around = i.block().and_then(|block| analyses.loop_of(block));
        around.map_or(l.header, |id| analyses.loop_(id).header)
    };
    let own = innermost(instruction);
    instruction.move_before(to);
    let Some(memory) = instruction.memory() else { return Vec::new() };
    let place = analyses.scev(memory.pointer);
    let reads_same = |other: &Instruction<'ir>| {
        let read = other.memory().filter(|m| other.opcode() == Opcode::Load && m.simple && m.ty == memory.ty);
        read.is_some_and(|m| m.pointer == memory.pointer || place.is_some() && analyses.scev(m.pointer) == place)
    };
    let same: Vec<Instruction<'ir>> = l.instructions().filter(reads_same).collect();
    let is_known = |read: &Read<'ir>| read.load == instruction || same.contains(&read.load);
    let (known, others): (Vec<Read<'ir>>, Vec<Read<'ir>>) = std::mem::take(reads).into_iter().partition(is_known);
    let before = known.iter().map(|read| read.from);
    let mut seen = HashSet::new();
    let from = same.iter().map(|other| innermost(*other)).chain([own]).chain(before);
    let from = from.filter(|header| seen.insert(*header)).map(|from| Read { load: instruction, from });
    *reads = others.into_iter().chain(from).collect();
    same.iter().for_each(|other| instruction.stands_for(*other));
    take_for_first(l, instruction);
    same
}

/// Where an iteration reads something for the next one, and the first one has what was read before the loop, all have what stays the same.
fn take_for_first<'ir>(l: &Loop<'ir>, read: Instruction<'ir>) {
    let Some(first) = read_before(read) else { return };
    let is_read = |(value, _): &(Value<'ir>, Block<'ir>)| [read.value(), first.value()].contains(value);
    let hands_on = |phi: &Instruction<'ir>| phi.incoming().iter().all(is_read);
    l.header.phis().into_iter().filter(hands_on).for_each(|phi| phi.replace_with(read.value()));
}

/// The same read earlier on the only way to a read, if nothing is written between them.
fn read_before<'ir>(read: Instruction<'ir>) -> Option<Instruction<'ir>> {
    let memory = read.memory()?;
    let reads_same = |other: Instruction<'ir>| {
        let other = other.memory().filter(|m| other.opcode() == Opcode::Load && m.simple && m.ty == memory.ty);
        other.is_some_and(|m| m.pointer == memory.pointer)
    };
    let mut here = read;
    for _ in 0..MOST_BETWEEN {
        here = match (here.previous(), &here.block()?.predecessors()[..]) {
            (Some(previous), _) => previous,
            (None, [only]) => only.terminator()?,
            (None, _) => return None,
        };
        if reads_same(here) {
            return Some(here);
        }
        if here.may_write_memory() && !here.is_marker() {
            return None;
        }
    }
    None
}

/// Whether nothing that a loop writes changes what was read before it, as a value at `end`, where conditions are `known`; none if that cannot be asked, or is of no use.
fn asked<'ir>(
    analyses: &Analyses<'_, 'ir>,
    (header, end): (Block<'ir>, Instruction<'ir>),
    reads: &[Read<'ir>],
    known: &[(Value<'ir>, bool)],
) -> Option<Value<'ir>> {
    let this = loop_at(analyses, header)?;
    if !inside(analyses, this).all(|l| is_counted(analyses, l.id)) {
        return None;
    }
    let mut apart = Apart::default();
    for writer in writers(this) {
        for read in reads.iter().filter(|read| analyses.writes(writer, read.load)) {
            if !apart.ask_of_any(analyses, (this, end), [writer, read.load]) {
                return None;
            }
        }
    }
    (!apart.is_empty() || !known.is_empty()).then(|| apart.asked(analyses, end))
}

/// Says of a loop that it was asked for, of those inside that read something again, and of the loops of its copy that nothing is to be made of them.
fn mark<'ir>(
    analyses: &Analyses<'_, 'ir>,
    header: Block<'ir>,
    end: Instruction<'ir>,
    number: usize,
    reads: &[Read<'ir>],
) {
    let this = loop_at(analyses, header).expect("law: a loop that was copied is one");
    let mut lines: Vec<u32> = reads.iter().filter_map(|read| Some(read.load.place()?.line())).collect();
    lines.sort_unstable();
    lines.dedup();
    if let Some(latch) = this.latch {
        latch.mark_unchanged(number, &lines);
    }
    // What nobody may write LLVM reads once in each of these loops, as the program has them.
    let writers = writers(this);
    let is_written = |read: &Read<'ir>| writers.iter().any(|writer| analyses.writes(*writer, read.load));
    let from: Vec<Block<'ir>> = reads.iter().filter(|read| is_written(read)).map(|read| read.from).collect();
    for l in inside(analyses, this).filter(|l| from.contains(&l.header)) {
        l.latch.into_iter().for_each(Block::mark_reading_again);
    }
    let other = end.successors().into_iter().find(|next| this.preheader != Some(*next));
    let copy = analyses.loops().iter().find(|l| l.preheader.is_some() && l.preheader == other);
    for l in copy.into_iter().flat_map(|copy| inside(analyses, copy)) {
        l.latch.into_iter().for_each(Block::mark_aside);
    }
}
