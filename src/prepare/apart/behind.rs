//! Whether what a loop writes is apart from what it reads, asked as the places come at which it writes.
//!
//! ```c
//! struct row { double *first; long n; };
//! for (i = 0; i < n; i++) for (j = 0; j < m; j++) { if (j >= b[i].n) abort();  b[i].first[j] = f(j); }
//! ```
//!
//! reads the bytes from `b` to `b + n`, which is known before the loop, and writes where pointers say that it reads there. Where types do not tell numbers from pointers, as in Rust, one of the
//! numbers might be such a pointer. Who computes in order where the program writes, and writes nothing, goes on as long as all was apart: then the program has read the same pointers, by
//! induction.
//!
//! Of an inner loop of which only the first and the last iteration run ([`super::super::exits`]), all is asked that its address goes over.

use super::steps::{Steps, steps};
use super::{Known, Range, are_apart, range_from_base};
use crate::llvm::{Analyses, Builder, Instruction, Loop, Metadata, Opcode, ScevId, Value};

/// Places at which something is written, and ranges that are read, for each.
const MOST_PLACES: usize = 4;
const MOST_RANGES: usize = 8;

/// Bytes from one iteration to the next: with as many steps as counters have they have room in 64 bits.
const LONGEST_STEP: i128 = 1 << 20;

/// Pointers one behind the other.
const MOST_POINTERS: usize = 4;

const SCOPE: &str = "alias.scope";
const OTHERS: &str = "noalias";

/// What is written at places that are computed in a loop, and what it must be apart from.
#[derive(Clone, Default)]
pub(in crate::prepare) struct Behind<'ir> {
    written: Vec<Written<'ir>>,
    /// Writes and reads that are asked about.
    pairs: Vec<[Instruction<'ir>; 2]>,
}

#[derive(Clone)]
struct Written<'ir> {
    address: Instruction<'ir>,
    bytes: u64,
    /// Those of a pointer that is read in the loop, always the same one, with that.
    reads: Vec<(Range, Option<Instruction<'ir>>)>,
}

/// What is asked of an address.
pub(in crate::prepare) struct Watch<'ir> {
    pub address: Instruction<'ir>,
    bytes: u64,
    /// Where each range begins that is read, from a pointer on if there is one, and how many bytes it has.
    reads: Vec<(Option<Instruction<'ir>>, Value<'ir>, Value<'ir>)>,
    /// Whether sums have room in their bits.
    pub has_room: Value<'ir>,
}

impl<'ir> Behind<'ir> {
    /// Asks also whether a write is apart from a read; false if what is read cannot be known `before` the loop.
    pub(in crate::prepare) fn ask(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        (this, before): (&Loop<'ir>, Instruction<'ir>),
        pair @ [writer, read]: [Instruction<'ir>; 2],
    ) -> bool {
        let found = || {
            let memory = writer.memory().filter(|memory| memory.is_common())?;
            let address = memory.pointer.as_instruction().filter(|address| this.holds(*address))?;
            let layout = this.header.function().layout();
            let is_wide = layout.store_size(memory.pointer.ty()) == 8;
            let range = range_from_base(analyses, this, before, read).filter(|_| is_wide)?;
            let (base, _) = analyses.base_and_offset(analyses.scev(memory.pointer)?);
            // Of one array it is known how its elements lie.
            if base == range.base {
                return None;
            }
            let pointer = match analyses.is_invariant(range.base, this.id) {
                true => analyses.can_expand(range.base, before).then_some(None)?,
                false => Some(always_same(analyses, this, range.base).filter(|i| comes_before(analyses, *i, address))?),
            };
            Some((address, layout.store_size(memory.ty), (range, pointer)))
        };
        let Some((address, bytes, read)) = found() else { return false };
        let is_same = |written: &Written<'ir>| written.address == address && written.bytes == bytes;
        let at = self.written.iter().position(is_same).unwrap_or_else(|| {
            self.written.push(Written { address, bytes, reads: Vec::new() });
            self.written.len() - 1
        });
        self.pairs.push(pair);
        let reads = &mut self.written[at].reads;
        match reads.iter_mut().find_map(|(known, _)| Some((known.joined(analyses, &read.0)?, known))) {
            Some((both, known)) => *known = both,
            None => reads.push(read),
        }
        reads.len() <= MOST_RANGES && self.written.len() <= MOST_PLACES
    }

    /// The addresses.
    pub(in crate::prepare) fn addresses(&self) -> Vec<Instruction<'ir>> {
        self.written.iter().map(|written| written.address).collect()
    }

    /// Has it said of the accesses of a loop that these are apart, from the end of a block on, which comes before it.
    pub(in crate::prepare) fn say(&self, before: Instruction<'ir>) {
        let context = before.context();
        let says_nothing = |i: &Instruction<'ir>| i.metadata(SCOPE).is_none() && i.metadata(OTHERS).is_none();
        if self.pairs.is_empty() || !self.pairs.iter().flatten().all(says_nothing) {
            return;
        }
        let domain = Metadata::alias_domain(context, "read first");
        let mut scopes: Vec<(Instruction<'ir>, Metadata<'ir>)> = Vec::new();
        for [_, read] in &self.pairs {
            if !scopes.iter().any(|(known, _)| known == read) {
                scopes.push((*read, Metadata::alias_scope(context, domain, "read first")));
            }
        }
        let builder = Builder::new(context);
        builder.before(before);
        for (read, scope) in &scopes {
            let own = Metadata::node(context, &[*scope]);
            builder.declare_scopes(own);
            read.set_metadata(SCOPE, Some(own));
        }
        for [writer, _] in &self.pairs {
            let is_asked = |read| self.pairs.contains(&[*writer, read]);
            let others = scopes.iter().filter(|(read, _)| is_asked(*read)).map(|(_, scope)| *scope);
            writer.set_metadata(OTHERS, Some(Metadata::node(context, &others.collect::<Vec<_>>())));
        }
    }

