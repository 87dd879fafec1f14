//! Programs run as they are written, against a run of their models.
//!
//! Tests: 004 2, 3.3

use crate::dependence::dynamic::Dataflow;
use crate::dependence::dynamic::input::{Input, Memory};
use crate::dependence::dynamic::run::Runs;
use crate::dependence::dynamic::sequential;
use crate::dependence::dynamic::value::{Value, evaluate, stuck};
use crate::fortran::syntax::{Left, Part, Program};
use crate::fortran::terms::Term;
use crate::fortran::{parse, syntax};
use crate::presburger::{Id, within};
use crate::property::property;
use crate::scop::expression::Operator;
use crate::scop::{Expression, Scop};
use arbtest::arbitrary::{Result, Unstructured};
use std::collections::BTreeMap;

/// Sizes that programs run with.
const SIZES: [i64; 4] = [0, 1, 3, 6];

/// Where a statement leads: to the next one, or out of so many loops and then of the next one or its iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    On,
    Out(usize, Left),
}

/// A program that runs.
struct Direct<'a> {
    scop: &'a Scop,
    input: &'a Input,
    loops: Vec<(String, i64)>,
    memory: Memory,
}

impl Direct<'_> {
    fn parts(&mut self, parts: &[Part]) -> Goes {
        for part in parts {
            match self.part(part) {
                Goes::On => {}
                out => return out,
            }
        }
        Goes::On
    }

    fn part(&mut self, part: &Part) -> Goes {
        match part {
            Part::Assign { target, value, .. } => {
                let (value, place) = (self.value(value), self.element(target));
                let element = self.scop.arrays[place.0].element;
                self.memory.insert(place, value.stored(element));
                Goes::On
            }
            Part::If { condition, yes, no, .. } => {
                let holds = self.value(condition).is_true();
                self.parts(if holds { yes } else { no })
            }
            Part::Leave { inner, what, .. } => Goes::Out(*inner, *what),
            Part::Do { variable, first, last, step, body, .. } => {
                let (mut at, last) = (self.whole(first), self.whole(last));
                while if *step > 0 { at <= last } else { at >= last } {
                    self.loops.push((variable.clone(), at));
                    let goes = self.parts(body);
                    self.loops.pop();
                    match goes {
                        Goes::Out(0, Left::Loop) => break,
                        Goes::On | Goes::Out(0, Left::Iteration) => at += step,
                        Goes::Out(inner, what) => return Goes::Out(inner - 1, what),
                    }
                }
                Goes::On
            }
        }
    }

    fn element(&self, term: &Term) -> (crate::scop::ArrayId, Vec<i64>) {
        let Term::Name { name, arguments, .. } = term else { panic!("no place") };
        let array = self.scop.arrays.id_where(|array| array.name == Id::new(name)).expect("an array of the model");
        (array, arguments.iter().map(|argument| self.whole(argument)).collect())
    }

    fn whole(&self, term: &Term) -> i64 {
        let Value::Int(value) = self.value(term) else { panic!("no integer") };
        value
    }

    fn value(&self, term: &Term) -> Value {
        let value = evaluate(&self.expression(term), &mut |name| stuck(name.as_str()));
        value.unwrap_or_else(|why| panic!("{why}"))
    }

    /// The expression with the values of its names in their places.
    fn expression(&self, term: &Term) -> Expression {
        let constant = |value: Value| match value {
            Value::Int(value) => Expression::Integer(value),
            Value::Float(value) => Expression::Float(value),
        };
        match term {
            Term::Integer(value) => Expression::Integer(*value),
            Term::Real(value) => Expression::Float(*value),
            Term::Apply { operator, operands, .. } => {
                Expression::Apply(*operator, operands.iter().map(|operand| self.expression(operand)).collect())
            }
            Term::Name { name, .. } => {
                let known = self.loops.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| *value);
                let param = || self.scop.params.iter().position(|param| param.as_str() == name);
                if let Some(value) = known.or_else(|| Some(self.input.params[param()?])) {
                    return Expression::Integer(value);
                }
                let place = self.element(term);
                let before = || self.input.element(self.scop, place.0, &place.1).expect("all elements have values");
                constant(self.memory.get(&place).copied().unwrap_or_else(before))
            }
        }
    }
}

fn input(scop: &Scop, n: i64) -> Input {
    Input { params: vec![n; scop.params.len()], elements: Memory::new(), fill: Some(n.unsigned_abs()) }
}

/// The model leaves what the program leaves.
fn agrees(text: &str) -> Scop {
    let program: Program = syntax::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let scop = parse(text, "test.f").unwrap_or_else(|error| panic!("{error}\n{text}"));
    for n in SIZES {
        let input = input(&scop, n);
        let mut direct = Direct { scop: &scop, input: &input, loops: Vec::new(), memory: Memory::new() };
        assert!(direct.parts(&program.body) == Goes::On, "{text}");
        let run = sequential::run(&scop, &input).unwrap_or_else(|why| panic!("{why} for n = {n}\n{text}\n{scop}"));
        let mut left = run.memory;
        left.retain(|(array, _), _| scop.arrays[*array].live_out);
        assert_eq!(left, direct.memory, "n = {n}\n{text}\n{scop}");
    }
    scop
}

