//! What an instance of a statement takes of the processor, as LLVM's cost model of the target says: one instance after the other, and in vectors.
//!
//! For `y[i] = x[i] / z[i]` on doubles, LLVM says of a processor with vectors of eight that a division takes the time of 14 additions and a vector of
//! divisions that of 22: so vectors of instances are five times as fast, not eight times. Of calls of functions it assumes less than they take, and says
//! so for one value and for vectors alike.

use super::picks;
use crate::extract::ssa::cost;
use crate::extract::statements::drafts::Statement;
use crate::llvm::{Analyses, Instruction, Opcode, Type};
use crate::scop;

/// What LLVM does not know in vectors is done for one element after the other, each of which is taken out of a vector and put into one.
const UNPACKED: u32 = 2;

/// In a divergent loop half of the lanes are still running, on average.
const RUNNING: u32 = 2;

/// Operations of an instance, and [`scop::Statement::vector_time`].
pub(super) fn times<'ir>(analyses: &Analyses<'_, 'ir>, statement: &Statement<'ir>) -> (u32, Option<u32>) {
    let computed = &statement.computed;
    let widest = computed.iter().flat_map(|instruction| widths(*instruction)).max();
    let lanes = widest.map_or(1, |width| (analyses.vector_bits() / width).clamp(1, scop::VECTOR_TIME));
    let usual: u32 = computed.iter().map(|instruction| cost(*instruction)).sum();
    // Addresses that data tells, and parts that are run as they stand: in vectors, they take as long, but for divergent loops; and nothing of it is done where the best so far stays.
    let rest = statement.operations.saturating_sub(usual);
    let divergent = statement.root.divergent();
    let in_vectors = match divergent {
        Some(divergent) => rest.saturating_mul(RUNNING * divergent.least_busy) / 16,
        None if picks::seldom_replaces(statement) => 0,
        None => rest,
    };
    let sum = |lanes: u32| {
        let of = |instruction: &Instruction<'ir>| time(analyses, *instruction, lanes);
        computed.iter().map(of).fold(0, u32::saturating_add)
    };
    let vectors = sum(lanes).saturating_mul(scop::VECTOR_TIME / lanes);
    let vectors = vectors.saturating_add(in_vectors.saturating_mul(scop::VECTOR_TIME));
    (sum(1).saturating_add(rest), (lanes > 1 || divergent.is_some()).then_some(vectors))
}

fn time<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>, lanes: u32) -> u32 {
    let usual = cost(instruction);
    let one = analyses.throughput(instruction, 1).unwrap_or(usual);
    let all = match lanes {
        1 => one,
        _ => analyses.throughput(instruction, lanes).unwrap_or((one + UNPACKED).saturating_mul(lanes)),
    };
    match instruction.opcode() {
        Opcode::Call => all.saturating_mul((usual / one).max(1)),
        _ => all,
    }
}

/// Bits of the numbers that it computes with.
fn widths(instruction: Instruction<'_>) -> Vec<u32> {
    let width = |ty: Type<'_>| ty.number_width().filter(|bits| (8..=64).contains(bits));
    let operand = (instruction.operand_count() > 0).then(|| instruction.operand(0).ty());
    [Some(instruction.ty()), operand].into_iter().flatten().filter_map(width).collect()
}
