//! Which file names which: the paths `crate::...` and `super::...` of each file, resolved to files.
//!
//! `use super::space::{DimKind, Id};` in `presburger/named/map/dims.rs` is a path from the module `presburger::named::map::dims`, so it names
//! `presburger/named/map/space.rs`, if that is a file, else nothing. Comments and tests do not count.

use super::{source, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module's place, from the crate's root: `["presburger", "named", "map"]`.
type Module = Vec<String>;

/// The files of `src/` below a room, by module, each with the modules of the same room that it names.
pub(super) fn imports_within(room: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let files: Vec<(Module, String)> = super::rust_files(&source().join(room))
        .into_iter()
        .filter(|path| !is_test(path))
        .map(|path| {
            let inner = path.strip_prefix(source()).expect("files of src are in src").with_extension("");
            (module_of(&inner), fs::read_to_string(&path).expect("source is text"))
        })
        .collect();
    let known: BTreeSet<Module> = files.iter().map(|(module, _)| module.clone()).collect();
    let named = |module: &Module, text: &str| -> BTreeSet<Module> {
        let paths = paths(&without_comments(without_tests(text)));
        let found = paths.iter().filter_map(|path| resolved(path, module, &known));
        found.filter(|other| other != module && other.len() > 1).collect()
    };
    files.iter().map(|(module, text)| (module.clone(), named(module, text))).collect()
}

pub(super) fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.file_stem().is_some_and(|stem| stem == "tests")
}

fn module_of(path: &Path) -> Module {
    let mut parts: Module = path.components().map(|part| part.as_os_str().to_string_lossy().to_string()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// All paths that start with `crate` or `super`, groups in braces written out.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
                expand("", &text[at..], &mut found);
            }
        }
    }
    found
}

/// The paths at the start of `text`, after `prefix`; what follows them.
fn expand<'t>(prefix: &str, text: &'t str, found: &mut Vec<String>) -> &'t str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    let path = format!("{prefix}{}", &text[..end]);
    if !path.ends_with("::") || !text[end..].starts_with('{') {
        found.push(path);
        return &text[end..];
    }
    let mut rest = text[end + 1..].trim_start();
    while !rest.is_empty() && !rest.starts_with('}') {
        let before = rest.len();
        rest = expand(&path, rest, found).trim_start_matches([',', '*', ' ', '\n']);
        if rest.len() == before {
            break;
        }
    }
    rest.strip_prefix('}').unwrap_or(rest)
}

/// The file in which a path ends.
fn resolved(path: &str, from: &Module, known: &BTreeSet<Module>) -> Option<Module> {
    let mut segments: Vec<&str> = path.split("::").filter(|segment| !segment.is_empty()).collect();
    let mut base: Module = Vec::new();
    if segments.first() == Some(&"super") {
        let up = segments.iter().take_while(|segment| **segment == "super").count();
        base = from[..from.len().checked_sub(up)?].to_vec();
        segments.drain(..up);
    } else {
        segments.remove(0);
    }
    let whole: Module = base.into_iter().chain(segments.into_iter().map(String::from)).collect();
    (1..=whole.len()).rev().map(|length| whole[..length].to_vec()).find(|start| known.contains(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_written_out() {
        let text = "use crate::a::{self, b::{C, d}, E};\nlet x = super::f::g(1);";
        let expected = ["crate::a::self", "crate::a::b::C", "crate::a::b::d", "crate::a::E", "super::f::g"];
        assert_eq!(paths(text), expected);
    }

    #[test]
    fn paths_end_in_files() {
        let module = |text: &str| -> Module { text.split("::").map(String::from).collect() };
        let known: BTreeSet<Module> = ["a", "a::b", "a::b::c"].map(module).into_iter().collect();
        assert_eq!(resolved("super::c::Thing", &module("a::b::d"), &known), Some(module("a::b::c")));
        assert_eq!(resolved("crate::a::Thing", &module("a::b"), &known), Some(module("a")));
        assert_eq!(resolved("crate::elsewhere", &module("a::b"), &known), None);
    }
}
