//! Models as isl-based exporters write them: one `key: isl text` per line.
//!
//! ```text
//! name: sum
//! context: [n] -> { : n >= 0 }
//! domain: [n] -> { S[i] : 0 <= i < n }
//! schedule: [n] -> { S[i] -> [i] }
//! reads: [n] -> { S[i] -> A[i]; S[i] -> s[] : 0 <= i < n }
//! must_writes: [n] -> { S[i] -> s[] : 0 <= i < n }
//! may_writes: [n] -> { }
//! ```
//!
//! `when` and `unless` relate instances to the truth values that they run under, `compute` says what statements compute:
//!
//! ```text
//! when: [n] -> { S[i] -> p[i] }
//! compute: S = S_0 + S_1; P = P_0 > 0
//! ```
//!
//! The flat schedule becomes a tree: a dimension that is a constant in each statement is a sequence, any other one a member
//! of a band. A relation of several conjunctions is one access if it is a function, else one access for each of them: the
//! reads `A[i - 1]`, `A[i]` and `A[i + 1]` of one statement are three.

use super::parse::{declare, error_in, mentioned};
use super::place::located;
use super::tree::Tree;
use super::{Access, AccessKind, Expression, Scop, Statement};
use crate::presburger::{DimKind, Id, Map, ParseError, Set, UnionMap, UnionSet};

const KEYS: [&str; 12] = [
    "name",
    "variant",
    "context",
    "domain",
    "schedule",
    "reads",
    "must_writes",
    "may_writes",
    "kills",
    "when",
    "unless",
    "compute",
];

/// Whether `text` is in this form: each line that is not blank begins with one of the keys.
pub fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')).peekable();
    lines.peek().is_some() && lines.all(|line| key_of(line).is_some()) && text.lines().any(|l| l.starts_with("domain:"))
}

fn key_of(line: &str) -> Option<&str> {
    line.split_once(':').map(|(key, _)| key).filter(|key| KEYS.contains(key))
}

/// Reads a model in this form.
pub fn parse(text: &str) -> Result<Scop, ParseError> {
    let lines = Lines { text };
    let domain = lines.read("domain", UnionSet::parse)?.ok_or_else(|| error_in(text, 1, 1, "`domain` is missing"))?;
    let schedule = lines.read("schedule", UnionMap::parse)?;
    let context = lines.read("context", Set::parse)?;
    let mut statements = statements(&domain).map_err(|message| lines.error("domain", &message))?;
    let kinds = [
        ("reads", AccessKind::Read, None),
        ("may_writes", AccessKind::MayWrite, None),
        ("must_writes", AccessKind::MustWrite, None),
        ("kills", AccessKind::Kill, None),
        ("when", AccessKind::Read, Some(true)),
        ("unless", AccessKind::Read, Some(false)),
    ];
    for (key, kind, condition) in kinds {
        let relation = lines.read(key, UnionMap::parse)?.unwrap_or_else(|| UnionMap::empty(&[]));
        attach(&mut statements, kind, condition, &relation).map_err(|message| lines.error(key, &message))?;
    }
    compute(&mut statements, &lines)?;
    let mut arrays = Vec::new();
    declare(&mut arrays, &statements);
    let params = mentioned(context.iter().chain(statements.iter().map(|s| &s.domain)));
    let everything = Set::universe(&crate::presburger::Space::params_only(&params));
    let schedule = schedule.ok_or_else(|| error_in(text, 1, 1, "`schedule` is missing"))?;
    let schedule = Tree::from_map_on(&domain, &schedule).map_err(|e| lines.error("schedule", &e.to_string()))?;
    let scop = Scop {
        name: lines.get("name").map_or("scop", |(_, _, name)| name).to_string(),
        context: context.map_or_else(|| everything.clone(), |c| c.params()),
        assumed: everything,
        params,
        arrays: arrays.into(),
        symbols: Vec::new(),
        statements: statements.into(),
        schedule,
    };
    let scop = scop.aligned();
    super::verify(&scop).map_err(|violation| match &violation.statement {
        Some(statement) => located(text, statement, violation.about, &violation.message),
        None => lines.error("schedule", &violation.message),
    })?;
    Ok(scop)
}

