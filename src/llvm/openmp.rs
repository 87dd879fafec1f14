//! The OpenMP runtime's entry points, as LLVM's `libomp` defines them.
//!
//!     Fork.call(&builder, &[ident, count, outlined, frame]);         // void __kmpc_fork_call(ident_t *, i32, ...)
//!
//! `outlined(i32 *thread, i32 *, frame)` runs on every thread of the team; inside, `StaticInit` gives the thread its part
//! of `lower ..= upper` and `StaticEnd` ends it.

use super::build::Builder;
use super::instruction::Instruction;
use super::ir::{Context, Function, Module};
use super::types::Type;
use super::value::Value;

/// One contiguous part per thread.
pub const SCHEDULE_STATIC: i32 = 34;
pub const SCHEDULE_GUIDED: i32 = 36;

/// Flag of `ident_t`: the caller is compiled code that keeps to the C entry points.
const IDENT_COMPILED: i128 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// `(ident, argument count, outlined, arguments...)`
    Fork,
    /// `(ident) -> thread number`
    GlobalThread,
    /// `(ident, thread, schedule, last *, lower *, upper *, stride *, increment, chunk)`, 64 bits, signed bounds
    StaticInit,
    /// `(ident, thread)`
    StaticEnd,
    /// `(ident, thread, schedule, lower, upper, stride, chunk)`, 64 bits, signed bounds
    DispatchInit,
    /// `(ident, thread, last *, lower *, upper *, stride *) -> another part?`
    DispatchNext,
    /// `(ident, thread)`
    Barrier,
    /// `(ident, thread, lock: [8 x i32] *)`
    Critical,
    /// `(ident, thread, lock)`
    EndCritical,
    /// `(ident, thread, threads)`
    PushThreads,
    /// `() -> threads a team would have`
    MaximalThreads,
}

impl Entry {
    pub fn name(self) -> &'static str {
        match self {
            Entry::Fork => "__kmpc_fork_call",
            Entry::GlobalThread => "__kmpc_global_thread_num",
            Entry::StaticInit => "__kmpc_for_static_init_8",
            Entry::StaticEnd => "__kmpc_for_static_fini",
            Entry::DispatchInit => "__kmpc_dispatch_init_8",
            Entry::DispatchNext => "__kmpc_dispatch_next_8",
            Entry::Barrier => "__kmpc_barrier",
            Entry::Critical => "__kmpc_critical",
            Entry::EndCritical => "__kmpc_end_critical",
            Entry::PushThreads => "__kmpc_push_num_threads",
            Entry::MaximalThreads => "omp_get_max_threads",
        }
    }

    pub fn ty<'ir>(self, context: Context<'ir>) -> Type<'ir> {
        let (void, p) = (Type::void(context), Type::pointer(context));
        let (i, l) = (Type::integer(context, 32), Type::integer(context, 64));
        match self {
            Entry::Fork => Type::variadic_function(void, &[p, i, p]),
            Entry::GlobalThread => Type::function(i, &[p]),
            Entry::StaticInit => Type::function(void, &[p, i, i, p, p, p, p, l, l]),
            Entry::StaticEnd | Entry::Barrier => Type::function(void, &[p, i]),
            Entry::DispatchInit => Type::function(void, &[p, i, i, l, l, l, l]),
            Entry::DispatchNext => Type::function(i, &[p, i, p, p, p, p]),
            Entry::Critical | Entry::EndCritical => Type::function(void, &[p, i, p]),
            Entry::PushThreads => Type::function(void, &[p, i, i]),
            Entry::MaximalThreads => Type::function(i, &[]),
        }
    }

    /// `None` if the program uses the name for something else.
    pub fn declared<'ir>(self, module: Module<'ir>) -> Option<Function<'ir>> {
        module.declare(self.name(), self.ty(module.context()))
    }

    /// Requires that `declared` has an answer.
    pub fn call<'ir>(self, builder: &Builder<'ir>, arguments: &[Value<'ir>]) -> Instruction<'ir> {
        let module = builder.block().function().module();
        builder.call(self.declared(module).expect("law: the runtime's names were found free"), arguments)
    }
}

/// Functions by which the program has threads run one of its own.
const FORKS: [&str; 2] = ["__kmpc_fork_call", "__kmpc_fork_call_if"];

impl Function<'_> {
    /// Whether the program has threads run this function, as what a compiler makes of `#pragma omp parallel`: what threads its loops would start there, only one would be of.
    pub fn is_run_by_threads(self) -> bool {
        let is_fork = |user: Instruction<'_>| {
            let callee = user.call().and_then(|call| call.callee());
            callee.is_some_and(|callee| FORKS.contains(&callee.name().as_str()))
        };
        self.value().users().into_iter().any(is_fork)
    }
}

/// The type of the function every thread runs: `void (i32 *thread, i32 *bound, ptr frame)`.
pub fn outlined_type(context: Context<'_>) -> Type<'_> {
    let p = Type::pointer(context);
    Type::function(Type::void(context), &[p, p, p])
}

/// The `ident_t` that tells the runtime who calls, one per module.
pub fn ident(module: Module<'_>) -> Value<'_> {
    const NAME: &str = "loopwright.ident";
    const PLACE: &str = ";unknown;unknown;0;0;;";
    if let Some(there) = module.global(NAME) {
        return there;
    }
    let context = module.context();
    let number = |n| Value::integer(Type::integer(context, 32), n);
    let place = module.new_private_constant("loopwright.place", Value::text(context, PLACE));
    let fields = [number(0), number(IDENT_COMPILED), number(0), number(PLACE.len() as i128), place];
    module.new_private_constant(NAME, Value::structure(context, &fields))
}
