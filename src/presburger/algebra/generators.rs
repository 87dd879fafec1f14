//! Vertices, rays and lines of a polyhedron, and Farkas' lemma from their side: which affine forms are non-negative on it?
//!
//! Take the dependence `{ S[i] -> T[j] : 0 <= i <= 4, j = i + 1 }`. The forms `c0 + ci*i + cj*j` that never go below zero on it are
//! a cone. Farkas' lemma describes them by multipliers of the constraints, which then have to be eliminated; eliminating them by
//! Fourier and Motzkin's method is known to explode. The other way round there is nothing to eliminate: a form is non-negative on a
//! polyhedron if and only if it is non-negative on its vertices and rays and zero on its lines. Here the vertices are
//! `(i, j) = (0, 1)` and `(4, 5)`, so that the cone is `c0 + cj >= 0 and c0 + 4*ci + 5*cj >= 0`: one row per generator.
//!
//! The generators of the homogenised polyhedron (first coordinate: 1 for a vertex, 0 for a ray) are found by the double
//! description method (Chernikova 1965; Le Verge 1992; Fukuda and Prodon 1996): start with the whole space, as lines, and cut it
//! by one constraint after another; a cut keeps the generators on the good side and adds, for every pair of *adjacent*
//! generators on both sides, the point between them. Two rays are adjacent when no third one saturates all constraints that both do.
//! Existentials are projected out by leaving out their coordinates. Integrality is not used, which can only forbid a schedule.
//!
//! A later equality (a hyperplane of the schedule, on which a dependence has to be looked at further) is one more cut: see
//! [`Generators::on_hyperplane`].

use crate::presburger::number::budget::spend;
use crate::presburger::number::int::{Int, Number, unless_overflow};
use crate::presburger::number::matrix::{dot, reduce};

/// One generator and the set of inequalities (by number) that it satisfies with equality.
#[derive(Clone, Debug)]
struct Ray<T> {
    row: Vec<T>,
    saturated: Vec<u64>,
}

/// The minimal generators of the cone `{ (x0, x) : A x + b x0 >= 0, x0 >= 0 }` over a polyhedron.
#[derive(Clone, Debug)]
pub(crate) struct Generators<T> {
    lines: Vec<Vec<T>>,
    rays: Vec<Ray<T>>,
    n_inequality: usize,
    width: usize,
}

impl<T: Number> Generators<T> {
    /// Of the polyhedron of the `x` with `row . (1, x) = 0` for all equalities and `>= 0` for all inequalities; rows are `width` wide.
    pub fn of(width: usize, equalities: &[Vec<T>], inequalities: &[Vec<T>]) -> Self {
        let unit = |i: usize| (0..width).map(|j| T::from_i64((i == j) as i64)).collect::<Vec<T>>();
        let mut cone = Generators { lines: (0..width).map(unit).collect(), rays: Vec::new(), n_inequality: 0, width };
        equalities.iter().for_each(|row| cone.cut_equality(row));
        cone.cut_inequality(&unit(0));
        let mut order: Vec<&Vec<T>> = inequalities.iter().collect();
        order.sort_by_key(|row| row.iter().filter(|x| !x.is_zero()).count());
        order.iter().for_each(|row| cone.cut_inequality(row));
        cone
    }

    /// Whether the polyhedron has no rational point.
    pub fn is_empty(&self) -> bool {
        !self.rays.iter().any(|ray| ray.row[0].is_positive())
    }

    /// Directions in which the polyhedron is unbounded both ways: a form that is non-negative on it is zero on them.
    pub fn lines(&self) -> impl Iterator<Item = &[T]> {
        self.lines.iter().map(Vec::as_slice)
    }

    /// Vertices (first coordinate positive) and rays (zero): a form that is non-negative on the polyhedron is so on them.
    pub fn rays(&self) -> impl Iterator<Item = &[T]> {
        self.rays.iter().map(|ray| ray.row.as_slice())
    }

    /// The part of the polyhedron on which the form `row . (1, x)` is zero.
    pub fn on_hyperplane(&self, row: &[T]) -> Self {
        let mut cone = self.clone();
        cone.cut_equality(row);
        cone
    }

    fn cut_equality(&mut self, row: &[T]) {
        if self.take_line(row).is_some() {
            return;
        }
        let values = self.values(row);
        let between = self.between(&values);
        let mut on = values.iter().map(Number::is_zero);
        self.rays.retain(|_| on.next().unwrap_or(false));
        self.rays.extend(between);
    }

    fn cut_inequality(&mut self, row: &[T]) {
        let number = self.n_inequality;
        self.n_inequality += 1;
        let words = number / 64 + 1;
        self.rays.iter_mut().for_each(|ray| ray.saturated.resize(words, 0));
        if let Some(line) = self.take_line(row) {
            self.rays.iter_mut().for_each(|ray| saturate(&mut ray.saturated, number));
            let all_before = (0..words).map(|w| full_word(number, w)).collect();
            self.rays.push(Ray { row: line, saturated: all_before });
            return;
        }
        let values = self.values(row);
        let mut between = self.between(&values);
        between.iter_mut().for_each(|ray| saturate(&mut ray.saturated, number));
        let mut value = values.iter();
        self.rays.retain_mut(|ray| {
            let sign = value.next().map_or(0, Number::sign);
            if sign == 0 {
                saturate(&mut ray.saturated, number);
            }
            sign >= 0
        });
        self.rays.extend(between);
    }

