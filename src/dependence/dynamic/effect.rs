//! Effects, states, and with them the sources of all reads.
//!
//! The *effect* of a part of a program on an array says, for the times `t` around the part and an element `q`, which write of the part
//! is the last one of `q`; the *state* before a point says it of everything that ran before. Effects go up the program:
//!
//! ```text
//! E[A(e) = ..]       = q = e -> S{t}                       E[X1; X2] = Seq(E[X1], E[X2])
//! E[do v: X]         = Fold(v, E[X])                       E[if p: X1 else X2] = blend(p, E[X1], E[X2])
//! ```
//!
//! and states go down: the state before the second part of a sequence is `Seq(state, E[first])`, the one in a loop is
//! `Seq(state, Fold(v' < v, E[body]))`, the one in a branch is the one before the `if`. What is read is the state at its element, for
//! which alone it is built: see [`super::state`].
//!
//! A condition `p` on data cannot stay in an effect, as `Fold` could not handle it. Each cell where the branches write
//! `(p -> A1 : A2)` becomes an instance of a new node, a *blender*, which writes `q` in any case: if a branch does not write it,
//! the blender passes on the value from the state before the `if`. So for `if (r < x[i]) r = x[i]` every iteration writes `r`, by
//! `B{i} = (P{i} -> S{i} : B{i - 1})`. (Klimov, sections 3 and 4.)
//!
//! Implements: 004 3.1, 3.3, 4.2

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Guard, Kind, Node, Port, Source};
use super::program::{Block, Program, Shape, elements, fresh};
use super::quast::{Atomic, Quast, Term, coordinates, determined, selection, tuples};
use super::refusal::Refusal;
use super::state::{Blend, Effected, Layer, Question, state};
use crate::presburger::budget::spend;
use crate::presburger::{Aff, DimKind, Id, Map, PwMultiAff, Set, Space};
use crate::scop::steps::nameless;
use crate::scop::{Access, AccessKind, ArrayId, Scop, StatementId, Table, TableId};

/// For each array (its place in the model) what a part writes, over `[t, q]`.
pub type Effects = BTreeMap<ArrayId, Quast>;

/// The graph of a program under construction.
pub struct Builder<'a> {
    scop: &'a Scop,
    graph: Graph,
    /// For each array whether somebody reads it, in the program or after it: what only conditions read they ask its writer for.
    matters: Table<ArrayId, bool>,
}

/// The effect of the whole program on each array that it writes, and its S-graph.
pub fn build(scop: &Scop, program: &Program) -> Result<(Effects, Graph), Refusal> {
    let mut builder = Builder::of(scop)?;
    let effected = builder.effected(&program.body, &mut Vec::new());
    let inputs = builder.first_input();
    builder.connect(&effected, &mut vec![Layer::Initial { inputs }]);
    let mut effects: Effects =
        effected.arrays.iter().map(|array| (*array, builder.effect(&effected, *array))).collect();
    builder.connect_outputs(&effects);
    builder.declare_inputs();
    let places = builder.graph.retain(|node| !node.domain.is_empty());
    effects.values_mut().for_each(|effect| effect.each_term(&mut |term| term.node = places[term.node]));
    Ok((effects, builder.graph))
}

/// A part of a program with what is known there of the last writes of elements, over the times `t` of the loops around and the element `q`.
pub struct Position<'p> {
    /// How many parts are around it.
    pub depth: usize,
    pub block: &'p Block,
    /// What it writes.
    pub effects: Effects,
    /// What has been written before, of all arrays that matter.
    pub states: Effects,
}

/// All parts of a program, in their order, and the nodes that their effects and states name.
pub fn positions<'p>(scop: &Scop, program: &'p Program) -> Result<(Vec<Position<'p>>, Graph), Refusal> {
    let mut builder = Builder::of(scop)?;
    let effected = builder.effected(&program.body, &mut Vec::new());
    let mut found = Vec::new();
    let inputs = builder.first_input();
    builder.visit(&effected, 0, &mut vec![Layer::Initial { inputs }], &mut found);
    Ok((found, builder.graph))
}

