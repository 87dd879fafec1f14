//! Products of parameters that types do not keep small.
//!
//! `n * n <= length` for two numbers of 64 bits compares what is left of `n * n` modulo 2^64. It is the product where `n` is below 2^31, which is owed.

use super::affine::Affine;
use super::interval::Interval;
use super::obligations::{Obligation, Obligations};
use super::parameters::Source;
use super::polynomial::{Atom, ParameterId, Polynomial};
use super::scope::Scope;
use crate::extract::refusal::Reason;
use crate::presburger::PwAff;

/// A product of factors that have so many bits together fits a word.
const PRODUCT_BITS: usize = 62;

type Fallible<T> = Result<T, Reason>;

impl<'ir> Affine<'_, '_, 'ir> {
    /// The polynomial as an affine expression over the scope's iterators, where products of parameters may be too large for 64 bits: it is owed that their
    /// factors are not.
    ///
    /// # Errors
    /// If it is not affine, or has too many parameters.
    pub(in crate::extract) fn with_products(
        &self,
        scope: &Scope,
        polynomial: &Polynomial,
        owed: &mut Obligations,
    ) -> Fallible<PwAff> {
        let mut sum = Polynomial::constant(0);
        for (atoms, factor) in polynomial.terms() {
            let is_product = atoms.len() > 1 && atoms.iter().all(|atom| atom.is_constant());
            let atoms = match is_product {
                true => vec![Atom::Parameter(self.small_product(atoms, scope, owed)?)],
                false => atoms.to_vec(),
            };
            let term =
                atoms.iter().try_fold(Polynomial::constant(factor), |p, atom| p.multiply(&Polynomial::atom(*atom)));
            let whole = term.and_then(|term| sum.add(&term));
            sum = whole.ok_or(Reason::MayWrap { what: "a product of sizes".into() })?;
        }
        self.aff(&sum, scope)
    }

    /// A parameter that is the product, as it is owed that each factor is so small that it fits.
    fn small_product(&self, atoms: &[Atom], scope: &Scope, owed: &mut Obligations) -> Fallible<ParameterId> {
        if let Ok(product) = self.product_parameter(atoms) {
            return Ok(product);
        }
        let largest = 1i128 << (PRODUCT_BITS / atoms.len().min(PRODUCT_BITS));
        for atom in atoms {
            let factor = self.atom_aff(*atom, scope)?;
            let low = factor.ge_set(&self.constant_aff(scope, -largest));
            let wanted = low.intersect(&factor.le_set(&self.constant_aff(scope, largest)));
            owed.add(Obligation { scope: scope.clone(), wanted, why: "products of sizes fit 64 bits".to_string() });
        }
        let (numbers, names) = self.factors(atoms);
        self.parameter(Source::WrappedProduct(numbers), Some(names.join("_times_")), Interval::signed(64))
    }
}
