//! Pointers as numbers: how far two of them are apart, and which comes first.
//!
//! ```c
//! for (const double *p = b; p != e; p++) ...
//! ```
//!
//! runs `(e - b) / 8` times. The address of a pointer from before the region is an atom that is expected to cancel: `e - b` becomes `8 q`, with
//! the parameter `q` (see [`Source::Distance`]), where 8 is the unit that the program itself divides the distance by or steps
//! with. That the distance of both, as numbers without a sign, is a multiple of the unit and fits the limits of a parameter is tested
//! before the loops; then `b < e` is `0 < q`. Only what does not cancel is a parameter of its own, [`Source::Address`].

use super::Reading;
use super::operation::Extreme;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::parameters::{ADDRESSES, Source};
use crate::extract::numbers::polynomial::{AddressId, Atom, ParameterId, Polynomial};
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::scev::CountKind;
use crate::llvm::{Instruction, IntPredicate, Opcode, ScevId, ScevKind, Value};
use crate::presburger::{PwAff, Set};

/// Steps of pointers are no longer.
const LARGEST_UNIT: i128 = 1 << 20;

/// Parts of an expression that are looked at for the unit of a distance.
const MOST_PARTS: usize = 200;

type Fallible<T> = Result<T, Reason>;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// The address of a pointer as a number without a sign.
    pub(super) fn address_number(&self, pointer: Value<'ir>, depth: usize) -> Fallible<Number> {
        if pointer == Value::zero(pointer.ty()) {
            return Ok(Number { polynomial: Polynomial::constant(0), exact: true, width: 64 });
        }
        let no = || data_dependent(pointer);
        let scev = self.affine.scev_in(pointer, self.scope).ok_or_else(no)?;
        self.address_of_scev(scev, depth)
    }

    pub(super) fn address_of_scev(&self, scev: ScevId, depth: usize) -> Fallible<Number> {
        let no = || Reason::NonAffineCondition { what: self.affine.analyses.text(scev) };
        if self.affine.analyses.scev_type(scev).is_none_or(|ty| !ty.is_pointer())
            || self.affine.analyses.node(scev).width != 64
        {
            return Err(no());
        }
        let (base, offset) = self.affine.analyses.base_and_offset(scev);
        let base = self.affine.analyses.node(base).value.ok_or_else(no)?;
        if !self.affine.is_invariant(base) {
            return Err(data_dependent(base));
        }
        let offset = self.of_scev(offset, depth + 1)?;
        let start = match base == Value::zero(base.ty()) {
            true => Polynomial::constant(0),
            false => Polynomial::atom(Atom::Address(self.affine.address(base))),
        };
        let polynomial = start.add(&offset.polynomial).ok_or_else(no)?;
        Ok(Number { polynomial, exact: false, width: 64 })
    }

    /// A distance of pointers divided without rest, of values from before the region.
    pub(super) fn exact_quotient(&self, value: Value<'ir>, depth: usize) -> Option<Number> {
        let (dividend, divisor) = exact_division(value.as_instruction()?)?;
        let scev = self.affine.analyses.scev(dividend)?;
        if self.affine.pointers_in(scev).is_empty() {
            return None;
        }
        let quotient = || {
            let number = self.of_scev(scev, depth + 1).ok()?;
            if addresses_in(&number.polynomial).next().is_some() || !self.affine.is_exact(&number) {
                return None;
            }
            Some(Number::exactly(number.polynomial.quotient(divisor)?, number.width))
        };
        self.attempt(|| quotient().ok_or(())).ok()
    }

    /// The points where two pointers compare so.
    pub(super) fn pointer_comparison(
        &self,
        predicate: IntPredicate,
        a: Value<'ir>,
        b: Value<'ir>,
        depth: usize,
    ) -> Fallible<Set> {
        use IntPredicate::*;
        let (x, y) = (self.address_number(a, depth)?, self.address_number(b, depth)?);
        if matches!(predicate, Slt | Sle | Sgt | Sge) {
            return Err(data_dependent(a));
        }
        if !matches!(predicate, Eq | Ne) {
            self.require_no_wrap(&x.polynomial)?;
            self.require_no_wrap(&y.polynomial)?;
        }
        let too_big = || Reason::MayWrap { what: "a distance of pointers".into() };
        let polynomial = self.affine.paired(x.polynomial.subtract(&y.polynomial).ok_or_else(too_big)?)?;
        let apart = self.affine.settled(Number { polynomial, exact: false, width: 64 })?;
        let apart = self.exact_aff(&apart, "a distance of pointers")?;
        let zero = self.constant(0);
        Ok(match predicate {
            Eq => apart.eq_set(&zero),
            Ne => apart.ne_set(&zero),
            Ult => apart.lt_set(&zero),
            Ule => apart.le_set(&zero),
            Ugt => apart.gt_set(&zero),
            _ => apart.ge_set(&zero),
        })
    }

    /// Assumes that an address computed from a pointer is the sum, not only congruent to it.
    pub(super) fn require_no_wrap(&self, polynomial: &Polynomial) -> Fallible<()> {
        let of_addresses: Vec<(AddressId, i128)> = addresses_in(polynomial).collect();
        let is_pointer =
            |polynomial: &Polynomial| of_addresses == [(of_addresses[0].0, 1)] && polynomial.terms().count() == 1;
        if of_addresses.is_empty() || is_pointer(polynomial) {
            return Ok(());
        }
        let number = self.affine.settled(Number { polynomial: polynomial.clone(), exact: false, width: 64 })?;
        let sum = self.exact_aff(&number, "an address")?;
        if self.affine.interval(&number.polynomial).low.is_none_or(|low| low < 0) {
            let is_above = sum.ge_set(&self.constant(0));
            self.require(&is_above, "an address does not wrap around");
        }
        Ok(())
    }

    /// The largest or the smallest of addresses, as the sum of one of the pointers and a distance; `None` if they have no pointer in common.
    pub(super) fn extreme_address(&self, numbers: &[Number], extreme: Extreme) -> Fallible<Option<Number>> {
        let Some((reference, 1)) = numbers.iter().find_map(|number| addresses_in(&number.polynomial).next()) else {
            return Ok(None);
        };
        let start = Polynomial::atom(Atom::Address(reference));
        let too_big = || Reason::MayWrap { what: "a distance of pointers".into() };
        let mut best: Option<PwAff> = None;
        let mut bounds: Option<Interval> = None;
        for number in numbers {
            let apart = self.affine.paired(number.polynomial.subtract(&start).ok_or_else(too_big)?)?;
            if addresses_in(&apart).next().is_some() {
                return Ok(None);
            }
            self.require_no_wrap(&number.polynomial)?;
            let apart = Number { polynomial: apart, exact: false, width: 64 };
            let value = self.exact_aff(&apart, "a distance of pointers")?;
            let here = self.affine.interval(&apart.polynomial);
            best = Some(match &best {
                None => value,
                Some(best) if extreme == Extreme::Greatest => best.max(&value),
                Some(best) => best.min(&value),
            });
            bounds = Some(bounds.map_or(here, |all| all.hull(here)));
        }
        let (Some(best), Some(bounds)) = (best, bounds) else { return Ok(None) };
        let apart = self.quasi(best, bounds, 64);
        let polynomial = start.add(&apart.polynomial).ok_or_else(too_big)?;
        Ok(Some(Number { polynomial, exact: false, width: 64 }))
    }
}

