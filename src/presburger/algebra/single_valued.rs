//! Relations that are functions by the look of their constraints.
//!
//! In `{ [i] -> [o] : o = 3 i + floor(i / 2) }` an equality gives `o`; in `{ [i, p] -> [o] : (p - i + o) mod 32 = 0 and 0 <= o <= 31 }` an equality gives its
//! remainder modulo 32 and two bounds leave room for one number with that remainder. Either says for each value of the other variables what `o` is. Whoever
//! finds neither must search.
//!
//! Implements: 002 2.3.5

use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use std::ops::Range;

/// Whether the constraints say plainly that the variables in the columns `outputs` are functions of the others.
pub(crate) fn is_plainly_single_valued<T: Number>(conj: &Conjunction<T>, outputs: Range<usize>) -> bool {
    spend_rows(outputs.len() * (conj.eq.len() + conj.ineq.len()), conj.width());
    outputs
        .clone()
        .all(|column| is_given(conj, &outputs, column) || is_only_one_with_its_remainder(conj, &outputs, column))
}

/// The row mentions no output but the one in `column`.
fn no_other<T: Number>(row: &[T], outputs: &Range<usize>, column: usize) -> bool {
    outputs.clone().all(|c| c == column || row[c].is_zero())
}

/// The locals in the row that are no functions of the inputs.
fn dependent_locals<'a, T: Number>(
    conj: &'a Conjunction<T>,
    row: &'a [T],
    outputs: &'a Range<usize>,
) -> impl Iterator<Item = usize> + 'a {
    let known = |l: usize| {
        let div = conj.divs.row(l);
        !div[0].is_zero() && div[1 + outputs.start..].iter().all(Number::is_zero)
    };
    (0..conj.n_local()).filter(move |&l| !row[1 + conj.n_var + l].is_zero() && !known(l))
}

fn is_given<T: Number>(conj: &Conjunction<T>, outputs: &Range<usize>, column: usize) -> bool {
    conj.eq.rows().any(|row| {
        !row[column].is_zero()
            && no_other(row, outputs, column)
            && dependent_locals(conj, row, outputs).next().is_none()
    })
}

fn is_only_one_with_its_remainder<T: Number>(conj: &Conjunction<T>, outputs: &Range<usize>, column: usize) -> bool {
    let modulus = |row: &[T]| {
        let mut locals = dependent_locals(conj, row, outputs);
        let (Some(l), None) = (locals.next(), locals.next()) else { return None };
        let plain = row[column].abs().is_one() && no_other(row, outputs, column);
        plain.then(|| row[1 + conj.n_var + l].abs())
    };
    let fits = |m: &T| {
        conj.ineq.rows().filter(|low| low[column].is_one() && no_other(low, outputs, column)).any(|low| {
            dependent_locals(conj, low, outputs).next().is_none()
                && conj.ineq.rows().any(|high| {
                    low[0].add(&high[0]) < *m && low[1..].iter().zip(&high[1..]).all(|(x, y)| *x == y.neg())
                })
        })
    };
    conj.eq.rows().filter_map(modulus).any(|m| fits(&m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::unless_overflow;
    use crate::presburger::tests::brute;
    use crate::property::property;

    #[test]
    fn the_examples_of_the_header() {
        let mut given = Conjunction::<i64>::universe(2);
        let half = given.add_div(&[2, 0, 1, 0]);
        given.add_eq(&[0, 3, -1, 1]);
        assert!(half == 3 && is_plainly_single_valued(&given, 2..3));
        let mut remainder = Conjunction::<i64>::universe(3);
        remainder.add_local();
        remainder.add_eq(&[0, -1, 1, 1, -32]);
        remainder.add_ineq(&[0, 0, 0, 1, 0]);
        remainder.add_ineq(&[31, 0, 0, -1, 0]);
        assert!(is_plainly_single_valued(&remainder.clone().simplified(), 3..4));
        remainder.ineq.clear();
        remainder.add_ineq(&[0, 0, 0, 1, 0]);
        remainder.add_ineq(&[32, 0, 0, -1, 0]);
        assert!(!is_plainly_single_valued(&remainder.simplified(), 3..4));
    }

    #[test]
    fn plain_functions_are_functions() {
        property(1_000, |u| {
            let conj = brute::conjunction(u, 2, 2, 4)?;
            let Some(true) = unless_overflow(|| is_plainly_single_valued(&conj, 2..3)) else { return Ok(()) };
            for x in -brute::BOX..=brute::BOX {
                let images = (-brute::BOX..=brute::BOX).filter(|&y| brute::contains(&conj, &[x, y])).count();
                assert!(images <= 1, "{x} has {images} images in {conj:?}");
            }
            Ok(())
        });
    }
}
