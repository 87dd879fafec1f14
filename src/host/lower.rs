//! A program as a module of LLVM: `f` with the loops, and `entry`, which fetches the arguments of `f` from memory and calls it.
//!
//! Counters and scalars live in memory of the stack, as a front end leaves them; loops test at the top. Numbers of another kind are converted so that
//! nothing is undefined: integers by truncation or sign, a float from the low byte of an integer, an integer from the sign of a float.

use super::program::{
    Affine, Base, Condition, Kind, Loop, Operator, Program, Ranges, Statement, Subscript, Value, Variable,
};
use super::run::{SET_THREADS, TICK, element_address, global_name, store_of};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, IntType};
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, FloatPredicate, IntPredicate};

/// The program as text; `args` of `entry(args)` points to one pointer for each array, one to the table of held pointers, one to the results, then `n`
/// and `m`.
pub(super) fn lowered(program: &Program) -> String {
    let context = Context::create();
    let module = context.create_module("fuzz");
    let built = Lowering::new(&context, &module, program).and_then(|mut lowering| lowering.everything());
    built.expect("law: the builder stands in a block");
    module.print_to_string().to_string()
}

type Built<T> = Result<T, BuilderError>;

struct Lowering<'c, 'p> {
    context: &'c Context,
    module: &'p Module<'c>,
    builder: Builder<'c>,
    program: &'p Program,
    f: FunctionValue<'c>,
    tick: FunctionValue<'c>,
    /// Where each array's element 0 is; for held ones, where the pointer to it is.
    bases: Vec<PointerValue<'c>>,
    scalars: Vec<PointerValue<'c>>,
    parameters: [IntValue<'c>; 2],
    /// Of the loops around the place: the counter's memory, and its type.
    counters: Vec<(PointerValue<'c>, IntType<'c>)>,
    ranges: Ranges,
}

impl<'c, 'p> Lowering<'c, 'p> {
    fn new(context: &'c Context, module: &'p Module<'c>, program: &'p Program) -> Built<Self> {
        let pointer = context.ptr_type(AddressSpace::default());
        let long = context.i64_type();
        let mut types: Vec<BasicMetadataTypeEnum<'c>> = vec![pointer.into(); program.arrays.len() + 2];
        types.extend::<[BasicMetadataTypeEnum<'c>; 2]>([long.into(), long.into()]);
        let f = module.add_function("f", context.void_type().fn_type(&types, false), None);
        let tick = module.add_function(TICK, context.void_type().fn_type(&[long.into()], false), None);
        let attribute = |name: &str| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
        f.add_attribute(AttributeLoc::Function, attribute("noinline"));
        f.add_attribute(AttributeLoc::Function, attribute("nounwind"));
        tick.add_attribute(AttributeLoc::Function, attribute("nounwind"));
        for (at, array) in program.arrays.iter().enumerate() {
            if array.base == (Base::Argument { alone: true }) {
                f.add_attribute(AttributeLoc::Param(at as u32), attribute("noalias"));
            }
        }
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(f, "entry"));
        let argument = |at: usize| f.get_nth_param(at as u32).expect("law: f has that many parameters");
        let n = program.arrays.len();
        let mut lowering = Lowering {
            context,
            module,
            builder,
            program,
            f,
            tick,
            bases: Vec::new(),
            scalars: Vec::new(),
            parameters: [argument(n + 2).into_int_value(), argument(n + 3).into_int_value()],
            counters: Vec::new(),
            ranges: Vec::new(),
        };
        let table = argument(n).into_pointer_value();
        for (at, array) in program.arrays.iter().enumerate() {
            let base = match array.base {
                Base::Argument { .. } | Base::View { .. } => argument(at).into_pointer_value(),
                Base::Global => module.add_global(context.i8_type(), None, &global_name(at)).as_pointer_value(),
                Base::Held => lowering.element(pointer.into(), table, long.const_int(at as u64, false))?,
            };
            lowering.bases.push(base);
        }
        Ok(lowering)
    }

