//! The best so far and where it was: values of one reduction that are replaced together.
//!
//!     for (i) if (x[i] < m) { m = x[i]; at = i; }
//!
//! is two selects (or two phis behind a branch) on one *decision*, `x[i] < m`. The *key* `m` and what goes with it, `at`, are a pair that
//! the decision replaces as a whole. Runs of iterations may be worked on apart, each beginning with the pair at hand, if the pairs that
//! come out are then compared in the order of the runs, by the same comparison: with `<` the first of equal keys wins, as in the program.
//! With `<=` the last one wins, so that a run has to say whether it replaced anything at all. Nothing is said about order within
//! runs or of runs: such a reduction is split, never reordered, and every bit is that of the program. A NaN never compares less, so
//! it is never taken; if the first key is one, nothing is. (A comparison that is true for a NaN is no such decision.)
//!
//! The key may also be looked up: in `if (a[i] > a[at]) at = i;` it is `a[at]`, provided that `a[i]` is what is found there for `i`.
//!
//! The *last* value that a condition lets through, `if (c[i]) at = i;`, is the same without a key.
//!
//! The proof goes backwards over *states*, tuples of values in the places of the pair: from what the iteration hands on, through phis
//! and decisions, to what it began with. No value on the way may be looked at by anything else.

use super::binding::{Leaf, Output, Root};
use super::opaque::Opaque;
use super::polynomial::Polynomial;
use super::roots::{Statement, operands};
use crate::llvm::instruction::{Address, Branch};
use crate::llvm::{Block, FloatPredicate, Instruction, IntPredicate, Layout, Opcode, Type, Value};
use crate::scop::ReductionOperator;
use std::collections::HashSet;

/// More states than this are not looked through, nor conditions with more parts.
const MOST_STATES: usize = 24;

/// More operands than this are not searched for what a pair may not decide.
const MOST_OPERANDS: usize = 200;

/// By what a pair is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// By one whose key compares so to the key at hand.
    Integer(IntPredicate),
    /// The same of floating-point numbers.
    Float(FloatPredicate),
    /// By each one that comes.
    Last,
}

impl Rule {
    pub fn operator(self) -> ReductionOperator {
        use FloatPredicate::{Ole, Olt};
        use IntPredicate::{Sle, Slt, Ule, Ult};
        match self {
            Rule::Integer(Slt | Sle | Ult | Ule) | Rule::Float(Olt | Ole) => ReductionOperator::ArgMin,
            Rule::Integer(_) | Rule::Float(_) => ReductionOperator::ArgMax,
            Rule::Last => ReductionOperator::Last,
        }
    }

    /// Whether a run that replaced nothing cannot be told by its key.
    pub fn asks_whether(self) -> bool {
        use IntPredicate::{Sgt, Slt, Ugt, Ult};
        !matches!(self, Rule::Integer(Slt | Sgt | Ult | Ugt) | Rule::Float(FloatPredicate::Olt | FloatPredicate::Ogt))
    }
}

/// A value of a pair before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'ir> {
    pub old: Value<'ir>,
    pub result: Value<'ir>,
}

/// Values that are replaced together.
#[derive(Clone, Debug)]
pub struct Pick<'ir> {
    pub rule: Rule,
    /// The key first, if the rule has one.
    pub members: Vec<Member<'ir>>,
    /// The phis and selects through which the last member goes.
    pub states: Vec<Value<'ir>>,
    /// For a pick of one member by a key in a table.
    pub lookup: Option<Lookup<'ir>>,
}

/// A key that is found in a table by the value that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup<'ir> {
    /// The load of the key at hand.
    pub kept: Instruction<'ir>,
    /// The key of the value that comes, and that value.
    new: (Value<'ir>, Value<'ir>),
}

impl<'ir> Lookup<'ir> {
    /// Where the table begins, the type of its entries, and how an index gets its width, if it does.
    pub fn table(&self) -> Option<(Value<'ir>, Type<'ir>, Option<Opcode>)> {
        let address = Address::of_value(self.kept.memory()?.pointer)?;
        let [index] = address.indices[..] else { return None };
        let widened = index.as_instruction().map(|i| i.opcode()).filter(|o| matches!(o, Opcode::SExt | Opcode::ZExt));
        Some((address.base, address.element, widened))
    }
}

