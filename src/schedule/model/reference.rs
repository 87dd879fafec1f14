//! What statements touch, as rows of numbers: how each subscript moves with each iterator.
//!
//! `A[2i][j + 1]` in `for i  for j` moves by (2, 0) in its first subscript and by (0, 1) in the second one.

use crate::presburger::int::Number;
use crate::presburger::{BasicMap, Constraint, ConstraintKind, DimKind, Div, Id, Int, Map, Space};
use crate::scop::thick::is_thick;
use std::collections::BTreeSet;

/// An access of a statement to an array.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// The statement's index.
    pub statement: usize,
    /// Instances to elements.
    pub relation: Map,
    pub writes: bool,
    /// Bytes per element.
    pub size: u64,
    /// How many elements each dimension of the array has, where that is a constant.
    pub extents: Vec<Option<i64>>,
}

/// A reference: how each subscript moves with each iterator.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The array.
    pub array: Id,
    /// Whether it writes.
    pub writes: bool,
    /// Bytes per element.
    pub size: u64,
    /// For each subscript, its coefficients over the iterators; none where it is not affine.
    pub subscripts: Option<Vec<Vec<i64>>>,
    /// Iterators along which it moves differently in pieces of the relation: the coefficients are the largest there.
    pub jumps: BTreeSet<usize>,
    /// For each subscript, the bytes between elements whose other subscripts are the same, where they are a constant.
    pub strides: Vec<Option<i64>>,
    /// Whether some subscript may be whatever it is: nothing is known of how it moves.
    pub is_anywhere: bool,
}

impl Reference {
    /// What a statement touches, over the parameters of `params`.
    pub(super) fn of(touch: &Touch, params: &Space) -> Reference {
        let relation = touch.relation.align_params(params);
        let space = relation.space();
        let array = space.tuple_name(DimKind::Out).cloned().unwrap_or_else(|| Id::new(""));
        let (pieces, mut jumps) = (relation.pieces(), BTreeSet::new());
        let all = 0..space.dim(DimKind::Out);
        let is_anywhere = all.clone().any(|k| !relation.involves(DimKind::Out, k, 1));
        let subscripts = match pieces.as_slice() {
            [] => None,
            [only] => all.map(|k| subscript(only, k).or_else(|| of_few_values(&relation, k, &mut jumps))).collect(),
            several => {
                let hull = relation.affine_hull();
                all.map(|k| joint_subscript(several, &hull, k, &mut jumps)).collect()
            }
        };
        let strides = super::linear::strides(touch.size, &touch.extents);
        Reference { array, writes: touch.writes, size: touch.size, subscripts, jumps, strides, is_anywhere }
    }

    /// With rows that are shorter than a line put side by side: `p[i][k]` of points with three coordinates is `p[3i + k]`, as it lies in memory.
    pub(super) fn without_short_rows(mut self, extents: &[Option<i64>], line: i64) -> Reference {
        let Some(mut subscripts) = self.subscripts.take() else { return self };
        let mut row = extents.last().copied().flatten();
        let is_short = |row: i64| row.checked_mul(self.size as i64).is_some_and(|bytes| bytes <= line);
        while let Some(short) = row.filter(|row| subscripts.len() > 1 && is_short(*row)) {
            let inner = subscripts.pop().expect("law: there are several");
            let outer = subscripts.last_mut().expect("law: there are several");
            outer
                .iter_mut()
                .zip(inner)
                .for_each(|(outer, inner)| *outer = outer.saturating_mul(short).saturating_add(inner));
            self.strides.remove(subscripts.len() - 1);
            row = extents.get(subscripts.len() - 1).copied().flatten().and_then(|rows| rows.checked_mul(short));
        }
        self.subscripts = Some(subscripts);
        self
    }

    /// The time that it takes, in loads: a store takes as long as two.
    pub fn weight(&self) -> u32 {
        if self.writes { 2 } else { 1 }
    }

    /// Whether both touch elements of one array that are as far from each other everywhere.
    pub fn moves_like(&self, other: &Reference) -> bool {
        let is_whole = self.jumps.is_empty() && other.jumps.is_empty();
        is_whole && self.array == other.array && self.subscripts == other.subscripts
    }

