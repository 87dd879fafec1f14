//! Quasi-polynomials: polynomials in variables and in floors of them, with rational coefficients.
//!
//! The number of even `i` with `0 <= i < n` is `floor((n + 1) / 2)`, the number of pairs of them `floor((n + 1) / 2)^2`. A *linear form*
//! `2 n + 3 floor((n + 1) / 2) - 1` has integer coefficients over *atoms*, which are variables (columns of a space) and floors of
//! linear forms; a polynomial is a sum of products of atoms. Floors are values, not columns of a table, so a substitution needs no
//! renumbering, and they have one form: `floor((5 n + 7) / 3)` is `n + 2 + floor((2 n + 1) / 3)`.

use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::ratio::Ratio;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A variable or a floor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    /// Column `v` of a space, parameters first.
    Var(usize),
    /// `floor(form / denominator)`.
    Floor(Rc<Floor>),
}

/// `floor(form / denominator)`, with coefficients in `0..denominator`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Floor {
    pub form: Linear,
    pub denominator: Int,
}

/// An integer combination of atoms, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Linear {
    pub terms: BTreeMap<Atom, Int>,
    pub constant: Int,
}

impl Linear {
    pub fn constant(value: Int) -> Linear {
        Linear { terms: BTreeMap::new(), constant: value }
    }

    pub fn var(v: usize) -> Linear {
        Linear::atom(Atom::Var(v))
    }

    pub fn atom(atom: Atom) -> Linear {
        Linear { terms: BTreeMap::from([(atom, Int::one())]), constant: Int::zero() }
    }

    /// `self += factor * other`
    pub fn add_mul(&mut self, other: &Linear, factor: &Int) {
        self.constant.add_mul(&other.constant, factor);
        for (atom, coefficient) in &other.terms {
            let sum = self.terms.entry(atom.clone()).or_insert_with(Int::zero);
            sum.add_mul(coefficient, factor);
            if sum.is_zero() {
                self.terms.remove(atom);
            }
        }
    }

    pub fn scaled(&self, factor: &Int) -> Linear {
        let mut result = Linear::constant(Int::zero());
        result.add_mul(self, factor);
        result
    }

    pub fn sub(&self, other: &Linear) -> Linear {
        let mut result = self.clone();
        result.add_mul(other, &Int::from(-1));
        result
    }

    pub fn plus(&self, value: i64) -> Linear {
        Linear { terms: self.terms.clone(), constant: self.constant.add(&Int::from(value)) }
    }

    /// `floor(self / denominator)` for a positive denominator, in its one form.
    pub fn floor(&self, denominator: &Int) -> Linear {
        let mut whole = Linear::constant(self.constant.div_floor(denominator));
        let mut rest = Linear::constant(self.constant.rem_floor(denominator));
        for (atom, coefficient) in &self.terms {
            let part = Linear::atom(atom.clone());
            whole.add_mul(&part, &coefficient.div_floor(denominator));
            rest.add_mul(&part, &coefficient.rem_floor(denominator));
        }
        if rest.terms.is_empty() {
            return whole;
        }
        let common = rest.terms.values().fold(denominator.clone(), |all, c| all.gcd(c));
        rest.terms.values_mut().for_each(|c| *c = c.div_exact(&common));
        rest.constant = rest.constant.div_floor(&common);
        let floor = Floor { form: rest, denominator: denominator.div_exact(&common) };
        whole.add_mul(&Linear::atom(Atom::Floor(Rc::new(floor))), &Int::one());
        whole
    }

    /// The form with `value` in the place of variable `v`, in floors as well.
    pub fn substitute(&self, v: usize, value: &Linear) -> Linear {
        let mut result = Linear::constant(self.constant.clone());
        for (atom, coefficient) in &self.terms {
            result.add_mul(&atom.substitute(v, value), coefficient);
        }
        result
    }

    /// The coefficient of variable `v` outside floors.
    pub fn coefficient(&self, v: usize) -> Int {
        self.terms.get(&Atom::Var(v)).cloned().unwrap_or_else(Int::zero)
    }

