//! What is unsafe about owning a module: machine code that is called, on memory of [`memory`], with threads of LLVM's library or of [`turns`].

mod memory;
mod turns;

use super::program::{Program, ROWS, Runtime, Way};
use crate::llvm::Promise;
use inkwell::OptimizationLevel;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::execution_engine::ExecutionEngine;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::support::load_library_permanently;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
pub use memory::{Arena, Contents, Outcome, is_nan};
use std::cell::{Cell, OnceCell};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

/// The module's name for the call that nobody knows.
pub(super) const TICK: &str = "tick";

/// The module's name for the number of threads to come.
pub(super) const SET_THREADS: &str = "set_threads";

/// The module's names for functions that touch no memory, and that read some.
pub(super) const CONSTANT: &str = "constant";
pub(super) const READING: &str = "reading";

/// What a module that runs calls for the address of a thread's own variable.
const THREAD_MEMORY: &str = "thread_memory";

/// The name of the global that an array is.
pub(super) fn global_name(array: usize) -> String {
    format!("g{array}")
}

/// The name of the variable, one of which each thread has.
pub(super) fn thread_local_name(array: usize) -> String {
    format!("t{array}")
}

/// The library that parallel code calls.
const OPENMP: &str = concat!(env!("LOOPWRIGHT_LLVM_LIBDIR"), "/libomp.so");

/// What the unknown call was called with.
static TICKS: Mutex<Vec<i64>> = Mutex::new(Vec::new());

/// Addresses of element 0 of each array, as the thread of the program has them.
static ZEROS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this is the thread of the program.
    static IS_FIRST: Cell<bool> = const { Cell::new(false) };
    static MACHINE: OnceCell<TargetMachine> = const { OnceCell::new() };
}

extern "C" fn tick(value: i64) {
    locked(&TICKS).push(value);
}

extern "C" fn constant(value: i64) -> i64 {
    (value ^ value >> 3).wrapping_mul(5)
}

extern "C" fn reading(value: i64) -> i64 {
    const TABLE: [i64; 8] = [3, -1, 4, 1, -5, 9, 2, -6];
    TABLE[(value & 7) as usize]
}

/// Bytes for the variables of threads that are not the program's.
const ELSEWHERE: usize = 1 << 16;

/// The middle of memory in which what is written is lost.
fn elsewhere() -> usize {
    static MEMORY: OnceLock<usize> = OnceLock::new();
    *MEMORY.get_or_init(|| Box::leak(vec![0x11_u8; ELSEWHERE].into_boxed_slice()).as_ptr() as usize + ELSEWHERE / 2)
}

extern "C" fn thread_memory(array: i32) -> usize {
    if IS_FIRST.get() {
        return locked(&ZEROS)[array as usize];
    }
    elsewhere()
}

extern "C" fn keep_threads(_: i32) {}

#[link(name = "c")]
unsafe extern "C" {
    fn dlsym(library: *mut u8, name: *const std::ffi::c_char) -> *mut u8;
    fn __errno_location() -> *mut i32;
}

/// A library may leave any number in `errno`.
fn disturb_errno() {
    const TRY_AGAIN: i32 = 11;
    // SAFETY: the address is that of the thread's own variable.
    unsafe { *__errno_location() = TRY_AGAIN };
}

/// `work()`, behind which `errno` is what it was. Waiting for a lock of Rust's sets it now and then, where functions that a program calls set nothing.
fn keeping_errno<R>(work: impl FnOnce() -> R) -> R {
    // SAFETY: the address is that of the thread's own variable.
    let kept = unsafe { *__errno_location() };
    let result = work();
    // SAFETY: as above.
    unsafe { *__errno_location() = kept };
    result
}

/// What a lock guards; `errno` stays what it is.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    keeping_errno(|| lock.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The address of element `at`, with or without the promise that it lies in the object.
pub(super) fn element_address<'c>(
    builder: &Builder<'c>,
    ty: BasicTypeEnum<'c>,
    base: PointerValue<'c>,
    at: IntValue<'c>,
    promise: Promise,
) -> Result<PointerValue<'c>, BuilderError> {
    address(builder, ty, base, &[at], promise)
}