struct Lines<'a> {
    text: &'a str,
}

impl<'a> Lines<'a> {
    /// The line (from 1), the column (from 1) and the text of the value of `key`.
    fn get(&self, key: &str) -> Option<(usize, usize, &'a str)> {
        self.text.lines().enumerate().find_map(|(i, line)| {
            let value = line.strip_prefix(key)?.strip_prefix(':')?;
            let blank = value.len() - value.trim_start().len();
            Some((i + 1, key.len() + 2 + blank, value.trim()))
        })
    }

    fn read<T>(&self, key: &str, parse: impl Fn(&str) -> Result<T, ParseError>) -> Result<Option<T>, ParseError> {
        let Some((line, column, text)) = self.get(key) else { return Ok(None) };
        let placed = |e: ParseError| error_in(self.text, line, column + e.column - 1, &e.message);
        parse(text).map(Some).map_err(placed)
    }

    fn error(&self, key: &str, message: &str) -> ParseError {
        let (line, column) = self.get(key).map_or((1, 1), |(line, column, _)| (line, column));
        error_in(self.text, line, column, message)
    }
}

/// Gives statements their computations, as in `S = S_0 + S_1; T = T_0`.
fn compute(statements: &mut [Statement], lines: &Lines<'_>) -> Result<(), ParseError> {
    let Some((line, column, text)) = lines.get("compute") else { return Ok(()) };
    let mut at = 0;
    for part in text.split(';') {
        let place = |offset: usize| column + text[..at + offset].chars().count();
        let wrong = |offset, message: &str| error_in(lines.text, line, place(offset), message);
        let (name, expression) = part.split_once('=').ok_or_else(|| wrong(0, "expected `statement = expression`"))?;
        let statement = statements.iter_mut().find(|s| s.name.as_str() == name.trim());
        let statement = statement.ok_or_else(|| wrong(0, &format!("there is no statement {}", name.trim())))?;
        let read = Expression::parse(expression);
        statement.compute = Some(read.map_err(|e| wrong(name.len() + e.column, &e.message))?);
        at += part.len() + 1;
    }
    Ok(())
}

/// One statement for each space, in the order of their names.
pub(super) fn statements(domain: &UnionSet) -> Result<Vec<Statement>, String> {
    domain.sets().map(|set| statement(&set)).collect()
}

fn statement(set: &Set) -> Result<Statement, String> {
    let name = set.space().tuple_name(DimKind::Out).cloned().ok_or("a statement has no name")?;
    Ok(Statement::bare(name, set.clone()))
}

/// Gives each statement its part of `relation` as accesses.
pub(super) fn attach(
    statements: &mut [Statement],
    kind: AccessKind,
    condition: Option<bool>,
    relation: &UnionMap,
) -> Result<(), String> {
    for map in relation.maps() {
        let name =
            map.space().tuple_name(DimKind::In).cloned().ok_or("an access begins at instances without a name")?;
        let array = map.space().tuple_name(DimKind::Out).cloned().ok_or("an access ends at elements without a name")?;
        let statement = statements.iter_mut().find(|s| s.name == name);
        let statement = statement.ok_or_else(|| format!("there is no statement {name}"))?;
        let inside = map.intersect_domain(&statement.domain);
        for relation in references(&inside) {
            let id = Id::new(&format!("{name}_{}", statement.accesses.len()));
            let array = array.clone();
            statement.accesses.push(Access {
                id,
                kind,
                array,
                relation,
                applied: None,
                reduction: None,
                condition,
                location: None,
            });
        }
    }
    Ok(())
}

/// The functions that a relation consists of, as far as its conjunctions show them.
fn references(relation: &Map) -> Vec<Map> {
    if relation.pieces().len() < 2 || relation.is_single_valued() {
        return vec![relation.clone()];
    }
    relation.pieces().iter().map(Map::from_basic).collect()
}
