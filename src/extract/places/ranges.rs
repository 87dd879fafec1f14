//! How far places that data decides about can lie apart.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   for (int k = ptr[i]; k < ptr[i + 1]; k++)
//!     val[k] *= s[i];
//! ```
//!
//! The inner loop is opaque, but where `val[k]` is reached, comparisons that dominate it have been true: `u1 <= k < u2`, with `u1` what
//! `ptr[i]` and `u2` what `ptr[i + 1]` holds. LLVM is asked for each number `u` in an offset, and each number `x` that some condition
//! compares: is `u < x` known here, is `u >= x`? What is known of both sides, with the bounds of the types and the start of a counter, is
//! a [`Ranged`] access: its offset over the loops and the numbers, in a scope with these facts. So is `if (0 <= c && c < 16) A[i][c]++`, and
//! `A[i][j % m]`.

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::obligations::{Conditional, Obligations};
use crate::extract::numbers::offset::Offset;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::numbers::unknown::Computed;
use crate::extract::ssa::{is_copyable, only_name, operands};
use crate::extract::statements::drafts::{Drafts, Statement};
use crate::extract::statements::root::Root;
use crate::llvm::instruction::{Address, Branch};
use crate::llvm::scev::CountKind;
use crate::llvm::{Instruction, IntPredicate, Opcode, ScevId, ScevKind, Type, Value};
use crate::presburger::{DimKind, Set};
use std::collections::HashMap;

/// More numbers than this in one offset, with those they are compared with, make every set operation slow.
const MOST_NUMBERS: usize = 5;

/// So many different numbers that conditions of the region compare are looked at.
const MOST_COMPARED: usize = 40;

/// What only the type of a number bounds, beyond this, is not bounded: no test against it would tell anything.
const SENSIBLE: i128 = 1 << 30;

/// Counters with larger steps might get far.
const LARGEST_STEP: i128 = 1 << 20;

/// Operands that a number is computed from before the loops.
const MOST_OPERANDS: usize = 40;

/// An access whose place data decides about.
#[derive(Clone, Debug)]
pub(in crate::extract) struct Ranged {
    /// Bytes from the base, over loops, parameters and numbers that data gives.
    pub offset: Polynomial,
    /// The offset is a number, not only congruent to one modulo 2^64.
    pub exact: bool,
    /// The loops around the statement and the numbers, with what is known of them.
    pub scope: Scope,
    /// Smallest and largest offset, where one lower and one upper bound of each number is known before the loops.
    pub ends: Option<(Polynomial, Polynomial)>,
}

/// All such accesses, by statement and instruction.
#[derive(Default)]
pub(in crate::extract) struct Ranges<'ir> {
    known: HashMap<(usize, Instruction<'ir>), Ranged>,
}

impl<'ir> Ranges<'ir> {
    /// Accepts what an offset takes for granted where data is trusted.
    pub fn of(affine: &Affine<'_, '_, 'ir>, drafts: &Drafts<'_, '_, 'ir>, assumptions: &mut Assumptions) -> Self {
        let mut ranges = Ranges::default();
        let indirect = |statement: &Statement<'ir>| -> Vec<Instruction<'ir>> {
            let load = |l: &&Instruction<'ir>| matches!(statement.leaves.get(&l.value()), Some(Leaf::Indirect { .. }));
            let loads = statement.loads.iter().filter(load).copied();
            let rest = match &statement.root {
                Root::Scatter { store, .. } => vec![*store],
                Root::Opaque { accesses, .. } => {
                    accesses.iter().filter(|a| a.offset.is_none()).map(|a| a.instruction).collect()
                }
                _ => Vec::new(),
            };
            loads.chain(rest).collect()
        };
        let all: Vec<_> = drafts.statements.iter().enumerate().map(|(at, s)| (at, s, indirect(s))).collect();
        if all.iter().all(|(_, _, accesses)| accesses.is_empty()) {
            return ranges;
        }
        let compared = compared(affine);
        for (at, statement, accesses) in all {
            for access in accesses {
                if let Some(ranged) = ranged(affine, drafts, assumptions, &compared, statement, access) {
                    ranges.known.insert((at, access), ranged);
                }
            }
        }
        ranges
    }

    pub fn get(&self, statement: usize, access: Instruction<'ir>) -> Option<&Ranged> {
        self.known.get(&(statement, access))
    }
}

