//! Exact difference and inclusion of unions of conjunctions.
//!
//! `{ [i] : 0 <= i <= 9 } \ { [i] : 4 <= i <= 6 }`: the constraints of the subtrahend are negated one at a time, each piece keeping the
//! constraints before, so the pieces `i <= 3` and `i >= 4, i >= 7` are disjoint by construction. A constraint that the minuend implies gives
//! no piece; one that it contradicts means that there is nothing to subtract. Both questions go to a [`Context`], which
//! answers most of them with points that it has already seen. Inclusion is the same walk, ended at the first point outside.
//!
//! Implements: 001 efficient

use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::negate;
use crate::presburger::solve::context::{Context, Sign};
use crate::presburger::solve::project;
use crate::presburger::solve::sample::is_empty;

/// The points of the union `minuend` that are in none of `subtrahend`. Pieces cut from one disjunct of the minuend are disjoint.
pub(crate) fn subtract<T: Number>(minuend: &[Conjunction<T>], subtrahend: &[Conjunction<T>]) -> Vec<Conjunction<T>> {
    let subtrahend: Vec<Conjunction<T>> = subtrahend.iter().flat_map(project::compute_divs).collect();
    let mut result = Vec::new();
    for from in minuend {
        if subtrahend.contains(from) {
            continue;
        }
        let relevant = not_disjoint(from, &subtrahend);
        if relevant.is_empty() {
            result.push(from.clone());
            continue;
        }
        walk_outside(from, &relevant, &mut |piece| {
            result.push(piece);
            Walk::Continue
        });
    }
    result
}

/// Whether each point of the union `part` is in the union `whole`.
pub(crate) fn is_subset<T: Number>(part: &[Conjunction<T>], whole: &[Conjunction<T>]) -> bool {
    if part.iter().all(|a| a.known_empty || whole.contains(a)) {
        return true;
    }
    let whole: Vec<Conjunction<T>> = whole.iter().flat_map(project::compute_divs).collect();
    part.iter().all(|a| walk_outside(a, &whole.iter().collect::<Vec<_>>(), &mut |_| Walk::Stop) == Walk::Continue)
}

/// Whether no point is in both.
pub(crate) fn is_disjoint<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> bool {
    if a.is_universe() || b.is_universe() {
        return is_empty(if a.is_universe() { b } else { a });
    }
    if plainly_disjoint(a, b) {
        return true;
    }
    let both = a.known_in_both(b);
    if both.is_settled() { both.is_none() } else { is_empty(&a.conjoin(b)) }
}

/// Disjoint conjunctions with the same union.
pub(crate) fn make_disjoint<T: Number>(union: &[Conjunction<T>]) -> Vec<Conjunction<T>> {
    let mut result: Vec<Conjunction<T>> = Vec::new();
    for conj in union {
        let new = subtract(std::slice::from_ref(conj), &result);
        result.extend(new);
    }
    result
}

fn not_disjoint<'a, T: Number>(from: &Conjunction<T>, others: &'a [Conjunction<T>]) -> Vec<&'a Conjunction<T>> {
    others.iter().filter(|b| !is_disjoint(from, b)).collect()
}

/// Whether an inequality or equality of one contradicts one of the other all by itself.
pub(crate) fn plainly_disjoint<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> bool {
    if a.known_empty || b.known_empty {
        return true;
    }
    spend(1 + ((a.ineq.len() + a.eq.len()) * (b.ineq.len() + b.eq.len())) as u64 / 4);
    let n = 1 + a.n_var;
    let local_free = |row: &[T]| row[n..].iter().all(Number::is_zero);
    let opposite = |x: &[T], y: &[T]| x[1..n].iter().zip(&y[1..n]).all(|(p, q)| *p == q.neg());
    let same = |x: &[T], y: &[T]| x[1..n] == y[1..n];
    let against = |x: &[T], other: &Conjunction<T>| {
        other.ineq.rows().any(|y| opposite(x, y) && local_free(y) && x[0].add(&y[0]).is_negative())
    };
    let eq_against = |x: &[T], other: &Conjunction<T>| {
        let negated: Vec<T> = x.iter().map(Number::neg).collect();
        against(x, other)
            || against(&negated, other)
            || other
                .eq
                .rows()
                .any(|y| local_free(y) && ((same(x, y) && x[0] != y[0]) || (opposite(x, y) && x[0] != y[0].neg())))
    };
    a.ineq.rows().any(|x| local_free(x) && against(x, b))
        || a.eq.rows().any(|x| local_free(x) && eq_against(x, b))
        || b.eq.rows().any(|x| local_free(x) && eq_against(x, a))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    Continue,
    Stop,
}

