//! Values: what an operand can be, and who uses it.
//!
//! In `store double %sum, ptr %cell` the operands are two values; `kind` says that `%sum` is an instruction, `users`
//! of `%sum` gives the store.

use std::fmt;

use llvm_sys::LLVMValueKind::*;
use llvm_sys::core::*;

use super::debug;
use super::ffi::*;
use super::instruction::Instruction;
use super::ir::Function;
use super::types::{Layout, Type};
use super::{borrowed_text, owned_text};

handle! {
    /// Anything an instruction can have as an operand.
    Value(llvm_sys::LLVMValue)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Argument,
    Block,
    Function,
    Global,
    Instruction,
    /// An integer constant of any width.
    Integer,
    Float,
    Null,
    Undef,
    Poison,
    ConstantExpression,
    /// A constant array, struct or vector, zero or not.
    Aggregate,
    InlineAssembly,
    Other,
}

impl<'ir> Value<'ir> {
    pub fn kind(self) -> ValueKind {
        match call!(LLVMGetValueKind(self.raw())) {
            LLVMArgumentValueKind => ValueKind::Argument,
            LLVMBasicBlockValueKind => ValueKind::Block,
            LLVMFunctionValueKind => ValueKind::Function,
            LLVMGlobalVariableValueKind => ValueKind::Global,
            LLVMInstructionValueKind => ValueKind::Instruction,
            LLVMConstantIntValueKind => ValueKind::Integer,
            LLVMConstantFPValueKind => ValueKind::Float,
            LLVMConstantPointerNullValueKind => ValueKind::Null,
            LLVMUndefValueValueKind => ValueKind::Undef,
            LLVMPoisonValueKind => ValueKind::Poison,
            LLVMConstantExprValueKind => ValueKind::ConstantExpression,
            LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantAggregateZeroValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind => ValueKind::Aggregate,
            LLVMInlineAsmValueKind => ValueKind::InlineAssembly,
            _ => ValueKind::Other,
        }
    }

