//! What is the same on every thread, and what is not.
//!
//!     static _Thread_local double t[1000];
//!     for (i = 0; i < n; i++) t[i] += sin(x[i]);          %t = call ptr @llvm.threadlocal.address(@t)
//!
//! `sin` may be called on any thread. The address of `t` may not: LLVM says of both that they read no memory and depend on nothing
//! but their arguments, and means within one thread. So what a call gives counts as the same everywhere only if it is known to be: of
//! intrinsics by a list, of the C library's functions by LLVM's table of them and the list of those that calculate, and of functions whose
//! body is at hand if that contains nothing else. A declaration with `__attribute__((const))` is no such knowledge (`pthread_self` has it).
//!
//! An address that one thread has asked for is a pointer like any other. It is asked for once, before all loops, by `prepare/`.

use std::collections::HashMap;

use super::analysis::Analyses;
use super::ffi::*;
use super::instruction::{Call, Instruction};
use super::ir::Function;
use super::value::Value;

/// Bytes of variables of functions that wait for one another, beyond which a thread may not have the stack: a quarter of the smallest that one
/// may be given.
const MOST_STACK: u64 = 4096;

/// More instructions than this, in all functions that one call leads to, are not looked through.
const MOST_INSTRUCTIONS: usize = 2_000;

/// Intrinsics that are functions of their arguments, without `llvm.`.
const INTRINSICS: &str = "\
    abs smax smin umax umin scmp ucmp bitreverse bswap ctlz cttz ctpop fshl fshr clmul sadd.with.overflow \
    ssub.with.overflow smul.with.overflow uadd.with.overflow usub.with.overflow umul.with.overflow sadd.sat ssub.sat \
    uadd.sat usub.sat sshl.sat ushl.sat smul.fix smul.fix.sat umul.fix umul.fix.sat sdiv.fix sdiv.fix.sat udiv.fix \
    udiv.fix.sat fptosi.sat fptoui.sat convert.from.fp16 convert.to.fp16 sqrt fabs copysign fma fmuladd minnum \
    maxnum minimum maximum minimumnum maximumnum floor ceil trunc rint nearbyint round roundeven lround llround \
    lrint llrint canonicalize is.fpclass fptrunc.round sin cos tan asin acos atan atan2 sinh cosh tanh sincos \
    sincospi modf frexp ldexp exp exp2 exp10 log log2 log10 pow powi arithmetic.fence expect expect.with.probability \
    ssa.copy is.constant objectsize ptrmask allow.runtime.check allow.ubsan.check";

/// Beginnings of the names of more: instructions of processors that calculate checksums, move bits and carry.
const FAMILIES: &str = "\
    vector.reduce. x86.bmi. x86.sse42.crc32. x86.addcarry. x86.subborrow. aarch64.crc32 arm.crc32";

/// What else may stand in a body: it fills, copies and marks memory that the body has, or calculates nothing.
const INSIDE_BODIES: &str = "\
    memset memcpy memmove memset.inline memcpy.inline trap ubsantrap";

/// Functions of the C library that calculate, of those that LLVM knows, without `f` and `l` for other types. Not `lgamma`: it writes a variable.
const LIBRARY: &str = "\
    abs labs llabs ffs ffsl ffsll fls flsl flsll isascii isdigit toascii htonl htons ntohl ntohs acos acosh asin \
    asinh atan atan2 atanh cabs cbrt ceil copysign cos cosh cospi __cospi erf exp exp10 exp2 expm1 fabs fdim floor \
    fmax fmaximum_num fmin fminimum_num fmod hypot ilogb ldexp log log10 log1p log2 logb nearbyint nextafter \
    nexttoward pow remainder rint round roundeven scalbln scalbn sin sinh __sinpi sinpi sqrt tan tanh tgamma trunc";

/// Functions of the C library that LLVM has no number for: the rest of its mathematics that takes and gives numbers.
const REST_OF_MATH: &str = "\
    acospi asinpi atan2pi atanpi carg cimag compoundn creal drem erfc exp10m1 exp2m1 fma llrint llround log10p1 \
    log2p1 logp1 lrint lround nextdown nextup pown powr rootn rsqrt significand tanpi";