    /// What is asked of them, with all that is known of it before an instruction computed there.
    pub(in crate::prepare) fn watches(
        &self,
        analyses: &Analyses<'_, 'ir>,
        before: Instruction<'ir>,
    ) -> Vec<Watch<'ir>> {
        let builder = Builder::new(before.context());
        let of = |written: &Written<'ir>| {
            let known = |(range, pointer): &(Range, Option<Instruction<'ir>>)| match pointer {
                Some(_) => (*pointer, range.known_from_base(analyses, before)),
                None => (None, range.known(analyses, before)),
            };
            let reads: Vec<_> = written.reads.iter().map(known).collect();
            builder.before(before);
            let room =
                reads.iter().flat_map(|(_, known)| [known.is_small(&builder), known.have_room(&builder)].concat());
            let has_room = room.fold(builder.integer(1, 1), |all, part| builder.binary(Opcode::And, all, part));
            let has_room = builder.freeze(has_room);
            let frozen = |(pointer, known): &(Option<Instruction<'ir>>, Known<'ir>)| {
                let (first, bytes) = known.bytes(&builder);
                (*pointer, builder.freeze(first), builder.freeze(bytes))
            };
            let reads = reads.iter().map(frozen).collect();
            Watch { address: written.address, bytes: written.bytes, reads, has_room }
        };
        self.written.iter().map(of).collect()
    }
}

impl<'ir> Watch<'ir> {
    /// Whether what is written is apart from all that is read, at an address and at those that it has gone over: `gone` are how many steps it took of so many bytes. All
    /// that is computed in the loop has a `value` here.
    pub(in crate::prepare) fn is_apart(
        &self,
        builder: &Builder<'ir>,
        value: impl Fn(Value<'ir>) -> Value<'ir>,
        gone: &[(Value<'ir>, i128)],
    ) -> Value<'ir> {
        let number = |pointer: Instruction<'ir>| builder.freeze(builder.address(value(pointer.value())));
        let mut first = number(self.address);
        let mut bytes = builder.integer(64, self.bytes.into());
        for (steps, by) in gone {
            let far = builder.freeze(builder.mul(*steps, builder.integer(64, by.abs())));
            bytes = builder.add(bytes, far);
            if *by > 0 {
                first = builder.sub(first, far);
            }
        }
        let read = |(pointer, start, bytes): &(Option<Instruction<'ir>>, Value<'ir>, Value<'ir>)| {
            (pointer.map_or(*start, |pointer| builder.add(number(pointer), *start)), *bytes)
        };
        let asked = self.reads.iter().flat_map(|range| are_apart(builder, [(first, bytes), read(range)]));
        asked.fold(builder.integer(1, 1), |all, part| builder.binary(Opcode::And, all, part))
    }
}

/// A pointer that a loop reads always at one place, which it is asked about whether that is written.
fn always_same<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, pointer: ScevId) -> Option<Instruction<'ir>> {
    let read = |pointer: ScevId| {
        let read = analyses.node(pointer).value.and_then(Value::as_instruction);
        read.filter(|read| this.holds(*read) && read.opcode() == Opcode::Load && read.ty().is_pointer())
    };
    let found = read(pointer)?;
    let mut next = found;
    for _ in 0..MOST_POINTERS {
        let (base, offset) = analyses.base_and_offset(analyses.scev(next.memory()?.pointer)?);
        analyses.node(offset).constant?;
        if analyses.is_invariant(base, this.id) {
            return Some(found);
        }
        next = read(base)?;
    }
    None
}

/// Whether an instruction runs before another one in each iteration that comes to that.
fn comes_before<'ir>(analyses: &Analyses<'_, 'ir>, one: Instruction<'ir>, other: Instruction<'ir>) -> bool {
    let homes = [one.block(), other.block()];
    let [Some(home), Some(away)] = homes else { return false };
    home == away || analyses.dominates(home, away)
}

/// By how many bytes an iteration of a loop moves an address, if it is always as many from what `stays`.
pub(in crate::prepare) fn step<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    address: Instruction<'ir>,
    stays: impl Fn(Instruction<'ir>) -> bool,
) -> Option<i128> {
    let (base, offset) = analyses.base_and_offset(analyses.scev(address.value())?);
    let Steps { steps, narrow, .. } = steps(analyses, this, offset)?;
    let own = steps.iter().filter(|(id, _)| *id == this.id).map(|(_, by)| analyses.node(*by).constant);
    let known = analyses.node(base).value.and_then(Value::as_instruction);
    let is_plain = narrow.is_empty() && (analyses.is_invariant(base, this.id) || known.is_some_and(stays));
    let by: i128 = own.collect::<Option<Vec<i128>>>().filter(|_| is_plain)?.iter().sum();
    (by.abs() <= LONGEST_STEP).then_some(by)
}
