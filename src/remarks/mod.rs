//! What the user is told: verdicts in the user's words.
//!
//! Every outermost loop nest ends in one final remark, what was done or why nothing was (but for copies of loops that something was done with):
//!
//!     gemm.c:16:3: remark: loops i, k, j tiled 32x256x64; i on all cores; j in vectors; 4x4 in registers
//!     scan.c:7:3: remark: loop nest left as it was: no transformation that pays was found: ...; -ffast-math would allow ...
//!
//! the first as `Passed`, the second as `Missed`, with one reason and one cure. Beside these there are remarks of analysis: what is tested before
//! the loops, the place that stands in the way, and where loops run in order that might be hoped to be parallel, which accesses are in the way,
//! with both lines. Words have names that `-fsave-optimization-record` writes down: `Loops`, `Tiles`, `Parallel`, `Vector`, `Registers`, `Copies`, `Reason`,
//! `Cure`; beside the text there are `Transformations`, `Tests`, `Arrays` and `PredictedGain`.

mod done;
pub mod gain;
mod order;
mod tested;

pub use done::Done;
pub use order::{InOrder, loops_in_order, setting};

use crate::candidate::Plan;
use crate::counters::Counters;
use crate::extract::{Reason, Refusal};
use crate::llvm::{Analyses, Block, Leaves, Location, LoopId, Remark, RemarkKind, Session};
use crate::prepare::Search;
use crate::report::{Nest, Outcome};
use crate::schedule::{PLAIN, Word};
use done::TESTED;
use std::collections::BTreeSet;

/// The name of what is tested before the loops, for other programs.
const TESTS: &str = "Tests";

/// What became of an outermost loop nest.
pub struct Verdict<'ir> {
    nest: LoopId,
    location: Option<Location<'ir>>,
    block: Block<'ir>,
    /// Where the loops inside of it are in the source: what is left of one that was unrolled has copies of them.
    inside: Vec<Location<'ir>>,
    done: Vec<Done>,
    refusal: Option<Refusal<'ir>>,
    in_order: Vec<InOrder<'ir>>,
}

/// What is to be told about a function.
pub struct Report<'ir> {
    pub verdicts: Vec<Verdict<'ir>>,
    /// What was asked to be validated.
    pub validated: Vec<Validated<'ir>>,
    /// What a report says of the nests, if one is wanted.
    pub nests: Vec<Nest>,
    /// Units of work that planning took.
    pub work: u64,
    /// What becomes of the function when all is told.
    pub leaves: Leaves,
}

impl<'ir> Report<'ir> {
    /// Nothing, about a function that stays as it was.
    pub fn nothing() -> Self {
        let (verdicts, validated, nests) = (Vec::new(), Vec::new(), Vec::new());
        Report { verdicts, validated, nests, work: 0, leaves: Leaves::AsBefore }
    }

    /// Says of a loop that does nothing but search that it asks many elements at once.
    pub fn searched(&mut self, analyses: &Analyses<'_, 'ir>, search: &Search<'ir>) {
        let Some(own) = analyses.loop_of(search.header) else { return };
        let done = Done::searching(analyses.loop_(own).location, search.lanes);
        for verdict in self.verdicts.iter_mut().filter(|verdict| analyses.is_within(own, verdict.nest)) {
            let is_told = |nest: &&mut Nest| {
                let is_there = |at: Location<'ir>| at.line() == nest.line && at.file() == nest.file;
                nest.outcome == Outcome::Missed && verdict.location.is_some_and(is_there)
            };
            for nest in self.nests.iter_mut().filter(is_told) {
                (nest.outcome, nest.summary, nest.refusal) = (Outcome::Done, done.text(), None);
            }
            verdict.done.push(done.clone());
        }
    }

