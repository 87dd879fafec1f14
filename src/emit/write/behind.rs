//! The numbers behind the last ones of loops.
//!
//!     next = add nuw nsw c0, 1     br (next < behind), loop, after
//!
//! ends a loop up to `min(n - 1, 32 t + 31)` where `behind` is `min(n, 32 t + 32)`. Of `next <= last` LLVM would make `c0 < last`, and of that a loop the counter of which
//! might wrap around behind `last`: it sees no fields of structures then, but single elements far apart.

use super::writer::Writer;
use crate::ast::Expr;
use crate::emit::arith::bounds::{Known, range_of};
use crate::presburger::Id;

impl<'ir> Writer<'_, 'ir> {
    /// The last number of a loop. Of the least of several numbers the one behind is the least of those behind them, which LLVM does not find out. None of these may wrap
    /// around, be it the least or not.
    pub(super) fn last(&mut self, upper: &Expr) -> Known<'ir> {
        let Expr::Min(several) = upper else { return self.value(upper) };
        let behind = Expr::min(several.iter().map(|one| Expr::add(one.clone(), Expr::from(1))).collect());
        let outer = self.part.as_ref().map(|part| &part.outer);
        let known = |name: &Id| self.names.get(name).or_else(|| outer?.get(name)).map(|known| known.range);
        if range_of(&behind, &known).is_none() {
            return self.value(upper);
        }
        let behind = self.value(&behind);
        self.last_before(behind)
    }

    /// The number before one that is behind a loop.
    pub(in crate::emit) fn last_before(&mut self, behind: Known<'ir>) -> Known<'ir> {
        let last = self.arithmetic().sub(behind, self.arithmetic().constant(1));
        self.behind.insert(last.value, behind);
        last
    }

    /// The number behind the last one of a loop.
    pub(super) fn one_behind(&self, last: Known<'ir>) -> Known<'ir> {
        let next = || self.arithmetic().add(last, self.arithmetic().constant(1));
        self.behind.get(&last.value).copied().unwrap_or_else(next)
    }
}
