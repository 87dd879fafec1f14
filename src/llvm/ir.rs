//! The program: module, functions, blocks.
//!
//!     define void @scale(ptr %A, i64 %n) { entry: ... loop: ... exit: ... }
//!
//! is a [`Function`] with two arguments and three [`Block`]s; a block is a list of
//! [`Instruction`](super::instruction::Instruction)s, the last of which is its terminator.

use std::fmt;

use llvm_sys::core::*;
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMModule};

use super::debug::{Language, brief, demangled};
use super::ffi::*;
use super::instruction::{Alloca, Instruction};
use super::types::{Layout, Type};
use super::value::Value;
use super::{borrowed_text, owned_text, zero_terminated};

handle! {
    /// Where types, constants and metadata live.
    Context(llvm_sys::LLVMContext)
}

handle! {
    /// The module being compiled.
    Module(LLVMModule)
}

handle! {
    /// A function of the module, with a body or without.
    Function(llvm_sys::LLVMValue)
}

handle! {
    /// A basic block of a function.
    Block(llvm_sys::LLVMBasicBlock)
}

impl<'ir> Module<'ir> {
    pub fn context(self) -> Context<'ir> {
        Context::known(call!(LLVMGetModuleContext(self.raw())))
    }

    pub fn layout(self) -> Layout<'ir> {
        Layout::known(call!(LLVMGetModuleDataLayout(self.raw())))
    }

    /// All functions in the order of the module, declarations too.
    pub fn functions(self) -> Vec<Function<'ir>> {
        let first = Function::from_raw(call!(LLVMGetFirstFunction(self.raw())));
        std::iter::successors(first, |f| Function::from_raw(call!(LLVMGetNextFunction(f.raw())))).collect()
    }

    pub fn function(self, name: &str) -> Option<Function<'ir>> {
        let name = zero_terminated(name);
        Function::from_raw(call!(LLVMGetNamedFunction(self.raw(), name.as_ptr())))
    }

    pub fn global(self, name: &str) -> Option<Value<'ir>> {
        let name = zero_terminated(name);
        Value::from_raw(call!(LLVMGetNamedGlobal(self.raw(), name.as_ptr())))
    }

    /// What the source annotates functions with, in its order: `__attribute__((annotate("loopwright:off")))`.
    pub fn annotations(self) -> Vec<(Function<'ir>, String)> {
        let entries = self.global("llvm.global.annotations").and_then(Value::initializer);
        let entry = |entry: Value<'ir>| {
            let [function, text, ..] = entry.operands()[..] else { return None };
            Some((function.as_function()?, text.initializer()?.constant_text()?))
        };
        entries.map(Value::operands).unwrap_or_default().into_iter().filter_map(entry).collect()
    }

    /// The integer value of a module flag, such as `openmp`, which clang sets under `-fopenmp`.
    pub fn flag(self, name: &str) -> Option<i128> {
        let raw = call!(LLVMGetModuleFlag(self.raw(), name.as_ptr().cast(), name.len()));
        if raw.is_null() {
            return None;
        }
        Value::from_raw(call!(LLVMMetadataAsValue(self.context().raw(), raw)))?.as_metadata_integer()
    }

    /// The name of the source file.
    pub fn source_file(self) -> String {
        let mut length = 0;
        let raw = call!(LLVMGetSourceFileName(self.raw(), &mut length));
        borrowed_text(raw, length)
    }

    pub fn target_triple(self) -> String {
        kept_text(call!(LLVMGetTarget(self.raw())))
    }

    /// Whether variables on the stack, global ones and functions all have addresses of the kind that a pointer has of which nothing is said.
    pub fn has_one_address_space(self) -> bool {
        let layout = kept_text(call!(LLVMGetDataLayoutStr(self.raw())));
        layout.split('-').all(|part| part.strip_prefix(['A', 'G', 'P']).is_none_or(|space| space == "0"))
    }

    /// `Err` with LLVM's own complaint when the module breaks a law of the IR.
    pub fn verify(self) -> Result<(), String> {
        owned_text(call!(loopwright_verify_module(self.raw()))).map_or(Ok(()), Err)
    }
}

/// A text that the module keeps; empty if it has none.
fn kept_text(raw: *const std::ffi::c_char) -> String {
    // SAFETY: what LLVM says of a module's target and layout is zero-terminated and the module's own, or nothing.
    if raw.is_null() { String::new() } else { unsafe { std::ffi::CStr::from_ptr(raw) }.to_string_lossy().into() }
}

impl<'ir> Value<'ir> {
    /// The integer wrapped in metadata.
    fn as_metadata_integer(self) -> Option<i128> {
        let count = call!(LLVMGetMDNodeNumOperands(self.raw()));
        if count != 1 {
            return None;
        }
        let mut operand = std::ptr::null_mut();
        call!(LLVMGetMDNodeOperands(self.raw(), &mut operand));
        Value::from_raw(operand)?.as_integer()
    }
}

