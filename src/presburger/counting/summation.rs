//! Counting with parameters: sums of polynomials over the integer points of a set, as quasi-polynomials.
//!
//! `[n] -> { [i, j] : 0 <= i <= j < n }` has `sum over j of sum over i of 1` elements. The inner sum is `j + 1`, under `0 <= j < n`; the outer
//! one is `1/2 n + 1/2 n^2`, under `n > 0`. One variable is summed after the other:
//! - a variable under a floor, `floor((x + n) / 3)`, is split by its remainder, `x = 3 y + r`, after which `y` is outside the floor;
//! - one in an equality `a x + f = 0` has the value `-f / a`, where `a` divides `f`;
//! - else the greatest of its lower bounds is one of them, and so is the smallest upper bound: for each pair, where these are the ones,
//!   the sum from `L` to `U` is `F(U) - F(L - 1)` for the polynomial `F` whose differences are the summand (Bernoulli, Faulhaber).
//!
//! All of it is exact (Pugh, "Counting solutions to Presburger formulas", 1994). The work grows with the product of bounds and with
//! the size of strides; a sum that is infinite for some parameters is refused.

use super::polynomial::{Atom, Floor, Linear, Polynomial, power_sums};
use crate::presburger::algebra::count::count;
use crate::presburger::algebra::pieces::{Precision, exact};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::{spend, within};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::Matrix;
use crate::presburger::number::ratio::Ratio;
use crate::presburger::solve::project;
use crate::presburger::solve::redundancy::remove_redundancies;
use crate::presburger::solve::sample;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A sum has infinitely many terms for some values of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infinite;

impl std::fmt::Display for Infinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there are infinitely many elements for some values of the parameters")
    }
}

impl std::error::Error for Infinite {}

/// A domain and what is summed over it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub domain: Conjunction<Int>,
    pub value: Polynomial,
}

/// Steps for counting points one after the other, before it is done by formulas: as many as small sets need.
const COUNTING_STEPS: u64 = 200_000;

/// The number of points of a conjunction that no variable before `first` is in, if it is soon counted: as a part over these.
pub(crate) fn counted(domain: &Conjunction<Int>, first: usize) -> Option<Part> {
    let involved =
        |rows: &Matrix<Int>, from: usize| rows.rows().any(|row| row[from..from + first].iter().any(|c| !c.is_zero()));
    if involved(&domain.eq, 1) || involved(&domain.ineq, 1) || involved(&domain.divs, 2) {
        return None;
    }
    let own: Vec<Option<usize>> = (first..domain.n_var).map(Some).collect();
    let raw = Int::keep(vec![domain.rearrange(&own)]);
    let found = within(COUNTING_STEPS, || exact!(a = &raw => count(a))).ok()??;
    Some(Part { domain: Conjunction::universe(first), value: Polynomial::constant(Ratio::integer(found)) })
}

/// The sum over variables `first..` of the domain's: parts over the variables before, whose sum (where they overlap) it is.
pub(crate) fn sum_from(part: Part, first: usize) -> Result<Vec<Part>, Infinite> {
    let mut done = Vec::new();
    let n_var = part.domain.n_var;
    for system in System::of(&part.domain, &part.value) {
        sum_out(system, (first..n_var).collect(), &mut done)?;
    }
    let kept: Vec<Option<usize>> = (0..first).map(Some).collect();
    let result =
        done.into_iter().map(|system| Part { domain: system.conjunction().rearrange(&kept), value: system.value });
    Ok(result.collect())
}

/// Constraints and a summand, over variables and floors.
#[derive(Clone, Debug)]
struct System {
    n_var: usize,
    /// Each is 0.
    eq: Vec<Linear>,
    /// Each is at least 0.
    ineq: Vec<Linear>,
    value: Polynomial,
}

fn sum_out(system: System, variables: Vec<usize>, done: &mut Vec<System>) -> Result<(), Infinite> {
    spend(1);
    if system.value.is_zero() {
        return Ok(());
    }
    let Some(&next) = variables.iter().min_by_key(|&&v| (system.cost(v), v)) else {
        done.push(system);
        return Ok(());
    };
    let rest: Vec<usize> = variables.iter().copied().filter(|&v| v != next).collect();
    if let Some(values) = system.values(next).filter(|values| cost_of(values) <= system.formula_cost(next)) {
        for value in values {
            for normal in system.substitute(next, &Linear::constant(value)).normalized() {
                sum_out(normal, rest.clone(), done)?;
            }
        }
        return Ok(());
    }
    for classes in system.split(next) {
        for summed in classes.sum(next)? {
            for normal in summed.normalized() {
                sum_out(normal, rest.clone(), done)?;
            }
        }
    }
    Ok(())
}

