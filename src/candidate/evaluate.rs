//! From a strategy to loops that can be written, or the reason why not.
//!
//! For `for (i) h[key[i]]++;` and `the scheduler's order; copies of h`: the order is found and proved legal, with fewer
//! statements in sequential loops than without the copies; the loops that scan it are built, and emission decides on
//! tests and storage.

use super::given::Unusable;
use super::model::{Model, Ordered, threads_of};
use super::strategy::{Order, Rejected, Strategy};
use crate::ast::{self, Ast};
use crate::emit::{self, Settings, Verification};
use crate::extract::{Reason, Refusal};
use crate::options::Options;
use crate::presburger::Id;
use crate::schedule::{self, Enough, Schedule};
use tracing::info_span;

/// Of loops with more statements than this it is not tested whether there is enough to do for them: the test is code, too.
const MOST_TESTED: usize = 16;

/// A way to run the region that can be written.
pub struct Candidate {
    pub strategy: Strategy,
    pub ordered: Ordered,
    pub ast: Ast,
    pub emission: emit::Decisions,
}

/// The candidate of a strategy.
///
/// # Errors
/// Why there is none.
pub fn evaluate<'ir>(model: &Model<'ir>, strategy: &Strategy, options: &Options) -> Result<Candidate, Rejected<'ir>> {
    let ordered = match strategy.order {
        Order::AllParallel => all_parallel(model, &strategy.copies)?,
        Order::Scheduled => scheduled(model, &strategy.copies)?,
        Order::Program => in_order(model, &strategy.copies)?,
        Order::Given => given(model, &strategy.copies)?,
    };
    if !ordered.schedule.gains_over(&model.scop) {
        return Err(Rejected::NoGain);
    }
    let ordered = ordered.with_borders_apart(&model.scop);
    let (ast, emission) = decided(model, &ordered.schedule, options).map_err(Rejected::Refused)?;
    if strategy.order == Order::AllParallel && emission.own_arrays(&model.binding).is_empty() {
        return Err(Rejected::NothingOwned);
    }
    if strategy.order == Order::Program && !emission.is_parallel() {
        // A loop of one iteration is no loop: all that this order could gain are threads.
        return Err(Rejected::NoGain);
    }
    Ok(Candidate { strategy: strategy.clone(), ordered, ast, emission })
}

/// Arrays that iterations have of their own are in use one after the other in the program's order, as they may not be
/// in any other.
fn all_parallel<'ir>(model: &Model<'ir>, copies: &[Id]) -> Result<Ordered, Rejected<'ir>> {
    let without = model.known_in_order();
    let schedule = if without.is_all_parallel(&model.scop) {
        without.schedule.clone()
    } else {
        let with = model.in_order_with(copies);
        if copies.is_empty() || !with.is_all_parallel(&model.scop) {
            return Err(Rejected::Sequential);
        }
        with.schedule
    };
    model.checked(schedule).map(Ordered::new).map_err(Rejected::Illegal)
}

fn scheduled<'ir>(model: &Model<'ir>, copies: &[Id]) -> Result<Ordered, Rejected<'ir>> {
    if schedule::is_tiny(&model.scop) {
        return Err(Rejected::NoGain);
    }
    let without = model.scheduled().map_err(Rejected::Illegal)?;
    if copies.is_empty() {
        return Ok(Ordered::new(without.schedule.clone()));
    }
    let wanted = schedule::Options { privatised: copies.to_vec(), ..model.wanted.clone() };
    saving(model, Ordered::new(model.checked(model.found(&wanted)).map_err(Rejected::Illegal)?), without)
}

fn in_order<'ir>(model: &Model<'ir>, copies: &[Id]) -> Result<Ordered, Rejected<'ir>> {
    if copies.is_empty() {
        let found = model.checked_in_order().map_err(Rejected::Illegal)?;
        return Ok(Ordered::new(found.schedule.clone()));
    }
    let with = model.checked(model.in_order_with(copies).schedule).map_err(Rejected::Illegal)?;
    saving(model, Ordered::new(with), model.checked_in_order().map_err(Rejected::Illegal)?)
}

