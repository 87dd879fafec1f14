//! `loopwright-fuzz`: random programs as they are against what the plugin makes of them, until time or cases are up.
//!
//! Cases run in worker processes, because a fault must not end the search; what a worker was at when it died is the failure. A failure is made
//! small and written to a folder.

use clap::Parser;
use loopwright::host::compare::{Verdict, becomes_parallel, case, compare, text_of};
use loopwright::host::program::Program;
use loopwright::host::random;
use loopwright::host::shrink::shrunk;
use loopwright::host::standalone::standalone;
use loopwright::host::tally::Tally;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A case that takes longer hangs; the machine may be busy.
const SECONDS_FOR_A_CASE: u64 = 240;

/// Cases that one worker runs: what they leave in memory goes with it.
const BATCH: u64 = 400;

/// Failures that are made small; the rest are counted.
const MOST_SHRUNK: usize = 12;

/// Random loop nests, run as they are and as the plugin leaves them.
#[derive(Parser)]
#[command(name = "loopwright-fuzz")]
struct Arguments {
    /// The first case, else 0 or, with a tally, the next one.
    #[arg(long)]
    seed: Option<u64>,
    /// How many cases.
    #[arg(long)]
    cases: Option<u64>,
    /// For how long.
    #[arg(long)]
    minutes: Option<f64>,
    /// Worker processes.
    #[arg(long, default_value_t = 2)]
    jobs: u64,
    /// Where failures are written.
    #[arg(long, default_value = "llvm-tests/found")]
    out: PathBuf,
    /// Which features met in one case, pair by pair.
    #[arg(long)]
    coverage: bool,
    /// Adds what this and earlier runs found in this file, and shows all of it.
    #[arg(long)]
    tally: Option<PathBuf>,
    /// Ends at the first failure, which is not made small.
    #[arg(long)]
    until_failure: bool,
    /// Runs the programs of these files (as written by a failure) instead of random ones.
    #[arg(long, num_args = 1..)]
    replay: Vec<PathBuf>,
    /// Writes the cases that become parallel into this folder, as modules that run without the fuzzer, instead of running them.
    #[arg(long)]
    emit: Option<PathBuf>,
    /// A worker: runs the cases from `seed` on and says which.
    #[arg(long, hide = true)]
    worker: Option<u64>,
    /// Runs the program on standard input and says what came out.
    #[arg(long, hide = true)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(cases) = arguments.worker {
        return work(arguments.seed.unwrap_or(0), cases);
    }
    if arguments.check {
        return check();
    }
    if !arguments.replay.is_empty() {
        return replay(&arguments.replay);
    }
    if let Some(folder) = &arguments.emit {
        return emit(folder, arguments.seed.unwrap_or(0), arguments.cases.unwrap_or(1000));
    }
    search(&arguments)
}

/// Writes `case-SEED.ll` and `case-SEED.main.ll` for each case with threads in it.
fn emit(folder: &Path, seed: u64, cases: u64) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let write = |name: String, text: &str| std::fs::write(folder.join(name), text);
    let mut n_written = 0;
    for seed in seed..seed.saturating_add(cases) {
        let program = random::program(seed);
        if !becomes_parallel(&program) {
            continue;
        }
        let texts = standalone(&program);
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| write(format!("case-{seed}.ll"), &texts.module))
            .and_then(|()| write(format!("case-{seed}.main.ll"), &texts.surroundings));
        if let Err(error) = written {
            eprintln!("loopwright-fuzz: {} cannot be written: {error}", folder.display());
            return ExitCode::from(2);
        }
        n_written += 1;
    }
    println!("{n_written} of {cases} programs become parallel");
    ExitCode::SUCCESS
}

fn work(seed: u64, cases: u64) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    for seed in seed..seed.saturating_add(cases) {
        println!("case {seed}");
        let (_, verdict) = case(seed);
        match verdict {
            Verdict::Same { changed } => println!("same {}", u8::from(changed)),
            Verdict::Different(how) => println!("different {}", how.replace('\n', " ")),
        }
    }
    ExitCode::SUCCESS
}

