//! Comparisons of joined bits with nothing, or for their sign.
//!
//! ```c
//! if (dx || dy) ...                  (dx | dy) != 0
//! if (x >= 0 && y >= 0) ...          (x | y) > -1
//! if (x < 0 && y < 0) ...            (x & y) < 0
//! ```
//!
//! LLVM asks of several numbers at once what it can ask of all their bits, as each is without a bit where all are, and the sign of what is joined is joined from signs. The numbers themselves are
//! affine, what is joined is not.

use super::{DEEPEST_EXPRESSION, Reading};
use crate::extract::refusal::Reason;
use crate::llvm::{Instruction, IntPredicate, Opcode, Value};
use crate::presburger::Set;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// Where a comparison holds, if it can be asked of each number that one is joined from.
    pub(super) fn joined_comparison(
        &self,
        predicate: IntPredicate,
        (a, b): (Value<'ir>, Value<'ir>),
        depth: usize,
    ) -> Option<Set> {
        use IntPredicate::{Eq, Ne, Sgt, Slt};
        let (asked, is_negated) = match (predicate, b.as_integer()?) {
            (Eq, 0) => (Eq, false),
            (Ne, 0) => (Eq, true),
            (Slt, 0) => (Slt, false),
            (Sgt, -1) => (Slt, true),
            _ => return None,
        };
        let is_known = |joined: &Instruction<'ir>| match joined.opcode() {
            Opcode::Or => true,
            Opcode::And | Opcode::Xor => asked == Slt,
            _ => false,
        };
        let joined = a.as_instruction().filter(|joined| depth < DEEPEST_EXPRESSION && is_known(joined))?;
        let holds = self.joined_from(joined, asked, depth + 1).ok()?;
        Some(if is_negated { Set::universe(&self.scope.space()).subtract(&holds).coalesce() } else { holds })
    }

    /// Where joined bits are nothing, or have a sign.
    fn joined_from(&self, joined: Instruction<'ir>, asked: IntPredicate, depth: usize) -> Result<Set, Reason> {
        let part = |at: usize| {
            let value = joined.operand(at);
            self.comparison(asked, value, Value::zero(value.ty()), depth)
        };
        let (first, second) = (part(0)?, part(1)?);
        Ok(match joined.opcode() {
            Opcode::Or if asked == IntPredicate::Slt => first.union(&second).coalesce(),
            Opcode::Xor => first.subtract(&second).union(&second.subtract(&first)).coalesce(),
            _ => first.intersect(&second),
        })
    }
}
