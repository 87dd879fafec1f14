//! Tests: bounds of quasi-polynomials over their domains, as functions of the parameters.

use super::*;
use crate::presburger::DimKind;
use crate::property::property;
use expect_test::{Expect, expect};

fn read(text: &str) -> UnionPwQPolynomial {
    UnionPwQPolynomial::parse(text).expect("quasi-polynomials")
}

fn check(text: &str, expected: Expect) {
    let (above, below) = (read(text).upper_bound(), read(text).lower_bound());
    expected.assert_eq(&format!("{} {}\n{} {}", above.0, above.1, below.0, below.1));
}

#[test]
fn bounds_by_vertices() {
    check(
        "[n] -> { [i] -> n * i - i^2 : 0 <= i <= n }",
        expect![[r#"
            [n] -> { max(1/2 * n^2) : n >= 0 } false
            [n] -> { min(0) : n >= 0 } true"#]],
    );
    check(
        "[n] -> { [i, j] -> i * j : 0 <= i <= j <= n }",
        expect![[r#"
        [n] -> { max(n^2) : n >= 0 } true
        [n] -> { min(0) : n >= 0 } true"#]],
    );
    check(
        "[n, m] -> { [i, j] -> i * j - i^2 : 0 <= i <= j <= n and i <= m }",
        expect![[r#"
            [n, m] -> { max((n * m - m^2), 1/2 * n * m) : n >= 0 and 0 <= m < n; max(1/2 * n^2) : n >= 0 and m >= 0 and m >= n } false
            [n, m] -> { min(0) : n >= 0 and m >= 0 } true"#]],
    );
    check(
        "[n] -> { [[i] -> [j]] -> i * j : 0 <= j <= i + n }",
        expect![[r#"
        [n] -> { [i] -> max(0, (n * i + i^2)) : i >= -n } true
        [n] -> { [i] -> min(0, (n * i + i^2)) : i >= -n } true"#]],
    );
}

#[test]
fn affine_bounds_are_exact() {
    check(
        "[n] -> { [i] -> i : 0 <= 2i <= n }",
        expect![[r#"
        [n] -> { max(floor((n)/2)) : n >= 0 } true
        [n] -> { min(0) : n >= 0 } true"#]],
    );
    check(
        "[n] -> { [i] -> n - 2 * floor(i/3) : i mod 5 = 1 and i >= n }",
        expect![[r#"
        [n] -> { max((-n + 2 * floor((2 + 2 * n)/3))) : 5*floor((n + 3)/5) <= 3*floor((n)/3) + 1; max((-3 * n + 2 * floor((1 + n + 2 * floor((1 + 4 * n)/5))/3) + 2 * floor((1 + 4 * n)/5))) : 5*floor((n + 3)/5) >= 3*floor((n)/3) + 2 } true
        [n] -> { min(-infty) } false"#]],
    );
    check(
        "{ A[i] -> i : 0 <= i <= 3; B[i, j] -> i * j : 0 <= i, j <= 4; C[i] -> 1/2 * i : i = 7 }",
        expect![[r#"
            { max(16) } true
            { min(0) } true"#]],
    );
}

#[test]
fn unbounded_domains() {
    check(
        "{ [i] -> i^2 - 3 * i : i >= 4 }",
        expect![[r#"
        { max(infty) } false
        { min(4) } true"#]],
    );
    check(
        "{ [i, j] -> i^2 : 0 <= i <= 3 }",
        expect![[r#"
            { max(9) } true
            { min(0) } true"#]],
    );
    check(
        "{ [i] -> i^2 }",
        expect![[r#"
            { max(infty) } false
            { min(0) } true"#]],
    );
}

#[test]
fn floors_are_split_or_become_dimensions() {
    check(
        "{ [i] -> i * floor(i/2) : 0 <= i <= 9 }",
        expect![[r#"
        { max(36) } true
        { min(0) } true"#]],
    );
    check(
        "{ [i] -> i * floor(i/100) : 0 <= i <= 250 }",
        expect![[r#"
        { max(625) } false
        { min(-495/4) } false"#]],
    );
    check(
        "{ }",
        expect![[r#"
        { } true
        { } true"#]],
    );
}

#[test]
fn bounds_hold_at_all_points_and_tight_ones_are_reached() {
    property(80, |u| {
        let (a, b, c) = (u.int_in_range(-3..=3)?, u.int_in_range(-3..=3)?, u.int_in_range(-3..=3)?);
        let term = ["i * j", "i^2", "j^2", "n * j", "i * floor((i + j)/2)", "i^2 * j", "floor((j + n)/3)", "3"];
        let value = |u: &mut arbtest::arbitrary::Unstructured<'_>| u.choose(&term).copied();
        let (p, q, r) = (value(u)?, value(u)?, value(u)?);
        let mut domain = "-2 <= i <= 4 and -3 <= j <= 3".to_string();
        for _ in 0..u.int_in_range(0..=2)? {
            let (x, y, z) = (u.int_in_range(-2..=2)?, u.int_in_range(-2..=2)?, u.int_in_range(-1..=1)?);
            domain += &match u.int_in_range(0..=3)? {
                0 => format!(" and ({x}i + {y}j + n) mod 3 = {}", u.int_in_range(0..=2)?),
                1 => format!(" and ({x}i + {y}j > {z} or j > n)"),
                _ => format!(" and {x}i + {y}j + {z}n + 3 >= 0"),
            };
        }
        let text = format!("[n] -> {{ [i, j] -> {a} * {p} + {b} * {q} + {c} * {r} : {domain} }}");
        let function = read(&text);
        let (above, tight_above) = function.upper_bound();
        let (below, tight_below) = function.lower_bound();
        let Some(part) = function.parts().next() else { return Ok(()) };
        for n in -4..=5i64 {
            let n = [Int::from(n)];
            let points = part.domain().fix(DimKind::Param, 0, &n[0]).points(200).expect("a bounded set");
            let values: Vec<Ratio> = points.iter().map(|point| part.eval(point)).collect();
            let of = |fold: &UnionPwQPolynomialFold| fold.parts().next().and_then(|fold| fold.eval(&n));
            let (high, low) = (of(&above), of(&below));
            let (greatest, least) = (values.iter().max().cloned(), values.iter().min().cloned());
            assert!(high >= greatest && high.is_some() == greatest.is_some(), "{text} at {n:?}: {above}");
            assert!(least.is_none() && low.is_none() || low.is_some() && low <= least, "{text} at {n:?}: {below}");
            assert!(!tight_above || high == greatest, "{text} at {n:?}: {above} is not reached");
            assert!(!tight_below || low == least, "{text} at {n:?}: {below} is not reached");
        }
        Ok(())
    });
}
