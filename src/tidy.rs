//! The architecture as tests: who may name whom, what is deliberately absent, what every file must have.
//!
//! `src/ARCHITECTURE.md` says in prose what this file checks. A room is a directory of `src/` (or a file of that name); it names another
//! room by `crate::room::...`. When a test here fails, the plan of the house has changed or the new code is in the wrong room.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// For each room, the rooms it may name.
const ARROWS: &[(&str, &[&str])] = &[
    ("presburger", &[]),
    ("scop", &["presburger"]),
    ("dependence", &["presburger", "scop"]),
    ("schedule", &["presburger", "scop", "dependence"]),
    ("ast", &["presburger", "scop", "schedule"]),
    ("calc", &["presburger", "scop", "dependence", "schedule", "ast"]),
    ("options", &[]),
    ("counters", &[]),
    ("allowance", &["presburger"]),
    ("llvm", &[]),
    ("extract", &["llvm", "scop", "presburger"]),
    ("emit", &["llvm", "extract", "scop", "schedule", "ast", "presburger"]),
    (
        "pipeline",
        &[
            "presburger",
            "scop",
            "dependence",
            "schedule",
            "ast",
            "llvm",
            "extract",
            "emit",
            "options",
            "counters",
            "allowance",
        ],
    ),
    ("plugin", &["llvm", "pipeline", "options", "counters"]),
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
    text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or(text)
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

#[test]
fn rooms_name_only_the_rooms_they_may() {
    let mut wrong = Vec::new();
    for (room, path, text) in rooms() {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else { continue };
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
fn every_room_has_its_arrows() {
    let listed =
        |room: &str| ARROWS.iter().any(|(name, _)| *name == room) || ["lib", "tidy", "property", "bin"].contains(&room);
    let unlisted: Vec<String> = rooms().into_iter().map(|(room, ..)| room).filter(|room| !listed(room)).collect();
    assert!(unlisted.is_empty(), "rooms without arrows: {unlisted:?}");
}

#[test]
fn every_file_opens_with_what_it_teaches() {
    let silent: Vec<_> =
        rooms().into_iter().filter(|(_, _, text)| !text.starts_with("//!")).map(|(_, path, _)| path).collect();
    assert!(silent.is_empty(), "files without a header: {silent:?}");
}

/// The files whose public functions are the algebra that isl's names are known for.
const ALGEBRA: [&str; 22] = [
    "aff",
    "basic_map",
    "bound",
    "coefficients",
    "fold",
    "map",
    "map_dims",
    "map_hull",
    "map_order",
    "map_product",
    "multi",
    "multi_pw",
    "pw_aff",
    "pw_qpolynomial",
    "set",
    "space",
    "union_aff",
    "union_map",
    "union_qpolynomial",
    "union_set",
    "vertices",
    "union_closure",
];

#[test]
fn public_operations_say_what_isl_calls_them() {
    let mut silent = Vec::new();
    for name in ALGEBRA {
        let path = source().join("presburger").join(name).with_extension("rs");
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
        for (number, line) in without_tests(&text).lines().enumerate() {
            for (word, why) in ABSENT {
                if line.contains(word) && !line.trim_start().starts_with("//") {
                    found.push(format!("{}:{}: {word}: {why}", path.display(), number + 1));
                }
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
    let outside = |(room, _, text): &(String, PathBuf, String)| room != "llvm" && text.contains(&word);
    let wrong: Vec<_> = rooms().into_iter().filter(outside).map(|(_, path, _)| path).collect();
    assert!(wrong.is_empty(), "unsafe code outside llvm/: {wrong:?}");
}

#[test]
fn files_are_named_by_what_they_hold() {
    let is_empty_name =
        |path: &PathBuf| path.file_stem().is_some_and(|stem| EMPTY_NAMES.contains(&stem.to_string_lossy().as_ref()));
    let wrong: Vec<_> = rooms().into_iter().map(|(_, path, _)| path).filter(is_empty_name).collect();
    assert!(wrong.is_empty(), "files whose name says nothing: {wrong:?}");
}
