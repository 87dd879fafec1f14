//! `loopwright report DIR`: the page of a report.

use crate::Failure;
use crate::arguments::Report;
use loopwright::page::{Page, page};
use loopwright::report::file::{self, Read};
use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The name of standard output.
const STANDARD_OUTPUT: &str = "-";

/// How long nothing is said of the progress, and how often it is said on something that is no terminal.
const PATIENCE: Duration = Duration::from_millis(500);
const NOW_AND_THEN: Duration = Duration::from_secs(5);

/// Writes the page and says where it is. What it lacks, and how far it is, is said on standard error.
pub fn write(options: &Report) -> Result<(), Failure> {
    let now = read(&options.folder)?;
    let before = options.against.as_deref().map(read).transpose()?;
    let progress = Progress::new();
    let Page { text, nests, complaints } =
        page(&now.modules, before.as_ref().map(|read| read.modules.as_slice()), &source, &|done, all| {
            progress.tell(done, all)
        })
        .map_err(Failure::Check)?;
    progress.end();
    let unread = now.complaints.iter().chain(before.iter().flat_map(|read| &read.complaints));
    for complaint in unread {
        eprintln!("loopwright: {complaint}; left out");
    }
    for complaint in complaints {
        eprintln!("loopwright: {complaint}");
    }
    if options.output == Path::new(STANDARD_OUTPUT) {
        crate::write(&text);
        return Ok(());
    }
    let output = options.output.display();
    std::fs::write(&options.output, text).map_err(|why| Failure::Input(format!("{output}: {why}")))?;
    crate::write(&format!("{output}: {} of {}\n", counted(nests, "loop nest"), counted(now.modules.len(), "file")));
    Ok(())
}

/// So many of something.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// How far the page is: a line that changes at a terminal, else a line now and then; nothing of what is done at once.
struct Progress {
    is_terminal: bool,
    start: Instant,
    last: Cell<Option<Instant>>,
}

impl Progress {
    fn new() -> Progress {
        Progress { is_terminal: std::io::stderr().is_terminal(), start: Instant::now(), last: Cell::new(None) }
    }

    fn tell(&self, done: usize, all: usize) {
        let between = if self.is_terminal { PATIENCE / 5 } else { NOW_AND_THEN };
        let is_soon = self.last.get().is_some_and(|last| last.elapsed() < between);
        let patience = if self.is_terminal { PATIENCE } else { NOW_AND_THEN };
        if self.start.elapsed() < patience || is_soon {
            return;
        }
        self.last.set(Some(Instant::now()));
        let (from, to) = if self.is_terminal { ("\r", "") } else { ("", "\n") };
        eprint!("{from}loopwright: {done} of {all} loop nests{to}");
        let _ = std::io::stderr().flush();
    }

    /// Takes the line away.
    fn end(&self) {
        if self.is_terminal && self.last.get().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

fn read(place: &Path) -> Result<Read, Failure> {
    file::read(place).map_err(Failure::Input)
}

/// The bytes of a source file, found as the compiler found it.
fn source(directory: &str, name: &str) -> Result<Vec<u8>, String> {
    let path = file::found(directory, name);
    std::fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))
}
