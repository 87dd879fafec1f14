//! Schedules that are given for models by name: trees, scripts and JSCOP files.
//!
//! ```text
//! # kernel_gemm                              function kernel_gemm
//! domain: "[n] -> { S[i, j] : .. }"          tile S.0..1 32 256
//! child:                                     parallel S.0
//!   schedule: "[n] -> [{ S[i, j] -> ..       function kernel_syrk
//! # kernel_syrk                              interchange T.1 T.2
//! domain: ..
//! ```
//!
//! On the left are trees as `loopwright schedule` and `print<loopwright-schedule>` write them, or as isl does, each with the comment before it that names
//! its model; on the right are scripts ([`script`](super::script)) that begin with the line `function NAME`. What is not named is for any model. An
//! entry *fits* a model if it has this name and these statements; it *applies* if it runs exactly the model's instances, and [`Schedule::check`]
//! says whether the order is legal. A JSCOP file gives an order without loops that are parallel: these are found.
//!
//! Implements: 002 5.9

use super::complete;
use super::script::{self, Script};
use super::{Pays, ReductionOrder, Schedule};
use crate::dependence::Dependences;
use crate::presburger::{DimKind, Id, ParseError, Set, UnionSet};
use crate::scop::tree::{Node, Tree};
use crate::scop::{Scop, jscop};
use std::ops::Range;

/// The word before the name of a script's model.
const FUNCTION: &str = "function";

/// Schedules, in the order of the text.
#[derive(Clone, Debug)]
pub struct Given {
    entries: Vec<Entry>,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The model that it is for.
    pub function: Option<String>,
    /// The line where it begins, from 1.
    pub line: usize,
    /// Its text; lines have the numbers that they have in the whole text.
    text: String,
    order: Order,
}

#[derive(Clone, Debug)]
enum Order {
    Tree(Tree),
    Script(Script),
    /// Of a JSCOP file.
    Flat(Box<Scop>),
}

/// Which form a text has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Trees,
    Scripts,
    Jscop,
}

impl Given {
    /// Reads all schedules of a text.
    ///
    /// # Errors
    /// At the first that is no tree, script or JSCOP file.
    pub fn parse(text: &str) -> Result<Given, ParseError> {
        let form = Form::of(text);
        let entries = sections(text, form).into_iter().map(|(function, lines)| {
            let own: Vec<&str> = text.lines().skip(lines.start).take(lines.len()).collect();
            let padded = "\n".repeat(lines.start) + &own.join("\n") + "\n";
            Entry::parse(function, lines.start + 1, padded, form)
        });
        Ok(Given { entries: entries.collect::<Result<_, _>>()? })
    }

    /// Whether some entry names this model.
    pub fn names(&self, function: &str) -> bool {
        self.entries.iter().any(|entry| entry.function.as_deref() == Some(function))
    }

    /// The entries that fit a model, in whose statements' names `renamed` rewrites a text: those for other regions of a function as well, if these have as many statements.
    pub fn for_model(&self, scop: &Scop, renamed: impl Fn(&str) -> String) -> Vec<Entry> {
        let is_wanted = |entry: &&Entry| entry.function.as_ref().is_none_or(|name| *name == scop.name);
        let all = self.entries.iter().filter(is_wanted).filter_map(|entry| entry.renamed(&renamed));
        let fitting: Vec<Entry> = all.filter(|entry| entry.fits(scop)).collect();
        let in_other_names = fitting.iter().filter_map(|entry| entry.with_params_of(scop)).collect::<Vec<_>>();
        fitting.into_iter().chain(in_other_names).collect()
    }
}

/// The first of the entries that fit a model whose order applies and keeps the dependences; where there is none, the first whose order applies, else the first. With what becomes of it.
///
/// # Errors
/// As [`Entry::schedule`], for that one.
pub fn first_legal<'e>(
    entries: &'e [Entry],
    (scop, dependences): (&Scop, &Dependences),
    order: impl Fn(&Entry) -> Result<Schedule, script::Failure>,
) -> Option<(&'e Entry, Result<Schedule, script::Failure>)> {
    let mut best: Option<(&Entry, Result<Schedule, script::Failure>)> = None;
    for entry in entries {
        let found = order(entry);
        let is_legal = found.as_ref().is_ok_and(|schedule| schedule.check(scop, dependences).is_ok());
        if is_legal || best.as_ref().is_none_or(|(_, best)| best.is_err() && found.is_ok()) {
            best = Some((entry, found));
        }
        if is_legal {
            break;
        }
    }
    best
}

impl Form {
    fn of(text: &str) -> Form {
        let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
        match lines.next() {
            _ if jscop::looks_like(text) => Form::Jscop,
            Some(line) if line.starts_with("domain:") || line.starts_with('{') => Form::Trees,
            _ => Form::Scripts,
        }
    }
}

