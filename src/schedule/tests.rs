//! Whole models: what is found, and that it is legal by [`super::check`] and by brute force.
//!
//! Tests: 002 5.6.3

use crate::presburger::DimKind;
use crate::property::property;
use crate::schedule::*;
use crate::scop;
use crate::scop::ReductionOperator;
use arbtest::arbitrary::{Result, Unstructured};
use expect_test::{Expect, expect};

fn model(text: &str) -> (Scop, Dependences) {
    let scop = scop::pm::parse(text).expect("law: a test's model is well-formed");
    let dependences = Dependences::of(&scop);
    (scop, dependences)
}

fn check(text: &str, expected: Expect) -> Schedule {
    let (scop, dependences) = model(text);
    let schedule = Schedule::of(&scop, &dependences, &Options::default());
    schedule.check(&scop, &dependences).expect("law: what is found is legal");
    let done: Vec<String> = schedule.description.iter().map(ToString::to_string).collect();
    expected.assert_eq(&done.join("\n"));
    schedule
}

const GEMM: &str = "
domain: [n] -> { S[i, j] : 0 <= i, j < n; T[i, j, k] : 0 <= i, j, k < n }
schedule: [n] -> { S[i, j] -> [i, j, 0, 0]; T[i, j, k] -> [i, j, 1, k] }
reads: [n] -> { T[i, j, k] -> C[i, j]; T[i, j, k] -> A[i, k]; T[i, j, k] -> B[k, j] }
must_writes: [n] -> { S[i, j] -> C[i, j]; T[i, j, k] -> C[i, j] }
";

