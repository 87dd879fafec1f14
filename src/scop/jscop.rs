//! JSCOP: the JSON files in which Polly exports and imports models.
//!
//! ```text
//! { "name": "%for---%end", "context": "[n] -> { : n > 0 }",
//!   "arrays": [ { "name": "MemRef_A", "sizes": [ "*", "1024" ], "type": "double" } ],
//!   "statements": [ { "name": "Stmt", "domain": "[n] -> { Stmt[i] : 0 <= i < n }",
//!                     "schedule": "[n] -> { Stmt[i] -> [i] }",
//!                     "accesses": [ { "kind": "write", "relation": "[n] -> { Stmt[i] -> MemRef_A[0, i] }" } ] } ] }
//! ```
//!
//! The schedules of the statements together are one flat schedule. An array's first size is `*`; sizes that are not numbers
//! are unknown extents to us.

use serde_json::{Value, json};
use std::ops::Range;

use super::parse::{declare, error_in};
use super::tree::Tree;
use super::{Access, AccessKind, Array, ArrayKind, ElementType, Scop, Statement};
use crate::presburger::{DimKind, Id, Int, Map, ParseError, PwAff, Set, Space, UnionMap, UnionSet};

/// Whether `text` is a JSON object with statements that have domains.
pub fn looks_like(text: &str) -> bool {
    let first = text.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with('{')) && text.contains("\"statements\"") && text.contains("\"domain\"")
}

/// The lines, from 0, of each of the documents of a text. Several of them begin at a line's beginning each; lines with `#` there are comments.
pub fn documents(text: &str) -> Vec<Range<usize>> {
    let n_lines = text.lines().count();
    let says_something = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    if serde_json::from_str::<serde::de::IgnoredAny>(&without_comments(text)).is_ok() {
        return std::iter::once(text.lines().position(says_something).unwrap_or(0)..n_lines).collect();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('{') {
            found.push(number..number);
        }
        if let Some(last) = found.last_mut() {
            last.end = number + 1;
        }
    }
    found
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| if line.starts_with('#') { "\n".to_string() } else { format!("{line}\n") }).collect()
}

/// Reads a JSCOP file.
pub fn parse(text: &str) -> Result<Scop, ParseError> {
    let text = &without_comments(text);
    let document: Value =
        serde_json::from_str(text).map_err(|e| error_in(text, e.line(), e.column(), &e.to_string()))?;
    let scop = scop(&document).map_err(|wrong| wrong.placed(text))?;
    super::verify(&scop).map_err(|violation| Wrong { within: None, message: violation.message }.placed(text))?;
    Ok(scop)
}

/// The text of `scop` as a JSCOP file.
pub fn print(scop: &Scop) -> String {
    let flat = scop.schedule.to_map();
    let arrays: Vec<Value> = scop
        .arrays
        .iter()
        .map(|a| json!({ "name": a.name.as_str(), "sizes": sizes(a), "type": type_name(a.element) }))
        .collect();
    let statement = |s: &Statement| {
        let schedule = flat.maps().find(|m| m.space().tuple_name(DimKind::In) == Some(&s.name)).map(|m| m.to_string());
        let accesses: Vec<Value> = s
            .accesses
            .iter()
            .filter_map(|a| Some((s.effect(a).filter(|kind| *kind != AccessKind::Kill)?, a)))
            .map(|(kind, a)| json!({ "kind": kind_name(kind), "relation": a.relation.to_string() }))
            .collect();
        json!({ "name": s.name.as_str(), "domain": s.domain.to_string(), "schedule": schedule, "accesses": accesses })
    };
    let statements: Vec<Value> = scop.statements.iter().map(statement).collect();
    let document =
        json!({ "name": scop.name, "context": scop.context.to_string(), "arrays": arrays, "statements": statements });
    format!("{document:#}\n")
}

/// An error, and the string of the document that holds it.
struct Wrong {
    within: Option<(String, usize)>,
    message: String,
}

impl Wrong {
    fn missing(key: &str) -> Self {
        Self { within: None, message: format!("`{key}` is missing or of another type") }
    }

    fn placed(self, text: &str) -> ParseError {
        let offset = self.within.as_ref().and_then(|(part, column)| Some(text.find(part.as_str())? + column - 1));
        let before = &text[..offset.filter(|&o| text.is_char_boundary(o)).unwrap_or(0)];
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        error_in(text, before.matches('\n').count() + 1, column, &self.message)
    }
}

fn string<'a>(value: &'a Value, key: &str) -> Result<&'a str, Wrong> {
    value.get(key).and_then(Value::as_str).ok_or_else(|| Wrong::missing(key))
}

fn isl<T>(value: &Value, key: &str, parse: impl Fn(&str) -> Result<T, ParseError>) -> Result<T, Wrong> {
    let text = string(value, key)?;
    parse(text).map_err(|e| Wrong { within: Some((text.to_string(), e.column)), message: e.message })
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], Wrong> {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| Wrong::missing(key))
}

