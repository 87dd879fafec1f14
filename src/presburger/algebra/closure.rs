//! Transitive closure of a relation, exact or marked as too large.
//!
//! `{ [i] -> [i + 2] : 0 <= i < n }` applied `k` times moves by `2 k`, so its `k`-th power is within `{ [i] -> [i + 2 k] }` between points of the
//! domain and of the range. In general the difference of end and start of a path of `k` steps satisfies the constraints of the steps' differences with the
//! constant multiplied by `k`; this gives an over-approximation of all powers at once, with `k` as a variable. Whether it is exact
//! is then checked by induction: its first power must be in the relation, and each later one in the one before followed by the relation. (Verdoolaege,
//! Cohen and Beletska, "Transitive closures of affine integer tuple relations and their overapproximations", SAS 2011.)
//!
//! A union is taken apart first: disjuncts that cannot follow each other in a circle are closed separately and composed in order; in a circle,
//! where a disjunct `A` has an exact closure, `(A + B)+ = A+ + (A* B A*)+`. Each attempt has a budget of steps of its own: where none ends in time,
//! the closure is said to hold all pairs of a point that has a successor and one that has a predecessor, which is not exact.
//!
//! Implements: 002 3.9

use super::coalesce::coalesce;
use super::subtract::is_subset;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::{spend, within};
use crate::presburger::number::int::Number;
use crate::presburger::solve::project;
use crate::presburger::solve::sample::any_point;

/// Disjuncts beyond which a composition is not tried: the result would be of no use.
const MOST_DISJUNCTS: usize = 24;

/// Times that a circle of disjuncts is taken apart.
const MOST_ROUNDS: usize = 4;

/// Powers that are composed one by one in search of a last one.
const MOST_POWERS: usize = 5;

/// Work units of one attempt at an exact closure: some tenths of a second.
const STEPS_OF_ATTEMPT: u64 = 8_000_000;

/// Work units of all attempts together: a second or two at worst.
const STEPS_OF_ALL: u64 = 30_000_000;

/// A relation between points of `n` coordinates with common parameters: conjunctions over `[parameters | from | to]`.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub n_param: usize,
    pub n: usize,
}

/// The transitive closure, and whether it is exact. If not, it contains the closure.
pub(crate) fn closure<T: Number>(relation: &[Conjunction<T>], shape: Shape) -> (Vec<Conjunction<T>>, bool) {
    within(STEPS_OF_ALL, || closure_in_rounds(relation, shape, MOST_ROUNDS))
        .unwrap_or_else(|_| (from_any_to_any(relation, shape), false))
}

/// All powers at once, over `[parameters | from | to | k]` with `k >= 1`, and whether they are exact. If not, they contain the powers.
pub(crate) fn all_powers<T: Number>(relation: &[Conjunction<T>], shape: Shape) -> (Vec<Conjunction<T>>, bool) {
    let k = shape.n_param + 2 * shape.n;
    let Some(found) = attempt(|| powers(relation, shape)) else {
        let positive = |conj: &Conjunction<T>| {
            let mut wide = conj.insert_variables(k, 1);
            let mut row = vec![T::zero(); wide.width()];
            (row[0], row[1 + k]) = (T::one().neg(), T::one());
            wide.add_ineq(&row);
            wide
        };
        return (from_any_to_any(relation, shape).iter().map(positive).collect(), false);
    };
    let exact = attempt(|| is_exact(&found, relation, shape)) == Some(true);
    (found, exact)
}

/// `x -> y` with `x -> _` and `_ -> y` in the relation: each path is between such points.
fn from_any_to_any<T: Number>(relation: &[Conjunction<T>], shape: Shape) -> Vec<Conjunction<T>> {
    let Shape { n_param, n } = shape;
    if relation.len() * relation.len() > MOST_DISJUNCTS {
        return vec![Conjunction::universe(n_param + 2 * n)];
    }
    let ends: Vec<[Conjunction<T>; 2]> = relation.iter().map(|conj| ends(conj, shape)).collect();
    let pairs = ends.iter().flat_map(|[start, _]| ends.iter().map(|[_, end]| start.conjoin(end).simplified()));
    pairs.collect()
}

