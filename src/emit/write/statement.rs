//! One instance of a statement: its operand tree copied, the leaves computed anew.
//!
//! For `S: A[i] = A[i] * n + i`, run as `S(c0 - 1)`, the copy is
//!
//!     %i = sub nsw i64 %c0, 1      %offset = mul nsw i64 %i, 8     %cell = getelementptr i8, ptr %A, i64 %offset
//!     %x = load double, ptr %cell  %y = fmul double %x, %n         ...                                store
//!
//! Copied instructions keep their flags: they run for the instances they ran for, on the operands they had, so that what
//! they promised stays true, and every bit of the result is the same; only updates of reductions, which may see other operands, forget
//! that they do not wrap. Offsets are sums that start with what changes least, so that the
//! innermost iterator is added last; they may wrap as the original addresses may.

use super::keeping::Place;
use super::writer::Writer;
use crate::ast::Expr;
use crate::emit::arith::bounds::{Arithmetic, Bounds, Known};
use crate::emit::arith::formula;
use crate::emit::plan::storage::Storage;
use crate::emit::write::writer::Memory;
use crate::extract::control::guards::BoundGuard;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, Polynomial, QuasiId};
use crate::extract::reductions::arg_reduction::BoundPick;
use crate::extract::statements::held::parts_of;
use crate::extract::statements::root::Root;
use crate::llvm::instruction::Address;
use crate::llvm::{
    Block, Instruction, IntPredicate, LoopId, Opcode, Promise, Signedness, Type, TypeKind, Value, ValueKind,
};
use crate::presburger::Id;
use crate::scop::{ArrayId, StatementId};
use std::collections::{BTreeMap, HashMap};

/// An instance being written.
pub(in crate::emit) struct Instance<'w, 'ir> {
    pub(in crate::emit) loops: &'w [LoopId],
    pub(in crate::emit) leaves: &'w HashMap<Value<'ir>, Leaf>,
    /// Loads some of which may be of elements that are in registers already.
    pub(in crate::emit) loads: &'w [Value<'ir>],
    pub(in crate::emit) picks: &'w [BoundPick<'ir>],
    pub(in crate::emit) iterators: &'w [Known<'ir>],
    pub(in crate::emit) copies: HashMap<Value<'ir>, Value<'ir>>,
    /// It updates an element that other instances update as well, in an order in which what its arithmetic promised may be false.
    pub(in crate::emit) is_update: bool,
    /// It is computed before the program does so, as before the loops, which may write what it reads: what it sees may be anything.
    pub(in crate::emit) is_early: bool,
    /// Arrays that it writes.
    pub(in crate::emit) written: Vec<ArrayId>,
}

impl<'w, 'ir> Instance<'w, 'ir> {
    pub(in crate::emit) fn of(
        loops: &'w [LoopId],
        leaves: &'w HashMap<Value<'ir>, Leaf>,
        iterators: &'w [Known<'ir>],
    ) -> Instance<'w, 'ir> {
        Instance {
            loops,
            leaves,
            loads: &[],
            picks: &[],
            iterators,
            copies: HashMap::new(),
            is_update: false,
            is_early: false,
            written: Vec::new(),
        }
    }
}

