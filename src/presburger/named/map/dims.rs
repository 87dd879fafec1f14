//! Relations: operations on single dimensions, by position.
//!
//! `{ [i, j] : 0 <= j < i }` with dimension 1 projected out is `{ [i] : exists e: 0 <= e < i }`, of which simplification makes
//! `{ [i] : i > 0 }`; with dimension 1 eliminated it is `{ [i, j] : i > 0 }`. Parameters, domain and range dimensions are all
//! columns, so each operation here is one placement of columns or one row. A tuple that dimensions are taken from or added to becomes
//! flat and loses its name, as in isl.
//!
//! Implements: 002 2.4.5

use super::Map;
use crate::presburger::algebra::count;
use crate::presburger::algebra::pieces::{self, Dropped, Precision, exact};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::{Constraint, ConstraintKind};
use crate::presburger::named::space::{DimKind, Id, Space, Tuple, Tuples};
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::Matrix;
use crate::presburger::solve::lexmin;
use crate::presburger::solve::lexmin::Unbounded;
use crate::presburger::solve::unknowns::Sense;

/// Greatest stride that is looked for: all divisors up to it are tried.
const GREATEST_STRIDE: i64 = 1 << 20;

impl Map {
    fn column(&self, kind: DimKind, position: usize) -> usize {
        assert!(position < self.dim(kind), "dimension {position} of {kind:?} in {}", self.space);
        1 + self.space.offset(kind) + position
    }

    fn row(&self, constant: Int, cells: &[(usize, i64)]) -> Vec<Int> {
        let mut row = vec![Int::zero(); 1 + self.space.n_dim()];
        row[0] = constant;
        for (column, value) in cells {
            row[*column] = row[*column].add(&Int::from(*value));
        }
        row
    }

    /// The space without, or with `n` more, dimensions at a position.
    fn resized(space: &Space, kind: DimKind, position: usize, removed: usize, added: usize) -> Space {
        if kind == DimKind::Param {
            let mut params = space.params().to_vec();
            params.drain(position..position + removed);
            let fresh = (0..).map(|k| Id::new(&format!("p{k}"))).filter(|id| !space.params().contains(id));
            params.splice(position..position, fresh.take(added));
            return space.with_params(&params);
        }
        let tuple = space.tuple(kind).unwrap_or_else(|| panic!("law: {kind:?} names a tuple of {space}"));
        if removed + added == 0 {
            return space.clone();
        }
        space.with_tuple(kind, &tuple.without_dims(position, removed).with_new_dims(position, added))
    }

    /// Forgets dimensions: pairs with some values there. Their tuple loses its name, also for `n = 0`. isl: `map_project_out`.
    pub fn project_out(&self, kind: DimKind, first: usize, n: usize) -> Map {
        if n == 0 {
            let bare = self.space.tuple(kind).map(|tuple| self.space.with_tuple(kind, &tuple.without_dims(0, 0)));
            return bare.map_or_else(|| self.clone(), |space| Map::new(&space, self.pieces.clone()));
        }
        let at = self.space.offset(kind) + first;
        let sources: Vec<Option<usize>> = (0..at).chain(at + n..self.space.n_dim()).map(Some).collect();
        self.rearrange(&Map::resized(&self.space, kind, first, n, 0), &sources)
    }

    /// Forgets a parameter, if it is there. isl: `map_project_out_param_id`.
    pub fn project_out_param(&self, name: &str) -> Map {
        self.space.find_param(name).map_or_else(|| self.clone(), |p| self.project_out(DimKind::Param, p, 1))
    }

    /// Pairs that differ from one in it in the given dimensions at most. isl: `map_eliminate`.
    pub fn eliminate(&self, kind: DimKind, first: usize, n: usize) -> Map {
        let at = self.space.offset(kind) + first;
        let sources: Vec<Option<usize>> =
            (0..self.space.n_dim()).map(|v| (v < at || v >= at + n).then_some(v)).collect();
        self.rearrange(&self.space, &sources)
    }