/// The numbers that conditions of the region compare.
fn compared<'ir>(affine: &Affine<'_, '_, 'ir>) -> Vec<Value<'ir>> {
    let mut all: Vec<Value<'ir>> = Vec::new();
    for instruction in affine.region.blocks.iter().flat_map(|block| block.instructions()) {
        let Some((_, a, b)) = instruction.icmp() else { continue };
        for value in [a, b] {
            let is_number = value.ty().integer_width().is_some_and(|width| (2..=64).contains(&width));
            if is_number && !all.contains(&value) && all.len() < MOST_COMPARED {
                all.push(value);
            }
        }
    }
    all
}

/// The byte offset of an address, with names for what it cannot open.
fn offset_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    pointer: Value<'ir>,
    scope: &Scope,
) -> Option<Conditional<Number>> {
    let mut here = pointer;
    let mut offset = Offset::new();
    let mut owed = Obligations::none();
    loop {
        if let Some(address) = Address::of_value(here).filter(|_| drafts.is_openable(here)) {
            let bytes = owed.take_over(affine.at(scope).naming().bytes(&address).ok()?);
            offset = offset.step(affine, &address, &bytes)?;
            here = address.base;
        } else if let Some(inner) = only_name(here).filter(|_| !affine.is_invariant(here)) {
            here = inner;
        } else {
            return affine.is_invariant(here).then(|| Conditional::new(offset.known(affine), owed));
        }
    }
}

fn ranged<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    assumptions: &mut Assumptions,
    compared: &[Value<'ir>],
    statement: &Statement<'ir>,
    access: Instruction<'ir>,
) -> Option<Ranged> {
    let home = access.block()?;
    let own = drafts.domains.of_block(home);
    if own.loops.len() > statement.scope.loops.len() || own.loops != statement.scope.loops[..own.loops.len()] {
        return None;
    }
    let offset = match offset_of(affine, drafts, access.memory()?.pointer, own)?.proved(affine) {
        Ok(offset) => offset,
        Err(offset) if assumptions.trusts_data() => assumptions.accept(affine, offset).ok()?,
        Err(_) => return None,
    };
    let Number { polynomial: offset, exact, .. } = offset;
    let mut unknowns: Vec<usize> = Vec::new();
    let note = |polynomial: &Polynomial, unknowns: &mut Vec<usize>| {
        for atom in polynomial.atoms() {
            if let Atom::Unknown(at) = atom
                && !unknowns.contains(&at)
            {
                unknowns.push(at);
            }
        }
    };
    note(&offset, &mut unknowns);
    let inner: Vec<usize> = offset.atoms().filter_map(unknown).collect();
    let mut facts: Vec<(usize, Polynomial, bool)> = Vec::new();
    let mut next = 0;
    while let Some(&at) = unknowns.get(next).filter(|_| next < MOST_NUMBERS) {
        next += 1;
        if !inner.contains(&at) && reached(affine, drafts, statement, affine.unknown(at).value).is_some() {
            continue;
        }
        for (bound, is_lower) in bounds(affine, compared, at, access, own) {
            note(&bound, &mut unknowns);
            facts.push((at, bound, is_lower));
        }
    }
    if unknowns.is_empty() || unknowns.len() > MOST_NUMBERS {
        return None;
    }
    for at in &unknowns {
        affine.found_readable(*at, read_before(affine, drafts, statement, affine.unknown(*at).value));
    }
    let first = statement.scope.loops.len();
    let domain = statement.scope.domain.insert_dims(DimKind::Out, first, unknowns.len());
    let mut scope = Scope { loops: statement.scope.loops.clone(), unknowns, domain };
    for at in scope.unknowns.clone() {
        let number = affine.aff(&Polynomial::atom(Atom::Unknown(at)), &scope).ok()?;
        let Interval { low, high } = affine.unknown_interval(at);
        let mut known = Set::universe(&scope.space());
        if let Some(low) = low.filter(|low| *low > -SENSIBLE) {
            known = known.intersect(&number.ge_set(&affine.constant_aff(&scope, low)));
        }
        if let Some(high) = high.filter(|high| *high < SENSIBLE) {
            known = known.intersect(&number.le_set(&affine.constant_aff(&scope, high)));
        }
        for (_, bound, is_lower) in facts.iter().filter(|(of, ..)| *of == at) {
            let bound = affine.aff(bound, &scope).ok()?;
            known = known.intersect(&if *is_lower { number.ge_set(&bound) } else { number.le_set(&bound) });
        }
        scope.domain = scope.domain.intersect(&known);
    }
    let ends = ends(affine, &offset, &inner, &facts).filter(|_| exact);
    Some(Ranged { offset, exact, scope, ends })
}

