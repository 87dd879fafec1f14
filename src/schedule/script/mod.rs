//! Scripts: transformations written by hand, one in a line.
//!
//! ```text
//! fuse S T                  # one loop over both
//! tile T.0..1 32 32         # [`transform::select`] says how loops are named
//! check                     # legal so far?
//! parallel T.0
//! ```
//!
//! A script runs on the program's own order, or with `start found` on the one that was found. A line that does not apply ends it, with the reason at
//! the word that is wrong. Legality is another question: [`crate::schedule::check`] answers it at `check` and at the end. What is illegal is named
//! with the pair of instances that it breaks and with the line since which it does, for steps in between may be illegal (a reversal before a shift).

use super::{ReductionOrder, Schedule, Transformation, Violation};
use crate::dependence::Dependences;
use crate::presburger::{DimKind, Id, MultiUnionPwAff, ParseError, Set, UnionPwAff};
use crate::schedule::transform::peel::End;
use crate::schedule::transform::sequence::{Iteration, Neighbour, parting};
use crate::schedule::transform::{self, Inapplicable, Outcome, band, peel, select, sequence, tile, unroll};
use crate::scop::Scop;
use crate::scop::tree::{LoopKind, Tree};

/// The words of the language: what may follow each, with the least and the greatest number of arguments.
const VERBS: &[(&str, &str, usize, usize)] = &[
    ("start", "original|found", 1, 1),
    ("relax", "", 0, 0),
    ("privatise", "ARRAY..", 1, MOST),
    ("check", "", 0, 0),
    ("fuse", "STATEMENT STATEMENT [LOOPS]", 2, 3),
    ("distribute", "LOOPS", 1, 1),
    ("move", "STATEMENT before|after STATEMENT", 3, 3),
    ("sink", "STATEMENT LOOPS first|last|VALUE..", 3, MOST),
    ("interchange", "LOOP LOOP", 2, 2),
    ("permute", "LOOPS NUMBER..", 2, MOST),
    ("reverse", "LOOP", 1, 1),
    ("skew", "LOOP LOOP FACTOR", 3, 3),
    ("shift", "STATEMENT.LOOP AMOUNT", 2, 2),
    ("stripmine", "LOOP SIZE", 2, 2),
    ("tile", "LOOPS SIZE..", 2, MOST),
    ("wavefront", "LOOPS", 1, 1),
    ("pipeline", "LOOPS SIZE", 2, 2),
    ("diamond", "LOOPS SIZE.. [reach NUMBER]", 2, MOST),
    ("isolate", "LOOPS", 1, 1),
    ("peel", "LOOP first|last NUMBER", 3, 3),
    ("split", "LOOP BOUND", 2, 2),
    ("unroll", "LOOP [FACTOR]", 1, 2),
    ("jam", "LOOP FACTOR", 2, 2),
    ("mark", "NODE NAME", 2, 2),
    ("pack", "LOOPS ARRAY", 2, 2),
    ("parallel", "LOOPS", 1, 1),
    ("separate", "LOOPS", 1, 1),
    ("atomic", "LOOPS", 1, 1),
];
/// Those whose first argument is no place in the tree.
const WITHOUT_PLACE: &[&str] = &["start", "relax", "privatise", "check"];
/// Any number of arguments that fits a line.
const MOST: usize = usize::MAX;

/// A script whose words are known; whether they apply depends on the tree.
#[derive(Clone, Debug)]
pub struct Script {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    number: usize,
    text: String,
    verb: Word,
    arguments: Vec<Word>,
}

#[derive(Clone, Debug)]
struct Word {
    text: String,
    column: usize,
}

/// Why a script gives no schedule.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A line does not apply.
    Wrong(ParseError),
    /// The order that it makes breaks a dependence.
    Illegal(Illegal),
}

/// An illegal order.
#[derive(Clone, Debug)]
pub struct Illegal {
    /// The line since which it is illegal; 0 if it was so before the first one.
    pub line: usize,
    /// The text of that line.
    pub text: String,
    /// What it breaks.
    pub violation: Box<Violation>,
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "before the first line, {}", self.violation),
            line => write!(f, "since line {line} (`{}`), {}", self.text, self.violation),
        }
    }
}

impl Line {
    /// The error at one of the words.
    fn error(&self, at: &Word, message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), line: self.number, column: at.column, text: self.text.clone() }
    }
}

