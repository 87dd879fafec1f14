//! Where a scalar of the model lives in the new code.
//!
//! The accumulator of
//!
//!     for (i) { s = 0; for (k) s += A[i][k]; y[i] = s; }
//!
//! is an array `s[i]` of the model, so that no schedule is forbidden by its one register. If under the new schedule the lives of its elements do
//! not interleave (between a write of `s[i]` and a later read of it no other element is written), one *slot* on the stack holds them
//! all, which LLVM turns back into a register; otherwise each element gets its place in a *buffer* reserved before the loops. In a
//! parallel loop each thread has a slot of its own, provided that no element is used by two iterations. An accumulator that a parallel
//! loop carries has one slot, too, of which the shares of the loop have copies (see [`super::reduction`]).

use crate::ast::{Ast, Node as AstNode};
use crate::extract::binding::Binding;
use crate::extract::refusal::Reason;
use crate::presburger::{DimKind, Id, Map, Set, Space};
use crate::scop::tree::{Node, Tree};
use crate::scop::{AccessKind, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// The place of an array without a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// One place for all elements, in the function that contains the original loops.
    Slot,
    /// One place for all elements, in each function that runs iterations of a parallel loop.
    PrivateSlot,
    /// A place for each element.
    Buffer,
}

/// Statements that access an array, and how.
struct Uses {
    /// Statement and `{ time -> element }`.
    writes: Vec<(Id, Map)>,
    reads: Vec<(Id, Map)>,
}

pub fn plan(
    scop: &Scop,
    tree: &Tree,
    ast: &Ast,
    binding: &Binding<'_>,
    parallel: &BTreeSet<Id>,
    private: &BTreeSet<usize>,
) -> Result<Vec<Option<Storage>>, Reason> {
    let schedule = Schedule::of(tree, ast, parallel);
    let trusted = scop.trusted_context();
    let decide = |(number, array): (usize, &crate::extract::binding::BoundArray<'_>)| {
        if array.base.is_some() {
            return Ok(None);
        }
        let uses = uses(scop, &schedule, &trusted, &array.id);
        if private.contains(&number) {
            if interleaves(&schedule, &uses, 0) {
                return Err(Reason::Storage {
                    what: format!("several accumulators '{}' are in use at a time", array.source_name),
                });
            }
            return Ok(Some(Storage::Slot));
        }
        let storage = decide(&schedule, &uses);
        if storage == Storage::Buffer && array.extent.is_none() {
            return Err(Reason::Storage { what: format!("'{}' has no bounds", array.source_name) });
        }
        Ok(Some(storage))
    };
    binding.arrays.iter().enumerate().map(decide).collect()
}

fn decide(schedule: &Schedule, uses: &Uses) -> Storage {
    let has_one_element = uses.writes.iter().chain(&uses.reads).all(|(_, map)| map.dim(DimKind::Out) == 0);
    let inside: Vec<Option<usize>> =
        uses.writes.iter().chain(&uses.reads).map(|(statement, _)| schedule.prefix(statement)).collect();
    if has_one_element {
        return Storage::Slot;
    }
    if let Some(prefix) = inside.first().copied().flatten() {
        let users = uses.writes.iter().chain(&uses.reads).map(|(statement, _)| statement);
        let is_common = inside.iter().all(|other| *other == Some(prefix)) && schedule.share_one_loop(users);
        if is_common && stays_inside(schedule, uses, prefix) && !interleaves(schedule, uses, prefix) {
            return Storage::PrivateSlot;
        }
    }
    let written_in_parallel = uses.writes.iter().any(|(statement, _)| schedule.is_parallel(statement));
    if !written_in_parallel && !interleaves(schedule, uses, 0) {
        return Storage::Slot;
    }
    Storage::Buffer
}

