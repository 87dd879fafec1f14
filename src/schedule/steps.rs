//! Loops that data ends stay outside, their steps in order; what is in one step, and what is around the loop, is scheduled by itself.
//!
//! ```text
//! while (P: error > limit)          [{ P[w] -> [w]; S[w, i] -> [w] }]
//!   for (int i = 0; i < n; i++)       P, then the best loops for { S[w, i] : w = step } with `step` as a parameter
//!     S: x[i] = f(x[i]);
//! ```
//!
//! Whether a step runs is known when the one before has decided it, so in loops that can end when data says so the steps come one after the other, outermost. Within a step, what stands between two tests runs
//! if the first one says so: as statements without that condition, for whatever step.
//!
//! Implements: 001 while

use super::{Options, Schedule};
use crate::dependence::Dependences;
use crate::presburger::{DimKind, Id, MultiUnionPwAff, Set, Space, UnionSet};
use crate::scop::tree::{Band, Node, Tree};
use crate::scop::{Scop, Statement, Steps};
use std::collections::BTreeSet;

/// A schedule of a model with loops that data ends; `None` if it has none, or their steps are not loops of its own order.
pub fn in_steps(scop: &Scop, dependences: &Dependences, options: &Options) -> Option<Schedule> {
    let steps = scop.steps();
    if steps.is_empty() {
        return None;
    }
    let taken = |name: &Id| scop.params.contains(name);
    let mut step = Id::new("step");
    while taken(&step) {
        step = Id::new(&format!("{step}_"));
    }
    let mut parts = Parts { scop, steps: &steps, options, step, found: Vec::new() };
    let Node::Domain { domain, child } = scop.schedule.root() else { return None };
    let child = parts.around(child, domain)?;
    let first = Schedule::original(scop);
    let mut whole = parts.found.iter().fold(first, |whole, part| Schedule {
        description: [whole.description, part.description.clone()].concat(),
        is_parallel: whole.is_parallel || part.is_parallel,
        is_tiled: whole.is_tiled || part.is_tiled,
        gains: whole.gains || part.gains,
        ..whole
    });
    whole.tree = Tree::from_root(Node::Domain { domain: domain.clone(), child: Box::new(child) });
    whole.reductions = options.reductions;
    whole.privatised = options.privatised.clone();
    whole.check(scop, dependences).is_ok().then_some(whole)
}

struct Parts<'p> {
    scop: &'p Scop,
    steps: &'p [Steps],
    options: &'p Options,
    /// The parameter that a step is while what is in it is scheduled.
    step: Id,
    found: Vec<Schedule>,
}

/// What parts of a step have in common: the test that they ask, the value with which they run, and whether it is one of the step before.
type Stage = Option<(usize, bool, bool)>;

