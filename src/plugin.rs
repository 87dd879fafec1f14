//! What `opt` and `clang` load: the passes, their options and their place in the default pipeline.
//!
//! | name | does |
//! |---|---|
//! | `loopwright` | optimizes every loop nest it can |
//! | `print<loopwright-scops>` | prints the static control parts |
//! | `print<loopwright-dependences>` | ... their dependences |
//! | `print<loopwright-candidates>` | ... every way to run them, with its cost, or why it is rejected |
//! | `print<loopwright-schedule>` | ... the schedule tree of what the pass writes |
//! | `print<loopwright-ast>` | ... the loops that it writes |
//!
//! Parameters follow in angle brackets: `loopwright<tile=64>`, `print<loopwright-ast;tile=64>`. At `-O2` and `-O3` the
//! pass places itself; at other levels it does nothing. A panic anywhere leaves the function at hand, and the
//! module, as they were and becomes a remark that names a file with which it can be seen again ([`reproducer`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use crate::allowance::{Keep, Purse, heat};
use crate::annotations::{Annotations, is_off};
use crate::counters::Counters;
use crate::llvm::registration::{
    CommandLineOption, Pass, Phase, PipelinePlace, Plugin, PluginInfo, Point, plugin_info,
};
use crate::llvm::{Function, Module, Opcode, Remark, RemarkKind, Session};
use crate::machine::Machine;
use crate::options::{OptionError, Options, Position, TABLE, VARIABLE, words};
use crate::pipeline::{self, Task};
use crate::printers::Stage;
use crate::record;
use crate::report::{self, Nest};
use crate::reproducer::{self, Reproducer};
use crate::selection::Selection;
use crate::stages::{Table, Watch};
use tracing::info_span;

/// What every option on the command line begins with.
const PREFIX: &str = "loopwright-";

/// The attribute of a function that was handled, here or in an earlier run.
const DONE: &str = "loopwright-done";

/// The module flag clang sets under `-fopenmp`.
const OPENMP_FLAG: &str = "openmp";

/// The one it sets besides for what runs on a device that the program offloads to.
const DEVICE_FLAG: &str = "openmp-device";

const NAMES: [(&str, Task); 5] = [
    ("loopwright-scops", Task::Print(Stage::Scops)),
    ("loopwright-dependences", Task::Print(Stage::Dependences)),
    ("loopwright-candidates", Task::Print(Stage::Candidates)),
    ("loopwright-schedule", Task::Print(Stage::Schedule)),
    ("loopwright-ast", Task::Print(Stage::Ast)),
];

/// Words of the command line, in its order.
static COMMAND_LINE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The symbol LLVM looks for in a plugin.
#[allow(unsafe_code)]
// SAFETY: the name is LLVM's own for this purpose, and no other symbol of this library bears it.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    plugin_info(|| Plugin {
        name: c"loopwright",
        version: c"0.1.0",
        options: command_line_options(),
        given: note_option,
        named: pass_named,
        placed: pass_at,
    })
}

/// One task with its options, as LLVM's pass manager holds it.
struct LoopwrightPass {
    task: Task,
    /// Wrong options are reported when the pass runs: only then is there a way to report them.
    options: Result<Options, OptionError>,
    /// The options as words, from everywhere.
    words: Vec<String>,
    parameters: String,
}

impl Pass for LoopwrightPass {
    fn text(&self) -> String {
        let printed = NAMES.iter().find(|(_, task)| *task == self.task).map(|(name, _)| *name);
        match (printed, self.parameters.as_str()) {
            (Some(name), "") => format!("print<{name}>"),
            (Some(name), parameters) => format!("print<{name};{parameters}>"),
            (None, "") => "loopwright".to_string(),
            (None, parameters) => format!("loopwright<{parameters}>"),
        }
    }

