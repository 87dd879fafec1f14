//! Where separation was asked for in vain: pieces of a dimension that several statements share, and conditions on remainders, which no cut at a bound takes away.
//!
//! ```text
//! S[i] -> [2 i], T[i] -> [3 i]        for (c0 = 0; ..; c0 += 1) {
//!                                       if (c0 % 2 == 0) S(c0 / 2);         "dimension 0 of the schedule is not separated for S: .."
//! ```

use super::scan::Scanner;
use super::troubles::{Together, Unseparated};
use crate::ast::pieces::piece::Piece;
use crate::ast::rows::affine::{Div, Row};
use crate::ast::rows::place::Place;
use crate::ast::rows::region::Relation;
use crate::ast::rows::statement::Statement;
use crate::presburger::Id;
use crate::presburger::int::Number;
use std::rc::Rc;

impl Scanner<'_> {
    /// Remembers which of the pieces are not separated although that was asked for.
    pub fn note(&self, pieces: &[Piece], statements: &[Rc<Statement>], depth: usize) {
        for piece in pieces.iter().filter(|piece| piece.parts.len() > 1) {
            let mut names: Vec<Id> = piece.statements.iter().map(|&s| statements[s].name()).collect();
            names.sort();
            names.dedup();
            let strides = piece.parts.iter().any(|part| part.n_local() > 0);
            let why = if strides { Together::Strides } else { Together::Order };
            self.remember(Unseparated { statements: names, depth, why });
        }
    }

    fn remember(&self, new: Unseparated) {
        let mut all = self.unseparated.borrow_mut();
        if !all.contains(&new) {
            all.push(new);
        }
    }

    /// Remembers that this condition is left of what says where a statement runs, if it has a remainder or a quotient in it and separation was asked for.
    pub fn note_remainder(&self, relation: &Relation, divs: &[Div], place: &Place, statement: &Statement) {
        let n = place.values.exprs.len();
        if relation.row.coefficients.iter().skip(n).any(|c| !c.is_zero()) {
            self.left(place.innermost(&relation.row, divs), place, || vec![statement.name()]);
        }
    }

    /// Remembers that `row` has to be a multiple of some number for these statements.
    pub fn note_whole(&self, row: &Row, place: &Place, names: impl FnOnce() -> Vec<Id>) {
        self.left(place.innermost(row, &[]), place, names);
    }

    fn left(&self, depth: Option<usize>, place: &Place, names: impl FnOnce() -> Vec<Id>) {
        if let Some(depth) = depth.filter(|depth| place.demanded.contains(depth)) {
            let mut statements = names();
            statements.sort();
            statements.dedup();
            self.remember(Unseparated { statements, depth, why: Together::Remainders });
        }
    }
}
