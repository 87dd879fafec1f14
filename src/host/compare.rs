//! A program as it is against what the plugin makes of it.

use super::lower::lowered;
use super::program::Program;
use super::random;
use super::run::{Arena, Outcome};
use crate::counters::Counters;
use crate::llvm::session::with_ir;
use crate::options::Options;
use crate::pipeline::{Task, run_on_function};
use crate::selection::Selection;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Pipelines that the plugin may find functions in: as at its place in the pipeline, and with more or less done before.
const BEFORE: [&str; 3] = [
    "function(sroa,early-cse<memssa>,simplifycfg)",
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)",
    "thinlto-pre-link<O2>",
];

/// What follows: the vectorizer and others believe what the plugin says of its loops.
const AFTER: [&str; 2] = ["function(instcombine<no-verify-fixpoint>,simplifycfg)", "default<O2>"];

/// What a case found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same; in how many functions something was emitted.
    Same {
        changed: usize,
    },
    Different(String),
}

/// One way to use the plugin.
#[derive(Clone, Debug)]
pub struct Variant {
    pub words: &'static str,
    pub threads: &'static [i32],
}

/// Sequential, and with threads however little work there is.
pub const VARIANTS: [Variant; 2] =
    [Variant { words: "no-parallel", threads: &[1] }, Variant { words: "parallel min-work=0", threads: &[3, 1] }];

/// The module in text form after the plugin; and whether it emitted something. `Err` says what broke.
pub fn transformed(ir: &str, words: &str, before: &str, after: &str) -> Result<(String, bool), String> {
    let options = Options::default().with(words.split_whitespace()).map_err(|error| error.to_string())?;
    let result = with_ir(ir, |session| {
        session.run_module_passes(before)?;
        let mut counters = Counters::about("fuzz".to_string());
        for function in session.module().functions() {
            if !function.has_body() || !function.has_cycle() {
                continue;
            }
            let run = AssertUnwindSafe(|| {
                run_on_function(session, function, &options, &Selection::default(), Task::Optimize)
            });
            let outcome = catch_unwind(run).map(|report| report.tell(session, &mut counters));
            if let Err(panic) = outcome {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_string()));
                return Err(format!("panic: {}", text.unwrap_or_default()));
            }
        }
        session.module().verify().map_err(|complaint| format!("invalid IR: {complaint}"))?;
        session.run_module_passes(after)?;
        Ok((session.module().to_string(), counters.to_string().contains("nests optimized")))
    });
    result.and_then(|inner| inner)
}

/// Runs the program as it is and in all variants.
pub fn compare(program: &Program) -> Verdict {
    let ir = lowered(program);
    let mut arena = Arena::new(program);
    let expected = match arena.run(&ir, &[1]) {
        Ok(outcomes) => outcomes.into_iter().next().expect("law: one run has one outcome"),
        Err(trouble) => return Verdict::Different(format!("the program itself: {trouble}")),
    };
    let mut changed = 0;
    let before = BEFORE[program.contents as usize % BEFORE.len()];
    let after = AFTER[program.contents as usize / BEFORE.len() % AFTER.len()];
    for variant in &VARIANTS {
        let (new, emitted) = match transformed(&ir, variant.words, before, after) {
            Ok(result) => result,
            Err(trouble) => return Verdict::Different(format!("{}: {trouble}", variant.words)),
        };
        if !emitted {
            continue;
        }
        changed += 1;
        let found = match arena.run(&new, variant.threads) {
            Ok(found) => found,
            Err(trouble) => return Verdict::Different(format!("{}: {trouble}", variant.words)),
        };
        for (outcome, count) in found.iter().zip(variant.threads) {
            if let Some(where_) = difference(&expected, outcome) {
                return Verdict::Different(format!("{}, {count} threads: {where_}", variant.words));
            }
        }
    }
    Verdict::Same { changed }
}

/// Where two runs differ first.
fn difference(expected: &Outcome, found: &Outcome) -> Option<String> {
    if expected.ticks != found.ticks {
        return Some(format!("calls with {:?}, not {:?}", shortened(&found.ticks), shortened(&expected.ticks)));
    }
    for (at, (old, new)) in expected.memory.iter().zip(&found.memory).enumerate() {
        if let Some(byte) = (0..old.len()).find(|byte| old[*byte] != new[*byte]) {
            return Some(format!("memory {at}, byte {byte}: {}, not {}", new[byte], old[byte]));
        }
    }
    None
}

fn shortened(ticks: &[i64]) -> &[i64] {
    &ticks[..ticks.len().min(6)]
}

/// The program of a seed as text, for the report on a failure.
pub fn text_of(program: &Program) -> String {
    let data = serde_json::to_string(program).expect("law: a program is plain data");
    format!("; program {data}\n{}", lowered(program))
}

/// The case of a seed.
pub fn case(seed: u64) -> (Program, Verdict) {
    let program = random::program(seed);
    let verdict = compare(&program);
    (program, verdict)
}
