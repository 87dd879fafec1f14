//! Hulls: what holds at all integer points of a conjunction, or of a union.
//!
//! *Affine hull.* At all integer points of `{ [i, j] : 1 <= 3 i - 3 j + 2 <= 4 }` (that is, at `i = j`) an equality holds that no inequality shows.
//! Implicit equalities that the simplex sees come first. If a point and its neighbour in each direction are in the set, it has
//! no others, which is what sampling a set moved inwards finds; if not, the affine space through points that are found grows until no
//! point lies beside it. In a union, divs are aligned and count as further dimensions, so that `i mod 4 = 0` survives if it holds in each
//! piece; the equalities of the union are the common row space of those of the pieces.
//!
//! *Simple hull.* The constraints of the pieces, each weakened until it holds (over the rationals, rounded) in all pieces.

use crate::presburger::conjunction::align::{Unknown, align, placed};
use crate::presburger::conjunction::divs::locals_as_variables;
use crate::presburger::conjunction::{Conjunction, unit_row};
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::{Matrix, eliminate, reduce, solve_last_first};
use crate::presburger::solve::presolve::Reduction;
use crate::presburger::solve::redundancy;
use crate::presburger::solve::sample::sample;
use crate::presburger::solve::simplex::{Bound, Simplex};

/// The same points, with every equality (between variables and locals) that holds at all of them.
pub(crate) fn with_all_equalities<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let mut result = conj.clone();
    redundancy::detect_equalities(&mut result);
    if result.known_empty || result.ineq.is_empty() && result.n_local() == 0 {
        return result;
    }
    let Some(reduction) = Reduction::of_equalities(&result) else {
        return Conjunction::empty(conj.n_var);
    };
    let Some(found) = thin_equalities(&reduction.rest) else { return Conjunction::empty(conj.n_var) };
    if !found.is_empty() {
        found.rows().for_each(|row| result.add_eq(&reduction.in_terms_of_all(row)));
        result.simplify();
    }
    result
}

/// The equalities that hold at all integer points of inequalities; `None` if there is no point.
fn thin_equalities<T: Number>(rest: &Conjunction<T>) -> Option<Matrix<T>> {
    let n = rest.n_var;
    if sample(&thinned(rest)).is_some() {
        return Some(Matrix::new(1 + n));
    }
    let start = sample(rest)?;
    let mut rows = Matrix::new(1 + n);
    for v in 0..n {
        let mut row = unit_row(1 + n, 1 + v);
        row[0] = start[v].neg();
        rows.push(&row);
    }
    let mut r = 0;
    while r < rows.len() {
        spend(1);
        match point_beside(rest, rows.row(r)) {
            None => r += 1,
            Some(point) => widen(&mut rows, r, &point),
        }
    }
    Some(rows)
}

/// The points that are in `rest` with all neighbours one further in a coordinate.
fn thinned<T: Number>(rest: &Conjunction<T>) -> Conjunction<T> {
    let mut result = rest.clone();
    for r in 0..result.ineq.len() {
        let row = result.ineq.row_mut(r);
        let least = row[1..].iter().filter(|x| x.is_negative()).min().cloned();
        if let Some(least) = least {
            row[0] = row[0].add(&least);
        }
    }
    result.touched();
    result
}

/// A point of the conjunction where the row is not 0.
fn point_beside<T: Number>(conj: &Conjunction<T>, row: &[T]) -> Option<Vec<T>> {
    [false, true].into_iter().find_map(|negate| {
        let mut side: Vec<T> = if negate { row.iter().map(Number::neg).collect() } else { row.to_vec() };
        side[0] = side[0].sub(&T::one());
        let mut part = conj.clone();
        part.add_ineq(&side);
        sample(&part)
    })
}

/// The combinations of the rows that also hold at the point, where row `r` (and none before it) does not.
fn widen<T: Number>(rows: &mut Matrix<T>, r: usize, point: &[T]) {
    let value = |row: &[T]| {
        let mut sum = row[0].clone();
        row[1..].iter().zip(point).for_each(|(a, x)| sum.add_mul(a, x));
        sum
    };
    let at_pivot = value(rows.row(r));
    for k in r + 1..rows.len() {
        let at_row = value(rows.row(k));
        if !at_row.is_zero() {
            rows.combine_rows(k, &at_pivot, r, &at_row.neg());
            reduce(rows.row_mut(k));
        }
    }
    rows.remove(r);
}

