//! The stages in their order, from a function of LLVM to the function it becomes.
//!
//! [`run_on_function`] is the compiler in one paragraph: leave a function of which nothing can be modelled; make it readable; plan every region; and only then
//! change anything: compute parameters, and write the new loops, from the last region to the first, so that no change
//! disturbs a plan that is still to come. Where nothing is planned, the function goes back to what it was before it was made readable. [`choose`] plans one region, from a model to loops that can be written.
//! [`Nests`] tries regions, from wide to narrow, and keeps the promise that every outermost loop nest ends in exactly
//! one final remark. Printers plan as the pass does, and show what it would write.

mod ahead;
mod opaque;
mod rewrite;
mod taken_back;

use crate::allowance::{Allowance, Keep, Purse, SHORT_RUN};
use crate::candidate::{Asked, Choice, Plan, Trace, choose};
use crate::extract::refusal::shown_name;
use crate::extract::region::detect::{self, with_sizes};
use crate::extract::{Candidate, Reason, Refusal, Region, candidates};
use crate::llvm::{Analyses, Block, Function, Language, Leaves, LoopId, Numbered, Session};
use crate::machine::Machine;
use crate::options::Options;
use crate::prepare;
use crate::presburger::budget::spent;
use crate::printers::{Outcome, Stage, of_decision, of_models, of_searches};
use crate::record::{Draft, Records};
use crate::remarks::{Done, InOrder, Report, Validated, Verdict, loops_in_order, setting};
use crate::report::Nest;
use crate::selection::Selection;
use ahead::with_unchanged;
use opaque::is_opaque;
use rewrite::{rewrite, searches};
use std::collections::BTreeSet;
use taken_back::TakenBack;
use tracing::{debug, info_span};

/// Work units for finding out whether threads would help, which are told to the user alone and not part of the allowance of the loops.
const THREADS_BUDGET: u64 = 5_000_000;

/// What to do with each loop nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Optimize,
    Print(Stage),
}

/// Changes the function or prints one stage of each region. Nothing is told before all is done; when it is, whoever called makes of the function what
/// the report says it leaves. Nests draw on the purse of the module.
pub fn run_on_function<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    options: &Options,
    selection: &Selection,
    task: Task,
    purse: &Purse,
) -> Report<'ir> {
    let options = &options.on(Machine::of(session.target(function)));
    let is_heard = task == Task::Optimize && (session.is_heard(function) || options.report.is_some());
    let is_inlined = info_span!("prepare").in_scope(|| prepare::inline_small_calls(session, function));
    let (none, own) = (Selection::none(), Purse::new(options.budget));
    let is_opaque = task == Task::Optimize && is_opaque(session, function);
    if is_opaque && !is_heard && !options.statistics {
        return Report { leaves: if is_inlined { Leaves::AsBefore } else { Leaves::Changed }, ..Report::nothing() };
    }
    // Whoever listens hears what the loops are, which changes no code.
    let (selection, purse) = if is_opaque { (&none, &own) } else { (selection, purse) };
    info_span!("prepare").in_scope(|| prepare::make_countable(session, function));
    options.provoke("prepare", 1);
    let before = spent();
    let new = || {
        selection.begin();
        Nests::new(options, selection, is_heard, task)
    };
    let Nests { plans, taken, verdicts, validated, text, told, .. } =
        with_unchanged(session, function, (options, &new), purse);
    let searches = match options.reads_ahead {
        true => searches(session, function, &plans, (selection, taken.len())),
        false => Vec::new(),
    };
    selection.end();
    if let Task::Print(stage) = task {
        eprint!("{text}{}", of_searches(&session.analyses(function), &searches, stage));
        if taken.contains(&true) {
            session.note_rewritten(function);
        }
        return Report::nothing();
    }
    let mut report = Report { verdicts, validated, nests: told, work: spent() - before, leaves: Leaves::AsBefore };
    searches.iter().for_each(|search| report.searched(&session.analyses(function), search));
    if taken.contains(&true) || !searches.is_empty() {
        rewrite(session, function, &plans, &searches, options);
        report.leaves = Leaves::Changed;
    }
    options.provoke("end", 1);
    report
}

