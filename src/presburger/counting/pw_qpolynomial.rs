//! Piecewise quasi-polynomials: numbers that depend on parameters and on elements, such as how many elements a set has.
//!
//! `card [n] -> { [i, j] : 0 <= i <= j < n }` is `[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }`: a polynomial on each of some disjoint
//! sets, and 0 outside. That of a relation has the relation's domain: `card { A[i] -> [j] : 0 <= j <= i }` is `{ A[i] -> (1 + i) : i >= 0 }`.
//! isl's name is `pw_qpolynomial`; the count itself is barvinok's `card`.

use super::polynomial::{Linear, Polynomial};
use super::summation::{Infinite, Part, counted, sum_from};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::{Constraint, ConstraintKind, Div};
use crate::presburger::named::map::{Map, law};
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Space, Tuples};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::ratio::Ratio;
use crate::presburger::solve::sample;

/// A polynomial on each of some disjoint sets of one space, 0 outside.
#[derive(Clone)]
pub struct PwQPolynomial {
    domain: Space,
    pieces: Vec<(Set, Polynomial)>,
}

impl PwQPolynomial {
    /// 0 everywhere; the space is that of a set, or of parameters. isl: `pw_qpolynomial_zero`.
    pub fn zero(domain: &Space) -> PwQPolynomial {
        PwQPolynomial { domain: domain.clone(), pieces: Vec::new() }
    }

    /// A number on a set. isl: `pw_qpolynomial_alloc` of `qpolynomial_val_on_domain`.
    pub fn constant_on(set: &Set, value: &Ratio) -> PwQPolynomial {
        PwQPolynomial::of(set.space(), vec![(set.clone(), Polynomial::constant(value.clone()))])
    }

    /// An expression on a set of its domain. isl: `pw_qpolynomial_from_pw_aff`.
    pub fn from_aff(set: &Set, aff: &Aff) -> PwQPolynomial {
        law(set.space().check_equal(aff.domain_space()));
        let space = set.space().align_params(aff.domain_space());
        let (set, aff) = (set.align_params(&space), aff.align_params(&space));
        let mut atoms: Vec<Linear> = (0..space.n_dim()).map(Linear::var).collect();
        let over = |row: &[Int], atoms: &[Linear]| {
            let mut form = Linear::constant(row[0].clone());
            row[1..].iter().zip(atoms).for_each(|(c, atom)| form.add_mul(atom, c));
            form
        };
        for div in aff.div_rows().rows() {
            atoms.push(over(&div[1..], &atoms).floor(&div[0]));
        }
        let scale = Ratio::new(Int::one(), aff.denominator().clone());
        let value = Polynomial::from_linear(&over(aff.numerator(), &atoms)).scale(&scale);
        PwQPolynomial::of(&space, vec![(set, value)])
    }

    /// A polynomial in the columns of the set's space, on the set.
    pub(crate) fn polynomial_on(set: &Set, value: Polynomial) -> PwQPolynomial {
        PwQPolynomial::of(set.space(), vec![(set.clone(), value)])
    }

    /// Pieces that are disjoint.
    fn of(domain: &Space, pieces: Vec<(Set, Polynomial)>) -> PwQPolynomial {
        let pieces = pieces.into_iter().filter(|(set, value)| !value.is_zero() && !set.plain_is_empty()).collect();
        PwQPolynomial { domain: domain.clone(), pieces }
    }

    /// The space of the elements that it is about. isl: `pw_qpolynomial_get_domain_space`.
    pub fn domain_space(&self) -> &Space {
        &self.domain
    }

    pub(crate) fn pieces(&self) -> &[(Set, Polynomial)] {
        &self.pieces
    }

