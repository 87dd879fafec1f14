//! What is done to a function before its nests are planned, as far as these are rewritten for that.
//!
//! ```c
//! for (i = 0; i < g->n; i++) { if (a[i] < 0) return -1;  b[i] = f(a[i]); }
//! ```
//!
//! What is read again, `g->n`, is read once ([`with_unchanged`]); then the exit is found first ([`with_exits`]); then loops whose buffers take turns are written out
//! ([`with_turns`]). Each of them is taken back where nothing came of it, and the nests are planned again.

use super::taken_back::TakenBack;
use super::{Nests, Task};
use crate::allowance::Purse;
use crate::llvm::{Block, Function, Session};
use crate::options::Options;
use crate::prepare::{self, Turns};
use crate::versions::{Before, as_far_as_it_pays};

/// The nests of a function, planned with what loops read again read once before them, as far as these loops are rewritten for that.
pub(super) fn with_unchanged<'o, 'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    (options, new): (&Options, &dyn Fn() -> Nests<'o, 'ir>),
    purse: &Purse,
) -> Nests<'o, 'ir> {
    let what = Before {
        count: prepare::count_unchanged(&session.analyses(function)),
        make: &|session, wanted| prepare::read_unchanged(session, function, wanted),
        planned: &|session| with_exits(session, function, (options, new), purse),
        pays: &|session, nests| nests.rewritten(&session.analyses(function), Block::unchanged),
    };
    as_far_as_it_pays(session, function, &what)
}

/// The nests of a function, planned with the exits of loops found first, as far as the loops that run up to them are rewritten for that.
fn with_exits<'o, 'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    (options, new): (&Options, &dyn Fn() -> Nests<'o, 'ir>),
    purse: &Purse,
) -> Nests<'o, 'ir> {
    let cores = if options.parallel == Some(true) { options.machine.cores } else { 1 };
    let means = prepare::Means { reads_ahead: options.reads_ahead, ..prepare::Means::on(cores) };
    let what = Before {
        count: prepare::count_exits(&session.analyses(function), means),
        make: &|session, wanted| prepare::find_exits(session, function, wanted, means),
        planned: &|session| with_turns(session, function, new, purse),
        pays: &|session, nests| nests.rewritten(&session.analyses(function), Block::counted),
    };
    as_far_as_it_pays(session, function, &what)
}

/// The nests of a function, planned with all turns of buffers taken. Where some of these loops are not rewritten for all that, they go back to what they were,
/// and the nests are planned again: a loop that was only unrolled may be slower than it was.
fn with_turns<'o, 'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    new: &dyn Fn() -> Nests<'o, 'ir>,
    purse: &Purse,
) -> Nests<'o, 'ir> {
    let all = prepare::turns(&session.analyses(function));
    let before = (!all.is_empty()).then(|| session.snapshot(function));
    let turned = prepare::take_turns(session, function, &all);
    let known = TakenBack::written_out(&turned);
    planned(session, function, Nests { taken_back: known, ..new() }, purse, &turned).unwrap_or_else(|left| {
        session.restore(before.expect("law: what is turned has turns"));
        let again = prepare::turns(&session.analyses(function));
        let known = left.known.again(again.iter().map(|turns| Some(turns.header)).collect());
        let paid = again.into_iter().zip(left.pay).filter_map(|(turns, pays)| pays.then_some(turns));
        prepare::take_turns(session, function, &paid.collect::<Vec<Turns<'ir>>>());
        let nests = Nests { taken_back: known, ..new() };
        planned(session, function, nests, purse, &[]).unwrap_or_else(|_| unreachable!("law: nothing asks for more"))
    })
}

/// Nests that are not all rewritten of which turns were written out.
struct Left<'ir> {
    /// For each loop with turns, whether it is.
    pay: Vec<bool>,
    /// Why the others are not.
    known: TakenBack<'ir>,
}

/// The nests of a function, ready to be written if they are to be; or which of the loops that were turned, by their headers, would be rewritten, if not all
/// would.
fn planned<'o, 'ir>(
    session: &Session<'ir>,
    function: Function<'ir>,
    mut nests: Nests<'o, 'ir>,
    purse: &Purse,
    turned: &[Option<Block<'ir>>],
) -> Result<Nests<'o, 'ir>, Left<'ir>> {
    let analyses = session.analyses(function);
    nests.plan(&analyses, purse);
    nests.told = std::mem::take(&mut nests.records).finished(&analyses);
    let is_rewritten =
        |header: Block<'ir>| nests.plans.iter().any(|plan| !plan.is_as_is() && plan.binding.region.contains(header));
    let has_plans = !matches!(nests.task, Task::Print(stage) if stage.is_of_model());
    if has_plans && !turned.iter().flatten().all(|header| is_rewritten(*header)) {
        let pay = turned.iter().map(|header| header.is_some_and(is_rewritten)).collect();
        return Err(Left { pay, known: nests.taken_back });
    }
    if nests.task == Task::Optimize {
        nests.materialize(&analyses);
    }
    Ok(nests)
}
