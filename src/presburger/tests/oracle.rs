//! Random formulas with an evaluator of their own: the truth that named operations are held to.
//!
//! A [`Formula`] is a tree that is both written in isl notation and evaluated at a point by plain arithmetic, so that a set that is parsed
//! from the text can be compared with it point by point. Sets are bounded to a small box, and existentials to a smaller one,
//! so that enumeration decides everything.

use crate::presburger::number::int::Int;
use crate::presburger::{Map, Set};
use arbtest::arbitrary::{Result, Unstructured};
use std::collections::BTreeMap;

/// Dimensions and parameters lie in `-BOX..=BOX`.
pub(crate) const BOX: i64 = 3;
/// Existentials lie in `-INNER..=INNER`.
const INNER: i64 = 3;

/// A condition on named integers.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Compare(Value, &'static str, Value),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    Exists(String, Box<Formula>),
}

/// An expression of named integers.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// `sum + constant`.
    Affine(Vec<(i64, String)>, i64),
    Floor(Box<Value>, i64),
    Mod(Box<Value>, i64),
    Min(Box<Value>, Box<Value>),
    Max(Box<Value>, Box<Value>),
}

pub(crate) type Assignment = BTreeMap<String, i64>;

impl Value {
    pub fn eval(&self, at: &Assignment) -> i64 {
        match self {
            Value::Affine(terms, constant) => constant + terms.iter().map(|(c, name)| c * at[name]).sum::<i64>(),
            Value::Floor(value, d) => value.eval(at).div_euclid(*d),
            Value::Mod(value, d) => value.eval(at).rem_euclid(*d),
            Value::Min(a, b) => a.eval(at).min(b.eval(at)),
            Value::Max(a, b) => a.eval(at).max(b.eval(at)),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Value::Affine(terms, constant) => {
                let sum: Vec<String> = terms.iter().map(|(c, name)| format!("{c} * {name}")).collect();
                format!("({})", [sum, vec![constant.to_string()]].concat().join(" + ")).replace("+ -", "- ")
            }
            Value::Floor(value, d) => format!("floor({}/{d})", value.text()),
            Value::Mod(value, d) => format!("({} mod {d})", value.text()),
            Value::Min(a, b) => format!("min({}, {})", a.text(), b.text()),
            Value::Max(a, b) => format!("max({}, {})", a.text(), b.text()),
        }
    }

    pub fn arbitrary(u: &mut Unstructured<'_>, names: &[&str], depth: usize) -> Result<Value> {
        let inner = |u: &mut Unstructured<'_>| Value::arbitrary(u, names, depth.saturating_sub(1)).map(Box::new);
        Ok(match if depth == 0 { 0 } else { u.int_in_range(0..=9)? } {
            8 => Value::Floor(inner(u)?, u.int_in_range(2..=4)?),
            9 => Value::Mod(inner(u)?, u.int_in_range(2..=4)?),
            7 => Value::Min(inner(u)?, inner(u)?),
            6 => Value::Max(inner(u)?, inner(u)?),
            _ => {
                let mut terms = Vec::new();
                for name in names {
                    let c = [0, 0, 1, -1, 1, 2, -2, 3][u.int_in_range(0..=7)?];
                    if c != 0 {
                        terms.push((c, (*name).to_string()));
                    }
                }
                Value::Affine(terms, u.int_in_range(-4..=4)?)
            }
        })
    }
}

impl Formula {
    pub fn holds(&self, at: &Assignment) -> bool {
        match self {
            Formula::Compare(a, sign, b) => {
                let (a, b) = (a.eval(at), b.eval(at));
                match *sign {
                    "<=" => a <= b,
                    "<" => a < b,
                    ">" => a > b,
                    "=" => a == b,
                    _ => a != b,
                }
            }
            Formula::And(parts) => parts.iter().all(|part| part.holds(at)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(at)),
            Formula::Not(part) => !part.holds(at),
            Formula::Exists(name, part) => (-INNER..=INNER).any(|value| {
                let mut inner = at.clone();
                inner.insert(name.clone(), value);
                part.holds(&inner)
            }),
        }
    }

