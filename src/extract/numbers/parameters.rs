//! What does not change during a region, as parameters of its model.
//!
//! In `for (i = 0; i < n; i++) A[i + 2 * m] = 0;` the values `n` and `m` become the parameters `n` and `m`, with the bounds of their types. Each
//! is taken to lie within [`LARGEST_PARAMETER`], so that sums and products of sizes and counters provably fit 64 bits; that limit belongs to
//! the parameter, and whoever builds on the model assumes it (see [`super::assumptions`]). An expression that LLVM computes before the region,
//! a product of parameters, the distance of two pointers and an address may be parameters as well.

use super::interval::Interval;
use crate::extract::numbers::polynomial::{ParameterId, Polynomial};
use crate::llvm::{ScevId, Value};
use crate::presburger::{DimKind, Id, Int, Set, Space};
use crate::scop::labels::is_of_statement;

/// Parameters of 64 bits are assumed to lie within plus or minus this bound, checked at run time, so that sums and products of
/// sizes and counters provably fit 64 bits. No array has more elements.
const LARGEST_PARAMETER: i128 = 1 << 40;

/// Strides that are taken for something are of no more bytes, which is tested: times a counter of 32 bits that fits a word.
pub(crate) const LONGEST_STRIDE: i128 = 1 << 31;

/// Where the guard has the address of a pointer: those above are of no program, and the limit leaves room for sums.
pub(in crate::extract) const ADDRESSES: Interval = Interval { low: Some(0), high: Some(1 << 56) };

/// Where a parameter comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source<'ir> {
    /// A value defined before the region.
    Value(Value<'ir>),
    /// An expression over such values.
    Scev(ScevId),
    /// A product of other parameters.
    Product(Vec<ParameterId>),
    /// What is left of one modulo 2^64, where it is not known to fit.
    WrappedProduct(Vec<ParameterId>),
    /// A polynomial of other parameters modulo `2^bits`, in the range of that size from `low` on.
    Remainder { of: Polynomial, bits: u32, low: i128 },
    /// How often `unit` bytes fit between two pointers, as numbers without a sign; without rest.
    Distance { from: Value<'ir>, to: Value<'ir>, unit: i128 },
    /// The address of a pointer.
    Address(Value<'ir>),
    /// A value that is this number.
    Exactly { value: Value<'ir>, number: i128 },
    /// How often a number times other parameters goes into a value; without rest, and at least once.
    Times { value: Value<'ir>, unit: i128, factors: Vec<ParameterId> },
    /// How many steps it takes to go a way, both polynomials of other parameters; none if there is no way to go.
    Steps { way: Polynomial, step: Polynomial },
}

impl Source<'_> {
    /// Whether a stride is taken for something.
    pub fn is_of_pitch(&self) -> bool {
        matches!(self, Source::Exactly { .. } | Source::Times { .. })
    }
}

/// What a value is taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pitch<'ir> {
    /// This number.
    Exactly(i128),
    /// A multiple of a number.
    Multiple { unit: i128 },
    /// A multiple of another stride.
    MultipleOf(Value<'ir>),
}

/// Values from before a region, and what they are taken to be.
pub type Pitches<'ir> = Vec<(Value<'ir>, Pitch<'ir>)>;

/// A value that does not change during the region.
#[derive(Clone, Debug)]
pub struct Parameter<'ir> {
    pub id: Id,
    pub source: Source<'ir>,
    /// What its type and the code around the region say.
    pub interval: Interval,
}

impl Parameter<'_> {
    /// The limits within which it is assumed to lie; none for a product, which lies where its factors make it.
    pub(super) fn limit(&self) -> Option<Interval> {
        match self.source {
            Source::Product(_) => None,
            Source::Address(_) => Some(ADDRESSES),
            _ => Some(Interval::new(-LARGEST_PARAMETER, LARGEST_PARAMETER)),
        }
    }

    /// The limits that only an assumption puts it in.
    pub(in crate::extract) fn assumed_limit(&self) -> Option<Interval> {
        self.limit().filter(|limit| !self.interval.is_within(*limit))
    }

    /// Bounds under these limits.
    pub(super) fn limited(&self) -> Interval {
        self.limit().map_or(self.interval, |limit| self.interval.intersect(limit))
    }
}

/// The parameter values within the interval.
pub(super) fn bounded(id: &Id, interval: Interval) -> Set {
    let space = Space::params_only(std::slice::from_ref(id));
    let mut set = Set::universe(&space);
    if let Some(low) = interval.low {
        set = set.lower_bound(DimKind::Param, 0, &integer(low));
    }
    if let Some(high) = interval.high {
        set = set.upper_bound(DimKind::Param, 0, &integer(high));
    }
    set
}

/// The number as one that grows.
pub fn integer(value: i128) -> Int {
    Int::from(num_bigint::BigInt::from(value))
}

/// The name with what isl's notation does not allow in an identifier left out, and not of the form that names of statements have.
pub fn identifier(name: &str) -> String {
    let mut clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if clean.starts_with(|c: char| c.is_ascii_digit()) {
        clean.insert(0, 'v');
    }
    let clean = clean.trim_end_matches('_').to_string();
    if is_of_statement(&clean) { format!("v{clean}") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        assert_eq!(identifier("n.addr"), "n_addr");
        assert_eq!(identifier("3d"), "v3d");
        assert_eq!(identifier("S12"), "vS12");
        assert_eq!(identifier("size_"), "size");
    }

    #[test]
    fn only_wide_parameters_need_their_limit_assumed() {
        let of_width = |width| Interval::signed(width).is_within(Interval::new(-LARGEST_PARAMETER, LARGEST_PARAMETER));
        assert!(of_width(32));
        assert!(!of_width(64));
    }
}
