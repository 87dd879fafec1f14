//! Addresses: `a0[2 * c0 + 1]` as an element, as bytes, as a member, through integers or from a pointer that walks.

use super::{Built, Lowering};
use crate::host::extents::ROW_SHIFTS;
use crate::host::program::{Affine, Base, Form, ROWS, Subscript, Variable, Width};
use crate::host::run::{element_address, member_address};
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{IntValue, PointerValue};

impl<'c> Lowering<'c, '_> {
    /// The sum in 64 bits.
    pub(super) fn sum(&self, sum: &Affine) -> Built<IntValue<'c>> {
        let mut total = self.long(sum.constant);
        for (variable, factor) in &sum.terms {
            let value = match variable {
                Variable::N => self.parameters[0],
                Variable::M => self.parameters[1],
                Variable::Counter(depth) => {
                    let Some((memory, width)) = self.counters.get(*depth) else { continue };
                    self.counter(*memory, *width)?
                }
            };
            let factor = self.long(*factor);
            let term = match self.program.flags {
                true => self.builder.build_int_nsw_mul(value, factor, "")?,
                false => self.builder.build_int_mul(value, factor, "")?,
            };
            total = self.add(total, term)?;
        }
        Ok(total)
    }

    pub(super) fn add(&self, a: IntValue<'c>, b: IntValue<'c>) -> Built<IntValue<'c>> {
        if self.program.flags { self.builder.build_int_nsw_add(a, b, "") } else { self.builder.build_int_add(a, b, "") }
    }

    /// A number, or its bound where it compares so with it.
    fn choice(&self, is_beyond: IntPredicate, value: IntValue<'c>, bound: IntValue<'c>) -> Built<IntValue<'c>> {
        let beyond = self.builder.build_int_compare(is_beyond, value, bound, "")?;
        Ok(self.builder.build_select(beyond, bound, value, "")?.into_int_value())
    }

    /// The number of an element.
    fn element(&self, at: &Subscript) -> Built<IntValue<'c>> {
        let build = &self.builder;
        match at {
            Subscript::Affine(sum) => self.sum(sum),
            Subscript::Modulo(sum, modulus) => {
                let lift = self.long(Subscript::lift(sum, *modulus, &self.ranges));
                let lifted = self.add(self.sum(sum)?, lift)?;
                build.build_int_unsigned_rem(lifted, self.long(*modulus), "")
            }
            Subscript::Ring(sum, plus) => {
                let size = self.sum(&Affine { terms: vec![(Variable::N, 1)], constant: *plus })?;
                let lift = build.build_int_mul(size, self.long(Subscript::times(sum, *plus, &self.ranges)), "")?;
                let lifted = self.add(self.sum(sum)?, lift)?;
                build.build_int_signed_rem(lifted, size, "")
            }
            Subscript::Clamped { sum, plus, least_first } => {
                let most = self.sum(&Affine { terms: vec![(Variable::N, 1)], constant: *plus })?;
                let at_least = |value| self.choice(IntPredicate::SLT, value, self.long(0));
                let at_most = |value| self.choice(IntPredicate::SGT, value, most);
                let value = self.sum(sum)?;
                if *least_first { at_most(at_least(value)?) } else { at_least(at_most(value)?) }
            }
            Subscript::Flipped(sum) => build.build_xor(self.sum(sum)?, self.long(1), ""),
            Subscript::Shifted(sum, by) => build.build_right_shift(self.sum(sum)?, self.long(i64::from(*by)), true, ""),
            Subscript::Divided(sum, by) => build.build_int_signed_div(self.sum(sum)?, self.long(*by), ""),
            Subscript::Masked(sum, mask) => build.build_and(self.sum(sum)?, self.long(*mask), ""),
            Subscript::Narrow { sum, bits, signed } => {
                let ty = if *bits == 8 { self.context.i8_type() } else { self.context.i16_type() };
                let narrow = build.build_int_truncate(self.sum(sum)?, ty, "")?;
                build.build_int_cast_sign_flag(narrow, self.context.i64_type(), *signed, "")
            }
            Subscript::Through { index, at, plus } => {
                let value = self.index(*index, at)?;
                self.add(value, self.long(*plus))
            }
            Subscript::Scalar { scalar, mask } => {
                let ty = self.integer(self.source.scalars[*scalar]);
                let value = build.build_load(ty, self.scalars[*scalar], "")?.into_int_value();
                let wide = build.build_int_cast_sign_flag(value, self.context.i64_type(), false, "")?;
                build.build_and(wide, self.long(*mask), "")
            }
        }
    }

    /// What an index array holds.
    pub(super) fn index(&self, index: usize, at: &Affine) -> Built<IntValue<'c>> {
        let from = self.place(index, &Subscript::Affine(at.clone()))?;
        let ty = self.integer(self.program.arrays[index].kind);
        let value = self.builder.build_load(ty, from, "")?.into_int_value();
        self.builder.build_int_cast_sign_flag(value, self.context.i64_type(), true, "")
    }

    /// The pointer that an array has at this place of the program.
    pub(super) fn base_value(&self, array: usize) -> Built<PointerValue<'c>> {
        match self.program.arrays[array].base {
            Base::Held | Base::Variable { .. } => {
                Ok(self.builder.build_load(self.pointer(), self.bases[array], "")?.into_pointer_value())
            }
            Base::Local => {
                let (low, _) = self.extents[array];
                let at = self.long(-low * self.program.arrays[array].stride());
                let ty = self.basic(self.program.arrays[array].kind);
                element_address(&self.builder, ty, self.bases[array], at, self.program.promise())
            }
            _ => Ok(self.bases[array]),
        }
    }

    pub(super) fn place(&self, array: usize, at: &Subscript) -> Built<PointerValue<'c>> {
        if let Some(place) = self.walked_place(array, at)? {
            return Ok(place);
        }
        let element = self.element(at)?;
        if self.program.arrays[array].base == Base::Rows {
            debug_assert_eq!(ROW_SHIFTS.len() as i64, ROWS);
            let row = self.builder.build_and(element, self.long(ROWS - 1), "")?;
            let held =
                element_address(&self.builder, self.pointer().into(), self.bases[array], row, self.program.promise())?;
            let base = self.builder.build_load(self.pointer(), held, "")?.into_pointer_value();
            return self.address(array, base, element);
        }
        let base = self.base_value(array)?;
        self.address(array, base, element)
    }

    /// The address of an element of memory that begins at `base`.
    pub(super) fn address(
        &self,
        array: usize,
        base: PointerValue<'c>,
        element: IntValue<'c>,
    ) -> Built<PointerValue<'c>> {
        let promise = self.program.promise();
        let array = &self.program.arrays[array];
        let bytes = |this: &Self| this.builder.build_int_mul(element, this.long(array.kind.bytes() as i64), "");
        match array.form {
            Form::Element => element_address(&self.builder, self.basic(array.kind), base, element, promise),
            Form::Bytes => element_address(&self.builder, self.context.i8_type().into(), base, bytes(self)?, promise),
            Form::Integers => {
                let number = self.builder.build_ptr_to_int(base, self.context.i64_type(), "")?;
                let sum = self.builder.build_int_add(number, bytes(self)?, "")?;
                self.builder.build_int_to_ptr(sum, self.pointer(), "")
            }
            Form::Member { of, at } => {
                let members: Vec<BasicTypeEnum<'c>> = vec![self.basic(array.kind); of as usize];
                let structure = self.context.struct_type(&members, false);
                let member = self.context.i32_type().const_int(at as u64, false);
                member_address(&self.builder, structure.into(), base, [element, member], promise)
            }
        }
    }

    /// If a pointer counts elements of the array and the subscript is its number and a constant: so many elements from there.
    fn walked_place(&self, array: usize, at: &Subscript) -> Built<Option<PointerValue<'c>>> {
        let Subscript::Affine(Affine { terms, constant }) = at else { return Ok(None) };
        let [(Variable::Counter(depth), 1)] = terms[..] else { return Ok(None) };
        let Some((memory, Width::Pointer(walked))) = self.counters.get(depth) else { return Ok(None) };
        if *walked != array {
            return Ok(None);
        }
        let pointer = self.builder.build_load(self.pointer(), *memory, "")?.into_pointer_value();
        if *constant == 0 {
            return Ok(Some(pointer));
        }
        self.address(array, pointer, self.long(*constant)).map(Some)
    }

    /// The counter in 64 bits.
    pub(super) fn counter(&self, memory: PointerValue<'c>, width: Width) -> Built<IntValue<'c>> {
        let long = self.context.i64_type();
        let Width::Pointer(array) = width else {
            let value = self.builder.build_load(self.counting(width), memory, "")?.into_int_value();
            return self.builder.build_int_cast_sign_flag(value, long, true, "");
        };
        let pointer = self.builder.build_load(self.pointer(), memory, "")?.into_pointer_value();
        let base = self.base_value(array)?;
        let numbers = [pointer, base].map(|p| self.builder.build_ptr_to_int(p, long, ""));
        let [number, zero] = numbers;
        let difference = self.builder.build_int_sub(number?, zero?, "")?;
        let bytes = self.program.arrays[array].kind.bytes() as i64;
        match self.program.flags {
            true => self.builder.build_int_exact_signed_div(difference, self.long(bytes), ""),
            false => self.builder.build_right_shift(difference, self.long(i64::from(bytes.trailing_zeros())), true, ""),
        }
    }
}
