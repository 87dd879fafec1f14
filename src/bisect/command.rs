//! The command that is run again and again, each time with other regions rewritten.
//!
//!     loopwright bisect -- sh -c 'make clean all && ./test'
//!
//! Each compiler that it starts finds in its environment where to note regions (`list-regions`) or which ones to rewrite (`regions`).
//!
//! The command is a process group of its own, so that what it started ends with it when it takes too long, or when the search is interrupted: a signal from
//! the terminal comes to this process only, which waits for it ([`Interrupts`]).

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::{Culprit, Innocent, culprit};
use crate::options::{NO_CACHE, VARIABLE};

/// How often a running command is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// So long a command that is ended may take to remove what it has half made, as `make` does.
const GRACE: Duration = Duration::from_secs(1);

/// What asks this process to end.
const INTERRUPTS: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// The signal that asked this process to end, if one has; 0 else.
#[derive(Clone, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// From now on signals end nothing by themselves.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn caught() -> io::Result<Interrupts> {
        let interrupts = Interrupts::default();
        for signal in INTERRUPTS {
            let number = usize::try_from(signal).expect("law: signals are counted from 1");
            signal_hook::flag::register_usize(signal, interrupts.0.clone(), number)?;
        }
        Ok(interrupts)
    }

    fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Ends this process by the signal that has come, as it would have ended without us; returns if none has.
    pub fn obey(&self) {
        if let Ok(signal @ 1..) = i32::try_from(self.0.load(Ordering::Relaxed)) {
            // Whoever waits for us learns of the signal; if that fails, of an error.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}

/// A command that builds a program with the plugin, and tests it.
pub struct Trial<'a> {
    /// The program to run, and its arguments.
    pub command: &'a [String],
    /// After so long the command counts as failed: a wrong program may not end.
    pub timeout: Option<Duration>,
    /// Whether what the command prints is shown.
    pub shows: bool,
    pub interrupts: Interrupts,
}

/// Where lists of regions are while a search lasts.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static SEARCHES: AtomicUsize = AtomicUsize::new(0);
        let search = SEARCHES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("loopwright-bisect-{}-{search}", std::process::id()));
        let is_word = |c: char| c != ';' && c != ',' && !c.is_whitespace();
        if !path.to_string_lossy().chars().all(is_word) {
            return Err(format!("the name of the temporary folder '{}' cannot be part of an option", path.display()));
        }
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Trial<'_> {
    /// The region that makes the command fail; `tell` hears how the search goes on.
    ///
    /// # Errors
    /// The command cannot be run, or its failing does not depend on the regions; as a sentence.
    pub fn culprit(&self, mut tell: impl FnMut(&str)) -> Result<Culprit, String> {
        let folder = Folder::new()?;
        let (list, wanted) = (folder.0.join("all"), folder.0.join("wanted"));
        let regions = self.regions(&list, &mut tell)?;
        let found = culprit(&regions, |some| {
            fs::write(&wanted, some.join("\n")).map_err(|error| format!("{}: {error}", wanted.display()))?;
            let fails = self.fails(&format!("regions={}", wanted.display()))?;
            tell(&format!("{} of {} regions: {}", some.len(), regions.len(), outcome(fails)));
            Ok(fails)
        });
        found.map_err(|innocent| match innocent {
            Innocent::FailsWithout => "the command fails with no region rewritten, too".to_string(),
            Innocent::Succeeds => "the command fails, but succeeds with the regions that were noted when it failed: \
                does it give the same each time?"
                .to_string(),
            Innocent::CannotRun(why) => why,
        })
    }

    /// The regions of a run with all of them rewritten, which must fail; in an order that does not depend on which compiler was first.
    fn regions(&self, list: &Path, tell: &mut impl FnMut(&str)) -> Result<Vec<String>, String> {
        let fails = self.fails(&format!("list-regions={}", list.display()))?;
        tell(&format!("all regions: {}", outcome(fails)));
        if !fails {
            return Err("the command succeeds: there is nothing to look for".to_string());
        }
        let text = match fs::read_to_string(list) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| format!("{}: {error}", list.display()))?,
        };
        let mut regions: Vec<String> = text.lines().map(str::to_string).collect();
        regions.sort();
        regions.dedup();
        match regions.is_empty() {
            true => {
                Err("the command fails, but no loop nest was optimized: does it compile with the plugin, and anew \
                each time?"
                    .to_string())
            }
            false => Ok(regions),
        }
    }

    /// Whether the command fails where compilers have one more option.
    fn fails(&self, option: &str) -> Result<bool, String> {
        let [program, arguments @ ..] = self.command else { return Err("there is no command".to_string()) };
        let given = std::env::var(VARIABLE).unwrap_or_default();
        let output = || if self.shows { Stdio::inherit() } else { Stdio::null() };
        let mut command = Command::new(program);
        command.args(arguments).env(VARIABLE, format!("{given} {option}"));
        // A cache of compilers in the command would not see the option, and give back what was compiled with another one.
        command.env(NO_CACHE, "1");
        command.stdin(Stdio::null()).stdout(output()).stderr(output()).process_group(0);
        let child = command.spawn().map_err(|error| format!("'{program}' cannot be run: {error}"))?;
        let status = self.ended(child).map_err(|error| format!("'{program}': {error}"))?;
        Ok(!status.is_some_and(|status| status.success()))
    }

    /// How the command ended, if it did in time.
    fn ended(&self, mut child: Child) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if self.interrupts.came() {
                end(child)?;
                return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
            }
            if self.timeout.is_some_and(|timeout| start.elapsed() >= timeout) {
                end(child)?;
                return Ok(None);
            }
            sleep(GLANCE);
        }
    }
}

