//! Reading the text form of a model.
//!
//! ```text
//! name: sum
//! context: "[n] -> { : n >= 0 }"
//! arrays:
//! - { name: A, element: f64, shape: [ "[n] -> { [(n)] }" ] }
//! - { name: s, element: f64, live_out: true }
//! statements:
//! - name: S
//!   domain: "[n] -> { S[i] : 0 <= i < n }"
//!   accesses:
//!   - read: "[n] -> { S[i] -> A[i] }"
//!   - { read: "[n] -> { S[i] -> s[] }", reduction: + }
//!   - { write: "[n] -> { S[i] -> s[] }", reduction: + }
//! schedule:
//!   domain: "[n] -> { S[i] : 0 <= i < n }"
//!   child:
//!     schedule: "[n] -> [{ S[i] -> [(i)] }]"
//! ```
//!
//! A statement may say what it computes from its reads, `compute: "S_0 + S_1"`, and an access `when: "{ S[i] -> p[i] }"` (or
//! `unless`) reads a truth value that its instance runs under: see [`Expression`].
//!
//! What is left out has a default: contexts hold always, arrays that are mentioned but not declared are memory of unknown shape
//! that is read later (a scalar, if it holds truth values), an access has a name made of its statement and its place. The relation of an access is restricted to
//! its statement's domain. The order of the keys is free. An error inside a set is shown at its place in the document.
//!
//! Implements: 002 5.2.3

use super::applied::{self, Application, Applied};
use super::tree::{Tree, inside};
use super::yaml::{self, Malformed};
use super::{
    Access, AccessKind, Array, ArrayKind, ElementType, Expression, Location, ReductionOperator, Scop, Statement, Symbol,
};
use super::{jscop, pm, verify};
use crate::presburger::{DimKind, Id, Int, Map, ParseError, PwAff, Set, Space};

/// Bytes of an element whose type is not given.
const DEFAULT_ELEMENT: ElementType = ElementType::Float(64);

/// Reads a model in its text form and checks its laws.
pub fn parse(text: &str) -> Result<Scop, ParseError> {
    let document = yaml::parse(text).map_err(|e| shown(text, &e))?;
    let scop = Reader { symbols: Vec::new() }.scop(&document).map_err(|e| shown(text, &e))?;
    checked(scop, text, &document)
}

/// Reads a model in any known form: the text form, one `key: isl text` per line, or JSCOP, told apart by their content.
pub fn read(text: &str) -> Result<Scop, ParseError> {
    if pm::looks_like(text) {
        pm::parse(text)
    } else if jscop::looks_like(text) {
        jscop::parse(text)
    } else {
        parse(text)
    }
}

fn checked(scop: Scop, text: &str, document: &yaml::Value) -> Result<Scop, ParseError> {
    match verify::verify(&scop) {
        Ok(()) => Ok(scop),
        Err(violation) => Err(shown(text, &place_of(&violation, document).error(violation.message))),
    }
}

/// The value that a violated law speaks of: the statement's or the schedule's.
fn place_of<'a>(violation: &verify::Violation, document: &'a yaml::Value) -> &'a yaml::Value {
    let statements = document.get("statements").and_then(|s| s.sequence().ok()).unwrap_or_default();
    let named = |s: &&yaml::Value| {
        let name = s.get("name").and_then(|n| n.scalar().ok());
        violation.statement.as_ref().is_some_and(|wanted| name == Some(wanted.as_str()))
    };
    statements.iter().find(named).unwrap_or_else(|| document.get("schedule").unwrap_or(document))
}

fn shown(text: &str, error: &Malformed) -> ParseError {
    error_in(text, error.line, error.column, &error.message)
}

/// An error at a place (from 1) of a text.
pub(super) fn error_in(text: &str, line: usize, column: usize, message: &str) -> ParseError {
    let shown = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    ParseError { message: message.to_string(), line, column, text: shown.to_string() }
}

struct Reader {
    symbols: Vec<Symbol>,
}

/// What a statement's domain and accesses say, each with the values of its own applications, and where each stands.
struct Strings<'v> {
    statement: String,
    applications: Vec<Application>,
    /// For each string its place, its text, and which applications of the statement its values are.
    texts: Vec<(&'v yaml::Value, String, Vec<usize>)>,
}

