//! What each share of a parallel loop's iterations has for itself, and in which way.
//!
//! In
//!
//!     for parallel (i) { double v[9]; ...; s += v[0]; h[key[i]]++; if (v[1] < best) { best = v[1]; where = i; } }
//!
//! `s` is a value that begins with zero and is added up, `h` an array of which copies are added up where they changed, `best` and `where` are values that
//! are replaced together, so that of two shares the better one gives both, and `v` is memory that nobody looks at afterwards. These ways
//! have nothing in common but that there is a cell of each share for them: see [`crate::emit::threads::private`].

use super::boxes::Box;
use super::extremes::Numbers;
use crate::extract::binding::TypeId;
use crate::extract::reductions::arg_reduction::Rule;
use crate::presburger::Id;
use crate::scop::{ArrayId, ReductionOperator};
use std::collections::BTreeSet;

/// What each share of a parallel loop's iterations has for itself.
#[derive(Clone)]
pub struct Private {
    pub array: ArrayId,
    pub way: Privatization,
    /// The statements whose accesses go to it, if not all do: others update other elements by another operator.
    pub only: Option<BTreeSet<Id>>,
}

/// In which way a share has an array for itself.
#[derive(Clone)]
pub enum Privatization {
    /// A value in a register, combined with those of the other shares.
    Value(Reduced),
    /// A copy of elements in memory, combined likewise.
    Elements(Reduced, Elements),
    /// The first one of values in registers that are replaced together, `arrays`, itself among them: those of the better share are kept.
    Leader { ty: TypeId, rule: Rule, arrays: Vec<ArrayId> },
    /// Another one of these values.
    Member { ty: TypeId },
    /// No copy, but whether values were replaced together the last one of which is in this array.
    Flag,
    /// A copy of memory that each iteration writes before it reads: it begins with anything and is forgotten.
    Own(Extent),
}

/// How much of an array is copied that iterations have of their own.
#[derive(Clone)]
pub enum Extent {
    /// All of a variable, or of what was reserved.
    Whole,
    /// The elements that are touched, with so many bytes between neighbours.
    Touched(Box, i128),
}

/// How values of the shares become one.
#[derive(Clone, Copy)]
pub struct Reduced {
    pub operator: ReductionOperator,
    /// Of the values.
    pub ty: TypeId,
}

/// Elements of an array, one after the other.
#[derive(Clone)]
pub struct Elements {
    /// `None` if that is measured before the loops.
    pub touched: Option<Box>,
    /// Bytes between neighbours.
    pub stride: i128,
    pub density: Density,
}

/// Which of the elements of a copy are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// All of them: they begin as the operator's identity, and all are combined.
    Dense,
    /// Those that data decides: no other one may be read or written, so that copies begin with what changes nothing (in a minimum or maximum of
    /// floats, where such numbers occur), and only those that an update has changed are combined.
    Sparse(Numbers),
}

impl Privatization {
    /// The elements, if it is a copy of some that are combined.
    pub fn elements(&self) -> Option<&Elements> {
        match self {
            Self::Elements(_, elements) => Some(elements),
            Self::Value(_) | Self::Leader { .. } | Self::Member { .. } | Self::Flag | Self::Own(_) => None,
        }
    }
}
