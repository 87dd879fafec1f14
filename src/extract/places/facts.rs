//! What comparisons and counters say of a number where an access happens.
//!
//! ```c
//! for (int k = ptr[i]; k < ptr[i + 1]; k++) val[k] *= s[i];
//! ```
//!
//! Where `val[k]` is reached, `k` is at least what `ptr[i]` holds, where it started, and less than what `ptr[i + 1]` holds, with which the loop compares
//! it. Such a [`Fact`] is about the instances of that access: elsewhere in the loop, behind it say, `k` may be anything else.

use super::compared::Compared;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::polynomial::{Atom, Polynomial, UnknownId};
use crate::extract::numbers::scope::Scope;
use crate::extract::numbers::unknown::Unknown;
use crate::llvm::scev::CountKind;
use crate::llvm::{Block, Instruction, IntPredicate, Opcode, ScevId, ScevKind, Signedness, Type, Value};

/// Counters with larger steps might get far.
const LARGEST_STEP: i128 = 1 << 20;

/// From smaller numbers on, 2^63 is not reached in small steps.
const FAR: i128 = 1 << 40;

/// Operands through which a number goes round a loop.
const MOST_OPERANDS: usize = 40;

/// From which side a number is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    AtLeast,
    AtMost,
}

/// A bound of a number that data gives, in all instances of the access that it was asked for.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub of: UnknownId,
    pub bound: Polynomial,
    pub side: Side,
}

/// Where facts are asked for: at an access of a scope.
pub(super) struct Facts<'f, 's, 'a, 'ir> {
    pub affine: &'f Affine<'s, 'a, 'ir>,
    pub compared: &'f Compared<'ir>,
    /// The block of the access.
    pub home: Block<'ir>,
    /// The scope of that block.
    pub scope: &'f Scope,
}

/// The number that facts are about, as LLVM knows it.
struct Subject<'ir> {
    number: UnknownId,
    own: Unknown<'ir>,
    scev: ScevId,
    width: u32,
    /// By how much it grows in each iteration; 0 if it does not go by equal steps.
    step: i128,
    /// It goes from zero on in small steps without a carry: in all the time that a program can take, 2^63 is not reached.
    is_counter: bool,
}