/// A program in the making.
struct Writer<'u, 'd> {
    u: &'u mut Unstructured<'d>,
    text: String,
    /// Variables of the loops around, from `i0` on; the number at the end of each that has one; whether it has a name.
    loops: Vec<(String, Option<usize>, bool)>,
    /// How many loops there were.
    names: usize,
    /// How many more statements there may be.
    left: usize,
}

impl Writer<'_, '_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn place(&mut self) -> Result<String> {
        let array = if self.u.ratio(1, 2)? { "k" } else { "x" };
        let plus = self.u.int_in_range(0..=3)?;
        if self.loops.is_empty() || self.u.ratio(1, 4)? {
            return Ok(format!("{array}({plus})"));
        }
        let variable = &self.u.choose(&self.loops)?.0;
        Ok(match self.u.int_in_range(0..=5)? {
            0 => format!("{array}(9 - {variable})"),
            1 => format!("{array}(max({variable}, {plus}, n - {variable}))"),
            2 => format!("{array}(abs({variable} - {plus}))"),
            _ => format!("{array}({variable} + {plus})"),
        })
    }

    fn value(&mut self) -> Result<String> {
        let (place, other, plus) = (self.place()?, self.place()?, self.u.int_in_range(1..=9)?);
        Ok(match self.u.int_in_range(0..=7)? {
            0 => format!("mod(int({place}) * {plus} + 1, 17)"),
            1 => format!("sqrt(abs({place})) + {other}"),
            2 => format!("min({place}, {other}, {plus})"),
            3 => format!("sin({place}) * cos({other})"),
            4 => format!("log(real({plus})) + exp(-abs({place}))"),
            5 => format!("max({place}, r) - {plus}"),
            _ => place,
        })
    }

    fn condition(&mut self) -> Result<String> {
        let (place, with) = (self.place()?, self.u.int_in_range(0..=9)?);
        let variable = self.loops.last().map_or("n".to_string(), |around| around.0.clone());
        Ok(match self.u.int_in_range(0..=4)? {
            0 => format!("mod(int({place}), 3) == {}", with % 3),
            1 => format!("r > {with} .or. {place} < {with}"),
            2 => format!("{variable} > {with}"),
            3 => format!("max({variable}, 2) <= {with}"),
            _ => format!("{place} < {with}"),
        })
    }

    fn block(&mut self, depth: usize) -> Result<()> {
        for _ in 0..self.u.int_in_range(1..=3)? {
            self.statement(depth + 1)?;
        }
        Ok(())
    }

    fn statement(&mut self, depth: usize) -> Result<()> {
        self.left = self.left.saturating_sub(1);
        match if self.left == 0 || depth > 5 { 0 } else { self.u.int_in_range(0..=10)? } {
            0..=2 => {
                let place = if self.u.ratio(1, 4)? { "r".to_string() } else { self.place()? };
                let value = self.value()?;
                self.line(&format!("{place} = {value}"));
            }
            3..=4 => {
                let condition = self.condition()?;
                self.line(&format!("if ({condition}) then"));
                self.block(depth)?;
                if self.u.ratio(1, 2)? {
                    self.line("else");
                    self.block(depth)?;
                }
                self.line("endif");
            }
            5..=7 => self.one_loop(depth)?,
            _ => self.leaves()?,
        }
        Ok(())
    }

    fn one_loop(&mut self, depth: usize) -> Result<()> {
        let number = self.names;
        self.names += 1;
        let variable = format!("i{number}");
        let (is_numbered, is_named) = (self.u.ratio(1, 3)?, self.u.ratio(1, 2)?);
        let end = is_numbered.then_some(100 + number);
        let name = if is_named { format!("L{number}: ") } else { String::new() };
        let label = end.map_or(String::new(), |end| format!("{end} "));
        let bounds = ["1, n", "0, min(n, 3)", "n, 1, -2", "1, 4, 2"][self.u.choose_index(4)?];
        self.line(&format!("{name}do {label}{variable} = {bounds}"));
        self.loops.push((variable, end, is_named));
        self.block(depth)?;
        match (end, self.u.int_in_range(0..=2)?) {
            (Some(end), 0) => self.line(&format!("{end} continue")),
            (Some(end), 1) => self.line(&format!("{end} r = r + 1")),
            (Some(end), _) => self.line(&format!("{end} end do")),
            (None, 0) if is_named => self.line(&format!("enddo L{number}")),
            (None, _) => self.line("enddo"),
        }
        self.loops.pop();
        Ok(())
    }

    /// A way out of the loops around, or of an iteration.
    fn leaves(&mut self) -> Result<()> {
        if self.loops.is_empty() {
            return Ok(());
        }
        let to = self.u.choose_index(self.loops.len())?;
        let (variable, _, is_named) = &self.loops[to];
        let name = if *is_named { variable.replace('i', " L") } else { String::new() };
        let word = if self.u.ratio(1, 2)? { "exit" } else { "cycle" };
        let condition = self.condition()?;
        match self.u.ratio(1, 2)? {
            true => self.line(&format!("if ({condition}) {word}{name}")),
            false => {
                let (place, value) = (self.place()?, self.value()?);
                self.line(&format!("if ({condition}) then; {place} = {value}; {word}{name}; endif"));
            }
        }
        Ok(())
    }
}

