//! The structured program behind a model: sequences, loops, assignments, and conditions on data as `if` statements.
//!
//! The model of
//!
//! ```text
//! do i = 0, n - 1
//!   P: p[i] = r < x[i]
//!   if (p[i]) then S: r = x[i]
//! ```
//!
//! is a schedule tree and, at `S`, the words `when: { S[i] -> p[i] }`. [`Program::of`] walks the tree: a band becomes loops, a
//! sequence a sequence, and a condition is put around the largest part of the tree all of whose statements run under it, as soon as
//! its value is known. Neighbours under one value become the two branches of one `if`. Conditions must nest as in a program: a
//! value is computed earlier in an iteration around its users, and who uses a value runs under all conditions that its computation
//! runs under. Anything else is a [`Refusal`].
//!
//! Points are named by the values of the enclosing loops, the *times* `t`: a leaf keeps the function from a statement's instances to
//! them.
//!
//! Implements: 004 2, 3.3

use std::rc::Rc;

use super::quast::tuples;
use super::refusal::Refusal;
use crate::presburger::{DimKind, Id, Map, MultiAff, PwMultiAff, Set};
use crate::scop::steps::nameless;
use crate::scop::tree::Node;
use crate::scop::{Access, AccessKind, Scop, StatementId};

/// Most elements that one read may be of: more than any stencil of three dimensions with all neighbours.
const MOST_ELEMENTS: usize = 32;

/// A structured program.
pub struct Program {
    /// The whole of it.
    pub body: Block,
}

/// A part of a program, inside some loops.
pub struct Block {
    /// The variables of the loops around it.
    pub loops: Vec<Id>,
    /// What it is.
    pub shape: Shape,
}

/// What a part of a program is.
pub enum Shape {
    /// Instances of a statement, one for each iteration: `{ instance -> times }`, without names.
    Run { statement: StatementId, times: Map },
    /// One part after the other.
    Sequence(Vec<Block>),
    /// Two branches.
    If { condition: Rc<Truth>, yes: Box<Block>, no: Box<Block> },
    /// One more loop.
    Loop(Box<Block>),
}

/// The value of a condition at the point where it has been computed.
pub struct Truth {
    /// Tells computations apart.
    number: usize,
    /// The statement that computes it.
    pub statement: StatementId,
    /// Its instance as a function of the times.
    pub instance: MultiAff,
    /// `{ instance -> times }`
    times: Map,
    /// The conditions under which it is computed.
    under: Vec<(StatementId, bool)>,
}

/// The instances of a statement below a node.
#[derive(Clone)]
struct Here {
    statement: StatementId,
    times: Map,
}

struct Walk<'a> {
    scop: &'a Scop,
    /// The values known at this point, those computed first first.
    known: Vec<Rc<Truth>>,
    /// The conditions around this point: places in `known`, and their sense.
    under: Vec<(usize, bool)>,
    computed: usize,
}

impl Program {
    /// The program whose model `scop` is.
    pub fn of(scop: &Scop) -> Result<Self, Refusal> {
        if let Some(endless) = scop.statements.iter().find(|s| !s.domain.is_bounded()) {
            return Err(Refusal::Unbounded(endless.name.clone()));
        }
        accesses_are_certain(scop)?;
        let none = tuples(&scop.params, 0);
        let here = scop.statements.entries().map(|(statement, s)| {
            let times = Map::from_domain_and_range(&s.domain, &Set::universe(&none));
            Here { statement, times }
        });
        let mut walk = Walk { scop, known: Vec::new(), under: Vec::new(), computed: 0 };
        let body = walk.block(scop.schedule.root(), here.collect(), &[])?;
        Ok(Self { body })
    }
}

