//! Instructions, seen as a matcher wants them.
//!
//! `%c = getelementptr inbounds [8 x double], ptr %A, i64 %i, i64 %j` answers `opcode() == GetElementPtr` and
//! `address() == Some(Address { element: [8 x double], base: %A, indices: [%i, %j], inbounds: true, .. })`.
//! A view (`memory`, `call`, `branch`, `alloca`, ...) is `None` for instructions of another kind.

use std::collections::HashSet;
use std::fmt;

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::{LLVMAtomicOrdering, LLVMOpcode};

use super::debug::Location;
use super::ffi::*;
use super::ir::{Block, Context, Function};
use super::opcode::{FloatPredicate, IntPredicate, Opcode};
use super::types::{Layout, Type};
use super::{borrowed_text, zero_terminated};

use super::value::{Value, ValueKind};

handle! {
    /// An instruction in a block, or one that was cloned and not yet inserted.
    Instruction(llvm_sys::LLVMValue)
}

/// `getelementptr`: `base` plus `indices[0]` elements, then into the element.
#[derive(Clone, Debug)]
pub struct Address<'ir> {
    pub element: Type<'ir>,
    pub base: Value<'ir>,
    pub indices: Vec<Value<'ir>>,
    pub inbounds: bool,
    /// No signed wrap of the offsets (`inbounds` implies it).
    pub nusw: bool,
    pub nuw: bool,
}

/// A load or store.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess<'ir> {
    pub pointer: Value<'ir>,
    pub ty: Type<'ir>,
    /// What a store writes; `None` for a load.
    pub stored: Option<Value<'ir>>,
    pub alignment: u32,
    /// Neither volatile nor atomic.
    pub simple: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Alloca<'ir> {
    pub ty: Type<'ir>,
    pub count: Value<'ir>,
    pub alignment: u32,
}

/// Where a `br` goes.
#[derive(Clone, Copy, Debug)]
pub enum Branch<'ir> {
    Always(Block<'ir>),
    If { condition: Value<'ir>, then: Block<'ir>, otherwise: Block<'ir> },
}

/// Promises on an arithmetic instruction, each of which makes the result poison when broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrapping {
    pub nuw: bool,
    pub nsw: bool,
    pub exact: bool,
}

/// Permissions on a floating-point instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FastMath {
    pub reassoc: bool,
    pub no_nans: bool,
    pub no_infs: bool,
    pub no_signed_zeros: bool,
    pub reciprocal: bool,
    pub contract: bool,
    pub approximate: bool,
}

impl MemoryAccess<'_> {
    /// Whether it is to memory that has the same addresses on every thread: other address spaces may begin at a register of the thread.
    pub fn is_common(&self) -> bool {
        call!(loopwright_address_space(self.pointer.raw())) == 0
    }
}

/// What a call may do to one kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    pub reads: bool,
    pub writes: bool,
}

/// A call; a view on an instruction of opcode `Call` or `Invoke`.
#[derive(Clone, Copy)]
pub struct Call<'ir>(Instruction<'ir>);

