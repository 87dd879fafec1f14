//! Dependences of random programs that apply symbols, against what the programs do for every table of values.
//!
//! A case is a program of one to four statements in up to three loops of two iterations each, some with a stride, such as
//!
//! ```c
//! for (int i0 = 0; i0 < n; i0++) {
//!   S1: if (f(i0) == 1) A0[g(i0 + 1)] = ..;
//!   for (int i1 = 0; i1 < n; i1 += 2)
//!     S2: .. = A0[i1];
//! }
//! ```
//!
//! It is run for all tables that keep what is known of `f` and `g` (their bounds, injective, monotone). Between two accesses, what
//! happens for some table is exactly the anti and the output dependence; the flow for some table is part of the flow dependence.

use std::collections::BTreeSet;

use arbtest::arbitrary::{self, Unstructured};

use super::tests::points;
use super::{Dependences, Kind};
use crate::property::property;
use crate::scop::{AccessKind, TableId, parse};

/// Iterations of each loop: `n`.
const N: i64 = 2;
/// Arguments lie in `0 .. ARGUMENTS`.
const ARGUMENTS: usize = 4;
const NAMES: [&str; 2] = ["f", "g"];

/// What is known of a symbol.
#[derive(Clone, Copy)]
struct Facts {
    upper: i64,
    injective: bool,
    monotone: bool,
}

type Table = [i64; ARGUMENTS];

/// An integer that an instance knows, or computes from data.
#[derive(Clone)]
enum Term {
    /// Sum of iterators, and a constant.
    Affine(Vec<bool>, i64),
    /// A symbol, by number, of something.
    Applied(usize, Box<Term>),
}

struct Touch {
    kind: AccessKind,
    array: usize,
    place: Term,
}

struct Body {
    name: String,
    depth: usize,
    /// The loops in which only every other iteration runs it.
    strides: Vec<bool>,
    /// Runs only if the symbol of this is 1.
    condition: Option<Term>,
    touches: Vec<Touch>,
}

/// A loop with what it contains, or a statement.
enum Item {
    Loop(Vec<Item>),
    Statement(Body),
}

struct Program {
    facts: [Facts; 2],
    items: Vec<Item>,
}

struct Ran {
    statement: usize,
    iterators: Vec<i64>,
    touched: Vec<(AccessKind, usize, i64)>,
}

