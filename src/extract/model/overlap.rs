//! Arrays that may overlap, and how far each of them reaches.
//!
//!     for (i = 0; i < n; i++) y[i] = x[2 * i] + x[col[i]];            // double *x, *y
//!
//! Arrays with different base pointers are different arrays of the model. That is a claim about memory. LLVM is asked first, about the
//! pointers; what it cannot tell apart, and of which one is written, is a pair that a test before the loops has to find apart: `y` from 0 to
//! n - 1, and `x` from 0 to 2 n - 2, as formulas say, and as far as `col` leads, which is measured (see [`crate::extract::places::measure`]).
//!
//! `y` and `col` are of different types, which says no more than that no number that was written as a `double` is read as an `int`: memory
//! from which integers were read may be written as doubles afterwards. So they are a pair to test as well; where it cannot be tested,
//! the arrays are *entangled*: the model knows that one may be where the other is (see [`crate::extract::memory::entangled`]).
//!
//! Implements: 002 5.3.2

use super::accesses::Model;
use super::{Extents, ModelOptions};
use crate::extract::binding::Measurement;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::places::measure::measurements;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::statements::drafts::{MemoryAccess, Storage, memory_accesses, named_domain, statement_name};
use crate::extract::statements::root::Root;
use crate::llvm::analysis::Overlap;
use crate::llvm::{Instruction, Location, Opcode, Value};
use crate::presburger::{DimKind, PwAff, Set};
use crate::scop::{AccessKind, ArrayId, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// More pairs of arrays than this make the run-time test longer than the loops it guards.
const MOST_OVERLAP_TESTS: usize = 40;

/// How arrays that may overlap as far as LLVM knows are kept apart.
#[derive(Default)]
pub(in crate::extract) struct Overlaps<'ir> {
    /// Pairs that are tested.
    pub pairs: Vec<(ArrayId, ArrayId)>,
    /// Those of them that could change each other's numbers: their types do not differ.
    pub alike: Vec<(ArrayId, ArrayId)>,
    /// Those in the pairs of which no formula says which elements are touched, with the accesses that this is about.
    pub unknown: BTreeMap<ArrayId, Vec<Instruction<'ir>>>,
    /// What that means if it is not found out.
    pub refusal: Option<Refusal<'ir>>,
    /// How it is found out.
    pub measurements: Vec<Measurement<'ir>>,
    /// Pairs of different types that nothing tests.
    pub entangled: Vec<(ArrayId, ArrayId)>,
}

/// Two arrays of which one is written, with accesses that may meet.
struct Pair<'ir> {
    arrays: (ArrayId, ArrayId),
    accesses: (Instruction<'ir>, Instruction<'ir>),
    /// Their types say that neither reads what is written into the other.
    differs_in_types: bool,
}