impl Parts<'_> {
    /// The order outside of steps, of the instances in `reach`.
    fn around(&mut self, node: &Node, reach: &UnionSet) -> Option<Node> {
        let asked = |set: &UnionSet| {
            self.steps.iter().any(|steps| names(set).iter().any(|name| steps.asked.contains_key(name)))
        };
        if !asked(reach) {
            return self.alone(node.clone(), reach, None);
        }
        match node {
            Node::Context { child, .. } | Node::Mark { child, .. } => {
                Some(node.with_children(vec![self.around(child, reach)?]))
            }
            Node::Filter { filter, child } => {
                Some(node.with_children(vec![self.around(child, &reach.intersect(filter))?]))
            }
            Node::Sequence(children) => {
                let (mut done, mut waiting) = (Vec::new(), Vec::new());
                for child in children {
                    let Node::Filter { filter, .. } = child else { return None };
                    if asked(&reach.intersect(filter)) {
                        done.extend(self.together(std::mem::take(&mut waiting), reach, None)?);
                        done.push(self.around(child, reach)?);
                    } else {
                        waiting.push(child.clone());
                    }
                }
                done.extend(self.together(waiting, reach, None)?);
                Some(Node::Sequence(done))
            }
            Node::Band { band, child } => {
                let steps =
                    self.steps.iter().find(|steps| names(reach).iter().all(|name| steps.asked.contains_key(name)))?;
                if band.n_member() != 1 {
                    return None;
                }
                Some(Node::Band { band: band.clone(), child: Box::new(self.step(steps, child, reach)?) })
            }
            _ => None,
        }
    }

    /// The order within one step: its tests stay where they are.
    fn step(&mut self, steps: &Steps, node: &Node, reach: &UnionSet) -> Option<Node> {
        let Node::Sequence(children) = node else { return Some(node.clone()) };
        let is_test = |set: &UnionSet| names(set).iter().any(|name| steps.tests.iter().any(|t| t.statement == *name));
        let (mut done, mut waiting, mut stage): (Vec<Node>, Vec<Node>, Stage) = (Vec::new(), Vec::new(), None);
        for child in children {
            let Node::Filter { filter, .. } = child else { return None };
            let own = reach.intersect(filter);
            let new = stage_of(steps, &own);
            if is_test(&own) || new.is_none() || new != stage {
                done.extend(self.together(std::mem::take(&mut waiting), reach, Some(steps))?);
            }
            stage = new;
            match is_test(&own) || new.is_none() {
                true => done.push(child.clone()),
                false => waiting.push(child.clone()),
            }
        }
        done.extend(self.together(waiting, reach, Some(steps))?);
        Some(Node::Sequence(done))
    }

    /// Neighbours in a sequence, scheduled together.
    fn together(&mut self, children: Vec<Node>, reach: &UnionSet, steps: Option<&Steps>) -> Option<Vec<Node>> {
        let filters: Vec<UnionSet> = children
            .iter()
            .filter_map(|child| if let Node::Filter { filter, .. } = child { Some(filter.clone()) } else { None })
            .collect();
        let Some(all) = filters.into_iter().reduce(|all, each| all.union(&each)) else { return Some(Vec::new()) };
        let own = reach.intersect(&all);
        let node = if children.len() == 1 { children.into_iter().next()? } else { Node::Sequence(children) };
        let child = Box::new(self.alone(node, &own, steps)?);
        let filter = own.universe();
        Some(match *child {
            Node::Sequence(parts) if parts.iter().all(|part| matches!(part, Node::Filter { .. })) => parts,
            _ => vec![Node::Filter { filter, child }],
        })
    }

    /// The best order of these instances alone; in a step of a loop, of those in one step.
    fn alone(&mut self, node: Node, reach: &UnionSet, steps: Option<&Steps>) -> Option<Node> {
        let mut own = self.scop.clone();
        let wanted = names(reach);
        let statements = own.statements.iter().filter(|s| wanted.contains(&s.name)).cloned();
        own.statements = statements.map(|s| self.within(s, reach, steps)).collect::<Vec<_>>().into();
        if steps.is_some() {
            own.params.push(self.step.clone());
        }
        own = own.aligned();
        let domain = own.domain();
        own.schedule = Tree::from_root(Node::Domain { domain, child: Box::new(node) });
        let dependences = Dependences::of_any(&own).ok()?;
        let found = Schedule::of(&own, &dependences, self.options);
        let Node::Domain { child, .. } = found.tree.root() else { return None };
        let child = if steps.is_some() { self.of_all_steps(child)? } else { (**child).clone() };
        self.found.push(found);
        Some(child)
    }

    /// A statement as it is in one step: without the condition of that.
    fn within(&self, statement: Statement, reach: &UnionSet, steps: Option<&Steps>) -> Statement {
        let mut own = statement;
        own.domain = own.domain.intersect(&reach.extract_set(own.domain.space()));
        if steps.is_some_and(|steps| steps.asked.contains_key(&own.name)) {
            own.domain = self.at_step(&own.domain);
            own.accesses.retain(|access| access.condition.is_none());
        }
        for access in &mut own.accesses {
            access.relation = access.relation.intersect_domain(&own.domain);
        }
        own
    }

    /// The instances of one step.
    fn at_step(&self, set: &Set) -> Set {
        let model = Space::params_only(std::slice::from_ref(&self.step));
        let set = set.align_params(&set.space().align_params(&model));
        let at = set.space().params().iter().position(|name| *name == self.step);
        set.equate(DimKind::Param, at.expect("law: the step is a parameter now"), DimKind::Out, 0)
    }

    /// The same order for all steps.
    fn of_all_steps(&self, node: &Node) -> Option<Node> {
        let params = std::slice::from_ref(&self.step);
        let whole = |set: &UnionSet| {
            let sets = set.sets().map(|set| UnionSet::from_set(&self.at_step(&set)));
            sets.fold(UnionSet::empty(&[]), |all, each| all.union(&each)).project_out_params(params)
        };
        let node = match node {
            Node::Filter { filter, child } => Node::Filter { filter: whole(filter), child: child.clone() },
            Node::Band { band, child } => {
                let map = band.partial.as_union_map();
                let map = map.intersect_domain(
                    &map.domain()
                        .sets()
                        .fold(UnionSet::empty(&[]), |all, set| all.union(&UnionSet::from_set(&self.at_step(&set)))),
                );
                let partial = MultiUnionPwAff::from_union_map(&map.project_out_params(params).coalesce())?;
                Node::Band { band: Band { partial, isolate: None, ..band.clone() }, child: child.clone() }
            }
            Node::Context { .. } | Node::Extension { .. } => return None,
            other => other.clone(),
        };
        let children: Option<Vec<Node>> = node.children().into_iter().map(|child| self.of_all_steps(child)).collect();
        Some(node.with_children(children?))
    }
}

/// The statements with instances in a set.
fn names(set: &UnionSet) -> BTreeSet<Id> {
    let named = set.sets().filter(|set| !set.is_empty());
    named.filter_map(|set| set.space().tuple_name(DimKind::Out).cloned()).collect()
}

/// What all these instances ask.
fn stage_of(steps: &Steps, set: &UnionSet) -> Stage {
    let of = |name: &Id| {
        let asked = steps.asked.get(name)?;
        Some((asked.test, asked.holds, asked.is_same_step()))
    };
    let mut all = names(set).iter().map(of).collect::<Option<Vec<_>>>()?;
    all.dedup();
    if let [one] = all[..] { Some(one) } else { None }
}
