//! Random weakly dynamic programs: their graphs keep the laws and compute what the program does.
//!
//! A program is a nest of loops with affine bounds and strides, of conditions on data and of assignments to a scalar, a row and a
//! square of numbers, at affine subscripts. It is written as a model, so that the text form, the recovery of its structure and the
//! sequential run are tested with it.

use arbtest::arbitrary::{Result, Unstructured};

use super::input::{Input, Memory};
use super::run::Runs;
use super::*;
use crate::dependence::Dependences;
use crate::presburger::{Int, Space, UnionMap};
use crate::property::property;
use crate::scop;

/// Deepest nest of loops.
const DEEPEST: usize = 2;
/// Most statements of a program that runs: the trees of a few more take seconds.
const MOST_STATEMENTS: usize = 5;
/// Most statements of a program whose trees are read back: that takes longer than to grow them.
const FEW_STATEMENTS: usize = 4;

const ITERATORS: [&str; 3] = ["i", "j", "k"];

/// A program as a model in the making.
#[derive(Default)]
struct Model {
    most: usize,
    /// Without conditions on data.
    affine: bool,
    statements: Vec<String>,
    domains: Vec<String>,
    schedule: Vec<String>,
}

/// What surrounds a point of the program.
#[derive(Clone, Default)]
struct Around {
    /// Constraints of the loops.
    bounds: Vec<String>,
    /// Positions and iterators, outermost first.
    times: Vec<String>,
    /// Conditions: the key, the scalar and how many loops are around its computation.
    conditions: Vec<(bool, String, usize)>,
}

impl Around {
    fn depth(&self) -> usize {
        self.bounds.len()
    }

    fn iterators(&self, depth: usize) -> String {
        ITERATORS[..depth].join(", ")
    }
}

fn subscript(u: &mut Unstructured<'_>, depth: usize) -> Result<String> {
    let iterator = |u: &mut Unstructured<'_>| -> Result<&str> {
        Ok(if depth == 0 { "n" } else { ITERATORS[u.int_in_range(0..=depth - 1)?] })
    };
    Ok(match u.int_in_range(0..=6)? {
        0 => "0".to_string(),
        1 => format!("{} + 1", iterator(u)?),
        2 => format!("n - {}", iterator(u)?),
        3 => format!("{} + {}", iterator(u)?, iterator(u)?),
        4 => format!("floor({} / 2)", iterator(u)?),
        _ => iterator(u)?.to_string(),
    })
}

fn element(u: &mut Unstructured<'_>, depth: usize) -> Result<String> {
    Ok(match u.int_in_range(0..=4)? {
        0 => "c[]".to_string(),
        1 if depth == 2 => format!("b[{}, {}]", subscript(u, depth)?, subscript(u, depth)?),
        _ => format!("a[{}]", subscript(u, depth)?),
    })
}

impl Model {
    /// Adds a statement; `write` is its element or, for a condition, nothing.
    fn statement(
        &mut self,
        u: &mut Unstructured<'_>,
        around: &Around,
        position: usize,
        write: Option<String>,
    ) -> Result<usize> {
        let number = self.statements.len();
        let instance = format!("S{number}[{}]", around.iterators(around.depth()));
        let domain = match around.bounds.is_empty() {
            true => instance.clone(),
            false => format!("{instance} : {}", around.bounds.join(" and ")),
        };
        let reads = u.int_in_range(0..=2)?;
        let mut accesses = String::new();
        let mut sum = format!("{number} + {}", if around.depth() > 0 { "3 * i" } else { "n" });
        for read in 0..reads {
            let from = element(u, around.depth())?;
            accesses += &format!("  - {{ id: r{number}_{read}, read: \"[n] -> {{ {instance} -> {from} }}\" }}\n");
            sum += &format!(" + {} * r{number}_{read}", 2 * read + 3);
        }
        for (holds, scalar, depth) in &around.conditions {
            let key = if *holds { "when" } else { "unless" };
            accesses += &format!("  - {key}: \"{{ {instance} -> {scalar}[{}] }}\"\n", around.iterators(*depth));
        }
        let (write, compute) = match write {
            Some(element) => (element, sum),
            None => (format!("p{number}[{}]", around.iterators(around.depth())), format!("({sum}) % 3 == 0")),
        };
        accesses += &format!("  - write: \"[n] -> {{ {instance} -> {write} }}\"\n");
        let head = format!("- name: S{number}\n  domain: \"[n] -> {{ {domain} }}\"\n  compute: \"{compute}\"\n");
        self.statements.push(format!("{head}  accesses:\n{accesses}"));
        let times = around.times.iter().cloned().chain([position.to_string()]);
        let mut times: Vec<String> = times.collect();
        times.resize(2 * DEEPEST + 1, "0".to_string());
        self.schedule.push(format!("{instance} -> [{}]", times.join(", ")));
        self.domains.push(domain);
        Ok(number)
    }

