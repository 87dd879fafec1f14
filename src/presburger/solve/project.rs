//! Exact projection: existentials become integer divisions, or go.
//!
//! In `{ [i] : exists e : 3 e <= i < 3 e + 2, n <= e + 2 m }` the existential is a div, `e = floor(i / 3)`, because its two bounds
//! leave room for one value only. In `exists e : i <= e, e <= j, 2 e <= k` all lower bounds have coefficient 1, so each pair of a lower and an
//! upper bound may be combined without losing an integer (the rational shadow is the integer shadow). What is left after such easy steps is
//! eliminated by parametric integer programming: where a smallest value of the existentials exists, they exist.
//! [`eliminate_rational`] combines all pairs whatever the coefficients (Fourier and Motzkin) and may give more than the projection.
//!
//! Implements: 002 3.7; 003 2.2

use super::lexmin;
use super::redundancy::remove_redundancies;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::tighten;
use crate::presburger::number::matrix::{Matrix, combine, eliminate};

/// Rows that the elimination of one existential may make at most: beyond, pieces are better than rows.
const MOST_PAIRS: usize = 60;

/// Rows that the rational elimination of a column may add before the order of the columns is given up for a cheaper one: the
/// order given is that of definition, in which rounding keeps most.
const MOST_GROWTH: isize = 6;

/// Whether some local has no known definition.
pub(crate) fn has_unknown_locals<T: Number>(conj: &Conjunction<T>) -> bool {
    conj.divs.rows().any(|div| div[0].is_zero())
}

/// Disjoint conjunctions whose union has the same points and whose locals are all divs.
pub(crate) fn compute_divs<T: Number>(conj: &Conjunction<T>) -> Vec<Conjunction<T>> {
    if conj.known_empty {
        return Vec::new();
    }
    if !has_unknown_locals(conj) {
        return vec![conj.clone()];
    }
    let mut conj = conj.clone().simplified();
    loop {
        eliminate_easy(&mut conj);
        if conj.known_empty {
            return Vec::new();
        }
        if !has_unknown_locals(&conj) {
            return vec![conj];
        }
        if !eliminate_by_rounding(&mut conj) {
            return lexmin::solvable(&conj, &Conjunction::universe(conj.n_var), 0);
        }
    }
}

/// The bounds of a local: indices of inequalities.
struct Bounds {
    lower: Vec<usize>,
    upper: Vec<usize>,
    /// Whether the lower bounds are the ones to be rounded where neither of a pair has coefficient 1.
    round_lower: bool,
}

/// Eliminates a local without definition that is between bounds: there is a value for it exactly if each lower bound, rounded up, is at most
/// each upper bound, and where neither has coefficient 1 the rounded one is a div. One conjunction again, however many bounds. `false`
/// if there is no such local whose bounds to be rounded mention no other local without definition, or too many rows would arise.
fn eliminate_by_rounding<T: Number>(conj: &mut Conjunction<T>) -> bool {
    let first = 1 + conj.n_var;
    let candidates = (0..conj.n_local()).filter(|&l| conj.divs.row(l)[0].is_zero());
    let rows = |bounds: &Bounds| bounds.lower.len() * bounds.upper.len();
    let best = candidates.filter_map(|l| Some((l, bounds(conj, first + l)?))).min_by_key(|(_, bounds)| rows(bounds));
    let Some((l, bounds)) = best.filter(|(_, bounds)| rows(bounds) <= MOST_PAIRS) else { return false };
    let column = first + l;
    let before = conj.ineq.len();
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (from, to) in [(&bounds.lower, &mut lower), (&bounds.upper, &mut upper)] {
        to.extend(from.iter().map(|&r| (conj.ineq.row(r).to_vec(), None)));
    }
    let (rounded, others) = if bounds.round_lower { (&mut lower, &upper) } else { (&mut upper, &lower) };
    if others.iter().any(|(row, _)| !row[column].abs().is_one()) {
        for (row, div) in rounded.iter_mut().filter(|(row, _)| !row[column].abs().is_one()) {
            *div = Some(rounded_bound(conj, row, column));
        }
    }
    let mut kept = Matrix::new(conj.width());
    conj.ineq.rows().filter(|row| row[column].is_zero()).for_each(|row| kept.push(row));
    conj.ineq = kept;
    for (low, low_div) in &mut lower {
        low.resize(conj.width(), T::zero());
        for (high, high_div) in &mut upper {
            high.resize(conj.width(), T::zero());
            let row = match (&low_div, &high_div) {
                (Some(q), _) if !high[column].neg().is_one() => with_value(high, column, *q),
                (_, Some(q)) if !low[column].is_one() => with_value(low, column, *q),
                _ => {
                    let mut row = low.clone();
                    combine(&mut row, &high[column].neg(), high, &low[column]);
                    row
                }
            };
            let mut row = row;
            tighten(&mut row, 0);
            push_strongest(&mut conj.ineq, &row);
        }
    }
    remove_local(conj, l);
    conj.touched();
    conj.simplify();
    if conj.ineq.len() > before {
        remove_redundancies(conj);
    }
    true
}

