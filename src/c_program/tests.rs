//! The programs of the tutorial, with what it prints of them.
//!
//! Tests: 002 5.2.2, 5.2.3, 5.3.1, 5.3.3, 5.7, 5.8, 6.5

use super::*;
use crate::dependence::Dependences;
use crate::presburger::{Set, UnionMap, UnionSet};
use expect_test::{Expect, expect};

fn model(text: &str) -> Scop {
    parse(text, "test.c").unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
}

fn instances(text: &str, expected: &str) {
    let found = model(text).domain();
    assert!(found.is_equal(&UnionSet::parse(expected).unwrap()), "{found} instead of {expected}");
}

/// Must-writes, all writes and reads, as `parse_file` gives them.
fn accesses(text: &str, expected: [&str; 3]) {
    let scop = model(text);
    for (found, expected) in [scop.must_writes(), scop.writes(), scop.reads()].iter().zip(expected) {
        assert!(found.is_equal(&UnionMap::parse(expected).unwrap()), "{found} instead of {expected}");
    }
}

fn context(text: &str, expected: &str) {
    let found = model(text).context;
    assert!(found.is_equal(&Set::parse(expected).unwrap()), "{found} instead of {expected}");
}

fn fails(text: &str, expected: Expect) {
    expected.assert_eq(&parse(text, "test.c").expect_err("a model").to_string());
}

const INNER: &str = "
    float inner(int n, float A[const restrict static n], float B[const restrict static n]) {
      float prod;
    S: prod = 0; // the sum
    L: for (int i = 0; i < n; ++i)
    T:   prod += A[i] * B[i];
      return prod;
    }";

#[test]
fn the_inner_product_of_5_5() {
    instances(INNER, "[n] -> { T[i] : 0 <= i < n; S[] }");
    accesses(
        INNER,
        [
            "[n] -> { S[] -> prod[]; T[i] -> prod[] : 0 <= i < n }",
            "[n] -> { S[] -> prod[]; T[i] -> prod[] : 0 <= i < n }",
            "[n] -> { T[i] -> B[i] : 0 <= i < n; T[i] -> A[i] : 0 <= i < n; T[i] -> prod[] : 0 <= i < n }",
        ],
    );
    expect![[r#"
        domain: "[n] -> { S[]; T[i] : 0 <= i < n }"
        child:
          sequence:
          - filter: "[n] -> { S[] }"
          - filter: "[n] -> { T[i] }"
            child:
              schedule: "[n] -> L[{ T[i] -> [(i)] }]"
    "#]]
    .assert_eq(&model(INNER).schedule.to_string());
}

#[test]
fn an_infinite_loop_of_5_6() {
    let text = "int g(); void h(int); void f() { int a; while (1) { A: a = g(); B: h(a); } }";
    instances(text, "{ B[t] : t >= 0; A[t] : t >= 0 }");
}

#[test]
fn an_unsigned_char_of_5_7_goes_beyond_its_greatest_value() {
    let text =
        "int f() { unsigned char k; int a; Init: a = 0; for (k = 252; (k % 9) <= 5; ++k) Inc: a = a + 1; return a; }";
    instances(text, "{ Inc[k] : 252 <= k <= 261; Init[] }");
}

#[test]
fn a_condition_on_data_of_5_8_is_part_of_a_statement() {
    let text = "float max(unsigned n, float A[const restrict static 1 + n]) {
      float M;
    Init: M = A[0];
      for (unsigned i = 0; i < n; ++i)
    If:   if (A[1 + i] > M)
    Update: M = A[1 + i];
      return M;
    }";
    instances(text, "[n] -> { If[i] : 0 <= i < n; Init[] }");
    accesses(
        text,
        [
            "[n] -> { Init[] -> M[] }",
            "[n] -> { Init[] -> M[]; If[i] -> M[] : 0 <= i < n }",
            "[n] -> { Init[] -> A[0] : n >= 0; If[i] -> A[1 + i] : 0 <= i < n; If[i] -> M[] : 0 <= i < n }",
        ],
    );
}

const WHILE: &str = "int g(int); int t(int);
    void f(int n, int A[const restrict static n]) {
      int done;
    Init: done = 0;
    While: while (!done) {
    BEGIN
    Reset: done = 1;
        for (int i = 0; i < n; ++i) {
    Update: A[i] = g(A[i]);
    Test:   if (t(A[i]))
    Reinit:   done = 0;
        }
    END
      }
    }";

#[test]
fn a_loop_on_data_of_5_9_and_what_is_marked_in_it() {
    instances(&WHILE.replace("BEGIN", "").replace("END", ""), "[n] -> { While[]; Init[] }");
    let marked = WHILE.replace("BEGIN", "\n#pragma scop\n").replace("END", "\n#pragma endscop\n");
    instances(&marked, "[n] -> { Test[i] : 0 <= i < n; Reset[]; Update[i] : 0 <= i < n }");
}

#[test]
fn a_function_with_a_body_of_5_11() {
    let text = "void set_diagonal(int n, float A[const restrict static n][n], float v)
    { for (int i = 0; i < n; ++i) A[i][i] = v; }
    void f(int n, float A[const restrict static n][n]) {
    #pragma scop
    S: set_diagonal(n, A, 0.f);
      for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
    T:    A[i][j] += A[i][j - 1] + 1;
    #pragma endscop
    }";
    let written = "[n] -> { T[i, j] -> A[i, j] : 0 <= i < n and j > i and 0 <= j < n; S[] -> A[o0, o0] : 0 <= o0 < n }";
    let read = "[n] -> { T[i, j] -> A[i, j] : 0 <= i < n and j > i and 0 <= j < n;
                T[i, j] -> A[i, -1 + j] : 0 <= i < n and j > i and 0 < j < n }";
    accesses(text, [written, written, read]);
}

