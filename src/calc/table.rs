//! The operations of `calc --ops`, by isl's names without the type.
//!
//! `("zip", RELATION, Space::check_zip, Map::zip)` reads: takes a relation, makes sense where domain and range wrap pairs, is [`Map::zip`]
//! there. What each operation means is said where the engine defines it; a set is a [`Map`] without a domain.

use super::operand::{Alone, Fits, FitsTwo, Kind, Map, Operand};
use super::operations::{Answer, RELATION, SET};
use super::value::{Value, Wrong};
use super::{evaluate, functions};
use crate::presburger::{BasicMap, DimKind, Set, Space, SpaceError, Unbounded};

/// An operation with its names.
pub(super) struct Operation {
    names: &'static [&'static str],
    pub takes: Takes,
}

/// How an operation is applied; `on` says what its operands must be, if not sets and relations alike.
pub(super) enum Takes {
    /// One operand, part by part.
    One { on: Option<Kind>, fits: Fits, f: fn(&Map) -> Map },
    /// Two operands, pair of parts by pair of parts.
    Two { on: Option<(Kind, Kind)>, fits: FitsTwo, alone: Alone, f: fn(&Map, &Map) -> Map },
    /// One operand, part by part, each of which may have no optimum.
    Optimum(fn(&Map) -> Result<Map, Unbounded>),
    /// The same of a relation for the elements of a set.
    PartialOptimum(fn(&Map, &Map) -> Result<Map, Unbounded>),
    /// Two operands, all parts together.
    Union,
    /// A question about one operand.
    Ask { on: Option<Kind>, f: fn(&Operand) -> bool },
    /// A question about two operands.
    AskTwo { on: Option<(Kind, Kind)>, f: fn(&Operand, &Operand) -> bool },
    /// Dimensions of one operand.
    Dims(fn(&Map, DimKind, usize, usize) -> Map),
    /// One operand and numbers.
    Other { on: Option<Kind>, f: fn(&Operand, &[i64]) -> Result<Answer, Wrong> },
}

/// The operation called `name`.
pub(super) fn find(name: &str) -> Option<&'static Operation> {
    TABLE.iter().find(|operation| operation.names.contains(&name))
}

/// All names, for tests.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|operation| operation.names.iter().copied())
}

type Names = &'static [&'static str];

const fn one(names: Names, on: Option<Kind>, fits: Fits, f: fn(&Map) -> Map) -> Operation {
    Operation { names, takes: Takes::One { on, fits, f } }
}

const fn two(names: Names, on: (Kind, Kind), fits: FitsTwo, f: fn(&Map, &Map) -> Map) -> Operation {
    Operation { names, takes: Takes::Two { on: Some(on), fits, alone: Alone::Dropped, f } }
}

const fn alike(names: Names, alone: Alone, f: fn(&Map, &Map) -> Map) -> Operation {
    Operation { names, takes: Takes::Two { on: None, fits: |a, b| a.check_equal(b), alone, f } }
}

const fn without(names: Names, on: (Kind, Kind), fits: FitsTwo, f: fn(&Map, &Map) -> Map) -> Operation {
    Operation { names, takes: Takes::Two { on: Some(on), fits, alone: Alone::Kept, f } }
}

const fn ask(names: Names, on: Option<Kind>, f: fn(&Operand) -> bool) -> Operation {
    Operation { names, takes: Takes::Ask { on, f } }
}

const fn compare(names: Names, f: fn(&Operand, &Operand) -> bool) -> Operation {
    Operation { names, takes: Takes::AskTwo { on: None, f } }
}

const fn other(names: Names, on: Option<Kind>, f: fn(&Operand, &[i64]) -> Result<Answer, Wrong>) -> Operation {
    Operation { names, takes: Takes::Other { on, f } }
}

const RELATIONS: (Kind, Kind) = (Kind::Relation, Kind::Relation);
const SETS: (Kind, Kind) = (Kind::Set, Kind::Set);
pub(super) const RELATION_AND_SET: (Kind, Kind) = (Kind::Relation, Kind::Set);
const SET_AND_RELATION: (Kind, Kind) = (Kind::Set, Kind::Relation);

fn always(_: &Space) -> Result<(), SpaceError> {
    Ok(())
}

fn both(_: &Space, _: &Space) -> Result<(), SpaceError> {
    Ok(())
}

pub(super) fn no_params(space: &Space) -> Result<(), SpaceError> {
    misfit(!space.is_params(), || format!("{space} has no tuple"))
}

