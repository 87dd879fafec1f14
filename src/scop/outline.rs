//! A statement in one line, as a reader of the source knows it: of `c[i + j] += a[i] * b[j];` the outline is `c[i + j] += f(a[i], b[j])`.
//!
//! The operation is not part of the model, and so is called `f`. Subscripts that are no single affine function are written `?`.

use super::{Access, AccessKind, ArrayKind, Scop, Statement};
use crate::presburger::text::print::expression;
use crate::presburger::{DimKind, PwMultiAff};

impl Scop {
    /// What a statement of the model writes, and what it reads for that.
    pub fn outline(&self, statement: &Statement) -> String {
        let is_write = |access: &&Access| access.kind.writes();
        let is_own = |access: &&Access| access.reduction.is_some();
        let reads = statement.accesses.iter().filter(|access| access.kind == AccessKind::Read && !is_own(access));
        let reads: Vec<String> = reads.map(|access| self.element(access)).collect();
        let writes: Vec<String> =
            statement.accesses.iter().filter(is_write).map(|access| self.element(access)).collect();
        let operator = statement.accesses.iter().filter(is_write).find_map(|access| access.reduction);
        let assigned = operator.map_or_else(|| "=".to_string(), |operator| format!("{operator}="));
        match writes.is_empty() {
            true => format!("f({})", reads.join(", ")),
            false => format!("{} {assigned} f({})", writes.join(", "), reads.join(", ")),
        }
    }

    /// The element that an access touches: `a[i][j + 1]`; of a value in a register its name.
    fn element(&self, access: &Access) -> String {
        if self.array(&access.array).is_some_and(|array| array.kind == ArrayKind::Scalar) {
            return access.array.to_string();
        }
        let function = PwMultiAff::from_map(&access.relation);
        let subscripts: Vec<String> = match function.as_ref().map(PwMultiAff::pieces) {
            Some([(_, function)]) => function.affs().iter().map(|aff| bare(&expression(aff))).collect(),
            _ => vec!["?".to_string(); access.relation.dim(DimKind::Out)],
        };
        let subscripts: String = subscripts.iter().map(|text| format!("[{text}]")).collect();
        format!("{}{subscripts}", access.array)
    }
}

/// Without the parentheses around all of it.
fn bare(text: &str) -> String {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn statements_have_outlines() {
        let text = "
domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i] : 0 <= i < n }
schedule: [n] -> { S[i, j] -> [0, i, j]; T[i] -> [1, i, 0] }
reads: [n] -> { S[i, j] -> a[i]; S[i, j] -> b[j, 2 i]; T[i] -> c[j] : 0 <= j < n }
must_writes: [n] -> { S[i, j] -> c[i + j]; T[i] -> d[i] }
";
        let scop = crate::scop::pm::parse(text).expect("a model");
        let outlines: Vec<String> = scop.statements.iter().map(|statement| scop.outline(statement)).collect();
        assert_eq!(outlines, ["c[i + j] = f(a[i], b[j][2i])", "d[i] = f(c[?])"]);
    }
}