/// The bounds of the local in the column, unless it is in an equality or rounding would need a div of a local without definition.
fn bounds<T: Number>(conj: &Conjunction<T>, column: usize) -> Option<Bounds> {
    if conj.eq.rows().any(|row| !row[column].is_zero()) {
        return None;
    }
    let of_sign =
        |sign: i32| (0..conj.ineq.len()).filter(|&r| conj.ineq.row(r)[column].sign() == sign).collect::<Vec<_>>();
    let (lower, upper) = (of_sign(1), of_sign(-1));
    let coarse =
        |rows: &[usize]| rows.iter().copied().filter(|&r| !conj.ineq.row(r)[column].abs().is_one()).collect::<Vec<_>>();
    let (coarse_lower, coarse_upper) = (coarse(&lower), coarse(&upper));
    let definable = |rows: &[usize]| {
        rows.iter().all(|&r| {
            (0..conj.n_local()).map(|l| 1 + conj.n_var + l).all(|c| {
                c == column || conj.ineq.row(r)[c].is_zero() || !conj.divs.row(c - 1 - conj.n_var)[0].is_zero()
            })
        })
    };
    let free = coarse_lower.is_empty() || coarse_upper.is_empty();
    let by_lower = definable(&coarse_lower) && (coarse_lower.len() <= coarse_upper.len() || !definable(&coarse_upper));
    (free || by_lower || definable(&coarse_upper)).then_some(Bounds { lower, upper, round_lower: by_lower })
}

/// The column of a new div: the least value that satisfies a lower bound, or the greatest that satisfies an upper one.
fn rounded_bound<T: Number>(conj: &mut Conjunction<T>, row: &[T], column: usize) -> usize {
    let mut div = vec![row[column].abs()];
    if row[column].is_positive() {
        div.extend(row.iter().map(Number::neg));
        div[1] = div[1].add(&div[0]).sub(&T::one());
    } else {
        div.extend_from_slice(row);
    }
    div[column + 1] = T::zero();
    div.resize(conj.width() + 1, T::zero());
    conj.add_div(&div)
}

/// The row with the local in `column` replaced by the one in column `value`.
fn with_value<T: Number>(row: &[T], column: usize, value: usize) -> Vec<T> {
    let mut row = row.to_vec();
    row[value] = row[value].add(&row[column]);
    row[column] = T::zero();
    row
}

/// Removes or defines the locals without definition where that costs nothing: no new disjunct, not more constraints. Exact.
pub(crate) fn eliminate_easy<T: Number>(conj: &mut Conjunction<T>) {
    loop {
        let first = 1 + conj.n_var;
        let unknown: Vec<usize> = (0..conj.n_local()).filter(|&l| conj.divs.row(l)[0].is_zero()).collect();
        let changed = unknown
            .iter()
            .rev()
            .any(|&l| substitute_unit(conj, first + l) || combine_bounds(conj, first + l) || recognise(conj, l));
        if !changed {
            return;
        }
    }
}

/// Solves an equality in which the column has coefficient 1 or -1 for it, and removes the column.
pub(crate) fn substitute_unit<T: Number>(conj: &mut Conjunction<T>, column: usize) -> bool {
    let Some(r) = (0..conj.eq.len()).find(|&r| conj.eq.row(r)[column].abs().is_one()) else { return false };
    let by = conj.eq.row(r).to_vec();
    conj.eq.remove(r);
    for matrix in [&mut conj.eq, &mut conj.ineq] {
        (0..matrix.len()).for_each(|r| eliminate(matrix.row_mut(r), &by, column));
    }
    remove_local(conj, column - 1 - conj.n_var);
    true
}