/// The pairs whose first (second) point is one of the conjunction's first (second) ones.
fn ends<T: Number>(conj: &Conjunction<T>, shape: Shape) -> [Conjunction<T>; 2] {
    let Shape { n_param, n } = shape;
    let domain = conj.project_to_locals(n_param + n, n).insert_variables(n_param + n, n);
    let range = conj.project_to_locals(n_param, n).insert_variables(n_param, n);
    [domain.simplified(), range.simplified()]
}

/// The outcome of an attempt, if it ends in time.
fn attempt<R>(f: impl FnOnce() -> R) -> Option<R> {
    within(STEPS_OF_ATTEMPT, f).ok()
}

/// The pairs `x -> z` with `x -> y` in `first` and `y -> z` in `second`, nonempty conjunctions, coalesced.
pub(crate) fn compose<T: Number>(
    first: &[Conjunction<T>],
    second: &[Conjunction<T>],
    shape: Shape,
) -> Vec<Conjunction<T>> {
    let Shape { n_param, n } = shape;
    let parameters = || (0..n_param).map(Some);
    let (head, tail) = (n_param..n_param + n, n_param + n..n_param + 2 * n);
    let of_first: Vec<Option<usize>> = parameters()
        .chain(head.clone().map(Some))
        .chain(head.clone().map(|_| None))
        .chain(tail.clone().map(Some))
        .collect();
    let of_second: Vec<Option<usize>> =
        parameters().chain(head.clone().map(|_| None)).chain(tail.map(Some)).chain(head.map(Some)).collect();
    let mut result = Vec::new();
    for a in first {
        for b in second {
            spend(1);
            let both = a.rearrange(&of_first).conjoin(&b.rearrange(&of_second));
            let pairs = both.project_to_locals(n_param + 2 * n, n).simplified();
            if any_point(&pairs).is_some() {
                result.push(pairs);
            }
        }
    }
    coalesce(result)
}

fn closure_in_rounds<T: Number>(
    relation: &[Conjunction<T>],
    shape: Shape,
    rounds: usize,
) -> (Vec<Conjunction<T>>, bool) {
    let relation: Vec<Conjunction<T>> =
        coalesce(relation.to_vec()).into_iter().filter(|conj| any_point(conj).is_some()).collect();
    let (mut closed, mut exact): (Vec<Conjunction<T>>, bool) = (Vec::new(), true);
    for circle in circles(&relation, shape) {
        let (part, part_exact) = close_circle(&circle, shape, rounds);
        exact &= part_exact;
        let through = compose(&closed, &part, shape);
        closed.extend(part);
        closed.extend(through);
        closed = coalesce(closed);
    }
    (closed, exact)
}

/// The strongly connected parts of "may follow", each before those that it may be followed by.
fn circles<T: Number>(relation: &[Conjunction<T>], shape: Shape) -> Vec<Vec<Conjunction<T>>> {
    let n = relation.len();
    let mut reaches: Vec<Vec<bool>> = (0..n)
        .map(|i| (0..n).map(|j| !compose(&relation[i..=i], &relation[j..=j], shape).is_empty()).collect())
        .collect();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
            }
        }
    }
    let together = |i: usize, j: usize| i == j || reaches[i][j] && reaches[j][i];
    let mut parts: Vec<Vec<usize>> = (0..n)
        .filter(|&i| !(0..i).any(|j| together(i, j)))
        .map(|i| (i..n).filter(|&j| together(i, j)).collect())
        .collect();
    let mut sorted = Vec::with_capacity(parts.len());
    while !parts.is_empty() {
        let first = (0..parts.len())
            .find(|&a| (0..parts.len()).all(|b| a == b || !reaches[parts[b][0]][parts[a][0]]))
            .expect("law: the parts have no circle");
        sorted.push(parts.remove(first).into_iter().map(|i| relation[i].clone()).collect());
    }
    sorted
}