impl<'p, 'ir> Writer<'p, 'ir> {
    /// Writes the instance of a statement at the given iterators.
    pub fn statement(&mut self, number: StatementId, iterators: &[Known<'ir>]) {
        let plan = self.plan;
        let bound = &plan.binding.statements[number];
        let is_update = plan.scop.statements[number].accesses.iter().any(|access| access.reduction.is_some());
        let written = match &bound.root {
            Root::Store { array, .. } | Root::Write { array, .. } => vec![*array],
            _ => Vec::new(),
        };
        let of = Instance::of(&bound.loops, &bound.leaves, iterators);
        let mut instance = Instance { is_update, loads: &bound.loads, picks: &bound.picks, written, ..of };
        let end = self.ask(bound.guards.get(self.answered..).unwrap_or_default(), &mut instance);
        self.root(&bound.root, &mut instance);
        if let Some(end) = end {
            self.builder.jump(end);
            self.builder.at_end(end);
        }
    }

    /// Goes on where the conditions are answered so, and gives back where it goes on else, if there are any.
    pub(in crate::emit) fn ask(
        &mut self,
        guards: &[BoundGuard<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) -> Option<Block<'ir>> {
        let end = (!guards.is_empty()).then(|| self.new_block("unguarded"))?;
        for guard in guards {
            let next = self.new_block("guarded");
            // Where control goes if an answer is another one.
            let other = if guard.wanted { end } else { next };
            // Where the first answer may be enough, what the other ones are computed from is not computed in any case.
            let mut known = None;
            for (at, (asked, holds)) in guard.answers.iter().enumerate() {
                let is_last = at + 1 == guard.answers.len();
                let so = match (is_last, guard.wanted) {
                    (false, _) => self.new_block("asked"),
                    (true, true) => next,
                    (true, false) => end,
                };
                let condition = self.copied(*asked, instance);
                if !guard.wanted && at == 0 {
                    known = Some(instance.copies.clone());
                }
                let condition = if instance.is_early { self.builder.freeze(condition) } else { condition };
                let (then, otherwise) = if *holds { (so, other) } else { (other, so) };
                self.builder.branch(condition, then, otherwise);
                if !is_last {
                    self.builder.at_end(so);
                }
            }
            instance.copies = known.unwrap_or_else(|| std::mem::take(&mut instance.copies));
            self.builder.at_end(next);
        }
        Some(end)
    }

    /// Writes what an instance does.
    fn root(&mut self, root: &Root<'ir>, instance: &mut Instance<'_, 'ir>) {
        match root {
            Root::Store { store, array, offset } => {
                let access = store.memory().expect("law: a store accesses memory");
                let stored = access.stored.expect("law: a store stores a value");
                let stored = self.copied(stored, instance);
                if self.keeping.takes(stored) == Place::Register {
                    return;
                }
                let cell = self.cell(*array, offset, access.pointer, instance);
                let copy = self.builder.copy(*store, |operand| operand);
                copy.set_operand(0, stored);
                copy.set_operand(1, cell);
                self.mark(copy, *array, Memory::OfOne);
            }
            Root::Write { value, array, subscripts } => {
                let value = self.copied(*value, instance);
                let (cell, alignment, memory) = self.scalar(*array, value.ty(), subscripts, instance);
                let store = self.builder.store(self.in_bytes(value, memory), cell, alignment);
                self.mark(store, *array, memory);
                self.set_flags(instance, &HashMap::new());
            }
            Root::Pick { outputs, .. } | Root::Together { outputs } => {
                let values: Vec<Value<'ir>> =
                    outputs.iter().map(|output| self.copied(output.value, instance)).collect();
                for (output, value) in outputs.iter().zip(values) {
                    self.hand_on(output, value, instance);
                }
                self.set_flags(instance, &HashMap::new());
            }
            Root::Scatter { store, array } => {
                let access = store.memory().expect("law: a store accesses memory");
                let stored = self.copied(access.stored.expect("law: a store stores a value"), instance);
                let pointer = self.copied(access.pointer, instance);
                let pointer = self.in_private_copy(*array, pointer);
                let copy = self.builder.copy(*store, |operand| operand);
                copy.set_operand(0, stored);
                copy.set_operand(1, pointer);
                self.mark(copy, *array, Memory::OfOne);
            }
            Root::Opaque { part, accesses, outputs } => self.opaque(part, accesses, outputs, instance),
        }
    }

    /// The value for this instance.
    pub(in crate::emit) fn copied(&mut self, value: Value<'ir>, instance: &mut Instance<'_, 'ir>) -> Value<'ir> {
        if let Some(copy) = instance.copies.get(&value) {
            return *copy;
        }
        let region = &self.plan.binding.region;
        let inside = value.as_instruction().filter(|instruction| region.contains_instruction(*instruction));
        let copy = match (instance.leaves.get(&value), inside) {
            (Some(leaf), _) => self.leaf(value, leaf, instance),
            (None, None) => self.import(value),
            (None, Some(instruction)) => {
                assert!(
                    !instruction.is_phi() && instruction.memory().is_none(),
                    "law: a copied tree ends before {instruction}"
                );
                for operand in instruction.operands() {
                    if !matches!(operand.kind(), ValueKind::Block | ValueKind::Other) {
                        self.copied(operand, instance);
                    }
                }
                let copy = self
                    .builder
                    .copy(instruction, |operand| self.settled(instruction, instance.copies[&operand], instance));
                if instance.is_update {
                    copy.forget_values();
                }
                copy.value()
            }
        };
        instance.copies.insert(value, copy);
        copy
    }

    /// An operand of a copy. That of a logical operation in an update is computed also where the program knew the result without it, and must
    /// be a number then.
    pub(in crate::emit) fn settled(
        &self,
        original: Instruction<'ir>,
        operand: Value<'ir>,
        instance: &Instance<'_, 'ir>,
    ) -> Value<'ir> {
        let is_logical = instance.is_update && original.select().is_some() && original.ty().integer_width() == Some(1);
        if is_logical && operand.as_instruction().is_some() { self.builder.freeze(operand) } else { operand }
    }

    fn leaf(&mut self, value: Value<'ir>, leaf: &Leaf, instance: &mut Instance<'_, 'ir>) -> Value<'ir> {
        match leaf {
            Leaf::Affine(polynomial) => {
                let number = self.polynomial(polynomial, instance);
                self.builder.resize(number.value, value.ty(), Signedness::Signed)
            }
            Leaf::Load { array, offset } => {
                let load = value.as_instruction().expect("law: a load is an instruction");
                let pointer = load.memory().expect("law: a load accesses memory").pointer;
                let number = instance.loads.iter().position(|own| *own == value);
                let element = number.and_then(|number| self.keeping.element(number));
                if let Some(known) = element.and_then(|element| self.keeping.value(element)) {
                    return known;
                }
                let cell = self.cell(*array, offset, pointer, instance);
                let copy = self.builder.copy(load, |_| cell);
                if instance.is_update || element.is_some() {
                    copy.forget_values();
                }
                self.mark(copy, *array, Memory::OfOne);
                let loaded = self.in_stream(copy.value(), *array, instance);
                element.into_iter().for_each(|element| self.keeping.note(element, loaded));
                loaded
            }
            Leaf::Indirect { array } => {
                let load = value.as_instruction().expect("law: a load is an instruction");
                let pointer = load.memory().expect("law: a load accesses memory").pointer;
                let pointer = self.copied(pointer, instance);
                let pointer = self.in_private_copy(*array, pointer);
                let copy = self.builder.copy(load, |_| pointer);
                if instance.is_update {
                    copy.forget_values();
                }
                self.mark(copy, *array, Memory::OfOne);
                copy.value()
            }
            Leaf::Scalar { array, subscripts } => {
                let (cell, alignment, memory) = self.scalar(*array, value.ty(), subscripts, instance);
                let byte = Type::integer(self.builder.context(), 8);
                let is_bit = value.ty().integer_width() == Some(1) && matches!(memory, Memory::OfOne);
                let load = self.builder.load(if is_bit { byte } else { value.ty() }, cell, alignment);
                self.mark(load, *array, memory);
                match is_bit {
                    true => self.builder.icmp(IntPredicate::Ne, load.value(), Value::integer(byte, 0)),
                    false => load.value(),
                }
            }
        }
    }

    /// A value as it is written to an array of our own, where single bits are bytes: LLVM puts the loads of several bits into one register of masks, bit by
    /// bit. A slot has the type of its value.
    pub(super) fn in_bytes(&self, value: Value<'ir>, memory: Memory) -> Value<'ir> {
        match (value.ty().integer_width(), memory) {
            (Some(1), Memory::OfOne) => {
                self.builder.cast(Opcode::ZExt, value, Type::integer(self.builder.context(), 8))
            }
            _ => value,
        }
    }

    /// The loaded value. Of elements of several rows LLVM would make one gathering load: processors that take long for these, as many do since they
    /// were mended against leaks of data, wait for each, and none sees the next lines of eight rows coming. A fence, which computes nothing,
    /// keeps the loads apart.
    fn in_stream(&self, value: Value<'ir>, array: ArrayId, instance: &Instance<'_, 'ir>) -> Value<'ir> {
        let is_float = matches!(value.ty().kind(), TypeKind::Float | TypeKind::Double);
        if !self.is_in_streams || !is_float || instance.written.contains(&array) {
            return value;
        }
        self.builder.intrinsic("llvm.arithmetic.fence", &[value.ty()], &[value]).value()
    }

    /// The address of an element in memory that the original reached as `pointer`.
    pub(super) fn cell(
        &mut self,
        array: ArrayId,
        offset: &Polynomial,
        pointer: Value<'ir>,
        instance: &mut Instance<'_, 'ir>,
    ) -> Value<'ir> {
        let byte = Type::integer(self.builder.context(), 8);
        if let Some(rows) = &self.plan.binding.arrays[array].rows {
            let (_, inside) = parts_of(offset, rows.depth);
            let row = self.plan.binding.held[&pointer].value();
            let promise = promise(pointer, row);
            let row = self.copied(row, instance);
            let offset = self.polynomial(&inside, instance);
            return self.builder.gep(byte, row, &[offset.value], self.behind(promise, offset));
        }
        let base = self.plan.binding.arrays[array].base.expect("law: an offset is from a base");
        let copy = self.private_copy(array);
        let promise = if copy.is_none() { promise(pointer, base) } else { Promise::Nothing };
        let base = copy.unwrap_or_else(|| self.import(base));
        let offset = self.polynomial(offset, instance);
        self.builder.gep(byte, base, &[offset.value], self.behind(promise, offset))
    }

    /// What an address promises that promises this and is so far from its base.
    fn behind(&self, promise: Promise, offset: Known<'ir>) -> Promise {
        let is_behind = offset.range.low >= 0 && self.arithmetic().bounds == Bounds::Established;
        if promise == Promise::Inbounds && is_behind { Promise::InboundsBehind } else { promise }
    }

    /// The address of the same element of a private copy of the array, if there is one.
    pub(in crate::emit) fn in_private_copy(&mut self, array: ArrayId, pointer: Value<'ir>) -> Value<'ir> {
        let Some(copy) = self.private_copy(array) else { return pointer };
        let base = self.plan.binding.arrays[array].base.expect("law: a pointer is into memory");
        let base = self.import(base);
        let distance = self.builder.sub(self.builder.address(pointer), self.builder.address(base));
        self.builder.gep(Type::integer(self.builder.context(), 8), copy, &[distance], Promise::Nothing)
    }

    /// The address of an element of a scalar array, its alignment, and whose memory it is.
    pub(in crate::emit) fn scalar(
        &mut self,
        array: ArrayId,
        element: Type<'ir>,
        subscripts: &[Polynomial],
        instance: &Instance<'_, 'ir>,
    ) -> (Value<'ir>, Option<u32>, Memory) {
        let plan = self.plan;
        let bytes = plan.binding.arrays[array].element_bytes;
        let alignment = if bytes.is_power_of_two() && bytes <= 16 { bytes as u32 } else { 1 };
        match plan.storage[array].as_ref().expect("law: a scalar has storage") {
            Storage::PrivateSlot { .. } => return (self.private_slot(array, element), None, Memory::OfSeveral),
            Storage::Slot => return (self.slot(array, element), None, Memory::OfSeveral),
            Storage::Window(window) => {
                let at = self.polynomial(&subscripts[window.subscript], instance);
                return (self.in_window(array, window, at), Some(alignment), Memory::OfOne);
            }
            Storage::Buffer { .. } => {}
        }
        let buffer = self.buffers[&array].clone();
        let mut offset = self.arithmetic().constant(0);
        for ((subscript, low), stride) in subscripts.iter().zip(&buffer.low).zip(&buffer.strides) {
            let subscript = self.polynomial(subscript, instance);
            let low = Known { value: self.import(low.value), ..*low };
            let stride = Known { value: self.import(stride.value), ..*stride };
            let arithmetic = self.arithmetic();
            offset = arithmetic.add(offset, arithmetic.mul(arithmetic.sub(subscript, low), stride));
        }
        let memory = self.import(buffer.memory);
        let byte = Type::integer(self.builder.context(), 8);
        (self.builder.gep(byte, memory, &[offset.value], Promise::Inbounds), Some(alignment), Memory::OfOne)
    }

    /// The polynomial's value modulo 2^64.
    fn polynomial(&mut self, polynomial: &Polynomial, instance: &Instance<'_, 'ir>) -> Known<'ir> {
        let mut terms: Vec<(usize, &[Atom], i128)> = polynomial
            .terms()
            .map(|(atoms, factor)| {
                let innermost = atoms.iter().map(|atom| self.depth(*atom, instance)).max();
                (innermost.unwrap_or(0), atoms, factor)
            })
            .collect();
        terms.sort_by_key(|(depth, _, _)| *depth);
        let mut sum = self.arithmetic().constant(0);
        for (_, atoms, factor) in terms {
            let mut atoms = atoms.to_vec();
            atoms.sort_by_key(|atom| self.depth(*atom, instance));
            let mut product = self.arithmetic().constant(factor);
            for atom in atoms {
                let value = self.atom(atom, instance);
                product = self.arithmetic().mul(product, value);
            }
            sum = self.arithmetic().add(sum, product);
        }
        sum
    }

    /// How many loops around the statement an atom depends on.
    fn depth(&self, atom: Atom, instance: &Instance<'_, 'ir>) -> usize {
        match atom {
            Atom::Parameter(_) => 0,
            Atom::Iterator(id) => instance.loops.iter().position(|l| *l == id).map_or(0, |at| at + 1),
            Atom::Quasi(at) => self.plan.binding.quasi[at].0.len(),
            Atom::Unknown(_) | Atom::Address(_) => {
                unreachable!("law: what is written names nothing that data gives, and addresses are parameters")
            }
        }
    }

    /// What a piecewise number is in all instances that are run here, if it is of one piece.
    pub(super) fn piece(&self, at: QuasiId) -> Option<&'p Expr> {
        self.writing.as_ref()?.pieces?.get(&at)
    }

    fn atom(&mut self, atom: Atom, instance: &Instance<'_, 'ir>) -> Known<'ir> {
        match atom {
            Atom::Parameter(at) => {
                let id = self.plan.binding.parameters[at].id.clone();
                self.named(&id)
            }
            Atom::Iterator(id) => {
                let at = instance.loops.iter().position(|l| *l == id);
                instance.iterators[at.expect("law: a planned subscript counts loops around its statement")]
            }
            Atom::Unknown(_) | Atom::Address(_) => {
                unreachable!("law: what is written names nothing that data gives, and addresses are parameters")
            }
            Atom::Quasi(at) => {
                let expr = self.piece(at).unwrap_or(&self.plan.quasi.everywhere[at]);
                let mut names: BTreeMap<Id, Known<'ir>> = BTreeMap::new();
                let mut wanted = Vec::new();
                expr.names(&mut |name| wanted.push(name.clone()));
                for name in wanted {
                    let at = (0..instance.iterators.len()).find(|at| formula::dimension_name(*at) == name);
                    let known = at.map_or_else(|| self.named(&name), |at| instance.iterators[at]);
                    names.insert(name, known);
                }
                Arithmetic { builder: &self.builder, bounds: Bounds::Established }.value(expr, &|name| names[name])
            }
        }
    }
}

/// What the program promises of `pointer`: that every step of its computation from `base` stays inside one object, or nothing.
fn promise<'ir>(pointer: Value<'ir>, base: Value<'ir>) -> Promise {
    let mut here = pointer;
    while here != base {
        match Address::of_value(here) {
            Some(address) if address.inbounds => here = address.base,
            _ => return Promise::Nothing,
        }
    }
    Promise::Inbounds
}