impl<'ir> Instruction<'ir> {
    pub fn value(self) -> Value<'ir> {
        Value::known(self.raw())
    }
    pub fn ty(self) -> Type<'ir> {
        self.value().ty()
    }
    pub fn name(self) -> String {
        self.value().name()
    }
    pub fn context(self) -> Context<'ir> {
        self.ty().context()
    }
    pub fn opcode(self) -> Opcode {
        Opcode::from_raw(call!(LLVMGetInstructionOpcode(self.raw())))
    }

    /// `None` for an instruction that is not in a block.
    pub fn block(self) -> Option<Block<'ir>> {
        Block::from_raw(call!(LLVMGetInstructionParent(self.raw())))
    }
    pub fn function(self) -> Option<Function<'ir>> {
        self.block().map(Block::function)
    }
    pub fn next(self) -> Option<Instruction<'ir>> {
        Instruction::from_raw(call!(LLVMGetNextInstruction(self.raw())))
    }
    pub fn previous(self) -> Option<Instruction<'ir>> {
        Instruction::from_raw(call!(LLVMGetPreviousInstruction(self.raw())))
    }

    pub fn operands(self) -> Vec<Value<'ir>> {
        self.value().operands()
    }
    pub fn operand(self, at: usize) -> Value<'ir> {
        assert!(at < self.operand_count(), "law: an instruction has no operand beyond its last");
        Value::known(call!(LLVMGetOperand(self.raw(), at as u32)))
    }
    pub fn operand_count(self) -> usize {
        usize::try_from(call!(LLVMGetNumOperands(self.raw()))).unwrap_or(0)
    }
    pub fn users(self) -> Vec<Instruction<'ir>> {
        self.value().users()
    }

    pub fn is_terminator(self) -> bool {
        !call!(LLVMIsATerminatorInst(self.raw())).is_null()
    }
    pub fn is_phi(self) -> bool {
        self.opcode() == Opcode::Phi
    }

    /// Writes memory, throws or may not return.
    pub fn has_side_effects(self) -> bool {
        call!(loopwright_has_side_effects(self.raw()))
    }
    pub fn may_read_memory(self) -> bool {
        call!(loopwright_may_read(self.raw()))
    }
    pub fn may_write_memory(self) -> bool {
        call!(loopwright_may_write(self.raw()))
    }
    pub fn may_throw(self) -> bool {
        call!(loopwright_may_throw(self.raw()))
    }
    pub fn will_return(self) -> bool {
        call!(loopwright_will_return(self.raw()))
    }
    /// Executing it where it was not executed before is harmless (no trap, no effect).
    pub fn is_speculatable(self) -> bool {
        call!(loopwright_is_speculatable(self.raw()))
    }
    /// A debug or lifetime marker, an assumption or another intrinsic that computes nothing.
    pub fn is_marker(self) -> bool {
        const MARKERS: [&str; 8] = [
            "llvm.dbg.",
            "llvm.lifetime.",
            "llvm.assume",
            "llvm.experimental.noalias.scope.decl",
            "llvm.donothing",
            "llvm.invariant.",
            "llvm.pseudoprobe",
            "llvm.sideeffect",
        ];
        let name = self.call().and_then(Call::intrinsic);
        name.is_some_and(|name| MARKERS.iter().any(|marker| name.starts_with(marker)))
    }

    /// Incoming value and block of each edge of a phi, in its order.
    pub fn incoming(self) -> Vec<(Value<'ir>, Block<'ir>)> {
        if !self.is_phi() {
            return Vec::new();
        }
        let edge = |at| {
            let value = Value::known(call!(LLVMGetIncomingValue(self.raw(), at)));
            (value, Block::known(call!(LLVMGetIncomingBlock(self.raw(), at))))
        };
        (0..call!(LLVMCountIncoming(self.raw()))).map(edge).collect()
    }
    /// The value a phi takes when control comes from `block`.
    pub fn incoming_from(self, block: Block<'ir>) -> Option<Value<'ir>> {
        self.incoming().into_iter().find(|(_, from)| *from == block).map(|(value, _)| value)
    }

    pub fn successors(self) -> Vec<Block<'ir>> {
        if !self.is_terminator() {
            return Vec::new();
        }
        let count = call!(LLVMGetNumSuccessors(self.raw()));
        (0..count).map(|at| Block::known(call!(LLVMGetSuccessor(self.raw(), at)))).collect()
    }

    /// What a switch is about, where it leads by default, and for which values elsewhere.
    pub fn switch(self) -> Option<(Value<'ir>, Block<'ir>, Vec<(Value<'ir>, Block<'ir>)>)> {
        let [default, ref others @ ..] = self.successors()[..] else { return None };
        let case = |at: u32| Value::known(call!(LLVMGetSwitchCaseValue(self.raw(), at)));
        let cases = || (1..).zip(others).map(|(at, to)| (case(at), *to)).collect();
        (self.opcode() == Opcode::Switch).then(|| (self.operand(0), default, cases()))
    }

    pub fn branch(self) -> Option<Branch<'ir>> {
        if self.opcode() != Opcode::Branch {
            return None;
        }
        let next = self.successors();
        Some(match next[..] {
            [only] => Branch::Always(only),
            _ => Branch::If {
                condition: Value::known(call!(LLVMGetCondition(self.raw()))),
                then: next[0],
                otherwise: next[1],
            },
        })
    }

    /// Condition and the two choices.
    pub fn select(self) -> Option<(Value<'ir>, Value<'ir>, Value<'ir>)> {
        (self.opcode() == Opcode::Select).then(|| (self.operand(0), self.operand(1), self.operand(2)))
    }

    pub fn icmp(self) -> Option<(IntPredicate, Value<'ir>, Value<'ir>)> {
        (self.opcode() == Opcode::ICmp).then(|| {
            (IntPredicate::from_raw(call!(LLVMGetICmpPredicate(self.raw()))), self.operand(0), self.operand(1))
        })
    }
    pub fn fcmp(self) -> Option<(FloatPredicate, Value<'ir>, Value<'ir>)> {
        (self.opcode() == Opcode::FCmp).then(|| {
            (FloatPredicate::from_raw(call!(LLVMGetFCmpPredicate(self.raw()))), self.operand(0), self.operand(1))
        })
    }

    pub fn address(self) -> Option<Address<'ir>> {
        (self.opcode() == Opcode::GetElementPtr).then(|| Address::of(self.value()))
    }

    pub fn memory(self) -> Option<MemoryAccess<'ir>> {
        let (pointer, ty, stored) = match self.opcode() {
            Opcode::Load => (self.operand(0), self.ty(), None),
            Opcode::Store => (self.operand(1), self.operand(0).ty(), Some(self.operand(0))),
            _ => return None,
        };
        let simple = call!(LLVMGetVolatile(self.raw())) == 0
            && call!(LLVMGetOrdering(self.raw())) == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        Some(MemoryAccess { pointer, ty, stored, alignment: call!(LLVMGetAlignment(self.raw())), simple })
    }

    pub fn alloca(self) -> Option<Alloca<'ir>> {
        (self.opcode() == Opcode::Alloca).then(|| Alloca {
            ty: Type::known(call!(LLVMGetAllocatedType(self.raw()))),
            count: self.operand(0),
            alignment: call!(LLVMGetAlignment(self.raw())),
        })
    }

    pub fn call(self) -> Option<Call<'ir>> {
        matches!(self.opcode(), Opcode::Call | Opcode::Invoke | Opcode::CallBranch).then_some(Call(self))
    }

    pub fn wrapping(self) -> Wrapping {
        use Opcode::*;
        match self.opcode() {
            Add | Sub | Mul | Shl | Trunc => Wrapping {
                nuw: call!(LLVMGetNUW(self.raw())) != 0,
                nsw: call!(LLVMGetNSW(self.raw())) != 0,
                exact: false,
            },
            UDiv | SDiv | LShr | AShr => {
                Wrapping { exact: call!(LLVMGetExact(self.raw())) != 0, ..Wrapping::default() }
            }
            _ => Wrapping::default(),
        }
    }
    /// A `zext` or `uitofp` whose operand is promised not to be negative.
    pub fn is_nonnegative_cast(self) -> bool {
        matches!(self.opcode(), Opcode::ZExt | Opcode::UiToFp) && call!(LLVMGetNNeg(self.raw())) != 0
    }
    /// An `or` whose operands share no bit, that is, an addition.
    pub fn is_disjoint_or(self) -> bool {
        self.opcode() == Opcode::Or && call!(LLVMGetIsDisjoint(self.raw())) != 0
    }

    pub fn fast_math(self) -> FastMath {
        if call!(LLVMCanValueUseFastMathFlags(self.raw())) == 0 {
            return FastMath::default();
        }
        let flags = call!(LLVMGetFastMathFlags(self.raw()));
        let has = |bit: u32| flags & bit != 0;
        FastMath {
            reassoc: has(llvm_sys::LLVMFastMathAllowReassoc),
            no_nans: has(llvm_sys::LLVMFastMathNoNaNs),
            no_infs: has(llvm_sys::LLVMFastMathNoInfs),
            no_signed_zeros: has(llvm_sys::LLVMFastMathNoSignedZeros),
            reciprocal: has(llvm_sys::LLVMFastMathAllowReciprocal),
            contract: has(llvm_sys::LLVMFastMathAllowContract),
            approximate: has(llvm_sys::LLVMFastMathApproxFunc),
        }
    }

    /// Where in the source, if the build keeps locations.
    pub fn location(self) -> Option<Location<'ir>> {
        Location::from_raw(call!(LLVMInstructionGetDebugLoc(self.raw())))
    }
}

