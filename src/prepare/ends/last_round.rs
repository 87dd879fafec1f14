//! The last round of a loop, which is left before the loops inside that would have nothing to do.
//!
//! ```c
//! for (k = 0; k < n; k++) { d[k] = 1 / a[k][k];  for (i = k + 1; i < n; i++) a[i][k] *= d[k]; }
//! ```
//!
//! Whether the inner loop does anything is asked by the same comparison as whether there is a next `k`. So LLVM has the question before the inner loop lead
//! straight out of both, and the outer loop is left in its middle, always. Here that way leads to the end of the round again, where the same is asked, with
//! the same answer:
//!
//! ```text
//! k:      ...  if (k + 1 < n) i... else behind               k:      ...  if (k + 1 < n) i... else round
//! i:      ...                                     becomes    i:      ...
//! end:    if (k + 1 < n) k... else behind                    round:  if (k + 1 < n) k... else behind
//! ```
//!
//! What the loop hands on is not used by who leaves it, so any value does on the new way: that of this round.

use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Builder, Instruction, Loop, Value};

/// A loop that is left by one answer in two blocks.
struct AskedTwice<'ir> {
    /// Where it is asked first, in each round, and where that leads out of the loop.
    first: Block<'ir>,
    out: Block<'ir>,
    latch: Block<'ir>,
    /// Where the second answer would lead, which is always the first's.
    behind: Block<'ir>,
    /// Variables of the loop whose next values are not known yet where it is asked first.
    handed_on: Vec<Instruction<'ir>>,
}

/// Has loops end where they go round if that is by the same answer. Whether there were any.
pub(in crate::prepare) fn ask_at_the_end(analyses: &Analyses<'_, '_>) -> bool {
    let found: Vec<AskedTwice<'_>> =
        analyses.loops().iter().filter_map(|this| AskedTwice::of(analyses, this)).collect();
    found.iter().for_each(AskedTwice::ask_at_the_end);
    if !found.is_empty() {
        analyses.function().remove_unreachable_blocks();
    }
    !found.is_empty()
}

/// A branch by which a loop is left.
#[derive(Clone, Copy)]
struct Way<'ir> {
    condition: Value<'ir>,
    leaves_if: bool,
    out: Block<'ir>,
}

impl<'ir> Way<'ir> {
    fn of(this: &Loop<'ir>, block: Block<'ir>) -> Option<Self> {
        let Some(Branch::If { condition, then, otherwise }) = block.terminator()?.branch() else { return None };
        match (this.blocks.contains(&then), this.blocks.contains(&otherwise)) {
            (true, false) => Some(Way { condition, leaves_if: false, out: otherwise }),
            (false, true) => Some(Way { condition, leaves_if: true, out: then }),
            _ => None,
        }
    }
}

impl<'ir> AskedTwice<'ir> {
    fn of(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Self> {
        let latch = this.latch?;
        let last = Way::of(this, latch)?;
        let is_first = |block: &Block<'ir>| {
            *block != latch && analyses.loop_of(*block) == Some(this.id) && analyses.dominates(*block, latch)
        };
        let first = this.exiting.iter().copied().filter(is_first).find_map(|block| {
            let way = Way::of(this, block)?;
            let is_same = way.condition == last.condition && way.leaves_if == last.leaves_if;
            is_same.then_some((block, way.out))
        });
        let (first, out) = first?;
        let asked = first.terminator()?;
        let is_unknown =
            |phi: &Instruction<'ir>| phi.incoming_from(latch).is_some_and(|value| !analyses.is_available(value, asked));
        let handed_on = this.header.phis().into_iter().filter(is_unknown).collect();
        Some(AskedTwice { first, out, latch, behind: last.out, handed_on })
    }

    fn ask_at_the_end(&self) {
        let asked_first = self.first.terminator().expect("law: a complete block has a terminator");
        let end = self.latch.terminator().expect("law: a complete block has a terminator");
        let builder = Builder::new(end.context());
        let round = Block::cut_before(end, "round");
        builder.at_end(self.latch);
        builder.jump(round);
        let at_first = |phi: Instruction<'ir>| phi.incoming_from(self.first).map(|value| (phi, value));
        let left: Vec<(Instruction<'ir>, Value<'ir>)> = self.out.phis().into_iter().filter_map(at_first).collect();
        self.behind.forget_predecessor(round);
        end.redirect(self.behind, self.out);
        left.iter().for_each(|(phi, value)| phi.add_incoming(*value, round));
        self.out.forget_predecessor(self.first);
        asked_first.redirect(self.out, round);
        builder.before(end);
        for phi in &self.handed_on {
            let at = phi.incoming().iter().position(|(_, from)| *from == round);
            let at = at.expect("law: a phi has a value from each way in");
            let own = builder.phi(phi.ty(), "round");
            own.add_incoming(phi.operand(at), self.latch);
            own.add_incoming(phi.value(), self.first);
            phi.set_operand(at, own.value());
        }
    }
}