    /// How far each subscript moves along `direction` over the iterators.
    pub fn movement(&self, direction: &[i64]) -> Option<Vec<i64>> {
        if self.jumps.iter().any(|d| direction[*d] != 0) {
            return None;
        }
        let subscripts = self.subscripts.as_ref()?;
        let along = |row: &Vec<i64>| row.iter().zip(direction).map(|(a, b)| a.checked_mul(*b)).sum::<Option<i64>>();
        subscripts.iter().map(along).collect()
    }
}

/// The coefficients over the iterators of the `k`-th subscript of several pieces with this hull, the largest of those that are not the same in all of them.
/// Of an iterator that has one value in a piece for parameters of its own, as in a loop that runs at least once, nothing is said there.
fn joint_subscript(pieces: &[BasicMap], hull: &BasicMap, k: usize, jumps: &mut BTreeSet<usize>) -> Option<Vec<i64>> {
    if let Some(joint) = bounded_by(hull, k, ConstraintKind::Equality) {
        return Some(joint);
    }
    let each: Vec<Vec<i64>> = pieces.iter().map(|piece| subscript(piece, k)).collect::<Option<_>>()?;
    let along = |d: usize| {
        let differ = |all: &[i64]| all.windows(2).any(|pair| pair[0] != pair[1]);
        let mut coefficients: Vec<i64> = each.iter().map(|row| row[d]).collect();
        if differ(&coefficients) {
            let moves = |(at, row): (usize, &Vec<i64>)| (!is_alone(pieces, at, d)).then_some(row[d]);
            coefficients = each.iter().enumerate().filter_map(moves).collect();
        }
        if differ(&coefficients) {
            jumps.insert(d);
        }
        coefficients.into_iter().max_by_key(|c| c.abs()).unwrap_or(0)
    };
    Some((0..hull.dim(DimKind::In)).map(along).collect())
}

/// Whether an iterator has one value in a piece, and there is no other piece for the same parameters.
fn is_alone(pieces: &[BasicMap], at: usize, d: usize) -> bool {
    let of = |piece: &BasicMap| piece.to_map().params();
    let is_another = |(other, piece): (usize, &BasicMap)| other == at || of(&pieces[at]).is_disjoint(&of(piece));
    is_fixed(&pieces[at], d) && pieces.iter().enumerate().all(is_another)
}

/// Whether an iterator has one value for given parameters.
fn is_fixed(piece: &BasicMap, d: usize) -> bool {
    let (n_param, n_in) = (piece.dim(DimKind::Param), piece.dim(DimKind::In));
    let is_alone = |row: &[Int]| row.iter().enumerate().all(|(i, c)| (i == d) != c.is_zero());
    piece.constraints().iter().any(|c| {
        let (iterators, rest) = c.coefficients[n_param..].split_at(n_in);
        c.kind == ConstraintKind::Equality && is_alone(iterators) && rest.iter().all(Number::is_zero)
    })
}

/// The coefficients over the iterators of the `k`-th subscript, from an equality or (where it is only bounded) an inequality; from those
/// that name no other subscript, if there are some.
fn subscript(piece: &BasicMap, k: usize) -> Option<Vec<i64>> {
    let (n_in, n_out) = (piece.dim(DimKind::In), piece.dim(DimKind::Out));
    let kinds = [ConstraintKind::Equality, ConstraintKind::Inequality];
    if let Some(row) = kinds.into_iter().find_map(|kind| bounded_by(piece, k, kind)) {
        return Some(row);
    }
    assert!(k < n_out, "law: a subscript of the reference");
    if !piece.to_map().involves(DimKind::Out, k, 1) {
        return Some(vec![0; n_in]);
    }
    if n_out == 1 {
        return None;
    }
    let alone = piece.to_map().project_out(DimKind::Out, k + 1, n_out - k - 1).project_out(DimKind::Out, 0, k);
    let pieces = alone.remove_divs().pieces();
    pieces.first().filter(|piece| piece.to_map().involves(DimKind::Out, 0, 1)).and_then(|piece| subscript(piece, 0))
}

