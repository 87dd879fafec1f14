//! The last step: from statements and shapes to the [`Scop`] and its [`Binding`].
//!
//! For `for (i = 0; i < n; i++) A[i] = 2 * A[i];` the model is
//!
//!     domain    [n] -> { S0[i0] : 0 <= i0 < n }
//!     read      [n] -> { S0[i0] -> A[i0] }
//!     write     [n] -> { S0[i0] -> A[i0] }
//!     schedule  a band over { S0[i0] -> [(i0)] }
//!
//! and the binding says where `n`, `A` and the store are. Arrays with different base pointers are different arrays of the model; pairs that
//! LLVM cannot tell apart, and of which one is written, become a run-time test (`Binding::disjoint`).

mod accesses;
mod bound;
mod names;
mod order;
mod overlap;
mod packings;
mod picks;
mod reduction;
mod regular;
mod shapes;
mod times;
mod together;
mod update;
mod whole;

use super::binding::{Binding, BoundStatement};
use super::control::domain::{Domains, Guards};
use super::memory::entangled::{entangle, entangled_members, keep_updates_in_order};
use super::memory::pitches::wish;
use super::memory::types::keep_types_apart;
use super::numbers::affine::Affine;
use super::numbers::assumptions::Assumptions;
use super::numbers::leaf::Leaf;
use super::numbers::parameters::Pitches;
use super::numbers::pitches;
use super::places::indirect::Places;
use super::places::measure::{Looking, measurement_of};
use super::places::ranges::Ranges;
use super::places::rows::{self, Rows};
use super::reductions::packing::BoundPacking;
use super::refusal::{Reason, Refusal};
use super::region::detect::Region;
use super::region::threads;
use super::statements::cases::{assume_executes, leaves_work};
use super::statements::drafts::{Drafts, Statement, all_accesses, statement_name};
use super::statements::errno::errno_of;
use crate::extract::numbers::assumptions::OfData;
use crate::extract::statements::errno::Threads;
use crate::llvm::{Analyses, Instruction, Value};
use crate::presburger::Id;
use crate::scop::{ArrayId, Scop, StatementId, Table};
use accesses::Model;
use names::array_names;
use shapes::{Stop, shapes};
use together::never_apart;

/// A region is read so many times with strides taken for something, until none are left of which more has to be taken for granted.
const MOST_READINGS: usize = 3;

/// What may be found out before the loops, at the price of time, or must be so that threads can share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelOptions {
    /// On conditions on data what the model says may rest (`Binding::inspections`), or not.
    pub conditions: OfData,
    pub extents: Extents,
    pub guards: Guards,
    pub locals: Locals,
    /// Who runs the loops: with several threads, it must not matter which of them computes what.
    pub threads: Threads,
}

impl Default for ModelOptions {
    fn default() -> Self {
        let (conditions, extents) = (OfData::Refused, Extents::Computed);
        let guards = Guards::OfStatements;
        ModelOptions { conditions, extents, guards, locals: Locals::Shared, threads: Threads::One }
    }
}

/// How it is found out which elements of arrays are touched, where arrays may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extents {
    /// By formulas alone.
    Computed,
    /// Where data decides, by a run of what computes the addresses (`Binding::measurements`).
    Measured,
}

/// How many there are of a variable that lives within one iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locals {
    /// One, as in the program.
    Shared,
    /// One for each iteration.
    Expanded,
    /// So, and of what is left behind the loops as well.
    Kept,
}

