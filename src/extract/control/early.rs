//! Loops that are not left in the middle.
//!
//! In
//!
//!     for (i = 0; i < n; i++) { if (i >= length) panic(); x[i] = 0; }
//!
//! the panic is outside of the region. The store runs for `{ [i] : 0 <= i < n }` if no iteration leaves the loop there, which is an obligation on all
//! points of the block that asks: `i < length`. The new loops then have no such test, and the program's own loops panic where they did.
//!
//! That this is no circle, although what is known of values may hold only as far as the loops come, is seen by induction along the program's order:
//! if all instances before one ran and none left, that one runs, has the values that the model says, and by the obligation does not leave either.
//!
//! A subscript `n * i + j` is compared with a length where it is largest: in a polynomial whose iterators have coefficients that are known not to change
//! sign, each iterator is at one end of its loop there, the innermost first. So `n * i + j < length` for all `i < n`, `j < n` if `n * n <= length`.
//!
//! Implements: 001 while, control-flow

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::obligations::{Conditional, Obligation, Obligations};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, IntPredicate, LoopId, Opcode, Value};
use crate::presburger::int::Number;
use crate::presburger::{DimKind, PwAff, Set};
use std::collections::HashMap;

/// A condition that is to hold, or not to.
#[derive(Clone, Copy)]
struct Part<'ir> {
    condition: Value<'ir>,
    holds: bool,
}

/// What a comparison asks of two numbers, so that the loops go on.
struct Wanted<'ir> {
    small: Value<'ir>,
    large: Value<'ir>,
    /// So much the large one is at least above the small one.
    distance: i128,
    is_unsigned: bool,
}

/// Takes it for granted that no point of the block's scope leaves the region in the middle.
pub(super) fn stays_inside<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    assumptions: &mut Assumptions,
    block: Block<'ir>,
    scope: &Scope,
    counts: &Counts,
) -> Result<(), Refusal<'ir>> {
    let Some(terminator) = block.terminator() else { return Ok(()) };
    let Some(Branch::If { condition, then, otherwise }) = terminator.branch() else { return Ok(()) };
    let leaves = |next: Block<'ir>| affine.region.is_left_early(block, next);
    let goes_on_if = match (leaves(then), leaves(otherwise)) {
        (false, false) => return Ok(()),
        (then, _) => !then,
    };
    let refuse = |reason| Refusal::at(terminator.place(), reason).decided_by(Some(condition));
    let several = || {
        let analyses = affine.analyses;
        let left =
            analyses.loop_of(block).map(|id| Refusal::of_loop(analyses, analyses.loop_(id), Reason::SeveralExits));
        left.filter(|left| left.reason != Reason::SeveralExits).unwrap_or_else(|| refuse(Reason::SeveralExits))
    };
    if leaves(then) && leaves(otherwise) {
        return Err(several());
    }
    let mut wanted = scope.domain.clone();
    for part in parts(Part { condition, holds: goes_on_if }) {
        let ends = Ends { affine, scope, counts };
        let (points, are_wanted) = match affine.at(scope).condition(part.condition) {
            Ok(points) => (points, part.holds),
            Err(_) => (compared(part).and_then(|wanted| ends.hold(&wanted)).ok_or_else(several)?, true),
        };
        let points = assumptions.accept(affine, points).map_err(|_| several())?;
        wanted = if are_wanted { wanted.intersect(&points) } else { wanted.subtract(&points) };
    }
    let why = match terminator.place() {
        Some(place) => format!("no iteration leaves the loops at line {}", place.line()),
        None => "no iteration leaves the loops in the middle".to_string(),
    };
    let mut owed = Obligations::none();
    owed.add(Obligation { scope: scope.clone(), wanted, why });
    assumptions.accept(affine, Conditional::new((), owed)).map_err(refuse)
}

