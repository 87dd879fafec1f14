//! The files of a report: `DIR/gemm.c-1f0a83c2.json` is that of `gemm.c`, wherever it was compiled, and is written anew when it is compiled again.

use super::{Module, SourceFile, VERSION};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What files of a report end in.
const EXTENSION: &str = "json";

/// Digits of the number in the name of a file.
const DIGITS: usize = 8;

/// Letters of the source's name in that of a file: systems allow some 255 bytes in all.
const MOST_LETTERS: usize = 120;

/// What is said of a folder without files of a report.
const NONE: &str = "no report in this folder or below it; compile with the option report=DIR first (clang: -mllvm -loopwright-report=DIR)";

/// So deep below the folder that is asked for reports are looked for.
const MOST_FOLDERS: usize = 16;

impl Module {
    /// Writes the file of the module into a folder, which is made if it is not there.
    ///
    /// # Errors
    /// What cannot be written and why, in a sentence.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, String> {
        let complaint = |path: &Path, why: &dyn std::fmt::Display| {
            format!("the report cannot be written to '{}': {why}", path.display())
        };
        fs::create_dir_all(folder).map_err(|why| complaint(folder, &why))?;
        let path = folder.join(self.file_name());
        let text = serde_json::to_string_pretty(self).map_err(|why| complaint(&path, &why))?;
        // Several compilers may write at a time, and one of them may be ended: nobody reads half a file.
        let draft = path.with_extension(format!("{}.part", std::process::id()));
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, &path)).map_err(|why| complaint(&path, &why))?;
        Ok(path)
    }

    /// The last part of the source's name, and a number that tells sources of one name in different folders apart.
    pub fn file_name(&self) -> String {
        let name = Path::new(&self.source).file_name().map_or("module".into(), |name| name.to_string_lossy());
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(MOST_LETTERS).collect();
        let whole = whole_path(&self.directory, &self.source);
        format!("{name}-{:0DIGITS$x}.{EXTENSION}", hashed(&whole.to_string_lossy()))
    }

    /// Notes the source files of the nests as they are now.
    pub fn note_files(&mut self) {
        let place = |nest: &super::Nest| {
            let directory = if nest.directory.is_empty() { &self.directory } else { &nest.directory };
            (directory.clone(), nest.file.clone())
        };
        let places: BTreeSet<(String, String)> = self.nests.iter().map(place).collect();
        let noted = |(directory, file): (String, String)| {
            let bytes = fs::read(found(&directory, &file)).ok()?;
            Some(SourceFile { directory, file, sha256: fingerprint(&bytes) })
        };
        self.files = places.into_iter().filter_map(noted).collect();
    }

    /// The module that a text is the report of.
    ///
    /// # Errors
    /// Why it is none, in a sentence.
    pub fn parse(text: &str) -> Result<Module, String> {
        let complaint = |why: serde_json::Error| format!("no report of Loopwright: {why}");
        let data: Value = serde_json::from_str(text).map_err(complaint)?;
        match data.get("version").and_then(Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(other) => {
                return Err(format!(
                    "a report of version {other}; this program reads version {VERSION}: compile again with its plugin"
                ));
            }
            None => return Err("no report of Loopwright: it has no version".into()),
        }
        serde_json::from_value(data).map_err(complaint)
    }
}

/// What tells whether a file is still the same: SHA-256, in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// One spelling of a file's place: `x.c`, `./x.c` and `/home/me/x.c` are the same file of `/home/me`. Where there is no such file, its name is taken as it is,
/// without what changes nothing.
pub fn whole_path(directory: &str, file: &str) -> PathBuf {
    let path = found(directory, file);
    let plain = || path.components().filter(|part| *part != Component::CurDir).collect();
    fs::canonicalize(&path).unwrap_or_else(|_| plain())
}

