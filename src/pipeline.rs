//! The stages in their order, from a function of LLVM to the function it becomes.
//!
//! [`plan`] is the compiler in one paragraph: extract a model, find its dependences, choose a schedule, check it, scan it into loops. What
//! it returns is data; only [`emit`](crate::emit::emit) changes the program, after every region of the function has been planned, from
//! the last to the first, so that no change disturbs a plan that is still to come. Around it, [`Nests`] keeps the promise that every
//! outermost loop nest ends in exactly one final remark.

use crate::allowance::{Allowance, Keep};
use crate::ast::{self, Ast, Expr, For, Node};
use crate::counters::Counters;
use crate::dependence::carried::{self, Carried};
use crate::dependence::{Dependence, Dependences, Kind, Order};
use crate::emit;
use crate::emit::Settings;
use crate::extract::refusal::shown_name;
use crate::extract::region::detect;
use crate::extract::{Beforehand, Binding, Candidate, Reason, Refusal, Region, candidates, extract};
use crate::llvm::{Analyses, Block, Function, Location, LoopId, RemarkKind, Session};
use crate::machine::Machine;
use crate::options::{Fusion, Options, Tile};
use crate::presburger::budget::spent;
use crate::presburger::{DimKind, Id, within};
use crate::schedule::{self, Schedule};
use crate::scop::Scop;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

/// Work units for telling which loops run in order: a few times what the largest kernels at hand take. They are not part of the allowance of
/// the loops, on which code depends: nobody need hear it.
const IN_ORDER_BUDGET: u64 = 5_000_000;

/// Operations of an iteration for which reading some of its data beforehand is a small price: those of a short inner loop.
const WORTH_A_TEST: u32 = 16;

/// So many dependences are named for one loop.
const MOST_SENTENCES: usize = 3;

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
    in_order: Vec<InOrder<'ir>>,
}

/// A loop whose iterations depend on one another, and how.
#[derive(Clone)]
pub struct InOrder<'ir> {
    header: LoopId,
    location: Option<Location<'ir>>,
    why: String,
}

/// What is to be told about a function.
#[derive(Default)]
pub struct Report<'ir> {
    verdicts: Vec<Verdict<'ir>>,
    /// Units of work that planning took.
    work: u64,
}

impl<'ir> Report<'ir> {
    pub fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add("units of work", self.work);
        self.verdicts.iter().for_each(|verdict| verdict.tell(session, counters));
    }
}

/// What is wanted of a plan.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    options: &'a Options,
    /// The region's, from 1, in the order in which regions are tried.
    number: usize,
    /// Whether somebody hears which loops run in order.
    is_heard: bool,
    /// What it may cost.
    allowance: &'a Allowance,
}

/// Changes the function or prints one stage of each region. Nothing is told before all is done.
pub fn run_on_function<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    options: &Options,
    task: Task,
) -> Report<'ir> {
    let options = &options.on(Machine::of(session.target(function)));
    session.inline_small_calls(function);
    session.make_readable(function);
    options.provoke("prepare", 1);
    if task != Task::Optimize {
        print(session, function, options, task);
        return Report::default();
    }
    let is_heard = session.is_heard(function);
    let mut nests = Nests { options, is_heard, planned: Cell::new(0), plans: Vec::new(), verdicts: Vec::new() };
    let analyses = session.analyses(function);
    let before = spent();
    nests.try_all(&analyses);
    let work = spent() - before;
    nests.plans.iter().for_each(|plan| plan.binding.forget_hidden(&analyses));
    for (plan, number) in nests.plans.iter_mut().zip(1..) {
        plan.binding.materialize(&analyses);
        options.provoke("materialize", number);
    }
    for (plan, number) in nests.plans.iter().rev().zip(1..) {
        plan.emit(options, number);
    }
    if !nests.plans.is_empty() {
        function.remove_unreachable_blocks();
    }
    session.invalidate(function);
    Report { verdicts: nests.verdicts, work }
}

