//! The last step: from statements and shapes to the [`Scop`] and its [`Binding`].
//!
//! For `for (i = 0; i < n; i++) A[i] = 2 * A[i];` the model is
//!
//!     domain    [n] -> { S0[i0] : 0 <= i0 < n }
//!     read      [n] -> { S0[i0] -> A[i0] }
//!     write     [n] -> { S0[i0] -> A[i0] }
//!     schedule  a band over { S0[i0] -> [(i0)] }
//!
//! and the binding says where `n`, `A` and the store are. Arrays with different base pointers are different arrays of the model; pairs that
//! LLVM cannot tell apart, and of which one is written, become a run-time test (`Binding::disjoint`).

use super::binding::{Binding, BoundArray, BoundStatement, Leaf, Root};
use super::memory::entangled::{entangle, entangled_members, keep_updates_in_order};
use super::memory::overlap::{extent, may_be_overwritten};
use super::memory::shape::{self, RawAccess, Shape, subscript_aff};
use super::memory::types::{keep_types_apart, types_of};
use super::numbers::affine::Affine;
use super::numbers::assumptions::Assumptions;
use super::numbers::cases::{assume_executes, leaves_work};
use super::numbers::parameters::identifier;
use super::numbers::polynomial::Polynomial;
use super::places::indirect::Places;
use super::places::measure::measurement_of;
use super::places::ranges::Ranges;
use super::places::rows::{self, Rows};
use super::reductions::reduction::reductions;
use super::reductions::update;
use super::refusal::{Reason, Refusal, shown_name};
use super::region::detect::Region;
use super::region::domain::Domains;
use super::region::threads;
use super::statements::errno::errno_of;
use super::statements::pick;
use super::statements::roots::{Draft, Roots, Statement as RootStatement, Storage, named_domain};
use crate::llvm::instruction::Address;
use crate::llvm::{Analyses, Instruction, Location, LoopId, Type, TypeKind, Value};
use crate::presburger::{DimKind, Id, Map, MultiPwAff, MultiUnionPwAff, PwAff, Set, Space, UnionPwAff, UnionSet};
use crate::scop::tree::{Band, LoopKind, Node, Tree};
use crate::scop::{self, Access, AccessKind, Array, ArrayKind, ElementType, ReductionOperator, Scop};
use std::collections::BTreeMap;

/// What may be found out before the loops, at the price of time, or must be so that threads can share them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beforehand {
    /// Conditions on data, on which what the model says may rest (`Binding::inspections`).
    pub inspects: bool,
    /// Which elements of arrays are touched, where data decides that (`Binding::measurements`).
    pub measures: bool,
    /// That each iteration of a loop has a local variable of its own.
    pub separates: bool,
    /// That it does not matter which thread computes what.
    pub shares: bool,
}

