//! What cases found, over as many runs of the fuzzer as write it to the same file: `scripts/fuzz --tally FILE` goes on where the last one ended.
//!
//! ```json
//! {"cases": 4000, "next": 4000, "seconds": 131, "changed": 600, "features": {"swap": [310, 41], ...}, "pairs": {"swap": {"tiles": 9, ...}}, ...}
//! ```

use super::program::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Pairs that are shown because they met least often.
const RAREST: usize = 5;

/// Cases and what was in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    pub cases: u64,
    /// The first seed behind all that were tried.
    pub next: u64,
    pub seconds: f64,
    /// How many the plugin changed.
    pub changed: u64,
    /// The seeds of what differed, and how.
    pub failures: Vec<(u64, String)>,
    /// In how many programs, and in how many that were changed, a feature was.
    pub features: BTreeMap<String, (u64, u64)>,
    /// In how many programs that were changed two features met, the lesser name first.
    pub pairs: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Tally {
    /// What was written there; nothing, if nothing was.
    ///
    /// # Errors
    /// Why the file cannot be read, in the user's words.
    pub fn read(path: &Path) -> Result<Tally, String> {
        let trouble = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", path.display());
        match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| trouble(&error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Tally::default()),
            Err(error) => Err(trouble(&error)),
        }
    }

    /// Writes it, all at once: whoever is interrupted loses nothing.
    ///
    /// # Errors
    /// Why the file cannot be written, in the user's words.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string(self).expect("law: a tally is plain data");
        let beside = path.with_extension("new");
        let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
        written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }

    /// Adds a case: whether it was changed, or how it differed.
    pub fn note(&mut self, seed: u64, program: &Program, outcome: Result<bool, String>) {
        self.cases += 1;
        self.next = self.next.max(seed + 1);
        let is_changed = match outcome {
            Ok(is_changed) => is_changed,
            Err(how) => return self.failures.push((seed, how)),
        };
        self.changed += u64::from(is_changed);
        let features: Vec<&str> = program.features().into_iter().collect();
        for (at, feature) in features.iter().enumerate() {
            let counts = self.features.entry((*feature).to_string()).or_default();
            *counts = (counts.0 + 1, counts.1 + u64::from(is_changed));
            let others = if is_changed { &features[at + 1..] } else { &[] };
            for other in others {
                let met = self.pairs.entry((*feature).to_string()).or_default();
                *met.entry((*other).to_string()).or_default() += 1;
            }
        }
    }

    /// How often two features met in a program that was changed.
    fn met(&self, a: &str, b: &str) -> u64 {
        let (a, b) = (a.min(b), a.max(b));
        self.pairs.get(a).and_then(|others| others.get(b)).copied().unwrap_or(0)
    }

    /// How often each feature was in programs that were changed, how many others it met there, and which pairs never did.
    pub fn coverage(&self) -> String {
        let all: Vec<&str> = self.features.keys().map(String::as_str).collect();
        let mut text =
            format!("feature                     programs  changed  met of {}\n", all.len().saturating_sub(1));
        let mut line = |args: std::fmt::Arguments<'_>| writeln!(text, "{args}").expect("law: texts grow");
        let mut pairs = Vec::new();
        let mut missing = Vec::new();
        for (at, a) in all.iter().enumerate() {
            let n_met = all.iter().filter(|b| *b != a && self.met(a, b) > 0).count();
            let (n, n_changed) = self.features[*a];
            line(format_args!("{a:<26} {n:>9} {n_changed:>8} {n_met:>5}"));
            let possible: Vec<&str> = all[at + 1..].iter().copied().filter(|b| !excluded(a, b)).collect();
            let never: Vec<&str> = possible.iter().copied().filter(|b| self.met(a, b) == 0).collect();
            if !never.is_empty() {
                missing.push(format!("  never: {a} with {}", never.join(", ")));
            }
            pairs.extend(possible.into_iter().map(|b| (self.met(a, b), *a, b)));
        }
        pairs.sort_unstable();
        let n_met = pairs.iter().filter(|(n, ..)| *n > 0).count();
        line(format_args!("{n_met} of {} pairs of {} features met in one changed program", pairs.len(), all.len()));
        missing.iter().for_each(|never| line(format_args!("{never}")));
        for (n, a, b) in pairs.iter().filter(|(n, ..)| *n > 0).take(RAREST) {
            line(format_args!("  rarely: {a} with {b}: {n}"));
        }
        text
    }
}

/// Whether two features cannot be in one program.
fn excluded(a: &str, b: &str) -> bool {
    const EXCLUSIVE: [&[&str]; 5] = [
        &["parallel", "sequential"],
        &["no tiles", "small tiles"],
        &["least fusion", "most fusion"],
        &["libomp", "new thread", "threads by turns"],
        &["begins at a page", "ends at a page"],
    ];
    EXCLUSIVE.iter().any(|group| group.contains(&a) && group.contains(&b))
}
