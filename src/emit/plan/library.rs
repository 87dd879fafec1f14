//! Functions of libraries that the new code calls: the OpenMP runtime, `malloc` and `free`, `sched_yield`, `write` and `_exit`; and whether they are
//! what their names say.

use crate::llvm::openmp::Entry;
use crate::llvm::{Function, Type, errno};

const YIELD: &str = "sched_yield";

/// Entry points that generated code calls.
const ENTRIES: [Entry; 10] = [
    Entry::Fork,
    Entry::StaticInit,
    Entry::StaticEnd,
    Entry::DispatchInit,
    Entry::DispatchNext,
    Entry::MaximalThreads,
    Entry::Critical,
    Entry::EndCritical,
    Entry::GlobalThread,
    Entry::PushThreads,
];

/// Processors, as targets name them, where no operating system starts threads: the first parts of their names.
const WITHOUT_THREADS: [&str; 8] = ["amdgcn", "bpf", "dxil", "nvptx", "r600", "spir", "wasm", "amdil"];

/// Whether there may be threads where the program runs, and it leaves the runtime's names to the runtime.
pub fn has_openmp(function: Function<'_>) -> bool {
    let module = function.module();
    let target = module.target_triple();
    if WITHOUT_THREADS.iter().any(|name| target.starts_with(name)) || !module.has_one_address_space() {
        return false;
    }
    ENTRIES.iter().all(|entry| {
        let ty = entry.ty(module.context());
        module.global(entry.name()).is_none() && module.function(entry.name()).is_none_or(|there| there.ty() == ty)
    })
}

/// `sched_yield`, by which a thread that waits lets others run; `None` if the program uses the name for something else.
pub fn yielding<'ir>(function: Function<'ir>) -> Option<Function<'ir>> {
    function.module().declare(YIELD, type_of_yield(function))
}

/// Whether [`yielding`] has an answer, and the C library is one that has the function.
pub fn can_yield(function: Function<'_>) -> bool {
    errno::has_known_library(function.module()) && is_the_library_s(function, YIELD, type_of_yield(function))
}

fn type_of_yield<'ir>(function: Function<'ir>) -> Type<'ir> {
    Type::function(Type::integer(function.context(), 32), &[])
}

/// `malloc` and `free`; `None` if the program uses the names for something else.
pub fn allocator<'ir>(function: Function<'ir>) -> Option<(Function<'ir>, Function<'ir>)> {
    let module = function.module();
    let context = module.context();
    let (pointer, word) = (Type::pointer(context), Type::integer(context, 64));
    let malloc = module.declare("malloc", Type::function(pointer, &[word]))?;
    let free = module.declare("free", Type::function(Type::void(context), &[pointer]))?;
    Some((malloc, free))
}

/// Whether [`allocator`] has an answer.
pub fn has_allocator(function: Function<'_>) -> bool {
    let context = function.context();
    let (pointer, word) = (Type::pointer(context), Type::integer(context, 64));
    let malloc = Type::function(pointer, &[word]);
    let free = Type::function(Type::void(context), &[pointer]);
    [("malloc", malloc), ("free", free)].into_iter().all(|(name, ty)| is_the_library_s(function, name, ty))
}

/// `write` and `_exit`, by which a program ends with a last word, whatever state it is in; `None` if the program uses the names for
/// something else.
pub fn last_words<'ir>(function: Function<'ir>) -> Option<(Function<'ir>, Function<'ir>)> {
    let [write, exit] = types_of_last_words(function);
    let module = function.module();
    let (write, exit) = (module.declare("write", write)?, module.declare("_exit", exit)?);
    exit.add_attribute("noreturn");
    Some((write, exit))
}

/// Whether [`last_words`] has an answer.
pub fn has_last_words(function: Function<'_>) -> bool {
    let [write, exit] = types_of_last_words(function);
    [("write", write), ("_exit", exit)].into_iter().all(|(name, ty)| is_the_library_s(function, name, ty))
}

fn types_of_last_words<'ir>(function: Function<'ir>) -> [Type<'ir>; 2] {
    let context = function.context();
    let (pointer, word, number) = (Type::pointer(context), Type::integer(context, 64), Type::integer(context, 32));
    [Type::function(word, &[number, pointer, word]), Type::function(Type::void(context), &[number])]
}

/// Whether a name is free for the library's function of this type.
fn is_the_library_s<'ir>(function: Function<'ir>, name: &str, ty: Type<'ir>) -> bool {
    let module = function.module();
    let is_known = |there: Function<'ir>| there.ty() == ty && !there.has_body();
    module.global(name).is_none() && module.function(name).is_none_or(is_known)
}
