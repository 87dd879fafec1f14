//! How many times as fast loops are predicted to be: what remarks and reports say.
//!
//! ```text
//! for (i...) for (k = row[i]; k < row[i + 1]; k++) y[i] += val[k] * x[col[k]];
//! ```
//!
//! The model of time divides what is computed among the cores that share the loops, and not what comes from memory. It counts lines by subscripts, and `x[col[k]]`
//! has none: such an access fetches a line each time, `val[k]` the eight bytes by which it moves. Both orders of a nest fetch them.

use crate::extract::Binding;
use crate::extract::binding::BoundStatement;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::statements::ITERATIONS;
use crate::extract::statements::root::Root;
use crate::llvm::{Analyses, Instruction, LoopId, Value};
use crate::options::Options;
use crate::schedule::{Schedule, Times};

/// What is gained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// How many times as fast the loops are, on all cores that share them.
    pub factor: f64,
    pub cores: i64,
    /// Bytes from memory that the model of subscripts does not count.
    pub unseen_bytes: i128,
}

/// What a schedule gains over the program's own loops, if the model of time can tell.
pub fn of<'ir>(
    analyses: &Analyses<'_, 'ir>,
    binding: &Binding<'ir>,
    schedule: &Schedule,
    options: &Options,
) -> Option<Gain> {
    let machine = &options.machine;
    let cores = if schedule.is_parallel && options.parallel == Some(true) { machine.cores } else { 1 };
    let all = binding.statements.iter().zip(&schedule.instances);
    let of_statement = |(statement, count): (&BoundStatement<'ir>, &i128)| {
        count.saturating_mul(unseen(analyses, statement, machine.line.into()))
    };
    let bytes = all.map(of_statement).fold(0, i128::saturating_add);
    // What fits into the cache was there before.
    let unseen_bytes = if bytes > machine.level2.into() { bytes } else { 0 };
    let lines = unseen_bytes / i128::from(machine.line.max(1));
    let factor = factor(schedule.times?, cores, lines.saturating_mul(machine.far_line_time()));
    Some(Gain { factor, cores, unseen_bytes })
}

/// [`Times::gain`] as a number.
pub fn factor(times: Times, cores: i64, unseen: i128) -> f64 {
    times.gain(cores, unseen) as f64 / 1000.0
}

/// Bytes that an instance fetches from addresses that data tells.
fn unseen<'ir>(analyses: &Analyses<'_, 'ir>, statement: &BoundStatement<'ir>, line: i128) -> i128 {
    let is_indirect = |leaf: &Leaf| matches!(leaf, Leaf::Indirect { .. });
    let loads =
        statement.leaves.iter().filter(|(_, leaf)| is_indirect(leaf)).filter_map(|(value, _)| value.as_instruction());
    let mut all: Vec<(Instruction<'ir>, Value<'ir>)> =
        loads.filter_map(|load| Some((load, load.memory()?.pointer))).collect();
    match &statement.root {
        Root::Scatter { store, .. } => all.extend(store.memory().map(|access| (*store, access.pointer))),
        Root::Opaque { accesses, .. } => {
            let unknown = accesses.iter().filter(|access| access.offset.is_none());
            all.extend(unknown.map(|access| (access.instruction, access.pointer)));
        }
        _ => {}
    }
    let bytes = |(home, pointer)| fetched(analyses, statement, (home, pointer), line);
    all.into_iter().map(bytes).fold(0, i128::saturating_add)
}

/// Bytes that an access fetches in one instance: in loops that the model does not know a part of a line each time, if it moves by less.
fn fetched<'ir>(
    analyses: &Analyses<'_, 'ir>,
    statement: &BoundStatement<'ir>,
    (home, pointer): (Instruction<'ir>, Value<'ir>),
    line: i128,
) -> i128 {
    let inner = home.block().and_then(|block| analyses.loop_of(block));
    let is_inside = |id: &LoopId| !statement.loops.contains(id);
    let depth = inner.map_or(0, |id| analyses.around(id).take_while(is_inside).count());
    let times = i128::from(ITERATIONS).saturating_pow(u32::try_from(depth).unwrap_or(u32::MAX));
    let step = inner.filter(|_| depth > 0).and_then(|id| {
        let node = analyses.node(analyses.scev(pointer)?);
        let [_, step] = node.operands.as_slice() else { return None };
        analyses.node(*step).constant.filter(|_| node.in_loop == Some(id))
    });
    times.saturating_mul(step.map_or(line, |step| step.abs().min(line)))
}
