//! The printers: one stage of each region as text, on standard error.
//!
//!     print<loopwright-scops>          the model: domains, accesses, the program's order; statements in a line; what is tested before
//!     print<loopwright-dependences>    what depends on what in it
//!     print<loopwright-candidates>     all that was looked at, with costs, or why it was rejected; and what is done
//!     print<loopwright-schedule>       the schedule tree of what the pass writes
//!     print<loopwright-ast>            the loops that it writes
//!
//! The first two show every region that can be modelled, whatever comes of it. The others show what the pass decides,
//! in the order in which regions are tried: the pass plans, and then text is written in place of loops.

use crate::allowance::{Keep, Purse};
use crate::candidate::{Plan, Trace, first_model, read, threads_of};
use crate::dependence::Dependences;
use crate::extract::region::detect;
use crate::extract::{Candidate, Reason, Refusal, Region, candidates};
use crate::llvm::{Analyses, LoopId};
use crate::options::Options;
use crate::prepare::Search;
use crate::remarks::Done;
use crate::scop::labels::Labels;
use std::fmt;

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Scops,
    Dependences,
    Candidates,
    Schedule,
    Ast,
}

impl Stage {
    /// Whether it is known before anything is chosen.
    pub fn is_of_model(self) -> bool {
        matches!(self, Stage::Scops | Stage::Dependences)
    }
}

/// What becomes of a region.
#[derive(Clone, Copy)]
pub enum Outcome<'p, 'ir> {
    Done(&'p Plan<'ir>),
    /// There is a plan, but with tests of data there might be better ones for its nests one by one.
    Apart,
    Left(&'p Refusal<'ir>),
}

impl<'p, 'ir> Outcome<'p, 'ir> {
    /// Of a plan that is taken.
    pub fn of(result: &'p Result<Plan<'ir>, Refusal<'ir>>) -> Self {
        result.as_ref().map_or_else(Outcome::Left, Outcome::Done)
    }
}

/// The text of a stage that is not of the model, for a region that is decided about.
pub fn of_decision<'ir>(
    analyses: &Analyses<'_, 'ir>,
    nests: &[LoopId],
    outcome: Outcome<'_, 'ir>,
    trace: &Trace<'ir>,
    (stage, options): (Stage, &Options),
) -> String {
    let name = analyses.function().name();
    let apart = "its nests are tried one by one, for tests of data";
    match (stage, outcome) {
        (Stage::Schedule, Outcome::Done(plan)) => format!("# {name}\n{}\n", labelled(plan, &plan.schedule)),
        (Stage::Ast, Outcome::Done(plan)) => format!("# {name}\n{}\n", labelled(plan, &plan.ast)),
        (Stage::Candidates, outcome) => {
            let end = match outcome {
                Outcome::Done(plan) => format!("done: {}", Done::of(analyses, plan, nests, options)),
                Outcome::Apart => apart.into(),
                Outcome::Left(refusal) => format!("left as it was: {}", refusal.advice(None)),
            };
            format!("# {name}{}\n{trace}{end}\n\n", lines(analyses, nests))
        }
        (Stage::Schedule | Stage::Ast, Outcome::Apart) => format!("# {name}: {apart}\n"),
        (Stage::Schedule | Stage::Ast, Outcome::Left(refusal)) => refused(&name, refusal),
        (Stage::Scops | Stage::Dependences, _) => unreachable!("law: these are of the model"),
    }
}

/// The loops that do nothing but search, and ask many elements at once.
pub fn of_searches<'ir>(analyses: &Analyses<'_, 'ir>, searches: &[Search<'ir>], stage: Stage) -> String {
    let name = analyses.function().name();
    let of = |search: &Search<'ir>| {
        let id = analyses.loop_of(search.header)?;
        let done = Done::searching(analyses.loop_(id).location, search.lanes);
        Some(format!("# {name}{}\nsearched: {done}\n\n", lines(analyses, &[id])))
    };
    searches.iter().filter(|_| stage == Stage::Candidates).filter_map(of).collect()
}

fn labelled(plan: &Plan<'_>, part: &dyn fmt::Display) -> String {
    Labels::of(&plan.scop).relabel(&part.to_string())
}

/// Where nests start, as far as that is known.
fn lines(analyses: &Analyses<'_, '_>, nests: &[LoopId]) -> String {
    let lines: Vec<String> =
        nests.iter().filter_map(|nest| Some(analyses.loop_(*nest).location?.line().to_string())).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!(", line {line}"),
        lines => format!(", lines {}", lines.join(", ")),
    }
}

fn refused(name: &str, refusal: &Refusal<'_>) -> String {
    let line = refusal.location.map(|at| format!("line {}: ", at.line())).unwrap_or_default();
    format!("# {name}: {line}{refusal}\n")
}

/// The text of a stage of the model, for each region that can be modelled, and why the others cannot.
pub fn of_models<'ir>(analyses: &Analyses<'_, 'ir>, options: &Options, stage: Stage) -> String {
    let all = candidates(analyses, None).into_iter();
    all.map(|candidate| of_candidate(analyses, candidate, options, stage)).collect()
}

fn of_candidate<'ir>(
    analyses: &Analyses<'_, 'ir>,
    candidate: Candidate<'ir>,
    options: &Options,
    stage: Stage,
) -> String {
    let name = analyses.function().name();
    let size = analyses.size(&candidate.nests);
    let text = candidate.region.and_then(|region| {
        let shown = || of_region(analyses, &region, options, stage);
        let shown = Purse::new(options.budget).lend(size, |allowance| allowance.within(Keep::Nothing, shown));
        shown.unwrap_or_else(|_| Err(Refusal::anywhere(Reason::TooHard)))
    });
    let of = |candidate: Candidate<'ir>| of_candidate(analyses, candidate, options, stage);
    match text {
        Ok(text) => format!("# {name}\n{text}\n"),
        Err(_) if candidate.nests.len() > 1 => {
            let alone = |nest| Candidate { region: detect::around_loop(analyses, nest), nests: vec![nest] };
            candidate.nests.into_iter().map(alone).map(of).collect()
        }
        Err(refusal) => {
            let inner = candidate.nests.into_iter().flat_map(|nest| candidates(analyses, Some(nest)));
            refused(&name, &refusal) + &inner.map(of).collect::<String>()
        }
    }
}

fn of_region<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: &Options,
    stage: Stage,
) -> Result<String, Refusal<'ir>> {
    let (scop, binding) = read(analyses, region, first_model(threads_of(options)))?;
    let labels = Labels::of(&scop);
    if stage == Stage::Dependences {
        return Ok(labels.relabel(&Dependences::of(&scop).to_string()));
    }
    let outlines = scop.statements.iter().map(|s| format!("# {}: {}\n", labels.relabel(&s.name), scop.outline(s)));
    let basis = binding.basis().into_iter().map(|line| format!("# tested: {line}\n"));
    Ok([labels.relabel(&scop.to_string()), outlines.collect(), basis.collect()].concat())
}