impl<'a> Builder<'a> {
    /// With a node for each statement and each array.
    fn of(scop: &'a Scop) -> Result<Builder<'a>, Refusal> {
        let reads = |access: &&Access| access.kind == AccessKind::Read && access.condition.is_none();
        let read: BTreeSet<&Id> =
            scop.statements.iter().flat_map(|s| &s.accesses).filter(reads).map(|access| &access.array).collect();
        let matters = scop.arrays.iter().map(|array| array.live_out || read.contains(&array.name)).collect();
        let mut builder = Builder { scop, graph: Graph::default(), matters };
        builder.add_statements()?;
        builder.add_arrays();
        Ok(builder)
    }

    /// The positions of a part and those inside of it, the `layers` before it being known.
    fn visit<'b, 'p>(
        &self,
        part: &'b Effected<'p>,
        depth: usize,
        layers: &mut Vec<Layer<'b>>,
        found: &mut Vec<Position<'p>>,
    ) where
        'p: 'b,
    {
        spend(1);
        let n_times = part.block.loops.len();
        let before = |array: ArrayId| {
            let space = tuples(&self.scop.params, n_times + self.scop.arrays[array].shape.len());
            state(layers, array, &Question::all(&space, n_times), &Set::universe(&space))
        };
        let arrays = self.scop.arrays.ids().filter(|array| self.matters[*array]);
        found.push(Position {
            depth,
            block: part.block,
            effects: part.arrays.iter().map(|array| (*array, self.effect(part, *array))).collect(),
            states: arrays.map(|array| (array, before(array))).collect(),
        });
        let outside = layers.len();
        if matches!(part.block.shape, Shape::Loop(_)) {
            layers.push(Layer::Earlier(part));
        }
        for inner in &part.parts {
            self.visit(inner, depth + 1, layers, found);
            if matches!(part.block.shape, Shape::Sequence(_)) {
                layers.push(Layer::Part(inner));
            }
        }
        layers.truncate(outside);
    }
}

impl Builder<'_> {
    fn first_input(&self) -> usize {
        self.scop.statements.len()
    }

    fn input(&self, array: ArrayId) -> usize {
        self.first_input() + array.position()
    }

    fn output(&self, array: ArrayId) -> usize {
        self.scop.statements.len() + self.scop.arrays.len() + array.position()
    }

    fn array(&self, name: &Id) -> ArrayId {
        self.scop.arrays.id_where(|a| a.name == *name).expect("law: accesses are to declared arrays")
    }

    fn fresh_name(&self, wish: &str) -> Id {
        fresh(wish, |name| !self.graph.nodes.iter().any(|node| node.name == *name))
    }

    /// One node for each statement, with ports that are not yet connected.
    fn add_statements(&mut self) -> Result<(), Refusal> {
        for (s, statement) in self.scop.statements.entries() {
            let n = statement.domain.dim(DimKind::Out);
            let space = tuples(&self.scop.params, n);
            let names = statement.domain.space().tuple(DimKind::Out).map(|t| t.dim_names()).unwrap_or_default();
            let mut context: Vec<Id> = Vec::new();
            for (d, name) in names.into_iter().enumerate() {
                let free = |id: &Id| !context.contains(id) && !self.scop.params.contains(id);
                let name = name.filter(free).unwrap_or_else(|| fresh(&format!("i{d}"), free));
                context.push(name);
            }
            let port = |name: Id| Port { name, source: Source::Value(Quast::empty(&space)) };
            let ports = self.reads(s).into_iter().map(|(_, name, _)| port(name)).collect();
            self.graph.nodes.push(Node {
                name: statement.name.clone(),
                kind: Kind::Compute(s),
                domain: statement.domain.reset_space(&space),
                guards: self.guards_of(s)?,
                ports,
                context,
            });
        }
        Ok(())
    }