/// From a region to everything that emission needs, or the reason why not; and which of its loops run in order, and why, if somebody
/// hears it and it matters: the outermost ones, where loops may become parallel, and all of them, where nothing gains. The region has a
/// number, from 1, in the order in which regions are tried.
pub fn plan<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    asked: &Asked<'_>,
) -> (Result<Plan<'ir>, Refusal<'ir>>, Vec<InOrder<'ir>>) {
    let Asked { options, number, is_heard, .. } = *asked;
    options.provoke("extract", number);
    let parallel = options.parallel == Some(true);
    let attempt_with = |beforehand: Beforehand| attempted(analyses, region, beforehand, asked);
    let attempt = |inspects: bool, separates: bool| {
        let planned = attempt_with(Beforehand { inspects, separates, measures: parallel, shares: parallel });
        let is_for_nothing = matches!(&planned, Ok((.., Err(refusal))) if refusal.reason.is_of_extent());
        match parallel && is_for_nothing {
            true => attempt_with(Beforehand { inspects, separates, measures: false, shares: parallel }),
            false => planned,
        }
    };
    let mut planned = attempt(false, parallel);
    let separates = !is_hindered_by_copies(&planned);
    if !separates {
        planned = attempt(false, false);
    }
    if parallel && region.nests.len() == 1 && wants_data(&planned) {
        let other = attempt(true, parallel && separates);
        if pays_to_inspect(&other) && n_sequential(&other) < n_sequential(&planned) {
            planned = other;
        }
    }
    let (scop, binding, dependences, outcome) = match planned {
        Ok(planned) => planned,
        Err(refusal) => return (Err(refusal), Vec::new()),
    };
    let (wanted, private) = match &outcome {
        Ok((schedule, ..)) => (parallel.then_some(Which::Outermost), schedule.privatised.as_slice()),
        Err(_) => (Some(Which::All), [].as_slice()),
    };
    let in_order = wanted.filter(|_| is_heard).map_or_else(Vec::new, |which| {
        let found = within(IN_ORDER_BUDGET, || loops_in_order(analyses, &scop, &binding, &dependences, private, which));
        found.unwrap_or_default()
    });
    (outcome.map(|(schedule, ast, emission)| Plan { scop, binding, schedule, ast, emission }), in_order)
}

/// A model, and what became of it.
type Attempt<'ir> =
    Result<(Scop, Binding<'ir>, Dependences, Result<(Schedule, Ast, emit::Decisions), Refusal<'ir>>), Refusal<'ir>>;

/// A model of the region, and what becomes of it within what is allowed: of the best order that is found in that, or of the program's own.
fn attempted<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    beforehand: Beforehand,
    asked: &Asked<'_>,
) -> Attempt<'ir> {
    let Asked { options, number, allowance, .. } = *asked;
    let too_hard = || Refusal::anywhere(Reason::TooHard);
    let model = allowance.within(Keep::Eighth, || -> Result<_, Refusal<'ir>> {
        let (scop, binding) = extract(analyses, region, beforehand)?;
        let dependences = Dependences::of(&scop);
        Ok((scop, binding, dependences))
    });
    let (scop, binding, dependences) = model.unwrap_or_else(|_| Err(too_hard()))?;
    options.provoke("schedule", number);
    let tried = |keep, effort| allowance.within(keep, || chosen(&scop, &binding, &dependences, options, effort));
    let found = match tried(Keep::Eighth, Effort::Full) {
        Err(_) if options.parallel == Some(true) => tried(Keep::Nothing, Effort::InOrder),
        found => found,
    };
    let outcome = found.unwrap_or_else(|_| Err(too_hard()));
    Ok((scop, binding, dependences, outcome))
}

/// Whether nothing comes of a model in which each iteration has arrays of its own: some other one may do.
fn is_hindered_by_copies(planned: &Attempt<'_>) -> bool {
    matches!(planned, Ok((scop, _, _, Err(_))) if scop.arrays.iter().any(|array| array.own > 0))
}

/// Whether more loops might be parallel if data is as it should be.
fn wants_data(planned: &Attempt<'_>) -> bool {
    match planned {
        Ok((_, binding, ..)) => binding.wants_data && n_sequential(planned) > 0,
        Err(refusal) => matches!(refusal.reason, Reason::UnknownExtent { .. }),
    }
}

