//! What calls that may set `errno` ask of the memory around them.
//!
//!     for (int i = 0; i < n; i++) { best[i] = k[i]; x[i] = sqrt(y[i]); }        // int *best, *k
//!
//! `errno` is an `int`, and so are the elements of `best`: for all that LLVM knows, one of them is where `errno` is. An element that is computed from a
//! pointer without leaving the object that it points to is in `errno` only if the pointer is; so the pointers are tested before the
//! loops. Nothing else of the region is what such a call may write, and the model need not know about it.

use super::roots::{Roots, Storage, sets_errno};
use crate::extract::model::memory_accesses;
use crate::extract::numbers::affine::Affine;
use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::instruction::Address;
use crate::llvm::{Instruction, errno};

/// The arrays, by number, whose bases must not point to `errno`; `None` if no call sets it.
pub fn arrays_elsewhere<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    roots: &Roots<'_, '_, 'ir>,
) -> Result<Option<Vec<usize>>, Refusal<'ir>> {
    if !roots.statements.iter().any(|statement| statement.sets_errno) {
        return Ok(None);
    }
    let instructions = affine.region.blocks.iter().flat_map(|block| block.instructions());
    let calls: Vec<Instruction<'ir>> = instructions.filter(|i| sets_errno(*i)).collect();
    let mut found = Vec::new();
    for (number, array) in roots.arrays.iter().enumerate() {
        let Storage::Memory { base, .. } = array.storage else { continue };
        let object = base.underlying_object();
        if object.is_identified_object() && !object.is_thread_local() && !errno::is_place(object) {
            continue;
        }
        for access in memory_accesses(roots, number) {
            let access = access.instruction;
            let Some(call) = calls.iter().find(|call| affine.analyses.writes(**call, access)) else { continue };
            let pointer = access.memory().expect("law: an array is accessed by loads and stores").pointer;
            if errno::is_place(object) || !affine.is_invariant(base) || !Address::is_inside(pointer, base) {
                let callee = call.call().and_then(|call| call.callee()).map_or("a function".into(), |f| f.name());
                let name = base.source_name().map_or("an element".into(), |name| format!("'{name}'"));
                let accessed = access.location().map(|at| (format!("{name} may be the errno that it sets"), at));
                return Err(Refusal::at(call.location(), Reason::CallWithEffects { callee }).with(accessed));
            }
            found.push(number);
            break;
        }
    }
    Ok(Some(found))
}