/// Regions tried, from wide to narrow.
struct Nests<'o, 'ir> {
    options: &'o Options,
    selection: &'o Selection,
    /// Whether somebody wants to know which loops run in order.
    is_heard: bool,
    task: Task,
    /// So many regions have been tried.
    n_tried: usize,
    plans: Vec<Plan<'ir>>,
    /// For each plan, whether the user wants it.
    taken: Vec<bool>,
    /// Those that he does not want, so that numbers stay: nothing is taken back for that.
    unwanted: Vec<Plan<'ir>>,
    verdicts: Vec<Verdict<'ir>>,
    validated: Vec<Validated<'ir>>,
    /// What is printed.
    text: String,
    /// What a report is to say of regions, if one is wanted.
    records: Records,
    told: Vec<Nest>,
    /// Loops with turns, as far as something is known of them that does not show.
    taken_back: TakenBack<'ir>,
}

/// What is planned for a region.
struct Planned<'ir> {
    /// The plan, or why the region is left as it is.
    result: Result<Plan<'ir>, Refusal<'ir>>,
    /// Why, as the user is told.
    told: Option<Refusal<'ir>>,
    trace: Trace<'ir>,
    in_order: Vec<InOrder<'ir>>,
    /// For the report, if one is wanted.
    draft: Option<Draft>,
}

