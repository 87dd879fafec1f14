//! What the engine is held to: enumeration of small boxes, an evaluator of formulas, a count of arithmetic.
pub(crate) mod brute;
mod counted;
mod laws;
pub(crate) mod oracle;
