//! What an expression is worth: sets, relations, numbers, truth values, texts, lists.

use std::fmt;

use crate::presburger::{Int, PwMultiAff, UnionMap, UnionPwQPolynomial, UnionPwQPolynomialFold, UnionSet};
use crate::scop::tree::{Node, Tree};
use crate::scop::yaml;

/// A value of the language.
#[derive(Clone, Debug)]
pub enum Value {
    /// A union of sets; a set of parameters is one without a tuple.
    Set(UnionSet),
    /// A union of relations.
    Map(UnionMap),
    /// Numbers that depend on parameters and elements, such as a count.
    Polynomial(UnionPwQPolynomial),
    /// The greatest or the least of such, as a bound.
    Fold(UnionPwQPolynomialFold),
    /// A tuple of functions of the parameters, such as a vertex.
    Function(PwMultiAff),
    /// A schedule tree.
    Tree(Tree),
    /// Text in C.
    Code(String),
    /// An integer.
    Int(Int),
    /// A truth value.
    Bool(bool),
    /// A string.
    Text(String),
    /// Several values.
    List(Vec<Value>),
}

/// Why an operation does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong(pub String);

impl Value {
    /// What it is, in iscc's words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Set(_) => "set",
            Value::Map(_) => "map",
            Value::Polynomial(_) => "piecewise quasipolynomial",
            Value::Fold(_) => "piecewise quasipolynomial fold",
            Value::Function(_) => "piecewise multi-quasiaffine expression",
            Value::Tree(_) => "schedule",
            Value::Code(_) => "code",
            Value::Int(_) => "value",
            Value::Bool(_) => "boolean",
            Value::Text(_) => "string",
            Value::List(_) => "list",
        }
    }

    /// Whether it is a relation.
    pub fn is_map(&self) -> bool {
        matches!(self.result(), Value::Map(_) | Value::Tree(_))
    }

    /// What stands for the pair of a result and whether it is exact, where one value is expected: the result.
    pub fn result(&self) -> &Value {
        match self {
            Value::List(items) if matches!(&items[..], [_, Value::Bool(_)]) => items[0].result(),
            other => other,
        }
    }

    /// As a set; the empty relation `{ }` is also the empty set, a tuple of constants a set of one element.
    pub fn set(&self) -> Result<UnionSet, Wrong> {
        match self.result() {
            Value::Function(function) if !function.space().is_map() => Ok(UnionSet::from_set(&function.as_set())),
            Value::Set(set) => Ok(set.clone()),
            Value::Map(map) if map.maps().next().is_none() => Ok(UnionSet::empty(&[])),
            other => Err(other.not("a set")),
        }
    }

    /// As a relation; the empty set `{ }` is also the empty relation, a schedule the relation of its dates.
    pub fn map(&self) -> Result<UnionMap, Wrong> {
        match self.result() {
            Value::Map(map) => Ok(map.clone()),
            Value::Tree(tree) => Ok(dates(tree)),
            Value::Set(set) if set.sets().next().is_none() => Ok(UnionMap::empty(&[])),
            other => Err(other.not("a relation")),
        }
    }

    /// As a piecewise quasi-polynomial; `{ }` is 0.
    pub fn polynomial(&self) -> Result<UnionPwQPolynomial, Wrong> {
        match self.result() {
            Value::Set(set) if set.sets().next().is_none() => Ok(UnionPwQPolynomial::zero(&set.params_space())),
            Value::Polynomial(function) => Ok(function.clone()),
            other => Err(other.not("a piecewise quasi-polynomial")),
        }
    }

    /// As an integer.
    pub fn int(&self) -> Result<Int, Wrong> {
        match self {
            Value::Int(value) => Ok(value.clone()),
            other => Err(other.not("an integer")),
        }
    }

    /// As a truth value.
    pub fn bool(&self) -> Result<bool, Wrong> {
        match self {
            Value::Bool(value) => Ok(*value),
            other => Err(other.not("a boolean")),
        }
    }

    /// The same operation on a set or on a relation.
    pub fn each(
        &self,
        on_set: impl Fn(&UnionSet) -> UnionSet,
        on_map: impl Fn(&UnionMap) -> UnionMap,
    ) -> Result<Value, Wrong> {
        match self.result() {
            Value::Set(set) => Ok(Value::Set(on_set(set))),
            Value::Map(_) | Value::Tree(_) => Ok(Value::Map(on_map(&self.map()?))),
            other => Err(other.not("a set or a relation")),
        }
    }

    /// That it is not what was expected.
    pub fn not(&self, expected: &str) -> Wrong {
        Wrong(format!("expected {expected}, found {}", self.described()))
    }

    fn described(&self) -> &'static str {
        match self {
            Value::Set(_) => "a set",
            Value::Map(_) => "a relation",
            Value::Polynomial(_) => "a piecewise quasi-polynomial",
            Value::Fold(_) => "a bound",
            Value::Function(_) => "an expression",
            Value::Tree(_) => "a schedule",
            Value::Code(_) => "code",
            Value::Int(_) => "an integer",
            Value::Bool(_) => "a boolean",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
        }
    }

    /// As JSON: texts in isl notation, numbers, truth values and arrays.
    pub fn json(&self) -> serde_json::Value {
        match self {
            Value::Set(_)
            | Value::Map(_)
            | Value::Polynomial(_)
            | Value::Fold(_)
            | Value::Function(_)
            | Value::Tree(_)
            | Value::Code(_) => {
                serde_json::json!({ "kind": self.kind(), "value": self.to_string() })
            }
            Value::Int(value) => value.as_i64().map_or_else(|| value.to_string().into(), serde_json::Value::from),
            Value::Bool(value) => (*value).into(),
            Value::Text(text) => text.clone().into(),
            Value::List(items) => items.iter().map(Value::json).collect(),
        }
    }
}

/// The relation of a schedule's dates; as in isl, also for instances that its domain does not have.
fn dates(tree: &Tree) -> UnionMap {
    let Node::Domain { domain, child } = tree.root() else { return tree.to_map() };
    Tree::from_root(Node::Domain { domain: domain.universe(), child: child.clone() }).to_map()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Set(set) => write!(f, "{set}"),
            Value::Map(map) => write!(f, "{map}"),
            Value::Polynomial(function) => write!(f, "{function}"),
            Value::Fold(bound) => write!(f, "{bound}"),
            Value::Function(function) => write!(f, "{function}"),
            Value::Code(text) => f.write_str(text),
            Value::Tree(tree) => match yaml::parse(&tree.to_string()) {
                Ok(document) => f.write_str(&yaml::flow(&document)),
                Err(_) => write!(f, "{tree}"),
            },
            Value::Int(value) => write!(f, "{value}"),
            Value::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Value::Text(text) => write!(f, "\"{text}\""),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                write!(f, "({})", items.join(", "))
            }
        }
    }
}
