//! Loops that run until data says so, of several iterations of the loop around them at once.
//!
//!     for (i) { z = 0; k = 0; while (k < most && norm(z) < 4) { z = z * z + c[i]; k++; } out[i] = k; }
//!
//! The inner loop is part of a statement ([`super::subregion`]); those of different `i` have nothing to do with one another. So they can run side by side, one in each lane of a vector, until the
//! last of them has ended: what a lane computes once its own loop has ended is not looked at. Such a loop is *divergent*: its lanes leave it in different
//! rounds (Karrenberg, Hack: Whole-Function Vectorization, CGO 2011, section 4). Each lane computes what its iteration does, in the same order: every bit is the same.
//!
//! What is done in lanes that have ended must do no harm: parts that write memory, divide whole numbers or call anything but what vectors know are left as they are. A single
//! innermost loop is taken, with as many ways out as it has; around it may be conditions.
//!
//! What a lane reads is read for it alone, by those that are active: a search by halves, the steps of a chain, a walk down a tree. One after the other, such reads wait for each other, and
//! where they lead is guessed wrong half of the time; those of several lanes do not wait, and nothing is guessed. It does not pay where addresses are known ahead of the data, as processors read ahead: the rows of a sparse matrix, the probes of a table of hashes.

use crate::extract::ssa::decider;
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Instruction, LoopId, Opcode, ScevId, Type, TypeKind, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Vectors of so many registers run at once: where each operation waits for the one before, the second one costs nothing.
const REGISTERS: u32 = 2;

/// Where it waits for memory, the third and fourth cost little.
const REGISTERS_READ: u32 = 4;

/// Fewer lanes are not worth it, and more wait too long for the last one.
const LANES: [u32; 2] = [4, 16];

/// Registers of so many bits choose between two vectors in one operation; narrower ones, of old processors, in three, and there are few of them. (Measured on loops that wait for additions and
/// multiplications.)
const WIDE: u32 = 256;
const LEAST_BUSY: [u32; 2] = [5, 4];

/// Bits of a pointer.
const POINTER: u32 = 64;

/// A divergent loop.
#[derive(Clone, Debug)]
pub struct Divergent<'ir> {
    pub header: Block<'ir>,
    pub latch: Block<'ir>,
    /// Its blocks, in the order of the part's.
    pub blocks: Vec<Block<'ir>>,
    /// Bits of the widest number of the part.
    pub widest: u32,
    /// How many of them run side by side.
    pub lanes: u32,
    /// So many sixteenths of the lanes must be busy for a round of all to take no longer than theirs would one after the other.
    pub least_busy: u32,
    pub masks: Masks,
    pub reads: Reads<'ir>,
}

/// What is known of the loads of a part.
#[derive(Clone, Debug, Default)]
pub struct Reads<'ir> {
    /// The loop has some.
    pub in_loop: bool,
    /// Loads that read what another one of the part has read, before the loop or in the same round.
    pub again: HashMap<Instruction<'ir>, Instruction<'ir>>,
    /// Loads that read the same in each round, and are come to in each that is not the last one.
    pub unchanging: HashSet<Instruction<'ir>>,
}

/// How the target keeps truth values of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masks {
    /// A bit for each lane, in registers of their own.
    Bits,
    /// A number for each lane, all bits of which are alike.
    Numbers,
}

/// The divergent loop among the blocks of a part between the ends of two others, if there is nothing in the part that cannot be done in lanes.
pub fn divergent<'ir>(
    analyses: &Analyses<'_, 'ir>,
    part: &[Block<'ir>],
    [start, exit]: [Block<'ir>; 2],
) -> Option<Divergent<'ir>> {
    let loops: BTreeSet<LoopId> = part.iter().filter_map(|block| analyses.loop_of(*block)).collect();
    let mut inner = loops.into_iter().filter(|id| part.contains(&analyses.loop_(*id).header));
    let (Some(id), None) = (inner.next(), inner.next()) else { return None };
    let this = analyses.loop_(id);
    let blocks: Vec<Block<'ir>> = part.iter().copied().filter(|block| analyses.loop_of(*block) == Some(id)).collect();
    let inside = || part.iter().flat_map(|block| block.instructions()).filter(|i| !i.is_marker());
    let mut all = inside().chain(start.terminator()).chain(exit.phis());
    let ends = blocks.iter().flat_map(|block| block.successors()).any(|to| !blocks.contains(&to));
    if !ends || !all.all(has_lanes) || counts_bits(&blocks) || !reads_seldom_or_far(analyses, id, &blocks) {
        return None;
    }
    let widest = inside().chain(exit.phis()).filter_map(|i| width(i.ty())).max().filter(|bits| *bits > 1)?;
    let reads = reads(analyses, part, id);
    let registers = if reads.in_loop { REGISTERS_READ } else { REGISTERS };
    let lanes = (registers * analyses.vector_bits() / widest).min(LANES[1]);
    let least_busy = LEAST_BUSY[usize::from(analyses.vector_bits() >= WIDE)];
    // What puts the lanes of a mask together has masks in registers.
    let word = Type::integer(analyses.function().context(), 64);
    let masks = if analyses.compressed_lanes(word).is_some() { Masks::Bits } else { Masks::Numbers };
    let found = Divergent { header: this.header, latch: this.latch?, blocks, widest, lanes, least_busy, masks, reads };
    (lanes >= LANES[0] && lanes.is_power_of_two()).then_some(found)
}