    pub fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add("units of work", self.work);
        let done = || self.verdicts.iter().filter(|verdict| !verdict.done.is_empty());
        let inside: BTreeSet<String> = done().flat_map(|verdict| &verdict.inside).map(Location::to_string).collect();
        // Of a loop that runs only where places are apart there is a copy of all, with the same debug information; another call has its own.
        let is_whole = |location: Location<'ir>| done().any(|verdict| verdict.location == Some(location));
        for verdict in &self.verdicts {
            let is_known = |location: Location<'ir>| is_whole(location) || inside.contains(&location.to_string());
            let is_copy = verdict.done.is_empty() && verdict.location.is_some_and(is_known);
            verdict.count(counters);
            if !is_copy {
                verdict.tell(session);
            }
        }
        self.validated.iter().for_each(|validated| validated.tell(session, counters));
        if let Some(warning) = self.order_not_followed() {
            session.warning(&format!("loopwright: {warning}"));
        }
    }

    /// What the user ordered by a file of schedules and does not get: a schedule that cannot be used, or none for any nest of a function that
    /// the file names.
    fn order_not_followed(&self) -> Option<String> {
        let refusals = || self.verdicts.iter().filter_map(|verdict| Some((verdict, verdict.refusal.as_ref()?)));
        let unusable = refusals().find(|(_, refusal)| matches!(refusal.reason, Reason::GivenSchedule { .. }));
        let without = || {
            let none_is_done = self.verdicts.iter().all(|verdict| verdict.done.is_empty());
            refusals().find(|(_, refusal)| none_is_done && matches!(refusal.reason, Reason::NoScheduleGiven { .. }))
        };
        let (verdict, refusal) = unusable.or_else(without)?;
        let loops = verdict.location.map(|at| format!("the loop nest at {at}")).unwrap_or("a loop nest".into());
        let cure = refusal.cure().map(|cure| format!("; {cure}")).unwrap_or_default();
        Some(format!("{loops} of {} is left as it was: {}{cure}", verdict.block.function().name(), refusal.reason))
    }
}

/// Whether the results of a region are compared with those of its original loops, or why not.
pub struct Validated<'ir> {
    location: Option<Location<'ir>>,
    block: Block<'ir>,
    result: Result<(), String>,
}

impl<'ir> Validated<'ir> {
    /// Has the plan's results be compared, if they can be. `done` is what is said of the plan.
    pub fn of(analyses: &Analyses<'_, 'ir>, plan: &mut Plan<'ir>, done: &Done) -> Self {
        let nests = &plan.binding.region.nests;
        let places: Vec<Location<'ir>> = nests.iter().filter_map(|nest| analyses.loop_(*nest).location).collect();
        let shown: Vec<String> = places.iter().map(Location::to_string).collect();
        let loops = if shown.is_empty() { "loops".to_string() } else { format!("loops at {}", shown.join(", ")) };
        let what = format!("function {}, {loops}: {done}", analyses.function().name());
        let block = analyses.function().entry().unwrap_or(plan.binding.region.entry);
        Validated { location: places.first().copied(), block, result: plan.validate(&what) }
    }

    fn tell(&self, session: &Session<'ir>, counters: &mut Counters) {
        counters.add(if self.result.is_ok() { "regions validated" } else { "regions not validated" }, 1);
        let (kind, name, text) = match &self.result {
            Ok(()) => {
                let text = "validated: the original loops run as well, and the program ends where results differ";
                (RemarkKind::Analysis, "Validated", text.to_string())
            }
            Err(why) => (RemarkKind::Missed, "NotValidated", format!("not validated: {why}")),
        };
        let words = vec![(PLAIN, text)];
        session.remark(&Remark { kind, name, location: self.location, block: self.block, words, fields: Vec::new() });
    }
}

impl<'ir> Verdict<'ir> {
    pub fn of(
        analyses: &Analyses<'_, 'ir>,
        nest: LoopId,
        done: Vec<Done>,
        refusal: Option<Refusal<'ir>>,
        in_order: &[InOrder<'ir>],
    ) -> Self {
        let this = analyses.loop_(nest);
        let block = analyses.function().entry().unwrap_or(this.header);
        let is_parallel = |each: &&InOrder<'ir>| {
            let line = each.location.map(|at| at.line());
            done.iter().any(|done| line.is_some_and(|line| done.parallel_lines.contains(&line)))
        };
        let own = in_order.iter().filter(|each| analyses.is_within(each.header, nest));
        let in_order = own.filter(|each| !is_parallel(each)).cloned().collect();
        let loops = analyses.loops().iter().filter(|l| l.id != nest && analyses.is_within(l.id, nest));
        let inside = loops.filter_map(|l| l.location).collect();
        Verdict { nest, location: this.location, block, inside, done, refusal, in_order }
    }

