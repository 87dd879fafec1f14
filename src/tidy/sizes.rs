//! Sizes to feel at home with: of files, functions and signatures; and calls that say what they ask for.
//!
//! `map.lex(space, 2, -1, true)` sends its reader to the signature of `lex`; `map.lex_or_equal(space, -1)` does not. So a parameter is no `bool`, except
//! where the call reads by itself: `check(self.is_map(), "..")`, or a fact that is passed on under its own name. Where such a parameter is, no call
//! passes `true` or `false` as they are.

use super::{rooms, without_tests};
use std::collections::BTreeSet;
use std::path::Path;

/// Lines of a file before its tests, of a function with its signature, and parameters of a function beside `self`.
const MOST_LINES: usize = 500;
const MOST_LINES_OF_A_FUNCTION: usize = 70;
const MOST_PARAMETERS: usize = 6;

/// Functions with more parameters, by file, and why.
const WITH_MANY_PARAMETERS: &[(&str, &str, &str)] = &[
    ("extract/statements/builder.rs", "add_statement", "all that a statement is, which its caller has just found"),
    ("host/run/turns.rs", "static_init", "a function of OpenMP's runtime"),
    ("host/run/turns.rs", "dispatch_init", "a function of OpenMP's runtime"),
];

/// Parameters that are `bool`, by file and name, and why the calls read by themselves.
const BOOLS: &[(&str, &str, &str)] = &[
    ("ast/pieces/count.rs", "fixed", "a fact, found a line before"),
    ("bin/loopwright/arguments.rs", "parallel", "a word of the command line"),
    ("bin/loopwright/main.rs", "shows", "a word of the command line"),
    ("bin/loopwright/main.rs", "time", "a word of the command line"),
    ("bisect/command.rs", "fails", "a word for the fact"),
    ("calc/evaluate.rs", "a", "a value of the language"),
    ("calc/evaluate.rs", "b", "a value of the language"),
    ("calc/table.rs", "holds", "a condition, and what is said where it fails"),
    ("extract/reductions/chain.rs", "is_plain", "a fact, passed on"),
    ("extract/reductions/decision.rs", "is", "the value of a condition of the program"),
    ("extract/reductions/decision.rs", "replaces", "the value of a condition of the program"),
    ("host/features.rs", "holds", "a condition, and the name of what it shows"),
    ("host/lower/control.rs", "is_down", "a fact, passed on"),
    ("llvm/ffi.rs", "forgets_scopes", "an argument for C++"),
    ("llvm/ffi.rs", "forgets_types", "an argument for C++"),
    ("llvm/ffi.rs", "hidden", "an argument for C++"),
    ("llvm/ffi.rs", "is_signed", "an argument for C++"),
    ("llvm/ffi.rs", "prefix", "an argument for C++"),
    ("pipeline.rs", "is_heard", "a fact, passed on"),
    ("presburger/named/space/mod.rs", "holds", "a condition, and what is said where it fails"),
    ("schedule/loops/nest.rs", "coincident", "a fact, passed on"),
    ("stages.rs", "is_timed", "the option"),
];

/// Functions of the standard library that have the name of one of ours.
const OF_THE_LIBRARY: &[&str] = &["append", "fill", "new", "replace", "resize", "set"];

/// A function as its text has it.
struct Function<'t> {
    name: &'t str,
    line: usize,
    n_lines: usize,
    parameters: Vec<&'t str>,
}

/// What stands between a bracket, which is at `open`, and the one that closes it.
fn inside(text: &str, open: usize) -> &str {
    let mut depth = 0;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[open + 1..open + at];
        }
    }
    &text[open + 1..]
}

/// The parts between commas that stand in no bracket. Those of generic types count: `BTreeMap<usize, Row>` is one part.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    let mut last = ' ';
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if last != '-' && last != '=' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    found.push(list[start..].trim());
    found.retain(|part| !part.is_empty());
    found
}

/// Where the parameters of a function begin whose name ends at `from`: behind its generics.
fn parameters_at(text: &str, from: usize) -> Option<usize> {
    let (mut depth, mut last) = (0, ' ');
    for (at, c) in text[from..].char_indices() {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth -= 1,
            '(' if depth == 0 => return Some(from + at),
            _ => {}
        }
        last = c;
    }
    None
}

fn functions(text: &str) -> Vec<Function<'_>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("fn ") {
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = &text[line_start..at];
        let is_item = before.split_whitespace().all(|word| {
            ["pub", "const", "unsafe", "extern", "\"C\""].contains(&word)
                || word.starts_with("pub(")
                || word.ends_with(')')
                || ["in", "crate"].contains(&word)
        });
        let name = text[at + 3..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let Some(open) = parameters_at(text, at + 3 + name.len()).filter(|_| is_item && !name.is_empty()) else {
            continue;
        };
        let list = inside(text, open);
        let indent = before.len() - before.trim_start().len();
        let end = format!("\n{}}}", " ".repeat(indent));
        let rest = &text[open + list.len()..];
        let has_body = rest.find('{').is_some_and(|body| rest.find(';').is_none_or(|end| body < end));
        let body = rest.find(&end).filter(|_| has_body).map_or(0, |length| length + end.len());
        let n_lines = text[line_start..open + list.len() + body].matches('\n').count() + 1;
        let line = text[..at].matches('\n').count() + 1;
        found.push(Function { name, line, n_lines, parameters: parts(list) });
    }
    found
}

