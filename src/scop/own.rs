//! Arrays that live within one iteration.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   double v[9];
//!   for (int k = 0; k < 9; k++)
//!     S: v[k] = A[i][k];
//!   T: B[i] = v[4];
//! }
//! ```
//!
//! Each iteration of `i` has a `v` of its own, and that all of them lie in the same memory is an accident of the machine. In the
//! model they are apart: `S` writes `{ S[i, k] -> v[i, k] }`, and `own: 1` says that the first subscript of `v` counts the iterations
//! of the outermost loop around each access, which share memory in the program. No dependence lies between them, so that the loop may run in parallel;
//! whoever writes a new program must see to it that the elements of two iterations are not in use in one place at a time, and that what the last iteration
//! leaves is in the program's memory behind the loops, where somebody looks at it (`live_out`).
//!
//! Implements: 002 5.5

use super::{Access, Scop};
use crate::presburger::{DimKind, Id, Map};

impl Scop {
    /// The same model with an array of its own for each iteration of the outermost `n` loops around each access to `array`. The loops must be the same
    /// ones for all accesses, and no value may go from one of these iterations to another through the array, nor into the first. If the array is live
    /// behind the model, what counts there is what the last of these iterations leaves, which writes all that any of them writes.
    pub fn with_own(mut self, array: &Id, n: usize) -> Scop {
        let accesses = self.statements.iter_mut().flat_map(|s| &mut s.accesses);
        for access in accesses.filter(|access| access.array == *array) {
            let Access { relation, applied, .. } = access;
            *relation = apart(relation, array, n);
            *applied = applied.as_ref().map(|relation| apart(relation, array, n));
        }
        for each in self.arrays.iter_mut().filter(|each| each.name == *array) {
            each.shape.splice(0..0, std::iter::repeat_n(None, n));
            each.own += n;
        }
        self
    }
}

/// `{ S[i, k] -> v[a] }` as `{ S[i, k] -> v[i, a] }`
fn apart(relation: &Map, array: &Id, n: usize) -> Map {
    let wide = relation.insert_dims(DimKind::Out, 0, n).set_tuple_name(DimKind::Out, Some(array.as_str()));
    (0..n).fold(wide, |map, at| map.equate(DimKind::In, at, DimKind::Out, at))
}