    fn count(&self, counters: &mut Counters) {
        counters.add(if self.done.is_empty() { "nests left as they were" } else { "nests optimized" }, 1);
    }

    fn tell(&self, session: &Session<'ir>) {
        match (self.done.as_slice(), &self.refusal) {
            ([], Some(refusal)) => self.tell_refusal(session, refusal),
            (done, _) => self.tell_done(session, done),
        }
        for InOrder { location, why, cure, .. } in &self.in_order {
            let line = location.map(|at| format!(" at line {}", at.line())).unwrap_or_default();
            let mut words = vec![(PLAIN, format!("loop{line} runs in order: ")), ("Reason", why.clone())];
            words.extend(cured(cure.as_deref()));
            self.remark(session, RemarkKind::Analysis, ("InOrder", *location), words, Vec::new());
        }
    }

    fn remark(
        &self,
        session: &Session<'ir>,
        kind: RemarkKind,
        (name, location): (&str, Option<Location<'ir>>),
        words: Vec<Word>,
        fields: Vec<Word>,
    ) {
        session.remark(&Remark { kind, name, location, block: self.block, words, fields });
    }

    fn tell_done(&self, session: &Session<'ir>, done: &[Done]) {
        let mut words: Vec<Word> = Vec::new();
        for each in done {
            if !words.is_empty() {
                words.push((PLAIN, " | ".into()));
            }
            words.extend(each.words_of(Some(self.nest)));
        }
        if words.is_empty() {
            return;
        }
        let together = |part: &dyn Fn(&Done) -> Vec<String>| -> Vec<String> {
            let mut all: Vec<String> = done.iter().flat_map(part).collect();
            let mut seen = BTreeSet::new();
            all.retain(|each| seen.insert(each.clone()));
            all
        };
        // Viewers show fields behind the text: words that join them keep that readable.
        let mut fields: Vec<Word> = Vec::new();
        let mut field = |said: &str, name: &'static str, all: Vec<String>| {
            if !all.is_empty() {
                let between = if name == TESTS { "; " } else { ", " };
                fields.extend([(PLAIN, format!("; {said}: ")), (name, all.join(between))]);
            }
        };
        field("transformations", "Transformations", together(&|each| each.kinds.clone()));
        field("tests", TESTS, together(&|each| each.tests.clone()));
        field("arrays", "Arrays", together(&|each| each.arrays.clone()));
        let gain = done.iter().filter_map(|each| each.gain).min_by(f64::total_cmp).map(|gain| format!("{gain:.1}"));
        field("predicted gain", "PredictedGain", gain.into_iter().collect());
        self.remark(session, RemarkKind::Done, ("Optimized", self.location), words, fields);
        let tested: Vec<String> = done.iter().filter_map(Done::tested).collect();
        if !tested.is_empty() {
            let words = vec![(PLAIN, TESTED.to_string()), (TESTS, tested.join("; "))];
            self.remark(session, RemarkKind::Analysis, ("Tested", self.location), words, Vec::new());
        }
    }

    fn tell_refusal(&self, session: &Session<'ir>, refusal: &Refusal<'ir>) {
        let name = refusal.reason.name();
        if refusal.location.is_some() {
            let words = vec![("Reason", refusal.reason.to_string())];
            self.remark(session, RemarkKind::Analysis, (name, refusal.location), words, Vec::new());
        }
        let file = self.location.map(|at| at.file());
        let mut words =
            vec![(PLAIN, "loop nest left as it was: ".into()), ("Reason", refusal.sentence(file.as_deref()))];
        words.extend(cured(cure_of(refusal, &self.in_order).as_deref()));
        self.remark(session, RemarkKind::Missed, (name, self.location), words, Vec::new());
    }
}

/// What the user could do about a refused nest, in which these loops run in order.
pub fn cure_of(refusal: &Refusal<'_>, in_order: &[InOrder<'_>]) -> Option<String> {
    refusal.cure().or_else(|| in_order.iter().find_map(|each| each.cure.clone()))
}

fn cured(cure: Option<&str>) -> Vec<Word> {
    cure.map_or_else(Vec::new, |cure| vec![(PLAIN, "; ".into()), ("Cure", cure.into())])
}
