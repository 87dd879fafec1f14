//! Rows that follow one another, where only data says where they begin.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   for (int k = ptr[i]; k < ptr[i + 1]; k++)
//!     val[k] *= s[i];
//! ```
//!
//! If no iteration touches an element of `val` behind the first one of a later iteration, there is a function that grows, `row(i)`, such
//! that iteration `i` touches `{ val[k] : row(i) <= k < row(i + 1) }`: the least element that `i` or a later iteration touches. With that
//! *monotone* symbol the dependences are exact: different `i` never meet. A test before the loops goes through `ptr` once and sees whether
//! each row begins behind the end of all earlier ones ([`Inspection::ordered`]); so do rows of triangles packed into a vector, and any
//! others that are found at `start[i]` with `length[i]` elements.
//!
//! Implements: 001 bounds

use super::ranges::Ranges;
use crate::extract::binding::{Inspected, Inspection};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::polynomial::{Atom, Polynomial, UnknownId};
use crate::extract::numbers::scope::Scope;
use crate::extract::numbers::unknown::Computed;
use crate::extract::statements::drafts::{Drafts, memory_accesses};
use crate::presburger::{DimKind, Id, Map, PwAff, Set, Space};
use crate::scop::{Application, Applied, ArrayId, StatementId, Symbol, Table};

/// Further ranges in one row make the test longer than the loops it guards.
const MOST_RANGES: usize = 4;

/// Arrays whose rows are to follow one another.
#[derive(Default)]
pub(in crate::extract) struct Rows {
    all: Vec<Row>,
}

struct Row {
    symbol: Symbol,
    /// Those that have these rows.
    arrays: Vec<ArrayId>,
    /// The statements that touch them.
    statements: Vec<StatementId>,
    /// The loop, and the numbers that data gives.
    scope: Scope,
    /// First and last element of what an iteration touches.
    ranges: Vec<(Polynomial, Polynomial)>,
    why: String,
}

impl Row {
    /// Whether the other has the same rows in the same iterations: what is tested of one says all of the other.
    fn has_rows_of(&self, other: &Row) -> bool {
        self.scope.has_dimensions_of(&other.scope)
            && self.ranges == other.ranges
            && self.scope.domain.is_equal(&other.scope.domain)
    }
}

impl Rows {
    pub fn of<'ir>(
        affine: &Affine<'_, '_, 'ir>,
        drafts: &Drafts<'_, '_, 'ir>,
        ranges: &Ranges<'ir>,
        is_flat: &dyn Fn(ArrayId) -> bool,
        names: &Table<ArrayId, String>,
    ) -> Self {
        let mut rows = Rows::default();
        for (array, draft) in drafts.arrays.entries() {
            if !draft.is_written || !draft.is_indirect || !is_flat(array) {
                continue;
            }
            let bytes = i128::from(affine.region.entry.function().layout().store_size(draft.element));
            let Some(row) = row_of(affine, drafts, ranges, array, bytes, &names[array]) else { continue };
            match rows.all.iter_mut().find(|known| known.has_rows_of(&row)) {
                Some(known) => {
                    known.arrays.push(array);
                    known.statements.extend(row.statements);
                }
                None => {
                    let name = Id::new(&format!("row{}", rows.all.len()));
                    rows.all.push(Row { symbol: Symbol { name, ..row.symbol }, ..row });
                }
            }
        }
        rows
    }

    pub fn symbols(&self) -> Vec<Symbol> {
        self.all.iter().map(|row| row.symbol.clone()).collect()
    }

    fn of_statement(&self, statement: StatementId) -> impl Iterator<Item = &Row> {
        self.all.iter().filter(move |row| row.statements.contains(&statement))
    }

    /// The beginning of its row and of the next one, for each instance of the statement and each of its rows.
    pub fn applied(&self, statement: StatementId, domain: &Set, name: &Id) -> Option<Applied> {
        let n_rows = self.of_statement(statement).count();
        if n_rows == 0 {
            return None;
        }
        let n = domain.dim(DimKind::Out);
        let instances = domain.insert_dims(DimKind::Out, n, 2 * n_rows);
        let universe = Set::universe(instances.space());
        let space = universe.space().clone();
        let var = |at: usize| PwAff::var_on_domain(&space, DimKind::Out, at);
        let mut instances = instances.clone();
        let mut applications = Vec::new();
        for (at, row) in self.of_statement(statement).enumerate() {
            let (begin, end) = (n + 2 * at, n + 2 * at + 1);
            instances = instances.intersect(&var(begin).le_set(&var(end)));
            for later in [0, 1] {
                let argument = var(0).add(&PwAff::constant_on_domain(&space, &later.into()));
                let arguments = argument.as_map().set_tuple_name(DimKind::In, Some(name.as_str()));
                applications.push(Application { symbol: row.symbol.name.clone(), arguments });
            }
        }
        let domain = instances.set_tuple_name(DimKind::Out, Some(name.as_str()));
        Some(Applied { applications, domain })
    }

    /// `{ S[i, v] -> A[a] : row(i) <= a < row(i + 1) }`, if the array has rows in this statement.
    pub fn element(&self, statement: StatementId, array: ArrayId, applied: &Applied, name: &str) -> Option<Map> {
        let at = self.of_statement(statement).position(|row| row.arrays.contains(&array))?;
        let width = applied.domain.dim(DimKind::Out);
        let begin = width - applied.applications.len() + 2 * at;
        let target = Set::universe(&Space::alloc_set(&[], Some(name), 1));
        let all = Map::from_domain_and_range(&applied.domain, &target);
        let from = all.order_le(DimKind::In, begin, DimKind::Out, 0);
        Some(from.order_lt(DimKind::Out, 0, DimKind::In, begin + 1))
    }
}