/// Each write happens, if its statement runs; each read is of a few elements.
fn accesses_are_certain(scop: &Scop) -> Result<(), Refusal> {
    if let Some(statement) = scop.statements.iter().find(|s| s.applied.is_some()) {
        return Err(Refusal::Applied(statement.name.clone()));
    }
    for (statement, access) in scop.statements.iter().flat_map(|s| s.accesses.iter().map(move |a| (s, a))) {
        let (statement, id) = (statement.name.clone(), access.id.clone());
        match access.kind {
            AccessKind::MayWrite => return Err(Refusal::MayWrite { statement, access: id }),
            AccessKind::Read if elements(access).is_none() => {
                return Err(Refusal::SeveralElements { statement, access: id });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The reads of one element that a read consists of, and what their ports are called: the read of `a[i - 1 .. i + 1]` called `S_0` is
/// three, `S_0`, `S_0.1` and `S_0.2`. `None` if they are too many.
pub fn elements(access: &Access) -> Option<Vec<(Id, Map)>> {
    let mut left = access.relation.clone();
    let mut found = Vec::new();
    while found.is_empty() || !left.is_empty() {
        if found.len() == MOST_ELEMENTS {
            return None;
        }
        let first = if left.is_single_valued() { left.clone() } else { left.lexmin().ok()? };
        left = left.subtract(&first);
        let name =
            if found.is_empty() { access.id.clone() } else { Id::new(&format!("{}.{}", access.id, found.len())) };
        found.push((name, first));
    }
    Some(found)
}

impl Walk<'_> {
    fn name(&self, statement: StatementId) -> Id {
        self.scop.statements[statement].name.clone()
    }

    fn block(&mut self, node: &Node, here: Vec<Here>, loops: &[Id]) -> Result<Block, Refusal> {
        crate::presburger::budget::spend(1);
        if let Some((at, holds)) = self.common_condition(&here, node)? {
            self.under.push((at, holds));
            let inner = self.block(node, here, loops);
            self.under.pop();
            let (inside, empty) = (Box::new(inner?), Box::new(sequence(loops, Vec::new())));
            let (yes, no) = if holds { (inside, empty) } else { (empty, inside) };
            return Ok(Block {
                loops: loops.to_vec(),
                shape: Shape::If { condition: self.known[at].clone(), yes, no },
            });
        }
        match node {
            Node::Extension { .. } => Err(Refusal::Extension),
            Node::Domain { child, .. } | Node::Context { child, .. } | Node::Mark { child, .. } => {
                self.block(child, here, loops)
            }
            Node::Filter { filter, child } => {
                let inside = here.into_iter().map(|h| {
                    let part = filter.extract_set(&h.times.space().domain());
                    Here { statement: h.statement, times: h.times.intersect_domain(&part) }
                });
                let inside = inside.filter(|h| !h.times.is_empty()).collect();
                self.block(child, inside, loops)
            }
            Node::Band { band, child } => {
                let with_members = |h: Here| {
                    let partial = band.partial.extract_multi_pw_aff(&h.times.space().domain()).as_map();
                    Here { statement: h.statement, times: h.times.flat_range_product(&partial) }
                };
                let here: Vec<Here> = here.into_iter().map(with_members).collect();
                let n = band.partial.n();
                let mut inner = loops.to_vec();
                (0..n).for_each(|member| inner.push(self.loop_name(&here, loops.len() + member, &inner)));
                let known = self.known.len();
                let mut body = self.block(child, here, &inner)?;
                self.known.truncate(known);
                for depth in (loops.len()..inner.len()).rev() {
                    body = Block { loops: inner[..depth].to_vec(), shape: Shape::Loop(Box::new(body)) };
                }
                Ok(body)
            }
            Node::Sequence(children) | Node::Set(children) => {
                let mut parts = Vec::new();
                for child in children {
                    parts.push(self.block(child, here.clone(), loops)?);
                }
                Ok(sequence(loops, parts))
            }
            Node::Leaf => self.leaf(here, loops),
        }
    }

    /// The first value that is known and that all statements run under, if they do not yet do so.
    fn common_condition(&self, here: &[Here], node: &Node) -> Result<Option<(usize, bool)>, Refusal> {
        // Filters come first: they say which statements there are.
        if here.is_empty() || matches!(node, Node::Filter { .. }) {
            return Ok(None);
        }
        for (at, truth) in self.known.iter().enumerate() {
            if self.under.iter().any(|(known, _)| *known == at) {
                continue;
            }
            let senses: Vec<Option<bool>> = here.iter().map(|h| self.runs_under(h, truth)).collect();
            if let Some(Some(first)) = senses.first()
                && senses.iter().all(|sense| *sense == Some(*first))
            {
                for (statement, holds) in &truth.under {
                    let has =
                        |(known, sense): &(usize, bool)| self.known[*known].statement == *statement && sense == holds;
                    if !self.under.iter().any(has) {
                        return Err(Refusal::ConditionMissing {
                            statement: self.name(here[0].statement),
                            predicate: self.name(truth.statement),
                        });
                    }
                }
                return Ok(Some((at, *first)));
            }
        }
        Ok(None)
    }

    /// Whether these instances run under this value, as it was computed in the iteration around them, and in which sense.
    fn runs_under(&self, here: &Here, truth: &Truth) -> Option<bool> {
        let around = truth.times.dim(DimKind::Out);
        let inner = here.times.dim(DimKind::Out).checked_sub(around)?;
        let times = here.times.project_out(DimKind::Out, around, inner);
        let found = self.scop.conditions(here.statement);
        let mut found = found.into_iter().filter(|(statement, _, _)| *statement == truth.statement);
        let computed = times.apply_range(&truth.times.reverse());
        let is_this = |map: &Map| map.intersect_domain(&here.times.domain()).is_equal(&computed);
        found.find(|(_, _, map)| is_this(map)).map(|(_, holds, _)| holds)
    }

    fn leaf(&mut self, mut here: Vec<Here>, loops: &[Id]) -> Result<Block, Refusal> {
        here.retain(|h| !h.times.is_empty());
        // Statements that never run at one time need no order.
        let range = |h: &Here| nameless(&h.times).range();
        let meet = |at: usize| here[..at].iter().any(|other| !range(other).is_disjoint(&range(&here[at])));
        if let Some(at) = (0..here.len()).find(|at| meet(*at)) {
            return Err(Refusal::OpenOrder(self.name(here[at].statement)));
        }
        let parts: Result<Vec<Block>, Refusal> = here.into_iter().map(|h| self.run(h, loops)).collect();
        Ok(sequence(loops, parts?))
    }

    fn run(&mut self, Here { statement, times }: Here, loops: &[Id]) -> Result<Block, Refusal> {
        if !times.is_injective() {
            return Err(Refusal::OpenOrder(self.name(statement)));
        }
        let wanted = self.scop.conditions(statement);
        let known = |(statement, holds, _): &&(StatementId, bool, Map)| {
            !self.under.iter().any(|(at, sense)| self.known[*at].statement == *statement && sense == holds)
        };
        if let Some((predicate, ..)) = wanted.iter().find(known) {
            let (statement, predicate) = (self.name(statement), self.name(*predicate));
            return Err(Refusal::ConditionElsewhere { statement, predicate });
        }
        self.learn(statement, &times)?;
        Ok(Block { loops: loops.to_vec(), shape: Shape::Run { statement, times: nameless(&times) } })
    }

    /// Remembers the value that a statement computes, if conditions are about it.
    fn learn(&mut self, statement: StatementId, times: &Map) -> Result<(), Refusal> {
        let users = self.scop.statements.ids().filter(|s| self.scop.conditions(*s).iter().any(|c| c.0 == statement));
        let users: Vec<StatementId> = users.collect();
        let Some(user) = users.first() else { return Ok(()) };
        let instance = PwMultiAff::from_map(&nameless(times).reverse());
        let instance = match instance.as_ref().map(PwMultiAff::pieces) {
            Some([(_, instance)]) => instance.clone(),
            _ => {
                let (statement, predicate) = (self.name(*user), self.name(statement));
                return Err(Refusal::ConditionPieces { statement, predicate });
            }
        };
        let under = self.under.iter().map(|(at, holds)| (self.known[*at].statement, *holds)).collect();
        self.known.push(Rc::new(Truth { number: self.computed, statement, instance, times: times.clone(), under }));
        self.computed += 1;
        Ok(())
    }

    /// What the first statement calls the iterator that this loop counts; else `t` and the depth.
    fn loop_name(&self, here: &[Here], depth: usize, taken: &[Id]) -> Id {
        let iterator = here.first().and_then(|h| {
            let time = h.times.project_out(DimKind::Out, depth + 1, h.times.dim(DimKind::Out) - depth - 1);
            let time = time.project_out(DimKind::Out, 0, depth);
            let names = self.scop.statements[h.statement].domain.space().tuple(DimKind::Out)?.dim_names();
            let same =
                |d: &usize| time.is_subset(&Map::universe(time.space()).equate(DimKind::In, *d, DimKind::Out, 0));
            names[(0..names.len()).find(same)?].clone()
        });
        let free = |name: &Id| !taken.contains(name) && !self.scop.params.contains(name);
        iterator.filter(free).unwrap_or_else(|| fresh(&format!("t{depth}"), free))
    }
}

/// `wish`, or with as many primes as make it free.
pub fn fresh(wish: &str, free: impl Fn(&Id) -> bool) -> Id {
    let mut name = Id::new(wish);
    while !free(&name) {
        name = Id::new(&format!("{name}'"));
    }
    name
}

/// The parts one after the other, those under one value made one.
fn sequence(loops: &[Id], parts: Vec<Block>) -> Block {
    let mut flat: Vec<Block> = Vec::new();
    for part in parts {
        match part.shape {
            Shape::Sequence(inner) => inner.into_iter().for_each(|block| append(&mut flat, block)),
            shape => append(&mut flat, Block { loops: part.loops, shape }),
        }
    }
    match <[Block; 1]>::try_from(flat) {
        Ok([only]) => only,
        Err(flat) => Block { loops: loops.to_vec(), shape: Shape::Sequence(flat) },
    }
}

fn append(flat: &mut Vec<Block>, next: Block) {
    let Some(last) = flat.pop() else { return flat.push(next) };
    match (last.shape, next.shape) {
        (Shape::If { condition, yes, no }, Shape::If { condition: other, yes: next_yes, no: next_no })
            if condition.number == other.number =>
        {
            let join = |first, second| Box::new(sequence(&next.loops, vec![first, second]));
            let shape = Shape::If { condition, yes: join(*yes, *next_yes), no: join(*no, *next_no) };
            flat.push(Block { loops: last.loops, shape });
        }
        (shape, next_shape) => {
            flat.push(Block { loops: last.loops, shape });
            flat.push(Block { loops: next.loops, shape: next_shape });
        }
    }
}
