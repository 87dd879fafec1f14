//! Schedules: in which order, and in which loops, the statement instances of a model run.
//!
//! For `for i: for j: for k: C[i][j] += A[i][k] * B[k][j]` the answer is a schedule tree with tiles of all three loops, `i` parallel, and `j`
//! innermost for the vector unit. The way there, one file for each step: dependences become edges with generators ([`problem`],
//! [`crate::presburger::generators`]); components of the dependence graph ([`graph`]) are joined where that pays ([`fuse`]); each group gets a band of
//! hyperplanes ([`band`]) by integer programming ([`program`]), and what the band leaves unordered is planned below it ([`plan`]); bands
//! are tiled ([`footprint`]) and their loops arranged ([`tile`], [`vector`], [`block`], [`contraction`]); the result becomes a tree ([`render`]), and [`pays`] says from where on. If nothing of
//! this pays, statements are taken apart where their dependences change, and the same is tried again ([`split`]). Where the program's inner loops run in order, they may be in vectors of an outer one's iterations instead ([`strips`]). [`check`] proves the tree legal from
//! the dependences, with nothing of the above; [`in_order`] only marks the program's own loops, moves parallel ones [`outward`], and has two of them as a pipeline ([`flowing`]). By hand, trees are changed by the functions in [`transform`] and by scripts of them ([`script`]); [`given`] reads files of such schedules.
//!
//! The method is Pluto's (Bondhugula et al., PLDI 2008) in the form of isl's scheduler (Verdoolaege and Janssens, "Scheduling for PPCG", 2017).

mod borders;
pub mod check;
mod complete;
mod flowing;
pub mod given;
mod in_order;
pub mod loops;
mod model;
mod options;
mod outward;
mod pays;
pub mod script;
mod search;
mod setting;
mod short;
mod steps;
pub mod transform;
mod transformation;

pub use crate::scop::{tree, yaml};
pub use check::{Fault, Violation};
pub use loops::costs::Costs;
pub use options::{Arrangement, Blocking, Options, Parallelism, ReductionOrder, Tiling};
pub use pays::{Enough, Pays, Prediction, Times};
pub use search::fuse::Fusion;
use search::fuse::LARGEST_GROUP;
pub use transformation::{Arranged, PLAIN, Shape, Transformation, Word};

use crate::dependence::Dependences;
use crate::machine::Machine;
use crate::presburger::{DimKind, Id, Map, PwAff, UnionMap, UnionSet};
use crate::scop::marks::PIPELINE;
use crate::scop::tree::{Node, Tree};
use crate::scop::{Access, AccessKind, ArrayKind, ElementType, Scop, Statement, StatementId};
use loops::block::Allowed;
use loops::{backward, bands, original, tile};
use model::problem::{Constraints, Demand, Problem, Role, Work};
use model::reference::Touch;
use pays::Before;
use search::{plan, split};
use setting::Setting;
use std::collections::BTreeSet;
use std::fmt;

/// LLVM writes loops with no more instances out.
const MOST_TINY: i64 = 64;

/// An order of all statement instances, with what is known of it.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The order.
    pub tree: Tree,
    /// What was done to get it.
    pub description: Vec<Transformation>,
    /// Whether some loop is parallel.
    pub is_parallel: bool,
    /// Whether some band is tiled.
    pub is_tiled: bool,
    reductions: ReductionOrder,
    /// The arrays whose reductions its coincident members disregard.
    pub privatised: Vec<Id>,
    gains: bool,
    /// Whether the program's own loops run as they are, which LLVM makes vectors of now that their exits were found first, or what they read again is read before.
    pub as_counted: bool,
    /// Loops became parallel, tiled or vectorised that were not, but that would take longer.
    is_slower: bool,
    /// What the program's own loops and these take, about, if the model can tell.
    pub times: Option<Times>,
    /// How many instances of each statement of the model that is for.
    pub instances: Vec<i128>,
    /// What that is for, where it was asked for ([`Options::explains`]).
    pub prediction: Option<Prediction>,
    /// What there must be to do for it to be faster than the program's own loops, as far as the model can tell.
    pub pays: Pays,
}

