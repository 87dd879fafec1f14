//! Dependences against their definition, on small random programs that are executed.
//!
//! A program is a tree of loops, sequences, sets and statements. Its model's text is written down and read back, and the program
//! itself is run: each instance gets its path, and the definition of each dependence is checked pair by pair.
//!
//! Tests: 002 5.4, 6.1, 6.2, 6.3, 6.4, 6.5, 6.6

use std::collections::{BTreeMap, BTreeSet};

use crate::property::property;
use arbtest::arbitrary::{self, Unstructured};
use expect_test::{Expect, expect};

use super::dataflow::Flow;
use super::*;
use crate::presburger::{DimKind, Int, UnionMap};
use crate::scop::{Scop, StatementId, Table, TableId};

/// Value of the one parameter.
const N: i64 = 3;
/// Deepest nest of loops.
const DEEPEST: usize = 3;

enum Item {
    /// A loop over iterator `level`, running down if `backwards`; if `joined` a member of the band of the loop around it.
    Loop {
        level: usize,
        lower: String,
        upper: String,
        bounds: [Bound; 2],
        backwards: bool,
        joined: bool,
        body: Box<Item>,
    },
    /// Children in order, or in any order.
    Children {
        ordered: bool,
        children: Vec<Item>,
    },
    Statement(Body),
}

/// `constant + n * parameter + outer iterator`
#[derive(Clone, Copy)]
struct Bound {
    constant: i64,
    n: i64,
    iterator: Option<usize>,
}

struct Body {
    name: String,
    /// Conditions: `c . iterators + constant (= 0 mod m | >= 0 | != 0)`.
    guard: Option<(Vec<i64>, i64, Guard)>,
    accesses: Vec<Touch>,
}

#[derive(Clone, Copy)]
enum Guard {
    Even,
    NonNegative,
    NotZero,
}

#[derive(Clone)]
struct Touch {
    kind: AccessKind,
    array: usize,
    /// `A[c . iterators + constant + 0 .. extent]`
    coefficients: Vec<i64>,
    constant: i64,
    extent: i64,
    reduction: bool,
}

/// One instance: its statement, its iterators, its path (ordered or not, value) and what it touches.
struct Instance {
    statement: StatementId,
    iterators: Vec<i64>,
    path: Vec<(bool, i64)>,
    touched: Vec<(AccessKind, usize, BTreeSet<i64>)>,
}

struct Program {
    root: Item,
}

/// What a program may still have.
struct Room {
    statements: usize,
    forks: usize,
    total_order: bool,
    reductions: bool,
}

fn bound(u: &mut Unstructured<'_>, level: usize, upper: bool) -> arbitrary::Result<Bound> {
    let iterator = if level > 0 && u.ratio(1, 3)? { Some(u.choose_index(level)?) } else { None };
    let n = if upper && iterator.is_none() { 1 } else { 0 };
    Ok(Bound { constant: u.int_in_range(0..=1)?, n, iterator })
}

impl Bound {
    fn text(&self) -> String {
        let iterator = self.iterator.map_or(String::new(), |i| format!(" + i{i}"));
        format!("{} + {}n{iterator}", self.constant, self.n)
    }

    fn value(&self, iterators: &[i64]) -> i64 {
        self.constant + self.n * N + self.iterator.map_or(0, |i| iterators[i])
    }
}

fn item(u: &mut Unstructured<'_>, level: usize, room: &mut Room) -> arbitrary::Result<Item> {
    // Few are deepest: the definitions look at all pairs and triples of instances.
    let chance = if level + 1 < DEEPEST { (2, 3) } else { (1, 6) };
    if level < DEEPEST && u.ratio(chance.0, chance.1)? {
        let bounds = [bound(u, level, false)?, bound(u, level, true)?];
        let (backwards, joined) = (u.ratio(1, 5)?, u.ratio(1, 2)?);
        let body = Box::new(item(u, level + 1, room)?);
        let [lower, upper] = bounds.map(|bound| bound.text());
        return Ok(Item::Loop { level, lower, upper, bounds, backwards, joined, body });
    }
    if room.forks < 2 && u.ratio(1, 2)? {
        room.forks += 1;
        let ordered = room.total_order || u.ratio(2, 3)?;
        let mut children = Vec::new();
        for _ in 0..2 {
            children.push(item(u, level, room)?);
        }
        return Ok(Item::Children { ordered, children });
    }
    room.statements += 1;
    let name = format!("S{}", room.statements);
    let guard = if level > 0 && u.ratio(1, 3)? {
        let guard = *u.choose(&[Guard::Even, Guard::NonNegative, Guard::NotZero])?;
        Some((coefficients(u, level)?, u.int_in_range(-1..=1)?, guard))
    } else {
        None
    };
    let mut accesses = Vec::new();
    for _ in 0..u.int_in_range(1..=2)? {
        accesses.push(touch(u, level)?);
    }
    if room.reductions && u.ratio(2, 3)? {
        let write = Touch { kind: AccessKind::MustWrite, extent: 0, reduction: true, ..touch(u, level)? };
        accesses.retain(|t| t.kind == AccessKind::Read);
        accesses.push(Touch { kind: AccessKind::Read, ..write.clone() });
        accesses.push(write);
    }
    Ok(Item::Statement(Body { name, guard, accesses }))
}

