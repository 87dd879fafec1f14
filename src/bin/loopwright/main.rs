//! The `loopwright` binary: every stage between the model and the loops, on files, with no LLVM on the machine.
//!
//! ```text
//! loopwright deps sum.scop          the dependences, for each pair of accesses
//! loopwright schedule sum.scop      a better order, as a schedule tree (--map: as a relation; --script: one written by hand)
//! loopwright ast sum.scop           loops in that order, as C
//! loopwright dataflow sum.scop      its exact dataflow program; --run runs it
//! loopwright check sum.scop         whether the model keeps its laws and a schedule its dependences
//! loopwright calc [program]         the calculator
//! loopwright report DIR             a page of what the plugin wrote with the option report=DIR
//! loopwright bisect -- COMMAND      the loop nest that makes a command fail, which builds a program with the plugin and tests it
//! ```
//!
//! Results go to standard output, with `--json` as JSON. A file that cannot be read, or whose text is wrong (then with its
//! line, its column and a caret), ends in exit code 2 and nothing written; a check that fails in exit code 1.

mod arguments;
mod report;

use std::borrow::Borrow;
use std::cell::LazyCell;
use std::io::{BufRead, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use arguments::{Calc, Choice, Cli, Command, Flow, Loops, Model};
use clap::Parser;
use loopwright::ast::{self, Ast};
use loopwright::bisect::command::Trial;
use loopwright::calc::{self, Calculator, Printed};
use loopwright::dependence::Dependences;
use loopwright::dependence::dynamic::input::Input;
use loopwright::dependence::dynamic::run::Runs;
use loopwright::dependence::dynamic::{Dataflow, Refusal};
use loopwright::presburger::{self, ParseError};
use loopwright::schedule::script::{self, Script};
use loopwright::schedule::{self, Arrangement, Parallelism, ReductionOrder, Schedule, Tiling, Violation};
use loopwright::scop::tree::Tree;
use loopwright::scop::{self, Scop};
use serde_json::json;

/// Steps that a command may take: minutes of work, so that a hopeless file ends in a message.
const BUDGET: u64 = 1 << 34;

/// Exit code for a file that cannot be read or whose text is wrong.
const BAD_INPUT: u8 = 2;

/// Why a command ends without a result.
enum Failure {
    Input(String),
    Check(String),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Deps { model, time } => print_dependences(&model, time),
        Command::Schedule { model, choice, map, time } => print_schedule(&model, &choice, map, time),
        Command::Ast { model, choice, loops } => print_ast(&model, &choice, &loops),
        Command::Dataflow { model, flow } => print_dataflow(&model, &flow),
        Command::Check { model, choice } => check(&model, &choice),
        Command::Bisect { timeout, show, command } => bisect(&command, timeout, show),
        Command::Report(options) => report::write(&options),
        Command::Calc(program) => calculator(&program),
    };
    let (message, code) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (message, BAD_INPUT),
        Err(Failure::Check(message)) => (message, 1),
    };
    eprintln!("loopwright: {message}");
    ExitCode::from(code)
}

/// Writes a result; a reader that has gone away is no error.
fn write(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn text_of(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))
}

fn model(path: &Path) -> Result<Scop, Failure> {
    let text = text_of(path)?;
    bounded(|| scop::read(&text))?.map_err(|e: ParseError| Failure::Input(format!("{}: {e}", path.display())))
}

/// Runs `work` within the budget.
fn bounded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    presburger::within(BUDGET, work).map_err(|_| Failure::Check("this takes too many steps".to_string()))
}

/// The schedule that is asked for; dependences are analysed if it takes any.
fn scheduled<D: Borrow<Dependences>>(
    scop: &Scop,
    dependences: impl FnOnce() -> D,
    choice: &Choice,
) -> Result<Schedule, Failure> {
    if choice.original {
        return Ok(Schedule::original(scop));
    }
    if let Some(path) = &choice.tree {
        let tree = Tree::parse(&text_of(path)?);
        let tree = tree.map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
        let mut schedule = Schedule::original(scop);
        schedule.tree = tree;
        return Ok(schedule);
    }
    let options = schedule::Options {
        parallelism: if choice.no_parallel { Parallelism::OneThread } else { Parallelism::Threads },
        arrangement: if choice.bands { Arrangement::AsFound } else { Arrangement::Arranged },
        tiling: if choice.no_tile { Tiling::Never } else { Tiling::WhereItPays },
        tile_size: choice.tile_size,
        reductions: if choice.strict { ReductionOrder::Kept } else { ReductionOrder::Free },
        ..Default::default()
    };
    let dependences = dependences();
    let dependences = dependences.borrow();
    let found = || Schedule::of(scop, dependences, &options);
    match &choice.script {
        None => Ok(found()),
        Some(path) => scripted(path, scop, dependences, found),
    }
}