/// Programs whose graphs are run as well: the first ones, which are the smallest; work units for each; and how many must be ready before.
const WITH_GRAPHS: usize = 24;
const GRAPH_STEPS: u64 = 5_000_000;
const LEAST_GRAPHS: usize = 6;

#[test]
fn models_do_what_programs_do() {
    let (mut at, mut n_graphs, mut words) = (0, 0, BTreeMap::new());
    property(150, |u| {
        let mut writer = Writer { u, text: String::new(), loops: Vec::new(), names: 0, left: 12 };
        for _ in 0..writer.u.int_in_range(1..=3)? {
            writer.one_loop(1)?;
        }
        let text = writer.text;
        let scop = agrees(&text);
        for word in ["exit", "cycle", "exit L", "cycle L", "continue", "sqrt"] {
            *words.entry(word).or_insert(0) += text.matches(word).count();
        }
        if at < WITH_GRAPHS {
            let ran = within(GRAPH_STEPS, || {
                let dataflow = Dataflow::of(&scop).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
                Runs::of(&dataflow, &input(&scop, 3)).unwrap_or_else(|why| panic!("{why}\n{text}\n{scop}"));
            });
            n_graphs += usize::from(ran.is_ok());
        }
        at += 1;
        Ok(())
    });
    assert!(n_graphs >= LEAST_GRAPHS, "only {n_graphs} graphs were ready");
    assert!(words.values().all(|n| *n > 5), "{words:?}");
}

#[test]
fn loops_are_left_and_iterations_too() {
    agrees("do i = 1, n\n if (x(i) < 0) exit\n if (x(i) > 9) cycle\n s = s + x(i)\nenddo\nt = s\n");
    let scop = agrees(
        "outer: do i = 1, n\n do j = 1, n\n  if (x(j) == i) cycle outer\n  if (x(j) > 9) exit outer\n  if (x(j) > 5) exit\n  y(i) = j\n enddo\n z(i) = 1\nenddo outer\n",
    );
    let scalars = |name: &str| scop.arrays.iter().filter(|array| array.name.as_str().starts_with(name)).count();
    assert_eq!([scalars("goes_on"), scalars("rest")], [2, 1], "{scop}");
    // Plain conditions leave as well.
    agrees("do i = 1, n\n y(i) = 1\n if (i > 2) exit\n z(i) = 2\nenddo\n");
    // What never runs is under no condition, and what follows a way out never runs.
    let scop = agrees("do i = 1, 4\n if (x(i) > 0) then\n  if (i > 4) exit\n endif\n y(i) = 1\nenddo\n");
    assert!(Dataflow::of(&scop).is_ok(), "{scop}");
    agrees("do i = 1, n\n exit\n y(i) = 1\nenddo\n");
}

#[test]
fn numbers_end_loops() {
    agrees("do 10 i = 1, n\n do 10 j = 1, i\n  if (x(j) > 5) cycle\n  y(i) = y(i) + x(j)\n10 continue\nt = 1\n");
    agrees("do 10, i = 1, n\n do 20 j = 1, i\n20 y(j) = i\n 15 z(i) = 2\n10 end do\n");
    // A name of a program is not taken for another thing.
    agrees(
        "do i = 1, n\n runs = x(i)\n goes_on = runs + 1\n if (x(i) > goes_on - 7) exit\n exit = 1\n cycle = exit\nenddo\n",
    );
}

#[test]
fn functions_with_operands_of_all_kinds() {
    let scop = agrees(
        "do i = 1, n\n x(i) = max(i, n - i, 2) + min(x(i), 0.5, 3)\n k(i) = int(log(exp(real(i))) + 0.5)\nenddo\n",
    );
    let last = scop.statements.iter().last().and_then(|s| s.compute.clone()).expect("a value");
    assert_eq!(last.to_string(), "int(log(exp(real(i))) + 0.5)");
    // What is declared is what it is declared to be.
    let scop = agrees("real sqrt(n), tan(n)\ndo i = 1, n\n sqrt(i) = tan(i)\nenddo\n");
    assert_eq!(scop.arrays.iter().map(|array| array.name.to_string()).collect::<Vec<_>>(), ["tan", "sqrt"]);
    let calls = |term: &Term| matches!(term, Term::Apply { operator: Operator::Sqrt, .. });
    let program = syntax::parse("y = sqrt(x)\n").expect("a program");
    assert!(matches!(&program.body[0], Part::Assign { value, .. } if calls(value)));
}
