//! Integer polynomials over loop iterators and parameters: what an address really is.
//!
//! The byte offset of `A[i * n + j]` in an array of doubles is `8*n*i + 8*j`: not affine, but a polynomial in which each
//! iterator is multiplied by products of parameters only. Grouped by those products it reads `(8n) * i + (8) * j`, and the
//! products are the strides of the dimensions of `A`: the subscripts `[i][j]` are affine again. Addition and multiplication of
//! two's complement numbers are those of integers modulo `2^w`, so a polynomial is exact as soon as its value is known to fit; see
//! [`super::affine`] for when it is.

use super::interval::Interval;
use crate::ids::table_id;
use crate::llvm::LoopId;
use std::collections::BTreeMap;

table_id! {
    /// A parameter of the region, in the order of the model's parameters.
    pub struct ParameterId
}

table_id! {
    /// A piecewise quasi-affine subexpression: a floor, a minimum, ...
    pub struct QuasiId
}

table_id! {
    /// A number that data gives: see [`super::unknown`].
    pub struct UnknownId
}

table_id! {
    /// A pointer from before the region whose address is a number: see [`super::pointers`].
    pub struct AddressId
}

/// What a monomial multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A parameter.
    Parameter(ParameterId),
    /// The number of the iteration of a loop, from 0.
    Iterator(LoopId),
    /// A piecewise quasi-affine subexpression.
    Quasi(QuasiId),
    /// A number that data gives.
    Unknown(UnknownId),
    /// The address of a pointer, none of which gets into the model.
    Address(AddressId),
}

impl Atom {
    /// Whether the atom has one value during the whole region.
    pub fn is_constant(self) -> bool {
        matches!(self, Atom::Parameter(_))
    }

    /// Which number that data gives it is, if it is one.
    pub fn unknown(self) -> Option<UnknownId> {
        match self {
            Atom::Unknown(at) => Some(at),
            _ => None,
        }
    }
}

/// A sum of integer multiples of products of atoms (sorted, with repetition).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial {
    terms: BTreeMap<Vec<Atom>, i128>,
}

impl Polynomial {
    pub fn constant(value: i128) -> Self {
        let mut result = Polynomial::default();
        result.accumulate(Vec::new(), value);
        result
    }

    pub fn atom(atom: Atom) -> Self {
        let mut result = Polynomial::default();
        result.accumulate(vec![atom], 1);
        result
    }

    /// The polynomial with another one in the place of an atom; `None` if the atom is multiplied by others.
    pub fn with(&self, atom: Atom, value: &Polynomial) -> Option<Polynomial> {
        self.terms().try_fold(Polynomial::default(), |sum, (atoms, factor)| match atoms {
            [only] if *only == atom => sum.add(&value.scale(factor)?),
            _ if atoms.contains(&atom) => None,
            _ => {
                let product = Polynomial::constant(factor);
                let term = atoms.iter().try_fold(product, |p, atom| p.multiply(&Polynomial::atom(*atom)))?;
                sum.add(&term)
            }
        })
    }