fn unknown(atom: Atom) -> Option<usize> {
    match atom {
        Atom::Unknown(at) => Some(at),
        _ => None,
    }
}

/// The offset with each number at its lower and at its upper end, as far as these are known before the loops.
fn ends(
    affine: &Affine<'_, '_, '_>,
    offset: &Polynomial,
    inner: &[usize],
    facts: &[(usize, Polynomial, bool)],
) -> Option<(Polynomial, Polynomial)> {
    let is_readable = |p: &Polynomial| p.atoms().filter_map(unknown).all(|at| affine.unknown(at).computed.is_some());
    let (mut low, mut high) = (offset.clone(), offset.clone());
    for at in inner.iter().filter(|at| affine.unknown(**at).computed.is_none()) {
        let factor = offset.terms().find(|(atoms, _)| *atoms == [Atom::Unknown(*at)]).map(|(_, factor)| factor)?;
        let bound = |wants_lower: bool| {
            let own =
                facts.iter().filter(|(of, bound, is_lower)| of == at && *is_lower == wants_lower && is_readable(bound));
            let is_plain = |p: &&(usize, Polynomial, bool)| p.1.as_constant().is_some();
            own.clone().find(|p| !is_plain(p)).or_else(|| own.clone().next()).map(|(_, bound, _)| bound.clone())
        };
        low = low.with(Atom::Unknown(*at), &bound(factor > 0)?)?;
        high = high.with(Atom::Unknown(*at), &bound(factor < 0)?)?;
    }
    Some((low, high))
}

/// What a number is known to be at least (`true`) or at most (`false`) where the access happens.
fn bounds<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    compared: &[Value<'ir>],
    number: usize,
    access: Instruction<'ir>,
    scope: &Scope,
) -> Vec<(Polynomial, bool)> {
    use IntPredicate::*;
    let analyses = affine.analyses;
    let own = affine.unknown(number);
    let Some(scev) = analyses.scev(own.value) else { return Vec::new() };
    let word = Type::integer(own.value.ty().context(), 64);
    let subject = if own.is_unsigned { analyses.resized(scev, word, false) } else { scev };
    let width = analyses.node(subject).width;
    let mut others: Vec<ScevId> = Vec::new();
    for value in compared.iter().filter(|value| **value != own.value) {
        let Some(other) = analyses.scev(*value) else { continue };
        let here = analyses.node(other).width;
        let forms = match here == width {
            true => vec![other],
            false if here < width && width == 64 => [true, false].map(|s| analyses.resized(other, word, s)).to_vec(),
            false => Vec::new(),
        };
        others.extend(forms.into_iter().filter(|form| *form != subject));
    }
    others.sort();
    others.dedup();
    let home = access.block();
    let is_there = |value: Value<'ir>| {
        let at = value.as_instruction().filter(|_| !affine.is_invariant(value)).and_then(|i| i.block());
        at.is_none_or(|at| home.is_some_and(|home| at == home || analyses.dominates(at, home)))
    };
    let known_before = |scev: ScevId| {
        let value = affine.at(scope).naming().number_of_scev(scev).ok()?.proved(affine).ok()?;
        let value = Some(value).filter(|value| affine.is_exact(value))?;
        let is_other = |at: usize| at != number && is_there(affine.unknown(at).value);
        let are_others = value.polynomial.atoms().filter_map(unknown).all(is_other);
        are_others.then_some(value.polynomial)
    };
    let mut found: Vec<(Polynomial, bool)> = Vec::new();
    let node = analyses.node(subject);
    let step = node.operands.get(1).and_then(|step| analyses.node(*step).constant);
    let step = step.filter(|_| node.kind == ScevKind::AddRec && node.operands.len() == 2).unwrap_or(0);
    let starts_from_zero_on = || analyses.is_known_nonnegative(node.operands[0]);
    // From zero on in small steps without a carry: 2^63 would not be reached before the end of all days.
    let is_counter = node.nuw && width == 64 && (1..=LARGEST_STEP).contains(&step) && starts_from_zero_on();
    if step != 0
        && (node.nsw || is_counter)
        && let Some(start) = known_before(node.operands[0])
    {
        let turns = node.in_loop.and_then(|id| analyses.backedges(id, CountKind::SymbolicMaximum));
        let most = turns.and_then(known_before).filter(|most| is_nonnegative(affine, most, scope));
        let end = most.and_then(|most| start.add(&most.scale(step)?));
        found.extend(end.map(|end| (end, step < 0)));
        found.push((start, step > 0));
    }
    if let Some((start, step, phi)) = counted(own.value).filter(|_| !own.is_unsigned)
        && let Some(start) = analyses.scev(start).and_then(known_before)
    {
        let id = phi.block().and_then(|block| analyses.loop_of(block));
        let iteration = id.filter(|id| scope.loops.contains(id)).map(|id| Polynomial::atom(Atom::Iterator(id)));
        let most = iteration.and_then(|iteration| start.add(&iteration.scale(step)?));
        found.push((start, true));
        found.extend(most.map(|most| (most, false)));
    }
    if let Some((divisor, from_zero)) = remainder(affine, own.value, access, scope)
        && let Some(least) = known_before(divisor)
        && let Some(most) = least.add(&Polynomial::constant(-1))
    {
        found.extend(most.scale(-1).filter(|_| !from_zero).map(|low| (low, true)));
        found.extend(from_zero.then(|| (Polynomial::constant(0), true)));
        found.push((most, false));
    }
    for other in others {
        let is_known = |predicate| analyses.is_known_at(predicate, subject, other, access);
        let is_unsigned = !analyses.is_known_nonnegative(other);
        let is_plain = analyses.node(other).kind == ScevKind::Unknown && width == 64 && is_counter;
        let unsigned_holds = || !is_unsigned || is_plain;
        let (lower, upper) = match () {
            _ if is_known(Sgt) => (Some(1), None),
            _ if is_known(Sge) => (Some(0), None),
            _ if is_known(Slt) => (None, Some(-1)),
            _ if is_known(Sle) => (None, Some(0)),
            _ if unsigned_holds() && is_known(Ult) => (None, Some(-1)),
            _ if unsigned_holds() && is_known(Ule) => (None, Some(0)),
            _ => continue,
        };
        let signed = !is_unsigned || is_known(Sgt) || is_known(Sge) || is_known(Slt) || is_known(Sle);
        let value = match analyses.node(other).value.filter(|value| !signed && !affine.is_invariant(*value)) {
            Some(value) if is_there(value) => Some(affine.name(value, true, 64).polynomial),
            _ if !signed => None,
            _ => known_before(other),
        };
        let Some(value) = value else { continue };
        let shifted = |by: i128| value.add(&Polynomial::constant(by));
        found.extend(lower.and_then(shifted).map(|bound| (bound, true)));
        found.extend(upper.and_then(shifted).map(|bound| (bound, false)));
        if upper.is_some() && !is_unsigned && (is_known(Ult) || is_known(Ule)) {
            found.push((Polynomial::constant(0), true));
        }
    }
    found
}

