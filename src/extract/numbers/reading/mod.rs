//! From values of LLVM to integers of mathematics.
//!
//! A [`Reading`] is one look at values from one place. For
//!
//!     %x = add i32 %i, %n
//!     %c = icmp slt i32 %x, 100
//!
//! `affine.at(scope).condition(c)?` is the set `{ [i] : i + n < 100 }`, under the obligation that `i + n` fits 32 bits for all points of the
//! scope. Integer divisions and remainders by constants, masks, minima, maxima and selects become piecewise quasi-affine atoms.
//! What does not change during the region and is not affine becomes a parameter of its own. What depends on data is an `Err`, or has a name where
//! names are asked for ([`Reading::naming`], see [`crate::extract::numbers::unknown`]).

mod around;
mod choice;
mod condition;
mod extremes;
mod joined;
mod limits;
mod naming;
mod narrow;
mod operation;
mod pointers;
mod recurrence;
mod remainder;
mod steps;
mod wraparound;

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::obligations::{Conditional, Obligation, Obligations};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::instruction::Address;
use crate::llvm::scev::CountKind;
use crate::llvm::{LoopId, ScevId, ScevKind, Value};
use crate::presburger::budget::spend;
use crate::presburger::{PwAff, Set, Space};
use limits::Limited;
use std::cell::{Cell, RefCell};

/// Operands of operands are followed so deep; beyond, a value counts as not affine.
pub(super) const DEEPEST_EXPRESSION: usize = 64;

/// Work units for reading one operand: LLVM's analyses are asked, which takes as long as some ten rows of numbers.
pub(super) const READING: u64 = 30;

type Fallible<T> = Result<T, Reason>;

/// What becomes of a value that cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// It has no number.
    Refused,
    /// It has a name, as a number that data gives.
    Named,
}

/// One look from one place; see the file's header.
pub struct Reading<'r, 's, 'a, 'ir> {
    pub(super) affine: &'r Affine<'s, 'a, 'ir>,
    pub(super) scope: &'r Scope,
    pub(super) closed: Closed,
    /// The bytes that what is read is multiplied by, if it is an index.
    unit: Cell<i128>,
    /// The phis whose values one step before are being read.
    opened: Vec<Value<'ir>>,
    /// What was taken for granted so far.
    obligations: RefCell<Obligations>,
}