/// The words of a line, a comment left out; what is within parentheses is one word.
fn words(line: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut inside, mut depth) = (false, 0_usize);
    for (column, c) in line.chars().enumerate().map(|(at, c)| (at + 1, c)).take_while(|(_, c)| *c != '#') {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        if c.is_whitespace() && depth == 0 {
            inside = false;
            continue;
        }
        if !inside {
            words.push(Word { text: String::new(), column });
            inside = true;
        }
        if let Some(word) = words.last_mut() {
            word.text.push(c);
        }
    }
    words
}

impl Script {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Script, ParseError> {
        let mut lines = Vec::new();
        for (at, text) in text.lines().enumerate() {
            let mut words = words(text).into_iter();
            let Some(verb) = words.next() else { continue };
            let line = Line { number: at + 1, text: text.to_string(), verb, arguments: words.collect() };
            let Some((_, usage, least, most)) = VERBS.iter().find(|(word, ..)| *word == line.verb.text) else {
                let known: Vec<&str> = VERBS.iter().map(|(word, ..)| *word).collect();
                let message = format!("unknown transformation `{}`: there are {}", line.verb.text, known.join(", "));
                return Err(line.error(&line.verb, message));
            };
            if !(*least..=*most).contains(&line.arguments.len()) {
                let end = Word { text: String::new(), column: text.trim_end().chars().count() + 1 };
                let at = line.arguments.get(*most).unwrap_or(&end);
                let whole = format!("{} {usage}", line.verb.text);
                return Err(line.error(at, format!("expected `{}`", whole.trim_end())));
            }
            if line.verb.text == "start" && !lines.is_empty() {
                return Err(line.error(&line.verb, "`start` is the first line"));
            }
            lines.push(line);
        }
        Ok(Script { lines })
    }

    /// Whether the places that its lines begin at are of statements of the model, marks, or ways from the root.
    pub(super) fn is_about(&self, scop: &Scop) -> bool {
        let first =
            |line: &Line| line.arguments.first().filter(|_| !WITHOUT_PLACE.contains(&line.verb.text.as_str())).cloned();
        self.lines.iter().filter_map(first).all(|word| {
            let place = select::statement(&word.text);
            word.text.starts_with(['@', '/']) || scop.statement(&Id::new(place)).is_some()
        })
    }

    /// Applies the script to the program's order, or to what `found` gives.
    pub fn run(
        &self,
        scop: &Scop,
        dependences: &Dependences,
        found: impl FnOnce() -> Schedule,
    ) -> Result<Schedule, Failure> {
        let mut lines = &self.lines[..];
        let mut schedule = Schedule::original(scop);
        if let Some((first, rest)) = lines.split_first().filter(|(first, _)| first.verb.text == "start") {
            lines = rest;
            match &first.arguments[0] {
                word if word.text == "found" => schedule = found(),
                word if word.text != "original" => {
                    return Err(Failure::Wrong(first.error(word, "expected `original` or `found`")));
                }
                _ => {}
            }
        }
        let mut steps: Vec<(Option<&Line>, Tree)> = vec![(None, schedule.tree.clone())];
        for line in lines {
            match line.verb.text.as_str() {
                "relax" => schedule.reductions = ReductionOrder::Free,
                "privatise" => schedule.privatised.extend(arrays(scop, line).map_err(Failure::Wrong)?),
                "check" => legal(&schedule, scop, dependences, &steps)?,
                _ => {
                    schedule.tree = applied(&schedule.tree, line).map_err(Failure::Wrong)?;
                    schedule.description.push(Transformation::Scripted(line.text.trim().to_string()));
                    steps.push((Some(line), schedule.tree.clone()));
                }
            }
        }
        legal(&schedule, scop, dependences, &steps)?;
        schedule.is_parallel = schedule.tree.root().has_parallel();
        Ok(schedule)
    }
}

/// The arrays that a line names.
fn arrays(scop: &Scop, line: &Line) -> Result<Vec<Id>, ParseError> {
    let known = |word: &Word| match scop.array(&Id::new(&word.text)) {
        Some(array) => Ok(array.name.clone()),
        None => Err(line.error(word, format!("`{}` is not an array", word.text))),
    };
    line.arguments.iter().map(known).collect()
}

