//! The examples of the paper and some more, as text, by their depth, and by what they compute.
//!
//! Tests: 004 2, 3.1, 3.2, 3.3, 4.1, 4.2, 5.1, 5.2, 6, 7.1, 7.2, 7.3

use expect_test::{Expect, expect};

use super::input::Input;
use super::run::Runs;
use super::*;
use crate::scop;

/// Sizes that the examples run at.
const SIZES: std::ops::RangeInclusive<i64> = 0..=6;
/// Different inputs for each size.
const FILLS: u64 = 4;

fn model(text: &str) -> Scop {
    scop::read(text).unwrap_or_else(|e| panic!("{e}"))
}

/// The graphs keep their laws, and the three runs agree for all sizes: for each size, and the worst input, the operations of the program
/// and the depths of the graphs.
fn check(text: &str) -> Vec<(usize, usize, usize)> {
    let scop = model(text);
    let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}"));
    dataflow.verify().unwrap_or_else(|e| panic!("{e}"));
    let worst = |n: i64| {
        let mut worst = (0, 0, 0);
        for fill in 0..FILLS {
            let input = Input { params: vec![n], elements: input::Memory::new(), fill: Some(fill) };
            let runs = Runs::of(&dataflow, &input).unwrap_or_else(|e| panic!("{e} for n = {n}\n{scop}"));
            assert_eq!(runs.by_data.operations, runs.sequential.operations, "everything that runs is in the U-graph");
            assert!(runs.by_need.operations <= runs.by_data.operations);
            let (first, second) = (runs.by_need.depth, runs.by_data.depth);
            worst = (worst.0.max(runs.sequential.operations), worst.1.max(first), worst.2.max(second));
        }
        worst
    };
    SIZES.map(worst).collect()
}

fn shows(text: &str, expected_sources: Expect, expected_uses: Expect) {
    let scop = model(text);
    let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}"));
    expected_sources.assert_eq(&dataflow.s_graph());
    expected_uses.assert_eq(&dataflow.u_graph());
}

fn refuses(text: &str, expected: Expect) {
    let scop = model(text);
    let refusal = Dataflow::of(&scop).err().expect("a refusal");
    expected.assert_eq(&refusal.to_string());
}

const SUM: &str = "name: sum
context: [n] -> { : n >= 0 }
domain: [n] -> { Z[]; S[i] : 0 <= i < n }
schedule: { Z[] -> [0, 0]; S[i] -> [1, i] }
reads: { S[i] -> s[]; S[i] -> x[i] }
must_writes: { Z[] -> s[]; S[i] -> s[] }
compute: Z = 0; S = S_0 + S_1
";

const MAX: &str = "name: max
context: [n] -> { : n >= 0 }
domain: [n] -> { Z[]; P[i] : 0 <= i < n; S[i] : 0 <= i < n }
schedule: { Z[] -> [0, 0, 0]; P[i] -> [1, i, 0]; S[i] -> [1, i, 1] }
reads: { P[i] -> r[]; P[i] -> x[i]; S[i] -> x[i] }
must_writes: { Z[] -> r[]; P[i] -> p[i]; S[i] -> r[] }
when: { S[i] -> p[i] }
compute: Z = 0; P = P_0 < P_1; S = S_0
";

/// Sorts `n + 1` numbers.
const BUBBLE: &str = "name: bubble
context: [n] -> { : n >= 0 }
domain: [n] -> { P[i, j] : 0 <= i < n and 0 <= j < n - i; K[i, j] : 0 <= i < n and 0 <= j < n - i; L[i, j] : 0 <= i < n and 0 <= j < n - i; R[i, j] : 0 <= i < n and 0 <= j < n - i }
schedule: { P[i, j] -> [i, j, 0]; K[i, j] -> [i, j, 1]; L[i, j] -> [i, j, 2]; R[i, j] -> [i, j, 3] }
reads: { P[i, j] -> a[j]; P[i, j] -> a[j + 1]; K[i, j] -> a[j]; L[i, j] -> a[j + 1]; R[i, j] -> k[] }
must_writes: { P[i, j] -> p[i, j]; K[i, j] -> k[]; L[i, j] -> a[j]; R[i, j] -> a[j + 1] }
when: { K[i, j] -> p[i, j]; L[i, j] -> p[i, j]; R[i, j] -> p[i, j] }
compute: P = P_0 > P_1; K = K_0; L = L_0; R = R_0
";

