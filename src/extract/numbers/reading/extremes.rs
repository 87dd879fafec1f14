//! Between which numbers a polynomial with products lies.
//!
//! ```c
//! for (unsigned y = 0; y < h; y++) for (unsigned x = 0; x < w; x++) a[(h - 1 - y) * w + x] = ...
//! ```
//!
//! The subscript is `h w - w - y w + x`. With sizes that are not negative it falls with `y` and grows with `x`, so that it is least for the greatest `y`, `h - 1`, and `x = 0`,
//! where all but 0 cancels; and greatest the other way round, `h w - 1`. So it neither wraps around nor is negative where `h w` is small enough: a
//! condition on parameters, one of which is a product, that is tested before the loops. Counters are replaced from the innermost
//! loop on, as their bounds are sums of counters further out.

use super::Reading;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::presburger::int::Number as _;
use crate::presburger::{BasicSet, Constraint, ConstraintKind, DimKind, Int, PwAff, Set, Space};

/// What would have to be smaller than this for a product to fit would be too small for what programs do. Sides of a cube whose elements are counted with 32 bits
/// may be 894 long, so that in most programs in which nothing wraps around each factor is small enough.
pub(super) const LEAST_LIMIT: i128 = 1 << 9;

/// In words, what is assumed of large numbers that are read without a sign.
pub(super) const BELOW_HALF: &str = "an unsigned value is below half its range";

/// Limits are rounded to so many bits, so that those of neighbours are the same.
const BITS_OF_LIMITS: u32 = 8;

/// A polynomial, of which only a part counts: `polynomial / scale`.
struct Scaled {
    polynomial: Polynomial,
    scale: i128,
}

/// Of the room for a sum of products, those with most factors have so many parts of [`PARTS`]: a plane is little beside a cube.
const PARTS_OF_LONGEST: i128 = 3;
const PARTS: i128 = 4;

/// How large a sum of products may become.
pub(super) struct Room {
    most: i128,
    /// So many factors have the longest products.
    longest: usize,
    /// How many of these there are, and of others.
    totals: (i128, i128),
}

impl Room {
    /// The room for so many products of so many factors each.
    pub(super) fn of(most: i128, products: impl Iterator<Item = (usize, i128)>) -> Self {
        let products: Vec<(usize, i128)> = products.collect();
        let longest = products.iter().map(|(factors, _)| *factors).max().unwrap_or(0);
        let add = |(of_longest, of_others): (i128, i128), (factors, n): &(usize, i128)| match *factors == longest {
            true => (of_longest.saturating_add(*n), of_others),
            false => (of_longest, of_others.saturating_add(*n)),
        };
        Room { most, longest, totals: products.iter().fold((0, 0), add) }
    }

    /// What a product of so many factors may be.
    pub(super) fn share(&self, factors: usize) -> i128 {
        let (parts, among) = match (factors == self.longest, self.totals) {
            (true, (of_longest, 0)) => (PARTS, of_longest),
            (true, (of_longest, _)) => (PARTS_OF_LONGEST, of_longest),
            (false, (_, of_others)) => (PARTS - PARTS_OF_LONGEST, of_others),
        };
        self.most / PARTS * parts / among.max(1)
    }
}