/// Whether the last tree is legal; if not, since which step.
fn legal(
    schedule: &Schedule,
    scop: &Scop,
    dependences: &Dependences,
    steps: &[(Option<&Line>, Tree)],
) -> Result<(), Failure> {
    let Err(violation) = schedule.check(scop, dependences) else { return Ok(()) };
    let is_legal = |tree: &Tree| Schedule { tree: tree.clone(), ..schedule.clone() }.check(scop, dependences).is_ok();
    let last_legal = steps.iter().rposition(|(_, tree)| is_legal(tree));
    let culprit = last_legal.and_then(|at| steps.get(at + 1)).and_then(|(line, _)| *line);
    let (line, text) = culprit.map_or((0, String::new()), |line| (line.number, line.text.trim().to_string()));
    Err(Failure::Illegal(Illegal { line, text, violation: Box::new(violation) }))
}

/// The tree after one line.
fn applied(tree: &Tree, line: &Line) -> Result<Tree, ParseError> {
    let step = Step { tree, line };
    let a = &line.arguments;
    let outcome = match line.verb.text.as_str() {
        "fuse" => sequence::fuse(tree, &step.parting(0, 1)?, a.get(2).map(|n| step.count(n)).transpose()?),
        "distribute" => sequence::distribute(tree, &step.loops(0)?),
        "move" => {
            let is_after = step.either(&a[1], "before", "after")?;
            let place = if is_after { Neighbour::After } else { Neighbour::Before };
            sequence::reorder(tree, &step.parting(0, 2)?, place)
        }
        "sink" => step.sink()?,
        "interchange" => band::interchange(tree, &step.one(0)?, &step.one(1)?),
        "permute" => {
            let order = a[1..].iter().map(|n| step.count(n)).collect::<Result<Vec<_>, _>>()?;
            band::permute(tree, &step.loops(0)?, &order)
        }
        "reverse" => band::reverse(tree, &step.one(0)?),
        "skew" => band::skew(tree, &step.one(0)?, &step.one(1)?, step.number(&a[2])?),
        "shift" => {
            let statement = step.instances(select::statement(&a[0].text), &a[0])?;
            band::shift(tree, &step.one(0)?, &step.value(&a[1], &statement)?)
        }
        "stripmine" => tile::strip_mine(tree, &step.one(0)?, step.number(&a[1])?),
        "tile" => tile::tile(tree, &step.loops(0)?, &step.numbers(&a[1..])?),
        "wavefront" => tile::wavefront(tree, &step.loops(0)?),
        "pipeline" => tile::pipeline(tree, &step.loops(0)?, step.number(&a[1])?),
        "diamond" => step.diamond()?,
        "isolate" => tile::isolate(tree, &step.loops(0)?),
        "peel" => {
            let end = if step.either(&a[1], "first", "last")? { End::Last } else { End::First };
            peel::peel(tree, &step.one(0)?, end, step.number(&a[2])?)
        }
        "split" => peel::split(tree, &step.one(0)?, &step.bound(&a[1])?),
        "unroll" => unroll::unroll(tree, &step.one(0)?, a.get(1).map(|n| step.number(n)).transpose()?),
        "jam" => unroll::jam(tree, &step.one(0)?, step.number(&a[1])?),
        "mark" => transform::mark(tree, &step.node(0)?, &a[1].text),
        "pack" => transform::pack(tree, &step.loops(0)?, &a[1].text),
        "parallel" => band::parallel(tree, &step.loops(0)?),
        "separate" => band::kind(tree, &step.loops(0)?, LoopKind::Separate),
        _ => band::kind(tree, &step.loops(0)?, LoopKind::Atomic),
    };
    outcome.map_err(|Inapplicable(reason)| line.error(&line.verb, reason))
}

/// A line with the tree that its words are about.
struct Step<'s> {
    tree: &'s Tree,
    line: &'s Line,
}