/// Hands disjoint conjunctions, each with a point, that make up `from` without `others` to `visit` until that stops. The locals of `others` are divs.
fn walk_outside<T: Number>(
    from: &Conjunction<T>,
    others: &[&Conjunction<T>],
    visit: &mut dyn FnMut(Conjunction<T>) -> Walk,
) -> Walk {
    let n_var = from.n_var;
    let open = project::unknown_locals_as_variables(from);
    let extra = open.n_var - n_var;
    let Some(context) = Context::new(&open) else { return Walk::Continue };
    let others: Vec<Conjunction<T>> = others.iter().map(|b| b.insert_variables(n_var, extra)).collect();
    let mut close = |context: Context<T>| {
        let piece = context.into_conjunction();
        visit(if extra == 0 { piece } else { piece.project_to_locals(n_var, extra) }.simplified())
    };
    outside(context, &others, &mut close)
}

fn outside<T: Number>(
    mut context: Context<T>,
    others: &[Conjunction<T>],
    visit: &mut dyn FnMut(Context<T>) -> Walk,
) -> Walk {
    let Some((first, rest)) = others.split_first() else { return visit(context) };
    if first.known_empty {
        return outside(context, rest, visit);
    }
    let whole = context.copy();
    let rows = context.import(first);
    let mut cutting = Vec::new();
    for row in rows {
        match context.sign(&row) {
            Sign::NonNegative => {}
            Sign::Negative => return outside(whole, rest, visit),
            Sign::Mixed => cutting.push(row),
        }
    }
    for (i, row) in cutting.iter().enumerate() {
        let sign = if i == 0 { Sign::Mixed } else { context.sign(row) };
        match sign {
            Sign::NonNegative => continue,
            Sign::Negative => return outside(context, rest, visit),
            Sign::Mixed => {}
        }
        let mut opposite = row.clone();
        negate(&mut opposite);
        let mut piece = context.copy();
        piece.add(&opposite);
        if outside(piece, rest, visit) == Walk::Stop {
            return Walk::Stop;
        }
        context.add(row);
    }
    Walk::Continue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::{Int, unless_overflow};
    use crate::presburger::tests::brute;
    use crate::property::property;
    use std::slice::from_ref;

    #[test]
    fn a_hole_splits_an_interval() {
        let interval = |low: i64, high: i64| {
            let mut conj = Conjunction::<i64>::universe(1);
            conj.add_ineq(&[-low, 1]);
            conj.add_ineq(&[high, -1]);
            conj
        };
        let (whole, hole) = (interval(0, 9), interval(4, 6));
        let difference = subtract(from_ref(&whole), from_ref(&hole));
        assert_eq!(difference.len(), 2);
        assert!(is_subset(from_ref(&hole), from_ref(&whole)) && !is_subset(from_ref(&whole), from_ref(&hole)));
        assert!(is_subset(from_ref(&whole), &[interval(-3, 5), interval(6, 20)]));
        assert!(!is_subset(&[whole], &[interval(-3, 4), interval(6, 20)]));
        assert!(is_disjoint(&interval(0, 3), &hole));
    }

    #[test]
    fn difference_means_in_the_first_and_not_in_the_second() {
        property(1_000, |u| {
            let n = u.int_in_range(1..=2)?;
            let a = vec![brute::conjunction(u, n, 2, 2)?, brute::conjunction(u, n, 1, 2)?];
            let b = vec![brute::conjunction(u, n, 2, 2)?, brute::conjunction(u, n, 1, 3)?];
            let in_any = |union: &[Conjunction<i64>], x: &[i64]| union.iter().any(|c| brute::contains(c, x));
            let Some(difference) = unless_overflow(|| subtract(&a[..1], &b)) else { return Ok(()) };
            let Some(disjoint) = unless_overflow(|| make_disjoint(&b)) else { return Ok(()) };
            let subset = unless_overflow(|| is_subset(&a, &b));
            for x in brute::points(n, brute::BOX) {
                let expected = brute::contains(&a[0], &x) && !in_any(&b, &x);
                let hits = difference.iter().filter(|c| brute::contains(c, &x)).count();
                assert_eq!(hits, expected as usize, "{x:?} in {a:?} minus {b:?}: {difference:?}");
                assert!(subset != Some(true) || !in_any(&a, &x) || in_any(&b, &x), "{x:?} in {a:?} not in {b:?}");
                assert_eq!(disjoint.iter().filter(|c| brute::contains(c, &x)).count(), in_any(&b, &x) as usize);
            }
            let back = unless_overflow(|| is_subset(&difference, &a[..1]));
            assert!(back != Some(false));
            Ok(())
        });
    }

    #[test]
    fn numbers_past_the_machine_word_are_exact() {
        let half = i64::MAX / 2;
        let mut a = Conjunction::<Int>::universe(2);
        a.add_eq(&[Int::from(1), Int::from(half), Int::from(-half + 2)]);
        let mut b = Conjunction::<Int>::universe(2);
        b.add_ineq(&[Int::from(0), Int::from(half - 2), Int::from(half)]);
        let difference = subtract(&[a.clone()], &[b.clone()]);
        assert!(is_subset(&difference, &[a.clone()]) && difference.iter().all(|d| is_disjoint(d, &b)));
        assert!(unless_overflow(|| subtract(&[a.convert::<i64>()], &[b.convert()])).is_none());
    }
}
