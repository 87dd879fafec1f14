//! The page of a report: one HTML file with everything in it, for whoever wants to see what became of the loops.
//!
//! [`page`] makes an overview that sorts and filters, and one view of each nest: source and new loops side by side, the iterations with their dependences
//! as a picture that runs ([`picture`], of the points that [`sample`] finds), the schedule tree ([`tree`]), the dependence graph ([`graph`]), bytes against
//! caches, the place on the roofline ([`roofline`]), tests, candidates. With an older report beside it, [`compare`] says what got better and worse.
//!
//! The page is made from a template (`page.html`, in the language of the crate `minijinja`, which escapes what it is given) with its style (`page.css`)
//! and a few functions (`page.js`) inside; it loads nothing. Without JavaScript all of it is shown, one after the other.

pub mod compare;
mod dates;
mod function;
mod graph;
mod picture;
mod points;
mod roofline;
mod sample;
mod source;
mod tree;

use crate::presburger::within;
use crate::report::{Machine, Module, Nest, Outcome};
use compare::Change;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use picture::Picture;
use serde::Serialize;
use source::{Line, Painter};
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Steps of the engine for the pictures of one nest: a second or so.
const PICTURE_BUDGET: u64 = 20_000_000;

/// How to get the text of a source file: by the folder of the compiler and the name of the file.
///
/// # Errors
/// Why it cannot be read, in a sentence.
pub type Sources<'a> = dyn Fn(&str, &str) -> Result<String, String> + 'a;

/// What the template is given for a nest.
#[derive(Serialize)]
struct View {
    id: usize,
    place: String,
    /// For sorting.
    key: String,
    file: String,
    function: String,
    outcome: &'static str,
    summary: String,
    parts: Vec<String>,
    gain: Option<f64>,
    gain_text: String,
    cure: String,
    change: Option<&'static str>,
    change_text: String,
    reason: Option<String>,
    refused_at: String,
    in_order: Vec<crate::report::InOrder>,
    source: Vec<Shown>,
    source_note: Option<String>,
    loops: Vec<Shown>,
    pictures: Vec<Picture>,
    tree: Option<String>,
    graph: Option<(String, Vec<String>)>,
    bars: Vec<Bar>,
    bars_note: String,
    roofline: Option<(String, String)>,
    tests: Vec<String>,
    obligations: Vec<String>,
    copies: Vec<String>,
    candidates: Vec<crate::report::Candidate>,
    statements: Vec<crate::report::Statement>,
    dependences: Vec<crate::report::Dependence>,
    model: Option<String>,
    stages: Vec<crate::report::Stage>,
}

/// A line of a program.
#[derive(Serialize)]
struct Shown {
    number: Option<u32>,
    html: String,
    statements: String,
}

/// A number of bytes beside others, its length by its logarithm.
#[derive(Serialize)]
struct Bar {
    name: String,
    text: String,
    percent: f64,
    kind: &'static str,
}

