//! What the user is told: verdicts in the user's words.
//!
//! Every outermost loop nest ends in one final remark, what was done or why nothing was (but for copies of loops that something was done with):
//!
//!     gemm.c:16:3: remark: {S0}: loops (i0, i1), i0 parallel; tested not to overlap: 'C' and 'A'
//!     scan.c:7:3: remark: loop nest left as it was: no transformation that pays was found: ...
//!
//! and where loops run in order that might be hoped to be parallel, each of these says which accesses stand in the way,
//! with both lines.

use crate::ast::{Expr, For, Node};
use crate::candidate::{Choice, Model, Plan};
use crate::counters::Counters;
use crate::dependence::carried::{self, Carried};
use crate::dependence::{Dependence, Kind, Order};
use crate::extract::Refusal;
use crate::llvm::{Analyses, Block, Location, LoopId, RemarkKind, Session};
use crate::options::Options;
use crate::presburger::{Id, within};
use crate::scop::ArrayId;
use crate::scop::labels::Labels;
use std::collections::{BTreeSet, HashMap};

/// Work units for telling which loops run in order: a few times what the largest kernels at hand take. They are not
/// part of the allowance of the loops, on which code depends: nobody need hear it.
const IN_ORDER_BUDGET: u64 = 5_000_000;

/// So many dependences are named for one loop.
const MOST_SENTENCES: usize = 3;

/// What became of an outermost loop nest.
pub struct Verdict<'ir> {
    location: Option<Location<'ir>>,
    block: Block<'ir>,
    /// Where the loops inside of it are in the source: what is left of one that was unrolled has copies of them.
    inside: Vec<Location<'ir>>,
    done: Vec<String>,
    refusal: Option<Refusal<'ir>>,
    in_order: Vec<InOrder<'ir>>,
}

/// A loop whose iterations depend on one another, and how.
#[derive(Clone)]
pub struct InOrder<'ir> {
    pub header: LoopId,
    pub location: Option<Location<'ir>>,
    pub why: String,
}

/// What is to be told about a function.
#[derive(Default)]
pub struct Report<'ir> {
    pub verdicts: Vec<Verdict<'ir>>,
    /// What was asked to be validated.
    pub validated: Vec<Validated<'ir>>,
    /// Units of work that planning took.
    pub work: u64,
}

impl<'ir> Report<'ir> {
    pub fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add("units of work", self.work);
        let inside =
            self.verdicts.iter().filter(|verdict| !verdict.done.is_empty()).flat_map(|verdict| &verdict.inside);
        let done: BTreeSet<String> = inside.map(Location::to_string).collect();
        for verdict in &self.verdicts {
            let place = verdict.location.map(|location| location.to_string());
            let is_copy = verdict.done.is_empty() && place.is_some_and(|place| done.contains(&place));
            verdict.count(counters);
            if !is_copy {
                verdict.tell(session);
            }
        }
        self.validated.iter().for_each(|validated| validated.tell(session, counters));
    }
}

/// The loops that carry dependences, and which, as far as that matters: where loops become parallel, the outermost
/// ones, around which every loop does so too; and all of them, where nothing gains. Nothing, if finding out takes too
/// long.
pub fn loops_in_order<'ir>(analyses: &Analyses<'_, 'ir>, choice: &Choice<'ir>, options: &Options) -> Vec<InOrder<'ir>> {
    let Some(model) = &choice.model else { return Vec::new() };
    let found = match &choice.outcome {
        Ok(_) if options.parallel != Some(true) => return Vec::new(),
        Ok(candidate) => within(IN_ORDER_BUDGET, || {
            let outermost = |id: LoopId, found: &[InOrder<'ir>]| {
                let loops = model.binding.region.loops(analyses);
                let mut around = loops.into_iter().filter(|outer| *outer != id && analyses.is_within(id, *outer));
                around.all(|outer| found.iter().any(|each| each.header == outer))
            };
            carrying(analyses, model, &candidate.ordered.schedule.privatised, &outermost)
        }),
        Err(_) => within(IN_ORDER_BUDGET, || carrying(analyses, model, &[], &|_, _| true)),
    };
    found.unwrap_or_default()
}

