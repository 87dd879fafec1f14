//! Loops that data ends: steps that are counted from some number on, and exit predicates.
//!
//! ```text
//! while (P: error > limit) {        P[w] : w >= 0         reads error, writes p[w]        when p[w - 1], for w >= 1
//!   for (int i = 0; i < n; i++)
//!     S: x[i] = f(x[i]);            S[w, i] : w >= 0      when p[w]
//!   T: error = g(x[0]);             T[w] : w >= 0         when p[w]
//! }
//! ```
//!
//! A loop for which there is no iterator gets an artificial one, here `w`, that has no upper bound. A statement of its own, the *test* `P`, computes in each step whether the loop goes on, and runs
//! only if it has said so in the step before; what is behind it in the step runs if it says so in this one. So each condition is one of those that any statement may have, and that all later steps
//! are controlled by a test are dependences like others, through the scalar that holds what it says. A loop that is left in several places has several tests, each under the one before.
//!
//! [`Scop::steps`] finds such loops in a model: tests that ask each other in a circle. What runs because another instance runs is in [`Scop::together`].
//!
//! Implements: 001 while, control-flow; 002 5.2.2

use super::{Scop, Statement, StatementId, TableId};
use crate::presburger::{DimKind, Id, Map, Set, Space, Tuple, UnionMap, UnionSet};
use std::collections::BTreeMap;

/// A loop that data ends.
#[derive(Clone, Debug)]
pub struct Steps {
    /// What decides in a step whether the loop goes on, in order.
    pub tests: Vec<Test>,
    /// Whom the statements of the loop ask, tests as well.
    pub asked: BTreeMap<Id, Asked>,
}

/// What decides whether a loop goes on.
#[derive(Clone, Debug)]
pub struct Test {
    /// The statement.
    pub statement: Id,
    /// Its instances, one for each step.
    pub domain: Set,
    /// The value with which the loop goes on.
    pub goes_on: bool,
}

/// Under which condition a statement of a loop runs.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The place of the test that it asks.
    pub test: usize,
    /// The value with which it runs.
    pub holds: bool,
    /// From its instances to those of the test; where there is none, it runs in any case.
    pub instances: Map,
}

impl Asked {
    /// Whether it asks a test of its own step, as the first numbers of instances count these; else of the one before.
    pub fn is_same_step(&self) -> bool {
        let n = self.instances.dim(DimKind::In);
        let same = Map::identity(&Space::map(&[], &Tuple::anonymous(1), &Tuple::anonymous(1)));
        n > 0 && nameless(&self.instances.project_out(DimKind::In, 1, n - 1)).is_subset(&same)
    }
}

/// A condition of a statement: who computes it, the value with which it runs, from its instances to those that compute the value.
pub type Condition = (StatementId, bool, Map);

impl Scop {
    /// The conditions of a statement.
    pub fn conditions(&self, statement: StatementId) -> Vec<Condition> {
        let mut found = Vec::new();
        for access in &self.statements[statement].accesses {
            let Some(holds) = access.condition else { continue };
            for (s, writer) in self.statements.entries() {
                let writes = writer.accesses.iter().filter(|a| a.kind.writes() && a.array == access.array);
                found.extend(writes.map(|write| (s, holds, access.relation.apply_range(&write.relation.reverse()))));
            }
        }
        found
    }

    /// The loops that data ends, outside of all others.
    pub fn steps(&self) -> Vec<Steps> {
        if !self.statements.iter().any(Statement::is_conditional) {
            return Vec::new();
        }
        let all: Vec<(StatementId, Vec<Condition>)> = self.statements.ids().map(|s| (s, self.conditions(s))).collect();
        let mut found: Vec<Steps> = Vec::new();
        for (start, _) in &all {
            let name = &self.statements[*start].name;
            if found.iter().all(|steps| steps.tests.iter().all(|test| test.statement != *name)) {
                found.extend(self.around(*start, &all));
            }
        }
        found
    }

