//! Where loops are being generated: what holds there, and how outer dimensions are written.
//!
//! Inside of `for (c0 = 0; c0 < n; c0++)` the context says `0 <= c0 < n`, of which the loop itself makes sure; with `c0 = 2 c1` known as well, that is
//! a stride, and `c1` is written `c0 / 2`.

use super::affine::{Div, Row, Values};
use super::guard::Condition;
use super::region::{Relation, implies, negated};
use super::stride::{Residues, Stride};
use crate::ast::tree::expr::{Comparison, Expr};
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, Id, Int};

/// Where loops are being generated.
#[derive(Clone)]
pub(in crate::ast) struct Place {
    /// Different for different places.
    pub number: usize,
    /// What holds of parameters and outer dimensions wherever an instance runs.
    pub context: BasicSet,
    /// What of it the loops and guards around make sure of; the rest is left to the guards of statements.
    pub enforced: BasicSet,
    /// What of it needs no local variables to be said: a superset.
    pub shell: BasicSet,
    /// How parameters and outer dimensions are written.
    pub values: Values,
    /// For each outer dimension, what the loops say of its residues.
    pub strides: Vec<Stride>,
    /// For each outer dimension, how many outer dimensions must be known to know it.
    pub levels: Vec<usize>,
    /// The outer dimensions of which separation is asked for at any price.
    pub demanded: Vec<usize>,
}

impl Place {
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// The condition that `relation` (over parameters, dimensions, `divs`) holds.
    pub fn condition(&self, relation: &Relation, divs: &[Div], params: &[Id]) -> Condition {
        let comparison = if relation.equality { Comparison::Eq } else { Comparison::Ge };
        let expr = self.values.condition(&relation.row, divs, comparison);
        let side = match (relation.equality, divs.is_empty()) {
            (false, _) => Some(relation.row.clone()),
            (true, true) => self.open_side(&relation.row, params),
            (true, false) => None,
        };
        let opposite = side.map(|row| self.values.condition(&negated(&row).row, divs, Comparison::Ge));
        Condition { expr, opposite, level: self.level(&relation.row, divs) }
    }

    /// The row (or its negative) that is at least 0 just where `row` is 0, because it is never positive.
    fn open_side(&self, row: &Row, params: &[Id]) -> Option<Row> {
        let other = row.scaled(&Int::from(-1));
        let known = |row: &Row| implies(&self.enforced, &Relation { equality: false, row: row.clone() }, params);
        if known(row) { Some(other) } else { known(&other).then(|| row.clone()) }
    }

    /// The innermost dimension that a row mentions, itself or in what it divides.
    pub fn innermost(&self, row: &Row, divs: &[Div]) -> Option<usize> {
        let n = self.values.exprs.len();
        let involved = row.coefficients.iter().enumerate().skip(self.values.n_params).filter(|(_, c)| !c.is_zero());
        let depth = |v: usize| match v.checked_sub(n) {
            None => Some(v - self.values.n_params),
            Some(div) => self.innermost(&divs[div].numerator, divs),
        };
        involved.filter_map(|(v, _)| depth(v)).max()
    }

    /// What is known of the residues of the outer dimensions.
    pub fn residues(&self) -> Residues<'_> {
        Residues { n_params: self.values.n_params, strides: &self.strides }
    }

    pub fn level(&self, row: &Row, divs: &[Div]) -> usize {
        let n = self.values.exprs.len();
        let involved = row.coefficients.iter().enumerate().skip(self.values.n_params).filter(|(_, c)| !c.is_zero());
        let level = |v: usize| match v.checked_sub(n) {
            None => self.levels[v - self.values.n_params],
            Some(div) => self.level(&divs[div].numerator, divs),
        };
        involved.map(|(v, _)| level(v)).max().unwrap_or(0)
    }

    /// One dimension further in, whose value is `expr`.
    pub fn inside(&self, known: [BasicSet; 3], stride: Stride, expr: Expr, level: usize) -> Place {
        let [context, enforced, shell] = known;
        let mut inner = Place { context, enforced, shell, ..self.clone() };
        inner.strides.push(stride);
        inner.values.exprs.push(expr);
        inner.levels.push(level);
        inner
    }
}