#[test]
fn a_matrix_product_is_tiled_parallel_and_vectorised() {
    let schedule = check(
        GEMM,
        expect![[r#"
            {S}: loops i, j; i on all cores; j in vectors
            {T}: loops i, j, k tiled 32x256x64; i on all cores; j in vectors; 4x4 in registers"#]],
    );
    assert!(schedule.is_parallel && schedule.is_tiled);
}

const LARGEST: &str = "
name: largest
params: [ n ]
context: '[n] -> { : n >= 1 }'
assumed: '[n] -> { : }'
arrays:
- { name: x, element: f64, size_bytes: 8, shape: [ '' ], live_out: true }
- { name: m, element: f64, size_bytes: 8, kind: scalar, live_out: true }
statements:
- name: S
  domain: '[n] -> { S[i] : 0 <= i < n }'
  operations: 2
  seldom_replaces: true
  accesses:
  - { id: S_0, read: '{ S[i] -> x[i] }' }
  - { id: S_1, read: '{ S[i] -> m[] }', reduction: argmax }
  - { id: S_2, write: '{ S[i] -> m[] }', reduction: argmax }
schedule:
  domain: '[n] -> { S[i] : 0 <= i < n }'
  child: { schedule: '[{ S[i] -> [(i)] }]' }
";

#[test]
fn the_best_so_far_is_asked_for_in_vectors_and_replaced_in_order() {
    let found = |text: &str| {
        let scop = scop::parse(text).expect("law: a test's model is well-formed");
        let dependences = Dependences::of(&scop);
        let options = Options { parallelism: Parallelism::OneThread, ..Options::default() };
        let schedule = Schedule::of(&scop, &dependences, &options);
        schedule.check(&scop, &dependences).expect("law: what is found is legal");
        (schedule.gains_over(&scop), schedule.tree.to_string().contains("coincident"), schedule)
    };
    let (gains, has_coincident, schedule) = found(LARGEST);
    assert!(gains && !has_coincident && !schedule.is_parallel);
    let told: Vec<String> = schedule.description.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["{S}: loop i; i in vectors, until the best so far is replaced"]);
    assert!(schedule.pays.alone.is_some_and(|enough| enough.operations > 0), "short loops are not asked");
    assert!(!found(&LARGEST.replace("  seldom_replaces: true\n", "")).0);
}

const ROWS: &str = "
name: rows
params: [ t, n ]
context: '[t, n] -> { : }'
assumed: '[t, n] -> { : }'
arrays:
- { name: a, element: i32, size_bytes: 4, shape: [ '' ], live_out: true }
statements:
- name: S
  domain: '[t, n] -> { S[k, i] : 0 <= k < t and 0 < i < n }'
  operations: 16
  branches: true
  accesses:
  - { id: S_0, read: '{ S[k, i] -> a[i - 1] }' }
  - { id: S_1, read: '{ S[k, i] -> a[i] }' }
  - { id: S_2, read: '{ S[k, i] -> a[i + 1] }' }
  - { id: S_3, write: '{ S[k, i] -> a[i] }' }
schedule:
  domain: '[t, n] -> { S[k, i] : 0 <= k < t and 0 < i < n }'
  child: { schedule: '[{ S[k, i] -> [(k)] }]', child: { schedule: '[{ S[k, i] -> [(i)] }]' } }
";

#[test]
fn pieces_of_rows_that_branch_need_many_cores() {
    let found = |text: &str, cores: i64| {
        let scop = scop::parse(text).expect("law: a test's model is well-formed");
        let dependences = Dependences::of(&scop);
        let default = Options::default();
        let options = Options { machine: Machine { cores, ..default.machine }, ..default };
        let schedule = Schedule::of(&scop, &dependences, &options);
        schedule.check(&scop, &dependences).expect("law: what is found is legal");
        let told: Vec<String> = schedule.description.iter().map(ToString::to_string).collect();
        (schedule.gains_over(&scop), schedule.slower().is_some(), told)
    };
    let wave = ["{S}: loops k, k + i tiled 32x256; tiles of a diagonal on all cores"];
    let without = ROWS.replace("  branches: true\n", "");
    assert_eq!(found(&without, 2), (true, false, wave.map(String::from).to_vec()));
    assert_eq!(found(ROWS, 16), (true, false, wave.map(String::from).to_vec()));
    let (gains, is_slower, _) = found(ROWS, 2);
    assert!(!gains && is_slower);
}

#[test]
fn loops_to_the_end_of_what_a_number_can_be_are_long_loops() {
    let (least, most) = (i64::MIN, i64::MAX);
    for bounds in [
        format!("lo <= i < {most} and 0 <= j < 32"),
        format!("{least} <= i < {most} and {least} <= j < hi"),
        format!("lo <= i < {most} and lo <= j <= i"),
        format!("{least} <= i < {most} and {} <= j < {most}", most - 300),
        format!("0 <= i < {most} and 0 <= j < {most}"),
    ] {
        let (scop, dependences) = model(&format!(
            "domain: [lo, hi] -> {{ S[i, j] : {bounds} }}
schedule: [lo, hi] -> {{ S[i, j] -> [i, j] }}
reads: [lo, hi] -> {{ S[i, j] -> A[j]; S[i, j] -> B[i, j] }}
must_writes: [lo, hi] -> {{ S[i, j] -> B[i, j] }}"
        ));
        let schedule = Schedule::of(&scop, &dependences, &Options::default());
        schedule.check(&scop, &dependences).expect("law: what is found is legal");
        schedule.gains_over(&scop);
    }
}

const SEIDEL: &str = "
domain: [t, n] -> { S[k, i, j] : 0 <= k < t and 0 < i, j < n - 1 }
schedule: [t, n] -> { S[k, i, j] -> [k, i, j] }
reads: [t, n] -> { S[k, i, j] -> A[a, b] : i - 1 <= a <= i + 1 and j - 1 <= b <= j + 1 }
must_writes: [t, n] -> { S[k, i, j] -> A[i, j] }
";

#[test]
fn a_stencil_in_place_runs_as_a_wavefront_of_skewed_tiles() {
    check(SEIDEL, expect!["{S}: loops k, k + i, 2*k + i + j tiled 32x32x32; tiles of a diagonal on all cores"]);
}

const JACOBI: &str = "
domain: [t, n] -> { S[k, i] : 0 <= k < t and 0 < i < n - 1; T[k, i] : 0 <= k < t and 0 < i < n - 1 }
schedule: [t, n] -> { S[k, i] -> [k, 0, i]; T[k, i] -> [k, 1, i] }
reads: [t, n] -> { S[k, i] -> A[a] : i - 1 <= a <= i + 1; T[k, i] -> B[a] : i - 1 <= a <= i + 1 }
must_writes: [t, n] -> { S[k, i] -> B[i]; T[k, i] -> A[i] }
";

#[test]
fn a_stencil_with_two_arrays_keeps_its_vector_loops() {
    check(
        JACOBI,
        expect![
            "{S, T}: loops k, 2*k + i + 1 in diamonds of 2048; each wave of them on all cores; 2*k + i + 1 in vectors"
        ],
    );
}

const LU: &str = "
domain: [n] -> { S[k, i] : 0 <= k < i < n; T[k, i, j] : 0 <= k < i < n and k < j < n }
schedule: [n] -> { S[k, i] -> [k, i, 0, 0]; T[k, i, j] -> [k, i, 1, j] }
reads: [n] -> { S[k, i] -> A[i, k]; S[k, i] -> A[k, k]; T[k, i, j] -> A[i, j]; T[k, i, j] -> A[i, k]; T[k, i, j] -> A[k, j] }
must_writes: [n] -> { S[k, i] -> A[i, k]; T[k, i, j] -> A[i, j] }
";

#[test]
fn an_elimination_has_one_band_of_three() {
    check(
        LU,
        expect![
            "{S, T}: loops k, i, j tiled 32x32x256; tiles of a diagonal on all cores; j in vectors; 4x4 in registers"
        ],
    );
}

const SHORTEST_PATHS: &str = "
domain: [n] -> { S[k, i, j] : 0 <= k, i, j < n }
schedule: [n] -> { S[k, i, j] -> [k, i, j] }
reads: [n] -> { S[k, i, j] -> P[i, j]; S[k, i, j] -> P[i, k]; S[k, i, j] -> P[k, j] }
must_writes: [n] -> { S[k, i, j] -> P[i, j] }
";

#[test]
fn shortest_paths_are_split_where_a_row_is_written_that_all_read() {
    let schedule = check(
        SHORTEST_PATHS,
        expect![[r#"
            S split at k = i, k = j
            {S/0, S/1, S/2, S/3, S/4, S/5, S/6, S/7, S/8}: loop k
            {S/8}: loops i, j; i on all cores; j in vectors
            {S/5}: loop j; j on all cores; j in vectors
            {S/2}: loops i, j; i on all cores; j in vectors
            {S/7}: loop i; i on all cores
            {S/1}: loop i; i on all cores
            {S/6}: loops i, j; i on all cores; j in vectors
            {S/3}: loop j; j on all cores; j in vectors
            {S/0}: loops i, j; i on all cores; j in vectors"#]],
    );
    let order = schedule.tree.to_map();
    let (scop, _) = model(SHORTEST_PATHS);
    assert!(order.is_single_valued() && order.domain().is_equal(&scop.schedule.domain()));
}

#[test]
fn in_the_order_of_the_program_the_outermost_free_loops_are_parallel() {
    let (scop, dependences) = model(
        "
domain: [n, m] -> { S[t, i] : 0 <= t < m and 0 <= i < n; T[i, j] : 0 <= i, j < n }
schedule: [n, m] -> { S[t, i] -> [0, t, i]; T[i, j] -> [1, i, j] }
reads: [n, m] -> { S[t, i] -> A[i]; T[i, j] -> B[i] }
must_writes: [n, m] -> { S[t, i] -> A[i]; T[i, j] -> B[i] }
",
    );
    let schedule = Schedule::in_order(&scop, &dependences, &[]);
    assert!(schedule.check(&scop, &dependences).is_ok() && schedule.gains_over(&scop));
    assert!(schedule.sequential_statements(&scop).is_empty());
    assert!(schedule.tree.to_map().is_equal(&scop.schedule.to_map()));
}

/// The program's order with parallel loops, what was done, and what it is.
fn in_order(text: &str) -> (Schedule, Vec<String>) {
    let (scop, dependences) = model(text);
    let schedule = Schedule::in_order(&scop, &dependences, &[]);
    assert!(schedule.check(&scop, &dependences).is_ok(), "{schedule}");
    let order = schedule.tree.to_map();
    let outermost = |map: &Map| {
        let text = map.project_out(DimKind::Out, 1, map.dim(DimKind::Out) - 1).to_string();
        text.split(" :").next().unwrap_or_default().to_string()
    };
    let outermost = order.maps().map(outermost).collect();
    (schedule, outermost)
}

#[test]
fn a_parallel_loop_is_moved_out_of_what_runs_in_order_if_it_is_not_innermost() {
    let sweep = "
domain: [n] -> { S[i, j, k] : 0 < i < n and 0 <= j, k < n; T[i, j, k, m] : 0 < i < n and 0 <= j, k < n and 0 <= m < 5 }
schedule: [n] -> { S[i, j, k] -> [i, 0, j, k, 0]; T[i, j, k, m] -> [i, 1, j, k, m] }
reads: [n] -> { S[i, j, k] -> A[i - 1, j, k]; T[i, j, k, m] -> A[i, j, k] }
must_writes: [n] -> { S[i, j, k] -> B[i, j, k]; T[i, j, k, m] -> A[i, j, k] }
";
    let (schedule, outermost) = in_order(sweep);
    assert_eq!(schedule.description, [Transformation::Outward(vec!["j".into()])]);
    assert_eq!(outermost, ["[n] -> { S[i, j, k] -> [j]", "[n] -> { T[i, j, k, m] -> [j]"]);
    let (schedule, _) = in_order(&sweep.replace("A[i - 1, j, k]", "A[i - 1, j - 1, k]"));
    assert_eq!(schedule.description, [Transformation::InOrder], "what is read was written by another iteration");
    let (schedule, _) = in_order(
        "
domain: [n] -> { S[i, j] : 0 < i < n and 0 <= j < n }
schedule: [n] -> { S[i, j] -> [i, j] }
reads: [n] -> { S[i, j] -> A[i - 1, j] }
must_writes: [n] -> { S[i, j] -> A[i, j] }
",
    );
    assert_eq!(schedule.description, [Transformation::InOrder], "lines are along the innermost loop");
}

#[test]
fn two_loops_that_go_forward_are_a_pipeline() {
    let relaxed = "
domain: [n, m] -> { S[i, j, k] : 0 < i < n and 0 < j < m and 0 < k <= 64 }
schedule: [n, m] -> { S[i, j, k] -> [i, j, k] }
reads: [n, m] -> { S[i, j, k] -> A[i - 1, j, k]; S[i, j, k] -> A[i, j - 1, k]; S[i, j, k] -> A[i, j, k - 1] }
must_writes: [n, m] -> { S[i, j, k] -> A[i, j, k] }
";
    let schedule = check(relaxed, expect!["{S}: loops i, j, k; i on all cores as a pipeline, in steps of 16 of j"]);
    assert!(schedule.is_parallel && schedule.tree.root().has_parallel());
    let told = |text: &str| in_order(text).0.description.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told(relaxed), ["{S}: loops i, j; i on all cores as a pipeline, in steps of 16 of j"]);
    assert!(in_order(relaxed).0.sequential_statements(&model(relaxed).0).is_empty());
    let refused = [
        ("A[i - 1, j, k]", "A[i - 1, j + 1, k]", "a distance goes back along j"),
        ("0 < j < m", "0 < j < m and j < i", "threads have other pieces in other steps"),
        ("j < m", "j < 5", "the last thread waits through most steps"),
        ("k <= 64", "k <= 16", "rows are too short for steps of them"),
    ];
    for (here, there, why) in refused {
        assert!(!told(&relaxed.replace(here, there)).concat().contains("pipeline"), "{why}");
    }
    let parallel = told(&relaxed.replace("A[i, j - 1, k]", "B[i, j, k]"));
    assert!(!parallel.concat().contains("pipeline"), "j is parallel as it is: {parallel:?}");
}

#[test]
fn what_an_iteration_does_in_itself_stays_in_a_pipeline() {
    let blocks = "
domain: [n] -> { S[i, j, k] : 0 < i, j < n and 0 <= k < 50; T[i, j] : 0 < i, j < n }
schedule: [n] -> { S[i, j, k] -> [i, j, 0, k]; T[i, j] -> [i, j, 1, 0] }
reads: [n] -> { S[i, j, k] -> A[i - 1, j, k]; S[i, j, k] -> A[i, j - 1, 49 - k]; T[i, j] -> A[i, j, 2] }
must_writes: [n] -> { S[i, j, k] -> A[i, j, k]; T[i, j] -> A[i, j, 4] }
";
    let (schedule, _) = in_order(blocks);
    let told = "{S, T}: loops i, j; i on all cores as a pipeline, in steps of 20 of j";
    assert_eq!(schedule.description.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
}

/// A sum beside what goes forward: the pairs of its updates go back, but for threads that have copies of it.
#[test]
fn there_is_no_pipeline_around_copies() {
    let summed = "
domain: [n, m] -> { S[i, j, k] : 0 < i < n and 0 < j < m and 0 < k <= 64; T[i, j, k] : 0 < i < n and 0 < j < m and 0 < k <= 64 }
schedule: [n, m] -> { S[i, j, k] -> [i, j, k, 0]; T[i, j, k] -> [i, j, k, 1] }
reads: [n, m] -> { S[i, j, k] -> A[i - 1, j, k]; S[i, j, k] -> A[i, j - 1, k]; S[i, j, k] -> A[i, j, k - 1]; T[i, j, k] -> A[i, j, k]; T[i, j, k] -> s[] }
must_writes: [n, m] -> { S[i, j, k] -> A[i, j, k]; T[i, j, k] -> s[] }
";
    let (mut scop, _) = model(summed);
    let accesses = scop.statements.iter_mut().flat_map(|statement| &mut statement.accesses);
    accesses
        .filter(|access| access.array.as_str() == "s")
        .for_each(|access| access.reduction = Some(ReductionOperator::Add));
    let dependences = Dependences::of(&scop);
    assert!(!dependences.reduction.is_empty(), "the updates of s are a reduction");
    for privatised in [vec![], vec![Id::new("s")]] {
        let schedule = Schedule::of(&scop, &dependences, &Options { privatised, ..Options::default() });
        assert!(schedule.check(&scop, &dependences).is_ok(), "{schedule}");
        for each in schedule.description.iter().map(ToString::to_string) {
            assert!(!each.contains("pipeline") || !each.contains('T'), "{each}");
        }
    }
}

#[test]
fn relatives_of_the_matrix_product_are_contractions() {
    let accesses = [
        ("C[i, j]", "A[i, k]", "B[k, j]", "pack B A"),
        ("C[i, j]", "A[k, i]", "B[k, j]", "pack B A"),
        ("C[k, i, j]", "A[k, i]", "B[k, j]", ""),
        ("C[i, j]", "A[i, k]", "B[i, j]", ""),
    ];
    for (sum, a, b, expected) in accesses {
        let text = format!(
            "domain: [n] -> {{ T[i, j, k] : 0 <= i, j, k < n }}\nschedule: [n] -> {{ T[i, j, k] -> [i, j, k] }}\n\
             reads: [n] -> {{ T[i, j, k] -> {sum}; T[i, j, k] -> {a}; T[i, j, k] -> {b} }}\nmust_writes: [n] -> {{ T[i, j, k] -> {sum} }}\n"
        );
        let (scop, dependences) = model(&text);
        let tree = Schedule::of(&scop, &dependences, &Options::default()).tree.to_string();
        let marks: Vec<&str> =
            tree.lines().filter(|l| l.contains("mark: ") && !l.contains("vector")).map(str::trim).collect();
        let words = if expected.is_empty() { vec![] } else { vec![format!("mark: \"{expected}\"")] };
        assert_eq!(marks, words, "{sum} += {a} * {b}");
    }
}

/// `for i: for j { A0[i][j] = A0[i - 1][j]; A1[i][j] = A1[i - 1][j] + A0[i][j]; ... }` with so many statements.
fn recurrences(count: usize) -> String {
    let each = |what: &dyn Fn(usize) -> String| (0..count).map(what).collect::<Vec<_>>().join("; ");
    let before = |s: usize| s.checked_sub(1).map_or(String::new(), |b| format!("; S{s}[i, j] -> A{b}[i, j]"));
    let domain = each(&|s| format!("S{s}[i, j] : 0 < i < n and 0 <= j < n"));
    let schedule = each(&|s| format!("S{s}[i, j] -> [i, j, {s}]"));
    let reads = each(&|s| format!("S{s}[i, j] -> A{s}[i - 1, j]{}", before(s)));
    let writes = each(&|s| format!("S{s}[i, j] -> A{s}[i, j]"));
    let of_n = |what: String| format!("[n] -> {{ {what} }}");
    format!(
        "domain: {}\nschedule: {}\nreads: {}\nmust_writes: {}\n",
        of_n(domain),
        of_n(schedule),
        of_n(reads),
        of_n(writes)
    )
}

#[test]
fn a_body_of_many_statements_stays_one() {
    let schedule = check(
        &recurrences(14),
        expect![
            "{S0, S1, S10, S11, S12, S13, S2, S3, S4, S5, S6, S7, S8, S9}: loops j, i in strips of 512; j on all cores; j in vectors"
        ],
    );
    assert!(schedule.is_parallel);
}

/// One to four statements, one to three loops deep, that share none, one or more loops.
fn random_model(u: &mut Unstructured<'_>) -> Result<String> {
    const NAMES: [&str; 3] = ["i", "j", "k"];
    let depths: Vec<usize> = (0..u.int_in_range(1..=4)?).map(|_| u.int_in_range(1..=3)).collect::<Result<_>>()?;
    let shared = u.int_in_range(0..=*depths.iter().min().expect("law: at least one"))?;
    let mut parts = [const { Vec::<String>::new() }; 4];
    for (number, depth) in depths.iter().enumerate() {
        let names = &NAMES[..*depth];
        let instance = format!("S{number}[{}]", names.join(", "));
        let mut bounds = format!("0 <= {} < n", names.join(", "));
        if *depth > 1 {
            bounds.push_str(u.choose(&["", "", " and j <= i", " and i < j", " and i + j < n"])?);
        }
        let subscript = |u: &mut Unstructured<'_>| -> Result<String> {
            let name = *u.choose(names)?;
            Ok(match u.int_in_range(0..=7)? {
                0 => "0".to_string(),
                1 => format!("{name} - 1"),
                2 => format!("{name} + 1"),
                3 => format!("{name} + {}", u.choose(names)?),
                4 => format!("n - {name}"),
                _ => name.to_string(),
            })
        };
        let access = |u: &mut Unstructured<'_>| -> Result<String> {
            let array = *u.choose(&["A", "B"])?;
            let subscripts = if array == "A" { vec![subscript(u)?, subscript(u)?] } else { vec![subscript(u)?] };
            Ok(format!("{instance} -> {array}[{}]", subscripts.join(", ")))
        };
        let mut date: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        date.insert(shared, number.to_string());
        date.resize(4, "0".to_string());
        parts[0].push(format!("{instance} : {bounds}"));
        parts[1].push(format!("{instance} -> [{}]", date.join(", ")));
        for _ in 0..u.int_in_range(1..=3)? {
            parts[2].push(access(u)?);
        }
        parts[3].push(access(u)?);
    }
    let keys = ["domain", "schedule", "reads", "must_writes"];
    let line = |(key, part): (&str, &Vec<String>)| format!("{key}: [n] -> {{ {} }}", part.join("; "));
    Ok(keys.into_iter().zip(&parts).map(line).collect::<Vec<_>>().join("\n"))
}

#[test]
fn what_is_found_for_random_models_is_legal_and_runs_each_instance_once() {
    property(120, |u| {
        let text = random_model(u)?;
        let (scop, dependences) = model(&text);
        let options = Options {
            parallelism: if u.arbitrary()? { Parallelism::Threads } else { Parallelism::OneThread },
            tiling: if u.arbitrary()? { Tiling::WhereItPays } else { Tiling::Never },
            ..Options::default()
        };
        let schedule = Schedule::of(&scop, &dependences, &options);
        if let Err(violation) = schedule.check(&scop, &dependences) {
            panic!("{violation}\n{text}\n{}", schedule.tree);
        }
        let order = schedule.tree.to_map();
        assert!(order.is_single_valued(), "{text}\n{}", schedule.tree);
        assert!(order.domain().is_equal(&scop.schedule.domain()), "{text}\n{}", schedule.tree);
        Ok(())
    });
}

#[test]
fn all_models_get_legal_schedules() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/engine/pm");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: no models beside the project");
        return;
    };
    let only = std::env::var("PM").unwrap_or_default();
    let mut files: Vec<_> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.to_string_lossy().ends_with(".md.pm")).collect();
    files.sort();
    for file in files.iter().filter(|f| f.to_string_lossy().contains(&only)) {
        let text = std::fs::read_to_string(file).expect("law: a model can be read");
        let t0 = std::time::Instant::now();
        let (scop, dependences) = model(&text);
        let t1 = std::time::Instant::now();
        let schedule = Schedule::of(&scop, &dependences, &Options::default());
        let t2 = std::time::Instant::now();
        let checked = schedule.check(&scop, &dependences);
        println!(
            "{:?} deps {:?} schedule {:?} check {:?} gains {}",
            file.file_name(),
            t1 - t0,
            t2 - t1,
            t2.elapsed(),
            schedule.gains_over(&scop)
        );
        if let Err(violation) = checked {
            panic!("{}: {violation}\n{}", file.display(), schedule.tree);
        }
    }
}

