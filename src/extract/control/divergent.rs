//! Loops that run until data says so, of several iterations of the loop around them at once.
//!
//!     for (i) { z = 0; k = 0; while (k < most && norm(z) < 4) { z = z * z + c[i]; k++; } out[i] = k; }
//!
//! The inner loop is part of a statement ([`super::subregion`]); those of different `i` have nothing to do with one another. So they can run side by side, one in each lane of a vector, until the
//! last of them has ended: what a lane computes once its own loop has ended is not looked at. Such a loop is *divergent*: its lanes leave it in different
//! rounds (Karrenberg, Hack: Whole-Function Vectorization, CGO 2011, section 4). Each lane computes what its iteration does, in the same order: every bit is the same.
//!
//! What is done in lanes that have ended must do no harm: parts that touch memory, divide whole numbers or call anything but what vectors know are left as they are. A single
//! innermost loop is taken, with as many ways out as it has; around it may be conditions.

use crate::llvm::{Analyses, Block, Instruction, LoopId, Opcode, Type, TypeKind};
use std::collections::BTreeSet;

/// Vectors of so many registers run at once: where each operation waits for the one before, the second one costs nothing.
const REGISTERS: u32 = 2;

/// Fewer lanes are not worth it, and more wait too long for the last one.
const LANES: [u32; 2] = [4, 16];

/// Registers of so many bits choose between two vectors in one operation; narrower ones, of old processors, in three, and there are few of them. (Measured on loops that wait for additions and
/// multiplications.)
const WIDE: u32 = 256;
const LEAST_BUSY: [u32; 2] = [5, 4];

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
    if !ends || !all.all(has_lanes) || counts_bits(&blocks) {
        return None;
    }
    let widest = inside().chain(exit.phis()).filter_map(|i| i.ty().number_width()).max().filter(|bits| *bits > 1)?;
    let lanes = (REGISTERS * analyses.vector_bits() / widest).min(LANES[1]);
    let least_busy = LEAST_BUSY[usize::from(analyses.vector_bits() >= WIDE)];
    // What puts the lanes of a mask together has masks in registers.
    let word = Type::integer(analyses.function().context(), 64);
    let masks = if analyses.compressed_lanes(word).is_some() { Masks::Bits } else { Masks::Numbers };
    let found = Divergent { header: this.header, latch: this.latch?, blocks, widest, lanes, least_busy, masks };
    (lanes >= LANES[0] && lanes.is_power_of_two()).then_some(found)
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

/// Whether vectors do what an instruction of a part does, and no harm where nobody looks.
fn has_lanes(instruction: Instruction<'_>) -> bool {
    if instruction.is_terminator() {
        return instruction.branch().is_some();
    }
    let is_number = |ty: Type<'_>| match ty.kind() {
        TypeKind::Float | TypeKind::Double => true,
        _ => ty.integer_width().is_some_and(|width| [1, 8, 16, 32, 64].contains(&width)),
    };
    let reads_numbers =
        || instruction.call().is_some() || instruction.operands().into_iter().all(|value| is_number(value.ty()));
    is_number(instruction.ty()) && (instruction.is_phi() || instruction.can_be_widened() && reads_numbers())
}
