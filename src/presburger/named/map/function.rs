//! Whether a relation is a function, and which kind of one.
//!
//! `{ [i] -> [i + 1] }` is one, injective, and a translation; `{ [i] -> [j] : i <= j <= i + 1 }` is none.

use super::Map;
use crate::presburger::algebra::pieces::exact;
use crate::presburger::algebra::single_valued::is_plainly_single_valued;
use crate::presburger::named::space::DimKind;

impl Map {
    /// Each domain element has at most one image, for each value of the parameters. isl: `map_is_single_valued`.
    pub fn is_single_valued(&self) -> bool {
        if self.plainly_single_valued() {
            return true;
        }
        let pairs = self.reverse().apply_range(self);
        pairs.is_subset(&Map::identity(&pairs.space))
    }

    /// One piece, whose constraints show it.
    fn plainly_single_valued(&self) -> bool {
        let (first, n) = (1 + self.space.offset(DimKind::Out), self.dim(DimKind::Out));
        self.n_pieces() <= 1
            && exact!(a = &self.pieces => a.iter().all(|c| is_plainly_single_valued(c, first..first + n)))
    }

    /// Each range element is the image of at most one element. isl: `map_is_injective`.
    pub fn is_injective(&self) -> bool {
        self.reverse().is_single_valued()
    }

    /// Single-valued and injective. isl: `map_is_bijective`.
    pub fn is_bijective(&self) -> bool {
        self.is_single_valued() && self.is_injective()
    }

    /// Each pair is of one element with itself. isl: `map_is_identity`.
    pub fn is_identity(&self) -> bool {
        self.space.domain() == self.space.range() && self.is_subset(&Map::identity(&self.space))
    }

    /// All pairs are at one difference, for each value of the parameters. isl: `map_is_translation`.
    pub fn is_translation(&self) -> bool {
        self.space.domain() == self.space.range() && self.deltas().is_singleton()
    }
}
