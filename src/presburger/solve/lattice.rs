//! Integer points of thin bodies, by a reduced basis of the lattice.
//!
//! `{ [x, y] : 0 <= 113 x - 205 y <= 1, 3 <= 97 x - 176 y <= 4 }` has four corners and a volume of a few thousandths, but is long: neither coordinate
//! is held by its own bounds, and cuts creep along it. In the coordinates `(u, v)` of another basis of the same lattice it is
//! as wide as it is long, and then trying all values of the last coordinate, in each of them those of the one before, is a short search (Lenstra, "Integer
//! programming with a fixed number of variables", 1983). The basis is the one of Lenstra, Lenstra and Lovasz (1982), for the length that measures a
//! step by how far it goes through the body: the sum over the constraints of the squares of `a . d / width(a)`. It is computed in exact integers (Cohen, "A
//! Course in Computational Algebraic Number Theory", 2.6.7). The last vectors of such a basis have the longest components across those before, so
//! that few values are left for their coordinates: these are tried first.

use super::ilp::Found;
use super::simplex::{Bound, Simplex, relax};
use crate::presburger::conjunction::unit_row;
use crate::presburger::number::budget::{spend, spend_rows};
use crate::presburger::number::int::{Int, Number, unless_overflow};
use crate::presburger::number::matrix::{Matrix, dot};

/// An integer `z` with `row . (1, z) >= 0` for all rows, whose rational solutions are bounded; never undecided.
pub(crate) fn point<T: Number>(rows: &Matrix<T>) -> Found<T> {
    let rows: Matrix<Int> = rows.convert();
    let Some(lengths) = squared_lengths(&rows) else { return Found::Nothing };
    let basis = reduced(&lengths);
    let turned = Matrix::from_rows(rows.width(), rows.rows().map(|row| turned(row, &basis)));
    let found = unless_overflow(|| searched::<i64>(&turned))
        .or_else(|| unless_overflow(|| searched::<i128>(&turned)))
        .unwrap_or_else(|| searched::<Int>(&turned));
    match found {
        None => Found::Nothing,
        Some(y) => Found::Point((0..basis.width()).map(|c| T::from_int(&along(&basis, &y, c))).collect()),
    }
}

/// Coordinate `c` of the point whose coordinates in the basis are `y`.
fn along(basis: &Matrix<Int>, y: &[Int], c: usize) -> Int {
    let mut sum = Int::zero();
    basis.rows().zip(y).for_each(|(vector, y)| sum.add_mul(&vector[c], y));
    sum
}

/// The row in the coordinates of the basis.
fn turned(row: &[Int], basis: &Matrix<Int>) -> Vec<Int> {
    [row[0].clone()].into_iter().chain(basis.rows().map(|vector| dot(&row[1..], vector))).collect()
}

/// The products of the unit vectors with each other, where a step counts by the part of each constraint's range that it crosses. `None` if there is no
/// rational solution.
fn squared_lengths(rows: &Matrix<Int>) -> Option<Matrix<Int>> {
    let k = rows.width() - 1;
    let mut simplex = relax(rows)?;
    let widths: Vec<Int> = rows
        .rows()
        .map(|row| match simplex.maximum(row) {
            Bound::Value(n, d) => n.div_floor(&d).add(&Int::one()),
            _ => panic!("law: the body is bounded"),
        })
        .collect();
    let widest = widths.iter().max().cloned().unwrap_or_else(Int::one);
    let mut products = Matrix::from_rows(k, (0..k).map(|_| vec![Int::zero(); k]));
    for (row, width) in rows.rows().zip(&widths) {
        spend_rows(k, k);
        let weight = widest.div_ceil(width);
        let weight = weight.mul(&weight);
        for i in (0..k).filter(|i| !row[1 + i].is_zero()) {
            let factor = weight.mul(&row[1 + i]);
            products.row_mut(i).iter_mut().zip(&row[1..]).for_each(|(sum, x)| sum.add_mul(&factor, x));
        }
    }
    Some(products)
}

/// A reduced basis of the integer vectors, one per row, for the given products of unit vectors, which are positive definite.
fn reduced(products: &Matrix<Int>) -> Matrix<Int> {
    let n = products.width();
    let mut state = Reduction {
        basis: Matrix::from_rows(n, (0..n).map(|i| unit_row(n, i))),
        d: vec![Int::one()],
        lambda: Matrix::from_rows(n, (0..n).map(|_| vec![Int::zero(); n])),
    };
    let (mut k, mut known) = (0, 0);
    while k < n {
        if k == known {
            state.orthogonalise(k, products);
            known += 1;
        }
        if k == 0 {
            k = 1;
            continue;
        }
        state.shorten(k, k - 1);
        if state.is_out_of_order(k) {
            state.swap(k, known);
            k = (k - 1).max(1);
        } else {
            (0..k - 1).rev().for_each(|l| state.shorten(k, l));
            k += 1;
        }
    }
    state.basis
}

/// Vectors with their orthogonal parts: `d[i + 1] / d[i]` is the squared length of that of vector `i`, and `lambda[i][j] / d[j + 1]` the component of vector `i`
/// along that of vector `j`. All integers.
struct Reduction {
    basis: Matrix<Int>,
    d: Vec<Int>,
    lambda: Matrix<Int>,
}

impl Reduction {
    fn orthogonalise(&mut self, k: usize, products: &Matrix<Int>) {
        let n = products.width();
        spend_rows(n, n);
        let image: Vec<Int> = products.rows().map(|row| dot(row, self.basis.row(k))).collect();
        for j in 0..=k {
            let mut u = dot(self.basis.row(j), &image);
            for i in 0..j {
                u = self.d[i + 1].mul(&u).sub(&self.lambda.row(k)[i].mul(&self.lambda.row(j)[i])).div_exact(&self.d[i]);
            }
            if j < k {
                self.lambda.row_mut(k)[j] = u;
            } else {
                assert!(u.is_positive(), "law: the products are positive definite");
                self.d.push(u);
            }
        }
    }

