//! What is done with a region, in words that have names for other programs.
//!
//! ```text
//! loops i, k, j tiled 32x256x64; i on all cores; j in vectors; 4x4 in registers
//! tested before the loops: the subscripts of 'C', 'A' and 'B' stay within their rows; 'C' does not overlap 'A' or 'B'
//! ```

use super::{gain, tested};
use crate::ast::{Expr, For, Node};
use crate::candidate::Plan;
use crate::llvm::{Analyses, Location, LoopId};
use crate::options::Options;
use crate::presburger::Id;
use crate::schedule::{PLAIN, Word};
use crate::scop::ArrayId;
use crate::scop::labels::Labels;
use std::collections::BTreeSet;
use std::fmt;

/// What a list of tests begins with.
pub const TESTED: &str = "tested before the loops: ";

/// What is done with a region.
#[derive(Clone, Debug)]
pub struct Done {
    /// The transformations.
    parts: Vec<Part>,
    /// What else is said of them.
    rest: Vec<Word>,
    /// The kinds of transformations.
    pub kinds: Vec<String>,
    /// What is tested before the loops.
    pub tests: Vec<String>,
    /// The arrays that the loops touch.
    pub arrays: Vec<String>,
    /// Arrays of which each thread has a copy.
    pub copies: Vec<String>,
    /// Lines of the program's loops that several cores share.
    pub parallel_lines: Vec<u32>,
    /// How many times as fast the loops are predicted to be.
    pub gain: Option<f64>,
}

impl Done {
    /// What a plan does, for the user, who is told so at the lines of the loops `told_at`.
    pub fn of<'ir>(analyses: &Analyses<'_, 'ir>, plan: &Plan<'ir>, told_at: &[LoopId], options: &Options) -> Done {
        let mut rest = elsewhere(analyses, plan, told_at);
        let named = |at: &ArrayId| plan.binding.arrays[*at].source_name.clone();
        let reduced: Vec<String> = plan.emission.private_arrays().iter().map(named).collect();
        let own: BTreeSet<String> = plan.emission.own_arrays(&plan.binding).iter().map(named).collect();
        let own: Vec<String> = own.into_iter().collect();
        for (what, names) in [("reduces into", &reduced), ("has", &own)] {
            if !names.is_empty() {
                rest.push((PLAIN, format!("; each thread {what} its own copy of ")));
                rest.push(("Copies", quoted(names).join(", ")));
            }
        }
        rest.extend(found_first(analyses, plan));
        let arrays = plan.binding.arrays.iter().filter(|array| array.base.is_some());
        let arrays: BTreeSet<String> = arrays.map(|array| array.source_name.clone()).collect();
        let copies = [reduced, own].concat();
        let lines = |id: LoopId| Some(analyses.loop_(id).location?.line());
        let parallel_lines = parallel_loops(plan).into_iter().filter_map(lines).collect();
        let gain = gain::of(analyses, &plan.binding, &plan.schedule, options).map(|gain| gain.factor);
        let kinds = plan.schedule.description.iter().flat_map(|each| each.kinds()).map(str::to_string).collect();
        let (parts, tests, arrays) = (transformations(plan), tests(analyses, plan), arrays.into_iter().collect());
        Done { parts, rest, kinds, tests, arrays, copies, parallel_lines, gain }
    }

    /// What is done with a loop that does nothing but search, and starts there.
    pub fn searching(location: Option<Location<'_>>, lanes: u32) -> Done {
        let line = location.map(|at| format!(" at line {}", at.line())).unwrap_or_default();
        let mut words = vec![(PLAIN, format!("the search{line} asks ")), ("Vector", lanes.to_string())];
        words.push((PLAIN, " elements at once".into()));
        let part = Part { nests: BTreeSet::new(), words, is_plain: false };
        let (rest, tests, arrays, copies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (kinds, parallel_lines, gain) = (vec!["search in vectors".to_string()], Vec::new(), None);
        Done { parts: vec![part], rest, kinds, tests, arrays, copies, parallel_lines, gain }
    }

    /// The transformations as a sentence.
    pub fn text(&self) -> String {
        self.words_of(None).into_iter().map(|(_, text)| text).collect()
    }

    /// The transformations of the statements in a nest of the region, as a sentence; all of them, if none is of that nest alone. That loops run in
    /// order is only told where there is no more to tell of their nest.
    pub fn words_of(&self, nest: Option<LoopId>) -> Vec<Word> {
        let nest = nest.filter(|nest| self.parts.iter().any(|part| part.nests.contains(nest)));
        let is_own = |part: &&Part| nest.is_none_or(|nest| part.is_about(nest));
        let has_more = |id: LoopId| self.parts.iter().any(|part| !part.is_plain && part.is_about(id));
        let is_told = |part: &&Part| match nest {
            _ if !part.is_plain => true,
            Some(nest) => !has_more(nest),
            None => part.nests.is_empty() || !part.nests.iter().all(|id| has_more(*id)),
        };
        let mut words: Vec<Word> = Vec::new();
        for part in self.parts.iter().filter(is_own).filter(is_told) {
            if !words.is_empty() {
                words.push((PLAIN, " | ".into()));
            }
            words.extend(part.words.iter().cloned());
        }
        words.extend(self.rest.iter().cloned());
        words
    }

    /// What is tested before the loops, as a part of a sentence.
    pub fn tested(&self) -> Option<String> {
        (!self.tests.is_empty()).then(|| self.tests.join("; "))
    }
}

