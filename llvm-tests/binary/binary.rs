//! The `loopwright` binary as a user meets it: what it prints, what it complains about, its exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};

const SUM: &str = r#"name: prefix
context: "[n] -> { : n >= 0 }"
statements:
- name: S
  domain: "[n] -> { S[i] : 0 < i < n }"
  location: "prefix.c:3"
  accesses:
  - read: "{ S[i] -> A[i] }"
  - read: "{ S[i] -> A[i - 1] }"
  - write: "{ S[i] -> A[i] }"
schedule:
  domain: "[n] -> { S[i] : 0 < i < n }"
  child:
    schedule: "[n] -> [{ S[i] -> [(i)] }]"
"#;

/// Runs the binary on a file with `text`, and says what it wrote and how it ended.
fn run(name: &str, text: &str, before: &[&str], after: &[&str]) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the test directory is writable");
    let arguments =
        before.iter().copied().chain([path.to_str().expect("a path in UTF-8")]).chain(after.iter().copied());
    let output = Command::new(env!("CARGO_BIN_EXE_loopwright")).args(arguments).output().expect("the binary runs");
    shown(&output).replace(&path.display().to_string(), name)
}

fn shown(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{out}{err}exit code {}\n", output.status.code().unwrap_or(-1))
}

fn check(name: &str, text: &str, before: &[&str], after: &[&str], expected: Expect) {
    expected.assert_eq(&run(name, text, before, after));
}

