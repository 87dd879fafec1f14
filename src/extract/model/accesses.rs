//! Statements of the model: their domains, and which elements their accesses touch.
//!
//! For the store of `A[i + 1][j]` that is the relation `{ S0[i, j] -> A[i + 1, j] }`, restricted to the statement's domain. Where data decides, it is
//! as much of the array as is known: the element that a symbol names, a range, or all of it.
//!
//! Implements: 002 5.3.1

use super::names::{counters, iterator_names, source_name, with_iterators};
use super::order::{Item, original_order};
use super::picks;
use super::reduction::{Reduction, reductions};
use super::shapes::ArrayShape;
use super::times::times;
use super::update::{ArrayUpdate, updates};
use super::whole::taken_together;
use crate::extract::memory::shape::subscript_aff;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::parameters::integer;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::places::indirect::{NumberId, Places};
use crate::extract::places::ranges::Ranges;
use crate::extract::places::rows::Rows;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::statements::drafts::{Drafts, Statement as Draft, Storage, named_domain, statement_name};
use crate::extract::statements::root::{OpaqueAccess, Output, Root};
use crate::llvm::{Instruction, Location, LoopId, Type, TypeKind, Value};
use crate::presburger::{DimKind, Id, Map, MultiPwAff, PwAff, Set, Space, UnionSet};
use crate::scop::marks::LEFT_EARLY;
use crate::scop::tree::{Node, Tree};
use crate::scop::{
    self, Access, AccessKind, Applied, Array, ArrayId, ArrayKind, ElementType, ReductionOperator, Scop, StatementId,
    Table,
};
use std::collections::BTreeMap;

/// All that a model is made of.
pub(in crate::extract) struct Model<'s, 'a, 'ir> {
    pub affine: &'s Affine<'s, 'a, 'ir>,
    pub assumptions: Assumptions,
    pub drafts: Drafts<'s, 'a, 'ir>,
    /// Of each array, all different.
    pub names: Table<ArrayId, String>,
    /// Of each array in memory.
    pub shapes: Table<ArrayId, Option<ArrayShape>>,
    pub places: Places<'ir>,
    pub ranges: Ranges<'ir>,
    pub rows: Rows,
}

