//! Variables that are a step behind.
//!
//! ```c
//! for (int i = 0, j = n - 1; i < n; j = i++) e[i] = x[i] - x[j];
//! ```
//!
//! `j` is a wrap-around variable (M. Wolfe, Beyond Induction Variables, PLDI 1992, section 4.1): `n - 1` in the first iteration, and in each other one what
//! goes round the loop, `i` of the iteration before. In iteration `t` that is `n - 1` for `t = 0` and `t - 1` for `t >= 1`, a quasi-affine expression of
//! two pieces. What goes round may be a step behind itself.

use super::{DEEPEST_EXPRESSION, Reading};
use crate::extract::numbers::affine::at_most_cases;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::{Instruction, Value};
use crate::presburger::{Aff, DimKind, Int, MultiAff, PwAff, Space};

/// What is a step behind costs as much of the depth of an expression, so that few are a step behind each other: each has a piece more.
const DEPTH_OF_A_STEP: usize = DEEPEST_EXPRESSION / 4;

type Fallible<T> = Result<T, Reason>;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    /// A phi of the header of a loop around the scope whose value goes round without being computed from itself.
    pub(super) fn of_wraparound(&self, phi: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        let no = || data_dependent(phi.value());
        let depth = depth + DEPTH_OF_A_STEP;
        let block = phi.block().filter(|_| depth <= DEEPEST_EXPRESSION).ok_or_else(no)?;
        let analyses = self.affine.analyses;
        let around = analyses.loop_of(block).map(|id| analyses.loop_(id)).filter(|this| this.header == block);
        let around = around.ok_or_else(no)?;
        let at = self.scope.loops.iter().position(|id| *id == around.id).ok_or_else(no)?;
        let incoming = |from: Option<_>| from.and_then(|from| phi.incoming_from(from)).ok_or_else(no);
        let (initial, next) = (incoming(around.preheader)?, incoming(around.latch)?);
        if self.opened.contains(&phi.value()) {
            return Err(no());
        }
        let inner = self.scope.width() - (at + 1);
        let domain = self.scope.domain.project_out(DimKind::Out, at + 1, inner);
        let here = Scope::new(self.scope.loops[..=at].to_vec(), domain);
        let iteration = PwAff::var_on_domain(&here.space(), DimKind::Out, at);
        let first = iteration.eq_set(&self.affine.constant_aff(&here, 0));
        let behind = one_before(&here.space());
        let at_first = here.with_domain(here.domain.intersect(&first));
        let before = here.with_domain(here.domain.subtract(&first).apply(&behind.as_map()));
        let initial = self.in_scope(&at_first, phi.value(), initial, depth)?;
        let next = self.in_scope(&before, phi.value(), next, depth)?;
        let value = initial.intersect_domain(&first).union_add(&next.pullback(&behind).subtract_domain(&first));
        at_most_cases(value.n_pieces())?;
        Ok(self.affine.quasi(value, Interval::signed(width), width, &here))
    }

    /// The value as an expression in another scope, while the phi is being opened.
    fn in_scope(&self, scope: &Scope, phi: Value<'ir>, value: Value<'ir>, depth: usize) -> Fallible<PwAff> {
        let mut there = self.affine.at(scope);
        there.opened = self.opened.iter().copied().chain([phi]).collect();
        let number = there.of_value(value, depth + 1)?;
        let value = there.exact_aff(&number, "a value that goes round a loop")?;
        Ok(self.obligations.borrow_mut().take_over(there.conditional(value)))
    }
}

/// From an iteration of the last loop to the one before.
fn one_before(space: &Space) -> MultiAff {
    let last = space.dim(DimKind::Out) - 1;
    let same = (0..last).map(|at| Aff::var_on_domain(space, DimKind::Out, at));
    let before = Aff::var_on_domain(space, DimKind::Out, last).add_constant(&Int::from(-1));
    let to = Space::alloc_map(&[], last + 1, last + 1);
    MultiAff::new(&to, same.chain([before]).collect())
}