const CONVOLUTION: &str = "
domain: [n] -> { S[y, x] : 0 <= y, x < n; T[y, x, a, b] : 0 <= y, x < n and 0 <= a, b < 3 }
schedule: [n] -> { S[y, x] -> [y, x, 0, 0, 0]; T[y, x, a, b] -> [y, x, 1, a, b] }
reads: [n] -> { T[y, x, a, b] -> I[y + a, x + b]; T[y, x, a, b] -> F[a, b]; T[y, x, a, b] -> O[y, x] }
must_writes: [n] -> { S[y, x] -> O[y, x]; T[y, x, a, b] -> O[y, x] }
";

const FIELDS: &str = "
domain: [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n; U[i] : 0 <= i < n }
schedule: [n] -> { S[i] -> [i, 0]; T[i] -> [i, 1]; U[i] -> [i, 2] }
reads: [n] -> { S[i] -> V[3i]; T[i] -> V[3i + 1]; U[i] -> V[3i + 2] }
must_writes: [n] -> { S[i] -> P[3i]; T[i] -> P[3i + 1]; U[i] -> P[3i + 2] }
";

/// The schedule for one core or several, and whether it gains.
fn found(text: &str, parallelism: Parallelism) -> (Schedule, bool) {
    let (scop, dependences) = model(text);
    let schedule = Schedule::of(&scop, &dependences, &Options { parallelism, ..Options::default() });
    let gains = schedule.gains_over(&scop);
    (schedule, gains)
}

