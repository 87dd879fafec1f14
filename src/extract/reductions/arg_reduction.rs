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

use crate::llvm::instruction::Address;
use crate::llvm::{FloatPredicate, Instruction, IntPredicate, Opcode, Value};
use crate::scop::{ArrayId, ReductionOperator};

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
                let (number, widened) = behind_value(index, self.of)?;
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
    pub arrays: Vec<ArrayId>,
}

/// How far an index is behind a value, and how that was widened; nothing may have been cut off.
pub(super) fn behind_value<'ir>(index: Value<'ir>, of: Value<'ir>) -> Option<(i128, Option<Opcode>)> {
    let cast = index.as_instruction().filter(|i| matches!(i.opcode(), Opcode::SExt | Opcode::ZExt));
    let (inner, widened) = cast.map_or((index, None), |cast| (cast.operand(0), Some(cast.opcode())));
    if index.ty().integer_width() != Some(64) {
        return None;
    }
    if inner == of {
        return Some((0, widened));
    }
    let sum = inner.as_instruction().filter(|sum| sum.opcode() == Opcode::Add && sum.operand(0) == of)?;
    let kept = sum.wrapping();
    let is_whole = match widened {
        Some(Opcode::SExt) => kept.nsw,
        Some(_) => kept.nuw,
        None => true,
    };
    Some((sum.operand(1).as_integer().filter(|_| is_whole)?, widened))
}