/// The model of a region.
pub fn extract<'ir>(
    analyses: &Analyses<'_, 'ir>,
    region: &Region<'ir>,
    beforehand: Beforehand,
) -> Result<(Scop, Binding<'ir>), Refusal<'ir>> {
    let affine = Affine::new(analyses, region);
    let mut assumptions = Assumptions::new(beforehand.inspects);
    let domains = Domains::of(&affine, &mut assumptions)?;
    let roots = Roots::of(&affine, &domains, assumptions)?;
    let mut assumptions = roots.assumptions.clone();
    if roots.statements.is_empty() {
        return Err(Refusal::anywhere(Reason::NothingToDo));
    }
    if beforehand.shares {
        threads::check(analyses, region)?;
    }
    let names = array_names(&roots.arrays);
    let ranges = Ranges::of(&affine, &roots, &mut assumptions);
    let shapes = shapes(&affine, &mut assumptions, &roots, &names, &ranges)?;
    assume_executes(&affine, &mut assumptions, &roots);
    let is_flat = |array: usize| {
        let strides = shapes[array].as_ref().map(|s| s.shape.strides.as_slice());
        let bytes = |array: usize| region.entry.function().layout().store_size(roots.arrays[array].element);
        matches!(strides, Some([stride]) if stride.as_constant() == Some(i128::from(bytes(array))))
    };
    let places = Places::of(&affine, &roots, &mut assumptions, &is_flat);
    let rows = match assumptions.trusts_data() {
        true => Rows::of(&affine, &roots, &ranges, &is_flat, &names),
        false => Rows::default(),
    };
    let model = Model {
        affine: &affine,
        assumptions: &assumptions,
        roots: &roots,
        names: &names,
        shapes: &shapes,
        places: &places,
        ranges: &ranges,
        rows: &rows,
    };
    let mut scop = model.scop()?;
    if beforehand.separates {
        scop = model.separated(scop);
    }
    let trusted = scop.trusted_context();
    if trusted.is_empty() || !leaves_work(&affine, &roots, &trusted) {
        let assumption = assumptions.in_words().join(" and ");
        return Err(Refusal::anywhere(Reason::AlwaysViolated { assumption }));
    }
    let errno = errno_of(&affine, &roots, beforehand.shares)?;
    let overlaps = model.overlap_tests(&scop, beforehand.measures)?;
    let (measurements, unmeasured) = (overlaps.measurements, overlaps.refusal);
    let wrapping = model.wrapping(&overlaps.pairs);
    let arrays = model.bound_arrays(&scop, &overlaps.pairs, &overlaps.unknown, &wrapping);
    if let Some(at) = wrapping.iter().find(|at| arrays[**at].extent.is_none()) {
        let what = format!("the offset of an access to '{}'", arrays[*at].source_name);
        return Err(Refusal::anywhere(Reason::MayWrap { what }));
    }
    let entangled = [entangled_members(&affine, &roots), overlaps.entangled].concat();
    entangle(&mut scop, &names, &entangled);
    keep_types_apart(&mut scop, &roots, &names);
    keep_updates_in_order(&mut scop, &affine, &roots, &names);
    let is_known = |(a, b): &(usize, usize)| !overlaps.unknown.contains_key(a) && !overlaps.unknown.contains_key(b);
    let disjoint = overlaps.pairs.into_iter().filter(is_known).collect();
    let measurable = match beforehand.measures {
        true => model
            .updated_somewhere(&scop)
            .filter_map(|array| measurement_of(&affine, &roots, array, all_accesses(&roots, array)))
            .collect(),
        false => Vec::new(),
    };
    let wants_data = !beforehand.inspects && model.wants_data();
    let inspections = rows::inspections(&affine, &assumptions, &rows);
    let in_words = [assumptions.in_words(), model.named(&wrapping)].concat();
    let statements = roots.statements.into_iter().enumerate().map(|(at, statement)| BoundStatement {
        id: statement_name(at),
        picks: pick::bound(&statement),
        loops: statement.scope.loops,
        block: statement.block,
        root: statement.root,
        leaves: statement.leaves,
        location: statement.location,
    });
    let binding = Binding {
        region: region.clone(),
        parameters: affine.parameters(),
        arrays,
        statements: statements.collect(),
        quasi: affine.quasi_atoms(),
        live_out: roots.live_out,
        disjoint,
        entangled,
        measurements,
        measurable,
        unmeasured,
        assumptions: in_words,
        wrapping,
        opaque: domains.opaque.iter().map(|part| part.why.clone()).collect(),
        inspections,
        errno,
        wants_data,
    };
    if !binding.can_materialize(analyses) {
        return Err(Refusal::anywhere(Reason::UnknownPointer {
            what: "of a bound that is computed after the loops start".into(),
        }));
    }
    Ok((scop, binding))
}

pub(super) struct Model<'s, 'a, 'ir> {
    pub affine: &'s Affine<'s, 'a, 'ir>,
    pub assumptions: &'s Assumptions,
    pub roots: &'s Roots<'s, 'a, 'ir>,
    pub names: &'s [String],
    pub shapes: &'s [Option<ArrayShape>],
    pub places: &'s Places<'ir>,
    pub ranges: &'s Ranges<'ir>,
    pub rows: &'s Rows,
}

