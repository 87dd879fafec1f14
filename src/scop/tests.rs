//! The text forms, both ways, and the laws.
//!
//! Tests: 001 basis; 002 5.1, 5.2.1, 5.2.3, 5.7

use crate::scop::StatementId;
use expect_test::{Expect, expect};

use super::*;
use crate::property::{damaged, property};

const SUM: &str = r#"name: sum
context: "[n] -> { : n >= 0 }"
arrays:
- { name: A, element: f32, shape: [ "[n] -> { [(n)] }" ], live_out: false }
- { name: s, element: f32 }
statements:
- name: S
  domain: "[n] -> { S[i] : 0 <= i < n }"
  location: "sum.c:3"
  accesses:
  - read: "{ S[i] -> A[i] }"
  - { read: "{ S[i] -> s[] }", reduction: "+" }
  - { id: store, write: "{ S[i] -> s[] }", reduction: "+", location: "sum.c:4" }
schedule:
  domain: "[n] -> { S[i] : 0 <= i < n }"
  child:
    schedule: "[n] -> [{ S[i] -> [(i)] }]"
"#;

#[test]
fn the_text_form_goes_both_ways() {
    let scop = parse(SUM).expect("a model");
    let text = scop.to_string();
    let again = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again.to_string(), text);
    assert_eq!(scop.params, [Id::new("n")]);
    assert_eq!(scop.statements[StatementId::new(0)].accesses[2].id, Id::new("store"));
    assert_eq!(scop.statements[StatementId::new(0)].accesses[0].id, Id::new("S_0"));
    assert_eq!(scop.statements[StatementId::new(0)].accesses[1].reduction, Some(ReductionOperator::Add));
    assert_eq!(scop.array(&Id::new("A")).map(|a| (a.size_bytes, a.live_out)), Some((4, false)));
    assert!(scop.domain().is_equal(&UnionSet::parse("[n] -> { S[i] : 0 <= i < n }").expect("a set")));
}

