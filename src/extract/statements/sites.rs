//! What an instruction touches.
//!
//! A load or a store touches one element. `subtract(a[i], x[i], x[i + 1])`, a call of a function that is known to read and write elements at
//! constant distances from its arguments ([`crate::llvm::touched`]), touches all of these, where it is part of a block that
//! is one statement.

use super::builder::StatementBuilder;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::touched::{Does, Effects, Touched};
use crate::llvm::{Block, Instruction, Type, Value};
use crate::scop::{AccessKind, ArrayId};
use std::rc::Rc;

/// An element that an instruction touches, so many bytes behind a pointer.
#[derive(Clone, Copy)]
pub(super) struct Site<'ir> {
    pub pointer: Value<'ir>,
    pub further: i128,
    pub ty: Type<'ir>,
    pub kind: AccessKind,
}

/// A site with its array and the bytes from its base, where they are a polynomial.
pub(super) struct Placed<'ir> {
    pub site: Site<'ir>,
    pub array: ArrayId,
    pub offset: Option<Polynomial>,
}

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// What a call that is more than a function of numbers does, if it is in a block that is one statement, and all of it is known.
    pub(super) fn effects(&mut self, call: Instruction<'ir>) -> Option<Rc<Effects<'ir>>> {
        if let Some(known) = self.effects.get(&call) {
            return known.clone();
        }
        let is_whole =
            call.block().and_then(|home| self.domains.opaque_of(home)).is_some_and(|part| part.is_straight());
        let is_pure = call.call().is_none_or(|call| call.is_pure()) || call.is_marker();
        let found = if is_whole && !is_pure { self.affine.analyses.effects(call) } else { None };
        self.effects.entry(call).or_insert(found.map(Rc::new)).clone()
    }

    /// All that an instruction touches.
    pub(super) fn sites(&mut self, instruction: Instruction<'ir>) -> Vec<Site<'ir>> {
        if let Some(access) = instruction.memory() {
            let kind = if access.stored.is_some() { AccessKind::MustWrite } else { AccessKind::Read };
            return vec![Site { pointer: access.pointer, further: 0, ty: access.ty, kind }];
        }
        if instruction.call().is_none() {
            return Vec::new();
        }
        let Some(effects) = self.effects(instruction) else { return Vec::new() };
        let kind = |does| match does {
            Does::MayRead => AccessKind::Read,
            Does::MayWrite => AccessKind::MayWrite,
            Does::Writes => AccessKind::MustWrite,
        };
        let site = |Touched { pointer, offset, ty, does }: &Touched<'ir>| Site {
            pointer: *pointer,
            further: *offset,
            ty: *ty,
            kind: kind(*does),
        };
        effects.touched.iter().map(site).collect()
    }

    /// All that an instruction touches, with arrays.
    ///
    /// # Errors
    /// If an element of a call is none of a known array at a known distance.
    pub(super) fn placed(
        &mut self,
        instruction: Instruction<'ir>,
        home: Block<'ir>,
    ) -> Result<Vec<Placed<'ir>>, Refusal<'ir>> {
        let mut all = Vec::new();
        for site in self.sites(instruction) {
            let refuse = |reason| Refusal::at(instruction.place(), reason);
            let (array, offset) = self.place(site.pointer, site.ty, home).map_err(refuse)?;
            let further = Polynomial::constant(site.further);
            let offset = match instruction.call() {
                None => offset,
                Some(_) => {
                    let known = offset.and_then(|offset| offset.add(&further));
                    Some(known.ok_or_else(|| refuse(Reason::of_call(self.affine.analyses, instruction)))?)
                }
            };
            all.push(Placed { site, array, offset });
        }
        Ok(all)
    }
}
