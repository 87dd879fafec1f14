//! Loops that data ends, as loops with a last step whose statements ask a variable whether the loop still goes on.
//!
//! ```text
//! while (P: error > limit)       on = 1; for (w = 0; w <= last_step; w++) {
//!   S: x = f(x);                   on_1[w] = on;  if (on_1[w]) { P: on = error > limit; }
//!                                  on_2[w] = on;  if (on_2[w]) { S: x = f(x); }
//!                                }
//! ```
//!
//! Both do the same in all runs that end with that step at the latest; the second program has no loop whose end is not known. So the exact dataflow, whose programs have loops with bounds and conditions on
//! data, is about the first one, too: for any `last_step`, a parameter.
//!
//! Implements: 001 while; 004 3.3

use super::steps::{Asked, Steps};
use super::tree::{Band, Node, Tree};
use super::{Access, AccessKind, Array, ArrayKind, ElementType, Expression, Scop, Statement};
use crate::presburger::{DimKind, Id, Map, MultiUnionPwAff, Set, Space, Tuple, UnionMap, UnionSet};
use std::collections::BTreeSet;

impl Scop {
    /// The same model with a last step in loops that data ends; as it is, if there is no such loop, or its order is another one than that of steps.
    pub fn with_last_step(&self) -> Scop {
        let mut scop = self.clone();
        for steps in self.steps() {
            let is_endless = |s: &&Statement| steps.asked.contains_key(&s.name) && !s.domain.is_bounded();
            if scop.statements.iter().any(|s| is_endless(&s)) && steps.tests.iter().all(|test| test.goes_on) {
                scop = Turns::of(&scop, &steps).and_then(|turns| turns.scop(&scop, &steps)).unwrap_or(scop);
            }
        }
        scop
    }

    fn fresh(&self, wish: &str) -> Id {
        let is_taken =
            |name: &Id| self.array(name).is_some() || self.statement(name).is_some() || self.params.contains(name);
        let mut name = Id::new(wish);
        while is_taken(&name) {
            name = Id::new(&format!("{name}_"));
        }
        name
    }
}

/// The names of what is new.
struct Turns {
    last: Id,
    on: Id,
    begins: Id,
    /// Who asks whether the loop goes on, and where the answer is: at the beginning of a step, and behind each test.
    asks: Vec<(Id, Id)>,
}

impl Turns {
    fn of(scop: &Scop, steps: &Steps) -> Option<Turns> {
        let first = &steps.tests.first()?.statement;
        let ask = |at: usize| (scop.fresh(&format!("{first}_ask_{at}")), scop.fresh(&format!("{first}_on_{at}")));
        Some(Turns {
            last: scop.fresh("last_step"),
            on: scop.fresh(&format!("{first}_on")),
            begins: scop.fresh(&format!("{first}_begins")),
            asks: (0..=steps.tests.len()).map(ask).collect(),
        })
    }

    fn scop(&self, scop: &Scop, steps: &Steps) -> Option<Scop> {
        let mut new = scop.clone();
        if !new.params.contains(&self.last) {
            new.params.push(self.last.clone());
        }
        let mut statements = vec![self.beginning()];
        for statement in &scop.statements {
            match steps.asked.get(&statement.name) {
                Some(asked) => statements.push(self.in_turns(statement, asked, steps, scop)),
                None => statements.push(statement.clone()),
            }
        }
        let domain = self.up_to_last(&steps.tests.first()?.domain);
        statements.extend((0..self.asks.len()).map(|at| self.asking(at, &domain)));
        new.statements = statements.into();
        let truth = |name: &Id, n: usize| Array {
            name: name.clone(),
            element: ElementType::Int(1),
            size_bytes: 1,
            shape: vec![None; n],
            kind: ArrayKind::Scalar,
            live_out: false,
            source_name: None,
            own: 0,
        };
        new.arrays.push(truth(&self.on, 0));
        for (_, answer) in &self.asks {
            new.arrays.push(truth(answer, 1));
        }
        let mut new = new.aligned();
        let Node::Domain { child, .. } = scop.schedule.root() else { return None };
        let rest = self.node(child, &scop.domain(), steps)?;
        let all = new.domain();
        let filter = |set: &UnionSet, child: Node| Node::Filter { filter: set.clone(), child: Box::new(child) };
        let begins = UnionSet::from_set(&new.statement(&self.begins)?.domain).universe();
        let mut order = vec![filter(&begins, Node::Leaf)];
        match rest {
            Node::Sequence(children) => order.extend(children),
            other => order.push(filter(&all.universe().subtract(&begins), other)),
        }
        new.schedule = Tree::from_root(Node::Domain { domain: all, child: Box::new(Node::Sequence(order)) });
        Some(new)
    }

