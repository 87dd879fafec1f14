//! Loops, conditions, and arrays that live in a loop only.

use super::{Built, Lowering};
use crate::host::program::{Affine, Base, Condition, Kind, LeaveTo, Loop, Statement, Width};
use crate::host::run::store_of;
use crate::llvm::Promise;
use inkwell::types::{BasicType, BasicTypeEnum, IntType};
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use inkwell::{FloatPredicate, IntPredicate};

impl<'c, 'p> Lowering<'c, 'p> {
    /// The type of a counter that is no pointer.
    pub(super) fn counting(&self, width: Width) -> IntType<'c> {
        match width {
            Width::Bits8 => self.context.i8_type(),
            Width::Bits16 => self.context.i16_type(),
            Width::Bits32 => self.context.i32_type(),
            Width::Bits64 | Width::Pointer(_) => self.context.i64_type(),
        }
    }

    pub(super) fn counted(&mut self, this: &'p Loop) -> Built<()> {
        let (from, to) = match &this.row {
            None => (self.sum(&this.from)?, self.sum(&this.to)?),
            Some((index, at)) => {
                let next = Affine { constant: at.constant + 1, ..at.clone() };
                (self.index(*index, at)?, self.index(*index, &next)?)
            }
        };
        let is_down = this.step < 0;
        let start = if is_down { self.builder.build_int_sub(to, self.long(1), "")? } else { from };
        let bound = if is_down { from } else { to };
        let (start, bound) = (self.counted_from(start, this.width)?, self.counted_from(bound, this.width)?);
        let memory = self.at_entry(start.get_type(), "c")?;
        store_of(&self.builder, memory, start)?;
        let [head, body, latch, exit] =
            ["head", "body", "latch", "exit"].map(|name| self.context.append_basic_block(self.f, name));
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(head);
        let counter = self.builder.build_load(start.get_type(), memory, "")?;
        let goes_on = self.goes_on(counter, bound, is_down)?;
        self.builder.build_conditional_branch(goes_on, body, exit)?;
        self.builder.position_at_end(body);
        self.ranges.push(this.range(&self.ranges));
        self.counters.push((memory, this.width));
        self.exits.push(exit);
        let test = |lowering: &mut Self, otherwise| -> Built<()> {
            match &this.leave {
                Some(when) => {
                    let leaves = lowering.condition(when)?;
                    let to = match this.leave_to {
                        LeaveTo::Behind => exit,
                        LeaveTo::BehindAll => lowering.exits[0],
                        LeaveTo::End => lowering.end,
                    };
                    lowering.builder.build_conditional_branch(leaves, to, otherwise)?
                }
                None => lowering.builder.build_unconditional_branch(otherwise)?,
            };
            Ok(())
        };
        if this.leave_first {
            let inside = self.context.append_basic_block(self.f, "inside");
            test(self, inside)?;
            self.builder.position_at_end(inside);
            self.statements(&this.body)?;
            self.builder.build_unconditional_branch(latch)?;
        } else {
            self.statements(&this.body)?;
            test(self, latch)?;
        }
        self.counters.pop();
        self.exits.pop();
        self.ranges.pop();
        self.builder.position_at_end(latch);
        self.step(memory, this)?;
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(exit);
        Ok(())
    }

    /// The counter for a number.
    fn counted_from(&self, number: IntValue<'c>, width: Width) -> Built<BasicValueEnum<'c>> {
        match width {
            Width::Pointer(array) => {
                let base = self.base_value(array)?;
                Ok(self.address(array, base, number)?.into())
            }
            _ if width == Width::Bits64 => Ok(number.into()),
            _ => Ok(self.builder.build_int_truncate(number, self.counting(width), "")?.into()),
        }
    }

    fn goes_on(&self, counter: BasicValueEnum<'c>, bound: BasicValueEnum<'c>, is_down: bool) -> Built<IntValue<'c>> {
        let compare = |relation, a, b| self.builder.build_int_compare(relation, a, b, "");
        match (counter, bound) {
            (BasicValueEnum::PointerValue(counter), BasicValueEnum::PointerValue(bound)) => {
                let relation = if is_down { IntPredicate::UGE } else { IntPredicate::ULT };
                self.builder.build_int_compare(relation, counter, bound, "")
            }
            (counter, bound) => {
                let relation = if is_down { IntPredicate::SGE } else { IntPredicate::SLT };
                compare(relation, counter.into_int_value(), bound.into_int_value())
            }
        }
    }

    fn step(&self, memory: PointerValue<'c>, this: &Loop) -> Built<()> {
        if let Width::Pointer(array) = this.width {
            let counter = self.builder.build_load(self.pointer(), memory, "")?.into_pointer_value();
            let ty = self.basic(self.program.arrays[array].kind);
            let next = super::element_address(&self.builder, ty, counter, self.long(this.step), Promise::Nothing)?;
            return store_of(&self.builder, memory, next.into());
        }
        let ty = self.counting(this.width);
        let counter = self.builder.build_load(ty, memory, "")?.into_int_value();
        let next = self.add(counter, ty.const_int(this.step as u64, true))?;
        store_of(&self.builder, memory, next.into())
    }

    /// Memory of the stack, as long as the function runs.
    fn at_entry(&self, ty: BasicTypeEnum<'c>, name: &str) -> Built<PointerValue<'c>> {
        let here = self.builder.get_insert_block().expect("law: the builder stands in a block");
        let first_block = self.f.get_first_basic_block().expect("law: f has an entry");
        let first = first_block.get_first_instruction();
        first.map_or_else(|| self.builder.position_at_end(first_block), |first| self.builder.position_before(&first));
        let memory = self.builder.build_alloca(ty.as_basic_type_enum(), name)?;
        self.builder.position_at_end(here);
        Ok(memory)
    }

    pub(super) fn conditional(
        &mut self,
        when: &Condition,
        then: &'p [Statement],
        otherwise: &'p [Statement],
    ) -> Built<()> {
        let holds = self.condition(when)?;
        let [yes, no, after] = ["then", "else", "fi"].map(|name| self.context.append_basic_block(self.f, name));
        self.builder.build_conditional_branch(holds, yes, no)?;
        for (block, body) in [(yes, then), (no, otherwise)] {
            self.builder.position_at_end(block);
            self.statements(body)?;
            self.builder.build_unconditional_branch(after)?;
        }
        self.builder.position_at_end(after);
        Ok(())
    }

    /// A local array lives while the body runs; all of its elements are set first.
    pub(super) fn scratch(&mut self, array: usize, value: i64, body: &'p [Statement]) -> Built<()> {
        let memory = self.bases[array];
        debug_assert_eq!(self.program.arrays[array].base, Base::Local);
        let lives = |name: &str| {
            let intrinsic = self.intrinsic(name, self.pointer().into());
            self.builder.build_call(intrinsic, &[memory.into()], "").map(drop)
        };
        lives("llvm.lifetime.start")?;
        let (low, high) = self.extents[array];
        let long = self.context.i64_type();
        let counter = self.at_entry(long.into(), "fill")?;
        store_of(&self.builder, counter, self.long(low).into())?;
        let [head, inside, exit] =
            ["fill", "filling", "filled"].map(|name| self.context.append_basic_block(self.f, name));
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(head);
        let at = self.builder.build_load(long, counter, "")?.into_int_value();
        let goes_on = self.builder.build_int_compare(IntPredicate::SLE, at, self.long(high), "")?;
        self.builder.build_conditional_branch(goes_on, inside, exit)?;
        self.builder.position_at_end(inside);
        let base = self.base_value(array)?;
        let place = self.address(array, base, at)?;
        store_of(&self.builder, place, self.constant(value, self.program.arrays[array].kind))?;
        let next = self.add(at, self.long(1))?;
        store_of(&self.builder, counter, next.into())?;
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(exit);
        self.statements(body)?;
        let end = self.intrinsic("llvm.lifetime.end", self.pointer().into());
        self.builder.build_call(end, &[memory.into()], "").map(drop)
    }

    pub(super) fn condition(&self, condition: &Condition) -> Built<IntValue<'c>> {
        match condition {
            Condition::Affine { equal, a, b } => {
                let relation = if *equal { IntPredicate::EQ } else { IntPredicate::SLT };
                self.builder.build_int_compare(relation, self.sum(a)?, self.sum(b)?, "")
            }
            Condition::Data { kind, a, b } => match (self.value(a, *kind)?, self.value(b, *kind)?) {
                (BasicValueEnum::FloatValue(a), BasicValueEnum::FloatValue(b)) => {
                    self.builder.build_float_compare(FloatPredicate::OLT, a, b, "")
                }
                (a, b) if *kind == Kind::I1 => {
                    self.builder.build_int_compare(IntPredicate::NE, a.into_int_value(), b.into_int_value(), "")
                }
                (a, b) => self.builder.build_int_compare(IntPredicate::SLT, a.into_int_value(), b.into_int_value(), ""),
            },
            Condition::Not(inner) => self.builder.build_not(self.condition(inner)?, ""),
            Condition::Both(a, b) => self.builder.build_and(self.condition(a)?, self.condition(b)?, ""),
        }
    }
}
