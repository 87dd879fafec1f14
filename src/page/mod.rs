//! The page of a report: one HTML file with everything in it, for whoever wants to see what became of the loops.
//!
//! [`page`] makes an overview that sorts and filters, and one view of each nest: source and new loops side by side, the iterations with their dependences
//! as a picture that runs ([`picture`], of the points that [`sample`] finds), the schedule tree ([`tree`]), the dependence graph ([`graph`]), bytes against
//! caches ([`bytes`]), the place on the roofline ([`roofline`]), tests, candidates. With an older report beside it, [`compare`] says what got better and worse.
//!
//! The page is made from templates (`page.html`, `nest.html`, in the language of the crate `minijinja`, which escapes what it is given) with its style
//! (`page.css`) and a few functions (`page.js`) inside; it loads nothing. A program may have a thousand nests, of which a person looks at some: views are packed
//! (deflate, as base64), and the script unpacks the one that is looked at. Without JavaScript there is the overview.

mod bytes;
pub mod compare;
mod dates;
mod files;
mod function;
mod graph;
mod names;
mod picture;
mod points;
mod roofline;
mod sample;
mod source;
mod tree;
mod view;

use crate::report::{Module, Nest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use files::Files;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use source::Painter;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use view::{Row, View};

const TEMPLATE: &str = include_str!("page.html");
const NEST: &str = include_str!("nest.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Steps of the engine for the pictures of one nest: a second or so. Of many nests each has its part of what twenty may take, and at least a tenth of a second.
const PICTURE_BUDGET: u64 = 20_000_000;
const PICTURES_BUDGET: u64 = 20 * PICTURE_BUDGET;
const LEAST_BUDGET: u64 = PICTURE_BUDGET / 10;

/// Iterations of a loop of which the length is not known, where nests are put in an order.
const ITERATIONS: f64 = 1000.0;

/// Loops of a nest that has no model, where nests are put in an order.
const USUAL_DEPTH: usize = 2;

/// How to get the bytes of a source file: by the folder of the compiler and the name of the file.
///
/// # Errors
/// Why it cannot be read, in a sentence.
pub type Sources<'a> = dyn Fn(&str, &str) -> Result<Vec<u8>, String> + 'a;

/// A page that was made.
pub struct Page {
    /// The file.
    pub text: String,
    /// How many loop nests are on it.
    pub nests: usize,
    /// What it lacks, in sentences.
    pub complaints: Vec<String>,
}

/// The page. `progress` hears how many of how many nests are drawn.
///
/// # Errors
/// A template does not fit what it is given: an error of this program.
pub fn page(
    now: &[Module],
    before: Option<&[Module]>,
    sources: &Sources<'_>,
    progress: &dyn Fn(usize, usize),
) -> Result<Page, String> {
    let painter = Painter::new();
    let all = by_importance(distinct(now));
    let files = Files::of(&all, sources, &painter);
    let before_nests = before.map(distinct);
    let nests = |all: &[(&Module, &'_ Nest)]| -> Vec<Nest> { all.iter().map(|(_, nest)| (*nest).clone()).collect() };
    let comparison = before_nests.map(|before| compare::compared(&nests(&all), &nests(&before)));
    let change = |at: usize| comparison.as_ref().map(|comparison| &comparison.changes[at]);
    let places = places(&all);
    let row = |(at, (_, nest)): (usize, &(&Module, &Nest))| Row::of(at, nest, places[at].clone(), change(at));
    let rows: Vec<Row> = all.iter().enumerate().map(row).collect();
    let mut environment = Environment::new();
    environment.add_template("page.html", TEMPLATE).map_err(wrong)?;
    environment.add_template("nest.html", NEST).map_err(wrong)?;
    let views = Views { all: &all, rows: &rows, painter: &painter, files: &files, environment: &environment };
    let packed = views.packed(progress)?;
    let count = |outcome: &str| rows.iter().filter(|row| row.outcome == outcome).count();
    let of_files: BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    let counts =
        context! { all => rows.len(), done => count("done"), missed => count("missed"), analysis => count("analysis") };
    let tally = comparison.as_ref().map(|comparison| Value::from(Serde(&comparison.tally())));
    let vanished = comparison.as_ref().map(|comparison| Value::from(Serde(&comparison.vanished)));
    let functions: BTreeSet<&str> = rows.iter().map(|row| row.function.as_str()).collect();
    let (functions, cures) = (Value::from(Serde(&functions)), Value::from(Serde(&cures(&rows))));
    let (rows, of_files) = (Value::from(Serde(&rows)), Value::from(Serde(&of_files)));
    let data = context! {
        rows, counts, files => of_files, functions, cures, vanished, tally, packed, is_compared => before.is_some(),
        producer => now.first().map(|module| module.producer.clone()),
        style => Value::from_safe_string(STYLE.into()), script => Value::from_safe_string(SCRIPT.into()),
    };
    let text = environment.get_template("page.html").and_then(|page| page.render(data)).map_err(wrong)?;
    Ok(Page { text, nests: all.len(), complaints: files.complaints })
}

/// What it would take where something was missed, what helps most nests first.
fn cures(rows: &[Row]) -> Vec<(&str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().filter(|row| !row.cure.is_empty()).for_each(|row| *counts.entry(&row.cure).or_default() += 1);
    let mut cures: Vec<(&str, usize)> = counts.into_iter().collect();
    cures.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    cures
}

fn wrong(why: minijinja::Error) -> String {
    format!("a template of the page is wrong: {why:#}")
}

/// The nests of all modules; those of a header that several files include, and of which the same became, once.
fn distinct(modules: &[Module]) -> Vec<(&Module, &Nest)> {
    let mut seen = BTreeSet::new();
    let all = modules.iter().flat_map(|module| module.nests.iter().map(move |nest| (module, nest)));
    let key = |module: &Module, nest: &Nest| {
        (names::place_of(module, nest), nest.line, nest.column, nest.function.clone(), nest.summary.clone())
    };
    all.filter(|(module, nest)| seen.insert(key(module, nest))).collect()
}

/// Those with most to compute first, as far as their models tell: in three loops more than in two.
fn by_importance<'a>(mut all: Vec<(&'a Module, &'a Nest)>) -> Vec<(&'a Module, &'a Nest)> {
    let work = |nest: &Nest| -> f64 {
        let Some(model) = &nest.model else { return ITERATIONS.powf(USUAL_DEPTH as f64) };
        let one = |statement: &crate::report::Statement| {
            f64::from(statement.operations.max(1)) * ITERATIONS.powf(statement.loops.len() as f64)
        };
        model.statements.iter().map(one).sum()
    };
    all.sort_by(|(_, a), (_, b)| work(b).total_cmp(&work(a)));
    all
}

/// The file of each nest and what the nest is called: by its line, and by its column if another nest begins in that line.
fn places(all: &[(&Module, &Nest)]) -> Vec<(String, String)> {
    let of_nest: Vec<PathBuf> = all.iter().map(|(module, nest)| names::place_of(module, nest)).collect();
    let short = names::short_names(&of_nest.iter().cloned().collect());
    let mut columns: BTreeMap<(&PathBuf, u32), BTreeSet<u32>> = BTreeMap::new();
    for (file, (_, nest)) in of_nest.iter().zip(all) {
        columns.entry((file, nest.line)).or_default().insert(nest.column);
    }
    let place = |(file, (_, nest)): (&PathBuf, &(&Module, &Nest))| {
        let name = short[file].clone();
        let place = match (nest.line, columns[&(file, nest.line)].len()) {
            (0, _) => name.clone(),
            (line, 1) => format!("{name}:{line}"),
            (line, _) => format!("{name}:{line}:{}", nest.column),
        };
        (name, place)
    };
    of_nest.iter().zip(all).map(place).collect()
}

/// What views are made of.
struct Views<'a> {
    all: &'a [(&'a Module, &'a Nest)],
    rows: &'a [Row],
    painter: &'a Painter,
    files: &'a Files,
    environment: &'a Environment<'a>,
}

impl Views<'_> {
    /// All of them, each packed, made on all cores of this machine.
    fn packed(&self, progress: &dyn Fn(usize, usize)) -> Result<Vec<String>, String> {
        let n = self.all.len();
        let next = AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(n.max(1));
        let (send, receive) = mpsc::channel();
        let mut packed: Vec<String> = vec![String::new(); n];
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= n || send.send((at, self.html(at).and_then(|html| pack(&html)))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for (done, (at, view)) in receive.iter().enumerate() {
                packed[at] = view?;
                progress(done + 1, n);
            }
            Ok(packed)
        })
    }

    fn html(&self, at: usize) -> Result<String, String> {
        let share = PICTURES_BUDGET / self.all.len().max(1) as u64;
        let budget = share.clamp(LEAST_BUDGET, PICTURE_BUDGET);
        let view = View::of(&self.rows[at], self.rows.len() - 1, self.all[at], (self.painter, self.files), budget);
        let view = Value::from(Serde(&view));
        self.environment.get_template("nest.html").and_then(|nest| nest.render(context! { view })).map_err(wrong)
    }
}

fn pack(text: &str) -> Result<String, String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    packed.map(|bytes| STANDARD.encode(bytes)).map_err(|why| format!("a view cannot be packed: {why}"))
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
