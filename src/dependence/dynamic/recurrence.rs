//! The S-graph as a program: a system of recurrence equations, each value computed once.
//!
//! ```text
//! P(i)   = r(i) < x(i)                      B1(i) = if P(i) then S(i) else r(i)
//! S(i)   = x(i)                             r(i)  = if i = 0 then r_in() else B1(i - 1)
//! ```
//!
//! The run starts with the outputs and asks for what they need, with an explicit stack, as chains of requests are as long as the program
//! runs. Each value comes with its *depth*: how many steps after the start it can be known when nothing waits for anything but
//! its operands. (Klimov, section 7.2.)
//!
//! Implements: 004 7.2

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Kind, Node};
use super::input::{Input, Memory, small};
use super::tree::{Tree, Values};
use super::value::{Stuck, Value, computed, is_operation, stuck};
use crate::presburger::budget::spend;
use crate::presburger::{Id, Int};
use crate::scop::Scop;

/// What a run of a graph leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The elements of the outputs.
    pub memory: Memory,
    /// Instances that fired, of statements, blenders and filters.
    pub fired: usize,
    /// Those among them that compute something, and do not only copy.
    pub operations: usize,
    /// Most operations on a chain of values: the steps that unlimited processors need.
    pub depth: usize,
    /// Most fired instances on a chain.
    pub rounds: usize,
}

impl Run {
    /// Nothing has happened.
    pub fn new() -> Self {
        Self { memory: Memory::new(), fired: 0, operations: 0, depth: 0, rounds: 0 }
    }

    /// Counts an instance.
    pub fn count(&mut self, scop: &Scop, kind: Kind, token: &Token) {
        let (steps, operations) = cost(scop, kind);
        self.fired += steps;
        self.operations += operations;
        self.depth = self.depth.max(token.depth);
        self.rounds = self.rounds.max(token.rounds);
    }
}

impl Default for Run {
    fn default() -> Self {
        Self::new()
    }
}

/// A value and when it can be known.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The value.
    pub value: Value,
    /// Operations up to it.
    pub depth: usize,
    /// Fired instances up to it.
    pub rounds: usize,
}

/// What an instance of a node adds to the instances, and to the operations, on a chain.
pub fn cost(scop: &Scop, kind: Kind) -> (usize, usize) {
    match kind {
        Kind::Input(_) | Kind::Output(_) | Kind::Start => (0, 0),
        Kind::Compute(statement) => (1, usize::from(is_operation(scop, statement))),
        Kind::Blend(_) | Kind::Filter(_) => (1, 0),
    }
}

/// What an instance, of a kind of node at a point, hands on when it has the tokens `ports`, which it waited for.
pub fn fired(
    scop: &Scop,
    (kind, point): (Kind, &[i64]),
    names: &[Id],
    params: &[i64],
    ports: &[Option<Token>],
    waited: impl Iterator<Item = Token>,
) -> Result<Token, Stuck> {
    let (mut depth, mut rounds) = (0, 0);
    for token in waited.chain(ports.iter().flatten().copied()) {
        depth = depth.max(token.depth);
        rounds = rounds.max(token.rounds);
    }
    let (steps, operations) = cost(scop, kind);
    let value = match kind {
        Kind::Compute(statement) => {
            let mut read = |id: &Id| ports[names.iter().position(|name| name == id)?].map(|token| token.value);
            computed(scop, statement, point, params, &mut read)?
        }
        _ => ports.first().copied().flatten().map_or(Value::Int(0), |token| token.value),
    };
    Ok(Token { value, depth: depth + operations, rounds: rounds + steps })
}

/// An instance: its node and its context.
type Instance = (usize, Vec<i64>);

struct Equations<'a> {
    scop: &'a Scop,
    graph: &'a Graph,
    trees: &'a [Vec<Tree>],
    places: BTreeMap<Id, usize>,
    input: &'a Input,
    known: BTreeMap<Instance, Token>,
}

/// Why an instance has no value yet.
enum Halt {
    Needs(Instance),
    Stuck(Stuck),
}

impl From<Stuck> for Halt {
    fn from(stuck: Stuck) -> Self {
        Self::Stuck(stuck)
    }
}

/// What the parameters and the context of a node are at a point.
pub fn values_at(scop: &Scop, input: &Input, node: &Node, point: &[i64]) -> Values {
    let params = scop.params.iter().zip(&input.params);
    let context = node.context.iter().zip(point);
    params.chain(context).map(|(name, value)| (name.clone(), Int::from(*value))).collect()
}

/// The outputs of the S-graph whose ports have the sources `trees`.
pub fn run(scop: &Scop, graph: &Graph, trees: &[Vec<Tree>], input: &Input) -> Result<Run, Stuck> {
    let places = graph.nodes.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
    let mut equations = Equations { scop, graph, trees, places, input, known: BTreeMap::new() };
    let mut run = Run::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let Kind::Output(array) = node.kind else { continue };
        for point in input.points(&node.domain)? {
            let token = equations.solve((at, point.clone()))?;
            run.memory.insert((array, point), token.value);
        }
    }
    for ((node, _), token) in &equations.known {
        run.count(scop, graph.nodes[*node].kind, token);
    }
    Ok(run)
}

impl Equations<'_> {
    fn solve(&mut self, wanted: Instance) -> Result<Token, Stuck> {
        let mut requests = vec![wanted.clone()];
        let mut open = BTreeSet::from([wanted.clone()]);
        while let Some(instance) = requests.last() {
            spend(50);
            if !self.known.contains_key(instance) {
                match self.attempt(instance) {
                    Ok(token) => {
                        self.known.insert(instance.clone(), token);
                    }
                    Err(Halt::Needs(other)) => {
                        assert!(open.insert(other.clone()), "law: no instance depends on itself");
                        requests.push(other);
                        continue;
                    }
                    Err(Halt::Stuck(reason)) => return Err(reason),
                }
            }
            let done = requests.pop().expect("law: there was a request");
            open.remove(&done);
        }
        Ok(self.known[&wanted])
    }

    fn token(&self, instance: Instance) -> Result<Token, Halt> {
        self.known.get(&instance).copied().ok_or(Halt::Needs(instance))
    }

    fn attempt(&self, (at, point): &Instance) -> Result<Token, Halt> {
        let node = &self.graph.nodes[*at];
        if let Kind::Input(array) = node.kind {
            let value = self.input.element(self.scop, array, point)?;
            return Ok(Token { value, depth: 0, rounds: 0 });
        }
        let mut values = values_at(self.scop, self.input, node, point);
        let mut asked: Vec<Token> = Vec::new();
        let mut ports = Vec::new();
        for (tree, port) in self.trees[*at].iter().zip(&node.ports) {
            let mut truth = |name: &Id, args: Vec<Int>| {
                let token = self.token((self.places[name], small(&args)?))?;
                asked.push(token);
                Ok::<bool, Halt>(token.value.is_true())
            };
            let source = tree.source(&mut values, &mut truth)?;
            ports.push(match (source, node.kind) {
                (Some((name, args)), _) => Some(self.token((self.places[&name], small(&args)?))?),
                // `i > 0 && x[i - 1] > 2` reads nothing where `i` is 0.
                (None, Kind::Compute(_)) => None,
                (None, _) => stuck(format!("{}{point:?} has no source for {}", node.name, port.name))?,
            });
        }
        let names: Vec<Id> = node.ports.iter().map(|port| port.name.clone()).collect();
        let token = fired(self.scop, (node.kind, point), &names, &self.input.params, &ports, asked.into_iter())?;
        Ok(token)
    }
}
