//! What the test before the new loops has to find out: whether what the model assumes is true in this execution.
//!
//! For `void f(int n, double *A, double *B) { for (i) A[i] = B[2 * i]; }` that is whether `n <= 2^40`, and whether `A`
//! from 0 to `8 n` and `B` from 0 to `16 n - 8` are apart. An array that no instance touches overlaps nothing, whatever
//! its bounds say.

use super::boxes::{Box, box_around};
use super::inspection;
use super::rows::{self, Row};
use super::storage::Storage;
use crate::ast::{Expr, Node};
use crate::emit::arith::bounds::{Range, range_of};
use crate::emit::arith::formula;
use crate::emit::arith::ranges::{Ranges, unwritable};
use crate::extract::binding::{Binding, BoundArray};
use crate::extract::numbers::polynomial::{Atom, ParameterId, Polynomial};
use crate::extract::refusal::Reason;
use crate::presburger::{Id, Set};
use crate::schedule::Enough;
use crate::scop::{ArrayId, Scop, Table};
use std::collections::{BTreeMap, BTreeSet};

/// When the new loops are worth running, as far as that depends on how much they have to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    Always,
    /// Where there is as much as they need.
    From(Needs),
}

/// What loops must have to do to pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// On one thread; none if they never do.
    pub alone: Option<Alone>,
    /// On several, where a parallel loop has [`super::Settings::minimal_work`]: what parameters must be at least.
    pub shared: Vec<(Id, i64)>,
}

/// What loops must have to do to pay on one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone {
    pub enough: Enough,
    /// Loops in the program's order, of which there are few, to estimate what there is to do.
    pub program: Node,
}

/// What must hold for the new loops to run.
#[derive(Clone)]
pub struct Guard {
    pub worth: Worth,
    /// Parameters whose limits are not known to hold.
    pub limited: Vec<ParameterId>,
    /// Whether strides are taken for something.
    pub has_pitches: bool,
    /// The rest of the assumed context.
    pub assumed: Expr,
    /// Pairs of arrays.
    pub disjoint: Vec<(ArrayId, ArrayId)>,
    /// The arrays that take part in some test for overlap and have bounds, be it only for some accesses.
    pub bounded: Vec<ArrayId>,
    /// Whether anything is measured for a test.
    pub has_measurements: bool,
    /// The arrays that are measured, after all tests, for private copies.
    pub copied: BTreeSet<ArrayId>,
    /// Subscript bounds of the arrays that need them.
    pub boxes: Table<ArrayId, Option<Box>>,
    /// The scalar arrays that get a buffer.
    pub buffers: Vec<ArrayId>,
    /// What is found out about data.
    pub inspections: Vec<inspection::Test>,
    /// The arrays whose bases must not point to `errno`.
    pub not_errno: Vec<ArrayId>,
    /// The arrays of which nothing must reach into `errno`.
    pub outside_errno: Vec<ArrayId>,
    /// The arrays whose offsets must not wrap around.
    pub wrapping: Vec<ArrayId>,
    /// The arrays of which no rows may overlap.
    pub rows: Vec<ArrayId>,
    /// What is looked at of those that have rows.
    pub looked_at: BTreeMap<ArrayId, Row>,
}

impl Guard {
    /// Nothing to test.
    pub fn is_trivial(&self) -> bool {
        self.limited.is_empty()
            && !self.has_pitches
            && self.disjoint.is_empty()
            && self.buffers.is_empty()
            && self.inspections.is_empty()
            && self.not_errno.is_empty()
            && self.outside_errno.is_empty()
            && self.wrapping.is_empty()
            && self.rows.is_empty()
            && !self.has_measurements
            && self.copied.is_empty()
            && self.worth == Worth::Always
            && self.assumed.is_constant(1)
    }
}

