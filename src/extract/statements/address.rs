//! From addresses to arrays and bytes.
//!
//! The address of `a.row[i].x` is computed from the pointer `a` in steps; it is a place in the array behind `a`, so many bytes from its
//! beginning. Where data decides about the address, or counters are multiplied, as in `a[i * i]`, there is still the array, and the access may
//! go to any element of it.

use super::builder::StatementBuilder;
use super::drafts::{Draft, Storage};
use crate::extract::numbers::number::Number;
use crate::extract::numbers::obligations::{Conditional, Obligations};
use crate::extract::numbers::offset::Offset;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::Reason;
use crate::extract::ssa::operands;
use crate::llvm::instruction::Address;
use crate::llvm::{Block, Type, Value};
use crate::scop::ArrayId;
use std::collections::HashSet;

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// The array behind a pointer and the bytes from its base.
    pub(in crate::extract) fn address(
        &mut self,
        pointer: Value<'ir>,
        element: Type<'ir>,
        block: Block<'ir>,
    ) -> Result<(ArrayId, Number), Reason> {
        if let Some(known) = self.addresses.get(&(pointer, element, block)) {
            return known.clone();
        }
        let found = self.found_address(pointer, element, block);
        self.addresses.insert((pointer, element, block), found.clone());
        found
    }

    fn found_address(
        &mut self,
        pointer: Value<'ir>,
        element: Type<'ir>,
        block: Block<'ir>,
    ) -> Result<(ArrayId, Number), Reason> {
        let supported =
            element.is_float() || element.is_pointer() || element.integer_width().is_some_and(|w| w >= 8 && w % 8 == 0);
        if !supported {
            return Err(Reason::UnsupportedType { what: element.to_string() });
        }
        let scope = self.domains.of_block(block);
        let offset = match self.base_and_offset(pointer, scope) {
            Ok(offset) => offset,
            Err(reason) => return self.in_row(pointer, element, block).ok_or(reason),
        };
        let (base, offset) = self.assumptions.accept(self.affine, offset)?;
        Ok((self.array_behind(base, element), offset))
    }

    /// The array behind a base pointer.
    pub(in crate::extract) fn array_behind(&mut self, base: Value<'ir>, element: Type<'ir>) -> ArrayId {
        let bytes = self.affine.region.entry.function().layout().store_size(element);
        let key = (base, if self.made.members.contains(&base) { bytes } else { 0 });
        if let Some(&array) = self.made.memory.get(&key) {
            return array;
        }
        let array = self.made.arrays.push(Draft {
            storage: Storage::Memory { base, offset: Polynomial::default() },
            element,
            is_written: false,
            is_live_out: true,
            is_indirect: false,
            may_wrap: false,
        });
        self.made.memory.insert(key, array);
        array
    }

    /// The pointer from before the region that an address is computed from, and the bytes between.
    pub(super) fn base_and_offset(
        &self,
        pointer: Value<'ir>,
        scope: &Scope,
    ) -> Result<Conditional<(Value<'ir>, Number)>, Reason> {
        self.origin(pointer, scope, &|value| self.affine.is_invariant(value))
    }

    /// The pointer, of those that are wanted, that an address is computed from, and the bytes between.
    pub(super) fn origin(
        &self,
        pointer: Value<'ir>,
        scope: &Scope,
        is_wanted: &dyn Fn(Value<'ir>) -> bool,
    ) -> Result<Conditional<(Value<'ir>, Number)>, Reason> {
        let unknown = || Reason::UnknownPointer {
            what: pointer.source_name().map_or("of an access".into(), |name| format!("'{name}'")),
        };
        let analyses = self.affine.analyses;
        let mut here = pointer;
        let mut offset = Offset::new();
        let mut owed = Obligations::none();
        while let Some(address) = Address::of_value(here).filter(|_| self.made.is_openable(here)) {
            let bytes = owed.take_over(self.affine.at(scope).bytes(&address)?);
            offset = offset.step(self.affine, &address, &bytes).ok_or_else(unknown)?;
            here = address.base;
        }
        if is_wanted(here) {
            return Ok(Conditional::new((here, offset.known(self.affine)), owed));
        }
        let scev = self.affine.scev_in(here, scope).ok_or_else(unknown)?;
        let (base, rest) = analyses.base_and_offset(scev);
        let base = analyses.node(base).value.filter(|base| is_wanted(*base)).ok_or_else(unknown)?;
        let rest = owed.take_over(self.affine.at(scope).number_of_scev(rest).map_err(|_| unknown())?);
        let offset = offset.rest(&rest).ok_or_else(unknown)?.known(self.affine);
        Ok(Conditional::new((base, offset), owed))
    }

    /// Whether a value may change while a part runs. LLVM knows it as what it is after the part's loops, which is no address inside.
    pub(super) fn varies_inside(&self, value: Value<'ir>, block: Block<'ir>) -> bool {
        let Some(part) = self.domains.opaque_of(block) else { return false };
        if self.depth_inside(block, self.domains.of_block(part.start)) == 0 {
            return false;
        }
        let mut pending = vec![value];
        let mut seen: HashSet<Value<'ir>> = HashSet::new();
        while let Some(value) = pending.pop() {
            let instruction = value.as_instruction().filter(|i| i.block().is_some_and(|b| part.blocks.contains(&b)));
            let Some(instruction) = instruction.filter(|_| seen.insert(value)) else { continue };
            if instruction.is_phi() || instruction.memory().is_some() {
                return true;
            }
            pending.extend(operands(instruction));
        }
        false
    }

    /// Whether an offset is affine under no shape that its array has.
    fn is_out_of_shape(&self, array: ArrayId, offset: &Polynomial) -> bool {
        let Storage::Memory { base, .. } = &self.made.arrays[array].storage else { return false };
        offset.multiplies_changing() || !offset.is_affine() && self.shapeless.contains(base)
    }

    /// The array behind a pointer, and the bytes from its base if they are a polynomial that is affine in some shape of the array.
    pub(in crate::extract) fn place(
        &mut self,
        pointer: Value<'ir>,
        element: Type<'ir>,
        block: Block<'ir>,
    ) -> Result<(ArrayId, Option<Polynomial>), Reason> {
        let varies = self.varies_inside(pointer, block);
        match self.address(pointer, element, block) {
            Ok((array, offset)) if !varies && !self.is_out_of_shape(array, &offset.polynomial) => {
                self.made.arrays[array].may_wrap |= !offset.exact;
                Ok((array, Some(offset.polynomial)))
            }
            Ok((array, offset)) => {
                if self.is_out_of_shape(array, &offset.polynomial) {
                    self.made.out_of_shape.insert(array);
                }
                self.made.arrays[array].is_indirect = true;
                Ok((array, None))
            }
            Err(Reason::UnsupportedType { what }) => Err(Reason::UnsupportedType { what }),
            Err(reason) => {
                let base = self.made.base(pointer, block).ok_or(reason)?;
                let array = self.array_behind(base, element);
                self.made.arrays[array].is_indirect = true;
                Ok((array, None))
            }
        }
    }
}
