//! An opaque part of the original code as one instance of a statement: its blocks are copied as they are.
//!
//!         ...                                    what the part uses from outside is computed for this instance
//!         br (x > t), then, join        ->       br (x' > t'), then', out
//!     then:  store x, B[i];  br join             then':  store x', B[i]';  br out
//!     join:  p = phi ...                         out:    p' = phi ...;  the scalar that stands for p = p'
//!
//! Control inside stays what it is, so nothing runs that did not run, and in the same order.

use super::cfg_copy::CfgCopy;
use super::statement::Instance;
use super::writer::Writer;
use crate::emit::write::writer::Memory;
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::polynomial::Atom;
use crate::extract::reductions::arg_reduction::Pick;
use crate::extract::ssa::decider;
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Instruction, Opcode, Type, Value, ValueKind};
use crate::scop::ArrayId;
use std::collections::HashMap;

impl<'ir> Writer<'_, 'ir> {
    pub(in crate::emit) fn opaque(
        &mut self,
        part: &Opaque<'ir>,
        accesses: &[OpaqueAccess<'ir>],
        outputs: &[Output<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) {
        let picks = self.flagged(instance).into_iter().map(|(_, pick)| pick).collect();
        let mut notes = Notes { picks, ..Notes::default() };
        let copy = self.part_copy(part, accesses, &mut notes, instance);
        let handed_on = |output: &Output<'ir>| self.handed_on(part, output, &copy, instance);
        let results: Vec<Value<'ir>> = outputs.iter().map(handed_on).collect();
        self.note_behind(part, &copy, &mut notes, instance);
        for (output, value) in outputs.iter().zip(results) {
            self.hand_on(output, value, instance);
        }
        self.set_flags(instance, &notes.known);
    }

    /// Notes where the copy of a part ends which of the pairs are other ones there.
    fn note_behind(
        &self,
        part: &Opaque<'ir>,
        copy: &CfgCopy<'ir>,
        notes: &mut Notes<'_, 'ir>,
        instance: &Instance<'_, 'ir>,
    ) {
        for phi in part.exit.phis() {
            let Some(pick) = notes.picks.iter().find(|pick| pick.witness().result == phi.value()) else {
                continue;
            };
            let merged = self.builder.phi(Type::integer(self.builder.context(), 1), "is.replaced");
            for (value, from) in phi.incoming().into_iter().filter(|(_, from)| part.leads_on(*from)) {
                let source = copy.source(from);
                merged.add_incoming(self.is_replaced_at(value, source, (pick, notes), instance), source);
            }
            notes.known.insert(phi.value(), merged.value());
        }
        self.builder.at_end(copy.out);
    }

    /// Whether a state is another pair than at the beginning, at the end of a block from where it comes to a phi.
    fn is_replaced_at(
        &self,
        state: Value<'ir>,
        from: Block<'ir>,
        (pick, notes): (&Pick<'ir>, &Notes<'_, 'ir>),
        instance: &Instance<'_, 'ir>,
    ) -> Value<'ir> {
        let here = self.builder.block();
        self.builder.before(from.terminator().expect("law: a complete block has a terminator"));
        let is_replaced = self.is_replaced(state, pick, instance, &notes.known);
        self.builder.at_end(here);
        is_replaced
    }

    /// Stores what an instance hands on.
    pub(super) fn hand_on(&mut self, output: &Output<'ir>, value: Value<'ir>, instance: &Instance<'_, 'ir>) {
        let (cell, alignment, memory) = self.scalar(output.array, value.ty(), &output.subscripts, instance);
        let store = self.builder.store(self.in_bytes(value, memory), cell, alignment);
        self.mark(store, output.array, memory);
    }

    /// A copy of the part but for its `packed` stores, with the builder behind it.
    pub(super) fn unpacked_copy(
        &mut self,
        part: &Opaque<'ir>,
        accesses: &[OpaqueAccess<'ir>],
        packed: &[Instruction<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) -> CfgCopy<'ir> {
        let mut notes = Notes { left_out: packed, ..Notes::default() };
        self.part_copy(part, accesses, &mut notes, instance)
    }

    /// Whether an instance would replace a value that it hands on, of one of these picks; it does nothing else.
    pub(super) fn any_replaced(
        &mut self,
        root: &Root<'ir>,
        picks: &[Pick<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) -> Value<'ir> {
        let mut notes = Notes { picks: picks.to_vec(), ..Notes::default() };
        match root {
            Root::Opaque { part, accesses, .. } => {
                let copy = self.part_copy(part, accesses, &mut notes, instance);
                self.note_behind(part, &copy, &mut notes, instance);
            }
            _ => picks.iter().for_each(|pick| {
                self.copied(pick.witness().result, instance);
            }),
        }
        let is_replaced = |pick: &Pick<'ir>| {
            let answer = self.is_replaced(pick.witness().result, pick, instance, &notes.known);
            self.builder.freeze(answer)
        };
        let answers: Vec<Value<'ir>> = picks.iter().map(is_replaced).collect();
        let both = |a: Value<'ir>, b: Value<'ir>| self.builder.binary(Opcode::Or, a, b);
        answers.into_iter().reduce(both).expect("law: who is asked has a pick")
    }

    /// A copy of the part, with the builder behind it.
    fn part_copy(
        &mut self,
        part: &Opaque<'ir>,
        accesses: &[OpaqueAccess<'ir>],
        notes: &mut Notes<'_, 'ir>,
        instance: &mut Instance<'_, 'ir>,
    ) -> CfgCopy<'ir> {
        let inside: Vec<Instruction<'ir>> = part.blocks.iter().flat_map(|block| block.instructions()).collect();
        let leaving = part.exit.phis().into_iter().flat_map(|phi| phi.incoming());
        let leaving: Vec<Value<'ir>> =
            leaving.filter(|(_, from)| part.leads_on(*from)).map(|(value, _)| value).collect();
        let start = part.start.terminator().expect("law: a complete block has a terminator");
        let used = std::iter::once(start).chain(inside.iter().copied()).flat_map(used_values).chain(leaving);
        for value in used.collect::<Vec<_>>() {
            let home = value.as_instruction().and_then(|i| i.block());
            if !home.is_some_and(|home| part.blocks.contains(&home)) {
                self.copied(value, instance);
            }
        }
        notes.places = self.shared_places(part, accesses, instance);
        let blocks = part.blocks.iter().copied();
        let mut copy = CfgCopy::of(&self.builder, self.function(), blocks, ["part", "part.end"]);
        for block in std::iter::once(part.start).chain(part.blocks.iter().copied()) {
            if block != part.start {
                self.builder.at_end(copy.block(block));
                for instruction in block.instructions().into_iter().filter(|i| !notes.left_out.contains(i)) {
                    let of = accesses.iter().filter(|access| access.instruction == instruction);
                    let of: Vec<&OpaqueAccess<'ir>> = of.collect();
                    let shared = of.first().and_then(|access| notes.places.get(&access.pointer).copied());
                    let place = shared.or_else(|| self.known_place(part, &of, instance));
                    self.part_instruction(instruction, (&of, place), &mut copy, instance);
                    self.note(instruction, notes, instance);
                }
            }
            let end = block.terminator().expect("law: a complete block has a terminator");
            self.part_end(end, &mut copy, instance);
        }
        copy.connect(|value| instance.copies[&value]);
        for (phi, at) in notes.phis.clone() {
            for (value, from) in phi.incoming() {
                let is_replaced = self.is_replaced_at(value, copy.source(from), (&notes.picks[at], notes), instance);
                let noted = notes.known[&phi.value()].as_instruction().expect("law: a phi is an instruction");
                noted.add_incoming(is_replaced, copy.source(from));
            }
        }
        self.builder.at_end(copy.out);
        copy
    }

    /// Ends the copy of a block as the block ends.
    fn part_end(&self, end: Instruction<'ir>, copy: &mut CfgCopy<'ir>, instance: &Instance<'_, 'ir>) {
        match end.branch() {
            Some(Branch::Always(to)) => {
                self.builder.jump(copy.target(to));
            }
            Some(Branch::If { condition, then, otherwise }) => {
                let condition = instance.copies[&condition];
                let condition = if instance.is_early { self.builder.freeze(condition) } else { condition };
                self.builder.branch(condition, copy.target(then), copy.target(otherwise));
            }
            None => {
                copy.end(&self.builder, end, |operand| instance.copies.get(&operand).copied().unwrap_or(operand));
            }
        }
    }

    /// What a part writes into a scalar, where its copy ends: a phi of its exit has one there.
    fn handed_on(
        &self,
        part: &Opaque<'ir>,
        output: &Output<'ir>,
        control: &CfgCopy<'ir>,
        instance: &Instance<'_, 'ir>,
    ) -> Value<'ir> {
        let phi = output.value.as_instruction().filter(|i| i.is_phi() && i.block() == Some(part.exit));
        let Some(phi) = phi else { return instance.copies[&output.value] };
        let merged = self.builder.phi(phi.ty(), "handed.on");
        for (value, from) in phi.incoming().into_iter().filter(|(_, from)| part.leads_on(*from)) {
            merged.add_incoming(instance.copies[&value], control.source(from));
        }
        merged.value()
    }

    /// Beside each state of a pair whose flag is asked for: whether it is another pair than at the beginning.
    fn note(&self, instruction: Instruction<'ir>, notes: &mut Notes<'_, 'ir>, instance: &Instance<'_, 'ir>) {
        let state = instruction.value();
        let Some(at) = notes.picks.iter().position(|pick| pick.states.contains(&state)) else { return };
        let is_replaced = match instruction.is_phi() {
            true => {
                let copy = self.builder.phi(Type::integer(self.builder.context(), 1), "is.replaced");
                notes.phis.push((instruction, at));
                copy.value()
            }
            false => self.is_replaced(state, &notes.picks[at], instance, &notes.known),
        };
        notes.known.insert(state, is_replaced);
    }

    /// Where a load or store of a part is to go, in terms of the new loops: LLVM sees what it has to do with the accesses of other statements, which it would not
    /// see from a copy of how the program computes it in fewer bits. A block that is one thing is copied as it is.
    fn known_place(
        &mut self,
        part: &Opaque<'ir>,
        accesses: &[&OpaqueAccess<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) -> Option<Value<'ir>> {
        let [access] = accesses else { return None };
        let is_plain = access.instruction.memory().is_some() && self.plan.binding.arrays[access.array].rows.is_none();
        let offset = access.offset.as_ref().filter(|_| is_plain && !part.is_straight())?;
        let is_counted = |atom: Atom| match atom {
            Atom::Parameter(_) | Atom::Iterator(_) => true,
            Atom::Quasi(at) => self.piece(at).is_some(),
            Atom::Unknown(_) | Atom::Address(_) => false,
        };
        offset.atoms().all(is_counted).then(|| self.cell(access.array, offset, access.pointer, instance))
    }

    /// The places of pointers that a part uses several times, as known before it: LLVM makes one of a load and a store in different blocks, or of two stores,
    /// only if their address is one value.
    fn shared_places(
        &mut self,
        part: &Opaque<'ir>,
        accesses: &[OpaqueAccess<'ir>],
        instance: &mut Instance<'_, 'ir>,
    ) -> HashMap<Value<'ir>, Value<'ir>> {
        let plain: Vec<&OpaqueAccess<'ir>> = accesses.iter().filter(|a| a.instruction.memory().is_some()).collect();
        let mut alike: HashMap<Value<'ir>, Vec<&OpaqueAccess<'ir>>> = HashMap::new();
        plain.iter().for_each(|access| alike.entry(access.pointer).or_default().push(access));
        let mut places = HashMap::new();
        for access in plain {
            let Some(others) = alike.remove(&access.pointer).filter(|all| all.len() > 1) else { continue };
            let is_same = |other: &&OpaqueAccess<'ir>| other.array == access.array && other.offset == access.offset;
            let place = others.iter().all(is_same).then(|| self.known_place(part, &[access], instance));
            places.extend(place.flatten().map(|place| (access.pointer, place)));
        }
        places
    }

    /// A copy of one instruction of a part, with the place that it accesses if that is known; phis get their edges when all blocks are there.
    fn part_instruction(
        &mut self,
        instruction: Instruction<'ir>,
        (own, place): (&[&OpaqueAccess<'ir>], Option<Value<'ir>>),
        control: &mut CfgCopy<'ir>,
        instance: &mut Instance<'_, 'ir>,
    ) {
        if instruction.is_terminator() || instruction.is_marker() {
            return;
        }
        if instruction.is_phi() {
            let copy = control.phi(&self.builder, instruction, "part");
            instance.copies.insert(instruction.value(), copy);
            return;
        }
        let copy = self.builder.copy(instruction, |operand| {
            self.settled(instruction, instance.copies.get(&operand).copied().unwrap_or(operand), instance)
        });
        if instance.is_update {
            copy.forget_values();
        }
        if let Some(call) = copy.call().filter(|_| !own.is_empty()) {
            call.forget_promises();
            self.lead_call_to_copies(copy, instruction, own.iter().copied());
        } else if let Some(access) = own.first() {
            match (place, access.is_store()) {
                (Some(place), false) => copy.set_operand(0, place),
                (Some(place), true) => copy.set_operand(1, place),
                (None, _) => self.lead_to_copy(copy, access.array),
            }
            self.mark(copy, access.array, Memory::OfOne);
        }
        instance.copies.insert(instruction.value(), copy.value());
    }
}

/// What is known of the pairs of a part while it is copied.
#[derive(Default)]
struct Notes<'n, 'ir> {
    picks: Vec<Pick<'ir>>,
    known: HashMap<Value<'ir>, Value<'ir>>,
    /// Phis that get their edges when all blocks are there, with the numbers of their picks.
    phis: Vec<(Instruction<'ir>, usize)>,
    /// What is not copied.
    left_out: &'n [Instruction<'ir>],
    /// The places of pointers that are used several times.
    places: HashMap<Value<'ir>, Value<'ir>>,
}

impl<'ir> Writer<'_, 'ir> {
    /// Has a call get the private copies of arrays, where there are some, instead of what the original call gets.
    fn lead_call_to_copies<'a>(
        &mut self,
        copy: Instruction<'ir>,
        original: Instruction<'ir>,
        accesses: impl Iterator<Item = &'a OpaqueAccess<'ir>>,
    ) where
        'ir: 'a,
    {
        let mut led: Vec<usize> = Vec::new();
        for access in accesses.filter(|access| self.private_copy(access.array).is_some()).collect::<Vec<_>>() {
            let given = original.operands();
            for at in (0..given.len()).filter(|at| given[*at] == access.pointer) {
                if !led.contains(&at) {
                    led.push(at);
                    self.builder.before(copy);
                    let pointer = self.in_private_copy(access.array, copy.operand(at));
                    copy.set_operand(at, pointer);
                }
            }
        }
        self.builder.at_end(copy.block().expect("law: a copy is in a block"));
    }

    /// Has a load or store of an array go to the private copy of it, if there is one.
    fn lead_to_copy(&mut self, copy: Instruction<'ir>, array: ArrayId) {
        let Some(access) = copy.memory().filter(|_| self.private_copy(array).is_some()) else { return };
        let at = if access.stored.is_some() { 1 } else { 0 };
        self.builder.before(copy);
        let pointer = self.in_private_copy(array, access.pointer);
        copy.set_operand(at, pointer);
        self.builder.at_end(copy.block().expect("law: a copy is in a block"));
    }
}

fn used_values(instruction: Instruction<'_>) -> Vec<Value<'_>> {
    match instruction.is_terminator() {
        true => decider(instruction).into_iter().collect(),
        false if instruction.is_marker() => Vec::new(),
        false => {
            let values = instruction.operands().into_iter();
            values.filter(|value| !matches!(value.kind(), ValueKind::Block | ValueKind::Other)).collect()
        }
    }
}