/// Removes a column that is in no equality and whose bounds can be combined without losing integers and without getting more.
fn combine_bounds<T: Number>(conj: &mut Conjunction<T>, column: usize) -> bool {
    if conj.eq.rows().any(|row| !row[column].is_zero()) {
        return false;
    }
    let (mut lower, mut upper, mut unit_lower, mut unit_upper) = (0, 0, true, true);
    for row in conj.ineq.rows() {
        match row[column].sign() {
            1 => {
                lower += 1;
                unit_lower &= row[column].is_one();
            }
            -1 => {
                upper += 1;
                unit_upper &= row[column].neg().is_one();
            }
            _ => {}
        }
    }
    let exact = lower == 0 || upper == 0 || unit_lower || unit_upper;
    if !exact || lower * upper > lower + upper {
        return false;
    }
    combine_all_pairs(&mut conj.ineq, column);
    remove_local(conj, column - 1 - conj.n_var);
    conj.touched();
    true
}

/// Fourier-Motzkin: replaces the inequalities with the column by all combinations of a lower and an upper bound that free them of it.
fn combine_all_pairs<T: Number>(ineq: &mut Matrix<T>, column: usize) {
    let of_sign = |sign: i32| -> Vec<Vec<T>> {
        ineq.rows().filter(|row| row[column].sign() == sign).map(<[T]>::to_vec).collect()
    };
    let (lower, upper) = (of_sign(1), of_sign(-1));
    ineq.retain(|row| row[column].is_zero());
    for low in &lower {
        for high in &upper {
            let g = low[column].gcd(&high[column]);
            let mut row = low.clone();
            combine(&mut row, &high[column].neg().div_exact(&g), high, &low[column].div_exact(&g));
            tighten(&mut row, 0);
            push_strongest(ineq, &row);
        }
    }
}

/// Adds an inequality unless a parallel one says as much; replaces the one that says less.
fn push_strongest<T: Number>(ineq: &mut Matrix<T>, row: &[T]) {
    if row[1..].iter().all(Number::is_zero) && !row[0].is_negative() {
        return;
    }
    spend(1 + ineq.len() as u64 / 4);
    match (0..ineq.len()).find(|&r| ineq.row(r)[1..] == row[1..]) {
        Some(r) if ineq.row(r)[0] > row[0] => ineq.row_mut(r).clone_from_slice(row),
        Some(_) => {}
        None => ineq.push(row),
    }
}

/// Gives local `l` a definition if an equality, or two bounds with room for one value, fix it.
fn recognise<T: Number>(conj: &mut Conjunction<T>, l: usize) -> bool {
    let column = 1 + conj.n_var + l;
    let usable = |row: &[T]| {
        (0..conj.n_local()).all(|k| k == l || row[1 + conj.n_var + k].is_zero() || !conj.divs.row(k)[0].is_zero())
    };
    let from_equality = conj.eq.rows().find(|row| !row[column].is_zero() && usable(row));
    let fixes = |x: &[T], y: &[T]| {
        let room = x[0].add(&y[0]);
        !room.is_negative() && room < x[column].abs() && x[1..].iter().zip(&y[1..]).all(|(a, b)| *a == b.neg())
    };
    let from_bounds = || {
        conj.ineq.rows().find(|x| {
            x[column].is_negative() && usable(x) && conj.ineq.rows().any(|y| y[column].is_positive() && fixes(x, y))
        })
    };
    let Some(row) = from_equality.or_else(from_bounds) else { return false };
    let negative = row[column].is_negative();
    let mut div = Vec::with_capacity(row.len() + 1);
    div.push(row[column].abs());
    div.extend(row.iter().map(|x| if negative { x.clone() } else { x.neg() }));
    div[column + 1] = T::zero();
    define(conj, l, div);
    true
}

/// Makes local `l` the last one and defines it by the div, a row over the columns as they were.
fn define<T: Number>(conj: &mut Conjunction<T>, l: usize, div: Vec<T>) {
    conj.divs.row_mut(l).clone_from_slice(&div);
    let order: Vec<usize> = (0..conj.n_local()).filter(|&k| k != l).chain([l]).collect();
    *conj = select_locals(conj, &order);
}

/// The conjunction with the given locals only, in this order. The others are in no constraint and no div.
fn select_locals<T: Number>(conj: &Conjunction<T>, order: &[usize]) -> Conjunction<T> {
    let columns: Vec<Option<usize>> =
        (0..=conj.n_var).chain(order.iter().map(|&l| 1 + conj.n_var + l)).map(Some).collect();
    let div_columns: Vec<Option<usize>> =
        [Some(0)].into_iter().chain(columns.iter().map(|c| c.map(|c| c + 1))).collect();
    let divs = conj.divs.select_columns(&div_columns);
    Conjunction {
        eq: conj.eq.select_columns(&columns),
        ineq: conj.ineq.select_columns(&columns),
        divs: Matrix::from_rows(divs.width(), order.iter().map(|&l| divs.row(l).to_vec())),
        simplified: false,
        irredundant: false,
        known: conj.known_in_part(&columns),
        ..Conjunction::universe(conj.n_var)
    }
}