fn check() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    let Ok(program) = read.map_err(drop).and_then(|_| serde_json::from_str::<Program>(&text).map_err(drop)) else {
        eprintln!("loopwright-fuzz: standard input is no program");
        return ExitCode::from(2);
    };
    match compare(&program) {
        Verdict::Same { .. } => ExitCode::SUCCESS,
        Verdict::Different(how) => {
            println!("{how}");
            ExitCode::from(1)
        }
    }
}

/// Whether the program fails in a process of its own.
fn fails(program: &Program) -> bool {
    let Ok(mut child) = own(&["--check"], Stdio::piped()) else { return false };
    let text = serde_json::to_string(program).unwrap_or_default();
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return !status.success(),
            Ok(None) if started.elapsed() < Duration::from_secs(SECONDS_FOR_A_CASE) => {
                std::thread::sleep(Duration::from_millis(2));
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return true;
            }
        }
    }
}

fn own(words: &[&str], input: Stdio) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).env("OMP_WAIT_POLICY", "passive").env("KMP_BLOCKTIME", "0").stdout(Stdio::piped());
    command.stdin(input).stderr(Stdio::null()).spawn()
}

fn replay(files: &[PathBuf]) -> ExitCode {
    let mut n_failed = 0;
    for file in files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let data = text.lines().find_map(|line| line.strip_prefix("; program "));
        let Some(Ok(program)) = data.map(serde_json::from_str::<Program>) else {
            eprintln!("loopwright-fuzz: {} has no line `; program`", file.display());
            return ExitCode::from(2);
        };
        let failed = fails(&program);
        n_failed += usize::from(failed);
        println!("{}: {}", file.display(), if failed { "different" } else { "same" });
    }
    println!("{} passed, {n_failed} failed", files.len() - n_failed);
    ExitCode::from(u8::from(n_failed > 0))
}

fn search(arguments: &Arguments) -> ExitCode {
    let known = arguments.tally.as_deref().map_or(Ok(Tally::default()), Tally::read);
    let known = match known {
        Ok(known) => known,
        Err(complaint) => {
            eprintln!("loopwright-fuzz: {complaint}");
            return ExitCode::from(2);
        }
    };
    let started = Instant::now();
    let until = arguments.minutes.map(|minutes| started + Duration::from_secs_f64(minutes * 60.0));
    let first = arguments.seed.unwrap_or(known.next);
    let last = arguments.cases.map(|cases| first.saturating_add(cases));
    let last = if until.is_none() { last.or(Some(first.saturating_add(1000))) } else { last };
    let (n_known, n_failed, seconds) = (known.cases, known.failures.len(), known.seconds);
    let next = Arc::new(Mutex::new(first));
    let tally = Arc::new(Mutex::new(known));
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            let (next, tally) = (next.clone(), tally.clone());
            scope.spawn(move || {
                loop {
                    let mut seed = next.lock().unwrap_or_else(PoisonError::into_inner);
                    let from = *seed;
                    let size = if arguments.until_failure { BATCH / 10 } else { BATCH };
                    let to = last.map_or(from + size, |last| last.min(from + size));
                    let has_failed = || locked(&tally).failures.len() > n_failed;
                    if arguments.until_failure && has_failed() {
                        return;
                    }
                    if from >= to || until.is_some_and(|until| Instant::now() >= until) {
                        return;
                    }
                    *seed = to;
                    drop(seed);
                    batch(from, to, until, &tally);
                    let mut tally = locked(&tally);
                    tally.seconds = seconds + started.elapsed().as_secs_f64();
                    progress(&tally, arguments);
                }
            });
        }
    });
    let tally = Arc::into_inner(tally).and_then(|tally| tally.into_inner().ok()).unwrap_or_default();
    let seconds = started.elapsed().as_secs_f64();
    let n = tally.cases - n_known;
    println!("{n} cases in {seconds:.0} s, {:.0} a minute", n as f64 / seconds * 60.0);
    report(&tally, n_failed, arguments)
}