/// The pieces over common divs, which are those of the first result; plain existentials come after them.
pub(crate) fn framed<T: Number>(pieces: &[Conjunction<T>]) -> (Conjunction<T>, Vec<Conjunction<T>>) {
    let mut frame = Conjunction::universe(pieces[0].n_var);
    for piece in pieces {
        let known: Vec<bool> = piece.divs.rows().map(|div| div[0].is_zero()).collect();
        let mut divs = Conjunction { divs: piece.divs.clone(), ..Conjunction::universe(piece.n_var) };
        (divs.eq, divs.ineq) = (Matrix::new(piece.width()), Matrix::new(piece.width()));
        divs.remove_locals(&known);
        align(&mut frame, &divs, Unknown::Apart);
    }
    let in_frame = |piece: &Conjunction<T>| {
        let mut result = frame.clone();
        let place = align(&mut result, piece, Unknown::Apart);
        let width = result.width();
        result.eq = Matrix::from_rows(width, piece.eq.rows().map(|row| placed(row, &place, width)));
        result.ineq = Matrix::from_rows(width, piece.ineq.rows().map(|row| placed(row, &place, width)));
        result.touched();
        result
    };
    let all = pieces.iter().map(in_frame).collect();
    (frame, all)
}

/// The conjunction of all equalities, also between divs and thus on remainders, that hold at all points of the union.
pub(crate) fn affine_hull<T: Number>(pieces: &[Conjunction<T>]) -> Conjunction<T> {
    let Some(n_var) = pieces.first().map(|piece| piece.n_var) else { return Conjunction::empty(0) };
    let exact: Vec<Conjunction<T>> =
        pieces.iter().map(with_all_equalities).filter(|piece| !piece.known_empty).collect();
    if exact.is_empty() {
        return Conjunction::empty(n_var);
    }
    let (mut hull, framed) = framed(&exact);
    let width = hull.width();
    let mut common: Option<Matrix<T>> = None;
    for (piece, own) in framed.iter().zip(&exact) {
        let rows = if piece.n_local() == own.n_local() {
            known_equalities(piece, width)
        } else {
            known_equalities(&with_all_equalities(&locals_as_variables(piece)), width)
        };
        common = Some(match common {
            None => rows,
            Some(before) => common_rows(&before, &rows),
        });
    }
    common.iter().flat_map(|rows| rows.rows()).for_each(|row| hull.add_eq(row));
    hull.simplify();
    hull
}

/// The equalities of a piece, without the columns of plain existentials, which start at `width`, and the definitions of divs that leave no
/// remainder by their form.
fn known_equalities<T: Number>(piece: &Conjunction<T>, width: usize) -> Matrix<T> {
    let mut rows = piece.eq.clone();
    let done = solve_last_first(&mut rows, width..piece.width()).len();
    Matrix::from_rows(width, rows.rows().skip(done).map(|row| row[..width].to_vec()))
}

/// A basis of the rows that are combinations of the rows of `a` and of those of `b`.
fn common_rows<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let width = a.width();
    let mut rows = Matrix::with_capacity(a.len() + b.len(), 2 * width);
    for (row, is_first) in a.rows().map(|row| (row, true)).chain(b.rows().map(|row| (row, false))) {
        let target = rows.push_zero();
        target[..width].clone_from_slice(row);
        if is_first {
            target[width..].clone_from_slice(row);
        }
    }
    let mut done = 0;
    for column in 0..width {
        let Some(r) = (done..rows.len()).find(|&r| !rows.row(r)[column].is_zero()) else { continue };
        rows.swap_rows(done, r);
        for other in done + 1..rows.len() {
            let (row, by) = rows.two_rows(other, done);
            eliminate(row, by, column);
            reduce(row);
        }
        done += 1;
    }
    Matrix::from_rows(width, rows.rows().skip(done).map(|row| row[width..].to_vec()))
}

