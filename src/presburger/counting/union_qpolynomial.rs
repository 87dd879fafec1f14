//! Piecewise quasi-polynomials in several spaces.
//!
//! `card { A[i] -> [j] : 0 <= j <= i; B[] -> [7] }` is `{ A[i] -> (1 + i) : i >= 0; B[] -> 1 }`: one function for each space, and 0 in all others. Each
//! operation is that of [`PwQPolynomial`] on the spaces that fit.

use super::polynomial::Monomial;
use super::pw_qpolynomial::PwQPolynomial;
use super::summation::Infinite;
use crate::presburger::named::map::Map;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{Space, Tuples};
use crate::presburger::named::union_map::UnionMap;
use crate::presburger::named::union_set::UnionSet;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::ratio::Ratio;
use std::collections::BTreeMap;

/// Piecewise quasi-polynomials in several spaces; one in each.
#[derive(Clone)]
pub struct UnionPwQPolynomial {
    params: Space,
    parts: BTreeMap<Tuples, PwQPolynomial>,
}

impl UnionPwQPolynomial {
    /// 0 everywhere. isl: `union_pw_qpolynomial_zero`.
    pub fn zero(params: &Space) -> UnionPwQPolynomial {
        UnionPwQPolynomial { params: params.params_space(), parts: BTreeMap::new() }
    }

