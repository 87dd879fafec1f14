//! Strides that a program reads, as the numbers they are taken to be.
//!
//! ```fortran
//! subroutine scale(a)                               ! of an array of 8 byte elements, the descriptor says that the next element of a column
//!   real(8), intent(inout) :: a(:,:)                ! is s bytes away, and that of a row t bytes
//! ```
//!
//! The element `a(i, j)` is at `s i + t j`, which is affine under no shape. Such arrays are nearly always parts of others that lie there
//! without gaps: then `s` is 8, `t` is `8 q` with a whole number `q` of elements, and the bytes from one plane to the next are
//! `8 q r`. So `s` is read as that number, and `t` as `8 q` with a parameter `q` of its own ([`Source::Times`]); a test before the loops finds out
//! whether it is so. What is asked of which stride is found out where arrays have no shape without it (`memory/pitches.rs`); a region
//! is then read once more.

use super::affine::Affine;
use super::interval::Interval;
use super::parameters::{LONGEST_STRIDE, Pitch, Pitches, Source};
use super::polynomial::{Atom, ParameterId, Polynomial};
use crate::extract::refusal::Reason;
use crate::llvm::Value;

/// Has a value be taken for something, instead of what it was taken for so far.
pub fn take<'ir>(pitches: &mut Pitches<'ir>, value: Value<'ir>, pitch: Pitch<'ir>) {
    pitches.retain(|(known, _)| *known != value);
    pitches.push((value, pitch));
}

impl<'ir> Affine<'_, '_, 'ir> {
    /// Asks for a value to be taken for something when the region is read again.
    pub(in crate::extract) fn wish(&self, value: Value<'ir>, pitch: Pitch<'ir>) {
        take(&mut self.wishes.borrow_mut(), value, pitch);
    }

    /// The same, if nothing was asked for yet.
    pub(super) fn wish_first(&self, value: Value<'ir>, pitch: Pitch<'ir>) {
        if !self.wishes.borrow().iter().any(|(known, _)| *known == value) {
            self.wish(value, pitch);
        }
    }

    /// What is wished for and not taken for granted yet.
    pub(in crate::extract) fn wishes(&self) -> Pitches<'ir> {
        self.wishes.borrow().iter().filter(|wish| !self.pitches.contains(wish)).copied().collect()
    }

    /// The value from before the region that a parameter is, or how often what goes into one.
    pub(in crate::extract) fn plain_value(&self, at: ParameterId) -> Option<(Value<'ir>, i128)> {
        match &self.parameters()[at].source {
            Source::Value(value) => Some((*value, 1)),
            Source::Times { value, unit, factors } if factors.is_empty() => Some((*value, *unit)),
            _ => None,
        }
    }

    /// What strides make of a product at most, and its other factors: `q r` for a stride that is a multiple of `q` elements is no more than a stride is.
    pub(super) fn without_strides(&self, atoms: &[Atom]) -> (i128, Vec<Atom>) {
        let (mut most, mut rest) = (1, atoms.to_vec());
        let parameters = self.parameters();
        while let Some((at, unit, factors)) = rest.iter().rev().find_map(|atom| match atom {
            Atom::Parameter(at) => match &parameters[*at].source {
                Source::Times { unit, factors, .. } => Some((*at, *unit, factors)),
                _ => None,
            },
            _ => None,
        }) {
            let parts: Vec<Atom> = factors.iter().chain([&at]).map(|at| Atom::Parameter(*at)).collect();
            if !parts.iter().all(|part| rest.contains(part)) {
                break;
            }
            for part in parts {
                let place = rest.iter().position(|atom| *atom == part).expect("law: just seen");
                rest.remove(place);
            }
            most *= LONGEST_STRIDE / unit.max(1);
        }
        (most, rest)
    }

    /// The value as what it is taken to be, if it is taken for something.
    pub(super) fn of_pitch(&self, value: Value<'ir>) -> Option<Result<Polynomial, Reason>> {
        let (_, pitch) = self.pitches.iter().find(|(known, _)| *known == value)?;
        Some(self.taken_for(value, *pitch))
    }

    fn taken_for(&self, value: Value<'ir>, pitch: Pitch<'ir>) -> Result<Polynomial, Reason> {
        let too_big = || Reason::MayWrap { what: "a stride".into() };
        let (unit, factors) = match pitch {
            Pitch::Exactly(number) => {
                self.parameter(Source::Exactly { value, number }, name_of(value), Interval::new(number, number))?;
                return Ok(Polynomial::constant(number));
            }
            Pitch::Multiple { unit } => (unit, Vec::new()),
            Pitch::MultipleOf(other) => {
                let other = self.value_parameter(other)?;
                let mut terms = other.terms();
                let (Some((atoms, factor)), None) = (terms.next(), terms.next()) else { return Err(too_big()) };
                (factor, self.factors(atoms).0)
            }
        };
        let product = factors.iter().try_fold(Polynomial::constant(unit), |product, at| {
            product.multiply(&Polynomial::atom(Atom::Parameter(*at)))
        });
        let source = Source::Times { value, unit, factors };
        let name = name_of(value).map(|name| format!("{name}_over_{unit}"));
        let at = self.parameter(source, name, Interval::new(1, LONGEST_STRIDE / unit.max(1)))?;
        product.and_then(|product| product.multiply(&Polynomial::atom(Atom::Parameter(at)))).ok_or_else(too_big)
    }
}

fn name_of(value: Value<'_>) -> Option<String> {
    value.source_name()
}
