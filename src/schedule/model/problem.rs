//! What the scheduler works on: statements and dependences as plain integer rows.
//!
//! A *row* is an affine function of one statement's instances: `i + 2*n - 1` over `[n] -> { S[i, j] }` has the constant -1, the parameter
//! coefficient 2 and the iterator coefficients (1, 0). A band is a list of *hyperplanes*: one row for each statement. An *edge*
//! is one convex piece of a dependence relation, with the generators of its polyhedron (see [`crate::presburger::generators`]); the value of a hyperplane on
//! it is the difference `row(sink) - row(source)`.
//!
//! Iterators that the domain's equalities determine (`j` in `{ S[i, j] : j = i + 1 }`) add no dimension: schedules leave them out.

use super::reference::{Reference, Touch};
use crate::machine::Machine;
use crate::presburger::algebra::generators::Cone;
use crate::presburger::int::Number;
use crate::presburger::{Aff, BasicMap, ConstraintKind, DimKind, Id, Int, Map, Set, Space};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Bounds on parameters alone that are this large come from machine types; they say nothing about an order of loops, but would
/// double the generators for each parameter.
const TYPE_BOUND: i64 = 10_000;
/// Beyond so many generators a dependence is not looked at (the order of its statements is then left alone).
const MOST_INEQUALITIES: usize = 48;
/// An iterator with more values than this is one of a loop that may be worth tiles.
const MOST_FEW: i64 = 8;

/// What a relation may ask of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// The source must run before the sink.
    Order,
    /// A parallel loop may not run source and sink in different iterations.
    Coincidence,
    /// Sink and source touch one datum and had better be near each other.
    Nearness,
}

/// All that one relation asks of a schedule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Role {
    demands: &'static [Demand],
    /// Whether many sinks can be asked in vectors if one replaces what sources updated ([`crate::scop::Statement::seldom_replaces`]), or can be in vectors up to
    /// the places that sources count ([`crate::scop::Statement::packed`]).
    pub is_question: bool,
}

impl Role {
    pub const fn of(demands: &'static [Demand]) -> Role {
        Role { demands, is_question: false }
    }

    /// The same of sinks that seldom replace what sources updated.
    pub fn as_question(self) -> Role {
        Role { is_question: true, ..self }
    }

    /// Whether it asks for that.
    pub fn asks(self, demand: Demand) -> bool {
        self.demands.contains(&demand)
    }
}

/// What has to be scheduled: see [`crate::schedule::Schedule::of`] for where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Constraints {
    /// The instances of each statement, in textual order, all over the same parameters.
    pub domains: Vec<Set>,
    /// Relations between statements with their roles.
    pub relations: Vec<(Map, Role)>,
    /// What statements touch.
    pub touched: Vec<Touch>,
    /// Arrays that the program has in registers, if nothing needs several of their elements at once.
    pub scalars: BTreeSet<Id>,
    /// What each statement computes.
    pub work: Vec<Work>,
    /// What the loops will run on.
    pub machine: Machine,
}

/// A statement's iteration space.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Tuple name of its instances.
    pub name: Id,
    /// Space of its instances.
    pub space: Space,
    /// Number of iterators.
    pub n: usize,
    /// Iterators that are not determined by others.
    pub free: Vec<usize>,
    /// What it touches.
    pub references: Vec<Reference>,
    /// The constraints of its domain, if that is one conjunction without existentials.
    pub bounds: Option<Vec<(ConstraintKind, Row)>>,
    /// How many values each iterator takes at most, as it moves subscripts of arrays with constant extents.
    pub room: Vec<i64>,
    /// What an instance computes.
    pub work: Work,
}

impl Statement {
    /// Whether vectors of instances read it for each of them alone, which is in the time that they take: so do loops that run side by side.
    pub fn reads_alone(&self, reference: &Reference) -> bool {
        self.work.side_by_side && !reference.writes
    }

    /// Whether its innermost loop may have many iterations.
    pub fn is_long(&self) -> bool {
        self.free.last().is_some_and(|last| self.few_values(*last).is_none())
    }

    /// How many values an iterator takes, from 0 on, if that is a number and no more than [`MOST_FEW`]: as one over the neighbours of a point.
    pub fn few_values(&self, d: usize) -> Option<i64> {
        let bounds = self.bounds.as_ref()?;
        let end = |sign: i64| {
            let is_number = |bound: &Row| {
                let others = bound.iterators.iter().filter(|factor| **factor != 0).count();
                others == 1 && bound.params.iter().all(|factor| *factor == 0)
            };
            let of_end = bounds.iter().map(|(_, bound)| bound).filter(|bound| bound.iterators[d] == sign);
            of_end.filter(|bound| is_number(bound)).map(|bound| bound.constant).min()
        };
        let values = end(-1)?.checked_add(1)?;
        (end(1)? == 0 && (1..=MOST_FEW).contains(&values)).then_some(values)
    }
}

