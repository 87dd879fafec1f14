//! Where a scalar of the model lives in the new code.
//!
//! The accumulator of
//!
//!     for (i) { s = 0; for (k) s += A[i][k]; y[i] = s; }
//!
//! is an array `s[i]` of the model, so that no schedule is forbidden by its one register. If under the new schedule the lives of its elements do
//! not interleave (between a write of `s[i]` and a later read of it no other element is written), one *slot* on the stack holds them
//! all, which LLVM turns back into a register; where a few elements in a row are in use at a time, a *window* holds these ([`super::window`]);
//! otherwise each element gets its place in a *buffer* reserved before the loops, where those of different steps of a loop that runs in order are *folded* onto each other
//! if no two of them are in use in one step (Lefebvre and Feautrier, "Automatic storage management for parallel programs", 1998). In a
//! parallel loop each thread has a slot of its own, provided that no element is used by two iterations. An accumulator that a parallel
//! loop carries has one slot, too, of which the shares of the loop have copies (see [`crate::emit::plan::reduction`]).
//!
//! An array of which each iteration has its own ([`crate::scop::Array::own`]) is a slot in the same sense, as large as an array: the memory
//! that the program has for all of them, or memory of each part of a parallel loop.

use super::times::{Schedule, Times, Uses, stays_inside};
use super::window::{Window, window};
use crate::ast::{Ast, Expr, Node};
use crate::emit::arith::formula;
use crate::extract::binding::Binding;
use crate::extract::refusal::Reason;
use crate::presburger::{DimKind, Id, Map, Set};
use crate::scop::tree::Tree;
use crate::scop::{AccessKind, Array, ArrayId, ArrayKind, Scop, Table};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// The place of an array without a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// One place for all elements, in the function that contains the original loops.
    Slot,
    /// One place for all elements, in each function that runs iterations of a parallel loop. Where the values of an array in memory are left behind the loops, the
    /// function that runs the iteration `last` has the array itself: those are the values of that iteration.
    PrivateSlot { last: Option<Expr> },
    /// A place for each of a few elements, in each function that runs iterations of a parallel loop around.
    Window(Window),
    /// A place for each element, but one for all of those that differ in *folded* subscripts only.
    Buffer { folded: BTreeSet<usize> },
}

impl Storage {
    /// The iteration of a parallel loop whose share has the program's own memory.
    pub fn last(&self) -> Option<&Expr> {
        match self {
            Storage::PrivateSlot { last } => last.as_ref(),
            Storage::Slot | Storage::Window(_) | Storage::Buffer { .. } => None,
        }
    }
}