fn row_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    ranges: &Ranges<'ir>,
    array: ArrayId,
    bytes: i128,
    name: &str,
) -> Option<Row> {
    let mut statements: Vec<StatementId> = Vec::new();
    let mut found: Vec<(Polynomial, Polynomial)> = Vec::new();
    let mut unknowns: Vec<UnknownId> = Vec::new();
    for access in memory_accesses(drafts, array) {
        let (low, high) = ranges.get(access.statement, access.instruction)?.ends.clone()?;
        let whole = |p: &Polynomial| p.terms().all(|(_, factor)| factor % bytes == 0);
        if !whole(&low) || !whole(&high) {
            return None;
        }
        let range = (low.divided(bytes), high.divided(bytes));
        for atom in range.0.atoms().chain(range.1.atoms()) {
            if let Atom::Unknown(at) = atom
                && !unknowns.contains(&at)
            {
                unknowns.push(at);
            }
        }
        if !found.contains(&range) {
            found.push(range);
        }
        if !statements.contains(&access.statement) {
            statements.push(access.statement);
        }
    }
    let scope = &drafts.statements[*statements.first()?].scope;
    let is_same = |s: &StatementId| {
        let own = &drafts.statements[*s].scope;
        own.has_dimensions_of(scope) && own.domain.is_equal(&scope.domain)
    };
    if scope.loops.len() != 1 || found.len() > MOST_RANGES || unknowns.is_empty() || !statements.iter().all(is_same) {
        return None;
    }
    let scope = Scope { unknowns, ..scope.clone() };
    let is_conditional = |at: &UnknownId| affine.unknown(*at).computed.is_none_or(|c| !c.conditions.is_empty());
    if found.len() > 1 && scope.unknowns.iter().any(is_conditional) {
        return None;
    }
    let all_affine =
        found.iter().all(|(low, high)| affine.aff(low, &scope).is_ok() && affine.aff(high, &scope).is_ok());
    let symbol = Symbol { name: Id::new("row"), arity: 1, lower: None, upper: None, injective: false, monotone: true };
    let why = format!("rows of '{name}' follow one another");
    all_affine.then_some(Row { symbol, arrays: vec![array], statements, scope, ranges: found, why })
}

/// All that has to be found out about data before the loops.
pub(in crate::extract) fn inspections<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    assumptions: &Assumptions,
    rows: &Rows,
) -> Vec<Inspection<'ir>> {
    let values = |unknowns: &[UnknownId]| -> (Vec<Inspected<'ir>>, Computed<'ir>) {
        let all: Vec<_> = unknowns.iter().map(|at| affine.unknown(*at)).collect();
        let mut together = Computed::default();
        for each in all.iter().map(|u| u.computed.clone().expect("law: what is assumed can be tested")) {
            together.leaves.extend(each.leaves);
            let news = each.conditions.into_iter().filter(|c| !together.conditions.contains(c)).collect::<Vec<_>>();
            together.conditions.extend(news);
        }
        let value = |u: &crate::extract::numbers::unknown::Unknown<'ir>| Inspected {
            value: u.value,
            signedness: u.signedness,
            interval: u.interval,
        };
        (all.iter().map(value).collect(), together)
    };
    let conditions = assumptions.conditions().iter().cloned().map(|condition| {
        let (values, computed) = values(&condition.unknowns);
        let (loops, domain, why) = (condition.loops, condition.domain, condition.why);
        Inspection { loops, domain, values, computed, bad: Some(condition.bad), ordered: Vec::new(), why }
    });
    let ordered = rows.all.iter().map(|row| {
        let (values, computed) = values(&row.scope.unknowns);
        let aff = |p: &Polynomial| affine.aff(p, &row.scope).expect("law: rows begin and end at affine places");
        let ordered = row.ranges.iter().map(|(low, high)| (aff(low), aff(high))).collect();
        let (loops, domain, why) = (row.scope.loops.clone(), row.scope.domain.clone(), row.why.clone());
        Inspection { loops, domain, values, computed, bad: None, ordered, why }
    });
    conditions.chain(ordered).collect()
}
