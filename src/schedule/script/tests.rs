//! Scripts on models: what each transformation makes of a tree, when it is legal, and that what is said of random ones is so.
//!
//! Tests: 002 5.6.1

use crate::schedule::script::*;
use crate::scop;
use expect_test::{Expect, expect};

/// Two statements in two nests, and a third one before both.
const MODEL: &str = "
context: [n] -> { : n >= 1 }
domain: [n] -> { R[]; S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i, j < n }
schedule: [n] -> { R[] -> [0, 0, 0, 0]; S[i, j] -> [1, 0, i, j]; T[i, j] -> [2, 0, i, j] }
reads: [n] -> { T[i, j] -> A[i, j]; S[i, j] -> x[] }
must_writes: [n] -> { R[] -> x[]; S[i, j] -> A[i, j]; T[i, j] -> B[i, j] }
";

/// A stencil over time, with the array of the step before kept.
const STENCIL: &str = "
context: [n] -> { : n >= 3 }
domain: [n] -> { S[t, i] : 0 <= t < n and 0 < i < n - 1 }
schedule: [n] -> { S[t, i] -> [t, i] }
reads: [n] -> { S[t, i] -> A[t - 1, a] : i - 1 <= a <= i + 1 }
must_writes: [n] -> { S[t, i] -> A[t, i] }
";

/// A sum along rows.
const SUM: &str = "
context: [n] -> { : n >= 1 }
domain: [n] -> { Z[i] : 0 <= i < n; P[i, k] : 0 <= i, k < n }
schedule: [n] -> { Z[i] -> [i, 0, 0]; P[i, k] -> [i, 1, k] }
reads: [n] -> { P[i, k] -> s[i] }
must_writes: [n] -> { Z[i] -> s[i]; P[i, k] -> s[i] }
";

fn outcome(model: &str, script: &str) -> String {
    let scop = scop::pm::parse(model).expect("law: a test's model is well-formed");
    let dependences = Dependences::of(&scop);
    let script = match Script::parse(script) {
        Ok(script) => script,
        Err(e) => return e.to_string(),
    };
    let found = || Schedule::of(&scop, &dependences, &Default::default());
    match script.run(&scop, &dependences, found) {
        Ok(schedule) => {
            let tree = schedule.tree.to_string();
            tree.lines().skip(2).map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
        }
        Err(Failure::Wrong(e)) => e.to_string(),
        Err(Failure::Illegal(illegal)) => illegal.to_string(),
    }
}

fn check(model: &str, script: &str, expected: Expect) {
    expected.assert_eq(&outcome(model, script));
}