/// How much it costs to try values, in terms of the systems that a formula makes: these have domains to be added up, each of its own.
fn cost_of(values: &[Int]) -> Int {
    Int::from(8 * values.len() as i64)
}

impl System {
    /// Systems, disjoint and not empty, of the same points.
    fn of(domain: &Conjunction<Int>, value: &Polynomial) -> Vec<System> {
        let raw = Int::keep(vec![domain.clone()]);
        let normal = exact!(a = &raw => {
            let mut parts: Vec<_> = a.iter().flat_map(project::compute_divs).collect();
            parts.iter_mut().for_each(remove_redundancies);
            parts.retain(|part| !sample::is_empty(part));
            Precision::store(parts)
        });
        normal.wide().iter().map(|conj| System::read(conj, value)).collect()
    }

    fn normalized(&self) -> Vec<System> {
        System::of(&self.conjunction(), &self.value)
    }

    fn read(conj: &Conjunction<Int>, value: &Polynomial) -> System {
        let mut atoms: Vec<Linear> = (0..conj.n_var).map(Linear::var).collect();
        let over = |row: &[Int], atoms: &[Linear]| {
            let mut form = Linear::constant(row[0].clone());
            row[1..].iter().zip(atoms).filter(|(c, _)| !c.is_zero()).for_each(|(c, atom)| form.add_mul(atom, c));
            form
        };
        for div in conj.divs.rows() {
            let floor = over(&div[1..], &atoms).floor(&div[0]);
            atoms.push(floor);
        }
        let rows = |rows: &Matrix<Int>| rows.rows().map(|row| over(row, &atoms)).collect::<Vec<Linear>>();
        let ineq = rows(&conj.ineq).into_iter().map(unrounded).collect();
        System { n_var: conj.n_var, eq: rows(&conj.eq), ineq, value: value.clone() }
    }

    /// The constraints as a conjunction with a div for each floor.
    fn conjunction(&self) -> Conjunction<Int> {
        let mut conj = Conjunction::<Int>::universe(self.n_var);
        let mut column: BTreeMap<Rc<Floor>, usize> = BTreeMap::new();
        let row = |form: &Linear, column: &BTreeMap<Rc<Floor>, usize>, width: usize| {
            let mut row = vec![Int::zero(); width];
            row[0] = form.constant.clone();
            for (atom, coefficient) in &form.terms {
                match atom {
                    Atom::Var(v) => row[1 + v] = coefficient.clone(),
                    Atom::Floor(floor) => row[column[floor]] = coefficient.clone(),
                }
            }
            row
        };
        for form in self.eq.iter().chain(&self.ineq) {
            form.floors(&mut |floor| {
                if !column.contains_key(floor) {
                    let numerator = row(&floor.form, &column, conj.width());
                    let div: Vec<Int> = [floor.denominator.clone()].into_iter().chain(numerator).collect();
                    column.insert(floor.clone(), conj.add_div(&div));
                }
            });
        }
        let width = conj.width();
        self.eq.iter().for_each(|form| conj.add_eq(&row(form, &column, width)));
        self.ineq.iter().for_each(|form| conj.add_ineq(&row(form, &column, width)));
        conj
    }

    /// The values of a variable between constant bounds, if these are few.
    fn values(&self, v: usize) -> Option<Vec<Int>> {
        /// Values that are tried one by one rather than summed by a formula with large strides.
        const MOST_VALUES: i64 = 32;
        let alone =
            self.ineq.iter().filter(|form| form.terms.len() == 1).map(|form| (form.coefficient(v), &form.constant));
        let (mut low, mut high): (Option<Int>, Option<Int>) = (None, None);
        for (a, constant) in alone {
            if a.is_positive() {
                let bound = constant.neg().div_ceil(&a);
                low = Some(low.map_or(bound.clone(), |low| low.max(bound)));
            } else if a.is_negative() {
                let bound = constant.div_floor(&a.neg());
                high = Some(high.map_or(bound.clone(), |high| high.min(bound)));
            }
        }
        let (low, high) = low.zip(high)?;
        let length = high.sub(&low).as_i64().filter(|length| *length < MOST_VALUES)?;
        Some((0..=length).map(|k| low.add(&Int::from(k))).collect())
    }