/// The order that the user gives.
fn given<'ir>(model: &Model<'ir>, copies: &[Id]) -> Result<Ordered, Rejected<'ir>> {
    let given = model.given.as_ref().expect("law: this strategy is for models with a given order");
    let found = || model.found(&model.wanted);
    let schedule = given.schedule((&model.scop, &model.dependences), copies, found).map_err(|what| match what {
        Unusable::Wrong(what) => Rejected::Refused(Refusal::anywhere(Reason::GivenSchedule { what })),
        Unusable::Illegal(what) => Rejected::Illegal(Refusal::anywhere(Reason::GivenSchedule { what })),
    })?;
    Ok(Ordered::new(schedule))
}

/// The order with copies, which take memory and time, if fewer statements are in sequential loops with them, or as many and fewer in waves.
fn saving<'ir>(model: &Model<'ir>, with: Ordered, without: &Ordered) -> Result<Ordered, Rejected<'ir>> {
    let n = |ordered: &Ordered| ordered.sequential(&model.scop).len();
    let waves = |ordered: &Ordered| ordered.schedule.statements_in_waves(&model.scop).len();
    match (n(&with), n(without)) {
        (fewer, more) if fewer < more => Ok(with),
        (same, others) if same == others && waves(&with) < waves(without) => Ok(with),
        (with, without) => Err(Rejected::SavesNothing { with, without }),
    }
}

/// The loops of a schedule and how they are emitted. To measure before them pays where they are parallel.
fn decided<'ir>(
    model: &Model<'ir>,
    schedule: &Schedule,
    options: &Options,
) -> Result<(Ast, emit::Decisions), Refusal<'ir>> {
    let Model { scop, binding, .. } = model;
    let ast = info_span!("loops").in_scope(|| loops(model, schedule, options))?;
    let _span = info_span!("decide").entered();
    let relaxed = &schedule.privatised;
    let settings = settings(options);
    let mut emission = emit::Plan::of(scop, &schedule.tree, relaxed, &ast, binding, settings)?.into_decisions();
    if let Some(times) = schedule.times {
        emission.pay_from(times.percent());
    }
    if !schedule.pays.always() && scop.statements.len() <= MOST_TESTED {
        let in_order = || Ast::of(&scop.schedule, &scop.trusted_context(), &ast::Options::default()).map_err(unbounded);
        let of = |enough: &Enough| Ok(emit::Alone { enough: enough.clone(), program: in_order()?.root });
        let alone = schedule.pays.alone.as_ref().map(of).transpose()?;
        let needs = emit::Needs { alone, shared: schedule.pays.shared.clone() };
        let worth = emission.run_where_it_pays((scop, &ast), binding, settings, needs);
        worth.map_err(Refusal::anywhere)?;
    }
    match &binding.unmeasured {
        Some(refusal) if !emission.is_parallel() => Err(refusal.clone()),
        _ => Ok((ast, emission)),
    }
}

fn loops<'ir>(model: &Model<'ir>, schedule: &Schedule, options: &Options) -> Result<Ast, Refusal<'ir>> {
    let separation = ast::Separation::Innermost;
    let wanted = ast::Options { parallel: options.parallel == Some(true), separation, ..ast::Options::default() };
    Ast::of(&schedule.tree, &model.scop.trusted_context(), &wanted).map_err(unbounded)
}

fn unbounded<'ir>(unbounded: ast::Unbounded) -> Refusal<'ir> {
    Refusal::anywhere(Reason::Broken { what: unbounded.to_string() })
}

/// What the user wants of emission.
pub fn settings(options: &Options) -> Settings {
    Settings {
        threads: threads_of(options),
        minimal_work: options.machine.fork_operations,
        verification: if options.check { Verification::Wanted } else { Verification::Skipped },
        provoked: None,
    }
}