impl<'o, 'ir> Nests<'o, 'ir> {
    fn new(options: &'o Options, selection: &'o Selection, is_heard: bool, task: Task) -> Self {
        let (plans, taken, unwanted, verdicts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (n_tried, text, records, told, validated) = (0, String::new(), Records::default(), Vec::new(), Vec::new());
        let taken_back = TakenBack::default();
        Nests {
            options,
            selection,
            is_heard,
            task,
            n_tried,
            plans,
            taken,
            unwanted,
            verdicts,
            validated,
            text,
            records,
            told,
            taken_back,
        }
    }

    /// The numbers that latches of loops have that are to be rewritten.
    fn rewritten(
        &self,
        analyses: &Analyses<'_, 'ir>,
        numbered: fn(Block<'ir>) -> Option<Numbered>,
    ) -> Option<BTreeSet<usize>> {
        if matches!(self.task, Task::Print(stage) if stage.is_of_model()) {
            return None;
        }
        let all = || self.plans.iter().chain(&self.unwanted);
        let is_rewritten = |header: Block<'ir>| all().any(|plan| plan.binding.region.contains(header));
        let loops = analyses.loops().iter().filter(|this| is_rewritten(this.header));
        Some(loops.filter_map(|this| Some(numbered(this.latch?)?.number)).collect())
    }

    fn plan(&mut self, analyses: &Analyses<'_, 'ir>, purse: &Purse) {
        match self.task {
            Task::Print(stage) if stage.is_of_model() => self.text = of_models(analyses, self.options, stage),
            _ => self.try_all(analyses, purse),
        }
    }

    /// Computes the parameters of the plans that are wanted, and keeps these.
    fn materialize(&mut self, analyses: &Analyses<'_, 'ir>) {
        for (plan, is_taken) in std::mem::take(&mut self.plans).into_iter().zip(&self.taken) {
            if *is_taken { self.plans.push(plan) } else { self.unwanted.push(plan) }
        }
        let mut written: Vec<&mut Plan<'ir>> = self.plans.iter_mut().filter(|plan| !plan.is_as_is()).collect();
        written.iter().for_each(|plan| plan.binding.forget_hidden(analyses));
        for (plan, number) in written.iter_mut().zip(1..) {
            info_span!("materialize").in_scope(|| plan.binding.materialize(analyses));
            self.options.provoke("materialize", number);
        }
    }

    fn try_all(&mut self, analyses: &Analyses<'_, 'ir>, purse: &Purse) {
        for candidate in candidates(analyses, None) {
            let size = analyses.size(&candidate.nests);
            let is_short = analyses.most_executed(&candidate.nests).is_some_and(|most| most <= SHORT_RUN);
            let work = |allowance: &Allowance| self.try_candidate(analyses, candidate, allowance);
            if is_short { purse.lend_own(size, work) } else { purse.lend(size, work) }
        }
    }

    /// Ends with one verdict for each of the candidate's outermost nests.
    fn try_candidate(&mut self, analyses: &Analyses<'_, 'ir>, candidate: Candidate<'ir>, allowance: &Allowance) {
        let Planned { result, told, trace, in_order, draft } = self.planned(analyses, &candidate, allowance);
        let is_apart = candidate.nests.len() > 1 && self.options.parallel == Some(true);
        let outcome = match &result {
            Ok(plan) if is_apart && plan.wants_data() => Outcome::Apart,
            Ok(plan) => Outcome::Done(plan),
            Err(refusal) => Outcome::Left(told.as_ref().unwrap_or(refusal)),
        };
        self.print(analyses, &candidate.nests, outcome, &trace);
        match result {
            Ok(plan) if !matches!(outcome, Outcome::Apart) => {
                let done = self.take(analyses, plan, (&candidate.nests, &candidate.nests), draft);
                let left = done.is_none().then(|| Refusal::anywhere(Reason::NotSelected));
                for nest in candidate.nests {
                    let done = done.iter().cloned().collect();
                    self.verdicts.push(Verdict::of(analyses, nest, done, left.clone(), &in_order));
                }
            }
            _ if candidate.nests.len() > 1 => {
                let apart = candidate.nests.into_iter().map(|nest| {
                    let region = detect::around_loop(analyses, nest);
                    Candidate { region, nests: vec![nest] }
                });
                for (candidate, size, rest) in with_sizes(analyses, apart.collect()) {
                    allowance.lend_part(size, rest, |part| self.try_candidate(analyses, candidate, part));
                }
            }
            Ok(_) => unreachable!("law: a plan for one nest is taken"),
            Err(refusal) => {
                let left = draft.zip(told.as_ref()).map(|(draft, told)| draft.left(told, &in_order));
                self.records.note(&candidate.nests, left);
                for nest in candidate.nests {
                    let mut in_order = in_order.clone();
                    let done = self.try_inside_or_alone(analyses, nest, &refusal, &mut in_order, allowance);
                    self.verdicts.push(Verdict::of(analyses, nest, done, told.clone(), &in_order));
                }
            }
        }
    }

    /// Keeps the plan for `nests`, and says what is done by it, at the lines of the loops `told_at`; nothing if the user does not want it.
    fn take(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        mut plan: Plan<'ir>,
        (nests, told_at): (&[LoopId], &[LoopId]),
        draft: Option<Draft>,
    ) -> Option<Done> {
        let is_taken = self.selection.takes(&analyses.function().name(), self.plans.len() + 1);
        let done = is_taken.then(|| Done::of(analyses, &plan, told_at, self.options));
        let nest = draft.map(|draft| match &done {
            Some(done) => draft.done(done),
            None => draft.left(&Refusal::anywhere(Reason::NotSelected), &[]),
        });
        self.records.note(nests, nest);
        if let (Some(done), true, Task::Optimize) = (&done, self.options.validate && !plan.is_as_is(), self.task) {
            self.validated.push(Validated::of(analyses, &mut plan, done));
        }
        self.plans.push(plan);
        self.taken.push(is_taken);
        done
    }

    /// What was done with the loops inside a refused one, or else with itself, if it was refused because of what
    /// differs between threads.
    fn try_inside_or_alone(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        nest: LoopId,
        refusal: &Refusal<'ir>,
        in_order: &mut Vec<InOrder<'ir>>,
        allowance: &Allowance,
    ) -> Vec<Done> {
        let done = self.try_inside(analyses, nest, refusal, in_order, allowance);
        if !done.is_empty() || !matches!(refusal.reason, Reason::DependsOnThread { .. }) {
            return done;
        }
        self.try_alone(analyses, nest, refusal, in_order, allowance).into_iter().collect()
    }

    /// What was done with a nest of which no other thread may run a part.
    fn try_alone(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        nest: LoopId,
        refusal: &Refusal<'ir>,
        in_order: &mut Vec<InOrder<'ir>>,
        allowance: &Allowance,
    ) -> Option<Done> {
        let options = Options { parallel: Some(false), ..self.options.clone() };
        let region = detect::around_loop(analyses, nest).ok()?;
        let choice = self.chosen(analyses, &region, &options, allowance);
        let draft = self.draft(analyses, &[nest], &choice);
        let (result, trace) = self.settled(analyses, choice);
        self.print(analyses, &[nest], Outcome::of(&result), &trace);
        let plan = result.ok()?;
        let done = self.take(analyses, plan, (&[nest], &[nest]), draft)?;
        let location = analyses.loop_(nest).location;
        let why = refusal.sentence(location.map(|at| at.file()).as_deref());
        in_order.push(InOrder::because(nest, location, why, refusal.cure()));
        Some(done)
    }

    /// What was done with the loops inside a refused one.
    fn try_inside(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        outer: LoopId,
        refusal: &Refusal<'ir>,
        in_order: &mut Vec<InOrder<'ir>>,
        allowance: &Allowance,
    ) -> Vec<Done> {
        let mut done = Vec::new();
        if matches!(refusal.reason, Reason::NoGain { besides: None, .. }) {
            return done;
        }
        for (candidate, size, rest) in with_sizes(analyses, candidates(analyses, Some(outer))) {
            let why = &refusal.reason;
            done.extend(
                allowance.lend_part(size, rest, |part| self.try_inner(analyses, candidate, why, in_order, part)),
            );
        }
        done
    }

    /// What was done with loops inside a refused one, or with those inside them.
    fn try_inner(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        candidate: Candidate<'ir>,
        outside: &Reason,
        in_order: &mut Vec<InOrder<'ir>>,
        allowance: &Allowance,
    ) -> Vec<Done> {
        let Planned { result, told, trace, in_order: found, draft } = self.planned(analyses, &candidate, allowance);
        let outcome = told.as_ref().map_or(Outcome::of(&result), Outcome::Left);
        self.print(analyses, &candidate.nests, outcome, &trace);
        let draft = draft.map(|draft| draft.with_order(&found));
        in_order.extend(found.iter().cloned());
        match result {
            Ok(plan) => self.take(analyses, plan, (&candidate.nests, &[]), draft).into_iter().collect(),
            Err(refusal) => {
                let told = told.as_ref().filter(|_| candidate.nests.len() == 1);
                let left = draft.zip(told).map(|(draft, told)| draft.left(told, &found));
                self.records.note(&candidate.nests, left);
                let is_of_thread = matches!(outside, Reason::DependsOnThread { .. });
                let inside = |nest| match is_of_thread {
                    true => self.try_inside(analyses, nest, &refusal, in_order, allowance),
                    false => self.try_inside_or_alone(analyses, nest, &refusal, in_order, allowance),
                };
                candidate.nests.into_iter().flat_map(inside).collect()
            }
        }
    }

    /// A plan for all of the candidate. Where parts of it can be tried as well, something is left for them.
    fn planned(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        candidate: &Candidate<'ir>,
        allowance: &Allowance,
    ) -> Planned<'ir> {
        let nests = candidate.nests.as_slice();
        let has_parts = nests.len() > 1 || nests.iter().any(|nest| !analyses.loop_(*nest).children.is_empty());
        let keep = match () {
            _ if nests.len() > 1 => Keep::Own(analyses.size(nests)),
            _ if has_parts => Keep::Quarter,
            _ => Keep::Nothing,
        };
        let options = self.options;
        let choice = match &candidate.region {
            Ok(region) => allowance.lend(keep, |part| self.chosen(analyses, region, options, part)),
            Err(refusal) => Choice::refused(refusal.clone()),
        };
        let heard = |choice| info_span!("explain").in_scope(|| loops_in_order(analyses, choice, options));
        let in_order = if self.is_heard { heard(&choice) } else { Vec::new() };
        let draft = self.draft(analyses, nests, &choice).map(|draft| draft.with_order(&in_order));
        let (result, trace) = self.settled(analyses, choice);
        let result = result.map_err(|refusal| self.advised(analyses, candidate, refusal));
        let told = result.as_ref().err().map(|refusal| self.taken_back.reason(analyses, nests, refusal));
        if let Some(told) = &told {
            self.taken_back.note(analyses, nests, told);
        }
        Planned { result, told, trace, in_order, draft }
    }

    /// A refusal with what the user could do about it. If it may be that threads would, that is tried.
    fn advised(&self, analyses: &Analyses<'_, 'ir>, candidate: &Candidate<'ir>, refusal: Refusal<'ir>) -> Refusal<'ir> {
        let setting = setting(analyses.function(), self.options);
        let may_help =
            self.is_heard && candidate.nests.len() == 1 && !setting.shared && refusal.reason.may_be_of_one_core();
        let helps = match &candidate.region {
            Ok(region) => may_help && self.helped_by_threads(analyses, region),
            Err(_) => false,
        };
        let threads = match setting.language {
            Language::Rust => "LOOPWRIGHT_OPTIONS=parallel would run it on all cores",
            _ => "-fopenmp would run it on all cores",
        };
        Refusal { cure: helps.then(|| threads.to_string()), ..refusal }.advised(setting)
    }

