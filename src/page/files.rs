//! The source files of a report: each read and coloured once, and compared with what was compiled.

use super::source::{Line, Painter};
use super::{Sources, names};
use crate::report::{Module, Nest, file};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Lines before and after a nest that are shown as well.
const AROUND: u32 = 3;

/// Lines of a nest that are shown at most.
const MOST_LINES: u32 = 400;

/// A source file.
pub struct File {
    /// Its lines in colours.
    painted: Vec<String>,
    /// Whether it is another one than what was compiled.
    pub is_changed: bool,
}

/// All that nests are in, by their places.
#[derive(Default)]
pub struct Files {
    known: BTreeMap<PathBuf, Result<File, String>>,
    /// What cannot be read, or was changed, in sentences.
    pub complaints: Vec<String>,
}

impl Files {
    pub fn of(nests: &[(&Module, &Nest)], sources: &Sources<'_>, painter: &Painter) -> Files {
        let mut files = Files::default();
        for (module, nest) in nests.iter().filter(|(_, nest)| nest.line > 0) {
            let place = names::place_of(module, nest);
            if !files.known.contains_key(&place) {
                let found = files.read(module, nest, sources, painter);
                files.known.insert(place, found);
            }
        }
        files
    }

    fn read(&mut self, module: &Module, nest: &Nest, sources: &Sources<'_>, painter: &Painter) -> Result<File, String> {
        let directory = if nest.directory.is_empty() { &module.directory } else { &nest.directory };
        let bytes = sources(directory, &nest.file).inspect_err(|why| {
            self.complaints.push(format!("{why}; its lines are not shown"));
        })?;
        let noted = module.files.iter().find(|noted| noted.directory == *directory && noted.file == nest.file);
        let is_changed = noted.is_some_and(|noted| noted.sha256 != file::fingerprint(&bytes));
        if is_changed {
            self.complaints.push(format!("{} was changed since it was compiled: its lines may be others", nest.file));
        }
        let painted = painter.painted(&String::from_utf8_lossy(&bytes), &nest.file);
        Ok(File { painted, is_changed })
    }

    /// # Errors
    /// Why the file of a nest cannot be read.
    pub fn of_nest(&self, module: &Module, nest: &Nest) -> Result<&File, &String> {
        static NOT_KNOWN: String = String::new();
        self.known.get(&names::place_of(module, nest)).map_or(Err(&NOT_KNOWN), Result::as_ref)
    }
}

impl File {
    /// The lines from `first` to `last` and some around.
    pub fn lines(&self, (first, last): (u32, u32)) -> Vec<Line> {
        let last = last.min(first.saturating_add(MOST_LINES));
        let shown = first.saturating_sub(AROUND).max(1)..=last.saturating_add(AROUND);
        let numbered = self.painted.iter().zip(1..).filter(|(_, number)| shown.contains(number));
        let line =
            |(html, number): (&String, u32)| Line { number: Some(number), html: html.clone(), statements: Vec::new() };
        numbered.map(line).collect()
    }
}
