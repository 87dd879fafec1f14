//! Writing code: a builder at a position, changes to what is there, new functions.
//!
//!     let builder = Builder::new(context);
//!     builder.at_end(body);
//!     let cell = builder.gep(double, a, &[i], Promise::Inbounds);
//!     let sum = builder.copy(old_add, |operand| renamed(operand));        // flags and metadata come along
//!     builder.store(sum.value(), cell, 8);
//!     builder.jump(latch);
//!
//! The builder folds constants: `add 2, 3` is the value `5` and no instruction. Nothing is undone here: who writes has
//! decided before.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMBuilderRef;
use llvm_sys::{LLVMAtomicOrdering, LLVMLinkage};

use super::debug::Location;
use super::ended;
use super::ffi::*;
use super::instruction::{Instruction, Wrapping, metadata_kind};
use super::ir::{Block, Context, Function, Module};
use super::metadata::Metadata;
use super::opcode::{FloatPredicate, IntPredicate, Opcode};
use super::types::{Signedness, Type, TypeKind};
use super::value::{Value, ValueKind};
use super::zero_terminated;

/// Attributes that speak of a body's effects, no longer true once it forks threads.
const EFFECTS: [&str; 7] = ["memory", "nosync", "nofree", "norecurse", "speculatable", "willreturn", "nocallback"];

/// Metadata that is as true of a copy as of the instruction it is a copy of. What names one place of the program, such as the assignments of
/// variables that a debugger shows, stays where it is.
const COPIED_METADATA: &[&str] = &[
    "alias.scope",
    "align",
    "annotation",
    "dereferenceable",
    "dereferenceable_or_null",
    "fpmath",
    "invariant.load",
    "llvm.access.group",
    "noalias",
    "nonnull",
    "nontemporal",
    "nosanitize",
    "noundef",
    "prof",
    "range",
    "tbaa",
    "tbaa.struct",
    "unpredictable",
];

/// Metadata by which the program promises something of what a load gives.
const PROMISES: &[&str] = &[
    "align",
    "dereferenceable",
    "dereferenceable_or_null",
    "invariant.load",
    "nofpclass",
    "nonnull",
    "noundef",
    "range",
];

/// What is promised of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// It lies in the object that its base points into, or right behind it.
    Inbounds,
    /// That, and not before its base.
    InboundsBehind,
    Nothing,
}

pub struct Builder<'ir> {
    raw: LLVMBuilderRef,
    context: Context<'ir>,
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        call!(LLVMDisposeBuilder(self.raw));
    }
}

impl<'ir> Builder<'ir> {
    pub fn new(context: Context<'ir>) -> Builder<'ir> {
        Builder { raw: call!(LLVMCreateBuilderInContext(context.raw())), context }
    }
    pub(super) fn raw(&self) -> LLVMBuilderRef {
        self.raw
    }
    pub fn context(&self) -> Context<'ir> {
        self.context
    }

