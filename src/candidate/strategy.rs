//! The strategies, in the order of preference: each a value, made when it is known what came of those before.
//!
//! `for (i) { h[key[i]]++; s += x[i]; }` on two threads, with a scheduler that finds nothing parallel without copies:
//!
//!     the scheduler's order; copies of h, s
//!     the scheduler's order; copies of s            if there can be none of h
//!     the scheduler's order
//!     the program's order; copies of h, s           if the scheduler's order gains nothing
//!     the program's order; copies of s
//!     the program's order
//!
//! Around that are models of the region: the first one takes what threads need as given, and another one is looked at
//! where that is in the way, or where a test of data might make more loops parallel.

use super::model::{Model, Ordered};
use crate::dependence::Dependences;
use crate::extract::{Extents, Guards, Locals, ModelOptions, OfData, Reason, Refusal, Threads};
use crate::options::Options;
use crate::presburger::Id;
use crate::schedule::Schedule;
use crate::scop::Scop;
use std::fmt;

/// A way to run a region of which there is a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    pub order: Order,
    /// Arrays of which each thread is to have a copy that it reduces into.
    pub copies: Vec<Id>,
}

/// Where a schedule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The program's order, if all of it is in parallel loops then and threads have arrays of their own there.
    AllParallel,
    /// The scheduler.
    Scheduled,
    /// The program's order, with parallel loops where there can be.
    Program,
    /// What the user gives.
    Given,
}

/// Whether there is enough work left to look for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    Full,
    /// Only the program's own order is looked at: for regions whose scheduling does not end within what is allowed.
    Skipped,
}

impl Search {
    /// The most wanted first.
    fn orders(self) -> &'static [Order] {
        match self {
            Search::Full => &[Order::AllParallel, Order::Scheduled, Order::Program],
            Search::Skipped => &[Order::AllParallel, Order::Program],
        }
    }
}

/// Why a strategy makes no candidate.
#[derive(Clone, Debug)]
pub enum Rejected<'ir> {
    /// Work units ran out.
    TooHard,
    /// Some statement remains in a sequential loop only.
    Sequential,
    /// No thread would have an array of its own, for which this order was looked at.
    NothingOwned,
    /// Copies of arrays get no statement out of sequential loops.
    SavesNothing { with: usize, without: usize },
    /// Nothing is parallel, tiled or vectorised that was not before.
    NoGain,
    /// The independent check.
    Illegal(Refusal<'ir>),
    /// The loops cannot be written.
    Refused(Refusal<'ir>),
}

impl Rejected<'_> {
    /// The array that there would have to be no copy of.
    pub fn array(&self) -> Option<&Id> {
        match self {
            Rejected::Refused(Refusal { reason: Reason::CannotPrivatize { array, .. }, .. }) => Some(array),
            _ => None,
        }
    }
}

impl fmt::Display for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::TooHard => f.write_str("the work units ran out"),
            Rejected::Sequential => f.write_str("some statement is in no parallel loop"),
            Rejected::NothingOwned => f.write_str("no thread has an array of its own"),
            Rejected::SavesNothing { with, without } => {
                write!(f, "statements in sequential loops: {with} with the copies, {without} without")
            }
            Rejected::NoGain => f.write_str("no loop becomes parallel, tiled or vectorised"),
            Rejected::Illegal(refusal) | Rejected::Refused(refusal) => refusal.fmt(f),
        }
    }
}

/// The strategies for one model.
pub struct Strategies<'m, 'ir> {
    model: &'m Model<'ir>,
    options: &'m Options,
    search: Search,
    orders: &'static [Order],
    /// Arrays that statements reduce into that are in sequential loops otherwise.
    reduced: Option<Vec<Id>>,
}

impl<'m, 'ir> Strategies<'m, 'ir> {
    pub fn of(model: &'m Model<'ir>, options: &'m Options, search: Search) -> Self {
        let orders = match model.options.locals {
            Locals::Kept => &[Order::AllParallel],
            Locals::Shared | Locals::Expanded => search.orders(),
        };
        Strategies { model, options, search, orders, reduced: None }
    }

