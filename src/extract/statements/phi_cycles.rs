//! Values that move on when a loop goes round: phis of one header that take each other's value.
//!
//!     for (j) { out = f(y1, y2);  y2 = y1;  y1 = out; }        header:  %y1 = phi [.., %out]   %y2 = phi [.., %y1]
//!
//! The phis of a header change all at once, the statements that write their arrays one after the other: `y2 = y1` has to come before `y1 = out`, so
//! a phi has its *turn* at the latch after all that take its old value. In a ring (`%a = phi [.., %b], %b = phi [.., %a]`) nobody can be first: its
//! members are written *together*, by one statement that reads all of them before it writes. What computes with the old value of another phi, not merely takes it, is kept before the turns anyhow
//! (see `reads_other_carried`).

use super::builder::{StatementBuilder, Tree, iterators};
use super::drafts::{Statement, Storage, Turn};
use super::root::{Output, Root};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::refusal::Refusal;
use crate::llvm::{Block, Instruction};
use crate::scop::ArrayId;

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
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
    pub(in crate::extract) fn next_turn(&self, phi: Instruction<'ir>, latch: Block<'ir>) -> Turn {
        Turn::Next(self.before(phi, latch).len())
    }

    /// Gives the array of a phi of a loop's header, under whatever name the model knows it, the value that goes round: together with the phis that go
    /// with it, or when its turn comes.
    pub(in crate::extract) fn write_turn(
        &mut self,
        phi: Instruction<'ir>,
        latch: Block<'ir>,
        array: ArrayId,
    ) -> Result<(), Refusal<'ir>> {
        let Some(value) = phi.incoming_from(latch) else { return Ok(()) };
        if self.first_name(value) == self.first_name(phi.value()) || self.write_group(phi, latch)? {
            return Ok(());
        }
        let Storage::Scalar { loops, .. } = self.made.arrays[array].storage.clone() else {
            unreachable!("law: a phi's array is a scalar");
        };
        if self.write_ring(phi, latch)? {
            return Ok(());
        }
        let root = Root::Write { value, array, subscripts: iterators(&loops) };
        let location = value.as_instruction().and_then(|i| i.place()).or_else(|| phi.place());
        let scope = self.domains.of_block(latch).clone();
        let position = self.made.at_end(latch, self.next_turn(phi, latch));
        self.add_statement(root, &[value], scope, latch, position, location, Some(phi.value()))
    }

    /// The phis that take each other's value in a ring that `phi` is in, it first; none if it is in none.
    fn ring(&self, phi: Instruction<'ir>, latch: Block<'ir>) -> Vec<Instruction<'ir>> {
        let mut ring = vec![phi];
        while let Some(next) = self.taken(ring[ring.len() - 1], latch) {
            match next == phi {
                true => return ring,
                false if ring.contains(&next) => break,
                false => ring.push(next),
            }
        }
        Vec::new()
    }

    /// Writes all phis of the ring that the phi is in, if there is one, unless that is done already; whether there is one.
    fn write_ring(&mut self, phi: Instruction<'ir>, latch: Block<'ir>) -> Result<bool, Refusal<'ir>> {
        let (mut outputs, mut tree) = (Vec::new(), Tree::default());
        for member in self.ring(phi, latch) {
            let value = member.incoming_from(latch).expect("law: a phi of a ring goes round");
            let source = self.taken(member, latch).expect("law: a phi of a ring takes another one's value");
            let Leaf::Scalar { array, subscripts } = self.phi_leaf(member.value()) else {
                unreachable!("law: a phi's array is a scalar");
            };
            tree.leaves.insert(value, self.phi_leaf(source.value()));
            outputs.push(Output { value, array, subscripts });
        }
        let Some(first) = outputs.first().map(|output| output.array) else { return Ok(false) };
        let is_same = |statement: &Statement<'ir>| match &statement.root {
            Root::Together { outputs } => statement.block == latch && outputs.iter().any(|o| o.array == first),
            _ => false,
        };
        if self.made.statements.iter().any(is_same) {
            return Ok(true);
        }
        let scope = self.domains.of_block(latch).clone();
        let position = self.made.at_end(latch, self.next_turn(phi, latch));
        self.push_statement(Root::Together { outputs }, tree, scope, latch, position, phi.place())?;
        Ok(true)
    }
}
