//! Arrays of the model bound to memory, and whether their offsets are numbers.

use super::accesses::Model;
use super::names::line_of;
use super::overlap::Accesses;
use super::overlap::{ends_of_rows, extent};
use crate::extract::binding::{BoundArray, BoundRows};
use crate::extract::memory::types::types_of;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::ssa::operands;
use crate::extract::statements::drafts::{Draft, MemoryAccess, Storage, memory_accesses, named_domain, statement_name};
use crate::extract::statements::local::Life;
use crate::llvm::{Instruction, Opcode, Value};
use crate::presburger::Id;
use crate::scop::{ArrayId, Scop, Table};
use std::collections::{BTreeMap, HashSet};

/// So many operands of an address are looked at for what may wrap around.
const MOST_OPERANDS: usize = 50;

/// Numbers of fewer bits wrap around before addresses do.
const ADDRESS_BITS: u32 = 64;

impl<'ir> Model<'_, '_, 'ir> {
    /// The arrays of which it matters which elements are the same, and of which only a test tells that offsets do not wrap around.
    pub(super) fn wrapping(&self, tested: &[(ArrayId, ArrayId)]) -> Vec<ArrayId> {
        let matters = |at: &ArrayId| {
            let draft = &self.drafts.arrays[*at];
            let is_ranged = |MemoryAccess { instruction, statement, .. }: MemoryAccess<'_, 'ir>| {
                let name = statement_name(statement);
                let domain = named_domain(&self.drafts.statements[statement].scope, name.as_str());
                self.ranges.get(statement, instruction).is_some_and(|known| !known.exact)
                    && self.ranged(statement, *at, instruction, &name, &domain).is_some()
            };
            (draft.is_written || tested.iter().any(|(a, b)| a == at || b == at))
                && (draft.may_wrap || memory_accesses(&self.drafts, *at).into_iter().any(is_ranged))
        };
        self.drafts.arrays.ids().filter(matters).collect()
    }

