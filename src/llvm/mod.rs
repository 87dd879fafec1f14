//! The door to LLVM: the only room with `unsafe`, and no polyhedra in it.
//!
//! `ir` and its neighbours read the program (modules, functions, blocks, instructions, types), `analysis` and `scev`
//! ask LLVM's analyses about it, `build` writes new code, `remark` speaks to the user, `registration` is what `opt` and
//! `clang` see. C++ is confined to `shim.cpp`, whose functions are a few lines each and decide nothing.
//!
//! A handle is `Copy` and carries `'ir`, the lifetime of the program being compiled:
//!
//!     let session: &mut Session<'ir>;
//!     for function in session.module().functions() {          // Function<'ir>
//!         for block in function.blocks() { ... }              // Block<'ir>
//!     }
//!
//! # The law of handles
//! A handle wraps an object of its class that is alive for `'ir`. Three things could break that, and callers promise
//! not to: using an instruction, block or function after it is gone; using a [`Scev`](scev::ScevId) or
//! [`LoopId`](analysis::LoopId) of one [`Analyses`](analysis::Analyses) with another; running passes that delete code
//! (`prepare/`) while holding handles into it. The second is checked, the others are kept by order: first
//! `prepare/`, then the analyses, then the building, and removing last.
//!
//! What ends handles is a short list: `Instruction::remove`, `replace_with` and `inline`,
//! `Function::remove_unreachable_blocks`, a [`Snapshot`] that is restored, and passes. They are no `unsafe` functions, since that would take
//! `unsafe` out of this room, and take no token: a token would be asked of one handle, and its copies would live on.
//! What stands instead is the order above, and that *nothing asks LLVM about what ended*: debug builds note what the functions of this list
//! remove (`ended`), and assert at each call that no argument is among it. Comparing and hashing handles asks LLVM nothing and stays
//! allowed, so that tables may have keys that ended. What a snapshot or a pass ends is not noted: C++ removes it out of sight.

/// Calls a function of LLVM's C API or of the shim.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: arguments come from handles, each of which wraps a live object of the class the function expects
        // (the law of handles), or are plain values and buffers that outlive the call.
        #[allow(unused_unsafe)]
        unsafe { $function($($argument),*) }
    }};
}

/// A `Copy` handle on an object of LLVM with the lifetime of the program.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($raw:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name<'ir> {
            raw: std::ptr::NonNull<$raw>,
            ir: std::marker::PhantomData<&'ir ()>,
        }

        #[allow(dead_code)]
        impl<'ir> $name<'ir> {
            pub(in crate::llvm) fn from_raw(raw: *mut $raw) -> Option<Self> {
                $crate::llvm::ended::forget(raw as usize);
                std::ptr::NonNull::new(raw).map(|raw| Self { raw, ir: std::marker::PhantomData })
            }
            pub(in crate::llvm) fn known(raw: *mut $raw) -> Self {
                Self::from_raw(raw).expect(concat!("law: LLVM always has a ", stringify!($name), " here"))
            }
            pub(in crate::llvm) fn raw(self) -> *mut $raw {
                $crate::llvm::ended::check(self.raw.as_ptr() as usize);
                self.raw.as_ptr()
            }
        }
    };
}

mod ffi;

pub mod analysis;
pub mod build;
pub mod debug;
mod effects;
mod ended;
pub mod errno;
mod exact;
mod inherited;
mod inlining;
pub mod instruction;
pub mod ir;
pub mod metadata;
pub mod opcode;
pub mod openmp;
pub mod registration;
pub mod remark;
pub mod scev;
pub mod session;
pub mod snapshot;
pub mod threads;
pub mod touched;
pub mod types;
pub mod value;
mod wide;

#[cfg(test)]
mod tests;

pub use analysis::{Analyses, Loop, LoopId};
pub use build::{Builder, Promise};
pub use debug::{Language, Location, demangled};
pub use instruction::{Call, Instruction};
pub use ir::{Block, Context, Function, Module};
pub use metadata::{LoopHint, Metadata, Numbered};
pub use opcode::{FloatPredicate, IntPredicate, Opcode};
pub use remark::{Remark, RemarkKind};
pub use scev::{Scev, ScevId, ScevKind};
pub use session::Session;
pub use snapshot::{Leaves, Snapshot};
pub use types::{Layout, Signedness, Type, TypeKind};
pub use value::{Value, ValueKind};

use std::ffi::{CStr, CString, c_char};

use llvm_sys::core::LLVMDisposeMessage;

/// The text LLVM handed over, freed on its side; `None` for null.
fn owned_text(raw: *mut c_char) -> Option<String> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: a non-null message is a zero-terminated string that belongs to us until it is disposed of below.
    let text = unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned();
    call!(LLVMDisposeMessage(raw));
    Some(text)
}

/// A text LLVM keeps: copied.
fn borrowed_text(raw: *const c_char, length: usize) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returns a pointer and the number of bytes that are readable behind it.
    let bytes = unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Zero-terminated copy; a zero byte inside ends the text there.
fn zero_terminated(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).expect("law: no zero byte before the first zero byte")
}

/// A whole list through the shim's `(out, room) -> length` convention.
fn list<T>(fill: impl Fn(*mut *mut T, usize) -> usize) -> Vec<*mut T> {
    let mut items = vec![std::ptr::null_mut(); 8];
    let length = fill(items.as_mut_ptr(), items.len());
    if length > items.len() {
        items.resize(length, std::ptr::null_mut());
        fill(items.as_mut_ptr(), items.len());
    }
    items.truncate(length);
    items
}
