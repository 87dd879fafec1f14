//! Integer sets and relations: exact Presburger algebra. Knows no programs.
//!
//! The rooms, each of which may use those above it. A value with names, `{ A[i] -> B[j] : 0 <= j < i }`, is a union of conjunctions of constraints
//! over numbered columns; an operation on it aligns the names (`named`), works on the columns (`algebra`), and asks there for points, optima and
//! projections (`solve`) of one conjunction at a time (`conjunction`), in numbers that never wrap (`number`).
pub mod number;

pub(crate) mod conjunction;

pub(crate) mod solve;

pub(crate) mod algebra;

pub mod named;

pub(crate) mod text;

pub mod counting;

#[cfg(test)]
mod tests;

pub use counting::fold::{PwQPolynomialFold, UnionPwQPolynomialFold};
pub use counting::pw_qpolynomial::PwQPolynomial;
pub use counting::summation::Infinite;
pub use counting::union_qpolynomial::UnionPwQPolynomial;
pub use named::aff::Aff;
pub use named::basic_map::{BasicMap, BasicSet, Constraint, ConstraintKind, Div};
pub use named::map::Map;
pub use named::multi::{MultiAff, PwMultiAff};
pub use named::multi_pw::MultiPwAff;
pub use named::pw_aff::PwAff;
pub use named::set::Set;
pub use named::space::{DimKind, Id, Space, SpaceError, Tuple};
pub use named::union_aff::{MultiUnionPwAff, UnionPwAff, UnionPwMultiAff};
pub use named::union_map::UnionMap;
pub use named::union_set::UnionSet;
pub use number::budget::{self, TooHard, within};
pub use number::int::{self, Int};
pub use number::ratio::Ratio;
pub use solve::lexmin::Unbounded;
pub use text::parse::ParseError;