fn close_circle<T: Number>(relation: &[Conjunction<T>], shape: Shape, rounds: usize) -> (Vec<Conjunction<T>>, bool) {
    if let [only] = relation
        && compose(relation, relation, shape).is_empty()
    {
        return (vec![only.clone()], true);
    }
    let powers = attempt(|| powers(relation, shape));
    let of_powers = powers.as_ref().and_then(|powers| attempt(|| without_length(powers, shape)));
    if let (Some(powers), Some(closed)) = (&powers, &of_powers)
        && attempt(|| is_exact(powers, relation, shape)) == Some(true)
    {
        return (closed.clone(), true);
    }
    if let Some(closed) = attempt(|| last_power(relation, shape)).flatten() {
        return (closed, true);
    }
    if rounds > 0 && relation.len() > 1 {
        for i in 0..relation.len() {
            if let Some(closed) = attempt(|| close_around(relation, i, shape, rounds - 1)).flatten() {
                return (closed, true);
            }
        }
    }
    (of_powers.unwrap_or_else(|| from_any_to_any(relation, shape)), false)
}

/// The closure by way of that of disjunct `i`, if both steps are exact.
fn close_around<T: Number>(
    relation: &[Conjunction<T>],
    i: usize,
    shape: Shape,
    rounds: usize,
) -> Option<Vec<Conjunction<T>>> {
    let (inner, exact) = close_circle(&relation[i..=i], shape, 0);
    if !exact {
        return None;
    }
    let others: Vec<Conjunction<T>> =
        relation.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, conj)| conj.clone()).collect();
    let mut around = others.clone();
    around.extend(compose(&inner, &others, shape));
    let around = coalesce(around);
    let mut both = around.clone();
    both.extend(compose(&around, &inner, shape));
    let both = coalesce(both);
    if both.len() > MOST_DISJUNCTS {
        return None;
    }
    let (outer, exact) = closure_in_rounds(&both, shape, rounds);
    exact.then(|| coalesce(inner.into_iter().chain(outer).collect()))
}

/// The union of the powers, if one of the first ones adds nothing.
fn last_power<T: Number>(relation: &[Conjunction<T>], shape: Shape) -> Option<Vec<Conjunction<T>>> {
    let mut all = relation.to_vec();
    let mut power = relation.to_vec();
    for _ in 0..MOST_POWERS {
        power = compose(&power, relation, shape);
        if is_subset(&power, &all) {
            return Some(all);
        }
        all.extend(power.iter().cloned());
        all = coalesce(all);
        if all.len() > MOST_DISJUNCTS {
            return None;
        }
    }
    None
}

/// For each set of disjuncts, the pairs at the ends of paths of `k >= 1` steps that use these: over `[parameters | from | to | k]`, too large in general.
fn powers<T: Number>(relation: &[Conjunction<T>], shape: Shape) -> Vec<Conjunction<T>> {
    let Shape { n_param, n } = shape;
    let with_length = |end: Conjunction<T>| end.insert_variables(n_param + 2 * n, 1);
    let ends: Vec<[Conjunction<T>; 2]> = relation.iter().map(|conj| ends(conj, shape).map(with_length)).collect();
    let steps: Vec<Conjunction<T>> = relation.iter().map(|conj| differences(conj, shape)).collect();
    let sets: Vec<Vec<usize>> = if relation.len() <= 3 {
        (1..1usize << relation.len()).map(|set| (0..relation.len()).filter(|i| set >> i & 1 == 1).collect()).collect()
    } else {
        vec![(0..relation.len()).collect()]
    };
    let mut result = Vec::new();
    for set in sets {
        let counts = if relation.len() <= 3 { Counts::Positive } else { Counts::Any };
        let path = path(&set.iter().map(|&i| &steps[i]).collect::<Vec<_>>(), shape, counts);
        for &i in &set {
            for &j in &set {
                let part = path.conjoin(&ends[i][0]).conjoin(&ends[j][1]).simplified();
                if any_point(&part).is_some() {
                    result.push(part);
                }
            }
        }
    }
    coalesce(result)
}