/// The page, and what it lacks, in sentences.
///
/// # Errors
/// The template does not fit what it is given: an error of this program.
pub fn page(now: &[Module], before: Option<&[Module]>, sources: &Sources<'_>) -> Result<(String, Vec<String>), String> {
    let mut texts = Texts { sources, known: BTreeMap::new(), complaints: Vec::new() };
    let painter = Painter::new();
    let all = distinct(now);
    let before_nests = before.map(distinct);
    let nests = |all: &[(&Module, &'_ Nest)]| -> Vec<Nest> { all.iter().map(|(_, nest)| (*nest).clone()).collect() };
    let comparison = before_nests.map(|before| compare::compared(&nests(&all), &nests(&before)));
    let mut views: Vec<View> = Vec::new();
    for (at, (module, nest)) in all.iter().enumerate() {
        let change = comparison.as_ref().map(|comparison| &comparison.changes[at]);
        views.push(view(at, module, nest, change, (&painter, &mut texts)));
    }
    let count = |outcome: &str| views.iter().filter(|view| view.outcome == outcome).count();
    let files: BTreeSet<&str> = views.iter().map(|view| view.file.as_str()).collect();
    let counts = context! { all => views.len(), done => count("done"), missed => count("missed"), analysis => count("analysis") };
    let tally = comparison.as_ref().map(|comparison| Value::from(Serde(&comparison.tally())));
    let vanished = comparison.as_ref().map(|comparison| Value::from(Serde(&comparison.vanished)));
    let (views, files) = (Value::from(Serde(&views)), Value::from(Serde(&files)));
    let data = context! {
        views, counts, files, vanished, tally, is_compared => before.is_some(),
        producer => now.first().map(|module| module.producer.clone()),
        style => Value::from_safe_string(STYLE.into()), script => Value::from_safe_string(SCRIPT.into()),
    };
    let mut environment = Environment::new();
    let complaint = |why: minijinja::Error| format!("the template of the page is wrong: {why:#}");
    environment.add_template("page.html", TEMPLATE).map_err(complaint)?;
    let page = environment.get_template("page.html").and_then(|page| page.render(data)).map_err(complaint)?;
    Ok((page, texts.complaints))
}

/// The nests of all modules; those of a header that several files include, and of which the same became, once.
fn distinct(modules: &[Module]) -> Vec<(&Module, &Nest)> {
    let mut seen = BTreeSet::new();
    let all = modules.iter().flat_map(|module| module.nests.iter().map(move |nest| (module, nest)));
    all.filter(|(_, nest)| seen.insert((&nest.file, nest.line, nest.column, &nest.function, &nest.summary))).collect()
}

/// Source files that were read.
struct Texts<'a> {
    sources: &'a Sources<'a>,
    known: BTreeMap<(String, String), Result<String, String>>,
    complaints: Vec<String>,
}

impl Texts<'_> {
    fn of(&mut self, directory: &str, file: &str) -> Result<&str, String> {
        let key = (directory.to_string(), file.to_string());
        if !self.known.contains_key(&key) {
            let text = (self.sources)(directory, file);
            self.complaints.extend(text.as_ref().err().cloned());
            self.known.insert(key.clone(), text);
        }
        self.known[&key].as_deref().map_err(Clone::clone)
    }
}

