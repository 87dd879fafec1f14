//! One run over one module: the module and LLVM's analysis caches.
//!
//! Analyses borrow the session, passes need it mutably: no analysis survives a pass or a change that invalidates it.
//!
//!     session.run_function_passes(function, "loop-simplify,lcssa")?;
//!     let analyses = session.analyses(function);
//!     ...
//!     session.invalidate(function);
//!
//! Tests make their own with [`with_ir`].

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::target_machine::LLVMGetHostCPUName;

use super::analysis::Analyses;
use super::ffi::*;
use super::instruction::Instruction;
use super::ir::{Block, Function, Module};
use super::value::Value;
use super::{owned_text, zero_terminated};
use crate::machine::Target;

pub struct Session<'ir> {
    module: Module<'ir>,
    modules: NonNull<ModuleManagers>,
    functions: NonNull<FunctionManagers>,
    /// Functions with loops that are rewritten, or would be if nothing were only printed.
    rewritten: Vec<Function<'ir>>,
    ir: PhantomData<&'ir ()>,
}

impl<'ir> Session<'ir> {
    /// `managers` must be the module analysis manager LLVM passes along with this module.
    pub(super) fn new(module: Module<'ir>, managers: *mut c_void) -> Session<'ir> {
        let functions = call!(loopwright_function_managers(managers, module.raw())).cast();
        let modules = NonNull::new(managers.cast()).expect("law: LLVM runs a pass with its analysis manager");
        let functions = NonNull::new(functions).expect("law: function analyses are reachable from a module pass");
        Session { module, modules, functions, rewritten: Vec::new(), ir: PhantomData }
    }

    pub fn module(&self) -> Module<'ir> {
        self.module
    }

    pub(super) fn function_managers(&self) -> *mut FunctionManagers {
        self.functions.as_ptr()
    }

    /// Notes that the loops of a function are taken care of: it stays a function of its own for those that call it.
    pub fn note_rewritten(&mut self, function: Function<'ir>) {
        self.rewritten.push(function);
    }

    /// Whether that was noted.
    pub fn is_rewritten(&self, function: Function<'ir>) -> bool {
        self.rewritten.contains(&function)
    }

    /// The analyses of a function with a body, computed when first asked for.
    pub fn analyses(&self, function: Function<'ir>) -> Analyses<'_, 'ir> {
        Analyses::new(self.functions.as_ptr(), function)
    }

    /// What LLVM knows of the processor that a function with a body is compiled for. (What it says of the caches of x86 are constants
    /// of long ago.)
    pub fn target(&self, function: Function<'ir>) -> Target {
        let target = call!(loopwright_target(self.functions.as_ptr(), function.raw()));
        let host = owned_text(call!(LLVMGetHostCPUName()));
        Target {
            vector_bits: call!(loopwright_vector_bits(target)),
            vector_registers: call!(loopwright_vector_registers(target)),
            line: call!(loopwright_cache_line(target)),
            is_host: host.is_some() && function.text_attribute("target-cpu") == host,
        }
    }

    /// Runs a pipeline in the syntax of `opt -passes=`; `Err` is LLVM's complaint about the text.
    pub fn run_function_passes(&mut self, function: Function<'ir>, pipeline: &str) -> Result<(), String> {
        assert!(function.has_body(), "law: passes run on a body");
        let text = zero_terminated(pipeline);
        owned_text(call!(loopwright_run_function_passes(self.functions.as_ptr(), function.raw(), text.as_ptr())))
            .map_or(Ok(()), Err)
    }

    /// Runs a module pipeline; functions may disappear.
    pub fn run_module_passes(&mut self, pipeline: &str) -> Result<(), String> {
        let text = zero_terminated(pipeline);
        owned_text(call!(loopwright_run_module_passes(self.modules.as_ptr(), self.module.raw(), text.as_ptr())))
            .map_or(Ok(()), Err)
    }

    /// Whether LLVM's own inliner may inline a call, and would not rather keep it because it is hardly ever made.
    pub fn can_inline(&self, call: Instruction<'ir>) -> bool {
        let is_cold = call.call().is_some_and(|call| call.has_attribute("cold"));
        !is_cold && call!(loopwright_can_inline(self.function_managers(), call.raw()))
    }

    /// Has one iteration of the loop with this header do `count` of them, as LLVM's unroller writes it; what is left over runs behind the loop. Whether
    /// that was possible.
    pub fn unroll(&mut self, function: Function<'ir>, header: Block<'ir>, count: usize) -> bool {
        let count = u32::try_from(count).expect("law: few iterations are done in one");
        let unrolled = call!(loopwright_unroll(self.functions.as_ptr(), function.raw(), header.raw(), count));
        self.invalidate(function);
        unrolled
    }

    /// Has one iteration of the loop with this header do `count` of them, each of which asks all that it asked before.
    pub fn write_out(&mut self, function: Function<'ir>, header: Block<'ir>, count: u32) {
        call!(loopwright_write_out(self.functions.as_ptr(), function.raw(), header.raw(), count));
        self.invalidate(function);
    }

    /// Has a loop run only if a condition holds that is known before it, and else a copy of it. Whether that was possible.
    pub fn copy_loop(&mut self, function: Function<'ir>, header: Block<'ir>, condition: Value<'ir>) -> bool {
        let (function_, header, condition) = (function.raw(), header.raw(), condition.raw());
        let copied = call!(loopwright_copy_loop(self.functions.as_ptr(), function_, header, condition));
        self.invalidate(function);
        copied
    }

    /// Forgets what analyses said about a function that was changed by hand.
    pub fn invalidate(&mut self, function: Function<'ir>) {
        call!(loopwright_invalidate(self.functions.as_ptr(), function.raw()));
    }
}

/// Parses a module in LLVM's text form and runs `body` on it; `Err` is the parser's complaint.
pub fn with_ir<R>(text: &str, body: impl for<'ir> FnOnce(&mut Session<'ir>) -> R) -> Result<R, String> {
    let text = zero_terminated(text);
    let context = call!(LLVMContextCreate());
    let length = text.as_bytes().len();
    let buffer = call!(LLVMCreateMemoryBufferWithMemoryRangeCopy(text.as_ptr(), length, c"test".as_ptr()));
    let (mut module, mut complaint) = (std::ptr::null_mut(), std::ptr::null_mut());
    let failed = call!(LLVMParseIRInContext2(context, buffer, &mut module, &mut complaint)) != 0;
    call!(LLVMDisposeMemoryBuffer(buffer));
    if failed {
        let complaint = owned_text(complaint).unwrap_or_default();
        call!(LLVMContextDispose(context));
        return Err(complaint);
    }
    let managers = call!(loopwright_managers_new());
    let result = body(&mut Session::new(Module::known(module), call!(loopwright_managers_modules(managers))));
    call!(loopwright_managers_free(managers));
    call!(LLVMDisposeModule(module));
    call!(LLVMContextDispose(context));
    Ok(result)
}
