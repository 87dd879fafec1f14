//! What calls that may set `errno` ask of the memory around them.
//!
//!     for (int i = 0; i < n; i++) { best[i] = k[i]; x[i] = sqrt(y[i]); }        // int *best, *k
//!
//! `errno` is an `int`, and so are the elements of `best`: for all that LLVM knows, one of them is where `errno` is. An element that is computed from a
//! pointer without leaving the object that it points to is in `errno` only if the pointer is; so the pointers are tested before the
//! loops. Where LLVM has put the computation together anew, as that of `x[(n - 1 - i) * m]` with a `size_t`, nothing says any more that it stays in the object: then
//! `errno` must be outside of all that the loops touch, from the first byte to the last. Nothing else of the region is what such a call may write, and the model need not know about it.
//!
//! The same is asked where threads may share the loops and no call sets `errno`: what the runtime does to it is undone afterwards, and what
//! `*p += x[i]` wrote there with `p = &errno` must not be.

use super::drafts::{Drafts, MemoryAccess, Storage, memory_accesses};
use crate::extract::numbers::affine::Affine;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::ssa::sets_errno;
use crate::llvm::instruction::Address;
use crate::llvm::{Instruction, Value, ValueKind, errno};
use crate::scop::ArrayId;

/// What a region has to do with `errno`.
#[derive(Clone, Debug, Default)]
pub struct Errno {
    /// Some statement calls what may set it.
    pub is_set: bool,
    /// The arrays whose bases must not point to it.
    pub elsewhere: Vec<ArrayId>,
    /// The arrays of which no byte must be in it, nor any between those that are accessed.
    pub outside: Vec<ArrayId>,
}

impl Errno {
    fn add(&mut self, array: ArrayId, test: Test) {
        let all = match test {
            Test::Base => &mut self.elsewhere,
            Test::Extent => &mut self.outside,
        };
        if !all.contains(&array) {
            all.push(array);
        }
    }
}

/// What tells before the loops that an access is not to `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// Where the base points.
    Base,
    /// What is touched.
    Extent,
}

/// What there is to say if it is not known what is touched of an array that must be outside of `errno`.
pub type Otherwise<'ir> = Vec<(ArrayId, Refusal<'ir>)>;

/// Who runs a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The thread of the program alone.
    One,
    Several,
}

/// What the region has to do with `errno`, if these threads run it.
pub fn errno_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    threads: Threads,
) -> Result<(Errno, Otherwise<'ir>), Refusal<'ir>> {
    let is_set = drafts.statements.iter().any(|statement| statement.sets_errno);
    let mut errno = Errno { is_set, ..Errno::default() };
    let mut otherwise = Vec::new();
    if is_set {
        apart_from_calls(affine, drafts, &mut errno, &mut otherwise)?;
    }
    if threads == Threads::Several && errno::is_known(affine.region.entry.function().module()) {
        written_as_errno(affine, drafts, &mut errno, &mut otherwise)?;
    }
    Ok((errno, otherwise))
}

/// What tells before the loops that an access on a base is not to `errno`; nothing if the base is that, or is not known there.
fn test_of<'ir>(affine: &Affine<'_, '_, 'ir>, base: Value<'ir>, pointer: Value<'ir>) -> Option<Test> {
    let is_there = affine.is_invariant(base) && base.ty().address_space() == Some(0);
    let test = if Address::is_inside(pointer, base) { Test::Base } else { Test::Extent };
    (is_there && !errno::is_place(base.underlying_object())).then_some(test)
}

/// The arrays that are written as `errno` might be, which is an `int`: by values of its size, or of a byte, as C lets any object be written. That nobody else
/// writes there, as `restrict` says of an argument, is no answer: the runtime does.
fn written_as_errno<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    found: &mut Errno,
    otherwise: &mut Otherwise<'ir>,
) -> Result<(), Refusal<'ir>> {
    for (number, array) in drafts.arrays.entries().filter(|(_, array)| array.is_written) {
        let base = match array.storage {
            Storage::Memory { base, .. } => Some(base),
            Storage::Rows { .. } => None,
            Storage::Scalar { .. } => continue,
        };
        let object = base.map(Value::underlying_object);
        if object.is_some_and(|object| errno::is_another(object) && object.kind() != ValueKind::Argument) {
            continue;
        }
        let writes =
            |access: &MemoryAccess<'_, 'ir>| access.is_write && matches!(access.ty.integer_width(), Some(8 | 32));
        for MemoryAccess { instruction: store, pointer, .. } in
            memory_accesses(drafts, number).into_iter().filter(writes)
        {
            let refused = || {
                let what = "an element that may be errno".to_string();
                let cure = "read the pointer once before the loops";
                Refusal::at(store.place(), Reason::DependsOnThread { what, cure })
            };
            let test = base.map_or(Some(Test::Base), |base| test_of(affine, base, pointer)).ok_or_else(refused)?;
            if test == Test::Extent {
                otherwise.push((number, refused()));
            }
            found.add(number, test);
        }
    }
    Ok(())
}

/// The arrays whose bases must not point to `errno`, because calls that set it stand beside accesses to them.
fn apart_from_calls<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    found: &mut Errno,
    otherwise: &mut Otherwise<'ir>,
) -> Result<(), Refusal<'ir>> {
    let instructions = affine.region.blocks.iter().flat_map(|block| block.instructions());
    let calls: Vec<Instruction<'ir>> = instructions.filter(|i| sets_errno(*i)).collect();
    for (number, array) in drafts.arrays.entries() {
        let base = match array.storage {
            Storage::Memory { base, .. } => Some(base),
            Storage::Rows { .. } => None,
            Storage::Scalar { .. } => continue,
        };
        if base.is_some_and(|base| errno::is_another(base.underlying_object())) {
            continue;
        }
        for MemoryAccess { instruction: access, pointer, .. } in memory_accesses(drafts, number) {
            let may_be = |call: &&Instruction<'ir>| access.memory().is_none() || affine.analyses.writes(**call, access);
            let Some(call) = calls.iter().find(may_be) else { continue };
            let refused = || {
                let name = base.and_then(Value::source_name).map_or("an element".into(), |name| format!("'{name}'"));
                let accessed = access.place().map(|at| (format!("{name} may be the errno that it sets"), at));
                Refusal::at(call.place(), Reason::of_call(affine.analyses, *call)).with(accessed)
            };
            let test = base.map_or(Some(Test::Base), |base| test_of(affine, base, pointer)).ok_or_else(refused)?;
            if test == Test::Extent {
                otherwise.push((number, refused()));
            }
            found.add(number, test);
        }
    }
    Ok(())
}
