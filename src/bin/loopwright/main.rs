//! The `loopwright` binary: every stage between the model and the loops, on files, with no LLVM on the machine.
//!
//! ```text
//! loopwright deps sum.scop          the dependences, for each pair of accesses
//! loopwright schedule sum.scop      a better order, as a schedule tree (--map: as a relation; --script: one written by hand)
//! loopwright ast sum.scop           loops in that order, as C
//! loopwright dataflow sum.scop      its exact dataflow program; --run runs it
//! loopwright check sum.scop         whether the model keeps its laws and a schedule its dependences
//! loopwright layout sum.scop        the model with other places in memory, if each read still has its value
//! loopwright calc [program]         the calculator
//! loopwright report DIR             a page of what the plugin wrote with the option report=DIR
//! loopwright bisect -- COMMAND      the loop nest that makes a command fail, which builds a program with the plugin and tests it
//! loopwright cc|c++|fc ...          compilers with the plugin; cargo: crates with it; plugin: where it is
//! ```
//!
//! Results go to standard output, with `--json` as JSON. A file that cannot be read, or whose text is wrong (then with its
//! line, its column and a caret), ends in exit code 2 and nothing written; a check that fails in exit code 1.

mod arguments;
mod models;
mod report;
mod ways;

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::io::{BufRead, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use arguments::{Calc, Choice, Cli, Command, Flow, Form, Loops, Model, Page, Places};
use clap::{CommandFactory, Parser};
use loopwright::ast::{self, Ast};
use loopwright::bisect::command::{Interrupts, Trial};
use loopwright::c_program;
use loopwright::calc::{self, Calculator, Printed};
use loopwright::dependence::Dependences;
use loopwright::dependence::dynamic::input::Input;
use loopwright::dependence::dynamic::positions::{self, Told};
use loopwright::dependence::dynamic::run::Runs;
use loopwright::dependence::dynamic::{Dataflow, Refusal};
use loopwright::presburger::{Id, UnionMap};
use loopwright::schedule::given::{self, Entry, Given};
use loopwright::schedule::script;
use loopwright::schedule::{self, Arrangement, Parallelism, ReductionOrder, Schedule, Tiling, Violation};
use loopwright::scop::several::Part;
use loopwright::scop::{self, Scop};
use models::{Answer, Reading, bounded, each, each_read};
use serde_json::json;
use ways::Way;

/// Steps that a command may take: minutes of work, so that a hopeless file ends in a message.
const BUDGET: u64 = 1 << 34;

/// Bytes of stack for a command: files may be nested as deeply as their readers allow, functions of programs in C called in each other as well.
const STACK: usize = 1 << 29;

/// Exit code for a file that cannot be read or whose text is wrong.
const BAD_INPUT: u8 = 2;

/// Why a command ends without a result.
enum Failure {
    Input(String),
    Check(String),
}

fn main() -> ExitCode {
    if let Some(way) = Way::asked_for(std::env::args_os()) {
        return way.take();
    }
    let command = match Cli::parse().command {
        Command::Way(way) => return way.take(),
        command => command,
    };
    match on_a_large_stack(|| run(command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let (message, code) = match failure {
                Failure::Input(message) => (message, BAD_INPUT),
                Failure::Check(message) => (message, 1),
            };
            eprintln!("loopwright: {message}");
            ExitCode::from(code)
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Deps { model, time } => print_dependences(&model, time),
        Command::Schedule { model, choice, form, time } => print_schedule(&model, &choice, &form, time),
        Command::Ast { model, choice, loops } => print_ast(&model, &choice, &loops),
        Command::Dataflow { model, flow } => print_dataflow(&model, &flow),
        Command::Layout { model, places } => print_layout(&model, &places),
        Command::Check { model, choice } => check(&model, &choice),
        Command::Bisect { timeout, show, command } => bisect(&command, timeout, show),
        Command::Report(options) => report::write(&options),
        Command::Calc(program) => calculator(&program),
        Command::Pages { page, folder } => print_page(page, folder.as_deref()),
        Command::Way(_) => unreachable!("law: ways into builds have been taken before"),
    }
}

/// Runs a command with a stack of [`STACK`] bytes.
fn on_a_large_stack(command: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    std::thread::scope(|threads| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(threads, command);
        let thread = thread.map_err(|error| Failure::Check(format!("no thread of {STACK} bytes of stack: {error}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Writes a result; a reader that has gone away is no error.
fn write(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn text_of(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))
}

/// The dependences of a model.
fn dependences_of(scop: &Scop) -> Result<Dependences, Failure> {
    let endless = || format!("{}: a read stands behind a loop that does not end", scop.name);
    Dependences::of_any(scop).map_err(|_| Failure::Check(endless()))
}

/// The schedule that is asked for; dependences are analysed if it takes any. Nothing, if there are schedules for other models only.
fn scheduled<D: Borrow<Dependences>>(
    scop: &Scop,
    dependences: impl FnOnce() -> Result<D, Failure>,
    choice: &Choice,
) -> Result<Option<Schedule>, Failure> {
    if choice.original {
        return Ok(Some(Schedule::original(scop)));
    }
    let reductions = if choice.strict { ReductionOrder::Kept } else { ReductionOrder::Free };
    let options = schedule::Options {
        parallelism: if choice.no_parallel { Parallelism::OneThread } else { Parallelism::Threads },
        arrangement: if choice.bands { Arrangement::AsFound } else { Arrangement::Arranged },
        tiling: if choice.no_tile { Tiling::Never } else { Tiling::WhereItPays },
        tile_size: choice.tile_size,
        reductions,
        ..Default::default()
    };
    let Some(path) = choice.tree.as_ref().or(choice.script.as_ref()) else {
        let dependences = dependences()?;
        return Ok(Some(Schedule::of(scop, dependences.borrow(), &options)));
    };
    let place = path.display();
    let given = Given::parse(&text_of(path)?).map_err(|e| Failure::Input(format!("{place}: {e}")))?;
    let entries = given.for_model(scop, str::to_string);
    if entries.is_empty() {
        return Ok(None);
    }
    let dependences = dependences()?;
    let dependences = dependences.borrow();
    let order = |entry: &Entry| entry.schedule(scop, dependences, &[], || Schedule::of(scop, dependences, &options));
    let Some((_, schedule)) = given::first_legal(&entries, (scop, dependences), order) else { return Ok(None) };
    let schedule = schedule.map_err(|failure| match failure {
        script::Failure::Wrong(e) => Failure::Input(format!("{place}: {e}")),
        script::Failure::Illegal(illegal) => Failure::Check(format!("{place}: {illegal}")),
    })?;
    Ok(Some(if choice.tree.is_some() { schedule.with_reductions(reductions) } else { schedule }))
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
    each(options, |Part { scop, .. }| {
        bounded(|| {
            let start = std::time::Instant::now();
            let dependences = dependences_of(scop)?;
            if time {
                eprintln!("{:.6}", start.elapsed().as_secs_f64());
            }
            Ok(match options.json {
                _ if options.format.is_some() => Answer::Drawing(dependences.drawing(scop)),
                true => Answer::Json(dependences.json(scop)),
                false => Answer::Text(dependences.report(scop).to_string()),
            })
        })?
    })
}

fn print_schedule(options: &Model, choice: &Choice, form: &Form, time: Option<u32>) -> Result<(), Failure> {
    each(options, |Part { scop, .. }| {
        bounded(|| {
            let found = OnceCell::new();
            let dependences = || match found.get() {
                Some(found) => Ok(found),
                None => dependences_of(scop).map(|new| found.get_or_init(|| new)),
            };
            if let Some(repetitions) = time {
                dependences()?;
                report_time(repetitions, || scheduled(scop, dependences, choice));
            }
            let Some(schedule) = scheduled(scop, dependences, choice)? else { return Ok(Answer::Nothing) };
            let flat = || schedule.tree.to_map().to_string();
            Ok(match form {
                _ if options.format.is_some() => Answer::Drawing(schedule.tree.drawing(&scop.name)),
                _ if options.json => {
                    let description: Vec<String> = schedule.description.iter().map(ToString::to_string).collect();
                    Answer::Json(json!({ "name": scop.name, "tree": schedule.tree.to_string(), "map": flat(),
                    "parallel": schedule.is_parallel, "tiled": schedule.is_tiled, "description": description }))
                }
                Form { map: true, .. } => Answer::Text(format!("{}\n", flat())),
                Form { flow: true, .. } => Answer::Text(format!("{}\n", schedule.tree.flow())),
                Form { jscop: true, .. } => {
                    Answer::Text(scop::jscop::print(&Scop { schedule: schedule.tree, ..scop.clone() }))
                }
                _ => Answer::Text(schedule.tree.to_string()),
            })
        })?
    })
}

fn print_ast(options: &Model, choice: &Choice, loops: &Loops) -> Result<(), Failure> {
    no_drawing(options)?;
    each(options, |Part { scop, .. }| {
        bounded(|| {
            let Some(schedule) = scheduled(scop, || dependences_of(scop), choice)? else { return Ok(Answer::Nothing) };
            if choice.tree.is_some() || choice.original && schedule.tree.root().has_claims() {
                doubt(scop, &schedule, &dependences_of(scop)?);
            }
            let generation = loops.options(!choice.no_parallel);
            let (context, steps) = (scop.trusted_context(), scop.steps());
            let generated = || Ast::in_steps(&schedule.tree, &context, &generation, &steps);
            report_time(loops.time.unwrap_or(0), generated);
            let made = generated();
            let (ast, unseparated) = made.map_err(|e| Failure::Check(format!("{}: {e}", options.file.display())))?;
            for each in unseparated {
                eprintln!("loopwright: {}: {each}", scop.name);
            }
            let c = ast::print::c99(&ast, ast::print::Options { main: loops.main });
            Ok(match options.json {
                true => Answer::Json(json!({ "name": scop.name, "ast": ast.to_string(), "c": c })),
                false => Answer::Text(c),
            })
        })?
    })
}

/// Says on standard error what is wrong with a schedule that is given, and what of it nothing can refute.
fn doubt(scop: &Scop, schedule: &Schedule, dependences: &Dependences) {
    let name = &scop.name;
    if is_believed(scop, schedule) {
        eprintln!("loopwright: {name}: {BELIEVED}");
    }
    if let Err(violation) = schedule.check(scop, dependences) {
        eprintln!("loopwright: {name}: these loops do not do what the model does, as {violation}");
    } else if let Err(violation) = schedule.check_permutable(scop, dependences) {
        eprintln!("loopwright: {name}: these loops do what the model does, but {violation}");
    }
}

/// Whether a schedule says of its loops what no dependence is known to refute.
fn is_believed(scop: &Scop, schedule: &Schedule) -> bool {
    schedule.tree.root().has_claims() && scop.statements.iter().all(|statement| statement.accesses.is_empty())
}

/// What is said of such a schedule.
const BELIEVED: &str = "no statement has accesses, so no dependence is known: which loops are coincident, and which bands permutable, is believed";

fn print_dataflow(options: &Model, flow: &Flow) -> Result<(), Failure> {
    let name = options.file.display();
    each_read(options, Reading::Exact, |Part { scop, text }| {
        bounded(|| {
            let refused = |refusal: Refusal| match refusal.place() {
                None => format!("{name}: {refusal}"),
                Some((statement, about)) => {
                    let message = refusal.to_string();
                    let found = scop.statements.iter().find(|each| each.name == *statement);
                    let located = match found.filter(|_| c_program::is_program(&name.to_string())) {
                        Some(statement) => scop::located_in_program(text, statement, &message),
                        None => scop::located(text, statement, about, &message),
                    };
                    format!("{name}: {located}")
                }
            };
            let scop = &scop.with_last_step().with_predicates();
            let dataflow = Dataflow::of(scop).map_err(|refusal| Failure::Check(refused(refusal)))?;
            let told = |told| positions::text(scop, told).map_err(|refusal| Failure::Check(refused(refusal)));
            let wrong = |what: String| Failure::Input(format!("{name}: {what}"));
            if let Some(read) = &flow.source {
                return dataflow.source_function(read).map(Answer::Text).map_err(wrong);
            }
            if !flow.unfold.is_empty() {
                let input = Input::parse(scop, "{}", &flow.unfold, None).map_err(|reason| wrong(reason.to_string()))?;
                return dataflow.unfolded(&input).map(Answer::Drawing).map_err(|reason| wrong(reason.to_string()));
            }
            Ok(match options.json {
                _ if flow.run => run_dataflow(&dataflow, options, flow)?,
                true => Answer::Json(dataflow.json()),
                _ if flow.dot || options.format.is_some() => Answer::Drawing(dataflow.drawing()),
                _ if flow.effects => Answer::Text(told(Told::Effects)?),
                _ if flow.states => Answer::Text(told(Told::States)?),
                _ if flow.c => {
                    Answer::Text(dataflow.c_source().map_err(|what| Failure::Check(format!("{name}: {what}")))?)
                }
                _ if flow.recurrences => Answer::Text(dataflow.equations()),
                _ if flow.check => {
                    dataflow.verify().map_err(|broken| Failure::Check(format!("{name}: {broken}")))?;
                    let what = "each source exists, and the graphs are inverse to each other";
                    Answer::Text(format!("{}: {what}\n", scop.name))
                }
                _ => Answer::Text(format!("; S-graph\n{}; U-graph\n{}", dataflow.s_graph(), dataflow.u_graph())),
            })
        })?
    })
}

fn run_dataflow(dataflow: &Dataflow<'_>, options: &Model, flow: &Flow) -> Result<Answer, Failure> {
    let text = flow.input.as_deref().map_or(Ok("{}".to_string()), text_of)?;
    let place = flow.input.as_ref().unwrap_or(&options.file).display();
    let input = Input::parse(dataflow.scop, &text, &flow.param, flow.fill);
    let input = input.map_err(|reason| Failure::Input(format!("{place}: {reason}")))?;
    let runs = Runs::of(dataflow, &input);
    let runs = runs.map_err(|reason| Failure::Check(format!("{}: {reason}", options.file.display())))?;
    Ok(if options.json { Answer::Json(runs.json()) } else { Answer::Text(runs.to_string()) })
}

fn print_layout(options: &Model, places: &Places) -> Result<(), Failure> {
    no_drawing(options)?;
    let name = options.file.display();
    each(options, |Part { scop, .. }| {
        bounded(|| {
            let moved = match (&places.with, &places.expand) {
                (Some(text), _) => {
                    let layout = UnionMap::parse(text).map_err(|e| Failure::Input(format!("--with: {e}")))?;
                    scop.with_layout(&layout)
                }
                (None, array) => scop.expanded(&Id::new(array.as_deref().unwrap_or_default())),
            };
            let moved = moved.map_err(|wrong| Failure::Check(format!("{name}: {}: {wrong}", scop.name)))?;
            Ok(match options.json {
                true => Answer::Json(json!({ "name": moved.name, "model": moved.to_string() })),
                false => Answer::Text(moved.to_string()),
            })
        })?
    })
}

/// For commands whose results are no graphs.
fn no_drawing(options: &Model) -> Result<(), Failure> {
    match options.format {
        None => Ok(()),
        Some(_) => Err(Failure::Input("--format draws what is a graph: deps, schedule and dataflow".to_string())),
    }
}

fn check(options: &Model, choice: &Choice) -> Result<(), Failure> {
    no_drawing(options)?;
    each(options, |Part { scop, .. }| {
        let outcome = bounded(|| {
            let dependences = dependences_of(scop)?;
            let schedule = scheduled(scop, || Ok(&dependences), choice)?;
            let checked = |schedule: Schedule| {
                if is_believed(scop, &schedule) {
                    eprintln!("loopwright: {}: {BELIEVED}", scop.name);
                }
                schedule.check(scop, &dependences)?;
                let is_given = choice.tree.is_some() || choice.original;
                if is_given { schedule.check_permutable(scop, &dependences) } else { Ok(()) }
            };
            Ok(schedule.map(checked))
        })??;
        let Some(outcome) = outcome else { return Ok(Answer::Nothing) };
        let name = &scop.name;
        let verdict = |broken: Option<(&str, &str)>| json!({ "name": name, "lawful": true, "legal": broken.is_none(), "violation": broken });
        let Err(Violation { fault, pairs }) = outcome else {
            let text = || format!("{name}: the model keeps its laws, the schedule keeps the dependences\n");
            return Ok(if options.json { Answer::Json(verdict(None)) } else { Answer::Text(text()) });
        };
        let (fault, pairs) = (format!("{fault:?}"), pairs.to_string());
        let failure = Failure::Check(format!("{name}: the schedule is wrong ({fault}) for {pairs}"));
        match options.json {
            true => Ok(Answer::Refuted(verdict(Some((&fault, &pairs))), failure)),
            false => Err(failure),
        }
    })
}

fn print_page(page: Page, folder: Option<&Path>) -> Result<(), Failure> {
    let (mut command, mut text) = (Cli::command(), Vec::new());
    match (page, folder) {
        (Page::Man, Some(folder)) => {
            let written = clap_mangen::generate_to(command, folder);
            return written.map_err(|e| Failure::Input(format!("{}: {e}", folder.display())));
        }
        (Page::Man, None) => {
            clap_mangen::Man::new(command).render(&mut text).expect("law: memory takes all that is written");
        }
        (Page::Bash, _) => clap_complete::generate(clap_complete::Shell::Bash, &mut command, "loopwright", &mut text),
    }
    write(&String::from_utf8_lossy(&text));
    Ok(())
}

fn bisect(command: &[String], timeout: Option<u64>, shows: bool) -> Result<(), Failure> {
    let interrupts = Interrupts::caught().map_err(|why| Failure::Check(format!("signals cannot be caught: {why}")))?;
    let trial = Trial { command, timeout: timeout.map(Duration::from_secs), shows, interrupts: interrupts.clone() };
    let found = trial.culprit(|line| eprintln!("bisect: {line}"));
    interrupts.obey();
    let culprit = found.map_err(Failure::Check)?;
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