    pub fn at_end(&self, block: Block<'ir>) {
        call!(LLVMPositionBuilderAtEnd(self.raw, block.raw()));
    }
    pub fn before(&self, instruction: Instruction<'ir>) {
        call!(LLVMPositionBuilderBefore(self.raw, instruction.raw()));
    }
    /// The block being written.
    pub fn block(&self) -> Block<'ir> {
        Block::known(call!(LLVMGetInsertBlock(self.raw)))
    }
    /// The place in the source of what is written from now on.
    pub fn set_location(&self, location: Option<Location<'ir>>) {
        call!(LLVMSetCurrentDebugLocation2(self.raw, location.map_or(std::ptr::null_mut(), Location::raw)));
    }

    pub fn integer(&self, width: u32, value: i128) -> Value<'ir> {
        Value::integer(Type::integer(self.context, width), value)
    }

    /// Arithmetic on two values of one type.
    pub fn binary(&self, opcode: Opcode, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        assert!(a.ty() == b.ty(), "law: both sides of {opcode:?} have one type: {a} and {b}");
        Value::known(call!(LLVMBuildBinOp(self.raw, opcode.raw(), a.raw(), b.raw(), c"".as_ptr())))
    }
    /// The same with promises.
    pub fn binary_with(&self, opcode: Opcode, a: Value<'ir>, b: Value<'ir>, promises: Wrapping) -> Value<'ir> {
        let value = self.binary(opcode, a, b);
        if let Some(instruction) = value.as_instruction() {
            instruction.set_wrapping(promises);
        }
        value
    }
    pub fn add(&self, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        self.binary(Opcode::Add, a, b)
    }
    pub fn sub(&self, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        self.binary(Opcode::Sub, a, b)
    }
    pub fn mul(&self, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        self.binary(Opcode::Mul, a, b)
    }
    pub fn not(&self, a: Value<'ir>) -> Value<'ir> {
        Value::known(call!(LLVMBuildNot(self.raw, a.raw(), c"".as_ptr())))
    }
    pub fn negate(&self, a: Value<'ir>) -> Value<'ir> {
        Value::known(call!(LLVMBuildNeg(self.raw, a.raw(), c"".as_ptr())))
    }
    pub fn icmp(&self, predicate: IntPredicate, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        assert!(a.ty() == b.ty(), "law: both sides of a comparison have one type: {a} and {b}");
        Value::known(call!(LLVMBuildICmp(self.raw, predicate.raw(), a.raw(), b.raw(), c"".as_ptr())))
    }
    pub fn fcmp(&self, predicate: FloatPredicate, a: Value<'ir>, b: Value<'ir>) -> Value<'ir> {
        assert!(a.ty() == b.ty(), "law: both sides of a comparison have one type: {a} and {b}");
        Value::known(call!(LLVMBuildFCmp(self.raw, predicate.raw(), a.raw(), b.raw(), c"".as_ptr())))
    }
    pub fn select(&self, condition: Value<'ir>, then: Value<'ir>, otherwise: Value<'ir>) -> Value<'ir> {
        assert!(then.ty() == otherwise.ty(), "law: both choices have one type");
        Value::known(call!(LLVMBuildSelect(self.raw, condition.raw(), then.raw(), otherwise.raw(), c"".as_ptr())))
    }
    pub fn cast(&self, opcode: Opcode, value: Value<'ir>, ty: Type<'ir>) -> Value<'ir> {
        Value::known(call!(LLVMBuildCast(self.raw, opcode.raw(), value.raw(), ty.raw(), c"".as_ptr())))
    }
    /// The address of what a pointer leads to, as a number of 64 bits: only that, so that LLVM goes on knowing of memory to which nobody else has a pointer.
    pub fn address(&self, pointer: Value<'ir>) -> Value<'ir> {
        let is_whole = self.block().function().layout().pointer_width() == 64;
        let opcode = if is_whole { Opcode::PtrToAddr } else { Opcode::PtrToInt };
        self.cast(opcode, pointer, Type::integer(self.context(), 64))
    }
    /// An integer extended or truncated to another width.
    pub fn resize(&self, value: Value<'ir>, ty: Type<'ir>, signedness: Signedness) -> Value<'ir> {
        let (from, to) = (value.ty().integer_width(), ty.integer_width());
        let opcode = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => Opcode::Trunc,
            std::cmp::Ordering::Less if signedness == Signedness::Signed => Opcode::SExt,
            std::cmp::Ordering::Less => Opcode::ZExt,
        };
        self.cast(opcode, value, ty)
    }
    pub fn freeze(&self, value: Value<'ir>) -> Value<'ir> {
        Value::known(call!(LLVMBuildFreeze(self.raw, value.raw(), c"".as_ptr())))
    }

    /// The address `indices[0]` elements after `base`, then into the element.
    pub fn gep(&self, element: Type<'ir>, base: Value<'ir>, indices: &[Value<'ir>], promise: Promise) -> Value<'ir> {
        let mut raw: Vec<_> = indices.iter().map(|index| index.raw()).collect();
        let flags = match promise {
            Promise::Inbounds => llvm_sys::LLVMGEPFlagInBounds,
            Promise::InboundsBehind => llvm_sys::LLVMGEPFlagInBounds | llvm_sys::LLVMGEPFlagNUW,
            Promise::Nothing => 0,
        };
        Value::known(call!(LLVMBuildGEPWithNoWrapFlags(
            self.raw,
            element.raw(),
            base.raw(),
            raw.as_mut_ptr(),
            raw.len() as u32,
            c"".as_ptr(),
            flags
        )))
    }
    /// The address of a field of a structure.
    pub fn field(&self, structure: Type<'ir>, base: Value<'ir>, at: usize) -> Value<'ir> {
        assert!(at < structure.fields().len(), "law: the structure has the field");
        Value::known(call!(LLVMBuildStructGEP2(self.raw, structure.raw(), base.raw(), at as u32, c"".as_ptr())))
    }
    pub fn load(&self, ty: Type<'ir>, pointer: Value<'ir>, alignment: Option<u32>) -> Instruction<'ir> {
        let load = Instruction::known(call!(LLVMBuildLoad2(self.raw, ty.raw(), pointer.raw(), c"".as_ptr())));
        load.align(alignment)
    }
    pub fn store(&self, value: Value<'ir>, pointer: Value<'ir>, alignment: Option<u32>) -> Instruction<'ir> {
        Instruction::known(call!(LLVMBuildStore(self.raw, value.raw(), pointer.raw()))).align(alignment)
    }
    /// A load behind which all that was written before the [`Builder::store_release`] that it reads from is seen.
    pub fn load_acquire(&self, ty: Type<'ir>, pointer: Value<'ir>, alignment: u32) -> Instruction<'ir> {
        let load = self.load(ty, pointer, Some(alignment));
        call!(LLVMSetOrdering(load.raw(), LLVMAtomicOrdering::LLVMAtomicOrderingAcquire));
        load
    }
    /// A store that shows all that was written before.
    pub fn store_release(&self, value: Value<'ir>, pointer: Value<'ir>, alignment: u32) -> Instruction<'ir> {
        let store = self.store(value, pointer, Some(alignment));
        call!(LLVMSetOrdering(store.raw(), LLVMAtomicOrdering::LLVMAtomicOrderingRelease));
        store
    }
    /// A store that LLVM leaves where it is, though it knows of nothing that has been written there since the value was read.
    pub fn store_volatile(&self, value: Value<'ir>, pointer: Value<'ir>, alignment: u32) {
        call!(LLVMSetVolatile(self.store(value, pointer, Some(alignment)).raw(), 1));
    }
    /// Room for one value on the stack; put it into the entry block, or it grows with every execution.
    pub fn alloca(&self, ty: Type<'ir>, name: &str) -> Instruction<'ir> {
        Instruction::known(call!(LLVMBuildAlloca(self.raw, ty.raw(), zero_terminated(name).as_ptr())))
    }

    pub fn phi(&self, ty: Type<'ir>, name: &str) -> Instruction<'ir> {
        Instruction::known(call!(LLVMBuildPhi(self.raw, ty.raw(), zero_terminated(name).as_ptr())))
    }
    pub fn jump(&self, to: Block<'ir>) -> Instruction<'ir> {
        Instruction::known(call!(LLVMBuildBr(self.raw, to.raw())))
    }
    pub fn branch(&self, condition: Value<'ir>, then: Block<'ir>, otherwise: Block<'ir>) -> Instruction<'ir> {
        Instruction::known(call!(LLVMBuildCondBr(self.raw, condition.raw(), then.raw(), otherwise.raw())))
    }
    pub fn return_(&self, value: Option<Value<'ir>>) -> Instruction<'ir> {
        Instruction::known(match value {
            Some(value) => call!(LLVMBuildRet(self.raw, value.raw())),
            None => call!(LLVMBuildRetVoid(self.raw)),
        })
    }
    pub fn unreachable(&self) -> Instruction<'ir> {
        Instruction::known(call!(LLVMBuildUnreachable(self.raw)))
    }

    pub fn call(&self, function: Function<'ir>, arguments: &[Value<'ir>]) -> Instruction<'ir> {
        let mut raw: Vec<_> = arguments.iter().map(|argument| argument.raw()).collect();
        let (ty, name) = (function.ty().raw(), c"".as_ptr());
        let call = call!(LLVMBuildCall2(self.raw, ty, function.raw(), raw.as_mut_ptr(), raw.len() as u32, name));
        Instruction::known(call)
    }
    /// A call of an intrinsic such as `llvm.smax` at the given types.
    pub fn intrinsic(&self, name: &str, types: &[Type<'ir>], arguments: &[Value<'ir>]) -> Instruction<'ir> {
        let module = self.block().function().module();
        let id = call!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        assert!(id != 0, "law: {name} is an intrinsic");
        let mut raw: Vec<_> = types.iter().map(|ty| ty.raw()).collect();
        let declaration = call!(LLVMGetIntrinsicDeclaration(module.raw(), id, raw.as_mut_ptr(), raw.len()));
        self.call(Function::known(declaration), arguments)
    }

    /// Says that what the metadata of scopes promises is about the accesses between here and the next time that control comes here.
    pub fn declare_scopes(&self, scopes: Metadata<'ir>) {
        call!(loopwright_declare_scopes(self.raw, scopes.raw()));
    }

    /// Writes a copy of an instruction, its operands renamed; flags, alignment, metadata and the place in the source
    /// come along (another place if one was set), as far as they are true of copies; debug records do not.
    pub fn copy(&self, original: Instruction<'ir>, rename: impl Fn(Value<'ir>) -> Value<'ir>) -> Instruction<'ir> {
        let copy = Instruction::known(call!(LLVMInstructionClone(original.raw())));
        for (at, operand) in original.operands().into_iter().enumerate() {
            if !matches!(operand.kind(), ValueKind::Block | ValueKind::Other) {
                copy.set_operand(at, rename(operand));
            }
        }
        let kinds: Vec<u32> = COPIED_METADATA.iter().map(|kind| metadata_kind(self.context, kind)).collect();
        call!(loopwright_keep_metadata(copy.raw(), kinds.as_ptr(), kinds.len()));
        call!(LLVMInsertIntoBuilder(self.raw, copy.raw()));
        copy
    }
}

