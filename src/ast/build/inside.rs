//! Pieces cut by what is directly inside of them: loops that would be empty for some iterations, and bounds that are minima and maxima.
//!
//! ```text
//! for (c0 = 1; c0 <= N; c0 += 1) {                     for (c0 = 1; c0 <= min(N, M); c0 += 1)
//!   for (c1 = 1; c1 <= min(c0, M); c1 += 1)              for (c1 = 1; c1 <= c0; c1 += 1) ..
//!     ..                                               for (c0 = M + 1; c0 <= N; c0 += 1)
//! }                                                      for (c1 = 1; c1 <= M; c1 += 1) ..
//! ```
//!
//! The *second separation* of Quilleré, Rajopadhye and Wilde (section 6.1) projects each loop inside on the dimensions around it and separates these shadows. Chamski's removal of minima and
//! maxima ("Nested loop sequences", 1993) cuts where two bounds of a loop inside change places. Both cost code. What is inside is found through whatever stands between:
//! other members of the band, bands below, sequences of them.
//!
//! Implements: 003 6.1

use super::scan::{Members, Scanner};
use crate::ast::pieces::piece::Piece;
use crate::ast::pieces::separate::{Entry, Mode, pieces};
use crate::ast::rows::affine::Row;
use crate::ast::rows::bounds::Bounds;
use crate::ast::rows::place::Place;
use crate::ast::rows::region::{Relation, constrained, implies, lifted};
use crate::ast::rows::statement::Statement;
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, DimKind, Int};
use crate::scop::tree;
use std::rc::Rc;

/// More pieces than this are not made of one where bounds change places.
const MOST_CUTS: usize = 24;

/// A loop (or statements without one) inside of a piece.
struct Inner {
    /// What it scans: one dimension more than the piece has. Nothing for statements that are there in any case.
    region: Option<BasicSet>,
    /// Its statements, by their positions outside.
    statements: Vec<usize>,
}

/// A statement with its position outside.
type Placed = (usize, Rc<Statement>);

