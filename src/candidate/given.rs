//! The order that the user gives for a model, in the names that the user sees.
//!
//! ```text
//! $ cat gemm.script
//! function kernel_gemm
//! tile S21.0..2 32 64 256
//! ```
//!
//! With debug information, or where remarks ask for lines, texts call statements by their lines; the model calls this one `S1`. An order that was made
//! without lines and is given where there are some has the names of the model: it is read in these where it does not fit, or is not legal, in the others. What
//! is wrong is said in the user's names again.

use crate::dependence::Dependences;
use crate::presburger::Id;
use crate::schedule::given::{self, Entry, Given};
use crate::schedule::script::Failure;
use crate::schedule::{Schedule, Transformation};
use crate::scop::Scop;
use crate::scop::labels::Labels;

/// An order for a model.
pub struct GivenOrder {
    /// What fits the model.
    entries: Vec<Entry>,
    labels: Labels,
    file: String,
}

/// Why it cannot be used, in the user's words.
pub enum Unusable {
    /// It does not apply to the model.
    Wrong(String),
    /// It breaks a dependence.
    Illegal(String),
}

impl GivenOrder {
    /// The order that a file has for a model, if it has one.
    pub fn of(file: &str, given: &Given, scop: &Scop) -> Option<GivenOrder> {
        let labels = Labels::of(scop);
        let by_lines = given.for_model(scop, |text| labels.unlabel(text));
        let by_places = if labels.is_empty() { Vec::new() } else { given.for_model(scop, str::to_string) };
        let entries: Vec<Entry> = by_lines.into_iter().chain(by_places).collect();
        (!entries.is_empty()).then(|| GivenOrder { entries, labels, file: file.to_string() })
    }

    /// The schedule, with copies of arrays for each thread; legal. Scripts may begin with the order that `found` gives.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn schedule(
        &self,
        (scop, dependences): (&Scop, &Dependences),
        copies: &[Id],
        found: impl Fn() -> Schedule,
    ) -> Result<Schedule, Unusable> {
        let order = |entry: &Entry| entry.schedule(scop, dependences, copies, &found);
        let first = given::first_legal(&self.entries, (scop, dependences), order);
        let (entry, schedule) = first.expect("law: some entry fits");
        let place = format!("{}:{}", self.file, entry.line);
        let said = |what: String| format!("{place}: {}", self.labels.relabel(&what));
        let mut schedule = schedule.map_err(|failure| match failure {
            Failure::Wrong(error) => Unusable::Wrong(said(error.message)),
            Failure::Illegal(illegal) => Unusable::Illegal(said(illegal.to_string())),
        })?;
        let checked = schedule.check(scop, dependences);
        checked.map_err(|violation| Unusable::Illegal(said(violation.to_string())))?;
        schedule.description = vec![Transformation::Given(place)];
        Ok(schedule)
    }
}