    /// `on = 1`
    fn beginning(&self) -> Statement {
        let domain = Set::universe(&Space::set(&[], &Tuple::anonymous(0)));
        let domain = domain.set_tuple_name(DimKind::Out, Some(self.begins.as_str()));
        let write = self.access(&self.begins, 0, AccessKind::MustWrite, &self.on, self.whole(&domain, &self.on));
        let bare = Statement::bare(self.begins.clone(), domain);
        Statement { accesses: vec![write], compute: Some(Expression::Integer(1)), ..bare }
    }

    /// `on_1[w] = on`
    fn asking(&self, at: usize, domain: &Set) -> Statement {
        let (name, answer) = &self.asks[at];
        let domain = domain.set_tuple_name(DimKind::Out, Some(name.as_str()));
        let read = self.access(name, 0, AccessKind::Read, &self.on, self.whole(&domain, &self.on));
        let write = self.access(name, 1, AccessKind::MustWrite, answer, of_step(&domain, answer));
        let compute = Some(Expression::Name(read.id.clone()));
        Statement { accesses: vec![read, write], compute, ..Statement::bare(name.clone(), domain) }
    }

    /// A statement of the loop under the conditions that it has in turns.
    fn in_turns(&self, statement: &Statement, asked: &Asked, steps: &Steps, scop: &Scop) -> Statement {
        let mut own = statement.clone();
        own.domain = self.up_to_last(&own.domain);
        let test = steps.tests.iter().position(|test| test.statement == own.name);
        let is_truth = |a: &Access| {
            let asks = |b: &Access| b.condition.is_some() && b.array == a.array;
            scop.statements.iter().flat_map(|s| &s.accesses).any(asks)
        };
        own.accesses.retain(|a| a.condition.is_none() && !(test.is_some() && a.kind.writes() && is_truth(a)));
        let n = statement.accesses.len();
        let name = own.name.clone();
        if test.is_some() {
            own.accesses.push(self.access(
                &name,
                n,
                AccessKind::MustWrite,
                &self.on,
                self.whole(&own.domain, &self.on),
            ));
        }
        let behind = if asked.is_same_step() { asked.test + 1 } else { 0 };
        let conditions = match asked.holds {
            true => vec![(behind, true)],
            false => vec![(asked.test, true), (behind, false)],
        };
        for (place, (at, holds)) in conditions.into_iter().enumerate() {
            let answer = &self.asks[at].1;
            let read = self.access(&name, n + 1 + place, AccessKind::Read, answer, of_step(&own.domain, answer));
            own.accesses.push(Access { condition: Some(holds), ..read });
        }
        for access in &mut own.accesses {
            access.relation = access.relation.intersect_domain(&own.domain);
        }
        own
    }

    fn access(&self, statement: &Id, at: usize, kind: AccessKind, array: &Id, relation: Map) -> Access {
        Access {
            id: Id::new(&format!("{statement}_turn{at}")),
            kind,
            array: array.clone(),
            relation,
            applied: None,
            reduction: None,
            condition: None,
            location: None,
        }
    }

    /// `{ S[i] -> array[] }`
    fn whole(&self, domain: &Set, array: &Id) -> Map {
        Map::from_domain(domain).set_tuple_name(DimKind::Out, Some(array.as_str()))
    }