    /// Adds up to three parts at `around`, from `position` on; the position after them.
    fn parts(&mut self, u: &mut Unstructured<'_>, around: &Around, mut position: usize) -> Result<usize> {
        for _ in 0..u.int_in_range(1..=3)? {
            if self.statements.len() >= self.most {
                break;
            }
            position = match u.int_in_range(0..=5)? {
                0 | 1 if around.depth() < DEEPEST => self.a_loop(u, around, position)?,
                2 | 3 if !self.affine => self.an_if(u, around, position)?,
                _ => {
                    let write = element(u, around.depth())?;
                    self.statement(u, around, position, Some(write))?;
                    position + 1
                }
            };
        }
        Ok(position)
    }

    fn a_loop(&mut self, u: &mut Unstructured<'_>, around: &Around, position: usize) -> Result<usize> {
        let own = ITERATORS[around.depth()];
        let outer = around.depth().checked_sub(1).map_or("2", |d| ITERATORS[d]);
        let bound = match u.int_in_range(0..=5)? {
            0 => format!("0 <= {own} <= {outer}"),
            1 => format!("{outer} <= {own} < n"),
            2 => format!("0 <= {own} < n - {outer}"),
            3 => format!("0 <= {own} < n and {own} mod 2 = 0"),
            _ => format!("0 <= {own} < n"),
        };
        let mut inner = around.clone();
        inner.bounds.push(bound);
        inner.times.extend([position.to_string(), own.to_string()]);
        self.parts(u, &inner, 0)?;
        Ok(position + 1)
    }

    fn an_if(&mut self, u: &mut Unstructured<'_>, around: &Around, position: usize) -> Result<usize> {
        let number = self.statement(u, around, position, None)?;
        let mut end = position + 1;
        for holds in [true, false] {
            let mut inner = around.clone();
            inner.conditions.push((holds, format!("p{number}"), around.depth()));
            if holds || u.ratio(1, 2)? {
                end = self.parts(u, &inner, end)?;
            }
        }
        Ok(end)
    }

    fn text(&self) -> String {
        let domain = format!("\"[n] -> {{ {} }}\"", self.domains.join("; "));
        let flat = format!("[n] -> {{ {} }}", self.schedule.join("; "));
        let flat = crate::presburger::UnionMap::parse(&flat).unwrap_or_else(|e| panic!("{e}"));
        let all = crate::presburger::UnionSet::parse(domain.trim_matches('"')).unwrap_or_else(|e| panic!("{e}"));
        let tree = scop::Tree::from_map(&flat.intersect_domain(&all)).unwrap_or_else(|e| panic!("{e}")).to_string();
        let tree: String = tree.lines().map(|line| format!("  {line}\n")).collect();
        let arrays = "- { name: a, element: i64, shape: [ \"\" ] }\n- { name: b, element: i64, shape: [ \"\", \"\" ] }\n- { name: c, element: i64 }\n";
        let statements = self.statements.concat();
        format!("context: \"[n] -> {{ : n >= 0 }}\"\narrays:\n{arrays}statements:\n{statements}schedule:\n{tree}")
    }
}

