//! The proof that values are replaced together.
//!
//! For
//!
//!     m1 = x < m ? x : m;   at1 = x < m ? i : at;   m2 = y < m1 ? y : m1;   at2 = y < m1 ? j : at1;
//!
//! it goes backwards over *states*, tuples of values in the places of the pair: from `(m2, at2)`, what the iteration hands on, by the decision
//! `y < m1` to `(m1, at1)`, by `x < m` to `(m, at)`, with which it began. What comes new, `(y, j)`, must not know the state. In an
//! opaque part phis join states that come by different ways, and a branch can be a decision: then all that the two ways do apart is to
//! bring another pair, and nothing but the proof may look at a state.

use super::arg_reduction::{Lookup, Member, Pick, Rule};
use crate::extract::control::subregion::Opaque;
use crate::extract::ssa::operands;
use crate::llvm::instruction::{Address, Branch};
use crate::llvm::{Block, FloatPredicate, Instruction, IntPredicate, Layout, Opcode, Value};
use std::collections::HashSet;

/// More states than this are not looked through, nor conditions with more parts.
pub(in crate::extract) const MOST_STATES: usize = 24;

/// More operands than this are not searched for what a pair may not decide.
const MOST_OPERANDS: usize = 200;

/// `min(a, b)` and its kin: the operands, and the comparisons by which the first one would be taken.
pub fn extreme(instruction: Instruction<'_>) -> Option<(IntPredicate, FloatPredicate)> {
    let flags = instruction.fast_math();
    let is_plain = flags.no_nans && flags.no_signed_zeros;
    Some(match instruction.call()?.intrinsic()?.as_str() {
        "llvm.smin" => (IntPredicate::Slt, FloatPredicate::False),
        "llvm.smax" => (IntPredicate::Sgt, FloatPredicate::False),
        "llvm.umin" => (IntPredicate::Ult, FloatPredicate::False),
        "llvm.umax" => (IntPredicate::Ugt, FloatPredicate::False),
        "llvm.minnum" | "llvm.minimum" | "llvm.minimumnum" if is_plain => (IntPredicate::Eq, FloatPredicate::Olt),
        "llvm.maxnum" | "llvm.maximum" | "llvm.maximumnum" if is_plain => (IntPredicate::Eq, FloatPredicate::Ogt),
        _ => return None,
    })
}

/// What decides which of the values stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::extract) enum Key {
    /// The first of them is compared.
    OfFirst,
    /// What a table has for them is, or nothing of theirs.
    Elsewhere,
}

/// A proof under way.
pub(in crate::extract) struct Search<'s, 'ir> {
    members: &'s [Member<'ir>],
    part: Option<&'s Opaque<'ir>>,
    key: Key,
    rule: Option<Rule>,
    states: Vec<Value<'ir>>,
    seen: Vec<Vec<Value<'ir>>>,
    lookup: Option<Lookup<'ir>>,
    /// What may look at states.
    allowed: HashSet<Instruction<'ir>>,
    /// Where the two ways of a decision meet, and from where they come.
    joined: Vec<(Block<'ir>, Block<'ir>, Block<'ir>)>,
}

