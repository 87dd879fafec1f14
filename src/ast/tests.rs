//! The loop generator against the meaning of schedules: whatever is generated is run, and must run each instance exactly once, in the
//! lexicographic order of the dates.
//!
//! Tests: 003 3.1, 3.2, 4, 5.1, 5.2, 5.3, 6.1, 6.2, 6.3

use super::tree::{print, replay};
use super::{Ast, Options, Separation};
use crate::presburger::{DimKind, Id, Int, Map, Set, UnionMap};
use crate::scop::tree::Tree;
use expect_test::{Expect, expect};
use std::collections::BTreeMap;

type Instance = (Id, Vec<i64>);

const EVERYWHERE: Options =
    Options { separation: Separation::Everywhere, second_separation: false, split_bounds: false, parallel: false };
const INNERMOST: Options =
    Options { separation: Separation::Innermost, second_separation: false, split_bounds: false, parallel: false };
const NOWHERE: Options =
    Options { separation: Separation::Nowhere, second_separation: false, split_bounds: false, parallel: false };
const VOLUME: Options =
    Options { separation: Separation::Volume, second_separation: false, split_bounds: false, parallel: false };

fn words(point: &[Int]) -> Vec<i64> {
    point.iter().map(|x| x.as_i64().expect("law: test points are small")).collect()
}

fn fixed(map: &Map, params: &[(Id, i64)]) -> Map {
    params.iter().fold(map.clone(), |map, (name, value)| match map.space().find_param(name) {
        Some(at) => map.fix(DimKind::Param, at, &Int::from(*value)).project_out_param(name),
        None => map,
    })
}

/// The date of each instance.
fn dates(schedule: &UnionMap, params: &[(Id, i64)]) -> BTreeMap<Instance, Vec<i64>> {
    let mut dates = BTreeMap::new();
    for map in schedule.maps() {
        let (name, n) = (map.space().tuple_name(DimKind::In).cloned().unwrap(), map.dim(DimKind::In));
        let pairs = fixed(map, params).wrap().flatten().points(100_000).expect("law: test schedules are finite");
        for pair in pairs {
            let pair = words(&pair);
            let before = dates.insert((name.clone(), pair[..n].to_vec()), pair[n..].to_vec());
            assert!(before.is_none(), "a schedule is a function");
        }
    }
    dates
}

fn less(a: &[i64], b: &[i64]) -> bool {
    let n = a.len().max(b.len());
    let padded = |x: &[i64]| x.iter().copied().chain(std::iter::repeat(0)).take(n).collect::<Vec<_>>();
    padded(a) < padded(b)
}

/// Runs `ast` for the values and compares with the dates. Returns how many branches it took.
fn run(ast: &Ast, schedule: &UnionMap, values: &[(&str, i64)]) -> usize {
    let named: Vec<(Id, i64)> = values.iter().map(|(name, value)| (Id::new(name), *value)).collect();
    let value = |p: &Id| named.iter().find(|(name, _)| name == p).map_or(0, |(_, value)| *value);
    let trace = replay::trace(ast, &ast.params.iter().map(value).collect::<Vec<_>>());
    let mut expected = dates(schedule, &named);
    let mut last: Option<(Instance, Vec<i64>)> = None;
    for instance in trace.instances {
        let date = expected.remove(&instance);
        let date = date.unwrap_or_else(|| panic!("{instance:?} is not to be run (again) at {values:?}\n{ast}"));
        if let Some((before, earlier)) = &last {
            assert!(
                !less(&date, earlier),
                "{instance:?} at {date:?} after {before:?} at {earlier:?}, {values:?}\n{ast}"
            );
        }
        last = Some((instance, date));
    }
    assert!(expected.is_empty(), "not run at {values:?}: {:?}\n{ast}", expected.keys().next());
    trace.branches
}

fn context(text: &str) -> Set {
    text.parse().unwrap()
}

fn scanned(schedule: &str, known: &str, options: &Options, values: &[&[(&str, i64)]]) -> Ast {
    let schedule: UnionMap = schedule.parse().unwrap();
    let ast = Ast::of_map(&schedule, &context(known), options).unwrap();
    values.iter().for_each(|values| {
        run(&ast, &schedule, values);
    });
    ast
}

fn check(schedule: &str, known: &str, options: &Options, values: &[&[(&str, i64)]], expected: Expect) {
    expected.assert_eq(&print::fragment(&scanned(schedule, known, options, values).root));
}

fn check_tree(tree: &str, known: &str, values: &[&[(&str, i64)]], expected: Expect) {
    let tree: Tree = Tree::parse(tree).unwrap();
    for options in [EVERYWHERE, NOWHERE, INNERMOST, VOLUME, Options::default()] {
        let ast = Ast::of(&tree, &context(known), &options).unwrap();
        values.iter().for_each(|values| {
            run(&ast, &tree.to_map(), values);
        });
    }
    let ast = Ast::of(&tree, &context(known), &Options { parallel: true, ..Options::default() }).unwrap();
    expected.assert_eq(&print::fragment(&ast.root));
}