/// The differences `to - from` of a step, over `[parameters | difference]`.
fn differences<T: Number>(step: &Conjunction<T>, shape: Shape) -> Conjunction<T> {
    let Shape { n_param, n } = shape;
    let mut wide = step.insert_variables(n_param, n);
    for c in 0..n {
        let mut row = vec![T::zero(); wide.width()];
        row[1 + n_param + c] = T::one().neg();
        row[1 + n_param + n + c] = T::one().neg();
        row[1 + n_param + 2 * n + c] = T::one();
        wide.add_eq(&row);
    }
    let mut differences = wide.project_to_locals(n_param + n, 2 * n).simplified();
    project::eliminate_easy(&mut differences);
    differences
}

/// How many steps of each kind a path has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// One at least.
    Positive,
    /// None at least.
    Any,
}

/// Paths of `k` steps, of which `k_i` are of kind `i`: `to - from` is the sum of the kinds' parts, each within `k_i` times its differences.
fn path<T: Number>(steps: &[&Conjunction<T>], shape: Shape, counts: Counts) -> Conjunction<T> {
    let Shape { n_param, n } = shape;
    let n_var = n_param + 2 * n + 1;
    let mut path = Conjunction::universe(n_var);
    let mut some = vec![T::zero(); path.width()];
    some[0] = T::one().neg();
    some[n_var] = T::one();
    path.add_ineq(&some);
    let mut first = Vec::with_capacity(steps.len());
    for step in steps {
        first.push(path.width());
        (0..1 + n + step.n_local()).for_each(|_| {
            path.add_local();
        });
    }
    for (step, &length) in steps.iter().zip(&first) {
        add_steps(&mut path, step, shape, length, counts);
    }
    for c in 0..=n {
        let mut sum = vec![T::zero(); path.width()];
        if c == 0 {
            sum[n_var] = T::one();
        } else {
            sum[n_param + c] = T::one().neg();
            sum[n_param + n + c] = T::one();
        }
        first.iter().for_each(|&length| sum[length + c] = T::one().neg());
        path.add_eq(&sum);
    }
    path.simplified()
}

/// Says of the columns `length`, then one per coordinate, then one per local of `step`, that they are the sum of `length` steps.
fn add_steps<T: Number>(path: &mut Conjunction<T>, step: &Conjunction<T>, shape: Shape, length: usize, counts: Counts) {
    let width = path.width();
    let mut least = vec![T::zero(); width];
    least[0] = if counts == Counts::Positive { T::one().neg() } else { T::zero() };
    least[length] = T::one();
    path.add_ineq(&least);
    let known = (0..step.n_local()).filter(|&l| !step.divs.row(l)[0].is_zero());
    let bounds: Vec<Vec<T>> = known.flat_map(|l| step.div_bounds(l)).collect();
    let after = 1 + shape.n_param;
    let is_parametric = |row: &[T]| row[1..after].iter().any(|x| !x.is_zero());
    let summed = |row: &[T]| {
        let mut sum = vec![T::zero(); width];
        sum[length] = row[0].clone();
        sum[length + 1..length + 1 + row.len() - after].clone_from_slice(&row[after..]);
        sum
    };
    for row in step.eq.rows() {
        if is_parametric(row) {
            let negated: Vec<T> = row.iter().map(Number::neg).collect();
            [row, &negated].iter().for_each(|row| add_parametric(path, step, row, after, length, counts));
        } else {
            path.add_eq(&summed(row));
        }
    }
    for row in step.ineq.rows().chain(bounds.iter().map(Vec::as_slice)) {
        if is_parametric(row) {
            add_parametric(path, step, row, after, length, counts);
        } else {
            path.add_ineq(&summed(row));
        }
    }
}

