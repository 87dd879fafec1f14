//! The loop generator: scanning the dates of all instances in lexicographic order.
//!
//! ```text
//! domain: "[N] -> { S[i] : 0 <= i < N; T[] }"         for (c0 = 0; c0 <= N - 1; c0 += 1)
//! child:                                                S(c0);
//!   schedule: "[{ S[i] -> [i]; T[] -> [N] }]"         if (N >= 0) T();
//! ```
//!
//! The tree is walked from the root with the statements that are still active (each with the dates it has so far) and a
//! [`Place`]: what is known of the iterators outside, and how they are written. A band adds its members as dimensions and scans them from the
//! outside in, each by the recursion of Quilleré, Rajopadhye and Wilde: project (the statements' shadows), separate and sort ([`pieces`]),
//! then for each piece make a loop and recurse in its context. Filters split the active statements, leaves write them.
//! Simplification comes last: a region is reduced to what its context does not imply only where its loop or guard is written, and guards
//! travel outwards on the way back ([`Graft`]). Loops may scan too much, for shadows may be too large; the condition at
//! a statement is exact relative to what the loops around it enforce, so each instance runs exactly once.
//!
//! Implements: 003 5.1

use super::steps::Stages;
use super::troubles::{Unbounded, Unseparated};
use crate::ast::pieces::count::Price;
use crate::ast::pieces::order::Order;
use crate::ast::pieces::piece::Piece;
use crate::ast::pieces::separate::{Entry, Mode, pieces};
use crate::ast::pieces::shift::{shifts, translated};
use crate::ast::pieces::unroll;
use crate::ast::rows::affine::{Row, Values};
use crate::ast::rows::bounds::Bounds;
use crate::ast::rows::guard::{Condition, Graft, in_sequence};
use crate::ast::rows::place::Place;
use crate::ast::rows::region::{Relation, constrained, divisible, implies, lifted, rows, single};
use crate::ast::rows::statement::Statement;
use crate::ast::rows::stride::Stride;
use crate::ast::tree::expr::Expr;
use crate::ast::tree::node::{For, Node};
use crate::ast::{Options, Separation};
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, DimKind, Id, Int, Set};
use crate::scop::Steps;
use crate::scop::tree::{self, Band, LoopKind};
use std::cell::RefCell;
use std::rc::Rc;

/// How much code a statement is that needs more loops: it and at least one loop.
const NEST: usize = 2;

/// Loop generation for one tree.
pub(in crate::ast) struct Scanner<'o> {
    pub params: Vec<Id>,
    pub options: &'o Options,
    /// Loops that data ends.
    pub steps: &'o [Steps],
    pub n_loops: usize,
    /// How many places there are inside of loops.
    pub n_places: usize,
    /// Set when a dimension cannot be scanned.
    pub unbounded: Option<Unbounded>,
    /// Where separation was asked for in vain.
    pub unseparated: RefCell<Vec<Unseparated>>,
}

/// The dimensions that one band adds, and what is below.
pub(in crate::ast) struct Members<'t> {
    pub first: usize,
    pub n: usize,
    /// `None`: dimensions that the generator has added.
    pub band: Option<&'t Band>,
    /// What is below the band.
    pub below: Option<&'t tree::Node>,
    pub mark: Option<&'t Id>,
    /// What is scanned apart from the rest, one region per member; or nothing.
    pub isolated: Vec<BasicSet>,
    /// Whether the schedule says nothing of the order: added dimensions of instances that share a date.
    pub is_open: bool,
}

impl Members<'_> {
    fn kind(&self, member: usize) -> LoopKind {
        self.band.and_then(|band| band.options.get(member).copied()).unwrap_or(LoopKind::Default)
    }

    fn is_coincident(&self, member: usize) -> bool {
        self.band.is_some_and(|band| band.coincident.get(member).copied().unwrap_or(false))
    }
}

