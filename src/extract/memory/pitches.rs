//! What strides would have to be for arrays to have shapes.
//!
//! ```fortran
//! do i = 1, n;  do j = 1, m;  c(i, j) = 2 * c(i, j);  end do;  end do
//! ```
//!
//! With `c(:,:)` of 8 byte elements, the descriptor of `c` holds the strides `s` and `t`, and the offset is `s i + t j`. One of them would have to be 8, and the
//! other one a multiple of 8 (see `numbers/pitches.rs`). Which one is 8 the program may say itself, by asking whether it is; else
//! it is the first in the descriptor where columns lie without gaps, as in Fortran, and the last one elsewhere. The other ones are multiples of one another, in
//! that order. Strides that stand in no descriptor may be anything: of these nothing is asked.

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::parameters::Pitch;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::statements::drafts::{Drafts, Storage, memory_accesses};
use crate::llvm::{Instruction, IntPredicate, Language, Opcode, Value};
use crate::scop::ArrayId;

/// Arrays of more dimensions are not looked at.
const MOST_STRIDES: usize = 7;

/// A value that counters are multiplied by to find an element.
struct Stride<'ir> {
    value: Value<'ir>,
    /// The greatest number that goes into all that it is multiplied by besides counters.
    factor: i128,
}

/// Asks for what strides would have to be, for all arrays that have no shape otherwise.
pub(in crate::extract) fn wish<'ir>(affine: &Affine<'_, '_, 'ir>, drafts: &Drafts<'_, '_, 'ir>) {
    for (array, draft) in drafts.arrays.entries() {
        if matches!(draft.storage, Storage::Memory { .. }) {
            wish_of(affine, drafts, array);
        }
    }
}

fn wish_of<'ir>(affine: &Affine<'_, '_, 'ir>, drafts: &Drafts<'_, '_, 'ir>, array: ArrayId) -> Option<()> {
    let layout = affine.region.entry.function().layout();
    let element = i128::from(layout.store_size(drafts.arrays[array].element));
    let mut strides: Vec<Stride<'ir>> = Vec::new();
    let mut is_dense = false;
    for access in memory_accesses(drafts, array) {
        if i128::from(layout.store_size(access.ty)) != element {
            return None;
        }
        let Some(offset) = access.offset else { continue };
        is_dense |= add_strides(affine, offset, &mut strides)?;
    }
    let is_whole = |stride: &Stride<'ir>| stride.factor % element == 0;
    if strides.is_empty() || strides.len() > MOST_STRIDES || strides.len() == 1 && is_dense && is_whole(&strides[0]) {
        return None;
    }
    let mut strides = in_order(affine, strides)?;
    let is_asked = |stride: &Stride<'ir>| {
        let wanted = (element % stride.factor == 0).then(|| element / stride.factor);
        wanted.is_some_and(|wanted| is_compared(stride.value, wanted))
    };
    if let Some(at) = strides.iter().position(is_asked).filter(|_| !is_dense) {
        strides[..=at].rotate_right(1);
    }
    let mut rest = strides.into_iter();
    if !is_dense && let Some(Stride { value, factor, .. }) = rest.next() {
        let number = (element % factor == 0).then(|| element / factor)?;
        affine.wish(value, Pitch::Exactly(number));
    }
    let mut before: Option<Stride<'ir>> = None;
    for stride in rest {
        let unit = element / num_integer::gcd(element, stride.factor);
        let pitch = match &before {
            Some(smaller) if smaller.factor == stride.factor => Pitch::MultipleOf(smaller.value),
            Some(_) => return None,
            None => Pitch::Multiple { unit },
        };
        affine.wish(stride.value, pitch);
        before = Some(stride);
    }
    Some(())
}

/// Adds the strides of one offset, each the only parameter that multiplies a counter. Whether counters move by numbers alone as well; `None` if there
/// is anything else.
fn add_strides<'ir>(affine: &Affine<'_, '_, 'ir>, offset: &Polynomial, strides: &mut Vec<Stride<'ir>>) -> Option<bool> {
    let mut is_dense = false;
    for (atoms, factor) in offset.terms() {
        let (constant, moving): (Vec<Atom>, Vec<Atom>) = atoms.iter().partition(|atom| atom.is_constant());
        if moving.is_empty() {
            continue;
        }
        if moving.len() > 1 {
            return None;
        }
        let [Atom::Parameter(at)] = constant[..] else {
            if constant.is_empty() {
                is_dense = true;
                continue;
            }
            return None;
        };
        let (value, unit) = affine.plain_value(at)?;
        let factor = (factor % unit == 0).then(|| factor / unit)?;
        match strides.iter_mut().find(|stride| stride.value == value) {
            Some(stride) => {
                stride.factor = num_integer::gcd(stride.factor, factor);
            }
            None => strides.push(Stride { value, factor: factor.abs() }),
        }
    }
    Some(is_dense)
}

/// The strides from the least to the greatest, as they stand in a descriptor; `None` if they stand in none.
fn in_order<'ir>(affine: &Affine<'_, '_, 'ir>, strides: Vec<Stride<'ir>>) -> Option<Vec<Stride<'ir>>> {
    let with_field = |stride: Stride<'ir>| Some((field_of(affine, stride.value)?, stride));
    let mut fields = strides.into_iter().map(with_field).collect::<Option<Vec<_>>>()?;
    let descriptor = fields.first()?.0.0;
    if fields.iter().any(|((base, _), _)| *base != descriptor) {
        return None;
    }
    fields.sort_by_key(|((_, place), _)| *place);
    if affine.region.entry.function().language() != Language::Fortran {
        fields.reverse();
    }
    Some(fields.into_iter().map(|(_, stride)| stride).collect())
}

/// The descriptor that a value is read from, and where in it.
fn field_of<'ir>(affine: &Affine<'_, '_, 'ir>, value: Value<'ir>) -> Option<(Value<'ir>, i128)> {
    let read = value.as_instruction().filter(|instruction| instruction.opcode() == Opcode::Load)?;
    let (base, offset) = affine.analyses.base_and_offset(affine.analyses.scev(read.memory()?.pointer)?);
    Some((affine.analyses.node(base).value?, affine.analyses.node(offset).constant?))
}

/// Whether the program asks if a value is this number.
fn is_compared(value: Value<'_>, number: i128) -> bool {
    let asks = |user: &Instruction<'_>| {
        user.icmp().is_some_and(|(predicate, a, b)| {
            let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
            is_equality && [a, b].iter().any(|side| side.as_integer() == Some(number))
        })
    };
    value.users().iter().any(asks)
}