/// How many statements run in no parallel loop.
fn n_sequential(planned: &Attempt<'_>) -> usize {
    match planned {
        Ok((scop, _, _, Ok((schedule, ..)))) => schedule.sequential_statements(scop).len(),
        _ => usize::MAX,
    }
}

/// Whether the test of data takes less time than the loops: some statement is in more loops than it, or long.
fn pays_to_inspect(planned: &Attempt<'_>) -> bool {
    let Ok((scop, binding, ..)) = planned else { return false };
    let depth = binding.inspections.iter().map(|inspection| inspection.loops.len()).max().unwrap_or(0);
    scop.statements.iter().any(|s| s.domain.dim(DimKind::Out) > depth || s.operations >= WORTH_A_TEST)
}

/// The schedule of a model that gains most, with its loops and how they are emitted: one in which threads have copies of what they reduce
/// into, if that has more statements run in parallel loops; the best without; and only then the program's own order, with and without copies.
fn chosen<'ir>(
    scop: &Scop,
    binding: &Binding<'ir>,
    dependences: &Dependences,
    options: &Options,
    effort: Effort,
) -> Result<(Schedule, Ast, emit::Decisions), Refusal<'ir>> {
    if scop.arrays.iter().any(|array| array.own > 0)
        && let Some(chosen) = all_in_order(scop, binding, dependences, options)
    {
        return Ok(chosen);
    }
    let is_parallel = options.parallel == Some(true);
    let n_sequential = |schedule: &Schedule| schedule.sequential_statements(scop).len();
    let more = |this: Schedule, than: &Schedule| (n_sequential(&this) < n_sequential(than)).then_some(this);
    let own = match effort {
        Effort::Full => checked_schedule(scop, dependences, options, &[])?,
        Effort::InOrder => Schedule::original(scop),
    };
    let private = match is_parallel {
        true => dependences.reduced_arrays(scop, &own.sequential_statements(scop)),
        false => Vec::new(),
    };
    let in_order = |private: &[Id]| checked(scop, dependences, Schedule::in_order(scop, dependences, private));
    let mut refused = None;
    for way in [Way::Copies, Way::Plain, Way::CopiesInOrder, Way::InOrder] {
        let mut copied = private.clone();
        loop {
            let found = match way {
                Way::Copies | Way::CopiesInOrder if copied.is_empty() => None,
                Way::Copies if effort == Effort::InOrder => None,
                Way::CopiesInOrder | Way::InOrder if !is_parallel || own.gains_over(scop) => None,
                Way::Copies => more(checked_schedule(scop, dependences, options, &copied)?, &own),
                Way::Plain => Some(own.clone()),
                Way::CopiesInOrder => more(in_order(&copied)?, &in_order(&[])?),
                Way::InOrder => Some(in_order(&[])?),
            };
            let Some(schedule) = found.filter(|schedule| schedule.gains_over(scop)) else { break };
            let refusal = match decided(scop, binding, &schedule, options) {
                Ok((ast, emission)) => return Ok((schedule, ast, emission)),
                Err(refusal) => refusal,
            };
            let before = copied.len();
            if let Reason::Copies { array, .. } = &refusal.reason {
                copied.retain(|id| id.as_str() != array);
            }
            refused = Some(refusal);
            if copied.len() == before {
                break;
            }
        }
    }
    let why = "no loop becomes parallel, tiled or vectorised".into();
    let ordered = |opaque: Refusal<'ir>| Refusal {
        reason: if is_parallel { Reason::Ordered { and: Box::new(opaque.reason) } } else { opaque.reason },
        ..opaque
    };
    let opaque = binding.opaque.first().cloned().map(ordered);
    let no_gain = || opaque.unwrap_or_else(|| Refusal::anywhere(Reason::NoGain { why }));
    Err(refused.unwrap_or_else(no_gain))
}

/// How much work goes into a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    Full,
    /// Only the program's own order is looked at: for regions whose scheduling does not end within the budget.
    InOrder,
}