/// The address of a member of a structure of an array of them.
pub(super) fn member_address<'c>(
    builder: &Builder<'c>,
    structure: BasicTypeEnum<'c>,
    base: PointerValue<'c>,
    at: [IntValue<'c>; 2],
    promise: Promise,
) -> Result<PointerValue<'c>, BuilderError> {
    address(builder, structure, base, &at, promise)
}

fn address<'c>(
    builder: &Builder<'c>,
    ty: BasicTypeEnum<'c>,
    base: PointerValue<'c>,
    at: &[IntValue<'c>],
    promise: Promise,
) -> Result<PointerValue<'c>, BuilderError> {
    // SAFETY: the types are sized and there is one index, or two and the type is a structure with that member, so that LLVM can build the
    // instruction; that the address lies in its array is what `Program::extents` says, and is not needed for building.
    unsafe {
        match promise {
            Promise::Inbounds | Promise::InboundsBehind => builder.build_in_bounds_gep(ty, base, at, ""),
            Promise::Nothing => builder.build_gep(ty, base, at, ""),
        }
    }
}

/// A store, whose instruction nobody needs.
pub(super) fn store_of<'c>(
    builder: &Builder<'c>,
    place: PointerValue<'c>,
    value: BasicValueEnum<'c>,
) -> Result<(), BuilderError> {
    builder.build_store(place, value).map(drop)
}

/// The machine that everything is compiled for: this one, with the instructions that every x86-64 has.
pub(super) fn machine<R>(with: impl FnOnce(&TargetMachine) -> R) -> R {
    prepare();
    MACHINE.with(|machine| {
        with(machine.get_or_init(|| {
            let triple = TargetMachine::get_default_triple();
            let target = Target::from_triple(&triple).expect("law: LLVM knows the machine it runs on");
            let level = OptimizationLevel::Less;
            let made =
                target.create_target_machine(&triple, "x86-64", "", level, RelocMode::Default, CodeModel::Default);
            made.expect("law: LLVM knows the machine it runs on")
        }))
    })
}

impl Arena<'_> {
    /// Compiles the module, after the passes `after` if there are any, and runs its `entry` once on fresh contents with each number of threads;
    /// `Err` if LLVM cannot compile it.
    pub fn run(&mut self, ir: &str, after: &str, way: &Way) -> Result<Vec<Outcome>, String> {
        prepare();
        let context = Context::create();
        let text = with_own_threads(ir);
        let buffer = MemoryBuffer::create_from_memory_range_copy(format!("{text}\0").as_bytes(), "fuzz");
        let module = context.create_module_from_ir(buffer).map_err(|error| error.to_string())?;
        if !after.is_empty() {
            let ran = machine(|machine| module.run_passes(after, machine, PassBuilderOptions::create()));
            ran.map_err(|error| error.to_string())?;
        }
        let engine = module.create_jit_execution_engine(OptimizationLevel::None).map_err(|error| error.to_string())?;
        self.map(&module, &engine, way.runtime);
        let entry = engine.get_function_address("entry").map_err(|error| error.to_string())?;
        let mut outcomes = Vec::new();
        for count in &way.threads {
            self.fill();
            let arguments = self.arguments();
            let call = || {
                IS_FIRST.set(true);
                turns::begin(way.runtime);
                let set_threads = set_threads_of_library();
                // SAFETY: `entry` is the function of that type that `lower` makes, compiled by an engine that outlives the call; it reads the
                // arguments and touches the memory that they point to, which lives in `self`; the address of errno is the thread's own. The
                // library sets errno when it first hears of a thread, so that it does here.
                unsafe {
                    if matches!(way.runtime, Runtime::Library { .. }) {
                        let set_threads: extern "C" fn(i32) = std::mem::transmute(set_threads);
                        set_threads(*count);
                    }
                    *__errno_location() = 0;
                    let entry: extern "C" fn(*const u64, i32) = std::mem::transmute(entry);
                    entry(arguments.as_ptr(), *count);
                    *__errno_location()
                }
            };
            let errno = match way.runtime {
                Runtime::Library { new_thread: true } => std::thread::scope(|scope| scope.spawn(call).join()),
                _ => Ok(call()),
            };
            outcomes.push(self.outcome(errno.unwrap_or(-1)));
        }
        Ok(outcomes)
    }

    fn map(&self, module: &Module<'_>, engine: &ExecutionEngine<'_>, runtime: Runtime) {
        let map = |name: &str, to: usize| {
            module.get_function(name).iter().for_each(|function| engine.add_global_mapping(function, to));
        };
        map(TICK, tick as *const () as usize);
        map(CONSTANT, constant as *const () as usize);
        map(READING, reading as *const () as usize);
        map(THREAD_MEMORY, thread_memory as *const () as usize);
        match runtime {
            Runtime::Library { .. } => map(SET_THREADS, set_threads_of_library()),
            Runtime::Turns { .. } => turns::entries().iter().for_each(|(name, to)| map(name, *to)),
        }
        for (at, zero) in self.zeros().iter().enumerate() {
            if let Some(global) = module.get_global(&global_name(at)) {
                engine.add_global_mapping(&global, *zero as usize);
            }
            if let Some(global) = module.get_global(&thread_local_name(at)) {
                engine.add_global_mapping(&global, elsewhere());
            }
        }
    }

    fn arguments(&self) -> Vec<u64> {
        let program: &Program = self.program();
        let mut arguments: Vec<u64> = self.zeros().iter().map(|zero| *zero as u64).collect();
        *locked(&ZEROS) = self.zeros().iter().map(|zero| *zero as usize).collect();
        const { assert!(ROWS > 0) };
        arguments.extend([self.table_address(), self.results_address()]);
        arguments.extend([program.n as u64, program.m as u64]);
        arguments
    }
}