impl Scanner<'_> {
    /// The pieces of the dimension that comes next, cut as the options ask.
    pub(super) fn cut(
        &self,
        found: Vec<Piece>,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        place: &Place,
    ) -> Vec<Piece> {
        let mut found = found;
        if self.options.second_separation {
            let alive = |piece| self.alive(piece, members, statements, place.depth());
            found = found.into_iter().flat_map(alive).collect();
        }
        if self.options.split_bounds {
            let plain = |piece| self.with_plain_bounds(piece, members, statements, place);
            found = found.into_iter().flat_map(plain).collect();
        }
        found
    }

    /// The piece (unless it is a hull) split by which of the loops directly inside of it run at all.
    fn alive(&self, piece: Piece, members: &Members<'_>, statements: &[Rc<Statement>], depth: usize) -> Vec<Piece> {
        let inner = self.inner(&piece, members, statements, depth);
        let Some(inner) = inner.filter(|inner| piece.parts.len() == 1 && inner.len() > 1) else { return vec![piece] };
        let mut entries = vec![];
        for (position, each) in inner.iter().enumerate() {
            let Some(region) = &each.region else {
                entries.push(Entry { region: piece.region.clone(), statement: position });
                continue;
            };
            let shadow = region.to_set().project_out(DimKind::Out, depth + 1, 1).remove_divs();
            let inside = shadow.pieces().into_iter().map(|shadow| shadow.intersect(&piece.region));
            let inside = inside.filter(|region| !region.is_empty());
            entries.extend(inside.map(|region| Entry { region, statement: position }));
        }
        let split = pieces(entries, Mode::Separate(&|_| true), None, &self.params);
        if split.len() <= 1 || split.iter().any(|part| part.parts.len() > 1) {
            return vec![piece];
        }
        let named = |part: Piece| {
            let mut statements: Vec<usize> =
                part.statements.iter().flat_map(|&position| inner[position].statements.iter().copied()).collect();
            statements.sort_unstable();
            statements.dedup();
            Piece { statements, ..part }
        };
        split.into_iter().map(named).collect()
    }

    /// The piece (unless it is a hull) cut where bounds of loops directly inside of it, and its own, change places.
    fn with_plain_bounds(
        &self,
        piece: Piece,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        place: &Place,
    ) -> Vec<Piece> {
        let depth = place.depth();
        let inner = self.inner(&piece, members, statements, depth).unwrap_or_default();
        if piece.parts.len() > 1 {
            return vec![piece];
        }
        let around = lifted(&place.context, 1);
        let inside = lifted(&piece.region.intersect(&around), 1);
        let mut rows = vec![];
        for region in inner.iter().filter_map(|each| each.region.as_ref()) {
            rows.extend(self.differences(region, &inside, depth + 1));
        }
        let mut cut = vec![piece.region.clone()];
        for row in rows {
            let next: Vec<BasicSet> = cut.iter().flat_map(|region| self.halves(region, &row, &around)).collect();
            if next.len() > MOST_CUTS {
                break;
            }
            cut = next;
        }
        let cut = self.with_plain_ends(cut, &around, depth);
        let entries = cut.into_iter().map(|region| Entry { region, statement: 0 }).collect();
        let parts = pieces(entries, Mode::Separate(&|_| true), None, &self.params);
        if parts.len() <= 1 || parts.iter().any(|part| part.parts.len() > 1) {
            return vec![piece];
        }
        parts.into_iter().map(|part| Piece { statements: piece.statements.clone(), ..part }).collect()
    }

    /// The regions cut by conditions on outer dimensions until their own bounds are single ones.
    fn with_plain_ends(&self, mut pending: Vec<BasicSet>, around: &BasicSet, depth: usize) -> Vec<BasicSet> {
        let mut done = vec![];
        while let Some(region) = pending.pop() {
            let rows = self.differences(&region, around, depth);
            let halves = rows.iter().map(|row| self.halves(&region, row, around)).find(|halves| halves.len() > 1);
            match halves.filter(|_| done.len() + pending.len() < MOST_CUTS) {
                Some(halves) => pending.extend(halves),
                None => done.push(region),
            }
        }
        done
    }

    /// Where a row is not negative, and where it is.
    fn halves(&self, region: &BasicSet, row: &Row, around: &BasicSet) -> Vec<BasicSet> {
        let here = region.intersect(around);
        let mut row = row.clone();
        row.coefficients.resize(self.params.len() + around.dim(DimKind::Out), Int::zero());
        let other = {
            let mut other = row.scaled(&Int::from(-1));
            other.constant = other.constant.sub(&Int::one());
            other
        };
        let halves = [row, other].map(|row| Relation { equality: false, row });
        if halves.iter().any(|half| implies(&here, half, &self.params)) {
            return vec![region.clone()];
        }
        let half = |half: &Relation| constrained(region, &self.params, std::slice::from_ref(half));
        halves.iter().map(half).filter(|half| !half.intersect(around).is_empty()).collect()
    }

    /// For each two lower bounds, and each two upper ones, of the dimension at `depth`: their difference as a row of the dimensions outside of it.
    fn differences(&self, region: &BasicSet, context: &BasicSet, depth: usize) -> Vec<Row> {
        let bounds = Bounds::of(&self.relations(region, context), self.params.len() + depth);
        let mut rows = vec![];
        for side in [bounds.lower_rows(), bounds.upper_rows()] {
            for (at, (a, f)) in side.iter().enumerate() {
                for (b, g) in &side[..at] {
                    rows.push(f.scaled(b).plus(&Number::neg(a), g));
                }
            }
        }
        rows
    }

    /// What is directly inside of a piece of the dimension at `depth`; nothing is known where statements are added.
    fn inner(
        &self,
        piece: &Piece,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        depth: usize,
    ) -> Option<Vec<Inner>> {
        let active: Vec<Placed> = piece.statements.iter().map(|&s| (s, statements[s].clone())).collect();
        if depth + 1 < members.first + members.n {
            return Some(self.of_members(members, &active, &piece.region, depth + 1));
        }
        members.below.map_or(Some(vec![]), |node| self.of_node(node, &active, &piece.region, depth + 1))
    }

    fn of_members(&self, members: &Members<'_>, active: &[Placed], region: &BasicSet, depth: usize) -> Vec<Inner> {
        let own: Vec<Rc<Statement>> = active.iter().map(|(_, statement)| statement.clone()).collect();
        let unmoved = vec![Int::zero(); own.len()];
        let loops = self.found(members, &own, &unmoved, region, depth).into_iter();
        let inner = |piece: Piece| Inner {
            statements: piece.statements.iter().map(|&s| active[s].0).collect(),
            region: Some(piece.region),
        };
        loops.map(inner).collect()
    }

    fn of_node(&self, node: &tree::Node, active: &[Placed], region: &BasicSet, depth: usize) -> Option<Vec<Inner>> {
        match node {
            tree::Node::Leaf => {
                Some(active.iter().map(|(at, _)| Inner { region: None, statements: vec![*at] }).collect())
            }
            tree::Node::Mark { child, .. } | tree::Node::Context { child, .. } => {
                self.of_node(child, active, region, depth)
            }
            tree::Node::Filter { filter, child } => {
                let kept: Vec<Placed> = active
                    .iter()
                    .flat_map(|(at, s)| self.filtered(filter, std::slice::from_ref(s)).into_iter().map(|s| (*at, s)))
                    .collect();
                if kept.is_empty() { Some(vec![]) } else { self.of_node(child, &kept, region, depth) }
            }
            tree::Node::Sequence(children) | tree::Node::Set(children) => {
                let all = children.iter().map(|child| self.of_node(child, active, region, depth));
                all.collect::<Option<Vec<_>>>().map(|all| all.into_iter().flatten().collect())
            }
            tree::Node::Band { band, child } if band.n_member() == 0 => self.of_node(child, active, region, depth),
            tree::Node::Band { band, child } => {
                let extended: Vec<Placed> = active.iter().map(|(at, s)| (*at, self.in_band(s, band))).collect();
                let n = band.n_member();
                let (below, isolated) = (Some(&**child), vec![]);
                let members =
                    Members { first: depth, n, band: Some(band), below, mark: None, isolated, is_open: false };
                Some(self.of_members(&members, &extended, region, depth))
            }
            tree::Node::Extension { .. } | tree::Node::Domain { .. } => None,
        }
    }
}
