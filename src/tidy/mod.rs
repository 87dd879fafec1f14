//! The architecture as tests: who may name whom, what is deliberately absent, what every file must have.
//!
//! `src/ARCHITECTURE.md` says in prose what this file checks. A room is a directory of `src/` (or a file of that name); it names another
//! room by `crate::room::...`. When a test here fails, the plan of the house has changed or the new code is in the wrong room.

mod filetests;
mod imports;
mod sections;
mod sizes;
mod users;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// For each room, the rooms it may name.
const ARROWS: &[(&str, &[&str])] = &[
    ("presburger", &[]),
    ("ids", &[]),
    ("drawing", &[]),
    ("scop", &["ids", "presburger", "drawing"]),
    ("fortran", &["presburger", "scop"]),
    ("c_program", &["presburger", "scop"]),
    ("dependence", &["presburger", "scop", "drawing"]),
    ("machine", &[]),
    ("schedule", &["presburger", "scop", "dependence", "machine"]),
    ("ast", &["presburger", "scop", "schedule"]),
    ("calc", &["presburger", "scop", "c_program", "dependence", "schedule", "ast"]),
    ("options", &["machine"]),
    ("counters", &[]),
    ("bisect", &["options"]),
    ("reproducer", &[]),
    ("selection", &["options", "schedule"]),
    ("allowance", &["presburger", "llvm"]),
    ("annotations", &["llvm", "options", "prepare"]),
    ("llvm", &["machine"]),
    ("prepare", &["llvm"]),
    ("versions", &["llvm"]),
    ("extract", &["ids", "llvm", "scop", "presburger"]),
    ("emit", &["llvm", "extract", "scop", "schedule", "ast", "presburger"]),
    (
        "candidate",
        &["presburger", "scop", "dependence", "schedule", "ast", "llvm", "extract", "emit", "options", "allowance"],
    ),
    ("report", &[]),
    ("page", &["presburger", "report", "scop"]),
    (
        "record",
        &["presburger", "scop", "schedule", "llvm", "extract", "candidate", "machine", "options", "remarks", "report"],
    ),
    (
        "remarks",
        &[
            "presburger",
            "scop",
            "dependence",
            "schedule",
            "ast",
            "llvm",
            "extract",
            "candidate",
            "options",
            "counters",
            "prepare",
            "report",
        ],
    ),
    ("printers", &["scop", "dependence", "llvm", "extract", "candidate", "options", "allowance", "prepare", "remarks"]),
    (
        "pipeline",
        &[
            "presburger",
            "llvm",
            "machine",
            "extract",
            "candidate",
            "remarks",
            "record",
            "report",
            "printers",
            "options",
            "allowance",
            "selection",
            "prepare",
            "versions",
        ],
    ),
    ("stages", &["presburger"]),
    (
        "plugin",
        &[
            "allowance",
            "annotations",
            "llvm",
            "machine",
            "pipeline",
            "printers",
            "options",
            "counters",
            "record",
            "report",
            "reproducer",
            "selection",
            "stages",
        ],
    ),
    ("host", &["allowance", "llvm", "pipeline", "options", "counters", "selection"]),
];

/// For each room with rooms inside, which of these may name which: those named, and what they may name.
const INNER_ARROWS: &[(&str, &[(&str, &[&str])])] = &[
    (
        "presburger",
        &[
            ("number", &[]),
            ("conjunction", &["number"]),
            ("solve", &["number", "conjunction"]),
            ("algebra", &["number", "conjunction", "solve"]),
            ("named", &["number", "conjunction", "solve", "algebra"]),
            ("counting", &["number", "conjunction", "solve", "algebra", "named"]),
            ("text", &["number", "conjunction", "named", "counting"]),
        ],
    ),
    (
        "extract",
        &[
            ("region", &[]),
            ("numbers", &["region"]),
            ("control", &["region", "numbers"]),
            ("reductions", &["control"]),
            ("statements", &["numbers", "control", "reductions"]),
            ("memory", &["numbers", "statements"]),
            ("binding", &["region", "numbers", "control", "reductions", "statements"]),
            ("places", &["numbers", "control", "statements", "binding"]),
            ("model", &["region", "numbers", "control", "reductions", "statements", "memory", "binding", "places"]),
        ],
    ),
    ("schedule", &[("model", &[]), ("search", &["model"]), ("loops", &["model", "search"])]),
    ("ast", &[("tree", &[]), ("rows", &["tree"]), ("pieces", &["rows"]), ("build", &["tree", "rows", "pieces"])]),
    (
        "emit",
        &[
            ("arith", &[]),
            ("plan", &["arith"]),
            ("write", &["arith", "plan"]),
            ("guards", &["arith", "plan", "write"]),
            ("threads", &["arith", "plan", "write"]),
            ("validate", &["arith", "plan", "write", "guards"]),
        ],
    ),
];