    fn run(&self, session: &mut Session<'_>) -> bool {
        silence_panics();
        let module = session.module();
        let mut options = match &self.options {
            Ok(options) => options.clone(),
            Err(error) => {
                session.error(&error.to_string());
                return false;
            }
        };
        let annotations = match Annotations::of(module) {
            Ok(annotations) => annotations,
            Err(complaint) => {
                session.error(&complaint);
                return false;
            }
        };
        if module.flag(DEVICE_FLAG).is_some() {
            options.parallel.get_or_insert(false);
        }
        let watch = match Watch::of(options.time || options.report.is_some()) {
            Ok(watch) => watch,
            Err(complaint) => {
                session.error(&complaint);
                return false;
            }
        };
        let selection = match Selection::of(&options, &module.source_file()) {
            Ok(selection) => selection,
            Err(complaint) => {
                session.error(&complaint);
                return false;
            }
        };
        let mut counters = Counters::about(module.source_file());
        let mut changed = false;
        let mut account = Account::of(module, &options, &self.words);
        let purse = Purse::new(options.budget);
        let run = Run { options: &options, selection: &selection, words: &self.words, task: self.task, purse: &purse };
        for (function, keep) in with_what_is_kept(module) {
            purse.keeps(keep);
            let mut options = annotations.options_of(function, &options);
            options.parallel.get_or_insert(module.flag(OPENMP_FLAG).is_some() && !function.is_run_by_threads());
            let run = Run { options: &options, ..run };
            if is_wanted(function, &options, self.task) && function.has_cycle() {
                if function.has_addressed_block() {
                    tell_jumps(session, function);
                    continue;
                }
                let name = function.name();
                account.report.machine = record::machine(&options.on(Machine::of(session.target(function))));
                let nests = watch.during(|| {
                    info_span!("rest", function = name).in_scope(|| run_on(session, function, &run, &mut counters))
                });
                changed = true;
                let table = watch.table();
                if let Some(table) = table.as_ref().filter(|_| options.time) {
                    eprintln!("{}", table.of(&format!("{}: '{name}'", module.source_file())));
                }
                account.add(name, nests, table);
            }
        }
        if options.statistics {
            eprint!("{counters}");
        }
        if let (Some(folder), Task::Optimize) = (&options.report, self.task) {
            account.write(Path::new(folder));
        }
        changed
    }
}

fn is_wanted(function: Function<'_>, options: &Options, task: Task) -> bool {
    let is_barred = ["optnone", "minsize", "optsize", "naked"].iter().any(|bar| function.has_attribute(bar));
    let is_done = task == Task::Optimize && function.has_attribute(DONE);
    function.has_body()
        && !function.is_available_externally()
        && !function.has_collector()
        && !has_funclets(function)
        && !is_barred
        && !is_off(function)
        && !is_done
        && options.wants(&function.name())
}

/// The functions of a module, with what nests of each leave of the purse to the functions behind it: most, if it is called in no loop and functions that are
/// have as much in their loops.
fn with_what_is_kept<'ir>(module: Module<'ir>) -> Vec<(Function<'ir>, Keep)> {
    let heat = heat::of(module);
    let mut hot_behind = 0;
    let with_keep = |function: Function<'ir>| {
        let own = heat.get(&function).copied().unwrap_or_default();
        let is_setup = own.loops == 0 && own.instructions <= hot_behind;
        hot_behind += if own.loops > 0 { own.instructions } else { 0 };
        (function, if is_setup { Keep::Most } else { Keep::Quarter })
    };
    let mut functions: Vec<_> = module.functions().into_iter().rev().map(with_keep).collect();
    functions.reverse();
    functions
}

/// Whether parts of the function are handlers of exceptions as Windows has them: calls in these say in which one they are, and ours do not.
fn has_funclets(function: Function<'_>) -> bool {
    let is_pad = |opcode: Opcode| matches!(opcode, Opcode::CatchPad | Opcode::CleanupPad);
    function.blocks().iter().any(|block| block.first_after_phis().is_some_and(|first| is_pad(first.opcode())))
}

/// What is done to each function of a module.
#[derive(Clone, Copy)]
struct Run<'a> {
    options: &'a Options,
    selection: &'a Selection,
    /// The options as they were given.
    words: &'a [String],
    task: Task,
    purse: &'a Purse,
}

