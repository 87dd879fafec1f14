//! Making a function readable: LLVM's own clean-up, on functions with loops only.
//!
//! At the place where the pass runs nothing has been inlined yet, loops test at the top and variables have just left
//! memory. These steps bring out the counted loops:
//!
//! 1. Small functions are inlined into functions with loops ([`inline`]).
//! 2. A fixed list of LLVM's passes rotates loops and simplifies what is in them, without hoisting or promoting any
//!    floating-point value: memory stays as the source has it, which is what dependences are computed from. What iterators hand on from one
//!    iteration to the next does not ask again whether there is one ([`ends::goes_on`]). Loops are left once all is
//!    decided that they are for ([`ends::decided`]).
//! 3. What stays the same in a loop is read or asked for once before it ([`hoist`], [`addresses`]):
//!
//!        for (i = 0; i < m->rows; i++) m->row[i] = 0.0;          m->rows and m->row are read once
//!
//!    A condition without which a loop does nothing is asked before it where that shows that something is read ([`guards`]). Memory that each iteration
//!    reserves and gives back is reserved once ([`reserved`]).
//!
//! 4. A switch with a case for every value that can be has no other way out:
//!
//!        switch (i % 4) { case 0: ... case 3: ... }                      the last case stands for all the rest
//!
//! 5. A loop whose counter is doubled counts its steps ([`counters::doubled`]). One that goes down has the width of addresses ([`counters::down`]). One that
//!    goes on where an inner loop has left it has steps of its own ([`counters::inner`]).
//! 6. Calls that fill or copy memory inside of a loop become loops or moves of elements ([`fills`]).
//! 7. Pointers that a loop hands on by memory become variables ([`handed_on`]), where the places are apart, which may be asked before the loop ([`handed_on::apart`]).
//! 8. Pointers to the best so far, and to where the next element goes that is kept, become numbers of elements ([`kept::pointers`], [`kept::moved`]); what is read when something is taken is read once
//!    behind the loop ([`kept::values`]). When all is written, the first become pointers again where the original loops are kept ([`kept::places`]).
//! 9. A loop that is left before the loops inside, as these would have nothing to do in its last round, ends where it goes round ([`ends::last_round`]).
//! 10. One iteration of a loop in which buffers take turns becomes so many that each has had its turn ([`turns`]).
//! 11. What several nests read before them is read once, before the first ([`reads`]).
//! 12. The end of a loop leads to a block of its own ([`ends::ways_out`]).
//! 13. What a loop reads again in each iteration, as what it writes may change that, is read once before it where it is asked whether that stays the same ([`unchanged`]).
//! 14. Of a block with very many stores these become a block of their own, which is one statement ([`wholes`]).
//! 15. When all is written, what is read under a condition and overwritten there is frozen, which a pass behind us needs to do the right thing ([`overwritten`]).
//!
//! Widening of counters (`indvars`) is tried only where a loop still has no trip count: it makes some countable and
//! hides others (a comparison of counters becomes one of extended truncations).

mod addresses;
mod apart;
mod counters;
mod ends;
mod exits;
mod fills;
mod guards;
mod handed_on;
mod hoist;
mod inline;
mod kept;
mod overwritten;
mod reads;
mod reserved;
mod searches;
mod short;
mod stack;
#[cfg(test)]
mod tests;
mod touched;
mod turns;
mod unchanged;
mod wholes;

pub use exits::{Means, count_exits, find_exits};
pub use inline::inline_small_calls;
pub use overwritten::freeze_overwritten;
pub use searches::{Search, ask_many, searches};
pub use turns::{Turns, turns};
pub use unchanged::{count_unchanged, read_unchanged};
pub use wholes::join;

use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Function, Instruction, Loop, Opcode, Session};
use ends::{decided, goes_on, last_round, ways_out};
use hoist::{Ends, ends_are_known, lift_above_guard, read_once};

/// The attribute of a function that stays as it is, and that nothing is made of elsewhere.
pub const OFF: &str = "no-loopwright";

/// `no-verify-fixpoint`: one round is enough, and LLVM must not abort because a second would do more.
const CLEAN_UP: &str = "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop(loop-rotate),\
                        instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa";