#[test]
fn what_stands_for_a_function() {
    let text = "void f_sum(int n, int A[n]) { for (int i = 0; i < n; i += 2) if (__pencil_maybe()) __pencil_def(A[i]); else __pencil_use(A[i + 1]); }
    __attribute__((pencil_access(f_sum))) void f(int n, int A[n]);
    void g(const int *p, int *q);
    void h(int A[10], int B[10]) {
#pragma scop
 S: f(10, A); T: g(A, B); U: g(&B[2], A);
#pragma endscop
 }";
    accesses(
        text,
        [
            "{ }",
            "{ S[] -> A[a] : a mod 2 = 0 and 0 <= a < 10; T[] -> B[b] : 0 <= b < 10; U[] -> A[b] : 0 <= b < 10 }",
            "{ S[] -> A[a] : a mod 2 = 1 and 0 <= a < 10; T[] -> A[b] : 0 <= b < 10; T[] -> B[b] : 0 <= b < 10;
               U[] -> A[b] : 0 <= b < 10; U[] -> B[b] : 0 <= b < 10 }",
        ],
    );
}

#[test]
fn a_subscript_of_5_12_that_is_not_affine() {
    let text = "void f(int n, int n2, float A[const restrict static n2]) { for (int i = 0; i < n; ++i) A[i * i] = i; }";
    accesses(text, ["{ }", "[n2, n] -> { S_0[i] -> A[o0] : 0 <= i < n and 0 <= o0 < n2 }", "{ }"]);
}

#[test]
fn structures_of_5_13_to_5_15() {
    let text = "struct s { int a; int b[10]; };
    void f(struct s c[static 10][10]) { for (int i = 0; i < 10; ++i) S: c[i][i].b[9 - i] = 0; }";
    let written = "{ S[i] -> c_b[c[i, i] -> b[9 - i]] : 0 <= i <= 9 }";
    accesses(text, [written, written, "{ }"]);
    let text = "struct S { struct { int a[10]; } f[10]; };
    void foo() {
      struct S s;
    #pragma scop
      for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j)
          s.f[i].a[j] = i * j;
    #pragma endscop
    }";
    let written = "{ S_0[i, j] -> s_f_a[s_f[s[] -> f[i]] -> a[j]] : 0 <= i <= 9 and 0 <= j <= 9 }";
    accesses(text, [written, written, "{ }"]);
    let text = "struct c { float re; float im; };
    void f(struct c A[const static 10]) { S: A[0] = A[2]; T: A[1].re = A[0].im; }";
    let written = "{ S[] -> A_re[A[0] -> re[]]; T[] -> A_re[A[1] -> re[]]; S[] -> A_im[A[0] -> im[]] }";
    let read = "{ T[] -> A_im[A[0] -> im[]]; S[] -> A_re[A[2] -> re[]]; S[] -> A_im[A[2] -> im[]] }";
    accesses(text, [written, written, read]);
    Dependences::of(&model(text));
}