#[test]
fn short_loops_at_the_bottom_are_left_there() {
    let (schedule, gains) = found(CONVOLUTION, Parallelism::OneThread);
    assert!(!gains, "{:?}: {:?}", schedule.times, schedule.description);
    let (schedule, gains) = found(GEMM, Parallelism::OneThread);
    assert!(gains && schedule.times.is_some_and(|times| 2 * times.after < times.before), "{:?}", schedule.times);
}

#[test]
fn what_shares_lines_is_not_taken_apart_for_threads() {
    for text in [FIELDS, CONVOLUTION] {
        let (schedule, gains) = found(text, Parallelism::Threads);
        assert!(gains && schedule.is_parallel);
        let all = model(text).0.statements.len();
        let is_together = match &schedule.description[..] {
            [Transformation::InOrder] => true,
            [Transformation::Loops(arranged)] => arranged.statements.len() == all,
            _ => false,
        };
        assert!(is_together, "{:?}", schedule.description);
    }
}

const COPY: &str = "
domain: [n] -> { S[i] : 0 <= i < n }
schedule: [n] -> { S[i] -> [i] }
reads: [n] -> { S[i] -> X[i] }
must_writes: [n] -> { S[i] -> Y[i] }
";

#[test]
fn a_loop_that_could_be_left_in_the_middle_gains_by_vectors() {
    let options = Options { parallelism: Parallelism::OneThread, ..Options::default() };
    let (mut scop, dependences) = model(COPY);
    assert!(!Schedule::of(&scop, &dependences, &options).gains_over(&scop), "LLVM does that by itself");
    let Node::Domain { domain, child } = scop.schedule.root().clone() else { panic!("a tree has a domain") };
    let marked = Node::Mark { id: Id::new(scop::marks::LEFT_EARLY), child };
    scop.schedule = scop::Tree::from_root(Node::Domain { domain, child: Box::new(marked) });
    let schedule = Schedule::of(&scop, &dependences, &options);
    assert!(schedule.gains_over(&scop), "{:?}: {:?}", schedule.times, schedule.description);
}

