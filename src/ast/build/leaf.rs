//! Leaves: the statements themselves, with their iterators as functions of the loops around them, under exact guards.
//!
//! At the innermost place in `for (c0 = 3; c0 <= 2 * N + 1; c0 += 2)` the dates `{ S[i] -> [2 i + 1] }` are inverted to
//! `{ [c0] -> S[floor(c0 / 2)] : c0 odd, 3 <= c0 <= 2 N + 1 }`. The domain of that function, simplified by what the loops enforce, is the guard;
//! here nothing is left of it. Instances that share a date are told apart by more loops, over their own iterators.

use super::scan::{Members, Scanner};
use crate::ast::rows::affine::Div;
use crate::ast::rows::guard::{Condition, Graft};
use crate::ast::rows::invert::{Argument, Inverse};
use crate::ast::rows::place::Place;
use crate::ast::rows::region::{Relation, rows};
use crate::ast::rows::statement::Statement;
use crate::ast::tree::expr::Expr;
use crate::ast::tree::node::Node;
use crate::presburger::{BasicSet, DimKind, Map};
use std::rc::Rc;

impl Scanner<'_> {
    /// Writes the statements, in order.
    pub fn leaf(&mut self, statements: &[Rc<Statement>], place: &Place) -> Vec<Graft> {
        let mut grafts = vec![];
        for statement in statements {
            match statement.inverse(&self.params) {
                Some(pieces) => grafts.extend(pieces.iter().filter_map(|piece| self.user(statement, piece, place))),
                None => grafts.extend(self.undated(statement, place)),
            }
        }
        grafts
    }

    /// Instances that share a date run in the order of their own iterators, which the schedule leaves open: data-parallel loops.
    fn undated(&mut self, statement: &Statement, place: &Place) -> Vec<Graft> {
        let space = statement.dates.space().domain();
        let n = statement.dates.dim(DimKind::In);
        let own = Map::identity(&space.map_from_set()).set_tuple_name(DimKind::Out, None).flatten_range();
        let members =
            Members { first: place.depth(), n, band: None, below: None, mark: None, isolated: vec![], is_open: true };
        let extended = [Rc::new(statement.extended(&own, &self.params))];
        self.members(&members, &extended, place, &|scanner, statements, place| scanner.leaf(statements, place))
    }

    fn user(&self, statement: &Statement, inverse: &Inverse, place: &Place) -> Option<Graft> {
        let domain = &inverse.domain;
        if domain.intersect(&place.context.to_set()).is_empty() {
            return None;
        }
        let simple = domain.gist(&place.enforced.to_set());
        let simple = if simple.pieces().len() > 1 { simple.coalesce() } else { simple };
        let simple =
            if simple.pieces().iter().any(BasicSet::has_unknown_locals) { simple.compute_divs() } else { simple };
        let alternatives: Vec<Vec<Condition>> =
            simple.pieces().iter().map(|piece| self.conditions(statement, piece, place)).collect();
        let guard = match &alternatives[..] {
            [one] => one.clone(),
            several if several.iter().any(Vec::is_empty) => vec![],
            several => {
                let all = |c: &Vec<Condition>| Expr::and(c.iter().map(|c| c.expr.clone()).collect());
                let level = several.iter().flatten().map(|c| c.level).max().unwrap_or(0);
                vec![Condition { expr: Expr::or(several.iter().map(all).collect()), opposite: None, level }]
            }
        };
        let argument = |a: &Argument| Expr::exact_div(place.values.expr(&a.row, &a.divs), &a.denominator);
        let arguments = inverse.arguments.iter().map(argument).collect();
        let node = Node::User { statement: statement.name(), arguments };
        Some(Graft { guard, node, instances: Some((place.number, domain.clone())) })
    }

    fn conditions(&self, statement: &Statement, piece: &BasicSet, place: &Place) -> Vec<Condition> {
        let rows = rows(piece, &self.params);
        let divs: Vec<Div> =
            rows.divs.into_iter().map(|div| div.expect("law: locals have definitions after compute_divs")).collect();
        let condition = |relation: &Relation| {
            self.note_remainder(relation, &divs, place, statement);
            place.condition(relation, &divs, &self.params)
        };
        rows.relations.iter().map(condition).collect()
    }
}