/// The shape of an array in memory, and the subscripts of its accesses by offset and scope.
pub(super) struct ArrayShape {
    shape: Shape,
    offsets: Vec<Polynomial>,
}

impl ArrayShape {
    fn subscripts(&self, offset: &Polynomial) -> Option<&[Polynomial]> {
        let at = self.offsets.iter().position(|known| known == offset)?;
        Some(&self.shape.subscripts[at])
    }
}

pub(super) fn statement_name(at: usize) -> Id {
    Id::new(&format!("S{at}"))
}

/// A name per array, as in the source where it is known, all different.
fn array_names(arrays: &[Draft<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, array) in arrays.iter().enumerate() {
        let (value, prefix) = match &array.storage {
            Storage::Memory { base, .. } => (*base, ""),
            Storage::Scalar { value, .. } => (*value, "s_"),
        };
        let wanted = value.source_name().map(|name| identifier(&name)).filter(|name| !name.is_empty());
        let mut name = wanted
            .map_or_else(|| format!("{}{at}", if prefix.is_empty() { "M" } else { "s" }), |w| format!("{prefix}{w}"));
        let is_statement = name.starts_with('S') && name[1..].chars().all(|c| c.is_ascii_digit());
        if names.contains(&name) || is_statement {
            name = format!("{name}_{at}");
        }
        names.push(name);
    }
    names
}

/// What a user knows an array by.
fn source_name(array: &Draft<'_>) -> Option<String> {
    match &array.storage {
        Storage::Memory { base, .. } => shown_name(*base),
        Storage::Scalar { value, .. } => value.source_name(),
    }
}

/// The line that computes a value in registers.
fn line_of(array: &Draft<'_>) -> Option<String> {
    let Storage::Scalar { value, .. } = array.storage else { return None };
    let at = value.as_instruction()?.place().filter(|at| at.line() > 0)?;
    Some(format!("the value of line {}", at.line()))
}

/// Strides the program's types suggest for a pointer, in bytes, from the address computations that lead to it.
fn stride_hints(mut pointer: Value<'_>) -> Vec<i128> {
    let mut hints = Vec::new();
    while let Some(address) = Address::of_value(pointer) {
        let Some(function) = pointer.as_instruction().and_then(|i| i.function()) else { break };
        let layout = function.layout();
        let mut ty = Some(address.element);
        while let Some(here) = ty.filter(|ty| ty.is_sized()) {
            hints.push(i128::from(layout.alloc_size(here)));
            ty = (here.kind() == TypeKind::Array).then(|| here.element()).flatten();
        }
        pointer = address.base;
    }
    hints
}