    fn everything(&mut self) -> Built<()> {
        for (at, kind) in self.program.scalars.iter().enumerate() {
            let memory = self.builder.build_alloca(self.basic(*kind), &format!("s{at}"))?;
            let first = self.constant(at as i64 + 1, *kind);
            store_of(&self.builder, memory, first)?;
            self.scalars.push(memory);
        }
        let program = self.program;
        self.statements(&program.body)?;
        let results = self.f.get_nth_param(program.arrays.len() as u32 + 1).expect("law: f has results");
        for (at, kind) in program.scalars.iter().enumerate() {
            let value = self.builder.build_load(self.basic(*kind), self.scalars[at], "")?;
            let slot = self.context.i64_type();
            let place = self.element(slot.into(), results.into_pointer_value(), slot.const_int(at as u64, false))?;
            store_of(&self.builder, place, value)?;
        }
        self.builder.build_return(None)?;
        self.entry()
    }

    /// `void entry(ptr args, i32 threads)`
    fn entry(&self) -> Built<()> {
        let context = self.context;
        let (pointer, int) = (context.ptr_type(AddressSpace::default()), context.i32_type());
        let void = context.void_type();
        let set_threads = self.module.add_function(SET_THREADS, void.fn_type(&[int.into()], false), None);
        let entry = self.module.add_function("entry", void.fn_type(&[pointer.into(), int.into()], false), None);
        self.builder.position_at_end(context.append_basic_block(entry, "entry"));
        let args = entry.get_nth_param(0).expect("law: entry has two parameters").into_pointer_value();
        let threads = entry.get_nth_param(1).expect("law: entry has two parameters");
        self.builder.build_call(set_threads, &[threads.into()], "")?;
        let mut values = Vec::new();
        for (at, ty) in self.f.get_type().get_param_types().into_iter().enumerate() {
            let ty = BasicTypeEnum::try_from(ty).expect("law: parameters are numbers and pointers");
            let slot = context.i64_type();
            let place = self.element(slot.into(), args, slot.const_int(at as u64, false))?;
            values.push(self.builder.build_load(ty, place, "")?.into());
        }
        self.builder.build_call(self.f, &values, "")?;
        self.builder.build_return(None)?;
        Ok(())
    }

    fn basic(&self, kind: Kind) -> BasicTypeEnum<'c> {
        match kind {
            Kind::F32 => self.context.f32_type().into(),
            Kind::F64 => self.context.f64_type().into(),
            integer => self.integer(integer).into(),
        }
    }

