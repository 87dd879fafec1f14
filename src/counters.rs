//! Counters of what was found and done, printed under the option `stats`.
//!
//!     loopwright: file.c: 3 nests optimized
//!     loopwright: file.c: 1 nests refused

use std::collections::BTreeMap;
use std::fmt;

/// Counts by what is counted, in the order of the alphabet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// What the counts are about, such as a source file.
    pub subject: String,
    counts: BTreeMap<&'static str, u64>,
}

impl Counters {
    pub fn about(subject: String) -> Counters {
        Counters { subject, counts: BTreeMap::new() }
    }
    pub fn add(&mut self, what: &'static str, count: u64) {
        *self.counts.entry(what).or_default() += count;
    }
    pub fn count(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or_default()
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counts.iter().try_for_each(|(what, count)| writeln!(f, "loopwright: {}: {count} {what}", self.subject))
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;

    #[test]
    fn counts_add_up_and_print_in_order() {
        let mut counters = Counters::about("a.c".to_string());
        counters.add("nests refused", 1);
        counters.add("functions", 2);
        counters.add("functions", 3);
        assert_eq!((counters.count("functions"), counters.count("nothing")), (5, 0));
        assert_eq!(counters.to_string(), "loopwright: a.c: 5 functions\nloopwright: a.c: 1 nests refused\n");
    }
}