/// `a . d + g >= 0` with `g` in parameters holds for the sum of one or more steps if `g` is never positive, or if it does not mention the step.
fn add_parametric<T: Number>(
    path: &mut Conjunction<T>,
    step: &Conjunction<T>,
    row: &[T],
    after: usize,
    length: usize,
    counts: Counts,
) {
    if counts == Counts::Any {
        return;
    }
    let mut positive = vec![T::zero(); row.len()];
    positive[..after].clone_from_slice(&row[..after]);
    positive[0] = positive[0].sub(&T::one());
    let mut part = step.clone();
    part.add_ineq(&positive);
    if row[after..].iter().any(|x| !x.is_zero()) && any_point(&part).is_some() {
        return;
    }
    let mut sum = vec![T::zero(); path.width()];
    sum[..after].clone_from_slice(&row[..after]);
    sum[length + 1..length + 1 + row.len() - after].clone_from_slice(&row[after..]);
    path.add_ineq(&sum);
}

/// Whether, by induction over `k`, the `powers` are those of the relation and nothing else.
fn is_exact<T: Number>(powers: &[Conjunction<T>], relation: &[Conjunction<T>], shape: Shape) -> bool {
    let Shape { n_param, n } = shape;
    if powers.len() > MOST_DISJUNCTS {
        return false;
    }
    let k = n_param + 2 * n;
    let bound = |conj: &Conjunction<T>, constant: i64, factor: i64| {
        let mut row = vec![T::zero(); conj.width()];
        row[0] = T::from_i64(constant);
        row[1 + k] = T::from_i64(factor);
        row
    };
    let single: Vec<Conjunction<T>> = powers
        .iter()
        .map(|conj| {
            let mut one = conj.clone();
            one.add_eq(&bound(conj, -1, 1));
            one.project_to_locals(k, 1).simplified()
        })
        .collect();
    if !is_subset(&single, relation) {
        return false;
    }
    let longer: Vec<Conjunction<T>> = powers
        .iter()
        .map(|conj| {
            let mut more = conj.clone();
            more.add_ineq(&bound(conj, -2, 1));
            more.simplified()
        })
        .collect();
    let extended = one_more(powers, relation, shape);
    extended.len() <= MOST_DISJUNCTS && is_subset(&longer, &extended)
}

/// Paths of `k` steps as one of `k - 1`, within `powers`, and a step.
fn one_more<T: Number>(powers: &[Conjunction<T>], relation: &[Conjunction<T>], shape: Shape) -> Vec<Conjunction<T>> {
    let Shape { n_param, n } = shape;
    let k = n_param + 2 * n;
    let with_k = Shape { n_param: n_param + 1, n };
    let k_first: Vec<Option<usize>> = (0..n_param).chain([k]).chain(n_param..k).map(Some).collect();
    let shorter: Vec<Conjunction<T>> =
        powers.iter().map(|conj| with_shifted(&conj.rearrange(&k_first), 1 + n_param)).collect();
    let steps: Vec<Conjunction<T>> = relation.iter().map(|conj| conj.insert_variables(n_param, 1)).collect();
    let k_last: Vec<Option<usize>> = (0..n_param).chain(n_param + 1..=k).chain([n_param]).map(Some).collect();
    compose(&shorter, &steps, with_k).iter().map(|conj| conj.rearrange(&k_last)).collect()
}

/// The conjunction with the variable in `column` replaced by itself minus 1.
fn with_shifted<T: Number>(conj: &Conjunction<T>, column: usize) -> Conjunction<T> {
    let mut shifted = conj.clone();
    for matrix in [&mut shifted.eq, &mut shifted.ineq] {
        for r in 0..matrix.len() {
            let row = matrix.row_mut(r);
            row[0] = row[0].sub(&row[column]);
        }
    }
    for l in 0..shifted.n_local() {
        let div = shifted.divs.row_mut(l);
        div[1] = div[1].sub(&div[1 + column]);
    }
    shifted.touched();
    shifted
}

fn without_length<T: Number>(powers: &[Conjunction<T>], shape: Shape) -> Vec<Conjunction<T>> {
    let k = shape.n_param + 2 * shape.n;
    let closed = powers.iter().map(|conj| {
        let mut closed = conj.project_to_locals(k, 1).simplified();
        project::eliminate_easy(&mut closed);
        closed
    });
    coalesce(closed.collect())
}

#[cfg(test)]
mod tests;