/// The text with a call in place of each address of a thread's own variable: the engine that compiles has no place for these.
fn with_own_threads(ir: &str) -> String {
    const INTRINSIC: &str = "@llvm.threadlocal.address.p0(";
    if !ir.contains(INTRINSIC) {
        return ir.to_string();
    }
    let line_of = |line: &str| {
        let (before, inside) = line.split_once(INTRINSIC)?;
        let (name, _) = before.split_once(" = ")?;
        let number: String = inside.split_once("@t")?.1.chars().take_while(char::is_ascii_digit).collect();
        Some(format!("{name} = call ptr @{THREAD_MEMORY}(i32 {number})"))
    };
    let is_declared = |line: &&str| !(line.starts_with("declare") && line.contains(INTRINSIC));
    let lines: Vec<String> = ir
        .lines()
        .filter(is_declared)
        .map(|line| line_of(line).unwrap_or_else(|| line.replace("external thread_local global", "external global")))
        .collect();
    format!("{}\ndeclare ptr @{THREAD_MEMORY}(i32) nounwind willreturn memory(none)\n", lines.join("\n"))
}

/// The native target and the library of threads, once.
fn prepare() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        Target::initialize_native(&InitializationConfig::default()).expect("law: LLVM knows the machine it runs on");
        load_library_permanently(Path::new(OPENMP))
            .unwrap_or_else(|_| panic!("{OPENMP} is not there: scripts/setup installs it"));
    });
}

fn set_threads_of_library() -> usize {
    // SAFETY: looks a name up in the libraries that are loaded; null is the handle of all of them.
    let found = unsafe { dlsym(std::ptr::null_mut(), c"omp_set_num_threads".as_ptr()) };
    if found.is_null() { keep_threads as *const () as usize } else { found as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_lock_sets_no_errno() {
        static LOCK: Mutex<u32> = Mutex::new(0);
        let is_kept = || {
            disturb_errno();
            // SAFETY: the address is that of the thread's own variable.
            let own = || unsafe { *__errno_location() };
            let before = own();
            // SAFETY: as above.
            unsafe { *__errno_location() = 0 };
            (0..100_000).all(|_| {
                *locked(&LOCK) += 1;
                own() == 0
            }) && before != 0
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(is_kept)).collect();
            assert!(threads.into_iter().all(|thread| thread.join().is_ok_and(|kept| kept)));
        });
    }
}
