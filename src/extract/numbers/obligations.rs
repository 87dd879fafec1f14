//! What must hold for a number to be its polynomial, as a value.
//!
//! ```c
//! void f(int n, int m, double *a) { for (unsigned i = 0; i < n; i++) a[i + m] = 0; }
//! ```
//!
//! The subscript is the polynomial `i + m`, modulo `2^32`. It is that sum itself where `0 <= i + m < 2^32`. So reading it gives the
//! polynomial together with an [`Obligation`]: in the scope of the store, `{ [i] : 0 <= i < n }`, all points are to satisfy `i + m >= 0`. Reading is a
//! question, and changes nothing that is assumed. A [`Conditional`] number cannot be used until somebody decides about its obligations:
//!
//! - `assumptions.accept(affine, number)?`: the model rests on them, and a test before the loops finds out whether they hold;
//! - `number.proved(affine)`: the number if nothing is to be assumed, else the conditional number again;
//! - `owed.take_over(number)`: what is computed from it owes the same, and is conditional itself;
//! - `number.form()`: what it is composed of, where it does not matter whether that is the value: whether there is a polynomial at all, say.

use super::affine::Affine;
use super::scope::Scope;
use crate::presburger::Set;

/// In a scope, all points are to satisfy a condition.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// It is about the instances at these points, and about no others.
    pub scope: Scope,
    /// The points that are as they should be, in the scope's space.
    pub wanted: Set,
    /// In words: what holds then.
    pub why: String,
}

impl Obligation {
    /// The points of the scope that are not as they should be.
    pub fn violated(&self) -> Set {
        self.scope.domain.subtract(&self.wanted)
    }

    /// Whether what is known of the parameters rules out all of these.
    pub fn is_proved(&self, affine: &Affine<'_, '_, '_>) -> bool {
        self.violated().intersect_params(&affine.context()).is_empty()
    }
}

/// Several obligations, in the order in which they came up.
#[must_use = "who computes with a number owes what it owes"]
#[derive(Clone, Debug, Default)]
pub struct Obligations(Vec<Obligation>);

impl Obligations {
    /// Nothing is owed yet.
    pub fn none() -> Self {
        Obligations::default()
    }

    pub fn add(&mut self, obligation: Obligation) {
        self.0.push(obligation);
    }

    /// Those points of a scope that are as they should be, by what is owed of that scope.
    pub(super) fn fulfilled(&self, scope: &Scope, points: Set) -> Set {
        let own = self.0.iter().filter(|owed| owed.scope.has_dimensions_of(scope));
        own.fold(points, |points, owed| points.intersect(&owed.wanted))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Nothing is owed but the first of these.
    pub(super) fn keep_first(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// The value, whose obligations are now these as well.
    pub fn take_over<T>(&mut self, conditional: Conditional<T>) -> T {
        self.0.extend(conditional.obligations.0);
        conditional.value
    }
}

impl IntoIterator for Obligations {
    type Item = Obligation;
    type IntoIter = std::vec::IntoIter<Obligation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A value that is right where its obligations hold.
#[must_use = "the value is right only where its obligations hold"]
#[derive(Clone, Debug)]
pub struct Conditional<T> {
    value: T,
    obligations: Obligations,
}

impl<T> Conditional<T> {
    pub fn new(value: T, obligations: Obligations) -> Self {
        Conditional { value, obligations }
    }

    /// What is computed from the value alone, under the same obligations.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Conditional<U> {
        Conditional { value: f(self.value), obligations: self.obligations }
    }

    /// What the value is composed of. That is not to be taken for the value.
    pub fn form(&self) -> &T {
        &self.value
    }

    /// The value, if nothing is to be assumed for it.
    ///
    /// # Errors
    /// The conditional value again, if some obligation is not proved.
    pub fn proved(self, affine: &Affine<'_, '_, '_>) -> Result<T, Self> {
        if self.obligations.0.iter().all(|obligation| obligation.is_proved(affine)) {
            Ok(self.value)
        } else {
            Err(self)
        }
    }

    /// For [`super::assumptions`].
    pub(super) fn parts(self) -> (T, Obligations) {
        (self.value, self.obligations)
    }
}