impl<'ir> Model<'_, '_, 'ir> {
    /// Which arrays must be tested for overlap. Pairs of different types that could not be tested otherwise are measured, if that
    /// is among the options, or entangled.
    pub(in crate::extract) fn overlap_tests(
        &self,
        scop: &Scop,
        options: ModelOptions,
    ) -> Result<Overlaps<'ir>, Refusal<'ir>> {
        let all = self.pairs_to_test();
        self.check_address_spaces(&all)?;
        self.check_number(&all)?;
        let mut unknown = BTreeMap::new();
        for (array, _, _) in all.iter().flat_map(Pair::sides) {
            if self.drafts.arrays[array].is_indirect && !self.is_bounded(scop, array) {
                unknown.entry(array).or_insert_with(|| self.unbounded_accesses(array));
            }
        }
        let of = |pairs: &[&Pair<'ir>]| {
            let sides: Vec<_> = pairs.iter().flat_map(|pair| pair.sides()).collect();
            let first = sides.iter().find(|(array, ..)| unknown.contains_key(array));
            let refusal = first.map(|(array, own, other)| self.unknown_extent(*array, *own, *other));
            let is_among = |array: &ArrayId| sides.iter().any(|(own, ..)| own == array);
            let own = unknown.iter().filter(|(array, _)| is_among(array)).map(|(array, all)| (*array, all.clone()));
            let alike = pairs.iter().filter(|pair| !pair.differs_in_types).map(|pair| pair.arrays).collect();
            let pairs = pairs.iter().map(|pair| pair.arrays).collect();
            Overlaps { pairs, alike, unknown: own.collect(), refusal, ..Overlaps::default() }
        };
        let measured = |overlaps: Overlaps<'ir>| {
            let find = || measurements(self.affine, &self.drafts, &overlaps.pairs, &overlaps.alike, &overlaps.unknown);
            match (if options.extents == Extents::Measured { find() } else { None }, &overlaps.refusal) {
                (Some(measurements), _) => Ok(Overlaps { measurements, ..overlaps }),
                (None, None) => Ok(overlaps),
                (None, Some(refusal)) => Err(refusal.clone()),
            }
        };
        let together = measured(of(&all.iter().collect::<Vec<_>>()));
        let is_known = |pair: &&Pair<'ir>| pair.sides().iter().all(|(array, ..)| !unknown.contains_key(array));
        let (tested, entangled): (Vec<_>, Vec<_>) =
            all.iter().partition(|pair| !pair.differs_in_types || is_known(pair));
        let is_read_late = |pair: &&Pair<'ir>| self.is_read_late(pair.arrays);
        if together.is_ok() || entangled.is_empty() || entangled.iter().any(is_read_late) {
            return together;
        }
        let entangled = entangled.into_iter().map(|pair| pair.arrays).collect();
        Ok(Overlaps { entangled, ..measured(of(&tested))? })
    }

    /// Whether a statement reads an element of one of two arrays where the program has written the other one since it read it.
    fn is_read_late(&self, (a, b): (ArrayId, ArrayId)) -> bool {
        let drafts = &self.drafts;
        let reads = |leaf: Option<&Leaf>, array: ArrayId| match leaf {
            Some(Leaf::Load { array: own, .. } | Leaf::Indirect { array: own }) => *own == array,
            _ => false,
        };
        [(a, b), (b, a)].into_iter().any(|(read, written)| {
            let Some(stores) = drafts.stores.get(&written) else { return false };
            drafts.statements.iter().any(|statement| {
                let own = statement.loads.iter().filter(|load| reads(statement.leaves.get(&load.value()), read));
                own.copied().any(|load| drafts.is_between(load, statement, stores))
            })
        })
    }

    fn pairs_to_test(&self) -> Vec<Pair<'ir>> {
        let arrays = self.drafts.arrays.entries();
        let memory: Vec<(ArrayId, Option<Value<'ir>>)> = arrays
            .filter_map(|(at, array)| match &array.storage {
                Storage::Memory { base, .. } => Some((at, Some(*base))),
                Storage::Rows { .. } => Some((at, None)),
                Storage::Scalar { .. } => None,
            })
            .collect();
        let mut pairs = Vec::new();
        for (at, (a, base_a)) in memory.iter().enumerate() {
            for (b, base_b) in &memory[at + 1..] {
                let is_written = self.drafts.arrays[*a].is_written || self.drafts.arrays[*b].is_written;
                let analyses = self.affine.analyses;
                let never_meet = |(a, b): (Value<'ir>, Value<'ir>)| a == b || analyses.overlap(a, b) == Overlap::Never;
                if !is_written || base_a.zip(*base_b).is_some_and(never_meet) {
                    continue;
                }
                let by_types = self.meeting(*a, *b, &|x, y| analyses.overlap_by_types(x, y));
                let differs_in_types = by_types.is_none();
                let met = by_types.or_else(|| self.meeting(*a, *b, &|x, y| analyses.overlap_of_accesses(x, y)));
                pairs.extend(met.map(|accesses| Pair { arrays: (*a, *b), accesses, differs_in_types }));
            }
        }
        pairs
    }

    /// The arrays whose rows must not overlap: those of rows, if they are written, in a pair to be tested or must be apart from `errno`, and the others of
    /// these pairs.
    pub(super) fn apart_by_rows(
        &self,
        overlaps: &Overlaps<'ir>,
        not_errno: &[ArrayId],
    ) -> Result<Vec<ArrayId>, Refusal<'ir>> {
        let drafts = &self.drafts;
        let has_rows = |at: ArrayId| matches!(drafts.arrays[at].storage, Storage::Rows { .. });
        let is_alone = |at: ArrayId| drafts.arrays[at].is_written || not_errno.contains(&at);
        let alone = drafts.arrays.ids().filter(|at| has_rows(*at) && is_alone(*at));
        let pairs = overlaps.pairs.iter().filter(|(a, b)| has_rows(*a) || has_rows(*b));
        let all: BTreeSet<ArrayId> = alone.chain(pairs.flat_map(|(a, b)| [*a, *b])).collect();
        match overlaps.refusal.as_ref().filter(|_| all.iter().any(|at| overlaps.unknown.contains_key(at))) {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(all.into_iter().collect()),
        }
    }

    /// Tests compare addresses as numbers, which say nothing about pointers into different address spaces: those of a segment begin
    /// somewhere else.
    fn check_address_spaces(&self, pairs: &[Pair<'ir>]) -> Result<(), Refusal<'ir>> {
        let space = |access: Instruction<'ir>| match access.memory() {
            Some(access) => access.pointer.ty().address_space(),
            None => Some(0),
        };
        let Some(pair) = pairs.iter().find(|pair| space(pair.accesses.0) != space(pair.accesses.1)) else {
            return Ok(());
        };
        let Pair { arrays: (a, b), accesses: (x, y), .. } = pair;
        let reason = Reason::OtherAddressSpace { array: self.shown_name(*a) };
        Err(Refusal::at(x.place(), reason).with(self.described(*b, *y)))
    }

    fn check_number(&self, pairs: &[Pair<'ir>]) -> Result<(), Refusal<'ir>> {
        let n_alike = pairs.iter().filter(|pair| !pair.differs_in_types).count();
        if n_alike <= MOST_OVERLAP_TESTS && pairs.len() <= 2 * MOST_OVERLAP_TESTS {
            return Ok(());
        }
        let reason = Reason::TooLarge {
            what: "pairs of pointers that may overlap; declare them restrict",
            limit: MOST_OVERLAP_TESTS,
        };
        let Pair { arrays: (_, b), accesses: (x, y), .. } = pairs[0];
        Err(Refusal::at(x.place(), reason).with(self.described(b, y)))
    }

    /// It is not known which elements of an array `own` goes to, and so whether `access` to another array goes there, too.
    fn unknown_extent(
        &self,
        array: ArrayId,
        own: Instruction<'ir>,
        (other, access): (ArrayId, Instruction<'ir>),
    ) -> Refusal<'ir> {
        let reason = Reason::UnknownExtent { array: self.shown_name(array) };
        Refusal::at(own.place(), reason).with(self.described(other, access))
    }

    /// Whether data can only decide among elements within known bounds.
    fn is_bounded(&self, scop: &Scop, array: ArrayId) -> bool {
        if matches!(self.drafts.arrays[array].storage, Storage::Memory { base, .. } if !self.affine.is_invariant(base))
        {
            return false;
        }
        let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
        let mut own = accesses.filter(|a| a.array.as_str() == self.names[array]);
        own.all(|a| a.relation.range().is_bounded())
    }

    /// The arrays that nothing but reductions update, anywhere.
    pub(in crate::extract) fn updated_somewhere<'m>(&'m self, scop: &'m Scop) -> impl Iterator<Item = ArrayId> + 'm {
        let is_updated = |array: &ArrayId| {
            let draft = &self.drafts.arrays[*array];
            let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
            let mut own = accesses.filter(|a| a.array.as_str() == self.names[*array]);
            draft.is_written
                && draft.is_indirect
                && own.all(|a| a.reduction.is_some())
                && !self.is_bounded(scop, *array)
        };
        self.drafts.arrays.ids().filter(is_updated)
    }

    /// The arrays of which data decides which elements are written: where an access is, or whether.
    pub(in crate::extract) fn written_somewhere(&self) -> impl Iterator<Item = ArrayId> + '_ {
        let is_conditional = |array: ArrayId| {
            let opaque = self.drafts.statements.iter().filter_map(|statement| match &statement.root {
                Root::Opaque { accesses, .. } => Some(accesses),
                _ => None,
            });
            opaque.flatten().any(|access| access.array == array && access.kind == AccessKind::MayWrite)
        };
        let is_open = move |array: &ArrayId| {
            let draft = &self.drafts.arrays[*array];
            draft.is_written && (draft.is_indirect || is_conditional(*array))
        };
        self.drafts.arrays.ids().filter(is_open)
    }

    /// The accesses to an array that may go to any element.
    fn unbounded_accesses(&self, array: ArrayId) -> Vec<Instruction<'ir>> {
        let mut all: Vec<Instruction<'ir>> = Vec::new();
        for MemoryAccess { offset, instruction, statement, .. } in memory_accesses(&self.drafts, array) {
            let name = statement_name(statement);
            let domain = || named_domain(&self.drafts.statements[statement].scope, name.as_str());
            let ranged = || self.ranged(statement, array, instruction, &name, &domain());
            let is_known = offset.is_some() || ranged().is_some_and(|relation| relation.range().is_bounded());
            if !is_known && !all.contains(&instruction) {
                all.push(instruction);
            }
        }
        all
    }

    /// The first accesses to two arrays, one of them a store, that may go to one place.
    fn meeting(
        &self,
        a: ArrayId,
        b: ArrayId,
        overlap: &dyn Fn(Instruction<'ir>, Instruction<'ir>) -> Overlap,
    ) -> Option<(Instruction<'ir>, Instruction<'ir>)> {
        let accesses = |array| -> Vec<Instruction<'ir>> {
            memory_accesses(&self.drafts, array).into_iter().map(|access| access.instruction).collect()
        };
        let (of_a, of_b) = (accesses(a), accesses(b));
        let is_call = |i: &Instruction<'ir>| i.memory().is_none();
        let is_write = |i: &Instruction<'ir>| i.opcode() == Opcode::Store || is_call(i);
        let meet = |x: &Instruction<'ir>, y: &Instruction<'ir>| {
            (is_write(x) || is_write(y)) && (is_call(x) || is_call(y) || overlap(*x, *y) != Overlap::Never)
        };
        of_a.iter().find_map(|x| of_b.iter().find(|y| meet(x, y)).map(|y| (*x, *y)))
    }

    /// What an access does to an array, and where.
    fn described(&self, array: ArrayId, access: Instruction<'ir>) -> Option<(String, Location<'ir>)> {
        let does = if access.opcode() == Opcode::Store { "written" } else { "read" };
        Some((format!("'{}' is {does}", self.shown_name(array)), access.place()?))
    }
}

