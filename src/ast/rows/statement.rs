//! A statement on its way through the schedule tree: its instances, their dates so far, and the shadows that they cast.
//!
//! Tiled by 4, the statement `{ S[i] : 0 <= i < N }` has the dates `{ S[i] -> [floor(i / 4), i] }`. Its *shadow* on the first dimension
//! is `{ [c0] : -3 <= 4 c0 < N }`, on both `{ [c0, c1] : 4 c0 <= c1 <= 4 c0 + 3, 0 <= c1 < N }`. Shadows are projections without
//! local variables; where one would be needed to be exact, the shadow is too large, and the guard at the statement makes up for it. They do not
//! depend on the loops chosen around them (loops constrain outer dimensions only, which projection leaves alone), so
//! they are computed once per band. What the dropped equalities say about residues is kept as a [`Stride`].

use super::affine::Row;
use super::invert::{Inverse, eliminate, inverse};
use super::region::{Relation, Rows, constrained, rows, space};
use super::stride::{Residues, Stride};
use crate::presburger::int::Number;
use crate::presburger::{BasicMap, BasicSet, ConstraintKind, DimKind, Id, Int, Map, Set};
use std::cell::OnceCell;

/// What the loop over the last of some dimensions can be bounded by.
pub(in crate::ast) struct Shadow {
    /// Their union contains the projection of all dates.
    pub regions: Vec<BasicSet>,
    pub stride: Stride,
}

/// The instances of one statement with the dates given to them so far.
pub(in crate::ast) struct Statement {
    /// Instances to dates, the latter without a name.
    pub dates: Map,
    /// The first dimension that the current band has added.
    first: usize,
    /// One per dimension: what is known of its residues.
    strides: Vec<Stride>,
    /// One per dimension of the current band.
    shadows: Vec<Shadow>,
    /// How many leading dimensions determine the instance, as far as equalities show.
    determined: Option<usize>,
    inverse: OnceCell<Option<Vec<Inverse>>>,
}

impl Statement {
    /// `dates` has `first` dimensions that are scanned already.
    pub fn new(dates: Map, first: usize, params: &[Id]) -> Statement {
        let strides = (0..first).map(|d| Stride::unit(params.len() + d)).collect();
        Statement::behind(dates, strides, params)
    }

    /// `dates` has the dimensions that `strides` are of, and others that are not scanned yet.
    fn behind(dates: Map, mut strides: Vec<Stride>, params: &[Id]) -> Statement {
        let n = dates.dim(DimKind::Out);
        let first = strides.len();
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
        for shadow in &mut shadows {
            let outer = Residues { n_params: params.len(), strides: &strides };
            shadow.stride = shadow.stride.clone().settled(&outer);
            shadow.tighten(&strides, params);
            strides.push(shadow.stride.clone());
        }
        let determined = (0..=n).find(|&k| dates.pieces().iter().all(|piece| is_determined(piece, k)));
        Statement { dates, first, strides, shadows, determined, inverse: OnceCell::new() }
    }

    /// The shadow on the dimensions up to and including `depth`, one of the current band's.
    pub fn shadow(&self, depth: usize) -> &Shadow {
        &self.shadows[depth - self.first]
    }

    /// How many dimensions the dates have.
    pub fn n_dates(&self) -> usize {
        self.strides.len()
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
        (!dates.is_empty()).then(|| Statement::behind(dates, self.strides.clone(), params))
    }

    /// With the dimensions of `next` (over the same instances) behind those that it has.
    pub fn extended(&self, next: &Map, params: &[Id]) -> Statement {
        let dates = self.dates.flat_range_product(next).set_tuple_name(DimKind::Out, None);
        Statement::behind(dates, self.strides.clone(), params)
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
        let nothing = Residues { n_params: params.len(), strides: &[] };
        let stride = strides.reduce(|a, b| a.or(&b, &nothing)).unwrap_or_else(|| Stride::unit(n));
        let regions = pieces.iter().map(|piece| piece.remove_divs().remove_redundancies());
        Shadow { regions: regions.filter(|region| !region.is_empty()).collect(), stride }
    }