impl<'ir> Affine<'_, '_, 'ir> {
    fn address(&self, pointer: Value<'ir>) -> AddressId {
        let mut addresses = self.addresses.borrow_mut();
        let known = addresses.id_where(|known| *known == pointer);
        known.unwrap_or_else(|| addresses.push(pointer))
    }

    /// The parameter that an address is.
    pub(in crate::extract::numbers) fn address_parameter(&self, at: AddressId) -> Fallible<ParameterId> {
        let pointer = self.addresses.borrow()[at];
        let name = pointer.source_name().map(|name| format!("address_of_{name}"));
        self.parameter(Source::Address(pointer), name, Interval::signed(64))
    }

    /// Whether the distance of two pointers is part of the polynomial.
    pub(super) fn is_distance(&self, polynomial: &Polynomial) -> bool {
        let parameters = self.parameters();
        let is_one =
            |atom| matches!(atom, Atom::Parameter(at) if matches!(parameters[at].source, Source::Distance { .. }));
        polynomial.atoms().any(is_one)
    }

    pub(in crate::extract::numbers) fn address_interval(&self, at: AddressId) -> Interval {
        let source = Source::Address(self.addresses.borrow()[at]);
        match self.has_parameter(&source) {
            true => ADDRESSES,
            false => Interval::new(0, (1 << 64) - 1),
        }
    }

    /// The number with parameters for all addresses in it.
    pub(super) fn settled(&self, number: Number) -> Fallible<Number> {
        let addresses: Vec<AddressId> = addresses_in(&number.polynomial).map(|(at, _)| at).collect();
        let mut polynomial = number.polynomial;
        for at in addresses {
            let parameter = Polynomial::atom(Atom::Parameter(self.address_parameter(at)?));
            let product = || Reason::NonAffineCondition { what: "a product with an address".into() };
            polynomial = polynomial.with(Atom::Address(at), &parameter).ok_or_else(product)?;
        }
        Ok(Number { polynomial, ..number })
    }