/// Two statements in one loop: `S`, that writes `A`, before `T`, that reads it where it says.
fn pair(reads: &str) -> String {
    format!(
        "
domain: {{ S[i] : 4 <= i < 30000; T[i] : 4 <= i < 30000 }}
schedule: {{ S[i] -> [i, 0]; T[i] -> [i, 1] }}
reads: {{ S[i] -> C[i]; T[i] -> D[i]; {reads} }}
must_writes: {{ S[i] -> A[i]; T[i] -> B[i] }}
"
    )
}

fn done(text: &str, parallelism: Parallelism) -> Vec<String> {
    let (schedule, gains) = found(text, parallelism);
    let (scop, dependences) = model(text);
    schedule.check(&scop, &dependences).expect("law: what is found is legal");
    if gains { schedule.description.iter().map(ToString::to_string).collect() } else { Vec::new() }
}

#[test]
fn what_goes_backward_in_the_text_gains_by_vectors_on_one_thread() {
    let one = |reads: &str| done(&pair(reads), Parallelism::OneThread);
    let in_one_loop = |reads: &str| {
        let [only] = &one(reads)[..] else { panic!("{reads}: {:?}", one(reads)) };
        assert!(only.starts_with("{S, T}: loop ") && only.ends_with(" in vectors"), "{reads}: {only}");
        only.contains(" in strips of 1024")
    };
    assert!(!in_one_loop("T[i] -> A[i + 1]"), "T is before S");
    assert!(!in_one_loop("S[i] -> B[i - 1]"), "S is an iteration behind T");
    assert!(!in_one_loop("S[i] -> A[i]; T[i] -> A[i + 1]; T[i] -> B[i + 1]"), "all is read before it is written");
    assert!(in_one_loop("S[i] -> B[i - 1]; S[i] -> B[i - 2]"), "a loop each, in turns");
}

