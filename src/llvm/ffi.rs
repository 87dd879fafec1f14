//! Declarations of the shim's functions; each must match `shim.cpp`, letter for letter.
//!
//! Nothing here is called from outside `llvm/`. A returned `*mut c_char` is owned by the caller and freed by
//! `LLVMDisposeMessage`; a list is written to `out` up to `room` entries and its whole length returned; null is "none".

use std::ffi::{c_char, c_uint, c_void};

use llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
};

/// What the pass objects on the C++ side call back. Must match the layout of `LoopwrightCallbacks`.
#[repr(C)]
pub struct Callbacks {
    pub run: extern "C" fn(pass: *const c_void, module: LLVMModuleRef, managers: *mut c_void) -> bool,
    pub text: extern "C" fn(pass: *const c_void) -> *mut c_char,
    pub named: extern "C" fn(name: *const c_char, length: usize) -> *const c_void,
    pub placed: extern "C" fn(point: c_uint, speed: c_uint, size: c_uint, phase: c_uint) -> *const c_void,
}

/// The words of a remark, those of its text first. Must match the layout of `RemarkWords` on the C++ side.
#[repr(C)]
pub struct RemarkWords {
    pub names: *const *const c_char,
    pub texts: *const *const c_char,
    pub shown: usize,
    pub all: usize,
}

