//! `last T any Y before K under S`, and models read from files.
//!
//! ```text
//! F := last { S[i] -> A[i] } before { T[i] -> A[i] } under { S[i] -> [0, i]; T[i] -> [1, i] };
//! F[0];                        # the dependences: { S[i] -> T[i] }
//! F[1];                        # what is read before it is written: { }
//! ```
//!
//! `full last W before R under S` has the element in each dependence: `{ S[i] -> [T[i] -> A[i]] }`. With `any Y` as well, the answer is the
//! relation of all sources through which a value may come.
//!
//! The schedule is a relation or a schedule tree. Instances may have any tuples: where these are not told apart by one name each (no name,
//! or a wrapped pair such as a tagged access `[S[i] -> ref[]]`), they get names for the time of the analysis.

use super::value::Wrong;
use crate::dependence::dataflow::Flow;
use crate::dependence::order::{NotAnOrder, Order};
use crate::presburger::{DimKind, ParseError, Set, Space, Unbounded, UnionMap, UnionSet};
use crate::scop::tree::{Band, Node, Tree};
use crate::scop::{Access, AccessKind, Scop, Statement};

/// A schedule of either form.
pub(super) enum Schedule {
    Relation(UnionMap),
    Tree(Tree),
}

/// Approximate dataflow analysis: the last of the `must` sources and any of the `may` sources after it, before each sink.
pub(super) fn dataflow(schedule: &Schedule, sinks: &UnionMap, must: &UnionMap, may: &UnionMap) -> Result<Flow, Wrong> {
    let not_an_order = |e: NotAnOrder| Wrong(e.message);
    let unbounded = |e: Unbounded| Wrong(e.to_string());
    let instances = match schedule {
        Schedule::Relation(relation) => relation.domain(),
        Schedule::Tree(tree) => tree.domain(),
    };
    let Some(names) = new_names(&instances) else {
        let order = match schedule {
            Schedule::Relation(relation) => Order::of_map(relation),
            Schedule::Tree(tree) => Order::of(tree),
        };
        return Flow::of(&order.map_err(not_an_order)?, sinks, must, may).map_err(unbounded);
    };
    let flat = match schedule {
        Schedule::Relation(relation) => relation.clone(),
        Schedule::Tree(tree) => tree.to_map(),
    };
    let named = |relation: &UnionMap| relation.apply_domain(&names);
    let order = Order::of_map(&named(&flat)).map_err(not_an_order)?;
    let found = Flow::of(&order, &named(sinks), &named(must), &named(may)).map_err(unbounded)?;
    let back = names.reverse();
    let pairs = |relation: &UnionMap| relation.apply_domain(&back).apply_range(&back);
    Ok(Flow {
        must_dependence: pairs(&found.must_dependence),
        may_dependence: pairs(&found.may_dependence),
        may_no_source: found.may_no_source.apply_domain(&back),
        must_no_source: found.must_no_source.apply_domain(&back),
    })
}

/// The same, with the element in each dependence: `{ source -> [sink -> element] }`. isl: `union_flow_get_full_may_dependence`.
pub(super) fn full_dataflow(
    schedule: &Schedule,
    sinks: &UnionMap,
    must: &UnionMap,
    may: &UnionMap,
) -> Result<Flow, Wrong> {
    let flat = match schedule {
        Schedule::Relation(relation) => relation.clone(),
        Schedule::Tree(tree) => tree.to_map(),
    };
    let dates = sinks.union(must).union(may).domain_map().apply_range(&flat);
    let found = dataflow(&Schedule::Relation(dates), &sinks.range_map(), &must.range_map(), &may.range_map())?;
    Ok(Flow {
        must_dependence: found.must_dependence.domain_factor_domain(),
        may_dependence: found.may_dependence.domain_factor_domain(),
        may_no_source: found.may_no_source.domain_factor_domain(),
        must_no_source: found.must_no_source.domain_factor_domain(),
    })
}