/// How a constraint of one piece may be moved to hold in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// Not at all.
    Never,
    /// To be weaker.
    Weaker,
    /// To be as strong as it can be: also one that its own piece does not need.
    Tight,
}

/// The conjunction of the constraints of all pieces that hold in all pieces, and of those that do once they are shifted.
pub(crate) fn simple_hull<T: Number>(pieces: &[Conjunction<T>], shift: Shift) -> Conjunction<T> {
    let Some(n_var) = pieces.first().map(|piece| piece.n_var) else { return Conjunction::empty(0) };
    let (mut hull, framed) = framed(pieces);
    let mut asked: Vec<(Conjunction<T>, Simplex<T>)> = Vec::with_capacity(framed.len());
    for piece in framed {
        let simplex = Simplex::of(&piece);
        if !simplex.is_empty() {
            asked.push((piece, simplex));
        }
    }
    if asked.is_empty() {
        return Conjunction::empty(n_var);
    }
    let width = hull.width();
    let candidates = candidates(&asked, width);
    for row in candidates.rows() {
        if let Some(least) = least_in_all(&mut asked, row, shift) {
            let mut weaker = row.to_vec();
            weaker[0] = weaker[0].sub(&least);
            hull.add_ineq(&weaker);
        }
    }
    hull.simplify();
    hull
}

/// The different constraints of the pieces without plain existentials, of parallel ones the weakest, as inequalities.
fn candidates<T: Number>(pieces: &[(Conjunction<T>, Simplex<T>)], width: usize) -> Matrix<T> {
    let mut all: Vec<Vec<T>> = Vec::new();
    for (piece, _) in pieces {
        let equalities = piece.eq.rows().flat_map(|row| [row.to_vec(), row.iter().map(Number::neg).collect()]);
        for mut row in equalities.chain(piece.ineq.rows().map(<[T]>::to_vec)) {
            if row[width..].iter().all(Number::is_zero) {
                row.truncate(width);
                all.push(row);
            }
        }
    }
    all.sort_by(|x, y| x[1..].cmp(&y[1..]).then_with(|| y[0].cmp(&x[0])));
    all.dedup_by(|x, y| x[1..] == y[1..]);
    Matrix::from_rows(width, all)
}

/// The least value, at most 0 unless it is to be tight, that the row takes in the pieces, rounded up; `None` if it is not bounded or, if it is
/// not to be shifted, negative.
fn least_in_all<T: Number>(pieces: &mut [(Conjunction<T>, Simplex<T>)], row: &[T], shift: Shift) -> Option<T> {
    let mut least = if shift == Shift::Tight { None } else { Some(T::zero()) };
    // The row is that of one of the pieces: where it is needed there, it is 0 somewhere.
    let owner = |piece: &Conjunction<T>| piece.ineq.rows().any(|known| known[0] == row[0] && parallel(known, row));
    if shift == Shift::Tight && pieces.iter().any(|(piece, _)| piece.irredundant && owner(piece)) {
        least = Some(T::zero());
    }
    for (piece, simplex) in pieces {
        let plainly = || piece.ineq.rows().any(|known| known[0] <= row[0] && parallel(known, row));
        if least.as_ref().is_some_and(|least| !least.is_positive()) && plainly() {
            continue;
        }
        let mut wide = row.to_vec();
        wide.resize(piece.width(), T::zero());
        match simplex.minimum(&wide) {
            Bound::Empty => {}
            Bound::Unbounded => return None,
            bound => {
                let value = bound.ceil().expect("law: the bound has a value");
                if value.is_negative() && shift == Shift::Never {
                    return None;
                }
                least = least.into_iter().chain([value]).min();
            }
        }
    }
    least
}

