//! Rust crates: `cargo loopwright build --release` is `cargo build --release` with the plugin.
//!
//! A stable rustc loads no plugins, and its LLVM is a library of its own. But it can leave the making of machine code to the linker (`-C linker-plugin-lto`,
//! in its book "Linker-plugin-based LTO"): it hands over LLVM's intermediate code, and `ld.lld` of the plugin's LLVM, which loads plugins, optimizes the crate with
//! all that it depends on. So rustc's LLVM must be of the same version as the plugin's, which is looked at before anything is built:
//!
//! | rustc | its LLVM |
//! |---|---|
//! | 1.95 | 22.1 |
//!
//! What cargo builds for itself (build scripts, procedural macros) stays as it is: cargo says `--target` to rustc only for the rest, and the flags are
//! added to just these calls, behind whatever flags the user's own configuration has (its `linker` gives way). All is kept apart in `target/loopwright`, so that other builds
//! need not begin anew; `target/loopwright/remarks` holds what was done and why not, one file in YAML for each program and part of it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::places::{self, LLVM, Tool, Version};
use loopwright::options::{Options, VARIABLE, words};

/// Where a call of rustc or rustdoc finds the flags to add.
const FLAGS: &str = "LOOPWRIGHT_RUST_FLAGS";

/// ... the folder for remarks.
const REMARKS: &str = "LOOPWRIGHT_RUST_REMARKS";

/// ... the user's own wrapper of rustc.
const WRAPPER: &str = "LOOPWRIGHT_RUST_WRAPPER";

/// ... the real rustdoc.
const RUSTDOC: &str = "LOOPWRIGHT_RUSTDOC";

/// Between flags, as in cargo's `CARGO_ENCODED_RUSTFLAGS`: no flag has it.
const SEPARATOR: &str = "\x1f";

/// Under these names this command stands before rustc and rustdoc.
pub const AS_RUSTC: &str = "loopwright-rustc";
pub const AS_RUSTDOC: &str = "loopwright-rustdoc";

/// The commands of cargo that build something which can be optimized; `clean` removes it.
const COMMANDS: [&str; 9] = ["build", "b", "run", "r", "test", "t", "bench", "rustc", "clean"];

pub const HELP: &str = "\
cargo loopwright COMMAND ... (also loopwright cargo COMMAND ...): cargo, with Loopwright's plugin in the linker, for rustc 1.95 (LLVM 22.1)

  build, run, test, bench, rustc    as those of cargo, with all of its words; --release, as otherwise nothing is optimized
  clean                             removes what was built so

All is kept apart in target/loopwright; target/loopwright/remarks says what was done with which loops.

Environment:
  LOOPWRIGHT_OPTIONS       options of the plugin: 'parallel report=\"my report\"'
  LOOPWRIGHT_CC, LOOPWRIGHT_LLD
                           another clang and ld.lld of LLVM 22
  LOOPWRIGHT_PLUGIN        another plugin
";

/// A call of cargo.
struct Cargo {
    command: String,
    rest: Vec<OsString>,
    /// What rustc says it runs on.
    host: String,
    /// Where everything is kept.
    folder: PathBuf,
    configured: Configuration,
}

/// What the user's own configuration says of builds, in cargo's words: the table `build` of all its files and of `--config`.
#[derive(Default)]
struct Configuration(serde_json::Value);

impl Configuration {
    /// Asks cargo, which alone knows all places. The command is not stable yet and asked for as nightly does; where it says nothing, nothing is configured.
    fn of(words: &[OsString]) -> Configuration {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "config", "get", "build", "--format", "json"]);
        command.args(values_of(words, "--config").iter().flat_map(|value| ["--config", value]));
        let output = command.output().ok().filter(|output| output.status.success());
        let said = output.and_then(|output| serde_json::from_slice::<serde_json::Value>(&output.stdout).ok());
        Configuration(said.map(|mut said| said["build"].take()).unwrap_or_default())
    }

    /// For what is built, if that is said.
    fn targets(&self) -> Vec<String> {
        match env::var("CARGO_BUILD_TARGET") {
            Ok(target) if !target.is_empty() => vec![target],
            _ => match &self.0["target"] {
                serde_json::Value::Array(targets) => {
                    targets.iter().filter_map(|target| target.as_str().map(String::from)).collect()
                }
                target => target.as_str().map(String::from).into_iter().collect(),
            },
        }
    }

    /// A program that stands for another one: by cargo's variables in the environment, else by the configuration.
    fn program(&self, name: &str) -> Option<OsString> {
        let variable = name.to_uppercase().replace('-', "_");
        let named = [variable.clone(), format!("CARGO_BUILD_{variable}")].iter().find_map(env::var_os);
        named.or_else(|| self.0[name].as_str().map(OsString::from))
    }
}

