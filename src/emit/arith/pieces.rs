//! What piecewise numbers are where a statement is run.
//!
//! The subscript of `u[(i + 1) % n]` is `i < n - 1 ? i + 1 : 0`. In `for (c0 = 0; c0 <= n - 2; c0 += 1) S(c0);` it is `c0 + 1`: only that piece has
//! points that are [executed](super::executed) there, and that is what is written. What remains of several pieces is written as it is everywhere.

use super::executed::{Executed, for_each_user};
use super::formula;
use crate::ast::{Ast, Expr};
use crate::extract::binding::{Binding, BoundStatement};
use crate::extract::numbers::pieces::pieces;
use crate::extract::numbers::polynomial::QuasiId;
use crate::extract::statements::root::quasi_of;
use crate::presburger::{Id, PwAff, Set};
use crate::scop::Table;
use std::collections::{BTreeMap, BTreeSet};

/// Values of quasi-affine atoms, over parameters and [`formula::dimension_name`]s.
#[derive(Clone)]
pub struct Pieces {
    /// Wherever they are asked for.
    pub everywhere: Table<QuasiId, Expr>,
    /// At some statements of the tree.
    here: Vec<Here>,
}

#[derive(Clone)]
struct Here {
    statement: Id,
    arguments: Vec<Expr>,
    values: BTreeMap<QuasiId, Expr>,
}

impl Pieces {
    /// `None` if some value cannot be written.
    pub fn of(ast: &Ast, binding: &Binding<'_>, context: &Set) -> Option<Pieces> {
        let everywhere =
            binding.quasi.iter().map(|(_, value)| formula::value(value)).collect::<Option<Table<_, _>>>()?;
        let mut here: Vec<Here> = Vec::new();
        let mut ambiguous: Vec<(Id, Vec<Expr>)> = Vec::new();
        if !binding.quasi.is_empty() {
            for_each_user(ast, context, &mut |statement, arguments, executed| {
                let Some(bound) = binding.statements.iter().find(|bound| bound.id == *statement) else { return };
                let values = values(binding, bound, arguments, executed);
                let same = |own: &Here| own.statement == *statement && own.arguments == arguments;
                match here.iter().find(|own| same(own)) {
                    Some(own) if own.values == values => {}
                    Some(_) => ambiguous.push((statement.clone(), arguments.to_vec())),
                    None => here.push(Here { statement: statement.clone(), arguments: arguments.to_vec(), values }),
                }
            });
        }
        here.retain(|own| {
            !own.values.is_empty() && !ambiguous.iter().any(|(s, a)| own.statement == *s && own.arguments == *a)
        });
        Some(Pieces { everywhere, here })
    }

    /// What is known where a statement is run with these arguments.
    pub fn at(&self, statement: &Id, arguments: &[Expr]) -> Option<&BTreeMap<QuasiId, Expr>> {
        self.here.iter().find(|own| own.statement == *statement && own.arguments == arguments).map(|own| &own.values)
    }
}

/// The values that are of one piece.
fn values(
    binding: &Binding<'_>,
    bound: &BoundStatement<'_>,
    arguments: &[Expr],
    executed: &Executed,
) -> BTreeMap<QuasiId, Expr> {
    let named = |at: QuasiId| {
        let (loops, value) = &binding.quasi[at];
        let only = only_piece(value, arguments.get(..loops.len())?, executed)?;
        Some((at, only))
    };
    quasi_around(bound, binding).into_iter().filter_map(named).collect()
}

fn only_piece(value: &PwAff, arguments: &[Expr], executed: &Executed) -> Option<Expr> {
    let functions = executed.functions(arguments)?;
    let points = executed.values.apply(&functions.as_map());
    let found = pieces(value, &points);
    let (_, first) = found.first()?;
    let is_same = found.iter().all(|(_, aff)| aff.plain_is_equal(first));
    let is_simpler = value.n_pieces() > 1 || value.pieces().iter().any(|(_, aff)| aff.n_div() > first.n_div());
    if is_same && is_simpler { formula::value(&first.to_pw_aff()) } else { None }
}

/// The piecewise numbers over loops around a statement that its accesses and values mention.
pub fn quasi_around(bound: &BoundStatement<'_>, binding: &Binding<'_>) -> BTreeSet<QuasiId> {
    let mut quasi = quasi_of(&bound.leaves, &bound.root);
    quasi.retain(|at| bound.loops.starts_with(&binding.quasi[*at].0));
    quasi
}