    /// Rounds rows between dimensions to what their residues allow: `c0 >= -31` becomes `c0 >= 0` if `c0` is a multiple of 32. Rows with
    /// parameters stay: `c0 <= 2 n - 1` says the same as `c0 <= 2 n - 2` there, but would no longer join with `c0 <= n`.
    fn tighten(&mut self, outer: &[Stride], params: &[Id]) {
        let strides: Vec<&Stride> = outer.iter().chain([&self.stride]).collect();
        let known = |stride: &&&Stride| stride.offset.is_constant() && stride.modulus > Int::one();
        if !strides.iter().any(|stride| known(&stride)) {
            return;
        }
        let tightened = |region: &BasicSet| {
            let mut relations = rows(region, params).relations;
            let mut changed = false;
            for relation in relations.iter_mut().filter(|relation| !relation.equality) {
                let dimensions = |v: usize| v.checked_sub(params.len()).and_then(|d| strides.get(d)).filter(known);
                let involved = || relation.row.coefficients.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
                if involved().any(|(v, _)| dimensions(v).is_none()) {
                    continue;
                }
                let (mut step, mut constant) = (Int::zero(), relation.row.constant.clone());
                for (v, factor) in involved() {
                    let stride = dimensions(v).expect("law: just found");
                    step = Number::gcd(&step, &factor.mul(&stride.modulus));
                    constant.add_mul(factor, &stride.offset.constant);
                }
                if step > Int::one() {
                    let less = constant.rem_floor(&step);
                    changed |= !less.is_zero();
                    relation.row.constant = relation.row.constant.sub(&less);
                }
            }
            let universe = BasicSet::universe(&space(params, region.dim(DimKind::Out)));
            if changed { constrained(&universe, params, &relations).remove_redundancies() } else { region.clone() }
        };
        let regions = self.regions.iter().map(tightened).map(|region| self.ends(region, params));
        self.regions = regions.filter(|region| !region.is_empty()).collect();
    }
}

impl Shadow {
    /// The region with its least and greatest value of the last dimension rounded to the stride, where these are numbers.
    fn ends(&self, region: BasicSet, params: &[Id]) -> BasicSet {
        if self.stride.modulus <= Int::one() || !self.stride.offset.is_constant() {
            return region;
        }
        let last = region.dim(DimKind::Out) - 1;
        let set = region.to_set();
        let end = |value: Int, sign: i64| {
            let beyond = value.sub(&self.stride.offset.constant).mul(&Int::from(sign)).rem_floor(&self.stride.modulus);
            let mut row = Row::zero(params.len() + last + 1);
            row.coefficients[params.len() + last] = Int::from(sign);
            let rest = if beyond.is_zero() { Int::zero() } else { self.stride.modulus.sub(&beyond) };
            row.constant = Number::neg(&value.mul(&Int::from(sign)).add(&rest));
            (!beyond.is_zero()).then_some(Relation { equality: false, row })
        };
        let least = set.dim_min_val(DimKind::Out, last).ok().flatten().and_then(|value| end(value, 1));
        let greatest = set.dim_max_val(DimKind::Out, last).ok().flatten().and_then(|value| end(value, -1));
        let found: Vec<Relation> = least.into_iter().chain(greatest).collect();
        if found.is_empty() { region } else { constrained(&region, params, &found).remove_redundancies() }
    }
}

fn stride(rows: &Rows, n: usize) -> Stride {
    let equalities = rows.relations.iter().filter(|relation| relation.equality);
    let strides = equalities.map(|equality| Stride::of_equality(&equality.row, n));
    strides.fold(Stride::unit(n), |best, next| if next.is_finer(&best) { next } else { best })
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
