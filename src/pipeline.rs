//! The stages in their order, from a function of LLVM to the function it becomes.
//!
//! [`plan`] is the compiler in one paragraph: extract a model, find its dependences, choose a schedule, check it, scan it into loops. What
//! it returns is data; only [`emit`](crate::emit::emit) changes the program, after every region of the function has been planned, from
//! the last to the first, so that no change disturbs a plan that is still to come. Around it, [`Nests`] keeps the promise that every
//! outermost loop nest ends in exactly one final remark.

use crate::ast::{self, Ast};
use crate::counters::Counters;
use crate::dependence::Dependences;
use crate::emit::{self, Settings};
use crate::extract::{Binding, Candidate, Reason, Refusal, Region, candidates, detect, extract};
use crate::llvm::{Analyses, Block, Function, Location, LoopId, RemarkKind, Session};
use crate::options::{Fusion, Options, Tile};
use crate::presburger::{Id, within};
use crate::schedule::{self, Schedule};
use crate::scop::Scop;

/// What to do with each loop nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Optimize,
    PrintScops,
    PrintDependences,
    PrintSchedule,
    PrintAst,
}

/// All that is decided about a region before anything is changed.
pub struct Plan<'ir> {
    scop: Scop,
    binding: Binding<'ir>,
    schedule: Schedule,
    ast: Ast,
    emission: emit::Decisions,
}

/// What became of an outermost loop nest.
struct Verdict<'ir> {
    location: Option<Location<'ir>>,
    block: Block<'ir>,
    done: Vec<String>,
    refusal: Option<Refusal<'ir>>,
}

/// Whether the function was changed.
pub fn run_on_function<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    options: &Options,
    task: Task,
    counters: &mut Counters,
) -> bool {
    session.inline_small_calls(function);
    session.make_readable(function);
    if task != Task::Optimize {
        print(session, function, options, task);
        return true;
    }
    let mut nests = Nests { options, plans: Vec::new(), verdicts: Vec::new() };
    nests.try_all(&session.analyses(function));
    for plan in nests.plans.iter().rev() {
        plan.emit(options);
    }
    session.invalidate(function);
    nests.verdicts.iter().for_each(|verdict| verdict.tell(session, counters));
    true
}

/// From a region to everything that emission needs, or the reason why not.
pub fn plan<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: &Options,
) -> Result<Plan<'ir>, Refusal<'ir>> {
    assert!(!options.provoke_panic, "provoked");
    within(options.budget, || {
        let (scop, mut binding) = extract(analyses, region)?;
        let dependences = Dependences::of(&scop);
        let schedule = checked_schedule(&scop, &dependences, options, &[])?;
        let sequential = schedule.sequential_statements(&scop);
        let private = match options.parallel == Some(true) {
            true => dependences.reduced_arrays(&scop, &sequential),
            false => Vec::new(),
        };
        let mut refused = None;
        if !private.is_empty() {
            let other = checked_schedule(&scop, &dependences, options, &private)?;
            if other.gains_over(&scop) && other.sequential_statements(&scop).len() < sequential.len() {
                binding.materialize(analyses);
                match decided(&scop, &binding, &other, options) {
                    Ok((ast, emission)) => return Ok(Plan { scop, binding, schedule: other, ast, emission }),
                    Err(refusal) => refused = Some(refusal),
                }
            }
        }
        if !schedule.gains_over(&scop) {
            let why = "no loop becomes parallel, tiled or vectorised".into();
            let no_gain =
                || binding.opaque.first().cloned().unwrap_or_else(|| Refusal::anywhere(Reason::NoGain { why }));
            return Err(refused.unwrap_or_else(no_gain));
        }
        binding.materialize(analyses);
        let (ast, emission) = decided(&scop, &binding, &schedule, options)?;
        Ok(Plan { scop, binding, schedule, ast, emission })
    })
    .unwrap_or_else(|_| Err(Refusal::anywhere(Reason::TooHard)))
}

/// The loops of a schedule and how they are emitted.
fn decided<'ir>(
    scop: &Scop,
    binding: &Binding<'ir>,
    schedule: &Schedule,
    options: &Options,
) -> Result<(Ast, emit::Decisions), Refusal<'ir>> {
    let ast = loops(scop, schedule, options)?;
    let relaxed = &schedule.privatised;
    let emission = emit::Plan::of(scop, &schedule.tree, relaxed, &ast, binding, settings(options))?.into_decisions();
    Ok((ast, emission))
}

