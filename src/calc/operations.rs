//! One operation per line, for scripts: `loopwright calc --ops`.
//!
//! ```text
//! subtract<TAB>{ [i] : 0 <= i < 9 }<TAB>{ [4] }       { [i] : 0 <= i <= 3; [i] : 5 <= i <= 8 }
//! is_empty<TAB>{ [i] : 2i = 1 }                       True
//! sample<TAB>{ [i] : i > i }                          EMPTY
//! map_project_out<TAB>3,0,1<TAB>{ A[i] -> B[i, j] }   { A[i] -> [j] }
//! transitive_closure<TAB>{ [i] -> [i + 1] }           True|{ [i] -> [o0] : o0 > i }
//! union<TAB>{ [i] }<TAB>{ [i] -> [i] }                !union: expected a set, found a relation
//! ```
//!
//! The names are isl's without the type; operands are sets, relations and unions of them. With the type in front (`set_`, `map_`,
//! `basic_set_`, `basic_map_`) each operand must be of one space, and spaces that do not fit are an error; without it they
//! meet in nothing, as elements of unions do. A line costs a fixed number of steps at most.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use super::expressions;
use super::operand::{Alone, Kind, Map, Operand, Parts};
use super::table::{Operation, RELATION_AND_SET, Takes, find, no_params};
use super::value::Wrong;
use crate::presburger::{DimKind, Space, Unbounded, within};

/// Work units that one line may take: it ends in a few seconds, also where numbers are long.
const STEPS_PER_LINE: u64 = 150_000_000;

/// isl's numbers of the kinds of dimensions.
const ISL_PARAM: usize = 1;
const ISL_IN: usize = 2;
const ISL_OUT: usize = 3;

/// What an operation gives.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Operand(Operand),
    Truth(bool),
    Text(String),
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Operand(operand) => write!(f, "{operand}"),
            Answer::Truth(true) => f.write_str("True"),
            Answer::Truth(false) => f.write_str("False"),
            Answer::Text(text) => f.write_str(text),
        }
    }
}

/// Answers each line of `input` by one line, flushed at once, in the same order. A blank line and a comment (`#`) have a blank answer.
pub fn serve(input: impl BufRead, mut output: impl Write, repetitions: Option<usize>) -> std::io::Result<()> {
    for line in input.split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let blank = line.trim().is_empty() || line.starts_with('#');
        let text = if blank { String::new() } else { answer(&line, repetitions) };
        writeln!(output, "{text}")?;
        output.flush()?;
    }
    Ok(())
}

/// The answer to one line, in one line; `!` and a message where there is none. With `repetitions`, its best time in nanoseconds
/// follows after a tab; parsing and printing are not in it.
pub fn answer(line: &str, repetitions: Option<usize>) -> String {
    let answered = unless_panic(|| {
        if let Some(found) = on_expressions(line) {
            return found;
        }
        let job =
            within(STEPS_PER_LINE, || Job::parse(line)).map_err(|_| Wrong("this text is too hard".to_string()))??;
        let (answer, mut time) = job.timed()?;
        for _ in 1..repetitions.unwrap_or(1) {
            // Read anew: values remember what has been found out about them.
            time = time.min(Job::parse(line)?.timed()?.1);
        }
        Ok((answer.to_string(), time))
    });
    let text = match answered {
        Ok((text, time)) if repetitions.is_some() => format!("{text}\t{}", time.as_nanos()),
        Ok((text, _)) => text,
        Err(Wrong(message)) => format!("!{message}"),
    };
    text.replace(['\n', '\r'], " ")
}

