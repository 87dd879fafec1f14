//! A statement on its way through the schedule tree: its instances, their dates so far, and the shadows that they cast.
//!
//! Tiled by 4, the statement `{ S[i] : 0 <= i < N }` has the dates `{ S[i] -> [floor(i / 4), i] }`. Its *shadow* on the first dimension
//! is `{ [c0] : -3 <= 4 c0 < N }`, on both `{ [c0, c1] : 4 c0 <= c1 <= 4 c0 + 3, 0 <= c1 < N }`. Shadows are projections without
//! local variables; where one would be needed to be exact, the shadow is too large, and the guard at the statement makes up for it. They do not
//! depend on the loops chosen around them (loops constrain outer dimensions only, which projection leaves alone), so
//! they are computed once per band. What the dropped equalities say about residues is kept as a [`Stride`].

use super::affine::Row;
use super::invert::{Inverse, eliminate, inverse};
use super::region::{Rows, rows};
use super::stride::Stride;
use crate::presburger::{BasicMap, BasicSet, ConstraintKind, DimKind, Id, Map, Set};
use std::cell::OnceCell;

/// What the loop over the last of some dimensions can be bounded by.
pub(super) struct Shadow {
    /// Their union contains the projection of all dates.
    pub regions: Vec<BasicSet>,
    pub stride: Stride,
}

/// The instances of one statement with the dates given to them so far.
pub(super) struct Statement {
    /// Instances to dates, the latter without a name.
    pub dates: Map,
    /// The first dimension that the current band has added.
    first: usize,
    /// One per dimension of the current band.
    shadows: Vec<Shadow>,
    /// How many leading dimensions determine the instance, as far as equalities show.
    determined: Option<usize>,
    inverse: OnceCell<Option<Vec<Inverse>>>,
}

impl Statement {
    /// `dates` has `first` dimensions that are scanned already.
    pub fn new(dates: Map, first: usize, params: &[Id]) -> Statement {
        let n = dates.dim(DimKind::Out);
        let mut shadows = vec![];
        if first < n {
            let mut projected = dates.range();
            shadows.push(Shadow::of(&projected, params));
            for k in (first + 1..n).rev() {
                projected = projected.project_out(DimKind::Out, k, 1);
                shadows.push(Shadow::of(&projected, params));
            }
            shadows.reverse();
        }
        let determined = (0..=n).find(|&k| dates.pieces().iter().all(|piece| is_determined(piece, k)));
        Statement { dates, first, shadows, determined, inverse: OnceCell::new() }
    }

    /// The shadow on the dimensions up to and including `depth`, one of the current band's.
    pub fn shadow(&self, depth: usize) -> &Shadow {
        &self.shadows[depth - self.first]
    }

    /// Whether the first `n` dimensions determine the instance.
    pub fn is_determined_by(&self, n: usize) -> bool {
        self.determined.is_some_and(|determined| determined <= n)
    }

    /// The statement's name.
    pub fn name(&self) -> Id {
        self.dates.space().tuple_name(DimKind::In).cloned().unwrap_or_else(|| Id::new(""))
    }

    /// The same dates for the instances in `filter` only.
    pub fn filtered(&self, filter: &Set, params: &[Id]) -> Option<Statement> {
        let dates = self.dates.intersect_domain(filter);
        let n = dates.dim(DimKind::Out);
        (!dates.is_empty()).then(|| Statement::new(dates, n, params))
    }

    /// With the dimensions of `next` (over the same instances) behind those that it has.
    pub fn extended(&self, next: &Map, params: &[Id]) -> Statement {
        let first = self.dates.dim(DimKind::Out);
        let dates = self.dates.flat_range_product(next).set_tuple_name(DimKind::Out, None);
        Statement::new(dates, first, params)
    }

    /// The instance as a function of its date, if there is one.
    pub fn inverse(&self, params: &[Id]) -> Option<&[Inverse]> {
        self.inverse.get_or_init(|| inverse(&self.dates, params)).as_deref()
    }
}

impl Shadow {
    fn of(set: &Set, params: &[Id]) -> Shadow {
        let n = params.len() + set.dim(DimKind::Out) - 1;
        let pieces = set.pieces();
        let strides = pieces.iter().map(|piece| stride(&rows(piece, params), n));
        let stride = strides.reduce(|a, b| a.or(&b)).unwrap_or_else(|| Stride::unit(n));
        let regions = pieces.iter().map(|piece| piece.remove_divs().remove_redundancies());
        Shadow { regions: regions.filter(|region| !region.is_empty()).collect(), stride }
    }
}

fn stride(rows: &Rows, n: usize) -> Stride {
    let equalities = rows.relations.iter().filter(|relation| relation.equality);
    let strides = equalities.map(|equality| Stride::of_equality(&equality.row, n));
    strides.fold(Stride::unit(n), |best, next| if next.modulus > best.modulus { next } else { best })
}

/// Whether the equalities of `dates` determine the domain once the first `k` dimensions of the range are known.
fn is_determined(dates: &BasicMap, k: usize) -> bool {
    let params = dates.dim(DimKind::Param);
    let (n_in, n_out) = (dates.dim(DimKind::In), dates.dim(DimKind::Out));
    let unknown_first = (params + n_in + k..params + n_in + n_out + dates.n_local()).chain(params..params + n_in);
    let columns: Vec<usize> = unknown_first.collect();
    let equalities = dates.constraints().into_iter().filter(|c| c.kind == ConstraintKind::Equality);
    let mut rows: Vec<Row> = equalities.map(|c| Row { constant: c.constant, coefficients: c.coefficients }).collect();
    let found: Vec<bool> = columns.iter().map(|&column| eliminate(&mut rows, column).is_some()).collect();
    found[columns.len() - n_in..].iter().all(|&determined| determined)
}