/// The loops that carry dependences other than of the reductions on the arrays `private`, and that matter, those around
/// them being known.
fn carrying<'ir>(
    analyses: &Analyses<'_, 'ir>,
    model: &Model<'ir>,
    private: &[Id],
    matters: &dyn Fn(LoopId, &[InOrder<'ir>]) -> bool,
) -> Vec<InOrder<'ir>> {
    let Model { scop, binding, dependences, .. } = model;
    let Ok(order) = Order::of(&scop.schedule) else { return Vec::new() };
    let array = |d: &Dependence| &scop.statements[d.source.statement].accesses[d.source.access].array;
    let is_of_reduction = |d: &Dependence| matches!(d.kind, Kind::Reduction | Kind::ReductionUse);
    let is_relaxed = |d: &Dependence| is_of_reduction(d) && private.contains(array(d));
    let mut all: HashMap<LoopId, Vec<Carried<'_>>> = HashMap::new();
    for each in dependences.carried(scop, &order).into_iter().filter(|each| !is_relaxed(each.dependence)) {
        let id = binding.statements[each.dependence.sink.statement].loops[each.depth];
        all.entry(id).or_default().push(each);
    }
    let mut found: Vec<InOrder<'ir>> = Vec::new();
    for id in binding.region.loops(analyses) {
        let Some(carried) = all.get(&id).filter(|_| matters(id, &found)) else { continue };
        let location = analyses.loop_(id).location;
        let file = location.map(|at| at.file());
        let mut sentences = carried::sentences(scop, carried, file.as_deref());
        let more = sentences.len().saturating_sub(MOST_SENTENCES);
        sentences.truncate(MOST_SENTENCES);
        let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
        found.push(InOrder { header: id, location, why: sentences.join("; ") + &rest });
    }
    found
}

/// The loops of the program whose iterations several threads share, in its order.
fn parallel_loops(plan: &Plan<'_>) -> Vec<LoopId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![&plan.ast.root];
    while let Some(node) = pending.pop() {
        match node {
            Node::For(each) if plan.emission.parallel_loops().contains(&each.iterator) => {
                for (id, depth) in counted_by(each) {
                    let statement = plan.binding.statements.iter().find(|statement| statement.id == id);
                    found.extend(statement.and_then(|statement| statement.loops.get(depth)));
                }
            }
            _ => pending.extend(node.children()),
        }
    }
    found.into_iter().collect()
}

/// What is done, for the user, who is told so at the lines of the loops `told_at`.
pub fn done<'ir>(analyses: &Analyses<'_, 'ir>, plan: &Plan<'ir>, told_at: &[LoopId]) -> String {
    let mut text = Labels::of(&plan.scop).relabel(&plan.schedule.description.join("; "));
    let parallel = parallel_loops(plan);
    if parallel.iter().any(|id| !told_at.contains(id)) {
        let mut lines: Vec<u32> = parallel.iter().filter_map(|id| Some(analyses.loop_(*id).location?.line())).collect();
        lines.dedup();
        match lines.as_slice() {
            [] => {}
            [line] => text.push_str(&format!("; the loop at line {line} is parallel")),
            [all @ .., last] => {
                let all: Vec<String> = all.iter().map(u32::to_string).collect();
                text.push_str(&format!("; the loops at lines {} and {last} are parallel", all.join(", ")));
            }
        }
    }
    let copied = plan.emission.private_arrays();
    if !copied.is_empty() {
        let names: Vec<String> =
            copied.iter().map(|at| format!("'{}'", plan.binding.arrays[*at].source_name)).collect();
        text.push_str(&format!("; each thread reduces into its own copy of {}", names.join(", ")));
    }
    let own = plan.emission.own_arrays(&plan.binding);
    if !own.is_empty() {
        let names: BTreeSet<String> =
            own.iter().map(|at| format!("'{}'", plan.binding.arrays[*at].source_name)).collect();
        let names: Vec<String> = names.into_iter().collect();
        text.push_str(&format!("; each thread has its own copy of {}", names.join(", ")));
    }
    let mut tested: Vec<&str> = plan.binding.assumptions.iter().map(String::as_str).collect();
    for inspection in &plan.binding.inspections {
        if !tested.contains(&inspection.why.as_str()) {
            tested.push(&inspection.why);
        }
    }
    if !tested.is_empty() {
        text.push_str(&format!("; tested before the loops: {}", tested.join(", ")));
    }
    let measured = plan.binding.measurements.iter().flat_map(|measurement| &measurement.disjoint);
    let name = |at: ArrayId| &plan.binding.arrays[at].source_name;
    let pair = |(a, b): &(ArrayId, ArrayId)| format!("'{}' and '{}'", name(*a), name(*b));
    let pairs: Vec<String> = plan.binding.disjoint.iter().chain(measured).map(pair).collect();
    let pairs =
        [pairs, plan.emission.not_errno().iter().map(|at| format!("'{}' and errno", name(*at))).collect()].concat();
    if !pairs.is_empty() {
        text.push_str(&format!("; tested not to overlap: {}", pairs.join(", ")));
    }
    let rows: Vec<String> = plan.binding.rows.iter().map(|at| format!("'{}'", name(*at))).collect();
    if !rows.is_empty() {
        text.push_str(&format!("; tested that no rows overlap: {}", rows.join(", ")));
    }
    text
}

