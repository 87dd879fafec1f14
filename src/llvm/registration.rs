//! What `opt` and `clang` see of a plugin: its passes by name, their place in the default pipeline, its command-line
//! options.
//!
//!     opt -load-pass-plugin=libloopwright.so -passes='loopwright<tile=64>'      calls  named("loopwright<tile=64>")
//!     clang -O3 -fpass-plugin=libloopwright.so                                  calls  placed(..) twice, once per point
//!
//! Nothing unwinds into C++: a panic in a callback is "no pass" or "nothing changed".

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use llvm_sys::core::LLVMCreateMessage;
use llvm_sys::prelude::LLVMModuleRef;

use super::ffi::*;
use super::ir::Module;
use super::session::Session;
use super::{borrowed_text, zero_terminated};

/// A module pass.
pub trait Pass {
    /// The pass as `-passes=` would be told it.
    fn text(&self) -> String;
    /// Whether the module was changed.
    fn run(&self, session: &mut Session<'_>) -> bool;
}

/// Where in the default pipeline LLVM offers a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// After the first clean-up, before anything is inlined.
    EarlySimplification,
    /// After inlining and simplification, before vectorization.
    OptimizerEarly,
}

/// Must be numbered as `llvm::ThinOrFullLTOPhase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No link-time optimization.
    Single,
    ThinBeforeLink,
    ThinAfterLink,
    FullBeforeLink,
    FullAfterLink,
}

#[derive(Clone, Copy, Debug)]
pub struct PipelinePlace {
    pub point: Point,
    /// 0 to 3, of `-O0` to `-O3`.
    pub speed: u32,
    /// 1 for `-Os`, 2 for `-Oz`.
    pub size: u32,
    pub phase: Phase,
}

/// One option of the command line.
pub struct CommandLineOption {
    pub name: String,
    /// What the value is called in `-help`.
    pub value: &'static str,
    pub help: &'static str,
    pub hidden: bool,
    /// Takes every option that begins with the name and has no entry of its own.
    pub prefix: bool,
}

/// A plugin's answers to LLVM's questions.
pub struct Plugin {
    pub name: &'static CStr,
    pub version: &'static CStr,
    pub options: Vec<CommandLineOption>,
    /// An option of the command line was given, with its value or the empty text.
    pub given: fn(name: &str, value: &str),
    /// The pass that `-passes=` names, if it is ours.
    pub named: fn(name: &str) -> Option<Box<dyn Pass>>,
    /// The pass to run at a place of the default pipeline.
    pub placed: fn(place: PipelinePlace) -> Option<Box<dyn Pass>>,
}

/// Must match the layout of `llvm::PassPluginLibraryInfo`, API version 2.
#[repr(C)]
pub struct PluginInfo {
    version_of_api: u32,
    name: *const c_char,
    version: *const c_char,
    register: Option<extern "C" fn(builder: *mut PassBuilder)>,
    before_code_generation: Option<extern "C" fn()>,
}

const API_VERSION: u32 = 2;

static PLUGIN: OnceLock<Plugin> = OnceLock::new();

static CALLBACKS: Callbacks = Callbacks { run, text, named, placed };

/// The answer to `llvmGetPassPluginInfo`; registers the options at the first call.
pub fn plugin_info(plugin: impl FnOnce() -> Plugin) -> PluginInfo {
    let plugin = PLUGIN.get_or_init(|| {
        let plugin = plugin();
        plugin.options.iter().for_each(register_option);
        plugin
    });
    PluginInfo {
        version_of_api: API_VERSION,
        name: plugin.name.as_ptr(),
        version: plugin.version.as_ptr(),
        register: Some(register),
        before_code_generation: None,
    }
}

fn register_option(option: &CommandLineOption) {
    let [name, value, help] = [&option.name, option.value, option.help].map(zero_terminated);
    let (name, value, help) = (name.into_raw(), value.into_raw(), help.into_raw());
    call!(loopwright_register_option(name, value, help, option.hidden, option.prefix, given));
}

extern "C" fn register(builder: *mut PassBuilder) {
    call!(loopwright_register_passes(builder, &CALLBACKS));
}

extern "C" fn given(name: *const c_char, value: *const c_char, length: usize) {
    // SAFETY: the shim passes the zero-terminated name the option was registered with.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    answer(|plugin| (plugin.given)(&name, &borrowed_text(value, length)));
}

extern "C" fn named(name: *const c_char, length: usize) -> *const c_void {
    handed_over(answer(|plugin| (plugin.named)(&borrowed_text(name, length))))
}

extern "C" fn placed(point: c_uint, speed: c_uint, size: c_uint, phase: c_uint) -> *const c_void {
    const PHASES: [Phase; 5] =
        [Phase::Single, Phase::ThinBeforeLink, Phase::ThinAfterLink, Phase::FullBeforeLink, Phase::FullAfterLink];
    let point = if point == 0 { Point::EarlySimplification } else { Point::OptimizerEarly };
    let phase = PHASES.get(phase as usize).copied().unwrap_or(Phase::Single);
    handed_over(answer(|plugin| (plugin.placed)(PipelinePlace { point, speed, size, phase })))
}

extern "C" fn run(pass: *const c_void, module: LLVMModuleRef, managers: *mut c_void) -> bool {
    let pass = pass_behind(pass);
    catch_unwind(AssertUnwindSafe(|| pass.run(&mut Session::new(Module::known(module), managers)))).unwrap_or(true)
}

extern "C" fn text(pass: *const c_void) -> *mut c_char {
    let text = catch_unwind(AssertUnwindSafe(|| pass_behind(pass).text())).unwrap_or_default();
    call!(LLVMCreateMessage(zero_terminated(&text).as_ptr()))
}

fn answer<R>(ask: impl FnOnce(&Plugin) -> R) -> Option<R> {
    let plugin = PLUGIN.get()?;
    catch_unwind(AssertUnwindSafe(|| ask(plugin))).ok()
}

/// Gives a pass to LLVM, which copies and drops pass objects as it likes: it lives until the compiler ends.
fn handed_over(pass: Option<Option<Box<dyn Pass>>>) -> *const c_void {
    pass.flatten().map_or(std::ptr::null(), |pass| std::ptr::from_ref(Box::leak(Box::new(pass))).cast())
}

fn pass_behind(pass: *const c_void) -> &'static dyn Pass {
    // SAFETY: LLVM hands back what `handed_over` leaked, and only that.
    unsafe { &**pass.cast::<Box<dyn Pass>>() }
}
