//! Statements and arrays of a region, before arrays have shapes.
//!
//! For `for (i = 0; i < n; i++) y[i] = 2 * x[i];` there are the arrays `y` and `x`, known by their base pointers, and one statement: the store with the
//! loops `(i)` around it, its operand tree down to the load of `x`, and the bytes from each base, `8 i`. Nothing here changes any more once
//! [`super::builder`] is done.

use super::root::{LiveOut, LiveOutId, Root};
use crate::extract::control::domain::Domains;
use crate::extract::control::guards::BoundGuard;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::numbers::scope::Scope;
use crate::extract::reductions::arg_reduction::{Member, Pick};
use crate::extract::ssa::only_name;
use crate::ids::table_id;
use crate::llvm::instruction::Address;
use crate::llvm::{Block, Instruction, Location, LoopId, Opcode, Type, Value};
use crate::presburger::{DimKind, Id, Set};
use crate::scop::{ArrayId, StatementId, Table, TableId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

table_id! {
    /// A block of the region in program order, from 1; 0 is where the region is entered.
    pub struct BlockId
}

/// When, in one iteration of the loops around it, something happens: what is earlier is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub block: BlockId,
    /// Instructions of the block before it: all of them, for what happens at its end.
    before: usize,
    turn: Turn,
}

/// In what order statements at the end of a block run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// Where an instruction is, not at the end.
    Inside,
    /// What goes to the blocks behind it.
    Leaving,
    /// The phis that the block, a latch, gives their next values, one after the other.
    Next(usize),
    /// Reads those next values.
    AfterNext,
}

/// Phis of a loop's header that are written together at its latch.
pub(in crate::extract) enum AtLatch<'ir> {
    /// As they are replaced together.
    Pick(Pick<'ir>),
    /// As they take each other's places: see [`crate::extract::reductions::ranking`].
    Ranking(Vec<Member<'ir>>),
}

impl<'ir> AtLatch<'ir> {
    pub(super) fn members(&self) -> &[Member<'ir>] {
        match self {
            AtLatch::Pick(pick) => &pick.members,
            AtLatch::Ranking(members) => members,
        }
    }

    pub(super) fn has(&self, phi: Value<'ir>) -> bool {
        self.members().iter().any(|member| member.old == phi)
    }
}

/// An array as statements see it: memory behind a base pointer, or values in registers.
#[derive(Clone, Debug)]
pub enum Storage<'ir> {
    Memory {
        base: Value<'ir>,
        offset: Polynomial,
    },
    /// The pointers to the rows stand behind `table`, or behind the pointers that do so, if `depth` is two: see [`super::held`].
    Rows {
        table: Value<'ir>,
        depth: usize,
    },
    Scalar {
        value: Value<'ir>,
        loops: Vec<LoopId>,
    },
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
    pub position: Position,
    pub root: Root<'ir>,
    /// Conditions on data with the answers with which it runs: see [`crate::extract::control::guards`]. They are part of the tree.
    pub guards: Vec<BoundGuard<'ir>>,
    pub leaves: HashMap<Value<'ir>, Leaf>,
    /// Loads of the tree, in the order met, with array and offset.
    pub loads: Vec<Instruction<'ir>>,
    /// Rough time in additions, on any processor.
    pub operations: u32,
    /// What takes it, but for parts that are run as they stand.
    pub computed: Vec<Instruction<'ir>>,
    /// It calls functions that may set `errno`.
    pub sets_errno: bool,
    pub location: Option<Location<'ir>>,
}

