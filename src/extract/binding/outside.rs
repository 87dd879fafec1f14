//! What a region takes from the code before it, where other regions are rewritten, too.
//!
//!     for (i) A[i] = 0;  q = p->row;  for (i) B[i] = 1;      one region: q is computed between its loops
//!     r = q + 2;  call();  for (j) r[j] = 0;                 another one, of which q is the array's base
//!
//! A region that is rewritten hands on its live-out values alone: whatever else it computes stays on the way of the original loops. A later
//! region may use such a value only if the code in between does; what scalar evolution finds under way (the base of an address, a
//! number of which a bound is a sum) nobody uses there. A plan that takes one is refused; and where such a value is what an expression
//! adds up to, the expression is written anew.

use crate::extract::binding::Binding;
use crate::extract::numbers::parameters::Source;
use crate::llvm::{Analyses, Block, Value};

impl<'ir> Binding<'ir> {
    /// Whether a value is computed in the region and not handed on to the code behind.
    pub fn hides(&self, value: Value<'ir>) -> bool {
        let is_inside = value.as_instruction().is_some_and(|i| self.region.contains_instruction(i));
        is_inside && !self.live_out.iter().any(|live| live.value.value() == value)
    }

    /// The values that parameters and the bases of arrays are computed from.
    pub fn outside_values(&self, analyses: &Analyses<'_, 'ir>) -> Vec<Value<'ir>> {
        let of_source = |source: &Source<'ir>| match source {
            Source::Value(value) | Source::Address(value) => vec![*value],
            Source::Exactly { value, .. } | Source::Times { value, .. } => vec![*value],
            Source::Distance { from, to, .. } => vec![*from, *to],
            Source::Scev(scev) => analyses.unknowns(*scev),
            Source::Product(_) | Source::WrappedProduct(_) | Source::Remainder { .. } | Source::Steps { .. } => {
                Vec::new()
            }
        };
        let sources = self.parameters.iter().flat_map(|parameter| of_source(&parameter.source));
        sources.chain(self.arrays.iter().filter_map(|array| array.base)).collect()
    }

    /// Has no expression be taken from what the region hides. Values in its loops are not taken anyway.
    pub fn forget_hidden(&self, analyses: &Analyses<'_, 'ir>) {
        let around = analyses.loop_of(self.region.entry);
        let straight = self.region.blocks.iter().filter(|block| analyses.loop_of(**block) == around);
        let values = straight.flat_map(|block| Block::instructions(*block)).map(|instruction| instruction.value());
        values.filter(|value| self.hides(*value)).for_each(|value| analyses.forget(value));
    }
}