    fn integer(&self, kind: Kind) -> IntType<'c> {
        match kind {
            Kind::I8 => self.context.i8_type(),
            Kind::I16 => self.context.i16_type(),
            Kind::I32 | Kind::F32 => self.context.i32_type(),
            Kind::I64 | Kind::F64 => self.context.i64_type(),
        }
    }

    /// A constant; a float is a 64th of it, so that sums and products stay small.
    fn constant(&self, value: i64, kind: Kind) -> BasicValueEnum<'c> {
        match self.basic(kind) {
            BasicTypeEnum::FloatType(ty) => ty.const_float(value as f64 / 64.0).into(),
            _ => self.integer(kind).const_int(value as u64, true).into(),
        }
    }

    fn element(&self, ty: BasicTypeEnum<'c>, base: PointerValue<'c>, at: IntValue<'c>) -> Built<PointerValue<'c>> {
        element_address(&self.builder, ty, base, at, self.program.flags)
    }

    fn statements(&mut self, all: &'p [Statement]) -> Built<()> {
        all.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'p Statement) -> Built<()> {
        match statement {
            Statement::Loop(this) => self.counted(this),
            Statement::Assign { array, at, value } => {
                let kind = self.program.arrays[*array].kind;
                let value = self.value(value, kind)?;
                let value = self.tame(value, *array)?;
                let place = self.place(*array, at)?;
                store_of(&self.builder, place, value)
            }
            Statement::Set { scalar, value } => {
                let value = self.value(value, self.program.scalars[*scalar])?;
                store_of(&self.builder, self.scalars[*scalar], value)
            }
            Statement::Rotate(scalars) => {
                let ty = self.basic(self.program.scalars[scalars[0]]);
                let old = scalars.iter().map(|at| self.builder.build_load(ty, self.scalars[*at], ""));
                let old = old.collect::<Built<Vec<_>>>()?;
                for (at, scalar) in scalars.iter().enumerate() {
                    store_of(&self.builder, self.scalars[*scalar], old[(at + 1) % old.len()])?;
                }
                Ok(())
            }
            Statement::If { when, then, otherwise } => {
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
            Statement::Tick(value) => {
                let value = self.value(value, Kind::I64)?;
                self.builder.build_call(self.tick, &[value.into()], "")?;
                Ok(())
            }
        }
    }

    /// Integers that floats will be read from have the bits of floats from 0 to 1 only.
    fn tame(&self, value: BasicValueEnum<'c>, array: usize) -> Built<BasicValueEnum<'c>> {
        let BasicValueEnum::IntValue(number) = value else { return Ok(value) };
        if !self.is_seen_as_float(array) {
            return Ok(value);
        }
        let mask = match number.get_type().get_bit_width() {
            8 => 0x3F,
            16 => 0x3F3F,
            32 => 0x3F3F_3F3F,
            _ => 0x3F3F_3F3F_3F3F_3F3F,
        };
        Ok(self.builder.build_and(number, number.get_type().const_int(mask, false), "")?.into())
    }

    /// Whether some array with the same memory has floats.
    fn is_seen_as_float(&self, array: usize) -> bool {
        let root = |mut at: usize| {
            while let Base::View { of, .. } = self.program.arrays[at].base {
                at = of;
            }
            at
        };
        let own = root(array);
        (0..self.program.arrays.len()).any(|at| root(at) == own && self.program.arrays[at].kind.is_float())
    }

    fn counted(&mut self, this: &'p Loop) -> Built<()> {
        let context = self.context;
        let ty = if this.wide { context.i64_type() } else { context.i32_type() };
        let is_down = this.step < 0;
        let (from, to) = (self.sum(&this.from)?, self.sum(&this.to)?);
        let (from, to) = (self.narrowed(from, ty)?, self.narrowed(to, ty)?);
        let here = self.builder.get_insert_block().expect("law: the builder stands in a block");
        let first_block = self.f.get_first_basic_block().expect("law: f has an entry");
        let first = first_block.get_first_instruction();
        first.map_or_else(|| self.builder.position_at_end(first_block), |first| self.builder.position_before(&first));
        let memory = self.builder.build_alloca(ty, "c")?;
        self.builder.position_at_end(here);
        let one = ty.const_int(1, false);
        let start = if is_down { self.builder.build_int_sub(to, one, "")? } else { from };
        store_of(&self.builder, memory, start.into())?;
        let [head, body, latch, exit] =
            ["head", "body", "latch", "exit"].map(|name| context.append_basic_block(self.f, name));
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(head);
        let counter = self.builder.build_load(ty, memory, "")?.into_int_value();
        let (relation, bound) = if is_down { (IntPredicate::SGE, from) } else { (IntPredicate::SLT, to) };
        let goes_on = self.builder.build_int_compare(relation, counter, bound, "")?;
        self.builder.build_conditional_branch(goes_on, body, exit)?;
        self.builder.position_at_end(body);
        let range = this.range(&self.ranges);
        self.ranges.push(range);
        self.counters.push((memory, ty));
        self.statements(&this.body)?;
        match &this.leave {
            None => self.builder.build_unconditional_branch(latch)?,
            Some(when) => {
                let leaves = self.condition(when)?;
                self.builder.build_conditional_branch(leaves, exit, latch)?
            }
        };
        self.counters.pop();
        self.ranges.pop();
        self.builder.position_at_end(latch);
        let counter = self.builder.build_load(ty, memory, "")?.into_int_value();
        let step = ty.const_int(this.step as u64, true);
        let next = self.add(counter, step)?;
        store_of(&self.builder, memory, next.into())?;
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(exit);
        Ok(())
    }

    fn add(&self, a: IntValue<'c>, b: IntValue<'c>) -> Built<IntValue<'c>> {
        if self.program.flags { self.builder.build_int_nsw_add(a, b, "") } else { self.builder.build_int_add(a, b, "") }
    }

    fn narrowed(&self, value: IntValue<'c>, ty: IntType<'c>) -> Built<IntValue<'c>> {
        if value.get_type() == ty { Ok(value) } else { self.builder.build_int_truncate(value, ty, "") }
    }

    /// The sum in 64 bits.
    fn sum(&self, sum: &Affine) -> Built<IntValue<'c>> {
        let long = self.context.i64_type();
        let mut total = long.const_int(sum.constant as u64, true);
        for (variable, factor) in &sum.terms {
            let value = match variable {
                Variable::N => self.parameters[0],
                Variable::M => self.parameters[1],
                Variable::Counter(depth) => {
                    let Some((memory, ty)) = self.counters.get(*depth) else { continue };
                    let value = self.builder.build_load(*ty, *memory, "")?.into_int_value();
                    if *ty == long { value } else { self.builder.build_int_s_extend(value, long, "")? }
                }
            };
            let factor = long.const_int(*factor as u64, true);
            let term = match self.program.flags {
                true => self.builder.build_int_nsw_mul(value, factor, "")?,
                false => self.builder.build_int_mul(value, factor, "")?,
            };
            total = self.add(total, term)?;
        }
        Ok(total)
    }

    fn place(&self, array: usize, at: &Subscript) -> Built<PointerValue<'c>> {
        let long = self.context.i64_type();
        let constant = |value: i64| long.const_int(value as u64, true);
        let at = match at {
            Subscript::Affine(sum) => self.sum(sum)?,
            Subscript::Modulo(sum, modulus) => {
                let lift = constant(Subscript::lift(sum, *modulus, &self.ranges));
                let lifted = self.add(self.sum(sum)?, lift)?;
                self.builder.build_int_unsigned_rem(lifted, constant(*modulus), "")?
            }
            Subscript::Flipped(sum) => self.builder.build_xor(self.sum(sum)?, constant(1), "")?,
            Subscript::Through { index, at, plus } => {
                let from = self.place(*index, &Subscript::Affine(at.clone()))?;
                let value = self.builder.build_load(self.context.i32_type(), from, "")?.into_int_value();
                self.add(self.builder.build_int_s_extend(value, long, "")?, constant(*plus))?
            }
        };
        let mut base = self.bases[array];
        if self.program.arrays[array].base == Base::Held {
            let pointer = self.context.ptr_type(AddressSpace::default());
            base = self.builder.build_load(pointer, base, "")?.into_pointer_value();
        }
        self.element(self.basic(self.program.arrays[array].kind), base, at)
    }

    fn value(&self, value: &Value, kind: Kind) -> Built<BasicValueEnum<'c>> {
        match value {
            Value::Constant(value) => Ok(self.constant(*value, kind)),
            Value::Load { array, at } => {
                let place = self.place(*array, at)?;
                let from = self.program.arrays[*array].kind;
                let value = self.builder.build_load(self.basic(from), place, "")?;
                self.converted(value, kind)
            }
            Value::Scalar(at) => {
                let from = self.program.scalars[*at];
                let value = self.builder.build_load(self.basic(from), self.scalars[*at], "")?;
                self.converted(value, kind)
            }
            Value::Counter(sum) => self.converted(self.sum(sum)?.into(), kind),
            Value::Binary(operator, a, b) => {
                let (a, b) = (self.value(a, kind)?, self.value(b, kind)?);
                self.binary(*operator, a, b)
            }
            Value::Choice(when, a, b) => {
                let when = self.condition(when)?;
                let (a, b) = (self.value(a, kind)?, self.value(b, kind)?);
                self.builder.build_select(when, a, b, "")
            }
        }
    }

    fn converted(&self, value: BasicValueEnum<'c>, kind: Kind) -> Built<BasicValueEnum<'c>> {
        let to = self.basic(kind);
        match (value, to) {
            (BasicValueEnum::IntValue(value), BasicTypeEnum::IntType(to)) => {
                Ok(self.builder.build_int_cast_sign_flag(value, to, true, "")?.into())
            }
            (BasicValueEnum::IntValue(value), BasicTypeEnum::FloatType(to)) => {
                let byte = self.builder.build_int_cast_sign_flag(value, self.context.i8_type(), true, "")?;
                let whole = self.builder.build_signed_int_to_float(byte, to, "")?;
                Ok(self.builder.build_float_mul(whole, to.const_float(1.0 / 128.0), "")?.into())
            }
            (BasicValueEnum::FloatValue(value), BasicTypeEnum::IntType(to)) => {
                let zero = value.get_type().const_zero();
                let is_positive = self.builder.build_float_compare(FloatPredicate::OGT, value, zero, "")?;
                Ok(self.builder.build_int_z_extend(is_positive, to, "")?.into())
            }
            (BasicValueEnum::FloatValue(value), BasicTypeEnum::FloatType(to)) => {
                Ok(self.builder.build_float_cast(value, to, "")?.into())
            }
            (value, _) => Ok(value),
        }
    }

    /// Sums of floats are halved where both sides may be large: nothing grows beyond what a few thousand sums make.
    fn binary(&self, operator: Operator, a: BasicValueEnum<'c>, b: BasicValueEnum<'c>) -> Built<BasicValueEnum<'c>> {
        use Operator::*;
        let build = &self.builder;
        if let (BasicValueEnum::FloatValue(a), BasicValueEnum::FloatValue(b)) = (a, b) {
            let half = a.get_type().const_float(0.5);
            let compared = |relation| build.build_float_compare(relation, a, b, "");
            return Ok(match operator {
                Add => build.build_float_add(a, b, "")?.into(),
                Subtract | Xor => build.build_float_sub(a, b, "")?.into(),
                Multiply | And | Or => {
                    build.build_float_mul(build.build_float_mul(a, half, "")?, self.small(b)?, "")?.into()
                }
                Least => build.build_select(compared(FloatPredicate::OLT)?, a, b, "")?,
                Greatest => build.build_select(compared(FloatPredicate::OGT)?, a, b, "")?,
            });
        }
        let (a, b) = (a.into_int_value(), b.into_int_value());
        let compared = |relation| build.build_int_compare(relation, a, b, "");
        Ok(match operator {
            Add => build.build_int_add(a, b, "")?.into(),
            Subtract => build.build_int_sub(a, b, "")?.into(),
            Multiply => build.build_int_mul(a, b, "")?.into(),
            And => build.build_and(a, b, "")?.into(),
            Or => build.build_or(a, b, "")?.into(),
            Xor => build.build_xor(a, b, "")?.into(),
            Least => build.build_select(compared(IntPredicate::SLT)?, a, b, "")?,
            Greatest => build.build_select(compared(IntPredicate::SGT)?, a, b, "")?,
        })
    }

    /// The float, or an eighth where it is not between -1 and 1: products do not grow.
    fn small(&self, value: inkwell::values::FloatValue<'c>) -> Built<inkwell::values::FloatValue<'c>> {
        let ty = value.get_type();
        let below = self.builder.build_float_compare(FloatPredicate::OLT, value, ty.const_float(1.0), "")?;
        let above = self.builder.build_float_compare(FloatPredicate::OGT, value, ty.const_float(-1.0), "")?;
        let inside = self.builder.build_and(below, above, "")?;
        Ok(self.builder.build_select(inside, value, ty.const_float(0.125), "")?.into_float_value())
    }

    fn condition(&self, condition: &Condition) -> Built<IntValue<'c>> {
        match condition {
            Condition::Affine { equal, a, b } => {
                let relation = if *equal { IntPredicate::EQ } else { IntPredicate::SLT };
                self.builder.build_int_compare(relation, self.sum(a)?, self.sum(b)?, "")
            }
            Condition::Data { kind, a, b } => match (self.value(a, *kind)?, self.value(b, *kind)?) {
                (BasicValueEnum::FloatValue(a), BasicValueEnum::FloatValue(b)) => {
                    self.builder.build_float_compare(FloatPredicate::OLT, a, b, "")
                }
                (a, b) => self.builder.build_int_compare(IntPredicate::SLT, a.into_int_value(), b.into_int_value(), ""),
            },
            Condition::Not(inner) => self.builder.build_not(self.condition(inner)?, ""),
            Condition::Both(a, b) => self.builder.build_and(self.condition(a)?, self.condition(b)?, ""),
        }
    }
}