#[test]
fn regular_instances_are_some_of_the_statement() {
    let with = |regular: &str| SUM.replacen("  accesses:", &format!("  regular: \"{regular}\"\n  accesses:"), 1);
    let scop = parse(&with("[n] -> { S[i] : 0 < i < n - 1 }")).expect("a model");
    let again = parse(&scop.to_string()).expect("the same model");
    assert_eq!(again.to_string(), scop.to_string());
    let statement = &again.statements[StatementId::new(0)];
    let touched = statement.typical(&statement.accesses[0]);
    assert_eq!(touched.to_string(), "[n] -> { S[i] -> A[i] : 0 < i <= n - 2 }");
    fails(
        &with("[n] -> { T[i] : i > 0 }"),
        expect![[r#"
            regular instances are those of another statement (line 10, column 13)
                regular: "[n] -> { T[i] : i > 0 }"
                          ^"#]],
    );
    read(&with("[n] -> { S[i, j] : i > 0 }")).expect_err("instances have one iterator");
}

const LOCAL: &str = r#"name: local
arrays:
- { name: v, element: f64, shape: [ "", "" ], live_out: false, own: 1 }
- { name: B, element: f64, shape: [ "" ] }
statements:
- name: S
  domain: "[n] -> { S[i, k] : 0 <= i < n and 0 <= k < 9 }"
  accesses:
  - write: "{ S[i, k] -> v[i, k] }"
- name: T
  domain: "[n] -> { T[i] : 0 <= i < n }"
  accesses:
  - read: "{ T[i] -> v[i, 4] }"
  - write: "{ T[i] -> B[i] }"
schedule:
  domain: "[n] -> { S[i, k] : 0 <= i < n and 0 <= k < 9; T[i] : 0 <= i < n }"
  child:
    schedule: "[{ S[i, k] -> [(i)]; T[i] -> [(i)] }]"
    child:
      sequence:
      - filter: "{ S[i, k] }"
        child:
          schedule: "[{ S[i, k] -> [(k)] }]"
      - filter: "{ T[i] }"
"#;

#[test]
fn arrays_of_each_iteration_are_apart_in_text_and_model() {
    let scop = read(LOCAL).expect("a model");
    assert!(scop.to_string().contains("  own: 1\n"));
    assert_eq!(read(&scop.to_string()).expect("a model").to_string(), scop.to_string());
    let together =
        LOCAL.replace("v[i, ", "v[").replace(r#"[ "", "" ], live_out: false, own: 1"#, r#"[ "" ], live_out: false"#);
    let apart = read(&together).expect("a model").with_own(&Id::new("v"), 1);
    assert_eq!(apart.to_string(), scop.to_string());
    fails(
        &LOCAL.replace("v[i, 4]", "v[i - 1, 4]"),
        expect![[r#"
            access T_0 of T touches an array v of another iteration (line 10, column 3)
              - name: T
                ^"#]],
    );
}

fn fails(text: &str, expected: Expect) {
    expected.assert_eq(&read(text).expect_err("an error").to_string());
}

#[test]
fn errors_tell_where() {
    fails(
        &SUM.replace("S[i] -> A[i]", "S[i] -> A[i"),
        expect![[r#"
        expected `]`, found `}` (line 11, column 26)
            - read: "{ S[i] -> A[i }"
                                   ^"#]],
    );
    fails(
        &SUM.replace("0 <= i < n }\"\n  location", "0 <= i <= }\"\n  location"),
        expect![[r#"
        expected a value or a condition, found `}` (line 8, column 38)
            domain: "[n] -> { S[i] : 0 <= i <= }"
                                               ^"#]],
    );
    fails(
        &SUM.replace("element: f32 }", "element: float }"),
        expect![[r#"
        expected a type: i32, f64, b128 (no arithmetic), ptr (line 5, column 23)
          - { name: s, element: float }
                                ^"#]],
    );
    fails(
        &SUM.replace("arrays:", "array:"),
        expect![[r#"
        unknown key `array`; expected one of name, params, context, assumed, arrays, symbols, statements, schedule (line 4, column 1)
          - { name: A, element: f32, shape: [ "[n] -> { [(n)] }" ], live_out: false }
          ^"#]],
    );
    fails(
        &SUM.replace("reduction: \"+\", ", "reduction: \"-\", "),
        expect![[r#"
        `-` is not one of +, *, &, |, ^, min, max, umin, umax, argmin, argmax, last (line 13, column 56)
            - { id: store, write: "{ S[i] -> s[] }", reduction: "-", location: "sum.c:4" }
                                                                 ^"#]],
    );
    fails(
        &SUM.replace("  - read: \"{ S[i] -> A[i] }\"", "  - id: x"),
        expect![[r#"
        expected one of `read`, `write`, `may_write`, `kill`, `when` and `unless` (line 11, column 5)
            - id: x
              ^"#]],
    );
}

#[test]
fn laws_are_kept() {
    fails(
        &SUM.replace("{ id: store, ", "{ id: S_0, "),
        expect![[r#"
        two accesses are called S_0 (line 7, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &SUM.replace("{ S[i] -> A[i] }", "{ S[i] -> A[i, i] }"),
        expect![[r#"
        access S_0 of S does not give elements of A with 1 dimensions (line 7, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &SUM.replace(
            "  domain: \"[n] -> { S[i] : 0 <= i < n }\"\n  child",
            "  domain: \"[n] -> { S[i] : 0 < i < n }\"\n  child",
        ),
        expect![[r#"
        the schedule leaves out instances of S (line 15, column 3)
            domain: "[n] -> { S[i] : 0 < i < n }"
            ^"#]],
    );
    // What is summed up in a register is written by every instance.
    assert!(parse(&SUM.replace("element: f32 }\nstat", "element: f32, kind: scalar }\nstat")).is_ok());
    fails(
        &SUM.replace("- name: S\n", "- name: T\n"),
        expect![[r#"
        the domain of T is not a set of tuples T[..] (line 7, column 3)
          - name: T
            ^"#]],
    );
}

const MATMUL: &str = "name: matmul
context: [n] -> { : n >= 0 }
domain: [n] -> { I[i, j] : 0 <= i, j < n; U[i, j, k] : 0 <= i, j, k < n }
schedule: [n] -> { I[i, j] -> [i, j, 0, 0]; U[i, j, k] -> [i, j, 1, k] }
reads: [n] -> { U[i, j, k] -> A[i, k]; U[i, j, k] -> B[k, j]; U[i, j, k] -> C[i, j] }
must_writes: [n] -> { I[i, j] -> C[i, j]; U[i, j, k] -> C[i, j] }
may_writes: [n] -> { }
";

#[test]
fn a_flat_schedule_becomes_a_tree() {
    let scop = read(MATMUL).expect("a model");
    expect![[r#"
        domain: "[n] -> { I[i, j] : 0 <= j < n and 0 <= i < n; U[i, j, k] : 0 <= k < n and 0 <= j < n and 0 <= i < n }"
        child:
          schedule: "[n] -> [{ I[i, j] -> [(i)]; U[i, j, k] -> [(i)] }]"
          child:
            schedule: "[n] -> [{ I[i, j] -> [(j)]; U[i, j, k] -> [(j)] }]"
            child:
              sequence:
              - filter: "[n] -> { I[i, j] }"
              - filter: "[n] -> { U[i, j, k] }"
                child:
                  schedule: "[n] -> [{ U[i, j, k] -> [(k)] }]"
    "#]]
    .assert_eq(&scop.schedule.to_string());
    let flat = UnionMap::parse(
        "[n] -> { I[i, j] -> [i, j, 0, 0] : 0 <= i, j < n; U[i, j, k] -> [i, j, 1, k] : 0 <= i, j, k < n }",
    );
    assert!(scop.schedule.to_map().is_equal(&flat.expect("a relation")));
    let tree = Tree::parse(&scop.schedule.to_string()).expect("a tree");
    assert_eq!(tree.to_string(), scop.schedule.to_string());
    fails(
        &MATMUL.replace("U[i, j, k] -> B[k, j]", "V[i, j, k] -> B[k, j]"),
        expect![[r#"
        there is no statement V (line 5, column 8)
          reads: [n] -> { U[i, j, k] -> A[i, k]; V[i, j, k] -> B[k, j]; U[i, j, k] -> C[i, j] }
                 ^"#]],
    );
    fails(
        &MATMUL.replace("[i, j, 1, k]", "[i, j, 1, k"),
        expect![[r#"
        expected `]`, found `}` (line 4, column 71)
          schedule: [n] -> { I[i, j] -> [i, j, 0, 0]; U[i, j, k] -> [i, j, 1, k }
                                                                                ^"#]],
    );
}

#[test]
fn jscop_goes_both_ways() {
    let scop = read(MATMUL).expect("a model");
    let text = jscop::print(&scop);
    let again = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(again.reads().is_equal(&scop.reads()) && again.writes().is_equal(&scop.writes()));
    assert!(again.schedule.to_map().is_equal(&scop.schedule.to_map()));
    assert_eq!(jscop::print(&again), text);
    fails(
        &text.replace("A[i, k]", "A[i, k"),
        expect![[r#"
        expected `]`, found `:` (line 46, column 54)
                    "relation": "[n] -> { U[i, j, k] -> A[i, k : 0 <= k < n and 0 <= j < n and 0 <= i < n }"
                                                               ^"#]],
    );
}

/// `r = max(r, x[i])`, as an assignment under a condition.
const MAX: &str = r#"name: max
context: "[n] -> { : n >= 0 }"
arrays:
- { name: x, shape: [ "[n] -> { [(n)] }" ], live_out: false }
statements:
- name: P
  domain: "[n] -> { P[i] : 0 <= i < n }"
  accesses:
  - { id: best, read: "{ P[i] -> r[] }" }
  - { id: here, read: "{ P[i] -> x[i] }" }
  - write: "{ P[i] -> p[i] }"
  compute: "best < here"
- name: S
  domain: "[n] -> { S[i] : 0 <= i < n }"
  accesses:
  - { id: new, read: "{ S[i] -> x[i] }" }
  - write: "{ S[i] -> r[] }"
  - when: "{ S[i] -> p[i] }"
  compute: new
schedule:
  domain: "[n] -> { P[i] : 0 <= i < n; S[i] : 0 <= i < n }"
  child:
    schedule: "[n] -> [{ P[i] -> [(i)]; S[i] -> [(i)] }]"
    child:
      sequence:
      - filter: "{ P[i] }"
      - filter: "{ S[i] }"
"#;

#[test]
fn conditions_and_computations_go_both_ways() {
    let scop = parse(MAX).expect("a model");
    let text = scop.to_string();
    assert_eq!(parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}")).to_string(), text);
    assert_eq!(scop.statements[StatementId::new(1)].accesses[2].condition, Some(true));
    assert_eq!(
        scop.statements[StatementId::new(0)].compute.as_ref().map(ToString::to_string).as_deref(),
        Some("best < here")
    );
    let truth = scop.array(&Id::new("p")).expect("a scalar");
    assert_eq!((truth.kind, truth.element, truth.live_out), (ArrayKind::Scalar, ElementType::Int(1), false));
    assert!(scop.may_writes().is_equal(&UnionMap::parse("[n] -> { S[i] -> r[] : 0 <= i < n }").expect("a relation")));
    assert!(scop.must_writes().is_equal(&UnionMap::parse("[n] -> { P[i] -> p[i] : 0 <= i < n }").expect("a relation")));
}

#[test]
fn conditions_and_computations_keep_their_laws() {
    fails(
        &MAX.replace("  - write: \"{ S[i] -> r[] }\"", "  - write: \"{ S[i] -> p[i] }\""),
        expect![[r#"
        the truth value p is not written exactly once (line 6, column 3)
          - name: P
            ^"#]],
    );
    fails(
        &MAX.replace("S[i] -> p[i]", "S[i] -> p[i + 1]"),
        expect![[r#"
        condition S_2 of S asks for a value that nobody computes (line 13, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &MAX.replace("- when: \"{ S[i] -> p[i] }\"", "- when: \"{ S[i] -> x[i] }\""),
        expect![[r#"
        condition S_2 of S is not the value of a scalar (line 13, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &MAX.replace("- when: \"{ S[i] -> p[i] }\"", "- when: \"{ S[i] -> p[0] : i = 0 }\""),
        expect![[r#"
        condition S_2 of S is not one value for each instance (line 13, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &MAX.replace("compute: new", "compute: new + best"),
        expect![[r#"
        the computation of S mentions best, which is no read of it, no iterator and no parameter (line 13, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &MAX.replace("compute: new", "compute: f(new)"),
        expect![[r#"
        the computation of S calls f, which is not declared as a symbol (line 13, column 3)
          - name: S
            ^"#]],
    );
    fails(
        &MAX.replace("compute: new", "compute: \"new +\""),
        expect![[r#"
        expected a number, a name or `(` (line 19, column 18)
            compute: "new +"
                           ^"#]],
    );
}

const MAX_LINES: &str = "name: max
domain: [n] -> { P[i] : 0 <= i < n; S[i] : 0 <= i < n }
schedule: [n] -> { P[i] -> [i, 0]; S[i] -> [i, 1] }
reads: [n] -> { P[i] -> r[]; P[i] -> x[i]; S[i] -> x[i] }
must_writes: [n] -> { P[i] -> p[i]; S[i] -> r[] }
when: [n] -> { S[i] -> p[i] }
compute: P = P_0 < P_1; S = S_0
";

#[test]
fn conditions_may_be_lines() {
    let scop = read(MAX_LINES).expect("a model");
    let lines = read(MAX).expect("a model");
    assert!(scop.may_writes().is_equal(&lines.may_writes()) && scop.reads().is_equal(&lines.reads()));
    assert_eq!(scop.statements[StatementId::new(1)].compute, Some(Expression::Name(Id::new("S_0"))));
    fails(
        &MAX_LINES.replace("P_1;", "P_1 +;"),
        expect![[r#"
        expected a number, a name or `(` (line 7, column 25)
          compute: P = P_0 < P_1 +; S = S_0
                                  ^"#]],
    );
    fails(
        &MAX_LINES.replace("S = S_0", "T = S_0"),
        expect![[r#"
        there is no statement T (line 7, column 24)
          compute: P = P_0 < P_1; T = S_0
                                 ^"#]],
    );
}

/// A model whose text is damaged is read, or refused with a place in the text.
#[test]
fn every_text_is_read_or_refused() {
    const SEQUENCE: &str = r#"name: two
statements:
- name: S
  domain: "{ S[i] : 0 <= i < 9 }"
  accesses:
  - write: "{ S[i] -> A[i] }"
- name: T
  domain: "{ T[i] : 0 <= i < 9 }"
  compute: "T_0 + 1"
  accesses:
  - read: "{ T[i] -> A[i - 1] }"
  - { may_write: "{ T[i] -> B[] }" }
schedule: { domain: "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }", child: { sequence: [
    { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [(i)] }]", permutable: 1, coincident: [ 1 ] } }, { filter: "{ T[i] }" } ] } }
"#;
    const SCRAPS: [&str; 22] = [
        "\"",
        ":",
        "- ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\n",
        "  ",
        "\n\n",
        "#",
        "name",
        "domain",
        "child: ",
        "sequence: ",
        "->",
        "0",
        "é",
        "true",
        "S",
        "99999999999999999999",
    ];
    property(600, |u| {
        let text = damaged(u, &[SUM, SEQUENCE], &SCRAPS)?;
        if let Err(error) = super::read(&text) {
            let line = text.split('\n').nth(error.line.saturating_sub(1)).unwrap_or_default();
            assert!(error.column <= line.chars().count() + 1, "column {} of {line}: {}", error.column, error.message);
        }
        Ok(())
    });
}