    /// The next one, after what came of the last.
    pub fn next(&mut self, last: Option<(&Strategy, &Rejected<'ir>)>) -> Option<Strategy> {
        if self.model.given.is_some() {
            return self.next_given(last);
        }
        if let Some((strategy, rejected)) = last.filter(|(strategy, _)| strategy.order != Order::AllParallel) {
            if matches!(rejected, Rejected::Illegal(_)) {
                return None;
            }
            if !strategy.copies.is_empty() {
                return Some(strategy.without(rejected.array()));
            }
        }
        while let [order, rest @ ..] = self.orders {
            self.orders = rest;
            if let Some(copies) = self.copies_in(*order) {
                return Some(Strategy { order: *order, copies });
            }
        }
        None
    }

    /// The order that the user gives; where it breaks a dependence, with copies of all arrays that are reduced into, then without those that there can be no copies of.
    fn next_given(&self, last: Option<(&Strategy, &Rejected<'ir>)>) -> Option<Strategy> {
        let Model { scop, dependences, .. } = self.model;
        let given = |copies| Strategy { order: Order::Given, copies };
        let with_copies = match last {
            None => return Some(given(Vec::new())),
            Some((tried, Rejected::Illegal(_))) if tried.copies.is_empty() && self.options.parallel == Some(true) => {
                given(dependences.reduced_arrays(scop, &scop.statements.ids().collect()))
            }
            Some((tried, rejected)) => tried.without(rejected.array()),
        };
        (!with_copies.copies.is_empty()).then_some(with_copies)
    }

    /// The arrays that are worth a copy in an order; `None` if the order is not worth a look.
    fn copies_in(&mut self, order: Order) -> Option<Vec<Id>> {
        let Model { scop, dependences, .. } = self.model;
        let is_parallel = self.options.parallel == Some(true);
        match order {
            Order::AllParallel if !self.model.has_own_arrays() => None,
            Order::AllParallel => {
                let ordered = self.model.in_order();
                let sequential = ordered.sequential(scop);
                let needs_copies = !ordered.is_all_parallel(scop);
                Some(if needs_copies { dependences.reduced_arrays(scop, sequential) } else { Vec::new() })
            }
            Order::Scheduled => Some(self.reduced()),
            Order::Program if !is_parallel || self.gains() => None,
            Order::Program => Some(self.reduced()),
            Order::Given => None,
        }
    }

    /// Whether the scheduler's order gains.
    fn gains(&self) -> bool {
        let scheduled = || self.model.scheduled();
        self.search == Search::Full && scheduled().is_ok_and(|found| found.schedule.gains_over(&self.model.scop))
    }

    fn reduced(&mut self) -> Vec<Id> {
        let Strategies { model: Model { scop, dependences, .. }, options, .. } = *self;
        let find = || {
            let scheduled = match self.search {
                Search::Full => Some(self.model.scheduled()),
                Search::Skipped => None,
            };
            if options.parallel != Some(true) {
                return Vec::new();
            }
            match scheduled {
                Some(Ok(found)) => reduced_by(scop, dependences, found),
                Some(Err(_)) => Vec::new(),
                None => reduced_in_program(scop, dependences),
            }
        };
        if self.reduced.is_none() {
            let found = find();
            self.reduced = Some(found);
        }
        self.reduced.clone().unwrap_or_default()
    }
}

/// The arrays of which copies may get statements out of sequential loops; and the scalars of which they may get some out of waves.
fn reduced_by(scop: &Scop, dependences: &Dependences, found: &Ordered) -> Vec<Id> {
    let sequential = dependences.reduced_arrays(scop, found.sequential(scop));
    let is_scalar = |name: &Id| scop.arrays.iter().any(|array| array.name == *name && array.shape.is_empty());
    let in_waves = dependences.reduced_arrays(scop, &found.schedule.statements_in_waves(scop));
    let scalars = in_waves.into_iter().filter(|array| is_scalar(array) && !sequential.contains(array));
    sequential.iter().cloned().chain(scalars).collect()
}

fn reduced_in_program(scop: &Scop, dependences: &Dependences) -> Vec<Id> {
    dependences.reduced_arrays(scop, &Schedule::original(scop).sequential_statements(scop))
}

impl Strategy {
    /// The next best: without a copy of this array, or without any.
    fn without(&self, array: Option<&Id>) -> Strategy {
        let is_copied = array.is_some_and(|array| self.copies.contains(array));
        let others = self.copies.iter().filter(|copied| is_copied && Some(*copied) != array);
        Strategy { order: self.order, copies: others.cloned().collect() }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.order {
            Order::AllParallel => "the program's order, all of it parallel",
            Order::Scheduled => "the scheduler's order",
            Order::Program => "the program's order",
            Order::Given => "the given order",
        })?;
        if !self.copies.is_empty() {
            let names: Vec<&str> = self.copies.iter().map(Id::as_str).collect();
            write!(f, "; copies of {}", names.join(", "))?;
        }
        Ok(())
    }
}

/// The model that is looked at first.
pub fn first_model(threads: Threads) -> ModelOptions {
    match threads {
        Threads::One => ModelOptions::default(),
        Threads::Several => {
            let (conditions, extents) = (OfData::Refused, Extents::Measured);
            ModelOptions { conditions, extents, locals: Locals::Expanded, threads, ..ModelOptions::default() }
        }
    }
}

/// What came of a model, as far as the choice of the next one goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub model: ModelOptions,
    /// It can be run by no order, as it is unknown which elements are touched: nothing is gained by measuring.
    pub is_refused_for_extent: bool,
    /// It can be run by no order, and iterations have arrays of their own in it.
    pub is_hindered_by_own_arrays: bool,
    /// Conditions on data are those of statements, and it can be run by no order, or not all of it in parallel.
    pub is_hindered_by_guards: bool,
    /// More loops might be parallel if data is as it should be.
    pub wants_data: bool,
}

