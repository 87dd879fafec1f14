//! What a plan for a region rests on, in words: each line is tested before the loops, with the original loops as the other branch.
//!
//!     i + m does not wrap around                   of parameters: `Scop::assumed`
//!     'n' is from -1099511627776 to 1099511627776  the limit of a parameter
//!     'y' and 'x' do not overlap                   of addresses
//!     no rows overlap: 'a', 'rows of a'            of addresses that a table holds
//!     rows of 'val' follow one another             of data: an inspection

use super::Binding;
use crate::extract::numbers::parameters::{Parameter, Source};
use crate::scop::ArrayId;

impl Binding<'_> {
    /// Everything that is tested before the loops of any plan for the region.
    pub fn basis(&self) -> Vec<String> {
        let name = |at: ArrayId| &self.arrays[at].source_name;
        let apart = |(a, b): &(ArrayId, ArrayId)| format!("'{}' and '{}' do not overlap", name(*a), name(*b));
        let measured = |(a, b): &(ArrayId, ArrayId)| format!("{}, which is measured", apart(&(*a, *b)));
        let mut all = self.assumptions.clone();
        all.extend(self.parameters.iter().filter_map(limit));
        all.extend(self.parameters.iter().filter_map(distance));
        all.extend(self.parameters.iter().filter_map(|parameter| self.pitch(parameter)));
        all.extend(self.inspections.iter().map(|inspection| format!("data: {}", inspection.why)));
        all.extend(self.disjoint.iter().map(apart));
        all.extend(self.measurements.iter().flat_map(|measurement| &measurement.disjoint).map(measured));
        let rows: Vec<String> = self.rows.iter().map(|at| format!("'{}'", name(*at))).collect();
        all.extend((!rows.is_empty()).then(|| format!("no rows overlap: {}", rows.join(", "))));
        let not_errno = self.errno.elsewhere.iter().chain(&self.errno.outside);
        all.extend(not_errno.map(|at| format!("'{}' is not errno", name(*at))));
        all
    }

    /// What a stride is taken for.
    fn pitch(&self, parameter: &Parameter<'_>) -> Option<String> {
        match &parameter.source {
            Source::Exactly { number, .. } => Some(format!("the stride '{}' is {number}", parameter.id)),
            Source::Times { unit, factors, .. } => {
                let factors = factors.iter().map(|at| format!(" * {}", self.parameters[*at].id));
                let product = factors.fold(unit.to_string(), |product, factor| product + &factor);
                Some(format!("a stride is {product} * {}", parameter.id))
            }
            _ => None,
        }
    }
}

fn limit(parameter: &Parameter<'_>) -> Option<String> {
    let limit = parameter.assumed_limit()?;
    let side = |bound: Option<i128>| bound.map_or("any".to_string(), |bound| bound.to_string());
    Some(format!("'{}' is from {} to {}", parameter.id, side(limit.low), side(limit.high)))
}

/// Distances are counted in units, of which nothing may remain.
fn distance(parameter: &Parameter<'_>) -> Option<String> {
    let Source::Distance { unit, .. } = parameter.source else { return None };
    (unit != 1).then(|| format!("the bytes of '{}' are a multiple of {unit}", parameter.id))
}
