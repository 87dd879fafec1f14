//! Programs with control that data decides, compiled and run, against a run of their models.
//!
//! Tests: 001 conditions, control-flow, while; 004 3.3

use crate::c_program::parse_exactly;
use crate::dependence::dynamic::Dataflow;
use crate::dependence::dynamic::input::Input;
use crate::dependence::dynamic::run::Runs;
use crate::dependence::dynamic::sequential;
use crate::presburger::{Id, within};
use crate::property::property;
use crate::scop::{self, AccessKind, Scop};
use arbtest::arbitrary::{Result, Unstructured};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::process::Command;

/// Elements of the array `a` of all programs; no subscript is greater.
const LENGTH: usize = 16;
/// Sizes that programs run with.
const SIZES: [i64; 4] = [0, 1, 3, 6];
/// Steps of loops that nothing else bounds: no program has more.
const LAST_STEP: i64 = 8;

fn model(text: &str) -> Scop {
    parse_exactly(text, "test.c").unwrap_or_else(|error| panic!("{error}\n{text}")).swap_remove(0)
}

/// A program in the making.
struct Writer<'u, 'd> {
    u: &'u mut Unstructured<'d>,
    text: String,
    /// Variables of the loops around, and whether such a loop has an iterator of its own.
    loops: Vec<Around>,
    /// How many names there are.
    names: usize,
    /// How many more statements there may be.
    left: usize,
}

#[derive(Clone)]
struct Around {
    /// A variable that is less than the size, whatever comes.
    variable: Option<String>,
    label: String,
    /// Whether `continue` would skip what moves the loop on.
    is_moved_on: bool,
    has_goto: bool,
}

impl Writer<'_, '_> {
    fn place(&mut self) -> Result<String> {
        let variables: Vec<String> = self.loops.iter().filter_map(|around| around.variable.clone()).collect();
        if variables.is_empty() || self.u.ratio(1, 4)? {
            return Ok(format!("a[{}]", self.u.int_in_range(0..=9)?));
        }
        let (variable, plus) = (self.u.choose(&variables)?.clone(), self.u.int_in_range(0..=4)?);
        Ok(match self.u.int_in_range(0..=5)? {
            0 => format!("a[9 - {variable}]"),
            1 => format!("a[2 * {variable}]"),
            _ => format!("a[{variable} + {plus}]"),
        })
    }

    fn value(&mut self) -> Result<String> {
        let (place, by, plus) = (self.place()?, self.u.int_in_range(1..=4)?, self.u.int_in_range(0..=9)?);
        Ok(match self.u.int_in_range(0..=3)? {
            0 => format!("({place} * {by} + {plus}) % 17"),
            1 => format!("({place} + s[0]) % 13"),
            2 => format!("{place} > {plus} ? {plus} - {by} : {place} + 1"),
            _ => place,
        })
    }

    fn condition(&mut self) -> Result<String> {
        let (place, with) = (self.place()?, self.u.int_in_range(0..=9)?);
        Ok(match self.u.int_in_range(0..=4)? {
            0 => format!("{place} % 3 == {}", with % 3),
            1 => format!("s[0] > {with}"),
            2 => format!("{place} > {with} || {} < {with}", self.place()?),
            3 => format!("!({place} % 2)"),
            _ => format!("{place} < {with}"),
        })
    }