impl<'v> Strings<'v> {
    fn of(statement: &str, given: &[&'v yaml::Value], symbols: &[Symbol]) -> Result<Self, Malformed> {
        let mut all = Strings { statement: statement.to_string(), applications: Vec::new(), texts: Vec::new() };
        let mut rewritten = Vec::new();
        for value in given {
            let text =
                applied::rewritten(value.scalar()?, statement, symbols).map_err(|message| value.error(message))?;
            rewritten.push((*value, text));
        }
        let mut found: Vec<(Id, Map, Vec<usize>)> = Vec::new();
        for (value, text) in rewritten {
            let mut own: Vec<usize> = Vec::new();
            for at in 0..text.applications.len() {
                let map = applied::arguments_text(&text, statement, at)
                    .ok_or_else(|| value.error("a symbol is applied where there is no instance"))?;
                let map = Map::parse(&map).map_err(|e| value.error(format!("in an application: {}", e.message)))?;
                let symbol = &text.applications[at].0;
                let n = map.dim(DimKind::In) - text.applications.len();
                let outer = map.project_out(DimKind::In, n + at, text.applications.len() - at);
                let same = |(name, known, values): &(Id, Map, Vec<usize>)| {
                    let is_same_size = known.dim(DimKind::In) == outer.dim(DimKind::In);
                    name == symbol && *values == own && is_same_size && known.is_equal(&outer)
                };
                let place = found.iter().position(same).unwrap_or_else(|| {
                    found.push((symbol.clone(), outer.clone(), own.clone()));
                    found.len() - 1
                });
                own.push(place);
            }
            all.texts.push((value, text.text, own));
        }
        let total = found.len();
        for (symbol, arguments, values) in found {
            let arguments = all.widened(&arguments, &values, total);
            all.applications.push(Application { symbol, arguments });
        }
        Ok(all)
    }

    /// A relation from instances with the values of the applications `values` as one with all `total` values.
    fn widened(&self, relation: &Map, values: &[usize], total: usize) -> Map {
        let n = relation.dim(DimKind::In) - values.len();
        let all = Set::universe(&Space::alloc_set(&[], Some(&self.statement), n + total));
        let some = Set::universe(&Space::alloc_set(&[], Some(&self.statement), n + values.len()));
        let pairs = Map::from_domain_and_range(&all, &some);
        let pairs = (0..n).fold(pairs, |pairs, d| pairs.equate(DimKind::In, d, DimKind::Out, d));
        let equal =
            |pairs: Map, (own, place): (usize, &usize)| pairs.equate(DimKind::In, n + place, DimKind::Out, n + own);
        values
            .iter()
            .enumerate()
            .fold(pairs, equal)
            .apply_range(&relation.set_tuple_name(DimKind::In, Some(&self.statement)))
    }
}

impl Reader {
    fn scop(&self, document: &yaml::Value) -> Result<Scop, Malformed> {
        const KEYS: [&str; 8] = ["name", "params", "context", "assumed", "arrays", "symbols", "statements", "schedule"];
        known_keys(document, &KEYS)?;
        let items = |key| document.get(key).map_or(Ok(&[][..]), yaml::Value::sequence);
        let symbols = items("symbols")?.iter().map(|s| self.symbol(s)).collect::<Result<_, _>>()?;
        let this = Reader { symbols };
        let statements = items("statements")?.iter().map(|s| this.statement(s)).collect::<Result<Vec<_>, _>>()?;
        let mut arrays = items("arrays")?.iter().map(|a| self.array(a)).collect::<Result<Vec<_>, _>>()?;
        declare(&mut arrays, &statements);
        let schedule = required(document, "schedule")?;
        let context = optional(document, "context", parameter_set)?;
        let assumed = optional(document, "assumed", parameter_set)?;
        let params = match document.get("params") {
            Some(list) => {
                list.sequence()?.iter().map(|p| Ok(Id::new(p.scalar()?))).collect::<Result<_, Malformed>>()?
            }
            None => mentioned(context.iter().chain(&assumed).chain(statements.iter().map(|s| &s.domain))),
        };
        let everything = Set::universe(&Space::params_only(&params));
        let scop = Scop {
            name: document.get("name").map_or(Ok("scop"), yaml::Value::scalar)?.to_string(),
            context: context.unwrap_or_else(|| everything.clone()),
            assumed: assumed.unwrap_or(everything),
            params,
            arrays: arrays.into(),
            symbols: this.symbols,
            statements: statements.into(),
            schedule: Tree::from_yaml(schedule)?,
        };
        Ok(scop.aligned())
    }