fn coefficients(u: &mut Unstructured<'_>, level: usize) -> arbitrary::Result<Vec<i64>> {
    (0..level).map(|_| u.int_in_range(-1..=1)).collect()
}

fn touch(u: &mut Unstructured<'_>, level: usize) -> arbitrary::Result<Touch> {
    use AccessKind::{Kill, MayWrite, MustWrite, Read};
    let kind = *u.choose(&[Read, Read, Read, MustWrite, MustWrite, MustWrite, MayWrite, Kill])?;
    let extent = if u.ratio(1, 6)? { 1 } else { 0 };
    Ok(Touch {
        kind,
        array: u.choose_index(2)?,
        coefficients: coefficients(u, level)?,
        constant: u.int_in_range(-1..=1)?,
        extent,
        reduction: false,
    })
}

fn linear(coefficients: &[i64], constant: i64) -> String {
    let terms = coefficients.iter().enumerate().map(|(i, c)| format!("{c}i{i} + "));
    format!("{}{constant}", terms.collect::<String>())
}

fn dot(coefficients: &[i64], iterators: &[i64], constant: i64) -> i64 {
    coefficients.iter().zip(iterators).map(|(c, i)| c * i).sum::<i64>() + constant
}

impl Program {
    fn arbitrary(u: &mut Unstructured<'_>, total_order: bool, reductions: bool) -> arbitrary::Result<Self> {
        let mut room = Room { statements: 0, forks: 0, total_order, reductions };
        let first = item(u, 0, &mut room)?;
        let second = item(u, 0, &mut room)?;
        let root = Item::Children { ordered: true, children: vec![first, second] };
        Ok(Self { root })
    }

    /// The text of the model.
    fn text(&self) -> String {
        let mut statements = String::new();
        let mut domains = Vec::new();
        self.root.statements(&mut Vec::new(), &mut |body, constraints, depth| {
            let iterators: Vec<String> = (0..depth).map(|i| format!("i{i}")).collect();
            let tuple = format!("{}[{}]", body.name, iterators.join(", "));
            let domain = format!("[n] -> {{ {tuple} : {constraints} }}");
            domains.push(format!("{tuple} : {constraints}"));
            statements += &format!("- name: {}\n  domain: \"{domain}\"\n  accesses:\n", body.name);
            for touch in &body.accesses {
                let index = linear(&touch.coefficients, touch.constant);
                let relation =
                    format!("{{ {tuple} -> A{}[a] : {index} <= a <= {index} + {} }}", touch.array, touch.extent);
                let reduction = if touch.reduction { ", reduction: \"+\"" } else { "" };
                statements += &format!("  - {{ {}: \"{relation}\"{reduction} }}\n", touch.kind);
            }
        });
        let domain = format!("[n] -> {{ {} }}", domains.join("; "));
        let tree = self.root.tree(2);
        format!(
            "context: \"[n] -> {{ : n = {N} }}\"\nstatements:\n{statements}schedule:\n  domain: \"{domain}\"\n  child:\n{tree}"
        )
    }

    /// For each statement: which of its accesses are halves of a reduction.
    fn halves(&self) -> Table<StatementId, Vec<bool>> {
        let mut halves = Table::default();
        self.root.statements(&mut Vec::new(), &mut |body, _, _| {
            halves.push(body.accesses.iter().map(|t| t.reduction).collect());
        });
        halves
    }

    fn instances(&self) -> Vec<Instance> {
        let mut all = Vec::new();
        self.root.run(&mut Vec::new(), &mut Vec::new(), &mut 0, &mut all);
        all
    }
}

impl Item {
    fn statements(&self, constraints: &mut Vec<String>, visit: &mut impl FnMut(&Body, String, usize)) {
        match self {
            Item::Loop { level, lower, upper, body, .. } => {
                constraints.push(format!("{lower} <= i{level} < {upper}"));
                body.statements(constraints, visit);
                constraints.pop();
            }
            Item::Children { children, .. } => children.iter().for_each(|c| c.statements(constraints, visit)),
            Item::Statement(body) => {
                let mut all = constraints.clone();
                all.push("n = n".to_string());
                if let Some((coefficients, constant, guard)) = &body.guard {
                    let value = linear(coefficients, *constant);
                    all.push(match guard {
                        Guard::Even => format!("({value}) mod 2 = 0"),
                        Guard::NonNegative => format!("{value} >= 0"),
                        Guard::NotZero => format!("({value} < 0 or {value} > 0)"),
                    });
                }
                visit(body, all.join(" and "), constraints.len());
            }
        }
    }

    fn names(&self, depth: usize) -> Vec<(String, usize)> {
        match self {
            Item::Loop { body, .. } => body.names(depth + 1),
            Item::Children { children, .. } => children.iter().flat_map(|c| c.names(depth)).collect(),
            Item::Statement(body) => vec![(body.name.clone(), depth)],
        }
    }

    fn tuples(&self, depth: usize) -> Vec<String> {
        let iterators = |d: usize| (0..d).map(|i| format!("i{i}")).collect::<Vec<_>>().join(", ");
        self.names(depth).into_iter().map(|(name, d)| format!("{name}[{}]", iterators(d))).collect()
    }

