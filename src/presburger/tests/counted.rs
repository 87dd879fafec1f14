//! Arithmetic that counts itself: what a work unit of [`crate::presburger::number::budget`] stands for.
//!
//! The algorithms of this room are generic over their numbers. Run on [`Counted`], `lexmin` of some conjunction makes, say, 52000 additions,
//! comparisons and tests for zero while it spends 3000 units: the quotient, about 17 here, must stay below a bound for every operation and
//! every input, or there is a loop that charges too little, and a budget would not end it in time. No clock is needed to find it.

use super::brute;
use crate::presburger::algebra::{closure, coalesce, gist, hull, subtract};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::{spent, within};
use crate::presburger::number::int::{Int, Number, unless_overflow};
use crate::presburger::solve::unknowns::Sense;
use crate::presburger::solve::{lexmin, project, redundancy, sample};
use crate::property::property;
use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count(steps: u64) {
    COUNT.set(COUNT.get() + steps);
}

/// A machine word whose operations are counted.
// Equal values have equal hashes: equality is that of the numbers, and counts.
#[allow(clippy::derived_hash_with_manual_eq)]
#[derive(Hash)]
struct Counted(i64);

impl Clone for Counted {
    fn clone(&self) -> Self {
        count(1);
        Counted(self.0)
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        count(1);
        self.0 == other.0
    }
}

impl Eq for Counted {}

impl PartialOrd for Counted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Counted {
    fn cmp(&self, other: &Self) -> Ordering {
        count(1);
        self.0.cmp(&other.0)
    }
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

macro_rules! counted {
    ($($name:ident),+) => {$(
        fn $name(&self, other: &Self) -> Self {
            count(1);
            Counted(Number::$name(&self.0, &other.0))
        }
    )+};
}

impl Number for Counted {
    fn from_i64(value: i64) -> Self {
        Counted(value)
    }
    fn from_int(value: &Int) -> Self {
        Counted(i64::from_int(value))
    }
    fn to_int(&self) -> Int {
        self.0.to_int()
    }
    fn word(&self) -> i64 {
        self.0
    }
    fn to_i64(&self) -> Option<i64> {
        Some(self.0)
    }
    fn is_zero(&self) -> bool {
        count(1);
        self.0 == 0
    }
    fn is_one(&self) -> bool {
        count(1);
        self.0 == 1
    }
    fn sign(&self) -> i32 {
        count(1);
        self.0.sign()
    }
    fn neg(&self) -> Self {
        count(1);
        Counted(Number::neg(&self.0))
    }
    fn add_mul(&mut self, a: &Self, b: &Self) {
        count(1);
        self.0.add_mul(&a.0, &b.0);
    }
    counted!(add, sub, mul, div_floor, div_exact, rem_floor, gcd);
}

/// Operations on numbers, and tests of them, per work unit at most.
const MOST_PER_UNIT: u64 = 64;
/// Units of one operation in the test.
const STEPS: u64 = 200_000;

fn is_charged<R>(what: &str, work: impl FnOnce() -> R) {
    let (counted, units) = (COUNT.get(), spent());
    // Too hard is an answer, and so is a number beyond the word: the work until then was charged.
    let _ = within(STEPS, || unless_overflow(work));
    let (counted, units) = (COUNT.get() - counted, spent() - units);
    assert!(counted <= MOST_PER_UNIT * (units + 20), "{what}: {counted} operations for {units} units");
}

#[test]
fn units_are_in_proportion_to_arithmetic() {
    property(150, |u| {
        let n = u.int_in_range(2..=7)?;
        let rows = u.int_in_range(3..=12)?;
        let a = brute::bounded(&brute::conjunction(u, n, 4, rows)?).convert::<Counted>();
        let b = brute::conjunction(u, n, 3, rows)?.convert::<Counted>();
        let universe = Conjunction::universe(n - 1);
        let both = [a.clone(), b.clone()];
        is_charged("simplify", || a.clone().simplified());
        is_charged("sample", || sample::sample(&a));
        is_charged("compute_divs", || project::compute_divs(&b));
        is_charged("eliminate_rational", || project::eliminate_rational(&a, 0, n - 1));
        is_charged("subtract", || subtract::subtract(&both[..1], &both[1..]));
        is_charged("is_subset", || subtract::is_subset(&both[1..], &both[..1]));
        is_charged("lexopt", || lexmin::lexopt(&b, &universe, 1, Sense::Minimum));
        is_charged("coalesce", || coalesce::coalesce(both.to_vec()));
        is_charged("gist", || gist::gist(&a, &b));
        is_charged("hull", || (hull::affine_hull(&both), hull::simple_hull(&both, hull::Shift::Tight)));
        is_charged("redundancy", || redundancy::remove_redundancies(&mut b.clone()));
        if n % 2 == 0 {
            is_charged("closure", || closure::closure(&both[1..], closure::Shape { n_param: 0, n: n / 2 }));
        }
        Ok(())
    });
}