/// An affine function of a statement's instances.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    /// The constant.
    pub constant: i64,
    /// Coefficients of the parameters.
    pub params: Vec<i64>,
    /// Coefficients of the iterators.
    pub iterators: Vec<i64>,
}

/// A hyperplane: for each statement of the problem a row (of those that take part).
pub(crate) type Hyperplane = std::collections::BTreeMap<usize, Row>;

/// What an instance of a statement computes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// As many additions as take the time of its arithmetic.
    pub operations: u32,
    /// [`crate::scop::Statement::vector_time`].
    pub vector_time: Option<u32>,
    /// [`crate::scop::Statement::has_loop`].
    pub has_loop: bool,
    /// [`crate::scop::Statement::side_by_side`].
    pub side_by_side: bool,
    /// [`crate::scop::Statement::branches`].
    pub branches: bool,
    /// [`crate::scop::Statement::packed`].
    pub packed: u32,
    /// Its subscripts are plain in most instances only, which are in loops of their own, but not in the program.
    pub has_border: bool,
    /// Whether it computes with floating-point numbers.
    pub is_float: bool,
    /// Whether data decides which of its instances write, or where.
    pub is_partial: bool,
}

impl Work {
    /// Whether instances are nothing but operations on what they touch, for certain and one way.
    pub fn is_straight(&self) -> bool {
        !self.has_loop && !self.side_by_side && !self.branches && self.packed == 0 && !self.is_partial
    }
}

/// One convex piece of a dependence.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// Statement that comes first.
    pub source: usize,
    pub sink: usize,
    /// What it asks.
    pub role: Role,
    /// Its pairs, over `[1, parameters, source, sink]` and existentials.
    cone: Cone,
    /// Generators over `[1, parameters, source, sink]`, as all rays are.
    pub lines: Vec<Vec<i64>>,
    pub rays: Vec<Vec<i64>>,
    /// What was found of pairs in one iteration, by the differences that are zero there: loops are asked for their time many times.
    together: RefCell<BTreeMap<Vec<Vec<i64>>, Option<Rc<Edge>>>>,
}

/// The problem in rows.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// Parameters.
    pub params: Vec<Id>,
    /// Statements in textual order.
    pub statements: Vec<Statement>,
    /// For each statement, the first of those that it shares all rows with: itself, unless [`Problem::keeping`] says more.
    pub leaders: Vec<usize>,
    /// For each statement, the first of those that it shares its innermost loop of the program with: itself, unless [`Problem::sharing`] says more.
    pub neighbours: Vec<usize>,
    /// Dependences.
    pub edges: Vec<Rc<Edge>>,
    /// Arrays that the program has in registers.
    pub scalars: BTreeSet<Id>,
    /// What the loops will run on.
    pub machine: Machine,
}

impl Problem {
    /// The problem of `constraints`; none if a number in it is larger than a machine word or a dependence too complex.
    pub fn of(constraints: &Constraints) -> Option<Problem> {
        let space =
            constraints.domains.iter().fold(Space::params_only(&[]), |s, d| s.align_params(&d.space().params_space()));
        let relations = constraints.relations.iter();
        let space = relations.fold(space, |s, (r, _)| s.align_params(&r.space().params_space()));
        let params = space.params().to_vec();
        let mut statements: Vec<Statement> =
            constraints.domains.iter().map(|d| Statement::of(&d.align_params(&space))).collect::<Option<_>>()?;
        for (statement, work) in statements.iter_mut().zip(&constraints.work) {
            statement.work = *work;
        }
        for touch in &constraints.touched {
            let (reference, statement) = (Reference::of(touch, &space), &mut statements[touch.statement]);
            statement.fit_into(&reference, &touch.extents);
            statement.references.push(reference.without_short_rows(&touch.extents, constraints.machine.line));
        }
        let mut problem = Problem {
            params,
            leaders: (0..statements.len()).collect(),
            neighbours: (0..statements.len()).collect(),
            statements,
            edges: Vec::new(),
            scalars: constraints.scalars.clone(),
            machine: constraints.machine,
        };
        for (relation, role) in &constraints.relations {
            problem.add_edges(&relation.align_params(&space), *role)?;
        }
        Some(problem)
    }

