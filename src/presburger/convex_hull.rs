//! The convex hull of a union: what holds at each point of its pieces and at each mean of such points.
//!
//! The hull of `{ [i] : 0 <= i <= 2 }` and `{ [9] }` is `0 <= i <= 9`. A polyhedron is what its vertices, rays and lines generate, and so is the hull
//! of several: of those of all. An affine form is non-negative on it if it is so on the generators `(1, 0)`, `(1, 2)` and `(1, 9)`; such forms are a
//! cone, and its own generators `i >= 0` and `9 - i >= 0` are the facets. Both ways are double description ([`super::generators`]; the first
//! coordinate there tells vertices, which the cone of forms has no use for: its rows have 0 there). Over the rationals, pieces without
//! locals have one hull ([`polyhedral_hull`]). With locals that are integer divisions ([`convex_hull`]) the divisions are
//! further coordinates, so that a stride which all pieces have stays: the hull of `i in {0, 2}` and `i = 6`, with `e = floor(i/2)`, lies on `i = 2 e`.

use super::conjunction::Conjunction;
use super::generators::Cone;
use super::hull::{framed, with_all_equalities};
use super::int::{Int, Number};
use super::matrix::Matrix;
use super::project::eliminate_rational;
use super::sample::locals_as_variables;

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

/// The closed hull of pieces without locals: the forms that are non-negative on the generators of all of them.
pub(crate) fn polyhedral_hull<T: Number>(pieces: &[Conjunction<T>]) -> Conjunction<T> {
    let Some(n) = pieces.first().map(|piece| piece.n_var) else { return Conjunction::empty(0) };
    let (mut lines, mut rays) = (Vec::new(), Vec::new());
    for piece in pieces {
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