impl<'ir> Pick<'ir> {
    /// The last member, by which it is told whether anything was replaced.
    pub fn witness(&self) -> Member<'ir> {
        *self.members.last().expect("law: a pick has members")
    }
}

/// A pick of a statement: the scalar arrays of its members, in the order of [`Pick::members`].
#[derive(Clone, Debug)]
pub struct BoundPick<'ir> {
    pub pick: Pick<'ir>,
    pub arrays: Vec<usize>,
}

/// The picks among values that take the place of others: at a latch those of the header's phis, behind an opaque part those of its exit's.
pub fn picks<'ir>(members: &[Member<'ir>], part: Option<&Opaque<'ir>>) -> Vec<Pick<'ir>> {
    let mut found: Vec<Pick<'ir>> = Vec::new();
    let is_free = |found: &[Pick<'ir>], m: &Member<'ir>| !found.iter().any(|pick| pick.members.contains(m));
    for key in members {
        let with = |other: &&Member<'ir>| {
            other.old != key.old && other.result != key.result && Search::finds(&[*key, **other], part)
        };
        let mut all = vec![*key];
        for other in members.iter().filter(with) {
            if !all.iter().any(|m| m.old == other.old || m.result == other.result) {
                all.push(*other);
            }
        }
        if all.iter().all(|m| is_free(&found, m)) {
            found.extend(Search::proves(&all, true, part));
        }
    }
    for member in members {
        if is_free(&found, member) {
            found.extend(Search::proves(&[*member], false, part));
        }
    }
    found
}

/// The picks of an opaque part, whose olds are what its exit's phis come from.
pub fn picks_of_part<'ir>(part: &Opaque<'ir>) -> Vec<Pick<'ir>> {
    let mut members = Vec::new();
    for phi in part.exit.phis() {
        if !phi.incoming().iter().all(|(_, from)| part.leads_on(*from)) {
            continue;
        }
        let mut seen = vec![phi.value()];
        let mut next = 0;
        while next < seen.len() && seen.len() <= MOST_STATES {
            let value = seen[next];
            next += 1;
            let Some(instruction) = value.as_instruction() else { continue };
            let home = instruction.block();
            let is_inside = home.is_some_and(|home| home == part.exit || part.blocks.contains(&home));
            let from: Vec<Value<'ir>> = match instruction.select() {
                _ if !is_inside => {
                    members.push(Member { old: value, result: phi.value() });
                    continue;
                }
                Some((_, then, otherwise)) => vec![then, otherwise],
                None if instruction.is_phi() => instruction.incoming().into_iter().map(|(value, _)| value).collect(),
                None if extreme(instruction).is_some() => operands(instruction),
                None => continue,
            };
            from.into_iter().for_each(|value| {
                if !seen.contains(&value) {
                    seen.push(value);
                }
            });
        }
    }
    picks(&members, Some(part))
}

/// `min(a, b)` and its kin: the operands, and the comparisons by which the first one would be taken.
fn extreme(instruction: Instruction<'_>) -> Option<(IntPredicate, FloatPredicate)> {
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

/// A proof under way.
struct Search<'s, 'ir> {
    members: &'s [Member<'ir>],
    part: Option<&'s Opaque<'ir>>,
    has_key: bool,
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
    fn new(members: &'s [Member<'ir>], has_key: bool, part: Option<&'s Opaque<'ir>>) -> Self {
        let (states, seen, allowed) = (Vec::new(), Vec::new(), HashSet::new());
        Search { members, part, has_key, rule: None, states, seen, lookup: None, allowed, joined: Vec::new() }
    }

    /// Whether the second one goes with the first one as its key, whoever else does.
    fn finds(members: &'s [Member<'ir>], part: Option<&'s Opaque<'ir>>) -> bool {
        let results: Vec<Value<'ir>> = members.iter().map(|m| m.result).collect();
        Search::new(members, true, part).leads_back(&results)
    }

    fn proves(members: &'s [Member<'ir>], has_key: bool, part: Option<&'s Opaque<'ir>>) -> Option<Pick<'ir>> {
        let results: Vec<Value<'ir>> = members.iter().map(|m| m.result).collect();
        let mut search = Search::new(members, has_key, part);
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
        if !self.has_key {
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
                None if at == 0 && self.has_key => match self.extreme_by(instruction, condition, replaces) {
                    Some(side) => side,
                    None => return false,
                },
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
            let found = match self.has_key {
                true => compared(part, is, new[0], kept[0]),
                false => self.looked_up(instruction, is, new[0], kept[0]),
            };
            match found.filter(|_| rule.is_none()) {
                Some(found) => rule = Some(found),
                None => return false,
            }
        }
        match rule {
            Some(rule) => self.agrees(rule),
            None => !self.has_key && self.agrees(Rule::Last),
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
            let lookup = Lookup { kept: load, new: (new, new) };
            let (base, _, widened) = lookup.table()?;
            let index = Address::of_value(load.memory()?.pointer)?.indices[0];
            let narrow = widened.map_or(Some(index), |_| index.as_instruction().map(|i| i.operand(0)));
            (narrow == Some(kept) && Address::of_value(base).is_none() && self.is_independent(base)).then_some(load)
        };
        let ((found, other), load) = [(a, b), (b, a)].into_iter().find_map(|pair| Some((pair, finds(pair.0)?)))?;
        let rule = compared(comparison.value(), is, other, found).filter(|_| self.is_independent(other))?;
        self.lookup = Some(Lookup { kept: load, new: (other, new) });
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
fn is_of_object_read_in<'ir>(load: Instruction<'ir>, block: Block<'ir>) -> bool {
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

