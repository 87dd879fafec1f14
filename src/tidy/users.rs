//! What is public has a user, and every option an effect.
//!
//! A function of a closed room that only tests call is a promise that nobody wants kept: it is removed, or the tests ask for what others ask for. By its
//! text: a name counts as used where it stands a second time outside of tests and comments. The algebra of sets and relations is the exception: it is complete
//! as isl's is, and held to isl and to enumeration (`presburger/OPERATIONS.md`).

use super::rooms;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose public functions are a library, complete in itself.
const LIBRARIES: &[&str] = &["presburger/named", "presburger/counting"];

/// Names that others than this crate call.
const CALLED_FROM_OUTSIDE: &[&str] = &["llvmGetPassPluginInfo"];

fn code(text: &str) -> String {
    let lines = super::without_tests(text).lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// All code outside of tests, by file: the crate's, and that of its examples.
fn sources() -> Vec<(PathBuf, String)> {
    let is_test = |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
    let own = rooms().into_iter().filter(|(room, path, _)| room != "tidy" && !is_test(path));
    let mut found: Vec<_> = own.map(|(_, path, text)| (path, code(&text))).collect();
    for path in super::rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")) {
        let text = fs::read_to_string(&path).expect("source is text");
        found.push((path, code(&text)));
    }
    found
}

/// The names that a file declares to be public.
fn public(text: &str) -> Vec<&str> {
    const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "const", "static", "type"];
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("pub")) {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').skip_while(|word| !KINDS.contains(word));
        let kind = words.next();
        let name = words.find(|word| !KINDS.contains(word) && !word.is_empty());
        found.extend(name.filter(|_| kind.is_some()));
    }
    found
}

#[test]
fn what_is_public_has_a_user() {
    let sources = sources();
    let mut n_uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, text) in &sources {
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            *n_uses.entry(word).or_default() += 1;
        }
    }
    let mut alone = Vec::new();
    for (path, text) in &sources {
        let is_library = LIBRARIES.iter().any(|library| path.starts_with(library));
        for name in public(text).into_iter().filter(|_| !is_library) {
            if n_uses[name] < 2 && !CALLED_FROM_OUTSIDE.contains(&name) {
                alone.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(alone.is_empty(), "public, and used by tests at most:\n{}", alone.join("\n"));
}

#[test]
fn every_option_has_an_effect() {
    let sources = sources();
    let options = sources.iter().find(|(path, _)| path.ends_with("options.rs")).map(|(_, text)| text.as_str());
    let options = options.expect("the options have a file");
    let start = options.find("pub struct Options {").expect("the options are a structure");
    let fields: Vec<&str> = options[start..]
        .lines()
        .skip(1)
        .take_while(|line| *line != "}")
        .filter_map(|line| line.trim().strip_prefix("pub ")?.split(':').next())
        .collect();
    assert!(fields.len() > 10, "the fields are found");
    // `options.check` where it acts; `self.cores` where `Options::on` makes a machine of it.
    let is_read = |field: &&str| {
        let reads = |(path, text): &(PathBuf, String)| match path.ends_with("options.rs") {
            true => text.contains(&format!("self.{field}")),
            false => text.contains(&format!("options.{field}")),
        };
        sources.iter().any(reads)
    };
    let dead: Vec<_> = fields.into_iter().filter(|field| !is_read(field)).collect();
    assert!(dead.is_empty(), "options that nothing reads: {dead:?}");
}
