//! What is known of a region: its model, the dependences, and orders that several strategies start from.
//!
//! Each is found once. But what is left of an allowance decides what is tried next, so where a strategy needs what
//! another one has found, it is charged as if it had found it: then the code depends on the strategies and not on what
//! happens to be remembered.

use super::given::GivenOrder;
use super::own;
use crate::dependence::{Dependences, without_dead_instances};
use crate::extract::region::pragmas::Unrolling;
use crate::extract::{Binding, ModelOptions, Reason, Refusal, Region, Threads, extract};
use crate::llvm::Analyses;
use crate::options::{Fusion, Options, Tile};
use crate::presburger::budget::{spend, spent};
use crate::presburger::{DimKind, Id};
use crate::schedule::given::Given;
use crate::schedule::{self, Schedule, Times};
use crate::scop::{Scop, StatementId};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use tracing::{debug, info_span, trace};

/// A result that is computed once and paid for each time.
struct Charged<T>(OnceCell<(T, u64)>);

impl<T> Charged<T> {
    fn new() -> Charged<T> {
        Charged(OnceCell::new())
    }

    fn get(&self, compute: impl FnOnce() -> T) -> &T {
        if let Some((value, units)) = self.0.get() {
            spend(*units);
            return value;
        }
        let before = spent();
        let value = compute();
        let units = spent() - before;
        &self.0.get_or_init(|| (value, units)).0
    }

    /// The result without paying for it again.
    fn known(&self, compute: impl FnOnce() -> T) -> &T {
        match self.0.get() {
            Some((value, _)) => value,
            None => self.get(compute),
        }
    }
}

/// A schedule with what it costs.
pub struct Ordered {
    pub schedule: Schedule,
    sequential: Charged<BTreeSet<StatementId>>,
}

impl Ordered {
    pub fn new(schedule: Schedule) -> Ordered {
        Ordered { schedule, sequential: Charged::new() }
    }

    /// The same order, with iterations at borders in loops of their own.
    pub fn with_borders_apart(self, scop: &Scop) -> Ordered {
        Ordered { schedule: self.schedule.with_borders_apart(scop), ..self }
    }

    /// The statements that run in no parallel loop.
    pub fn sequential(&self, scop: &Scop) -> &BTreeSet<StatementId> {
        self.sequential.get(|| self.schedule.sequential_statements(scop))
    }

    /// These statements where they were just asked for: paid for only if they were not.
    pub fn known_sequential(&self, scop: &Scop) -> &BTreeSet<StatementId> {
        self.sequential.known(|| self.schedule.sequential_statements(scop))
    }

    /// Whether every statement in a loop is in a parallel one.
    pub fn is_all_parallel(&self, scop: &Scop) -> bool {
        let is_in_loops = |at: &StatementId| scop.statements[*at].domain.dim(DimKind::Out) > 0;
        !self.known_sequential(scop).iter().any(is_in_loops)
    }
}

/// The model of a region with what ties it to the program. It has no instances of which nothing is left, unless they might be seen in `errno`.
///
/// # Errors
/// What cannot be modelled, in the user's words.
pub fn read<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: ModelOptions,
) -> Result<(Scop, Binding<'ir>), Refusal<'ir>> {
    let (scop, binding) = extract(analyses, region, options)?;
    let scop = if binding.errno.is_set { scop } else { without_dead_instances(scop) };
    Ok((scop, binding))
}

/// A model of a region.
pub struct Model<'ir> {
    pub options: ModelOptions,
    pub scop: Scop,
    pub binding: Binding<'ir>,
    pub dependences: Dependences,
    /// What the scheduler is to do, without copies.
    pub wanted: schedule::Options,
    /// How the user says that it runs.
    pub given: Option<GivenOrder>,
    scheduled: OnceCell<Result<Ordered, Refusal<'ir>>>,
    in_order: Charged<Ordered>,
    in_order_is_legal: Charged<Result<(), Refusal<'ir>>>,
}

impl<'ir> Model<'ir> {
    /// Reads the region and finds its dependences.
    ///
    /// # Errors
    /// What cannot be modelled, in the user's words.
    pub fn read(
        analyses: &Analyses<'_, 'ir>,
        region: &Region<'ir>,
        options: ModelOptions,
        user: &Options,
    ) -> Result<Model<'ir>, Refusal<'ir>> {
        let (scop, binding) = info_span!("extract").in_scope(|| read(analyses, region, options))?;
        trace!("{scop}");
        let before = spent();
        let found = info_span!("dependences").in_scope(|| Dependences::of(&scop));
        let (scop, binding, dependences) = own::with_own(scop, binding, found, options.locals);
        debug!(
            statements = scop.statements.len(),
            pairs = dependences.pairs.len(),
            units = spent() - before,
            "dependences"
        );
        let mut wanted = schedule_options(user, region.unrolling);
        if binding.has_guards() {
            wanted.blocking = schedule::Blocking::Never;
        }
        Ok(Model {
            options,
            scop,
            binding,
            dependences,
            wanted,
            given: None,
            scheduled: OnceCell::new(),
            in_order: Charged::new(),
            in_order_is_legal: Charged::new(),
        })
    }

