//! By which steps a number goes in the loops around.
//!
//! The offset `8 * (zext {0,+,1}<nuw>)` of `a[i]`, with an unsigned `i`, is 0 at first and goes by 8: a number that does not wrap around is the same in more bits. Of
//! `a[i * m + j]`, `8 * (sext {{0,+,m},+,1})`, nobody may have promised that. It is so where the sum of all steps, in more bits, has room in the fewer bits.

use crate::llvm::{Analyses, Loop, LoopId, ScevId, ScevKind, Signedness};

/// Expressions inside one another.
const DEEPEST: usize = 16;

/// Sums of steps of numbers of more bits might have no room.
const MOST_NARROW: u32 = 32;

pub(in crate::prepare) struct Steps {
    /// In the first iterations.
    pub start: ScevId,
    pub steps: Vec<(LoopId, ScevId)>,
    /// Parts of it in fewer bits that must not wrap around.
    pub narrow: Vec<Narrow>,
}

/// A number that is computed in fewer bits than these are.
pub(in crate::prepare) struct Narrow {
    pub start: ScevId,
    pub steps: Vec<(LoopId, ScevId)>,
    pub bits: u32,
    pub signedness: Signedness,
}

/// The steps of a number in a loop and those inside, if it has a start and steps that stay the same in the loop.
pub(in crate::prepare) fn steps(analyses: &Analyses<'_, '_>, this: &Loop<'_>, number: ScevId) -> Option<Steps> {
    of(analyses, this, number, DEEPEST)
}

fn of(analyses: &Analyses<'_, '_>, this: &Loop<'_>, number: ScevId, depth: usize) -> Option<Steps> {
    if depth == 0 {
        return None;
    }
    if analyses.is_invariant(number, this.id) {
        return Some(Steps { start: number, steps: Vec::new(), narrow: Vec::new() });
    }
    let again = |part: ScevId| of(analyses, this, part, depth - 1);
    let node = analyses.node(number);
    match (node.kind, node.operands.as_slice()) {
        (ScevKind::Add, all) => {
            let mut parts = all.iter().map(|part| again(*part)).collect::<Option<Vec<_>>>()?.into_iter();
            let first = parts.next()?;
            Some(parts.fold(first, |sum, part| Steps {
                start: analyses.sum(sum.start, part.start),
                steps: [sum.steps, part.steps].concat(),
                narrow: sum.narrow.into_iter().chain(part.narrow).collect(),
            }))
        }
        (ScevKind::Mul, all) => {
            let (stay, goes): (Vec<ScevId>, Vec<ScevId>) =
                all.iter().partition(|part| analyses.is_invariant(**part, this.id));
            let [goes] = goes[..] else { return None };
            let times = |part: ScevId| stay.iter().fold(part, |product, factor| analyses.product(product, *factor));
            let Steps { start, steps, narrow } = again(goes)?;
            let steps = steps.into_iter().map(|(id, by)| (id, times(by))).collect();
            Some(Steps { start: times(start), steps, narrow })
        }
        (ScevKind::AddRec, &[start, by]) => {
            let id = node.in_loop.filter(|id| analyses.is_within(*id, this.id))?;
            let Steps { start, steps, narrow } = again(start)?;
            let own = analyses.is_invariant(by, this.id).then_some((id, by))?;
            Some(Steps { start, steps: [steps, vec![own]].concat(), narrow })
        }
        (kind @ (ScevKind::ZeroExtend | ScevKind::SignExtend), &[of]) => {
            let sign = if kind == ScevKind::ZeroExtend { Signedness::Unsigned } else { Signedness::Signed };
            widened(analyses, this, (number, of), sign).or_else(|| {
                let Steps { start, steps, .. } = again(of).filter(|steps| steps.narrow.is_empty())?;
                let (ty, bits) = (analyses.scev_type(number)?, analyses.node(of).width);
                let wide = |part: ScevId| analyses.resized(part, ty, sign);
                let (start, steps) =
                    (wide(start), steps.into_iter().map(|(id, by)| (id, wide(by))).collect::<Vec<_>>());
                let own = Narrow { start, steps: steps.clone(), bits, signedness: sign };
                (bits <= MOST_NARROW).then(|| Steps { start, steps, narrow: vec![own] })
            })
        }
        _ => None,
    }
}

/// The steps of a number that is `of` in more bits, which does not wrap around.
fn widened(
    analyses: &Analyses<'_, '_>,
    this: &Loop<'_>,
    (number, of): (ScevId, ScevId),
    sign: Signedness,
) -> Option<Steps> {
    let narrow = analyses.node(of);
    let keeps = if sign == Signedness::Unsigned { narrow.nuw } else { narrow.nsw };
    let (ScevKind::AddRec, &[start, by], true) = (narrow.kind, narrow.operands.as_slice(), keeps) else {
        return None;
    };
    let id = narrow.in_loop.filter(|id| analyses.is_within(*id, this.id))?;
    let ty = analyses.scev_type(number)?;
    let [start, by] = [start, by].map(|part| analyses.resized(part, ty, sign));
    let stays = [start, by].iter().all(|part| analyses.is_invariant(*part, this.id));
    stays.then(|| Steps { start, steps: vec![(id, by)], narrow: Vec::new() })
}
