//! Each file of `extract/` has a test of its name that shows what it is about.
//!
//! `src/extract/places/rows.rs` is pinned by `llvm-tests/extract/rows.c`: a small program, and what is printed of its model or said in remarks.

use super::{rust_files, source};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Files that hold data which the tests of others show.
const WITHOUT: &[(&str, &str)] = &[
    ("drafts", "what builder, address, phi and tree make"),
    ("leaf", "where the operand trees end that tree makes"),
    ("number", "what reading gives"),
    ("root", "what a statement does, as builder says"),
    ("ssa", "single instructions, as each statement has them"),
];

#[test]
fn each_file_of_extract_has_a_test() {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_string()).unwrap_or_default();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("llvm-tests").join("extract");
    let tests: BTreeSet<String> = fs::read_dir(tests)
        .expect("the tests of extract are there")
        .map(|entry| stem(&entry.expect("tests are readable").path()))
        .collect();
    let files: BTreeSet<String> = rust_files(&source().join("extract")).iter().map(|path| stem(path)).collect();
    let is_without = |file: &String| WITHOUT.iter().any(|(known, _)| known == file);
    let missing: Vec<_> =
        files.iter().filter(|file| *file != "mod" && !is_without(file) && !tests.contains(*file)).collect();
    assert!(missing.is_empty(), "files of extract/ without a test in llvm-tests/extract: {missing:?}");
    let stray: Vec<_> = WITHOUT.iter().filter(|(file, _)| !files.contains(*file) || tests.contains(*file)).collect();
    assert!(stray.is_empty(), "files that are gone or have a test: {stray:?}");
}