/// Whether a polynomial is so in all iterations.
fn is_nonnegative(affine: &Affine<'_, '_, '_>, polynomial: &Polynomial, scope: &Scope) -> bool {
    let value = affine.aff(polynomial, scope).ok();
    value.is_some_and(|value| scope.domain.is_subset(&value.ge_set(&affine.constant_aff(scope, 0))))
}

/// For a remainder, the divisor, if it is positive where the access happens; and whether the remainder is never negative.
fn remainder<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    value: Value<'ir>,
    access: Instruction<'ir>,
    scope: &Scope,
) -> Option<(ScevId, bool)> {
    let analyses = affine.analyses;
    let instruction = value.as_instruction().filter(|i| matches!(i.opcode(), Opcode::SRem | Opcode::URem))?;
    let (dividend, divisor) = (instruction.operand(0), analyses.scev(instruction.operand(1))?);
    let zero = analyses.constant(value.ty(), 0);
    if !analyses.is_known_at(IntPredicate::Sgt, divisor, zero, access) {
        return None;
    }
    let is_known = || analyses.scev(dividend).is_some_and(|d| analyses.is_known_at(IntPredicate::Sge, d, zero, access));
    let is_computed = || {
        let number = affine.at(scope).number(dividend).ok().and_then(|number| number.proved(affine).ok());
        let number = number.filter(|number| affine.is_exact(number));
        number.is_some_and(|number| is_nonnegative(affine, &number.polynomial, scope))
    };
    Some((divisor, instruction.opcode() == Opcode::URem || is_known() || is_computed()))
}