impl Schedule {
    /// A schedule for the model: the program's own where none can be found.
    pub fn of(scop: &Scop, dependences: &Dependences, options: &Options) -> Schedule {
        if let Some(schedule) = steps::in_steps(scop, dependences, options) {
            return schedule;
        }
        let constraints = constraints(scop, dependences, options);
        let Some(problem) = Problem::of(&constraints) else { return Schedule::original(scop) };
        let own = original::loops(&problem, &scop.schedule);
        let bodies = own.as_ref().map_or_else(Vec::new, |own| original::bodies(own, LARGEST_GROUP));
        let innermost = own.as_ref().map_or_else(Vec::new, original::innermost);
        let problem = problem.keeping(&bodies).sharing(&innermost);
        let mut vectors = bands::original_vectors(&problem, &problem.edges);
        let single = original::in_single_steps(&problem, own.as_ref());
        vectors.retain(|s, _| !single.contains(s));
        let backward = backward::in_text(&problem, own.as_ref());
        let are_left_early = original::are_left_early(&scop.schedule);
        let read_before = original::read_before(&scop.schedule);
        let has_borders = problem.statements.iter().any(|statement| statement.work.has_border && statement.is_long());
        let loops = own.as_ref();
        let before = Before { vectors, backward, problem: &problem, loops, are_left_early, read_before, has_borders };
        let order = || scop.schedule.to_map();
        let setting = Setting { problem: &problem, constraints: &constraints, options, before: &before, order: &order };
        let found = Schedule::found(&setting, |schedule, blocks| {
            blocks == Allowed::Even || schedule.check(scop, dependences).is_ok()
        });
        let is_arranged = options.arrangement == Arrangement::Arranged;
        let found = if is_arranged { found.or_own(scop, dependences, &setting) } else { found };
        if found.gains || options.arrangement == Arrangement::AsFound {
            return found.or_in_order(scop, dependences, options).or_easier(scop, &before, options);
        }
        let parts = Schedule::of_parts(scop, dependences, &constraints, options, &before);
        let others = parts.map(|parts| parts.or_in_order(scop, dependences, options));
        others.unwrap_or_else(|| found.or_counted(scop, &before)).or_easier(scop, &before, options)
    }

    /// This schedule, or the program's own order if each thread is faster so, by a margin, or as fast and loops were taken apart for nothing; and as many statements are
    /// in parallel loops.
    fn or_in_order(self, scop: &Scop, dependences: &Dependences, options: &Options) -> Schedule {
        let is_worse = |times: Times| {
            let is_apart = || outermost_loops(self.tree.root()) > outermost_loops(scop.schedule.root());
            times.is_slower() || !times.is_faster() && is_apart()
        };
        if !options.is_parallel() || !self.is_parallel || !self.times.is_some_and(is_worse) {
            return self;
        }
        let in_order = Schedule::in_order(scop, dependences, &options.privatised);
        let is_as_parallel =
            in_order.is_as_parallel_as(&self, scop) && in_order.loops_around_forks() <= self.loops_around_forks();
        if in_order.is_parallel && is_as_parallel { in_order } else { self }
    }

    /// The same order, with iterations at borders in loops of their own.
    pub fn with_borders_apart(self, scop: &Scop) -> Schedule {
        let Some(tree) = borders::apart(&self.tree, scop) else { return self };
        let description = [self.description, vec![Transformation::BordersApart]].concat();
        Schedule { tree, description, ..self }
    }

    /// Whether no more statements run in sequential loops than in another schedule.
    fn is_as_parallel_as(&self, other: &Schedule, scop: &Scop) -> bool {
        self.sequential_statements(scop).len() <= other.sequential_statements(scop).len()
    }

    /// This schedule, which gains nothing; or the program's own loops where they run up to exits that were found first, and LLVM makes them faster then.
    fn or_counted(self, scop: &Scop, before: &Before<'_>) -> Schedule {
        let counted = before.counted().filter(|times| before.are_left_early && times.is_faster());
        counted.map_or(self, |times| Schedule::as_counted(scop, before, times, Transformation::AsCounted))
    }