macro_rules! opaque {
    ($($name:ident)*) => { $(#[doc = "A C++ object, seen only as an address."] pub enum $name {})* };
}

opaque! { Aliases Assumptions Dominators Evolution FunctionManagers Library Loop LoopForest Managers ModuleManagers PassBuilder RemarkEmitter Scev Snapshot Target }

unsafe extern "C" {
    // pass registration
    pub fn loopwright_register_passes(builder: *mut PassBuilder, callbacks: *const Callbacks);
    pub fn loopwright_register_option(
        name: *const c_char,
        value: *const c_char,
        help: *const c_char,
        hidden: bool,
        prefix: bool,
        given: extern "C" fn(name: *const c_char, value: *const c_char, length: usize),
    );
    // passes and analyses of a function
    pub fn loopwright_function_managers(managers: *mut c_void, module: LLVMModuleRef) -> *mut c_void;
    pub fn loopwright_managers_new() -> *mut Managers;
    pub fn loopwright_managers_modules(managers: *mut Managers) -> *mut c_void;
    pub fn loopwright_managers_free(managers: *mut Managers);
    pub fn loopwright_run_function_passes(
        managers: *mut FunctionManagers,
        function: LLVMValueRef,
        text: *const c_char,
    ) -> *mut c_char;
    pub fn loopwright_run_module_passes(
        managers: *mut ModuleManagers,
        module: LLVMModuleRef,
        text: *const c_char,
    ) -> *mut c_char;
    pub fn loopwright_invalidate(managers: *mut FunctionManagers, function: LLVMValueRef);
    pub fn loopwright_unroll(
        managers: *mut FunctionManagers,
        function: LLVMValueRef,
        header: LLVMBasicBlockRef,
        count: c_uint,
    ) -> bool;
    pub fn loopwright_write_out(
        managers: *mut FunctionManagers,
        function: LLVMValueRef,
        header: LLVMBasicBlockRef,
        count: c_uint,
    );
    pub fn loopwright_set_part(access: LLVMValueRef, copy: LLVMValueRef, at: u64);
    pub fn loopwright_copy_loop(
        managers: *mut FunctionManagers,
        function: LLVMValueRef,
        header: LLVMBasicBlockRef,
        condition: LLVMValueRef,
    ) -> bool;
    pub fn loopwright_scalar_evolution(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut Evolution;
    pub fn loopwright_loop_info(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut LoopForest;
    pub fn loopwright_dominators(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut Dominators;
    pub fn loopwright_aliases(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut Aliases;
    pub fn loopwright_target(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut Target;
    pub fn loopwright_library(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut Library;
    pub fn loopwright_assumptions(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut Assumptions;
    pub fn loopwright_remark_emitter(managers: *mut FunctionManagers, function: LLVMValueRef) -> *mut RemarkEmitter;
    // dominance, aliases, target
    pub fn loopwright_block_dominates(tree: *mut Dominators, a: LLVMBasicBlockRef, b: LLVMBasicBlockRef) -> bool;
    pub fn loopwright_value_dominates(tree: *mut Dominators, value: LLVMValueRef, user: LLVMValueRef) -> bool;
    pub fn loopwright_immediate_dominator(tree: *mut Dominators, block: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    pub fn loopwright_alias(aliases: *mut Aliases, a: LLVMValueRef, b: LLVMValueRef) -> c_uint;
    pub fn loopwright_alias_bytes(
        aliases: *mut Aliases,
        a: LLVMValueRef,
        b: LLVMValueRef,
        forgets_scopes: bool,
    ) -> c_uint;
    pub fn loopwright_alias_instructions(
        aliases: *mut Aliases,
        a: LLVMValueRef,
        b: LLVMValueRef,
        forgets_scopes: bool,
        forgets_types: bool,
    ) -> c_uint;
    pub fn loopwright_writes(
        aliases: *mut Aliases,
        instruction: LLVMValueRef,
        access: LLVMValueRef,
        forgets_scopes: bool,
    ) -> bool;
    pub fn loopwright_underlying_object(pointer: LLVMValueRef) -> LLVMValueRef;
    pub fn loopwright_is_identified_object(value: LLVMValueRef) -> bool;
    pub fn loopwright_is_dereferenceable(
        pointer: LLVMValueRef,
        bytes: u64,
        align: u64,
        at: LLVMValueRef,
        tree: *mut Dominators,
        assumptions: *mut Assumptions,
    ) -> bool;
    pub fn loopwright_vector_bits(target: *mut Target) -> c_uint;
    pub fn loopwright_loads_from_any_place(target: *mut Target, function: LLVMValueRef) -> bool;
    pub fn loopwright_can_compress(target: *mut Target, vector: LLVMTypeRef) -> bool;
    pub fn loopwright_vector_registers(target: *mut Target) -> c_uint;
    pub fn loopwright_throughput(target: *mut Target, instruction: LLVMValueRef, lanes: c_uint) -> c_uint;
    pub fn loopwright_cache_line(target: *mut Target) -> c_uint;
    pub fn loopwright_library_function(library: *mut Library, call: LLVMValueRef) -> *mut c_char;
    // loops
    pub fn loopwright_loops(loops: *mut LoopForest, out: *mut *mut Loop, room: usize) -> usize;
    pub fn loopwright_loop_of(loops: *mut LoopForest, block: LLVMBasicBlockRef) -> *mut Loop;
    pub fn loopwright_loop_parent(loop_: *mut Loop) -> *mut Loop;
    pub fn loopwright_loop_header(loop_: *mut Loop) -> LLVMBasicBlockRef;
    pub fn loopwright_loop_latch(loop_: *mut Loop) -> LLVMBasicBlockRef;
    pub fn loopwright_loop_preheader(loop_: *mut Loop) -> LLVMBasicBlockRef;
    pub fn loopwright_loop_blocks(loop_: *mut Loop, out: *mut LLVMBasicBlockRef, room: usize) -> usize;
    pub fn loopwright_loop_exits(loop_: *mut Loop, out: *mut LLVMBasicBlockRef, room: usize) -> usize;
    pub fn loopwright_loop_exiting(loop_: *mut Loop, out: *mut LLVMBasicBlockRef, room: usize) -> usize;
    pub fn loopwright_loop_is_simplified(loop_: *mut Loop) -> bool;
    pub fn loopwright_loop_is_rotated(loop_: *mut Loop) -> bool;
    pub fn loopwright_loop_counter(loop_: *mut Loop, scev: *mut Evolution) -> LLVMValueRef;
    pub fn loopwright_loop_attribute(loop_: *mut Loop, name: *const c_char) -> i64;
    pub fn loopwright_loop_location(loop_: *mut Loop) -> LLVMMetadataRef;
    // scalar evolution
    pub fn loopwright_scev(se: *mut Evolution, value: LLVMValueRef) -> *mut Scev;
    pub fn loopwright_is_scevable(se: *mut Evolution, value: LLVMValueRef) -> bool;
    pub fn loopwright_scev_at(se: *mut Evolution, scev: *mut Scev, loop_: *mut Loop) -> *mut Scev;
    pub fn loopwright_scev_kind(scev: *mut Scev) -> c_uint;
    pub fn loopwright_scev_width(se: *mut Evolution, scev: *mut Scev) -> c_uint;
    pub fn loopwright_scev_type(scev: *mut Scev) -> LLVMTypeRef;
    pub fn loopwright_scev_flags(scev: *mut Scev) -> c_uint;
    pub fn loopwright_scev_operands(scev: *mut Scev, out: *mut *mut Scev, room: usize) -> usize;
    pub fn loopwright_scev_loop(scev: *mut Scev) -> *mut Loop;
    pub fn loopwright_scev_value(scev: *mut Scev) -> LLVMValueRef;
    pub fn loopwright_constant(value: LLVMValueRef, out: *mut u64) -> bool;
    pub fn loopwright_scev_text(scev: *mut Scev) -> *mut c_char;
    pub fn loopwright_scev_range(se: *mut Evolution, scev: *mut Scev, is_signed: bool, low: *mut u64, high: *mut u64);
    pub fn loopwright_scev_is_invariant(se: *mut Evolution, scev: *mut Scev, loop_: *mut Loop) -> bool;
    pub fn loopwright_exit_count(se: *mut Evolution, loop_: *mut Loop, block: LLVMBasicBlockRef) -> *mut Scev;
    pub fn loopwright_backedges(se: *mut Evolution, loop_: *mut Loop, kind: c_uint) -> *mut Scev;
    pub fn loopwright_is_known(se: *mut Evolution, predicate: c_uint, left: *mut Scev, right: *mut Scev) -> bool;
    pub fn loopwright_is_known_in(
        se: *mut Evolution,
        predicate: c_uint,
        left: *mut Scev,
        right: *mut Scev,
        block: LLVMBasicBlockRef,
    ) -> bool;
    pub fn loopwright_scev_constant(se: *mut Evolution, ty: LLVMTypeRef, value: i64) -> *mut Scev;
    pub fn loopwright_scev_sum(se: *mut Evolution, a: *mut Scev, b: *mut Scev) -> *mut Scev;
    pub fn loopwright_scev_product(se: *mut Evolution, a: *mut Scev, b: *mut Scev) -> *mut Scev;
    pub fn loopwright_scev_difference(se: *mut Evolution, a: *mut Scev, b: *mut Scev) -> *mut Scev;
    pub fn loopwright_scev_extended(se: *mut Evolution, scev: *mut Scev, ty: LLVMTypeRef, is_signed: bool)
    -> *mut Scev;
    pub fn loopwright_pointer_base(se: *mut Evolution, scev: *mut Scev) -> *mut Scev;
    pub fn loopwright_pointer_offset(se: *mut Evolution, scev: *mut Scev) -> *mut Scev;
    pub fn loopwright_can_expand(se: *mut Evolution, scev: *mut Scev, before: LLVMValueRef) -> bool;
    pub fn loopwright_forget_value(se: *mut Evolution, value: LLVMValueRef);
    pub fn loopwright_expand(
        se: *mut Evolution,
        scev: *mut Scev,
        ty: LLVMTypeRef,
        before: LLVMValueRef,
    ) -> LLVMValueRef;
    // instructions
    pub fn loopwright_has_side_effects(value: LLVMValueRef) -> bool;
    pub fn loopwright_may_read(value: LLVMValueRef) -> bool;
    pub fn loopwright_may_write(value: LLVMValueRef) -> bool;
    pub fn loopwright_may_throw(value: LLVMValueRef) -> bool;
    pub fn loopwright_will_return(value: LLVMValueRef) -> bool;
    pub fn loopwright_is_speculatable(value: LLVMValueRef) -> bool;
    pub fn loopwright_memory_effects(call: LLVMValueRef) -> u32;
    pub fn loopwright_is_strict(call: LLVMValueRef) -> bool;
    pub fn loopwright_is_convergent(call: LLVMValueRef) -> bool;
    pub fn loopwright_call_has_attribute(call: LLVMValueRef, name: *const c_char) -> bool;
    pub fn loopwright_is_thread_dependent(value: LLVMValueRef) -> bool;
    pub fn loopwright_is_exact(function: LLVMValueRef) -> bool;
    pub fn loopwright_passes_copies(call: LLVMValueRef) -> bool;
    pub fn loopwright_forget_tail(call: LLVMValueRef);
    pub fn loopwright_is_interposable(function: LLVMValueRef) -> bool;
    pub fn loopwright_address_space(pointer: LLVMValueRef) -> c_uint;
    pub fn loopwright_has_address_taken(function: LLVMValueRef) -> bool;
    pub fn loopwright_is_static_alloca(alloca: LLVMValueRef) -> bool;
    pub fn loopwright_has_bundles(call: LLVMValueRef) -> bool;
    pub fn loopwright_has_addressed_block(function: LLVMValueRef) -> bool;
    pub fn loopwright_has_function_attribute(function: LLVMValueRef, name: *const c_char) -> bool;
    pub fn loopwright_add_function_attribute(function: LLVMValueRef, name: *const c_char, value: *const c_char);
    pub fn loopwright_remove_function_attribute(function: LLVMValueRef, name: *const c_char);
    pub fn loopwright_copy_function_attribute(from: LLVMValueRef, to: LLVMValueRef, name: *const c_char);
    pub fn loopwright_text_attributes(function: LLVMValueRef, out: *mut *mut c_char, room: usize) -> usize;
    pub fn loopwright_variable_name(value: LLVMValueRef) -> *mut c_char;
    pub fn loopwright_member_name(address: LLVMValueRef) -> *mut c_char;
    pub fn loopwright_demangled(name: *const c_char) -> *mut c_char;
    pub fn loopwright_language(function: LLVMValueRef) -> u32;
    // remarks
    pub fn loopwright_remark(
        emitter: *mut RemarkEmitter,
        kind: c_uint,
        name: *const c_char,
        location: LLVMMetadataRef,
        block: LLVMBasicBlockRef,
        words: *const RemarkWords,
    );
    pub fn loopwright_is_heard(emitter: *mut RemarkEmitter) -> bool;
    pub fn loopwright_error(context: LLVMContextRef, text: *const c_char);
    pub fn loopwright_warning(context: LLVMContextRef, text: *const c_char);
    // building
    pub fn loopwright_split_block(before: LLVMValueRef, name: *const c_char) -> LLVMBasicBlockRef;
    pub fn loopwright_join_predecessor(block: LLVMBasicBlockRef) -> bool;
    pub fn loopwright_replace_successor(terminator: LLVMValueRef, from: LLVMBasicBlockRef, to: LLVMBasicBlockRef);
    pub fn loopwright_forget_predecessor(block: LLVMBasicBlockRef, predecessor: LLVMBasicBlockRef);
    pub fn loopwright_remove_unreachable_blocks(function: LLVMValueRef) -> bool;
    pub fn loopwright_can_inline(managers: *mut FunctionManagers, call: LLVMValueRef) -> bool;
    pub fn loopwright_inline(call: LLVMValueRef) -> bool;
    pub fn loopwright_would_inline(managers: *mut FunctionManagers, call: LLVMValueRef) -> bool;
    pub fn loopwright_always_inline(call: LLVMValueRef);
    pub fn loopwright_move_before(instruction: LLVMValueRef, other: LLVMValueRef);
    pub fn loopwright_drop_poison_flags(instruction: LLVMValueRef);
    pub fn loopwright_distinct_node(
        context: LLVMContextRef,
        operands: *mut LLVMMetadataRef,
        count: usize,
    ) -> LLVMMetadataRef;
    pub fn loopwright_loop_node(
        context: LLVMContextRef,
        properties: *mut LLVMMetadataRef,
        count: usize,
    ) -> LLVMMetadataRef;
    pub fn loopwright_alias_domain(context: LLVMContextRef, name: *const c_char) -> LLVMMetadataRef;
    pub fn loopwright_alias_scope(
        context: LLVMContextRef,
        domain: LLVMMetadataRef,
        name: *const c_char,
    ) -> LLVMMetadataRef;
    pub fn loopwright_of_unknown_object(builder: LLVMBuilderRef, pointer: LLVMValueRef) -> LLVMValueRef;
    pub fn loopwright_declare_scopes(builder: LLVMBuilderRef, scopes: LLVMMetadataRef) -> LLVMValueRef;
    pub fn loopwright_metadata(instruction: LLVMValueRef, kind: c_uint) -> LLVMMetadataRef;
    pub fn loopwright_set_metadata(instruction: LLVMValueRef, kind: c_uint, node: LLVMMetadataRef);
    pub fn loopwright_keep_metadata(instruction: LLVMValueRef, kinds: *const c_uint, count: usize);
    pub fn loopwright_drop_immediate_promises(instruction: LLVMValueRef);
    pub fn loopwright_combine_promises(kept: LLVMValueRef, gone: LLVMValueRef);
    pub fn loopwright_location_of(function: LLVMValueRef) -> LLVMMetadataRef;
    pub fn loopwright_set_location(instruction: LLVMValueRef, location: LLVMMetadataRef);
    pub fn loopwright_outlined_subprogram(from: LLVMValueRef, to: LLVMValueRef) -> LLVMMetadataRef;
    pub fn loopwright_location_in(
        context: LLVMContextRef,
        line: c_uint,
        column: c_uint,
        scope: LLVMMetadataRef,
    ) -> LLVMMetadataRef;
    // a function as it was
    pub fn loopwright_snapshot(function: LLVMValueRef) -> *mut Snapshot;
    pub fn loopwright_snapshot_free(snapshot: *mut Snapshot);
    pub fn loopwright_restore(snapshot: *mut Snapshot, managers: *mut FunctionManagers) -> bool;
    pub fn loopwright_verify_function(function: LLVMValueRef) -> *mut c_char;
    pub fn loopwright_verify_module(module: LLVMModuleRef) -> *mut c_char;
}