/// The model of a region, and what ties it to the program.
///
/// # Errors
/// If something of the region has no model, or what the model would rest on never holds.
pub fn extract<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: ModelOptions,
) -> Result<(Scop, Binding<'ir>), Refusal<'ir>> {
    let mut pitches = Pitches::new();
    let mut model = read_as(analyses, region, options, &mut pitches);
    for _ in 0..MOST_READINGS {
        let taken = pitches.clone();
        if taken.is_empty() {
            break;
        }
        let again = read_as(analyses, region, options, &mut pitches);
        model = again.or(model);
        if pitches == taken {
            break;
        }
    }
    model
}

/// The same, with strides taken for something. Adds what strides would have to be taken for as well.
fn read_as<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    options: ModelOptions,
    pitches: &mut Pitches<'ir>,
) -> Result<(Scop, Binding<'ir>), Refusal<'ir>> {
    let mut shapeless = Vec::new();
    let taken = pitches.clone();
    let mut options = options;
    loop {
        let affine = Affine::new(analyses, region).with_pitches(&taken);
        let result = read(&affine, options, &shapeless);
        affine.wishes().into_iter().for_each(|(value, pitch)| pitches::take(pitches, value, pitch));
        match result {
            Err(Stop::Guarded) => {
                options.guards = Guards::OfParts;
                shapeless.clear();
            }
            Err(Stop::Shapeless(base, _)) if !shapeless.contains(&base) => shapeless.push(base),
            Err(Stop::Shapeless(_, refusal) | Stop::Refused(refusal)) => return Err(refusal),
            Ok(model) => return Ok(model),
        }
    }
}

/// The same, if arrays behind some bases are known to have no shape.
fn read<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    options: ModelOptions,
    shapeless: &[Value<'ir>],
) -> Result<(Scop, Binding<'ir>), Stop<'ir>> {
    let mut assumptions = Assumptions::new(options.conditions);
    let domains = Domains::of(affine, &mut assumptions, options.guards)?;
    match modelled(affine, options, shapeless, (&domains, assumptions)) {
        Err(Stop::Refused(_)) if !domains.guards.is_empty() => Err(Stop::Guarded),
        model => model,
    }
}

/// The same, if it is known for which iterations blocks run.
fn modelled<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    options: ModelOptions,
    shapeless: &[Value<'ir>],
    (domains, mut assumptions): (&Domains<'ir>, Assumptions),
) -> Result<(Scop, Binding<'ir>), Stop<'ir>> {
    let Affine { analyses, region, .. } = affine;
    let drafts = Drafts::of(affine, domains, &mut assumptions, shapeless)?;
    if drafts.statements.is_empty() {
        let mut instructions = region.blocks.iter().flat_map(|block| block.instructions());
        let words = assumptions.in_words();
        let is_left_out = !words.is_empty() && instructions.any(|instruction| instruction.memory().is_some());
        let reason = if is_left_out { Reason::always_violated(&words) } else { Reason::NothingToDo };
        return Err(Refusal::anywhere(reason).into());
    }
    if options.threads == Threads::Several {
        threads::check(analyses, region)?;
    }
    let model = Model::of(affine, assumptions, drafts)?;
    let mut scop = model.scop()?;
    if options.locals != Locals::Shared {
        scop = model.separated(scop);
    }
    let trusted = scop.trusted_context();
    if trusted.is_empty() || !leaves_work(affine, &model.drafts, &trusted) {
        return Err(Refusal::anywhere(Reason::always_violated(&model.assumptions.in_words())).into());
    }
    model.note_regular(&mut scop);
    let binding = model.bound(&mut scop, options)?;
    if !binding.can_materialize(analyses) {
        let what = "of a bound that is computed after the loops start".into();
        return Err(Refusal::anywhere(Reason::UnknownPointer { what }).into());
    }
    Ok((scop, binding))
}

impl<'s, 'a, 'ir> Model<'s, 'a, 'ir> {
    /// Gives arrays their names and shapes, and finds out what is known of places that data gives. What that takes for granted is accepted.
    fn of(
        affine: &'s Affine<'s, 'a, 'ir>,
        mut assumptions: Assumptions,
        drafts: Drafts<'s, 'a, 'ir>,
    ) -> Result<Self, Stop<'ir>> {
        let names = array_names(&drafts.arrays);
        let ranges = Ranges::of(affine, &drafts, &mut assumptions);
        let shapes = shapes(affine, &mut assumptions, &drafts, &names, &ranges).inspect_err(|stop| {
            if matches!(stop, Stop::Shapeless(..)) {
                wish(affine, &drafts);
            }
        })?;
        assume_executes(affine, &mut assumptions, &drafts);
        let layout = affine.region.entry.function().layout();
        let is_flat = |array: ArrayId| {
            let strides = shapes[array].as_ref().map(|s| s.shape.strides.as_slice());
            let bytes = i128::from(layout.store_size(drafts.arrays[array].element));
            matches!(strides, Some([stride]) if stride.as_constant() == Some(bytes))
        };
        let places = Places::of(affine, &drafts, &mut assumptions, &is_flat);
        let rows = match assumptions.trusts_data() {
            true => Rows::of(affine, &drafts, &ranges, &is_flat, &names),
            false => Rows::default(),
        };
        Ok(Model { affine, assumptions, drafts, names, shapes, places, ranges, rows })
    }

    /// What statements pack, of which the model is told.
    fn packings(
        &self,
        scop: &mut Scop,
        entangled: &[(ArrayId, ArrayId)],
    ) -> Table<StatementId, Vec<BoundPacking<'ir>>> {
        let packed = |(at, statement)| {
            let read_later = |array| packings::reads_later(&scop.statements[at], &Id::new(&self.names[array]));
            packings::packings(self.affine.analyses, statement, entangled, &read_later)
        };
        let packings: Table<StatementId, _> = self.drafts.statements.entries().map(packed).collect();
        for (statement, packed) in scop.statements.iter_mut().zip(&packings).filter(|(_, packed)| !packed.is_empty()) {
            statement.packed = packed.iter().map(|each| each.packing.stores.len() as u32).sum();
            // All of it is in vectors.
            statement.vector_time = None;
        }
        packings
    }

    /// The binding, with pairs of arrays that may overlap tested or known to the model.
    fn bound(self, scop: &mut Scop, options: ModelOptions) -> Result<Binding<'ir>, Refusal<'ir>> {
        let Model { affine, drafts, .. } = &self;
        let (errno, otherwise) = errno_of(affine, drafts, options.threads)?;
        let overlaps = self.overlap_tests(scop, options)?;
        let wrapping = self.wrapping(&overlaps.pairs);
        let rows = self.apart_by_rows(&overlaps, &errno.elsewhere)?;
        let bounded = [wrapping.as_slice(), &errno.outside].concat();
        let arrays = self.bound_arrays(scop, &overlaps.pairs, &overlaps.unknown, &bounded, &rows);
        let is_open = |at: ArrayId| {
            arrays[at].extent.is_none() || overlaps.unknown.contains_key(&at) || drafts.arrays[at].is_indirect
        };
        if let Some((_, refusal)) = otherwise.into_iter().find(|(at, _)| is_open(*at)) {
            return Err(refusal);
        }
        if let Some(at) = wrapping.iter().find(|at| arrays[**at].extent.is_none()) {
            let what = format!("the offset of an access to '{}'", arrays[*at].source_name);
            return Err(Refusal::anywhere(Reason::MayWrap { what }));
        }
        let trusted = scop.trusted_context();
        let has_rows = |(a, b): &(ArrayId, ArrayId)| arrays[*a].rows.is_some() || arrays[*b].rows.is_some();
        let flat = overlaps.pairs.iter().filter(|pair| !has_rows(pair));
        let mut pairs = flat.map(|(a, b)| (&arrays[*a], &arrays[*b]));
        if let Some((a, b)) = pairs.find(|pair| never_apart(affine.analyses, *pair, &trusted)) {
            let [array, other] = [a, b].map(|array| array.source_name.clone());
            return Err(Refusal::anywhere(Reason::AlwaysOverlap { array, other }));
        }
        let entangled = [entangled_members(affine, drafts), overlaps.entangled].concat();
        entangle(scop, &self.names, &entangled);
        keep_types_apart(scop, drafts, &self.names);
        keep_updates_in_order(scop, affine, drafts, &self.names);
        let packings = self.packings(scop, &entangled);
        let is_known =
            |(a, b): &(ArrayId, ArrayId)| !overlaps.unknown.contains_key(a) && !overlaps.unknown.contains_key(b);
        let disjoint =
            overlaps.pairs.iter().filter(|pair| is_known(pair) && !has_rows(pair)).copied().collect::<Vec<_>>();
        let measured = |array, looking| measurement_of(affine, drafts, (array, all_accesses(drafts, array)), looking);
        let measurable = match options.extents {
            Extents::Measured => {
                self.updated_somewhere(scop).filter_map(|array| measured(array, Looking::InRuns)).collect()
            }
            Extents::Computed => Vec::new(),
        };
        let visitable = self.written_somewhere().filter_map(|array| measured(array, Looking::OneByOne)).collect();
        Ok(Binding {
            region: affine.region.clone(),
            parameters: affine.parameters(),
            arrays,
            quasi: affine.quasi_atoms(),
            disjoint,
            rows,
            entangled,
            measurements: overlaps.measurements,
            measurable,
            visitable,
            unmeasured: overlaps.refusal,
            assumptions: [self.assumptions.in_words(), self.named(&wrapping)].concat(),
            wrapping,
            opaque: self.not_affine(),
            inspections: rows::inspections(affine, &self.assumptions, &self.rows),
            errno,
            wants_data: options.conditions == OfData::Refused && self.wants_data(),
            held: self.drafts.held,
            live_out: self.drafts.live_out,
            statements: bound_statements(self.drafts.statements, packings),
        })
    }
}

fn bound_statements<'ir>(
    statements: Table<StatementId, Statement<'ir>>,
    packings: Table<StatementId, Vec<BoundPacking<'ir>>>,
) -> Table<StatementId, BoundStatement<'ir>> {
    let of_memory = |statement: &Statement<'ir>, load: &Instruction<'ir>| {
        matches!(statement.leaves.get(&load.value()), Some(Leaf::Load { .. } | Leaf::Indirect { .. }))
    };
    let bound = |((at, statement), packings): ((StatementId, Statement<'ir>), _)| BoundStatement {
        packings,
        guards: statement.guards.clone(),
        loads: statement.loads.iter().filter(|load| of_memory(&statement, load)).map(|load| load.value()).collect(),
        id: statement_name(at),
        picks: picks::bound(&statement),
        loops: statement.scope.loops,
        block: statement.block,
        root: statement.root,
        leaves: statement.leaves,
        location: statement.location,
    };
    statements.ids().zip(statements).zip(packings).map(bound).collect()
}