    /// Number of its pieces. isl: `pw_qpolynomial_n_piece`.
    pub fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Whether it is 0 everywhere, as written. isl: `pw_qpolynomial_is_zero`.
    pub fn is_zero(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Where it has a piece (elsewhere it is 0). isl: `pw_qpolynomial_domain`.
    pub fn domain(&self) -> Set {
        self.pieces.iter().fold(Set::empty(&self.domain), |all, (set, _)| all.union_disjoint(set))
    }

    /// Its value at the given values of parameters and dimensions. isl: `pw_qpolynomial_eval`.
    pub fn eval(&self, point: &[Int]) -> Ratio {
        let piece = self.pieces.iter().find(|(set, _)| set.contains(point));
        piece.map_or_else(Ratio::zero, |(_, value)| value.eval(point))
    }

    /// The parameters of `model`, in its order, before the others. isl: `pw_qpolynomial_align_params`.
    pub fn align_params(&self, model: &Space) -> PwQPolynomial {
        let domain = model.params_space().align_params(&self.domain);
        let domain = self.domain.with_params(domain.params());
        if domain.has_equal_params(&self.domain) {
            return self.clone();
        }
        let columns = columns_in(&self.domain, &domain);
        let moved = |(set, value): &(Set, Polynomial)| (set.align_params(&domain), value.renamed(&columns));
        PwQPolynomial { pieces: self.pieces.iter().map(moved).collect(), domain }
    }

    fn aligned(&self, other: &PwQPolynomial) -> (PwQPolynomial, PwQPolynomial) {
        law(self.domain.check_equal(&other.domain));
        let model = self.domain.align_params(&other.domain);
        (self.align_params(&model), other.align_params(&model))
    }

    /// The sum at each element; one domain space. isl: `pw_qpolynomial_add`.
    pub fn add(&self, other: &PwQPolynomial) -> PwQPolynomial {
        let (a, b) = self.aligned(other);
        b.pieces.iter().fold(a, |sum, (set, value)| sum.plus(set, value)).merged()
    }

    /// The difference at each element. isl: `pw_qpolynomial_sub`.
    pub fn sub(&self, other: &PwQPolynomial) -> PwQPolynomial {
        self.add(&other.scale(&Ratio::integer(Int::from(-1))))
    }

    /// The product at each element; one domain space. isl: `pw_qpolynomial_mul`.
    pub fn mul(&self, other: &PwQPolynomial) -> PwQPolynomial {
        let (a, b) = self.aligned(other);
        let pairs = a.pieces.iter().flat_map(|x| b.pieces.iter().map(move |y| (x, y)));
        let products = pairs.map(|((s, p), (t, q))| (s.intersect(t), p.mul(q)));
        PwQPolynomial::of(&a.domain, products.filter(|(set, _)| !set.is_empty()).collect()).merged()
    }

    /// A multiple. isl: `pw_qpolynomial_scale_val`.
    pub fn scale(&self, factor: &Ratio) -> PwQPolynomial {
        let scaled = self.pieces.iter().map(|(set, value)| (set.clone(), value.scale(factor)));
        PwQPolynomial::of(&self.domain, scaled.collect())
    }

    /// As it is on a set, and 0 outside. isl: `pw_qpolynomial_intersect_domain`.
    pub fn intersect_domain(&self, set: &Set) -> PwQPolynomial {
        let model = self.domain.align_params(set.space());
        let aligned = self.align_params(&model);
        let kept = aligned.pieces.iter().map(|(own, value)| (own.intersect(set), value.clone()));
        PwQPolynomial::of(&model, kept.filter(|(set, _)| !set.is_empty()).collect())
    }

    /// As it is for the parameters in a parameter set, and 0 elsewhere. isl: `pw_qpolynomial_intersect_params`.
    pub fn intersect_params(&self, params: &Set) -> PwQPolynomial {
        let model = self.domain.align_params(params.space());
        let aligned = self.align_params(&model);
        let kept = aligned.pieces.iter().map(|(own, value)| (own.intersect_params(params), value.clone()));
        PwQPolynomial::of(&model, kept.filter(|(set, _)| !set.is_empty()).collect())
    }

    /// Equal to it within a set of its domain, with simpler pieces. isl: `pw_qpolynomial_gist`.
    pub fn gist(&self, context: &Set) -> PwQPolynomial {
        let within = self.intersect_domain(context);
        let pieces = within.pieces.iter().map(|(set, value)| (set.gist(context), value.clone())).collect();
        PwQPolynomial::of(&within.domain, pieces)
    }

    /// Whether the values are equal everywhere; one domain space. `None` where the forms differ and no point tells them apart.
    /// isl: `pw_qpolynomial_plain_is_equal`, which only compares texts.
    pub fn is_equal(&self, other: &PwQPolynomial) -> Option<bool> {
        let difference = self.sub(other);
        let known: Vec<_> = difference.pieces.iter().map(|(set, value)| vanishes(set, value)).collect();
        match known.contains(&Some(false)) {
            true => Some(false),
            false => (!known.contains(&None)).then_some(true),
        }
    }

    /// The sum of its values over the elements, as a function of the parameters. isl: `pw_qpolynomial_sum`.
    pub fn sum(&self) -> Result<PwQPolynomial, Infinite> {
        if self.domain.is_params() {
            return Ok(self.clone());
        }
        let first = self.domain.params().len();
        let mut parts = Vec::new();
        for (set, value) in &self.pieces {
            for domain in disjoint(&set.0) {
                parts.extend(sum_from(Part { domain, value: value.clone() }, first)?);
            }
        }
        Ok(PwQPolynomial::total(&self.domain.params_space(), parts))
    }

    /// `{ x -> sum of f(y) for x -> y in map }`: the sum over the images of each domain element. The map's range is the domain of the
    /// function. isl: `map_apply_pw_qpolynomial`.
    pub fn sum_over(&self, map: &Map) -> Result<PwQPolynomial, Infinite> {
        law(map.range().space().check_equal(&self.domain));
        let model = map.space().align_params(&self.domain);
        let (map, function) = (map.align_params(&model), self.align_params(&model));
        let (n_param, first) = (map.dim(DimKind::Param), map.space().offset(DimKind::Out));
        let columns: Vec<usize> = (0..n_param).chain(first..map.space().n_dim()).collect();
        let mut parts = Vec::new();
        for (set, value) in &function.pieces {
            for domain in disjoint(&map.intersect_range(set)) {
                parts.extend(sum_from(Part { domain, value: value.renamed(&columns) }, first)?);
            }
        }
        Ok(PwQPolynomial::total(&map.space().domain(), parts))
    }

    /// The sum of parts that may overlap.
    fn total(domain: &Space, parts: Vec<Part>) -> PwQPolynomial {
        let mut grouped: Vec<(Set, Polynomial)> = Vec::new();
        for part in parts {
            let set = Set(Map::from_conjunctions(domain, vec![part.domain]));
            match grouped.iter_mut().find(|(known, _)| known.plain_is_equal(&set)) {
                Some((_, value)) => *value = value.add(&part.value),
                None => grouped.push((set, part.value)),
            }
        }
        PwQPolynomial::sum_of(domain, &grouped).shortened().merged().absorbed()
    }

    /// The sum of pieces that may overlap: of the sums of both halves, so that few pieces meet few others for long.
    fn sum_of(domain: &Space, pieces: &[(Set, Polynomial)]) -> PwQPolynomial {
        if pieces.len() < 2 {
            return PwQPolynomial::of(domain, pieces.to_vec());
        }
        let (left, right) = pieces.split_at(pieces.len() / 2);
        let (left, right) = (PwQPolynomial::sum_of(domain, left), PwQPolynomial::sum_of(domain, right));
        right.pieces.iter().fold(left, |sum, (set, value)| sum.plus(set, value)).merged()
    }

    /// With each piece that is one point within another one, if that has the same value there.
    fn absorbed(&self) -> PwQPolynomial {
        let (points, mut pieces): (Vec<_>, Vec<_>) =
            self.pieces.iter().cloned().partition(|(set, _)| only_point(set).is_some());
        for (set, value) in points {
            let point = only_point(&set).unwrap_or_default();
            let number = value.eval(&point);
            match pieces.iter_mut().find(|(_, other)| other.eval(&point) == number) {
                Some((all, _)) => *all = all.union(&set).coalesce(),
                None => pieces.push((set, Polynomial::constant(number))),
            }
        }
        PwQPolynomial::of(&self.domain, pieces)
    }

    /// With pieces by remainders where these have shorter polynomials: sums over strides leave many floors of one variable.
    fn shortened(&self) -> PwQPolynomial {
        let pieces = self.pieces.iter().flat_map(|piece| {
            let length = |value: &Polynomial| value.terms.len() + 1;
            let classes = split_by_classes(piece, 0);
            let shorter = classes.iter().map(|(_, value)| length(value)).sum::<usize>() < length(&piece.1);
            if shorter { classes } else { vec![piece.clone()] }
        });
        PwQPolynomial::of(&self.domain, pieces.collect())
    }

    /// With a polynomial added on a set.
    fn plus(&self, set: &Set, value: &Polynomial) -> PwQPolynomial {
        let mut left = set.clone();
        let mut pieces = Vec::new();
        for (own, known) in &self.pieces {
            let common = own.intersect(set);
            if common.is_empty() {
                pieces.push((own.clone(), known.clone()));
                continue;
            }
            let rest = own.subtract(set);
            if !rest.is_empty() {
                pieces.push((rest.coalesce(), known.clone()));
            }
            left = left.subtract(own);
            pieces.push((common, known.add(value)));
        }
        if !left.is_empty() {
            pieces.push((left.coalesce(), value.clone()));
        }
        PwQPolynomial::of(&self.domain, pieces)
    }

    /// Pieces with one polynomial made one. isl: `pw_qpolynomial_coalesce`.
    fn merged(&self) -> PwQPolynomial {
        let mut pieces: Vec<(Set, Polynomial)> = Vec::new();
        for (set, value) in &self.pieces {
            match pieces.iter_mut().find(|(_, known)| known == value) {
                Some((all, _)) => *all = all.union(set),
                None => pieces.push((set.clone(), value.clone())),
            }
        }
        pieces.iter_mut().for_each(|(set, _)| *set = set.coalesce());
        PwQPolynomial::of(&self.domain, pieces)
    }
}

/// Points at which a polynomial is tried: more than the sets of most questions have, and little work.
const MOST_TRIED: usize = 1000;

/// Largest number at which a polynomial is tried where a set has too many points.
const FARTHEST_TRIED: i64 = 12;

/// Whether the polynomial, which is not 0 as written, is 0 at all points of the set.
fn vanishes(set: &Set, value: &Polynomial) -> Option<bool> {
    let zero_at_all = |points: &Vec<Vec<Int>>| points.iter().all(|point| value.eval(point).is_zero());
    if let Some(points) = set.points(MOST_TRIED) {
        return Some(zero_at_all(&points));
    }
    let (low, high) = (Int::from(-FARTHEST_TRIED), Int::from(FARTHEST_TRIED));
    let kinds = [DimKind::Param, DimKind::Out].into_iter().flat_map(|kind| (0..set.dim(kind)).map(move |d| (kind, d)));
    let near = kinds.fold(set.clone(), |near, (kind, d)| near.lower_bound(kind, d, &low).upper_bound(kind, d, &high));
    let point = near.sample();
    let found = near.points(MOST_TRIED).or_else(|| point.map(|point| vec![point]));
    found.and_then(|points| (!zero_at_all(&points)).then_some(false))
}

/// The values of all variables, if equalities give them.
fn only_point(set: &Set) -> Option<Vec<Int>> {
    let n = set.space().n_dim();
    let [piece] = &set.pieces()[..] else { return None };
    let mut point: Vec<Option<Int>> = vec![None; n];
    for row in piece.constraints().iter().filter(|row| row.kind == ConstraintKind::Equality) {
        let mut used = (0..row.coefficients.len()).filter(|&v| !row.coefficients[v].is_zero());
        if let (Some(v), None) = (used.next(), used.next())
            && v < n
            && row.coefficients[v].abs().is_one()
        {
            point[v] = Some(row.constant.neg().mul(&row.coefficients[v]));
        }
    }
    point.into_iter().collect()
}

/// Where the columns of a space are in one that has more parameters.
pub(crate) fn columns_in(own: &Space, aligned: &Space) -> Vec<usize> {
    let params = own.params();
    let param = |p: usize| aligned.find_param(params[p].as_str()).expect("law: alignment keeps parameters");
    let shift = aligned.params().len();
    (0..params.len()).map(param).chain((0..own.n_dim() - params.len()).map(|d| shift + d)).collect()
}

/// The piece, split by the remainders of all variables from `first` on under floors; as it is if these are too many.
pub(crate) fn split_by_classes(piece: &(Set, Polynomial), first: usize) -> Vec<(Set, Polynomial)> {
    /// Pieces that one piece may become: as many as a reader may take in.
    const MOST_CLASSES: usize = 36;
    let mut classes = vec![piece.clone()];
    for v in first..piece.0.space().n_dim() {
        let mut split = Vec::new();
        for (set, value) in &classes {
            let period = value.period(v);
            let Some(n) = period.to_i64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= MOST_CLASSES) else {
                return vec![piece.clone()];
            };
            if n == 1 {
                split.push((set.clone(), value.clone()));
                continue;
            }
            for r in (0..n).map(|r| Int::from(r as i64)) {
                let class = set.intersect(&class(set.space(), v, &period, &r));
                if !class.is_empty() {
                    split.push((class, value.in_class(v, &period, &r)));
                }
            }
        }
        classes = split;
        if classes.len() > MOST_CLASSES {
            return vec![piece.clone()];
        }
    }
    classes
}

