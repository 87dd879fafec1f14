//! The laws of a model, each with the sentence that says it is broken.
//!
//! 1. Statements, arrays and accesses have names of their own.
//! 2. A statement's domain is a set of tuples with the statement's name; contexts are sets of parameters.
//! 3. An access goes from its statement's instances, all of them inside the domain, to elements of its array, which has as many
//!    dimensions as the shape says.
//! 4. The accesses marked as a reduction touch one element per instance.
//! 5. The schedule runs exactly the instances of the statements.
//! 6. A truth value that a condition asks for is written by one instance.
//! 7. A condition of a statement is, for each of its instances, one element of a scalar, of which a statement of the model writes
//!    each element that is asked for; or none, in the first step of a loop
//!    that data ends.
//! 8. A statement applies declared symbols, for each instance and values of earlier applications to one list of arguments each.
//! 9. A computation mentions reads of its statement, iterators, parameters, and symbols with as many arguments as they have.
//!
//! A statement `S` with the domain `{ S[i] : 0 <= i < 9 }` and the access `{ S[i] -> A[i] : 0 <= i < 10 }` breaks the third one.

use std::collections::BTreeSet;
use std::fmt;

use super::{Access, AccessKind, Applied, ArrayKind, Expression, Scop, Statement};
use crate::presburger::{DimKind, Id, UnionSet};

/// A law that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The statement that breaks it; `None` if none does.
    pub statement: Option<Id>,
    /// What of the statement does: keys of the text form, if one is known.
    pub about: &'static [&'static str],
    /// How.
    pub message: String,
}

/// What says under which condition a statement runs.
const CONDITIONS: &[&str] = &["when", "unless"];

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Violation {}

/// Whether `scop` keeps all laws; the first one that it breaks.
pub fn verify(scop: &Scop) -> Result<(), Violation> {
    names_are_distinct(scop)?;
    if !scop.context.space().is_params() || !scop.assumed.space().is_params() {
        return broken(None, "a context is not a set of parameters".to_string());
    }
    for statement in &scop.statements {
        statement_is_lawful(scop, statement)?;
    }
    schedule_covers(scop)?;
    conditions_are_for_all(scop)?;
    truths_are_written_once(scop)
}

/// An instance that asks for nothing, where others of its statement do, is of the first step of a loop that data ends.
fn conditions_are_for_all(scop: &Scop) -> Result<(), Violation> {
    let mut steps = None;
    for statement in &scop.statements {
        let is_partial = |a: &&Access| a.condition.is_some() && !statement.domain.is_subset(&a.relation.domain());
        let Some(access) = statement.accesses.iter().find(is_partial) else { continue };
        let steps = steps.get_or_insert_with(|| scop.steps());
        if !steps.iter().any(|steps| steps.asked.contains_key(&statement.name)) {
            let what = format!("condition {} of {} is not one value for each instance", access.id, statement.name);
            return broken_by(statement, CONDITIONS, what);
        }
    }
    Ok(())
}

fn broken(statement: Option<&Statement>, message: String) -> Result<(), Violation> {
    Err(Violation { statement: statement.map(|s| s.name.clone()), about: &[], message })
}

fn broken_by(statement: &Statement, about: &'static [&'static str], message: String) -> Result<(), Violation> {
    Err(Violation { statement: Some(statement.name.clone()), about, message })
}

fn names_are_distinct(scop: &Scop) -> Result<(), Violation> {
    let mut seen = BTreeSet::new();
    for statement in &scop.statements {
        if !seen.insert(&statement.name) {
            return broken(Some(statement), format!("two statements are called {}", statement.name));
        }
    }
    let mut seen = BTreeSet::new();
    for array in &scop.arrays {
        if !seen.insert(&array.name) {
            return broken(None, format!("two arrays are called {}", array.name));
        }
    }
    let mut seen = BTreeSet::new();
    for statement in &scop.statements {
        if let Some(access) = statement.accesses.iter().find(|a| !seen.insert(&a.id)) {
            return broken(Some(statement), format!("two accesses are called {}", access.id));
        }
    }
    Ok(())
}

fn statement_is_lawful(scop: &Scop, statement: &Statement) -> Result<(), Violation> {
    let name = &statement.name;
    if statement.domain.space().tuple_name(DimKind::Out) != Some(name) || statement.domain.space().is_params() {
        return broken(Some(statement), format!("the domain of {name} is not a set of tuples {name}[..]"));
    }
    statement.applied.iter().try_for_each(|applied| applications_are_lawful(scop, statement, applied))?;
    statement.accesses.iter().try_for_each(|access| access_is_lawful(scop, statement, access))?;
    let conditions = statement.accesses.iter().filter(|a| a.condition.is_some());
    conditions.clone().try_for_each(|access| condition_is_lawful(scop, statement, access))?;
    statement.compute.iter().try_for_each(|value| computation_is_lawful(scop, statement, value))
}