pub fn plan(
    scop: &Scop,
    tree: &Tree,
    ast: &Ast,
    binding: &Binding<'_>,
    parallel: &BTreeSet<Id>,
    private: &BTreeSet<ArrayId>,
) -> Result<Table<ArrayId, Option<Storage>>, Reason> {
    let schedule = Schedule::of(&Times::of(tree), ast, parallel);
    let stepwise = Schedule::of(&Times::of(tree), ast, &coincident_loops(&ast.root));
    let trusted = scop.trusted_context();
    let decide = |(number, array): (ArrayId, &crate::extract::binding::BoundArray<'_>)| {
        if array.base.is_some() {
            let model = &scop.arrays[number];
            return (model.own > 0).then(|| shared(scop, &schedule, &trusted, model)).transpose();
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
        let storage = match decide(&schedule, &uses) {
            Storage::Buffer { .. } => match window(tree, ast, &schedule, &uses, array.element_bytes) {
                Some(window) => Storage::Window(window),
                None => Storage::Buffer { folded: folded(&stepwise, &uses) },
            },
            other => other,
        };
        if matches!(storage, Storage::Buffer { .. }) && array.extent.is_none() {
            return Err(Reason::Storage { what: format!("'{}' has no bounds", array.source_name) });
        }
        Ok(Some(storage))
    };
    let storage = binding.arrays.entries().map(decide).collect::<Result<Table<_, _>, _>>()?;
    for (at, array) in binding.arrays.entries() {
        let mut beside = binding.arrays.iter().zip(&storage).filter(|(other, _)| other.base == array.base);
        let is_private = matches!(storage[at], Some(Storage::PrivateSlot { .. }));
        if is_private && array.base.is_some() && !beside.all(|(_, s)| *s == storage[at]) {
            return Err(Reason::Storage { what: format!("a part of '{}' for each thread", array.source_name) });
        }
    }
    Ok(storage)
}

/// Iterators of the outermost coincident loops.
fn coincident_loops(node: &Node) -> BTreeSet<Id> {
    match node {
        Node::For(each) if each.coincident && !each.degenerate => BTreeSet::from([each.iterator.clone()]),
        _ => node.children().into_iter().flat_map(coincident_loops).collect(),
    }
}

/// The memory for an array of which iterations have their own, where no two of them are in use in one place at a time.
fn shared(scop: &Scop, schedule: &Schedule, trusted: &Set, array: &Array) -> Result<Storage, Reason> {
    let name = array.source_name.as_deref().unwrap_or(array.name.as_str());
    let refuse = |what: &str| Err(Reason::Storage { what: format!("'{name}' of {what}") });
    let uses = uses_of_own(scop, schedule, trusted, array);
    let last = if array.live_out { last_writes(schedule, &uses) } else { None };
    if array.live_out && last.is_none() {
        return refuse("the iteration whose values are left behind the loops, before others");
    }
    let all: Vec<&(Id, Map)> = uses.writes.iter().chain(&uses.reads).collect();
    let inside = |statement: &Id| schedule.is_parallel(statement).then(|| schedule.prefix(statement));
    if all.iter().any(|(statement, _)| inside(statement) == Some(None)) {
        return refuse("loops that are parallel in different ways");
    }
    let meets_another = |(a, first): &(Id, Map), (b, second): &(Id, Map)| match (inside(a), inside(b)) {
        (Some(Some(prefix)), Some(Some(other))) if prefix == other => {
            let beside = schedule.beside(a, prefix);
            let pairs = first.reverse().apply_range(&beside).apply_range(second);
            !pairs.is_subset(&Map::identity(pairs.space()))
        }
        _ => false,
    };
    if !all.iter().any(|a| all.iter().any(|b| meets_another(a, b))) {
        return match interleaves(schedule, &uses, 0) {
            true => refuse("several iterations, which are in use at a time"),
            false => Ok(Storage::Slot),
        };
    }
    let prefix = all.first().and_then(|(statement, _)| schedule.prefix(statement)).unwrap_or(0);
    let is_common = all.iter().all(|(statement, _)| inside(statement) == Some(Some(prefix)));
    if !is_common || !schedule.share_one_loop(all.iter().map(|(statement, _)| statement)) {
        return refuse("iterations that are not all in parallel loops");
    }
    if !stays_inside(schedule, &uses, prefix) || interleaves(schedule, &uses, prefix) {
        return refuse("several iterations, which are in use at a time");
    }
    let last = last.map(|writes| only_iteration(schedule, &writes, prefix, trusted));
    if last == Some(None) || last.is_some() && all.iter().any(|(statement, _)| schedule.is_flowing(statement)) {
        return refuse("the iteration whose values are left behind the loops, which several threads share");
    }
    Ok(Storage::PrivateSlot { last: last.flatten() })
}

/// When the last iteration that has the array writes it, if no other one does so afterwards.
fn last_writes(schedule: &Schedule, uses: &Uses) -> Option<Set> {
    let writes = || uses.writes.iter().map(|(_, write)| write);
    let iterations = writes().map(Map::range).reduce(|a, b| a.union(&b))?.coalesce();
    let last = iterations.lexmax().ok()?;
    let times = |of: &Set| writes().map(|write| write.intersect_range(of).domain()).reduce(|a, b| a.union(&b));
    let (last_times, others) = (times(&last)?, times(&iterations.subtract(&last))?);
    let late = Map::lex_le(&schedule.space).intersect_domain(&last_times).intersect_range(&others);
    late.is_empty().then_some(last_times)
}

/// The iteration of the parallel loop, the last of the first `prefix` dimensions, in which all of these times are.
fn only_iteration(schedule: &Schedule, times: &Set, prefix: usize, trusted: &Set) -> Option<Expr> {
    let pairs = Map::universe(&schedule.space.map_from_set()).intersect_domain(times).intersect_range(times);
    pairs.is_subset(&schedule.same(prefix)).then_some(())?;
    formula::value(&times.dim_max(prefix - 1).ok()?.gist_params(trusted).coalesce())
}

/// When the array of which iteration is used. What an instance does to one of its elements counts for all of them.
fn uses_of_own(scop: &Scop, schedule: &Schedule, trusted: &Set, array: &Array) -> Uses {
    let whole = |map: &Map| map.project_out(DimKind::Out, array.own, map.dim(DimKind::Out) - array.own);
    let together = |uses: Vec<(Id, Map)>| {
        let mut found: BTreeMap<Id, Map> = BTreeMap::new();
        for (statement, map) in uses {
            let map = whole(&map);
            let all = found.get(&statement).map_or(map.clone(), |known| known.union(&map).coalesce());
            found.insert(statement, all);
        }
        found.into_iter().collect()
    };
    let Uses { writes, reads } = uses(scop, schedule, trusted, &array.name);
    Uses { writes: together(writes), reads: together(reads) }
}

/// Whether iterations of an innermost loop that calls itself coincident use the same memory for arrays of their own.
pub fn is_shared_inside(scop: &Scop, times: &Times, ast: &Ast, iterator: &Id) -> bool {
    let schedule = Schedule::of(times, ast, &BTreeSet::from([iterator.clone()]));
    let trusted = scop.trusted_context();
    let own = scop.arrays.iter().filter(|array| array.own > 0 && array.kind == ArrayKind::Memory);
    own.map(|array| shared(scop, &schedule, &trusted, array)).any(|storage| storage != Ok(Storage::Slot))
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
            return Storage::PrivateSlot { last: None };
        }
    }
    let written_in_parallel = uses.writes.iter().any(|(statement, _)| schedule.is_parallel(statement));
    if !written_in_parallel && !interleaves(schedule, uses, 0) {
        return Storage::Slot;
    }
    Storage::Buffer { folded: BTreeSet::new() }
}

