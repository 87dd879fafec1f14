//! Where in a loop nest a number is looked at.
//!
//! In `for (i = 0; i < n; i++) for (j = 0; j < i; j++) S;` the scope of `S` has the loops `(i, j)` and the domain
//! `{ [i, j] : 0 <= i < n and 0 <= j < i }`. A number is read in a scope: `i + j` is a function of its points, and whether it fits its type is a
//! question about these points and no others.

use crate::extract::numbers::polynomial::UnknownId;
use crate::ids::table_id;
use crate::llvm::LoopId;
use crate::presburger::{Aff, DimKind, MultiAff, PwAff, Set, Space};

table_id! {
    /// A condition that data decides, by its number among those of a region that are asked around loops.
    pub struct GuardId
}

/// A condition with the answer after which a place is come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    pub guard: GuardId,
    pub holds: bool,
}

/// A position in the loop nest: the loops of the region around it, outermost first, and for which of their iterations it is reached.
#[derive(Clone, Debug)]
pub struct Scope {
    pub loops: Vec<LoopId>,
    /// Numbers that data gives, as further dimensions behind the loops.
    pub unknowns: Vec<UnknownId>,
    /// It is reached for no other points, and for those of them for which these conditions were answered so, outermost first.
    pub guards: Vec<Answered>,
    pub domain: Set,
}

impl Scope {
    pub fn new(loops: Vec<LoopId>, domain: Set) -> Self {
        Scope { loops, unknowns: Vec::new(), guards: Vec::new(), domain }
    }

    /// The same loops, with this domain, under the same conditions.
    pub fn with_domain(&self, domain: Set) -> Self {
        Scope { domain, ..self.clone() }
    }

    /// The same points, as far as a further condition is answered so.
    pub fn after(&self, answered: Answered) -> Self {
        let mut scope = self.clone();
        scope.guards.push(answered);
        scope
    }

    /// Whether the dimensions of both domains mean the same, so that their points can be compared.
    pub fn has_dimensions_of(&self, other: &Scope) -> bool {
        self.loops == other.loops && self.unknowns == other.unknowns
    }

    /// Dimensions of the domain.
    pub fn width(&self) -> usize {
        self.loops.len() + self.unknowns.len()
    }

    /// The space of the points: one anonymous tuple.
    pub fn space(&self) -> Space {
        Space::alloc_set(&[], None, self.width())
    }
}

/// An expression over the iterators of the outer `from` loops, over those of `to` loops.
pub fn deepened(value: &PwAff, from: usize, to: usize) -> PwAff {
    if from == to {
        return value.clone();
    }
    let deep = Space::alloc_set(&[], None, to);
    let outer = (0..from).map(|at| Aff::var_on_domain(&deep, DimKind::Out, at)).collect();
    value.pullback(&MultiAff::new(&Space::alloc_map(&[], to, from), outer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_of_outer_loops_is_one_of_all_loops() {
        let outer = Space::alloc_set(&[], None, 1);
        let inner = deepened(&PwAff::var_on_domain(&outer, DimKind::Out, 0), 1, 3);
        let space = Space::alloc_set(&[], None, 3);
        assert!(inner.plain_is_equal(&PwAff::var_on_domain(&space, DimKind::Out, 0)), "{inner}");
    }
}