fn remove_local<T: Number>(conj: &mut Conjunction<T>, l: usize) {
    let order: Vec<usize> = (0..conj.n_local()).filter(|&k| k != l).collect();
    *conj = select_locals(conj, &order);
}

/// The rational shadow, made of integers again: the variables `first..first + n` are free in the result, which has all points that are in
/// `conj` for some values of them, and possibly more. No local of the result depends on them.
pub(crate) fn eliminate_rational<T: Number>(conj: &Conjunction<T>, first: usize, n: usize) -> Conjunction<T> {
    if conj.known_empty {
        return conj.clone();
    }
    let mut open = conj.clone();
    let depends = |c: usize, gone: &[bool]| {
        (first..first + n).contains(&c.wrapping_sub(1)) || gone.get(c).copied().unwrap_or(false)
    };
    let mut gone = vec![false; open.width()];
    for l in 0..open.n_local() {
        let div = open.divs.row(l);
        let goes = div[0].is_zero() || div[1..].iter().enumerate().any(|(c, x)| !x.is_zero() && depends(c, &gone));
        gone[1 + open.n_var + l] = goes;
        if goes && !div[0].is_zero() {
            let bounds = open.div_bounds(l);
            bounds.iter().for_each(|row| open.add_ineq(row));
        }
    }
    let locals = (0..open.n_local()).rev().map(|l| 1 + open.n_var + l).filter(|&c| gone[c]);
    let mut columns: Vec<usize> = locals.chain((first..first + n).map(|v| 1 + v)).collect();
    let mut flat = Conjunction::universe(open.width() - 1);
    (flat.eq, flat.ineq) = (open.eq, open.ineq);
    while !flat.known_empty
        && let Some(next) = (0..columns.len()).min_by_key(|&i| growth(&flat, columns[i]).max(MOST_GROWTH))
    {
        let before = flat.ineq.len();
        shadow(&mut flat, columns.remove(next));
        if flat.ineq.len() > before + MOST_GROWTH as usize {
            remove_redundancies(&mut flat);
        }
    }
    if flat.known_empty {
        return Conjunction::empty(conj.n_var);
    }
    (open.eq, open.ineq) = (flat.eq, flat.ineq);
    let kept: Vec<usize> = (0..open.n_local()).filter(|&l| !gone[1 + open.n_var + l]).collect();
    select_locals(&open, &kept)
}

/// How many rows more there are, at most, without the column.
fn growth<T: Number>(conj: &Conjunction<T>, column: usize) -> isize {
    if conj.eq.rows().any(|row| !row[column].is_zero()) {
        return -1;
    }
    let of_sign = |sign: i32| conj.ineq.rows().filter(|row| row[column].sign() == sign).count() as isize;
    let (lower, upper) = (of_sign(1), of_sign(-1));
    lower * upper - lower - upper
}

/// As [`eliminate_rational`] for the locals: a conjunction without locals that contains `conj`.
pub(crate) fn without_locals<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let mut open = conj.clone();
    for l in 0..open.n_local() {
        if !open.divs.row(l)[0].is_zero() {
            let bounds = open.div_bounds(l);
            bounds.iter().for_each(|row| open.add_ineq(row));
            open.divs.row_mut(l).iter_mut().for_each(|x| *x = T::zero());
        }
    }
    eliminate_rational(&open, 0, 0)
}

/// Frees all constraints of the column: by an equality if it is in one, else by combining its bounds.
fn shadow<T: Number>(conj: &mut Conjunction<T>, column: usize) {
    let by =
        (0..conj.eq.len()).filter(|&r| !conj.eq.row(r)[column].is_zero()).min_by_key(|&r| conj.eq.row(r)[column].abs());
    match by {
        Some(r) => {
            let by = conj.eq.row(r).to_vec();
            conj.eq.remove(r);
            for matrix in [&mut conj.eq, &mut conj.ineq] {
                (0..matrix.len()).for_each(|r| eliminate(matrix.row_mut(r), &by, column));
            }
        }
        None => combine_all_pairs(&mut conj.ineq, column),
    }
    conj.touched();
}