    fn array(&self, value: &yaml::Value) -> Result<Array, Malformed> {
        known_keys(value, &["name", "element", "size_bytes", "shape", "kind", "live_out", "source_name", "own"])?;
        let element = optional(value, "element", element_type)?.unwrap_or(DEFAULT_ELEMENT);
        let extent = |v: &yaml::Value| match v.scalar()? {
            "" | "*" => Ok(None),
            text => PwAff::parse(text).map(Some).map_err(|e| inside(v, &e)),
        };
        let shape = value.get("shape").map_or(Ok(&[][..]), yaml::Value::sequence)?;
        Ok(Array {
            name: Id::new(required(value, "name")?.scalar()?),
            element,
            size_bytes: optional(value, "size_bytes", number)?.unwrap_or_else(|| element.bytes()),
            shape: shape.iter().map(extent).collect::<Result<_, _>>()?,
            kind: optional(value, "kind", array_kind)?.unwrap_or(ArrayKind::Memory),
            live_out: optional(value, "live_out", boolean)?.unwrap_or(true),
            source_name: value.get("source_name").map(|v| v.scalar().map(str::to_string)).transpose()?,
            own: optional(value, "own", number)?.unwrap_or(0) as usize,
        })
    }

    fn symbol(&self, value: &yaml::Value) -> Result<Symbol, Malformed> {
        known_keys(value, &["name", "arity", "lower", "upper", "injective", "monotone"])?;
        Ok(Symbol {
            name: Id::new(required(value, "name")?.scalar()?),
            arity: optional(value, "arity", number)?.unwrap_or(1) as usize,
            lower: optional(value, "lower", integer)?,
            upper: optional(value, "upper", integer)?,
            injective: optional(value, "injective", boolean)?.unwrap_or(false),
            monotone: optional(value, "monotone", boolean)?.unwrap_or(false),
        })
    }

    fn statement(&self, value: &yaml::Value) -> Result<Statement, Malformed> {
        const KEYS: [&str; 15] = [
            "name",
            "domain",
            "applies",
            "accesses",
            "speculatable",
            "location",
            "operations",
            "vector_time",
            "has_loop",
            "side_by_side",
            "branches",
            "seldom_replaces",
            "packed",
            "regular",
            "compute",
        ];
        known_keys(value, &KEYS)?;
        let name = required(value, "name")?.scalar()?;
        let accesses = value.get("accesses").map_or(Ok(&[][..]), yaml::Value::sequence)?;
        let kinds = accesses.iter().map(kind_of).collect::<Result<Vec<_>, _>>()?;
        let texts: Vec<&yaml::Value> =
            std::iter::once(required(value, "domain")?).chain(kinds.iter().map(|(text, ..)| *text)).collect();
        let mut strings = Strings::of(name, &texts, &self.symbols)?;
        if let Some(applies) = value.get("applies") {
            strings.applications = applies.sequence()?.iter().map(application).collect::<Result<_, _>>()?;
            let all: Vec<usize> = (0..strings.applications.len()).collect();
            strings.texts.iter_mut().for_each(|(_, _, values)| values.clone_from(&all));
        }
        let total = strings.applications.len();
        let (place, text, values) = &strings.texts[0];
        let domain = Set::parse(text).map_err(|e| inside(place, &e))?;
        let (domain, applied) = if total == 0 {
            (domain, None)
        } else {
            let nothing = Set::universe(&Space::alloc_set(&[], Some("_"), 0));
            let domain = strings.widened(&Map::from_domain_and_range(&domain, &nothing), values, total).domain();
            let applied = Applied { applications: strings.applications.clone(), domain }.within_bounds(&self.symbols);
            (applied.instances(), Some(applied))
        };
        let access =
            |(at, (value, kind))| self.access(value, kind, &strings, &strings.texts[at + 1], (&domain, &applied), at);
        Ok(Statement {
            name: Id::new(name),
            accesses: accesses.iter().zip(&kinds).enumerate().map(access).collect::<Result<_, _>>()?,
            speculatable: optional(value, "speculatable", boolean)?.unwrap_or(false),
            location: optional(value, "location", location)?,
            operations: optional(value, "operations", number)?.unwrap_or(1) as u32,
            vector_time: optional(value, "vector_time", number)?.map(|time| time as u32),
            has_loop: optional(value, "has_loop", boolean)?.unwrap_or(false),
            side_by_side: optional(value, "side_by_side", boolean)?.unwrap_or(false),
            branches: optional(value, "branches", boolean)?.unwrap_or(false),
            seldom_replaces: optional(value, "seldom_replaces", boolean)?.unwrap_or(false),
            packed: optional(value, "packed", number)?.map_or(0, |stores| stores as u32),
            regular: optional(value, "regular", |v| regular(v, &domain))?,
            compute: optional(value, "compute", |v| Expression::parse(v.scalar()?).map_err(|e| inside(v, &e)))?,
            domain,
            applied,
        })
    }

