//! A loop that packs block by block:
//!
//!     blocks:   b = phi [first, before], [b + 64, packed]
//!     fills:    taken[i - b] = (x[i] > t)     value[i - b] = x[i]     i = b ... b + 63
//!     packed:   m = taken[0 ... 7]     c = how many m names     if any: store those of value[0 ... 7] that m names, together, at &out[k]
//!               m = taken[8 ... 15]    ...                      if any: store those of value[8 ... 15] that m names, together, at &out[k] + c
//!               k = k + c     br (b + 64 <= last - 63), blocks, rest
//!     rest:     loop: i = b ... last
//!
//! The fills are a loop that LLVM puts into vectors. What is stored together is moved in a register first, as processors take long to do it on the way to memory.
//!
//! See [`crate::emit::plan::innermost::packing`].

use super::blocks::{Blocks, step_of};
use crate::ast::For;
use crate::emit::arith::bounds::Known;
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::{Memory, Writer};
use crate::emit::write::written::Written;
use crate::extract::binding::BoundStatement;
use crate::extract::control::subregion::Opaque;
use crate::extract::reductions::packing::{BoundPacking, Packing};
use crate::extract::region::pragmas::Unrolling;
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::llvm::{Instruction, IntPredicate, Opcode, Promise, Signedness, Type, Value};

/// Iterations of a block: enough for several vectors of each type, so few that what they fill is in the nearest cache.
const BLOCK: i64 = 64;

/// Where new loops are to run however little there is to do (`min-work=0`, as in tests), so that short loops have blocks.
const SHORT_BLOCK: i64 = 8;

/// Of so many elements at once the mask is a number that 64 bits can be one more than.
const MOST_LANES: i64 = 32;

/// Bits of the smallest vector in which elements are put together.
const LEAST_BITS: u32 = 128;

/// Bytes that a vector is aligned to at best.
const ALIGNMENT: u32 = 64;

/// What the iterations of a block fill, an element for each.
struct Filled<'ir> {
    /// Which of them a counter takes.
    taken: Value<'ir>,
    /// For each store what it stores.
    values: Vec<Value<'ir>>,
}

/// Iterations of a block whose elements fit into a vector.
#[derive(Clone, Copy)]
struct Group<'ir> {
    first: i64,
    lanes: i64,
    /// Which of them a counter takes, how many these are, and how many are taken before.
    mask: Value<'ir>,
    count: Value<'ir>,
    taken: Value<'ir>,
}

/// What a statement that packs is made of.
#[derive(Clone, Copy)]
struct Packed<'p, 'ir> {
    part: &'p Opaque<'ir>,
    accesses: &'p [OpaqueAccess<'ir>],
    outputs: &'p [Output<'ir>],
}

impl<'p, 'ir> Packed<'p, 'ir> {
    fn of(bound: &'p BoundStatement<'ir>) -> Self {
        let Root::Opaque { part, accesses, outputs } = &bound.root else {
            unreachable!("law: what packs is an opaque part")
        };
        Packed { part, accesses, outputs }
    }
}

impl<'p, 'ir> Writer<'p, 'ir> {
    pub(super) fn packing_for(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
        let (bound, _) = self.run_in(each, lower);
        let stack = self.builder.intrinsic("llvm.stacksave", &[self.pointer()], &[]).value();
        let filled: Vec<Filled<'ir>> = bound.packings.iter().map(|each| self.room(&each.packing)).collect();
        let nothing = self.builder.integer(1, 0);
        let rest = match self.enter_blocks(each, self.block_size(), (lower, upper), nothing) {
            Some(blocks) => {
                self.block_of_packed(each, &blocks, &filled);
                self.leave_blocks(each, blocks, nothing, Unrolling::Forbidden).0
            }
            None => lower,
        };
        self.builder.intrinsic("llvm.stackrestore", &[self.pointer()], &[stack]);
        self.for_(each, rest, upper, &mut Writer::node);
    }

