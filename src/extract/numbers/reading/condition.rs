//! Conditions as sets of points.
//!
//! In a loop with the counter `i`, `%c = icmp slt i32 %i, %n` is true for `{ [i] : i < n }`. The comparison is of values, so both sides have to be
//! exact. Of a comparison without a sign, as of `size_t`, that is so where both sides are known not to be negative; else the smaller side may
//! be any number, and the larger one is expected to be below half the range of its type. A truth that was found before the region, in whatever way, is a parameter.
//!
//! Implements: 000 2.3.4

use super::{DEEPEST_EXPRESSION, Reading};
use crate::extract::refusal::{Reason, described};
use crate::llvm::{IntPredicate, Opcode, Value};
use crate::presburger::Set;

type Fallible<T> = Result<T, Reason>;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    pub(super) fn condition_at(&self, value: Value<'ir>, depth: usize) -> Fallible<Set> {
        let space = self.scope.space();
        if let Some(constant) = value.as_integer() {
            return Ok(if constant != 0 { Set::universe(&space) } else { Set::empty(&space) });
        }
        if !self.affine.is_invariant(value) {
            return self.opened_condition(value, depth);
        }
        self.attempt(|| self.opened_condition(value, depth)).or_else(|reason: Reason| {
            if value.is_undefined() {
                return Err(reason);
            }
            let truth = self.affine.value_parameter(value)?;
            Ok(self.aff(&truth)?.ne_set(&self.constant(0)))
        })
    }

    fn opened_condition(&self, value: Value<'ir>, depth: usize) -> Fallible<Set> {
        let no = || Reason::NonAffineCondition { what: described(value) };
        let instruction = value.as_instruction().ok_or_else(no)?;
        if depth > DEEPEST_EXPRESSION {
            return Err(no());
        }
        let side = |at: usize| self.condition_at(instruction.operand(at), depth + 1);
        match instruction.opcode() {
            Opcode::And => Ok(side(0)?.intersect(&side(1)?)),
            Opcode::Or => Ok(side(0)?.union(&side(1)?).coalesce()),
            Opcode::Xor => {
                let (a, b) = (side(0)?, side(1)?);
                Ok(a.subtract(&b).union(&b.subtract(&a)).coalesce())
            }
            Opcode::Select => {
                let (c, a, b) = (side(0)?, side(1)?, side(2)?);
                Ok(a.intersect(&c).union(&b.subtract(&c)).coalesce())
            }
            Opcode::Freeze => side(0),
            Opcode::Trunc => {
                let number = self.of_value(instruction.operand(0), depth + 1)?;
                let bit = self.lowest_bits(&number, 1, 1)?;
                Ok(self.aff(&bit.polynomial)?.eq_set(&self.constant(1)))
            }
            Opcode::ICmp => {
                let (predicate, a, b) = instruction.icmp().ok_or_else(no)?;
                let compared = match a.ty().is_pointer() {
                    true => self.pointer_comparison(predicate, a, b, depth + 1),
                    false if a.ty().integer_width().is_none_or(|width| width > 64) => Err(no()),
                    false => self.comparison(predicate, a, b, depth),
                };
                compared.map_err(|reason| match reason {
                    Reason::NonAffineCondition { .. } => no(),
                    other => other,
                })
            }
            _ => Err(no()),
        }
    }

    pub(super) fn comparison(
        &self,
        predicate: IntPredicate,
        a: Value<'ir>,
        b: Value<'ir>,
        depth: usize,
    ) -> Fallible<Set> {
        let joined = self.attempt(|| self.joined_comparison(predicate, (a, b), depth).ok_or(()));
        joined.or_else(|()| self.numbers_compared(predicate, a, b, depth))
    }

    fn numbers_compared(&self, predicate: IntPredicate, a: Value<'ir>, b: Value<'ir>, depth: usize) -> Fallible<Set> {
        use IntPredicate::*;
        if a.ty().integer_width() == Some(1) {
            let (x, y) = (self.condition_at(a, depth + 1)?, self.condition_at(b, depth + 1)?);
            let differ = x.subtract(&y).union(&y.subtract(&x));
            return match predicate {
                Ne => Ok(differ.coalesce()),
                Eq => Ok(Set::universe(&self.scope.space()).subtract(&differ).coalesce()),
                _ => Err(Reason::NonAffineCondition { what: described(a) }),
            };
        }
        let number = |v: Value<'ir>| {
            let number = self.of_value(v, depth + 1)?;
            let number = match super::narrow::is_narrow(number.width) && matches!(predicate, Ult | Ule | Ugt | Uge) {
                true => self.unsigned(number, "a compared value")?,
                false => self.exact(number, "a compared value")?,
            };
            Ok((self.aff(&number.polynomial)?, self.affine.interval(&number.polynomial).is_nonnegative()))
        };
        let ((x, x_nonnegative), (y, y_nonnegative)) = (number(a)?, number(b)?);
        let zero = self.constant(0);
        let both_signs_agree = x_nonnegative && y_nonnegative;
        match predicate {
            Eq => Ok(x.eq_set(&y)),
            Ne => Ok(x.ne_set(&y)),
            Slt => Ok(x.lt_set(&y)),
            Sle => Ok(x.le_set(&y)),
            Sgt => Ok(x.gt_set(&y)),
            Sge => Ok(x.ge_set(&y)),
            Ult if both_signs_agree => Ok(x.lt_set(&y)),
            Ule if both_signs_agree => Ok(x.le_set(&y)),
            Ugt if both_signs_agree => Ok(x.gt_set(&y)),
            Uge if both_signs_agree => Ok(x.ge_set(&y)),
            _ => {
                let (small, large, is_strict, is_negated) = match predicate {
                    Ult => (&x, &y, true, false),
                    Ule => (&x, &y, false, false),
                    Ugt => (&x, &y, false, true),
                    _ => (&x, &y, true, true),
                };
                let large_is_nonnegative = large.ge_set(&zero);
                self.require(&large_is_nonnegative, "an unsigned bound is below half its range");
                let below = if is_strict { small.lt_set(large) } else { small.le_set(large) };
                let inside = below.intersect(&small.ge_set(&zero));
                Ok(if is_negated { Set::universe(&self.scope.space()).subtract(&inside) } else { inside })
            }
        }
    }
}
