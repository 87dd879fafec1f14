//! What can come in the way of loop generation: dimensions without bounds, and statements that share a loop, or are left out of some of its iterations, although they were to be separated.
//!
//! The second is no failure: the loops are right, with conditions in them; whoever asked for separation is told where, and why.

use crate::presburger::Id;

/// A dimension has no bounds in terms of the parameters and the outer dimensions, so no loop scans it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbounded {
    /// The statements that it belongs to.
    pub statements: Vec<Id>,
    /// Its position in the schedule.
    pub depth: usize,
    /// A loop could end when data says so, but for this statement, which runs where that is not decided, or decided already.
    pub misplaced: Option<Id>,
}

impl std::fmt::Display for Unbounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.statements.iter().map(Id::as_str).collect();
        write!(f, "dimension {} of the schedule is not bounded for {}", self.depth, names.join(", "))?;
        self.misplaced.iter().try_for_each(|name| {
            write!(f, ": in a step that ends where data says so, {name} is not behind what decides about it")
        })
    }
}

impl std::error::Error for Unbounded {}

/// Statements that share a loop, or that keep conditions in one, although they were to be separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseparated {
    /// Which.
    pub statements: Vec<Id>,
    /// The position of the loop in the schedule.
    pub depth: usize,
    /// Why.
    pub why: Together,
}

/// Why statements stay in one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// Their iterations have strides, of which there is no difference without conditions.
    Strides,
    /// Parts of their iterations take turns, or are too many for a loop each.
    Order,
    /// A condition on a remainder or a quotient is left.
    Remainders,
}

impl std::fmt::Display for Unseparated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.statements.iter().map(Id::as_str).collect();
        let why = match self.why {
            Together::Strides => "their strides leave no parts without conditions",
            Together::Remainders => {
                "a condition on a remainder or a quotient is left, as loops are cut at bounds and have one stride"
            }
            Together::Order => "the parts take turns, or are too many for a loop each",
        };
        write!(f, "dimension {} of the schedule is not separated for {}: {why}", self.depth, names.join(", "))
    }
}
