//! What arrays are called: in the model, and before the user.

use crate::extract::numbers::parameters::identifier;
use crate::extract::refusal::shown_name;
use crate::extract::statements::drafts::{Draft, Storage};

/// A name per array, as in the source where it is known, all different.
pub(super) fn array_names(arrays: &[Draft<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, array) in arrays.iter().enumerate() {
        let (value, prefix) = match &array.storage {
            Storage::Memory { base, .. } => (*base, ""),
            Storage::Scalar { value, .. } => (*value, "s_"),
        };
        let wanted = value.source_name().map(|name| identifier(&name)).filter(|name| !name.is_empty());
        let mut name = wanted
            .map_or_else(|| format!("{}{at}", if prefix.is_empty() { "M" } else { "s" }), |w| format!("{prefix}{w}"));
        let is_statement = name.starts_with('S') && name[1..].chars().all(|c| c.is_ascii_digit());
        if names.contains(&name) || is_statement {
            name = format!("{name}_{at}");
        }
        names.push(name);
    }
    names
}

/// What a user knows an array by.
pub(super) fn source_name(array: &Draft<'_>) -> Option<String> {
    match &array.storage {
        Storage::Memory { base, .. } => shown_name(*base),
        Storage::Scalar { value, .. } => value.source_name(),
    }
}

/// The line that computes a value in registers.
pub(super) fn line_of(array: &Draft<'_>) -> Option<String> {
    let Storage::Scalar { value, .. } = array.storage else { return None };
    let at = value.as_instruction()?.place().filter(|at| at.line() > 0)?;
    Some(format!("the value of line {}", at.line()))
}
