//! Runs a list of set operations, one per line, and prints how long each takes and what it gives.
//!
//! `cargo run --release --no-default-features --example operations -- FILE [first [count [repetitions]]]`, where a line of `FILE` is
//! `op<TAB>[kind,first,n<TAB>]argument<TAB>argument..` in isl notation. Output: line number, operation, best time in nanoseconds, number of
//! pieces or truth value, and the result as text. `scripts/engine/compare_with_isl.py` checks that output.

use loopwright::presburger::{DimKind, Map, Set, TooHard, within};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Work units after which an operation counts as too hard.
const BUDGET: u64 = 20_000_000;

enum Operand {
    Set(Set),
    Map(Map),
}

enum Outcome {
    Set(Set),
    Map(Map),
    Truth(bool),
}

fn parse(text: &str, is_map: bool) -> Result<Operand, String> {
    if is_map {
        Map::parse(text).map(Operand::Map).map_err(|e| e.to_string())
    } else {
        Set::parse(text).map(Operand::Set).map_err(|e| e.to_string())
    }
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
        ("partial_lexmax", Some(Operand::Set(b)), _) => Outcome::Map(a.partial_lexmax(b).0),
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
    let is_map = op.starts_with("map_") || op.starts_with("basic_map_");
    let name = op.trim_start_matches("basic_").trim_start_matches("map_").trim_start_matches("set_");
    let mut arguments: Vec<&str> = fields.collect();
    let dims = arguments.first().and_then(|field| dims(field));
    if dims.is_some() {
        arguments.remove(0);
    }
    let second_is_map = is_map && !["intersect_domain", "intersect_range", "partial_lexmax"].contains(&name);
    let mut best: Option<(Duration, Outcome)> = None;
    let first = parse(arguments[0], is_map)?;
    let second = arguments.get(1).map(|text| parse(text, second_is_map)).transpose()?;
    for _ in 0..repetitions {
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            within(BUDGET, || match (&first, &second) {
                (Operand::Set(a), Some(Operand::Set(b))) => of_sets(name, a, Some(b), dims),
                (Operand::Set(a), _) => of_sets(name, a, None, dims),
                (Operand::Map(a), b) => of_maps(name, a, b.as_ref(), dims),
            })
        }));
        let time = start.elapsed();
        match outcome {
            Err(_) => return Err("PANIC".into()),
            Ok(Err(TooHard)) => return Err(format!("TOO HARD\t{}", time.as_nanos())),
            Ok(Ok(None)) => return Err("SKIP".into()),
            Ok(Ok(Some(outcome))) => {
                if best.as_ref().is_none_or(|(t, _)| time < *t) {
                    best = Some((time, outcome));
                }
            }
        }
        if time > Duration::from_millis(300) {
            break;
        }
    }
    best.ok_or_else(|| "no repetition".into())
}

fn main() {
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, or: usize| arguments.get(i).and_then(|x| x.parse().ok()).unwrap_or(or);
    let text = std::fs::read_to_string(&arguments[1]).expect("the list of operations");
    let (first, count, repetitions) = (number(2, 1), number(3, usize::MAX), number(4, 3));
    for (at, line) in text.lines().enumerate().skip(first - 1).take(count) {
        let op = line.split('\t').next().unwrap_or_default();
        match run(line, repetitions) {
            Err(reason) => println!("{}\t{op}\t{reason}", at + 1),
            Ok((time, outcome)) => {
                let (size, text) = match outcome {
                    Outcome::Set(set) => (set.n_pieces(), set.to_string()),
                    Outcome::Map(map) => (map.n_pieces(), map.to_string()),
                    Outcome::Truth(truth) => (usize::from(truth), truth.to_string()),
                };
                println!("{}\t{op}\t{}\t{size}\t{text}", at + 1, time.as_nanos());
            }
        }
    }
}
