//! The greatest, or the least, of some quasi-polynomials: what bounds are.
//!
//! `{ [n] -> max(n, 1/4 * n^2) : n >= 0 }` is the greater of `n` and `n^2/4`, on a piece; `max(infty)` says that there is no bound. isl's name is `pw_qpolynomial_fold`,
//! for the text as well. Bounds are found in [`super::bound`].

use super::polynomial::Polynomial;
use super::pw_qpolynomial::{PwQPolynomial, columns_in};
use super::union_qpolynomial::UnionPwQPolynomial;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{Space, Tuples};
use crate::presburger::named::union_set::UnionSet;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Int;
use crate::presburger::number::ratio::Ratio;
use crate::presburger::solve::unknowns::Sense;
use std::collections::BTreeMap;
use std::fmt;

/// The greatest or the least of some polynomials on each of some disjoint sets of one space.
#[derive(Clone)]
pub struct PwQPolynomialFold {
    domain: Space,
    sense: Sense,
    /// `None` where no number bounds.
    pub(crate) pieces: Vec<(Set, Option<Vec<Polynomial>>)>,
}

impl PwQPolynomialFold {
    /// Pieces that are disjoint.
    pub(crate) fn of(domain: &Space, sense: Sense, pieces: Vec<(Set, Option<Vec<Polynomial>>)>) -> Self {
        let mut merged: Vec<(Set, Option<Vec<Polynomial>>)> = Vec::new();
        for (set, values) in pieces {
            match merged.iter_mut().find(|(_, known)| *known == values) {
                Some((all, _)) => *all = all.union(&set).coalesce(),
                None => merged.push((set, values)),
            }
        }
        PwQPolynomialFold { domain: domain.clone(), sense, pieces: merged }
    }

    /// The space of the elements that it is about. isl: `pw_qpolynomial_fold_get_domain_space`.
    pub fn domain_space(&self) -> &Space {
        &self.domain
    }

    /// Whether it is the greatest of its polynomials; else the least. isl: `pw_qpolynomial_fold_get_type`.
    pub fn is_greatest(&self) -> bool {
        self.sense == Sense::Maximum
    }

    /// Number of its pieces. isl: `pw_qpolynomial_fold_n_piece`.
    pub fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Where it has a piece. isl: `pw_qpolynomial_fold_domain`.
    pub fn domain(&self) -> Set {
        self.pieces.iter().fold(Set::empty(&self.domain), |all, (set, _)| all.union_disjoint(set))
    }

    /// Its value at the given values of parameters and dimensions; `None` outside its domain and where nothing bounds.
    /// isl: `pw_qpolynomial_fold_eval`.
    pub fn eval(&self, point: &[Int]) -> Option<Ratio> {
        let (_, values) = self.pieces.iter().find(|(set, _)| set.contains(point))?;
        let values = values.iter().flatten().map(|value| value.eval(point));
        if self.is_greatest() { values.max() } else { values.min() }
    }

    /// The parameters of `model`, in its order, before the others. isl: `pw_qpolynomial_fold_align_params`.
    pub fn align_params(&self, model: &Space) -> PwQPolynomialFold {
        let params = model.params_space().align_params(&self.domain);
        let domain = self.domain.with_params(params.params());
        if domain.has_equal_params(&self.domain) {
            return self.clone();
        }
        let columns = columns_in(&self.domain, &domain);
        let renamed = |values: &Vec<Polynomial>| values.iter().map(|value| value.renamed(&columns)).collect();
        let moved =
            |(set, values): &(Set, Option<Vec<Polynomial>>)| (set.align_params(&domain), values.as_ref().map(renamed));
        PwQPolynomialFold { pieces: self.pieces.iter().map(moved).collect(), sense: self.sense, domain }
    }

    /// As it is on a set of its domain, and nowhere else. isl: `pw_qpolynomial_fold_intersect_domain`.
    pub fn intersect_domain(&self, set: &Set) -> PwQPolynomialFold {
        let model = self.domain.align_params(set.space());
        let aligned = self.align_params(&model);
        let kept = aligned.pieces.into_iter().map(|(own, values)| (own.intersect(set), values));
        PwQPolynomialFold::of(&model, self.sense, kept.filter(|(set, _)| !set.is_empty()).collect())
    }