/// The schedule that a script makes; it is legal.
fn scripted(
    path: &Path,
    scop: &Scop,
    dependences: &Dependences,
    found: impl FnOnce() -> Schedule,
) -> Result<Schedule, Failure> {
    let place = path.display();
    let script = Script::parse(&text_of(path)?).map_err(|e| Failure::Input(format!("{place}: {e}")))?;
    script.run(scop, dependences, found).map_err(|failure| match failure {
        script::Failure::Wrong(e) => Failure::Input(format!("{place}: {e}")),
        script::Failure::Illegal(illegal) => Failure::Check(format!("{place}: {illegal}")),
    })
}

/// Says on standard error how many nanoseconds `work` takes, the best of so many times.
fn report_time<T>(repetitions: u32, mut work: impl FnMut() -> T) {
    let mut once = || {
        let start = std::time::Instant::now();
        let _ = std::hint::black_box(work());
        start.elapsed().as_nanos()
    };
    if let Some(best) = (0..repetitions).map(|_| once()).min() {
        eprintln!("{best}");
    }
}

fn print_dependences(options: &Model, time: bool) -> Result<(), Failure> {
    let scop = model(&options.file)?;
    let text = bounded(|| {
        let start = std::time::Instant::now();
        let dependences = Dependences::of(&scop);
        if time {
            eprintln!("{:.6}", start.elapsed().as_secs_f64());
        }
        if options.json { format!("{:#}\n", dependences.json(&scop)) } else { dependences.report(&scop).to_string() }
    })?;
    write(&text);
    Ok(())
}

fn print_schedule(options: &Model, choice: &Choice, map: bool, time: Option<u32>) -> Result<(), Failure> {
    let scop = model(&options.file)?;
    let text = bounded(|| {
        let dependences = LazyCell::new(|| Dependences::of(&scop));
        if let Some(repetitions) = time {
            LazyCell::force(&dependences);
            report_time(repetitions, || scheduled(&scop, || &*dependences, choice));
        }
        let schedule = scheduled(&scop, || &*dependences, choice)?;
        let flat = if map || options.json { schedule.tree.to_map().to_string() } else { String::new() };
        Ok(if options.json {
            let description: Vec<String> = schedule.description.iter().map(ToString::to_string).collect();
            let document = json!({ "name": scop.name, "tree": schedule.tree.to_string(), "map": flat,
                "parallel": schedule.is_parallel, "tiled": schedule.is_tiled, "description": description });
            format!("{document:#}\n")
        } else if map {
            format!("{flat}\n")
        } else {
            schedule.tree.to_string()
        })
    })??;
    write(&text);
    Ok(())
}

fn print_ast(options: &Model, choice: &Choice, loops: &Loops) -> Result<(), Failure> {
    let scop = model(&options.file)?;
    let text = bounded(|| {
        let schedule = scheduled(&scop, || Dependences::of(&scop), choice)?;
        let generation = loops.options(!choice.no_parallel);
        report_time(loops.time.unwrap_or(0), || Ast::of(&schedule.tree, &scop.trusted_context(), &generation));
        let ast = Ast::of(&schedule.tree, &scop.trusted_context(), &generation);
        let ast = ast.map_err(|e| Failure::Check(format!("{}: {e}", options.file.display())))?;
        let c = ast::print::c99(&ast, ast::print::Options { main: loops.main });
        Ok(if options.json {
            format!("{:#}\n", json!({ "name": scop.name, "ast": ast.to_string(), "c": c }))
        } else {
            c
        })
    })??;
    write(&text);
    Ok(())
}

fn print_dataflow(options: &Model, flow: &Flow) -> Result<(), Failure> {
    let scop = model(&options.file)?;
    let source = text_of(&options.file)?;
    let name = options.file.display();
    let text = bounded(|| {
        let refused = |refusal: Refusal| match refusal.place() {
            None => format!("{name}: {refusal}"),
            Some((statement, about)) => {
                format!("{name}: {}", scop::located(&source, statement, about, &refusal.to_string()))
            }
        };
        let dataflow = Dataflow::of(&scop).map_err(|refusal| Failure::Check(refused(refusal)))?;
        Ok(match options.json {
            _ if flow.run => run_dataflow(&dataflow, options, flow)?,
            true => format!("{:#}\n", dataflow.json()),
            _ if flow.dot => dataflow.dot(),
            _ if flow.effects => dataflow.effect_trees(),
            _ if flow.check => {
                dataflow.verify().map_err(|broken| Failure::Check(format!("{name}: {broken}")))?;
                format!("{}: each source exists, and the graphs are inverse to each other\n", scop.name)
            }
            _ => format!("; S-graph\n{}; U-graph\n{}", dataflow.s_graph(), dataflow.u_graph()),
        })
    })??;
    write(&text);
    Ok(())
}