fn locked(tally: &Mutex<Tally>) -> std::sync::MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says how far all runs are, and keeps it.
fn progress(tally: &Tally, arguments: &Arguments) {
    let Tally { cases, changed, failures, seconds, .. } = tally;
    let rate = *cases as f64 / seconds * 60.0;
    eprintln!("{cases} cases, {changed} of them changed, {} failed, {rate:.0} a minute", failures.len());
    if let Some(Err(complaint)) = arguments.tally.as_deref().map(|path| tally.write(path)) {
        eprintln!("loopwright-fuzz: {complaint}");
    }
}

/// Runs the cases in workers, a new one after each that dies.
fn batch(mut from: u64, to: u64, until: Option<Instant>, tally: &Mutex<Tally>) {
    while from < to && until.is_none_or(|until| Instant::now() < until) {
        let words = ["--seed", &from.to_string(), "--worker", &(to - from).to_string()].map(String::from);
        let Ok(mut child) = own(&words.each_ref().map(String::as_str), Stdio::null()) else { return };
        let lines = lines_of(&mut child);
        let died = listen(&lines, &mut from, to, tally);
        let _ = child.kill();
        let _ = child.wait();
        if let Some(how) = died {
            note(tally, from, Err(how));
            from += 1;
        }
    }
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (send, receive) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).all(|line| send.send(line).is_ok())
        });
    }
    receive
}

/// Follows a worker; `from` becomes the case that it was at. How it died, if it did.
fn listen(lines: &Receiver<String>, from: &mut u64, to: u64, tally: &Mutex<Tally>) -> Option<String> {
    while *from < to {
        match lines.recv_timeout(Duration::from_secs(SECONDS_FOR_A_CASE)) {
            Err(RecvTimeoutError::Timeout) => return Some("hangs".to_string()),
            Err(RecvTimeoutError::Disconnected) => return Some("the process died".to_string()),
            Ok(line) => {
                let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                match word {
                    "same" => note(tally, *from, Ok(rest == "1")),
                    "different" => note(tally, *from, Err(rest.to_string())),
                    _ => continue,
                }
                *from += 1;
            }
        }
    }
    None
}

fn note(tally: &Mutex<Tally>, seed: u64, outcome: Result<bool, String>) {
    if let Err(how) = &outcome {
        eprintln!("case {seed}: {how}");
    }
    locked(tally).note(seed, &random::program(seed), outcome);
}

fn report(tally: &Tally, n_known: usize, arguments: &Arguments) -> ExitCode {
    let n_shrunk = if arguments.until_failure { 0 } else { MOST_SHRUNK };
    for (seed, how) in tally.failures[n_known..].iter().take(n_shrunk) {
        let small = shrunk(&random::program(*seed), fails);
        let path = arguments.out.join(format!("seed-{seed}.ll"));
        let text = format!("; seed {seed}: {how}\n{}", text_of(&small));
        match std::fs::create_dir_all(&arguments.out).and_then(|()| std::fs::write(&path, text)) {
            Ok(()) => println!("case {seed}: {how}; made small in {}", path.display()),
            Err(error) => println!("case {seed}: {how}; {} cannot be written: {error}", path.display()),
        }
    }
    if arguments.coverage {
        print!("{}", tally.coverage());
    }
    let Tally { cases, changed, failures, seconds, .. } = tally;
    if arguments.tally.is_some() {
        println!("all runs: {cases} cases in {seconds:.0} s");
    }
    println!("{changed} of {cases} programs were changed by the plugin");
    println!("{} passed, {} failed", cases - failures.len() as u64, failures.len());
    ExitCode::from(u8::from(failures.len() > n_known))
}