fn shapes<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    assumptions: &mut Assumptions,
    roots: &Roots<'_, '_, 'ir>,
    names: &[String],
    ranges: &Ranges<'ir>,
) -> Result<Vec<Option<ArrayShape>>, Refusal<'ir>> {
    let layout = affine.region.entry.function().layout();
    let mut shapes = Vec::new();
    for (number, array) in roots.arrays.iter().enumerate() {
        if matches!(array.storage, Storage::Scalar { .. }) {
            shapes.push(None);
            continue;
        }
        let shown = source_name(array).unwrap_or_else(|| names[number].clone());
        let element_bytes = layout.store_size(array.element);
        let mut hints = Vec::new();
        let mut raw: Vec<RawAccess> = Vec::new();
        let mut location = None;
        let (mut ranged, mut row_hints, mut is_ranged) = (Vec::new(), Vec::new(), true);
        for MemoryAccess { offset, scope, instruction, statement } in memory_accesses(roots, number) {
            let access = instruction.memory().expect("law: only loads and stores access memory");
            location = location.or(instruction.place());
            if layout.store_size(access.ty) != element_bytes {
                let reason = Reason::MixedElementTypes { array: shown };
                return Err(Refusal::at(instruction.place(), reason));
            }
            if let Some(offset) = offset {
                hints.extend(stride_hints(access.pointer));
                raw.push(RawAccess { offset: offset.clone(), scope: scope.clone() });
            } else if let Some(known) = ranges.get(statement, instruction) {
                row_hints.extend(stride_hints(access.pointer));
                ranged.push(RawAccess { offset: known.offset.clone(), scope: known.scope.clone() });
            } else {
                is_ranged = false;
            }
        }
        if array.is_indirect {
            let bytes = i128::from(element_bytes);
            let all = [raw.as_slice(), ranged.as_slice()].concat();
            let flat = shape::flat(&all, bytes);
            let has_rows = (array.is_written || may_be_overwritten(affine, roots, number))
                && is_ranged
                && (flat.is_none() || !ranged.iter().all(|access| shape::stays_in_rows(affine, access)));
            let hints = [hints.as_slice(), row_hints.as_slice()].concat();
            let infer = || shape::infer(affine, &all, bytes, &hints, &shown).ok();
            let with_rows = if has_rows { infer().filter(|shape| shape.form().strides.len() > 1) } else { None };
            let rows = with_rows.and_then(|shape| assumptions.accept(affine, shape).ok());
            let with_all = |shape| (shape, all.clone());
            let known = rows.or_else(|| flat.filter(|_| array.is_written || !ranged.is_empty())).map(with_all);
            let partly = || shape::flat(&raw, bytes).filter(|_| array.is_written).map(|shape| (shape, raw.clone()));
            if let Some((shape, accesses)) = known.or_else(partly) {
                let offsets = accesses.into_iter().map(|access| access.offset).collect();
                shapes.push(Some(ArrayShape { shape, offsets }));
                continue;
            }
        }
        let shape = shape::infer(affine, &raw, i128::from(element_bytes), &hints, &shown)
            .and_then(|shape| assumptions.accept(affine, shape))
            .map_err(|reason| Refusal::at(location, reason))?;
        shapes.push(Some(ArrayShape { shape, offsets: raw.into_iter().map(|access| access.offset).collect() }));
    }
    Ok(shapes)
}

