//! LLVM's analyses of one function: loops, dominance, aliases, the target; scalar evolution is in [`scev`](super::scev).
//!
//! The loop forest crosses the boundary once, as a table in preorder:
//!
//!     for (i) { for (j) { } for (k) { } }        gives        loops: i (depth 1), j (depth 2), k (depth 2)
//!
//! so that `LoopId(1)` is `j`, whose `parent` is `LoopId(0)`, and inner loops always come after the loops around them.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;

use super::debug::Location;
use super::ffi::{self, *};
use super::instruction::Instruction;
use super::ir::{Block, Function};
use super::scev::{CountKind, Table};
use super::touched::OfArguments;
use super::types::Type;
use super::value::Value;
use super::{list, owned_text, zero_terminated};

/// Position of a loop in [`Analyses::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub usize);

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop<'ir> {
    pub id: LoopId,
    pub parent: Option<LoopId>,
    pub children: Vec<LoopId>,
    /// 1 for an outermost loop.
    pub depth: usize,
    pub header: Block<'ir>,
    /// The one block that jumps back, if there is one.
    pub latch: Option<Block<'ir>>,
    /// The one block before the header that leads only there, if there is one.
    pub preheader: Option<Block<'ir>>,
    /// Header first; blocks of inner loops included.
    pub blocks: Vec<Block<'ir>>,
    /// Blocks outside that are reached from inside, each once.
    pub exits: Vec<Block<'ir>>,
    /// Blocks inside that lead outside.
    pub exiting: Vec<Block<'ir>>,
    /// Has a preheader, one latch and exits that are reached only from inside.
    pub simplified: bool,
    /// The latch decides whether to go on.
    pub rotated: bool,
    /// The phi that counts the iterations, where LLVM recognises one.
    pub counter: Option<Instruction<'ir>>,
    /// Where it starts in the source.
    pub location: Option<Location<'ir>>,
    pub(super) raw: *mut ffi::Loop,
}

/// What the types of two accesses say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Types {
    Count,
    Forgotten,
}

/// How two pointers, followed by any number of bytes on either side, may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    Never,
    Maybe,
    Partly,
    Same,
}

/// Opens a scope of `alias.scope` and `noalias` metadata.
const SCOPE: &str = "llvm.experimental.noalias.scope.decl";

/// The analyses of a function, valid as long as nothing invalidates them (`'a` borrows the [`Session`](super::Session)).
pub struct Analyses<'a, 'ir> {
    pub(super) managers: *mut FunctionManagers,
    pub(super) function: Function<'ir>,
    pub(super) evolution: *mut Evolution,
    forest: *mut LoopForest,
    dominators: *mut Dominators,
    has_scopes_in_loops: OnceCell<bool>,
    /// See [`Analyses::places`].
    places: OnceCell<HashMap<Block<'ir>, usize>>,
    loops: Vec<Loop<'ir>>,
    loop_numbers: HashMap<*mut ffi::Loop, LoopId>,
    pub(super) table: RefCell<Table<'ir>>,
    /// What functions do that it calls, where that was asked.
    pub(super) called: RefCell<HashMap<Value<'ir>, Option<Rc<OfArguments<'ir>>>>>,
    session: PhantomData<&'a ()>,
}

impl<'a, 'ir> Analyses<'a, 'ir> {
    pub(super) fn new(managers: *mut FunctionManagers, function: Function<'ir>) -> Self {
        assert!(function.has_body(), "law: only a body has analyses");
        let evolution = call!(loopwright_scalar_evolution(managers, function.raw()));
        let forest = call!(loopwright_loop_info(managers, function.raw()));
        let raw = list(|out, room| call!(loopwright_loops(forest, out, room)));
        let loop_numbers: HashMap<_, _> = raw.iter().enumerate().map(|(at, raw)| (*raw, LoopId(at))).collect();
        let mut loops: Vec<Loop<'ir>> = Vec::new();
        for raw in raw {
            let parent = loop_numbers.get(&call!(loopwright_loop_parent(raw))).copied();
            let id = LoopId(loops.len());
            let depth = parent.map_or(1, |parent| loops[parent.0].depth + 1);
            if let Some(parent) = parent {
                loops[parent.0].children.push(id);
            }
            loops.push(read_loop(raw, evolution, id, parent, depth));
        }
        Analyses {
            managers,
            function,
            evolution,
            forest,
            dominators: call!(loopwright_dominators(managers, function.raw())),
            has_scopes_in_loops: OnceCell::new(),
            places: OnceCell::new(),
            loops,
            loop_numbers,
            table: RefCell::default(),
            called: RefCell::default(),
            session: PhantomData,
        }
    }