    /// The form without variable `v` outside floors.
    pub fn without(&self, v: usize) -> Linear {
        let mut result = self.clone();
        result.terms.remove(&Atom::Var(v));
        result
    }

    /// What the form grows by per unit of variable `v`, as if floors did not round.
    pub fn slope(&self, v: usize) -> Ratio {
        self.terms.iter().fold(Ratio::zero(), |sum, (atom, coefficient)| {
            sum.add(&atom.slope(v).mul(&Ratio::integer(coefficient.clone())))
        })
    }

    pub fn eval(&self, point: &[Int]) -> Int {
        self.terms.iter().fold(self.constant.clone(), |sum, (atom, c)| sum.add(&atom.eval(point).mul(c)))
    }

    /// Calls `visit` with each floor in the form, inner ones first.
    pub fn floors(&self, visit: &mut dyn FnMut(&Rc<Floor>)) {
        self.terms.keys().for_each(|atom| atom.floors(visit));
    }
}

impl Floor {
    /// The least `m` such that it is linear in `y` after `v = m y + r`, as far as it depends on `v`.
    pub fn period(&self, v: usize) -> Int {
        self.form.slope(v).div(&Ratio::integer(self.denominator.clone())).denominator().clone()
    }
}

impl Atom {
    fn substitute(&self, v: usize, value: &Linear) -> Linear {
        match self {
            Atom::Var(u) if *u == v => value.clone(),
            Atom::Var(_) => Linear::atom(self.clone()),
            Atom::Floor(floor) => floor.form.substitute(v, value).floor(&floor.denominator),
        }
    }

    fn slope(&self, v: usize) -> Ratio {
        match self {
            Atom::Var(u) if *u == v => Ratio::one(),
            Atom::Var(_) => Ratio::zero(),
            Atom::Floor(floor) => floor.form.slope(v).div(&Ratio::integer(floor.denominator.clone())),
        }
    }

    /// Whether some variable in it passes the test.
    pub fn any_var(&self, test: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Atom::Var(v) => test(*v),
            Atom::Floor(floor) => floor.form.terms.keys().any(|atom| atom.any_var(test)),
        }
    }

    pub fn eval(&self, point: &[Int]) -> Int {
        match self {
            Atom::Var(v) => point[*v].clone(),
            Atom::Floor(floor) => floor.form.eval(point).div_floor(&floor.denominator),
        }
    }

    fn floors(&self, visit: &mut dyn FnMut(&Rc<Floor>)) {
        if let Atom::Floor(floor) = self {
            floor.form.floors(visit);
            visit(floor);
        }
    }
}

/// A product of powers of atoms, sorted by atom.
pub(crate) type Monomial = Vec<(Atom, u32)>;

/// A sum of products of atoms with rational coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial {
    /// No coefficient is 0.
    pub terms: BTreeMap<Monomial, Ratio>,
}

impl Polynomial {
    pub fn zero() -> Polynomial {
        Polynomial { terms: BTreeMap::new() }
    }

    pub fn constant(value: Ratio) -> Polynomial {
        let mut result = Polynomial::zero();
        result.add_term(Vec::new(), &value);
        result
    }

