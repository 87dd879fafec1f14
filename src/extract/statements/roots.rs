//! From blocks to statements.
//!
//! A basic block is too large a unit: `A[i] = x; B[i] = y;` are two statements that a schedule may separate. So every *root*, a store or
//! a value that leaves its instance, becomes a statement together with the operand tree below it. For
//!
//!     double s = 0;  for (k) s += A[i][k] * x[k];  y[i] = s;
//!
//! the value that goes round the loop is a scalar array `s[i]` (its flow is exact: it has one element per execution of the loop), and the
//! statements are `s[i] = 0`, `s[i] = s[i] + A[i][k] * x[k]` and `y[i] = s[i]`. Four kinds of values get such an array:
//!
//! - *carried*: a phi of a loop header, one element per execution of the loop, written before the loop and at its latch;
//! - *merged*: another phi, one element per execution of its block, written at the end of each predecessor;
//! - *kept*: a value whose operands cannot be read again where it is used (a load from memory written in between), that is
//!   used deeper in the nest, or that is too expensive to compute twice: written where it is defined;
//! - *live out*: what code behind the region reads.
//!
//! Everything else is computed again in each statement that uses it. A call that may set `errno`, as `sqrt` does for negative numbers, is
//! computed where it stands, in the very iterations in which it stood: in a statement that has these, or kept by one of its own.

use super::moves::{AFTER_TURNS, LEAVING};
use super::pick::Pick;
use crate::extract::binding::{Leaf, LiveOut, Root};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::obligations::{Conditional, Obligations};
use crate::extract::numbers::offset::{Offset, WHOLE};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, Refusal, shown_name};
use crate::extract::region::domain::Domains;
use crate::llvm::{Block, Instruction, Location, LoopId, Opcode, Type, Value, errno};
use crate::presburger::{DimKind, Set};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Statements beyond this many make every later stage slow.
const MOST_STATEMENTS: usize = 60;

/// Operands beyond this many in one statement mean unrolled or generated code.
const MOST_OPERANDS: usize = 400;

/// An operation that takes longer than this many additions is not computed twice.
const EXPENSIVE: u32 = 8;

/// A value used deeper in the nest is computed there again if it takes at most so many additions.
const CHEAP_TREE: u32 = 4;

/// An array as statements see it: memory behind a base pointer, or values in registers.
#[derive(Clone, Debug)]
pub enum Storage<'ir> {
    Memory { base: Value<'ir>, offset: Polynomial },
    Scalar { value: Value<'ir>, loops: Vec<LoopId> },
}

/// One array under construction.
#[derive(Clone, Debug)]
pub struct Draft<'ir> {
    pub storage: Storage<'ir>,
    pub element: Type<'ir>,
    pub is_written: bool,
    pub is_live_out: bool,
    /// Some access to it is at an address computed from data.
    pub is_indirect: bool,
    /// Nothing in the program says of some access that the bytes from its base are a number, not only congruent to one modulo 2^64.
    pub may_wrap: bool,
}

/// One statement under construction.
pub struct Statement<'ir> {
    pub scope: Scope,
    pub block: Block<'ir>,
    /// Where it stands: number of the block, number of the instruction, number among those at the end of the block.
    pub position: (usize, usize, usize),
    pub root: Root<'ir>,
    pub leaves: HashMap<Value<'ir>, Leaf>,
    /// Loads of the tree, in the order met, with array and offset.
    pub loads: Vec<Instruction<'ir>>,
    pub operations: u32,
    /// It calls functions that may set `errno`.
    pub sets_errno: bool,
    pub location: Option<Location<'ir>>,
}