#[test]
fn one_loop() {
    check(
        "[N] -> { S[i] -> [i] : 0 <= i < N }",
        "[N] -> { : }",
        &Options::default(),
        &[&[("N", 0)], &[("N", 5)]],
        expect![[r#"
            for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
              S(c0);
            }
        "#]],
    );
}

#[test]
fn single_polyhedron_of_figure_5() {
    let schedule =
        "[N, M] -> { S[i, j] -> [i, j] : j <= i <= N and j >= 0 and i >= M and i + j <= N + M and M >= 2 and M < N }";
    check(
        schedule,
        "[N, M] -> { : M >= 2 and M < N }",
        &EVERYWHERE,
        &[&[("N", 7), ("M", 3)]],
        expect![[r#"
        for (int64_t c0 = M; c0 <= N; c0 += 1) {
          for (int64_t c1 = 0; c1 <= min(N + M - c0, c0); c1 += 1) {
            S(c0, c1);
          }
        }
    "#]],
    );
}

const FIGURE_1: &str =
    "[N, M] -> { S1[i, j] -> [i, j] : 1 <= i <= N and 1 <= j <= M; S2[i, j] -> [i, j] : i = j and 3 <= i <= N }";
const FIGURE_1_VALUES: [&[(&str, i64)]; 4] =
    [&[("N", 6), ("M", 4)], &[("N", 6), ("M", 6)], &[("N", 9), ("M", 5)], &[("N", 4), ("M", 4)]];

#[test]
fn superset_of_figure_6() {
    check(
        FIGURE_1,
        "[N, M] -> { : 4 <= M <= N }",
        &NOWHERE,
        &FIGURE_1_VALUES,
        expect![[r#"
            for (int64_t c0 = 1; c0 <= N; c0 += 1) {
              for (int64_t c1 = 1; c1 <= max(M, c0); c1 += 1) {
                if (M >= c1) {
                  S1(c0, c1);
                }
                if (c0 == c1 && c0 >= 3) {
                  S2(c1, c1);
                }
              }
            }
        "#]],
    );
}

#[test]
fn separation_of_figures_7_and_9() {
    check(
        FIGURE_1,
        "[N, M] -> { : 4 <= M <= N }",
        &EVERYWHERE,
        &FIGURE_1_VALUES,
        expect![[r#"
        for (int64_t c0 = 1; c0 <= 2; c0 += 1) {
          for (int64_t c1 = 1; c1 <= M; c1 += 1) {
            S1(c0, c1);
          }
        }
        for (int64_t c2 = 3; c2 <= N; c2 += 1) {
          for (int64_t c3 = 1; c3 <= min(M, c2 - 1); c3 += 1) {
            S1(c2, c3);
          }
          if (M >= c2) {
            S1(c2, c2);
            S2(c2, c2);
          }
          for (int64_t c4 = c2 + 1; c4 <= M; c4 += 1) {
            S1(c2, c4);
          }
          if (c2 >= M + 1) {
            S2(c2, c2);
          }
        }
    "#]],
    );
}

#[test]
fn second_separation_of_figure_12() {
    let options = Options { second_separation: true, ..EVERYWHERE };
    check(
        FIGURE_1,
        "[N, M] -> { : 4 <= M <= N }",
        &options,
        &FIGURE_1_VALUES,
        expect![[r#"
            for (int64_t c0 = 1; c0 <= 2; c0 += 1) {
              for (int64_t c1 = 1; c1 <= M; c1 += 1) {
                S1(c0, c1);
              }
            }
            for (int64_t c2 = 3; c2 <= M - 1; c2 += 1) {
              for (int64_t c3 = 1; c3 <= c2 - 1; c3 += 1) {
                S1(c2, c3);
              }
              S1(c2, c2);
              S2(c2, c2);
              for (int64_t c4 = c2 + 1; c4 <= M; c4 += 1) {
                S1(c2, c4);
              }
            }
            for (int64_t c5 = 1; c5 <= M; c5 += 1) {
              S1(M, c5);
            }
            S2(M, M);
            for (int64_t c6 = M + 1; c6 <= N; c6 += 1) {
              for (int64_t c7 = 1; c7 <= M; c7 += 1) {
                S1(c6, c7);
              }
              S2(c6, c6);
            }
        "#]],
    );
}

#[test]
fn deferred_simplification() {
    let schedule = "[N] -> { S1[i, j] -> [i, j] : 1 <= i <= 10 and 1 <= j <= i; S2[i, j] -> [i, j] : 1 <= i <= 10 and 11 <= j <= N }";
    check(
        schedule,
        "[N] -> { : }",
        &EVERYWHERE,
        &[&[("N", 13)], &[("N", 3)]],
        expect![[r#"
            if (N <= 10) {
              for (int64_t c0 = 1; c0 <= 10; c0 += 1) {
                for (int64_t c1 = 1; c1 <= c0; c1 += 1) {
                  S1(c0, c1);
                }
              }
            } else {
              for (int64_t c2 = 1; c2 <= 10; c2 += 1) {
                for (int64_t c3 = 1; c3 <= c2; c3 += 1) {
                  S1(c2, c3);
                }
                for (int64_t c4 = 11; c4 <= N; c4 += 1) {
                  S2(c2, c4);
                }
              }
            }
        "#]],
    );
}

#[test]
fn partial_merge_of_two_schedules() {
    let schedule = "{ S1[i] -> [i + 1] : 1 <= i <= 10; S2[i] -> [2i] : 4 <= i <= 12 }";
    check(
        schedule,
        "{ : }",
        &EVERYWHERE,
        &[&[]],
        expect![[r#"
        for (int64_t c0 = 2; c0 <= 7; c0 += 1) {
          S1(c0 - 1);
        }
        for (int64_t c1 = 8; c1 <= 11; c1 += 1) {
          S1(c1 - 1);
          if (mod(c1, 2) == 0) {
            S2(c1 / 2);
          }
        }
        for (int64_t c2 = 12; c2 <= 24; c2 += 2) {
          S2(c2 / 2);
        }
    "#]],
    );
}

#[test]
fn a_stride_of_two() {
    check(
        "[N] -> { S[i] -> [2i + 1] : 1 <= i <= N }",
        "[N] -> { : }",
        &EVERYWHERE,
        &[&[("N", 4)], &[("N", 0)]],
        expect![[r#"
            for (int64_t c0 = 3; c0 <= 2 * N + 1; c0 += 2) {
              S((c0 - 1) / 2);
            }
        "#]],
    );
}

#[test]
fn unordered_intervals() {
    let schedule = "[N, M] -> { S[i] -> [i] : 1 <= i <= N; T[i] -> [i] : 1 <= i <= M }";
    let values: [&[(&str, i64)]; 3] = [&[("N", 3), ("M", 5)], &[("N", 5), ("M", 3)], &[("N", 0), ("M", 2)]];
    check(
        schedule,
        "[N, M] -> { : }",
        &EVERYWHERE,
        &values,
        expect![[r#"
        for (int64_t c0 = 1; c0 <= min(N, M); c0 += 1) {
          S(c0);
          T(c0);
        }
        for (int64_t c1 = max(1, M + 1); c1 <= N; c1 += 1) {
          S(c1);
        }
        for (int64_t c2 = max(1, N + 1); c2 <= M; c2 += 1) {
          T(c2);
        }
    "#]],
    );
    check(
        schedule,
        "[N, M] -> { : }",
        &NOWHERE,
        &values,
        expect![[r#"
        for (int64_t c0 = 1; c0 <= max(N, M); c0 += 1) {
          if (N >= c0) {
            S(c0);
          }
          if (M >= c0) {
            T(c0);
          }
        }
    "#]],
    );
}

#[test]
fn instances_without_a_date_of_their_own() {
    check(
        "[N] -> { S[i, j] -> [i] : 0 <= i < N and 0 <= j <= i }",
        "[N] -> { : }",
        &EVERYWHERE,
        &[&[("N", 4)]],
        expect![[r#"
            for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
              // data-parallel
              for (int64_t c1 = 0; c1 <= c0; c1 += 1) {
                S(c0, c1);
              }
            }
        "#]],
    );
}

#[test]
fn what_a_schedule_leaves_open_is_said_in_texts() {
    let tree = r#"{ domain: "[N] -> { S[i, j] : 0 <= i, j < N }", child: { schedule: "[{ S[i, j] -> [(i)] }]" } }"#;
    let ast = Ast::of(&Tree::parse(tree).unwrap(), &context("[N] -> { : }"), &EVERYWHERE).unwrap();
    let text = ast.to_string();
    assert!(text.contains(" open {"), "{text}");
    assert_eq!(text.parse::<Ast>().unwrap(), ast);
}

#[test]
fn what_may_run_in_any_order_is_sections_where_nothing_else_is_parallel() {
    let tree = r#"
domain: "[N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i <= N; U[]; V[] : N >= 7 }"
child:
  set:
  - filter: "{ S[i] }"
    child: { schedule: "[{ S[i] -> [(i)] }]" }
  - filter: "{ T[i]; U[]; V[] }"
    child:
      sequence:
      - filter: "{ T[i] }"
        child: { schedule: "[{ T[i] -> [(i)] }]" }
      - filter: "{ U[]; V[] }"
        child:
          set:
          - filter: "{ U[] }"
          - filter: "{ V[] }"
"#;
    let options = Options { parallel: true, ..EVERYWHERE };
    let of = |tree: &str| Ast::of(&Tree::parse(tree).unwrap(), &context("[N] -> { : N >= 0 }"), &options).unwrap();
    let ast = of(tree);
    assert_eq!(ast.to_string().parse::<Ast>().unwrap(), ast);
    let sequence = of(&tree.replace("set:", "sequence:"));
    assert_eq!(replay::trace(&ast, &[9]).instances, replay::trace(&sequence, &[9]).instances);
    let coincident = of(&tree.replace("[{ S[i] -> [(i)] }]\"", "[{ S[i] -> [(i)] }]\", coincident: [ 1 ]"));
    let texts = [&ast, &coincident].map(|ast| print::fragment(&ast.root));
    expect![[r#"
        #pragma omp parallel sections
        {
          #pragma omp section
          for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
            S(c0);
          }
          #pragma omp section
          {
            for (int64_t c1 = 0; c1 <= N; c1 += 1) {
              T(c1);
            }
            // in any order
            U();
            if (N >= 7) {
              V();
            }
          }
        }

        // in any order
        #pragma omp parallel for
        for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
          S(c0);
        }
        {
          for (int64_t c1 = 0; c1 <= N; c1 += 1) {
            T(c1);
          }
          #pragma omp parallel sections
          {
            #pragma omp section
            U();
            #pragma omp section
            if (N >= 7) {
              V();
            }
          }
        }
    "#]]
    .assert_eq(&texts.join("\n"));
}

/// The schedule of figure 1 as two bands, one below the other.
const FIGURE_1_NESTED: &str = r#"
domain: "[N, M] -> { S1[i, j] : 1 <= i <= N and 1 <= j <= M; S2[i, j] : i = j and 3 <= i <= N }"
child:
  schedule: "[{ S1[i, j] -> [(i)]; S2[i, j] -> [(i)] }]"
  child:
    schedule: "[{ S1[i, j] -> [(j)]; S2[i, j] -> [(j)] }]"
    child:
      sequence:
      - filter: "{ S1[i, j] }"
      - filter: "{ S2[i, j] }"
"#;

#[test]
fn second_separation_looks_below_bands() {
    let options = Options { second_separation: true, ..EVERYWHERE };
    let known = "[N, M] -> { : 4 <= M <= N }";
    let flat = scanned(FIGURE_1, known, &options, &FIGURE_1_VALUES);
    let tree = Tree::parse(FIGURE_1_NESTED).unwrap();
    let nested = Ast::of(&tree, &context(known), &options).unwrap();
    for values in FIGURE_1_VALUES {
        run(&nested, &tree.to_map(), values);
    }
    assert_eq!(print::fragment(&nested.root), print::fragment(&flat.root));
}

#[test]
fn bounds_that_change_places_are_cut_apart() {
    let schedule =
        "[N, M] -> { S[i, j] -> [i, j] : j <= i <= N and j >= 0 and i >= M and i + j <= N + M and M >= 2 and M < N }";
    let values: [&[(&str, i64)]; 3] = [&[("N", 7), ("M", 3)], &[("N", 8), ("M", 2)], &[("N", 9), ("M", 8)]];
    let plain = Options { split_bounds: true, ..EVERYWHERE };
    let known = "[N, M] -> { : M >= 2 and M < N }";
    let text = print::fragment(&scanned(schedule, known, &plain, &values).root);
    assert!(!text.contains("min(") && !text.contains("max("), "{text}");
    let tiles = "[N] -> { S[i, j] -> [floor(i / 4), floor(j / 4), i, j] : 0 <= i < N and 0 <= j <= i }";
    let values: [&[(&str, i64)]; 3] = [&[("N", 1)], &[("N", 8)], &[("N", 11)]];
    let extremes = |options: &Options| {
        let text = print::fragment(&scanned(tiles, "[N] -> { : }", options, &values).root);
        let inner = text.lines().filter(|line| line.contains("min(") || line.contains("max(")).count();
        (inner, text.matches("S(").count())
    };
    let ((with, _), (without, copies)) = (extremes(&EVERYWHERE), extremes(&plain));
    assert!(with > 0 && without == 0, "{with} lines with minima, {without} among {copies} copies");
}

#[test]
fn separation_on_demand_separates_or_says_why_not() {
    let late: Vec<String> = (0..14).map(|k| format!("S{k}[i] -> [i + {k}] : 0 <= i < N")).collect();
    let schedule: UnionMap = format!("[N] -> {{ {} }}", late.join("; ")).parse().unwrap();
    let tree = Tree::from_map(&schedule).unwrap();
    let (ast, troubles) = Ast::explained(&tree, &context("[N] -> { : N >= 20 }"), &EVERYWHERE).unwrap();
    let text = print::fragment(&ast.root);
    assert!(troubles.is_empty() && !text.contains("if ("), "{text}");
    run(&ast, &schedule, &[("N", 23)]);
    let crossing: UnionMap = "{ S[i] -> [i, i] : 0 <= i < 8; T[i] -> [i, 7 - i] : 0 <= i < 8 }".parse().unwrap();
    let tree = Tree::from_map(&crossing).unwrap();
    let (ast, troubles) = Ast::explained(&tree, &context("{ : }"), &EVERYWHERE).unwrap();
    run(&ast, &crossing, &[]);
    let told: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    expect![[r#"
        dimension 1 of the schedule is not separated for S, T: the parts take turns, or are too many for a loop each"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn remainders_that_stay_conditions_are_said_to() {
    let alternating: UnionMap =
        "[N] -> { S[i] -> [2i, 0] : 0 <= i < N; T[i] -> [3i, 1] : 0 <= i < N; U[i] -> [i, 2] : 0 <= i < N }"
            .parse()
            .unwrap();
    let tree = Tree::from_map(&alternating).unwrap();
    let told = |options: &Options| -> Vec<String> {
        let (ast, troubles) = Ast::explained(&tree, &context("[N] -> { : N >= 2 }"), options).unwrap();
        run(&ast, &alternating, &[("N", 9)]);
        assert!(print::fragment(&ast.root).contains("if ("));
        troubles.iter().map(ToString::to_string).collect()
    };
    expect![[r#"
        dimension 0 of the schedule is not separated for S: a condition on a remainder or a quotient is left, as loops are cut at bounds and have one stride
        dimension 0 of the schedule is not separated for T: a condition on a remainder or a quotient is left, as loops are cut at bounds and have one stride"#]]
    .assert_eq(&told(&EVERYWHERE).join("\n"));
    assert_eq!(told(&VOLUME), Vec::<String>::new());
    // One statement alone: its loop has the stride of none of its parts.
    let sparse: UnionMap =
        "{ S[i] -> [i] : 0 <= i < 30 and (i mod 6 = 1 or i mod 6 = 2 or i mod 6 = 4) }".parse().unwrap();
    let (ast, troubles) = Ast::explained(&Tree::from_map(&sparse).unwrap(), &context("{ : }"), &EVERYWHERE).unwrap();
    run(&ast, &sparse, &[]);
    assert_eq!(troubles.is_empty(), !print::fragment(&ast.root).contains("if ("), "{}", print::fragment(&ast.root));
    // Where a stride needs no condition, nothing is said.
    let even: UnionMap = "[N] -> { S[i] -> [2i] : 0 <= i < N; T[i] -> [2i + 1] : 0 <= i < N }".parse().unwrap();
    let tree = Tree::from_map(&even).unwrap();
    assert_eq!(Ast::explained(&tree, &context("[N] -> { : N >= 2 }"), &EVERYWHERE).unwrap().1, []);
}

#[test]
fn guards_that_are_evaluated_often_cost_more() {
    let union = "[N] -> { S[i] -> [i, 0] : 0 <= i < N or 2N <= i < 3N; T[i] -> [i, 1] : N <= i < 2N; U[i] -> [i, 2] : 0 <= i < 4N }";
    let schedules = [
        ("[N, M] -> { S[i] -> [i] : 1 <= i <= N; T[i] -> [i] : 1 <= i <= M }", "[N, M] -> { : }"),
        (FIGURE_1, "[N, M] -> { : 4 <= M <= N }"),
        (union, "[N] -> { : N >= 1 }"),
    ];
    let values: &[(&str, i64)] = &[("N", 40), ("M", 30)];
    for (text, known) in schedules {
        let schedule: UnionMap = text.parse().unwrap();
        let branches =
            |options: &Options| run(&Ast::of_map(&schedule, &context(known), options).unwrap(), &schedule, values);
        let (counted, by_volume) = (branches(&Options::default()), branches(&VOLUME));
        assert!(by_volume <= counted, "{by_volume} branches instead of {counted} for {text}");
    }
    check(
        union,
        "[N] -> { : N >= 1 }",
        &VOLUME,
        &[&[("N", 3)]],
        expect![[r#"
            for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
              S(c0);
              U(c0);
            }
            for (int64_t c1 = N; c1 <= 2 * N - 1; c1 += 1) {
              T(c1);
              U(c1);
            }
            for (int64_t c2 = 2 * N; c2 <= 3 * N - 1; c2 += 1) {
              S(c2);
              U(c2);
            }
            for (int64_t c3 = 3 * N; c3 <= 4 * N - 1; c3 += 1) {
              U(c3);
            }
        "#]],
    );
}

#[test]
fn strides_that_alternate() {
    let schedule = "[N] -> { S[i] -> [2i] : 0 <= i < N; T[i] -> [2i + 1] : 0 <= i < N }";
    check(
        schedule,
        "[N] -> { : }",
        &EVERYWHERE,
        &[&[("N", 4)], &[("N", 1)]],
        expect![[r#"
        for (int64_t c0 = 0; c0 <= 2 * N - 2; c0 += 2) {
          S(c0 / 2);
          T(c0 / 2);
        }
    "#]],
    );
}

#[test]
fn a_stride_whose_offset_is_outside() {
    let schedule = "[N] -> { S[i, j] -> [i, i + 3j] : 0 <= i < 3 and 0 <= i + 3j < N }";
    check(
        schedule,
        "[N] -> { : }",
        &EVERYWHERE,
        &[&[("N", 10)], &[("N", 2)]],
        expect![[r#"
            for (int64_t c0 = 0; c0 <= 2; c0 += 1) {
              for (int64_t c1 = mod(c0, 3); c1 <= N - 1; c1 += 3) {
                S(c0, (c1 - c0) / 3);
              }
            }
        "#]],
    );
}

#[test]
fn no_bound_is_an_answer() {
    let schedule: UnionMap = "[N] -> { S[i, j] -> [i, j] : 0 <= i < N and j >= i }".parse().unwrap();
    let error = Ast::of_map(&schedule, &context("[N] -> { : }"), &EVERYWHERE).unwrap_err();
    assert_eq!(error.to_string(), "dimension 1 of the schedule is not bounded for S");
}

#[test]
fn nothing_runs_outside_of_the_context() {
    check("[N] -> { S[i] -> [i] : 0 <= i < N }", "[N] -> { : N < 0 }", &EVERYWHERE, &[], expect![[""]]);
    check("[N] -> { S[i] -> [i] : 0 <= i < N }", "[N] -> { : false }", &EVERYWHERE, &[], expect![[""]]);
}

#[test]
fn a_tile_loop() {
    check(
        "[N] -> { S[i] -> [floor(i/32), i] : 0 <= i < N }",
        "[N] -> { : N >= 0 }",
        &Options::default(),
        &[&[("N", 70)], &[("N", 64)]],
        expect![[r#"
            for (int64_t c0 = 0; c0 <= floord(N - 1, 32); c0 += 1) {
              for (int64_t c1 = 32 * c0; c1 <= min(N - 1, 32 * c0 + 31); c1 += 1) {
                S(c1);
              }
            }
        "#]],
    );
}

#[test]
fn guards_are_lifted() {
    let schedule = "[N, M] -> { S[i, j] -> [i, j] : 0 <= i < N and 0 <= j < N and M >= 3; T[i, j] -> [i, j] : 0 <= i < N and 0 <= j < N }";
    check(
        schedule,
        "[N, M] -> { : }",
        &NOWHERE,
        &[&[("N", 3), ("M", 3)], &[("N", 3), ("M", 2)]],
        expect![[r#"
        for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
          for (int64_t c1 = 0; c1 <= N - 1; c1 += 1) {
            if (M >= 3) {
              S(c0, c1);
            }
            T(c0, c1);
          }
        }
    "#]],
    );
}

const TILED: &str = r#"
domain: "[N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i }"
child:
  mark: "tiles"
  child:
    schedule: "[N] -> [{ S[i, j] -> [(floor((i)/4))] }, { S[i, j] -> [(floor((j)/4))] }]"
    permutable: 1
    coincident: [ 1, 0 ]
    child:
      schedule: "[N] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
      permutable: 1
      coincident: [ 1, 0 ]
"#;

#[test]
fn tiles_of_a_triangle() {
    check_tree(
        TILED,
        "[N] -> { : N >= 1 }",
        &[&[("N", 1)], &[("N", 9)], &[("N", 12)]],
        expect![[r#"
        /* tiles */
        #pragma omp parallel for
        for (int64_t c0 = 0; c0 <= floord(N - 1, 4); c0 += 1) {
          for (int64_t c1 = 0; c1 <= c0; c1 += 1) {
            for (int64_t c2 = 4 * c0; c2 <= min(N - 1, 4 * c0 + 3); c2 += 1) {
              for (int64_t c3 = 4 * c1; c3 <= min(4 * c1 + 3, c2); c3 += 1) {
                S(c2, c3);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn full_tiles_apart() {
    let isolate = "coincident: [ 1, 0 ]\n    options: \"[N] -> { isolate[[] -> [a, b]] : 0 <= a and 4a + 3 < N and 0 <= b < a }\"";
    let tree = TILED.replacen("coincident: [ 1, 0 ]", isolate, 1);
    check_tree(
        &tree,
        "[N] -> { : N >= 1 }",
        &[&[("N", 1)], &[("N", 9)], &[("N", 13)]],
        expect![[r#"
        /* tiles */
        if (N >= 4) {
          #pragma omp parallel for
          for (int64_t c0 = 0; c0 <= 3; c0 += 1) {
            for (int64_t c1 = 0; c1 <= c0; c1 += 1) {
              S(c0, c1);
            }
          }
        }
        #pragma omp parallel for
        for (int64_t c2 = 1; c2 <= floord(N, 4) - 1; c2 += 1) {
          for (int64_t c3 = 0; c3 <= c2 - 1; c3 += 1) {
            for (int64_t c4 = 4 * c2; c4 <= 4 * c2 + 3; c4 += 1) {
              for (int64_t c5 = 4 * c3; c5 <= 4 * c3 + 3; c5 += 1) {
                S(c4, c5);
              }
            }
          }
          for (int64_t c6 = 4 * c2; c6 <= 4 * c2 + 3; c6 += 1) {
            for (int64_t c7 = 4 * c2; c7 <= c6; c7 += 1) {
              S(c6, c7);
            }
          }
        }
        #pragma omp parallel for
        for (int64_t c8 = floord(N, 4); c8 <= floord(N - 1, 4); c8 += 1) {
          for (int64_t c9 = 0; c9 <= c8; c9 += 1) {
            for (int64_t c10 = 4 * c8; c10 <= N - 1; c10 += 1) {
              for (int64_t c11 = 4 * c9; c11 <= min(4 * c9 + 3, c10); c11 += 1) {
                S(c10, c11);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn a_wavefront_of_skewed_tiles() {
    let tree = r#"
domain: "[T, N] -> { S[t, i] : 0 <= t < T and 0 <= i < N }"
child:
  schedule: "[T, N] -> [{ S[t, i] -> [(floor((t)/4) + floor((t + i)/4))] }, { S[t, i] -> [(floor((t + i)/4))] }]"
  coincident: [ 0, 1 ]
  child:
    schedule: "[T, N] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]"
"#;
    let values: [&[(&str, i64)]; 3] = [&[("T", 6), ("N", 9)], &[("T", 1), ("N", 1)], &[("T", 9), ("N", 3)]];
    check_tree(
        tree,
        "[T, N] -> { : T >= 1 and N >= 1 }",
        &values,
        expect![[r#"
        for (int64_t c0 = 0; c0 <= floord(2 * T + N - 3, 4); c0 += 1) {
          #pragma omp parallel for
          for (int64_t c1 = max(c0 + floord(-T, 4) + 1, floord(c0 + 1, 2)); c1 <= min(floord(T + N - 2, 4), min(floord(4 * c0 + N + 2, 8), c0)); c1 += 1) {
            for (int64_t c2 = max(4 * c1 - N + 1, 4 * c0 - 4 * c1); c2 <= min(T - 1, 4 * c0 - 4 * c1 + 3); c2 += 1) {
              for (int64_t c3 = max(c2, 4 * c1); c3 <= min(c2 + N - 1, 4 * c1 + 3); c3 += 1) {
                S(c2, c3 - c2);
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn sequences_in_a_band() {
    let tree = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i, k] : 0 <= i < n and 0 <= k < n; U[] : n >= 3 }"
child:
  sequence:
  - filter: "[n] -> { S[i]; T[i, k] }"
    child:
      schedule: "[n] -> [{ S[i] -> [(i)]; T[i, k] -> [(i)] }]"
      child:
        sequence:
        - filter: "[n] -> { S[i] }"
        - filter: "[n] -> { T[i, k] }"
          child:
            schedule: "[n] -> [{ T[i, k] -> [(-k)] }]"
  - filter: "[n] -> { U[] }"
"#;
    check_tree(
        tree,
        "[n] -> { : }",
        &[&[("n", 0)], &[("n", 2)], &[("n", 4)]],
        expect![[r#"
        for (int64_t c0 = 0; c0 <= n - 1; c0 += 1) {
          S(c0);
          for (int64_t c1 = 1 - n; c1 <= 0; c1 += 1) {
            T(c0, -c1);
          }
        }
        if (n >= 3) {
          U();
        }
    "#]],
    );
}

#[test]
fn an_unrolled_member() {
    let tree = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(floor((i)/4))] }]"
  child:
    schedule: "[n] -> [{ S[i] -> [(i)] }]"
    options: "{ unroll[0] }"
"#;
    check_tree(
        tree,
        "[n] -> { : }",
        &[&[("n", 0)], &[("n", 2)], &[("n", 8)]],
        expect![[r#"
        for (int64_t c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) {
          S(4 * c0);
          if (n >= 4 * c0 + 2) {
            S(4 * c0 + 1);
          }
          if (n >= 4 * c0 + 3) {
            S(4 * c0 + 2);
          }
          if (n >= 4 * c0 + 4) {
            S(4 * c0 + 3);
          }
        }
    "#]],
    );
}

#[test]
fn statements_that_do_not_take_turns_share_no_loop() {
    let tree = r#"
domain: "[n] -> { S[] : n >= 1; T[k] : 0 <= k < n }"
child:
  schedule: "[n] -> [{ S[] -> [(0)]; T[k] -> [(k)] }]"
  child:
    sequence:
    - filter: "[n] -> { S[] }"
    - filter: "[n] -> { T[k] }"
"#;
    let values: [&[(&str, i64)]; 3] = [&[("n", 0)], &[("n", 1)], &[("n", 4)]];
    check_tree(
        tree,
        "[n] -> { : }",
        &values,
        expect![[r#"
        if (n >= 1) {
          S();
        }
        for (int64_t c0 = 0; c0 <= n - 1; c0 += 1) {
          T(c0);
        }
    "#]],
    );
    let last = tree.replace("S[] -> [(0)]", "S[] -> [(n - 1)]");
    check_tree(
        &last,
        "[n] -> { : }",
        &values,
        expect![[r#"
        for (int64_t c0 = 0; c0 <= n - 1; c0 += 1) {
          if (n == c0 + 1) {
            S();
          }
          T(c0);
        }
    "#]],
    );
}

#[test]
fn tiles_whose_coordinates_are_their_first_points() {
    let tree = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[] : n >= 1 }"
child:
  schedule: "[n] -> [{ S[i] -> [(i - (i) mod 32)]; T[] -> [(n - (n) mod 32)] }]"
  child:
    schedule: "[n] -> [{ S[i] -> [((i) mod 32)]; T[] -> [((n) mod 32)] }]"
    child:
      sequence:
      - filter: "[n] -> { S[i] }"
      - filter: "[n] -> { T[] }"
"#;
    let values: [&[(&str, i64)]; 4] = [&[("n", 0)], &[("n", 1)], &[("n", 32)], &[("n", 70)]];
    check_tree(
        tree,
        "[n] -> { : }",
        &values,
        expect![[r#"
        for (int64_t c0 = 0; c0 <= n; c0 += 32) {
          for (int64_t c1 = 0; c1 <= min(31, n - c0 - 1); c1 += 1) {
            S(c0 + c1);
          }
          if (c0 == 32 * floord(n, 32) && n >= 1) {
            T();
          }
        }
    "#]],
    );
}

#[test]
fn guards_where_copies_would_be_more_code() {
    let values = &FIGURE_1_VALUES;
    check(
        FIGURE_1,
        "[N, M] -> { : 4 <= M <= N }",
        &Options::default(),
        values,
        expect![[r#"
        for (int64_t c0 = 1; c0 <= N; c0 += 1) {
          for (int64_t c1 = 1; c1 <= M; c1 += 1) {
            S1(c0, c1);
            if (c0 == c1 && c0 >= 3) {
              S2(c1, c1);
            }
          }
          if (c0 >= M + 1) {
            S2(c0, c0);
          }
        }
    "#]],
    );
    let schedule = "[N, M, K] -> { S[i] -> [i, 0] : 0 <= i < N and M >= 3; T[i] -> [i, 1] : 0 <= i < N and K >= 3 }";
    let values: [&[(&str, i64)]; 2] = [&[("N", 3), ("M", 3), ("K", 0)], &[("N", 3), ("M", 3), ("K", 3)]];
    check(
        schedule,
        "[N, M, K] -> { : }",
        &Options::default(),
        &values,
        expect![[r#"
        for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
          if (M >= 3) {
            S(c0);
          }
          if (K >= 3) {
            T(c0);
          }
        }
    "#]],
    );
}

#[test]
fn a_union_of_intervals_and_a_diagonal() {
    let schedule = "[N] -> { S[i] -> [i, 0] : 0 <= i < N or 2N <= i < 3N; T[i] -> [i, 1] : N <= i < 2N; U[i] -> [i, 2] : 0 <= i < 4N }";
    check(
        schedule,
        "[N] -> { : N >= 1 }",
        &Options::default(),
        &[&[("N", 3)]],
        expect![[r#"
        for (int64_t c0 = 0; c0 <= 4 * N - 1; c0 += 1) {
          if (N >= c0 + 1 || (3 * N >= c0 + 1 && c0 >= 2 * N)) {
            S(c0);
          }
          if (2 * N >= c0 + 1 && c0 >= N) {
            T(c0);
          }
          U(c0);
        }
    "#]],
    );
    let triangle = "[N] -> { S[i, j] -> [i, j, 0] : 0 <= i = j < N; T[i, j] -> [i, j, 1] : 0 <= i < j < N; U[i, j] -> [i, j, 2] : 0 <= i <= j < N }";
    check(
        triangle,
        "[N] -> { : N >= 1 }",
        &NOWHERE,
        &[&[("N", 3)]],
        expect![[r#"
        for (int64_t c0 = 0; c0 <= N - 1; c0 += 1) {
          S(c0, c0);
          for (int64_t c1 = c0; c1 <= N - 1; c1 += 1) {
            if (c1 >= c0 + 1) {
              T(c0, c1);
            }
            U(c0, c1);
          }
        }
    "#]],
    );
}

#[test]
fn instances_that_an_extension_adds() {
    let tree = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(floor((i)/4))] }]"
  child:
    extension: "[n] -> { [t] -> copy[t, x] : 4t <= x <= 4t + 3 and x < n }"
    child:
      sequence:
      - filter: "[n] -> { copy[t, x] }"
        child:
          schedule: "[n] -> [{ copy[t, x] -> [(x)] }]"
      - filter: "[n] -> { S[i] }"
        child:
          schedule: "[n] -> [{ S[i] -> [(i)] }]"
"#;
    let ast = Ast::of(&Tree::parse(tree).unwrap(), &context("[n] -> { : }"), &Options::default()).unwrap();
    let ran: Vec<String> = replay::replay(&ast, &[5]).iter().map(|(id, point)| format!("{id}{point:?}")).collect();
    let expected = "copy[0, 0] copy[0, 1] copy[0, 2] copy[0, 3] S[0] S[1] S[2] S[3] copy[1, 4] S[4]";
    assert_eq!(ran.join(" "), expected, "{ast}");
}

mod random {
    use super::*;
    use crate::property::property;
    use arbtest::arbitrary::{Result, Unstructured};

    fn linear(u: &mut Unstructured<'_>, names: &[&str]) -> Result<String> {
        let mut terms = vec![u.int_in_range(-2..=2)?.to_string()];
        for name in names {
            let factor: i64 = u.int_in_range(-1..=2)?;
            if factor != 0 {
                terms.push(format!("{factor}{name}"));
            }
        }
        Ok(terms.join(" + "))
    }

    fn date(u: &mut Unstructured<'_>) -> Result<String> {
        let sum = linear(u, &["i", "j"])?;
        Ok(match u.int_in_range(0..=7)? {
            0 => u.int_in_range(0..=1)?.to_string(),
            1 => format!("floor(({sum})/{})", u.int_in_range(2..=4)?),
            2 => format!("({sum}) mod {}", u.int_in_range(2..=3)?),
            3 => "i".to_string(),
            4 => "j".to_string(),
            5 => "i + N".to_string(),
            _ => sum,
        })
    }

    fn statement(u: &mut Unstructured<'_>, name: &str) -> Result<String> {
        let dates = [date(u)?, date(u)?, date(u)?].join(", ");
        let shape = *u.choose(&[
            "j <= i",
            "i + j <= N",
            "2j <= N + 1",
            "i >= 1",
            "(i + j) mod 2 = 0",
            "i = j",
            "N >= 2",
            "i >= 0",
        ])?;
        Ok(format!("{name}[i, j] -> [{dates}] : 0 <= i <= N and 0 <= j < 4 and {shape}"))
    }

    /// A band over both statements with options, and below it a band for each.
    fn tree(u: &mut Unstructured<'_>) -> Result<String> {
        let member = |u: &mut Unstructured<'_>| -> Result<String> {
            Ok(format!("{{ A[i, j] -> [({})]; B[i, j] -> [({})] }}", date(u)?, date(u)?))
        };
        let domain = |u: &mut Unstructured<'_>, name: &str| -> Result<String> {
            let shape = *u.choose(&["j <= i", "i + j <= N", "(i + j) mod 2 = 0", "i = j", "i >= 0"])?;
            Ok(format!("{name}[i, j] : 0 <= i <= N and 0 <= j < 4 and {shape}"))
        };
        let kind = |u: &mut Unstructured<'_>, member: usize| -> Result<String> {
            let word = *u.choose(&["", "separate", "atomic", "unroll"])?;
            Ok(if word.is_empty() { String::new() } else { format!("{word}[{member}]; ") })
        };
        let isolate = *u.choose(&[
            "",
            "isolate[[] -> [x, y]] : 1 <= x <= 2 and y >= 0",
            "isolate[[] -> [x, y]] : 0 <= x + y <= 3",
        ])?;
        let below = |u: &mut Unstructured<'_>, name: &str| -> Result<String> {
            let options = kind(u, 0)?;
            Ok(format!(
                "    - filter: \"[N] -> {{ {name}[i, j] }}\"\n      child:\n        schedule: \"[N] -> [{{ {name}[i, j] -> [({})] }}]\"\n        \
                 options: \"[N] -> {{ {options}}}\"\n",
                date(u)?
            ))
        };
        Ok(format!(
            "domain: \"[N] -> {{ {}; {} }}\"\nchild:\n  schedule: \"[N] -> [{}, {}]\"\n  options: \"[N] -> {{ {}{}{isolate} }}\"\n  child:\n    sequence:\n{}{}",
            domain(u, "A")?,
            domain(u, "B")?,
            member(u)?,
            member(u)?,
            kind(u, 0)?,
            kind(u, 1)?,
            below(u, "A")?,
            below(u, "B")?
        ))
    }

    #[test]
    fn trees_with_options_run_in_order() {
        property(200, |u| {
            let tree = Tree::parse(&tree(u)?).expect("law: a random tree is well-formed");
            let options = Options {
                second_separation: u.ratio(1, 4)?,
                split_bounds: u.ratio(1, 4)?,
                ..*u.choose(&[EVERYWHERE, INNERMOST, VOLUME, Options::default()])?
            };
            let ast = Ast::of(&tree, &context(u.choose(&["[N] -> { : }", "[N] -> { : N >= 1 }"])?), &options).unwrap();
            for n in [1, 3, 4] {
                run(&ast, &tree.to_map(), &[("N", n)]);
            }
            Ok(())
        });
    }

    #[test]
    fn schedules_run_in_order() {
        property(300, |u| {
            let names = ["A", "B", "C"];
            let statements: Vec<String> =
                names[..u.int_in_range(1..=3)?].iter().map(|name| statement(u, name)).collect::<Result<_>>()?;
            let schedule = format!("[N] -> {{ {} }}", statements.join("; "));
            let options = Options {
                second_separation: u.ratio(1, 4)?,
                split_bounds: u.ratio(1, 4)?,
                ..*u.choose(&[EVERYWHERE, NOWHERE, INNERMOST, VOLUME, Options::default()])?
            };
            let known = *u.choose(&["[N] -> { : }", "[N] -> { : N >= 1 }"])?;
            scanned(&schedule, known, &options, &[&[("N", 3)], &[("N", 4)], &[("N", 1)]]);
            Ok(())
        });
    }
}

/// What a case says (in comments `values: N=3 M=2`); two small sizes for others.
fn values_of(text: &str, params: &[Id]) -> Vec<Vec<(String, i64)>> {
    let said = text.lines().filter_map(|line| line.strip_prefix("# values:"));
    let value = |word: &str| word.split_once('=').map(|(p, value)| (p.to_string(), value.parse().unwrap()));
    let said: Vec<Vec<(String, i64)>> = said.map(|line| line.split_whitespace().filter_map(value).collect()).collect();
    let same = |size: i64| params.iter().map(|p| (p.to_string(), size)).collect();
    if said.is_empty() { vec![same(3), same(5)] } else { said }
}

/// The cases of `llvm-tests/ast/cases`, and models of real programs where they are at hand.
#[test]
fn models_run_in_order() {
    let mut paths: Vec<_> = ["llvm-tests/ast/cases", "../shared/engine/pm"]
        .iter()
        .filter_map(|directory| std::fs::read_dir(directory).ok())
        .flat_map(|files| files.filter_map(|entry| entry.ok().map(|entry| entry.path())))
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".pm"));
    paths.sort();
    assert!(paths.len() >= 20, "the cases are there");
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        let (schedule, known) = (line("schedule:"), line("context:"));
        let parsed: UnionMap = schedule.parse().unwrap();
        for options in [EVERYWHERE, INNERMOST, VOLUME, Options::default()] {
            let ast = Ast::of_map(&parsed, &context(known), &options).unwrap();
            for values in values_of(&text, &ast.params) {
                run(&ast, &parsed, &values.iter().map(|(p, value)| (p.as_str(), *value)).collect::<Vec<_>>());
            }
        }
    }
}

/// The hull of `c0 < p` and `c0 < q` knows only that a parameter is a machine integer; a loop bounded by that runs for minutes.
#[test]
fn a_loop_over_two_statements_ends_with_the_longer_one() {
    let schedule: UnionMap = "[p, q] -> { S[i] -> [i, 0] : 0 <= i < p; T[i] -> [i, 1] : 0 <= i < q }".parse().unwrap();
    let machine = "[p, q] -> { : 0 <= p <= 2147483647 and 0 <= q <= 2147483647 }";
    let ast = Ast::of_map(&schedule, &context(machine), &NOWHERE).unwrap();
    for (p, q) in [(0, 0), (3, 2), (2, 7)] {
        let branches = run(&ast, &schedule, &[("p", p), ("q", q)]);
        assert!(branches < 100, "{branches} branches in\n{ast}");
    }
}

#[test]
fn threads_share_the_same_iterations_in_all_steps_of_a_pipeline() {
    let tree = |bounds: &str| {
        format!(
            r#"{{ domain: "[n] -> {{ S[i, j] : 0 <= i, j < n {bounds} }}", child: {{ mark: "pipeline", child: {{
            schedule: "[n] -> [{{ S[i, j] -> [(floor((j)/8))] }}, {{ S[i, j] -> [(i)] }}]", permutable: 1,
            child: {{ schedule: "[n] -> [{{ S[i, j] -> [(j)] }}]" }} }} }} }}"#
        )
    };
    let values: &[&[(&str, i64)]] = &[&[("n", 0)], &[("n", 5)], &[("n", 20)]];
    check_tree(
        &tree(""),
        "[n] -> { : }",
        values,
        expect![[r#"
            /* pipeline */
            // a pipeline: threads share the next loop
            for (int64_t c0 = 0; c0 <= floord(n - 1, 8); c0 += 1) {
              for (int64_t c1 = 0; c1 <= n - 1; c1 += 1) {
                for (int64_t c2 = 8 * c0; c2 <= min(n - 1, 8 * c0 + 7); c2 += 1) {
                  S(c1, c2);
                }
              }
            }
        "#]],
    );
    let options = Options { parallel: true, ..Options::default() };
    let oblique = Ast::of(&Tree::parse(&tree("and j <= i")).unwrap(), &context("[n] -> { : }"), &options).unwrap();
    assert!(!oblique.to_string().contains("pipelined"), "{oblique}");
}