/// Handles a function, and says what a report says of its nests, if one is wanted.
fn run_on<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    run: &Run<'_>,
    counters: &mut Counters,
) -> Vec<Nest> {
    counters.add("functions with loops", 1);
    let Run { options, selection, task, purse, .. } = *run;
    let outcome = session.attempt(function, |session| {
        let report = pipeline::run_on_function(session, function, options, selection, task, purse);
        let told = catch_unwind(AssertUnwindSafe(|| report.tell(session, counters)));
        if told.is_err() {
            counters.add("functions with lost remarks", 1);
        }
        (report.nests, report.leaves)
    });
    let reproducer = outcome.as_ref().err().map(|text| reproducer(session, function, run, text));
    if task == Task::Optimize {
        function.add_attribute(DONE);
    }
    match outcome {
        Ok(nests) => nests,
        Err(text) => {
            counters.add("functions left after a broken law", 1);
            report_panic(session, function, &text, &reproducer.unwrap_or_default());
            Vec::new()
        }
    }
}

/// What a report says of the module.
struct Account {
    report: report::Module,
    /// Whether some function was handled in an earlier run, which had its own report.
    is_again: bool,
}

impl Account {
    fn of(module: Module<'_>, options: &Options, words: &[String]) -> Account {
        let folder = std::env::current_dir().map(|folder| folder.display().to_string());
        let report = report::Module {
            version: report::VERSION,
            producer: format!("loopwright {}", env!("CARGO_PKG_VERSION")),
            source: module.source_file(),
            directory: folder.unwrap_or_default(),
            options: words.to_vec(),
            machine: record::machine(options),
            files: Vec::new(),
            nests: Vec::new(),
            functions: Vec::new(),
        };
        Account { report, is_again: module.functions().iter().any(|function| function.has_attribute(DONE)) }
    }

    fn add(&mut self, name: String, nests: Vec<Nest>, table: Option<Table>) {
        self.report.nests.extend(nests);
        let stage = |(name, milliseconds, runs, work_units): (&str, f64, u32, u64)| report::Stage {
            name: name.to_string(),
            milliseconds,
            runs,
            work_units,
        };
        let stages = table.iter().flat_map(Table::rows).map(stage).collect();
        self.report.functions.push(report::Function { name, stages });
    }

    /// Writes the file; the program compiles all the same if that cannot be.
    fn write(&mut self, folder: &Path) {
        if self.report.nests.is_empty() && self.is_again {
            return;
        }
        self.report.note_files();
        if let Err(why) = self.report.write(folder) {
            eprintln!("loopwright: {why}");
        }
    }
}

/// Writes the module as it was before the function was read, with the command that runs into the internal error again, and says where.
fn reproducer<'ir>(session: &Session<'ir>, function: Function<'ir>, run: &Run<'_>, panic: &str) -> String {
    let name = function.name();
    let words = reproducer::words(run.words, &name);
    let what = Reproducer { function: &name, panic, words: &words, module: session.module().to_string() };
    let folder = run.options.reproducers.as_ref().map_or_else(std::env::temp_dir, PathBuf::from);
    what.write(&folder).map_or_else(|why| why, |path| format!("{} reproduces it", path.display()))
}

fn report_panic<'ir>(session: &Session<'ir>, function: Function<'ir>, text: &str, reproducer: &str) {
    let why = format!("a law of the optimizer was broken: {text}; {reproducer}");
    tell_left(session, function, "Panic", &why);
}

fn tell_jumps<'ir>(session: &Session<'ir>, function: Function<'ir>) {
    let why = "its loops may be entered by jumps to the addresses of labels; let them have a function of their own";
    tell_left(session, function, "AddressesOfLabels", why);
}

/// Says why nothing of a function is changed, where it begins.
fn tell_left<'ir>(session: &Session<'ir>, function: Function<'ir>, name: &'static str, why: &str) {
    let Some(entry) = function.entry() else { return };
    let location = function.instructions().into_iter().find_map(|instruction| instruction.location());
    let words = vec![("Reason", format!("function '{}' left as it was: {why}", function.name()))];
    let (kind, fields) = (RemarkKind::Missed, Vec::new());
    session.remark(&Remark { kind, name, location, block: entry, words, fields });
}