/// Statements and arrays of a region.
pub struct Roots<'s, 'a, 'ir> {
    pub(in crate::extract) affine: &'s Affine<'s, 'a, 'ir>,
    pub(in crate::extract) domains: &'s Domains<'ir>,
    /// What addresses and integer expressions of statements take for granted.
    pub(in crate::extract) assumptions: Assumptions,
    pub(in crate::extract) order: HashMap<Block<'ir>, usize>,
    pub arrays: Vec<Draft<'ir>>,
    pub statements: Vec<Statement<'ir>>,
    pub live_out: Vec<LiveOut<'ir>>,
    /// Number of the array behind each base pointer, and of the members of one size.
    pub(in crate::extract) memory: HashMap<(Value<'ir>, u64), usize>,
    /// Base pointers behind which members of different sizes are arrays of their own.
    pub(in crate::extract) members: Vec<Value<'ir>>,
    /// Number of the scalar array of each phi or kept value.
    pub(in crate::extract) scalars: HashMap<Value<'ir>, usize>,
    /// For each array in memory: its stores, with their positions.
    pub(in crate::extract) stores: BTreeMap<usize, Vec<(Instruction<'ir>, (usize, usize, usize))>>,
    /// Values whose array still needs its defining statement.
    pub(in crate::extract) pending: Vec<Value<'ir>>,
    /// Phis that are another carried phi under a second name (see `second_name` and [`super::accumulator`]).
    pub(in crate::extract) aliases: HashMap<Value<'ir>, Value<'ir>>,
    /// Carried phis that are written before the guard of their loop, not only in its preheader.
    pub(in crate::extract) early: HashMap<Value<'ir>, Block<'ir>>,
    /// Phis of a loop's header that are replaced together, and whether that is written already.
    pub(in crate::extract) picks: Vec<(Pick<'ir>, bool)>,
    /// Calls that may set `errno` and are in the operand tree of a statement that runs where they do.
    pub(in crate::extract) called: HashSet<Value<'ir>>,
}

type Fallible<'ir, T> = Result<T, Refusal<'ir>>;

impl<'s, 'a, 'ir> Roots<'s, 'a, 'ir> {
    /// Accepts what addresses and integer expressions take for granted, besides what `assumptions` has.
    pub fn of(
        affine: &'s Affine<'s, 'a, 'ir>,
        domains: &'s Domains<'ir>,
        assumptions: Assumptions,
    ) -> Fallible<'ir, Self> {
        let order = affine.region.blocks.iter().enumerate().map(|(at, block)| (*block, at + 1));
        let mut roots = Roots {
            affine,
            domains,
            assumptions,
            order: order.chain([(affine.region.entry, 0)]).collect(),
            arrays: Vec::new(),
            statements: Vec::new(),
            live_out: Vec::new(),
            memory: HashMap::new(),
            members: Vec::new(),
            scalars: HashMap::new(),
            stores: BTreeMap::new(),
            pending: Vec::new(),
            aliases: HashMap::new(),
            early: HashMap::new(),
            picks: Vec::new(),
            called: HashSet::new(),
        };
        roots.check_instructions()?;
        roots.find_members();
        roots.find_memory()?;
        roots.spread_writes();
        roots.find_accumulators();
        roots.find_second_names();
        roots.find_picks();
        roots.write_opaque()?;
        roots.write_stores()?;
        roots.write_live_out()?;
        roots.write_pending()?;
        roots.write_calls()?;
        roots.drop_idle();
        roots.statements.sort_by_key(|statement| statement.position);
        Ok(roots)
    }

    fn blocks(&self) -> Vec<Block<'ir>> {
        self.affine.region.blocks.clone()
    }

    /// Refuses what no statement can contain.
    fn check_instructions(&self) -> Fallible<'ir, ()> {
        let knows_errno = errno::is_known(self.affine.region.entry.function().module());
        for instruction in self.blocks().into_iter().flat_map(Block::instructions) {
            let refuse = |reason| Err(Refusal::at(instruction.place(), reason));
            if let Some(access) = instruction.memory() {
                if !access.simple {
                    return refuse(Reason::VolatileOrAtomic);
                }
                continue;
            }
            if instruction.is_marker() || instruction.is_terminator() {
                if instruction.opcode() == Opcode::Invoke {
                    return refuse(Reason::MayThrow);
                }
                continue;
            }
            if let Some(call) = instruction.call() {
                let is_number = instruction.ty().is_float() || instruction.ty().integer_width().is_some();
                if !call.is_pure() && !(call.sets_errno() && knows_errno && is_number) {
                    let callee = call.callee().map(|f| f.name()).unwrap_or_else(|| "a function pointer".into());
                    let reason = Reason::CallWithEffects { callee };
                    return Err(Refusal::at(instruction.place(), reason).with(self.some_access()));
                }
                continue;
            }
            match instruction.opcode() {
                Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::Fence => return refuse(Reason::VolatileOrAtomic),
                Opcode::Alloca => {
                    return refuse(Reason::UnsupportedInstruction {
                        what: "memory reserved inside the loop (a variable-length array?)".into(),
                    });
                }
                _ if instruction.has_side_effects() || instruction.may_read_memory() => {
                    return refuse(Reason::UnsupportedInstruction { what: instruction.to_string() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a call that does anything may stand in the way of: the first store of the region, else its first load.
    fn some_access(&self) -> Option<(String, Location<'ir>)> {
        let accesses = || self.blocks().into_iter().flat_map(Block::instructions).filter(|i| i.memory().is_some());
        let is_store = |i: &Instruction<'ir>| i.memory().is_some_and(|access| access.stored.is_some());
        let access = accesses().find(is_store).or_else(|| accesses().next())?;
        let base = self.base(access.memory()?.pointer, access.block()?);
        let name = base.and_then(shown_name).map_or("an element".to_string(), |name| format!("'{name}'"));
        let does = if is_store(&access) { "written" } else { "read" };
        Some((format!("{name} is {does}"), access.place()?))
    }

    /// Numbers the arrays in memory and notes who writes them.
    fn find_memory(&mut self) -> Fallible<'ir, ()> {
        for block in self.blocks() {
            for (at, instruction) in block.instructions().into_iter().enumerate() {
                let Some(access) = instruction.memory() else { continue };
                let refuse = |reason| Refusal::at(instruction.place(), reason);
                let (array, _) = self.place(access.pointer, access.ty, block).map_err(refuse)?;
                if access.stored.is_some() {
                    self.arrays[array].is_written = true;
                    self.stores.entry(array).or_default().push((instruction, (self.order[&block], at, 0)));
                }
            }
        }
        Ok(())
    }

    /// The array behind a pointer and the bytes from its base.
    pub(in crate::extract) fn address(
        &mut self,
        pointer: Value<'ir>,
        element: Type<'ir>,
        block: Block<'ir>,
    ) -> Result<(usize, Number), Reason> {
        let supported =
            element.is_float() || element.is_pointer() || element.integer_width().is_some_and(|w| w >= 8 && w % 8 == 0);
        if !supported {
            return Err(Reason::UnsupportedType { what: element.to_string() });
        }
        let scope = self.domains.of_block(block);
        let offset = self.base_and_offset(pointer, scope)?;
        let (base, offset) = self.assumptions.accept(self.affine, offset)?;
        Ok((self.array_behind(base, element), offset))
    }

    /// The number of the array behind a base pointer, if it has one.
    pub(in crate::extract) fn array_at(&self, base: Value<'ir>, element: Type<'ir>) -> Option<usize> {
        let bytes = self.affine.region.entry.function().layout().store_size(element);
        self.memory.get(&(base, if self.members.contains(&base) { bytes } else { 0 })).copied()
    }

    /// The number of the array behind a base pointer.
    pub(in crate::extract) fn array_behind(&mut self, base: Value<'ir>, element: Type<'ir>) -> usize {
        let bytes = self.affine.region.entry.function().layout().store_size(element);
        let key = (base, if self.members.contains(&base) { bytes } else { 0 });
        if let Some(&array) = self.memory.get(&key) {
            return array;
        }
        let array = self.arrays.len();
        self.arrays.push(Draft {
            storage: Storage::Memory { base, offset: Polynomial::default() },
            element,
            is_written: false,
            is_live_out: true,
            is_indirect: false,
            may_wrap: false,
        });
        self.memory.insert(key, array);
        array
    }

    /// The pointer that an address is computed from, however far from it: one from before the region, or one that data *holds*, a load of the
    /// region, as in `row[i][j]` or `if (m->used) m->value[j]`. Behind a held pointer may be any element of any array, so that what
    /// is written there depends on everything else that is accessed through it, and what is read may be so in any order; in
    /// both cases a test has to tell it from other arrays.
    pub(in crate::extract) fn base(&self, pointer: Value<'ir>, block: Block<'ir>) -> Option<Value<'ir>> {
        let analyses = self.affine.analyses;
        let mut here = pointer;
        let opened = |here: Value<'ir>| {
            let address = crate::llvm::instruction::Address::of_value(here).filter(|_| self.is_openable(here));
            let name = || crate::extract::places::ranges::only_name(here).filter(|_| !self.affine.is_invariant(here));
            address.map(|address| address.base).or_else(name)
        };
        while let Some(inner) = opened(here) {
            here = inner;
        }
        if self.affine.is_invariant(here) {
            return Some(here);
        }
        let invariant = || {
            let scev = analyses.scev_at(here, analyses.loop_of(block))?;
            let (base, _) = analyses.base_and_offset(scev);
            analyses.node(base).value.filter(|base| self.affine.is_invariant(*base) && base.ty().is_pointer())
        };
        invariant().or_else(|| here.as_instruction().filter(|i| i.opcode() == Opcode::Load).map(|_| here))
    }

    /// The pointer that an address is computed from and the bytes between.
    fn base_and_offset(&self, pointer: Value<'ir>, scope: &Scope) -> Result<Conditional<(Value<'ir>, Number)>, Reason> {
        let unknown = || Reason::UnknownPointer {
            what: pointer.source_name().map_or("of an access".into(), |name| format!("'{name}'")),
        };
        let analyses = self.affine.analyses;
        let mut here = pointer;
        let mut offset = Offset::new();
        let mut owed = Obligations::none();
        while let Some(address) = crate::llvm::instruction::Address::of_value(here).filter(|_| self.is_openable(here)) {
            let bytes = owed.take_over(self.affine.at(scope).bytes(&address)?);
            offset = offset.step(self.affine, &address, &bytes).ok_or_else(unknown)?;
            here = address.base;
        }
        if self.affine.is_invariant(here) {
            return Ok(Conditional::new((here, offset.known(self.affine)), owed));
        }
        let scev = self.affine.scev_in(here, scope).ok_or_else(unknown)?;
        let (base, rest) = analyses.base_and_offset(scev);
        let base = analyses.node(base).value.filter(|base| self.affine.is_invariant(*base)).ok_or_else(unknown)?;
        let rest = owed.take_over(self.affine.at(scope).number_of_scev(rest).map_err(|_| unknown())?);
        let offset = offset.rest(&rest).ok_or_else(unknown)?.known(self.affine);
        Ok(Conditional::new((base, offset), owed))
    }

    /// An address computation is followed if it is inside the region, or computes from a global or from another value by constants.
    pub(in crate::extract) fn is_openable(&self, pointer: Value<'ir>) -> bool {
        !self.affine.is_invariant(pointer) || pointer.as_instruction().is_none() || {
            let address = crate::llvm::instruction::Address::of_value(pointer);
            address.is_some_and(|a| a.indices.iter().all(|i| i.as_integer().is_some()))
        }
    }

    /// A phi that joins "the loop did not run: the initial value" with "it ran: the final value" of a carried phi with that very
    /// initial value is that carried phi, if the initial value is written before the guard instead of in the preheader.
    fn find_second_names(&mut self) {
        for block in self.blocks() {
            for phi in block.phis() {
                if let Some((carried, guard)) = self.second_name(phi, block) {
                    self.aliases.insert(phi.value(), carried);
                    self.early.insert(carried, guard);
                }
            }
        }
    }

    fn second_name(&self, phi: Instruction<'ir>, block: Block<'ir>) -> Option<(Value<'ir>, Block<'ir>)> {
        if self.is_integer_expression(phi.value(), block) {
            return None;
        }
        let [(a, from_a), (b, from_b)] = phi.incoming()[..] else { return None };
        for ((initial, guard), (last, _)) in [((a, from_a), (b, from_b)), ((b, from_b), (a, from_a))] {
            let Some(carried) = self.final_value_of(last).map(|carried| self.first_name(carried)) else { continue };
            let header = carried.as_instruction()?.block()?;
            let this = self.affine.analyses.loop_(self.affine.analyses.loop_of(header)?);
            let preheader = this.preheader?;
            let starts_with = carried.as_instruction()?.incoming_from(preheader)?;
            let guards = preheader.predecessors() == [guard] && guard.successors().contains(&block);
            let outside = self.affine.is_invariant(initial) && guard != self.affine.region.entry;
            if starts_with == initial && guards && outside && !self.early.contains_key(&carried) {
                return Some((carried, guard));
            }
        }
        None
    }

    /// The carried phi whose value after its loop is `value`: `value` is what goes round, possibly through single-entry phis.
    fn final_value_of(&self, value: Value<'ir>) -> Option<Value<'ir>> {
        let mut here = value;
        while let Some(phi) = here.as_instruction().filter(|i| i.is_phi()) {
            let [(inner, from)] = phi.incoming()[..] else { break };
            here = inner;
            let Some(left) = self.affine.analyses.loop_of(from) else { continue };
            let this = self.affine.analyses.loop_(left);
            let Some(latch) = this.latch else { continue };
            if self.domains.opaque_of(this.header).is_some() {
                return None;
            }
            let is_own = |i: Instruction<'ir>| i.block().and_then(|b| self.affine.analyses.loop_of(b)) == Some(left);
            let carried = this.header.phis().into_iter().find(|phi| phi.incoming_from(latch) == Some(here));
            if let Some(carried) = carried.filter(|_| here.as_instruction().is_some_and(is_own)) {
                return Some(carried.value());
            }
        }
        None
    }

    fn write_stores(&mut self) -> Fallible<'ir, ()> {
        for block in
            self.blocks().into_iter().filter(|block| self.domains.opaque_of(*block).is_none()).collect::<Vec<_>>()
        {
            for (at, instruction) in block.instructions().into_iter().enumerate() {
                let Some(access) = instruction.memory().filter(|access| access.stored.is_some()) else { continue };
                let refuse = |reason| Refusal::at(instruction.place(), reason);
                let (array, offset) = self.place(access.pointer, access.ty, block).map_err(refuse)?;
                let stored = access.stored.expect("law: a store stores a value");
                let (root, values) = match offset {
                    Some(offset) => (Root::Store { store: instruction, array, offset }, vec![stored]),
                    None => (Root::Scatter { store: instruction, array }, vec![stored, access.pointer]),
                };
                let scope = self.domains.of_block(block).clone();
                let position = (self.order[&block], at, 0);
                self.add_statement(root, &values, scope, block, position, instruction.place(), None)?;
            }
        }
        Ok(())
    }

    fn write_live_out(&mut self) -> Fallible<'ir, ()> {
        let region = self.affine.region;
        let from_region = |block: &Block<'ir>| *block == region.entry || region.contains(*block);
        for phi in region.exit.phis() {
            if phi.incoming().iter().any(|(_, from)| from_region(from)) {
                let array = self.scalar_array(phi.value(), Vec::new(), phi.ty());
                self.arrays[array].is_live_out = true;
                self.live_out.push(LiveOut { array, value: phi });
            }
        }
        for block in self.blocks() {
            for instruction in block.instructions() {
                let is_outside = |user: &Instruction<'ir>| {
                    let at = user.block();
                    let in_exit_phi = user.is_phi() && at == Some(region.exit);
                    !in_exit_phi && at.is_some_and(|at| !region.contains(at))
                };
                if !instruction.users().iter().any(is_outside) {
                    continue;
                }
                if !self.domains.of_block(block).loops.is_empty() {
                    return Err(Refusal::at(
                        instruction.place(),
                        Reason::IrregularControl { what: "a value of the last iteration is used later".into() },
                    ));
                }
                let array = self.scalar_array(instruction.value(), Vec::new(), instruction.ty());
                self.arrays[array].is_live_out = true;
                self.live_out.push(LiveOut { array, value: instruction });
            }
        }
        Ok(())
    }

    /// The number of the scalar array of a value, asked for its defining statements when new.
    fn scalar_array(&mut self, value: Value<'ir>, loops: Vec<LoopId>, element: Type<'ir>) -> usize {
        if let Some(&array) = self.scalars.get(&value) {
            return array;
        }
        let array = self.arrays.len();
        self.arrays.push(Draft {
            storage: Storage::Scalar { value, loops },
            element,
            is_written: true,
            is_live_out: false,
            is_indirect: false,
            may_wrap: false,
        });
        self.scalars.insert(value, array);
        self.pending.push(value);
        array
    }

    fn write_pending(&mut self) -> Fallible<'ir, ()> {
        while let Some(value) = self.pending.pop() {
            let array = self.scalars[&value];
            let instruction = value.as_instruction().expect("law: a scalar array belongs to an instruction");
            if let Some(part) = instruction.block().and_then(|home| self.domains.opaque_of(home)).cloned() {
                let loops = self.domains.of_block(part.start).loops.clone();
                self.hand_on(&part, value, array, &loops);
                continue;
            }
            match instruction.is_phi() {
                true => self.write_phi(instruction, array)?,
                false => self.write_kept(instruction, array)?,
            }
        }
        Ok(())
    }

    /// Has statements of their own compute the calls that may set `errno` and that no other statement computes where they run.
    fn write_calls(&mut self) -> Fallible<'ir, ()> {
        for block in self.blocks() {
            let is_idle = self.domains.of_block(block).domain.is_empty();
            if self.domains.opaque_of(block).is_some() || is_idle {
                continue;
            }
            for call in block.instructions().into_iter().filter(|i| sets_errno(*i)) {
                if !self.called.contains(&call.value()) {
                    let loops = self.domains.of_block(block).loops.clone();
                    self.scalar_array(call.value(), loops, call.ty());
                }
            }
        }
        self.write_pending()
    }

    fn write_kept(&mut self, instruction: Instruction<'ir>, array: usize) -> Fallible<'ir, ()> {
        let block = instruction.block().expect("law: an instruction of the region is in a block");
        let at = block.instructions().iter().position(|i| *i == instruction).unwrap_or(0);
        let scope = self.domains.of_block(block).clone();
        let subscripts = iterators(&scope.loops);
        let root = Root::Write { value: instruction.value(), array, subscripts };
        let position = (self.order[&block], at, 0);
        self.add_statement(root, &[instruction.value()], scope, block, position, instruction.place(), None)
    }

    /// Writes at the end of each predecessor; those that carry a value round a loop come last, those that leave it before.
    fn write_phi(&mut self, phi: Instruction<'ir>, array: usize) -> Fallible<'ir, ()> {
        let block = phi.block().expect("law: an instruction of the region is in a block");
        let Storage::Scalar { loops, .. } = self.arrays[array].storage.clone() else {
            unreachable!("law: a phi's array is a scalar");
        };
        let region = self.affine.region;
        let latch =
            self.affine.analyses.loop_of(block).map(|id| self.affine.analyses.loop_(id)).filter(|l| l.header == block);
        let parts: Vec<_> = self.domains.opaque.iter().filter(|part| part.exit == block).cloned().collect();
        for part in &parts {
            let own = self.domains.of_block(part.start).loops.clone();
            self.hand_on(part, phi.value(), array, &own);
        }
        for (value, from) in phi.incoming() {
            if from != region.entry && !region.contains(from) || parts.iter().any(|part| part.leads_on(from)) {
                continue;
            }
            let is_latch = latch.is_some_and(|l| l.latch == Some(from));
            if is_latch {
                self.write_turn(phi, from, array)?;
                continue;
            }
            let (from, scope) = match self.early.get(&phi.value()).copied() {
                Some(guard) => (guard, self.domains.of_block(guard).clone()),
                None => (from, self.domains.edge(self.affine, &mut self.assumptions, from, block)?),
            };
            let end = from.instructions().len();
            let root = Root::Write { value, array, subscripts: iterators(&loops) };
            let location = value.as_instruction().and_then(|i| i.place()).or_else(|| phi.place());
            if let Some(carried) = self.carried_out(value, from, block) {
                let mut tree = Tree::default();
                tree.leaves.insert(value, self.phi_leaf(carried));
                self.push_statement(root, tree, scope, from, (self.order[&from], end, AFTER_TURNS), location)?;
                continue;
            }
            self.add_statement(root, &[value], scope, from, (self.order[&from], end, LEAVING), location, None)?;
        }
        self.write_inner_names(phi.value(), array)
    }

    /// For a value that leaves its loop by the latch: the phi that it also goes round the loop as, which holds it then.
    fn carried_out(&self, value: Value<'ir>, from: Block<'ir>, to: Block<'ir>) -> Option<Value<'ir>> {
        let analyses = self.affine.analyses;
        let id = analyses.loop_of(from)?;
        let this = analyses.loop_(id);
        let leaves = this.latch == Some(from) && analyses.loop_of(to) != Some(id) && this.exits.contains(&to);
        let is_own = value.as_instruction().and_then(|i| i.block()).and_then(|b| analyses.loop_of(b)) == Some(id);
        if !leaves || !is_own || self.domains.opaque_of(this.header).is_some() {
            return None;
        }
        let carries = |phi: &Instruction<'ir>| phi.incoming_from(from) == Some(value);
        let phi = this.header.phis().into_iter().find(carries)?;
        (!self.is_integer_expression(phi.value(), this.header)).then_some(phi.value())
    }

    /// `carried` is the phi of a loop's header that the statement, at the latch, gives its next value.
    #[allow(clippy::too_many_arguments)]
    pub(in crate::extract) fn add_statement(
        &mut self,
        root: Root<'ir>,
        values: &[Value<'ir>],
        scope: Scope,
        block: Block<'ir>,
        position: (usize, usize, usize),
        location: Option<Location<'ir>>,
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, ()> {
        if scope.domain.is_empty() {
            return Ok(());
        }
        let writes_itself = match &root {
            Root::Write { value, array, .. } => self.scalars.get(value) == Some(array),
            _ => false,
        };
        let mut tree = Tree { own: values.first().copied().filter(|_| writes_itself), ..Tree::default() };
        for value in values {
            self.visit(*value, &mut tree, &scope, position, carried)?;
        }
        self.push_statement(root, tree, scope, block, position, location)
    }

    pub(in crate::extract) fn push_statement(
        &mut self,
        root: Root<'ir>,
        tree: Tree<'ir>,
        scope: Scope,
        block: Block<'ir>,
        position: (usize, usize, usize),
        location: Option<Location<'ir>>,
    ) -> Fallible<'ir, ()> {
        if self.statements.len() >= MOST_STATEMENTS {
            let reason = Reason::TooLarge { what: "statements in one region", limit: MOST_STATEMENTS };
            return Err(Refusal::at(location, reason));
        }
        let Tree { leaves, loads, operations, sets_errno, .. } = tree;
        let statement = Statement { scope, block, position, root, leaves, loads, operations, sets_errno, location };
        self.statements.push(statement);
        Ok(())
    }

    /// Adds a value and what feeds it to the tree of a statement at `position`.
    pub(in crate::extract) fn visit(
        &mut self,
        value: Value<'ir>,
        tree: &mut Tree<'ir>,
        scope: &Scope,
        position: (usize, usize, usize),
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, ()> {
        if self.affine.is_invariant(value) || !tree.seen.insert(value) {
            return Ok(());
        }
        let instruction = value.as_instruction().expect("law: what the region computes is an instruction");
        let refuse = |reason| Refusal::at(instruction.place(), reason);
        if tree.seen.len() > MOST_OPERANDS {
            return Err(refuse(Reason::TooLarge { what: "operands in one statement", limit: MOST_OPERANDS }));
        }
        let home = instruction.block().expect("law: an instruction of the region is in a block");
        if let Some(number) = self.integer_expression(value, scope, home) {
            let must_be = !is_computation(instruction) || !self.same_scope(home, scope);
            let polynomial = match number.proved(self.affine) {
                Ok(polynomial) => Some(polynomial),
                Err(number) if must_be => Some(self.assumptions.accept(self.affine, number).map_err(refuse)?),
                Err(_) => None,
            };
            if let Some(polynomial) = polynomial {
                tree.leaves.insert(value, Leaf::Affine(polynomial));
                return Ok(());
            }
        }
        if tree.own != Some(value)
            && let Some(leaf) = self.scalar_leaf(instruction, home, scope, position, carried)?
        {
            tree.leaves.insert(value, leaf);
            return Ok(());
        }
        if let Some(access) = instruction.memory() {
            let (array, offset) = self.place(access.pointer, access.ty, home).map_err(refuse)?;
            let leaf = offset.map_or(Leaf::Indirect { array }, |offset| Leaf::Load { array, offset });
            let is_indirect = matches!(leaf, Leaf::Indirect { .. });
            tree.leaves.insert(value, leaf);
            tree.loads.push(instruction);
            if is_indirect {
                tree.operations += 1;
                self.visit(access.pointer, tree, scope, position, carried)?;
            }
            return Ok(());
        }
        if !is_computation(instruction) {
            return Err(refuse(Reason::UnsupportedInstruction { what: instruction.to_string() }));
        }
        if sets_errno(instruction) {
            tree.sets_errno = true;
            self.called.insert(value);
        }
        tree.operations += cost(instruction);
        for operand in operands(instruction) {
            self.visit(operand, tree, scope, position, carried)?;
        }
        Ok(())
    }

    /// Integer arithmetic over counters and parameters, if that is all the value is, in the scope of a statement.
    fn integer_expression(
        &self,
        value: Value<'ir>,
        scope: &Scope,
        home: Block<'ir>,
    ) -> Option<Conditional<Polynomial>> {
        let width = value.ty().integer_width()?;
        if !(2..=64).contains(&width) {
            return None;
        }
        let own = if self.same_scope(home, scope) { self.domains.of_block(home) } else { scope };
        let number = self.affine.at(own).number(value).ok()?.map(|number| number.polynomial);
        let is_outside = |atom| matches!(atom, Atom::Iterator(id) if !scope.loops.contains(&id));
        let leaves_scope = number.form().atoms().any(is_outside);
        (!leaves_scope).then_some(number)
    }

    pub(in crate::extract) fn is_integer_expression(&self, value: Value<'ir>, home: Block<'ir>) -> bool {
        let scope = self.domains.of_block(home).clone();
        self.integer_expression(value, &scope, home).is_some()
    }

    /// The scalar array element to read instead of computing the value, if the value is not to be computed again here.
    fn scalar_leaf(
        &mut self,
        instruction: Instruction<'ir>,
        home: Block<'ir>,
        scope: &Scope,
        position: (usize, usize, usize),
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, Option<Leaf>> {
        let value = instruction.value();
        if self.domains.opaque_of(home).is_some() {
            let loops = self.domains.of_block(home).loops.clone();
            let array = self.scalar_array(value, loops.clone(), instruction.ty());
            return Ok(Some(Leaf::Scalar { array, subscripts: iterators(&loops) }));
        }
        if let Some(alias) =
            self.aliases.get(&value).copied().or_else(|| self.final_value_if_outside(value, home, scope))
        {
            return Ok(Some(self.phi_leaf(alias)));
        }
        if instruction.is_phi() {
            if let [(inner, _)] = instruction.incoming()[..]
                && self.same_loops(inner, home)
            {
                return self.through(inner, scope, position, carried).map(Some);
            }
            return Ok(Some(self.phi_leaf(value)));
        }
        let home_loops = self.domains.of_block(home).loops.clone();
        let is_deeper = home_loops.len() < scope.loops.len();
        let is_read_too_late = instruction.memory().is_some() && self.is_clobbered(instruction, home, position);
        let is_kept = self.scalars.contains_key(&value);
        let is_expensive = cost(instruction) > EXPENSIVE && value.users().len() > 1;
        let must_keep = is_read_too_late || is_expensive || (is_deeper && !self.is_cheap(value, &mut 0));
        let is_elsewhere = sets_errno(instruction) && !self.runs_alike(home, scope);
        if is_kept || must_keep || is_elsewhere {
            let array = self.scalar_array(value, home_loops.clone(), instruction.ty());
            return Ok(Some(Leaf::Scalar { array, subscripts: iterators(&home_loops) }));
        }
        let waits = self.reads_other_carried(value, carried, &mut HashSet::new());
        if waits && !carried.is_some_and(|own| self.is_update_of(value, own)) {
            let array = self.scalar_array(value, home_loops.clone(), instruction.ty());
            return Ok(Some(Leaf::Scalar { array, subscripts: iterators(&home_loops) }));
        }
        Ok(None)
    }

    fn through(
        &mut self,
        inner: Value<'ir>,
        scope: &Scope,
        position: (usize, usize, usize),
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, Leaf> {
        let instruction = inner.as_instruction().filter(|i| self.affine.region.contains_instruction(*i));
        let Some(instruction) = instruction else {
            return Err(Refusal::anywhere(Reason::IrregularControl {
                what: "a copy of a value from before the loops".into(),
            }));
        };
        let home = instruction.block().expect("law: an instruction of the region is in a block");
        if let Some(leaf) = self.scalar_leaf(instruction, home, scope, position, carried)? {
            return Ok(leaf);
        }
        let loops = self.domains.of_block(home).loops.clone();
        let array = self.scalar_array(inner, loops.clone(), instruction.ty());
        Ok(Leaf::Scalar { array, subscripts: iterators(&loops) })
    }

    /// Whether a block is in none but the loops of a scope.
    fn same_scope(&self, home: Block<'ir>, scope: &Scope) -> bool {
        let home = &self.domains.of_block(home).loops;
        home.len() <= scope.loops.len() && *home == scope.loops[..home.len()]
    }

    /// Whether a statement with this scope has the instances that a block has.
    fn runs_alike(&self, home: Block<'ir>, scope: &Scope) -> bool {
        let own = self.domains.of_block(home);
        own.has_dimensions_of(scope) && own.domain.is_equal(&scope.domain)
    }

    fn same_loops(&self, value: Value<'ir>, home: Block<'ir>) -> bool {
        let block =
            value.as_instruction().filter(|i| self.affine.region.contains_instruction(*i)).and_then(|i| i.block());
        block.is_some_and(|block| self.domains.of_block(block).loops == self.domains.of_block(home).loops)
    }

    /// For a value that goes round a loop, read outside that loop: the carried phi, which holds it then.
    fn final_value_if_outside(&self, value: Value<'ir>, home: Block<'ir>, scope: &Scope) -> Option<Value<'ir>> {
        let phi = value.as_instruction().filter(|i| i.is_phi() && i.incoming().len() == 1)?;
        let carried = self.final_value_of(phi.value())?;
        let header = carried.as_instruction()?.block()?;
        let id = self.affine.analyses.loop_of(header)?;
        (!scope.loops.contains(&id) && !self.domains.of_block(home).loops.contains(&id)).then_some(carried)
    }

    pub(in crate::extract) fn phi_leaf(&mut self, phi: Value<'ir>) -> Leaf {
        let phi = self.first_name(phi).as_instruction().expect("law: a carried value is a phi");
        let block = phi.block().expect("law: an instruction of the region is in a block");
        let analyses = self.affine.analyses;
        let of_block = self.domains.of_block(block).loops.clone();
        let is_header = analyses
            .loop_of(block)
            .is_some_and(|id| analyses.loop_(id).header == block && of_block.last() == Some(&id));
        let loops = if is_header { of_block[..of_block.len() - 1].to_vec() } else { of_block };
        let array = self.scalar_array(phi.value(), loops.clone(), phi.ty());
        Leaf::Scalar { array, subscripts: iterators(&loops) }
    }

    /// Whether computing the value reads a phi of the header whose phi `carried` is being written, other than that phi itself.
    pub(in crate::extract) fn reads_other_carried(
        &self,
        value: Value<'ir>,
        carried: Option<Value<'ir>>,
        seen: &mut HashSet<Value<'ir>>,
    ) -> bool {
        let Some(instruction) = value.as_instruction().filter(|i| self.affine.region.contains_instruction(*i)) else {
            return false;
        };
        if !seen.insert(value) || seen.len() > MOST_OPERANDS {
            return false;
        }
        let Some(own) = carried else { return false };
        if instruction.is_phi() {
            let header = own.as_instruction().and_then(|i| i.block());
            let home = instruction.block();
            return !self.goes_with(value, own)
                && home == header
                && home.is_some_and(|home| !self.is_integer_expression(value, home));
        }
        instruction.memory().is_none()
            && operands(instruction).into_iter().any(|o| self.reads_other_carried(o, carried, seen))
    }

    /// Whether memory the load reads may be written between the load and a statement at `position` that would read it again.
    fn is_clobbered(&mut self, load: Instruction<'ir>, home: Block<'ir>, position: (usize, usize, usize)) -> bool {
        let Some(access) = load.memory() else { return false };
        let Ok((array, offset)) = self.place(access.pointer, access.ty, home) else { return true };
        let Some(stores) = self.stores.get(&array).cloned() else { return false };
        let at = home.instructions().iter().position(|i| *i == load).unwrap_or(0);
        let from = (self.order[&home], at, 0);
        if position.0 == from.0 {
            let between = |(store, place): &(Instruction<'ir>, (usize, usize, usize))| {
                *place > from
                    && *place < position
                    && !offset.as_ref().is_some_and(|offset| self.is_elsewhere(*store, offset, home))
            };
            return stores.iter().any(between);
        }
        let loops = &self.domains.of_block(home).loops;
        let shares_loops =
            self.block_number(position.0).is_some_and(|block| self.domains.of_block(block).loops == *loops);
        if !shares_loops {
            return true;
        }
        stores.iter().any(|(_, place)| *place > from && *place < position)
    }

    fn block_number(&self, number: usize) -> Option<Block<'ir>> {
        self.affine.region.blocks.get(number.checked_sub(1)?).copied()
    }

    /// Whether a store in the same block certainly writes another element of the same array in the same iteration.
    fn is_elsewhere(&mut self, store: Instruction<'ir>, offset: &Polynomial, home: Block<'ir>) -> bool {
        let Some(access) = store.memory() else { return false };
        let Ok((_, other)) = self.address(access.pointer, access.ty, home) else { return false };
        let layout = home.function().layout();
        let size = i128::from(layout.store_size(access.ty));
        let distance = other.polynomial.subtract(offset).and_then(|d| d.as_constant());
        let forwards = distance.map(|distance| distance.rem_euclid(WHOLE));
        forwards.is_some_and(|forwards| forwards >= size && WHOLE - forwards >= size)
    }

    /// Whether the value takes few operations and reads only memory that the region never writes.
    fn is_cheap(&mut self, value: Value<'ir>, spent: &mut u32) -> bool {
        let Some(instruction) = value.as_instruction().filter(|i| self.affine.region.contains_instruction(*i)) else {
            return true;
        };
        let home = instruction.block().expect("law: an instruction of the region is in a block");
        if self.is_integer_expression(value, home) {
            return true;
        }
        if let Some(access) = instruction.memory() {
            let Ok((array, offset)) = self.place(access.pointer, access.ty, home) else { return false };
            return offset.is_some() && !self.stores.contains_key(&array);
        }
        *spent += cost(instruction);
        if instruction.is_phi() || *spent > CHEAP_TREE || !is_copyable(instruction) {
            return false;
        }
        operands(instruction).into_iter().all(|operand| self.is_cheap(operand, spent))
    }
}

/// What a statement computes its values from.
#[derive(Default)]
pub(in crate::extract) struct Tree<'ir> {
    pub(in crate::extract) leaves: HashMap<Value<'ir>, Leaf>,
    loads: Vec<Instruction<'ir>>,
    seen: HashSet<Value<'ir>>,
    pub(in crate::extract) operations: u32,
    /// It contains calls that may set `errno`.
    pub(in crate::extract) sets_errno: bool,
    /// The value the statement itself keeps, which it must compute.
    own: Option<Value<'ir>>,
}

/// One subscript per loop: its iteration.
pub fn iterators(loops: &[LoopId]) -> Vec<Polynomial> {
    loops.iter().map(|id| Polynomial::atom(Atom::Iterator(*id))).collect()
}

/// Values an instruction computes from (not the function a call names).
pub fn operands<'ir>(instruction: Instruction<'ir>) -> Vec<Value<'ir>> {
    instruction.call().map_or_else(|| instruction.operands(), |call| call.arguments())
}

/// Whether a copy of the instruction with the same operands gives the same value, wherever it stands.
pub(in crate::extract) fn is_copyable(instruction: Instruction<'_>) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        FNeg | Add | FAdd | Sub | FSub | Mul | FMul | UDiv | SDiv | FDiv | URem | SRem | FRem | Shl | LShr | AShr
        | And | Or | Xor | GetElementPtr | PtrToInt | Trunc | ZExt | SExt | FpToUi | FpToSi | UiToFp | SiToFp
        | FpTrunc | FpExt | BitCast | ICmp | FCmp | Select => true,
        Call => instruction.call().is_some_and(|call| call.is_pure()),
        _ => false,
    }
}

