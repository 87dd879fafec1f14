//! The lexicographic optimum over a union of conjunctions.
//!
//! The last write before a read is the greatest source among those of several statements: `max` of `{ [n] -> [y] : 0 <= y <= n }` and
//! `{ [n] -> [y] : y = 5 }` is 5 for `n < 5` and `n` from there on. The disjuncts are taken one after the other; where there is a solution already,
//! a new one counts only if it is better, and this is asked for directly: outputs equal to the known ones up to a position and
//! better there. So no solution is computed only to be thrown away, and the pieces stay disjoint.

use super::subtract::make_disjoint;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::Number;
use crate::presburger::solve::lexmin::{Optimum, Piece, lexopt};
use crate::presburger::solve::sample::is_empty;
use crate::presburger::solve::unknowns::Sense;

/// The optimum of the last `n_out` variables over the union of `union`, for the inputs in the union of `domain`.
pub(crate) fn lexopt_union<T: Number>(
    union: &[Conjunction<T>],
    domain: &[Conjunction<T>],
    n_out: usize,
    sense: Sense,
) -> Optimum<T> {
    let mut result = Optimum { pieces: Vec::new(), empty: make_disjoint(domain), unbounded: Vec::new() };
    for conj in union {
        let before = std::mem::take(&mut result.pieces);
        let unsolved = std::mem::take(&mut result.empty);
        for part in &unsolved {
            let found = lexopt(conj, part, n_out, sense);
            result.pieces.extend(found.pieces);
            result.unbounded.extend(found.unbounded);
            result.empty.extend(found.empty);
        }
        before.into_iter().for_each(|piece| improve(piece, conj, sense, &mut result));
    }
    result
}

/// Adds to the result the piece with the better solutions that `conj` has on a part of its domain.
fn improve<T: Number>(piece: Piece<T>, conj: &Conjunction<T>, sense: Sense, result: &mut Optimum<T>) {
    let n_out = piece.values.len();
    let here = piece.domain.insert_variables(piece.domain.n_var, n_out).conjoin(conj);
    if is_empty(&here) {
        result.pieces.push(piece);
        return;
    }
    let mut rest = vec![piece.domain.clone()];
    let mut improved = false;
    for position in 0..n_out {
        let better = better_at(&piece, conj, position, sense);
        if better.known_empty {
            continue;
        }
        let mut remaining = Vec::with_capacity(rest.len());
        for part in rest {
            let found = lexopt(&better, &part, n_out, sense);
            if found.pieces.is_empty() && found.unbounded.is_empty() {
                remaining.push(part);
                continue;
            }
            improved = true;
            result.pieces.extend(found.pieces);
            result.unbounded.extend(found.unbounded);
            remaining.extend(found.empty);
        }
        rest = remaining;
    }
    if improved {
        result.pieces.extend(rest.into_iter().map(|domain| Piece { domain, ..piece.clone() }));
    } else {
        result.pieces.push(piece);
    }
}

/// The solutions of `conj` that agree with the piece before output `position` and are better there.
fn better_at<T: Number>(piece: &Piece<T>, conj: &Conjunction<T>, position: usize, sense: Sense) -> Conjunction<T> {
    let n_in = piece.domain.n_var;
    let n_out = piece.values.len();
    let mut values = piece.with_divs(n_out);
    for (i, value) in piece.values.rows().enumerate().take(position + 1) {
        let mut row = vec![T::zero(); values.width()];
        row[..=n_in].clone_from_slice(&value[..=n_in]);
        row[1 + n_in + n_out..].clone_from_slice(&value[1 + n_in..]);
        row[1 + n_in + i] = T::one().neg();
        if i < position {
            values.add_eq(&row);
            continue;
        }
        if sense == Sense::Maximum {
            row.iter_mut().for_each(|x| *x = x.neg());
        }
        row[0] = row[0].sub(&T::one());
        values.add_ineq(&row);
    }
    conj.conjoin(&values).simplified()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_best_of_several_disjuncts_wins_everywhere() {
        property(1_000, |u| {
            let n_out = u.int_in_range(1..=2)?;
            let mut union = Vec::new();
            for _ in 0..u.int_in_range(1..=3)? {
                let mut conj = brute::conjunction(u, 1 + n_out, 1, 2)?;
                brute::bound_all(&mut conj, 1);
                union.push(conj);
            }
            let domain = vec![brute::conjunction(u, 1, 1, 1)?, brute::conjunction(u, 1, 0, 2)?];
            let sense = if u.ratio(1, 2)? { Sense::Maximum } else { Sense::Minimum };
            let Some(result) = unless_overflow(|| lexopt_union(&union, &domain, n_out, sense)) else { return Ok(()) };
            assert!(result.unbounded.is_empty());
            for x in brute::points(1, brute::BOX) {
                let solutions = union.iter().filter_map(|c| brute::optimum(c, &x, n_out, sense == Sense::Maximum));
                let expected = if sense == Sense::Maximum { solutions.max() } else { solutions.min() };
                let inside = domain.iter().any(|d| brute::contains(d, &x));
                let hits: Vec<_> = result.pieces.iter().filter(|p| brute::contains(&p.domain, &x)).collect();
                let empties = result.empty.iter().filter(|c| brute::contains(c, &x)).count();
                assert_eq!(hits.len() + empties, inside as usize, "{x:?} in {union:?} on {domain:?}: {result:?}");
                if inside {
                    assert_eq!(
                        hits.first().map(|p| brute::values(&p.divs, &p.values, &x)),
                        expected,
                        "{x:?} {union:?}"
                    );
                }
            }
            Ok(())
        });
    }
}