impl<'ir> Model<'_, '_, 'ir> {
    pub(super) fn scop(&self) -> Result<Scop, Refusal<'ir>> {
        let counters = counters(self.affine);
        let statements = self
            .drafts
            .statements
            .entries()
            .map(|(at, statement)| {
                self.statement(at, statement, &counters).map_err(|reason| Refusal::at(statement.location, reason))
            })
            .collect::<Result<Table<_, _>, _>>()?;
        let arrays = self.drafts.arrays.ids().map(|at| self.array(at)).collect();
        let domain = statements.iter().fold(UnionSet::empty(&[]), |all, s| all.union(&UnionSet::from_set(&s.domain)));
        let items: Vec<Item<'_>> = (self.drafts.statements.iter().zip(&statements))
            .map(|(draft, s)| Item {
                loops: draft.scope.loops.clone(),
                instances: s.domain.space().tuple(DimKind::Out).cloned().expect("law: instances have a tuple"),
                domain: &s.domain,
            })
            .collect();
        let left_early = self.affine.region.loops_left_early(self.affine.analyses).into_iter();
        let marks = self.drafts.loops_that_read_again().into_iter();
        let marks = marks.chain(left_early.map(|id| (id, LEFT_EARLY))).collect();
        let order = original_order(&items, &marks, 0);
        let schedule = Tree::from_root(Node::Domain { domain, child: Box::new(order) });
        Ok(Scop {
            name: self.affine.region.entry.function().name(),
            params: self.affine.parameters().into_iter().map(|parameter| parameter.id).collect(),
            context: self.affine.context(),
            assumed: self.assumptions.assumed(self.affine),
            arrays,
            symbols: [self.places.symbols(), self.rows.symbols()].concat(),
            statements,
            schedule,
        })
    }

    fn array(&self, number: ArrayId) -> Array {
        let draft = &self.drafts.arrays[number];
        let layout = self.affine.region.entry.function().layout();
        let constant = |extent: &Polynomial| {
            let value = extent.as_constant()?;
            Some(PwAff::constant_on_domain(&Space::params_only(&[]), &integer(value)))
        };
        let shape = match &draft.storage {
            Storage::Memory { .. } | Storage::Rows { .. } => self.shapes[number].as_ref().map_or_else(Vec::new, |s| {
                let open = s.shape.strides.len() - s.shape.extents.len();
                let rows = (open == 1).then(|| self.rows_of_object(&draft.storage, &s.shape.strides[0])).flatten();
                let first = rows.as_ref().and_then(constant);
                let unknown = std::iter::repeat_n(None, open.saturating_sub(1));
                let others = s.shape.extents.iter().map(constant);
                (open > 0).then_some(first).into_iter().chain(unknown).chain(others).collect()
            }),
            Storage::Scalar { loops, .. } => vec![None; loops.len()],
        };
        Array {
            name: Id::new(&self.names[number]),
            element: element_type(draft.element),
            size_bytes: layout.store_size(draft.element),
            shape,
            kind: match draft.storage {
                Storage::Memory { .. } | Storage::Rows { .. } => ArrayKind::Memory,
                Storage::Scalar { .. } => ArrayKind::Scalar,
            },
            live_out: draft.is_live_out,
            source_name: self.source_name(number),
            own: 0,
        }
    }

    /// How many rows so far apart an object of known size has, if the array begins where it does.
    fn rows_of_object(&self, storage: &Storage<'_>, stride: &Polynomial) -> Option<Polynomial> {
        let Storage::Memory { base, offset } = storage else { return None };
        let is_whole = offset.as_constant() == Some(0) && (base.is_own_global() || !base.is_global());
        let bytes = base.object_size(self.affine.region.entry.function().layout()).filter(|_| is_whole)?;
        let stride = stride.as_constant().filter(|stride| *stride > 0)?;
        Some(Polynomial::constant(i128::from(bytes) / stride))
    }

    /// With a local variable for each iteration of the loops in which it lives.
    pub(super) fn separated(&self, scop: Scop) -> Scop {
        let mut separated = scop;
        let own_loops = self.drafts.own_loops();
        for (number, loops) in own_loops.entries().filter(|(_, loops)| !loops.is_empty()) {
            let name = Id::new(&self.names[number]);
            let touches = |at: StatementId| separated.statements[at].accesses.iter().any(|access| access.array == name);
            let mut users = self.drafts.statements.entries().filter(|(at, _)| touches(*at));
            if !users.all(|(_, statement)| statement.scope.loops.starts_with(loops)) {
                continue;
            }
            separated = separated.with_own(&name, loops.len());
            separated.arrays.iter_mut().filter(|a| a.name == name).for_each(|array| array.live_out = false);
        }
        separated
    }

    pub(super) fn source_name(&self, number: ArrayId) -> Option<String> {
        source_name(&self.drafts.arrays[number])
    }

    fn statement(
        &self,
        at: StatementId,
        statement: &Draft<'ir>,
        counters: &BTreeMap<LoopId, Id>,
    ) -> Result<scop::Statement, Reason> {
        let mut list = AccessList::new(self, at, statement, counters);
        list.reads()?;
        list.root()?;
        let AccessList { name, domain, every, accesses, .. } = list;
        let (operations, vector_time) = times(self.affine.analyses, statement);
        Ok(scop::Statement {
            name,
            accesses: updates_of_known_elements(accesses),
            speculatable: false,
            location: place_of_statement(statement).map(place_of),
            operations,
            vector_time,
            has_loop: matches!(&statement.root, Root::Opaque { part, .. } if part.has_loop(self.affine.analyses)),
            side_by_side: statement.root.divergent().is_some(),
            branches: matches!(statement.root, Root::Opaque { .. }),
            seldom_replaces: picks::seldom_replaces(statement),
            packed: 0,
            regular: None,
            compute: None,
            applied: every,
            domain,
        })
    }

    fn memory_subscripts(&self, array: ArrayId, offset: &Polynomial) -> &[Polynomial] {
        self.shapes[array]
            .as_ref()
            .expect("law: an array in memory has a shape")
            .subscripts(offset)
            .expect("law: each access took part in finding the shape")
    }

    /// Where an access goes that data decides about. If its offset might wrap around, a test needs bounds.
    pub(in crate::extract) fn ranged(
        &self,
        at: StatementId,
        array: ArrayId,
        instruction: Instruction<'ir>,
        name: &Id,
        domain: &Set,
    ) -> Option<Map> {
        let known = self.ranges.get(at, instruction)?;
        let subscripts = self.shapes[array].as_ref()?.subscripts(&known.offset)?;
        let affs = subscripts.iter().map(|s| self.affine.aff(s, &known.scope).ok()).collect::<Option<Vec<PwAff>>>()?;
        let space = Space::alloc_map(&[], known.scope.width(), affs.len());
        let relation = MultiPwAff::new(&space, affs).as_map().intersect_domain(&self.assumptions.trusted(&known.scope));
        let relation = relation.project_out(DimKind::In, known.scope.loops.len(), known.scope.unknowns.len());
        let relation = relation.set_tuple_name(DimKind::In, Some(name.as_str()));
        let relation = relation.set_tuple_name(DimKind::Out, Some(&self.names[array])).intersect_domain(domain);
        let relation = relation.intersect_params(&self.affine.context()).coalesce();
        (known.exact || relation.range().is_bounded()).then_some(relation)
    }

    /// Whether data decides which elements of some written array are touched.
    pub(super) fn wants_data(&self) -> bool {
        self.drafts.arrays.iter().any(|array| array.is_written && array.is_indirect)
    }

    /// `{ S[i] -> A[a] : i in the domain }`
    fn somewhere(&self, domain: &Set, array: ArrayId) -> Map {
        let n = self.shapes[array].as_ref().map_or(0, |s| s.shape.strides.len());
        Map::from_domain_and_range(domain, &Set::universe(&Space::alloc_set(&[], Some(&self.names[array]), n)))
    }

    /// `{ S[i] -> A[subscripts] : i in the domain }`
    fn relation(
        &self,
        domain: &Set,
        statement: &Draft<'ir>,
        array: ArrayId,
        subscripts: &[Polynomial],
    ) -> Result<Map, Reason> {
        let name = &self.names[array];
        let domain_name = domain.space().tuple_name(DimKind::Out).expect("law: a statement's domain is named").clone();
        let values = subscripts
            .iter()
            .map(|s| subscript_aff(self.affine, s, &statement.scope, name))
            .collect::<Result<Vec<PwAff>, _>>()?;
        if values.is_empty() {
            return Ok(Map::from_domain_and_range(domain, &Set::universe(&Space::alloc_set(&[], Some(name), 0))));
        }
        let space = Space::alloc_map(&[], statement.scope.loops.len(), values.len());
        let relation = MultiPwAff::new(&space, values).as_map();
        let relation =
            relation.set_tuple_name(DimKind::In, Some(domain_name.as_str())).set_tuple_name(DimKind::Out, Some(name));
        Ok(relation.intersect_domain(domain))
    }

    pub(in crate::extract) fn shown_name(&self, array: ArrayId) -> String {
        self.source_name(array).unwrap_or_else(|| self.names[array].clone())
    }
}

