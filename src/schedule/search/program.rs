//! The integer programs of the scheduler: lexicographic minima of non-negative integers, some of whose parts may not vanish.
//!
//! A hyperplane for the loop `for i: a[i+1] = a[i]` is `c*i`, written with two non-negative unknowns as `(p - n)*i`. Its dependence
//! asks for `p - n >= 0`; of all solutions the one with the least `p + n` is wanted, but `p - n` has to be different from
//! zero, or it would be no loop. A [`Program`] says these three things: *constraints*, *objectives* (forms with non-negative
//! coefficients, minimised one after another, then the unknowns in order), and *regions* (tuples of forms that may not all
//! be zero).
//!
//! The minimum of the constraints is found as Feautrier's PIP does it (Feautrier 1988): a dictionary expresses objectives and unknowns
//! by the non-basic ones; its columns stay lexicographically positive, so that zero is the optimum as soon as no row is
//! negative. A violated constraint becomes a row and is repaired by the dual simplex method; a fractional optimum is cut off by
//! Gomory's cut. Only violated constraints ever enter the dictionary: a dependence has many generators, of which few matter.
//!
//! Regions are handled as in isl's scheduler (Verdoolaege and Janssens 2017, section 3.3): for the first region that vanishes at the
//! optimum, branch on its first non-zero form and its sign. All sides are tried, the best is followed; other branches are looked at
//! only when they can improve the leading objectives, and at most [`MOST_BRANCHES`] in all.

use crate::presburger::budget::{spend, spend_rows};
use crate::presburger::int::{Int, Number, unless_overflow};
use crate::presburger::number::matrix::reduce;
use std::cmp::Ordering;

/// Branches looked at after the first complete solution: it is nearly always the optimum, and any solution is legal.
const MOST_BRANCHES: usize = 60;
/// Constraints that enter the dictionary in one round, the most violated first: more would mostly be implied by these.
const ROUND: usize = 8;
/// Cuts after which a program counts as having no solution. Cuts on the first fractional row come to an end wherever there is a solution or the
/// relaxation is bounded (Gomory 1958); only a program without both goes on for ever. Those of schedules need none or a few.
const MOST_CUTS: usize = 2_000;

/// An affine form: a constant and terms `(unknown, coefficient)`, each unknown at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form {
    /// The constant.
    pub constant: i64,
    /// Unknowns with coefficients.
    pub terms: Vec<(usize, i64)>,
}

impl Form {
    /// A form without constant.
    pub fn linear(terms: impl IntoIterator<Item = (usize, i64)>) -> Form {
        Form { constant: 0, terms: terms.into_iter().filter(|(_, c)| *c != 0).collect() }
    }

    /// The form plus a constant.
    pub fn plus(mut self, constant: i64) -> Form {
        self.constant += constant;
        self
    }

    fn negated(&self) -> Form {
        Form { constant: -self.constant, terms: self.terms.iter().map(|(v, c)| (*v, -c)).collect() }
    }

    /// Its value at a point.
    pub fn at(&self, point: &[i64]) -> i128 {
        self.terms.iter().map(|(v, c)| point[*v] as i128 * *c as i128).sum::<i128>() + self.constant as i128
    }
}

/// Constraints over the unknowns, kept apart so that several programs can share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Number of unknowns, all non-negative integers.
    pub n: usize,
    /// Minimised first, in this order; coefficients are non-negative.
    pub objectives: Vec<Form>,
    /// How many of the objectives are worth searching other branches for.
    pub n_leading: usize,
    /// Zero.
    pub equalities: Vec<Form>,
    /// At least zero.
    pub inequalities: Vec<Form>,
    /// Of each, some form is not zero.
    pub regions: Vec<Vec<Form>>,
}

