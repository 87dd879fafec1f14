//! What is done to loops before nests are planned, and taken back where that was of no use.
//!
//! The exits of a loop are found first, say, so that a counted loop runs up to them. If nothing is made of the counted loop, the function goes back to what it was, and its nests
//! are planned once more with that done to the other loops only.

use crate::llvm::{Function, Session};
use std::collections::BTreeSet;

/// Something that is done to loops of a function, for a plan.
pub(crate) struct Before<'b, 'ir, P> {
    /// How many loops it can be done to.
    pub count: usize,
    /// Does it to those with these numbers, and gives them their places among these as new ones. For which of them it was possible.
    pub make: &'b dyn Fn(&mut Session<'ir>, &[usize]) -> Vec<usize>,
    pub planned: &'b dyn Fn(&mut Session<'ir>) -> P,
    /// For which of the new numbers it pays; none if that is not asked.
    pub pays: &'b dyn Fn(&Session<'ir>, &P) -> Option<BTreeSet<usize>>,
}

/// The plan of a function with that done to the loops for which it pays.
pub(crate) fn as_far_as_it_pays<'ir, P>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    what: &Before<'_, 'ir, P>,
) -> P {
    let mut wanted: Vec<usize> = (0..what.count).collect();
    while !wanted.is_empty() {
        let before = session.snapshot(function);
        let possible = (what.make)(session, &wanted);
        if possible.len() < wanted.len() {
            session.restore(before);
            wanted = possible;
            continue;
        }
        let plan = (what.planned)(session);
        let Some(pays) = (what.pays)(session, &plan).filter(|pays| pays.len() < wanted.len()) else { return plan };
        session.restore(before);
        wanted = wanted.iter().enumerate().filter(|(at, _)| pays.contains(at)).map(|(_, number)| *number).collect();
    }
    (what.planned)(session)
}