impl Outcome {
    /// The model to look at next, of a region with so many nests.
    pub fn next_model(self, n_nests: usize) -> Option<ModelOptions> {
        let Outcome { model, .. } = self;
        let extents = first_model(model.threads).extents;
        if model.extents == Extents::Measured && self.is_refused_for_extent {
            return Some(ModelOptions { extents: Extents::Computed, ..model });
        }
        let is_unseen = model.conditions == OfData::Refused;
        if is_unseen && model.locals == Locals::Expanded && self.is_hindered_by_own_arrays {
            return Some(ModelOptions { locals: Locals::Shared, extents, ..model });
        }
        if self.is_hindered_by_guards {
            return Some(ModelOptions { guards: Guards::OfParts, ..first_model(model.threads) });
        }
        let is_parallel = model.threads == Threads::Several;
        let is_worth_a_test = is_parallel && n_nests == 1 && is_unseen && self.wants_data;
        is_worth_a_test.then_some(ModelOptions {
            conditions: OfData::Tested,
            extents,
            guards: Guards::OfParts,
            ..model
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What nothing stands in the way of.
    fn outcome(model: ModelOptions) -> Outcome {
        Outcome {
            model,
            is_refused_for_extent: false,
            is_hindered_by_own_arrays: false,
            is_hindered_by_guards: false,
            wants_data: false,
        }
    }

    #[test]
    fn copies_are_given_up_one_by_one_where_a_refusal_names_them() {
        let ids = |names: &[&str]| -> Vec<Id> { names.iter().map(|name| Id::new(name)).collect() };
        let strategy = Strategy { order: Order::Scheduled, copies: ids(&["h", "s"]) };
        assert_eq!(strategy.without(Some(&Id::new("h"))).copies, ids(&["s"]));
        assert_eq!(strategy.without(Some(&Id::new("x"))).copies, ids(&[]));
        assert_eq!(strategy.without(None).copies, ids(&[]));
    }

    #[test]
    fn conditions_on_data_that_hinder_are_left_to_parts() {
        for threads in [Threads::One, Threads::Several] {
            let first = first_model(threads);
            let hindered = Outcome { is_hindered_by_guards: true, ..outcome(first) };
            let next = hindered.next_model(1).expect("another model");
            assert_eq!(next, ModelOptions { guards: Guards::OfParts, ..first });
            assert_eq!(outcome(next).next_model(1), None);
        }
    }

    #[test]
    fn one_thread_needs_one_model() {
        let first = first_model(Threads::One);
        assert_eq!(first, ModelOptions::default());
        assert_eq!(Outcome { wants_data: true, ..outcome(first) }.next_model(1), None);
    }

    #[test]
    fn what_does_not_help_is_left_out_before_data_is_tested() {
        let first = first_model(Threads::Several);
        let refused = Outcome { is_refused_for_extent: true, is_hindered_by_own_arrays: true, ..outcome(first) };
        let second = refused.next_model(1).expect("another model");
        assert_eq!(second, ModelOptions { extents: Extents::Computed, ..first });
        let third = Outcome { model: second, ..refused }.next_model(1).expect("another model");
        assert_eq!(third, ModelOptions { locals: Locals::Shared, ..first });
        let inspected = Outcome { wants_data: true, ..outcome(third) }.next_model(1).expect("another model");
        assert_eq!(
            inspected,
            ModelOptions { conditions: OfData::Tested, locals: Locals::Shared, guards: Guards::OfParts, ..first }
        );
        assert_eq!(
            Outcome { model: inspected, wants_data: true, ..refused }.next_model(1),
            Some(ModelOptions { extents: Extents::Computed, ..inspected })
        );
        assert_eq!(Outcome { wants_data: true, ..outcome(third) }.next_model(2), None);
    }
}
