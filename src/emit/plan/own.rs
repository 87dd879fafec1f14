//! Arrays that each iteration has of its own: where each thread has them.
//!
//! In `for (i) { double v[40]; ... }` the parts of a parallel loop have a `v` each: on their stacks, if all such arrays
//! of a loop are small enough together, and on the heap otherwise.

use super::storage::Storage;
use crate::ast::For;
use crate::extract::binding::Binding;
use crate::extract::statements::local::Life;
use crate::llvm::{Layout, Type, Value};
use crate::scop::{ArrayId, Scop, Table};

/// Bytes of own arrays that a thread has on its stack, all of a loop together: the smallest stack that a thread may
/// have is of 16 KB, most of which the runtime and the functions that the loop calls need for themselves. More of them
/// are on the heap.
const MOST_ON_STACK: u64 = 2 << 10;

/// Copies of an array that iterations have of their own begin at multiples of so many bytes, those of a line of most
/// caches.
pub const OWN_ALIGNMENT: u64 = 64;

/// What `malloc` gives is aligned to this.
const MALLOC_ALIGNMENT: u32 = 16;

/// The arrays in memory that each part of any parallel loop has for itself.
pub fn own_in_parts<'b>(
    storage: &'b Table<ArrayId, Option<Storage>>,
    binding: &'b Binding<'_>,
) -> impl Iterator<Item = ArrayId> + 'b {
    let is_private = |at: ArrayId| matches!(storage[at], Some(Storage::PrivateSlot { .. }));
    let is_own = move |at: &ArrayId| is_private(*at) && binding.arrays[*at].base.is_some();
    storage.ids().filter(is_own)
}

/// The arrays in memory that each part of a parallel loop has for itself.
pub fn own_arrays<'b>(
    scop: &'b Scop,
    binding: &'b Binding<'_>,
    storage: &'b Table<ArrayId, Option<Storage>>,
    each: &For,
) -> impl Iterator<Item = ArrayId> + 'b {
    let below = each.body.statements();
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
        let more = if is_there { Some(0) } else { own_bytes(binding, array) };
        if let Some(more) = more.filter(|more| *more <= MOST_ON_STACK - bytes) {
            bytes += more;
            found.push(array);
        }
    }
    found
}

/// How much memory an array that iterations have of their own has in the program.
#[derive(Clone, Copy)]
pub enum Room<'ir> {
    /// That of a variable of this type.
    Variable(Type<'ir>),
    /// So many bytes, or a number of them that is known when it is reserved.
    Reserved { count: Value<'ir>, bytes: u64 },
}

/// The memory that is the array in the program.
pub fn own_room<'ir>(binding: &Binding<'ir>, array: ArrayId) -> Room<'ir> {
    let base = binding.arrays[array].base.expect("law: an array that iterations have of their own is in memory");
    if let Some(ty) = base.global_value_type() {
        return Room::Variable(ty);
    }
    let base =
        base.as_instruction().expect("law: an array that iterations have of their own is a variable, or was reserved");
    match (base.alloca(), base.call()) {
        (Some(variable), _) if variable.count.as_integer() == Some(1) => Room::Variable(variable.ty),
        (Some(row), _) => Room::Reserved { count: row.count, bytes: layout(binding).alloc_size(row.ty) },
        (None, Some(call)) => Room::Reserved { count: call.arguments()[0], bytes: 1 },
        (None, None) => unreachable!("law: memory that nobody else knows of is a variable, or was reserved"),
    }
}

/// The bytes of a variable that iterations have of their own; `None` if how many there are is known when it is reserved, or what of it is used by the
/// accesses only.
fn own_bytes(binding: &Binding<'_>, array: ArrayId) -> Option<u64> {
    if binding.arrays[array].life == Life::Given {
        return None;
    }
    match own_room(binding, array) {
        Room::Variable(ty) => Some(layout(binding).alloc_size(ty)),
        Room::Reserved { .. } => None,
    }
}

/// What a copy must be aligned to.
pub fn own_alignment(binding: &Binding<'_>, array: ArrayId) -> u64 {
    let base = binding.arrays[array].base;
    if binding.arrays[array].life == Life::Given {
        return alignment_of_accesses(binding);
    }
    let variable = base.and_then(|base| base.as_instruction()?.alloca()).map(|variable| variable.alignment);
    // What LLVM takes a variable to be aligned to that does not say so is not more than what `malloc` gives.
    let of_global =
        || base?.global_alignment().map(|alignment| if alignment > 0 { alignment } else { MALLOC_ALIGNMENT });
    variable.or_else(of_global).map_or(1, u64::from)
}

/// The most that a load or store of the program promises its address to be a multiple of.
fn alignment_of_accesses(binding: &Binding<'_>) -> u64 {
    let instructions = binding.region.blocks.iter().flat_map(|block| block.instructions());
    let promised = instructions.filter_map(|each| each.memory()).map(|access| access.alignment);
    u64::from(promised.max().unwrap_or(1))
}

fn layout<'ir>(binding: &Binding<'ir>) -> Layout<'ir> {
    binding.region.entry.function().layout()
}