    fn access(
        &self,
        value: &yaml::Value,
        (_, kind, condition): &(&yaml::Value, AccessKind, Option<bool>),
        strings: &Strings<'_>,
        (place, text, values): &(&yaml::Value, String, Vec<usize>),
        (domain, applied): (&Set, &Option<Applied>),
        at: usize,
    ) -> Result<Access, Malformed> {
        let relation = Map::parse(text).map_err(|e| inside(place, &e))?;
        let Some(array) = relation.space().tuple_name(DimKind::Out).cloned() else {
            return Err(place.error("the elements of an access have no array name"));
        };
        let begins = |n: usize| {
            relation.space().tuple_name(DimKind::In) == domain.space().tuple_name(DimKind::Out)
                && relation.dim(DimKind::In) == n
        };
        if !begins(domain.dim(DimKind::Out) + values.len()) {
            return Err(place.error("an access begins at other instances than those of its statement"));
        }
        let full = applied.as_ref().map(|applied| {
            strings.widened(&relation, values, applied.applications.len()).intersect_domain(&applied.domain)
        });
        let relation = match (applied, &full) {
            (Some(applied), Some(full)) => applied.without_values(full),
            _ => relation.intersect_domain(domain),
        };
        Ok(Access {
            id: Id::new(
                value.get("id").map_or(Ok(format!("{}_{at}", strings.statement).as_str()), yaml::Value::scalar)?,
            ),
            kind: *kind,
            array,
            relation,
            applied: full,
            reduction: optional(value, "reduction", operator)?,
            condition: *condition,
            location: optional(value, "location", location)?,
        })
    }
}

/// Instances of a statement with this domain.
fn regular(value: &yaml::Value, domain: &Set) -> Result<Set, Malformed> {
    let regular = Set::parse(value.scalar()?).map_err(|e| inside(value, &e))?;
    let instances = |set: &Set| (set.space().tuple_name(DimKind::Out).cloned(), set.dim(DimKind::Out));
    if instances(&regular) != instances(domain) {
        return Err(value.error("regular instances are those of another statement"));
    }
    Ok(regular)
}

/// The text of an access's relation, what the access does, and the truth value it asks for if it is a condition.
fn kind_of(value: &yaml::Value) -> Result<(&yaml::Value, AccessKind, Option<bool>), Malformed> {
    const KINDS: [(&str, AccessKind, Option<bool>); 6] = [
        ("read", AccessKind::Read, None),
        ("may_write", AccessKind::MayWrite, None),
        ("write", AccessKind::MustWrite, None),
        ("kill", AccessKind::Kill, None),
        ("when", AccessKind::Read, Some(true)),
        ("unless", AccessKind::Read, Some(false)),
    ];
    known_keys(value, &["id", "read", "write", "may_write", "kill", "when", "unless", "reduction", "location"])?;
    let given = KINDS.iter().filter_map(|(key, kind, condition)| Some((value.get(key)?, *kind, *condition)));
    match given.collect::<Vec<_>>()[..] {
        [one] => Ok(one),
        _ => Err(value.error("expected one of `read`, `write`, `may_write`, `kill`, `when` and `unless`")),
    }
}

/// `{ S[i, v] -> f[arguments] }`
fn application(value: &yaml::Value) -> Result<Application, Malformed> {
    let map = Map::parse(value.scalar()?).map_err(|e| inside(value, &e))?;
    let symbol = map.space().tuple_name(DimKind::Out).cloned().ok_or_else(|| value.error("expected a symbol"))?;
    Ok(Application { symbol, arguments: map.set_tuple_name(DimKind::Out, None) })
}

impl ElementType {
    /// Bytes that one element of this type occupies unless something else is said.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Int(bits) | Self::Float(bits) | Self::Opaque(bits) => u64::from(bits).div_ceil(8),
            Self::Pointer => 8,
        }
    }
}

