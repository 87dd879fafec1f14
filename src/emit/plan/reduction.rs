//! Which loops carry a reduction, and what private copies a parallel one needs.
//!
//! In
//!
//!     for parallel (i) { for (j) { s += A[i][j]; c[j] += A[i][j]; } }
//!
//! every iteration of `i` updates `s` and all of `c`. The schedule calls the loop coincident, although it is so only as far as these
//! reductions may be reordered; here it is found again which ones those are: an array is *carried* by a loop if two of its iterations, with
//! everything outside of it fixed, write one element. To run the loop in parallel, each share of its iterations then works on a copy
//! of its own, which is possible if all accesses below the loop are halves of updates by one operator. (What no update touches must not be
//! written when the copies are combined.) Parallel loops are written in `threads/private.rs`.

use super::boxes::{Box, box_around};
use super::extremes::Numbers;
use super::privatization::{Density, Elements, Extent, Private, Privatization, Reduced};
use super::storage;
use super::times::{Schedule, Times};
use crate::ast::{Ast, For, Node};
use crate::emit::arith::ranges::Ranges;
use crate::extract::binding::{Binding, BoundStatement, TypeId};
use crate::extract::reductions::arg_reduction::Rule;
use crate::extract::refusal::Reason;
use crate::extract::statements::root::Root;
use crate::presburger::{DimKind, Id, Int, Map, MultiPwAff, PwAff, Set, Space};
use crate::scop::{Access, AccessKind, ArrayId, ReductionOperator, Scop, Statement, Tree};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// By a loop's iterator.
#[derive(Clone, Default)]
pub struct Reductions {
    /// Loops called coincident whose iterations update common elements, or use the same memory for arrays of their own.
    pub carrying: BTreeSet<Id>,
    /// The copies that a parallel one of them needs.
    pub private: BTreeMap<Id, Vec<Private>>,
}

impl Reductions {
    /// Those of which is to be measured which elements are touched.
    pub fn measured(&self) -> BTreeSet<ArrayId> {
        let is_measured = |p: &&Private| p.way.elements().is_some_and(|elements| elements.touched.is_none());
        self.private.values().flatten().filter(is_measured).map(|private| private.array).collect()
    }

    /// The arrays that some loop reduces into copies of.
    pub fn arrays(&self) -> BTreeSet<ArrayId> {
        let reduced = self.private.values().flatten().filter(|private| !matches!(private.way, Privatization::Own(_)));
        reduced.map(|private| private.array).collect()
    }

    /// Has the parallel loop run on copies of an array that iterations have of their own, too large for the stack of a thread, or how large is not known.
    pub fn add_own(&mut self, iterator: &Id, array: ArrayId, extent: Extent) {
        let own = Private { array, way: Privatization::Own(extent), only: None };
        self.private.entry(iterator.clone()).or_default().push(own);
    }
}

/// `relaxed` are the arrays whose reductions the schedule may have run in parallel, `parallel` the loops that will be.
pub fn plan(
    scop: &Scop,
    (tree, ast): (&Tree, &Ast),
    binding: &Binding<'_>,
    relaxed: &[Id],
    parallel: &BTreeSet<Id>,
    names: &Ranges,
) -> Result<Reductions, Reason> {
    let mut reductions = Reductions::default();
    let mut coincident = Vec::new();
    collect(&ast.root, &mut coincident);
    let innermost = coincident.iter().filter(|each| !contains_loop(&each.body));
    let times = OnceCell::new();
    let times = || times.get_or_init(|| Times::of(tree));
    let has_own = scop.arrays.iter().any(|array| array.own > 0);
    let shared = innermost.filter(|each| has_own && storage::is_shared_inside(scop, times(), ast, &each.iterator));
    reductions.carrying.extend(shared.map(|each| each.iterator.clone()));
    if relaxed.is_empty() {
        return Ok(reductions);
    }
    for each in coincident {
        let below = each.body.statements();
        let own = Schedule::of(times(), ast, &BTreeSet::from([each.iterator.clone()]));
        for array in relaxed.iter().filter(|array| is_carried(scop, &own, &below, array)) {
            reductions.carrying.insert(each.iterator.clone());
            if parallel.contains(&each.iterator) {
                let private = privates(scop, binding, &below, array, names)?;
                reductions.private.entry(each.iterator.clone()).or_default().extend(private);
            }
        }
        if let Some(privates) = reductions.private.get_mut(&each.iterator) {
            complete_pairs(binding, privates)?;
        }
    }
    Ok(reductions)
}