impl<'ir> Instruction<'ir> {
    pub fn set_operand(self, at: usize, value: Value<'ir>) {
        assert!(self.operand(at).ty() == value.ty(), "law: an operand keeps its type: {self} from {value}");
        call!(LLVMSetOperand(self.raw(), at as u32, value.raw()));
    }
    /// Where a terminator goes next, at a position among its successors.
    pub fn set_successor(self, at: usize, block: Block<'ir>) {
        assert!(at < self.successors().len(), "law: a terminator keeps its number of ways: {self}");
        call!(LLVMSetSuccessor(self.raw(), at as u32, block.raw()));
    }
    /// Another edge into a phi.
    pub fn add_incoming(self, value: Value<'ir>, from: Block<'ir>) {
        assert!(self.is_phi() && self.ty() == value.ty(), "law: a phi has one type: {self} from {value}");
        call!(LLVMAddIncoming(self.raw(), &mut value.raw(), &mut from.raw(), 1));
    }
    pub fn set_wrapping(self, promises: Wrapping) {
        use Opcode::*;
        match self.opcode() {
            Add | Sub | Mul | Shl => {
                call!(LLVMSetNUW(self.raw(), i32::from(promises.nuw)));
                call!(LLVMSetNSW(self.raw(), i32::from(promises.nsw)));
            }
            UDiv | SDiv | LShr | AShr => call!(LLVMSetExact(self.raw(), i32::from(promises.exact))),
            _ => {}
        }
    }
    /// Takes back every promise whose breach would make the result poison.
    pub fn drop_promises(self) {
        call!(loopwright_drop_poison_flags(self.raw()));
    }
    /// Takes back what the program promises where the instruction stands, and perhaps not where it is to be moved.
    pub fn drop_immediate_promises(self) {
        call!(loopwright_drop_immediate_promises(self.raw()));
    }
    /// Takes the place of another instruction that gives the same, and promises no more than both do.
    pub fn stands_for(self, other: Instruction<'ir>) {
        call!(loopwright_combine_promises(self.raw(), other.raw()));
        other.replace_with(self.value());
    }
    /// Takes back what the program promises of what a load gives, and of integer arithmetic: operands are no longer those of the program.
    pub fn forget_values(self) {
        if call!(LLVMCanValueUseFastMathFlags(self.raw())) == 0 && self.opcode() != Opcode::GetElementPtr {
            self.drop_promises();
        }
        PROMISES.iter().for_each(|promise| self.set_metadata(promise, None));
    }
    pub fn set_location(self, location: Option<Location<'ir>>) {
        call!(loopwright_set_location(self.raw(), location.map_or(std::ptr::null_mut(), Location::raw)));
    }
    /// Of a load, a store or stack memory.
    pub fn set_alignment(self, alignment: u32) {
        self.align(Some(alignment));
    }
    fn align(self, alignment: Option<u32>) -> Self {
        if let Some(bytes) = alignment {
            call!(LLVMSetAlignment(self.raw(), bytes));
        }
        self
    }

