//! What a loop packs: elements that a condition lets through, stored one behind the other.
//!
//!     for (i) if (x[i] > t) out[k++] = x[i];
//!
//! The *counter* `k` goes to the next number where the condition holds, and is looked at for the places of stores only, which go with it from one element
//! to the next. So what many iterations store is known without it: these values, in their order, from the place on where the first of them
//! finds the counter. Their conditions and values can be computed in vectors; only how many they are is handed on.
//!
//! The counter may wrap around where its places do so as well: it is as wide as an address. Where it is widened, it must not, as the program promises or as is
//! asked before what many iterations store is stored.

use super::arg_reduction::{Member, behind_value};
use crate::extract::control::subregion::Opaque;
use crate::llvm::instruction::{Address, Branch};
use crate::llvm::{Block, Instruction, Opcode, Signedness, Value};

/// Fewer bits count no block of iterations.
const NARROWEST_COUNTER: u32 = 8;

/// Stores to places that one counter gives.
#[derive(Clone, Debug)]
pub struct Packing<'ir> {
    /// Before the part and behind it, where it is a phi of the part's exit.
    pub counter: Member<'ir>,
    /// Where the counter goes on, and the stores are.
    pub home: Block<'ir>,
    pub stores: Vec<Instruction<'ir>>,
    /// How the counter is widened for an address although it may wrap around before: then a block is packed only where it does not.
    pub wraps: Option<Signedness>,
}

/// What a statement packs.
#[derive(Clone, Debug)]
pub struct BoundPacking<'ir> {
    pub packing: Packing<'ir>,
    /// So many elements of each store are put together at once.
    pub lanes: u32,
}

/// The stores of a part to places that `old` counts, if it is looked at for nothing else and goes on by one where they happen.
pub fn counted<'ir>(part: &Opaque<'ir>, old: Value<'ir>) -> Option<Packing<'ir>> {
    let is_result = |phi: &Instruction<'ir>| phi.incoming().iter().any(|(value, _)| *value == old);
    let mut results = part.exit.phis().into_iter().filter(is_result);
    let (Some(result), None) = (results.next(), results.next()) else { return None };
    let ways = result.incoming();
    let (kept, others): (Vec<_>, Vec<_>) = ways.iter().copied().partition(|(value, _)| *value == old);
    let [(next, home)] = others[..] else { return None };
    let next = next.as_instruction().filter(|next| next.block() == Some(home) && part.blocks.contains(&home))?;
    let is_step = next.opcode() == Opcode::Add && next.operand(0) == old && next.operand(1).as_integer() == Some(1);
    let leads_on = matches!(home.terminator()?.branch()?, Branch::Always(to) if to == part.exit);
    if kept.is_empty() || !is_step || !leads_on || !ways.iter().all(|(_, from)| part.leads_on(*from)) {
        return None;
    }
    let (mut way, mut widenings) = (vec![next, result], Vec::new());
    let stores = part.blocks.iter().flat_map(|block| block.instructions());
    let is_its = |store: &Instruction<'ir>| {
        let Some((steps, widened)) = places(*store, old) else { return false };
        way.extend(steps);
        widenings.extend(widened);
        true
    };
    let stores: Vec<Instruction<'ir>> = stores.filter(is_its).collect();
    let is_on_way = |user: &Instruction<'ir>| way.contains(user) || stores.contains(user);
    let inner = way.iter().filter(|step| **step != result);
    let is_private = inner.clone().flat_map(|step| step.users()).chain(old.users()).all(|user| is_on_way(&user));
    let are_addresses = stores.iter().all(|store| {
        let stored = store.memory().and_then(|access| access.stored);
        store.block() == Some(home)
            && stored.is_some_and(|stored| stored != old && !inner.clone().any(|i| i.value() == stored))
    });
    let promises = next.wrapping();
    let mut wrapping = widenings.into_iter().filter(|widened| match widened {
        Signedness::Signed => !promises.nsw,
        Signedness::Unsigned => !promises.nuw,
    });
    let wraps = wrapping.next();
    let is_one = wrapping.all(|other| Some(other) == wraps);
    let is_wide = wraps.is_none() || old.ty().integer_width().is_some_and(|width| width >= NARROWEST_COUNTER);
    let counter = Member { old, result: result.value() };
    (is_private && are_addresses && is_one && is_wide && !stores.is_empty()).then_some(Packing {
        counter,
        home,
        stores,
        wraps,
    })
}

/// For a store to elements that follow one another as the counter goes on: what computes the address from the counter, and how that is widened.
fn places<'ir>(store: Instruction<'ir>, old: Value<'ir>) -> Option<(Vec<Instruction<'ir>>, Option<Signedness>)> {
    let access = store.memory().filter(|access| access.stored.is_some() && access.simple)?;
    let layout = store.function()?.layout();
    let (mut way, mut here, mut by_counter) = (Vec::new(), access.pointer, None);
    while by_counter.is_none() {
        let address = Address::of_value(here)?;
        way.extend(here.as_instruction());
        let (_, terms) = address.offset(layout)?;
        match terms[..] {
            [] => here = address.base,
            [(index, bytes)] => by_counter = Some((index, bytes)),
            _ => return None,
        }
    }
    let (index, bytes) = by_counter?;
    let (_, widened) = behind_value(index, old)?;
    let cast = index.as_instruction().filter(|_| widened.is_some());
    let inner = cast.map_or(index, |cast| cast.operand(0));
    way.extend(cast.into_iter().chain(inner.as_instruction().filter(|_| inner != old)));
    let is_dense = bytes == i128::from(layout.alloc_size(access.ty))
        && layout.alloc_size(access.ty) == layout.store_size(access.ty);
    let signedness = |cast| if cast == Opcode::ZExt { Signedness::Unsigned } else { Signedness::Signed };
    is_dense.then_some((way, widened.map(signedness)))
}