impl<'s, 'a, 'ir> Affine<'s, 'a, 'ir> {
    /// A look at values from the scope.
    pub fn at<'r>(&'r self, scope: &'r Scope) -> Reading<'r, 's, 'a, 'ir> {
        Reading {
            affine: self,
            scope,
            closed: Closed::Refused,
            unit: Cell::new(1),
            opened: Vec::new(),
            obligations: RefCell::default(),
        }
    }

    /// Bounds of the number of an iteration of a loop that is entered. Where it is, [`Reading::backedges`] was accepted: a wide count is its
    /// polynomial then, and a narrow one may have wrapped around.
    pub fn iteration_interval(&self, id: LoopId) -> Interval {
        if let Some(known) = self.trip.borrow().get(&id) {
            return *known;
        }
        let maximum = self.analyses.backedges(id, CountKind::ConstantMaximum);
        let constant = maximum.and_then(|scev| self.analyses.unsigned_range(scev)).map(|range| range.high);
        let mut high = constant.unwrap_or(i128::from(u64::MAX));
        if let Some(count) = self.analyses.backedges(id, CountKind::Exact) {
            let loops = self.loops_around(id);
            let domain = Set::universe(&Space::alloc_set(&[], None, loops.len()));
            let number = self.at(&Scope::new(loops, domain)).of_scev(count, 0);
            let bounds = |number: Number| match narrow::is_narrow(number.width) && !self.is_exact(&number) {
                true => Interval::signed(number.width),
                false => self.count_interval(&number),
            };
            if let Some(bound) = number.ok().and_then(|number| bounds(number).high) {
                high = high.min(bound.max(0));
            }
        } else if let Some(limited) = Limited::of(self.analyses, id) {
            high = high.min(limited.most());
        }
        let interval = Interval::new(0, high);
        self.trip.borrow_mut().insert(id, interval);
        interval
    }
}

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// The same, where polynomials name what they cannot open.
    pub fn naming(self) -> Self {
        Reading { closed: Closed::Named, ..self }
    }

    /// The value as a polynomial.
    ///
    /// # Errors
    /// For what depends on data, and for what is too large.
    pub fn number(self, value: Value<'ir>) -> Fallible<Conditional<Number>> {
        let number = self.settled_value(value)?;
        Ok(self.conditional(number))
    }

    /// The expression as a polynomial.
    ///
    /// # Errors
    /// As [`Reading::number`].
    pub fn number_of_scev(self, scev: ScevId) -> Fallible<Conditional<Number>> {
        let number = self.of_scev(scev, 0).and_then(|number| self.affine.settled(number))?;
        Ok(self.conditional(number))
    }

    /// An index of an address: exact where a narrower type would show a wrap, modulo 2^64 where the address itself is computed so.
    ///
    /// # Errors
    /// As [`Reading::number`].
    pub fn number_for_address(self, value: Value<'ir>) -> Fallible<Conditional<Number>> {
        let number = self.index(value)?;
        Ok(self.conditional(number))
    }

    /// The bytes that an address computation adds, exact if its indices are.
    ///
    /// # Errors
    /// If an index has no number, or the sum is too large.
    pub fn bytes(self, address: &Address<'ir>) -> Fallible<Conditional<Number>> {
        let number = self.bytes_of(address)?;
        Ok(self.conditional(number))
    }

    /// The points of the scope's space where the one-bit value is true.
    ///
    /// # Errors
    /// As [`Reading::number`].
    pub fn condition(self, value: Value<'ir>) -> Fallible<Conditional<Set>> {
        let points = self.condition_at(value, 0)?;
        Ok(self.conditional(points))
    }

    /// Times the loop goes back, as an affine expression in the scope of its preheader.
    ///
    /// # Errors
    /// If that is not known before the loop starts.
    pub fn backedges(self, id: LoopId) -> Fallible<Conditional<PwAff>> {
        let Some(count) = self.affine.analyses.backedges(id, CountKind::Exact) else {
            let value = self.up_to_limit(id)?;
            return Ok(self.conditional(value));
        };
        let Ok(number) = self.attempt(|| self.of_scev(count, 0)) else {
            // LLVM divides by the step, which is at least 1 as loops end and counters do not wrap around.
            let ends_once = self.affine.analyses.loop_(id).has_single_exit();
            let value = if ends_once { self.up_to_limit(id)? } else { return Err(Reason::UnknownTripCount) };
            return Ok(self.conditional(value));
        };
        let value = self.count_aff(&number)?;
        let value = self.possible(value, count);
        let value = match self.whole_parts(count)? {
            Some(wanted) => value.intersect_domain(&wanted),
            None => value,
        };
        let nonnegative = value.ge_set(&self.constant(0));
        self.require(&nonnegative, "the number of iterations of a loop is below 2^63");
        Ok(self.conditional(value))
    }

    fn conditional<T>(self, value: T) -> Conditional<T> {
        Conditional::new(value, self.obligations.into_inner())
    }

    /// Takes for granted that all points of the scope are in `wanted`.
    pub(super) fn require(&self, wanted: &Set, why: &str) {
        let obligation = Obligation { scope: self.scope.clone(), wanted: wanted.clone(), why: why.to_string() };
        self.obligations.borrow_mut().add(obligation);
    }

    /// What `read` gives. One way of reading a value may fail where another one does not: who gave up owes nothing for it.
    pub(super) fn attempt<T, E>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let before = self.obligations.borrow().count();
        let result = read();
        if result.is_err() {
            self.obligations.borrow_mut().keep_first(before);
        }
        result
    }

    pub(super) fn aff(&self, polynomial: &Polynomial) -> Fallible<PwAff> {
        self.affine.aff(polynomial, self.scope)
    }

    pub(super) fn constant(&self, value: i128) -> PwAff {
        self.affine.constant_aff(self.scope, value)
    }

    pub(super) fn quasi(&self, value: PwAff, interval: Interval, width: u32) -> Number {
        self.affine.quasi(value, interval, width, self.scope)
    }

    fn settled_value(&self, value: Value<'ir>) -> Fallible<Number> {
        self.of_value(value, 0).and_then(|number| self.affine.settled(number))
    }

    fn index(&self, value: Value<'ir>) -> Fallible<Number> {
        let number = self.settled_value(value)?;
        match number.width {
            64 => Ok(Number { exact: self.affine.is_exact(&number), ..number }),
            _ => self.exact(number, "an index"),
        }
    }

    fn bytes_of(&self, address: &Address<'ir>) -> Fallible<Number> {
        let layout = self.affine.region.entry.function().layout();
        let too_big = || Reason::MayWrap { what: "an address".into() };
        let mut sum = Polynomial::default();
        let mut exact = true;
        let mut ty = address.element;
        for (at, index) in address.indices.iter().enumerate() {
            if at > 0 && !ty.fields().is_empty() {
                let field = index.as_integer().and_then(|f| u32::try_from(f).ok()).ok_or_else(too_big)?;
                sum = sum.add(&Polynomial::constant(i128::from(layout.field_offset(ty, field)))).ok_or_else(too_big)?;
                ty = ty.fields()[field as usize];
                continue;
            }
            if at > 0 {
                ty = ty.element().ok_or_else(|| Reason::UnsupportedType { what: ty.to_string() })?;
            }
            let bytes = i128::from(layout.alloc_size(ty));
            self.unit.set(bytes);
            let number = self.index(*index)?;
            sum = number.polynomial.scale(bytes).and_then(|bytes| sum.add(&bytes)).ok_or_else(too_big)?;
            exact &= number.exact;
        }
        Ok(Number { polynomial: sum, exact, width: 64 })
    }

    pub(super) fn of_value(&self, value: Value<'ir>, depth: usize) -> Fallible<Number> {
        spend(READING);
        let Some(width) = value.ty().integer_width().filter(|width| *width <= 64) else {
            return Err(Reason::UnsupportedType { what: value.ty().to_string() });
        };
        if depth > DEEPEST_EXPRESSION {
            return Err(Reason::NonAffineCondition { what: "a very deep expression".into() });
        }
        if let Some(constant) = value.as_integer() {
            return Ok(Number::constant(constant, width));
        }
        if value.is_undefined() {
            return Err(Reason::UnsupportedInstruction { what: "an undefined value".into() });
        }
        if self.affine.is_invariant(value) {
            return self.of_invariant(value, width, depth);
        }
        let instruction = value.as_instruction().ok_or_else(|| data_dependent(value))?;
        if self.closed == Closed::Named {
            return self.named_unless_known(instruction, width, depth);
        }
        let key = (value, self.scope.loops.last().copied());
        if let Some((above, reason)) = self.affine.hopeless.borrow().get(&key)
            && *above <= depth
        {
            return Err(reason.clone());
        }
        let number = self.attempt(|| self.of_instruction(instruction, width, depth)).or_else(|reason| {
            let scev = self.affine.scev_in(value, self.scope);
            let known = scev.filter(|scev| self.affine.analyses.node(*scev).kind != ScevKind::Unknown);
            known.map_or(Err(reason.clone()), |scev| self.of_scev(scev, depth + 1)).map_err(|_| reason)
        });
        if let Err(reason @ Reason::NonAffineCondition { .. }) = &number {
            self.affine.hopeless.borrow_mut().insert(key, (depth, reason.clone()));
        }
        number
    }

    /// A value from before the region: opened up while it stays linear, so that `n - 1` and `n` share a parameter.
    fn of_invariant(&self, value: Value<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        if let Some(scev) = self.affine.analyses.scev(value) {
            let node = self.affine.analyses.node(scev);
            let linear = matches!(
                node.kind,
                ScevKind::Add
                    | ScevKind::ZeroExtend
                    | ScevKind::SignExtend
                    | ScevKind::Constant
                    | ScevKind::Mul
                    | ScevKind::PtrToInt
            );
            let is_known = |number: &Number| {
                number.polynomial.atoms().any(|atom| matches!(atom, Atom::Address(_)))
                    || self.affine.is_exact(number)
                    || node.kind == ScevKind::Add && self.is_shared_sum(number)
            };
            let open = || self.of_scev(scev, depth + 1).ok().filter(is_known).ok_or(());
            if linear
                && depth < DEEPEST_EXPRESSION / 2
                && let Ok(number) = self.attempt(open)
            {
                return Ok(number);
            }
        }
        if let Some(number) = self.exact_quotient(value, depth) {
            return Ok(number);
        }
        Ok(Number::exactly(self.affine.value_parameter(value)?, width))
    }

    /// Whether a sum that may wrap around is opened all the same: `n - 1` for an unsigned `n`, of which guards of loops and their numbers of iterations speak in
    /// different ways. As a parameter of its own, nothing would be known of one from the other.
    fn is_shared_sum(&self, number: &Number) -> bool {
        !narrow::is_narrow(number.width) && number.polynomial.is_affine()
    }
}
