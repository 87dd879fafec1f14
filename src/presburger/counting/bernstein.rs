//! Polynomials over the generators of a polyhedron: Bernstein's coefficients.
//!
//! On the segment from 0 to `n` a point is `i = 0 a + n b` with `a, b >= 0` and `a + b = 1`, so that
//! `n i - i^2 = n^2 b (a + b) - n^2 b^2 = n^2/2 (2 a b)`: a sum of the products `a^2`, `2 a b` and `b^2` with the coefficients `0`, `n^2/2` and `0`. The products
//! are not negative and add up to `(a + b)^2 = 1`, so that each value is a mean of the coefficients, and lies between the least
//! and the greatest of them; those of `a^2` and `b^2` are the values at the ends (Bernstein; Clauss and Tchoupaeva, "A symbolic approach to Bernstein
//! expansion for program analysis and optimization", 2004). Rays get weights that nothing holds: `i = 3 a + m` for `i >= 3`; a polynomial of which no coefficient
//! with an `m` is positive is bounded by those without.

use super::polynomial::{Atom, Linear, Monomial, Polynomial};
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::ratio::Ratio;
use std::collections::BTreeMap;

/// Exponents of some weights.
pub(crate) type Exponents = Vec<u32>;

/// Points and rays, by the value of each coordinate as a polynomial in what is not a coordinate.
pub(crate) struct Frame {
    /// The column of the first coordinate, and their number.
    pub first: usize,
    pub n: usize,
    pub points: Vec<Vec<Polynomial>>,
    pub rays: Vec<Vec<Int>>,
}

/// For each product of ray weights, Bernstein's coefficients in the point weights: all of one degree, also those that are 0.
pub(crate) type Expansion = BTreeMap<Exponents, BTreeMap<Exponents, Polynomial>>;

impl Frame {
    /// The polynomial, which has no floors of coordinates, over the weights of the points and the rays.
    pub fn expand(&self, value: &Polynomial) -> Expansion {
        let weights = self.first + self.n;
        let mut all = value.clone();
        for v in (0..self.n).rev() {
            let at = |p: usize| Polynomial::from_linear(&Linear::var(weights + p)).mul(&self.points[p][v]);
            let along = |r: usize| Linear::var(weights + self.points.len() + r).scaled(&self.rays[r][v]);
            let start = (0..self.points.len()).fold(Polynomial::zero(), |sum, p| sum.add(&at(p)));
            let place = (0..self.rays.len()).fold(start, |sum, r| sum.add(&Polynomial::from_linear(&along(r))));
            let powers = all.by_power_of(self.first + v);
            all = powers.iter().rev().fold(Polynomial::zero(), |sum, power| {
                spend((1 + sum.terms.len() * place.terms.len()) as u64);
                sum.mul(&place).add(power)
            });
        }
        let mut grouped = self.grouped(&all);
        grouped.entry(vec![0; self.rays.len()]).or_default();
        grouped.into_iter().map(|(rays, terms)| (rays, self.of_one_degree(terms))).collect()
    }

    /// The terms by their powers of ray weights and of point weights.
    fn grouped(&self, value: &Polynomial) -> Expansion {
        let (weights, n_point) = (self.first + self.n, self.points.len());
        let mut grouped = Expansion::new();
        for (monomial, coefficient) in &value.terms {
            let (mut points, mut rays) = (vec![0; n_point], vec![0; self.rays.len()]);
            let mut rest: Monomial = Vec::new();
            for (atom, exponent) in monomial {
                match atom {
                    Atom::Var(v) if *v >= weights + n_point => rays[v - weights - n_point] = *exponent,
                    Atom::Var(v) if *v >= weights => points[v - weights] = *exponent,
                    _ => rest.push((atom.clone(), *exponent)),
                }
            }
            let term = Polynomial { terms: BTreeMap::from([(rest, coefficient.clone())]) };
            let sum = grouped.entry(rays).or_default().entry(points).or_insert_with(Polynomial::zero);
            *sum = sum.add(&term);
        }
        grouped
    }