fn misfit(holds: bool, message: impl FnOnce() -> String) -> Result<(), SpaceError> {
    if holds { Ok(()) } else { Err(SpaceError { message: message() }) }
}

fn wraps(space: &Space, kind: DimKind) -> Result<(), SpaceError> {
    let wrapping = space.tuple(kind).is_some_and(crate::presburger::Tuple::is_wrapping);
    misfit(wrapping, || format!("the tuple of {space} wraps no pair"))
}

fn same_range(a: &Space, b: &Space) -> Result<(), SpaceError> {
    a.check_range(&b.range())
}

fn same_domain(a: &Space, b: &Space) -> Result<(), SpaceError> {
    a.check_domain(&b.domain())
}

fn of_params(_: &Space, params: &Space) -> Result<(), SpaceError> {
    misfit(params.is_params(), || format!("{params} is no set of parameters"))
}

fn set(map: &Map) -> Set {
    Set(map.clone())
}

fn hull(basic: BasicMap) -> Map {
    basic.to_map()
}

/// The first dimension forgotten: of the domain, for a relation.
fn without_first(map: &Map) -> Map {
    let kind = if map.space().is_map() { DimKind::In } else { DimKind::Out };
    if map.dim(kind) == 0 { map.clone() } else { map.project_out(kind, 0, 1) }
}

/// The last dimension forgotten: of the range, for a relation.
fn without_last(map: &Map) -> Map {
    match map.dim(DimKind::Out) {
        0 => map.clone(),
        n => map.project_out(DimKind::Out, n - 1, 1),
    }
}

fn sample(operand: &Operand, _: &[i64]) -> Result<Answer, Wrong> {
    let found = operand.parts.iter().map(|part| part.sample_basic().to_map()).find(|point| !point.plain_is_empty());
    Ok(found.map_or_else(|| Answer::Text("EMPTY".to_string()), |point| Answer::Operand(Operand::of(point))))
}

/// The cone of valid forms, marked as a set of rational points.
fn coefficients(operand: &Operand, _: &[i64]) -> Result<Answer, Wrong> {
    let cones: Vec<String> = operand.parts.iter().map(|part| set(part).coefficients().to_string()).collect();
    match &cones[..] {
        [cone] => Ok(Answer::Text(cone.replacen("{ ", "{ rat: ", 1))),
        _ => Err(Wrong("expected one space, found several".to_string())),
    }
}

fn transitive_closure(operand: &Operand, _: &[i64]) -> Result<Answer, Wrong> {
    let (closure, exact) = match &operand.parts[..] {
        [one] if one.space().check_endomorphic().is_ok() => {
            let (closure, exact) = one.transitive_closure();
            (Operand::of(closure), exact)
        }
        _ => {
            let (closure, exact) = operand.relations().transitive_closure();
            (Operand::from_union_map(&closure), exact)
        }
    };
    Ok(Answer::Text(format!("{}|{closure}", Answer::Truth(exact))))
}

fn power(operand: &Operand, _: &[i64]) -> Result<Answer, Wrong> {
    let (powers, exact) = operand.relations().power().map_err(|e| Wrong(e.message))?;
    Ok(Answer::Text(format!("{}|{powers}", Answer::Truth(exact))))
}

fn fixed_power(operand: &Operand, numbers: &[i64]) -> Result<Answer, Wrong> {
    let [exponent] = numbers else { return Err(Wrong("expected an exponent".to_string())) };
    if let ([one], true) = (&operand.parts[..], *exponent != 0)
        && one.space().check_endomorphic().is_ok()
        && exponent.abs() <= evaluate::LARGEST_EXPONENT
    {
        return Ok(Answer::Operand(Operand::of(one.fixed_power(*exponent))));
    }
    match evaluate::power(&Value::Map(operand.relations()), *exponent)? {
        Value::Map(power) => Ok(Answer::Operand(Operand::from_union_map(&power))),
        other => Ok(Answer::Text(other.to_string())),
    }
}

/// A value of the calculator for the operand.
fn value(operand: &Operand) -> Value {
    match operand.kind() {
        Some(Kind::Relation) => Value::Map(operand.relations()),
        _ => Value::Set(operand.sets()),
    }
}

fn card(operand: &Operand, _: &[i64]) -> Result<Answer, Wrong> {
    functions::call("card", &value(operand)).map(|count| Answer::Text(count.to_string()))
}

fn scan(operand: &Operand, _: &[i64]) -> Result<Answer, Wrong> {
    functions::call("scan", &value(operand)).map(|elements| Answer::Text(elements.to_string()))
}