    pub fn ty(self) -> Type<'ir> {
        Type::known(call!(LLVMTypeOf(self.raw())))
    }

    pub fn as_instruction(self) -> Option<Instruction<'ir>> {
        (self.kind() == ValueKind::Instruction).then(|| Instruction::known(self.raw()))
    }
    pub fn as_function(self) -> Option<Function<'ir>> {
        (self.kind() == ValueKind::Function).then(|| Function::known(self.raw()))
    }
    pub fn is_constant(self) -> bool {
        call!(LLVMIsConstant(self.raw())) != 0
    }
    pub fn is_argument(self) -> bool {
        self.kind() == ValueKind::Argument
    }
    pub fn is_global(self) -> bool {
        self.kind() == ValueKind::Global
    }
    /// Undefined or poison.
    pub fn is_undefined(self) -> bool {
        matches!(self.kind(), ValueKind::Undef | ValueKind::Poison)
    }

    /// An integer constant as a signed number; `None` for other values and for one that needs more than 128 bits.
    pub fn as_integer(self) -> Option<i128> {
        let mut words = [0u64; 2];
        call!(loopwright_constant(self.raw(), words.as_mut_ptr())).then(|| signed(words))
    }

    pub fn integer(ty: Type<'ir>, value: i128) -> Value<'ir> {
        let words = [value as u64, (value >> 64) as u64];
        assert!(ty.is_integer(), "law: an integer constant has an integer type");
        Value::known(call!(LLVMConstIntOfArbitraryPrecision(ty.raw(), 2, words.as_ptr())))
    }
    pub fn float(ty: Type<'ir>, value: f64) -> Value<'ir> {
        assert!(ty.is_float(), "law: a floating-point constant has a floating-point type");
        Value::known(call!(LLVMConstReal(ty.raw(), value)))
    }
    /// Zero, null or all zeros.
    pub fn zero(ty: Type<'ir>) -> Value<'ir> {
        Value::known(call!(LLVMConstNull(ty.raw())))
    }

    /// The instructions that use this value, one entry per use, in LLVM's use-list order.
    pub fn users(self) -> Vec<Instruction<'ir>> {
        self.uses().into_iter().filter_map(Value::as_instruction).collect()
    }

    /// Every user, constants included.
    pub fn uses(self) -> Vec<Value<'ir>> {
        let mut users = Vec::new();
        let mut next = call!(LLVMGetFirstUse(self.raw()));
        while !next.is_null() {
            users.push(Value::known(call!(LLVMGetUser(next))));
            next = call!(LLVMGetNextUse(next));
        }
        users
    }
    pub fn is_used(self) -> bool {
        !call!(LLVMGetFirstUse(self.raw())).is_null()
    }

    /// The name in the IR, empty when it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        let raw = call!(LLVMGetValueName2(self.raw(), &mut length));
        borrowed_text(raw, length)
    }

    /// The name of the variable in the source: from debug records, else the name in the IR, without what LLVM says about a part of it.
    pub fn source_name(self) -> Option<String> {
        let whole = |name: String| name.split(".sroa.").next().unwrap_or_default().to_string();
        let after = || self.as_instruction().and_then(|i| i.named_after());
        debug::variable_name(self).or_else(after).or_else(|| Some(whole(self.name())).filter(|name| !name.is_empty()))
    }

    /// The same for a user: of what a linker knows by another name, as the source has it.
    pub fn shown_name(self) -> Option<String> {
        let name = self.source_name()?;
        let written = debug::demangled(&name);
        Some(if written == name { name } else { debug::brief(&written) })
    }

    /// The name of the variable whose values blocks hand on here, each of which has that name: where a loop is left, no debug record says it again.
    pub fn handed_on_name(self) -> Option<String> {
        let (mut seen, mut open, mut found) = (vec![self], vec![self], None);
        while let Some(phi) = open.pop().and_then(Value::as_instruction).filter(|of| of.is_phi()) {
            for (value, _) in phi.incoming() {
                let name = debug::variable_name(value);
                if name.is_none() && value.as_instruction().is_some_and(|of| of.is_phi()) && !seen.contains(&value) {
                    seen.push(value);
                    open.push(value);
                }
                if name.is_some() && found.is_some() && name != found {
                    return None;
                }
                found = found.or(name);
            }
        }
        found
    }

    /// What the source calls the memory at this address, if it is a member of what a variable points to: `g->u`.
    pub fn member_name(self) -> Option<String> {
        debug::member_name(self)
    }

    /// The variable of the source that the debug information says this value is; if there are several, the first.
    pub fn variable_name(self) -> Option<String> {
        debug::variable_name(self)
    }

    /// Position of an argument in its function.
    pub fn argument_number(self) -> Option<usize> {
        if !self.is_argument() {
            return None;
        }
        let function = Function::known(call!(LLVMGetParamParent(self.raw())));
        function.arguments().iter().position(|argument| *argument == self)
    }

    /// The alloca, global, argument, call or other value this pointer is computed from by address arithmetic.
    pub fn underlying_object(self) -> Value<'ir> {
        Value::known(call!(loopwright_underlying_object(self.raw())))
    }

    /// Whether this pointer is the base of an object that no other identified object overlaps: an alloca, a global, a
    /// `noalias` argument or call.
    pub fn is_identified_object(self) -> bool {
        call!(loopwright_is_identified_object(self.raw()))
    }

    /// The type a global variable, a function or an alias holds (a pointer's type does not say).
    pub fn global_value_type(self) -> Option<Type<'ir>> {
        matches!(self.kind(), ValueKind::Global | ValueKind::Function)
            .then(|| Type::known(call!(LLVMGlobalGetValueType(self.raw()))))
    }

    /// Whether another thread sees its own copy of this global variable.
    pub fn is_thread_local(self) -> bool {
        self.is_global() && call!(LLVMIsThreadLocal(self.raw())) != 0
    }

    /// Whether it is a global variable that is defined here and nowhere else, so that its type says how large it is.
    pub fn is_own_global(self) -> bool {
        use llvm_sys::LLVMLinkage::*;
        let linkage = || call!(LLVMGetLinkage(self.raw()));
        let is_exact = || matches!(linkage(), LLVMExternalLinkage | LLVMInternalLinkage | LLVMPrivateLinkage);
        self.is_global() && call!(LLVMIsDeclaration(self.raw())) == 0 && is_exact()
    }

    /// Whether it is a variable of this module alone, one for all threads, whose address is used in functions only: a `static` of C.
    pub fn is_internal_variable(self) -> bool {
        use llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMPrivateLinkage};
        let is_internal = || matches!(call!(LLVMGetLinkage(self.raw())), LLVMInternalLinkage | LLVMPrivateLinkage);
        self.is_own_global() && is_internal() && !self.is_thread_local() && self.uses().len() == self.users().len()
    }

    /// What a global variable is said to be aligned to; 0 if that follows from its type.
    pub fn global_alignment(self) -> Option<u32> {
        self.is_global().then(|| call!(LLVMGetAlignment(self.raw())))
    }

    /// Bytes of a global variable or of an alloca of constant size.
    pub fn object_size(self, layout: Layout<'ir>) -> Option<u64> {
        if let Some(ty) = self.global_value_type() {
            return ty.is_sized().then(|| layout.alloc_size(ty));
        }
        let alloca = self.as_instruction()?.alloca()?;
        let count = u64::try_from(alloca.count.as_integer()?).ok()?;
        layout.alloc_size(alloca.ty).checked_mul(count)
    }

    /// Operands of an instruction or constant expression.
    pub fn operands(self) -> Vec<Value<'ir>> {
        use ValueKind::*;
        if !matches!(self.kind(), Instruction | ConstantExpression | Aggregate) {
            return Vec::new();
        }
        let count = u32::try_from(call!(LLVMGetNumOperands(self.raw()))).unwrap_or(0);
        (0..count).map(|at| Value::known(call!(LLVMGetOperand(self.raw(), at)))).collect()
    }

    /// What a global variable holds at first, if this is one and it does.
    pub fn initializer(self) -> Option<Value<'ir>> {
        let is_variable = !call!(LLVMIsAGlobalVariable(self.raw())).is_null();
        is_variable.then(|| Value::from_raw(call!(LLVMGetInitializer(self.raw())))).flatten()
    }

    /// The text that a constant array of bytes holds, without the zero at its end.
    pub fn constant_text(self) -> Option<String> {
        let is_array = !call!(LLVMIsAConstantDataSequential(self.raw())).is_null();
        if !is_array || call!(LLVMIsConstantString(self.raw())) == 0 {
            return None;
        }
        let mut length = 0;
        let raw = call!(LLVMGetAsString(self.raw(), &mut length));
        Some(borrowed_text(raw, length).trim_end_matches('\0').to_string())
    }

    pub fn replace_all_uses_with(self, other: Value<'ir>) {
        assert!(self.ty() == other.ty() && self != other, "law: a replacement has the same type and is another value");
        call!(LLVMReplaceAllUsesWith(self.raw(), other.raw()));
    }
}

/// The 128-bit two's complement number in two words, the lower first.
pub(super) fn signed(words: [u64; 2]) -> i128 {
    (u128::from(words[1]) << 64 | u128::from(words[0])) as i128
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(owned_text(call!(LLVMPrintValueToString(self.raw()))).unwrap_or_default().trim())
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