/// Only a statement all of whose updates are of one known element each is a reduction.
fn updates_of_known_elements(mut accesses: Vec<Access>) -> Vec<Access> {
    let is_known = |a: &Access| a.applied.is_some() || a.relation.is_single_valued();
    let is_update = |a: &Access| a.reduction.is_none() || is_known(a);
    if !accesses.iter().all(is_update) {
        accesses.iter_mut().for_each(|access| access.reduction = None);
    }
    accesses
}

/// The accesses of one statement under construction.
struct AccessList<'l, 's, 'a, 'ir> {
    model: &'l Model<'s, 'a, 'ir>,
    statement: &'l Draft<'ir>,
    /// The statement's number.
    at: StatementId,
    name: Id,
    domain: Set,
    /// Accumulators that it updates.
    reduced: Vec<Reduction<'ir>>,
    /// Arrays in memory that it does nothing to but update them.
    updated: Vec<ArrayUpdate>,
    /// What its instances apply: symbols for places, or rows, if any.
    places: Option<(Applied, Vec<NumberId>)>,
    rows: Option<Applied>,
    every: Option<Applied>,
    accesses: Vec<Access>,
}

impl<'l, 's, 'a, 'ir> AccessList<'l, 's, 'a, 'ir> {
    fn new(
        model: &'l Model<'s, 'a, 'ir>,
        at: StatementId,
        statement: &'l Draft<'ir>,
        counters: &BTreeMap<LoopId, Id>,
    ) -> Self {
        let name = statement_name(at);
        let iterators = iterator_names(counters, &statement.scope.loops, statement.scope.width());
        let domain = with_iterators(&named_domain(&statement.scope, &name.to_string()), &iterators);
        let (reduced, updated) = (reductions(statement), updates(statement));
        let places = model.places.applied(statement, &domain, &name);
        let rows = model.rows.applied(at, &domain, &name).filter(|_| places.is_none());
        let every = places.as_ref().map(|(applied, _)| applied.clone()).or_else(|| rows.clone());
        AccessList { model, statement, at, name, domain, reduced, updated, places, rows, every, accesses: Vec::new() }
    }

