//! When instances run in the new code, and which of them at the same time.
//!
//!     for parallel (c0) for (c1) { S(c0, c1); }  T();         S(i, j) at [0, i, j], T() at [1, 0, 0];  of S the first two dimensions fix what one thread runs
//!
//! Who decides where data lives asks which instances lie between others ([`super::storage`], [`super::window`]), and who runs reductions in parallel which of them threads
//! share ([`super::reduction`]).

use crate::ast::{Ast, For, Node as AstNode};
use crate::presburger::{DimKind, Id, Map, Set, Space};
use crate::scop::tree::{Node, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Statements that access an array, and how.
pub(super) struct Uses {
    /// Statement and `{ time -> element }`.
    pub writes: Vec<(Id, Map)>,
    pub reads: Vec<(Id, Map)>,
}

/// Whether each element is read only in the iteration of the first `prefix` dimensions in which it is written.
pub(super) fn stays_inside(schedule: &Schedule, uses: &Uses, prefix: usize) -> bool {
    let same = schedule.same(prefix);
    uses.writes
        .iter()
        .all(|(_, write)| uses.reads.iter().all(|(_, read)| write.apply_range(&read.reverse()).is_subset(&same)))
}

/// A time for each instance.
pub struct Times {
    space: Space,
    times: BTreeMap<Id, Map>,
    /// For each statement, and each of its leaves: the dimension of time of each band member on the way.
    positions: BTreeMap<Id, BTreeSet<Vec<usize>>>,
}

impl Times {
    pub fn of(tree: &Tree) -> Times {
        let flat = tree.to_map();
        let named = |map: &Map| Some((map.space().tuple_name(DimKind::In)?.clone(), map.clone()));
        let times: BTreeMap<Id, Map> = flat.maps().filter_map(named).collect();
        let space = times.values().next().map_or_else(|| Space::alloc_set(&[], None, 0), |map| map.space().range());
        let positions = |(statement, map): (&Id, &Map)| {
            let mut found = BTreeSet::new();
            member_positions(tree.root(), &map.domain(), &mut Vec::new(), 0, &mut found);
            (statement.clone(), found)
        };
        Times { space, positions: times.iter().map(positions).collect(), times }
    }
}

/// The order of the new code: a time for each instance, and which iterations run at the same time.
pub struct Schedule {
    pub(super) space: Space,
    pub times: BTreeMap<Id, Map>,
    /// For each statement in parallel loops, how many dimensions of time fix the iteration of the one around it; `None` if
    /// that is not the same everywhere.
    prefixes: BTreeMap<Id, Option<usize>>,
    /// For each statement, and each of its leaves: the dimension of time of each band member on the way.
    positions: BTreeMap<Id, BTreeSet<Vec<usize>>>,
    /// For each statement in parallel loops, which these are: one band may be scanned by several loops, of different statements.
    loops: BTreeMap<Id, BTreeSet<Id>>,
    /// The statements in pipelines.
    flowing: BTreeSet<Id>,
}

impl Schedule {
    /// `parallel` are iterators of loops that do not nest.
    pub fn of(times: &Times, ast: &Ast, parallel: &BTreeSet<Id>) -> Schedule {
        let Times { space, times, positions } = times;
        let (space, times) = (space.clone(), times.clone());
        let mut around: BTreeMap<Id, BTreeSet<Option<(usize, Id)>>> = BTreeMap::new();
        parallel_loops(&ast.root, parallel, None, &mut around);
        let mut prefixes = BTreeMap::new();
        let mut loops = BTreeMap::new();
        for (statement, around) in around {
            if around.iter().all(Option::is_none) {
                continue;
            }
            let found: BTreeSet<Option<usize>> = around
                .iter()
                .flat_map(|place| {
                    let depth = place.as_ref().map(|(depth, _)| *depth);
                    let paths = positions.get(&statement).into_iter().flatten();
                    paths.map(move |path| depth.and_then(|depth| path.get(depth)).map(|at| at + 1))
                })
                .collect();
            let only = if found.len() == 1 { found.into_iter().next().flatten() } else { None };
            prefixes.insert(statement.clone(), only);
            loops.insert(statement, around.into_iter().flatten().map(|(_, iterator)| iterator).collect());
        }
        let (positions, flowing) = (positions.clone(), pipelined(&ast.root));
        Schedule { space, times, prefixes, positions, loops, flowing }
    }

    pub fn prefix(&self, statement: &Id) -> Option<usize> {
        self.prefixes.get(statement).copied().flatten()
    }

    /// So many dimensions of time pass in order around a statement; `None` if that is not the same everywhere, or if threads are in different steps.
    pub(super) fn steps(&self, statement: &Id) -> Option<usize> {
        match self.prefixes.get(statement) {
            _ if self.flowing.contains(statement) => None,
            Some(prefix) => prefix.map(|prefix| prefix - 1),
            None => Some(self.space.dim(DimKind::Out)),
        }
    }

    /// Whether a statement is in a pipeline.
    pub(super) fn is_flowing(&self, statement: &Id) -> bool {
        self.flowing.contains(statement)
    }

    pub(super) fn is_parallel(&self, statement: &Id) -> bool {
        self.prefixes.contains_key(statement)
    }

    /// Whether one parallel loop is around all of the statements wherever they run.
    pub(super) fn share_one_loop<'s>(&self, statements: impl Iterator<Item = &'s Id>) -> bool {
        let mut all: BTreeSet<&Id> = BTreeSet::new();
        for statement in statements {
            let Some(loops) = self.loops.get(statement) else { return false };
            all.extend(loops);
        }
        all.len() == 1
    }

    /// The dimension of time that a loop counts, if it is one for all leaves of these statements.
    pub(super) fn time_of(&self, each: &For, statements: &BTreeSet<&Id>) -> Option<usize> {
        let paths = statements.iter().flat_map(|statement| self.positions.get(*statement).into_iter().flatten());
        let at: BTreeSet<Option<&usize>> = paths.map(|path| path.get(each.depth)).collect();
        if at.len() == 1 { at.first().copied().flatten().copied() } else { None }
    }

    /// Whether no threads share anything of these statements within one iteration of the first `prefix` dimensions.
    pub(super) fn is_shared_outside(&self, statements: &BTreeSet<&Id>, prefix: usize) -> bool {
        let own: BTreeSet<Option<Option<usize>>> = statements.iter().map(|s| self.prefixes.get(*s).copied()).collect();
        let is_outside = match own.first() {
            _ if own.len() != 1 => false,
            Some(Some(around)) => {
                around.is_some_and(|around| around <= prefix) && self.share_one_loop(statements.iter().copied())
            }
            _ => true,
        };
        is_outside && !statements.iter().any(|statement| self.flowing.contains(*statement))
    }

    /// Pairs of times of which one is a statement's, in different iterations of the parallel loop around it, that may be run at the same time: a
    /// thread may be in another step of a pipeline than others.
    pub(super) fn beside(&self, statement: &Id, prefix: usize) -> Map {
        let at = prefix - 1;
        let around = if self.flowing.contains(statement) { at - 1 } else { at };
        let together = self.same(around);
        together.subtract(&together.equate(DimKind::In, at, DimKind::Out, at))
    }

    /// Pairs of times that agree in the first `prefix` dimensions.
    pub fn same(&self, prefix: usize) -> Map {
        let all = Map::universe(&self.space.map_from_set());
        (0..prefix).fold(all, |map, at| map.equate(DimKind::In, at, DimKind::Out, at))
    }
}