    /// Sends a terminator to `to` where it went to `from`; the phis of neither block are touched.
    pub fn redirect(self, from: Block<'ir>, to: Block<'ir>) {
        assert!(self.is_terminator(), "law: only a terminator leads anywhere");
        call!(loopwright_replace_successor(self.raw(), from.raw(), to.raw()));
    }
    /// Moves it to another place, where its operands must be defined.
    pub fn move_before(self, other: Instruction<'ir>) {
        call!(loopwright_move_before(self.raw(), other.raw()));
    }
    /// Replaces a call by what the callee does, and ends its handles; false if it could not.
    pub fn inline(self) -> bool {
        let raw = self.raw();
        let is_done = call!(loopwright_inline(raw));
        if is_done {
            ended::note(raw as usize);
        }
        is_done
    }
    /// Removes an instruction nobody uses, and ends its handles.
    pub fn remove(self) {
        assert!(!self.value().is_used(), "law: what is removed has no users: {self}");
        let raw = self.raw();
        call!(LLVMInstructionEraseFromParent(raw));
        ended::note(raw as usize);
    }
    /// Removes an instruction, and ends its handles; who used it uses the value.
    pub fn replace_with(self, value: Value<'ir>) {
        self.value().replace_all_uses_with(value);
        self.remove();
    }
}