    /// How many systems the sum over a variable makes, about.
    fn cost(&self, v: usize) -> Int {
        let formula = self.formula_cost(v);
        self.values(v).map_or(formula.clone(), |values| formula.min(cost_of(&values)))
    }

    /// How many systems the sum over a variable makes if it is done by a formula, about.
    fn formula_cost(&self, v: usize) -> Int {
        let period = self.period(v);
        if let Some(a) = self.eq.iter().map(|form| form.coefficient(v).abs()).filter(|a| !a.is_zero()).min() {
            return period.mul(&a);
        }
        let signs = |positive: bool| {
            let bounds = self.ineq.iter().map(|form| form.coefficient(v)).filter(|c| !c.is_zero());
            let bounds: Vec<Int> = bounds.filter(|c| c.is_positive() == positive).collect();
            let widest = bounds.iter().map(Number::abs).max().unwrap_or_else(Int::one);
            widest.mul(&Int::from(bounds.len() as i64))
        };
        period.mul(&signs(true).add(&Int::one())).mul(&signs(false).add(&Int::one()))
    }

    /// The least `m` such that every floor is linear in `y` after `v = m y + r`.
    fn period(&self, v: usize) -> Int {
        let mut period = Int::one();
        let mut visit = |floor: &Rc<Floor>| period = period.lcm(&floor.period(v));
        self.eq.iter().chain(&self.ineq).for_each(|form| form.floors(&mut visit));
        period.lcm(&self.value.period(v))
    }

    fn substitute(&self, v: usize, value: &Linear) -> System {
        let all = |forms: &[Linear]| forms.iter().map(|form| form.substitute(v, value)).collect();
        System { n_var: self.n_var, eq: all(&self.eq), ineq: all(&self.ineq), value: self.value.substitute(v, value) }
    }

    /// The systems of the remainders of `v`, each with the quotient in its place, on which no floor depends.
    fn split(&self, v: usize) -> impl Iterator<Item = System> + '_ {
        let period = self.period(v);
        let mut remainder = Int::zero();
        let mut next = move || {
            (remainder < period).then(|| {
                let mut value = Linear::var(v).scaled(&period);
                value.constant = remainder.clone();
                remainder = remainder.add(&Int::one());
                value
            })
        };
        std::iter::from_fn(move || next().map(|value| self.substitute(v, &value)))
            .filter(|system| !system.plainly_empty())
            .inspect(|_| spend(1))
    }

    /// A constraint without atoms fails.
    fn plainly_empty(&self) -> bool {
        self.eq.iter().any(|form| form.terms.is_empty() && !form.constant.is_zero())
            || self.ineq.iter().any(|form| form.terms.is_empty() && form.constant.is_negative())
    }

    /// The sum over `v`, on which no floor depends: disjoint systems without `v`.
    fn sum(&self, v: usize) -> Result<Vec<System>, Infinite> {
        let fixed = self.eq.iter().filter(|form| !form.coefficient(v).is_zero());
        if let Some(equality) = fixed.min_by_key(|form| form.coefficient(v).abs()) {
            return Ok(vec![self.solved(v, equality)]);
        }
        let (bounds, others): (Vec<&Linear>, Vec<&Linear>) =
            self.ineq.iter().partition(|form| !form.coefficient(v).is_zero());
        let (lower, upper): (Vec<Bound>, Vec<Bound>) =
            bounds.into_iter().map(|form| Bound::of(form, v)).partition(|bound| bound.is_lower);
        if lower.is_empty() || upper.is_empty() {
            let empty = self.normalized().is_empty();
            return if empty { Ok(Vec::new()) } else { Err(Infinite) };
        }
        let powers = self.value.by_power_of(v);
        let mut systems = Vec::new();
        for (i, low) in lower.iter().enumerate() {
            for (j, high) in upper.iter().enumerate() {
                spend(1);
                let (least, greatest) = (low.rounded(), high.rounded());
                let mut ineq: Vec<Linear> = others.iter().map(|form| (*form).clone()).collect();
                ineq.push(unrounded(greatest.sub(&least)));
                ineq.extend(lower.iter().enumerate().filter(|(k, _)| *k != i).map(|(k, rival)| low.beats(i, rival, k)));
                ineq.extend(
                    upper.iter().enumerate().filter(|(k, _)| *k != j).map(|(k, rival)| high.beats(j, rival, k)),
                );
                let value = sum_between(&powers, &least, &greatest);
                let system = System { n_var: self.n_var, eq: self.eq.clone(), ineq, value };
                if !system.plainly_empty() {
                    systems.push(system);
                }
            }
        }
        Ok(systems)
    }

    /// The system with the value that an equality gives to `v`.
    fn solved(&self, v: usize, equality: &Linear) -> System {
        let a = equality.coefficient(v);
        let rest = equality.without(v).scaled(&Int::from(if a.is_positive() { -1 } else { 1 }));
        let value = rest.floor(&a.abs());
        let mut system = self.substitute(v, &value);
        system.eq.push(rest.sub(&value.scaled(&a.abs())));
        system
    }
}

