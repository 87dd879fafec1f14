//! What is decided about the new code of a region, as data: limits of the parameters, the test before the loops,
//! storage for scalars, which loops run in parallel and on which copies. [`super::decide`] makes it, and what writes
//! code reads it.

use super::guard::{Alone, Guard, Needs, Worth};
use super::innermost::InBlocks;
use super::innermost::guarded::Asked;
use super::innermost::kept::Kept;
use super::own::{own_in_parts, own_on_stack};
use super::privatization::{Private, Privatization, Reduced};
use super::reduction::Reductions;
use super::storage::Storage;
use super::validation::{Validation, validation};
use crate::ast::{Ast, For, Node};
use crate::emit::arith::bounds::Range;
use crate::emit::arith::pieces::Pieces;
use crate::emit::arith::ranges::{Ranges, check_ranges};
use crate::emit::arith::work::{self, MOST_LOOPS_ESTIMATED};
use crate::extract::Threads;
use crate::extract::binding::{Binding, TypeId};
use crate::extract::numbers::polynomial::ParameterId;
use crate::extract::refusal::Reason;
use crate::llvm::Type;
use crate::presburger::Id;
use crate::scop::{ArrayId, Scop, StatementId, Table};
use std::collections::{BTreeMap, BTreeSet};

/// The work of more parallel loops than this is not estimated before all of them.
const MOST_TESTED: usize = 8;

/// What the user wants of the new code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Several threads may run loops, through the OpenMP runtime.
    pub threads: Threads,
    /// Operations below which a parallel loop runs on one thread.
    pub minimal_work: u64,
    pub verification: Verification,
    /// Where to break off, to test that nothing of the region stays.
    pub provoked: Option<&'static str>,
}

/// Whether LLVM's verifier looks at what is written; debug builds always ask it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    Wanted,
    Skipped,
}

impl Settings {
    /// Panics if that is wanted here.
    pub fn provoke(&self, stage: &'static str) {
        assert!(self.provoked != Some(stage), "provoked");
    }
}

/// What is written where.
pub struct Plan<'p, 'ir> {
    pub scop: &'p Scop,
    pub ast: &'p Ast,
    pub binding: &'p Binding<'ir>,
    pub settings: Settings,
    /// For each parameter, what the guard establishes.
    pub limits: Table<ParameterId, Range>,
    pub guard: Guard,
    /// For each array without a base.
    pub storage: Table<ArrayId, Option<Storage>>,
    pub quasi: Pieces,
    /// Iterators of the loops that run in parallel.
    pub parallel: BTreeSet<Id>,
    /// Loops that carry reductions, and the copies that parallel ones need.
    pub reductions: Reductions,
    /// What innermost loops keep in registers, by their iterators.
    pub kept: BTreeMap<Id, Kept>,
    /// Conditions on data that are asked before loops.
    pub guarded: Asked,
    /// Innermost loops that run block by block, by their iterators.
    pub in_blocks: BTreeMap<Id, InBlocks>,
    /// What is compared with what the original loops leave, if anything is.
    pub validation: Option<Validation>,
}

/// What a plan decided, apart from what it is about.
#[derive(Clone)]
pub struct Decisions {
    pub(super) limits: Table<ParameterId, Range>,
    pub(super) guard: Guard,
    pub(super) storage: Table<ArrayId, Option<Storage>>,
    pub(super) quasi: Pieces,
    pub(super) parallel: BTreeSet<Id>,
    pub(super) reductions: Reductions,
    pub(super) kept: BTreeMap<Id, Kept>,
    pub(super) guarded: Asked,
    pub(super) in_blocks: BTreeMap<Id, InBlocks>,
    pub(super) validation: Option<Validation>,
}

/// Whether both hold, if that is known.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        _ => Some(a? && b?),
    }
}

/// Whether parameters of these ranges are at least so large, if that is known.
fn are_at_least(parameters: &[(Id, i64)], ranges: &Ranges) -> Option<bool> {
    let is_at_least = |(parameter, least): &(Id, i64)| {
        let range = ranges.get(parameter)?;
        let least = i128::from(*least);
        if range.low >= least { Some(true) } else { (range.high < least).then_some(false) }
    };
    parameters.iter().map(is_at_least).fold(Some(true), both)
}

/// What values parameters have within their limits.
pub fn parameter_ranges(binding: &Binding<'_>, limits: &Table<ParameterId, Range>) -> Ranges {
    binding.parameters.iter().zip(limits).map(|(parameter, range)| (parameter.id.clone(), *range)).collect()
}

impl Decisions {
    /// Has both versions run and what they leave compared, whether the new one pays or not; `what` tells the user which loops these are. The
    /// arguments are those the decisions are about.
    ///
    /// # Errors
    /// Why that cannot be, in the user's words.
    pub fn validate(&mut self, scop: &Scop, binding: &Binding<'_>, what: &str) -> Result<(), String> {
        let ranges = parameter_ranges(binding, &self.limits);
        self.validation = Some(validation(scop, binding, &ranges, what)?);
        self.guard.worth = Worth::Always;
        Ok(())
    }

