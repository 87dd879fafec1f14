//! One model of a region, and what comes of it within what is allowed: the first of its strategies that makes a
//! candidate.
//!
//! If the scheduler does not come to an end, as with `A[i % 40][i / 20 % 40]`, the rest of the allowance is for the
//! program's own order: as much as it took to read the model, which asks as many questions about as many pairs of accesses.

use super::cost::Cost;
use super::evaluate::{Candidate, evaluate};
use super::model::Model;
use super::strategy::{Order, Outcome, Rejected, Search, Strategies, Strategy, first_model};
use super::trace::{Tried, Verdict};
use crate::allowance::{Allowance, Keep};
use crate::extract::{ModelOptions, OfData, Reason, Refusal, Region, Threads};
use crate::llvm::Analyses;
use crate::options::Options;
use crate::presburger::{DimKind, TooHard};
use crate::schedule::given::Given;
use crate::scop::Statement;

/// Operations of an iteration for which reading some of its data beforehand is a small price: those of a short inner
/// loop.
const WORTH_A_TEST: u32 = 16;

/// What is wanted of a plan.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub options: &'a Options,
    /// The region's, from 1, in the order in which regions are tried.
    pub number: usize,
    /// What it may cost.
    pub allowance: &'a Allowance,
    /// The schedules that the user gives, with the name of their file.
    pub given: Option<&'a (String, Given)>,
}

/// One model, and what came of it.
pub struct Attempt<'ir> {
    pub options: ModelOptions,
    pub model: Option<Model<'ir>>,
    pub tried: Vec<Tried<'ir>>,
    pub outcome: Result<(Candidate, Cost), Refusal<'ir>>,
}

impl Attempt<'_> {
    /// Whether the test of data that the model needs, if any, takes less time than the loops.
    pub fn pays(&self) -> bool {
        self.is_given() || self.model.as_ref().is_none_or(pays_to_inspect)
    }

    /// Whether the user says how the region runs.
    pub fn is_given(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.given.is_some())
    }

    /// Whether threads could share more if they had arrays of their own that are looked at behind the loops.
    pub fn wants_kept(&self, allowance: &Allowance) -> bool {
        let is_first = self.options == first_model(Threads::Several);
        let is_hindered = || self.outcome.as_ref().map_or_else(|_| true, |(_, cost)| cost.is_hindered());
        let found = |model: &Model<'_>| allowance.within(Keep::Eighth, || model.has_kept_arrays()).unwrap_or(false);
        let has_kept = |model: &Model<'_>| model.given.is_none() && found(model);
        is_first && is_hindered() && self.model.as_ref().is_some_and(has_kept)
    }

    /// For the choice of the next model.
    pub fn summary(&self) -> Outcome {
        let refusal = self.outcome.as_ref().err();
        let wants_data = match (&self.model, &self.outcome) {
            (Some(_), Ok(_)) if self.is_given() => false,
            (Some(model), Ok((_, cost))) => model.binding.wants_data && cost.sequential > 0,
            (Some(model), Err(_)) => model.binding.wants_data,
            (None, refused) => matches!(refused, Err(refusal) if refusal.reason.is_of_extent()),
        };
        let is_guarded = self.model.as_ref().is_some_and(|model| model.binding.has_guards());
        let is_in_order = |cost: &Cost| self.options.threads == Threads::Several && cost.sequential > 0;
        Outcome {
            model: self.options,
            is_hindered_by_guards: is_guarded
                && !self.is_given()
                && self.outcome.as_ref().map_or_else(|_| true, |(_, cost)| is_in_order(cost)),
            is_refused_for_extent: self.model.is_some() && refusal.is_some_and(|r| r.reason.is_of_extent()),
            is_hindered_by_own_arrays: refusal.is_some() && self.model.as_ref().is_some_and(Model::has_own_arrays),
            wants_data,
        }
    }
}

