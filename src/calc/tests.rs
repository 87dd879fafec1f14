//! Programs and what they print.

use expect_test::{Expect, expect};

use super::*;

fn check(program: &str, expected: Expect) {
    let mut printed = String::new();
    let outcome = Calculator::new("").run(program, &mut |value| printed += &format!("{value}\n"));
    if let Err(error) = outcome {
        printed += &format!("{error}\n");
    }
    expected.assert_eq(&printed);
}

/// Each of the statements must print `True`.
fn holds(program: &str) {
    let mut printed = Vec::new();
    let outcome = Calculator::new("").run(program, &mut |value| printed.push(value.to_string()));
    outcome.unwrap_or_else(|e| panic!("{e}"));
    for (i, value) in printed.iter().enumerate() {
        assert_eq!(value, "True", "value {i} of {program}");
    }
    assert!(!printed.is_empty(), "nothing is printed by {program}");
}

#[test]
fn algebra() {
    holds("A := { [i] : 0 <= i < 10 }; B := { [i] : 5 <= i < 15 }; A + B = { [i] : 0 <= i < 15 }; A * B = { [i] : 5 <= i <= 9 };
           A - B = { [i] : 0 <= i <= 4 }; A * B <= A; A * B < A; A >= A - B; A > A - B; A != B; A % B * B = A * B;");
    holds("R := { A[2,8,1] -> B[5]; A[2,8,1] -> B[6]; B[5] -> B[5] }; dom R = { A[2,8,1]; B[5] }; range R = { B[6]; B[5] };
           R({ B[5] }) = { B[5] }; R^-1 = { B[5] -> A[2,8,1]; B[6] -> A[2,8,1]; B[5] -> B[5] }; R * { A[2,8,1] } <= R;
           R ->* { B[6] } = { A[2,8,1] -> B[6] }; R - { A[2,8,1] } = { B[5] -> B[5] }; R ->- { B[5] } = { A[2,8,1] -> B[6] };
           R . R = { A[2,8,1] -> B[5]; B[5] -> B[5] }; R(R) = R . R; unwrap wrap R = R; R^2 = R . R;");
    holds(
        "{ A[]; B[] } -> { C[] } = { A[] -> C[]; B[] -> C[] }; { A[i] } cross { B[j] } = { [A[i] -> B[j]] };
           zip { [A[i] -> B[j]] -> [C[k] -> D[l]] } = { [A[i] -> C[k]] -> [B[j] -> D[l]] };
           deltas { S[i] -> S[i + 3] } = { S[3] }; params [n] -> { [i] : 0 <= i < n } = [n] -> { : n > 0 };",
    );
    holds("lexmin { [i, j] : 2 <= i <= 4 and i < j < 9 } = { [2, 3] }; lexmax [n] -> { [i] : 0 <= i < n } = [n] -> { [n - 1] : n > 0 };
           { S[i] : 0 <= i < 3 } << { S[i] : 0 <= i < 3 } = { S[i] -> S[j] : 0 <= i < j < 3 };
           card { [i, j] : 0 <= i < 10 and 0 <= j <= i } = 55; card { } = 0; sample { [i] : 3 < i < 5 } = { [4] };
           scan { [i] : 0 <= i < 3 } = { [0]; [1]; [2] }; coalesce { [i] : 0 <= i < 5 or 5 <= i < 9 } = { [i] : 0 <= i < 9 };");
    holds(
        "(2 + 3) * 4 = 20; -3 < 2; typeof ({ [i] }) = \"set\"; (1, 2)[1] = 2; ({ [i] -> [i + 1] }^+)[1]; (True + False) * True;",
    );
}

#[test]
fn dataflow() {
    holds(
        "Write := [n] -> { S[i] -> t[] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n };
           Read := [n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> t[] : 0 <= i < n };
           Schedule := [n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n };
           F := last Write before Read under Schedule; F[0] = [n] -> { S[i] -> T[i] : 0 <= i < n };
           F[1] = [n] -> { S[i] -> A[i] : 0 <= i < n };
           (any Read before Write under Schedule) = [n] -> { T[i] -> S[j] : 0 <= i < j < n };",
    );
}

#[test]
fn printing() {
    check(
        "print \"sets:\"; { [i] : 0 <= i < 3 }; 1 + 1; { } -> { }; (True, 3)",
        expect![[r#"
        "sets:"
        { [i] : 0 <= i <= 2 }
        2
        { }
        (True, 3)
    "#]],
    );
}

#[test]
fn errors_have_a_place() {
    check(
        "A := { [i] : i >= };",
        expect![[r#"
        expected a value or a condition, found `}` (line 1, column 19)
          A := { [i] : i >= };
                            ^
    "#]],
    );
    check(
        "A := { [i] };\nA + B;",
        expect![[r#"
        `B` has no value (line 2, column 5)
          A + B;
              ^
    "#]],
    );
    check(
        "print dom { [i] };",
        expect![[r#"
        expected a relation, found a set (line 1, column 7)
          print dom { [i] };
                ^
    "#]],
    );
    check(
        "A := (1, 2",
        expect![[r#"
        expected `)`, found the end (line 1, column 11)
          A := (1, 2
                    ^
    "#]],
    );
    check(
        "dom := { };",
        expect![[r#"
        `dom` is a word of the language, not a variable (line 1, column 1)
          dom := { };
          ^
    "#]],
    );
    check(
        "(1, 2)[2];",
        expect![[r#"
        the list has 2 elements, numbered from 0 (line 1, column 7)
          (1, 2)[2];
                ^
    "#]],
    );
    check(
        "assert { [i] } = { [j] : j > 0 };",
        expect![[r#"
        this assertion does not hold (line 1, column 1)
          assert { [i] } = { [j] : j > 0 };
          ^
    "#]],
    );
    check(
        "last { } before { };",
        expect![[r#"
        expected `under`, found `;` (line 1, column 20)
          last { } before { };
                             ^
    "#]],
    );
    check(
        "source \"no such file\";",
        expect![[r#"
        no such file: No such file or directory (os error 2) (line 1, column 1)
          source "no such file";
          ^
    "#]],
    );
    let deep = Calculator::new("").run(&"(".repeat(10_000), &mut |_| {}).expect_err("too deep");
    assert_eq!((deep.message.as_str(), deep.column), ("nested deeper than 200", 201));
}