fn run_dataflow(dataflow: &Dataflow<'_>, options: &Model, flow: &Flow) -> Result<String, Failure> {
    let text = flow.input.as_deref().map_or(Ok("{}".to_string()), text_of)?;
    let place = flow.input.as_ref().unwrap_or(&options.file).display();
    let input = Input::parse(dataflow.scop, &text, &flow.param, flow.fill);
    let input = input.map_err(|reason| Failure::Input(format!("{place}: {reason}")))?;
    let runs = Runs::of(dataflow, &input);
    let runs = runs.map_err(|reason| Failure::Check(format!("{}: {reason}", options.file.display())))?;
    Ok(if options.json { format!("{:#}\n", runs.json()) } else { runs.to_string() })
}

fn check(options: &Model, choice: &Choice) -> Result<(), Failure> {
    let scop = model(&options.file)?;
    let outcome = bounded(|| {
        let dependences = Dependences::of(&scop);
        Ok(scheduled(&scop, || &dependences, choice)?.check(&scop, &dependences))
    })??;
    let legal = outcome.is_ok();
    let broken = outcome.err().map(|Violation { fault, pairs }| (format!("{fault:?}"), pairs.to_string()));
    if options.json {
        write(&format!("{:#}\n", json!({ "name": scop.name, "lawful": true, "legal": legal, "violation": broken })));
    } else if legal {
        write(&format!("{}: the model keeps its laws, the schedule keeps the dependences\n", scop.name));
    }
    match broken {
        None => Ok(()),
        Some((fault, pairs)) => {
            Err(Failure::Check(format!("{}: the schedule is wrong ({fault}) for {pairs}", scop.name)))
        }
    }
}

fn bisect(command: &[String], timeout: Option<u64>, shows: bool) -> Result<(), Failure> {
    let trial = Trial { command, timeout: timeout.map(Duration::from_secs), shows };
    let culprit = trial.culprit(|line| eprintln!("bisect: {line}")).map_err(Failure::Check)?;
    let rest = if culprit.is_alone { "" } else { ", beside loop nests that come before it (not alone)" };
    write(&format!("{}{rest}\n", culprit.region));
    Ok(())
}

/// Stack of the calculator: deep terms and many pieces recurse, and a text must not end the process.
const CALCULATOR_STACK: usize = 1 << 30;

/// Runs the calculator on a stack of its own, without a word about panics that become messages.
fn calculator(options: &Calc) -> Result<(), Failure> {
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        let work = std::thread::Builder::new().stack_size(CALCULATOR_STACK).spawn_scoped(scope, || calculate(options));
        let work = work.map_err(|e| Failure::Check(format!("no thread for the calculator: {e}")))?;
        work.join().unwrap_or_else(|_| Err(Failure::Check("the calculator has failed".to_string())))
    })
}

fn calculate(options: &Calc) -> Result<(), Failure> {
    let repetitions = options.time.map(|n| n as usize);
    if options.ops {
        let input: Box<dyn BufRead> = match &options.file {
            Some(path) => Box::new(text_of(path).map(std::io::Cursor::new)?),
            None => Box::new(std::io::stdin().lock()),
        };
        return match calc::serve(input, std::io::stdout().lock(), repetitions) {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Failure::Input(format!("standard input: {e}"))),
            _ => Ok(()),
        };
    }
    let directory = options.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let mut calculator = Calculator::new(directory).repeating(repetitions.unwrap_or(1));
    let mut show = |printed: &Printed| write(&line(printed, options));
    if options.file.is_none() && std::io::stdin().is_terminal() {
        return bounded(|| calc::shell::interact(&mut calculator, &mut show))?.map_err(Failure::Check);
    }
    let (name, text) = match &options.file {
        Some(path) => (path.display().to_string(), text_of(path)?),
        None => ("standard input".to_string(), standard_input()?),
    };
    let outcome = bounded(|| calculator.run(&text, &mut show))?;
    outcome.map_err(|e| Failure::Input(format!("{name}: {e}")))
}

/// A printed value in one line, with its time if that is asked for: as a comment, or beside the value in JSON.
fn line(printed: &Printed, options: &Calc) -> String {
    let nanoseconds = printed.time.as_nanos();
    match (options.json, options.time.is_some()) {
        (false, false) => format!("{}\n", printed.value),
        (false, true) => format!("{}  # {nanoseconds} ns\n", printed.value),
        (true, false) => format!("{}\n", printed.value.json()),
        (true, true) => format!("{}\n", json!({ "result": printed.value.json(), "ns": nanoseconds as u64 })),
    }
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|e| Failure::Input(format!("standard input: {e}")))?;
    Ok(text)
}