    /// New dimensions, of any value, before a position. New parameters are named `p0`, `p1` and so on. isl: `map_insert_dims`.
    pub fn insert_dims(&self, kind: DimKind, position: usize, n: usize) -> Map {
        let at = self.space.offset(kind) + position;
        let sources: Vec<Option<usize>> =
            (0..at).map(Some).chain(std::iter::repeat_n(None, n)).chain((at..self.space.n_dim()).map(Some)).collect();
        self.rearrange(&Map::resized(&self.space, kind, position, 0, n), &sources)
    }

    /// [`Map::insert_dims`] at the end. isl: `map_add_dims`.
    pub fn add_dims(&self, kind: DimKind, n: usize) -> Map {
        self.insert_dims(kind, self.dim(kind), n)
    }

    /// Moves dimensions to another kind, or another place; `to_position` counts without the moved ones. isl: `map_move_dims`.
    pub fn move_dims(&self, to: DimKind, to_position: usize, from: DimKind, from_position: usize, n: usize) -> Map {
        if n == 0 {
            return self.clone();
        }
        let names: Vec<Option<Id>> =
            (from_position..from_position + n).map(|d| self.space.dim_name(from, d).cloned()).collect();
        let without = Map::resized(&self.space, from, from_position, n, 0);
        let space = Map::resized(&without, to, to_position, 0, n);
        let space = renamed(&space, to, to_position, &names);
        let start = self.space.offset(from) + from_position;
        let mut sources: Vec<Option<usize>> = (0..start).chain(start + n..self.space.n_dim()).map(Some).collect();
        let at = without.offset(to) + to_position;
        sources.splice(at..at, (start..start + n).map(Some));
        self.rearrange(&space, &sources)
    }