/// A subscript that is no affine function and has few values, as `t % 2` of rows that take turns: it stays where it is, but moves from one iteration to the next of
/// those iterators that it is a function of.
fn of_few_values(relation: &Map, k: usize, jumps: &mut BTreeSet<usize>) -> Option<Vec<i64>> {
    if is_thick(&relation.range(), k) {
        return None;
    }
    let (n_in, n_out) = (relation.dim(DimKind::In), relation.dim(DimKind::Out));
    let alone = relation.project_out(DimKind::Out, k + 1, n_out - k - 1).project_out(DimKind::Out, 0, k);
    let alone = alone.gist_domain(&relation.domain());
    jumps.extend((0..n_in).filter(|d| alone.involves(DimKind::In, *d, 1)));
    Some(vec![0; n_in])
}

/// The coefficients in a constraint of a kind that names no other subscript, and no local but of parameters.
fn bounded_by(piece: &BasicMap, k: usize, kind: ConstraintKind) -> Option<Vec<i64>> {
    let (n_param, n_in, n_out) = (piece.dim(DimKind::Param), piece.dim(DimKind::In), piece.dim(DimKind::Out));
    let locals = piece.locals();
    let is_of_parameters =
        |local: &Option<Div>| local.as_ref().is_some_and(|div| div.coefficients[n_param..].iter().all(Number::is_zero));
    let is_free = |i: usize| i < n_out || !is_of_parameters(&locals[i - n_out]);
    let row_of = |constraint: &Constraint| {
        let rest = &constraint.coefficients[n_param + n_in..];
        let alone = rest.iter().enumerate().filter(|(i, _)| is_free(*i)).all(|(i, c)| (i == k) != c.is_zero());
        let own = rest[k].as_i64().filter(|c| alone && c.abs() == 1)?;
        let over_iterators = &constraint.coefficients[n_param..n_param + n_in];
        let says_nothing = kind == ConstraintKind::Inequality && over_iterators.iter().all(Number::is_zero);
        let row = || over_iterators.iter().map(|c| c.as_i64()?.checked_mul(-own)).collect::<Option<Vec<i64>>>();
        (!says_nothing).then(row)
    };
    let all = piece.constraints();
    let found = all.iter().filter(|constraint| constraint.kind == kind).find_map(row_of);
    found.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coefficients of the subscripts of an access, and the iterators along which they are not the same everywhere.
    fn moved(relation: &str) -> (Option<Vec<Vec<i64>>>, Vec<usize>) {
        let relation: Map = relation.parse().expect("a relation");
        let params = relation.space().params_space();
        let found = Reference::of(&Touch { statement: 0, relation, writes: false, size: 8, extents: vec![] }, &params);
        (found.subscripts, found.jumps.into_iter().collect())
    }

    #[test]
    fn parts_of_parameters_do_not_move() {
        let row = "[p, n] -> { S[i, j] -> A[i + 8*floor(p/2), 2j + (p mod 2)] : 0 <= i, j < n }";
        assert_eq!(moved(row), (Some(vec![vec![1, 0], vec![0, 2]]), vec![]));
    }

    #[test]
    fn a_loop_that_runs_at_least_once_moves_as_where_it_runs_more_often() {
        let both = "[p, n] -> { S[0] -> A[8*floor(p/2), 3] : n <= 8*floor(p/2); \
                    S[i] -> A[i + 8*floor(p/2), 3] : 0 <= i <= n - 8*floor(p/2) and n > 8*floor(p/2) }";
        assert_eq!(moved(both), (Some(vec![vec![1], vec![0]]), vec![]));
    }

    #[test]
    fn rows_that_take_turns_stay_along_their_elements() {
        let other = "[n] -> { S[t, i] -> h[((t + 1) mod 2), i - 1] : 0 <= t < n and 0 < i < n }";
        assert_eq!(moved(other), (Some(vec![vec![0, 0], vec![0, 1]]), vec![0]));
        let many = "[n] -> { S[t, i] -> h[(t mod 100), i] : 0 <= t, i < n }";
        assert_eq!(moved(many).0, None);
    }

    #[test]
    fn pieces_that_move_differently_jump() {
        let both = "[n] -> { S[i] -> A[i] : 0 <= i < n; S[i] -> A[-i] : n <= i < 2n }";
        let around = "[n] -> { S[0] -> A[n - 1] : n >= 1; S[i] -> A[i - 1] : 0 < i < n }";
        assert_eq!([both, around].map(|pieces| moved(pieces).1), [vec![0], vec![0]]);
    }
}
