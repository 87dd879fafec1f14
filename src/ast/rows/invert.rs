//! Inverting dates: the iterators of a statement as functions of the schedule's dimensions.
//!
//! `{ S[i, j] -> [i + j, j] }` is inverted by solving its equalities, `j = c1` and `i = c0 - c1`; `{ S[i] -> [2 i + 1] }` gives
//! `i = (c0 - 1) / 2`, which is exact on the dates that occur. Where equalities do not determine the iterators (as for
//! `[floor(i / 2), i mod 2]` before its floors are seen through), or where parts of a union disagree on a date, the engine's parametric optimum
//! decides whether there is a function at all.

use super::affine::{Div, Row};
use super::region::Columns;
use crate::presburger::int::Number;
use crate::presburger::{self, Aff, BasicMap, ConstraintKind, DimKind, Id, Int, Map, MultiAff, PwMultiAff, Set};

/// One iterator: `row / denominator`, which is an integer; the row is over parameters, dimensions and `divs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ast) struct Argument {
    pub row: Row,
    pub divs: Vec<Div>,
    pub denominator: Int,
}

/// The instances of a statement at some dates.
#[derive(Clone)]
pub(in crate::ast) struct Inverse {
    /// The dates.
    pub domain: Set,
    /// One per iterator.
    pub arguments: Vec<Argument>,
}

/// The instance at each date, in pieces with disjoint domains; `None` if some date has several.
pub(in crate::ast) fn inverse(dates: &Map, params: &[Id]) -> Option<Vec<Inverse>> {
    if let Some(solved) = solved(dates, params) {
        return Some(solved);
    }
    let function = PwMultiAff::from_map(&dates.reverse())?;
    Some(function.pieces().iter().map(|(domain, instance)| piece(domain, instance, params)).collect())
}

fn piece(domain: &Set, instance: &MultiAff, params: &[Id]) -> Inverse {
    Inverse { domain: domain.clone(), arguments: instance.affs().iter().map(|aff| argument(aff, params)).collect() }
}

fn argument(aff: &Aff, params: &[Id]) -> Argument {
    let columns = Columns::new(aff.domain_space().params(), params);
    let own = |kind| (0..aff.domain_space().dim(kind)).map(move |i| aff.coefficient(kind, i));
    let divs = (0..aff.n_div()).map(|i| aff.div_coefficient(i));
    let coefficients: Vec<Int> = own(DimKind::Param).chain(own(DimKind::Out)).chain(divs).collect();
    let div = |d: &presburger::Div| Div {
        numerator: columns.row(&d.constant, &d.coefficients),
        denominator: d.denominator.clone(),
    };
    Argument {
        row: columns.row(&aff.constant_value(), &coefficients),
        divs: aff.divs().iter().map(div).collect(),
        denominator: aff.denominator(),
    }
}

/// By the equalities of each piece, where they determine all iterators and the pieces agree or have no date in common.
fn solved(dates: &Map, params: &[Id]) -> Option<Vec<Inverse>> {
    let mut found: Vec<Inverse> = vec![];
    for piece in dates.pieces() {
        let arguments = solution(&piece, params)?;
        let domain = piece.range().to_set();
        match found.iter_mut().find(|inverse| inverse.arguments == arguments) {
            Some(inverse) => inverse.domain = inverse.domain.union(&domain),
            None => found.push(Inverse { domain, arguments }),
        }
    }
    for (position, inverse) in found.iter().enumerate() {
        if found[..position].iter().any(|other| !other.domain.is_disjoint(&inverse.domain)) {
            return None;
        }
    }
    Some(found)
}

fn solution(dates: &BasicMap, params: &[Id]) -> Option<Vec<Argument>> {
    let columns = Columns::new(dates.space().params(), params);
    let (n, n_in, n_out) = (params.len(), dates.dim(DimKind::In), dates.dim(DimKind::Out));
    let equalities = dates.constraints().into_iter().filter(|c| c.kind == ConstraintKind::Equality);
    let mut rows: Vec<Row> = equalities.map(|c| columns.row(&c.constant, &c.coefficients)).collect();
    for local in n + n_in + n_out..n + n_in + n_out + dates.n_local() {
        eliminate(&mut rows, local);
    }
    let mut defining = vec![];
    for iterator in n..n + n_in {
        defining.push(eliminate(&mut rows, iterator)?);
    }
    for later in (0..n_in).rev() {
        let pivot = defining[later].clone();
        for earlier in &mut defining[..later] {
            *earlier = cleared(earlier, &pivot, n + later);
        }
    }
    let argument = |(position, row): (usize, &Row)| {
        let factor = &row.coefficients[n + position];
        let value = if factor.is_positive() { row.scaled(&Int::from(-1)) } else { row.clone() };
        let coefficients = value.coefficients[..n].iter().chain(&value.coefficients[n + n_in..n + n_in + n_out]);
        let row = Row { constant: value.constant.clone(), coefficients: coefficients.cloned().collect() };
        Argument { row, divs: vec![], denominator: factor.abs() }
    };
    Some(defining.iter().enumerate().map(argument).collect())
}

/// Takes a row with `column` out of the rows (one with the least factor) and clears the column in the others.
pub(in crate::ast) fn eliminate(rows: &mut Vec<Row>, column: usize) -> Option<Row> {
    let involved = |row: &Row| !row.coefficients[column].is_zero();
    let least = rows.iter().filter(|row| involved(row)).map(|row| row.coefficients[column].abs()).min()?;
    let at = rows.iter().position(|row| row.coefficients[column].abs() == least)?;
    let pivot = rows.remove(at);
    rows.iter_mut().for_each(|row| *row = cleared(row, &pivot, column));
    Some(pivot)
}

fn cleared(row: &Row, pivot: &Row, column: usize) -> Row {
    if row.coefficients[column].is_zero() {
        return row.clone();
    }
    let mixed = row.scaled(&pivot.coefficients[column]).plus(&Number::neg(&row.coefficients[column]), pivot);
    let content = Number::gcd(&mixed.content(), &mixed.constant);
    if content.is_zero() { mixed } else { mixed.map(|c| c.div_exact(&content)) }
}