#[test]
fn a_sum_is_a_chain() {
    let n_steps: Vec<_> = SIZES.map(|n| (n as usize, n as usize, n as usize)).collect();
    assert_eq!(check(SUM), n_steps);
    shows(
        SUM,
        expect![[r#"
        (node (S i)
          (dom "[n] -> { S[i] : 0 <= i < n }")
          (ports (S_0 f64 (i = 0 -> Z{} : S{i - 1}))
                 (S_1 f64 x_in{i}))
          (body (eval s f64 S_0 + S_1)))
        (node (Z)
          (dom "[n] -> { Z[] }")
          (ports)
          (body (eval s f64 0)))
        (node (x_in q0)
          (dom "[n] -> { x_in[q0] : 0 <= q0 < n }")
          (ports (x f64 IN))
          (body (eval x f64 x)))
        (node (s_out)
          (dom "[n] -> { s_out[] }")
          (ports (s f64 (n = 0 -> Z{} : S{n - 1})))
          (body (eval s f64 s OUT)))
    "#]],
        expect![[r#"
        (node (S i)
          (dom "[n] -> { S[i] : 0 <= i < n }")
          (ports (S_0 f64)
                 (S_1 f64))
          (body (eval s f64 S_0 + S_1 (& (n > i + 1 -> S.S_0{i + 1} : ⊥) (n = i + 1 -> s_out.s{} : ⊥)))))
        (node (Z)
          (dom "[n] -> { Z[] }")
          (ports (start i1))
          (body (eval s f64 0 (& (n > 0 -> S.S_0{0} : ⊥) (n = 0 -> s_out.s{} : ⊥)))))
        (node (x_in q0)
          (dom "[n] -> { x_in[q0] : 0 <= q0 < n }")
          (ports (x f64 IN))
          (body (eval x f64 x S.S_1{q0})))
        (node (s_out)
          (dom "[n] -> { s_out[] }")
          (ports (s f64))
          (body (eval s f64 s OUT)))
        (node (Start)
          (dom "[n] -> { Start[] }")
          (ports)
          (body (eval value i1 1 Z.start{})))
    "#]],
    );
}

#[test]
fn a_maximum_has_a_blender_and_filters() {
    let n_steps: Vec<_> = SIZES.map(|n| (n as usize, n as usize, n as usize)).collect();
    assert_eq!(check(MAX), n_steps);
    shows(
        MAX,
        expect![[r#"
        (node (P i)
          (dom "[n] -> { P[i] : 0 <= i < n }")
          (ports (P_0 f64 (i = 0 -> Z{} : B1{i - 1}))
                 (P_1 f64 x_in{i}))
          (body (eval p i1 P_0 < P_1)))
        (node (S i)
          (dom "[n] -> { S[i] : 0 <= i < n }" P^T{i})
          (ports (S_0 f64 x_in{i}))
          (body (eval r f64 S_0)))
        (node (Z)
          (dom "[n] -> { Z[] }")
          (ports)
          (body (eval r f64 0)))
        (node (x_in q0)
          (dom "[n] -> { x_in[q0] : 0 <= q0 < n }")
          (ports (x f64 IN))
          (body (eval x f64 x)))
        (node (r_out)
          (dom "[n] -> { r_out[] }")
          (ports (r f64 (n = 0 -> Z{} : B1{n - 1})))
          (body (eval r f64 r OUT)))
        (node (B1 i)
          (dom "[n] -> { B1[i] : 0 <= i < n }")
          (ports (r f64 (P{i} -> S{i} : (i = 0 -> Z{} : B1{i - 1}))))
          (body (eval r f64 r)))
    "#]],
        expect![[r#"
        (node (P i)
          (dom "[n] -> { P[i] : 0 <= i < n }")
          (ports (P_0 f64)
                 (P_1 f64))
          (body (eval p i1 P_0 < P_1 (& F1.if{i} F2.if{i}))))
        (node (S i)
          (dom "[n] -> { S[i] : 0 <= i < n }" P^T{i})
          (ports (S_0 f64))
          (body (eval r f64 S_0 B1.r{i})))
        (node (Z)
          (dom "[n] -> { Z[] }")
          (ports (start i1))
          (body (eval r f64 0 (& (n > 0 -> P.P_0{0} : ⊥) (n = 0 -> r_out.r{} : ⊥) (n > 0 -> F2.value{0} : ⊥)))))
        (node (x_in q0)
          (dom "[n] -> { x_in[q0] : 0 <= q0 < n }")
          (ports (x f64 IN))
          (body (eval x f64 x (& P.P_1{q0} F1.value{q0}))))
        (node (r_out)
          (dom "[n] -> { r_out[] }")
          (ports (r f64))
          (body (eval r f64 r OUT)))
        (node (B1 i)
          (dom "[n] -> { B1[i] : 0 <= i < n }")
          (ports (r f64))
          (body (eval r f64 r (& (n > i + 1 -> P.P_0{i + 1} : ⊥) (n = i + 1 -> r_out.r{} : ⊥) (n > i + 1 -> F2.value{i + 1} : ⊥)))))
        (node (Start)
          (dom "[n] -> { Start[] }")
          (ports)
          (body (eval value i1 1 Z.start{})))
        (node (F1 i)
          (dom "[n] -> { F1[i] : 0 <= i < n }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P{i} is true S.S_0{i})))
        (node (F2 i)
          (dom "[n] -> { F2[i] : n > 0 and 0 <= i < n }")
          (ports (value f64)
                 (if i1))
          (body (eval value f64 value when P{i} is false B1.r{i})))
    "#]],
    );
}

/// Sequentially n (n + 1) / 2 comparisons, as a graph 2 n - 1 steps (the paper says 2 n).
#[test]
fn bubble_sort_takes_linear_time() {
    let both = |n: i64| {
        let steps = (2 * n - 1).max(0) as usize;
        ((n * (n + 1) / 2) as usize, steps, steps)
    };
    assert_eq!(check(BUBBLE), SIZES.map(both).collect::<Vec<_>>());
}

/// Odd-even transposition sort of `n` numbers: the rounds are parallel.
#[test]
fn transposition_sort_takes_one_step_a_round() {
    let text = "context: [n] -> { : n >= 0 }
domain: [n] -> { P[t, i] : 0 <= t < n and 0 <= i < n - 1 and (t + i) mod 2 = 0; A[t, i] : 0 <= t < n and 0 <= i < n - 1 and (t + i) mod 2 = 0; B[t, i] : 0 <= t < n and 0 <= i < n - 1 and (t + i) mod 2 = 0; C[t, i] : 0 <= t < n and 0 <= i < n - 1 and (t + i) mod 2 = 0 }
schedule: { P[t, i] -> [t, i, 0]; A[t, i] -> [t, i, 1]; B[t, i] -> [t, i, 2]; C[t, i] -> [t, i, 3] }
reads: { P[t, i] -> a[i]; P[t, i] -> a[i + 1]; A[t, i] -> a[i]; B[t, i] -> a[i + 1]; C[t, i] -> k[] }
must_writes: { P[t, i] -> p[t, i]; A[t, i] -> k[]; B[t, i] -> a[i]; C[t, i] -> a[i + 1] }
when: { A[t, i] -> p[t, i]; B[t, i] -> p[t, i]; C[t, i] -> p[t, i] }
compute: P = P_0 > P_1; A = A_0; B = B_0; C = C_0
";
    let steps = check(text);
    for (n, (operations, by_need, by_data)) in SIZES.zip(steps) {
        let rounds = if n <= 2 { (n - 1).max(0) } else { n } as usize;
        assert_eq!((by_need, by_data), (rounds, rounds));
        assert_eq!(operations as i64, n * (n - 1) / 2);
    }
}

/// `if (x[i] > 0) { if (x[i] > t) t = x[i]; else u += x[i]; } else v = i;`
#[test]
fn conditions_nest() {
    check(
        "context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < n; Q[i] : 0 <= i < n; T[i] : 0 <= i < n; U[i] : 0 <= i < n; V[i] : 0 <= i < n }
schedule: { P[i] -> [i, 0]; Q[i] -> [i, 1]; T[i] -> [i, 2]; U[i] -> [i, 3]; V[i] -> [i, 4] }
reads: { P[i] -> x[i]; Q[i] -> x[i]; Q[i] -> t[]; T[i] -> x[i]; U[i] -> u[]; U[i] -> x[i] }
must_writes: { P[i] -> p[i]; Q[i] -> q[i]; T[i] -> t[]; U[i] -> u[]; V[i] -> v[] }
when: { Q[i] -> p[i]; T[i] -> p[i]; U[i] -> p[i]; T[i] -> q[i] }
unless: { U[i] -> q[i]; V[i] -> p[i] }
compute: P = P_0 > 0; Q = Q_1 > Q_0; T = T_0; U = U_0 + U_1; V = i
",
    );
}

/// `if (x[i] > best) { best = x[i]; at = i; }`, and afterwards `y = x[at]` is not affine but `best + at` is.
#[test]
fn one_condition_for_several_writes() {
    check(
        "context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < n; B[i] : 0 <= i < n; A[i] : 0 <= i < n; Y[] }
schedule: { P[i] -> [0, i, 0]; B[i] -> [0, i, 1]; A[i] -> [0, i, 2]; Y[] -> [1, 0, 0] }
reads: { P[i] -> x[i]; P[i] -> best[]; B[i] -> x[i]; Y[] -> at[]; Y[] -> best[] }
must_writes: { P[i] -> p[i]; B[i] -> best[]; A[i] -> at[]; Y[] -> y[] }
when: { B[i] -> p[i]; A[i] -> p[i] }
compute: P = P_0 < P_1; B = B_0; A = i; Y = Y_0 + Y_1
",
    );
}

/// `if (c[i] > 0) for (j) a[j] += b[i]; else a[i] = 0;`: the branches write different elements.
#[test]
fn loops_in_branches() {
    check(
        "context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < n; S[i, j] : 0 <= i < n and 0 <= j < n; Z[i] : 0 <= i < n }
schedule: { P[i] -> [i, 0, 0]; S[i, j] -> [i, 1, j]; Z[i] -> [i, 2, 0] }
reads: { P[i] -> c[i]; S[i, j] -> a[j]; S[i, j] -> b[i] }
must_writes: { P[i] -> p[i]; S[i, j] -> a[j]; Z[i] -> a[i] }
when: { S[i, j] -> p[i] }
unless: { Z[i] -> p[i] }
compute: P = P_0 > 0; S = S_0 + S_1; Z = 0
",
    );
}

/// A machine of two states: `if (on) { if (x[i] < 0) on = 0; } else if (x[i] > 0) { on = 1; starts += 1; }`
#[test]
fn a_condition_that_depends_on_the_last_one() {
    check("context: [n] -> { : n >= 0 }
domain: [n] -> { Z[]; P[i] : 0 <= i < n; Q[i] : 0 <= i < n; R[i] : 0 <= i < n; A[i] : 0 <= i < n; B[i] : 0 <= i < n; C[i] : 0 <= i < n }
schedule: { Z[] -> [0, 0, 0]; P[i] -> [1, i, 0]; Q[i] -> [1, i, 1]; A[i] -> [1, i, 2]; R[i] -> [1, i, 3]; B[i] -> [1, i, 4]; C[i] -> [1, i, 5] }
reads: { P[i] -> on[]; Q[i] -> x[i]; R[i] -> x[i]; C[i] -> starts[] }
must_writes: { Z[] -> on[]; P[i] -> p[i]; Q[i] -> q[i]; R[i] -> r[i]; A[i] -> on[]; B[i] -> on[]; C[i] -> starts[] }
when: { Q[i] -> p[i]; A[i] -> p[i]; A[i] -> q[i]; B[i] -> r[i]; C[i] -> r[i] }
unless: { R[i] -> p[i]; B[i] -> p[i]; C[i] -> p[i] }
compute: Z = 0; P = P_0; Q = Q_0 < 0; R = R_0 > 0; A = 0; B = 1; C = C_0 + 1
");
}

/// `if (d[i] + w[i, j] < d[j]) d[j] = d[i] + w[i, j]`, `n` times for all pairs.
#[test]
fn relaxation() {
    check("context: [n] -> { : n >= 0 }
domain: [n] -> { P[k, i, j] : 0 <= k < 2 and 0 <= i < n and 0 <= j < n; S[k, i, j] : 0 <= k < 2 and 0 <= i < n and 0 <= j < n }
schedule: { P[k, i, j] -> [k, i, j, 0]; S[k, i, j] -> [k, i, j, 1] }
reads: { P[k, i, j] -> d[i]; P[k, i, j] -> w[i, j]; P[k, i, j] -> e[j]; P[k, i, j] -> d[j]; S[k, i, j] -> d[i]; S[k, i, j] -> w[i, j] }
must_writes: { P[k, i, j] -> p[k, i, j]; S[k, i, j] -> d[j] }
when: { S[k, i, j] -> p[k, i, j] }
compute: P = P_0 + P_3 < P_1 + P_2; S = S_0 + S_1
");
}

/// `if (x[i] > 0) a[i / 2] = x[i]; else if (i is odd) b[i / 2] = a[i / 2];`: divisions in the trees.
#[test]
fn halves_of_indices() {
    let text = "context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < n; S[i] : 0 <= i < n; T[i] : 0 <= i < n and i mod 2 = 1 }
schedule: { P[i] -> [i, 0]; S[i] -> [i, 1]; T[i] -> [i, 2] }
reads: { P[i] -> x[i]; S[i] -> x[i]; T[i] -> a[floor(i / 2)] }
must_writes: { P[i] -> p[i]; S[i] -> a[floor(i / 2)]; T[i] -> b[floor(i / 2)] }
when: { S[i] -> p[i] }
unless: { T[i] -> p[i] }
compute: P = P_0 > 0; S = S_0; T = T_0
";
    check(text);
    let scop = model(text);
    expect![[r#"
        do i
          a{q0} = (n > 0 -> (n > 2 q0 -> (2 q0 + 3 > n -> B1{n - 1} : (q0 + 1 > 0 -> B1{2 q0 + 1} : ⊥)) : ⊥) : ⊥)
          b{q0} = (n > 2 q0 + 1 -> (q0 + 1 > 0 -> B2{2 q0 + 1} : ⊥) : ⊥)
          sequence
            a{q0} = (i + 1 > 2 q0 -> (2 q0 + 2 > i -> B1{i} : ⊥) : ⊥)
            b{q0} = (i = 2 q0 + 1 -> B2{i} : ⊥)
            P
            if P
              a{q0} = (i + 1 > 2 q0 -> (2 q0 + 2 > i -> B1{i} : ⊥) : ⊥)
              b{q0} = (i = 2 q0 + 1 -> B2{i} : ⊥)
              S
                a{q0} = (i + 1 > 2 q0 -> (2 q0 + 2 > i -> S{i} : ⊥) : ⊥)
              T
                b{q0} = (i = 2 q0 + 1 -> T{i} : ⊥)
    "#]]
    .assert_eq(&positions::text(&scop, positions::Told::Effects).expect("an exact model"));
}

/// A condition of an outer iteration in an inner loop beside what does not depend on it.
#[test]
fn a_condition_from_further_out() {
    check(
        "context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < n; S[i, j] : 0 <= i < n and 0 <= j <= i; T[i, j] : 0 <= i < n and 0 <= j <= i }
schedule: { P[i] -> [i, 0, 0, 0]; S[i, j] -> [i, 1, j, 0]; T[i, j] -> [i, 1, j, 1] }
reads: { P[i] -> a[i]; S[i, j] -> a[j]; T[i, j] -> a[i - j]; T[i, j] -> s[] }
must_writes: { P[i] -> p[i]; S[i, j] -> s[]; T[i, j] -> a[j] }
when: { T[i, j] -> p[i] }
compute: P = P_0 % 2 == 0; S = S_0 + j; T = T_0 + T_1
",
    );
}

/// `while (i < n && !found) { if (x[i] > 60) { at = i; found = 1; } i++; }` as a loop to `n` with a flag.
#[test]
fn a_search_ends_early() {
    check(
        "context: [n] -> { : n >= 0 }
domain: [n] -> { Z[]; P[i] : 0 <= i < n; Q[i] : 0 <= i < n; A[i] : 0 <= i < n; F[i] : 0 <= i < n }
schedule: { Z[] -> [0, 0, 0]; P[i] -> [1, i, 0]; Q[i] -> [1, i, 1]; A[i] -> [1, i, 2]; F[i] -> [1, i, 3] }
reads: { P[i] -> found[]; Q[i] -> x[i] }
must_writes: { Z[] -> found[]; P[i] -> p[i]; Q[i] -> q[i]; A[i] -> at[]; F[i] -> found[] }
when: { Q[i] -> p[i]; A[i] -> p[i]; A[i] -> q[i]; F[i] -> p[i]; F[i] -> q[i] }
compute: Z = 0; P = P_0 == 0; Q = Q_0 > 60; A = i; F = 1
",
    );
}

/// Insertion sort by exchanges: the inner loops of all elements overlap, as in bubble sort.
#[test]
fn insertion_sort_takes_linear_time() {
    let steps = check("context: [n] -> { : n >= 0 }
domain: [n] -> { P[i, j] : 1 <= i < n and 0 <= j < i; K[i, j] : 1 <= i < n and 0 <= j < i; L[i, j] : 1 <= i < n and 0 <= j < i; R[i, j] : 1 <= i < n and 0 <= j < i }
schedule: { P[i, j] -> [i, j, 0]; K[i, j] -> [i, j, 1]; L[i, j] -> [i, j, 2]; R[i, j] -> [i, j, 3] }
reads: { P[i, j] -> a[i - j - 1]; P[i, j] -> a[i - j]; K[i, j] -> a[i - j]; L[i, j] -> a[i - j - 1]; R[i, j] -> k[] }
must_writes: { P[i, j] -> p[i, j]; K[i, j] -> k[]; L[i, j] -> a[i - j]; R[i, j] -> a[i - j - 1] }
when: { K[i, j] -> p[i, j]; L[i, j] -> p[i, j]; R[i, j] -> p[i, j] }
compute: P = P_0 > P_1; K = K_0; L = L_0; R = R_0
");
    for (n, (operations, by_need, by_data)) in SIZES.zip(steps) {
        let steps = (2 * n - 3).max(0) as usize;
        assert_eq!((operations as i64, by_need, by_data), (n * (n - 1) / 2, steps, steps));
    }
}

/// `for (i = n - 1; i > 0; i--) if (a[i] > a[(i - 1) / 2]) exchange them`: the largest comes to the top of a heap.
#[test]
fn a_heap_finds_its_top() {
    check(
        "context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 1 <= i < n; K[i] : 1 <= i < n; L[i] : 1 <= i < n; R[i] : 1 <= i < n }
schedule: { P[i] -> [-i, 0]; K[i] -> [-i, 1]; L[i] -> [-i, 2]; R[i] -> [-i, 3] }
reads: { P[i] -> a[i]; P[i] -> a[floor((i - 1) / 2)]; K[i] -> a[i]; L[i] -> a[floor((i - 1) / 2)]; R[i] -> k[] }
must_writes: { P[i] -> p[i]; K[i] -> k[]; L[i] -> a[i]; R[i] -> a[floor((i - 1) / 2)] }
when: { K[i] -> p[i]; L[i] -> p[i]; R[i] -> p[i] }
compute: P = P_0 > P_1; K = K_0; L = L_0; R = R_0
",
    );
}

/// `t` is written under one condition, asked about by the next, and written under that: blenders of blenders, strides, two sizes.
#[test]
fn a_condition_on_what_another_one_wrote() {
    check("context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < 2n and i mod 3 = 0; A[i, j] : 0 <= i < 2n and i mod 3 = 0 and 0 <= j < n and j mod 2 = 0; Q[i] : 0 <= i < 2n and i mod 3 = 0; B[i] : 0 <= i < 2n and i mod 3 = 0; C[i] : 0 <= i < 2n and i mod 3 = 0 }
schedule: { P[i] -> [i, 0, 0]; A[i, j] -> [i, 1, j]; Q[i] -> [i, 2, 0]; B[i] -> [i, 3, 0]; C[i] -> [i, 4, 0] }
reads: { P[i] -> a[i]; A[i, j] -> a[j + 1]; A[i, j] -> t[]; Q[i] -> t[]; B[i] -> t[]; C[i] -> a[0]; C[i] -> t[] }
must_writes: { P[i] -> p[i]; A[i, j] -> t[]; Q[i] -> q[i]; B[i] -> t[]; C[i] -> a[i + 1] }
when: { A[i, j] -> p[i]; B[i] -> q[i] }
unless: { C[i] -> p[i] }
compute: P = P_0 % 2 == 0; A = A_0 + A_1; Q = Q_0 > 0; B = B_0 - 7; C = C_0 + C_1
");
}

#[test]
fn what_is_not_exact_is_refused() {
    refuses(
        &MAX.replace("P[i] : 0 <= i < n;", "P[i] : 0 <= i;"),
        expect!["P has infinitely many instances; give its loops bounds, and a condition to end early"],
    );
    refuses(
        &MAX.replace(
            "must_writes: { Z[] -> r[]; P[i] -> p[i]; S[i] -> r[] }",
            "must_writes: { Z[] -> r[]; P[i] -> p[i] }\nmay_writes: { S[i] -> r[] }",
        ),
        expect![
            "S_1 may write or not, or any of several elements; say under which condition (`when`, `unless`) its statement runs, and which element it writes, and make it a `write`"
        ],
    );
    refuses(
        &MAX.replace("S[i] -> p[i]", "S[i] -> p[0]"),
        expect!["S runs under the value of P, which is not computed earlier in an iteration around it"],
    );
    refuses(
        &MAX.replace(
            "schedule: { Z[] -> [0, 0, 0]; P[i] -> [1, i, 0]; S[i] -> [1, i, 1] }",
            "schedule: { Z[] -> [0, 0, 0]; P[i] -> [1, i, 1]; S[i] -> [1, i, 0] }",
        ),
        expect!["S runs under the value of P, which is not computed earlier in an iteration around it"],
    );
    refuses(
        &SUM.replace("S[i] -> [1, i]", "S[i] -> [1, 0]"),
        expect!["the schedule leaves the order of instances of S open; add a band or a sequence"],
    );
    refuses(
        &SUM.replace("S[i] -> x[i] }", "S[i] -> x[j] : 0 <= j <= i }"),
        expect!["S_1 reads too many elements at once, or one that data chooses; make it several reads"],
    );
}

/// A read of several elements is several ports, and statements at different times need no order.
#[test]
fn a_stencil_has_a_port_for_each_neighbour() {
    let text = "domain: [n] -> { A[i] : 0 < i < n; B[] }
schedule: { A[i] -> [i]; B[] -> [0] }
reads: [n] -> { A[i] -> a[j] : i - 1 <= j <= i + 1 }
must_writes: { A[i] -> a[i]; B[] -> a[0] }
";
    let scop = model(text);
    let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}"));
    dataflow.verify().unwrap_or_else(|e| panic!("{e}"));
    let sources: Vec<String> = dataflow.sources[0].iter().map(ToString::to_string).collect();
    assert_eq!(sources, ["(i = 1 -> B{} : A{i - 1})", "a_in{i}", "a_in{i + 1}"]);
    assert!(dataflow.json().to_string().contains("A_0.2") && dataflow.drawing().dot().contains("A_0.2"));
}
