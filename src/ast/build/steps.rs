//! Loops that data ends: which dimension counts their steps, and where in a step each statement stands.
//!
//! ```text
//! schedule: "[{ P[w] -> [w]; S[w, i] -> [w] }]"        for (c0 = 0; ; c0 += 1) {
//! child:                                                 if (!P(c0)) break;
//!   sequence:                                            for (c1 = 0; c1 < n; c1 += 1)
//!   - filter: "{ P[w] }"                                   S(c0, c1);
//!   - filter: "{ S[w, i] }"                              }
//! ```
//!
//! A dimension counts steps if all statements there belong to one loop of [`Steps`], each with the date of the test that it asks, or, where that is the last one of a step, of
//! the step after. Then the loop needs no upper bound: its body is left where a test says so. That is right if each part of the body stands behind the test that it asks and before the next one; what runs
//! only in the last step, when a test has said that the loop ends, stands right behind that test. Where this is not so, the dimension is like any other.
//!
//! Implements: 001 while, control-flow; 002 5.2.2

use crate::ast::rows::statement::Statement;
use crate::ast::tree::node::Node;
use crate::presburger::{DimKind, Id, Int, Map, Set};
use crate::scop::Steps;
use crate::scop::steps::Asked;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where statements stand in a step.
pub(in crate::ast) struct Stages {
    /// The tests, with the value with which the loop goes on.
    tests: Vec<(Id, bool)>,
    /// Where the other statements stand.
    of: BTreeMap<Id, Stage>,
}

/// A place in a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Behind so many tests, of which the last has said that the loop goes on.
    Behind(usize),
    /// Behind the test at this place, if that has said that the loop ends.
    Ended(usize),
}

impl Stages {
    /// Where these statements stand in a step, if the dimension at `depth` counts the steps of a loop that data ends.
    pub(super) fn of(all: &[Steps], statements: &[Rc<Statement>], depth: usize) -> Option<Stages> {
        let is_all = |steps: &&Steps| statements.iter().all(|s| steps.asked.contains_key(&s.name()));
        let steps = all.iter().find(is_all)?;
        let date_of = |statement: &Statement| {
            let n = statement.dates.dim(DimKind::Out);
            nameless_out(&statement.dates.project_out(DimKind::Out, depth + 1, n - depth - 1).project_out(
                DimKind::Out,
                0,
                depth,
            ))
        };
        if depth > 0 && !has_one_prefix(statements, depth) {
            return None;
        }
        let mut dates: BTreeMap<Id, Map> = BTreeMap::new();
        for statement in statements {
            if dates.insert(statement.name(), date_of(statement)).is_some() {
                return None;
            }
        }
        let whole = |test: &crate::scop::steps::Test| {
            dates.get(&test.statement).is_some_and(|dates| test.domain.is_subset(&dates.domain()))
        };
        if !steps.tests.iter().all(whole) {
            return None;
        }
        let steps = Dated { steps, dates };
        let (distance, first) = steps.first()?;
        let mut of = BTreeMap::new();
        for name in steps.dates.keys() {
            let stage = steps.stage(name, &distance, &first)?;
            match steps.steps.tests.iter().position(|test| test.statement == *name) {
                Some(at) if stage != Stage::Behind(at) => return None,
                Some(_) => {}
                None => drop(of.insert(name.clone(), stage)),
            }
        }
        let tests = steps.steps.tests.iter().map(|test| (test.statement.clone(), test.goes_on)).collect();
        Some(Stages { tests, of })
    }
}

/// Whether all instances have the same dates before `depth`.
fn has_one_prefix(statements: &[Rc<Statement>], depth: usize) -> bool {
    let prefixes = statements.iter().map(|statement| {
        let dates = nameless_out(&statement.dates).range();
        dates.project_out(DimKind::Out, depth, dates.dim(DimKind::Out) - depth)
    });
    prefixes.reduce(|all, each| all.union(&each)).is_some_and(|all| Map::from_range(&all).is_single_valued())
}

fn nameless_out(map: &Map) -> Map {
    map.set_tuple_name(DimKind::Out, None)
}

/// The statements of a loop with their dates.
struct Dated<'s> {
    steps: &'s Steps,
    dates: BTreeMap<Id, Map>,
}

