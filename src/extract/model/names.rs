//! What arrays are called: in the model, and before the user.

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::parameters::identifier;
use crate::extract::refusal::shown_name;
use crate::extract::statements::drafts::{Draft, Storage};
use crate::extract::statements::held::MOST_POINTERS;
use crate::llvm::{LoopId, Value};
use crate::presburger::{DimKind, Id, Set, Tuple};
use crate::scop::{ArrayId, Table};
use std::collections::BTreeMap;

/// How the names of arrays of rows begin, by the number of pointers that lead to a row.
const ROWS: [&str; MOST_POINTERS] = ["rows_", "rows_of_rows_"];

/// A name per array, as in the source where it is known, all different.
pub(super) fn array_names(arrays: &Table<ArrayId, Draft<'_>>) -> Table<ArrayId, String> {
    let mut names: Vec<String> = Vec::new();
    for (at, array) in arrays.iter().enumerate() {
        let (value, prefix) = match &array.storage {
            Storage::Memory { base, .. } => (*base, ""),
            Storage::Rows { table, depth } => (*table, ROWS[depth - 1]),
            Storage::Scalar { value, .. } => (*value, "s_"),
        };
        let wanted = variable_name(value).map(|name| identifier(&name)).filter(|name| !name.is_empty());
        let mut name = wanted
            .map_or_else(|| format!("{}{at}", if prefix.is_empty() { "M" } else { "s" }), |w| format!("{prefix}{w}"));
        if names.contains(&name) {
            name = format!("{name}_{at}");
        }
        names.push(name);
    }
    names.into()
}

/// What the source calls the variables that count along with loops, as names of iterators, which count iterations from 0; nothing where it has no
/// name for one, or only one that a parameter has.
pub(super) fn counters(affine: &Affine<'_, '_, '_>) -> BTreeMap<LoopId, Id> {
    let parameters = affine.parameters();
    let named = |id: LoopId| Some((id, Id::new(&identifier(&affine.analyses.counter_name(id)?))));
    let is_free = |(_, name): &(LoopId, Id)| !name.is_empty() && parameters.iter().all(|p| p.id != *name);
    affine.region.loops(affine.analyses).into_iter().filter_map(named).filter(is_free).collect()
}

/// The iterators of a statement in these loops, all different.
pub(super) fn iterator_names(counters: &BTreeMap<LoopId, Id>, loops: &[LoopId], width: usize) -> Vec<Option<Id>> {
    let mut names: Vec<Option<Id>> = Vec::new();
    for id in loops {
        let name = counters.get(id).filter(|name| !names.iter().flatten().any(|known| known == *name));
        names.push(name.cloned());
    }
    names.resize(width, None);
    names
}

/// The instances of a statement, with these iterators.
pub(super) fn with_iterators(domain: &Set, names: &[Option<Id>]) -> Set {
    let tuple = domain.space().tuple(DimKind::Out).expect("law: instances have a tuple").name().cloned();
    domain.reset_space(&domain.space().with_tuple(DimKind::Out, &Tuple::with_dim_names(tuple, names.to_vec())))
}

/// What a user knows an array by.
pub(super) fn source_name(array: &Draft<'_>) -> Option<String> {
    match &array.storage {
        Storage::Memory { base, .. } => shown_name(*base),
        Storage::Rows { table, depth } => shown_name(*table).map(|name| format!("{}{name}", "rows of ".repeat(*depth))),
        Storage::Scalar { value, .. } => variable_name(*value),
    }
}

/// What the source calls a value, also where the loop that computes it is left.
fn variable_name(value: Value<'_>) -> Option<String> {
    value.variable_name().or_else(|| value.handed_on_name()).or_else(|| value.source_name())
}

/// The line that computes a value in registers.
pub(super) fn line_of(array: &Draft<'_>) -> Option<String> {
    let Storage::Scalar { value, .. } = array.storage else { return None };
    let at = value.as_instruction()?.place().filter(|at| at.line() > 0)?;
    Some(format!("the value of line {}", at.line()))
}