/// What is known of the loads of a part with one loop. Nothing is written in it, nor by what runs in the same iteration of the new loops; before these it may be: so nothing is known from there.
fn reads<'ir>(analyses: &Analyses<'_, 'ir>, part: &[Block<'ir>], id: LoopId) -> Reads<'ir> {
    let inner = analyses.loop_(id);
    let all = part.iter().flat_map(|block| block.instructions().into_iter().map(|i| (i, *block)));
    let own: Vec<(Instruction<'ir>, Block<'ir>, Option<ScevId>)> =
        all.filter_map(|(i, block)| Some((i, block, analyses.scev(i.memory()?.pointer)))).collect();
    let is_inside = |block: Block<'ir>| inner.blocks.contains(&block);
    let mut found = Reads { in_loop: own.iter().any(|(_, block, _)| is_inside(*block)), ..Reads::default() };
    for (at, (load, block, place)) in own.iter().enumerate() {
        let is_seen = |earlier: &&(Instruction<'ir>, Block<'ir>, Option<ScevId>)| {
            let (other, home, same) = earlier;
            same.is_some()
                && same == place
                && other.ty() == load.ty()
                && analyses.dominates(*home, *block)
                && (!is_inside(*home) || is_inside(*block))
        };
        if let Some((earlier, ..)) = own[..at].iter().find(is_seen) {
            found.again.insert(*load, *earlier);
        }
        let is_same = place.is_some_and(|place| analyses.is_invariant(place, id));
        if is_inside(*block) && is_same && inner.latch.is_some_and(|latch| analyses.dominates(*block, latch)) {
            found.unchanging.insert(*load);
        }
    }
    found
}

/// Whether all that a loop does is to count the bits of a number, by taking them away one by one until there are none: `for (k = 0; v; k++) v &= v - 1;` is one operation of the processor, which LLVM
/// knows to put into vectors.
fn counts_bits(blocks: &[Block<'_>]) -> bool {
    let [block] = blocks else { return false };
    let is_own = |i: &Instruction<'_>| !i.is_phi() && !i.is_terminator() && !i.is_marker();
    let own: Vec<Instruction<'_>> = block.instructions().into_iter().filter(is_own).collect();
    let by = |instruction: &Instruction<'_>| instruction.operand(1).as_integer();
    let counts = |i: &&Instruction<'_>| matches!(i.opcode(), Opcode::Add | Opcode::Sub) && by(i).is_some();
    let asks = |i: &&Instruction<'_>| i.opcode() == Opcode::ICmp && by(i) == Some(0);
    let takes_away = |i: &&Instruction<'_>| match i.opcode() {
        Opcode::And => true,
        Opcode::Shl | Opcode::LShr | Opcode::AShr => by(i) == Some(1),
        _ => false,
    };
    let is_known = |i: &Instruction<'_>| counts(&i) || asks(&i) || takes_away(&i);
    own.iter().all(is_known) && own.iter().filter(takes_away).count() == 1
}

/// The bits of what a lane holds: a number that vectors compute with, or a pointer.
fn width(ty: Type<'_>) -> Option<u32> {
    match ty.kind() {
        TypeKind::Float | TypeKind::Double => ty.number_width(),
        TypeKind::Pointer if ty.address_space() == Some(0) => Some(POINTER),
        _ => ty.integer_width(),
    }
}

/// Whether a loop reads no memory, or as often as data says and where data says that it has read: each read waits for the one before.
fn reads_seldom_or_far<'ir>(analyses: &Analyses<'_, 'ir>, id: LoopId, blocks: &[Block<'ir>]) -> bool {
    let inside = blocks.iter().flat_map(|block| block.instructions());
    let loads: Vec<Instruction<'ir>> = inside.filter(|i| i.memory().is_some()).collect();
    let header = analyses.loop_(id).header;
    let mut pending: Vec<Value<'ir>> = loads.iter().filter_map(|i| i.memory()).map(|access| access.pointer).collect();
    let (mut seen, mut is_led) = (HashSet::new(), false);
    while let Some(value) = pending.pop() {
        let home = |i: &Instruction<'ir>| i.block().filter(|home| blocks.contains(home));
        let Some((own, home)) = value.as_instruction().and_then(|i| Some((i, home(&i)?))) else { continue };
        if !seen.insert(value) {
            continue;
        }
        is_led |= own.memory().is_some();
        if own.is_phi() {
            // Which way control comes inside is data, too.
            let above = analyses.immediate_dominator(home).filter(|_| home != header);
            pending.extend(above.and_then(|above| decider(above.terminator()?)));
            pending.extend(own.incoming().into_iter().map(|(value, _)| value));
        } else {
            pending.extend(own.operands());
        }
    }
    loads.is_empty() || is_led && analyses.backedges(id, CountKind::Exact).is_none()
}

/// Whether vectors do what an instruction of a part does, and no harm where nobody looks.
fn has_lanes(instruction: Instruction<'_>) -> bool {
    if instruction.is_terminator() {
        return instruction.branch().is_some();
    }
    let is_number = |ty: Type<'_>| width(ty).is_some_and(|width| [1, 8, 16, 32, 64].contains(&width));
    if let Some(access) = instruction.memory() {
        let is_read = access.stored.is_none() && access.simple && is_number(access.pointer.ty());
        return is_read && is_number(access.ty) && width(access.ty) != Some(1);
    }
    if let Some(address) = instruction.address() {
        return is_number(address.base.ty()) && address.indices.iter().all(|index| is_number(index.ty()));
    }
    let reads_numbers =
        || instruction.call().is_some() || instruction.operands().into_iter().all(|value| is_number(value.ty()));
    is_number(instruction.ty()) && (instruction.is_phi() || instruction.can_be_widened() && reads_numbers())
}
