//! The first and the last value of a loop.

use super::scan::Scanner;
use crate::ast::pieces::piece::Piece;
use crate::ast::rows::bounds::Bounds;
use crate::ast::rows::place::Place;
use crate::ast::rows::region::{Relation, constrained, lifted};
use crate::ast::rows::stride::Stride;
use crate::ast::tree::expr::Expr;
use crate::presburger::{BasicSet, Set};

impl Scanner<'_> {
    /// First and last value of the loop over `piece`, those that there are.
    pub(super) fn both_limits(
        &self,
        bounds: &Bounds,
        piece: &Piece,
        stride: &Stride,
        place: &Place,
    ) -> (Option<Expr>, Option<Expr>) {
        match self.limits(bounds, piece, stride, place) {
            Some((lower, upper)) => (Some(lower), Some(upper)),
            None => (bounds.lower(place, stride), None),
        }
    }

    /// First and last value of the loop over `piece`. Where a bound of the hull of several parts is missing, or beyond all parts, the
    /// outermost of theirs, found at run time, holds as well.
    fn limits(&self, bounds: &Bounds, piece: &Piece, stride: &Stride, place: &Place) -> Option<(Expr, Expr)> {
        let (lower, upper) = (bounds.lower(place, stride), bounds.upper(&place.values));
        if let (1, Some(lower), Some(upper)) = (piece.parts.len(), &lower, &upper) {
            return Some((lower.clone(), upper.clone()));
        }
        let context = lifted(&place.context, 1);
        let n = self.params.len() + place.depth();
        let parts = piece.parts.iter().filter(|part| !part.intersect(&context).is_empty());
        let parts: Vec<Bounds> = parts.map(|part| self.own_bounds(part, &context, n)).collect();
        let inside = piece.region.intersect(&context).to_set();
        let lower = match lower {
            Some(lower) if self.is_reached(&inside, &parts, Bounds::lower_relations, n) => lower,
            hull => {
                let own = parts.iter().map(|own| own.lower(place, stride)).collect::<Option<_>>().map(Expr::min);
                [hull, own].into_iter().flatten().reduce(|a, b| Expr::max(vec![a, b]))?
            }
        };
        let upper = match upper {
            Some(upper) if self.is_reached(&inside, &parts, Bounds::upper_relations, n) => upper,
            hull => {
                let own = parts.iter().map(|own| own.upper(&place.values)).collect::<Option<_>>().map(Expr::max);
                [hull, own].into_iter().flatten().reduce(|a, b| Expr::min(vec![a, b]))?
            }
        };
        Some((lower, upper))
    }

    fn own_bounds(&self, part: &BasicSet, context: &BasicSet, n: usize) -> Bounds {
        let relations = self.relations(part, context).into_iter().flat_map(|relation| {
            let sides = crate::ast::rows::region::sides(&relation);
            sides.into_iter().map(|row| Relation { equality: false, row })
        });
        Bounds::of(&relations.collect::<Vec<_>>(), n)
    }

    /// Whether every value of `inside` is within these bounds of some part.
    fn is_reached(
        &self,
        inside: &Set,
        parts: &[Bounds],
        side: impl Fn(&Bounds, usize) -> Vec<Relation>,
        n: usize,
    ) -> bool {
        let universe = BasicSet::universe(&crate::ast::rows::region::space(&self.params, n - self.params.len() + 1));
        let within = |own: &Bounds| constrained(&universe, &self.params, &side(own, n)).to_set();
        parts.iter().map(within).fold(inside.clone(), |beyond, part| beyond.subtract(&part)).is_empty()
    }
}
