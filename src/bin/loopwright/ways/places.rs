//! Where the plugin and the tools are, and which versions they have.
//!
//! The plugin is a file for one version of LLVM: `loopwright plugin` prints `/usr/lib/libloopwright.so` where the command is
//! `/usr/bin/loopwright`. A tool is looked for under the name that Debian gives it, `clang-22`, and then as `clang`, if that is version 22.

use loopwright::options::split;
use std::env::{self, consts};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of LLVM that the plugin is for, as `build.rs` wants it.
pub const LLVM: Version = Version { major: 22, minor: 1 };

/// The file to load, if it is not beside the command.
const PLUGIN_VARIABLE: &str = "LOOPWRIGHT_PLUGIN";

/// Where the plugin may be, seen from the folder of the command: in a folder of cargo's, and where `scripts/install` puts it.
const FOLDERS: [&str; 2] = ["", "../lib"];

/// The first numbers of a version: before them LLVM changes what its files and interfaces mean, after them it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

/// A program of LLVM.
pub struct Tool {
    /// As LLVM calls it.
    pub name: &'static str,
    /// The environment variable that names another.
    pub variable: &'static str,
}

/// The plugin's file.
///
/// # Errors
/// It is nowhere; as a sentence that says where it was looked for.
pub fn plugin() -> Result<PathBuf, String> {
    if let Some(path) = env::var_os(PLUGIN_VARIABLE).map(PathBuf::from) {
        let found = path.canonicalize();
        return found.map_err(|error| format!("{PLUGIN_VARIABLE} names the plugin '{}': {error}", path.display()));
    }
    let command = env::current_exe().map_err(|error| format!("the place of this command is not known: {error}"))?;
    let folder = command.parent().unwrap_or(Path::new("/"));
    let file = format!("{}loopwright{}", consts::DLL_PREFIX, consts::DLL_SUFFIX);
    let places = FOLDERS.map(|place| folder.join(place).join(&file));
    places.iter().find_map(|place| place.canonicalize().ok()).ok_or_else(|| {
        let places = places.map(|place| format!("'{}'", place.display()));
        format!("the plugin is not there: neither {}; {PLUGIN_VARIABLE} may name it", places.join(" nor "))
    })
}

impl Version {
    /// The version in what a tool prints about itself: the first number with a dot that follows `after`.
    pub fn read(text: &str, after: &str) -> Option<Version> {
        let rest = &text[text.find(after)? + after.len()..];
        let mut numbers = rest.trim_start().split(|c: char| !c.is_ascii_digit());
        Some(Version { major: numbers.next()?.parse().ok()?, minor: numbers.next()?.parse().ok()? })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Tool {
    /// The command of the tool, perhaps with first words of its own (`LOOPWRIGHT_CC='ccache "/a b/clang-22"'`).
    ///
    /// # Errors
    /// There is none of the plugin's version of LLVM; as a sentence.
    pub fn find(&self) -> Result<Vec<OsString>, String> {
        if let Some(named) = env::var(self.variable).ok().filter(|named| !named.trim().is_empty()) {
            let words = match Path::new(&named).exists() {
                true => vec![OsString::from(&named)],
                false => split(&named, char::is_whitespace).into_iter().map(OsString::from).collect(),
            };
            return match version_of(&words) {
                Some(version) if version == LLVM => Ok(words),
                Some(other) => {
                    Err(format!("{}='{named}' is of LLVM {other}; the plugin is for LLVM {LLVM}", self.variable))
                }
                None => Err(format!("{}='{named}' is no {} of LLVM {LLVM}, or does not run", self.variable, self.name)),
            };
        }
        let versioned = format!("{}-{}", self.name, LLVM.major);
        if on_path(&versioned) {
            return Ok(vec![versioned.into()]);
        }
        let plain = vec![OsString::from(self.name)];
        match version_of(&plain) {
            Some(version) if version == LLVM => Ok(plain),
            other => {
                let beside = other.map(|other| format!(" ({} here is of LLVM {other})", self.name)).unwrap_or_default();
                let Tool { name, variable } = self;
                Err(format!(
                    "{versioned} is not there{beside}: install it, or let {variable} name {name} of LLVM {LLVM}"
                ))
            }
        }
    }
}

/// The version that a tool of LLVM says it has.
pub fn version_of(words: &[OsString]) -> Option<Version> {
    let (command, first) = words.split_first()?;
    let output = Command::new(command).args(first).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ["clang version", "flang version", "LLD"].iter().find_map(|name| Version::read(&text, name))
}

fn on_path(name: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_tools_print() {
        let read = |text, after| Version::read(text, after).map(|version| version.to_string());
        assert_eq!(read("Debian clang version 22.1.8 (1~deb12u1)\nTarget: x", "clang version"), Some("22.1".into()));
        assert_eq!(read("release: 1.95.0\nLLVM version: 22.1.2\n", "LLVM version:"), Some("22.1".into()));
        assert_eq!(read("LLVM version: 23.1-rust-1.99.0-nightly", "LLVM version:"), Some("23.1".into()));
        assert_eq!(read("gcc (Debian 12.2.0-14) 12.2.0", "clang version"), None);
    }
}
