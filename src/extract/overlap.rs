//! Arrays that may overlap, and how far each of them reaches.
//!
//!     for (i = 0; i < n; i++) y[i] = x[2 * i] + x[col[i]];            // double *x, *y
//!
//! Arrays with different base pointers are different arrays of the model. That is a claim about memory. LLVM is asked first, about the pointers
//! and about the types of what is accessed; what it cannot tell apart, and of which one is written, is a pair that a test before the loops
//! has to find apart: `y` from 0 to n - 1, and `x` from 0 to 2 n - 2, as formulas say, and as far as `col` leads, which is measured (see
//! [`super::measure`]).

use super::affine::Affine;
use super::model::{MemoryAccess, Model, memory_accesses, statement_name};
use super::refusal::{Reason, Refusal};
use super::roots::{Roots, Storage, named_domain};
use crate::llvm::analysis::Overlap;
use crate::llvm::{Instruction, Location, Opcode, Value};
use crate::presburger::{DimKind, PwAff};
use crate::scop::Scop;
use std::collections::BTreeMap;

/// More pairs of arrays than this make the run-time test longer than the loops it guards.
const MOST_OVERLAP_TESTS: usize = 40;

/// Arrays, by number, that may overlap as far as LLVM knows.
pub(super) struct Overlaps<'ir> {
    /// Pairs of which one is written.
    pub pairs: Vec<(usize, usize)>,
    /// Those in the pairs of which no formula says which elements are touched, with the accesses that this is about.
    pub unknown: BTreeMap<usize, Vec<Instruction<'ir>>>,
    /// What that means if it cannot be found out.
    pub refusal: Option<Refusal<'ir>>,
}

impl<'ir> Model<'_, '_, 'ir> {
    /// Which arrays must be tested for overlap.
    pub(super) fn overlap_tests(&self, scop: &Scop) -> Result<Overlaps<'ir>, Refusal<'ir>> {
        let memory: Vec<(usize, Value<'ir>)> = self
            .roots
            .arrays
            .iter()
            .enumerate()
            .filter_map(|(at, array)| match &array.storage {
                Storage::Memory { base, .. } => Some((at, *base)),
                Storage::Scalar { .. } => None,
            })
            .collect();
        let mut pairs = Vec::new();
        let (mut unknown, mut refusal) = (BTreeMap::new(), None);
        for (at, (a, base_a)) in memory.iter().enumerate() {
            for (b, base_b) in &memory[at + 1..] {
                let is_written = self.roots.arrays[*a].is_written || self.roots.arrays[*b].is_written;
                let are_members = base_a == base_b;
                if !is_written || are_members || self.affine.analyses.overlap(*base_a, *base_b) == Overlap::Never {
                    continue;
                }
                let Some((x, y)) = self.meeting(*a, *b) else { continue };
                for (at, own, other) in [(*a, x, y), (*b, y, x)] {
                    if self.roots.arrays[at].is_indirect && !self.is_bounded(scop, at) {
                        let reason = Reason::UnknownExtent { array: self.shown_name(at) };
                        let which = if at == *a { *b } else { *a };
                        let first = || Refusal::at(own.place(), reason).with(self.described(which, other));
                        refusal = refusal.or_else(|| Some(first()));
                        unknown.entry(at).or_insert_with(|| self.unbounded_accesses(at));
                    }
                }
                pairs.push((*a, *b, x, y));
            }
        }
        if pairs.len() > MOST_OVERLAP_TESTS {
            let reason = Reason::TooLarge {
                what: "pairs of pointers that may overlap; declare them restrict",
                limit: MOST_OVERLAP_TESTS,
            };
            let (_, b, x, y) = pairs[0];
            return Err(Refusal::at(x.place(), reason).with(self.described(b, y)));
        }
        Ok(Overlaps { pairs: pairs.into_iter().map(|(a, b, ..)| (a, b)).collect(), unknown, refusal })
    }

    /// Whether data can only decide among elements within known bounds.
    fn is_bounded(&self, scop: &Scop, array: usize) -> bool {
        if matches!(self.roots.arrays[array].storage, Storage::Memory { base, .. } if !self.affine.is_invariant(base)) {
            return false;
        }
        let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
        let mut own = accesses.filter(|a| a.array.as_str() == self.names[array]);
        own.all(|a| a.relation.range().is_bounded())
    }

    /// The arrays, by number, that nothing but reductions update, anywhere.
    pub(super) fn updated_somewhere<'m>(&'m self, scop: &'m Scop) -> impl Iterator<Item = usize> + 'm {
        let is_updated = |array: &usize| {
            let draft = &self.roots.arrays[*array];
            let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
            let mut own = accesses.filter(|a| a.array.as_str() == self.names[*array]);
            draft.is_written
                && draft.is_indirect
                && own.all(|a| a.reduction.is_some())
                && !self.is_bounded(scop, *array)
        };
        (0..self.roots.arrays.len()).filter(is_updated)
    }

    /// The accesses to an array that may go to any element.
    fn unbounded_accesses(&self, array: usize) -> Vec<Instruction<'ir>> {
        let mut all: Vec<Instruction<'ir>> = Vec::new();
        for MemoryAccess { offset, instruction, statement, .. } in memory_accesses(self.roots, array) {
            let name = statement_name(statement);
            let domain = || named_domain(&self.roots.statements[statement].scope, name.as_str());
            let ranged = || self.ranged(statement, array, instruction, &name, &domain());
            let is_known = offset.is_some() || ranged().is_some_and(|relation| relation.range().is_bounded());
            if !is_known && !all.contains(&instruction) {
                all.push(instruction);
            }
        }
        all
    }