/// Adds the arrays that accesses mention and nobody has declared.
pub(super) fn declare(arrays: &mut Vec<Array>, statements: &[Statement]) {
    for access in statements.iter().flat_map(|s| &s.accesses) {
        if arrays.iter().any(|a| a.name == access.array) {
            continue;
        }
        let is_condition = |a: &Access| a.array == access.array && a.condition.is_some();
        let truth = statements.iter().flat_map(|s| &s.accesses).any(is_condition);
        let element = if truth { ElementType::Int(1) } else { DEFAULT_ELEMENT };
        arrays.push(Array {
            name: access.array.clone(),
            element,
            size_bytes: element.bytes(),
            shape: vec![None; access.relation.dim(DimKind::Out)],
            kind: if truth { ArrayKind::Scalar } else { ArrayKind::Memory },
            live_out: !truth,
            source_name: None,
            own: 0,
        });
    }
}

/// The parameters of some sets, in the order in which they are mentioned.
pub(super) fn mentioned<'a>(sets: impl Iterator<Item = &'a Set>) -> Vec<Id> {
    let mut params: Vec<Id> = Vec::new();
    for set in sets {
        for id in set.space().params() {
            if !params.contains(id) {
                params.push(id.clone());
            }
        }
    }
    params
}

fn required<'a>(value: &'a yaml::Value, key: &str) -> Result<&'a yaml::Value, Malformed> {
    value.mapping()?;
    value.get(key).ok_or_else(|| value.error(format!("`{key}` is missing")))
}

fn optional<T>(
    value: &yaml::Value,
    key: &str,
    read: impl Fn(&yaml::Value) -> Result<T, Malformed>,
) -> Result<Option<T>, Malformed> {
    value.get(key).map(read).transpose()
}

fn known_keys(value: &yaml::Value, keys: &[&str]) -> Result<(), Malformed> {
    let unknown = value.mapping()?.iter().find(|(k, _)| !keys.contains(&k.as_str()));
    unknown.map_or(Ok(()), |(k, v)| Err(v.error(format!("unknown key `{k}`; expected one of {}", keys.join(", ")))))
}

fn set(value: &yaml::Value) -> Result<Set, Malformed> {
    Set::parse(value.scalar()?).map_err(|e| inside(value, &e))
}

fn parameter_set(value: &yaml::Value) -> Result<Set, Malformed> {
    let set = set(value)?;
    if set.space().is_params() {
        Ok(set)
    } else {
        Err(value.error("expected a set of parameters, as in `[n] -> { : n > 0 }`"))
    }
}

fn one_of<T: Copy>(value: &yaml::Value, words: &[(&str, T)]) -> Result<T, Malformed> {
    let text = value.scalar()?;
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
    let list = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| value.error(format!("`{text}` is not one of {}", list())))
}

fn boolean(value: &yaml::Value) -> Result<bool, Malformed> {
    one_of(value, &[("true", true), ("false", false)])
}

fn array_kind(value: &yaml::Value) -> Result<ArrayKind, Malformed> {
    one_of(value, &[("memory", ArrayKind::Memory), ("scalar", ArrayKind::Scalar)])
}

fn operator(value: &yaml::Value) -> Result<ReductionOperator, Malformed> {
    one_of(value, &ReductionOperator::ALL.map(|operator| (operator.word(), operator)))
}

fn number(value: &yaml::Value) -> Result<u64, Malformed> {
    value.scalar()?.parse().map_err(|_| value.error("expected a number"))
}

fn integer(value: &yaml::Value) -> Result<Int, Malformed> {
    value.scalar()?.parse().map_err(|_| value.error("expected an integer"))
}

fn element_type(value: &yaml::Value) -> Result<ElementType, Malformed> {
    element_of(value.scalar()?).ok_or_else(|| value.error("expected a type: i32, f64, b128 (no arithmetic), ptr"))
}

/// The element type written so.
pub(super) fn element_of(text: &str) -> Option<ElementType> {
    if text == "ptr" {
        return Some(ElementType::Pointer);
    }
    let bits = text.get(1..)?.parse().ok().filter(|&bits: &u32| bits > 0)?;
    match &text[..1] {
        "i" => Some(ElementType::Int(bits)),
        "f" => Some(ElementType::Float(bits)),
        "b" => Some(ElementType::Opaque(bits)),
        _ => None,
    }
}

fn location(value: &yaml::Value) -> Result<Location, Malformed> {
    let text = value.scalar()?;
    let split = |text: &'_ str| text.rsplit_once(':').and_then(|(file, n)| Some((file.to_string(), n.parse().ok()?)));
    let (rest, last): (String, u32) =
        split(text).ok_or_else(|| value.error("expected a place, as in `kernel.c:12`"))?;
    Ok(match split(&rest) {
        Some((file, line)) => Location { file, line, column: last },
        None => Location { file: rest, line: last, column: 0 },
    })
}