/// A panic is reported as a remark, so the standard report on the terminal is not wanted (but by whoever debugs this).
fn silence_panics() {
    if cfg!(debug_assertions) {
        return;
    }
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| std::panic::set_hook(Box::new(|_| {})));
}

fn command_line_options() -> Vec<CommandLineOption> {
    let rows = TABLE.iter().map(|row| CommandLineOption {
        name: format!("{PREFIX}{}", row.name),
        value: row.value,
        help: row.help,
        hidden: row.hidden,
        prefix: false,
    });
    let rest = CommandLineOption { name: PREFIX.to_string(), value: "", help: "", hidden: true, prefix: true };
    rows.chain([rest]).collect()
}

fn note_option(name: &str, value: &str) {
    let word = match (name.strip_prefix(PREFIX).unwrap_or_default(), value) {
        ("", rest) => rest.to_string(),
        (name, "") => name.to_string(),
        (name, value) => format!("{name}={value}"),
    };
    COMMAND_LINE.lock().unwrap_or_else(PoisonError::into_inner).push(word);
}

fn pass_named(name: &str) -> Option<Box<dyn Pass>> {
    parse_name(name).map(|(task, parameters)| pass(task, parameters))
}

/// Task and parameters: `print<loopwright-ast;tile=8>` is `(Print(Ast), "tile=8")`.
fn parse_name(name: &str) -> Option<(Task, &str)> {
    if name == "loopwright" {
        return Some((Task::Optimize, ""));
    }
    if let Some(parameters) = name.strip_prefix("loopwright<").and_then(|rest| rest.strip_suffix('>')) {
        return Some((Task::Optimize, parameters));
    }
    let inside = name.strip_prefix("print<")?.strip_suffix('>')?;
    let (printed, parameters) = inside.split_once(';').unwrap_or((inside, ""));
    NAMES.iter().find(|(name, _)| *name == printed).map(|(_, task)| (*task, parameters))
}

fn pass_at(place: PipelinePlace) -> Option<Box<dyn Pass>> {
    let options = options_of(&all_words(""));
    let (wanted, is_too_late) = match options.as_ref().map_or(Position::Early, |options| options.position) {
        Position::Early => {
            (Point::EarlySimplification, matches!(place.phase, Phase::ThinAfterLink | Phase::FullAfterLink))
        }
        Position::Late => (Point::OptimizerEarly, false),
    };
    if place.speed < 2 || place.size > 0 || is_too_late {
        return None;
    }
    (place.point == wanted).then(|| pass(Task::Optimize, ""))
}

fn pass(task: Task, parameters: &str) -> Box<dyn Pass> {
    let words = all_words(parameters);
    let options = options_of(&words);
    Box::new(LoopwrightPass { task, options, words, parameters: parameters.to_string() })
}

fn options_of(words: &[String]) -> Result<Options, OptionError> {
    Options::default().with(words.iter().map(String::as_str))
}

/// Environment, command line and parameters together.
fn all_words(parameters: &str) -> Vec<String> {
    let environment = std::env::var(VARIABLE).unwrap_or_default();
    let command_line = COMMAND_LINE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    [words(&environment), command_line, words(parameters)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_passes() {
        assert_eq!(parse_name("loopwright"), Some((Task::Optimize, "")));
        assert_eq!(parse_name("loopwright<tile=4;parallel>"), Some((Task::Optimize, "tile=4;parallel")));
        assert_eq!(parse_name("print<loopwright-ast;tile=8>"), Some((Task::Print(Stage::Ast), "tile=8")));
        assert_eq!(parse_name("print<loopwright-scops>"), Some((Task::Print(Stage::Scops), "")));
        assert_eq!(parse_name("print<loops>"), None);
        assert_eq!(parse_name("loopwright2"), None);
    }

    #[test]
    fn the_text_of_a_pass_is_its_name() {
        for text in ["loopwright", "loopwright<tile=4>", "print<loopwright-schedule>", "print<loopwright-ast;tile=8>"] {
            assert_eq!(pass_named(text).expect("a pass").text(), text);
        }
    }
}