    /// The coefficients of Bernstein's products of the greatest degree: each term times a power of the sum of the weights, which is 1.
    fn of_one_degree(&self, terms: BTreeMap<Exponents, Polynomial>) -> BTreeMap<Exponents, Polynomial> {
        let n = self.points.len();
        let degree = terms.keys().map(|e| e.iter().sum()).max().unwrap_or(0);
        let mut result: BTreeMap<Exponents, Polynomial> =
            products(n, degree).into_iter().map(|e| (e, Polynomial::zero())).collect();
        for (exponents, value) in terms {
            for more in products(n, degree - exponents.iter().sum::<u32>()) {
                spend(1 + value.terms.len() as u64);
                let whole: Exponents = exponents.iter().zip(&more).map(|(a, b)| a + b).collect();
                let factor = Ratio::new(multinomial(&more), multinomial(&whole));
                let sum = result.entry(whole).or_insert_with(Polynomial::zero);
                *sum = sum.add(&value.scale(&factor));
            }
        }
        result
    }
}

/// All exponents of `n` weights that add up to `degree`.
fn products(n: usize, degree: u32) -> Vec<Exponents> {
    if n == 0 {
        return if degree == 0 { vec![Vec::new()] } else { Vec::new() };
    }
    let mut all = Vec::new();
    for last in 0..=degree {
        for mut rest in products(n - 1, degree - last) {
            spend(1);
            rest.push(last);
            all.push(rest);
        }
    }
    all
}

/// In how many orders the factors of the product can be written.
fn multinomial(exponents: &[u32]) -> Int {
    let (mut count, mut total) = (Int::one(), 0i64);
    for &exponent in exponents {
        for k in 1..=i64::from(exponent) {
            total += 1;
            count = count.mul(&Int::from(total)).div_exact(&Int::from(k));
        }
    }
    count
}

/// The coordinates of points and rays of a polyhedron, `[1 or more | x]` and `[0 | x]`, as a frame of `n` coordinates from column 0 on.
pub(crate) fn frame_of(n: usize, rays: &[Vec<Int>], lines: &[Vec<Int>]) -> Frame {
    let negative = |row: &Vec<Int>| row[1..=n].iter().map(Number::neg).collect::<Vec<_>>();
    let constant = |x: &Int, by: &Int| Polynomial::constant(Ratio::new(x.clone(), by.clone()));
    let (points, directions): (Vec<_>, Vec<_>) = rays.iter().partition(|row| row[0].is_positive());
    let both = lines.iter().flat_map(|row| [row[1..=n].to_vec(), negative(row)]);
    Frame {
        first: 0,
        n,
        points: points.iter().map(|row| row[1..=n].iter().map(|x| constant(x, &row[0])).collect()).collect(),
        rays: directions.iter().map(|row| row[1..=n].to_vec()).chain(both).collect(),
    }
}

/// Whether a polynomial in variables alone is surely not negative on what the frame generates: none of its coefficients is.
pub(crate) fn never_negative(value: &Polynomial, frame: &Frame) -> bool {
    let mut plain = true;
    value.floors(&mut |_| plain = false);
    let number = |value: &Polynomial| value.terms.values().next().cloned().unwrap_or_else(Ratio::zero);
    if value.terms.keys().all(Monomial::is_empty) {
        return number(value) >= Ratio::zero();
    }
    plain && frame.expand(value).values().flat_map(BTreeMap::values).all(|c| number(c) >= Ratio::zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(v: usize) -> Polynomial {
        Polynomial::from_linear(&Linear::var(v))
    }

    #[test]
    fn a_parabola_on_a_segment() {
        // Column 0 is n, column 1 is i, from 0 to n.
        let frame = Frame { first: 1, n: 1, points: vec![vec![Polynomial::zero()], vec![var(0)]], rays: Vec::new() };
        let value = var(0).mul(&var(1)).sub(&var(1).pow(2));
        let expansion = frame.expand(&value);
        let coefficients = &expansion[&Vec::new()];
        let half = Ratio::new(Int::one(), Int::from(2));
        assert_eq!(coefficients[&vec![1, 1]], var(0).pow(2).scale(&half));
        assert!(coefficients[&vec![2, 0]].is_zero() && coefficients[&vec![0, 2]].is_zero());
    }

    #[test]
    fn what_is_never_negative_on_a_ray() {
        let from = |low: i64| frame_of(1, &[vec![Int::one(), Int::from(low)], vec![Int::zero(), Int::one()]], &[]);
        let value = var(0).pow(2).sub(&var(0));
        assert!(never_negative(&value, &from(1)) && !never_negative(&value, &from(0)));
        assert!(!never_negative(&var(0).scale(&Ratio::integer(Int::from(-1))), &from(0)));
    }

    #[test]
    fn products_and_their_numbers() {
        assert_eq!(products(3, 2).len(), 6);
        assert_eq!(products(0, 0).len(), 1);
        assert_eq!(multinomial(&[2, 1, 1]), Int::from(12));
    }
}
