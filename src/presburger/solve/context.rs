//! What is known of the parameters of a parametric integer program.
//!
//! Whether `n - m + 3` is negative cannot be told without knowing `n` and `m`; a [`Context`] knows their constraints, the integer
//! divisions of them that cuts have introduced, and some integer points that satisfy it all. The points answer most questions
//! with one dot product per point: a row that is negative at one of them and not at another has no one sign. Only where
//! all points agree is the opposite searched for, and the point that is found joins the others. (As in isl's context of
//! `isl_tab_pip.c`; Feautrier 1988 used a second tableau.)

use super::probe::{Probe, Undecided};
use super::sample::any_point;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{content, dot};
use crate::presburger::number::matrix::{negate, tightened};

/// The sign of an affine form over all integer points of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    NonNegative,
    Negative,
    /// Non-negative at some points, negative at others.
    Mixed,
}

/// A conjunction with at least one integer point whose locals are all divs. Its columns, `[1 | variables | divs]`, are called `p`.
#[derive(Clone, Debug)]
pub(crate) struct Context<T> {
    conj: Conjunction<T>,
    points: Vec<Vec<T>>,
    /// Of the constraints, built when it is first asked.
    probe: Option<Probe<T>>,
}

impl<T: Number> Context<T> {
    /// The context of the points of `domain`, all of whose locals are divs; `None` if there is no point.
    pub fn new(domain: &Conjunction<T>) -> Option<Self> {
        if domain.known_empty {
            return None;
        }
        let mut context = Context { conj: domain.clone(), points: Vec::new(), probe: None };
        let trivial = domain.eq.is_empty() && domain.ineq.is_empty();
        let values = if trivial { vec![T::zero(); domain.n_var] } else { any_point(domain)? };
        let point = context.extend_point(&values[..domain.n_var]);
        context.points.push(point);
        Some(context)
    }

    /// A copy, charged by its size.
    pub fn copy(&self) -> Self {
        spend_rows(self.conj.ineq.len() + self.conj.eq.len() + self.conj.n_local() + self.points.len(), self.width());
        self.probe.iter().for_each(Probe::spend);
        self.clone()
    }

    /// The constraints on the parameters and the definitions of the divs.
    pub fn conjunction(&self) -> &Conjunction<T> {
        &self.conj
    }

    /// The constraints, with one of the points.
    pub fn into_conjunction(self) -> Conjunction<T> {
        if let (None, Some(point)) = (self.conj.established(), self.points.last()) {
            self.conj.learn(Some(point[1..].to_vec()));
        }
        self.conj
    }

    /// The constraints of a conjunction over the same variables whose locals are divs, as rows over `p` that must be non-negative. Its divs join the
    /// context.
    pub fn import(&mut self, other: &Conjunction<T>) -> Vec<Vec<T>> {
        let mut place: Vec<usize> = (0..=self.conj.n_var).collect();
        let n_var = self.conj.n_var;
        for div in other.divs.rows() {
            let numerator = self.placed(&div[1..], &place);
            place.push(if div[0].is_zero() { 0 } else { self.div(&div[0], &numerator) });
        }
        let unknown =
            |row: &[T]| other.divs.rows().zip(&row[1 + n_var..]).any(|(div, x)| div[0].is_zero() && !x.is_zero());
        let mut rows = Vec::with_capacity(other.ineq.len() + 2 * other.eq.len());
        for row in other.eq.rows() {
            assert!(!unknown(row), "law: the locals of an imported conjunction are divs");
            let placed = self.placed(row, &place);
            rows.push(placed.iter().map(Number::neg).collect());
            rows.push(placed);
        }
        for row in other.ineq.rows() {
            assert!(!unknown(row), "law: the locals of an imported conjunction are divs");
            rows.push(self.placed(row, &place));
        }
        rows
    }

    /// The row whose cell `c` stands at column `place[c]`.
    fn placed(&self, row: &[T], place: &[usize]) -> Vec<T> {
        let mut placed = vec![T::zero(); self.width()];
        row.iter().zip(place).for_each(|(x, &p)| placed[p] = placed[p].add(x));
        placed
    }

    pub fn width(&self) -> usize {
        self.conj.width()
    }

