//! A piecewise quasi-affine number as affine pieces, and the part of a statement's instances in which all its numbers are plain.
//!
//! ```c
//! for (int i = 0; i < n; i++) o[i] = u[(i + 1) % n];
//! ```
//!
//! The subscript of `u` is `i + 1` for `i < n - 1`, and 0 for `i = n - 1`. The second piece is *thin*: whatever `n` is, `i` has few values in it. So instances
//! with `i < n - 1` are *regular*: loops over them alone need no remainder and read one element after the other. With 256 instead of `n` the subscript is
//! `i + 1 - 256 floor((i + 1) / 256)`, whose floor is 0 or 1 here, which makes the same pieces.

use super::parameters::integer;
use crate::presburger::int::Number;
use crate::presburger::{Aff, Constraint, DimKind, Int, PwAff, Set};
use crate::scop::is_thick;

/// A floor with more values than this is left one: it is no border, but a pattern.
const MOST_FLOORS: i128 = 3;

/// More pieces than this are of no border.
const MOST_PIECES: usize = 16;

/// The pieces that there are within a set, floors with few values there being split. They cover the number's domain within it.
pub fn pieces(number: &PwAff, within: &Set) -> Vec<(Set, Aff)> {
    let parts = number.pieces().iter().map(|(set, aff)| (set.intersect(within), aff));
    let split = parts.filter(|(set, _)| !set.is_empty()).flat_map(|(set, aff)| match by_floor(&set, aff) {
        Some(split) => split,
        None => vec![(set, aff.clone())],
    });
    split.collect()
}

/// The same number without its floor, for each value that the floor has.
fn by_floor(set: &Set, aff: &Aff) -> Option<Vec<(Set, Aff)>> {
    let [div] = &aff.divs()[..] else { return None };
    let space = aff.domain_space();
    let numerator = Aff::from_parts(space, &[], &div.constant, &div.coefficients, &Int::from(1));
    let floor = numerator.scale_down(&div.denominator).floor().to_pw_aff().intersect_domain(set);
    let end = |end: Option<Int>| end.and_then(|value| value.as_i64()).map(i128::from);
    let (low, high) = (end(floor.min_val().ok()?)?, end(floor.max_val().ok()?)?);
    if high - low >= MOST_FLOORS {
        return None;
    }
    let n = space.dim(DimKind::Param);
    let factors = (0..n).map(|at| aff.coefficient(DimKind::Param, at));
    let factors: Vec<Int> =
        factors.chain((0..space.dim(DimKind::Out)).map(|at| aff.coefficient(DimKind::Out, at))).collect();
    let of = |value: i128| {
        let value = integer(value);
        let least = Aff::constant_on_domain(space, &value.mul(&div.denominator));
        let most = least.add_constant(&div.denominator.sub(&Int::from(1)));
        let points = set.intersect(&numerator.ge_set(&least)).intersect(&numerator.le_set(&most));
        let constant = aff.constant_value().add(&aff.div_coefficient(0).mul(&value));
        (points, Aff::from_parts(space, &[], &constant, &factors, &aff.denominator()))
    };
    Some((low..=high).map(of).filter(|(points, _)| !points.is_empty()).collect())
}

/// The points of a set that have all their neighbours, and in which each number has its main piece: the first one that is not thinner than the set, if possible one that changes with the dimensions. `None` if
/// that is all of it or nothing, or if some number has no such piece. Numbers are over the first dimensions of the set.
pub fn regular(numbers: &[&PwAff], domain: &Set) -> Option<Set> {
    let is_cut = is_cut(domain);
    if numbers.is_empty() && !is_cut {
        return None;
    }
    let thick = thick(domain);
    let tuple = domain.space().tuple(DimKind::Out)?;
    let mut regular = if is_cut { with_all_neighbours(domain, &thick) } else { domain.clone() };
    for number in numbers {
        let n = number.domain_space().dim(DimKind::Out);
        let rest = domain.dim(DimKind::Out) - n;
        let within = domain.project_out(DimKind::Out, n, rest).set_tuple_name(DimKind::Out, None);
        let found = pieces(number, &within);
        if found.len() < 2 {
            continue;
        }
        if found.len() > MOST_PIECES {
            return None;
        }
        let is_main = |set: &Set| thick.iter().all(|at| *at >= n || is_thick(set, *at));
        let mut thick = found.iter().filter(|(set, _)| is_main(set));
        let counts = |(_, aff): &&(Set, Aff)| aff.involves(DimKind::Out, 0, n);
        let (main, _) = thick.clone().find(counts).or_else(|| thick.next())?;
        let [_] = main.pieces()[..] else { return None };
        let main = main.add_dims(DimKind::Out, rest);
        regular = regular.intersect(&main.reset_space(&main.space().with_tuple(DimKind::Out, tuple)));
    }
    // Which piece it is may be up to parameters alone.
    let are_both = !regular.params().intersect(&domain.subtract(&regular).params()).is_empty();
    are_both.then_some(regular)
}

/// Whether a set is in one piece whose dimensions bound each other.
fn is_cut(set: &Set) -> bool {
    let pieces = set.pieces();
    let [piece] = &pieces[..] else { return false };
    let n_param = piece.dim(DimKind::Param);
    let is_of_several = |constraint: Constraint| {
        let counted = constraint.coefficients[n_param..].iter().filter(|factor| !factor.is_zero());
        counted.count() > 1
    };
    piece.constraints().into_iter().any(is_of_several)
}

/// The points of a set around which there are as many as anywhere, if dimensions that are not thick are those of neighbours.
fn with_all_neighbours(domain: &Set, thick: &[usize]) -> Set {
    let n = domain.dim(DimKind::Out);
    if thick.is_empty() || thick.len() == n {
        return domain.clone();
    }
    let thin: Vec<usize> = (0..n).filter(|at| !thick.contains(at)).collect();
    let whatever =
        |set: &Set, dims: &[usize]| dims.iter().fold(set.clone(), |set, at| set.eliminate(DimKind::Out, *at, 1));
    // Neighbours are those that there are for whatever parameters: one row alone misses some.
    let neighbours = whatever(domain, thick).eliminate(DimKind::Param, 0, domain.dim(DimKind::Param));
    let missing = whatever(domain, &thin).intersect(&neighbours).subtract(domain);
    domain.subtract(&whatever(&missing, &thin)).coalesce()
}

/// The dimensions that are not thin.
fn thick(set: &Set) -> Vec<usize> {
    (0..set.dim(DimKind::Out)).filter(|at| is_thick(set, *at)).collect()
}
