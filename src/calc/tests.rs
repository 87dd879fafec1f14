//! Programs and what they print.
//!
//! Tests: 002 3.1, 3.2, 3.4, 3.6, 3.9, 5.9

use expect_test::{Expect, expect};

use super::*;

fn check(program: &str, expected: Expect) {
    let mut printed = String::new();
    let outcome = Calculator::new("").run(program, &mut |shown| printed += &format!("{}\n", shown.value));
    if let Err(error) = outcome {
        printed += &format!("{error}\n");
    }
    expected.assert_eq(&printed);
}

/// Each of the statements must print `True`.
fn holds(program: &str) {
    let mut printed = Vec::new();
    let outcome = Calculator::new("").run(program, &mut |shown| printed.push(shown.value.to_string()));
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
fn counts() {
    holds(
        "C := card [n] -> { [i, j] : 0 <= i <= j < n }; C = card [n] -> { [i, j] : 0 <= j <= i < n }; C != 2 * C; C - C = 0;
           (C @ [n] -> { : n = 4 }) * [n] -> { : n = 4 } = C * [n] -> { : n = 4 }; dom C = [n] -> { : n > 0 };
           R := { A[i] -> [j] : 0 <= j <= i < 4 }; sum card R = 10; sum card R = card wrap R; card (R * { A[5] }) = 0;
           (card R) @ { A[2] } = card (R * { A[2] }); typeof C = \"piecewise quasipolynomial\";",
    );
    check(
        "card [n] -> { A[i] : 0 <= i < n }; card { A[i] -> [j] : 0 <= j <= i }; card { [i] : 3 <= i <= 5 }; card { }; card { [i] }",
        expect![[r#"
            [n] -> { n : n > 0 }
            { A[i] -> (1 + i) : i >= 0 }
            { 3 }
            { 0 }
            there are infinitely many elements for some values of the parameters (line 1, column 110)
              card [n] -> { A[i] : 0 <= i < n }; card { A[i] -> [j] : 0 <= j <= i }; card { [i] : 3 <= i <= 5 }; card { }; card { [i] }
                                                                                                                           ^
        "#]],
    );
}

#[test]
fn polynomials_are_literals() {
    check(
        "Q := { [i] -> i^2 + 1 : 0 <= i <= 5 }; sum Q; Q({ [i] : i < 3 }); Q @ { [2] }; R := [n] -> { A[] -> [i] : 0 <= i < n }; R . Q",
        expect![[r#"
            { 61 }
            { 8 }
            { [i0] -> 5 : i0 = 2 }
            [n] -> { A[] -> (7/6 * n - 1/2 * n^2 + 1/3 * n^3) : 0 < n <= 6; A[] -> 61 : n >= 7 }
        "#]],
    );
    holds(
        "Q := { [i] -> i^2 + 1 : 0 <= i <= 5 }; R := { A[n] -> [i] : 0 <= i < n < 4 }; R . Q = Q(R); Q after R = R . Q; R before Q == R . Q;
           (R . Q)({ A[3] }) = 8; 2 * Q - Q = Q; { [i] -> floor(i/2) : 0 <= i < 4 } != Q; typeof Q = \"piecewise quasipolynomial\";
           card [n] -> { [i] : 0 <= i < n } = [n] -> { n : n > 0 }; [n] -> { 1/2 * n^2 + 1/2 * n : n > 0 } = card [n] -> { [i, j] : 0 <= i <= j < n };",
    );
}

#[test]
fn a_result_with_its_exactness_stands_for_itself() {
    holds(
        "R := { [i] -> [i + 1] : 0 <= i < 5 }; (R^+)({ [0] }) = { [i] : 0 < i <= 5 }; (R^+)[1]; dom R^+ = dom R; pow R <= { [k] -> [[i] -> [i + k]] };
           (pow R)[1]; S := tree { A[i] -> [i] : 0 <= i < 4 }; S(dom S) = { [i] : 0 <= i < 4 }; S . S^-1 = { A[i] -> A[i] };",
    );
}

#[test]
fn operators_that_are_words() {
    holds(
        "R := { A[i] -> B[i + 1] }; T := { B[i] -> C[2i] }; R before T = R . T; T after R = R . T;
           R cross_range { A[i] -> C[i] } = { A[i] -> [B[i + 1] -> C[i]] }; range_factor_range { A[] -> [B[i] -> C[j]] } = { A[] -> C[j] };",
    );
}

#[test]
fn schedules_and_code() {
    check(
        "codegen { A[i] -> [i] : 0 <= i < 2 } using { [i] -> unroll[0] };
         codegen [n] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 0 <= i < n };
         D := [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n };
         S := schedule D respecting { S[i] -> T[i] } minimizing { S[i] -> T[i] };
         { S[i] -> T[i] } * (D -> D) <= S << S;
         schedule { S[i] : 0 <= i < 2 } respecting { S[i] -> S[1 - i] }",
        expect![[r#"
            A(0);
            A(1);
            for (int64_t c0 = 0; c0 <= n - 1; c0 += 1) {
              A(c0);
              B(c0);
            }
            True
            no schedule respects all pairs (line 6, column 10)
                       schedule { S[i] : 0 <= i < 2 } respecting { S[i] -> S[1 - i] }
                       ^
        "#]],
    );
}

#[test]
fn a_schedule_that_does_not_end_has_a_place() {
    check(
        "{ domain: \"{ S[i\" }",
        expect![[r#"
            no closing `}` for this one (line 1, column 1)
              { domain: "{ S[i" }
              ^
        "#]],
    );
}

#[test]
fn vertices_are_functions_of_the_parameters() {
    check(
        "vertices [n] -> { A[i, j] : 0 <= i <= j <= n }; vertices { [i] : 0 <= 2i <= 5 or i = 7 }; vertices { [i] : i > i };
         { [0] } + (vertices { [i] : 3 <= i <= 9 })[1]",
        expect![[r#"
            ([n] -> { A[(0), (n)] : n >= 0 }, [n] -> { A[(n), (n)] : n >= 0 }, [n] -> { A[(0), (0)] : n >= 0 })
            ({ [(0)] }, { [(7)] })
            ()
            { [0]; [9] }
        "#]],
    );
}

#[test]
fn dataflow_with_elements() {
    holds(
        "W := { S[i] -> A[i]; S[i] -> A[i + 1]; T[i] -> A[i] }; R := { U[i] -> A[i] }; O := { S[i] -> [0, i] : 0 <= i < 4;
               T[i] -> [1, i] : 0 <= i < 2; U[i] -> [2, i] : 0 <= i < 9 };
           (full last W before R under O)[0] = { T[i] -> [U[i] -> A[i]] : 0 <= i < 2; S[3] -> [U[4] -> A[4]]; S[i] -> [U[i] -> A[i]] : 2 <= i < 4 };
           (full last W before R under O)[1] = { U[i] -> A[i] : 5 <= i < 9 }; (any W last { T[i] -> A[i] } before R under O) =
               (last { T[i] -> A[i] } any W before R under O);",
    );
    // Of Listing 6.4: S may write to any element, T writes to the first.
    holds(
        "May := [n] -> { S[] -> A[i] : 0 <= i < n; T[] -> A[0] : n > 0 }; Must := [n] -> { T[] -> A[0] : n > 0 };
           Order := { S[] -> [0]; T[] -> [1] };
           May - range_factor_range (full any May before Must under Order) = [n] -> { T[] -> A[0] : n > 0; S[] -> A[i] : 0 < i < n };",
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
fn dataflow_of_instances_without_names() {
    holds(
        "F := last { [i] -> A[i] } before { [i] -> A[i - 1] } under { [i] -> [i] : 0 <= i < 9 };
           F[0] = { [i] -> [i + 1] : 0 <= i < 8 }; F[1] = { [0] -> A[-1] };
           W := { [S[i] -> w[]] -> A[i] }; R := { [S[i] -> r[]] -> A[i - 1] };
           T := { [S[i] -> w[]] -> [i, 1] : 0 <= i < 9; [S[i] -> r[]] -> [i, 0] : 0 <= i < 9 };
           (last W before R under T)[0] = { [S[i] -> w[]] -> [S[i + 1] -> r[]] : 0 <= i < 8 };
           (any R before W under T) = { [S[i] -> r[]] -> [S[i - 1] -> w[]] : false };
           (any W before { S[i, j] -> A[i] } under { S[i, j] -> [0, i, j] : 0 <= i, j < 2; S[i] -> [1, i, 0] }) = { };",
    );
}

#[test]
fn schedules_are_values() {
    holds(
        "S := tree { S[i] -> [i, 0] : 0 <= i < 4; T[i] -> [i, 1] : 0 <= i < 4 };
           dom S = { S[i] : 0 <= i < 4; T[i] : 0 <= i < 4 }; typeof S = \"schedule\";
           (map(S) << map(S)) * (dom S -> dom S) = { S[i] -> S[j] : 0 <= i < j < 4; T[i] -> T[j] : 0 <= i < j < 4;
               S[i] -> T[j] : 0 <= i <= j < 4; T[i] -> S[j] : 0 <= i < j < 4 };
           (last { S[i] -> t[] } before { T[i] -> t[] } under S)[0] = { S[i] -> T[i] : 0 <= i < 4 };",
    );
    check(
        "print (tree { S[i] -> [i, 0] : 0 <= i < 4; T[i] -> [i, 1] : 0 <= i < 4 }, 0)",
        expect![[r#"
        ({ domain: "{ S[i] : 0 <= i <= 3; T[i] : 0 <= i <= 3 }", child: { schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]", child: { sequence: [ { filter: "{ S[i] }" }, { filter: "{ T[i] }" } ] } } }, 0)
    "#]],
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

/// Each line with its answer below it.
fn check_operations(lines: &str, expected: Expect) {
    let answered = lines.lines().map(|line| format!("{}\n  {}\n", line.replace('\t', " | "), answer(line, None)));
    expected.assert_eq(&answered.collect::<String>());
}

#[test]
fn operations_by_line() {
    check_operations(
        "subtract\t{ [i] : 0 <= i < 9 }\t{ [4] }
sample\t[n] -> { S[i] : 0 <= i < n }
project_out_first\t{ S[i, j] : 0 <= i < j < 4 }
project_out_last\t{ S[i, j] : 0 <= i < j < 4 }
map_project_out\t3,0,1\t{ A[i] -> B[i, j] }
map_project_out\t3,1,0\t{ A[i] -> B[i] }
convex_hull\t{ A[i] : i mod 3 = 1 and 0 <= i <= 9 }
polyhedral_hull\t{ A[i] : i mod 3 = 1 and 0 <= i <= 9 }
power\t{ [i] -> [i + 2] }
union_pw_multi_aff_union_add\t{ A[i] -> B[i] : i > 0 }\t{ A[i] -> B[3] : i >= 0; A[i] -> C[2] : i < 0 }
multi_union_pw_aff_pullback\tR[{ A[i,j] -> [i + j]; B[x] -> [2x] }]\t{ C[x] -> A[x,x]; D[x] -> E[2x] }
fixed_power\t{ [i] -> [i + 1] }\t-3
transitive_closure\t{ [i] -> [i + 1] }
lex_lt\t{ A[i] -> [i, 0]; B[i] -> [i, 1] }\t{ A[i] -> [i, 0] }
apply\t{ A[i] : 0 <= i < 5; B[] }\t{ A[i] -> B[2i]; B[] -> A[7] }
gist\t{ [i] : 0 <= i <= 9; A[] }\t{ [i] : i >= 0 }",
        expect![[r#"
            subtract | { [i] : 0 <= i < 9 } | { [4] }
              { [i] : 5 <= i <= 8 or 0 <= i <= 3 }
            sample | [n] -> { S[i] : 0 <= i < n }
              [n] -> { S[0] : n = 1 }
            project_out_first | { S[i, j] : 0 <= i < j < 4 }
              { [j] : 0 < j <= 3 }
            project_out_last | { S[i, j] : 0 <= i < j < 4 }
              { [i] : 0 <= i <= 2 }
            map_project_out | 3,0,1 | { A[i] -> B[i, j] }
              { A[i] -> [j] }
            map_project_out | 3,1,0 | { A[i] -> B[i] }
              { A[i] -> [i] }
            convex_hull | { A[i] : i mod 3 = 1 and 0 <= i <= 9 }
              { A[i] : (i + 2) mod 3 = 0 and 0 < i <= 7 }
            polyhedral_hull | { A[i] : i mod 3 = 1 and 0 <= i <= 9 }
              { A[i] : 0 < i <= 7 }
            power | { [i] -> [i + 2] }
              True|{ [k] -> [[i] -> [2k + i]] : k > 0 }
            union_pw_multi_aff_union_add | { A[i] -> B[i] : i > 0 } | { A[i] -> B[3] : i >= 0; A[i] -> C[2] : i < 0 }
              { A[i] -> B[(i + 3)] : i > 0; A[i] -> B[(3)] : i = 0; A[i] -> C[(2)] : i < 0 }
            multi_union_pw_aff_pullback | R[{ A[i,j] -> [i + j]; B[x] -> [2x] }] | { C[x] -> A[x,x]; D[x] -> E[2x] }
              R[{ C[x] -> [(2x)] }]
            fixed_power | { [i] -> [i + 1] } | -3
              { [i0] -> [i0 - 3] }
            transitive_closure | { [i] -> [i + 1] }
              True|{ [i] -> [o0] : o0 > i }
            lex_lt | { A[i] -> [i, 0]; B[i] -> [i, 1] } | { A[i] -> [i, 0] }
              { A[i] -> A[i'] : i' > i; B[i] -> A[i'] : i' > i }
            apply | { A[i] : 0 <= i < 5; B[] } | { A[i] -> B[2i]; B[] -> A[7] }
              { A[7]; B[i0] : (i0) mod 2 = 0 and 0 <= i0 <= 8 }
            gist | { [i] : 0 <= i <= 9; A[] } | { [i] : i >= 0 }
              { [i] : i <= 9; A[] }
        "#]],
    );
}

#[test]
fn an_empty_answer_keeps_its_space() {
    check_operations(
        "sample\t{ [i] : i > i }
intersect\t{ A[i] : i > 0 }\t{ A[i] : i < 0 }
complement\t{ S[i] : false }
intersect\t{ A[i] }\t{ B[i] }
is_equal\t{ A[i] }\t{ B[i] }
unwrap\t{ A[i] }
is_empty\t{ }",
        expect![[r#"
            sample | { [i] : i > i }
              EMPTY
            intersect | { A[i] : i > 0 } | { A[i] : i < 0 }
              { A[i] : false }
            complement | { S[i] : false }
              { S[i] }
            intersect | { A[i] } | { B[i] }
              { }
            is_equal | { A[i] } | { B[i] }
              False
            unwrap | { A[i] }
              { }
            is_empty | { }
              True
        "#]],
    );
}

#[test]
fn operations_that_do_not_apply_are_messages() {
    check_operations(
        "set_intersect\t{ A[i] }\t{ B[i] }
union\t{ [i] }\t{ [i] -> [i] }
map_deltas\t{ A[i] -> B[i] }
wrap\t{ A[i] }
fixed_power\t{ [i] -> [i + 1] }\t0
map_project_out\t2,0,5\t{ A[i] -> B[i] }
set_project_out\t{ A[i] }
nonsense\t{ }
is_empty\t{ [i
is_empty\t{ A? }
is_equal\t{ }",
        expect![[r#"
            set_intersect | { A[i] } | { B[i] }
              !set_intersect: spaces differ: { A[i] } and { B[i] }
            union | { [i] } | { [i] -> [i] }
              !union: expected a set, found a relation
            map_deltas | { A[i] -> B[i] }
              !map_deltas: domain and range differ: { A[i] -> B[i0] }
            wrap | { A[i] }
              !wrap: expected a relation, found a set
            fixed_power | { [i] -> [i + 1] } | 0
              !fixed_power: the power 0 of a relation is not defined
            map_project_out | 2,0,5 | { A[i] -> B[i] }
              !map_project_out: dimensions 0 and 5 from there are not in { A[i] -> B[i0] }, which has 1
            set_project_out | { A[i] }
              !set_project_out: expected `type,first,n` before the operand
            nonsense | { }
              !unknown operation `nonsense`
            is_empty | { [i
              !argument 1, line 1, column 5: expected `]`, found the end
            is_empty | { A? }
              !argument 1, line 1, column 4: expected `[`, found `?`
            is_equal | { }
              !is_equal: expected 2 sets or relations, found 1
        "#]],
    );
}

#[test]
fn where_nothing_is_best_there_is_no_optimum() {
    for (program, which) in [
        ("lexmax { [i] : i >= 0 }", "greatest"),
        ("lexmin { [i] : i <= 0 }", "smallest"),
        ("lexmin [n] -> { [i, j] : 0 <= i < n and j <= i }", "smallest"),
        ("lexmax { A[i] -> B[j] : j >= i; C[0] -> D[0] }", "greatest"),
        ("lexmax { [i] : i mod 2 = 0; [i] : 0 <= i < 9 }", "greatest"),
    ] {
        let outcome = Calculator::new("").run(program, &mut |shown| panic!("{program} prints {}", shown.value));
        let message = outcome.expect_err("no optimum").to_string();
        assert!(message.contains(&format!("unbounded optimum: there is no {which} element")), "{message}");
    }
    holds("lexmax { [i] : 0 <= i < 0 } = { }; lexmin { [i, j] : i >= 0 and 0 <= j < i } = { [1, 0] };");
    check_operations(
        "set_lexmax\t{ [i] : i >= 0 }
map_partial_lexmin\t{ A[i] -> B[j] : j <= i }\t{ A[i] : i > 3 }",
        expect![[r#"
            set_lexmax | { [i] : i >= 0 }
              !set_lexmax: unbounded optimum: there is no greatest element
            map_partial_lexmin | { A[i] -> B[j] : j <= i } | { A[i] : i > 3 }
              !map_partial_lexmin: unbounded optimum: there is no smallest element
        "#]],
    );
}

/// Operands of all kinds in every operation: whatever does not fit is a message, never a panic.
#[test]
fn every_operation_answers_every_operand() {
    let operands = [
        "{ }",
        "[n] -> { : n > 0 }",
        "{ A[i] : i > 0 }",
        "[n] -> { A[i]; B[i, j] : i < n }",
        "{ X[A[i] -> B[j]] }",
        "{ A[i] -> A[i + 1] }",
        "{ A[i] -> B[j] }",
        "{ [A[i] -> B[j]] -> [C[] -> D[]] }",
        "[n] -> { A[i] -> B[i] : i < n; B[i, j] -> A[j] }",
    ];
    let answers = |line: &str| {
        let text = answer(line, None);
        assert!(!text.starts_with("!internal") && !text.contains("internal:"), "{line}: {text}");
    };
    for name in table::names() {
        for a in operands {
            answers(&format!("{name}\t1,0,0\t{a}"));
            answers(&format!("map_{name}\t2\t{a}"));
            operands.iter().for_each(|b| answers(&format!("set_{name}\t{a}\t{b}")));
            operands.iter().for_each(|b| answers(&format!("{name}\t{a}\t{b}")));
        }
    }
}