    /// Pairs where a dimension has a value. isl: `map_fix_val`.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Map {
        self.restrict(&[self.row(value.neg(), &[(self.column(kind, position), 1)])], &[])
    }

    /// Pairs where two dimensions are equal. isl: `map_equate`.
    pub fn equate(&self, kind: DimKind, position: usize, other: DimKind, other_position: usize) -> Map {
        let cells = [(self.column(kind, position), 1), (self.column(other, other_position), -1)];
        self.restrict(&[self.row(Int::zero(), &cells)], &[])
    }

    /// Pairs where one dimension is less than another. isl: `map_order_lt`.
    pub fn order_lt(&self, kind: DimKind, position: usize, other: DimKind, other_position: usize) -> Map {
        let cells = [(self.column(kind, position), -1), (self.column(other, other_position), 1)];
        self.restrict(&[], &[self.row(Int::from(-1), &cells)])
    }

    /// Pairs where one dimension is at most another. isl: `map_order_le`.
    pub fn order_le(&self, kind: DimKind, position: usize, other: DimKind, other_position: usize) -> Map {
        let cells = [(self.column(kind, position), -1), (self.column(other, other_position), 1)];
        self.restrict(&[], &[self.row(Int::zero(), &cells)])
    }

    /// Pairs where a dimension is at least `value`. isl: `map_lower_bound_val`.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Map {
        self.restrict(&[], &[self.row(value.neg(), &[(self.column(kind, position), 1)])])
    }

    /// Pairs where a dimension is at most `value`. isl: `map_upper_bound_val`.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Map {
        self.restrict(&[], &[self.row(value.clone(), &[(self.column(kind, position), -1)])])
    }

    /// Pairs that satisfy a constraint over parameters, domain and range (no locals). isl: `map_add_constraint`.
    pub fn add_constraint(&self, constraint: &Constraint) -> Map {
        let mut row: Vec<Int> = [&constraint.constant].into_iter().chain(&constraint.coefficients).cloned().collect();
        assert!(row.len() <= 1 + self.space.n_dim(), "a coefficient for each dimension at most");
        row.resize(1 + self.space.n_dim(), Int::zero());
        match constraint.kind {
            ConstraintKind::Equality => self.restrict(&[row], &[]),
            ConstraintKind::Inequality => self.restrict(&[], &[row]),
        }
    }

    /// A superset: without the constraints that mention one of the dimensions. isl: `map_drop_constraints_involving_dims`.
    pub fn drop_constraints_involving(&self, kind: DimKind, first: usize, n: usize) -> Map {
        self.drop_constraints(kind, first, n, Dropped::Involving)
    }

    /// A superset: without the constraints that mention none of the dimensions. isl: `map_drop_constraints_not_involving_dims`.
    pub fn drop_constraints_not_involving(&self, kind: DimKind, first: usize, n: usize) -> Map {
        self.drop_constraints(kind, first, n, Dropped::NotInvolving)
    }

    fn drop_constraints(&self, kind: DimKind, first: usize, n: usize, dropped: Dropped) -> Map {
        let at = self.space.offset(kind) + first;
        Map::new(&self.space, exact!(a = &self.pieces => Precision::store(pieces::drop_constraints(a, at, n, dropped))))
    }

    /// The same pairs under other tuples with as many dimensions (and the parameters of `space`, in number). isl: `map_reset_space`.
    pub fn reset_space(&self, space: &Space) -> Map {
        let counts = |s: &Space| (s.dim(DimKind::Param), s.n_dim());
        assert_eq!(counts(space), counts(&self.space), "law: {} and {space} have equally many dimensions", self.space);
        Map::new(space, self.pieces.clone())
    }

    /// The same pairs with another name for a tuple. isl: `map_set_tuple_name`.
    pub fn set_tuple_name(&self, kind: DimKind, name: Option<&str>) -> Map {
        let tuple = self.space.tuple(kind).unwrap_or_else(|| panic!("law: {kind:?} names a tuple of {}", self.space));
        Map::new(&self.space.with_tuple(kind, &tuple.with_name(name.map(Id::new))), self.pieces.clone())
    }

    /// The same pairs with another parameter at a position. isl: `map_set_dim_name`.
    pub fn rename_param(&self, position: usize, name: &str) -> Map {
        let mut params = self.space.params().to_vec();
        params[position] = Id::new(name);
        Map::new(&self.space.with_params(&params), self.pieces.clone())
    }

    /// The same pairs with anonymous tuples that wrap nothing. isl: `map_flatten`.
    pub fn flatten(&self) -> Map {
        self.flatten_kinds(&[DimKind::In, DimKind::Out])
    }

    /// The same pairs with an anonymous flat domain tuple. isl: `map_flatten_domain`.
    pub fn flatten_domain(&self) -> Map {
        self.flatten_kinds(&[DimKind::In])
    }

    /// The same pairs with an anonymous flat range tuple. isl: `map_flatten_range`.
    pub fn flatten_range(&self) -> Map {
        self.flatten_kinds(&[DimKind::Out])
    }

    fn flatten_kinds(&self, kinds: &[DimKind]) -> Map {
        let mut space = self.space.clone();
        for kind in kinds {
            if let Some(tuple) = space.tuple(*kind).map(Tuple::flatten) {
                space = space.with_tuple(*kind, &tuple);
            }
        }
        Map::new(&space, self.pieces.clone())
    }

    /// The one value that a dimension has in all pairs, for all parameters. isl: `map_plain_get_val_if_fixed`, but exact.
    pub fn fixed_value(&self, kind: DimKind, position: usize) -> Option<Int> {
        let min = self.dim_min_val(kind, position).ok()??;
        (self.dim_max_val(kind, position).ok()?? == min).then_some(min)
    }

    /// The smallest value of a dimension over all pairs and parameters; `None` if there are none. isl: `set_dim_min_val`.
    pub fn dim_min_val(&self, kind: DimKind, position: usize) -> Result<Option<Int>, Unbounded> {
        self.extreme(kind, position, Sense::Minimum)
    }

    /// The greatest value of a dimension over all pairs and parameters; `None` if there are none. isl: `set_dim_max_val`.
    pub fn dim_max_val(&self, kind: DimKind, position: usize) -> Result<Option<Int>, Unbounded> {
        self.extreme(kind, position, Sense::Maximum)
    }

    /// Number of its pairs, over all values of the parameters; `None` if it is infinite. isl: `set_count_val`.
    pub fn count(&self) -> Option<Int> {
        exact!(a = &self.pieces => count::count(a))
    }

    /// `(s, a)` such that a dimension has values of `a + s Z` only: the greatest `s` that is a product of coefficients and denominators of
    /// its constraints, 0 if there is one value at most. isl: `map_get_range_stride_info`.
    pub fn stride(&self, kind: DimKind, position: usize) -> (Int, Int) {
        if let Some(value) = self.fixed_value(kind, position) {
            return (Int::zero(), value);
        }
        let Some(sample) = self.sample() else { return (Int::zero(), Int::zero()) };
        let column = self.column(kind, position);
        let start = &sample[column - 1];
        let steps = exact!(a = &self.pieces => candidate_strides(a, column - 1));
        let always = |step: &&Int| {
            let other = Aff::from_rows(
                &self.flat_space(),
                Matrix::new(2 + self.space.n_dim()),
                self.row(start.neg(), &[(column, 1)]),
                Int::one(),
            )
            .mod_val(step);
            let zero = other.zero_set();
            self.is_subset(&Map::new(&self.space, zero.0.pieces))
        };
        let stride = steps.iter().find(always).cloned().unwrap_or_else(Int::one);
        let offset = start.rem_floor(&stride);
        (stride, offset)
    }

    /// All dimensions as those of a set.
    fn flat_space(&self) -> Space {
        let n = self.space.n_dim() - self.dim(DimKind::Param);
        self.space.with_tuples(Tuples::Set(Tuple::anonymous(n)))
    }

    fn extreme(&self, kind: DimKind, position: usize, sense: Sense) -> Result<Option<Int>, Unbounded> {
        let variable = self.column(kind, position) - 1;
        let best = exact!(a = &self.pieces => extremes(a, variable, sense));
        let best = best?.into_iter();
        Ok(if sense == Sense::Minimum { best.min() } else { best.max() })
    }
}