impl<'ir> Model<'_, '_, 'ir> {
    fn scop(&self) -> Result<Scop, Refusal<'ir>> {
        let statements = self
            .roots
            .statements
            .iter()
            .enumerate()
            .map(|(at, statement)| {
                self.statement(at, statement).map_err(|reason| Refusal::at(statement.location, reason))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let arrays = (0..self.roots.arrays.len()).map(|at| self.array(at)).collect();
        let domain = statements.iter().fold(UnionSet::empty(&[]), |all, s| all.union(&UnionSet::from_set(&s.domain)));
        let items: Vec<(Vec<LoopId>, usize)> =
            self.roots.statements.iter().enumerate().map(|(at, s)| (s.scope.loops.clone(), at)).collect();
        let schedule = Tree::from_root(Node::Domain { domain, child: Box::new(original_order(&items, 0)) });
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

    fn array(&self, number: usize) -> Array {
        let draft = &self.roots.arrays[number];
        let layout = self.affine.region.entry.function().layout();
        let n_dimensions = match &draft.storage {
            Storage::Memory { .. } => self.shapes[number].as_ref().map_or(0, |s| s.shape.strides.len()),
            Storage::Scalar { loops, .. } => loops.len(),
        };
        Array {
            name: Id::new(&self.names[number]),
            element: element_type(draft.element),
            size_bytes: layout.store_size(draft.element),
            shape: vec![None; n_dimensions],
            kind: match draft.storage {
                Storage::Memory { .. } => ArrayKind::Memory,
                Storage::Scalar { .. } => ArrayKind::Scalar,
            },
            live_out: draft.is_live_out,
            source_name: self.source_name(number),
            own: 0,
        }
    }

    /// With a local variable for each iteration of the loops in which it lives.
    fn separated(&self, scop: Scop) -> Scop {
        let mut separated = scop;
        for (number, loops) in self.roots.own_loops().into_iter().enumerate().filter(|(_, loops)| !loops.is_empty()) {
            let name = Id::new(&self.names[number]);
            let touches = |at: usize| separated.statements[at].accesses.iter().any(|access| access.array == name);
            let mut users = self.roots.statements.iter().enumerate().filter(|(at, _)| touches(*at));
            if !users.all(|(_, statement)| statement.scope.loops.starts_with(&loops)) {
                continue;
            }
            separated = separated.with_own(&name, loops.len());
            separated.arrays.iter_mut().filter(|a| a.name == name).for_each(|array| array.live_out = false);
        }
        separated
    }

    fn source_name(&self, number: usize) -> Option<String> {
        source_name(&self.roots.arrays[number])
    }

    fn statement(&self, at: usize, statement: &RootStatement<'ir>) -> Result<scop::Statement, Reason> {
        let name = statement_name(at);
        let domain = named_domain(&statement.scope, &name.to_string());
        let reduced = reductions(statement);
        let updated = update::updates(statement);
        let in_memory = |array: usize| updated.iter().find(|u| u.array == array).map(|u| u.operator);
        let operator_of = |value: Value<'ir>| {
            let in_part = || match statement.leaves.get(&value) {
                Some(Leaf::Load { array, .. } | Leaf::Indirect { array }) => in_memory(*array),
                _ => None,
            };
            reduced.iter().find(|r| r.read == value).map(|r| r.operator).or_else(in_part)
        };
        let written_operator = |array: usize| reduced.iter().find(|r| r.array == array).map(|r| r.operator);
        let places = self.places.applied(statement, &domain, &name);
        let rows = self.rows.applied(at, &domain, &name).filter(|_| places.is_none());
        let every = places.as_ref().map(|(applied, _)| applied.clone()).or_else(|| rows.clone());
        let mut accesses: Vec<Access> = Vec::new();
        let mut add = |kind, array: usize, place: Where<'_, 'ir>, reduction, instruction: Option<Instruction<'ir>>| {
            let id = Id::new(&format!("{name}_{}", accesses.len()));
            let known = |pointer| self.places.element(places.as_ref()?, pointer, &self.names[array]);
            let (relation, applied) = match place {
                Where::At(subscripts) => (self.relation(&domain, statement, array, subscripts)?, None),
                Where::Pointer(pointer) => {
                    let by_symbol = pointer.and_then(known);
                    let in_row = || self.rows.element(at, array, rows.as_ref()?, &self.names[array]);
                    let ranged = || self.ranged(at, array, instruction?, &name, &domain);
                    match (by_symbol.or_else(in_row), &every) {
                        (Some(element), Some(applied)) => {
                            let most = ranged().unwrap_or_else(|| applied.without_values(&element));
                            (applied.without_values(&element).intersect(&most), Some(element))
                        }
                        _ => (ranged().unwrap_or_else(|| self.somewhere(&domain, array)), None),
                    }
                }
            };
            let applied = every.as_ref().map(|every| {
                applied.unwrap_or_else(|| every.to_instances().intersect_domain(&every.domain).apply_range(&relation))
            });
            let own = instruction.and_then(|i| i.place()).filter(|at| at.line() > 0);
            let location = own.or_else(|| place_of_statement(statement));
            accesses.push(Access {
                id,
                kind,
                array: Id::new(&self.names[array]),
                relation,
                applied,
                reduction,
                condition: None,
                location: location.map(place_of),
            });
            Ok::<(), Reason>(())
        };
        let mut scalars: Vec<(usize, &Vec<Polynomial>, Option<ReductionOperator>)> = Vec::new();
        for load in &statement.loads {
            let operator = operator_of(load.value());
            match statement.leaves.get(&load.value()) {
                Some(Leaf::Load { array, offset }) => {
                    let subscripts = self.memory_subscripts(*array, offset);
                    add(AccessKind::Read, *array, Where::At(subscripts), operator, Some(*load))?;
                }
                Some(Leaf::Indirect { array }) => {
                    let pointer = load.memory().expect("law: a load accesses memory").pointer;
                    add(AccessKind::Read, *array, Where::Pointer(Some(pointer)), operator, Some(*load))?;
                }
                _ => {}
            }
        }
        for (value, leaf) in &statement.leaves {
            if let Leaf::Scalar { array, subscripts } = leaf {
                scalars.push((*array, subscripts, operator_of(*value)));
            }
        }
        scalars.sort_by_key(|(array, _, operator)| (*array, *operator));
        scalars.dedup();
        for (array, subscripts, operator) in scalars {
            add(AccessKind::Read, array, Where::At(subscripts), operator, None)?;
        }
        match &statement.root {
            Root::Store { store, array, offset } => {
                let subscripts = self.memory_subscripts(*array, offset);
                let operator = written_operator(*array);
                add(AccessKind::MustWrite, *array, Where::At(subscripts), operator, Some(*store))?;
            }
            Root::Write { array, subscripts, .. } => {
                add(AccessKind::MustWrite, *array, Where::At(subscripts), written_operator(*array), None)?;
            }
            Root::Pick { outputs, .. } | Root::Together { outputs } => {
                for output in outputs {
                    let operator = written_operator(output.array);
                    add(AccessKind::MustWrite, output.array, Where::At(&output.subscripts), operator, None)?;
                }
            }
            Root::Scatter { store, array } => {
                let pointer = store.memory().expect("law: a store accesses memory").pointer;
                let is_known = self.places.knows(pointer);
                let kind = if is_known { AccessKind::MustWrite } else { AccessKind::MayWrite };
                let operator = written_operator(*array).filter(|_| is_known);
                add(kind, *array, Where::Pointer(Some(pointer)), operator, Some(*store))?;
            }
            Root::Opaque { accesses, outputs, .. } => {
                let mut known: Vec<(bool, usize, Option<&Polynomial>, Option<Value<'ir>>)> = Vec::new();
                for access in accesses {
                    let pointer = access.place().filter(|pointer| self.places.knows(*pointer));
                    let key = (access.is_store(), access.array, access.offset.as_ref(), pointer);
                    let is_alike = self.ranges.get(at, access.instruction).is_none();
                    if is_alike && known.contains(&key) {
                        continue;
                    }
                    known.extend(is_alike.then_some(key));
                    let kind = if access.is_store() { AccessKind::MayWrite } else { AccessKind::Read };
                    let subscripts = access.offset.as_ref().map(|offset| self.memory_subscripts(access.array, offset));
                    let place = subscripts.map_or(Where::Pointer(pointer), Where::At);
                    add(kind, access.array, place, in_memory(access.array), Some(access.instruction))?;
                }
                for output in outputs {
                    let operator = written_operator(output.array);
                    add(AccessKind::MustWrite, output.array, Where::At(&output.subscripts), operator, None)?;
                }
            }
        }
        let is_known = |a: &Access| a.applied.is_some() || a.relation.is_single_valued();
        let is_update = |a: &Access| a.reduction.is_none() || is_known(a);
        let all_known = accesses.iter().all(is_update);
        accesses.iter_mut().filter(|_| !all_known).for_each(|access| access.reduction = None);
        Ok(scop::Statement {
            name,
            domain,
            accesses,
            speculatable: false,
            location: place_of_statement(statement).map(place_of),
            operations: statement.operations,
            compute: None,
            applied: every,
        })
    }

    fn memory_subscripts(&self, array: usize, offset: &Polynomial) -> &[Polynomial] {
        self.shapes[array]
            .as_ref()
            .expect("law: an array in memory has a shape")
            .subscripts(offset)
            .expect("law: each access took part in finding the shape")
    }

    /// Where an access goes that data decides about. If its offset might wrap around, a test needs bounds.
    pub(super) fn ranged(
        &self,
        at: usize,
        array: usize,
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
    fn wants_data(&self) -> bool {
        self.roots.arrays.iter().any(|array| array.is_written && array.is_indirect)
    }

    /// `{ S[i] -> A[a] : i in the domain }`
    fn somewhere(&self, domain: &Set, array: usize) -> Map {
        let n = self.shapes[array].as_ref().map_or(0, |s| s.shape.strides.len());
        Map::from_domain_and_range(domain, &Set::universe(&Space::alloc_set(&[], Some(&self.names[array]), n)))
    }

    /// `{ S[i] -> A[subscripts] : i in the domain }`
    fn relation(
        &self,
        domain: &Set,
        statement: &RootStatement<'ir>,
        array: usize,
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

    pub(super) fn shown_name(&self, array: usize) -> String {
        self.source_name(array).unwrap_or_else(|| self.names[array].clone())
    }

    /// The arrays, by number, of which it matters which elements are the same, and of which only a test tells that offsets do not wrap around.
    fn wrapping(&self, tested: &[(usize, usize)]) -> Vec<usize> {
        let matters = |at: &usize| {
            let draft = &self.roots.arrays[*at];
            let is_ranged = |MemoryAccess { instruction, statement, .. }: MemoryAccess<'_, 'ir>| {
                let name = statement_name(statement);
                let domain = named_domain(&self.roots.statements[statement].scope, name.as_str());
                self.ranges.get(statement, instruction).is_some_and(|known| !known.exact)
                    && self.ranged(statement, *at, instruction, &name, &domain).is_some()
            };
            (draft.is_written || tested.iter().any(|(a, b)| a == at || b == at))
                && (draft.may_wrap || memory_accesses(self.roots, *at).into_iter().any(is_ranged))
        };
        (0..self.roots.arrays.len()).filter(matters).collect()
    }

    /// What is tested of arrays whose offsets might wrap around, in words.
    fn named(&self, wrapping: &[usize]) -> Vec<String> {
        wrapping.iter().map(|at| format!("the offsets of '{}' do not wrap around", self.shown_name(*at))).collect()
    }

    fn bound_arrays(
        &self,
        scop: &Scop,
        disjoint: &[(usize, usize)],
        unknown: &BTreeMap<usize, Vec<Instruction<'ir>>>,
        wrapping: &[usize],
    ) -> Vec<BoundArray<'ir>> {
        let layout = self.affine.region.entry.function().layout();
        let bind = |(number, draft): (usize, &Draft<'ir>)| {
            let is_tested = disjoint.iter().any(|(a, b)| *a == number || *b == number);
            let (base, strides) = match &draft.storage {
                Storage::Memory { base, .. } => {
                    let inside = self.shapes[number].as_ref().map(|s| s.shape.strides.clone()).unwrap_or_default();
                    let own = vec![Polynomial::default(); scop.arrays[number].own];
                    (Some(*base), [own, inside].concat())
                }
                Storage::Scalar { .. } => (None, Vec::new()),
            };
            let is_buffered = matches!(&draft.storage, Storage::Scalar { loops, .. } if !loops.is_empty());
            let has_extent = is_tested || is_buffered || wrapping.contains(&number);
            let is_partly_known = unknown.contains_key(&number) || draft.is_indirect && wrapping.contains(&number);
            BoundArray {
                id: Id::new(&self.names[number]),
                base,
                element: draft.element,
                types: types_of(self.roots, number),
                element_bytes: layout.store_size(draft.element),
                strides,
                extent: has_extent.then(|| extent(scop, &self.names[number], is_partly_known)).flatten(),
                is_written: draft.is_written,
                source_name: self
                    .source_name(number)
                    .or_else(|| line_of(draft))
                    .unwrap_or_else(|| self.names[number].clone()),
            }
        };
        self.roots.arrays.iter().enumerate().map(bind).collect()
    }
}

/// Which elements an access touches.
enum Where<'w, 'ir> {
    At(&'w [Polynomial]),
    /// Which data decides, the one that the pointer is the address of.
    Pointer(Option<Value<'ir>>),
}

/// A load or store, with the bytes from its base where they are a polynomial.
pub(super) struct MemoryAccess<'r, 'ir> {
    pub offset: Option<&'r Polynomial>,
    scope: &'r super::numbers::scope::Scope,
    pub instruction: Instruction<'ir>,
    /// By number.
    pub statement: usize,
}

/// Each load and store of an array.
pub(super) fn memory_accesses<'r, 'ir>(roots: &'r Roots<'_, '_, 'ir>, wanted: usize) -> Vec<MemoryAccess<'r, 'ir>> {
    let mut found = Vec::new();
    for (number, statement) in roots.statements.iter().enumerate() {
        let mut add = |array: usize, offset: Option<&'r Polynomial>, instruction: Instruction<'ir>| {
            if array == wanted {
                found.push(MemoryAccess { offset, scope: &statement.scope, instruction, statement: number });
            }
        };
        for load in &statement.loads {
            match statement.leaves.get(&load.value()) {
                Some(Leaf::Load { array, offset }) => add(*array, Some(offset), *load),
                Some(Leaf::Indirect { array }) => add(*array, None, *load),
                _ => {}
            }
        }
        match &statement.root {
            Root::Store { array, offset, store } => add(*array, Some(offset), *store),
            Root::Scatter { array, store } => add(*array, None, *store),
            Root::Opaque { accesses, .. } => {
                accesses.iter().for_each(|a| add(a.array, a.offset.as_ref(), a.instruction));
            }
            Root::Write { .. } | Root::Pick { .. } | Root::Together { .. } => {}
        }
    }
    found
}

/// The loads and stores of an array, once each.
fn all_accesses<'ir>(roots: &Roots<'_, '_, 'ir>, array: usize) -> Vec<Instruction<'ir>> {
    let mut all: Vec<Instruction<'ir>> = Vec::new();
    for access in memory_accesses(roots, array) {
        if !all.contains(&access.instruction) {
            all.push(access.instruction);
        }
    }
    all
}

/// Where a statement is, or at least its block.
fn place_of_statement<'ir>(statement: &RootStatement<'ir>) -> Option<Location<'ir>> {
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

/// The program's own order: statements in textual order, nested as the loops are. `items` gives for each statement its loops.
fn original_order(items: &[(Vec<LoopId>, usize)], depth: usize) -> Node {
    let mut groups: Vec<(Option<LoopId>, Vec<(Vec<LoopId>, usize)>)> = Vec::new();
    for item in items {
        let here = item.0.get(depth).copied();
        match groups.last_mut() {
            Some((id, group)) if here.is_some() && *id == here => group.push(item.clone()),
            _ => groups.push((here, vec![item.clone()])),
        }
    }
    let mut children: Vec<(UnionSet, Node)> = Vec::new();
    for (id, group) in groups {
        let mut filter = UnionSet::empty(&[]);
        group.iter().for_each(|item| filter.add_set(&Set::universe(&instance_space(item))));
        let node = match id {
            None => Node::Leaf,
            Some(_) => {
                Node::Band { band: loop_band(&group, depth), child: Box::new(original_order(&group, depth + 1)) }
            }
        };
        children.push((filter, node));
    }
    match children.len() {
        1 => children.pop().expect("law: one child").1,
        _ => Node::Sequence(
            children.into_iter().map(|(filter, child)| Node::Filter { filter, child: Box::new(child) }).collect(),
        ),
    }
}

fn instance_space((loops, at): &(Vec<LoopId>, usize)) -> Space {
    Space::alloc_set(&[], Some(statement_name(*at).as_str()), loops.len())
}

/// The band of one loop: each statement by its iterator of that loop.
fn loop_band(group: &[(Vec<LoopId>, usize)], depth: usize) -> Band {
    let mut member = UnionPwAff::empty(&[]);
    for item in group {
        member.add_pw_aff(&PwAff::var_on_domain(&instance_space(item), DimKind::Out, depth));
    }
    let partial = MultiUnionPwAff::from_union_pw_aff(&member);
    Band { partial, permutable: false, coincident: vec![false], options: vec![LoopKind::Default], isolate: None }
}
