//! Two reports compared: what got better, worse, appeared, vanished.
//!
//! Lines move when programs change, so a nest is found again by its file, its function and what its statements do; where that is not enough, by its place among
//! the nests of the function. Of those that are left, whose file or function has another name now, nests are the same that do the same.

use crate::report::{Nest, Outcome};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// Larger gains than this are not told by their numbers: loops that wait for memory all the time are predicted to be a hundred times as fast with tiles and
/// were measured at ten to fifty times.
const MOST_TOLD: f64 = 16.0;

/// Gains that differ by less are the same: the model ranks, it does not tell seconds.
const MARGIN: f64 = 0.05;

/// A predicted gain as it is told: `3.5×`, and nothing more exact than `over 16×` of large ones.
pub fn gain_in_words(gain: f64) -> String {
    if gain > MOST_TOLD { format!("over {MOST_TOLD}×") } else { format!("{gain:.1}×") }
}

/// Whether one gain is larger than another, as far as they are told.
fn is_larger(gain: f64, other: f64) -> bool {
    gain.min(MOST_TOLD) > other.min(MOST_TOLD) * (1.0 + MARGIN) && gain_in_words(gain) != gain_in_words(other)
}

/// What became of a nest since.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Better(String),
    Worse(String),
    Same,
    Appeared,
}

/// A nest that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Vanished {
    pub place: String,
    pub function: String,
    pub summary: String,
}

/// What changed between two reports.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// For each nest of the new one, in its order.
    pub changes: Vec<Change>,
    pub vanished: Vec<Vanished>,
}

impl Change {
    /// In one word.
    pub fn word(&self) -> &'static str {
        match self {
            Change::Better(_) => "better",
            Change::Worse(_) => "worse",
            Change::Same => "same",
            Change::Appeared => "appeared",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Better(why) | Change::Worse(why) => write!(f, "{}: {why}", self.word()),
            _ => f.write_str(self.word()),
        }
    }
}

impl Comparison {
    /// How many of each.
    pub fn tally(&self) -> BTreeMap<&'static str, usize> {
        let mut tally = BTreeMap::from([("better", 0), ("worse", 0), ("same", 0), ("appeared", 0)]);
        for change in &self.changes {
            *tally.entry(change.word()).or_default() += 1;
        }
        tally.insert("vanished", self.vanished.len());
        tally
    }
}

/// Each nest of the new report against that of the old one.
pub fn compared(new: &[Nest], old: &[Nest]) -> Comparison {
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    let mut is_taken = vec![false; old.len()];
    let is_near = |a: &Nest, b: &Nest| last_part(&a.file) == last_part(&b.file) && a.function == b.function;
    let is_same = |a: &Nest, b: &Nest| !outlines(a).is_empty() && outlines(a) == outlines(b);
    let ways: [&dyn Fn(&Nest, &Nest) -> bool; 8] = [
        &|a, b| is_near(a, b) && a.line == b.line && outlines(a) == outlines(b),
        &|a, b| is_near(a, b) && is_same(a, b),
        &|a, b| is_near(a, b) && a.line == b.line,
        &is_near,
        // The file has another name, or the function.
        &|a, b| a.function == b.function && is_same(a, b),
        &|a, b| last_part(&a.file) == last_part(&b.file) && is_same(a, b),
        &|a, b| a.function == b.function && a.line == b.line && a.column == b.column,
        &|a, b| a.line == b.line && a.column == b.column && is_same(a, b),
    ];
    for is_alike in ways {
        for (at, nest) in new.iter().enumerate() {
            if partners[at].is_some() {
                continue;
            }
            let fits = |(_, other): &(usize, &Nest)| is_alike(nest, other);
            let found = old.iter().enumerate().filter(|(at, _)| !is_taken[*at]).find(fits);
            if let Some((other, _)) = found {
                partners[at] = Some(other);
                is_taken[other] = true;
            }
        }
    }
    let change = |(nest, partner): (&Nest, &Option<usize>)| match partner {
        Some(at) => between(&old[*at], nest),
        None => Change::Appeared,
    };
    let gone = |(at, nest): (usize, &Nest)| {
        let place = format!("{}:{}", last_part(&nest.file), nest.line);
        let vanished = Vanished { place, function: nest.function.clone(), summary: nest.summary.clone() };
        (!is_taken[at]).then_some(vanished)
    };
    Comparison {
        changes: new.iter().zip(&partners).map(change).collect(),
        vanished: old.iter().enumerate().filter_map(gone).collect(),
    }
}

fn last_part(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn outlines(nest: &Nest) -> Vec<&str> {
    nest.model.iter().flat_map(|model| &model.statements).map(|statement| statement.outline.as_str()).collect()
}

fn between(old: &Nest, new: &Nest) -> Change {
    let rank = |nest: &Nest| match nest.outcome {
        Outcome::Done => 2,
        Outcome::Analysis => 1,
        Outcome::Missed => 0,
    };
    let word = |nest: &Nest| match nest.outcome {
        Outcome::Done => "done",
        Outcome::Analysis => "done in part",
        Outcome::Missed => "missed",
    };
    let why = || format!("{}, was {}", word(new), word(old));
    match rank(new).cmp(&rank(old)) {
        Ordering::Greater => return Change::Better(why()),
        Ordering::Less => return Change::Worse(why()),
        Ordering::Equal => {}
    }
    let gain = |nest: &Nest| nest.prediction.as_ref().map(|prediction| prediction.speedup);
    let (Some(old), Some(new)) = (gain(old), gain(new)) else { return Change::Same };
    let why = format!("{}, was {}", gain_in_words(new), gain_in_words(old));
    if is_larger(new, old) {
        Change::Better(why)
    } else if is_larger(old, new) {
        Change::Worse(why)
    } else {
        Change::Same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_gains_are_all_the_same() {
        assert_eq!([3.52, 16.0, 115.8].map(gain_in_words), ["3.5×", "16.0×", "over 16×"]);
        assert!(is_larger(7.0, 3.5) && is_larger(115.8, 3.5) && is_larger(16.5, 15.0));
        for (one, other) in [(115.8, 90.2), (3.5, 3.45), (0.14, 0.12), (16.5, 15.9)] {
            assert!(!is_larger(one, other) && !is_larger(other, one), "{one} and {other}");
        }
    }
}
