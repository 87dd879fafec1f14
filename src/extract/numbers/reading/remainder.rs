//! Remainders by a number that is known when the program runs: neighbours on a ring.
//!
//! ```c
//! for (int i = 0; i < n; i++) o[i] = u[(i + 1) % n] - u[(i + n - 1) % n];
//! ```
//!
//! No quasi-affine expression divides by a parameter. But `i + 1` is from 0 to `n` here: its remainder is `i + 1` below `n`, and 0 where it is `n`, two affine
//! pieces. So it is with what is less than a few times the divisor wherever it is divided, if that can be proved.

use super::Reading;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::obligations::Obligation;
use crate::extract::numbers::parameters::integer;
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::{Instruction, Opcode};
use crate::presburger::Set;

/// What is divided is less than so many times the divisor: each time is a piece more. `(i + n + 1) % n` takes three.
const MOST_TIMES: i128 = 3;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// The remainder by a divisor that does not change in the region.
    pub(super) fn of_remainder(
        &self,
        instruction: Instruction<'ir>,
        width: u32,
        depth: usize,
    ) -> Result<Number, Reason> {
        let no = || data_dependent(instruction.value());
        let divisor = instruction.operand(1);
        let is_unsigned = instruction.opcode() == Opcode::URem;
        if !self.affine.is_invariant(divisor) || !(is_unsigned || instruction.opcode() == Opcode::SRem) {
            return Err(no());
        }
        let read = |at: usize, what: &str| {
            let number = self.of_value(instruction.operand(at), depth + 1)?;
            let number = if is_unsigned { self.unsigned(number, what)? } else { self.exact(number, what)? };
            self.aff(&number.polynomial)
        };
        let (value, divisor) = (read(0, "a dividend")?, read(1, "a divisor")?);
        let times = |n: i128| divisor.scale(&integer(n));
        let wanted = value.ge_set(&self.constant(0)).intersect(&value.lt_set(&times(MOST_TIMES)));
        let obligation = Obligation { scope: self.scope.clone(), wanted, why: String::new() };
        if !obligation.is_proved(self.affine) {
            return Err(no());
        }
        let piece = |n: i128| (value.ge_set(&times(n)).intersect(&value.lt_set(&times(n + 1))), value.sub(&times(n)));
        let happens = |points: &Set| !points.intersect(&self.scope.domain).is_empty();
        let pieces = (0..MOST_TIMES).map(piece).filter(|(points, _)| happens(points));
        let parts = pieces.map(|(points, rest)| rest.intersect_domain(&points));
        let rest = parts.reduce(|all, part| all.union_add(&part)).ok_or_else(no)?;
        Ok(self.quasi(rest, Interval::signed(width), width))
    }
}