/// A schedule that passed the independent check; a parallel loop of it may carry reductions on the arrays `private`.
fn checked_schedule<'ir>(
    scop: &Scop,
    dependences: &Dependences,
    options: &Options,
    private: &[Id],
) -> Result<Schedule, Refusal<'ir>> {
    let wanted = schedule::Options { privatised: private.to_vec(), ..schedule_options(options) };
    let schedule = Schedule::of(scop, dependences, &wanted);
    match schedule.check(scop, dependences) {
        Ok(()) => Ok(schedule),
        Err(violation) => Err(Refusal::anywhere(Reason::IllegalSchedule { what: violation.to_string() })),
    }
}

fn loops<'ir>(scop: &Scop, schedule: &Schedule, options: &Options) -> Result<Ast, Refusal<'ir>> {
    let wanted = ast::Options { parallel: options.parallel == Some(true), ..ast::Options::default() };
    Ast::of(&schedule.tree, &scop.trusted_context(), &wanted)
        .map_err(|unbounded| Refusal::anywhere(Reason::Broken { what: unbounded.to_string() }))
}

fn settings(options: &Options) -> Settings {
    Settings { parallel: options.parallel == Some(true), minimal_work: options.minimal_work, check: options.check }
}

fn schedule_options(options: &Options) -> schedule::Options {
    let mut chosen = schedule::Options { parallel: options.parallel == Some(true), ..schedule::Options::default() };
    match options.tile {
        Tile::Model => {}
        Tile::Off => chosen.tile = false,
        Tile::Fixed(side) => {
            let side = i64::try_from(side).unwrap_or(i64::MAX);
            (chosen.tile_size, chosen.vector_tile) = (side, side);
        }
    }
    chosen.fusion = match options.fusion {
        Fusion::Minimal => schedule::Fusion::Never,
        Fusion::Smart | Fusion::Maximal => schedule::Fusion::Model,
    };
    chosen
}

/// Regions tried, from wide to narrow.
struct Nests<'o, 'ir> {
    options: &'o Options,
    plans: Vec<Plan<'ir>>,
    verdicts: Vec<Verdict<'ir>>,
}

impl<'ir> Nests<'_, 'ir> {
    fn try_all(&mut self, analyses: &Analyses<'_, 'ir>) {
        for candidate in candidates(analyses, None) {
            self.try_candidate(analyses, candidate);
        }
    }

    /// Ends with one verdict for each of the candidate's outermost nests.
    fn try_candidate(&mut self, analyses: &Analyses<'_, 'ir>, candidate: Candidate<'ir>) {
        let result = candidate.region.and_then(|region| plan(analyses, &region, self.options));
        match result {
            Ok(plan) => {
                let done = plan.description();
                self.plans.push(plan);
                for nest in candidate.nests {
                    self.verdicts.push(Verdict::of(analyses, nest, vec![done.clone()], None));
                }
            }
            Err(_) if candidate.nests.len() > 1 => {
                for nest in candidate.nests {
                    let region = detect::around_loop(analyses, nest);
                    self.try_candidate(analyses, Candidate { region, nests: vec![nest] });
                }
            }
            Err(refusal) => {
                for nest in candidate.nests {
                    let done = self.try_inside(analyses, nest, &refusal);
                    self.verdicts.push(Verdict::of(analyses, nest, done, Some(refusal.clone())));
                }
            }
        }
    }

    /// What was done with the loops inside a refused one.
    fn try_inside(&mut self, analyses: &Analyses<'_, 'ir>, outer: LoopId, refusal: &Refusal<'ir>) -> Vec<String> {
        let mut done = Vec::new();
        if matches!(refusal.reason, Reason::NoGain { .. }) {
            return done;
        }
        for candidate in candidates(analyses, Some(outer)) {
            let region = candidate.region.and_then(|region| plan(analyses, &region, self.options));
            match region {
                Ok(plan) => {
                    done.push(plan.description());
                    self.plans.push(plan);
                }
                Err(refusal) => {
                    for nest in candidate.nests {
                        done.extend(self.try_inside(analyses, nest, &refusal));
                    }
                }
            }
        }
        done
    }
}

