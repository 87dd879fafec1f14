//! Tests: piecewise quasi-polynomials: numbers that depend on parameters and on elements, such as how many elements a set has.

use super::*;
use crate::presburger::{UnionMap, UnionSet};
use expect_test::{Expect, expect};

fn check(set: &str, expected: Expect) {
    let set = UnionSet::parse(set).expect("a set");
    expected.assert_eq(&set.card().map_or_else(|e| e.to_string(), |count| count.to_string()));
}

#[test]
fn counts_are_formulas() {
    check("{ [i] : 0 <= i < 10 }", expect![["{ 10 }"]]);
    check("[n] -> { [i] : 0 <= i < n }", expect![["[n] -> { n : n > 0 }"]]);
    check("[n] -> { [i, j] : 0 <= i <= j < n }", expect!["[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }"]);
    check("[n] -> { [i] : 0 <= i < n and i mod 2 = 0 }", expect!["[n] -> { floor((1 + n)/2) : n > 0 }"]);
    check("[n] -> { [i] : 0 <= 3i <= n }", expect!["[n] -> { (1 + floor((n)/3)) : n >= 0 }"]);
    check("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }", expect!["[n, m] -> { n * m : n > 0 and m > 0 }"]);
    check("[n, m] -> { [i] : 0 <= i < n and i < m }", expect!["[n, m] -> { n : n > 0 and m >= n; m : 0 < m < n }"]);
    check("[n] -> { A[i] : 0 <= i < n; B[i, j] : 0 <= i < n and j = 7 }", expect!["[n] -> { 2 * n : n > 0 }"]);
    check("[n] -> { [i] : i >= n }", expect!["there are infinitely many elements for some values of the parameters"]);
    check("{ [i] : i >= 0 and i < 0 }", expect![["{ 0 }"]]);
}

#[test]
fn a_relation_is_counted_for_each_element_of_its_domain() {
    let map = UnionMap::parse("{ A[i] -> [j] : 0 <= j <= i; B[i] -> [2i] }").expect("a relation");
    expect!["{ A[i] -> (1 + i) : i >= 0; B[i] -> 1 }"].assert_eq(&map.card().expect("finite").to_string());
    let sum = map.intersect_domain(&UnionSet::parse("{ A[i] : i < 4; B[i] : 0 <= i < 5 }").expect("a set"));
    expect![["{ 15 }"]].assert_eq(&sum.card().expect("finite").sum().expect("finite").to_string());
}

/// Counts at each value of the parameter against the elements written out.
#[test]
fn counts_agree_with_enumeration() {
    crate::property::property(30, |u| {
        let mut text = String::from("[n] -> { [i, j] : 0 <= i <= 6 and -3 <= j <= n");
        for _ in 0..u.int_in_range(1..=3)? {
            let c =
                [u.int_in_range(-3..=3)?, u.int_in_range(-3..=3)?, u.int_in_range(-2..=2)?, u.int_in_range(-4..=9)?];
            text += &match u.int_in_range(0..=4)? {
                0 => format!(" and ({}i + {}j + {}n + {}) mod {} = 0", c[0], c[1], c[2], c[3], u.int_in_range(2..=4)?),
                1 => format!(" and ({}i + {}j + {}n <= {} or i > j)", c[0], c[1], c[2], c[3]),
                2 => format!(" and exists (e : {}i <= 3e + {}n and 2e <= j + {})", c[0], c[2], c[3]),
                3 => format!(" and {}i + floor((j + {}n)/3) >= {}", c[0], c[2], c[3]),
                _ => format!(" and {}i + {}j + {}n + {} >= 0", c[0], c[1], c[2], c[3]),
            };
        }
        text += " }";
        let set = Set::parse(&text).expect("a set");
        let count = set.card().expect("a bounded set");
        for n in -4..=7i64 {
            let n = Int::from(n);
            let listed = set.fix(DimKind::Param, 0, &n).count().expect("a bounded set");
            assert_eq!(count.eval(std::slice::from_ref(&n)), Ratio::integer(listed), "{text} at n = {n}: {count}");
        }
        for piece in count.pieces() {
            let others = count.pieces().iter().filter(|other| !std::ptr::eq(*other, piece));
            others.for_each(|other| assert!(piece.0.is_disjoint(&other.0), "{count}"));
        }
        Ok(())
    });
}