    /// The terms: sorted atoms and a factor that is not 0.
    pub fn terms(&self) -> impl Iterator<Item = (&[Atom], i128)> {
        self.terms.iter().map(|(atoms, factor)| (atoms.as_slice(), *factor))
    }

    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The term without atoms.
    pub fn number(&self) -> i128 {
        self.terms.get(&Vec::new()).copied().unwrap_or(0)
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// `None` if a coefficient leaves 128 bits.
    pub fn add(&self, other: &Self) -> Option<Self> {
        let mut result = self.clone();
        other.terms.iter().try_for_each(|(atoms, factor)| result.try_accumulate(atoms.clone(), *factor))?;
        Some(result)
    }

    pub fn subtract(&self, other: &Self) -> Option<Self> {
        self.add(&other.scale(-1)?)
    }

    pub fn scale(&self, factor: i128) -> Option<Self> {
        self.multiply(&Polynomial::constant(factor))
    }

    pub fn multiply(&self, other: &Self) -> Option<Self> {
        let mut result = Polynomial::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut atoms = [a.as_slice(), b.as_slice()].concat();
                atoms.sort();
                result.try_accumulate(atoms, x.checked_mul(*y)?)?;
            }
        }
        Some(result)
    }

    /// With `atom + shift` in place of `atom`.
    pub fn shifted(&self, atom: Atom, shift: i128) -> Option<Self> {
        let moved = Polynomial::atom(atom).add(&Polynomial::constant(shift))?;
        let factor = |a: &Atom| if *a == atom { moved.clone() } else { Polynomial::atom(*a) };
        self.terms.iter().try_fold(Polynomial::default(), |sum, (atoms, number)| {
            let start = Polynomial::constant(*number);
            sum.add(&atoms.iter().try_fold(start, |product, a| product.multiply(&factor(a)))?)
        })
    }

    /// The terms whose value is one during the whole region, and the others.
    pub fn split_constant(&self) -> (Self, Self) {
        let (constant, moving) =
            self.terms.clone().into_iter().partition(|(atoms, _)| atoms.iter().all(|atom| atom.is_constant()));
        (Polynomial { terms: constant }, Polynomial { terms: moving })
    }

    /// Each factor modulo `2^bits`, as close to 0 as can be: congruent to the polynomial.
    pub fn within_bits(&self, bits: u32) -> Self {
        let mut result = Polynomial::default();
        let half = 1i128 << (bits - 1);
        let closest = |factor: i128| (factor + half).rem_euclid(2 * half) - half;
        self.terms().for_each(|(atoms, factor)| result.accumulate(atoms.to_vec(), closest(factor)));
        result
    }

    /// Each factor divided, if that leaves no rest.
    pub fn quotient(&self, by: i128) -> Option<Self> {
        self.terms.values().all(|factor| factor % by == 0).then(|| self.divided(by))
    }

    /// Each factor divided by a number that divides all of them.
    pub fn divided(&self, by: i128) -> Self {
        let mut result = Polynomial::default();
        self.terms().for_each(|(atoms, factor)| result.accumulate(atoms.to_vec(), factor / by));
        result
    }

    /// Each factor divided and rounded to the nearest number.
    pub fn divided_to_nearest(&self, by: i128) -> Self {
        let mut result = Polynomial::default();
        let nearest = |factor: i128| (factor + by / 2).div_euclid(by);
        self.terms().for_each(|(atoms, factor)| result.accumulate(atoms.to_vec(), nearest(factor)));
        result
    }

    /// Whether no term multiplies two atoms.
    pub fn is_affine(&self) -> bool {
        self.terms.keys().all(|atoms| atoms.len() <= 1)
    }

    /// Whether some term multiplies numbers that both change during the region, so that no parameters are strides under which it is affine.
    pub fn multiplies_changing(&self) -> bool {
        self.terms.keys().any(|atoms| atoms.iter().filter(|atom| !atom.is_constant()).count() > 1)
    }

    /// What is affine, products of parameters being parameters, and the other terms.
    pub fn split_affine(&self) -> (Self, Self) {
        let is_affine = |atoms: &[Atom]| atoms.len() <= 1 || atoms.iter().all(|atom| atom.is_constant());
        let (affine, products) = self.terms.clone().into_iter().partition(|(atoms, _)| is_affine(atoms));
        (Polynomial { terms: affine }, Polynomial { terms: products })
    }

    /// What multiplies each power of an atom but the first, which is 1.
    pub fn powers_of(&self, atom: Atom) -> BTreeMap<usize, Self> {
        let mut powers: BTreeMap<usize, Polynomial> = BTreeMap::new();
        for (atoms, factor) in self.terms() {
            let rest: Vec<Atom> = atoms.iter().copied().filter(|other| *other != atom).collect();
            let power = atoms.len() - rest.len();
            if power > 0 {
                powers.entry(power).or_default().accumulate(rest, factor);
            }
        }
        powers
    }

    pub fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.terms.keys().flatten().copied()
    }

    /// Bounds of the value from bounds of the atoms, ignoring that atoms are related.
    pub fn interval(&self, of: &dyn Fn(Atom) -> Interval) -> Interval {
        self.terms.iter().fold(Interval::new(0, 0), |sum, (atoms, factor)| {
            let product = atoms.iter().fold(Interval::new(1, 1), |product, atom| product.multiply(of(*atom)));
            sum.add(product.scale(*factor))
        })
    }

    fn accumulate(&mut self, atoms: Vec<Atom>, factor: i128) {
        self.try_accumulate(atoms, factor).expect("law: one term does not overflow");
    }

    fn try_accumulate(&mut self, atoms: Vec<Atom>, factor: i128) -> Option<()> {
        let sum = self.terms.get(&atoms).copied().unwrap_or(0).checked_add(factor)?;
        if sum == 0 {
            self.terms.remove(&atoms);
        } else {
            self.terms.insert(atoms, sum);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I: Atom = Atom::Iterator(LoopId(0));
    const J: Atom = Atom::Iterator(LoopId(1));

    #[test]
    fn bounds_of_a_product_are_those_of_its_corners() {
        let product = Polynomial::atom(I).multiply(&Polynomial::atom(J)).expect("small");
        let of = |atom| if atom == I { Interval::new(-2, 3) } else { Interval::new(-5, 7) };
        assert_eq!(product.interval(&of), Interval::new(-15, 21));
    }

    #[test]
    fn powers_are_what_multiplies_them() {
        let (i, j) = (Polynomial::atom(I), Polynomial::atom(J));
        let square = i.multiply(&i).expect("small");
        let sum = square.scale(3).and_then(|s| s.add(&i.multiply(&j)?)).and_then(|s| s.add(&j)).expect("small");
        assert_eq!(sum.powers_of(I), BTreeMap::from([(1, j.clone()), (2, Polynomial::constant(3))]));
        assert!(sum.multiplies_changing() && !j.multiplies_changing());
        assert_eq!(sum.split_affine().0, j);
    }

    #[test]
    fn terms_that_cancel_disappear() {
        let i = Polynomial::atom(I);
        assert!(i.subtract(&i).expect("small").is_zero());
    }
}
