//! Types and the data layout that gives them sizes.
//!
//! `[1000 x double]` is an array of length 1000 whose element is a double: `alloc_size` 8000, the stride of the
//! subscript before it in `getelementptr [1000 x double]`.

use std::fmt;

use llvm_sys::LLVMTypeKind::*;
use llvm_sys::core::*;
use llvm_sys::target::*;

use super::ir::Context;
use super::{list, owned_text};

handle! {
    /// A type of the program's context.
    Type(llvm_sys::LLVMType)
}

handle! {
    /// Sizes and alignments on the target.
    Layout(llvm_sys::target::LLVMOpaqueTargetData)
}

/// How the bits of an integer are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signedness {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Void,
    Half,
    BFloat,
    Float,
    Double,
    /// x86's 80 bits, or 128 bits in either form.
    WideFloat,
    Integer,
    Pointer,
    Array,
    Struct,
    Vector,
    ScalableVector,
    Function,
    Other,
}

impl<'ir> Type<'ir> {
    pub fn integer(context: Context<'ir>, width: u32) -> Self {
        Self::known(call!(LLVMIntTypeInContext(context.raw(), width)))
    }
    pub fn float(context: Context<'ir>) -> Self {
        Self::known(call!(LLVMFloatTypeInContext(context.raw())))
    }
    pub fn double(context: Context<'ir>) -> Self {
        Self::known(call!(LLVMDoubleTypeInContext(context.raw())))
    }
    pub fn void(context: Context<'ir>) -> Self {
        Self::known(call!(LLVMVoidTypeInContext(context.raw())))
    }
    /// The pointer type of the default address space.
    pub fn pointer(context: Context<'ir>) -> Self {
        Self::known(call!(LLVMPointerTypeInContext(context.raw(), 0)))
    }
    pub fn array(element: Type<'ir>, length: u64) -> Self {
        Self::known(call!(LLVMArrayType2(element.raw(), length)))
    }
    pub fn vector(element: Type<'ir>, length: u32) -> Self {
        Self::known(call!(LLVMVectorType(element.raw(), length)))
    }
    pub fn structure(context: Context<'ir>, fields: &[Type<'ir>]) -> Self {
        let mut raw: Vec<_> = fields.iter().map(|field| field.raw()).collect();
        Self::known(call!(LLVMStructTypeInContext(context.raw(), raw.as_mut_ptr(), raw.len() as u32, 0)))
    }
    pub fn function(result: Type<'ir>, parameters: &[Type<'ir>]) -> Self {
        let mut raw: Vec<_> = parameters.iter().map(|parameter| parameter.raw()).collect();
        Self::known(call!(LLVMFunctionType(result.raw(), raw.as_mut_ptr(), raw.len() as u32, 0)))
    }
    /// Of a function that takes any number of arguments after these.
    pub fn variadic_function(result: Type<'ir>, parameters: &[Type<'ir>]) -> Self {
        let mut raw: Vec<_> = parameters.iter().map(|parameter| parameter.raw()).collect();
        Self::known(call!(LLVMFunctionType(result.raw(), raw.as_mut_ptr(), raw.len() as u32, 1)))
    }

    pub fn context(self) -> Context<'ir> {
        Context::known(call!(LLVMGetTypeContext(self.raw())))
    }

    pub fn kind(self) -> TypeKind {
        match call!(LLVMGetTypeKind(self.raw())) {
            LLVMVoidTypeKind => TypeKind::Void,
            LLVMHalfTypeKind => TypeKind::Half,
            LLVMBFloatTypeKind => TypeKind::BFloat,
            LLVMFloatTypeKind => TypeKind::Float,
            LLVMDoubleTypeKind => TypeKind::Double,
            LLVMX86_FP80TypeKind | LLVMFP128TypeKind | LLVMPPC_FP128TypeKind => TypeKind::WideFloat,
            LLVMIntegerTypeKind => TypeKind::Integer,
            LLVMPointerTypeKind => TypeKind::Pointer,
            LLVMArrayTypeKind => TypeKind::Array,
            LLVMStructTypeKind => TypeKind::Struct,
            LLVMVectorTypeKind => TypeKind::Vector,
            LLVMScalableVectorTypeKind => TypeKind::ScalableVector,
            LLVMFunctionTypeKind => TypeKind::Function,
            _ => TypeKind::Other,
        }
    }

    pub fn is_integer(self) -> bool {
        self.kind() == TypeKind::Integer
    }
    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::Pointer
    }
    pub fn is_float(self) -> bool {
        use TypeKind::*;
        matches!(self.kind(), Half | BFloat | Float | Double | WideFloat)
    }

    /// Bits of an integer type.
    pub fn integer_width(self) -> Option<u32> {
        self.is_integer().then(|| call!(LLVMGetIntTypeWidth(self.raw())))
    }

    /// Bits of an integer, or of a floating-point number of at most 64.
    pub fn number_width(self) -> Option<u32> {
        match self.kind() {
            TypeKind::Half | TypeKind::BFloat => Some(16),
            TypeKind::Float => Some(32),
            TypeKind::Double => Some(64),
            _ => self.integer_width(),
        }
    }

    /// Address space of a pointer type.
    pub fn address_space(self) -> Option<u32> {
        self.is_pointer().then(|| call!(LLVMGetPointerAddressSpace(self.raw())))
    }

    /// Element of an array or vector type.
    pub fn element(self) -> Option<Type<'ir>> {
        use TypeKind::*;
        matches!(self.kind(), Array | Vector | ScalableVector)
            .then(|| Type::known(call!(LLVMGetElementType(self.raw()))))
    }

    /// Number of elements of an array or fixed vector type.
    pub fn length(self) -> Option<u64> {
        match self.kind() {
            TypeKind::Array => Some(call!(LLVMGetArrayLength2(self.raw()))),
            TypeKind::Vector => Some(u64::from(call!(LLVMGetVectorSize(self.raw())))),
            _ => None,
        }
    }

    /// Field types of a struct type, in order.
    pub fn fields(self) -> Vec<Type<'ir>> {
        if self.kind() != TypeKind::Struct {
            return Vec::new();
        }
        let count = call!(LLVMCountStructElementTypes(self.raw()));
        (0..count).map(|at| Type::known(call!(LLVMStructGetTypeAtIndex(self.raw(), at)))).collect()
    }

    /// Parameter types of a function type.
    pub fn parameters(self) -> Vec<Type<'ir>> {
        if self.kind() != TypeKind::Function {
            return Vec::new();
        }
        let count = call!(LLVMCountParamTypes(self.raw())) as usize;
        let raw = list(|out, room| {
            if room >= count {
                call!(LLVMGetParamTypes(self.raw(), out));
            }
            count
        });
        raw.into_iter().map(Type::known).collect()
    }

    /// Result type of a function type.
    pub fn result(self) -> Option<Type<'ir>> {
        (self.kind() == TypeKind::Function).then(|| Type::known(call!(LLVMGetReturnType(self.raw()))))
    }

    /// Whether values of the type have a size (neither void, label, function nor opaque).
    pub fn is_sized(self) -> bool {
        call!(LLVMTypeIsSized(self.raw())) != 0
    }
}