/// The files that are no tests, with their text before their tests.
fn files() -> Vec<(String, String)> {
    let is_test = |path: &Path| {
        let of_tests = |part: &str| part.starts_with("tests") || part == "examples.rs";
        path.components().any(|part| of_tests(&part.as_os_str().to_string_lossy()))
    };
    let of = |(room, path, text): (String, std::path::PathBuf, String)| {
        let is_wanted = !is_test(&path) && room != "tidy";
        is_wanted.then(|| (path.to_string_lossy().to_string(), without_tests(&text).to_string()))
    };
    rooms().into_iter().filter_map(of).collect()
}

#[test]
fn files_and_functions_are_no_longer_than_agreed() {
    let mut long = Vec::new();
    for (path, text) in files() {
        let n_lines = text.lines().count();
        if n_lines > MOST_LINES {
            long.push(format!("{path}: {n_lines} lines"));
        }
        let functions = functions(&text);
        let too_long = functions.iter().filter(|function| function.n_lines > MOST_LINES_OF_A_FUNCTION);
        long.extend(
            too_long
                .map(|function| format!("{path}:{}: {} lines in {}", function.line, function.n_lines, function.name)),
        );
    }
    assert!(
        long.is_empty(),
        "longer than {MOST_LINES} lines, functions than {MOST_LINES_OF_A_FUNCTION}:\n{}",
        long.join("\n")
    );
}

#[test]
fn functions_have_few_parameters() {
    let mut unused: BTreeSet<(&str, &str)> =
        WITH_MANY_PARAMETERS.iter().map(|(path, name, _)| (*path, *name)).collect();
    let mut wrong = Vec::new();
    for (path, text) in files() {
        for function in functions(&text) {
            let own =
                function.parameters.iter().filter(|parameter| !["self", "&self", "&mut self"].contains(parameter));
            let is_known = WITH_MANY_PARAMETERS.iter().find(|(file, name, _)| *file == path && *name == function.name);
            match (own.count() > MOST_PARAMETERS, is_known) {
                (true, None) => wrong.push(format!("{path}:{}: {}", function.line, function.name)),
                (true, Some((file, name, _))) => drop(unused.remove(&(*file, *name))),
                (false, _) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "more than {MOST_PARAMETERS} parameters:\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "functions that have no more parameters than others: {unused:?}");
}

#[test]
fn calls_read_by_themselves() {
    let mut unused: BTreeSet<(&str, &str)> = BOOLS.iter().map(|(path, name, _)| (*path, *name)).collect();
    let mut wrong = Vec::new();
    for (path, text) in files() {
        for function in functions(&text) {
            let bools = function.parameters.iter().filter_map(|parameter| parameter.strip_suffix(": bool"));
            for name in bools.map(|name| name.trim_start_matches("mut ")) {
                match BOOLS.iter().find(|(file, known, _)| *file == path && *known == name) {
                    Some((file, known, _)) => drop(unused.remove(&(*file, *known))),
                    None => wrong.push(format!("{path}:{}: {}({name}: bool)", function.line, function.name)),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "parameters that a reader of the calls must look up:\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "parameters that are gone: {unused:?}");
}

#[test]
fn no_call_passes_a_bare_truth() {
    let files = files();
    let ours: BTreeSet<&str> =
        files.iter().flat_map(|(_, text)| functions(text)).map(|function| function.name).collect();
    let mut wrong = Vec::new();
    for (path, text) in &files {
        for (at, _) in text.match_indices('(') {
            let before = &text[..at];
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            let is_signature = before[..at - name.len()].ends_with("fn ");
            if is_signature || OF_THE_LIBRARY.contains(&name) || !ours.contains(name) {
                continue;
            }
            if parts(inside(text, at)).iter().any(|argument| ["true", "false"].contains(argument)) {
                wrong.push(format!("{path}:{}: {name}", before.matches('\n').count() + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "calls with `true` or `false`:\n{}", wrong.join("\n"));
}

#[test]
fn signatures_are_read_as_they_are() {
    let text = "impl A {\n    pub(in crate::b) fn f<T: Fn(i32) -> bool>(&self, mut a: bool, b: BTreeMap<u8, u8>) -> u8 {\n        0\n    }\n}\nfn g() {}\n";
    let found = functions(text);
    assert_eq!(found.iter().map(|function| function.name).collect::<Vec<_>>(), ["f", "g"]);
    assert_eq!(found[0].parameters, ["&self", "mut a: bool", "b: BTreeMap<u8, u8>"]);
    assert_eq!((found[0].line, found[0].n_lines, found[1].n_lines), (2, 3, 1));
}
