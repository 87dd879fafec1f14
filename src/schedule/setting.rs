//! What schedules are made for, and judged by: the program's own loops, and a model of time for both.
//!
//! For `for i { s = c; for k: s = s * x[i] + a[k]; y[i] = s; }` the loops that are found are beside the program's own, and the program's own in strips of `i` beside both:
//! whoever is faster by a margin is taken, and asks for so much to do as it takes to be so.

use super::loops::nest::Loops;
use super::loops::{neighbours, render, strips, tile};
use super::model::extent::Sizes;
use super::model::problem::{Constraints, Problem};
use super::pays::{Before, Enough, Pays, Times};
use super::{Arrangement, Options, Parallelism, Schedule, Transformation};
use crate::dependence::Dependences;
use crate::presburger::UnionMap;
use crate::scop::Scop;

/// What schedules are made for, and judged by.
pub(super) struct Setting<'a> {
    pub problem: &'a Problem,
    pub constraints: &'a Constraints,
    pub options: &'a Options,
    /// How well statements did in the program's own loops.
    pub before: &'a Before<'a>,
    /// The program's flat schedule.
    pub order: &'a dyn Fn() -> UnionMap,
}

impl Setting<'_> {
    /// The schedule of these loops, and whether it is expected to be faster at usual sizes.
    pub fn schedule(&self, loops: &Loops, account: tile::Account) -> Schedule {
        let Setting { problem, constraints, options, before, order } = *self;
        let is_arranged = options.arrangement == Arrangement::Arranged;
        let beside = before.beside(problem, loops).filter(|_| is_arranged);
        let times = beside.map(|beside| beside.at(Sizes::USUAL));
        let gained = |by| gains(problem, before, &account, by);
        let (could, pays) = (gained(options.parallelism), pays(times, &account, options));
        // What only threads gain by runs as the program has it where they do not share it.
        let alone = Some(Enough::default()).filter(|_| gained(Parallelism::OneThread));
        Schedule {
            tree: render::tree(problem, &constraints.domains, loops, order),
            gains: could && pays,
            as_counted: false,
            is_slower: could && !pays,
            times,
            instances: before.instances(),
            prediction: (is_arranged && options.explains).then(|| before.predicted(problem, loops)).flatten(),
            pays: Pays { alone, ..Pays::SHARED },
            description: account.bands,
            is_parallel: account.has_parallel,
            is_tiled: account.has_tiles,
            reductions: options.reductions,
            privatised: options.privatised.clone(),
        }
    }

    /// The schedule of these loops with from where on it is faster.
    pub fn with_pays(&self, schedule: Schedule, loops: &Loops) -> Schedule {
        let Setting { problem, options, before, .. } = *self;
        if !schedule.gains {
            return Schedule { pays: Pays::SHARED, ..schedule };
        }
        let cores = if schedule.is_parallel { options.cores() } else { 1 };
        let pays = match (before.beside(problem, loops), schedule.times) {
            _ if before.are_left_early && cores == 1 && !schedule.is_tiled => Pays::ALWAYS,
            (Some(beside), Some(times)) => {
                let found = beside.pays(times, cores);
                Pays { alone: found.alone.filter(|_| schedule.pays.alone.is_some()), ..found }
            }
            _ => Pays::ALWAYS,
        };
        Schedule { pays, ..schedule }
    }
}

impl Schedule {
    /// This schedule; or the program's own loops in strips, or with loops over neighbours written out, if these are faster by a margin and as much is parallel.
    pub(super) fn or_own(self, scop: &Scop, dependences: &Dependences, setting: &Setting<'_>) -> Schedule {
        let Some(own) = setting.before.loops else { return self };
        let with = |found: Option<(Loops, tile::Account)>, this: Schedule| match found {
            Some(found) => this.or_loops(found, scop, dependences, setting),
            None => this,
        };
        let this = with(neighbours::loops(setting.problem, own), self);
        with(strips::loops(setting.problem, own), this)
    }

    fn or_loops(
        self,
        (loops, account): (Loops, tile::Account),
        scop: &Scop,
        dependences: &Dependences,
        setting: &Setting<'_>,
    ) -> Schedule {
        let strips = setting.schedule(&loops, account);
        let others = self.times.filter(|_| self.gains);
        let is_better = |times: Times| times.is_faster() && others.is_none_or(|others| times.is_faster_than(others));
        if !strips.gains || !strips.times.is_some_and(is_better) || strips.check(scop, dependences).is_err() {
            return self;
        }
        let strips = match setting.options.is_parallel() {
            true => strips.with_parallel_loops(scop, dependences),
            false => strips,
        };
        if setting.options.is_parallel() && self.is_parallel && !strips.is_as_parallel_as(&self, scop) {
            return self;
        }
        let mut strips = setting.with_pays(strips, &loops);
        if setting.options.is_parallel() && strips.is_parallel {
            strips.description.push(Transformation::InOrder);
        }
        let alone = strips.pays.alone.map(|enough| {
            let operations = enough.operations.min(strips::WORTH_A_TEST);
            Enough { operations, ..enough }
        });
        Schedule { pays: Pays { alone, ..strips.pays }, ..strips }
    }
}

/// Whether the loops are predicted to be faster, on all cores that share them.
fn pays(times: Option<Times>, account: &tile::Account, options: &Options) -> bool {
    let cores = if account.has_parallel { options.cores() } else { 1 };
    times.is_none_or(|times| times.on(cores).is_faster())
}

fn gains(problem: &Problem, own: &Before<'_>, account: &tile::Account, parallelism: Parallelism) -> bool {
    let depth = |s: usize| problem.statements[s].free.len();
    let deepest = (0..problem.statements.len()).map(depth).max().unwrap_or(0);
    let matters = |s: &usize| depth(*s) == deepest;
    let after = |s: &usize| account.vectors.get(s);
    let before = &own.vectors;
    let lost = before.iter().filter(|(s, _)| matters(s)).any(|(s, old)| after(s).is_none_or(|new| new > old));
    let in_vectors = |s: &usize| problem.lanes(*s) > 1;
    let better = |s: &usize| in_vectors(s) && after(s).is_some_and(|new| own.in_vectors(s).is_none_or(|old| new < old));
    let vectorised = (0..problem.statements.len()).filter(|s| depth(*s) == deepest).any(|s| better(&s));
    let by_threads = parallelism == Parallelism::Threads && account.has_parallel;
    !lost && (by_threads || account.has_tiles || vectorised)
}