impl<'ir> Block<'ir> {
    /// Cuts a block in two: what comes from `at` on moves to the new block, phis follow, and the old one has no end until it is given one.
    pub fn cut_before(at: Instruction<'ir>, name: &str) -> Block<'ir> {
        let before = at.block().expect("law: what a block is cut at is in it");
        let after = Block::known(call!(loopwright_split_block(at.raw(), zero_terminated(name).as_ptr())));
        before.terminator().expect("law: a split block jumps to its rest").remove();
        after
    }
    /// Makes it one block with the only one that leads here, which leads nowhere else.
    pub fn join_predecessor(self) {
        let raw = self.raw();
        if call!(loopwright_join_predecessor(raw)) {
            ended::note(raw as usize);
        }
    }
    /// Drops the edges from a block that no longer comes here out of the phis.
    pub fn forget_predecessor(self, predecessor: Block<'ir>) {
        call!(loopwright_forget_predecessor(self.raw(), predecessor.raw()));
    }
    pub fn move_after(self, other: Block<'ir>) {
        call!(LLVMMoveBasicBlockAfter(self.raw(), other.raw()));
    }
    /// Moves it behind the blocks of another function, whose values it uses alone.
    pub fn move_to(self, function: Function<'ir>) {
        call!(LLVMRemoveBasicBlockFromParent(self.raw()));
        call!(LLVMAppendExistingBasicBlock(function.raw(), self.raw()));
    }
}

impl<'ir> Function<'ir> {
    pub fn new_block(self, name: &str) -> Block<'ir> {
        let name = zero_terminated(name);
        Block::known(call!(LLVMAppendBasicBlockInContext(self.context().raw(), self.raw(), name.as_ptr())))
    }
    /// Deletes what the entry does not reach. Handles on it must not be used again.
    pub fn remove_unreachable_blocks(self) -> bool {
        let before = ended::contents(self);
        let has_changed = call!(loopwright_remove_unreachable_blocks(self.raw()));
        let after = ended::contents(self);
        before.difference(&after).for_each(|raw| ended::note(*raw));
        has_changed
    }
    /// Forgets what was inferred about effects: from here on the body may fork threads.
    pub fn forget_effects(self) {
        EFFECTS.iter().for_each(|attribute| self.remove_attribute(attribute));
    }
    /// Promises that it neither reads nor writes memory.
    pub fn touch_no_memory(self) {
        self.add_attribute("memory");
    }
}