#[test]
fn stages_print_their_results() {
    check(
        "deps.scop",
        SUM,
        &["deps"],
        &[],
        expect![[r#"
        flow:
          write S_2 -> read S_1 of A: [n] -> { S[i] -> S[i + 1] : 0 < i <= n - 2 }
        live in:
          [n] -> { S[i] -> A[i] : 0 < i < n; S[1] -> A[0] : n >= 2 }
        live out:
          [n] -> { S[i] -> A[i] : 0 < i < n }
        exit code 0
    "#]],
    );
    check(
        "schedule.scop",
        SUM,
        &["schedule"],
        &["--original"],
        expect![[r#"
        domain: "[n] -> { S[i] : 0 < i < n }"
        child:
          schedule: "[n] -> [{ S[i] -> [(i)] }]"
        exit code 0
    "#]],
    );
    check(
        "map.scop",
        SUM,
        &["schedule"],
        &["--original", "--map"],
        expect![[r#"
        [n] -> { S[i] -> [i] : 0 < i < n }
        exit code 0
    "#]],
    );
    check(
        "check.scop",
        SUM,
        &["check"],
        &["--original"],
        expect![[r#"
        prefix: the model keeps its laws, the schedule keeps the dependences
        exit code 0
    "#]],
    );
    check(
        "found.scop",
        SUM,
        &["check"],
        &[],
        expect![[r#"
        prefix: the model keeps its laws, the schedule keeps the dependences
        exit code 0
    "#]],
    );
}

#[test]
fn loops_are_c() {
    let c = run("loops.scop", SUM, &["ast"], &["--original"]);
    assert!(c.contains("for (") && c.contains("S("), "{c}");
}

#[test]
fn a_wrong_schedule_is_found_out() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("backwards.tree");
    let tree = "domain: \"[n] -> { S[i] : 0 < i < n }\"\nchild:\n  schedule: \"[n] -> [{ S[i] -> [(-i)] }]\"\n";
    std::fs::write(&path, tree).expect("the test directory is writable");
    let tree = path.to_str().expect("a path in UTF-8");
    check(
        "backwards.scop",
        SUM,
        &["check"],
        &["--tree", tree],
        expect![[r#"
        loopwright: prefix: the schedule is wrong (Order) for [n] -> { S[i] -> S[i + 1] : 0 < i <= n - 2 }
        exit code 1
    "#]],
    );
    let loops = run("backwards.scop", SUM, &["ast"], &["--tree", tree]);
    let warning = "these loops do not do what the model does, as the schedule does not run the source of a dependence before its sink";
    assert!(loops.contains(warning) && loops.ends_with("exit code 0\n"), "{loops}");
}

/// What the loops of a tree are said to be, and are not.
#[test]
fn what_a_tree_says_of_its_loops_is_checked() {
    let given = |name: &str, model: &str, stage: &str, tree: &str| {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{stage}.tree"));
        std::fs::write(&path, tree).expect("the test directory is writable");
        run(&format!("{name}-{stage}.scop"), model, &[stage], &["--tree", path.to_str().expect("a path in UTF-8")])
    };
    let parallel = "domain: \"[n] -> { S[i] : 0 < i < n }\"\nchild:\n  schedule: \"[n] -> [{ S[i] -> [(i)] }]\"\n  coincident: [ 1 ]\n";
    let loops = given("parallel", SUM, "ast", parallel);
    assert!(loops.contains("runs a dependent pair in different iterations of a parallel loop"), "{loops}");
    let model = "domain: [n] -> { S[i, j] : 0 < i, j < n }\nschedule: [n] -> { S[i, j] -> [i, j] }\n\
                 reads: [n] -> { S[i, j] -> a[i - 1, j + 1] }\nmust_writes: [n] -> { S[i, j] -> a[i, j] }\n";
    let band = "domain: \"[n] -> { S[i, j] : 0 < i, j < n }\"\nchild:\n  schedule: \"[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]\"\n  permutable: 1\n";
    let loops = given("band", model, "ast", band);
    assert!(
        loops.contains("says of a band that it is permutable, a loop of which runs a dependence backward"),
        "{loops}"
    );
    assert!(loops.ends_with("exit code 0\n"), "{loops}");
    let verdict = given("band", model, "check", band);
    assert!(verdict.contains("the schedule is wrong (Permutable)") && verdict.ends_with("exit code 1\n"), "{verdict}");
    let skewed = band.replace("[(j)]", "[(i + j)]");
    let loops = given("skewed", model, "ast", &skewed);
    assert!(!loops.contains("loopwright:"), "{loops}");
    // Without accesses there is nothing that could refute it.
    let silent = "domain: [n] -> { S[i, j] : 0 < i, j < n }\nschedule: [n] -> { S[i, j] -> [i, j] }\n";
    for stage in ["ast", "check"] {
        let loops = given("silent", silent, stage, band);
        assert!(loops.contains("no statement has accesses, so no dependence is known"), "{loops}");
    }
    let plain = given("plain", silent, "ast", &band.replace("  permutable: 1\n", ""));
    assert!(!plain.contains("believed"), "{plain}");
}

/// Runs a stage on [`SUM`] with a script, and says what it wrote and how it ended.
fn scripted(stage: &str, script: &str, expected: Expect) {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stage}.script"));
    std::fs::write(&path, script).expect("the test directory is writable");
    let path = path.to_str().expect("a path in UTF-8");
    let shown = run(&format!("scripted-{stage}.scop"), SUM, &[stage], &["--script", path]);
    expected.assert_eq(&shown.replace(path, "the script"));
}

#[test]
fn scripts_transform_schedules() {
    scripted(
        "ast",
        "stripmine S.0 4  # strips of four\nunroll S.1\ncheck",
        expect![[r#"
        #include <stdint.h>

        static inline int64_t floord(int64_t n, int64_t d) { return n / d - (n % d < 0); }
        void S(int64_t);

        void scan(int64_t n)
        {
          for (int64_t c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) {
            if (c0 >= 1) {
              S(4 * c0);
            }
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
        }
        exit code 0
    "#]],
    );
    scripted(
        "schedule",
        "reverse S.0\nshift S.0 n",
        expect![[r#"
        loopwright: the script: since line 1 (`reverse S.0`), the schedule does not run the source of a dependence before its sink: [n] -> { S[1] -> S[2] : n = 3 }
        exit code 1
    "#]],
    );
    scripted(
        "check",
        "reverse S.0\nreverse S.1",
        expect![[r#"
        loopwright: the script: `S` has only the loop 0 (line 2, column 9)
          reverse S.1
                  ^
        exit code 2
    "#]],
    );
}

#[test]
fn wrong_texts_end_in_exit_code_2() {
    check(
        "brace.scop",
        &SUM.replace("S[i] -> A[i - 1]", "S[i] -> A[i -"),
        &["deps"],
        &[],
        expect![[r#"
        loopwright: brace.scop: expected a value or a condition, found `}` (line 9, column 28)
            - read: "{ S[i] -> A[i - }"
                                     ^
        exit code 2
    "#]],
    );
    check(
        "key.scop",
        &SUM.replace("context:", "kontext:"),
        &["check"],
        &[],
        expect![[r#"
        loopwright: key.scop: unknown key `kontext`; expected one of name, params, context, assumed, arrays, symbols, statements, schedule (line 2, column 11)
          kontext: "[n] -> { : n >= 0 }"
                    ^
        exit code 2
    "#]],
    );
    check(
        "indent.scop",
        &SUM.replace("  child:\n", "   child:\n"),
        &["ast"],
        &[],
        expect![[r#"
        loopwright: indent.scop: unexpected indentation (line 13, column 4)
             child:
             ^
        exit code 2
    "#]],
    );
    check(
        "program.iscc",
        "A := { [i] : i > 0 };\nprint A +;\n",
        &["calc"],
        &[],
        expect![[r#"
        loopwright: program.iscc: expected an operand, found `;` (line 2, column 10)
          print A +;
                   ^
        exit code 2
    "#]],
    );
    check(
        "empty.scop",
        "",
        &["schedule"],
        &[],
        expect![[r#"
            loopwright: empty.scop: there is no model in this text (line 1, column 1)

              ^
            exit code 2
        "#]],
    );
}

/// Texts that are nothing of what a command reads, each with a message, none with a panic.
#[test]
fn any_text_ends_in_a_message() {
    let texts = [
        "",
        "\n",
        "\0",
        "{",
        "}",
        "- - -",
        "name: {",
        "\u{feff}name: x",
        "[[[[[[",
        "{ [i] : ",
        "a: b: c",
        "\t\t",
        "é∃→",
    ];
    let long = format!("name: {}", "[".repeat(20_000));
    for text in texts.into_iter().chain([long.as_str()]) {
        for command in ["deps", "schedule", "ast", "check"] {
            let shown = run("any.scop", text, &[command], &[]);
            assert!(shown.ends_with("exit code 2\n") && !shown.contains("panicked"), "{command} of {text:?}: {shown}");
        }
        for before in [&["calc"][..], &["calc", "--ops"][..]] {
            let shown = run("any.iscc", text, before, &[]);
            let code = shown.lines().last().unwrap_or_default();
            assert!(["exit code 0", "exit code 2"].contains(&code), "{before:?} of {text:?}: {shown}");
            assert!(!shown.contains("panicked") && !shown.contains("internal"), "{before:?} of {text:?}: {shown}");
        }
    }
    check(
        "nothing.iscc",
        "",
        &["calc"],
        &[],
        expect![[r#"
        exit code 0
    "#]],
    );
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bytes.scop");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).expect("the test directory is writable");
    let output =
        Command::new(env!("CARGO_BIN_EXE_loopwright")).arg("deps").arg(&path).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
}

/// What the binary answers to a text on its standard input.
fn answers(arguments: &[&str], input: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loopwright"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("the binary reads");
    shown(&child.wait_with_output().expect("the binary ends"))
}

#[test]
fn operations_are_answered_line_by_line() {
    expect![[r#"
        { [i] : 0 <= i <= 2 }

        !argument 1, line 1, column 9: unexpected character `�`
        EMPTY
        True
        exit code 0
    "#]].assert_eq(&answers(
        &["calc", "--ops"],
        b"intersect\t{ [i] : i >= 0 }\t{ [i] : i < 3 }\n\nis_empty\t{ [i] : \xff }\nsample\t{ [i] : i > i }\nis_equal\t{ [2] }\t{ [i] : i = 2 }",
    ));
}

#[test]
fn times_follow_the_results() {
    let numbers_gone = |text: &str| text.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect::<String>();
    let squeezed = |mut text: String| {
        while text.contains("99") {
            text = text.replace("99", "9");
        }
        text
    };
    let times = |arguments: &[&str], input: &[u8]| squeezed(numbers_gone(&answers(arguments, input)));
    expect![[r#"
        { [i] : i >= 9 }  # 9 ns
        9  # 9 ns
        exit code 9
    "#]]
    .assert_eq(&times(&["calc", "--time", "2"], b"{ [i] : i > 1 }; 1;"));
    expect![[r#"
        {"ns":9,"result":9}
        exit code 9
    "#]]
    .assert_eq(&times(&["calc", "--time", "2", "--json"], b"1 + 1;"));
    expect![[r#"
        True	9
        !unknown operation `foo`
        exit code 9
    "#]]
    .assert_eq(&times(&["calc", "--ops", "--time", "2"], b"is_empty\t{ }\nfoo\n"));
}

#[test]
fn the_calculator_reads_standard_input() {
    expect![[r#"
        {"kind":"piecewise quasipolynomial","value":"{ 7 }"}
        "text"
        [1,true]
        exit code 0
    "#]]
    .assert_eq(&answers(&["calc", "--json"], b"card { [i] : 0 <= i < 7 }; \"text\"; (1, { [i] } = { [j] });\n"));
}

const MAX: &str = "name: max
context: [n] -> { : n >= 0 }
domain: [n] -> { P[i] : 0 <= i < n; S[i] : 0 <= i < n }
schedule: { P[i] -> [i, 0]; S[i] -> [i, 1] }
reads: { P[i] -> r[]; P[i] -> x[i]; S[i] -> x[i] }
must_writes: { P[i] -> p[i]; S[i] -> r[] }
when: { S[i] -> p[i] }
compute: P = P_0 < P_1; S = S_0
";

#[test]
fn programs_with_conditions_on_data_have_an_exact_dataflow() {
    let graphs = run("max.scop", MAX, &["dataflow"], &[]);
    assert!(graphs.contains("(ports (r f64 (P{i} -> S{i} : (i = 0 -> r_in{} : B1{i - 1}))))"), "{graphs}");
    check(
        "effects.scop",
        MAX,
        &["dataflow"],
        &["--effects"],
        expect![[r#"
            do i
              r{} = (n > 0 -> B1{n - 1} : ⊥)
              sequence
                r{} = B1{i}
                P
                if P
                  r{} = B1{i}
                  S
                    r{} = S{i}
            exit code 0
        "#]],
    );
    check(
        "inverse.scop",
        MAX,
        &["dataflow"],
        &["--check"],
        expect![[r#"
        max: each source exists, and the graphs are inverse to each other
        exit code 0
    "#]],
    );
    let drawing = run("dot.scop", MAX, &["dataflow"], &["--dot"]);
    assert!(drawing.starts_with("digraph \"max\" {") && drawing.ends_with("}\nexit code 0\n"), "{drawing}");
    let input = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("max.json");
    std::fs::write(&input, r#"{ "n": 4, "x": [3, 9, 2, 5], "r": 0 }"#).expect("the test directory is writable");
    let input = input.to_str().expect("a path in UTF-8");
    check(
        "run.scop",
        MAX,
        &["dataflow"],
        &["--run", "--input", input],
        expect![[r#"
        r[] = 9.0
        sequential      6 instances,     4 operations
        S-graph        10 instances,     4 operations; on the longest chain 4 operations among 8 instances
        U-graph        18 instances,     4 operations; on the longest chain 4 operations among 14 instances
        all three leave the same
        exit code 0
    "#]],
    );
    check(
        "unset.scop",
        MAX,
        &["dataflow"],
        &["--run", "--param", "n=2"],
        expect![[r#"
        loopwright: unset.scop: the input gives no value for r[]
        exit code 1
    "#]],
    );
    check(
        "outside.scop",
        MAX,
        &["dataflow"],
        &["--run", "--param", "n=-1"],
        expect![[r#"
        loopwright: outside.scop: the parameters are outside of the context [n] -> { : n >= 0 }
        exit code 2
    "#]],
    );
    let may = MAX
        .replace("P[i] -> p[i]; S[i] -> r[] }\nwhen: { S[i] -> p[i] }", "P[i] -> p[i] }\nmay_writes: { S[i] -> r[] }");
    check(
        "may.scop",
        &may,
        &["dataflow"],
        &[],
        expect![[r#"
            ; S-graph
            (node (P i)
              (dom "[n] -> { P[i] : 0 <= i < n }")
              (ports (P_0 f64 (i = 0 -> r_in{} : B1{i - 1}))
                     (P_1 f64 x_in{i}))
              (body (eval p f64 P_0 < P_1)))
            (node (S_test i)
              (dom "[n] -> { S_test[i] : 0 <= i < n }")
              (ports (S_test_0 f64 x_in{i}))
              (body (eval S_taken i1 S_test(S_test_0))))
            (node (S i)
              (dom "[n] -> { S[i] : 0 <= i < n }" S_test^T{i})
              (ports (S_0 f64 x_in{i}))
              (body (eval r f64 S_0)))
            (node (r_in)
              (dom "[n] -> { r_in[] : n > 0 }")
              (ports (r f64 IN))
              (body (eval r f64 r)))
            (node (x_in q0)
              (dom "[n] -> { x_in[q0] : 0 <= q0 < n }")
              (ports (x f64 IN))
              (body (eval x f64 x)))
            (node (r_out)
              (dom "[n] -> { r_out[] : n > 0 }")
              (ports (r f64 B1{n - 1}))
              (body (eval r f64 r OUT)))
            (node (p_out q0)
              (dom "[n] -> { p_out[q0] : 0 <= q0 < n }")
              (ports (p f64 P{q0}))
              (body (eval p f64 p OUT)))
            (node (B1 i)
              (dom "[n] -> { B1[i] : 0 <= i < n }")
              (ports (r f64 (S_test{i} -> S{i} : (i = 0 -> r_in{} : B1{i - 1}))))
              (body (eval r f64 r)))
            ; U-graph
            (node (P i)
              (dom "[n] -> { P[i] : 0 <= i < n }")
              (ports (P_0 f64)
                     (P_1 f64))
              (body (eval p f64 P_0 < P_1 p_out.p{i})))
            (node (S_test i)
              (dom "[n] -> { S_test[i] : 0 <= i < n }")
              (ports (S_test_0 f64))
              (body (eval S_taken i1 S_test(S_test_0) (& F1.if{i} F2.if{i}))))
            (node (S i)
              (dom "[n] -> { S[i] : 0 <= i < n }" S_test^T{i})
              (ports (S_0 f64))
              (body (eval r f64 S_0 B1.r{i})))
            (node (r_in)
              (dom "[n] -> { r_in[] : n > 0 }")
              (ports (r f64 IN))
              (body (eval r f64 r (& P.P_0{0} F2.value{0}))))
            (node (x_in q0)
              (dom "[n] -> { x_in[q0] : 0 <= q0 < n }")
              (ports (x f64 IN))
              (body (eval x f64 x (& P.P_1{q0} S_test.S_test_0{q0} F1.value{q0}))))
            (node (r_out)
              (dom "[n] -> { r_out[] : n > 0 }")
              (ports (r f64))
              (body (eval r f64 r OUT)))
            (node (p_out q0)
              (dom "[n] -> { p_out[q0] : 0 <= q0 < n }")
              (ports (p f64))
              (body (eval p f64 p OUT)))
            (node (B1 i)
              (dom "[n] -> { B1[i] : 0 <= i < n }")
              (ports (r f64))
              (body (eval r f64 r (& (n > i + 1 -> P.P_0{i + 1} : ⊥) (n = i + 1 -> r_out.r{} : ⊥) (n > i + 1 -> F2.value{i + 1} : ⊥)))))
            (node (F1 i)
              (dom "[n] -> { F1[i] : 0 <= i < n }")
              (ports (value f64)
                     (if i1))
              (body (eval value f64 value when S_test{i} is true S.S_0{i})))
            (node (F2 i)
              (dom "[n] -> { F2[i] : n > 0 and 0 <= i < n }")
              (ports (value f64)
                     (if i1))
              (body (eval value f64 value when S_test{i} is false B1.r{i})))
            exit code 0
        "#]],
    );
}

/// What the binary answers on a file, as JSON.
fn json(name: &str, text: &str, before: &[&str], after: &[&str]) -> serde_json::Value {
    let shown = run(name, text, before, after);
    let answer = shown.strip_suffix("exit code 0\n").unwrap_or_else(|| panic!("{shown}"));
    serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn dependences_are_told_to_programs() {
    let sum = SUM.replace("A[i - 1] }\"\n", "s[] }\"\n    reduction: \"+\"\n").replace(
        "  - write: \"{ S[i] -> A[i] }\"\n",
        "  - write: \"{ S[i] -> s[] }\"\n    reduction: \"+\"\n  - write: \"{ S[i] -> B[] }\"\n    location: \"prefix.c:4:7\"\n",
    );
    let told = json("deps-json.scop", &sum, &["deps", "--json"], &[]);
    assert_eq!((&told["name"], &told["exact"]), (&"prefix".into(), &true.into()));
    assert!(told["relations"]["live_in"].as_str().is_some_and(|text| text.contains("S[i] -> A[i]")), "{told}");
    let pairs = told["pairs"].as_array().expect("a list");
    let of = |array: &str| -> Vec<_> { pairs.iter().filter(|pair| pair["source"]["array"] == array).collect() };
    let again = serde_json::json!({ "statement": "S", "access": "S_3", "array": "B", "kind": "write", "location": "prefix.c:4:7" });
    assert!(
        matches!(of("B")[..], [pair] if pair["kind"] == "output" && pair["sink"] == again && pair["operator"].is_null()),
        "{told}"
    );
    let sums = of("s");
    let is_sum = |pair: &&serde_json::Value| {
        pair["kind"] == "reduction" && pair["operator"] == "+" && pair["identity"] == "-0.0"
    };
    assert!(!sums.is_empty() && sums.iter().all(is_sum), "{told}");
    assert!(sums.iter().all(|pair| pair["sink"]["location"] == "prefix.c:3"), "{told}");
}

#[test]
fn runs_are_told_to_programs() {
    let input = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("max-told.json");
    std::fs::write(&input, r#"{ "n": 4, "x": [3, 9, 2, 5], "r": 0 }"#).expect("the test directory is writable");
    let input = input.to_str().expect("a path in UTF-8");
    let told = json("run-json.scop", MAX, &["dataflow", "--json"], &["--run", "--input", input]);
    expect![[r#"{"name":"max","outputs":{"r[]":"9.0"},"s_graph":{"depth":4,"instances":10,"operations":4,"rounds":8},"sequential":{"instances":6,"operations":4},"u_graph":{"depth":4,"instances":18,"operations":4,"rounds":14}}"#]].assert_eq(&told.to_string());
}