#[test]
fn powers_of_two_of_5_4_are_listed() {
    let text = "void f(int n, int A[n + 1]) { int i; for (i = 1; i <= n; i += i) S: A[i] = i; }";
    let found = model(text).domain();
    let at = |n: i64| found.intersect_params(&Set::parse(&format!("[n] -> {{ : n = {n} }}")).unwrap());
    assert!(at(0).is_empty());
    let expected = UnionSet::parse(
        "[n] -> { S[i] : n = 100 and (i = 1 or i = 2 or i = 4 or i = 8 or i = 16 or i = 32 or i = 64) }",
    );
    assert!(at(100).is_equal(&expected.unwrap()), "{}", at(100));
}

const MATMUL: &str = "
    void matmul(int M, int N, int K, float A[restrict static M][K], float B[restrict static K][N], float C[restrict static M][N]) {
    #pragma scop
      for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
          DECLARED
    I:    C[i][j] = 0;
          for (int k = 0; k < K; ++k)
    U:      C[i][j] = C[i][j] + A[i][k] * B[k][j];
          LAST
        }
    #pragma endscop
    }";

#[test]
fn contexts_of_5_58_to_5_60() {
    let text = MATMUL.replace("DECLARED", "").replace("LAST", "");
    context(&text, "[N, M, K] -> { : 0 <= N <= 2147483647 and 0 <= M <= 2147483647 and 0 <= K <= 2147483647 }");
    let overflow = |assume: &str| {
        format!(
            "void f(int n, int m, int S, int D[const restrict static S]) {{ {assume}
               for (int i = 0; i < n; i++) {{ D[i] = D[i + m]; }} }}"
        )
    };
    let expected = "[S, n, m] -> { : 0 <= S <= 2147483647 and -2147483648 <= n <= 2147483647 and m >= -2147483648 and
        ((n <= 0 and m <= 2147483647) or (n > 0 and 0 <= m <= 2147483648 - n)) }";
    context(&overflow(""), expected);
    let expected = Set::parse(expected).unwrap().intersect(&Set::parse("[S, n, m] -> { : m > n }").unwrap());
    context(&overflow("__pencil_assume(m > n);"), &expected.to_string());
}

#[test]
fn kills_of_6_2_and_6_3() {
    let text = "int f(int);
    void g(int N, int perm[restrict static N], int A[restrict static N]) {
    S: A[0] = 1;
    K: __pencil_kill(A);
      for (int i = 0; i < N; ++i)
    T:  A[perm[i]] = f(i);
    U: A[0] = f(A[0]);
    }";
    let scop = model(text);
    let kills = scop.kills();
    assert!(kills.is_equal(&UnionMap::parse("[N] -> { K[] -> A[o0] : 0 <= o0 < N }").unwrap()), "{kills}");
    let flow = Dependences::of(&scop).flow;
    let flow = flow.intersect_params(&scop.context).gist_params(&scop.context);
    let expected = UnionMap::parse("[N] -> { T[i] -> U[] : 0 <= i < N }").unwrap();
    assert!(flow.is_equal(&expected), "{flow}");
    let text = MATMUL.replace("DECLARED", "float t;").replace("LAST", "").replace("C[i][j] = 0", "t = 0");
    let kills = model(&text).kills();
    let expected =
        "[N, M, K] -> { S_0[i, j] -> t[] : 0 <= i < M and 0 <= j < N; S_1[i, j] -> t[] : 0 <= i < M and 0 <= j < N }";
    assert!(kills.is_equal(&UnionMap::parse(expected).unwrap()), "{kills}");
}

#[test]
fn any_element_of_6_4() {
    let text = "int f(int);
    void g(int n, int A[const restrict static n]) {
    #pragma scop
    S: A[f(0)] = 1;
    T: A[0] = 0;
    #pragma endscop
    }";
    accesses(
        text,
        ["[n] -> { T[] -> A[0] : n > 0 }", "[n] -> { T[] -> A[0] : n > 0; S[] -> A[o0] : 0 <= o0 < n }", "{ }"],
    );
}