/// A bound of the elements of a set, or of the pairs of a relation.
fn is_bounded(operand: &Operand) -> bool {
    operand
        .parts
        .iter()
        .all(|part| if part.space().is_map() { part.wrap().is_bounded() } else { set(part).is_bounded() })
}

fn is_subset(a: &Operand, b: &Operand) -> bool {
    let within = |part: &Map| match b.parts.iter().find(|whole| whole.space().has_equal_tuples(part.space())) {
        Some(whole) => part.is_subset(whole),
        None => part.is_empty(),
    };
    a.parts.iter().all(within)
}

fn is_disjoint(a: &Operand, b: &Operand) -> bool {
    let apart = |x: &Map, y: &Map| !x.space().has_equal_tuples(y.space()) || x.is_disjoint(y);
    a.parts.iter().all(|x| b.parts.iter().all(|y| apart(x, y)))
}

static TABLE: &[Operation] = &[
    // Elements.
    Operation { names: &["union"], takes: Takes::Union },
    alike(&["intersect"], Alone::Dropped, Map::intersect),
    alike(&["subtract"], Alone::Kept, Map::subtract),
    one(&["complement"], None, always, Map::complement),
    two(&["intersect_domain"], RELATION_AND_SET, Space::check_domain, |map, s| map.intersect_domain(&set(s))),
    two(&["intersect_range"], RELATION_AND_SET, Space::check_range, |map, s| map.intersect_range(&set(s))),
    two(&["intersect_params"], RELATION_AND_SET, of_params, |map, s| map.intersect_params(&set(s))),
    without(&["subtract_domain"], RELATION_AND_SET, Space::check_domain, |map, s| map.subtract_domain(&set(s))),
    without(&["subtract_range"], RELATION_AND_SET, Space::check_range, |map, s| map.subtract_range(&set(s))),
    // Questions.
    ask(&["is_empty"], None, |a| a.parts.iter().all(Map::is_empty)),
    compare(&["is_equal"], |a, b| is_subset(a, b) && is_subset(b, a)),
    compare(&["is_subset"], is_subset),
    compare(&["is_strict_subset"], |a, b| is_subset(a, b) && !is_subset(b, a)),
    compare(&["is_disjoint"], is_disjoint),
    ask(&["is_bounded"], None, is_bounded),
    ask(&["is_singleton"], SET, |a| a.parts.len() <= 1 && a.parts.iter().all(|part| set(part).is_singleton())),
    ask(&["is_single_valued"], RELATION, |a| a.relations().is_single_valued()),
    ask(&["is_injective"], RELATION, |a| a.relations().is_injective()),
    ask(&["is_bijective"], RELATION, |a| a.relations().is_bijective()),
    // The same elements, written otherwise.
    one(&["coalesce"], None, always, Map::coalesce),
    one(&["compute_divs"], None, always, Map::compute_divs),
    one(&["make_disjoint"], None, always, Map::make_disjoint),
    one(&["detect_equalities"], None, always, Map::detect_equalities),
    one(&["remove_redundancies"], None, always, Map::remove_redundancies),
    alike(&["gist"], Alone::Kept, Map::gist),
    without(&["gist_domain"], RELATION_AND_SET, Space::check_domain, |map, s| map.gist_domain(&set(s))),
    without(&["gist_range"], RELATION_AND_SET, Space::check_range, |map, s| map.gist_range(&set(s))),
    // Hulls.
    one(&["affine_hull"], None, always, |map| hull(map.affine_hull())),
    one(&["simple_hull"], None, always, |map| hull(map.simple_hull())),
    one(&["unshifted_simple_hull"], None, always, |map| hull(map.unshifted_simple_hull())),
    one(&["convex_hull"], None, always, |map| hull(map.convex_hull())),
    one(&["polyhedral_hull"], None, always, |map| hull(map.polyhedral_hull())),
    // Dimensions.
    one(&["project_out_first"], None, no_params, without_first),
    one(&["project_out_last"], None, no_params, without_last),
    Operation { names: &["project_out"], takes: Takes::Dims(Map::project_out) },
    Operation { names: &["eliminate"], takes: Takes::Dims(Map::eliminate) },
    one(&["flatten"], None, always, Map::flatten),
    one(&["params"], None, always, |map| map.params().0),
    // Order.
    Operation { names: &["lexmin"], takes: Takes::Optimum(Map::lexmin) },
    Operation { names: &["lexmax"], takes: Takes::Optimum(Map::lexmax) },
    Operation { names: &["partial_lexmin"], takes: Takes::PartialOptimum(|map, s| Ok(map.partial_lexmin(&set(s))?.0)) },
    Operation { names: &["partial_lexmax"], takes: Takes::PartialOptimum(|map, s| Ok(map.partial_lexmax(&set(s))?.0)) },
    lex(&["lex_lt"], |a, b| ordered(a, b, Map::lex_lt)),
    lex(&["lex_le"], |a, b| ordered(a, b, Map::lex_le)),
    lex(&["lex_gt"], |a, b| ordered(a, b, Map::lex_gt)),
    lex(&["lex_ge"], |a, b| ordered(a, b, Map::lex_ge)),
    // Pairs.
    two(&["apply"], SET_AND_RELATION, Space::check_chain, Map::apply_range),
    two(&["apply_range"], RELATIONS, Space::check_chain, Map::apply_range),
    two(&["apply_domain"], RELATIONS, same_domain, Map::apply_domain),
    one(&["domain"], RELATION, always, |map| map.domain().0),
    one(&["range"], RELATION, always, |map| map.range().0),
    one(&["reverse"], RELATION, always, Map::reverse),
    one(&["wrap"], RELATION, always, |map| map.wrap().0),
    one(&["unwrap"], SET, Space::check_wrapping, |s| Set::unwrap(&set(s))),
    one(&["deltas"], RELATION, Space::check_endomorphic, |map| map.deltas().0),
    one(&["deltas_map"], RELATION, Space::check_endomorphic, Map::deltas_map),
    one(&["identity"], SET, no_params, |s| set(s).identity()),
    one(&["zip"], RELATION, Space::check_zip, Map::zip),
    one(&["curry"], RELATION, |space| wraps(space, DimKind::In), Map::curry),
    one(&["uncurry"], RELATION, |space| wraps(space, DimKind::Out), Map::uncurry),
    one(&["domain_map"], RELATION, always, Map::domain_map),
    one(&["range_map"], RELATION, always, Map::range_map),
    two(&["from_domain_and_range"], SETS, both, |a, b| Map::from_domain_and_range(&set(a), &set(b))),
    // Products and their factors.
    Operation { names: &["product"], takes: Takes::Two { on: None, fits: both, alone: Alone::Dropped, f: product } },
    two(&["domain_product"], RELATIONS, same_range, Map::domain_product),
    two(&["range_product"], RELATIONS, same_domain, Map::range_product),
    two(&["flat_product"], RELATIONS, both, Map::flat_product),
    two(&["flat_domain_product"], RELATIONS, same_range, Map::flat_domain_product),
    two(&["flat_range_product"], RELATIONS, same_domain, Map::flat_range_product),
    one(&["factor_domain"], RELATION, Space::check_zip, Map::factor_domain),
    one(&["factor_range"], RELATION, Space::check_zip, Map::factor_range),
    one(&["domain_factor_domain"], RELATION, |space| wraps(space, DimKind::In), Map::domain_factor_domain),
    one(&["domain_factor_range"], RELATION, |space| wraps(space, DimKind::In), Map::domain_factor_range),
    one(&["range_factor_domain"], RELATION, |space| wraps(space, DimKind::Out), Map::range_factor_domain),
    one(&["range_factor_range"], RELATION, |space| wraps(space, DimKind::Out), Map::range_factor_range),
    // The rest.
    other(&["sample"], None, sample),
    other(&["coefficients"], SET, coefficients),
    other(&["transitive_closure"], RELATION, transitive_closure),
    other(&["fixed_power"], RELATION, fixed_power),
    other(&["power"], RELATION, power),
    other(&["card"], None, card),
    other(&["scan"], None, scan),
];

const fn lex(names: Names, f: fn(&Map, &Map) -> Map) -> Operation {
    Operation { names, takes: Takes::Two { on: None, fits: same_range, alone: Alone::Dropped, f } }
}

/// Pairs of elements of two sets, or of domain elements of two relations, whose values (images) are in this order.
fn ordered(a: &Map, b: &Map, order: fn(&Space) -> Map) -> Map {
    let order = order(&a.space().range().align_params(b.space()));
    if a.space().is_map() {
        return a.apply_range(&order).apply_range(&b.reverse());
    }
    order.intersect_domain(&set(a)).intersect_range(&set(b))
}

/// Of sets: the pairs, wrapped; of relations: both at once.
fn product(a: &Map, b: &Map) -> Map {
    if a.space().is_map() { a.product(b) } else { set(a).product(&set(b)).0 }
}
