//! Which dimensions of sets have few values whatever the parameters are.
//!
//! In `[n] -> { [i, j] : 0 <= i < n and n - 2 <= j < n }` that is the second one: it is *thin*, as borders and the neighbours of a point are.

use crate::presburger::{DimKind, Int, Map, Set};

/// A dimension whose values are closer to each other than this, for all parameters, is thin.
const THICK: i64 = 8;

/// Whether a dimension has many values for some parameters.
pub fn is_thick(set: &Set, at: usize) -> bool {
    let n = set.dim(DimKind::Out);
    let values = set.project_out(DimKind::Out, at + 1, n - at - 1).project_out(DimKind::Out, 0, at);
    !are_close(&values.set_tuple_name(DimKind::Out, None))
}

/// Whether any two values for the same parameters are close to each other.
fn are_close(values: &Set) -> bool {
    let numbers = Map::from_range(values);
    let distances = numbers.reverse().apply_range(&numbers).deltas();
    let (least, most) = (Int::from(1 - THICK), Int::from(THICK - 1));
    let close =
        Set::universe(distances.space()).lower_bound(DimKind::Out, 0, &least).upper_bound(DimKind::Out, 0, &most);
    distances.is_subset(&close)
}