/// The parts of which each has to hold, or not, for the whole to do.
fn parts<'ir>(whole: Part<'ir>) -> Vec<Part<'ir>> {
    let (mut found, mut pending) = (Vec::new(), vec![whole]);
    while let Some(part) = pending.pop() {
        let with = |condition: &Value<'ir>| Part { condition: *condition, ..part };
        let is_true = |value: &Value<'ir>| value.as_integer().is_some_and(|value| value != 0);
        let is_false = |value: &Value<'ir>| value.as_integer() == Some(0);
        let operation = part.condition.as_instruction().map(|i| (i.opcode(), i.operands()));
        let (opcode, operands) = operation.map_or((None, Vec::new()), |(opcode, operands)| (Some(opcode), operands));
        match (opcode, operands.as_slice(), part.holds) {
            (Some(Opcode::And), [a, b], true) | (Some(Opcode::Or), [a, b], false) => pending.extend([with(b), with(a)]),
            (Some(Opcode::Select), [a, b, c], true) if is_false(c) => pending.extend([with(b), with(a)]),
            (Some(Opcode::Select), [a, b, c], false) if is_true(b) => pending.extend([with(c), with(a)]),
            (Some(Opcode::Xor), [a, b], holds) if is_true(b) => pending.push(Part { condition: *a, holds: !holds }),
            _ => found.push(part),
        }
    }
    found
}

