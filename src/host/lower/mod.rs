//! A program as a module of LLVM: `f0`, `f1` with the loops, and `entry`, which fetches their arguments from memory and calls them.
//!
//! Counters, scalars and pointers live in memory of the stack, as a front end leaves them; loops test at the top. [`places`] computes addresses,
//! [`values`] numbers, [`control`] loops and conditions.

mod control;
mod places;
mod values;

use super::extents::{Range, Ranges};
use super::program::{Array, Base, Function, Kind, Program, Statement, Width};
use super::run::{
    CONSTANT, READING, SET_THREADS, TICK, element_address, global_name, machine, store_of, thread_local_name,
};
use crate::llvm::Promise;
use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FunctionType, IntType, PointerType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue};

/// Bytes between the places that scalars are left in.
pub(super) const SLOT: usize = 16;

/// The name of the function with a body that programs call.
const MIXED: &str = "mixed";

/// The program as text; `args` of `entry(args)` points to one pointer for each array, one to the table of held pointers, one to the results, then `n`
/// and `m`.
pub(super) fn lowered(program: &Program) -> String {
    let context = Context::create();
    let module = context.create_module("fuzz");
    machine(|machine| {
        module.set_triple(&machine.get_triple());
        module.set_data_layout(&machine.get_target_data().get_data_layout());
    });
    let built = module_of(&context, &module, program);
    built.expect("law: the builder stands in a block");
    with_attributes(&module.print_to_string().to_string())
}

fn module_of<'c>(context: &'c Context, module: &Module<'c>, program: &Program) -> Built<()> {
    let extents = program.extents();
    let mut slot = 0;
    for (number, function) in program.functions.iter().enumerate() {
        let mut lowering = Lowering::new(context, module, program, function, &format!("f{number}"))?;
        lowering.extents.clone_from(&extents);
        lowering.everything(slot)?;
        slot += function.scalars.len() + function.sums;
    }
    entry(context, module, program)
}

/// Declarations with what inkwell cannot say of them.
fn with_attributes(text: &str) -> String {
    let replaced = [
        (format!("declare i64 @{CONSTANT}(i64)"), "nounwind willreturn memory(none)"),
        (format!("declare i64 @{READING}(i64)"), "nounwind willreturn memory(read)"),
        ("declare double @sqrt(double)".to_string(), "nounwind willreturn"),
        ("declare double @log(double)".to_string(), "nounwind willreturn"),
        ("declare double @exp(double)".to_string(), "nounwind willreturn"),
    ];
    replaced.iter().fold(text.to_string(), |text, (from, more)| text.replace(from, &format!("{from} {more}")))
}

type Built<T> = Result<T, BuilderError>;

/// One function on its way.
struct Lowering<'c, 'p> {
    context: &'c Context,
    module: &'p Module<'c>,
    builder: Builder<'c>,
    program: &'p Program,
    source: &'p Function,
    f: FunctionValue<'c>,
    extents: Vec<Range>,
    /// Where each array's element 0 is; for held ones, rows and variables, where the pointer to it is.
    bases: Vec<PointerValue<'c>>,
    scalars: Vec<PointerValue<'c>>,
    sums: Vec<PointerValue<'c>>,
    parameters: [IntValue<'c>; 2],
    /// Of the loops around the place: the counter's memory, and its type.
    counters: Vec<(PointerValue<'c>, Width)>,
    /// What is behind them, outermost first.
    exits: Vec<BasicBlock<'c>>,
    /// Where results are left.
    end: BasicBlock<'c>,
    ranges: Ranges,
}

impl<'c, 'p> Lowering<'c, 'p> {
    fn new(
        context: &'c Context,
        module: &'p Module<'c>,
        program: &'p Program,
        source: &'p Function,
        name: &str,
    ) -> Built<Self> {
        let f = module.add_function(name, type_of_functions(context, program), None);
        let attribute = |name: &str| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
        f.add_attribute(AttributeLoc::Function, attribute("noinline"));
        f.add_attribute(AttributeLoc::Function, attribute("nounwind"));
        for (at, array) in program.arrays.iter().enumerate() {
            if array.base == (Base::Argument { alone: true }) {
                f.add_attribute(AttributeLoc::Param(at as u32), attribute("noalias"));
            }
        }
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(f, "entry"));
        let n = program.arrays.len();
        let parameter =
            |at: usize| f.get_nth_param(at as u32).expect("law: f has that many parameters").into_int_value();
        Ok(Lowering {
            context,
            module,
            builder,
            program,
            source,
            f,
            extents: Vec::new(),
            bases: Vec::new(),
            scalars: Vec::new(),
            sums: Vec::new(),
            parameters: [parameter(n + 2), parameter(n + 3)],
            counters: Vec::new(),
            exits: Vec::new(),
            end: context.append_basic_block(f, "end"),
            ranges: Vec::new(),
        })
    }

    fn argument(&self, at: usize) -> PointerValue<'c> {
        self.f.get_nth_param(at as u32).expect("law: f has that many parameters").into_pointer_value()
    }

