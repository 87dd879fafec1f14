//! Times the engine on the lines and models that `isl_times.c` times isl on: a thin reader around the library, as that one is.
//!
//!     operations ops FILE REPETITIONS        per line of FILE, `op<TAB>[kind,first,n<TAB>]argument<TAB>..`: best time in nanoseconds, or `-`
//!     operations flow FILE REPETITIONS       dataflow of a model, one `key: isl text` per line: best time in nanoseconds, or `-`
//!     operations answers FILE REPETITIONS    per line: its number, operation, best time, number of pieces or truth value, and the result,
//!                                            for `scripts/engine/compare_with_isl.py`
//!
//! `cargo run --release --no-default-features --example operations -- ops FILE 3`. Operands are read outside the clock.

use loopwright::dependence::{Order, dataflow::Flow};
use loopwright::presburger::{DimKind, Map, Set, TooHard, UnionMap, within};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

/// Work units after which an operation counts as too hard.
const BUDGET: u64 = 150_000_000;
/// What takes longer than this is not repeated.
const LONG: Duration = Duration::from_millis(300);

enum Operand {
    Set(Set),
    Map(Map),
}

enum Outcome {
    Set(Set),
    Map(Map),
    Truth(bool),
}

/// A relation, or else a set: a list may call an operation on sets by its name for relations.
fn parse(text: &str) -> Result<Operand, String> {
    let relation = || Map::parse(text).map(Operand::Map);
    Set::parse(text).map(Operand::Set).or_else(|_| relation()).map_err(|e| e.to_string())
}

fn of_sets(op: &str, a: &Set, b: Option<&Set>, dims: Option<(DimKind, usize, usize)>) -> Option<Outcome> {
    Some(match (op, b, dims) {
        ("subtract", Some(b), _) => Outcome::Set(a.subtract(b)),
        ("intersect", Some(b), _) => Outcome::Set(a.intersect(b)),
        ("gist", Some(b), _) => Outcome::Set(a.gist(b)),
        ("is_subset", Some(b), _) => Outcome::Truth(a.is_subset(b)),
        ("is_equal", Some(b), _) => Outcome::Truth(a.is_equal(b)),
        ("is_disjoint", Some(b), _) => Outcome::Truth(a.is_disjoint(b)),
        ("is_empty", ..) => Outcome::Truth(a.is_empty()),
        ("coalesce", ..) => Outcome::Set(a.coalesce()),
        ("params", ..) => Outcome::Set(a.params()),
        ("compute_divs", ..) => Outcome::Set(a.compute_divs()),
        ("simple_hull", ..) => Outcome::Set(a.simple_hull().to_set()),
        ("unshifted_simple_hull", ..) => Outcome::Set(a.unshifted_simple_hull().to_set()),
        ("affine_hull", ..) => Outcome::Set(a.affine_hull().to_set()),
        ("make_disjoint", ..) => Outcome::Set(a.make_disjoint()),
        ("coefficients", ..) => Outcome::Set(a.coefficients()),
        ("project_out", _, Some((kind, first, n))) => Outcome::Set(a.project_out(kind, first, n)),
        ("eliminate", _, Some((kind, first, n))) => Outcome::Set(a.eliminate(kind, first, n)),
        _ => return None,
    })
}

fn of_maps(op: &str, a: &Map, b: Option<&Operand>, dims: Option<(DimKind, usize, usize)>) -> Option<Outcome> {
    Some(match (op, b, dims) {
        ("subtract", Some(Operand::Map(b)), _) => Outcome::Map(a.subtract(b)),
        ("intersect", Some(Operand::Map(b)), _) => Outcome::Map(a.intersect(b)),
        ("intersect_domain", Some(Operand::Set(b)), _) => Outcome::Map(a.intersect_domain(b)),
        ("intersect_range", Some(Operand::Set(b)), _) => Outcome::Map(a.intersect_range(b)),
        ("apply_range", Some(Operand::Map(b)), _) => Outcome::Map(a.apply_range(b)),
        ("apply_domain", Some(Operand::Map(b)), _) => Outcome::Map(a.apply_domain(b)),
        ("is_subset", Some(Operand::Map(b)), _) => Outcome::Truth(a.is_subset(b)),
        ("is_equal", Some(Operand::Map(b)), _) => Outcome::Truth(a.is_equal(b)),
        ("is_disjoint", Some(Operand::Map(b)), _) => Outcome::Truth(a.is_disjoint(b)),
        ("partial_lexmax", Some(Operand::Set(b)), _) => Outcome::Map(a.partial_lexmax(b).ok()?.0),
        ("is_empty", ..) => Outcome::Truth(a.is_empty()),
        ("is_single_valued", ..) => Outcome::Truth(a.is_single_valued()),
        ("coalesce", ..) => Outcome::Map(a.coalesce()),
        ("domain", ..) => Outcome::Set(a.domain()),
        ("range", ..) => Outcome::Set(a.range()),
        ("params", ..) => Outcome::Set(a.params()),
        ("deltas", ..) => Outcome::Set(a.deltas()),
        ("compute_divs", ..) => Outcome::Map(a.compute_divs()),
        ("simple_hull", ..) => Outcome::Map(a.simple_hull().to_map()),
        ("affine_hull", ..) => Outcome::Map(a.affine_hull().to_map()),
        ("make_disjoint", ..) => Outcome::Map(a.make_disjoint()),
        ("project_out", _, Some((kind, first, n))) => Outcome::Map(a.project_out(kind, first, n)),
        ("eliminate", _, Some((kind, first, n))) => Outcome::Map(a.eliminate(kind, first, n)),
        _ => return None,
    })
}