    fn up_to_last(&self, set: &Set) -> Set {
        let model = Space::params_only(std::slice::from_ref(&self.last));
        let set = set.align_params(&set.space().align_params(&model));
        let at = set.space().params().iter().position(|name| *name == self.last);
        set.order_le(DimKind::Out, 0, DimKind::Param, at.expect("law: the last step is a parameter now"))
    }

    /// The order with the new statements, of the instances in `reach`.
    fn node(&self, node: &Node, reach: &UnionSet, steps: &Steps) -> Option<Node> {
        let in_loop = |set: &UnionSet| names(set).iter().any(|name| steps.asked.contains_key(name));
        if !in_loop(reach) {
            return Some(node.clone());
        }
        match node {
            Node::Filter { filter, child } => {
                let inside = reach.intersect(filter);
                let child = Box::new(self.node(child, &inside, steps)?);
                let filter = if in_loop(&inside) { filter.union(&self.asking_instances()) } else { filter.clone() };
                Some(Node::Filter { filter, child })
            }
            Node::Band { band, child } => {
                let own = names(reach);
                if band.n_member() != 1 || !own.iter().all(|name| steps.asked.contains_key(name)) {
                    return None;
                }
                let test = steps.tests.first()?;
                let map = band.partial.as_union_map();
                let first =
                    map.maps().find(|map| map.space().tuple_name(DimKind::In) == Some(&test.statement))?.clone();
                let more = self.asks.iter().fold(map, |all, (name, _)| {
                    all.union(&UnionMap::from_map(&first.set_tuple_name(DimKind::In, Some(name.as_str()))))
                });
                let partial = MultiUnionPwAff::from_union_map(&more)?;
                let child = Box::new(self.step(child, reach, steps)?);
                Some(Node::Band { band: Band { partial, ..band.clone() }, child })
            }
            Node::Sequence(children) => {
                let children: Option<Vec<Node>> = children.iter().map(|c| self.node(c, reach, steps)).collect();
                Some(Node::Sequence(children?))
            }
            Node::Mark { .. } | Node::Context { .. } => {
                let below = self.node(node.children().first()?, reach, steps)?;
                Some(node.with_children(vec![below]))
            }
            _ => None,
        }
    }

    /// The order in one step.
    fn step(&self, node: &Node, reach: &UnionSet, steps: &Steps) -> Option<Node> {
        let children = match node {
            Node::Sequence(children) => children.clone(),
            other => vec![Node::Filter { filter: reach.universe(), child: Box::new(other.clone()) }],
        };
        let ask = |at: usize| Node::Filter { filter: self.instances_of(at), child: Box::new(Node::Leaf) };
        let (mut done, mut behind) = (vec![ask(0)], 0);
        for child in children {
            let Node::Filter { filter, .. } = &child else { return None };
            let own = names(&reach.intersect(filter));
            let tests: Vec<usize> =
                (0..steps.tests.len()).filter(|at| own.contains(&steps.tests[*at].statement)).collect();
            done.push(child.clone());
            match tests[..] {
                [] => {}
                [test] if test == behind && own.len() == 1 => {
                    behind += 1;
                    done.push(ask(behind));
                }
                _ => return None,
            }
        }
        (behind == steps.tests.len()).then_some(Node::Sequence(done))
    }

    fn instances_of(&self, at: usize) -> UnionSet {
        let set = Set::universe(&Space::set(&[], &Tuple::anonymous(1)));
        UnionSet::from_set(&set.set_tuple_name(DimKind::Out, Some(self.asks[at].0.as_str())))
    }

    fn asking_instances(&self) -> UnionSet {
        (0..self.asks.len()).fold(UnionSet::empty(&[]), |all, at| all.union(&self.instances_of(at)))
    }
}

/// `{ S[w, i] -> answer[w] }`
fn of_step(domain: &Set, answer: &Id) -> Map {
    let n = domain.dim(DimKind::Out);
    domain.identity().project_out(DimKind::Out, 1, n - 1).set_tuple_name(DimKind::Out, Some(answer.as_str()))
}

fn names(set: &UnionSet) -> BTreeSet<Id> {
    let named = set.sets().filter(|set| !set.is_empty());
    named.filter_map(|set| set.space().tuple_name(DimKind::Out).cloned()).collect()
}