impl<'ir> Facts<'_, '_, '_, 'ir> {
    /// What a number is known to be at least or at most.
    pub fn about(&self, number: UnknownId) -> Vec<Fact> {
        let Some(subject) = self.subject(number) else { return Vec::new() };
        let mut found = self.by_steps(&subject);
        found.extend(self.by_counting(&subject));
        found.extend(self.by_remainder(&subject));
        self.others(&subject).into_iter().for_each(|other| found.extend(self.by_comparison(&subject, other)));
        let fact = |(bound, side)| Fact { of: number, bound, side };
        found.into_iter().map(fact).collect()
    }

    fn subject(&self, number: UnknownId) -> Option<Subject<'ir>> {
        let analyses = self.affine.analyses;
        let own = self.affine.unknown(number);
        let scev = analyses.scev(own.value)?;
        let scev = match own.signedness {
            Signedness::Unsigned => analyses.resized(scev, self.word(own.value), Signedness::Unsigned),
            Signedness::Signed => scev,
        };
        let node = analyses.node(scev);
        let step = node.operands.get(1).and_then(|step| analyses.node(*step).constant);
        let step = step.filter(|_| node.kind == ScevKind::AddRec && node.operands.len() == 2).unwrap_or(0);
        let starts_from_zero_on = || analyses.is_known_nonnegative(node.operands[0]);
        let is_counter = node.nuw && node.width == 64 && (1..=LARGEST_STEP).contains(&step) && starts_from_zero_on();
        Some(Subject { number, own, scev, width: node.width, step, is_counter })
    }

    fn word(&self, value: Value<'ir>) -> Type<'ir> {
        Type::integer(value.ty().context(), 64)
    }

    /// The compared numbers, as wide as the subject.
    fn others(&self, subject: &Subject<'ir>) -> Vec<ScevId> {
        let analyses = self.affine.analyses;
        let word = self.word(subject.own.value);
        let mut others: Vec<ScevId> = Vec::new();
        for value in self.compared.values.iter().filter(|value| **value != subject.own.value) {
            let Some(other) = analyses.scev(*value) else { continue };
            let here = analyses.node(other).width;
            let forms = match here == subject.width {
                true => vec![other],
                false if here < subject.width && subject.width == 64 => {
                    [Signedness::Signed, Signedness::Unsigned].map(|each| analyses.resized(other, word, each)).to_vec()
                }
                false => Vec::new(),
            };
            let may_say = |form: &ScevId| {
                *form != subject.scev
                    && self.may_be_there(*form)
                    && self.compared.may_be_related(self.affine, subject.scev, *form)
            };
            others.extend(forms.into_iter().filter(may_say));
        }
        others.sort();
        others.dedup();
        others
    }

    /// Whether a value is computed before the access.
    fn is_there(&self, value: Value<'ir>) -> bool {
        let at = value.as_instruction().filter(|_| !self.affine.is_invariant(value)).and_then(|i| i.block());
        let is_before = |at, home| at == home || self.affine.analyses.dominates(at, home);
        at.is_none_or(|at| is_before(at, self.home))
    }

    /// Whether no sum has a term that is loaded behind the access: [`Facts::known_before`] would find that out after much more.
    fn may_be_there(&self, scev: ScevId) -> bool {
        let key = (self.home, scev);
        if let Some(known) = self.compared.is_there.borrow().get(&key) {
            return *known;
        }
        let node = self.affine.analyses.node(scev);
        let is_there = match node.kind {
            ScevKind::Unknown => node.value.is_none_or(|value| {
                let is_load = value.as_instruction().is_some_and(|i| i.opcode() == Opcode::Load);
                !is_load || self.is_there(value)
            }),
            ScevKind::Add | ScevKind::ZeroExtend | ScevKind::SignExtend => {
                node.operands.iter().all(|operand| self.may_be_there(*operand))
            }
            _ => true,
        };
        self.compared.is_there.borrow_mut().insert(key, is_there);
        is_there
    }

    /// An expression over numbers that are computed before the access, the subject not among them, if nothing is to be assumed for it.
    fn known_before(&self, subject: &Subject<'ir>, scev: ScevId) -> Option<Polynomial> {
        let affine = self.affine;
        let key = (self.home, scev);
        if !self.compared.read.borrow().contains_key(&key) {
            let value = affine.at(self.scope).naming().number_of_scev(scev).ok();
            let value = value.and_then(|value| value.proved(affine).ok()).filter(|value| affine.is_exact(value));
            self.compared.read.borrow_mut().insert(key, value.map(|value| value.polynomial));
        }
        let read = self.compared.read.borrow();
        let polynomial = read[&key].as_ref()?;
        let is_other = |at: UnknownId| at != subject.number && self.is_there(affine.unknown(at).value);
        let are_others = polynomial.atoms().filter_map(Atom::unknown).all(is_other);
        are_others.then(|| polynomial.clone())
    }

    /// Of a number that goes by equal steps: where it starts, and where it ends.
    fn by_steps(&self, subject: &Subject<'ir>) -> Vec<(Polynomial, Side)> {
        let analyses = self.affine.analyses;
        let node = analyses.node(subject.scev);
        if subject.step == 0 || !(node.nsw || subject.is_counter) {
            return Vec::new();
        }
        let Some(start) = self.known_before(subject, node.operands[0]) else { return Vec::new() };
        let turns = node.in_loop.and_then(|id| analyses.backedges(id, CountKind::SymbolicMaximum));
        let most = turns.and_then(|turns| self.known_before(subject, turns));
        let most = most.filter(|most| self.is_nonnegative(most));
        let end = most.and_then(|most| start.add(&most.scale(subject.step)?));
        let (of_start, of_end) = match subject.step > 0 {
            true => (Side::AtLeast, Side::AtMost),
            false => (Side::AtMost, Side::AtLeast),
        };
        end.map(|end| (end, of_end)).into_iter().chain([(start, of_start)]).collect()
    }

    /// Of a number that becomes larger or stays. One that is taken without a sign is no more than that, if it wraps around as well; one of 64 bits never gets
    /// there from a small constant on.
    fn by_counting(&self, subject: &Subject<'ir>) -> Vec<(Polynomial, Side)> {
        let (analyses, own) = (self.affine.analyses, &subject.own);
        let Some(Counted { start, step, phi, never_wraps }) = counted(own.value) else { return Vec::new() };
        let is_small = || start.as_integer().is_some_and(|start| (0..FAR).contains(&start));
        let is_unsigned = own.signedness == Signedness::Unsigned;
        let is_kept = !is_unsigned && (never_wraps || own.value.ty().integer_width() == Some(64) && is_small());
        if !is_kept && !is_unsigned {
            return Vec::new();
        }
        let start = analyses.scev(start).map(|start| match is_unsigned {
            true => analyses.resized(start, self.word(own.value), Signedness::Unsigned),
            false => start,
        });
        let Some(start) = start.and_then(|start| self.known_before(subject, start)) else { return Vec::new() };
        let id = phi.block().and_then(|block| analyses.loop_of(block));
        let iteration = id.filter(|id| self.scope.loops.contains(id)).map(|id| Polynomial::atom(Atom::Iterator(id)));
        let most = iteration.and_then(|iteration| start.add(&iteration.scale(step)?));
        let least = is_kept.then_some((start, Side::AtLeast));
        least.into_iter().chain(most.map(|most| (most, Side::AtMost))).collect()
    }

    fn by_remainder(&self, subject: &Subject<'ir>) -> Vec<(Polynomial, Side)> {
        let most = || {
            let (divisor, from_zero) = self.remainder(subject.own.value)?;
            let divisor = self.known_before(subject, divisor)?;
            Some((divisor.add(&Polynomial::constant(-1))?, from_zero))
        };
        let Some((most, from_zero)) = most() else { return Vec::new() };
        let low = if from_zero { Some(Polynomial::constant(0)) } else { most.scale(-1) };
        low.map(|low| (low, Side::AtLeast)).into_iter().chain([(most, Side::AtMost)]).collect()
    }

    /// What holds between the subject and another number at the access. LLVM may know the stronger of two comparisons and not the weaker one.
    fn by_comparison(&self, subject: &Subject<'ir>, other: ScevId) -> Vec<(Polynomial, Side)> {
        use IntPredicate::*;
        let analyses = self.affine.analyses;
        let is_known = |predicate| analyses.is_known_in(predicate, subject.scev, other, self.home);
        let is_unsigned = !analyses.is_known_nonnegative(other);
        let is_plain = analyses.node(other).kind == ScevKind::Unknown && subject.width == 64 && subject.is_counter;
        let unsigned_holds = || !is_unsigned || is_plain;
        let (side, shift) = match () {
            _ if is_known(Sgt) => (Side::AtLeast, 1),
            _ if is_known(Sge) => (Side::AtLeast, 0),
            _ if is_known(Slt) => (Side::AtMost, -1),
            _ if is_known(Sle) => (Side::AtMost, 0),
            _ if unsigned_holds() && is_known(Ult) => (Side::AtMost, -1),
            _ if unsigned_holds() && is_known(Ule) => (Side::AtMost, 0),
            _ => return Vec::new(),
        };
        let signed = !is_unsigned || is_known(Sgt) || is_known(Sge) || is_known(Slt) || is_known(Sle);
        let named = analyses.node(other).value.filter(|value| !signed && !self.affine.is_invariant(*value));
        let value = match named {
            Some(value) if self.is_there(value) => Some(self.affine.name(value, Signedness::Unsigned, 64).polynomial),
            _ if !signed => None,
            _ => self.known_before(subject, other),
        };
        let Some(value) = value else { return Vec::new() };
        let bound = value.add(&Polynomial::constant(shift));
        let mut found: Vec<(Polynomial, Side)> = bound.map(|bound| (bound, side)).into_iter().collect();
        if side == Side::AtMost && !is_unsigned && (is_known(Ult) || is_known(Ule)) {
            found.push((Polynomial::constant(0), Side::AtLeast));
        }
        found
    }

    /// Whether a polynomial is so in all iterations.
    fn is_nonnegative(&self, polynomial: &Polynomial) -> bool {
        let value = self.affine.aff(polynomial, self.scope).ok();
        let zero = self.affine.constant_aff(self.scope, 0);
        value.is_some_and(|value| self.scope.domain.is_subset(&value.ge_set(&zero)))
    }

    /// For a remainder, the divisor, if it is positive where the access happens; and whether the remainder is never negative.
    fn remainder(&self, value: Value<'ir>) -> Option<(ScevId, bool)> {
        let (affine, analyses) = (self.affine, self.affine.analyses);
        let instruction = value.as_instruction().filter(|i| matches!(i.opcode(), Opcode::SRem | Opcode::URem))?;
        let (dividend, divisor) = (instruction.operand(0), analyses.scev(instruction.operand(1))?);
        let zero = analyses.constant(value.ty(), 0);
        if !analyses.is_known_in(IntPredicate::Sgt, divisor, zero, self.home) {
            return None;
        }
        let is_known = || {
            let dividend = analyses.scev(dividend);
            dividend.is_some_and(|d| analyses.is_known_in(IntPredicate::Sge, d, zero, self.home))
        };
        let is_computed = || {
            let number = affine.at(self.scope).number(dividend).ok().and_then(|number| number.proved(affine).ok());
            let number = number.filter(|number| affine.is_exact(number));
            number.is_some_and(|number| self.is_nonnegative(&number.polynomial))
        };
        Some((divisor, instruction.opcode() == Opcode::URem || is_known() || is_computed()))
    }
}