fn dims(field: &str) -> Option<(DimKind, usize, usize)> {
    let numbers: Vec<usize> = field.split(',').map(|x| x.parse().ok()).collect::<Option<_>>()?;
    let [kind, first, n] = numbers[..] else { return None };
    Some((
        if kind == 1 {
            DimKind::Param
        } else if kind == 2 {
            DimKind::In
        } else {
            DimKind::Out
        },
        first,
        n,
    ))
}

fn run(line: &str, repetitions: usize) -> Result<(Duration, Outcome), String> {
    let mut fields = line.split('\t');
    let op = fields.next().unwrap_or_default();
    let name = op.trim_start_matches("basic_").trim_start_matches("map_").trim_start_matches("set_");
    let mut arguments: Vec<&str> = fields.collect();
    let dims = arguments.first().and_then(|field| dims(field));
    if dims.is_some() {
        arguments.remove(0);
    }
    let mut best: Option<(Duration, Outcome)> = None;
    for _ in 0..repetitions.max(1) {
        // Read anew: values remember what has been found out about them.
        let first = parse(arguments.first().ok_or("no operand")?)?;
        let second = arguments.get(1).map(|text| parse(text)).transpose()?;
        let start = Instant::now();
        let outcome = within(BUDGET, || match (&first, &second) {
            (Operand::Set(a), Some(Operand::Set(b))) => of_sets(name, a, Some(b), dims),
            (Operand::Set(a), _) => of_sets(name, a, None, dims),
            (Operand::Map(a), b) => of_maps(name, a, b.as_ref(), dims),
        });
        let time = start.elapsed();
        let outcome = outcome.map_err(|TooHard| "TOO HARD")?.ok_or("SKIP")?;
        if best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, outcome));
        }
        if time > LONG {
            break;
        }
    }
    best.ok_or_else(|| "no repetition".into())
}

/// The best time of the dataflow of the model in these lines.
fn flow(lines: impl Iterator<Item = String>, repetitions: usize) -> Option<Duration> {
    let texts: HashMap<String, String> =
        lines.filter_map(|line| line.split_once(": ").map(|(key, text)| (key.to_string(), text.to_string()))).collect();
    let relation = |key: &str| texts.get(key).and_then(|text| UnionMap::parse(text).ok());
    let once = || {
        let (reads, must, may) = (relation("reads")?, relation("must_writes")?, relation("may_writes")?);
        let schedule = relation("schedule")?;
        let start = Instant::now();
        let order = Order::of_map(&schedule).ok()?;
        let _flow = Flow::of(&order, &reads, &must, &may);
        Some(start.elapsed())
    };
    let mut best: Option<Duration> = None;
    for _ in 0..repetitions.max(1) {
        let time = once()?;
        best = Some(best.map_or(time, |least| least.min(time)));
        if time > LONG {
            break;
        }
    }
    best
}

fn answer(number: usize, line: &str, repetitions: usize) -> String {
    let op = line.split('\t').next().unwrap_or_default();
    match run(line, repetitions) {
        Err(reason) => format!("{number}\t{op}\t{}", reason.lines().next().unwrap_or_default()),
        Ok((time, outcome)) => {
            let (size, text) = match outcome {
                Outcome::Set(set) => (set.n_pieces(), set.to_string()),
                Outcome::Map(map) => (map.n_pieces(), map.to_string()),
                Outcome::Truth(truth) => (usize::from(truth), truth.to_string()),
            };
            format!("{number}\t{op}\t{}\t{size}\t{text}", time.as_nanos())
        }
    }
}

fn nanoseconds(time: Option<Duration>) -> String {
    time.map_or("-".to_string(), |time| time.as_nanos().to_string())
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, mode, path, repetitions] = &arguments[..] else {
        eprintln!("operations ops|flow|answers FILE REPETITIONS");
        std::process::exit(2);
    };
    let repetitions = repetitions.parse().unwrap_or(1);
    let lines = BufReader::new(File::open(path)?).lines().map_while(Result::ok);
    let mut output = std::io::stdout().lock();
    match mode.as_str() {
        "flow" => writeln!(output, "{}", nanoseconds(flow(lines, repetitions)))?,
        "ops" => {
            for line in lines {
                writeln!(output, "{}", nanoseconds(run(&line, repetitions).ok().map(|(time, _)| time)))?;
            }
        }
        _ => {
            for (at, line) in lines.enumerate() {
                writeln!(output, "{}", answer(at + 1, &line, repetitions))?;
            }
        }
    }
    Ok(())
}
