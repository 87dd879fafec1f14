//! How many integer points, exactly, and which.
//!
//! `{ [i, j, k] : 0 <= i <= j < 1000, 0 <= k < 7 }` falls into two independent parts, whose counts are multiplied; in the first, `i` runs over its range,
//! and for each value the points of `j` are an interval and need not be listed. Equalities and divs are solved first, so that each point is one
//! value of the free integers. The work grows with the number of values of all but one unknown of a part, and spends budget for each; a count
//! as a formula in parameters (Barvinok) is not attempted.

use super::subtract;
use crate::presburger::conjunction::{Conjunction, unit_row};
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::Matrix;
use crate::presburger::solve::probe::Free;
use crate::presburger::solve::project;
use crate::presburger::solve::sample::integer_point;
use crate::presburger::solve::simplex::{Bound, Simplex};

/// The number of points of the union; `None` if it is infinite.
pub(crate) fn count<T: Number>(union: &[Conjunction<T>]) -> Option<Int> {
    let mut total = Int::zero();
    for (rows, _) in disjoint_parts(union) {
        total = total.add(&count_rows(&rows, rows.width() - 1)?);
    }
    Some(total)
}

/// The points of the union in lexicographic order; `None` if there are more than `limit`.
pub(crate) fn points<T: Number>(union: &[Conjunction<T>], limit: usize) -> Option<Vec<Vec<T>>> {
    let n_var = union.first().map_or(0, |conj| conj.n_var);
    let mut result = Vec::new();
    for (rows, free) in disjoint_parts(union) {
        let mut found = Vec::new();
        list(&rows, rows.width() - 1, &mut Vec::new(), &mut found, limit - result.len())?;
        result.extend(found.iter().map(|z| {
            let mut point = free.point(z);
            point.truncate(n_var);
            point
        }));
    }
    result.sort();
    Some(result)
}

/// Disjoint parts of the union, freed of equalities, each with its rows `[z | 1]`.
fn disjoint_parts<T: Number>(union: &[Conjunction<T>]) -> Vec<(Matrix<T>, Free<T>)> {
    let disjoint = if union.len() > 1 { subtract::make_disjoint(union) } else { union.to_vec() };
    let parts = disjoint.iter().flat_map(project::compute_divs).filter_map(|part| Free::new(&part));
    let constant_last = |free: Free<T>| {
        let columns: Vec<Option<usize>> = (1..free.rows.width()).chain([0]).map(Some).collect();
        (free.rows.select_columns(&columns), free)
    };
    parts.map(constant_last).collect()
}

/// The rows `[z | 1]` as `[1 | z]`.
fn constant_first<T: Number>(rows: &Matrix<T>, k: usize) -> Matrix<T> {
    rows.select_columns(&[k].into_iter().chain(0..k).map(Some).collect::<Vec<_>>())
}

/// The number of integer solutions of `rows . (z, 1) >= 0`; `None` if it is infinite.
fn count_rows<T: Number>(rows: &Matrix<T>, k: usize) -> Option<Int> {
    spend(1);
    if rows.rows().any(|row| row[..k].iter().all(Number::is_zero) && row[k].is_negative()) {
        return Some(Int::zero());
    }
    let parts = independent(rows, k);
    let mut product = Some(Int::one());
    for columns in parts {
        let part = restrict(rows, k, &columns);
        match count_part(&part, columns.len()) {
            Some(count) if count.is_zero() => return Some(count),
            Some(count) => product = product.map(|p| p.mul(&count)),
            None => product = None,
        }
    }
    product
}

/// The number of solutions of a part that does not fall apart.
fn count_part<T: Number>(rows: &Matrix<T>, k: usize) -> Option<Int> {
    if k == 1 {
        return interval(rows)
            .map(|(low, high)| if high < low { Int::zero() } else { high.sub(&low).to_int().add(&Int::one()) });
    }
    let range = match range_of_first(rows, k) {
        Range::Empty => return Some(Int::zero()),
        Range::Unbounded => return integer_point(&constant_first(rows, k)).is_none().then(Int::zero),
        Range::Between(low, high) => (low, high),
    };
    let mut total = Some(Int::zero());
    let mut value = range.0;
    while value <= range.1 {
        total = count_rows(&with_first(rows, k, &value), k - 1).and_then(|count| total.map(|total| total.add(&count)));
        total.as_ref()?;
        value = value.add(&T::one());
    }
    total
}

/// The columns of each set of unknowns that share no row with the others.
fn independent<T: Number>(rows: &Matrix<T>, k: usize) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..k).collect();
    for row in rows.rows() {
        let mut used = (0..k).filter(|&c| !row[c].is_zero());
        let Some(first) = used.next() else { continue };
        for c in used {
            let (from, to) = (group[c].max(group[first]), group[c].min(group[first]));
            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
    }
    (0..k).filter(|&g| group[g] == g).map(|g| (0..k).filter(|&c| group[c] == g).collect()).collect()
}