    /// Why the model does not know all that the loops do: parts that data decides about, and writes to places that are affine in no shape.
    pub(super) fn not_affine(&self) -> Vec<Refusal<'ir>> {
        let parts = self.drafts.domains.opaque.iter().map(|part| part.why.clone());
        let written = self.drafts.out_of_shape.iter().filter(|at| self.drafts.arrays[**at].is_written);
        let places = written.map(|at| {
            let reason = Reason::NonAffineSubscript { array: self.shown_name(*at) };
            let somewhere = memory_accesses(&self.drafts, *at).into_iter().find(|access| access.offset.is_none());
            Refusal::at(somewhere.and_then(|access| access.instruction.place()), reason)
        });
        let wrapped = self.drafts.arrays.ids().filter_map(|at| self.may_wrap_somewhere(at));
        parts.chain(places).chain(wrapped).collect()
    }

    /// That a written array is at places whose numbers may wrap around in a type that is narrower than addresses are, `a[i * n + j]` of unsigned numbers:
    /// they might be any.
    fn may_wrap_somewhere(&self, at: ArrayId) -> Option<Refusal<'ir>> {
        let draft = &self.drafts.arrays[at];
        if !draft.is_written || !draft.is_indirect || self.drafts.out_of_shape.contains(&at) {
            return None;
        }
        let of_counters = |access: &MemoryAccess<'_, 'ir>| access.offset.is_none() && self.is_narrow(access.pointer);
        let somewhere = memory_accesses(&self.drafts, at).into_iter().find(of_counters)?;
        let what = format!("a subscript of '{}'", self.shown_name(at));
        Some(Refusal::at(somewhere.instruction.place(), Reason::MayWrap { what }))
    }

    /// Whether an address is computed from counters and what stays the same, by sums or products that nothing says do not wrap around.
    fn is_narrow(&self, pointer: Value<'ir>) -> bool {
        let (mut open, mut seen, mut is_wrapping) = (vec![pointer], HashSet::new(), false);
        while let Some(value) = open.pop() {
            let inside = |each: &Instruction<'ir>| each.block().is_some_and(|block| self.affine.region.contains(block));
            let Some(instruction) = value.as_instruction().filter(inside).filter(|_| seen.insert(value)) else {
                continue;
            };
            if instruction.memory().is_some() || instruction.call().is_some() || seen.len() > MOST_OPERANDS {
                return false;
            }
            let is_sum = matches!(instruction.opcode(), Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl);
            let promised = instruction.wrapping();
            is_wrapping |= is_sum
                && !promised.nsw
                && !promised.nuw
                && value.ty().integer_width().is_some_and(|width| width < ADDRESS_BITS);
            open.extend(operands(instruction));
        }
        is_wrapping
    }

    /// What is tested of arrays whose offsets might wrap around, in words.
    pub(super) fn named(&self, wrapping: &[ArrayId]) -> Vec<String> {
        wrapping.iter().map(|at| format!("the offsets of '{}' do not wrap around", self.shown_name(*at))).collect()
    }

    pub(super) fn bound_arrays(
        &self,
        scop: &Scop,
        disjoint: &[(ArrayId, ArrayId)],
        unknown: &BTreeMap<ArrayId, Vec<Instruction<'ir>>>,
        bounded: &[ArrayId],
        in_rows: &[ArrayId],
    ) -> Table<ArrayId, BoundArray<'ir>> {
        let layout = self.affine.region.entry.function().layout();
        let strides =
            |at: ArrayId| self.shapes[at].as_ref().map(|known| known.shape.strides.clone()).unwrap_or_default();
        let bind = |(number, draft): (ArrayId, &Draft<'ir>)| {
            let is_tested = disjoint.iter().any(|(a, b)| *a == number || *b == number);
            let (base, strides) = match &draft.storage {
                Storage::Memory { base, .. } => {
                    let own = vec![Polynomial::default(); scop.arrays[number].own];
                    (Some(*base), [own, strides(number)].concat())
                }
                Storage::Rows { table, .. } => (Some(*table), strides(number)),
                Storage::Scalar { .. } => (None, Vec::new()),
            };
            let rows = match &draft.storage {
                Storage::Rows { depth, .. } => {
                    let is_tested = in_rows.contains(&number);
                    let ends = is_tested.then(|| ends_of_rows(scop, &self.names[number], *depth)).flatten();
                    Some(BoundRows { depth: *depth, ends: ends.unwrap_or_default() })
                }
                Storage::Memory { .. } | Storage::Scalar { .. } => None,
            };
            let is_buffered = matches!(&draft.storage, Storage::Scalar { loops, .. } if !loops.is_empty());
            // A pointer that the region reads is not there before the loops: what is behind it is measured.
            let is_held = matches!(&draft.storage, Storage::Memory { base, .. } if !self.affine.is_invariant(*base));
            let has_extent = is_tested || in_rows.contains(&number) || is_buffered || bounded.contains(&number);
            let is_partly_known = unknown.contains_key(&number) || draft.is_indirect && bounded.contains(&number);
            let known = if is_partly_known { Accesses::Bounded } else { Accesses::All };
            BoundArray {
                id: Id::new(&self.names[number]),
                base,
                rows,
                element: draft.element,
                types: types_of(&self.drafts, number).into(),
                element_bytes: layout.store_size(draft.element),
                strides,
                extent: (has_extent && !is_held).then(|| extent(scop, &self.names[number], known)).flatten(),
                is_written: draft.is_written,
                life: match draft.storage {
                    Storage::Memory { base, .. } => self.drafts.life(base),
                    Storage::Rows { .. } | Storage::Scalar { .. } => Life::Unknown,
                },
                source_name: self
                    .source_name(number)
                    .or_else(|| line_of(draft))
                    .unwrap_or_else(|| self.names[number].clone()),
            }
        };
        self.drafts.arrays.map(bind)
    }
}