    pub fn function(&self) -> Function<'ir> {
        self.function
    }

    /// The same for another function with a body.
    pub fn of(&self, function: Function<'ir>) -> Self {
        Analyses::new(self.managers, function)
    }

    /// All loops in preorder, siblings in program order.
    pub fn loops(&self) -> &[Loop<'ir>] {
        &self.loops
    }
    pub fn loop_(&self, id: LoopId) -> &Loop<'ir> {
        &self.loops[id.0]
    }
    pub fn outermost_loops(&self) -> impl Iterator<Item = &Loop<'ir>> {
        self.loops.iter().filter(|l| l.parent.is_none())
    }
    /// The innermost loop around a block.
    pub fn loop_of(&self, block: Block<'ir>) -> Option<LoopId> {
        self.loop_number(call!(loopwright_loop_of(self.forest, block.raw())))
    }
    pub(super) fn loop_number(&self, raw: *mut ffi::Loop) -> Option<LoopId> {
        self.loop_numbers.get(&raw).copied()
    }
    /// Whether `inner` is `outer` or lies in it.
    pub fn is_within(&self, inner: LoopId, outer: LoopId) -> bool {
        self.around(inner).any(|id| id == outer)
    }
    /// The loop and those around it, innermost first.
    pub fn around(&self, id: LoopId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(Some(id), |id| self.loops[id.0].parent)
    }

    /// The reachable blocks, each before its successors except along back edges, when somebody asked first: the first
    /// has number 0.
    pub fn places(&self) -> &HashMap<Block<'ir>, usize> {
        let numbered = || self.function.reverse_postorder().into_iter().enumerate();
        self.places.get_or_init(|| numbered().map(|(at, block)| (block, at)).collect())
    }

    /// Instructions in the loops.
    pub fn size(&self, loops: &[LoopId]) -> usize {
        loops.iter().flat_map(|id| &self.loop_(*id).blocks).map(|block| block.instructions().len()).sum()
    }

    /// So many instructions at most run in the loops each time, if all of them have limits that LLVM knows.
    pub fn most_executed(&self, loops: &[LoopId]) -> Option<u64> {
        let run = |id: &LoopId| -> Option<u64> {
            let this = self.loop_(*id);
            let again = self.node(self.backedges(*id, CountKind::ConstantMaximum)?).constant?;
            let inside = self.size(&[*id]).saturating_sub(self.size(&this.children)) as u64;
            let each = inside.saturating_add(self.most_executed(&this.children)?);
            Some(u64::try_from(again).ok()?.saturating_add(1).saturating_mul(each))
        };
        loops.iter().try_fold(0, |sum: u64, id| Some(sum.saturating_add(run(id)?)))
    }

    /// Every path from the entry to `b` passes `a` (a block dominates itself).
    pub fn dominates(&self, a: Block<'ir>, b: Block<'ir>) -> bool {
        call!(loopwright_block_dominates(self.dominators, a.raw(), b.raw()))
    }
    pub fn immediate_dominator(&self, block: Block<'ir>) -> Option<Block<'ir>> {
        Block::from_raw(call!(loopwright_immediate_dominator(self.dominators, block.raw())))
    }
    /// Whether `value` is defined whenever control reaches `at`.
    pub fn is_available(&self, value: Value<'ir>, at: Instruction<'ir>) -> bool {
        value.as_instruction().is_none() || call!(loopwright_value_dominates(self.dominators, value.raw(), at.raw()))
    }

    /// How the objects behind two pointers may overlap, whatever is added to the pointers and in whichever iterations they are computed.
    pub fn overlap(&self, a: Value<'ir>, b: Value<'ir>) -> Overlap {
        assert!(a.ty().is_pointer() && b.ty().is_pointer(), "law: only pointers overlap");
        overlap(call!(loopwright_alias(self.aliases(), a.raw(), b.raw())))
    }
    /// The same for the locations of two loads or stores, with what their metadata says of scopes, but not of types: memory that was read
    /// as one type may be written as another one afterwards.
    pub fn overlap_of_accesses(&self, a: Instruction<'ir>, b: Instruction<'ir>) -> Overlap {
        self.overlap_by_metadata(a, b, Types::Forgotten)
    }
    /// The same with what their types say. That is no more than this: what one of them wrote is not what the other one reads.
    pub fn overlap_by_types(&self, a: Instruction<'ir>, b: Instruction<'ir>) -> Overlap {
        self.overlap_by_metadata(a, b, Types::Count)
    }
    /// How the bytes that two loads or stores touch may overlap, in whichever iterations, whatever their types say.
    pub fn overlap_of_bytes(&self, a: Instruction<'ir>, b: Instruction<'ir>) -> Overlap {
        assert!(a.memory().is_some() && b.memory().is_some(), "law: only loads and stores have a location");
        overlap(call!(loopwright_alias_bytes(self.aliases(), a.raw(), b.raw(), self.forgets_scopes())))
    }
    fn overlap_by_metadata(&self, a: Instruction<'ir>, b: Instruction<'ir>, types: Types) -> Overlap {
        assert!(a.memory().is_some() && b.memory().is_some(), "law: only loads and stores have a location");
        let (a, b, forgets_scopes) = (a.raw(), b.raw(), self.forgets_scopes());
        overlap(call!(loopwright_alias_instructions(self.aliases(), a, b, forgets_scopes, types == Types::Forgotten)))
    }
    /// Whether what scopes say holds in one iteration only: some are opened in a loop, as where a call with `restrict` pointers was inlined.
    pub(super) fn forgets_scopes(&self) -> bool {
        *self.has_scopes_in_loops.get_or_init(|| {
            let is_in_loop = |block: &Block<'ir>| self.loop_of(*block).is_some();
            let opens =
                |i: Instruction<'ir>| i.call().and_then(|call| call.intrinsic()).is_some_and(|name| name == SCOPE);
            let blocks = self.function.blocks();
            blocks.into_iter().filter(is_in_loop).any(|block| block.instructions().into_iter().any(opens))
        })
    }

    pub(super) fn aliases(&self) -> *mut Aliases {
        call!(loopwright_aliases(self.managers, self.function.raw()))
    }

    /// Whether `bytes` at `pointer` may be read at `at` without a trap.
    pub fn is_dereferenceable(&self, pointer: Value<'ir>, bytes: u64, at: Instruction<'ir>) -> bool {
        let assumptions = call!(loopwright_assumptions(self.managers, self.function.raw()));
        call!(loopwright_is_dereferenceable(pointer.raw(), bytes, 1, at.raw(), self.dominators, assumptions))
    }

    /// What the processor takes to start such an instruction, in additions: of one value, or of a vector of so many. None if LLVM does not know.
    pub fn throughput(&self, instruction: Instruction<'ir>, lanes: u32) -> Option<u32> {
        let target = call!(loopwright_target(self.managers, self.function.raw()));
        Some(call!(loopwright_throughput(target, instruction.raw(), lanes))).filter(|cost| *cost > 0)
    }

    /// The number that a loop's metadata gives under a name such as `llvm.loop.unroll.count`; 1 if the name stands alone there.
    pub fn loop_attribute(&self, id: LoopId, name: &str) -> Option<u64> {
        u64::try_from(call!(loopwright_loop_attribute(self.loop_(id).raw, zero_terminated(name).as_ptr()))).ok()
    }

    /// Whether the source says that a loop, which does nothing that is seen from outside, comes to its end.
    pub fn must_end(&self, id: LoopId) -> bool {
        self.function().has_attribute("mustprogress") || self.loop_attribute(id, "llvm.loop.mustprogress").is_some()
    }

    /// Bits of the vectors that LLVM makes of loops.
    pub fn vector_bits(&self) -> u32 {
        let target = call!(loopwright_target(self.managers, self.function.raw()));
        call!(loopwright_vector_bits(target))
    }

    /// Whether vectors are read from any place as fast as from multiples of their size.
    pub fn loads_from_any_place(&self) -> bool {
        let target = call!(loopwright_target(self.managers, self.function.raw()));
        self.vector_bits() > 0 && call!(loopwright_loads_from_any_place(target, self.function.raw()))
    }

    /// How many elements a vector has of which the processor moves those that a mask names together, if it does that and the function may use vectors.
    pub fn compressed_lanes(&self, element: Type<'ir>) -> Option<u32> {
        if self.function().has_attribute("noimplicitfloat") {
            return None;
        }
        let target = call!(loopwright_target(self.managers, self.function.raw()));
        let lanes = self.vector_bits() / element.number_width()?;
        (lanes > 1 && call!(loopwright_can_compress(target, Type::vector(element, lanes).raw()))).then_some(lanes)
    }

    /// The C library function a call reaches, by its standard name and only if the target has it.
    pub fn library_function(&self, call: Instruction<'ir>) -> Option<String> {
        call.call()?.callee()?;
        let library = call!(loopwright_library(self.managers, self.function.raw()));
        owned_text(call!(loopwright_library_function(library, call.raw())))
    }
}