/// Ends a command with all that it started: first as asked to, then without being asked.
fn end(mut child: Child) -> io::Result<()> {
    let group = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    let start = Instant::now();
    // A signal fails where nothing of the group is left, which is what it is for.
    let _ = killpg(group, Signal::SIGTERM);
    while start.elapsed() < GRACE {
        let is_over = child.try_wait()?.is_some();
        if is_over && killpg(group, None).is_err() {
            return Ok(());
        }
        sleep(GLANCE);
    }
    let _ = killpg(group, Signal::SIGKILL);
    child.wait().map(drop)
}

fn outcome(fails: bool) -> &'static str {
    if fails { "fails" } else { "succeeds" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command of the shell that stands for a compiler and a test: it has three regions, and fails if the second is rewritten.
    const COMPILER: &str = r#"
        for word in $LOOPWRIGHT_OPTIONS; do case $word in
          list-regions=*) printf 'a.c f 1\na.c f 2\nb.c g 1\n' >> "${word#*=}"; exit 1;;
          regions=*) ! grep -qx 'a.c f 2' "${word#*=}"; exit;;
        esac; done"#;

    fn found(script: &str, timeout: Option<Duration>) -> (Result<Culprit, String>, Vec<String>) {
        let command = ["sh", "-c", script].map(String::from);
        let mut heard = Vec::new();
        let trial = Trial { command: &command, timeout, shows: false, interrupts: Interrupts::default() };
        let culprit = trial.culprit(|line| heard.push(line.to_string()));
        (culprit, heard)
    }

    #[test]
    fn a_region_is_found_by_running_a_command() {
        let (culprit, heard) = found(COMPILER, None);
        assert_eq!(culprit, Ok(Culprit { region: "a.c f 2".to_string(), is_alone: true }));
        assert_eq!(heard[..3], ["all regions: fails", "0 of 3 regions: succeeds", "3 of 3 regions: fails"]);
    }

    #[test]
    fn a_cache_of_compilers_gives_nothing_back() {
        let cached = format!("[ \"$CCACHE_DISABLE\" = 1 ] || exit 1; {COMPILER}");
        assert_eq!(found(&cached, None).0.expect("a culprit").region, "a.c f 2");
    }

    #[test]
    fn commands_without_a_culprit_say_why() {
        assert!(found("true", None).0.expect_err("it succeeds").contains("succeeds"));
        assert!(found("false", None).0.expect_err("no compiler").contains("no loop nest was optimized"));
        let (hanging, heard) = found("exec sleep 60", Some(Duration::from_millis(20)));
        assert!(hanging.is_err() && heard == ["all regions: fails"]);
        let command = ["no-such-command".to_string()];
        let trial = Trial { command: &command, timeout: None, shows: false, interrupts: Interrupts::default() };
        assert!(trial.culprit(|_| ()).expect_err("no command").contains("cannot be run"));
    }

    /// A file to which a process of a script writes its number.
    fn note(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("loopwright-bisect-{name}-{}", std::process::id()))
    }

    /// The process whose number is in a file runs no more, once the system has got to ending what was killed.
    fn assert_over(note: &Path) {
        let number = fs::read_to_string(note).expect("it had time to write its number");
        let is_over = || {
            let state = fs::read_to_string(format!("/proc/{}/stat", number.trim()));
            // One that is over may wait to be counted as such.
            state.is_err() || state.is_ok_and(|state| state.contains(") Z "))
        };
        let start = Instant::now();
        while !is_over() && start.elapsed() < Duration::from_secs(20) {
            sleep(GLANCE);
        }
        assert!(is_over(), "{number} still runs");
        fs::remove_file(note).expect("it was there");
    }

    #[test]
    fn what_a_command_started_ends_with_it() {
        let (deep, stubborn) = (note("deep"), note("stubborn"));
        let script = format!(
            "sh -c 'sh -c \"echo \\$\\$ > {}; exec sleep 60\"; true' & (trap '' TERM; sh -c 'echo $$ > {}; exec sleep 60'; true) & wait",
            deep.display(),
            stubborn.display()
        );
        let start = Instant::now();
        let (hanging, heard) = found(&script, Some(Duration::from_millis(700)));
        assert!(hanging.is_err() && heard == ["all regions: fails"]);
        assert!(start.elapsed() < Duration::from_secs(30), "nobody waits for what sleeps");
        assert_over(&deep);
        assert_over(&stubborn);
    }

    #[test]
    fn an_interrupt_leaves_nothing_behind() {
        let left = note("left");
        let script = format!("sh -c 'echo $$ > {}; exec sleep 60'; true", left.display());
        let command = ["sh", "-c", &script].map(String::from);
        let interrupts = Interrupts::default();
        let trial = Trial { command: &command, timeout: None, shows: false, interrupts: interrupts.clone() };
        let why = std::thread::scope(|scope| {
            scope.spawn(|| {
                while fs::read_to_string(&left).is_ok_and(|text| text.is_empty()) || !left.exists() {
                    sleep(GLANCE);
                }
                interrupts.0.store(2, Ordering::Relaxed);
            });
            trial.culprit(|_| ()).expect_err("it was interrupted")
        });
        assert!(why.contains("interrupted"), "{why}");
        assert_over(&left);
    }
}
