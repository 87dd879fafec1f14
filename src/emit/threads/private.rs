//! Parallel loops that carry a reduction.
//!
//! `for parallel (c0 = lower; c0 <= upper; c0 += step) s += A[c0]` becomes
//!
//!     void f.part(frame, first, last, cells)   slot = cells[0]; for (c0 = first; c0 <= last; c0 += step) slot += A[c0]; cells[0] = slot
//!     void f.threads(thread, _, frame)         for each of my shares: f.part(frame, its first, its last, &cells[share])
//!
//!     void f.loop(..., s)
//!         if (the work is worth a fork) {
//!             cells = malloc(...);  cells[0 .. shares] = identity;  __kmpc_fork_call(f.threads, frame);
//!             for (share = 0; share < shares; share++) s = s + cells[share];
//!         } else f.part(frame, lower, upper, &s)
//!
//! The number of shares depends on the numbers of iterations and of elements alone, and they are combined in their order: the result is the same on any
//! number of threads and in every run, also where a floating-point sum may be reordered. (Only what has to be measured first is not measured where
//! there is one thread: a histogram with unknown bins and flags that let sums be reordered has other last bits there.) A *cell* is the value of a scalar, or for an
//! array the address that stands for its base: of the array itself, or of a share's copy of the elements that the loop updates. A copy
//! that is only overwritten (an array that each iteration has of its own) starts with anything and is forgotten; any other one
//! starts as the operator's identity; minima, maxima, `&` and `|` start with the value at hand, which does no harm twice. Where data
//! decides which elements are updated, no other ones may be looked at: all copies start with what changes nothing (see
//! [`crate::emit::plan::extremes`]), and those that did not change are not written.

use super::openmp::{Handing, Shares, call_part};
use crate::ast::For;
use crate::emit::arith::bounds::Known;
use crate::emit::plan::library::allocator;
use crate::emit::plan::own::OWN_ALIGNMENT;
use crate::emit::plan::privatization::{Density, Elements, Private, Privatization, Reduced};
use crate::emit::write::ends::address;
use crate::emit::write::frame::{CAPTURE_ALIGNMENT, Captured, frame_cell};
use crate::emit::write::loops::counted;
use crate::emit::write::operators::{applied, identity, neutral, share_cell, unless_same};
use crate::emit::write::writer::{Replaced, Writer};
use crate::llvm::{Block, Function, IntPredicate, Opcode, Promise, Signedness, Type, Value};
use crate::scop::ArrayId;

/// So many shares at most: enough for the threads of most machines, few enough to combine in no time.
const MOST_SHARES: i64 = 64;

/// Elements of a share's copies may be one in so many operations of the share: else starting and combining them costs more than the threads
/// save (a histogram with a large table and a short loop).
const WORK_PER_ELEMENT: i128 = 8;

/// Elements of one copy; with [`MOST_SHARES`] and [`WORK_PER_ELEMENT`], sums of their numbers fit 64 bits.
const MOST_ELEMENTS: i128 = 1 << 32;

/// Bytes of all copies together of the arrays that iterations have of their own: there are fewer shares where the arrays are large. A copy is
/// touched as far as an iteration needs it, by each share, so that this much memory may be in use beyond that of the program.
pub(super) const MOST_OWN_BYTES: u64 = 1 << 29;

/// Which of [`Shares::places`] is that of the cells.
const CELLS: usize = 4;

/// An array's copies, in the function that contains the original loops.
#[derive(Clone, Copy)]
pub(super) struct Copies<'ir> {
    pub first: Value<'ir>,
    pub last: Value<'ir>,
    pub is_touched: Value<'ir>,
    pub stride: Value<'ir>,
    pub base: Value<'ir>,
    /// Bytes of one copy.
    pub bytes: Value<'ir>,
    /// If each iteration has the array anew, and no element is combined: how far behind a multiple of [`OWN_ALIGNMENT`] the first element is.
    pub skew: Option<Value<'ir>>,
}

/// Memory of the copies of all shares.
#[derive(Clone, Copy)]
struct Reserved<'ir> {
    /// As `malloc` gave it.
    reserved: Value<'ir>,
    /// Where the copy of the first share begins.
    first: Value<'ir>,
}

/// A scalar of a part, and the cell that its value comes from and goes to.
pub(in crate::emit) struct Slot<'ir> {
    slot: Value<'ir>,
    element: Type<'ir>,
    cell: Value<'ir>,
}