    /// `(1, x, divs)` for the values `x` of the variables.
    fn extend_point(&self, x: &[T]) -> Vec<T> {
        spend_rows(1 + self.conj.n_local(), self.width());
        let mut point = Vec::with_capacity(self.width());
        point.push(T::one());
        point.extend_from_slice(x);
        for div in self.conj.divs.rows() {
            let numerator = dot(&div[1..], &point);
            point.push(numerator.div_floor(&div[0]));
        }
        point
    }

    /// The column of `floor(numerator . p / denominator)`, which is added if it is new.
    pub fn div(&mut self, denominator: &T, numerator: &[T]) -> usize {
        let mut row = Vec::with_capacity(numerator.len() + 1);
        row.push(denominator.clone());
        row.extend_from_slice(numerator);
        let g = content(&row[2..]).gcd(denominator);
        if !g.is_one() {
            row[1] = row[1].div_floor(&g);
            row[0] = row[0].div_exact(&g);
            row[2..].iter_mut().for_each(|x| *x = x.div_exact(&g));
        }
        row.resize(self.width() + 1, T::zero());
        spend_rows(self.conj.n_local() + self.points.len(), self.width());
        if let Some(known) = self.conj.divs.rows().position(|known| known == row) {
            return 1 + self.conj.n_var + known;
        }
        for point in &mut self.points {
            point.push(dot(&row[1..], point).div_floor(&denominator.div_exact(&g)));
        }
        self.probe = None;
        self.conj.add_div(&row)
    }

    /// The sign of `row . p`. Remembers the points found on the way.
    pub fn sign(&mut self, row: &[T]) -> Sign {
        spend_rows(self.points.len(), row.len());
        let (mut some_non_negative, mut some_negative) = (false, false);
        for point in &self.points {
            if dot(row, point).is_negative() {
                some_negative = true;
            } else {
                some_non_negative = true;
            }
            if some_negative && some_non_negative {
                return Sign::Mixed;
            }
        }
        if self.conj.n_var == 0 {
            return if some_negative { Sign::Negative } else { Sign::NonNegative };
        }
        let mut opposite = row.to_vec();
        if some_non_negative {
            if self.is_plainly_implied(row) {
                return Sign::NonNegative;
            }
            negate(&mut opposite);
        }
        if self.find_point(&opposite) {
            Sign::Mixed
        } else if some_negative {
            Sign::Negative
        } else {
            Sign::NonNegative
        }
    }

    /// Whether a single known inequality says at least `row . p >= 0`.
    fn is_plainly_implied(&self, row: &[T]) -> bool {
        let g = content(&row[1..]);
        if g.is_zero() {
            return !row[0].is_negative();
        }
        spend_rows(self.conj.ineq.len(), 0);
        let constant = row[0].div_floor(&g);
        self.conj.ineq.rows().any(|known| {
            known[0] <= constant
                && known[1..].iter().zip(&row[1..]).all(|(a, b)| a.is_zero() == b.is_zero() && a.mul(&g) == *b)
        })
    }

    fn find_point(&mut self, row: &[T]) -> bool {
        let found = match &self.probe {
            Some(probe) => probe.find(row),
            None => {
                let probe = Probe::new(&self.conj).expect("law: a context has a point");
                let found = probe.find(row);
                self.probe = Some(probe);
                found
            }
        };
        let found = found.unwrap_or_else(|Undecided| {
            let mut part = self.conj.clone();
            part.add_ineq(&tightened(row));
            part.simplify();
            any_point(&part)
        });
        if let Some(values) = &found {
            let point = self.extend_point(&values[..self.conj.n_var]);
            self.points.push(point);
        }
        found.is_some()
    }

    /// Adds `row . p >= 0`, which holds at one of the points that [`Context::sign`] has met.
    pub fn add(&mut self, row: &[T]) {
        spend_rows(self.points.len() + self.conj.ineq.len(), row.len());
        self.points.retain(|point| !dot(row, point).is_negative());
        assert!(!self.points.is_empty(), "law: a context has a point");
        let row = tightened(row);
        if !self.conj.ineq.rows().any(|known| known == row) {
            if let Some(probe) = &mut self.probe {
                probe.add(&row);
            }
            self.conj.add_ineq(&row);
        }
    }
}