/// The sections of a text with their names, as lines from 0.
fn sections(text: &str, form: Form) -> Vec<(Option<String>, Range<usize>)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<(Option<String>, Range<usize>)> = Vec::new();
    let mut name = None;
    let documents = if form == Form::Jscop { jscop::documents(text) } else { Vec::new() };
    for (at, line) in lines.iter().enumerate() {
        let named = match form {
            Form::Jscop | Form::Trees => line.strip_prefix('#').map(str::trim).filter(|word| is_name(word)),
            Form::Scripts => line.strip_prefix(FUNCTION).map(|rest| rest.split('#').next().unwrap_or(rest).trim()),
        };
        let named = named.filter(|word| is_name(word));
        let starts = match form {
            Form::Jscop => documents.iter().any(|document| document.start == at),
            Form::Trees => line.starts_with("domain:") || line.starts_with('{'),
            Form::Scripts => named.is_some() || found.is_empty(),
        };
        name = named.map(str::to_string).or(name);
        if starts {
            let skips = usize::from(form == Form::Scripts && named.is_some());
            found.push((name.take(), at + skips..at + 1));
        }
        if let Some((_, range)) = found.last_mut() {
            range.end = at + 1;
        }
    }
    let has_words = |range: &Range<usize>| lines[range.clone()].iter().any(|line| !line.trim().is_empty());
    found.retain(|(function, range)| function.is_some() || has_words(range));
    found
}

/// Whether this may be the name of a function: one word, without the colon of `# main: line 32: ..`.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains([' ', ':', '\t'])
}

impl Entry {
    fn parse(function: Option<String>, line: usize, text: String, form: Form) -> Result<Entry, ParseError> {
        let order = match form {
            Form::Trees => Order::Tree(Tree::parse(&text)?),
            Form::Scripts => Order::Script(Script::parse(&text)?),
            Form::Jscop => Order::Flat(Box::new(jscop::parse(&text)?)),
        };
        Ok(Entry { function, line, text, order })
    }

    /// The same in other names; nothing if they do not fit into its form.
    fn renamed(&self, renamed: impl Fn(&str) -> String) -> Option<Entry> {
        let text = renamed(&self.text);
        if text == self.text {
            return Some(self.clone());
        }
        let form = match self.order {
            Order::Tree(_) => Form::Trees,
            Order::Script(_) => Form::Scripts,
            Order::Flat(_) => Form::Jscop,
        };
        Entry::parse(self.function.clone(), self.line, text, form).ok()
    }

    /// The same for the model's parameters, if it has as many others: without debug information they are called like values of the program, which compilers name or not as they like.
    fn with_params_of(&self, scop: &Scop) -> Option<Entry> {
        let own = match &self.order {
            Order::Tree(tree) => tree.domain().params_space().params().to_vec(),
            Order::Flat(other) => other.params.clone(),
            Order::Script(_) => return None,
        };
        let is_other = own.len() == scop.params.len() && own != scop.params;
        let text = || {
            let place = |word: &str| own.iter().position(|name| name.as_str() == word);
            words(&self.text, |word| place(word).map_or(word, |at| scop.params[at].as_str()))
        };
        if is_other { self.renamed(|_| text()).filter(|entry| entry.fits(scop)) } else { None }
    }

    /// Whether it is about the statements of the model, for a script: about none that the model does not have.
    fn fits(&self, scop: &Scop) -> bool {
        let statements = |domain: &UnionSet| -> Vec<(Option<Id>, usize)> {
            let mut all: Vec<_> = domain.sets().map(|set| tuple(&set)).collect();
            all.sort();
            all
        };
        match &self.order {
            Order::Tree(tree) => statements(&tree.domain()) == statements(&scop.domain()),
            Order::Flat(other) => statements(&other.domain()) == statements(&scop.domain()),
            Order::Script(script) => script.is_about(scop),
        }
    }

    /// The order that it gives to the instances of a model that it fits, with reductions in any order that they may have, and threads with copies of the arrays
    /// `privatised`; a script says both itself.
    ///
    /// # Errors
    /// Why it does not apply, or which dependence a script breaks. Trees and flat orders are not checked.
    pub fn schedule(
        &self,
        scop: &Scop,
        dependences: &Dependences,
        privatised: &[Id],
        found: impl FnOnce() -> Schedule,
    ) -> Result<Schedule, script::Failure> {
        let of_tree = |tree: &Tree| {
            let root = covering(tree, scop).map_err(|reason| script::Failure::Wrong(self.error(reason)))?;
            Ok(Schedule::by_hand(scop, Tree::from_root(root), privatised))
        };
        match &self.order {
            Order::Script(script) => script.run(scop, dependences, found).map(|schedule| Schedule {
                gains: true,
                pays: Pays::ALWAYS,
                ..schedule
            }),
            Order::Tree(tree) => of_tree(tree),
            Order::Flat(other) => {
                let schedule = of_tree(&other.schedule)?;
                Ok(schedule.with_parallel_loops(scop, dependences))
            }
        }
    }