    /// The body; its scalars are left in the results from `slot` on.
    fn everything(&mut self, slot: usize) -> Built<()> {
        for (at, array) in self.program.arrays.iter().enumerate() {
            let base = self.base(at, array)?;
            self.bases.push(base);
        }
        for (at, kind) in self.source.scalars.iter().enumerate() {
            let memory = self.builder.build_alloca(self.basic(*kind), &format!("s{at}"))?;
            let first = self.constant(at as i64 + 1, *kind);
            store_of(&self.builder, memory, first)?;
            self.scalars.push(memory);
        }
        for _ in 0..self.source.sums {
            let memory = self.builder.build_alloca(self.basic(Kind::F64), "sum")?;
            store_of(&self.builder, memory, self.constant(1, Kind::F64))?;
            self.sums.push(memory);
        }
        let source = self.source;
        self.statements(&source.body)?;
        self.builder.build_unconditional_branch(self.end)?;
        self.builder.position_at_end(self.end);
        let results = self.argument(self.program.arrays.len() + 1);
        let sums = self.sums.iter().map(|memory| (*memory, Kind::F64));
        let all: Vec<_> = self.scalars.iter().copied().zip(source.scalars.iter().copied()).chain(sums).collect();
        for (at, (memory, kind)) in all.into_iter().enumerate() {
            let value = self.builder.build_load(self.basic(kind), memory, "")?;
            let offset = self.context.i64_type().const_int(((slot + at) * SLOT) as u64, false);
            let place =
                element_address(&self.builder, self.context.i8_type().into(), results, offset, Promise::Nothing)?;
            store_of(&self.builder, place, value)?;
        }
        self.builder.build_return(None)?;
        Ok(())
    }