    /// How many instances of a statement one vector operation works on: as many as its widest elements allow.
    pub fn lanes(&self, statement: usize) -> i64 {
        let sizes = self.statements[statement].references.iter().map(|r| r.size as i64);
        self.machine.lanes(sizes.max().unwrap_or(8))
    }

    fn statement_of(&self, map: &Map, kind: DimKind) -> Option<usize> {
        let name = map.space().tuple_name(kind)?;
        self.statements.iter().position(|s| s.name == *name && s.n == map.dim(kind))
    }

    fn add_edges(&mut self, map: &Map, role: Role) -> Option<()> {
        let source = self.statement_of(map, DimKind::In)?;
        let sink = self.statement_of(map, DimKind::Out)?;
        for piece in map.coalesce().pieces() {
            if let Some(edge) = Edge::of(&piece, source, sink, role)? {
                self.edges.push(Rc::new(edge));
            }
        }
        Some(())
    }
}

impl Statement {
    fn of(domain: &Set) -> Option<Statement> {
        let space = domain.space().clone();
        let (n_param, n) = (space.dim(DimKind::Param), space.dim(DimKind::Out));
        let hull = domain.affine_hull();
        let mut equalities: Vec<Vec<i64>> = Vec::new();
        for constraint in hull.constraints() {
            let (iterators, locals) = constraint.coefficients[n_param..].split_at(n);
            if constraint.kind == ConstraintKind::Equality && locals.iter().all(Number::is_zero) {
                equalities.push(iterators.iter().map(Int::as_i64).collect::<Option<_>>()?);
            }
        }
        let determined = super::linear::pivots(&equalities, n);
        let free: Vec<usize> = (0..n).filter(|i| !determined.contains(i)).collect();
        let name = space.tuple_name(DimKind::Out)?.clone();
        let references = Vec::new();
        let work = Work { operations: 1, ..Work::default() };
        let room = vec![i64::MAX; n];
        Some(Statement { name, space, n, free, references, bounds: bounds(domain), room, work })
    }

    /// Takes the iterators to move the subscripts of a reference within the extents of its array.
    fn fit_into(&mut self, reference: &Reference, extents: &[Option<i64>]) {
        for (row, extent) in reference.subscripts.iter().flatten().zip(extents) {
            let mut moving = row.iter().enumerate().filter(|(_, c)| **c != 0);
            let (Some(extent), Some((i, c)), None) = (extent, moving.next(), moving.next()) else { continue };
            self.room[i] = self.room[i].min((extent - 1).max(0) / c.abs() + 1);
        }
    }
}

/// The constraints of a set that is one conjunction without existentials.
fn bounds(domain: &Set) -> Option<Vec<(ConstraintKind, Row)>> {
    let pieces = domain.pieces();
    let [piece] = &pieces[..] else { return None };
    if piece.n_local() > 0 {
        return None;
    }
    let n_param = piece.dim(DimKind::Param);
    let row = |constraint: crate::presburger::Constraint| {
        let cells: Vec<i64> = constraint.coefficients.iter().map(Int::as_i64).collect::<Option<_>>()?;
        let (params, iterators) = cells.split_at(n_param);
        let row =
            Row { constant: constraint.constant.as_i64()?, params: params.to_vec(), iterators: iterators.to_vec() };
        Some((constraint.kind, row))
    };
    piece.constraints().into_iter().map(row).collect()
}

impl Edge {
    /// The edge of one piece: nothing if it has no pair; fails if it is too complex.
    fn of(piece: &BasicMap, source: usize, sink: usize, role: Role) -> Option<Option<Edge>> {
        let n_param = piece.dim(DimKind::Param);
        let n = n_param + piece.dim(DimKind::In) + piece.dim(DimKind::Out);
        let mut equalities = Vec::new();
        let mut inequalities = Vec::new();
        for constraint in piece.constraints() {
            let only_params = constraint.coefficients[n_param..].iter().all(Number::is_zero);
            let large = constraint.constant.as_i64().is_none_or(|c| c.unsigned_abs() >= TYPE_BOUND.unsigned_abs());
            let row: Vec<Int> = [constraint.constant].into_iter().chain(constraint.coefficients).collect();
            match constraint.kind {
                ConstraintKind::Equality => equalities.push(row),
                ConstraintKind::Inequality if only_params && large => {}
                ConstraintKind::Inequality => inequalities.push(row),
            }
        }
        let locals = piece.locals();
        let width = 1 + n + locals.len();
        for (l, div) in locals.iter().enumerate() {
            let Some(div) = div else { continue };
            let mut lower: Vec<Int> =
                [div.constant.clone()].into_iter().chain(div.coefficients.iter().cloned()).collect();
            lower.resize(width, Int::from(0));
            lower[1 + n + l] = lower[1 + n + l].sub(&div.denominator);
            let mut upper: Vec<Int> = lower.iter().map(Number::neg).collect();
            upper[0] = upper[0].add(&div.denominator).sub(&Int::from(1));
            inequalities.extend([lower, upper]);
        }
        if inequalities.len() > MOST_INEQUALITIES {
            return None;
        }
        let cone = Cone::of(width, &equalities, &inequalities);
        Edge::from_cone(cone, 1 + n, source, sink, role)
    }