impl<'s, 'ir> Search<'s, 'ir> {
    fn new(members: &'s [Member<'ir>], key: Key, part: Option<&'s Opaque<'ir>>) -> Self {
        let (states, seen, allowed) = (Vec::new(), Vec::new(), HashSet::new());
        Search { members, part, key, rule: None, states, seen, lookup: None, allowed, joined: Vec::new() }
    }

    /// Whether the second one goes with the first one as its key, whoever else does.
    pub(in crate::extract) fn finds(members: &'s [Member<'ir>], part: Option<&'s Opaque<'ir>>) -> bool {
        let results: Vec<Value<'ir>> = members.iter().map(|m| m.result).collect();
        Search::new(members, Key::OfFirst, part).leads_back(&results)
    }

    pub(in crate::extract) fn proves(
        members: &'s [Member<'ir>],
        key: Key,
        part: Option<&'s Opaque<'ir>>,
    ) -> Option<Pick<'ir>> {
        let results: Vec<Value<'ir>> = members.iter().map(|m| m.result).collect();
        let mut search = Search::new(members, key, part);
        let is_proved = search.leads_back(&results) && search.is_private() && search.joins_nothing_else();
        let rule = search.rule.filter(|_| is_proved)?;
        Some(Pick { rule, members: members.to_vec(), states: search.states, lookup: search.lookup })
    }

    /// Whether the decisions of branches decide about nothing but states.
    fn joins_nothing_else(&self) -> bool {
        self.joined.iter().all(|(home, a, b)| {
            let is_same = |phi: &Instruction<'ir>| phi.incoming_from(*a) == phi.incoming_from(*b);
            home.phis().iter().all(|phi| self.allowed.contains(phi) || is_same(phi))
        })
    }

    fn olds(&self) -> Vec<Value<'ir>> {
        self.members.iter().map(|m| m.old).collect()
    }

    fn is_inside(&self, block: Block<'ir>) -> bool {
        self.part.is_some_and(|part| block == part.exit || part.blocks.contains(&block))
    }

    /// Whether the state comes from the old one by decisions alone.
    fn leads_back(&mut self, state: &[Value<'ir>]) -> bool {
        if state == self.olds() || self.seen.iter().any(|seen| seen == state) {
            return true;
        }
        if self.seen.len() >= MOST_STATES {
            return false;
        }
        self.seen.push(state.to_vec());
        self.states.extend(state.last());
        let phi = |value: &Value<'ir>| {
            let instruction = value.as_instruction().filter(|i| i.is_phi())?;
            instruction.block().filter(|home| self.is_inside(*home)).map(|home| (instruction, home))
        };
        match state.iter().find_map(phi) {
            Some((phi, home)) => self.joins(state, phi, home),
            None => self.decides(state),
        }
    }

    /// A state that control brings together.
    fn joins(&mut self, state: &[Value<'ir>], phi: Instruction<'ir>, home: Block<'ir>) -> bool {
        let own = |value: &Value<'ir>| value.as_instruction().filter(|i| i.is_phi() && i.block() == Some(home));
        self.allowed.extend(state.iter().filter_map(own));
        let (mut kept, mut replaced) = (Vec::new(), Vec::new());
        for (_, from) in phi.incoming() {
            let before = |value: &Value<'ir>| own(value).map_or(Some(*value), |phi| phi.incoming_from(from));
            let Some(before) = state.iter().map(before).collect::<Option<Vec<_>>>() else { return false };
            match before.iter().all(|value| self.is_independent(*value)) {
                true => replaced.push((before, from)),
                false => kept.push(before),
            }
        }
        let Some(first) = kept.first().cloned() else { return false };
        if !replaced.is_empty() && kept.iter().any(|other| *other != first) {
            return false;
        }
        replaced.iter().all(|(values, from)| self.is_replaced(values, &first, *from, home))
            && kept.iter().all(|state| self.leads_back(state))
    }

    /// Whether values that come to `home` out of `from` take the place of a state because of a decision on the way there.
    fn is_replaced(&mut self, values: &[Value<'ir>], state: &[Value<'ir>], from: Block<'ir>, home: Block<'ir>) -> bool {
        if self.key == Key::Elsewhere {
            return self.agrees(Rule::Last);
        }
        let Some(part) = self.part else { return false };
        let mut here = from;
        loop {
            let is_ours = part.blocks.contains(&here) && here.successors().len() == 1;
            let [before] = here.predecessors()[..] else { return false };
            let can_be_tried = |i: &Instruction<'ir>| {
                i.is_terminator() || i.is_marker() || i.is_speculatable() || is_of_object_read_in(*i, before)
            };
            if !is_ours || !here.instructions().iter().all(can_be_tried) {
                return false;
            }
            let Some(terminator) = before.terminator().filter(|_| part.leads_on(before)) else { return false };
            if let Some(Branch::If { condition, then, otherwise }) = terminator.branch() {
                let other = if then == here { otherwise } else { then };
                self.allowed.insert(terminator);
                self.joined.push((home, from, before));
                return other == home && home != here && self.is_decision(condition, then == here, values, state);
            }
            here = before;
        }
    }

    /// A state that one decision replaces or keeps.
    fn decides(&mut self, state: &[Value<'ir>]) -> bool {
        let select = |value: &Value<'ir>| value.as_instruction().and_then(Instruction::select);
        let Some((condition, ..)) = state.iter().find_map(select) else { return false };
        [true, false].into_iter().any(|replaces| {
            let (rule, states, seen, lookup) = (self.rule, self.states.clone(), self.seen.clone(), self.lookup);
            let is_proved = self.decides_by(state, condition, replaces);
            if !is_proved {
                (self.rule, self.states, self.seen, self.lookup) = (rule, states, seen, lookup);
            }
            is_proved
        })
    }

    fn decides_by(&mut self, state: &[Value<'ir>], condition: Value<'ir>, replaces: bool) -> bool {
        let mut sides: Vec<(Value<'ir>, Value<'ir>)> = Vec::new();
        for (at, value) in state.iter().enumerate() {
            let Some(instruction) = value.as_instruction() else { return false };
            let side = match instruction.select() {
                Some((own, then, otherwise)) if own == condition => {
                    if replaces {
                        (then, otherwise)
                    } else {
                        (otherwise, then)
                    }
                }
                None if at == 0 && self.key == Key::OfFirst => {
                    match self.extreme_by(instruction, condition, replaces) {
                        Some(side) => side,
                        None => return false,
                    }
                }
                _ => return false,
            };
            self.allowed.insert(instruction);
            sides.push(side);
        }
        let (new, kept): (Vec<Value<'ir>>, Vec<Value<'ir>>) = sides.into_iter().unzip();
        new.iter().all(|value| self.is_independent(*value))
            && self.is_decision(condition, replaces, &new, &kept)
            && self.leads_back(&kept)
    }

    /// The new and the old side of a minimum or maximum that agrees with a comparison.
    fn extreme_by(
        &self,
        instruction: Instruction<'ir>,
        condition: Value<'ir>,
        replaces: bool,
    ) -> Option<(Value<'ir>, Value<'ir>)> {
        let (integer, float) = extreme(instruction)?;
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        [(a, b), (b, a)].into_iter().find(|(new, kept)| {
            self.is_independent(*new)
                && match compared(condition, replaces, *new, *kept) {
                    Some(Rule::Integer(p)) => p == integer || p == non_strict(integer),
                    Some(Rule::Float(p)) => {
                        p == float
                            || (float == FloatPredicate::Olt && p == FloatPredicate::Ole)
                            || (float == FloatPredicate::Ogt && p == FloatPredicate::Oge)
                    }
                    _ => false,
                }
        })
    }

    /// Whether the condition is that the new values replace the old ones: their keys compared, and whatever else does not know the state.
    fn is_decision(&mut self, condition: Value<'ir>, is: bool, new: &[Value<'ir>], kept: &[Value<'ir>]) -> bool {
        let mut parts = vec![(condition, is)];
        let mut rule = None;
        let mut looked_at = 0;
        while let Some((part, is)) = parts.pop() {
            looked_at += 1;
            if looked_at > MOST_STATES {
                return false;
            }
            if self.is_independent(part) {
                continue;
            }
            let Some(instruction) = part.as_instruction() else { return false };
            self.allowed.insert(instruction);
            if let Some(both) = conjunction(instruction, is) {
                parts.extend(both);
                continue;
            }
            let found = match self.key {
                Key::OfFirst => compared(part, is, new[0], kept[0]),
                Key::Elsewhere => self.looked_up(instruction, is, new[0], kept[0]),
            };
            match found.filter(|_| rule.is_none()) {
                Some(found) => rule = Some(found),
                None => return false,
            }
        }
        match rule {
            Some(rule) => self.agrees(rule),
            None => self.key == Key::Elsewhere && self.agrees(Rule::Last),
        }
    }

    /// How the key of `new` compares to that of `kept`, if both are in a table; that they are is left to who knows addresses.
    fn looked_up(&mut self, comparison: Instruction<'ir>, is: bool, new: Value<'ir>, kept: Value<'ir>) -> Option<Rule> {
        if self.part.is_some() || self.lookup.is_some() || comparison.operand_count() != 2 {
            return None;
        }
        let (a, b) = (comparison.operand(0), comparison.operand(1));
        let finds = |key: Value<'ir>| {
            let load = key.as_instruction().filter(|load| load.memory().is_some_and(|own| own.stored.is_none()))?;
            let table = Lookup { kept: load, of: kept, new: (new, new) }.table()?;
            self.is_independent(table.base).then_some(load)
        };
        let ((found, other), load) = [(a, b), (b, a)].into_iter().find_map(|pair| Some((pair, finds(pair.0)?)))?;
        let rule = compared(comparison.value(), is, other, found).filter(|_| self.is_independent(other))?;
        self.lookup = Some(Lookup { kept: load, of: kept, new: (other, new) });
        Some(rule)
    }

    fn agrees(&mut self, rule: Rule) -> bool {
        *self.rule.get_or_insert(rule) == rule
    }

    /// Whether a value is computed without the state.
    fn is_independent(&self, value: Value<'ir>) -> bool {
        let olds = self.olds();
        let mut pending = vec![value];
        let mut seen: HashSet<Value<'ir>> = HashSet::new();
        while let Some(value) = pending.pop() {
            if olds.contains(&value) {
                return false;
            }
            let Some(instruction) = value.as_instruction().filter(|_| seen.insert(value)) else { continue };
            if seen.len() > MOST_OPERANDS {
                return false;
            }
            if instruction.is_phi() {
                if instruction.block().is_some_and(|home| self.is_inside(home)) {
                    pending.extend(instruction.incoming().into_iter().map(|(value, _)| value));
                }
                continue;
            }
            pending.extend(operands(instruction));
        }
        true
    }

    /// Whether nothing but the proof looks at a state of a part. (Of a loop, the model knows who else reads.)
    fn is_private(&self) -> bool {
        if self.part.is_none() {
            return true;
        }
        let results: Vec<Value<'ir>> = self.members.iter().map(|m| m.result).collect();
        let is_result = |i: &Instruction<'ir>| results.contains(&i.value());
        let users = |value: Value<'ir>| value.users();
        let of_olds = self.olds().into_iter().flat_map(users);
        let inner = self.allowed.iter().filter(|i| !i.is_terminator() && !is_result(i)).flat_map(|i| i.users());
        of_olds.chain(inner).all(|user| self.allowed.contains(&user))
    }
}