/// Statements and arrays of a region.
pub struct Drafts<'s, 'a, 'ir> {
    pub(in crate::extract) affine: &'s Affine<'s, 'a, 'ir>,
    pub(in crate::extract) domains: &'s Domains<'ir>,
    /// The blocks in program order.
    order: HashMap<Block<'ir>, BlockId>,
    pub arrays: Table<ArrayId, Draft<'ir>>,
    /// In program order.
    pub statements: Table<StatementId, Statement<'ir>>,
    pub live_out: Table<LiveOutId, LiveOut<'ir>>,
    /// The array behind each base pointer, and of the members of one size.
    pub(in crate::extract) memory: HashMap<(Value<'ir>, u64), ArrayId>,
    /// Base pointers behind which members of different sizes are arrays of their own.
    pub(in crate::extract) members: Vec<Value<'ir>>,
    /// The array of the rows whose pointers stand behind a table.
    pub(super) rows: HashMap<(Value<'ir>, usize), ArrayId>,
    /// For each pointer into a row, the load of the row's own pointer.
    pub(in crate::extract) held: HashMap<Value<'ir>, Instruction<'ir>>,
    /// Arrays with accesses that are affine in no shape.
    pub(in crate::extract) out_of_shape: BTreeSet<ArrayId>,
    /// For each array in memory: its stores, with their positions.
    pub(in crate::extract) stores: BTreeMap<ArrayId, Vec<(Instruction<'ir>, Position)>>,
}

impl<'s, 'a, 'ir> Drafts<'s, 'a, 'ir> {
    /// Those of a region without statements.
    pub(super) fn empty(affine: &'s Affine<'s, 'a, 'ir>, domains: &'s Domains<'ir>) -> Self {
        let order = affine.region.blocks.iter().enumerate().map(|(at, block)| (*block, BlockId::new(at + 1)));
        Drafts {
            affine,
            domains,
            order: order.chain([(affine.region.entry, BlockId::FIRST)]).collect(),
            arrays: Table::default(),
            statements: Table::default(),
            live_out: Table::default(),
            memory: HashMap::new(),
            members: Vec::new(),
            rows: HashMap::new(),
            held: HashMap::new(),
            out_of_shape: BTreeSet::new(),
            stores: BTreeMap::new(),
        }
    }

    /// What the array behind a base pointer is known by: members of different sizes are arrays of their own behind some.
    pub(super) fn key(&self, base: Value<'ir>, element: Type<'ir>) -> (Value<'ir>, u64) {
        let bytes = self.affine.region.entry.function().layout().store_size(element);
        (base, if self.members.contains(&base) { bytes } else { 0 })
    }

    /// When the instruction at a place of a block happens.
    pub(in crate::extract) fn inside(&self, block: Block<'ir>, before: usize) -> Position {
        Position { block: self.order[&block], before, turn: Turn::Inside }
    }

    /// When what has its turn at the end of a block happens.
    pub(in crate::extract) fn at_end(&self, block: Block<'ir>, turn: Turn) -> Position {
        Position { block: self.order[&block], before: block.instructions().len(), turn }
    }

    /// The array behind a base pointer, if it has one.
    pub(in crate::extract) fn array_at(&self, base: Value<'ir>, element: Type<'ir>) -> Option<ArrayId> {
        self.memory.get(&self.key(base, element)).copied()
    }

    /// The pointer that an address is computed from, however far from it: one from before the region, or one that data *holds*, a load of the
    /// region, as in `row[i][j]` or `if (m->used) m->value[j]`. Behind a held pointer may be any element of any array, so that what
    /// is written there depends on everything else that is accessed through it, and what is read may be so in any order; in
    /// both cases a test has to tell it from other arrays.
    pub(in crate::extract) fn base(&self, pointer: Value<'ir>, block: Block<'ir>) -> Option<Value<'ir>> {
        let analyses = self.affine.analyses;
        let mut here = pointer;
        let opened = |here: Value<'ir>| {
            let address = Address::of_value(here).filter(|_| self.is_openable(here));
            let name = || only_name(here).filter(|_| !self.affine.is_invariant(here));
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

    /// An address computation is followed if it is inside the region, or computes from a global or from another value by constants.
    pub(in crate::extract) fn is_openable(&self, pointer: Value<'ir>) -> bool {
        !self.affine.is_invariant(pointer) || pointer.as_instruction().is_none() || {
            let address = Address::of_value(pointer);
            address.is_some_and(|a| a.indices.iter().all(|i| i.as_integer().is_some()))
        }
    }
}

/// A load or store, or an element that a call touches, with the bytes from its base where they are a polynomial.
pub(in crate::extract) struct MemoryAccess<'r, 'ir> {
    pub pointer: Value<'ir>,
    pub ty: Type<'ir>,
    pub is_write: bool,
    pub offset: Option<&'r Polynomial>,
    pub scope: &'r Scope,
    pub instruction: Instruction<'ir>,
    /// By number.
    pub statement: StatementId,
}

/// Each load and store of an array.
pub(in crate::extract) fn memory_accesses<'r, 'ir>(
    drafts: &'r Drafts<'_, '_, 'ir>,
    wanted: ArrayId,
) -> Vec<MemoryAccess<'r, 'ir>> {
    let mut found = Vec::new();
    for (number, statement) in drafts.statements.entries() {
        let scope = &statement.scope;
        let of = |offset: Option<&'r Polynomial>, instruction: Instruction<'ir>| {
            let access = instruction.memory().expect("law: a load or store accesses memory");
            let (is_write, pointer, ty) = (access.stored.is_some(), access.pointer, access.ty);
            MemoryAccess { pointer, ty, is_write, offset, scope, instruction, statement: number }
        };
        for load in &statement.loads {
            match statement.leaves.get(&load.value()) {
                Some(Leaf::Load { array, offset }) if *array == wanted => found.push(of(Some(offset), *load)),
                Some(Leaf::Indirect { array }) if *array == wanted => found.push(of(None, *load)),
                _ => {}
            }
        }
        match &statement.root {
            Root::Store { array, offset, store } if *array == wanted => found.push(of(Some(offset), *store)),
            Root::Scatter { array, store } if *array == wanted => found.push(of(None, *store)),
            Root::Opaque { accesses, .. } => {
                found.extend(accesses.iter().filter(|own| own.array == wanted).map(|own| MemoryAccess {
                    pointer: own.pointer,
                    ty: own.ty,
                    is_write: own.is_store(),
                    offset: own.offset.as_ref(),
                    scope,
                    instruction: own.instruction,
                    statement: number,
                }));
            }
            _ => {}
        }
    }
    found
}

/// The loads and stores of an array, once each.
pub(in crate::extract) fn all_accesses<'ir>(drafts: &Drafts<'_, '_, 'ir>, array: ArrayId) -> Vec<Instruction<'ir>> {
    let mut all: Vec<Instruction<'ir>> = Vec::new();
    for access in memory_accesses(drafts, array) {
        if !all.contains(&access.instruction) {
            all.push(access.instruction);
        }
    }
    all
}

/// The name that the model has for a statement.
pub(in crate::extract) fn statement_name(at: StatementId) -> Id {
    Id::new(&format!("S{}", at.position()))
}

/// The domain of a statement as a set of its own tuple.
pub fn named_domain(scope: &Scope, name: &str) -> Set {
    scope.domain.set_tuple_name(DimKind::Out, Some(name))
}