/// A number that goes round a loop and becomes larger or stays, as in `if (x[j] > 0) k++`.
struct Counted<'ir> {
    start: Value<'ir>,
    /// By how much at most it grows in one iteration.
    step: i128,
    phi: Instruction<'ir>,
    /// As the program promises of its sign.
    never_wraps: bool,
}

fn counted<'ir>(value: Value<'ir>) -> Option<Counted<'ir>> {
    let phi = value.as_instruction().filter(|i| i.is_phi())?;
    let [(a, _), (b, _)] = phi.incoming()[..] else { return None };
    let grows = |last: Value<'ir>| -> Option<(i128, bool)> {
        let (mut pending, mut seen, mut most, mut never_wraps) = (vec![last], Vec::new(), 0, true);
        while let Some(here) = pending.pop() {
            if here == value || seen.contains(&here) {
                continue;
            }
            seen.push(here);
            let step = here.as_instruction().filter(|_| seen.len() <= MOST_OPERANDS)?;
            match step.opcode() {
                Opcode::Phi => pending.extend(step.incoming().into_iter().map(|(value, _)| value)),
                Opcode::Select => pending.extend([step.operand(1), step.operand(2)]),
                Opcode::Add if step.operand(0) == value => {
                    most = most.max(step.operand(1).as_integer().filter(|by| (0..=LARGEST_STEP).contains(by))?);
                    never_wraps &= step.wrapping().nsw;
                }
                _ => return None,
            }
        }
        seen.contains(&last).then_some((most, never_wraps))
    };
    let (start, (step, never_wraps)) = grows(b).map(|found| (a, found)).or_else(|| Some((b, grows(a)?)))?;
    (step > 0).then_some(Counted { start, step, phi, never_wraps })
}