/// Where a schedule may come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The scheduler, with private copies of what is reduced into.
    Copies,
    Plain,
    /// The program's own order, with private copies.
    CopiesInOrder,
    InOrder,
}

/// The order of the program, if all of it is in parallel loops then, and threads have arrays of their own there: arrays that iterations have of their own are in use one after the other
/// there, as they may not be in any other order.
fn all_in_order<'ir>(
    scop: &Scop,
    binding: &Binding<'ir>,
    dependences: &Dependences,
    options: &Options,
) -> Option<(Schedule, Ast, emit::Decisions)> {
    let is_in_loops = |at: &usize| scop.statements[*at].domain.dim(DimKind::Out) > 0;
    let mut schedule = Schedule::in_order(scop, dependences, &[]);
    let sequential = schedule.sequential_statements(scop);
    if sequential.iter().any(is_in_loops) {
        let private = dependences.reduced_arrays(scop, &sequential);
        schedule = Schedule::in_order(scop, dependences, &private);
        if private.is_empty() || schedule.sequential_statements(scop).iter().any(is_in_loops) {
            return None;
        }
    }
    schedule.check(scop, dependences).ok()?;
    let (ast, emission) = decided(scop, binding, &schedule, options).ok()?;
    (!emission.own_arrays(binding).is_empty()).then_some((schedule, ast, emission))
}

/// Of which loops it is told that they run in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    All,
    /// Those around which every loop does so too.
    Outermost,
}

/// The loops that carry dependences other than of the reductions on the arrays `private`.
fn loops_in_order<'ir>(
    analyses: &Analyses<'_, 'ir>,
    scop: &Scop,
    binding: &Binding<'ir>,
    dependences: &Dependences,
    private: &[Id],
    which: Which,
) -> Vec<InOrder<'ir>> {
    let Ok(order) = Order::of(&scop.schedule) else { return Vec::new() };
    let array = |d: &Dependence| &scop.statements[d.source.statement].accesses[d.source.access].array;
    let is_of_reduction = |d: &Dependence| matches!(d.kind, Kind::Reduction | Kind::ReductionUse);
    let is_relaxed = |d: &Dependence| is_of_reduction(d) && private.contains(array(d));
    let mut all: HashMap<LoopId, Vec<Carried<'_>>> = HashMap::new();
    for each in dependences.carried(scop, &order).into_iter().filter(|each| !is_relaxed(each.dependence)) {
        let id = binding.statements[each.dependence.sink.statement].loops[each.depth];
        all.entry(id).or_default().push(each);
    }
    let mut found: Vec<InOrder<'ir>> = Vec::new();
    for id in binding.region.loops(analyses) {
        let Some(carried) = all.get(&id) else { continue };
        let mut around = binding.region.loops(analyses).into_iter().filter(|outer| analyses.is_within(id, *outer));
        if which == Which::Outermost && !around.all(|outer| outer == id || found.iter().any(|f| f.header == outer)) {
            continue;
        }
        let location = analyses.loop_(id).location;
        let file = location.map(|at| at.file());
        let mut sentences = carried::sentences(scop, carried, file.as_deref());
        let more = sentences.len().saturating_sub(MOST_SENTENCES);
        sentences.truncate(MOST_SENTENCES);
        let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
        found.push(InOrder { header: id, location, why: sentences.join("; ") + &rest });
    }
    found
}

/// The loops of a schedule and how they are emitted. To measure before them pays where they are parallel.
fn decided<'ir>(
    scop: &Scop,
    binding: &Binding<'ir>,
    schedule: &Schedule,
    options: &Options,
) -> Result<(Ast, emit::Decisions), Refusal<'ir>> {
    let ast = loops(scop, schedule, options)?;
    let relaxed = &schedule.privatised;
    let emission = emit::Plan::of(scop, &schedule.tree, relaxed, &ast, binding, settings(options))?.into_decisions();
    match &binding.unmeasured {
        Some(refusal) if !emission.is_parallel() => Err(refusal.clone()),
        _ => Ok((ast, emission)),
    }
}