#[test]
fn rounding_is_towards_zero() {
    let text =
        "void f(int n, int A[100]) { for (int i = -7; i < 8; i++) { S: A[50 + i / 2] = 0; T: A[50 + i % 3] = 1; } }";
    let scop = model(text);
    for i in -7i64..8 {
        let (s, t) = (50 + i / 2, 50 + i % 3);
        let pairs = UnionMap::parse(&format!("{{ S[{i}] -> A[{s}]; T[{i}] -> A[{t}] }}")).unwrap();
        assert!(pairs.is_subset(&scop.must_writes()), "{i}: {}", scop.must_writes());
    }
    assert!(scop.must_writes().is_single_valued());
}

#[test]
fn loops_of_all_kinds() {
    let text = |head: &str| format!("void f(int n, int A[n]) {{ for ({head}) S: A[0] = A[0] + 1; }}");
    for (head, expected) in [
        ("int i = 0; i < n; i += 3", "[n] -> { S[i] : 0 <= i < n and i mod 3 = 0 }"),
        ("int i = n; i > 0; i--", "[n] -> { S[i] : 0 < i <= n }"),
        ("int i = n - 1; 0 <= i; i = i - 2", "[n] -> { S[i] : 0 <= i < n and (n - 1 - i) mod 2 = 0 }"),
        ("int i = 0; i != n; i++", "[n] -> { S[i] : 0 <= i and not (0 <= n <= i) }"),
        ("int i = 0; i < n && i < 10; i++", "[n] -> { S[i] : 0 <= i < n and i < 10 }"),
        ("int i = 3; i < n; i *= 3", "[n] -> { S[i] : i < n and (i = 3 or i = 9 or i = 27 or i = 81) : n < 100 }"),
    ] {
        let found = model(&text(head)).domain();
        if let Some((set, limit)) = expected.split_once(" : n <") {
            let limit = Set::parse(&format!("[n] -> {{ : n <{limit}")).unwrap();
            let expected = UnionSet::parse(&format!("{set} }}")).unwrap().intersect_params(&limit);
            assert!(found.intersect_params(&limit).is_equal(&expected), "{head}: {found}");
            continue;
        }
        assert!(found.is_equal(&UnionSet::parse(expected).unwrap()), "{head}: {found}");
    }
}

#[test]
fn values_of_variables_are_followed() {
    let text = "void f(int n, int A[n + 1], int B[n + 1]) {
      int k, last;
      for (int i = 0; i < n; i++) {
    K:  k = i + 1;
    S:  A[k] = 0;
        if (i > 3) {
    C:    k = 0;
        }
    T:  B[k] = 1;
      }
    }";
    let written = model(text).must_writes();
    let expected = "[n] -> { S[i] -> A[i + 1] : 0 <= i < n }";
    assert!(UnionMap::parse(expected).unwrap().is_subset(&written), "{written}");
    assert!(!written.to_string().contains("B["), "{written}");
}

/// The must-writes of a model as one relation, compared.
fn certain(text: &str, expected: &str) {
    let written = model(text).must_writes();
    assert!(written.is_equal(&UnionMap::parse(expected).unwrap()), "{written} instead of {expected}");
}

#[test]
fn a_value_that_one_branch_changes_and_the_other_repeats_is_not_known() {
    certain(
        "void f(int n, int A[n]) { int k; K: k = 0; if (n > 5) { C: k = 1; } else { D: k = 0; } S: A[k] = 1; }",
        "[n] -> { K[] -> k[]; C[] -> k[] : n > 5; D[] -> k[] : n <= 5 }",
    );
}

#[test]
fn a_step_that_the_body_changes_is_no_step() {
    let scop =
        model("void f(int n, int A[n]) { int k; K: k = 2; L: for (int i = 0; i < n; i += k) { A[i] = 0; k = 3; } }");
    let expected = UnionSet::parse("[n] -> { K[]; L[] }").unwrap();
    assert!(scop.domain().is_equal(&expected), "{}", scop.domain());
}

#[test]
fn what_stands_behind_a_return_may_happen() {
    let function = "void g(int A[10], int x) { if (x > 0) { if (A[0]) return; A[1] = 2; } }";
    certain(&format!("{function} void f(int n, int A[10]) {{ S: g(A, n); A[3] = 0; }}"), "[n] -> { S_0[] -> A[3] }");
}

