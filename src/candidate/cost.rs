//! What a candidate costs, as data that is compared: the program as it is has a cost too.
//!
//! For `for i { s += x[i]; y[i] = 2 * x[i]; }` the program has two statements in sequential loops; the scheduler's
//! order has one, and none if threads have copies of `s`. Least is best, in the order of the fields.

use super::evaluate::Candidate;
use super::model::Model;
use crate::extract::OfData;
use crate::schedule::Times;
use std::fmt;

/// The cost of running a region in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Statements that run in no parallel loop.
    pub sequential: usize,
    pub loops: Loops,
    /// What has to be known of data before.
    pub data: Data,
    /// Arrays of which each thread has a copy.
    pub copies: usize,
    pub pace: Pace,
    /// Loops in order around a parallel one, which threads are forked for so often.
    pub around_forks: usize,
}

/// Whether the order of the loops is one that the scheduler finds to be faster on one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pace {
    Faster,
    Unknown,
}

/// How good the loops are, beside what is parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loops {
    /// A band is tiled, or a statement vectorised that was not, or a loop became parallel; and none of the deepest
    /// nests is vectorised worse.
    Better,
    AsTheyWere,
}

/// Whether data is looked at before the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Data {
    Unseen,
    Inspected,
}

impl Cost {
    /// Of the program as it is.
    pub fn of_program(model: &Model<'_>) -> Cost {
        let sequential = model.scop.statements.len();
        let (loops, data, pace) = (Loops::AsTheyWere, Data::Unseen, Pace::Faster);
        Cost { sequential, loops, data, copies: 0, pace, around_forks: 0 }
    }

    pub fn of(model: &Model<'_>, candidate: &Candidate) -> Cost {
        let schedule = &candidate.ordered.schedule;
        Cost {
            sequential: candidate.ordered.known_sequential(&model.scop).len(),
            loops: if schedule.gains_over(&model.scop) { Loops::Better } else { Loops::AsTheyWere },
            data: match model.options.conditions {
                OfData::Tested => Data::Inspected,
                OfData::Refused => Data::Unseen,
            },
            copies: schedule.privatised.len(),
            pace: if schedule.times.is_some_and(Times::is_faster) { Pace::Faster } else { Pace::Unknown },
            around_forks: schedule.loops_around_forks(),
        }
    }

    /// Whether loops that one thread runs around parallel ones may take more than those do.
    pub fn is_hindered(self) -> bool {
        self.sequential > 0 || self.around_forks > 0
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in sequential loops", counted(self.sequential, "statement"))?;
        match self.loops {
            Loops::Better => f.write_str(", better loops")?,
            Loops::AsTheyWere => f.write_str(", loops as they were")?,
        }
        if self.data == Data::Inspected {
            f.write_str(", data inspected")?;
        }
        if self.copies > 0 {
            write!(f, ", copies of {}", counted(self.copies, "array"))?;
        }
        Ok(())
    }
}

fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_statements_come_first_then_loops_then_tests_then_copies() {
        let cost = |sequential, loops, data, copies| Cost {
            sequential,
            loops,
            data,
            copies,
            pace: Pace::Unknown,
            around_forks: 0,
        };
        let ascending = [
            cost(0, Loops::Better, Data::Unseen, 0),
            cost(0, Loops::Better, Data::Unseen, 1),
            cost(0, Loops::Better, Data::Inspected, 0),
            cost(0, Loops::AsTheyWere, Data::Unseen, 0),
            cost(1, Loops::Better, Data::Inspected, 2),
            cost(1, Loops::AsTheyWere, Data::Unseen, 0),
        ];
        assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