    pub fn from_linear(form: &Linear) -> Polynomial {
        let mut result = Polynomial::constant(Ratio::integer(form.constant.clone()));
        for (atom, coefficient) in &form.terms {
            result.add_term(vec![(atom.clone(), 1)], &Ratio::integer(coefficient.clone()));
        }
        result
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: &Ratio) {
        let sum = self.terms.get(&monomial).map_or_else(|| coefficient.clone(), |known| known.add(coefficient));
        if sum.is_zero() {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }

    pub fn add(&self, other: &Polynomial) -> Polynomial {
        let mut result = self.clone();
        other.terms.iter().for_each(|(monomial, c)| result.add_term(monomial.clone(), c));
        result
    }

    pub fn scale(&self, factor: &Ratio) -> Polynomial {
        let mut result = Polynomial::zero();
        self.terms.iter().for_each(|(monomial, c)| result.add_term(monomial.clone(), &c.mul(factor)));
        result
    }

    pub fn sub(&self, other: &Polynomial) -> Polynomial {
        self.add(&other.scale(&Ratio::integer(Int::from(-1))))
    }

    pub fn mul(&self, other: &Polynomial) -> Polynomial {
        let mut result = Polynomial::zero();
        for (a, c) in &self.terms {
            for (b, d) in &other.terms {
                result.add_term(product(a, b), &c.mul(d));
            }
        }
        result
    }

    pub fn pow(&self, exponent: u32) -> Polynomial {
        (0..exponent).fold(Polynomial::constant(Ratio::one()), |power, _| power.mul(self))
    }

    /// The polynomial with `value` in the place of variable `v`, in floors as well.
    pub fn substitute(&self, v: usize, value: &Linear) -> Polynomial {
        self.map_atoms(&|atom| atom.substitute(v, value))
    }

    /// The polynomial with a form in the place of each atom.
    pub fn map_atoms(&self, image: &dyn Fn(&Atom) -> Linear) -> Polynomial {
        self.terms.iter().fold(Polynomial::zero(), |sum, (monomial, coefficient)| {
            let one = Polynomial::constant(coefficient.clone());
            let factor = |(atom, exponent): &(Atom, u32)| Polynomial::from_linear(&image(atom)).pow(*exponent);
            sum.add(&monomial.iter().map(factor).fold(one, |all, f| all.mul(&f)))
        })
    }

    /// The polynomial over other columns: `columns[v]` is the one of variable `v`.
    pub fn renamed(&self, columns: &[usize]) -> Polynomial {
        self.map_atoms(&|atom| renamed(atom, columns))
    }

    /// `p_0, p_1, ...` without variable `v` such that the polynomial is `p_0 + p_1 v + p_2 v^2 + ...`; no floor mentions `v`.
    pub fn by_power_of(&self, v: usize) -> Vec<Polynomial> {
        let mut all: Vec<Polynomial> = Vec::new();
        for (monomial, coefficient) in &self.terms {
            let power = monomial.iter().find(|(atom, _)| *atom == Atom::Var(v)).map_or(0, |(_, e)| *e as usize);
            let rest = monomial.iter().filter(|(atom, _)| *atom != Atom::Var(v)).cloned().collect();
            if all.len() <= power {
                all.resize(power + 1, Polynomial::zero());
            }
            all[power].add_term(rest, coefficient);
        }
        all
    }

    /// The least `m` such that no floor depends on `y` after `v = m y + r`, whatever `r`.
    pub fn period(&self, v: usize) -> Int {
        let mut period = Int::one();
        self.floors(&mut |floor| period = period.lcm(&floor.period(v)));
        period
    }

    /// The polynomial where `v = m y + r` for the period `m` of `v`, and so without floors of `v`.
    pub fn in_class(&self, v: usize, period: &Int, r: &Int) -> Polynomial {
        let mut value = Linear::var(v).scaled(period);
        value.constant = r.clone();
        let scale = Ratio::new(Int::one(), period.clone());
        let quotient = Polynomial::from_linear(&Linear::var(v).sub(&Linear::constant(r.clone()))).scale(&scale);
        let powers = self.substitute(v, &value).by_power_of(v);
        powers.iter().rev().fold(Polynomial::zero(), |all, power| all.mul(&quotient).add(power))
    }

    pub fn eval(&self, point: &[Int]) -> Ratio {
        self.terms.iter().fold(Ratio::zero(), |sum, (monomial, coefficient)| {
            let value = monomial.iter().fold(coefficient.clone(), |all, (atom, exponent)| {
                let factor = Ratio::integer(atom.eval(point));
                (0..*exponent).fold(all, |all, _| all.mul(&factor))
            });
            sum.add(&value)
        })
    }

    /// Whether variable `v` occurs, in floors as well.
    pub fn mentions(&self, v: usize) -> bool {
        self.terms.keys().flatten().any(|(atom, _)| atom.any_var(&|u| u == v))
    }

    /// Calls `visit` with each floor in the polynomial, inner ones first.
    pub fn floors(&self, visit: &mut dyn FnMut(&Rc<Floor>)) {
        self.terms.keys().flatten().for_each(|(atom, _)| atom.floors(visit));
    }
}

/// The polynomial as a linear form over a denominator, if it is affine.
pub(crate) fn fraction(value: &Polynomial) -> Option<(Linear, Int)> {
    let denominator = value.terms.values().fold(Int::one(), |all, c| all.lcm(c.denominator()));
    let mut form = Linear::constant(Int::zero());
    for (monomial, coefficient) in &value.terms {
        let scaled = coefficient.mul(&Ratio::integer(denominator.clone())).as_integer()?;
        match &monomial[..] {
            [] => form.constant = scaled,
            [(atom, 1)] => form.add_mul(&Linear::atom(atom.clone()), &scaled),
            _ => return None,
        }
    }
    Some((form, denominator))
}

fn renamed(atom: &Atom, columns: &[usize]) -> Linear {
    match atom {
        Atom::Var(v) => Linear::var(columns[*v]),
        Atom::Floor(floor) => {
            let mut form = Linear::constant(floor.form.constant.clone());
            floor.form.terms.iter().for_each(|(atom, c)| form.add_mul(&renamed(atom, columns), c));
            form.floor(&floor.denominator)
        }
    }
}

fn product(a: &Monomial, b: &Monomial) -> Monomial {
    let mut powers: BTreeMap<Atom, u32> = a.iter().cloned().collect();
    for (atom, exponent) in b {
        *powers.entry(atom.clone()).or_insert(0) += exponent;
    }
    powers.into_iter().collect()
}

/// `1^k + 2^k + ... + m^k` (and `0^k`) as the coefficients of the powers of `m`: for each `m >= -1`, and as the polynomial `F` with
/// `F(m) - F(m - 1) = m^k` for all others.
///
/// From `(m + 1)^(k + 1) = sum over j <= k of binomial(k + 1, j) S_j(m)` (Pascal).
pub(crate) fn power_sums(k: usize) -> Vec<Vec<Ratio>> {
    let binomials = |n: usize| {
        let mut row = vec![Int::one()];
        for j in 0..n {
            let next = row[j].mul(&Int::from((n - j) as i64)).div_exact(&Int::from(j as i64 + 1));
            row.push(next);
        }
        row
    };
    let mut sums: Vec<Vec<Ratio>> = Vec::new();
    for degree in 0..=k {
        let row = binomials(degree + 1);
        let mut sum: Vec<Ratio> = row.iter().cloned().map(Ratio::integer).collect();
        for (j, lower) in sums.iter().enumerate() {
            let factor = Ratio::integer(row[j].neg());
            lower.iter().enumerate().for_each(|(p, c)| sum[p] = sum[p].add(&c.mul(&factor)));
        }
        let divisor = Ratio::integer(Int::from(degree as i64 + 1));
        sums.push(sum.iter().map(|c| c.div(&divisor)).collect());
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_sums_add_up() {
        for (k, sum) in power_sums(6).iter().enumerate() {
            let mut expected = 0i64;
            for m in -1..8i64 {
                expected += if m < 0 { 0 } else { m.pow(k as u32) };
                let value =
                    sum.iter().rev().fold(Ratio::zero(), |all, c| all.mul(&Ratio::integer(Int::from(m))).add(c));
                assert_eq!(value, Ratio::integer(Int::from(expected)), "sum of powers {k} up to {m}");
            }
        }
    }

    #[test]
    fn floors_have_one_form() {
        let n = Linear::var(0);
        let a = n.scaled(&Int::from(5)).plus(7).floor(&Int::from(3));
        let mut b = n.scaled(&Int::from(2)).plus(1).floor(&Int::from(3));
        b.add_mul(&n.plus(2), &Int::one());
        assert_eq!(a, b);
        assert_eq!(n.scaled(&Int::from(2)).plus(1).floor(&Int::from(4)), n.floor(&Int::from(2)));
        for i in -7..7i64 {
            assert_eq!(a.eval(&[Int::from(i)]), Int::from((5 * i + 7).div_euclid(3)));
        }
    }
}
