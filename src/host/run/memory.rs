//! Memory that programs run in: pages without access before and behind each array, the same contents each time.
//!
//! An array of 100 bytes lies at the end of a page, the next page has no access, so that reading one byte too many ends the process; whoever runs
//! cases does so in a process of its own.

use super::{TICKS, locked};
use crate::host::extents::{ROW_SHIFTS, content_of_index};
use crate::host::lower::SLOT;
use crate::host::program::{Base, Content, Kind, Program, ROWS};
use fastrand::Rng;

/// Bytes of a page.
const PAGE: usize = 4096;

const NO_ACCESS: i32 = 0;
const READ_WRITE: i32 = 3;
const PRIVATE_ANONYMOUS: i32 = 0x22;

#[link(name = "c")]
unsafe extern "C" {
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn mprotect(at: *mut u8, length: usize, protection: i32) -> i32;
    fn munmap(at: *mut u8, length: usize) -> i32;
}

/// Which page without access the bytes touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// That before them.
    Start,
    /// That behind them.
    End,
}

/// Memory with a page without access before and behind it.
struct Guarded {
    start: *mut u8,
    length: usize,
    data: *mut u8,
    bytes: usize,
}

impl Guarded {
    fn new(bytes: usize, place: Edge) -> Guarded {
        let pages = bytes.div_ceil(PAGE).max(1);
        let length = (pages + 2) * PAGE;
        // SAFETY: new anonymous memory at a place that the system chooses; the protection is changed for whole pages of it.
        let start = unsafe { mmap(std::ptr::null_mut(), length, NO_ACCESS, PRIVATE_ANONYMOUS, -1, 0) };
        assert!(start as isize != -1, "no memory for {bytes} bytes");
        let inside = start.wrapping_add(PAGE);
        // SAFETY: as above.
        let failed = unsafe { mprotect(inside, pages * PAGE, READ_WRITE) };
        assert_eq!(failed, 0, "no access to {bytes} bytes");
        let data = match place {
            Edge::End => inside.wrapping_add(pages * PAGE - bytes),
            Edge::Start => inside,
        };
        Guarded { start, length, data, bytes }
    }

    /// How many bytes an address is behind the beginning, if it is in these pages.
    fn offset_of(&self, address: u64) -> Option<i64> {
        let pages = self.start as u64..self.start as u64 + self.length as u64;
        pages.contains(&address).then(|| address as i64 - self.data as i64)
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
    /// The bytes of each array that has memory of its own, then the scalars; and which floats are in them.
    pub memory: Vec<(Vec<u8>, Vec<Kind>)>,
    pub ticks: Vec<i64>,
    pub errno: i32,
}

/// What memory holds before a run.
pub struct Contents {
    /// The bytes of each array with memory of its own, by its number.
    pub blocks: Vec<(usize, Vec<u8>)>,
    /// Where element 0 of each array is: in which block, and how many bytes behind where that begins.
    pub zeros: Vec<Option<(usize, i64)>>,
    /// Where the pointers of the table point.
    pub table: Vec<Option<(usize, i64)>>,
    /// Bytes for results.
    pub n_results: usize,
}

/// The memory that a program runs in.
pub struct Arena<'p> {
    program: &'p Program,
    owned: Vec<Option<Guarded>>,
    /// Where element 0 of each array is.
    zeros: Vec<*mut u8>,
    /// Of each array with memory of its own, how many bytes before element 0 it begins.
    before: Vec<i64>,
    table: Guarded,
    results: Guarded,
}

