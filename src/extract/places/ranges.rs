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

use super::compared::Compared;
use super::computed::{reached, read_before};
use super::facts::{Fact, Facts, Side};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::obligations::{Conditional, Obligations};
use crate::extract::numbers::offset::Offset;
use crate::extract::numbers::polynomial::{Atom, Polynomial, UnknownId};
use crate::extract::numbers::scope::Scope;
use crate::extract::ssa::only_name;
use crate::extract::statements::drafts::{Drafts, Statement};
use crate::extract::statements::root::Root;
use crate::llvm::instruction::Address;
use crate::llvm::{Instruction, Value};
use crate::presburger::{DimKind, Set};
use crate::scop::StatementId;
use std::collections::HashMap;

/// More numbers than this in one offset, with those they are compared with, make every set operation slow.
const MOST_NUMBERS: usize = 5;

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
    known: HashMap<(StatementId, Instruction<'ir>), Ranged>,
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
        let all: Vec<_> = drafts.statements.entries().map(|(at, s)| (at, s, indirect(s))).collect();
        if all.iter().all(|(_, _, accesses)| accesses.is_empty()) {
            return ranges;
        }
        let compared = Compared::of(affine);
        for (at, statement, accesses) in all {
            for access in accesses {
                if let Some(ranged) = ranged(affine, drafts, assumptions, &compared, statement, access) {
                    ranges.known.insert((at, access), ranged);
                }
            }
        }
        ranges
    }

    pub fn get(&self, statement: StatementId, access: Instruction<'ir>) -> Option<&Ranged> {
        self.known.get(&(statement, access))
    }
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
    compared: &Compared<'ir>,
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
    let mut unknowns: Vec<UnknownId> = Vec::new();
    let note = |polynomial: &Polynomial, unknowns: &mut Vec<UnknownId>| {
        for atom in polynomial.atoms() {
            if let Atom::Unknown(at) = atom
                && !unknowns.contains(&at)
            {
                unknowns.push(at);
            }
        }
    };
    note(&offset, &mut unknowns);
    let inner: Vec<UnknownId> = offset.atoms().filter_map(Atom::unknown).collect();
    let asked = Facts { affine, compared, home, scope: own };
    let mut facts: Vec<Fact> = Vec::new();
    let mut next = 0;
    while let Some(&at) = unknowns.get(next).filter(|_| next < MOST_NUMBERS) {
        next += 1;
        if !inner.contains(&at) && reached(affine, drafts, statement, affine.unknown(at).value).is_some() {
            continue;
        }
        for fact in asked.about(at) {
            note(&fact.bound, &mut unknowns);
            facts.push(fact);
        }
    }
    if unknowns.is_empty() || unknowns.len() > MOST_NUMBERS {
        return None;
    }
    for at in &unknowns {
        affine.found_readable(*at, read_before(affine, drafts, statement, affine.unknown(*at).value));
    }
    let scope = scope_of(affine, &statement.scope, unknowns, &facts)?;
    let ends = ends(affine, &offset, &inner, &facts).filter(|_| exact);
    Some(Ranged { offset, exact, scope, ends })
}

/// The loops of a scope and numbers that data gives, with the facts about these.
fn scope_of(affine: &Affine<'_, '_, '_>, around: &Scope, unknowns: Vec<UnknownId>, facts: &[Fact]) -> Option<Scope> {
    let first = around.loops.len();
    let domain = around.domain.insert_dims(DimKind::Out, first, unknowns.len());
    let mut scope = Scope { unknowns, domain, ..around.clone() };
    for at in scope.unknowns.clone() {
        let number = affine.aff(&Polynomial::atom(Atom::Unknown(at)), &scope).ok()?;
        let Interval { low, high } = affine.unknown_interval(at).sensible();
        let mut known = Set::universe(&scope.space());
        if let Some(low) = low {
            known = known.intersect(&number.ge_set(&affine.constant_aff(&scope, low)));
        }
        if let Some(high) = high {
            known = known.intersect(&number.le_set(&affine.constant_aff(&scope, high)));
        }
        for fact in facts.iter().filter(|fact| fact.of == at) {
            let bound = affine.aff(&fact.bound, &scope).ok()?;
            known = known.intersect(&match fact.side {
                Side::AtLeast => number.ge_set(&bound),
                Side::AtMost => number.le_set(&bound),
            });
        }
        scope.domain = scope.domain.intersect(&known);
    }
    Some(scope)
}

/// The offset with each number at its lower and at its upper end, as far as these are known before the loops.
fn ends(
    affine: &Affine<'_, '_, '_>,
    offset: &Polynomial,
    inner: &[UnknownId],
    facts: &[Fact],
) -> Option<(Polynomial, Polynomial)> {
    let is_readable =
        |p: &Polynomial| p.atoms().filter_map(Atom::unknown).all(|at| affine.unknown(at).computed.is_some());
    let (mut low, mut high) = (offset.clone(), offset.clone());
    for at in inner.iter().filter(|at| affine.unknown(**at).computed.is_none()) {
        let factor = offset.terms().find(|(atoms, _)| *atoms == [Atom::Unknown(*at)]).map(|(_, factor)| factor)?;
        let bound = |wanted: Side| {
            let own = facts.iter().filter(|f| f.of == *at && f.side == wanted && is_readable(&f.bound));
            let is_plain = |fact: &&Fact| fact.bound.as_constant().is_some();
            own.clone().find(|fact| !is_plain(fact)).or_else(|| own.clone().next()).map(|fact| fact.bound.clone())
        };
        let (of_low, of_high) = match factor > 0 {
            true => (Side::AtLeast, Side::AtMost),
            false => (Side::AtMost, Side::AtLeast),
        };
        low = low.with(Atom::Unknown(*at), &bound(of_low)?)?;
        high = high.with(Atom::Unknown(*at), &bound(of_high)?)?;
    }
    Some((low, high))
}
