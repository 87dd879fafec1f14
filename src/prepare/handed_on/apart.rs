//! Places in which a loop swaps pointers, asked before the loop whether they overlap.
//!
//! ```c
//! void run(std::vector<double> &a, std::vector<double> &b) { for (t...) { for (i...) b[i] = f(a, i);  std::swap(a, b); } }
//! ```
//!
//! Three pointers of `a` and three of `b` change places in memory. They would be variables of the loop ([`super`]), and the buffers take turns
//! ([`crate::prepare::turns`]), if it were known that `a` and `b` are two vectors and do not lie one in a part of the other. So that is asked before the loop: where they are
//! apart one copy of it runs, whose accesses to the two say so, and else another one that says nothing.

use crate::llvm::analysis::Overlap;
use crate::llvm::instruction::MemoryAccess;
use crate::llvm::metadata::Metadata;
use crate::llvm::{Analyses, Block, Builder, Function, Instruction, Loop, Opcode, ScevId, Session, Value};
use crate::prepare::apart::are_apart;
use std::collections::BTreeMap;

/// Objects whose pointers change places in one loop: as many as there are pointers in the longest ring of buffers.
const MOST_OBJECTS: usize = 4;

/// Instructions of a loop that there may be twice.
const MOST_INSTRUCTIONS: usize = 500;

/// An object of which a loop touches places that stay the same.
struct Object<'ir> {
    base: Value<'ir>,
    touched: Touched<'ir>,
}

struct Touched<'ir> {
    /// Bytes from the base: the first, and the one behind the last.
    low: i128,
    high: i128,
    accesses: Vec<Instruction<'ir>>,
}

/// Asks before outermost loops that swap pointers whether their places are apart. Whether there are any.
pub(in crate::prepare) fn ask_before_loops<'ir>(session: &mut Session<'ir>, function: Function<'ir>) -> bool {
    let found: Vec<(Block<'ir>, Vec<Object<'ir>>)> = {
        let analyses = session.analyses(function);
        let asked = |l: &Loop<'ir>| Some((l.header, swapped(&analyses, l)?));
        analyses.outermost_loops().filter_map(asked).collect()
    };
    let asked = found.into_iter().filter(|(header, objects)| ask(session, function, *header, objects)).count();
    asked > 0
}

/// The objects among which a loop swaps pointers, if it is not known that they are apart.
fn swapped<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Vec<Object<'ir>>> {
    let before = this.preheader?.terminator()?;
    let instructions: Vec<Instruction<'ir>> = this.instructions().collect();
    if this.children.is_empty() || !this.has_single_exit() || instructions.len() > MOST_INSTRUCTIONS {
        return None;
    }
    let mut objects: BTreeMap<ScevId, Touched<'ir>> = BTreeMap::new();
    for access in instructions.iter().copied().filter(|i| i.memory().is_some()) {
        let Some((base, low, high)) = place(analyses, this, access) else { continue };
        let object = objects.entry(base).or_insert(Touched { low, high, accesses: Vec::new() });
        (object.low, object.high) = (object.low.min(low), object.high.max(high));
        object.accesses.push(access);
    }
    let handed = |store: &Instruction<'ir>| {
        let is_store = store.opcode() == Opcode::Store && store.operand(0).ty().is_pointer();
        let load = store.operand(0).as_instruction().filter(|load| is_store && load.opcode() == Opcode::Load)?;
        let (from, to) = (place(analyses, this, load)?.0, place(analyses, this, *store)?.0);
        (from != to && analyses.overlap_of_bytes(load, *store) != Overlap::Never).then_some([from, to])
    };
    let involved: Vec<ScevId> =
        instructions.iter().filter(|i| i.memory().is_some()).filter_map(handed).flatten().collect();
    objects.retain(|base, _| involved.contains(base));
    let says_nothing = |i: &Instruction<'ir>| i.metadata(SCOPE).is_none() && i.metadata(OTHERS).is_none();
    let is_plain = objects.values().flat_map(|object| &object.accesses).all(says_nothing);
    let is_known = objects.keys().all(|base| analyses.can_expand(*base, before));
    let are_few = (2..=MOST_OBJECTS).contains(&objects.len());
    let with_base = |(base, touched)| Object { base: analyses.expand(base, before), touched };
    (are_few && is_plain && is_known).then(|| objects.into_iter().map(with_base).collect())
}

const SCOPE: &str = "alias.scope";
const OTHERS: &str = "noalias";

/// The base of the place that an access of a loop touches in each iteration, and from which byte to which.
fn place<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    access: Instruction<'ir>,
) -> Option<(ScevId, i128, i128)> {
    let MemoryAccess { ty, pointer, .. } = access.memory().filter(|memory| memory.simple)?;
    let address = analyses.scev(pointer).filter(|address| analyses.is_invariant(*address, this.id))?;
    let (base, offset) = analyses.base_and_offset(address);
    let low = analyses.node(offset).constant?;
    let bytes = this.header.function().layout().store_size(ty);
    Some((base, low, low.checked_add(i128::from(bytes))?))
}

/// Asks before a loop, which has a copy for where the answer is no, whether objects are apart. Whether that was possible.
fn ask<'ir>(session: &mut Session<'ir>, function: Function<'ir>, header: Block<'ir>, objects: &[Object<'ir>]) -> bool {
    let Some(before) = preheader(&session.analyses(function), header) else { return false };
    let context = function.context();
    let builder = Builder::new(context);
    builder.before(before);
    let is_wide = |object: &Object<'ir>| function.layout().store_size(object.base.ty()) == 8;
    if !objects.iter().all(is_wide) {
        return false;
    }
    let first = |object: &Object<'ir>| {
        let address = builder.address(object.base);
        builder.add(address, builder.integer(64, object.touched.low))
    };
    let starts: Vec<Value<'ir>> = objects.iter().map(first).collect();
    let mut all: Option<Value<'ir>> = None;
    for (at, own) in objects.iter().enumerate() {
        for (other, start) in objects.iter().zip(&starts).take(at) {
            let bytes = |of: &Object<'ir>| builder.integer(64, of.touched.high - of.touched.low);
            let apart = are_apart(&builder, [(starts[at], bytes(own)), (*start, bytes(other))]);
            for asked in apart {
                all = Some(all.map_or(asked, |all| builder.binary(Opcode::And, all, asked)));
            }
        }
    }
    // An address of what is touched only under a condition may be poison where it is not.
    let are_apart = builder.freeze(all.expect("law: two objects are compared"));
    if !session.copy_loop(function, header, are_apart) {
        return false;
    }
    let domain = Metadata::alias_domain(context, "swapped");
    let scopes: Vec<Metadata<'ir>> =
        objects.iter().map(|_| Metadata::alias_scope(context, domain, "swapped")).collect();
    for (at, object) in objects.iter().enumerate() {
        let others: Vec<Metadata<'ir>> =
            scopes.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, scope)| *scope).collect();
        for access in &object.touched.accesses {
            access.set_metadata(SCOPE, Some(Metadata::node(context, &[scopes[at]])));
            access.set_metadata(OTHERS, Some(Metadata::node(context, &others)));
        }
    }
    true
}

/// The end of the block before a loop.
fn preheader<'ir>(analyses: &Analyses<'_, 'ir>, header: Block<'ir>) -> Option<Instruction<'ir>> {
    analyses.loops().iter().find(|l| l.header == header)?.preheader?.terminator()
}