    fn values(&self, row: &[T]) -> Vec<T> {
        spend(self.rays.len() as u64);
        self.rays.iter().map(|ray| dot(row, &ray.row)).collect()
    }

    /// If some line leaves the hyperplane: removes it from the lines, bends all other generators along it onto the hyperplane, and
    /// returns it, pointing to the positive side.
    fn take_line(&mut self, row: &[T]) -> Option<Vec<T>> {
        let leaving = self.lines.iter().position(|line| !dot(row, line).is_zero())?;
        let mut line = self.lines.remove(leaving);
        let mut along = dot(row, &line);
        if along.is_negative() {
            line.iter_mut().for_each(|x| *x = x.neg());
            along = along.neg();
        }
        let bend = |target: &mut Vec<T>| {
            let value = dot(row, target);
            if !value.is_zero() {
                *target = target.iter().zip(&line).map(|(t, l)| t.combine(&along, l, &value.neg())).collect();
                reduce(target);
            }
        };
        self.lines.iter_mut().for_each(bend);
        self.rays.iter_mut().for_each(|ray| bend(&mut ray.row));
        Some(line)
    }

    /// The rays that the hyperplane cuts out of the two-dimensional faces, given the value of each ray on it.
    fn between(&self, values: &[T]) -> Vec<Ray<T>> {
        let side = |sign: i32| (0..values.len()).filter(move |&r| values[r].sign() == sign);
        let mut found = Vec::new();
        for p in side(1) {
            for n in side(-1) {
                let (above, below) = (&self.rays[p], &self.rays[n]);
                let common: Vec<u64> = above.saturated.iter().zip(&below.saturated).map(|(a, b)| a & b).collect();
                if !self.adjacent(p, n, &common) {
                    continue;
                }
                let weight = values[n].neg();
                let mut row: Vec<T> =
                    above.row.iter().zip(&below.row).map(|(a, b)| a.combine(&weight, b, &values[p])).collect();
                reduce(&mut row);
                found.push(Ray { row, saturated: common });
            }
        }
        found
    }

    fn adjacent(&self, p: usize, n: usize, common: &[u64]) -> bool {
        spend(1 + self.rays.len() as u64 / 16);
        let contains_common = |ray: &Ray<T>| common.iter().zip(&ray.saturated).all(|(c, s)| c & !s == 0);
        !self.rays.iter().enumerate().any(|(r, ray)| r != p && r != n && contains_common(ray))
    }
}

impl<T: Number> Generators<T> {
    fn widen(&self) -> Generators<Int> {
        let convert = |row: &Vec<T>| row.iter().map(Number::to_int).collect::<Vec<Int>>();
        Generators {
            lines: self.lines.iter().map(convert).collect(),
            rays: self.rays.iter().map(|r| Ray { row: convert(&r.row), saturated: r.saturated.clone() }).collect(),
            n_inequality: self.n_inequality,
            width: self.width,
        }
    }
}

/// The generators of a polyhedron in the smallest precision that holds them.
#[derive(Clone, Debug)]
pub(crate) enum Cone {
    /// In machine words.
    Machine(Generators<i64>),
    /// In big integers.
    Wide(Generators<Int>),
}

impl Cone {
    /// See [`Generators::of`].
    pub fn of(width: usize, equalities: &[Vec<Int>], inequalities: &[Vec<Int>]) -> Cone {
        let narrow = |rows: &[Vec<Int>]| -> Option<Vec<Vec<i64>>> {
            rows.iter().map(|row| row.iter().map(Int::as_i64).collect()).collect()
        };
        if let (Some(eq), Some(ineq)) = (narrow(equalities), narrow(inequalities))
            && let Some(machine) = unless_overflow(|| Generators::of(width, &eq, &ineq))
        {
            return Cone::Machine(machine);
        }
        Cone::Wide(Generators::of(width, equalities, inequalities))
    }

