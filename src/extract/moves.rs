//! Values that move on when a loop goes round: phis of one header that take each other's value.
//!
//!     for (j) { out = f(y1, y2);  y2 = y1;  y1 = out; }        header:  %y1 = phi [.., %out]   %y2 = phi [.., %y1]
//!
//! The phis of a header change all at once, the statements that write their arrays one after the other: `y2 = y1` has to come before `y1 = out`, so
//! a phi has its *turn* at the latch after all that take its old value. In a ring (`%a = phi [.., %b], %b = phi [.., %a]`) nobody can be first: each
//! member is *set aside* before the turns begin. What computes with the old value of another phi, not merely takes it, is kept before the turns anyhow
//! (see `reads_other_carried`).

use super::binding::{Leaf, Root};
use super::refusal::Refusal;
use super::roots::{Draft, Roots, Storage, Tree, iterators};
use crate::llvm::{Block, Instruction};

/// Number among the statements at the end of a block: what goes to the blocks behind it, and what is set aside.
pub(super) const LEAVING: usize = 1;
/// The first turn of the phis that the block, a latch, gives their next values.
const FIRST_TURN: usize = 2;
/// Reads those next values.
pub(super) const AFTER_TURNS: usize = usize::MAX;

impl<'ir> Roots<'_, '_, 'ir> {
    /// The phi of the same header whose old value the phi takes at the latch.
    fn taken(&self, phi: Instruction<'ir>, latch: Block<'ir>) -> Option<Instruction<'ir>> {
        let header = phi.block()?;
        let mut value = phi.incoming_from(latch)?;
        loop {
            let source = value.as_instruction().filter(|i| i.is_phi())?;
            if source.block() == Some(header) {
                let moves = source != phi && !self.is_integer_expression(value, header);
                return moves.then_some(source);
            }
            let [(inner, _)] = source.incoming()[..] else { return None };
            value = inner;
        }
    }

    /// The phis that take the old value of one of those that are written together with `phi`.
    fn takers(&self, phi: Instruction<'ir>, latch: Block<'ir>) -> Vec<Instruction<'ir>> {
        let from_here = |taker: &Instruction<'ir>| {
            self.taken(*taker, latch).is_some_and(|source| self.goes_with(source.value(), phi.value()))
        };
        phi.block().map(Block::phis).unwrap_or_default().into_iter().filter(from_here).collect()
    }

    /// The phis that have to be written before `phi`: its takers, theirs, and so on.
    fn before(&self, phi: Instruction<'ir>, latch: Block<'ir>) -> Vec<Instruction<'ir>> {
        let mut found = self.takers(phi, latch);
        let mut at = 0;
        while at < found.len() {
            for taker in self.takers(found[at], latch) {
                if !found.contains(&taker) {
                    found.push(taker);
                }
            }
            at += 1;
        }
        found
    }

    /// When the phi is written among the statements at the end of its latch.
    pub(super) fn move_rank(&self, phi: Instruction<'ir>, latch: Block<'ir>) -> usize {
        FIRST_TURN + self.before(phi, latch).len()
    }

    /// Sets aside, before the turns, what the phi takes at the latch if that is in a ring with it; where it is then.
    pub(super) fn set_aside(&mut self, phi: Instruction<'ir>, latch: Block<'ir>) -> Result<Option<Leaf>, Refusal<'ir>> {
        let is_in_ring = self.before(phi, latch).iter().any(|other| self.goes_with(other.value(), phi.value()));
        let Some(source) = self.taken(phi, latch).filter(|_| is_in_ring) else { return Ok(None) };
        let scope = self.domains.of_block(latch).clone();
        let subscripts = iterators(&scope.loops);
        let array = self.arrays.len();
        self.arrays.push(Draft {
            storage: Storage::Scalar { value: source.value(), loops: scope.loops.clone() },
            element: source.ty(),
            is_written: true,
            is_live_out: false,
            is_indirect: false,
            may_wrap: false,
        });
        let mut tree = Tree::default();
        tree.leaves.insert(source.value(), self.phi_leaf(source.value()));
        let root = Root::Write { value: source.value(), array, subscripts: subscripts.clone() };
        let position = (self.order[&latch], latch.instructions().len(), LEAVING);
        self.push_statement(root, tree, scope, latch, position, source.place())?;
        Ok(Some(Leaf::Scalar { array, subscripts }))
    }
}