const AFTER_READS: &str = "early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa";
/// A way out of several loops at once may come by a variable that says so; then it goes straight.
const STRAIGHTEN: &str = "jump-threading,simplifycfg,loop-simplify,lcssa";
/// What a number is that turns are about is a constant in each of the iterations that become one, which only shows if that is assumed of the loop.
const AFTER_TURNS: &str = "sccp,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa";
const VARIABLES: &str = "sroa";
const NATURAL: &str = "loop-simplify,lcssa";
/// A loop that the clean-up has end before its last iteration's inner loops, which would have nothing to do, tests at the bottom again.
const ROTATE: &str = "loop(loop-rotate),instcombine<no-verify-fixpoint>,loop-simplify,lcssa";
const COUNTING: &str = "loop(indvars),instcombine<no-verify-fixpoint>,loop-simplify,lcssa";

/// Times that reads are moved: a bound read once makes an inner guard superfluous, and frees what it guarded.
const READING_ROUNDS: usize = 32;

/// Brings a function with loops into the shape the model is read from, but for what [`take_turns`] does. Handles into it must be taken afterwards.
pub fn make_countable<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    session.run_function_passes(function, VARIABLES).expect("law: the clean-up is a pipeline");
    keep_names(function);
    session.run_function_passes(function, CLEAN_UP).expect("law: the clean-up is a pipeline");
    straighten(session, function);
    let is_left = decided::leave(&session.analyses(function));
    if is_left {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if goes_on::settle(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if is_left {
        session.run_function_passes(function, STRAIGHTEN).expect("law: the clean-up is a pipeline");
    }
    complete_switches(session, function);
    take_fills_apart(session, function);
    ask_for_addresses(session, function);
    read_before_loops(session, function);
    ask_for_addresses(session, function);
    let ends_in_latch = |l: &Loop<'ir>| l.latch.is_none_or(|latch| l.exiting.contains(&latch));
    if !session.analyses(function).loops().iter().all(ends_in_latch) {
        session.run_function_passes(function, ROTATE).expect("law: the clean-up is a pipeline");
    }
    have_counters(session, function);
    if handed_on::apart::ask_before_loops(session, function) {
        session.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
    }
    if handed_on::keep_in_variables(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, VARIABLES).expect("law: the clean-up is a pipeline");
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if kept::pointers::count_elements(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if kept::moved::count_steps(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if kept::values::read_behind(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if short::write_out(session, function) {
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if last_round::ask_at_the_end(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
    }
}

/// Has numbers that loops go by be such that it is known how often the loops run.
fn have_counters<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    if counters::doubled::count_steps(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    if counters::inner::widen(&session.analyses(function)) {
        session.invalidate(function);
    }
    for _ in 0..READING_ROUNDS {
        if !counters::inner::compute_one(&session.analyses(function)) {
            break;
        }
        session.invalidate(function);
    }
    if counters::down::widen(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
    }
    let analyses = session.analyses(function);
    if analyses.loops().iter().any(|l| may_count(&analyses, l)) {
        session.run_function_passes(function, COUNTING).expect("law: the clean-up is a pipeline");
    }
}

/// Has numbers be the pointers again that they were, when the function is written.
pub fn point_again<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    if kept::places::any(function) && kept::places::point(&session.analyses(function)) {
        session.invalidate(function);
    }
}

/// The rest of it: has one iteration of these loops do so many that all buffers have had their turns. For each, its header, if that was possible.
pub fn take_turns<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    all: &[Turns<'ir>],
) -> Vec<Option<Block<'ir>>> {
    let mut take = |turns: &Turns<'ir>| session.unroll(function, turns.header, turns.count).then_some(turns.header);
    let turned: Vec<Option<Block<'ir>>> = all.iter().map(&mut take).collect();
    if turned.iter().any(Option::is_some) {
        session.run_function_passes(function, AFTER_TURNS).expect("law: the clean-up is a pipeline");
        read_before_loops(session, function);
    }
    let analyses = session.analyses(function);
    let ends = |l: &Loop<'ir>| if turned.contains(&Some(l.header)) { Ends::AlsoNumbers } else { Ends::Pointers };
    if analyses.loops().iter().filter(|l| ends_are_known(&analyses, l, ends(l))).count() > 0 {
        session.invalidate(function);
    }
    let analyses = session.analyses(function);
    if analyses.loops().iter().filter(|l| lift_above_guard(&analyses, l)).count() > 0 {
        session.invalidate(function);
    }
    if reads::same_reads(&session.analyses(function)) {
        session.invalidate(function);
    }
    if ways_out::set_ends_apart(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
    }
    if wholes::cut_out(&session.analyses(function)) {
        session.invalidate(function);
    }
    turned
}

/// Whether it is not known how often a loop runs, and it hands on numbers, of which one may count if it is as wide as addresses are.
fn may_count<'ir>(analyses: &Analyses<'_, 'ir>, l: &Loop<'ir>) -> bool {
    analyses.backedges(l.id, CountKind::Exact).is_none()
        && l.header.phis().iter().any(|phi| phi.ty().integer_width().is_some())
}

/// What stays the same in loops is read before them.
fn read_before_loops<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    for _ in 0..READING_ROUNDS {
        let analyses = session.analyses(function);
        if !read_once(&analyses) && !guards::ask_before_loops(&analyses) && !reserved::reserve_once(&analyses) {
            break;
        }
        session.invalidate(function);
        session.run_function_passes(function, AFTER_READS).expect("law: the clean-up is a pipeline");
        complete_switches(session, function);
    }
}

/// A default that is never reached would be a way out of the loops around.
fn complete_switches<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    let completed = function.blocks().into_iter().filter(|block| complete_switch(*block)).count();
    if completed > 0 {
        function.remove_unreachable_blocks();
        session.invalidate(function);
        session.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
    }
}