impl Step<'_> {
    fn at<T>(&self, word: &Word, result: Result<T, Inapplicable>) -> Result<T, ParseError> {
        result.map_err(|Inapplicable(reason)| self.line.error(word, reason))
    }

    fn loops(&self, argument: usize) -> Result<transform::Loops, ParseError> {
        let word = &self.line.arguments[argument];
        self.at(word, select::loops(self.tree, &word.text))
    }

    fn one(&self, argument: usize) -> Result<transform::Loop, ParseError> {
        let word = &self.line.arguments[argument];
        self.at(word, select::one_loop(self.tree, &word.text))
    }

    fn node(&self, argument: usize) -> Result<Vec<usize>, ParseError> {
        let word = &self.line.arguments[argument];
        self.at(word, select::node(self.tree, &word.text))
    }

    fn parting(&self, one: usize, other: usize) -> Result<sequence::Parting, ParseError> {
        let (one, other) = (&self.line.arguments[one], &self.line.arguments[other]);
        self.at(one, parting(self.tree, &one.text, &other.text))
    }

    fn number(&self, word: &Word) -> Result<i64, ParseError> {
        word.text.parse().map_err(|_| self.line.error(word, format!("`{}` is not an integer", word.text)))
    }

    fn numbers(&self, words: &[Word]) -> Result<Vec<i64>, ParseError> {
        words.iter().map(|word| self.number(word)).collect()
    }

    fn count(&self, word: &Word) -> Result<usize, ParseError> {
        word.text.parse().map_err(|_| self.line.error(word, format!("`{}` is not a number", word.text)))
    }

    /// Whether the word is the second of two.
    fn either(&self, word: &Word, one: &str, other: &str) -> Result<bool, ParseError> {
        match word.text.as_str() {
            text if text == one => Ok(false),
            text if text == other => Ok(true),
            _ => Err(self.line.error(word, format!("expected `{one}` or `{other}`"))),
        }
    }

    /// The instances of the statement.
    fn instances(&self, name: &str, word: &Word) -> Result<Set, ParseError> {
        let domain = self.tree.domain();
        let named = |set: &Set| set.space().tuple_name(DimKind::Out).is_some_and(|id| id.as_str() == name);
        let found = domain.sets().find(named);
        found.ok_or_else(|| self.line.error(word, format!("`{name}` is not a statement")))
    }

    /// The affine expression as a function of the parameters and of the iterators of `instances`.
    fn value(&self, word: &Word, instances: &Set) -> Result<UnionPwAff, ParseError> {
        let tuple = instances.space().tuple(DimKind::Out).cloned();
        let names = tuple.iter().flat_map(|tuple| tuple.dim_names()).enumerate();
        let names: Vec<String> = names.map(|(at, id)| id.map_or(format!("i{at}"), |id| id.to_string())).collect();
        let name = instances.space().tuple_name(DimKind::Out).map(|id| id.to_string()).unwrap_or_default();
        self.function(word, &format!("{name}[{}]", names.join(", ")))
    }

    fn function(&self, word: &Word, instance: &str) -> Result<UnionPwAff, ParseError> {
        let params: Vec<String> = self.tree.domain().params_space().params().iter().map(|id| id.to_string()).collect();
        let text = format!("[{}] -> {{ {instance} -> [({})] }}", params.join(", "), word.text);
        let message = || {
            let names = params.join(", ");
            format!("`{}` is not an affine expression in {instance} and the parameters [{names}]", word.text)
        };
        UnionPwAff::parse(&text).map_err(|_| self.line.error(word, message()))
    }

    /// A value that depends on parameters only, for every statement.
    fn bound(&self, word: &Word) -> Result<UnionPwAff, ParseError> {
        self.function(word, "[]")?;
        let domain = self.tree.domain();
        let mut all = UnionPwAff::empty(domain.params_space().params());
        for set in domain.sets() {
            all = all.union_add(&self.value(word, &set)?);
        }
        Ok(all)
    }

    fn sink(&self) -> Result<Outcome, ParseError> {
        let a = &self.line.arguments;
        let target = Word { text: select::statement(&a[1].text).to_string(), ..a[1].clone() };
        let parting = self.at(&a[0], parting(self.tree, &a[0].text, &target.text))?;
        let iteration = match a[2].text.as_str() {
            "first" => Iteration::First,
            "last" => Iteration::Last,
            _ => {
                let own = self.instances(&a[0].text, &a[0])?;
                let values = a[2..].iter().map(|word| self.value(word, &own)).collect::<Result<Vec<_>, _>>()?;
                let values = values.iter().map(MultiUnionPwAff::from_union_pw_aff);
                let all = values.reduce(|all, next| all.flat_range_product(&next));
                Iteration::At(all.expect("law: at least three words"))
            }
        };
        Ok(sequence::sink(self.tree, &parting, &self.loops(1)?, &iteration))
    }

    fn diamond(&self) -> Result<Outcome, ParseError> {
        let a = &self.line.arguments;
        let (sizes, reach) = match a.iter().position(|word| word.text == "reach") {
            None => (&a[1..], 1),
            Some(at) => match a.get(at + 1) {
                Some(reach) if at + 2 == a.len() => (&a[1..at], self.number(reach)?),
                _ => return Err(self.line.error(&a[at], "expected one number after `reach`")),
            },
        };
        Ok(tile::diamond(self.tree, &self.loops(0)?, &self.numbers(sizes)?, reach))
    }
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
