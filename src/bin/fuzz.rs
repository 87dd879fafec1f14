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
use std::collections::BTreeMap;
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
    /// The first case.
    #[arg(long, default_value_t = 0)]
    seed: u64,
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

#[derive(Default)]
struct Tally {
    cases: u64,
    changed: u64,
    failures: Vec<(u64, String)>,
    pairs: BTreeMap<(&'static str, &'static str), u64>,
    /// In how many programs, and in how many that were changed, a feature was.
    features: BTreeMap<&'static str, (u64, u64)>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(cases) = arguments.worker {
        return work(arguments.seed, cases);
    }
    if arguments.check {
        return check();
    }
    if !arguments.replay.is_empty() {
        return replay(&arguments.replay);
    }
    if let Some(folder) = &arguments.emit {
        return emit(folder, arguments.seed, arguments.cases.unwrap_or(1000));
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
    let Ok(mut child) = own(&["--check"], true) else { return false };
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

fn own(words: &[&str], input: bool) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).env("OMP_WAIT_POLICY", "passive").env("KMP_BLOCKTIME", "0").stdout(Stdio::piped());
    command.stdin(if input { Stdio::piped() } else { Stdio::null() }).stderr(Stdio::null()).spawn()
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
    let started = Instant::now();
    let until = arguments.minutes.map(|minutes| started + Duration::from_secs_f64(minutes * 60.0));
    let last = arguments.cases.map(|cases| arguments.seed.saturating_add(cases));
    let last = if until.is_none() { last.or(Some(arguments.seed.saturating_add(1000))) } else { last };
    let next = Arc::new(Mutex::new(arguments.seed));
    let tally = Arc::new(Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            let (next, tally) = (next.clone(), tally.clone());
            scope.spawn(move || {
                loop {
                    let mut seed = next.lock().unwrap_or_else(PoisonError::into_inner);
                    let from = *seed;
                    let size = if arguments.until_failure { BATCH / 10 } else { BATCH };
                    let to = last.map_or(from + size, |last| last.min(from + size));
                    let has_failed = || !tally.lock().unwrap_or_else(PoisonError::into_inner).failures.is_empty();
                    if arguments.until_failure && has_failed() {
                        return;
                    }
                    if from >= to || until.is_some_and(|until| Instant::now() >= until) {
                        return;
                    }
                    *seed = to;
                    drop(seed);
                    batch(from, to, until, &tally);
                    let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                    let rate = tally.cases as f64 / started.elapsed().as_secs_f64() * 60.0;
                    eprintln!(
                        "{} cases, {} of them changed, {} failed, {rate:.0} a minute",
                        tally.cases,
                        tally.changed,
                        tally.failures.len()
                    );
                }
            });
        }
    });
    let tally = Arc::into_inner(tally).and_then(|tally| tally.into_inner().ok()).unwrap_or_default();
    let seconds = started.elapsed().as_secs_f64();
    println!("{} cases in {seconds:.0} s, {:.0} a minute", tally.cases, tally.cases as f64 / seconds * 60.0);
    report(&tally, arguments)
}

/// Runs the cases in workers, a new one after each that dies.
fn batch(mut from: u64, to: u64, until: Option<Instant>, tally: &Mutex<Tally>) {
    while from < to && until.is_none_or(|until| Instant::now() < until) {
        let words = ["--seed", &from.to_string(), "--worker", &(to - from).to_string()].map(String::from);
        let Ok(mut child) = own(&words.each_ref().map(String::as_str), false) else { return };
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
                    "same" => note(tally, *from, Ok(rest.parse().unwrap_or(0))),
                    "different" => note(tally, *from, Err(rest.to_string())),
                    _ => continue,
                }
                *from += 1;
            }
        }
    }
    None
}

