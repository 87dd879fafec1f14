//! How a choice came about, for `print<loopwright-candidates>`: every strategy with its cost, or why it was rejected.
//!
//!     plain model
//!       the program as it is: 2 statements in sequential loops, loops as they were
//!       the scheduler's order: 2 statements in sequential loops, better loops: chosen

use super::cost::Cost;
use super::strategy::{Rejected, Strategy};
use crate::extract::{Extents, Guards, Locals, ModelOptions, OfData, Refusal, Threads};
use crate::schedule::Times;
use std::fmt;

/// All that was looked at for a region.
#[derive(Default)]
pub struct Trace<'ir> {
    pub models: Vec<ModelTrace<'ir>>,
}

/// What was looked at for one model.
pub struct ModelTrace<'ir> {
    pub options: ModelOptions,
    /// The program's cost in this model; or why there is none.
    pub program: Result<Cost, Refusal<'ir>>,
    pub tried: Vec<Tried<'ir>>,
    /// The candidate that is taken is of this model.
    pub is_chosen: bool,
}

impl ModelTrace<'_> {
    /// What the model takes for granted or has tested, in a word or several.
    pub fn name(&self) -> String {
        named(self.options)
    }
}

/// A strategy that was looked at.
#[derive(Clone)]
pub struct Tried<'ir> {
    pub strategy: Strategy,
    pub verdict: Verdict<'ir>,
}

/// What came of a strategy.
#[derive(Clone)]
pub enum Verdict<'ir> {
    Rejected(Rejected<'ir>),
    /// A candidate; it pays unless the test of data that it needs takes longer than the loops.
    Possible {
        cost: Cost,
        pays: bool,
        /// What the model of time says of it and of the program's own loops.
        times: Option<Times>,
    },
}

impl fmt::Display for Trace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for model in &self.models {
            match &model.program {
                Ok(cost) => writeln!(f, "{} model\n  the program as it is: {cost}", named(model.options))?,
                Err(refusal) => writeln!(f, "{} model: none: {refusal}", named(model.options))?,
            }
            for Tried { strategy, verdict } in &model.tried {
                write!(f, "  {strategy}: ")?;
                match verdict {
                    Verdict::Rejected(rejected) => writeln!(f, "rejected: {rejected}")?,
                    Verdict::Possible { cost, pays: false, .. } => {
                        writeln!(f, "{cost}: rejected: the test of data takes longer than the loops")?;
                    }
                    Verdict::Possible { cost, .. } if model.is_chosen => writeln!(f, "{cost}: chosen")?,
                    Verdict::Possible { cost, .. } => writeln!(f, "{cost}: no better")?,
                }
            }
        }
        Ok(())
    }
}

/// What a model takes for granted or has tested, in a word or several.
fn named(options: ModelOptions) -> String {
    let ModelOptions { conditions, extents, guards, locals, threads } = options;
    let words = [
        (threads == Threads::Several, "shared"),
        (locals != Locals::Shared, "expanded"),
        (locals == Locals::Kept, "kept behind"),
        (extents == Extents::Measured, "measured"),
        (conditions == OfData::Tested, "inspected"),
        (guards == Guards::OfParts, "in parts"),
    ];
    let said: Vec<&str> = words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    if said.is_empty() { "plain".into() } else { said.join(", ") }
}