fn affine(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<Term> {
    let mut chosen = vec![false; depth];
    for _ in 0..2 {
        if depth > 0 && u.ratio(2, 3)? {
            chosen[u.choose_index(depth)?] = true;
        }
    }
    Ok(Term::Affine(chosen, u.int_in_range(0..=1)?))
}

fn applied(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<Term> {
    Ok(Term::Applied(u.choose_index(2)?, Box::new(affine(u, depth)?)))
}

fn body(u: &mut Unstructured<'_>, depth: usize, number: usize) -> arbitrary::Result<Body> {
    use AccessKind::{MayWrite, MustWrite, Read};
    let strides = (0..depth).map(|_| u.ratio(1, 5)).collect::<Result<_, _>>()?;
    let condition = if u.ratio(1, 2)? { Some(applied(u, depth)?) } else { None };
    let mut room = if condition.is_some() { 1 } else { 2 };
    let mut touches = Vec::new();
    for _ in 0..u.int_in_range(1..=2)? {
        let place = if room > 0 && u.ratio(1, 2)? {
            room -= 1;
            applied(u, depth)?
        } else {
            affine(u, depth)?
        };
        let kind = *u.choose(&[Read, Read, MustWrite, MustWrite, MustWrite, MayWrite])?;
        touches.push(Touch { kind, array: u.choose_index(2)?, place });
    }
    Ok(Body { name: format!("S{number}"), depth, strides, condition, touches })
}

fn items(u: &mut Unstructured<'_>, depth: usize, left: &mut usize) -> arbitrary::Result<Vec<Item>> {
    let mut all = Vec::new();
    for _ in 0..2 {
        if *left == 0 || (!all.is_empty() && u.ratio(1, 3)?) {
            break;
        }
        if depth < 3 && u.ratio(if depth == 0 { 4 } else { 2 }, 5)? {
            let inside = items(u, depth + 1, left)?;
            all.push(Item::Loop(inside));
        } else {
            *left -= 1;
            all.push(Item::Statement(body(u, depth, *left)?));
        }
    }
    Ok(all)
}

impl Facts {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let injective = u.ratio(1, 4)?;
        // Both within bounds would leave one table, which no comparison of two applications finds.
        let upper = if injective { ARGUMENTS as i64 - 1 } else { 1 };
        Ok(Facts { upper, injective, monotone: !injective && u.ratio(1, 3)? })
    }

    /// All tables that keep them.
    fn tables(&self) -> Vec<Table> {
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in 0..ARGUMENTS {
            let next =
                |table: &Vec<i64>| (0..=self.upper).map(|v| [table.as_slice(), &[v]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(next).collect();
        }
        let keeps = |t: &Vec<i64>| {
            let distinct = t.iter().collect::<BTreeSet<_>>().len() == t.len();
            (!self.injective || distinct) && (!self.monotone || t.is_sorted())
        };
        all.into_iter().filter(keeps).map(|t| t.try_into().expect("one value for each argument")).collect()
    }
}

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Affine(chosen, constant) => {
                let terms = chosen.iter().enumerate().filter(|(_, c)| **c).map(|(i, _)| format!("i{i} + "));
                terms.collect::<String>() + &constant.to_string()
            }
            Term::Applied(symbol, of) => format!("{}({})", NAMES[*symbol], of.text()),
        }
    }

    fn value(&self, iterators: &[i64], tables: &[Table; 2]) -> i64 {
        match self {
            Term::Affine(chosen, constant) => {
                constant + chosen.iter().zip(iterators).filter(|(c, _)| **c).map(|(_, i)| i).sum::<i64>()
            }
            Term::Applied(symbol, of) => tables[*symbol][of.value(iterators, tables) as usize],
        }
    }
}

impl Body {
    fn tuple(&self) -> String {
        let iterators: Vec<String> = (0..self.depth).map(|i| format!("i{i}")).collect();
        format!("{}[{}]", self.name, iterators.join(", "))
    }

    fn limits(&self) -> String {
        let bounds = (0..self.depth).map(|i| format!("0 <= i{i} < n"));
        let strides = (0..self.depth).filter(|i| self.strides[*i]).map(|i| format!("i{i} mod 2 = 0"));
        std::iter::once("n = n".to_string()).chain(bounds).chain(strides).collect::<Vec<_>>().join(" and ")
    }

    fn text(&self) -> String {
        let condition = self.condition.as_ref().map_or(String::new(), |c| format!(" and {} = 1", c.text()));
        let head = format!(
            "- name: {}\n  domain: \"[n] -> {{ {} : {}{condition} }}\"\n  accesses:\n",
            self.name,
            self.tuple(),
            self.limits()
        );
        let touch = |t: &Touch| {
            format!("  - {{ {}: \"{{ {} -> A{}[{}] }}\" }}\n", t.kind, self.tuple(), t.array, t.place.text())
        };
        head + &self.touches.iter().map(touch).collect::<String>()
    }
}

impl Item {
    fn bodies(&self) -> Vec<&Body> {
        match self {
            Item::Loop(inside) => inside.iter().flat_map(Item::bodies).collect(),
            Item::Statement(body) => vec![body],
        }
    }

    fn run(&self, next: &mut usize, iterators: &mut Vec<i64>, tables: &[Table; 2], all: &mut Vec<Ran>) {
        match self {
            Item::Loop(inside) => {
                let first = *next;
                for i in 0..N {
                    *next = first;
                    iterators.push(i);
                    inside.iter().for_each(|item| item.run(next, iterators, tables, all));
                    iterators.pop();
                }
            }
            Item::Statement(body) => {
                let statement = *next;
                *next += 1;
                let skipped = body.strides.iter().zip(&*iterators).any(|(stride, i)| *stride && i % 2 != 0);
                let holds = body.condition.as_ref().is_none_or(|c| c.value(iterators, tables) == 1);
                if holds && !skipped {
                    let touched = body.touches.iter().map(|t| (t.kind, t.array, t.place.value(iterators, tables)));
                    all.push(Ran { statement, iterators: iterators.clone(), touched: touched.collect() });
                }
            }
        }
    }
}

