//! The U-graph as a program: a machine of tokens.
//!
//! An instance fires when a token has come to each of its ports that has a source (`i > 0 && x[i - 1] > 2` has none where `i` is 0); it computes its value and sends it to all its destinations. Inputs are
//! sent from outside, with what `Start` wakes up; when nothing moves any more the outputs have theirs. Who comes first does not matter,
//! as each port receives one token: two, or an instance that waits in vain, would show that the graph is wrong. The time of a token
//! is counted as if everything fired as soon as it can. (Klimov, section 7.3.)
//!
//! Implements: 004 7.3

use std::collections::{BTreeMap, VecDeque};

use super::graph::{Graph, Kind};
use super::input::{Input, small};
use super::recurrence::{Run, Token, fired, values_at};
use super::tree::Tree;
use super::value::{Stuck, Value, stuck};
use crate::presburger::budget::spend;
use crate::presburger::{Id, Int};
use crate::scop::Scop;

/// An instance: its node and its context.
type Instance = (usize, Vec<i64>);

/// A token on its way: the instance and the port that it goes to.
struct Sent {
    to: Instance,
    port: usize,
    token: Token,
}

/// The tokens that have come to an instance, and how many are to come.
struct Waiting {
    ports: Vec<Option<Token>>,
    missing: usize,
}

struct Machine<'a> {
    scop: &'a Scop,
    graph: &'a Graph,
    sources: &'a [Vec<Tree>],
    destinations: &'a [Tree],
    places: BTreeMap<&'a Id, usize>,
    input: &'a Input,
    waiting: BTreeMap<Instance, Waiting>,
    sent: VecDeque<Sent>,
    run: Run,
}

/// The outputs of the U-graph whose nodes send their values to `destinations`, which are the inverse of the `sources` of their ports.
pub fn run(
    (scop, graph): (&Scop, &Graph),
    sources: &[Vec<Tree>],
    destinations: &[Tree],
    input: &Input,
) -> Result<Run, Stuck> {
    let places = graph.nodes.iter().enumerate().map(|(at, node)| (&node.name, at)).collect();
    let (waiting, sent) = (BTreeMap::new(), VecDeque::new());
    let mut machine = Machine { scop, graph, sources, destinations, places, input, waiting, sent, run: Run::new() };
    for (at, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.ports.is_empty()) {
        for point in input.points(&node.domain)? {
            let value = match node.kind {
                Kind::Input(array) => input.element(scop, array, &point)?,
                _ => Value::Int(0),
            };
            machine.send(&(at, point), Token { value, depth: 0, rounds: 0 })?;
        }
    }
    for (at, node) in graph.nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind, Kind::Compute(_))) {
        if node.ports.is_empty() || sources[at].iter().any(Tree::is_total) {
            continue;
        }
        for point in input.points(&node.domain)? {
            if machine.n_sources(at, &point)? == 0 {
                machine.fire(&(at, point), &vec![None; node.ports.len()])?;
            }
        }
    }
    while let Some(sent) = machine.sent.pop_front() {
        machine.receive(sent)?;
    }
    match machine.waiting.keys().next() {
        None => Ok(machine.run),
        Some((node, point)) => stuck(format!("{}{point:?} waits for a token in vain", graph.nodes[*node].name)),
    }
}

impl Machine<'_> {
    fn receive(&mut self, sent: Sent) -> Result<(), Stuck> {
        spend(50);
        let node = &self.graph.nodes[sent.to.0];
        let known = self.waiting.remove(&sent.to);
        let mut waiting = match known {
            Some(waiting) => waiting,
            None => Waiting { ports: vec![None; node.ports.len()], missing: self.n_sources(sent.to.0, &sent.to.1)? },
        };
        let is_second = waiting.ports[sent.port].replace(sent.token).is_some();
        waiting.missing = match waiting.missing.checked_sub(1) {
            Some(missing) if !is_second => missing,
            _ => return stuck(format!("{}{:?} gets two tokens at one port", node.name, sent.to.1)),
        };
        if waiting.missing == 0 {
            return self.fire(&sent.to, &waiting.ports);
        }
        self.waiting.insert(sent.to, waiting);
        Ok(())
    }

    /// To how many of its ports tokens come at a point: what computes reads some values at some points only.
    fn n_sources(&self, at: usize, point: &[i64]) -> Result<usize, Stuck> {
        let node = &self.graph.nodes[at];
        if !matches!(node.kind, Kind::Compute(_)) {
            return Ok(node.ports.len());
        }
        let mut n = 0;
        for tree in &self.sources[at] {
            let mut asked = |name: &Id, _: Vec<Int>| stuck(format!("a source depends on the value of {name}"));
            n += usize::from(tree.source(&mut values_at(self.scop, self.input, node, point), &mut asked)?.is_some());
        }
        Ok(n)
    }

    fn fire(&mut self, instance: &Instance, ports: &[Option<Token>]) -> Result<(), Stuck> {
        let node = &self.graph.nodes[instance.0];
        let names: Vec<Id> = node.ports.iter().map(|port| port.name.clone()).collect();
        let params = &self.input.params;
        let token = fired(self.scop, (node.kind, &instance.1), &names, params, ports, std::iter::empty())?;
        self.run.count(self.scop, node.kind, &token);
        match node.kind {
            Kind::Output(array) => {
                self.run.memory.insert((array, instance.1.clone()), token.value);
                Ok(())
            }
            Kind::Filter(open) if ports[1].is_some_and(|truth| truth.value.is_true() != open) => Ok(()),
            _ => self.send(instance, token),
        }
    }

    fn send(&mut self, instance: &Instance, token: Token) -> Result<(), Stuck> {
        let mut values = values_at(self.scop, self.input, &self.graph.nodes[instance.0], &instance.1);
        let mut found: Vec<(usize, usize, Vec<Int>)> = Vec::new();
        let mut asked = |name: &Id, _: Vec<Int>| stuck(format!("a destination depends on the value of {name}"));
        self.destinations[instance.0].walk(&mut values, &mut asked, &mut |name, port, args| {
            let place = self.places[name];
            let port = self.graph.nodes[place].ports.iter().position(|p| Some(&p.name) == port);
            found.push((place, port.expect("law: destinations are ports"), args));
        })?;
        for (place, port, args) in found {
            self.sent.push_back(Sent { to: (place, small(&args)?), port, token });
        }
        Ok(())
    }
}