    /// The parts, one for each space, in the order of spaces. isl: `union_pw_qpolynomial_foreach_pw_qpolynomial`.
    pub fn parts(&self) -> impl Iterator<Item = &PwQPolynomial> + '_ {
        self.parts.values()
    }

    /// Their parameters. isl: `union_pw_qpolynomial_get_space`.
    pub fn params_space(&self) -> &Space {
        &self.params
    }

    /// With one more part added. isl: `union_pw_qpolynomial_add_pw_qpolynomial`.
    pub fn plus(&self, part: &PwQPolynomial) -> UnionPwQPolynomial {
        let params = self.params.align_params(part.domain_space()).params_space();
        let mut parts: BTreeMap<Tuples, PwQPolynomial> =
            self.parts.iter().map(|(key, own)| (key.clone(), own.align_params(&params))).collect();
        let key = part.domain_space().tuples().clone();
        let sum = parts.get(&key).map_or_else(|| part.align_params(&params), |own| own.add(part));
        if sum.is_zero() {
            parts.remove(&key);
        } else {
            parts.insert(key, sum);
        }
        UnionPwQPolynomial { params, parts }
    }

    fn gathered<'a>(params: &Space, parts: impl IntoIterator<Item = PwQPolynomial> + 'a) -> UnionPwQPolynomial {
        parts.into_iter().fold(UnionPwQPolynomial::zero(params), |all, part| all.plus(&part))
    }

    /// The sum at each element. isl: `union_pw_qpolynomial_add`.
    pub fn add(&self, other: &UnionPwQPolynomial) -> UnionPwQPolynomial {
        let start = self.plus(&PwQPolynomial::zero(&other.params));
        other.parts.values().fold(start, |all, part| all.plus(part))
    }

    /// The difference at each element. isl: `union_pw_qpolynomial_sub`.
    pub fn sub(&self, other: &UnionPwQPolynomial) -> UnionPwQPolynomial {
        self.add(&other.scale(&Ratio::integer(Int::from(-1))))
    }

    /// The product at each element: 0 outside the spaces of both. isl: `union_pw_qpolynomial_mul`.
    pub fn mul(&self, other: &UnionPwQPolynomial) -> UnionPwQPolynomial {
        let common = self.parts.iter().filter_map(|(key, a)| Some(a.mul(other.parts.get(key)?)));
        UnionPwQPolynomial::gathered(&self.params, common.collect::<Vec<_>>())
    }

    /// A multiple. isl: `union_pw_qpolynomial_scale_val`.
    pub fn scale(&self, factor: &Ratio) -> UnionPwQPolynomial {
        UnionPwQPolynomial::gathered(&self.params, self.parts.values().map(|part| part.scale(factor)))
    }

    /// As it is on the set, and 0 outside. isl: `union_pw_qpolynomial_intersect_domain`.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionPwQPolynomial {
        self.within(domain, PwQPolynomial::intersect_domain)
    }

    /// Equal to it within the set. isl: `union_pw_qpolynomial_gist`.
    pub fn gist(&self, context: &UnionSet) -> UnionPwQPolynomial {
        self.within(context, PwQPolynomial::gist)
    }

    fn within(&self, sets: &UnionSet, f: impl Fn(&PwQPolynomial, &Set) -> PwQPolynomial) -> UnionPwQPolynomial {
        let sets: Vec<Set> = sets.sets().collect();
        let met = self.parts.values().flat_map(|part| {
            let fits = |set: &&Set| set.space().has_equal_tuples(part.domain_space());
            sets.iter().filter(fits).map(|set| f(part, set)).collect::<Vec<_>>()
        });
        UnionPwQPolynomial::gathered(&self.params, met.collect::<Vec<_>>())
    }

    /// Where it has a piece. isl: `union_pw_qpolynomial_domain`.
    pub fn domain(&self) -> UnionSet {
        self.parts.values().fold(UnionSet::empty(self.params.params()), |mut all, part| {
            all.add_set(&part.domain());
            all
        })
    }

    /// The sum of its values over all elements. iscc: `sum`.
    pub fn sum(&self) -> Result<UnionPwQPolynomial, Infinite> {
        let sums = self.parts.values().map(PwQPolynomial::sum).collect::<Result<Vec<_>, _>>()?;
        Ok(UnionPwQPolynomial::gathered(&self.params, sums))
    }

    /// `{ x -> sum of f(y) for x -> y in map }`, space by space. isl: `union_map_apply_union_pw_qpolynomial`, iscc: `R . f`, `f(R)`.
    pub fn sum_over(&self, map: &UnionMap) -> Result<UnionPwQPolynomial, Infinite> {
        let params = self.params.align_params(&map.params_space());
        let mut sums = Vec::new();
        for (map, part) in map.maps().flat_map(|map| self.parts.values().map(move |part| (map, part))) {
            if map.range().space().has_equal_tuples(part.domain_space()) {
                sums.push(part.sum_over(map)?);
            }
        }
        Ok(UnionPwQPolynomial::gathered(&params, sums))
    }

    /// Whether the values are equal everywhere; `None` as in [`PwQPolynomial::is_equal`].
    /// isl: `union_pw_qpolynomial_plain_is_equal`, which only compares texts.
    pub fn is_equal(&self, other: &UnionPwQPolynomial) -> Option<bool> {
        let difference = self.sub(other);
        let mut unknown = false;
        for part in difference.parts.values() {
            match part.is_equal(&PwQPolynomial::zero(part.domain_space())) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => unknown = true,
            }
        }
        (!unknown).then_some(true)
    }

    /// The number that it has at each element of the set, which must have at most `limit` elements. iscc: `@`.
    pub fn at(&self, set: &UnionSet, limit: usize) -> Option<UnionPwQPolynomial> {
        let mut values = UnionPwQPolynomial::zero(&self.params.align_params(&set.params_space()));
        for set in set.sets() {
            let fits = |part: &&PwQPolynomial| part.domain_space().has_equal_tuples(set.space());
            let Some(part) = self.parts.values().find(fits) else { continue };
            let space = set.space().align_params(part.domain_space());
            let (set, part) = (set.align_params(&space), part.align_params(&space));
            for point in set.points(limit)? {
                let fixed = set.fix_point(&point);
                values = values.plus(&PwQPolynomial::constant_on(&fixed, &part.eval(&point)));
            }
        }
        Some(values)
    }

    /// Its value, if that is one number whatever the parameters and it is about nothing else. isl has none.
    pub fn as_number(&self) -> Option<Ratio> {
        let Some(part) = self.parts.values().next() else { return Some(Ratio::zero()) };
        match (part.pieces(), self.parts.len(), part.domain_space().is_params()) {
            ([(set, value)], 1, true) if set.plain_is_universe() && value.terms.keys().all(Monomial::is_empty) => {
                Some(value.eval(&vec![Int::zero(); part.domain_space().n_dim()]))
            }
            _ => None,
        }
    }
}

impl UnionMap {
    /// The number of images of each domain element. barvinok: `union_map_card`.
    pub fn card(&self) -> Result<UnionPwQPolynomial, Infinite> {
        let counts = self.maps().map(Map::card).collect::<Result<Vec<_>, _>>()?;
        Ok(UnionPwQPolynomial::gathered(&self.params_space(), counts))
    }
}

impl UnionSet {
    /// The number of its elements. barvinok: `union_set_card`.
    pub fn card(&self) -> Result<UnionPwQPolynomial, Infinite> {
        self.0.card()
    }
}