    /// The operator by which memory is updated.
    fn in_memory(&self, array: ArrayId) -> Option<ReductionOperator> {
        self.updated.iter().find(|u| u.array == array).map(|u| u.operator)
    }

    /// The operator by which what is read is updated.
    fn operator_of(&self, value: Value<'ir>) -> Option<ReductionOperator> {
        let in_part = || match self.statement.leaves.get(&value) {
            Some(Leaf::Load { array, .. } | Leaf::Indirect { array }) => self.in_memory(*array),
            _ => None,
        };
        self.reduced.iter().find(|r| r.read == value).map(|r| r.operator).or_else(in_part)
    }

    /// The operator by which what is written was updated.
    fn written_operator(&self, array: ArrayId) -> Option<ReductionOperator> {
        self.reduced.iter().find(|r| r.array == array).map(|r| r.operator)
    }

    fn add(
        &mut self,
        kind: AccessKind,
        array: ArrayId,
        place: Where<'_, 'ir>,
        reduction: Option<ReductionOperator>,
        instruction: Option<Instruction<'ir>>,
    ) -> Result<(), Reason> {
        let kind = match kind {
            AccessKind::MustWrite if !self.statement.guards.is_empty() => AccessKind::MayWrite,
            kind => kind,
        };
        let (relation, applied) = match place {
            Where::At(subscripts) => (self.model.relation(&self.domain, self.statement, array, subscripts)?, None),
            Where::Pointer(pointer) => self.somewhere(array, pointer, instruction),
        };
        let applied = self.every.as_ref().map(|every| {
            applied.unwrap_or_else(|| every.to_instances().intersect_domain(&every.domain).apply_range(&relation))
        });
        let instances = self.domain.space().tuple(DimKind::Out).expect("law: instances have a tuple");
        let relation = relation.reset_space(&relation.space().with_tuple(DimKind::In, instances));
        let own = instruction.and_then(|i| i.place()).filter(|at| at.line() > 0);
        let location = own.or_else(|| place_of_statement(self.statement));
        self.accesses.push(Access {
            id: Id::new(&format!("{}_{}", self.name, self.accesses.len())),
            kind,
            array: Id::new(&self.model.names[array]),
            relation,
            applied,
            reduction,
            condition: None,
            location: location.map(place_of),
        });
        Ok(())
    }

    /// Where data decides, as far as it is known; and the element as far as symbols go.
    fn somewhere(
        &self,
        array: ArrayId,
        pointer: Option<Value<'ir>>,
        instruction: Option<Instruction<'ir>>,
    ) -> (Map, Option<Map>) {
        let (model, name) = (self.model, &self.model.names[array]);
        let by_symbol = pointer.and_then(|pointer| model.places.element(self.places.as_ref()?, pointer, name));
        let in_row = || model.rows.element(self.at, array, self.rows.as_ref()?, name);
        let ranged = || model.ranged(self.at, array, instruction?, &self.name, &self.domain);
        match (by_symbol.or_else(in_row), &self.every) {
            (Some(element), Some(applied)) => {
                let most = ranged().unwrap_or_else(|| applied.without_values(&element));
                (applied.without_values(&element).intersect(&most), Some(element))
            }
            _ => (ranged().unwrap_or_else(|| model.somewhere(&self.domain, array)), None),
        }
    }

    /// The loads of the operand tree, then what is read from scalars.
    fn reads(&mut self) -> Result<(), Reason> {
        let (model, statement) = (self.model, self.statement);
        for load in &statement.loads {
            let operator = self.operator_of(load.value());
            match statement.leaves.get(&load.value()) {
                Some(Leaf::Load { array, offset }) => {
                    let subscripts = model.memory_subscripts(*array, offset);
                    self.add(AccessKind::Read, *array, Where::At(subscripts), operator, Some(*load))?;
                }
                Some(Leaf::Indirect { array }) => {
                    let pointer = load.memory().expect("law: a load accesses memory").pointer;
                    self.add(AccessKind::Read, *array, Where::Pointer(Some(pointer)), operator, Some(*load))?;
                }
                _ => {}
            }
        }
        let mut scalars: Vec<(ArrayId, &Vec<Polynomial>, Option<ReductionOperator>)> = Vec::new();
        for (value, leaf) in &statement.leaves {
            if let Leaf::Scalar { array, subscripts } = leaf {
                scalars.push((*array, subscripts, self.operator_of(*value)));
            }
        }
        scalars.sort_by_key(|(array, _, operator)| (*array, *operator));
        scalars.dedup();
        for (array, subscripts, operator) in scalars {
            self.add(AccessKind::Read, array, Where::At(subscripts), operator, None)?;
        }
        Ok(())
    }