    /// The first accesses to two arrays that LLVM's alias analysis cannot tell apart by their types and scopes either.
    fn meeting(&self, a: usize, b: usize) -> Option<(Instruction<'ir>, Instruction<'ir>)> {
        let accesses = |array| -> Vec<Instruction<'ir>> {
            memory_accesses(self.roots, array).into_iter().map(|access| access.instruction).collect()
        };
        let (of_a, of_b) = (accesses(a), accesses(b));
        let is_write = |i: &Instruction<'ir>| i.opcode() == Opcode::Store;
        let meet = |x: &Instruction<'ir>, y: &Instruction<'ir>| {
            (is_write(x) || is_write(y)) && self.affine.analyses.overlap_of_accesses(*x, *y) != Overlap::Never
        };
        of_a.iter().find_map(|x| of_b.iter().find(|y| meet(x, y)).map(|y| (*x, *y)))
    }

    /// What an access does to an array, and where.
    fn described(&self, array: usize, access: Instruction<'ir>) -> Option<(String, Location<'ir>)> {
        let does = if access.opcode() == Opcode::Store { "written" } else { "read" };
        Some((format!("'{}' is {does}", self.shown_name(array)), access.place()?))
    }
}

/// Whether another array is written that LLVM cannot tell from this one.
pub(super) fn may_be_overwritten<'ir>(affine: &Affine<'_, '_, 'ir>, roots: &Roots<'_, '_, 'ir>, array: usize) -> bool {
    let base = |at: usize| match roots.arrays[at].storage {
        Storage::Memory { base, .. } => Some(base),
        Storage::Scalar { .. } => None,
    };
    let Some(own) = base(array) else { return false };
    let mut written = (0..roots.arrays.len()).filter(|at| *at != array && roots.arrays[*at].is_written);
    written.any(|at| base(at).is_some_and(|other| affine.analyses.overlap(own, other) != Overlap::Never))
}

/// Smallest and largest subscript of each dimension over all accesses to the array, or over those that have bounds; `None` if there is
/// none, or no such subscript.
pub(super) fn extent(scop: &Scop, name: &str, only_bounded: bool) -> Option<Vec<(PwAff, PwAff)>> {
    let accesses = scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.array.as_str() == name);
    let ranges = accesses.map(|access| access.relation.range()).filter(|range| !only_bounded || range.is_bounded());
    let touched = ranges.reduce(|all, range| all.union(&range))?.intersect_params(&scop.trusted_context()).coalesce();
    (0..touched.dim(DimKind::Out)).map(|at| Some((touched.dim_min(at).ok()?, touched.dim_max(at).ok()?))).collect()
}