fn uses(scop: &Scop, schedule: &Schedule, trusted: &Set, array: &Id) -> Uses {
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    for statement in &scop.statements {
        for access in statement.accesses.iter().filter(|access| access.array == *array) {
            let Some(times) = schedule.times.get(&statement.name) else { continue };
            let relation = access.relation.intersect_domain(&statement.domain).intersect_params(trusted);
            let used = (statement.name.clone(), relation.apply_domain(times));
            match access.kind {
                AccessKind::Read => reads.push(used),
                AccessKind::Kill => {}
                AccessKind::MayWrite | AccessKind::MustWrite => writes.push(used),
            }
        }
    }
    Uses { writes, reads }
}

/// Whether each element is read only in the iteration of the first `prefix` dimensions in which it is written.
fn stays_inside(schedule: &Schedule, uses: &Uses, prefix: usize) -> bool {
    let same = schedule.same(prefix);
    uses.writes
        .iter()
        .all(|(_, write)| uses.reads.iter().all(|(_, read)| write.apply_range(&read.reverse()).is_subset(&same)))
}

/// Whether somewhere between a write and a read of one element another element is written, all in one iteration of the first
/// `prefix` dimensions. An instance reads before it writes, so its own write does not disturb its reads.
fn interleaves(schedule: &Schedule, uses: &Uses, prefix: usize) -> bool {
    let same = schedule.same(prefix);
    let space = &schedule.space;
    let (later_or_now, now_or_earlier) = (Map::lex_le(space).intersect(&same), Map::lex_ge(space).intersect(&same));
    let earlier = Map::lex_gt(space).intersect(&same);
    uses.writes.iter().any(|(writer, write)| {
        uses.writes.iter().any(|(_, first)| {
            let begun = first.reverse().apply_range(&later_or_now);
            uses.reads.iter().any(|(reader, read)| {
                let order = if reader == writer { &earlier } else { &now_or_earlier };
                let alive = begun.intersect(&read.reverse().apply_range(order));
                let disturbed = alive.apply_range(write);
                !disturbed.is_subset(&Map::identity(disturbed.space()))
            })
        })
    })
}

/// The order of the new code: a time for each instance, and which iterations run at the same time.
pub struct Schedule {
    space: Space,
    pub times: BTreeMap<Id, Map>,
    /// For each statement in parallel loops, how many dimensions of time fix the iteration of the one around it; `None` if
    /// that is not the same everywhere.
    prefixes: BTreeMap<Id, Option<usize>>,
    /// For each statement in parallel loops, which these are: one band may be scanned by several loops, of different statements.
    loops: BTreeMap<Id, BTreeSet<Id>>,
}

impl Schedule {
    /// `parallel` are iterators of loops that do not nest.
    pub fn of(tree: &Tree, ast: &Ast, parallel: &BTreeSet<Id>) -> Schedule {
        let flat = tree.to_map();
        let mut times = BTreeMap::new();
        for map in flat.maps() {
            if let Some(name) = map.space().tuple_name(DimKind::In) {
                times.insert(name.clone(), map.clone());
            }
        }
        let space = times.values().next().map_or_else(|| Space::alloc_set(&[], None, 0), |map| map.space().range());
        let mut around: BTreeMap<Id, BTreeSet<Option<(usize, Id)>>> = BTreeMap::new();
        parallel_loops(&ast.root, parallel, None, &mut around);
        let mut positions: BTreeMap<Id, BTreeSet<Vec<usize>>> = BTreeMap::new();
        for statement in times.keys() {
            let map = &times[statement];
            member_positions(
                tree.root(),
                &map.domain(),
                &mut Vec::new(),
                0,
                positions.entry(statement.clone()).or_default(),
            );
        }
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
        Schedule { space, times, prefixes, loops }
    }

    pub fn prefix(&self, statement: &Id) -> Option<usize> {
        self.prefixes.get(statement).copied().flatten()
    }

    fn is_parallel(&self, statement: &Id) -> bool {
        self.prefixes.contains_key(statement)
    }

    /// Whether one parallel loop is around all of the statements wherever they run.
    fn share_one_loop<'s>(&self, statements: impl Iterator<Item = &'s Id>) -> bool {
        let mut all: BTreeSet<&Id> = BTreeSet::new();
        for statement in statements {
            let Some(loops) = self.loops.get(statement) else { return false };
            all.extend(loops);
        }
        all.len() == 1
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