#[test]
fn what_the_next_run_of_a_region_reads_is_read_behind_it() {
    let text = "void f(int n, int A[n], int B[n]) {
      int t = 0, u;
      for (int k = 0; k < 5; k++) {
    #pragma scop
        for (int i = 0; i < n; i++) { S: A[i] = t; T: t = B[i]; }
    #pragma endscop
      }
    }";
    assert!(model(text).arrays.iter().any(|array| array.name.as_str() == "t" && array.live_out));
}

#[test]
fn addresses_behind_addresses_and_what_outlives_blocks_are_not_followed() {
    for text in [
        "void g(float **P); void f(int n, float **P) {\n#pragma scop\n g(P);\n#pragma endscop\n}",
        "struct s { float *p; }; void g(struct s t); void f(struct s t) {\n#pragma scop\n g(t);\n#pragma endscop\n}",
        "struct s { struct { int a; }; int b; }; void f(struct s t, struct s u) {\n#pragma scop\n t = u;\n#pragma endscop\n}",
        "void f(int n, int A[n]) {\n#pragma scop\n static int k; A[0] = k;\n#pragma endscop\n}",
        "int g() { static int k; return k++; } void f(int A[9]) {\n#pragma scop\n A[0] = g();\n#pragma endscop\n}",
    ] {
        assert!(parse(text, "test.c").is_err(), "{text}");
    }
}

#[test]
fn what_ends_in_an_if_ends_there() {
    let marked = |inside: &str, before: &str| {
        format!("void f(int n, int A[9]) {{\n{before}\n#pragma scop\n {inside}\n\n#pragma endscop\n  n++;\n}}")
    };
    let both = "[n] -> { S[] : n > 0; T[i] : 0 <= i < n and i > 3 }";
    let for_if = "for (int i = 0; i < n; i++) if (i > 3) T: A[i] = 2;";
    instances(&marked(&format!("if (n > 0) S: A[0] = 1; {for_if}"), ""), both);
    instances(&marked(&format!("{for_if} if (n > 0) S: A[0] = 1;"), ""), both);
    instances(&marked("S: A[0] = 1;", "if (n > 7) A[1] = 2;"), "{ S[] }");
}

#[test]
fn two_names_of_one_place_are_refused() {
    for text in [
        "void f(int n, int A[9]) { int k = 0; int *p = &k;\n#pragma scop\n A[k] = 0; *p = n;\n#pragma endscop\n}",
        "void f(int n, int A[9]) { int *p; p = A + 1;\n#pragma scop\n A[1] = 0; p[0] = n;\n#pragma endscop\n}",
    ] {
        assert!(parse(text, "test.c").unwrap_err().to_string().contains(" leads to "), "{text}");
    }
}

#[test]
fn a_step_by_the_variable_itself_is_no_step_by_what_it_held() {
    for text in [
        "void f(int A[99]) { int i = 3; for (i = 2; i < 99; i *= i) S: A[i] = 1; }",
        "void f(int A[99]) { int i = 3; for (i = 9; i > 0; i -= i) S: A[i] = 1; }",
        "void f(int A[99]) { int i = 3; for (int i = 9; i > 0; i = i - i) S: A[i] = 1; }",
    ] {
        let scop = model(text);
        let one = UnionSet::parse("{ S[i] : 0 <= i < 99 }").unwrap();
        assert!(!scop.domain().is_subset(&one), "{text}: {}", scop.domain());
    }
}

#[test]
fn constants_and_truth_values_are_of_their_types() {
    certain("void f(int A[9]) { _Bool b; B: b = 5; S: A[b] = 1; }", "{ B[] -> b[] }");
    certain("void f(int A[9]) { if (0xFFFFFFFF + 1 == 0) S: A[0] = 1; else T: A[1] = 2; }", "{ S[] -> A[0] }");
}

