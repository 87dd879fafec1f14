//! Where the text of a model speaks of a statement: a message about `S` shows the line that made it what it is.
//!
//! ```text
//! domain: [n] -> { P[i] : 0 <= i < n; S[i] : 0 <= i < n }
//! when: { S[i] -> p[i + 1] }
//!         ^ S runs under the value of P, which is not computed earlier ..
//! ```
//!
//! The caller knows which keys its message is about; the place is the first of them that the statement has, else the statement itself. In
//! the text form that is the value of the key, in a file of one `key: isl text` per line the statement's name after the key.

use super::parse::error_in;
use super::{Statement, pm, yaml};
use crate::presburger::{Id, ParseError};

/// An error about a statement of a model that was made of a program: at its place there.
pub fn located_in_program(text: &str, statement: &Statement, message: &str) -> ParseError {
    let (line, column) = statement.location.as_ref().map_or((1, 1), |place| (place.line, place.column));
    error_in(text, line.max(1) as usize, column.max(1) as usize, message)
}

/// An error about `statement`, at the first of the keys `about` (`may_write`, `when`, `compute`, ..) that it has, else at itself.
pub fn located(text: &str, statement: &Id, about: &[&str], message: &str) -> ParseError {
    let name = statement.as_str();
    let found = if pm::looks_like(text) { in_lines(text, name, about) } else { in_document(text, name, about) };
    let (line, column) = found.unwrap_or((1, 1));
    error_in(text, line, column, message)
}

fn in_document(text: &str, name: &str, about: &[&str]) -> Option<(usize, usize)> {
    let document = yaml::parse(text).ok()?;
    let statements = document.get("statements")?.sequence().ok()?;
    let statement = statements.iter().find(|s| s.get("name").and_then(|n| n.scalar().ok()) == Some(name))?;
    let accesses = statement.get("accesses").and_then(|a| a.sequence().ok()).unwrap_or_default();
    let parts = || std::iter::once(statement).chain(accesses);
    let place = about.iter().find_map(|key| parts().find_map(|part| part.get(key))).unwrap_or(statement);
    Some((place.line, place.column))
}

fn in_lines(text: &str, name: &str, about: &[&str]) -> Option<(usize, usize)> {
    // `read: ..` of the text form is `reads: ..` here; conditions are called the same.
    let keys = about.iter().flat_map(|key| [format!("{key}s:"), format!("{key}:")]).chain(["domain:".to_string()]);
    keys.into_iter().find_map(|key| {
        text.lines().enumerate().filter(|(_, line)| line.starts_with(&key)).find_map(|(number, line)| {
            let start = mention(line, name)?;
            Some((number + 1, line[..start].chars().count() + 1))
        })
    })
}

/// Where `name[` or `name =` begins in a line.
fn mention(line: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + name.len()..].trim_start();
        after.starts_with(['[', '=']) && !before.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "domain: { P2[i] : 0 <= i < 9; P[i] : 0 <= i < 9 }\nmay_writes: { P2[i] -> a[i]; P[i] -> b[i] }\ncompute: P2 = 1; P = i\n";
    const DOCUMENT: &str = "statements:\n- name: P\n  domain: \"{ P[i] : 0 <= i < 9 }\"\n  accesses:\n  - { may_write: \"{ P[i] -> b[i] }\" }\n  compute: i\n";

    fn place(text: &str, about: &[&str]) -> (usize, usize) {
        let error = located(text, &Id::new("P"), about, "a message");
        (error.line, error.column)
    }

    #[test]
    fn a_statement_is_found_in_both_forms() {
        assert_eq!(
            [place(LINES, &[]), place(LINES, &["may_write"]), place(LINES, &["compute"])],
            [(1, 31), (2, 30), (3, 18)]
        );
        assert_eq!([place(DOCUMENT, &["may_write"]), place(DOCUMENT, &["compute"])], [(5, 19), (6, 12)]);
        assert_eq!(place(DOCUMENT, &["kill"]).0, 2);
    }
}