    pub fn text(&self) -> String {
        let joined = |parts: &[Formula], word: &str| {
            let parts: Vec<String> = parts.iter().map(Formula::text).collect();
            format!("({})", parts.join(word))
        };
        match self {
            Formula::Compare(a, sign, b) => format!("{} {sign} {}", a.text(), b.text()),
            Formula::And(parts) => joined(parts, " and "),
            Formula::Or(parts) => joined(parts, " or "),
            Formula::Not(part) => format!("not ({})", part.text()),
            Formula::Exists(name, part) => {
                format!("exists ({name} : -{INNER} <= {name} <= {INNER} and {})", part.text())
            }
        }
    }

    pub fn arbitrary(u: &mut Unstructured<'_>, names: &[&str], depth: usize) -> Result<Formula> {
        let choice = if depth == 0 { 0 } else { u.int_in_range(0..=9)? };
        let some = |u: &mut Unstructured<'_>| -> Result<Vec<Formula>> {
            let n = u.int_in_range(1..=3)?;
            (0..n).map(|_| Formula::arbitrary(u, names, depth - 1)).collect()
        };
        Ok(match choice {
            4..=6 => Formula::And(some(u)?),
            7 => Formula::Or(some(u)?),
            8 => Formula::Not(Box::new(Formula::arbitrary(u, names, depth - 1)?)),
            9 => {
                let name = format!("e{depth}");
                let inner: Vec<&str> = names.iter().copied().chain([name.as_str()]).collect();
                let body = Formula::arbitrary(u, &inner, depth - 1)?;
                Formula::Exists(name, Box::new(body))
            }
            _ => {
                let sign = ["<=", "<=", "<", ">", "=", "!="][u.int_in_range(0..=5)?];
                Formula::Compare(Value::arbitrary(u, names, 1)?, sign, Value::arbitrary(u, names, 0)?)
            }
        })
    }
}

/// A relation of small tuples with its truth.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub names: Vec<String>,
    pub formula: Formula,
    pub text: String,
}

/// `-BOX <= x <= BOX` for all names.
fn boxed(names: &[&str]) -> String {
    if names.is_empty() { "true".to_string() } else { format!("-{BOX} <= {} <= {BOX}", names.join(",")) }
}

impl Case {
    /// `[n] -> { D[..] -> R[..] : box and formula }`, or a set where `range` is `None`. Tuples are given with their names: `S[i, j]`.
    pub fn arbitrary(
        u: &mut Unstructured<'_>,
        domain: (&str, &[&str]),
        range: Option<(&str, &[&str])>,
    ) -> Result<Case> {
        let with_param = u.ratio(1, 4)?;
        let mut names: Vec<&str> = if with_param { vec!["n"] } else { Vec::new() };
        names.extend(domain.1);
        names.extend(range.map_or(&[][..], |r| r.1));
        let formula = Formula::arbitrary(u, &names, 2)?;
        let tuple = |(name, dims): (&str, &[&str])| format!("{name}[{}]", dims.join(", "));
        let tuples = match range {
            None => tuple(domain),
            Some(range) => format!("{} -> {}", tuple(domain), tuple(range)),
        };
        let params = if with_param { "[n] -> " } else { "" };
        let text = format!("{params}{{ {tuples} : {} and {} }}", boxed(&names), formula.text());
        Ok(Case { names: names.iter().map(ToString::to_string).collect(), formula, text })
    }

    pub fn set(&self) -> Set {
        Set::parse(&self.text).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn map(&self) -> Map {
        Map::parse(&self.text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Whether the values, in the order of the dimensions without parameter, are in it for the parameter `n`.
    pub fn contains(&self, n: i64, values: &[i64]) -> bool {
        let param = self.names.len() > values.len();
        let all: Vec<i64> = if param { [&[n], values].concat() } else { values.to_vec() };
        let at: Assignment = self.names.iter().cloned().zip(all.iter().copied()).collect();
        all.iter().all(|v| (-BOX..=BOX).contains(v)) && self.formula.holds(&at)
    }
}

/// All points of `n` coordinates in the box, and one step around it.
pub(crate) fn points(n: usize) -> Vec<Vec<i64>> {
    super::brute::points(n, BOX + 1)
}

/// Whether a set (or the pairs of a relation) contains the values for the parameter `n`, which it may not have.
pub(crate) fn member(map: &Map, n: i64, values: &[i64]) -> bool {
    let params = map.space().params().iter().map(|_| Int::from(n));
    let point: Vec<Int> = params.chain(values.iter().map(|v| Int::from(*v))).collect();
    map.contains(&point)
}