impl<'ir> Address<'ir> {
    /// The address computed by an instruction or a constant expression.
    pub fn of_value(value: Value<'ir>) -> Option<Address<'ir>> {
        let is_address = match value.kind() {
            ValueKind::Instruction => value.as_instruction()?.opcode() == Opcode::GetElementPtr,
            ValueKind::ConstantExpression => call!(LLVMGetConstOpcode(value.raw())) == LLVMOpcode::LLVMGetElementPtr,
            _ => false,
        };
        is_address.then(|| Address::of(value))
    }

    /// The bytes from the base: what is constant of them, and the indices that are not, with the bytes of one step of each; `None` for types
    /// without a constant layout.
    pub fn offset(&self, layout: Layout<'ir>) -> Option<(i128, Vec<(Value<'ir>, i128)>)> {
        let (mut constant, mut terms, mut ty) = (0i128, Vec::new(), self.element);
        for (at, index) in self.indices.iter().enumerate() {
            if at > 0 && !ty.fields().is_empty() {
                let field = u32::try_from(index.as_integer()?).ok()?;
                constant = constant.checked_add(i128::from(layout.field_offset(ty, field)))?;
                ty = *ty.fields().get(field as usize)?;
                continue;
            }
            if at > 0 {
                ty = ty.element()?;
            }
            let bytes = i128::from(layout.alloc_size(ty));
            match index.as_integer() {
                Some(index) => constant = constant.checked_add(index.checked_mul(bytes)?)?,
                None => terms.push((*index, bytes)),
            }
        }
        Some((constant, terms))
    }