    /// Lets the new loops run only where they pay: where all of them have enough to do for one thread, if that can be, or one of them for several. The
    /// arguments are those the decisions are about. Where the test would be much code, they always run.
    ///
    /// # Errors
    /// They never pay, as they always have too little to do.
    pub fn run_where_it_pays(
        &mut self,
        (scop, ast): (&Scop, &Ast),
        binding: &Binding<'_>,
        settings: Settings,
        needs: Needs,
    ) -> Result<(), Reason> {
        let ranges = parameter_ranges(binding, &self.limits);
        let is_writable =
            |node: &Node| work::loops(node) <= MOST_LOOPS_ESTIMATED && check_ranges(node, &mut ranges.clone()).is_ok();
        let is_long = needs.alone.as_ref().is_some_and(|alone| !is_writable(&alone.program));
        if settings.minimal_work == 0 || is_long || self.parallel.len() > MOST_TESTED {
            return Ok(());
        }
        let least = i128::from(settings.minimal_work);
        let shared = work::known_shared(&ast.root, &self.parallel, scop, &ranges);
        let alone = needs.alone.as_ref().map_or(Some(false), |Alone { enough, program }| {
            let operations = work::known(program, scop, &ranges).map(|work| work >= enough.operations);
            both(operations, are_at_least(&enough.parameters, &ranges))
        });
        let fork = match self.is_parallel() {
            true => both(shared.map(|work| work >= least), are_at_least(&needs.shared, &ranges)),
            false => Some(false),
        };
        match (alone, fork, &needs.alone) {
            (Some(true), ..) | (_, Some(true), _) => {}
            (Some(false), Some(false), Some(Alone { enough, .. })) => {
                let why = format!("other loops would, {enough}");
                return Err(Reason::NoGain { why, besides: None });
            }
            (Some(false), Some(false), None) => {
                let work = shared.unwrap_or(0);
                let why = format!("only threads would, and for {work} operations they do not (min-work={least})");
                return Err(Reason::NoGain { why, besides: None });
            }
            _ => self.guard.worth = Worth::From(needs),
        }
        Ok(())
    }

    /// Has conditions that are asked more often than in the program hold as often as it takes for the new loops to pay, which take so many hundredths of its
    /// time.
    pub fn pay_from(&mut self, percent: i128) {
        self.guarded.pay_from(percent);
    }

    /// Whether it is looked before the loops how often conditions on data hold.
    pub fn is_sampled(&self) -> bool {
        !self.guarded.samples.is_empty()
    }

    /// Whether any loop may be run by several threads.
    pub fn is_parallel(&self) -> bool {
        !self.parallel.is_empty()
    }

    /// The iterators of the loops that may be.
    pub fn parallel_loops(&self) -> &BTreeSet<Id> {
        &self.parallel
    }

    /// The arrays in memory that each thread has for itself.
    pub fn own_arrays(&self, binding: &Binding<'_>) -> BTreeSet<ArrayId> {
        own_in_parts(&self.storage, binding).collect()
    }

    /// The arrays that are tested not to be where `errno` is.
    pub fn not_errno(&self) -> impl Iterator<Item = ArrayId> {
        self.guard.not_errno.iter().chain(&self.guard.outside_errno).copied()
    }

    /// The arrays that parallel loops have private copies of.
    pub fn private_arrays(&self) -> BTreeSet<ArrayId> {
        self.reductions.arrays()
    }
}

impl<'p, 'ir> Plan<'p, 'ir> {
    /// The decisions alone, to keep beside what they are about.
    pub fn into_decisions(self) -> Decisions {
        let Plan { limits, guard, storage, quasi, parallel, reductions, kept, guarded, in_blocks, validation, .. } =
            self;
        Decisions { limits, guard, storage, quasi, parallel, reductions, kept, guarded, in_blocks, validation }
    }

    /// The plan again. The arguments are those it was made from.
    pub fn from_decisions(
        scop: &'p Scop,
        ast: &'p Ast,
        binding: &'p Binding<'ir>,
        settings: Settings,
        decisions: Decisions,
    ) -> Self {
        let Decisions { limits, guard, storage, quasi, parallel, reductions, kept, guarded, in_blocks, validation } =
            decisions;
        Plan {
            scop,
            ast,
            binding,
            settings,
            limits,
            guard,
            storage,
            quasi,
            parallel,
            reductions,
            kept,
            guarded,
            in_blocks,
            validation,
        }
    }

    /// The type of the one value that a share has in its cell; `None` if that is the address of a copy.
    pub fn cell_type(&self, private: &Private) -> Option<Type<'ir>> {
        match private.way {
            Privatization::Value(Reduced { ty, .. })
            | Privatization::Leader { ty, .. }
            | Privatization::Member { ty } => Some(self.value_type(private.array, ty)),
            Privatization::Flag => Some(Type::integer(self.binding.region.entry.function().context(), 8)),
            Privatization::Elements(..) | Privatization::Own(_) => None,
        }
    }

    /// One of the types of an array's values.
    pub fn value_type(&self, array: ArrayId, ty: TypeId) -> Type<'ir> {
        self.binding.arrays[array].types[ty]
    }

    /// The arrays in memory that each part of a parallel loop has on its stack.
    pub fn own_arrays(&self, each: &For) -> Vec<ArrayId> {
        own_on_stack(self.scop, self.binding, &self.storage, each)
    }

    /// The statement of the model that is called so.
    pub fn statement(&self, id: &Id) -> StatementId {
        let at = self.binding.statements.id_where(|s| s.id == *id);
        at.expect("law: a tree runs statements of its model")
    }
}