impl<'ir> Layout<'ir> {
    /// Bytes from one element of an array of this type to the next. The type must be sized.
    pub fn alloc_size(self, ty: Type<'ir>) -> u64 {
        assert!(ty.is_sized(), "law: only a sized type has a size: {ty}");
        call!(LLVMABISizeOfType(self.raw(), ty.raw()))
    }
    /// Bytes a store of this type may write.
    pub fn store_size(self, ty: Type<'ir>) -> u64 {
        assert!(ty.is_sized(), "law: only a sized type has a size: {ty}");
        call!(LLVMStoreSizeOfType(self.raw(), ty.raw()))
    }
    /// Byte offset of field `at` of a struct type.
    pub fn field_offset(self, ty: Type<'ir>, at: u32) -> u64 {
        assert!((at as usize) < ty.fields().len(), "law: a field offset needs a field");
        call!(LLVMOffsetOfElement(self.raw(), ty.raw(), at))
    }
    /// Whether the lowest byte of a number comes first.
    pub fn is_little_endian(self) -> bool {
        call!(LLVMByteOrder(self.raw())) == LLVMByteOrdering::LLVMLittleEndian
    }
    /// Bits of a pointer of the default address space.
    pub fn pointer_width(self) -> u32 {
        8 * call!(LLVMPointerSize(self.raw()))
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&owned_text(call!(LLVMPrintTypeToString(self.raw()))).unwrap_or_default())
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