    fn block(&mut self, depth: usize) -> Result<()> {
        self.text.push_str("{\n");
        for _ in 0..self.u.int_in_range(1..=3)? {
            self.statement(depth + 1)?;
        }
        self.text.push_str("}\n");
        Ok(())
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statement(&mut self, depth: usize) -> Result<()> {
        self.left = self.left.saturating_sub(1);
        let choice = if self.left == 0 || depth > 5 { 0 } else { self.u.int_in_range(0..=11)? };
        match choice {
            0..=2 => {
                let (place, value) = (self.place()?, self.value()?);
                let operator = if self.u.ratio(1, 5)? { "+=" } else { "=" };
                let place = if self.u.ratio(1, 4)? { "s[0]".to_string() } else { place };
                let value = if operator == "+=" { format!("({value}) % 5") } else { value };
                self.line(&format!("{place} {operator} {value};"));
            }
            3..=5 => {
                let condition = self.condition()?;
                self.line(&format!("if ({condition})"));
                self.block(depth)?;
                if self.u.ratio(1, 2)? {
                    self.line("else");
                    self.block(depth)?;
                }
            }
            6 => {
                let Some(variable) = self.loops.iter().rev().find_map(|around| around.variable.clone()) else {
                    return Ok(());
                };
                let most = self.u.int_in_range(0..=5)?;
                self.line(&format!("if ({variable} < {most})"));
                self.block(depth)?;
            }
            7..=9 => self.one_loop(depth)?,
            _ => self.leaves()?,
        }
        Ok(())
    }

    fn one_loop(&mut self, depth: usize) -> Result<()> {
        let number = self.names;
        self.names += 1;
        let (variable, label) = (format!("i{number}"), format!("E{number}"));
        let rest = if self.u.ratio(1, 3)? {
            format!(" && {}", self.condition()?).replace(" || ", " && ")
        } else {
            String::new()
        };
        let kind = self.u.int_in_range(0..=6)?;
        let head = match kind {
            0 | 1 => format!("for (int {variable} = 0; {variable} < n{rest}; {variable}++)"),
            2 => format!("for (int {variable} = n - 1; {variable} >= 0{rest}; {variable} -= 1)"),
            5 => format!("for (int {variable} = 0, m{number} = n; {variable} < m{number}{rest}; {variable}++)"),
            6 => format!("for (int {variable} = 0; {variable} < n{rest}; {variable} = {variable} * 2 + 1)"),
            3 => format!("{{ int {variable} = 0;\nwhile ({variable} < n{rest})"),
            _ => format!("{{ int {variable} = 0;\ndo"),
        };
        self.line(&head);
        let (known, is_for) = ((kind < 4).then(|| variable.clone()), !(3..=4).contains(&kind));
        let around = Around { variable: known, label: label.clone(), is_moved_on: is_for, has_goto: false };
        self.loops.push(around);
        if is_for && kind != 5 {
            self.block(depth)?;
        } else if is_for {
            self.line(&format!("{{ m{number} = m{number} - 1;"));
            self.block(depth)?;
            self.line("}");
        } else {
            self.line("{");
            self.block(depth)?;
            self.line(&format!("{variable}++;\n}}"));
        }
        let around = self.loops.pop().expect("one was pushed");
        if kind == 4 {
            self.line(&format!("while ({variable} < n && s[0] % 7 != 3);"));
        }
        if around.has_goto {
            let value = self.value()?;
            self.line(&format!("{label}: s[0] = {value};"));
        }
        if !is_for {
            self.line("}");
        }
        Ok(())
    }

    /// A way out of the loops around.
    fn leaves(&mut self) -> Result<()> {
        let n = self.loops.len();
        let Some(last) = self.loops.last().cloned() else { return Ok(()) };
        let condition = self.condition()?;
        let way = match self.u.int_in_range(0..=6)? {
            0..=2 => "break;".to_string(),
            3 | 4 if last.is_moved_on => "continue;".to_string(),
            5 => {
                let to = self.u.choose_index(n)?;
                self.loops[to].has_goto = true;
                format!("goto {};", self.loops[to].label)
            }
            6 => "return;".to_string(),
            _ => "break;".to_string(),
        };
        match self.u.ratio(1, 2)? {
            true => self.line(&format!("if ({condition}) {way}")),
            false => {
                let (place, value) = (self.place()?, self.value()?);
                self.line(&format!("if ({condition}) {{ {place} = {value}; {way} }}"));
            }
        }
        Ok(())
    }
}

fn program(u: &mut Unstructured<'_>, name: &str) -> Result<String> {
    let head =
        format!("void {name}(int n, int a[const restrict static {LENGTH}], int s[const restrict static 1]) {{\n");
    let mut writer = Writer { u, text: head, loops: Vec::new(), names: 0, left: 14 };
    for _ in 0..writer.u.int_in_range(1..=3)? {
        writer.one_loop(1)?;
    }
    writer.text.push_str("}\n");
    Ok(writer.text)
}

fn first(at: usize) -> i64 {
    (at as i64 * 7 + 3) % 11
}

/// What the compiled programs leave for each size: `a`, and `s` behind it. `None` without a compiler.
fn compiled(programs: &[String]) -> Option<Vec<Vec<Vec<i64>>>> {
    let directory = std::env::temp_dir().join(format!("loopwright-exact-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a folder");
    let mut text = "#include <stdio.h>\n".to_string();
    programs.iter().for_each(|program| text.push_str(program));
    let _ = writeln!(text, "int main(void) {{ int a[{LENGTH}], s[1], j;");
    for at in 0..programs.len() {
        for n in SIZES {
            let _ =
                writeln!(text, "for (j = 0; j < {LENGTH}; j++) a[j] = (j * 7 + 3) % 11;\ns[0] = 2; f{at}({n}, a, s);");
            let _ = writeln!(text, "for (j = 0; j < {LENGTH}; j++) printf(\"%d \", a[j]);\nprintf(\"%d\\n\", s[0]);");
        }
    }
    text.push_str("return 0; }\n");
    let (source, binary) = (directory.join("programs.c"), directory.join("programs"));
    std::fs::write(&source, &text).expect("a file");
    let Ok(made) = Command::new("cc").args(["-std=c11", "-w", "-O0", "-o"]).arg(&binary).arg(&source).status() else {
        println!("skipped: there is no C compiler");
        return None;
    };
    assert!(made.success(), "{text}");
    let output = Command::new(&binary).output().expect("the programs run");
    std::fs::remove_dir_all(&directory).expect("the folder goes");
    let lines = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<Vec<i64>> =
        lines.lines().map(|line| line.split(' ').map(|word| word.parse().expect("a number")).collect()).collect();
    Some(lines.chunks(SIZES.len()).map(<[Vec<i64>]>::to_vec).collect())
}

/// What a model's own run leaves.
fn left(scop: &Scop, memory: &crate::dependence::dynamic::input::Memory) -> Vec<i64> {
    let of = |name: &str, at: usize, otherwise: i64| {
        let array = scop.arrays.id_where(|array| array.name == Id::new(name));
        let value = array.and_then(|array| memory.get(&(array, vec![at as i64])));
        value.map_or(otherwise, |value| value.to_string().parse().expect("an integer"))
    };
    (0..LENGTH).map(|at| of("a", at, first(at))).chain([of("s", 0, 2)]).collect()
}

fn input(scop: &Scop, n: i64) -> Input {
    let given: Vec<(String, i64)> =
        scop.params.iter().map(|name| (name.to_string(), if name.as_str() == "n" { n } else { LAST_STEP })).collect();
    let elements: Vec<i64> = (0..LENGTH).map(first).collect();
    let known = |name: &str| scop.arrays.iter().any(|array| array.name.as_str() == name);
    let mut parts = Vec::new();
    if known("a") {
        parts.push(format!("\"a\": {elements:?}"));
    }
    if known("s") {
        parts.push("\"s\": [2]".to_string());
    }
    Input::parse(scop, &format!("{{ {} }}", parts.join(", ")), &given, Some(1)).expect("an input")
}

/// Programs whose graphs are run as well: the first ones, which are the smallest.
const WITH_GRAPHS: usize = 24;
/// Work units for a graph: conditions in loops in conditions have large ones. So many of the graphs must be ready before.
const GRAPH_STEPS: u64 = 5_000_000;
const LEAST_GRAPHS: usize = 6;

#[test]
fn models_do_what_compiled_programs_do() {
    let mut programs = Vec::new();
    property(120, |u| {
        let text = program(u, &format!("f{}", programs.len()))?;
        programs.push(text);
        Ok(())
    });
    let Some(expected) = compiled(&programs) else { return };
    let mut n_graphs = 0;
    for (at, (text, expected)) in programs.iter().zip(&expected).enumerate() {
        let Ok(mut models) = parse_exactly(text, "test.c") else { panic!("{text}") };
        let scop = models.swap_remove(0);
        assert_eq!(scop::verify(&scop), Ok(()), "{text}");
        let is_certain = |s: &scop::Statement| s.accesses.iter().all(|a| a.kind != AccessKind::MayWrite);
        assert!(scop.statements.iter().all(is_certain), "{text}\n{scop}");
        for (n, expected) in SIZES.iter().zip(expected) {
            let input = input(&scop, *n);
            let run = sequential::run(&scop, &input).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
            assert_eq!(left(&scop, &run.memory), *expected, "n = {n}\n{text}\n{scop}");
        }
        if at < WITH_GRAPHS {
            let ran = within(GRAPH_STEPS, || {
                let dataflow = Dataflow::of(&scop).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
                Runs::of(&dataflow, &input(&scop, 3)).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
            });
            n_graphs += usize::from(ran.is_ok());
        }
    }
    assert!(n_graphs >= LEAST_GRAPHS, "only {n_graphs} graphs were ready");
}

fn conditions(text: &str, expected: Expect) {
    let scop = model(text);
    let told = scop.statements.iter().map(|statement| {
        let compute = statement.compute.as_ref().map_or(String::new(), |value| format!(" = {value}"));
        let when = statement.accesses.iter().filter_map(|a| Some((a.condition?, a.array.to_string())));
        let when: Vec<String> =
            when.map(|(holds, array)| format!(" {} {array}", if holds { "when" } else { "unless" })).collect();
        format!("{}{compute}{}\n", statement.name, when.concat())
    });
    expected.assert_eq(&told.collect::<String>());
}

#[test]
fn ways_out_are_truths_that_statements_ask() {
    conditions(
        "void f(int n, int a[const restrict static n], int s[const restrict static 1]) {
           for (int j = 0; j < n; j++) { P: if (a[j] < 0) break; Q: if (a[j] == 0) continue; A: s[0] += a[j]; }
         }",
        expect![[r#"
            S_0 = 1
            S_1 = 1
            S_2 = S_2_r0
            P = P_r0 < 0 when runs
            S_3 = 0 when runs when taken
            S_4 = 0 when runs when taken
            S_5 = S_5_r0 when runs
            Q = Q_r0 == 0 when runs when runs_1
            S_6 = 0 when runs when runs_1 when taken_1
            S_7 = S_7_r0 when runs
            A = A_r1 + A_r0 when runs when runs_2
        "#]],
    );
}

#[test]
fn reads_that_do_not_happen_are_not_waited_for() {
    let head = "int n, int a[const restrict static 16], int s[const restrict static 1]";
    for body in [
        "for (int i = 0; i < n; i++) if (i > 0 && a[i - 1] > 2) s[0] += i;",
        "for (int i = 0; i < n; i++) s[0] += i < n - 1 ? a[i + 1] : 0;",
        "for (int i = 0; i < n; i++) if (i == n - 1 || a[i + 1] > 2) s[0] += a[i];",
    ] {
        let text = format!("void f({head}) {{ {body} }}");
        let scop = model(&text);
        let dataflow = Dataflow::of(&scop).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
        dataflow.verify().unwrap_or_else(|why| panic!("{why}\n{text}"));
        Runs::of(&dataflow, &input(&scop, 5)).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
    }
}