/// The coincident loops of a tree.
pub fn collect<'a>(node: &'a Node, found: &mut Vec<&'a For>) {
    if let Node::For(each) = node
        && each.coincident
        && !each.degenerate
    {
        found.push(each);
    }
    node.children().into_iter().for_each(|child| collect(child, found));
}

/// Whether more than one iteration may run below.
pub fn contains_loop(node: &Node) -> bool {
    matches!(node, Node::For(each) if !each.degenerate) || node.children().into_iter().any(contains_loop)
}

fn accesses<'s>(
    scop: &'s Scop,
    below: &'s BTreeSet<Id>,
    array: &'s Id,
) -> impl Iterator<Item = (&'s Statement, &'s Access)> + 's {
    let inside = scop.statements.iter().filter(|statement| below.contains(&statement.name));
    inside.flat_map(move |s| s.accesses.iter().filter(move |a| a.array == *array).map(move |a| (s, a)))
}

/// Whether two iterations of the loop that `schedule` was made for write one element.
fn is_carried(scop: &Scop, schedule: &Schedule, below: &BTreeSet<Id>, array: &Id) -> bool {
    let trusted = scop.trusted_context();
    let writes: Vec<(Option<usize>, Map)> = accesses(scop, below, array)
        .filter(|(_, access)| access.kind.writes())
        .filter_map(|(statement, access)| {
            let times = schedule.times.get(&statement.name)?;
            let relation = statement.touched(access, &trusted);
            Some((schedule.prefix(&statement.name), relation.apply_domain(times)))
        })
        .collect();
    writes.iter().any(|(prefix, first)| {
        writes.iter().any(|(other, second)| {
            let Some(prefix) = prefix.filter(|_| prefix == other) else { return true };
            let together = first.apply_range(&second.reverse()).intersect(&schedule.same(prefix - 1));
            !together.is_subset(&schedule.same(prefix))
        })
    })
}

/// Bits of the widest number that a cell (`CAPTURE_ALIGNMENT`) holds.
const WIDEST: u32 = 128;

/// One copy for each operator and type: of several ones only where each has elements of its own.
fn privates(
    scop: &Scop,
    binding: &Binding<'_>,
    below: &BTreeSet<Id>,
    array: &Id,
    names: &Ranges,
) -> Result<Vec<Private>, Reason> {
    let whole = private(scop, binding, below, array, names);
    let mut groups: BTreeMap<(Option<ReductionOperator>, BTreeSet<TypeId>), BTreeSet<Id>> = BTreeMap::new();
    let number = binding.arrays.id_where(|bound| bound.id == *array);
    for (statement, access) in accesses(scop, below, array) {
        let types = number.map(|at| types(binding, &BTreeSet::from([statement.name.clone()]), at));
        groups.entry((access.reduction, types.unwrap_or_default())).or_default().insert(statement.name.clone());
    }
    let is_in_memory = number.is_some_and(|at| binding.arrays[at].base.is_some());
    if whole.is_ok() || groups.len() < 2 || groups.keys().any(|(operator, _)| operator.is_none()) || !is_in_memory {
        return Ok(vec![whole?]);
    }
    let mut found: Vec<Private> = Vec::new();
    let mut all: Vec<Set> = Vec::new();
    for own in groups.into_values() {
        let bound = binding.arrays.iter().find(|bound| bound.id == *array).expect("law: an array is bound");
        let strides = bound.constant_strides();
        let touched = touched(scop, &own, array);
        let numbers = strides.and_then(|strides| in_a_row(&touched, &strides, i128::from(bound.element_bytes)));
        match (private(scop, binding, &own, array, names), numbers) {
            (Ok(private), Some((numbers, _))) if all.iter().all(|other| other.is_disjoint(&numbers)) => {
                found.push(Private { only: Some(own), ..private });
                all.push(numbers);
            }
            _ => return Ok(vec![whole?]),
        }
    }
    Ok(found)
}

