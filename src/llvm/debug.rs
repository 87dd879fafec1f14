//! What the debug information says: lines of the source and names of its variables.

use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;

use super::ffi::*;
use super::value::Value;
use super::{borrowed_text, owned_text};

handle! {
    /// A place in the source, a `DILocation`.
    Location(llvm_sys::LLVMOpaqueMetadata)
}

impl<'ir> Location<'ir> {
    pub fn line(self) -> u32 {
        call!(LLVMDILocationGetLine(self.raw()))
    }
    pub fn column(self) -> u32 {
        call!(LLVMDILocationGetColumn(self.raw()))
    }
    /// The file as it was named to the compiler.
    pub fn file(self) -> String {
        let file = call!(LLVMDIScopeGetFile(self.scope()));
        if file.is_null() {
            return String::new();
        }
        let mut length = 0;
        let raw = call!(LLVMDIFileGetFilename(file, &mut length));
        borrowed_text(raw, length as usize)
    }
    /// The folder where names of files that are relative start.
    pub fn directory(self) -> String {
        let file = call!(LLVMDIScopeGetFile(self.scope()));
        if file.is_null() {
            return String::new();
        }
        let mut length = 0;
        let raw = call!(LLVMDIFileGetDirectory(file, &mut length));
        borrowed_text(raw, length as usize)
    }
    /// The call this place was inlined through, outermost last.
    pub fn inlined_at(self) -> Option<Location<'ir>> {
        Location::from_raw(call!(LLVMDILocationGetInlinedAt(self.raw())))
    }
    /// The place in the function itself, however deep the inlining.
    pub fn outermost(self) -> Location<'ir> {
        std::iter::successors(Some(self), |at| at.inlined_at()).last().expect("law: a chain has an end")
    }
    fn scope(self) -> LLVMMetadataRef {
        call!(LLVMDILocationGetScope(self.raw()))
    }
}

impl std::fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file(), self.line(), self.column())
    }
}

impl std::fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// The source variable that some debug record says this value is, or lives in.
pub(super) fn variable_name(value: Value<'_>) -> Option<String> {
    owned_text(call!(loopwright_variable_name(value.raw()))).filter(|name| !name.is_empty())
}