/// A schedule that passed the independent check; a parallel loop of it may carry reductions on the arrays `private`.
fn checked_schedule<'ir>(
    scop: &Scop,
    dependences: &Dependences,
    options: &Options,
    private: &[Id],
) -> Result<Schedule, Refusal<'ir>> {
    let wanted = schedule::Options { privatised: private.to_vec(), ..schedule_options(options) };
    checked(scop, dependences, Schedule::of(scop, dependences, &wanted))
}

/// The schedule, if it passes the independent check.
fn checked<'ir>(scop: &Scop, dependences: &Dependences, schedule: Schedule) -> Result<Schedule, Refusal<'ir>> {
    match schedule.check(scop, dependences) {
        Ok(()) => Ok(schedule),
        Err(violation) => Err(Refusal::anywhere(Reason::IllegalSchedule { what: violation.to_string() })),
    }
}

fn loops<'ir>(scop: &Scop, schedule: &Schedule, options: &Options) -> Result<Ast, Refusal<'ir>> {
    let separation = ast::Separation::Innermost;
    let wanted = ast::Options { parallel: options.parallel == Some(true), separation, ..ast::Options::default() };
    Ast::of(&schedule.tree, &scop.trusted_context(), &wanted)
        .map_err(|unbounded| Refusal::anywhere(Reason::Broken { what: unbounded.to_string() }))
}

fn settings(options: &Options) -> Settings {
    Settings {
        parallel: options.parallel == Some(true),
        minimal_work: options.machine.fork_operations,
        check: options.check,
        provoked: None,
    }
}

fn schedule_options(options: &Options) -> schedule::Options {
    let mut chosen = schedule::Options {
        parallel: options.parallel == Some(true),
        machine: options.machine,
        ..schedule::Options::default()
    };
    match options.tile {
        Tile::Model => {}
        Tile::Off => chosen.tile = false,
        Tile::Fixed(side) => chosen.tile_size = Some(i64::try_from(side).unwrap_or(i64::MAX)),
    }
    chosen.fusion = match options.fusion {
        Fusion::Minimal => schedule::Fusion::Never,
        Fusion::Smart => schedule::Fusion::Model,
        Fusion::Maximal => schedule::Fusion::Always,
    };
    chosen
}

/// Regions tried, from wide to narrow.
struct Nests<'o, 'ir> {
    options: &'o Options,
    /// Whether somebody wants to know which loops run in order.
    is_heard: bool,
    /// So many regions have been tried.
    planned: Cell<usize>,
    plans: Vec<Plan<'ir>>,
    verdicts: Vec<Verdict<'ir>>,
}

