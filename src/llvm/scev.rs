//! Scalar evolution: what LLVM knows about a value as an expression over loop counters.
//!
//! Expressions cross the boundary once, into a flat table. For `A[i * n + 3]` the subscript is
//!
//!     0: n                         Unknown
//!     1: {3,+,n}<nsw><i-loop>      AddRec [2, 0] in loop i: value 3 + n * (iteration of i)
//!     2: 3                         Constant
//!
//! [`Analyses::scev`] enters an expression and all its operands; [`Analyses::node`] reads one. Equal expressions have
//! equal [`ScevId`]s. Numbers are two's complement of `width` bits; a flag promises that the computation does not wrap.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::analysis::{Analyses, Loop, LoopId};
use super::ffi::*;
use super::instruction::Instruction;
use super::opcode::{IntPredicate, Opcode};
use super::types::{Signedness, Type};
use super::value::{Value, signed};
use super::{Block, ffi, list, owned_text};

/// Position of an expression in the table of its [`Analyses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScevId(pub usize);

/// Must be numbered as `llvm::SCEVTypes` (the shim asserts it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScevKind {
    Constant,
    VScale,
    Truncate,
    ZeroExtend,
    SignExtend,
    Add,
    Mul,
    UDiv,
    AddRec,
    UMax,
    SMax,
    UMin,
    SMin,
    /// `umin` that does not look at later operands once one is 0.
    SequentialUMin,
    PtrToInt,
    Unknown,
    CouldNotCompute,
}

const KINDS: [ScevKind; 17] = {
    use ScevKind::*;
    [
        Constant,
        VScale,
        Truncate,
        ZeroExtend,
        SignExtend,
        Add,
        Mul,
        UDiv,
        AddRec,
        UMax,
        SMax,
        UMin,
        SMin,
        SequentialUMin,
        PtrToInt,
        Unknown,
        CouldNotCompute,
    ]
};

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scev<'ir> {
    pub kind: ScevKind,
    /// Bits; 0 for what could not be computed.
    pub width: u32,
    pub is_pointer: bool,
    /// No unsigned wrap, of an `Add`, `Mul` or `AddRec`.
    pub nuw: bool,
    /// No signed wrap.
    pub nsw: bool,
    /// No self-wrap: an `AddRec` does not come back past its start.
    pub nw: bool,
    /// Of an `AddRec`: start, step, step of the step, ...; of a cast: the operand; of a `UDiv`: dividend, divisor.
    pub operands: Vec<ScevId>,
    /// The loop an `AddRec` counts.
    pub in_loop: Option<LoopId>,
    /// The value of an `Unknown` or a `Constant`.
    pub value: Option<Value<'ir>>,
    /// Of a `Constant` of at most 128 bits, as a signed number.
    pub constant: Option<i128>,
}

/// Inclusive bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i128,
    pub high: i128,
}

/// Which exit count to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    Exact,
    ConstantMaximum,
    SymbolicMaximum,
}

/// Whether an instruction gives the same number in another width.
fn is_cast(instruction: Instruction<'_>) -> bool {
    matches!(instruction.opcode(), Opcode::Trunc | Opcode::SExt | Opcode::ZExt)
}

