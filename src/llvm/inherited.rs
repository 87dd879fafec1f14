//! What a function made from a part of another one takes over from it.
//!
//!     define void @f(i64 %n) allocsize(0) nosync uwtable "target-cpu"="x86-64-v3"
//!     define internal void @f.part(ptr, i64, i64) uwtable "target-cpu"="x86-64-v3"

use std::ffi::CStr;

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::{LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName, LLVMGetStringAttributeAtIndex};
use llvm_sys::prelude::LLVMAttributeRef;

use super::ffi::*;
use super::ir::Function;
use super::{list, zero_terminated};

/// Attributes of a function that are true of, and wanted on, a function made from a part of it: how its code is generated, protected and
/// watched. None that speaks of its parameters, its result or its effects.
const INHERITED: &str = "\
    alignstack cold disable_sanitizer_instrumentation fn_ret_thunk_extern mustprogress nocf_check noimplicitfloat \
    noprofile noredzone null_pointer_is_valid nosanitize_bounds nosanitize_coverage optforfuzzing safestack \
    sanitize_address sanitize_hwaddress sanitize_memory sanitize_memtag sanitize_numerical_stability sanitize_thread \
    sanitize_type shadowcallstack skipprofile speculative_load_hardening ssp sspreq sspstrong strictfp uwtable \
    vscale_range";

/// The same of attributes that are texts.
const INHERITED_TEXTS: &str = "\
    approx-func-fp-math denormal-fp-math denormal-fp-math-f32 frame-pointer indirect-tls-seg-refs less-precise-fpmad \
    min-legal-vector-width no-infs-fp-math no-inline-line-tables no-jump-tables no-nans-fp-math \
    no-signed-zeros-fp-math no-stack-arg-probe no-trapping-math prefer-vector-width probe-stack \
    profile-sample-accurate split-stack stack-probe-size stack-protector-buffer-size stackrealign \
    strict-float-cast-overflow target-cpu target-features tune-cpu unsafe-fp-math use-soft-float zero-call-used-regs";

/// Beginnings of the names of more texts: what is not built in, and how returns and branches are protected.
const INHERITED_FAMILIES: &str = "\
    no-builtin sign-return-address branch- guarded-control- indirect-branch-";

impl<'ir> Function<'ir> {
    /// Takes over from another function what is true of any part of its body, such as its target's features.
    pub fn copy_attributes_from(self, other: Function<'ir>) {
        let copy = |name: &CStr| call!(loopwright_copy_function_attribute(other.raw(), self.raw(), name.as_ptr()));
        INHERITED.split(' ').chain(INHERITED_TEXTS.split(' ')).for_each(|name| copy(&zero_terminated(name)));
        for name in list(|out, room| call!(loopwright_text_attributes(other.raw(), out, room))) {
            // SAFETY: the names of attributes are zero-terminated and live as long as LLVM's context.
            let name = unsafe { CStr::from_ptr(name) };
            if begins_family(name.to_bytes()) {
                copy(name);
            }
        }
    }

    /// Whether what a function takes over from another one is the same for both.
    pub fn inherits_like(self, other: Function<'ir>) -> bool {
        self.inherited() == other.inherited()
    }

    fn inherited(self) -> Vec<LLVMAttributeRef> {
        let at = LLVMAttributeFunctionIndex;
        let built_in = INHERITED.split(' ').map(|name| {
            let kind = call!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
            call!(LLVMGetEnumAttributeAtIndex(self.raw(), at, kind))
        });
        let of_families = list(|out, room| call!(loopwright_text_attributes(self.raw(), out, room)));
        // SAFETY: the names of attributes are zero-terminated and live as long as LLVM's context.
        let of_families = of_families.into_iter().map(|name| unsafe { CStr::from_ptr(name) }.to_bytes());
        let of_families = of_families.filter(|name| begins_family(name));
        let texts =
            INHERITED_TEXTS.split(' ').map(str::as_bytes).chain(of_families).map(|name| {
                call!(LLVMGetStringAttributeAtIndex(self.raw(), at, name.as_ptr().cast(), name.len() as u32))
            });
        built_in.chain(texts).collect()
    }
}

fn begins_family(name: &[u8]) -> bool {
    INHERITED_FAMILIES.split(' ').any(|family| name.starts_with(family.as_bytes()))
}