    fn tree(&self, indent: usize) -> String {
        self.tree_at(indent, 0)
    }

    fn tree_at(&self, indent: usize, depth: usize) -> String {
        let pad = " ".repeat(indent + 2);
        match self {
            Item::Loop { .. } => {
                let (mut members, mut inner, mut below) = (Vec::new(), self, depth);
                while let Item::Loop { level, backwards, joined, body, .. } = inner
                    && (members.is_empty() || *joined)
                {
                    let sign = if *backwards { "-" } else { "" };
                    let tuples = self.tuples(depth);
                    let functions: Vec<String> = tuples.iter().map(|t| format!("{t} -> [({sign}i{level})]")).collect();
                    members.push(format!("{{ {} }}", functions.join("; ")));
                    (inner, below) = (body, below + 1);
                }
                let child = inner.tree_at(indent + 2, below);
                format!("{pad}schedule: \"[n] -> [{}]\"\n{pad}child:\n{child}", members.join(", "))
            }
            Item::Children { ordered, children } => {
                let word = if *ordered { "sequence" } else { "set" };
                let filters = children.iter().map(|c| {
                    let below = c.tree_at(indent + 4, depth);
                    format!("{pad}- filter: \"{{ {} }}\"\n{pad}  child:\n{below}", c.tuples(depth).join("; "))
                });
                format!("{pad}{word}:\n{}", filters.collect::<String>())
            }
            Item::Statement(_) => format!("{pad}leaf\n"),
        }
    }

    fn run(&self, iterators: &mut Vec<i64>, path: &mut Vec<(bool, i64)>, next: &mut usize, all: &mut Vec<Instance>) {
        match self {
            Item::Loop { bounds, backwards, body, .. } => {
                let (low, high) = (bounds[0].value(iterators), bounds[1].value(iterators));
                let first = *next;
                for i in low..high {
                    *next = first;
                    iterators.push(i);
                    path.push((true, if *backwards { -i } else { i }));
                    body.run(iterators, path, next, all);
                    path.pop();
                    iterators.pop();
                }
                *next = first + body.names(0).len();
            }
            Item::Children { ordered, children } => {
                for (number, child) in children.iter().enumerate() {
                    path.push((*ordered, number as i64));
                    child.run(iterators, path, next, all);
                    path.pop();
                }
            }
            Item::Statement(body) => {
                let statement = *next;
                *next += 1;
                let runs = body.guard.as_ref().is_none_or(|(coefficients, constant, guard)| {
                    let value = dot(coefficients, iterators, *constant);
                    match guard {
                        Guard::Even => value.rem_euclid(2) == 0,
                        Guard::NonNegative => value >= 0,
                        Guard::NotZero => value != 0,
                    }
                });
                if runs {
                    let touched = body.accesses.iter().map(|t| {
                        let index = dot(&t.coefficients, iterators, t.constant);
                        (t.kind, t.array, (index..=index + t.extent).collect())
                    });
                    let touched = touched.collect();
                    let statement = StatementId::new(statement);
                    all.push(Instance { statement, iterators: iterators.clone(), path: path.clone(), touched });
                }
            }
        }
    }
}

fn before(a: &Instance, b: &Instance) -> bool {
    let difference = a.path.iter().zip(&b.path).find(|(x, y)| x.1 != y.1);
    difference.is_some_and(|(x, y)| x.0 && x.1 < y.1)
}

type Pair = (AccessRef, Vec<i64>, AccessRef, Vec<i64>);

/// The pairs of one kind, by definition.
fn defined(instances: &[Instance], kind: Kind) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for sink in instances {
        for source in instances.iter().filter(|s| before(s, sink)) {
            for (i, (second, array, elements)) in sink.touched.iter().enumerate() {
                for (j, (first, other_array, others)) in source.touched.iter().enumerate() {
                    let wanted = match kind {
                        Kind::Flow => first.writes() && *second == AccessKind::Read,
                        Kind::Anti => *first == AccessKind::Read && second.writes(),
                        _ => first.writes() && second.writes(),
                    };
                    let visible = |e: &&i64| kind != Kind::Flow || !hidden(instances, source, sink, *array, **e);
                    if wanted && array == other_array && elements.intersection(others).any(|e| visible(&e)) {
                        let at = |instance: &Instance, access| AccessRef { statement: instance.statement, access };
                        pairs.insert((at(source, j), source.iterators.clone(), at(sink, i), sink.iterators.clone()));
                    }
                }
            }
        }
    }
    pairs
}

/// Whether a certain write or a kill of the element comes between.
fn hidden(instances: &[Instance], source: &Instance, sink: &Instance, array: usize, element: i64) -> bool {
    let ends = |i: &Instance| {
        let mut touched = i.touched.iter();
        touched.any(|(k, a, e)| {
            matches!(k, AccessKind::MustWrite | AccessKind::Kill) && *a == array && e.contains(&element)
        })
    };
    instances.iter().any(|i| before(source, i) && before(i, sink) && ends(i))
}