/// The rows that mention one of the columns, over these only.
fn restrict<T: Number>(rows: &Matrix<T>, k: usize, columns: &[usize]) -> Matrix<T> {
    let kept = rows.rows().filter(|row| columns.iter().any(|&c| !row[c].is_zero()));
    let cells = |row: &[T]| columns.iter().chain([&k]).map(|&c| row[c].clone()).collect::<Vec<T>>();
    Matrix::from_rows(columns.len() + 1, kept.map(cells))
}

/// The least and the greatest solution in one unknown; `None` if a side is open.
fn interval<T: Number>(rows: &Matrix<T>) -> Option<(T, T)> {
    let (mut low, mut high): (Option<T>, Option<T>) = (None, None);
    for row in rows.rows() {
        if row[0].is_positive() {
            let bound = row[1].neg().div_ceil(&row[0]);
            low = Some(low.map_or(bound.clone(), |low| low.max(bound)));
        } else {
            let bound = row[1].div_floor(&row[0].neg());
            high = Some(high.map_or(bound.clone(), |high| high.min(bound)));
        }
    }
    low.zip(high)
}

enum Range<T> {
    Empty,
    Unbounded,
    Between(T, T),
}

/// The range of the first unknown over the rational solutions, rounded inwards.
fn range_of_first<T: Number>(rows: &Matrix<T>, k: usize) -> Range<T> {
    let mut simplex = Simplex::new(k);
    for row in constant_first(rows, k).rows() {
        simplex.add_ineq(row);
        if simplex.is_empty() {
            return Range::Empty;
        }
    }
    let first = unit_row(1 + k, 1);
    match (simplex.minimum(&first), simplex.maximum(&first)) {
        (Bound::Value(low, d), Bound::Value(high, e)) => Range::Between(low.div_ceil(&d), high.div_floor(&e)),
        _ => Range::Unbounded,
    }
}

/// The rows with the first unknown fixed.
fn with_first<T: Number>(rows: &Matrix<T>, k: usize, value: &T) -> Matrix<T> {
    let fixed = |row: &[T]| {
        let mut rest = row[1..].to_vec();
        rest[k - 1].add_mul(&row[0], value);
        rest
    };
    Matrix::from_rows(k, rows.rows().map(fixed))
}

/// Lists the solutions that begin with `prefix`, of which the rows are what is left; `None` past the limit.
fn list<T: Number>(
    rows: &Matrix<T>,
    k: usize,
    prefix: &mut Vec<T>,
    found: &mut Vec<Vec<T>>,
    limit: usize,
) -> Option<()> {
    spend(1);
    if rows.rows().any(|row| row[..k].iter().all(Number::is_zero) && row[k].is_negative()) {
        return Some(());
    }
    if k == 0 {
        found.push(prefix.clone());
        return (found.len() <= limit).then_some(());
    }
    let (low, high) = match range_of_first(rows, k) {
        Range::Empty => return Some(()),
        Range::Unbounded => return integer_point(&constant_first(rows, k)).is_none().then_some(()),
        Range::Between(low, high) => (low, high),
    };
    let mut value = low;
    while value <= high {
        prefix.push(value.clone());
        list(&with_first(rows, k, &value), k - 1, prefix, found, limit)?;
        prefix.pop();
        value = value.add(&T::one());
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn triangles_and_independent_parts_are_counted_without_listing() {
        let mut conj = Conjunction::<i64>::universe(3);
        conj.add_ineq(&[0, 1, 0, 0]);
        conj.add_ineq(&[0, -1, 1, 0]);
        conj.add_ineq(&[999, 0, -1, 0]);
        conj.add_ineq(&[0, 0, 0, 1]);
        conj.add_ineq(&[1_000_000_000, 0, 0, -1]);
        assert_eq!(count(&[conj.clone()]), Some(Int::from(500_500 * 1_000_000_001)));
        assert!(points(&[conj], 1000).is_none());
    }

    #[test]
    fn an_open_side_is_infinite_unless_nothing_is_inside() {
        let mut conj = Conjunction::<i64>::universe(2);
        conj.add_ineq(&[0, 1, 0]);
        assert_eq!(count(&[conj.clone()]), None);
        conj.add_ineq(&[-1, -1, 0]);
        assert_eq!(count(&[conj]), Some(Int::zero()));
    }

    #[test]
    fn counts_and_lists_agree_with_enumeration() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=2)?;
            let a = brute::bounded(&brute::conjunction(u, n, 2, 3)?);
            let b = brute::bounded(&brute::conjunction(u, n, 1, 2)?);
            let union = vec![a, b];
            let Some(found) = unless_overflow(|| (count(&union), points(&union, 10_000))) else { return Ok(()) };
            let inside = |x: &Vec<i64>| union.iter().any(|c| brute::contains(c, x));
            let expected: Vec<Vec<i64>> = brute::points(n, brute::BOX).into_iter().filter(inside).collect();
            assert_eq!(found.0, Some(Int::from(expected.len() as i64)), "{union:?}");
            assert_eq!(found.1, Some(expected), "{union:?}");
            Ok(())
        });
    }
}