fn applications_are_lawful(scop: &Scop, statement: &Statement, applied: &Applied) -> Result<(), Violation> {
    let n = applied.applications.len();
    let first = applied.domain.dim(DimKind::Out) - n;
    for (at, application) in applied.applications.iter().enumerate() {
        let complain =
            |what: String| broken(Some(statement), format!("{} applies {} {what}", statement.name, application.symbol));
        let Some(symbol) = scop.symbols.iter().find(|s| s.name == application.symbol) else {
            return complain("which is not declared as a symbol".to_string());
        };
        let arguments = &application.arguments;
        if arguments.dim(DimKind::Out) != symbol.arity || arguments.dim(DimKind::In) != first + n {
            return complain(format!("to {} arguments", arguments.dim(DimKind::Out)));
        }
        if arguments.involves(DimKind::In, first + at, n - at) {
            return complain("to its own value or a later one".to_string());
        }
        if !applied.domain.is_subset(&arguments.domain()) || !arguments.is_single_valued() {
            return complain("to no arguments, or several, for some instance".to_string());
        }
    }
    Ok(())
}

fn access_is_lawful(scop: &Scop, statement: &Statement, access: &Access) -> Result<(), Violation> {
    let relation = &access.relation;
    let complain = |what: &str| broken(Some(statement), format!("access {} of {} {what}", access.id, statement.name));
    if relation.space().tuple_name(DimKind::In) != Some(&statement.name) {
        return complain("does not begin at the statement's instances");
    }
    let Some(array) = scop.array(&access.array) else { return complain("touches an array that is not declared") };
    if relation.space().tuple_name(DimKind::Out) != Some(&array.name) || relation.dim(DimKind::Out) != array.shape.len()
    {
        return complain(&format!("does not give elements of {} with {} dimensions", array.name, array.shape.len()));
    }
    if array.own > relation.dim(DimKind::In).min(relation.dim(DimKind::Out)) {
        return complain(&format!("has no {} subscripts that count iterations", array.own));
    }
    let counted = (0..array.own).fold(relation.clone(), |map, at| map.equate(DimKind::In, at, DimKind::Out, at));
    if !relation.is_subset(&counted) {
        return complain(&format!("touches an array {} of another iteration", array.name));
    }
    if !relation.domain().is_subset(&statement.domain) {
        return complain("reaches beyond the statement's domain");
    }
    if access.reduction.is_some() && !access.applied.as_ref().unwrap_or(relation).is_single_valued() {
        return complain("is marked as a reduction but touches several elements");
    }
    Ok(())
}

fn condition_is_lawful(scop: &Scop, statement: &Statement, access: &Access) -> Result<(), Violation> {
    let complain =
        |what: &str| broken_by(statement, CONDITIONS, format!("condition {} of {} {what}", access.id, statement.name));
    if scop.array(&access.array).is_none_or(|a| a.kind != ArrayKind::Scalar) {
        return complain("is not the value of a scalar");
    }
    if !access.relation.is_single_valued() {
        return complain("is not one value for each instance");
    }
    let writes =
        scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.array == access.array && a.kind.writes());
    let written = writes.map(|a| a.relation.range()).reduce(|all, each| all.union(&each));
    match written {
        Some(written) if access.relation.range().is_subset(&written) => Ok(()),
        _ => complain("asks for a value that nobody computes"),
    }
}

fn computation_is_lawful(scop: &Scop, statement: &Statement, value: &Expression) -> Result<(), Violation> {
    let complain =
        |what: String| broken_by(statement, &["compute"], format!("the computation of {} {what}", statement.name));
    let (names, calls) = value.mentions();
    let tuple = statement.domain.space().tuple(DimKind::Out).expect("law: a domain has a tuple");
    let is_known = |name: &Id| {
        let is_read = |a: &Access| a.id == *name && a.kind == AccessKind::Read && a.condition.is_none();
        statement.accesses.iter().any(is_read)
            || scop.params.contains(name)
            || (0..tuple.n_dim()).any(|d| tuple.dim_name(d) == Some(name))
    };
    if let Some(name) = names.into_iter().find(|name| !is_known(name)) {
        return complain(format!("mentions {name}, which is no read of it, no iterator and no parameter"));
    }
    for (name, n) in calls {
        match scop.symbols.iter().find(|s| s.name == *name) {
            None => return complain(format!("calls {name}, which is not declared as a symbol")),
            Some(symbol) if symbol.arity != n => {
                return complain(format!("gives {n} arguments to {name}, which takes {}", symbol.arity));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn schedule_covers(scop: &Scop) -> Result<(), Violation> {
    let (scheduled, all) = (scop.schedule.domain(), scop.domain());
    let first = |missing: UnionSet| {
        missing
            .sets()
            .next()
            .and_then(|s| s.space().tuple_name(DimKind::Out).cloned())
            .map_or(String::new(), |n| n.to_string())
    };
    if !all.is_subset(&scheduled) {
        return broken(None, format!("the schedule leaves out instances of {}", first(all.subtract(&scheduled))));
    }
    if !scheduled.is_subset(&all) {
        return broken(
            None,
            format!("the schedule runs instances that {} does not have", first(scheduled.subtract(&all))),
        );
    }
    Ok(())
}

fn truths_are_written_once(scop: &Scop) -> Result<(), Violation> {
    let asked: BTreeSet<&Id> =
        scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.condition.is_some()).map(|a| &a.array).collect();
    for array in asked {
        let writers = scop.statements.iter().flat_map(|s| s.accesses.iter().map(move |a| (s, a)));
        let mut writers = writers.filter(|(_, a)| a.array == *array && a.kind.writes());
        if let Some((statement, access)) = writers.next()
            && (access.kind == AccessKind::MayWrite || !access.relation.is_injective() || writers.next().is_some())
        {
            return broken(Some(statement), format!("the truth value {array} is not written exactly once"));
        }
    }
    Ok(())
}