/// The comparison, if it says of two numbers that one is smaller when it is as it should be.
fn compared(part: Part<'_>) -> Option<Wanted<'_>> {
    use IntPredicate::*;
    let (predicate, a, b) = part.condition.as_instruction()?.icmp()?;
    let is_unsigned = matches!(predicate, Ult | Ule | Ugt | Uge);
    let is_number = |value: Value<'_>| value.ty().integer_width().is_some_and(|width| (2..=64).contains(&width));
    let wanted = |small, large, distance| Wanted { small, large, distance, is_unsigned };
    let found = match (predicate, part.holds) {
        (Slt | Ult, true) | (Sge | Uge, false) => wanted(a, b, 1),
        (Sle | Ule, true) | (Sgt | Ugt, false) => wanted(a, b, 0),
        (Sgt | Ugt, true) | (Sle | Ule, false) => wanted(b, a, 1),
        (Sge | Uge, true) | (Slt | Ult, false) => wanted(b, a, 0),
        (Eq | Ne, _) => return None,
    };
    (is_number(a) && is_number(b)).then_some(found)
}

/// For each loop the scope of its preheader, and how often it goes back, as was accepted.
pub(super) type Counts = HashMap<LoopId, (Scope, PwAff)>;

/// Where polynomials over the iterators of a scope are least.
struct Ends<'e, 's, 'a, 'ir> {
    affine: &'e Affine<'s, 'a, 'ir>,
    scope: &'e Scope,
    counts: &'e Counts,
}

impl<'ir> Ends<'_, '_, '_, 'ir> {
    /// The points of the scope, for some parameters all of them and for others none, where what is wanted holds for certain: the difference is large
    /// enough where it is least.
    fn hold(&self, wanted: &Wanted<'ir>) -> Option<Conditional<Set>> {
        let (affine, scope) = (self.affine, self.scope);
        let mut owed = Obligations::none();
        let small = owed.take_over(affine.at(scope).number(wanted.small).ok()?);
        let large = owed.take_over(affine.at(scope).number(wanted.large).ok()?);
        if !affine.is_exact(&large) {
            return None;
        }
        let distance = large.polynomial.subtract(&small.polynomial)?;
        let mut nonnegative = vec![distance.subtract(&Polynomial::constant(wanted.distance))?];
        // A small number that is not negative and not above the large one has no more bits than that one, and is its polynomial.
        if wanted.is_unsigned || !affine.is_exact(&small) {
            nonnegative.push(small.polynomial);
        }
        let mut all = scope.domain.clone();
        for polynomial in nonnegative {
            let least = self.least(polynomial, &mut owed)?;
            let least = affine.with_products(scope, &least, &mut owed).ok()?;
            all = all.intersect(&least.ge_set(&affine.constant_aff(scope, 0)));
        }
        Some(Conditional::new(all, owed))
    }

    /// What the polynomial is at least at all points of the scope, as one over parameters.
    fn least(&self, polynomial: Polynomial, owed: &mut Obligations) -> Option<Polynomial> {
        let mut least = polynomial;
        for (depth, id) in self.scope.loops.iter().enumerate().rev() {
            let (factor, rest) = split(&least, Atom::Iterator(*id))?;
            least = match self.grows(&factor, owed)? {
                true => rest,
                false => rest.add(&factor.multiply(&self.last_iteration(depth)?)?)?,
            };
        }
        let is_known = least.atoms().all(Atom::is_constant);
        is_known.then_some(least)
    }

    /// Whether a factor is never negative, or else never positive, at the points of the scope: known, or owed of one that is affine.
    fn grows(&self, factor: &Polynomial, owed: &mut Obligations) -> Option<bool> {
        let is_nonnegative = |polynomial: &Polynomial| self.affine.interval(polynomial).is_nonnegative();
        let opposite = factor.scale(-1)?;
        if is_nonnegative(factor) || is_nonnegative(&opposite) {
            return Some(is_nonnegative(factor));
        }
        let is_up = factor.terms().all(|(_, number)| number > 0);
        let size = if is_up { factor } else { &opposite };
        if !size.is_affine() || !size.atoms().all(Atom::is_constant) {
            return None;
        }
        let size = self.affine.aff(size, self.scope).ok()?;
        let wanted = size.ge_set(&self.affine.constant_aff(self.scope, 0));
        owed.add(Obligation { scope: self.scope.clone(), wanted, why: "no row has a negative length".to_string() });
        Some(is_up)
    }

    /// The number of the last iteration of the scope's loop at this depth, over parameters and the loops around it.
    fn last_iteration(&self, depth: usize) -> Option<Polynomial> {
        let (outside, count) = self.counts.get(&self.scope.loops[depth])?;
        if !outside.unknowns.is_empty() || !self.scope.unknowns.is_empty() {
            return None;
        }
        let inner = self.scope.loops.len() - depth;
        let entered =
            self.scope.domain.project_out(DimKind::Out, depth, inner).intersect_params(&self.affine.context());
        let cases = count.intersect_domain(&entered);
        let mut cases = cases.pieces().iter().filter(|(points, _)| !points.is_empty()).map(|(_, last)| last);
        let last = cases.next()?;
        if cases.any(|other| !other.plain_is_equal(last)) {
            return None;
        }
        if last.n_div() > 0 || !last.denominator().is_one() {
            return None;
        }
        let mut sum = Polynomial::constant(i128::from(last.constant_value().as_i64()?));
        for (at, parameter) in self.affine.parameters().entries() {
            let factor = last
                .domain_space()
                .find_param(parameter.id.as_str())
                .map_or(Some(0), |place| last.coefficient(DimKind::Param, place).as_i64())?;
            sum = sum.add(&Polynomial::atom(Atom::Parameter(at)).scale(i128::from(factor))?)?;
        }
        for (place, id) in self.scope.loops[..depth].iter().enumerate() {
            let factor = last.coefficient(DimKind::Out, place).as_i64()?;
            sum = sum.add(&Polynomial::atom(Atom::Iterator(*id)).scale(i128::from(factor))?)?;
        }
        Some(sum)
    }
}

/// The factor of an atom, and what is left; none if the atom is multiplied by itself.
fn split(polynomial: &Polynomial, atom: Atom) -> Option<(Polynomial, Polynomial)> {
    let (mut factor, mut rest) = (Polynomial::constant(0), Polynomial::constant(0));
    for (atoms, number) in polynomial.terms() {
        let others: Vec<Atom> = atoms.iter().copied().filter(|other| *other != atom).collect();
        let product = Polynomial::constant(number);
        let product = others.iter().try_fold(product, |product, other| product.multiply(&Polynomial::atom(*other)))?;
        match atoms.len() - others.len() {
            0 => rest = rest.add(&product)?,
            1 => factor = factor.add(&product)?,
            _ => return None,
        }
    }
    Some((factor, rest))
}