/// A bound of a variable: at least, or at most, `form / divisor`.
struct Bound {
    form: Linear,
    divisor: Int,
    is_lower: bool,
}

impl Bound {
    fn of(row: &Linear, v: usize) -> Bound {
        let a = row.coefficient(v);
        let is_lower = a.is_positive();
        let form = row.without(v).scaled(&Int::from(if is_lower { -1 } else { 1 }));
        Bound { form, divisor: a.abs(), is_lower }
    }

    /// Rounded inwards.
    fn rounded(&self) -> Linear {
        if self.is_lower {
            let negative = Int::from(-1);
            self.form.scaled(&negative).floor(&self.divisor).scaled(&negative)
        } else {
            self.form.floor(&self.divisor)
        }
    }

    /// The form that is at least 0 where this bound, number `at`, is the tighter one; where they are equally tight, the first one is.
    fn beats(&self, at: usize, rival: &Bound, rival_at: usize) -> Linear {
        let (mine, theirs) = (self.form.scaled(&rival.divisor), rival.form.scaled(&self.divisor));
        let margin = if self.is_lower { mine.sub(&theirs) } else { theirs.sub(&mine) };
        if rival_at < at { margin.plus(-1) } else { margin }
    }
}

/// An equivalent of `form >= 0` with fewer floors: `floor(f / d) + g >= 0` is `f + d g >= 0`, since `g` is an integer, and
/// `g - floor(f / d) >= 0` is `d g + d - 1 - f >= 0`.
fn unrounded(mut form: Linear) -> Linear {
    loop {
        let single = form.terms.iter().rev().find_map(|(atom, c)| match atom {
            Atom::Floor(floor) if c.abs().is_one() => Some((atom.clone(), floor.clone(), c.clone())),
            _ => None,
        });
        let Some((atom, floor, sign)) = single else { return form };
        form.terms.remove(&atom);
        form = form.scaled(&floor.denominator);
        form.add_mul(&floor.form, &sign);
        if sign.is_negative() {
            form.constant = form.constant.add(&floor.denominator).sub(&Int::one());
        }
    }
}

/// The sum of `p_0 + p_1 x + p_2 x^2 + ...` for `x` from `least` to `greatest`.
fn sum_between(powers: &[Polynomial], least: &Linear, greatest: &Linear) -> Polynomial {
    let Some(degree) = powers.len().checked_sub(1) else { return Polynomial::zero() };
    let ends = [
        (Polynomial::from_linear(greatest), Ratio::one()),
        (Polynomial::from_linear(&least.plus(-1)), Ratio::integer(Int::from(-1))),
    ];
    let mut total = Polynomial::zero();
    for (end, sign) in ends {
        for (power, sums) in powers.iter().zip(power_sums(degree)) {
            let zero = Polynomial::zero();
            let primitive = sums.iter().rev().fold(zero, |all, c| all.mul(&end).add(&Polynomial::constant(c.clone())));
            total = total.add(&power.mul(&primitive).scale(&sign));
        }
    }
    total
}