/// The conjunction in which the locals without definition are variables, after the others.
pub(crate) fn unknown_locals_as_variables<T: Number>(conj: &Conjunction<T>) -> Conjunction<T> {
    let unknown: Vec<usize> = (0..conj.n_local()).filter(|&l| conj.divs.row(l)[0].is_zero()).collect();
    if unknown.is_empty() {
        return conj.clone();
    }
    let known: Vec<usize> = (0..conj.n_local()).filter(|&l| !conj.divs.row(l)[0].is_zero()).collect();
    let columns: Vec<Option<usize>> =
        (0..=conj.n_var).chain(unknown.iter().chain(&known).map(|&l| 1 + conj.n_var + l)).map(Some).collect();
    let div_columns: Vec<Option<usize>> =
        [Some(0)].into_iter().chain(columns.iter().map(|c| c.map(|c| c + 1))).collect();
    let all = conj.divs.select_columns(&div_columns);
    let divs = Matrix::from_rows(all.width(), known.iter().map(|&l| all.row(l).to_vec()));
    Conjunction {
        n_var: conj.n_var + unknown.len(),
        eq: conj.eq.select_columns(&columns),
        ineq: conj.ineq.select_columns(&columns),
        divs,
        known_empty: conj.known_empty,
        simplified: false,
        irredundant: false,
        known: conj.known_in(&columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn an_even_number_is_twice_its_half() {
        let mut even = Conjunction::<i64>::universe(1);
        even.add_local();
        even.add_eq(&[0, 1, -2]);
        let parts = compute_divs(&even);
        assert_eq!(parts.len(), 1);
        assert!(
            !has_unknown_locals(&parts[0]) && brute::contains(&parts[0], &[4]) && !brute::contains(&parts[0], &[3])
        );
    }

    #[test]
    fn unbounded_existentials_are_eliminated() {
        let mut conj = Conjunction::<i64>::universe(1);
        conj.add_local();
        conj.add_local();
        conj.add_ineq(&[0, -1, 6, -10]);
        conj.add_ineq(&[0, 1, -6, 10]);
        let parts = compute_divs(&conj);
        for x in -6..=6 {
            assert_eq!(parts.iter().filter(|p| brute::contains(p, &[x])).count(), (x % 2 == 0) as usize);
        }
    }

    #[test]
    fn elimination_keeps_the_points() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=2)?;
            let conj = brute::conjunction(u, n, 3, 3)?;
            let Some(parts) = unless_overflow(|| compute_divs(&conj)) else { return Ok(()) };
            assert!(!parts.iter().any(has_unknown_locals));
            for x in brute::points(n, brute::BOX) {
                let hits = parts.iter().filter(|p| brute::contains(p, &x)).count();
                assert_eq!(hits, brute::contains(&conj, &x) as usize, "{x:?} in {conj:?}: {parts:?}");
            }
            Ok(())
        });
    }

    #[test]
    fn the_rational_shadow_contains_the_projection() {
        property(1_000, |u| {
            let conj = brute::bounded(&brute::conjunction(u, 2, 2, 3)?);
            let Some(shadow) = unless_overflow(|| eliminate_rational(&conj, 1, 1)) else { return Ok(()) };
            let Some(flat) = unless_overflow(|| without_locals(&conj)) else { return Ok(()) };
            assert_eq!(flat.n_local(), 0);
            for x in brute::points(2, brute::BOX) {
                if brute::contains(&conj, &x) {
                    assert!(
                        brute::contains(&shadow, &[x[0], 100]) && brute::contains(&flat, &x),
                        "{x:?} in {conj:?}: {shadow:?}"
                    );
                }
            }
            Ok(())
        });
    }

    #[test]
    fn easy_elimination_is_exact() {
        let mut conj = Conjunction::<i64>::universe(2);
        let e = conj.add_local();
        conj.add_ineq(&[0, -1, 0, 1]);
        conj.add_ineq(&[0, 0, 1, -2]);
        eliminate_easy(&mut conj);
        assert_eq!((conj.n_local(), conj.ineq.len(), e), (0, 1, 3));
        let mut third = Conjunction::<i64>::universe(1);
        third.add_local();
        third.add_ineq(&[0, 1, -3]);
        third.add_ineq(&[1, -1, 3]);
        eliminate_easy(&mut third);
        assert_eq!(third.divs.row(0), [3, 0, 1, 0]);
    }
}