    /// The loop that this is a test of, if it is one.
    fn around(&self, start: StatementId, all: &[(StatementId, Vec<Condition>)]) -> Option<Steps> {
        let conditions = |s: StatementId| &all[s.position()].1;
        let mut circle = vec![start];
        while let [(before, ..)] = &conditions(*circle.last()?)[..] {
            if *before == start {
                break;
            }
            if circle.contains(before) {
                return None;
            }
            circle.push(*before);
        }
        let [(last, ..)] = &conditions(*circle.last()?)[..] else { return None };
        let is_flat = |s: &StatementId| self.statements[*s].domain.dim(DimKind::Out) == 1;
        if *last != start || !circle.iter().all(is_flat) {
            return None;
        }
        circle.reverse();
        // The first test of a step asks the last one of the step before.
        let same = Map::identity(&Space::map(&[], &Tuple::anonymous(1), &Tuple::anonymous(1)));
        let is_within = |s: &StatementId| nameless(&conditions(*s)[0].2).is_subset(&same);
        let mut first = (0..circle.len()).filter(|at| !is_within(&circle[*at]));
        let (first, None) = (first.next()?, first.next()) else { return None };
        circle.rotate_left(first);
        let tests = circle.iter().enumerate().map(|(at, s)| Test {
            statement: self.statements[*s].name.clone(),
            domain: self.statements[*s].domain.clone(),
            goes_on: conditions(circle[(at + 1) % circle.len()])[0].1,
        });
        let start = &self.statements[circle[0]].domain;
        let start = nameless_set(&start.subtract(&conditions(circle[0])[0].2.domain()));
        if !Map::from_range(&start).is_single_valued() {
            return None;
        }
        let mut asked = BTreeMap::new();
        for (s, conditions) in all {
            let own = conditions.iter().filter_map(|c| Some((circle.iter().position(|test| *test == c.0)?, c)));
            if let [(test, (_, holds, instances))] = &own.collect::<Vec<_>>()[..] {
                let Statement { name, domain, .. } = &self.statements[*s];
                let own = Asked { test: *test, holds: *holds, instances: instances.clone() };
                let free = domain.subtract(&instances.domain());
                let asks_before = instances.is_empty() || !own.is_same_step();
                if !free.is_empty() && (*test + 1 < circle.len() || !asks_before || !is_in(&free, &start)) {
                    return None;
                }
                asked.insert(name.clone(), own);
            }
        }
        Some(Steps { tests: tests.collect(), asked })
    }

    /// `{ S[i] -> T[j] }`: when `S[i]` runs, `T[j]` does so as well, as each condition of the one is one of the other, or of what that one needs to be asked. What cannot be
    /// followed is left out.
    pub fn together(&self) -> UnionMap {
        let mut asks: [UnionMap; 2] = [UnionMap::empty(&self.params), UnionMap::empty(&self.params)];
        let (mut own, mut count) = (BTreeMap::new(), BTreeMap::new());
        for (s, statement) in self.statements.entries() {
            let conditions = self.conditions(s);
            count.insert(statement.name.clone(), statement.accesses.iter().filter(|a| a.condition.is_some()).count());
            for (_, holds, map) in &conditions {
                asks[usize::from(*holds)] = asks[usize::from(*holds)].union(&UnionMap::from_map(map));
            }
            own.insert(statement.name.clone(), conditions);
        }
        // When an instance has been asked, it has run, under its own conditions.
        let needs = asks[0].union(&asks[1]);
        let (closure, is_exact) = needs.transitive_closure();
        let further = if is_exact { closure } else { needs };
        let all = self.domain();
        let known = UnionMap::identity(&all).union(&further);
        let facts = asks.each_ref().map(|asks| known.apply_range(asks));
        let mut together = UnionMap::empty(&self.params);
        for statement in &self.statements {
            let domain = UnionSet::from_set(&statement.domain);
            let conditions = &own[&statement.name];
            let rests = (statement.applied.is_none() && conditions.len() == count[&statement.name]).then(|| {
                let everything = UnionMap::from_domain_and_range(&all, &domain);
                conditions.iter().fold(everything, |kept, (_, holds, map)| {
                    // Those of which the condition is known, or that have none.
                    let map = UnionMap::from_map(map);
                    let known = facts[usize::from(*holds)].apply_range(&map.reverse());
                    let free = UnionMap::from_domain_and_range(&all, &domain.subtract(&map.domain()));
                    kept.intersect(&known.union(&free))
                })
            });
            together = rests.map_or(together.clone(), |own| together.union(&own));
        }
        together.coalesce()
    }
}

/// Whether the first numbers of instances are among those of `steps`.
fn is_in(instances: &Set, steps: &Set) -> bool {
    let n = instances.dim(DimKind::Out);
    n > 0 && nameless_set(&instances.project_out(DimKind::Out, 1, n - 1)).is_subset(steps)
}

fn nameless_set(set: &Set) -> Set {
    set.reset_space(&Space::set(set.space().params(), &Tuple::anonymous(set.dim(DimKind::Out))))
}

/// The same relation between tuples without names.
pub fn nameless(map: &Map) -> Map {
    let (n, m) = (map.dim(DimKind::In), map.dim(DimKind::Out));
    map.reset_space(&Space::map(map.space().params(), &Tuple::anonymous(n), &Tuple::anonymous(m)))
}
