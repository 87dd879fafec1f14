//! What the program has asked before it comes to a region.
//!
//! ```c
//! if (n > 2) for (i = 1; i < n - 1; i++) ...
//! ```
//!
//! LLVM often says of the number of iterations no more than that it is `max(n - 2, 1)`, as it does not see that a question about `n` answers one about
//! a wider number that `n` was extended to. Of such cases only those are left that are possible after what was asked, and one of them alone where it says the same
//! as the others: `max(n, 4) / 2 - 2` is `n / 2 - 2` for 3 as well. What is owed counts like what was asked: `if (n != 0)` leaves `n` alone of `max(n, 1)`, if `n` is not to be negative.

use super::Reading;
use crate::extract::numbers::scope::Scope;
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Opcode, ScevId, Value};
use crate::presburger::{PwAff, Set, Space};

/// So many blocks on the way to a region are looked at.
const MOST_BLOCKS: usize = 24;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// The cases of a number of iterations that are possible where the region is come to: one, if it says all that is to be said there.
    pub(super) fn possible(&self, value: PwAff, count: ScevId) -> PwAff {
        if value.n_pieces() < 2 {
            return value;
        }
        let known = self.asked_before(count);
        let is_possible = |(points, _): &&(Set, _)| !points.intersect_params(&known).is_empty();
        let points = self.obligations.borrow().fulfilled(self.scope, value.domain().intersect_params(&known));
        let says_all = |only: &PwAff| points.is_subset(&only.eq_set(&value));
        let possible = value.pieces().iter().filter(is_possible).map(|(_, one)| one.to_pw_aff());
        possible.into_iter().find(says_all).unwrap_or(value)
    }

    /// What answers say that are known in the whole region, about the values that an expression is made of.
    fn asked_before(&self, count: ScevId) -> Set {
        let analyses = self.affine.analyses;
        let about = analyses.unknowns(count);
        let mut known = Set::universe(&Space::params_only(&[]));
        let entry = self.affine.region.entry;
        let mut above =
            std::iter::successors(Some(entry), |block| analyses.immediate_dominator(*block)).take(MOST_BLOCKS);
        let leads = |next: Block<'ir>| next.predecessors().len() == 1 && analyses.dominates(next, entry);
        let _ = above.next();
        for block in above {
            let Some(Branch::If { condition, then, otherwise }) = block.terminator().and_then(|end| end.branch())
            else {
                continue;
            };
            match (then != otherwise, leads(then), leads(otherwise)) {
                (true, true, false) => self.learn(&mut known, condition, &about, Answer::Yes),
                (true, false, true) => self.learn(&mut known, condition, &about, Answer::No),
                _ => {}
            }
        }
        known
    }

    /// Adds what the answer to a question says, if it is only about the given values.
    fn learn(&self, known: &mut Set, asked: Value<'ir>, about: &[Value<'ir>], answer: Answer) {
        let Some(instruction) = asked.as_instruction() else { return };
        let both = match answer {
            Answer::Yes => Opcode::And,
            Answer::No => Opcode::Or,
        };
        if instruction.opcode() == both {
            instruction.operands().into_iter().for_each(|part| self.learn(known, part, about, answer));
            return;
        }
        let Some((_, a, b)) = instruction.icmp() else { return };
        let is_about = |side: Value<'ir>| {
            let scev = self.affine.analyses.scev(side);
            scev.is_some_and(|scev| self.affine.analyses.unknowns(scev).iter().all(|value| about.contains(value)))
        };
        if !self.affine.is_invariant(asked) || !is_about(a) || !is_about(b) {
            return;
        }
        let nowhere = Scope::new(Vec::new(), Set::universe(&Space::alloc_set(&[], None, 0)));
        let points = self.affine.at(&nowhere).condition(asked).ok().and_then(|points| points.proved(self.affine).ok());
        if let Some(points) = points.map(|points| points.params()) {
            *known = match answer {
                Answer::Yes => known.intersect(&points),
                Answer::No => known.subtract(&points),
            };
        }
    }
}

/// Which way the program went.
#[derive(Clone, Copy)]
enum Answer {
    Yes,
    No,
}