    /// Whether every step of the computation of `pointer` stays inside the one object that `base` points to, also where it goes round loops.
    pub fn is_inside(pointer: Value<'ir>, base: Value<'ir>) -> bool {
        let mut seen = HashSet::new();
        let mut pending = vec![pointer];
        while let Some(here) = pending.pop() {
            if here == base || !seen.insert(here) {
                continue;
            }
            match (Address::of_value(here), here.as_instruction().filter(|i| i.is_phi())) {
                (Some(address), _) if address.inbounds => pending.push(address.base),
                (None, Some(phi)) => pending.extend(phi.incoming().into_iter().map(|(value, _)| value)),
                _ => return false,
            }
        }
        true
    }

    fn of(value: Value<'ir>) -> Address<'ir> {
        let operands = value.operands();
        let flags = call!(LLVMGEPGetNoWrapFlags(value.raw()));
        Address {
            element: Type::known(call!(LLVMGetGEPSourceElementType(value.raw()))),
            base: operands[0],
            indices: operands[1..].to_vec(),
            inbounds: flags & llvm_sys::LLVMGEPFlagInBounds != 0,
            nusw: flags & (llvm_sys::LLVMGEPFlagNUSW | llvm_sys::LLVMGEPFlagInBounds) != 0,
            nuw: flags & llvm_sys::LLVMGEPFlagNUW != 0,
        }
    }
}

impl<'ir> Call<'ir> {
    pub fn instruction(self) -> Instruction<'ir> {
        self.0
    }
    /// What is called.
    pub fn target(self) -> Value<'ir> {
        Value::known(call!(LLVMGetCalledValue(self.0.raw())))
    }
    /// The function called, if it is known, and called as what it is: C without prototypes, for one, calls functions with what they do not take.
    pub fn callee(self) -> Option<Function<'ir>> {
        let called_as = Type::known(call!(LLVMGetCalledFunctionType(self.0.raw())));
        self.target().as_function().filter(|function| function.ty() == called_as)
    }
    pub fn arguments(self) -> Vec<Value<'ir>> {
        let count = call!(LLVMGetNumArgOperands(self.0.raw())) as usize;
        self.0.operands().into_iter().take(count).collect()
    }

    /// The intrinsic's name without its type suffix, such as `llvm.fmuladd`.
    pub fn intrinsic(self) -> Option<String> {
        let id = call!(LLVMGetIntrinsicID(self.callee()?.raw()));
        if id == 0 {
            return None;
        }
        let mut length = 0;
        let raw = call!(LLVMIntrinsicGetName(id, &mut length));
        Some(borrowed_text(raw, length))
    }

    /// Effects on memory its pointer arguments reach, on memory the program cannot otherwise reach, on the thread's `errno`, and on the rest.
    pub fn memory_effects(self) -> [Effect; 4] {
        let raw = call!(loopwright_memory_effects(self.0.raw()));
        [0, 2, 4, 6].map(|shift| Effect { reads: raw >> shift & 1 != 0, writes: raw >> shift & 2 != 0 })
    }
    pub fn accesses_no_memory(self) -> bool {
        self.memory_effects().iter().all(|effect| !effect.reads && !effect.writes)
    }
    /// Must not be made to depend on more control flow than it does.
    pub fn is_convergent(self) -> bool {
        call!(loopwright_is_convergent(self.0.raw()))
    }
    /// Whether the call, or the function it calls, has one of LLVM's attributes.
    pub fn has_attribute(self, name: &str) -> bool {
        call!(loopwright_call_has_attribute(self.0.raw(), zero_terminated(name).as_ptr()))
    }
    pub fn has_bundles(self) -> bool {
        call!(loopwright_has_bundles(self.0.raw()))
    }
    /// A function of its arguments: no memory, no exception, always returns.
    pub fn is_pure(self) -> bool {
        self.accesses_no_memory() && self.only_computes()
    }
    /// A function of its arguments that may also set `errno`, as those of C's mathematical library do. What only writes it gives it
    /// a value other than zero: no function of the library sets it to zero.
    pub fn sets_errno(self) -> bool {
        const NOTHING: Effect = Effect { reads: false, writes: false };
        let is_set = self.memory_effects() == [NOTHING, NOTHING, Effect { writes: true, ..NOTHING }, NOTHING];
        is_set && self.only_computes()
    }
    /// All that it does is what the function's body says, with what it is given: nothing rides on the call itself, and it may be copied.
    pub fn does_as_written(self) -> bool {
        const BARS: [&str; 2] = ["noduplicate", "returns_twice"];
        !self.is_convergent()
            && !self.has_bundles()
            && !call!(loopwright_is_strict(self.0.raw()))
            && !call!(loopwright_passes_copies(self.0.raw()))
            && !BARS.iter().any(|bar| self.has_attribute(bar))
    }
    /// Forgets what it says of memory: that it uses no variable of its caller, and which scopes it is in.
    pub fn forget_promises(self) {
        call!(loopwright_forget_tail(self.0.raw()));
        for kind in ["alias.scope", "noalias", "llvm.access.group", "llvm.mem.parallel_loop_access"] {
            self.0.set_metadata(kind, None);
        }
    }
    /// Apart from memory it has no effect: no exception, always returns, and once; in whatever way numbers are rounded; and it may be copied.
    fn only_computes(self) -> bool {
        const BARS: [&str; 2] = ["noduplicate", "returns_twice"];
        !self.0.may_throw()
            && self.0.will_return()
            && !self.is_convergent()
            && !self.has_bundles()
            && !call!(loopwright_is_strict(self.0.raw()))
            && !BARS.iter().any(|bar| self.has_attribute(bar))
    }
}

/// LLVM's number for a kind of metadata.
pub(super) fn metadata_kind(context: Context<'_>, name: &str) -> u32 {
    call!(LLVMGetMDKindIDInContext(context.raw(), name.as_ptr().cast(), name.len() as u32))
}

impl fmt::Display for Instruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}
impl fmt::Debug for Instruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}
impl<'ir> From<Instruction<'ir>> for Value<'ir> {
    fn from(instruction: Instruction<'ir>) -> Self {
        instruction.value()
    }
}