impl Program {
    /// The best solution found, or none if there is none.
    pub fn solve(&self) -> Option<Vec<i64>> {
        assert!(self.objectives.iter().all(|o| o.terms.iter().all(|t| t.1 >= 0)), "objectives are bounded below");
        if let Some(solution) = unless_overflow(|| Search::<i64>::run(self)) {
            return solution;
        }
        if let Some(solution) = unless_overflow(|| Search::<i128>::run(self)) {
            return solution;
        }
        Search::<Int>::run(self)
    }
}

/// Objectives and unknowns at an integer optimum: compared lexicographically.
type Value = Vec<i64>;

struct Search<'a, T> {
    program: &'a Program,
    best: Option<Value>,
    branches: usize,
    root: Dictionary<T>,
}

impl<'a, T: Number> Search<'a, T> {
    fn run(program: &'a Program) -> Option<Vec<i64>> {
        let mut root = Dictionary::<T>::new(program);
        let value = root.optimum(program)?;
        let mut search = Search { program, best: None, branches: 0, root };
        let start = search.root.clone();
        search.descend(start, value);
        search.best.map(|value| value[program.objectives.len()..].to_vec())
    }

    fn descend(&mut self, dictionary: Dictionary<T>, value: Value) {
        let Some(region) = self.first_trivial(&value) else {
            self.best = Some(value);
            return;
        };
        let mut sides: Vec<(Value, Dictionary<T>)> = Vec::new();
        for k in 0..region.len() {
            for positive in [region[k].clone(), region[k].negated()] {
                if let Some(side) = self.side(&dictionary, &region[..k], &positive) {
                    sides.push(side);
                }
            }
        }
        sides.sort_by(|a, b| a.0.cmp(&b.0));
        for (value, dictionary) in sides {
            if self.may_improve(&value) {
                self.descend(dictionary, value);
            }
        }
    }

    fn first_trivial(&self, value: &Value) -> Option<&'a Vec<Form>> {
        let point = &value[self.program.objectives.len()..];
        self.program.regions.iter().find(|region| region.iter().all(|form| form.at(point) == 0))
    }

    fn may_improve(&mut self, value: &Value) -> bool {
        let Some(best) = &self.best else { return true };
        let leading = self.program.n_leading;
        self.branches += 1;
        self.branches <= MOST_BRANCHES && value[..leading] < best[..leading]
    }

    /// The optimum where the forms in `zero` are 0 and `positive` is above.
    fn side(&self, from: &Dictionary<T>, zero: &[Form], positive: &Form) -> Option<(Value, Dictionary<T>)> {
        spend_rows(from.rows.len(), from.rows[0].len());
        let mut dictionary = from.clone();
        for form in zero {
            if !dictionary.add_equality(form) {
                return None;
            }
        }
        dictionary.add_inequality(&positive.clone().plus(-1));
        let value = dictionary.optimum(self.program)?;
        Some((value, dictionary))
    }
}

/// Rows `[denominator | constant | coefficients of the non-basic ones]`: objectives, then unknowns, then slacks.
#[derive(Clone)]
struct Dictionary<T> {
    n_objective: usize,
    n: usize,
    rows: Vec<Vec<T>>,
}

impl<T: Number> Dictionary<T> {
    fn new(program: &Program) -> Self {
        let width = 2 + program.n;
        let row = |form: &Form| {
            let mut row = vec![T::zero(); width];
            row[0] = T::one();
            form.terms.iter().for_each(|(v, c)| row[2 + v] = T::from_i64(*c));
            row
        };
        let unknowns = (0..program.n).map(|v| Form::linear([(v, 1)]));
        let rows = program.objectives.iter().map(row).chain(unknowns.map(|form| row(&form))).collect();
        Dictionary { n_objective: program.objectives.len(), n: program.n, rows }
    }

    /// The integer lexicographic minimum under the program's constraints and those added here.
    fn optimum(&mut self, program: &Program) -> Option<Value> {
        let mut cuts = 0;
        loop {
            if !self.repair() {
                return None;
            }
            if self.add_violated(program)? {
                continue;
            }
            match self.fractional_row() {
                None => return self.value(),
                Some(row) => {
                    cuts += 1;
                    if cuts > MOST_CUTS {
                        return None;
                    }
                    self.cut(row);
                }
            }
        }
    }

