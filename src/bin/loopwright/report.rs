//! `loopwright report DIR`: the page of a report.

use crate::Failure;
use crate::arguments::Report;
use loopwright::page::page;
use loopwright::report::file::{self, Read};
use std::path::Path;

/// Writes the page and says where it is. What it lacks is said on standard error.
pub fn write(options: &Report) -> Result<(), Failure> {
    let now = read(&options.folder)?;
    let before = options.against.as_deref().map(read).transpose()?;
    let (text, complaints) =
        page(&now.modules, before.as_ref().map(|read| read.modules.as_slice()), &source).map_err(Failure::Check)?;
    let unread = now.complaints.iter().chain(before.iter().flat_map(|read| &read.complaints));
    for complaint in unread {
        eprintln!("loopwright: {complaint}; left out");
    }
    for complaint in complaints {
        eprintln!("loopwright: {complaint}; its lines are not shown");
    }
    let output = options.output.display();
    std::fs::write(&options.output, text).map_err(|why| Failure::Input(format!("{output}: {why}")))?;
    let nests: usize = now.modules.iter().map(|module| module.nests.len()).sum();
    crate::write(&format!("{output}: {nests} loop nests of {} files\n", now.modules.len()));
    Ok(())
}

fn read(place: &Path) -> Result<Read, Failure> {
    file::read(place).map_err(Failure::Input)
}

/// The text of a source file, found as the compiler found it.
fn source(directory: &str, file: &str) -> Result<String, String> {
    let path = Path::new(directory).join(file);
    let bytes = std::fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
