//! Regions: conjunctions over the parameters and the outermost schedule dimensions, seen as rows.
//!
//! The loop over `c1` in `{ [c0, c1] : 0 <= c1 <= c0 < N }` is made from the rows `c1 >= 0` and `c0 - c1 >= 0`. The engine's sets
//! keep parameters by name and in any order; rows have them in the one order of the loops being generated. Regions here have no local
//! variables unless it is said that they do, so that [`minus`] is a matter of negating rows.

use super::affine::{Div, Row};
use crate::presburger::int::Number;
use crate::presburger::{self, BasicSet, Constraint, ConstraintKind, DimKind, Id, Int, Set, Space, Tuple};

/// `row = 0` or `row >= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ast) struct Relation {
    pub equality: bool,
    pub row: Row,
}

/// The constraints of a conjunction; rows are over parameters, dimensions and locals.
pub(in crate::ast) struct Rows {
    pub relations: Vec<Relation>,
    /// A local without definition is `None`.
    pub divs: Vec<Option<Div>>,
}

/// The rows of `set`, its parameters in the order of `params`.
pub(in crate::ast) fn rows(set: &BasicSet, params: &[Id]) -> Rows {
    let own = set.space().params();
    let columns = Columns::new(own, params);
    let relation = |constraint: &Constraint| Relation {
        equality: constraint.kind == ConstraintKind::Equality,
        row: columns.row(&constraint.constant, &constraint.coefficients),
    };
    let div = |div: &presburger::Div| Div {
        numerator: columns.row(&div.constant, &div.coefficients),
        denominator: div.denominator.clone(),
    };
    Rows {
        relations: set.constraints().iter().map(relation).collect(),
        divs: set.locals().iter().map(|local| local.as_ref().map(div)).collect(),
    }
}

/// The order of parameters in engine rows and in ours.
pub(in crate::ast) struct Columns {
    sources: Vec<Option<usize>>,
    n_own: usize,
}

impl Columns {
    pub fn new(own: &[Id], params: &[Id]) -> Columns {
        assert!(own.iter().all(|p| params.contains(p)), "law: {params:?} are all parameters, {own:?} among them");
        Columns { sources: params.iter().map(|p| own.iter().position(|o| o == p)).collect(), n_own: own.len() }
    }

    pub fn row(&self, constant: &Int, coefficients: &[Int]) -> Row {
        let params = self.sources.iter().map(|s| s.map_or(Int::zero(), |s| coefficients[s].clone()));
        Row {
            constant: constant.clone(),
            coefficients: params.chain(coefficients[self.n_own..].iter().cloned()).collect(),
        }
    }
}

/// The space of the outermost `n` schedule dimensions.
pub(in crate::ast) fn space(params: &[Id], n: usize) -> Space {
    Space::set(params, &Tuple::anonymous(n))
}

/// The points of `set` that satisfy the relations, which are over parameters and dimensions.
pub(in crate::ast) fn constrained(set: &BasicSet, params: &[Id], relations: &[Relation]) -> BasicSet {
    let n = params.len() + set.dim(DimKind::Out);
    let constraint = |relation: &Relation| {
        let mut coefficients = relation.row.coefficients.clone();
        coefficients.resize(n, Int::zero());
        let kind = if relation.equality { ConstraintKind::Equality } else { ConstraintKind::Inequality };
        Constraint { kind, constant: relation.row.constant.clone(), coefficients }
    };
    let constraints: Vec<Constraint> = relations.iter().map(constraint).collect();
    set.intersect(&BasicSet::from_constraints(&space(params, set.dim(DimKind::Out)), &[], &constraints))
}

/// The points of `set` where `row` (over parameters and dimensions) is a multiple of `modulus`.
pub(in crate::ast) fn divisible(set: &BasicSet, params: &[Id], row: &Row, modulus: &Int) -> BasicSet {
    let n = params.len() + set.dim(DimKind::Out);
    let mut coefficients = row.coefficients.clone();
    coefficients.resize(n + 1, Int::zero());
    let constant = row.constant.clone();
    let div = presburger::Div {
        denominator: modulus.clone(),
        constant: constant.clone(),
        coefficients: coefficients.clone(),
    };
    coefficients[n] = Number::neg(modulus);
    let constraint = Constraint { kind: ConstraintKind::Equality, constant, coefficients };
    set.intersect(&BasicSet::from_constraints(&space(params, set.dim(DimKind::Out)), &[Some(div)], &[constraint]))
}

/// With `n` more dimensions at the end, unconstrained.
pub(in crate::ast) fn lifted(set: &BasicSet, n: usize) -> BasicSet {
    single(&set.to_set().add_dims(DimKind::Out, n))
}

/// The one piece of `set`, or the empty conjunction.
pub(in crate::ast) fn single(set: &Set) -> BasicSet {
    match &set.pieces()[..] {
        [] => BasicSet::empty(set.space()),
        [piece] => piece.clone(),
        pieces => panic!("law: a conjunction stays one, not {}", pieces.len()),
    }
}

/// The relation that holds where `row >= 0` does not.
pub(in crate::ast) fn negated(row: &Row) -> Relation {
    let mut row = row.scaled(&Int::from(-1));
    row.constant = row.constant.sub(&Int::one());
    Relation { equality: false, row }
}

/// Whether `relation` holds on all of `region`.
pub(in crate::ast) fn implies(region: &BasicSet, relation: &Relation, params: &[Id]) -> bool {
    sides(relation).iter().all(|side| constrained(region, params, &[negated(side)]).is_empty())
}

/// `relation` as inequalities.
pub(in crate::ast) fn sides(relation: &Relation) -> Vec<Row> {
    if relation.equality {
        vec![relation.row.clone(), relation.row.scaled(&Int::from(-1))]
    } else {
        vec![relation.row.clone()]
    }
}

/// Disjoint regions that cover `a` without `b`. `None` if `b` has local variables where it matters.
pub(in crate::ast) fn minus(a: &BasicSet, b: &BasicSet, params: &[Id]) -> Option<Vec<BasicSet>> {
    let rows = rows(&b.gist(a), params);
    if !rows.divs.is_empty() {
        return None;
    }
    let (mut rest, mut outside) = (a.clone(), vec![]);
    for side in rows.relations.iter().flat_map(sides) {
        let beyond = constrained(&rest, params, &[negated(&side)]);
        if !beyond.is_empty() {
            outside.push(beyond);
            rest = constrained(&rest, params, &[Relation { equality: false, row: side }]);
        }
    }
    Some(outside)
}

/// The smallest region found that contains all `parts`: bounds of some part that the others respect, perhaps shifted.
pub(in crate::ast) fn hull(parts: &[BasicSet]) -> BasicSet {
    let Some((first, rest)) = parts.split_first() else { panic!("law: a hull is of something") };
    if rest.is_empty() {
        return first.clone();
    }
    rest.iter().fold(first.to_set(), |union, part| union.union(&part.to_set())).simple_hull()
}