    fn base(&self, at: usize, array: &Array) -> Built<PointerValue<'c>> {
        // Of no length that is known, as `extern char x[];`: what has one byte may be read there whenever LLVM likes, and not each of these has a byte 0.
        let bytes = self.context.i8_type().array_type(0);
        let global = |name: &str| {
            self.module.get_global(name).unwrap_or_else(|| self.module.add_global(bytes, None, name)).as_pointer_value()
        };
        let n = self.program.arrays.len();
        let in_table = |slot: usize| {
            let slot = self.context.i64_type().const_int(slot as u64, false);
            element_address(&self.builder, self.pointer().into(), self.argument(n), slot, self.program.promise())
        };
        match array.base {
            Base::Argument { .. } | Base::View { .. } => Ok(self.argument(at)),
            Base::Global => Ok(global(&global_name(at))),
            Base::ThreadLocal => {
                let name = thread_local_name(at);
                let variable = self.module.get_global(&name).unwrap_or_else(|| {
                    let new = self.module.add_global(bytes, None, &name);
                    new.set_thread_local(true);
                    new
                });
                let address = self.intrinsic("llvm.threadlocal.address", self.pointer().into());
                Ok(self.called(address, &[variable.as_pointer_value().into()])?.into_pointer_value())
            }
            Base::Held => in_table(at),
            Base::Rows => in_table(n + super::program::ROWS as usize * at),
            Base::Variable { of } => {
                let memory = match self.program.in_table {
                    true => in_table(at)?,
                    false => self.builder.build_alloca(self.pointer(), "p")?,
                };
                let first = self.base_value(of)?;
                store_of(&self.builder, memory, first.into())?;
                Ok(memory)
            }
            Base::Local => {
                let (low, high) = self.extents[at];
                let n_elements = (high - low + 2) * array.stride();
                let storage = match self.basic(array.kind) {
                    BasicTypeEnum::FloatType(ty) => ty.array_type(n_elements as u32),
                    BasicTypeEnum::IntType(ty) => ty.array_type(n_elements as u32),
                    _ => self.context.i8_type().array_type(n_elements as u32),
                };
                let memory = self.builder.build_alloca(storage, "local")?;
                Ok(memory)
            }
        }
    }

    /// Calls what has a result.
    fn called(
        &self,
        function: FunctionValue<'c>,
        arguments: &[BasicMetadataValueEnum<'c>],
    ) -> Built<BasicValueEnum<'c>> {
        Ok(self.builder.build_call(function, arguments, "")?.try_as_basic_value().unwrap_basic())
    }

    fn intrinsic(&self, name: &str, ty: BasicTypeEnum<'c>) -> FunctionValue<'c> {
        let found = Intrinsic::find(name).and_then(|intrinsic| intrinsic.get_declaration(self.module, &[ty]));
        found.expect("law: the intrinsic exists for the type")
    }

    /// A function that is declared, or that has a body in the module.
    fn function(&self, name: &str, ty: FunctionType<'c>) -> Built<FunctionValue<'c>> {
        if let Some(there) = self.module.get_function(name) {
            return Ok(there);
        }
        if name != MIXED {
            return Ok(self.module.add_function(name, ty, None));
        }
        let function = self.module.add_function(name, ty, Some(Linkage::Internal));
        let builder = self.context.create_builder();
        builder.position_at_end(self.context.append_basic_block(function, "entry"));
        let x = function.get_nth_param(0).expect("law: it has a parameter").into_int_value();
        let long = self.context.i64_type();
        let product = builder.build_int_mul(x, long.const_int(0x9E37_79B1, false), "")?;
        let high = builder.build_right_shift(product, long.const_int(7, false), false, "")?;
        builder.build_return(Some(&builder.build_xor(high, x, "")?))?;
        Ok(function)
    }

    fn pointer(&self) -> PointerType<'c> {
        self.context.ptr_type(AddressSpace::default())
    }

    fn basic(&self, kind: Kind) -> BasicTypeEnum<'c> {
        match kind {
            Kind::F16 => self.context.f16_type().into(),
            Kind::F32 => self.context.f32_type().into(),
            Kind::F64 => self.context.f64_type().into(),
            Kind::F128 => self.context.f128_type().into(),
            integer => self.integer(integer).into(),
        }
    }

    fn integer(&self, kind: Kind) -> IntType<'c> {
        match kind {
            Kind::I1 => self.context.bool_type(),
            Kind::I8 => self.context.i8_type(),
            Kind::I16 | Kind::F16 => self.context.i16_type(),
            Kind::I32 | Kind::F32 => self.context.i32_type(),
            Kind::I64 | Kind::F64 => self.context.i64_type(),
            Kind::I128 | Kind::F128 => self.context.i128_type(),
        }
    }

    /// A constant; a float is a 64th of it, so that sums and products stay small.
    fn constant(&self, value: i64, kind: Kind) -> BasicValueEnum<'c> {
        match self.basic(kind) {
            BasicTypeEnum::FloatType(ty) => ty.const_float(value as f64 / 64.0).into(),
            _ => self.integer(kind).const_int(value as u64, true).into(),
        }
    }

    fn long(&self, value: i64) -> IntValue<'c> {
        self.context.i64_type().const_int(value as u64, true)
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
                let value = self.value(value, self.source.scalars[*scalar])?;
                store_of(&self.builder, self.scalars[*scalar], value)
            }
            Statement::Sum { sum, value } => self.exact_sum(*sum, value),
            Statement::Rotate(scalars) => {
                let ty = self.basic(self.source.scalars[scalars[0]]);
                let places: Vec<_> = scalars.iter().map(|at| self.scalars[*at]).collect();
                self.rotate(ty, &places)
            }
            Statement::Turn(pointers) => {
                let places: Vec<_> = pointers.iter().map(|at| self.bases[*at]).collect();
                self.rotate(self.pointer().into(), &places)
            }
            Statement::Point { array, to, when } => {
                let holds = self.condition(when)?;
                let (own, other) = (self.base_value(*array)?, self.base_value(*to)?);
                let chosen = self.builder.build_select(holds, other, own, "")?;
                store_of(&self.builder, self.bases[*array], chosen)
            }
            Statement::If { when, then, otherwise } => self.conditional(when, then, otherwise),
            Statement::Scratch { array, value, body } => self.scratch(*array, *value, body),
            Statement::Tick(value) => {
                let value = self.value(value, Kind::I64)?;
                let ty = self.context.void_type().fn_type(&[self.context.i64_type().into()], false);
                let tick = self.function(TICK, ty)?;
                self.builder.build_call(tick, &[value.into()], "")?;
                Ok(())
            }
        }
    }

    /// Each place takes the value of the next.
    fn rotate(&self, ty: BasicTypeEnum<'c>, places: &[PointerValue<'c>]) -> Built<()> {
        let old = places.iter().map(|place| self.builder.build_load(ty, *place, "")).collect::<Built<Vec<_>>>()?;
        for (at, place) in places.iter().enumerate() {
            store_of(&self.builder, *place, old[(at + 1) % old.len()])?;
        }
        Ok(())
    }
}