/// A model of the region, and what becomes of it within what is allowed: of the best order that is found in that, or of
/// the program's own.
pub fn attempted<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: ModelOptions,
    asked: &Asked<'_>,
) -> Attempt<'ir> {
    let Asked { allowance, number, .. } = *asked;
    let mut tried = Vec::new();
    let before = allowance.left();
    let read = || Model::read(analyses, region, options, asked.options);
    let model = allowance.within(Keep::Eighth, read).unwrap_or_else(too_hard);
    let model = match model.and_then(|model| model.with_given(asked.given)) {
        Ok(model) => model,
        Err(refusal) => return Attempt { options, model: None, tried, outcome: Err(refusal) },
    };
    let in_order = Keep::Units(before - allowance.left());
    asked.options.provoke("schedule", number);
    let search = |keep, search, tried: &mut Vec<Tried<'ir>>| {
        let found = allowance.within(keep, || first_candidate(&model, asked.options, search, tried));
        if found.is_err() && !matches!(tried.last(), Some(Tried { verdict: Verdict::Rejected(Rejected::TooHard), .. }))
        {
            let strategy = Strategy { order: Order::Scheduled, copies: Vec::new() };
            tried.push(Tried { strategy, verdict: Verdict::Rejected(Rejected::TooHard) });
        }
        found
    };
    let may_be_in_order = model.given.is_none() && asked.options.parallel == Some(true);
    let found = search(if may_be_in_order { in_order } else { Keep::Eighth }, Search::Full, &mut tried);
    let found = match tried.last() {
        Some(last) if found.is_err() && may_be_in_order && last.strategy.order != Order::Program => {
            search(Keep::Nothing, Search::Skipped, &mut tried).map(if_it_was_looked_for)
        }
        _ => found,
    };
    let outcome = found.unwrap_or_else(too_hard).map(|candidate| {
        let cost = Cost::of(&model, &candidate);
        (candidate, cost)
    });
    if let (Ok((candidate, cost)), Some(last)) = (&outcome, tried.last_mut()) {
        let times = candidate.ordered.schedule.times;
        last.verdict = Verdict::Possible { cost: *cost, pays: pays_to_inspect(&model), times };
    }
    Attempt { options, model: Some(model), tried, outcome }
}

/// The program's order, or why not, where no other could be found: that it gains nothing says nothing of the loops inside.
fn if_it_was_looked_for<'ir>(found: Result<Candidate, Refusal<'ir>>) -> Result<Candidate, Refusal<'ir>> {
    found.or_else(|refusal| match refusal.reason {
        Reason::NoGain { .. } => too_hard(TooHard),
        _ => Err(refusal),
    })
}

fn too_hard<'ir, T>(_: TooHard) -> Result<T, Refusal<'ir>> {
    Err(Refusal::anywhere(Reason::TooHard))
}

/// The first strategy for a model of which there is a candidate. All that are looked at are noted.
fn first_candidate<'ir>(
    model: &Model<'ir>,
    options: &Options,
    search: Search,
    tried: &mut Vec<Tried<'ir>>,
) -> Result<Candidate, Refusal<'ir>> {
    let mut strategies = Strategies::of(model, options, search);
    let mut refused = None;
    let mut next = strategies.next(None);
    while let Some(strategy) = next {
        tried.push(Tried { strategy: strategy.clone(), verdict: Verdict::Rejected(Rejected::TooHard) });
        let rejected = match evaluate(model, &strategy, options) {
            Ok(candidate) => return Ok(candidate),
            Err(rejected) => rejected,
        };
        if let (Rejected::Refused(refusal) | Rejected::Illegal(refusal), true) =
            (&rejected, strategy.order != Order::AllParallel)
        {
            refused = Some(refusal.clone());
        }
        tried.last_mut().expect("law: a strategy was noted").verdict = Verdict::Rejected(rejected.clone());
        next = strategies.next(Some((&strategy, &rejected)));
    }
    Err(refused.unwrap_or_else(|| no_gain(model, options)))
}

fn no_gain<'ir>(model: &Model<'ir>, options: &Options) -> Refusal<'ir> {
    let ordered = |opaque: Refusal<'ir>| Refusal {
        reason: match options.parallel {
            Some(true) => Reason::Ordered { and: Box::new(opaque.reason) },
            _ => opaque.reason,
        },
        ..opaque
    };
    let slower = model.slower().map(|(times, threads)| match threads {
        Threads::Several if options.parallel == Some(true) => (times, options.machine.cores),
        _ => (times, 1),
    });
    let why = match slower {
        Some((times, cores)) => {
            let on = if cores > 1 { format!(" on {cores} cores") } else { String::new() };
            let percent = times.on(cores.into()).percent();
            format!("the loops that were found are predicted to take {percent}% of the program's time{on}")
        }
        None if options.parallel == Some(true) => "no loop becomes parallel, tiled or vectorised".into(),
        None => "no other order of these loops is faster on one core".into(),
    };
    let is_in_the_way = slower.is_none() && (options.parallel == Some(true) || has_nested_loops(model));
    match model.binding.opaque.first().cloned() {
        Some(opaque) if is_in_the_way => ordered(opaque),
        opaque => Refusal::anywhere(Reason::NoGain { why, besides: opaque.map(|refusal| Box::new(refusal.reason)) }),
    }
}

/// Whether loops could change places or be tiled at all.
fn has_nested_loops(model: &Model<'_>) -> bool {
    model.scop.statements.iter().any(|statement| statement.domain.dim(DimKind::Out) > 1)
}

/// Whether the test of data takes less time than the loops: some statement is in more loops than it, or long.
fn pays_to_inspect(model: &Model<'_>) -> bool {
    let depth = model.binding.inspections.iter().map(|inspection| inspection.loops.len()).max().unwrap_or(0);
    let outweighs = |s: &Statement| s.domain.dim(DimKind::Out) > depth || s.operations >= WORTH_A_TEST;
    model.options.conditions == OfData::Refused || model.scop.statements.iter().any(outweighs)
}
