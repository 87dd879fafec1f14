//! Names in polynomials for what cannot be opened.
//!
//! In `A[i][j]` with a `j` of which nobody knows how far it goes, the offset is `512 i + 8 u0`, where `u0` is the name of `j`: see [`crate::extract::numbers::unknown`].
//! The same value has the same name everywhere in the region.

use super::Reading;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::index::bounds_of_index;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::polynomial::{Atom, Polynomial, UnknownId};
use crate::extract::numbers::unknown::{Computed, Unknown};
use crate::extract::refusal::Reason;
use crate::llvm::{Instruction, Opcode, Signedness, Value};

impl<'ir> Affine<'_, '_, 'ir> {
    pub(in crate::extract) fn unknown(&self, at: UnknownId) -> Unknown<'ir> {
        self.unknowns.borrow()[at].clone()
    }

    pub(in crate::extract) fn unknown_interval(&self, at: UnknownId) -> Interval {
        self.unknowns.borrow()[at].interval
    }

    /// Says how a number is computed before the loops.
    pub(in crate::extract) fn found_readable(&self, at: UnknownId, computed: Option<Computed<'ir>>) {
        self.unknowns.borrow_mut()[at].computed = computed;
    }

    pub(in crate::extract) fn name(&self, value: Value<'ir>, signedness: Signedness, width: u32) -> Number {
        let known = self.unknowns.borrow().id_where(|u| u.value == value && u.signedness == signedness);
        let at = known.unwrap_or_else(|| {
            let own = value.ty().integer_width().unwrap_or(width);
            let scev = self.analyses.scev(value);
            let range = scev.and_then(|scev| match signedness {
                Signedness::Unsigned => self.analyses.unsigned_range(scev),
                Signedness::Signed => self.analyses.signed_range(scev),
            });
            let all = match signedness {
                Signedness::Unsigned => Interval::new(0, (1 << own) - 1),
                Signedness::Signed => Interval::signed(own),
            };
            let interval = range.map_or(all, |r| Interval::new(r.low, r.high).intersect(all));
            let bounds = bounds_of_index(value);
            let interval = match signedness {
                Signedness::Unsigned => interval,
                Signedness::Signed => interval.intersect(bounds),
            };
            self.unknowns.borrow_mut().push(Unknown { value, signedness, interval, computed: None })
        });
        Number { polynomial: Polynomial::atom(Atom::Unknown(at)), exact: true, width }
    }
}

type Fallible<T> = Result<T, Reason>;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// The instruction's value where it can be opened, else a name for it.
    pub(super) fn named_unless_known(
        &self,
        instruction: Instruction<'ir>,
        width: u32,
        depth: usize,
    ) -> Fallible<Number> {
        let home = instruction.block().and_then(|block| self.affine.analyses.loop_of(block));
        let is_inside =
            home != self.affine.place(self.scope) && !home.is_some_and(|home| self.scope.loops.contains(&home));
        let opened = match instruction.is_phi() && is_inside {
            true => None,
            false => self.attempt(|| self.of_instruction(instruction, width, depth)).ok(),
        };
        let operand = || instruction.operand(0);
        let is_extension = instruction.opcode() == Opcode::ZExt && operand().ty().integer_width() != Some(1);
        Ok(opened.unwrap_or_else(|| match is_extension && !self.affine.is_invariant(operand()) {
            true => self.affine.name(operand(), Signedness::Unsigned, width),
            false => self.affine.name(instruction.value(), Signedness::Signed, width),
        }))
    }

    /// The value behind an expression of LLVM that says no more than that.
    pub(super) fn named_scev(&self, value: Value<'ir>, depth: usize) -> Fallible<Number> {
        let width = value.ty().integer_width().unwrap_or(0);
        let instruction = value.as_instruction().filter(|_| (2..=64).contains(&width));
        let instruction = instruction.ok_or(Reason::NonAffineCondition { what: "a value from elsewhere".into() })?;
        match instruction.is_phi() {
            true => Ok(self.affine.name(value, Signedness::Signed, width)),
            false => self.named_unless_known(instruction, width, depth + 1),
        }
    }
}