/// Which end of the range of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl Reading<'_, '_, '_, '_> {
    /// Takes for granted that no size is negative, nor the number, and that it is below half its range, as far as conditions on products of sizes say so;
    /// not if it would not fit with sizes of programs.
    pub(super) fn require_between(&self, number: &Number) -> Option<()> {
        let least = self.extreme(&number.polynomial, End::Least)?;
        let greatest = self.extreme(&number.polynomial, End::Greatest)?;
        let sizes = unique(number.polynomial.atoms().filter(|atom| atom.is_constant()));
        let is_known = |atom: Atom| self.affine.interval(&Polynomial::atom(atom)).is_nonnegative();
        for atom in sizes.iter().filter(|atom| !is_known(**atom)) {
            let value = self.affine.atom_aff(*atom, self.scope).ok()?;
            self.require(&value.ge_set(&self.constant(0)), BELOW_HALF);
        }
        // Loops may begin and end at numbers below zero.
        let is_size = |atom: &Atom| sizes.contains(atom) || is_known(*atom);
        if !least.polynomial.terms().all(|(atoms, factor)| factor > 0 && atoms.iter().all(is_size)) {
            if least.polynomial.terms().all(|(atoms, factor)| factor < 0 && atoms.iter().all(is_size)) {
                return None;
            }
            let value = self.of_sizes(&least.polynomial)?;
            self.require(&value.ge_set(&self.constant(0)), BELOW_HALF);
        }
        self.require_products_below(&greatest, number.width, &is_size)
    }

    /// Takes for granted that the products are so small that their sum is below half the range of a number of so many bits, whatever is taken away from it.
    fn require_products_below(&self, sum: &Scaled, width: u32, is_size: &dyn Fn(&Atom) -> bool) -> Option<()> {
        let may_add = |atoms: &[Atom], factor: i128| factor > 0 || !atoms.iter().all(is_size);
        let added = || sum.polynomial.terms().filter(|(atoms, factor)| !atoms.is_empty() && may_add(atoms, *factor));
        let most = (1i128 << (width - 1)) - 1;
        let room = most.checked_mul(sum.scale)?.checked_sub(sum.polynomial.number().max(0))?;
        let room = Room::of(room, added().map(|(atoms, factor)| (atoms.len(), factor.abs())));
        for (atoms, factor) in added() {
            let limit = rounded_down(room.share(atoms.len()));
            if limit < LEAST_LIMIT {
                return None;
            }
            let product = Polynomial::constant(factor.signum());
            let product = atoms.iter().try_fold(product, |p, atom| p.multiply(&Polynomial::atom(*atom)))?;
            let fits = self.of_sizes(&product)?.le_set(&self.constant(limit));
            self.require(&fits, &format!("products of strides and counters fit {width} bits"));
        }
        Some(())
    }

    /// A polynomial in parameters as an affine expression, where products are parameters that fit.
    fn of_sizes(&self, polynomial: &Polynomial) -> Option<PwAff> {
        self.affine.with_products(self.scope, polynomial, &mut self.obligations.borrow_mut()).ok()
    }

    /// A bound of the polynomial in parameters alone, if these are not negative.
    fn extreme(&self, polynomial: &Polynomial, end: End) -> Option<Scaled> {
        let mut bound = Scaled { polynomial: polynomial.clone(), scale: 1 };
        for (depth, id) in self.scope.loops.iter().enumerate().rev() {
            let counter = Atom::Iterator(*id);
            let powers = bound.polynomial.powers_of(counter);
            let Some(factor) = powers.get(&1) else { continue };
            if powers.len() > 1 || !factor.atoms().all(|atom| atom.is_constant()) {
                return None;
            }
            let product = factor.multiply(&Polynomial::atom(counter))?;
            let rest = bound.polynomial.subtract(&product)?;
            let grows = factor.terms().all(|(_, factor)| factor > 0);
            let falls = factor.terms().all(|(_, factor)| factor < 0);
            bound = match (end, grows, falls) {
                (End::Greatest, true, _) | (End::Least, _, true) => {
                    let Scaled { polynomial: last, scale } = self.last_iteration(depth)?;
                    let polynomial = rest.scale(scale)?.add(&factor.multiply(&last)?)?;
                    Scaled { polynomial, scale: bound.scale.checked_mul(scale)? }
                }
                (End::Greatest, _, true) | (End::Least, true, _) => Scaled { polynomial: rest, ..bound },
                _ => return None,
            };
        }
        let is_of_sizes = bound.polynomial.atoms().all(|atom| atom.is_constant());
        is_of_sizes.then_some(bound)
    }

    /// No iteration of the loop at a depth is beyond this one, by the counters of the loops around it.
    fn last_iteration(&self, depth: usize) -> Option<Scaled> {
        let domain = &self.scope.domain;
        let inner = domain.dim(DimKind::Out) - depth - 1;
        let domain = domain.project_out(DimKind::Out, depth + 1, inner);
        let is_bound = |constraint: &&Constraint| {
            let outside = domain.subtract(&Set::universe(domain.space()).add_constraint(constraint));
            outside.intersect_params(&self.affine.context()).is_empty()
        };
        let all: Vec<Constraint> = domain.pieces().iter().flat_map(|piece| upper_bounds(piece, depth)).collect();
        let bound = all.iter().find(is_bound).or_else(|| self.expected(&all, domain.space(), inner))?;
        self.solved(bound, domain.space(), depth)
    }

    /// The only bound that parameters give, taken for granted: of `max(n, 1)` iterations of a loop that is entered if there are any, as LLVM may have it where
    /// the question before it is another one, it is `n`.
    fn expected<'c>(&self, all: &'c [Constraint], space: &Space, inner: usize) -> Option<&'c Constraint> {
        let of_parameters = |bound: &&Constraint| {
            bound.coefficients[..space.dim(DimKind::Param)].iter().any(|factor| !factor.is_zero())
        };
        let mut bounds = all.iter().filter(of_parameters);
        let only = bounds.next()?;
        if bounds.any(|other| other != only) {
            return None;
        }
        let coefficients = [only.coefficients.clone(), vec![Int::from(0); inner]].concat();
        let wanted = self.scope.domain.space().clone();
        let wanted = Set::universe(&wanted).add_constraint(&Constraint { coefficients, ..only.clone() });
        self.require(&wanted, "loops run as often as their bounds say");
        Some(only)
    }

    /// What a constraint says of a counter at most.
    fn solved(&self, constraint: &Constraint, space: &Space, depth: usize) -> Option<Scaled> {
        let number = |value: &Int| value.as_i64().map(i128::from);
        let (n_params, first) = (space.dim(DimKind::Param), space.offset(DimKind::Out));
        let mut sum = Polynomial::constant(number(&constraint.constant)?);
        let parameters = self.affine.parameters();
        for (at, factor) in constraint.coefficients.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            let atom = match at {
                at if at < n_params => {
                    let name = space.dim_name(DimKind::Param, at)?;
                    Atom::Parameter(parameters.id_where(|parameter| parameter.id == *name)?)
                }
                at if at == first + depth => continue,
                at => Atom::Iterator(*self.scope.loops.get(at - first)?),
            };
            sum = sum.add(&Polynomial::atom(atom).scale(number(factor)?)?)?;
        }
        Some(Scaled { polynomial: sum, scale: -number(&constraint.coefficients[first + depth])? })
    }
}