fn parallel<T: Number>(known: &[T], row: &[T]) -> bool {
    known[1..row.len()] == row[1..] && known[row.len()..].iter().all(Number::is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn a_thin_strip_is_a_line() {
        let mut strip = Conjunction::<i64>::universe(2);
        strip.add_ineq(&[1, 3, -3]);
        strip.add_ineq(&[2, -3, 3]);
        let hull = with_all_equalities(&strip);
        assert_eq!((hull.eq.len(), hull.eq.row(0)), (1, &[0, 1, -1][..]));
    }

    #[test]
    fn common_remainders_survive() {
        let multiples = |low: i64, high: i64| {
            let mut conj = Conjunction::<i64>::universe(1);
            conj.add_div(&[4, 0, 1]);
            conj.add_eq(&[0, 1, -4]);
            conj.add_ineq(&[-low, 1, 0]);
            conj.add_ineq(&[high, -1, 0]);
            conj
        };
        let hull = affine_hull(&[multiples(0, 40), multiples(100, 200)]);
        assert_eq!((hull.eq.len(), hull.divs.len(), hull.ineq.len()), (1, 1, 0), "{hull:?}");
        assert!(!brute::contains(&hull, &[2]) && brute::contains(&hull, &[-4]));
    }

    #[test]
    fn a_single_value_has_the_remainder_of_the_others() {
        let mut even = Conjunction::<i64>::universe(1);
        even.add_div(&[4, 0, 1]);
        even.add_eq(&[0, 1, -4]);
        let mut four = Conjunction::<i64>::universe(1);
        four.add_eq(&[-4, 1]);
        let hull = affine_hull(&[even, four]);
        assert_eq!((hull.eq.len(), hull.divs.len(), hull.ineq.len()), (1, 1, 0), "{hull:?}");
    }

    #[test]
    fn an_equality_without_an_integer_point_is_empty() {
        let mut none = Conjunction::<i64>::universe(1);
        none.add_eq(&[-3, 2]);
        assert!(with_all_equalities(&none).known_empty && affine_hull(&[none.clone()]).known_empty);
        assert!(simple_hull(&[none.clone(), none], Shift::Weaker).known_empty);
    }

    /// The dimension of the affine space through the points.
    fn dimension(points: &[Vec<i64>]) -> usize {
        let mut rows = Matrix::<i64>::new(points[0].len());
        for point in points {
            let mut row: Vec<i64> = point.iter().zip(&points[0]).map(|(x, y)| x - y).collect();
            for by in rows.rows() {
                let column = by.iter().position(|x| *x != 0).expect("a row that is not 0");
                eliminate(&mut row, by, column);
                reduce(&mut row);
            }
            if row.iter().any(|x| *x != 0) {
                rows.push(&row);
            }
        }
        rows.len()
    }

    #[test]
    fn hulls_contain_and_affine_hulls_are_smallest() {
        property(600, |u| {
            let n = u.int_in_range(1..=2)?;
            let mut union = Vec::new();
            for _ in 0..u.int_in_range(1..=3)? {
                union.push(brute::bounded(&brute::conjunction(u, n, 2, 3)?));
            }
            let hulls = || (affine_hull(&union), simple_hull(&union, Shift::Tight), simple_hull(&union, Shift::Never));
            let Some((affine, simple, unshifted)) = unless_overflow(hulls) else { return Ok(()) };
            let inside = |x: &Vec<i64>| union.iter().any(|c| brute::contains(c, x));
            let points: Vec<Vec<i64>> = brute::points(n, brute::BOX).into_iter().filter(inside).collect();
            for hull in [&affine, &simple, &unshifted] {
                assert!(points.iter().all(|x| brute::contains(hull, x)), "{union:?}: {hull:?}");
            }
            assert_eq!(affine.known_empty, points.is_empty(), "{union:?}: {affine:?}");
            if !points.is_empty() {
                let of_variables = |row: &&[i64]| row[1 + n..].iter().all(|x| *x == 0);
                let equalities = affine.eq.rows().filter(of_variables).count();
                assert_eq!(equalities, n - dimension(&points), "{union:?}: {affine:?}");
            }
            Ok(())
        });
    }

    #[test]
    fn simple_hull_of_two_boxes() {
        let interval = |low: i64, high: i64| {
            let mut conj = Conjunction::<i64>::universe(1);
            conj.add_ineq(&[-low, 1]);
            conj.add_ineq(&[high, -1]);
            conj
        };
        let hull = simple_hull(&[interval(0, 3), interval(7, 9)], Shift::Tight);
        assert_eq!(hull.ineq, Matrix::from_rows(2, [vec![0, 1], vec![9, -1]]));
    }
}
