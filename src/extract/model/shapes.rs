//! The shapes of all arrays of a region, with the subscripts of their accesses.
//!
//! Where data decides about an access to `A[i][key[j]]`, rows are looked for all the same: that `key[j]` stays within its row may be tested.
//!
//! An array may have none: `A[i * s + j * t]`, with two steps that are parameters, is affine under no shape. Then it is read once more, as one of
//! which such an access may touch any element ([`Stop::Shapeless`]).

use super::names::source_name;
use crate::extract::memory::shape::{self, RawAccess, Shape};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::obligations::Conditional;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::places::ranges::Ranges;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::statements::drafts::{Drafts, MemoryAccess, Storage, memory_accesses};
use crate::extract::statements::held::{parts_of, row_bytes};
use crate::llvm::analysis::Overlap;
use crate::llvm::instruction::Address;
use crate::llvm::{Layout, Type, TypeKind, Value};
use crate::scop::{ArrayId, Table};

/// The shape of an array in memory, and the subscripts of its accesses by offset and scope.
pub(in crate::extract) struct ArrayShape {
    pub shape: Shape,
    pub offsets: Vec<Polynomial>,
}

/// Why there is no model.
pub(in crate::extract) enum Stop<'ir> {
    Refused(Refusal<'ir>),
    /// The array behind this base has no shape under which all accesses are affine.
    Shapeless(Value<'ir>, Refusal<'ir>),
    /// Some statements have conditions on data for their own, which may be in the way.
    Guarded,
}

impl<'ir> From<Refusal<'ir>> for Stop<'ir> {
    fn from(refusal: Refusal<'ir>) -> Self {
        Stop::Refused(refusal)
    }
}

impl ArrayShape {
    pub fn subscripts(&self, offset: &Polynomial) -> Option<&[Polynomial]> {
        let at = self.offsets.iter().position(|known| known == offset)?;
        Some(&self.shape.subscripts[at])
    }
}

/// Strides the program's types suggest for a pointer, in bytes, from the address computations that lead to it.
fn stride_hints(mut pointer: Value<'_>) -> Vec<i128> {
    let mut hints = Vec::new();
    while let Some(address) = Address::of_value(pointer) {
        let Some(function) = pointer.as_instruction().and_then(|i| i.function()) else { break };
        let layout = function.layout();
        let mut ty = Some(address.element);
        while let Some(here) = ty.filter(|ty| ty.is_sized()) {
            hints.push(i128::from(layout.alloc_size(here)));
            ty = (here.kind() == TypeKind::Array).then(|| here.element()).flatten();
        }
        pointer = address.base;
    }
    hints
}

/// Strides that the type of a variable suggests, largest first, if the accesses to it name one of them: of `u[0][i][j]` and `u[1][i][j]` the addresses say
/// no more than how long the rows are, so that `u[0][n][j]` might be `u[1][0][j]`; and of `u[0][i]` and `u[1][i]` they say no more than where rows start.
fn variable_hints<'ir>(base: Value<'ir>, layout: Layout<'ir>, named: &[i128], accesses: &[RawAccess]) -> Vec<i128> {
    let variable = || Some(base.as_instruction()?.alloca()?.ty);
    let mut ty = base.global_value_type().or_else(variable);
    let mut strides = Vec::new();
    while let Some(element) = ty.filter(|ty| ty.kind() == TypeKind::Array).and_then(Type::element) {
        strides.push(i128::from(layout.alloc_size(element)));
        ty = Some(element);
    }
    let largest = named.iter().max();
    let names = |stride: &i128| Some(stride) == largest || starts_in_several(accesses, *stride);
    let has_rows = strides.split_last().is_some_and(|(_, rows)| rows.iter().any(names));
    if has_rows { strides } else { Vec::new() }
}

/// Whether accesses that go through elements start in different rows of so many bytes.
fn starts_in_several(accesses: &[RawAccess], row: i128) -> bool {
    let moves = accesses.iter().filter(|access| access.offset.as_constant().is_none());
    let mut rows = moves.map(|access| shape::nearest(access.offset.number(), row));
    rows.next().is_some_and(|first| rows.any(|other| other != first))
}

/// The shape of an array of rows to which `depth` pointers lead: first which row, for each pointer, which has no end as far as the model is concerned, then the
/// shape of what is within it.
fn shape_of_rows(
    affine: &Affine<'_, '_, '_>,
    accesses: &[RawAccess],
    (element_bytes, depth): (i128, usize),
    hints: &[i128],
    name: &str,
) -> Result<Conditional<Shape>, Reason> {
    let (rows, offsets): (Vec<_>, Vec<_>) = accesses.iter().map(|access| parts_of(&access.offset, depth)).unzip();
    let within = |(access, offset): (&RawAccess, Polynomial)| RawAccess { offset, ..access.clone() };
    let inside: Vec<RawAccess> = accesses.iter().zip(offsets).map(within).collect();
    let with_rows = |inside: Shape| Shape {
        strides: [row_bytes(depth).into_iter().map(Polynomial::constant).collect(), inside.strides].concat(),
        subscripts: rows.into_iter().zip(inside.subscripts).map(|(row, inside)| [row, inside].concat()).collect(),
        extents: inside.extents,
    };
    Ok(shape::infer(affine, &inside, element_bytes, hints, name)?.map(with_rows))
}