impl<'ir> Writer<'_, 'ir> {
    pub fn reducing_for(&mut self, each: &For) {
        self.apart(&mut |writer| writer.fork_or_reduce(each));
    }

    fn fork_or_reduce(&mut self, each: &For) {
        let privates = self.plan.reductions.private[&each.iterator].clone();
        let (lower, upper) = (self.value(&each.lower), self.value(&each.upper));
        let arithmetic = self.arithmetic();
        let last = arithmetic.floor_div(arithmetic.sub(upper, lower), &each.step);
        let is_worth = self.is_worth_a_fork(each, lower, upper, last);
        let copies: Vec<Option<Copies<'ir>>> = privates.iter().map(|private| self.copies(private)).collect();
        let (is_worth, shares) = self.shares(each, &copies, is_worth, (lower, upper));
        let (one, zero) = (self.builder.integer(64, 1), self.builder.integer(64, 0));
        let whole = self.builder.binary(Opcode::SDiv, last.value, shares);
        let word = Type::integer(self.builder.context(), 64);
        let whole = self.builder.intrinsic("llvm.smax", &[word], &[whole, zero]).value();
        let share = self.builder.add(whole, one);
        let last_share = self.builder.binary(Opcode::SDiv, last.value, share);
        let bytes = CAPTURE_ALIGNMENT * privates.len() as u64;
        let own_cell = Type::array(Type::integer(self.builder.context(), 128), bytes / CAPTURE_ALIGNMENT);
        let own_cell = self.reserve_apart(own_cell, "cell");

        let mut captured = Captured::default();
        let number = |value: Known<'ir>| value.value;
        let no_cells = Value::zero(Type::pointer(self.builder.context()));
        let values = [number(lower), number(last), share, last_share, no_cells];
        let places = values.map(|value| captured.add(value, &self.builder));
        let handed = self.reserve_errno(&mut captured);
        let ends: Vec<Option<[u64; 3]>> = copies
            .iter()
            .map(|copies| copies.map(|c| [c.first, c.last, c.base].map(|v| captured.add(v, &self.builder))))
            .collect();
        let (part, captured) = self.part_function(each, Handing::Cells(&privates), (lower, upper), captured);
        let shares = Shares { places, ends: &ends, privates: &privates, bytes, part, handed };
        let threads = self.share_function(each, &shares);
        let frame = self.reserve_apart(captured.ty(&self.builder), "frame");
        captured.store(&self.builder, frame);

        let [reserve, fork, give_up, run, after] =
            ["reserve", "fork", "give.up", "alone", "done"].map(|name| self.new_block(name));
        self.builder.branch(is_worth, reserve, run);
        self.builder.at_end(reserve);
        let kept = self.keep_errno(handed);
        let state = self.hold_cancellation(&|ty, name| self.reserve_apart(ty, name));
        let (cells, memory) = self.reserve_copies(&copies, bytes, last_share, (fork, give_up));
        let all = || [cells].into_iter().chain(memory.iter().flatten().map(|copy| copy.reserved));
        self.builder.at_end(give_up);
        self.release(all());
        self.release_cancellation(state);
        self.restore_errno(kept);
        self.builder.jump(run);
        self.builder.at_end(fork);
        let place = frame_cell(&self.builder, frame, places[CELLS]);
        self.builder.store(cells, place, Some(CAPTURE_ALIGNMENT as u32));
        self.prepare_cells(&privates, &copies, &memory, cells, bytes, last_share);
        self.fork(threads, frame);
        self.combine_cells(&privates, &copies, cells, bytes, last_share);
        self.release(all());
        self.release_cancellation(state);
        self.restore_errno(kept);
        self.builder.jump(after);
        self.builder.at_end(run);
        self.run_alone(&privates, own_cell, (part, frame), [lower.value, upper.value]);
        self.builder.jump(after);
        self.builder.at_end(after);
    }

    /// What is known of an array's copies before the fork.
    fn copies(&mut self, private: &Private) -> Option<Copies<'ir>> {
        if let Privatization::Own(extent) = &private.way {
            return Some(self.own_copies(private.array, extent));
        }
        let Elements { touched, stride, .. } = private.way.elements()?;
        let bound = &self.plan.binding.arrays[private.array];
        let base = bound.base.expect("law: elements are of an array in memory");
        let [first, last, is_touched] = match touched {
            Some(touched) => {
                let (first, last) = &touched.bounds[0];
                [self.value(first).value, self.value(last).value, self.truth(&touched.is_touched)]
            }
            None => self.measured_elements(private.array, *stride),
        };
        let builder = &self.builder;
        let (stride, element) = (builder.integer(64, *stride), builder.integer(64, i128::from(bound.element_bytes)));
        let distance = builder.sub(last, first);
        let bytes = builder.add(builder.mul(distance, stride), element);
        Some(Copies { first, last, is_touched, stride, base, bytes, skew: None })
    }

    /// The first and the last element that was touched when that was measured, and whether any was.
    fn measured_elements(&self, array: ArrayId, stride: i128) -> [Value<'ir>; 3] {
        let builder = &self.builder;
        let ends = &self.measured[&array];
        let bound = &self.plan.binding.arrays[array];
        let base = address(builder, bound.base.expect("law: what is measured is in memory"));
        let wide = |value: i128| Value::integer(base.ty(), value);
        let number = |address: Value<'ir>| {
            let number = builder.binary(Opcode::SDiv, builder.sub(address, base), wide(stride));
            builder.resize(number, Type::integer(builder.context(), 64), Signedness::Signed)
        };
        let last = builder.sub(ends.behind, wide(i128::from(bound.element_bytes)));
        [number(ends.first), number(last), ends.is_touched]
    }

    /// Whether the loop is worth a fork with its copies, and into how many shares at most it is cut: a share does enough work for its copies.
    fn shares(
        &mut self,
        each: &For,
        copies: &[Option<Copies<'ir>>],
        is_worth: Value<'ir>,
        (lower, upper): (Known<'ir>, Known<'ir>),
    ) -> (Value<'ir>, Value<'ir>) {
        let most = self.builder.integer(64, MOST_SHARES.into());
        if copies.iter().flatten().next().is_none() {
            return (is_worth, most);
        }
        let work = self.work_of(each, lower, upper);
        let builder = &self.builder;
        let word = |value: i128| builder.integer(64, value);
        let (mut all, mut elements, mut own_bytes) = (is_worth, word(0), word(1));
        for copies in copies.iter().flatten() {
            if copies.skew.is_some() {
                own_bytes = builder.add(own_bytes, copies.bytes);
            }
            let count = builder.add(builder.sub(copies.last, copies.first), word(1));
            elements = if copies.skew.is_some() { elements } else { builder.add(elements, count) };
            let is_few = builder.icmp(IntPredicate::Ule, count, word(MOST_ELEMENTS));
            for fits in [copies.is_touched, is_few] {
                all = builder.binary(Opcode::And, all, fits);
            }
        }
        let ty = Type::integer(builder.context(), 64);
        let price = builder.mul(elements, word(WORK_PER_ELEMENT));
        let price = builder.intrinsic("llvm.smax", &[ty], &[price, word(1)]).value();
        let paid = builder.binary(Opcode::UDiv, work.value, price);
        let room = builder.binary(Opcode::UDiv, word(MOST_OWN_BYTES.into()), own_bytes);
        let shares = [most, room].into_iter().fold(paid, |a, b| builder.intrinsic("llvm.umin", &[ty], &[a, b]).value());
        let are_several = builder.icmp(IntPredicate::Ugt, shares, word(1));
        let at_least_one = builder.intrinsic("llvm.umax", &[ty], &[shares, word(1)]).value();
        (builder.binary(Opcode::And, all, are_several), at_least_one)
    }

    /// Has the part being written use the cells that it is given: scalars in slots of its own, arrays where the cells say.
    pub(in crate::emit) fn take_cells(&mut self, privates: &[Private], cells: Value<'ir>) -> Vec<Slot<'ir>> {
        let pointer = Type::pointer(self.builder.context());
        let mut slots = Vec::new();
        for (at, private) in privates.iter().enumerate() {
            let cell = frame_cell(&self.builder, cells, CAPTURE_ALIGNMENT * at as u64);
            let part = self.part.as_mut().expect("law: cells are taken in a part");
            if let Privatization::Own(extent) = &private.way {
                let cell = frame_cell(&part.entry, cells, CAPTURE_ALIGNMENT * at as u64);
                let copy = part.entry.load(pointer, cell, Some(CAPTURE_ALIGNMENT as u32)).value();
                self.use_copy(private.array, copy, extent);
                continue;
            }
            let copy = match self.plan.cell_type(private) {
                None => self.builder.load(pointer, cell, Some(CAPTURE_ALIGNMENT as u32)).value(),
                Some(element) => {
                    let slot = part.entry.alloca(element, "slot").value();
                    let value = self.builder.load(element, cell, Some(CAPTURE_ALIGNMENT as u32)).value();
                    self.builder.store(value, slot, None);
                    slots.push(Slot { slot, element, cell });
                    slot
                }
            };
            if let Privatization::Flag = private.way {
                part.flags.insert(private.array, copy);
            } else {
                part.private.push(Replaced { array: private.array, only: private.only.clone(), by: copy });
            }
        }
        slots
    }

    /// Writes what is in the slots back to their cells.
    pub(in crate::emit) fn give_back(&mut self, slots: &[Slot<'ir>]) {
        for Slot { slot, element, cell } in slots {
            let value = self.builder.load(*element, *slot, None).value();
            self.builder.store(value, *cell, Some(CAPTURE_ALIGNMENT as u32));
        }
    }

    /// Memory for the cells of all shares and for their copies of each array; goes on in `fork` if there is any, else in `give_up`.
    fn reserve_copies(
        &mut self,
        copies: &[Option<Copies<'ir>>],
        bytes: u64,
        last_share: Value<'ir>,
        (fork, give_up): (Block<'ir>, Block<'ir>),
    ) -> (Value<'ir>, Vec<Option<Reserved<'ir>>>) {
        let builder = &self.builder;
        let null = Value::zero(Type::pointer(builder.context()));
        let word = |value: u64| builder.integer(64, i128::from(value));
        let shares = builder.add(last_share, word(1));
        let (malloc, _) = allocator(self.main).expect("law: a plan with copies has an allocator");
        let mut all = builder.integer(1, 1);
        let mut reserve = |bytes: Value<'ir>| {
            let call = builder.call(malloc, &[bytes]);
            call.set_location(self.location);
            all = builder.binary(Opcode::And, all, builder.icmp(IntPredicate::Ne, call.value(), null));
            call.value()
        };
        let cells = reserve(builder.mul(word(bytes), shares));
        let mut copy = |copies: &Copies<'ir>| {
            let bytes = builder.mul(copies.bytes, shares);
            if copies.skew.is_none() {
                let reserved = reserve(bytes);
                return Reserved { reserved, first: reserved };
            }
            let reserved = reserve(builder.add(bytes, word(OWN_ALIGNMENT)));
            let behind = builder.gep(
                Type::integer(builder.context(), 8),
                reserved,
                &[word(OWN_ALIGNMENT - 1)],
                Promise::Nothing,
            );
            let types = [behind.ty(), Type::integer(builder.context(), 64)];
            let mask = builder.integer(64, -i128::from(OWN_ALIGNMENT));
            Reserved { reserved, first: builder.intrinsic("llvm.ptrmask", &types, &[behind, mask]).value() }
        };
        let memory = copies.iter().map(|copies| copies.as_ref().map(&mut copy)).collect();
        builder.branch(all, fork, give_up);
        (cells, memory)
    }

    fn release(&self, memory: impl Iterator<Item = Value<'ir>>) {
        let (_, free) = allocator(self.main).expect("law: a plan with copies has an allocator");
        memory.for_each(|pointer| self.builder.call(free, &[pointer]).set_location(self.location));
    }

    /// What each share begins with: the identity, or the address of its copy as if that were the array.
    fn prepare_cells(
        &mut self,
        privates: &[Private],
        copies: &[Option<Copies<'ir>>],
        memory: &[Option<Reserved<'ir>>],
        cells: Value<'ir>,
        bytes: u64,
        last_share: Value<'ir>,
    ) {
        let starts: Vec<Option<Value<'ir>>> = privates
            .iter()
            .map(|private| {
                let element = self.plan.cell_type(private)?;
                let known = match private.way {
                    Privatization::Flag => Some(Value::integer(element, 0)),
                    Privatization::Value(Reduced { operator, .. }) => identity(operator, element),
                    _ => None,
                };
                let at_hand = || {
                    let slot = self.slot(private.array, element);
                    self.builder.load(element, slot, None).value()
                };
                Some(known.unwrap_or_else(at_hand))
            })
            .collect();
        let (builder, function) = (&self.builder, self.main);
        counted(builder, function, builder.integer(64, 0), last_share, &mut |share| {
            let cell = share_cell(builder, cells, share, bytes);
            for (at, start) in starts.iter().enumerate() {
                let value = match (start, copies[at], memory[at]) {
                    (Some(value), ..) => *value,
                    (None, Some(copies), Some(memory)) => {
                        let place = builder.mul(copies.bytes, share);
                        let place = copies.skew.map_or(place, |skew| builder.add(place, skew));
                        let offset = builder.sub(place, builder.mul(copies.first, copies.stride));
                        builder.gep(Type::integer(builder.context(), 8), memory.first, &[offset], Promise::Nothing)
                    }
                    _ => unreachable!("law: a cell is a value or has a copy"),
                };
                let place = frame_cell(builder, cell, CAPTURE_ALIGNMENT * at as u64);
                builder.store(value, place, Some(CAPTURE_ALIGNMENT as u32));
            }
        });
    }

    /// Adds what the shares computed to what was there, one share after the other.
    fn combine_cells(
        &mut self,
        privates: &[Private],
        copies: &[Option<Copies<'ir>>],
        cells: Value<'ir>,
        bytes: u64,
        last_share: Value<'ir>,
    ) {
        let slots: Vec<Option<Value<'ir>>> = privates
            .iter()
            .map(|private| match private.way {
                Privatization::Flag => None,
                _ => self.plan.cell_type(private).map(|element| self.slot(private.array, element)),
            })
            .collect();
        let (builder, function) = (&self.builder, self.main);
        let pointer = Type::pointer(builder.context());
        counted(builder, function, builder.integer(64, 0), last_share, &mut |share| {
            let cell = share_cell(builder, cells, share, bytes);
            for (at, private) in privates.iter().enumerate() {
                let (reduced, own) = match &private.way {
                    Privatization::Value(reduced) => (reduced, None),
                    Privatization::Elements(reduced, own) => (reduced, Some(own)),
                    Privatization::Leader { rule, arrays, .. } => {
                        self.combine_pair(privates, &slots, (*rule, arrays), cell);
                        continue;
                    }
                    Privatization::Member { .. } | Privatization::Flag | Privatization::Own(_) => continue,
                };
                let ty = self.plan.value_type(private.array, reduced.ty);
                let place = frame_cell(builder, cell, CAPTURE_ALIGNMENT * at as u64);
                let add = |to: Value<'ir>, from: Value<'ir>| {
                    let (old, new) = (builder.load(ty, to, None), builder.load(ty, from, None));
                    builder.store(applied(builder, reduced.operator, old.value(), new.value()), to, None);
                };
                match (slots[at], own.zip(copies[at])) {
                    (Some(slot), _) => add(slot, place),
                    (None, Some((own, copies))) => {
                        let copy = builder.load(pointer, place, Some(CAPTURE_ALIGNMENT as u32)).value();
                        counted(builder, function, copies.first, copies.last, &mut |element| {
                            let offset = builder.mul(element, copies.stride);
                            let byte = Type::integer(builder.context(), 8);
                            let at = |base| builder.gep(byte, base, &[offset], Promise::Nothing);
                            if let Density::Sparse(numbers) = own.density {
                                let found = builder.load(ty, at(copy), None).value();
                                let unchanged = neutral(reduced.operator, ty, numbers);
                                unless_same(builder, function, (found, unchanged), &mut || {
                                    add(at(copies.base), at(copy))
                                });
                            } else {
                                add(at(copies.base), at(copy));
                            }
                        });
                    }
                    _ => unreachable!("law: a cell is a value or has a copy"),
                }
            }
        });
    }

    /// All iterations, on the arrays and scalars themselves.
    fn run_alone(
        &mut self,
        privates: &[Private],
        cell: Value<'ir>,
        (part, frame): (Function<'ir>, Value<'ir>),
        ends: [Value<'ir>; 2],
    ) {
        let mut slots = Vec::new();
        for (at, private) in privates.iter().enumerate() {
            let bound = &self.plan.binding.arrays[private.array];
            let place = frame_cell(&self.builder, cell, CAPTURE_ALIGNMENT * at as u64);
            let value = match (&private.way, bound.base) {
                (Privatization::Flag, _) => self.builder.integer(8, 0),
                (_, Some(base)) => base,
                _ => {
                    let slot = self.slot(private.array, bound.element);
                    slots.push((slot, bound.element, place));
                    self.builder.load(bound.element, slot, None).value()
                }
            };
            self.builder.store(value, place, Some(CAPTURE_ALIGNMENT as u32));
        }
        call_part(&self.builder, part, frame, ends, &[cell]).set_location(self.location);
        for (slot, element, place) in slots {
            let value = self.builder.load(element, place, Some(CAPTURE_ALIGNMENT as u32)).value();
            self.builder.store(value, slot, None);
        }
    }
}