impl<'p> Arena<'p> {
    pub fn new(program: &'p Program) -> Arena<'p> {
        let n = program.arrays.len();
        let edge = if program.at_end { Edge::End } else { Edge::Start };
        let needed = needed(program);
        let owned: Vec<Option<Guarded>> =
            needed.iter().map(|(low, high)| (low < high).then(|| Guarded::new((high - low) as usize, edge))).collect();
        let zeros = (0..n)
            .map(|at| {
                let (root, shift) = root_of(program, at);
                match &owned[root] {
                    Some(memory) => memory.data.wrapping_offset((shift - needed[root].0) as isize),
                    None => std::ptr::null_mut(),
                }
            })
            .collect();
        let n_scalars: usize = program.functions.iter().map(|f| f.scalars.len() + f.sums).sum();
        let table = Guarded::new(8 * n * (1 + ROWS as usize), Edge::End);
        let results = Guarded::new(SLOT * n_scalars.max(1), Edge::End);
        let before = needed.iter().map(|(low, _)| -low).collect();
        Arena { program, owned, zeros, before, table, results }
    }

    pub(super) fn program(&self) -> &Program {
        self.program
    }

    pub(super) fn zeros(&self) -> &[*mut u8] {
        &self.zeros
    }

    pub(super) fn table_address(&self) -> u64 {
        self.table.data as u64
    }

    pub(super) fn results_address(&self) -> u64 {
        self.results.data as u64
    }

    /// The same contents each time.
    pub(super) fn fill(&mut self) {
        let mut rng = Rng::with_seed(self.program.contents);
        let extents = self.program.extents();
        for (at, array) in self.program.arrays.iter().enumerate() {
            let Some(memory) = &mut self.owned[at] else { continue };
            let size = array.kind.bytes();
            if array.content != Content::Data {
                for element in extents[at].0..=extents[at].1 {
                    let value = content_of_index(self.program, at, element).to_le_bytes();
                    let place = (array.offset(element) + self.before[at]) as usize;
                    memory.bytes_mut()[place..place + size].copy_from_slice(&value[..size]);
                }
                continue;
            }
            let is_seen_as_float = self.program.is_seen_as_float(at);
            for cell in memory.bytes_mut().chunks_exact_mut(size) {
                let number = rng.i64(-40..40);
                match array.kind {
                    Kind::I1 => cell[0] = (number & 1) as u8,
                    kind if kind.is_float() => cell.copy_from_slice(&float_bytes(number, kind)[..size]),
                    _ if is_seen_as_float => cell.iter_mut().for_each(|byte| *byte = rng.u8(..) & 0x3F),
                    _ if rng.u8(..4) == 0 => cell.iter_mut().for_each(|byte| *byte = rng.u8(..)),
                    _ => cell.copy_from_slice(&i128::from(number).to_le_bytes()[..size]),
                }
            }
        }
        let table = self.table.bytes_mut();
        for (at, zero) in self.zeros.iter().enumerate() {
            table[8 * at..8 * at + 8].copy_from_slice(&(*zero as u64).to_le_bytes());
            for (row, shift) in ROW_SHIFTS.iter().enumerate() {
                let place = 8 * (self.zeros.len() + ROWS as usize * at + row);
                let array = &self.program.arrays[at];
                let bytes = shift * array.stride() * array.kind.bytes() as i64;
                let pointer = (*zero as u64).wrapping_add(bytes as u64);
                table[place..place + 8].copy_from_slice(&pointer.to_le_bytes());
            }
        }
        self.results.bytes_mut().fill(0);
        locked(&TICKS).clear();
    }

    /// What is there before a run.
    pub fn contents(&mut self) -> Contents {
        self.fill();
        let zeros: Vec<u64> = self.zeros.iter().map(|zero| *zero as u64).collect();
        let table: Vec<u64> = self.table.bytes_mut().chunks_exact(8).map(from_bytes).collect();
        let place = |address: &u64| {
            let mut blocks = self.owned.iter().enumerate().filter_map(|(at, block)| Some((at, block.as_ref()?)));
            blocks.find_map(|(at, block)| Some((at, block.offset_of(*address)?)))
        };
        Contents {
            zeros: zeros.iter().map(place).collect(),
            table: table.iter().map(place).collect(),
            n_results: self.results.bytes,
            blocks: (0..)
                .zip(&mut self.owned)
                .filter_map(|(at, own)| Some((at, own.as_mut()?.bytes_mut().to_vec())))
                .collect(),
        }
    }

    pub(super) fn outcome(&mut self, errno: i32) -> Outcome {
        let families = self.program.families();
        let arrays = &self.program.arrays;
        let floats_of = |root: usize| {
            let in_family = (0..arrays.len()).filter(|at| families[*at] == families[root]);
            in_family.map(|at| arrays[at].kind).filter(|kind| kind.is_float()).collect::<Vec<_>>()
        };
        let mut memory = Vec::new();
        for (at, own) in self.owned.iter_mut().enumerate() {
            memory.extend(own.as_mut().map(|own| (own.bytes_mut().to_vec(), floats_of(at))));
        }
        let kinds = self.program.functions.iter().flat_map(|f| {
            let sums = std::iter::repeat_n(Kind::F64, f.sums);
            f.scalars.iter().copied().chain(sums)
        });
        let results = self.results.bytes_mut().to_vec();
        for (slot, kind) in results.chunks_exact(SLOT).zip(kinds) {
            memory.push((slot.to_vec(), if kind.is_float() { vec![kind] } else { Vec::new() }));
        }
        Outcome { memory, ticks: locked(&TICKS).clone(), errno }
    }
}

/// The array whose memory an array is in, and how many bytes behind its element 0.
fn root_of(program: &Program, mut at: usize) -> (usize, i64) {
    let own = program.arrays[at].kind.bytes() as i64;
    let mut bytes = 0;
    loop {
        match program.arrays[at].base {
            Base::View { of, shift } => {
                bytes += shift * program.arrays[of].kind.bytes() as i64;
                at = of;
            }
            Base::Variable { of } => at = of,
            _ => return (at, bytes - bytes.rem_euclid(own)),
        }
    }
}

/// For each array with memory of its own, from which to which byte, counted from its element 0.
fn needed(program: &Program) -> Vec<(i64, i64)> {
    let n = program.arrays.len();
    let extents = program.extents();
    let families = program.families();
    let is_variable = |at: usize| matches!(program.arrays[at].base, Base::Variable { .. });
    let mut needed: Vec<(i64, i64)> = vec![(i64::MAX, i64::MIN); n];
    for at in 0..n {
        let array = &program.arrays[at];
        if array.base == Base::Local {
            continue;
        }
        let last = array.offset(extents[at].1) + array.kind.bytes() as i64;
        // A pointer may point where any other one may.
        let others = (0..n).filter(|other| *other == at || (is_variable(at) && is_variable(*other)));
        for other in others {
            let (root, shift) = root_of(program, other);
            needed[root].0 = needed[root].0.min(shift + array.offset(extents[at].0));
            needed[root].1 = needed[root].1.max(shift + last);
        }
    }
    for root in 0..n {
        let alignment =
            (0..n).filter(|at| families[*at] == families[root]).map(|at| program.arrays[at].kind.bytes()).max();
        let alignment = alignment.unwrap_or(1) as i64;
        if needed[root].0 < needed[root].1 {
            needed[root].0 = needed[root].0.div_euclid(alignment) * alignment;
            needed[root].1 = (needed[root].1 + alignment - 1).div_euclid(alignment) * alignment;
        }
    }
    needed
}

fn from_bytes(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("law: a pointer has 8 bytes"))
}