    /// A block, one by one where a counter might wrap around in it.
    fn block_of_packed(&mut self, each: &For, blocks: &Blocks<'ir>, filled: &[Filled<'ir>]) {
        let Some(wraps) = self.may_wrap(each, blocks) else {
            self.fill(each, blocks, filled);
            return self.pack(each, blocks, filled);
        };
        let [ordered, packed, next] = ["in.order", "packed", "block.end"].map(|name| self.new_block(name));
        self.builder.branch(wraps, ordered, packed);
        self.builder.at_end(ordered);
        self.for_(each, blocks.first, blocks.last, &mut Writer::node);
        self.builder.jump(next);
        self.builder.at_end(packed);
        self.fill(each, blocks, filled);
        self.pack(each, blocks, filled);
        self.builder.jump(next);
        self.builder.at_end(next);
    }

    /// Whether a counter that is widened might wrap around in a block, if that can be.
    fn may_wrap(&mut self, each: &For, blocks: &Blocks<'ir>) -> Option<Value<'ir>> {
        let (bound, iterators) = self.run_in(each, blocks.first);
        let mut instance = Instance::of(&bound.loops, &bound.leaves, &iterators);
        let mut any = None;
        for packing in bound.packings.iter().map(|each| &each.packing) {
            let Some(signedness) = packing.wraps else { continue };
            let counter = self.copied(packing.counter.old, &mut instance);
            let width = counter.ty().integer_width().expect("law: a counter is an integer");
            let (most, predicate) = match signedness {
                Signedness::Signed => ((1 << (width - 1)) - 1, IntPredicate::Sgt),
                Signedness::Unsigned => ((1 << width) - 1, IntPredicate::Ugt),
            };
            let last = Value::integer(counter.ty(), most - i128::from(self.block_size()));
            let wraps = self.builder.icmp(predicate, counter, last);
            any = Some(any.map_or(wraps, |any| self.builder.binary(Opcode::Or, any, wraps)));
        }
        any
    }

    fn pointer(&self) -> Type<'ir> {
        Type::pointer(self.builder.context())
    }

    fn byte(&self) -> Type<'ir> {
        self.bits(8)
    }

    fn block_size(&self) -> i64 {
        if self.plan.settings.minimal_work == 0 { SHORT_BLOCK } else { BLOCK }
    }

    /// Memory for what a block fills, on the stack as long as the loop runs: a function that calls itself elsewhere has no more of it than before.
    fn room(&self, packing: &Packing<'ir>) -> Filled<'ir> {
        let reserve = |element: Type<'ir>, name: &str| {
            let room = self.builder.alloca(Type::array(element, self.block_size() as u64), name);
            room.set_alignment(ALIGNMENT);
            room.value()
        };
        let values = packing.stores.iter().map(|store| reserve(stored(*store).ty(), "value")).collect();
        Filled { taken: reserve(self.byte(), "taken"), values }
    }

    /// Computes what the iterations of a block take, and what they would store.
    fn fill(&mut self, each: &For, blocks: &Blocks<'ir>, filled: &[Filled<'ir>]) {
        let nothing = self.builder.integer(1, 0);
        let again = self.enter_blocks(each, 1, (blocks.first, blocks.last), nothing);
        let again = again.expect("law: a block has iterations");
        let (bound, iterators) = self.run_in(each, again.first);
        let Packed { part, accesses, .. } = Packed::of(bound);
        let of = Instance::of(&bound.loops, &bound.leaves, &iterators);
        let mut instance = Instance { loads: &bound.loads, ..of };
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
        let packed: Vec<Instruction<'ir>> =
            bound.packings.iter().flat_map(|each| &each.packing.stores).copied().collect();
        let copy = self.unpacked_copy(part, accesses, &packed, &mut instance);
        let ways = || part.exit.phis().into_iter().next().into_iter().flat_map(|phi| phi.incoming());
        let ways: Vec<_> = ways().map(|(_, from)| from).collect();
        let merge = |ty: Type<'ir>, of_home: Value<'ir>, packing: &Packing<'ir>| {
            let merged = self.builder.phi(ty, "packed");
            for from in &ways {
                let value = if *from == packing.home { of_home } else { Value::zero(ty) };
                merged.add_incoming(value, copy.source(*from));
            }
            merged.value()
        };
        let mut stored_values = Vec::new();
        for (BoundPacking { packing, .. }, filled) in bound.packings.iter().zip(filled) {
            stored_values.push((merge(self.byte(), self.builder.integer(8, 1), packing), filled.taken));
            for (store, room) in packing.stores.iter().zip(&filled.values) {
                let value = stored(*store);
                let is_inside =
                    value.as_instruction().and_then(|i| i.block()).is_some_and(|b| part.blocks.contains(&b));
                let copy = instance.copies[&value];
                stored_values.push((if is_inside { merge(value.ty(), copy, packing) } else { copy }, *room));
            }
        }
        let number = self.builder.sub(again.first.value, blocks.first.value);
        let step = self.builder.integer(64, step_of(each));
        let number = if step_of(each) == 1 { number } else { self.builder.binary(Opcode::UDiv, number, step) };
        for (value, room) in stored_values {
            let place = self.builder.gep(value.ty(), room, &[number], Promise::Inbounds);
            self.builder.store(value, place, None);
        }
        self.writing = outer;
        self.leave_blocks(each, again, nothing, self.plan.binding.region.unrolling);
    }

    /// Stores what the iterations of a block have filled.
    fn pack(&mut self, each: &For, blocks: &Blocks<'ir>, filled: &[Filled<'ir>]) {
        let (bound, iterators) = self.run_in(each, blocks.first);
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
        for (packing, filled) in bound.packings.iter().zip(filled) {
            self.pack_one((bound, &iterators), packing, filled);
        }
        self.writing = outer;
    }

    fn pack_one(
        &mut self,
        (bound, iterators): (&'p BoundStatement<'ir>, &[Known<'ir>]),
        each: &BoundPacking<'ir>,
        filled: &Filled<'ir>,
    ) {
        let mut instance = Instance::of(&bound.loops, &bound.leaves, iterators);
        let counter = self.copied(each.packing.counter.old, &mut instance);
        let lanes = i64::from(each.lanes).min(MOST_LANES).min(self.block_size());
        let mut taken = self.builder.integer(64, 0);
        for first in (0..self.block_size()).step_by(lanes as usize) {
            let group = self.group_of(filled.taken, self.byte(), (first, lanes));
            let mask = self.builder.cast(Opcode::Trunc, group, Type::vector(self.bits(1), lanes as u32));
            let count = self.count(mask, lanes as u32);
            let [some, next] = ["some", "next"].map(|name| self.new_block(name));
            let is_some = self.builder.icmp(IntPredicate::Ne, count, self.builder.integer(64, 0));
            self.builder.branch(is_some, some, next);
            self.builder.at_end(some);
            let group = Group { first, lanes, mask, count, taken };
            self.store_group((bound, iterators), &each.packing, filled, group);
            self.builder.jump(next);
            self.builder.at_end(next);
            taken = self.builder.add(taken, count);
        }
        let taken = self.builder.resize(taken, counter.ty(), Signedness::Unsigned);
        let counter = self.builder.add(counter, taken);
        let mut outputs = Packed::of(bound).outputs.iter();
        let output = outputs.find(|output| output.value == each.packing.counter.result);
        self.hand_on(output.expect("law: a counter is handed on"), counter, &instance);
    }

    /// Stores what a group takes, of which there is something: the place is computed where the program does so. (Where nothing is taken, a store that its mask
    /// keeps from doing anything would take long beside a page that is not there.)
    fn store_group(
        &mut self,
        (bound, iterators): (&'p BoundStatement<'ir>, &[Known<'ir>]),
        packing: &Packing<'ir>,
        filled: &Filled<'ir>,
        Group { first, lanes, mask, count, taken }: Group<'ir>,
    ) {
        let mut instance = Instance::of(&bound.loops, &bound.leaves, iterators);
        let first_ones = self.first_lanes(count, mask.ty(), lanes as u32);
        for (store, room) in packing.stores.iter().zip(&filled.values) {
            let access = Packed::of(bound).accesses.iter().find(|access| access.instruction == *store);
            let access = access.expect("law: a packed store is an access");
            let pointer = self.copied(access.pointer, &mut instance);
            let pointer = self.in_private_copy(access.array, pointer);
            let value = self.group_of(*room, stored(*store).ty(), (first, lanes));
            let value = self.put_together(value, mask, lanes as u32);
            let place = self.builder.gep(stored(*store).ty(), pointer, &[taken], Promise::Nothing);
            let (types, arguments) = ([value.ty(), self.pointer()], [value, place, first_ones]);
            let write = self.builder.intrinsic("llvm.masked.store", &types, &arguments);
            self.mark(write, access.array, Memory::OfOne);
        }
    }

    /// A vector of what a block has filled.
    fn group_of(&self, room: Value<'ir>, element: Type<'ir>, (first, lanes): (i64, i64)) -> Value<'ir> {
        let place = self.builder.gep(element, room, &[self.builder.integer(64, first.into())], Promise::Inbounds);
        self.builder.load(Type::vector(element, lanes as u32), place, Some(1)).value()
    }

    /// How many lanes of a mask are set, in 64 bits.
    fn count(&self, mask: Value<'ir>, lanes: u32) -> Value<'ir> {
        let bits = self.builder.cast(Opcode::BitCast, mask, self.bits(lanes));
        let word = self.builder.resize(bits, self.bits(64), Signedness::Unsigned);
        self.builder.intrinsic("llvm.ctpop", &[word.ty()], &[word]).value()
    }

    /// A mask of so many lanes, the first ones.
    fn first_lanes(&self, count: Value<'ir>, mask: Type<'ir>, lanes: u32) -> Value<'ir> {
        let one = self.builder.integer(64, 1);
        let all = self.builder.sub(self.builder.binary(Opcode::Shl, one, count), one);
        let bits = self.builder.cast(Opcode::Trunc, all, self.bits(lanes));
        self.builder.cast(Opcode::BitCast, bits, mask)
    }

    /// The elements that a mask names, one behind the other. Bytes that fill no register are widened before: LLVM 22 has no way to put eight of them together.
    fn put_together(&self, value: Value<'ir>, mask: Value<'ir>, lanes: u32) -> Value<'ir> {
        let element = value.ty().element().and_then(Type::integer_width);
        let narrow = element.filter(|width| width * lanes < LEAST_BITS && LEAST_BITS.is_multiple_of(lanes));
        let ty = narrow.map_or(value.ty(), |_| Type::vector(self.bits(LEAST_BITS / lanes), lanes));
        let wide = narrow.map_or(value, |_| self.builder.cast(Opcode::ZExt, value, ty));
        let nothing = Value::zero(ty);
        let together =
            self.builder.intrinsic("llvm.experimental.vector.compress", &[ty], &[wide, mask, nothing]).value();
        narrow.map_or(together, |_| self.builder.cast(Opcode::Trunc, together, value.ty()))
    }

    fn bits(&self, width: u32) -> Type<'ir> {
        Type::integer(self.builder.context(), width)
    }
}

fn stored(store: Instruction<'_>) -> Value<'_> {
    store.memory().and_then(|access| access.stored).expect("law: what is packed is stored")
}