impl<'ir> Pair<'ir> {
    /// Each of the arrays, its access, and the other one with its access.
    fn sides(&self) -> [(ArrayId, Instruction<'ir>, (ArrayId, Instruction<'ir>)); 2] {
        let ((a, b), (x, y)) = (self.arrays, self.accesses);
        [(a, x, (b, y)), (b, y, (a, x))]
    }
}

/// Accesses to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::extract) enum Accesses {
    All,
    /// Those whose subscripts have bounds.
    Bounded,
}

/// Smallest and largest subscript of each dimension over these accesses to the array; `None` if there is
/// none, or no such subscript.
pub(in crate::extract) fn extent(scop: &Scop, name: &str, which: Accesses) -> Option<Vec<(PwAff, PwAff)>> {
    let touched = touched(scop, name, which)?;
    (0..touched.dim(DimKind::Out)).map(|at| Some((touched.dim_min(at).ok()?, touched.dim_max(at).ok()?))).collect()
}

/// Smallest and largest subscript of each dimension but the first `depth`, as functions of these.
pub(super) fn ends_of_rows(scop: &Scop, name: &str, depth: usize) -> Option<Vec<(PwAff, PwAff)>> {
    let touched = touched(scop, name, Accesses::All)?;
    let n = touched.dim(DimKind::Out);
    let of_row = touched.identity().project_out(DimKind::In, depth, n - depth).set_tuple_name(DimKind::In, None);
    (depth..n).map(|at| Some((of_row.dim_min(at).ok()?, of_row.dim_max(at).ok()?))).collect()
}

/// The elements of an array that these accesses touch.
fn touched(scop: &Scop, name: &str, which: Accesses) -> Option<Set> {
    let accesses = scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.array.as_str() == name);
    let ranges =
        accesses.map(|access| access.relation.range()).filter(|range| which == Accesses::All || range.is_bounded());
    Some(ranges.reduce(|all, range| all.union(&range))?.intersect_params(&scop.trusted_context()).coalesce())
}