/// The depths and iterators of the parallel loops around each statement; `None` where there is none.
fn parallel_loops(
    node: &AstNode,
    parallel: &BTreeSet<Id>,
    around: Option<(usize, Id)>,
    found: &mut BTreeMap<Id, BTreeSet<Option<(usize, Id)>>>,
) {
    let around = match node {
        AstNode::For(each) if parallel.contains(&each.iterator) => Some((each.depth, each.iterator.clone())),
        _ => around,
    };
    if let AstNode::User { statement, .. } = node {
        found.entry(statement.clone()).or_default().insert(around.clone());
    }
    node.children().into_iter().for_each(|child| parallel_loops(child, parallel, around.clone(), found));
}

/// The statements in pipelines.
fn pipelined(node: &AstNode) -> BTreeSet<Id> {
    match node {
        AstNode::For(each) if each.pipelined => each.body.statements(),
        _ => node.children().into_iter().flat_map(pipelined).collect(),
    }
}

/// For each leaf that runs instances of `domain`: the dimension of time of each band member on the way, as [`Tree::to_map`] has them.
fn member_positions(node: &Node, domain: &Set, path: &mut Vec<usize>, width: usize, found: &mut BTreeSet<Vec<usize>>) {
    match node {
        Node::Leaf => {
            found.insert(path.clone());
        }
        Node::Filter { filter, child } => {
            let inside = filter.extract_set(domain.space()).intersect(domain);
            if !inside.is_empty() {
                member_positions(child, &inside, path, width, found);
            }
        }
        Node::Band { band, child } => {
            let n = band.n_member();
            path.extend(width..width + n);
            member_positions(child, domain, path, width + n, found);
            path.truncate(path.len() - n);
        }
        Node::Sequence(children) | Node::Set(children) => {
            children.iter().for_each(|child| member_positions(child, domain, path, width + 1, found));
        }
        other => other.children().into_iter().for_each(|child| member_positions(child, domain, path, width, found)),
    }
}