/// Divisors, greatest first, of the product of what could make the values of a variable skip some.
fn candidate_strides<T: Number>(pieces: &[Conjunction<T>], variable: usize) -> Vec<Int> {
    let mut all = Int::one();
    for conj in pieces {
        let line = conj.rearrange(&[Some(variable)]).simplified();
        let cells = line.eq.rows().flat_map(|row| row[1..].iter()).chain(line.divs.rows().map(|div| &div[0]));
        for cell in cells.filter(|x| !x.is_zero()) {
            all = all.lcm(&cell.to_int());
        }
    }
    let Some(all) = all.as_i64().filter(|all| *all <= GREATEST_STRIDE) else { return Vec::new() };
    (1..=all).rev().filter(|d| all % d == 0).map(Int::from).collect()
}

/// The optimum of one variable in each piece that is not empty.
fn extremes<T: Number>(pieces: &[Conjunction<T>], variable: usize, sense: Sense) -> Result<Vec<Int>, Unbounded> {
    let mut found = Vec::new();
    for conj in pieces {
        let line = conj.rearrange(&[Some(variable)]);
        let optimum = lexmin::lexopt(&line, &Conjunction::universe(0), 1, sense).bounded(sense)?;
        found.extend(optimum.pieces.iter().map(|piece| piece.values.row(0)[0].to_int()));
    }
    Ok(found)
}

fn renamed(space: &Space, kind: DimKind, first: usize, names: &[Option<Id>]) -> Space {
    if kind == DimKind::Param {
        let mut params = space.params().to_vec();
        for (k, name) in names.iter().enumerate() {
            if let Some(name) = name.clone().filter(|name| !params.contains(name)) {
                params[first + k] = name;
            }
        }
        return space.with_params(&params);
    }
    let Some(tuple) = space.tuple(kind) else { return space.clone() };
    let mut dims = tuple.dim_names();
    dims[first..first + names.len()].clone_from_slice(names);
    space.with_tuple(kind, &Tuple::with_dim_names(tuple.name().cloned(), dims))
}
