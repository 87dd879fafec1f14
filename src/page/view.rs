//! What the page shows of a nest: its row in the overview, and all that its own view is made of.
//!
//! `gemm.c:16 | kernel_gemm | done | 5.1× | loops i, j, k tiled 32x256x64; ...` is a row; the view adds source, loops, pictures, trees, bytes, tests, candidates.

use super::compare::{Change, gain_in_words};
use super::files::{File, Files};
use super::picture::Picture;
use super::source::{Line, Painter};
use super::{bytes, graph, names, roofline, sample, tree};
use crate::presburger::within;
use crate::report::{Candidate, Dependence, Function, InOrder, Module, Nest, Outcome, Stage, Statement};
use serde::Serialize;

/// Of a name of a model and of a way to run it, what it means.
const WORDS: [(&str, &str); 8] = [
    ("shared", "loops may be shared among cores"),
    ("expanded", "each iteration has its own copy of what is local to it"),
    ("measured", "how far arrays reach is measured before the loops"),
    ("inspected", "data is looked at before the loops"),
    ("plain", "nothing is taken for granted"),
    ("scheduler's order", "the order that the search for parallel and tiled loops found"),
    ("program's order", "the loops as they were, the outermost on all cores where it carries no dependence"),
    ("copies of", "each thread has a copy of these arrays, put together behind the loops"),
];

/// Of a test before the loops, what it is for.
const ERRNO: &str = "errno is the number in which C's library notes errors. Each thread has its own, so that what other threads write to it would be lost: an array \
                     that is errno itself is left to the program's own loops.";

/// What the overview says of a nest.
#[derive(Serialize)]
pub struct Row {
    pub id: usize,
    pub place: String,
    /// For sorting.
    key: String,
    pub file: String,
    pub function: String,
    /// As the linker knows it, if that is another name.
    symbol: Option<String>,
    pub outcome: &'static str,
    parts: Vec<String>,
    gain: Option<f64>,
    gain_text: String,
    pub cure: String,
    change: Option<&'static str>,
    change_text: String,
}

/// What the view of a nest is made of.
#[derive(Serialize)]
pub struct View<'a> {
    #[serde(flatten)]
    row: &'a Row,
    last: usize,
    reason: Option<String>,
    refused_at: String,
    in_order: &'a [InOrder],
    source: Vec<Shown>,
    source_note: Option<String>,
    is_changed: bool,
    loops: Vec<Shown>,
    has_parts: bool,
    pictures: Vec<Picture>,
    tree: Option<String>,
    graph: Option<(String, Vec<String>)>,
    bars: Vec<bytes::Bar>,
    bars_note: String,
    roofline: Option<(String, String)>,
    tests: &'a [String],
    errno: Option<&'static str>,
    obligations: &'a [String],
    copies: &'a [String],
    candidates: &'a [Candidate],
    words: Vec<(&'static str, &'static str)>,
    statements: &'a [Statement],
    dependences: &'a [Dependence],
    model: Option<&'a str>,
    stages: Vec<Stage>,
}

/// A line of a program.
#[derive(Serialize)]
pub struct Shown {
    number: Option<u32>,
    html: String,
    statements: String,
}

impl Row {
    /// The row of a nest that is called by this place.
    pub fn of(id: usize, nest: &Nest, (file, place): (String, String), change: Option<&Change>) -> Row {
        let gain = nest.prediction.as_ref().map(|prediction| prediction.speedup);
        let gain = gain.filter(|_| nest.outcome == Outcome::Done);
        let function = names::readable(&nest.function);
        Row {
            id,
            place,
            key: format!("{file}:{:08}:{:08}", nest.line, nest.column),
            file,
            symbol: (function != nest.function).then(|| nest.function.clone()),
            function,
            outcome: match nest.outcome {
                Outcome::Done => "done",
                Outcome::Missed => "missed",
                Outcome::Analysis => "analysis",
            },
            parts: nest.summary.split(" | ").map(str::to_string).collect(),
            gain,
            gain_text: gain.map(gain_in_words).unwrap_or_default(),
            cure: nest.refusal.as_ref().and_then(|refusal| refusal.cure.clone()).unwrap_or_default(),
            change: change.map(Change::word),
            change_text: change.map(ToString::to_string).unwrap_or_default(),
        }
    }
}