/// Expressions in order of entry, operands before their users.
#[derive(Default)]
pub(super) struct Table<'ir> {
    nodes: Vec<(*mut ffi::Scev, Rc<Scev<'ir>>)>,
    numbers: HashMap<*mut ffi::Scev, ScevId>,
    /// What was asked by [`Analyses::is_known_in`]: LLVM looks through all conditions around each time.
    known: HashMap<(IntPredicate, ScevId, ScevId, Block<'ir>), bool>,
}

impl<'ir> Analyses<'_, 'ir> {
    /// What the source calls a number that each iteration of the loop changes by the same amount.
    pub fn counter_name(&self, id: LoopId) -> Option<String> {
        let is_counter = |phi: &Instruction<'ir>| {
            let node = self.scev(phi.value()).map(|scev| self.node(scev));
            node.is_some_and(|node| node.kind == ScevKind::AddRec && !node.is_pointer && node.in_loop == Some(id))
        };
        let latch = self.loop_(id).latch;
        let counters: Vec<_> = self.loop_(id).header.phis().into_iter().filter(is_counter).collect();
        let next: Vec<_> = counters.iter().filter_map(|phi| phi.incoming_from(latch?)).collect();
        let casts = counters.iter().flat_map(|phi| phi.users()).filter(|user| is_cast(*user)).map(|user| user.value());
        let steps = || counters.iter().map(|phi| phi.value()).chain(next.iter().copied());
        let named_after = |value: Value<'ir>| value.as_instruction()?.named_after();
        steps().chain(casts).find_map(Value::variable_name).or_else(|| steps().find_map(named_after))
    }

    /// The expression of an integer or pointer value; `None` for other types.
    pub fn scev(&self, value: Value<'ir>) -> Option<ScevId> {
        call!(loopwright_is_scevable(self.evolution, value.raw()))
            .then(|| self.enter(call!(loopwright_scev(self.evolution, value.raw()))))
    }

    /// The same as seen from inside `scope` (`None`: outside all loops): loops that are over have their final value.
    pub fn scev_at(&self, value: Value<'ir>, scope: Option<LoopId>) -> Option<ScevId> {
        self.scev(value).map(|scev| self.at_scope(scev, scope))
    }
    pub fn at_scope(&self, scev: ScevId, scope: Option<LoopId>) -> ScevId {
        self.enter(call!(loopwright_scev_at(self.evolution, self.raw(scev), self.raw_loop(scope))))
    }

    pub fn node(&self, scev: ScevId) -> Rc<Scev<'ir>> {
        Rc::clone(&self.table.borrow().nodes[scev.0].1)
    }
    /// As LLVM prints it.
    pub fn text(&self, scev: ScevId) -> String {
        owned_text(call!(loopwright_scev_text(self.raw(scev)))).unwrap_or_default()
    }
    /// The type of an expression that could be computed.
    pub fn scev_type(&self, scev: ScevId) -> Option<Type<'ir>> {
        Type::from_raw(call!(loopwright_scev_type(self.raw(scev))))
    }

    /// Times the loop goes back to its header if it is left at its end and not in the middle, as unsigned numbers; `None` if it cannot be computed.
    pub fn backedges(&self, id: LoopId, kind: CountKind) -> Option<ScevId> {
        self.computed(call!(loopwright_backedges(self.evolution, self.loop_(id).raw, kind as u32)))
    }

    /// In which iteration, from 0, the loop is left at the end of a block, if it is not left elsewhere before; `None` if that cannot be computed.
    pub fn exit_count(&self, id: LoopId, block: Block<'ir>) -> Option<ScevId> {
        self.computed(call!(loopwright_exit_count(self.evolution, self.loop_(id).raw, block.raw())))
    }

    /// By how much each iteration of a loop changes a number or pointer, if always by the same constant.
    pub fn constant_step(&self, scev: ScevId, id: LoopId) -> Option<i128> {
        let node = self.node(scev);
        let [_, step] = node.operands[..] else { return None };
        let is_of_loop = node.kind == ScevKind::AddRec && node.in_loop == Some(id);
        self.node(step).constant.filter(|_| is_of_loop)
    }

    pub fn is_invariant(&self, scev: ScevId, id: LoopId) -> bool {
        call!(loopwright_scev_is_invariant(self.evolution, self.raw(scev), self.loop_(id).raw))
    }

    /// The values an integer expression of at most 64 bits can take, read as signed numbers.
    pub fn signed_range(&self, scev: ScevId) -> Option<Range> {
        self.range(scev, Signedness::Signed)
    }
    /// The same, read as unsigned numbers.
    pub fn unsigned_range(&self, scev: ScevId) -> Option<Range> {
        self.range(scev, Signedness::Unsigned)
    }
    fn range(&self, scev: ScevId, signedness: Signedness) -> Option<Range> {
        let node = self.node(scev);
        if node.width == 0 || node.width > 64 {
            return None;
        }
        let (mut low, mut high) = ([0u64; 2], [0u64; 2]);
        let (raw, l, h) = (self.raw(scev), low.as_mut_ptr(), high.as_mut_ptr());
        call!(loopwright_scev_range(self.evolution, raw, signedness == Signedness::Signed, l, h));
        Some(Range { low: signed(low), high: signed(high) })
    }

    pub fn is_known(&self, predicate: IntPredicate, left: ScevId, right: ScevId) -> bool {
        let (l, r) = self.comparable(left, right);
        call!(loopwright_is_known(self.evolution, predicate.raw() as u32, l, r))
    }
    /// Known whenever control reaches the block.
    pub fn is_known_in(&self, predicate: IntPredicate, left: ScevId, right: ScevId, block: Block<'ir>) -> bool {
        let asked = (predicate, left, right, block);
        if let Some(known) = self.table.borrow().known.get(&asked) {
            return *known;
        }
        let (l, r) = self.comparable(left, right);
        let known = call!(loopwright_is_known_in(self.evolution, predicate.raw() as u32, l, r, block.raw()));
        self.table.borrow_mut().known.insert(asked, known);
        known
    }
    pub fn is_known_nonnegative(&self, scev: ScevId) -> bool {
        self.signed_range(scev).is_some_and(|range| range.low >= 0)
    }

    pub fn constant(&self, ty: Type<'ir>, value: i64) -> ScevId {
        assert!(ty.is_integer(), "law: an integer constant has an integer type");
        self.enter(call!(loopwright_scev_constant(self.evolution, ty.raw(), value)))
    }
    pub fn sum(&self, a: ScevId, b: ScevId) -> ScevId {
        let (a, b) = (self.raw(a), self.raw(b));
        self.enter(call!(loopwright_scev_sum(self.evolution, a, b)))
    }
    pub fn product(&self, a: ScevId, b: ScevId) -> ScevId {
        let (a, b) = self.comparable(a, b);
        self.enter(call!(loopwright_scev_product(self.evolution, a, b)))
    }
    /// `None` for pointers into different objects.
    pub fn difference(&self, a: ScevId, b: ScevId) -> Option<ScevId> {
        let (a, b) = self.comparable(a, b);
        self.computed(call!(loopwright_scev_difference(self.evolution, a, b)))
    }
    /// Extended or truncated to an integer type.
    pub fn resized(&self, scev: ScevId, ty: Type<'ir>, signedness: Signedness) -> ScevId {
        assert!(ty.is_integer() && !self.node(scev).is_pointer, "law: only integers are resized");
        self.enter(call!(loopwright_scev_extended(
            self.evolution,
            self.raw(scev),
            ty.raw(),
            signedness == Signedness::Signed
        )))
    }

    /// The pointer an address is computed from, usually an `Unknown`, and the bytes added to it.
    pub fn base_and_offset(&self, address: ScevId) -> (ScevId, ScevId) {
        assert!(self.node(address).is_pointer, "law: only an address has a base");
        let base = self.enter(call!(loopwright_pointer_base(self.evolution, self.raw(address))));
        (base, self.enter(call!(loopwright_pointer_offset(self.evolution, self.raw(address)))))
    }

    /// Whether code for the expression may be put before an instruction: its parts are defined there and cannot trap.
    pub fn can_expand(&self, scev: ScevId, before: Instruction<'ir>) -> bool {
        self.node(scev).kind != ScevKind::CouldNotCompute
            && call!(loopwright_can_expand(self.evolution, self.raw(scev), before.raw()))
    }
    /// Writes code that computes the expression before an instruction. Requires `can_expand`.
    pub fn expand(&self, scev: ScevId, before: Instruction<'ir>) -> Value<'ir> {
        assert!(self.can_expand(scev, before), "law: what is expanded can be expanded there");
        let ty = self.scev_type(scev).expect("law: what can be expanded has a type");
        Value::known(call!(loopwright_expand(self.evolution, self.raw(scev), ty.raw(), before.raw())))
    }

    /// The values that an expression is computed from.
    pub fn unknowns(&self, scev: ScevId) -> Vec<Value<'ir>> {
        let (mut found, mut pending, mut seen) = (Vec::new(), vec![scev], HashSet::new());
        while let Some(scev) = pending.pop() {
            if !seen.insert(scev.0) {
                continue;
            }
            let node = self.node(scev);
            found.extend(node.value.filter(|_| node.kind == ScevKind::Unknown));
            pending.extend(&node.operands);
        }
        found
    }
    /// Has `expand` no longer use a value, whatever it is known to be equal to.
    pub fn forget(&self, value: Value<'ir>) {
        call!(loopwright_forget_value(self.evolution, value.raw()));
    }

    fn raw(&self, scev: ScevId) -> *mut ffi::Scev {
        self.table.borrow().nodes[scev.0].0
    }
    fn raw_loop(&self, id: Option<LoopId>) -> *mut ffi::Loop {
        id.map_or(std::ptr::null_mut(), |id| self.loop_(id).raw)
    }
    fn comparable(&self, a: ScevId, b: ScevId) -> (*mut ffi::Scev, *mut ffi::Scev) {
        assert!(self.node(a).width == self.node(b).width, "law: both sides of an operation have one width");
        (self.raw(a), self.raw(b))
    }

    fn computed(&self, raw: *mut ffi::Scev) -> Option<ScevId> {
        if raw.is_null() {
            return None;
        }
        let scev = self.enter(raw);
        (self.node(scev).kind != ScevKind::CouldNotCompute).then_some(scev)
    }

    /// The number of an expression, entered with all it mentions when new. Does not recurse: expressions may be deep.
    fn enter(&self, root: *mut ffi::Scev) -> ScevId {
        let mut pending = vec![root];
        while let Some(&raw) = pending.last() {
            if self.table.borrow().numbers.contains_key(&raw) {
                pending.pop();
                continue;
            }
            let operands = list(|out, room| call!(loopwright_scev_operands(raw, out, room)));
            let missing: Vec<_> = {
                let table = self.table.borrow();
                operands.iter().copied().filter(|operand| !table.numbers.contains_key(operand)).collect()
            };
            if missing.is_empty() {
                self.add(raw, &operands);
                pending.pop();
            } else {
                pending.extend(missing);
            }
        }
        self.table.borrow().numbers[&root]
    }

    fn add(&self, raw: *mut ffi::Scev, operands: &[*mut ffi::Scev]) {
        let mut table = self.table.borrow_mut();
        let kind = KINDS[call!(loopwright_scev_kind(raw)) as usize];
        let flags = call!(loopwright_scev_flags(raw));
        let value = Value::from_raw(call!(loopwright_scev_value(raw)));
        let ty: Option<Type<'ir>> = Type::from_raw(call!(loopwright_scev_type(raw)));
        let node = Scev {
            kind,
            width: call!(loopwright_scev_width(self.evolution, raw)),
            is_pointer: ty.is_some_and(Type::is_pointer),
            nuw: flags & 2 != 0,
            nsw: flags & 4 != 0,
            nw: flags & 1 != 0,
            operands: operands.iter().map(|operand| table.numbers[operand]).collect(),
            in_loop: self.loop_number(call!(loopwright_scev_loop(raw))),
            value,
            constant: value.filter(|_| kind == ScevKind::Constant).and_then(Value::as_integer),
        };
        let id = ScevId(table.nodes.len());
        table.nodes.push((raw, Rc::new(node)));
        table.numbers.insert(raw, id);
    }
}

impl<'ir> Loop<'ir> {
    /// All that is in its blocks, inner loops included.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction<'ir>> {
        self.blocks.iter().flat_map(|block| block.instructions())
    }

    /// Whether an instruction is in one of its blocks.
    pub fn holds(&self, instruction: Instruction<'ir>) -> bool {
        instruction.block().is_some_and(|block| self.blocks.contains(&block))
    }

    /// Whether the loop is bottom-tested with a single way out: the shape in which its exact count is its trip count.
    pub fn has_single_exit(&self) -> bool {
        self.exiting.len() == 1 && self.latch == self.exiting.first().copied()
    }

    /// The block behind a loop that is bottom-tested, where the latch leads to; other ways out are in the middle.
    pub fn exit_of_latch(&self) -> Option<Block<'ir>> {
        let latch = self.latch.filter(|latch| self.exiting.contains(latch))?;
        let mut outside = latch.successors().into_iter().filter(|next| !self.blocks.contains(next));
        outside.next().filter(|exit| outside.all(|other| other == *exit))
    }
}