impl Dated<'_> {
    fn asked(&self, name: &Id) -> &Asked {
        &self.steps.asked[name]
    }

    /// `{ S[i] -> [date of the test instance that it asks] }`
    fn date_of_asked(&self, name: &Id) -> Map {
        let asked = self.asked(name);
        asked.instances.apply_range(&self.dates[&self.steps.tests[asked.test].statement])
    }

    /// How far apart the steps are, and the dates of the first one.
    fn first(&self) -> Option<(Int, Set)> {
        let name = &self.steps.tests.first()?.statement;
        let (own, before) = (&self.dates[name], self.date_of_asked(name));
        let distance = before.reverse().apply_range(own).deltas();
        let distance = Map::from_range(&distance).fixed_value(DimKind::Out, 0)?;
        let asking = self.asked(name).instances.domain();
        (distance > Int::from(0)).then(|| (distance, own.subtract_domain(&asking).range()))
    }

    /// Where a statement stands in the step of its date.
    fn stage(&self, name: &Id, distance: &Int, first: &Set) -> Option<Stage> {
        let (own, asked) = (&self.dates[name], self.asked(name));
        let asking = asked.instances.domain();
        let (own, free) = (own.intersect_domain(&asking), own.subtract_domain(&asking));
        let that = self.date_of_asked(name);
        let goes_on = asked.holds == self.steps.tests[asked.test].goes_on;
        let is_last = asked.test + 1 == self.steps.tests.len();
        if own.is_subset(&that) && free.is_empty() {
            return Some(if goes_on { Stage::Behind(asked.test + 1) } else { Stage::Ended(asked.test) });
        }
        let gaps = that.reverse().apply_range(&own).deltas();
        let is_after = gaps.is_subset(&Map::from_range(&gaps).fix(DimKind::Out, 0, distance).range());
        (is_last && goes_on && is_after && free.range().is_subset(first)).then_some(Stage::Behind(0))
    }
}

impl Stages {
    /// The body of a step with its tests; else what is in the wrong place.
    pub(super) fn arranged(&self, body: &Node) -> Result<Node, Id> {
        let parts: Vec<&Node> = match body {
            Node::Block(parts) => parts.iter().collect(),
            one => vec![one],
        };
        let mut arranged: Vec<Node> = Vec::new();
        let (mut behind, mut is_ending) = (0, false);
        for part in parts {
            if let Node::User { statement, arguments } = part
                && let Some(at) = self.tests.iter().position(|(test, _)| test == statement)
            {
                if at != behind {
                    return Err(statement.clone());
                }
                let (statement, arguments) = (statement.clone(), arguments.clone());
                let (goes_on, otherwise) = (self.tests[at].1, Box::new(Node::Block(vec![])));
                arranged.push(Node::Test { statement, arguments, goes_on, otherwise });
                (behind, is_ending) = (at + 1, true);
                continue;
            }
            let mut names = Vec::new();
            users(part, &mut names);
            let stages: Vec<Option<Stage>> = names.iter().map(|name| self.of.get(name).copied()).collect();
            let all = |wanted: Stage| stages.iter().all(|stage| *stage == Some(wanted));
            match arranged.last_mut() {
                Some(Node::Test { otherwise, .. }) if is_ending && all(Stage::Ended(behind - 1)) => {
                    **otherwise = Node::block(vec![(**otherwise).clone(), part.clone()]);
                }
                _ if all(Stage::Behind(behind)) => {
                    arranged.push(part.clone());
                    is_ending = false;
                }
                _ => {
                    let wrong = names.iter().zip(&stages).find(|(_, stage)| **stage != Some(Stage::Behind(behind)));
                    return Err(wrong.map_or_else(|| self.tests[0].0.clone(), |(name, _)| name.clone()));
                }
            }
        }
        match self.tests.get(behind) {
            Some((missing, _)) => Err(missing.clone()),
            None => Ok(Node::Block(arranged)),
        }
    }
}

/// The statements in a part.
fn users(node: &Node, names: &mut Vec<Id>) {
    if let Node::User { statement, .. } = node {
        names.push(statement.clone());
    }
    node.children().into_iter().for_each(|child| users(child, names));
}