fn view(
    id: usize,
    module: &Module,
    nest: &Nest,
    change: Option<&Change>,
    (painter, texts): (&Painter, &mut Texts<'_>),
) -> View {
    let statements = nest.model.as_ref().map_or(&[][..], |model| &model.statements);
    let names: Vec<String> = statements.iter().map(|statement| statement.name.clone()).collect();
    let (source, source_note) = source(module, nest, painter, texts);
    let pictures = within(PICTURE_BUDGET, || sample::samples(nest)).unwrap_or_default();
    let gain = nest.prediction.as_ref().map(|prediction| prediction.speedup).filter(|_| nest.outcome == Outcome::Done);
    let refusal = nest.refusal.as_ref();
    let (bars, bars_note) = bars(nest, &module.machine);
    let function = module.functions.iter().find(|function| function.name == nest.function);
    View {
        id,
        place: placed(nest),
        key: format!("{}:{:08}", nest.file, nest.line),
        file: nest.file.clone(),
        function: nest.function.clone(),
        outcome: match nest.outcome {
            Outcome::Done => "done",
            Outcome::Missed => "missed",
            Outcome::Analysis => "analysis",
        },
        summary: nest.summary.clone(),
        parts: nest.summary.split(" | ").map(str::to_string).collect(),
        gain,
        gain_text: gain.map(|gain| format!("{gain:.1}×")).unwrap_or_default(),
        cure: refusal.and_then(|refusal| refusal.cure.clone()).unwrap_or_default(),
        change: change.map(Change::word),
        change_text: change.map(ToString::to_string).unwrap_or_default(),
        reason: refusal.map(|refusal| refusal.reason.clone()),
        refused_at: refusal.filter(|at| at.line > 0).map(|at| format!("{}:{}", at.file, at.line)).unwrap_or_default(),
        in_order: nest.in_order.clone(),
        source,
        source_note,
        loops: nest.loops.iter().flat_map(|text| painter.loops(text, &names)).map(Shown::of).collect(),
        pictures: pictures.iter().map(Picture::of).collect(),
        tree: nest.schedule.as_deref().map(tree::shown),
        graph: graph::drawn(nest),
        bars,
        bars_note,
        roofline: nest.prediction.as_ref().and_then(|prediction| roofline::drawn(prediction, &module.machine)),
        tests: nest.tests.clone(),
        obligations: nest.model.as_ref().map(|model| model.obligations.clone()).unwrap_or_default(),
        copies: nest.copies.clone(),
        candidates: nest.candidates.clone(),
        statements: statements.to_vec(),
        dependences: nest.dependences.clone(),
        model: nest.model.as_ref().map(|model| model.text.clone()),
        stages: function.map(|function| function.stages.clone()).unwrap_or_default(),
    }
}

fn placed(nest: &Nest) -> String {
    let file = nest.file.rsplit('/').next().unwrap_or(&nest.file);
    if nest.line > 0 { format!("{file}:{}", nest.line) } else { file.to_string() }
}

impl Shown {
    fn of(line: Line) -> Shown {
        Shown { number: line.number, html: line.html, statements: line.statements.join(" ") }
    }
}

/// The lines of the source with their statements; or why they are not there.
fn source(module: &Module, nest: &Nest, painter: &Painter, texts: &mut Texts<'_>) -> (Vec<Shown>, Option<String>) {
    if nest.line == 0 {
        return (Vec::new(), Some("Its lines are not known: compile with -g to see the source.".into()));
    }
    let directory = if nest.directory.is_empty() { &module.directory } else { &nest.directory };
    let text = match texts.of(directory, &nest.file) {
        Ok(text) => text,
        Err(why) => return (Vec::new(), Some(why)),
    };
    let lines = painter.lines(&nest.file, text, (nest.line, nest.last_line));
    let with_statements = |mut line: Line| {
        let own = nest.model.iter().flat_map(|model| &model.statements);
        let own = own.filter(|statement| Some(statement.line) == line.number);
        line.statements = own.map(|statement| statement.name.clone()).collect();
        Shown::of(line)
    };
    let lines: Vec<Shown> = lines.into_iter().map(with_statements).collect();
    let note =
        lines.is_empty().then(|| format!("{} has fewer lines than the report says: was it changed since?", nest.file));
    (lines, note)
}

/// Bytes of a tile and of all data that moves, against the caches.
fn bars(nest: &Nest, machine: &Machine) -> (Vec<Bar>, String) {
    let mut all: Vec<(String, f64, &'static str)> = vec![
        ("first-level cache of a core".into(), machine.level1_bytes as f64, "cache"),
        ("second-level cache of a core".into(), machine.level2_bytes as f64, "cache"),
    ];
    let tiles = nest.transformations.iter().filter_map(|each| Some((each, each.tile_bytes?)));
    for (each, bytes) in tiles {
        let sides: Vec<String> = each.sides.iter().map(i64::to_string).collect();
        all.push((format!("a tile of {} ({})", sides.join("×"), each.statements.join(", ")), bytes as f64, "tile"));
    }
    let has_tiles = all.len() > 2;
    if let Some(prediction) = &nest.prediction {
        all.push(("from memory, all of it, before".into(), prediction.before.far_bytes, "before"));
        all.push(("from memory, all of it, after".into(), prediction.after.far_bytes, "after"));
    }
    if all.len() == 2 {
        return (Vec::new(), String::new());
    }
    let note = match has_tiles {
        true => "A tile is chosen so that what it touches fits into half of the second-level cache.",
        false => "There are no tiles.",
    };
    let most = all.iter().map(|(_, bytes, _)| *bytes).fold(1.0, f64::max).log2().max(1.0);
    let bar = |(name, bytes, kind): (String, f64, &'static str)| Bar {
        name,
        text: readable(bytes),
        percent: (100.0 * bytes.max(1.0).log2() / most).clamp(0.5, 100.0),
        kind,
    };
    (all.into_iter().map(bar).collect(), note.to_string())
}

fn readable(bytes: f64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", units[unit])
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

/// A text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