    /// The array, the port and the relation of each read of a statement.
    fn reads(&self, statement: StatementId) -> Vec<(ArrayId, Id, Map)> {
        let reads = self.scop.statements[statement].accesses.iter().filter(|a| a.kind == AccessKind::Read);
        let reads = reads.filter(|a| a.condition.is_none());
        let single = |access: &Access| {
            let array = self.array(&access.array);
            let parts = elements(access).expect("law: a program reads few elements at once");
            parts.into_iter().map(move |(name, relation)| (array, name, relation)).collect::<Vec<_>>()
        };
        reads.flat_map(single).collect()
    }

    fn guards_of(&self, statement: StatementId) -> Result<Vec<Guard>, Refusal> {
        let name = |s: StatementId| self.scop.statements[s].name.clone();
        let guard = |(node, holds, map): (StatementId, bool, Map)| {
            let domain = map.domain();
            let args = PwMultiAff::from_map(&nameless(&map.gist_domain(&domain)).intersect_domain(
                &self.scop.statements[statement].domain.reset_space(&nameless(&map).space().domain()),
            ));
            match args.as_ref().map(PwMultiAff::pieces) {
                Some([(_, args)]) => {
                    Ok(Guard { term: Term { node: Graph::node_of(node), args: args.affs().to_vec() }, holds })
                }
                _ => Err(Refusal::ConditionPieces { statement: name(statement), predicate: name(node) }),
            }
        };
        let mut found = self.scop.conditions(statement);
        // What a predicate is computed under is outside of it, and has fewer conditions.
        found.sort_by_key(|(node, ..)| (self.scop.conditions(*node).len(), *node));
        found.into_iter().map(guard).collect()
    }

    /// An input and an output for each array.
    fn add_arrays(&mut self) {
        for (suffix, input) in [("in", true), ("out", false)] {
            for (a, array) in self.scop.arrays.entries() {
                let space = tuples(&self.scop.params, array.shape.len());
                let name = self.fresh_name(&format!("{}_{suffix}", array.name));
                self.graph.nodes.push(Node {
                    name,
                    kind: if input { Kind::Input(a) } else { Kind::Output(a) },
                    context: self.element_names(array.shape.len(), &[]),
                    domain: Set::empty(&space),
                    guards: Vec::new(),
                    ports: Vec::new(),
                });
            }
        }
    }

    fn element_names(&self, n: usize, taken: &[Id]) -> Vec<Id> {
        let free = |name: &Id| !taken.contains(name) && !self.scop.params.contains(name);
        (0..n).map(|d| fresh(&format!("q{d}"), free)).collect()
    }

