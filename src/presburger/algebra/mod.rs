//! Operations on unions of conjunctions over the same columns.
pub(crate) mod closure;
pub(crate) mod coalesce;
pub(crate) mod convex_hull;
pub(crate) mod count;
pub(crate) mod generators;
pub(crate) mod gist;
pub(crate) mod hull;
pub(crate) mod lex_union;
pub(crate) mod pieces;
pub(crate) mod single_valued;
pub(crate) mod subtract;