#[test]
fn fused() {
    check(
        MODEL,
        "fuse S T",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
              child:
                sequence:
                - filter: "[n] -> { S[i, j] }"
                - filter: "[n] -> { T[i, j] }"
    "#]],
    );
    check(
        MODEL,
        "fuse S T 1",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }]"
              child:
                sequence:
                - filter: "[n] -> { S[i, j] }"
                  child:
                    schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                - filter: "[n] -> { T[i, j] }"
                  child:
                    schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        MODEL,
        "reverse S.0\nfuse S T",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(-i)]; T[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
              child:
                sequence:
                - filter: "[n] -> { S[i, j] }"
                - filter: "[n] -> { T[i, j] }"
    "#]],
    );
    check(
        MODEL,
        "reverse T.0\nfuse S T",
        expect![
            "since line 2 (`fuse S T`), the schedule does not run the source of a dependence before its sink: [n] -> { S[1, 0] -> T[1, 0] : n = 2 }"
        ],
    );
    check(
        MODEL,
        "fuse R S",
        expect![[r#"
        one of them has no loop outside of all else: sink it first (line 1, column 1)
          fuse R S
          ^"#]],
    );
    check(
        MODEL,
        "fuse S T 3",
        expect![[r#"
        they have 2 loops each that can be shared (line 1, column 1)
          fuse S T 3
          ^"#]],
    );
}

#[test]
fn distributed() {
    check(
        MODEL,
        "fuse S T\ndistribute S.1",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }]"
              child:
                sequence:
                - filter: "[n] -> { S[i, j] }"
                  child:
                    schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                - filter: "[n] -> { T[i, j] }"
                  child:
                    schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        SUM,
        "distribute Z.0",
        expect![[r#"
          sequence:
          - filter: "[n] -> { Z[i] }"
            child:
              schedule: "[n] -> [{ Z[i] -> [(i)] }]"
          - filter: "[n] -> { P[i, k] }"
            child:
              schedule: "[n] -> [{ P[i, k] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ P[i, k] -> [(k)] }]"
    "#]],
    );
    check(
        MODEL,
        "distribute S.0",
        expect![[r#"
        there is no sequence right inside of the loop (line 1, column 1)
          distribute S.0
          ^"#]],
    );
    check(
        "
domain: { S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }
schedule: { S[i] -> [i, 0]; T[i] -> [i, 1] }
reads: { S[i] -> A[i - 1] }
must_writes: { T[i] -> A[i] }
",
        "distribute S.0",
        expect![
            "since line 1 (`distribute S.0`), the schedule does not run the source of a dependence before its sink: { T[0] -> S[1] }"
        ],
    );
}

#[test]
fn moved() {
    check(
        MODEL,
        "move T before S",
        expect![
            "since line 1 (`move T before S`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 0] -> T[0, 0] : n = 1 }"
        ],
    );
    check(
        MODEL,
        "move R after R",
        expect![[r#"
        `R` and `R` do not part in a sequence (line 1, column 6)
          move R after R
               ^"#]],
    );
    check(
        STENCIL,
        "move S before S",
        expect![[r#"
        `S` and `S` do not part in a sequence (line 1, column 6)
          move S before S
               ^"#]],
    );
}

#[test]
fn sunk() {
    check(
        SUM,
        "sink Z P.0 first",
        expect![[r#"
        the loops must be the outermost that the two do not share (line 1, column 1)
          sink Z P.0 first
          ^"#]],
    );
    check(
        SUM,
        "sink Z P.1 first",
        expect![[r#"
          schedule: "[n] -> [{ P[i, k] -> [(i)]; Z[i] -> [(i)] }]"
          child:
            schedule: "[n] -> [{ P[i, k] -> [(k)]; Z[i] -> [(0)] }]"
            child:
              sequence:
              - filter: "[n] -> { Z[i] }"
              - filter: "[n] -> { P[i, k] }"
    "#]],
    );
    check(
        SUM,
        "sink Z P.1 last",
        expect![
            "since line 1 (`sink Z P.1 last`), the schedule does not run the source of a dependence before its sink: [n] -> { Z[0] -> P[0, 0] : n = 2 }"
        ],
    );
    check(
        SUM,
        "sink Z P.1 (n + 3)\ncheck",
        expect![
            "since line 1 (`sink Z P.1 (n + 3)`), the schedule does not run the source of a dependence before its sink: [n] -> { Z[0] -> P[0, 0] : n = 1 }"
        ],
    );
    check(
        SUM,
        "sink Z P.1 i-n",
        expect![[r#"
          schedule: "[n] -> [{ P[i, k] -> [(i)]; Z[i] -> [(i)] }]"
          child:
            schedule: "[n] -> [{ P[i, k] -> [(k)]; Z[i] -> [(-n + i)] }]"
            child:
              sequence:
              - filter: "[n] -> { Z[i] }"
              - filter: "[n] -> { P[i, k] }"
    "#]],
    );
    check(
        "
domain: [n] -> { Z[i] : 0 <= i < n; P[i, k] : 0 <= k < i < n }
schedule: [n] -> { Z[i] -> [i, 0, 0]; P[i, k] -> [i, 1, k] }
must_writes: [n] -> { Z[i] -> s[i]; P[i, k] -> s[i] }
",
        "sink Z P.1 last",
        expect![[r#"
            the loop has no iteration for [n] -> { Z[0] : n = 1 } (line 1, column 1)
              sink Z P.1 last
              ^"#]],
    );
}

#[test]
fn interchanged() {
    check(
        STENCIL,
        "interchange S.0 S.1",
        expect![
            "since line 1 (`interchange S.0 S.1`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 2] -> S[1, 1] : n = 4 }"
        ],
    );
    check(
        MODEL,
        "interchange T.0 T.1",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(j)] }, { T[i, j] -> [(i)] }]"
    "#]],
    );
    check(
        MODEL,
        "permute T.0..1 1 0",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(j)] }, { T[i, j] -> [(i)] }]"
    "#]],
    );
    check(
        MODEL,
        "permute T.0..1 1 1",
        expect![[r#"
        the order of 2 loops is their numbers 0 to 1 (line 1, column 1)
          permute T.0..1 1 1
          ^"#]],
    );
}

#[test]
fn reversed_skewed_and_shifted() {
    check(
        STENCIL,
        "reverse S.1",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(-i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "reverse S.0",
        expect![
            "since line 1 (`reverse S.0`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 1] -> S[1, 1] : n = 3 }"
        ],
    );
    check(
        STENCIL,
        "skew S.1 S.0 1\ninterchange S.0 S.1",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t + i)] }, { S[t, i] -> [(t)] }]"
    "#]],
    );
    check(
        STENCIL,
        "skew S.0 S.1 2",
        expect![
            "since line 1 (`skew S.0 S.1 2`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 2] -> S[1, 1] : n = 4 }"
        ],
    );
    check(
        MODEL,
        "fuse S T\nreverse S.0\nshift S.0 n-1",
        expect![
            "since line 3 (`shift S.0 n-1`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 0] -> T[0, 0] : n = 2 }"
        ],
    );
    check(
        MODEL,
        "fuse S T 1\nshift T.0 1",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i + 1)] }]"
              child:
                sequence:
                - filter: "[n] -> { S[i, j] }"
                  child:
                    schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                - filter: "[n] -> { T[i, j] }"
                  child:
                    schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        MODEL,
        "fuse S T 1\nshift T.0 -1",
        expect![
            "since line 2 (`shift T.0 -1`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 0] -> T[0, 0] : n = 1 }"
        ],
    );
}

#[test]
fn tiled() {
    check(
        STENCIL,
        "skew S.1 S.0 1\ntile S.0..1 32 8",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(floor((t)/32))] }, { S[t, i] -> [(floor((t + i)/8))] }]"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "tile S.0..1 32",
        expect![
            "since line 1 (`tile S.0..1 32`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 32] -> S[1, 31] : n = 34 }"
        ],
    );
    check(
        STENCIL,
        "stripmine S.1 4",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(floor((i)/4))] }]"
            child:
              schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "skew S.1 S.0 1\ntile S.0..1 32 8\nwavefront S.0..1",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(floor((t)/32) + floor((t + i)/8))] }, { S[t, i] -> [(floor((t + i)/8))] }]"
          coincident: [ 0, 1 ]
          child:
            schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "skew S.1 S.0 1\npipeline S.0..1 8",
        expect![[r#"
            mark: "pipeline"
            child:
              schedule: "[n] -> [{ S[t, i] -> [(floor((t + i)/8))] }, { S[t, i] -> [(t)] }]"
              permutable: 1
              options: "{ atomic[0]; atomic[1] }"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(t + i)] }]"
        "#]],
    );
    check(
        STENCIL,
        "pipeline S.0..1 8",
        expect![
            "since line 1 (`pipeline S.0..1 8`), the schedule runs a dependent pair in different iterations of a parallel loop: [n] -> { S[0, 8] -> S[1, 7] : n = 10 }"
        ],
    );
    check(
        STENCIL,
        "stripmine S.1 4\nwavefront S.0..1",
        expect![
            "since line 2 (`wavefront S.0..1`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 4] -> S[1, 3] : n = 6 }"
        ],
    );
    check(
        MODEL,
        "wavefront S.0..1",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i + j)] }, { S[i, j] -> [(j)] }]"
              coincident: [ 0, 1 ]
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        STENCIL,
        "tile S.0..1 1 2 3",
        expect![[r#"
        2 loops need 2 sizes, or one for all (line 1, column 1)
          tile S.0..1 1 2 3
          ^"#]],
    );
}