/// Becomes cargo.
///
/// # Errors
/// Something that is needed is not there, or has another version; as a sentence.
pub fn run(mut given: Vec<OsString>) -> Result<ExitCode, String> {
    if given.first().is_some_and(|first| first == "loopwright") {
        given.remove(0);
    }
    if given.first().is_some_and(|first| ["--help", "-h", "help"].iter().any(|word| first == word)) {
        crate::write(&format!("{HELP}\nOptions of the plugin:\n{}", super::compiler::options_help()));
        return Ok(ExitCode::SUCCESS);
    }
    let mut given = given.into_iter();
    let command = given.next().and_then(|word| word.to_str().map(String::from)).unwrap_or_default();
    if !COMMANDS.contains(&command.as_str()) {
        let commands = COMMANDS.iter().filter(|name| name.len() > 1).copied().collect::<Vec<_>>().join(", ");
        let not = if command.is_empty() { "nothing follows".to_string() } else { format!("not by '{command}'") };
        return Err(format!("cargo loopwright is followed by one of {commands}, with cargo's words for it; {not}"));
    }
    let rest: Vec<OsString> = given.collect();
    let configured = Configuration::of(&rest);
    let host = host(&configured)?;
    let asked = value_of(&rest, "--target").map(|target| vec![target.to_string()]);
    let targets = asked.unwrap_or_else(|| configured.targets());
    if let Some(target) = targets.iter().find(|target| **target != host) {
        return Err(format!("crates are built for the machine at hand ({host}) only, not for {target}"));
    }
    let folder = match value_of(&rest, "--target-dir") {
        Some(folder) => PathBuf::from(folder),
        None => target_directory(&rest)?.join("loopwright"),
    };
    let cargo = Cargo { command, rest, host, folder, configured };
    let error = if cargo.command == "clean" { cargo.call().exec() } else { cargo.with_plugin()?.exec() };
    Err(format!("cargo does not start: {error}"))
}

/// Becomes the rustc that cargo called, with the flags if it works for the program that is built.
pub fn rustc(given: Vec<OsString>) -> Result<ExitCode, String> {
    let wrapper = env::var_os(WRAPPER).filter(|wrapper| !wrapper.is_empty());
    let mut all = wrapper.into_iter().chain(given);
    let program = all.next().ok_or("no rustc to call: this name is for cargo's use")?;
    let words: Vec<OsString> = all.collect();
    become_with_flags(&program, words)
}

/// Becomes rustdoc, which builds and runs examples.
pub fn rustdoc(given: Vec<OsString>) -> Result<ExitCode, String> {
    become_with_flags(&env::var_os(RUSTDOC).unwrap_or("rustdoc".into()), given)
}

fn become_with_flags(program: &OsStr, words: Vec<OsString>) -> Result<ExitCode, String> {
    let mut command = Command::new(program);
    command.args(&words);
    if words.iter().any(|word| word == "--target" || word.as_encoded_bytes().starts_with(b"--target=")) {
        let flags = env::var(FLAGS).unwrap_or_default();
        command.args(flags.split(SEPARATOR).filter(|flag| !flag.is_empty()));
        command.args(remarks_of(&words));
        if is_archive(&words) {
            let name = value_of(&words, "--crate-name").unwrap_or_default();
            eprintln!("loopwright: lib{name}.a holds LLVM's intermediate code: link it by clang-22 with -fuse-ld=lld");
        }
    }
    let error = command.exec();
    Err(format!("{} does not start: {error}", program.display()))
}

