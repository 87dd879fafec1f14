//! The convex hull of a union: what holds at each point of its pieces and at each mean of such points.
//!
//! `{ [0]; [10, 0] }` written as two pieces has the hull `0 <= i <= 10`: `x` is a mean of a point of the first piece and one of the second if
//! `x = y + z`, with `y` in the first piece scaled by some height between 0 and 1, and `z` in the second one scaled by the rest. The rows of the
//! pieces, made homogeneous by the height, say that; eliminating `y` and the height leaves the closed hull. Over the rationals, pieces
//! without locals have one hull ([`polyhedral_hull`]). With locals that are integer divisions ([`convex_hull`]) the divisions are
//! further coordinates, so that a stride which all pieces have stays: the hull of `i in {0, 2}` and `i = 6`, with `e = floor(i/2)`, lies on `i = 2 e`.

use super::conjunction::Conjunction;
use super::hull::{framed, with_all_equalities};
use super::int::Number;
use super::map_hull::without_redundancies;
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
    without_redundancies(&hull)
}

/// The closed convex hull of pieces without locals: `x` is a sum of points of the pieces' cones whose heights add up to 1.
pub(crate) fn polyhedral_hull<T: Number>(pieces: &[Conjunction<T>]) -> Conjunction<T> {
    let mut rest = pieces.iter();
    let Some(first) = rest.next() else { return Conjunction::empty(0) };
    rest.fold(first.clone(), |hull, piece| hull_of_two(&hull, piece))
}

/// All rows are homogeneous over `[x, one, y, height]`, where `y` is the part of `x` in the cone of `a`: rounding constants to integers,
/// which elimination does, changes nothing.
fn hull_of_two<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> Conjunction<T> {
    let n = a.n_var;
    let mut lifted = Conjunction::<T>::universe(2 * n + 2);
    let width = lifted.width();
    let (one, height) = (1 + n, 2 + 2 * n);
    let mine = |row: &[T]| {
        let mut wide = vec![T::zero(); width];
        wide[height] = row[0].clone();
        wide[2 + n..2 + 2 * n].clone_from_slice(&row[1..=n]);
        wide
    };
    let theirs = |row: &[T]| {
        let mut wide = vec![T::zero(); width];
        wide[one] = row[0].clone();
        wide[height] = row[0].neg();
        for v in 0..n {
            wide[1 + v] = row[1 + v].clone();
            wide[2 + n + v] = row[1 + v].neg();
        }
        wide
    };
    a.eq.rows().for_each(|row| lifted.add_eq(&mine(row)));
    a.ineq.rows().for_each(|row| lifted.add_ineq(&mine(row)));
    b.eq.rows().for_each(|row| lifted.add_eq(&theirs(row)));
    b.ineq.rows().for_each(|row| lifted.add_ineq(&theirs(row)));
    let mut at_least_0 = vec![T::zero(); width];
    at_least_0[height] = T::one();
    lifted.add_ineq(&at_least_0);
    let mut at_most_1 = vec![T::zero(); width];
    (at_most_1[one], at_most_1[height]) = (T::one(), T::one().neg());
    lifted.add_ineq(&at_most_1);
    let shadow = eliminate_rational(&lifted, n + 1, n + 1);
    let mut hull = Conjunction::universe(n);
    let affine = |row: &[T]| {
        let mut narrow = row[..=n].to_vec();
        narrow[0] = row[one].clone();
        narrow
    };
    shadow.eq.rows().for_each(|row| hull.add_eq(&affine(row)));
    shadow.ineq.rows().for_each(|row| hull.add_ineq(&affine(row)));
    hull.simplify();
    without_redundancies(&hull)
}
