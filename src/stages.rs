//! What the compiler is busy with, for whoever wants to watch: a span of `tracing` around every stage, the table that the option `time`
//! prints for each function, and the log of what was decided.
//!
//!     loopwright: gemm.c: 'gemm' took 9.31 ms
//!            ms     share    runs    work units   stage
//!          4.02     43.2%       1        512433   schedule
//!          1.90     20.4%       1        130112   dependences
//!
//! A stage's time and work are without those of the stages inside of it, so that they add up. `LOOPWRIGHT_LOG` says which rooms are heard,
//! from which level on: `debug`, `loopwright::candidate=trace`, `warn,loopwright::pipeline=debug`. Nobody listens if neither is asked for, and
//! then a span costs a comparison. What is measured here is shown and decides nothing.

use crate::presburger::budget::spent;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::span::Id;
use tracing::{Dispatch, Subscriber, dispatcher};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

/// The environment variable that holds what is logged.
pub const VARIABLE: &str = "LOOPWRIGHT_LOG";

/// What a stage took, without the stages inside of it.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    time: Duration,
    /// Units of work of the Presburger engine.
    work: u64,
    runs: u32,
}

/// What each stage took, by name.
#[derive(Clone, Debug, Default)]
pub struct Table(BTreeMap<&'static str, Taken>);

impl Table {
    fn total(&self) -> Duration {
        self.0.values().map(|taken| taken.time).sum()
    }

    /// For each stage its name, milliseconds, runs and units of work, in the order of the names.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, f64, u32, u64)> {
        self.0.iter().map(|(name, taken)| (*name, milliseconds(taken.time), taken.runs, taken.work))
    }

    /// With words that say whose table it is before it.
    pub fn of(&self, whose: &str) -> String {
        format!("loopwright: {whose} took {:.2} ms\n{self}", milliseconds(self.total()))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>12} {:>9} {:>7} {:>13}   stage", "ms", "share", "runs", "work units")?;
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by_key(|(name, taken)| (std::cmp::Reverse(taken.time), **name));
        let total = milliseconds(self.total()).max(f64::MIN_POSITIVE);
        rows.into_iter().try_for_each(|(name, Taken { time, work, runs })| {
            let (time, share) = (milliseconds(*time), 100.0 * milliseconds(*time) / total);
            writeln!(f, "{time:>12.2} {share:>8.1}% {runs:>7} {work:>13}   {name}")
        })
    }
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

/// Who watches, if anybody.
#[derive(Default)]
pub struct Watch {
    subscriber: Option<Dispatch>,
    table: Option<Arc<Mutex<Table>>>,
}

impl Watch {
    /// Whoever wants to see times, and what the environment wants to be logged on standard error.
    ///
    /// # Errors
    /// What the environment says is no list of rooms and levels; a sentence.
    pub fn of(is_timed: bool) -> Result<Watch, String> {
        let wanted = std::env::var(VARIABLE).ok().filter(|wanted| !wanted.is_empty());
        if !is_timed && wanted.is_none() {
            return Ok(Watch::default());
        }
        let filter = wanted.map(|wanted| {
            let complaint = |error| {
                format!("{VARIABLE}={wanted}: {error}; it is a list like 'debug' or 'loopwright::candidate=trace'")
            };
            wanted.parse::<Targets>().map_err(complaint)
        });
        let log = filter.transpose()?.map(|targets| {
            let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).without_time();
            lines.with_filter(targets)
        });
        let table = is_timed.then(Arc::<Mutex<Table>>::default);
        let subscriber = Registry::default().with(log).with(table.clone().map(Clock));
        Ok(Watch { subscriber: Some(Dispatch::new(subscriber)), table })
    }

    /// Runs with the watcher listening.
    pub fn during<T>(&self, run: impl FnOnce() -> T) -> T {
        match &self.subscriber {
            Some(subscriber) => dispatcher::with_default(subscriber, run),
            None => run(),
        }
    }

    /// What stages took since the last call, if that is measured.
    pub fn table(&self) -> Option<Table> {
        self.table.as_ref().map(|table| std::mem::take(&mut *table.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Adds up what spans take.
struct Clock(Arc<Mutex<Table>>);

/// Of a span that was entered: when, and what the spans inside of it took.
struct Entered {
    at: Instant,
    spent: u64,
    inner: Taken,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Clock {
    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let entered = Entered { at: Instant::now(), spent: spent(), inner: Taken::default() };
        context.span(id).expect("law: a span that is entered is known").extensions_mut().replace(entered);
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).expect("law: a span that is left is known");
        let Some((all, inner)) = span.extensions_mut().get_mut::<Entered>().map(|entered| {
            (Taken { time: entered.at.elapsed(), work: spent() - entered.spent, runs: 1 }, entered.inner)
        }) else {
            return;
        };
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = table.0.entry(span.name()).or_default();
        taken.time += all.time.saturating_sub(inner.time);
        taken.work += all.work.saturating_sub(inner.work);
        taken.runs += 1;
        if let Some(around) = span.parent()
            && let Some(entered) = around.extensions_mut().get_mut::<Entered>()
        {
            entered.inner.time += all.time;
            entered.inner.work += all.work;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::budget::spend;
    use tracing::info_span;

    #[test]
    fn what_stages_take_adds_up() {
        let watch = Watch::of(true).expect("nothing is logged");
        watch.during(|| {
            info_span!("outer").in_scope(|| {
                spend(5);
                (0..3).for_each(|_| info_span!("inner").in_scope(|| spend(7)));
            });
        });
        let table = watch.table().expect("times are wanted");
        let taken = |name: &str| (table.0[name].runs, table.0[name].work);
        assert_eq!((taken("outer"), taken("inner")), ((1, 5), (3, 21)));
        assert!(table.of("f").starts_with("loopwright: f took "));
        assert!(watch.table().expect("times are wanted").0.is_empty());
    }

    #[test]
    fn nobody_listens_by_default() {
        let watch = Watch::of(false).expect("nothing is logged");
        assert!(watch.during(|| info_span!("stage").is_disabled()) && watch.table().is_none());
    }
}