/// Whether an archive for linkers of other languages is made, which has not seen a linker itself.
fn is_archive(words: &[OsString]) -> bool {
    let kind = |word: &[OsString]| word[0] == "--crate-type" && word[1] == "staticlib";
    words.windows(2).any(kind) || words.iter().any(|word| word == "--crate-type=staticlib")
}

/// The flag that has a link write its remarks into a file of its own.
fn remarks_of(words: &[OsString]) -> Option<String> {
    let folder = env::var(REMARKS).ok()?;
    let name = value_of(words, "--crate-name")?;
    let hash = words.iter().find_map(|word| word.to_str()?.strip_prefix("extra-filename=")).unwrap_or_default();
    Some(format!(
        "-Clink-arg=-Wl,-plugin-opt=opt-remarks-filename={folder}/{name}{hash}.yaml,-plugin-opt=opt-remarks-passes=loopwright"
    ))
}

impl Cargo {
    /// The call as cargo gets it.
    fn call(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        command.arg(&self.command);
        if self.command != "clean" && value_of(&self.rest, "--target").is_none() {
            command.args(["--target", &self.host]);
        }
        if value_of(&self.rest, "--target-dir").is_none() {
            command.arg("--target-dir").arg(&self.folder);
        }
        command.args(&self.rest);
        command
    }

    /// The call with everything in its environment that hands the program to the plugin.
    fn with_plugin(&self) -> Result<Command, String> {
        let asked = env::var(VARIABLE).unwrap_or_default();
        // The linker comes to the plugin when all is put together: the places before that lie behind.
        let asked = format!("{asked};position=late");
        let options = Options::default()
            .with(words(&asked).iter().map(String::as_str))
            .map_err(|error| error.to_string().replacen("loopwright: ", "", 1))?;
        let plugin = places::plugin()?;
        let flags = flags(&plugin, &options)?;
        self.warn_if_unoptimized();
        let remarks = self.folder.join("remarks");
        fs::create_dir_all(&remarks).map_err(|error| format!("{}: {error}", remarks.display()))?;
        let folder = self.folder.canonicalize().map_err(|error| format!("{}: {error}", self.folder.display()))?;
        self.begin_anew_if_changed(&format!("{asked}\n{}\n{:?}\n", flags.join("\n"), stamp(&plugin)))?;
        let mut command = self.call();
        command.env(VARIABLE, asked).env(FLAGS, flags.join(SEPARATOR)).env(REMARKS, folder.join("remarks"));
        command.env(WRAPPER, self.configured.program("rustc-wrapper").unwrap_or_default());
        command.env(RUSTDOC, self.configured.program("rustdoc").unwrap_or("rustdoc".into()));
        command.env("RUSTC_WRAPPER", stand_in(&folder, AS_RUSTC)?);
        command.env("RUSTDOC", stand_in(&folder, AS_RUSTDOC)?);
        Ok(command)
    }

    /// Removes what was built with other options or another plugin: cargo does not know that it is old.
    fn begin_anew_if_changed(&self, now: &str) -> Result<(), String> {
        let note = self.folder.join("built-with");
        if fs::read_to_string(&note).is_ok_and(|before| before == now) {
            return Ok(());
        }
        let built = self.folder.join(&self.host);
        if built.exists() {
            fs::remove_dir_all(&built).map_err(|error| format!("{}: {error}", built.display()))?;
        }
        fs::write(&note, now).map_err(|error| format!("{}: {error}", note.display()))
    }

    fn warn_if_unoptimized(&self) {
        let is_release = |word: &OsString| ["--release", "-r"].iter().any(|known| word == known);
        let own = self.rest.iter().take_while(|word| *word != "--");
        if self.command != "bench" && value_of(&self.rest, "--profile").is_none() && !own.into_iter().any(is_release) {
            eprintln!(
                "loopwright: without --release nothing is optimized, unless Cargo.toml sets an opt-level for this profile"
            );
        }
    }
}

