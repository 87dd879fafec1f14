//! The members of a structure that is copied as a whole, as those that are accessed show them.
//!
//!     grid held = a;  a = b;  b = held;         three calls of memcpy of 16 bytes, of which a.nx at 0, a.ny at 4 and a.data at 8 are read
//!
//! The compiler may have kept no type of it. What is accessed behind the pointers that are copied from and to, and behind others that these are copied from
//! and to, says where members are; what nothing accesses is words between them.

use crate::llvm::{Context, Instruction, Layout, Type, Value};
use std::collections::{BTreeMap, HashSet};

/// Pointers with more uses than this are not followed.
const MOST_USES: usize = 1_000;

/// The types that are accessed at offsets behind pointers to structures of so many bytes; `None` if one is accessed as two types, or at an index.
pub(super) fn members<'ir>(
    call: Instruction<'ir>,
    pointers: &[Value<'ir>],
    bytes: u64,
) -> Option<BTreeMap<u64, Type<'ir>>> {
    let layout = call.function()?.layout();
    let mut found: BTreeMap<u64, Type<'ir>> = BTreeMap::new();
    let mut pending: Vec<(Value<'ir>, u64)> = pointers.iter().map(|pointer| (*pointer, 0)).collect();
    let (mut seen, mut n_uses) = (HashSet::new(), 0);
    while let Some((pointer, at)) = pending.pop() {
        let users = if at < bytes && seen.insert(pointer) { pointer.users() } else { Vec::new() };
        for user in users {
            n_uses += 1;
            (n_uses <= MOST_USES).then_some(())?;
            match (user.memory().filter(|access| access.pointer == pointer), user.address()) {
                (Some(access), _) if *found.entry(at).or_insert(access.ty) != access.ty => return None,
                (None, Some(address)) if address.base == pointer => match address.offset(layout)? {
                    (by, terms) if terms.is_empty() => {
                        pending.extend(u64::try_from(by).ok().map(|by| (user.value(), at.saturating_add(by))));
                    }
                    _ => return None,
                },
                (None, None) if at == 0 => pending.extend(copied_with(user, pointer, bytes).map(|other| (other, 0))),
                _ => {}
            }
        }
    }
    Some(found)
}

/// The other side of a copy of so many bytes.
fn copied_with<'ir>(user: Instruction<'ir>, pointer: Value<'ir>, bytes: u64) -> Option<Value<'ir>> {
    let call = user.call().filter(|call| call.intrinsic().is_some_and(|name| name == "llvm.memcpy"))?;
    let &[to, from, length, ..] = call.arguments().as_slice() else { return None };
    let is_of_same = length.as_integer() == Some(i128::from(bytes));
    is_of_same.then_some(if to == pointer { from } else { to })
}

/// All of so many bytes as members, which do not overlap: those found, and words between them.
pub(super) fn with_gaps<'ir>(
    found: BTreeMap<u64, Type<'ir>>,
    bytes: u64,
    layout: Layout<'ir>,
    context: Context<'ir>,
) -> Option<Vec<(Type<'ir>, u64)>> {
    let mut members = Vec::new();
    let mut next = 0;
    for (at, ty) in found {
        (at >= next && at + layout.store_size(ty) <= bytes).then_some(())?;
        fill(&mut members, next, at, context);
        members.push((ty, at));
        next = at + layout.store_size(ty);
    }
    fill(&mut members, next, bytes, context);
    Some(members)
}

/// Adds words from one offset to another one, each where such a number would be.
fn fill<'ir>(members: &mut Vec<(Type<'ir>, u64)>, mut from: u64, to: u64, context: Context<'ir>) {
    while from < to {
        let fits = |bytes: &u64| from.is_multiple_of(*bytes) && from + bytes <= to;
        let bytes = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
        members.push((Type::integer(context, 8 * bytes as u32), from));
        from += bytes;
    }
}