/// `{ tuple -> name[..] }` for each tuple, flat; `None` if all have names of their own.
fn new_names(instances: &UnionSet) -> Option<UnionMap> {
    let spaces: Vec<Space> = instances.sets().map(|set| set.space().clone()).collect();
    let own: Vec<_> = spaces.iter().map(|space| space.tuple_name(DimKind::Out).cloned()).collect();
    let wraps = |space: &Space| space.tuple(DimKind::Out).is_some_and(crate::presburger::Tuple::is_wrapping);
    let told_apart = own.iter().enumerate().all(|(i, name)| name.is_some() && !own[..i].contains(name));
    if told_apart && !spaces.iter().any(wraps) {
        return None;
    }
    let rename = |(number, space): (usize, &Space)| {
        let flat = Set::universe(space).identity().flatten_range();
        flat.set_tuple_name(DimKind::Out, Some(&format!("instance{number}")))
    };
    let params = instances.params_space();
    Some(spaces.iter().enumerate().map(rename).fold(UnionMap::empty(params.params()), |mut all, map| {
        all.add_map(&map);
        all
    }))
}

/// Instances, must-writes, may-writes (these include the former), reads and the schedule of the first model in a text, as iscc's `parse_file` lists them: without the statements that do
/// nothing but end the lives of elements.
pub(super) fn model(text: &str, file: &str) -> Result<(UnionSet, [UnionMap; 3], Tree), ParseError> {
    let scop: Scop = match crate::c_program::is_program(file) {
        true => crate::c_program::parse(text, file)?.swap_remove(0),
        false => crate::scop::read(text)?,
    };
    let accesses = [scop.must_writes(), scop.writes(), scop.reads()];
    let kills = |access: &Access| access.kind == AccessKind::Kill;
    let only_kills = |s: &&Statement| !s.accesses.is_empty() && s.accesses.iter().all(kills);
    let ended = scop.statements.iter().filter(only_kills);
    let ended = ended.fold(UnionSet::empty(&scop.params), |all, s| all.union(&UnionSet::from_set(&s.domain)));
    let schedule = if ended.is_empty() { scop.schedule } else { without(&scop.schedule, &ended.universe()) };
    Ok((schedule.domain(), accesses, schedule))
}

/// The tree for the other instances.
fn without(tree: &Tree, instances: &UnionSet) -> Tree {
    match tree.root() {
        Node::Domain { domain, child } => {
            let child = Box::new(rest(child, instances).unwrap_or(Node::Leaf));
            Tree::from_root(Node::Domain { domain: domain.subtract(instances), child })
        }
        _ => tree.clone(),
    }
}

/// What is left of a node; nothing where all instances that reach it are gone.
fn rest(node: &Node, gone: &UnionSet) -> Option<Node> {
    match node {
        Node::Filter { filter, child } => {
            let filter = filter.subtract(gone);
            (!filter.is_empty())
                .then(|| Node::Filter { filter, child: Box::new(rest(child, gone).unwrap_or(Node::Leaf)) })
        }
        Node::Sequence(children) | Node::Set(children) => {
            let mut left: Vec<Node> = children.iter().filter_map(|child| rest(child, gone)).collect();
            match (left.len(), node) {
                (0, _) => None,
                (1, _) => match left.remove(0) {
                    Node::Filter { child, .. } => Some(*child),
                    other => Some(other),
                },
                (_, Node::Sequence(_)) => Some(Node::Sequence(left)),
                _ => Some(Node::Set(left)),
            }
        }
        Node::Band { band, child } => {
            let mut kept = UnionSet::empty(&[]);
            for set in band.partial.domain().subtract(gone).sets() {
                kept.add_set(&set);
            }
            let band = Band { partial: band.partial.intersect_domain(&kept), ..band.clone() };
            Some(Node::Band { band, child: Box::new(rest(child, gone)?) })
        }
        other => {
            let children: Option<Vec<Node>> = other.children().into_iter().map(|child| rest(child, gone)).collect();
            children.map(|children| other.with_children(children))
        }
    }
}