/// The answer to a line about expressions.
fn on_expressions(line: &str) -> Option<Result<(String, Duration), Wrong>> {
    let mut fields = line.trim_end_matches(['\n', '\r']).split('\t').map(str::trim);
    let name = fields.next().unwrap_or_default();
    let arguments: Vec<&str> = fields.filter(|field| !field.is_empty()).collect();
    let start = Instant::now();
    let found = within(STEPS_PER_LINE, || expressions::answer(name, &arguments));
    let time = start.elapsed();
    let answer = found.unwrap_or_else(|_| Some(Err(Wrong("this takes too many steps".to_string()))))?;
    Some(answer.map(|text| (text, time)).map_err(|Wrong(message)| Wrong(format!("{name}: {message}"))))
}

/// `f()`, or why not if it breaks a law of the engine on the way.
pub(super) fn unless_panic<R>(f: impl FnOnce() -> Result<R, Wrong>) -> Result<R, Wrong> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        match text.or_else(|| payload.downcast_ref::<&str>().copied()) {
            Some(text) => Err(Wrong(match text.strip_prefix("law: ") {
                Some(law) => law.to_string(),
                None => format!("internal: {text}"),
            })),
            None => resume_unwind(payload),
        }
    })
}

/// An operation with its operands.
struct Job {
    name: String,
    operation: &'static Operation,
    parts: Parts,
    operands: Vec<Operand>,
    /// `type,first,n` of dimensions, or an exponent.
    numbers: Vec<i64>,
}