    /// This schedule; or, if no threads share it, the program's own loops where what they read again was read before them or their borders are apart, and LLVM makes them
    /// faster then than this is.
    fn or_easier(self, scop: &Scop, before: &Before<'_>, options: &Options) -> Schedule {
        let is_better = |counted: &Times| {
            let is_shared = options.is_parallel() && self.is_parallel;
            let is_faster = match self.times.filter(|_| self.gains) {
                Some(found) => counted.is_faster() && counted.is_faster_than(found),
                // Elements a few apart, as colours are, and loops over these are in no vectors of the model, and in LLVM's.
                None => before.has_nests() && !counted.is_slower(),
            };
            !is_shared && is_faster
        };
        let counted = if before.is_easier() { before.counted().filter(is_better) } else { None };
        let why = if before.read_before { Transformation::ReadBefore } else { Transformation::WithoutBorders };
        counted.map_or(self, |times| Schedule::as_counted(scop, before, times, why))
    }

    /// The program's own loops as they are counted, because of what was done to them before.
    fn as_counted(scop: &Scop, before: &Before<'_>, times: Times, why: Transformation) -> Schedule {
        Schedule {
            description: vec![why],
            times: Some(times),
            instances: before.instances(),
            as_counted: true,
            gains: true,
            pays: Pays::ALWAYS,
            ..Schedule::original(scop)
        }
    }

    /// A schedule with statements split into parts, if there is one that pays.
    fn of_parts(
        scop: &Scop,
        dependences: &Dependences,
        constraints: &Constraints,
        options: &Options,
        before: &Before<'_>,
    ) -> Option<Schedule> {
        let split = split::Split::of(constraints)?;
        let problem = Problem::of(&split.constraints)?;
        let of_part = |part: usize| Some((part, *before.vectors.get(&split.whole[part])?));
        let is_backward = |part: &usize| before.backward.contains(&split.whole[*part]);
        let before = Before {
            vectors: (0..split.whole.len()).filter_map(of_part).collect(),
            backward: (0..split.whole.len()).filter(is_backward).collect(),
            ..*before
        };
        let order = || scop.schedule.to_map().apply_domain(&split.parts);
        let constraints = &split.constraints;
        let setting = Setting { problem: &problem, constraints, options, before: &before, order: &order };
        let parts = Schedule::found(&setting, |_, blocks| blocks == Allowed::Even);
        let mut whole = parts.clone();
        whole.tree = split.put_together(&parts.tree, &scop.schedule.domain())?;
        whole.description.insert(0, Transformation::Split(split.description));
        (whole.gains && whole.check(scop, dependences).is_ok()).then_some(whole)
    }

    /// The order of the program.
    pub fn original(scop: &Scop) -> Schedule {
        Schedule {
            tree: scop.schedule.clone(),
            description: Vec::new(),
            is_parallel: false,
            is_tiled: false,
            reductions: ReductionOrder::Kept,
            privatised: Vec::new(),
            gains: false,
            as_counted: false,
            is_slower: false,
            times: None,
            instances: Vec::new(),
            prediction: None,
            pays: Pays::SHARED,
        }
    }

    /// The best schedule that is found: with uneven blocks if `accepts` it so, without if not.
    fn found(setting: &Setting<'_>, accepts: impl Fn(&Schedule, Allowed) -> bool) -> Schedule {
        let Setting { problem, options, .. } = *setting;
        let nodes: Vec<usize> = (0..problem.statements.len()).collect();
        let plan = plan::plan(problem, &nodes, &problem.edges, &Default::default(), options.fusion);
        let arranged = |allowed: Allowed| {
            let (loops, account) = match options.arrangement {
                Arrangement::Arranged => tile::loops(problem, &nodes, plan.clone(), options, allowed),
                Arrangement::AsFound => (bands::as_found(&nodes, plan.clone()), tile::Account::default()),
            };
            let blocks = account.blocks;
            (setting.schedule(&loops, account), loops, blocks)
        };
        let (schedule, loops) = match arranged(Allowed::Uneven) {
            (schedule, loops, blocks) if accepts(&schedule, blocks) => (schedule, loops),
            _ => {
                let (schedule, loops, _) = arranged(Allowed::Even);
                (schedule, loops)
            }
        };
        setting.with_pays(schedule, &loops)
    }