/// What is to be tested, if 64 bits are enough to do so, and 128 for addresses.
pub fn plan(
    scop: &Scop,
    binding: &Binding<'_>,
    limits: &Table<ParameterId, Range>,
    ranges: &Ranges,
    storage: &Table<ArrayId, Option<Storage>>,
    copied: BTreeSet<ArrayId>,
) -> Result<Guard, Reason> {
    let names = |name: &Id| ranges.get(name).copied();
    let known = |at: &ParameterId| {
        let interval = binding.parameters[*at].interval;
        let low = interval.low.unwrap_or(Range::WORD.low);
        Range::new(low, interval.high.unwrap_or(Range::WORD.high)).is_within(limits[*at])
    };
    let assumed = scop.assumed.gist(&scop.context).coalesce();
    let assumed = formula::condition(&assumed).ok_or_else(|| unwritable("the run-time test"))?;
    if assumed.is_constant(0) {
        return Err(Reason::always_violated(&binding.assumptions));
    }
    range_of(&assumed, &names).ok_or_else(|| unwritable("the run-time test"))?;
    let buffers: Vec<ArrayId> =
        storage.ids().filter(|at| matches!(storage[*at], Some(Storage::Buffer { .. }))).collect();
    let trusted = scop.trusted_context();
    let pairs = binding.disjoint.iter().chain(binding.measurements.iter().flat_map(|m| &m.disjoint));
    let flat = binding.rows.iter().filter(|at| binding.arrays[**at].rows.is_none());
    let outside_errno = binding.errno.outside.clone();
    let tested: BTreeSet<ArrayId> =
        pairs.flat_map(|(a, b)| [*a, *b]).chain(flat.chain(&outside_errno).copied()).collect();
    let bounded: Vec<ArrayId> = tested.into_iter().filter(|at| binding.arrays[*at].extent.is_some()).collect();
    let wrapping = binding.wrapping.clone();
    let is_needed =
        |at: ArrayId| [&buffers, &bounded, &wrapping, &binding.rows].into_iter().any(|all| all.contains(&at));
    let plan_box = |at: ArrayId| is_needed(at).then(|| box_of(&binding.arrays[at], &trusted, &names)).transpose();
    let boxes = binding.arrays.ids().map(plan_box).collect::<Result<Table<_, _>, _>>()?;
    for at in bounded.iter().chain(&wrapping).chain(&binding.rows) {
        let bound = boxes[*at].as_ref().expect("law: a tested array has bounds");
        check_offsets(&binding.arrays[*at], bound, &names, limits)?;
    }
    let inspections = inspection::plan(binding, &trusted, ranges)?;
    let looked_at = rows::plan(binding, &boxes, &trusted, ranges)?;
    let limited = limits.ids().filter(|at| !known(at)).collect();
    let has_measurements = !binding.measurements.is_empty();
    let not_errno = binding.errno.elsewhere.clone();
    Ok(Guard {
        worth: Worth::Always,
        limited,
        has_pitches: binding.parameters.iter().any(|parameter| parameter.source.is_of_pitch()),
        assumed,
        disjoint: binding.disjoint.clone(),
        bounded,
        has_measurements,
        copied,
        boxes,
        buffers,
        inspections,
        not_errno,
        outside_errno,
        wrapping,
        rows: binding.rows.clone(),
        looked_at,
    })
}

fn box_of(array: &BoundArray<'_>, trusted: &Set, names: &dyn Fn(&Id) -> Option<Range>) -> Result<Box, Reason> {
    let what = || unwritable(&format!("the bounds of '{}'", array.source_name));
    box_around(array.extent.as_ref().ok_or_else(what)?, &array.source_name, trusted, names)
}

/// Whether 128 bits hold all offsets, from the base or within a row.
fn check_offsets(
    array: &BoundArray<'_>,
    bound: &Box,
    names: &dyn Fn(&Id) -> Option<Range>,
    limits: &Table<ParameterId, Range>,
) -> Result<(), Reason> {
    let what = || unwritable(&format!("the addresses of '{}'", array.source_name));
    let room = Range::new(-(1 << 125), 1 << 125);
    let mut sum = Range::WORD;
    for (stride, (low, high)) in array.strides.iter().zip(&bound.bounds).skip(array.depth()) {
        let stride = polynomial_range(stride, limits).ok_or_else(what)?;
        for end in [low, high] {
            let term = range_of(end, names).and_then(|range| range.times(stride)).ok_or_else(what)?;
            sum = sum.hull(sum.plus(term).ok_or_else(what)?);
        }
    }
    if sum.is_within(room) && array.strides.len() == bound.bounds.len() { Ok(()) } else { Err(what()) }
}

fn polynomial_range(polynomial: &Polynomial, limits: &Table<ParameterId, Range>) -> Option<Range> {
    polynomial.terms().try_fold(Range::new(0, 0), |sum, (atoms, factor)| {
        let product = atoms.iter().try_fold(Range::new(factor, factor), |product, atom| match atom {
            Atom::Parameter(at) => product.times(limits[*at]),
            _ => None,
        });
        sum.plus(product?)
    })
}