    /// The greater (or lesser) of both where both are, else the one that is. Of one space, both greatest or both least.
    /// isl: `pw_qpolynomial_fold_fold`.
    pub fn fold(&self, other: &PwQPolynomialFold) -> PwQPolynomialFold {
        let model = self.domain.align_params(&other.domain);
        let (a, b) = (self.align_params(&model), other.align_params(&model));
        let both = |x: &Option<Vec<Polynomial>>, y: &Option<Vec<Polynomial>>| {
            let (Some(x), Some(y)) = (x, y) else { return None };
            let new = y.iter().filter(|value| !x.contains(value)).cloned();
            Some(x.iter().cloned().chain(new).collect::<Vec<_>>())
        };
        let mut pieces: Vec<(Set, Option<Vec<Polynomial>>)> = Vec::new();
        for (set, values) in &a.pieces {
            let mut rest = set.clone();
            for (own, others) in &b.pieces {
                spend(1);
                pieces.push((set.intersect(own), both(values, others)));
                rest = rest.subtract(own);
            }
            pieces.push((rest, values.clone()));
        }
        let alone = a.domain();
        pieces.extend(b.pieces.iter().map(|(set, values)| (set.subtract(&alone), values.clone())));
        pieces.retain(|(set, _)| !set.is_empty());
        PwQPolynomialFold::of(&a.domain, self.sense, pieces)
    }
}

/// The greatest or the least of quasi-polynomials in several spaces.
#[derive(Clone)]
pub struct UnionPwQPolynomialFold {
    params: Space,
    parts: BTreeMap<Tuples, PwQPolynomialFold>,
}

impl UnionPwQPolynomialFold {
    /// Nowhere defined. isl: `union_pw_qpolynomial_fold_zero`.
    pub fn empty(params: &Space) -> UnionPwQPolynomialFold {
        UnionPwQPolynomialFold { params: params.params_space(), parts: BTreeMap::new() }
    }

    /// With one more part, folded with the one in its space. isl: `union_pw_qpolynomial_fold_fold_pw_qpolynomial_fold`.
    pub fn plus(&self, part: &PwQPolynomialFold) -> UnionPwQPolynomialFold {
        let params = self.params.align_params(part.domain_space()).params_space();
        let mut parts: BTreeMap<Tuples, PwQPolynomialFold> =
            self.parts.iter().map(|(key, own)| (key.clone(), own.align_params(&params))).collect();
        let key = part.domain_space().tuples().clone();
        let part = part.align_params(&params);
        let folded = parts.get(&key).map_or_else(|| part.clone(), |own| own.fold(&part));
        parts.insert(key, folded);
        UnionPwQPolynomialFold { params, parts }
    }

    /// The parts, one for each space. isl: `union_pw_qpolynomial_fold_foreach_pw_qpolynomial_fold`.
    pub fn parts(&self) -> impl Iterator<Item = &PwQPolynomialFold> + '_ {
        self.parts.values()
    }

    /// Their parameters. isl: `union_pw_qpolynomial_fold_get_space`.
    pub fn params_space(&self) -> &Space {
        &self.params
    }

    /// Where it has a piece. isl: `union_pw_qpolynomial_fold_domain`.
    pub fn domain(&self) -> UnionSet {
        self.parts.values().fold(UnionSet::empty(self.params.params()), |mut all, part| {
            all.add_set(&part.domain());
            all
        })
    }

    /// As it is on the set, and nowhere else. isl: `union_pw_qpolynomial_fold_intersect_domain`.
    pub fn intersect_domain(&self, sets: &UnionSet) -> UnionPwQPolynomialFold {
        let sets: Vec<Set> = sets.sets().collect();
        self.parts.values().fold(UnionPwQPolynomialFold::empty(&self.params), |all, part| {
            let own = sets.iter().find(|set| set.space().has_equal_tuples(part.domain_space()));
            own.map_or_else(|| all.clone(), |set| all.plus(&part.intersect_domain(set)))
        })
    }

    /// The number that it is at each element of the set, which must have at most `limit` elements, and a bound at each; 0 outside its domain.
    /// iscc: `@`.
    pub fn at(&self, set: &UnionSet, limit: usize) -> Option<UnionPwQPolynomial> {
        let mut values = UnionPwQPolynomial::zero(&self.params.align_params(&set.params_space()));
        for set in set.sets() {
            let fits = |part: &&PwQPolynomialFold| part.domain_space().has_equal_tuples(set.space());
            let Some(part) = self.parts.values().find(fits) else { continue };
            let space = set.space().align_params(part.domain_space());
            let (set, part) = (set.align_params(&space), part.align_params(&space));
            for point in set.points(limit)? {
                let fixed = set.fix_point(&point);
                match part.eval(&point) {
                    Some(value) => values = values.plus(&PwQPolynomial::constant_on(&fixed, &value)),
                    None if part.domain().contains(&point) => return None,
                    None => {}
                }
            }
        }
        Some(values)
    }
}

impl fmt::Debug for PwQPolynomialFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for UnionPwQPolynomialFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
