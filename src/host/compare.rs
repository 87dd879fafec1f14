//! A program as it is against what the plugin makes of it.
//!
//! [`compare`] runs both in this process. They differ if a byte of memory does, an argument of an unknown call, or whether `errno` was set. Neither
//! may fault: no program touches what is not its own, so that a fault is a difference too, which whoever runs cases in a process of its own sees.

use super::lower::lowered;
use super::program::{Program, Runtime, Way};
use super::random;
use super::run::{Arena, Outcome, is_nan};
use crate::allowance::Purse;
use crate::counters::Counters;
use crate::llvm::session::with_ir;
use crate::options::Options;
use crate::pipeline::{Task, run_on_function};
use crate::selection::Selection;
use std::sync::{Mutex, PoisonError};

/// Programs run one after the other: their threads, and what they tell, are of the whole process. Tests that run side by side must not meet there.
static RUNNING: Mutex<()> = Mutex::new(());

/// Pipelines that the plugin may find functions in: as at its place in the pipeline, and with more or less done before.
const BEFORE: [&str; 4] = [
    "inferattrs,function(sroa,early-cse<memssa>,simplifycfg)",
    "function(sroa,early-cse<memssa>,simplifycfg)",
    "inferattrs,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)",
    "thinlto-pre-link<O2>",
];

/// One of so many ways is the last pipeline, which takes longest.
const RARELY: usize = 8;

/// What follows: the vectorizer and others believe what the plugin says of its loops. Mostly nothing does, which is fastest.
const AFTER: [&str; 3] = ["default<O2>", "function(instcombine<no-verify-fixpoint>,simplifycfg)", ""];

/// The panic that an option asks for.
const PROVOKED: &str = "provoked";

/// What a case found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same; whether something was emitted.
    Same {
        changed: bool,
    },
    Different(String),
}

/// The module in text form after the plugin; and whether it changed something. `Err` says what broke.
pub fn transformed(ir: &str, way: &Way) -> Result<(String, bool), String> {
    let options = Options::default().with(way.words.split_whitespace()).map_err(|error| error.to_string())?;
    let result = with_ir(ir, |session| {
        session.run_module_passes(before(way))?;
        let mut counters = Counters::about("fuzz".to_string());
        let mut is_restored = false;
        let purse = Purse::new(options.budget);
        for function in session.module().functions() {
            if !function.has_body() || !function.has_cycle() {
                continue;
            }
            let attempt = session.attempt(function, |session| {
                let report =
                    run_on_function(session, function, &options, &Selection::default(), Task::Optimize, &purse);
                report.tell(session, &mut counters);
                ((), report.leaves)
            });
            match attempt {
                Err(text) if text != PROVOKED => return Err(format!("panic: {text}")),
                outcome => is_restored |= outcome.is_err(),
            }
        }
        session.module().verify().map_err(|complaint| format!("invalid IR: {complaint}"))?;
        let is_changed = is_restored || counters.to_string().contains("nests optimized");
        Ok((session.module().to_string(), is_changed))
    });
    result.and_then(|inner| inner)
}

/// The pipeline that the plugin finds functions in.
pub(super) fn before(way: &Way) -> &'static str {
    match way.before % RARELY {
        0 => BEFORE[BEFORE.len() - 1],
        at => BEFORE[at % (BEFORE.len() - 1)],
    }
}

fn after(way: &Way) -> &'static str {
    AFTER[match way.after % RARELY {
        0 => 0,
        1 | 2 => 1,
        _ => 2,
    }]
}

/// Whether the plugin makes parallel loops of it.
pub fn becomes_parallel(program: &Program) -> bool {
    transformed(&lowered(program), &program.way).is_ok_and(|(new, _)| new.contains("@__kmpc_fork_call("))
}

/// Runs the program as it is and as the plugin leaves it.
pub fn compare(program: &Program) -> Verdict {
    let way = &program.way;
    let ir = lowered(program);
    let (new, changed) = match transformed(&ir, way) {
        Ok(result) => result,
        Err(trouble) => return Verdict::Different(trouble),
    };
    if !changed {
        return Verdict::Same { changed };
    }
    let _alone = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut arena = Arena::new(program);
    let plain = Way { threads: vec![1], runtime: Runtime::Turns { order: 0 }, ..way.clone() };
    let expected = match arena.run(&ir, "", &plain) {
        Ok(outcomes) => outcomes.into_iter().next().expect("law: one run has one outcome"),
        Err(trouble) => return Verdict::Different(format!("the program itself: {trouble}")),
    };
    let found = match arena.run(&new, after(way), way) {
        Ok(found) => found,
        Err(trouble) => return Verdict::Different(trouble),
    };
    for (outcome, count) in found.iter().zip(&way.threads) {
        if let Some(where_) = difference(&expected, outcome) {
            return Verdict::Different(format!("{}, {count} threads: {where_}", way.words));
        }
    }
    Verdict::Same { changed }
}

/// Where two runs differ first.
fn difference(expected: &Outcome, found: &Outcome) -> Option<String> {
    if expected.ticks != found.ticks {
        return Some(format!("calls with {:?}, not {:?}", shortened(&found.ticks), shortened(&expected.ticks)));
    }
    for (at, ((old, floats), (new, _))) in expected.memory.iter().zip(&found.memory).enumerate() {
        let is_other = |byte: &usize| {
            let both_nan = floats.iter().any(|kind| {
                let from = byte / kind.bytes() * kind.bytes();
                let cell = from..from + kind.bytes();
                cell.end <= old.len() && is_nan(&old[cell.clone()], *kind) && is_nan(&new[cell], *kind)
            });
            old[*byte] != new[*byte] && !both_nan
        };
        if let Some(byte) = (0..old.len()).find(is_other) {
            return Some(format!("memory {at}, byte {byte}: {}, not {}", new[byte], old[byte]));
        }
    }
    // Which of several errors it is that calls report is left open.
    if (expected.errno == 0) != (found.errno == 0) {
        return Some(format!("errno {}, not {}", found.errno, expected.errno));
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
