//! Loops that data ends: their models against a run of the program that the model says, whatever their tests say.
//!
//! Tests: 001 while, control-flow; 002 5.2.2

use crate::ast::tree::{print, replay};
use crate::ast::{Ast, Options, Separation};
use crate::c_program::{parse, parse_in_steps};
use crate::dependence::Dependences;
use crate::dependence::dynamic::Dataflow;
use crate::dependence::dynamic::input::{Input, Memory};
use crate::dependence::dynamic::run::Runs;
use crate::presburger::{DimKind, Id, Int, Map, Set, UnionMap};
use crate::schedule::{self, Schedule};
use crate::scop::tree::Tree;
use crate::scop::{self, Scop};
use expect_test::{Expect, expect};
use std::collections::{BTreeMap, BTreeSet};

type Instance = (Id, Vec<i64>);

/// Steps of loops without bounds that are looked at.
const STEPS: i64 = 5;

const SOLVER: &str =
    "void solve(int n, double x[const restrict static n], double y[const restrict static n], double tol) {
  double err;
  int it;
#pragma scop
  err = 1;
  it = 0;
  W: while (err > tol) {
    for (int i = 1; i < n - 1; i++) A: y[i] = 0.5 * (x[i-1] + x[i+1]);
    B: err = 0;
    for (int i = 1; i < n - 1; i++) { C: err += (y[i] - x[i]) * (y[i] - x[i]); D: x[i] = y[i]; }
    it++;
  }
  E: x[0] = it;
#pragma endscop
}";

const EXITS: &str = "int bad(double); double f(double);
void two(int n, int m, double x[const restrict static n], double e[const restrict static m], double tol) {
#pragma scop
  for (int k = 0; k < m && e[k] > tol; k++) {
    for (int i = 0; i < n; i++)
      A: x[i] = f(x[i]);
    T: if (bad(x[0])) { X: x[1] = 0; break; }
    for (int i = 0; i < n; i++)
      B: x[i] = x[i] * e[k];
    U: if (x[n-1] > 7) break; else V: x[n-2] = 8;
  }
#pragma endscop
}";

const MORE: [&str; 7] = [
    "void g(int n, double x[const restrict static n], double y[const restrict static n]) {
    #pragma scop
      for (int j = 0; j < n; j++) {
        if (j < 1)
          A: y[0] = 1;
        B: if (x[j] > 3) break;
      }
    #pragma endscop
    }",
    "void g(int n, int p, double x[const restrict static 9], double lim) {
    #pragma scop
      if (n > 5) {
        do {
          if (p % 4 != 1) A: x[0] = x[0] * 2;
        } while (x[0] < lim);
      }
    #pragma endscop
    }",
    "double f(double); void g(int n, double x[const restrict static n]) {
      double s;
    #pragma scop
      s = 0;
      do { s = s + 1; for (int i = 0; i < n; i++) A: x[i] = f(x[i]) + s; } while (x[0] < s);
      for (int i = 0; i < n; i++) B: x[i] = 2 * x[i];
    #pragma endscop
    }",
    "double f(double); void g(int n, double x[const restrict static n]) {
      int k; double s;
    #pragma scop
      s = 1;
      for (k = 0; ; k++) { if (x[k] > s) break; B: x[k] = 0; if (x[k] < f(s)) { C: s = 2; break; } D: s = s * x[k]; }
      E: x[0] = k;
    #pragma endscop
    }",
    "int g(int n, int x[const restrict static n]) {
      int best;
    #pragma scop
      best = 0;
      for (int j = n - 1; j >= 0; j -= 2) { if (x[j] == 3) { best = j; break; } else A: x[j] = 1; }
      B: x[0] = best;
    #pragma endscop
    }",
    "int g(int n, int x[const restrict static n], int y[const restrict static n]) {
      int i;
    #pragma scop
      i = 0;
      while (1) { int t; t = x[i]; if (t < 0) break; x[i] = t + y[i]; for (int j = 0; j < n; j++) y[j] = y[j] + t; i = i + 1; }
      for (int j = 0; j < n; j++) x[j] = y[j];
    #pragma endscop
    }",
    "int next(int *p); void g(int n, int m, double x[const restrict static n]) {
      int s; double t;
    #pragma scop
      if (n > 3) { while (next(&s)) { A: t = s; for (int i = 0; i < m && i < n; i++) B: x[i] = x[i] + t; } }
      do C: x[0] = x[0] / 2; while (x[0] > 1);
    #pragma endscop
    }",
];

