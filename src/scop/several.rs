//! Several models in one text, as `opt -passes='print<loopwright-scops>'` writes them.
//!
//! ```text
//! # kernel_gemm
//! name: "kernel_gemm"
//! statements: ..
//!
//! # main: line 32: the call to 'kernel_gemm' may read or write memory or not return; ..
//! # fill
//! name: "fill"
//! statements: ..
//! ```
//!
//! In the text form a model ends where the next `name:` stands at the beginning of a line, or a line `---`; what is said of loops that have no model is
//! a comment. JSCOP documents ([`jscop`]) stand one after the other; the third form, [`pm`], holds one model. Errors are at their line in the whole text.

use super::parse::{error_in, read};
use super::{Scop, jscop, pm};
use crate::presburger::ParseError;
use std::ops::Range;

/// A model with the text that it was read from.
pub struct Part {
    /// The text, with empty lines instead of what comes before it: the number of a line is that of the whole text.
    pub text: String,
    /// The model.
    pub scop: Scop,
}

/// Reads all models of a text.
///
/// # Errors
/// At the first model that is wrong, or if there is none.
pub fn read_all(text: &str) -> Result<Vec<Part>, ParseError> {
    let ranges = ranges(text);
    if ranges.is_empty() {
        return Err(error_in(text, 1, 1, "there is no model in this text"));
    }
    ranges.into_iter().map(|range| part(text, range)).collect()
}

fn part(text: &str, lines: Range<usize>) -> Result<Part, ParseError> {
    let own: Vec<&str> = text.lines().skip(lines.start).take(lines.len()).collect();
    let text = "\n".repeat(lines.start) + &own.join("\n") + "\n";
    read(&text).map(|scop| Part { text, scop })
}

/// The lines of each model, from 0.
fn ranges(text: &str) -> Vec<Range<usize>> {
    let n_lines = text.lines().count();
    if jscop::looks_like(text) {
        return jscop::documents(text);
    }
    if pm::looks_like(text) {
        return std::iter::once(0..n_lines).collect();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut start, mut is_named) = (0, false);
    for (number, line) in text.lines().enumerate() {
        let is_name = line.starts_with("name:");
        if line.trim_end() == "---" || (is_name && is_named) {
            found.push(start..number);
            (start, is_named) = (number + usize::from(!is_name), false);
        }
        is_named |= is_name;
    }
    found.push(start..n_lines);
    let says_something = |range: &Range<usize>| {
        let mut lines = text.lines().skip(range.start).take(range.len()).map(str::trim);
        lines.any(|line| !line.is_empty() && !line.starts_with('#'))
    };
    found.retain(says_something);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, n: i64) -> String {
        let domain = format!("\"{{ S[i] : 0 <= i < {n} }}\"");
        format!(
            "# {name}\nname: {name}\nstatements:\n- {{ name: S, domain: {domain} }}\nschedule:\n  domain: {domain}\n  \
             child:\n    schedule: \"[{{ S[i] -> [(i)] }}]\"\n# S: f()\n\n"
        )
    }

    fn names(text: &str) -> Vec<String> {
        read_all(text).expect("models").into_iter().map(|part| part.scop.name).collect()
    }

    #[test]
    fn models_follow_one_another() {
        let text = format!("# main: line 3: no model\n{}# g: line 7: none\n{}", model("f", 9), model("f", 5));
        assert_eq!(names(&text), ["f", "f"]);
        let unnamed = |n| model("f", n).replace("name: f\n", "");
        assert_eq!(names(&format!("{}---\n{}", unnamed(9), unnamed(5))), ["scop", "scop"]);
        assert_eq!(names("domain: { S[i] : 0 <= i < 9 }\nschedule: { S[i] -> [i] }\n"), ["scop"]);
    }

    #[test]
    fn jscop_documents_follow_one_another() {
        let printed = |name: &str, n: i64| {
            let touches = "accesses: [ { write: \"{ S[i] -> a[i] }\" } ] }\nschedule";
            let scop = read(&model(name, n).replace("}\nschedule", &format!(", {touches}"))).expect("a model");
            format!("# {name}\n{}\n", jscop::print(&scop))
        };
        let text = printed("f", 9) + &printed("g", 5);
        assert_eq!(names(&text), ["f", "g"]);
        assert_eq!(names(&printed("f", 9)), ["f"]);
        let (start, wrong) =
            (printed("f", 9).lines().count(), text.replacen("S[i] : 0 <= i <= 4", "S[i] : 0 <= j <= 4", 1));
        assert!(read_all(&wrong).err().is_some_and(|error| error.line > start), "{wrong}");
    }

    #[test]
    fn errors_are_at_lines_of_the_whole_text() {
        let text = model("f", 9) + &model("g", 5).replace("{ S[i] -> [(i)] }", "{ S[i] -> [(j)] }");
        let error = read_all(&text).err().expect("j is not known");
        assert_eq!((error.line, error.text.trim()), (18, "schedule: \"[{ S[i] -> [(j)] }]\""));
        assert!(read_all("# main: line 3: no model\n").is_err());
    }
}
