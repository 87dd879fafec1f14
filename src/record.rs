//! What a report says of a nest, from the model, the choice and the plan, as [`crate::report`] describes it.
//!
//! A [`Draft`] is made while the choice is there, and finished when it is known what becomes of it. Nothing is found out for it that is not known
//! anyway, but for texts.

use crate::candidate::{Choice, Model, TriedVerdict};
use crate::extract::Refusal;
use crate::llvm::{Analyses, Location, LoopId, demangled};
use crate::machine::Machine;
use crate::options::Options;
use crate::remarks::{Done, InOrder, cure_of, gain};
use crate::report::{self, Costs, Nest, Outcome, Prediction};
use crate::schedule::{self, Arranged, Schedule, Shape, Transformation};
use crate::scop::Scop;
use crate::scop::labels::Labels;
use std::collections::BTreeSet;

/// Bytes of a number, where no array says it.
const USUAL_ELEMENT: i64 = 8;

/// A nest of a report of which it is not known yet what becomes of it.
pub struct Draft {
    nest: Nest,
}

impl Draft {
    /// What is known of the nests of a region once there is a choice.
    pub fn of<'ir>(analyses: &Analyses<'_, 'ir>, nests: &[LoopId], choice: &Choice<'ir>, options: &Options) -> Draft {
        let mut nest = placed(analyses, nests);
        if let Some(model) = &choice.model {
            nest.model = Some(modelled(analyses, model));
            nest.dependences = dependences(model);
        }
        let labels = choice.model.as_ref().map(|model| Labels::of(&model.scop)).unwrap_or_default();
        if let Ok(candidate) = &choice.outcome {
            let schedule = &candidate.ordered.schedule;
            nest.transformations = schedule.description.iter().map(|each| transformed(each, &labels)).collect();
            nest.schedule = Some(labels.relabel(&schedule.tree.to_string()));
            nest.loops = Some(labels.relabel(&candidate.ast.to_string()));
            nest.prediction = choice.model.as_ref().and_then(|model| predicted(analyses, model, schedule, options));
        }
        let gain = nest.prediction.as_ref().map(|prediction| prediction.speedup);
        nest.candidates = candidates(choice, &labels, gain);
        Draft { nest }
    }

    /// With the loops that have to run in order.
    pub fn with_order(mut self, in_order: &[InOrder<'_>]) -> Draft {
        let told = |each: &InOrder<'_>| report::InOrder {
            line: each.location.map_or(0, Location::line),
            why: each.why.clone(),
            cure: each.cure.clone(),
        };
        self.nest.in_order = in_order.iter().map(told).collect();
        self
    }

    /// The nest, if it is rewritten.
    pub fn done(self, done: &Done) -> Nest {
        let (summary, tests, copies) = (done.text(), done.tests.clone(), done.copies.clone());
        // What carries dependences in the program may be parallel in the new loops.
        let in_order =
            self.nest.in_order.iter().filter(|each| !done.parallel_lines.contains(&each.line)).cloned().collect();
        Nest { outcome: Outcome::Done, summary, tests, copies, in_order, ..self.nest }
    }

    /// The nest, if it stays as it was.
    pub fn left(self, refusal: &Refusal<'_>, in_order: &[InOrder<'_>]) -> Nest {
        let own = |at: Location<'_>| (at.file(), at.line());
        let (file, line) = refusal.location.map_or_else(|| (self.nest.file.clone(), 0), own);
        let told = report::Refusal {
            name: refusal.reason.name().to_string(),
            reason: refusal.sentence(Some(&self.nest.file)),
            cure: cure_of(refusal, in_order),
            file,
            line,
        };
        let summary = told.reason.clone();
        let rest = Nest { transformations: Vec::new(), schedule: None, loops: None, prediction: None, ..self.nest };
        Nest { outcome: Outcome::Missed, summary, refusal: Some(told), ..rest }
    }
}

/// What the loops are planned for.
pub fn machine(options: &Options) -> report::Machine {
    let Machine { cores, line, level1, level2, vector_bits, .. } = options.machine;
    report::Machine {
        cores,
        line_bytes: line,
        level1_bytes: level1,
        level2_bytes: level2,
        vector_bits,
        threads: options.parallel == Some(true),
        bytes_per_operation: line as f64 * Machine::OPERATION as f64 / options.machine.far_line_time().max(1) as f64,
    }
}