fn model(text: &str) -> Scop {
    parse_in_steps(text, "test.c").unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
}

fn fixed(map: &Map, params: &[(Id, i64)]) -> Map {
    params.iter().fold(map.clone(), |map, (name, value)| match map.space().find_param(name) {
        Some(at) => map.fix(DimKind::Param, at, &Int::from(*value)).project_out_param(name.as_str()),
        None => map,
    })
}

/// Pairs of a relation as numbers, those of the first steps.
fn points(map: &Map, params: &[(Id, i64)]) -> Vec<(Vec<i64>, Vec<i64>)> {
    let near = |map: Map, kind| match map.dim(kind) {
        0 => map,
        _ => map.upper_bound(kind, 0, &Int::from(STEPS)),
    };
    let map = near(near(fixed(map, params), DimKind::In), DimKind::Out);
    let (all, n) = (map.wrap().flatten().points(100_000).expect("few points"), map.dim(DimKind::In));
    all.iter().map(|pair| words(pair)).map(|pair| (pair[..n].to_vec(), pair[n..].to_vec())).collect()
}

fn name(map: &Map, kind: DimKind) -> Id {
    map.space().tuple_name(kind).cloned().expect("named tuples")
}

/// What a test says in a step: `answers` has a bit for each.
fn says(answers: u64, test: usize, step: i64) -> bool {
    step < STEPS && answers >> ((step.unsigned_abs() * 3 + test as u64) % 61) & 1 == 1
}

/// A model for given parameters, of the first steps.
struct Small {
    /// The instances with their dates in the program's order, which is theirs.
    dated: Vec<(Vec<i64>, Instance)>,
    /// What each instance asks: the test, its value, the step.
    asked: BTreeMap<Id, Vec<(Id, bool, BTreeMap<Vec<i64>, Vec<i64>>)>>,
    /// What depends on what.
    pairs: Vec<(Instance, Instance)>,
}

impl Small {
    fn of(scop: &Scop, pairs: &UnionMap, params: &[(Id, i64)]) -> Small {
        let mut dated: Vec<(Vec<i64>, Instance)> = Vec::new();
        for map in scop.schedule.to_map().maps() {
            let bounded = match map.dim(DimKind::In) {
                0 => map.clone(),
                _ => map.upper_bound(DimKind::In, 0, &Int::from(STEPS)),
            };
            let n = map.dim(DimKind::In);
            for pair in fixed(&bounded, params).wrap().flatten().points(100_000).expect("few points") {
                let pair = words(&pair);
                dated.push((pair[n..].to_vec(), (name(map, DimKind::In), pair[..n].to_vec())));
            }
        }
        dated.sort();
        let asked = scop.statements.entries().map(|(s, statement)| {
            let own = scop.conditions(s).into_iter().map(|(test, holds, map)| {
                (scop.statements[test].name.clone(), holds, points(&map, params).into_iter().collect())
            });
            (statement.name.clone(), own.collect())
        });
        let of_map = |map: &Map| {
            let (from, to) = (name(map, DimKind::In), name(map, DimKind::Out));
            let pairs = points(map, params).into_iter();
            pairs.map(|(a, b)| ((from.clone(), a), (to.clone(), b))).collect::<Vec<_>>()
        };
        Small { dated, asked: asked.collect(), pairs: pairs.maps().flat_map(of_map).collect() }
    }

    /// The instances that run, in the program's order: each runs whose conditions hold, as those that computed them have run and said so.
    fn run(&self, goes_on: &dyn Fn(&Id, &[i64]) -> bool) -> BTreeSet<Instance> {
        let mut ran: BTreeSet<Instance> = BTreeSet::new();
        for (_, (statement, point)) in &self.dated {
            let holds = self.asked[statement].iter().all(|(test, holds, asked)| match asked.get(point) {
                Some(step) => ran.contains(&(test.clone(), step.clone())) && goes_on(test, step) == *holds,
                None => true,
            });
            if holds {
                ran.insert((statement.clone(), point.clone()));
            }
        }
        ran
    }
}