/// The elements that all accesses below touch.
fn touched(scop: &Scop, below: &BTreeSet<Id>, array: &Id) -> Set {
    let trusted = scop.trusted_context();
    let all = accesses(scop, below, array).map(|(statement, access)| statement.touched(access, &trusted).range());
    all.reduce(|a, b| a.union(&b)).expect("law: a carried array is accessed").coalesce()
}

fn private(
    scop: &Scop,
    binding: &Binding<'_>,
    below: &BTreeSet<Id>,
    array: &Id,
    names: &Ranges,
) -> Result<Private, Reason> {
    let number = binding.arrays.id_where(|bound| bound.id == *array);
    let number = number.ok_or_else(|| Reason::Broken { what: format!("no array {array}") })?;
    let bound = &binding.arrays[number];
    let name = &bound.source_name;
    let refuse = |why: &str| Reason::CannotPrivatize { array: array.clone(), what: format!("'{name}', {why}") };
    let operator = operator(scop, below, array).map_err(refuse)?;
    let types: Vec<TypeId> = types(binding, below, number).into_iter().collect();
    let [ty] = types[..] else { return Err(refuse("which is updated as numbers of different types")) };
    let element = bound.types[ty];
    if element.integer_width().is_some_and(|width| width > WIDEST) {
        return Err(refuse("whose numbers are wider than a cell of a copy"));
    }
    if !operator.is_commutative() {
        let way = in_pair(binding, below, number, ty);
        let way = way.ok_or_else(|| refuse("which is no part of one pair of values"))?;
        return Ok(Private { array: number, way, only: None });
    }
    if !(element.is_integer() || element.is_float()) {
        return Err(refuse("which is no array of numbers"));
    }
    let reduced = Reduced { operator, ty };
    if bound.base.is_none() {
        return Ok(Private { array: number, way: Privatization::Value(reduced), only: None });
    }
    let trusted = scop.trusted_context();
    let touched = touched(scop, below, array);
    let strides = bound.constant_strides();
    let strides = strides.ok_or_else(|| refuse(NO_CONSTANT_ROWS))?;
    let (touched, stride) = in_a_row(&touched, &strides, i128::from(bound.element_bytes))
        .ok_or_else(|| refuse("whose elements may overlap"))?;
    let is_measurable = binding.measurable.iter().any(|m| m.arrays.iter().any(|(array, _)| *array == number));
    let is_bounded = touched.is_bounded();
    if !is_bounded && !is_measurable {
        return Err(refuse(UNBOUNDED));
    }
    let is_sparse = !is_bounded
        || has_holes(&touched)
        || accesses(scop, below, array).any(|(_, a)| a.applied.is_some() || a.kind == AccessKind::MayWrite);
    let around = || around(&touched, name, &trusted, names).unwrap_or_else(|| Err(refuse(UNBOUNDED)));
    let touched = is_bounded.then(around).transpose()?;
    let is_extreme = matches!(operator, ReductionOperator::Min | ReductionOperator::Max) && element.is_float();
    let density = match (is_sparse, is_extreme) {
        (true, true) => Density::Sparse(Numbers::of(binding, below, element).ok_or_else(|| refuse(NO_NEUTRAL))?),
        (true, false) => Density::Sparse(Numbers::All),
        (false, _) => Density::Dense,
    };
    let way = Privatization::Elements(reduced, Elements { touched, stride, density });
    Ok(Private { array: number, way, only: None })
}