fn arbitrary_model(u: &mut Unstructured<'_>, most: usize) -> Result<Scop> {
    read(u, Model { most, ..Default::default() })
}

fn read(u: &mut Unstructured<'_>, mut model: Model) -> Result<Scop> {
    model.parts(u, &Around::default(), 0)?;
    let text = model.text();
    Ok(scop::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

#[test]
fn graphs_compute_what_the_program_does() {
    property(60, |u| {
        let scop = arbitrary_model(u, MOST_STATEMENTS)?;
        let again = scop::read(&scop.to_string()).unwrap_or_else(|e| panic!("{e}\n{scop}"));
        assert_eq!(again.to_string(), scop.to_string());
        let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}\n{scop}"));
        for n in 0..=4 {
            let input = Input { params: vec![n], elements: Memory::new(), fill: Some(n as u64) };
            let runs = Runs::of(&dataflow, &input).unwrap_or_else(|e| panic!("{e} for n = {n}\n{scop}"));
            assert_eq!(runs.by_data.operations, runs.sequential.operations, "{scop}");
        }
        Ok(())
    });
}

#[test]
fn graphs_are_inverse_to_each_other() {
    property(40, |u| {
        let scop = arbitrary_model(u, FEW_STATEMENTS)?;
        let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}\n{scop}"));
        dataflow.verify().unwrap_or_else(|e| panic!("{e}\n{scop}"));
        Ok(())
    });
}

/// What flows in a run is among what may flow by the analysis that knows nothing of the conditions' values.
#[test]
fn dependences_contain_what_flows() {
    property(60, |u| {
        let scop = arbitrary_model(u, MOST_STATEMENTS)?;
        let dependences = Dependences::of(&scop);
        for n in 0..=4 {
            let input = Input { params: vec![n], elements: Memory::new(), fill: Some(n as u64) };
            let run = sequential::run(&scop, &input).unwrap_or_else(|e| panic!("{e} for n = {n}\n{scop}"));
            for ((writer, from), (reader, to)) in &run.flow {
                let (first, second) = (&scop.statements[*writer], &scop.statements[*reader]);
                let space = Space::from_domain_and_range(first.domain.space(), second.domain.space());
                let pair: Vec<Int> = [n].iter().chain(from).chain(to).map(|value| Int::from(*value)).collect();
                let may_flow = dependences.flow.extract_map(&space).contains(&pair);
                assert!(may_flow, "{}{from:?} -> {}{to:?} for n = {n} is not in\n{scop}", first.name, second.name);
            }
        }
        Ok(())
    });
}

/// Where no condition is on data, the sources in the graph are those that the analysis of dependences finds in its own way.
#[test]
fn without_conditions_the_sources_are_the_flow() {
    property(60, |u| {
        let scop = read(u, Model { most: MOST_STATEMENTS, affine: true, ..Default::default() })?;
        let dataflow = Dataflow::of(&scop).unwrap_or_else(|e| panic!("{e}\n{scop}"));
        let mut sources = UnionMap::empty(&scop.params);
        for node in &dataflow.graph.nodes {
            let graph::Kind::Compute(reader) = node.kind else { continue };
            let cells = node.ports.iter().flat_map(|port| port.source.quasts()).flat_map(|one| one.cells());
            for (set, term) in cells {
                let graph::Kind::Compute(writer) = dataflow.graph.nodes[term.node].kind else { continue };
                let [first, second] = [writer, reader].map(|s| scop.statements[s].domain.space());
                let flow = term.relation(set).reverse().reset_space(&Space::from_domain_and_range(first, second));
                sources = sources.union(&UnionMap::from_map(&flow));
            }
        }
        let context = scop.trusted_context();
        let sources = sources.intersect_params(&context);
        let flow = Dependences::of(&scop).flow.intersect_params(&context);
        assert!(sources.is_equal(&flow), "{sources}\nis not\n{flow}\nin\n{scop}");
        Ok(())
    });
}