fn words(point: &[Int]) -> Vec<i64> {
    point.iter().map(|x| x.as_i64().expect("small points")).collect()
}

fn loops(scop: &Scop, tree: &Tree, separation: Separation) -> Ast {
    let options = Options { separation, ..Options::default() };
    let made = Ast::in_steps(tree, &scop.trusted_context(), &options, &scop.steps());
    made.unwrap_or_else(|e| panic!("{e}\n{tree}\n{scop}")).0
}

/// The loops of the program's own order and of those that are found, against the reference, and the pairs that depend on each other in these.
fn check(text: &str) {
    let scop = model(text);
    assert!(!scop.steps().is_empty(), "{scop}");
    assert_eq!(scop::verify(&scop), Ok(()));
    let again = scop::read(&scop.to_string()).expect("the text of a model");
    assert_eq!(again.to_string(), scop.to_string());
    let dependences = Dependences::of_any(&scop).expect("loops with an end");
    let found = Schedule::of(&scop, &dependences, &schedule::Options::default());
    let bands = schedule::Options { arrangement: schedule::Arrangement::AsFound, ..Default::default() };
    let bands = Schedule::of(&scop, &dependences, &bands);
    for schedule in [&found, &bands] {
        schedule.check(&scop, &dependences).unwrap_or_else(|e| panic!("{e}"));
    }
    let tests: Vec<Id> = scop.steps().into_iter().flat_map(|s| s.tests).map(|test| test.statement).collect();
    let pairs = dependences.strict_validity();
    let small: Vec<(i64, Small)> = [1, 3, 6]
        .map(|n| {
            let params: Vec<(Id, i64)> = scop.params.iter().map(|name| (name.clone(), n)).collect();
            (n, Small::of(&scop, &pairs, &params))
        })
        .into();
    for tree in [&scop.schedule, &bands.tree, &found.tree] {
        for separation in [Separation::Counted, Separation::Everywhere, Separation::Nowhere] {
            let ast = loops(&scop, tree, separation);
            assert_eq!(ast.to_string().parse::<Ast>().expect("the text of loops"), ast);
            for (n, small) in &small {
                for seed in 0..8u64 {
                    let answers = if seed == 0 { u64::MAX } else { u64::MAX ^ (1 << (seed * 5 % 17)) };
                    let goes_on = |test: &Id, point: &[i64]| {
                        let at = tests.iter().position(|name| name == test).expect("a test");
                        says(answers, at, point[0])
                    };
                    let values = vec![*n; ast.params.len()];
                    let ran = replay::trace_in_steps(&ast, &values, &goes_on).instances;
                    let place: BTreeMap<&Instance, usize> = ran.iter().zip(0..).collect();
                    assert_eq!(place.len(), ran.len(), "an instance runs twice\n{ast}");
                    let expected = small.run(&goes_on);
                    assert_eq!(expected, ran.iter().cloned().collect(), "n = {n}, {answers:b}\n{ast}\n{scop}");
                    for (source, sink) in &small.pairs {
                        if let (Some(first), Some(second)) = (place.get(source), place.get(sink)) {
                            assert!(first < second, "{source:?} before {sink:?}\n{ast}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_solver_runs_as_its_tests_say() {
    check(SOLVER);
}

#[test]
fn several_ways_out_run_as_their_tests_say() {
    check(EXITS);
}

#[test]
fn loops_of_all_kinds_run_as_their_tests_say() {
    MORE.iter().for_each(|text| check(text));
}

#[test]
fn values_go_from_step_to_step() {
    let scop = model(SOLVER);
    let flow = Dependences::of_any(&scop).expect("a loop with an end").flow;
    let own = |text: &str| text.parse::<UnionMap>().expect("a relation");
    let expected = own("[n] -> { D[t, i] -> C[t + 1, i] : 0 < i <= n - 2 and t >= 0 }");
    let pair = |from: &str, to: &str| {
        let map =
            flow.maps().find(|map| (name(map, DimKind::In).as_str(), name(map, DimKind::Out).as_str()) == (from, to));
        UnionMap::from_map(map.expect("a dependence"))
    };
    assert!(pair("D", "C").is_equal(&expected), "{}", pair("D", "C"));
    let steps = own("[n] -> { W[t] -> W[t + 1] : t >= 0 }");
    assert!(pair("W", "W").is_equal(&steps));
    // Behind the loop, any step may have been the last one.
    assert!(pair("S_2", "E").is_equal(&own("[n] -> { S_2[t] -> E[] : t >= 0 }")));
}

fn shows(text: &str, expected: Expect) {
    let scop = model(text);
    expected.assert_eq(&print::fragment(&loops(&scop, &scop.schedule, Separation::default()).root));
}

#[test]
fn loops_are_left_where_tests_say_so() {
    shows(
        EXITS,
        expect![[r#"
            for (int64_t c0 = 0; c0 <= m - 1; c0 += 1) {
              if (!S_0(c0)) {
                break;
              }
              for (int64_t c1 = 0; c1 <= n - 1; c1 += 1) {
                A(c0, c1);
              }
              if (!T(c0)) {
                X(c0);
                break;
              }
              for (int64_t c2 = 0; c2 <= n - 1; c2 += 1) {
                B(c0, c2);
              }
              if (!U(c0)) {
                break;
              }
              V(c0);
            }
        "#]],
    );
    let conditions: Vec<String> = model(EXITS)
        .statements
        .iter()
        .flat_map(|s| s.accesses.iter().filter(|a| a.condition.is_some()).map(|a| (a.condition, a.relation.clone())))
        .map(|(holds, relation)| format!("{} {relation}", if holds == Some(true) { "when" } else { "unless" }))
        .collect();
    expect![[r#"
        when [n, m] -> { S_0[k] -> goes_on_2[k - 1] : 0 < k < m }
        when [n, m] -> { A[k, i1] -> goes_on[k] : 0 <= i1 < n and 0 <= k < m }
        when [n, m] -> { T[k] -> goes_on[k] : 0 <= k < m }
        unless [n, m] -> { X[k] -> goes_on_1[k] : 0 <= k < m }
        when [n, m] -> { B[k, i1] -> goes_on_1[k] : 0 <= i1 < n and 0 <= k < m }
        when [n, m] -> { U[k] -> goes_on_1[k] : 0 <= k < m }
        when [n, m] -> { V[k] -> goes_on_2[k] : 0 <= k < m }
    "#]]
    .assert_eq(&(conditions.join("\n") + "\n"));
}

#[test]
fn what_is_not_left_directly_stays_one_statement() {
    let alone = |body: &str| {
        let text = format!("int f(int); void g(int n, int x[const restrict static n]) {{ int i; Z: i = 0; {body} }}");
        let scop = model(&text);
        assert!(scop.steps().is_empty(), "{scop}");
        scop.domain().to_string()
    };
    expect![[r#"
        [n] -> { L[]; Z[] }
        [n] -> { L[]; Z[] }
        [n] -> { L[]; Z[] }
        [n] -> { L[j] : 0 <= j < n; Z[] }
    "#]]
    .assert_eq(&format!(
        "{}\n{}\n{}\n{}\n",
        alone("L: while (x[0] > 0) { if (x[1]) continue; x[0] = f(x[0]); }"),
        alone("L: while (x[0] > 0) { if (x[1]) { x[0] = 1; if (x[2]) break; } x[0] = f(x[0]); }"),
        alone("L: while (x[0] > 0) { x[0] = f(x[0]); break; }"),
        alone("for (int j = 0; j < n; j++) L: while (x[j] > 0) x[j] = f(x[j]);"),
    ));
    // As in pet, if nobody asks for steps.
    let whole = parse(SOLVER, "test.c").expect("a model").swap_remove(0);
    assert!(whole.steps().is_empty() && whole.statement(&Id::new("D")).is_none());
}

#[test]
fn whoever_declares_the_variable_a_counted_loop_is_one() {
    let text = "void g(int n, int x[const restrict static n]) { int i; for (i = 0; i < n; i++) S: x[i] = 0; }";
    assert_eq!(model(text).domain().to_string(), "[n] -> { S[i] : 0 <= i < n }");
}

#[test]
fn what_runs_before_it_is_decided_is_no_loop() {
    let scop =
        model("double f(double); void g(double x[const restrict static 9]) { L: while (x[0] > 1) S: x[0] = f(x[0]); }");
    let wrong = Tree::parse(
        "domain: \"{ L[t] : t >= 0; S[t] : t >= 0 }\"\nchild:\n  schedule: \"[{ L[t] -> [(t)]; S[t] -> [(t)] }]\"\n  child:\n    sequence:\n    - filter: \"{ S[t] }\"\n    - filter: \"{ L[t] }\"\n",
    );
    let wrong = wrong.expect("a tree");
    let made = Ast::in_steps(&wrong, &scop.trusted_context(), &Options::default(), &scop.steps());
    expect!["dimension 0 of the schedule is not bounded for L, S: in a step that ends where data says so, S is not behind what decides about it"]
        .assert_eq(&made.expect_err("no loops").to_string());
    let doubled = Tree::parse(&scop.schedule.to_string().replace("(t)]; S", "(2t)]; S")).expect("a tree");
    assert!(Ast::in_steps(&doubled, &scop.trusted_context(), &Options::default(), &scop.steps()).is_err());
}

#[test]
fn the_compiled_loops_do_what_replay_does() {
    let scop = model(SOLVER);
    let dependences = Dependences::of_any(&scop).expect("a loop with an end");
    let found = Schedule::of(&scop, &dependences, &schedule::Options::default());
    let ast = loops(&scop, &found.tree, Separation::default());
    let directory = std::env::temp_dir().join(format!("loopwright-steps-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (source, program) = (directory.join("scan.c"), directory.join("scan"));
    let text = print::c99(&ast, print::Options { main: true });
    std::fs::write(&source, &text).unwrap();
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-o"];
    let Ok(compiled) = std::process::Command::new("cc").args(flags).arg(&program).arg(&source).status() else {
        println!("skipped: there is no C compiler");
        return;
    };
    assert!(compiled.success(), "{text}");
    for steps in [0, 1, 4] {
        let output = std::process::Command::new(&program).args(["6", &steps.to_string()]).output().unwrap();
        let ran = replay::trace_in_steps(&ast, &[6], &|_, point| point[0] < steps).instances;
        let shown = |(id, point): &Instance| {
            let point: Vec<String> = point.iter().map(i64::to_string).collect();
            format!("{id}({})\n", point.join(", "))
        };
        assert_eq!(String::from_utf8(output.stdout).unwrap(), ran.iter().map(shown).collect::<String>());
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn the_exact_dataflow_is_that_of_runs_with_a_last_step() {
    let texts = [
        "double f(double); void g(double x[const restrict static 9]) { double e; Z: e = 1;
          L: while (e > 1) { A: x[1] = f(x[1]); B: e = f(x[1]); } C: x[2] = x[1]; }",
        "double f(double); void g(int n, double x[const restrict static n]) { double e; Z: e = 1;
          do { A: x[0] = f(e); T: if (x[0] > 1) { X: x[1] = e; break; } B: e = f(x[0]); } while (e > 0); C: x[0] = x[1]; }",
    ];
    for text in texts {
        let scop = model(text).with_last_step();
        assert_eq!(scop::verify(&scop), Ok(()), "{scop}");
        let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}\n{scop}"));
        dataflow.verify().unwrap_or_else(|e| panic!("{e}"));
    }
    let fixed = model("void g(int n, int x[const restrict static n]) { for (int i = 0; i < n; i++) x[i] = 1; }");
    assert_eq!(fixed.with_last_step().to_string(), fixed.to_string());
}

#[test]
fn what_steps_change_is_not_what_it_was_before_them() {
    for loops in [
        "for (int i = 0, j = 0; i < n; i += 2, j++) a[j] = 1;",
        "for (int i = n; i-- > 0;) a[i] = 1;",
        "for (int i = 0; i < n; i = i * 2 + 1) a[i] = 1;",
        "for (int i = 0; i < n; i += a[0]) a[i] = 1;",
        "int i; for (i = 0; i < n; i += 1 + a[0] % 2) a[i] = 1;",
    ] {
        let text = format!("void g(int n, int a[const restrict static n]) {{ {loops} }}");
        for models in [parse(&text, "test.c"), parse_in_steps(&text, "test.c")] {
            let scop = models.expect("a model").swap_remove(0);
            let writes = scop.statements.iter().flat_map(|statement| &statement.accesses);
            let of_a = writes.filter(|a| a.kind.writes() && a.array.as_str() == "a");
            let second = of_a.map(|a| a.relation.range()).any(|elements| {
                let second = Set::parse("[n] -> { a[1] : n = 5 }").expect("a set").align_params(elements.space());
                !elements.is_disjoint(&second)
            });
            assert!(second, "{text}\n{scop}");
        }
    }
}

/// `e = 3; x = 0; while (e > 0) { x = x + e; e = e - 1; } y = x;`
const SUM: &str = r#"name: sum
arrays:
- { name: e, element: i64, size_bytes: 8, kind: scalar, live_out: false }
- { name: x, element: i64, size_bytes: 8, kind: scalar, live_out: false }
- { name: y, element: i64, size_bytes: 8, live_out: true }
- { name: p, element: i1, size_bytes: 1, shape: [ "" ], kind: scalar, live_out: false }
statements:
- { name: E, domain: "{ E[] }", compute: "3", accesses: [ { write: "{ E[] -> e[] }" } ] }
- { name: X, domain: "{ X[] }", compute: "0", accesses: [ { write: "{ X[] -> x[] }" } ] }
- name: P
  domain: "{ P[w] : w >= 0 }"
  compute: "now > 0"
  accesses:
  - { id: now, read: "{ P[w] -> e[] }" }
  - write: "{ P[w] -> p[w] }"
  - when: "{ P[w] -> p[w - 1] : w >= 1 }"
- name: S
  domain: "{ S[w] : w >= 0 }"
  compute: "sum + next"
  accesses:
  - { id: sum, read: "{ S[w] -> x[] }" }
  - { id: next, read: "{ S[w] -> e[] }" }
  - write: "{ S[w] -> x[] }"
  - when: "{ S[w] -> p[w] }"
- name: T
  domain: "{ T[w] : w >= 0 }"
  compute: "old - 1"
  accesses:
  - { id: old, read: "{ T[w] -> e[] }" }
  - write: "{ T[w] -> e[] }"
  - when: "{ T[w] -> p[w] }"
- name: Y
  domain: "{ Y[] }"
  compute: "all"
  accesses:
  - { id: all, read: "{ Y[] -> x[] }" }
  - write: "{ Y[] -> y[] }"
schedule:
  domain: "{ E[]; X[]; P[w] : w >= 0; S[w] : w >= 0; T[w] : w >= 0; Y[] }"
  child:
    sequence:
    - filter: "{ E[] }"
    - filter: "{ X[] }"
    - filter: "{ P[w]; S[w]; T[w] }"
      child:
        schedule: "[{ P[w] -> [(w)]; S[w] -> [(w)]; T[w] -> [(w)] }]"
        child:
          sequence:
          - filter: "{ P[w] }"
          - filter: "{ S[w] }"
          - filter: "{ T[w] }"
    - filter: "{ Y[] }"
"#;

#[test]
fn the_sum_of_all_steps_is_that_of_the_exact_dataflow() {
    let scop = scop::read(SUM).expect("a model");
    let turns = scop.with_last_step();
    assert_eq!(scop::verify(&turns), Ok(()), "{turns}");
    let dataflow = Dataflow::of(&turns).unwrap_or_else(|e| panic!("{e}\n{turns}"));
    dataflow.verify().unwrap_or_else(|e| panic!("{e}"));
    for (last, sum) in [(0, 3), (1, 5), (2, 6), (3, 6), (9, 6)] {
        let input = Input { params: vec![last], elements: Memory::new(), fill: Some(1) };
        let runs = Runs::of(&dataflow, &input).unwrap_or_else(|e| panic!("{e}\n{turns}"));
        assert!(runs.to_string().contains(&format!("y[] = {sum}\n")), "{runs}");
    }
    let partial = SUM.replace("p[w - 1] : w >= 1", "p[w - 1] : w >= 2");
    assert!(scop::read(&partial).is_err(), "P[0] and P[1] would both be first");
    let partial = SUM.replace("{ S[w] -> p[w] }", "{ S[w] -> p[w] : w >= 1 }");
    assert!(scop::read(&partial).is_err(), "S[0] would run without being asked");
}