/// Has what a variable says become the way that control takes, where loops are left in the middle or end by it.
fn straighten<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    let analyses = session.analyses(function);
    let is_told = analyses.loops().iter().any(goes_on::is_told_by_variable);
    if is_told || analyses.loops().iter().any(|l| l.exiting.len() > 1) {
        session.run_function_passes(function, STRAIGHTEN).expect("law: the clean-up is a pipeline");
    }
    if is_told {
        session.run_function_passes(function, ROTATE).expect("law: the clean-up is a pipeline");
    }
}

/// Debug records are lost where blocks of nothing else go, as those between a loop of Fortran and the one inside of it: counters keep the names by themselves,
/// and so does what they become next, as rotating a loop makes new counters.
fn keep_names(function: Function<'_>) {
    for phi in function.blocks().into_iter().flat_map(Block::phis) {
        let counter = phi.value();
        if counter.variable_name().is_none() {
            continue;
        }
        phi.be_named_after(counter);
        let steps = phi.incoming().into_iter().filter_map(|(value, _)| value.as_instruction());
        for step in steps.filter(|step| step.opcode() == Opcode::Add && step.operands().contains(&counter)) {
            step.be_named_after(counter);
        }
    }
}

fn take_fills_apart<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    if fills::take_apart(&session.analyses(function)) {
        session.invalidate(function);
        session.run_function_passes(function, VARIABLES).expect("law: the clean-up is a pipeline");
        session.run_function_passes(function, NATURAL).expect("law: the clean-up is a pipeline");
    }
}

fn ask_for_addresses<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    if addresses::ask_before_loops(&session.analyses(function)) {
        session.invalidate(function);
    }
}

/// Has a switch lead to its last case where it led to what is never reached. Whether it did.
fn complete_switch(block: Block<'_>) -> bool {
    let Some(switch) = block.terminator().filter(|end| end.opcode() == Opcode::Switch) else { return false };
    let [default, .., last] = switch.successors()[..] else { return false };
    let is_end = |i: Instruction<'_>| i.opcode() == Opcode::Unreachable;
    if !default.first_instruction().is_some_and(is_end) || last == default {
        return false;
    }
    for phi in last.phis() {
        let value = phi.incoming_from(block).expect("law: a phi has a value from each way in");
        phi.add_incoming(value, block);
    }
    default.forget_predecessor(block);
    switch.set_successor(0, last);
    true
}