#[test]
fn what_llvm_makes_vectors_of_by_itself_stays() {
    let left = |reads: &str| assert_eq!(done(&pair(reads), Parallelism::OneThread), [] as [&str; 0], "{reads}");
    left("T[i] -> A[i - 1]");
    left("T[i] -> A[i + 4]");
    left("S[i] -> A[i + 1]; T[i] -> A[i + 1]");
    left("S[i] -> A[i - 1]; T[i] -> A[i + 1]");
    left("T[i] -> A[i]; T[i] -> B[i - 1]");
    let written_again = "
domain: { S[i] : 0 <= i < 30000; T[i] : 0 <= i < 30000; U[i] : 0 <= i < 30000 }
schedule: { S[i] -> [i, 0]; T[i] -> [i, 1]; U[i] -> [i, 2] }
reads: { S[i] -> C[i]; T[i] -> C[i]; U[i] -> A[i + 1]; U[i] -> B[i] }
must_writes: { S[i] -> A[i]; T[i] -> B[i]; U[i] -> A[i] }
";
    assert_eq!(done(written_again, Parallelism::OneThread), [] as [&str; 0], "what S writes is never read");
}

#[test]
fn a_loop_that_reads_before_it_writes_is_a_vector_loop_and_no_parallel_one() {
    let text = "
domain: [n] -> { S[i, j] : 0 <= i, j < n }
schedule: [n] -> { S[i, j] -> [i, j] }
reads: [n] -> { S[i, j] -> A[j, i + 1]; S[i, j] -> A[j, i] }
must_writes: [n] -> { S[i, j] -> A[j, i] }
";
    assert_eq!(done(text, Parallelism::OneThread), ["{S}: loops j, i; i in vectors"]);
    let (schedule, _) = found(text, Parallelism::OneThread);
    let innermost = schedule.to_string();
    let innermost = innermost.rsplit("schedule:").next().unwrap_or_default();
    assert!(!innermost.contains("coincident"), "{schedule}");
}