    /// Proves that the schedule keeps all dependences and that its coincident members are parallel.
    pub fn check(&self, scop: &Scop, dependences: &Dependences) -> Result<(), Violation> {
        let (order, split, kept) = self.kept(scop, dependences);
        check::check(&self.tree, &order, &dependences.strict_validity_but(scop, &self.privatised))?;
        check::check_order(&self.tree, &split)?;
        check::check_pipelines(&self.tree, &dependences.reduction.subtract(&kept))
    }

    /// Proves that the bands which it says are permutable are.
    pub fn check_permutable(&self, scop: &Scop, dependences: &Dependences) -> Result<(), Violation> {
        check::check_permutable(&self.tree, &self.kept(scop, dependences).0)
    }

    /// What the schedule has to keep in order in all loops, what it has to in those that run in order, and the reductions of which threads have no copies.
    fn kept(&self, scop: &Scop, dependences: &Dependences) -> (UnionMap, UnionMap, UnionMap) {
        let in_order = match self.reductions {
            ReductionOrder::Free => &dependences.in_order,
            ReductionOrder::Kept => &dependences.reduction,
        };
        let kept = dependences.reduction_but(scop, &self.privatised);
        let split = in_order.subtract(&kept).coalesce();
        let order = dependences.with_reductions(&in_order.subtract(&split));
        (order, split, kept)
    }

    /// The statements that are not everywhere inside a coincident loop or a pipeline.
    pub fn sequential_statements(&self, scop: &Scop) -> BTreeSet<StatementId> {
        let outside = outside_of_coincident(self.tree.root(), &self.tree.domain());
        let is_outside = |s: &Statement| !outside.extract_set(s.domain.space()).is_empty();
        scop.statements.ids().filter(|at| is_outside(&scop.statements[*at])).collect()
    }

    /// The statements that threads share only in waves or in a pipeline: behind a loop of the same band that runs in order.
    pub fn statements_in_waves(&self, scop: &Scop) -> BTreeSet<StatementId> {
        let in_waves = in_waves(self.tree.root(), &self.tree.domain());
        let is_inside = |s: &Statement| !in_waves.extract_set(s.domain.space()).is_empty();
        scop.statements.ids().filter(|at| is_inside(&scop.statements[*at])).collect()
    }

    /// The times, if loops were found that are predicted to take longer than the program's own.
    pub fn slower(&self) -> Option<Times> {
        self.times.filter(|_| self.is_slower)
    }

    /// The most loops that run in order around a parallel one.
    pub fn loops_around_forks(&self) -> usize {
        loops_around_forks(self.tree.root())
    }

    /// Whether it can be expected to run faster than the program as it stands: a loop became parallel, a band is tiled, or a
    /// statement is vectorised that was not; and no statement of the deepest nests is vectorised worse than before.
    pub fn gains_over(&self, scop: &Scop) -> bool {
        self.gains && !scop.statements.is_empty()
    }
}

/// How many loops there are that are in no other one.
fn outermost_loops(node: &Node) -> usize {
    match node {
        Node::Band { .. } => 1,
        _ => node.children().into_iter().map(outermost_loops).sum(),
    }
}

/// The most loops that run in order around a parallel one, which is entered as often as they iterate.
fn loops_around_forks(node: &Node) -> usize {
    let below = || node.children().into_iter().map(loops_around_forks).max().unwrap_or(0);
    match node {
        Node::Band { band, .. } => match band.coincident.iter().position(|is| *is) {
            Some(before) => before,
            None if node.has_coincident() => band.coincident.len() + below(),
            None => 0,
        },
        _ => below(),
    }
}

