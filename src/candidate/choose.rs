//! The choice: every strategy that is worth a look is tried, within what is allowed, and the cheapest candidate is
//! taken.
//!
//! For one model the first strategy of which there is a candidate is the best, as they come in the order of preference;
//! between models the cost decides, and the program as it is wins over candidates that gain nothing. What is left alone
//! is left for the reason that the last model without tests of data gives, as that is the one that the user can do
//! something about.

use super::attempt::{Asked, Attempt, attempted};
use super::cost::Cost;
use super::evaluate::{Candidate, settings};
use super::model::{Model, threads_of};
use super::strategy::first_model;
use super::trace::{ModelTrace, Trace};
use crate::ast::Ast;
use crate::emit;
use crate::extract::{Binding, Locals, ModelOptions, OfData, Refusal, Region};
use crate::llvm::Analyses;
use crate::options::Options;
use crate::presburger::within;
use crate::schedule::Schedule;
use crate::scop::Scop;

/// Work units for finding out what a region writes: a few times what the largest kernels at hand take. They are not part of the
/// allowance of the loops, as the same code is to be validated that is written without.
const VALIDATION_BUDGET: u64 = 5_000_000;

/// What was chosen for a region, with the model that speaks for it.
pub struct Choice<'ir> {
    /// The chosen candidate's, or the last one without tests of data; `None` if the region cannot be modelled.
    pub model: Option<Model<'ir>>,
    /// The candidate; or why the program stays as it is.
    pub outcome: Result<Candidate, Refusal<'ir>>,
    pub trace: Trace<'ir>,
}

/// All that is decided about a region before anything is changed.
pub struct Plan<'ir> {
    pub scop: Scop,
    pub binding: Binding<'ir>,
    pub schedule: Schedule,
    pub ast: Ast,
    pub emission: emit::Decisions,
    /// Whether the user says how the region runs.
    is_given: bool,
}

/// Looks at the strategies for a region and chooses.
pub fn choose<'ir>(analyses: &Analyses<'_, 'ir>, region: &Region<'ir>, asked: &Asked<'_>) -> Choice<'ir> {
    asked.options.provoke("extract", asked.number);
    let mut attempts: Vec<Attempt<'ir>> = Vec::new();
    let mut next = Some(first_model(threads_of(asked.options)));
    while let Some(options) = next {
        let attempt = attempted(analyses, region, options, asked);
        next = attempt.summary().next_model(region.nests.len());
        attempts.push(attempt);
    }
    if attempts[0].wants_kept(asked.allowance) {
        let options = ModelOptions { locals: Locals::Kept, ..attempts[0].options };
        attempts.push(attempted(analyses, region, options, asked));
    }
    let cheapest = attempts.iter().enumerate().filter_map(|(at, attempt)| {
        let (model, (_, cost)) = (attempt.model.as_ref()?, attempt.outcome.as_ref().ok()?);
        (attempt.is_given() || attempt.pays() && *cost < Cost::of_program(model)).then_some((*cost, at))
    });
    let cheapest = cheapest.min().map(|(_, at)| at);
    let is_unseen = |options: ModelOptions| options.conditions == OfData::Refused && options.locals != Locals::Kept;
    let unseen = attempts.iter().rposition(|attempt| is_unseen(attempt.options));
    let taken = cheapest.or(unseen).expect("law: the first model is without tests of data");
    let trace = traced(&attempts, cheapest);
    let Attempt { model, outcome, .. } = attempts.swap_remove(taken);
    Choice { model, outcome: outcome.map(|(candidate, _)| candidate), trace }
}

impl<'ir> Choice<'ir> {
    /// For loops that cannot even be made a region of.
    pub fn refused(refusal: Refusal<'ir>) -> Choice<'ir> {
        Choice { model: None, outcome: Err(refusal), trace: Trace::default() }
    }

    /// The plan, or why the program stays as it is; and how that was found.
    pub fn into_plan(self) -> (Result<Plan<'ir>, Refusal<'ir>>, Trace<'ir>) {
        let plan = self.outcome.map(|Candidate { ordered, ast, emission, .. }| {
            let Model { scop, binding, given, .. } = self.model.expect("law: a candidate has a model");
            Plan { scop, binding, schedule: ordered.schedule, ast, emission, is_given: given.is_some() }
        });
        (plan, self.trace)
    }
}

impl Plan<'_> {
    /// Writes the new loops, of the region of this number, from 1, in the order in which regions are written.
    pub fn emit(&self, options: &Options, number: usize) {
        let decisions = self.emission.clone();
        let provoked = options.provoke_panic.filter(|provoked| provoked.region == number);
        let settings = emit::Settings { provoked: provoked.map(|provoked| provoked.stage), ..settings(options) };
        emit::Plan::from_decisions(&self.scop, &self.ast, &self.binding, settings, decisions).build();
    }

    /// Has both versions run and what they leave compared; `what` tells the user which loops these are.
    ///
    /// # Errors
    /// Why that cannot be, in the user's words.
    pub fn validate(&mut self, what: &str) -> Result<(), String> {
        let Plan { scop, binding, emission, .. } = self;
        let validated = within(VALIDATION_BUDGET, || emission.validate(scop, binding, what));
        validated.unwrap_or_else(|_| Err("the sets of elements that are written are too hard".into()))
    }

    /// Whether there is nothing to write: what was done before is all.
    pub fn is_as_is(&self) -> bool {
        self.schedule.as_counted
    }

    /// Whether a test of data might make more loops parallel.
    pub fn wants_data(&self) -> bool {
        !self.is_given && self.binding.wants_data && !self.schedule.sequential_statements(&self.scop).is_empty()
    }
}

/// How the choice came about; the candidate that is taken, if any, is of the attempt at this place.
fn traced<'ir>(attempts: &[Attempt<'ir>], chosen: Option<usize>) -> Trace<'ir> {
    let traced = |(at, attempt): (usize, &Attempt<'ir>)| {
        let refusal = || attempt.outcome.as_ref().err().cloned().expect("law: what has no model is refused");
        ModelTrace {
            options: attempt.options,
            program: attempt.model.as_ref().map(Cost::of_program).ok_or_else(refusal),
            tried: attempt.tried.clone(),
            is_chosen: chosen == Some(at),
        }
    };
    Trace { models: attempts.iter().enumerate().map(traced).collect() }
}