    fn value(&self) -> Option<Value> {
        self.rows[..self.n_objective + self.n].iter().map(|row| row[1].div_exact(&row[0]).to_i64()).collect()
    }

    /// Adds the most violated constraints of the program; false if there are none, nothing if an equality cannot hold.
    fn add_violated<'p>(&mut self, program: &'p Program) -> Option<bool> {
        let point = self.point();
        let further_off = |a: &Violated<'_, T>, b: &Violated<'_, T>| b.by.mul(&a.weight).cmp(&a.by.mul(&b.weight));
        let weighed = |by: T, form: &'p Form| Violated { by, weight: weight(form), form };
        let away = |form: &'p Form| Some(point.at(form).abs()).filter(|by| !by.is_zero()).map(|by| weighed(by, form));
        let mut equalities: Vec<Violated<'p, T>> = program.equalities.iter().filter_map(away).collect();
        if !equalities.is_empty() {
            equalities.sort_by(further_off);
            for violated in equalities.into_iter().take(ROUND) {
                if !self.add_equality(violated.form) {
                    return None;
                }
            }
            return Some(true);
        }
        let below = |form: &'p Form| Some(point.at(form).neg()).filter(T::is_positive).map(|by| weighed(by, form));
        let mut inequalities: Vec<Violated<'p, T>> = program.inequalities.iter().filter_map(below).collect();
        inequalities.sort_by(further_off);
        inequalities.iter().take(ROUND).for_each(|violated| self.add_inequality(violated.form));
        Some(!inequalities.is_empty())
    }

    /// The current values of the unknowns.
    fn point(&self) -> Point<T> {
        let unknowns = || self.rows[self.n_objective..].iter().take(self.n);
        let denominators = unknowns().filter(|row| !row[1].is_zero()).map(|row| &row[0]);
        let denominator = denominators.fold(T::one(), |all, own| if own.is_one() { all } else { all.lcm(own) });
        let numerator = |row: &Vec<T>| match row[0] == denominator || row[1].is_zero() {
            true => row[1].clone(),
            false => row[1].mul(&denominator.div_exact(&row[0])),
        };
        Point { numerators: unknowns().map(numerator).collect(), denominator }
    }

    fn express(&self, form: &Form) -> Vec<T> {
        spend_rows(form.terms.len(), self.rows[0].len());
        let mut row = vec![T::zero(); self.rows[0].len()];
        row[0] = T::one();
        row[1] = T::from_i64(form.constant);
        for (v, c) in &form.terms {
            let unknown = &self.rows[self.n_objective + v];
            let common = row[0].lcm(&unknown[0]);
            let (mine, theirs) = (common.div_exact(&row[0]), common.div_exact(&unknown[0]).mul(&T::from_i64(*c)));
            row.iter_mut().skip(1).zip(&unknown[1..]).for_each(|(x, y)| *x = x.combine(&mine, y, &theirs));
            row[0] = common;
        }
        reduce(&mut row);
        row
    }

    fn add_inequality(&mut self, form: &Form) {
        let row = self.express(form);
        self.rows.push(row);
    }

    /// Makes the form zero for good; false if it cannot be.
    fn add_equality(&mut self, form: &Form) -> bool {
        let mut row = self.express(form);
        if row[2..].iter().all(Number::is_zero) {
            return row[1].is_zero();
        }
        let flip = row[1].is_positive() || (row[1].is_zero() && !row[2..].iter().any(Number::is_positive));
        if flip {
            row[1..].iter_mut().for_each(|x| *x = x.neg());
        }
        let Some(column) = self.entering(&row) else { return false };
        self.rows.push(row);
        let last = self.rows.len() - 1;
        self.pivot(last, column);
        self.rows.pop();
        self.rows.iter_mut().for_each(|row| {
            row.swap_remove(column);
        });
        self.repair()
    }

    /// Dual simplex until no row is negative; false if that cannot be.
    fn repair(&mut self) -> bool {
        while let Some(r) = (0..self.rows.len()).find(|&r| self.rows[r][1].is_negative()) {
            let Some(column) = self.entering(&self.rows[r]) else { return false };
            self.pivot(r, column);
            if r >= self.n_objective + self.n {
                self.rows.swap_remove(r);
            }
        }
        true
    }

    /// The column whose quotient by the row's entry is lexicographically smallest.
    fn entering(&self, row: &[T]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for c in (2..row.len()).filter(|&c| row[c].is_positive()) {
            best = match best {
                Some(b) if self.compare(b, &row[b], c, &row[c]) != Ordering::Greater => Some(b),
                _ => Some(c),
            };
        }
        best
    }

    fn compare(&self, a: usize, by_a: &T, b: usize, by_b: &T) -> Ordering {
        let rows = self.rows[..self.n_objective + self.n].iter().filter(|r| !r[a].is_zero() || !r[b].is_zero());
        rows.inspect(|_| spend(1))
            .map(|r| r[a].mul(by_b).cmp(&r[b].mul(by_a)))
            .find(|o| *o != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    }

    /// Exchanges the row's unknown with that of the column.
    fn pivot(&mut self, r: usize, column: usize) {
        let mut source = std::mem::take(&mut self.rows[r]);
        let (denominator, along) = (source[0].clone(), source[column].clone());
        let is_changed = |row: &&mut Vec<T>| !row.is_empty() && !row[column].is_zero();
        spend_rows(self.rows.len(), 0);
        for row in self.rows.iter_mut().filter(is_changed) {
            spend_rows(1, source.len());
            let entry = row[column].clone();
            let minus = entry.neg();
            row[column] = T::zero();
            row[0] = row[0].mul(&along);
            for (j, x) in row.iter_mut().enumerate().skip(1) {
                if j != column && !(x.is_zero() && source[j].is_zero()) {
                    *x = x.combine(&along, &source[j], &minus);
                }
            }
            row[column] = entry.mul(&denominator);
            reduce(row);
        }
        source.iter_mut().for_each(|x| *x = T::zero());
        source[0] = T::one();
        source[column] = T::one();
        self.rows[r] = source;
    }

    /// The first in the order of the optimum: objectives are integers as well.
    fn fractional_row(&self) -> Option<usize> {
        (0..self.n_objective + self.n).find(|&r| !self.rows[r][1].is_divisible_by(&self.rows[r][0]))
    }

    fn cut(&mut self, r: usize) {
        let row = &self.rows[r];
        let denominator = row[0].clone();
        let mut cut: Vec<T> = row.iter().map(|x| x.rem_floor(&denominator)).collect();
        cut[0] = denominator.clone();
        cut[1] = row[1].neg().rem_floor(&denominator).neg();
        self.rows.push(cut);
    }
}