    /// The lines and the rays.
    pub fn generators(&self) -> (Vec<Vec<Int>>, Vec<Vec<Int>>) {
        fn wide<'a, T: Number>(rows: impl Iterator<Item = &'a [T]>) -> Vec<Vec<Int>> {
            rows.map(|row| row.iter().map(Number::to_int).collect()).collect()
        }
        match self {
            Cone::Machine(g) => (wide(g.lines()), wide(g.rays())),
            Cone::Wide(g) => (wide(g.lines()), wide(g.rays())),
        }
    }

    /// Number of coordinates.
    pub fn width(&self) -> usize {
        match self {
            Cone::Machine(g) => g.width,
            Cone::Wide(g) => g.width,
        }
    }

    /// See [`Generators::is_empty`].
    pub fn is_empty(&self) -> bool {
        match self {
            Cone::Machine(g) => g.is_empty(),
            Cone::Wide(g) => g.is_empty(),
        }
    }

    /// See [`Generators::on_hyperplane`].
    pub fn on_hyperplane(&self, row: &[i64]) -> Cone {
        let wide: Vec<Int> = row.iter().map(|x| Int::from(*x)).collect();
        match self {
            Cone::Machine(g) => match unless_overflow(|| g.on_hyperplane(row)) {
                Some(machine) => Cone::Machine(machine),
                None => Cone::Wide(g.widen().on_hyperplane(&wide)),
            },
            Cone::Wide(g) => Cone::Wide(g.on_hyperplane(&wide)),
        }
    }

    /// The lines and the rays, restricted to the first `width` coordinates, if they fit a machine word.
    pub fn rows(&self, width: usize) -> Option<(Vec<Vec<i64>>, Vec<Vec<i64>>)> {
        fn narrow<'a, T: Number>(rows: impl Iterator<Item = &'a [T]>, width: usize) -> Option<Vec<Vec<i64>>> {
            let mut narrowed: Vec<Vec<i64>> = Vec::new();
            for row in rows {
                let mut row: Vec<i64> = row[..width].iter().map(Number::to_i64).collect::<Option<_>>()?;
                reduce(&mut row);
                if row.iter().any(|x| *x != 0) && !narrowed.contains(&row) {
                    narrowed.push(row);
                }
            }
            Some(narrowed)
        }
        match self {
            Cone::Machine(g) => Some((narrow(g.lines(), width)?, narrow(g.rays(), width)?)),
            Cone::Wide(g) => Some((narrow(g.lines(), width)?, narrow(g.rays(), width)?)),
        }
    }
}

fn saturate(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// The `w`-th word of the set of all numbers below `n`.
fn full_word(n: usize, w: usize) -> u64 {
    match n.saturating_sub(64 * w) {
        0 => 0,
        bits if bits >= 64 => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::property;

    fn sorted(mut rows: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        rows.sort();
        rows
    }

    fn rays(width: usize, eq: &[Vec<i64>], ineq: &[Vec<i64>]) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
        let g = Generators::<i64>::of(width, eq, ineq);
        (sorted(g.lines().map(<[i64]>::to_vec).collect()), sorted(g.rays().map(<[i64]>::to_vec).collect()))
    }

    #[test]
    fn a_segment_has_its_two_ends() {
        let (lines, vertices) = rays(3, &[vec![1, 1, -1]], &[vec![0, 1, 0], vec![4, -1, 0]]);
        assert_eq!((lines, vertices), (vec![], vec![vec![1, 0, 1], vec![1, 4, 5]]));
    }

    #[test]
    fn a_parametric_square_has_few_generators() {
        let square = [vec![0, 0, 1, 0], vec![0, 0, 0, 1], vec![-1, 1, -1, 0], vec![-1, 1, 0, -1]];
        let (lines, generators) = rays(4, &[], &square);
        assert!(lines.is_empty());
        let expected = [[0, 1, 0, 0], [0, 1, 0, 1], [0, 1, 1, 0], [0, 1, 1, 1], [1, 1, 0, 0]];
        assert_eq!(generators, expected.map(|r| r.to_vec()).to_vec());
    }

    #[test]
    fn an_empty_polyhedron_has_no_vertex() {
        let g = Generators::<i64>::of(2, &[], &[vec![-5, 1], vec![4, -1]]);
        assert!(g.is_empty());
        let h = Generators::<i64>::of(2, &[], &[vec![-5, 1]]);
        assert!(!h.is_empty() && h.on_hyperplane(&[-4, 1]).is_empty() && !h.on_hyperplane(&[-7, 1]).is_empty());
    }

    #[test]
    fn a_form_is_valid_exactly_when_it_is_valid_on_the_generators() {
        property(300, |u| {
            let ineq: Vec<Vec<i64>> = (0..4)
                .map(|_| (0..3).map(|_| u.int_in_range(-3..=3)).collect::<Result<_, _>>())
                .collect::<Result<_, _>>()?;
            let bounded: Vec<Vec<i64>> =
                ineq.into_iter().chain([vec![5, 1, 0], vec![5, -1, 0], vec![5, 0, 1], vec![5, 0, -1]]).collect();
            let form: Vec<i64> = (0..3).map(|_| u.int_in_range(-4..=4)).collect::<Result<_, _>>()?;
            let g = Generators::<i64>::of(3, &[], &bounded);
            let by_generators = g.rays().all(|r| dot(&form, r) >= 0);
            let inside = |p: &[i64; 3]| bounded.iter().all(|row| dot(row, p) >= 0);
            let points = (-5..=5).flat_map(|x| (-5..=5).map(move |y| [1, x, y]));
            let by_points = points.filter(inside).all(|p| dot(&form, &p) >= 0);
            assert!(!by_generators || by_points, "{form:?} on {bounded:?}");
            for r in g.rays() {
                assert!(bounded.iter().all(|row| dot(row, r) >= 0), "{r:?} is outside of {bounded:?}");
                let separating = bounded.iter().filter(|row| dot(row, r) == 0).count();
                assert!(separating >= 2, "{r:?} is not extreme in {bounded:?}");
            }
            Ok(())
        });
    }
}