/// The constraints that bound a counter from above by what is further out.
fn upper_bounds(piece: &BasicSet, depth: usize) -> Vec<Constraint> {
    let first = piece.space().offset(DimKind::Out);
    let n = piece.space().n_dim();
    let is_without_locals = |constraint: &Constraint| constraint.coefficients[n..].iter().all(|local| local.is_zero());
    let bounds = piece.constraints().into_iter().filter(is_without_locals).filter_map(|constraint| {
        let own = constraint.coefficients[first + depth].as_i64()?;
        let cut = Constraint { coefficients: constraint.coefficients[..n].to_vec(), ..constraint };
        match (own, cut.kind) {
            (own, ConstraintKind::Inequality) if own < 0 => Some(cut),
            (own, ConstraintKind::Equality) if own < 0 => Some(Constraint { kind: ConstraintKind::Inequality, ..cut }),
            _ => None,
        }
    });
    bounds.collect()
}

/// Each atom once.
fn unique(atoms: impl Iterator<Item = Atom>) -> Vec<Atom> {
    let mut all: Vec<Atom> = atoms.collect();
    all.sort();
    all.dedup();
    all
}

/// The number with its first bits only.
fn rounded_down(number: i128) -> i128 {
    let bits = number.max(1).ilog2() + 1;
    let dropped = bits.saturating_sub(BITS_OF_LIMITS);
    number >> dropped << dropped
}