/// Whether a load is of a member of an element, of which another member is read for certain: the element is there as a whole.
pub(in crate::extract) fn is_of_object_read_in<'ir>(load: Instruction<'ir>, block: Block<'ir>) -> bool {
    let (Some(access), layout) = (load.memory(), block.function().layout()) else { return false };
    let (element, offset) = member_of(access.pointer, layout);
    let Some(whole) = Address::of_value(element).filter(|address| address.indices.len() == 1) else { return false };
    let size = i128::from(layout.alloc_size(whole.element));
    let is_inside = offset >= 0 && offset + i128::from(layout.store_size(access.ty)) <= size;
    let reads = |other: &Instruction<'ir>| {
        let own = other.memory().filter(|own| own.stored.is_none() && own.simple);
        own.is_some_and(|own| member_of(own.pointer, layout).0 == element)
    };
    access.stored.is_none() && access.simple && is_inside && block.instructions().iter().any(reads)
}

/// The pointer that a pointer is a constant number of bytes behind.
fn member_of<'ir>(pointer: Value<'ir>, layout: Layout<'ir>) -> (Value<'ir>, i128) {
    let (mut here, mut offset) = (pointer, 0);
    while let Some(address) = Address::of_value(here) {
        let [index] = address.indices[..] else { break };
        let Some(index) = index.as_integer() else { break };
        offset += index * i128::from(layout.alloc_size(address.element));
        here = address.base;
    }
    (here, offset)
}