/// Files that name each other in a circle, and why that is no fault.
const FAMILIES: &[(&[&str], &str)] = &[
    (
        &["named::basic_map", "named::map", "named::set"],
        "conjunctions make relations, relations have conjunctions; a set is one",
    ),
    (&["named::aff", "named::multi", "named::multi_pw", "named::pw_aff"], "each is made of another and gives another"),
    (&["named::union_aff", "named::union_map", "named::union_set"], "functions have domains and become relations"),
    (
        &["solve::context", "solve::probe", "solve::unknowns"],
        "a context asks for points, for which equalities are solved over no context",
    ),
    (
        &["jscop", "parse", "place", "pm"],
        "three forms of a model's text: the reader asks which it is, errors have places in each",
    ),
    (&["operations", "table"], "the table lists the operations, which read their operands as it says"),
    (&["debug", "instruction", "ir", "types", "value"], "from each handle on the program others can be reached"),
    (&["analysis", "scev"], "expressions belong to the analyses that they are questions to"),
    (
        &["builder", "loops", "places", "touched", "values"],
        "what is known of a program while it is read: values depend on loops, these on values, places on both",
    ),
    (&["solve::lexmin", "solve::project"], "an optimum needs divs, some divs are optima"),
];

/// Files in one folder, so that a glance at it finds the one that is looked for.
const MOST_FILES: usize = 16;

/// Folders with more files than that, and why.
const LARGE_FOLDERS: &[(&str, &str)] = &[
    ("llvm", "one file for each part of LLVM's interface"),
    ("calc", "one file for each part of the language"),
    ("scop", "one file for each part of a model and for each form of its text"),
    ("dependence/dynamic", "one file for each step of the document"),
];

/// What no line outside tests may contain, and why.
const ABSENT: &[(&str, &str)] = &[
    ("todo!(", "a stage is finished or it refuses"),
    ("unimplemented!(", "a stage is finished or it refuses"),
    ("dbg!(", "debugging output"),
    (".unwrap()", "an input may reach it: say why it cannot be, with expect(\"law: ...\")"),
    ("SystemTime", "no decision may depend on the clock"),
    ("thread_rng", "no decision may depend on chance"),
];

/// Rooms that decide what is legal, or in which order: no floating-point number is in them.
const EXACT: &[&str] =
    &["presburger", "scop", "dependence", "schedule", "ast", "extract", "emit", "candidate", "pipeline"];

/// Files of these rooms that hold such numbers all the same, and why.
const INEXACT: &[(&str, &str)] = &[
    ("scop/expression.rs", "constants of the program"),
    ("scop/parse.rs", "names of the program's types"),
    ("emit/plan/extremes.rs", "largest numbers of the program's types"),
    ("dependence/dynamic/input.rs", "data of the program that is run"),
    ("dependence/dynamic/value.rs", "data of the program that is run"),
    ("dependence/dynamic/examples.rs", "tests"),
];

/// What lies at the top of the project.
const TOP: &[&str] = &[
    ".ci",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "build.rs",
    "llvm-tests",
    "rustfmt.toml",
    "scripts",
    "src",
];

/// Names that say nothing.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "manager", "misc", "common"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("src is readable") {
        let path = entry.expect("src is readable").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The room of a file, and its text.
fn rooms() -> Vec<(String, PathBuf, String)> {
    let source = source();
    let read = |path: PathBuf| {
        let inner = path.strip_prefix(&source).expect("files of src are in src").to_path_buf();
        let first = inner.components().next().expect("a file has a name").as_os_str().to_string_lossy().to_string();
        let room = first.trim_end_matches(".rs").to_string();
        let text = fs::read_to_string(&path).expect("source is text");
        (room, inner, text)
    };
    rust_files(&source).into_iter().map(read).collect()
}

/// The text before the file's tests.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

fn named_rooms(text: &str) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        named.push(name);
    }
    named.sort();
    named.dedup();
    named
}

/// The words of a line that are no comment.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or(line);
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
}