/// The instances of `domain` that reach a leaf without passing a coincident member or a pipeline.
fn outside_of_coincident(node: &Node, domain: &UnionSet) -> UnionSet {
    match node {
        Node::Leaf => domain.clone(),
        Node::Band { band, .. } if band.coincident.contains(&true) => UnionSet::empty(&[]),
        Node::Mark { id, .. } if id.as_str() == PIPELINE => UnionSet::empty(&[]),
        Node::Filter { filter, child } => outside_of_coincident(child, &domain.intersect(filter)),
        _ => node
            .children()
            .into_iter()
            .fold(UnionSet::empty(&[]), |all, child| all.union(&outside_of_coincident(child, domain))),
    }
}

/// The instances of `domain` whose first parallel loop is behind one of the same band that runs in order, or is that of a pipeline.
fn in_waves(node: &Node, domain: &UnionSet) -> UnionSet {
    match node {
        Node::Leaf => UnionSet::empty(&[]),
        Node::Band { band, .. } if band.coincident.first() == Some(&true) => UnionSet::empty(&[]),
        Node::Band { band, .. } if band.permutable && band.coincident.contains(&true) => domain.clone(),
        Node::Mark { id, .. } if id.as_str() == PIPELINE => domain.clone(),
        Node::Filter { filter, child } => in_waves(child, &domain.intersect(filter)),
        _ => {
            let children = node.children().into_iter();
            children.fold(UnionSet::empty(&[]), |all, child| all.union(&in_waves(child, domain)))
        }
    }
}

/// The tree, and the predicted times if there are any, with from where on it pays on one core.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Times { before, after, .. }) = self.times {
            writeln!(f, "# predicted time: {after} (the program's own order: {before})")?;
        }
        if let Some(enough) = self.pays.alone.as_ref().filter(|enough| **enough != Enough::default()) {
            writeln!(f, "# pays: {enough}")?;
        }
        self.tree.fmt(f)
    }
}

/// For neighbours among the statements that reduce into `arrays`: the pairs of instances that read one element, if these are one to one.
/// Several reductions over one table had better share the loops over it.
fn shared_reads(scop: &Scop, arrays: &[Id]) -> Vec<Map> {
    let reduces = |s: &&Statement| s.accesses.iter().any(|a| a.reduction.is_some() && arrays.contains(&a.array));
    let statements: Vec<&Statement> = scop.statements.iter().filter(reduces).collect();
    let reads = |s: &'_ Statement| -> Vec<(Id, Map)> {
        let reads = s.accesses.iter().filter(|a| a.kind == AccessKind::Read && a.reduction.is_none());
        reads.map(|a| (a.array.clone(), a.relation.intersect_domain(&s.domain))).collect()
    };
    let shared = statements.windows(2).filter_map(|pair| {
        let (first, second) = (reads(pair[0]), reads(pair[1]));
        first.iter().find_map(|(array, from)| {
            let meeting =
                second.iter().filter(|(other, _)| other == array).map(|(_, to)| from.apply_range(&to.reverse()));
            meeting.into_iter().find(|pairs| pairs.is_single_valued() && pairs.reverse().is_single_valued())
        })
    });
    shared.filter(|pairs| !pairs.is_empty()).collect()
}

fn work(scop: &Scop, statement: &Statement) -> Work {
    let Statement { operations, vector_time, has_loop, side_by_side, branches, packed, .. } = *statement;
    let has_border = statement.regular.is_some();
    let is_float = is_float(scop, statement);
    let may_write = |access: &Access| access.kind == AccessKind::MayWrite;
    let is_partial = statement.applied.is_some() || statement.accesses.iter().any(may_write);
    let operations = operations.max(1);
    Work { operations, vector_time, has_loop, side_by_side, branches, packed, has_border, is_float, is_partial }
}