    /// Takes the multiple of vector `l` from vector `k` that leaves the smallest component.
    fn shorten(&mut self, k: usize, l: usize) {
        let two = Int::from(2);
        let (component, length) = (self.lambda.row(k)[l].mul(&two), &self.d[l + 1]);
        if component.abs() <= *length {
            return;
        }
        spend(1 + self.basis.width() as u64);
        let q = component.add(length).div_floor(&length.mul(&two)).neg();
        self.lambda.row_mut(k)[l].add_mul(&q, &self.d[l + 1]);
        self.basis.combine_rows(k, &Int::one(), l, &q);
        let (mine, theirs) = self.lambda.two_rows(k, l);
        mine[..l].iter_mut().zip(&theirs[..l]).for_each(|(x, y)| x.add_mul(&q, y));
    }

    /// Lovasz's condition, with the factor 3/4.
    fn is_out_of_order(&self, k: usize) -> bool {
        let (before, at, after) = (&self.d[k - 1], &self.d[k], &self.d[k + 1]);
        let component = &self.lambda.row(k)[k - 1];
        let left = after.mul(before).add(&component.mul(component)).mul(&Int::from(4));
        left < at.mul(at).mul(&Int::from(3))
    }

    /// Exchanges vectors `k` and `k - 1` of the `known` ones.
    fn swap(&mut self, k: usize, known: usize) {
        spend(1 + known as u64);
        self.basis.swap_rows(k, k - 1);
        let (x, y) = self.lambda.two_rows(k, k - 1);
        x[..k - 1].swap_with_slice(&mut y[..k - 1]);
        let component = self.lambda.row(k)[k - 1].clone();
        let (before, at, after) = (self.d[k - 1].clone(), self.d[k].clone(), self.d[k + 1].clone());
        let new = before.mul(&after).add(&component.mul(&component)).div_exact(&at);
        for i in k + 1..known {
            let row = self.lambda.row_mut(i);
            let t = row[k].clone();
            row[k] = after.mul(&row[k - 1]).sub(&component.mul(&t)).div_exact(&at);
            row[k - 1] = new.mul(&t).add(&component.mul(&row[k])).div_exact(&after);
        }
        self.d[k] = new;
    }
}

/// An integer solution of the rows, the last coordinate tried first.
fn searched<T: Number>(rows: &Matrix<Int>) -> Option<Vec<Int>> {
    let rows: Matrix<T> = rows.convert();
    let simplex = relax(&rows)?;
    let found = below(&rows, simplex, rows.width() - 1)?;
    Some(found.iter().map(Number::to_int).collect())
}

/// An integer solution, where the coordinates from `free` on have been fixed.
fn below<T: Number>(rows: &Matrix<T>, mut simplex: Simplex<T>, free: usize) -> Option<Vec<T>> {
    let nearest: Vec<T> = simplex.point().iter().map(|(n, d)| n.add(n).add(d).div_floor(&d.add(d))).collect();
    spend_rows(rows.len(), rows.width());
    if rows.rows().all(|row| !row[0].add(&dot(&row[1..], &nearest)).is_negative()) {
        return Some(nearest);
    }
    let last = free.checked_sub(1)?;
    let mut row = unit_row(rows.width(), 1 + last);
    let (least, greatest) = (simplex.minimum(&row).ceil()?, simplex.maximum(&row).floor()?);
    let mut value = least;
    while value <= greatest {
        row[0] = value.neg();
        spend_rows(2 * rows.len(), rows.width());
        let mut part = simplex.clone();
        part.add_eq(&row);
        if !part.is_empty() {
            let found = below(rows, part, last);
            if found.is_some() {
                return found;
            }
        }
        value = value.add(&T::one());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_example_of_the_header() {
        let thin = |low: i64| {
            Matrix::from_rows(
                3,
                [vec![0, 113, -205], vec![1, -113, 205], vec![-low, 97, -176], vec![low + 1, -97, 176]],
            )
        };
        for low in -60..60 {
            let rows = thin(low);
            let expected = brute::points(1, 600).iter().find_map(|y| {
                let x = (205 * y[0]).div_euclid(113);
                [x, x + 1]
                    .into_iter()
                    .map(|x| vec![x, y[0]])
                    .find(|z| rows.rows().all(|row| row[0] + row[1] * z[0] + row[2] * z[1] >= 0))
            });
            match point(&rows) {
                Found::Point(z) => assert!(rows.rows().all(|row| row[0] + dot(&row[1..], &z) >= 0), "{z:?}"),
                other => assert_eq!((other, expected), (Found::Nothing, None), "{low}"),
            }
        }
    }

    #[test]
    fn a_point_is_found_exactly_if_there_is_one() {
        property(500, |u| {
            let n = u.int_in_range(1..=3)?;
            let conj = brute::bounded(&brute::conjunction(u, n, 0, 5)?);
            let mut rows = conj.ineq.clone();
            for row in conj.eq.rows() {
                rows.push(row);
                rows.push(&row.iter().map(Number::neg).collect::<Vec<i64>>());
            }
            let expected = brute::points(n, brute::BOX).iter().any(|x| brute::contains(&conj, x));
            match point(&rows) {
                Found::Point(z) => assert!(brute::contains(&conj, &z), "{z:?} in {conj:?}"),
                other => assert_eq!((other, expected), (Found::Nothing, false), "{conj:?}"),
            }
            Ok(())
        });
    }
}