pub(super) fn points(relation: &Map, n: i64) -> Vec<(Vec<i64>, Vec<i64>)> {
    let n_in = relation.dim(DimKind::In);
    let fixed = relation.fix(DimKind::Param, 0, &Int::from(n));
    let points = fixed.wrap().points(100_000).expect("bounded");
    let values = points.iter().map(|p| p[1..].iter().map(|v| v.as_i64().expect("small")).collect::<Vec<_>>());
    values.map(|p| (p[..n_in].to_vec(), p[n_in..].to_vec())).collect()
}

fn computed(dependences: &Dependences, kind: Kind) -> BTreeSet<Pair> {
    let of =
        |d: &Dependence| points(&d.relation, N).into_iter().map(|(s, t)| (d.source, s, d.sink, t)).collect::<Vec<_>>();
    dependences.of_kind(kind).flat_map(of).collect()
}

fn read(program: &Program) -> Scop {
    let text = program.text();
    crate::scop::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn dependences_are_what_their_definitions_say() {
    property(300, |u| {
        let program = Program::arbitrary(u, false, false)?;
        let scop = read(&program);
        let dependences = Dependences::of(&scop);
        let instances = program.instances();
        for kind in [Kind::Flow, Kind::Anti, Kind::Output] {
            let (is, should) = (computed(&dependences, kind), defined(&instances, kind));
            assert_eq!(is, should, "{kind} of\n{scop}\n{dependences}");
        }
        Ok(())
    });
}

#[test]
fn a_flat_schedule_has_the_order_of_its_tree() {
    property(300, |u| {
        let program = Program::arbitrary(u, true, false)?;
        let scop = read(&program);
        let by_tree = Dependences::of(&scop);
        let flat = Order::of_map(&scop.schedule.to_map()).expect("a function");
        let by_map = Dependences::under(&scop, &flat).unwrap();
        assert_eq!(computed(&by_tree, Kind::Flow), computed(&by_map, Kind::Flow), "{scop}");
        let validity = |found: &Dependences| found.validity().intersect_params(&scop.trusted_context());
        assert!(validity(&by_tree).is_equal(&validity(&by_map)), "{scop}");
        Ok(())
    });
}

#[test]
fn what_is_read_without_a_write_is_live_in() {
    property(300, |u| {
        let program = Program::arbitrary(u, false, false)?;
        let scop = read(&program);
        let dependences = Dependences::of(&scop);
        let instances = program.instances();
        let (mut live_in, mut live_out) = (BTreeSet::new(), BTreeSet::new());
        for i in &instances {
            for (kind, array, elements) in &i.touched {
                for e in elements {
                    let ends = |other: &Instance| {
                        let certain = |k: &AccessKind| matches!(k, AccessKind::MustWrite | AccessKind::Kill);
                        other.touched.iter().any(|(k, a, es)| certain(k) && a == array && es.contains(e))
                    };
                    if *kind == AccessKind::Read && !instances.iter().any(|w| before(w, i) && ends(w)) {
                        live_in.insert((i.statement, i.iterators.clone(), *array, *e));
                    }
                    if kind.writes() && !instances.iter().any(|w| before(i, w) && ends(w)) {
                        live_out.insert((i.statement, i.iterators.clone(), *array, *e));
                    }
                }
            }
        }
        assert_eq!(elements(&scop, &dependences.live_in), live_in, "live in of\n{scop}");
        assert_eq!(elements(&scop, dependences.live_out.relation()), live_out, "live out of\n{scop}");
        Ok(())
    });
}

fn elements(scop: &Scop, relation: &UnionMap) -> BTreeSet<(StatementId, Vec<i64>, usize, i64)> {
    let mut all = BTreeSet::new();
    for map in relation.maps() {
        let name = map.space().tuple_name(DimKind::In).expect("named");
        let statement = scop.statements.id_where(|s| s.name == *name).expect("a statement");
        let array = if map.space().tuple_name(DimKind::Out).expect("named").as_str() == "A0" { 0 } else { 1 };
        all.extend(points(map, N).into_iter().map(|(i, e)| (statement, i, array, e[0])));
    }
    all
}

/// Runs the instances in `order` on memory of 64-bit words and returns what is in it in the end: nothing where a kill left
/// no value, or what was computed from there.
fn execute(program: &Program, instances: &[Instance], order: &[usize], kills: bool) -> Memory {
    let reductions = program.halves();
    let mut memory = Memory::new();
    for &which in order {
        let instance = &instances[which];
        let is_half = &reductions[instance.statement];
        let touches = || instance.touched.iter().zip(is_half);
        let load = |memory: &Memory, array: usize, e: i64| {
            memory.get(&(array, e)).copied().unwrap_or(Some((e as u64) << 8 | array as u64))
        };
        let mut value = Some(which as u64 + 1);
        for ((_, array, elements), _) in touches().filter(|((kind, ..), half)| *kind == AccessKind::Read && !**half) {
            for e in elements {
                let loaded = load(&memory, *array, *e);
                let mixed = |v: u64| v.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
                value = value.zip(loaded).map(|(value, loaded)| mixed(value) ^ loaded);
            }
        }
        for ((kind, array, elements), half) in touches() {
            let happens = *kind == AccessKind::MustWrite || (*kind == AccessKind::MayWrite && which % 2 == 0);
            for e in elements {
                if happens {
                    let old = load(&memory, *array, *e);
                    let sum = old.zip(value).map(|(old, value)| old.wrapping_add(value));
                    memory.insert((*array, *e), if *half { sum } else { value });
                } else if *kind == AccessKind::Kill && kills {
                    memory.insert((*array, *e), None);
                }
            }
        }
    }
    memory
}

type Memory = BTreeMap<(usize, i64), Option<u64>>;

/// Some order of the instances that keeps all of `pairs`.
fn topological(u: &mut Unstructured<'_>, n: usize, pairs: &BTreeSet<(usize, usize)>) -> arbitrary::Result<Vec<usize>> {
    let mut order = Vec::new();
    let mut left: BTreeSet<usize> = (0..n).collect();
    while !left.is_empty() {
        let ready: Vec<usize> =
            left.iter().copied().filter(|&t| !left.iter().any(|&s| pairs.contains(&(s, t)))).collect();
        let next = *u.choose(&ready)?;
        left.remove(&next);
        order.push(next);
    }
    Ok(order)
}

fn instance_pairs(scop: &Scop, instances: &[Instance], relation: &UnionMap) -> BTreeSet<(usize, usize)> {
    let place = |name: &str, iterators: &[i64]| {
        instances.iter().position(|i| scop.statements[i.statement].name.as_str() == name && i.iterators == iterators)
    };
    let mut pairs = BTreeSet::new();
    for map in relation.maps() {
        let name = |kind| map.space().tuple_name(kind).expect("named").as_str().to_string();
        let (first, second) = (name(DimKind::In), name(DimKind::Out));
        for (s, t) in points(map, N) {
            pairs.insert((place(&first, &s).expect("an instance"), place(&second, &t).expect("an instance")));
        }
    }
    pairs
}

#[test]
fn any_order_that_keeps_the_dependences_computes_the_same() {
    property(300, |u| {
        let program = Program::arbitrary(u, true, true)?;
        let scop = read(&program);
        let dependences = Dependences::of(&scop);
        let mut instances = program.instances();
        instances.sort_by_key(|i| i.path.clone());
        let original: Vec<usize> = (0..instances.len()).collect();
        let expected = execute(&program, &instances, &original, true);
        let relaxed = instance_pairs(&scop, &instances, &dependences.validity());
        let order = topological(u, instances.len(), &relaxed)?;
        // A kill moves nothing: it only says which values nobody may rely on.
        let computed = execute(&program, &instances, &order, false);
        for (element, value) in expected.iter().filter(|(_, value)| value.is_some()) {
            assert_eq!(computed.get(element), Some(value), "{element:?} in order {order:?} of\n{scop}\n{dependences}");
        }
        Ok(())
    });
}

#[test]
fn all_that_meet_are_ordered_but_updates_of_one_reduction() {
    property(300, |u| {
        let program = Program::arbitrary(u, true, true)?;
        let scop = read(&program);
        let dependences = Dependences::of(&scop);
        let mut instances = program.instances();
        instances.sort_by_key(|i| i.path.clone());
        let n = instances.len();
        let mut ordered = vec![vec![false; n]; n];
        for (first, second) in instance_pairs(&scop, &instances, &dependences.validity()) {
            assert!(first < second, "{first} before {second} in\n{scop}\n{dependences}");
            ordered[first][second] = true;
        }
        for between in 0..n {
            for first in 0..between {
                for second in between + 1..n {
                    ordered[first][second] |= ordered[first][between] && ordered[between][second];
                }
            }
        }
        let halves = program.halves();
        for second in 0..n {
            for first in 0..second {
                let must = conflict(&instances, first, second, &halves);
                let what = || format!("{first} before {second} in\n{scop}\n{dependences}");
                assert!(!must || ordered[first][second], "{}", what());
            }
        }
        Ok(())
    });
}

/// Whether two instances touch one element, one of them writing it and not both as updates of a reduction. Who reads after a
/// kill reads no value, and may do so at any time.
fn conflict(instances: &[Instance], first: usize, second: usize, halves: &Table<StatementId, Vec<bool>>) -> bool {
    let touches = |i: &Instance| -> Vec<(AccessKind, usize, BTreeSet<i64>, bool)> {
        let touched = i.touched.iter().zip(&halves[i.statement]);
        touched.filter(|((k, ..), _)| *k != AccessKind::Kill).map(|((k, a, e), h)| (*k, *a, e.clone(), *h)).collect()
    };
    let is_killed = |array: usize, element: &i64| {
        instances[first + 1..second]
            .iter()
            .flat_map(|i| &i.touched)
            .any(|(kind, killed, elements)| *kind == AccessKind::Kill && *killed == array && elements.contains(element))
    };
    let (a, b) = (touches(&instances[first]), touches(&instances[second]));
    a.iter().any(|(kind, array, elements, half)| {
        b.iter().filter(|(_, other, ..)| other == array).any(|(other_kind, _, others, other_half)| {
            let is_read = *other_kind == AccessKind::Read;
            let mut common = elements.intersection(others);
            let counts = (kind.writes() || !is_read) && !(*half && *other_half);
            counts && common.any(|e| !is_read || !is_killed(*array, e))
        })
    })
}

fn check(text: &str, expected: Expect) {
    let scop = crate::scop::read(text).unwrap_or_else(|e| panic!("{e}"));
    expected.assert_eq(&Dependences::of(&scop).report(&scop).to_string());
}

#[test]
fn a_sum_is_a_reduction() {
    let text = r#"
statements:
- name: S
  domain: "[n] -> { S[i] : 0 <= i < n }"
  accesses: [ { write: "{ S[i] -> s[i] }" } ]
- name: T
  domain: "[n] -> { T[i, k] : 0 <= i, k < n }"
  accesses:
  - { read: "{ T[i, k] -> A[i, k] }" }
  - { read: "{ T[i, k] -> s[i] }", reduction: "+" }
  - { write: "{ T[i, k] -> s[i] }", reduction: "+" }
- name: U
  domain: "[n] -> { U[i] : 0 <= i < n }"
  accesses: [ { read: "{ U[i] -> s[i] }" }, { write: "{ U[i] -> B[i] }" } ]
schedule:
  domain: "[n] -> { S[i] : 0 <= i < n; T[i, k] : 0 <= i, k < n; U[i] : 0 <= i < n }"
  child:
    schedule: "[n] -> [{ S[i] -> [(i)]; T[i, k] -> [(i)]; U[i] -> [(i)] }]"
    child:
      sequence:
      - filter: "{ S[i] }"
      - filter: "{ T[i, k] }"
        child: { schedule: "[{ T[i, k] -> [(k)] }]" }
      - filter: "{ U[i] }"
"#;
    check(
        text,
        expect![[r#"
        flow:
          write S_0 -> read T_1 of s: [n] -> { S[i] -> T[i, 0] : n > 0 and 0 <= i < n }
          write T_2 -> read U_0 of s: [n] -> { T[i, n - 1] -> U[i] : 0 <= i < n }
        output:
          write S_0 -> write T_2 of s: [n] -> { S[i] -> T[i, k] : 0 <= k < n and 0 <= i < n }
        reduction:
          read T_1 -> write T_2 of s by + from -0.0 in f64: [n] -> { T[i, k] -> T[i, k'] : 0 <= k' < n and 0 <= k < n and 0 <= i < n and k' > k }
          write T_2 -> read T_1 of s by + from -0.0 in f64: [n] -> { T[i, k] -> T[i, k + 1] : 0 <= k <= n - 2 and 0 <= i < n }
          write T_2 -> write T_2 of s by + from -0.0 in f64: [n] -> { T[i, k] -> T[i, k'] : 0 <= k' < n and 0 <= k < n and 0 <= i < n and k' > k }
        reduction use:
          write T_2 -> read U_0 of s: [n] -> { T[i, k] -> U[i] : n > 0 and 0 <= k <= n - 2 and 0 <= i < n }
        live in:
          [n] -> { T[i, k] -> A[i, k] : 0 <= k < n and 0 <= i < n }
        live out:
          [n] -> { T[i, n - 1] -> s[i] : n > 0 and 0 <= i < n; U[i] -> B[i] : 0 <= i < n }
    "#]],
    );
}

#[test]
fn approximate_dataflow_as_the_tutorial_has_it() {
    let map = |text: &str| UnionMap::parse(text).expect("a relation");
    let write = map("[n] -> { S[i] -> t[] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n }");
    let read = map("[n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> t[] : 0 <= i < n }");
    let schedule = map("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }");
    let order = Order::of_map(&schedule).expect("a function");
    let none = map("{ }");
    let flow = Flow::of(&order, &read, &write, &none).unwrap();
    assert!(flow.must_dependence.is_equal(&map("[n] -> { S[i] -> T[i] : 0 <= i < n }")));
    assert!(flow.may_no_source.is_equal(&map("[n] -> { S[i] -> A[i] : 0 <= i < n }")));
    let any = Flow::of(&order, &read, &none, &write).unwrap();
    assert!(any.may_dependence.is_equal(&map("[n] -> { S[i] -> T[j] : 0 <= i <= j < n }")));
}

#[test]
fn a_write_under_a_condition_hides_no_other_one() {
    let scop = crate::scop::read(
        "domain: { P[i] : 0 <= i < 3; S[i] : 0 <= i < 3; R[] }
schedule: { P[i] -> [0, i, 0]; S[i] -> [0, i, 1]; R[] -> [1, 0, 0] }
reads: { P[i] -> x[i]; R[] -> r[] }
must_writes: { P[i] -> p[i]; S[i] -> r[] }
when: { S[i] -> p[i] }
",
    )
    .expect("a model");
    let dependences = Dependences::of(&scop);
    let flow = UnionMap::parse("{ P[i] -> S[i] : 0 <= i < 3; S[i] -> R[] : 0 <= i < 3 }").expect("a relation");
    assert!(dependences.flow.is_equal(&flow), "{}", dependences.flow);
    assert!(!dependences.exact);
    let live_in = UnionMap::parse("{ P[i] -> x[i] : 0 <= i < 3; R[] -> r[] }").expect("a relation");
    assert!(dependences.live_in.is_equal(&live_in));
}

/// A write of `h[1][i]` is never read as `h[0][i]`, unless rows are longer than they are.
#[test]
fn what_the_context_excludes_is_no_dependence() {
    let text = r#"name: rows
params: [n]
context: "[n] -> { : 0 <= n <= N }"
arrays:
- { name: h, element: f64, shape: [ "" ] }
statements:
- name: S
  domain: "[n] -> { S[t, i] : 0 <= t < 9 and 0 <= i < n }"
  accesses:
  - { id: a, read: "{ S[t, i] -> h[i] }" }
  - { id: b, write: "{ S[t, i] -> h[1000 + i] }" }
schedule:
  domain: "[n] -> { S[t, i] : 0 <= t < 9 and 0 <= i < n }"
  child:
    schedule: "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
"#;
    let flow = |n: &str| {
        let scop = crate::scop::parse(&text.replace("n <= N", &format!("n <= {n}"))).unwrap_or_else(|e| panic!("{e}"));
        Dependences::of(&scop).flow
    };
    assert!(flow("1000").is_empty() && !flow("1001").is_empty());
}

fn dependences_of(text: &str) -> Dependences {
    Dependences::of(&crate::scop::read(text).unwrap_or_else(|e| panic!("{e}")))
}

#[track_caller]
fn same(found: &UnionMap, expected: &str) {
    let expected = UnionMap::parse(expected).expect("a relation");
    assert!(found.is_equal(&expected), "{found}");
}

/// `U` sets the sum to something in the middle: updates before it and after it are no parts of one reduction. It runs at a fixed time of the loop.
#[test]
fn a_write_in_between_cuts_a_reduction() {
    let text = r#"
statements:
- name: T
  domain: "{ T[k] : 0 <= k < 6 }"
  accesses:
  - { read: "{ T[k] -> s[] }", reduction: "OPERATOR" }
  - { write: "{ T[k] -> s[] }", reduction: "OPERATOR" }
- name: U
  domain: "{ U[] }"
  accesses: [ { write: "{ U[] -> s[] }" } ]
schedule:
  domain: "{ T[k] : 0 <= k < 6; U[] }"
  child:
    schedule: "[{ T[k] -> [(k)]; U[] -> [(3)] }]"
    child:
      sequence:
      - filter: "{ U[] }"
      - filter: "{ T[k] }"
"#;
    let found = dependences_of(&text.replace("OPERATOR", "+"));
    same(&found.flow, "{ U[] -> T[3] }");
    same(&found.anti, "{ T[k] -> T[l] : 0 <= k < 3 <= l < 6; T[k] -> U[] : 0 <= k < 3 }");
    same(&found.output, "{ T[k] -> T[l] : 0 <= k < 3 <= l < 6; T[k] -> U[] : 0 <= k < 3; U[] -> T[k] : 3 <= k < 6 }");
    same(&found.reduction, "{ T[k] -> T[l] : 0 <= k < l < 3 or 3 <= k < l < 6 }");
    assert!(found.in_order.is_empty(), "sums are taken in any order");
    let ordered = dependences_of(&text.replace("OPERATOR", "argmin"));
    assert!(ordered.in_order.is_equal(&ordered.reduction) && !ordered.in_order.is_empty());
    assert!(ordered.in_order.is_subset(&ordered.validity()), "the first of several least stays the first");
}

/// `T[i]` comes after `S[i]` and hides what it may have written, in its own iteration and in earlier ones only.
#[test]
fn a_certain_write_hides_what_came_before_it() {
    let found = dependences_of(
        "domain: { S[i] : 0 <= i < 6; T[i] : 0 <= i < 4; R[] }
schedule: { S[i] -> [0, i, 0]; T[i] -> [0, i, 1]; R[] -> [1, 0, 0] }
reads: { R[] -> t[] }
may_writes: { S[i] -> t[] }
must_writes: { T[i] -> t[] }
",
    );
    same(&found.flow, "{ T[3] -> R[]; S[4] -> R[]; S[5] -> R[] }");
    assert!(found.live_in.is_empty() && !found.exact);
}

/// Two functions that never take a value twice may well take the same ones.
#[test]
fn functions_of_different_names_have_nothing_in_common() {
    let text = r#"
symbols:
- { name: f, injective: true }
- { name: g, injective: true }
statements:
- name: S
  domain: "{ S[i] : 0 <= i < 3 }"
  accesses: [ { write: "{ S[i] -> A[f(i)] }" } ]
- name: T
  domain: "{ T[i] : 0 <= i < 3 }"
  accesses: [ { write: "{ T[i] -> A[g(i)] }" } ]
schedule:
  domain: "{ S[i] : 0 <= i < 3; T[i] : 0 <= i < 3 }"
  child:
    sequence:
    - filter: "{ S[i] }"
      child: { schedule: "[{ S[i] -> [(i)] }]" }
    - filter: "{ T[i] }"
      child: { schedule: "[{ T[i] -> [(i)] }]" }
"#;
    same(&dependences_of(text).output, "{ S[i] -> T[j] : 0 <= i < 3 and 0 <= j < 3 }");
    let alike = text.replace("name: g, injective: true", "name: g").replace("g(i)", "f(i)");
    same(&dependences_of(&alike).output, "{ S[i] -> T[i] : 0 <= i < 3 }");
}

/// Shorter times are filled up by zeros.
#[test]
fn times_of_different_length_are_compared() {
    let map = |text: &str| UnionMap::parse(text).expect("a relation");
    let order =
        Order::of_map(&map("{ S[i] -> [i] : 0 <= i < 4; T[i] -> [i, 1] : 0 <= i < 4; V[i] -> [i, -1] : 0 <= i < 4 }"));
    let reads = map("{ T[i] -> t[] : 0 <= i < 4; V[i] -> t[] : 0 <= i < 4 }");
    let flow =
        Flow::of(&order.expect("a function"), &reads, &map("{ S[i] -> t[] : 0 <= i < 4 }"), &map("{ }")).unwrap();
    same(&flow.must_dependence, "{ S[i] -> T[i] : 0 <= i < 4; S[i] -> V[i + 1] : 0 <= i < 3 }");
    same(&flow.may_no_source, "{ V[0] -> t[] }");
    let twice = Order::of_map(&map("{ S[i] -> [j] : 0 <= j < 2 }"));
    assert_eq!(twice.expect_err("two times").to_string(), "the schedule gives an instance of S several times");
}

/// A function of equal arguments has one value, also within one instance: `f(i) + f(j)` is even where `i` is `j`.
#[test]
fn a_function_has_one_value_for_an_argument() {
    let text = r#"
symbols:
- { name: f, lower: 0, upper: 3 }
statements:
- name: S
  domain: "{ S[i, j] : 0 <= i < 3 and j = i }"
  accesses: [ { write: "{ S[i, j] -> A[f(i) + f(j)] }" }, { read: "{ S[i, j] -> x[i] }" } ]
- name: T
  domain: "{ T[] }"
  accesses: [ { write: "{ T[] -> A[PLACE] }" } ]
schedule:
  domain: "{ S[i, j] : 0 <= i < 3 and j = i; T[] }"
  child:
    sequence:
    - filter: "{ S[i, j] }"
      child: { schedule: "[{ S[i, j] -> [(i)] }]" }
    - filter: "{ T[] }"
"#;
    let among = "S[i, j] -> S[k, l] : 0 <= i < k < 3 and j = i and l = k";
    let odd = dependences_of(&text.replace("PLACE", "1"));
    same(&odd.output, &format!("{{ {among} }}"));
    let even = dependences_of(&text.replace("PLACE", "2"));
    same(&even.output, &format!("{{ {among}; S[i, j] -> T[] : 0 <= i < 3 and j = i }}"));
    same(&even.live_in, "{ S[i, j] -> x[i] : 0 <= i < 3 and j = i }");
}

/// What replaces a value in any case need not read it: instances stay in their order, but runs of them may be worked on apart.
#[test]
fn the_last_of_several_values_is_a_reduction() {
    let text = r#"
arrays:
- { name: s }
- { name: t, live_out: false }
statements:
- name: S
  domain: "{ S[i] : 0 <= i < 4 }"
  accesses: [ { may_write: "{ S[i] -> s[] }", reduction: "last" }, { write: "{ S[i] -> t[i] }" } ]
schedule:
  domain: "{ S[i] : 0 <= i < 4 }"
  child: { schedule: "[{ S[i] -> [(i)] }]" }
"#;
    let found = dependences_of(&text.replace("name: t,", "name: t, shape: [ \"\" ],"));
    same(&found.reduction, "{ S[i] -> S[j] : 0 <= i < j < 4 }");
    assert!(found.in_order.is_equal(&found.reduction) && found.output.is_empty() && found.flow.is_empty());
    same(found.live_out.relation(), "{ S[i] -> s[] : 0 <= i < 4 }");
    let sums = dependences_of(&text.replace("last", "+").replace("name: t,", "name: t, shape: [ \"\" ],"));
    assert!(sums.reduction.is_empty() && !sums.output.is_empty(), "a sum that does not read its old value is none");
}

#[test]
fn arrays_that_are_reduced_are_named_once() {
    let scop = crate::scop::read(
        r#"
statements:
- name: S
  domain: "{ S[i] : 0 <= i < 4 }"
  accesses:
  - { read: "{ S[i] -> s[] }", reduction: "+" }
  - { write: "{ S[i] -> s[] }", reduction: "+" }
  - { read: "{ S[i] -> t[] }", reduction: "+" }
  - { write: "{ S[i] -> t[] }", reduction: "+" }
- name: T
  domain: "{ T[i] : 0 <= i < 4 }"
  accesses: [ { write: "{ T[i] -> A[0] }" } ]
schedule:
  domain: "{ S[i] : 0 <= i < 4; T[i] : 0 <= i < 4 }"
  child: { schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]" }
"#,
    );
    let scop = scop.unwrap_or_else(|e| panic!("{e}"));
    let dependences = Dependences::of(&scop);
    let of = |names: &[&str]| -> Vec<String> {
        let wanted = scop.statements.ids().filter(|at| names.contains(&scop.statements[*at].name.as_str()));
        dependences.reduced_arrays(&scop, &wanted.collect()).iter().map(ToString::to_string).collect()
    };
    assert_eq!(of(&["S", "T"]), ["s", "t"]);
    assert!(of(&["T"]).is_empty());
    let kept = dependences.reduction_but(&scop, &[Id::new("s")]);
    assert!(kept.is_equal(&dependences.reduction), "t is kept, between the same instances");
    assert!(dependences.reduction_but(&scop, &[Id::new("s"), Id::new("t")]).is_empty());
}
