//! Writing what is planned for a function: regions first, then loops outside of them that do nothing but search.
//!
//! ```c
//! for (i = 0; i < n; i++) for (j = 0; j < n; j++) ...          a region, which the pipeline has planned
//! for (i = 0; i < n; i++) if (x[i] == key) break;              a search: no model of it is needed
//! ```

use crate::candidate::Plan;
use crate::llvm::{Block, Function, LoopHint, Session};
use crate::options::Options;
use crate::prepare::{self, Search};
use crate::selection::Selection;
use std::collections::HashSet;
use tracing::info_span;

/// The loops outside of what is planned that do nothing but search, as far as the user wants them to ask many elements at once. They are numbered behind the regions.
pub fn searches<'ir>(
    session: &Session<'ir>,
    function: Function<'ir>,
    plans: &[Plan<'ir>],
    (selection, n_regions): (&Selection, usize),
) -> Vec<Search<'ir>> {
    let name = function.name();
    let is_planned = |search: &Search<'ir>| plans.iter().any(|plan| plan.binding.region.contains(search.header));
    let all = prepare::searches(&session.analyses(function)).into_iter().filter(|search| !is_planned(search));
    all.zip(n_regions + 1..).filter(|(_, number)| selection.takes(&name, *number)).map(|(search, _)| search).collect()
}

/// Writes what is planned, from the last region to the first.
pub fn rewrite<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    plans: &[Plan<'ir>],
    searches: &[Search<'ir>],
    options: &Options,
) {
    let inlined = session.inlined_calls(function);
    let before: HashSet<Function<'ir>> = session.module().functions().into_iter().collect();
    for (plan, number) in plans.iter().rev().filter(|plan| !plan.is_as_is()).zip(1..) {
        info_span!("emit", number).in_scope(|| plan.emit(options, number));
        if !plan.emission.is_parallel() && !plan.schedule.is_tiled {
            leave_counted(plan);
        }
    }
    session.note_rewritten(function);
    function.remove_unreachable_blocks();
    inlined.into_iter().for_each(|call| session.inline_always(call));
    prepare::join(function);
    session.invalidate(function);
    prepare::point_again(session, function);
    if !searches.is_empty() {
        let headers: Vec<Block<'ir>> = searches.iter().map(|search| search.header).collect();
        info_span!("searches").in_scope(|| prepare::ask_many(session, function, &headers));
    }
    let written = session.module().functions().into_iter().filter(|each| *each == function || !before.contains(each));
    written.filter(|each| each.has_body()).for_each(|each| prepare::freeze_overwritten(session, each));
}

/// Has loops up to exits that were found first run one after the other where the new ones do not run: seldom, as little is left then that could be in the way, and
/// LLVM would make vectors of both, which are much code.
fn leave_counted(plan: &Plan<'_>) {
    let ends = plan.binding.region.blocks.iter().filter(|block| block.counted().is_some());
    for end in ends.filter_map(|block| block.terminator()) {
        [LoopHint::DisableVectorization, LoopHint::DisableUnrolling].into_iter().for_each(|hint| end.hint_loop(hint));
    }
}
