//! Functions of libraries that the new code calls: the OpenMP runtime, `malloc` and `free`; and whether they are what
//! their names say.

use crate::llvm::openmp::Entry;
use crate::llvm::{Function, Type};

/// Entry points that generated code calls.
const ENTRIES: [Entry; 8] = [
    Entry::Fork,
    Entry::StaticInit,
    Entry::StaticEnd,
    Entry::DispatchInit,
    Entry::DispatchNext,
    Entry::MaximalThreads,
    Entry::Critical,
    Entry::EndCritical,
];

/// Whether the program leaves the runtime's names to the runtime.
pub fn has_openmp(function: Function<'_>) -> bool {
    let module = function.module();
    ENTRIES.iter().all(|entry| {
        let ty = entry.ty(module.context());
        module.global(entry.name()).is_none() && module.function(entry.name()).is_none_or(|there| there.ty() == ty)
    })
}

/// `malloc` and `free`; `None` if the program uses the names for something else.
pub fn allocator<'ir>(function: Function<'ir>) -> Option<(Function<'ir>, Function<'ir>)> {
    let module = function.module();
    let context = module.context();
    let (pointer, word) = (Type::pointer(context), Type::integer(context, 64));
    let malloc = module.declare("malloc", Type::function(pointer, &[word], false))?;
    let free = module.declare("free", Type::function(Type::void(context), &[pointer], false))?;
    Some((malloc, free))
}

/// Whether [`allocator`] has an answer.
pub fn has_allocator(function: Function<'_>) -> bool {
    let module = function.module();
    let context = module.context();
    let (pointer, word) = (Type::pointer(context), Type::integer(context, 64));
    let (malloc, free) =
        (Type::function(pointer, &[word], false), Type::function(Type::void(context), &[pointer], false));
    let is_the_library_s = |there: Function<'_>, ty| there.ty() == ty && !there.has_body();
    [("malloc", malloc), ("free", free)].into_iter().all(|(name, ty)| {
        module.global(name).is_none() && module.function(name).is_none_or(|there| is_the_library_s(there, ty))
    })
}