impl<'ir> Nests<'_, 'ir> {
    fn try_all(&mut self, analyses: &Analyses<'_, 'ir>) {
        for candidate in candidates(analyses, None) {
            let allowance = Allowance::of(size(analyses, &candidate.nests), self.options.budget);
            self.try_candidate(analyses, candidate, &allowance);
        }
    }

    /// Ends with one verdict for each of the candidate's outermost nests.
    fn try_candidate(&mut self, analyses: &Analyses<'_, 'ir>, candidate: Candidate<'ir>, allowance: &Allowance) {
        let (result, in_order) = self.planned(analyses, &candidate, allowance);
        let wants_data =
            |plan: &Plan<'ir>| plan.binding.wants_data && !plan.schedule.sequential_statements(&plan.scop).is_empty();
        let is_apart = candidate.nests.len() > 1 && self.options.parallel == Some(true);
        match result {
            Ok(plan) if !is_apart || !wants_data(&plan) => {
                let done = plan.description(analyses, &candidate.nests);
                self.plans.push(plan);
                for nest in candidate.nests {
                    self.verdicts.push(Verdict::of(analyses, nest, vec![done.clone()], None, &in_order));
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
                for nest in candidate.nests {
                    let mut in_order = in_order.clone();
                    let done = self.try_inside_or_alone(analyses, nest, &refusal, &mut in_order, allowance);
                    self.verdicts.push(Verdict::of(analyses, nest, done, Some(refusal.clone()), &in_order));
                }
            }
        }
    }

    /// What was done with the loops inside a refused one, or else with itself, if it was refused because of what differs between threads.
    fn try_inside_or_alone(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        nest: LoopId,
        refusal: &Refusal<'ir>,
        in_order: &mut Vec<InOrder<'ir>>,
        allowance: &Allowance,
    ) -> Vec<String> {
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
    ) -> Option<String> {
        let options = Options { parallel: Some(false), ..self.options.clone() };
        let region = detect::around_loop(analyses, nest).ok()?;
        let plan = self
            .planned_with(analyses, &region, Asked { options: &options, number: 0, is_heard: false, allowance })
            .0
            .ok()?;
        let done = plan.description(analyses, &[nest]);
        self.plans.push(plan);
        let location = analyses.loop_(nest).location;
        let why = refusal.sentence(location.map(|at| at.file()).as_deref());
        in_order.push(InOrder { header: nest, location, why });
        Some(done)
    }

    /// A plan for all of the candidate. Where parts of it can be tried as well, something is left for them.
    fn planned(
        &self,
        analyses: &Analyses<'_, 'ir>,
        candidate: &Candidate<'ir>,
        allowance: &Allowance,
    ) -> (Result<Plan<'ir>, Refusal<'ir>>, Vec<InOrder<'ir>>) {
        let has_parts =
            candidate.nests.len() > 1 || candidate.nests.iter().any(|nest| !analyses.loop_(*nest).children.is_empty());
        let keep = if has_parts { Keep::Quarter } else { Keep::Nothing };
        match &candidate.region {
            Ok(region) => allowance.lend(keep, |part| self.planned_with(analyses, region, self.asked(part))),
            Err(refusal) => (Err(refusal.clone()), Vec::new()),
        }
    }

    fn asked<'a>(&'a self, allowance: &'a Allowance) -> Asked<'a> {
        Asked { options: self.options, number: 0, is_heard: self.is_heard, allowance }
    }

    fn planned_with(
        &self,
        analyses: &Analyses<'_, 'ir>,
        region: &Region<'ir>,
        asked: Asked<'_>,
    ) -> (Result<Plan<'ir>, Refusal<'ir>>, Vec<InOrder<'ir>>) {
        self.planned.set(self.planned.get() + 1);
        let (result, in_order) = plan(analyses, region, &Asked { number: self.planned.get(), ..asked });
        (result.and_then(|plan| self.beside_others(analyses, plan)), in_order)
    }

    /// The plan, if it takes nothing that the rewritten loops of earlier ones no longer compute.
    fn beside_others(&self, analyses: &Analyses<'_, 'ir>, plan: Plan<'ir>) -> Result<Plan<'ir>, Refusal<'ir>> {
        let values = plan.binding.outside_values(analyses);
        match values.into_iter().find(|value| self.plans.iter().any(|other| other.binding.hides(*value))) {
            Some(value) => {
                let quoted = |name: String| if name.contains(' ') { name } else { format!("'{name}'") };
                let what = shown_name(value).map_or_else(|| "a value".into(), quoted);
                Err(Refusal::anywhere(Reason::BetweenLoops { what }))
            }
            None => Ok(plan),
        }
    }

    /// What was done with the loops inside a refused one.
    fn try_inside(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        outer: LoopId,
        refusal: &Refusal<'ir>,
        in_order: &mut Vec<InOrder<'ir>>,
        allowance: &Allowance,
    ) -> Vec<String> {
        let mut done = Vec::new();
        if matches!(refusal.reason, Reason::NoGain { .. }) {
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
    ) -> Vec<String> {
        let (result, found) = self.planned(analyses, &candidate, allowance);
        in_order.extend(found);
        match result {
            Ok(plan) => {
                let done = plan.description(analyses, &[]);
                self.plans.push(plan);
                vec![done]
            }
            Err(refusal) => {
                let is_of_thread = matches!(outside, Reason::DependsOnThread { .. });
                let inside = |nest| match is_of_thread {
                    true => self.try_inside(analyses, nest, &refusal, in_order, allowance),
                    false => self.try_inside_or_alone(analyses, nest, &refusal, in_order, allowance),
                };
                candidate.nests.into_iter().flat_map(inside).collect()
            }
        }
    }
}

/// Instructions in the loops.
fn size(analyses: &Analyses<'_, '_>, nests: &[LoopId]) -> usize {
    nests.iter().flat_map(|nest| &analyses.loop_(*nest).blocks).map(|block| block.instructions().len()).sum()
}

/// Each candidate with its size and that of itself and all after it.
fn with_sizes<'ir>(analyses: &Analyses<'_, 'ir>, all: Vec<Candidate<'ir>>) -> Vec<(Candidate<'ir>, usize, usize)> {
    let sizes: Vec<usize> = all.iter().map(|candidate| size(analyses, &candidate.nests)).collect();
    let rest = |at: usize| -> usize { sizes[at..].iter().sum() };
    all.into_iter().enumerate().map(|(at, candidate)| (candidate, sizes[at], rest(at))).collect()
}

