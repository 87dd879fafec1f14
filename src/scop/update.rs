//! What a reduction does to one element: by which operator, from which value, in which type.
//!
//! The update of `long s` by `s += A[i]` is `+ from 0 in i64`: copies of `s` may begin at 0. A copy of the minimum of an `i8` may begin at
//! 127, and at the value at hand as well, which does no harm twice. A pair that is replaced as a whole begins with the pair at hand.

use std::fmt;

use super::{Access, ElementType, ReductionOperator, Scop};

/// The operator by which an access updates its element, and what begins a copy of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The operator.
    pub operator: ReductionOperator,
    /// The value that changes nothing, in words.
    pub identity: String,
    /// The type.
    pub element: ElementType,
}

impl Scop {
    /// What an access is a half of, if it is half of an update.
    pub fn update(&self, access: &Access) -> Option<Update> {
        let (operator, element) = (access.reduction?, self.array(&access.array)?.element);
        Some(Update { operator, identity: identity(operator, element), element })
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} in {}", self.operator, self.identity, self.element)
    }
}

fn identity(operator: ReductionOperator, element: ElementType) -> String {
    use ReductionOperator::{Add, And, ArgMax, ArgMin, Last, Max, Min, Mul, Or, UnsignedMax, UnsignedMin, Xor};
    let largest = |bits: u32| u128::MAX.checked_shr(129_u32.saturating_sub(bits)).unwrap_or(0);
    match (operator, element) {
        (Add, ElementType::Float(_)) => "-0.0".into(),
        (Mul, ElementType::Float(_)) => "1.0".into(),
        (Add | Xor | Or | UnsignedMax, _) => "0".into(),
        (Mul, _) => "1".into(),
        (And | UnsignedMin, _) => "all ones".into(),
        (Min, ElementType::Int(bits)) => largest(bits).to_string(),
        (Max, ElementType::Int(bits)) => format!("-{}", largest(bits) + 1),
        (Min | Max, _) => "the value at hand".into(),
        (ArgMin | ArgMax, _) => "the pair at hand".into(),
        (Last, _) => "nothing".into(),
    }
}