/// What comes when all members are scanned.
pub(in crate::ast) type Inside<'f, 'o> = dyn Fn(&mut Scanner<'o>, &[Rc<Statement>], &Place) -> Vec<Graft> + 'f;

impl<'o> Scanner<'o> {
    /// Scans the remaining members of a band.
    pub fn members(
        &mut self,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        place: &Place,
        inside: &Inside<'_, 'o>,
    ) -> Vec<Graft> {
        let depth = place.depth();
        if self.unbounded.is_some() {
            return vec![];
        }
        if depth == members.first + members.n {
            return inside(self, statements, place);
        }
        let end = members.first + members.n;
        let order = Order { params: &self.params, shell: &place.shell, end, below: members.below };
        let mut grafts = vec![];
        for component in order.components(statements, depth) {
            let active: Vec<Rc<Statement>> = component.iter().map(|&s| statements[s].clone()).collect();
            grafts.extend(self.loops(members, &active, place, inside));
        }
        grafts
    }

    /// The loops over one dimension of statements that take turns.
    fn loops(
        &mut self,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        place: &Place,
        inside: &Inside<'_, 'o>,
    ) -> Vec<Graft> {
        let depth = place.depth();
        if let Some(stages) = Stages::of(self.steps, statements, depth) {
            return self.steps(members, statements, place, inside, stages);
        }
        let fixed = !members.isolated.is_empty() || members.kind(depth - members.first) == LoopKind::Unroll;
        let moving: &[Rc<Statement>] = if fixed { &[] } else { statements };
        let (mut shifts, stride) = shifts(moving, depth, self.params.len() + depth, &place.residues());
        shifts.resize(statements.len(), Int::zero());
        let mut found = self.found(members, statements, &shifts, &place.shell, depth);
        if shifts.iter().all(Number::is_zero) {
            found = self.cut(found, members, statements, place);
        }
        let level = Level { members, statements, place, inside, shifts, stride, stages: None };
        found.iter().map(|piece| self.piece(piece, &level)).collect()
    }

    /// The pieces of the dimension at `depth`, in order.
    pub(super) fn found(
        &self,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        shifts: &[Int],
        context: &BasicSet,
        depth: usize,
    ) -> Vec<Piece> {
        let context = lifted(context, 1);
        let mut entries = vec![];
        for (position, statement) in statements.iter().enumerate() {
            for region in &statement.shadow(depth).regions {
                let region = self.moved(region, &shifts[position]).intersect(&context);
                if !region.is_empty() {
                    entries.push(Entry { region, statement: position });
                }
            }
        }
        let kind = members.kind(depth - members.first);
        let everywhere = self.is_demanded(kind);
        let innermost = kind == LoopKind::Default && self.options.separation == Separation::Innermost;
        let wanted = |s: usize| everywhere || innermost && statements[s].is_determined_by(depth + 1);
        let price = match self.options.separation {
            Separation::Counted => Some(Price::Size),
            Separation::Volume => Some(Price::Volume),
            _ => None,
        };
        let weight = |s: usize| if statements[s].is_determined_by(depth + 1) { 1 } else { NEST };
        let mode = match kind {
            LoopKind::Default | LoopKind::Separate if everywhere => Mode::Demanded,
            LoopKind::Default if let Some(price) = price => Mode::Counted { weight: &weight, price, context: &context },
            LoopKind::Default | LoopKind::Separate => Mode::Separate(&wanted),
            LoopKind::Atomic | LoopKind::Unroll => Mode::Atomic,
        };
        let isolated = members.isolated.get(depth - members.first);
        let found = pieces(entries, mode, isolated, &self.params);
        if everywhere && kind != LoopKind::Atomic && kind != LoopKind::Unroll {
            self.note(&found, statements, depth);
        }
        if kind == LoopKind::Unroll { unroll::slices(found, &context, &self.params) } else { found }
    }

    /// Whether separation is asked for at any price.
    fn is_demanded(&self, kind: LoopKind) -> bool {
        kind == LoopKind::Separate || self.options.separation == Separation::Everywhere
    }

    /// `region` with its last dimension less by `shift`.
    fn moved(&self, region: &BasicSet, shift: &Int) -> BasicSet {
        if shift.is_zero() {
            return region.clone();
        }
        let relations: Vec<Relation> =
            rows(region, &self.params).relations.iter().map(|r| translated(r, &Number::neg(shift))).collect();
        let everything = BasicSet::universe(&crate::ast::rows::region::space(&self.params, region.dim(DimKind::Out)));
        constrained(&everything, &self.params, &relations)
    }

    /// One loop for all, which ends when data says so.
    fn steps(
        &mut self,
        members: &Members<'_>,
        statements: &[Rc<Statement>],
        place: &Place,
        inside: &Inside<'_, 'o>,
        stages: Stages,
    ) -> Vec<Graft> {
        let (depth, context) = (place.depth(), lifted(&place.shell, 1));
        let entries = statements.iter().enumerate().flat_map(|(position, statement)| {
            let regions = statement.shadow(depth).regions.iter().map(|region| region.intersect(&context));
            regions.map(move |region| Entry { region, statement: position }).collect::<Vec<_>>()
        });
        let entries = entries.filter(|entry| !entry.region.is_empty()).collect();
        let found = pieces(entries, Mode::Atomic, None, &self.params);
        let stages = Some(stages).filter(|_| found.len() == 1);
        let shifts = vec![Int::zero(); statements.len()];
        let level = Level { members, statements, place, inside, shifts, stride: None, stages };
        found.iter().map(|piece| self.piece(piece, &level)).collect()
    }

    fn piece(&mut self, piece: &Piece, level: &Level<'_, 'o>) -> Graft {
        let (place, depth) = (level.place, level.place.depth());
        let n = self.params.len() + depth;
        let active = || piece.statements.iter().map(|&s| &level.statements[s]);
        let stride = match &level.stride {
            Some(stride) => stride.clone(),
            None => {
                let strides = active().map(|statement| statement.shadow(depth).stride.clone());
                strides
                    .reduce(|a, b| a.or(&b, &place.residues()))
                    .filter(|s| !s.modulus.is_zero())
                    .unwrap_or_else(|| Stride::unit(n))
            }
        };
        let context = lifted(&place.context, 1);
        if piece.region.intersect(&context).is_empty() {
            return in_sequence(vec![]);
        }
        let relations = self.relations(&piece.region, &context);
        let mut bounds = Bounds::of(&relations, n);
        bounds.outer.retain(|relation| !self.is_left_to_statements(relation, piece, level));
        let guard: Vec<Condition> = bounds.outer.iter().map(|r| place.condition(r, &[], &self.params)).collect();
        let residue = match &bounds.value {
            Some((factor, row)) if factor.is_one() => place.residues().of(row),
            Some(_) => Stride::unit(n),
            None => stride.clone(),
        };
        let scanned = Scanned { enforced: bounds.relations(n), relations, stride, residue };
        if let Some((factor, row)) = &bounds.value {
            return self.degenerate(factor, row, &scanned, piece, level).under(guard);
        }
        let stride = &scanned.stride;
        let (lower, upper) = self.both_limits(&bounds, piece, stride, place);
        let endless = |misplaced| {
            let statements = active().map(|statement| statement.name()).collect();
            Some(Unbounded { statements, depth, misplaced })
        };
        let Some(lower) = lower.filter(|_| upper.is_some() || level.stages.is_some()) else {
            self.unbounded = endless(None);
            return in_sequence(vec![]);
        };
        let iterator = self.fresh();
        let body = self.body(piece, level, &scanned, Expr::Name(iterator.clone()), depth + 1).settled(depth);
        if body.node.is_empty() {
            return body;
        }
        let step = scanned.stride.modulus;
        if let Some(stages) = &level.stages {
            let mark = plain(level.members, depth).mark;
            match stages.arranged(&body.node) {
                Ok(node) => {
                    let each = crate::ast::Steps { iterator, lower, upper, step, mark, depth, body: node };
                    return Graft::of(body.guard, Node::Steps(Box::new(each))).under(guard);
                }
                Err(misplaced) if upper.is_none() => {
                    self.unbounded = endless(Some(misplaced));
                    return in_sequence(vec![]);
                }
                Err(_) => {}
            }
        }
        let upper = upper.expect("law: a loop without a bound is one of steps");
        let each = For { iterator, lower, upper, step, body: body.node, ..plain(level.members, depth) };
        Graft::of(body.guard, Node::For(Box::new(each))).under(guard)
    }

    /// Whether a relation between outer dimensions holds of all instances of the statements in the piece, so that their own guards
    /// say it where the loops do not. That is less code, but a guard in a loop may keep it from the vector unit: not where guards are kept out of innermost
    /// loops at any price, nor in one that only its tests end.
    fn is_left_to_statements(&self, relation: &Relation, piece: &Piece, level: &Level<'_, 'o>) -> bool {
        if self.options.separation == Separation::Innermost || level.stages.is_some() {
            return false;
        }
        let depth = level.place.depth();
        let context = lifted(&level.place.shell, 1);
        piece.statements.iter().all(|&s| {
            let inside = level.statements[s].shadow(depth).regions.iter().map(|region| region.intersect(&context));
            inside.into_iter().all(|region| implies(&region, relation, &self.params))
        })
    }

    /// A dimension that has the one value `row / factor`.
    fn degenerate(
        &mut self,
        factor: &Int,
        row: &Row,
        scanned: &Scanned,
        piece: &Piece,
        level: &Level<'_, 'o>,
    ) -> Graft {
        let (place, depth) = (level.place, level.place.depth());
        let scanned = Scanned { stride: Stride::unit(self.params.len() + depth), ..scanned.clone() };
        let known = place.level(row, &[]);
        if factor.is_one() {
            return self.body(piece, level, &scanned, place.values.expr(row, &[]), known);
        }
        let value = Expr::exact_div(place.values.expr(row, &[]), factor);
        if self.is_multiple(row, factor, &place.enforced) {
            return self.body(piece, level, &scanned, value, known);
        }
        self.note_whole(row, place, || piece.statements.iter().map(|&s| level.statements[s].name()).collect());
        let remainder = place.values.modulo(row, &[], factor);
        let expr = Expr::compare(crate::ast::Comparison::Eq, remainder, Expr::from(0));
        let whole = Condition { expr, opposite: None, level: known };
        let iterator = self.fresh();
        let body = self.body(piece, level, &scanned, Expr::Name(iterator.clone()), depth + 1).settled(depth);
        if body.node.is_empty() {
            return body;
        }
        let (lower, upper) = (value.clone(), value);
        let each = For { iterator, lower, upper, degenerate: true, body: body.node, ..plain(level.members, depth) };
        Graft::of(body.guard, Node::For(Box::new(each))).under(vec![whole])
    }

    /// Whether `row` is a multiple of `factor` wherever `known` holds.
    fn is_multiple(&self, row: &Row, factor: &Int, known: &BasicSet) -> bool {
        let everywhere = BasicSet::universe(&crate::ast::rows::region::space(&self.params, known.dim(DimKind::Out)));
        known.to_set().is_subset(&divisible(&everywhere, &self.params, row, factor).to_set())
    }

    /// What runs where the dimension, less the statements' shifts, is `expr`: first the statements with the least shift.
    fn body(&mut self, piece: &Piece, level: &Level<'_, 'o>, scanned: &Scanned, expr: Expr, known: usize) -> Graft {
        let mut shifts: Vec<&Int> = piece.statements.iter().map(|&s| &level.shifts[s]).collect();
        shifts.sort();
        shifts.dedup();
        let Scanned { relations, enforced, stride, .. } = scanned;
        let mut grafts = vec![];
        for shift in shifts {
            let moved = |relations: &[Relation]| -> Vec<Relation> {
                relations.iter().map(|relation| translated(relation, shift)).collect()
            };
            let with = |known: &BasicSet, relations| constrained(&lifted(known, 1), &self.params, &moved(relations));
            let shell = with(&level.place.shell, relations);
            let mut context = with(&level.place.context, relations);
            let mut enforced = with(&level.place.enforced, enforced);
            if !stride.is_unit() {
                let mut distance = stride.offset.scaled(&Int::from(-1));
                distance.constant = distance.constant.sub(shift);
                distance.coefficients.push(Int::one());
                context = divisible(&context, &self.params, &distance, &stride.modulus);
                enforced = divisible(&enforced, &self.params, &distance, &stride.modulus);
            }
            let here = piece.statements.iter().filter(|&&s| level.shifts[s] == *shift);
            let active: Vec<Rc<Statement>> = here.map(|&s| level.statements[s].clone()).collect();
            let value = Expr::add(expr.clone(), Expr::Int(shift.clone()));
            let mut residue = scanned.residue.clone();
            residue.offset.constant = Number::add(&residue.offset.constant, shift);
            self.n_places += 1;
            let mut inner = level.place.inside([context, enforced, shell], residue, value, known);
            inner.number = self.n_places;
            if self.is_demanded(level.members.kind(level.place.depth() - level.members.first)) {
                inner.demanded.push(level.place.depth());
            }
            grafts.extend(self.members(level.members, &active, &inner, level.inside));
        }
        in_sequence(grafts)
    }

    /// The rows of `region` that `context` does not imply.
    pub(super) fn relations(&self, region: &BasicSet, context: &BasicSet) -> Vec<Relation> {
        let simple = rows(&region.gist(context), &self.params);
        if simple.divs.is_empty() { simple.relations } else { rows(region, &self.params).relations }
    }

    fn fresh(&mut self) -> Id {
        loop {
            let name = Id::new(&format!("c{}", self.n_loops));
            self.n_loops += 1;
            if !self.params.contains(&name) {
                return name;
            }
        }
    }
}

/// What the loop over a piece is made from.
#[derive(Clone)]
struct Scanned {
    /// The rows of the piece that its context does not imply.
    relations: Vec<Relation>,
    /// Those that the loop and its guard make sure of.
    enforced: Vec<Relation>,
    /// The steps of the loop.
    stride: Stride,
    /// The residues of the dimension.
    residue: Stride,
}

/// One dimension of a band at one place.
struct Level<'l, 'o> {
    members: &'l Members<'l>,
    statements: &'l [Rc<Statement>],
    place: &'l Place,
    inside: &'l Inside<'l, 'o>,
    /// How much later than the loop's iterator each statement's value of the dimension is.
    shifts: Vec<Int>,
    /// The stride of all, where shifts make it so.
    stride: Option<Stride>,
    /// Where statements stand in the steps of a loop that data ends.
    stages: Option<Stages>,
}

fn plain(members: &Members<'_>, depth: usize) -> For {
    For {
        iterator: Id::new(""),
        lower: Expr::from(0),
        upper: Expr::from(0),
        step: Int::one(),
        degenerate: false,
        coincident: members.is_coincident(depth - members.first),
        open: members.is_open,
        parallel: false,
        pipelined: false,
        vector: false,
        reductions: vec![],
        mark: if depth == members.first { members.mark.cloned() } else { None },
        depth,
        body: Node::Block(vec![]),
    }
}

/// The place outside of all loops.
pub(in crate::ast) fn outermost(params: &[Id], context: &Set) -> Option<Place> {
    let known = crate::ast::rows::region::space(params, 0);
    let context = Set::universe(&known).intersect_params(context);
    if context.is_empty() {
        return None;
    }
    let context = one(&context);
    let exprs = params.iter().map(|p| Expr::Name(p.clone())).collect();
    let shell = context.remove_divs();
    let enforced = context.clone();
    Some(Place {
        number: 0,
        context,
        enforced,
        shell,
        strides: vec![],
        values: Values { n_params: params.len(), exprs },
        levels: vec![],
        demanded: vec![],
    })
}

/// What holds on all of `set`, as one conjunction whose locals have definitions.
pub(in crate::ast) fn one(set: &Set) -> BasicSet {
    let hull = match &set.pieces()[..] {
        [one] => one.clone(),
        _ => set.simple_hull(),
    };
    if hull.has_unknown_locals() { single(&hull.to_set().remove_unknown_divs()) } else { hull }
}