#[test]
fn no_floating_point_number_decides() {
    let is_float = |word: &str| ["f16", "f32", "f64"].iter().any(|ty| word.ends_with(ty));
    let mut wrong = Vec::new();
    for (room, path, text) in rooms().into_iter().filter(|(room, ..)| EXACT.contains(&room.as_str())) {
        let is_test = path.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"));
        let name = path.to_string_lossy().to_string();
        let is_exact = !is_test && !INEXACT.iter().any(|(known, _)| *known == name);
        for (at, line) in without_tests(&text).lines().enumerate() {
            if is_exact && words(line).any(is_float) {
                wrong.push(format!("{name}:{}: {room} is exact", at + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "floating point where legality or order is decided:\n{}", wrong.join("\n"));
}

#[test]
fn rooms_name_only_the_rooms_they_may() {
    let mut wrong = Vec::new();
    for (room, path, text) in rooms() {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else { continue };
        // Tests may use what comes before their room in the pipeline.
        if imports::is_test(&path) {
            continue;
        }
        let known = |name: &String| ARROWS.iter().any(|(room, _)| room == name);
        for name in named_rooms(without_tests(&text)).into_iter().filter(known) {
            if name != room && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{} names {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows against the plan:\n{}", wrong.join("\n"));
}

#[test]
fn arrows_make_no_circle() {
    let mut reached: Vec<&str> = Vec::new();
    for _ in ARROWS {
        for (room, allowed) in ARROWS {
            if !reached.contains(room) && allowed.iter().all(|other| reached.contains(other)) {
                reached.push(room);
            }
        }
    }
    assert_eq!(reached.len(), ARROWS.len(), "rooms that name each other in a circle");
}

#[test]
fn inner_rooms_name_only_the_rooms_they_may() {
    let mut wrong = Vec::new();
    for (room, inner) in INNER_ARROWS {
        let mut unused: BTreeSet<(&str, &str)> =
            inner.iter().flat_map(|(from, allowed)| allowed.iter().map(|to| (*from, *to))).collect();
        let name = |wanted: &str| inner.iter().map(|(name, _)| *name).find(|name| *name == wanted);
        for (file, named) in imports::imports_within(room) {
            let Some((from, allowed)) = file.get(1).and_then(|from| inner.iter().find(|(name, _)| name == from)) else {
                continue;
            };
            for other in named {
                let Some(to) = name(&other[1]) else { continue };
                unused.remove(&(*from, to));
                if to != *from && !allowed.contains(&to) {
                    wrong.push(format!("{} names {}", file.join("::"), other.join("::")));
                }
            }
        }
        wrong.extend(unused.iter().map(|(from, to)| format!("nothing in {room}/{from} names {room}/{to}")));
    }
    assert!(wrong.is_empty(), "arrows inside rooms against the plan:\n{}", wrong.join("\n"));
}

#[test]
fn files_of_a_room_make_no_circle() {
    let mut wrong = Vec::new();
    for (room, _) in ARROWS.iter().filter(|(room, _)| source().join(room).is_dir()) {
        let imports = imports::imports_within(room);
        let mut graph = DiGraph::<String, ()>::new();
        let nodes: BTreeMap<_, _> =
            imports.keys().map(|file| (file.clone(), graph.add_node(file[1..].join("::")))).collect();
        for (file, named) in &imports {
            for other in named.iter().filter(|other| file.len() > 1 && other.len() > 1) {
                graph.add_edge(nodes[file], nodes[other], ());
            }
        }
        for circle in tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1) {
            let mut names: Vec<&str> = circle.iter().map(|node| graph[*node].as_str()).collect();
            names.sort_unstable();
            if !FAMILIES.iter().any(|(family, _)| *family == names) {
                wrong.push(format!("{room}: {}", names.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "files that name each other in a circle:\n{}", wrong.join("\n"));
}

#[test]
fn folders_can_be_taken_in_at_a_glance() {
    let mut n_files: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (_, path, _) in rooms() {
        *n_files.entry(path.parent().expect("a file is in a folder").to_path_buf()).or_default() += 1;
    }
    let is_known = |folder: &Path| LARGE_FOLDERS.iter().any(|(known, _)| Path::new(known) == folder);
    let large: Vec<_> = n_files.iter().filter(|(folder, n)| **n > MOST_FILES && !is_known(folder)).collect();
    assert!(large.is_empty(), "folders with more than {MOST_FILES} files: {large:?}");
    let small: Vec<_> = LARGE_FOLDERS
        .iter()
        .filter(|(known, _)| n_files.get(Path::new(known)).is_none_or(|n| *n <= MOST_FILES))
        .collect();
    assert!(small.is_empty(), "folders that are not large: {small:?}");
}

#[test]
fn every_room_has_its_arrows() {
    let listed = |room: &str| {
        ARROWS.iter().any(|(name, _)| *name == room) || ["lib", "tidy", "property", "bin", "guide"].contains(&room)
    };
    let unlisted: Vec<String> = rooms().into_iter().map(|(room, ..)| room).filter(|room| !listed(room)).collect();
    assert!(unlisted.is_empty(), "rooms without arrows: {unlisted:?}");
}

#[test]
fn every_file_opens_with_what_it_teaches() {
    let silent: Vec<_> =
        rooms().into_iter().filter(|(_, _, text)| !text.starts_with("//!")).map(|(_, path, _)| path).collect();
    assert!(silent.is_empty(), "files without a header: {silent:?}");
}

/// The rooms whose public functions are the algebra that isl's names are known for.
const ALGEBRA: [&str; 2] = ["named", "counting"];

/// Files of these rooms that are steps of the algebra, not its face.
const BELOW_THE_ALGEBRA: [&str; 3] = ["bernstein", "polynomial", "summation"];

#[test]
fn public_operations_say_what_isl_calls_them() {
    let mut silent = Vec::new();
    let files = ALGEBRA.iter().flat_map(|room| rust_files(&source().join("presburger").join(room)));
    for path in files {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().to_string();
        if BELOW_THE_ALGEBRA.contains(&name.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("each file of the algebra is there");
        let mut comment = String::new();
        for line in without_tests(&text).lines().map(str::trim) {
            let says = ["isl", "iscc", "barvinok"].iter().any(|word| comment.contains(word));
            if let Some(function) = line.strip_prefix("pub fn ").filter(|_| !says) {
                silent.push(format!("{name}: {}", function.split(['(', '<']).next().unwrap_or_default()));
            }
            match line.starts_with("///") || line.starts_with("#[") {
                true => comment += line,
                false => comment.clear(),
            }
        }
    }
    assert!(silent.is_empty(), "public functions without a name in isl, iscc or barvinok: {silent:?}");
}

#[test]
fn nothing_stray_lies_at_the_top() {
    let Ok(listed) = Command::new("git").args(["ls-files"]).current_dir(env!("CARGO_MANIFEST_DIR")).output() else {
        return;
    };
    let listed = String::from_utf8(listed.stdout).expect("names of files are text");
    let top: BTreeSet<&str> = listed.lines().filter_map(|path| path.split('/').next()).collect();
    let stray: Vec<_> = top.into_iter().filter(|name| !TOP.contains(name)).collect();
    assert!(stray.is_empty(), "files at the top that no plan names: {stray:?}");
}

#[test]
fn what_is_absent_stays_absent() {
    let mut found = Vec::new();
    for (room, path, text) in rooms() {
        if room == "tidy" || path.ends_with("oracle.rs") || path.ends_with("tests.rs") {
            continue;
        }
        let is_code = |line: &str| !line.trim_start().starts_with("//");
        for (number, line) in without_tests(&text).lines().enumerate().filter(|(_, line)| is_code(line)) {
            for (word, why) in ABSENT.iter().filter(|(word, _)| line.contains(word)) {
                found.push(format!("{}:{}: {word}: {why}", path.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_test_is_ignored() {
    let attribute = format!("#[{}", "ignore");
    let ignored: Vec<_> =
        rooms().into_iter().filter(|(_, _, text)| text.contains(&attribute)).map(|(_, path, _)| path).collect();
    assert!(ignored.is_empty(), "ignored tests in {ignored:?}");
}

#[test]
fn unsafe_code_has_one_door() {
    let word = format!("{} {{", "unsafe");
    let outside = |(room, path, text): &(String, PathBuf, String)| {
        room != "llvm" && !path.starts_with("host/run") && text.contains(&word)
    };
    let wrong: Vec<_> = rooms().into_iter().filter(outside).map(|(_, path, _)| path).collect();
    assert!(wrong.is_empty(), "unsafe code outside llvm/ and host/run/: {wrong:?}");
}

#[test]
fn files_are_named_by_what_they_hold() {
    let is_empty_name =
        |path: &PathBuf| path.file_stem().is_some_and(|stem| EMPTY_NAMES.contains(&stem.to_string_lossy().as_ref()));
    let wrong: Vec<_> = rooms().into_iter().map(|(_, path, _)| path).filter(is_empty_name).collect();
    assert!(wrong.is_empty(), "files whose name says nothing: {wrong:?}");
}