/// The file that was compiled under a name. Names in a report are text; where a system has bytes that are none, these are U+FFFD, and the file is the only one
/// whose name becomes that. Where there is none, or there are several, the name is taken as it is.
pub fn found(directory: &str, file: &str) -> PathBuf {
    let path = Path::new(directory).join(file);
    let part_of = |place: PathBuf, part: Component<'_>| match part {
        Component::Normal(name) if name.to_string_lossy().contains(char::REPLACEMENT_CHARACTER) => {
            let entries = fs::read_dir(if place.as_os_str().is_empty() { Path::new(".") } else { &place });
            let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
            let mut alike = names.filter(|other| other.to_string_lossy() == name.to_string_lossy());
            match (alike.next(), alike.next()) {
                (Some(only), None) => place.join(only),
                _ => place.join(name),
            }
        }
        part => place.join(part),
    };
    path.components().fold(PathBuf::new(), part_of)
}

/// FNV-1a (Fowler, Noll, Vo), folded to 32 bits.
fn hashed(text: &str) -> u32 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)) as u32
}

/// A report that was read: its modules by the names of their sources, and what could not be read.
#[derive(Default)]
pub struct Read {
    pub modules: Vec<Module>,
    pub complaints: Vec<String>,
}

/// The report in a folder and in those below it, or in a file.
///
/// # Errors
/// There is no such folder, or no report in it; a sentence.
pub fn read(place: &Path) -> Result<Read, String> {
    let complaint = |why: &dyn std::fmt::Display| format!("{}: {why}", place.display());
    let mut files: Vec<PathBuf> = Vec::new();
    match place.is_file() {
        true => files.push(place.to_path_buf()),
        false => {
            let entries = fs::read_dir(place).map_err(|why| complaint(&why))?;
            let own = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
            files.extend(own.filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION)));
            add_below(place, MOST_FOLDERS, &mut files);
        }
    }
    files.sort();
    files.dedup();
    if files.is_empty() {
        return Err(complaint(&NONE));
    }
    let mut found = Read::default();
    for path in files {
        let text = fs::read_to_string(&path).map_err(|why| why.to_string());
        // A folder of a build has other programs' files.
        let is_ours = |text: &String| text.contains("\"nests\"");
        if path != place && !is_named_so(&path) && !text.as_ref().is_ok_and(is_ours) {
            continue;
        }
        match text.and_then(|text| Module::parse(&text)) {
            Ok(module) => found.modules.push(module),
            Err(why) => found.complaints.push(format!("{}: {why}", path.display())),
        }
    }
    if found.modules.is_empty() {
        return Err(found.complaints.into_iter().next().unwrap_or_else(|| complaint(&NONE)));
    }
    found.modules.sort_by(|a, b| (&a.source, &a.directory).cmp(&(&b.source, &b.directory)));
    Ok(found)
}

/// The files of reports in the folders below one: a compiler that runs in several folders writes to `report` in each.
fn add_below(folder: &Path, deep: usize, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && deep > 0 => add_below(&entry.path(), deep - 1, files),
            Ok(kind) if kind.is_file() && is_named_so(&entry.path()) => files.push(entry.path()),
            _ => {}
        }
    }
}

