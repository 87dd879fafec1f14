//! What is unsafe about owning a module: addresses in memory, pages without access, machine code that is called.
//!
//! An array of 100 bytes lies at the end of a page, the next page has no access, so that reading one byte too many ends the process; whoever runs
//! cases does so in a process of its own.

use super::program::{BINS, Base, Kind, Program};
use fastrand::Rng;
use inkwell::OptimizationLevel;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::support::load_library_permanently;
use inkwell::targets::{InitializationConfig, Target};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

/// The module's name for the call that nobody knows.
pub(super) const TICK: &str = "tick";

/// The module's name for the number of threads to come.
pub(super) const SET_THREADS: &str = "set_threads";

/// The name of the global that an array is.
pub(super) fn global_name(array: usize) -> String {
    format!("g{array}")
}

/// Bytes of a page.
const PAGE: usize = 4096;

/// The library that parallel code calls.
const OPENMP: &str = concat!(env!("LOOPWRIGHT_LLVM_LIBDIR"), "/libomp.so");

/// What the unknown call was called with.
static TICKS: Mutex<Vec<i64>> = Mutex::new(Vec::new());

extern "C" fn tick(value: i64) {
    TICKS.lock().unwrap_or_else(PoisonError::into_inner).push(value);
}

extern "C" fn keep_threads(_: i32) {}

#[link(name = "c")]
unsafe extern "C" {
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn mprotect(at: *mut u8, length: usize, protection: i32) -> i32;
    fn munmap(at: *mut u8, length: usize) -> i32;
    fn dlsym(library: *mut u8, name: *const std::ffi::c_char) -> *mut u8;
}

const NO_ACCESS: i32 = 0;
const READ_WRITE: i32 = 3;
const PRIVATE_ANONYMOUS: i32 = 0x22;

/// The address of element `at`, with or without the promise that it lies in the object.
pub(super) fn element_address<'c>(
    builder: &Builder<'c>,
    ty: BasicTypeEnum<'c>,
    base: PointerValue<'c>,
    at: IntValue<'c>,
    promised: bool,
) -> Result<PointerValue<'c>, BuilderError> {
    // SAFETY: the types are sized and there is one index, so that LLVM can build the instruction; that the address lies in its array is what
    // `Program::extents` says, and is not needed for building.
    unsafe {
        match promised {
            true => builder.build_in_bounds_gep(ty, base, &[at], ""),
            false => builder.build_gep(ty, base, &[at], ""),
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

/// Memory with a page without access before and behind it.
struct Guarded {
    start: *mut u8,
    length: usize,
    data: *mut u8,
    bytes: usize,
}

impl Guarded {
    fn new(bytes: usize, at_end: bool) -> Guarded {
        let pages = bytes.div_ceil(PAGE).max(1);
        let length = (pages + 2) * PAGE;
        // SAFETY: new anonymous memory at a place that the system chooses; the protection is changed for whole pages of it.
        let start = unsafe { mmap(std::ptr::null_mut(), length, NO_ACCESS, PRIVATE_ANONYMOUS, -1, 0) };
        assert!(start as isize != -1, "no memory for {bytes} bytes");
        let inside = start.wrapping_add(PAGE);
        // SAFETY: as above.
        let failed = unsafe { mprotect(inside, pages * PAGE, READ_WRITE) };
        assert_eq!(failed, 0, "no access to {bytes} bytes");
        let data = if at_end { inside.wrapping_add(pages * PAGE - bytes) } else { inside };
        Guarded { start, length, data, bytes }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `data` begins `bytes` bytes with access, which live as long as `self`, and nothing compiled runs while the slice does.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.bytes) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the pages are those of `new`, and no slice of them outlives `self`.
        unsafe { munmap(self.start, self.length) };
    }
}

/// What a run leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The bytes of each array that has memory of its own, then the scalars.
    pub memory: Vec<Vec<u8>>,
    pub ticks: Vec<i64>,
}

/// The memory that a program runs in.
pub struct Arena<'p> {
    program: &'p Program,
    owned: Vec<Option<Guarded>>,
    /// Where element 0 of each array is.
    zeros: Vec<*mut u8>,
    table: Guarded,
    results: Guarded,
}