/// A nest of which only the place is known.
fn placed<'ir>(analyses: &Analyses<'_, 'ir>, nests: &[LoopId]) -> Nest {
    let starts: Vec<Location<'ir>> = nests.iter().filter_map(|nest| analyses.loop_(*nest).location).collect();
    let first = starts.iter().copied().min_by_key(|at| (at.line(), at.column()));
    let (file, line, column) = first.map_or_else(Default::default, |at| (at.file(), at.line(), at.column()));
    let blocks = nests.iter().flat_map(|nest| analyses.loop_(*nest).blocks.clone());
    let lines = blocks.flat_map(|block| block.instructions()).filter_map(|instruction| instruction.place());
    let lines = lines.filter(|at| at.file() == file).map(Location::line);
    let lines: BTreeSet<u32> = lines.filter(|own| *own >= line).collect();
    let directory = first.map(Location::directory).unwrap_or_default();
    let file = if first.is_some() { file } else { analyses.function().module().source_file() };
    Nest {
        function: demangled(&analyses.function().name()),
        file,
        directory,
        line,
        column,
        last_line: lines.last().copied().unwrap_or(line),
        lines: starts.iter().map(|at| at.line()).collect(),
        outcome: Outcome::Missed,
        summary: String::new(),
        transformations: Vec::new(),
        tests: Vec::new(),
        refusal: None,
        in_order: Vec::new(),
        model: None,
        dependences: Vec::new(),
        candidates: Vec::new(),
        schedule: None,
        loops: None,
        copies: Vec::new(),
        prediction: None,
    }
}

fn modelled<'ir>(analyses: &Analyses<'_, 'ir>, model: &Model<'ir>) -> report::Model {
    let Model { scop, binding, .. } = model;
    let labels = Labels::of(scop);
    let statement = |(statement, bound): (&crate::scop::Statement, &crate::extract::binding::BoundStatement<'ir>)| {
        let line = |id: &LoopId| analyses.loop_(*id).location.map_or(0, Location::line);
        let access = |access: &crate::scop::Access| report::Access {
            kind: access.kind.to_string(),
            array: named(scop, &access.array),
            relation: labels.relabel(&access.relation.to_string()),
        };
        report::Statement {
            name: labels.relabel(&statement.name.to_string()),
            line: statement.location.as_ref().map_or(0, |at| at.line),
            column: statement.location.as_ref().map_or(0, |at| at.column),
            outline: scop.outline(statement),
            domain: labels.relabel(&statement.domain.to_string()),
            operations: statement.operations,
            loops: bound.loops.iter().map(line).collect(),
            accesses: statement.accesses.iter().map(access).collect(),
        }
    };
    let statements = scop.statements.iter().zip(binding.statements.iter()).map(statement).collect();
    report::Model { text: labels.relabel(&scop.to_string()), statements, obligations: binding.basis() }
}

/// What the source calls an array.
fn named(scop: &Scop, array: &crate::presburger::Id) -> String {
    scop.array(array).and_then(|array| array.source_name.clone()).unwrap_or_else(|| array.to_string())
}

fn dependences(model: &Model<'_>) -> Vec<report::Dependence> {
    let Model { scop, dependences, .. } = model;
    let labels = Labels::of(scop);
    let mut all: Vec<report::Dependence> = Vec::new();
    for pair in &dependences.pairs {
        let name = |at: crate::scop::StatementId| labels.relabel(&scop.statements[at].name.to_string());
        let array = &scop.statements[pair.source.statement].accesses[pair.source.access].array;
        let told = report::Dependence {
            kind: pair.kind.to_string(),
            from: name(pair.source.statement),
            to: name(pair.sink.statement),
            array: named(scop, array),
            relation: labels.relabel(&pair.relation.to_string()),
        };
        if !all.contains(&told) {
            all.push(told);
        }
    }
    all
}

/// All that was looked at; the chosen one has this gain.
fn candidates(choice: &Choice<'_>, labels: &Labels, gain: Option<f64>) -> Vec<report::Candidate> {
    let mut all = Vec::new();
    for model in &choice.trace.models {
        let name = model.name();
        let program = report::Candidate {
            model: name.clone(),
            strategy: "the program as it is".into(),
            cost: model.program.as_ref().ok().map(ToString::to_string),
            gain: model.program.is_ok().then_some(1.0),
            rejected: model.program.as_ref().err().map(|refusal| format!("no model: {refusal}")),
            is_chosen: false,
        };
        all.push(program);
        for tried in &model.tried {
            let (cost, rejected, is_possible) = match &tried.verdict {
                TriedVerdict::Rejected(why) => (None, Some(why.to_string()), false),
                TriedVerdict::Possible { cost, pays: false, .. } => {
                    (Some(cost.to_string()), Some("the test of data takes longer than the loops".into()), false)
                }
                TriedVerdict::Possible { cost, .. } => (Some(cost.to_string()), None, true),
            };
            let is_chosen = is_possible && model.is_chosen;
            all.push(report::Candidate {
                model: name.clone(),
                strategy: labels.relabel(&tried.strategy.to_string()),
                cost,
                gain: match (&tried.verdict, is_chosen) {
                    (_, true) => gain,
                    (TriedVerdict::Possible { times, .. }, false) => times.map(|times| gain::factor(times, 1, 0)),
                    _ => None,
                },
                rejected: rejected.map(|why| labels.relabel(&why)),
                is_chosen,
            });
        }
    }
    if !all.iter().any(|each| each.is_chosen)
        && let Some(program) = all.first_mut().filter(|program| program.cost.is_some())
    {
        program.is_chosen = true;
    }
    all
}