fn scop(document: &Value) -> Result<Scop, Wrong> {
    let context = isl(document, "context", Set::parse)?;
    let (mut domain, mut schedule) = (UnionSet::empty(&[]), UnionMap::empty(&[]));
    let mut statements = Vec::new();
    for value in list(document, "statements")? {
        let statement = statement(value)?;
        let times = isl(value, "schedule", Map::parse)?;
        schedule = schedule.union(&UnionMap::from_map(&times));
        domain = domain.union(&UnionSet::from_set(&statement.domain));
        statements.push(statement);
    }
    let mut arrays = match document.get("arrays") {
        Some(_) => list(document, "arrays")?.iter().map(array).collect::<Result<Vec<_>, _>>()?,
        None => Vec::new(),
    };
    declare(&mut arrays, &statements);
    let params = super::parse::mentioned(std::iter::once(&context).chain(statements.iter().map(|s| &s.domain)));
    let schedule = Tree::from_map_on(&domain, &schedule).map_err(|e| Wrong { within: None, message: e.to_string() })?;
    let scop = Scop {
        name: string(document, "name")?.to_string(),
        context: context.params(),
        assumed: Set::universe(&Space::params_only(&params)),
        params,
        arrays: arrays.into(),
        symbols: Vec::new(),
        statements: statements.into(),
        schedule,
    };
    Ok(scop.aligned())
}

fn statement(value: &Value) -> Result<Statement, Wrong> {
    let name = string(value, "name")?;
    let domain = isl(value, "domain", Set::parse)?;
    let access = |(i, a): (usize, &Value)| -> Result<Access, Wrong> {
        let relation = isl(a, "relation", Map::parse)?;
        let kind = match string(a, "kind")? {
            "read" => AccessKind::Read,
            "write" => AccessKind::MustWrite,
            "may_write" | "maywrite" => AccessKind::MayWrite,
            other => {
                return Err(Wrong { within: Some((other.to_string(), 1)), message: format!("unknown kind `{other}`") });
            }
        };
        let array = relation.space().tuple_name(DimKind::Out).cloned().ok_or_else(|| Wrong::missing("array name"))?;
        if relation.space().tuple(DimKind::In) != domain.space().tuple(DimKind::Out) {
            return Err(Wrong { within: None, message: format!("an access of {name} begins at other instances") });
        }
        let relation = relation.intersect_domain(&domain);
        Ok(Access {
            id: Id::new(&format!("{name}_{i}")),
            kind,
            array,
            relation,
            applied: None,
            reduction: None,
            condition: None,
            location: None,
        })
    };
    let accesses = list(value, "accesses")?.iter().enumerate().map(access).collect::<Result<_, _>>()?;
    Ok(Statement {
        name: Id::new(name),
        accesses,
        speculatable: false,
        location: None,
        operations: 1,
        vector_time: None,
        has_loop: false,
        side_by_side: false,
        branches: false,
        seldom_replaces: false,
        packed: 0,
        regular: None,
        compute: None,
        applied: None,
        domain,
    })
}

const TYPES: [(&str, ElementType); 8] = [
    ("double", ElementType::Float(64)),
    ("float", ElementType::Float(32)),
    ("half", ElementType::Float(16)),
    ("i64", ElementType::Int(64)),
    ("i32", ElementType::Int(32)),
    ("i16", ElementType::Int(16)),
    ("i8", ElementType::Int(8)),
    ("ptr", ElementType::Pointer),
];

fn type_name(element: ElementType) -> String {
    TYPES.iter().find(|(_, e)| *e == element).map_or_else(|| element.to_string(), |(name, _)| name.to_string())
}

fn kind_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::MustWrite | AccessKind::Kill => "write",
        AccessKind::MayWrite => "may_write",
    }
}

fn sizes(array: &Array) -> Vec<String> {
    let size = |extent: &Option<PwAff>| {
        extent.as_ref().and_then(|e| e.as_aff()?.as_integer()).map_or("*".to_string(), |n| n.to_string())
    };
    array.shape.iter().map(size).collect()
}

fn array(value: &Value) -> Result<Array, Wrong> {
    let name = string(value, "name")?;
    let type_text = value.get("type").and_then(Value::as_str).unwrap_or("double");
    let known = TYPES.iter().find(|(n, _)| *n == type_text).map(|(_, e)| *e);
    let element = known.or_else(|| super::parse::element_of(type_text)).unwrap_or(ElementType::Opaque(64));
    let extent = |v: &Value| {
        v.as_str().and_then(|s| s.parse().ok()).map(|n: Int| PwAff::constant_on_domain(&Space::params_only(&[]), &n))
    };
    let shape = list(value, "sizes")?.iter().map(extent).collect();
    Ok(Array {
        name: Id::new(name),
        element,
        size_bytes: element.bytes(),
        shape,
        kind: ArrayKind::Memory,
        live_out: true,
        source_name: None,
        own: 0,
    })
}