#[test]
fn what_cannot_be_read_is_said() {
    fails(
        "#include <stdio.h>\nvoid f() {}",
        expect![[r#"
            a preprocessor has to run before: cc -E (line 1, column 1)
              #include <stdio.h>
              ^"#]],
    );
    fails(
        "void f( {}",
        expect![[r#"
            this is no C (line 1, column 9)
              void f( {}
                      ^"#]],
    );
    fails(
        "void f(int *p) {\n#pragma scop\n  p = 0;\n#pragma endscop\n}",
        expect![[r#"
            an address is changed (line 3, column 3)
                p = 0;
                ^"#]],
    );
    fails(
        "void f(int n, int A[n]) {\n#pragma scop\n  int i;\n  for (i = 0; i < n; i++) A[i] = 0;\n  A[0] = i;\n#pragma endscop\n}",
        expect![[r#"
            this is what a loop leaves in its variable, which is not followed (line 5, column 10)
                A[0] = i;
                       ^"#]],
    );
}

#[test]
fn what_is_nested_too_deeply_is_refused_before_it_is_parsed() {
    let program = |body: &str| format!("void f(int n, double a[n], double b[n]) {{ {body} }}");
    let refused = |body: String, what: &str| {
        let error = parse(&program(&body), "test.c").expect_err("a model");
        assert_eq!(error.message, what, "{}", &body[..40]);
    };
    let many = |what: &str| what.repeat(100_000);
    let deep = "nested more than 200 deep";
    refused(format!("a[0] = {}1;", many("(")), deep);
    refused(format!("a[0] = {}1;", many("b[")), deep);
    refused(format!("a[0] = {}1;", many("n < 3 ? 2 : ")), deep);
    refused(format!("{} a[0] = 1;", many("if (n < 3) ")), deep);
    refused(format!("{} a[0] = 1;", many("if (n < 3) { a[1] = 2; } else ")), deep);
    refused(format!("{} a[0] = 1;", many("if (n < 3) a[1] = 2; else ")), deep);
    refused(format!("{} a[0] = 1;", many("L: ")), deep);
    refused(format!("{} a[0] = 1;", many("{")), deep);
    let long = "more than 5000 words without a comma or an end";
    refused(format!("a[0] = {}1;", many("- ")), long);
    refused(format!("a[0] = {}1;", many("2 * ")), long);
    refused(format!("a[0] = {}1;", many("(int) ")), long);
    refused(format!("a[0] = {}1;", many("sizeof ")), long);
    let error = parse(&format!("void f(double {}a) {{ }}", many("*")), "test.c").expect_err("a model");
    assert_eq!(error.message, long);
    // What is only long has no bound.
    let (list, ends) =
        ("1 + -2, ".repeat(10_000), "if (n < 3) a[1] = 2; else { a[0] = (1); } \"(\\\"((\"; ".repeat(100));
    let long = program(&format!("double c[] = {{ {list} 3 }}; {ends} S: a[0] = 1;"));
    assert_eq!(model(&long).statements.len(), 201);
}

#[test]
fn a_subscript_that_is_never_in_its_row_is_an_error_and_not_left_out() {
    fails(
        "void f(int n) {\n  double a[10][10];\n  for (int i = 0; i < 12; i++)\n    a[0][i] = 1;\n}",
        expect![[r#"
            there is no region of static control in this program: a subscript is beyond the end of its row (line 4, column 5)
                  a[0][i] = 1;
                  ^"#]],
    );
    fails(
        "void f(int n, int a[n]) { a[n] = 0; }",
        expect![[r#"
        there is no region of static control in this program: a subscript is beyond the end of its row (line 1, column 27)
          void f(int n, int a[n]) { a[n] = 0; }
                                    ^"#]],
    );
    // What is right for some sizes, or runs only where data says so, is believed.
    instances("void f(int n, int a[10]) { for (int i = 0; i < n; i++) S: a[i] = 0; }", "[n] -> { S[i] : 0 <= i < n }");
    instances("void f(int x[1], int a[10]) { S: if (x[0]) a[10] = 0; }", "{ S[] }");
}

#[test]
fn why_there_is_no_region_is_said() {
    fails(
        "int f(int n);",
        expect![[r#"
        there is no region of static control in this program: no function has statements to read (line 1, column 1)
          int f(int n);
          ^"#]],
    );
    fails(
        "void f(int *p) { while (*p) p++; }",
        expect![[r#"
        there is no region of static control in this program: this address is not followed (line 1, column 29)
          void f(int *p) { while (*p) p++; }
                                      ^"#]],
    );
}