impl<'p> Arena<'p> {
    pub fn new(program: &'p Program) -> Arena<'p> {
        let extents = program.extents();
        let n = program.arrays.len();
        let mut needed: Vec<(i64, i64)> = vec![(i64::MAX, i64::MIN); n];
        let place = |mut at: usize| {
            let mut bytes = 0;
            while let Base::View { of, shift } = program.arrays[at].base {
                bytes += shift * program.arrays[of].kind.bytes() as i64;
                at = of;
            }
            (at, bytes - bytes.rem_euclid(8))
        };
        for at in 0..n {
            let (root, shift) = place(at);
            let size = program.arrays[at].kind.bytes() as i64;
            let (low, high) = extents[at];
            needed[root].0 = needed[root].0.min(shift + low * size);
            needed[root].1 = needed[root].1.max(shift + (high + 1) * size);
        }
        let down = |x: i64| x.div_euclid(8) * 8;
        let owned: Vec<Option<Guarded>> = needed
            .iter()
            .map(|(low, high)| {
                (low < high).then(|| Guarded::new((down(high + 7) - down(*low)) as usize, program.at_end))
            })
            .collect();
        let zeros = (0..n)
            .map(|at| {
                let (root, shift) = place(at);
                let memory = owned[root].as_ref().expect("law: what is viewed has memory");
                memory.data.wrapping_offset((shift - down(needed[root].0)) as isize)
            })
            .collect();
        let (table, results) = (Guarded::new(8 * n, true), Guarded::new(8 * program.scalars.len().max(1), true));
        Arena { program, owned, zeros, table, results }
    }

    /// The same contents each time.
    fn fill(&mut self) {
        let mut rng = Rng::with_seed(self.program.contents);
        for (at, array) in self.program.arrays.iter().enumerate() {
            let Some(memory) = &mut self.owned[at] else { continue };
            for cell in memory.bytes_mut().chunks_exact_mut(8) {
                let number = rng.i64(-40..40);
                match array.kind {
                    _ if array.is_index => {
                        let halves = [rng.i64(0..BINS) as i32, rng.i64(0..BINS) as i32];
                        cell[..4].copy_from_slice(&halves[0].to_le_bytes());
                        cell[4..].copy_from_slice(&halves[1].to_le_bytes());
                    }
                    Kind::F64 => cell.copy_from_slice(&(number as f64 / 64.0).to_le_bytes()),
                    Kind::F32 => {
                        let half = (number as f32 / 64.0).to_le_bytes();
                        cell[..4].copy_from_slice(&half);
                        cell[4..].copy_from_slice(&half);
                    }
                    _ => cell.iter_mut().for_each(|byte| *byte = rng.u8(..) & 0x3F),
                }
            }
        }
        for (at, zero) in self.zeros.iter().enumerate() {
            self.table.bytes_mut()[8 * at..8 * at + 8].copy_from_slice(&(*zero as u64).to_le_bytes());
        }
        self.results.bytes_mut().fill(0);
        TICKS.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn outcome(&mut self) -> Outcome {
        let mut memory: Vec<Vec<u8>> = self.owned.iter_mut().flatten().map(|own| own.bytes_mut().to_vec()).collect();
        memory.push(self.results.bytes_mut().to_vec());
        Outcome { memory, ticks: TICKS.lock().unwrap_or_else(PoisonError::into_inner).clone() }
    }

    /// Compiles the module and runs its `entry` once on fresh contents with each number of threads; `Err` if LLVM cannot compile it.
    pub fn run(&mut self, ir: &str, threads: &[i32]) -> Result<Vec<Outcome>, String> {
        prepare();
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(format!("{ir}\0").as_bytes(), "fuzz");
        let module = context.create_module_from_ir(buffer).map_err(|error| error.to_string())?;
        let engine = module.create_jit_execution_engine(OptimizationLevel::Less).map_err(|error| error.to_string())?;
        let map = |name: &str, to: usize| {
            module.get_function(name).iter().for_each(|function| engine.add_global_mapping(function, to));
        };
        map(TICK, tick as *const () as usize);
        map(SET_THREADS, set_threads());
        for (at, zero) in self.zeros.iter().enumerate() {
            if let Some(global) = module.get_global(&global_name(at)) {
                engine.add_global_mapping(&global, *zero as usize);
            }
        }
        let entry = engine.get_function_address("entry").map_err(|error| error.to_string())?;
        let mut outcomes = Vec::new();
        for count in threads {
            self.fill();
            let mut arguments: Vec<u64> = self.zeros.iter().map(|zero| *zero as u64).collect();
            arguments.extend([self.table.data as u64, self.results.data as u64]);
            arguments.extend([self.program.n as u64, self.program.m as u64]);
            // SAFETY: `entry` is the function of that type that `lower` makes, compiled by an engine that outlives the call; it reads the
            // arguments and touches the memory that they point to, which lives in `self`.
            unsafe {
                let entry: extern "C" fn(*const u64, i32) = std::mem::transmute(entry);
                entry(arguments.as_ptr(), *count);
            }
            outcomes.push(self.outcome());
        }
        Ok(outcomes)
    }
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

fn set_threads() -> usize {
    // SAFETY: looks a name up in the libraries that are loaded; null is the handle of all of them.
    let found = unsafe { dlsym(std::ptr::null_mut(), c"omp_set_num_threads".as_ptr()) };
    if found.is_null() { keep_threads as *const () as usize } else { found as usize }
}
