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
//! The *last* value that a condition lets through, `if (c[i]) at = i;`, is the same without a key. Where the condition is one on counters, the
//! statement runs in some iterations only, and does not even read the value that it replaces.
//!
//! The proof is in [`super::decision`].

use super::decision::{Search, extreme};
use super::roots::{Statement, operands};
use crate::extract::binding::{Leaf, Output, Root};
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::region::opaque::Opaque;
use crate::llvm::instruction::Address;
use crate::llvm::{FloatPredicate, Instruction, IntPredicate, Opcode, Value};
use crate::scop::ReductionOperator;

/// More states than this are not looked through, nor conditions with more parts.
pub(in crate::extract) const MOST_STATES: usize = 24;

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
    /// The load of the key at hand, and the value whose key it is.
    pub kept: Instruction<'ir>,
    pub(in crate::extract) of: Value<'ir>,
    /// The key of the value that comes, and that value.
    pub(in crate::extract) new: (Value<'ir>, Value<'ir>),
}

/// Where keys are: that of a value so many bytes behind the base as `stride` times the value and a constant are.
pub struct Table<'ir> {
    pub base: Value<'ir>,
    pub stride: i128,
    pub constant: i128,
    /// How the value gets the width of an address, if it has not got that.
    pub widened: Option<Opcode>,
}

impl<'ir> Lookup<'ir> {
    /// The table, if the address of the key is that of one: `A[at + 1]`, `s[at].k`, `row[2][at]`.
    pub fn table(&self) -> Option<Table<'ir>> {
        let layout = self.kept.function()?.layout();
        let (mut base, mut constant, mut by_value) = (self.kept.memory()?.pointer, 0, None);
        while let Some(address) = Address::of_value(base) {
            let (bytes, terms) = address.offset(layout)?;
            constant += bytes;
            for (index, bytes) in terms {
                let (number, widened) = self.behind_value(index)?;
                constant += number.checked_mul(bytes)?;
                if by_value.replace((bytes, widened)).is_some() {
                    return None;
                }
            }
            base = address.base;
        }
        let (stride, widened) = by_value?;
        Some(Table { base, stride, constant, widened })
    }

    /// How far an index is behind the value, and how that was widened; nothing may have been cut off.
    fn behind_value(&self, index: Value<'ir>) -> Option<(i128, Option<Opcode>)> {
        let cast = index.as_instruction().filter(|i| matches!(i.opcode(), Opcode::SExt | Opcode::ZExt));
        let (inner, widened) = cast.map_or((index, None), |cast| (cast.operand(0), Some(cast.opcode())));
        if index.ty().integer_width() != Some(64) {
            return None;
        }
        if inner == self.of {
            return Some((0, widened));
        }
        let sum = inner.as_instruction().filter(|sum| sum.opcode() == Opcode::Add && sum.operand(0) == self.of)?;
        let kept = sum.wrapping();
        let is_whole = match widened {
            Some(Opcode::SExt) => kept.nsw,
            Some(_) => kept.nuw,
            None => true,
        };
        Some((sum.operand(1).as_integer().filter(|_| is_whole)?, widened))
    }
}

impl<'ir> Pick<'ir> {
    /// That of a value whose place another one takes in any case.
    pub(in crate::extract) fn replaces(member: Member<'ir>) -> Self {
        Pick { rule: Rule::Last, members: vec![member], states: Vec::new(), lookup: None }
    }

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

/// The picks of the accumulators that a statement writes, and reads before it does.
pub(in crate::extract) fn bound<'ir>(statement: &Statement<'ir>) -> Vec<BoundPick<'ir>> {
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
    let array_of = |member: &Member<'ir>, rule: Rule| {
        let output = outputs.iter().find(|output| output.value == member.result)?;
        let reads = statement.leaves.values().filter(|leaf| is_of(leaf, output)).count();
        let is_old = statement.leaves.get(&member.old).is_some_and(|leaf| is_of(leaf, output));
        let is_only = if is_old { reads == 1 } else { reads == 0 && rule == Rule::Last };
        is_only.then_some(output.array)
    };
    let whole = |pick: Pick<'ir>| {
        if !pick.lookup.is_none_or(|lookup| is_in_table(statement, lookup)) {
            return None;
        }
        let arrays = pick.members.iter().map(|member| array_of(member, pick.rule)).collect::<Option<Vec<_>>>()?;
        Some(BoundPick { pick, arrays })
    };
    found.into_iter().filter_map(whole).collect()
}

/// A counter of fewer bits than this may go round many times.
const NARROWEST_COUNTER: u32 = 32;

/// Whether a value, widened with or without its sign, is the number that it was computed from: nothing was cut off on the way.
fn is_whole(value: Value<'_>, is_signed: bool) -> bool {
    let Some(instruction) = value.as_instruction() else { return true };
    let kept = instruction.wrapping();
    let is_kept = if is_signed { kept.nsw } else { kept.nuw };
    match instruction.opcode() {
        Opcode::Trunc => is_kept,
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
            is_kept && instruction.operands().into_iter().all(|operand| is_whole(operand, is_signed))
        }
        _ => value.ty().integer_width().is_some_and(|width| width >= NARROWEST_COUNTER),
    }
}

/// Whether the key of the value that comes is what the table has for that value.
fn is_in_table<'ir>(statement: &Statement<'ir>, lookup: Lookup<'ir>) -> bool {
    let (key, value) = lookup.new;
    let (Some(place), Some(load)) = (lookup.table(), key.as_instruction()) else { return false };
    let is_signed = place.widened != Some(Opcode::ZExt);
    if value.as_integer().is_none() && !is_whole(value, is_signed) {
        return false;
    }
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
    let expected = number.scale(place.stride).and_then(|bytes| bytes.add(&Polynomial::constant(place.constant)));
    let mut begins = load.memory().map(|access| access.pointer);
    while let Some(address) = begins.and_then(Address::of_value) {
        begins = Some(address.base);
    }
    array == table && load.ty() == lookup.kept.ty() && begins == Some(place.base) && expected.as_ref() == Some(offset)
}

fn is_of(leaf: &Leaf, output: &Output<'_>) -> bool {
    matches!(leaf, Leaf::Scalar { array, subscripts } if *array == output.array && *subscripts == output.subscripts)
}