fn read_loop<'ir>(
    raw: *mut ffi::Loop,
    evolution: *mut Evolution,
    id: LoopId,
    parent: Option<LoopId>,
    depth: usize,
) -> Loop<'ir> {
    let blocks = |raw: Vec<_>| raw.into_iter().map(Block::known).collect();
    Loop {
        id,
        parent,
        children: Vec::new(),
        depth,
        header: Block::known(call!(loopwright_loop_header(raw))),
        latch: Block::from_raw(call!(loopwright_loop_latch(raw))),
        preheader: Block::from_raw(call!(loopwright_loop_preheader(raw))),
        blocks: blocks(list(|out, room| call!(loopwright_loop_blocks(raw, out, room)))),
        exits: blocks(list(|out, room| call!(loopwright_loop_exits(raw, out, room)))),
        exiting: blocks(list(|out, room| call!(loopwright_loop_exiting(raw, out, room)))),
        simplified: call!(loopwright_loop_is_simplified(raw)),
        rotated: call!(loopwright_loop_is_rotated(raw)),
        counter: Instruction::from_raw(call!(loopwright_loop_counter(raw, evolution))),
        location: Location::from_raw(call!(loopwright_loop_location(raw))).map(Location::of_user),
        raw,
    }
}

/// Must match `llvm::AliasResult::Kind`.
fn overlap(raw: u32) -> Overlap {
    match raw & 0xff {
        0 => Overlap::Never,
        2 => Overlap::Partly,
        3 => Overlap::Same,
        _ => Overlap::Maybe,
    }
}
