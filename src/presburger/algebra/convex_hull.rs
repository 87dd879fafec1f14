//! The convex hull of a union: what holds at each point of its pieces and at each mean of such points.
//!
//! The hull of `{ [i] : 0 <= i <= 2 }` and `{ [9] }` is `0 <= i <= 9`. A polyhedron is what its vertices, rays and lines generate, and so is the hull
//! of several: of those of all. An affine form is non-negative on it if it is so on the generators `(1, 0)`, `(1, 2)` and `(1, 9)`; such forms are a
//! cone, and its own generators `i >= 0` and `9 - i >= 0` are the facets. Both ways are double description ([`super::generators`]; the first
//! coordinate there tells vertices, which the cone of forms has no use for: its rows have 0 there). Over the rationals, pieces without
//! locals have one hull ([`polyhedral_hull`]). With locals that are integer divisions ([`convex_hull`]) the divisions are
//! further coordinates, so that a stride which all pieces have stays: the hull of `i in {0, 2}` and `i = 6`, with `e = floor(i/2)`, lies on `i = 2 e`.
//! Each piece is tightened to its integers first, as far as its equalities show them.

use super::generators::Cone;
use super::hull::{framed, with_all_equalities};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::conjunction::divs::locals_as_variables;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::Matrix;
use crate::presburger::solve::presolve::Reduction;
use crate::presburger::solve::project::eliminate_rational;

/// The hull of pieces, in which the divs of all are coordinates.
pub(crate) fn convex_hull<T: Number>(pieces: &[Conjunction<T>]) -> Conjunction<T> {
    let Some(n_var) = pieces.first().map(|piece| piece.n_var) else { return Conjunction::empty(0) };
    let (mut hull, framed) = framed(pieces);
    let n_flat = n_var + hull.n_local();
    let flat = |piece: &Conjunction<T>| {
        let flat = locals_as_variables(piece);
        let plain = flat.n_var - n_flat;
        let flat = eliminate_rational(&flat, n_flat, plain).rearrange(&(0..n_flat).map(Some).collect::<Vec<_>>());
        with_all_equalities(&flat)
    };
    let found = polyhedral_hull(&framed.iter().map(flat).collect::<Vec<_>>());
    found.eq.rows().for_each(|row| hull.add_eq(row));
    found.ineq.rows().for_each(|row| hull.add_ineq(row));
    hull.simplify();
    hull
}

/// The same integer points, with inequalities that are tight between those points that the equalities leave: on `2 q = 3 i` the number `i` is even,
/// so that `i >= 1` is `i >= 2` there.
fn tightened<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    if conj.known_empty {
        return conj.clone();
    }
    if conj.eq.is_empty() {
        return rounded(conj);
    }
    let Some(reduction) = Reduction::of_equalities(conj) else { return Conjunction::empty(conj.n_var) };
    let mut rest = reduction.rest.clone();
    rest.touched();
    rest.simplify();
    if rest.known_empty {
        return Conjunction::empty(conj.n_var);
    }
    let mut result = conj.clone();
    rest.ineq.rows().for_each(|row| result.add_ineq(&reduction.in_terms_of_all(row)));
    rest.eq.rows().for_each(|row| result.add_eq(&reduction.in_terms_of_all(row)));
    rounded(&result)
}

/// The same integer points, with inequalities without the terms that never count: with `0 <= j <= 3`, `4 i <= j - 4` is `i <= -1`.
fn rounded<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let width = conj.width();
    let mut bounds: Vec<[Option<T>; 2]> = vec![[None, None]; width];
    for row in conj.ineq.rows() {
        spend_rows(1, width);
        let mut used = (1..width).filter(|&c| !row[c].is_zero());
        if let (Some(c), None) = (used.next(), used.next()) {
            let [least, most] = &mut bounds[c];
            if row[c].is_positive() {
                let value = row[0].neg().div_ceil(&row[c]);
                *least = least.take().into_iter().chain([value]).max();
            } else {
                let value = row[0].div_floor(&row[c].neg());
                *most = most.take().into_iter().chain([value]).min();
            }
        }
    }
    let mut result = conj.clone();
    for row in conj.ineq.rows() {
        let mut sizes: Vec<T> =
            row[1..].iter().map(Number::abs).filter(|size| !size.is_zero() && !size.is_one()).collect();
        sizes.sort();
        sizes.dedup();
        if let Some(shorter) = sizes.iter().rev().find_map(|by| without_small_terms(row, by, &bounds)) {
            result.add_ineq(&shorter);
        }
    }
    result
}

/// The row divided by `by`, if all values of the terms that it does not divide are rounded to the same number.
fn without_small_terms<T: Number>(row: &[T], by: &T, bounds: &[[Option<T>; 2]]) -> Option<Vec<T>> {
    let (mut least, mut most) = (row[0].clone(), row[0].clone());
    let mut shorter = vec![T::zero(); row.len()];
    for c in 1..row.len() {
        if row[c].rem_floor(by).is_zero() {
            shorter[c] = row[c].div_exact(by);
            continue;
        }
        let [low, high] = &bounds[c];
        let (low, high) = (low.as_ref()?, high.as_ref()?);
        let (low, high) = if row[c].is_positive() { (low, high) } else { (high, low) };
        least.add_mul(&row[c], low);
        most.add_mul(&row[c], high);
    }
    shorter[0] = least.div_floor(by);
    (shorter[0] == most.div_floor(by)).then_some(shorter)
}

/// The closed hull of pieces without locals: the forms that are non-negative on the generators of all of them.
pub(crate) fn polyhedral_hull<T: Number>(pieces: &[Conjunction<T>]) -> Conjunction<T> {
    let Some(n) = pieces.first().map(|piece| piece.n_var) else { return Conjunction::empty(0) };
    let (mut lines, mut rays) = (Vec::new(), Vec::new());
    for piece in pieces.iter().map(tightened) {
        let rows =
            |rows: &Matrix<T>| rows.rows().map(|row| row.iter().map(Number::to_int).collect()).collect::<Vec<_>>();
        let cone = Cone::of(1 + n, &rows(&piece.eq), &rows(&piece.ineq));
        if !cone.is_empty() {
            let (own_lines, own_rays) = cone.generators();
            lines.extend(own_lines);
            rays.extend(own_rays);
        }
    }
    if rays.is_empty() {
        return Conjunction::empty(n);
    }
    let beside = |rows: Vec<Vec<Int>>| -> Vec<Vec<Int>> {
        rows.into_iter().map(|row| [Int::zero()].into_iter().chain(row).collect()).collect()
    };
    let (equalities, inequalities) = Cone::of(2 + n, &beside(lines), &beside(rays)).generators();
    let mut hull = Conjunction::universe(n);
    let form = |row: &Vec<Int>| row[1..].iter().map(T::from_int).collect::<Vec<T>>();
    equalities.iter().for_each(|row| hull.add_eq(&form(row)));
    inequalities.iter().filter(|row| row[0].is_zero()).for_each(|row| hull.add_ineq(&form(row)));
    hull.simplify();
    hull
}