impl Job {
    fn parse(line: &str) -> Result<Job, Wrong> {
        let mut fields = line.trim_end_matches(['\n', '\r']).split('\t').map(str::trim);
        let name = fields.next().unwrap_or_default().to_string();
        let plain = ["basic_set_", "basic_map_", "union_set_", "union_map_", "set_", "map_"]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix).filter(|rest| find(rest).is_some()));
        let is_strict = plain.is_some() && !name.starts_with("union_");
        let parts = if is_strict { Parts::AllFit } else { Parts::AnyFit };
        let operation = find(plain.unwrap_or(&name)).ok_or_else(|| Wrong(format!("unknown operation `{name}`")))?;
        let (mut operands, mut numbers) = (Vec::new(), Vec::new());
        for (position, field) in fields.filter(|field| !field.is_empty()).enumerate() {
            match numbers_of(field) {
                Some(found) => numbers = found,
                None => operands.push(Operand::parse(field).map_err(|e| {
                    Wrong(format!("argument {}, line {}, column {}: {}", position + 1, e.line, e.column, e.message))
                })?),
            }
        }
        let job = Job { name, operation, parts, operands, numbers };
        job.check().map_err(|Wrong(message)| Wrong(format!("{}: {message}", job.name)))?;
        Ok(job)
    }

    fn check(&self) -> Result<(), Wrong> {
        let wanted = match &self.operation.takes {
            Takes::Two { .. } | Takes::AskTwo { .. } | Takes::Union | Takes::PartialOptimum(_) => 2,
            _ => 1,
        };
        if self.operands.len() != wanted {
            return Err(Wrong(format!("expected {wanted} sets or relations, found {}", self.operands.len())));
        }
        if self.parts == Parts::AllFit && self.operands.iter().any(|operand| operand.parts.len() > 1) {
            return Err(Wrong("expected one space, found several".to_string()));
        }
        match &self.operation.takes {
            Takes::One { on: Some(kind), .. }
            | Takes::Ask { on: Some(kind), .. }
            | Takes::Other { on: Some(kind), .. } => self.operands[0].expect(*kind),
            Takes::Two { on: Some((a, b)), .. } | Takes::AskTwo { on: Some((a, b)), .. } => {
                self.operands[0].expect(*a)?;
                self.operands[1].expect(*b)
            }
            Takes::PartialOptimum(_) => {
                self.operands[0].expect(RELATION_AND_SET.0)?;
                self.operands[1].expect(RELATION_AND_SET.1)
            }
            Takes::Two { on: None, .. } | Takes::AskTwo { on: None, .. } | Takes::Union => {
                self.operands[0].kind().map_or(Ok(()), |kind| self.operands[1].expect(kind))
            }
            _ => Ok(()),
        }
    }

    /// The answer, and how long it took.
    fn timed(&self) -> Result<(Answer, Duration), Wrong> {
        let start = Instant::now();
        let answer = within(STEPS_PER_LINE, || self.run());
        let time = start.elapsed();
        let answer = answer.map_err(|_| Wrong(format!("{}: this takes too many steps", self.name)))?;
        Ok((answer.map_err(|Wrong(message)| Wrong(format!("{}: {message}", self.name)))?, time))
    }

    fn run(&self) -> Result<Answer, Wrong> {
        let first = &self.operands[0];
        let no_optimum = |unbounded: Unbounded| Wrong(unbounded.to_string());
        match &self.operation.takes {
            Takes::One { fits, f, .. } => first.each(self.parts, *fits, |map| Ok(f(map))).map(Answer::Operand),
            Takes::Two { fits, alone, f, .. } => {
                first.pairs(&self.operands[1], self.parts, *fits, *alone, |a, b| Ok(f(a, b))).map(Answer::Operand)
            }
            Takes::Optimum(f) => {
                first.each(self.parts, no_params, |map| f(map).map_err(no_optimum)).map(Answer::Operand)
            }
            Takes::PartialOptimum(f) => {
                let optimum = |map: &Map, set: &Map| f(map, set).map_err(no_optimum);
                let fits = Space::check_domain;
                first.pairs(&self.operands[1], self.parts, fits, Alone::Dropped, optimum).map(Answer::Operand)
            }
            Takes::Union if self.parts == Parts::AllFit => {
                let together = |a: &_, b: &_| Ok(Map::union(a, b));
                first
                    .pairs(&self.operands[1], Parts::AllFit, |a, b| a.check_equal(b), Alone::Kept, together)
                    .map(Answer::Operand)
            }
            Takes::Union => Ok(Answer::Operand(first.union(&self.operands[1]))),
            Takes::Ask { f, .. } => Ok(Answer::Truth(f(first))),
            Takes::AskTwo { f, .. } => Ok(Answer::Truth(f(first, &self.operands[1]))),
            Takes::Dims(f) => {
                let chosen = self.dims()?;
                let each = |map: &Map| dims_of(map, chosen).map(|(kind, at, n)| f(map, kind, at, n));
                let parts = first.parts.iter().map(each).collect::<Result<Vec<_>, _>>()?;
                Ok(Answer::Operand(Operand::gathered(&first.relations().params_space(), parts)))
            }
            Takes::Other { f, .. } => f(first, &self.numbers),
        }
    }

    fn dims(&self) -> Result<[usize; 3], Wrong> {
        let found: Vec<usize> = self.numbers.iter().filter_map(|&x| usize::try_from(x).ok()).collect();
        found.try_into().map_err(|_| Wrong("expected `type,first,n` before the operand".to_string()))
    }
}

/// Integers with commas between them.
fn numbers_of(field: &str) -> Option<Vec<i64>> {
    field.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// The dimensions that isl's `type,first,n` name.
fn dims_of(map: &Map, [kind, first, n]: [usize; 3]) -> Result<(DimKind, usize, usize), Wrong> {
    let relation = map.space().is_map();
    let kind = match kind {
        ISL_PARAM => DimKind::Param,
        ISL_IN if relation => DimKind::In,
        ISL_OUT if !map.space().is_params() => DimKind::Out,
        _ => return Err(Wrong(format!("{} has no dimensions of type {kind}", map.space()))),
    };
    let held = map.dim(kind);
    match first.checked_add(n) {
        Some(end) if end <= held => Ok((kind, first, n)),
        _ => Err(Wrong(format!("dimensions {first} and {n} from there are not in {}, which has {held}", map.space()))),
    }
}

/// The kinds that [`Takes`] speaks of, for the table.
pub(super) const SET: Option<Kind> = Some(Kind::Set);
pub(super) const RELATION: Option<Kind> = Some(Kind::Relation);