    fn effected<'b>(&mut self, block: &'b Block, under: &mut Vec<Guard>) -> Effected<'b> {
        spend(1);
        let mut found =
            Effected { block, arrays: BTreeSet::new(), writes: BTreeMap::new(), parts: Vec::new(), blends: Vec::new() };
        match &block.shape {
            Shape::Run { statement, times } => found.writes = self.assignment(*statement, times),
            Shape::Sequence(parts) => {
                found.parts = parts.iter().map(|part| self.effected(part, under)).collect();
            }
            Shape::Loop(body) => {
                let mut inner: Vec<Guard> = under.iter().map(|guard| guard.deeper()).collect();
                found.parts.push(self.effected(body, &mut inner));
            }
            Shape::If { condition, yes, no } => {
                let space = tuples(&self.scop.params, block.loops.len());
                let around = condition.instance.domain_space().dim(DimKind::Out);
                let instance = condition.instance.reset_space(&Space::from_domain_and_range(
                    &tuples(&self.scop.params, around),
                    &tuples(&self.scop.params, condition.instance.n()),
                ));
                let args = instance.pullback(&selection(&space, 0..around)).affs().to_vec();
                let truth = Guard { term: Term { node: Graph::node_of(condition.statement), args }, holds: true };
                for (branch, holds) in [(yes, true), (no, false)] {
                    under.push(Guard { term: truth.term.clone(), holds });
                    found.parts.push(self.effected(branch, under));
                    under.pop();
                }
                self.blend(&mut found, &truth.term, under);
            }
        }
        found.arrays =
            found.parts.iter().flat_map(|part| part.arrays.iter()).chain(found.writes.keys()).copied().collect();
        found
    }

    /// What a part writes to an array, over `[t, q]`.
    fn effect(&self, part: &Effected<'_>, array: ArrayId) -> Quast {
        let depth = part.block.loops.len();
        let space = tuples(&self.scop.params, depth + self.scop.arrays[array].shape.len());
        let all = Set::universe(&space);
        part.answer(array, &Question::all(&space, depth), &all, &all).found
    }

    fn assignment(&self, statement: StatementId, times: &Map) -> Effects {
        let depth = times.dim(DimKind::Out);
        let mut effects = Effects::new();
        let instances = PwMultiAff::from_map(&times.reverse()).expect("law: times tell instances apart");
        for access in self.scop.statements[statement].accesses.iter().filter(|a| a.kind.writes()) {
            let array = self.array(&access.array);
            if !self.matters[array] {
                continue;
            }
            let touched = times.flat_range_product(&nameless(&access.relation)).range();
            let space = tuples(&self.scop.params, touched.dim(DimKind::Out));
            let touched = touched.reset_space(&space);
            let times_of = selection(&space, 0..depth);
            let cells = instances.pieces().iter().map(|(set, instance)| {
                let term = Term { node: Graph::node_of(statement), args: instance.affs().to_vec() }.pullback(&times_of);
                (touched.intersect(&set.preimage(&times_of)), term)
            });
            let effect = Quast::from_cells(&space, cells);
            let whole = effects.get(&array).map_or_else(|| effect.clone(), |first| first.seq(&effect));
            effects.insert(array, whole);
        }
        effects
    }

    /// Gives an `if` the blenders of its cells, and effects by them.
    fn blend(&mut self, found: &mut Effected<'_>, truth: &Term, under: &[Guard]) {
        let depth = found.block.loops.len();
        let [yes, no] = &found.parts[..] else { unreachable!("law: an `if` has two branches") };
        let arrays: Vec<ArrayId> = yes.arrays.union(&no.arrays).copied().collect();
        let effects: Vec<[Quast; 2]> = arrays.iter().map(|a| [self.effect(yes, *a), self.effect(no, *a)]).collect();
        for (array, [yes, no]) in arrays.into_iter().zip(effects) {
            let mut cells = Vec::new();
            for atomic in yes.atomic(&no) {
                let (cell, term, blend) = self.blender(array, depth, atomic, found, truth, under);
                cells.push((cell, term));
                found.blends.push(blend);
            }
            found.writes.insert(array, Quast::from_cells(yes.space(), cells));
        }
    }

    fn blender(
        &mut self,
        array: ArrayId,
        depth: usize,
        atomic: Atomic,
        found: &Effected<'_>,
        truth: &Term,
        under: &[Guard],
    ) -> (Set, Term, Blend) {
        let Atomic { cell, yes, no } = atomic;
        let (kept, whole) = coordinates(&cell, depth, determined);
        let mut context = found.block.loops.clone();
        context.extend(self.element_names(kept.len() - depth, &context));
        let space = whole.domain_space();
        let times_of = selection(&space, 0..depth);
        let node = self.graph.nodes.len();
        let predicate = Term { node: truth.node, args: truth.args.clone() }.pullback(&times_of);
        let empty = Quast::empty(&space);
        self.graph.nodes.push(Node {
            name: self.fresh_name(&format!("B{}", self.graph.blenders() + 1)),
            kind: Kind::Blend(array),
            context,
            domain: cell.preimage(&whole),
            guards: under
                .iter()
                .map(|guard| Guard { term: guard.term.pullback(&times_of), holds: guard.holds })
                .collect(),
            ports: vec![Port {
                name: self.scop.arrays[array].name.clone(),
                source: Source::Blend { predicate, yes: empty.clone(), no: empty },
            }],
        });
        let args = selection(cell.space(), kept).affs().to_vec();
        (cell, Term { node, args }, Blend { node, array, whole, yes, no })
    }

    /// Connects the reads and the blenders of a part to what the `layers` before it say.
    fn connect<'b>(&mut self, part: &'b Effected<'b>, layers: &mut Vec<Layer<'b>>) {
        spend(1);
        let outside = layers.len();
        match &part.block.shape {
            Shape::Run { statement, times } => self.connect_reads(*statement, times, layers),
            Shape::Sequence(_) => {
                for inner in &part.parts {
                    self.connect(inner, layers);
                    layers.push(Layer::Part(inner));
                }
            }
            Shape::Loop(_) => {
                layers.push(Layer::Earlier(part));
                self.connect(&part.parts[0], layers);
            }
            Shape::If { .. } => {
                part.parts.iter().for_each(|branch| self.connect(branch, layers));
                part.blends.iter().for_each(|blend| self.connect_blender(blend, part.block.loops.len(), layers));
            }
        }
        layers.truncate(outside);
    }

    fn connect_reads(&mut self, statement: StatementId, times: &Map, layers: &[Layer<'_>]) {
        let (node, depth) = (Graph::node_of(statement), times.dim(DimKind::Out));
        for (port, (array, _, relation)) in self.reads(statement).into_iter().enumerate() {
            let element = times.flat_range_product(&nameless(&relation));
            let element = PwMultiAff::from_map(&element).expect("law: a read is of one element");
            let space = self.graph.nodes[node].domain.space().clone();
            let sources = element.pieces().iter().map(|(set, at)| {
                let at = at.reset_space(&Space::from_domain_and_range(&space, &tuples(&self.scop.params, at.n())));
                state(layers, array, &Question::of(&at, depth), &set.reset_space(&space))
            });
            let cells: Vec<(Set, Term)> = sources.flat_map(|source| source.cells().to_vec()).collect();
            self.graph.nodes[node].ports[port].source = Source::Value(Quast::from_cells(&space, cells));
        }
    }

    fn connect_blender(&mut self, blend: &Blend, depth: usize, layers: &[Layer<'_>]) {
        let domain = self.graph.nodes[blend.node].domain.clone();
        let resolved = |term: &Option<Term>| match term {
            Some(term) => Quast::from_cells(domain.space(), [(domain.clone(), term.pullback(&blend.whole))]),
            None => state(layers, blend.array, &Question::of(&blend.whole, depth), &domain),
        };
        let (on_yes, on_no) = (resolved(&blend.yes), resolved(&blend.no));
        if let Source::Blend { yes, no, .. } = &mut self.graph.nodes[blend.node].ports[0].source {
            (*yes, *no) = (on_yes, on_no);
        }
    }

    /// The last value of each element that is written, of arrays that are read later.
    fn connect_outputs(&mut self, effects: &Effects) {
        for (array, effect) in effects {
            let declared = &self.scop.arrays[*array];
            if !declared.live_out {
                continue;
            }
            let output = self.output(*array);
            let source = Source::Value(effect.clone());
            self.graph.nodes[output].ports = vec![Port { name: declared.name.clone(), source }];
            self.graph.nodes[output].domain = effect.domain();
        }
    }

    /// The elements that are read from before the program.
    fn declare_inputs(&mut self) {
        for array in self.scop.arrays.ids() {
            let input = self.input(array);
            let mut read = Set::empty(self.graph.nodes[input].domain.space());
            for (set, term) in self.graph.all_cells().filter(|(_, term)| term.node == input) {
                read = read.union(&term.relation(set).range());
            }
            self.graph.nodes[input].domain = read.coalesce();
        }
    }
}

impl Guard {
    /// The same inside one more loop.
    fn deeper(&self) -> Guard {
        let space = self.term.args.first().map(Aff::domain_space);
        let Some(space) = space else { return self.clone() };
        let n = space.dim(DimKind::Out);
        let projection = selection(&tuples(space.params(), n + 1), 0..n);
        Guard { term: self.term.pullback(&projection), holds: self.holds }
    }
}