/// All of it.
impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())?;
        self.tested().map_or(Ok(()), |tested| write!(f, "; {TESTED}{tested}"))
    }
}

/// What was done with some statements, and in which of the region's nests they are; in none, if it is about all.
#[derive(Clone, Debug)]
struct Part {
    nests: BTreeSet<LoopId>,
    words: Vec<Word>,
    /// Its loops only run in order.
    is_plain: bool,
}

impl Part {
    fn is_about(&self, nest: LoopId) -> bool {
        self.nests.is_empty() || self.nests.contains(&nest)
    }
}

/// What was done to get the schedule. Where that is several things, each says which statements it is about; what was done alike with parts of one
/// statement is said once.
fn transformations(plan: &Plan<'_>) -> Vec<Part> {
    let labels = Labels::of(&plan.scop);
    let mut all: Vec<(Vec<String>, Vec<Word>, bool)> = Vec::new();
    for transformation in &plan.schedule.description {
        let (statements, words) = (transformation.statements(), transformation.words());
        let are_parts = |names: &[String]| !names.is_empty() && names.iter().all(|name| name.contains('/'));
        let is_alike = |about: &[String], known: &[Word]| are_parts(about) && are_parts(statements) && *known == words;
        match all.iter_mut().find(|(about, known, _)| is_alike(about, known)) {
            Some((about, ..)) => about.extend(statements.iter().cloned()),
            None => all.push((statements.to_vec(), words, transformation.is_plain())),
        }
    }
    let several = all.len() > 1;
    let part = |(statements, own, is_plain): (Vec<String>, Vec<Word>, bool)| {
        let mut words: Vec<Word> = Vec::new();
        if several && !statements.is_empty() {
            words.extend([("Statements", labels.relabel(&named(&statements))), (PLAIN, ": ".into())]);
        }
        words.extend(own.into_iter().map(|(name, text)| (name, labels.relabel(&text))));
        let is_about = |id: &Id| statements.iter().any(|name| name.split('/').next() == Some(id.as_str()));
        let bound = plan.binding.statements.iter().filter(|statement| is_about(&statement.id));
        Part { nests: bound.filter_map(|statement| statement.loops.first().copied()).collect(), words, is_plain }
    };
    all.into_iter().map(part).collect()
}

/// Statements by their names; many parts of one, `S0/0`, `S0/1`, ..., are counted.
fn named(statements: &[String]) -> String {
    let whole = |name: &str| name.split_once('/').map(|(whole, _)| whole.to_string());
    let first = statements.first().and_then(|name| whole(name));
    match first {
        Some(first) if statements.len() > 1 && statements.iter().all(|name| whole(name).as_ref() == Some(&first)) => {
            format!("{first} in {} parts", statements.len())
        }
        _ => statements.join(", "),
    }
}

/// The parallel loops that are not those where the user is told of them.
fn elsewhere<'ir>(analyses: &Analyses<'_, 'ir>, plan: &Plan<'ir>, told_at: &[LoopId]) -> Vec<Word> {
    let parallel = parallel_loops(plan);
    if parallel.iter().all(|id| told_at.contains(id)) {
        return Vec::new();
    }
    let mut lines: Vec<u32> = parallel.iter().filter_map(|id| Some(analyses.loop_(*id).location?.line())).collect();
    lines.dedup();
    match lines.as_slice() {
        [] => Vec::new(),
        [line] => {
            let line = ("ParallelLine", line.to_string());
            vec![(PLAIN, "; the loop at line ".into()), line, (PLAIN, " is parallel".into())]
        }
        [all @ .., last] => {
            let all: Vec<String> = all.iter().map(u32::to_string).collect();
            let lines = ("ParallelLine", format!("{} and {last}", all.join(", ")));
            vec![(PLAIN, "; the loops at lines ".into()), lines, (PLAIN, " are parallel".into())]
        }
    }
}

