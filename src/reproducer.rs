//! What led to an internal error, as a file that anybody can run.
//!
//! The module as it was before the function, and above it what happened and the command that makes it happen again:
//!
//!     ; Loopwright 0.1.0 ran into an internal error in function 'sum':
//!     ;   law: spaces differ
//!     ; opt-22 -load-pass-plugin=libloopwright.so -passes='loopwright<only=sum;tile=8>' -disable-output THIS-FILE

use std::fmt;
use std::path::{Path, PathBuf};

/// Characters of a function's name in the file's name: mangled names may be longer than a file's name can be.
const LONGEST_NAME: usize = 40;

/// Options that say where things are written or which regions are taken: of no use elsewhere.
const NOT_REPEATED: [&str; 5] = ["first", "regions", "list-regions", "reproducers", "only"];

/// An internal error with all that it takes to see it again.
pub struct Reproducer<'a> {
    pub function: &'a str,
    /// What the error says.
    pub panic: &'a str,
    /// The options for this function alone.
    pub words: &'a [String],
    /// The module's text, before the function was changed.
    pub module: String,
}

impl Reproducer<'_> {
    /// Writes the file into a folder, which is made if it is not there; gives its path. Its name is the function's and a number that
    /// depends on the contents, so that one error has one file however often it is met.
    ///
    /// # Errors
    /// What hinders writing, as a clause for the remark.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, String> {
        let text = self.to_string();
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        let name: String = self.function.chars().filter(is_plain).take(LONGEST_NAME).collect();
        let path = folder.join(format!("loopwright-{name}-{:016x}.ll", fingerprint(&text)));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &text));
        let why = |error| format!("what reproduces it cannot be written to '{}': {error}", path.display());
        written.map_err(why).map(|()| path)
    }
}

impl fmt::Display for Reproducer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(f, "; Loopwright {version} ran into an internal error in function '{}':", self.function)?;
        self.panic.lines().try_for_each(|line| writeln!(f, ";   {line}"))?;
        let words = self.words.join(";");
        writeln!(
            f,
            "; opt-22 -load-pass-plugin=libloopwright.so -passes='loopwright<{words}>' -disable-output THIS-FILE"
        )?;
        f.write_str(&self.module)
    }
}

/// The given options, for the function of this name only.
pub fn words(given: &[String], function: &str) -> Vec<String> {
    let is_repeated = |word: &&String| {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        !NOT_REPEATED.contains(&name)
    };
    let only = format!("only={function}");
    given.iter().filter(is_repeated).cloned().chain([only]).collect()
}

/// FNV-1a: the same for the same text on every machine.
fn fingerprint(text: &str) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_repeated_but_those_of_this_run() {
        let given = ["tile=8", "first=2", "only=f*", "regions=/tmp/list", "parallel"].map(String::from);
        assert_eq!(words(&given, "fir"), ["tile=8", "parallel", "only=fir"]);
    }

    #[test]
    fn one_error_has_one_file() {
        let folder = std::env::temp_dir().join(format!("loopwright-reproducer-{}", std::process::id()));
        let what =
            |module: &str| Reproducer { function: "f::g<1>", panic: "law:\nbroken", words: &[], module: module.into() };
        let paths = ["a", "a", "b"].map(|module| what(module).write(&folder).expect("a writable folder"));
        assert!(paths[0] == paths[1] && paths[1] != paths[2]);
        let text = std::fs::read_to_string(&paths[2]).expect("the file");
        assert!(text.starts_with("; Loopwright ") && text.contains(";   law:\n;   broken\n") && text.ends_with("\nb"));
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
        let file = std::env::current_exe().expect("a file");
        assert!(what("a").write(&file).expect_err("no folder").starts_with("what reproduces it cannot be written"));
    }
}