    /// The model with the order that the user gives for it.
    ///
    /// # Errors
    /// There are orders for other models of this function only.
    pub fn with_given(self, given: Option<&(String, Given)>) -> Result<Model<'ir>, Refusal<'ir>> {
        let Some((file, given)) = given else { return Ok(self) };
        match GivenOrder::of(file, given, &self.scop) {
            None if given.names(&self.scop.name) => {
                Err(Refusal::anywhere(Reason::NoScheduleGiven { file: file.clone() }))
            }
            order => Ok(Model { given: order, ..self }),
        }
    }

    /// Whether iterations have arrays of their own, one after the other in the same memory.
    pub fn has_own_arrays(&self) -> bool {
        self.scop.arrays.iter().any(|array| array.own > 0)
    }

    /// Whether threads may have more arrays of their own if what is left behind the loops is theirs, too.
    pub fn has_kept_arrays(&self) -> bool {
        own::has_kept(&self.scop, &self.binding, &self.dependences)
    }

    /// The scheduler's order without copies. Whoever asks first pays.
    ///
    /// # Errors
    /// If the order found does not pass the independent check.
    pub fn scheduled(&self) -> Result<&Ordered, Refusal<'ir>> {
        let found = || self.checked(self.found(&self.wanted)).map(Ordered::new);
        self.scheduled.get_or_init(found).as_ref().map_err(Refusal::clone)
    }

    /// The scheduler's order; not checked.
    pub fn found(&self, wanted: &schedule::Options) -> Schedule {
        info_span!("schedule").in_scope(|| Schedule::of(&self.scop, &self.dependences, wanted))
    }

    /// What the scheduler's order and the program's own take on one core, if that was found to be slower, and who would share it.
    pub fn slower(&self) -> Option<(Times, Threads)> {
        let found = &self.scheduled.get()?.as_ref().ok()?.schedule;
        let threads = if found.is_parallel { Threads::Several } else { Threads::One };
        Some((found.slower()?, threads))
    }

    /// The program's order with parallel loops, without copies; not checked.
    pub fn in_order(&self) -> &Ordered {
        self.in_order.get(|| self.in_order_with(&[]))
    }

    /// That order where it was just made: paid for only if it was not.
    pub fn known_in_order(&self) -> &Ordered {
        self.in_order.known(|| self.in_order_with(&[]))
    }

    /// The program's order with parallel loops and copies of arrays; not checked.
    pub fn in_order_with(&self, copies: &[Id]) -> Ordered {
        let found = || Schedule::in_order(&self.scop, &self.dependences, copies);
        Ordered::new(info_span!("schedule").in_scope(found))
    }

    /// The program's order without copies, checked.
    ///
    /// # Errors
    /// If it does not pass the independent check.
    pub fn checked_in_order(&self) -> Result<&Ordered, Refusal<'ir>> {
        let found = self.in_order();
        self.in_order_is_legal.get(|| self.check(&found.schedule)).clone()?;
        Ok(found)
    }

    /// The schedule.
    ///
    /// # Errors
    /// If it does not pass the independent check.
    pub fn checked(&self, schedule: Schedule) -> Result<Schedule, Refusal<'ir>> {
        self.check(&schedule).map(|()| schedule)
    }

    fn check(&self, schedule: &Schedule) -> Result<(), Refusal<'ir>> {
        let illegal = |violation: schedule::Violation| Reason::IllegalSchedule { what: violation.to_string() };
        let checked = info_span!("check").in_scope(|| schedule.check(&self.scop, &self.dependences));
        checked.map_err(|violation| Refusal::anywhere(illegal(violation)))
    }
}

/// Who may run loops, as the user wants it.
pub fn threads_of(options: &Options) -> Threads {
    if options.parallel == Some(true) { Threads::Several } else { Threads::One }
}

/// What the user wants of the scheduler, and the source of the loops.
fn schedule_options(options: &Options, unrolling: Unrolling) -> schedule::Options {
    let mut chosen = schedule::Options {
        parallelism: match threads_of(options) {
            Threads::Several => schedule::Parallelism::Threads,
            Threads::One => schedule::Parallelism::OneThread,
        },
        machine: options.machine,
        blocking: match unrolling {
            Unrolling::Free => schedule::Blocking::WhereItPays,
            Unrolling::Forbidden => schedule::Blocking::Never,
        },
        explains: options.report.is_some(),
        ..schedule::Options::default()
    };
    match options.tile {
        Tile::Model => {}
        Tile::Off => chosen.tiling = schedule::Tiling::Never,
        Tile::Fixed(side) => chosen.tile_size = Some(i64::try_from(side).unwrap_or(i64::MAX)),
    }
    chosen.fusion = match options.fusion {
        Fusion::Minimal => schedule::Fusion::Never,
        Fusion::Smart => schedule::Fusion::Model,
        Fusion::Maximal => schedule::Fusion::Always,
    };
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::within;

    #[test]
    fn what_is_known_is_paid_for_each_time() {
        let memory = Charged::new();
        let asked = || {
            let before = spent();
            let value = *memory.get(|| {
                spend(5);
                7
            });
            (value, spent() - before)
        };
        assert_eq!((asked(), asked()), ((7, 5), (7, 5)));
        assert!(within(4, || *memory.get(|| 7)).is_err());
        assert_eq!(within(4, || *memory.known(|| 7)), Ok(7));
    }
}