/// The statements that run in a loop, each with how many loops of the program are around the one whose counter is
/// computed from the loop's iterator.
fn counted_by(each: &For) -> Vec<(Id, usize)> {
    let names = |expr: &Expr| {
        let mut found = Vec::new();
        expr.names(&mut |name| found.push(name.clone()));
        found
    };
    let mut derived = vec![each.iterator.clone()];
    let mut found = Vec::new();
    let mut pending = vec![&each.body];
    while let Some(node) = pending.pop() {
        if let Node::For(inner) = node
            && [&inner.lower, &inner.upper].into_iter().flat_map(&names).any(|name| derived.contains(&name))
        {
            derived.push(inner.iterator.clone());
        }
        if let Node::User { statement, arguments } = node {
            let first = |known: &[Id]| arguments.iter().position(|a| names(a).iter().any(|name| known.contains(name)));
            let depth = first(&derived[..1]).or_else(|| first(&derived));
            found.extend(depth.map(|depth| (statement.clone(), depth)));
        }
        pending.extend(node.children());
    }
    found
}

/// Whether the results of a region are compared with those of its original loops, or why not.
pub struct Validated<'ir> {
    location: Option<Location<'ir>>,
    block: Block<'ir>,
    result: Result<(), String>,
}

impl<'ir> Validated<'ir> {
    /// Has the plan's results be compared, if they can be. `done` is what is said of the plan.
    pub fn of(analyses: &Analyses<'_, 'ir>, plan: &mut Plan<'ir>, done: &str) -> Self {
        let nests = &plan.binding.region.nests;
        let places: Vec<Location<'ir>> = nests.iter().filter_map(|nest| analyses.loop_(*nest).location).collect();
        let shown: Vec<String> = places.iter().map(Location::to_string).collect();
        let loops = if shown.is_empty() { "loops".to_string() } else { format!("loops at {}", shown.join(", ")) };
        let what = format!("function {}, {loops}: {done}", analyses.function().name());
        let block = analyses.function().entry().unwrap_or(plan.binding.region.entry);
        Validated { location: places.first().copied(), block, result: plan.validate(&what) }
    }

    fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add(if self.result.is_ok() { "regions validated" } else { "regions not validated" }, 1);
        match &self.result {
            Ok(()) => {
                let text = "validated: the original loops run as well, and the program ends where results differ";
                session.remark(RemarkKind::Analysis, "Validated", self.location, self.block, text);
            }
            Err(why) => {
                let text = format!("not validated: {why}");
                session.remark(RemarkKind::Missed, "NotValidated", self.location, self.block, &text);
            }
        }
    }
}

impl<'ir> Verdict<'ir> {
    pub fn of(
        analyses: &Analyses<'_, 'ir>,
        nest: LoopId,
        done: Vec<String>,
        refusal: Option<Refusal<'ir>>,
        in_order: &[InOrder<'ir>],
    ) -> Self {
        let this = analyses.loop_(nest);
        let block = analyses.function().entry().unwrap_or(this.header);
        let in_order = in_order.iter().filter(|each| analyses.is_within(each.header, nest)).cloned().collect();
        let loops = analyses.loops().iter().filter(|l| l.id != nest && analyses.is_within(l.id, nest));
        let inside = loops.filter_map(|l| l.location).collect();
        Verdict { location: this.location, block, inside, done, refusal, in_order }
    }

    fn count(&self, counters: &mut Counters) {
        counters.add(if self.done.is_empty() { "nests left as they were" } else { "nests optimized" }, 1);
    }

    fn tell(&self, session: &Session<'ir>) {
        if !self.done.is_empty() {
            session.remark(RemarkKind::Done, "Optimized", self.location, self.block, &self.done.join("; "));
        } else if let Some(refusal) = &self.refusal {
            self.tell_refusal(session, refusal);
        }
        for InOrder { location, why, .. } in &self.in_order {
            let line = location.map(|at| format!(" at line {}", at.line())).unwrap_or_default();
            let text = format!("loop{line} runs in order: {why}");
            session.remark(RemarkKind::Missed, "InOrder", *location, self.block, &text);
        }
    }

    fn tell_refusal(&self, session: &Session<'ir>, refusal: &Refusal<'ir>) {
        let name = refusal.reason.name();
        if refusal.location.is_some() {
            session.remark(RemarkKind::Analysis, name, refusal.location, self.block, &refusal.to_string());
        }
        let file = self.location.map(|at| at.file());
        let text = format!("loop nest left as it was: {}", refusal.sentence(file.as_deref()));
        session.remark(RemarkKind::Missed, name, self.location, self.block, &text);
    }
}