    fn error(&self, message: String) -> ParseError {
        let text = self.text.lines().nth(self.line - 1).unwrap_or_default().to_string();
        ParseError { message, line: self.line, column: 1, text }
    }
}

/// A text in which each word is replaced.
fn words<'t>(text: &'t str, replacement: impl Fn(&'t str) -> &'t str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut written, mut rest) = (String::with_capacity(text.len()), text);
    while !rest.is_empty() {
        let (word, behind) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        let (between, behind) = behind.split_at(behind.find(is_part).unwrap_or(behind.len()));
        written.extend([replacement(word), between]);
        rest = behind;
    }
    written
}

fn tuple(set: &Set) -> (Option<Id>, usize) {
    (set.space().tuple_name(DimKind::Out).cloned(), set.dim(DimKind::Out))
}

/// The root of the tree over the model's instances, if these are the ones that it runs, each of them once.
fn covering(tree: &Tree, scop: &Scop) -> Result<Node, String> {
    let trusted = scop.trusted_context();
    let (given, own) = (tree.domain().intersect_params(&trusted), scop.domain().intersect_params(&trusted));
    let example = |set: UnionSet| set.sets().find(|set| !set.is_empty()).map(|set| set.sample_basic().to_string());
    if let Some(extra) = example(given.subtract(&own)) {
        return Err(format!("it runs instances that the model does not have: {extra}"));
    }
    if let Some(missing) = example(own.subtract(&given)) {
        return Err(format!("it leaves out instances of the model: {missing}"));
    }
    if let Some(wrong) = complete::fault(tree, &trusted) {
        return Err(format!("it does not run each instance of the model once: {wrong}"));
    }
    match tree.root() {
        Node::Domain { child, .. } => Ok(Node::Domain { domain: scop.schedule.domain(), child: child.clone() }),
        _ => unreachable!("law: a tree begins with its domain"),
    }
}

impl Schedule {
    /// This tree, whose loops are parallel where it says so.
    fn by_hand(scop: &Scop, tree: Tree, privatised: &[Id]) -> Schedule {
        Schedule {
            is_parallel: tree.root().has_parallel(),
            tree,
            gains: true,
            pays: Pays::ALWAYS,
            reductions: ReductionOrder::Free,
            privatised: privatised.to_vec(),
            ..Schedule::original(scop)
        }
    }

