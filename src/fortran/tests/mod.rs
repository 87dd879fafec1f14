//! Programs, their models, and what is said of texts that are none.
//!
//! Tests: 004 2, 6, 7.4

mod direct;

use super::*;
use crate::dependence::dynamic::Dataflow;
use crate::dependence::dynamic::input::{Input, Memory};
use crate::dependence::dynamic::run::Runs;
use expect_test::{Expect, expect};

const MAX: &str = include_str!("../../../llvm-tests/dataflow/Inputs/max.f");

fn model(text: &str) -> Scop {
    parse(text, "test.f").unwrap_or_else(|error| panic!("{error}"))
}

fn fails(text: &str, expected: Expect) {
    expected.assert_eq(&parse(text, "test.f").expect_err("no program").to_string());
}

/// The program, its S-graph and its U-graph leave the same, at all sizes and for several inputs.
fn runs(text: &str) {
    let scop = model(text);
    let dataflow = Dataflow::of(&scop).unwrap_or_else(|error| panic!("{error}"));
    dataflow.verify().unwrap_or_else(|error| panic!("{error}"));
    for (n, fill) in (0..6).flat_map(|n| (0..4).map(move |fill| (n, fill))) {
        let input = Input { params: vec![n; scop.params.len()], elements: Memory::new(), fill: Some(fill) };
        Runs::of(&dataflow, &input).unwrap_or_else(|error| panic!("{error} for n = {n}\n{scop}"));
    }
}