impl<'ir> Module<'ir> {
    /// A new function of this module only; its name gets a number if it is taken.
    pub fn new_internal_function(self, name: &str, ty: Type<'ir>) -> Function<'ir> {
        assert!(ty.kind() == TypeKind::Function, "law: a function has a function type");
        let function = call!(LLVMAddFunction(self.raw(), zero_terminated(name).as_ptr(), ty.raw()));
        call!(LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage));
        Function::known(function)
    }
    /// The function of this name, declared if it is not there. `None` if the name means something else.
    pub fn declare(self, name: &str, ty: Type<'ir>) -> Option<Function<'ir>> {
        assert!(ty.kind() == TypeKind::Function, "law: a function has a function type");
        if self.global(name).is_some() {
            return None;
        }
        match self.function(name) {
            Some(there) => (there.ty() == ty).then_some(there),
            None => Some(Function::known(call!(LLVMAddFunction(self.raw(), zero_terminated(name).as_ptr(), ty.raw())))),
        }
    }
    /// A new constant of this module only.
    pub fn new_private_constant(self, name: &str, initial: Value<'ir>) -> Value<'ir> {
        assert!(initial.is_constant(), "law: a constant begins as a constant");
        let raw = call!(LLVMAddGlobal(self.raw(), initial.ty().raw(), zero_terminated(name).as_ptr()));
        call!(LLVMSetInitializer(raw, initial.raw()));
        call!(LLVMSetLinkage(raw, LLVMLinkage::LLVMPrivateLinkage));
        call!(LLVMSetGlobalConstant(raw, 1));
        Value::known(raw)
    }
    /// A new variable of this module only, zero at the start.
    pub fn new_internal_variable(self, name: &str, ty: Type<'ir>) -> Value<'ir> {
        let raw = call!(LLVMAddGlobal(self.raw(), ty.raw(), zero_terminated(name).as_ptr()));
        call!(LLVMSetInitializer(raw, Value::zero(ty).raw()));
        call!(LLVMSetLinkage(raw, LLVMLinkage::LLVMInternalLinkage));
        Value::known(raw)
    }
}

impl<'ir> Value<'ir> {
    /// A constant structure.
    pub fn structure(context: Context<'ir>, fields: &[Value<'ir>]) -> Value<'ir> {
        let mut raw: Vec<_> = fields.iter().map(|field| field.raw()).collect();
        Value::known(call!(LLVMConstStructInContext(context.raw(), raw.as_mut_ptr(), raw.len() as u32, 0)))
    }
    /// A constant array of bytes that ends with zero.
    pub fn text(context: Context<'ir>, text: &str) -> Value<'ir> {
        let bytes = text.as_ptr().cast();
        Value::known(call!(LLVMConstStringInContext2(context.raw(), bytes, text.len(), 0)))
    }
}