impl<'a> View<'a> {
    /// Pictures take at most so many steps of the engine.
    pub fn of(
        row: &'a Row,
        last: usize,
        (module, nest): (&'a Module, &'a Nest),
        (painter, files): (&Painter, &Files),
        budget: u64,
    ) -> View<'a> {
        let statements = nest.model.as_ref().map_or(&[][..], |model| &model.statements);
        let called: Vec<String> = statements.iter().map(|statement| statement.name.clone()).collect();
        let file = files.of_nest(module, nest);
        let (source, source_note) = source(nest, file);
        let samples = within(budget, || sample::samples(nest)).unwrap_or_default();
        let outline = |name: &str| {
            let found = statements.iter().find(|statement| statement.name == name);
            found.map(|statement| statement.outline.clone()).unwrap_or_default()
        };
        let refusal = nest.refusal.as_ref();
        let (bars, bars_note) = bytes::bars(nest, &module.machine);
        let function = module.functions.iter().find(|function| function.name == nest.function);
        let loops: Vec<Shown> =
            nest.loops.iter().flat_map(|text| painter.loops(text, &called)).map(Shown::of).collect();
        View {
            row,
            last,
            reason: refusal.map(|refusal| refusal.reason.clone()),
            refused_at: refusal
                .filter(|at| at.line > 0)
                .map(|at| format!("{}:{}", at.file, at.line))
                .unwrap_or_default(),
            in_order: &nest.in_order,
            source,
            source_note,
            is_changed: file.is_ok_and(|file| file.is_changed),
            has_parts: nest
                .loops
                .as_ref()
                .is_some_and(|loops| called.iter().any(|name| loops.contains(&format!("{name}/")))),
            loops,
            pictures: samples.iter().map(|sample| Picture::of(sample, &outline)).collect(),
            tree: nest.schedule.as_deref().map(tree::shown),
            graph: graph::drawn(nest),
            bars,
            bars_note,
            roofline: nest.prediction.as_ref().and_then(|prediction| roofline::drawn(prediction, &module.machine)),
            tests: &nest.tests,
            errno: nest.tests.iter().any(|test| test.contains("errno")).then_some(ERRNO),
            obligations: nest.model.as_ref().map_or(&[][..], |model| &model.obligations),
            copies: &nest.copies,
            words: words(&nest.candidates),
            candidates: &nest.candidates,
            statements,
            dependences: &nest.dependences,
            model: nest.model.as_ref().map(|model| model.text.as_str()),
            stages: function.map(|function: &Function| function.stages.clone()).unwrap_or_default(),
        }
    }
}

/// The words of candidates that not everybody knows.
fn words(candidates: &[Candidate]) -> Vec<(&'static str, &'static str)> {
    let is_said = |word: &str| candidates.iter().any(|each| each.model.contains(word) || each.strategy.contains(word));
    WORDS.into_iter().filter(|(word, _)| is_said(word)).collect()
}

impl Shown {
    fn of(line: Line) -> Shown {
        Shown { number: line.number, html: line.html, statements: line.statements.join(" ") }
    }
}

/// The lines of the source with their statements; or why they are not there. Of a file that changed nobody knows where the statements are now.
fn source(nest: &Nest, file: Result<&File, &String>) -> (Vec<Shown>, Option<String>) {
    if nest.line == 0 {
        return (Vec::new(), Some("Its lines are not known: compile with -g to see the source.".into()));
    }
    let file = match file {
        Ok(file) => file,
        Err(why) => return (Vec::new(), Some(why.clone())),
    };
    let with_statements = |mut line: Line| {
        let own = nest.model.iter().flat_map(|model| &model.statements);
        let own = own.filter(|statement| !file.is_changed && Some(statement.line) == line.number);
        line.statements = own.map(|statement| statement.name.clone()).collect();
        Shown::of(line)
    };
    let lines: Vec<Shown> = file.lines((nest.line, nest.last_line)).into_iter().map(with_statements).collect();
    let note = if file.is_changed {
        Some(format!(
            "{} was changed since it was compiled: these may be other lines. Compile it again to see them.",
            nest.file
        ))
    } else if lines.is_empty() {
        Some(format!("{} has fewer lines than the report says: was it changed since?", nest.file))
    } else {
        None
    };
    (lines, note)
}