/// What the statements below touch of an array that iterations have of their own.
pub fn touched_own(
    scop: &Scop,
    binding: &Binding<'_>,
    below: &BTreeSet<Id>,
    number: ArrayId,
    names: &Ranges,
) -> Result<Extent, Reason> {
    let bound = &binding.arrays[number];
    let name = &bound.source_name;
    let refuse = |why: &str| Reason::CannotPrivatize { array: bound.id.clone(), what: format!("'{name}', {why}") };
    let touched = touched(scop, below, &bound.id);
    let strides = bound.constant_strides().ok_or_else(|| refuse(NO_CONSTANT_ROWS))?;
    let row = in_a_row(&touched, &strides, i128::from(bound.element_bytes));
    let (touched, stride) = row.ok_or_else(|| refuse("whose elements may overlap"))?;
    let around = around(&touched, name, &scop.trusted_context(), names).ok_or_else(|| refuse(UNBOUNDED))?;
    Ok(Extent::Touched(around?, stride))
}

/// The numbers from the first to the last element of a row; `None` if there are no such ones.
fn around(touched: &Set, name: &str, trusted: &Set, names: &Ranges) -> Option<Result<Box, Reason>> {
    let extent = [(touched.dim_min(0).ok()?, touched.dim_max(0).ok()?)];
    Some(box_around(&extent, name, trusted, &|name| names.get(name).copied()))
}

/// As which types the statements below access an array.
fn types(binding: &Binding<'_>, below: &BTreeSet<Id>, array: ArrayId) -> BTreeSet<TypeId> {
    let inside = binding.statements.iter().filter(|statement| below.contains(&statement.id));
    inside.flat_map(|statement| statement.types_of(array, &binding.arrays[array])).collect()
}

/// Whether a scalar is the first of the values that all statements below replace together, or another one of them.
fn in_pair(binding: &Binding<'_>, below: &BTreeSet<Id>, array: ArrayId, ty: TypeId) -> Option<Privatization> {
    let writes = |root: &Root<'_>| match root {
        Root::Write { array: own, .. } => *own == array,
        Root::Pick { outputs, .. } | Root::Together { outputs } | Root::Opaque { outputs, .. } => {
            outputs.iter().any(|o| o.array == array)
        }
        _ => false,
    };
    let mut writers = binding.statements.iter().filter(|s| below.contains(&s.id) && writes(&s.root));
    let pair = |s: &BoundStatement<'_>| {
        let mut with = s.picks.iter().filter(|pick| pick.arrays.contains(&array));
        with.next().map(|bound| (bound.pick.rule, bound.arrays.clone()))
    };
    let is_looked_up = |s: &BoundStatement<'_>| s.picks.iter().any(|pick| pick.pick.lookup.is_some());
    let one = writers.next()?;
    let first = pair(one)?;
    let is_one = writers.all(|s| pair(s).as_ref() == Some(&first) && !is_looked_up(s) && !is_looked_up(one));
    let (rule, arrays) = (binding.arrays[array].base.is_none() && is_one).then_some(first)?;
    Some(match arrays[0] == array {
        true => Privatization::Leader { ty, rule, arrays },
        false => Privatization::Member { ty },
    })
}

/// Adds the flags of pairs, all members of which must be there.
fn complete_pairs(binding: &Binding<'_>, privates: &mut Vec<Private>) -> Result<(), Reason> {
    let led: Vec<(Rule, Vec<ArrayId>)> = privates
        .iter()
        .filter_map(|p| match &p.way {
            Privatization::Leader { rule, arrays, .. } => Some((*rule, arrays.clone())),
            _ => None,
        })
        .collect();
    for private in privates.iter().filter(|p| matches!(p.way, Privatization::Member { .. })) {
        if !led.iter().any(|(_, arrays)| arrays.contains(&private.array)) {
            return Err(alone(binding, private.array));
        }
    }
    for (rule, arrays) in led {
        if let Some(missing) = arrays.iter().find(|array| !privates.iter().any(|p| p.array == **array)) {
            return Err(alone(binding, *missing));
        }
        if rule.asks_whether() {
            let array = *arrays.last().expect("law: a pick has members");
            privates.push(Private { array, way: Privatization::Flag, only: None });
        }
    }
    Ok(())
}