fn tree(items: &[Item], depth: usize, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let filters = items.iter().map(|item| {
        let tuples: Vec<String> = item.bodies().iter().map(|b| b.tuple()).collect();
        let below = match item {
            Item::Statement(_) => format!("{pad}    leaf\n"),
            Item::Loop(inside) => {
                let functions: Vec<String> = tuples.iter().map(|t| format!("{t} -> [(i{depth})]")).collect();
                let functions = functions.join("; ");
                let child = tree(inside, depth + 1, indent + 6);
                format!("{pad}    schedule: \"[n] -> [{{ {functions} }}]\"\n{pad}    child:\n{child}")
            }
        };
        format!("{pad}- filter: \"{{ {} }}\"\n{pad}  child:\n{below}", tuples.join("; "))
    });
    format!("{pad}sequence:\n{}", filters.collect::<String>())
}

impl Program {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let facts = [Facts::arbitrary(u)?, Facts::arbitrary(u)?];
        let mut left = u.int_in_range(1..=4)?;
        Ok(Program { facts, items: items(u, 0, &mut left)? })
    }

    fn bodies(&self) -> Vec<&Body> {
        self.items.iter().flat_map(Item::bodies).collect()
    }

    fn text(&self) -> String {
        let symbol = |(name, facts): (&&str, &Facts)| {
            let Facts { upper, injective, monotone } = facts;
            format!("- {{ name: {name}, lower: 0, upper: {upper}, injective: {injective}, monotone: {monotone} }}\n")
        };
        let symbols: String = NAMES.iter().zip(&self.facts).map(symbol).collect();
        let bodies = self.bodies();
        let domain: Vec<String> = bodies.iter().map(|b| format!("{} : {}", b.tuple(), b.limits())).collect();
        let statements: String = bodies.iter().map(|b| b.text()).collect();
        format!(
            "context: \"[n] -> {{ : n = {N} }}\"\nsymbols:\n{symbols}statements:\n{statements}schedule:\n  domain: \"[n] -> {{ {} }}\"\n  child:\n{}",
            domain.join("; "),
            tree(&self.items, 0, 4)
        )
    }

    fn run(&self, tables: &[Table; 2]) -> Vec<Ran> {
        let mut all = Vec::new();
        let mut next = 0;
        self.items.iter().for_each(|item| item.run(&mut next, &mut Vec::new(), tables, &mut all));
        all
    }
}

/// Source access, sink access, and the instances: statement, access, iterators each.
type Pair = (usize, usize, Vec<i64>, usize, usize, Vec<i64>);

/// What happens in a run.
fn happened(ran: &[Ran], kind: Kind, all: &mut BTreeSet<Pair>) {
    for (t, sink) in ran.iter().enumerate() {
        for (b, (to, array, element)) in sink.touched.iter().enumerate() {
            let is_sink = if kind == Kind::Flow { *to == AccessKind::Read } else { to.writes() };
            for source in ran[..t].iter().rev().filter(|_| is_sink) {
                let mut is_over = false;
                for (a, (from, ..)) in
                    source.touched.iter().enumerate().filter(|(_, x)| (x.1, x.2) == (*array, *element))
                {
                    let is_source = if kind == Kind::Anti { *from == AccessKind::Read } else { from.writes() };
                    if is_source {
                        let from = (source.statement, a, source.iterators.clone());
                        all.insert((from.0, from.1, from.2, sink.statement, b, sink.iterators.clone()));
                    }
                    is_over |= kind == Kind::Flow && *from == AccessKind::MustWrite;
                }
                if is_over {
                    break;
                }
            }
        }
    }
}

fn computed(dependences: &Dependences, kind: Kind) -> BTreeSet<Pair> {
    let mut all = BTreeSet::new();
    for d in dependences.of_kind(kind) {
        for (from, to) in points(&d.relation, N) {
            let [source, sink] = [d.source, d.sink].map(|end| end.statement.position());
            all.insert((source, d.source.access, from, sink, d.sink.access, to));
        }
    }
    all
}