fn constraints(scop: &Scop, dependences: &Dependences, options: &Options) -> Constraints {
    let memory = dependences.anti.union(&dependences.output).union(&dependences.reduction_use).coalesce();
    use Demand::{Coincidence, Nearness, Order};
    let (within, private): (&[Demand], &[Demand]) = match options.reductions {
        ReductionOrder::Kept => (&[Order, Coincidence], &[Order]),
        ReductionOrder::Free => (&[Coincidence], &[]),
    };
    let (kept, relaxed) = match options.privatised.is_empty() {
        true => (dependences.reduction.clone(), UnionMap::empty(&[])),
        false => {
            let kept = dependences.reduction_but(scop, &options.privatised);
            (kept.clone(), dependences.reduction.subtract(&kept))
        }
    };
    let in_order = match options.reductions {
        ReductionOrder::Free => dependences.in_order.clone(),
        ReductionOrder::Kept => UnionMap::empty(&[]),
    };
    let all: [(&UnionMap, &'static [Demand]); 5] = [
        (&dependences.flow, &[Order, Coincidence, Nearness]),
        (&memory, &[Order, Coincidence]),
        (&kept, within),
        (&relaxed, private),
        (&in_order, &[Order]),
    ];
    let shared = shared_reads(scop, &options.privatised).into_iter().map(|map| (map, Role::of(&[Nearness])));
    let of = |(relation, demands): (&UnionMap, &'static [Demand])| {
        let asked = Role::of(demands).as_question();
        let role = |map: &Map| if is_question(scop, map) { asked } else { Role::of(demands) };
        relation.maps().map(|map| (map.clone(), role(map))).collect::<Vec<_>>()
    };
    let machine = Machine { cores: if options.is_parallel() { options.machine.cores } else { 1 }, ..options.machine };
    Constraints { relations: all.into_iter().flat_map(of).chain(shared).collect(), machine, ..unordered(scop) }
}

/// Whether a relation is between instances of one statement that seldom replace what they update, or pack.
fn is_question(scop: &Scop, map: &Map) -> bool {
    let name = |kind| map.space().tuple_name(kind);
    let is_own = |s: &&Statement| [DimKind::In, DimKind::Out].iter().all(|kind| name(*kind) == Some(&s.name));
    scop.statements.iter().find(is_own).is_some_and(|statement| statement.seldom_replaces || statement.packed > 0)
}

/// Whether there are so few instances, whatever parameters are, that loops are no loops to LLVM but one block.
pub fn is_tiny(scop: &Scop) -> bool {
    let Some(problem) = Problem::of(&unordered(scop)) else { return false };
    let instances = |statement: &model::problem::Statement| {
        let mut values = statement.free.iter().map(|d| statement.few_values(*d));
        values.try_fold(1, |product: i64, values| product.checked_mul(values?))
    };
    let all: Option<i64> = problem.statements.iter().map(instances).sum();
    all.is_some_and(|all| all <= MOST_TINY)
}

/// What statements do, in whatever order.
fn unordered(scop: &Scop) -> Constraints {
    let touch = |at: usize, statement: &Statement, access: &Access| {
        let array = scop.array(&access.array);
        let constant = |extent: &Option<PwAff>| {
            let (value, denominator) = extent.as_ref()?.as_aff()?.as_constant()?;
            value.as_i64().filter(|_| denominator.as_i64() == Some(1))
        };
        Touch {
            statement: at,
            relation: statement.typical(access),
            writes: access.kind.writes(),
            size: array.map_or(8, |array| array.size_bytes),
            extents: array.map_or_else(Vec::new, |array| array.shape.iter().map(constant).collect()),
        }
    };
    let touched = scop
        .statements
        .iter()
        .enumerate()
        .flat_map(|(at, statement)| statement.accesses.iter().map(move |access| touch(at, statement, access)));
    let scalars = scop.arrays.iter().filter(|array| array.kind == ArrayKind::Scalar);
    Constraints {
        domains: scop.statements.iter().map(|s| s.domain.clone()).collect(),
        relations: Vec::new(),
        touched: touched.collect(),
        work: scop.statements.iter().map(|s| work(scop, s)).collect(),
        scalars: scalars.map(|array| array.name.clone()).collect(),
        machine: Machine::default(),
    }
}

/// Whether a statement writes a floating-point number.
fn is_float(scop: &Scop, statement: &Statement) -> bool {
    let array = |access: &Access| scop.array(&access.array).map(|array| array.element);
    let mut written = statement.accesses.iter().filter(|access| access.kind.writes());
    written.any(|access| matches!(array(access), Some(ElementType::Float(_))))
}

#[cfg(test)]
mod tests;