    /// Whether threads would share the loops of a region if they might.
    fn helped_by_threads(&self, analyses: &Analyses<'_, 'ir>, region: &Region<'ir>) -> bool {
        let options = Options { parallel: Some(true), ..self.options.clone() };
        let choice = Purse::new(Some(THREADS_BUDGET)).lend(0, |allowance| {
            let asked = Asked { options: &options, number: 0, allowance, given: None };
            info_span!("explain").in_scope(|| choose(analyses, region, &asked))
        });
        choice.outcome.is_ok_and(|candidate| candidate.emission.is_parallel())
    }

    fn draft(&self, analyses: &Analyses<'_, 'ir>, nests: &[LoopId], choice: &Choice<'ir>) -> Option<Draft> {
        let is_wanted = self.options.report.is_some() && self.task == Task::Optimize;
        is_wanted.then(|| Draft::of(analyses, nests, choice, self.options))
    }

    fn chosen(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        region: &Region<'ir>,
        options: &Options,
        allowance: &Allowance,
    ) -> Choice<'ir> {
        self.n_tried += 1;
        let _span = info_span!("choose", region = self.n_tried).entered();
        let before = allowance.left();
        let asked = Asked { options, number: self.n_tried, allowance, given: self.selection.given.as_ref() };
        let choice = choose(analyses, region, &asked);
        debug!(units = before - allowance.left(), "{}", choice.trace);
        choice
    }

    /// The plan that was chosen, if nothing is in its way that others do.
    fn settled(
        &self,
        analyses: &Analyses<'_, 'ir>,
        choice: Choice<'ir>,
    ) -> (Result<Plan<'ir>, Refusal<'ir>>, Trace<'ir>) {
        let (result, trace) = choice.into_plan();
        (result.and_then(|plan| self.beside_others(analyses, plan)), trace)
    }

    fn print(&mut self, analyses: &Analyses<'_, 'ir>, nests: &[LoopId], outcome: Outcome<'_, 'ir>, trace: &Trace<'ir>) {
        if let Task::Print(stage) = self.task {
            self.text.push_str(&of_decision(analyses, nests, outcome, trace, (stage, self.options)));
        }
    }

    /// The plan, if it takes nothing that the rewritten loops of earlier ones no longer compute.
    fn beside_others(&self, analyses: &Analyses<'_, 'ir>, plan: Plan<'ir>) -> Result<Plan<'ir>, Refusal<'ir>> {
        let values = plan.binding.outside_values(analyses);
        let written = || self.plans.iter().filter(|other| !other.is_as_is());
        match values.into_iter().find(|value| written().any(|other| other.binding.hides(*value))) {
            Some(value) => {
                let quoted = |name: String| if name.contains(' ') { name } else { format!("'{name}'") };
                let what = shown_name(value).map_or_else(|| "a value".into(), quoted);
                Err(Refusal::anywhere(Reason::BetweenLoops { what }))
            }
            None => Ok(plan),
        }
    }
}