fn type_of_functions<'c>(context: &'c Context, program: &Program) -> FunctionType<'c> {
    let pointer = context.ptr_type(AddressSpace::default());
    let mut types: Vec<BasicMetadataTypeEnum<'c>> = vec![pointer.into(); program.arrays.len() + 2];
    types.extend::<[BasicMetadataTypeEnum<'c>; 2]>([context.i64_type().into(), context.i64_type().into()]);
    context.void_type().fn_type(&types, false)
}

/// `void entry(ptr args, i32 threads)`
fn entry<'c>(context: &'c Context, module: &Module<'c>, program: &Program) -> Built<()> {
    let builder = context.create_builder();
    let (pointer, int) = (context.ptr_type(AddressSpace::default()), context.i32_type());
    let void = context.void_type();
    let set_threads = module.add_function(SET_THREADS, void.fn_type(&[int.into()], false), None);
    let entry = module.add_function("entry", void.fn_type(&[pointer.into(), int.into()], false), None);
    builder.position_at_end(context.append_basic_block(entry, "entry"));
    let args = entry.get_nth_param(0).expect("law: entry has two parameters").into_pointer_value();
    let threads = entry.get_nth_param(1).expect("law: entry has two parameters");
    builder.build_call(set_threads, &[threads.into()], "")?;
    let mut values = Vec::new();
    for (at, ty) in type_of_functions(context, program).get_param_types().into_iter().enumerate() {
        let ty = BasicTypeEnum::try_from(ty).expect("law: parameters are numbers and pointers");
        let slot = context.i64_type();
        let place = element_address(&builder, slot.into(), args, slot.const_int(at as u64, false), Promise::Nothing)?;
        values.push(builder.build_load(ty, place, "")?.into());
    }
    for number in 0..program.functions.len() {
        let f = module.get_function(&format!("f{number}")).expect("law: every function was built");
        builder.build_call(f, &values, "")?;
    }
    builder.build_return(None)?;
    Ok(())
}