/// Subscripts in which elements may differ that share a place: before the first dimension of time that a coincident loop counts, with statements in their order, each
/// one is read for the last time before another one is written there. In `stepwise`, coincident loops are those in which everything happens at a time.
fn folded(stepwise: &Schedule, uses: &Uses) -> BTreeSet<usize> {
    let all = || uses.writes.iter().chain(&uses.reads);
    let steps = all().map(|(statement, _)| stepwise.steps(statement)).min().flatten();
    let Some(steps) = steps.filter(|steps| *steps > 0) else { return BTreeSet::new() };
    let in_steps = |(_, map): &(Id, Map)| map.project_out(DimKind::In, steps, map.dim(DimKind::In) - steps);
    let writes: Vec<Map> = uses.writes.iter().map(in_steps).collect();
    let reads: Vec<Map> = uses.reads.iter().map(in_steps).collect();
    let Some(first) = writes.first() else { return BTreeSet::new() };
    let space = first.space().domain();
    let (from, until) = (Map::lex_le(&space), Map::lex_ge(&space));
    let mut meetings: Vec<Map> = Vec::new();
    for write in &writes {
        for read in &reads {
            let alive = write.reverse().apply_range(&from).intersect(&read.reverse().apply_range(&until));
            meetings.extend(writes.iter().map(|other| alive.apply_range(other)));
        }
    }
    let n = first.dim(DimKind::Out);
    let mut folded = BTreeSet::new();
    for subscript in 0..n {
        let others: Vec<usize> = (0..n).filter(|at| *at != subscript && !folded.contains(at)).collect();
        let in_one_place = |pairs: &Map| {
            let place =
                others.iter().fold(pairs.clone(), |pairs, at| pairs.equate(DimKind::In, *at, DimKind::Out, *at));
            place.is_subset(&Map::identity(pairs.space()))
        };
        if meetings.iter().all(in_one_place) {
            folded.insert(subscript);
        }
    }
    folded
}

fn uses(scop: &Scop, schedule: &Schedule, trusted: &Set, array: &Id) -> Uses {
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    for statement in &scop.statements {
        for access in statement.accesses.iter().filter(|access| access.array == *array) {
            let Some(times) = schedule.times.get(&statement.name) else { continue };
            let relation = statement.touched(access, trusted);
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

/// Whether somewhere between a write and a read of one element another element is written, all in one iteration of the first
/// `prefix` dimensions. An instance reads before it writes, so its own write does not disturb its reads.
fn interleaves(schedule: &Schedule, uses: &Uses, prefix: usize) -> bool {
    let same = schedule.same(prefix);
    let space = &schedule.space;
    let (later_or_now, now_or_earlier) = (Map::lex_le(space).intersect(&same), Map::lex_ge(space).intersect(&same));
    let earlier = Map::lex_gt(space).intersect(&same);
    let writers: Vec<Writer> = uses.writes.iter().map(|(statement, write)| Writer::of(statement, write)).collect();
    uses.writes.iter().any(|(_, first)| {
        let begun = first.reverse().apply_range(&later_or_now);
        uses.reads.iter().any(|(reader, read)| {
            let read = read.reverse();
            let alive = |order: &Map| begun.intersect(&read.apply_range(order));
            let (until, before) = (LazyCell::new(|| alive(&now_or_earlier)), LazyCell::new(|| alive(&earlier)));
            writers.iter().any(|writer| writer.disturbs(if writer.statement == reader { &before } else { &until }))
        })
    })
}

/// Writes of one statement to elements that share a place.
struct Writer<'u> {
    statement: &'u Id,
    /// `{ time -> element }`.
    write: &'u Map,
    times: Set,
    /// Whether it writes one element at a time.
    writes_one: bool,
}

impl<'u> Writer<'u> {
    fn of(statement: &'u Id, write: &'u Map) -> Writer<'u> {
        Writer { statement, write, times: write.domain(), writes_one: write.is_single_valued() }
    }

    /// Whether it writes an element at a time when another one is `alive`, given as `{ element -> time }`.
    fn disturbs(&self, alive: &Map) -> bool {
        if self.writes_one {
            return !alive.reverse().intersect_domain(&self.times).is_subset(self.write);
        }
        let disturbed = alive.apply_range(self.write);
        !disturbed.is_subset(&Map::identity(disturbed.space()))
    }
}