fn alone(binding: &Binding<'_>, array: ArrayId) -> Reason {
    let name = &binding.arrays[array].source_name;
    let what = format!("'{name}', apart from what is replaced with it");
    Reason::CannotPrivatize { array: binding.arrays[array].id.clone(), what }
}

/// Elements by their numbers, and the bytes from each to the next, for an array with so many bytes between neighbours in each dimension.
fn in_a_row(touched: &Set, strides: &[i128], element: i128) -> Option<(Set, i128)> {
    let unit = *strides.last()?;
    if unit < element || strides.iter().any(|stride| stride % unit != 0) {
        return None;
    }
    if strides.len() == 1 {
        return Some((touched.clone(), unit));
    }
    let space = Space::alloc_set(&[], None, strides.len());
    let number = strides.iter().enumerate().fold(
        PwAff::var_on_domain(&space, DimKind::Out, 0).scale(&Int::from(0)),
        |sum, (at, stride)| {
            let factor = i64::try_from(stride / unit).unwrap_or(i64::MAX);
            sum.add(&PwAff::var_on_domain(&space, DimKind::Out, at).scale(&Int::from(factor)))
        },
    );
    let space = Space::alloc_map(&[], strides.len(), 1);
    let numbered = MultiPwAff::new(&space, vec![number]).as_map();
    let name = touched.space().tuple_name(DimKind::Out).map(|name| name.to_string());
    Some((touched.apply(&numbered.set_tuple_name(DimKind::In, name.as_deref())), unit))
}

/// The one operator by which all accesses below update the array, each statement once or, in an opaque part, as often as it wants.
fn operator(scop: &Scop, below: &BTreeSet<Id>, array: &Id) -> Result<ReductionOperator, &'static str> {
    let mut all = accesses(scop, below, array).map(|(_, access)| access.reduction);
    let first = all.next().flatten().filter(|_| all.all(|other| other.is_some()));
    let operator = first.ok_or(USED_OTHERWISE)?;
    let count = |statement: &Statement, kind: AccessKind| {
        statement.accesses.iter().filter(|a| a.array == *array && a.kind == kind).count()
    };
    let n_read = |s: &Statement| count(s, AccessKind::Read);
    let is_read = |s: &Statement| n_read(s) == 1 || n_read(s) == 0 && operator == ReductionOperator::Last;
    let is_pair = |s: &Statement| is_read(s) && count(s, AccessKind::MustWrite) == 1;
    let is_update = |(statement, _): (&Statement, &Access)| {
        let is_part = count(statement, AccessKind::MayWrite) > 0;
        is_part || is_pair(statement)
    };
    match accesses(scop, below, array).all(|(_, access)| access.reduction == Some(operator)) {
        false => Err("which is updated by more than one operator"),
        true if !accesses(scop, below, array).all(is_update) => Err(USED_OTHERWISE),
        true => Ok(operator),
    }
}

const NO_NEUTRAL: &str = "of which it is not known which number leaves its minima and maxima as they are";

const UNBOUNDED: &str = "of which it is not known how many elements are touched";

const NO_CONSTANT_ROWS: &str = "the rows of which have no constant length";

const USED_OTHERWISE: &str = "which the loop also uses otherwise";

/// Whether between two elements of a set with one dimension there is one that is not in it.
fn has_holes(touched: &Set) -> bool {
    let space = touched.space();
    let later = Map::lex_lt(space);
    let behind = touched.apply(&later);
    let before = touched.apply(&later.reverse());
    !behind.intersect(&before).is_subset(touched)
}