pub(super) fn shapes<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    assumptions: &mut Assumptions,
    drafts: &Drafts<'_, '_, 'ir>,
    names: &Table<ArrayId, String>,
    ranges: &Ranges<'ir>,
) -> Result<Table<ArrayId, Option<ArrayShape>>, Stop<'ir>> {
    let layout = affine.region.entry.function().layout();
    let mut shapes = Table::default();
    for (number, array) in drafts.arrays.entries() {
        if matches!(array.storage, Storage::Scalar { .. }) {
            shapes.push(None);
            continue;
        }
        let shown = source_name(array).unwrap_or_else(|| names[number].clone());
        let element_bytes = layout.store_size(array.element);
        let bytes = i128::from(element_bytes);
        let mut hints = Vec::new();
        let mut raw: Vec<RawAccess> = Vec::new();
        let mut location = None;
        let (mut ranged, mut row_hints, mut is_ranged) = (Vec::new(), Vec::new(), true);
        for access @ MemoryAccess { offset, scope, instruction, statement, .. } in memory_accesses(drafts, number) {
            location = location.or(instruction.place());
            if layout.store_size(access.ty) != element_bytes {
                let reason = Reason::MixedElementTypes { array: shown };
                return Err(Refusal::at(instruction.place(), reason).into());
            }
            if let Some(offset) = offset {
                hints.extend(stride_hints(access.pointer));
                raw.push(RawAccess { offset: offset.clone(), scope: scope.clone() });
            } else if let Some(known) = ranges.get(statement, instruction) {
                row_hints.extend(stride_hints(access.pointer));
                ranged.push(RawAccess { offset: known.offset.clone(), scope: known.scope.clone() });
            } else {
                is_ranged = false;
            }
        }
        if let Storage::Memory { base, .. } = array.storage {
            hints.extend(variable_hints(base, layout, &hints, &raw));
        }
        if array.is_indirect {
            let all = [raw.as_slice(), ranged.as_slice()].concat();
            let flat = shape::flat(&all, bytes);
            let has_rows = (array.is_written || may_be_overwritten(affine, drafts, number))
                && is_ranged
                && (flat.is_none() || !ranged.iter().all(|access| shape::stays_in_rows(affine, access)));
            let hints = [hints.as_slice(), row_hints.as_slice()].concat();
            let infer = || shape::infer(affine, &all, bytes, &hints, &shown).ok();
            let with_rows = if has_rows { infer().filter(|shape| shape.form().strides.len() > 1) } else { None };
            let rows = with_rows.and_then(|shape| assumptions.accept(affine, shape).ok());
            let with_all = |shape| (shape, all.clone());
            let known = rows.or_else(|| flat.filter(|_| array.is_written || !ranged.is_empty())).map(with_all);
            let partly = || shape::flat(&raw, bytes).filter(|_| array.is_written).map(|shape| (shape, raw.clone()));
            if let Some((shape, accesses)) = known.or_else(partly) {
                let offsets = accesses.into_iter().map(|access| access.offset).collect();
                shapes.push(Some(ArrayShape { shape, offsets }));
                continue;
            }
        }
        let shape = match array.storage {
            Storage::Rows { depth, .. } => shape_of_rows(affine, &raw, (bytes, depth), &hints, &shown),
            _ => shape::infer(affine, &raw, bytes, &hints, &shown),
        };
        let shape = shape
            .and_then(|shape| assumptions.accept(affine, shape))
            .map_err(|reason| stopped(&array.storage, Refusal::at(location, reason)))?;
        shapes.push(Some(ArrayShape { shape, offsets: raw.into_iter().map(|access| access.offset).collect() }));
    }
    Ok(shapes)
}

fn stopped<'ir>(storage: &Storage<'ir>, refusal: Refusal<'ir>) -> Stop<'ir> {
    match (&refusal.reason, storage) {
        (Reason::NonAffineSubscript { .. }, Storage::Memory { base, .. }) => Stop::Shapeless(*base, refusal),
        _ => Stop::Refused(refusal),
    }
}

/// Whether another array is written that LLVM cannot tell from this one.
fn may_be_overwritten<'ir>(affine: &Affine<'_, '_, 'ir>, drafts: &Drafts<'_, '_, 'ir>, array: ArrayId) -> bool {
    let base = |at: ArrayId| match drafts.arrays[at].storage {
        Storage::Memory { base, .. } => Some(base),
        Storage::Rows { .. } | Storage::Scalar { .. } => None,
    };
    let Some(own) = base(array) else { return false };
    let mut written = drafts.arrays.ids().filter(|at| *at != array && drafts.arrays[*at].is_written);
    written.any(|at| base(at).is_some_and(|other| affine.analyses.overlap(own, other) != Overlap::Never))
}
