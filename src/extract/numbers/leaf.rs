//! Where the computation of a value ends.
//!
//! In `y[i] = x[i] * (i + 1)` the tree below the store ends at a load of `x` and at the integer `i + 1`, which is computed anew from the
//! iteration, whatever the program did to get there.

use super::polynomial::Polynomial;
use crate::scop::ArrayId;

/// Where an operand comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Integer arithmetic over iterators and parameters, of the value's own width modulo 2^width.
    Affine(Polynomial),
    /// A load from `base + offset` bytes.
    Load { array: ArrayId, offset: Polynomial },
    /// A load from some element of an array, at an address that is computed from data.
    Indirect { array: ArrayId },
    /// The element of a scalar array.
    Scalar { array: ArrayId, subscripts: Vec<Polynomial> },
}

impl Leaf {
    /// The numbers that it is computed from.
    pub fn polynomials(&self) -> Vec<&Polynomial> {
        match self {
            Leaf::Affine(polynomial) => vec![polynomial],
            Leaf::Load { offset, .. } => vec![offset],
            Leaf::Indirect { .. } => Vec::new(),
            Leaf::Scalar { subscripts, .. } => subscripts.iter().collect(),
        }
    }
}