/// The picks of the accumulators that a statement writes, and reads before it does.
pub(super) fn bound<'ir>(statement: &Statement<'ir>) -> Vec<BoundPick<'ir>> {
    let (outputs, found): (Vec<Output<'ir>>, Vec<Pick<'ir>>) = match &statement.root {
        Root::Pick { pick, outputs } => (outputs.clone(), vec![pick.clone()]),
        Root::Opaque { part, outputs, .. } => (outputs.clone(), picks_of_part(part)),
        Root::Write { value, array, subscripts } => {
            let output = Output { value: *value, array: *array, subscripts: subscripts.clone() };
            let mut old = statement.leaves.iter().filter(|(_, leaf)| is_of(leaf, &output)).map(|(value, _)| *value);
            let (Some(old), None) = (old.next(), old.next()) else { return Vec::new() };
            (vec![output], picks(&[Member { old, result: *value }], None))
        }
        _ => return Vec::new(),
    };
    let array_of = |member: &Member<'ir>| {
        let output = outputs.iter().find(|output| output.value == member.result)?;
        let leaf = statement.leaves.get(&member.old).filter(|leaf| is_of(leaf, output))?;
        let is_only = statement.leaves.values().filter(|other| *other == leaf).count() == 1;
        is_only.then_some(output.array)
    };
    let whole = |pick: Pick<'ir>| {
        if !pick.lookup.is_none_or(|lookup| is_in_table(statement, lookup)) {
            return None;
        }
        let arrays = pick.members.iter().map(array_of).collect::<Option<Vec<_>>>()?;
        Some(BoundPick { pick, arrays })
    };
    found.into_iter().filter_map(whole).collect()
}

/// Whether the key of the value that comes is what the table has for that value.
fn is_in_table<'ir>(statement: &Statement<'ir>, lookup: Lookup<'ir>) -> bool {
    let (key, value) = lookup.new;
    let (Some((base, element, _)), Some(load)) = (lookup.table(), key.as_instruction()) else { return false };
    let leaves = |value: Value<'ir>| statement.leaves.get(&value);
    let (Some(Leaf::Load { array, offset }), Some(Leaf::Indirect { array: table })) =
        (leaves(key), leaves(lookup.kept.value()))
    else {
        return false;
    };
    let number = match (leaves(value), value.as_integer()) {
        (Some(Leaf::Affine(number)), _) => number.clone(),
        (_, Some(constant)) => Polynomial::constant(constant),
        _ => return false,
    };
    let bytes = i128::from(statement.block.function().layout().alloc_size(element));
    let mut begins = load.memory().map(|access| access.pointer);
    while let Some(address) = begins.and_then(Address::of_value) {
        begins = Some(address.base);
    }
    array == table
        && load.ty() == lookup.kept.ty()
        && begins == Some(base)
        && number.scale(bytes).as_ref() == Some(offset)
}

fn is_of(leaf: &Leaf, output: &Output<'_>) -> bool {
    matches!(leaf, Leaf::Scalar { array, subscripts } if *array == output.array && *subscripts == output.subscripts)
}
