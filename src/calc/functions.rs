//! The functions of the language, by name: what each takes and gives.

use super::value::{Value, Wrong};
use crate::presburger::{Set, Unbounded, UnionMap, UnionPwQPolynomialFold, UnionSet};
use crate::scop::tree::Tree;

/// Most elements that `scan` and `@` write out: more is not for reading.
pub(super) const MOST_SCANNED: usize = 10_000;

/// A function in prefix form: its name and its meaning.
type Function = (&'static str, fn(&Value) -> Result<Value, Wrong>);

/// Words that cannot be variables besides the functions.
const WORDS: [&str; 18] = [
    "print",
    "assert",
    "source",
    "write",
    "cross",
    "cross_range",
    "last",
    "any",
    "before",
    "after",
    "under",
    "read",
    "parse_file",
    "codegen",
    "using",
    "schedule",
    "respecting",
    "minimizing",
];

const FUNCTIONS: [Function; 47] = [
    ("aff", affine_hull),
    ("card", card),
    ("coalesce", coalesce),
    ("coefficients", |v| in_each_space(v, Set::coefficients)),
    ("complement", complement),
    ("curry", |v| Ok(Value::Map(v.map()?.curry()))),
    ("deltas", |v| Ok(Value::Set(v.map()?.deltas()))),
    ("deltas_map", |v| Ok(Value::Map(v.map()?.deltas_map()))),
    ("dom", domain),
    ("domain", domain),
    ("domain_map", |v| Ok(Value::Map(v.map()?.domain_map()))),
    ("identity", |v| Ok(Value::Map(v.set()?.identity()))),
    ("domain_factor_domain", |v| Ok(Value::Map(v.map()?.domain_factor_domain()))),
    ("domain_factor_range", |v| Ok(Value::Map(v.map()?.domain_factor_range()))),
    ("factor_domain", |v| Ok(Value::Map(v.map()?.factor_domain()))),
    ("factor_range", |v| Ok(Value::Map(v.map()?.factor_range()))),
    ("is_bijective", |v| Ok(Value::Bool(v.map()?.is_bijective()))),
    ("is_bounded", |v| Ok(Value::Bool(v.set()?.sets().all(|s| s.is_bounded())))),
    (
        "is_empty",
        |v| if v.is_map() { Ok(Value::Bool(v.map()?.is_empty())) } else { Ok(Value::Bool(v.set()?.is_empty())) },
    ),
    ("is_injective", |v| Ok(Value::Bool(v.map()?.is_injective()))),
    ("is_single_valued", |v| Ok(Value::Bool(v.map()?.is_single_valued()))),
    ("lb", |v| Ok(bounded(v.polynomial()?.lower_bound()))),
    ("lexmax", |v| optimum(v, UnionSet::lexmax, UnionMap::lexmax)),
    ("lexmin", |v| optimum(v, UnionSet::lexmin, UnionMap::lexmin)),
    ("lift_divs", |v| v.each(UnionSet::compute_divs, UnionMap::compute_divs)),
    ("parameters", params),
    ("map", flat_schedule),
    ("params", params),
    ("poly", |v| v.each(UnionSet::polyhedral_hull, UnionMap::polyhedral_hull)),
    ("pow", powers),
    ("ran", range),
    ("range", range),
    ("range_factor_domain", |v| Ok(Value::Map(v.map()?.range_factor_domain()))),
    ("range_factor_range", |v| Ok(Value::Map(v.map()?.range_factor_range()))),
    ("range_map", |v| Ok(Value::Map(v.map()?.range_map()))),
    ("reverse", |v| Ok(Value::Map(v.map()?.reverse()))),
    ("sample", sample),
    ("scan", scan),
    ("sum", sum),
    ("tree", tree),
    ("typeof", |v| Ok(Value::Text(v.kind().to_string()))),
    ("ub", |v| Ok(bounded(v.polynomial()?.upper_bound()))),
    ("uncurry", |v| Ok(Value::Map(v.map()?.uncurry()))),
    ("unwrap", |v| Ok(Value::Map(UnionSet::unwrap(&v.set()?)))),
    ("vertices", vertices),
    ("wrap", |v| Ok(Value::Set(v.map()?.wrap()))),
    ("zip", |v| Ok(Value::Map(v.map()?.zip()))),
];

/// The function called `name`, by its name that lives for ever.
pub(super) fn find(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(n, _)| *n == name).map(|(n, _)| *n)
}

/// Whether `name` cannot be a variable.
pub(super) fn is_reserved(name: &str) -> bool {
    find(name).is_some() || WORDS.contains(&name)
}

/// The value of function `name`.
pub(super) fn call(name: &str, argument: &Value) -> Result<Value, Wrong> {
    let found = FUNCTIONS.iter().find(|(n, _)| *n == name);
    let (_, function) = found.ok_or_else(|| Wrong(format!("there is no function `{name}`")))?;
    function(argument)
}

fn domain(value: &Value) -> Result<Value, Wrong> {
    Ok(Value::Set(match value.result() {
        Value::Polynomial(function) => function.domain(),
        Value::Fold(bound) => bound.domain(),
        Value::Tree(tree) => tree.domain(),
        other => other.map()?.domain(),
    }))
}

