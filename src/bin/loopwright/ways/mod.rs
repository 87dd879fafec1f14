//! Ways into other people's builds: compilers that load the plugin by themselves, and cargo.
//!
//! ```text
//! make CC=loopwright-cc                 clang 22 with the plugin; loopwright cc is the same in two words
//! cmake -DCMAKE_CXX_COMPILER=loopwright-c++
//! FC=loopwright-fc meson setup build    flang 22
//! cargo loopwright build --release      Rust crates
//! clang-22 -O3 -fpass-plugin=$(loopwright plugin)
//! ```
//!
//! What follows `cc` is the compiler's, word for word, `--help` and `--` too: so these ways are found before the words are parsed.

mod compiler;
mod crates;
mod places;
mod response;

use clap::{Args, Subcommand};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use compiler::Language;
pub use compiler::options_help;

/// Exit code where a way is not open: a tool, the plugin or a version is missing, or a word is wrong.
const NOT_OPEN: u8 = 2;

#[derive(Subcommand)]
pub enum Way {
    /// Compile C with clang 22 and the plugin: a compiler for make, CMake, Meson, cargo's cc (also called loopwright-cc)
    #[command(disable_help_flag = true, after_long_help = compiler::HELP)]
    Cc(Words),
    /// Compile C++ so (also called loopwright-c++)
    #[command(name = "c++", disable_help_flag = true, after_long_help = compiler::HELP)]
    Cxx(Words),
    /// Compile Fortran with flang 22 and the plugin (also called loopwright-fc)
    #[command(disable_help_flag = true, after_long_help = compiler::HELP)]
    Fc(Words),
    /// Build, run or test a Rust crate with the plugin (also called as `cargo loopwright`)
    #[command(disable_help_flag = true, after_long_help = crates::HELP)]
    Cargo(Words),
    /// For cargo's use: rustc with the plugin in its linker
    #[command(hide = true)]
    Rustc(Words),
    /// For cargo's use: rustdoc with the plugin in its linker
    #[command(hide = true)]
    Rustdoc(Words),
    /// Print the path of the plugin
    Plugin,
}

#[derive(Args)]
pub struct Words {
    /// Words for the tool, as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Way {
    /// The way that a command asks for by its name, `loopwright-cc`, or by its first word, if the other words are a tool's.
    pub fn asked_for(mut call: impl Iterator<Item = OsString>) -> Option<Way> {
        let name = call.next()?;
        let name = Path::new(&name).file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let way: fn(Words) -> Way = match name {
            "loopwright-cc" => Way::Cc,
            "loopwright-c++" => Way::Cxx,
            "loopwright-fc" => Way::Fc,
            "cargo-loopwright" => Way::Cargo,
            crates::AS_RUSTC => Way::Rustc,
            crates::AS_RUSTDOC => Way::Rustdoc,
            _ => match call.next()?.to_str()? {
                "cc" => Way::Cc,
                "c++" => Way::Cxx,
                "fc" => Way::Fc,
                "cargo" => Way::Cargo,
                _ => return None,
            },
        };
        Some(way(Words { words: call.collect() }))
    }

    /// Goes this way: returns what is wrong with it, or the exit code of what was run, if it did not take the place of this process.
    pub fn take(self) -> ExitCode {
        let outcome = match self {
            Way::Cc(Words { words }) => compiler::run(Language::C, words),
            Way::Cxx(Words { words }) => compiler::run(Language::Cxx, words),
            Way::Fc(Words { words }) => compiler::run(Language::Fortran, words),
            Way::Cargo(Words { words }) => crates::run(words),
            Way::Rustc(Words { words }) => crates::rustc(words),
            Way::Rustdoc(Words { words }) => crates::rustdoc(words),
            Way::Plugin => places::plugin().map(|path| {
                super::write(&format!("{}\n", path.display()));
                ExitCode::SUCCESS
            }),
        };
        outcome.unwrap_or_else(|complaint| {
            eprintln!("loopwright: {complaint}");
            ExitCode::from(NOT_OPEN)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_after(call: &str) -> Option<(&'static str, Vec<OsString>)> {
        Way::asked_for(call.split_whitespace().map(OsString::from)).map(|way| match way {
            Way::Cc(Words { words }) => ("cc", words),
            Way::Cxx(Words { words }) => ("c++", words),
            Way::Fc(Words { words }) => ("fc", words),
            Way::Cargo(Words { words }) => ("cargo", words),
            Way::Rustc(_) | Way::Rustdoc(_) | Way::Plugin => ("", Vec::new()),
        })
    }

    #[test]
    fn a_way_is_asked_for_by_name_or_by_word() {
        assert_eq!(
            words_after("loopwright cc --help -- a.c"),
            Some(("cc", ["--help", "--", "a.c"].map(Into::into).into()))
        );
        assert_eq!(words_after("/usr/bin/loopwright-c++ cc"), Some(("c++", vec!["cc".into()])));
        assert_eq!(words_after("loopwright fc"), Some(("fc", vec![])));
        assert_eq!(
            words_after("cargo-loopwright loopwright build"),
            Some(("cargo", ["loopwright", "build"].map(Into::into).into()))
        );
        assert_eq!(words_after("loopwright deps cc"), None);
        assert_eq!(words_after("loopwright"), None);
    }
}
