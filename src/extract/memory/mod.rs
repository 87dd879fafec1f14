//! Arrays: their dimensions, their members, the types of their elements, which of them may overlap, and which always do.
pub mod entangled;
pub mod pitches;
pub mod shape;
pub mod types;

/// What is asked of an array whose subscripts might leave their extents, in a sentence.
const WITHIN_ROWS: (&str, &str) = ("the subscripts of ", " stay within its rows");

fn within_rows(name: &str) -> String {
    let (before, behind) = WITHIN_ROWS;
    format!("{before}'{name}'{behind}")
}

/// The array of which such a sentence is, as it is named there.
pub fn kept_within_rows(sentence: &str) -> Option<&str> {
    sentence.strip_prefix(WITHIN_ROWS.0)?.strip_suffix(WITHIN_ROWS.1)
}