#[test]
fn diamonds() {
    check(
        STENCIL,
        "diamond S.0..1 32",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(-i + floor((t + i)/32) + floor((t + 31i)/32))] }, { S[t, i] -> [(floor((t + i)/32))] }]"
          coincident: [ 0, 1 ]
          child:
            schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
    "#]],
    );
    check(
        &STENCIL.replace("i - 1 <= a <= i + 1", "a = i - 2"),
        "diamond S.0..1 32",
        expect![
            "since line 1 (`diamond S.0..1 32`), the schedule does not run the source of a dependence before its sink: [n] -> { S[1, 1] -> S[2, 3] : n = 5 }"
        ],
    );
    check(
        &STENCIL.replace("i - 1 <= a <= i + 1", "a = i - 2"),
        "diamond S.0..1 32 reach 2",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(-i + floor((2t + i)/32) + floor((2t + 31i)/32))] }, { S[t, i] -> [(floor((2t + i)/32))] }]"
          coincident: [ 0, 1 ]
          child:
            schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
    "#]],
    );
}

#[test]
fn full_tiles() {
    check(
        MODEL,
        "tile S.0..1 32 8\nisolate S.0..1",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(floor((i)/32))] }, { S[i, j] -> [(floor((j)/8))] }]"
              options: "[n] -> { isolate[[] -> [i0, i1]] : n > 0 and 8i1 <= n - 8 and 32i0 <= n - 32 and i0 >= 0 and i1 >= 0 }"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        STENCIL,
        "skew S.1 S.0 1\ntile S.0..1 4 8\nisolate S.0..1",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(floor((t)/4))] }, { S[t, i] -> [(floor((t + i)/8))] }]"
          options: "[n] -> { isolate[[] -> [i0, i1]] : 8i1 <= n + 4i0 - 9 and n >= 3 and 4i0 <= n - 4 and 2i1 > i0 and exists (e0: -n + 8i1 + 2 <= e0 < n and 0 <= e0 <= 4i0 + 3 and 4i0 <= e0 <= 8i1 + 6) }"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]"
    "#]],
    );
    check(
        MODEL,
        "isolate S.0",
        expect![[r#"
        no tile is full (line 1, column 1)
          isolate S.0
          ^"#]],
    );
}

#[test]
fn peeled_and_split() {
    check(
        STENCIL,
        "peel S.1 first 1",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            sequence:
            - filter: "[n] -> { S[t, 1] }"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
            - filter: "[n] -> { S[t, i] : i >= 2 }"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "peel S.0 last 2",
        expect![[r#"
          sequence:
          - filter: "[n] -> { S[t, i] : t <= n - 3 }"
            child:
              schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
          - filter: "[n] -> { S[t, i] : t >= n - 2 }"
            child:
              schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "reverse S.0\npeel S.0 last 2",
        expect![
            "since line 1 (`reverse S.0`), the schedule does not run the source of a dependence before its sink: [n] -> { S[1, 1] -> S[2, 1] : n = 3 }"
        ],
    );
    check(
        STENCIL,
        "split S.1 7",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            sequence:
            - filter: "[n] -> { S[t, i] : i <= 6 }"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
            - filter: "[n] -> { S[t, i] : i >= 7 }"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "split S.1 n",
        expect![[r#"
        all iterations are on one side (line 1, column 1)
          split S.1 n
          ^"#]],
    );
    check(
        STENCIL,
        "peel S.0 first 1\nmark S.0 x",
        expect![[r#"
            `S` has no loop before it parts (line 2, column 6)
              mark S.0 x
                   ^"#]],
    );
}

#[test]
fn unrolled() {
    check(
        STENCIL,
        "unroll S.1 4",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(floor((i)/4))] }]"
            child:
              schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
              options: "{ unroll[0] }"
    "#]],
    );
    check(
        STENCIL,
        "unroll S.1",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
            options: "{ unroll[0] }"
    "#]],
    );
    check(
        SUM,
        "jam P.0 2",
        expect![[r#"
          schedule: "[n] -> [{ P[i, k] -> [(floor((i)/2))]; Z[i] -> [(floor((i)/2))] }]"
          child:
            sequence:
            - filter: "[n] -> { Z[i] }"
              child:
                schedule: "[n] -> [{ Z[i] -> [(i)] }]"
                options: "{ unroll[0] }"
            - filter: "[n] -> { P[i, k] }"
              child:
                schedule: "[n] -> [{ P[i, k] -> [(k)] }]"
                child:
                  schedule: "[n] -> [{ P[i, k] -> [(i)] }]"
                  options: "{ unroll[0] }"
    "#]],
    );
    check(
        STENCIL,
        "jam S.0 2",
        expect![
            "since line 1 (`jam S.0 2`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 2] -> S[1, 1] : n = 4 }"
        ],
    );
    check(
        SUM,
        "jam P.1 2",
        expect![[r#"
        there is no loop inside: unroll it (line 1, column 1)
          jam P.1 2
          ^"#]],
    );
}

#[test]
fn marked_and_claimed() {
    check(
        STENCIL,
        "parallel S.1\nmark S.1 vector\npack @vector.0 A",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            mark: "vector"
            child:
              mark: "pack A"
              child:
                schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
                coincident: [ 1 ]
    "#]],
    );
    check(
        STENCIL,
        "parallel S.0",
        expect![
            "since line 1 (`parallel S.0`), the schedule runs a dependent pair in different iterations of a parallel loop: [n] -> { S[0, 1] -> S[1, 1] : n = 3 }"
        ],
    );
    check(
        MODEL,
        "atomic /0/1/0.1\nseparate S.0",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
              options: "{ separate[0] }"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                options: "{ atomic[0] }"
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        MODEL,
        "mark S inner\nmark R r",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
            child:
              mark: "r"
          - filter: "[n] -> { S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                child:
                  mark: "inner"
          - filter: "[n] -> { T[i, j] }"
            child:
              schedule: "[n] -> [{ T[i, j] -> [(i)] }]"
              child:
                schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
    "#]],
    );
    check(
        MODEL,
        "mark / root",
        expect![[r#"
        a mark stands above a node that is neither the root nor a filter (line 1, column 1)
          mark / root
          ^"#]],
    );
}

#[test]
fn what_is_wrong_is_shown() {
    check(
        MODEL,
        "fuse S T\nfuze S T",
        expect![[r#"
            unknown transformation `fuze`: there are start, relax, privatise, check, fuse, distribute, move, sink, interchange, permute, reverse, skew, shift, stripmine, tile, wavefront, pipeline, diamond, isolate, peel, split, unroll, jam, mark, pack, parallel, separate, atomic (line 2, column 1)
              fuze S T
              ^"#]],
    );
    check(
        MODEL,
        "tile S.0",
        expect![[r#"
        expected `tile LOOPS SIZE..` (line 1, column 9)
          tile S.0
                  ^"#]],
    );
    check(
        MODEL,
        "check S",
        expect![[r#"
        expected `check` (line 1, column 7)
          check S
                ^"#]],
    );
    check(
        MODEL,
        "tile S.0..1 32 x",
        expect![[r#"
        `x` is not an integer (line 1, column 16)
          tile S.0..1 32 x
                         ^"#]],
    );
    check(
        MODEL,
        "tile S.0..7 32",
        expect![[r#"
        `S` has only the loops 0 to 1 (line 1, column 6)
          tile S.0..7 32
               ^"#]],
    );
    check(
        MODEL,
        "tile S 32",
        expect![[r#"
        `S` names a node, not a loop: `S.0` is its outermost loop (line 1, column 6)
          tile S 32
               ^"#]],
    );
    check(
        MODEL,
        "tile S.x 32",
        expect![[r#"
        `.x` does not number loops: .0 is the outermost, .0..1 are two (line 1, column 6)
          tile S.x 32
               ^"#]],
    );
    check(
        MODEL,
        "  parallel U.0  # a comment",
        expect![[r#"
        there is no statement `U` (line 1, column 12)
            parallel U.0  # a comment
                     ^"#]],
    );
    check(
        MODEL,
        "parallel @m.0",
        expect![[r#"
        there is no mark `m` (line 1, column 10)
          parallel @m.0
                   ^"#]],
    );
    check(
        MODEL,
        "parallel /0/7.0",
        expect![[r#"
        there is no node `/0/7` (line 1, column 10)
          parallel /0/7.0
                   ^"#]],
    );
    check(
        MODEL,
        "shift S.0 i*j",
        expect![[r#"
        `i*j` is not an affine expression in S[i, j] and the parameters [n] (line 1, column 11)
          shift S.0 i*j
                    ^"#]],
    );
    check(
        MODEL,
        "check\nstart found",
        expect![[r#"
        `start` is the first line (line 2, column 1)
          start found
          ^"#]],
    );
    check(
        MODEL,
        "start lost",
        expect![[r#"
        expected `original` or `found` (line 1, column 7)
          start lost
                ^"#]],
    );
    check(
        MODEL,
        "diamond S.0..1 4 reach",
        expect![[r#"
        expected one number after `reach` (line 1, column 18)
          diamond S.0..1 4 reach
                           ^"#]],
    );
}

#[test]
fn an_illegal_step_is_named() {
    check(
        STENCIL,
        "mark S.0 time\nreverse @time.0\nparallel S.1\nshift S.0 n",
        expect![
            "since line 2 (`reverse @time.0`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 1] -> S[1, 1] : n = 3 }"
        ],
    );
    check(
        STENCIL,
        "reverse S.0\nreverse S.0",
        expect![[r#"
          schedule: "[n] -> [{ S[t, i] -> [(t)] }]"
          child:
            schedule: "[n] -> [{ S[t, i] -> [(i)] }]"
    "#]],
    );
    check(
        STENCIL,
        "reverse S.0\ncheck\nreverse S.0",
        expect![
            "since line 1 (`reverse S.0`), the schedule does not run the source of a dependence before its sink: [n] -> { S[0, 1] -> S[1, 1] : n = 3 }"
        ],
    );
    check(
        SUM,
        "reverse P.1",
        expect![
            "since line 1 (`reverse P.1`), the schedule does not run the source of a dependence before its sink: [n] -> { P[0, 0] -> P[0, 1] : n = 2 }"
        ],
    );
}

#[test]
fn scripts_go_on_from_what_was_found() {
    check(
        MODEL,
        "start found\nmark S.0 mine",
        expect![[r#"
          sequence:
          - filter: "[n] -> { R[] }"
          - filter: "[n] -> { S[i, j]; T[i, j] }"
            child:
              mark: "mine"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }]"
                permutable: 1
                coincident: [ 1 ]
                child:
                  mark: "vector"
                  child:
                    schedule: "[n] -> [{ S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
                    permutable: 1
                    coincident: [ 1 ]
                    child:
                      sequence:
                      - filter: "[n] -> { S[i, j] }"
                      - filter: "[n] -> { T[i, j] }"
    "#]],
    );
}