    /// What the root accesses.
    fn root(&mut self) -> Result<(), Reason> {
        let (model, statement) = (self.model, self.statement);
        match &statement.root {
            Root::Store { store, array, offset } => {
                let subscripts = model.memory_subscripts(*array, offset);
                let operator = self.written_operator(*array);
                self.add(AccessKind::MustWrite, *array, Where::At(subscripts), operator, Some(*store))
            }
            Root::Write { array, subscripts, .. } => {
                let operator = self.written_operator(*array);
                self.add(AccessKind::MustWrite, *array, Where::At(subscripts), operator, None)
            }
            Root::Pick { outputs, .. } | Root::Together { outputs } => self.outputs(outputs),
            Root::Scatter { store, array } => {
                let pointer = store.memory().expect("law: a store accesses memory").pointer;
                let is_known = model.places.knows(pointer);
                let kind = if is_known { AccessKind::MustWrite } else { AccessKind::MayWrite };
                let operator = self.written_operator(*array).filter(|_| is_known);
                self.add(kind, *array, Where::Pointer(Some(pointer)), operator, Some(*store))
            }
            Root::Opaque { part, accesses, outputs } => {
                let from = self.accesses.len();
                self.of_part(accesses)?;
                if part.is_straight() {
                    let apart = self.accesses.split_off(from);
                    self.accesses.extend(taken_together(apart, &self.name, from));
                }
                self.outputs(outputs)
            }
        }
    }

    /// The accesses of a part that data decides about, those alike once.
    fn of_part(&mut self, accesses: &[OpaqueAccess<'ir>]) -> Result<(), Reason> {
        let model = self.model;
        let mut known: Vec<(AccessKind, ArrayId, Option<&Polynomial>, Option<Value<'ir>>)> = Vec::new();
        for access in accesses {
            let pointer = access.place().filter(|pointer| model.places.knows(*pointer));
            let key = (access.kind, access.array, access.offset.as_ref(), pointer);
            let is_alike = model.ranges.get(self.at, access.instruction).is_none();
            if is_alike && known.contains(&key) {
                continue;
            }
            known.extend(is_alike.then_some(key));
            let subscripts = access.offset.as_ref().map(|offset| model.memory_subscripts(access.array, offset));
            let place = subscripts.map_or(Where::Pointer(pointer), Where::At);
            self.add(access.kind, access.array, place, self.in_memory(access.array), Some(access.instruction))?;
        }
        Ok(())
    }

    fn outputs(&mut self, outputs: &[Output<'ir>]) -> Result<(), Reason> {
        for output in outputs {
            let operator = self.written_operator(output.array);
            self.add(AccessKind::MustWrite, output.array, Where::At(&output.subscripts), operator, None)?;
        }
        Ok(())
    }
}

/// Which elements an access touches.
enum Where<'w, 'ir> {
    At(&'w [Polynomial]),
    /// Which data decides, the one that the pointer is the address of.
    Pointer(Option<Value<'ir>>),
}

/// Where a statement is, or at least its block.
fn place_of_statement<'ir>(statement: &Draft<'ir>) -> Option<Location<'ir>> {
    let in_block = || statement.block.instructions().into_iter().rev().filter_map(|i| i.place());
    statement.location.filter(|at| at.line() > 0).or_else(|| in_block().find(|at| at.line() > 0))
}

fn place_of(at: Location<'_>) -> scop::Location {
    scop::Location { file: at.file(), line: at.line(), column: at.column() }
}

fn element_type(ty: Type<'_>) -> ElementType {
    match ty.kind() {
        TypeKind::Half | TypeKind::BFloat => ElementType::Float(16),
        TypeKind::Float => ElementType::Float(32),
        TypeKind::Double => ElementType::Float(64),
        TypeKind::WideFloat => ElementType::Float(128),
        TypeKind::Integer => ElementType::Int(ty.integer_width().unwrap_or(0)),
        TypeKind::Pointer => ElementType::Pointer,
        _ => ElementType::Opaque(0),
    }
}
