//! The files of a report: `DIR/gemm.c-1f0a83c2.json` is that of `gemm.c`, wherever it was compiled, and is written anew when it is compiled again.

use super::{Module, VERSION};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What files of a report end in.
const EXTENSION: &str = "json";

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
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let whole = format!("{}\n{}", self.directory, self.source);
        format!("{name}-{:08x}.{EXTENSION}", hashed(&whole))
    }

    /// The module that a text is the report of.
    ///
    /// # Errors
    /// Why it is none, in a sentence.
    pub fn parse(text: &str) -> Result<Module, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: Option<u64>,
        }
        let version =
            serde_json::from_str::<Versioned>(text).map_err(|why| format!("no report of Loopwright: {why}"))?;
        match version.version {
            Some(version) if version == u64::from(VERSION) => {}
            Some(other) => return Err(format!("a report of version {other}; this program reads version {VERSION}")),
            None => return Err("no report of Loopwright: it has no version".into()),
        }
        serde_json::from_str(text).map_err(|why| format!("no report of Loopwright: {why}"))
    }
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

/// The report in a folder, or in a file of it.
///
/// # Errors
/// There is no such folder, or no report in it; a sentence.
pub fn read(place: &Path) -> Result<Read, String> {
    let complaint = |why: &dyn std::fmt::Display| format!("{}: {why}", place.display());
    let mut files: Vec<PathBuf> = match place.is_file() {
        true => vec![place.to_path_buf()],
        false => {
            let entries = fs::read_dir(place).map_err(|why| complaint(&why))?;
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(|path| is_of_report(path)).collect()
        }
    };
    files.sort();
    if files.is_empty() {
        return Err(complaint(&"no report in this folder; compile with -mllvm -loopwright-report=DIR first"));
    }
    let mut found = Read::default();
    for path in files {
        let text = fs::read_to_string(&path).map_err(|why| why.to_string());
        match text.and_then(|text| Module::parse(&text)) {
            Ok(module) => found.modules.push(module),
            Err(why) => found.complaints.push(format!("{}: {why}", path.display())),
        }
    }
    if found.modules.is_empty() {
        return Err(found.complaints.swap_remove(0));
    }
    found.modules.sort_by(|a, b| (&a.source, &a.directory).cmp(&(&b.source, &b.directory)));
    Ok(found)
}

fn is_of_report(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
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
            nests: vec![nest],
            functions: vec![],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = std::env::temp_dir().join(format!("loopwright-report-{}", std::process::id()));
        let written = module().write(&folder).expect("the folder for temporary files is writable");
        assert_eq!(written.file_name().map(|n| n.to_string_lossy().starts_with("a_b.c-")), Some(true));
        fs::write(folder.join("broken.json"), "{ \"version\": 1, ").expect("it is writable");
        let found = read(&folder).expect("one file is right");
        assert_eq!(found.modules, [module()]);
        assert_eq!(found.complaints.len(), 1, "the broken one is named");
        fs::remove_dir_all(&folder).expect("it was made here");
        assert!(read(&folder).is_err());
    }

    #[test]
    fn sources_of_one_name_have_files_of_their_own() {
        let elsewhere = Module { directory: "/y".into(), ..module() };
        assert_ne!(module().file_name(), elsewhere.file_name());
        assert_eq!(module().file_name(), module().file_name());
    }

    #[test]
    fn other_versions_are_refused() {
        let said = |text: &str| Module::parse(text).unwrap_err();
        assert_eq!(said(r#"{ "version": 7 }"#), "a report of version 7; this program reads version 1");
        assert_eq!(said("{}"), "no report of Loopwright: it has no version");
        assert!(said(r#"{ "version": 1 }"#).contains("missing field `source`"));
        assert!(said("[]").starts_with("no report of Loopwright: "));
    }
}