fn transformed(each: &Transformation, labels: &Labels) -> report::Transformation {
    let words = |words: &[String]| words.iter().map(|word| labels.relabel(word)).collect();
    let text: String = each.words().into_iter().map(|(_, text)| text).collect();
    let told = report::Transformation { text: labels.relabel(&text), ..report::Transformation::default() };
    let Transformation::Loops(Arranged { statements, loops, shape, tile_bytes, registers, parallel, vector, .. }) =
        each
    else {
        return told;
    };
    let (shape, sides) = match shape {
        Shape::Points => ("", Vec::new()),
        Shape::Tiles(sides) => ("tiles", sides.clone()),
        Shape::Wavefront(sides) => ("wavefront", sides.clone()),
        Shape::Pipeline(step) => ("pipeline", vec![*step]),
        Shape::Diamonds(sides) => ("diamonds", sides.clone()),
        Shape::Strips(size) => ("strips", vec![*size]),
        Shape::WrittenOut(factor, _) => ("written out", vec![*factor]),
    };
    report::Transformation {
        statements: words(statements),
        loops: words(loops),
        shape: shape.to_string(),
        sides,
        tile_bytes: tile_bytes.and_then(|bytes| bytes.try_into().ok()),
        registers: registers.clone(),
        parallel: parallel.clone(),
        vector: vector.clone(),
        ..told
    }
}

fn predicted<'ir>(
    analyses: &Analyses<'_, 'ir>,
    model: &Model<'ir>,
    schedule: &Schedule,
    options: &Options,
) -> Option<Prediction> {
    let schedule::Prediction { before, after, operations } = schedule.prediction?;
    let machine = &options.machine;
    let gain = gain::of(analyses, &model.binding, schedule, options)?;
    let unseen = gain.unseen_bytes as f64;
    let unseen_time = unseen / machine.line as f64 * machine.far_line_time() as f64 / Machine::OPERATION as f64;
    // The new loops may run other instances than the program's: what they take is that of as many.
    let told = |costs: schedule::Costs, time: i128| {
        let part = time as f64 / (costs.time(machine) as f64).max(1.0);
        let operations = |time: i128| part * time as f64 / Machine::OPERATION as f64;
        let bytes = |lines: i128| part * lines as f64 * machine.line as f64;
        Costs {
            time: operations(costs.time(machine)) + unseen_time,
            work: operations(costs.work),
            far_bytes: bytes(costs.far_lines) + unseen,
            near_bytes: bytes(costs.near_lines) + unseen,
        }
    };
    let times = schedule.times?;
    let element = model.binding.arrays.iter().map(|array| array.element_bytes).filter(|bytes| *bytes > 0).min();
    Some(Prediction {
        operations: operations as f64,
        before: told(before, times.before),
        after: told(after, times.after),
        speedup: gain.factor,
        cores: gain.cores,
        lanes: machine.lanes(element.and_then(|bytes| bytes.try_into().ok()).unwrap_or(USUAL_ELEMENT)),
    })
}

/// What a report says of regions, each with its outermost loops.
#[derive(Default)]
pub struct Records(Vec<(Vec<LoopId>, Nest)>);

impl Records {
    pub fn note(&mut self, nests: &[LoopId], nest: Option<Nest>) {
        self.0.extend(nest.map(|nest| (nests.to_vec(), nest)));
    }

    /// One nest for all that is done, and for each loop that is left: not for what is inside of one that is left as a whole, nor for copies of
    /// loops that something is done with.
    pub fn finished(self, analyses: &Analyses<'_, '_>) -> Vec<Nest> {
        let inside = |inner: &[LoopId], outer: &[LoopId]| {
            inner != outer && inner.iter().all(|id| outer.iter().any(|around| analyses.is_within(*id, *around)))
        };
        let all = &self.0;
        let done = || all.iter().filter(|(_, nest)| nest.outcome == Outcome::Done);
        let has_done = |own: &[LoopId]| done().any(|(other, _)| own == other || inside(other, own));
        let place = |own: &[LoopId]| analyses.loop_(*own.first()?).location;
        let is_copy = |own: &[LoopId], nest: &Nest| {
            let lines = |other: &Nest| other.line + 1..=other.last_line;
            let is_inside = |other: &Nest| other.file == nest.file && lines(other).contains(&nest.line);
            nest.line > 0 && done().any(|(with, other)| is_inside(other) || place(with) == place(own))
        };
        let finished = |(own, nest): &(Vec<LoopId>, Nest)| match nest.outcome {
            Outcome::Done => Some(nest.clone()),
            _ if all.iter().any(|(other, nest)| other == own && nest.outcome == Outcome::Done) => None,
            _ if has_done(own) => Some(Nest { outcome: Outcome::Analysis, ..nest.clone() }),
            _ if is_copy(own, nest) => None,
            _ if all.iter().any(|(other, _)| inside(own, other) && !has_done(other)) => None,
            _ => Some(nest.clone()),
        };
        all.iter().filter_map(finished).collect()
    }
}
