//! Values that join or go round a loop, as scalar arrays.
//!
//!     header:  %s = phi [0.0, preheader], [%sum, latch]           %sum = fadd %s, %a
//!
//! `%s` is a scalar array, with one element per execution of the loop, that is written twice: `s = 0.0` at the end of the preheader and `s = s + a` at the
//! latch. Behind the loop it holds the last `%sum`.
//!
//! Implements: 001 non-array

use super::builder::{StatementBuilder, Tree, iterators};
use super::drafts::Turn;
use super::drafts::{Draft, Storage};
use super::root::Root;
use super::tree::MOST_OPERANDS;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::Refusal;
use crate::extract::ssa::operands;
use crate::llvm::{Block, Instruction, LoopId, Type, Value};
use crate::scop::ArrayId;
use std::collections::HashSet;

type Fallible<'ir, T> = Result<T, Refusal<'ir>>;

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// A phi that joins "the loop did not run: the initial value" with "it ran: the final value" of a carried phi with that very
    /// initial value is that carried phi, if the initial value is written before the guard instead of in the preheader.
    pub(super) fn find_second_names(&mut self) {
        for block in self.blocks() {
            for phi in block.phis() {
                if let Some((carried, guard)) = self.second_name(phi, block) {
                    self.aliases.insert(phi.value(), carried);
                    self.early.insert(carried, guard);
                }
            }
        }
    }

    pub(super) fn second_name(&self, phi: Instruction<'ir>, block: Block<'ir>) -> Option<(Value<'ir>, Block<'ir>)> {
        if self.is_integer_expression(phi.value(), block) {
            return None;
        }
        let [(a, from_a), (b, from_b)] = phi.incoming()[..] else { return None };
        for ((initial, guard), (last, _)) in [((a, from_a), (b, from_b)), ((b, from_b), (a, from_a))] {
            let Some(carried) = self.final_value_of(last).map(|carried| self.first_name(carried)) else { continue };
            let header = carried.as_instruction()?.block()?;
            let this = self.affine.analyses.loop_(self.affine.analyses.loop_of(header)?);
            let preheader = this.preheader?;
            let starts_with = carried.as_instruction()?.incoming_from(preheader)?;
            let guards = preheader.predecessors() == [guard] && guard.successors().contains(&block);
            let outside = self.affine.is_invariant(initial) && guard != self.affine.region.entry;
            if starts_with == initial && guards && outside && !self.early.contains_key(&carried) {
                return Some((carried, guard));
            }
        }
        None
    }

    /// The carried phi whose value after its loop is `value`: `value` is what goes round, possibly through single-entry phis.
    pub(super) fn final_value_of(&self, value: Value<'ir>) -> Option<Value<'ir>> {
        let mut here = value;
        while let Some(phi) = here.as_instruction().filter(|i| i.is_phi()) {
            let [(inner, from)] = phi.incoming()[..] else { break };
            here = inner;
            let Some(left) = self.affine.analyses.loop_of(from) else { continue };
            let this = self.affine.analyses.loop_(left);
            let Some(latch) = this.latch else { continue };
            if self.domains.opaque_of(this.header).is_some() {
                return None;
            }
            let is_own = |i: Instruction<'ir>| i.block().and_then(|b| self.affine.analyses.loop_of(b)) == Some(left);
            let carried = this.header.phis().into_iter().find(|phi| phi.incoming_from(latch) == Some(here));
            if let Some(carried) = carried.filter(|_| here.as_instruction().is_some_and(is_own)) {
                return Some(carried.value());
            }
        }
        None
    }

    /// The number of the scalar array of a value, asked for its defining statements when new.
    pub(super) fn scalar_array(&mut self, value: Value<'ir>, loops: Vec<LoopId>, element: Type<'ir>) -> ArrayId {
        if let Some(&array) = self.scalars.get(&value) {
            return array;
        }
        let array = self.made.arrays.push(Draft {
            storage: Storage::Scalar { value, loops },
            element,
            is_written: true,
            is_live_out: false,
            is_indirect: false,
            may_wrap: false,
        });
        self.scalars.insert(value, array);
        self.pending.push(value);
        array
    }

    pub(super) fn write_pending(&mut self) -> Fallible<'ir, ()> {
        while let Some(value) = self.pending.pop() {
            let array = self.scalars[&value];
            let instruction = value.as_instruction().expect("law: a scalar array belongs to an instruction");
            if let Some(part) = instruction.block().and_then(|home| self.domains.opaque_of(home)).cloned() {
                let loops = self.domains.of_block(part.start).loops.clone();
                self.hand_on(&part, value, array, &loops);
                continue;
            }
            match instruction.is_phi() {
                true => self.write_phi(instruction, array)?,
                false => self.write_kept(instruction, array)?,
            }
        }
        Ok(())
    }

    /// Writes at the end of each predecessor; those that carry a value round a loop come last, those that leave it before.
    pub(super) fn write_phi(&mut self, phi: Instruction<'ir>, array: ArrayId) -> Fallible<'ir, ()> {
        let block = phi.block().expect("law: an instruction of the region is in a block");
        let Storage::Scalar { loops, .. } = self.made.arrays[array].storage.clone() else {
            unreachable!("law: a phi's array is a scalar");
        };
        let region = self.affine.region;
        let latch =
            self.affine.analyses.loop_of(block).map(|id| self.affine.analyses.loop_(id)).filter(|l| l.header == block);
        let parts: Vec<_> = self.domains.opaque.iter().filter(|part| part.exit == block).cloned().collect();
        for part in &parts {
            let own = self.domains.of_block(part.start).loops.clone();
            self.hand_on(part, phi.value(), array, &own);
        }
        for (value, from) in phi.incoming() {
            if from != region.entry && !region.contains(from) || parts.iter().any(|part| part.leads_on(from)) {
                continue;
            }
            let is_latch = latch.is_some_and(|l| l.latch == Some(from));
            if is_latch {
                self.write_turn(phi, from, array)?;
                continue;
            }
            let (from, scope) = match self.early.get(&phi.value()).copied() {
                Some(guard) => (guard, self.domains.of_block(guard).clone()),
                None => (from, self.domains.edge(self.affine, self.assumptions, from, block)?),
            };
            let root = Root::Write { value, array, subscripts: iterators(&loops) };
            let location = value.as_instruction().and_then(|i| i.place()).or_else(|| phi.place());
            if let Some(carried) = self.carried_out(value, from, block) {
                let mut tree = Tree::default();
                tree.leaves.insert(value, self.phi_leaf(carried));
                self.push_statement(root, tree, scope, from, self.made.at_end(from, Turn::AfterNext), location)?;
                continue;
            }
            self.add_statement(root, &[value], scope, from, self.made.at_end(from, Turn::Leaving), location, None)?;
        }
        self.write_inner_names(phi.value(), array)
    }

    /// For a value that leaves its loop by the latch: the phi that it also goes round the loop as, which holds it then.
    pub(super) fn carried_out(&self, value: Value<'ir>, from: Block<'ir>, to: Block<'ir>) -> Option<Value<'ir>> {
        let analyses = self.affine.analyses;
        let id = analyses.loop_of(from)?;
        let this = analyses.loop_(id);
        let leaves = this.latch == Some(from) && analyses.loop_of(to) != Some(id) && this.exits.contains(&to);
        let is_own = value.as_instruction().and_then(|i| i.block()).and_then(|b| analyses.loop_of(b)) == Some(id);
        if !leaves || !is_own || self.domains.opaque_of(this.header).is_some() {
            return None;
        }
        let carries = |phi: &Instruction<'ir>| phi.incoming_from(from) == Some(value);
        let phi = this.header.phis().into_iter().find(carries)?;
        (!self.is_integer_expression(phi.value(), this.header)).then_some(phi.value())
    }

    /// For a value that goes round a loop, read outside that loop: the carried phi, which holds it then.
    pub(super) fn final_value_if_outside(
        &self,
        value: Value<'ir>,
        home: Block<'ir>,
        scope: &Scope,
    ) -> Option<Value<'ir>> {
        let phi = value.as_instruction().filter(|i| i.is_phi() && i.incoming().len() == 1)?;
        let carried = self.final_value_of(phi.value())?;
        let header = carried.as_instruction()?.block()?;
        let id = self.affine.analyses.loop_of(header)?;
        (!scope.loops.contains(&id) && !self.domains.of_block(home).loops.contains(&id)).then_some(carried)
    }

    pub(in crate::extract) fn phi_leaf(&mut self, phi: Value<'ir>) -> Leaf {
        let phi = self.first_name(phi).as_instruction().expect("law: a carried value is a phi");
        let block = phi.block().expect("law: an instruction of the region is in a block");
        let analyses = self.affine.analyses;
        let of_block = self.domains.of_block(block).loops.clone();
        let is_header = analyses
            .loop_of(block)
            .is_some_and(|id| analyses.loop_(id).header == block && of_block.last() == Some(&id));
        let loops = if is_header { of_block[..of_block.len() - 1].to_vec() } else { of_block };
        let array = self.scalar_array(phi.value(), loops.clone(), phi.ty());
        Leaf::Scalar { array, subscripts: iterators(&loops) }
    }

    /// Whether computing the value reads a phi of the header whose phi `carried` is being written, other than that phi itself.
    pub(in crate::extract) fn reads_other_carried(
        &self,
        value: Value<'ir>,
        carried: Option<Value<'ir>>,
        seen: &mut HashSet<Value<'ir>>,
    ) -> bool {
        let Some(instruction) = value.as_instruction().filter(|i| self.affine.region.contains_instruction(*i)) else {
            return false;
        };
        if !seen.insert(value) || seen.len() > MOST_OPERANDS {
            return false;
        }
        let Some(own) = carried else { return false };
        if instruction.is_phi() {
            let header = own.as_instruction().and_then(|i| i.block());
            let home = instruction.block();
            return !self.goes_with(value, own)
                && home == header
                && home.is_some_and(|home| !self.is_integer_expression(value, home));
        }
        instruction.memory().is_none()
            && operands(instruction).into_iter().any(|o| self.reads_other_carried(o, carried, seen))
    }
}
