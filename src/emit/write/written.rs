//! What is known while an instance of a statement is being written.

use crate::ast::Expr;
use crate::emit::plan::Plan;
use crate::extract::numbers::polynomial::QuasiId;
use crate::presburger::Id;
use std::collections::BTreeMap;

/// The statement an instance of which is being written.
pub(in crate::emit) struct Written<'p> {
    pub(in crate::emit) statement: Id,
    /// What piecewise numbers are in all instances that are run here, as far as that is known.
    pub(super) pieces: Option<&'p BTreeMap<QuasiId, Expr>>,
}

impl<'p> Written<'p> {
    /// Where the tree runs it.
    pub(super) fn at(plan: &'p Plan<'p, '_>, statement: &Id, arguments: &[Expr]) -> Self {
        Written { statement: statement.clone(), pieces: plan.quasi.at(statement, arguments) }
    }

    /// Somewhere else.
    pub(in crate::emit) fn apart(statement: Id) -> Self {
        Written { statement, pieces: None }
    }
}