/// Whether it computes a value from its operands, at most setting `errno` besides.
fn is_computation(instruction: Instruction<'_>) -> bool {
    is_copyable(instruction) || sets_errno(instruction)
}

/// Whether it is a call that may set `errno` and does nothing else but compute.
pub(in crate::extract) fn sets_errno(instruction: Instruction<'_>) -> bool {
    instruction.call().is_some_and(|call| call.sets_errno())
}

/// Rough time in additions.
pub(in crate::extract) fn cost(instruction: Instruction<'_>) -> u32 {
    use Opcode::*;
    match instruction.opcode() {
        FDiv | UDiv | SDiv | URem | SRem => 12,
        FRem => 30,
        Call => match instruction.call().and_then(|c| c.intrinsic()).as_deref() {
            Some("llvm.fmuladd" | "llvm.fma" | "llvm.fabs" | "llvm.smax" | "llvm.smin" | "llvm.umax" | "llvm.umin") => {
                1
            }
            Some(name) if name.starts_with("llvm.max") || name.starts_with("llvm.min") => 2,
            Some("llvm.sqrt") => 12,
            _ => 30,
        },
        _ => 1,
    }
}

/// The domain of a statement as a set of its own tuple.
pub fn named_domain(scope: &Scope, name: &str) -> Set {
    scope.domain.set_tuple_name(DimKind::Out, Some(name))
}