/// For a number that goes round a loop and becomes larger or stays, in `if (x[j] > 0) k++`: where it starts, by how much at most it grows in one
/// iteration, and its phi.
fn counted<'ir>(value: Value<'ir>) -> Option<(Value<'ir>, i128, Instruction<'ir>)> {
    let phi = value.as_instruction().filter(|i| i.is_phi())?;
    let [(a, _), (b, _)] = phi.incoming()[..] else { return None };
    let grows = |last: Value<'ir>| -> Option<i128> {
        let (mut pending, mut seen, mut most) = (vec![last], Vec::new(), 0);
        while let Some(here) = pending.pop() {
            if here == value || seen.contains(&here) {
                continue;
            }
            seen.push(here);
            let step = here.as_instruction().filter(|_| seen.len() <= MOST_OPERANDS)?;
            match step.opcode() {
                Opcode::Phi => pending.extend(step.incoming().into_iter().map(|(value, _)| value)),
                Opcode::Select => pending.extend([step.operand(1), step.operand(2)]),
                Opcode::Add if step.wrapping().nsw && step.operand(0) == value => {
                    most = most.max(step.operand(1).as_integer().filter(|by| (0..=LARGEST_STEP).contains(by))?);
                }
                _ => return None,
            }
        }
        seen.contains(&last).then_some(most)
    };
    let (start, step) = grows(b).map(|step| (a, step)).or_else(|| grows(a).map(|step| (b, step)))?;
    (step > 0).then_some((start, step, phi))
}

/// Under which conditions a value is computed once in an instance of the statement; `None` if it may be more often or in other ways.
fn reached<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    statement: &Statement<'ir>,
    value: Value<'ir>,
) -> Option<Vec<(Value<'ir>, bool)>> {
    let Some(home) = value.as_instruction().and_then(|i| i.block()).filter(|_| !affine.is_invariant(value)) else {
        return Some(Vec::new());
    };
    let loops = &drafts.domains.of_block(home).loops;
    let is_around = loops.len() <= statement.scope.loops.len() && *loops == statement.scope.loops[..loops.len()];
    let Some(part) = drafts.domains.opaque_of(home) else {
        let is_before = home == statement.block || affine.analyses.dominates(home, statement.block);
        return (is_around && is_before).then(Vec::new);
    };
    let is_own = matches!(&statement.root, Root::Opaque { part: own, .. } if own.start == part.start);
    if !is_own || affine.analyses.loop_of(home) != affine.analyses.loop_of(part.start) {
        return None;
    }
    let mut conditions = Vec::new();
    let mut here = home;
    while here != part.start {
        let [before] = here.predecessors()[..] else { return None };
        match before.terminator()?.branch()? {
            Branch::If { condition, then, otherwise } if then != otherwise => {
                conditions.push((condition, then == here))
            }
            Branch::If { .. } => return None,
            Branch::Always(_) => {}
        }
        here = before;
    }
    conditions.reverse();
    Some(conditions)
}

/// How a value is computed in an instance of the statement from memory that the region does not write, if it is.
fn read_before<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    statement: &Statement<'ir>,
    value: Value<'ir>,
) -> Option<Computed<'ir>> {
    let mut computed = Computed::default();
    let mut pending = vec![value];
    let mut seen: Vec<Value<'ir>> = Vec::new();
    while let Some(value) = pending.pop() {
        if affine.is_invariant(value) || seen.contains(&value) {
            continue;
        }
        seen.push(value);
        if seen.len() > MOST_OPERANDS {
            return None;
        }
        for condition in reached(affine, drafts, statement, value)? {
            pending.push(condition.0);
            if !computed.conditions.contains(&condition) {
                computed.conditions.push(condition);
            }
        }
        let instruction = value.as_instruction()?;
        let home = drafts.domains.of_block(instruction.block()?);
        let is_number = value.ty().integer_width().is_some_and(|width| (2..=64).contains(&width));
        let number = || affine.at(home).number(value).ok()?.proved(affine).ok();
        if is_number && let Some(number) = number() {
            computed.leaves.insert(value, Leaf::Affine(number.polynomial));
            continue;
        }
        if let Some(access) = instruction.memory().filter(|_| instruction.opcode() == Opcode::Load) {
            let base = drafts.base(access.pointer, instruction.block()?)?;
            let array = drafts.array_at(base, access.ty)?;
            if drafts.arrays[array].is_written {
                return None;
            }
            computed.leaves.insert(value, Leaf::Indirect { array });
            pending.push(access.pointer);
            continue;
        }
        if instruction.is_phi() || !is_copyable(instruction) {
            return None;
        }
        pending.extend(operands(instruction));
    }
    Some(computed)
}