    fn from_cone(cone: Cone, width: usize, source: usize, sink: usize, role: Role) -> Option<Option<Edge>> {
        if cone.is_empty() {
            return Some(None);
        }
        let (lines, rays) = cone.rows(width)?;
        Some(Some(Edge { source, sink, role, cone, lines, rays, together: RefCell::default() }))
    }

    /// The form `hyperplane(sink) - hyperplane(source)` over `[1, parameters, source, sink]`.
    pub fn difference(&self, hyperplane: &Hyperplane) -> Vec<i64> {
        let (from, to) = (&hyperplane[&self.source], &hyperplane[&self.sink]);
        let params = to.params.iter().zip(&from.params).map(|(t, f)| t - f);
        let source = from.iterators.iter().map(|x| -x);
        [to.constant - from.constant]
            .into_iter()
            .chain(params)
            .chain(source)
            .chain(to.iterators.iter().copied())
            .collect()
    }

    /// The pairs that the hyperplanes put into one iteration; nothing if there are none.
    pub fn restricted(&self, hyperplanes: &[&Hyperplane]) -> Option<Rc<Edge>> {
        let forms: Vec<Vec<i64>> = hyperplanes.iter().map(|hyperplane| self.difference(hyperplane)).collect();
        if let Some(known) = self.together.borrow().get(&forms) {
            return known.clone();
        }
        let found = self.where_zero(&forms).map(Rc::new);
        self.together.borrow_mut().insert(forms, found.clone());
        found
    }

    /// The pairs on which these forms over `[1, parameters, source, sink]` are zero; nothing if there are none.
    fn where_zero(&self, forms: &[Vec<i64>]) -> Option<Edge> {
        let mut cone = self.cone.clone();
        for form in forms {
            let mut form = form.clone();
            form.resize(cone.width(), 0);
            cone = cone.on_hyperplane(&form);
            if cone.is_empty() {
                return None;
            }
        }
        let width = self.rays.first().map_or(0, Vec::len);
        Edge::from_cone(cone, width, self.source, self.sink, self.role).unwrap_or_else(|| Some(self.clone()))
    }

    /// Whether the hyperplane puts each pair into one iteration.
    pub fn is_coincident(&self, hyperplane: &Hyperplane) -> bool {
        let form = self.difference(hyperplane);
        self.lines.iter().chain(&self.rays).all(|g| dot(&form, g) == 0)
    }

    /// Whether the hyperplane never puts a sink before its source.
    pub fn is_respected(&self, hyperplane: &Hyperplane) -> bool {
        let form = self.difference(hyperplane);
        self.lines.iter().all(|g| dot(&form, g) == 0) && self.rays.iter().all(|g| dot(&form, g) >= 0)
    }
}

pub(super) fn dot(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(x, y)| *x as i128 * *y as i128).sum()
}

impl Row {
    /// The zero function.
    pub fn zero(n_param: usize, n: usize) -> Row {
        Row { constant: 0, params: vec![0; n_param], iterators: vec![0; n] }
    }

    /// The `i`-th iterator.
    pub fn iterator(n_param: usize, n: usize, i: usize) -> Row {
        let mut row = Row::zero(n_param, n);
        row.iterators[i] = 1;
        row
    }
}

/// The rows that each statement has already, over its iterators: what a new one has to be independent of.
pub(crate) type Done = BTreeMap<usize, Vec<Vec<i64>>>;

/// The row as an affine form over the statement's space.
pub(crate) fn affine(space: &Space, row: &Row) -> Aff {
    let cells = row.params.iter().chain(&row.iterators).map(|c| Int::from(*c)).collect::<Vec<_>>();
    debug_assert_eq!(cells.len(), space.dim(DimKind::Param) + space.dim(DimKind::Out), "law: a row is over its space");
    Aff::from_parts(space, &[], &Int::from(row.constant), &cells, &Int::from(1))
}