impl Plan<'_> {
    /// Writes the new loops.
    fn emit(&self, options: &Options) {
        let decisions = self.emission.clone();
        emit::Plan::from_decisions(&self.scop, &self.ast, &self.binding, settings(options), decisions).build();
    }

    /// What is done, for the user.
    fn description(&self) -> String {
        let mut text = self.schedule.description.join("; ");
        let copied = self.emission.private_arrays();
        if !copied.is_empty() {
            let names: Vec<String> =
                copied.iter().map(|at| format!("'{}'", self.binding.arrays[*at].source_name)).collect();
            text.push_str(&format!("; each thread reduces into its own copy of {}", names.join(", ")));
        }
        if !self.binding.assumptions.is_empty() {
            text.push_str(&format!("; tested before the loops: {}", self.binding.assumptions.join(", ")));
        }
        if !self.binding.disjoint.is_empty() {
            let name = |at: usize| &self.binding.arrays[at].source_name;
            let pairs: Vec<String> =
                self.binding.disjoint.iter().map(|(a, b)| format!("'{}' and '{}'", name(*a), name(*b))).collect();
            text.push_str(&format!("; tested not to overlap: {}", pairs.join(", ")));
        }
        text
    }
}

impl<'ir> Verdict<'ir> {
    fn of(analyses: &Analyses<'_, 'ir>, nest: LoopId, done: Vec<String>, refusal: Option<Refusal<'ir>>) -> Self {
        let this = analyses.loop_(nest);
        Verdict { location: this.location, block: analyses.function().entry().unwrap_or(this.header), done, refusal }
    }

    fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add(if self.done.is_empty() { "nests left as they were" } else { "nests optimized" }, 1);
        if !self.done.is_empty() {
            session.remark(RemarkKind::Done, "Optimized", self.location, self.block, &self.done.join("; "));
        } else if let Some(refusal) = &self.refusal {
            if refusal.location.is_some() {
                session.remark(
                    RemarkKind::Analysis,
                    refusal.reason.name(),
                    refusal.location,
                    self.block,
                    &refusal.to_string(),
                );
            }
            let text = format!("loop nest left as it was: {refusal}");
            session.remark(RemarkKind::Missed, refusal.reason.name(), self.location, self.block, &text);
        }
    }
}

/// Prints one stage of each region that can be modelled, and why the others cannot.
fn print<'ir>(session: &mut Session<'ir>, function: Function<'ir>, options: &Options, task: Task) {
    let analyses = session.analyses(function);
    let mut text = String::new();
    for candidate in candidates(&analyses, None) {
        print_candidate(&analyses, candidate, options, task, &mut text);
    }
    eprint!("{text}");
}

fn print_candidate<'ir>(
    analyses: &Analyses<'_, 'ir>,
    candidate: Candidate<'ir>,
    options: &Options,
    task: Task,
    text: &mut String,
) {
    let name = analyses.function().name();
    let stage = candidate.region.and_then(|region| {
        within(options.budget, || stage_text(analyses, &region, options, task))
            .unwrap_or_else(|_| Err(Refusal::anywhere(Reason::TooHard)))
    });
    match stage {
        Ok(stage) => text.push_str(&format!("# {name}\n{stage}\n")),
        Err(_) if candidate.nests.len() > 1 => {
            for nest in candidate.nests {
                let region = detect::around_loop(analyses, nest);
                print_candidate(analyses, Candidate { region, nests: vec![nest] }, options, task, text);
            }
        }
        Err(refusal) => {
            let line = refusal.location.map(|at| format!("line {}: ", at.line())).unwrap_or_default();
            text.push_str(&format!("# {name}: {line}{refusal}\n"));
            for nest in candidate.nests {
                for inner in candidates(analyses, Some(nest)) {
                    print_candidate(analyses, inner, options, task, text);
                }
            }
        }
    }
}

/// The text form of one stage.
fn stage_text<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: &Options,
    task: Task,
) -> Result<String, Refusal<'ir>> {
    let (scop, _) = extract(analyses, region)?;
    if task == Task::PrintScops {
        return Ok(scop.to_string());
    }
    let dependences = Dependences::of(&scop);
    if task == Task::PrintDependences {
        return Ok(dependences.to_string());
    }
    let schedule = checked_schedule(&scop, &dependences, options, &[])?;
    if task == Task::PrintSchedule {
        return Ok(schedule.tree.to_string());
    }
    Ok(loops(&scop, &schedule, options)?.to_string())
}