    /// The polynomial with distances for pairs of addresses of which one is subtracted.
    pub(super) fn paired(&self, polynomial: Polynomial) -> Fallible<Polynomial> {
        let mut polynomial = polynomial;
        loop {
            let find = |sign: i128| addresses_in(&polynomial).find(|(_, factor)| factor.signum() == sign);
            let (Some((to, plus)), Some((from, minus))) = (find(1), find(-1)) else { return Ok(polynomial) };
            let times = plus.min(-minus);
            let too_big = || Reason::MayWrap { what: "a distance of pointers".into() };
            let apart = Polynomial::atom(Atom::Address(to)).subtract(&Polynomial::atom(Atom::Address(from)));
            let without = apart.and_then(|apart| apart.scale(times)).and_then(|apart| polynomial.subtract(&apart));
            let distance = self.distance(to, from)?.scale(times);
            let sum = without.and_then(|rest| rest.add(&distance?));
            polynomial = sum.ok_or_else(too_big)?;
        }
    }

    /// The bytes from one pointer to another: a multiple of a parameter.
    fn distance(&self, to: AddressId, from: AddressId) -> Fallible<Polynomial> {
        let (to, from) = (self.addresses.borrow()[to], self.addresses.borrow()[from]);
        let unit = self.unit(to, from);
        let times = |at: ParameterId, factor: i128| {
            let parameter = Polynomial::atom(Atom::Parameter(at));
            parameter.scale(factor).ok_or(Reason::MayWrap { what: "a distance of pointers".into() })
        };
        let reverse = Source::Distance { from: to, to: from, unit };
        if self.has_parameter(&reverse) {
            return times(self.parameter(reverse, None, Interval::signed(64))?, -unit);
        }
        let name = to.source_name().zip(from.source_name()).map(|(to, from)| format!("{to}_minus_{from}"));
        times(self.parameter(Source::Distance { from, to, unit }, name, Interval::signed(64))?, unit)
    }

    /// The greatest number of bytes that everything is a multiple of by which the function divides the distance of two pointers without rest.
    fn unit(&self, x: Value<'ir>, y: Value<'ir>) -> i128 {
        let are_both = |found: &[Value<'ir>]| found.contains(&x) && found.contains(&y);
        let mut unit = 0;
        for instruction in self.analyses.function().instructions() {
            if let Some((dividend, divisor)) = exact_division(instruction)
                && let Some(scev) = self.analyses.scev(dividend)
                && are_both(&self.pointers_in(scev))
            {
                unit = gcd(unit, divisor);
            }
        }
        for this in self.analyses.loops() {
            let Some(count) = self.analyses.backedges(this.id, CountKind::Exact) else { continue };
            for part in self.parts(count) {
                let node = self.analyses.node(part);
                if node.kind == ScevKind::UDiv
                    && let Some(divisor) = self.analyses.node(node.operands[1]).constant
                    && are_both(&self.pointers_in(node.operands[0]))
                {
                    unit = gcd(unit, divisor);
                }
            }
        }
        if (1..=LARGEST_UNIT).contains(&unit) { unit } else { 1 }
    }

    /// Subexpressions, the expression itself first.
    fn parts(&self, scev: ScevId) -> Vec<ScevId> {
        let mut found = vec![scev];
        let mut next = 0;
        while next < found.len() && found.len() < MOST_PARTS {
            let operands = self.analyses.node(found[next]).operands.clone();
            for operand in operands {
                if !found.contains(&operand) {
                    found.push(operand);
                }
            }
            next += 1;
        }
        found
    }

    /// The pointers of which an expression uses the address.
    fn pointers_in(&self, scev: ScevId) -> Vec<Value<'ir>> {
        let parts = self.parts(scev).into_iter().map(|part| self.analyses.node(part));
        let operands = parts.filter(|node| node.kind == ScevKind::PtrToInt).map(|node| node.operands[0]);
        operands.filter_map(|pointer| self.analyses.node(pointer).value).collect()
    }
}

/// Addresses in a polynomial by themselves, with their factors.
fn addresses_in(polynomial: &Polynomial) -> impl Iterator<Item = (AddressId, i128)> {
    polynomial.terms().filter_map(|(atoms, factor)| match atoms {
        [Atom::Address(at)] => Some((*at, factor)),
        _ => None,
    })
}

/// Dividend and divisor of a division by a constant of which the program says that nothing remains.
fn exact_division<'ir>(instruction: Instruction<'ir>) -> Option<(Value<'ir>, i128)> {
    let is_exact = || instruction.wrapping().exact;
    let by = || instruction.operand(1).as_integer();
    let divisor = match instruction.opcode() {
        Opcode::SDiv if is_exact() => by().filter(|by| *by > 0),
        Opcode::AShr if is_exact() => by().filter(|by| (0..32).contains(by)).map(|by| 1 << by),
        _ => None,
    }?;
    Some((instruction.operand(0), divisor))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