/// The exits that are found before loops run up to them.
fn found_first<'ir>(analyses: &Analyses<'_, 'ir>, plan: &Plan<'ir>) -> Vec<Word> {
    let loops = plan.binding.region.loops(analyses).into_iter();
    let counted = loops.filter_map(|id| analyses.loop_(id).latch?.counted());
    let lines: BTreeSet<u32> = counted.clone().flat_map(|counted| counted.lines).collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let said =
        |what: &str, lines: String| vec![(PLAIN, format!("; {what} ")), ("ExitLine", lines), (PLAIN, FIRST.into())];
    match lines.as_slice() {
        _ if counted.count() == 0 => Vec::new(),
        [] => vec![(PLAIN, format!("; where the loop is left{FIRST}"))],
        [line] => said("the exit at line", line.clone()),
        [all @ .., last] => said("the first of the exits at lines", format!("{} and {last}", all.join(", "))),
    }
}

/// What loops read again in each iteration and is read before them.
fn read_once<'ir>(analyses: &Analyses<'_, 'ir>, plan: &Plan<'ir>) -> Option<String> {
    let loops = plan.binding.region.loops(analyses).into_iter();
    let unchanged: Vec<_> = loops.filter_map(|id| analyses.loop_(id).latch?.unchanged()).collect();
    let lines: BTreeSet<u32> = unchanged.iter().flat_map(|unchanged| unchanged.lines.iter().copied()).collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let place = match lines.as_slice() {
        _ if unchanged.is_empty() => return None,
        [] => String::new(),
        [line] => format!(" at line {line}"),
        [all @ .., last] => format!(" at lines {} and {last}", all.join(", ")),
    };
    Some(format!("what is read again{place} stays the same"))
}

/// What is done with these.
const FIRST: &str = " is found first";

/// What is tested before the loops, each in words.
fn tests<'ir>(analyses: &Analyses<'_, 'ir>, plan: &Plan<'ir>) -> Vec<String> {
    if plan.is_as_is() {
        return read_once(analyses, plan).into_iter().collect();
    }
    let mut tests: Vec<String> = plan.binding.assumptions.clone();
    for inspection in &plan.binding.inspections {
        if !tests.contains(&inspection.why) {
            tests.push(inspection.why.clone());
        }
    }
    let name = |at: ArrayId| format!("'{}'", plan.binding.arrays[at].source_name);
    let measured = plan.binding.measurements.iter().flat_map(|measurement| &measurement.disjoint);
    let pairs = plan.binding.disjoint.iter().chain(measured);
    let mut apart: Vec<(String, String)> = pairs.map(|(a, b)| (name(*a), name(*b))).collect();
    apart.extend(plan.emission.not_errno().map(|at| (name(at), "errno".to_string())));
    tests = tested::said(&tests, &apart);
    if plan.emission.is_sampled() {
        tests.push("in a sample of iterations, conditions on data hold often enough".into());
    }
    tests.extend(read_once(analyses, plan));
    let rows: Vec<String> = plan.binding.rows.iter().map(|at| name(*at)).collect();
    if !rows.is_empty() {
        tests.push(format!("no rows overlap: {}", rows.join(", ")));
    }
    tests
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("'{name}'")).collect()
}

/// The loops of the program whose iterations several threads share, in its order.
fn parallel_loops(plan: &Plan<'_>) -> Vec<LoopId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![&plan.ast.root];
    while let Some(node) = pending.pop() {
        match node {
            Node::For(each) if plan.emission.parallel_loops().contains(&each.iterator) => {
                for (id, depth) in counted_by(each) {
                    let statement = plan.binding.statements.iter().find(|statement| statement.id == id);
                    found.extend(statement.and_then(|statement| statement.loops.get(depth)));
                }
            }
            _ => pending.extend(node.children()),
        }
    }
    found.into_iter().collect()
}

/// The statements that run in a loop, each with how many loops of the program are around the one whose counter is
/// computed from the loop's iterator.
fn counted_by(each: &For) -> Vec<(Id, usize)> {
    let names = |expr: &Expr| {
        let mut found = Vec::new();
        expr.names(&mut |name| found.push(name.clone()));
        found
    };
    let mut derived = vec![each.iterator.clone()];
    let mut found = Vec::new();
    let mut pending = vec![&each.body];
    while let Some(node) = pending.pop() {
        if let Node::For(inner) = node
            && [&inner.lower, &inner.upper].into_iter().flat_map(&names).any(|name| derived.contains(&name))
        {
            derived.push(inner.iterator.clone());
        }
        if let Node::User { statement, arguments } = node {
            let first = |known: &[Id]| arguments.iter().position(|a| names(a).iter().any(|name| known.contains(name)));
            let depth = first(&derived[..1]).or_else(|| first(&derived));
            found.extend(depth.map(|depth| (statement.clone(), depth)));
        }
        pending.extend(node.children());
    }
    found
}
