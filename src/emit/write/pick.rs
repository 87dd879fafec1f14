//! Values that are replaced together, in a loop whose shares each replace their own.
//!
//! For `if (x[i] < m) { m = x[i]; at = i; }` every share begins with the pair at hand, and afterwards
//!
//!     for (share = 0; share < shares; share++)
//!         if (cells[share].m < m) { m = cells[share].m; at = cells[share].at; }
//!
//! does what the loop does, with the best of each share for its elements. A share that replaced nothing still has the pair it
//! began with, whose key does not beat anything that came after; but with `<=`, or without a key, it has to be told from one
//! that did: each share then has one more cell, the *flag*, set by every decision in favour of a new pair.

use super::frame::{CAPTURE_ALIGNMENT, frame_cell};
use super::operators::unless_same;
use super::statement::Instance;
use super::writer::Writer;
use crate::emit::plan::privatization::{Private, Privatization};
use crate::extract::reductions::arg_reduction::{Lookup, Pick, Rule};
use crate::extract::reductions::decision::extreme;
use crate::llvm::{Instruction, IntPredicate, Opcode, Promise, Signedness, Type, Value};
use crate::scop::ArrayId;
use std::collections::HashMap;

impl<'ir> Writer<'_, 'ir> {
    /// Compares the pair of one share, whose cells are at `cell`, to the pair at hand, and replaces that.
    pub(in crate::emit) fn combine_pair(
        &self,
        privates: &[Private],
        slots: &[Option<Value<'ir>>],
        (rule, arrays): (Rule, &[ArrayId]),
        cell: Value<'ir>,
    ) {
        let builder = &self.builder;
        let is_flag = |p: &Private| matches!(p.way, Privatization::Flag);
        let value_of = |array: ArrayId| privates.iter().position(|p| p.array == array && !is_flag(p));
        let flag_of = |array: ArrayId| privates.iter().position(|p| p.array == array && is_flag(p));
        let values: Vec<(Value<'ir>, Value<'ir>, Value<'ir>)> = arrays
            .iter()
            .map(|array| {
                let at = value_of(*array).expect("law: all members of a pair are private together");
                let slot = slots[at].expect("law: a member of a pair is a scalar");
                let element = self.plan.binding.arrays[*array].element;
                let place = frame_cell(builder, cell, CAPTURE_ALIGNMENT * at as u64);
                (slot, builder.load(element, slot, None).value(), builder.load(element, place, None).value())
            })
            .collect();
        let flag = arrays.last().and_then(|witness| flag_of(*witness));
        let flag = flag.map(|flag| frame_cell(builder, cell, CAPTURE_ALIGNMENT * flag as u64));
        let (_, old, new) = values[0];
        match self.lookup(arrays) {
            // A value that was not replaced may have no key: the program need not have looked for one.
            Some(lookup) => unless_same(builder, self.main, (new, old), &mut || {
                self.replace(&values, rule, [old, new].map(|value| self.key(&lookup, value)), flag)
            }),
            None => self.replace(&values, rule, [old, new], flag),
        }
    }

    /// Replaces old values, in their slots, by new ones if their key is better and the flag is set, if there is one.
    fn replace(
        &self,
        values: &[(Value<'ir>, Value<'ir>, Value<'ir>)],
        rule: Rule,
        [old, new]: [Value<'ir>; 2],
        flag: Option<Value<'ir>>,
    ) {
        let builder = &self.builder;
        let mut is_better = match rule {
            Rule::Integer(predicate) => builder.icmp(predicate, new, old),
            Rule::Float(predicate) => builder.fcmp(predicate, new, old),
            Rule::Last => builder.integer(1, 1),
        };
        if let Some(place) = flag {
            let byte = Type::integer(builder.context(), 8);
            let flag = builder.load(byte, place, None).value();
            let is_set = builder.icmp(IntPredicate::Ne, flag, builder.integer(8, 0));
            is_better = builder.binary(Opcode::And, is_better, is_set);
        }
        for (slot, old, new) in values {
            builder.store(builder.select(is_better, *new, *old), *slot, None);
        }
    }

    /// The table in which the keys of a pick of one member are.
    fn lookup(&self, arrays: &[ArrayId]) -> Option<Lookup<'ir>> {
        let mut picks = self.plan.binding.statements.iter().flat_map(|statement| &statement.picks);
        picks.find(|bound| bound.arrays == arrays).and_then(|bound| bound.pick.lookup)
    }

    /// The key of a value, which the loop has looked up as well.
    fn key(&self, lookup: &Lookup<'ir>, value: Value<'ir>) -> Value<'ir> {
        let table = lookup.table().expect("law: a lookup has a table");
        let (builder, word) = (&self.builder, Type::integer(self.builder.context(), 64));
        let number = table.widened.map_or(value, |opcode| builder.cast(opcode, value, word));
        let bytes = builder.mul(number, builder.integer(64, table.stride));
        let bytes = builder.add(bytes, builder.integer(64, table.constant));
        let place = builder.gep(Type::integer(builder.context(), 8), table.base, &[bytes], Promise::Nothing);
        let alignment = lookup.kept.memory().map(|access| access.alignment);
        builder.load(lookup.kept.ty(), place, alignment).value()
    }

    /// Sets the flags of a statement's pairs, as far as the part being written has any.
    pub(in crate::emit) fn set_flags(&mut self, instance: &Instance<'_, 'ir>, known: &HashMap<Value<'ir>, Value<'ir>>) {
        for (array, pick) in self.flagged(instance) {
            let is_replaced = self.is_replaced(pick.witness().result, &pick, instance, known);
            let part = self.part.as_ref().expect("law: flags are of a part");
            let (flag, byte) = (part.flags[&array], Type::integer(self.builder.context(), 8));
            let now = self.builder.resize(is_replaced, byte, Signedness::Unsigned);
            let before = self.builder.load(byte, flag, None).value();
            self.builder.store(self.builder.binary(Opcode::Or, before, now), flag, None);
        }
    }

    /// The pairs of a statement whose flags the part being written has, with the array of the flag.
    pub(in crate::emit) fn flagged(&self, instance: &Instance<'_, 'ir>) -> Vec<(ArrayId, Pick<'ir>)> {
        let Some(part) = &self.part else { return Vec::new() };
        let witness = |bound: &crate::extract::reductions::arg_reduction::BoundPick<'ir>| {
            let array = *bound.arrays.last().expect("law: a pick has members");
            part.flags.contains_key(&array).then(|| (array, bound.pick.clone()))
        };
        instance.picks.iter().filter_map(witness).collect()
    }

    /// Whether a state is another pair than the one before the statement; `known` are those of which it is computed already.
    pub(in crate::emit) fn is_replaced(
        &self,
        state: Value<'ir>,
        pick: &Pick<'ir>,
        instance: &Instance<'_, 'ir>,
        known: &HashMap<Value<'ir>, Value<'ir>>,
    ) -> Value<'ir> {
        // What is a state of another pair is another value for this one.
        if let Some(known) = known.get(&state).filter(|_| pick.states.contains(&state)) {
            return *known;
        }
        if state == pick.witness().old {
            return self.builder.integer(1, 0);
        }
        let chosen = state.as_instruction().filter(|_| pick.states.contains(&state));
        if let Some(least) = chosen.filter(|i| extreme(*i).is_some()) {
            return self.is_less_or_more(least, pick, instance, known);
        }
        let select = chosen.and_then(|i| i.select());
        let Some((condition, then, otherwise)) = select else { return self.builder.integer(1, 1) };
        let [then, otherwise] = [then, otherwise].map(|state| self.is_replaced(state, pick, instance, known));
        self.builder.select(instance.copies[&condition], then, otherwise)
    }
    /// The same of a minimum or maximum: whether what is new in it is less or more than a state, or that is another one already.
    fn is_less_or_more(
        &self,
        least: Instruction<'ir>,
        pick: &Pick<'ir>,
        instance: &Instance<'_, 'ir>,
        known: &HashMap<Value<'ir>, Value<'ir>>,
    ) -> Value<'ir> {
        let is_state = |value: Value<'ir>| value == pick.witness().old || pick.states.contains(&value);
        let (a, b) = (least.operand(0), least.operand(1));
        let (new, kept) = match (is_state(a), is_state(b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return self.builder.integer(1, 1),
        };
        let before = self.is_replaced(kept, pick, instance, known);
        let [new, kept] = [new, kept].map(|value| instance.copies[&value]);
        let is_taken = match extreme(least).expect("law: it is a minimum or maximum") {
            (integer, _) if new.ty().integer_width().is_some() => self.builder.icmp(integer, new, kept),
            (_, float) => self.builder.fcmp(float, new, kept),
        };
        self.builder.binary(Opcode::Or, is_taken, before)
    }
}