#[test]
fn a_condition_on_data_is_a_statement() {
    expect![[r#"
        name: "max"
        params: [ "n" ]
        context: "[n] -> { : n >= 0 }"
        assumed: "[n] -> { : }"
        arrays:
        - name: "r"
          element: f64
          size_bytes: 8
          live_out: true
        - name: "x"
          element: f64
          size_bytes: 8
          shape: [ "" ]
          live_out: true
        - name: "p_P1"
          element: i1
          size_bytes: 1
          shape: [ "" ]
          kind: scalar
          live_out: false
        statements:
        - name: "S1"
          domain: "[n] -> { S1[] }"
          location: "test.f:3:3"
          operations: 1
          compute: "0"
          accesses:
          - id: "S1_0"
            write: "[n] -> { S1[] -> r[] }"
        - name: "P1"
          domain: "[n] -> { P1[i] : 0 < i <= n }"
          location: "test.f:5:5"
          operations: 1
          compute: "P1_0 < P1_1"
          accesses:
          - id: "P1_0"
            read: "[n] -> { P1[i] -> r[] : 0 < i <= n }"
          - id: "P1_1"
            read: "[n] -> { P1[i] -> x[i] : 0 < i <= n }"
          - id: "P1_2"
            write: "[n] -> { P1[i] -> p_P1[i] : 0 < i <= n }"
        - name: "S2"
          domain: "[n] -> { S2[i] : 0 < i <= n }"
          location: "test.f:6:7"
          operations: 1
          compute: "S2_1"
          accesses:
          - id: "S2_0"
            when: "[n] -> { S2[i] -> p_P1[i] : 0 < i <= n }"
          - id: "S2_1"
            read: "[n] -> { S2[i] -> x[i] : 0 < i <= n }"
          - id: "S2_2"
            write: "[n] -> { S2[i] -> r[] : 0 < i <= n }"
        schedule:
          domain: "[n] -> { P1[i] : 0 < i <= n; S1[]; S2[i] : 0 < i <= n }"
          child:
            sequence:
            - filter: "[n] -> { S1[] }"
            - filter: "[n] -> { P1[i]; S2[i] }"
              child:
                schedule: "[n] -> [{ P1[i] -> [(i)]; S2[i] -> [(i)] }]"
                child:
                  sequence:
                  - filter: "[n] -> { P1[i] }"
                  - filter: "[n] -> { S2[i] }"
    "#]]
    .assert_eq(&model(MAX).to_string());
}

#[test]
fn what_is_affine_is_part_of_the_domain() {
    let text = "do i = n, 1, -2; do j = i / 2, 2 * n - mod(i, 3)\n\
                if (j > i .and. .not. (j == n)) then; a(j) = 1; else if (i .ge. 3) then; a(i + j) = 2; endif\nenddo; end do\n";
    let scop = model(text);
    let domains: Vec<String> = scop.statements.iter().map(|s| s.domain.to_string()).collect();
    let expected = [
        "[n] -> { S1[i, j] : 1 <= i <= n and (n - i) mod 2 = 0 and floor(i / 2) <= j <= 2n - (i mod 3) and j > i and j != n }",
        "[n] -> { S2[i, j] : 3 <= i <= n and (n - i) mod 2 = 0 and floor(i / 2) <= j <= 2n - (i mod 3) and (j <= i or j = n) }",
    ];
    for (found, expected) in domains.iter().zip(expected) {
        let set = |text: &str| crate::presburger::Set::parse(text).expect("a set");
        assert!(set(found).is_equal(&set(expected)), "{found}");
    }
    assert!(scop.schedule.to_string().contains("S1[i, j] -> [(-i)]"), "{scop}");
    runs(text);
}

#[test]
fn programs_compute_what_their_graphs_compute() {
    for text in [
        MAX,
        include_str!("../../../llvm-tests/dataflow/Inputs/sum.f"),
        include_str!("../../../llvm-tests/dataflow/Inputs/bubble.f"),
        include_str!("../../../llvm-tests/dataflow/Inputs/insertion.f"),
        include_str!("../../../llvm-tests/dataflow/Inputs/gauss.f"),
    ] {
        runs(text);
    }
}

/// Figures 8 to 11 of the document: the graphs of Sum, Max and Bubble. The figures are drawings; these are their nodes and arrows as equations.
#[test]
fn the_figures_of_the_document() {
    let equations = |text: &str| {
        let scop = model(text);
        Dataflow::of(&scop).unwrap_or_else(|error| panic!("{error}")).equations()
    };
    expect![[r#"
        S1() = 0
        S2(i) = S2_0(i) + x_in(i)
          S2_0(i) = if i = 1 then S1() else S2(i - 1)
        x_in(q0) = x[q0]
        s_out() = if n = 0 then S1() else S2(n)
    "#]]
    .assert_eq(&equations(include_str!("../../../llvm-tests/dataflow/Inputs/sum.f")));
    expect![[r#"
        S1() = 0
        P1(i) = P1_0(i) < x_in(i)
          P1_0(i) = if i = 1 then S1() else B1(i - 1)
        S2(i) = x_in(i)
        x_in(q0) = x[q0]
        r_out() = if n = 0 then S1() else B1(n)
        B1(i) = if P1(i) then S2(i) else if i = 1 then S1() else B1(i - 1)
    "#]]
    .assert_eq(&equations(MAX));
    let bubble = equations(include_str!("../../../llvm-tests/dataflow/Inputs/bubble.f"));
    let smaller = "B1(i, j) = if P1(i, j) then S2(i, j) else if i = 1 then if j = 1 then a_in(j) else B2(i, j - 1) \
                   else if j = 1 then B1(i - 1, j) else B2(i, j - 1)\n";
    let larger = "B2(i, j) = if P1(i, j) then S3(i, j) else if i = 1 then a_in(j + 1) else B1(i - 1, j + 1)\n";
    assert!(bubble.contains(smaller) && bubble.contains(larger), "{bubble}");
}

/// The U-graphs in figures 8 to 10: what goes where, with filters before ports that wait for it under a condition.
#[test]
fn the_figures_of_the_document_in_the_direction_of_data() {
    let graph = |text: &str| {
        let scop = model(text);
        Dataflow::of(&scop).unwrap_or_else(|error| panic!("{error}")).u_graph()
    };
    expect![[r#"
        (node (S1)
          (dom "[n] -> { S1[] }")
          (ports (start i1))
          (body (eval s f64 0 (& (n > 0 -> S2.S2_0{1} : ⊥) (n = 0 -> s_out.s{} : ⊥)))))
        (node (S2 i)
          (dom "[n] -> { S2[i] : 0 < i <= n }")
          (ports (S2_0 f64)
                 (S2_1 f64))
          (body (eval s f64 S2_0 + S2_1 (& (n > i -> S2.S2_0{i + 1} : ⊥) (n = i -> s_out.s{} : ⊥)))))
        (node (x_in q0)
          (dom "[n] -> { x_in[q0] : 0 < q0 <= n }")
          (ports (x f64 IN))
          (body (eval x f64 x S2.S2_1{q0})))
        (node (s_out)
          (dom "[n] -> { s_out[] }")
          (ports (s f64))
          (body (eval s f64 s OUT)))
        (node (Start)
          (dom "[n] -> { Start[] }")
          (ports)
          (body (eval value i1 1 S1.start{})))
    "#]]
    .assert_eq(&graph(include_str!("../../../llvm-tests/dataflow/Inputs/sum.f")));
    expect![[r#"
        (node (S1)
          (dom "[n] -> { S1[] }")
          (ports (start i1))
          (body (eval r f64 0 (& (n > 0 -> P1.P1_0{1} : ⊥) (n = 0 -> r_out.r{} : ⊥) (n > 0 -> F2.value{1} : ⊥)))))
        (node (P1 i)
          (dom "[n] -> { P1[i] : 0 < i <= n }")
          (ports (P1_0 f64)
                 (P1_1 f64))
          (body (eval p_P1 i1 P1_0 < P1_1 (& F1.if{i} F2.if{i}))))
        (node (S2 i)
          (dom "[n] -> { S2[i] : 0 < i <= n }" P1^T{i})
          (ports (S2_1 f64))
          (body (eval r f64 S2_1 B1.r{i})))
        (node (x_in q0)
          (dom "[n] -> { x_in[q0] : 0 < q0 <= n }")
          (ports (x f64 IN))
          (body (eval x f64 x (& P1.P1_1{q0} F1.value{q0}))))
        (node (r_out)
          (dom "[n] -> { r_out[] }")
          (ports (r f64))
          (body (eval r f64 r OUT)))
        (node (B1 i)
          (dom "[n] -> { B1[i] : 0 < i <= n }")
          (ports (r f64))
          (body (eval r f64 r (& (n > i -> P1.P1_0{i + 1} : ⊥) (n = i -> r_out.r{} : ⊥) (n > i -> F2.value{i + 1} : ⊥)))))
        (node (Start)
          (dom "[n] -> { Start[] }")
          (ports)
          (body (eval value i1 1 S1.start{})))
        (node (F1 i)
          (dom "[n] -> { F1[i] : 0 < i <= n }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i} is true S2.S2_1{i})))
        (node (F2 i)
          (dom "[n] -> { F2[i] : n > 0 and 0 < i <= n }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i} is false B1.r{i})))
    "#]].assert_eq(&graph(MAX));
    expect![[r#"
        (node (P1 i j)
          (dom "[n] -> { P1[i, j] : 0 < i <= n and 0 < j <= n - i }")
          (ports (P1_0 f64)
                 (P1_1 f64))
          (body (eval p_P1 i1 P1_0 > P1_1 (& F1.if{i, j} F2.if{i, j} F3.if{i, j} F4.if{i, j} F5.if{i, j}))))
        (node (S1 i j)
          (dom "[n] -> { S1[i, j] : 0 < i <= n and 0 < j <= n - i }" P1^T{i, j})
          (ports (S1_1 f64))
          (body (eval t f64 S1_1 (& S3.S3_1{i, j} B3.t{i, j}))))
        (node (S2 i j)
          (dom "[n] -> { S2[i, j] : 0 < i <= n and 0 < j <= n - i }" P1^T{i, j})
          (ports (S2_1 f64))
          (body (eval a f64 S2_1 B1.a{i, j})))
        (node (S3 i j)
          (dom "[n] -> { S3[i, j] : 0 < i <= n and 0 < j <= n - i }" P1^T{i, j})
          (ports (S3_1 f64))
          (body (eval a f64 S3_1 B2.a{i, j})))
        (node (a_in q0)
          (dom "[n] -> { a_in[q0] : n >= 2 and 0 < q0 <= n }")
          (ports (a f64 IN))
          (body (eval a f64 a (& (q0 = 1 -> P1.P1_0{1, 1} : ⊥) (q0 > 1 -> P1.P1_1{1, q0 - 1} : ⊥) (q0 = 1 -> F1.value{1, 1} : ⊥) (q0 > 1 -> F2.value{1, q0 - 1} : ⊥) (q0 = 1 -> F3.value{1, 1} : ⊥) (q0 > 1 -> F4.value{1, q0 - 1} : ⊥)))))
        (node (t_in)
          (dom "[n] -> { t_in[] : n >= 2 }")
          (ports (t f64 IN))
          (body (eval t f64 t F5.value{1, 1})))
        (node (a_out q0)
          (dom "[n] -> { a_out[q0] : n >= 2 and 0 < q0 <= n }")
          (ports (a f64))
          (body (eval a f64 a OUT)))
        (node (t_out)
          (dom "[n] -> { t_out[] : n >= 2 }")
          (ports (t f64))
          (body (eval t f64 t OUT)))
        (node (B1 i j)
          (dom "[n] -> { B1[i, j] : 0 < i <= n and 0 < j <= n - i }")
          (ports (a f64))
          (body (eval a f64 a (& (j = 1 -> (n > i + 1 -> P1.P1_0{i + 1, 1} : ⊥) : ⊥) (j > 1 -> P1.P1_1{i + 1, j - 1} : ⊥) (n = i + 1 -> a_out.a{1} : ⊥) (j = 1 -> (n > i + 1 -> F1.value{i + 1, 1} : ⊥) : ⊥) (j > 1 -> F2.value{i + 1, j - 1} : ⊥) (j = 1 -> (n > i + 1 -> F3.value{i + 1, 1} : ⊥) : ⊥) (j > 1 -> F4.value{i + 1, j - 1} : ⊥)))))
        (node (B2 i j)
          (dom "[n] -> { B2[i, j] : 0 < i <= n and 0 < j <= n - i }")
          (ports (a f64))
          (body (eval a f64 a (& (n > i + j -> P1.P1_0{i, j + 1} : ⊥) (n = i + j -> a_out.a{n - i + 1} : ⊥) (n > i + j -> F1.value{i, j + 1} : ⊥) (n > i + j -> F3.value{i, j + 1} : ⊥)))))
        (node (B3 i j)
          (dom "[n] -> { B3[i, j] : 0 < i <= n and 0 < j <= n - i }")
          (ports (t f64))
          (body (eval t f64 t (& (n = i + 1 -> t_out.t{} : ⊥) (n = i + j -> (n > i + 1 -> F5.value{i + 1, 1} : ⊥) : ⊥) (n > i + j -> F5.value{i, j + 1} : ⊥)))))
        (node (F1 i j)
          (dom "[n] -> { F1[i, j] : n >= 2 and 0 < i < n and 0 < j <= n - i }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i, j} is true S1.S1_1{i, j})))
        (node (F2 i j)
          (dom "[n] -> { F2[i, j] : n > 0 and 0 < j < n and 0 < i < n and j <= n - i }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i, j} is true S2.S2_1{i, j})))
        (node (F3 i j)
          (dom "[n] -> { F3[i, j] : n >= 2 and 0 < i < n and 0 < j <= n - i }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i, j} is false B1.a{i, j})))
        (node (F4 i j)
          (dom "[n] -> { F4[i, j] : n > 0 and 0 < j < n and 0 < i < n and j <= n - i }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i, j} is false B2.a{i, j})))
        (node (F5 i j)
          (dom "[n] -> { F5[i, j] : n >= 2 and 0 < i < n and 0 < j <= n - i }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P1{i, j} is false B3.t{i, j})))
    "#]].assert_eq(&graph(include_str!("../../../llvm-tests/dataflow/Inputs/bubble.f")));
}

/// Section 7.1: the parallel time of Bubble is twice the length, not its square.
#[test]
fn bubble_sort_is_parallel() {
    let scop = model(include_str!("../../../llvm-tests/dataflow/Inputs/bubble.f"));
    let dataflow = Dataflow::of(&scop).unwrap_or_else(|error| panic!("{error}"));
    let depth = |n: i64| {
        let input = Input { params: vec![n], elements: Memory::new(), fill: Some(1) };
        let runs = Runs::of(&dataflow, &input).unwrap_or_else(|error| panic!("{error}"));
        (runs.sequential.operations, runs.by_data.depth)
    };
    // Comparisons one after the other, and on the longest chain: those of the first number, then one more for each later one.
    assert_eq!([4, 8].map(depth), [(6, 5), (28, 13)]);
}

#[test]
fn all_instances_are_drawn_for_given_sizes() {
    let scop = model(MAX);
    let dataflow = Dataflow::of(&scop).unwrap_or_else(|error| panic!("{error}"));
    let input = |n| Input { params: vec![n], elements: Memory::new(), fill: None };
    let drawing = dataflow.unfolded(&input(5)).expect("few instances").dot();
    // S1, r_out, and P1, S2, B1 and x_in five times; three arrows to each of the blenders, two to each test, one to each S2 and to the output.
    assert_eq!(drawing.matches("label=\"").count() - drawing.matches(" -> ").count(), 22, "{drawing}");
    assert_eq!(drawing.matches(" -> ").count(), 31, "{drawing}");
    assert!(dataflow.unfolded(&input(1000)).is_err());
}

#[test]
fn errors_are_at_their_place() {
    fails(
        "do i = 1, n\n  a(i * i) = 0\nenddo\n",
        expect![[r#"
            this is not affine in variables of loops and parameters (line 2, column 7)
                a(i * i) = 0
                    ^"#]],
    );
    fails(
        "do i = 1, x(3)\nenddo\n",
        expect![[r#"
            `x` is not affine in variables of loops and parameters (line 1, column 11)
              do i = 1, x(3)
                        ^"#]],
    );
    fails(
        "do while (x < 3)\nenddo\n",
        expect![[r#"
            `while` is not part of the language: write a loop with a bound, and an `exit` (line 1, column 4)
              do while (x < 3)
                 ^"#]],
    );
    fails(
        "do i = 1, n\n  a(i) = 0\n",
        expect![[r#"
            expected `enddo` (line 2, column 1)
                a(i) = 0
              ^"#]],
    );
    fails(
        "do i = 1, n\n  i = 0\nenddo\n",
        expect![[r#"
            i is a variable of a loop and cannot be assigned (line 2, column 3)
                i = 0
                ^"#]],
    );
    for (text, message) in [
        ("do\n x = 1\nenddo\n", "a loop without a bound is not part of the language: give it one, and an `exit`"),
        ("exit\n", "`exit` stands in no loop"),
        ("a: do i = 1, n\n cycle b\nenddo\n", "no loop around is called `b`"),
        ("a: do i = 1, n\nenddo b\n", "the loop that ends here has another name, or none"),
        ("do 10 i = 1, n\n x = i\nenddo\n", "expected `10 continue`, which ends the loop `do 10`"),
        (
            "do 10 i = 1, n\n do 20 j = 1, n\n10 continue\n20 continue\n",
            "the loop `do 10` ends here, before one inside of it",
        ),
        (
            "do 10 i = 1, n\n if (x(i) < 3) then\n10 continue\n endif\n",
            "the loop `do 10` ends here, and begins outside of the `if`",
        ),
        (
            "do i = 1, n\n if (x(i) < 3) goto 10\nenddo\n",
            "`goto` is not part of the language: `exit` leaves a loop and `cycle` an iteration, of the loop that they name",
        ),
        (
            "do i = 1, n\n if (x(i) < 3) exit\nenddo\nk = i\n",
            "i is a variable of loops, and here is none of them around",
        ),
        (
            "y = mod(x)\n",
            "the function `mod` takes 2 operands; where it is an array or a function of the program, declare it",
        ),
        (
            "y = max(x)\n",
            "the function `max` takes 2 or more operands; where it is an array or a function of the program, declare it",
        ),
        (
            "y = tan(x)\n",
            "the function `tan` is not part of the language; where it is an array or a function of the program, declare it",
        ),
        ("do i = 1, n\n a(int(x)) = 0\nenddo\n", "this is not affine in variables of loops and parameters"),
    ] {
        assert_eq!(parse(text, "test.f").expect_err(text).message, message, "{text}");
    }
}

#[test]
fn what_is_too_deep_or_too_long_is_refused() {
    let message = |value: String| {
        parse(&format!("do i = 1, n\n  x(i) = {value}\nenddo\n"), "test.f").expect_err("no program").message
    };
    assert_eq!(message(format!("{}1", "(".repeat(100_000))), "nested more than 100 deep");
    assert_eq!(message(format!("{}1", "1 + ".repeat(100_000))), "more than 2000 operators in a row");
}