/// The two conditions of which the condition is the conjunction, if it is `is`.
fn conjunction(instruction: Instruction<'_>, is: bool) -> Option<[(Value<'_>, bool); 2]> {
    let wanted = if is { Opcode::And } else { Opcode::Or };
    if instruction.opcode() == wanted {
        return Some([(instruction.operand(0), is), (instruction.operand(1), is)]);
    }
    let (condition, then, otherwise) = instruction.select()?;
    match (is, then.as_integer(), otherwise.as_integer()) {
        (true, _, Some(0)) => Some([(condition, true), (then, true)]),
        (false, Some(1 | -1), _) => Some([(condition, false), (otherwise, false)]),
        _ => None,
    }
}

/// How `new` compares to `kept` if the condition is `is`; none of the comparisons that are true for a NaN, unless there are none.
fn compared<'ir>(condition: Value<'ir>, is: bool, new: Value<'ir>, kept: Value<'ir>) -> Option<Rule> {
    let instruction = condition.as_instruction()?;
    if let Some((predicate, a, b)) = instruction.icmp() {
        let predicate = if is { predicate } else { predicate.negated() };
        let predicate = match (a == new && b == kept, a == kept && b == new) {
            (true, _) => predicate,
            (_, true) => predicate.swapped(),
            _ => return None,
        };
        return (!matches!(predicate, IntPredicate::Eq | IntPredicate::Ne)).then_some(Rule::Integer(predicate));
    }
    use FloatPredicate::{Oge, Ogt, Ole, Olt, Uge, Ugt, Ule, Ult};
    let (predicate, a, b) = instruction.fcmp()?;
    let has_nan = !instruction.fast_math().no_nans;
    let forward = match (a == new && b == kept, a == kept && b == new) {
        (true, _) => true,
        (_, true) => false,
        _ => return None,
    };
    let is_ordered = matches!(predicate, Olt | Ole | Ogt | Oge);
    if has_nan && is_ordered != is {
        return None;
    }
    let (is_less, or_equal) = match predicate {
        Olt | Ult => (true, false),
        Ole | Ule => (true, true),
        Ogt | Ugt => (false, false),
        Oge | Uge => (false, true),
        _ => return None,
    };
    let (is_less, or_equal) = if is { (is_less, or_equal) } else { (!is_less, !or_equal) };
    Some(Rule::Float(match (is_less == forward, or_equal) {
        (true, false) => Olt,
        (true, true) => Ole,
        (false, false) => Ogt,
        (false, true) => Oge,
    }))
}

fn non_strict(predicate: IntPredicate) -> IntPredicate {
    use IntPredicate::{Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    match predicate {
        Slt => Sle,
        Sgt => Sge,
        Ult => Ule,
        Ugt => Uge,
        other => other,
    }
}