impl<'ir> Function<'ir> {
    /// Bytes of the variables on the stack; `None` if some have no fixed size.
    pub fn stack_bytes(self) -> Option<u64> {
        let layout = self.layout();
        let mut sum: u64 = 0;
        for instruction in self.instructions() {
            let Some(Alloca { alignment, .. }) = instruction.alloca() else { continue };
            let size = instruction
                .value()
                .object_size(layout)
                .filter(|_| call!(loopwright_is_static_alloca(instruction.raw())))?;
            sum = sum.saturating_add(size).saturating_add(u64::from(alignment));
        }
        Some(sum)
    }

    pub fn value(self) -> Value<'ir> {
        Value::known(self.raw())
    }
    pub fn name(self) -> String {
        self.value().name()
    }
    /// The name as the source has it.
    pub fn shown_name(self) -> String {
        brief(&demangled(&self.name()))
    }
    /// What it is written in.
    pub fn language(self) -> Language {
        Language::of(self)
    }
    pub fn module(self) -> Module<'ir> {
        Module::known(call!(LLVMGetGlobalParent(self.raw())))
    }
    pub fn context(self) -> Context<'ir> {
        self.module().context()
    }
    pub fn layout(self) -> Layout<'ir> {
        self.module().layout()
    }
    /// The function type, parameters and result.
    pub fn ty(self) -> Type<'ir> {
        Type::known(call!(LLVMGlobalGetValueType(self.raw())))
    }

    pub fn has_body(self) -> bool {
        call!(LLVMIsDeclaration(self.raw())) == 0
    }
    /// Visible in this module only.
    pub fn is_internal(self) -> bool {
        matches!(call!(LLVMGetLinkage(self.raw())), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }
    /// Another body may take the place of this one when the program is linked.
    /// It has a body, and this is what runs when it is called: neither the linker nor another file's version takes its place.
    pub fn is_as_written(self) -> bool {
        self.has_body() && call!(loopwright_is_exact(self.raw()))
    }
    pub fn is_interposable(self) -> bool {
        call!(loopwright_is_interposable(self.raw()))
    }
    /// Something else than a call names it.
    pub fn has_address_taken(self) -> bool {
        call!(loopwright_has_address_taken(self.raw()))
    }
    /// A garbage collector looks for pointers in its frames.
    pub fn has_collector(self) -> bool {
        !call!(LLVMGetGC(self.raw())).is_null()
    }
    /// A body that is a copy of one elsewhere and will be thrown away after inlining.
    pub fn is_available_externally(self) -> bool {
        call!(LLVMGetLinkage(self.raw())) == LLVMLinkage::LLVMAvailableExternallyLinkage
    }

    pub fn arguments(self) -> Vec<Value<'ir>> {
        let count = call!(LLVMCountParams(self.raw()));
        (0..count).map(|at| Value::known(call!(LLVMGetParam(self.raw(), at)))).collect()
    }

    /// Blocks in the order of the function, entry first.
    pub fn blocks(self) -> Vec<Block<'ir>> {
        let first = Block::from_raw(call!(LLVMGetFirstBasicBlock(self.raw())));
        std::iter::successors(first, |b| Block::from_raw(call!(LLVMGetNextBasicBlock(b.raw())))).collect()
    }
    pub fn entry(self) -> Option<Block<'ir>> {
        self.has_body().then(|| Block::known(call!(LLVMGetEntryBasicBlock(self.raw()))))
    }

    /// Reachable blocks, each before its successors except along back edges.
    pub fn reverse_postorder(self) -> Vec<Block<'ir>> {
        let Some(entry) = self.entry() else { return Vec::new() };
        let mut seen = std::collections::HashSet::from([entry]);
        let mut path = vec![(entry, entry.successors())];
        let mut order = Vec::new();
        while let Some((block, rest)) = path.last_mut() {
            match rest.pop() {
                Some(next) if seen.insert(next) => path.push((next, next.successors())),
                Some(_) => {}
                None => {
                    order.push(*block);
                    path.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Whether some block can be executed more than once in one call.
    pub fn has_cycle(self) -> bool {
        let order = self.reverse_postorder();
        let place: std::collections::HashMap<_, _> = order.iter().enumerate().map(|(at, block)| (*block, at)).collect();
        order.iter().enumerate().any(|(at, block)| block.successors().iter().any(|next| place[next] <= at))
    }

    /// Whether the address of some block is taken, as for a computed `goto`. Whoever makes one block of two changes what such addresses are, and nothing
    /// says afterwards which was which.
    pub fn has_addressed_block(self) -> bool {
        call!(loopwright_has_addressed_block(self.raw()))
    }

    pub fn instructions(self) -> Vec<Instruction<'ir>> {
        self.blocks().into_iter().flat_map(Block::instructions).collect()
    }

    /// Whether an attribute is set, one of LLVM's (`optnone`, `minsize`) or one of ours by its text.
    pub fn has_attribute(self, name: &str) -> bool {
        call!(loopwright_has_function_attribute(self.raw(), zero_terminated(name).as_ptr()))
    }
    /// Sets an attribute without a value (`nounwind`, `"loopwright-done"`).
    pub fn add_attribute(self, name: &str) {
        call!(loopwright_add_function_attribute(self.raw(), zero_terminated(name).as_ptr(), c"".as_ptr()));
    }
    /// Has it take little room and little time to compile, however long it takes to run.
    pub fn make_small(self) {
        ["minsize", "optsize"].into_iter().for_each(|name| self.add_attribute(name));
    }
    /// The value of a text attribute (`x86-64` of `"target-cpu"="x86-64"`).
    pub fn text_attribute(self, name: &str) -> Option<String> {
        let text = zero_terminated(name);
        let (at, length) = (LLVMAttributeFunctionIndex, name.len() as u32);
        let attribute = call!(LLVMGetStringAttributeAtIndex(self.raw(), at, text.as_ptr(), length));
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        let value = call!(LLVMGetStringAttributeValue(attribute, &mut length));
        Some(borrowed_text(value, length as usize))
    }
    pub fn remove_attribute(self, name: &str) {
        call!(loopwright_remove_function_attribute(self.raw(), zero_terminated(name).as_ptr()));
    }

    /// `Err` with LLVM's own complaint when the function breaks a law of the IR.
    pub fn verify(self) -> Result<(), String> {
        owned_text(call!(loopwright_verify_function(self.raw()))).map_or(Ok(()), Err)
    }
}

impl<'ir> Block<'ir> {
    pub fn value(self) -> Value<'ir> {
        Value::known(call!(LLVMBasicBlockAsValue(self.raw())))
    }
    pub fn name(self) -> String {
        self.value().name()
    }
    pub fn function(self) -> Function<'ir> {
        Function::known(call!(LLVMGetBasicBlockParent(self.raw())))
    }

    pub fn instructions(self) -> Vec<Instruction<'ir>> {
        let first = Instruction::from_raw(call!(LLVMGetFirstInstruction(self.raw())));
        std::iter::successors(first, |i| Instruction::from_raw(call!(LLVMGetNextInstruction(i.raw())))).collect()
    }
    pub fn first_instruction(self) -> Option<Instruction<'ir>> {
        Instruction::from_raw(call!(LLVMGetFirstInstruction(self.raw())))
    }
    pub fn phis(self) -> Vec<Instruction<'ir>> {
        self.instructions().into_iter().take_while(|i| i.is_phi()).collect()
    }
    /// The first instruction that is no phi; `None` only while the block is being built.
    pub fn first_after_phis(self) -> Option<Instruction<'ir>> {
        self.instructions().into_iter().find(|instruction| !instruction.is_phi())
    }
    /// `None` only while the block is being built.
    pub fn terminator(self) -> Option<Instruction<'ir>> {
        Instruction::from_raw(call!(LLVMGetBasicBlockTerminator(self.raw())))
    }

    /// Successors in the order of the terminator, with repetition.
    pub fn successors(self) -> Vec<Block<'ir>> {
        self.terminator().map(Instruction::successors).unwrap_or_default()
    }

    /// The blocks whose terminators name this one, each once, in the order of the function.
    pub fn predecessors(self) -> Vec<Block<'ir>> {
        let terminators = self.value().users().into_iter().filter(|user| user.is_terminator());
        let blocks: std::collections::HashSet<_> = terminators.filter_map(Instruction::block).collect();
        if blocks.len() <= 1 {
            return blocks.into_iter().collect();
        }
        self.function().blocks().into_iter().filter(|block| blocks.contains(block)).collect()
    }
    /// Whether that holds of all blocks whose terminators name this one. They are asked in no order, which takes less
    /// time than to list them.
    pub fn is_entered_only_from(self, holds: impl Fn(Block<'ir>) -> bool) -> bool {
        let terminators = self.value().users().into_iter().filter(|user| user.is_terminator());
        terminators.filter_map(Instruction::block).all(holds)
    }
}

macro_rules! printed {
    ($($name:ident)*) => { $(
        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.value(), f)
            }
        }
        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.name())
            }
        }
    )* };
}
printed!(Function Block);

impl fmt::Display for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&owned_text(call!(LLVMPrintModuleToString(self.raw()))).unwrap_or_default())
    }
}

impl<'ir> From<Function<'ir>> for Value<'ir> {
    fn from(function: Function<'ir>) -> Self {
        function.value()
    }
}
