//! Statements by the lines of their source, for whoever reads: in
//!
//!     12  for (i = 0; i < n; i++)
//!     13    for (j = 0; j < n; j++) { x[i] += A[i][j] * y[j]; s += A[i][j]; }
//!
//! the model calls the statements `S0` and `S1`, as it does without debug information, since the order of names must not depend on lines; texts
//! call them `S13` and `S13b`. Arrays, parameters and iterators never have the form of statements' names ([`is_of_statement`]), so that a text is
//! relabelled word by word.

use super::{Access, AccessKind, ArrayKind, Scop, Statement};
use crate::presburger::text::print::expression;
use crate::presburger::{DimKind, PwMultiAff};
use std::collections::BTreeSet;

/// What texts call the statements of a model, by their places in it.
#[derive(Clone, Debug, Default)]
pub struct Labels(Vec<String>);

impl Labels {
    /// By the lines of the statements; if one of them has none, as in the model.
    pub fn of(scop: &Scop) -> Labels {
        let line = |location: &super::Location| (location.line > 0).then_some(location.line);
        let lines = scop.statements.iter().map(|statement| line(statement.location.as_ref()?));
        let Some(lines) = lines.collect::<Option<Vec<_>>>() else { return Labels::default() };
        let mut taken = BTreeSet::new();
        let label = |line: u32| {
            let mut all = std::iter::once(String::new()).chain((1..).map(suffix)).map(|end| format!("S{line}{end}"));
            let free = all.find(|label| !taken.contains(label)).expect("law: there is no last suffix");
            taken.insert(free.clone());
            free
        };
        Labels(lines.into_iter().map(label).collect())
    }

    /// Whether texts call all statements as the model does.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a text calls the statement of this name.
    fn label(&self, word: &str) -> Option<&str> {
        let number = word.strip_prefix('S')?.parse::<usize>().ok()?;
        self.0.get(number).map(String::as_str)
    }

    /// A text about the model: `S1[i] -> A[i]`, `S1_0` (an access).
    pub fn relabel(&self, text: &str) -> String {
        rewritten(text, &|name| self.label(name).map(str::to_string))
    }

    /// A text with labels, in the names of the model: what [`Labels::relabel`] came from.
    pub fn unlabel(&self, text: &str) -> String {
        let place = |name: &str| self.0.iter().position(|label| label == name);
        rewritten(text, &|name| place(name).map(|place| format!("S{place}")))
    }
}

/// A text in which words that are names of statements, with or without the number of an access, are replaced.
fn rewritten(text: &str, replacement: &dyn Fn(&str) -> Option<String>) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let name = word.split('_').next().unwrap_or(word);
        let is_access = word[name.len()..].split('_').skip(1).all(is_number);
        match replacement(name).filter(|_| is_access) {
            Some(label) => written.extend([&label, &word[name.len()..]]),
            None => written.push_str(word),
        }
        rest = &rest[word.len()..];
        let between = rest.find(is_part).unwrap_or(rest.len());
        written.push_str(&rest[..between]);
        rest = &rest[between..];
    }
    written
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether this may be the name of a statement, of a part of it, or of an access: `S12`, `S12_0`.
pub fn is_of_statement(name: &str) -> bool {
    name.strip_prefix('S').is_some_and(|rest| rest.split('_').all(is_number))
}

/// `b`, `c`, ..., `z`, `z1`, `z2`, ...
fn suffix(number: u32) -> String {
    match u8::try_from(number).ok().and_then(|number| number.checked_add(b'a')).filter(u8::is_ascii_lowercase) {
        Some(letter) => char::from(letter).to_string(),
        None => format!("z{}", number - u32::from(b'z' - b'a')),
    }
}

impl Scop {
    /// What a statement of the model writes, and what it reads for that, in one line: of `c[i + j] += a[i] * b[j];` it is
    /// `c[i + j] += f(a[i], b[j])`. The operation is not part of the model; subscripts that are no affine function are written `?`.
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

    /// The element that an access touches: `a[i][j + 1]`; of a value in a register its name in the source.
    fn element(&self, access: &Access) -> String {
        if let Some(array) = self.array(&access.array).filter(|array| array.kind == ArrayKind::Scalar) {
            return array.source_name.clone().unwrap_or_else(|| access.array.to_string());
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
    use super::*;

    #[test]
    fn words_are_relabelled() {
        let labels = Labels(vec!["S13".into(), "S13b".into()]);
        let text = "{ S0[i] -> S1[i + 1] }; S1_0, S10, S, xS1, S1x, S1_x; S0";
        assert_eq!(labels.relabel(text), "{ S13[i] -> S13b[i + 1] }; S13b_0, S10, S, xS1, S1x, S1_x; S13");
        assert_eq!(Labels::default().relabel(text), text);
        let labelled = "{ S13b[i] -> S13[i] }; S13b_0, S13b.0..1, S13x, S13_x";
        assert_eq!(labels.unlabel(labelled), "{ S1[i] -> S0[i] }; S1_0, S1.0..1, S13x, S13_x");
    }

    #[test]
    fn suffixes_do_not_end() {
        assert_eq!([1, 25, 26, 40].map(suffix), ["b", "z", "z1", "z15"]);
    }

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