    /// The same order, with what is said of reductions.
    pub fn with_reductions(self, reductions: ReductionOrder) -> Schedule {
        Schedule { reductions, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop;

    /// `s[i] = 0; for k: s[i] += a[i][k]`, as the program runs it.
    const MODEL: &str = r#"name: rows
context: "[n] -> { : n > 0 }"
statements:
- name: Z
  domain: "[n] -> { Z[i] : 0 <= i < n }"
  accesses:
  - write: "{ Z[i] -> s[i] }"
- name: U
  domain: "[n] -> { U[i, k] : 0 <= i, k < n }"
  accesses:
  - read: "{ U[i, k] -> a[i, k] }"
  - { read: "{ U[i, k] -> s[i] }", reduction: + }
  - { write: "{ U[i, k] -> s[i] }", reduction: + }
schedule:
  domain: "[n] -> { Z[i] : 0 <= i < n; U[i, k] : 0 <= i, k < n }"
  child:
    schedule: "[n] -> [{ Z[i] -> [(i)]; U[i, k] -> [(i)] }]"
    child:
      sequence:
      - filter: "{ Z[i] }"
      - filter: "{ U[i, k] }"
        child: { schedule: "[{ U[i, k] -> [(k)] }]" }
"#;

    const APART: &str = r#"
# rows
# predicted time: 3
domain: "[n] -> { Z[i] : 0 <= i < n; U[i, k] : 0 <= i, k < n }"
child:
  sequence:
  - filter: "{ Z[i] }"
  - filter: "{ U[i, k] }"
    child:
      schedule: "[{ U[i, k] -> [(k)] }, { U[i, k] -> [(-i)] }]"
"#;

    fn applied(text: &str) -> Result<(Schedule, Scop, Dependences), String> {
        let scop = scop::read(MODEL).expect("a model");
        let dependences = Dependences::of(&scop);
        let given = Given::parse(text).map_err(|error| error.to_string())?;
        let entries = given.for_model(&scop, str::to_string);
        let order = |entry: &Entry| entry.schedule(&scop, &dependences, &[], || Schedule::original(&scop));
        let (_, schedule) = first_legal(&entries, (&scop, &dependences), order).ok_or("nothing fits")?;
        let schedule = schedule.map_err(|failure| match failure {
            script::Failure::Wrong(error) => error.to_string(),
            script::Failure::Illegal(illegal) => illegal.to_string(),
        })?;
        Ok((schedule, scop, dependences))
    }

    fn is_legal(text: &str) -> bool {
        let (schedule, scop, dependences) = applied(text).expect("a schedule");
        schedule.check(&scop, &dependences).is_ok()
    }

    fn refusal(text: &str) -> String {
        applied(text).expect_err("no schedule").lines().next().unwrap_or_default().to_string()
    }

    #[test]
    fn trees_are_proved() {
        assert!(is_legal(APART));
        assert!(!is_legal(
            &APART
                .replace("  - filter: \"{ Z[i] }\"\n", "")
                .replace("U[i, k] -> [(-i)] }]\"\n", "U[i, k] -> [(-i)] }]\"\n  - filter: \"{ Z[i] }\"\n")
        ));
        // The band orders the columns of one element of `s`.
        assert!(!is_legal(&APART.replace("(-i)] }]\"", "(-i)] }]\"\n      coincident: [ 1, 0 ]")));
    }

    #[test]
    fn entries_are_for_models_of_their_name_and_statements() {
        assert_eq!(refusal(&APART.replace("# rows", "# columns")), "nothing fits");
        assert_eq!(refusal(&APART.replace("U[", "V[")), "nothing fits");
        assert!(is_legal(&APART.replace("# rows\n", "")));
        let both = APART.replace("# rows", "# other").replace("U[", "V[") + APART;
        assert!(is_legal(&both) && Given::parse(&both).expect("schedules").names("other"));
        let missing = refusal(&APART.replace("0 <= i < n;", "0 < i < n;"));
        assert!(missing.starts_with("it leaves out instances of the model: [n] -> { Z["), "{missing}");
        let lost = refusal(&APART.replace("\"{ Z[i] }\"", "\"{ Z[i] : i > 0 }\""));
        assert!(lost.starts_with("it does not run each instance of the model once: no child"), "{lost}");
    }

    #[test]
    fn parameters_may_have_other_names() {
        assert!(is_legal(&APART.replace("[n]", "[size]").replace("< n;", "< size;").replace("< n }", "< size }")));
        let smaller =
            refusal(&APART.replace("[n]", "[size]").replace("< n;", "< size;").replace("< n }", "< size - 1 }"));
        assert!(smaller.contains("instances"), "{smaller}");
    }

    #[test]
    fn of_several_entries_that_fit_the_one_that_is_legal_is_taken() {
        let wrong = APART
            .replace("  - filter: \"{ Z[i] }\"\n", "")
            .replace("U[i, k] -> [(-i)] }]\"\n", "U[i, k] -> [(-i)] }]\"\n  - filter: \"{ Z[i] }\"\n");
        let smaller = APART.replace("0 <= i < n;", "0 < i < n;");
        assert!(is_legal(&(wrong.clone() + APART)) && is_legal(&(smaller.clone() + &wrong + APART)));
        assert!(!is_legal(&(smaller + &wrong)));
    }

    #[test]
    fn scripts_begin_with_the_name_of_their_model() {
        let (schedule, ..) =
            applied("function other\nreverse S.0\nfunction rows\ndistribute U.0\n").expect("a schedule");
        assert!(matches!(schedule.tree.root().children()[..], [Node::Sequence(_)]));
        assert_eq!(refusal("function other\nreverse Z.0"), "nothing fits");
        assert!(refusal("function rows\nreverse U.0\n\ninterchange U.0 U.7\n").ends_with("(line 4, column 17)"));
        assert!(refusal("function rows\nmove Z after U\n").starts_with("since line 2 (`move Z after U`)"));
    }

    #[test]
    fn a_flat_order_gets_its_parallel_loops() {
        let scop = scop::read(MODEL).expect("a model");
        let text = jscop::print(&scop);
        let (schedule, scop, dependences) = applied(&text).expect("a schedule");
        assert!(schedule.is_parallel && schedule.check(&scop, &dependences).is_ok());
    }

    #[test]
    fn copies_let_threads_share_a_reduction() {
        let script = "function rows\ndistribute U.0\ninterchange U.0 U.1\nrelax\n";
        assert!(refusal(&format!("{script}parallel U.0\n")).starts_with("since line 5 (`parallel U.0`)"));
        assert!(is_legal(&format!("{script}privatise s\nparallel U.0\n")));
        assert_eq!(refusal("privatise t"), "`t` is not an array (line 1, column 11)");
    }
}