impl<'ir> Plan<'ir> {
    /// Writes the new loops, of the region of this number, from 1, in the order in which regions are written.
    fn emit(&self, options: &Options, number: usize) {
        let decisions = self.emission.clone();
        let provoked = options.provoke_panic.filter(|provoked| provoked.region == number);
        let settings = Settings { provoked: provoked.map(|provoked| provoked.stage), ..settings(options) };
        emit::Plan::from_decisions(&self.scop, &self.ast, &self.binding, settings, decisions).build();
    }

    /// The loops of the program whose iterations several threads share, in its order.
    fn parallel_loops(&self) -> Vec<LoopId> {
        let mut found = BTreeSet::new();
        let mut pending = vec![&self.ast.root];
        while let Some(node) = pending.pop() {
            match node {
                Node::For(each) if self.emission.parallel_loops().contains(&each.iterator) => {
                    for (id, depth) in counted_by(each) {
                        let statement = self.binding.statements.iter().find(|statement| statement.id == id);
                        found.extend(statement.and_then(|statement| statement.loops.get(depth)));
                    }
                }
                _ => pending.extend(node.children()),
            }
        }
        found.into_iter().collect()
    }

    /// What is done, for the user, who is told so at the lines of the loops `told_at`.
    fn description(&self, analyses: &Analyses<'_, 'ir>, told_at: &[LoopId]) -> String {
        let mut text = self.schedule.description.join("; ");
        let parallel = self.parallel_loops();
        if parallel.iter().any(|id| !told_at.contains(id)) {
            let mut lines: Vec<u32> =
                parallel.iter().filter_map(|id| Some(analyses.loop_(*id).location?.line())).collect();
            lines.dedup();
            match lines.as_slice() {
                [] => {}
                [line] => text.push_str(&format!("; the loop at line {line} is parallel")),
                [all @ .., last] => {
                    let all: Vec<String> = all.iter().map(u32::to_string).collect();
                    text.push_str(&format!("; the loops at lines {} and {last} are parallel", all.join(", ")));
                }
            }
        }
        let copied = self.emission.private_arrays();
        if !copied.is_empty() {
            let names: Vec<String> =
                copied.iter().map(|at| format!("'{}'", self.binding.arrays[*at].source_name)).collect();
            text.push_str(&format!("; each thread reduces into its own copy of {}", names.join(", ")));
        }
        let own = self.emission.own_arrays(&self.binding);
        if !own.is_empty() {
            let names: BTreeSet<String> =
                own.iter().map(|at| format!("'{}'", self.binding.arrays[*at].source_name)).collect();
            let names: Vec<String> = names.into_iter().collect();
            text.push_str(&format!("; each thread has its own copy of {}", names.join(", ")));
        }
        let mut tested: Vec<&str> = self.binding.assumptions.iter().map(String::as_str).collect();
        for inspection in &self.binding.inspections {
            if !tested.contains(&inspection.why.as_str()) {
                tested.push(&inspection.why);
            }
        }
        if !tested.is_empty() {
            text.push_str(&format!("; tested before the loops: {}", tested.join(", ")));
        }
        let measured = self.binding.measurements.iter().flat_map(|measurement| &measurement.disjoint);
        let name = |at: usize| &self.binding.arrays[at].source_name;
        let pair = |(a, b): &(usize, usize)| format!("'{}' and '{}'", name(*a), name(*b));
        let pairs: Vec<String> = self.binding.disjoint.iter().chain(measured).map(pair).collect();
        let pairs =
            [pairs, self.emission.not_errno().iter().map(|at| format!("'{}' and errno", name(*at))).collect()].concat();
        if !pairs.is_empty() {
            text.push_str(&format!("; tested not to overlap: {}", pairs.join(", ")));
        }
        text
    }
}