/// The flags that leave code to the linker, and have it load the plugin.
fn flags(plugin: &Path, options: &Options) -> Result<Vec<String>, String> {
    let clang = Tool { name: "clang", variable: "LOOPWRIGHT_CC" }.find()?;
    let lld = Tool { name: "ld.lld", variable: "LOOPWRIGHT_LLD" }.find()?;
    // A linker is one word: whatever stands before a compiler, such as ccache, has nothing to do with links.
    let [clang, lld] =
        [clang, lld].map(|words| words.last().map_or_else(String::new, |word| word.to_string_lossy().to_string()));
    let mut flags = vec![
        "-Clinker-plugin-lto".to_string(),
        format!("-Clinker={clang}"),
        format!("-Clink-arg=--ld-path={lld}"),
        format!("-Clink-arg=-Wl,--load-pass-plugin={}", plugin.display()),
    ];
    if options.parallel == Some(true) {
        flags.push("-Clink-arg=-lomp".to_string());
    }
    Ok(flags)
}

/// What rustc calls this machine.
///
/// # Errors
/// There is no rustc, its LLVM is not the plugin's, or the machine's linker is another; as a sentence.
fn host(configured: &Configuration) -> Result<String, String> {
    let rustc = configured.program("rustc").unwrap_or("rustc".into());
    let output = Command::new(&rustc).arg("-vV").output();
    let output = output.map_err(|error| format!("{} does not start: {error}", rustc.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_string();
    match Version::read(&text, "LLVM version:") {
        Some(version) if version == LLVM => {}
        version => {
            let other = version.map_or("an unknown LLVM".to_string(), |version| format!("LLVM {version}"));
            let release = line("release: ");
            return Err(format!(
                "rustc {release} has {other}; the plugin is for LLVM {LLVM}, which rustc 1.95 has (rustup toolchain install 1.95)"
            ));
        }
    }
    match line("host: ") {
        host if host.contains("linux") => Ok(host),
        host => Err(format!("crates are built on Linux only so far, where ld.lld loads plugins; not on {host}")),
    }
}

/// Where cargo keeps what it builds from the crate at hand.
fn target_directory(words: &[OsString]) -> Result<PathBuf, String> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    command.args(value_of(words, "--manifest-path").iter().flat_map(|path| ["--manifest-path", path]));
    let output = command.output().map_err(|error| format!("cargo does not start: {error}"))?;
    let metadata: Option<serde_json::Value> = serde_json::from_slice(&output.stdout).ok();
    let folder = metadata.as_ref().and_then(|metadata| metadata["target_directory"].as_str()).map(PathBuf::from);
    folder.ok_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("cargo says nothing about the crate: {}", errors.trim().trim_start_matches("error: "))
    })
}

/// The value of an option of cargo or rustc, as in `--target X` and `--target=X`.
fn value_of<'w>(words: &'w [OsString], name: &str) -> Option<&'w str> {
    values_of(words, name).first().copied()
}

/// ... of one that may be given several times.
fn values_of<'w>(words: &'w [OsString], name: &str) -> Vec<&'w str> {
    let words: Vec<&str> =
        words.iter().map(|word| word.to_str().unwrap_or_default()).take_while(|word| *word != "--").collect();
    let value = |(at, word): (usize, &&'w str)| match word.strip_prefix(name)? {
        "" => words.get(at + 1).copied(),
        rest => rest.strip_prefix('='),
    };
    words.iter().enumerate().filter_map(value).collect()
}

/// This command under another name, by which it knows what cargo wants of it.
fn stand_in(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    let own = env::current_exe().map_err(|error| format!("the place of this command is not known: {error}"))?;
    if fs::read_link(&path).is_ok_and(|target| target == own) {
        return Ok(path);
    }
    let _ = fs::remove_file(&path);
    symlink(own, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// By what a newer plugin is known: its size, and when it was made, in seconds and nanoseconds.
fn stamp(path: &Path) -> Option<(u64, i64, i64)> {
    let facts = path.metadata().ok()?;
    Some((facts.len(), facts.mtime(), facts.mtime_nsec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_options_end_at_two_dashes() {
        let words: Vec<OsString> = ["--target=a", "--profile", "b", "--", "--target-dir", "c"].map(Into::into).into();
        let value = |name| value_of(&words, name);
        assert_eq!([value("--target"), value("--profile"), value("--target-dir")], [Some("a"), Some("b"), None]);
    }
}
