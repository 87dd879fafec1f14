//! What a program is run on: values of the parameters, and of the elements that it reads from before.
//!
//! As JSON, `{ "n": 3, "x": [5, 2, 7], "r": 0 }`: a number is a parameter or a scalar, a nested list an array whose indices start at 0.
//! Elements that are not given have no value, or, if so asked, one that depends on array and index only.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::value::{Stuck, Value, stuck};
use crate::presburger::{Id, Int};
use crate::scop::{ArrayId, ElementType, Scop, TableId};

/// Most points of one domain that are run: far more than anyone waits for.
const MOST_POINTS: usize = 1 << 22;

/// The elements of all arrays, by the array's place in the model.
pub type Memory = BTreeMap<(ArrayId, Vec<i64>), Value>;

/// What a program is run on.
#[derive(Clone, Debug)]
pub struct Input {
    /// One value for each parameter of the model.
    pub params: Vec<i64>,
    /// Elements with a given value.
    pub elements: Memory,
    /// Gives all other elements a value too; different ones for different seeds.
    pub fill: Option<u64>,
}

impl Input {
    /// The input that `text` writes, with the parameters given apart before those in it.
    pub fn parse(scop: &Scop, text: &str, given: &[(String, i64)], fill: Option<u64>) -> Result<Self, Stuck> {
        let document: Json = serde_json::from_str(text).map_err(|e| Stuck(format!("the input is not JSON: {e}")))?;
        let Json::Object(entries) = document else { return stuck("the input is not a JSON object") };
        for name in entries.keys().chain(given.iter().map(|(name, _)| name)) {
            if !scop.params.iter().any(|p| p.as_str() == name) && !scop.arrays.iter().any(|a| a.name.as_str() == name) {
                return stuck(format!("the input gives {name}, which is no parameter and no array of the model"));
            }
        }
        let param = |id: &Id| {
            let apart = given.iter().find(|(name, _)| name == id.as_str()).map(|(_, value)| *value);
            let value = apart.or_else(|| entries.get(id.as_str())?.as_i64());
            value.ok_or_else(|| Stuck(format!("the input gives no integer for the parameter {id}")))
        };
        let params = scop.params.iter().map(param).collect::<Result<Vec<_>, _>>()?;
        let mut elements = Memory::new();
        for (a, array) in scop.arrays.entries() {
            if let Some(values) = entries.get(array.name.as_str()) {
                let mut index = Vec::new();
                read(values, array.shape.len(), &mut index, &mut |index, value| {
                    elements.insert((a, index.to_vec()), value.stored(array.element));
                })
                .map_err(|Stuck(reason)| Stuck(format!("{}: {reason}", array.name)))?;
            }
        }
        let input = Self { params, elements, fill };
        input.fits(scop)?;
        Ok(input)
    }

    /// Whether the model is about these parameters.
    pub fn fits(&self, scop: &Scop) -> Result<(), Stuck> {
        let point: Vec<Int> = self.params.iter().map(|value| Int::from(*value)).collect();
        if scop.trusted_context().contains(&point) {
            Ok(())
        } else {
            stuck(format!("the parameters are outside of the context {}", scop.trusted_context()))
        }
    }

    /// The value of an element before the program.
    pub fn element(&self, scop: &Scop, array: ArrayId, index: &[i64]) -> Result<Value, Stuck> {
        let given = self.elements.get(&(array, index.to_vec())).copied();
        let declared = &scop.arrays[array];
        let filled = || self.fill.map(|seed| filling(seed, array, index, declared.element));
        given.or_else(filled).ok_or_else(|| Stuck(format!("the input gives no value for {}{index:?}", declared.name)))
    }

    /// The points of a set (over the model's parameters) at these parameters.
    pub fn points(&self, set: &crate::presburger::Set) -> Result<Vec<Vec<i64>>, Stuck> {
        let fixed = self.params.iter().enumerate();
        let kind = crate::presburger::DimKind::Param;
        let here = fixed.fold(set.clone(), |set, (p, value)| set.fix(kind, p, &Int::from(*value)));
        let points =
            here.points(MOST_POINTS).ok_or_else(|| Stuck("there are too many instances to run".to_string()))?;
        let short = |point: Vec<Int>| -> Result<Vec<i64>, Stuck> { small(&point[self.params.len()..]) };
        points.into_iter().map(short).collect()
    }
}

/// Coordinates of an instance as machine integers.
pub fn small(point: &[Int]) -> Result<Vec<i64>, Stuck> {
    let narrow = |value: &Int| value.as_i64().ok_or_else(|| Stuck("an index does not fit 64 bits".to_string()));
    point.iter().map(narrow).collect()
}

fn read(values: &Json, depth: usize, index: &mut Vec<i64>, store: &mut impl FnMut(&[i64], Value)) -> Result<(), Stuck> {
    match (values, depth) {
        (Json::Array(inner), 1..) => inner.iter().enumerate().try_for_each(|(at, value)| {
            index.push(at as i64);
            let outcome = read(value, depth - 1, index, store);
            index.pop();
            outcome
        }),
        (Json::Number(number), 0) => {
            let value = number.as_i64().map(Value::Int).or_else(|| number.as_f64().map(Value::Float));
            store(index, value.ok_or_else(|| Stuck("a number that is none of ours".to_string()))?);
            Ok(())
        }
        (Json::Bool(truth), 0) => {
            store(index, Value::Int(i64::from(*truth)));
            Ok(())
        }
        _ => stuck(format!("expected {} inside another", if depth == 0 { "a number" } else { "a list" })),
    }
}

/// A small value that looks arbitrary: the top bits of a product by the golden ratio.
fn filling(seed: u64, array: ArrayId, index: &[i64], element: ElementType) -> Value {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(GOLDEN).rotate_left(29);
    let hash = index.iter().fold(mix(mix(GOLDEN, seed), array.position() as u64), |hash, at| mix(hash, *at as u64));
    Value::Int((hash.wrapping_mul(GOLDEN) >> 56) as i64 - 128).stored(element)
}