/// The statements that run in a loop, each with how many loops of the program are around the one whose counter is computed from the
/// loop's iterator.
fn counted_by(each: &For) -> Vec<(Id, usize)> {
    let names = |expr: &Expr| {
        let mut found = Vec::new();
        expr.names(&mut |name| found.push(name.clone()));
        found
    };
    let mut derived = vec![each.iterator.clone()];
    let mut found = Vec::new();
    let mut pending = vec![&each.body];
    while let Some(node) = pending.pop() {
        if let Node::For(inner) = node
            && [&inner.lower, &inner.upper].into_iter().flat_map(&names).any(|name| derived.contains(&name))
        {
            derived.push(inner.iterator.clone());
        }
        if let Node::User { statement, arguments } = node {
            let first = |known: &[Id]| arguments.iter().position(|a| names(a).iter().any(|name| known.contains(name)));
            let depth = first(&derived[..1]).or_else(|| first(&derived));
            found.extend(depth.map(|depth| (statement.clone(), depth)));
        }
        pending.extend(node.children());
    }
    found
}

impl<'ir> Verdict<'ir> {
    fn of(
        analyses: &Analyses<'_, 'ir>,
        nest: LoopId,
        done: Vec<String>,
        refusal: Option<Refusal<'ir>>,
        in_order: &[InOrder<'ir>],
    ) -> Self {
        let this = analyses.loop_(nest);
        let block = analyses.function().entry().unwrap_or(this.header);
        let in_order = in_order.iter().filter(|each| analyses.is_within(each.header, nest)).cloned().collect();
        Verdict { location: this.location, block, done, refusal, in_order }
    }

    fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add(if self.done.is_empty() { "nests left as they were" } else { "nests optimized" }, 1);
        if !self.done.is_empty() {
            session.remark(RemarkKind::Done, "Optimized", self.location, self.block, &self.done.join("; "));
        } else if let Some(refusal) = &self.refusal {
            self.tell_refusal(session, refusal);
        }
        for InOrder { location, why, .. } in &self.in_order {
            let line = location.map(|at| format!(" at line {}", at.line())).unwrap_or_default();
            let text = format!("loop{line} runs in order: {why}");
            session.remark(RemarkKind::Missed, "InOrder", *location, self.block, &text);
        }
    }

    fn tell_refusal(&self, session: &Session<'ir>, refusal: &Refusal<'ir>) {
        let name = refusal.reason.name();
        if refusal.location.is_some() {
            session.remark(RemarkKind::Analysis, name, refusal.location, self.block, &refusal.to_string());
        }
        let file = self.location.map(|at| at.file());
        let text = format!("loop nest left as it was: {}", refusal.sentence(file.as_deref()));
        session.remark(RemarkKind::Missed, name, self.location, self.block, &text);
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
    let allowance = Allowance::of(size(analyses, &candidate.nests), options.budget);
    let stage = candidate.region.and_then(|region| {
        allowance
            .within(Keep::Nothing, || stage_text(analyses, &region, options, task))
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
    let parallel = options.parallel == Some(true);
    let beforehand = Beforehand { inspects: false, measures: parallel, separates: parallel, shares: parallel };
    let (scop, _) = extract(analyses, region, beforehand)?;
    if task == Task::PrintScops {
        return Ok(scop.to_string());
    }
    let dependences = Dependences::of(&scop);
    if task == Task::PrintDependences {
        return Ok(dependences.to_string());
    }
    let schedule = checked_schedule(&scop, &dependences, options, &[])?;
    if task == Task::PrintSchedule {
        return Ok(schedule.to_string());
    }
    Ok(loops(&scop, &schedule, options)?.to_string())
}