fn range(value: &Value) -> Result<Value, Wrong> {
    Ok(Value::Set(value.map()?.range()))
}

/// The smallest or the greatest elements; an error if there are always smaller, or greater, ones.
fn optimum(
    value: &Value,
    on_set: fn(&UnionSet) -> Result<UnionSet, Unbounded>,
    on_map: fn(&UnionMap) -> Result<UnionMap, Unbounded>,
) -> Result<Value, Wrong> {
    let found = match value.result() {
        Value::Set(set) => on_set(set).map(Value::Set),
        Value::Map(_) | Value::Tree(_) => on_map(&value.map()?).map(Value::Map),
        other => return Err(other.not("a set or a relation")),
    };
    found.map_err(|unbounded| Wrong(unbounded.to_string()))
}

/// A schedule tree as a relation.
fn flat_schedule(value: &Value) -> Result<Value, Wrong> {
    value.map().map(Value::Map)
}

/// Fewer pieces, the same elements or values.
fn coalesce(value: &Value) -> Result<Value, Wrong> {
    match value.result() {
        Value::Polynomial(_) | Value::Fold(_) => Ok(value.result().clone()),
        other => other.each(UnionSet::coalesce, UnionMap::coalesce),
    }
}

/// `f` of the set in each space.
fn in_each_space(value: &Value, f: impl Fn(&Set) -> Set) -> Result<Value, Wrong> {
    let set = value.set()?;
    Ok(Value::Set(set.sets().fold(UnionSet::empty(set.params_space().params()), |mut all, part| {
        all.add_set(&f(&part));
        all
    })))
}

/// All powers at once, as a relation from the exponent to the pairs, and whether that is exact.
fn powers(value: &Value) -> Result<Value, Wrong> {
    let (powers, exact) = value.map()?.power().map_err(|e| Wrong(e.message))?;
    Ok(Value::List(vec![Value::Map(powers), Value::Bool(exact)]))
}

/// The vertices of the hull in each space, each with the parameters for which it is one.
fn vertices(value: &Value) -> Result<Value, Wrong> {
    Ok(Value::List(value.set()?.sets().flat_map(|set| set.vertices()).map(Value::Function).collect()))
}

/// A schedule as a tree; of a relation, that of its dimensions.
fn tree(value: &Value) -> Result<Value, Wrong> {
    match value {
        Value::Tree(tree) => Ok(Value::Tree(tree.clone())),
        Value::Text(text) => Tree::parse(text).map(Value::Tree).map_err(|e| Wrong(e.to_string())),
        other => Tree::from_map(&other.map()?).map(Value::Tree).map_err(|e| Wrong(e.message)),
    }
}

/// The parameter values for which it is not empty.
fn params(value: &Value) -> Result<Value, Wrong> {
    let params = if value.is_map() { value.map()?.params() } else { value.set()?.params() };
    Ok(Value::Set(UnionSet::from_set(&params)))
}

/// The smallest affine space around it, in each space.
fn affine_hull(value: &Value) -> Result<Value, Wrong> {
    value.each(UnionSet::affine_hull, UnionMap::affine_hull)
}

/// All tuples of the same spaces that are not in it.
fn complement(value: &Value) -> Result<Value, Wrong> {
    value.each(|s| s.universe().subtract(s), |m| m.universe().subtract(m))
}

/// The number of elements, or of images of each domain element, as a function of the parameters.
fn card(value: &Value) -> Result<Value, Wrong> {
    let count = if value.is_map() { value.map()?.card() } else { value.set()?.card() };
    count.map(Value::Polynomial).map_err(|e| Wrong(e.to_string()))
}

/// The sum of the values at all elements, as a function of the parameters.
fn sum(value: &Value) -> Result<Value, Wrong> {
    value.polynomial()?.sum().map(Value::Polynomial).map_err(|e| Wrong(e.to_string()))
}

/// A bound, and whether it is reached for all parameters.
fn bounded((bound, tight): (UnionPwQPolynomialFold, bool)) -> Value {
    Value::List(vec![Value::Fold(bound), Value::Bool(tight)])
}

/// One element, in a set of its own; the empty set if there is none.
fn sample(value: &Value) -> Result<Value, Wrong> {
    let single = |set: &UnionSet| {
        let found = set.sets().map(|s| s.sample_basic().to_set()).find(|s| !s.is_empty());
        found.map_or_else(|| UnionSet::empty(set.params_space().params()), |s| UnionSet::from_set(&s))
    };
    value.each(single, |map| UnionSet::unwrap(&single(&map.wrap())))
}

/// All elements, each written out; for sets with that many elements at most.
fn scan(value: &Value) -> Result<Value, Wrong> {
    let list = |set: &UnionSet| -> Option<UnionSet> {
        let mut all = UnionSet::empty(set.params_space().params());
        for part in set.sets() {
            let points = part.points(MOST_SCANNED)?;
            all.add_set(&Set::from_points(part.space(), &points));
        }
        Some(all)
    };
    let scanned = if value.is_map() {
        list(&value.map()?.wrap()).map(|s| Value::Map(UnionSet::unwrap(&s)))
    } else {
        list(&value.set()?).map(Value::Set)
    };
    scanned.ok_or_else(|| Wrong(format!("scan is supported for bounded sets of at most {MOST_SCANNED} elements")))
}