/// Whether a file is called as those of reports are: below the folder that was asked for there may be other programs' files.
fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let number = name.strip_suffix(".json").and_then(|stem| stem.rsplit_once('-')).map(|(_, number)| number);
    number.is_some_and(|number| number.len() == DIGITS && number.chars().all(|c| c.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Machine, Nest, Outcome};

    fn module() -> Module {
        let nest = serde_json::json!({ "function": "f", "file": "a.c", "line": 3, "column": 1, "last_line": 5,
            "outcome": "missed", "summary": "left", "novelty": [1] });
        let nest: Nest = serde_json::from_value(nest).expect("fields that are not known, or not there, do no harm");
        assert_eq!((nest.outcome, nest.model.is_none()), (Outcome::Missed, true));
        Module {
            version: VERSION,
            producer: "test".into(),
            source: "dir/a b.c".into(),
            directory: "/x".into(),
            options: vec![],
            machine: Machine::default(),
            files: vec![],
            nests: vec![nest],
            functions: vec![],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = std::env::temp_dir().join(format!("loopwright-report-{}/inner", std::process::id()));
        let written = module().write(&folder).expect("the folder for temporary files is writable");
        assert_eq!(written.file_name().map(|n| n.to_string_lossy().starts_with("a_b.c-")), Some(true));
        fs::write(folder.join("broken.json"), "{ \"version\": 1, \"nests\": [").expect("it is writable");
        fs::write(folder.join("compile_commands.json"), "[]").expect("it is writable");
        let found = read(&folder).expect("one file is right");
        assert_eq!(found.modules, [module()]);
        assert_eq!(found.complaints.len(), 1, "the broken one is named");
        let above = read(folder.parent().expect("it is in a folder")).expect("reports are found in folders below");
        assert!(above.modules.contains(&module()));
        let long = Module { source: format!("{}.c", "x".repeat(242)), ..module() };
        long.write(&folder).expect("long names are shortened");
        fs::remove_dir_all(folder.parent().expect("it is in a folder")).expect("it was made here");
        assert!(read(&folder).is_err());
    }

    #[test]
    fn sources_of_one_name_have_files_of_their_own() {
        let elsewhere = Module { directory: "/y".into(), ..module() };
        assert_ne!(module().file_name(), elsewhere.file_name());
        let spelt = |source: &str| Module { source: source.into(), directory: "/x".into(), ..module() }.file_name();
        assert_eq!(
            [spelt("a.c"), spelt("./a.c")],
            [spelt("/x/a.c"), spelt("/x/./a.c")],
            "one file, however it is spelt"
        );
    }

    #[test]
    fn a_file_whose_name_is_no_text_is_found() {
        use std::os::unix::ffi::OsStrExt;
        let folder = std::env::temp_dir().join(format!("loopwright-report-bytes-{}", std::process::id()));
        let inner = folder.join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
        fs::create_dir_all(&inner).expect("the folder for temporary files is writable");
        let file = |name: &[u8]| inner.join(std::ffi::OsStr::from_bytes(name));
        fs::write(file(b"\xfc.c"), "abc").expect("it is writable");
        let directory = inner.to_string_lossy().into_owned();
        assert_eq!(found(&directory, "\u{fffd}.c"), file(b"\xfc.c"));
        assert_eq!(found(&directory, "b.c"), file(b"b.c"), "the folder is found where there is no such file");
        let nest = |mut nest: Nest| {
            nest.file = "\u{fffd}.c".into();
            nest
        };
        let mut strange = Module { directory: directory.clone(), ..module() };
        strange.nests = strange.nests.into_iter().map(nest).collect();
        strange.note_files();
        assert_eq!(strange.files.first().map(|file| file.sha256.as_str()), Some(fingerprint(b"abc").as_str()));
        fs::write(file(b"\xe9.c"), "other").expect("it is writable");
        let as_it_is = Path::new(&directory).join("\u{fffd}.c").file_name().map(std::ffi::OsStr::to_os_string);
        assert_eq!(
            found(&directory, "\u{fffd}.c").file_name().map(std::ffi::OsStr::to_os_string),
            as_it_is,
            "two it may be"
        );
        fs::remove_dir_all(folder).expect("it was made here");
    }

    #[test]
    fn other_versions_are_refused() {
        let said = |text: &str| Module::parse(text).unwrap_err();
        assert_eq!(
            said(r#"{ "version": 7 }"#),
            "a report of version 7; this program reads version 1: compile again with its plugin"
        );
        assert_eq!(said("{}"), "no report of Loopwright: it has no version");
        assert!(said(r#"{ "version": 1 }"#).contains("missing field `source`"));
        assert_eq!(said("[]"), "no report of Loopwright: it has no version");
    }

    #[test]
    fn a_file_that_changed_has_another_fingerprint() {
        assert!(fingerprint(b"abc").starts_with("ba7816bf8f01cfea"), "as FIPS 180-4 says");
        assert_ne!(fingerprint(b"abc"), fingerprint(b"abd"));
    }
}