impl<'ir> Analyses<'_, 'ir> {
    /// Whether a call that depends on nothing but its arguments gives the same on every thread.
    pub fn is_same_on_every_thread(&self, call: Call<'ir>) -> bool {
        self.is_same_with(call, MOST_STACK)
    }

    /// Whether it would, but for the stack that it needs.
    pub fn needs_more_stack(&self, call: Call<'ir>) -> bool {
        !self.is_same_with(call, MOST_STACK) && self.is_same_with(call, u64::MAX / 2)
    }

    fn is_same_with(&self, call: Call<'ir>, most_stack: u64) -> bool {
        let (open, known, budget) = (Vec::new(), HashMap::new(), MOST_INSTRUCTIONS);
        let mut bodies = Bodies { analyses: self, open, known, depth: 0, deepest: 0, most_stack, budget };
        call.callee().is_some_and(|callee| bodies.is_same(call, callee, Caller::Loops))
    }

    fn calculates(&self, call: Call<'ir>, callee: Function<'ir>) -> bool {
        let is_listed = |name: &str, list: &str| {
            let short = name.strip_suffix(['f', 'l']);
            is_in(name, list) || short.is_some_and(|short| is_in(short, list))
        };
        if let Some(name) = self.library_function(call.instruction()) {
            let finite = name.strip_prefix("__").and_then(|name| name.strip_suffix("_finite"));
            return is_listed(finite.unwrap_or(&name), LIBRARY);
        }
        let is_number = |value: Value<'ir>| value.ty().is_float() || value.ty().is_integer();
        let has_numbers = is_number(call.instruction().value()) && call.arguments().into_iter().all(is_number);
        let is_builtin = !call.has_attribute("nobuiltin") && !callee.is_internal();
        is_builtin && has_numbers && [LIBRARY, REST_OF_MATH].iter().any(|list| is_listed(&callee.name(), list))
    }
}

/// Whether a word is in a list of words.
fn is_in(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// Where a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    /// In the loops that are asked about.
    Loops,
    /// In a function that they lead to.
    Body,
}

/// A look through the functions that a call leads to.
struct Bodies<'s, 'a, 'ir> {
    analyses: &'s Analyses<'a, 'ir>,
    /// Those being looked through: who calls one of them is recursive, and needs more stack than a thread may have.
    open: Vec<Function<'ir>>,
    /// Those that were looked through, and the stack that they need with all that they call.
    known: HashMap<Function<'ir>, u64>,
    /// Bytes of stack of the open ones, and of those at any time, since the innermost was opened.
    depth: u64,
    deepest: u64,
    most_stack: u64,
    budget: usize,
}

impl<'ir> Bodies<'_, '_, 'ir> {
    fn is_same(&mut self, call: Call<'ir>, callee: Function<'ir>, caller: Caller) -> bool {
        if let Some(name) = call.intrinsic() {
            let name = name.strip_prefix("llvm.").unwrap_or(&name);
            let is_listed = is_in(name, INTRINSICS) || FAMILIES.split(' ').any(|family| name.starts_with(family));
            return is_listed
                || caller == Caller::Body && (is_in(name, INSIDE_BODIES) || call.instruction().is_marker());
        }
        match callee.has_body() {
            true => self.shows(callee),
            false => self.analyses.calculates(call, callee),
        }
    }

    /// Whether a body contains nothing that differs between threads, and does not need more stack than any of them has. That it reads no memory but its own is known by then.
    fn shows(&mut self, function: Function<'ir>) -> bool {
        if let Some(need) = self.known.get(&function) {
            self.deepest = self.deepest.max(self.depth + need);
            return self.deepest <= self.most_stack;
        }
        if function.is_interposable() || self.open.contains(&function) {
            return false;
        }
        let Some(own) = function.stack_bytes().filter(|own| self.depth.saturating_add(*own) <= self.most_stack) else {
            return false;
        };
        let (above, deepest) = (self.depth, self.deepest);
        self.depth += own;
        self.deepest = self.depth;
        self.open.push(function);
        let is_same = function.instructions().into_iter().all(|instruction| self.instruction_is_same(instruction));
        self.open.pop();
        let need = self.deepest - above;
        (self.depth, self.deepest) = (above, self.deepest.max(deepest));
        if is_same {
            self.known.insert(function, need);
        }
        is_same
    }

    fn instruction_is_same(&mut self, instruction: Instruction<'ir>) -> bool {
        self.budget = self.budget.saturating_sub(1);
        let is_plain = |access: super::instruction::MemoryAccess<'ir>| access.simple && access.is_common();
        self.budget > 0
            && !instruction.operands().into_iter().any(Value::is_thread_dependent)
            && instruction.memory().is_none_or(is_plain)
            && instruction
                .call()
                .is_none_or(|call| call.callee().is_some_and(|callee| self.is_same(call, callee, Caller::Body)))
    }
}

impl Value<'_> {
    /// Whether a constant is, or is computed from, the address of a thread-local variable: every thread has another one.
    pub fn is_thread_dependent(self) -> bool {
        call!(loopwright_is_thread_dependent(self.raw()))
    }
}