#[test]
fn dependences_are_what_some_functions_allow() {
    property(150, |u| {
        let program = Program::arbitrary(u)?;
        let text = program.text();
        let scop = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let dependences = Dependences::of(&scop);
        let tables = |of: usize| program.facts[of].tables();
        for kind in [Kind::Flow, Kind::Anti, Kind::Output] {
            let mut expected = BTreeSet::new();
            for f in tables(0) {
                for g in tables(1) {
                    happened(&program.run(&[f, g]), kind, &mut expected);
                }
            }
            let found = computed(&dependences, kind);
            assert!(expected.is_subset(&found), "{kind}: {:?} are missing\n{text}", &expected - &found);
            let is_applied = scop.statements.iter().any(|s| s.applied.is_some());
            let is_exact = kind != Kind::Flow || dependences.exact && !is_applied;
            assert!(!is_exact || expected == found, "{kind}: {:?} are too many\n{text}", &found - &expected);
        }
        let again = parse(&scop.to_string()).unwrap_or_else(|e| panic!("{e}\n{scop}"));
        assert_eq!(again.to_string(), scop.to_string());
        Ok(())
    });
}

fn dependences(symbols: &str, statements: &[(&str, &[&str])]) -> Dependences {
    let one = |(at, (domain, accesses)): (usize, &(&str, &[&str]))| {
        let accesses: String = accesses.iter().map(|a| format!("  - {{ {a} }}\n")).collect();
        format!("- name: S{at}\n  domain: \"[n] -> {{ S{at}[i] : 0 <= i < n{domain} }}\"\n  accesses:\n{accesses}")
    };
    let statements_text: String = statements.iter().enumerate().map(one).collect();
    let names = |text: &dyn Fn(usize) -> String| (0..statements.len()).map(text).collect::<Vec<_>>();
    let domains = names(&|at| format!("S{at}[i] : 0 <= i < n")).join("; ");
    let times = names(&|at| format!("S{at}[i] -> [(i)]")).join("; ");
    let filters: String = names(&|at| format!("        - filter: \"{{ S{at}[i] }}\"\n")).concat();
    let text = format!(
        "symbols:\n{symbols}\nstatements:\n{statements_text}schedule:\n  domain: \"[n] -> {{ {domains} }}\"\n  child:\n    schedule: \"[{{ {times} }}]\"\n    child:\n      sequence:\n{filters}"
    );
    Dependences::of(&parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

/// `if (p(i)) a = ..;  if (p(i)) .. = a;`
#[test]
fn under_one_condition_a_value_does_not_leave_its_iteration() {
    let conditional: &[(&str, &[&str])] =
        &[(" and p(i) = 1", &["write: '{ S0[i] -> a[] }'"]), (" and p(i) = 1", &["read: '{ S1[i] -> a[] }'"])];
    let found = dependences("- { name: p, lower: 0, upper: 1 }", conditional);
    expect_test::expect!["[n] -> { S0[i0] -> S1[i0] : 0 <= i0 < n }"].assert_eq(&found.flow.to_string());
    assert!(found.live_in.is_empty());
}

/// `A[f(i)] = A[f(i)] + ..`
#[test]
fn an_injective_subscript_never_meets_itself() {
    let update: &[(&str, &[&str])] = &[("", &["read: '{ S0[i] -> A[f(i)] }'", "write: '{ S0[i] -> A[f(i)] }'"])];
    let found = dependences("- { name: f, injective: true }", update);
    assert!(found.validity().is_empty(), "{found}");
    let found = dependences("- { name: f }", update);
    assert!(!found.output.is_empty());
}

/// `count[f(i)]++`
#[test]
fn a_histogram_is_a_reduction() {
    let update: &[(&str, &[&str])] =
        &[("", &["read: '{ S0[i] -> c[f(i)] }', reduction: '+'", "write: '{ S0[i] -> c[f(i)] }', reduction: '+'"])];
    let found = dependences("- { name: f, lower: 0, upper: 255 }", update);
    assert!(found.validity().is_empty(), "{found}");
    expect_test::expect!["[n] -> { S0[i0] -> S0[o0] : 0 <= o0 < n and 0 <= i0 < n and o0 > i0 }"]
        .assert_eq(&found.reduction.to_string());
}
