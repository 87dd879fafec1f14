//! Pairs of arrays of which a test before the loops could only find that they overlap.
//!
//!     for (i = 0; i < n; i++) { for (z = 0; z < 8; z++) t[z] = x[i] + z; a[i] = t[q & 7]; }
//!
//! The address of `t[q & 7]` does not change in the loops, so that it is an array of its own, of one element, which must be apart from
//! `t`. It is between 0 and 7 elements behind the beginning of `t`, all of which the loops write: no value of `q` makes the test succeed. Loops
//! behind such a test never run; it is better to say so.

use crate::extract::binding::BoundArray;
use crate::extract::numbers::interval::Interval;
use crate::llvm::instruction::Address;
use crate::llvm::{Analyses, Value};
use crate::presburger::{Int, PwAff, Set};

/// Address computations and choices that one pointer is followed through.
const MOST_STEPS: usize = 8;

/// Whether the first and last bytes of two arrays cannot be apart, for any parameters of the trusted context.
pub(in crate::extract) fn never_apart<'ir>(
    analyses: &Analyses<'_, 'ir>,
    (a, b): (&BoundArray<'ir>, &BoundArray<'ir>),
    trusted: &Set,
) -> bool {
    let (Some(from), Some(to)) = (a.base.map(|base| within(analyses, base, MOST_STEPS)), b.base) else { return false };
    let to = within(analyses, to, MOST_STEPS);
    let ends = |array: &BoundArray<'ir>| ends(array).map(|ends| ends.map(|end| end.intersect_params(trusted)));
    let (Some([first_a, behind_a]), Some([first_b, behind_b])) = (ends(a), ends(b)) else { return false };
    let [Some(least), Some(largest)] = distance(from, to) else { return false };
    let moved = |end: &PwAff, by: i64| end.add(&PwAff::constant_on_set(&end.domain(), &Int::from(by)));
    let before = behind_a.le_set(&moved(&first_b, largest));
    let after = moved(&behind_b, least).le_set(&first_a);
    let touched = [&first_a, &behind_a, &first_b, &behind_b].map(PwAff::domain);
    let touched = touched.iter().fold(trusted.clone(), |all, domain| all.intersect(domain));
    before.union(&after).intersect(&touched).is_empty() && trusted.subtract(&touched).is_empty()
}

/// How many bytes the second pointer is behind the first, at least and at most, if both are based on one pointer.
fn distance(from: (Value<'_>, Interval), to: (Value<'_>, Interval)) -> [Option<i64>; 2] {
    let ((base, from), (other, to)) = (from, to);
    if base != other {
        return [None, None];
    }
    let difference = |a: Option<i128>, b: Option<i128>| i64::try_from(a?.checked_sub(b?)?).ok();
    [difference(to.low, from.high), difference(to.high, from.low)]
}

/// What a pointer is based on, and between how many bytes behind that it is.
fn within<'ir>(analyses: &Analyses<'_, 'ir>, pointer: Value<'ir>, steps: usize) -> (Value<'ir>, Interval) {
    let here = (pointer, Interval::new(0, 0));
    if steps == 0 {
        return here;
    }
    if let Some((_, a, b)) = pointer.as_instruction().and_then(|instruction| instruction.select()) {
        let (a, b) = (within(analyses, a, steps - 1), within(analyses, b, steps - 1));
        return if a.0 == b.0 { (a.0, hull(a.1, b.1)) } else { here };
    }
    let address = Address::of_value(pointer);
    let Some((address, (constant, terms))) =
        address.and_then(|address| Some((address.offset(analyses.function().layout())?, address)).map(|(o, a)| (a, o)))
    else {
        return here;
    };
    let sum = terms.iter().try_fold(Interval::new(constant, constant), |sum, (index, factor)| {
        let range = index_within(analyses, *index, steps - 1);
        let ends = [range.low?.checked_mul(*factor)?, range.high?.checked_mul(*factor)?];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Some(Interval::new(sum.low?.checked_add(low)?, sum.high?.checked_add(high)?))
    });
    let (base, before) = within(analyses, address.base, steps - 1);
    let added = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
    let all = sum.map(|sum| Interval { low: added(before.low, sum.low), high: added(before.high, sum.high) });
    all.map_or(here, |all| (base, all))
}

/// What an index can be.
fn index_within<'ir>(analyses: &Analyses<'_, 'ir>, index: Value<'ir>, steps: usize) -> Interval {
    let chosen = index.as_instruction().and_then(|instruction| instruction.select()).filter(|_| steps > 0);
    if let Some((_, a, b)) = chosen {
        return hull(index_within(analyses, a, steps - 1), index_within(analyses, b, steps - 1));
    }
    let range = analyses.scev(index).and_then(|scev| analyses.signed_range(scev));
    range.map_or(Interval::ALL, |range| Interval::new(range.low, range.high))
}

fn hull(a: Interval, b: Interval) -> Interval {
    let pick = |f: fn(i128, i128) -> i128, a: Option<i128>, b: Option<i128>| Some(f(a?, b?));
    Interval { low: pick(i128::min, a.low, b.low), high: pick(i128::max, a.high, b.high) }
}

/// The offsets of the first byte of an array and of the one behind its last, as functions of the parameters.
fn ends(array: &BoundArray<'_>) -> Option<[PwAff; 2]> {
    let bounds = array.extent.as_ref()?;
    let space = bounds.first()?.0.domain_space().clone();
    let start = |bytes: i64| PwAff::constant_on_domain(&space, &Int::from(bytes));
    let (mut first, mut behind) = (start(0), start(i64::try_from(array.element_bytes).ok()?));
    for (stride, (low, high)) in array.strides.iter().zip(bounds) {
        let stride = i64::try_from(stride.as_constant()?).ok()?;
        let (low, high) = if stride < 0 { (high, low) } else { (low, high) };
        let stride = Int::from(stride);
        first = first.add(&low.scale(&stride));
        behind = behind.add(&high.scale(&stride));
    }
    Some([first, behind])
}