fn note(tally: &Mutex<Tally>, seed: u64, outcome: Result<u64, String>) {
    let features: Vec<&'static str> = random::program(seed).features().into_iter().collect();
    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    tally.cases += 1;
    match outcome {
        Ok(changed) => {
            tally.changed += u64::from(changed > 0);
            for feature in &features {
                let counts = tally.features.entry(feature).or_default();
                *counts = (counts.0 + 1, counts.1 + u64::from(changed > 0));
            }
            if changed > 0 {
                for (at, a) in features.iter().enumerate() {
                    features[at + 1..].iter().for_each(|b| *tally.pairs.entry((a, b)).or_default() += 1);
                }
            }
        }
        Err(how) => {
            eprintln!("case {seed}: {how}");
            tally.failures.push((seed, how));
        }
    }
}

fn report(tally: &Tally, arguments: &Arguments) -> ExitCode {
    let n_shrunk = if arguments.until_failure { 0 } else { MOST_SHRUNK };
    for (seed, how) in tally.failures.iter().take(n_shrunk) {
        let small = shrunk(&random::program(*seed), fails);
        let path = arguments.out.join(format!("seed-{seed}.ll"));
        let text = format!("; seed {seed}: {how}\n{}", text_of(&small));
        match std::fs::create_dir_all(&arguments.out).and_then(|()| std::fs::write(&path, text)) {
            Ok(()) => println!("case {seed}: {how}; made small in {}", path.display()),
            Err(error) => println!("case {seed}: {how}; {} cannot be written: {error}", path.display()),
        }
    }
    if arguments.coverage {
        coverage(tally);
    }
    println!("{} of {} programs were changed by the plugin", tally.changed, tally.cases);
    println!("{} passed, {} failed", tally.cases - tally.failures.len() as u64, tally.failures.len());
    ExitCode::from(u8::from(!tally.failures.is_empty()))
}

/// How often each feature was in programs that were changed, how many others it met there, and which pairs never did.
fn coverage(tally: &Tally) {
    let all: Vec<&str> = tally.features.keys().copied().collect();
    let met = |a: &str, b: &str| tally.pairs.iter().any(|((x, y), _)| (*x, *y) == (a, b) || (*x, *y) == (b, a));
    println!("feature                     programs  changed  met of {}", all.len() - 1);
    let mut n_met = 0;
    let mut missing = Vec::new();
    for (at, a) in all.iter().enumerate() {
        let others = all.iter().filter(|b| *b != a && met(a, b)).count();
        n_met += others;
        let (n, n_changed) = tally.features[a];
        println!("{a:<26} {n:>9} {n_changed:>8} {others:>5}");
        let never: Vec<&str> = all[at + 1..].iter().copied().filter(|b| !met(a, b) && !excluded(a, b)).collect();
        if !never.is_empty() {
            missing.push(format!("  never: {a} with {}", never.join(", ")));
        }
    }
    let n_excluded =
        (0..all.len()).map(|at| all[at + 1..].iter().filter(|b| excluded(all[at], b)).count()).sum::<usize>();
    let n_pairs = all.len() * all.len().saturating_sub(1) / 2 - n_excluded;
    println!("{} of {n_pairs} pairs of {} features met in one changed program", n_met / 2, all.len());
    missing.iter().for_each(|line| println!("{line}"));
    let mut rarest: Vec<_> = tally.pairs.iter().collect();
    rarest.sort_by_key(|(pair, count)| (**count, **pair));
    for ((a, b), count) in rarest.iter().take(5) {
        println!("  rarely: {a} with {b}: {count}");
    }
}

/// Whether two features cannot be in one program.
fn excluded(a: &str, b: &str) -> bool {
    const EXCLUSIVE: [&[&str]; 5] = [
        &["parallel", "sequential"],
        &["no tiles", "small tiles"],
        &["least fusion", "most fusion"],
        &["libomp", "new thread", "threads by turns"],
        &["begins at a page", "ends at a page"],
    ];
    EXCLUSIVE.iter().any(|group| group.contains(&a) && group.contains(&b))
}