/// A constraint that does not hold at a point.
struct Violated<'p, T> {
    /// How far its form is off, times the denominator of the point.
    by: T,
    weight: T,
    form: &'p Form,
}

/// Values of all unknowns, as fractions with one denominator.
struct Point<T> {
    numerators: Vec<T>,
    denominator: T,
}

impl<T: Number> Point<T> {
    /// The value of a form, times the denominator.
    fn at(&self, form: &Form) -> T {
        spend(1 + form.terms.len() as u64 / 8);
        let mut sum = self.denominator.mul(&T::from_i64(form.constant));
        for (v, c) in form.terms.iter().filter(|(v, _)| !self.numerators[*v].is_zero()) {
            sum.add_mul(&self.numerators[*v], &T::from_i64(*c));
        }
        sum
    }
}

/// How large the values of a form are by its coefficients alone, at least one.
fn weight<T: Number>(form: &Form) -> T {
    form.terms.iter().fold(T::one(), |sum, (_, c)| sum.add(&T::from_i64(*c).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::property;
    use arbtest::arbitrary::{Result, Unstructured};

    fn is_legal(program: &Program, p: &[i64]) -> bool {
        program.equalities.iter().all(|f| f.at(p) == 0)
            && program.inequalities.iter().all(|f| f.at(p) >= 0)
            && program.regions.iter().all(|r| r.iter().any(|f| f.at(p) != 0))
    }

    fn brute_force(program: &Program, most: i64) -> Option<Vec<i64>> {
        let mut points: Vec<Vec<i64>> = vec![vec![]];
        for _ in 0..program.n {
            points = points.into_iter().flat_map(|p| (0..=most).map(move |x| [p.clone(), vec![x]].concat())).collect();
        }
        let key = |p: &Vec<i64>| (program.objectives.iter().map(|f| f.at(p)).collect::<Vec<_>>(), p.clone());
        points.into_iter().filter(|p| is_legal(program, p)).min_by_key(key)
    }

    fn arbitrary(u: &mut Unstructured, n: usize, low: i64) -> Result<Form> {
        let terms = (0..n).map(|v| Ok((v, u.int_in_range(low..=3)?))).collect::<Result<Vec<_>>>()?;
        Ok(Form::linear(terms))
    }

    /// A program all of whose points are in the box `0..=most`.
    fn arbitrary_program(u: &mut Unstructured, most: i64) -> Result<Program> {
        let n = u.int_in_range(1..=4)?;
        let mut program = Program { n, ..Program::default() };
        program.inequalities = (0..n).map(|v| Form::linear([(v, -1)]).plus(most)).collect();
        for _ in 0..u.int_in_range(0..=2)? {
            program.objectives.push(arbitrary(u, n, 0)?);
        }
        program.n_leading = program.objectives.len();
        for _ in 0..u.int_in_range(0..=3)? {
            program.inequalities.push(arbitrary(u, n, -3)?.plus(u.int_in_range(-6..=4)?));
        }
        for _ in 0..u.int_in_range(0..=1)? {
            program.equalities.push(arbitrary(u, n, -3)?.plus(u.int_in_range(-4..=4)?));
        }
        for _ in 0..u.int_in_range(0..=2)? {
            program.regions.push(vec![arbitrary(u, n, -2)?, arbitrary(u, n, -2)?]);
        }
        Ok(program)
    }

    #[test]
    fn the_minimum_is_that_of_all_points() {
        property(600, |u| {
            let program = arbitrary_program(u, 4)?;
            let (found, best) = (program.solve(), brute_force(&program, 4));
            let objectives = |p: &Vec<i64>| program.objectives.iter().map(|f| f.at(p)).collect::<Vec<_>>();
            if program.regions.is_empty() {
                assert_eq!(found, best, "{program:?}");
            } else {
                // Beyond the objectives, the first branch that is complete is as good as any.
                assert_eq!(found.as_ref().map(objectives), best.as_ref().map(objectives), "{program:?}");
            }
            assert!(found.is_none_or(|p| is_legal(&program, &p)), "{program:?}");
            Ok(())
        });
    }

    #[test]
    fn a_reversal_is_found_when_only_that_is_legal() {
        let down = Form::linear([(0, 1), (1, -1)]);
        let program = Program {
            n: 2,
            objectives: vec![Form::linear([(0, 1), (1, 1)])],
            n_leading: 1,
            inequalities: vec![down.clone()],
            regions: vec![vec![down]],
            ..Program::default()
        };
        assert_eq!(program.solve(), Some(vec![1, 0]));
    }

    #[test]
    fn what_is_violated_by_little_between_large_numbers_is_violated() {
        const LARGE: i64 = 1 << 60;
        let program = Program {
            n: 2,
            inequalities: vec![
                Form::linear([(0, 1)]).plus(-LARGE - 127),
                Form::linear([(1, 1)]).plus(-LARGE),
                Form::linear([(0, -1), (1, 1)]).plus(60),
            ],
            ..Program::default()
        };
        assert_eq!(program.solve(), Some(vec![LARGE + 127, LARGE + 67]));
    }
}