/// A 64th of the number.
fn float_bytes(number: i64, kind: Kind) -> [u8; 16] {
    let (exponent_bits, mantissa_bits) = match kind {
        Kind::F16 => (5, 10),
        Kind::F32 => (8, 23),
        Kind::F64 => (11, 52),
        _ => (15, 112),
    };
    if number == 0 {
        return [0; 16];
    }
    let size = u128::from(number.unsigned_abs());
    let top = 127 - size.leading_zeros();
    let exponent = u128::from(top) + (1 << (exponent_bits - 1)) - 1 - 6;
    let mantissa = (size << (mantissa_bits - top)) & ((1 << mantissa_bits) - 1);
    let sign = u128::from(number < 0) << (exponent_bits + mantissa_bits);
    (sign | exponent << mantissa_bits | mantissa).to_le_bytes()
}

/// Whether the bytes are a float that is not a number: which one it is, LLVM leaves open.
pub fn is_nan(bytes: &[u8], kind: Kind) -> bool {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u128::from_le_bytes(all);
    let (exponent_bits, mantissa_bits) = match kind {
        Kind::F16 => (5, 10),
        Kind::F32 => (8, 23),
        Kind::F64 => (11, 52),
        _ => (15, 112),
    };
    let exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1);
    exponent == (1 << exponent_bits) - 1 && bits & ((1 << mantissa_bits) - 1) != 0
}