/// The points whose variable `v` has remainder `r`.
fn class(space: &Space, v: usize, period: &Int, r: &Int) -> Set {
    let n = space.n_dim();
    let unit = |column: usize, value: Int, width: usize| {
        let mut row = vec![Int::zero(); width];
        row[column] = value;
        row
    };
    let quotient = Div { denominator: period.clone(), constant: Int::zero(), coefficients: unit(v, Int::one(), n) };
    let mut coefficients = unit(v, Int::one(), n + 1);
    coefficients[n] = period.neg();
    let equality = Constraint { kind: ConstraintKind::Equality, constant: r.neg(), coefficients };
    Set(Map::from_rows(space, &[Some(quotient)], &[equality]))
}

/// Disjoint conjunctions of the same points.
fn disjoint(map: &Map) -> Vec<Conjunction<Int>> {
    let pieces = map.make_disjoint().pieces;
    pieces.wide().to_vec()
}

/// Conjunctions, each counting once or minus once, in which every point of the union counts once in all: `A + B - A * B`, and so on. Where too
/// many of them meet, the union is cut into disjoint ones instead, which have more faces.
fn signed(map: &Map) -> Vec<(Conjunction<Int>, Ratio)> {
    /// Intersections of pieces that are counted at most.
    const MOST_TERMS: usize = 32;
    let pieces = map.pieces.wide().to_vec();
    let minus = Ratio::integer(Int::from(-1));
    let mut terms: Vec<(Conjunction<Int>, Ratio)> = Vec::new();
    for piece in &pieces {
        for t in 0..terms.len() {
            let common = terms[t].0.conjoin(piece).simplified();
            if !common.known_empty && !sample::is_empty(&common) {
                terms.push((common, terms[t].1.mul(&minus)));
            }
        }
        terms.push((piece.clone(), Ratio::one()));
        if terms.len() > MOST_TERMS {
            return disjoint(map).into_iter().map(|part| (part, Ratio::one())).collect();
        }
    }
    terms
}

impl Map {
    /// The number of images of each domain element; of a set, the number of its elements. Exact, as a function of the domain and the
    /// parameters; an error where some element has infinitely many. barvinok: `map_card`.
    pub fn card(&self) -> Result<PwQPolynomial, Infinite> {
        let first = self.space().offset(DimKind::Out);
        let domain = match self.space().tuples() {
            Tuples::Map(..) => self.space().domain(),
            _ => self.space().params_space(),
        };
        let mut parts = Vec::new();
        for (conj, sign) in signed(self) {
            let sign = Polynomial::constant(sign);
            match counted(&conj, first) {
                Some(part) => parts.push(Part { value: part.value.mul(&sign), ..part }),
                None => parts.extend(sum_from(Part { domain: conj, value: sign }, first)?),
            }
        }
        Ok(PwQPolynomial::total(&domain, parts))
    }
}

impl Set {
    /// The number of its elements as a function of the parameters. barvinok: `set_card`.
    pub fn card(&self) -> Result<PwQPolynomial, Infinite> {
        self.0.card()
    }
}

#[cfg(test)]
mod tests;
