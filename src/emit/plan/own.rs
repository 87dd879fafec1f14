//! Arrays that each iteration has of its own: where each thread has them.
//!
//! In `for (i) { double v[40]; ... }` the parts of a parallel loop have a `v` each: on their stacks, if all such arrays
//! of a loop are small enough together, and on the heap otherwise.

use super::reduction;
use super::storage::Storage;
use crate::ast::For;
use crate::extract::binding::Binding;
use crate::llvm::instruction::Alloca;
use crate::scop::{ArrayId, Scop, Table};

/// Bytes of own arrays that a thread has on its stack, all of a loop together: the smallest stack that a thread may
/// have is of 16 KB, most of which the runtime and the functions that the loop calls need for themselves. More of them
/// are on the heap.
const MOST_ON_STACK: u64 = 2 << 10;

/// Copies of an array that iterations have of their own begin at multiples of so many bytes, those of a line of most
/// caches.
pub const OWN_ALIGNMENT: u64 = 64;

/// The arrays in memory that each part of any parallel loop has for itself.
pub fn own_in_parts<'b>(
    storage: &'b Table<ArrayId, Option<Storage>>,
    binding: &'b Binding<'_>,
) -> impl Iterator<Item = ArrayId> + 'b {
    let is_own = |at: &ArrayId| storage[*at] == Some(Storage::PrivateSlot) && binding.arrays[*at].base.is_some();
    storage.ids().filter(is_own)
}

/// The arrays in memory that each part of a parallel loop has for itself.
pub fn own_arrays<'b>(
    scop: &'b Scop,
    binding: &'b Binding<'_>,
    storage: &'b Table<ArrayId, Option<Storage>>,
    each: &For,
) -> impl Iterator<Item = ArrayId> + 'b {
    let below = reduction::statements(&each.body);
    own_in_parts(storage, binding).filter(move |at| {
        let statements = scop.statements.iter().filter(|s| below.contains(&s.name));
        statements.flat_map(|s| &s.accesses).any(|access| access.array == scop.arrays[*at].name)
    })
}

/// Those of them for which there is room on the stack of a thread: what comes first. Arrays of one variable share its
/// memory.
pub fn own_on_stack(
    scop: &Scop,
    binding: &Binding<'_>,
    storage: &Table<ArrayId, Option<Storage>>,
    each: &For,
) -> Vec<ArrayId> {
    let (mut found, mut bytes): (Vec<ArrayId>, u64) = (Vec::new(), 0);
    for array in own_arrays(scop, binding, storage, each) {
        let is_there = found.iter().any(|other| binding.arrays[*other].base == binding.arrays[array].base);
        let more = if is_there { 0 } else { own_bytes(binding, array) };
        if more <= MOST_ON_STACK - bytes {
            bytes += more;
            found.push(array);
        }
    }
    found
}

/// Bytes of an array that iterations have of their own.
pub fn own_bytes(binding: &Binding<'_>, array: ArrayId) -> u64 {
    binding.region.entry.function().layout().alloc_size(own_variable(binding, array).ty)
}

/// The variable that is the array in the program.
pub fn own_variable<'ir>(binding: &Binding<'ir>, array: ArrayId) -> Alloca<'ir> {
    let variable = binding.arrays[array].base.and_then(|base| base.as_instruction()).and_then(|i| i.alloca());
    variable.expect("law: an array that iterations have of their own is a variable on the stack")
}
