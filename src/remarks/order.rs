//! Which loops run in order that might be hoped to be parallel, and which accesses stand in the way, with both lines.
//!
//! ```text
//! for (i = 0; i < n; i++) s += x[i];     // 's' computed at line 3 is needed at line 3 one iteration later;
//!                                        // -ffast-math -fopenmp would let threads share the sum of line 3
//! ```

use crate::candidate::{Choice, Model};
use crate::dependence::carried::{self, Carried};
use crate::dependence::{Dependence, Kind, Order};
use crate::extract::Setting;
use crate::extract::statements::root::Root;
use crate::llvm::{Analyses, Function, Instruction, Language, Location, LoopId, Opcode};
use crate::options::Options;
use crate::presburger::{Id, within};
use std::collections::HashMap;

/// Work units for telling which loops run in order: a few times what the largest kernels at hand take. They are not
/// part of the allowance of the loops, on which code depends: nobody need hear it.
const IN_ORDER_BUDGET: u64 = 5_000_000;

/// So many dependences are named for one loop.
const MOST_SENTENCES: usize = 3;

/// A loop whose iterations depend on one another, and how.
#[derive(Clone)]
pub struct InOrder<'ir> {
    pub header: LoopId,
    pub location: Option<Location<'ir>>,
    pub why: String,
    /// The sum in one place that is all that is in the way.
    sum: Option<Instruction<'ir>>,
    /// What the user could do.
    pub cure: Option<String>,
}

impl<'ir> InOrder<'ir> {
    /// A loop that runs on one thread for a reason of its own.
    pub fn because(header: LoopId, location: Option<Location<'ir>>, why: String, cure: Option<String>) -> Self {
        InOrder { header, location, why, sum: None, cure }
    }
}

/// What of a function and the options matters to what the user could do: where threads share its loops, or the function itself, he need not ask for threads.
pub fn setting(function: Function<'_>, options: &Options) -> Setting {
    let shared = options.parallel == Some(true) || function.is_run_by_threads();
    Setting { language: function.language(), shared }
}

/// What would let a sum of floating-point numbers run in another order. (Rust has no such flag.)
fn reordered(sum: Instruction<'_>, Setting { language, shared }: Setting) -> Option<String> {
    let line = sum.place()?.line();
    match (sum.fast_math().reassoc, shared) {
        (true, _) => None,
        _ if language == Language::Rust => None,
        (false, true) => Some(format!("-ffast-math would allow the sum of line {line} to be reordered")),
        (false, false) => Some(format!("-ffast-math -fopenmp would let threads share the sum of line {line}")),
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
    let mut found = found.unwrap_or_default();
    let setting = setting(analyses.function(), options);
    let is_only_slower = choice.outcome.is_err() && model.slower().is_some();
    for each in found.iter_mut().filter(|_| !is_only_slower) {
        each.cure = each.sum.and_then(|sum| reordered(sum, setting));
    }
    found
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
        let (why, sum) = (sentences.join("; ") + &rest, only_sum(model, carried));
        found.push(InOrder { header: id, location, why, sum, cure: None });
    }
    found
}

/// The floating-point sum that is all that a loop carries, in one place.
fn only_sum<'ir>(model: &Model<'ir>, carried: &[Carried<'_>]) -> Option<Instruction<'ir>> {
    let sum = |each: &Carried<'_>| {
        let Dependence { source, sink, .. } = each.dependence;
        let statement = &model.scop.statements[sink.statement];
        let access = |at: usize| &statement.accesses[at].relation;
        let is_in_place = source.statement == sink.statement && access(source.access).is_equal(access(sink.access));
        summed(&model.binding.statements[sink.statement].root).filter(|_| is_in_place)
    };
    let mut sums = carried.iter().map(sum);
    let first = sums.next()??;
    let line = |sum: Instruction<'ir>| sum.place().map(|at| at.line());
    sums.all(|sum| sum.is_some_and(|sum| line(sum) == line(first))).then_some(first)
}

/// The addition of floating-point numbers to what is written, if that is what a statement does.
fn summed<'ir>(root: &Root<'ir>) -> Option<Instruction<'ir>> {
    let (value, place) = match root {
        Root::Store { store, .. } | Root::Scatter { store, .. } => {
            (store.memory()?.stored?, Some(store.memory()?.pointer))
        }
        Root::Write { value, .. } => (*value, None),
        _ => return None,
    };
    let instruction = value.as_instruction()?;
    let summands = match instruction.opcode() {
        Opcode::FAdd => vec![instruction.operand(0), instruction.operand(1)],
        Opcode::FSub => vec![instruction.operand(0)],
        Opcode::Call if instruction.call()?.intrinsic().as_deref() == Some("llvm.fmuladd") => {
            vec![instruction.operand(2)]
        }
        _ => return None,
    };
    let is_old = |summand: Instruction<'ir>| match place {
        Some(place) => {
            summand.opcode() == Opcode::Load && summand.memory().is_some_and(|access| access.pointer == place)
        }
        None => summand.is_phi(),
    };
    summands.into_iter().filter_map(|summand| summand.as_instruction()).any(is_old).then_some(instruction)
}
